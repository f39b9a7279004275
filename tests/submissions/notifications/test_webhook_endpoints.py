"""Which events go to which webhook: what is recorded for a webhook is what its organization reads, no more."""

from __future__ import annotations

import json
import logging
import re
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from submissions.accounts import api_credentials
from submissions.audit.record import record_event
from submissions.audit.timeline import VERB_TEXTS
from submissions.core.encryption import decrypt, encrypt
from submissions.core.errors import Conflict, Forbidden, NotFound, Refusal
from submissions.models import Delivery, Event, Job, Organization, Person, Remark, Submission, Webhook
from submissions.notifications import webhooks
from submissions.notifications.webhooks import ENCRYPTION_PURPOSE
from submissions.permissions import history_visible_to
from submissions.permissions.credentials import webhooks_history_visible_to, webhooks_visible_to
from tests.submissions.api.clients import administrator, made
from tests.submissions.example_drafts import answer_all, ready_to_file
from tests.submissions.verbs import VERBS, Saying

pytestmark = pytest.mark.service("constraints")

URL = "https://hooks.example.test/portal?from=1"


@pytest.fixture(autouse=True)
def _one_factor(settings: Any) -> None:
    settings.SECOND_FACTOR = False


def webhook_of(organization: Organization, **given: Any) -> Webhook:
    return webhooks.create_webhook(administrator(organization), **{"url": URL, **given}).webhook


def verbs_of(webhook: Webhook) -> list[str]:
    """Return the verbs of its deliveries, in order."""
    return [json.loads(one.body)["verb"] for one in webhook.deliveries.order_by("pk")]


def do(verb: str, actor: Person, submission: Submission, **said: Any) -> None:
    submission.refresh_from_db()
    VERBS[verb](actor, submission, Saying(version=submission.version, **said))


def test_each_organization_is_told_what_its_people_read(
    casino: Organization, other_casino: Organization, board: Organization, manager: Person, analyst: Person
) -> None:
    """Through a return and a second filing: remarks within the Board, answers that are not filed yet."""
    own, boards = webhook_of(casino), webhook_of(board)
    elsewhere = [webhook_of(other_casino), webhook_of(casino, live=False), webhook_of(board, live=False)]
    submission = ready_to_file(manager, "686a")
    do("file", manager, submission)
    do("remark", analyst, submission, asked="")
    do("remark", analyst, submission, asked="", audience=Remark.Audience.BOARD)
    do("return", analyst, submission)
    for value in (False, True):
        do("edit", manager, submission, line="discard_rack_equal", value=value)
    answer_all(manager, submission)
    do("file", manager, submission)
    read = {one: list(history_visible_to(one, submission).values_list("verb", flat=True)) for one in (manager, analyst)}
    assert verbs_of(own) == read[manager]
    assert verbs_of(boards) == [
        verb for verb in read[analyst] if verb not in ("started", "saved", "attached", "answered")
    ]
    assert verbs_of(boards) == ["filed", "remarked", "remarked", "returned", "filed"]
    assert "remarked" not in verbs_of(own)
    assert [verbs_of(one) for one in elsewhere] == [[], [], []]


def test_sandbox_tells_sandboxes_alone(casino: Organization, board: Organization) -> None:
    live = [webhook_of(casino), webhook_of(board)]
    own, boards = webhook_of(casino, live=False), webhook_of(board, live=False)
    signer = api_credentials.sandbox_signer(own.organization)
    submission = ready_to_file(signer, "686a")
    do("file", signer, submission)
    assert [verbs_of(one) for one in live] == [[], []]
    assert (verbs_of(own)[0], verbs_of(own)[-1], verbs_of(boards)) == ("started", "filed", ["filed"])


def test_delivery_and_its_job_are_there_if_the_event_is(casino: Organization, manager: Person) -> None:
    webhook_of(casino)
    submission = ready_to_file(manager, "686a")
    Delivery.objects.all().delete()
    Job.objects.all().delete()
    with transaction.atomic():
        record_event(manager, submission, "withdrew")
        transaction.set_rollback(True)
    assert (Delivery.objects.count(), Job.objects.count()) == (0, 0)
    with transaction.atomic():
        event = record_event(manager, submission, "withdrew")
    delivery = Delivery.objects.get()
    assert delivery.event == event
    assert [(job.kind, job.subject) for job in Job.objects.all()] == [("webhook", delivery.pk)]


