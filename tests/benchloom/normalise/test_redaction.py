"""Tests of redaction: planted secrets never reach a table, and ordinary texts are unchanged."""

import base64
import plistlib
import time
import uuid
from collections import Counter
from pathlib import Path
from random import Random

import msgspec
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchloom.core.records import Shortcut
from benchloom.normalise.redaction import PLACEHOLDER, redact_shortcut, redact_text
from benchloom.normalise.redaction.cells import CellRedactor
from benchloom.normalise.redaction.finders import FINDERS, kinds_of
from benchloom.normalise.redaction.shortcuts import shortcut_findings
from benchloom.normalise.redaction.texts import scan_text
from benchloom.storage.tables import iter_records, write_table
from flows.run.runner import run_stage
from flows.stages.shortcuts import enrich as enrich_shortcuts
from flows.stages.shortcuts import fingerprint as fingerprint_shortcuts
from flows.stages.shortcuts import normalise as normalise_shortcuts
from flows.stages.shortcuts import parse as parse_shortcuts
from parsers.shortcuts import parse_shortcut
from parsers.shortcuts.wording import describe_workflow
from tests.support.samples.redaction import (
    ACTIONS,
    ALONE,
    AT_START,
    QUESTION,
    TEXTS,
    Action,
    action,
    dictionary,
    token_text,
)
from tests.support.soak import samples

SEED = 20_261_120
KINDS = sorted(kinds_of(FINDERS.all().values()))
PER_MAKER = samples(1, 6)
MAIL = "a.person" + "@" + "host.example.com"
REFERENCE: dict[str, object] = {"Type": "Variable", "VariableName": "Count"}


def parse_actions(actions: list[Action], **root: object) -> Shortcut:
    """Return the parsed shortcut with these actions and root entries."""
    return parse_shortcut(plistlib.dumps({"WFWorkflowActions": actions, **root}), "x.plist")


def redact_actions(actions: list[Action], **root: object) -> Shortcut:
    """Return the redacted shortcut with these actions and root entries."""
    return redact_shortcut(parse_actions(actions, **root), describe_workflow)


def place_text(text: str, finder: str, chance: Random) -> tuple[list[Action], dict[str, object]]:
    """Return actions and root entries of a shortcut that contains a text in a random place."""
    if finder in ALONE:
        forms = [text]
    elif finder in AT_START:
        forms = [text, f"{text}\nNext line"]
    else:
        forms = [text, f"Before {text} after", f"({text})", f"See: {text}, please.", f"{text}\nEnd"]
    form = chance.choice(forms)
    attached = token_text(f"\ufffc: {form} \ufffc", {"{0, 1}": REFERENCE})
    places: list[tuple[list[Action], dict[str, object]]] = [
        ([action("gettext", WFTextActionText=form)], {}),
        ([action("comment", WFCommentActionText=token_text(form))], {}),
        ([action("dictionary", WFItems=dictionary(Note=form))], {}),
        ([action("dictionary", WFItems=dictionary(Outer=dictionary(Inner=form)))], {}),
        ([action("list", WFItems=["one", form, ["nested", {"Note": form}]])], {}),
        ([action("showresult", Text={form: "as a key"})], {}),
        ([action("nothing", CustomOutputName=form, UUID="A")], {}),
        ([action("setvariable", WFVariableName=form)], {}),
        ([action("nothing")], {"WFWorkflowName": form}),
        ([action("nothing")], {"WFWorkflowImportQuestions": [{**QUESTION, "Text": form}]}),
    ]
    if finder not in ALONE | AT_START:
        places.append(([action("gettext", WFTextActionText=attached)], {}))
        long_text = "word and word " * 4_000
        places.append(
            ([action("gettext", WFTextActionText=long_text + form + " " + long_text)], {})
        )
    return chance.choice(places)


def write_planted_shortcuts(folder: Path) -> dict[str, list[str]]:
    """Write shortcut files that contain one secret each; return the secrets by kind."""
    chance = Random(SEED)
    planted: dict[str, list[str]] = {}
    folder.mkdir()

    def write_shortcut(
        kind: str, secret: str, actions: list[Action], root: dict[str, object]
    ) -> None:
        number = sum(map(len, planted.values()))
        planted.setdefault(kind, []).append(secret)
        # A different number in each file keeps the files from being merged as duplicates.
        actions = [*actions, action("number", WFNumberActionNumber=number)]
        content = plistlib.dumps({"WFWorkflowActions": actions, **root})
        (folder / f"{number:04}.plist").write_bytes(content)

    for _ in range(PER_MAKER):
        for finder, makers in TEXTS.items():
            for maker in makers:
                kind, text, secret = maker(chance)
                write_shortcut(kind, secret, *place_text(text, finder, chance))
        for structured in ACTIONS.values():
            for build in structured:
                kind, actions, secret = build(chance)
                write_shortcut(kind, secret, actions, {"WFWorkflowImportQuestions": [QUESTION]})
    return planted


