"""Check that `benchloom parse definitions` merges by precedence and rejects bad input."""

import json
import zipfile
from pathlib import Path

import pytest

from benchloom.core.errors import GateError
from benchloom.core.records import ApiDefinition, Conflict, Rejected
from benchloom.storage.tables import iter_records, load_table, read_rows
from flows.cli import build_app
from flows.run.runner import run_whole
from flows.stages.definitions.parse import prepare_catalogue
from tests.support.samples.bundles import ROOT, brew_ipa, brew_members, info, zip_of
from tests.support.samples.definitions import sample, toolkit_database


def definitions_by_api(out: Path) -> dict[str, ApiDefinition]:
    return {d.api: d for d in iter_records(out, "api_definitions", ApiDefinition)}


def reasons_by_uri(out: Path) -> dict[str, str]:
    return {row.source_uri: row.reason for row in iter_records(out, "rejected", Rejected)}


def parse(tmp_path: Path, *inputs: Path, app: str | None = None) -> Path:
    out = tmp_path / "out"
    run_whole(prepare_catalogue(inputs, app=app), out)
    return out


@pytest.fixture
def ipa_path(tmp_path: Path) -> Path:
    path = tmp_path / "Brew.ipa"
    path.write_bytes(brew_ipa())
    return path


def test_bundle_gives_app_names_versions_and_parts(tmp_path: Path, ipa_path: Path) -> None:
    definitions_by_id = definitions_by_api(parse(tmp_path, ipa_path))
    brew = definitions_by_id["org.example.brew.CFBrewCoffeeIntent"]
    assert (brew.app, brew.app_version) == ("org.example.brew", "2.5")
    assert (brew.title, brew.description) == ("Brew Coffee", 'Brews a "fine" cup.')
    assert [(s.part, s.locale) for s in brew.sources] == [
        ("main", None),
        ("main", "fr"),
        ("watch", None),
    ]
    plant = definitions_by_id["org.example.brew.PlantSeedIntent"]
    assert [s.part for s in plant.sources] == ["main", "widget"]
    assert plant.title == "Plant Seed"
    assert len(definitions_by_id) == 5


@pytest.mark.parametrize(
    ("languages", "expected"),
    [
        (("aa", "Base", "en"), "Base"),
        (("aa", "en", "sv"), "sv"),
        (("aa", "en"), "en"),
        (("de", "aa"), "aa"),
    ],
)
def test_base_language_comes_first(
    tmp_path: Path, languages: tuple[str, ...], expected: str
) -> None:
    members = {
        "Payload/B.app/Info.plist": info("org.example.b", "1", CFBundleDevelopmentRegion="sv"),
        "Payload/B.app/Intents.intentdefinition": sample("sirikit")[1],
    }
    for language in languages:
        member_path = f"Payload/B.app/{language}.lproj/Intents.strings"
        members[member_path] = f'"dEsC01" = "{language}";'.encode()
    path = tmp_path / "B.ipa"
    path.write_bytes(zip_of(members))
    definitions_by_id = definitions_by_api(parse(tmp_path, path))
    assert definitions_by_id["org.example.b.CFBrewCoffeeIntent"].description == expected


def test_rest_of_a_bundle_is_read_despite_bad_files(tmp_path: Path, ipa_path: Path) -> None:
    out = parse(tmp_path, ipa_path)
    reasons = reasons_by_uri(out)
    assert reasons[f"Brew.ipa!{ROOT}/Broken.intentdefinition"] == "bad_property_list"
    stub = f"Brew.ipa!{ROOT}/Frameworks/Core.framework/Intents.intentdefinition"
    assert reasons[stub] == "symlink_stub"
    assert reasons[f"Brew.ipa!{ROOT}"] == "not_a_definition"
    assert len(definitions_by_api(out)) == 5
    conflicts = iter_records(out, "conflicts", Conflict)
    in_french = {conflict.field for conflict in conflicts if "fr.lproj" in conflict.source}
    assert in_french.isdisjoint({"title", "description"}), "translations are no conflicts"


