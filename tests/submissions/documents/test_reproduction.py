"""A signed PDF is enough to compute its figures and deal its rounds again, and what was changed in it is named."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from django.test import override_settings
from django.utils import timezone

from games import registry
from games.__main__ import main
from submissions.documents.document_record import dated_chapter, sealed_record
from submissions.documents.signed_pdf import sign_pdf
from submissions.documents.signing_keys import load_seal
from submissions.filings import filing
from submissions.filings.review import decisions
from submissions.models import Document, Job, Revision, Simulation, Submission
from submissions.tasks import run_task
from tests import cast
from tests.submissions.approved import change, set_apart
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.rulemakings import CELL, publish, rulemaking
from tests.submissions.signed_documents import two_pages

pytestmark = [pytest.mark.slow, pytest.mark.django_db]
ROUNDS = 20_000  # too few to judge a run by: some chapters are dealt again, which is reproduced, too
RECORD, CHAPTER = "RS-2026-00001-R1.json", "RS-2026-00001-R1-chapter.json"
SHORT = "686a"  # two wagers, at once computed

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def paper(module_rows: None) -> bytes:
    """The document of a short chapter with two table groups, with all its pages, as its job makes it."""
    revision = approved(draft_of(SHORT, groups=True))
    run_task(Job.objects.get(kind=Job.Kind.DOCUMENT, subject=revision.pk))
    return bytes(Document.objects.get().signed.content)


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """The command on a file with these bytes: its exit status, what it prints, and what it says beside."""

    def reproduce(content: bytes, *options: str) -> tuple[int, str, str]:
        file = tmp_path / "paper.pdf"
        file.write_bytes(content)
        capsys.readouterr()
        status = main(["reproduce", str(file), "--workers", "2", *options])
        return status, *capsys.readouterr()

    return reproduce


def draft_of(number: str, *, groups: bool = False, **answers: object) -> Submission:
    manager = cast.manager()
    draft = ready_to_file(manager, number)
    change(manager, draft, answers)
    if groups:
        set_apart(draft, "High limit", "7-9", verbal_wagers=False)
    return draft


def approved(draft: Submission) -> Revision:
    """Filed, simulated by the workers' jobs, approved."""
    draft.refresh_from_db()
    with override_settings(SIMULATION_ROUNDS=ROUNDS):
        revision = filing.file_submission(cast.manager(), draft, version=draft.version, attested=True)
    while jobs := Job.objects.filter(kind__in=(Job.Kind.SIMULATE, Job.Kind.DEAL), state=Job.State.DUE):
        for job in jobs:
            run_task(job)
    Simulation.objects.filter(revision=revision).update(passed=True)
    draft.refresh_from_db()
    decisions.recommend_approval(cast.analyst(), draft, version=draft.version)
    draft.refresh_from_db()
    decisions.approve_submission(cast.director(), draft, version=draft.version, confirmed=True)
    return revision


def signed(draft: Submission) -> bytes:
    """Sealed with two pages instead of all; the record and the chapter are those of the document."""
    revision = approved(draft)
    record = sealed_record(revision)
    rendered = two_pages(record, dated_chapter(revision))
    return sign_pdf(rendered.content, f"Rules Submission {revision.receipt}", record["approved"]["by"], load_seal())


@contextmanager
def attached(content: bytes) -> Iterator[tuple[dict[str, Any], BytesIO]]:
    """What is attached to the PDF, to be changed, and the PDF with the changes: no data takes a file out."""
    written = BytesIO()
    with pikepdf.open(BytesIO(content)) as pdf:
        data = {name: json.loads(pdf.attachments[name].get_file().read_bytes()) for name in pdf.attachments}
        yield data, written
        for name in list(pdf.attachments):
            del pdf.attachments[name]
        for name, value in data.items():
            pdf.attachments[name] = pikepdf.AttachedFileSpec(pdf, json.dumps(value).encode(), filename=name)
        pdf.save(written)


@pytest.mark.parametrize("number", registry.folders())
def test_every_chapter_is_equal(number: str, run: Run) -> None:
    status, words, beside = run(signed(draft_of(number)), "--json")
    assert words, beside
    report = json.loads(words)
    (only,) = report["runs"]
    assert (status, report["equal"], report["chapter"], report["rules_from"]) == (0, True, number, "pdf")
    assert report["engine"]["filed"] == report["engine"]["computed"]
    assert all(wager["hold_pct"] == wager["filed_hold_pct"] for wager in only["wagers"])
    assert (only["rounds"] == ROUNDS) == (only["dealt"]["counts"] > 0) == bool(only["wagers"]) == (number != "637a")


