"""The result of a trial as a PDF with its charts: the same lines as the page. Not sealed: it binds nobody."""

from django.template.loader import render_to_string

from submissions.documents.weasyprint_pdf import render_pages, write_pdf
from submissions.models import Rulemaking
from submissions.rulemakings.trial_result import Trial
from submissions.web.rulemakings.trial_table import BY_LICENSEE, charts_of, sorted_lines, summary_of


def trial_pdf(rulemaking: Rulemaking, trial: Trial) -> bytes:
    """The PDF of the result; the same result gives the same bytes."""
    lines = sorted_lines(trial, BY_LICENSEE)
    context = {
        "rulemaking": rulemaking,
        "parts": [
            (change, summary_of(change), charts_of(change), [line for line in lines if line.change is change])
            for change in trial.changes
        ],
    }
    pages = render_pages(render_to_string("documents/rulemaking_trial.html", context))
    return write_pdf(pages)
