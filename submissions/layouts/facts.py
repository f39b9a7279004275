"""What layout, payout sign and gaming guide of a configuration must show, fact by fact, with a digest for each of them.

The same for every licensee, table and day. Nothing that a paper does not show is a fact of it: a label, an inscription
and the odds of the felt; rows, meters, limit and notices of the sign; every sentence of the guide with its section.
Not here: what differs between two configurations (`follows`), the papers themselves (`table`, `sign`, `guide`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from games.rules.model import ALWAYS, Answers, Chapter
from submissions.canonical import digest
from submissions.layouts import guide, sign, words
from submissions.layouts.odds import STATED, Odds
from submissions.layouts.pays import Limit, Paid
from submissions.layouts.required import Required, required
from submissions.layouts.told import GuideMissing

PARTS = ("layout", "sign", "guide")
ELEMENT = "element."  # begins the key of an element of the layout
SIGN = "sign"  # the kind of an element that stands beside the layout
Content = Mapping[str, Any]
Keyed = tuple[str, "Fact"]


@dataclass(frozen=True, slots=True)
class Fact:
    """`subject` and `words` say it in a sentence; `shows`, as JSON holds it, is what stands on the paper.

    Two facts are the same where they show the same: two paytables of different names may have the same rows.
    """

    subject: str
    words: str
    citation: str
    shows: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """One of `PARTS`: its facts by a key that stays, in the order of the paper, and the SHA-256 of what they show."""

    part: str
    digest: str
    facts: Mapping[str, Fact]


def shown(chapter: Chapter, answers: Answers, *, odds_repeated: bool = True) -> dict[str, Shown]:
    """Part → what it must show.

    The felt may repeat odds that a sign posts, and is then held against them (`inspection`): they are facts of the
    layout too, unless `odds_repeated` is False, where the drawing is known to print none.
    """
    chapter = _unjudged(chapter)
    made = (
        dict(_layout(chapter, answers, odds_repeated)),
        _unless_missing(chapter, lambda: _sign(chapter, sign.content(chapter, answers))),
        _unless_missing(chapter, lambda: _guide(chapter, guide.content(chapter, answers))),
    )
    return {part: _shown(chapter, part, facts) for part, facts in zip(PARTS, made, strict=True)}


def _unjudged(chapter: Chapter) -> Chapter:
    """Without its requirements, which print nothing; what a payout limit covers is printed, and stands in one."""
    covering = (replace(rule, check="", must=ALWAYS) for rule in chapter.requirements if rule.covers)
    return replace(chapter, requirements=tuple(covering))


def _shown(chapter: Chapter, part: str, facts: Mapping[str, Fact]) -> Shown:
    shows = {key: fact.shows for key, fact in facts.items()}
    return Shown(part, digest({"chapter": chapter.number, "part": part, "shows": shows}), facts)


def _layout(chapter: Chapter, answers: Answers, odds_repeated: bool) -> Iterator[Keyed]:
    for one in required(chapter, answers):
        if one.kind != SIGN:
            yield f"{ELEMENT}{one.key}", _element(one)
        if one.kind != SIGN or odds_repeated:
            yield from (_odds(chapter, odds) for odds in one.odds)


def _element(one: Required) -> Fact:
    said = one.phrases or ((one.suggested,) if one.suggested else ())
    return Fact(one.element, " or ".join(map(_quoted, said)), one.citation, (one.kind, one.times, *said))


def _odds(chapter: Chapter, odds: Odds) -> Keyed:
    rows = tuple(tuple(row) for row in odds.rows)
    if odds.table == STATED:
        sentence = words.stated(chapter, odds.wager)
        at = sentence.citation if sentence else ""
        said = "; ".join(f"{outcome} {pays}" for outcome, _, pays in rows)
        return f"stated.{odds.wager}", Fact(_bare(odds.wager_name), said, at, rows)
    at = chapter.paytable(odds.wager, odds.table).citation
    return f"odds.{odds.wager}", Fact(_bare(odds.wager_name), _table(odds.table), at, rows)


def _sign(chapter: Chapter, content: Content) -> dict[str, Fact]:
    boards = [paid for column in content["columns"] for paid in column]
    return dict(
        [
            ("title", _title(chapter)),
            *(_fixed(paid) for paid in content["fixed"]),
            *(row for paid in boards for row in _board(paid)),
            *_limit(content["limit"]),
            *_sentences("notice", "Notice", content["notices"]),
            *_sentences("missing", "Not for the floor", [(content["missing"], _whole(chapter))]),
        ]
    )


def _guide(chapter: Chapter, content: Content) -> dict[str, Fact]:
    """With its section in what each fact shows, as the guide prints it."""
    facts = [
        ("title", _title(chapter)),
        *_sentences("object", "The object", [_cited(content["object"])]),
        *_sentences("step", "A round of play", map(_cited, content["steps"])),
        *(row for paid in content["wagers"] for row in _wager(paid)),
        *_limit(content["limit"]),
        *_sentences("notice", "Notice", content["notices"]),
        *_sentences("option", "At this table", content["at_this_table"]),
    ]
    return {key: replace(fact, shows=(*fact.shows, fact.citation)) for key, fact in facts}


def _unless_missing(chapter: Chapter, made: Callable[[], dict[str, Fact]]) -> dict[str, Fact]:
    """The facts of a paper; one alone that says so, the same for all answers, where it cannot be drawn."""
    try:
        return made()
    except GuideMissing as missing:
        return {"missing": Fact("The paper", str(missing), _whole(chapter), ())}


def _title(chapter: Chapter) -> Fact:
    return Fact("The game", chapter.title, _whole(chapter), (chapter.title,))


def _whole(chapter: Chapter) -> str:
    return f"Chapter {chapter.number}"


def _wager(paid: Paid) -> Iterator[Keyed]:
    subject = f"{_bare(paid.name)}, how much and when"
    yield f"wager.{paid.wager}", Fact(subject, paid.size, paid.citation, (paid.name, paid.size, paid.optional))
    if paid.fixed:
        yield _fixed(paid)
    if paid.table:
        yield from _board(paid)


def _fixed(paid: Paid) -> Keyed:
    at = ", ".join(dict.fromkeys(paid.fixed_at)) or paid.citation
    return f"fixed.{paid.wager}", Fact(_bare(paid.name), paid.fixed, at, (paid.name, paid.fixed))


def _board(paid: Paid) -> Iterator[Keyed]:
    """A paytable, and the bet and meter beneath it."""
    if table := paid.table:
        subject, shows = _bare(paid.name), (paid.name, table.columns, table.rows)
        yield f"odds.{paid.wager}", Fact(subject, _table(table.name), table.citation, shows)
        for name, value in table.facts:
            said = Fact(f"{subject}, {name[:1].lower()}{name[1:]}", value, table.citation, (name, value))
            yield f"beneath.{paid.wager}.{name}", said


def _limit(limit: Limit | None) -> Iterator[Keyed]:
    if not limit:
        return
    yield "limit", Fact("Payout limit", limit.amount, limit.citation, (limit.amount,))
    if limit.covers:
        yield "limit.covers", Fact("Payout limit, for", ", ".join(limit.covers), limit.citation, limit.covers)
    if limit.leaves_out:
        said = "; ".join(limit.leaves_out)
        yield "limit.leaves_out", Fact("Payout limit, not including", said, limit.citation, limit.leaves_out)


def _sentences(kind: str, subject: str, said: Iterable[tuple[str, str]]) -> Iterator[Keyed]:
    """Facts that are known by their words and their sections."""
    for text, at in said:
        if text:
            yield f"{kind}.{at}.{text}", Fact(subject, _quoted(text), at, (text,))


def _cited(sentence: tuple[str, Sequence[str]]) -> tuple[str, str]:
    text, at = sentence
    return text, ", ".join(dict.fromkeys(at))


def _bare(wager: str) -> str:
    return wager.removesuffix(" Wager")


def _table(name: str) -> str:
    return f"paytable {name.removeprefix('Paytable').strip()}".strip()


def _quoted(text: str) -> str:
    return f"“{text}”"
