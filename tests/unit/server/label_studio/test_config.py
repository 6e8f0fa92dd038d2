"""Labelling configurations: which text, which choices; and XML that is refused."""

import pytest
from recorded import body_of

from textbayes.errors import RequestFieldError
from textbayes.server.label_studio import LabelConfig, parse_config

TEXT = '<Text name="text" value="$text"/>'
CHOICES = '<Choices name="label" toName="text"><Choice value="Ärger"/><Choice value="밀"/></Choices>'


def test_a_recorded_configuration():
    assert parse_config(body_of("setup")["schema"]) == LabelConfig(
        "label", "text", "text", ("Ärger", "Freude"), False
    )


def test_choices_before_the_text_several_labels_and_aliases():
    choices = (
        '<Choices toName="körper" name="themen" choice="multiple"><Header value="x"/>'
        '<Choice value="Wirtschaft" alias="econ"><Choice value="Öl &amp; Gas"/></Choice></Choices>'
    )
    xml = f'<View><Style>.a{{}}</Style>{choices}<View><HyperText name="körper" value="$body"/></View></View>'
    assert parse_config(xml) == LabelConfig("themen", "körper", "body", ("econ", "Öl & Gas"), True)


def test_other_tags_are_passed_over():
    other = (
        '<Image name="image" value="$image"/><Choices name="a" toName="image"><Choice value="x"/></Choices>'
    )
    region = '<Choices name="b" toName="text" perRegion="true"><Choice value="y"/></Choices>'
    assert parse_config(f"<View>{other}{region}{TEXT}{CHOICES}</View>").from_name == "label"


def test_choices_for_two_objects_take_the_text():
    choices = CHOICES.replace('toName="text"', 'toName="image, text"')
    xml = f'<View><Image name="image" value="$image"/>{TEXT}{choices}</View>'
    assert parse_config(xml).to_name == "text"


def test_choices_that_come_with_each_task_are_unknown():
    assert (
        parse_config(f'<View>{TEXT}<Choices name="l" toName="text" value="$options"/></View>').choices == ()
    )


@pytest.mark.parametrize(
    "xml",
    [
        "",
        "<View>",
        "no xml",
        f"<View>{TEXT}</View>",
        f"<View>{CHOICES}</View>",
        f'<View><Text name="text" value="text"/>{CHOICES}</View>',
        f'<View><Text name="text" value="$url" valueType="url"/>{CHOICES}</View>',
        "<View>\ud83d</View>",
    ],
)
def test_what_labels_no_text_is_refused(xml):
    with pytest.raises(RequestFieldError, match="labelling configuration"):
        parse_config(xml)


def test_a_document_type_is_refused_before_its_entities_are_read(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("geheim")
    for inside in (
        f'<!ENTITY x SYSTEM "file://{secret}">',
        '<!ENTITY a "aaaaaaaaaa"><!ENTITY x "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">',
        f'<!ENTITY % x SYSTEM "file://{secret}"> %x;',
    ):
        xml = f'<!DOCTYPE View [{inside}]><View>{TEXT}<Choices name="&x;" toName="text"/></View>'
        with pytest.raises(RequestFieldError, match="document type") as found:
            parse_config(xml)
        assert "geheim" not in str(found.value)


@pytest.mark.parametrize(
    "xml",
    [
        "<View>" * 200 + "</View>" * 200,
        "<View>" + "<a/>" * 30_000 + "</View>",
        "<View>" + " " * (1 << 21) + "</View>",
    ],
    ids=["deep", "many", "long"],
)
def test_large_configurations_are_refused(xml):
    with pytest.raises(RequestFieldError, match="more than"):
        parse_config(xml)


@pytest.mark.parametrize(
    ("task", "text"),
    [
        ({"data": {"text": "밀"}}, "밀"),
        ({"data": {"text": 5}}, "5"),
        ({"data": {"$undefined$": "plain"}}, "plain"),
        ({"data": {"text": None}}, None),
        ({"data": {"text": ["a"]}}, None),
        ({"data": {"text": True}}, None),
        ({"data": {"other": "x"}}, None),
        ({"data": "x"}, None),
        ({}, None),
        (None, None),
    ],
)
def test_the_text_of_a_task(task, text):
    assert parse_config(f"<View>{TEXT}{CHOICES}</View>").text_of(task) == text
