"""Check that the Dockerfile copies existing files and installs with the Makefile's script."""

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


def arguments_of(word: str) -> list[str]:
    """Return the arguments of all instructions with a name, in order."""
    return [rest for name, rest in LINES if name == word]


def test_dockerfile_copies_all_packages_and_only_existing_paths() -> None:
    assert [path for path in SOURCES if not (ROOT / path).exists()] == []
    setup = (ROOT / "setup.py").read_text(encoding="utf-8")
    names = re.search(r"^_OURS = \((.*)\)$", setup, re.MULTILINE)
    assert names
    assert {*re.findall(r'"(\w+)"', names[1]), "datasets"} <= set(SOURCES)


def test_build_context_contains_only_copied_paths() -> None:
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    rules = [line for line in lines if not line.startswith("#")]
    assert rules[0] == "*"
    assert sorted(rule[1:] for rule in rules if rule.startswith("!")) == sorted(SOURCES)


def test_image_installs_the_lock_as_the_makefile_does() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    recipe = makefile.replace("$(PYTHON)", "python3").replace("$(VENV)", ".venv")
    install, _ = arguments_of("RUN")
    assert f"@{install}\n" in recipe
    assert "--require-hashes -r requirements.lock" in (ROOT / install.split()[0]).read_text()


def test_image_runs_as_a_user_who_owns_the_volume() -> None:
    (user,) = arguments_of("USER")
    (volume,) = arguments_of("VOLUME")
    assert f" {user} && mkdir {volume} && chown {user} {volume}" in arguments_of("RUN")[-1]
    words = [word for word, _ in LINES]
    assert words.index("USER") > max(at for at, word in enumerate(words) if word in {"RUN", "COPY"})
    assert json.loads(arguments_of("ENTRYPOINT")[0]) == ["/app/.venv/bin/benchloom"]
    assert json.loads(arguments_of("CMD")[0]) == ["demo"]


def test_dockerfile_names_no_host() -> None:
    text = "\n".join(rest for _, rest in LINES)
    assert re.findall(r"://|\b[\w-]+\.(?:com|org|io|net)\b", text) == []
    assert re.fullmatch(r"python:3\.\d+-slim", arguments_of("FROM")[0])
