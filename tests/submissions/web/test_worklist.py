"""What waits on whom, since when and what for, in a number of queries that is written here."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from submissions.filings import drafts, filing, questions
from submissions.filings.review import comments, decisions
from submissions.filings.review.pages import worklist
from submissions.filings.review.worklist import tasks_of
from submissions.models import Event, Job, Organization, Person, Revision, Simulation, Submission
from tests.submissions.web.clients import browser, complete

pytestmark = pytest.mark.service("queries")

QUERIES = 28  # at most: who it is and what every page shows, then a count and a page of each of the lists, the
# answers of the drafts in three of them, the Board's orders, what was sent to the manager, the games
# filed before, the open tables without an approval and the layouts to file


@pytest.fixture
def tested(filed: Submission) -> Submission:
    Simulation.objects.update(passed=True)
    return filed


def rows(person: Person) -> list[tuple[str, str, str]]:
    """(number, what for, simulation) of each row that waits on the person."""
    answer = browser(person).get(reverse("home"))
    return [(row.submission.number, row.what, row.simulation) for row in answer.context["rows"]]


def waits(person: Person) -> list[tuple[str, str]]:
    return [(number, what) for number, what, _ in rows(person)]


def test_each_state_waits_on_its_people(
    filed: Submission, preparer: Person, manager: Person, reader: Person, stranger: Person,
    analyst: Person, director: Person, other_director: Person,
) -> None:  # fmt: skip
    number = filed.number
    assert rows(analyst) == [(number, "Read it while the simulation runs", "Running")]
    Simulation.objects.update(passed=True)
    assert rows(director) == [(number, "Recommend or return", "Passed")]
    decisions.recommend_approval(director, filed, version=2)
    assert [rows(one) for one in (analyst, director, manager)] == [[], [], []]
    assert rows(other_director) == [(number, "Decide", "Passed")]
    decisions.return_to_licensee(other_director, filed, version=3, reason="Which rack?")
    assert rows(preparer) == [(number, "Answer 1 question", "Passed")]
    assert [rows(one) for one in (other_director, reader, stranger)] == [[], [], []]


def test_row_says_what_it_waits_for(
    tested: Submission, analyst: Person, preparer: Person, manager: Person, director: Person
) -> None:
    said = {"revision": 1, "text": "Why?", "audience": "licensee"}
    first = comments.write_comment(analyst, tested, option="adjacent_boxes", **said)
    second = comments.write_comment(analyst, tested, option="verbal_wagers", **said)
    decisions.return_to_licensee(analyst, tested, version=2)
    seen = [waits(manager)[0][1]]
    questions.answer_question(preparer, first, kind="answered", text="So.")
    seen.append(waits(manager)[0][1])
    questions.answer_question(preparer, second, kind="disputed", text="No.")
    seen += [waits(manager)[0][1], waits(preparer)[0][1]]
    filing.file_submission(manager, tested, version=3, attested=True)
    Simulation.objects.update(passed=True)
    seen.append(waits(analyst)[0][1])
    comments.resolve_comment(analyst, first)
    seen.append(waits(analyst)[0][1])
    comments.resolve_comment(director, second)
    seen.append(waits(analyst)[0][1])
    Simulation.objects.update(passed=False)
    seen.append(waits(analyst)[0][1])
    assert seen == [
        "Answer 2 questions", "Answer 1 question", "File it again", "Send it to your manager",
        "Answers to 2 questions", "Answers to 1 question", "Recommend or return",
        "Return it: the simulation does not match",
    ]  # fmt: skip


def test_own_recommendation_of_an_earlier_filing_keeps_nothing_from_a_director(
    tested: Submission, director: Person, other_director: Person, manager: Person, analyst: Person
) -> None:
    decisions.recommend_approval(director, tested, version=2)
    decisions.return_to_licensee(other_director, tested, version=3, reason="Which rack?")
    tested.refresh_from_db()
    for question in tested.revisions.get().remarks.all():
        questions.answer_question(manager, question, kind="answered", text="The tall one.")
        filing.file_submission(manager, tested, version=4, attested=True)
        Simulation.objects.update(passed=True)
        comments.resolve_comment(analyst, question)
    decisions.recommend_approval(analyst, tested, version=5)
    assert waits(director) == [(tested.number, "Decide")]


def test_age_counts_from_the_last_step_and_the_longest_wait_is_first(
    tested: Submission, analyst: Person, manager: Person
) -> None:
    second = complete(manager)
    filing.file_submission(manager, second, version=1, attested=True)
    comments.write_comment(analyst, tested, revision=1, text="Mine.", audience="board")  # a word is no step
    filed_at = Event.objects.get(submission=tested, verb="filed").at
    found = list(tasks_of(analyst))
    assert (found[0].pk, found[0].since) == (tested.pk, filed_at)
    assert found[1].pk == second.pk
    assert "just now" in browser(analyst).get(reverse("home")).content.decode()


def test_progress_is_shown_only_while_it_runs(filed: Submission, analyst: Person) -> None:
    Job.objects.filter(kind=Job.Kind.SIMULATE).update(done_units=50_000, total_units=200_000)
    running = browser(analyst).get(reverse("home")).content.decode()
    Simulation.objects.update(passed=True, finished_at=timezone.now())
    done = browser(analyst).get(reverse("home")).content.decode()
    assert 'max="200000" value="50000"' in running
    assert "<progress" not in done


def test_one_run_that_has_not_ended_is_enough_to_be_running(filed: Submission, analyst: Person) -> None:
    """Groups of tables with answers of their own are simulated each; what sorts first must not decide."""
    one = Simulation.objects.get()
    Simulation.objects.create(revision=one.revision, configuration=1, seed=1, rounds=1, block_rounds=1, passed=True)
    assert rows(analyst)[0][2] == "Running"
    Simulation.objects.filter(pk=one.pk).update(passed=False)
    assert rows(analyst)[0][2] == "Does not agree"


def test_what_waits_has_pages(
    tested: Submission, analyst: Person, manager: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worklist, "TASKS_ON_PAGE", 1)
    second = complete(manager)
    filing.file_submission(manager, second, version=1, attested=True)
    client = browser(analyst)
    shown = client.get(reverse("home"), {"waiting": "2"})
    assert [row.submission.number for row in shown.context["rows"]] == [second.number]
    assert 'href="?waiting=1"' in shown.content.decode()
    assert client.get(reverse("home"), {"waiting": "x", "page": "99"}).status_code == 200


@pytest.mark.parametrize("who", ["manager", "analyst", "director"])
def test_first_page_costs_the_same_however_much_waits(
    request: pytest.FixtureRequest, filed: Submission, draft: Submission, casino: Organization, manager: Person,
    who: str, django_assert_max_num_queries: Any,
) -> None:  # fmt: skip
    drafts.start_submission(manager, "593")  # a task of the manager; the other draft is none
    client = browser(request.getfixturevalue(who))
    with django_assert_max_num_queries(QUERIES) as few:
        client.get(reverse("home"))
    many(casino, manager, filed.revisions.get())
    with django_assert_max_num_queries(len(few) + 1):  # only a list of several pages is counted
        client.get(reverse("home"))


def many(casino: Organization, manager: Person, model: Revision) -> None:
    """Thirty more filings, half of them returned to the licensee, beside what waits on each already."""
    rows = Submission.objects.bulk_create(
        Submission(number=f"N{n}", organization=casino, chapter="686a", created_by=manager,
                   status="returned" if n % 2 else "filed")
        for n in range(30)
    )  # fmt: skip
    for row in rows:
        model.pk, model.submission, model.receipt = None, row, f"{row.number}-R1"
        model._state.adding = True
        model.save()
