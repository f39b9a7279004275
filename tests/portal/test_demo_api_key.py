"""The first call of an integrator: the command that the demonstration prints answers, and only the newest key does."""

from __future__ import annotations

import io
import re

import pytest
from django.core.management import call_command
from django.test import Client

from submissions.models import Person

pytestmark = pytest.mark.django_db

PRINTED = re.compile(r'curl -H "Authorization: (Bearer [^"]+)" http://127\.0\.0\.1:8000(/\S+)')


def printed_call() -> tuple[str, str]:
    """The header and the address that the demonstration prints."""
    out = io.StringIO()
    call_command("demo", address="127.0.0.1:8000", people_only=True, stdout=out)
    [call] = PRINTED.findall(out.getvalue())
    return call


def status_of(header: str, address: str) -> int:
    return Client(headers={"Authorization": header}).get(address).status_code


def test_printed_command_says_who_the_caller_is() -> None:
    header, address = printed_call()
    answer = Client(headers={"Authorization": header}).get(address).json()
    assert answer["organization"]["name"] == "Demo Casino East"
    assert answer["scopes"] == ["read", "prepare", "file"]


def test_key_of_the_last_start_is_revoked_by_the_next() -> None:
    first, second = printed_call(), printed_call()
    assert (status_of(*first), status_of(*second)) == (401, 200)


def test_demonstration_goes_on_if_the_manager_is_no_longer_an_administrator() -> None:
    printed_call()
    for word, administrator in (("manager", False), ("reader", True)):
        Person.objects.filter(email=f"{word}@east.example.test").update(administrator=administrator)
    out = io.StringIO()
    call_command("demo", address="127.0.0.1:8000", people_only=True, stdout=out)
    assert "No API key of Demo Casino East: " in out.getvalue()
    assert "curl" not in out.getvalue()


def test_no_key_is_made_where_no_address_is_shown() -> None:
    out = io.StringIO()
    call_command("demo", people_only=True, stdout=out)
    assert "API key" not in out.getvalue()
