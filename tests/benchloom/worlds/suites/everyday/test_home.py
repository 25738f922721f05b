"""Check that scenes set their devices and that devices of other people cannot be switched."""

from tests.benchloom.worlds.suites.everyday.support import Visit


def test_scene_sets_only_its_devices(visit: Visit) -> None:
    scene = visit.first("home.search_scenes", query="film")
    before = {device["device_id"]: device for device in visit.call("home.search_devices")}
    visit.call("home.run_scene", scene_id=scene["scene_id"])
    expected_settings = {setting["device_id"]: setting for setting in scene["settings"]}
    for device in visit.call("home.search_devices"):
        expected_state = expected_settings.get(device["device_id"], before[device["device_id"]])
        assert (device["is_on"], device["level"]) == (
            expected_state["is_on"],
            expected_state["level"],
        )


def test_invalid_home_calls_are_refused(visit: Visit) -> None:
    other = visit.first("home.search_devices", query="record player")["device_id"]
    plug = visit.first("home.search_devices", query="coffee")["device_id"]
    lock = visit.first("home.search_devices", kind="lock")["device_id"]
    empty = visit.first("home.search_scenes", query="empty")["scene_id"]
    visit.refuses("permission", "home.update_device", device_id=other, is_on=True)
    visit.refuses("invalid_argument", "home.update_device", device_id=plug, level=3)
    visit.refuses("invalid_argument", "home.update_device", device_id=plug)
    visit.refuses("unavailable", "home.run_scene", scene_id=empty)
    visit.refuses(
        "permission", "home.create_timed_switch", device_id=lock, time="07:00", is_on=False
    )
    visit.refuses("conflict", "home.add_guest", person_id="p002", until="2027-04-01")
    visit.refuses("invalid_argument", "home.add_guest", person_id="p020", until="2027-03-14")
    visit.refuses("invalid_argument", "home.add_guest", person_id="p020", until="2027-02-30")
    visit.refuses("permission", "home.add_to_scene", scene_id=empty, device_id=other, is_on=True)


def test_deleted_device_is_removed_from_its_scene(visit: Visit) -> None:
    blind = visit.first("home.search_devices", query="bedroom blind")["device_id"]
    scene = visit.first("home.search_scenes", query="morning")
    visit.call("home.delete_device", device_id=blind)
    settings = visit.call("home.get_scene", scene_id=scene["scene_id"])["settings"]
    assert len(settings) == len(scene["settings"]) - 1


def test_alarm_runs_at_most_a_single_scene(visit: Visit) -> None:
    alarm = visit.first("alarms.search_alarms")["alarm_id"]
    first_scene, second_scene = visit.call("home.search_scenes")[:2]
    visit.call("home.run_scene_at_alarm", scene_id=first_scene["scene_id"], alarm_id=alarm)
    visit.refuses(
        "conflict", "home.run_scene_at_alarm", scene_id=second_scene["scene_id"], alarm_id=alarm
    )
    visit.call("alarms.delete_alarm", alarm_id=alarm)
    assert visit.call("home.get_scene", scene_id=first_scene["scene_id"])["alarm_id"] is None
