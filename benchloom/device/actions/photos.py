"""Actions on photos, which the run saved before or which come from the supplied answers."""

from benchloom.device.actions.images import images_of
from benchloom.device.call import Call, Function, action, answered
from benchloom.device.items import Content, File, digest_of_text
from benchloom.device.items.item_types import files_in

_FOLDER = "Photos/"
_MOVIES = frozenset({"com.apple.quicktime-movie", "public.mpeg-4", "public.movie"})


def count_of(call: Call, name: str) -> int:
    """Return the number in an argument that limits a result, from 0 to 1000, by default 1."""
    number = call.number(name, 1)
    return int(min(number, 1000)) if number >= 1 else 0


def _photos_of(content: Content) -> list[File]:
    return [file for file in files_in(content) if file.is_image or file.kind in _MOVIES]


@action("savetocameraroll")
def save_photo(call: Call) -> Content:
    """Save each image or film in an album of the library.

    Other items are ignored (not checked on a device).
    """
    photos = _photos_of(call.input())
    album = call.text("WFCameraRollSelectedGroup", "Recents")
    for photo in photos:
        number = sum(path.startswith(_FOLDER) for path in call.device.files) + 1
        call.device.files[f"{_FOLDER}{number:04} {photo.name}"] = photo
        call.run.effect("saved photo", {"name": photo.name, "album": album, "digest": photo.digest})
    return tuple(photos)


@action("photos.createalbum")
def create_album(call: Call) -> Content:
    """Log that an album with the photos of the input is created; return the photos."""
    photos = _photos_of(call.input())
    digests = [photo.digest for photo in photos]
    call.run.effect("created album", {"name": call.text("AlbumName"), "photos": digests})
    return tuple(photos)


@action("deletephotos")
def delete_photos(call: Call) -> Content:
    """Delete photos from the library and log it; return nothing."""
    name = "photos" if call.has("photos") else "WFInputPhotos"
    digests = {photo.digest for photo in _photos_of(call.input(name))}
    files = call.device.files
    for path in [path for path in files if path.startswith(_FOLDER)]:
        if files[path].digest in digests:
            del files[path]
    call.run.effect("deleted photos", {"photos": sorted(digests)})
    return ()


@action("selectphoto")
def select_photo(call: Call) -> Content:
    """Return the photos that the user selects, one unless several are allowed."""
    photos = call.run.ask("Select photos")[0]
    return photos if call.flag("WFSelectMultiplePhotos") else photos[:1]


def _latest(name: str, question: str, *, images: bool) -> Function:
    def latest(call: Call) -> Content:
        count = count_of(call, "WFGetLatestPhotoCount")
        saved = [
            photo
            for path, photo in sorted(call.device.files.items(), reverse=True)
            if path.startswith(_FOLDER) and photo.is_image is images
        ]
        if len(saved) < count:
            return (*saved, *call.run.ask(question)[0])[:count]
        return tuple(saved[:count])

    latest.__doc__ = f"Return the {question.lower()} that the run saved, then supplied answers."
    return action(name)(latest)


latest_photos = _latest("getlastphoto", "Latest photos", images=True)
latest_films = _latest("getlastvideo", "Latest videos", images=False)
latest_screenshots = answered("getlastscreenshot", "Latest screenshots")
latest_live_photos = answered("getlatestlivephotos", "Latest live photos")


@action("takephoto")
def take_photo(call: Call) -> Content:
    """Return photos that the user takes, from the supplied answers.

    The device has no camera, so each photo is an answer from a file or a simulated answer.
    """
    count = count_of(call, "WFPhotoCount")
    return tuple(item for _ in range(count) for item in call.run.ask("Take a photo")[0][:1])


take_film = answered("takevideo", "Take a video")


@action("takescreenshot")
def take_screenshot(call: Call) -> Content:
    """Return a screenshot; every screenshot of a run has its own digest."""
    number = int(call.device.settings.get("screenshots", "0"))
    call.device.settings["screenshots"] = str(number + 1)
    digest = digest_of_text(f"screenshot {number}")
    return (File("Screenshot.png", "public.png", None, digest, width=1179, height=2556),)


@action("avairyeditphoto")
def mark_up(call: Call) -> Content:
    """Return each image after the user marked it up, from the supplied answers.

    The device has no user, so each image is an answer from a file or a simulated answer.
    """
    names = (image.name for image in images_of(call.input("WFDocument")))
    return call.ask_each("Mark up the image {}", names, 1)
