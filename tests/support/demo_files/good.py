"""Hand-made valid shortcuts that together use every kind of serialization."""

from datetime import datetime

from demo.drafts import Draft, ask, attachment, dictionary, text, token, variable


def recipes() -> list[Draft]:
    """Return every valid shortcut in a fixed order."""
    return [make() for make in _RECIPES]


def tip_calculator() -> Draft:
    draft = Draft("Tip for the waiter", named=True)
    bill = draft.add("ask", WFAskActionPrompt="How much is the bill?", WFInputType="Number")
    rate = draft.add("number", WFNumberActionNumber=12.5, CustomOutputName="Rate")
    tip = draft.add(
        "math",
        WFInput=attachment(bill),
        WFMathOperation="×",  # noqa: RUF001  the file format uses this sign
        WFMathOperand=attachment(rate, "WFTextTokenAttachment"),
        CustomOutputName="Tip in percent",
    )
    draft.add("showresult", Text=text("Add ", tip, " hundredths to ", bill))
    return draft


def water_reminder() -> Draft:
    draft = Draft("Glass of water", named=True)
    group = draft.new_id()
    draft.control("repeat.count", group, 0, WFRepeatCount=3)
    draft.add("delay", WFDelayTime=1200)
    draft.add(
        "notification", WFNotificationActionBody=text("Glass number ", variable("Repeat Index"))
    )
    draft.control("repeat.count", group, 2)
    return draft


def sort_the_mail() -> Draft:
    draft = Draft("Sort the mail")
    group = draft.new_id()
    draft.control(
        "choosefrommenu",
        group,
        0,
        WFMenuPrompt="What came today?",
        WFMenuItems=["Bill", {"WFItemType": 0, "WFValue": text("Letter")}, "Nothing"],
    )
    draft.control("choosefrommenu", group, 1, WFMenuItemTitle="Bill")
    draft.add("addnewreminder", WFCalendarItemTitle="Pay the bill", WFAlertEnabled=True)
    draft.add("openapp", WFAppIdentifier="org.example.bank")
    draft.control("choosefrommenu", group, 1, WFMenuItemTitle="Letter")
    draft.add("appendnote", WFInput=text("Answer the letter of ", token("CurrentDate")))
    draft.control("choosefrommenu", group, 1, WFMenuItemTitle="Nothing")
    draft.control("choosefrommenu", group, 2)
    return draft


def rain_or_shine() -> Draft:
    draft = Draft("Rain or shine", named=True)
    weather = draft.add("weather.currentconditions")
    group = draft.new_id()
    draft.control(
        "conditional",
        group,
        0,
        WFInput={"Type": "Variable", "Variable": attachment(weather)},
        WFCondition=99,
        WFConditionalActionString="Rain",
    )
    draft.add("speaktext", WFText="Take the umbrella")
    draft.control("conditional", group, 1)
    draft.add("speaktext", WFText="Leave it at home")
    draft.add("setbrightness", WFBrightness=0.8)
    draft.control("conditional", group, 2)
    return draft


def shrink_photos() -> Draft:
    draft = Draft("Shrink the photos")
    photos = draft.add("selectphoto", WFSelectMultiplePhotos=True)
    group = draft.new_id()
    draft.control("repeat.each", group, 0, WFInput=attachment(photos))
    draft.add("image.resize", WFImageResizeWidth="640", WFInput=attachment(variable("Repeat Item")))
    draft.control("repeat.each", group, 2)
    draft.add("savetocameraroll", WFCameraRollSelectedGroup="Small")
    return draft


def price_of_gold() -> Draft:
    draft = Draft("Price of gold")
    page = draft.add(
        "downloadurl",
        WFURL="https://prices.example/v1/metals",
        WFHTTPMethod="POST",
        WFHTTPBodyType="JSON",
        WFJSONValues=dictionary(
            {"metal": "gold", "day": text(token("CurrentDate", Aggrandizements=[_iso_date()]))}
        ),
        ShowHeaders=True,
    )
    price = dict(page)
    price["Aggrandizements"] = [
        {"Type": "WFDictionaryValueVariableAggrandizement", "DictionaryKey": "price"},
        {"Type": "WFCoercionVariableAggrandizement", "CoercionItemClass": "WFNumberContentItem"},
    ]
    draft.add("round", WFInput=attachment(price), WFRoundTo="Hundredths")
    draft.add("showresult", Text=text("One ounce costs ", price, " today"))
    return draft


