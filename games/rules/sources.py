"""Findings on what a chapter rests on: odds that no text at hand prints, and a chapter that is not final.

Neither stops a filing by itself; what the missing text keeps from being filed is in `missing_text`. To approve, a
director confirms each of them (`submissions.filings.review.decisions`).
"""

from collections.abc import Iterator, Mapping

from games.rules.model import Chapter, Finding, Status

ODDS, NOT_FINAL = "odds-not-in-source-text", "chapter-not-final"
SUBSTITUTE = "Not in the source text"  # how the name of a paytable begins that stands in for a lost one
_STATUS: Mapping[Status, str] = {
    "proposed": "is available as a proposed rulemaking only",
    "temporary": "is a temporary regulation; whether it is still in effect is not known from the available text",
    "lapsed": "was in effect for a time that is over",
}


def on_sources(chapter: Chapter, paytables: Mapping[str, str]) -> Iterator[Finding]:
    """`paytables`: wager → name of the paytable in use."""
    if chapter.status in _STATUS:
        yield Finding(
            rule=f"{chapter.number}.{NOT_FINAL}",
            severity="warning",
            options=(),
            message=f"Chapter {chapter.number} {_STATUS[chapter.status]} ({chapter.source}).",
            fix="Look up its status in the Pennsylvania Code. To approve, a director confirms that it applies.",
            citation=f"§ {chapter.number}.1",
        )
    for key, name in paytables.items():
        if name.startswith(SUBSTITUTE):
            yield _substitute(chapter, key, name)


def is_on_sources(finding: Finding) -> bool:
    """Whether it is on what the chapter rests on, which no answer can mend."""
    return finding.rule.endswith((f".{ODDS}", f".{NOT_FINAL}"))


def _substitute(chapter: Chapter, key: str, name: str) -> Finding:
    wager = chapter.wager(key)
    whole = chapter.wager(wager.part_of) if wager.part_of else wager
    citation = chapter.paytable(key, name).citation
    rest = f" Not available: {chapter.missing}" if whole.required and chapter.missing else ""
    return Finding(
        rule=f"{chapter.number}.{ODDS}",
        severity="warning",
        options=tuple(filter(None, (whole.offered_by, wager.paytable_option))),
        message=f"The odds of the {wager.name} are not in the available text: “{name}” replaces {citation}.{rest}",
        fix=f"Compare them with {citation} in the Pennsylvania Code. To approve, a director must confirm them.",
        citation=citation,
    )