def run_to_enrich(inputs: Path, workspace: Path) -> Path:
    """Run the stages from parse to enrich and return the folder of the last one."""
    parse = run_stage(parse_shortcuts.prepare([inputs], workspace))
    normalise = run_stage(normalise_shortcuts.prepare(parse), workspace)
    fingerprints = run_stage(fingerprint_shortcuts.prepare(normalise), workspace)
    enrich = run_stage(enrich_shortcuts.prepare(normalise, fingerprints), workspace)
    return enrich.path


def all_text_of(folder: Path) -> str:
    """Return all values of all written tables as text, and the bytes of all written files."""
    texts: list[str] = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        texts.append(path.read_bytes().decode("latin-1"))
        if path.suffix == ".parquet":
            texts += [text for row in pq.read_table(path).to_pylist() for text in texts_of(row)]
    return "\n".join(texts)


def texts_of(value: object) -> list[str]:
    """Return every text of a row, including the texts of decoded JSON arguments."""
    if isinstance(value, dict):
        return [text for child in value.values() for text in texts_of(child)] + list(value)
    if isinstance(value, list):
        return [text for child in value for text in texts_of(child)]
    if not isinstance(value, str):
        return [str(value)]
    try:
        decoded = msgspec.json.decode(value)
    except msgspec.DecodeError:
        return [value]
    inner = texts_of(decoded) if isinstance(decoded, (dict, list)) else [str(decoded)]
    return [value, *inner]


def gate_findings(folder: Path) -> list[str]:
    """Return the findings of the redaction gate for the shortcuts of a folder."""
    rows = iter_records(folder, "shortcuts", Shortcut)
    return [finding for row in rows for finding in shortcut_findings(row)]


def test_no_planted_secret_is_published(tmp_path: Path) -> None:
    planted = write_planted_shortcuts(tmp_path / "in")
    assert sum(map(len, planted.values())) >= 66 * PER_MAKER
    assert sum(len(secrets) >= PER_MAKER for secrets in planted.values()) >= 20
    enrich_folder = run_to_enrich(tmp_path / "in", tmp_path / "w")
    rows = list(iter_records(enrich_folder, "shortcuts", Shortcut))
    assert len(rows) == sum(map(len, planted.values()))
    written = all_text_of(enrich_folder)
    published = {
        kind: sum(secret in written for secret in secrets) for kind, secrets in planted.items()
    }
    assert {kind: count for kind, count in published.items() if count} == {}, (
        "planted and published"
    )
    kind_counts = Counter({r.kind: 0 for row in rows for r in row.redactions})
    for row in rows:
        kind_counts.update({redaction.kind: 1 for redaction in row.redactions})
        assert row.redactions, row.source_uri
    other_kinds = {
        kind: len(s) - kind_counts[kind]
        for kind, s in planted.items()
        if kind_counts[kind] < len(s)
    }
    # Two finders may match the same value; then only the recorded kind differs.
    assert sum(other_kinds.values()) <= len(rows) / 10, other_kinds
    assert gate_findings(enrich_folder) == []


