"""The result of a trial as a PDF with its charts: the same lines as the page. Not sealed: it binds nobody.

A worker makes it (`trial_report`): laying out some hundred rows takes seconds of a processor.
"""

from base64 import b64encode

from django.template.loader import render_to_string

from submissions.core.errors import Refusal
from submissions.documents.weasyprint_pdf import render_pages, write_pdf
from submissions.filings.evidence.computations import run_computation
from submissions.jobs.leases import Lease
from submissions.models import Computation, Rulemaking
from submissions.rulemakings.trial_report import BY_LICENSEE, charts_of, sorted_lines, summary_of, trial_pdf_key
from submissions.rulemakings.trials import Trial, trial_of


def run_trial_pdf(lease: Lease) -> None:
    """Run the job."""
    run_computation(lease, _trial_pdf)


def trial_pdf(rulemaking: Rulemaking, trial: Trial) -> bytes:
    """Return the PDF of the result; the same result gives the same bytes."""
    lines = sorted_lines(trial, BY_LICENSEE)
    context = {
        "rulemaking": rulemaking,
        "parts": [
            (change, summary_of(change), charts_of(change), [line for line in lines if line.change is change])
            for change in trial.changes
        ],
    }
    return write_pdf(render_pages(render_to_string("documents/rulemaking_trial.html", context)))


def _trial_pdf(row: Computation) -> str:
    """Return the PDF in base64; `Refusal` if the rulemaking is no longer the one that was tried."""
    rulemaking = Rulemaking.objects.get(pk=row.arguments["rulemaking"])
    trial = trial_of(rulemaking)
    if trial is None or row.key != trial_pdf_key(rulemaking):
        raise Refusal("trial-outdated", number=rulemaking.number)
    return b64encode(trial_pdf(rulemaking, trial)).decode()
