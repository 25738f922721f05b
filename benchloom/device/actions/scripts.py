"""Scripts and other apps' answers: what they get is an effect, what they return an answer."""

from benchloom.device.call import ANSWER, GUIDE, Call, Example, action, answered
from benchloom.device.items import Content

_ANSWERED = (Example({}, ANSWER), Example({}, ANSWER, ("x",)))
_SCRIPT = (*_ANSWERED, Example({"code": "1"}, ANSWER), Example({"Script": ("x", 1)}, ANSWER))
_TEXTS = ("Script", "WFSSHScript", "WFJavaScript", "code", "script", "fileName", "command")


@action("runshellscript", *_SCRIPT)
@action("runsshscript", *_SCRIPT)
@action("runjavascriptonwebpage", *_SCRIPT, source=f"{GUIDE}/apdb71a01d93/ios")
@action("com.jiejinghe.luke.RunPythonIntent", *_SCRIPT)
@action("dk.simonbs.Scriptable.ParameterizedRunScriptIntent", *_SCRIPT)
@action("dk.simonbs.Scriptable.RunScriptInlineIntent", *_SCRIPT)
@action("ch.marcela.ada.Pyto.RunCodeIntent", *_SCRIPT)
@action("ch.marcela.ada.Pyto.GetScriptOutputIntent", *_SCRIPT)
@action("AsheKube.app.a-Shell.ExecuteCommandIntent", *_SCRIPT)
def run_script(call: Call) -> Content:
    """Run a script elsewhere, never here: the script is an effect, its output an answer."""
    text = next((call.text(name) for name in _TEXTS if call.has(name)), "")
    call.run.effect("script", {"text": text})
    return call.run.ask("Output of the script")[0]


query_json = answered("ke.bou.GizmoPack.QueryJSONIntent", "Result of {jqQuery}", jqQuery="")


@action("com.openai.chat.AskIntent", *_ANSWERED, Example({"prompt": "hi"}, ANSWER))
def ask_chat(call: Call) -> Content:
    """Ask a chat, which is an effect; its reply is an answer."""
    prompt = call.text("prompt")
    call.run.effect("asked chat", {"prompt": prompt})
    return call.run.ask(prompt)[0]


dictate = answered("dictatetext", "Dictated text")


@action(
    "number.random",
    Example({"WFRandomNumberMinimum": "10", "WFRandomNumberMaximum": "100"}, (10,)),
    Example({"WFRandomNumberMinimum": 1.0, "WFRandomNumberMaximum": 3}, (1.0,)),
    Example({}, (0,), ("x",)),
)
def random_number(call: Call) -> Content:
    """Return a random number, which is an answer; one that nobody gave is the least."""
    least, most = call.number("WFRandomNumberMinimum"), call.number("WFRandomNumberMaximum", 100)
    answer, is_made = call.run.ask(f"Random number from {least} to {most}")
    return (least,) if is_made else answer
