"""Browsers without a browser: signed-in test clients, a complete draft, and the worker's work.

A client's pages are compact: how the templates are laid out in lines is nothing that a test looks at.
"""

from __future__ import annotations

import io
import re
import time

import pikepdf
from django.test import Client

from games.registry import chapter
from submissions.accounts.pages import reauthentication
from submissions.filings import attachments, drafts, filing
from submissions.models import Job, Person, Submission
from submissions.tasks import run_task
from submissions.web import access_gate
from tests.games.chapters.examples import example

HTMX = {"HX-Request": "true"}


AS_WRITTEN = re.compile(r"(?<=>)([^<]*</(?:textarea|pre)>)")  # line breaks count


BLOCK = (
    "article|aside|body|button|caption|d[dlt]|details|div|fieldset|figcaption|figure|footer|form|h[1-6]|head|header|html"
    "|legend|li|link|main|meta|nav|[ou]l|optgroup|option|p|script|section|select|summary|t[dhr]|table|tbody|thead|title"
)
QUOTED = re.compile(r'("[^"<>]*")')
RUN = re.compile(r"[ \t\r\n]{2,}|[\t\r\n]")
BEFORE_TAG_END = re.compile(r"(<[^<>]*) >")
AFTER_BLOCK = re.compile(rf"(</?(?:{BLOCK})\b[^>]*>) ")
BEFORE_BLOCK = re.compile(rf" (</?(?:{BLOCK})\b[^>]*>)")


class CompactClient(Client):
    """A test client whose pages have no whitespace but the spaces that a reader sees."""

    def request(self, **request: object) -> object:
        response = super().request(**request)
        is_packed = response.streaming or "Content-Encoding" in response.headers
        if not is_packed and response.headers.get("Content-Type", "").startswith("text/html"):
            response.content = compact(response.content.decode())
            _check_summary(response.content.decode())
        return response


def _check_summary(html: str) -> None:
    """A page has at most one summary of errors, and its links lead to something on the page."""
    summaries = html.split('id="error-summary"')[1:]
    assert len(summaries) < 2
    links = re.findall(r'<ul class="error-links">(.*?)</ul>', html)
    targets = [target for part in links for target in re.findall(r'href="#([^"]+)"', part)]
    assert not [target for target in targets if f'id="{target}"' not in html]


def compact(html: str) -> str:
    """HTML with one space for every run of whitespace, and none around block elements."""
    parts = AS_WRITTEN.split(html)
    parts[::2] = map(_compact, parts[::2])
    return "".join(parts)


def _compact(html: str) -> str:
    """Quoted values stay; what is between them is joined by a character that no page has, and read at once."""
    parts = QUOTED.split(html)
    parts[::2] = RUN.sub(" ", "\0".join(parts[::2])).split("\0")
    text = BEFORE_TAG_END.sub(r"\1>", "".join(parts))
    return BEFORE_BLOCK.sub(r"\1", AFTER_BLOCK.sub(r"\1", text))


def browser(person: Person | None = None, *, confirmed: bool = True, **options: object) -> Client:
    """Someone's browser; signed in, they have just confirmed who they are unless the test is about that.

    With a membership, its account is signed in and acts for that property.
    """
    client = CompactClient(**options)
    if person:
        client.force_login(person.sign_in_account)
        session = client.session
        session.update({reauthentication.CONFIRMED: time.time()} if confirmed else {})
        session.update({access_gate.ACTING: person.pk} if person.account else {})
        session.save()
    return client


def pdf() -> bytes:
    content = io.BytesIO()
    with pikepdf.new() as paper:
        paper.add_blank_page()
        paper.save(content)
    return content.getvalue()


def complete(person: Person, number: str = "686a") -> Submission:
    """A draft with every line answered, its files attached."""
    submission = drafts.start_submission(person, number)
    answers = example(number)
    files = [option.key for option in chapter(number).options if option.kind == "attachment"]
    drafts.save_answers(person, submission, {key: value for key, value in answers.items() if key not in files}, seen={})
    for key in files:
        attachments.attach_file(person, submission, key, "house-rules.pdf", pdf())
    return submission


def file_complete(preparer: Person, manager: Person) -> Submission:
    """A complete draft of the preparer, filed by the manager."""
    submission = complete(preparer)
    filing.file_submission(manager, submission, version=submission.version, attested=True)
    submission.refresh_from_db()
    return submission


def work() -> None:
    """What the workers do: every job that is due, one after the other, but the figures of the chapters shown."""
    for job in Job.objects.filter(state=Job.State.DUE).exclude(kind=Job.Kind.ANALYZE):
        run_task(job)
