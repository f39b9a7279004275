"""Every permission in the system: what a person may see (`visible`) and do (`may`), with the reason if not. A row
without an owner is seen by nobody; a person without an organization sees nothing.
"""

from submissions.permissions.discussion import (
    line_comments_visible_to,
    read_remarks,
    read_replies,
    remarks_visible_to,
)
from submissions.permissions.may import (
    ALLOWED,
    CAPABILITIES,
    LAYOUT_CAPABILITIES,
    Capability,
    Verdict,
    has_second_factor,
    is_one_of,
    may,
    require,
    takes_steps,
)
from submissions.permissions.people import invitations_visible_to, people_history_visible_to, people_visible_to
from submissions.permissions.properties import acting_row, acting_rows
from submissions.permissions.read_scope import ReadScope, Visitor, read_scope_of, readable_within
from submissions.permissions.rulemakings import (
    may_publish,
    may_write,
    require_allowed,
    rulemakings_visible_to,
    sees_drafts,
)
from submissions.permissions.security_log import access_records_visible_to
from submissions.permissions.stand_in_days import (
    STAND_IN_TITLE,
    is_stand_in,
    role_title,
    stand_ins_on,
    stand_ins_visible_to,
)
from submissions.permissions.visible import (
    DISCLOSING_DECISIONS,
    TABLE_GROUP_VERBS,
    attachments_visible_to,
    drawings_visible_to,
    exports_visible_to,
    filters_visible_to,
    history_visible_to,
    layouts_visible_to,
    licensees,
    licensees_visible_to,
    notices_visible_to,
    orders_visible_to,
    orders_within,
    papers_visible_to,
    published_tables,
    readable_notices,
    tables_visible_to,
    versions_visible_to,
    visible_to,
)
from submissions.permissions.workflow import PREPARER_ROLES, REVIEWER_ROLES
