"""The forms of pages: Django forms that parse, the refusals of the actions that judge, and the summary of both.

A page binds its form, calls the action with what the form cleaned, and gives the action's `Refusal` to `add_refusal`.
`templates/django/forms/field.html` draws a field. Every page that shows a refusal has a summary above it, as an alert
of the kind “error” (`components.alert`): the focus is there, and its links lead to the fields that must be corrected. A
page whose form is a template names its fields in the context as `error_fields`: the option or the code of a refusal to
the id.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html

from submissions.core.errors import Refusal
from submissions.core.parameters import RefusedValue
from submissions.web.responses import render_page

CONFIRMATION = "confirm"  # the option of a refusal because the person did not confirm who they are


def explained(label: str, text: str) -> str:
    """Return the label of a choice that needs a sentence."""
    return format_html("<strong>{}</strong>: {}", label, text)


NOT_OFFERED = "“%(value)s” is not in the list. Choose an option from the list."
NEXT_STEPS = {  # Django's text → ours, which names the next step
    "This field is required.": "Fill in this field.",
    "Select a valid choice. %(value)s is not one of the available choices.": NOT_OFFERED,
    "Select a valid choice. That choice is not one of the available choices.": NOT_OFFERED,
}
NEXT_STEPS_OF_CHOICES = {**NEXT_STEPS, "This field is required.": "Choose an option."}
VALIDATOR_TEXTS = {  # Django's code of a validator → our text
    "max_length": "Enter at most %(limit_value)d characters; this has %(show_value)d.",
    "min_value": "Enter %(limit_value)s or more; this is %(show_value)s.",
    "max_value": "Enter %(limit_value)s or less; this is %(show_value)s.",
    "null_characters_not_allowed": "Remove the null characters. The portal cannot store them.",
}


class PageForm(forms.Form):
    """A form of a page: its errors name the next step, where Django's texts only state the rule.

    A text that a field has of its own stays.
    """

    def full_clean(self) -> None:
        for field in self.fields.values():  # also those that were added to the form
            ours = NEXT_STEPS_OF_CHOICES if isinstance(field, forms.ChoiceField) else NEXT_STEPS
            texts = {code: ours.get(str(text), text) for code, text in field.error_messages.items()}
            field.error_messages = {**VALIDATOR_TEXTS, **texts}
        super().full_clean()


def posted(request: HttpRequest) -> tuple[Any, Any]:
    """Return what the form of a page is bound to: the values and files that were sent, even if there are none."""
    return (request.POST, request.FILES) if request.method == "POST" else (None, None)


def add_refusal(form: forms.BaseForm, refusal: Refusal, field: str = "") -> None:
    """Add what an action refused to the field that it is about, or to the form as a whole."""
    name = field or refusal.option
    form.add_error(name if name in form.fields else None, RefusedValue(refusal))


CODES = {"required": "field-missing", "max_length": "text-too-long"}  # Django's code of an error → that of the refusal


def form_refusals(form: forms.BaseForm) -> Iterator[tuple[str, Refusal]]:
    """Yield the name of a field and its error: those of the whole form first, then in the order of the page.

    `codes` of a form: Django's code of an error → ours, where the action has another than most.
    """
    errors, codes = form.errors.as_data(), {**CODES, **getattr(form, "codes", {})}
    for name in (NON_FIELD_ERRORS, *form.fields):
        for error in errors.get(name, ()):
            if isinstance(error, RefusedValue):
                yield name, error.refusal
            else:  # Django's own words do not name the field
                label = f"{form[name].label}: " if name in form.fields else ""
                yield (
                    name,
                    Refusal(codes.get(str(error.code), "field-shape"), label + " ".join(error.messages), option=name),
                )


def render_form(
    request: HttpRequest,
    template: str,
    context: Mapping[str, Any],
    form: forms.BaseForm,
    refusal: Refusal | None = None,
) -> HttpResponse:
    """Return the page with this form, under the status of what was refused: its first error, if nothing else."""
    first = next((each for _, each in form_refusals(form)), None)
    return render_page(request, template, {**context, "form": form}, refusal or first)


def is_about_entries(refusal: Refusal) -> bool:
    """Return whether the person may take the step, so that everything that they must correct is worth showing."""
    return refusal.status == Refusal.status or refusal.option == CONFIRMATION


FIELDS = {"confirm", "confirmed", "document", "note", "text"}  # of forms that are templates: their ids are their names
ANY_ENTRY = ""  # in `error_fields`: the field of every refusal that is not named there
FIELD_OF_CODE = {"attestation-missing": "attested"}
WITHOUT_INPUT = ("page", "by")  # parameters of a list's address: there is no field to correct


@dataclass(frozen=True, slots=True)
class ErrorLink:
    """The link to a field, by its id."""

    text: str
    field: str


def shows_refusal(context: Mapping[str, Any]) -> bool:
    """Return whether the page is the answer to something that was refused."""
    return isinstance(context.get("refusal"), Refusal)


def error_links(context: Mapping[str, Any]) -> list[ErrorLink]:
    """Return a link for each field to correct.

    The page states the first refusal itself, so the link to its field is short.

    `faults` of the context, where a page has them: the id of a field, or the name of a parameter without one, to its
    refusal. `without_field`: those that this reader's page has no field for.
    """
    if shows_refusal(context):
        (_, target, label), *further = _refused_fields(context)
        first = [ErrorLink(f"Go to the field{label}", target)] if target else []
        return first + [ErrorLink(f"{each.message} {each.fix}", target) for each, target, _ in further]
    faults = context.get("faults") or getattr(context.get("chosen"), "faults", None)
    if not isinstance(faults, Mapping):
        return []
    hidden = {*WITHOUT_INPUT, *context.get("without_field", ())}
    return [ErrorLink(f"{fault.message} {fault.fix}", "" if name in hidden else name) for name, fault in faults.items()]


def _refused_fields(context: Mapping[str, Any]) -> Iterator[tuple[Refusal, str, str]]:
    """Each refusal that the page shows, with the id of its field and, where the form knows it, the label in marks."""
    form, refusal = context.get("form"), context["refusal"]
    if isinstance(form, forms.BaseForm) and form.errors:
        for name, each in form_refusals(form):
            is_field = name in form.fields
            target = _input_id(form[name]) if is_field else _field_of(context, each)
            yield each, target, f" “{form[name].label}”" if is_field else ""
        return
    for each in (refusal, *refusal.further):
        yield each, _field_of(context, each), ""


def _input_id(field: forms.BoundField) -> str:
    """Return the id of the input; of several boxes or buttons, of the first one; "" where there is none to choose."""
    if field.use_fieldset:
        return next((choice.id_for_label for choice in field), "")
    return field.id_for_label


def _field_of(context: Mapping[str, Any], refusal: Refusal) -> str:
    """Return the id of the field that the refusal is about; "" where there is none."""
    fields: Mapping[str, str] = context.get("error_fields", {})
    if is_about_entries(refusal) and (
        target := fields.get(refusal.option) or fields.get(refusal.code) or fields.get(ANY_ENTRY)
    ):
        return CONFIRMATION if refusal.option == CONFIRMATION else target
    return refusal.option if refusal.option in FIELDS else FIELD_OF_CODE.get(refusal.code, "")
