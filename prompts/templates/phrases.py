"""Words of the offline writer: which words mark a category."""

DEFAULT_CATEGORY = "Productivity & Utilities"
_MARKS = {
    "Productivity & Utilities": (
        "calendar reminder note list file pdf clipboard todo task battery wifi email document"
    ),
    "Health & Fitness": (
        "health workout exercise water weight sleep calories heart steps meditation fitness"
    ),
    "Entertainment & Media": (
        "music song video photo image movie game playlist podcast album gif youtube camera"
    ),
    "Lifestyle & Social": (
        "message friend instagram twitter share whatsapp birthday recipe food travel weather"
    ),
    "Education & Reference": (
        "learn translate dictionary definition wikipedia book read study word language school"
    ),
    "Business & Finance": (
        "money currency invoice price stock bank payment bill expense tip crypto budget"
    ),
    "Development & API": (
        "api json script ssh github code token regex server http base64 webhook terminal"
    ),
    "Home & Smart Devices": (
        "homekit homeaccessory light lamp thermostat garage door speaker scene hue sensor"
    ),
}
CATEGORY_WORDS = {category: tuple(words.split()) for category, words in _MARKS.items()}
"""Words that mark a category, in the order in which ties are decided."""
