"""Whether a table's month is unusual, and the par sheet of a filing: the page, the PDF and the workbook read back."""

from __future__ import annotations

import io
import re
from fractions import Fraction
from html import unescape
from math import sqrt
from typing import Any

import pikepdf
import pytest
from django.test import override_settings
from django.urls import reverse
from openpyxl import load_workbook
from pytest_django import DjangoAssertNumQueries

from submissions.filings import filing
from submissions.models import Job, Person, Simulation, Submission
from tests import cast
from tests.submissions.layouts.papers import words as words_of_pdf
from tests.submissions.web.clients import browser, complete, work

ANTE, FLUSH_BONUS, PROGRESSIVE = "0", "1", "3"
QUERIES = 14  # of the page: session, person, submission, filing, its record


@pytest.fixture(scope="module", autouse=True)
def simulated(module_rows: None) -> Submission:
    """A filing of High Card Flush, whose progressive also pays 10 % of its meter, with its simulation."""
    manager = cast.manager()
    submission = complete(manager, "678a")
    filing.file_submission(manager, submission, version=submission.version, attested=True)
    with override_settings(SIMULATION_ROUNDS=200_000):
        work()
    return submission


@pytest.fixture
def filed(simulated: Submission, db: None) -> Submission:
    return Submission.objects.get(pk=simulated.pk)


def ask(person: Person, submission: Submission, name: str = "par", **query: object) -> Any:
    return browser(person).get(reverse(name, args=[submission.number]), query)


def shown(person: Person, submission: Submission, **query: object) -> str:
    response = ask(person, submission, **query)
    assert response.status_code == 200
    return words_of_page(response)


def words_of_page(response: Any) -> str:
    words = unescape(re.sub(r"<[^>]+>", " ", response.content.decode()))
    return re.sub(r"\s+", " ", words).replace("\N{NO-BREAK SPACE}", " ")


def frozen(wager: str) -> dict[str, Any]:
    rows = Simulation.objects.get().analysis["wagers"]
    return next(row for row in rows if row["wager"] == wager)


def spread_by_hand(row: dict[str, Any]) -> tuple[float, float]:
    """The hold, and the deviation of one round's win − hold × wagered, ÷ the average wagered: from the frozen rows."""
    outcomes = [
        (float(Fraction(outcome["probability"])), float(Fraction(outcome["net"])), float(Fraction(outcome["wagered"])))
        for outcome in row["outcomes"]
    ]
    wagered = sum(chance * staked for chance, _, staked in outcomes)
    hold = -sum(chance * net for chance, net, _ in outcomes) / wagered
    return hold, sqrt(sum(chance * (net + hold * staked) ** 2 for chance, net, staked in outcomes)) / wagered


def test_page_says_how_unusual_a_month_is(analyst: Person, filed: Submission) -> None:
    page = shown(analyst, filed, wager=ANTE, rounds="120,000", actual_hold="2.5")
    hold, deviation = spread_by_hand(frozen("ante"))
    distance = (0.025 - hold) * sqrt(120_000) / deviation
    assert (
        f"an actual hold of 2.5000 % of all money wagered is {distance:.2f} standard errors above the theoretical hold "
        f"of {100 * hold:.4f} %."
    ) in page
    half = 1.959964 * deviation / sqrt(10**6)
    assert f"1,000,000 {100 * (hold - half):.4f} {100 * (hold + half):.4f}" in page


def test_page_says_what_an_hour_costs(analyst: Person, filed: Submission) -> None:
    page = shown(analyst, filed, wager=FLUSH_BONUS, amount="5", rounds_per_hour="60")
    hold = frozen("flush_bonus")["hold_pct"] / 100
    assert (
        f"A player's expected loss is ${5 * 60 * hold:.2f} per hour, at a wager of $5 and 60 rounds per hour." in page
    )


