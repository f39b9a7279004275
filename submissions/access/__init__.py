"""Every permission in the system: what a person may see (`seeing`, `people`) and do (`doing`), with the reason if not.

A row without an owner is seen by nobody; a person without an organisation sees nothing.
"""

from submissions.access.doing import (
    DEEDS,
    LAYOUT_DEEDS,
    YES,
    Deed,
    Verdict,
    demand,
    has_second_factor,
    may,
    takes_steps,
)
from submissions.access.people import invitations_visible_to, people_history_visible_to, people_visible_to
from submissions.access.seeing import (
    GROUPED,
    SHOWING,
    Visitor,
    attachments_visible_to,
    drawings_visible_to,
    filters_visible_to,
    history_visible_to,
    is_public,
    layouts_visible_to,
    licensees,
    licensees_visible_to,
    notices_visible_to,
    papers_visible_to,
    remarks_visible_to,
    replies_visible_to,
    versions_visible_to,
    visible_to,
)

__all__ = [
    "DEEDS",
    "GROUPED",
    "LAYOUT_DEEDS",
    "SHOWING",
    "YES",
    "Deed",
    "Verdict",
    "Visitor",
    "attachments_visible_to",
    "demand",
    "drawings_visible_to",
    "filters_visible_to",
    "has_second_factor",
    "history_visible_to",
    "invitations_visible_to",
    "is_public",
    "layouts_visible_to",
    "licensees",
    "licensees_visible_to",
    "may",
    "notices_visible_to",
    "papers_visible_to",
    "people_history_visible_to",
    "people_visible_to",
    "remarks_visible_to",
    "replies_visible_to",
    "takes_steps",
    "versions_visible_to",
    "visible_to",
]
