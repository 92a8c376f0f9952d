"""Descriptors that turn one request-building function into a synchronous and an asynchronous method."""

from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from functools import update_wrapper
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar, overload

from frontdesk_client.models import DataResponse, Page
from frontdesk_client.pagination import AsyncPaginator, Paginator, Record
from frontdesk_client.request import ApiRequest
from frontdesk_client.transports import AsyncFieldsTransport, AsyncTransport, SyncFieldsTransport, SyncTransport

P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R", bound=Record | dict[str, Any])
Fields = dict[str, Any]  # of a record
TransportT = TypeVar("TransportT", bound=SyncTransport | AsyncTransport)


class Resource(Generic[TransportT]):
    """The operations of one resource, such as orders."""

    def __init__(self, transport: TransportT) -> None:
        self.transport = transport


class Operation(Generic[P, T]):
    """One request with one response."""

    def __init__(self, build: Callable[Concatenate[Any, P], ApiRequest[DataResponse[T]]]) -> None:
        self.build = build
        self.__doc__ = build.__doc__

    @overload
    def __get__(self, resource: None, owner: object) -> Self: ...
    @overload
    def __get__(self, resource: Resource[SyncTransport], owner: object) -> Callable[P, T]: ...
    @overload
    def __get__(self, resource: Resource[AsyncTransport], owner: object) -> Callable[P, Coroutine[Any, Any, T]]: ...
    @overload
    def __get__(self, resource: Resource[SyncFieldsTransport], owner: object) -> Callable[P, Fields]: ...
    @overload
    def __get__(
        self, resource: Resource[AsyncFieldsTransport], owner: object
    ) -> Callable[P, Coroutine[Any, Any, Fields]]: ...

    def __get__(self, resource: Any, owner: object) -> Any:
        if resource is None:
            return self
        transport = resource.transport
        return self._sync(transport) if isinstance(transport, SyncTransport) else self._async(transport)

    def _sync(self, transport: SyncTransport) -> Callable[P, T]:
        def method(*args: P.args, **kwargs: P.kwargs) -> T:
            return transport.send(self.build(None, *args, **kwargs)).data

        return update_wrapper(method, self.build)

    def _async(self, transport: AsyncTransport) -> Callable[P, Coroutine[Any, Any, T]]:
        async def method(*args: P.args, **kwargs: P.kwargs) -> T:
            return (await transport.send(self.build(None, *args, **kwargs))).data

        return update_wrapper(method, self.build)


class ListOperation(Generic[P, R]):
    """A list, with one request for each page."""

    def __init__(self, build: Callable[Concatenate[Any, P], ApiRequest[Page[R]]]) -> None:
        self.build = build
        self.__doc__ = build.__doc__

    @overload
    def __get__(self, resource: None, owner: object) -> Self: ...
    @overload
    def __get__(self, resource: Resource[SyncTransport], owner: object) -> Callable[P, Paginator[R]]: ...
    @overload
    def __get__(self, resource: Resource[AsyncTransport], owner: object) -> Callable[P, AsyncPaginator[R]]: ...
    @overload
    def __get__(self, resource: Resource[SyncFieldsTransport], owner: object) -> Callable[P, Paginator[Fields]]: ...
    @overload
    def __get__(
        self, resource: Resource[AsyncFieldsTransport], owner: object
    ) -> Callable[P, AsyncPaginator[Fields]]: ...

    def __get__(self, resource: Any, owner: object) -> Any:
        if resource is None:
            return self
        transport = resource.transport

        def method(*args: P.args, **kwargs: P.kwargs) -> Paginator[R] | AsyncPaginator[R]:
            request = self.build(None, *args, **kwargs)
            if isinstance(transport, SyncTransport):
                return Paginator(transport, request)
            return AsyncPaginator(transport, request)

        return update_wrapper(method, self.build)


class LinesOperation(Generic[P, T]):
    """A file with a record in each line, which arrives while it is read."""

    def __init__(self, build: Callable[Concatenate[Any, P], ApiRequest[T]]) -> None:
        self.build = build
        self.__doc__ = build.__doc__

    @overload
    def __get__(self, resource: None, owner: object) -> Self: ...
    @overload
    def __get__(self, resource: Resource[SyncTransport], owner: object) -> Callable[P, Iterator[T]]: ...
    @overload
    def __get__(self, resource: Resource[AsyncTransport], owner: object) -> Callable[P, AsyncIterator[T]]: ...

    def __get__(self, resource: Any, owner: object) -> Any:
        if resource is None:
            return self
        transport = resource.transport

        def method(*args: P.args, **kwargs: P.kwargs) -> Iterator[T] | AsyncIterator[T]:
            lines: Iterator[T] | AsyncIterator[T] = transport.lines(self.build(None, *args, **kwargs))
            return lines

        return update_wrapper(method, self.build)
