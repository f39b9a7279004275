"""Webhooks with real workers: one address never answers, one is dead, workers are killed, and the third is told all."""

from __future__ import annotations

import json
import os
import signal
from datetime import timedelta

import pytest
from django.conf import LazySettings

from submissions.jobs import queues
from submissions.models import Delivery, Job, Organization, Person, Webhook
from submissions.notifications import webhook_endpoints
from tests.portal.broker import speaking_to
from tests.portal.running import left_by_others, running, until
from tests.submissions.api.clients import administrator
from tests.submissions.bulk.batches import send
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.notifications.receiver import receiving

pytestmark = [pytest.mark.processes, pytest.mark.xdist_group("processes"), pytest.mark.django_db(transaction=True)]
CHAPTERS = ("585", "593", "657a", "686a", "687a")


def waits(webhook: Webhook) -> int:
    return webhook.deliveries.filter(delivered_at=None).count()


def test_address_that_never_answers_holds_up_no_other(
    casino: Organization, manager: Person, settings: LazySettings
) -> None:
    settings.SECOND_FACTOR, settings.WEBHOOK_PRIVATE = False, True
    chief = administrator(casino)
    service = {
        "PORTAL_WEBHOOK_PRIVATE": "1", "PORTAL_JOB_LEASE_SECONDS": "2", "PORTAL_SECRET_KEY": settings.SECRET_KEY,
    }  # fmt: skip
    with receiving() as silent, receiving() as good:
        silent.before = silent.over.wait
        addresses = (silent.url(), "http://127.0.0.1:1/", good.url())
        hanging, dead, heard = (webhook_endpoints.create_webhook(chief, url=url).webhook for url in addresses)
        for chapter in CHAPTERS:
            ready_to_file(manager, chapter)
        with running(**service) as portal:
            until(lambda: silent.received, 60, portal.log.read_text)
            for child in portal.worker_children():
                os.kill(child.pid, signal.SIGKILL)
            until(lambda: not waits(heard), 60, portal.log.read_text)
            until(lambda: hanging.deliveries.exclude(attempts=0).exists(), 60, portal.log.read_text)
        called = hanging.deliveries.exclude(attempts=0)
        assert {one.note for one in called} == {"There was no answer within 10 seconds."}
        assert called.count() <= 2  # as many as there are workers
        assert waits(dead) == dead.deliveries.count()
        assert {got.headers["Webhook-Id"] for got in good.received} == set(
            heard.deliveries.values_list("key", flat=True)
        )
        told = [json.loads(one.body)["number"] for one in heard.deliveries.order_by("pk")]
        assert told == sorted(set(told))
    assert not Job.objects.filter(kind=Job.Kind.WEBHOOK, state=Job.State.ERRORED).exists()
    assert Delivery.objects.count() == 3 * len(told)


def test_receivers_that_hang_hold_up_no_short_job(
    casino: Organization, manager: Person, settings: LazySettings
) -> None:
    """With one worker for short jobs, and both that call others held up."""
    settings.SECOND_FACTOR, settings.WEBHOOK_PRIVATE = False, True
    chief = administrator(casino)
    with receiving() as one, receiving() as other:
        for silent in (one, other):
            silent.before = silent.over.wait
            webhook_endpoints.create_webhook(chief, url=silent.url())
        service = {"PORTAL_WEBHOOK_PRIVATE": "1", "PORTAL_SHORT_WORKERS": "1"}
        with running(**service) as portal, speaking_to(portal.broker):
            ready_to_file(manager, "687a")
            until(lambda: one.received and other.received, 60, portal.log.read_text)
            with left_by_others(portal) as left:
                send(manager, {"action": "create", "chapter": "687a"}, mode="validate")
                until(lambda: Job.objects.get(kind=Job.Kind.CHECK).started_at, 30, portal.log.read_text)
            held_up = Job.objects.filter(queue=queues.OUTBOUND, state=Job.State.RUNNING).count()
            for silent in (one, other):
                silent.over.set()  # else the portal waits for its workers before it stops
        check = Job.objects.get(kind=Job.Kind.CHECK)
    assert held_up == settings.OUTBOUND_WORKERS
    assert (check.started_at - check.created_at) * left[0] < timedelta(seconds=2)
