"""The outline of the table on a drawing: what is printed outside it is on the paper around, not on the layout."""

from collections.abc import Sequence

from submissions.layouts.drawing_model import PagePlace
from submissions.layouts.inspection.drawing_text import DrawingText, holds

OFF_TABLE = "It is outside the outline of the table, not on the layout."


class TableOutline:
    """The large figures of a drawing, if all betting areas are in one of them; else nothing is outside."""

    def __init__(self, sheet: DrawingText, areas: Sequence[PagePlace]) -> None:
        figures = sheet.large_figures
        is_known = areas and any(all(holds(figure, place) for place in areas) for figure in figures)
        self.figures = figures if is_known else []

    def excludes(self, shown: Sequence[Sequence[PagePlace]]) -> bool:
        """Whether one of these, each with its places, is outside at all of them."""
        return bool(self.figures) and any(places and not any(map(self._is_inside, places)) for places in shown)

    def _is_inside(self, place: PagePlace) -> bool:
        return any(holds(figure, place) for figure in self.figures)
