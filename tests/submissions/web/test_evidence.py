"""A round of a filed simulation on its page: the cards, the settlement, its sections; what is refused and why."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import override_settings
from django.urls import reverse
from django.utils import timezone

from games.maths.cards import JOKER, card
from submissions.filings import filing
from submissions.filings.evidence import computations, simulations
from submissions.filings.evidence.pages import card_face as shown_card
from submissions.jobs import leases
from submissions.models import Computation, Job, Person, Simulation, Submission
from tests import cast
from tests.submissions.web.clients import browser, complete, file_complete, work

ROUND = 123_456


@pytest.fixture(scope="module", autouse=True)
def simulated(module_rows: None) -> Submission:
    """A filing with its simulation."""
    with override_settings(SIMULATION_ROUNDS=2_000_000):  # as in `conftest`
        submission = file_complete(cast.preparer(), cast.manager())
        work()
    return submission


@pytest.fixture
def tested(simulated: Submission, db: None) -> Submission:
    return Submission.objects.get(pk=simulated.pk)


def ask(person: Person, submission: Submission, **query: object) -> tuple[int, str]:
    answer = browser(person).get(reverse("round", args=[submission.number]), query)
    words = unescape(re.sub(r"<[^>]+>", " ", answer.content.decode()))
    return answer.status_code, re.sub(r"\s+", " ", words).replace("\N{NO-BREAK SPACE}", " ")


def test_round_is_shown_with_its_cards_settlement_and_sections(analyst: Person, tested: Submission) -> None:
    assert "The portal is dealing the round." in ask(analyst, tested, round=ROUND)[1]
    work()
    status, words = ask(analyst, tested, round=ROUND)
    simulation = Simulation.objects.get()
    story = simulations.replayed_round(simulation, simulations.round_index(simulation, ROUND))
    assert (status, f"Round {ROUND:,} of the simulation" in words) == (200, True)
    assert story is not None
    for step in story.steps:
        assert f"{step.who} {step.what} {step.section}" in words
        assert all(str(shown_card(one)["name"]) in words for one in step.cards)
    for one in story.settlements:
        assert one.section in words
        assert one.row.outcome in words
    assert f"--block {ROUND // simulation.block_rounds} --index {ROUND % simulation.block_rounds}" in words


def test_evidence_leads_to_the_round(analyst: Person, tested: Submission) -> None:
    page = browser(analyst).get(reverse("submission", args=[tested.number])).content.decode()
    assert f'href="{reverse("round", args=[tested.number])}?configuration=0"' in page


def test_evidence_says_what_the_simulation_would_have_found_and_how_to_deal_it_again(
    analyst: Person, tested: Submission
) -> None:
    page = browser(analyst).get(reverse("submission", args=[tested.number])).content.decode()
    linked = set(re.findall(r'class="term" href="/help/glossary/#([\w-]+)"', page))
    assert {"hold", "volatility", "would-find", "z", "p-value"} <= linked
    simulation = Simulation.objects.get()
    command = f"--rounds 2000000 --seed {simulation.seed} --block-rounds {simulation.block_rounds}</code>"
    assert command in page
    assert "It shares with the exact computation only" in page


def test_first_and_last_round_have_one_neighbor(analyst: Person, tested: Submission) -> None:
    _, first = ask(analyst, tested, round=0)
    _, last = ask(analyst, tested, round="1,999,999")
    assert ("Previous round" in first, "Next round" in first) == (False, True)
    assert ("Previous round" in last, "Next round" in last) == (True, False)


@pytest.mark.parametrize("number", ["2000000", "-1", "1e3", "½", "9" * 40, ""])
def test_round_out_of_range_is_refused_with_the_range(analyst: Person, tested: Submission, number: str) -> None:
    status, words = ask(analyst, tested, round=number)
    assert (status, "The simulation has rounds 0 to 1,999,999. Enter one of these numbers." in words) == (400, True)


@pytest.mark.parametrize("configuration", ["1", "-1", "x"])
def test_configuration_without_a_simulation_is_not_found(
    analyst: Person, tested: Submission, configuration: str
) -> None:
    assert ask(analyst, tested, configuration=configuration)[0] == 404


def test_round_is_not_told_before_the_end(analyst: Person, tested: Submission) -> None:
    Simulation.objects.update(finished_at=None, result=None, passed=None)
    assert "The simulation is still running." in ask(analyst, tested)[1]


def test_round_of_another_engine_is_refused(analyst: Person, tested: Submission) -> None:
    simulation = Simulation.objects.get()
    Simulation.objects.update(result={**simulation.result, "engine": "games.maths/1"})
    status, words = ask(analyst, tested)
    assert (status, "rules would show a different round" in words) == (400, True)


def test_round_under_way_is_not_begun_twice(analyst: Person, tested: Submission) -> None:
    assert "The portal is dealing the round." in ask(analyst, tested)[1]
    assert "The portal is dealing the round." in ask(analyst, tested)[1]
    assert Job.objects.filter(kind=Job.Kind.REPLAY).count() == 1


def test_round_whose_job_stopped_says_so_until_it_is_run_again(analyst: Person, tested: Submission) -> None:
    ask(analyst, tested)
    job = Job.objects.get(kind=Job.Kind.REPLAY)
    Job.objects.filter(pk=job.pk).update(state=Job.State.ERRORED)
    status, words = ask(analyst, tested)
    assert (status, "The round could not be replayed." in words) == (400, True)
    assert leases.run_again(job.pk)
    work()
    assert "Deal" in ask(analyst, tested)[1]


def test_round_is_not_replayed_by_other_rules_than_it_was_filed_under(analyst: Person, tested: Submission) -> None:
    ask(analyst, tested)
    Simulation.objects.update(result={**Simulation.objects.get().result, "engine": "games.maths/1"})
    work()
    assert Job.objects.get(kind=Job.Kind.REPLAY).state == Job.State.FAILED


def test_replayed_rounds_are_deleted_after_a_day_with_their_jobs(analyst: Person, tested: Submission) -> None:
    ask(analyst, tested, round=1)
    work()
    assert computations.delete_old_results(timezone.now()) == 0
    assert computations.delete_old_results(timezone.now() + computations.STORED_FOR) == 1
    assert not Computation.objects.exists()
    assert not Job.objects.filter(kind=Job.Kind.REPLAY).exists()
    assert "The portal is dealing the round." in ask(analyst, tested, round=1)[1]


def test_game_without_house_wagers_shows_its_rake_and_no_simulation(manager: Person, analyst: Person) -> None:
    submission = complete(manager, "637a")
    filing.file_submission(manager, submission, version=submission.version, attested=True)
    work()
    page = browser(analyst).get(reverse("submission", args=[submission.number])).content.decode()
    assert "No simulation needed" in page
    assert "Rake per pot, in dollars" in page
    assert reverse("round", args=[submission.number]) not in page


@pytest.mark.parametrize(
    ("dealt", "text", "name", "red"),
    [
        (card("As"), "A♠", "ace of spades", False),
        (card("Th"), "10♥", "10 of hearts", True),
        (JOKER, "Joker", "joker", False),
    ],
)
def test_card_is_read_and_read_aloud(dealt: int, text: str, name: str, red: bool) -> None:
    assert shown_card(dealt) == {"text": text, "name": name, "red": red}
