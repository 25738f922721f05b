"""Words that announce secrets, as data: by kind of secret and by language.

Words are parts of patterns for folded texts; commas separate them, and a blank stands for a
blank, a hyphen, an underscore, an apostrophe or nothing. A hyphen before a word allows it inside a
longer word.
"""

import re
from collections.abc import Iterable, Iterator

from benchloom.normalise.redaction.finders import any_of

_Words = dict[str, str]
_PASSWORDS: _Words = {
    "en": "-pass(?:word|code|phrase|wd),(?:backup|recovery) ?codes?,(?:security|secret) answer,"
    "-wi.?fi ?key,-wlan ?key,-network ?key",
    "de": "-passwort,-passwörter,-kennwort,-losungswort,-wlan ?schlüssel,-netzwerk ?schlüssel",
    "fr": "mots? de passe,mdp,cl[ée] (?:(?:de|du) )?(?:la |l.)?(?:wi.?fi|réseau)",
    "es": "-contrase[ñn]a,clave (?:del? )?(?:la )?(?:wi.?fi|red)",
    "it": "-parola(?: d.ordine)?,chiave (?:del(?:la)? )?(?:wi.?fi|rete)",
    "pt": "-senha,palavra.passe,chave (?:d[ao] )?(?:wi.?fi|rede)",
    "nl": "-wachtwoord,-wi.?fi.?sleutel",
    "zh": "-密码,-密碼,-口令,-提取码,-提取碼,-访问码",
    "ja": "-パスワード,-パスコード,-合言葉",
    "ru": "парол[ья]",
    "ko": "-비밀번호,-암호,-패스워드",
    "sv": "-lösenord",
    "no": "-passord",
    "da": "-adgangskode,-kodeord",
    "fi": "-salasana",
    "pl": "has[łl][oa]",
    "cs": "hesl[oa]",
    "hu": "-jelsz[óa]",
    "tr": "-şifre",
    "ro": "-parol[ăa]",
    "hr": "-lozinka",
    "el": "-κωδικ[όο]ς",
    "ca": "-contrasenya",
    "vi": "-mật khẩu",
    "id": "-kata sandi",
    "th": "-รหัสผ่าน",
    "he": "-סיסמה",
    "ar": "-كلمة (?:السر|المرور)",
    "hi": "-पासवर्ड",
}
_CODES: _Words = {
    "en": "code pin,pin ?(?:code|number),puk,cv[vc]2?",
    "de": "pin ?nummer,geheimzahl",
    "fr": "digicode,code confidentiel,code secret,code pin",
    "es": "c[óo]digo secreto,c[óo]digo pin",
    "it": "codice segreto,codice pin",
    "pt": "senha num[ée]rica",
    "nl": "cijfercode",
    "zh": "-门禁码,-門禁碼,-门锁码,-开门码,-pin码",
    "ja": "-暗証番号,-暗証コード,-解錠番号,-ドアコード,-解除コード",
    "ko": "-도어락 번호,-핀번호,-출입 번호",
    "ru": "пин.?код",
    "sv": "(?:port|dörr|larm|grind)kod(?:en)?",
    "no": "(?:dør|alarm|port)kode[nr]?",
    "da": "(?:dør|alarm|port)kode[nr]?",
    "fi": "(?:ovi|hälytys|portti)koodi",
    "pl": "kod (?:do|od) (?:drzwi|bramy|domofonu|alarmu|sejfu)",
    "cs": "k[óo]d (?:od|ke) (?:dveří|brány|alarmu)",
    "tr": "kap\u0131 (?:kodu|şifresi)",
}
"""Complete names of codes."""
_CODE_WORDS: _Words = {
    "en": "code,pin,puk,combination,combo",
    "de": "kombination",
    "fr": "combinaison",
    "es": "c[óo]digo,combinación,clave",
    "it": "codice,combinazione",
    "pt": "combinação,segredo",
    "nl": "pincode,combinatie",
    "ru": "код",
}
_LOCKS: _Words = {
    "en": "door,gate,garage,setup,pairing,alarm,building,house,home,entry,entrance,access,lock,"
    "safe,"
    "locker,security,pass,key ?pad,key ?box,lock ?box,unlock,voicemail,office,elevator,lift,"
    "card,bank,"
    "atm,sim,parking,wi.?fi,guest,gym,bike,padlock,shed,cabin,lobby,intercom,pool,apartment,flat,"
    "storage,vault,panel",
    "de": "(?:haus)?tür,haus,tor,garagen?,zugangs?,zutritts?,eingangs?,tresor,schloss,keller,"
    "schließfach,"
    "wohnungs?,handy,karten?,fahrradschloss,alarmanlage",
    "fr": "porte,portail,alarme,immeuble,accès,entrée,coffre,cadenas,interphone,carte,boîte,"
    "b[âa]timent",
    "es": "puerta,alarma,garaje,entrada,acceso,tarjeta,caja,portal,portón,candado,edificio,"
    "trastero",
    "it": "porta,portone,cancello,allarme,accesso,carta,cassaforte,lucchetto,ingresso,citofono,"
    "sblocco,"
    "bancomat",
    "pt": "porta,portão,portaria,acesso,cartão,cofre,garagem,prédio,cadeado,fechadura",
    "nl": "(?:voor)?deur,poort,toegangs?,kluis,ingang,slot,kast,sleutelkluis",
    "ru": "двери,домофона,подъезда,сейфа,карты,ворот,гаража,сигнализации,замка,входа,калитки",
}
_NUMBERS: _Words = {
    "en": "imei,meid,iccid,udid,ssn,nino,iban,(?:device|advertising) ?id,idf[av],dob,"
    "date of birth,birth ?da(?:te|y),born(?: on)?,license plate,plate number,"
    "driver.?s licen[cs]e,"
    "national insurance,nhs,itin,sort code,serial(?!iz),passport,"
    "(?:tax|member|membership|patient|national) ?id,social security,medicare",
    "de": "kfz.kennzeichen,geburtsdatum,geburtstag,geboren(?: am)?,steuer ?id(?:nr)?,reisepass,"
    "personalausweis",
    "fr": "date de naissance,née? le,passeport,permis de conduire,carte vitale,plaque",
    "es": "fecha de nacimiento,nacid[oa] el,dni,nie,nif,curp,nss,pasaporte,matrícula",
    "it": "data di nascita,nat[oa] il,codice fiscale,passaporto,tessera sanitaria,targa",
    "pt": "data de nascimento,cpf,cnh,niss,contribuinte,passaporte",
    "nl": "geboortedatum,geboren op,bsn,burgerservicenummer,kenteken,paspoort",
    "zh": "-身份证号?码?,-护照号?码?,-序列号,-银行卡号?,-社保号?卡?号?,-驾照号?,-驾驶证号?,"
    "-税号,-卡号,-保单号,-医保号,"
    "-账户号,-出生日期,-车牌号",
    "ja": "-シリアル番号,-マイナンバー,-個人番号,-口座番号,-パスポート番号,-旅券番号,"
    "-免許証番号,-保険証番号,-カード番号,"
    "-会員番号,-製造番号,-生年月日",
    "ko": "-주민등록번호,-여권번호,-계좌번호,-카드번호,-운전면허번호,-일련번호,-생년월일",
    "ru": "дата рождения,инн,снилс,паспорта?,серийный номер,полис(?: омс)?",
    "pl": "pesel,data urodzenia",
    "sv": "personnummer",
    "da": "cpr.?(?:nummer|nr)?",
    "no": "fødselsnummer",
    "fi": "henkilötunnus",
    "cs": "rodné číslo",
    "tr": "kimlik no,kimlik numaras\u0131,tckn",
}
"""Complete names of numbers of persons, devices, documents and accounts."""
_NUMBERED: _Words = {
    "en": "serial(?!iz),passport,national insurance,(?:credit|debit|bank|id|health|loyalty)?card,"
    "account,"
    "routing,tax(?: file)?,insurance,policy,member(?:ship)?,social security,driver.?s licen[cs]e,"
    "licen[cs]e,visa,patient,medicare,customer,frequent flyer,employee,nhs,identity card",
    "de": "serien,(?:reise)?pass,(?:personal)?ausweis,steuer(?:identifikations)?,"
    "sozialversicherungs,"
    "rentenversicherungs,krankenversicherungs,versicherten,versicherungs,konto,kreditkarten,"
    "karten,"
    "führerschein,kunden,mitglieds,geräte",
    "nl": "serie,paspoort,rekening,kaart,polis,rijbewijs,klant,verzekerings,creditcard,sofi",
}
"""What a word for "number" follows."""
_NUMBER_OF: _Words = {
    "fr": "série,sécurité sociale,passe?port,compte,carte,permis,contrat,police,client,sécu",
    "es": "serie,seguridad social,pasaporte,cuenta,tarjeta,licencia,póliza,afiliación,socio,"
    "seguro,"
    "identificación,carnet",
    "it": "serie,passaporto,conto,carta,patente,tessera,polizza,previdenza",
    "pt": "série,segurança social,passaporte,conta,cartão,contribuinte,apólice,utente",
    "ru": "карты,счета,паспорта,полиса,прав,водительского удостоверения",
    "pl": "dowodu,paszportu,konta,karty,polisy,rachunku",
}
"""What follows a word for "number of"."""
_PHRASES: _Words = {
    "en": "(?:recovery|seed|backup|secret|wallet|mnemonic) (?:phrase|words),mnemonic,seed",
    "de": "wiederherstellungs(?:phrase|wörter|satz)",
    "fr": "phrase (?:de récupération|secrète|mnémonique)",
    "es": "frase (?:de recuperación|semilla|secreta),palabras de recuperación",
    "it": "frase (?:di recupero|segreta|mnemonica)",
    "pt": "frase (?:de recuperação|secreta|semente)",
    "nl": "herstel(?:zin|woorden)",
    "zh": "-助记词,-恢复短语",
    "ja": "-リカバリーフレーズ,-シードフレーズ,-ニーモニック",
    "ko": "-복구 문구,-니모닉",
    "ru": "(?:сид|мнемоническая|секретная).?фраза,фраза восстановления",
}
_LOGINS: _Words = {
    "en": "log.?in,credentials,user(?:name)? ?[/:&] ?pass(?:word)?,account,sign.?in",
    "de": "zugangsdaten,anmeldedaten,benutzer ?/ ?passwort",
    "fr": "identifiants,connexion",
    "es": "credenciales",
    "it": "credenziali",
    "pt": "credenciais",
    "nl": "inloggegevens",
    "zh": "-账号密码,-账号,-帐号",
    "ja": "-ログイン情報,-アカウント",
    "ru": "логин,учётные данные,учетные данные",
    "pl": "dane logowania",
}
_KEYS: _Words = {
    "en": "key(?<!wfkey)(?<!dictionarykey)s?,token(?<!wftexttoken)s?,secrets?,credentials?,api,"
    "serial(?!iz),licen[cs]e,activation code",
    "de": "-schlüssel,lizenz",
    "fr": "clé,clef,jeton,licence",
    "es": "clave,llave,licencia",
    "it": "chiave,licenza",
    "pt": "chave,licença",
    "nl": "-sleutel,licentie",
    "zh": "-令牌,-密钥,-秘钥,-授权码,-激活码,-序列号",
    "ja": "-キー,-トークン,-シークレット",
    "ko": "-토큰,-인증키",
    "ru": "ключ,токен",
}
_PHONES: _Words = {
    "en": "tel(?:ephone)?,phone(?: number)?,mobile(?: number)?,cell(?: ?phone)?,fax,call,"
    "text,whatsapp,sms",
    "de": "mobil,handy(?:nummer)?,telefon(?:nummer)?,rufnummer",
    "fr": "téléphone,portable",
    "es": "teléfono,móvil,celular",
    "it": "telefono,cellulare",
    "pt": "telefone,telemóvel",
    "nl": "telefoonnummer,mobiel,gsm",
    "zh": "-电话,-電話,-手机号?码?",
    "ja": "-電話番号,-携帯",
    "ko": "-전화(?:번호)?,-휴대폰",
    "ru": "телефон,мобильный",
    "pl": "komórka",
}
EDGE = r"(?<![a-zà-ÿа-яёα-ω])"
_END = r"(?![a-zà-ÿа-яё])"
_J = "[ _'\u2019-]"
_GROUP = re.compile(r"(?:\(\?:([^()]*)\)|\[([^\]]*)\])(\??)")
_LITERAL = re.compile(r"(?:[^\W_](?![?*{])|\.\?)+(?:\(\?[!<][^)]*\))*")
_STEM = 12


