"""API-Bank: its tools over a user's copy of its databases, and its recorded dialogues.

Li et al., "API-Bank: A Comprehensive Benchmark for Tool-Augmented LLMs", EMNLP 2023. The names,
parameters and results of the tools are API-Bank's; their behaviour is reimplemented from recorded
dialogues.
"""

from benchloom.worlds.suite import Suite
from benchloom.worlds.suites.api_bank.candidates import candidates
from benchloom.worlds.suites.api_bank.replay import replay
from benchloom.worlds.suites.api_bank.user_copy import load
from benchloom.worlds.suites.api_bank.world import world

SUITE = Suite(
    about="API-Bank's tools over your copy of its databases; recorded dialogues can be replayed.",
    world=world,
    load=load,
    replay=replay,
    candidates=candidates,
)
