"""The API's description: as committed, without warnings, and true: an example for each operation, of its own shape."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.test import Client
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema
from jsonschema import Draft202012Validator

from games.registry import folders
from submissions.api.framework.openapi import examples
from tests.submissions.api.addresses import ADDRESSES

COMMITTED = Path(__file__).parents[2] / "recorded" / "openapi.yaml"
AGAIN = "python manage.py spectacular --validate --fail-on-warn --file tests/recorded/openapi.yaml"


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
    with GENERATOR_STATS.silence():
        found: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
        assert not GENERATOR_STATS._warn_cache
        assert not GENERATOR_STATS._error_cache
    return found


@pytest.fixture(scope="module")
def operations(described: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {one["operationId"]: one for path in described["paths"].values() for one in path.values()}


def read(text: str | bytes) -> Any:
    """With libyaml, in a tenth of the seconds."""
    return yaml.load(text, yaml.CSafeLoader)


def test_description_is_as_committed(described: dict[str, Any]) -> None:
    validate_schema(described)
    assert described == read(COMMITTED.read_text(encoding="utf-8")), f"Run: {AGAIN}"


def test_description_lists_no_chapters(described: dict[str, Any]) -> None:
    """A new chapter changes nothing in it."""
    listed = [one for one in enumerations(described) if not folders().keys().isdisjoint(map(str, one))]
    assert listed == []


def enumerations(part: Any) -> Iterator[list[Any]]:
    if isinstance(part, dict):
        if isinstance(part.get("enum"), list):
            yield part["enum"]
        for inner in part.values():
            yield from enumerations(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from enumerations(inner)


def test_every_address_is_described(operations: dict[str, dict[str, Any]]) -> None:
    methods = [method for _, view, _ in ADDRESSES for method in ("get", "post") if hasattr(view, method)]
    assert len(operations) == len(methods)
    silent = [name for name, one in operations.items() if not one["summary"] or not one["description"]]
    assert silent == []


def test_every_operation_has_an_example_of_its_shape(
    described: dict[str, Any], operations: dict[str, dict[str, Any]]
) -> None:
    assert set(examples()) == set(operations)
    for name, one in operations.items():
        assert wrong(described, answered(one)[1], examples()[name]["response"]) == [], name
        if "requestBody" in one:
            assert wrong(described, one["requestBody"]["content"], examples()[name]["request"]) == [], name
    posted = {name for name, one in operations.items() if "requestBody" in one}
    assert posted == {name for name, one in examples().items() if "request" in one}


def answered(operation: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The status where all goes well, and what is answered."""
    ((status, answer),) = ((status, one) for status, one in operation["responses"].items() if status < "300")
    return status, answer["content"]


def wrong(described: dict[str, Any], content: dict[str, Any], told: Any) -> list[str]:
    """What keeps the example from being of the shape; of several media types, of the first."""
    shape = next(iter(content.values()))["schema"]
    validator = Draft202012Validator({**shape, "components": described["components"]})
    return [error.message for error in validator.iter_errors(told)]


def test_no_write_has_a_default(operations: dict[str, dict[str, Any]]) -> None:
    """openapi-typescript takes what has one for required; openapi-python-client sends it, even where it is refused."""
    with_defaults = [
        f"{name} {parameter['name']}"
        for name, operation in operations.items()
        if "requestBody" in operation
        for parameter in operation["parameters"]
        if "default" in parameter["schema"]
    ]
    assert with_defaults == []


def test_no_body_has_a_default(described: dict[str, Any]) -> None:
    bodies = [name for name in described["components"]["schemas"] if name.endswith(("Request", "Item"))]
    assert bodies
    assert [name for name in bodies if '"default":' in json.dumps(described["components"]["schemas"][name])] == []


def test_every_problem_is_described(operations: dict[str, dict[str, Any]]) -> None:
    for one in operations.values():
        assert {"400", "401", "406", "429"} <= set(one["responses"])
        assert all(
            list(answer["content"]) == ["application/problem+json"]
            for status, answer in one["responses"].items()
            if status not in (answered(one)[0], "304")
        )


def test_whatever_has_a_tag_may_be_unchanged(operations: dict[str, dict[str, Any]]) -> None:
    """All that is read but results as CSV, which are sent line by line."""
    tagged = {name for name, one in operations.items() if "304" in one["responses"]}
    assert tagged == {name for name in operations if name.startswith("read")} - {"readResult"}
    assert tagged == {
        name for name, one in operations.items() if "ETag" in one["responses"].get("200", {}).get("headers", {})
    }


def test_description_is_served_as_committed_and_written_once(described: dict[str, Any]) -> None:
    yaml_, json_ = (Client().get("/api/v1/schema/", headers={"Accept": kind}) for kind in ("*/*", "application/json"))
    assert read(yaml_.content) == json_.json() == described
    assert Client().get("/api/v1/schema/", headers={"If-None-Match": yaml_["ETag"]}).status_code == 304
