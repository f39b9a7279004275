"""Parts of the cluster's run (`bench.cluster`): its links, its clock, the order of its faults and its table.

The run itself takes minutes: `make cluster`.
"""

from __future__ import annotations

import os
import random
import shutil
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import pytest

from bench.cluster import Broken, fault_table, longest_gap, markdown_lines, until_progress
from bench.cluster.faults import FAULTS, deal
from bench.cluster.machines import Machine, Relay, Relays, build_clock


@pytest.fixture
def echo() -> Iterator[int]:
    """The port of a server that sends everything back."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=_answer, args=(listener,), daemon=True).start()
        yield listener.getsockname()[1]


def _answer(listener: socket.socket) -> None:
    while True:
        try:
            client, _ = listener.accept()
        except OSError:
            return
        threading.Thread(target=_send_back, args=(client,), daemon=True).start()


def _send_back(client: socket.socket) -> None:
    try:
        while piece := client.recv(100):
            client.sendall(piece)
    except OSError:
        client.close()


@pytest.fixture
def link(echo: int) -> Iterator[tuple[Relays, Relay]]:
    with Relays().running() as relays:
        yield relays, relays.open(echo)


def connected(relay: Relay) -> socket.socket:
    return socket.create_connection(("127.0.0.1", relay.port), timeout=1)


def unacknowledged(client: socket.socket) -> int:
    """Packets that the kernel sent and whose arrival nobody confirmed (`tcpi_unacked`)."""
    return int(struct.unpack_from("I", client.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 104), 24)[0])


def test_silent_link_drops_what_is_sent_and_delivers_it_once_it_works_again(link: tuple[Relays, Relay]) -> None:
    relays, relay = link
    with connected(relay) as client:
        client.sendall(b"one")
        assert client.recv(10) == b"one"
        relays.do(relay.silence())
        client.sendall(b"two")
        with pytest.raises(TimeoutError):
            client.recv(10)
        assert unacknowledged(client) == 1
        with pytest.raises(TimeoutError):
            connected(relay)
        relays.do(relay.mend())
        client.settimeout(20)
        assert client.recv(10) == b"two"


@pytest.mark.parametrize("how", [Relay.reset, Relay.refuse])
def test_reset_and_refused_links(link: tuple[Relays, Relay], how: Callable[[Relay], object]) -> None:
    relays, relay = link
    with connected(relay) as client:
        client.sendall(b"one")
        client.recv(10)
        relays.do(how(relay))  # type: ignore[arg-type]
        with pytest.raises(ConnectionResetError):
            client.recv(10)
    if how is Relay.refuse:
        with pytest.raises(ConnectionRefusedError):
            connected(relay)
        relays.do(relay.mend())
    with connected(relay) as client:
        client.sendall(b"again")
        assert client.recv(10) == b"again"


def test_connection_that_has_just_ended_does_not_stand_in_the_way_of_a_cut(link: tuple[Relays, Relay]) -> None:
    relays, relay = link
    for _ in range(200):
        with connected(relay) as client:
            client.sendall(b"one")
            client.recv(10)
        relays.do(relay.reset())
        relays.do(relay.silence())
        relays.do(relay.mend())


@pytest.mark.skipif(not shutil.which("cc"), reason="no C compiler: python3 setup cluster installs one")
def test_clock_of_a_machine_is_wrong_and_its_waits_are_not(tmp_path: Path) -> None:
    file = tmp_path / "clock"
    file.write_bytes(struct.pack("q", -3600))
    program = "import time; m = time.monotonic(); time.sleep(0.1); print(time.time(), time.monotonic() - m)"
    environment = {**os.environ, "LD_PRELOAD": str(build_clock(tmp_path)), "PORTAL_WRONG_CLOCK": str(file)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, check=True, capture_output=True, text=True)
    wrong, slept = map(float, done.stdout.split())
    true = file.stat().st_mtime  # by the kernel: this process may have a shifted clock itself
    assert wrong == pytest.approx(true - 3600, abs=60)
    assert slept >= 0.1


def test_each_fault_comes_once_before_any_comes_again_in_the_order_of_the_seed() -> None:
    machines = tuple[Machine, ...](["a", "b"])  # type: ignore[list-item]  # only chosen between
    first, second = (list(islice(deal(random.Random(7), machines, 60), 2 * len(FAULTS))) for _ in range(2))
    assert [(fault.name, machine, seconds) for fault, machine, seconds in first] == [
        (fault.name, machine, seconds) for fault, machine, seconds in second
    ]
    for part in (first[: len(FAULTS)], first[len(FAULTS) :]):
        assert {fault.name for fault, _, _ in part} == {fault.name for fault in FAULTS}
    assert all(fault.seconds[0] <= seconds <= fault.seconds[1] for fault, _, seconds in first)


def test_table_has_the_longest_time_without_progress_of_each_fault() -> None:
    progress = [0.0, 10.0, 11.0, 25.0, 26.0, 50.0]
    assert longest_gap(progress, 10.5, 20.0) == 14.0  # from 11 to 25, though the window ends before
    assert longest_gap(progress, 27.0, 40.0) == 23.0  # counted from the fault on, not from the progress before it
    assert longest_gap(progress, 51.0, 60.0) == 9.0
    assert until_progress(progress, 12.0, 60.0) == 13.0
    broken = [
        Broken("cut", 10.5, 12.0, 20.0),
        Broken("cut", 25.5, 25.5, 25.9),
        Broken("killed", 27.0, 27.0, 40.0),
    ]
    head, *rows = fault_table(broken, progress, progress)
    assert rows == [("killed", "1", "0.0 s", "23.0", "23.0", "23.0"), ("cut", "2", "1.5 s", "14.0", "14.0", "13.0")]
    assert len(list(markdown_lines([head, *rows]))) == 4
