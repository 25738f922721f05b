"""Actions that change images; an image has a digest and a size, but no pixels."""

import math
from collections.abc import Callable

import msgspec

from benchloom.device.call import Call, action
from benchloom.device.errors import ActionError
from benchloom.device.items import (
    Content,
    File,
    derived,
    ending_of_kind,
)
from benchloom.device.items.coercion import number_of
from benchloom.device.items.item_types import files_in

_LARGEST_SIDE = 1_000_000
_FORMATS = {
    "PNG": "public.png",
    "JPEG": "public.jpeg",
    "TIFF": "public.tiff",
    "GIF": "com.compuserve.gif",
    "BMP": "com.microsoft.bmp",
    "HEIF": "public.heic",
    "PDF": "com.adobe.pdf",
}


def images_of(content: Content) -> list[File]:
    """Return the images in content (a list of items).

    A simulated answer becomes an image; any other item that is not an image is left out.
    """
    return [file for file in files_in(content) if file.is_image]


def changed(
    image: File, operation: str, size: tuple[float, float] | None = None, **arguments: object
) -> File:
    """Return the result of an operation on an image; `size` is the new size in pixels, if any."""
    result = derived(image, operation, "", "", size=size, **arguments)
    if size is None:
        return result
    width, height = (max(round(side), 1) for side in size)
    return msgspec.structs.replace(result, width=width, height=height)


def renamed(name: str, kind: str) -> str:
    """Return a file name with its extension replaced by the usual extension of a file type."""
    return f"{name.rpartition('.')[0] or name}.{ending_of_kind(kind)}"


def _each(call: Call, name: str, change: Callable[[File], File]) -> Content:
    return tuple(change(image) for image in images_of(call.input(name)))


def _side(call: Call, name: str) -> float | None:
    content = call.content(name)
    number = number_of(content[0]) if content else None
    if number is None or not number > 0:
        return None
    if number > _LARGEST_SIDE:
        raise ActionError(f"{name} is {number}; the maximum is {_LARGEST_SIDE} pixels")
    return float(number)


@action("image.resize")
def resize(call: Call) -> Content:
    """Return each image resized; if only one side is set, the proportions stay the same."""
    key = call.text("WFImageResizeKey", "Size")

    def size(image: File) -> tuple[float, float]:
        old_width, old_height = image.width or 1, image.height or 1
        if key == "Percentage":
            factor = (_side(call, "WFImageResizePercentage") or 50) / 100
        elif key == "Longest Edge":
            factor = (_side(call, "WFImageResizeLength") or 640) / max(old_width, old_height)
        else:
            width, height = _side(call, "WFImageResizeWidth"), _side(call, "WFImageResizeHeight")
            if width and height:
                return width, height
            factor = width / old_width if width else height / old_height if height else 1
        return old_width * factor, old_height * factor

    def to_size(image: File) -> File:
        width, height = size(image)
        if max(width, height) > _LARGEST_SIDE:
            raise ActionError(
                f"a side of the resized image would have more than {_LARGEST_SIDE} pixels"
            )
        return changed(image, "resize", (round(width), round(height)))

    return _each(call, "WFImage", to_size)


@action("image.crop")
def crop(call: Call) -> Content:
    """Crop each image to a rectangle inside it; the default size is 100 x 100."""
    anchor = call.text("WFImageCropPosition", "Center")
    x, y = (
        call.number(name) if anchor == "Custom" else None
        for name in ("WFImageCropX", "WFImageCropY")
    )
    width = _side(call, "WFImageCropWidth") or 100
    height = _side(call, "WFImageCropHeight") or 100

    def cut(image: File) -> File:
        size = (round(min(width, image.width or width)), round(min(height, image.height or height)))
        return changed(image, "crop", size, place=anchor, x=x, y=y)

    return _each(call, "WFInput", cut)


@action("image.convert")
def convert(call: Call) -> Content:
    """Return each image in another format, by default JPEG."""
    name = call.text("WFImageFormat", "JPEG")
    kind = _FORMATS.get(name.upper())
    if kind is None and name != "Match Input":
        raise ActionError(f"unknown image format '{name}'")
    quality = call.number("WFImageCompressionQuality")
    keeps = call.flag("WFImagePreserveMetadata", default=True)

    def in_format(image: File) -> File:
        target_kind = kind or image.kind
        return derived(
            image,
            "convert",
            renamed(image.name, target_kind),
            target_kind,
            quality=quality,
            keeps_metadata=keeps,
        )

    return _each(call, "WFInput", in_format)


@action("image.mask")
def mask(call: Call) -> Content:
    """Return each image cut out by a mask, as PNG."""
    shape = call.text("WFMaskType", "Rounded Rectangle")
    radius = call.number("WFMaskCornerRadius")
    masks = [image.digest for image in images_of(call.content("WFCustomMaskImage"))]
    return _each(
        call,
        "WFInput",
        lambda image: derived(
            image,
            "mask",
            renamed(image.name, "public.png"),
            "public.png",
            shape=shape,
            radius=radius,
            by=masks,
        ),
    )


@action("image.rotate")
def rotate(call: Call) -> Content:
    """Return each image rotated clockwise, by default by 90 degrees.

    The result has the width and height of the rotated image.
    """
    degrees = call.number("WFImageRotateAmount", 90) % 360
    if not math.isfinite(degrees):
        raise ActionError("WFImageRotateAmount is not a finite number")
    angle = math.radians(degrees)
    across, along = abs(math.cos(angle)), abs(math.sin(angle))

    def turned(image: File) -> File:
        width = round(image.width * across + image.height * along)
        height = round(image.width * along + image.height * across)
        return changed(image, "rotate", (width, height), degrees=degrees) if degrees else image

    return _each(call, "WFImage", turned)


@action("image.flip")
def flip(call: Call) -> Content:
    """Return each image mirrored."""
    direction = call.text("WFImageFlipDirection", "Horizontal")
    return _each(call, "WFInput", lambda image: derived(image, "flip", direction=direction))
