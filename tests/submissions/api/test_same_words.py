"""Page, dry judgment, command and bulk say the same of the same random configurations, word for word.

`make soak` takes 210 configurations, the suite one of each chapter.

Two things are said differently by their nature: what is not answered yet, a page shows as an open line and an item of
bulk leaves open; and of an answer to a line that is not asked, the command says why it is not used.
"""

from __future__ import annotations

import json
import random
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from games.__main__ import main
from games.registry import chapter as chapter_of
from games.registry import folders
from games.rules.evaluate import judge
from games.rules.model import Chapter, Option
from submissions.bulk.intake import Upload, accept_upload
from submissions.filings import drafts
from submissions.filings.evidence.computations import compute_figures
from submissions.models import Item, Job, Organization, Person
from submissions.tasks import run_task
from tests.games.chapters.examples import example
from tests.soak import SOAK
from tests.submissions.api.clients import made, system

pytestmark = pytest.mark.slow

OF_EACH_CHAPTER = 10 if SOAK else 1
SEED = 601
UNANSWERED = ".not-answered"
PARTS = ("finding__fix", "section")  # of a finding, besides its message

Words = tuple[str, str, str, str]  # severity, message, fix, citation
ANSWERS: dict[str, tuple[object, ...]] = {
    "count": (0, 1, 2, 3, 6, 7, 99, -1, 2**40, "three", "3", True),
    "money": ("5000.00", "100.00", "75000.00", "0", "-5.00", "0.005", "a lot", "1e9", 250),
    "percent": ("2.5", "0", "100", "101", "-1", "half", 20),
    "text": ("As the floor does.", "§ 601a.10 <b>&amp;</b> “so”", "  ", "x" * 5_000, 3, False),
}


class Findings(HTMLParser):
    """What a page says in its findings: severity, message, fix and citation of each."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.said: set[Words] = set()
        self._path: list[str] = []
        self._parts: dict[str, str] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        names = (dict(attributes).get("class") or "").split()
        if "finding" in names:
            self._path, self._parts = ["finding"], {"severity": names[-1].removeprefix("finding--")}
        elif self._path:
            self._path.append(next((name for name in names if name in PARTS), tag))

    def handle_endtag(self, tag: str) -> None:
        if self._path:
            self._path.pop()
            if not self._path:
                severity, *rest = (" ".join(self._parts.get(name, "").split()) for name in ("severity", "p", *PARTS))
                self.said.add((severity, rest[0], rest[1], rest[2]))

    def handle_data(self, data: str) -> None:
        if self._path:
            self._parts[self._path[-1]] = self._parts.get(self._path[-1], "") + data


def drawn(chance: random.Random, option: Option, chapter: Chapter) -> object:
    """An answer that a person or a program might give: right, wrong, or none."""
    if chance.random() < 0.1:
        return None
    if option.kind == "yes_no":
        return chance.choice((True, True, True, False, False, "perhaps"))
    if option.kind == "choice":
        return chance.choice([*(one.value for one in option.choices), "none-of-these"])
    if option.kind == "paytable":
        return chance.choice([*(table.name for table in chapter.tables_of(option.wager)), "X-99"])
    return chance.choice(ANSWERS[option.kind])


def configuration(chance: random.Random, number: str) -> dict[str, Any]:
    """The chapter's example with a third of its lines answered anew; files are left out."""
    chapter, answers = chapter_of(number), example(number)
    lines = [option for option in chapter.options if option.kind != "attachment"]
    return {
        option.key: drawn(chance, option, chapter) if chance.random() < 0.33 else answers.get(option.key)
        for option in lines
    }


@pytest.fixture
def cases() -> list[tuple[str, dict[str, Any]]]:
    chance, numbers = random.Random(SEED), sorted(folders())
    return [(number, configuration(chance, number)) for number in numbers * OF_EACH_CHAPTER]


def store_figures(cases: list[tuple[str, dict[str, Any]]]) -> None:
    """What a page then says of holds: those of all paytables, and those of answers that nothing blocks."""
    for number, answers in cases:
        compute_figures(chapter_of(number))
        if not judge(chapter_of(number), answers).blocking:
            compute_figures(chapter_of(number), answers)


def by_page(manager: Person, browser: Client, number: str, answers: dict[str, Any]) -> set[Words]:
    draft = drafts.start_submission(manager, number)
    drafts.save_answers(manager, draft, answers, seen={})
    return Findings(browser.get(f"/submissions/{draft.number}/checklist/").content.decode()).said


def by_judgment(client: Client, number: str, answers: dict[str, Any]) -> list[dict[str, Any]]:
    address = f"/api/v1/chapters/{number}/judge/?fields=findings"
    findings: list[dict[str, Any]] = client.post(address, {"answers": answers}, content_type="application/json").json()[
        "findings"
    ]
    waivers = [finding.pop("waiver") for finding in findings]  # a member of the API: no waiver was entered here
    assert set(waivers) <= {None}
    return findings


def by_command(number: str, answers: dict[str, Any], folder: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    (folder / "answers.json").write_text(json.dumps(answers))
    main(["check", number, "--config", str(folder / "answers.json"), "--json"])
    return json.loads(capsys.readouterr().out)["findings"]


def by_bulk(manager: Person, cases: list[tuple[str, dict[str, Any]]]) -> list[Any]:
    """What the items of a batch are refused with, in the mode that only says what would happen."""
    items = [{"action": "create", "chapter": number, "answers": answers} for number, answers in cases]
    batch = accept_upload(manager, Upload(items, "json", "0" * 64), mode="validate", atomic=False)
    run_task(Job.objects.get(kind=Job.Kind.CHECK, subject=batch.pk))
    return list(Item.objects.filter(batch=batch).order_by("place").values_list("findings", flat=True))


def words(findings: list[dict[str, Any]]) -> set[Words]:
    """Those that a page says in words: whatever is not merely unanswered."""
    return {
        (one["severity"], *(" ".join(one[name].split()) for name in ("message", "fix", "citation")))
        for one in findings
        if not one["rule"].endswith(UNANSWERED)
    }


def test_all_four_say_the_same(
    cases: list[tuple[str, dict[str, Any]]],
    casino: Organization,
    manager: Person,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    browser, client = Client(), system(made(casino).token)
    browser.force_login(manager)
    store_figures(cases)
    bulk = by_bulk(manager, cases)
    differing, said = [], []
    for (number, answers), of_item in zip(cases, bulk, strict=True):
        judged = by_judgment(client, number, answers)
        page = by_page(manager, browser, number, answers)
        command = by_command(number, answers, tmp_path, capsys)
        said += list(page)
        if page != words(judged):
            differing.append(("page", number, page ^ words(judged)))
        if of_item != [one for one in judged if one["severity"] == "blocking" and not one["rule"].endswith(UNANSWERED)]:
            differing.append(("bulk", number, of_item))
        if command != judged:
            differing.append(("command", number, command))
    assert differing == []
    assert len(said) > 1.5 * len(cases)
    assert {severity for severity, *_ in said} == {"blocking", "warning", "note"}
