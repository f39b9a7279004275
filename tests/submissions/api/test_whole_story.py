"""A filing from its first call to its verified PDF, by a program; a person confirms what only a person may do.

The chapter of the story takes a file, so nothing of it can be left to the pages. `make soak` tells it of all chapters.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from games.registry import folders
from submissions.documents import demo_keys, signing_keys
from submissions.documents.verify import verify
from submissions.models import Job, Organization, Person
from tests.soak import SOAK
from tests.submissions import files
from tests.submissions.api.clients import made, system
from tests.submissions.api.people_at_work import Signers, run_jobs
from tests.submissions.api.uploading import SUBMISSIONS, post, raw, started

pytestmark = pytest.mark.slow

CHAPTERS = tuple(folders()) if SOAK else ("688a",)
ROUNDS = 20_000


@pytest.fixture(scope="module")
def key_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("portal") / "keys"
    demo_keys.make_demo_keys(folder)
    return folder


@pytest.fixture(autouse=True)
def keys(settings: Any, key_folder: Path) -> Path:
    settings.SIMULATION_ROUNDS, settings.KEYS = ROUNDS, key_folder
    return key_folder


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_program_files_and_verifies_the_signed_document(
    chapter: str, casino: Organization, manager: Person, analyst: Person, director: Person, keys: Path
) -> None:
    client = system(made(casino, scopes=["read", "prepare", "file"]).token)
    draft = prepared(client, chapter)
    signers = Signers(manager, analyst, director)
    filed(client, draft, signers)
    signers.approve(draft["submission"])
    run_jobs(Job.Kind.DOCUMENT)
    (document,) = client.get(f"{SUBMISSIONS}{draft['submission']}/documents/").json()["results"]
    address = document["address"].partition("http://127.0.0.1:8000")[2]
    for answer in (client.get(address, headers={"Accept": "application/pdf"}), client.get(f"{address}file/")):
        assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf")
        assert sha256(answer.content).hexdigest() == document["sha256"]
    seal = signing_keys.demo_seal(keys)
    assert verify(answer.content, seal.roots, (seal.sha256,)).problems == ()
    assert Client().get(f"/verify/{document['sha256']}").status_code == 200


def prepared(client: Client, chapter: str) -> dict[str, Any]:
    """A draft that nothing blocks: started, its files uploaded, judged."""
    draft, lines = started(client, chapter)
    version, number = draft["configuration_version"], draft["submission"]
    for line in lines:
        address = f"{SUBMISSIONS}{number}/attachments/"
        answer = raw(client, address, files.pdf(), "application/pdf", name="a.pdf", option=line, version=version)
        assert answer.status_code == 201, answer.content
        version = answer.json()["configuration_version"]
    (configuration,) = client.get(f"{SUBMISSIONS}{number}/configurations/").json()["results"]
    judged = post(client, f"/api/v1/chapters/{chapter}/judge/", {"answers": configuration["answers"]}).json()
    assert (judged["blocking"], configuration["version"]) == (0, version)
    return draft


def filed(client: Client, draft: dict[str, Any], signers: Signers) -> None:
    """Sent for confirmation, confirmed by a person, polled until it is done."""
    sent = post(client, f"{SUBMISSIONS}{draft['submission']}/file/", {"version": draft["version"]})
    assert sent.status_code == 202, sent.content
    address = f"/api/v1/bulk/{sent.json()['number']}/"
    run_jobs(Job.Kind.CHECK)
    waiting = client.get(address).json()
    assert (waiting["state"], waiting["needs_signature"]) == ("waiting", True)
    signers.confirm()
    run_jobs(Job.Kind.BULK)
    assert client.get(address).json()["state"] == "done"
    assert client.get(f"{SUBMISSIONS}{draft['submission']}/").json()["status"] == "filed"
    run_jobs(Job.Kind.SIMULATE)
    (run,) = client.get(f"{SUBMISSIONS}{draft['submission']}/simulations/").json()["results"]
    assert run["finished_at"]
