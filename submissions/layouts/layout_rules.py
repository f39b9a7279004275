"""The rules that a layout filing follows: those of the day that it names, not before the day of its filed answers.

Not here: the day of a draft or of a filing (`rules`), the facts of each part (`required_facts`).
"""

from datetime import date

from games.rules.model import Chapter
from submissions.core.errors import Refusal
from submissions.models import LayoutFiling, Revision
from submissions.rules import chapter_on, filed_chapter, filed_day


def layout_day(filing: LayoutFiling, revision: Revision) -> date:
    """Return the day whose rules the parts follow; of an older filing, which names none, that of the filed answers."""
    filed = filed_day(revision.content)
    return max(filing.rules_on or filed, filed)


def layout_chapter(filing: LayoutFiling, revision: Revision) -> Chapter:
    """Return the chapter on that day; `UnknownChapter` if the portal no longer has it."""
    return chapter_on(filing.submission.chapter, layout_day(filing, revision))


def refuse_corrected_rules(revision: Revision) -> None:
    """Refuse if the chapter's data was corrected since the filing: the answers were judged by what it said then."""
    chapter = filed_chapter(revision)
    if chapter.digest != revision.rules_digest:
        raise Refusal("rules-changed/document", number=chapter.number, receipt=revision.receipt)
