"""Clients generated from the portal's own description do the whole story of docs/api-first-hour.md, and the examples.

The generators say nothing against the description, and `tsc --strict` says nothing against the programs. `make soak`
tells the story of all chapters. What is generated lies in a temporary folder. pytest's cache keeps a copy, until the
description, a page or a generator changes.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import requests
import yaml
from joserfc.jwk import RSAKey
from pytest_django.live_server_helper import LiveServer

from games.registry import folders
from submissions.documents import signing_keys
from submissions.documents.verify import verify
from submissions.models import Organization, Person
from tests.games.chapters.examples import example
from tests.health.files import ROOT
from tests.soak import SOAK
from tests.submissions import files
from tests.submissions.api.clients import made
from tests.submissions.api.guide_blocks import DOCS, LONGEST, Desk, blocks, python_session
from tests.submissions.api.people_at_work import Signers, at_work
from tests.submissions.approved import Cast

FIRST_HOUR, EXAMPLES = DOCS / "api-first-hour.md", DOCS / "api-examples.md"
PREPARING = re.compile(r"^(openapi-python-client|npx) ", re.MULTILINE)  # blocks that generate or compile
SCOPES = ("read", "prepare", "file")
CLOCK = ("LD_PRELOAD", "PORTAL_WRONG_CLOCK")  # what `make moments` shifts it with, for the programs, too
CLIENT = "rules_client"  # the package that is generated for Python
STORIES = {"Python": "first_hour.py", "TypeScript": "first-hour.ts"}
# What is generated is made from these, from the description and by this version of Python.
MADE_FROM = (
    FIRST_HOUR,
    EXAMPLES,
    *(ROOT / name for name in ("package-lock.json", "requirements-dev.txt", "setup/node.txt")),
    Path(__file__),
)
CASES = [(chapter, language) for chapter in folders() for language in STORIES] if SOAK else []

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("generated clients")]


@pytest.fixture(scope="module")
def generated(live_server: LiveServer, tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Desk:
    """Both clients and every program of the pages, TypeScript compiled, by the commands of the page."""
    folder = tmp_path_factory.mktemp("clients") / "generated"
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    clock = {name: value for name, value in os.environ.items() if name in CLOCK}
    desk = Desk(folder, {**clock, "PATH": path, "PORTAL": live_server.url, "npm_config_update_notifier": "false"})
    cached = pytestconfig.cache.mkdir("generated-clients")
    complete = cached / digest_of_sources(live_server.url)
    if complete.exists():
        shutil.copytree(complete, folder, symlinks=True)
    else:
        generate(desk)
        shutil.rmtree(cached)  # of other sources
        partial = Path(shutil.copytree(folder, cached / "partial", symlinks=True))
        partial.rename(complete)  # whole, or not there
    return desk


def digest_of_sources(portal: str) -> str:
    description = requests.get(f"{portal}/api/v1/schema/", timeout=LONGEST).content
    sources = (sys.version.encode(), description, *(path.read_bytes() for path in MADE_FROM))
    return hashlib.sha256(b"".join(hashlib.sha256(source).digest() for source in sources)).hexdigest()


def generate(desk: Desk) -> None:
    desk.folder.mkdir()
    (desk.folder / "package.json").write_text('{"type": "module"}')
    (desk.folder / "node_modules").symlink_to(ROOT / "node_modules")
    for block in (*blocks(FIRST_HOUR), *blocks(EXAMPLES)):
        if block.name:
            desk.save(block)
    for block in blocks(FIRST_HOUR):
        if PREPARING.search(block.text):
            desk.run(block)
    (desk.folder / "exported").unlink()  # each test has its own key


@pytest.fixture
def desk(generated: Desk, live_server: LiveServer, casino: Organization, settings: Any, tmp_path: Path) -> Desk:
    """A folder with what was generated, and API keys of the casino."""
    settings.SIMULATION_ROUNDS, settings.PUBLIC_URL = 20_000, live_server.url
    folder = tmp_path / "desk"
    shutil.copytree(generated.folder, folder, symlinks=True, ignore=shutil.ignore_patterns(CLIENT))
    (folder / CLIENT).symlink_to(generated.folder / CLIENT)  # Python compiles its hundreds of modules once
    (folder / "house-rules.pdf").write_bytes(files.pdf())
    key = RSAKey.generate_key(2048, private=True)
    (folder / "client.pem").write_bytes(key.as_pem(private=True))
    public_key = key.as_pem(private=False).decode()
    tokens = {
        "CREDENTIAL": made(casino, scopes=SCOPES).token,
        "TEST": made(casino, scopes=SCOPES, live=False).token,
        "CLIENT": made(casino, scopes=SCOPES, public_key=public_key).credential.key_id,
    }
    return Desk(folder, {**generated.environment, **tokens, "CHAPTER": "688a"})


@pytest.fixture
def signers(manager: Person, analyst: Person, director: Person) -> Signers:
    return Signers(manager, analyst, director)


def check_signed(desk: Desk, keys: Path) -> None:
    """The signature of the PDF that a story saved last; then the file makes room for the next one."""
    signed, seal = desk.folder / "signed.pdf", signing_keys.demo_seal(keys)
    assert verify(signed.read_bytes(), seal.roots, (seal.sha256,)).problems == ()
    signed.unlink()


def test_first_hour_is_as_the_page_says(desk: Desk, signers: Signers, key_folder: Path) -> None:
    stories = 0
    with at_work(signers):
        for block in blocks(FIRST_HOUR):
            if not PREPARING.search(block.text):
                desk.check(block)
            if "signed.pdf: OK" in block.prints:
                check_signed(desk, key_folder)
                stories += 1
    assert stories == len(STORIES) + 1, "one more with curl"


def test_examples_print_what_the_page_says(desk: Desk, signers: Signers) -> None:
    cast = Cast(signers.manager, signers.analyst, signers.director, computes=False)
    for chapter in ("687a", "585"):
        cast.version(chapter)
    with at_work(signers), python_session(desk) as session:
        for block in blocks(EXAMPLES):
            (session if block.kind == "python" else desk).check(block)


def test_each_example_is_in_three_languages() -> None:
    parts = EXAMPLES.read_text(encoding="utf-8").split("\n## ")[1:]
    languages = {part.partition("\n")[0]: re.findall(r"^```(sh|python|ts)$", part, re.MULTILINE) for part in parts}
    assert languages
    assert [heading for heading, kinds in languages.items() if kinds != ["sh", "python", "ts"]] == []


def test_collection_has_every_operation_and_no_secret(generated: Desk) -> None:
    """Requests as method and address, with `{name}` for what the collection writes as `:name`."""
    text = (generated.folder / "rules-portal.postman_collection.json").read_text(encoding="utf-8")
    collection = json.loads(text)
    requests = list(requests_in(collection["item"]))
    addresses = {(each["method"], re.sub(r":(\w+)", r"{\1}", "/".join(each["url"]["path"]))) for each in requests}
    paths = yaml.load((generated.folder / "openapi.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)["paths"]
    assert addresses == {(method.upper(), path[1:]) for path, operations in paths.items() for method in operations}
    assert [variable["key"] for variable in collection["variable"]] == ["baseUrl"]
    assert {each["url"]["host"][0] for each in requests} == {"{{baseUrl}}"}
    assert {each["auth"]["bearer"][0]["value"] for each in requests if "auth" in each} == {"{{bearerToken}}"}
    assert not re.search(r"rsp_(live|test)_\w+_\w", text)


def requests_in(items: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Those of all folders."""
    for item in items:
        if "item" in item:
            yield from requests_in(item["item"])
        else:
            yield item["request"]


@pytest.mark.parametrize(("chapter", "language"), CASES)
def test_generated_client_files_chapter(
    chapter: str, language: str, desk: Desk, signers: Signers, key_folder: Path
) -> None:
    """The answers but the files, which the story uploads."""
    answers = {key: answer for key, answer in example(chapter).items() if not isinstance(answer, dict)}
    (desk.folder / "answers.json").write_text(json.dumps(answers))
    (story,) = (block for block in blocks(FIRST_HOUR) if block.name == STORIES[language])
    with at_work(signers):
        printed = replace(desk, environment={**desk.environment, "CHAPTER": chapter}).run(story)
    assert printed.endswith("signed.pdf: OK\n")
    check_signed(desk, key_folder)
