"""Names and descriptions for invented shortcuts, with 400 distinct names in each language."""

_FIRST = {
    "en": (
        "Quiet Amber Brisk Clever Copper Dusty Early Gentle Hidden Ivory Jolly Little Lunar Mellow "
        "Nimble Olive Paper Rapid Silver Velvet"
    ),
    "it": (
        "Lento Chiaro Dolce Rapido Nuovo Vecchio Verde Rosso Piccolo Grande Fresco Leggero Caldo "
        "Freddo Quieto Lungo Corto Facile Utile Buono"
    ),
    "de": (
        "Stiller Heller Kleiner Neuer Alter Roter Blauer Leiser Runder Frischer Milder Warmer "
        "Kühler Bunter Flinker Guter Langer Kurzer Weiter Sanfter"
    ),
    "zh": (
        "晴天 小小 快速 安静 早起 夜间 轻松 温柔 银色 蓝色 "
        "简单 随身 每日 周末 便携 贴心 彩虹 清新 极简 灵活"
    ),
}
_SECOND = {
    "en": (
        "Kettle Ledger Lantern Compass Teapot Notebook Almanac Garden Parcel Whistle Bicycle "
        "Calendar Umbrella Harbour Orchard Pantry Signal Timer Window Walk"
    ),
    "it": (
        "Promemoria Taccuino Ombrello Giardino Mercato Orologio Biglietto Caffè Treno Lago "
        "Quaderno Tavolo Pane Segnale Cammino Porto Forno Calendario Messaggio Cassetto"
    ),
    "de": (
        "Wecker Zettel Kalender Garten Koffer Schirm Fahrplan Ofen Tee Spaziergang Ordner Hafen "
        "Markt Brief Schlüssel Kompass Vorrat Rechner Zähler Hinweis"
    ),
    "zh": (
        "提醒 记账 日历 天气 闹钟 清单 翻译 截图 倒计时 菜谱 "
        "散步 阅读 车票 备忘 相册 计步 电台 收纳 打卡 问候"
    ),
}
_SENTENCES = {
    "en": (
        "Keeps track of the {noun} and tells you when it is time.",
        "Asks for a number, then plans the {noun} for the week.",
        "Turns what you copied into a note for the {noun}.",
        "One tap and the {noun} is done & dusted.",
    ),
    "it": (
        "Tiene d'occhio {noun} e ti avvisa al momento giusto.",
        "Chiede un numero e prepara {noun} per la settimana.",
        "Trasforma il testo copiato in {noun}, pronto da inviare.",
    ),
    "de": (
        "Behält {noun} im Blick und meldet sich rechtzeitig.",
        "Fragt nach einer Zahl und plant {noun} für die Woche.",
    ),
    "zh": ("自动整理{noun}, 到点提示你。", "输入一个数字, 帮你安排一周的{noun}。"),
}


def title(number: int, language: str) -> str:
    """Return a name for the shortcut with this number; the names of numbers below 400 differ."""
    first, second = _FIRST[language].split(), _SECOND[language].split()
    gap = "" if language == "zh" else " "
    return first[number % 20] + gap + second[(number * 7 + number // 20) % 20]


def sentence(number: int, language: str) -> str:
    """Return a description that fits the name of the shortcut with this number."""
    noun = _SECOND[language].split()[(number * 7 + number // 20) % 20]
    choices = _SENTENCES[language]
    return choices[number % len(choices)].format(noun=noun if language != "en" else noun.lower())
