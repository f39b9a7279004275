"""What should not be sent to a submission's page: told on that page, with what to do, and nothing typed is lost.

The same refusals by their codes stand with the actions' tests; the mail server that is down in `test_email`.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from submissions.models import Event, Person, Remark, Simulation, Submission
from tests.submissions.verbs import VERBS, Saying
from tests.submissions.web.clients import browser

NOVEL = "x" * 100_000
YESTERDAY = f"{timezone.localdate() - timedelta(days=1)}"
REMARK = {"audience": "board", "revision": 1, "configuration": 0, "option": "adjacent_boxes"}

# the way to the state (who, verb), who sends what where, then the status and what the page says besides the typed words
CASES = (
    ("", "analyst", "remark", REMARK | {"text": NOVEL}, 400, "has 100,000 characters. The limit is 10,000."),
    ("", "analyst", "decide return", {"reason": " \n "}, 400, "A return needs at least one question."),
    (
        "recommend",
        "director",
        "decide approve",
        {"reason": "Fine.", "from_day": YESTERDAY, "confirmed": "yes"},
        400,
        "that day has passed.",
    ),
    ("recommend", "director", "decide approve", {"reason": "Fine.", "from_day": "soon"}, 400, "soon"),
    ("return", "director", "decide return", {"reason": "And the sign?"}, 409, "Analyst One returned it at"),
    ("return answer file", "manager", "remark-follow", {"do": "answered", "text": "Late."}, 400, "no longer open"),
    ("", "director", "decide reject", {"reason": ""}, 400, "A reason is required for: Reject."),
    ("", "manager", "decide withdraw", {"reason": ""}, 400, "A reason is required for: Withdraw."),
)


@pytest.fixture
def cast(manager: Person, analyst: Person, director: Person) -> dict[str, Person]:
    return {"manager": manager, "analyst": analyst, "director": director}


@pytest.mark.parametrize(("way", "who", "where", "typed", "status", "words"), CASES)
def test_bad_input_is_told_and_what_was_typed_stays(
    cast: dict[str, Person], filed: Submission, way: str, who: str, where: str, typed: dict[str, object], status: int,
    words: str,
) -> None:  # fmt: skip
    Simulation.objects.update(passed=True)
    for verb in way.split():
        by = "analyst" if verb in ("return", "recommend") else "manager"
        VERBS[verb](cast[by], filed, Saying(version=filed.version))
        filed.refresh_from_db()
    events = Event.objects.count()
    name, *more = where.split()
    more = [Remark.objects.get().pk] if name == "remark-follow" else more
    answer = browser(cast[who]).post(reverse(name, args=[filed.number, *more]), {"version": filed.version, **typed})
    page = answer.content.decode()
    assert (answer.status_code, words in page) == (status, True), page
    assert all(str(typed.get(field, "")).strip() in page for field in ("text", "reason", "from_day"))
    assert Event.objects.count() == events
