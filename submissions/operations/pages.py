"""The page of the operators, for administrators of the Board.

It shows what runs in the portal and what is wrong with it, with a button that runs a job again.
"""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from submissions.accounts.pages import reauthentication
from submissions.audit.retention import present_legal_holds
from submissions.core.errors import Refusal
from submissions.models import Alert, Checkpoint, Job
from submissions.operations import work_checks
from submissions.operations.work_checks import ProcessStatus, duration_words, run_job_again, subjects_of
from submissions.permissions import require
from submissions.web.access_gate import person_of
from submissions.web.responses import page_of, render_page

PAGE = 20  # stopped jobs
SHOWN = 10  # alerts and checkpoints
STATES = tuple(Job.State)


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Return the whole page, or the part of it that changes."""
    require(request.user, "operate")
    is_part = bool(getattr(request, "htmx", False))
    return render(request, "parts/operations.html" if is_part else "pages/operations.html", _context(request))


def run_again(request: HttpRequest, pk: int) -> HttpResponse:
    """GET: the job, and what running it again means. POST: run it again."""
    require(request.user, "operate")
    job = get_object_or_404(work_checks.stopped_jobs(), pk=pk)
    refusal = None
    if request.method == "POST":
        try:
            reauthentication.require_confirmation(request)
            run_job_again(person_of(request), job)
            messages.success(request, f"Job {job.pk} runs again.")
            return redirect("operations")
        except Refusal as error:
            refusal = error
    (row,) = _stopped(request, [job])
    return render_page(request, "pages/job_run_again.html", {"row": row, "job": job, "here": "people"}, refusal)


def _context(request: HttpRequest) -> dict[str, object]:
    now = timezone.now()
    stopped = page_of(request, work_checks.stopped_jobs(), PAGE)
    figures = work_checks.work_figures(now)
    checks = work_checks.all_checks(now, figures)
    return {
        "now": now,
        "checks": checks,
        "wrong": [check for check in checks if not check.is_good],
        "states": [state.label for state in STATES],
        "kinds": _kinds(),
        "oldest": [(job, duration_words(age)) for job, age in figures.oldest_due],
        "page": stopped,
        "stopped": _stopped(request, list(stopped)),
        "processes": [(status, _state(status)) for status in figures.processes],
        "checkpoints": Checkpoint.objects.order_by("-sequence").defer("seal")[:SHOWN],
        "certificates": [(each, each.days_left(now)) for each in figures.certificates],
        "holds": present_legal_holds(),
        "alerts": Alert.objects.all()[:SHOWN],
        "here": "people",
    }


def _kinds() -> list[tuple[str, list[tuple[str, int]]]]:
    """Return the jobs of each kind: its label, and each state in the order of `STATES` with their number."""
    labels, counts = dict(Job.Kind.choices), work_checks.job_counts()
    return sorted(
        (labels.get(kind, kind), [(str(state.label), counts.get((kind, state), 0)) for state in STATES])
        for kind in {kind for kind, _ in counts}
    )


def _stopped(request: HttpRequest, jobs: list[Job]) -> list[dict[str, object]]:
    """Return jobs that can be run again, with what they are about and its page, if it has one."""
    rows: list[dict[str, object]] = []
    subjects = subjects_of(person_of(request), jobs)
    for job in jobs:
        page, number = subjects.get(job.pk, ("", ""))
        rows.append({"job": job, "number": number, "address": reverse(page, args=[number]) if page else ""})
    return rows


def _state(status: ProcessStatus) -> str:
    if status.running:
        return "Running"
    return "Stopped" if status.newest.stopped else "Late"
