"""`manage.py witness URL [--state FOLDER] [--key KEY] [--every SECONDS]`: 0 consistent, 1 not, 2 bad use or no
answer.
"""

import sys
import time
from argparse import ArgumentParser
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import urllib3
from django.core.management.base import BaseCommand
from urllib3.exceptions import HTTPError

from submissions.transparency.signed_note import InvalidNote
from submissions.transparency.witness import LogRewritten, Witness

LONGEST = 30  # seconds for one answer


class Command(BaseCommand):
    help = (
        "Watch the public log of a portal: remember its last checkpoint, check that the next one continues it, and "
        "cosign it. Needs no database, no account and nothing of the portal but its address."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("url", help="the address of the log: https://portal.example/log/")
        parser.add_argument("--state", type=Path, default=Path("witness"), help="the folder that remembers")
        parser.add_argument("--name", default="witness", help="the name under which it cosigns")
        parser.add_argument("--key", default="", help="the log's key; default: remembered, or read at the first visit")
        parser.add_argument("--every", type=int, default=0, help="seconds between two visits; 0 = visit once")

    def handle(self, *args: Any, **options: Any) -> None:
        url = _address(options["url"])
        if not url:
            self.stderr.write("The address must begin with https://. Only a loopback address may use http://.")
            sys.exit(2)
        witness = Witness(options["state"], options["name"])
        while True:
            status = self._visit(witness, url, options["key"])
            if status == 1 or not options["every"]:
                sys.exit(status)
            time.sleep(options["every"])

    def _visit(self, witness: Witness, url: str, given: str) -> int:
        def fetch(address: str) -> bytes:
            answer = urllib3.request("GET", url + address, redirect=False, retries=False, timeout=LONGEST)
            if answer.status != 200:
                raise OSError(f"{address}: status {answer.status}")
            return answer.data

        try:
            key = witness.log_key(given, fetch)
            current = witness.observe(key, fetch, int(time.time()))
        except (LogRewritten, InvalidNote) as error:
            self.stderr.write(f"NOT consistent: {error} The remembered checkpoint is kept in {witness.folder}.")
            return 1
        except (HTTPError, OSError) as error:
            self.stderr.write(f"{url} cannot be read: {error}")
            return 2
        self.stdout.write(f"{current.origin}: consistent, {current.size} leaves, cosigned by {witness.verifier}")
        return 0


def _address(text: str) -> str:
    """The address with a slash at its end; "" unless it is https, or http to this machine."""
    parts = urlsplit(text)
    try:
        is_loopback = parts.hostname == "localhost" or ip_address(parts.hostname or "").is_loopback
    except ValueError:
        is_loopback = False
    is_allowed = parts.scheme == "https" or (parts.scheme == "http" and is_loopback)
    return f"{text.rstrip('/')}/" if is_allowed and parts.hostname else ""
