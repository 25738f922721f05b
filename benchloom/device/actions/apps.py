"""Other apps: what a shortcut opens, shares and posts is an effect, and its input is passed on."""

from benchloom.device.call import GUESS, GUIDE, Call, Example, action
from benchloom.device.items.coercion import content_text
from benchloom.device.items.content import Content, Dictionary, Item, MadeAnswer, plain

_PASSED = (
    Example({}, ()),
    Example({}, ("x",), ("x",)),
    Example({"WFInput": (1, 2)}, (1, 2)),
)
_INPUT_EXAMPLES = (Example({}, ()), Example({}, ("x",), ("x",)), Example({}, (1, 2), (1, 2)))
_ANSWER: Content = (MadeAnswer(("answer 0",)),)
_APP: Dictionary = {"BundleIdentifier": "a.b"}


def _bundle(item: Item) -> str:
    return str(item.get("BundleIdentifier", "")) if isinstance(item, dict) else ""


def _app(call: Call, name: str, otherwise: str = "") -> str:
    """Return the identifier of the app that an argument chooses."""
    content = call.content(name)
    return (_bundle(content[0]) if content else "") or otherwise


def _sent(call: Call, kind: str, name: str = "WFInput", **details: object) -> Content:
    """Log the input of a step as an effect and pass it on."""
    content = call.input(name)
    call.run.effect(kind, {**details, "items": plain(list(content))})
    return content


@action("openin", GUESS, *_PASSED, Example({"WFSelectedApp": _APP}, ("x",), ("x",)))
def open_in(call: Call) -> Content:
    """Open the input in an app."""
    app = _app(call, "WFSelectedApp", call.text("WFOpenInAppIdentifier"))
    return _sent(call, "opened in app", app=app)


@action("share", f"{GUIDE}/apdaf74d75a5/ios", *_PASSED)
def share(call: Call) -> Content:
    """Show the sheet for sharing the input."""
    return _sent(call, "shared")


@action("runextension", f"{GUIDE}/apdaf74d75a5/ios", *_PASSED)
def share_with_extension(call: Call) -> Content:
    """Share the input with an extension of another app."""
    return _sent(call, "shared with extension", app=_app(call, "WFApp"))


@action("print", GUESS, *_PASSED)
def print_input(call: Call) -> Content:
    """Print the input."""
    return _sent(call, "printed")


@action("playsound", GUESS, *_PASSED)
def play_sound(call: Call) -> Content:
    """Play the input, or a sound of the device."""
    return _sent(call, "played sound")


@action("tweet", f"{GUIDE}/apdaf74d75a5/ios", *_PASSED)
def post_on_twitter(call: Call) -> Content:
    """Post the input on Twitter."""
    return _sent(call, "posted", service="Twitter")


@action("postonfacebook", f"{GUIDE}/apdaf74d75a5/ios", *_PASSED)
def post_on_facebook(call: Call) -> Content:
    """Post the input on Facebook."""
    return _sent(call, "posted", service="Facebook")


@action("handoff", GUESS, *_INPUT_EXAMPLES)
def continue_in_app(call: Call) -> Content:
    """Continue the shortcut in the app, where this device always is."""
    return call.previous


@action("waittoreturn", GUESS, *_INPUT_EXAMPLES)
def wait_to_return(call: Call) -> Content:
    """Wait until the person comes back to the app, which they do immediately."""
    return call.previous


@action("showdefinition", GUESS, *_INPUT_EXAMPLES, Example({"Word": "tea"}, ("x",), ("x",)))
def show_definition(call: Call) -> Content:
    """Show what a dictionary says about a word."""
    call.run.effect("showed definition", {"word": content_text(call.input("Word"))})
    return call.previous


@action(
    "useractivity.open",
    GUESS,
    *_INPUT_EXAMPLES,
    Example({"AppBundleIdentifier": "a.b"}, ("x",), ("x",)),
)
def open_activity(call: Call) -> Content:
    """Open an app where an activity was left."""
    call.run.effect("opened app", {"app": call.text("AppBundleIdentifier")})
    return call.previous


@action(
    "openxcallbackurl",
    f"{GUIDE}/apdcd7f20a6f/ios",
    Example({"WFXCallbackURL": "a://x-callback-url/b"}, _ANSWER),
    Example({}, _ANSWER, ("a://x-callback-url/b",)),
    Example({}, ()),
)
def open_callback_url(call: Call) -> Content:
    """Open a URL of another app, which is an effect; what the app returns is an answer."""
    url = content_text(call.input("WFXCallbackURL"))
    if not url:
        return ()
    call.run.effect("opened URL", {"url": url})
    return call.run.ask(f"Result of {url}")[0]


@action("openworkflow", GUESS, *_INPUT_EXAMPLES, Example({"WFWorkflow": {"workflowName": "a"}}, ()))
def open_shortcut(call: Call) -> Content:
    """Open a shortcut in the editor."""
    content = call.content("WFWorkflow")
    first = content[0] if content else ""
    name = first.get("workflowName", "") if isinstance(first, dict) else content_text(content)
    call.run.effect("opened shortcut", {"name": plain(name)})
    return call.previous


@action("splitscreen", GUESS, *_INPUT_EXAMPLES, Example({"WFPrimaryAppIdentifier": _APP}, ()))
def split_screen(call: Call) -> Content:
    """Show two apps beside each other."""
    names = ("WFPrimaryAppIdentifier", "WFSecondaryAppIdentifier")
    call.run.effect("split screen", {"apps": [_app(call, name) for name in names]})
    return call.previous


@action(
    "runscene", GUESS, *_INPUT_EXAMPLES, Example({"WFHomeName": "a", "WFHomeSceneName": "b"}, ())
)
def run_scene(call: Call) -> Content:
    """Set a scene of the home."""
    home, scene = call.text("WFHomeName"), call.text("WFHomeSceneName")
    call.run.effect("set scene", {"home": home, "scene": scene})
    return call.previous


@action(
    "com.google.chrome.ios.openurl", GUESS, *_INPUT_EXAMPLES, Example({"ChromeURLs": "a.com"}, ())
)
def open_in_chrome(call: Call) -> Content:
    """Open URLs in Chrome."""
    url = content_text(call.input("ChromeURLs"))
    call.run.effect("opened URL", {"url": url, "app": "com.google.chrome.ios"})
    return call.previous


@action("com.dayonelog.dayoneiphone.post", GUESS, *_INPUT_EXAMPLES, Example({"EntryText": "a"}, ()))
def write_journal(call: Call) -> Content:
    """Write an entry of the journal Day One."""
    names = ("EntryText", "EntryTags", "EntryJournal")
    call.run.effect("wrote journal", {name: call.text(name) for name in names})
    return call.previous


@action("dropbox.save", GUESS, *_PASSED)
def save_to_dropbox(call: Call) -> Content:
    """Save the input to Dropbox."""
    return _sent(
        call,
        "saved to Dropbox",
        path=call.text("WFFileDestinationPath", call.text("WFDropboxDestinationPath")),
    )
