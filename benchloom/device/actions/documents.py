"""Actions on PDFs, barcodes, GIFs and archives.

The device stores the contents of the files that it creates, so that later actions can read them.
"""

import json

import msgspec

from benchloom.device.actions.images import images_of
from benchloom.device.call import Call, action, answered
from benchloom.device.items import (
    Content,
    File,
    Item,
    derived,
    digest_of_text,
    plain,
)
from benchloom.device.items.coercion import content_text
from benchloom.device.items.item_types import file_of


def _opaque_file(operation: str, name: str, kind: str, parts: Content, **settings: object) -> File:
    details = [operation, kind, [plain(part) for part in parts], settings]
    return File(name, kind, None, digest_of_text(json.dumps(details, sort_keys=True)))


def _with_parts(call: Call, file: File, parts: Content) -> Content:
    call.device.parts[file.digest] = parts
    return (file,)


def _parts_of(call: Call, content: Content, question: str) -> Content:
    """Return the contents of files, for example the files in an archive.

    The contents are stored if this run created the file. Otherwise they are the answer to
    `question`, which simulates the world outside the device.
    """
    results: list[Item] = []
    for item in content:
        file = file_of(item)
        parts = call.device.parts.get(file.digest)
        results += call.run.ask(f"{question} {file.name}")[0] if parts is None else parts
    return tuple(results)


@action("generatebarcode")
def make_barcode(call: Call) -> Content:
    """Return a text as an image of a QR code."""
    text = content_text(call.input("WFText"))
    if not text:
        return ()
    level = call.text("WFQRErrorCorrectionLevel", "Medium")
    return (_opaque_file("barcode", "QR Code.png", "public.png", (text,), level=level),)


scan_barcode = answered("scanbarcode", "Scan a QR code or barcode")


@action("makepdf")
def make_pdf(call: Call) -> Content:
    """Return the input as one PDF."""
    content = call.input()
    if not content:
        return ()
    pages = call.text("WFPDFIncludedPages", "All Pages")
    bounds = ("WFPDFPageRangeStart", "WFPDFPageRangeEnd", "WFPDFSinglePage")
    texts = [call.text(name) for name in bounds]
    pages = f"{pages} {' '.join(texts)}".strip()
    margin = call.flag("WFPDFIncludeMargin")
    kind = "com.adobe.pdf"
    file = _opaque_file("pdf", "Document.pdf", kind, content, pages=pages, margin=margin)
    return _with_parts(call, file, content) if pages == "All Pages" else (file,)


@action("gettextfrompdf")
def text_of_pdf(call: Call) -> Content:
    """Return the text of each PDF: stored if this run created it, else a supplied answer."""
    results: list[Item] = []
    for item in call.input():
        parts = _parts_of(call, (item,), "Text of the PDF")
        is_known = file_of(item).digest in call.device.parts
        results += (content_text(parts),) if is_known else parts
    return tuple(results)


@action("compresspdf")
def compress_pdf(call: Call) -> Content:
    """Return each PDF compressed: the same text with another digest."""
    return tuple(derived(file_of(item), "compress") for item in call.input())


@action("makegif")
def make_gif(call: Call) -> Content:
    """Return the images of the input as a GIF.

    The GIF has the size of the first image (not checked on a device).
    """
    images = images_of(call.input())
    if not images:
        return ()
    delay = call.text("WFMakeGIFActionDelayTime", "0.25")
    is_automatic = call.flag("WFMakeGIFActionAutoSize", default=True)
    width = "" if is_automatic else call.text("WFMakeGIFActionManualSizeWidth")
    parts, kind = tuple(images), "com.compuserve.gif"
    file = _opaque_file("gif", "Animated.gif", kind, parts, delay=delay, width=width)
    size = {"width": images[0].width, "height": images[0].height}
    return _with_parts(call, msgspec.structs.replace(file, **size), parts)


@action("getframesfromimage")
def frames(call: Call) -> Content:
    """Return the frames of each GIF: stored if this run created it, else supplied answers."""
    return _parts_of(call, tuple(images_of(call.input("WFImage"))), "Frames of the image")


@action("makezip")
def make_archive(call: Call) -> Content:
    """Return the input as one archive."""
    files = tuple(file_of(item) for item in call.input())
    form = call.text("WFArchiveFormat", ".zip")
    name = call.text("WFZIPName").removesuffix(form) or "Archive"
    kind = "public.zip-archive" if form == ".zip" else "public.archive"
    archive = _opaque_file("archive", f"{name}{form}", kind, files)
    return _with_parts(call, archive, files) if files else ()


@action("unzip")
def open_archive(call: Call) -> Content:
    """Return the files in each archive.

    They are stored if this run created the archive; else they come from the supplied answers.
    """
    return _parts_of(call, call.input("WFArchive"), "Files in the archive")
