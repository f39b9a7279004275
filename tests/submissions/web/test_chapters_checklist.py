"""Checklists of any chapter: a wager that comes and goes with all that belongs to it, and how quick the largest is."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from games.registry import chapter, chapters
from games.rules.evaluate import judge, unused
from games.rules.model import Answer, Chapter, Judgment
from submissions.documents.context import document_context
from submissions.documents.document_record import compose_record
from submissions.filings import answer_values, drafts
from submissions.filings.snapshot import build_snapshot
from submissions.models import Person, Submission
from tests.games.chapters.examples import example
from tests.submissions.web.clients import HTMX, browser, complete
from tests.timing import is_quicker

WAGERS = (
    ("581", "bust_it"), ("678a", "progressive"), ("678a", "flush_bonus"), ("683a", "lo_ball"), ("687a", "bad_beat"),
)  # fmt: skip


def say(person: Person, submission: Submission, key: str, answer: str) -> str:
    """One answer, as the page sends it: all that comes back."""
    stored = submission.configurations.get().answers
    keys = [one.key for one in chapter(submission.chapter).options]
    form = {f"seen-{one}": answer_values.serialize_answer(stored.get(one)) for one in keys}
    address = reverse("checklist", args=[submission.number])
    return browser(person).post(address, {**form, f"answer-{key}": answer}, headers=HTMX).content.decode()


def page_of(person: Person, submission: Submission) -> str:
    return browser(person).get(reverse("checklist", args=[submission.number])).content.decode()


def lines_on(page: str) -> set[str]:
    """The lines that the page shows."""
    tags = re.findall(r'<div class="line [^"]*" id="line-(\w+)"([^>]*)>', page)
    return {key for key, rest in tags if "hidden" not in rest}


def layout_on(page: str) -> str:
    return words(page.split('id="calls"')[1].split("</section>")[0])


def paper_of(person: Person, submission: Submission) -> str:
    """The document's text, of what would be frozen now."""
    found = chapter(submission.chapter)
    content = build_snapshot(submission, found, number=1, by=person, at=timezone.now(), attestation="", engine="")
    shown = {"document": document_context(compose_record(content)), "draft": True}
    return words(render_to_string("documents/submission.html", shown))


def words(markup: str) -> str:
    text = unescape(re.sub(r"<style.*?</style>|<[^>]+>", " ", markup, flags=re.DOTALL))
    return re.sub(r"\s+", " ", text.replace("\N{NO-BREAK SPACE}", " "))


def judged(found: Chapter, **changed: Answer) -> Judgment:
    answers = example(found.number)
    return judge(found, {**answers, **changed})


@pytest.mark.parametrize(("number", "key"), WAGERS)
def test_wager_not_offered_leaves_page_and_paper_and_comes_back_as_it_was(
    preparer: Person, number: str, key: str
) -> None:
    found, submission = chapter(number), complete(preparer, number)
    wager = found.wager(key)
    offered, refused = judged(found), judged(found, **{wager.offered_by: False})
    no_longer_asked = [line for line in offered.asked_keys if line not in refused.asked_keys]
    kept = set(unused(found, {**example(number), wager.offered_by: False}))
    areas = [one.element for one in offered.layout if one not in refused.layout]
    assert areas
    table = f"{wager.name} {offered.paytables[key]} · {found.paytable(key, offered.paytables[key]).citation}"
    printed = (*(found.option(line).question for line in no_longer_asked), *areas, table)
    page, paper = page_of(preparer, submission), paper_of(preparer, submission)
    stored = submission.configurations.get().answers
    assert all(area in layout_on(page) for area in areas)
    assert all(part in paper for part in printed)
    say(preparer, submission, wager.offered_by, "no")
    without, unprinted = page_of(preparer, submission), paper_of(preparer, submission)
    assert lines_on(page) - lines_on(without) == set(no_longer_asked) - kept
    assert all(f'/checklist/{line}/clear/"' in without for line in kept)
    assert [area for area in areas if area in layout_on(without)] == []
    assert [part for part in printed if part in unprinted] == []
    say(preparer, submission, wager.offered_by, "yes")
    again = page_of(preparer, submission)
    assert submission.configurations.get().answers == stored
    assert (lines_on(again), layout_on(again)) == (lines_on(page), layout_on(page))
    assert timeless(paper_of(preparer, submission)) == timeless(paper)


@pytest.mark.parametrize(("number", "key"), [pair for pair in WAGERS if pair != ("581", "bust_it")])
def test_paytables_are_laid_out_only_for_a_wager_that_is_offered(preparer: Person, number: str, key: str) -> None:
    wager, submission = chapter(number).wager(key), drafts.start_submission(preparer, number)
    assert wager.paytable_option not in lines_on(page_of(preparer, submission))
    assert wager.paytable_option in lines_on(say(preparer, submission, wager.offered_by, "yes"))
    say(preparer, submission, wager.offered_by, "no")
    assert wager.paytable_option not in lines_on(page_of(preparer, submission))


def timeless(paper: str) -> str:
    """Without the moment of printing, and the digests that follow from it."""
    return re.sub(r"\d+:\d\d(:\d\d)?|[0-9a-f]{8,}|([0-9a-f]{4} ?){4,}", "", paper)


def test_largest_checklist_is_shown_in_well_under_a_second(preparer: Person) -> None:
    submission = complete(preparer, max(chapters(), key=lambda one: len(one.options)).number)
    page_of(preparer, submission)  # templates are read once
    assert is_quicker(lambda: page_of(preparer, submission), 0.4)


def test_answer_on_the_largest_checklist_is_judged_at_once(preparer: Person) -> None:
    submission = complete(preparer, max(chapters(), key=lambda one: len(one.options)).number)
    told = say(preparer, submission, "rake_percentage", "10.01")
    findings = words(told.split('id="findings-rake_percentage"')[1].split("</div>")[0])
    assert "Must be resolved: The rake is 10.01 % of the pot. A percentage rake may be at most 10 %" in findings
    assert "1 to resolve before filing" in words(told.split('id="summary"')[1].split("</section>")[0])
    assert len(told) < 20_000  # only what changed: neither the page nor its other lines
    typed = iter(f"10.{number:02}" for number in range(2, 99))
    assert is_quicker(lambda: say(preparer, submission, "rake_percentage", next(typed)), 0.4)
