"""Which of layout, payout sign and gaming guide must follow a change of a configuration, and why, in sentences.

A paper must follow exactly where what it shows changes. Not here: what each shows (`facts`), which papers are filed or
approved.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from games.rules.model import Answers, Chapter
from submissions.layouts.facts import ELEMENT, PARTS, Fact, Shown, shown

__all__ = ["PARTS", "Fact", "Following", "Shown", "must_follow", "shown"]

PAYTABLE = "paytable "


@dataclass(frozen=True, slots=True)
class Following:
    """One of `PARTS` that must follow; `why`: a sentence for each fact that changed, in the order of the paper."""

    part: str
    why: tuple[str, ...]


def must_follow(
    chapter: Chapter, before: Answers, after: Answers, *, odds_repeated: bool = True
) -> tuple[Following, ...]:
    """The parts that must follow, in the order of `PARTS`; `odds_repeated` as in `shown`."""
    was = shown(chapter, before, odds_repeated=odds_repeated)
    now = shown(chapter, after, odds_repeated=odds_repeated)
    changed = [part for part in PARTS if was[part].digest != now[part].digest]
    return tuple(Following(part, tuple(_why(was[part].facts, now[part].facts))) for part in changed)


def _why(was: Mapping[str, Fact], now: Mapping[str, Fact]) -> Iterator[str]:
    gone = {key: fact for key, fact in was.items() if key not in now}
    for key, fact in now.items():
        old = was[key] if key in was else _instead(fact, gone)
        if old is None:
            yield _alone(key, fact, "now")
        elif old.shows != fact.shows:
            yield f"{fact.subject}: {_ended(old.words)} → {_ended(_shorter(old.words, fact.words))}, {fact.citation}"
    yield from (_alone(key, fact, "no longer") for key, fact in gone.items())


def _instead(fact: Fact, gone: dict[str, Fact]) -> Fact | None:
    """What stood in its place, of the same section, and is then no longer counted as gone."""
    same = (key for key, old in gone.items() if (old.subject, old.citation) == (fact.subject, fact.citation))
    key = next(same, None)
    return gone.pop(key) if key else None


def _alone(key: str, fact: Fact, when: str) -> str:
    """What is shown on one side only."""
    if key.startswith(ELEMENT):
        return f"{fact.subject}: {when} called for, {fact.citation}"
    return f"{fact.subject}: {_ended(fact.words)} ({when} shown), {fact.citation}"


def _shorter(old: str, new: str) -> str:
    """The second of two paytables by its name alone."""
    return new.removeprefix(PAYTABLE) if old.startswith(PAYTABLE) else new


def _ended(words: str) -> str:
    """Without the full stop, since the sentence goes on."""
    return f"{words[:-2]}”" if words.endswith(".”") else words.removesuffix(".")