def test_each_group_is_reproduced_with_progress(paper: bytes, run: Run) -> None:
    status, words, beside = run(paper)
    assert status == 0
    assert "Everything is equal." in words
    assert "The seal is not verified here" in words
    assert words.count("numbers of rounds with an outcome: equal") == 2
    assert f"{2 * ROUNDS:,} of {2 * ROUNDS:,} rounds (100 %)" in beside
    assert "High limit, configuration 2: computing the exact figures" in beside


def test_changed_count_is_named(paper: bytes, run: Run) -> None:
    with attached(paper) as (data, changed):
        observed = data[RECORD]["simulations"][0]["result"]["wagers"][0]["observed"]
        outcome, count = next(iter(observed.items()))
        observed[outcome] = count + 1
    status, words, _ = run(changed.getvalue())
    assert status == 1
    assert f"rounds with {outcome}: filed {count + 1}, computed {count}" in words
    assert "1 DIFFERENCES." in words


def test_changed_figure_is_named(paper: bytes, run: Run) -> None:
    with attached(paper) as (data, changed):
        row = data[RECORD]["simulations"][1]["analysis"]["wagers"][0]
        hold = row["hold_pct"]
        row["hold_pct"] = filed = round(hold + 1e-9, 9)
    status, words, _ = run(changed.getvalue())
    assert status == 1
    assert f"hold filed {filed} %, computed {hold} %: NOT EQUAL" in words


def test_changed_cell_of_the_chapter_is_named(paper: bytes, run: Run) -> None:
    with attached(paper) as (data, changed):
        files = data[CHAPTER]["files"]
        cell = files["paytables.toml"]
        files["paytables.toml"] = cell.replace("[50, 1]", "[40, 1]")
        assert files["paytables.toml"] != cell
    status, words, _ = run(changed.getvalue())
    assert status == 1
    assert "rules, SHA-256: filed" in words
    assert "outcomes “6 or 33” pays: filed 50 to 1, computed 40 to 1" in words


def test_run_that_was_taken_out_is_named(paper: bytes, run: Run) -> None:
    with attached(paper) as (data, changed):
        del data[RECORD]["simulations"][1]
    status, words, _ = run(changed.getvalue())
    assert (status, "run of High limit: filed missing" in words) == (1, True)


def test_pdf_of_before_is_computed_by_the_installed_chapter_if_it_is_the_same(paper: bytes, run: Run) -> None:
    with attached(paper) as (data, before):
        del data[CHAPTER]
    status, _, beside = run(before.getvalue())
    assert (status, "carries no chapter" in beside, "add --installed" in beside) == (2, True, True)
    status, words, _ = run(before.getvalue(), "--installed", "--json")
    assert (status, json.loads(words)["rules_from"]) == (0, "installed")
    with attached(before.getvalue()) as (data, other):
        data[RECORD]["snapshot"]["rules_digest"] = "0" * 64
    status, _, beside = run(other.getvalue(), "--installed")
    assert (status, "names the rules 000000000000" in beside) == (2, True)


def test_files_that_are_no_such_pdf_are_refused(paper: bytes, run: Run) -> None:
    with attached(paper) as (data, draft):
        data[RECORD]["simulations"] = []
    with attached(paper) as (data, layout):
        del data[RECORD]["snapshot"]
    with attached(paper) as (data, damaged):
        data[RECORD]["simulations"][0]["seed"] = "1"
    with attached(paper) as (data, empty):
        data.clear()
    with attached(paper) as (data, later):
        data[RECORD]["format"] = 9
    for content, problem in (
        (b"%PDF-1.7", "cannot be read as a PDF"),
        (empty.getvalue(), "carries 0 records"),
        (draft.getvalue(), "has no evidence"),
        (layout.getvalue(), "another paper of the portal"),
        (damaged.getvalue(), "seed '1': allowed are 0 to"),
        (later.getvalue(), "`format` is not 1"),
    ):
        status, words, beside = run(content)
        assert (status, words) == (2, ""), problem
        assert problem in beside
        assert "allowed is the signed PDF of an approved Rules Submission" in beside


def test_rulemaking_is_in_the_pdf_and_not_here(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    today = timezone.localdate()
    with monkeypatch.context() as board:
        publish(board, rulemaking("687a", today, CELL))
        content = signed(draft_of("687a", trips_paytable="DJWT-05"))
    revision = Revision.objects.latest("pk")
    assert revision.rules_digest != registry.chapter("687a", today).digest
    status, words, _ = run(content)
    assert (status, "Chapter from the PDF: equal" in words) == (0, True)
    with attached(content) as (data, before):
        del data[f"{revision.receipt}-chapter.json"]
    status, _, beside = run(before.getvalue(), "--installed")
    assert (status, "Install the edition that has the rules" in beside) == (2, True)


def test_chapter_that_was_corrected_since_is_not_attached(paper: bytes) -> None:
    revision = Revision.objects.get()
    assert dated_chapter(revision) is not None
    revision.rules_digest = "0" * 64
    assert dated_chapter(revision) is None
