"""The filter of the list of orders: one licensee, one chapter, open or ended. Not here: the list (`order_list`)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from django.db.models import QuerySet

from games import registry
from submissions.core.errors import Refusal
from submissions.models import Order, Organization
from submissions.orders.order_periods import ended_on, is_for
from submissions.orders.order_tasks import ending_orders

OPEN, ENDING, ENDED = "open", "ending", "ended"
STATES = {OPEN: "Open: in effect or scheduled", ENDING: "Ends soon", ENDED: "Ended, met, replaced or over"}
ALL_LICENSEES = "all"
"""What the address calls the orders that are for all licensees."""


@dataclass(frozen=True, slots=True)
class FilterField:
    """One choice of the form; `chosen`: its value, "" for all."""

    name: str
    label: str
    values: tuple[tuple[str, str], ...]
    chosen: str
    fault: Refusal | None


@dataclass(frozen=True, slots=True)
class OrderFilter:
    """`entered`: what the address asks for, by field; `faults`: what no order can be, by field; `licensees`: slug →
    name."""

    entered: Mapping[str, str]
    faults: Mapping[str, Refusal]
    licensees: Mapping[str, str]

    @property
    def status(self) -> int:
        return 400 if self.faults else 200

    @property
    def fields(self) -> list[FilterField]:
        titles = tuple((number, f"{number}, {registry.title_of(number)}") for number in registry.folders())
        return [
            self._field("licensee", "Licensee", ((ALL_LICENSEES, "All licensees"), *self.licensees.items())),
            self._field("chapter", "Game", titles),
            self._field("state", "State", tuple(STATES.items())),
        ]

    def _field(self, name: str, label: str, values: tuple[tuple[str, str], ...]) -> FilterField:
        return FilterField(name, label, values, self.entered[name], self.faults.get(name))

    def rows(self, orders: QuerySet[Order], day: date) -> QuerySet[Order]:
        """The orders that the filter leaves; with a fault, none."""
        if self.faults:
            return orders.none()
        licensee, chapter, state = (self.entered[name] for name in ("licensee", "chapter", "state"))
        if licensee:
            named = {"all_licensees": True} if licensee == ALL_LICENSEES else {"organization__slug": licensee}
            orders = orders.filter(**named)
        if chapter:
            orders = orders.filter(is_for(chapter))
        return _in_state(orders, state, day) if state else orders


def order_filter(parameters: Mapping[str, str], orders: QuerySet[Order]) -> OrderFilter:
    """The filter that these parameters of an address ask for, of the orders that one may see."""
    entered = {name: parameters.get(name, "").strip() for name in ("licensee", "chapter", "state")}
    named = Organization.objects.filter(pk__in=orders.values("organization")).order_by("name")
    licensees = dict(named.values_list("slug", "name"))
    allowed = {"licensee": [ALL_LICENSEES, *licensees], "chapter": list(registry.folders()), "state": list(STATES)}
    faults = {
        name: Refusal("unknown-filter/orders", what=name, text=text[:40], known=", ".join(allowed[name]))
        for name, text in entered.items()
        if text and text not in allowed[name]
    }
    return OrderFilter(entered, faults, licensees)


def _in_state(orders: QuerySet[Order], state: str, day: date) -> QuerySet[Order]:
    if state == ENDING:
        return ending_orders(orders, day)
    return orders.filter(ended_on(day)) if state == ENDED else orders.exclude(ended_on(day))
