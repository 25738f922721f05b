"""The Dockerfile copies what is there and installs with the script of the Makefile."""

import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LINES = [
    (word, rest)
    for line in (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
    for word, _, rest in [line.partition(" ")]
]
SOURCES = [path for word, rest in LINES if word == "COPY" for path in rest.split()[:-1]]


def values(word: str) -> list[str]:
    """Arguments of the instructions of this name, in order."""
    return [rest for name, rest in LINES if name == word]


def test_it_copies_all_packages_and_nothing_that_is_not_there() -> None:
    assert [path for path in SOURCES if not (ROOT / path).exists()] == []
    setup = (ROOT / "setup.py").read_text(encoding="utf-8")
    names = re.search(r"^_OURS = \((.*)\)$", setup, re.MULTILINE)
    assert names
    assert {*re.findall(r'"(\w+)"', names[1]), "datasets"} <= set(SOURCES)


def test_only_what_it_copies_reaches_the_build() -> None:
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    rules = [line for line in lines if not line.startswith("#")]
    assert rules[0] == "*"
    assert sorted(rule[1:] for rule in rules if rule.startswith("!")) == sorted(SOURCES)


def test_it_installs_the_lock_as_the_makefile_does() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    recipe = makefile.replace("$(PYTHON)", "python3").replace("$(VENV)", ".venv")
    install, _ = values("RUN")
    assert f"@{install}\n" in recipe
    assert "--require-hashes -r requirements.lock" in (ROOT / install.split()[0]).read_text()


def test_it_runs_as_a_user_with_a_volume() -> None:
    (user,) = values("USER")
    (volume,) = values("VOLUME")
    assert f" {user} && mkdir {volume} && chown {user} {volume}" in values("RUN")[-1]
    words = [word for word, _ in LINES]
    assert words.index("USER") > max(at for at, word in enumerate(words) if word in {"RUN", "COPY"})
    assert json.loads(values("ENTRYPOINT")[0]) == ["/app/.venv/bin/benchloom"]
    assert json.loads(values("CMD")[0]) == ["demo"]


def test_it_names_no_host() -> None:
    text = "\n".join(rest for _, rest in LINES)
    assert re.findall(r"://|\b[\w-]+\.(?:com|org|io|net)\b", text) == []
    assert re.fullmatch(r"python:3\.\d+-slim", values("FROM")[0])
