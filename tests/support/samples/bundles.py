"""Invented app bundles as zip archives."""

import io
import plistlib
import zipfile
from collections.abc import Mapping

from tests.support.samples.definitions import sample

ROOT = "Payload/Brew.app"


def info(identifier: str, version: str, **more: object) -> bytes:
    return plistlib.dumps(
        {"CFBundleIdentifier": identifier, "CFBundleShortVersionString": version, **more},
        fmt=plistlib.FMT_BINARY,
    )


def brew_members() -> dict[str, bytes]:
    """Return the files of an app with definitions in two languages, a widget and a watch app."""
    intents = sample("sirikit")[1]
    metadata = sample("appintents")[1]
    french = intents.replace(b"<string>Brew Coffee<", b"<string>Faire du cafe<")
    widget = {"NSExtensionPointIdentifier": "com.apple.widgetkit-extension"}
    return {
        f"{ROOT}/Info.plist": info("org.example.brew", "2.5", CFBundleDevelopmentRegion="en"),
        f"{ROOT}/Base.lproj/Intents.intentdefinition": intents,
        f"{ROOT}/fr.lproj/Intents.intentdefinition": french,
        f"{ROOT}/en.lproj/Intents.strings": b'/* desc */ "dEsC01" = "Brews a \\"fine\\" cup.";\n',
        f"{ROOT}/fr.lproj/Intents.strings": '"dEsC01" = "Prépare.";'.encode("utf-16"),
        f"{ROOT}/Metadata.appintents/extract.actionsdata": metadata,
        f"{ROOT}/Localizable.xcstrings": (
            b'{"sourceLanguage":"en","strings":{"PLANT_TITLE":{"localizations":'
            b'{"en":{"stringUnit":{"state":"translated","value":"Plant Seed"}}}}}}'
        ),
        f"{ROOT}/PlugIns/Corner.appex/Info.plist": info(
            "org.example.brew.corner", "2.5", NSExtension=widget
        ),
        f"{ROOT}/PlugIns/Corner.appex/Metadata.appintents/extract.actionsdata": metadata,
        f"{ROOT}/Watch/BrewWatch.app/Info.plist": info("org.example.brew.watch", "2.5"),
        f"{ROOT}/Watch/BrewWatch.app/Intents.intentdefinition": intents,
        f"{ROOT}/Frameworks/Core.framework/Intents.intentdefinition": (
            b"../../Base.lproj/Intents.intentdefinition"
        ),
        f"{ROOT}/Assets.car": b"\0" * 1000,
        f"{ROOT}/Broken.intentdefinition": intents[: len(intents) // 2],
    }


def zip_of(members: Mapping[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name, (2024, 1, 1, 0, 0, 0)), data, compression)
    return stream.getvalue()


def brew_ipa(compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    return zip_of(brew_members(), compression)
