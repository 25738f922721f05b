"""Worlds of the services of Schema-Guided Dialogue, each built from a recorded dialogue.

Source: the tables `service_results` and `api_definitions` of a conversion or a release.
"""

from benchloom.worlds.suite import Suite
from benchloom.worlds.suites.sgd.candidates import candidates
from benchloom.worlds.suites.sgd.replay import replay
from benchloom.worlds.suites.sgd.world import world

SUITE = Suite(
    about="Services of Schema-Guided Dialogue, with the results in their recorded dialogues.",
    world=world,
    replay=replay,
    candidates=candidates,
    table="service_results",
    source="sgd",
)
