"""State that a shortcut reads or switches: torch, networks, battery and focus."""

from benchloom.device.call import Call, action, answered
from benchloom.device.items import Content
from benchloom.device.items.coercion import number_of


@action("flashlight")
def set_flashlight(call: Call) -> Content:
    """Switch the torch on, off, or to its other state; return the input."""
    chosen = call.text("WFFlashlightSetting", call.text("operation", "On")).lower()
    if chosen == "set":
        chosen = "on" if call.flag("state", default=True) else "off"
    if chosen == "toggle":
        chosen = "off" if call.device.settings.get("flashlight") == "on" else "on"
    return call.set("flashlight", chosen)


@action("cellulardata.set")
def set_cellular_data(call: Call) -> Content:
    """Switch mobile data on or off; return the input."""
    return call.set("cellular data", "on" if call.flag("OnValue", default=True) else "off")


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
    """Return a detail of the network from the supplied answers; nothing if Wi-Fi was turned off."""
    network = call.text("WFNetworkDetailsNetwork", "Wi-Fi")
    is_cellular = network == "Cellular"
    detail = call.text("WFCellularDetail" if is_cellular else "WFWiFiDetail", "Network Name")
    if not is_cellular and call.device.settings.get("wifi") == "off":
        return ()
    return call.run.ask(f"{network}: {detail}")[0]


@action("getbatterylevel")
def battery(call: Call) -> Content:
    """Return the battery level or whether it charges, from the supplied answers."""
    subject = call.text("Subject", "Battery Level")
    answer = call.run.ask(subject)[0]
    return tuple(map(number_of, answer)) if subject == "Battery Level" else answer


hotspot_password = answered("personalhotspot.password.get", "Password of the hotspot")
