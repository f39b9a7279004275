"""The records. What they may become is `workflow`, who may see and do what is `access`, the verbs are `actions`."""

from submissions.models.batch import Batch, Item
from submissions.models.checkpoint import Checkpoint
from submissions.models.credential import SCOPES_OF, Credential, Scope
from submissions.models.document import Document
from submissions.models.event import Event, Tip
from submissions.models.finding import Answered, SavedFilter
from submissions.models.invitation import Invitation
from submissions.models.job import Job
from submissions.models.keyed import KeyedCall
from submissions.models.layout import (
    OPEN_LAYOUTS,
    LayoutDecision,
    LayoutDrawing,
    LayoutFiling,
    LayoutInspection,
    LayoutJudgement,
    LayoutMark,
    LayoutRevision,
    LayoutStatus,
    Paper,
    Part,
)
from submissions.models.notice import Mail, Notice
from submissions.models.organisation import ROLES_OF, Mails, Organisation, Person, Role
from submissions.models.remark import Remark, Reply
from submissions.models.revision import Decision, Revision
from submissions.models.simulation import Block, Simulation
from submissions.models.stored import StoredFile
from submissions.models.submission import Attachment, Configuration, Status, Submission
from submissions.models.version import Version
from submissions.models.webhook import Delivery, Webhook

__all__ = [
    "OPEN_LAYOUTS",
    "ROLES_OF",
    "SCOPES_OF",
    "Answered",
    "Attachment",
    "Batch",
    "Block",
    "Checkpoint",
    "Configuration",
    "Credential",
    "Decision",
    "Delivery",
    "Document",
    "Event",
    "Invitation",
    "Item",
    "Job",
    "KeyedCall",
    "LayoutDecision",
    "LayoutDrawing",
    "LayoutFiling",
    "LayoutInspection",
    "LayoutJudgement",
    "LayoutMark",
    "LayoutRevision",
    "LayoutStatus",
    "Mail",
    "Mails",
    "Notice",
    "Organisation",
    "Paper",
    "Part",
    "Person",
    "Remark",
    "Reply",
    "Revision",
    "Role",
    "SavedFilter",
    "Scope",
    "Simulation",
    "Status",
    "StoredFile",
    "Submission",
    "Tip",
    "Version",
    "Webhook",
]
