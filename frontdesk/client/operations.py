"""Methods that are written once, as the request they stand for, and then block or await as their client does."""

from collections.abc import Callable, Coroutine
from functools import update_wrapper
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar, overload

from frontdesk.client.asking import Ask
from frontdesk.client.transports import Async, AsyncPages, Pages, Record, Sync
from frontdesk.values.envelopes import DataOf, PageOf

P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R", bound=Record)
Way = TypeVar("TransportT", bound=Sync | Async)


class Resource(Generic[Way]):
    """The operations of one heading of the interface."""

    def __init__(self, way: Way) -> None:
        self.way = way


class Operation(Generic[P, T]):
    """One request, one answer."""

    def __init__(self, ask: Callable[Concatenate[Any, P], Ask[DataOf[T]]]) -> None:
        self.ask = ask
        self.__doc__ = ask.__doc__

    @overload
    def __get__(self, resource: None, owner: object) -> Self: ...
    @overload
    def __get__(self, resource: Resource[Sync], owner: object) -> Callable[P, T]: ...
    @overload
    def __get__(self, resource: Resource[Async], owner: object) -> Callable[P, Coroutine[Any, Any, T]]: ...

    def __get__(self, resource: Any, owner: object) -> Any:
        if resource is None:
            return self
        return self._blocking(resource.way) if isinstance(resource.way, Sync) else self._awaiting(resource.way)

    def _blocking(self, way: Sync) -> Callable[P, T]:
        def method(*args: P.args, **kwargs: P.kwargs) -> T:
            return way.send(self.ask(None, *args, **kwargs)).data

        return update_wrapper(method, self.ask)

    def _awaiting(self, way: Async) -> Callable[P, Coroutine[Any, Any, T]]:
        async def method(*args: P.args, **kwargs: P.kwargs) -> T:
            return (await way.send(self.ask(None, *args, **kwargs))).data

        return update_wrapper(method, self.ask)


class Listing(Generic[P, R]):
    """One list, as many requests as it has pages."""

    def __init__(self, ask: Callable[Concatenate[Any, P], Ask[PageOf[R]]]) -> None:
        self.ask = ask
        self.__doc__ = ask.__doc__

    @overload
    def __get__(self, resource: None, owner: object) -> Self: ...
    @overload
    def __get__(self, resource: Resource[Sync], owner: object) -> Callable[P, Pages[R]]: ...
    @overload
    def __get__(self, resource: Resource[Async], owner: object) -> Callable[P, AsyncPages[R]]: ...

    def __get__(self, resource: Any, owner: object) -> Any:
        if resource is None:
            return self

        def method(*args: P.args, **kwargs: P.kwargs) -> Pages[R] | AsyncPages[R]:
            ask = self.ask(None, *args, **kwargs)
            return Pages(resource.way, ask) if isinstance(resource.way, Sync) else AsyncPages(resource.way, ask)

        return update_wrapper(method, self.ask)
