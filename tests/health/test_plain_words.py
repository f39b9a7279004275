"""What people read has none of the words that the glossary rules out, nor a British spelling.

What the chapters quote of the regulation, “in quotation marks”, is not read here (`read_texts`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache

import pytest

from tests.health.files import ROOT, text_of
from tests.health.read_texts import TEMPLATES, chapter_texts, template_words, texts

GLOSSARY = ROOT / "docs/glossary.md"
pytestmark = pytest.mark.xdist_group("plain words")  # the texts are read once
HEADING = "## Words that people do not read\n"
ADDRESS = re.compile(r"(?<!\w)/\S+")
ROW = re.compile(r"^\| `([^`]+)` \| [^|]+ \|([^|]*)\|$", re.MULTILINE)


@cache
def refused_words() -> dict[str, tuple[str, ...]]:
    """Word or phrase → the phrases in which it is allowed."""
    table = GLOSSARY.read_text(encoding="utf-8").split(HEADING, 1)[1].split("\n## ", 1)[0]
    return {word: tuple(re.findall(r"`([^`]+)`", allowed)) for word, allowed in ROW.findall(table)}


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What is allowed, and what is refused, longest first."""
    words = refused_words()
    allowed = sorted({phrase for phrases in words.values() for phrase in phrases}, key=len, reverse=True)
    return _any_of(allowed), _any_of(sorted(words, key=len, reverse=True))


def words_in(text: str) -> list[str]:
    """The refused words of a text, in order."""
    allowed, refused = _patterns()
    return [match.lower() for match in refused.findall(allowed.sub("", ADDRESS.sub("", text)))]


@cache
def counts() -> dict[str, list[str]]:
    """File or heading → the refused words that it has."""
    found: dict[str, list[str]] = defaultdict(list)
    for text in texts():
        found[text.source] += words_in(text.words)
    return {source: words for source, words in sorted(found.items()) if words}


def test_no_text_has_a_word_that_the_glossary_rules_out() -> None:
    assert counts() == {}, "docs/glossary.md, at its end, says what to use instead"


def test_quotation_of_the_regulation_is_not_read_in_a_chapter() -> None:
    said = [
        text.words
        for text in chapter_texts()
        if text.source.endswith("ch588_six_card_fortune_pai_gow_poker/rules.toml")
    ]
    assert "§ 588.5(i): it." in said  # “the certificate holder shall use one of the following”
    assert [text for text in said if "“" in text] == []


def test_words_are_found_in_a_sentence() -> None:
    assert words_in("Nobody tells him what colour it is.") == ["nobody", "tells", "him", "colour"]
    assert words_in("“x” is no network.") == ["is no"]
    assert words_in("There is no network: it is no longer in effect.") == []
    assert words_in("The dealer stands on 17 and withstands the history.") == []


def test_every_kind_of_text_is_read() -> None:
    """A kind that nothing is found of would pass every test."""
    sources = {text.source for text in texts()}
    for part in ("templates/pages/", "templates/mail/", "messages.toml: ", "error_codes.toml: ", "docs/"):
        assert [source for source in sources if source.startswith(part)], part
    assert "portal/management/commands/verify_history.py" in sources
    assert [source for source in sources if source.endswith("/guide.toml")]
    pages = [path for path in TEMPLATES.rglob("*.html") if "<p>" in text_of(path)]
    assert {f"templates/{path.relative_to(TEMPLATES)}" for path in pages} - sources == set()


def test_words_of_a_template_are_read_without_its_code() -> None:
    page = """<h1>My {{ count }} tasks</h1>{% if open %}<p>You have <b>no</b> open tasks.</p>{% endif %}
    <style>p { color: red }</style><img alt="The seal" src="/x.png"><p>See <code>limit=5</code>.</p>"""
    assert template_words(page) == ["My it tasks", "You have no open tasks.", "The seal", "See it ."]


def test_table_has_words_of_every_kind() -> None:
    assert {"told", "is no", "colour", "his", "remark"} <= set(refused_words())


def _any_of(phrases: list[str]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(re.escape(phrase) for phrase in phrases)})\b", re.IGNORECASE)
