"""Speculation, compiled graphs and the packaged compile cache of a real model on the real engine.

`make test-long` runs it: half an hour on two cores.
"""

from pathlib import Path

import duckdb
import pytest

from tests.flows.test_engine import home, run_study, write_study
from variants.catalogue import BASES

pytestmark = [pytest.mark.engine, pytest.mark.long]
__all__ = ["home"]  # the fixture
OF_CATALOGUE = BASES["smollm2-135m-instruct"]
ITSELF = f"{OF_CATALOGUE.source}#sha256={OF_CATALOGUE.sha256}"  # as its own draft: all accepted
WRITTEN = {"suites": ["short-answers"], "items": {"written": 100, "of": {"short-answers": 50}}}


def rows(home: Path, sql: str) -> list[tuple[object, ...]]:
    with duckdb.connect(str(home / "ledger.duckdb"), read_only=True) as ledger:
        return ledger.sql(sql).fetchall()


def test_counters_prove_speculation_and_prefix_cache(home: Path, tmp_path: Path) -> None:
    variants = ["ngram_speculation", {"draft_speculation": {"draft": ITSELF, "num_tokens": 2}}]
    done = run_study(write_study(tmp_path, name="small-drafts", variants=variants, **WRITTEN), home)
    for variant in ("ngram-4", "draft-2"):
        seen = rows(
            home,
            "select name, passed from checks where name in ('speculation-active', "
            f"'prefix-cache-active') and variant = '{variant}' order by name",
        )
        assert seen == [("prefix-cache-active", True), ("speculation-active", True)], done.stdout
        kinds = rows(
            home, f"select count(distinct data_class) from speculations where variant = '{variant}'"
        )
        assert kinds == [(5,)], done.stdout
        text = rows(
            home,
            "select bool_and(passed) from checks where name like 'same-%' "
            f"and variant = '{variant}'",
        )
        assert text == [(True,)], done.stdout


def test_what_was_compiled_is_packed_and_unpacked(home: Path, tmp_path: Path) -> None:
    study = write_study(tmp_path, name="small-compiled", variants=["compiled"], **WRITTEN)
    done = run_study(study, home)
    ((told,),) = rows(
        home,
        "select cache from startups where variant = 'compiled' and temperature = 'warm' "
        "and run like 'small-compiled%'",
    )
    assert "unpacked: everything it is bound to matches" in str(told), done.stdout
    assert rows(home, "select cache_bytes > 0 from compilations") == [(True,)]


def test_a_flag_that_was_taken_and_does_nothing_stops_at_identity(
    home: Path, tmp_path: Path
) -> None:
    """In blocks of 1,024 tokens no prompt of 512 fills one: caching is on and caches nothing."""
    idle = {"served": {"name": "wide-blocks", "arguments": "--block-size 1024"}}
    done = run_study(write_study(tmp_path, name="small-idle", variants=[idle], **WRITTEN), home)
    seen = rows(home, "select deciding_gate, reason from decisions where variant = 'wide-blocks'")
    assert [gate for gate, _ in seen] == ["identity"], done.stdout
    assert "reports prefix caching and caches nothing" in str(seen[0][1]), done.stdout
    assert rows(home, "select count(*) from cells where variant = 'wide-blocks'") == [(0,)]
