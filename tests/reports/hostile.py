"""The made-up study with names that try to break the page: endless, turned around, and unseen."""

from dataclasses import replace

from reports.view import View, build_view
from tests.reports import judged

ENDLESS = "w" * 200
TURNED = "int8\u202e8a8w\u2066\u200b"  # right-to-left override, isolate, zero-width space
SHOWN = "int8⟨U+202E⟩8a8w⟨U+2066⟩⟨U+200B⟩"
ARABIC = "نموذج-4"
NAMES = {"compiled": ENDLESS, "int8-w8a8": TURNED, "int4-w4a16-channel": ARABIC}


def view() -> View:
    """Return the view of the whole fixture under hostile names."""
    told = judged.told()
    evidence = tuple(
        one.model_copy(
            update={
                "variant": NAMES.get(one.variant, one.variant),
                "records": tuple(
                    record.model_copy(update={"variant": NAMES.get(record.variant, record.variant)})
                    for record in one.records
                ),
            }
        )
        for one in told.evidence
    )
    decisions = tuple(
        one.model_copy(update={"variant": NAMES.get(one.variant, one.variant)})
        for one in told.decisions
    )
    promotion = judged.PROMOTION.model_copy(update={"variant": TURNED})
    return build_view(replace(told, evidence=evidence, decisions=decisions, promotion=promotion))
