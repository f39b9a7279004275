"""The steps of the cluster's run in the portal's own code: make its world, and look at the results."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from typing import Any

from bench.parts import main


def world() -> dict[str, Any]:
    """Make the demo's organizations; return them, an API key of a casino's system, and the open sessions."""
    from bench.worlds import issue_token, open_session
    from portal import demo
    from portal.demo import ANSWERS, CHAPTER
    from submissions.models import Scope

    answers = json.loads(ANSWERS.read_text(encoding="utf-8"))
    # The mathematics is compiled once, before the machines start.
    deal = ["simulate", CHAPTER, "--config", str(ANSWERS), "--rounds", "200000", "--seed", "1", "--json"]
    subprocess.run([sys.executable, "-m", "games", *deal], check=True, stdout=subprocess.DEVNULL)
    demo.create_cast()
    manager = demo.person("manager", "east")
    people = {"manager": manager, **{word: demo.person(word, "board") for word in ("analyst", "director")}}
    return {
        "key": issue_token(manager, "Casino system", Scope.PREPARE),
        "sessions": {word: open_session(person) for word, person in people.items()},
        "draft": {"chapter": CHAPTER, "answers": answers},
    }


def verdict() -> dict[str, Any]:
    """Return all that must be so at the end, as counts and as sentences on the rest."""
    from submissions.documents.seal_certificate import certificates
    from submissions.documents.signing_keys import pinned_seals, root_file
    from submissions.documents.verify import verify
    from submissions.models import Block, Document, Event, Job, Mail, Revision, Simulation, Submission

    problems: list[str] = []
    roots, seals = certificates(root_file()), pinned_seals()
    documents = Counter(Document.objects.values_list("revision", flat=True))
    for revision in Revision.objects.all():
        if documents[revision.pk] != 1:
            problems.append(f"{revision.receipt} has {documents[revision.pk]} documents")
    verified = 0
    for document in Document.objects.select_related("signed", "revision").iterator(chunk_size=10):
        if found := verify(document.signed.content, roots, seals).problems:
            problems.append(f"{document.revision.receipt}: {'; '.join(found)}")
        else:
            verified += 1
    for simulation in Simulation.objects.all():
        indexes = list(Block.objects.filter(simulation=simulation).order_by("index").values_list("index", flat=True))
        if indexes != list(range(simulation.blocks_needed)):
            problems.append(f"simulation {simulation.pk} has the blocks {indexes}")
    for job in Job.objects.exclude(state=Job.State.DONE):
        problems.append(f"job {job.pk} ({job.kind} {job.subject}) is {job.state}: {job.message}")
    statuses = Counter(Submission.objects.values_list("status", flat=True))
    once = ("filed", "simulated", "recommended", "approved", "signed")
    steps = Counter(Event.objects.filter(verb__in=once).values_list("submission__number", "verb"))
    problems += [f"submission {number}: {verb} {count} times" for (number, verb), count in steps.items() if count > 1]
    return {
        "filings": Revision.objects.count(), "documents": sum(documents.values()), "verified": verified,
        "statuses": statuses, "jobs": Job.objects.count(), "problems": problems,
        "attempts": sum(Job.objects.values_list("fence", flat=True)),
        "mails": Mail.objects.count(), "sent": Mail.objects.exclude(sent_at=None).count(),
        "message_ids": list(Mail.objects.values_list("message_id", flat=True)),
    }  # fmt: skip


if __name__ == "__main__":
    main(world, verdict)
