import json
from pathlib import Path
from typing import Any

import pytest

from evals.suites.bfcl import WHEEL
from evals.suites.calls import ABSTAINING, CALLING, Row, Wanted, addresses, rows
from evals.suites.calls.rows import WRONG_ANSWER
from tests.evals.suites.calls.toy import FUNCTIONS, PARAMETERS
from variants.errors import MeasurementError

ASKED = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "How large?"}]
TRUTH = [{"geo.area": {"base": [10], "unit": ["", "cm"]}}, {"perimeter": {"base": [10]}}]


def write(folder: Path, category: str, ids: list[str], truths: dict[str, Any]) -> dict[str, str]:
    """Write questions, and the answers of a category that has some."""
    questions = [{"id": one, "question": [ASKED], "function": list(FUNCTIONS)} for one in ids]
    answers = [{"id": one, "ground_truth": truth} for one, truth in truths.items()]
    files: dict[str, str] = {}
    for address in addresses([category]):
        path = folder / f"{len(files)}-{category}.json"
        lines = answers if "possible_answer" in address else questions
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        files[address] = str(path)
    return files


def test_a_row_holds_what_is_asked_offered_and_wanted(tmp_path: Path) -> None:
    files = write(tmp_path, "parallel", ["parallel_1"], {"parallel_1": TRUTH})
    (found,) = rows(files, ["parallel"])
    assert found == Row(
        id="parallel_1",
        category="parallel",
        messages=tuple(ASKED),
        functions=FUNCTIONS,
        wanted=(
            Wanted("geo.area", {"base": [10], "unit": ["", "cm"]}, PARAMETERS),
            Wanted("perimeter", {"base": [10]}, PARAMETERS),
        ),
    )
    assert found.offered == {"geo.area", "perimeter"}
    assert found.cluster == "geo.area"


def test_a_row_that_wants_no_call_has_no_answer_file(tmp_path: Path) -> None:
    files = write(tmp_path, "irrelevance", ["irrelevance_1"], {})
    assert len(files) == 1
    (found,) = rows(files, ["irrelevance"])
    assert found.wanted == ()
    assert found.cluster == "geo.area"


def test_a_row_may_offer_nothing(tmp_path: Path) -> None:
    files = write(tmp_path, "irrelevance", ["irrelevance_1"], {})
    (path,) = files.values()
    line = json.loads(Path(path).read_text()) | {"function": []}
    Path(path).write_text(json.dumps(line))
    assert rows(files, ["irrelevance"])[0].cluster == "none offered"


def test_rows_with_a_wrong_published_answer_are_left_out(tmp_path: Path) -> None:
    assert len(WRONG_ANSWER) == 8  # 2,351 published - 2,343 usable
    ids = [*WRONG_ANSWER, "good"]
    files = write(tmp_path, "live_simple", ids, dict.fromkeys(ids, TRUTH[:1]))
    assert [one.id for one in rows(files, ["live_simple"])] == ["good"]


def test_categories_are_read_in_the_order_asked_for(tmp_path: Path) -> None:
    one = write(tmp_path, "multiple", ["multiple_1"], {"multiple_1": TRUTH[1:]})
    other = write(tmp_path, "live_irrelevance", ["live_irrelevance_1"], {})
    found = rows(one | other, ["live_irrelevance", "multiple"])
    assert [row.id for row in found] == ["live_irrelevance_1", "multiple_1"]


def test_an_item_without_its_answer_or_its_function_is_named(tmp_path: Path) -> None:
    files = write(tmp_path, "multiple", ["multiple_7"], {})
    with pytest.raises(MeasurementError, match="multiple_7 has no published answer"):
        rows(files, ["multiple"])
    files = write(tmp_path, "multiple", ["multiple_7"], {"multiple_7": [{"volume": {}}]})
    with pytest.raises(MeasurementError, match="multiple_7 wants volume, which it does not offer"):
        rows(files, ["multiple"])


def test_every_file_has_a_pinned_address() -> None:
    assert len(addresses(CALLING)) == 16
    assert len(addresses(ABSTAINING)) == 2
    assert all(address.startswith(f"{WHEEL}/bfcl_eval/data/") for address in addresses(CALLING))
    assert {len(pin) for pin in addresses((*CALLING, *ABSTAINING)).values()} == {64}
