"""Compile small shortcuts from lines of text such as `total = math $bill * 2`.

Each line is an action. A name before `=` is the output of the action; `set NAME $x` sets a
variable. `$NAME` and `${NAME}` are replaced in texts, and `${NAME.key}` is the value of a
dictionary's key. `$input`, `$clipboard`, `$now`, `$item` and `$index` always exist. Blocks are
`if`, `else`, `repeat`, `each`, `menu`, `option` and `end`. `check` is an If without actions, whose
`else` branch outputs that the check failed.
"""

import json
import re

from benchloom.core.records import Shortcut
from parsers.shortcuts import parse_shortcut

_OBJECT = "\ufffc"
_NAME = re.compile(r"\$(?:\{([\w ]+)(?:\.([\w ]+))?\}|([A-Za-z]\w*))")
_SPECIAL = {"input": "ExtensionInput", "clipboard": "Clipboard", "now": "CurrentDate"}
_LOOP = {"item": "Repeat Item", "index": "Repeat Index"}
_CONDITIONS = {
    "is": (4, "WFConditionalActionString"),
    "isnt": (5, "WFConditionalActionString"),
    "contains": (99, "WFConditionalActionString"),
    "lacks": (999, "WFConditionalActionString"),
    "begins": (8, "WFConditionalActionString"),
    "ends": (9, "WFConditionalActionString"),
    "<": (0, "WFNumberValue"),
    "<=": (1, "WFNumberValue"),
    ">": (2, "WFNumberValue"),
    ">=": (3, "WFNumberValue"),
    "==": (4, "WFNumberValue"),
    "any": (100, ""),
    "none": (101, ""),
}
# The action of each verb, and the parameters of its words in order. A name with `:ref` takes one
# reference, a name with `:rest` the rest of the line, and `=value` is a constant.
_VERBS = {
    "text": ("gettext", "WFTextActionText:rest"),
    "ask": ("ask", "WFInputType WFAskActionPrompt:rest"),
    "number": ("number", "WFNumberActionNumber"),
    "math": ("math", "WFInput:ref WFMathOperation WFMathOperand"),
    "science": (
        "math",
        "WFInput:ref WFMathOperation=… WFScientificMathOperation WFScientificMathOperand",
    ),
    "round": ("round", "WFInput:ref WFRoundTo:rest"),
    "random": ("number.random", "WFRandomNumberMinimum WFRandomNumberMaximum"),
    "statistics": ("statistics", "WFStatisticsOperation Input:ref"),
    "formatnumber": ("format.number", "WFNumber:ref WFNumberFormatDecimalPlaces"),
    "set": ("setvariable", "WFVariableName WFInput:ref"),
    "append": ("appendvariable", "WFVariableName WFInput:ref"),
    "get": ("getvariable", "WFVariable:ref"),
    "show": ("showresult", "Text:rest"),
    "alert": ("alert", "WFAlertActionMessage:rest"),
    "notify": ("notification", "WFNotificationActionBody:rest"),
    "speak": ("speaktext", "WFText:rest"),
    "copy": ("setclipboard", "WFInput:ref"),
    "comment": ("comment", "WFCommentActionText:rest"),
    "nothing": ("nothing", ""),
    "wait": ("delay", "WFDelayTime"),
    "exit": ("exit", ""),
    "output": ("output", "WFOutput:rest"),
    "count": ("count", "WFCountType Input:ref"),
    "item": ("getitemfromlist", "WFInput:ref WFItemSpecifier=Item_At_Index WFItemIndex"),
    "first": ("getitemfromlist", "WFInput:ref"),
    "last": ("getitemfromlist", "WFInput:ref WFItemSpecifier=Last_Item"),
    "items": (
        "getitemfromlist",
        "WFInput:ref WFItemSpecifier=Items_in_Range WFItemRangeStart WFItemRangeEnd",
    ),
    "split": ("text.split", "text:ref WFTextSeparator=Custom WFTextCustomSeparator"),
    "lines": ("text.split", "text:ref"),
    "join": ("text.combine", "text:ref WFTextSeparator=Custom WFTextCustomSeparator"),
    "replace": ("text.replace", "WFInput:ref WFReplaceTextFind WFReplaceTextReplace"),
    "pattern": (
        "text.replace",
        "WFInput:ref WFReplaceTextRegularExpression=true WFReplaceTextFind WFReplaceTextReplace",
    ),
    "match": ("text.match", "text:ref WFMatchTextPattern"),
    "group": ("text.match.getgroup", "matches:ref WFGroupIndex"),
    "case": ("text.changecase", "text:ref WFCaseType"),
    "trim": ("text.trimwhitespace", "WFInput:ref"),
    "encode": ("urlencode", "WFInput:ref"),
    "decode": ("urlencode", "WFInput:ref WFEncodeMode=Decode"),
    "base64": ("base64encode", "WFInput:ref WFEncodeMode"),
    "numbers": ("detect.number", "WFInput:ref"),
    "links": ("detect.link", "WFInput:ref"),
    "json": ("detect.dictionary", "WFInput:ref"),
    "value": ("getvalueforkey", "WFInput:ref WFDictionaryKey"),
    "keys": ("getvalueforkey", "WFInput:ref WFGetDictionaryValueType=All_Keys"),
    "values": ("getvalueforkey", "WFInput:ref WFGetDictionaryValueType=All_Values"),
    "put": ("setvalueforkey", "WFDictionary:ref WFDictionaryKey WFDictionaryValue"),
    "date": ("date", "WFDateActionMode=Specified_Date WFDateActionDate:rest"),
    "now": ("date", ""),
    "format": ("format.date", "WFDate:ref WFDateFormatStyle=Custom WFDateFormat:rest"),
    "style": ("format.date", "WFDate:ref WFDateFormatStyle WFTimeFormatStyle"),
    "start": ("adjustdate", "WFDate:ref WFAdjustOperation:rest"),
    "between": ("gettimebetweendates", "WFTimeUntilFromDate:ref WFInput:ref WFTimeUntilUnit"),
    "url": ("url", "WFURLActionURL:rest"),
    "part": ("geturlcomponent", "WFURL:ref WFURLComponent"),
    "open": ("openurl", "WFInput:ref"),
    "download": ("downloadurl", "WFURL:ref"),
    "remind": ("addnewreminder", "WFCalendarItemTitle:rest"),
    "note": ("createnote", "WFCreateNoteInput:rest"),
    "message": ("sendmessage", "WFSendMessageActionRecipients WFSendMessageContent:rest"),
    "choose": ("choosefromlist", "WFInput:ref WFChooseFromListActionPrompt:rest"),
    "light": ("setbrightness", "WFBrightness"),
    "save": ("documentpicker.save", "WFInput:ref WFFileDestinationPath WFAskWhereToSave=false"),
    "type": ("getitemtype", "WFInput:ref"),
    "name": ("getitemname", "WFInput:ref"),
    "missing": ("cannot.exist", ""),
}


