"""State of the device that a shortcut reads or switches: torch, networks, battery and focus."""

from benchloom.device.call import ANSWER, PASSED, Call, Example, action, answered
from benchloom.device.items import MADE_NUMBER, Content
from benchloom.device.items.coercion import number_of


def _set(call: Call, name: str, state: str) -> Content:
    call.device.settings[name] = state
    call.run.effect("setting", {name: state})
    return call.previous


@action(
    "flashlight",
    *PASSED,
    Example({"WFFlashlightSetting": "Off"}, ("x",), ("x",)),
    Example({"operation": "set", "state": False}, ()),
)
def set_flashlight(call: Call) -> Content:
    """Switch the torch on, off or over; the input is passed on."""
    chosen = call.text("WFFlashlightSetting", call.text("operation", "On")).lower()
    if chosen == "set":
        chosen = "on" if call.flag("state", default=True) else "off"
    if chosen == "toggle":
        chosen = "off" if call.device.settings.get("flashlight") == "on" else "on"
    return _set(call, "flashlight", chosen)


@action("cellulardata.set", *PASSED, Example({"OnValue": False}, ("x",), ("x",)))
def set_cellular_data(call: Call) -> Content:
    """Switch mobile data on or off; the input is passed on."""
    return _set(call, "cellular data", "on" if call.flag("OnValue", default=True) else "off")


@action(
    "dnd.set",
    *PASSED,
    Example({"Enabled": True, "FocusModes": {"Identifier": "a"}}, ("x",), ("x",)),
    Example({"Enabled": 1, "AssertionType": "Time"}, ()),
)
def set_focus(call: Call) -> Content:
    """Switch a focus on or off, which is off unless switched on; the input is passed on."""
    modes = call.content("FocusModes")
    first = modes[0] if modes else None
    name = str(first.get("Identifier", "")) if isinstance(first, dict) else ""
    return _set(call, "focus", (name or "do not disturb") if call.flag("Enabled") else "off")


@action("dnd.getfocus", Example({}, ANSWER), Example({}, ANSWER, (1,)), Example({"x": 1}, ANSWER))
def current_focus(call: Call) -> Content:
    """Return the focus: what the shortcut set, nothing if it is off, else an answer."""
    focus = call.device.settings.get("focus")
    if focus is None:
        return call.run.ask("Current focus")[0]
    return () if focus == "off" else (focus,)


@action(
    "getwifi",
    Example({}, ANSWER),
    Example({"WFNetworkDetailsNetwork": "Cellular"}, ANSWER),
    Example({"WFWiFiDetail": "BSSID"}, ANSWER, ("x",)),
)
def network_details(call: Call) -> Content:
    """Return a detail of the network, which is an answer; nothing if Wi-Fi was switched off."""
    network = call.text("WFNetworkDetailsNetwork", "Wi-Fi")
    is_cellular = network == "Cellular"
    detail = call.text("WFCellularDetail" if is_cellular else "WFWiFiDetail", "Network Name")
    if not is_cellular and call.device.settings.get("wifi") == "off":
        return ()
    return call.run.ask(f"{network}: {detail}")[0]


@action(
    "getbatterylevel",
    Example({}, (MADE_NUMBER,)),
    Example({}, (MADE_NUMBER,), (1,)),
    Example({"Subject": "Is Charging"}, ANSWER),
)
def battery(call: Call) -> Content:
    """Return the level of the battery or whether it charges, which is an answer."""
    subject = call.text("Subject", "Battery Level")
    answer = call.run.ask(subject)[0]
    return tuple(map(number_of, answer)) if subject == "Battery Level" else answer


hotspot_password = answered("personalhotspot.password.get", "Password of the hotspot")
