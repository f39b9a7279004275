"""The test of a filed configuration: one run per configuration of a revision, a row per block."""

from __future__ import annotations

from django.db import models

from submissions.models.revision import Revision


class Simulation(models.Model):
    """One run. The seed follows from the revision's digest, so that nobody chooses it."""

    revision = models.ForeignKey(Revision, models.PROTECT, related_name="simulations")
    configuration = models.PositiveSmallIntegerField(default=0)  # position within the snapshot
    seed = models.PositiveBigIntegerField()
    rounds = models.PositiveBigIntegerField()
    block_rounds = models.PositiveBigIntegerField()
    analysis = models.JSONField(null=True)  # the exact figures, as `games` writes them
    result = models.JSONField(null=True)  # SimulationResult with its `spreads`, once every block is there
    passed = models.BooleanField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("revision", "configuration"), name="one_simulation_per_configuration"),
        )

    @property
    def blocks_needed(self) -> int:
        return -(-self.rounds // self.block_rounds)


class Block(models.Model):
    """The tally of one block. Dealt twice (a redelivery), it is kept once."""

    simulation = models.ForeignKey(Simulation, models.PROTECT, related_name="blocks")
    index = models.PositiveIntegerField()
    rounds = models.PositiveBigIntegerField()
    tally = models.JSONField()
    dealt_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("index",)
        constraints = (models.UniqueConstraint(fields=("simulation", "index"), name="one_block_per_index"),)
