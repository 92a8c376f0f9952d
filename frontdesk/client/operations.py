"""Methods that are written once, as the request they stand for, and then block or await as their client does."""

from collections.abc import Callable, Coroutine
from functools import update_wrapper
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar, overload

from frontdesk.client.asking import ApiRequest
from frontdesk.client.transports import AsyncPages, AsyncTransport, Pages, Record, SyncTransport
from frontdesk.values.envelopes import DataResponse, PageResponse

P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R", bound=Record)
TransportT = TypeVar("TransportT", bound=SyncTransport | AsyncTransport)


class Resource(Generic[TransportT]):
    """The operations of one heading of the interface."""

    def __init__(self, way: TransportT) -> None:
        self.way = way


class Operation(Generic[P, T]):
    """One request, one answer."""

    def __init__(self, ask: Callable[Concatenate[Any, P], ApiRequest[DataResponse[T]]]) -> None:
        self.ask = ask
        self.__doc__ = ask.__doc__

    @overload
    def __get__(self, resource: None, owner: object) -> Self: ...
    @overload
    def __get__(self, resource: Resource[SyncTransport], owner: object) -> Callable[P, T]: ...
    @overload
    def __get__(self, resource: Resource[AsyncTransport], owner: object) -> Callable[P, Coroutine[Any, Any, T]]: ...

    def __get__(self, resource: Any, owner: object) -> Any:
        if resource is None:
            return self
        return self._blocking(resource.way) if isinstance(resource.way, SyncTransport) else self._awaiting(resource.way)

    def _blocking(self, way: SyncTransport) -> Callable[P, T]:
        def method(*args: P.args, **kwargs: P.kwargs) -> T:
            return way.send(self.ask(None, *args, **kwargs)).data

        return update_wrapper(method, self.ask)

    def _awaiting(self, way: AsyncTransport) -> Callable[P, Coroutine[Any, Any, T]]:
        async def method(*args: P.args, **kwargs: P.kwargs) -> T:
            return (await way.send(self.ask(None, *args, **kwargs))).data

        return update_wrapper(method, self.ask)


class Listing(Generic[P, R]):
    """One list, as many requests as it has pages."""

    def __init__(self, ask: Callable[Concatenate[Any, P], ApiRequest[PageResponse[R]]]) -> None:
        self.ask = ask
        self.__doc__ = ask.__doc__

    @overload
    def __get__(self, resource: None, owner: object) -> Self: ...
    @overload
    def __get__(self, resource: Resource[SyncTransport], owner: object) -> Callable[P, Pages[R]]: ...
    @overload
    def __get__(self, resource: Resource[AsyncTransport], owner: object) -> Callable[P, AsyncPages[R]]: ...

    def __get__(self, resource: Any, owner: object) -> Any:
        if resource is None:
            return self

        def method(*args: P.args, **kwargs: P.kwargs) -> Pages[R] | AsyncPages[R]:
            ask = self.ask(None, *args, **kwargs)
            return (
                Pages(resource.way, ask) if isinstance(resource.way, SyncTransport) else AsyncPages(resource.way, ask)
            )

        return update_wrapper(method, self.ask)
