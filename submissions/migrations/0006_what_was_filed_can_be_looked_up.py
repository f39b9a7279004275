"""The index over what was filed, for the filings made before there was one."""

import json

from django.db import migrations

from submissions.filings.answer_index import answer_rows

AT_ONCE = 5_000  # rows


def fill(apps, editor):
    revisions = apps.get_model("submissions", "Revision").objects.using(editor.connection.alias)
    rows = apps.get_model("submissions", "Answered").objects.using(editor.connection.alias)
    waiting = []
    for revision in revisions.filter(answered__isnull=True).only("snapshot").iterator(chunk_size=50):
        found = answer_rows(json.loads(revision.snapshot))
        waiting += [
            rows.model(revision=revision, configuration=place, option=option, value=value)
            for place, option, value in found
        ]
        if len(waiting) > AT_ONCE:
            rows.bulk_create(waiting)
            waiting = []
    rows.bulk_create(waiting)


class Migration(migrations.Migration):
    dependencies = [("submissions", "0005_what_was_before")]
    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
