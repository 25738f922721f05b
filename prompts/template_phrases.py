"""Words of the offline writer: what common actions do, and which words mark a category."""

PHRASES = {
    "addnewcalendar": "add a calendar",
    "addnewevent": "put an event on my calendar",
    "addnewreminder": "set a reminder",
    "airdropdocument": "share it over AirDrop",
    "alarm.create": "set an alarm",
    "appendnote": "add it to a note",
    "appendtofile": "append it to a file",
    "ask": "ask me for what you need",
    "base64encode": "encode it",
    "calculateexpression": "do the calculation",
    "choosefromlist": "let me pick from a list",
    "count": "count the results",
    "date": "use the right date",
    "detect.link": "pull out the links",
    "dictatetext": "listen to what I dictate",
    "documentpicker.open": "open a file I choose",
    "documentpicker.save": "save the file",
    "downloadurl": "fetch the information from the web",
    "encodemedia": "convert the recording",
    "exit": "",
    "filter.calendarevents": "look through my calendar",
    "filter.files": "find the right files",
    "filter.photos": "find the right photos",
    "filter.reminders": "look through my reminders",
    "format.date": "write the date the way I like it",
    "getbatterylevel": "check the battery",
    "getclipboard": "take what I have copied",
    "getcurrentlocation": "find out where I am",
    "getcurrentsong": "see which song is playing",
    "getdirections": "get me directions",
    "getdistance": "work out the distance",
    "gethalfwaypoint": "find a place halfway",
    "getlastphoto": "take my latest photo",
    "getlatestphotos": "take my latest photos",
    "getmapslink": "make a map link",
    "getupcomingevents": "tell me what is coming up",
    "getupcomingreminders": "tell me which reminders are due",
    "getwebpagecontents": "read the web page",
    "gif": "make an animation",
    "image.combine": "combine the pictures",
    "image.convert": "convert the picture",
    "image.crop": "crop the picture",
    "image.resize": "resize the picture",
    "lowpowermode.set": "change low power mode",
    "makepdf": "make a PDF",
    "makezip": "pack the files",
    "math": "do the sum",
    "notification": "send me a notification",
    "openapp": "open the app I need",
    "openurl": "open the page",
    "overlayimageonimage": "put one picture on another",
    "playmusic": "play music",
    "playsound": "play a sound",
    "postonfacebook": "post it",
    "previewdocument": "show me a preview",
    "print": "print it",
    "properties.files": "look at the file's details",
    "random": "pick a number at random",
    "recordaudio": "record what I say",
    "runscript": "run the script",
    "runsshscript": "run the command on my server",
    "savetocameraroll": "save it to my photos",
    "scanbarcode": "scan a code",
    "searchitunes": "search the store",
    "searchlocalbusinesses": "find places nearby",
    "searchweb": "search the web",
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
    "takephoto": "take a photo",
    "takevideo": "record a video",
    "text.translate": "translate the text",
    "timer.start": "start a timer",
    "trimvideo": "trim the video",
    "url.getheaders": "check the web address",
    "vibrate": "let the phone vibrate",
    "waittoreturn": "wait until I am back",
    "weather.currentconditions": "tell me the weather",
    "weather.forecast": "tell me the forecast",
    "wifi.set": "switch the Wi-Fi",
    "bluetooth.set": "switch Bluetooth",
    "cellulardata.set": "switch mobile data",
    "airplanemode.set": "switch airplane mode",
    "flashlight": "switch the flashlight",
    "dnd.set": "set the focus mode",
    "health.quantity.log": "log it in my health records",
    "workout.log": "log my workout",
    "homeaccessory": "control my home",
}
"""What an action does, as the end of a request; an empty phrase is never said."""

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
