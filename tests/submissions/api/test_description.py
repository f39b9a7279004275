"""The API's description: as committed, without warnings, and true: an example for each operation, of its own shape."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiYamlRenderer
from drf_spectacular.validation import validate_schema
from jsonschema import Draft202012Validator

from submissions.api.addresses import ADDRESSES
from submissions.api.describing import examples

COMMITTED = Path(__file__).parents[3] / "docs" / "openapi.yaml"
AGAIN = "python manage.py spectacular --validate --fail-on-warn --file docs/openapi.yaml"


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


def test_description_is_as_committed(described: dict[str, Any]) -> None:
    validate_schema(described)
    written = OpenApiYamlRenderer().render(described, renderer_context={}).decode()
    assert yaml.safe_load(written) == yaml.safe_load(COMMITTED.read_text(encoding="utf-8")), f"Run: {AGAIN}"


def test_every_address_is_described(operations: dict[str, dict[str, Any]]) -> None:
    assert len(operations) == len(ADDRESSES)
    silent = [name for name, one in operations.items() if not one["summary"] or not one["description"]]
    assert silent == []


def test_every_operation_has_an_example_of_its_shape(
    described: dict[str, Any], operations: dict[str, dict[str, Any]]
) -> None:
    assert set(examples()) == set(operations)
    for name, one in operations.items():
        shape = one["responses"]["200"]["content"]["application/json"]["schema"]
        validator = Draft202012Validator({**shape, "components": described["components"]})
        assert [error.message for error in validator.iter_errors(examples()[name]["response"])] == [], name
    posted = {name for name, one in operations.items() if "requestBody" in one}
    assert posted == {name for name, one in examples().items() if "request" in one}


def test_every_problem_is_described(operations: dict[str, dict[str, Any]]) -> None:
    for one in operations.values():
        assert {"200", "400", "401", "406", "429"} <= set(one["responses"])
        assert all(
            list(answer["content"]) == ["application/problem+json"]
            for status, answer in one["responses"].items()
            if status not in ("200", "304")
        )
