"""A rulemaking that changes every chapter, tried on the whole state: 17 licensees with 21 games, by generated versions.

Tried twice in one process: the first trial also compiles and enumerates what the games need; the second finds that
done, as a worker does that has computed figures before. Everything runs in a process of its own over a database of its
own: `python -m bench.rulemaking run`.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

TITLE = "A rulemaking on the whole state (wall clock on two cores; wants an idle machine)"
AHEAD = timedelta(days=60)


def rows() -> Iterator[tuple[str, str]]:
    with tempfile.TemporaryDirectory() as folder:
        own = {"PORTAL_VAR": folder, "PORTAL_LOG": "CRITICAL", "DJANGO_SETTINGS_MODULE": "portal.settings"}
        environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"} | own
        command = [sys.executable, "-m", "bench.rulemaking", "run"]
        done: dict[str, Any] = json.loads(subprocess.check_output(command, env=environment, text=True))
    yield f"{done['groups']} table groups of {done['versions']} versions, {done['chapters']} chapters", ""
    yield "  with another hold", f"{done['changed']}"
    yield "  distinct configurations computed", f"{done['computed']}"
    for name, label in (("first", "first trial of a process"), ("second", "with the figures computed")):
        yield label, f"{done[name]['seconds']:.1f} s"
        yield "  processor time", f"{done[name]['processor']:.1f} s"
    yield "most memory", f"{done['memory']:.0f} MB"


def run() -> dict[str, Any]:
    """Build the state, write the rulemaking, try it twice."""
    from django.core.management import call_command
    from django.db import transaction

    from submissions.audit.chain import move_tip
    from submissions.models import Event, Rulemaking, Tip
    from submissions.rulemakings.trials import changes_of, run_trial
    from tests.submissions import full_portal

    call_command("migrate", verbosity=0)
    with transaction.atomic():
        people = full_portal.build()
        tip = Tip(pk=1)
        move_tip(tip, Event.objects.latest("sequence"))  # the events were written as rows
        tip.save()
    rulemaking = _rulemaking(people)
    done: dict[str, Any] = {"chapters": rulemaking.changes.count()}
    for name in ("first", "second"):
        row = Rulemaking.objects.get(pk=rulemaking.pk)
        begun, processor = time.perf_counter(), time.process_time()
        trial = run_trial(row.number, changes_of(row), lambda finished, total: None)
        done[name] = {"seconds": time.perf_counter() - begun, "processor": time.process_time() - processor}
    lines = [row for change in trial.changes for row in change.rows]
    done |= {
        "groups": len(lines),
        "versions": len({row.version for row in lines}),
        "changed": sum(bool(row.holds) for row in lines),
        "computed": sum(change.computed for change in trial.changes),
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    return done


def _rulemaking(people: Any) -> Any:
    """Return a change in each chapter: the highest odds of each paytable one higher; without paytables, its status."""
    from django.utils import timezone

    from games import registry
    from games.rules.changes import toml_text
    from submissions.rulemakings import drafting

    day = timezone.localdate() + AHEAD
    rulemaking = drafting.start_rulemaking(people.analyst, title="Every chapter", source="57 Pa.B. 1001")
    for number in registry.folders():
        text = toml_text(_change(number, day))
        drafting.write_change(people.analyst, rulemaking, text, version=rulemaking.version)
        rulemaking.refresh_from_db()
    return rulemaking


def _change(number: str, day: date) -> dict[str, Any]:
    from games import registry
    from games.rules.files import PAYTABLES, RULES

    data = registry.chapter_data(number, day)
    head: dict[str, Any] = {"number": number, "effective": day, "title": "Odds", "source": "57 Pa.B. 1001"}
    tables = [row for row in map(_raised, data.files[PAYTABLES].get("paytable", [])) if row]
    if tables:
        return head | {"paytable": tables}
    status = "final" if data.files[RULES]["status"] != "final" else "temporary"
    return head | {"chapter": {"status": status}}


def _raised(table: dict[str, Any]) -> dict[str, Any] | None:
    """Return the paytable with its first row of odds above 5 to 1 one higher; None where no row is of odds."""
    for outcome, *pays in table.get("rows", []):
        place = next((at for at, pay in enumerate(pays) if isinstance(pay, list) and pay[0] > 5 and pay[1] == 1), None)
        if place is not None:
            cells = [outcome, *pays]
            cells[place + 1] = [pays[place][0] + 1, 1]
            return {"wager": table["wager"], "name": table["name"], "changed_rows": [cells]}
    return None


if __name__ == "__main__":
    import django

    django.setup()
    print(json.dumps(run()))
