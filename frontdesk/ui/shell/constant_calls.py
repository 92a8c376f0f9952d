"""Calls with a constant text are evaluated when a template is compiled: a page has hundreds of texts and icons."""

from collections.abc import Callable, Mapping

from jinja2 import Environment, nodes
from jinja2.visitor import NodeTransformer


class ConstantCalls(Environment):
    """`constant_calls` has functions of one text, by name. What they return is safe HTML and never changes."""

    constant_calls: Mapping[str, Callable[[str], str]]

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        template: nodes.Template = _Evaluate(self.constant_calls).visit(super()._parse(source, name, filename))
        return template


class _Evaluate(NodeTransformer):
    def __init__(self, functions: Mapping[str, Callable[[str], str]]) -> None:
        self._functions = functions

    def visit_Output(self, node: nodes.Output) -> nodes.Node:  # noqa: N802 - Jinja's name
        """Only what is written as it is becomes a part of the text around it."""
        self.generic_visit(node)
        node.nodes = [self._evaluate(child) for child in node.nodes]
        return node

    def _evaluate(self, node: nodes.Expr) -> nodes.Expr:
        match node:
            case nodes.Call(
                node=nodes.Name(name=name),
                args=[nodes.Const(value=str(text))],
                kwargs=[],
                dyn_args=None,
                dyn_kwargs=None,
            ) if name in self._functions:
                return nodes.MarkSafe(nodes.Const(str(self._functions[name](text))), lineno=node.lineno)
        return node
