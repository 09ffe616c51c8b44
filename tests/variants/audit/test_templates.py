"""A chat template is a program: it is looked through, and rendered where it can do no harm."""

from pathlib import Path

import pytest

from tests.variants.audit.checkpoints import only
from variants.audit import audit_by_label, rendering, templates
from variants.audit.rendering import look

CHATML = """{% for message in messages %}{% if loop.first and message.role != 'system' %}
<|im_start|>system\nYou help.<|im_end|>{% endif %}<|im_start|>{{ message['role'] }}
{% generation %}{{ message.content | trim }}{% endgeneration %}<|im_end|>{% endfor %}
{%- if tools %}{{ tools | tojson(indent=4) }}{% endif %}{{ strftime_now('%d %b %Y') }}
{%- if add_generation_prompt %}<|im_start|>assistant{% endif %}"""
STRICT = "{% if messages[0].role == 'system' %}{{ raise_exception('no system role') }}{% endif %}"


@pytest.mark.parametrize("template", [CHATML, STRICT, "{{ messages }}", "{{ bos_token }}"])
def test_templates_as_models_bring_them_pass(template: str) -> None:
    assert look(template) == ""


@pytest.mark.parametrize(
    ("template", "words"),
    [
        ("{{ messages.__class__.__mro__ }}", "reaches for __class__"),
        ("{{ messages['__class__'] }}", "reaches for __class__"),
        ("{{ messages | attr('__init__') }}", "reaches for __init__"),
        ("{{ ''.join.__globals__ }}", "reaches for __globals__"),
        ("{% include '/etc/passwd' %}", "reaches for include"),
        ("{% import 'x' as y %}", "reaches for import"),
        ("{% extends 'x' %}", "reaches for extends"),
        ("{{ (messages | attr('_' ~ '_class_' ~ '_')).mro() }}", "stopped by the sandbox"),
        ("{% for m in messages %}", "is no template"),
        ("{{ messages[0]['content'] + 1 }}", "does not render a plain chat"),
        ("{{ nothing.at.all }}", "does not render a plain chat"),
        ("{{ range(1000000) }}", "does not render a plain chat"),
    ],
)
def test_templates_that_reach_out_or_break_are_told(template: str, words: str) -> None:
    assert words in look(template)


ENDLESS = (
    "{% for a in range(99999) %}{% for b in range(99999) %}{% for c in range(99999) %}"
    "{% endfor %}{% endfor %}{% endfor %}"
)


def test_a_template_without_an_end_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(templates, "CPU_SECONDS", 2)
    assert "did not render within 2 s" in templates.look(ENDLESS)


def test_a_template_that_eats_the_memory_is_stopped() -> None:
    assert "did not render within" in templates.look("{{ 'ab' * 2000000000 }}")


def test_the_audit_looks_at_every_template_of_a_folder(base: Path) -> None:
    (base / "additional_chat_templates").mkdir()
    tool_use = base / "additional_chat_templates" / "tool_use.jinja"
    tool_use.write_text("{{ messages.__class__ }}", encoding="utf-8")
    reason = only(audit_by_label(base, None), "template safety")
    assert reason == "tool_use reaches for __class__"


def test_the_child_renders_what_this_process_would() -> None:
    assert templates.look(CHATML) == rendering.look(CHATML) == ""
