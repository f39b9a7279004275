"""Every permission in the system: what a person may see (`visible`) and do (`may`), with the reason if not.

A row without an owner is seen by nobody; a person without an organization sees nothing.
"""

from submissions.permissions.may import (
    ALLOWED,
    CAPABILITIES,
    LAYOUT_CAPABILITIES,
    STAND_IN_TITLE,
    Capability,
    Verdict,
    access_records_visible_to,
    has_second_factor,
    invitations_visible_to,
    is_one_of,
    is_stand_in,
    may,
    people_history_visible_to,
    people_visible_to,
    require,
    role_title,
    stand_ins_on,
    stand_ins_visible_to,
    takes_steps,
)
from submissions.permissions.rulemakings import (
    may_publish,
    may_write,
    require_allowed,
    rulemakings_visible_to,
    sees_drafts,
)
from submissions.permissions.visible import (
    DISCLOSING_DECISIONS,
    TABLE_GROUP_VERBS,
    ReadScope,
    Visitor,
    acting_rows,
    attachments_visible_to,
    drawings_visible_to,
    exports_visible_to,
    filters_visible_to,
    history_visible_to,
    layouts_visible_to,
    licensees,
    licensees_visible_to,
    line_comments_visible_to,
    notices_visible_to,
    orders_visible_to,
    orders_within,
    papers_visible_to,
    published_tables,
    read_remarks,
    read_replies,
    read_scope_of,
    readable_notices,
    readable_within,
    remarks_visible_to,
    tables_visible_to,
    versions_visible_to,
    visible_to,
)
from submissions.permissions.workflow import PREPARER_ROLES, REVIEWER_ROLES
