"""The suite of Schema-Guided Dialogue (SGD), whose worlds are built from recorded dialogues.

A world has the services of its dialogue. It is built from the tables `service_results` and
`api_definitions` of a conversion or a release; tasks need `dialogues` and `planning_paths` as well.
"""

from benchloom.worlds.suite import Suite
from benchloom.worlds.suites.sgd.candidates import candidates
from benchloom.worlds.suites.sgd.replay import replay
from benchloom.worlds.suites.sgd.world import world

SUITE = Suite(
    about="Services of Schema-Guided Dialogue, which return the results in recorded dialogues.",
    world=world,
    replay=replay,
    candidates=candidates,
    table="service_results",
    source="sgd",
)
