"""Check that every reference in a description leads to exactly one producer."""

from demo.drafts import Draft, attachment, text, token, variable
from tests.parsers.shortcuts.drafts import describe


def test_outputs_of_equal_names_are_labelled_with_steps() -> None:
    draft = Draft("t")
    first = draft.add("url", WFURLActionURL="https://one.example")
    draft.add("gettext", WFTextActionText="x")
    second = draft.add("url", WFURLActionURL="https://two.example")
    draft.add("showresult", Text=text(first, " ", second))
    lines = describe(draft)
    assert lines[0].endswith("-> URL (of step 1)")
    assert lines[1] == 'gettext(WFTextActionText="x")'
    assert lines[2].endswith("-> URL (of step 3)")
    assert lines[3] == 'showresult(Text="[output: URL (of step 1)] [output: URL (of step 3)]")'


def test_stale_output_name_is_replaced_by_the_custom_name() -> None:
    draft = Draft("t")
    text_output = draft.add("gettext", WFTextActionText="x", CustomOutputName="Greeting")
    draft.add("showresult", Text=attachment({**text_output, "OutputName": "Farewell"}))
    assert describe(draft)[1] == "showresult(Text=[output: Greeting])"


def test_consumers_with_different_names_get_one_label() -> None:
    draft = Draft("t")
    text_output = draft.add("gettext", WFTextActionText="x")
    draft.add("showresult", Text=attachment({**text_output, "OutputName": "Tekst"}))
    draft.add("showresult", Text=text("so ", {**text_output, "OutputName": "Texto"}))
    draft.add("org.example.app.Do", deep={"a": [{**text_output, "OutputName": "Text"}]})
    lines = describe(draft)
    assert lines[0].endswith("-> Tekst")
    assert [line.count("[output: Tekst]") for line in lines] == [0, 1, 1, 1]


def test_repeated_uuid_is_labelled_with_the_bound_step() -> None:
    draft = Draft("t")
    text_output = draft.add("gettext", WFTextActionText="first")
    draft.add("org.example.app.Do", deep={"a": attachment(text_output)})
    draft.raw("is.workflow.actions.gettext", {"UUID": text_output["OutputUUID"]})
    draft.add("org.example.app.Do", deep={"a": attachment(text_output)})
    lines = describe(draft)
    assert "[output: Text (of step 1)]" in lines[1]
    assert "[output: Text (of step 3)]" in lines[3]


def test_missing_producer_is_labelled() -> None:
    draft = Draft("t")
    missing_output = token("ActionOutput", OutputUUID="GONE", OutputName="Photo")
    draft.add("showresult", Text=attachment(missing_output))
    assert describe(draft) == ["showresult(Text=[output: Photo (of a missing step)])"]


def test_name_that_looks_like_a_label_stays_distinct() -> None:
    draft = Draft("t")
    first = draft.add("url", WFURLActionURL="https://one.example")
    second = draft.add("url", WFURLActionURL="https://two.example")
    third = draft.add("gettext", CustomOutputName="URL (of step 1)")
    draft.add("showresult", Text=text(first, second, third))
    lines = describe(draft)
    labels = [line.partition(" -> ")[2] for line in lines[:3]]
    assert len(set(labels)) == 3
    assert all(f"[output: {label}]" in lines[3] for label in labels)


def test_block_result_is_labelled_on_the_last_line() -> None:
    draft = Draft("t")
    draft.control("conditional", "g", 0, WFCondition=100)
    draft.control("conditional", "g", 2, UUID="RESULT")
    block_output = token("ActionOutput", OutputUUID="RESULT", OutputName="If Result")
    draft.add("showresult", Text=attachment(block_output))
    assert describe(draft)[1:] == ["End If -> If Result", "showresult(Text=[output: If Result])"]


def test_line_breaks_in_names_become_spaces() -> None:
    draft = Draft("t")
    text_output = draft.add("gettext", CustomOutputName="two\nlines")
    path = [{"Type": "WFDictionaryValueVariableAggrandizement", "DictionaryKey": "a\nb"}]
    draft.add("showresult", Text=attachment({**text_output, "Aggrandizements": path}))
    draft.add("showresult", Text=attachment(variable("x\ny")))
    draft.add("org.example\n.Do", **{"k\ney": {"in\nner": 1}})
    assert describe(draft) == [
        "gettext() -> two lines",
        "showresult(Text=[output: two lines.key(a b)])",
        "showresult(Text=[variable: x y])",
        "org.example .Do(k ey={in ner: 1})",
    ]
