"""Results that pages show, computed by jobs of two new kinds."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("submissions", "0012_american_names"),
    ]

    operations = [
        migrations.CreateModel(
            name="Computation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=12)),
                ("key", models.CharField(max_length=200, unique=True)),
                ("arguments", models.JSONField()),
                ("result", models.JSONField(null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.AlterField(
            model_name="job",
            name="kind",
            field=models.CharField(
                choices=[
                    ("simulate", "Simulation"),
                    ("document", "Signed document"),
                    ("mail", "Mail"),
                    ("inspect", "Inspection of a drawing"),
                    ("papers", "Signed layout, sign and guide"),
                    ("check", "Check of a batch"),
                    ("bulk", "Bulk update"),
                    ("webhook", "Webhook"),
                    ("analyze", "Exact figures of a chapter"),
                    ("replay", "Replayed round"),
                ],
                max_length=12,
            ),
        ),
    ]
