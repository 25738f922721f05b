"""Settings of the device, speech, other apps and what they do in passing."""

from benchloom.device.call import Call, Example, action, answered, passed_on
from benchloom.device.items import Content
from benchloom.device.settings import DETAILS


@action(
    "wifi.set",
    Example({"OnValue": False}, ()),
    Example({}, ("x",), ("x",)),
    Example({"OnValue": True}, (1, 2), (1, 2)),
)
def set_wifi(call: Call) -> Content:
    """Switch Wi-Fi on or off; the input is passed on."""
    state = "on" if call.flag("OnValue", default=True) else "off"
    call.device.settings["wifi"] = state
    call.run.effect("setting", {"wifi": state})
    return call.previous


@action(
    "setbrightness",
    Example({"WFBrightness": 0.2}, ()),
    Example({}, ("x",), ("x",)),
    Example({"WFBrightness": 7}, (1,), (1,)),
)
def set_brightness(call: Call) -> Content:
    """Set the brightness, from 0 to 1; the input is passed on."""
    level = str(min(max(float(call.number("WFBrightness", 0.5)), 0.0), 1.0))
    call.device.settings["brightness"] = level
    call.run.effect("setting", {"brightness": level})
    return call.previous


@action(
    "getdevicedetails",
    Example({}, ("Phone",)),
    Example({"WFDeviceDetail": "Screen Width"}, (393,)),
    Example({"WFDeviceDetail": "Other"}, ()),
)
def device_details(call: Call) -> Content:
    """Return a detail of the device: its name if none is chosen; nothing for an unknown one."""
    name = call.text("WFDeviceDetail", "Device Name")
    return (DETAILS[name],) if name in DETAILS else ()


speak = passed_on("speaktext", "spoken", inputs={"text": "WFText"})


@action(
    "openapp",
    Example({"WFAppIdentifier": "com.apple.Music"}, ()),
    Example({}, ("x",), ("x",)),
    Example({"WFSelectedApp": {"BundleIdentifier": "a.b"}}, (1,), (1,)),
)
def open_app(call: Call) -> Content:
    """Open an app, which is an effect; the input is passed on."""
    chosen = call.content("WFSelectedApp")
    first = chosen[0] if chosen else None
    app = call.text("WFAppIdentifier")
    if isinstance(first, dict) and not app:
        app = str(first.get("BundleIdentifier", ""))
    call.run.effect("opened app", {"app": app})
    return call.previous


my_shortcuts = answered("getmyworkflows", "Shortcuts of the person")


update_check = passed_on(
    "com.jiejinghe.luke.ShortcutUpdateCheckIntent", "update check", {"version": "versionInfo"}
)


stored_value = answered("dk.simonbs.DataJar.GetValueIntent", "Value of {keyPath}", keyPath="")