def _pattern(*groups: _Words, end: str = "") -> str:
    words = [word.replace(" ?", " ").replace(" ", f"{_J}?") for word in _all_words(groups)]
    free = [word[1:] for word in words if word[0] == "-"]
    edged = "|".join(word for word in words if word[0] != "-")
    return "|".join([*([f"{EDGE}(?:{edged}){end}"] if edged else []), *free])


def _all_words(groups: Iterable[_Words]) -> list[str]:
    return [word for group in groups for words in group.values() for word in words.split(",")]


def _stems(*groups: _Words) -> frozenset[str]:
    """Return the first letters of all words; every match of their pattern contains one of them."""
    stems = {
        stem if "(" in stem else stem[:_STEM].removesuffix(".")
        for word in _all_words(groups)
        for stem in _beginnings(word.lstrip("-").replace(" ?", " ").replace(" ", ".?"))
    }
    return frozenset(
        stem for stem in stems if not any(stem[:n] in stems for n in range(1, len(stem)))
    )


def _beginnings(word: str) -> Iterator[str]:
    group = _GROUP.search(word)
    before = word[: group.start()] if group is not None else ""
    if group is None or len(before) >= _STEM or not (before.isalpha() or not before):
        literal = _LITERAL.match(word)
        yield literal[0] if literal is not None else word
        return
    options = list(group[2]) if group[1] is None else group[1].split("|")
    for option in [*options, ""] if group[3] else options:
        yield from _beginnings(before + option + word[group.end() :])