def test_body_tells_the_event_in_the_words_of_the_history(casino: Organization, manager: Person) -> None:
    webhook = webhook_of(casino, verbs=["saved", "filed"])
    submission = ready_to_file(manager, "686a")
    webhook.deliveries.all().delete()
    do("edit", manager, submission, line="discard_rack_equal", value=False)
    do("edit", manager, submission, line="discard_rack_equal", value=True)
    do("file", manager, submission)
    submission.refresh_from_db()
    bodies = [json.loads(one.body) for one in webhook.deliveries.order_by("pk")]
    assert [one["verb"] for one in bodies] == ["saved", "saved", "filed"]
    assert [[(line["option"], line["before"], line["after"]) for line in one["changes"]] for one in bodies] == [
        [("discard_rack_equal", "Yes", "No")], [("discard_rack_equal", "No", "Yes")], [],
    ]  # fmt: skip
    event, delivery = Event.objects.get(verb="filed"), webhook.deliveries.latest("pk")
    assert bodies[-1] == {
        "id": delivery.key, "verb": "filed", "at": timezone.localtime(event.at).isoformat(), "number": event.sequence,
        "submission": submission.number, "chapter": "686a", "licensee": "east", "status": "filed",
        "version": submission.version, "who": "Manager East", "role": "Table Games Manager", "what": "filed it",
        "detail": f"Receipt {submission.number}-R1.", "reason": "", "changes": [],
        "href": f"http://127.0.0.1:8000/api/v1/submissions/{submission.number}/",
    }  # fmt: skip


def test_only_the_verbs_that_are_wanted_are_told(casino: Organization, manager: Person) -> None:
    some, every, ended = webhook_of(casino, verbs=["filed", "started"]), webhook_of(casino), webhook_of(casino)
    webhooks.end_webhook(administrator(casino), ended)
    do("file", manager, ready_to_file(manager, "585"))
    assert (verbs_of(some), verbs_of(every)[0], verbs_of(ended)) == (["started", "filed"], "started", [])


def test_what_can_be_chosen_is_told_at_some_time() -> None:
    """The Board's own words stay within it, and what is not filed yet with its licensee."""
    licensee, board = (set(webhooks.verbs_for(kind)) for kind in Organization.Kind)
    assert licensee - board >= {"started", "saved", "answered", "layout-drawn"}
    assert board - licensee == {
        "remarked", "replied", "resolved", "reopened", "layout-judged", "work-assigned", "work-unassigned",
    }  # fmt: skip
    assert licensee | board == set(VERB_TEXTS)


def test_event_of_a_chapter_that_the_portal_no_longer_knows_is_told(casino: Organization, manager: Person) -> None:
    webhook = webhook_of(casino, verbs=["withdrew"])
    submission = ready_to_file(manager, "585")
    Submission.objects.filter(pk=submission.pk).update(chapter="999z")
    do("withdraw", manager, submission)
    [body] = [json.loads(one.body) for one in webhook.deliveries.all()]
    assert (body["what"], body["chapter"], body["changes"]) == ("withdrew it", "999z", [])


def test_one_test_waits_at_a_time(casino: Organization) -> None:
    webhook, chief = webhook_of(casino), administrator(casino)
    first = webhooks.send_test(chief, webhook)
    assert webhooks.send_test(chief, webhook) == first
    Delivery.objects.update(delivered_at=timezone.now())
    assert webhooks.send_test(chief, webhook) != first


def test_event_costs_one_query_where_nobody_is_told(
    casino: Organization, manager: Person, django_assert_num_queries: Any
) -> None:
    submission = ready_to_file(manager, "585")
    event = Event.objects.select_related("submission").latest("sequence")
    with django_assert_num_queries(1):
        assert webhooks.notify_webhooks(event) == []
    ended = webhook_of(casino)
    webhooks.end_webhook(administrator(casino), ended)
    about_people = Event.objects.filter(submission=None).latest("sequence")
    with django_assert_num_queries(0):
        assert webhooks.notify_webhooks(about_people) == []
    assert event.submission == submission


