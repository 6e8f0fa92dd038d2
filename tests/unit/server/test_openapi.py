"""The OpenAPI document describes every route, and errors are as it says."""

from fastapi.routing import APIRoute

from textbayes.server.routes import MODEL_ROUTERS, SERVER_ROUTERS
from textbayes.server.routes.routing import JsonRoute


def own_routes():
    routes = [route for router in (*MODEL_ROUTERS, *SERVER_ROUTERS) for route in router.routes]
    assert all(isinstance(route, APIRoute) for route in routes)
    return routes


def test_every_route_is_in_the_document(client):
    document = client.get("/openapi.json").json()
    found = {(method.upper(), path) for path, methods in document["paths"].items() for method in methods}
    assert found == {
        (method, route.path) for route in own_routes() if route.include_in_schema for method in route.methods
    }
    assert document["openapi"].startswith("3.1")
    names = [each["operationId"] for path in document["paths"].values() for each in path.values()]
    assert len(set(names)) == len(names) == len(found)


def test_every_route_refuses_unknown_fields():
    """A router that is not a Router would let them pass."""
    assert all(isinstance(route, JsonRoute) for route in own_routes())


def test_every_body_is_strict_and_described(client):
    document = client.get("/openapi.json").json()
    schemas, seen = document["components"]["schemas"], 0
    for methods in document["paths"].values():
        for operation in methods.values():
            assert operation["summary"].endswith(".")
            for each in operation.get("parameters", ()):
                assert each["in"] == "header" or each["description"], each["name"]
            content = operation.get("requestBody", {}).get("content", {})
            if "application/json" in content:
                seen += 1
                schema = content["application/json"]["schema"]  # in place if there are other types of body
                if "$ref" in schema:
                    schema = schemas[schema["$ref"].rpartition("/")[2]]
                assert schema["additionalProperties"] is False
                assert all(each["description"] for each in schema.get("properties", {}).values())
    assert seen >= 10


def test_the_models_prefix_is_a_server_of_the_document(client):
    servers = [server["url"] for server in client.get("/openapi.json").json()["servers"]]
    assert servers == ["/", "/models/{name}"]
    assert client.get("/models/메일/health").json()["model"] == "메일"


def test_errors_match_the_schema(client):
    schemas = client.get("/openapi.json").json()["components"]["schemas"]
    assert schemas["Error"]["required"] == ["error"]
    parts, error = schemas["ErrorParts"], client.post("/predict", json={}).json()["error"]
    assert list(error) == parts["required"] == list(parts["properties"])
    assert all(isinstance(part, str) for part in error.values())