def _iso_date() -> dict[str, object]:
    return {"Type": "WFDateFormatVariableAggrandizement", "WFDateFormatStyle": "ISO 8601"}


def share_clipboard() -> Draft:
    draft = Draft("Share the clipboard")
    draft.add("setvariable", WFVariableName="Copied", WFInput=attachment(token("Clipboard")))
    draft.add("share", WFInput=attachment(variable("Copied")))
    draft.root["WFWorkflowNoInputBehavior"] = {"Name": "WFWorkflowNoInputBehaviorGetClipboard"}
    return draft


def translate_page() -> Draft:
    draft = Draft("Translate what I read", named=True)
    article = draft.add("getarticle", WFWebPage=attachment(token("ExtensionInput")))
    draft.add(
        "text.translate",
        WFInputText=text(
            "\U0001f4d6 Title: ", article, " \U0001f30d read on ", token("DeviceDetails")
        ),
        WFSelectedLanguage="en_GB",
    )
    return draft


def read_later_list() -> Draft:
    draft = Draft("Read later")
    draft.add("readinglist", WFURL=attachment(token("Input")))
    draft.add("alert", WFAlertActionMessage="Saved for later", WFAlertActionCancelButtonShown=False)
    return draft


def packing_list() -> Draft:
    draft = Draft("Packing list", named=True)
    things = draft.add(
        "list",
        WFItems=["Toothbrush", "Charger", {"WFItemType": 0, "WFValue": text("Book for ", ask())}],
        CustomOutputName="Things",
    )
    chosen_item = draft.add(
        "choosefromlist", WFInput=attachment(things), WFChooseFromListActionSelectMultiple=True
    )
    draft.add(
        "addnewreminder", WFCalendarItemTitle=text(chosen_item), WFCalendarItemCalendar="Travel"
    )
    return draft


def clean_downloads() -> Draft:
    draft = Draft("Clean the downloads")
    files = draft.add("file.getfoldercontents", Recursive=True)
    old = draft.add(
        "filter.files",
        WFContentItemInputParameter=attachment(files),
        WFContentItemFilter={
            "Value": {
                "WFActionParameterFilterPrefix": 1,
                "WFContentPredicateBoundedDate": False,
                "WFActionParameterFilterTemplates": [
                    {
                        "Property": "Creation Date",
                        "Operator": 1001,
                        "Values": {"Unit": 16, "Number": 30},
                        "Removable": True,
                    }
                ],
            },
            "WFSerializationType": "WFContentPredicateTableTemplate",
        },
        WFContentItemLimitNumber={
            "Value": attachment(ask()),
            "WFSerializationType": "WFNumberSubstitutableState",
        },
    )
    draft.add("file.delete", WFInput=attachment(old), WFDeleteFileConfirmDeletion=True)
    return draft


def bread_timer() -> Draft:
    draft = Draft("Bread timer")
    draft.add("comment", WFCommentActionText="Sourdough rests for four hours.\nRye needs more.")
    draft.add(
        "timer.start",
        WFDuration={
            "Value": {"Magnitude": "4", "Unit": "hr"},
            "WFSerializationType": "WFQuantityFieldValue",
        },
    )
    return draft


def next_week() -> Draft:
    draft = Draft("Same time next week")
    draft.add("date", WFDateActionMode="Specified Date", WFDateActionDate=datetime(2024, 5, 17, 8))
    draft.add(
        "adjustdate",
        WFAdjustOffset={
            "Value": {"Operation": "Add", "Unit": "weeks", "Value": 1},
            "WFSerializationType": "WFTimeOffsetValue",
        },
    )
    return draft


def call_the_office() -> Draft:
    draft = Draft("Call the office")
    draft.add(
        "contacts",
        WFContact={
            "Value": {
                "WFContactFieldValues": [
                    {"WFContactType": 0, "WFContactData": b"BEGIN:VCARD\nFN:Front Desk\nEND:VCARD"}
                ]
            },
            "WFSerializationType": "WFContactFieldValue",
        },
    )
    draft.add("phone.call")
    return draft