ORDINARY = (
    "name@domain.tld",
    "WIFI:T:WPA;S:YourSSID;P:YourPassword;;",
    "api_key: paste-your-key-here",
    "/home/pi/run.sh",
    "export DATA='{\"secret\":false,\"pin\":null}'",
    "90.0000, 0.0000",
    "Barcode 0036000291452",
    "api_key=%7B%7Btoken%7D%7D",
    base64.b64encode(b"name,city\nLamp,Rome\nTile,Oslo").decode(),
    base64.b64encode(b'body={"model":"plain","temperature":0.7,"max_tokens":1024}').decode(),
    "#FF8800", "rgba(255, 136, 0, 0.5)", "Version 16.4.1", "iOS 17.0.3.1", "v1.20.3.4", "12:30:45",
    "2024-05-06T10:00:00Z", "06.05.2024", "05/06/2024 10:30", "1920x1080", "1700000000",
    "1700000000000", "3.14159265", "0.3333333,0.6666667 0.5,0.25", "ISBN 978-3-16-148410-0",
    "icon@2x.png", "@someone", "$1,299.00", "1,234,567", "50%", "60 * 60 * 24 * 365", "Room 12",
    "https://www.icloud.com/shortcuts/0123456789abcdef0123456789abcdef",
    "https://www.youtube.com/watch?v=abcdefghijk&t=42", "is.workflow.actions.getvariable",
    "com.apple.mobilenotes.SharingExtension", "F0E1D2C3-B4A5-9687-7869-5A4B3C2D1E0F",
    "App-prefs:root=Privacy&path=PASSWORD", "shortcuts://run-shortcut?name=Key%20Finder",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 16_0 like Mac OS X) AppleWebKit/605.1.15 Chrome/120.0.0.0",
    "M12.345,67.891 L23.456,78.912 L34.567,89.123", "max_tokens: 4096", "Enter your password:",
    "Please paste your API key here", "password = getPassword()", "The token expires soon.",
    "Press any key: up, down", "Basic training", "The bearer of news", "127.0.0.1", "8.8.8.8",
    "1.0.0.0", "10 Things to do on the Way", "Tip for 2 people", "Q3 2024",
    "(?<=\\d{3})-\\d{2}", "yyyy-MM-dd HH:mm:ss", "A1B2C3", "+1", "+5 points", "100-200-300",
    "GB 12 345", "4 8 15 16 23 42", "1234 5678 9012 3456", "key", "token", "passwordless login",
    "BEGIN:VCARD\nVERSION:3.0\nN:;Settings;;;\nORG:Change them;\nEND:VCARD",
    "git@github.com:someone/something.git", "ssh://git@gitlab.com/x/y.git", "$NAME$", "%USER%",
    "user: $NAME$, password: $PASSWORD$", "curl -u email:password https://host.example",
    "https://user:password@host.example/", "latitude: 0.000, longitude: 0.0000", "0.0000,0.0000",
    "Hello [redacted:phone] and [redacted:token]: 1", "www.duckdns.org", "https://ngrok.io/docs",
    "WiFi: home, Local IP: 8.8.8.8", "Cookies: yes", "cookie = jar", "192.168.1.1", "203.0.113.9",
    "http://192.168.7.23:8123/x", "172.20.4.9", "100.101.4.7", "fe80::1", "+1 800 275 2273",
    "0800 330 1000", "1-888-280-4331", "400-666-8800", "tel:+448000480408",
    "UklGRnx3Yz9XRUJQVlA4" + "aQ7xZ2kT9" * 9,
    "iVBORw0KGgo" + "pR4tW8vB2" * 12 + "/EAA" + "Zx3" * 20,
    "sensor@1a2b3c.json", "The psk is on the router", "networksetup -listallnetworkservices",
    "word-word-word-word-word-word-word-word", "ThisIsAVeryLongCamelCaseIdentifierForNothing",
)  # fmt: skip


LIKE_SECRETS = (
    "npm_install_everything", "key-value pairs of the map", "sk-learn and sk_live_view",
    "live_photos_and_more", "patient records", "x-api-version", "o.k. for now", "re_read_it",
    "pk_and_sk", "tk_root", "access-production-servers", "AQ and BQ", "api-gateway-service-one",
    "test_that_everything_works_as_it_should", "figure_of_eight", "https://host.dev/1//0",
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "d41d8cd98f00b204e9800998ecf8427e", "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "support@" + "apple.com", "mira@example.com", "AKIA" + "IOSFODNN7EXAMPLE",
    "The password is required.", "PIN: enter four digits", "Passwort: erforderlich",
    "ghp_" + 36 * "x", "code: 200",
)  # fmt: skip
"""Words that begin like a token, and well-known digests, addresses and example keys."""


@pytest.mark.parametrize("text", [*ORDINARY, *LIKE_SECRETS])
def test_ordinary_text_is_unchanged(text: str) -> None:
    assert redact_text(text).text == text
    shortcut = parse_actions([action("gettext", WFTextActionText=text)], WFWorkflowName=text)
    assert redact_shortcut(shortcut, describe_workflow) is shortcut


