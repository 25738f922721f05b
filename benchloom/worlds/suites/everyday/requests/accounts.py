"""The requests that users can make about accounts at firms, with their wording."""

from benchloom.worlds.requests.draws import no, quoted, yes
from benchloom.worlds.requests.wants import Named, Question, Want, requests

_PASSWORDS = quoted("amber-oar-7", "nine-blue-kites", "plum2plum3", "rook&raven", "tall.hedge.44")
_USERNAMES = quoted("a_brandt", "ada27", "adab", "brandt_ada", "mill_ada")
_LOGIN = Named("accounts.search_accounts", "login_id", "my account at {name}", name="service")
_SERVICE = Named("accounts.search_services", "service_id", "{name}", name="name")
_CODE_MAIL = Named("mail.search_mails", "mail_id", 'the mail "{name}"', name="subject")
_CODE = Named("mail.get_mail", "code", "the code in {mail_id}", by={"mail_id": _CODE_MAIL})
_ASK_CODE = Want(
    "accounts.request_code",
    "have them mail me a code for {login_id}",
    {"login_id": _LOGIN},
    makes=("mail_id", "the mail they send"),
)


REQUESTS = requests(
    usual={
        "service_id": _SERVICE,
        "username": _USERNAMES,
        "password": _PASSWORDS,
        "login_id": _LOGIN,
    },
    wants=(
        Want(
            "accounts.create_account",
            "open an account for me at {service_id}, user name {username}, password {password}",
            makes=("login_id", "the new account"),
        ),
        Want(
            "accounts.create_account",
            "open an account at {service_id} with the user name {username} and the "
            "password {password}",
            first={"service_id": _SERVICE},
            otherwise="if I have one there already, open it at {service_id}",
            makes=("login_id", "the new account"),
        ),
        Want("accounts.update_account", "change my user name for {login_id} to {username}"),
        Want(
            "accounts.update_account",
            "change my user name for {login_id} to {username}",
            first={"login_id": _LOGIN},
            otherwise="if that one is locked, change it for {login_id}",
        ),
        Want(
            "accounts.update_account",
            "{two_step} the sign-in code for {login_id}",
            {"login_id": _LOGIN.among(two_step=False), "two_step": yes("switch on", "turn on")},
        ),
        Want(
            "accounts.update_account",
            "{two_step} the sign-in code for {login_id}",
            {"login_id": _LOGIN.among(two_step=True), "two_step": no("switch off", "turn off")},
        ),
        Want("accounts.delete_account", "close {login_id}"),
        _ASK_CODE,
        Want(
            "accounts.change_password",
            "set the password of {login_id} to {password} with {code}",
            {"login_id": _LOGIN, "code": _CODE},
            after=_ASK_CODE,
        ),
    ),
    questions=(
        Question("tell me my user name at {it}", _LOGIN.for_field("username", "{name}")),
        Question("tell me to which address {it} writes", _LOGIN.for_field("email", "{name}")),
        Question("tell me the mail address of {it}", _SERVICE.for_field("email")),
    ),
)
