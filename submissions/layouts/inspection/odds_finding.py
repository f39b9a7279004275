"""The element of a layout that posts the odds: its finding, from the comparison of the rows."""

from collections.abc import Sequence
from dataclasses import replace

from submissions.layouts.element_status import ElementStatus
from submissions.layouts.inspection.findings import ElementFinding, drawing_says
from submissions.layouts.inspection.odds_comparison import OddsComparison, OddsResult
from submissions.layouts.inspection.table_outline import OFF_TABLE, TableOutline
from submissions.layouts.required_elements import RequiredElement

_FOREIGN_HEADING = "The row “{}” is under the heading of another wager."


def odds_finding(
    element: RequiredElement, result: OddsResult, odds: OddsComparison, outline: TableOutline, unsure: Sequence[str]
) -> ElementFinding:
    """`unsure`: odds in recognized letters that belong to no row chosen."""
    finding = ElementFinding(element, result.status, result.places, len(result.places))
    if finding.status == ElementStatus.TO_BE_JUDGED:
        return replace(finding, explanation=result.explanation)
    explanation = _doubt(odds, outline, unsure) if finding.status == ElementStatus.PRESENT else ""
    return replace(finding, status=ElementStatus.TO_BE_JUDGED, explanation=explanation) if explanation else finding


def _doubt(odds: OddsComparison, outline: TableOutline, unsure: Sequence[str]) -> str:
    """Why a person must judge odds that are all printed; "" if nothing is doubtful."""
    if columns := odds.columns_without_heading:
        return f"No headings say which figures are {' and which are '.join(f'“{name}”' for name in columns)}."
    if foreign := odds.under_foreign_heading:
        return _FOREIGN_HEADING.format(foreign)
    if outline.excludes(odds.places):
        return OFF_TABLE
    return drawing_says(unsure[0]) if unsure else ""