_LOCK = _pattern(_LOCKS)
_ENGLISH = f"(?:{'|'.join(_CODE_WORDS['en'].split(','))}|kombination|combinatie)"
_OF_LOCK = rf"(?:{_J}[\w\u2019']{{1,7}}){{0,3}}?{_J}(?:[dl].)?(?:{_LOCK}){_END}"
_NO = rf"(?:numbers?|no\.?|nr\.?|num|nummer|#){_END}"
_NUMBER_WORDS: _Words = {"all": "n[uú]mero,num[ée]ro,номер,numer"}
_N = f"(?:{_pattern(_NUMBER_WORDS)}|{EDGE}n[º°])"
PASSWORDS = (
    rf"{_pattern(_PASSWORDS)}|(?:db|ftp|imap|mail|root|smtp|ssh|sudo|user){_J}?pass(?![a-z])"
)
CODES = (
    rf"{_pattern(_CODES)}|(?:{_LOCK}),?{_J}?{_ENGLISH}{_END}|(?:{_pattern(_CODE_WORDS)}){_OF_LOCK}"
)
NUMBERS = (
    rf"(?:{_pattern(_NUMBERED)})s?{_J}?{_NO}|{_pattern(_NUMBERS, end=_END)}|"
    rf"{_N}{_J}(?:d\w{{1,3}}{_J})?(?:l[a'\u2019]{_J}?)?(?:{_pattern(_NUMBER_OF)})"
)
PHRASES = _pattern(_PHRASES)
LOGINS = _pattern(_LOGINS)
KEYS = _pattern(_KEYS, end=_END)
PHONES = _pattern(_PHONES)
DATE = (
    r"\d{1,2}(?:\.|st|nd|rd|th)?(?: de)? [^\W\d_]{3,9}\.?,?(?: de)? \d{4}|"
    r"[^\W\d_]{3,9} \d{1,2},? \d{4}"
)
"""A date with the name of its month."""
PASSWORD_STEMS = _stems(_PASSWORDS) | {"pass"}
CODE_STEMS = _stems(_CODES, _CODE_WORDS)
NUMBER_STEMS = _stems(_NUMBERED, _NUMBERS, _NUMBER_WORDS) | {"n°", "nº"}
PHRASE_STEMS = _stems(_PHRASES)
LOGIN_STEMS = _stems(_LOGINS)
KEY_STEMS = _stems(_KEYS)
PHONE_STEMS = _stems(_PHONES)


def hint(*stems: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern that finds one of some stems in a folded text."""
    return re.compile(any_of(sorted({stem for some in stems for stem in some})))
