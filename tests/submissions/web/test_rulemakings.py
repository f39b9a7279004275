"""The pages of a rulemaking: written in the form, tried, published by another person; who sees what of it."""

from __future__ import annotations

import csv
import inspect
import io
from pathlib import Path

import pikepdf
import pytest
from django.test import Client
from django.urls import reverse

from submissions.models import Job, Notice, Organization, Person, Role, Rulemaking
from submissions.rulemakings import drafting
from submissions.rulemakings import pages as rulemaking_pages
from tests.cast import person
from tests.submissions.approved import Cast
from tests.submissions.web.clients import browser, work
from tests.submissions.workbench.steps import CELL, SOURCE, first_day, head, published, tried, written

BOARD_PAGES = (
    "rulemaking-change", "rulemaking-change-remove", "rulemaking-form", "rulemaking-trial", "rulemaking-trial-csv",
    "rulemaking-trial-pdf", "rulemaking-publish", "rulemaking-withdraw",
)  # fmt: skip


@pytest.fixture
def cast(manager: Person, analyst: Person, director: Person) -> Cast:
    return Cast(manager, analyst, director, computes=False)


def page(client: Client, name: str, number: str, query: str = "") -> str:
    response = client.get(f"{reverse(name, args=[number])}{query}")
    assert response.status_code == 200
    return str(response.content.decode())


def test_name_that_cannot_be_read_is_refused_at_its_field(analyst: Person) -> None:
    """The client checks that each link of a summary has its field."""
    number = drafting.start_rulemaking(analyst, title="Trips Bonus Wager", source=SOURCE).number
    chosen = {"chapter": "687a", "effective": first_day().isoformat(), "kind": "paytable", "name": "trips\0"}
    refused = browser(analyst).get(reverse("rulemaking-form", args=[number]), chosen)
    assert refused.status_code == 400
    assert "Remove the null characters." in refused.content.decode()


def test_cell_goes_through_the_form_to_the_task_of_the_licensee(cast: Cast, director: Person, preparer: Person) -> None:
    """Chapter 687a, DJWT-05: Three-of-a-Kind from 6 to 5 to 1, all of it by pages."""
    cast.version("687a", trips_paytable="DJWT-05")
    board, day = browser(cast.analyst), first_day().isoformat()
    started = board.post(reverse("rulemaking-start"), {"title": "Trips Bonus Wager", "source": SOURCE}, follow=True)
    number = Rulemaking.objects.get().number
    assert f"{number} is a draft" in started.content.decode()
    chosen = {"chapter": "687a", "effective": day, "kind": "paytable", "name": "trips/DJWT-05"}
    form = board.get(reverse("rulemaking-form", args=[number]), chosen).content.decode()
    assert ">Three-of-a-Kind (Natural)</label>" in form
    inputs = fields(board, number, chosen)
    (name,) = (name for name, (label, value) in inputs.items() if label == "Three-of-a-Kind (Natural)")
    assert inputs[name][1] == "6 to 1"
    entered = {key: value for key, (_, value) in inputs.items()} | {name: "5 to 1"}
    shown = board.post(reverse("rulemaking-form", args=[number]), chosen | entered)
    text = shown.context["text"]
    assert 'changed_rows = [["Three-of-a-Kind", [5, 1], [1, 1]]]' in text
    stored = board.post(reverse("rulemaking-change", args=[number]), {"text": text, "version": 1}, follow=True)
    assert "is stored" in stored.content.decode()
    board.post(reverse("rulemaking-trial", args=[number]))
    assert "is waiting to start" in page(board, "rulemaking-trial", number)
    work()
    result = page(board, "rulemaking-trial", number, "?sort=licensee")
    for words in (
        "7.5257 %",
        "8.9976 %",
        "1 of 1 version at 1 of 1 licensee would be affected.",
        "Payout sign",
        "6 to 1",
    ):
        assert words in result
    publish = {"version": 2, "confirmed": "yes"}
    refused = browser(cast.analyst).post(reverse("rulemaking-publish", args=[number]), publish)
    assert refused.status_code == 403
    done = browser(director).post(reverse("rulemaking-publish", args=[number]), publish, follow=True)
    assert f"{number} is published" in done.content.decode()
    assert "Notified" in done.content.decode()
    home = browser(preparer).get("/").content.decode()
    assert f"Refile 687a by {first_day():%B} {first_day().day}, {first_day().year}" in home
    assert number in browser(preparer).get(reverse("notices")).content.decode()


