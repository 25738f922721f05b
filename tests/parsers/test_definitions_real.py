"""Check that real definition files parse and agree with the reference, except for its faults."""

import json
import zipfile
from collections import Counter
from functools import cache

import pytest

from benchloom.core.records import ApiDefinition, Parameter
from parsers.definitions import DefinitionContext, ParsedDefinitions, parse_definitions
from parsers.errors import ParseError
from tests.support.shared_data import shared_file

pytestmark = pytest.mark.real_data

CHROME = "chromium__ios_chrome_common_intents_Intents.intentdefinition"
SHELL = "holzschu+a-shell__Base.lproj_Intents.intentdefinition"
REFERENCE_APPS = (
    ("com.google.chrome.ios", CHROME, 22),
    ("AsheKube.app.a-Shell", SHELL, 3),
    ("AsheKube.app.a-Shell-mini", SHELL, 3),
)
# Types that the reference names differently.
REFERENCE_WORDS = {"Boolean": "Bool", "File": "File(Object)"}
EXCEPTIONS = {
    # The reference has String; the file declares URL.
    ("com.google.chrome.ios.OpenInChromeIntent", "url"): "String",
    ("com.google.chrome.ios.OpenInChromeIncognitoIntent", "url"): "String",
    ("com.google.chrome.ios.AddReadingListItemToChromeIntent", "url"): "String",
    ("com.google.chrome.ios.AddBookmarkToChromeIntent", "url"): "String",
}
# Parameters that were added to the file after the reference was made.
LATER = {"copyFile"}


@cache
def archive_files() -> dict[str, bytes]:
    with zipfile.ZipFile(shared_file("api_definitions.zip")) as archive:
        return {name: archive.read(name) for name in archive.namelist() if name[-1] != "/"}


@cache
def toolkit() -> ParsedDefinitions:
    with zipfile.ZipFile(shared_file("toolkit_ios26.zip")) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".sqlite"))
        return parse_definitions(archive.read(name), DefinitionContext(name))


def parse(suffix: str, app: str | None = None) -> ParsedDefinitions:
    name = next(name for name in archive_files() if name.endswith(suffix))
    return parse_definitions(archive_files()[name], DefinitionContext(name, app=app))


def test_every_file_parses() -> None:
    definitions: Counter[str] = Counter()
    for name, data in archive_files().items():
        if name == "manifest.json":
            with pytest.raises(ParseError) as caught:
                parse_definitions(data, DefinitionContext(name))
            assert caught.value.reason == "not_a_definition"
            continue
        parsed = parse_definitions(data, DefinitionContext(name))
        assert parsed.problems == (), name
        for definition in parsed.definitions:
            definitions[definition.source_kind] += 1
            assert definition.unknown == (), name
    assert definitions == {"wfactions": 828, "sirikit": 111, "appintents": 30}


def reference_type(api: str, parameter: Parameter) -> str:
    """Return a parameter's type and default as the reference writes them."""
    name = REFERENCE_WORDS.get(parameter.type, parameter.type)
    if parameter.type_kind == "enum":
        name = f"Enum({parameter.type})"
    name = EXCEPTIONS.get((api, parameter.name), name)
    if parameter.default is None:
        return name
    default = {"true": "True", "false": "False"}.get(parameter.default, parameter.default)
    return f"{name} = {default}"


@pytest.mark.parametrize(("app", "file", "count"), REFERENCE_APPS)
def test_parameters_agree_with_the_reference(app: str, file: str, count: int) -> None:
    reference = json.loads(shared_file("reference_api_texts.json").read_bytes())
    expected = {api: entry for api, entry in reference.items() if api.rpartition(".")[0] == app}
    definitions_by_api = {d.api: d for d in parse(file, app).definitions}
    assert set(expected) == set(definitions_by_api)
    assert len(definitions_by_api) == count
    for api, entry in expected.items():
        parsed_parameters = {
            p.name: reference_type(api, p)
            for p in definitions_by_api[api].parameters
            if p.name not in LATER
        }
        for returned in definitions_by_api[api].returns:
            word = REFERENCE_WORDS.get(returned.type, returned.type)
            parsed_parameters[f"ThisIsReturnValue:{returned.name}"] = word
        assert parsed_parameters == entry["parameters"], api
        summaries = {
            ",".join(name for name in s.parameters if name not in LATER): s.template
            for s in definitions_by_api[api].summaries
        }
        assert summaries == entry["summaries"], api


