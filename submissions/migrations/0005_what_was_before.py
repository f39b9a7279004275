"""What was approved before versions were kept is in force from the day of its approval; who may file or approve leads."""

from django.db import migrations
from django.utils import timezone


def versions(apps, editor):
    decisions = apps.get_model("submissions", "Decision").objects
    rows = apps.get_model("submissions", "Version").objects
    approvals = decisions.filter(kind="approve").select_related("revision__submission")
    for approval in approvals.order_by("pk").iterator():
        submission = approval.revision.submission
        rows.create(
            organisation_id=submission.organisation_id,
            chapter=submission.chapter,
            from_day=timezone.localdate(approval.at),
            revision=approval.revision,
            by_id=approval.by_id,
            made_at=approval.at,
        )


def administrators(apps, editor):
    people = apps.get_model("submissions", "Person").objects
    people.filter(role__in=("table_games_manager", "director")).update(administrator=True)


class Migration(migrations.Migration):
    dependencies = [("submissions", "0004_append_only_whole_life")]
    operations = [
        migrations.RunPython(versions, migrations.RunPython.noop),
        migrations.RunPython(administrators, migrations.RunPython.noop),
    ]