def test_unpacked_app_and_nested_archives_give_equal_definitions(tmp_path: Path) -> None:
    app = tmp_path / "Brew.app"
    for name, data in brew_members().items():
        path = app / name.removeprefix(f"{ROOT}/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    stored = tmp_path / "stored.zip"
    stored.write_bytes(zip_of({"Brew.ipa": brew_ipa()}, zipfile.ZIP_STORED))
    packed = tmp_path / "packed.zip"
    packed.write_bytes(zip_of({"apps/Brew.ipa": brew_ipa(zipfile.ZIP_STORED)}))
    ids = []
    for number, source in enumerate((app, stored, packed)):
        out = tmp_path / f"out-{number}"
        run_whole(prepare_catalogue([source]), out)
        ids.append([d.definition_id for d in definitions_by_api(out).values()])
        assert "symlink_stub" in reasons_by_uri(out).values()
    assert ids[0] == ids[1] == ids[2]


def test_precedence_fills_gaps_and_keeps_conflicts(tmp_path: Path) -> None:
    api = "org.example.bakery.BakeCakeIntent"
    metadata = json.loads(sample("appintents")[1])
    action = metadata["actions"].pop("PlantSeedIntent")
    action["title"] = {"key": "Bake"}
    metadata["autoShortcuts"][0]["actionIdentifier"] = "BakeCakeIntent"
    metadata["actions"] = {"BakeCakeIntent": {**action, "identifier": "BakeCakeIntent"}}
    ipa_path = tmp_path / "Bakery.ipa"
    ipa_path.write_bytes(
        zip_of(
            {
                "Payload/B.app/Info.plist": info("org.example.bakery", "9.9"),
                "Payload/B.app/Metadata.appintents/extract.actionsdata": json.dumps(
                    metadata
                ).encode(),
            }
        )
    )
    database = tmp_path / "Tools-prod.v78-a.sqlite"
    database.write_bytes(toolkit_database("26.1"))
    out = parse(tmp_path, ipa_path, database)
    cake = definitions_by_api(out)[api]
    assert cake.source_kind == "toolkit"
    assert [s.source_kind for s in cake.sources] == ["toolkit", "appintents"]
    conflicts = {c.field: c for c in iter_records(out, "conflicts", Conflict) if c.api == api}
    assert (conflicts["title"].kept, conflicts["title"].lost) == ('"Bake Cake (en)"', '"Bake"')
    assert conflicts["title"].source_kind == "appintents"
    assert conflicts["parameters.seed"].kept is None
    assert ("keywords", "appintents") in [(o.field, o.source_kind) for o in cake.origins]
    assert any(note.kind == "phrase" for note in cake.notes)


def test_control_actions_are_added_only_beside_a_toolkit(tmp_path: Path, ipa_path: Path) -> None:
    database = tmp_path / "tools.sqlite"
    database.write_bytes(toolkit_database())
    definitions_by_id = definitions_by_api(parse(tmp_path, database))
    added_apis = [d.api for d in definitions_by_id.values() if d.source_kind == "benchloom"]
    assert added_apis == [
        f"is.workflow.actions.{name}"
        for name in ("choosefrommenu", "conditional", "repeat.count", "repeat.each")
    ]
    out = tmp_path / "other"
    run_whole(prepare_catalogue([ipa_path]), out)
    assert not [d for d in definitions_by_api(out).values() if d.source_kind == "benchloom"]


def test_bad_input_becomes_rejected_rows(tmp_path: Path) -> None:
    intents = sample("sirikit")[1]
    folder = tmp_path / "in"
    folder.mkdir()
    entity = b'<?xml version="1.0"?><!DOCTYPE plist [<!ENTITY a "b">]><plist><dict/></plist>'
    files = {
        "stub.intentdefinition": b"../../Shared/Intents.intentdefinition",
        "cut.intentdefinition": intents[:900],
        "cut.actionsdata": sample("appintents")[1][:500],
        "entity.intentdefinition": entity,
        "other.plist": info("org.example", "1"),
        "notes.txt": b"hello",
        "empty.actionsdata": b"",
        "deep.json": b"[" * 5000 + b"]" * 5000,
        "cut.sqlite": toolkit_database()[:3000],
        "good.intentdefinition": intents,
        "bomb.zip": zip_of({"bomb.plist": bytes(30_000_000)}),
        "escape.zip": zip_of({"../../../etc/x.actionsdata": b"{}"}),
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)
    out = parse(tmp_path, folder)
    reasons = reasons_by_uri(out)
    assert reasons == {
        "stub.intentdefinition": "symlink_stub",
        "cut.intentdefinition": "bad_property_list",
        "cut.actionsdata": "bad_json",
        "entity.intentdefinition": "entities",
        "other.plist": "not_a_definition",
        "notes.txt": "not_a_definition",
        "empty.actionsdata": "empty_file",
        "deep.json": "too_deep",
        "cut.sqlite": "bad_database",
        "bomb.zip!bomb.plist": "inflates_too_much",
        "escape.zip!../../../etc/x.actionsdata": "path_escape",
        "good.intentdefinition#INIntents/1": "bad_entry",
    }
    assert len(definitions_by_api(out)) == 3


def test_app_option_names_the_app_of_files_without_a_bundle(tmp_path: Path) -> None:
    path = tmp_path / "Intents.intentdefinition"
    path.write_bytes(sample("sirikit")[1])
    assert "org.example.given.CleanIntent" in definitions_by_api(
        parse(tmp_path, path, app="org.example.given")
    )


def test_unknown_apps_are_never_merged_by_name(tmp_path: Path) -> None:
    intents = sample("sirikit")[1]
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "one.intentdefinition").write_bytes(intents)
    (folder / "same.intentdefinition").write_bytes(intents)
    other = intents.replace(b"<string>Clean<", b"<string>Scrub<")
    (folder / "other.intentdefinition").write_bytes(other)
    out = parse(tmp_path, folder)
    rows = list(iter_records(out, "api_definitions", ApiDefinition))
    cleaning = [d for d in rows if d.api == "CleanIntent"]
    assert sorted((d.title, len(d.sources)) for d in cleaning) == [("Clean", 2), ("Scrub", 1)]
    assert list(iter_records(out, "conflicts", Conflict)) == []


