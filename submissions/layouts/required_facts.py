"""The facts that layout, payout sign and guide must show, and the parts that a change makes stale, with the reasons.

They are equal for all licensees, tables and days. Each part has a digest of them. Not here: the papers themselves
(`reference_drawing`, `paper_content`), which are filed or approved (`readiness`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from games.registry import words as words_of
from games.rules.model import ALWAYS, Answers, Chapter
from submissions.core.digests import digest
from submissions.layouts.paper_content import (
    GuideMissing,
    PayoutLimit,
    WagerDisplay,
    guide_content,
    payout_sign_content,
)
from submissions.layouts.required_elements import STATED_ODDS, PostedOdds, required_elements
from submissions.models import Part

ELEMENT = "element."  # begins the key of an element of the layout
SIGN = "sign"  # the kind of an element that is posted at the table, not on the layout
Content = Mapping[str, Any]
Keyed = tuple[str, "Fact"]


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact of a paper: `subject` and `words` make a sentence; it is equal to another one that `shows` the same."""

    subject: str
    words: str
    citation: str
    shows: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class PartFacts:
    """The facts of a part by a permanent key, in the order of the paper, and the SHA-256 of their content."""

    digest: str
    facts: Mapping[str, Fact]


def facts_shown(chapter: Chapter, answers: Answers, *, odds_repeated: bool = True) -> dict[Part, PartFacts]:
    """Return the facts of each part; odds are also the layout's, unless its drawing prints none (`odds_repeated`)."""
    # Without its requirements, which print nothing, but with the scope of a payout limit.
    covering = (replace(rule, check="", must=ALWAYS) for rule in chapter.requirements if rule.covers)
    chapter = replace(chapter, requirements=tuple(covering))
    try:
        guide = _guide(chapter, guide_content(chapter, answers))
    except GuideMissing as missing:  # a single fact, the same for all answers
        guide = {"missing": Fact("The paper", str(missing), _chapter_citation(chapter), ())}
    made = {
        Part.LAYOUT: dict(_layout(chapter, answers, odds_repeated)),
        Part.SIGN: dict(_sign(chapter, payout_sign_content(chapter, answers))),
        Part.GUIDE: guide,
    }
    part_facts = {}
    for part, facts in made.items():
        shows = {key: fact.shows for key, fact in facts.items()}
        part_facts[part] = PartFacts(digest({"chapter": chapter.number, "part": part.value, "shows": shows}), facts)
    return part_facts


def _layout(chapter: Chapter, answers: Answers, odds_repeated: bool) -> Iterator[Keyed]:
    for element in required_elements(chapter, answers):
        if element.kind != SIGN:
            shows = (element.kind, element.times, *element.texts)
            words = " or ".join(map(_quoted, element.texts))
            yield f"{ELEMENT}{element.key}", Fact(element.element, words, element.citation, shows)
        if element.kind != SIGN or odds_repeated:
            yield from (_odds(chapter, odds) for odds in element.odds)


def _odds(chapter: Chapter, odds: PostedOdds) -> Keyed:
    rows = tuple(tuple(row) for row in odds.rows)
    if odds.table == STATED_ODDS:
        sentence = words_of(chapter).labels.odds.get(odds.wager)
        at = sentence.citation if sentence else ""
        said = "; ".join(f"{outcome} {pays}" for outcome, _, pays in rows)
        return f"stated.{odds.wager}", Fact(_bare(odds.wager_name), said, at, rows)
    at = chapter.paytable(odds.wager, odds.table).citation
    return f"odds.{odds.wager}", Fact(_bare(odds.wager_name), _table(odds.table), at, rows)


def _sign(chapter: Chapter, content: Content) -> Iterator[Keyed]:
    yield "title", _title(chapter)
    yield from map(_fixed, content["fixed"])
    yield from (row for column in content["columns"] for wager in column for row in _paytable(wager))
    yield from _limit(content["limit"])
    yield from _sentences("notice", "Notice", content["notices"])
    yield from _not_cleared_for_play(chapter, content)


def _guide(chapter: Chapter, content: Content) -> dict[str, Fact]:
    """Return the facts of the guide, each with its section, as the guide prints it."""
    facts = [
        ("title", _title(chapter)),
        *_sentences("object", "The object", [_cited(content["object"])]),
        *_sentences("step", "A round of play", map(_cited, content["steps"])),
        *(row for wager in content["wagers"] for row in _wager(wager)),
        *_limit(content["limit"]),
        *_sentences("notice", "Notice", content["notices"]),
        *_sentences("option", "At this table", content["at_this_table"]),
        *_not_cleared_for_play(chapter, content),
    ]
    return {key: replace(fact, shows=(*fact.shows, fact.citation)) for key, fact in facts}


def _not_cleared_for_play(chapter: Chapter, content: Content) -> Iterator[Keyed]:
    why = content["not_cleared_for_play"]
    return _sentences("missing", "Not cleared for play", [(why, _chapter_citation(chapter))])


def _title(chapter: Chapter) -> Fact:
    return Fact("The game", chapter.title, _chapter_citation(chapter), (chapter.title,))


def _chapter_citation(chapter: Chapter) -> str:
    return f"Chapter {chapter.number}"


def _wager(wager: WagerDisplay) -> Iterator[Keyed]:
    subject = f"{_bare(wager.name)}, how much and when"
    yield f"wager.{wager.wager}", Fact(subject, wager.size, wager.citation, (wager.name, wager.size, wager.optional))
    if wager.fixed:
        yield _fixed(wager)
    if wager.table:
        yield from _paytable(wager)


