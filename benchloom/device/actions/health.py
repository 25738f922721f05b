"""Health: samples that a shortcut logs."""

from benchloom.device.call import Call, Example, action
from benchloom.device.items import AppItem, Content
from benchloom.device.items.coercion import text_of

_LOGGED = AppItem("sample", "Water", {"Type": "Water", "Value": 8, "Unit": "oz"})


@action(
    "health.quantity.log",
    Example({"WFQuantitySampleType": "Water", "WFQuantitySampleQuantity": (8, "oz")}, (_LOGGED,)),
    Example({"WFQuantitySampleType": "Water", "WFQuantitySampleQuantity": ("8", "oz")}, (_LOGGED,)),
    Example(
        {"WFQuantitySampleQuantity": (8, "oz")},
        (AppItem("sample", "", {"Type": "", "Value": 8, "Unit": "oz"}),),
    ),
)
def log_health(call: Call) -> Content:
    """Log a sample of health, which is an effect."""
    value, unit = call.quantity("WFQuantitySampleQuantity")
    kind = call.text("WFQuantitySampleType")
    sample = AppItem("sample", kind, {"Type": kind, "Value": value, "Unit": unit})
    details = {key: text_of(part) for key, part in sample.properties.items()}
    call.run.effect("logged health", {**details})
    return (sample,)
