"""The comments of the licensee's people on the checklist page: taking one from its form."""

from django.contrib import messages
from django.http import HttpRequest

from submissions.core.errors import Refusal
from submissions.filings.line_comments import write_line_comment
from submissions.models import Submission
from submissions.web.access_gate import person_of

FIELD = "comment-"  # and the line's key: the text that is being typed


def take_comment(request: HttpRequest, submission: Submission, group: int, refusals: dict[str, Refusal]) -> str:
    """Save the comment whose button was pressed (`comment`: the line's key); that line, "" if none was."""
    key = request.POST.get("comment", "")
    if not key:
        return ""
    text = request.POST.get(f"{FIELD}{key}", "")
    try:
        write_line_comment(person_of(request), submission, option=key, text=text, position=group)
    except Refusal as refusal:
        refusals[key] = refusal
    else:
        messages.success(request, "Your comment is saved. Only people of your licensee see it.")
    return key
