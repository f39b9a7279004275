"""Figures of a filed configuration for a Board's mathematician, and its par sheet as PDF and workbook.

Whether a table's month is unusual, the expected loss per hour, the jackpots. Everything follows from the filing's
frozen analysis; the PDF is made by a job, as drafts are. Anyone who may see the submission may see it.
"""

from fractions import Fraction
from typing import Any

from django import forms
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse

from games.runs.board_figures import MOST_ROUNDS, HoldSpread, hold_spread, jackpots, unusual_sentences
from submissions.bulk.par_workbook import par_workbook
from submissions.bulk.sheet_files import XLSX
from submissions.documents.context_evidence import dollars, percent
from submissions.documents.document_record import Fields, document_record
from submissions.documents.pages import WantedPdf, pdf_response
from submissions.documents.par_sheet import interval_rows, jackpot_row, par_content, wager_rows
from submissions.filings.evidence.charts import interval_svg
from submissions.layouts.draft_queue import PAR_SHEET, DraftSubject, draft_pdf
from submissions.models import Job, Submission
from submissions.web.access_gate import person_of, submission_of
from submissions.web.forms import PageForm, render_form
from submissions.web.responses import file_response, whole_number


def _number(
    label: str, hint: str = "", *, least: int, most: int, kind: type[forms.IntegerField] = forms.DecimalField
) -> forms.IntegerField:
    """Return a field that may stay empty; `kind`: of whole numbers only, or of any."""
    entry = forms.TextInput({"inputmode": "decimal", "autocomplete": "off"})
    return kind(label=label, help_text=hint, min_value=least, max_value=most, required=False, widget=entry)


class ParForm(PageForm):
    wager = forms.ChoiceField()
    rounds = _number(
        "Rounds in the period",
        "Of all players together: six players in one round of play are six.",
        least=1,
        most=MOST_ROUNDS,
        kind=forms.IntegerField,
    )
    actual_hold = _number(
        "Actual hold, in percent of all money wagered",
        "The win divided by all money wagered, such as 2.35. Not the win percentage, which is of the drop.",
        least=-100_000,
        most=100,
    )
    amount = _number(
        "Wager, in dollars", "The amount of one wager; of required wagers, of the Ante.", least=0, most=10**9
    )
    rounds_per_hour = _number("Rounds per hour, of one player", least=0, most=10**4)

    def __init__(self, *bound: Any, wagers: list[tuple[str, str]], **given: Any) -> None:
        super().__init__(*bound, **given)
        self.fields["wager"] = forms.ChoiceField(choices=wagers)


def page(request: HttpRequest, number: str) -> HttpResponse:
    """Show the form, what follows from its entries, and the intervals of the chosen wager."""
    submission = submission_of(request, number)
    content = _content(request, submission)
    rows = {f"{place}": pair for place, pair in enumerate(wager_rows(content))}
    entered = {name: text.replace(",", "").strip() for name, text in request.GET.dict().items()}
    form = ParForm(
        entered if "wager" in entered else None,
        initial={"amount": _least_wager(content, rows["0"][1])},
        wagers=[(place, _label(name, row)) for place, (name, row) in rows.items()],
    )
    form.is_valid()
    values = getattr(form, "cleaned_data", {})
    name, row = rows[values.get("wager", "0")]
    spread = hold_spread(row)
    context = {
        "submission": submission,
        "content": content,
        "position": _place(request),
        "name": _label(name, row),
        "jackpots": [jackpot_row(jackpot) for jackpot in jackpots(row)],
        "is_progressive": bool(row.get("progressive")),
        "here": "home",
        **(_figures(name, spread, values) if spread else {}),
    }
    return render_form(request, "pages/par_sheet.html", context, form)


def sheet_pdf(request: HttpRequest, number: str) -> HttpResponseBase:
    """Return the par sheet as PDF, or the page that waits for it."""
    submission = submission_of(request, number)
    content = _content(request, submission)
    subject = DraftSubject(PAR_SHEET, content, content)
    wanted = WantedPdf(
        content=draft_pdf(subject, person_of(request)),
        kind=Job.Kind.DRAFT,
        key=subject.key,
        file_name=f"{_file_name(content)}.pdf",
        title=f"Par sheet of {content['receipt']}",
        noun="par sheet",
        label="Download par sheet (PDF)",
        back=f"{reverse('par', args=[number])}?configuration={_place(request)}",
    )
    return pdf_response(request, wanted)


def workbook(request: HttpRequest, number: str) -> FileResponse:
    """Return the par sheet as a workbook."""
    content = _content(request, submission_of(request, number))
    return file_response(par_workbook(content), f"{_file_name(content)}.xlsx", XLSX)


def _content(request: HttpRequest, submission: Submission) -> Fields:
    """Return the content for `?configuration=` of the latest filing; 404 before its simulation has finished."""
    revision = submission.revisions.first()
    content = par_content(document_record(revision), _place(request)) if revision else None
    if content is None:
        raise Http404("This configuration has no finished simulation of a wager against the house.")
    return content


def _place(request: HttpRequest) -> int:
    return whole_number(request.GET.get("configuration", "0"))


def _file_name(content: Fields) -> str:
    return f"{content['receipt']}-par-sheet"


def _label(name: str, row: Fields) -> str:
    return f"{name}, {row['paytable']}" if row["paytable"] else name


def _least_wager(content: Fields, row: Fields) -> str:
    """Return the filed minimum of the wager; "" where the chapter does not ask for one."""
    answers = content["configuration"]["answers"]
    is_required = row.get("loss_per_ante_pct") is not None
    return str(answers.get(f"{row['wager']}_minimum") or (is_required and answers.get("minimum_wager")) or "")


def _figures(name: str, spread: HoldSpread, values: dict[str, Any]) -> Fields:
    """Return the interval's chart and table, and what was asked for, as far as it is complete."""
    rounds, actual, amount, hourly = map(values.get, ("rounds", "actual_hold", "amount", "rounds_per_hour"))
    seen = (rounds, Fraction(actual) / 100) if rounds is not None and actual is not None else None
    loss = spread.loss_per_hour(Fraction(amount), Fraction(hourly)) if amount and hourly else None
    return {
        "hold": percent(float(spread.hold)),
        "wagered": "" if spread.average_wagered == 1 else f"{float(spread.average_wagered):.4f}",
        "fewest": f"{spread.fewest_rounds:,}",
        "intervals": interval_rows(spread),
        "chart": interval_svg(spread, name=name, key="interval", seen=seen),
        "verdict": unusual_sentences(spread, *seen) if seen else "",
        "loss": "" if loss is None else dollars(float(loss)),
        "asked": values,
    }
