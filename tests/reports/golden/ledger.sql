-- One line per variant: what a reader would ask first.
SELECT decisions.variant,
       decisions.outcome,
       decisions.deciding_gate,
       decisions.margin,
       round(CAST(decisions.gains_json ->> '$[0].estimate' AS DOUBLE), 4) AS gain,
       (SELECT count(*) FROM gates
        WHERE (study, run, variant) = (decisions.study, decisions.run, decisions.variant)
          AND gates.outcome = 'PASS') AS num_passed,
       (SELECT count(*) FROM cells
        WHERE cells.variant = decisions.variant AND arm = 'variant' AND len(invalid) = 0) AS num_valid,
       (SELECT count(*) FROM samples
        WHERE samples.variant = decisions.variant AND suite = 'tool-calling' AND is_correct) AS num_right,
       (SELECT any_value(weight_bytes) FROM artifacts
        WHERE artifacts.variant = decisions.variant) AS weight_bytes,
       runs.exit_code,
       CAST(runs.started_at AS VARCHAR) AS started_at,
       promotions.action
FROM decisions
JOIN runs USING (study, run, variant)
LEFT JOIN promotions USING (study, run, variant)
ORDER BY decisions.variant;
