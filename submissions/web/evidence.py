"""One round of a filed simulation as a story: the cards, the decisions, what each wager won by which subsection."""

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse

from games.maths.cards import JOKER, RANK_NAMES, symbols
from games.runs.replay import Replay, Settlement
from submissions.core.configuration_index import evidence_index
from submissions.core.errors import Refusal
from submissions.documents.number_format import units
from submissions.evidence import replayed_rounds
from submissions.models import Revision, Simulation
from submissions.web.access_gate import submission_of
from submissions.web.responses import render_page, whole_number

SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
RED = (1, 2)


@dataclass(frozen=True, slots=True)
class CardFace:
    """A card as it is read and as it is read aloud."""

    text: str
    name: str
    red: bool


def page(request: HttpRequest, number: str) -> HttpResponse:
    """`?configuration=0&round=N`: round N of the run of that configuration, counted from 0."""
    submission = submission_of(request, number)
    simulation = _simulation(submission.revisions.first(), _whole(request, "configuration"))
    context = {
        "submission": submission,
        "simulation": simulation,
        "configuration": simulation.revision.content["configurations"][simulation.configuration],
        "several": len(simulation.revision.content["configurations"]) > 1,
        "entered": request.GET.get("round", "0"),
        "last": simulation.rounds - 1,
        "here": "home",
    }
    try:
        place = replayed_rounds.round_index(simulation, _whole(request, "round"))
        context |= {
            "place": place,
            "before": place.number - 1 if place.number else None,
            "after": place.number + 1 if place.number + 1 < simulation.rounds else None,
        }
        story = replayed_rounds.replayed_round(simulation, place)
    except Refusal as refusal:
        return render_page(request, "pages/round.html", context, refusal)
    return render_page(request, "pages/round.html", context | _shown(story, simulation))


def card_face(number: int) -> CardFace:
    if number == JOKER:
        return CardFace("Joker", "joker", False)
    return CardFace(symbols([number]), f"{RANK_NAMES[number // 4]} of {SUIT_NAMES[number % 4]}", number % 4 in RED)


def _simulation(revision: Revision | None, configuration: int) -> Simulation:
    simulation = None
    if revision and 0 <= configuration < len(configurations := revision.content["configurations"]):
        runs = revision.simulations.select_related("revision__submission")
        simulation = runs.filter(configuration=evidence_index(configurations, configuration)).first()
    if simulation is None:
        raise Http404("This configuration has no simulation.")
    return simulation


def _whole(request: HttpRequest, name: str) -> int:
    """A whole number of the address; what is none counts as −1, which nothing has."""
    return whole_number(request.GET.get(name, "0").replace(",", "").strip(), digits=18)


def _shown(story: Replay | None, simulation: Simulation) -> dict[str, object]:
    if story is None:
        return {"being_dealt": True}
    wagers = simulation.revision.content["configurations"][simulation.configuration]["wagers"]
    names = {wager["key"]: wager["name"] for wager in wagers}
    return {
        "steps": [(step, [card_face(card) for card in step.cards]) for step in story.steps],
        "settlements": [_ended(settlement, names) for settlement in story.settlements],
    }


def _ended(settlement: Settlement, names: dict[str, str]) -> dict[str, str]:
    """How one wager ended; `net` and `wagered` in units."""
    wager, _, spot = settlement.wager.partition("/")
    return {
        "wager": f"{names.get(wager, wager)}{f': {spot}' if spot else ''}",
        "outcome": settlement.row.outcome,
        "pays": settlement.row.pays or "–",
        "wagered": units(str(settlement.row.wagered)).lstrip("+"),
        "net": units(str(settlement.row.net)),
        "section": settlement.section,
    }
