"""The result of a trial as PDF: asked for here, made by a job, stored for a day.

The key of a PDF names the result and the program that lays it out, so a stored one is never out of date. Not here:
making it (`trial_pdf`, in a worker), who may see it (the view).
"""

from base64 import b64decode

from django.conf import settings

from submissions.core.canonical_json import digest
from submissions.core.errors import Refusal
from submissions.core.program_digest import program_digest
from submissions.evidence.computations import ComputationStopped, stored_result
from submissions.jobs.queue_place import QueuePlace, queue_place
from submissions.models import Computation, Job, Rulemaking
from submissions.rulemakings.trial_job import result_digest, trial_digest

SOURCES = ("submissions/rulemakings", "submissions/documents", "templates/documents", "portal/static/documents")


def stored_trial_pdf(rulemaking: Rulemaking) -> bytes | None:
    """The PDF of a rulemaking that was tried; None until a job, which the first call enqueues, has made it. `Refusal`
    if it could not be made."""
    try:
        text = stored_result(Job.Kind.TRIAL_PDF, trial_pdf_key(rulemaking), {"rulemaking": rulemaking.pk})
    except ComputationStopped:
        raise Refusal("trial-pdf-not-made", number=rulemaking.number) from None
    return None if text is None else b64decode(text)


def trial_pdf_place(rulemaking: Rulemaking) -> QueuePlace:
    """Where the PDF that was asked for is in the queue."""
    subject = Computation.objects.values_list("pk", flat=True).get(key=trial_pdf_key(rulemaking))
    return queue_place(Job.Kind.TRIAL_PDF, subject, settings.DRAFT_WORKERS)


def trial_pdf_key(rulemaking: Rulemaking) -> str:
    """What names the PDF: everything that it shows."""
    sha256_of_trial = rulemaking.trial_sha256 or trial_digest(rulemaking)
    shown = {
        "result": result_digest(rulemaking, sha256_of_trial),
        "title": rulemaking.title,
        "source": rulemaking.source,
        "program": program_digest(SOURCES),
    }
    return f"trial-pdf:{rulemaking.number}:{digest(shown)}"