def test_ordinary_values_are_unchanged() -> None:
    shortcut = parse_actions(
        [
            action("number", WFNumberActionNumber=4111111111111111),
            action("setbrightness", WFBrightness=0.4137, WFColor={"red": 0.4137, "alpha": 1}),
            action("date", WFDateActionDate="2024-05-06T10:00:00Z", Seconds=1700000000),
            action("downloadurl", WFHTTPHeaders=dictionary(Accept="*/*", X__Count="12")),
            action("dictionary", WFItems={"max_tokens": 4096, "key": "name", "token_type": "x"}),
            action("runsshscript", WFSSHPort="22", WFSSHScript="ls -l"),
            action("conditional", UUID="F0E1D2C3-B4A5-9687-7869-5A4B3C2D1E0F", WFControlFlowMode=0),
            action("gettext", WFTextActionText="Enter it now please", CustomOutputName="Token"),
        ]
    )
    assert redact_shortcut(shortcut, describe_workflow) is shortcut


def test_values_without_information_are_unchanged() -> None:
    digest = {"sha256": 64 * "a", "length": 12}
    prompt = token_text("Create \ufffc passcode", {"{7, 1}": REFERENCE})
    shortcut = parse_actions(
        [
            action("location", Place={"latitude": 0, "longitude": 0.0, "alt": "0"}),
            action("location", WFLocation={"location": {"latitude": 0.0, "course": 0}}),
            action("dictionary", WFItems={"latitude": "0.000", "data": digest, "token": "1"}),
            action("gettext", WFTextActionText=prompt, CustomOutputName="Passcode"),
            action("gettext", WFTextActionText="de-DE"),
            action("runsshscript", WFSSHUser="user", WFSSHPort="22"),
        ],
        WFWorkflowImportQuestions=[{**QUESTION, "ActionIndex": 4, "Text": "The key of a language"}],
    )
    assert redact_shortcut(shortcut, describe_workflow) is shortcut


def test_placeholder_in_a_name_does_not_mark_its_value() -> None:
    number = "+49 151 2345678"
    once = redact_actions(
        [
            action("gettext", WFTextActionText="eight", CustomOutputName=f"For {MAIL}", UUID="A"),
            action("dictionary", WFItems=dictionary(**{f"token of {MAIL}": "ninety-nine"})),
        ],
        WFWorkflowImportQuestions=[{**QUESTION, "Text": f"Whom, as in {number}?"}],
    )
    assert number not in str(once)
    assert MAIL not in str(once)
    assert "eight" in str(once.actions[0].arguments)
    assert "ninety-nine" in str(once.actions[1].arguments)
    assert redact_shortcut(once, describe_workflow) is once