def test_url_parameters_with_many_values_are_multiple() -> None:
    definitions_by_api = {d.api: d for d in parse(CHROME, "com.google.chrome.ios").definitions}
    for api, name in EXCEPTIONS:
        (parameter,) = (p for p in definitions_by_api[api].parameters if p.name == name)
        assert (parameter.type, parameter.multiple) == ("URL", True)


def wfactions(suffix: str) -> dict[str, ApiDefinition]:
    return {d.api: d for d in parse(suffix).definitions}


def test_wfactions_relations_and_conditions() -> None:
    older, newer = wfactions("2.2.json"), wfactions("@fffd5816.json")
    relations: Counter[str] = Counter(
        c.relation for d in older.values() for p in d.parameters for c in p.depends_on
    )
    assert (relations["!="], relations["has_value"]) == (10, 4)
    relations = Counter(
        c.relation
        for d in newer.values()
        for p in d.parameters
        for c in p.depends_on
        if not c.parameter.startswith("@")
    )
    assert (relations["!="], relations["has_value"]) == (7, 4)
    assert Counter(len(d.summaries) > 1 for d in newer.values()) == {True: 17, False: 269}
    assert sum(not d.summaries for d in newer.values()) == 68
    dnd = newer["is.workflow.actions.dnd.set"]
    assert len({s.conditions for s in dnd.summaries}) == len(dnd.summaries) == 5


def test_wfactions_texts_belong_to_their_entries() -> None:
    raw = next(data for name, data in archive_files().items() if "fffd5816" in name)
    entries = json.loads(raw)[0]
    newer = wfactions("@fffd5816.json")
    assert len(newer) == len(entries)
    for api, entry in entries.items():
        summary = entry.get("Description", {}).get("DescriptionSummary")
        assert newer[api].description == summary
        declared = entry.get("ParameterSummary")
        templates = {declared} if isinstance(declared, str) else set((declared or {}).values())
        assert {s.template for s in newer[api].summaries} == templates


def test_binary_and_json_copies_of_one_version_agree() -> None:
    binary, text = wfactions("WFActions.plist"), wfactions("2.2.json")
    assert set(binary) == set(text)
    same = sum(binary[api].definition_id == text[api].definition_id for api in text)
    assert same > 150  # the binary copy was edited: its titles name inputs


def test_output_is_not_the_first_response_value() -> None:
    (transfer,) = parse("switshot__hifumitogo_Base.lproj_Intents.intentdefinition").definitions
    assert [(r.name, r.type, r.multiple) for r in transfer.returns] == [("Media", "File", True)]


def test_every_visible_tool_becomes_a_definition() -> None:
    parsed = toolkit()
    assert parsed.problems == ()
    assert len(parsed.definitions) == 1121
    assert sum(d.discoverable for d in parsed.definitions) == 463
    assert not any(definition.unknown for definition in parsed.definitions)


def tool(api: str) -> dict[str, Parameter]:
    return {p.name: p for d in toolkit().definitions if d.api == api for p in d.parameters}


def test_toolkit_defaults_ranges_and_conditions() -> None:
    image = tool("is.workflow.actions.image.convert")
    assert image["WFImageFormat"].default == '"JPEG"'
    quality = image["WFImageCompressionQuality"]
    assert (quality.default, quality.minimum, quality.maximum) == ("0.75", 0.0, 1.0)
    assert quality.depends_on[0].values == ('"JPEG"',)
    reminder = tool("is.workflow.actions.addnewreminder")
    assert reminder["WFAlertLocationRadius"].default == '{"unit":"ft","value":1000}'
    relations = Counter(
        c.relation for d in toolkit().definitions for p in d.parameters for c in p.depends_on
    )
    assert relations == {"==": 473, "has_value": 22, "!=": 18, "contains": 1}
