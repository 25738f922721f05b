"""Health: samples that a shortcut logs."""

from benchloom.device.call import Call, action
from benchloom.device.items import AppItem, Content
from benchloom.device.items.coercion import text_of


@action("health.quantity.log")
def log_health(call: Call) -> Content:
    """Log a health sample as an effect."""
    value, unit = call.quantity("WFQuantitySampleQuantity")
    kind = call.text("WFQuantitySampleType")
    sample = AppItem("sample", kind, {"Type": kind, "Value": value, "Unit": unit})
    details = {key: text_of(part) for key, part in sample.properties.items()}
    call.run.effect("logged health", {**details})
    return (sample,)