def small_shortcut(text: str) -> Shortcut:
    """Return the shortcut that the lines of a text describe."""
    return parse_shortcut(compile_shortcut(text), "small")


def compile_shortcut(text: str) -> bytes:
    """Return the file of the shortcut that the lines of a text describe."""
    compiler = _Compiler()
    for line in text.splitlines():
        if line.strip():
            compiler.line(line.strip())
    return json.dumps({"WFWorkflowActions": compiler.actions}, ensure_ascii=False).encode()


class _Compiler:
    def __init__(self) -> None:
        self.actions: list[dict[str, object]] = []
        self._outputs: dict[str, str] = {}
        self._blocks: list[tuple[str, str]] = []

    def line(self, line: str) -> None:
        if line.startswith("check "):
            words = line.removeprefix("check ")
            for part in (f"if {words}", "else", f"output failed: {words}", "end"):
                self.line(part)
            return
        head, equals, rest = line.partition(" = ")
        name = head if equals and re.fullmatch(r"\w+", head) else ""
        verb, _, words = (rest if name else line).partition(" ")
        control = getattr(self, f"_{verb}", None)
        if verb in {"if", "else", "end", "repeat", "each", "menu", "option"} and control:
            action, parameters = control(words)
        elif verb == "list":
            action, parameters = "list", {"WFItems": [*map(self._text, words.split("|"))]}
        elif verb == "dictionary":
            action, parameters = "dictionary", {"WFItems": self._entries(words)}
        elif verb == "adjust":
            subject, operation, amount, unit = words.split()
            quantity = {"Magnitude": self._text(amount), "Unit": unit}
            duration = {"Value": quantity, "WFSerializationType": "WFQuantityFieldValue"}
            parameters = {
                "WFDate": self._reference(subject),
                "WFAdjustOperation": operation,
                "WFDuration": duration,
            }
            action = "adjustdate"
        else:
            action, names = _VERBS[verb]
            parameters = self._parameters(names.split(), words)
        if name:
            self._outputs[name] = f"00000000-0000-0000-0000-{len(self.actions):012}"
            parameters |= {"UUID": self._outputs[name], "CustomOutputName": name}
        identifier = f"is.workflow.actions.{action}"
        self.actions.append(
            {
                "WFWorkflowActionIdentifier": identifier,
                "WFWorkflowActionParameters": parameters,
            }
        )

    def _parameters(self, names: list[str], words: str) -> dict[str, object]:
        parameters: dict[str, object] = {}
        for name in names:
            named, constant, value = name.partition("=")
            key, _, kind = named.partition(":")
            if constant:
                parameters[key] = (
                    value == "true" if value in {"true", "false"} else value.replace("_", " ")
                )
                continue
            if not words:
                continue
            if kind == "rest":
                word, words = words, ""
            else:
                match = re.match(r"\"([^\"]*)\" ?|(\S+) ?", words)
                assert match is not None, words
                word, words = match[1] if match[1] is not None else match[2], words[match.end() :]
            parameters[key] = self._reference(word) if kind == "ref" else self._text(word)
        return parameters

    def _token(self, match: re.Match[str]) -> dict[str, object]:
        name, key = match[1] or match[3], match[2]
        if name in _SPECIAL:
            token: dict[str, object] = {"Type": _SPECIAL[name]}
        elif name in self._outputs:
            token = {"Type": "ActionOutput", "OutputUUID": self._outputs[name], "OutputName": name}
        else:
            token = {"Type": "Variable", "VariableName": _LOOP.get(name, name)}
        if key:
            kind = "WFDictionaryValueVariableAggrandizement"
            token["Aggrandizements"] = [{"Type": kind, "DictionaryKey": key}]
        return token

    def _reference(self, word: str) -> object:
        match = _NAME.fullmatch(word)
        if match is None:
            return self._text(word)
        return {"Value": self._token(match), "WFSerializationType": "WFTextTokenAttachment"}

    def _text(self, text: str) -> object:
        tokens: dict[str, dict[str, object]] = {}
        text_with_marks, position = "", 0
        text = text.replace("\\n", "\n")
        for match in _NAME.finditer(text):
            text_with_marks += text[position : match.start()]
            tokens[f"{{{len(text_with_marks)}, 1}}"] = self._token(match)
            text_with_marks, position = text_with_marks + _OBJECT, match.end()
        if not tokens:
            return text
        value = {"string": text_with_marks + text[position:], "attachmentsByRange": tokens}
        return {"Value": value, "WFSerializationType": "WFTextTokenString"}

    def _entries(self, words: str) -> dict[str, object]:
        entries = []
        for entry in words.split("|"):
            key, _, value = entry.partition(":")
            kind = 3 if re.fullmatch(r"-?\d+(\.\d+)?", value) else 0
            entries.append(
                {"WFItemType": kind, "WFKey": self._text(key), "WFValue": self._text(value)}
            )
        return {
            "Value": {"WFDictionaryFieldValueItems": entries},
            "WFSerializationType": "WFDictionaryFieldValue",
        }

    def _open(self, action: str, parameters: dict[str, object]) -> tuple[str, dict[str, object]]:
        group = f"group-{len(self.actions)}"
        self._blocks.append((action, group))
        return action, {**parameters, "GroupingIdentifier": group, "WFControlFlowMode": 0}

    def _inside(self, mode: int, **more: object) -> tuple[str, dict[str, object]]:
        action, group = self._blocks.pop() if mode == 2 else self._blocks[-1]
        return action, {**more, "GroupingIdentifier": group, "WFControlFlowMode": mode}

    def _if(self, words: str) -> tuple[str, dict[str, object]]:
        subject, condition, *operand = words.split(" ", 2)
        code, key = _CONDITIONS[condition]
        value = {"Type": "Variable", "Variable": self._reference(subject)}
        parameters: dict[str, object] = {"WFInput": value, "WFCondition": code}
        if key:
            parameters[key] = self._text(operand[0] if operand else "")
        return self._open("conditional", parameters)

    def _else(self, _words: str) -> tuple[str, dict[str, object]]:
        return self._inside(1)

    def _end(self, _words: str) -> tuple[str, dict[str, object]]:
        return self._inside(2)

    def _repeat(self, words: str) -> tuple[str, dict[str, object]]:
        return self._open("repeat.count", {"WFRepeatCount": self._reference(words)})

    def _each(self, words: str) -> tuple[str, dict[str, object]]:
        return self._open("repeat.each", {"WFInput": self._reference(words)})

    def _menu(self, words: str) -> tuple[str, dict[str, object]]:
        prompt, _, entries = words.partition("?")
        return self._open(
            "choosefrommenu",
            {"WFMenuPrompt": f"{prompt}?", "WFMenuItems": entries.strip().split("|")},
        )

    def _option(self, words: str) -> tuple[str, dict[str, object]]:
        return self._inside(1, WFMenuItemTitle=words)
