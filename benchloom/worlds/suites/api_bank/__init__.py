"""The suite of API-Bank: its tools work on the databases of a user's copy of the benchmark.

The dialogues that API-Bank recorded can be replayed, and are converted to tasks.

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
    about="The tools of API-Bank on your copy of its databases; its dialogues can be replayed.",
    world=world,
    load=load,
    replay=replay,
    candidates=candidates,
)
