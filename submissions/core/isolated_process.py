"""Functions of ours that read files from strangers: each call runs in a child process with limits of memory and time.

A file of a few kilobytes can unpack to gigabytes or crash the parser that reads it. The child gets the file on its
standard input and prints the function's result as JSON; it imports no more than the function's module does. Not here:
what the functions do, and what a failure means to the person who sent the file.
"""

import json
import logging
import math
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, field
from enum import Enum
from importlib import import_module
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any, Generic, TypeVar

from submissions.core.errors import Busy, Refusal

log = logging.getLogger(__name__)

PROJECT = Path(__file__).resolve().parents[2]
OUT_OF_MEMORY = 77  # exit status of the child
SLOT_SECONDS = 0.5  # that a call waits for a free slot: a web thread that waits longer answers nobody
CHILD = f"from {__name__} import run_in_child; run_in_child()"
Result = TypeVar("Result")


class Failure(Enum):
    TIME = "time"
    MEMORY = "memory"
    CRASH = "crash"


class IsolatedProcessFailed(Exception):
    """The child process ended without a result."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.value)
        self.failure = failure


@dataclass(eq=False)
class IsolatedFunction(Generic[Result]):
    """A function of a module, called with a file's bytes and further texts; its result is data that JSON can carry.

    `memory`: bytes of address space; `wall_seconds`: until the child and all that it started are killed; `at_a_time`:
    calls that run together in this process, so that many uploads cannot take the memory many times over. A call that
    gets no slot within `SLOT_SECONDS` is refused.
    """

    function: Callable[..., Result]
    _: KW_ONLY
    cpu_seconds: int
    wall_seconds: float
    memory: int
    at_a_time: int = 2
    environment: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._slots = BoundedSemaphore(self.at_a_time)

    @property
    def command(self) -> list[str]:
        limits = (str(self.cpu_seconds), str(self.memory))
        return [sys.executable, "-c", CHILD, self.function.__module__, self.function.__name__, *limits]

    def __call__(self, content: bytes, *arguments: str) -> Result:
        """Return the function's result.

        Raises:
            Busy: too many calls run already.
            Refusal: as the function raises it.
            IsolatedProcessFailed: it took too long or too much memory, or crashed.
        """
        if not self._slots.acquire(timeout=SLOT_SECONDS):
            raise Busy("portal-busy/files", retry_after=math.ceil(self.cpu_seconds / 2))
        try:
            status, output, errors = self._run([*self.command, *arguments], content)
        finally:
            self._slots.release()
        try:
            answer: dict[str, Any] = json.loads(output)
        except ValueError as error:
            failure = _failure(status)
            last_line = errors.decode(errors="replace").strip().rpartition("\n")[2]
            log.warning("%s: %s, exit status %s, %s", self.function.__name__, failure.value, status, last_line)
            raise IsolatedProcessFailed(failure) from error
        if "refusal" in answer:
            raise Refusal(answer["refusal"].pop("code"), **answer["refusal"])
        result: Result = answer["result"]
        return result

    def _run(self, command: list[str], content: bytes) -> tuple[int, bytes, bytes]:
        """Return exit status, standard output and standard error of the child."""
        pipe, environment = subprocess.PIPE, {**os.environ, **self.environment}
        with subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=PROJECT, env=environment, process_group=0
        ) as child:
            try:
                output, errors = child.communicate(content, self.wall_seconds)
            except BaseException as error:
                with suppress(ProcessLookupError):
                    os.killpg(child.pid, signal.SIGKILL)
                if isinstance(error, subprocess.TimeoutExpired):
                    raise IsolatedProcessFailed(Failure.TIME) from error
                raise
        return child.returncode, output, errors


def _failure(status: int) -> Failure:
    if status == -signal.SIGXCPU:
        return Failure.TIME
    return Failure.MEMORY if status in (OUT_OF_MEMORY, -signal.SIGKILL) else Failure.CRASH


def run_in_child() -> None:
    """Set the limits, call the function that the command line names, and print its result or its refusal."""
    module, name, cpu_seconds, memory, *arguments = sys.argv[1:]
    resource.setrlimit(resource.RLIMIT_CPU, (int(cpu_seconds), int(cpu_seconds) + 1))
    resource.setrlimit(resource.RLIMIT_AS, (int(memory), int(memory)))
    try:
        function = getattr(import_module(module), name)
        try:
            answer = {"result": function(sys.stdin.buffer.read(), *arguments)}
        except Refusal as refusal:
            names = ("code", "message", "fix", "option", "citation")
            answer = {"refusal": {name: getattr(refusal, name) for name in names}}
        output = json.dumps(answer)
    except MemoryError:
        sys.exit(OUT_OF_MEMORY)
    sys.stdout.write(output)
