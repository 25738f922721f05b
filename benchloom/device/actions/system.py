"""Actions that read or switch settings, speak, open apps, or log health samples."""

from benchloom.device.call import Call, Function, action, answered, passed_on
from benchloom.device.items import AppItem, Content
from benchloom.device.items.coercion import number_of, text_of
from benchloom.device.settings import DETAILS


@action("flashlight")
def set_flashlight(call: Call) -> Content:
    """Switch the torch on, off, or to its other state; return the input."""
    setting = call.text("WFFlashlightSetting", call.text("operation", "On")).lower()
    if setting == "set":
        setting = "on" if call.flag("state", default=True) else "off"
    if setting == "toggle":
        setting = "off" if call.device.settings.get("flashlight") == "on" else "on"
    return call.set("flashlight", setting)


@action("dnd.set")
def set_focus(call: Call) -> Content:
    """Switch a focus on or off, by default off; return the input."""
    name = str(call.choice("FocusModes").get("Identifier", ""))
    return call.set("focus", (name or "do not disturb") if call.flag("Enabled") else "off")


@action("dnd.getfocus")
def current_focus(call: Call) -> Content:
    """Return the focus that the shortcut switched on; nothing if it switched the focus off.

    If the shortcut did neither, the focus comes from the supplied answers.
    """
    focus = call.device.settings.get("focus")
    if focus is None:
        return call.run.ask("Current focus")[0]
    return () if focus == "off" else (focus,)


@action("getwifi")
def network_details(call: Call) -> Content:
    """Return a detail of the network from the supplied answers; nothing if Wi-Fi was turned off.

    The device has no network, so the detail is an answer from a file or a simulated answer.
    """
    network = call.text("WFNetworkDetailsNetwork", "Wi-Fi")
    is_cellular = network == "Cellular"
    detail = call.text("WFCellularDetail" if is_cellular else "WFWiFiDetail", "Network Name")
    if not is_cellular and call.device.settings.get("wifi") == "off":
        return ()
    return call.run.ask(f"{network}: {detail}")[0]


@action("getbatterylevel")
def battery(call: Call) -> Content:
    """Return the battery level or whether it charges, from the supplied answers.

    The device has no battery, so the value is an answer from a file or a simulated answer.
    """
    subject = call.text("Subject", "Battery Level")
    answer = call.run.ask(subject)[0]
    return tuple(map(number_of, answer)) if subject == "Battery Level" else answer


hotspot_password = answered("personalhotspot.password.get", "Password of the hotspot")


def _switch(name: str, setting: str) -> Function:
    def switch(call: Call) -> Content:
        return call.set(setting, "on" if call.flag("OnValue", default=True) else "off")

    switch.__doc__ = f"Switch {setting} on or off; return the input."
    return action(name)(switch)


set_wifi = _switch("wifi.set", "wifi")
set_cellular_data = _switch("cellulardata.set", "cellular data")


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
    identifier = str(call.choice("WFSelectedApp").get("BundleIdentifier", ""))
    return call.pass_on("opened app", app=call.text("WFAppIdentifier") or identifier)


my_shortcuts = answered("getmyworkflows", "Shortcuts of the person")
update_check = passed_on(
    "com.jiejinghe.luke.ShortcutUpdateCheckIntent", "update check", {"version": "versionInfo"}
)
stored_value = answered("dk.simonbs.DataJar.GetValueIntent", "Value of {keyPath}", keyPath="")


@action("health.quantity.log")
def log_health(call: Call) -> Content:
    """Log a health sample as an effect."""
    value, unit = call.quantity("WFQuantitySampleQuantity")
    kind = call.text("WFQuantitySampleType")
    sample = AppItem("sample", kind, {"Type": kind, "Value": value, "Unit": unit})
    details = {key: text_of(part) for key, part in sample.properties.items()}
    call.run.effect("logged health", {**details})
    return (sample,)
