"""Drafts that nothing blocks, from the chapters' example configurations."""

import json
from pathlib import Path

from submissions.actions import drafts, questions, uploads
from submissions.models import Person, Reply, Submission
from submissions.reopening import asked_now
from tests.submissions.actions import files

EXAMPLES = Path(__file__).parents[2] / "games" / "chapters" / "examples"


def example(number: str) -> dict[str, object]:
    return json.loads((EXAMPLES / f"{number}.json").read_text())


def ready_to_file(preparer: Person, number: str) -> Submission:
    """A draft of the chapter with every line answered and every file attached."""
    draft = drafts.start(preparer, number)
    answers = example(number)
    attached = {key for key, answer in answers.items() if isinstance(answer, dict)}
    drafts.save_answers(preparer, draft, {key: answers[key] for key in answers.keys() - attached}, seen={})
    for key in attached:
        uploads.attach(preparer, draft, key, "house rules.pdf", files.pdf())
    return draft


def answer_all(actor: Person, submission: Submission, text: str = "It is as it was filed.") -> None:
    """Every question of the return that stands, answered in the same words."""
    for remark in asked_now(submission):
        questions.answer(actor, remark, kind=Reply.Kind.ANSWERED, text=text)
