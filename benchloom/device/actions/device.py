"""Settings of the device, speech, and other actions that return their input."""

from benchloom.device.call import Call, action, answered, passed_on
from benchloom.device.items import Content
from benchloom.device.settings import DETAILS


@action("wifi.set")
def set_wifi(call: Call) -> Content:
    """Switch Wi-Fi on or off; return the input."""
    return call.set("wifi", "on" if call.flag("OnValue", default=True) else "off")


@action("setbrightness")
def set_brightness(call: Call) -> Content:
    """Set the brightness, from 0 to 1; return the input."""
    level = min(max(float(call.number("WFBrightness", 0.5)), 0.0), 1.0)
    return call.set("brightness", str(level))


@action("getdevicedetails")
def device_details(call: Call) -> Content:
    """Return a detail of the device, by default its name; nothing if the detail is unknown."""
    name = call.text("WFDeviceDetail", "Device Name")
    return (DETAILS[name],) if name in DETAILS else ()


speak = passed_on("speaktext", "spoken", inputs={"text": "WFText"})


@action("openapp")
def open_app(call: Call) -> Content:
    """Log that an app is opened; return the input."""
    chosen = str(call.choice("WFSelectedApp").get("BundleIdentifier", ""))
    return call.pass_on("opened app", app=call.text("WFAppIdentifier") or chosen)


my_shortcuts = answered("getmyworkflows", "Shortcuts of the person")
update_check = passed_on(
    "com.jiejinghe.luke.ShortcutUpdateCheckIntent", "update check", {"version": "versionInfo"}
)
stored_value = answered("dk.simonbs.DataJar.GetValueIntent", "Value of {keyPath}", keyPath="")
