"""The records. What they may become is `workflow`, who may see and do what is `access`, the verbs are `actions`."""

from submissions.models.document import Document
from submissions.models.event import Event
from submissions.models.job import Job
from submissions.models.organisation import ROLES_OF, Organisation, Person, Role
from submissions.models.revision import Decision, Revision
from submissions.models.simulation import Block, Simulation
from submissions.models.stored import StoredFile
from submissions.models.submission import Attachment, Configuration, Status, Submission

__all__ = [
    "ROLES_OF",
    "Attachment",
    "Block",
    "Configuration",
    "Decision",
    "Document",
    "Event",
    "Job",
    "Organisation",
    "Person",
    "Revision",
    "Role",
    "Simulation",
    "Status",
    "StoredFile",
    "Submission",
]
