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
    contact = visit.call("contacts.create_contact", name="Lena", email=email, relation="friend")
    assert contact["person_id"] == person_id
    visit.refuses("conflict", "contacts.create_contact", name="Lena", email=email)
    stranger = visit.call("contacts.create_contact", name="Ona Reed", phone="+9995501234")
    assert stranger["person_id"] is None
    assert visit.call("contacts.find_relatives", contact_id=stranger["contact_id"]) == []
    visit.refuses("invalid_argument", "contacts.create_contact", name="Nobody")
    taken = {"contact_id": stranger["contact_id"], "email": email}
    visit.refuses("conflict", "contacts.update_contact", **taken)


def test_the_group_emergency_keeps_its_contacts_and_is_small(visit: Visit) -> None:
    group = visit.first("contacts.search_groups", query="emergency")
    inside = visit.call("contacts.search_contacts", group_id=group["group_id"])
    assert len(inside) == group["members"] == 4
    member_id = inside[0]["contact_id"]
    visit.refuses("conflict", "contacts.delete_contact", contact_id=member_id)
    others = visit.call("contacts.search_contacts", relation="family")
    further = [contact["contact_id"] for contact in others if contact not in inside]
    pair = {"group_id": group["group_id"], "contact_id": further[0]}
    visit.call("contacts.add_to_group", **pair)
    visit.refuses("conflict", "contacts.add_to_group", **pair)
    full = {**pair, "contact_id": further[1]}
    visit.refuses("unavailable", "contacts.add_to_group", **full)
    visit.call("contacts.remove_from_group", group_id=group["group_id"], contact_id=member_id)
    gone = visit.call("contacts.delete_contact", contact_id=member_id)
    visit.refuses("not_found", "contacts.get_contact", contact_id=gone["contact_id"])


def test_the_own_card_stays(visit: Visit) -> None:
    own = visit.first("contacts.search_contacts", relation="self")
    assert own["person_id"] == USER
    visit.refuses("permission", "contacts.delete_contact", contact_id=own["contact_id"])
    blocked = {"contact_id": own["contact_id"], "blocked": True}
    visit.refuses("permission", "contacts.update_contact", **blocked)


def test_mail_goes_to_those_who_have_an_address(visit: Visit) -> None:
    text = {"subject": "Boat", "text": "At six."}
    send = "mail.send_mail"
    ((own,),) = visit.cells("SELECT email FROM people WHERE person_id = 'p001'")
    ((full,),) = visit.cells("SELECT email FROM people WHERE person_id = 'p017'")
    ((good,),) = visit.cells("SELECT email FROM people WHERE person_id = 'p002'")
    visit.refuses("not_found", send, email="nobody@nowhere.example", **text)
    visit.refuses("invalid_argument", send, email=own, **text)
    visit.refuses("unavailable", send, email=full, **text)
    visit.refuses("invalid_argument", send, email=good, cc=[good], **text)
    visit.refuses("unavailable", send, email=good, cc=[full], **text)
    sent = visit.call(send, email=good, **text)
    assert (sent["folder_id"], sent["recipients"], sent["person_id"]) == ("sent", [good], USER)


def test_folders_and_stars_keep_mails(visit: Visit) -> None:
    one = visit.first("mail.search_mails")["mail_id"]
    visit.call("mail.update_mail", mail_id=one, starred=True)
    visit.refuses("conflict", "mail.delete_mail", mail_id=one)
    sent = {"mail_id": one, "folder_id": "sent"}
    visit.refuses("permission", "mail.update_mail", **sent)
    visit.refuses("permission", "mail.delete_folder", folder_id="inbox")
    folder = visit.call("mail.create_folder", name="Later")["folder_id"]
    visit.call("mail.update_mail", mail_id=one, folder_id=folder)
    visit.refuses("conflict", "mail.delete_folder", folder_id=folder)
    visit.refuses("conflict", "mail.update_mail", mail_id=one, folder_id=folder)
    assert [mail["mail_id"] for mail in visit.call("mail.search_mails", folder_id=folder)] == [one]


def test_firms_take_no_answer(visit: Visit) -> None:
    firm = visit.first("mail.search_mails", email="post@brisk-library.example")
    answer = {"mail_id": firm["mail_id"], "text": "Thanks"}
    visit.refuses("unavailable", "mail.reply_mail", **answer)
    visit.refuses("unavailable", "contacts.contact_from_mail", mail_id=firm["mail_id"])


def test_only_own_messages_of_late_are_changed(visit: Visit) -> None:
    said = visit.call("messages.message_person", person_id="p003", text="Hello")
    thread = visit.call("messages.get_thread", thread_id=said["thread_id"])
    assert {member["person_id"] for member in thread["members"]} == {USER, "p003"}
    again = visit.call("messages.message_person", person_id="p003", text="Again")
    assert again["thread_id"] == said["thread_id"]
    changed = visit.call("messages.update_message", message_id=said["message_id"], text="Hi")
    assert (changed["text"], changed["edited"]) == ("Hi", True)
    foreign = visit.first("messages.search_messages", person_id="p006")["message_id"]
    visit.refuses("permission", "messages.delete_message", message_id=foreign)
    ((old,),) = visit.cells(
        "SELECT message_id FROM messages WHERE person_id = 'p001' ORDER BY sent_at LIMIT 1"
    )
    visit.refuses("unavailable", "messages.delete_message", message_id=old)


def test_threads_have_rules_of_their_own(visit: Visit) -> None:
    notices = visit.first("messages.search_threads", kind="notices")["thread_id"]
    write = "messages.send_message"
    visit.refuses("permission", write, thread_id=notices, text="Hello")
    direct = visit.first("messages.search_threads", kind="direct")["thread_id"]
    join = {"thread_id": direct, "person_id": "p050"}
    visit.refuses("permission", "messages.add_member", **join)
    thread = visit.call("messages.create_thread", title="Rowing", person_ids=["p004", "p005"])
    again = {"thread_id": thread["thread_id"], "person_id": "p004"}
    visit.refuses("conflict", "messages.add_member", **again)
    visit.call("messages.remove_member", thread_id=thread["thread_id"], person_id=USER)
    visit.refuses("permission", write, thread_id=thread["thread_id"], text="Hello")
    blocked = {"person_id": "p029", "text": "Hello"}
    visit.refuses("permission", "messages.message_person", **blocked)
