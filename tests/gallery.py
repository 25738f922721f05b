"""Take pictures of every page: `python -m tests.gallery RELEASE FOLDER [WORD ...]`.

`make screenshots` takes pictures of the demo.

Each page is taken at desktop and phone width, light and dark. With words, only pages whose names
contain a word are taken. `index.html` in the folder shows the pictures side by side. The command
prints the page rules that are broken.
"""

import sys
import tempfile
from html import escape
from pathlib import Path

from tests.support.browser import resize, start_browser
from tests.support.pages.kinds import every_page
from tests.support.pages.rules import WIDTHS, broken_rules, keyboard_faults, save_screenshot


def main(release: Path, folder: Path, words: list[str]) -> None:
    """Take the pictures and print the broken page rules."""
    folder.mkdir(parents=True, exist_ok=True)
    names: list[str] = []
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch,
        start_browser(Path(scratch) / "profile") as driver,
        every_page(release, Path(scratch)) as pages,
    ):
        for page, address in pages.items():
            if words and not any(word in page for word in words):
                continue
            for fault in broken_rules(driver, address):
                print(fault)
            for width in WIDTHS:
                for dark in (False, True):
                    resize(driver, width, dark=dark)
                    name = f"{page.replace('/', '-')}-{width}-{'dark' if dark else 'light'}.png"
                    names.append(save_screenshot(driver, folder / name).name)
            for fault in keyboard_faults(
                driver, address
            ):  # last, because it moves the keyboard focus
                print(fault)
    links = [
        f'<a href="{escape(file_name)}"><img src="{escape(file_name)}" width="300"></a>'
        for file_name in names
    ]
    (folder / "index.html").write_text("\n".join(links), encoding="utf-8")
    print(f"{len(names)} pictures in {folder}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
