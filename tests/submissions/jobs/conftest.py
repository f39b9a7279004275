"""A clock that stands still, and a broker that only notes what it is sent."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from celery import current_app
from django.conf import LazySettings

from tests.portal.broker import speaking_to
from tests.submissions.jobs.job_rows import NOW


@pytest.fixture
def frozen_clock(settings: LazySettings) -> Iterator[None]:
    settings.JOB_CLOCK = "process"
    settings.JOB_LEASE = timedelta(seconds=20)
    with speaking_to("redis://127.0.0.1:1"), time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What would be sent to the broker."""
    messages: list[tuple[Any, ...]] = []

    def send_task(task: str, *, args: Any, queue: str, producer: Any) -> None:
        messages.append((task, *args, queue, producer is not None))

    monkeypatch.setattr(current_app, "send_task", send_task)
    return messages
