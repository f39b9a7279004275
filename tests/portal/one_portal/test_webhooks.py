"""Webhooks with real workers: two addresses never answer, one is dead, workers are killed, and the last gets all."""

from __future__ import annotations

import json
import os
import signal
from datetime import timedelta

import pytest
from django.conf import LazySettings, settings

from submissions.jobs import queues
from submissions.models import Delivery, Job, Organization, Person, Webhook
from submissions.notifications import webhooks
from tests.portal.running import Running, left_by_others, until
from tests.submissions.api.clients import administrator
from tests.submissions.bulk.batches import send
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.notifications.receiver import receiving

pytestmark = [pytest.mark.processes, pytest.mark.xdist_group("programs"), pytest.mark.django_db(transaction=True)]
CHAPTERS = ("585", "593", "657a", "686a", "687a")


SOON = timedelta(seconds=2)


def waits(webhook: Webhook) -> int:
    return webhook.deliveries.filter(delivered_at=None).count()


def test_addresses_that_never_answer_hold_up_no_other_and_no_short_job(
    portal: Running, casino: Organization, manager: Person, settings: LazySettings
) -> None:
    """Both workers that call others are held up, then killed: two such calls could hold up all short jobs."""
    settings.SECOND_FACTOR, settings.WEBHOOK_PRIVATE = False, True
    chief = administrator(casino)
    with receiving() as one, receiving() as other, receiving() as good:
        for silent in (one, other):
            silent.before = silent.over.wait
        addresses = (one.url(), other.url(), "http://127.0.0.1:1/", good.url())
        *hanging, dead, heard = (webhooks.create_webhook(chief, url=url).webhook for url in addresses)
        for chapter in CHAPTERS:
            ready_to_file(manager, chapter)
        until(lambda: one.received and other.received, 60, portal.log.read_text)
        assert_short_job_starts_at_once(portal, manager)
        for child in portal.worker_children("outbound"):
            os.kill(child.pid, signal.SIGKILL)
        until(lambda: not waits(heard), 60, portal.log.read_text)
        until(lambda: all(called(webhook) for webhook in hanging), 60, portal.log.read_text)
        for silent in (one, other):
            silent.over.set()  # else the portal waits for its workers
        assert waits(dead) == dead.deliveries.count()
        assert {got.headers["Webhook-Id"] for got in good.received} == set(
            heard.deliveries.values_list("key", flat=True)
        )
        numbers = [json.loads(one.body)["number"] for one in heard.deliveries.order_by("pk")]
        assert numbers == sorted(set(numbers))
    assert not Job.objects.filter(kind=Job.Kind.WEBHOOK, state=Job.State.ERRORED).exists()
    assert Delivery.objects.count() == 4 * len(numbers)


def assert_short_job_starts_at_once(portal: Running, manager: Person) -> None:
    with left_by_others(portal) as left:
        send(manager, {"action": "create", "chapter": "687a"}, mode="validate")
        until(lambda: Job.objects.get(kind=Job.Kind.CHECK).started_at, 30, portal.log.read_text)
    assert Job.objects.filter(queue=queues.OUTBOUND, state=Job.State.RUNNING).count() == settings.OUTBOUND_WORKERS
    check = Job.objects.get(kind=Job.Kind.CHECK)
    assert (check.started_at - check.created_at) * left[0] < SOON


def called(webhook: Webhook) -> bool:
    """Whether it was called in vain, once for each of the workers at most."""
    notes = list(webhook.deliveries.exclude(attempts=0).values_list("note", flat=True))
    assert set(notes) <= {"There was no answer within 10 seconds."}
    assert len(notes) <= settings.OUTBOUND_WORKERS
    return bool(notes)
