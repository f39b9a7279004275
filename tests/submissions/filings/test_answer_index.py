"""The index over what was filed: made with the filing."""

import pytest

from submissions.filings import filing
from submissions.filings.answer_values import answer_rows, indexed_value
from submissions.models import IndexedAnswer, Person, Submission
from tests.games.chapters.examples import example
from tests.submissions.example_drafts import ready_to_file

pytestmark = pytest.mark.service("queries")


@pytest.fixture
def filed(preparer: Person, manager: Person) -> Submission:
    submission = ready_to_file(preparer, "686a")
    filing.file_submission(manager, submission, version=submission.version, attested=True)
    return submission


def rows() -> set[tuple[int, str, str]]:
    return set(IndexedAnswer.objects.values_list("configuration", "option", "value"))


def test_filing_makes_a_row_of_every_answer(filed: Submission) -> None:
    assert {option for _, option, _ in rows()} == set(example("686a"))
    assert {(0, "discard_rack_equal", "yes"), (0, "adjacent_boxes", "3"), (0, "odds_posted", "layout")} <= rows()


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        (True, "yes"),
        (False, "no"),
        (3, "3"),
        ("50000.00", "50000"),
        ("0.50", "0.5"),
        ("100", "100"),
        ("v1.10", "v1.10"),
        (None, ""),
        ({"name": "rules.pdf", "sha256": "0" * 64, "size": 3}, "rules.pdf"),
        ("x" * 300, "x" * 200),
    ],
)
def test_values_have_one_form(answer: object, value: str) -> None:
    assert indexed_value(answer) == value


def test_what_is_not_answered_has_no_row() -> None:
    content = {"configurations": [{"answers": {"hand": True}}, {"answers": {"hand": False, "cards": "", "x": None}}]}
    assert list(answer_rows(content)) == [(0, "hand", "yes"), (1, "hand", "no")]
