"""The records. Status changes and permissions are in `permissions`, actions in the packages of their domain."""

from submissions.models.access_record import AccessRecord, FailureCount
from submissions.models.assignment import Assignment
from submissions.models.batch import Batch, Item
from submissions.models.cached_value import CachedValue
from submissions.models.credential import SCOPES_OF, Credential, KeyedCall, Scope, UsedAssertion
from submissions.models.event import Checkpoint, Event, Mail, Notice, Tip
from submissions.models.handover import Handover, LineComment, StandIn, StandInEnd
from submissions.models.job import Block, Computation, ExportPart, Job, Simulation, SimulationPart, SweepTurn
from submissions.models.layout import (
    OPEN_LAYOUTS,
    LayoutDecision,
    LayoutDrawing,
    LayoutFiling,
    LayoutInspection,
    LayoutJudgment,
    LayoutMark,
    LayoutRevision,
    LayoutStatus,
    Paper,
    Part,
)
from submissions.models.legal_hold import LegalHold, LegalHoldEnd
from submissions.models.operations import Alert, ProcessReport
from submissions.models.order import ChapterEffect, Order, OrderEnd, OrderKind
from submissions.models.organization import (
    ROLES_OF,
    Invitation,
    MailPreference,
    Organization,
    Person,
    Role,
    SavedFilter,
)
from submissions.models.remark import Remark, Reply
from submissions.models.revision import (
    AnswersDigest,
    Decision,
    Document,
    IndexedAnswer,
    LatestFiling,
    Revision,
    Version,
    VersionPeriod,
)
from submissions.models.rulemaking import ChangeEffect, Rulemaking, RulemakingChange
from submissions.models.seal_certificate import SealCertificate
from submissions.models.submission import OVER, Attachment, Configuration, Status, StoredFile, Submission
from submissions.models.table_entry import TableEntry, TableState
from submissions.models.verification import FileVerification, Reverification
from submissions.models.webhook import Delivery, Webhook
