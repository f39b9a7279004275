"""The cluster: two machines that file, simulate and sign while everything they stand on is killed, stopped and cut.

Two folders with a `PORTAL_VAR`, a clock and links of their own, beside one PostgreSQL and one Redis. At the end every
filing must have exactly one PDF, each verified, the history must be whole, and after the last fault nothing may have
stood still for longer than `LONGEST_PAUSE`: the table names each fault, how often it came, and how long nothing went
forward. `make cluster`, or for fewer filings `CLUSTER_FILINGS=6 make cluster`.
"""

from __future__ import annotations

import os
import random
import shutil
import tempfile
import time
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from signal import SIGKILL, SIGQUIT
from urllib.parse import urlsplit, urlunsplit

import psycopg

from bench.cluster.faults import FAULTS, Cluster, deal
from bench.cluster.machines import Machine, Relays, Server, build_clock
from bench.cluster.people import People, Watch
from bench.parts import manage, own_environment, run_part
from tests.portal.running import free_port, listens, until

LONGEST_PAUSE = 30.0  # seconds without progress after the last fault
DATABASE = "cluster"
PASSPHRASE = "a long demo passphrase"  # noqa: S105  of people who are made for one run
BETWEEN = (2.0, 5.0)  # seconds from the first progress after a fault to the next one
QUIET = 0.1  # of the filings, and at least two, get their PDF after the last fault
START, STUCK = 300.0, 180.0  # seconds: until the machines answer, and without any progress until the run is given up
SIZES = {
    "PORTAL_WEB_PROCESSES": "2", "PORTAL_WORKERS": "1", "PORTAL_SHORT_WORKERS": "1", "PORTAL_STOP_SECONDS": "8",
    "PORTAL_JOB_LEASE_SECONDS": "10", "PORTAL_SIMULATION_ROUNDS": "2000000", "PORTAL_LOG": "WARNING",
    "PORTAL_SECRET_KEY": "of-the-cluster" * 4,
}  # fmt: skip


@dataclass(slots=True)
class Run:
    """A run: the request, and its results."""

    filings: int
    seed: int
    longest_fault: float
    faults: int = 0  # so many; 0: until nearly all filings have their PDF
    broken: list[Broken] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def main(arguments: list[str]) -> int:
    """Run the cluster; `--brisk`: each kind of fault at least once, and short."""
    seed = int(os.environ.get("CLUSTER_SEED", "0")) or random.SystemRandom().randrange(1, 1 << 31)
    brisk = "--brisk" in arguments
    run = Run(int(os.environ.get("CLUSTER_FILINGS", "200")), seed, 2.0 if brisk else 60.0, len(FAULTS) if brisk else 0)
    print(f"{run.filings} filings on two machines; the seed of the faults is {seed}", flush=True)
    with _folder() as folder:
        cluster_run(run, folder)
    for problem in run.problems:
        print(f"WRONG: {problem}")
    print(f"lost or wrong: {len(run.problems)}")
    return bool(run.problems)


@contextmanager
def _folder() -> Iterator[Path]:
    """Make a folder, deleted at the end unless `CLUSTER_FOLDER` names one, whose logs can be read afterwards."""
    if named := os.environ.get("CLUSTER_FOLDER"):
        shutil.rmtree(named, ignore_errors=True)
        Path(named).mkdir(parents=True)
        yield Path(named)
    else:
        with tempfile.TemporaryDirectory(prefix="cluster-") as folder:
            yield Path(folder)


