"""The latest changes of an organization's people, credentials or webhooks, for their pages."""

from collections.abc import Mapping

from django.db.models import QuerySet

from submissions.models import Event, Role

MOST = 20  # changes on a page


def recent_changes(events: QuerySet[Event], sentences: Mapping[str, str]) -> list[dict[str, object]]:
    """Who, what, why and when; `sentences` has a text for each verb, with placeholders for facts of the event."""
    return [
        {
            "who": event.actor.name if event.actor else "The portal's operator",
            "what": sentences[event.verb].format(**_facts(event)),
            "reason": event.reason,
            "at": event.at,
        }
        for event in events[:MOST]
    ]


def _facts(event: Event) -> dict[str, object]:
    facts = {"name": "", **event.before, **event.after, "replaced": event.before.get("credential", "")}
    role = Role(facts["role"]).label if facts.get("role") in Role.values else ""
    return facts | {"role": f"{role} and administrator" if facts.get("administrator") else role}