def _fixed(wager: WagerDisplay) -> Keyed:
    at = ", ".join(dict.fromkeys(wager.fixed_at)) or wager.citation
    return f"fixed.{wager.wager}", Fact(_bare(wager.name), wager.fixed, at, (wager.name, wager.fixed))


def _paytable(wager: WagerDisplay) -> Iterator[Keyed]:
    """Yield a paytable, and the bet and meter beneath it."""
    if table := wager.table:
        subject, shows = _bare(wager.name), (wager.name, table.columns, table.rows)
        yield f"odds.{wager.wager}", Fact(subject, _table(table.name), table.citation, shows)
        for name, value in table.facts:
            said = Fact(f"{subject}, {name[:1].lower()}{name[1:]}", value, table.citation, (name, value))
            yield f"beneath.{wager.wager}.{name}", said
        yield from _sentences(f"beneath.{wager.wager}", subject, ((words, table.citation) for words in table.beneath))


def _limit(limit: PayoutLimit | None) -> Iterator[Keyed]:
    if not limit:
        return
    yield "limit", Fact("Payout limit", limit.amount, limit.citation, (limit.amount,))
    if limit.covers:
        yield "limit.covers", Fact("Payout limit, for", ", ".join(limit.covers), limit.citation, limit.covers)
    if limit.leaves_out:
        said = "; ".join(limit.leaves_out)
        yield "limit.leaves_out", Fact("Payout limit, not including", said, limit.citation, limit.leaves_out)


def _sentences(kind: str, subject: str, said: Iterable[tuple[str, str]]) -> Iterator[Keyed]:
    """Yield facts whose keys are their words and sections."""
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


PAYTABLE = "paytable "
SHOWN_BY_SIGN = 3  # a paytable on a sign: its name, columns and rows


@dataclass(frozen=True, slots=True)
class UpdateReason:
    """A part that must be updated; `why`: a sentence for each fact that changed, in the order of the paper."""

    part: Part
    why: tuple[str, ...]


def updates_required(
    chapter: Chapter,
    before: Answers,
    after: Answers,
    *,
    odds_repeated: bool = True,
    chapter_before: Chapter | None = None,
) -> tuple[UpdateReason, ...]:
    """Return the parts that must be updated, in the order of `Part`; `odds_repeated` as in `facts_shown`.

    `chapter_before`: the chapter on the day of the answers before, where it is another one.
    """
    was = facts_shown(chapter_before or chapter, before, odds_repeated=odds_repeated)
    now = facts_shown(chapter, after, odds_repeated=odds_repeated)
    changed = [part for part in Part if was[part].digest != now[part].digest]
    return tuple(UpdateReason(part, tuple(_why(was[part].facts, now[part].facts))) for part in changed)


def updates_by_rules(before: Chapter, after: Chapter, answers: Answers) -> list[tuple[UpdateReason, ...]]:
    """Return the parts to update after a change of the rules: if the layout prints no odds, and if it repeats them."""
    return [
        updates_required(after, answers, answers, odds_repeated=odds, chapter_before=before) for odds in (False, True)
    ]


def _why(was: Mapping[str, Fact], now: Mapping[str, Fact]) -> Iterator[str]:
    removed = {key: fact for key, fact in was.items() if key not in now}
    for key, fact in now.items():
        old = was[key] if key in was else _replaced(fact, removed)
        if old is None:
            yield _alone(key, fact, "now")
        elif old.shows != fact.shows:
            # the second of two paytables by its name without “paytable”
            new = fact.words.removeprefix(PAYTABLE) if old.words.startswith(PAYTABLE) else fact.words
            changed = "; ".join(_rows(old, fact)) if old.words == fact.words else ""
            yield f"{fact.subject}: {changed or f'{_ended(old.words)} → {_ended(new)}'}, {fact.citation}"
    yield from (_alone(key, fact, "no longer") for key, fact in removed.items())


def _rows(old: Fact, new: Fact) -> Iterator[str]:
    """Yield the rows of a paytable that changed under the same name: “Three-of-a-Kind 6 to 1 → 5 to 1”."""
    was, now = (_printed_rows(fact.shows) for fact in (old, new))
    for outcome in dict.fromkeys((*now, *was)):
        if was.get(outcome) != now.get(outcome):
            yield f"{outcome} {was.get(outcome, 'no such row')} → {now.get(outcome, 'no such row')}"


def _printed_rows(shows: tuple[Any, ...]) -> dict[str, str]:
    """Return payouts by outcome: of a sign's (name, columns, rows), or of a felt's (outcome, column, payout) rows."""
    of_sign = len(shows) >= SHOWN_BY_SIGN and isinstance(shows[0], str) and isinstance(shows[2], tuple)
    rows, cells = shows[2] if of_sign else shows, dict[str, list[str]]()
    for row in rows:
        if isinstance(row, tuple):
            cells.setdefault(str(row[0]), []).append((" / " if of_sign else " ").join(filter(None, row[1:])))
    return {outcome: ", ".join(pays) for outcome, pays in cells.items()}


def _replaced(fact: Fact, removed: dict[str, Fact]) -> Fact | None:
    """Return the removed fact of the same subject and section, which is then no longer counted as removed."""
    for key, old in removed.items():
        if (old.subject, old.citation) == (fact.subject, fact.citation):
            return removed.pop(key)
    return None


def _alone(key: str, fact: Fact, when: str) -> str:
    """Return a fact of only one of the two configurations."""
    if key.startswith(ELEMENT):
        return f"{fact.subject}: {when} called for, {fact.citation}"
    return f"{fact.subject}: {_ended(fact.words)} ({when} shown), {fact.citation}"


def _ended(words: str) -> str:
    """Remove the period, since the sentence continues."""
    return f"{words[:-2]}”" if words.endswith(".”") else words.removesuffix(".")
