"""Find host names of home networks, which providers of dynamic addresses or tunnels assign.

The name of a provider alone ("duckdns.org") identifies no person and is not replaced.
"""

import re
from collections.abc import Iterable

from benchloom.normalise.redaction.finders import Span, TextFinder

PROVIDERS = (
    "duckdns.org", "ddns.net", "no-ip.org", "no-ip.com", "no-ip.info", "no-ip.biz", "noip.me",
    "noip.us", "hopto.org", "hopto.me", "zapto.org", "sytes.net", "myftp.org", "myftp.biz",
    "myvnc.com", "redirectme.net", "servebeer.com", "serveblog.net", "servecounterstrike.com",
    "serveftp.com", "servegame.com", "servehalflife.com", "servehttp.com", "serveirc.com",
    "serveminecraft.net", "servemp3.com", "servepics.com", "servequake.com", "bounceme.net",
    "freedynamicdns.net", "freedynamicdns.org", "gotdns.ch", "webhop.me", "3utilities.com",
    "ddnsking.com", "onthewifi.com", "viewdns.net", "dyndns.org", "dyndns.info", "dyndns.biz",
    "dyndns.tv", "dyndns.ws", "dyndns1.de", "dyndns-home.com", "dyndns-server.com",
    "dyndns-remote.com", "dyndns-ip.com", "dyndns-at-home.com", "dynalias.com", "dynalias.net",
    "dynalias.org", "dnsalias.com", "dnsalias.net", "dnsalias.org", "dnsdojo.com", "gotdns.com",
    "gotdns.org", "homedns.org", "homeftp.net", "homeftp.org", "homeip.net", "homelinux.com",
    "homelinux.net", "homelinux.org", "homeunix.com", "homeunix.net", "homeunix.org",
    "is-a-geek.com", "is-a-geek.net", "is-a-geek.org", "kicks-ass.net", "kicks-ass.org",
    "selfip.com", "selfip.net", "selfip.org", "dynu.net", "dynu.com", "ddnsfree.com",
    "ddnsgeek.com", "giize.com", "gleeze.com", "kozow.com", "loseyourip.com", "mywire.org",
    "ooguy.com", "theworkpc.com", "casacam.net", "camdvr.org", "accesscam.org", "webredirect.org",
    "freeddns.org", "dynv6.net", "mooo.com", "chickenkiller.com", "crabdance.com",
    "ignorelist.com", "jumpingcrab.com", "strangled.net", "twilightparadox.com", "us.to",
    "afraid.org", "goip.de", "spdns.de", "spdns.org", "spdns.eu", "firewall-gateway.com",
    "firewall-gateway.de", "my-router.de", "selfhost.eu", "selfhost.me", "selfhost.de",
    "selfhost.bz", "ddnss.de", "ddnss.org", "dyndns.ddnss.de", "ydns.eu", "dedyn.io", "desec.io",
    "nsupdate.info", "feste-ip.net", "my-wan.de", "myhome-server.de", "dnshome.de",
    "myfritz.net", "synology.me", "dscloud.me", "dscloud.biz", "dscloud.mobi", "diskstation.me",
    "diskstation.eu", "diskstation.org", "familyds.com", "familyds.net", "i234.me", "myds.me",
    "dsmynas.com", "dsmynas.net", "dsmynas.org", "quickconnect.to", "myqnapcloud.com",
    "myqnapcloud.cn", "alpha-myqnapcloud.com", "myasustor.com", "mycloudnas.com",
    "remotewd.com", "wd2go.com", "asuscomm.com", "asuscomm.cn", "tplinkdns.com", "dlinkddns.com",
    "mydlink.com", "mynetgear.com", "keenetic.link", "keenetic.pro", "keenetic.name",
    "keenetic.io", "linksysremotemanagement.com", "mypi.co", "mikrotik.sn", "sn.mynetname.net",
    "ui.nabu.casa", "nabu.casa", "ts.net", "plex.direct", "freeboxos.fr", "hd.free.fr",
    "freemyip.com", "changeip.org", "ddns.me", "ddns.us", "ddns.info", "ddns.name", "dns-cloud.net",
    "dns-dynamic.net", "dtdns.net", "easydns.ca", "system-ns.net", "tzo.com", "tzo.net", "x10.bz",
    "dynip.org", "privatedns.org", "dnsd.info", "iptime.org", "dvrdns.org", "dvrdydns.com",
    "myddns.rocks", "myddns.me", "hikddns.com", "ddns5.com", "dyn-dns.net", "vpndns.net",
    "f3322.net", "f3322.org", "3322.org", "8866.org", "8800.org", "9966.org", "2288.org",
    "vicp.net", "vicp.cc", "vicp.io", "vicp.fun", "xicp.net", "xicp.cn", "gicp.net", "wicp.net",
    "wicp.vip", "eicp.net", "qicp.vip", "zicp.vip", "picp.net", "oicp.net", "imwork.net",
    "51vip.biz", "yicp.fun", "yicp.io", "goho.co", "uicp.net", "uicp.hk", "uicp.fun", "iask.in",
    "iok.la", "nat123.net", "tpddns.cn", "cdnhost.cn", "myddns.wang",
    "ngrok.io", "ngrok.app", "ngrok.dev", "ngrok-free.app", "ngrok-free.dev", "loca.lt",
    "localtunnel.me", "serveo.net", "trycloudflare.com", "pagekite.me", "localhost.run", "lhr.life",
    "telebit.io", "boringproxy.io", "playit.gg", "portmap.io", "portmap.host",
)  # fmt: skip
_NAMES = "|".join(re.escape(name) for name in sorted(PROVIDERS, key=len, reverse=True))
_HOST = re.compile(
    r"(?<![\w.-])((?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,6})(" + _NAMES + r")(?![\w-]|\.[^\W\d_])",
    re.IGNORECASE,
)
_PUBLIC = frozenset({"www", "api", "app", "update", "updates", "members", "dynupdate", "dashboard",
                     "help", "support", "docs", "blog", "my", "login", "global", "account",
                     "your", "yourname", "example", "myhome", "subdomain", "hostname", "name",
                     "checkip", "ipv4", "ipv6", "dns", "dyn", "freedns", "finds"})  # fmt: skip
"""Names of hosts of the providers themselves, and names that their manuals use."""


def _find(text: str) -> Iterable[Span]:
    for match in _HOST.finditer(text):
        if not set(match[1].lower().rstrip(".").split(".")) <= _PUBLIC:
            yield Span(match.start(), match.end(), "home_host")


FINDER = TextFinder(
    kinds=("home_host",), hint=re.compile(rf"\.(?:{_NAMES})(?![\w-])"), folded=True, find=_find
)