def cluster_run(run: Run, folder: Path) -> None:
    """Run the whole test; print its figures, and store problems in `run.problems`."""
    with ExitStack() as stack:
        relays = stack.enter_context(Relays().running())
        database, broker = os.environ["DATABASE_URL"], os.environ["REDIS_URL"]
        url = _new_database(database)
        common = own_environment(
            str(folder / "a" / "var"), **SIZES, DATABASE_URL=url, REDIS_URL=broker, PORTAL_DEMO_PASSPHRASE=PASSPHRASE,
            PYTHONPYCACHEPREFIX=str(folder / "compiled"), PYTHONDONTWRITEBYTECODE="",  # for quick starts
        )  # fmt: skip
        manage(common, "prepare")
        print("tables are there; compiling the mathematics, and the world", flush=True)
        world = run_part("cluster.parts", common, "world")
        shutil.copytree(folder / "a" / "var", folder / "b" / "var")  # static files, and the demo's keys
        clock = build_clock(folder)
        machines = tuple(_machine(folder / name, clock, common, relays, (url, broker)) for name in "ab")
        servers = _servers(url, broker)
        for server in servers:
            stack.callback(server.stop)
        running = stack.enter_context(ExitStack())
        for machine in machines:
            running.callback(machine.stop)
            machine.start()
        until(lambda: all(listens(machine.port) for machine in machines), START)
        print("both machines serve", flush=True)
        chance = random.Random(run.seed)
        cluster = Cluster(machines, *servers, relays, chance)
        watch = stack.enter_context(Watch(url).running())
        people = People(watch, [m.port for m in machines], world, PASSPHRASE, random.Random(run.seed))
        with people.filing(run.filings) as all_documented:
            last = _break(run, cluster, watch)
            _await(run, watch, all_documented)
        _await(run, watch, lambda: not watch.counts.open_jobs)
        end = watch.now()
        _print_figures(run, watch, people, last, end)
        running.close()
        _judge(run, common, machines)  # the database still runs


def _break(run: Run, cluster: Cluster, watch: Watch) -> float:
    """Make fault after fault until nearly all filings have their PDF; return when the last one ended."""
    _await(run, watch, lambda: watch.counts.blocks)  # first something is seen to work
    faults = deal(cluster.chance, cluster.machines, run.longest_fault)
    last = watch.now()
    while (
        len(run.broken) < run.faults
        if run.faults
        else watch.counts.documents < run.filings - max(2, run.filings * QUIET)
    ):
        fault, machine, seconds = next(faults)
        begin = watch.now()
        end_it = fault.begin(cluster, machine)
        time.sleep(seconds)
        end_it()
        last = watch.now()
        if run.broken:
            run.broken[-1].until = begin
        run.broken.append(Broken(fault.name, begin, last))
        _say(run, watch, f"{fault.name} ({machine.name}, {seconds:.0f} s)")
        if run.faults:
            time.sleep(1)
        elif not _go_on(cluster, watch):
            break
    if run.broken:
        run.broken[-1].until = watch.now()
    return last


def _go_on(cluster: Cluster, watch: Watch) -> bool:
    """Return whether workers went on after the fault; only then comes another, so that each is measured alone."""
    end = watch.now()
    while watch.work[-1] < end and watch.now() - end < STUCK:
        time.sleep(0.1)
    time.sleep(cluster.chance.uniform(*BETWEEN))
    return watch.work[-1] >= end


def _await(run: Run, watch: Watch, ready: Callable[[], object]) -> None:
    """Wait until it is so; give up if nothing goes forward."""
    said = watch.now()
    while not ready():
        if watch.now() - watch.progress[-1] > STUCK:
            run.problems.append(f"nothing went forward for {STUCK:.0f} s")
            return
        if watch.now() - said > 10:
            said = watch.now()
            _say(run, watch, "waiting for the rest")
        time.sleep(0.2)


def _say(run: Run, watch: Watch, what: str) -> None:
    """Print one line of progress, with the time that is left at the rate so far."""
    left = (
        watch.now() / watch.counts.documents * (run.filings - watch.counts.documents) if watch.counts.documents else 0
    )
    rest = f", about {left / 60:.0f} min left" if left >= 60 else ""
    gap = watch.now() - watch.progress[-1]
    print(
        f"{watch.now():6.0f} s  {watch.counts.documents:>3} PDFs{rest}; {what}; last progress {gap:.1f} s ago",
        flush=True,
    )


def _print_figures(run: Run, watch: Watch, people: People, last: float, end: float) -> None:
    print()
    print(*markdown_lines(list(fault_table(run.broken, watch.progress, watch.work))), sep="\n")
    after, work = longest_gap(watch.progress, last, end), longest_gap(watch.work, last, end)
    print(f"\nlongest without progress after the last fault: {after:.1f} s ({work:.1f} s of the workers)")
    print(f"answers: {dict(people.answers.most_common())}")
    print(f"load average at the end: {' '.join(f'{value:.1f}' for value in os.getloadavg())}; {end:.0f} s in all")
    if max(after, work) > LONGEST_PAUSE:
        run.problems.append(f"no progress for {max(after, work):.1f} s after the last fault; at most {LONGEST_PAUSE}")


