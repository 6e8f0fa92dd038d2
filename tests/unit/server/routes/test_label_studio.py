"""The backend of Label Studio, with messages that it sent."""

import copy

import pytest
from recorded import MESSAGES, body_of, messages


@pytest.fixture
def client(ask, tmp_path):
    return ask((), store=tmp_path / "studio.store")


def send(client, body):
    reply = client.post("/label-studio/webhook", json=body)
    assert reply.status_code == 200, reply.text
    return reply.json()


def documents(client):
    return {
        each["id"]: (each["text"], each["labels"]) for each in client.get("/documents").json()["documents"]
    }


def test_every_recorded_message_is_answered(client):
    for message in MESSAGES:
        body = {} if message["body"] is None else {"json": message["body"]}
        reply = client.request(message["method"], message["path"], **body)
        assert reply.status_code == 200, f"{message['path']}: {reply.text}"
    kinds = [change["kind"] for change in client.get("/changes").json()["changes"]]
    assert kinds[::-1] == [
        "teach",
        "relabel",
        "forget",
        "teach",
        "teach",
        "teach",
        *["forget"] * 3,
        "teach",
        "forget",
    ]
    assert documents(client) == {}


def test_health_setup_and_versions(client):
    for path in ("/label-studio/health", "/label-studio", "/label-studio/"):
        assert client.get(path).json()["status"] == "UP"
    name = client.get("/health").json()["model"]
    assert client.post("/label-studio/setup", json=body_of("setup")).json() == {"model_version": f"{name}:0"}
    assert client.get("/label-studio/versions").json() == {"versions": [f"{name}:0"]}
    assert client.get(f"/models/{name}/label-studio/health").status_code == 200


def test_setup_refuses_a_project_that_labels_no_texts(client):
    for schema in ("<View/>", "x", None):
        assert (
            client.post("/label-studio/setup", json={**body_of("setup"), "schema": schema}).status_code == 422
        )


def test_creating_twice_teaches_once_and_updating_relabels(client):
    created, updated = messages("ANNOTATION_CREATED")[0], messages("ANNOTATION_UPDATED")[0]
    assert [send(client, created)["changed"] for _ in range(3)] == [1, 0, 0]
    assert documents(client) == {"ls-1-1": ("wie schön", "Freude")}
    assert [send(client, updated)["changed"] for _ in range(2)] == [1, 0]
    assert documents(client) == {"ls-1-1": ("wie schön", "Ärger")}
    # The first message again, late: it was made already, and changes nothing back.
    assert send(client, created)["changed"] == 0
    assert documents(client) == {"ls-1-1": ("wie schön", "Ärger")}
    assert [send(client, messages("ANNOTATIONS_DELETED")[0])["changed"] for _ in range(2)] == [1, 0]
    assert documents(client) == {}
    # Nor does it bring back what was deleted.
    assert send(client, created)["changed"] == 0
    assert documents(client) == {}


def test_the_history_says_where_an_annotation_comes_from(client):
    send(client, messages("ANNOTATION_CREATED")[0])
    (document,) = client.get("/documents").json()["documents"]
    assert document["source"] == "label-studio/1/1"


def test_a_singular_deletion_is_understood_too(client):
    send(client, messages("ANNOTATION_CREATED")[0])
    assert (
        send(client, {"action": "ANNOTATION_DELETED", "project": {"id": 1}, "annotation": {"id": 1}})[
            "changed"
        ]
        == 1
    )
    assert documents(client) == {}


def test_an_update_that_clears_the_choice_forgets(client):
    send(client, messages("ANNOTATION_CREATED")[0])
    cleared = copy.deepcopy(messages("ANNOTATION_UPDATED")[0])
    cleared["annotation"]["result"] = []
    assert send(client, cleared)["changed"] == 1
    assert documents(client) == {}


def test_deleted_tasks_and_only_they_are_forgotten(client):
    for message in messages("ANNOTATIONS_CREATED"):
        assert send(client, message)["changed"] == 2
    client.put(
        "/documents/mine", json={"text": "so ein Mist 💥", "label": "Ärger", "source": "label-studio/1/2"}
    )
    assert send(client, messages("TASKS_DELETED")[0])["changed"] == 1
    assert sorted(documents(client)) == ["ls-1-4", "mine"]


def test_several_labels(client):
    message = copy.deepcopy(messages("ANNOTATION_CREATED")[0])
    message["project"]["label_config"] = message["project"]["label_config"].replace('"single"', '"multiple"')
    message["annotation"]["result"][0]["value"]["choices"] = ["Freude", "Ärger"]
    send(client, message)
    assert sorted(documents(client)["ls-1-1"][1]) == ["Freude", "Ärger"]


def test_several_choices_for_a_model_of_one_label_are_refused_and_change_nothing(client):
    send(client, messages("ANNOTATION_CREATED")[0])
    message = copy.deepcopy(messages("ANNOTATION_UPDATED")[0])
    message["annotation"]["result"][0]["value"]["choices"] = ["Freude", "Ärger"]
    assert client.post("/label-studio/webhook", json=message).status_code == 422
    assert documents(client) == {"ls-1-1": ("wie schön", "Freude")}


def test_predictions_follow_what_was_taught(ask):
    client = ask(writable=True)
    body = copy.deepcopy(body_of("predict"))
    body["label_config"] = body["label_config"].replace("Ärger", "spam").replace("Freude", "ham")
    body["tasks"] = [{"id": 1, "data": {"text": "cheap pills"}}, {"id": 2, "data": {"text": "lunch at noon"}}]
    found = client.post("/label-studio/predict", json=body).json()
    assert [each["result"][0]["value"]["choices"] for each in found["results"]] == [["spam"], ["ham"]]
    assert found["model_version"] == found["results"][0]["model_version"]


@pytest.mark.parametrize("event", ["TASKS_CREATED", "PROJECT_UPDATED", "START_TRAINING", "未知", None, 5])
def test_other_events_are_ignored(client, event):
    assert send(client, {"action": event, "project": {"id": 1}})["status"] == "ignored"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("webhook", {"action": "ANNOTATION_CREATED"}),
        ("webhook", {"action": "ANNOTATIONS_DELETED", "project": {"id": 1}, "annotations": 5}),
        ("predict", {"label_config": body_of("setup")["schema"]}),
        ("predict", {"tasks": []}),
        ("setup", {}),
    ],
)
def test_broken_messages_are_refused(client, path, body):
    assert client.post(f"/label-studio/{path}", json=body).status_code == 422


def test_a_form_is_refused(client):
    reply = client.post("/label-studio/webhook", content=b"{}", headers={"content-type": "text/plain"})
    assert reply.status_code == 415


def test_a_server_that_only_reads_predicts_and_refuses_to_learn(ask):
    client = ask()
    assert client.post("/label-studio/setup", json=body_of("setup")).status_code == 200
    assert client.post("/label-studio/predict", json=body_of("predict")).status_code == 200
    for action in ("ANNOTATION_CREATED", "ANNOTATIONS_DELETED"):
        reply = client.post("/label-studio/webhook", json=messages(action)[0])
        assert (reply.status_code, reply.json()["error"]["code"]) == (403, "server-read-only")
