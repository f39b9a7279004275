"""Labels of batches, comments and e-mail preferences in plain words."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("submissions", "0032_desk"),
    ]

    operations = [
        migrations.AlterField(
            model_name="batch",
            name="mode",
            field=models.CharField(choices=[("validate", "Preview only (dry run)"), ("live", "Apply")], max_length=8),
        ),
        migrations.AlterField(
            model_name="batch",
            name="state",
            field=models.CharField(
                choices=[
                    ("checking", "Being checked"),
                    ("waiting", "Waiting for confirmation"),
                    ("running", "In progress"),
                    ("done", "Done"),
                    ("discarded", "Discarded"),
                ],
                max_length=9,
            ),
        ),
        migrations.AlterField(
            model_name="item",
            name="state",
            field=models.CharField(
                choices=[
                    ("waiting", "Waiting"),
                    ("passed", "Can be applied"),
                    ("done", "Done"),
                    ("refused", "Refused"),
                    ("undone", "Not applied, because of other items"),
                ],
                default="waiting",
                max_length=8,
            ),
        ),
        migrations.AlterField(
            model_name="person",
            name="mails",
            field=models.CharField(
                choices=[
                    ("each", "Each decision at once, the rest once a day"),
                    ("digest", "Everything together, once a day"),
                    ("none", "No e-mail"),
                ],
                default="each",
                max_length=6,
            ),
        ),
        migrations.AlterField(
            model_name="remark",
            name="audience",
            field=models.CharField(
                choices=[("licensee", "For the licensee"), ("board", "Internal (Board only)")], max_length=8
            ),
        ),
        migrations.AlterField(
            model_name="reply",
            name="kind",
            field=models.CharField(
                choices=[
                    ("said", "replied"),
                    ("answered", "answered"),
                    ("disputed", "disputed it"),
                    ("resolved", "resolved it"),
                    ("reopened", "reopened it"),
                ],
                max_length=8,
            ),
        ),
    ]
