"""Actions of other apps, which log an effect (opened, shared, posted) and return their input."""

from benchloom.device.call import Call, action, passed_on
from benchloom.device.items import Content, plain
from benchloom.device.items.coercion import content_text


def _app(call: Call, name: str) -> str:
    return str(call.choice(name).get("BundleIdentifier", ""))


def _sent(call: Call, kind: str, **details: object) -> Content:
    content = call.input()
    call.run.effect(kind, {**details, "items": plain(list(content))})
    return content


@action("openin")
def open_in(call: Call) -> Content:
    """Open the input in an app."""
    app = _app(call, "WFSelectedApp") or call.text("WFOpenInAppIdentifier")
    return _sent(call, "opened in app", app=app)


share = passed_on("share", "shared", content="WFInput")


@action("runextension")
def share_with_extension(call: Call) -> Content:
    """Share the input by an extension of another app."""
    return _sent(call, "shared with extension", app=_app(call, "WFApp"))


print_input = passed_on("print", "printed", content="WFInput")
play_sound = passed_on("playsound", "played sound", content="WFInput")
post_on_twitter = passed_on("tweet", "posted", content="WFInput", service="Twitter")
post_on_facebook = passed_on("postonfacebook", "posted", content="WFInput", service="Facebook")
continue_in_app = passed_on("handoff")
wait_to_return = passed_on("waittoreturn")
show_definition = passed_on("showdefinition", "showed definition", inputs={"word": "Word"})
open_activity = passed_on("useractivity.open", "opened app", {"app": "AppBundleIdentifier"})


@action("openxcallbackurl")
def open_callback_url(call: Call) -> Content:
    """Log that another app's URL is opened; return the app's result from the supplied answers.

    The device has no other apps, so the result is an answer from a file or a simulated answer.
    """
    url = content_text(call.input("WFXCallbackURL"))
    if not url:
        return ()
    call.run.effect("opened URL", {"url": url})
    return call.run.ask(f"Result of {url}")[0]


@action("openworkflow")
def open_shortcut(call: Call) -> Content:
    """Open a shortcut in the editor."""
    content = call.content("WFWorkflow")
    first = content[0] if content else ""
    name = first.get("workflowName", "") if isinstance(first, dict) else content_text(content)
    return call.pass_on("opened shortcut", name=plain(name))


@action("splitscreen")
def split_screen(call: Call) -> Content:
    """Show two apps beside each other."""
    names = ("WFPrimaryAppIdentifier", "WFSecondaryAppIdentifier")
    return call.pass_on("split screen", apps=[_app(call, name) for name in names])


run_scene = passed_on("runscene", "set scene", {"home": "WFHomeName", "scene": "WFHomeSceneName"})
open_in_chrome = passed_on(
    "com.google.chrome.ios.openurl",
    "opened URL",
    inputs={"url": "ChromeURLs"},
    app="com.google.chrome.ios",
)
write_journal = passed_on(
    "com.dayonelog.dayoneiphone.post",
    "wrote journal",
    {name: name for name in ("EntryText", "EntryTags", "EntryJournal")},
)


@action("dropbox.save")
def save_to_dropbox(call: Call) -> Content:
    """Save the input to Dropbox."""
    return _sent(
        call,
        "saved to Dropbox",
        path=call.text("WFFileDestinationPath", call.text("WFDropboxDestinationPath")),
    )
