"""Contacts, mail and messages: who is reached, who is not, and what stays as it is."""

from benchloom.worlds.everyday.rules import USER
from tests.benchloom.worlds.suites.everyday.support import Visit


def test_everybody_has_relations_and_most_are_contacts(visit: Visit) -> None:
    ((people,),) = visit.cells("SELECT count(*) FROM people")
    ((contacts,),) = visit.cells("SELECT count(*) FROM contacts WHERE person_id IS NOT NULL")
    ((alone,),) = visit.cells(
        "SELECT count(*) FROM people WHERE person_id NOT IN (SELECT other_id FROM relations)"
    )
    one_way = visit.cells(
        "SELECT 1 FROM relations AS a WHERE NOT EXISTS (SELECT 1 FROM relations AS b "
        "WHERE b.person_id = a.other_id AND b.other_id = a.person_id AND b.relation = a.relation)"
    )
    assert (people, contacts, alone, one_way) == (120, 110, 0, [])


def test_a_contact_is_a_person_where_the_address_is_known(visit: Visit) -> None:
    ((email, person_id),) = visit.cells(
        "SELECT email, person_id FROM people WHERE person_id = 'p012'"
    )
    contact = visit.told("contacts.create_contact", name="Lena", email=email, relation="friend")
    assert contact["person_id"] == person_id
    assert visit.refused("contacts.create_contact", name="Lena", email=email) == "conflict"
    stranger = visit.told("contacts.create_contact", name="Ona Reed", phone="+9995501234")
    assert stranger["person_id"] is None
    assert visit.refused("contacts.create_contact", name="Nobody") == "invalid_argument"
    taken = {"contact_id": stranger["contact_id"], "email": email}
    assert visit.refused("contacts.update_contact", **taken) == "conflict"


def test_the_group_emergency_keeps_its_contacts_and_is_small(visit: Visit) -> None:
    group = visit.first("contacts.search_groups", query="emergency")
    inside = visit.told("contacts.search_contacts", group_id=group["group_id"])
    assert len(inside) == group["members"] == 4
    member_id = inside[0]["contact_id"]
    assert visit.refused("contacts.delete_contact", contact_id=member_id) == "conflict"
    others = visit.told("contacts.search_contacts", relation="family")
    further = [contact["contact_id"] for contact in others if contact not in inside]
    pair = {"group_id": group["group_id"], "contact_id": further[0]}
    visit.told("contacts.add_to_group", **pair)
    assert visit.refused("contacts.add_to_group", **pair) == "conflict"
    full = {**pair, "contact_id": further[1]}
    assert visit.refused("contacts.add_to_group", **full) == "unavailable"
    visit.told("contacts.remove_from_group", group_id=group["group_id"], contact_id=member_id)
    gone = visit.told("contacts.delete_contact", contact_id=member_id)
    assert visit.refused("contacts.get_contact", contact_id=gone["contact_id"]) == "not_found"


def test_the_own_card_stays(visit: Visit) -> None:
    own = visit.first("contacts.search_contacts", relation="self")
    assert own["person_id"] == USER
    assert visit.refused("contacts.delete_contact", contact_id=own["contact_id"]) == "permission"
    blocked = {"contact_id": own["contact_id"], "blocked": True}
    assert visit.refused("contacts.update_contact", **blocked) == "permission"


def test_mail_goes_to_those_who_have_an_address(visit: Visit) -> None:
    text = {"subject": "Boat", "text": "At six."}
    send = "mail.send_mail"
    ((own,),) = visit.cells("SELECT email FROM people WHERE person_id = 'p001'")
    ((full,),) = visit.cells("SELECT email FROM people WHERE person_id = 'p017'")
    ((good,),) = visit.cells("SELECT email FROM people WHERE person_id = 'p002'")
    assert visit.refused(send, email="nobody@nowhere.example", **text) == "not_found"
    assert visit.refused(send, email=own, **text) == "invalid_argument"
    assert visit.refused(send, email=full, **text) == "unavailable"
    assert visit.refused(send, email=good, cc=[good], **text) == "invalid_argument"
    assert visit.refused(send, email=good, cc=[full], **text) == "unavailable"
    sent = visit.told(send, email=good, **text)
    assert (sent["folder_id"], sent["recipients"], sent["person_id"]) == ("sent", [good], USER)


def test_folders_and_stars_keep_mails(visit: Visit) -> None:
    one = visit.first("mail.search_mails")["mail_id"]
    visit.told("mail.update_mail", mail_id=one, starred=True)
    assert visit.refused("mail.delete_mail", mail_id=one) == "conflict"
    sent = {"mail_id": one, "folder_id": "sent"}
    assert visit.refused("mail.update_mail", **sent) == "permission"
    assert visit.refused("mail.delete_folder", folder_id="inbox") == "permission"
    folder = visit.told("mail.create_folder", name="Later")["folder_id"]
    visit.told("mail.update_mail", mail_id=one, folder_id=folder)
    assert visit.refused("mail.delete_folder", folder_id=folder) == "conflict"
    assert visit.refused("mail.update_mail", mail_id=one, folder_id=folder) == "conflict"
    assert [mail["mail_id"] for mail in visit.told("mail.search_mails", folder_id=folder)] == [one]


def test_firms_take_no_answer(visit: Visit) -> None:
    firm = visit.first("mail.search_mails", email="post@brisk-library.example")
    answer = {"mail_id": firm["mail_id"], "text": "Thanks"}
    assert visit.refused("mail.reply_mail", **answer) == "unavailable"
    from_firm = visit.refused("contacts.contact_from_mail", mail_id=firm["mail_id"])
    assert from_firm == "unavailable"


def test_only_own_messages_of_late_are_changed(visit: Visit) -> None:
    said = visit.told("messages.message_person", person_id="p003", text="Hello")
    thread = visit.told("messages.get_thread", thread_id=said["thread_id"])
    assert {member["person_id"] for member in thread["members"]} == {USER, "p003"}
    again = visit.told("messages.message_person", person_id="p003", text="Again")
    assert again["thread_id"] == said["thread_id"]
    changed = visit.told("messages.update_message", message_id=said["message_id"], text="Hi")
    assert (changed["text"], changed["edited"]) == ("Hi", True)
    foreign = visit.first("messages.search_messages", person_id="p006")["message_id"]
    assert visit.refused("messages.delete_message", message_id=foreign) == "permission"
    ((old,),) = visit.cells(
        "SELECT message_id FROM messages WHERE person_id = 'p001' ORDER BY sent_at LIMIT 1"
    )
    assert visit.refused("messages.delete_message", message_id=old) == "unavailable"


def test_threads_have_rules_of_their_own(visit: Visit) -> None:
    notices = visit.first("messages.search_threads", kind="notices")["thread_id"]
    write = "messages.send_message"
    assert visit.refused(write, thread_id=notices, text="Hello") == "permission"
    direct = visit.first("messages.search_threads", kind="direct")["thread_id"]
    join = {"thread_id": direct, "person_id": "p050"}
    assert visit.refused("messages.add_member", **join) == "permission"
    thread = visit.told("messages.create_thread", title="Rowing", person_ids=["p004", "p005"])
    again = {"thread_id": thread["thread_id"], "person_id": "p004"}
    assert visit.refused("messages.add_member", **again) == "conflict"
    visit.told("messages.remove_member", thread_id=thread["thread_id"], person_id=USER)
    assert visit.refused(write, thread_id=thread["thread_id"], text="Hello") == "permission"
    blocked = {"person_id": "p029", "text": "Hello"}
    assert visit.refused("messages.message_person", **blocked) == "permission"
