"""Describe in a few words of our own the built-in actions that have no API definition."""

from benchloom.core.built_in_actions import SYSTEM_PREFIX
from prompts.language.words import title_words, word_set

PHRASES = {
    "addnewcalendar": "add a calendar",
    "addnewevent": "put an event on my calendar",
    "addnewreminder": "add a reminder",
    "adjustdate": "shift the date",
    "airdropdocument": "share it over AirDrop",
    "airplanemode.set": "switch airplane mode",
    "alarm.create": "set an alarm",
    "alert": "show me a message",
    "appendnote": "add it to a note",
    "appendtofile": "append it to a file",
    "ask": "ask me for what you need",
    "base64encode": "encode it",
    "bluetooth.set": "switch Bluetooth",
    "calculateexpression": "do the calculation",
    "cellulardata.set": "switch mobile data",
    "choosefromlist": "let me pick from a list",
    "contacts": "look at my contacts",
    "correctspelling": "correct the spelling",
    "count": "count the results",
    "createnote": "write a note",
    "date": "use the current date",
    "delay": "wait a while",
    "deletephotos": "delete the photos",
    "detect.address": "pick out the addresses",
    "detect.contacts": "pick out the contacts",
    "detect.date": "pick out the dates",
    "detect.dictionary": "read the data",
    "detect.emailaddress": "pick out the e-mail addresses",
    "detect.images": "pick out the pictures",
    "detect.link": "pull out the links",
    "detect.number": "pick out the numbers",
    "detect.phonenumber": "pick out the phone numbers",
    "detect.text": "read the text",
    "dictatetext": "listen to what I dictate",
    "dnd.getfocus": "check which focus is on",
    "dnd.set": "set the focus mode",
    "documentpicker.open": "open a file I choose",
    "documentpicker.save": "save the file",
    "downloadurl": "fetch the information from the web",
    "dropbox.save": "save the file to Dropbox",
    "encodemedia": "convert the recording",
    "exit": "",
    "extracttextfromimage": "read the text in the picture",
    "file.append": "write it to a file",
    "file.createfolder": "make a folder",
    "file.delete": "clear out the file",
    "file.getlink": "get a link to the file",
    "file.move": "move the file",
    "file.rename": "rename the file",
    "filter.articles": "find the right articles",
    "filter.calendarevents": "look through my calendar",
    "filter.files": "find the right files",
    "filter.images": "find the right pictures",
    "filter.notes": "find the right notes",
    "filter.photos": "find the right photos",
    "filter.reminders": "look through my reminders",
    "flashlight": "switch the flashlight",
    "format.date": "write the date the way I like it",
    "format.number": "round the number",
    "generatebarcode": "make a QR code",
    "getarticle": "take the article from the page",
    "getbatterylevel": "check the battery",
    "getclipboard": "take what I have copied",
    "getcurrentlocation": "find out where I am",
    "getcurrentsong": "see which song is playing",
    "getdevicedetails": "check the device",
    "getdirections": "get me directions",
    "getdistance": "work out the distance",
    "getframesfromimage": "take the single frames of the animation",
    "gethalfwaypoint": "find a place halfway",
    "gethtmlfromrichtext": "turn the text into HTML",
    "getipaddress": "find out my IP address",
    "getitemfromlist": "pick the right one",
    "getlastphoto": "take my latest photo",
    "getlatestphotos": "take my latest photos",
    "getmapslink": "make a map link",
    "getmarkdownfromrichtext": "turn the text into Markdown",
    "getmyworkflows": "go through my own automations",
    "getnameofemoji": "tell me the name of the emoji",
    "getpodcastsfromlibrary": "look through my podcasts",
    "getrichtextfromhtml": "turn the page into readable text",
    "getrichtextfrommarkdown": "turn the notes into readable text",
    "gettimebetweendates": "work out the time between the dates",
    "getupcomingevents": "tell me what is coming up",
    "getupcomingreminders": "tell me which reminders are due",
    "geturlcomponent": "take the link apart",
    "getwebpagecontents": "read the web page",
    "getwifi": "tell which network I am on",
    "gif": "make an animation",
    "handoff": "go on with this on my other device",
    "health.quantity.log": "log it in my health records",
    "homeaccessory": "control my home",
    "image.combine": "combine the pictures",
    "image.convert": "convert the picture",
    "image.crop": "crop the picture",
    "image.mask": "cut the picture to a shape",
    "image.resize": "resize the picture",
    "list": "go through a list",
    "location": "use the place",
    "lowpowermode.set": "change low power mode",
    "makegif": "make an animation",
    "makepdf": "make a PDF",
    "makezip": "pack the files",
    "math": "do the sum",
    "measurement.convert": "convert the measure",
    "measurement.create": "take the measure",
    "notification": "send me a notification",
    "number.random": "pick a random number",
    "openapp": "open the app I need",
    "openin": "open it in the app I use for that",
    "openurl": "open the page",
    "openxcallbackurl": "open the other app",
    "overlayimageonimage": "put one picture on another",
    "phone.call": "make the call",
    "playmusic": "play music",
    "playsound": "play a sound",
    "postonfacebook": "post it",
    "previewdocument": "show me a preview",
    "print": "print it",
    "properties.appstore": "look up the app's details",
    "properties.calendarevents": "look up the details of the event",
    "properties.contacts": "look up the contact's details",
    "properties.files": "look at the file's details",
    "properties.images": "look up the picture's details",
    "properties.locations": "look up the details of the place",
    "properties.music": "look up the song's details",
    "properties.safariwebpage": "look at the details of the web page",
    "random": "pick a number at random",
    "readinglist": "save it to read later",
    "recordaudio": "record what I say",
    "removeevents": "delete the events",
    "removereminders": "delete the reminders",
    "round": "round the number",
    "rss": "fetch the latest entries of the feed",
    "runjavascriptonwebpage": "change something on the web page",
    "runscript": "run the script",
    "runshellscript": "run the command on my computer",
    "runsshscript": "run the command on my server",
    "savetocameraroll": "save it to my photos",
    "scanbarcode": "scan a code",
    "searchappstore": "search the App Store",
    "searchitunes": "search the store",
    "searchlocalbusinesses": "find places nearby",
    "searchmaps": "look it up on the map",
    "searchweb": "search the web",
    "selectcontacts": "let me choose a contact",
    "selectphoto": "let me choose a photo",
    "sendemail": "send an email",
    "sendmessage": "send a message",
    "setbrightness": "change the screen brightness",
    "setclipboard": "copy the result",
    "setvolume": "change the volume",
    "share": "share the result",
    "showdefinition": "look up the word",
    "showresult": "show me the result",
    "showwebpage": "show me the page",
    "speaktext": "read it out loud",
    "splitscreen": "put two apps side by side",
    "statistics": "work out the statistics",
    "takephoto": "take a photo",
    "takescreenshot": "take a screenshot",
    "takevideo": "record a video",
    "text.changecase": "change the case of the text",
    "text.combine": "put the text together",
    "text.match": "find the matching text",
    "text.replace": "replace some text",
    "text.split": "split the text",
    "text.translate": "translate the text",
    "text.trimwhitespace": "trim the text",
    "timer.start": "start a timer",
    "trimvideo": "trim the video",
    "tweet": "post it on Twitter",
    "unzip": "unpack the archive",
    "url.expand": "find out where the short link leads",
    "url.getheaders": "check the web address",
    "urlencode": "make the text fit for a link",
    "vibrate": "let the phone vibrate",
    "waittoreturn": "wait until I am back",
    "weather.currentconditions": "tell me the weather",
    "weather.forecast": "tell me the forecast",
    "wifi.set": "switch the Wi-Fi",
    "workout.log": "log my workout",
}
"""A mapping from actions to their effect, worded as the end of a request. An action with an empty
phrase is never mentioned."""

