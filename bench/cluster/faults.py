"""The table of faults, and their order: shuffled from a seed, each kind once before any comes again."""

from __future__ import annotations

import random
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bench.cluster.machines import SERVICES, Machine, Relays, Server, send_signal

HOUR, MINUTES = 3600, 120  # seconds that a clock is wrong
End = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Cluster:
    """All that can be broken."""

    machines: tuple[Machine, ...]
    postgresql: Server
    redis: Server
    relays: Relays
    chance: random.Random


@dataclass(frozen=True, slots=True)
class Fault:
    """`begin` breaks something, on the machine where it is of one, and returns what ends it. `seconds`: from, to."""

    name: str
    begin: Callable[[Cluster, Machine], End]
    seconds: tuple[float, float] = (0, 0)


def _kill(name: str) -> Callable[[Cluster, Machine], End]:
    def begin(cluster: Cluster, machine: Machine) -> End:
        if processes := machine.processes(name):
            send_signal(cluster.chance.choice(processes).pid, signal.SIGKILL)
        return _nothing

    return begin


def _stop(*names: str) -> Callable[[Cluster, Machine], End]:
    """Return the fault that sends SIGSTOP to the processes and all that they started, then SIGCONT."""

    def begin(cluster: Cluster, machine: Machine) -> End:
        groups = [process.pid for name in names for process in machine.processes(name)]
        for group in groups:
            send_signal(group, signal.SIGSTOP, group=True)
        return lambda: [send_signal(group, signal.SIGCONT, group=True) for group in groups] and None

    return begin


def _supervisors(number: signal.Signals, *, all_of_them: bool = False) -> Callable[[Cluster, Machine], End]:
    def begin(cluster: Cluster, machine: Machine) -> End:
        for service in SERVICES if all_of_them else (cluster.chance.choice(SERVICES),):
            send_signal(machine.services[service].pid, number)
        return _nothing

    return begin


def _server(name: str) -> Callable[[Cluster, Machine], End]:
    def begin(cluster: Cluster, machine: Machine) -> End:
        server: Server = getattr(cluster, name)
        server.kill()
        return server.start

    return begin


def _link(name: str, how: str) -> Callable[[Cluster, Machine], End]:
    def begin(cluster: Cluster, machine: Machine) -> End:
        relay = getattr(machine, name)
        cluster.relays.do(getattr(relay, how)())
        return lambda: cluster.relays.do(relay.mend())

    return begin


def _clock(seconds: int) -> Callable[[Cluster, Machine], End]:
    def begin(cluster: Cluster, machine: Machine) -> End:
        machine.set_clock(cluster.chance.choice((seconds, -seconds)))
        return lambda: machine.set_clock(0)

    return begin


def _nothing() -> None:
    """Do nothing: the fault is over as soon as it has begun."""


WORKERS = ("worker", "short", "outbound", "verifier", "drafts")
FAULTS = (
    Fault("web: its process killed", _kill("web")),
    Fault("web: a process of it killed", _kill("web-child")),
    Fault("worker: its process killed", _kill("worker")),
    Fault("worker: its child killed", _kill("worker-child")),
    Fault("short worker: its process killed", _kill("short")),
    Fault("short worker: its child killed", _kill("short-child")),
    Fault("sweeper killed", _kill("sweeper")),
    Fault("a supervisor killed", _supervisors(signal.SIGKILL)),
    Fault("a service asked to stop (SIGTERM)", _supervisors(signal.SIGTERM)),
    Fault("all of a machine killed", _supervisors(signal.SIGKILL, all_of_them=True)),
    Fault("web stopped (SIGSTOP)", _stop("web"), (5, 40)),
    Fault("workers stopped (SIGSTOP)", _stop(*WORKERS), (5, 40)),
    Fault("sweeper stopped (SIGSTOP)", _stop("sweeper"), (5, 40)),
    Fault("all of a machine stopped (SIGSTOP)", _stop("web", *WORKERS, "sweeper"), (5, 40)),
    Fault("PostgreSQL killed", _server("postgresql"), (1, 15)),
    Fault("Redis killed, back empty", _server("redis"), (1, 20)),
    Fault("link to PostgreSQL silent", _link("database", "silence"), (5, 40)),
    Fault("link to PostgreSQL refused", _link("database", "refuse"), (5, 20)),
    Fault("link to PostgreSQL reset", _link("database", "reset")),
    Fault("link to Redis silent", _link("broker", "silence"), (5, 40)),
    Fault("link to Redis refused", _link("broker", "refuse"), (5, 20)),
    Fault("link to Redis reset", _link("broker", "reset")),
    Fault("clock wrong by 1 hour", _clock(HOUR), (10, 20)),
    Fault("clock wrong by 2 minutes", _clock(MINUTES), (10, 20)),
)


def deal(
    chance: random.Random, machines: tuple[Machine, ...], longest: float
) -> Iterator[tuple[Fault, Machine, float]]:
    """Yield without an end a fault, the machine that it is on, and for how many seconds, at most `longest`."""
    while True:
        for fault in chance.sample(FAULTS, len(FAULTS)):
            first, last = (min(longest, bound) for bound in fault.seconds)
            yield fault, chance.choice(machines), chance.uniform(first, last)