def test_form_begins_with_the_filed_minimum(analyst: Person, filed: Submission) -> None:
    content = ask(analyst, filed).content.decode()
    assert re.search(r'name="amount" value="15.00"', content)  # minimum_wager of the chapter's example
    assert "standard errors" not in content


def test_page_shows_the_jackpot_with_its_meter(analyst: Person, filed: Submission) -> None:
    page = shown(analyst, filed, wager=PROGRESSIVE)
    # 32 of the 133,784,560 hands of seven cards; the meter is that of test_board_figures with 1,592 hands paid 10 %.
    assert "Seven-card straight flush 100% of meter 4,180,768 $179,948.43 $60,764.51" in page
    assert "with the meter at its reset amount" in page
    assert "Jackpots" not in shown(analyst, filed, wager=ANTE)


def test_chart_has_a_description_and_a_dot_only_where_there_is_one(analyst: Person, filed: Submission) -> None:
    def chart(**query: object) -> str:
        content = ask(analyst, filed, wager=FLUSH_BONUS, **query).content.decode()
        return re.findall(r'<svg[^>]*class="interval".*?</svg>', content, flags=re.DOTALL)[0]

    hold = frozen("flush_bonus")["hold_pct"]
    assert f"The theoretical hold is {hold:.4f} %. After 10,000 rounds, 95 of 100 actual holds are from" in chart()
    assert "<circle" not in chart()
    assert "<circle" in chart(rounds=100_000, actual_hold=hold)
    assert "<circle" not in chart(rounds=100_000, actual_hold=-50)  # beside the chart
    assert "<circle" not in chart(rounds=10, actual_hold=hold)


@pytest.mark.parametrize(
    ("entered", "problem"),
    [
        ({"rounds": "many"}, "Enter a whole number."),
        ({"rounds": "0"}, "Enter 1 or more; this is 0."),
        ({"rounds": "1000", "actual_hold": "101"}, "Enter 100 or less; this is 101."),
        ({"wager": "9"}, "“9” is not in the list."),
        ({"amount": "-5", "rounds_per_hour": "60"}, "Enter 0 or more; this is -5."),
    ],
)
def test_entry_that_cannot_be_is_refused_at_its_field(
    analyst: Person, filed: Submission, entered: dict[str, str], problem: str
) -> None:
    response = ask(analyst, filed, **{"wager": ANTE, **entered})
    assert response.status_code == 400
    assert problem in words_of_page(response)


