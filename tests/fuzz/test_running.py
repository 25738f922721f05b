"""Tests of the fuzzer: they check that it finds hanging, growing and dying mutants and goes on."""

from pathlib import Path

import pytest

from benchloom.core.errors import RunError
from benchloom.core.kinds import UnknownMemberError
from tests.fuzz import faulty, find_targets, load_target
from tests.fuzz.corpus import mutant, seeds_of
from tests.fuzz.limits import Limits
from tests.fuzz.running import run_target
from tests.fuzz.target import TARGETS
from tests.support.python import python

MODULE = "tests.fuzz.faulty"
MUTANTS = 10
SEED = 15
"""Seed with one mutant that spins until its time is up, two that raise and two that die."""
LIMITS = Limits(seconds=1, memory=300 << 20)
KINDS = {"raise": "untyped", "spin": "slow", "grow": "memory", "die": "died"}


def planned_behaviours() -> list[str]:
    """Return the behaviour of each mutant."""
    seeds = faulty.TARGET.seeds()
    return [mutant(faulty.TARGET, seeds, SEED, number).decode() for number in range(MUTANTS)]


@pytest.mark.long
def test_run_finds_and_counts_every_kind_of_fault() -> None:
    behaviours = planned_behaviours()
    assert set(behaviours) == set(faulty.BEHAVIOURS)
    outcome = run_target("faulty", MODULE, seed=SEED, stop=MUTANTS, seconds=600, limits=LIMITS)
    assert outcome.mutants == MUTANTS
    findings_by_kind = {finding.kind: finding for finding in outcome.findings}
    assert {kind: finding.count for kind, finding in findings_by_kind.items()} == {
        kind: behaviours.count(behaviour) for behaviour, kind in KINDS.items()
    }
    assert {kind: finding.number for kind, finding in findings_by_kind.items()} == {
        kind: behaviours.index(behaviour) for behaviour, kind in KINDS.items()
    }
    assert "no word about the input" in findings_by_kind["untyped"].detail


def test_memory_of_the_parent_process_is_not_a_finding() -> None:
    number = planned_behaviours().index("read")
    script = (
        "from tests.fuzz.limits import Limits; from tests.fuzz.running import run_target\n"
        f"held = sum(bytearray({LIMITS.memory + (100 << 20)})[::4096])\n"
        f"print(run_target('faulty', '{MODULE}', seed={SEED}, start={number}, stop={number + 1},"
        f" seconds=600, limits=Limits(memory={LIMITS.memory})))"
    )
    assert "mutants=1, findings=()" in python("-c", script).stdout


def test_run_ends_when_its_seconds_are_over() -> None:
    assert run_target("faulty", MODULE, seconds=0).mutants == 0


def test_missing_target_is_reported_with_its_module() -> None:
    with pytest.raises(RunError, match="no_such_module"):
        run_target("absent", "tests.fuzz.no_such_module", stop=1)
    with pytest.raises(RunError, match="offers no TARGET"):
        load_target("tests.fuzz")


def test_mutants_depend_only_on_seed_and_number() -> None:
    for name, module in find_targets().items():
        target = load_target(module)
        seeds = target.seeds()
        assert seeds, name
        assert seeds == target.seeds(), name
        assert all(target.accepts(seed) for seed in seeds if target.accepts), name
        mutants = [mutant(target, seeds, 0, number) for number in range(12)]
        assert mutants == [mutant(target, seeds, 0, number) for number in range(12)]
        assert mutants != [mutant(target, seeds, 1, number) for number in range(12)]
        assert len(set(mutants)) > 6


def test_corpus_files_are_seeds_if_the_target_accepts_them(tmp_path: Path) -> None:
    markup = load_target("tests.fuzz.targets.site_markup")
    assert markup.accepts is not None
    assert markup.accepts(b"<!DOCTYPE html>\n<html>\n<p>\n</html>")
    assert not markup.accepts(b"no page\n\n\n<html>")
    (tmp_path / "one.json").write_bytes(b'{"a": 1}')
    (tmp_path / "two.bin").write_bytes(b"no JSON")
    json = load_target("tests.fuzz.targets.shortcut_json")
    assert seeds_of(json, tmp_path) == [b'{"a": 1}']
    signed = load_target("tests.fuzz.targets.shortcut_signed")
    with pytest.raises(RunError, match="holds no file"):
        seeds_of(signed, tmp_path)


def test_target_names_match_their_modules() -> None:
    assert len(TARGETS.all()) >= 10
    assert [target.name for target in TARGETS.all().values()] == list(find_targets())
    with pytest.raises(UnknownMemberError, match="did you mean 'robots'"):
        TARGETS.find("robot")
