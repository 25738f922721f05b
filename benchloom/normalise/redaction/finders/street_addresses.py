"""Find street addresses in several languages: a word for a street, and a house number."""

import re

from benchloom.normalise.redaction.finders import TextFinder, any_of, spans_of

_UNIT = r"(?:,? (?:Apt|Suite|Ste|Unit|Floor|#)\.? ?\w{1,6})?"
_TOWN = r"(?:,? {0,2}[A-Z][A-Za-z .'-]{2,30},? {1,2}[A-Z]{2},? {1,2}\d{5}(?:-\d{4})?)?"
_CODE = r"(?:,? {1,2}\d{4,5} {1,2}(?:[A-Z]{2} )?[A-ZÄÖÜÉ][\w.'-]{1,30})?"
_FORMS = (
    re.compile(
        r"(?<![\w.])\d{1,5}[A-Za-z]?,? (?:[NSEW]\.? )?"
        r"(?:[A-Z][A-Za-z'.-]{1,20} |\d{1,3}(?:st|nd|rd|th) ){1,4}"
        r"(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Circle|"
        r"Place|Pl|Square|Sq|Terrace|Ter|Parkway|Pkwy|Highway|Hwy|Way|Crescent|Close|Gardens|Grove)"
        rf"\b\.?{_UNIT}{_TOWN}"
    ),
    re.compile(
        r"(?<!\w)[A-ZÄÖÜ][a-zäöüß-]{2,25}(?:[ -][A-ZÄÖÜ][a-zäöüß]{2,20})?"
        r"[- ]?(?:[Ss]tra(?:ß|ss)e|[Ss]tr\.|weg|gasse|[Aa]llee|platz|straat|laan|gata|gatan|"
        r"gracht|kade|plein|singel|dijk|vej|gade|veien|vägen|ufer|damm|chaussee)"
        rf" \d{{1,4}} ?[a-z]?\b{_CODE}"
    ),
    re.compile(
        r"(?<!\w)\d{1,4}(?: ?(?:bis|ter|quater))?,? (?:[Rr]ue|[Aa]venue|[Bb]oulevard|[Cc]hemin|"
        r"[Ii]mpasse|[Aa]llée|[Qq]uai|[Rr]oute|[Pp]lace) (?:(?:de|du|des|la|le|les|l'|d')\s?){0,3}"
        rf"[A-ZÉÈÀ][\w'-]{{2,30}}(?: [A-ZÉÈÀ][\w'-]{{1,30}}){{0,3}}{_CODE}"
    ),
    re.compile(
        r"(?<!\w)(?:Calle|C/|Avenida|Avda\.?|Av\.|Paseo|Plaza|Via|Viale|Piazza|Corso|Rua|Praça|"
        r"Travessa)\s{0,2}(?:(?:de|del|della|dei|d[ao]s?|la|las|los)\s){0,3}"
        r"[A-ZÁÉÍÓÚ][\w'.-]{2,25}"
        rf"(?: [A-ZÁÉÍÓÚ][\wáéíóúñç'.-]{{1,25}}){{0,3}},? (?:n[.º°]? ?)?\d{{1,4}}\b"
        rf"(?:,? (?:apto?|ap|bloco|casa|piso|dpto|esc|int)\.? ?\w{{1,6}})?{_CODE}"
    ),
    re.compile(
        r"(?:[\u4e00-\u9fff]{2,8}(?:省|市|自治区))?[\u4e00-\u9fff]{1,8}(?:市|区|县|镇)"
        r"[\u4e00-\u9fff\d]{1,20}(?:路|街|道|巷|弄)[\u4e00-\u9fff]{0,8}\s?\d{1,5}\s?"
        r"(?:号|幢|栋|单元|弄)(?:[\u4e00-\u9fff\d-]{0,20}[室栋楼座])?"
    ),
    re.compile(
        r"(?<!\w)(?:ул\.|улица|пр\.|проспект|пр-т|пер\.|переулок|бульвар|ul\.|al\.|os\.) "
        r"[^\W\d_a-z\u0430-\u0451][\w.-]{2,30}(?: [^\W\d_a-z\u0430-\u0451][\w-]{1,30}){0,2}"
        r",? (?:д\.|дом|m\.)? ?\d{1,4}\w?(?:[/-]\d{1,4})?"
        r"(?:,? (?:кв\.|квартира|m\.) ?\d{1,4})?"
    ),
    re.compile(
        r"(?<!\w)[A-ZÄÖÜ][\w.-]{1,25}(?: [A-ZÄÖÜ][\w.-]{2,25}){0,3} \d{1,4} ?[a-z]?, "
        r"(?:D-)?\d{5} [A-ZÄÖÜ][\w-]{2,30}"
    ),
    re.compile(
        r"(?:〒\s?\d{3}-\d{4}\s?)?[\u4e00-\u9fff]{2,4}[都道府県][\u3040-\u30ff\u4e00-\u9fff]{1,10}"
        r"[市区町村][\u3040-\u30ff\u4e00-\u9fff]{1,12}\s?\d{1,4}(?:丁目|[-\uff0d\u2212]\d{1,4}){1,3}"
    ),
)  # fmt: skip

_STREETS = (
    "St", "Ave", "Rd", "Road", "Boulevard", "Blvd", "Ln", "Lane", "Dr", "Ct", "Court", "Circle",
    "Pl", "Sq", "Ter", "Parkway", "Pkwy", "Highway", "Hwy", "Way", "Crescent", "Close",
    "Gardens", "Grove",
)  # fmt: skip
"""Words for a street that follow the name of the street."""
_MARK = re.compile(
    # Searched by letters, which are rarer than blanks.
    any_of([f"{word}(?<= {word})" for word in _STREETS])
    + r"|tra(?:ß|ss)e |tr\. |weg |gasse |llee |platz |"
    r"straat |laan |gracht |kade |plein |singel |dijk |vej |gade |veien |vägen |ufer |"
    r"damm |chaussee |gatan? |ue |venue |oulevard |hemin |mpasse |llée |uai |oute |lace |Calle|C/|"
    r"ул|пр|пер|бульвар|ul\. |al\. |os\. |, (?:D-)?\d{5} |"
    r"Av(?:enida|da|\.)|Paseo|Plaza|Via|Piazza|Corso|Rua|Praça|Travessa|"
    r"路|街|道|巷|弄|都|府|県"
)
"""Every street address contains a match of this pattern."""
_REACH = 256
FINDER = TextFinder(
    kinds=("street_address",),
    hint=re.compile(
        r"\d[A-Za-z]?,? (?:[A-Z]|\d{1,3}(?:st|nd|rd|th))|"
        r"\d,? (?:rue|avenue|boulevard|chemin|impasse|allée|quai|route|place|bis|ter)"
        r"|[a-zß\u0430-\u0451.],? \d|(?:д\.|дом|m\.) ?\d"
        r"|(?:路|街|道|巷|弄)\s?\d|\d\s?(?:号|幢|栋|单元)|[都道府県]"
    ),
    find=spans_of("street_address", *_FORMS, near=(_MARK, _REACH)),
    in_published=False,
)
