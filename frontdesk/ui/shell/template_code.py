"""Faster code for templates: a page has thousands of values and calls.

Compared with Jinja's own code, functions are called as they are, because none of ours takes the context; a value is
escaped without a `Markup` object around the result; texts and icons are evaluated when a template is compiled; and the
macros of an imported template are defined when the first one is called.
"""

from collections.abc import Callable, Mapping
from uuid import UUID

from jinja2 import Environment, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.environment import TemplateModule
from jinja2.visitor import NodeTransformer
from markupsafe import Markup, escape
from markupsafe import _escape_inner as escape_text  # type: ignore[attr-defined]


def html_text(value: object) -> str:
    """The value as it is written into a page. MarkupSafe's inner function is the one that is written in C."""
    kind = type(value)
    if kind is str:
        text: str = escape_text(value)  # type: ignore[arg-type]
        return text
    if kind is Markup:
        return value  # type: ignore[return-value]
    return str(value) if kind is int or kind is UUID else escape(value)


class LazyModule:
    """An imported template. Few pages call a macro of each template that their layouts import."""

    def __init__(self, make: Callable[[], TemplateModule]) -> None:
        self._make = make

    def __getattr__(self, name: str) -> object:
        self.__dict__.update(vars(self._make()))
        return self.__dict__[name]


class _Code(CodeGenerator):
    _is_first_argument = False

    def write(self, x: str) -> None:
        if self._is_first_argument:
            self._is_first_argument = False
            x = x.removeprefix(", ")
        super().write(x)

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:  # noqa: N802 - Jinja's
        self.visit(node.node, frame)
        self.write("(")
        self._is_first_argument = True
        self.signature(node, frame, {"caller": "caller"} if forward_caller else None)
        self._is_first_argument = False
        self.write(")")

    def visit_Import(self, node: nodes.Import, frame: Frame) -> None:  # noqa: N802
        self.writeline(f"{frame.symbols.ref(node.target)} = ", node)
        if frame.toplevel:
            self.write(f"context.vars[{node.target!r}] = ")
        self.write(f"{LazyModule.__name__}(lambda: ")
        self._import_common(node, frame)
        self.write(")")
        if frame.toplevel:
            self.writeline(f"context.exported_vars.discard({node.target!r})")

    def visit_For(self, node: nodes.For, frame: Frame) -> None:  # noqa: N802
        """The rows of a list become one text, which passes through the templates around the block once."""
        if frame.buffer is not None or not frame.block_frame:
            super().visit_For(node, frame)
            return
        self.buffer(frame)
        super().visit_For(node, frame)
        self.writeline(f"yield concat({frame.buffer})", node)
        frame.buffer = None


class FastEnvironment(Environment):
    """`constant_calls` has functions of one text, by name. What they return is safe HTML and never changes."""

    code_generator_class = _Code
    constant_calls: Mapping[str, Callable[[str], str]]

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        template: nodes.Template = _Evaluate(self.constant_calls).visit(super()._parse(source, name, filename))
        return template

    def _generate(
        self,
        source: nodes.Template,
        name: str | None,
        filename: str | None,
        defer_init: bool = False,
    ) -> str:
        """`escape` is the name that the generated code uses."""
        code = super()._generate(source, name, filename, defer_init)
        names = f"{html_text.__name__} as escape, {LazyModule.__name__}"
        return code.replace("\n", f"; from {__name__} import {names}\n", 1)


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
