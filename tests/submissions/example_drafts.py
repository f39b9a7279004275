"""Drafts that nothing blocks, from the chapters' example configurations."""

from submissions.filings import attachments, drafts, questions
from submissions.filings.questions import open_questions
from submissions.models import Person, Reply, Submission
from tests.games.chapters.examples import example
from tests.submissions import files


def ready_to_file(preparer: Person, number: str) -> Submission:
    """A draft of the chapter with every line answered and every file attached."""
    draft = drafts.start_submission(preparer, number)
    answers = example(number)
    attached = {key for key, answer in answers.items() if isinstance(answer, dict)}
    drafts.save_answers(preparer, draft, {key: answers[key] for key in answers.keys() - attached}, seen={})
    for key in attached:
        attachments.attach_file(preparer, draft, key, "house rules.pdf", files.pdf())
    return draft


def answer_all(actor: Person, submission: Submission, text: str = "It is as it was filed.") -> None:
    """Every question of the return that stands, answered in the same words."""
    for remark in open_questions(submission):
        questions.answer_question(actor, remark, kind=Reply.Kind.ANSWER, text=text)