def fields(client: Client, number: str, chosen: dict[str, str]) -> dict[str, tuple[str, str]]:
    """Name of the input → (label, present value)."""
    form = client.get(reverse("rulemaking-form", args=[number]), chosen).context["record"]
    return {name: (field.label, field.initial) for name, field in form.fields.items() if name != "removed"}


def test_published_rulemaking_is_public_and_linked_from_its_chapter(cast: Cast) -> None:
    cast.version("687a")
    number = published(cast.analyst, cast.director, head() + CELL).number
    visitor = browser()
    shown = page(visitor, "rulemaking", number)
    for words in ("Trips Bonus Wager", SOURCE, "6 to 1", "5 to 1", "§ 687a.12(d)"):
        assert words in shown.replace("\N{NO-BREAK SPACE}", " ")
    assert "Casino East" not in shown
    assert f'href="/rulemakings/{number}/"' in visitor.get("/games/687a/").content.decode()
    assert number in visitor.get("/rulemakings/").content.decode()


def test_result_is_taken_away_as_csv_and_pdf(cast: Cast) -> None:
    cast.version("687a", trips_paytable="DJWT-05")
    rulemaking = written(cast.analyst, head() + CELL)
    tried(cast.analyst, rulemaking)
    client = browser(cast.analyst)
    sent = client.get(reverse("rulemaking-trial-csv", args=[rulemaking.number]))
    (row,) = csv.DictReader(io.StringIO(b"".join(sent).decode().removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}")))
    assert (row["Wager"], row["Hold before (%)"], row["Hold per"]) == ("Trips Bonus Wager", "7.525704", "wager")
    assert (row["Simulation needed"], row["Exact or estimate"]) == ("yes", "exact")
    address = reverse("rulemaking-trial-pdf", args=[rulemaking.number])
    asked_for = client.get(address)
    assert (asked_for.status_code, asked_for["Retry-After"]) == (202, "5")
    assert "The portal is preparing the PDF." in asked_for.content.decode()
    work()
    assert "Download trial (PDF)" in client.get(address, headers={"HX-Request": "true"}).content.decode()
    paper = client.get(address)
    with pikepdf.open(io.BytesIO(b"".join(paper))) as pdf:
        assert len(pdf.pages) >= 1


def test_pdf_of_a_trial_is_never_made_by_the_web_process(cast: Cast) -> None:
    """The module that lays the PDF out is not even imported for the page that asks for it."""
    cast.version("687a", trips_paytable="DJWT-05")
    rulemaking = written(cast.analyst, head() + CELL)
    tried(cast.analyst, rulemaking)
    address = reverse("rulemaking-trial-pdf", args=[rulemaking.number])
    for _ in range(2):
        assert browser(cast.analyst).get(address).status_code == 202
    (job,) = Job.objects.filter(kind=Job.Kind.TRIAL_PDF)
    assert (job.state, job.attempts) == (Job.State.DUE, 0)
    source = Path(inspect.getfile(rulemaking_pages)).read_text("utf-8")
    assert "weasyprint" not in source
    assert "rulemakings.trial_pdf import" not in source


def test_pdf_of_a_trial_that_stopped_says_so(cast: Cast) -> None:
    cast.version("687a", trips_paytable="DJWT-05")
    rulemaking = written(cast.analyst, head() + CELL)
    tried(cast.analyst, rulemaking)
    address = reverse("rulemaking-trial-pdf", args=[rulemaking.number])
    client = browser(cast.analyst)
    client.get(address)
    Job.objects.filter(kind=Job.Kind.TRIAL_PDF).update(state=Job.State.ERRORED)
    stopped = client.get(address)
    assert stopped.status_code == 400
    assert f"The PDF of the trial of {rulemaking.number} could not be made." in stopped.content.decode()


@pytest.mark.parametrize(
    ("who", "status"), [("visitor", 404), ("preparer", 404), ("sandbox", 404), ("analyst", 200), ("reader", 200)]
)
def test_draft_is_seen_by_the_board_alone(
    who: str, status: int, preparer: Person, analyst: Person, board: Organization
) -> None:
    number = written(analyst, head() + CELL).number
    sandbox = Organization.objects.create(kind="regulator", name="Board, sandbox", slug="board-test", sandbox_of=board)
    people = {
        "visitor": None,
        "preparer": preparer,
        "analyst": analyst,
        "reader": person(board, Role.READER, "Reader Board"),
        "sandbox": person(sandbox, Role.DIRECTOR, "Director Sandbox"),
    }
    client = browser(people[who])
    assert client.get(reverse("rulemaking", args=[number])).status_code == status
    assert (number in client.get("/rulemakings/").content.decode()) is (status == 200)


def test_steps_of_a_draft_are_the_boards(preparer: Person, analyst: Person, board: Organization) -> None:
    rulemaking = written(analyst, head() + CELL)
    reader = person(board, Role.READER, "Reader Board")
    for outsider, allowed in ((preparer, {404}), (reader, {200, 403, 404, 405})):
        client = browser(outsider)
        for name in BOARD_PAGES:
            address = reverse(name, args=[rulemaking.number])
            for send in (client.get, client.post):
                assert send(address, {"version": rulemaking.version}).status_code in allowed | {405}
        refused = client.post(reverse("rulemaking-start"), {"title": "Mine", "source": "None"})
        assert refused.status_code == 403
    rulemaking.refresh_from_db()
    assert (rulemaking.state, rulemaking.version, rulemaking.changes.count()) == ("draft", 2, 1)
    assert Rulemaking.objects.count() == 1


def test_published_trial_stays_with_the_board(cast: Cast, preparer: Person) -> None:
    cast.version("687a")
    number = published(cast.analyst, cast.director, head() + CELL).number
    for name in ("rulemaking-trial", "rulemaking-trial-csv", "rulemaking-trial-pdf"):
        assert browser(preparer).get(reverse(name, args=[number])).status_code == 404
    assert "Confirmed trial" in page(browser(cast.analyst), "rulemaking", number)


def test_refused_text_stays_on_the_page(analyst: Person) -> None:
    rulemaking = written(analyst)
    text = head() + CELL.replace("DJWT-05", "DJWT-99")
    answer = browser(analyst).post(reverse("rulemaking-change", args=[rulemaking.number]), {"text": text, "version": 1})
    assert answer.status_code == 400
    assert "DJWT-99" in answer.context["text"]
    other = browser(analyst).post(reverse("rulemaking-change", args=[rulemaking.number]), {"text": text, "version": 9})
    assert other.status_code == 409


def test_rulemaking_is_withdrawn_with_a_reason(analyst: Person) -> None:
    rulemaking = written(analyst, head() + CELL)
    client, address = browser(analyst), reverse("rulemaking-withdraw", args=[rulemaking.number])
    assert client.post(address, {"version": rulemaking.version}).status_code == 400
    client.post(address, {"version": rulemaking.version, "reason": "It was adopted otherwise."})
    rulemaking.refresh_from_db()
    assert rulemaking.state == Rulemaking.State.WITHDRAWN


def test_notice_is_of_each_licensee_and_mailed_at_once(
    cast: Cast, preparer: Person, stranger: Person, mailoutbox: list[object]
) -> None:
    cast.version("687a")
    number = published(cast.analyst, cast.director, head() + CELL).number
    notices = Notice.objects.filter(event__verb="rulemaking-published")
    assert {notice.person for notice in notices} == {cast.manager, preparer}
    assert all(notice.mail and notice.mail.subject == f"{number}: Trips Bonus Wager" for notice in notices)
    assert all(f"/rulemakings/{number}/" in notice.mail.body for notice in notices if notice.mail)
