"""Tests of language detection for the texts that authors write."""

import plistlib

import msgspec
import pytest

from benchloom.core.records import TextLanguage
from benchloom.normalise.shortcuts.languages import UNDETERMINED, language_of, languages_of
from parsers.shortcuts import parse_shortcut
from tests.support.samples.redaction import action, token_text

SENTENCES = {
    "en": "Ask for a city and show tomorrow's weather there",
    "de": "Fragt nach einer Stadt und zeigt das Wetter von morgen",
    "es": "Pregunta por una ciudad y muestra el tiempo de mañana",
    "fr": "Demande une ville et affiche la météo de demain",
    "it": "Chiede una città e mostra il meteo di domani",
    "ja": "都市を尋ねて明日の天気を表示します",
    "ko": "도시를 묻고 내일 날씨를 보여 줍니다",
    "pt": "Pergunta por uma cidade e mostra a previsão de amanhã",
    "ru": "Спрашивает город и показывает погоду на завтра",
    "zh": "询问城市并显示明天的天气",
}


@pytest.mark.parametrize("language", sorted(SENTENCES))
def test_sentence_has_its_language(language: str) -> None:
    assert language_of(SENTENCES[language]) == language


@pytest.mark.parametrize("text", ["", "  ", "123", "\U0001f389\U0001f389", "-- 12:30 --", "\ufffc"])
def test_texts_without_letters_are_undetermined(text: str) -> None:
    assert language_of(text) == UNDETERMINED


def test_languages_of_a_shortcut_cover_comments_name_and_description() -> None:
    content = {
        "WFWorkflowName": SENTENCES["en"],
        "WFWorkflowActions": [
            action("comment", WFCommentActionText=SENTENCES["de"]),
            action("comment", WFCommentActionText=token_text(SENTENCES["de"])),
            action("comment", WFCommentActionText=["no", "text"]),
            action("gettext", WFTextActionText=SENTENCES["fr"]),
        ],
    }
    shortcut = parse_shortcut(plistlib.dumps(content), "x")
    assert languages_of(shortcut) == (TextLanguage("comments", "de"), TextLanguage("name", "en"))
    described = msgspec.structs.replace(shortcut, description=SENTENCES["ja"], name=None)
    assert languages_of(described) == (
        TextLanguage("comments", "de"),
        TextLanguage("description", "ja"),
    )
    assert languages_of(parse_shortcut(plistlib.dumps({"WFWorkflowActions": []}), "")) == ()
