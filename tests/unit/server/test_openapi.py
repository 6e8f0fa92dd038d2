"""The OpenAPI document matches the table of routes."""

from textbayes.server.routes import ROUTES


def test_every_route_is_in_the_document(client):
    document = client.get("/openapi.json").json()
    found = {(method.upper(), path) for path, methods in document["paths"].items() for method in methods}
    assert found == {(entry.method, entry.path) for entry in ROUTES}
    assert document["openapi"].startswith("3.1")
    names = [each["operationId"] for path in document["paths"].values() for each in path.values()]
    assert len(set(names)) == len(ROUTES)


def test_every_field_is_in_the_document(client):
    document = client.get("/openapi.json").json()
    for entry in ROUTES:
        operation = document["paths"][entry.path][entry.method.lower()]
        if entry.method == "GET":
            listed = {each["name"]: each["description"] for each in operation.get("parameters", [])}
        else:
            schema = operation["requestBody"]["content"]["application/json"]["schema"]
            assert schema["additionalProperties"] is False
            listed = {name: each["description"] for name, each in schema["properties"].items()}
        assert listed == {field.name: field.about for field in entry.fields}


def test_errors_match_the_schema(client):
    schema = client.get("/openapi.json").json()["components"]["schemas"]["Error"]["properties"]["error"]
    error = client.post("/predict", json={}).json()["error"]
    assert list(error) == schema["required"] == list(schema["properties"])
    assert all(isinstance(part, str) for part in error.values())