def test_tables_have_their_published_schema(tmp_path: Path, ipa_path: Path) -> None:
    out = parse(tmp_path, ipa_path)
    for table in ("api_definitions", "conflicts", "rejected"):
        rows = read_rows(out / f"{table}.parquet")
        assert rows.schema.equals(load_table(table).arrow_schema())
        table_definition = load_table(table)
        order = list(
            zip(*(rows.column(name).to_pylist() for name in table_definition.sort), strict=True)
        )
        assert order == sorted(order)
        keys = list(
            zip(*(rows.column(name).to_pylist() for name in table_definition.key), strict=True)
        )
        assert len(set(keys)) == len(keys)


def test_command_prints_one_summary_and_strict_option_fails(
    tmp_path: Path, ipa_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    app = build_app()
    out = str(tmp_path / "out")
    app(["parse", "definitions", str(ipa_path), "--out", out, "--json"], standalone_mode=False)
    summary = json.loads(capsys.readouterr().out)
    assert summary["rows"]["api_definitions"] == 5
    assert summary["reasons"] == {
        "bad_entry": 5,
        "bad_property_list": 1,
        "not_a_definition": 1,
        "symlink_stub": 1,
    }
    with pytest.raises(GateError):
        app(
            ["parse", "definitions", str(ipa_path), "--out", out, "--strict"], standalone_mode=False
        )
    capsys.readouterr()
    app(["parse", "definitions", "--help"], standalone_mode=False)
    assert "Library/Shortcuts/ToolKit/Tools-active" in capsys.readouterr().out


def test_order_of_inputs_and_workers_change_no_table(tmp_path: Path, ipa_path: Path) -> None:
    database = tmp_path / "Tools-prod.v78-a.sqlite"
    database.write_bytes(toolkit_database())
    first, second = tmp_path / "one", tmp_path / "two"
    run_whole(prepare_catalogue([ipa_path, database], workers=1), first)
    run_whole(prepare_catalogue([database, ipa_path], workers=2), second)
    for table in ("api_definitions", "conflicts", "rejected"):
        assert (first / f"{table}.parquet").read_bytes() == (
            second / f"{table}.parquet"
        ).read_bytes()


def test_placeholder_in_a_project_is_no_app_identifier(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "Info.plist").write_bytes(info("$(PRODUCT_BUNDLE_IDENTIFIER)", "$(VERSION)"))
    (project / "Intents.intentdefinition").write_bytes(sample("sirikit")[1])
    definitions_by_id = definitions_by_api(parse(tmp_path, project))
    assert {(d.app, d.app_version) for d in definitions_by_id.values()} == {(None, None)}
    assert "CleanIntent" in definitions_by_id
