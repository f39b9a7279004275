"""A function in a child process: its result, its refusal, and each way in which it may fail."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from submissions.core.errors import Busy, Refusal
from submissions.core.isolated_process import Failure, IsolatedFunction, IsolatedProcessFailed
from tests.submissions.core import isolated_functions


def isolated(function: Callable[..., Any], wall_seconds: float = 30, **given: Any) -> IsolatedFunction[Any]:
    return IsolatedFunction(function, cpu_seconds=1, wall_seconds=wall_seconds, memory=256 << 20, **given)


def is_alive(process: int) -> bool:
    """Not a zombie, which only waits to be noticed."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_result_comes_from_another_process_that_imports_only_what_it_needs() -> None:
    result = isolated(isolated_functions.describe)(b"\x00" * 3_000_000, "a", "ä b")
    assert result.pop("process") != os.getpid()
    assert result == {"length": 3_000_000, "texts": ["a", "ä b"], "openpyxl": False}


def test_refusal_comes_back_whole() -> None:
    with pytest.raises(Refusal) as refusal:
        isolated(isolated_functions.refuse)(b"")
    value = refusal.value
    assert (value.code, value.message) == ("sheet-formula", "Cell A1 contains a formula.")
    assert value.fix == "Paste the value."
    assert (value.option, value.citation) == ("A1", "§ 1")


@pytest.mark.parametrize(
    ("function", "failure"),
    [
        (isolated_functions.compute_forever, Failure.TIME),
        (isolated_functions.allocate, Failure.MEMORY),
        (isolated_functions.crash, Failure.CRASH),
        (isolated_functions.fail, Failure.CRASH),
    ],
)
def test_failure_says_of_which_kind_it_is(function: Callable[..., Any], failure: Failure) -> None:
    with pytest.raises(IsolatedProcessFailed) as failed:
        isolated(function)(b"")
    assert failed.value.failure is failure


def test_timeout_ends_the_child_and_what_it_started_and_frees_the_slot(tmp_path: Path) -> None:
    function = isolated(isolated_functions.wait_with_child, wall_seconds=2, at_a_time=1)
    for path in (tmp_path / "first", tmp_path / "second"):
        with pytest.raises(IsolatedProcessFailed) as failed:
            function(b"", str(path))
        assert failed.value.failure is Failure.TIME
        deadline = time.monotonic() + 5
        while is_alive(int(path.read_text())) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not is_alive(int(path.read_text()))


def test_call_that_gets_no_slot_is_refused_soon_and_the_slot_is_free_again(tmp_path: Path) -> None:
    """A web thread does not wait for the processes of others. A call that failed frees its slot, too."""
    path, function = tmp_path / "running", isolated(isolated_functions.wait_until_removed, at_a_time=1)
    running = Thread(target=function, args=(b"", str(path)))
    running.start()
    while not path.exists():
        time.sleep(0.05)
    began = time.monotonic()
    with pytest.raises(Busy) as refused:
        function(b"", str(path))
    assert (refused.value.status, refused.value.code, refused.value.retry_after) == (503, "portal-busy", 1)
    assert time.monotonic() - began < 2
    path.unlink()
    running.join()
    for _ in range(2):
        with pytest.raises(IsolatedProcessFailed):
            function(b"", str(tmp_path / "no folder" / "running"))
