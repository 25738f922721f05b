"""A mutant that hangs, grows or kills its process is found, and those after it still run."""

from pathlib import Path

import pytest

from benchloom.errors import RunError
from fuzz import Target, find_targets, load_target
from fuzz.corpus import mutant, seeds_of
from fuzz.limits import Limits
from fuzz.running import run_target
from tests.fuzz import faulty

MODULE = "tests.fuzz.faulty"
MUTANTS = 24
KINDS = {"raise": "untyped", "spin": "slow", "grow": "memory", "die": "died"}


def deeds() -> list[str]:
    seeds = faulty.TARGET.seeds()
    return [mutant(faulty.TARGET, seeds, 3, number).decode() for number in range(MUTANTS)]


def test_every_kind_of_fault_is_found_and_counted() -> None:
    planned = deeds()
    assert set(planned) == set(faulty.DEEDS)
    outcome = run_target(
        "faulty", MODULE, seed=3, stop=MUTANTS, limits=Limits(seconds=1, memory=300 << 20)
    )
    assert outcome.mutants == MUTANTS
    found = {finding.kind: finding for finding in outcome.findings}
    assert {kind: finding.count for kind, finding in found.items()} == {
        kind: planned.count(deed) for deed, kind in KINDS.items()
    }
    assert {kind: finding.number for kind, finding in found.items()} == {
        kind: planned.index(deed) for deed, kind in KINDS.items()
    }
    assert "no word about the input" in found["untyped"].detail


def test_a_run_ends_with_its_time() -> None:
    assert run_target("faulty", MODULE, seconds=0).mutants == 0


def test_a_target_that_does_not_start_says_why() -> None:
    with pytest.raises(RunError, match="no_such_module"):
        run_target("absent", "tests.fuzz.no_such_module", stop=1)
    with pytest.raises(RunError, match="offers no TARGET"):
        load_target("tests.fuzz")


def test_mutants_are_the_same_every_time_and_of_another_seed_others() -> None:
    for module in find_targets().values():
        target = load_target(module)
        made = [mutant(target, target.seeds(), 0, number) for number in range(12)]
        assert made == [mutant(target, target.seeds(), 0, number) for number in range(12)]
        assert made != [mutant(target, target.seeds(), 1, number) for number in range(12)]
        assert len(set(made)) > 6


def test_seeds_of_our_own_are_read(tmp_path: Path) -> None:
    for name, module in find_targets().items():
        target = load_target(module)
        seeds = target.seeds()
        assert seeds, name
        assert all(target.accepts(seed) for seed in seeds if target.accepts), name
    (tmp_path / "one.json").write_bytes(b'{"a": 1}')
    (tmp_path / "two.bin").write_bytes(b"no JSON")
    json = load_target("fuzz.targets.shortcut_json")
    assert seeds_of(json, tmp_path) == [b'{"a": 1}']
    signed = load_target("fuzz.targets.shortcut_signed")
    with pytest.raises(RunError, match="holds no file"):
        seeds_of(signed, tmp_path)


def test_names_are_one_per_target(monkeypatch: pytest.MonkeyPatch) -> None:
    known = find_targets()
    assert len(known) >= 10
    first = load_target(next(iter(known.values())))
    monkeypatch.setattr("fuzz.target.load_target", lambda _: first)
    with pytest.raises(RunError, match="two fuzz targets"):
        find_targets()
    assert isinstance(first, Target)
