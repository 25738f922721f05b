"""Actions that write, replace, split, combine, match and encode texts."""

import base64
import binascii
from urllib.parse import quote, unquote

from benchloom.device.call import Call, action
from benchloom.device.errors import MAX_VALUE, ActionError
from benchloom.device.items import AppItem, Content, Item, MadeAnswer, Url
from benchloom.device.items.coercion import content_text, text_of
from benchloom.device.items.patterns import compiled, matches, replaced


@action("gettext")
def get_text(call: Call) -> Content:
    """Return the text in the argument."""
    return (call.text("WFTextActionText"),)


@action("detect.text")
def detect_text(call: Call) -> Content:
    """Return each item of the input as text; return simulated answers unchanged."""
    return tuple(item if isinstance(item, MadeAnswer) else text_of(item) for item in call.input())


@action("text.replace")
def replace_text(call: Call) -> Content:
    """Replace a text, or the matches of a pattern.

    The switch Case Sensitive is by default off for a text, and on for a pattern (not checked on a
    device).
    """
    find, replacement = call.text("WFReplaceTextFind"), call.text("WFReplaceTextReplace")
    if not find:
        return call.input()
    is_pattern = call.flag("WFReplaceTextRegularExpression")
    heeds_case = call.flag("WFReplaceTextCaseSensitive", default=is_pattern)
    results: list[Item] = []
    for item in call.input():
        text = text_of(item)
        if is_pattern:
            pattern = compiled(find, ignore_case=not heeds_case)
            results.append(replaced(pattern, replacement, text))
        elif heeds_case:
            if text.count(find) * len(replacement) > MAX_VALUE:
                raise ActionError("the replaced text would exceed the size limit")
            results.append(text.replace(find, replacement))
        else:
            literal = compiled(_escaped(find), ignore_case=True)
            results.append(
                replaced(literal, replacement.replace("\\", "\\\\").replace("$", "\\$"), text)
            )
    return tuple(results)


def _escaped(text: str) -> str:
    return "".join(f"\\{sign}" if not sign.isalnum() and sign.isascii() else sign for sign in text)


_SEPARATORS = {"New Lines": "\n", "Spaces": " ", "Every Character": ""}


def _separator(call: Call) -> str:
    name = call.text("WFTextSeparator", "New Lines")
    return call.text("WFTextCustomSeparator") if name == "Custom" else _SEPARATORS.get(name, "\n")


@action("text.split")
def split_text(call: Call) -> Content:
    """Split each text of the input at a separator; keep empty parts."""
    separator = _separator(call)
    return tuple(
        part
        for item in call.input("text")
        for part in (text_of(item).split(separator) if separator else text_of(item))
    )


@action("text.combine")
def combine_text(call: Call) -> Content:
    """Join the items of the input as one text."""
    return (_separator(call).join(text_of(item) for item in call.input("text")),)


def _matched(text: str, start: int, groups: tuple[str | None, ...]) -> AppItem:
    group_texts: list[Item] = [group or "" for group in groups]
    return AppItem("match", text, {"Groups": group_texts, "Start": start})


@action("text.match")
def match_text(call: Call) -> Content:
    """Return the matches of a pattern in each text of the input."""
    heeds_case = call.flag("WFMatchTextCaseSensitive", default=True)
    pattern = compiled(call.text("WFMatchTextPattern"), ignore_case=not heeds_case)
    return tuple(
        _matched(match[0], match.start(), match.groups())
        for item in call.input("text")
        for match in matches(pattern, text_of(item))
    )


@action("text.match.getgroup")
def match_group(call: Call) -> Content:
    """Return a group, or all groups, of each match, by default the first group."""
    position = int(call.number("WFGroupIndex", 1))
    results: list[Item] = []
    for item in call.input("matches"):
        groups = item.properties.get("Groups") if isinstance(item, AppItem) else None
        group_list = groups if isinstance(groups, list) else []
        if call.text("WFGetGroupType") == "All Groups":
            results += group_list
        elif 1 <= position <= len(group_list):
            results.append(group_list[position - 1])
    return tuple(results)


@action("text.changecase")
def change_case(call: Call) -> Content:
    """Change the case of each text of the input."""
    kind = call.text("WFCaseType", "UPPERCASE").lower()
    return tuple(_cased(text_of(item), kind) for item in call.input("text"))


def _cased(text: str, kind: str) -> str:
    match kind:
        case "uppercase":
            return text.upper()
        case "lowercase":
            return text.lower()
        case "capitalize every word" | "capitalize with title case":
            return " ".join(word[:1].upper() + word[1:].lower() for word in text.split(" "))
        case "capitalize with sentence case":
            return text[:1].upper() + text[1:].lower()
        case "capitalize with alternating case":
            return "".join(
                sign.upper() if position % 2 else sign.lower() for position, sign in enumerate(text)
            )
    raise ActionError(f"unknown case '{kind}'")


@action("text.trimwhitespace")
def trim(call: Call) -> Content:
    """Remove white space at both ends of each text."""
    return tuple(text_of(item).strip() for item in call.input())


@action("urlencode")
def url_encode(call: Call) -> Content:
    """Encode a text for a URL, or decode it."""
    text = content_text(call.input())
    is_decoding = call.text("WFEncodeMode", "Encode") == "Decode"
    return (unquote(text) if is_decoding else quote(text, safe="-._~"),)


@action("base64encode")
def base64_encode(call: Call) -> Content:
    """Encode a text as Base64, or decode it.

    By default, encoded text has lines of 76 characters (not checked on a device).
    """
    text = content_text(call.input())
    if call.text("WFEncodeMode", "Encode") == "Decode":
        try:
            letters = "".join(text.split())
            decoded = base64.b64decode(letters + "=" * (-len(letters) % 4))
        except (binascii.Error, ValueError) as error:
            raise ActionError("the input is not valid Base64") from error
        return (decoded.decode("utf-8", "replace"),)
    encoded = base64.b64encode(text.encode("utf-8", "replace")).decode()
    if call.text("WFBase64LineBreakMode", "Every 76 Characters") == "None":
        return (encoded,)
    return ("\r\n".join(encoded[at : at + 76] for at in range(0, len(encoded), 76)),)


@action("url")
def url(call: Call) -> Content:
    """Return a URL for each line of the argument.

    A data URL may span several lines (not checked on a device).
    """
    text = call.text("WFURLActionURL")
    if text.startswith("data:"):
        return (Url("".join(text.splitlines())),)
    lines = text.splitlines()
    return tuple(Url(line.strip()) for line in lines if line.strip())
