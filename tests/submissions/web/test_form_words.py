"""The words of Django's errors on the portal's pages: each names the next step."""

from __future__ import annotations

import pytest
from django import forms
from django.test import Client
from django.urls import get_resolver, reverse

from submissions.models import Person
from submissions.web.forms import PageForm
from tests.submissions.web.clients import browser

OF_FILTERS = {"SearchForm", "PeriodForm"}  # whose words the API has, too


class Row(PageForm):
    number = forms.CharField(max_length=12)
    game = forms.ChoiceField(choices=[("687a", "Pai Gow")])
    parts = forms.MultipleChoiceField(choices=[("sign", "Sign")], required=False)
    days = forms.IntegerField(min_value=0, max_value=30)
    name = forms.CharField(error_messages={"required": "Enter the name of the licensee."})


GOOD = {"number": "12", "game": "687a", "days": "7", "name": "East"}


@pytest.mark.parametrize(
    ("field", "entered", "words"),
    [
        ("number", "", "Fill in this field."),
        ("number", "x" * 232, "Enter at most 12 characters; this has 232."),
        ("number", "1\0", "Remove the null characters. The portal cannot store them."),
        ("game", "", "Choose an option."),
        ("game", "100%", "“100%” is not in the list. Choose an option from the list."),
        ("parts", ["guide"], "“guide” is not in the list. Choose an option from the list."),
        ("days", "soon", "Enter a whole number."),
        ("days", "-1", "Enter 0 or more; this is -1."),
        ("days", "31", "Enter 30 or less; this is 31."),
        ("name", "", "Enter the name of the licensee."),
    ],
)
def test_error_of_a_field_names_the_next_step(field: str, entered: str | list[str], words: str) -> None:
    assert Row({**GOOD, field: entered}).errors == {field: [words]}


def test_field_that_is_added_to_a_form_names_the_next_step() -> None:
    form = Row({**GOOD, "added": "1\0"})
    form.fields["added"] = forms.CharField()
    assert form.errors == {"added": ["Remove the null characters. The portal cannot store them."]}


def test_each_form_of_a_page_names_the_next_step() -> None:
    assert get_resolver().url_patterns  # imports every page
    ours = {form.__name__ for form in forms.Form.__subclasses__() if form.__module__.startswith("submissions.")}
    assert ours == OF_FILTERS | {"PageForm"}


@pytest.mark.django_db
def test_field_and_summary_show_the_words(manager: Person) -> None:
    client: Client = browser(manager)
    page = client.post(reverse("table-change"), {"number": "x" * 232, "chapter": "700z"}).content.decode()
    for words in ("Enter at most 12 characters; this has 232.", "“700z” is not in the list.", "Fill in this field."):
        assert page.count(words) == 2
    assert 'href="#id_number"' in page
    assert "x" * 232 in page
