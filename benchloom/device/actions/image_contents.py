"""Images of content: which there are, what they show, and images made of several."""

import math
import re

import msgspec

from benchloom.device.actions.images import changed, images_of, renamed
from benchloom.device.call import Call, Example, action
from benchloom.device.items import (
    Content,
    File,
    MadeAnswer,
    RichText,
    Url,
    derived,
    digest_of_text,
)
from benchloom.device.items.item_types import answer_file

_IMAGE = File("a.png", "public.png", None, "d", width=400, height=200)
_JPEG = File("b.jpg", "public.jpeg", None, "e", width=100, height=300)
_IMAGE_TAG = re.compile(r"<img\b[^<>]{0,2000}>", re.IGNORECASE)


@action(
    "detect.images",
    Example({"WFInput": (_IMAGE, "a", 1)}, (_IMAGE,)),
    Example({"WFInput": ("none",)}, ()),
    Example(
        {"WFInput": (RichText('<p><img src="a.png"></p>'),)},
        (File("Image.png", "public.png", None, digest_of_text('<img src="a.png">')),),
    ),
    Example(
        {"WFInput": (Url("https://a.example/a.png"),)}, (answer_file(MadeAnswer(("answer 0",))),)
    ),
    Example({}, ()),
)
def detect_images(call: Call) -> Content:
    """Return the images in the input; one at a URL is requested, and is an answer (guess)."""
    images: list[File] = []
    for item in call.input():
        if isinstance(item, RichText):
            images += [
                File("Image.png", "public.png", None, digest_of_text(tag[0]))
                for tag in _IMAGE_TAG.finditer(item.html)
            ]
        elif isinstance(item, Url):
            call.run.effect("request", {"url": item.address, "method": "GET"})
            images += images_of(call.run.ask(f"GET {item.address}")[0])
        else:
            images += images_of((item,))
    return tuple(images)


@action(
    "properties.images",
    Example({"WFInput": (_IMAGE,), "WFContentItemPropertyName": "Width"}, (400,)),
    Example({"WFInput": (_IMAGE,), "WFContentItemPropertyName": "Media Type"}, ("Image",)),
    Example({"WFInput": (_IMAGE, _JPEG)}, ("a", "b")),
    Example({"WFInput": ("a",), "WFContentItemPropertyName": "Height"}, ()),
)
def image_property(call: Call) -> Content:
    """Return a property of each image: its name if none is chosen; metadata are an answer."""
    name = call.text("WFContentItemPropertyName", "Name")
    images = images_of(call.input())
    if name == "Metadata Dictionary":
        return call.ask_each("Metadata of the image {}", (image.name for image in images))
    if name == "Media Type":
        return ("Image",) * len(images)
    return call.properties(images)


@action(
    "extracttextfromimage",
    Example({"WFImage": (_IMAGE,)}, (MadeAnswer(("answer 0",)),)),
    Example({}, (MadeAnswer(("answer 0",)), MadeAnswer(("answer 0",))), (_IMAGE, _JPEG)),
    Example({"WFImage": ("a",)}, ()),
)
def text_of_image(call: Call) -> Content:
    """Return the text in each image, which is an answer."""
    names = (image.name for image in images_of(call.input("WFImage")))
    return call.ask_each("Text in the image {}", names)


@action(
    "overlayimageonimage",
    Example(
        {"WFInput": (_IMAGE,), "WFImage": (_JPEG,)},
        (derived(_IMAGE, "overlay", image="e", place=["Center", "", "", "", "", "", ""]),),
    ),
    Example(
        {"WFInput": (_IMAGE,), "WFImage": (_JPEG,), "WFImageX": "1", "WFImageY": "2"},
        (derived(_IMAGE, "overlay", image="e", place=["Center", "", "", "1", "2", "", ""]),),
    ),
    Example({"WFInput": (_IMAGE,)}, (_IMAGE,)),
    Example({"WFImage": (_IMAGE,)}, ()),
)
def overlay(call: Call) -> Content:
    """Return each image with another one on top; an editor that is shown changes nothing."""
    tops = images_of(call.content("WFImage"))
    position = [
        call.text("WFImagePosition", "Center"),
        *(
            call.text(name)
            for name in (
                *("WFImageWidth", "WFImageHeight", "WFImageX", "WFImageY"),
                *("WFRotation", "WFOverlayImageOpacity"),
            )
        ),
    ]
    images = images_of(call.input())
    for top in tops[:1]:
        images = [derived(image, "overlay", image=top.digest, place=position) for image in images]
    return tuple(images)


def _combined(images: list[File], mode: str, spacing: float, size: tuple[float, float]) -> File:
    parts = [image.digest for image in images]
    file = changed(images[0], "combine", size, mode=mode, spacing=spacing, parts=parts)
    name = renamed("Combined Image", "public.png")
    return msgspec.structs.replace(file, name=name, kind="public.png")


_PAIR = (_IMAGE, _JPEG)


@action(
    "image.combine",
    Example({"WFInput": _PAIR}, (_combined([*_PAIR], "Horizontally", 0, (500, 300)),)),
    Example(
        {"WFInput": _PAIR, "WFImageCombineMode": "Vertically", "WFImageCombineSpacing": 10},
        (_combined([*_PAIR], "Vertically", 10, (400, 510)),),
    ),
    Example(
        {"WFInput": (*_PAIR, _IMAGE), "WFImageCombineMode": "In a Grid"},
        (_combined([*_PAIR, _IMAGE], "In a Grid", 0, (800, 600)),),
    ),
    Example({"WFInput": ("a",)}, ()),
)
def combine(call: Call) -> Content:
    """Return one image of all images: side by side, one below the other, or in a square grid.

    The cells of a grid have the largest width and height of the images (a guess).
    """
    images = images_of(call.input())
    if not images:
        return ()
    mode = call.text("WFImageCombineMode", call.text("WFImageCombineDirection", "Horizontally"))
    spacing = min(max(call.number("WFImageCombineSpacing"), 0), 10_000)
    if "Grid" in mode:
        columns = math.ceil(math.sqrt(len(images)))
    else:
        columns = 1 if mode.startswith("Vertical") else len(images)
    rows = math.ceil(len(images) / columns)
    gaps = (columns - 1) * spacing, (rows - 1) * spacing
    widths = [image.width for image in images]
    heights = [image.height for image in images]
    width = sum(widths) if rows == 1 else max(widths) * columns
    height = sum(heights) if columns == 1 else max(heights) * rows
    return (_combined(images, mode, spacing, (width + gaps[0], height + gaps[1])),)
