"""Accounts at firms."""

from benchloom.worlds.suites.everyday.asking.draws import no, quoted, yes
from benchloom.worlds.suites.everyday.asking.wants import Named, Question, Requests, Want
from benchloom.worlds.suites.everyday.requests._things import EMAIL

_PASSWORDS = quoted("amber-oar-7", "nine-blue-kites", "plum2plum3", "rook&raven", "tall.hedge.44")
_USERNAMES = quoted("a_brandt", "ada27", "adab", "brandt_ada", "mill_ada")
_LOGIN = Named(
    tool="accounts.search_accounts",
    query="query",
    name="service",
    field="login_id",
    text="my account at {name}",
)
_SERVICE = Named(
    tool="accounts.search_services",
    query="query",
    name="name",
    field="service_id",
    text="{name}",
)
_CODE_MAIL = Named(
    tool="mail.search_mails",
    query="query",
    name="subject",
    field="mail_id",
    text='the mail "{name}"',
)
_CODE = Named(
    tool="mail.get_mail",
    by={"mail_id": _CODE_MAIL},
    field="code",
    text="the code in {mail_id}",
    one=True,
)
_ASK_CODE = Want(
    tool="accounts.request_code",
    text="have them mail me a code for {login_id}",
    take={"login_id": _LOGIN},
    makes=("mail_id", "the mail they send"),
)


def _about(field: str) -> Named:
    return Named(
        tool="accounts.search_accounts",
        query="query",
        name="service",
        field=field,
        text="{name}",
    )


REQUESTS = Requests(
    wants=(
        Want(
            tool="accounts.create_account",
            text="open an account for me at {service_id}, user name {username}, "
            "password {password}",
            take={"service_id": _SERVICE, "username": _USERNAMES, "password": _PASSWORDS},
            makes=("login_id", "the new account"),
        ),
        Want(
            tool="accounts.create_account",
            text="open an account at {service_id} with the user name {username} and the "
            "password {password}",
            take={"service_id": _SERVICE, "username": _USERNAMES, "password": _PASSWORDS},
            first={"service_id": _SERVICE},
            otherwise="if I have one there already, open it at {service_id}",
            makes=("login_id", "the new account"),
        ),
        Want(
            tool="accounts.update_account",
            text="change my user name for {login_id} to {username}",
            take={"login_id": _LOGIN, "username": _USERNAMES},
        ),
        Want(
            tool="accounts.update_account",
            text="change my user name for {login_id} to {username}",
            take={"login_id": _LOGIN, "username": _USERNAMES},
            first={"login_id": _LOGIN},
            otherwise="if that one is locked, change it for {login_id}",
        ),
        Want(
            tool="accounts.update_account",
            text="{two_step} the sign-in code for {login_id}",
            take={"login_id": _LOGIN, "two_step": yes("switch on", "turn on")},
        ),
        Want(
            tool="accounts.update_account",
            text="{two_step} the sign-in code for {login_id}",
            take={"login_id": _LOGIN, "two_step": no("switch off", "turn off")},
        ),
        Want(
            tool="accounts.update_account",
            text="change the mail address of {login_id} to that of {email}",
            take={"login_id": _LOGIN, "email": EMAIL},
        ),
        Want(tool="accounts.delete_account", text="close {login_id}", take={"login_id": _LOGIN}),
        _ASK_CODE,
        Want(
            tool="accounts.change_password",
            text="set the password of {login_id} to {password} with {code}",
            take={"login_id": _LOGIN, "code": _CODE, "password": _PASSWORDS},
            after=_ASK_CODE,
        ),
    ),
    questions=(
        Question(text="tell me my user name at {it}", about=_about("username")),
        Question(text="tell me to which address {it} writes", about=_about("email")),
        Question(
            text="tell me the mail address of {it}",
            about=Named(
                tool="accounts.search_services",
                query="query",
                name="name",
                field="email",
                text="{name}",
            ),
        ),
    ),
)