def _judge(run: Run, environment: dict[str, str], machines: tuple[Machine, ...]) -> None:
    verdict = run_part("cluster.parts", environment, "verdict")
    run.problems += verdict["problems"]
    if verdict["filings"] != run.filings:
        run.problems.append(f"{verdict['filings']} filings, not {run.filings}")
    print(f"filings {verdict['filings']}, PDFs {verdict['documents']}, verified {verdict['verified']}")
    print(f"jobs {verdict['jobs']}, fences {verdict['attempts']}; submissions {verdict['statuses']}")
    files = [path.read_text(errors="replace") for each in machines for path in each.folder.glob("var/mail/*")]
    sent = Counter(name for text in files for name in verdict["message_ids"] if name in text)
    twice = sum(count > 1 for count in sent.values())
    print(f"mails {verdict['mails']}, sent {verdict['sent']}, found {len(sent)}, of them more than once {twice}")
    run.problems += [f"mail {name} was not sent" for name in verdict["message_ids"] if name not in sent]
    print(manage(environment, "verify_history"))


def _new_database(server: str) -> str:
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {DATABASE}".encode())
        # The server's processes are killed, the machine is not: what was committed must be written, not on the disk.
        connection.execute(f"ALTER DATABASE {DATABASE} SET synchronous_commit = on".encode())
    return urlunsplit(urlsplit(server)._replace(path=f"/{DATABASE}"))


def _machine(folder: Path, clock: Path, common: dict[str, str], relays: Relays, addresses: tuple[str, str]) -> Machine:
    database, broker = (relays.open(urlsplit(address).port or 0) for address in addresses)
    environment = common | {
        "LD_PRELOAD": str(clock),
        "PORTAL_WRONG_CLOCK": str(folder / "clock"),
        "PORTAL_VAR": str(folder / "var"),
        "DATABASE_URL": _through(addresses[0], database.port),
        "REDIS_URL": _through(addresses[1], broker.port),
    }
    return Machine(folder.name, folder, free_port(), database, broker, environment)


def _through(address: str, port: int) -> str:
    parts = urlsplit(address)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition(":")[0] + f":{port}"))


def _servers(url: str, broker: str) -> tuple[Server, Server]:
    redis_port = urlsplit(broker).port or 0
    again = ("redis-server", "--port", str(redis_port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no")
    return (
        Server.beside_us("postgres", urlsplit(url).port or 0, SIGQUIT),
        Server.beside_us("redis-server", redis_port, SIGKILL, again),
    )


HEAD = ("fault", "times", "longest", "no progress, s", "workers none, s", "then after its end, s")


@dataclass(slots=True)
class Broken:
    """One fault that happened: seconds since the start of the run. `until`: when the next one began."""

    name: str
    begin: float
    end: float
    until: float = 0.0


def longest_gap(moments: Sequence[float], first: float, last: float) -> float:
    """Return the longest time without progress that touches these seconds, counted from `first` on.

    A gap that begins before `last` counts whole, also beyond it.
    """
    before = first
    longest = 0.0
    for moment in (*moments[bisect_right(moments, first) :], last):
        longest = max(longest, moment - before)
        if moment >= last:
            break
        before = moment
    return longest


def until_progress(moments: Sequence[float], end: float, last: float) -> float:
    """Return the time from `end` to the next progress; to `last` if there was none."""
    place = bisect_right(moments, end)
    return (moments[place] if place < len(moments) else last) - end


def fault_table(
    broken: Sequence[Broken], progress: Sequence[float], work: Sequence[float]
) -> Iterator[tuple[str, ...]]:
    """Yield a row for each kind of fault, in the order of its longest time without progress."""
    kinds: dict[str, list[Broken]] = defaultdict(list)
    for each in broken:
        kinds[each.name].append(each)
    rows = []
    for name, cases in kinds.items():
        gap = max(longest_gap(progress, each.begin, each.until) for each in cases)
        idle = max(longest_gap(work, each.begin, each.until) for each in cases)
        after = max(until_progress(progress, each.end, each.until) for each in cases)
        lasted = max(each.end - each.begin for each in cases)
        rows.append((gap, (name, str(len(cases)), f"{lasted:.1f} s", f"{gap:.1f}", f"{idle:.1f}", f"{after:.1f}")))
    yield HEAD
    yield from (row for _, row in sorted(rows, reverse=True))


def markdown_lines(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Yield the lines of a table of Markdown."""
    for place, row in enumerate(rows):
        yield f"| {row[0]:<40} | {' | '.join(f'{cell:>9}' for cell in row[1:])} |"
        if not place:
            yield f"| --- |{' ---: |' * (len(row) - 1)}"
