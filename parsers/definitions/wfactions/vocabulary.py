"""This module lists names that WFActions files use: keys, parameter classes and relations.

Known keys that only affect the editor (icons, alignment, keyboards) are dropped; a key that is
in none of these sets is kept as unknown.
"""

from parsers.definitions.values import words

ACTION_KEYS = words(
    """ACECommandClass ACESettingValueKey ActionClass ActionKeywords AppIdentifier AppSection
    Attribution BlocksOutput Categories Category CoercionItemClass ConfigurationViewClass
    Constructor ContactProperties ConvertsAnimatedImagesToVideo CreationDate Description
    Discontinued Discoverable ICActionIdentifier IconName InProcess Input InputPassthrough
    IntentIdentifier IntentName IsDebugAction LastModifiedDate Name Output OutputName
    ParameterCollapsingBehavior ParameterOverrides ParameterSummary Parameters RateLimit Required
    RequiredResources ResidentCompatible RunningUIComponentClass RunningViewClass SettingsUI
    ShortName SkipSiriExecution SnappingPassthrough Storefront Subcategory
    SuggestedAsInitialAction SuggestedNever UnsupportedEnvironments UserInterfaces
    WFCalendarItemEntityType WFContentItemClass WFContentItemDefaultProperty
    WFGetLatestPhotosActionType WFGetUpcomingItemType WFSkipSongActionMode WFStartCallActionType
    WFTextComponentsMode WatchCompatible"""
)

PARAMETER_KEYS = words(
    """AccountClass AccountParameterKey ActionKeywords AllowCurrentLocation AllowTextOnly
    AllowedValueTypes AllowsAllCalendars AllowsDecimalNumbers AllowsMultipleValues
    AllowsNegativeNumbers AllowsTextEntry AlwaysRequiresServiceResource AlwaysShowsButton
    AppSearchType AutocapitalizationType BoardKey Class CurrentLocationAccuracy
    DefaultToCurrentLocation DefaultUnit DefaultValue Description DisableAutocorrection
    DisableSmartDashes DisableSmartQuotes DisallowedVariableTypes DoNotLocalizeValues
    EventKitEntityType Hidden HintDateMode HintDisplayMode IntentName IntentSlotName ItemTypeName
    Items Key KeyboardType Label LanguageDetection MaximumIconName MaximumValue MinimumIconName
    MinimumValue Multiline NoneLabel Pefix Placeholder PossibleUnits Prefix PresetGroupKey
    ProcessIntoContentItems QuantityType QuantityTypeKey ReactiveParameterKey RequiredResources
    RouteType SecureTextInput ShowLibrary ShowsDatePicker SkipProcessingCurrentLocation
    StepperDescription StepperNoun StepperPluralNoun StepperPrefix SupportedApps
    SupportsImportQuestions SyntaxHighlightingType TextAlignment TextContentType TriggerNameKey
    WFMeasurementUnitTypeKey WFSpeakTextLanguageKey WFUnitType"""
)

ENUMERATION_CLASSES = words(
    """WFEnumerationParameter WFFaceTimeTypePickerParameter WFFileSizePickerParameter
    WFFlipImageDirectionPickerParameter WFGetDistanceUnitPickerParameter
    WFUberSeatCountPickerParameter"""
)
"""Classes whose Items list every allowed value. In other classes, Items are suggestions."""

CLASS_TYPES = {
    "WFTextInputParameter": ("String", "primitive"),
    "WFSwitchParameter": ("Boolean", "primitive"),
    "WFExpandingParameter": ("Boolean", "primitive"),
    "WFNumberFieldParameter": ("Number", "primitive"),
    "WFSliderParameter": ("Number", "primitive"),
    "WFSpeakTextRateParameter": ("Number", "primitive"),
    "WFStepperParameter": ("Integer", "primitive"),
    "WFDateFieldParameter": ("Date", "primitive"),
    "WFCustomDateFormatParameter": ("String", "primitive"),
    "WFVariableFieldParameter": ("String", "primitive"),
    "WFPhoneNumberFieldParameter": ("PhoneNumber", "primitive"),
    "WFEmailAddressFieldParameter": ("EmailAddress", "primitive"),
    "WFCountryFieldParameter": ("String", "primitive"),
    "WFDictionaryParameter": ("Dictionary", "object"),
    "WFArrayParameter": ("Array", "array"),
    "WFContentArrayParameter": ("Array", "array"),
    "WFDurationQuantityFieldParameter": ("Duration", "measurement"),
    "WFTimeIntervalParameter": ("Duration", "measurement"),
    "WFTimeOffsetParameter": ("TimeOffset", "measurement"),
    "WFUnitQuantityFieldParameter": ("Measurement", "measurement"),
    "WFHealthQuantityFieldParameter": ("HealthQuantity", "measurement"),
    "WFHealthQuantityAdditionalFieldParameter": ("HealthQuantity", "measurement"),
}

OUTPUT_PRIMITIVES = {
    "NSString": "String",
    "NSAttributedString": "AttributedString",
    "NSNumber": "Number",
    "NSDecimalNumber": "Decimal",
    "NSURL": "URL",
    "NSDate": "Date",
    "NSDateComponents": "DateComponents",
}

RELATIONS = {"=": "==", "??": "has_value", "≠": "!="}
