"""Service: the models of a server."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

from textbayes.errors import ModelUnknownError, ServerReadOnlyError
from textbayes.server.live.file_model import FileModel
from textbayes.server.live.model import LiveModel
from textbayes.server.live.store_side import StoreSide
from textbayes.server.settings import Settings
from textbayes.server.store import Store, WriterInfo, open_store


class Service:
    """The models of a server: those of model files, or those of a store.

    Parameters
    ----------
    settings : Settings
        The model files, the store and how to keep them. Nothing is opened before ``start``.

    Examples
    --------
    >>> import asyncio
    >>> from textbayes.server import Settings
    >>> from textbayes.server.live import Service
    >>> from textbayes.server.store import Put
    >>> async def teach():
    ...     service = Service(Settings(store="news.store"))
    ...     await service.start()
    ...     model = service.model()
    ...     await model.change([Put("wheat corn", "grain"), Put("crude oil", "oil")], actor="me", wait=10)
    ...     print(model.served.classifier.predict(["corn"]))
    ...     await service.stop()
    >>> asyncio.run(teach())
    ['grain']
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._files: dict[str, FileModel] = {}
        self._side: StoreSide | None = None
        self._following: asyncio.Task[None] | None = None

    @property
    def models(self) -> Mapping[str, LiveModel]:
        """The models by name."""
        return self._files if self._side is None else self._side.models

    @property
    def store(self) -> Store | None:
        """The store, if there is one."""
        return None if self._side is None else self._side.store

    @property
    def is_writer(self) -> bool:
        """Whether this server writes to its store."""
        return self._side is not None and self._side.desk.is_writer

    @property
    def writer(self) -> WriterInfo | None:
        """The server that writes to the store, if it is another one."""
        return None if self._side is None else self._side.desk.other

    def model(self, name: str | None = None) -> LiveModel:
        """Return a model; without a name, the only one.

        Raises
        ------
        ModelUnknownError
            If there is no such model, or none or several without a name.
        """
        if name is None and len(self.models) == 1:
            return next(iter(self.models.values()))
        if name is None or name not in self.models:
            raise ModelUnknownError(name or "", sorted(self.models))
        return self.models[name]

    async def start(self) -> None:
        """Load the models, and begin to follow their files or the store.

        Raises
        ------
        TextbayesError
            If a file or the store cannot be used.
        """
        location = self._location()
        if location is not None:
            cache = None if self._settings.cache is None else Path(self._settings.cache)
            store = await asyncio.to_thread(open_store, location, cache)
            self._side = StoreSide(store, location, self._settings)
            try:
                await self._side.start()
            except BaseException:
                await self._side.close()
                raise
            return
        for name, path in self._settings.files.items():
            self._files[name] = await asyncio.to_thread(FileModel, name, path, self._settings.log)
        self._following = asyncio.ensure_future(self._keep_following())

    async def stop(self) -> None:
        """Finish what is being committed, write the last snapshots, and close everything."""
        if self._following is not None:
            self._following.cancel()
            await asyncio.gather(self._following, return_exceptions=True)
        if self._side is not None:
            await self._side.close()

    async def create(self, name: str, file: Path | None = None) -> LiveModel:
        """Add a model to the store: an empty one, or that of a file.

        Raises
        ------
        ModelExistsError
            If there is one of that name.
        ServerReadOnlyError
            If there is no store.
        """
        return await self._writable_side().create(name, file)

    async def remove(self, name: str) -> None:
        """Remove a model with all of its rows and files."""
        await self._writable_side().remove(name)

    def _writable_side(self) -> StoreSide:
        if self._side is None:
            raise ServerReadOnlyError("/models")
        return self._side

    def _location(self) -> str | Path | None:
        settings = self._settings
        if settings.store is not None:
            return settings.store if isinstance(settings.store, str) else Path(settings.store)
        if not settings.writable:
            return None
        first = next(iter(settings.files.values()))
        return first.with_name(first.name + ".store")

    async def _keep_following(self) -> None:
        """Load model files that other programs have replaced."""
        pause = self._settings.watch_seconds
        while pause > 0:
            await asyncio.sleep(pause)
            for model in self._files.values():
                await model.follow()