def test_page_asks_few_queries(
    analyst: Person, filed: Submission, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client, address = browser(analyst), reverse("par", args=[filed.number])
    client.get(address)
    with django_assert_max_num_queries(QUERIES):
        client.get(address, {"wager": ANTE, "rounds": 1000, "actual_hold": 1})


def test_evidence_leads_to_the_page_and_the_page_to_the_files(analyst: Person, filed: Submission) -> None:
    page = browser(analyst).get(reverse("submission", args=[filed.number])).content.decode()
    assert f'href="{reverse("par", args=[filed.number])}?configuration=0"' in page
    page = ask(analyst, filed).content.decode()
    assert all(f'href="{reverse(name, args=[filed.number])}?configuration=0"' in page for name in FILES)


FILES = ("par-sheet", "par-workbook")


@pytest.mark.parametrize("name", ["par", *FILES])
def test_nothing_is_shown_to_others_or_without_a_simulation(
    name: str, preparer: Person, stranger: Person, filed: Submission
) -> None:
    assert ask(stranger, filed, name).status_code == 404
    assert ask(preparer, filed, name, configuration=1).status_code == 404
    assert ask(preparer, filed, name).status_code in (200, 202)
    Simulation.objects.update(finished_at=None, result=None, passed=None)
    assert ask(preparer, filed, name).status_code == 404


def test_pdf_has_the_figures_of_the_filing(analyst: Person, filed: Submission) -> None:
    assert ask(analyst, filed, "par-sheet").status_code == 202
    work()
    response = ask(analyst, filed, "par-sheet")
    content = b"".join(response.streaming_content)
    assert (response.status_code, response["Content-Type"]) == (200, "application/pdf")
    with pikepdf.open(io.BytesIO(content)) as pdf:
        assert str(pdf.docinfo["/Title"]) == "Par sheet: High Card Flush, Casino East"
    text = words_of_pdf(content)
    revision = filed.revisions.get()
    assert {revision.receipt, revision.sha256, revision.rules_digest} <= set(text.split())
    assert "58 Pa. Code Chapter 678a, as of" in text
    assert "Seven-card straight flush 100% of meter 32 0.0000239 0.7176" in text  # 32 ÷ 133,784,560; × 30,000
    assert "Total 133,784,560 100.0000 51.3532" in text
    assert "Seven-card straight flush 100% of meter 4,180,768 $179,948.43 $60,764.51" in text
    assert "Rate of progression: 25.00 %." in text
    hold, deviation = spread_by_hand(frozen("flush_bonus"))
    half = 2.575829 * deviation / sqrt(10**7)
    assert f"{100 * (hold - half):.4f} {100 * (hold + half):.4f} Yes" in text
    assert Job.objects.get(kind=Job.Kind.DRAFT).state == Job.State.DONE


def test_workbook_has_the_figures_as_numbers(analyst: Person, filed: Submission) -> None:
    response = ask(analyst, filed, "par-workbook")
    content = b"".join(response.streaming_content)
    assert response["Content-Disposition"] == f'attachment; filename="{filed.number}-R1-par-sheet.xlsx"'
    assert b"".join(ask(analyst, filed, "par-workbook").streaming_content) == content
    book = load_workbook(io.BytesIO(content))
    rows = {sheet.title: [[cell.value for cell in row] for row in sheet.iter_rows()] for sheet in book}
    filing_facts = {row[0]: row[1] for row in rows["Filing"]}
    assert (filing_facts["Filing"], filing_facts["Licensee"]) == (f"{filed.number}-R1", "Casino East")
    assert [row[0] for row in rows["All wagers"]][3:] == [
        "Ante and Raise Wagers", "Flush Bonus Wager", "Straight Flush Bonus Wager", "Progressive Jackpot Wager"
    ]  # fmt: skip
    titles = list(rows)[2:]
    for title, row in zip(titles, Simulation.objects.get().analysis["wagers"], strict=True):
        outcomes = table(rows[title], "Outcome")
        assert [line["Combinations"] for line in outcomes] == [outcome["count"] for outcome in row["outcomes"]]
        assert sum(line["Combinations"] for line in outcomes) == row["cycle"]
        assert sum(line["Chance"] for line in outcomes) == pytest.approx(1)
        hold, deviation = spread_by_hand(row)
        assert sum(line["Contribution to payback"] for line in outcomes) == pytest.approx(1 - hold)
        last = table(rows[title], "Rounds")[-1]
        assert (last["Rounds"], last["Reliable"]) == (
            10**7,
            "too few rounds" if row["wager"] == "progressive" else "yes",
        )
        assert last["Actual hold, 95 of 100, from"] == pytest.approx(hold - 1.959964 * deviation / sqrt(10**7))
    (jackpot,) = table(rows[titles[3]], "Jackpot")
    assert (jackpot["Wagers between jackpots"], jackpot["Pays"]) == (4_180_767.5, "100% of meter")
    assert jackpot["Meter when won, mean"] == pytest.approx(179_948.43, abs=0.01)


def table(rows: list[list[Any]], heading: str) -> list[dict[str, Any]]:
    """The rows below the heading that begins with this word, up to an empty one."""
    first = next(place for place, row in enumerate(rows) if row[0] == heading)
    lines = []
    for row in rows[first + 1 :]:
        if row[0] is None:
            break
        lines.append(dict(zip(rows[first], row, strict=True)))
    return lines