def test_reference_offsets_are_moved_with_the_text() -> None:
    text = f"\U0001f600\ufffc mail {MAIL} then \ufffc and \ufffc"
    units = text.encode("utf-16-le")
    offsets = [i // 2 for i in range(0, len(units), 2) if units[i : i + 2] == b"\xfc\xff"]
    attachments: dict[str, object] = {f"{{{offset}, 1}}": REFERENCE for offset in offsets}
    shortcut = redact_actions([action("gettext", WFTextActionText=token_text(text, attachments))])
    argument = shortcut.actions[0].arguments[0]
    value = msgspec.json.decode(argument.value)["Value"]
    moved = value["string"].encode("utf-16-le")
    assert "[redacted:email]" in value["string"]
    assert len(argument.references) == 3
    for reference in argument.references:
        assert reference.offset is not None
        assert moved[2 * reference.offset : 2 * reference.offset + 2] == b"\xfc\xff"
        assert f"{{{reference.offset}, 1}}" in value["attachmentsByRange"]
    assert shortcut.workflow.count("[variable: Count]") == 3


def test_output_name_is_redacted_in_action_and_reference() -> None:
    use = {
        "Value": {"Type": "ActionOutput", "OutputUUID": "A", "OutputName": MAIL},
        "WFSerializationType": "WFTextTokenAttachment",
    }
    shortcut = redact_actions(
        [
            action("gettext", WFTextActionText="x", UUID="A", CustomOutputName=MAIL),
            action("showresult", Text=use),
        ]
    )
    assert MAIL not in str(shortcut)
    reference = shortcut.actions[1].arguments[0].references[0]
    assert reference.output == shortcut.actions[0].output_name == "[redacted:email]"
    assert reference.action_index == 0


def test_ids_of_control_blocks_are_searched() -> None:
    shortcut = redact_actions(
        [
            action("repeat.count", GroupingIdentifier=MAIL, WFControlFlowMode=mode)
            for mode in (0, 2, [MAIL])
        ]
    )
    assert MAIL not in str(shortcut)
    assert shortcut.actions[0].group == "[redacted:email]"


def test_texts_beside_the_actions_are_searched() -> None:
    behavior = {"Name": f"ask {MAIL}"}
    shortcut = msgspec.structs.replace(
        parse_actions([], WFWorkflowName=f"Mail {MAIL}", WFWorkflowNoInputBehavior=behavior),
        description=f"Write to {MAIL}!",
    )
    once = redact_shortcut(shortcut, describe_workflow)
    assert MAIL not in str(once)
    assert (once.name, once.description) == ("Mail [redacted:email]", "Write to [redacted:email]!")
    assert once.needs_input.no_input_behavior == "ask [redacted:email]"


def test_redaction_keeps_ids_and_counts_each_kind() -> None:
    shortcut = parse_actions([action("list", WFItems=[MAIL, MAIL, "+1 212 555 0142"])])
    once = redact_shortcut(shortcut, describe_workflow)
    assert once.shortcut_id == shortcut.shortcut_id
    assert once.source_digest == shortcut.source_digest
    assert {r.kind: r.count for r in once.redactions} == {"email": 2, "phone": 1}
    assert redact_shortcut(once, describe_workflow) is once


def test_variable_in_a_secret_field_is_unchanged() -> None:
    headers = dictionary(Authorization="unused")
    items = headers["Value"]["WFDictionaryFieldValueItems"]  # type: ignore[index]  # a nested property list
    items[0]["WFValue"] = token_text("Bearer \ufffc", {"{7, 1}": REFERENCE})
    shortcut = parse_actions([action("downloadurl", WFHTTPHeaders=headers)])
    assert redact_shortcut(shortcut, describe_workflow) is shortcut


DISGUISED = (
    "/Users/person/notes.txt",
    "\u015eifre: q7Zp3xRt",
    "CE 12 12 12 A",
    '{"password_wifi": "q7Zp3xRt"}',
    "\u53e3\u4ee4: q7Zp3xRt",
    "a.per\u200bson@host.exam\u00adple.com",
    "\uff41\uff42\uff20\uff48\uff4f\uff53\uff54\uff0e\uff43\uff4f\uff4d",
    "a.person%40host.example.com", "a.person%2540host.example.com", "a.person&#64;host.example.com",
    '"a person"' + "@host.example.com", "d3JpdGUgdG8gYS5wZXJzb25AaG9zdC5leGFtcGxlLmNvbQ==",
    '```json\n{"\\u5bc6\\u7801": "q7Zp3xRt"}\n```', "a.person\\u0040host.example.co\\u006d",
    '{\\"password\\": \\"q7Zp3xRt\\"}', "password%3Dq7Zp3xRt", "PSK=q7Zp3xRt",
    "PASSWORD => q7Zp3xRt",
    "networksetup -setairportnetwork en0 Home q7Zp3xRt", "WIFI:T:WPA;S:Home;P:q7Zp3xRt;;",
    "my-home.duckdns.org", "at 12.12345, 12.12345.", "06 12 34 56 78", "07.12.34.56.78",
    '{"Cookie": "lang=de; sid=abcdefghij"}',
    "AKIA" + "Q7Z3" * 4 + "\nsecret=" + "aB3/" * 10,
)  # fmt: skip


@pytest.mark.parametrize("text", DISGUISED)
def test_disguised_secret_is_redacted(text: str) -> None:
    for variant in (text, f"Ask {text} now", f"({text})"):
        once = redact_text(variant).text
        assert "[redacted:" in once
        remaining = PLACEHOLDER.sub("", once)
        assert not any(
            part in remaining for part in ("person", "q7Zp3xRt", "abcdefghij", "12", "aB3/")
        )


PIECES = st.one_of(
    st.text(max_size=12),
    st.sampled_from([*DISGUISED, *ORDINARY]),
    st.sampled_from([f"[redacted:{kind}]" for kind in KINDS]),
    st.sampled_from(["phone ", "token: ", "password=", "Bearer ", "@", ":", "=", '"', "\\", " "]),
    st.builds(
        lambda seed, finder: Random(seed).choice(TEXTS[finder])(Random(seed))[1],
        st.integers(0, 999),
        st.sampled_from(sorted(TEXTS)),
    ),
)


@settings(max_examples=samples(60, 150), deadline=None)
@given(st.lists(PIECES, max_size=6))
def test_redacting_twice_changes_nothing(pieces: list[str]) -> None:
    text = "".join(pieces)
    for once in (redact_text(text).text, redact_text(text, rendered=True).text):
        assert redact_text(once, rendered=once != redact_text(text).text).text == once
    cell, _ = CellRedactor().plain(text)
    assert CellRedactor().plain(cell) == (cell, ())
    inside, _ = CellRedactor().plain(msgspec.json.encode({"a": [text]}).decode())
    assert CellRedactor().plain(inside) == (inside, ())


@settings(max_examples=samples(30, 60), deadline=None)
@given(st.lists(PIECES, max_size=4), st.lists(PIECES, max_size=4))
def test_redacting_a_shortcut_twice_changes_nothing(first: list[str], second: list[str]) -> None:
    text, other = "".join(first).replace("\0", ""), "".join(second)
    name = "".join(c for c in text if c.isprintable() or c == "\ufffc")
    shortcut = parse_shortcut(
        plistlib.dumps(
            {
                "WFWorkflowActions": [
                    action("gettext", WFTextActionText=name, CustomOutputName=name, UUID="A"),
                    action("setvariable", WFVariableName=name),
                ],
                "WFWorkflowImportQuestions": [{**QUESTION, "Text": name}],
                "WFWorkflowName": name,
            },
            fmt=plistlib.FMT_BINARY,
        ),
        "x.plist",
    )
    shortcut = msgspec.structs.replace(shortcut, description=other)
    once = redact_shortcut(shortcut, describe_workflow)
    assert redact_shortcut(once, describe_workflow) is once
    assert redact_shortcut(once, lambda _: once.workflow) is once


def test_gate_finding_has_the_row_id_and_not_the_value(tmp_path: Path) -> None:
    shortcut = parse_actions([action("gettext", WFTextActionText=MAIL)])
    write_table("shortcuts", [shortcut], tmp_path / "shortcuts.parquet")
    (finding,) = gate_findings(tmp_path)
    assert shortcut.shortcut_id in finding
    assert "email 1" in finding
    assert MAIL not in finding
    stale = msgspec.structs.replace(
        redact_shortcut(shortcut, describe_workflow), workflow=shortcut.workflow
    )
    write_table("shortcuts", [stale], tmp_path / "shortcuts.parquet")
    (finding,) = gate_findings(tmp_path)
    assert "workflow" in finding


def test_text_with_placeholders_is_searched() -> None:
    for kind in KINDS:
        assert scan_text(f"password: [redacted:{kind}]") == ()
        assert scan_text(f"https://[redacted:{kind}]@host.example/?token=[redacted:{kind}]") == ()
    redacted_text = redact_text(f"[redacted:email]{MAIL}[redacted:email]").text
    assert PLACEHOLDER.sub("", redacted_text) == ""


@pytest.mark.parametrize(
    "unit",
    ["a", "eyJ", "1", "1.", "1 ", ":", "a@", "a.", "key=", "password:", "://", "<key>", "Aa ",
     "-----BEGIN PRIVATE KEY", "BEGIN:VCARD\n", "1 Aa ", "AB12 ", "00:", "\ufffc", "[redacted:",
     "Bearer ", "rue de ", "市区", "TEL:", '"key" ', '="', "sk-", "token=",
     "12.1234,", "<data>", "=&"],
)  # fmt: skip
def test_hostile_text_takes_bounded_time(unit: str) -> None:
    text = unit * (75_000 // len(unit))
    start = time.process_time()
    scan_text(text)
    # The limit is generous: the fastest pattern of quadratic time needs 3 s for 75 kB.
    assert time.process_time() - start < 2.5


def test_generated_id_is_redacted_only_if_it_looks_like_a_number() -> None:
    chance = Random(7)
    for alphabet in ("0123456789ABCDEF", "0123456789abcdef", 6 * "0123456789" + "ABCDEF"):
        for _ in range(100):
            digits = "".join(chance.choices(alphabet, k=32))
            generated_id = str(uuid.UUID(digits))
            generated_id = generated_id.upper() if alphabet[-1] == "F" else generated_id
            # Next to another word the id is searched like any other text.
            if not generated_id[:8].isdigit():
                assert scan_text(generated_id) == scan_text(f"{generated_id} is it") == ()
    assert redact_text("00480420-1540-8F09-3F62-365F598883F3").kinds == ("phone",)


def test_national_id_with_an_unknown_county_is_redacted() -> None:
    # stdnum raises KeyError for the county of this number.
    number = "110001" + "19900101" + "001X"
    assert redact_text(f"Number {number}").kinds == ("national_id",)
    assert redact_text(f"Number {number[:-1]}0").kinds == ()