def focus_on_work() -> Draft:
    draft = Draft("Focus on work")
    draft.add(
        "dnd.set",
        Enabled={
            "Value": attachment(ask()),
            "WFSerializationType": "WFTokenAttachmentParameterState",
        },
        AssertionType={
            "Value": "Time",
            "WFSerializationType": "WFStringSubstitutableState",
        },
    )
    return draft


def tags_for_notes() -> Draft:
    draft = Draft("Tags for notes")
    draft.add(
        "org.example.notes.AddTagIntent",
        AppIntentDescriptor={
            "BundleIdentifier": "org.example.notes",
            "Name": "Notes",
            "AppIntentIdentifier": "AddTagIntent",
        },
        tags={
            "Value": [text("kitchen"), text("garden ", variable("Season"))],
            "WFSerializationType": "WFArrayParameterState",
        },
    )
    return draft


def garden_light() -> Draft:
    draft = Draft("Garden light")
    outer, inner = draft.new_id(), draft.new_id()
    state = draft.add("org.example.lamps.get", Lamp="Garden")
    draft.control(
        "conditional",
        outer,
        0,
        WFInput=_as_input(state),
        WFCondition=4,
        WFConditionalActionString="on",
    )
    hour = draft.add("format.date", WFDateFormat="HH", WFDateFormatStyle="Custom")
    draft.control(
        "conditional",
        inner,
        0,
        WFInput=_as_input(hour),
        WFCondition=1003,
        WFNumberValue=22,
        WFAnotherNumber=6,
    )
    draft.add("org.example.lamps.set", Lamp="Garden", Power=False)
    draft.control("conditional", inner, 2)
    draft.control("conditional", outer, 1)
    draft.add("nothing")
    draft.control("conditional", outer, 2)
    return draft


def _as_input(value: dict[str, object]) -> dict[str, object]:
    return {"Type": "Variable", "Variable": attachment(value)}


def morning_briefing() -> Draft:
    draft = Draft("Morning briefing", named=True)
    events = draft.add("getupcomingevents", WFGetUpcomingItemCount=3)
    weather = draft.add("weather.currentconditions", CustomOutputName="Sky")
    joined = draft.add("text.combine", WFTextSeparator="New Lines", text=attachment(events))
    draft.add("speaktext", WFText=text("Good morning. ", weather, ". Today: ", joined))
    draft.root["WFWorkflowImportQuestions"] = [
        {
            "ParameterKey": "WFGetUpcomingItemCount",
            "Category": "Parameter",
            "ActionIndex": 0,
            "Text": "How many events do you want to hear?",
            "DefaultValue": 3,
        }
    ]
    return draft


def run_another() -> Draft:
    draft = Draft("Evening round")
    draft.add(
        "runworkflow", WFWorkflowName="Garden light", WFInput=attachment(token("ExtensionInput"))
    )
    return draft


def count_words() -> Draft:
    draft = Draft("Count the words")
    draft.add("gettext", WFTextActionText=text("first second ", token("ExtensionInput")))
    draft.add("text.split", WFTextSeparator="Spaces")
    draft.add("count", WFCountType="Items")
    draft.add("showresult", Text="Done")
    return draft


def long_walk() -> Draft:
    draft = Draft("Long walk", named=True)
    step = draft.add("number", WFNumberActionNumber=0, CustomOutputName="Start")
    for number in range(1, 36):
        step = draft.add(
            "math",
            WFInput=attachment(step),
            WFMathOperation="+",
            WFMathOperand=number,
            CustomOutputName=f"After {number}",
        )
    draft.add("showresult", Text=text("In the end: ", step))
    return draft


def collect_links() -> Draft:
    draft = Draft("Collect links")
    group = draft.new_id()
    links = draft.add("detect.link", WFInput=attachment(token("ExtensionInput")))
    draft.control("repeat.each", group, 0, WFInput=attachment(links))
    draft.add("appendvariable", WFVariableName="Links", WFInput=attachment(variable("Repeat Item")))
    draft.control("repeat.each", group, 2)
    draft.add("setclipboard", WFInput=attachment(variable("Links")))
    return draft


_RECIPES = (
    tip_calculator, water_reminder, sort_the_mail, rain_or_shine, shrink_photos, price_of_gold,
    share_clipboard, translate_page, read_later_list, packing_list, clean_downloads, bread_timer,
    next_week, call_the_office, focus_on_work, tags_for_notes, garden_light, morning_briefing,
    run_another, count_words, long_walk, collect_links,
)  # fmt: skip
