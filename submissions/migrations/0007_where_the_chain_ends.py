"""The chain of events tells where it ends; a notice, whether it is to be mailed."""

from django.db import migrations, models


def tip(apps, editor):
    last = apps.get_model("submissions", "Event").objects.order_by("sequence").last()
    if last:
        apps.get_model("submissions", "Tip").objects.create(pk=1, sequence=last.sequence, digest=last.digest)


class Migration(migrations.Migration):
    dependencies = [("submissions", "0006_what_was_filed_can_be_looked_up")]
    operations = [
        migrations.CreateModel(
            name="Tip",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("sequence", models.PositiveBigIntegerField()),
                ("digest", models.CharField(max_length=64)),
            ],
        ),
        migrations.AddField("notice", "to_mail", models.BooleanField(default=True)),
        migrations.AddIndex(
            "notice",
            models.Index(fields=("person",), condition=models.Q(to_mail=True, mail=None), name="notice_to_mail"),
        ),
        migrations.AddIndex(
            "notice", models.Index(fields=("person",), condition=models.Q(seen_at=None), name="notice_unseen")
        ),
        migrations.RunPython(tip, migrations.RunPython.noop),
    ]
