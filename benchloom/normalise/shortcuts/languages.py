"""Detect the language of a shortcut's name, description and comments.

py3langid decides offline, with a fixed model. Names are short: if a text has no letters, or the
confidence is below the minimum, its language is `und` (undetermined).
"""

from functools import cache
from unicodedata import category

import msgspec
from py3langid.langid import MODEL_FILE, LanguageIdentifier

from benchloom.core.built_in_actions import COMMENT
from benchloom.core.records import Shortcut, TextLanguage

UNDETERMINED = "und"
LEAST_CONFIDENCE = 0.6
MAX_CHARACTERS = 4_000
LANGUAGES = (
    "ar", "bg", "ca", "cs", "da", "de", "el", "en", "es", "fa", "fi", "fr", "he", "hi", "hr", "hu",
    "id", "it", "ja", "ko", "ms", "nl", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sr", "sv", "th",
    "tr", "uk", "vi", "zh",
)  # fmt: skip
"""The languages of the Shortcuts app and related languages. More languages would add wrong
guesses."""


class _Text(msgspec.Struct):
    string: str


class _Token(msgspec.Struct):
    Value: _Text


_COMMENT_TEXT = msgspec.json.Decoder(str | _Token)


def languages_of(shortcut: Shortcut) -> tuple[TextLanguage, ...]:
    """Detect the language of each text of a shortcut. The result is sorted by field."""
    texts = {
        "comments": _comments(shortcut),
        "description": shortcut.description,
        "name": shortcut.name,
    }
    return tuple(
        TextLanguage(field, language_of(text)) for field, text in texts.items() if text is not None
    )


def language_of(text: str) -> str:
    """Return the ISO 639-1 code of the language of a text, or `und` if it is unclear."""
    words = _words_of(text)
    if not words:
        return UNDETERMINED
    language, confidence = _identifier().classify(words)
    return str(language) if confidence >= LEAST_CONFIDENCE else UNDETERMINED


def english_confidence(text: str) -> float:
    """Return how likely it is that a text is English, from 0 to 1. A text without letters has 1."""
    words = _words_of(text)
    return float(dict(_identifier().rank(words))["en"]) if words else 1.0


def _words_of(text: str) -> str:
    letters = "".join(
        character if category(character)[0] in "LM" else " " for character in text[:MAX_CHARACTERS]
    )
    return " ".join(letters.split())


@cache
def _identifier() -> LanguageIdentifier:
    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(LANGUAGES)
    return identifier


def _comments(shortcut: Shortcut) -> str | None:
    comments: list[str] = []
    for action in shortcut.actions:
        if action.identifier != COMMENT:
            continue
        for argument in action.arguments:
            if argument.name == "WFCommentActionText":
                try:
                    text = _COMMENT_TEXT.decode(argument.value)
                except msgspec.ValidationError:
                    continue
                comments.append(text if isinstance(text, str) else text.Value.string)
    return "\n".join(comments) if any(text.strip() for text in comments) else None
