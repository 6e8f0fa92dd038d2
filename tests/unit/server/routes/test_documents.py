"""Documents and changes over HTTP: pages, search, history, relabelling and forgetting by id."""

import pytest


@pytest.fixture
def taught(ask):
    client = ask(writable=True)
    for number in range(25):
        label = "spam" if number % 5 else "ham"
        fields = {
            "text": f"golden word{number} 회의",
            "label": label,
            "id": f"doc-{number:02}",
            "source": "test",
        }
        headers = {"Textbayes-Actor": "ann" if number % 2 else "bob"}
        assert client.post("/teach", json=fields, headers=headers).status_code == 200
    return client


def code(reply):
    return reply.json()["error"]["code"]


def ids(page):
    return [each["id"] for each in page["documents"]]


def pages(client, path, name, begin, **query):
    """Return all pages of a list."""
    found, place = [], None
    while True:
        page = client.get(path, params={**query, **({} if place is None else {begin: place})}).json()
        found.append(page[name])
        place = page["next"]
        if place is None:
            return found


def test_pages_of_documents(taught):
    first = taught.get("/documents", params={"limit": 10}).json()
    assert (len(first["documents"]), first["total"]) == (10, 25)
    (one,) = [each for each in first["documents"] if each["id"] == first["documents"][0]["id"]]
    assert list(one) == ["id", "text", "labels", "weight", "version", "time", "actor", "source"]
    found = [
        each["id"] for page in pages(taught, "/documents", "documents", "after", limit=10) for each in page
    ]
    assert sorted(found) == [f"doc-{number:02}" for number in range(25)]
    assert len(found) == 25


def test_search_and_class(taught):
    assert ids(taught.get("/documents", params={"search": "word7"}).json()) == ["doc-07"]
    found = taught.get("/documents", params={"class": "ham"}).json()
    assert {each["labels"] for each in found["documents"]} == {"ham"}
    assert len(found["documents"]) == 5
    assert ids(taught.get("/documents", params={"search": "word7", "class": "ham"}).json()) == []
    assert taught.get("/documents", params={"class": "gone"}).json()["documents"] == []
    for search in ('"', "*", "NEAR(", "a AND", "%", "_", "\\", "'; DROP TABLE documents; --", "\0", "-", ":"):
        assert taught.get("/documents", params={"search": search}).status_code == 200, search


def test_a_document_and_its_history(taught):
    taught.put("/documents/doc-03", json={"label": "ham", "source": "correction"})
    found = taught.get("/documents/doc-03").json()
    assert (found["labels"], found["text"], found["version"]) == ("ham", "golden word3 회의", 26)
    assert [(each["kind"], each["labels_before"], each["labels_after"]) for each in found["history"]] == [
        ("relabel", "spam", "ham"),
        ("teach", None, "spam"),
    ]
    reply = taught.get("/documents/none")
    assert (reply.status_code, code(reply)) == (404, "document-unknown")


def test_putting_a_document(taught):
    answer = taught.put("/documents/새-문서", json={"text": "gold", "label": "금", "wait": 30}).json()
    assert (answer["taught"], answer["documents"][0]["id"]) == (1, "새-문서")
    assert taught.get("/documents/새-문서").json()["labels"] == "금"
    again = taught.put("/documents/새-문서", json={"text": "gold", "label": "금"}).json()
    assert (again["unchanged"], again["version"]) == (1, 26)
    reply = taught.put("/documents/none", json={"label": "ham"})
    assert (reply.status_code, code(reply)) == (404, "document-unknown")
    reply = taught.put("/documents/doc-01", json={"text": "gold"})
    assert (reply.status_code, code(reply)) == (422, "request-field")
    reply = taught.put("/documents/doc-01", json={"label": "ham", "weight": 0})
    assert (reply.status_code, code(reply)) == (422, "request-field")
    reply = taught.put("/documents/" + "x" * 201, json={"text": "gold", "label": "금"})
    assert (reply.status_code, code(reply)) == (422, "request-field")


def test_forgetting_a_document(taught):
    answer = taught.delete("/documents/doc-04", params={"wait": 30}).json()
    assert (answer["forgot"], answer["applied"]) == (1, True)
    assert taught.get("/documents/doc-04").status_code == 404
    reply = taught.delete("/documents/doc-04")
    assert (reply.status_code, code(reply)) == (404, "document-unknown")
    shown = taught.get("/changes", params={"document": "doc-04"}).json()["changes"]
    assert [each["kind"] for each in shown] == ["forget", "teach"]
    assert shown[0]["text"] == "golden word4 회의"
    assert taught.delete("/documents/doc-05", params={"erase": "true"}).json()["forgot"] == 1
    assert taught.get("/changes").json()["changes"][0]["kind"] == "erase"


@pytest.mark.parametrize(
    "query", ["erase=5", "wait=-1", "wait=nan", "settle=maybe", "why=not", "erase=1&erase=1"]
)
def test_forgetting_with_wrong_fields(taught, query):
    reply = taught.delete(f"/documents/doc-04?{query}")
    assert (reply.status_code, code(reply)) == (422, "request-field")
    assert taught.get("/documents/doc-04").status_code == 200


def test_changes(taught):
    shown = taught.get("/changes", params={"limit": 3}).json()
    assert [each["version"] for each in shown["changes"]] == [25, 24, 23]
    assert list(shown["changes"][0]) == [
        "version",
        "request",
        "kind",
        "document",
        "text",
        "labels_before",
        "labels_after",
        "actor",
        "time",
        "source",
        "undoes",
        "undone_by",
    ]
    assert shown["changes"][0]["source"] == "test"
    every = [
        each["version"] for page in pages(taught, "/changes", "changes", "before", limit=7) for each in page
    ]
    assert every == list(range(25, 0, -1))
    by_ann = taught.get("/changes", params={"actor": "ann"}).json()["changes"]
    assert {each["actor"] for each in by_ann} == {"ann"}
    assert len(by_ann) == 12
    assert len(taught.get("/changes", params={"class": "ham"}).json()["changes"]) == 5


@pytest.mark.parametrize(
    "query", ["limit=0", "limit=1001", "limit=ten", "before=0", "before=-1", "after=x", "klass=ham"]
)
def test_wrong_queries(taught, query):
    reply = taught.get(f"/changes?{query}")
    assert (reply.status_code, code(reply)) == (422, "request-field")


def test_a_place_that_is_none(taught):
    reply = taught.get("/documents?after=nowhere")
    assert reply.status_code in {200, 422}


def test_a_server_without_a_store(client):
    for path in ("/documents", "/documents/a", "/changes"):
        reply = client.get(path)
        assert (reply.status_code, code(reply)) == (409, "store-missing")
    assert client.get("/versions").json() == {"version": 0, "applied": 0, "settled": 0, "files": []}
