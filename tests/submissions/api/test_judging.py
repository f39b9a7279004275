"""Dry judgement: page, command and API say the same of the same answers, word for word, and nothing is kept."""

from __future__ import annotations

import argparse
import json
import random
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from games.commands import check
from games.rules.evaluate import effective
from games.rules.model import Chapter, Option
from games.rules.registry import chapter as chapter_of
from games.rules.registry import folders
from submissions import analysis
from submissions.actions import drafts
from submissions.api import limits
from submissions.models import Event, Organisation, Person, Submission
from submissions.web.lines import checklist
from tests.submissions.actions.prepared import example
from tests.submissions.api.conftest import made, system

CASES = 20


@pytest.fixture(autouse=True)
def _somebody_computes() -> None:
    """So that no thread begins to: what is computed is computed by the test that is about it."""
    for number in folders():
        cache.set(f"{analysis._key(chapter_of(number))}:begun", True)


@pytest.fixture
def client(casino: Organisation) -> Client:
    limits.start_anew()
    return system(made(casino).token)


def judged(client: Client, number: str, answers: dict[str, Any], query: str = "?fields=findings,asked") -> Any:
    body = {"answers": answers}
    answer = client.post(f"/api/v1/chapters/{number}/judge/{query}", body, content_type="application/json")
    assert answer.status_code == 200, answer.content
    return answer.json()


def drawn(chance: random.Random, option: Option, chapter: Chapter) -> object:
    """An answer that a person might give, right or wrong; mostly right."""
    if chance.random() < 0.1:
        return None
    if option.kind == "yes_no":
        return chance.random() < 0.7
    if option.kind == "choice":
        return chance.choice([one.value for one in option.choices])
    if option.kind == "paytable":
        return chance.choice([table.name for table in chapter.tables_of(option.wager)] + ["X-99"])
    if option.kind == "count":
        return chance.choice([0, 1, 2, 3, 99])
    return {"money": "5000.00", "percent": "2.5", "text": "As the floor does."}.get(option.kind)


def configuration(chance: random.Random, number: str) -> dict[str, Any]:
    """The chapter's example with a third of its lines answered anew; no files."""
    chapter, answers = chapter_of(number), dict(example(number))
    for option in chapter.options:
        if chance.random() < 0.33:
            answers[option.key] = drawn(chance, option, chapter)
    return {option.key: answers.get(option.key) for option in chapter.options if option.kind != "attachment"}


def plain(html: str) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", html)))


def test_page_command_and_api_say_the_same(
    client: Client, manager: Person, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chance, numbers = random.Random(7), sorted(folders())
    browser, today, blocking = Client(), timezone.localdate(), 0
    browser.force_login(manager)
    for case in range(CASES):
        number = numbers[case % len(numbers)]
        draft = drafts.start(manager, number)
        answers = drafts.save_answers(manager, draft, configuration(chance, number), seen={}).answers
        told = judged(client, number, answers)["findings"]
        assert told == by_command(number, answers, tmp_path, capsys)
        used = judged(client, number, dict(effective(chapter_of(number), answers, today)))["findings"]
        shown = checklist(chapter_of(number), answers, {}, {}).judgement.findings
        assert [(one["rule"], one["message"], one["fix"], one["citation"]) for one in used] == [
            (one.rule, one.message, one.fix, one.citation) for one in shown
        ]
        if case % 4 == 0:
            page = plain(browser.get(f"/submissions/{draft.number}/checklist/").content.decode())
            wrong = [one for one in used if one["severity"] == "blocking" and not one["rule"].endswith("not-answered")]
            assert [one["message"] for one in wrong if plain(one["message"]) not in page] == []
            blocking += len(wrong)
    assert blocking > 3


def by_command(number: str, answers: object, folder: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """What `python -m games check` prints."""
    (folder / "answers.json").write_text(json.dumps(answers))
    parser = argparse.ArgumentParser()
    check.configure(parser)
    check.run(parser.parse_args([number, "--config", str(folder / "answers.json"), "--json"]))
    return json.loads(capsys.readouterr().out)["findings"]


def test_holds_are_the_exact_ones_of_the_kept_figures(client: Client) -> None:
    chapter = chapter_of("585")
    computed = analysis.compute(chapter)
    told = judged(client, "585", example("585"), "")
    assert (told["computing"], told["rules_digest"], told["blocking"]) == (False, chapter.digest, 0)
    holds = {(row["wager"], row["spot"]): row["hold_fraction"] for row in told["holds"]}
    assert holds
    assert holds == {
        (row.wager, row.spot): str(row.hold) for row in computed.values() if row.paytable in told["paytables"].values()
        or not row.paytable
    }  # fmt: skip


def test_what_is_not_computed_yet_says_so(client: Client) -> None:
    told = judged(client, "585", example("585"), "?fields=computing,holds")
    assert told == {"computing": True, "holds": []}


def test_nothing_is_kept(client: Client) -> None:
    events = Event.objects.count()
    judged(client, "687a", example("687a"), "?fields=blocking")
    assert (Submission.objects.count(), Event.objects.count()) == (0, events)


@pytest.mark.parametrize("answer", [[], {"a": [1]}, "x" * 100_000, 10**300, "1E+999999999", -0.5, "\u202e\u0000"])
def test_odd_answers_are_findings_not_faults(client: Client, answer: object) -> None:
    chapter = chapter_of("687a")
    answers = {option.key: answer for option in chapter.options} | {"no_such_line": answer}
    told = judged(client, "687a", answers)["findings"]
    assert "687a.unknown-option" in {one["rule"] for one in told}
    assert len(told) > len(chapter.options) / 3
