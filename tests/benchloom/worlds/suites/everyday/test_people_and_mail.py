"""Check whom contacts, mail and messages reach, and which changes are refused."""

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


def test_contact_with_a_known_address_refers_to_a_person(visit: Visit) -> None:
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
    duplicate_email = {"contact_id": stranger["contact_id"], "email": email}
    visit.refuses("conflict", "contacts.update_contact", **duplicate_email)


def test_emergency_group_keeps_contacts_and_limits_its_size(visit: Visit) -> None:
    group = visit.first("contacts.search_groups", query="emergency")
    members = visit.call("contacts.search_contacts", group_id=group["group_id"])
    assert len(members) == group["members"] == 4
    member_id = members[0]["contact_id"]
    visit.refuses("conflict", "contacts.delete_contact", contact_id=member_id)
    others = visit.call("contacts.search_contacts", relation="family")
    further = [contact["contact_id"] for contact in others if contact not in members]
    pair = {"group_id": group["group_id"], "contact_id": further[0]}
    visit.call("contacts.add_to_group", **pair)
    visit.refuses("conflict", "contacts.add_to_group", **pair)
    fifth_member = {**pair, "contact_id": further[1]}
    visit.refuses("unavailable", "contacts.add_to_group", **fifth_member)
    visit.call("contacts.remove_from_group", group_id=group["group_id"], contact_id=member_id)
    deleted_contact = visit.call("contacts.delete_contact", contact_id=member_id)
    visit.refuses("not_found", "contacts.get_contact", contact_id=deleted_contact["contact_id"])


def test_contact_of_the_user_cannot_be_changed(visit: Visit) -> None:
    user_contact = visit.first("contacts.search_contacts", relation="self")
    assert user_contact["person_id"] == USER
    visit.refuses("permission", "contacts.delete_contact", contact_id=user_contact["contact_id"])
    blocked = {"contact_id": user_contact["contact_id"], "blocked": True}
    visit.refuses("permission", "contacts.update_contact", **blocked)


def test_mail_is_sent_only_to_reachable_addresses(visit: Visit) -> None:
    text = {"subject": "Boat", "text": "At six."}
    send = "mail.send_mail"
    ((user_email,),) = visit.cells("SELECT email FROM people WHERE person_id = 'p001'")
    ((full_mailbox,),) = visit.cells("SELECT email FROM people WHERE person_id = 'p017'")
    ((valid_email,),) = visit.cells("SELECT email FROM people WHERE person_id = 'p002'")
    visit.refuses("not_found", send, email="nobody@nowhere.example", **text)
    visit.refuses("invalid_argument", send, email=user_email, **text)
    visit.refuses("unavailable", send, email=full_mailbox, **text)
    visit.refuses("invalid_argument", send, email=valid_email, cc=[valid_email], **text)
    visit.refuses("unavailable", send, email=valid_email, cc=[full_mailbox], **text)
    sent = visit.call(send, email=valid_email, **text)
    assert (sent["folder_id"], sent["recipients"], sent["person_id"]) == (
        "sent",
        [valid_email],
        USER,
    )


def test_starred_mails_and_filled_folders_cannot_be_deleted(visit: Visit) -> None:
    mail_id = visit.first("mail.search_mails")["mail_id"]
    visit.call("mail.update_mail", mail_id=mail_id, starred=True)
    visit.refuses("conflict", "mail.delete_mail", mail_id=mail_id)
    sent = {"mail_id": mail_id, "folder_id": "sent"}
    visit.refuses("permission", "mail.update_mail", **sent)
    visit.refuses("permission", "mail.delete_folder", folder_id="inbox")
    folder = visit.call("mail.create_folder", name="Later")["folder_id"]
    visit.call("mail.update_mail", mail_id=mail_id, folder_id=folder)
    visit.refuses("conflict", "mail.delete_folder", folder_id=folder)
    visit.refuses("conflict", "mail.update_mail", mail_id=mail_id, folder_id=folder)
    assert [mail["mail_id"] for mail in visit.call("mail.search_mails", folder_id=folder)] == [
        mail_id
    ]


def test_mails_from_companies_cannot_be_answered(visit: Visit) -> None:
    firm = visit.first("mail.search_mails", email="post@brisk-library.example")
    answer = {"mail_id": firm["mail_id"], "text": "Thanks"}
    visit.refuses("unavailable", "mail.reply_mail", **answer)
    visit.refuses("unavailable", "contacts.contact_from_mail", mail_id=firm["mail_id"])


def test_only_recent_messages_of_the_user_are_editable(visit: Visit) -> None:
    message = visit.call("messages.message_person", person_id="p003", text="Hello")
    thread = visit.call("messages.get_thread", thread_id=message["thread_id"])
    assert {member["person_id"] for member in thread["members"]} == {USER, "p003"}
    second_message = visit.call("messages.message_person", person_id="p003", text="Again")
    assert second_message["thread_id"] == message["thread_id"]
    changed = visit.call("messages.update_message", message_id=message["message_id"], text="Hi")
    assert (changed["text"], changed["edited"]) == ("Hi", True)
    other_message = visit.first("messages.search_messages", person_id="p006")["message_id"]
    visit.refuses("permission", "messages.delete_message", message_id=other_message)
    ((old_message,),) = visit.cells(
        "SELECT message_id FROM messages WHERE person_id = 'p001' ORDER BY sent_at LIMIT 1"
    )
    visit.refuses("unavailable", "messages.delete_message", message_id=old_message)


def test_threads_refuse_outsiders_and_duplicate_members(visit: Visit) -> None:
    notices = visit.first("messages.search_threads", kind="notices")["thread_id"]
    write = "messages.send_message"
    visit.refuses("permission", write, thread_id=notices, text="Hello")
    direct = visit.first("messages.search_threads", kind="direct")["thread_id"]
    join = {"thread_id": direct, "person_id": "p050"}
    visit.refuses("permission", "messages.add_member", **join)
    thread = visit.call("messages.create_thread", title="Rowing", person_ids=["p004", "p005"])
    duplicate_member = {"thread_id": thread["thread_id"], "person_id": "p004"}
    visit.refuses("conflict", "messages.add_member", **duplicate_member)
    visit.call("messages.remove_member", thread_id=thread["thread_id"], person_id=USER)
    visit.refuses("permission", write, thread_id=thread["thread_id"], text="Hello")
    blocked = {"person_id": "p029", "text": "Hello"}
    visit.refuses("permission", "messages.message_person", **blocked)
