"""Group the parameters of actions by patterns of their names.

`decisions.py` uses the groups to decide which values a request must state.
"""

import re

_NAMES: dict[str, tuple[str, ...]] = {
    "variable_name": (r"Variable(Name)?$",),
    "key": (r"^WFDictionaryKey$", r"DictionaryValueType$", r"key ?path$", r"^key$"),
    "index": (
        r"Item(Index|Specifier|Range)", r"GroupIndex$", r"GroupType$", r"^index$",
    ),
    "identifier": (
        r"Identifier$", r"bundle", r"uuid", r"guid", r"account", r"token", r"^versionInfo$",
        r"^id$", r"[a-z]I[dD]$", r"^SCAuthorInfo$", r"(symbol|icon)",
    ),
    "property": (
        r"PropertyName$", r"Sort(Property|Order|By)", r"URLComponent$",
        r"(WiFi|Cellular|Device)Detail$", r"WiFiNetworkDetail",
        r"^WFMeasurementUnitType$",
    ),
    "path": (r"Path$", r"Folder", r"Directory", r"^file ?name$", r"Subpath"),
    "format_code": (
        r"^WFDateFormat$", r"FormatStyle$", r"Locale$", r"encoding", r"TimeZone$",
    ),
    "code": (
        r"script", r"^code$", r"pattern", r"regex", r"command$", r"^jqQuery$", r"queryType$",
    ),
    "separator": (r"Separator$", r"LineBreak"),
    "technical": (
        r"HTTP", r"^WFSSH", r"^Shell$", r"^InputMode$", r"Host$", r"Port$", r"User$", r"password",
        r"XCallback", r"Serialization", r"Behaviou?r$", r"^Advanced$", r"StorageService$",
        r"AppendService$", r"Voice$", r"Pitch$", r"Rate$", r"ErrorCorrection", r"^WFImageCrop[XY]$",
        r"IPAddress", r"Compression", r"Synchronous", r"^WFTextLocal", r"WFSaveFile", r"^output",
    ),
    "interface": (
        r"^Show-", r"^ShowWhenRun$", r"^ShowHeaders$", r"openWindow", r"keepGoing", r"colou?r",
        r"padding", r"font", r"lineWidth", r"marker", r"WFExpirationDate",
        r"InteractiveSelection", r"ScreenshotType$", r"AppRatio$",
    ),
    "how_it_is_done": (
        r"^WFDateActionMode$", r"^WFInputType$", r"DateGranularity$", r"CombineMode$",
        r"CombineDirection$", r"^WFFileType$", r"^operation$", r"AssertionType$", r"^WFEntity$",
        r"CropPosition$", r"AlertTrigger$", r"AlertLocationProximity$", r"OpenInAppIdentifier",
        r"SearchBy", r"^seriesType$", r"^type$", r"^field\d$",
    ),
}  # fmt: skip
NEVER = tuple(
    (reason, re.compile("|".join(names), re.IGNORECASE)) for reason, names in _NAMES.items()
)
"""Pairs of a reason and a pattern of parameter names. A request never states values of these
parameters, because they are details of the shortcut's construction."""

QUESTION = re.compile(
    r"Prompt$|DefaultAnswer|Question$|subtitle|EmptyMessage|AlertActionTitle$", re.IGNORECASE
)
"""Matches parameters that contain a shortcut's questions to its user. A request may mention
them."""

SETTING = re.compile(
    r"^(OnValue|Enabled|state|WFFlashlightSetting|WFNotificationActionSound|WFMediaAudioOnly)$|"
    r"AllDay$|IncludeScreenshots$|GIF.*Loop|Loop$|Flag",
    re.IGNORECASE,
)
"""Matches settings that people turn on or off."""

SEVERAL = re.compile(r"SelectMultiple(Photos)?$", re.IGNORECASE)
"""Matches switches that have an effect only when they are on."""

DEFAULTS = frozenset({"Items", "Default", "Custom"})
"""Default values of options, which no request states."""

OPTION = re.compile(
    r"CaseType$|MathOperation$|StatisticsOperation$|EncodeMode$|AdjustOperation$|MaskType$|"
    r"RoundMode$|RoundTo$|CameraType|FaceTimeType$|TimeUntilUnit$|FlashlightSetting$|"
    r"CountType$|NetworkDetailsNetwork$|RoundType$|SpeakTextLanguage$|SpeechLanguage$|WFFrequency|UnitType$",
    re.IGNORECASE,
)
"""Matches choices that a request implies rather than states."""

