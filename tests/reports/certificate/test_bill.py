"""The bill of materials, against CycloneDX's own schema and by hand."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from reports.certificate.bill import bill_of, bill_text
from reports.certificate.issuing import issue
from reports.certificate.keys import VARIABLE
from tests.reports.certificate.promoted import ARTIFACT, RUN, make


def test_it_is_valid_and_says_what_was_promoted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    home = make(tmp_path)
    statement = issue(home, RUN, datetime(2026, 12, 1, tzinfo=UTC))
    text = home.bill(RUN).read_text()
    assert text == bill_text(statement)
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    model = bill_of(statement)["metadata"]["component"]  # type: ignore[index]
    assert (model["type"], model["name"]) == ("machine-learning-model", "compiled")
    assert model["version"] == ARTIFACT
    assert "SmolLM2-135M-Instruct" in model["pedigree"]["ancestors"][0]["name"]
    gain = model["modelCard"]["quantitativeAnalysis"]["performanceMetrics"][0]
    assert (gain["value"], gain["slice"]) == ("0.2366", "closed-1")
