"""Searching for a phrase: over words in the order of reading and across lines, or as a label that stands alone."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice, pairwise
from math import dist
from typing import NamedTuple

from submissions.layouts.inspection.letters import Token, same
from submissions.layouts.inspection.results import Place
from submissions.layouts.inspection.sheet import Sheet

ADDED = ("wager", "wagers", "bet", "bets", "area")  # what a label may say besides
_CLOSE = 1.5  # room between the lines of a label, in its letters' height
_WAYS = 64  # in which a phrase is read from one place


class Span(NamedTuple):
    """The tokens from `begin` to before `end` of a piece."""

    piece: int
    begin: int
    end: int


Trail = tuple[Span, ...]


def follow(sheet: Sheet, need: Sequence[str], piece: int, begin: int) -> Iterator[Trail]:
    """Every way in which the phrase stands from there."""
    yield from _walk(sheet, need, 0, Span(piece, begin, begin), ())


def anywhere(sheet: Sheet, need: Sequence[str], without: Collection[int] = ()) -> list[Trail]:
    """Where the phrase stands, each place once, not in the pieces left out."""
    found: list[Trail] = []
    for place, piece in enumerate(sheet.pieces):
        starts = (begin for begin, token in enumerate(piece.tokens) if need and _may_begin(token, need))
        for begin in starts:
            trail = nearest(sheet, (one for one in follow(sheet, need, place, begin) if clear(one, without)))
            found += [trail] if trail else []
    return found


def alone(
    sheet: Sheet, needs: Iterable[tuple[str, ...]], without: Collection[int] = ()
) -> dict[tuple[str, ...], list[Trail]]:
    """Where each phrase stands in lines of its own; “Wager” may follow it.

    A line is part of one label only: of the longer one, and of that whose other lines are nearer.
    """
    found: dict[tuple[str, ...], list[Trail]] = {need: [] for need in needs}
    ways = sorted(
        (-len(need), _way(sheet, trail), place, need, trail)
        for need in found
        for place in range(len(sheet.pieces))
        if place not in without
        for trail in islice(_labels(sheet, need, place), _WAYS)
    )
    taken = set(without)
    for *_, need, trail in ways:
        if clear(trail, taken):
            found[need].append(trail)
            taken |= {span.piece for span in trail}
    return {need: sorted(trails) for need, trails in found.items()}


def _labels(sheet: Sheet, need: Sequence[str], place: int) -> Iterator[Trail]:
    """Every way in which the phrase stands alone from that line, its lines close to each other."""
    if need and _may_begin(sheet.pieces[place].tokens[0], need):
        trails = follow(sheet, need, place, 0)
        yield from (trail for trail in trails if whole(sheet, trail) and _close(sheet, trail))


def _close(sheet: Sheet, trail: Trail) -> bool:
    pieces = [sheet.pieces[span.piece] for span in trail]
    return all(one.apart(other) < _CLOSE * min(one.size, other.size) for one, other in pairwise(pieces))


def nearest(sheet: Sheet, trails: Iterable[Trail]) -> Trail | None:
    """Of several ways to read a phrase over lines, that whose lines are nearest to each other."""
    return min(islice(trails, _WAYS), key=lambda trail: _way(sheet, trail), default=None)


def _way(sheet: Sheet, trail: Trail) -> float:
    pieces = [sheet.pieces[span.piece] for span in trail]
    return sum(dist(one.middle, other.middle) for one, other in pairwise(pieces))


def clear(trail: Trail, taken: Collection[int]) -> bool:
    return all(span.piece not in taken for span in trail)


def whole(sheet: Sheet, trail: Trail, added: Collection[str] = ADDED) -> bool:
    """Whether the trail fills its lines, but for words that may be added at its end."""
    *before, last = trail
    if last.begin or any(span.begin or span.end < len(sheet.pieces[span.piece].tokens) for span in before):
        return False
    return all(token.text in added for token in sheet.pieces[last.piece].tokens[last.end :])


def place_of(sheet: Sheet, trail: Trail) -> Place:
    """Where it stands; of one that runs over pages, its part on the first."""
    words = [token.word for span in trail for token in sheet.pieces[span.piece].tokens[span.begin : span.end]]
    page, box = words[0].page, words[0].box
    for word in words[1:]:
        box = box.joined(word.box) if word.page == page else box
    return Place(page, box)


def _may_begin(token: Token, need: Sequence[str]) -> bool:
    return same(token, need[0]) or need[0].startswith(token.text) or token.text.startswith(need[0])


def _walk(sheet: Sheet, need: Sequence[str], done: int, span: Span, trail: Trail) -> Iterator[Trail]:
    if done == len(need):
        yield (*trail, span)
        return
    here = sheet.pieces[span.piece].tokens[span.end :]
    for wanted, read in _steps(need[done:], here):
        yield from _walk(sheet, need, done + wanted, span._replace(end=span.end + read), trail)
    used = {one.piece for one in trail} | {span.piece}
    following = [place for place in sheet.after(span.piece) if place not in used] if len(here) < 2 else []
    for place in following:
        if not here:
            yield from _walk(sheet, need, done, Span(place, 0, 0), (*trail, span))
        elif here[0].broken and here[0].text + sheet.pieces[place].tokens[0].text == need[done]:
            ended = span._replace(end=span.end + 1)
            yield from _walk(sheet, need, done + 1, Span(place, 0, 1), (*trail, ended))


def _steps(need: Sequence[str], here: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """How many wanted words the next ones are: one for one; or one written as two, two as one (“All Six”, “Allsix”)."""
    if not here:
        return
    if same(here[0], need[0]):
        yield 1, 1
    elif len(here) > 1 and need[0].isalpha() and here[0].text + here[1].text == need[0]:
        yield 1, 2
    elif len(need) > 1 and here[0].text.isalpha() and here[0].text == need[0] + need[1]:
        yield 2, 1
