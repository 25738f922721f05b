"""Actions that detect images, read their properties and text, or combine several images."""

import math
import re

import msgspec

from benchloom.device.actions.images import changed, images_of
from benchloom.device.call import Call, action
from benchloom.device.items import (
    Content,
    File,
    RichText,
    Url,
    derived,
    digest_of_text,
)

_IMAGE_TAG = re.compile(r"<img\b[^<>]{0,2000}>", re.IGNORECASE)


@action("detect.images")
def detect_images(call: Call) -> Content:
    """Return the images in the input.

    The image at a URL is requested and comes from the supplied answers (not checked on a device).
    """
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


@action("properties.images")
def image_property(call: Call) -> Content:
    """Return a property of each image, by default its name.

    Metadata come from the supplied answers.
    """
    name = call.text("WFContentItemPropertyName", "Name")
    images = images_of(call.input())
    if name == "Metadata Dictionary":
        return call.ask_each("Metadata of the image {}", (image.name for image in images))
    if name == "Media Type":
        return ("Image",) * len(images)
    return call.properties(images)


@action("extracttextfromimage")
def text_of_image(call: Call) -> Content:
    """Return the text in each image, from the supplied answers.

    Images have no pixels, so each text is an answer from a file or a simulated answer.
    """
    names = (image.name for image in images_of(call.input("WFImage")))
    return call.ask_each("Text in the image {}", names)


@action("overlayimageonimage")
def overlay(call: Call) -> Content:
    """Return each image with another image on top.

    If the action shows an editor, the simulated user changes nothing in it.
    """
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


@action("image.combine")
def combine(call: Call) -> Content:
    """Combine the images of the input into one: in a row, in a column, or in a square grid.

    The cells of a grid have the largest width and height of the images (not checked on a device).
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
    size = width + gaps[0], height + gaps[1]
    parts = [image.digest for image in images]
    file = changed(images[0], "combine", size, mode=mode, spacing=spacing, parts=parts)
    return (msgspec.structs.replace(file, name="Combined Image.png", kind="public.png"),)
