"""The load, a process of its own: asks an address again and again over one connection, and prints milliseconds."""

from __future__ import annotations

import json
import sys
import time
from http.client import HTTPConnection


def main(port: str, address: str, times: str, shown: str = "") -> None:
    connection = HTTPConnection(
        "127.0.0.1", int(port), timeout=120
    )  # the first answer waits until the server has loaded
    headers = {"Authorization": f"Bearer {shown}"} if shown else {}
    taken = []
    for _ in range(int(times)):
        begun = time.perf_counter()
        connection.request("GET", address, headers=headers)
        answer = connection.getresponse()
        answer.read()
        taken.append((time.perf_counter() - begun) * 1000)
        if answer.status != 200:
            raise SystemExit(f"{address}: {answer.status}")
    print(json.dumps(taken))


if __name__ == "__main__":
    main(*sys.argv[1:])
