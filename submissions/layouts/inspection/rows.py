"""The rows of odds that a drawing prints: an outcome, and what it pays, beside it or at the end of its line."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from submissions.layouts.inspection.amounts import amounts, ends
from submissions.layouts.inspection.headings import Heading, heading_of
from submissions.layouts.inspection.letters import Token
from submissions.layouts.inspection.phrases import Span, Trail, follow, place_of
from submissions.layouts.inspection.results import Place
from submissions.layouts.inspection.sheet import Piece, Sheet


@dataclass(frozen=True, slots=True)
class Printed:
    """`outcome` as tokens, `cells` in one writing, `words` as the drawing has them; `pieces` that it stands in."""

    outcome: tuple[str, ...]
    cells: tuple[str, ...]
    words: str
    place: Place
    pieces: frozenset[int]
    heading: Heading | None


def printed_rows(
    sheet: Sheet, outcomes: Collection[tuple[str, ...]], heads: Collection[Heading]
) -> tuple[Printed, ...]:
    """Every row with one of the outcomes; a longer outcome before a shorter one that is its end."""
    near = {heading.piece: heading for heading in heads}
    taken: set[tuple[int, int]] = set()
    found = []
    for outcome in sorted(set(outcomes), key=lambda one: (-len(one), one)):
        for row, trail in _rows(sheet, outcome, near):
            tokens = {(span.piece, token) for span in trail for token in range(span.begin, span.end)}
            if not tokens & taken:
                taken |= tokens
                found.append(row)
    return tuple(found)


def _rows(sheet: Sheet, outcome: tuple[str, ...], near: Mapping[int, Heading]) -> Iterator[tuple[Printed, Trail]]:
    for place, piece in enumerate(sheet.pieces):
        for begin in _starts(piece):
            for trail in follow(sheet, outcome, place, begin):
                cells = _cells(sheet, trail)
                if cells:
                    yield _printed(sheet, outcome, trail, cells, near), trail
                    break


def _starts(piece: Piece) -> Iterator[int]:
    """Where an outcome may begin: with the line, or behind what the one before it pays."""
    texts = [token.text for token in piece.tokens]
    yield 0
    yield from (end for end in ends(texts) if end < len(texts))


def _cells(sheet: Sheet, trail: Trail) -> Trail:
    """The tokens that say what the outcome pays: behind its last word or, of one in several lines, beside another."""
    last = _behind(sheet, trail[-1])
    beside = [_behind(sheet, span) for span in trail[:-1]]
    said = [one for one in (*beside, last) if one]
    return said[0] if len(said) == 1 else ()


def _behind(sheet: Sheet, span: Span) -> Trail:
    """The cells behind a part of an outcome, in its line and in those pieces beside it that are nothing else."""
    texts = [token.text for token in sheet.pieces[span.piece].tokens]
    cells, length = amounts(texts[span.end :])
    if cells:
        here: Trail = (Span(span.piece, span.end, span.end + length),)
        return here + _beside(sheet, span.piece) if span.end + length == len(texts) else here
    return _beside(sheet, span.piece) if span.end == len(texts) else ()


def _beside(sheet: Sheet, piece: int) -> Trail:
    found: Trail = ()
    following = sheet.right.get(piece)
    while following is not None:
        texts = [token.text for token in sheet.pieces[following].tokens]
        cells, length = amounts(texts)
        if length < len(texts):
            return found
        found += (Span(following, 0, length),) if cells else ()
        following = sheet.right.get(following)
    return found


def _printed(
    sheet: Sheet, outcome: tuple[str, ...], trail: Trail, cells: Trail, near: Mapping[int, Heading]
) -> Printed:
    pieces = frozenset(span.piece for span in (*trail, *cells))
    extent = _extent([sheet.pieces[piece] for piece in pieces])
    return Printed(
        outcome=outcome,
        cells=tuple(cell for span in cells for cell in amounts(_texts(sheet, span))[0]),
        words=" ".join(word.text for word in dict.fromkeys(token.word for token in _tokens(sheet, cells))).strip(
            " .,;"
        ),
        place=place_of(sheet, (*trail, *cells)),
        pieces=pieces,
        heading=heading_of(sheet, extent, near),
    )


def _extent(pieces: Sequence[Piece]) -> Piece:
    """The whole row, as if it were one piece."""
    first = pieces[0]
    return replace(
        first,
        left=min(piece.left for piece in pieces),
        top=min(piece.top for piece in pieces),
        right=max(piece.right for piece in pieces),
        bottom=max(piece.bottom for piece in pieces),
    )


def _tokens(sheet: Sheet, trail: Trail) -> Iterator[Token]:
    return (token for span in trail for token in sheet.pieces[span.piece].tokens[span.begin : span.end])


def _texts(sheet: Sheet, span: Span) -> list[str]:
    return [token.text for token in _tokens(sheet, (span,))]
