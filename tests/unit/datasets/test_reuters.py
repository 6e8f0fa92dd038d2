import pytest

from textbayes.datasets import categories_in_both, load_reuters21578, read_documents
from textbayes.errors import NoDocumentsError, ParameterError, RecordError

HEAD = '<!DOCTYPE lewis SYSTEM "lewis.dtd">\n'
STORY = """<REUTERS {attributes} OLDID="9" NEWID="{id}">
<DATE>1-JAN-1987</DATE>
<TOPICS>{topics}</TOPICS><PLACES><D>usa</D></PLACES>
<UNKNOWN>&#5;&#5;C T</UNKNOWN>
{text}
</REUTERS>
"""
TRAIN = 'TOPICS="YES" LEWISSPLIT="TRAIN" CGISPLIT="TRAINING-SET"'
NORMAL = """<TEXT>&#2;
<TITLE>UP</TITLE>
<AUTHOR>by X</AUTHOR><DATELINE>ROME, </DATELINE><BODY>Rose 2 pct.
&#3;</BODY></TEXT>"""


@pytest.fixture
def write(tmp_path):
    def write(*stories, file="reut2-000.sgm"):
        content = HEAD + "".join(stories)
        (tmp_path / file).write_bytes(content.encode("latin-1"))
        return tmp_path

    return write


def _story(id=1, attributes=TRAIN, topics="<D>acq</D>", text=NORMAL):
    return STORY.format(id=id, attributes=attributes, topics=topics, text=text)


def _text(write, text, **options):
    return load_reuters21578(write(_story(text=text)), **options)[0].text


def test_title_and_body(write):
    assert _text(write, NORMAL) == "UP\nRose 2 pct.\n"
    assert _text(write, NORMAL, title=False) == "Rose 2 pct.\n"
    assert _text(write, NORMAL, body=False) == "UP"
    assert _text(write, NORMAL, title=False, body=False) == ""
    assert _text(write, NORMAL, dateline=True) == "UP\nROME,\nRose 2 pct.\n"


def test_briefs_and_unprocessed_stories(write):
    brief = '<TEXT TYPE="BRIEF">&#2;\n***<TITLE>SHORT</TITLE>Blah blah blah.\n&#3;</TEXT>'
    assert _text(write, brief) == "SHORT"
    assert _text(write, brief, title=False) == ""
    unprocessed = '<TEXT TYPE="UNPROC">&#2;\nTABLE 1\n 2 3\n&#3;</TEXT>'
    assert _text(write, unprocessed) == "\nTABLE 1\n 2 3\n"
    assert _text(write, unprocessed, body=False) == ""
    assert _text(write, "") == ""


def test_entities_are_resolved_once_and_bytes_are_latin_1(write):
    body = (
        "&lt;ABC> &amp;lt; R&amp;D &#38;amp; &unknown; caf\xe9 &#127;&#31;&#0;&#65;&#x42;&#xD800;&#9999999;"
    )
    assert _text(write, f"<TEXT><BODY>{body}</BODY></TEXT>") == "<ABC> &lt; R&D &amp; &unknown; café AB"


def test_topics_come_from_the_head_without_duplicates(write):
    topics = "<D>wheat</D><D>grain</D><D>wheat</D>"
    text = "<TEXT><BODY>&lt;D>no&lt;/D> <TOPICS><D>no</D></TOPICS></BODY></TEXT>"
    assert load_reuters21578(write(_story(topics=topics, text=text)))[0].labels == ("wheat", "grain")
    assert load_reuters21578(write(_story(topics="")))[0].labels == ()


