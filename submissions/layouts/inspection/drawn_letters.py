"""Lines that may be letters: several of one height beside each other, which no text of the drawing accounts for."""

from collections.abc import Iterator

from submissions.layouts.drawing_model import PagePlace
from submissions.layouts.inspection.drawing_text import DrawingText
from submissions.layouts.inspection.findings import Difference, DifferenceKind

_HIGH = 0.06  # of the page's height, at most
_NARROW = 1.5  # of a letter's height: it is not wider
_LIKE = 0.1  # of the height, by which heights and tops of two letters may differ
_GAP = 1.5  # of the height, between two letters
_MAY_BE_LETTERS = (
    "The lines here may be letters, but the file has no text for them. "
    "Print them as text, or explain in the Note to the Board what they are. The Board decides."
)


def drawn_letters(sheet: DrawingText, citation: str) -> Iterator[Difference]:
    """A difference at the first of each group of such lines."""
    lines = sorted((line for line in sheet.lines if _is_letter(sheet, line)), key=lambda line: line.box.left)
    named: set[int] = set()
    for number, line in enumerate(lines):
        partners = [later for later in lines[number + 1 :] if _is_next_to(sheet, line, later)]
        if partners and id(line) not in named:
            yield Difference(DifferenceKind.UNEXPLAINED, _MAY_BE_LETTERS, citation, "", line)
        named |= {id(partner) for partner in partners}


def _is_letter(sheet: DrawingText, line: PagePlace) -> bool:
    wide, high = line.box.width * sheet.pages[line.page].width, line.box.height * sheet.pages[line.page].height
    return line.box.height < _HIGH and wide < _NARROW * high


def _is_next_to(sheet: DrawingText, line: PagePlace, later: PagePlace) -> bool:
    """Whether the second is in the first one's row, a letter's height to the right."""
    high = line.box.height
    alike = abs(later.box.height - high) < _LIKE * high and abs(later.box.top - line.box.top) < _LIKE * high
    page = sheet.pages[line.page]
    gap = (later.box.left - line.box.left - line.box.width) * page.width
    return line.page == later.page and alike and 0 < gap < _GAP * high * page.height