CHOSEN = re.compile(
    r"^WFImageFormat$|ArchiveFormat$|MediaFormat$|Selected(From)?Language$|SampleType$|"
    r"^WFDateSpecifier$|^WFMediaType$|ForecastType$|WorkoutType$|ActivityType$|Currency|"
    r"DirectionsActionMode$|Priority$|^WFWorkout|MeditationType|^WFWeekday|FocusModes$|"
    r"^WFTransportation|Country$",
    re.IGNORECASE,
)
"""Matches choices that people make and name."""

CONTENT = re.compile(
    r"^WFTextActionText$|NotificationAction(Title|Body)$|AlertAction(Title|Message)$|"
    r"^Text$|^WFText$|Item(Title|Notes|Location)$|Message(Content)?$|Subject$|Search(Term|Query)|"
    r"Calendar$|^WFList$|Playlist|Album|SelectedGroup$|Notes?(Body|Text)?$|Label$|^title$|"
    r"^description$|Recipient|Contact$|Location$|Destination$|Address$|Entry(Journal|Tags)|"
    r"^WFItems$|MetadataTitle$|^Topic$|^Body$|^Name$|City|Artist|Genre|Song|Podcast|Tag",
    re.IGNORECASE,
)
"""Matches parameters that contain the user's words: texts, titles, names, places, lists."""

CONVERSIONS = frozenset({"10", "24", "60", "100", "1000", "1024", "3600", "86400"})
"""Numbers that calculations use to convert units."""

NAMED = re.compile(
    r"Calendar$|Playlist|Album|SelectedGroup$|Recipient|Contact$|Location$|Address$|EntryJournal",
    re.IGNORECASE,
)
"""Matches those parameters of `CONTENT` that contain names of things that the user has."""

AMOUNT = re.compile(
    r"Number|Count$|Minimum|Maximum|Time$|Duration|Limit|Width$|Height$|Brightness$|Volume$|"
    r"Operand$|Amount|Quantity|Places$|Radius$|Quality$|Days|Hours|Minutes|Seconds|Size$|Spacing$|"
    r"Percent|Level$|Steps|Calories|Distance|Magnitude|Delay",
    re.IGNORECASE,
)
"""Matches parameters that contain numbers that the user cares about."""

LABELS = {
    "WFAdjustOffsetPicker": "time to shift by",
    "WFAlertActionMessage": "text of the alert",
    "WFAlertActionTitle": "title of the alert",
    "WFAnotherNumber": "upper limit",
    "WFAskActionPrompt": "question to ask",
    "WFBrightness": "brightness of the screen",
    "WFCalendarItemCalendar": "list or calendar",
    "WFCalendarItemNotes": "notes",
    "WFCalendarItemTitle": "title of the entry",
    "WFContentItemLimitNumber": "most results",
    "WFDelayTime": "seconds to wait",
    "WFDuration": "time",
    "FocusModes": "focus",
    "WFGetLatestPhotoCount": "number of photos",
    "WFGetUpcomingItemCalendar": "calendar",
    "WFGetUpcomingItemCount": "number of events",
    "WFImageCropHeight": "height of the cut",
    "WFImageCropWidth": "width of the cut",
    "WFImageFormat": "format of the picture",
    "WFImageResizeHeight": "height of the picture",
    "WFImageResizeWidth": "width of the picture",
    "WFItemLimit": "most results",
    "WFMathOperand": "number to calculate with",
    "WFMenuItems": "choice in the menu",
    "WFMenuPrompt": "question of the menu",
    "WFNotificationActionBody": "text of the notification",
    "WFNotificationActionTitle": "title of the notification",
    "WFNumberActionNumber": "number",
    "WFNumberFormatDecimalPlaces": "decimal places",
    "WFQuantitySampleQuantity": "amount",
    "WFQuantitySampleType": "what is logged",
    "WFRandomNumberMaximum": "largest number",
    "WFRandomNumberMinimum": "smallest number",
    "WFRepeatCount": "number of repetitions",
    "WFRSSItemQuantity": "number of entries",
    "WFScientificMathOperand": "number to calculate with",
    "WFSearchTerm": "what to search for",
    "WFSelectedApp": "app",
    "WFSelectedFromLanguage": "language to translate from",
    "WFSelectedLanguage": "language to translate into",
    "WFSendMessageContent": "text of the message",
    "WFText": "text to speak",
    "WFTextActionText": "text",
    "WFURL": "web address",
    "WFURLActionURL": "web address",
    "WFVolume": "volume",
}
"""Plain names for parameters whose title and name are not plain."""
