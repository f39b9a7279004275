"""The reference layout of a chapter where its text leaves it open: shapes of wagers and card spots.

They come from `drawing.toml` beside the folders, and the chapter's own.

Beside the folders, for all chapters:

    kinds   the shape of each kind of wager: main, later (it belongs to another wager), bonus (optional), progressive
    wagers  by the key of a wager: the shape, if it is not that of its kind

In the chapter's folder, only where something differs or cards have spots:

    shapes  as `wagers`, for this chapter
    spot    place (player, dealer), element (“The player's two cards”), label, citation; `condition` as in `layout.toml`

A spot is refused whose number of cards the cited section does not have. Not here: the required elements
(`model.LayoutElement`), drawing them.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from games.rules.files import DRAWING, TOP, Fields, label, read_toml, shared_file
from games.rules.model import ALWAYS, Chapter, Citation, Condition, Wager
from games.rules.words import word_files

SHAPES = ("circle", "square", "diamond", "hexagon", "oval")
Place = Literal["player", "dealer"]
PLACES: tuple[str, ...] = get_args(Place)


@dataclass(frozen=True, slots=True)
class CardSpot:
    """A place for cards that the text deals and the layout need not show; `element` has their number, in words."""

    place: Place
    element: str
    label: str
    citation: Citation
    condition: Condition = ALWAYS


@dataclass(frozen=True, slots=True)
class DrawingStyle:
    """The shape of each wager's areas, by the wager's key, and the card spots."""

    shapes: Mapping[str, str]
    spots: tuple[CardSpot, ...]


_REMARK = re.compile(r"\[[^\]]*\]")  # what `text.md` adds to the regulation
KINDS = ("main", "later", "bonus", "progressive")


def load_drawing_style(chapter: Chapter) -> DrawingStyle:
    """Return the style in which the chapter's layout is drawn; `RuleError` if a file does not fit it."""
    source = word_files(chapter)
    shared = shared_file(source.folder, DRAWING)
    top = Fields(label(shared), TOP, read_toml(shared))
    kinds = top.inner("kinds")
    by_kind = {kind: kinds.one_of(kind, SHAPES) for kind in KINDS}
    kinds.refuse_unknown()
    by_wager = _shapes(top.inner("wagers", {}))
    top.refuse_unknown()
    own, spots = _own(chapter, source.folder / DRAWING)
    shapes = {wager.key: by_wager.get(wager.key, by_kind[_kind(wager)]) for wager in chapter.wagers}
    return DrawingStyle(shapes | own, spots)


def _kind(wager: Wager) -> str:
    if wager.progressive:
        return "progressive"
    if wager.part_of:
        return "later"
    return "bonus" if wager.offered_by else "main"


def _own(chapter: Chapter, file: Path) -> tuple[dict[str, str], tuple[CardSpot, ...]]:
    if not file.exists():
        return {}, ()
    top = Fields(label(file), TOP, read_toml(file), chapter.number, chapter.sections)
    shapes = top.inner("shapes", {})
    own = _shapes(shapes)
    shapes.names("the wager", own, chapter.wager_keys)
    spots = top.each("spot", lambda row: _spot(row, chapter))
    top.refuse_unknown()
    return own, spots


def _shapes(table: Fields) -> dict[str, str]:
    return {key: table.one_of(key, SHAPES) for key in table.table}


def _spot(row: Fields, chapter: Chapter) -> CardSpot:
    spot = row.record(CardSpot)
    counted = " ".join(spot.element.split()[-2:])  # “two cards”
    if counted not in _REMARK.sub("", chapter.sections[spot.citation]):
        row.refuse(f"`element` is {spot.element!r}, but {spot.citation} does not have “{counted}”")
    row.names("the option", spot.condition.options(), chapter.option_keys)
    return spot
