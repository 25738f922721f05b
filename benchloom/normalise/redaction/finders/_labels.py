"""List words that announce a secret, such as "password", per kind of secret and language.

Words are parts of patterns for lower-case texts. Commas separate words, and a blank stands for a
blank, a hyphen, an underscore, an apostrophe or nothing. A hyphen before a word allows the word
inside a longer word.
"""

import re
from collections.abc import Iterable, Iterator

from benchloom.normalise.redaction.finders import any_of

_Words = dict[str, str]
_PASSWORDS: _Words = {
    "en": "-pass ?(?:word|code|phrase|wd),(?:backup|recovery) ?codes?,(?:security|secret) answer,"
    "-wi.?fi ?(?:key|pass|code),-wlan ?(?:key|code),-network ?key,-wpa\\d? ?key,pw(?![a-z]),"
    "p/w(?=\\s?[:=]),psw(?![a-z]),maiden name,(?:safe|code|secret) ?word",
    "de": "-passwort,-passwörter,-kennwort,-losungswort,-wlan ?schlüssel,-netzwerk ?schlüssel,"
    "code ?wort",
    "fr": "mots? de passe,mdp,cl[ée] (?:(?:de|du) )?(?:la |l.)?(?:wi.?fi|réseau|wpa),code wi.?fi",
    "es": "-contrase[ñn]a,clave (?:del? )?(?:la )?(?:wi.?fi|red)",
    "it": "-parola(?: d.ordine)?,chiave (?:d[ei](?:l(?:la)?)? )?(?:wi.?fi|rete)",
    "pt": "-senha,palavra.passe,chave (?:d[aeo] )?(?:wi.?fi|rede)",
    "nl": "-wachtwoord,-wachtzin,-wi.?fi.?sleutel,-netwerk ?sleutel",
    "zh": "-密码(?!锁),-密碼(?!鎖),-口令,-提取码,-提取碼,-访问码,-暗号,-暗號,-通关密语",
    "ja": "-パスワード,-パスコード,-合言葉,-暗号キー,-ネットワークキー",
    "ru": "парол[ьяею],кодовое слово,ключ (?:от )?(?:wi.?fi|вай.?фа[йя])",
    "ko": "-비밀번호,-비번,-암호,-패스워드",
    "sv": "-lösen(?:ord)?(?:et|en|s)?(?![a-z])",
    "no": "-passord",
    "da": "-adgangskode,-kodeord",
    "fi": "-salasana",
    "pl": "has[łl][oa]",
    "cs": "hesl[oa]",
    "hu": "-jelsz[óa]",
    "is": "-lykilorð",
    "lt": "-slaptažodi",
    "et": "-parool",
    "sl": "-geslo",
    "uk": "пароль,гасло",
    "bg": "парола",
    "sr": "лозинка",
    "tr": "-şifre",
    "ro": "-parol[ăa]",
    "hr": "-lozinka",
    "el": "-κωδικ[όο]ς",
    "ca": "-contrasenya",
    "vi": "-mật khẩu",
    "id": "-sandi(?![a-z])",
    "th": "-รหัส ?(?:ผ่าน|wi.?fi)",
    "he": "-סיסמ[הא]",
    "ar": "-كلمة (?:ال)?(?:سر|مرور),-الرقم السري",
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
"""Names that mean a code without further words."""
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
    "safe,locker,security,pass,key ?pad,key ?box,lock ?box,unlock,voicemail,office,elevator,lift,"
    "card,bank,atm,sim,parking,wi.?fi,guest,gym,bike,padlock,shed,cabin,lobby,intercom,pool,"
    "apartment,flat,storage,vault,panel",
    "de": "(?:haus)?tür,haus,tor,garagen?,zugangs?,zutritts?,eingangs?,tresor,schloss,keller,"
    "schließfach,wohnungs?,handy,karten?,fahrradschloss,alarmanlage",
    "fr": "porte,portail,alarme,immeuble,accès,entrée,coffre,cadenas,interphone,carte,boîte,"
    "b[âa]timent",
    "es": "puerta,alarma,garaje,entrada,acceso,tarjeta,caja,portal,portón,candado,edificio,"
    "trastero",
    "it": "porta,portone,cancello,allarme,accesso,carta,cassaforte,lucchetto,ingresso,citofono,"
    "sblocco,bancomat",
    "pt": "porta,portão,portaria,acesso,cartão,cofre,garagem,prédio,cadeado,fechadura",
    "nl": "(?:voor)?deur,poort,toegangs?,kluis,ingang,slot,kast,sleutelkluis",
    "pl": "sejf\\w*,bram\\w*,drzwi,alarm\\w*,domofon\\w*,furtk\\w*",
    "nordic": "dörr\\w*,port\\w*,larm\\w*,grind\\w*,kassaskåp\\w*,nøkkelboks\\w*,dør\\w*,"
    "låge\\w*,ovi\\w*,ove\\w*,portti\\w*,portin,hälyt\\w*,avainlaat\\w*",
    "cs": "dveř\\w*,brán\\w*,trezor\\w*",
    "hu": "ajtó\\w*,kapu\\w*,riasztó\\w*,széf\\w*",
    "tr": "kap\u0131\\w*,kasa\\w*,alarm\\w*",
    "ro": "uș\\w*,poart\\w*,seif\\w*,alarm\\w*",
    "he": "דלת,שער,בניין,אזעקה,כספת,חניון",
    "ar": "(?:ال)?(?:باب|بوابة|إنذار|خزنة|مبنى)",
    "uk": "двер\\w*,воріт,сейф\\w*,під.їзд\\w*",
    "all": "router\\w*,modem\\w*,schlüssel(?:kasten|box|safe|tresor)",
    "ru": "двери,домофона,подъезда,сейфа,карты,ворот,гаража,сигнализации,замка,входа,калитки",
}
_SHORT_NAMES = (
    "s/n,sn,reservation,booking,confirmation,tin,sin,tfn,nric,utr,ein,fin,vin,nir,rib,rfc,rut,rg,"
    "pis,nip,nik,cnp,oib,emšo,kvnr,pnr,mrn,ban,cuit,cuil,αφμ,αμκα,cccd,dl,"
)
"""Abbreviations that name a number only if a sign such as a colon follows."""
_NUMBERS: _Words = {
    "en": "imei,meid,iccid,udid,ssn,nino,iban,(?:device|advertising) ?id,idf[av],dob,"
    "date of birth,birth ?da(?:te|y),born(?: on)?,license plate,plate number,"
    "driver.?s licen[cs]e,national insurance,nhs,itin,sort code,serial(?!iz),passport,"
    "(?:tax|member|membership|patient|national|student|employee|staff|customer|client|voter|"
    "insurance|donor|emirates|personal|identity) ?id,"
    "social security,medicare,driving licen[cs]e,number plate,(?:health|library|loyalty) card,"
    "insurance policy,medical record,aadhaar,pan card,acct,bank account,known travell?er,"
    "residence permit,green card,credit card,debit card",
    "de": "kfz.kennzeichen,kennzeichen,geburtsdatum,geburtstag,geboren(?: am)?,steuer ?id(?:nr)?,"
    "reisepass,personalausweis,führerschein,nummernschild,bahncard,kreditkarte,"
    "bibliotheksausweis,aktenzeichen,versicherungsschein,fahrgestell",
    "fr": "date de naissance,née? le,passeport,permis de conduire,carte vitale,"
    "plaque(?: d.)?(?:immatriculation)?,immatriculation,carte d.identité,mutuelle,matricule,"
    "carte bancaire",
    "es": "fecha de nacimiento,nacid[oa] el,dni,nie,nif,curp,nss,pasaporte,matrícula,localizador,"
    "carnet de conducir,licencia de conducir,tarjeta sanitaria,cédula,bastidor",
    "it": "data di nascita,nat[oa] il,codice fiscale,passaporto,tessera sanitaria,targa,patente,"
    "carta d.identità,matricola",
    "pt": "data de nascimento,cpf,cnh,niss,contribuinte,passaporte,conta corrente,apólice,"
    "carta de condução,placa do carro,cartão (?:de cidadão|do sus),título de eleitor,renavam,"
    "localizador",
    "nl": "geboortedatum,geboren op,bsn,burgerservicenummer,kenteken,paspoort,rijbewijs,zorgpas,"
    "ov ?chipkaart",
    "zh": "-身份证号?码?,-护照号?码?,-序列号,-银行卡号?,-社保号?卡?号?,-驾照号?,-驾驶证号?,-税号,"
    "-卡号,-保单号,-医保号,-账户号,-出生日期,-生日,-车牌号?",
    "ja": "-シリアル番号,-マイナンバー,-個人番号,-口座番号,-パスポート番号,-旅券番号,-免許証番号,"
    "-保険証番号,-カード番号,-会員番号,-製造番号,-生年月日,-保険証,-免許証,-ナンバープレート",
    "ko": "-주민등록번호,-여권번호,-계좌번호,-카드번호,-운전면허번호,-일련번호,-생년월일,"
    "-운전면허,-학번,-사번",
    "ru": "дата рождения,инн,снилс,паспорта?,серийный номер,полис(?: омс)?,загранпаспорт,"
    "водительское удостоверение,госномер,табельный номер,лицевой сч[её]т",
    "pl": "pesel,data urodzenia,dow[óo]d osobisty,prawo jazdy",
    "sv": "personnummer,körkort",
    "da": "sygesikring,cpr.?(?:nummer|nr)?",
    "no": "fødselsnummer",
    "fi": "henkilötunnus,hetu",
    "cs": "rodné číslo,občanský průkaz",
    "tr": "kimlik no,kimlik numaras\u0131,tckn,tc kimlik,plaka,ehliyet",
    "th": "-เลขบัตร,-เลขบัญชี",
    "he": "-תעודת זהות",
    "hi": "-आधार",
    "short": _SHORT_NAMES.replace(",", r"(?=\s?[:=#]|\Z),").rstrip(","),
}
"""Complete names for numbers of persons, devices, documents and accounts."""
_NUMBERED: _Words = {
    "en": "serial(?!iz),passport,national insurance,(?:credit|debit|bank|id|health|loyalty)?card,"
    "account,routing,tax(?: file)?,insurance,policy,member(?:ship)?,social security,"
    "driver.?s licen[cs]e,licen[cs]e,visa,patient,medicare,customer,frequent flyer,employee,nhs,"
    "identity card",
    "de": "serien,(?:reise)?pass,(?:personal)?ausweis,steuer(?:identifikations)?,"
    "sozialversicherungs,rentenversicherungs,krankenversicherungs,versicherten,versicherungs,"
    "konto,kreditkarten,karten,führerschein,kunden,mitglieds,geräte",
    "nl": "serie,paspoort,rekening,kaart,polis,rijbewijs,klant,verzekerings,creditcard,sofi",
}
"""Words such as "passport", which name a number of a person or account if a word for "number"
follows."""
_NUMBER_OF: _Words = {
    "fr": "série,sécurité sociale,passe?port,compte,carte,permis,contrat,police,client,sécu",
    "es": "serie,seguridad social,pasaporte,cuenta,tarjeta,licencia,póliza,afiliación,socio,"
    "seguro,identificación,carnet",
    "it": "serie,passaporto,conto,carta,patente,tessera,polizza,previdenza",
    "pt": "série,segurança social,passaporte,conta,cartão,contribuinte,apólice,utente",
    "ru": "карты,счета,паспорта,полиса,прав,водительского удостоверения",
    "pl": "dowodu,paszportu,konta,karty,polisy,rachunku",
}
"""Words such as "passeport", which name a number of a person or account after words for "number
of"."""
_PHRASES: _Words = {
    "en": "(?:recovery|seed|backup|secret|wallet|mnemonic) (?:phrase|words),mnemonic,seed,"
    "(?:12|24|twelve) words",
    "de": "wiederherstellungs(?:phrase|wörter|satz)",
    "fr": "phrase (?:de récupération|secrète|mnémonique)",
    "es": "semilla,frase (?:de recuperación|semilla|secreta),palabras de recuperación",
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
    "en": "totp,key(?<!wfkey)(?<!dictionarykey)s?,token(?<!wftexttoken)s?,secrets?,credentials?,"
    "api,serial(?!iz),licen[cs]e,activation code",
    "de": "-schlüssel,lizenz",
    "fr": "clé,clef,jeton,licence",
    "es": "clave,llave,licencia,secreto",
    "it": "chiave,licenza,segreto",
    "pt": "chave,licença,segredo",
    "nl": "-sleutel,licentie",
    "zh": "-令牌,-密钥,-秘钥,-授权码,-激活码,-序列号",
    "ja": "-キー,-トークン,-シークレット",
    "ko": "-토큰,-인증키",
    "ru": "ключ,токен",
}
_PHONES: _Words = {
    "en": "tel(?:ephone)?,phone(?: number)?,mobile(?: number)?,cell(?: ?phone)?,fax,call,text,"
    "whatsapp,sms",
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
_HEADS: dict[str, _Words] = {
    "access_code": {
        "en": "pin,combo,combination,otp,tan,puk",
        "de": "codes?,kombination",
        "nl": "combinatie",
        "nordic": "kod(?:en)?,kode[nr]?,koodi",
        "cs": "kód",
        "hu": "kód",
        "sl": "koda",
        "tr": "kodu,şifresi",
        "zh": "码,碼",
        "ja": "コード,番号",
        "ko": "코드,번호",
    },
    "personal_number": {
        "en": "no,nr,num,ref,reference,locator",
        "de": "numbers?,nummer,nummern",
        "nordic": "nummeret,numero",
        "hu": "szám",
        "tr": "numaras\u0131",
        "zh": "号码?,號碼?,编号,編號",
        "ja": "番号",
        "ko": "번호",
    },
    "access_key": {
        "en": "key,token,secret,credential,seed",
        "de": "schlüssel,geheimnis",
        "nl": "sleutel",
        "nordic": "nyckel,nøkkel,nøgle,avain",
        "hu": "kulcs",
        "tr": "anahtar[\u0131i]?,belirteci",
        "zh": "密?钥,密?鑰,金鑰,令牌,权杖,權杖,许可证",
        "ja": "キー,鍵,トークン,シークレット",
        "ko": "키,토큰",
        "hi": "कुंजी",
    },
}
"""Last words of names, which follow their modifiers: "booking number", "Torcode",
"API-Schlüssel"."""
_FIRST_HEADS: dict[str, _Words] = {
    "access_code": {
        "all": "code d[eu]s?,code de l[a']?,code d',code pour,c[óo]digo(?: del?)?,"
        "c[óo]digo d[aeo],codice(?: de(?:l|lla|ll'))?,codice d[i'],"
        "code (?:of|for|to|on|van|van de|voor|für|der|zum),код(?: от| для)?,"
        "kod(?: do| od| till)?,kode til,k[óo]d(?: k[eu]?| od)?,cod,mã,kode,רמז,קוד,رمز,รหัส,"
        "κωδικός,κωδικόσ"
    },
    "personal_number": {
        "all": "n[o°º]?,num[ée]ro(?: d[eiu'])?,n[úu]mero(?: del?| d[aeo])?,номер,numer,číslo,"
        "référence(?: de)?,referencia,localizador,số,nomor,αριθμός,αριθμόσ,מספר,رقم,เลข"
    },
    "access_key": {
        "all": "cl[ée]f?,jeton,clave,llave,chiave,chave,ключ,токен,klucz,klíč,ključ,clau,cheie,"
        "khóa,kunci,token,κλειδί,คีย์,מפתח,مفتاح,secret"
    },
}
"""First words of names, which precede their modifiers: "code du portail", "número de cliente"."""
_LOCK_NAMES: _Words = {
    "en": "combo,otp,pad ?lock,bike ?lock,combination ?lock,key ?safe,lock ?box,key ?box",
    "de": "(?:fahrrad|zahlen|vorhänge)schloss,alarmanlage,schlüssel(?:box|safe|kasten)",
    "fr": "cadenas,coffre.?fort,bo[îi]te à clés",
    "es": "candado,caja fuerte",
    "it": "lucchetto,cassaforte",
    "pt": "cadeado",
    "nl": "(?:fiets|hang)slot,kluis",
    "sl": "šifra",
    "ru": "пин",
    "zh": "密码锁,保险箱,保險箱",
    "ja": "金庫",
    "ko": "금고",
}
"""Names of locks. A number that is assigned to a lock opens it."""
_PUBLIC: _Words = {
    "words": "error,status,exit,return,response,result,http,zip,post,country,area,region,dial,"
    "colou?r,hex,source,qr,bar,promo,discount,coupon,referral,currency,language,locale,iso,"
    "airport,iata,icao,station,stop,morse,dress,ascii,uni(?:code)?,product,item,article,part,"
    "model,type,version,build,course,event,weather,city,state,unit,zone,genre,category,"
    "sort(?!ier),format,file,byte,geo,condition,icon,emoji,symbol,font,fault,diagnostic,ph?one,"
    "tele,tel,mobile,cell,fax,hotline,service,support,help,emergency,toll,whatsapp,page,issue,"
    "room,flight,train,bus,gate,track,chapter,episode,season,week,day,year,question,level,song,"
    "video,channel,port,process,random,lucky,isbn,issn,ean,upc,sku,asin,vat,company,charity,"
    "catalog,patent,sequence,lot,batch,bundle,app ?store,album,movie,row,line,column,house,"
    "street,script,test,example,sample,demo,public,registration,cas,postale,primary,foreign,"
    "partition,hash,cache,object,json,dict(?:ionary)?,map,hot,short ?cut,arrow,search,group,next,"
    "sync,max,min,default,music,piano,key(?=code),lookup,index,menu,option,field,first,last,"
    "current,new,any,no,same,some,plist,prefs?,postal,erreur,barres?,couleur,pays,langue,réponse,"
    "retour,téléphone,modèle,vol,chambre,siret,siren,publique,vert,verde,gratuit[oa]?,errore?s?,"
    "fuente,barras?,color,país,idioma,respuesta,teléfono,vuelo,móvil,página,sorgente,barre,"
    "colore,paese,lingua,sconto,risposta,volo,cellulare,iva,pubblica,destinat,erro,fonte,cor,"
    "desconto,celular,voo,cnpj,pública",
    "beginnings": "fehler,länder,landes,vorwahl,farb,quell,strich,balken,rabatt,währungs?,sprach,"
    "artikel,modell,seiten,zeilen,zimmer,haus(?!tür),flug,zug,gleis,handy,mobil,ruf,notruf,"
    "folgen?,kapitel,ausgabe,jahres,tages,versions,öffentlich,an(?=zahl),wetter,uhr,quer,prim,"
    "fout,land,kleur,bron,streepjes,taal,korting,kamer,vlucht,btw,kvk,ошибки,страны,почтов,цвета,"
    "валюты,языка,ответа,города,региона,исходный,телефон,рейса,страницы,публичн,открыт,邮,錯誤,"
    "错误,状态,二维,条,国家,区,颜色,源,优惠,折扣,语言,货币,返回,响应,代,编(?=码),解,字,电话,電話,"
    "手机,手機,型,信,符,句,逗,冒,引,括,星,页,房间,航班,章,期,公,主,快捷,エラー,ステータス,国,"
    "郵便,カラー,色,ソース,バー,言語,通貨,クーポン,文字,商品,製品,携帯,便名,部屋,ページ,検索,"
    "公開,矢印,ショートカット,오류,에러,상태,국가,우편,색상,소스,바코드,언어,통화,쿠폰,할인,전화,"
    "휴대,모델,편,공개,검색",
}
"""Words that make a code, number or key harmless, such as "error" in "error code"."""
_ARTICLES = (
    "the,a,an,this,that,which,what,enter,type,d(?:er|ie|as)?,le,la,les,el,il,lo,o,os,as,de,het,"
    "een,ein,eine,un,une,una,um,uma,is,by,and,or,use,if,one,your,each,every,all,of,for,to"
)
PREPOSITIONS = (
    r"of|for|to|on|at|from|fürs?|vo[mn]|zu[mr]|beim|[ia]m|ins?|de[rslm]?|du|del(?:la?|lo)?|d[aoi]|"
    r"pour|para|per|sur|en|van|voor|op|til|för|av|od|do|dla|на|для|от|к|до"
)
"""Words between a name and its purpose: "code of the gate", "code du portail"."""
VERBS = r"is(?: now)?|are|was|will be|changed to|now|ist|lautet|heißt|est|es|è|é|är|er|jest|это"
"""Verbs between a name and its value, as in "the code is 4711"."""
EDGE = r"(?<![a-zà-ÿа-яёα-ω])"
_END = r"(?![a-zà-ÿа-яё])"
_J = "[ _'\u2019-]"
_GROUP = re.compile(r"(?:\(\?:([^()]*)\)|\[([^\]]*)\])(\??)")
_LITERAL = re.compile(r"(?:[^\W_](?![?*{])|/|\.\?)+(?:\(\?[=!<][^)]*\))*")
_STEM = 12


def _pattern(*groups: _Words, end: str = "") -> str:
    words = [
        # The rest of a word is bounded, because only the text near a mark is searched.
        word.replace(" ?", " ").replace(" ", f"{_J}?").replace("\\w*", "\\w{0,16}")
        for word in _all_words(groups)
    ]
    free = [word[1:] for word in words if word[0] == "-"]
    edged = "|".join(word for word in words if word[0] != "-")
    return "|".join([*([f"{EDGE}(?:{edged}){end}"] if edged else []), *free])


def _all_words(groups: Iterable[_Words]) -> list[str]:
    return [word for group in groups for words in group.values() for word in words.split(",")]


def _stems(*groups: _Words) -> frozenset[str]:
    """Return the first letters of these words. Each match of a word contains one of these stems."""
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


LOCKS = _pattern(_LOCKS)
_ENGLISH = f"(?:{'|'.join(_CODE_WORDS['en'].split(','))}|kombination|combinatie)"
_OF_LOCK = rf"(?:{_J}[\w\u2019']{{1,7}}){{0,3}}?{_J}(?:[dl].)?(?:{LOCKS}){_END}"
_NO = rf"(?:numbers?|no\.?|nr\.?|num|nummer|#){_END}"
_NUMBER_WORDS: _Words = {"all": "n[uú]mero,num[ée]ro,номер,numer"}
_N = f"(?:{_pattern(_NUMBER_WORDS)}|{EDGE}n[º°])"
PASSWORDS = (
    rf"{_pattern(_PASSWORDS)}|(?:db|ftp|imap|mail|root|smtp|ssh|sudo|user){_J}?pass(?![a-z])"
)
CODES = (
    rf"{_pattern(_CODES)}|(?:{LOCKS}),?{_J}?{_ENGLISH}{_END}|(?:{_pattern(_CODE_WORDS)}){_OF_LOCK}"
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
"""Matches a date that contains the name of its month."""
NAMES = {
    kind: re.compile(
        rf"(?P<behind>.*\S)(?: (?:{heads['en'].replace(',', '|')})|"
        rf" ?(?:{'|'.join(_all_words([{k: v for k, v in heads.items() if k != 'en'}]))}))"
        rf"(?: \d)?\Z|"
        rf"(?:.* )??(?:{'|'.join(_all_words([_FIRST_HEADS[kind]]))}) ?(?P<before>(?<=[ ']).+)\Z"
    )
    for kind, heads in _HEADS.items()
}
LOCK_NAME = re.compile(rf"(?:.* )?(?:{'|'.join(_all_words([_LOCK_NAMES])).replace(' ?', ' ?')})\Z")
"""Matches the name of a lock."""
ORDINARY = re.compile(
    rf"(?:^| )(?:(?:{_PUBLIC['words'].replace(',', '|')})s?(?![a-zà-ÿ])|"
    rf"(?:{any_of(_PUBLIC['beginnings'].split(','))}))|"
    rf"\A(?:(?:{'|'.join(_ARTICLES.split(','))}) ?)*\Z"
)
"""Matches the modifier of a name if the code, number or key with this name is no secret."""
NAME_STEMS = _all_words(
    [
        {
            "all": "code,pin(?<![a-z]pin),comb[oi],number,numm,nr(?![a-z]),kod,koo,"
            "ref(?<![a-z]ref),kód,otp(?![a-z]),tan(?<![a-z]tan)(?![a-z]),puk(?![a-z]),码,碼,"
            "コード,番号,코드,번호,szám,号,號,locator,key(?<!wfkey)(?<!dictionarykey),"
            "token(?<!wftexttoken),secret,seed,schlüssel,geheimn,sleutel,nyckel,nøkkel,nøgle,"
            "avain,kulcs,anahtar,belirte,钥,鑰,令牌,杖,许可,キー,鍵,トークン,シークレ,키,토큰,"
            "कुंजी,c[óo]dig,codice,код,mã,קוד,رمز,รหัส,κωδικ,n[°º],núm,num[ée]r,номер,číslo,"
            "référence,localiz,số,nomor,αριθμ,מספר,رقم,เลข,cl[ée]f?(?![a-z]),jeton,clave,llave,"
            "chiave,chave,ключ,токен,klucz,klíč,ključ,clau(?![a-z]),cheie,khóa,kunci,κλειδ,คีย์,"
            "מפתח,مفتاح,lock(?![a-z]),lock ?box,key ?box,schloss,alarmanl,cadenas,coffre,"
            "bo[îi]te,candado,caja f,lucchetto,cassaf,cadeado,fietss,hangs,kluis,šifra,пин,"
            "保险箱,保險箱,金庫,금고"
        }
    ]
)
"""Stems of the names in `NAMES` and of locks, without "no" and "num", which are too frequent."""
PASSWORD_STEMS = _stems(_PASSWORDS) | {"pass"}
CODE_STEMS = _stems(_CODES, _CODE_WORDS)
NUMBER_STEMS = _stems(_NUMBERED, _NUMBERS, _NUMBER_WORDS) | {"n°", "nº"}
PHRASE_STEMS = _stems(_PHRASES)
LOGIN_STEMS = _stems(_LOGINS)
KEY_STEMS = _stems(_KEYS)
PHONE_STEMS = _stems(_PHONES)
