"""The forms of pages: fields that pass on what was sent, errors that are refusals of the domain, and their summary.

The functions of `submissions` clean and refuse alike for pages, API and bulk; a form carries their `Refusal` (code,
message, section, remedy) to the field that it concerns. Fields are rendered by `parts/field.html` and
`parts/choices.html`. Every page that shows a refusal has a summary above it, as an alert of the kind “error”
(`components.alert`): the focus is there, and its links lead to the fields that must be corrected. A page whose form is
a template names its fields in the context as `error_fields`: the option or the code of a refusal to the id.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar, cast

from django import forms
from django.forms import BoundField, CheckboxSelectMultiple, RadioSelect
from django.forms.widgets import ChoiceWidget
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html

from submissions.core.errors import Refusal
from submissions.core.parameters import RefusedValue, day_of
from submissions.web.responses import render_page

Choices = Iterable[tuple[str, str]]  # value, label
Check = Callable[[str], object]  # raises the `Refusal` of a value that cannot be read
CONFIRMATION = "confirm"  # the option of a refusal because the person did not confirm who they are


def explained(label: str, text: str) -> str:
    """The label of a choice that needs a sentence."""
    return format_html("<strong>{}</strong>: {}", label, text)


class LabeledField(forms.BoundField):
    """A field whose input refers to its hint and its error by the ids that `parts/field.html` gives them."""

    form: RefusalForm

    @property
    def aria_describedby(self) -> str:
        parts = {"hint": self.help_text, "error": self.form.errors_beside and self.errors}
        return " ".join(f"{self.auto_id}-{part}" for part, shown in parts.items() if shown)

    def build_widget_attrs(self, attrs: dict[str, Any], widget: forms.Widget | None = None) -> dict[str, Any]:
        error = {"class": "usa-input usa-input--error"} if self.form.errors_beside and self.errors else {}
        return super().build_widget_attrs(attrs | error, widget)


class RefusalForm(forms.Form):
    """A form that does not judge: its errors are the refusal of the function that was called with its values."""

    bound_field_class = LabeledField
    errors_beside: ClassVar[bool] = False  # whether an error is shown beside its field instead of above the form
    field_of: ClassVar[Mapping[str, str]] = {}  # option or code of a refusal → field, where the names differ
    # The fields that this step needs. None: those whose inputs say “required”; (): the page does not show the fields.
    needed: tuple[str, ...] | None = None
    refusal: Refusal | None = None

    def __init__(self, request: HttpRequest, **initial: object) -> None:
        super().__init__(request.POST if request.method == "POST" else None, initial=initial, auto_id="%s")

    @property
    def values(self) -> dict[str, Any]:
        """What was sent, by field; "", False or an empty list for what was not."""
        self.full_clean()
        return self.cleaned_data

    def offer(self, name: str, choices: Choices) -> None:
        """What there is to choose from in this field."""
        cast(SentChoice, self.fields[name]).choices = list(choices)

    def refuse(self, refusal: Refusal) -> None:
        """Carry the refusal: at its field where the form has that field, else for the whole form. What else is wrong
        with what was entered is shown at once, too.
        """
        self.refusal, values = refusal, dict(self.values)
        names = (refusal.option, self.field_of.get(refusal.option), self.field_of.get(refusal.code))
        self.add_error(next((name for name in names if name in self.fields), None), RefusedValue(refusal))
        if is_about_entries(refusal) and self.needed != ():
            further = list(self._further(values))
            refusal.further = (*refusal.further, *further)
            for each in further:
                self.add_error(each.option, RefusedValue(each))
        for name, field in self.fields.items():
            if isinstance(field, SentText) and field.is_day and name in self.errors:
                field.widget.input_type = "text"  # so that a day that cannot be read is shown as it was entered

    def refusal_field(self, refusal: Refusal) -> str:
        """The name of the field that has this refusal; "" if none has."""
        carried = ((name, error) for name, errors in self.errors.as_data().items() for error in errors)
        names = (name for name, error in carried if isinstance(error, RefusedValue) and error.refusal is refusal)
        return next((name for name in names if name in self.fields), "")

    def _further(self, values: Mapping[str, Any]) -> Iterator[Refusal]:
        """What else is wrong: fields that are needed and empty, and values that cannot be read."""
        for name, field in self.fields.items():
            if name in self.errors:
                continue
            is_needed = field.widget.attrs.get("required") if self.needed is None else name in self.needed
            text = values.get(name)
            if is_needed and not (text.strip() if isinstance(text, str) else text):
                yield empty_field(name, str(field.label))
            elif isinstance(field, SentText) and field.check and str(text).strip():
                try:
                    field.check(str(text).strip())
                except Refusal as refusal:
                    refusal.option = name
                    yield refusal

    @contextmanager
    def showing_refusals(self) -> Iterator[None]:
        """Carry the refusal of what is done inside, if there is one: then the page with the form follows."""
        try:
            yield
        except Refusal as refusal:
            self.refuse(refusal)

    def page(self, request: HttpRequest, template: str, context: Mapping[str, Any]) -> HttpResponse:
        """The page with this form, under the status of its refusal."""
        return render_page(request, template, {**context, "form": self}, self.refusal)


def is_about_entries(refusal: Refusal) -> bool:
    """Whether the person may take the step, so that everything that they must correct is worth showing."""
    return refusal.status == Refusal.status or refusal.option == CONFIRMATION


def empty_field(name: str, label: str) -> Refusal:
    """The refusal of a field that is needed and empty."""
    return Refusal("field-missing/form", option=name, label=label)


def add_empty_fields(refusal: Refusal, sent: Mapping[str, str], labels: Mapping[str, str]) -> None:
    """Of a form that is a template: the needed fields (name to label) that are empty, beside what was refused."""
    if not is_about_entries(refusal):
        return
    empty = (name for name in labels if name != refusal.option and not sent.get(name, "").strip())
    refusal.further = (*refusal.further, *(empty_field(name, labels[name]) for name in empty))


class Input(forms.TextInput):
    """An input of this kind; a passphrase is never written into a page."""

    def __init__(self, kind: str, attributes: dict[str, Any]) -> None:
        super().__init__({"class": "usa-input", **attributes})
        self.input_type = kind

    def format_value(self, value: Any) -> str | None:
        return None if self.input_type == "password" else str("" if value is None else value)


class SentText(forms.Field):
    """Text as it was sent, neither stripped nor refused; `attributes` are those of the input.

    `check` is called only when the form is refused already, to show at once what else cannot be read.
    """

    def __init__(
        self, label: str = "", *, hint: str = "", kind: str = "text", check: Check | None = None, **attributes: Any
    ) -> None:
        self.is_day = kind == "date"
        self.check = check or (day_of if self.is_day else None)
        several_lines = forms.Textarea({"class": "usa-textarea", "cols": False, **attributes})
        widget = several_lines if "rows" in attributes else Input(kind, attributes)
        super().__init__(required=False, label=label, help_text=hint, widget=widget)

    def to_python(self, value: str | None) -> str:
        return value or ""


class Select(forms.Select):
    def __init__(self, **attributes: Any) -> None:
        super().__init__({"class": "usa-select", **attributes})


class Options(ChoiceWidget):
    """Buttons, each with its value in its id, after that of the widget or the field's name."""

    def create_option(self, name: str, value: Any, *args: Any, **options: Any) -> dict[str, Any]:
        option: dict[str, Any] = super().create_option(name, value, *args, **options)
        own = {"id": f"{self.attrs.get('id', name)}-{value}", "class": f"usa-{self.input_type}__input"}
        return option | {"attrs": (self.checked_attribute if option["selected"] else {}) | own}


class Radios(Options, forms.RadioSelect):
    pass


class Checkboxes(Options, forms.CheckboxSelectMultiple):
    pass


class SentChoice(forms.ChoiceField):
    """One of some choices, as it was sent."""

    def __init__(self, widget: ChoiceWidget, *, label: str = "", choices: Choices = ()) -> None:
        super().__init__(required=False, label=label, choices=choices, widget=widget)

    def valid_value(self, value: Any) -> bool:
        return True  # the domain says which there are


class SentChoices(SentChoice):
    """Some of them, as they were sent."""

    def to_python(self, value: list[str] | None) -> Any:
        return value or []


class SentFlag(forms.BooleanField):
    """A check box that sends "yes"."""

    def __init__(self, label: str) -> None:
        widget = forms.CheckboxInput({"class": "usa-checkbox__input", "value": "yes"})
        super().__init__(required=False, label=label, widget=widget)


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