ON_THE_WAY = word_set(
    "adjustdate base64encode count date detect.address detect.contacts detect.date "
    "detect.dictionary detect.emailaddress detect.images detect.link detect.number "
    "detect.phonenumber detect.text file.getlink format.date format.number gethtmlfromrichtext "
    "getitemfromlist getitemname getitemtype getmarkdownfromrichtext getrichtextfromhtml "
    "getrichtextfrommarkdown gettypeaction properties.appstore properties.files properties.images "
    "properties.contacts properties.music properties.safariwebpage getdevicedetails location math "
    "number.random random round statistics text.changecase text.combine text.match "
    "text.match.getgroup text.replace text.split text.trimwhitespace url.expand url.getheaders "
    "urlencode geturlcomponent waittoreturn delay vibrate"
)
"""Actions that only change a value on its way to the result."""

SOURCES = word_set(
    "ask calculateexpression choosefromlist dictatetext documentpicker.open downloadurl "
    "filter.calendarevents filter.files filter.photos filter.reminders getarticle getbatterylevel "
    "getclipboard getcurrentlocation getcurrentsong getipaddress getlastphoto getlatestphotos "
    "getmyworkflows getupcomingevents getupcomingreminders getwebpagecontents getwifi "
    "runjavascriptonwebpage scanbarcode selectcontacts selectphoto takephoto "
    "weather.currentconditions weather.forecast"
)
"""Actions that provide the input of other actions."""

PLUMBING = frozenset(
    SYSTEM_PREFIX + name
    for name in (
        "appendvariable", "comment", "conditional", "choosefrommenu", "dictionary", "exit",
        "getvalueforkey", "getvariable", "gettext", "list", "nothing", "number", "output",
        "repeat.count", "repeat.each", "setitemname", "setvalueforkey", "setvariable", "url",
    )
)  # fmt: skip
"""Actions that only store and pass on values; nobody requests them."""


def action_words(api: str) -> str:
    """Return a name for an API without a title: the last part of its id, and its app."""
    name = api.removeprefix(SYSTEM_PREFIX)
    app, _, last = name.rpartition(".")
    words = title_words(last.removesuffix("Intent")) or title_words(name)
    if name != api or not app:
        return title_words(name)
    return f"{words} ({title_words(app.rpartition('.')[2])})"
