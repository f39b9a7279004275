"""Find what cannot be filed because the text it rests on is missing, by the chapter of a day and the answers.

The data is each chapter's `missing_text.toml`. A text is missing while something in square brackets stands in the place
of a paragraph of it: a rulemaking that enters the words ends that on its day, and one that completes the chapter ends
all. `judge` does not ask: a portal may be set to take such filings (`submissions.filings.judging`).
"""

import re
from collections.abc import Iterator, Sequence

from games.rules.conditions import holds
from games.rules.evaluate import asked_lines, sound_answers
from games.rules.model import Answers, Chapter, Finding

RULE = "text-missing"
_ADDED = re.compile(r"^ *(?:- \(\w+\) )?\[", re.MULTILINE)  # a paragraph that is not the regulation's


def on_missing_text(chapter: Chapter, answers: Answers) -> Iterator[Finding]:
    """Yield a blocking finding for each use of a text that is missing."""
    if chapter.complete or not chapter.missing_text:
        return
    sound = sound_answers(chapter, answers)
    asked_keys = asked_lines(chapter, sound)
    used = {key: answer for key, answer in sound.items() if key in asked_keys}
    for row in chapter.missing_text:
        sections = [section for section in row.sections if is_missing(chapter, section)]
        if sections and holds(row.when, used):
            options = tuple(sorted(row.when.options()))
            yield Finding(
                rule=f"{chapter.number}.{RULE}",
                severity="blocking",
                options=options,
                message=f"{row.what} cannot be filed. The available text lacks {row.lacks} ({_named(sections)}).",
                fix=f"{'Choose otherwise, or wait' if options else 'Wait'} until the Board enters the text.",
                citation=sections[0],
            )


def is_missing(chapter: Chapter, section: str) -> bool:
    """Return whether the section has a place where the words of the regulation are missing."""
    return bool(_ADDED.search(chapter.sections.get(section, "")))


def is_on_missing_text(finding: Finding) -> bool:
    return finding.rule.endswith(f".{RULE}")


def _named(sections: Sequence[str]) -> str:
    """Return the sections as a sentence names them: "§ 637a.12", "§§ 657a.1, 657a.2"."""
    return sections[0] if len(sections) == 1 else f"§§ {', '.join(section.removeprefix('§ ') for section in sections)}"
