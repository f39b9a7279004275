"""The summary of a refusal above a page: the focus is there, and its links lead to the fields that must be corrected.

Every page that shows a refusal has one, as an alert of the kind “error” (`components.alert`). A page whose form is a
template names its fields in the context as `error_fields`: the option or the code of a refusal to the id. Not here: the
error beside a field (`parts/field.html`, `parts/confirm.html`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.forms import BoundField, CheckboxSelectMultiple, RadioSelect

from submissions.core.errors import Refusal
from submissions.web.forms import CONFIRMATION, RefusalForm, is_about_entries

FIELDS = {"confirm", "confirmed", "document", "note", "text"}  # of forms that are templates: their ids are their names
ANY_ENTRY = ""  # in `error_fields`: the field of every refusal that is not named there
FIELD_OF_CODE = {"attestation-missing": "attested"}
WITHOUT_INPUT = ("page", "by")  # parameters of a list's address: there is no field to correct
WITHOUT_FIELD = {"question-closed"}
FIELDS_OF_FORM = {"assignment": "assignee"}  # forms of several pages, each with one field
DECISION = "decision"  # the form of the steps on a submission's page
OF_REMARKS = ("line-", "remark-")  # forms whose field has the form's name in its id


@dataclass(frozen=True, slots=True)
class ErrorLink:
    """The link to a field, by its id."""

    text: str
    field: str


def shows_refusal(context: Mapping[str, Any]) -> bool:
    """Whether the page is the answer to something that was refused."""
    return isinstance(context.get("refusal"), Refusal)


def error_links(context: Mapping[str, Any]) -> list[ErrorLink]:
    """A link for each field to correct. The page states the first refusal itself, so the link to its field is short.

    `faults` of the context, where a page has them: the id of a field, or the name of a parameter without one, to its
    refusal. `without_field`: those that this reader's page has no field for.
    """
    if shows_refusal(context):
        form = context.get("form")
        ids = [_input_id(field) for field in form] if isinstance(form, RefusalForm) else []  # in the order of the page
        return sorted(_links(context), key=lambda link: ids.index(link.field) if link.field in ids else -1)
    faults = context.get("faults") or getattr(context.get("chosen"), "faults", None)
    if not isinstance(faults, Mapping):
        return []
    hidden = {*WITHOUT_INPUT, *context.get("without_field", ())}
    return [ErrorLink(f"{fault.message} {fault.fix}", "" if name in hidden else name) for name, fault in faults.items()]


def _links(context: Mapping[str, Any]) -> Iterator[ErrorLink]:
    refusal: Refusal = context["refusal"]
    field, label = _field_of(context, refusal)
    if field:
        yield ErrorLink(f"Go to the field “{label}”" if label else "Go to the field", field)
    for further in refusal.further:
        yield ErrorLink(f"{further.message} {further.fix}", _field_of(context, further)[0])


def _input_id(field: BoundField) -> str:
    """The id of the input; of several boxes or buttons, of the first one; "" where there is none to choose."""
    if isinstance(field.field.widget, RadioSelect | CheckboxSelectMultiple):
        return next((choice.id_for_label for choice in field), "")
    return field.id_for_label or str(field.auto_id)


def _field_of(context: Mapping[str, Any], refusal: Refusal) -> tuple[str, str]:
    """The id of the field that the refusal is about, and its label where the form knows it; "" where there is none."""
    form = context.get("form")
    if isinstance(form, RefusalForm) and (name := form.refusal_field(refusal)):
        return _input_id(form[name]), str(form[name].label)
    fields: Mapping[str, str] = context.get("error_fields", {})
    if is_about_entries(refusal) and (
        target := fields.get(refusal.option) or fields.get(refusal.code) or fields.get(ANY_ENTRY)
    ):
        return (CONFIRMATION if refusal.option == CONFIRMATION else target), ""
    # For example of a step that is not for this person, or of a question that needs no answer any more.
    may_have_no_form = refusal.status != Refusal.status or refusal.code in WITHOUT_FIELD
    if isinstance(form, str) and form.startswith(OF_REMARKS) and not may_have_no_form:
        return f"{form}-text", ""
    if refusal.option in FIELDS:
        return refusal.option, ""
    if isinstance(form, str) and form in FIELDS_OF_FORM and not may_have_no_form:
        return FIELDS_OF_FORM[form], ""
    if form == DECISION and refusal.code == "reason-missing":
        return "reason", ""
    return FIELD_OF_CODE.get(refusal.code, ""), ""
