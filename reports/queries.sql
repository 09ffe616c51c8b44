-- The questions a team asks the ledger, each a view over `kept`. Comments are shown by
-- `python -m reports.ledger FILE --views`.

-- Every gain a decision measured, one row each; relative to the baseline, above 0 is better.
CREATE OR REPLACE VIEW gains AS
SELECT d.study, d.run, d.variant, d.outcome, s."at" AS began_at, s.base, s.target, s.service_class,
    g.value ->> 'metric' AS metric,
    g.value ->> 'cell' AS cell,
    CAST(g.value -> 'estimate' AS DOUBLE) AS estimate,
    CAST(g.value -> 'lower' AS DOUBLE) AS lower,
    CAST(g.value -> 'upper' AS DOUBLE) AS upper,
    CAST(g.value -> 'n' AS INTEGER) AS n
FROM kept.decisions AS d
LEFT JOIN kept.settings AS s USING (study, run), json_each(d.gains_json) AS g;

-- Who stands in each channel by what was recorded, since when, and the gain it was moved for.
CREATE OR REPLACE VIEW champions AS
SELECT p.channel, p.variant, p.study, p.run, p.action, p."at" AS since, p.fingerprint,
    g.metric, g.cell, g.estimate AS gain, g.lower AS gain_lower, g.upper AS gain_upper
FROM kept.promotions AS p
LEFT JOIN gains AS g USING (study, run, variant)
WHERE p.action <> 'rollback'
QUALIFY row_number() OVER (PARTITION BY p.channel ORDER BY p."at" DESC, p.digest) = 1;

-- The variant whose gain is surely highest among those that ever passed, per base, target and
-- service class.
CREATE OR REPLACE VIEW best_variants AS
SELECT base, target, service_class, variant, run, began_at, metric, cell,
    estimate AS gain, lower AS gain_lower, upper AS gain_upper, n
FROM gains
WHERE outcome = 'PROMOTE'
QUALIFY row_number() OVER (
    PARTITION BY base, target, service_class ORDER BY lower DESC, began_at DESC, run, variant) = 1;

-- The history of every metric: mean and spread over the valid repeats of a cell, run by run.
CREATE OR REPLACE VIEW metric_history AS
SELECT c.study, c.variant, c.arm, c.name AS cell, m.entry.key AS metric, s."at" AS began_at, c.run,
    avg(m.entry.value) AS mean, stddev_samp(m.entry.value) AS deviation, count(*) AS repeats
FROM kept.cells AS c
LEFT JOIN kept.settings AS s USING (study, run), unnest(map_entries(c.metrics)) AS m(entry)
WHERE len(c.invalid) = 0 AND m.entry.value IS NOT NULL
GROUP BY ALL;

-- Drift of champions: the gain of whatever was ever promoted, run by run, and its change since
-- the first run it was promoted in.
CREATE OR REPLACE VIEW champion_drift AS
SELECT study, variant, metric, cell, began_at, run, outcome, estimate AS gain, lower AS gain_lower,
    estimate - first_value(estimate) OVER (
        PARTITION BY study, variant, metric, cell ORDER BY began_at, run) AS change
FROM gains
WHERE (study, variant) IN (SELECT (study, variant) FROM kept.promotions WHERE action <> 'rollback');

-- USD per million output tokens of each arm and cell, where the study gives a price.
CREATE OR REPLACE VIEW token_costs AS
SELECT h.study, h.variant, h.arm, h.cell, h.began_at, h.run, h.mean AS output_tokens_per_s,
    s.price_per_device_hour, s.price_per_device_hour / (h.mean * 3600) * 1e6 AS usd_per_million
FROM metric_history AS h
JOIN kept.settings AS s USING (study, run)
WHERE h.metric = 'output_tokens_per_s' AND h.mean > 0 AND s.price_per_device_hour IS NOT NULL;

-- How each gate comes out: one that is often open asks for more than the evidence holds.
CREATE OR REPLACE VIEW gate_outcomes AS
SELECT d.policy, g.gate, count(*) AS judged,
    count(*) FILTER (g.outcome = 'PASS') AS passed,
    count(*) FILTER (g.outcome = 'FAIL') AS failed,
    count(*) FILTER (g.outcome = 'INCONCLUSIVE') AS open,
    count(*) FILTER (g.outcome = 'NOT_APPLICABLE') AS not_applicable
FROM kept.gates AS g
JOIN kept.decisions AS d USING (study, run, variant)
GROUP BY ALL;

-- Where device hours went, study by study and stage by stage.
CREATE OR REPLACE VIEW device_hours AS
SELECT study, stage, count(DISTINCT run) AS runs, sum(seconds) / 3600 AS hours,
    sum(seconds) / sum(sum(seconds)) OVER (PARTITION BY study) AS share
FROM kept.stages
GROUP BY study, stage;
