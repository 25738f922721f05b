"""Actions that run scripts or ask chats, which are only logged; their output is simulated."""

from benchloom.device.call import Call, action, answered
from benchloom.device.items import Content

_TEXTS = ("Script", "WFSSHScript", "WFJavaScript", "code", "script", "fileName", "command")


@action("runshellscript")
@action("runsshscript")
@action("runjavascriptonwebpage")
@action("com.jiejinghe.luke.RunPythonIntent")
@action("dk.simonbs.Scriptable.ParameterizedRunScriptIntent")
@action("dk.simonbs.Scriptable.RunScriptInlineIntent")
@action("ch.marcela.ada.Pyto.RunCodeIntent")
@action("ch.marcela.ada.Pyto.GetScriptOutputIntent")
@action("AsheKube.app.a-Shell.ExecuteCommandIntent")
def run_script(call: Call) -> Content:
    """Log a script, which is never run; return its output from the supplied answers.

    The output is an answer from a file or a simulated answer.
    """
    text = next((call.text(name) for name in _TEXTS if call.has(name)), "")
    call.run.effect("script", {"text": text})
    return call.run.ask("Output of the script")[0]


query_json = answered("ke.bou.GizmoPack.QueryJSONIntent", "Result of {jqQuery}", jqQuery="")


@action("com.openai.chat.AskIntent")
def ask_chat(call: Call) -> Content:
    """Log a message to a chat; return the reply from the supplied answers.

    No chat is called: the reply is an answer from a file or a simulated answer.
    """
    prompt = call.text("prompt")
    call.run.effect("asked chat", {"prompt": prompt})
    return call.run.ask(prompt)[0]


dictate = answered("dictatetext", "Dictated text")


@action("number.random")
def random_number(call: Call) -> Content:
    """Return a random number from the supplied answers; if they are simulated, the minimum."""
    least, most = call.number("WFRandomNumberMinimum"), call.number("WFRandomNumberMaximum", 100)
    answer, is_made = call.run.ask(f"Random number from {least} to {most}")
    return (least,) if is_made else answer
