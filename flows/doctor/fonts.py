"""A font for letters that are not Latin: many shortcuts have Chinese names."""

from collections.abc import Iterator
from pathlib import Path

from flows.doctor.base import Finding, Needs

_LETTERS = {ord(letter) for letter in "中文快捷"}


def look(needs: Needs) -> Iterator[Finding]:
    """Whether some font of this machine has Chinese letters."""
    del needs
    font_path = chinese_font()
    yield Finding(
        name="fonts",
        state="ok" if font_path else "missing",
        told=f"{Path(font_path).name} shows Chinese" if font_path else "none shows Chinese",
        serves="pictures of pages and plots with Chinese names; without it they show boxes",
        mend=None if font_path else "apt-get install fonts-noto-cjk",
    )


def chinese_font() -> str | None:
    """The file of a font with the letters, None where there is none."""
    from matplotlib.font_manager import findSystemFonts
    from matplotlib.ft2font import FT2Font

    # Most fonts of this kind say so by their names: those are read first.
    likely = ("cjk", "hei", "song", "ming", "kai", "han", "noto", "uni")
    files = sorted(
        findSystemFonts(), key=lambda path: (not any(w in path.lower() for w in likely), path)
    )
    for path in files:
        try:
            letters = FT2Font(path).get_charmap()
        except (RuntimeError, OSError):  # a file that is no font, or one that is damaged
            continue
        if letters.keys() >= _LETTERS:
            return path
    return None
