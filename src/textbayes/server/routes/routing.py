"""Routes whose requests are read strictly: no unknown field, no field twice, no other content type."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, get_args, get_origin

from fastapi import APIRouter, Request, Response
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from pydantic import BaseModel, ValidationError
from starlette.concurrency import run_in_threadpool

from textbayes.errors import RequestFieldError, RequestSizeError
from textbayes.server.bodies import check_content_type, parse_object
from textbayes.server.routes.fields import field_error

# Parsing more would block the event loop.
_LARGE = 1 << 18


class JsonRequest(Request):
    """A request whose body is a JSON object."""

    _fields: dict[str, Any]

    async def load(self) -> dict[str, Any]:
        """Read and parse the body."""
        check_content_type(self.headers.get("content-type", ""))
        body = await self.body()
        if len(body) > _LARGE:
            self._fields = await run_in_threadpool(parse_object, body)
        else:
            self._fields = parse_object(body)
        return self._fields

    async def json(self) -> Any:
        """Return the fields of the body."""
        return self._fields


class JsonRoute(APIRoute):
    """A route of FastAPI that refuses what it does not know."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return what answers a request."""
        answer, reading = super().get_route_handler(), Reading(self)

        async def checked(request: Request) -> Response:
            reading.check_query(request)
            if reading.body is None:
                return await answer(request)
            read = JsonRequest(request.scope, request.receive)
            reading.check_body(await read.load(), read)
            return await answer(read)

        return checked


class DirectRoute(JsonRoute):
    """A route that is answered without the dependencies of FastAPI, which take longer than a prediction.

    Its endpoint takes a request and the fields of its body, and checks rights itself.
    """

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return what answers a request."""
        reading, endpoint = Reading(self), self.endpoint
        assert reading.body is not None
        validate = reading.body.model_validate

        async def answer(request: Request) -> Response:
            reading.check_query(request)
            read = JsonRequest(request.scope, request.receive)
            found = await read.load()
            reading.check_body(found, read)
            try:
                fields = validate(found)
            except ValidationError as error:
                first = error.errors(include_url=False)[0]
                raise field_error({**first, "loc": ("body", *first["loc"])}, list(found)) from None
            response: Response = await endpoint(read, fields)
            return response

        return answer


class Reading:
    """What a route takes: the names of its fields, in the query string and in the body.

    Parameters
    ----------
    route : APIRoute
        The route.
    """

    def __init__(self, route: APIRoute) -> None:
        self.path, self.query = route.path, _query_fields(route.dependant)
        self.body: type[BaseModel] | None = None
        self.fields: list[str] = []
        if route.body_field is not None:
            kind = route.body_field.field_info.annotation
            assert isinstance(kind, type)
            assert issubclass(kind, BaseModel), "a body is one pydantic model"
            self.body = kind
            self.fields = [field.alias or name for name, field in kind.model_fields.items()]

    def check_query(self, request: Request) -> None:
        """Refuse fields that are unknown or come twice."""
        if not request.scope["query_string"]:
            return
        for name in request.query_params:
            if name not in self.query:
                raise RequestFieldError.unknown(name, self.path, self.query)
            values = request.query_params.getlist(name)
            if len(values) > 1 and not self.query[name]:
                raise RequestFieldError.invalid(name, values, "it once")

    def check_body(self, found: dict[str, Any], request: Request) -> None:
        """Refuse fields that are unknown, and lists that are too long."""
        limit = request.app.state.settings.texts
        for name, value in found.items():
            if name not in self.fields:
                raise RequestFieldError.unknown(name, self.path, self.fields)
            if isinstance(value, list) and len(value) > limit:
                raise RequestSizeError(name, len(value), limit, "items")


class Router(APIRouter):
    """A family of routes; each is a :class:`JsonRoute`."""

    def __init__(self, **named: Any) -> None:
        super().__init__(**{"route_class": JsonRoute, **named})


def _query_fields(dependant: Dependant) -> dict[str, bool]:
    """Return the names of the fields in the query string, and whether they may come several times."""
    found = {field.alias: _is_list(field.field_info.annotation) for field in dependant.query_params}
    for each in dependant.dependencies:
        found |= _query_fields(each)
    return found


def _is_list(annotation: Any) -> bool:
    return any(get_origin(each) is list for each in (annotation, *get_args(annotation)))
