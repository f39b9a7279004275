"""The errata on pages: counts, filters, a chapter's notes with their holds, and downloads."""

from __future__ import annotations

import csv
import json
import re
from io import StringIO

import pytest
from django.urls import reverse

from games.registry import chapter, errata
from games.rules.errata import ErrataNote
from submissions.models import Job
from submissions.tasks import run_task
from tests.submissions.web.clients import browser

pytestmark = pytest.mark.django_db


def shown(name: str, *arguments: str, status: int = 200, **parameters: str) -> str:
    answer = browser().get(reverse(name, args=arguments), parameters)
    assert answer.status_code == status
    return answer.content.decode()


def note_ids(page: str) -> list[str]:
    return re.findall(r'<article class="erratum" id="([^"]+)"', page)


def notes_with(note_class: str = "", effect: str = "") -> list[ErrataNote]:
    return [
        note for note in errata("683a").notes if note_class in ("", note.note_class) and effect in ("", note.effect)
    ]


def run_jobs(*kinds: Job.Kind) -> None:
    for job in Job.objects.filter(kind__in=kinds, state=Job.State.DUE):
        run_task(job)
        job.refresh_from_db()
        assert job.state == Job.State.DONE, job.message


def test_index_counts_the_notes_of_each_chapter_and_in_all() -> None:
    page = " ".join(shown("errata").split())
    row = page[page.index(reverse("errata-chapter", args=["683a"])) :].partition("</tr>")[0]
    counts = dict(re.findall(r'data-label="([^"]+)">(\d+)<', row))
    assert counts["Notes"] == str(len(chapter("683a").readings))
    assert {name: counts[name.capitalize()] for name in ("clerical", "cross-reference", "substantive")} == {
        name: str(len(notes_with(name))) for name in ("clerical", "cross-reference", "substantive")
    }
    assert counts["Effect payout"] == str(len(notes_with(effect="payout")))


@pytest.mark.parametrize(("note_class", "effect"), [("", ""), ("clerical", ""), ("", "payout"), ("clerical", "none")])
def test_filter_shows_the_notes_of_that_class_and_effect(note_class: str, effect: str) -> None:
    page = shown("errata-chapter", "683a", **{"class": note_class, "effect": effect})
    assert sorted(note_ids(page)) == sorted(note.reading for note in notes_with(note_class, effect))


def test_notes_are_shown_in_the_order_of_the_sections() -> None:
    page = shown("errata-chapter", "683a")
    headings = [int(number) for number in re.findall(r"<h2 id=\"section-\d+\">§.683a\.(\d+)\.", page)]
    assert headings == sorted(set(headings))
    citations = [next(row.citation for row in chapter("683a").readings if row.id == each) for each in note_ids(page)]
    assert citations == sorted(citations, key=list(chapter("683a").sections).index)


@pytest.mark.parametrize("name", ["errata", "errata-chapter"])
def test_filter_that_no_note_has_is_refused_in_words(name: str) -> None:
    arguments = ["683a"] if name == "errata-chapter" else []
    page = shown(name, *arguments, status=400, **{"class": "typographical"})
    assert "No interpretation note has the class “typographical”." in page
    assert "Choose one of clerical, cross-reference, substantive." in page


def test_holds_come_with_the_job_that_the_first_page_enqueues() -> None:
    assert "The portal is computing the holds." in shown("errata-chapter", "683a")
    run_jobs(Job.Kind.ERRATA_HOLDS, Job.Kind.ANALYZE)
    page = shown("errata-chapter", "683a")
    assert "is computing" not in page
    assert all(figure in page for figure in ("2.316742", "2.135747", "−0.180995"))
    assert "Differs" in page
    assert "683a.mini-royal-40" in page


def test_json_and_csv_have_the_same_notes() -> None:
    content = json.loads(shown("errata-json", chapter="683a"))
    (report,) = content["chapters"]
    assert sorted(note["id"] for note in report["notes"]) == sorted(row.id for row in chapter("683a").readings)
    assert report["computing"] is True
    lines = list(csv.DictReader(StringIO(shown("errata-csv", chapter="683a").lstrip("\N{ZERO WIDTH NO-BREAK SPACE}"))))
    assert [line["id"] for line in lines] == [note["id"] for note in report["notes"]]
    assert [line["proposed"] for line in lines] == [note["proposed"] for note in report["notes"]]
    assert {line["effect"] for line in csv.DictReader(StringIO(shown("errata-csv", effect="payout")[1:]))} == {"payout"}


def test_download_of_a_filter_that_no_note_has_is_refused() -> None:
    assert "No interpretation note has the effect “odds”." in shown("errata-json", status=400, effect="odds")


def test_chapter_links_to_its_errata() -> None:
    assert reverse("errata-chapter", args=["683a"]) in shown("chapter", "683a")
    assert reverse("errata") in shown("chapters")