@pytest.mark.parametrize(
    ("topics", "lewis", "cgi", "splits"),
    [
        ("YES", "TRAIN", "TRAINING-SET", ("train", "train", "train")),
        ("NO", "TRAIN", "TRAINING-SET", (None, "train", "train")),
        ("BYPASS", "TRAIN", "TRAINING-SET", (None, None, "train")),
        ("YES", "TEST", "TRAINING-SET", ("test", "test", "train")),
        ("NO", "TEST", "PUBLISHED-TESTSET", (None, "test", "test")),
        ("YES", "NOT-USED", "PUBLISHED-TESTSET", (None, None, "test")),
    ],
)
def test_splits(write, topics, lewis, cgi, splits):
    folder = write(_story(attributes=f'CGISPLIT="{cgi}" TOPICS="{topics}"   LEWISSPLIT="{lewis}"'))
    found = [load_reuters21578(folder, split)[0].split for split in ("ModApte", "ModLewis", "ModHayes")]
    assert tuple(found) == splits


def test_documents_are_sorted_by_id(write):
    write(_story(id=10), _story(id=2))
    assert [d.id for d in load_reuters21578(write(_story(id=9), file="reut2-001.sgm"))] == ["2", "9", "10"]


def test_invalid_files(write):
    with pytest.raises(RecordError, match=r"reut2-000\.sgm, line 2: .* is not closed"):
        load_reuters21578(write(_story().replace("</REUTERS>", ""), _story(id=2)))
    with pytest.raises(RecordError, match=r"reut2-000\.sgm, line 11: a <REUTERS> element has no CGISPLIT"):
        load_reuters21578(write(_story(), _story(attributes='TOPICS="YES" LEWISSPLIT="TRAIN"')))
    with pytest.raises(RecordError, match="NEWID is 'one', not a number"):
        load_reuters21578(write(_story(id="one")))


def test_nothing_to_load(tmp_path):
    with pytest.raises(NoDocumentsError, match=r"reut2-000\.sgm to reut2-021\.sgm"):
        load_reuters21578(tmp_path)
    with pytest.raises(ParameterError, match="Did you mean 'ModApte'"):
        load_reuters21578(tmp_path, "modapte")


@pytest.fixture(scope="module")
def reuters(shared_data):
    return load_reuters21578(shared_data("reuters21578-sgml.tar.xz"), title=False)


def test_the_real_corpus_has_its_published_counts(reuters):
    assert len(reuters) == 21_578
    assert [document.id for document in reuters] == [str(n + 1) for n in range(21_578)]
    assert (len(reuters.train), len(reuters.test), len(reuters.classes)) == (9_603, 3_299, 120)
    assert (len(reuters.train.classes), len(reuters.test.classes)) == (115, 93)
    assert [sum(map(bool, part.labels)) for part in (reuters.train, reuters.test)] == [7_775, 3_019]
    both = categories_in_both(reuters)
    assert len(both) == 90
    sizes = [len(part.where(lambda d: set(d.labels) & set(both))) for part in (reuters.train, reuters.test)]
    assert sizes == [7_770, 3_019]


@pytest.mark.parametrize(
    ("topic", "train", "test"),
    [
        ("earn", 2_877, 1_087),
        ("acq", 1_650, 719),
        ("money-fx", 538, 179),
        ("grain", 433, 149),
        ("crude", 389, 189),
        ("trade", 369, 117),
        ("interest", 347, 131),
        ("ship", 197, 89),
        ("wheat", 212, 71),
        ("corn", 181, 56),
    ],
)
def test_the_ten_largest_topics(reuters, topic, train, test):
    assert sum(topic in labels for labels in reuters.train.labels) == train
    assert sum(topic in labels for labels in reuters.test.labels) == test


@pytest.mark.slow
@pytest.mark.parametrize(("split", "train", "test"), [("ModLewis", 13_625, 6_188), ("ModHayes", 20_856, 722)])
def test_the_other_splits(shared_data, split, train, test):
    corpus = load_reuters21578(shared_data("reuters21578-sgml.tar.xz"), split, body=False)
    assert (len(corpus), len(corpus.train), len(corpus.test)) == (21_578, train, test)


@pytest.mark.slow
def test_the_sgml_agrees_with_the_json_lines(reuters, shared_data):
    others = sorted(
        read_documents(shared_data("reuters21578.jsonl.zst")), key=lambda document: int(document.id)
    )
    assert list(reuters) == others
