"""What people read is plain: no text is harder, and no sentence longer, than `readability.toml` allows."""

from __future__ import annotations

from tests.health.read_texts import TEMPLATES, template_words, texts
from tests.health.readability import figures, limits, measured, plain


def test_no_text_is_above_its_grade() -> None:
    too_hard = {unit: now.grade for unit, now in measured().items() if now.grade > limits(unit)[0]}
    assert too_hard == {}, "Use shorter words and shorter sentences"


def test_no_sentence_is_too_long() -> None:
    too_long = {unit: now.sentence for unit, now in measured().items() if now.longest > limits(unit)[1]}
    assert too_long == {}, "Divide the sentence; numbers, code and citations are replaced here"


def test_every_kind_of_text_is_read() -> None:
    """A kind that nothing is found of would pass every test."""
    sources = {text.source for text in texts()}
    for part in ("templates/pages/", "templates/mail/", "messages.toml: ", "error_codes.toml: ", "docs/"):
        assert [source for source in sources if source.startswith(part)], part
    assert "portal/management/commands/verify_history.py" in sources
    assert [source for source in sources if source.endswith("/guide.toml")]
    pages = [path for path in TEMPLATES.rglob("*.html") if "<p>" in path.read_text(encoding="utf-8")]
    assert {f"templates/{path.relative_to(TEMPLATES)}" for path in pages} - sources == set()


def test_grade_follows_the_formula() -> None:
    """Kincaid, Fishburne, Rogers and Chissom 1975: six words in two sentences, with ten syllables."""
    easy = figures(["The cat sat.", "The portal recommends it."])
    assert easy.words == 7
    assert easy.longest == 4
    hard = figures(["Organizational administrators unconditionally acknowledge intercontinental responsibilities."])
    assert hard.grade > 20 > easy.grade


def test_words_of_a_template_are_read_without_its_code() -> None:
    page = """<h1>My {{ count }} tasks</h1>{% if open %}<p>You have <b>no</b> open tasks.</p>{% endif %}
    <style>p { color: red }</style><img alt="The seal" src="/x.png"><p>See <code>limit=5</code>.</p>"""
    assert template_words(page) == ["My it tasks", "You have no open tasks.", "The seal", "See it ."]


def test_citations_and_numbers_count_as_one_short_word() -> None:
    assert plain("See 58 Pa. Code § 687a.12(d).") == "See it."
    assert plain("Up to 1,302.5 units (e.g. at /api/v1/errors/)") == "Up to 1 units (eg at it)."