def test_secret_is_told_once_and_kept_enciphered(
    casino: Organization, manager: Person, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        found = webhooks.create_webhook(administrator(casino), url=URL)
        ready_to_file(manager, "585")
    assert re.fullmatch("whsec_[A-Za-z0-9+/]{43}=", found.secret)
    tables = (Webhook, Delivery, Event, Job)
    kept = json.dumps([list(table.objects.values()) for table in tables], default=str) + caplog.text
    assert found.secret not in kept
    assert decrypt(Webhook.objects.get().secret, ENCRYPTION_PURPOSE) == found.secret
    assert "from=1" not in json.dumps(list(Event.objects.values()), default=str)  # an address may have a secret in it


def test_secret_of_another_key_or_purpose_is_unreadable(settings: Any) -> None:
    kept = encrypt("whsec_1", ENCRYPTION_PURPOSE)
    with pytest.raises(Refusal) as refused:
        decrypt(kept, "another")
    assert refused.value.code == "secret-unreadable"
    settings.SECRET_KEY = "another"
    with pytest.raises(Refusal):
        decrypt(kept, ENCRYPTION_PURPOSE)


def test_there_are_no_more_than_ten(casino: Organization) -> None:
    first = webhook_of(casino)
    for _ in range(webhooks.MOST_WEBHOOKS - 1):
        webhook_of(casino)
    with pytest.raises(Conflict) as refused:
        webhook_of(casino)
    assert refused.value.code == "webhooks-full"
    webhook_of(casino, live=False)
    webhooks.end_webhook(administrator(casino), first)
    webhook_of(casino)


def test_administrators_and_programs_that_write_say_where(
    casino: Organization, other_casino: Organization, manager: Person
) -> None:
    seats = {
        scopes: made(casino, scopes=[scopes], live=live).credential.service_account
        for scopes, live in (("read", True), ("prepare", True), ("file", False))
    }
    for refused in (manager, seats["read"]):
        with pytest.raises(Forbidden):
            webhooks.create_webhook(refused, url=URL)
    own = webhooks.create_webhook(seats["prepare"], url=URL).webhook
    sandbox = webhooks.create_webhook(seats["file"], url=URL).webhook
    assert (own.organization, sandbox.organization) == (casino, casino.sandbox)
    assert [set(webhooks_visible_to(one)) for one in (administrator(casino), *seats.values())] == [
        {own, sandbox}, {own}, {own}, {sandbox},
    ]  # fmt: skip
    strangers = (
        manager,
        administrator(other_casino),
        made(other_casino, scopes=["prepare"]).credential.service_account,
    )
    for stranger in strangers:
        assert not webhooks_visible_to(stranger).exists()
        with pytest.raises((Forbidden, NotFound)):
            webhooks.end_webhook(stranger, own)
    with pytest.raises(NotFound):
        webhooks.end_webhook(seats["file"], own)
    assert not Webhook.objects.exclude(ended_at=None).exists()


def test_what_is_done_with_webhooks_stands_in_the_history(casino: Organization, other_casino: Organization) -> None:
    chief = administrator(casino)
    webhooks.end_webhook(chief, webhook_of(casino, verbs=["filed"]))
    events = list(webhooks_history_visible_to(chief))
    assert [event.verb for event in events] == ["webhook-ended", "webhook-made"]
    assert events[1].after == {
        "webhook": Webhook.objects.get().pk, "host": "https://hooks.example.test", "verbs": ["filed"],
    }  # fmt: skip
    assert not webhooks_history_visible_to(administrator(other_casino)).exists()


def test_ended_webhook_is_ended_once_and_sends_nothing_more(casino: Organization, manager: Person) -> None:
    webhook, chief = webhook_of(casino), administrator(casino)
    ready_to_file(manager, "585")
    delivery = webhook.deliveries.first()
    webhooks.end_webhook(chief, webhook)
    given_up = webhook.deliveries.exclude(given_up_at=None)
    assert {one.note for one in given_up} == {"The webhook was ended before it was delivered."}
    assert given_up.count() == webhook.deliveries.count()
    for deed in (
        lambda: webhooks.end_webhook(chief, webhook),
        lambda: webhooks.send_test(chief, webhook),
        lambda: webhooks.replay_delivery(chief, delivery),
    ):
        with pytest.raises(Conflict) as refused:
            deed()
        assert refused.value.code == "webhook-ended"


def test_replay_is_due_at_once_and_keeps_key_and_body(casino: Organization, manager: Person) -> None:
    webhook = webhook_of(casino)
    ready_to_file(manager, "585")
    delivery = webhook.deliveries.last()
    now = timezone.now()
    Delivery.objects.filter(pk=delivery.pk).update(given_up_at=now, attempts=20)
    Job.objects.filter(subject=delivery.pk).update(state=Job.State.FAILED, fence=40)
    Webhook.objects.update(rests_until=now + timezone.timedelta(hours=6))
    again = webhooks.replay_delivery(administrator(casino), delivery)
    [shown] = webhooks.deliveries(webhook).filter(pk=delivery.pk)
    assert (again.key, again.body, again.waits, shown.attempts) == (delivery.key, delivery.body, True, 0)
    assert (Job.objects.get(subject=delivery.pk).state, shown.due_at >= now) == (Job.State.DUE, True)
    webhook.refresh_from_db()
    assert webhook.rests_until is None
