"""The sentences of a drawing: lines that continue each other, and the parts of such a text between full stops."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

from submissions.layouts.drawing_model import PagePlace
from submissions.layouts.inspection.drawing_text import DrawingText, LineSegment
from submissions.layouts.inspection.phrases import TokenPlace
from submissions.layouts.inspection.tokens import Token

_WRAPPED = 0.6  # gap between two lines of one sentence, in its letters' height; between two sentences it is wider
_BESIDE = 3.0  # gap between two parts of one line, in the same unit
_LIKE = 1.3  # ratio of the letters' heights of two parts of one text
_STOPS = (".", ";", "!", "?", "•")


def paragraphs(sheet: DrawingText, separate: Collection[int]) -> list[tuple[int, ...]]:
    """The segments that continue each other, in reading order; those in `separate` continue nothing."""
    leader = list(range(len(sheet.segments)))
    for place, next_place in _neighbors(sheet):
        if place not in separate and next_place not in separate:
            leader[_root(leader, next_place)] = _root(leader, place)
    groups: dict[int, list[int]] = defaultdict(list)
    for place in range(len(sheet.segments)):
        if place not in separate:
            groups[_root(leader, place)].append(place)
    return [tuple(group) for group in groups.values()]


def sentences(sheet: DrawingText, paragraph: Sequence[int]) -> Iterator[tuple[TokenPlace, ...]]:
    """The paragraph's tokens, divided where a sentence ends."""
    sentence: list[TokenPlace] = []
    for segment in paragraph:
        line = sheet.segments[segment].tokens
        for place, token in enumerate(line):
            sentence.append((segment, place))
            last_of_word = place + 1 == len(line) or line[place + 1].word is not token.word
            if last_of_word and token.word.text.endswith(_STOPS):
                yield tuple(sentence)
                sentence = []
    if sentence:
        yield tuple(sentence)


def tokens_at(sheet: DrawingText, places: Iterable[TokenPlace]) -> list[Token]:
    return [sheet.segments[segment].tokens[place] for segment, place in places]


def printed_text(sheet: DrawingText, places: Iterable[TokenPlace]) -> str:
    """The words as they are printed."""
    return " ".join(word.text for word in dict.fromkeys(token.word for token in tokens_at(sheet, places)))


def page_place(sheet: DrawingText, places: Iterable[TokenPlace]) -> PagePlace:
    """Where the words are; if they run over pages, those on the first."""
    return PagePlace.of([token.word for token in tokens_at(sheet, places)])


def _root(leader: Sequence[int], place: int) -> int:
    while leader[place] != place:
        place = leader[place]
    return place


def _neighbors(sheet: DrawingText) -> Iterator[tuple[int, int]]:
    """Pairs of segments of which the second continues the first."""
    for place, segment in enumerate(sheet.segments):
        for next_place, gap in ((sheet.below.get(place), _WRAPPED), (sheet.right.get(place), _BESIDE)):
            if next_place is not None and _continues(segment, sheet.segments[next_place], gap):
                yield place, next_place


def _continues(segment: LineSegment, next_segment: LineSegment, gap: float) -> bool:
    small, large = sorted((segment.size, next_segment.size))
    return large <= _LIKE * small and segment.distance(next_segment) <= gap * small
