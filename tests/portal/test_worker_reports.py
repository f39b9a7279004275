"""The thread of a worker's main process that reports for it."""

from __future__ import annotations

import os
from threading import Event, Thread, Timer

import pytest

from portal.processes import sweeper


class SlowWatch:
    """A watch whose turn lasts until `may_end` is set."""

    process = "slow"

    def __init__(self) -> None:
        self.begun, self.may_end = Event(), Event()

    def turn(self) -> None:
        self.begun.set()
        self.may_end.wait()

    def end(self) -> None:
        pass


def test_no_child_is_forked_while_the_thread_has_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite's locks are in the memory of a process: the child would inherit them and never see them released."""
    watch, stops = SlowWatch(), Event()
    monkeypatch.setattr(sweeper, "_worker_stops", stops)
    thread = Thread(target=sweeper._report, args=(watch,))
    thread.start()
    watch.begun.wait()
    Timer(0.2, watch.may_end.set).start()
    child = os.fork()
    if not child:
        os._exit(0 if watch.may_end.is_set() else 1)
    stops.set()
    thread.join()
    assert os.waitpid(child, 0)[1] == 0
