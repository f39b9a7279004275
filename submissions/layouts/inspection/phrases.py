"""Searching for a phrase: over words in reading order and across lines, or as a label alone in its lines."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice, pairwise
from math import dist
from typing import NamedTuple

from submissions.layouts.drawing_model import PagePlace
from submissions.layouts.inspection.drawing_text import DrawingText
from submissions.layouts.inspection.tokens import Token, matches, same_number

LABEL_SUFFIXES = ("wager", "wagers", "bet", "bets", "area")  # words that may follow a label
_CLOSE = 1.5  # gap between the lines of a label, in its letters' height
_MOST_READINGS = 64  # of a phrase from one place


class Span(NamedTuple):
    """The tokens from `begin` to before `end` of a segment."""

    segment: int
    begin: int
    end: int


Trail = tuple[Span, ...]
TokenPlace = tuple[int, int]  # segment, token
Matching = Callable[[Token, str], bool]  # whether a token is a word of the phrase


def readings(
    sheet: DrawingText, need: Sequence[str], segment: int, begin: int, matching: Matching = matches
) -> Iterator[Trail]:
    """Every reading of the phrase from that place."""
    yield from _walk(sheet, need, matching, 0, Span(segment, begin, begin), ())


def find_phrase(
    sheet: DrawingText, need: Sequence[str], without: Collection[int] = (), matching: Matching = matches
) -> list[Trail]:
    """Each place of the phrase, once, outside the segments of `without`: where its lines are nearest to each other."""
    compact_trails: list[Trail] = []
    for place, segment in enumerate(sheet.segments):
        starts = (begin for begin, token in enumerate(segment.tokens) if need and _may_begin(token, need, matching))
        for begin in starts:
            trails = (trail for trail in readings(sheet, need, place, begin, matching) if avoids(trail, without))
            compact = min(islice(trails, _MOST_READINGS), key=lambda trail: _way(sheet, trail), default=None)
            compact_trails += [compact] if compact else []
    return compact_trails


def find_labels(
    sheet: DrawingText, needs: Iterable[tuple[str, ...]], without: Collection[int] = ()
) -> dict[tuple[str, ...], list[Trail]]:
    """The places where each phrase has lines of its own; “Wager” may follow it.

    A line is part of one label only: of the longer one, then of the one whose other lines are nearer.
    """
    labels: dict[tuple[str, ...], list[Trail]] = {need: [] for need in needs}
    ways = sorted(
        (-len(need), _way(sheet, trail), place, need, trail)
        for need in labels
        for place in range(len(sheet.segments))
        if place not in without
        for trail in islice(_labels(sheet, need, place), _MOST_READINGS)
    )
    taken = set(without)
    for *_, need, trail in ways:
        if avoids(trail, taken):
            labels[need].append(trail)
            taken |= {span.segment for span in trail}
    return {need: sorted(trails) for need, trails in labels.items()}


def _labels(sheet: DrawingText, need: Sequence[str], place: int) -> Iterator[Trail]:
    """Every reading of the phrase alone from that line, its lines close to each other."""
    if need and _may_begin(sheet.segments[place].tokens[0], need):
        for trail in readings(sheet, need, place, 0):
            lines = pairwise(sheet.segments[span.segment] for span in trail)
            close = (line.distance(next_line) < _CLOSE * min(line.size, next_line.size) for line, next_line in lines)
            if fills_its_lines(sheet, trail) and all(close):
                yield trail


def _way(sheet: DrawingText, trail: Trail) -> float:
    segments = [sheet.segments[span.segment] for span in trail]
    return sum(dist(segment.middle, next_segment.middle) for segment, next_segment in pairwise(segments))


def avoids(trail: Trail, taken: Collection[int]) -> bool:
    return all(span.segment not in taken for span in trail)


def fills_its_lines(sheet: DrawingText, trail: Trail, suffixes: Collection[str] = ()) -> bool:
    """Whether the trail fills its lines, except for words that may follow a label, or these suffixes."""
    *before, last = trail
    if last.begin or any(span.begin or span.end < len(sheet.segments[span.segment].tokens) for span in before):
        return False
    rest = sheet.segments[last.segment].tokens[last.end :]
    return all(token.text in LABEL_SUFFIXES or token.text in suffixes for token in rest)


def label_suffix(sheet: DrawingText, trail: Trail) -> Iterator[TokenPlace]:
    """The words that follow a label in its last line, if only such words follow: “Wager”."""
    segment, _, end = trail[-1]
    rest = sheet.segments[segment].tokens[end:]
    if all(token.text in LABEL_SUFFIXES for token in rest):
        yield from ((segment, place) for place in range(end, end + len(rest)))


def place_of(sheet: DrawingText, trail: Trail) -> PagePlace:
    """The place of the trail; if it runs over pages, of its part on the first."""
    return PagePlace.of([token.word for token in tokens_of(sheet, trail)])


def token_places(trail: Trail) -> Iterator[TokenPlace]:
    """The places of the trail's tokens, in its order."""
    return ((span.segment, place) for span in trail for place in range(span.begin, span.end))


def tokens_of(sheet: DrawingText, trail: Trail) -> Iterator[Token]:
    """The tokens of the trail, in its order."""
    return (sheet.segments[segment].tokens[place] for segment, place in token_places(trail))


def _may_begin(token: Token, need: Sequence[str], matching: Matching = matches) -> bool:
    begins = need[0].startswith(token.text) or token.text.startswith(need[0])
    return begins or matching(token, need[0]) or (len(need) > 1 and same_number(token, need[0]))


def _walk(
    sheet: DrawingText, need: Sequence[str], matching: Matching, done: int, span: Span, trail: Trail
) -> Iterator[Trail]:
    if done == len(need):
        yield (*trail, span)
        return
    here = sheet.segments[span.segment].tokens[span.end :]
    for wanted, read in _steps(need[done:], here, matching, alone=len(need) == 1):
        yield from _walk(sheet, need, matching, done + wanted, span._replace(end=span.end + read), trail)
    used = {part.segment for part in trail} | {span.segment}
    next_places = [place for place in sheet.after(span.segment) if place not in used] if len(here) < 2 else []
    for place in next_places:
        if not here:
            yield from _walk(sheet, need, matching, done, Span(place, 0, 0), (*trail, span))
        elif here[0].broken and here[0].text + sheet.segments[place].tokens[0].text == need[done]:
            ended = span._replace(end=span.end + 1)
            yield from _walk(sheet, need, matching, done + 1, Span(place, 0, 1), (*trail, ended))


def _steps(need: Sequence[str], here: Sequence[Token], matching: Matching, *, alone: bool) -> Iterator[tuple[int, int]]:
    """(words of the phrase, matching tokens): one for one, one written as two, or two as one (“All Six”, “Allsix”).

    `alone`: a phrase of one word, of which a numeral (“6” for “Six”) may be something else.
    """
    if not here:
        return
    if matching(here[0], need[0]) or (not alone and same_number(here[0], need[0])):
        yield 1, 1
    elif len(here) > 1 and need[0].isalpha() and here[0].text + here[1].text == need[0]:
        yield 1, 2
    elif len(need) > 1 and here[0].text.isalpha() and here[0].text == need[0] + need[1]:
        yield 2, 1
