"""Faster code for templates: a page has thousands of values and calls.

Compared with Jinja's own code, functions are called as they are, because none of ours takes the context; a value is
escaped without a `Markup` object around the result; texts and icons are evaluated when a template is compiled; names
are looked up before a loop, not in it; and the macros of an imported template are made once, not for each page.
"""

import re
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from typing import Any
from uuid import UUID

from jinja2 import Environment, Template, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.runtime import Context
from jinja2.utils import missing
from jinja2.visitor import NodeTransformer
from markupsafe import Markup, escape

# MarkupSafe has no public function that returns a plain text: `escape` makes a `Markup` object of it, which takes ten
# times as long, and `html.escape` takes five times as long. The version is locked.
from markupsafe import _escape_inner as escape_text  # type: ignore[attr-defined]

_PLACEHOLDER = re.compile(r"%(?:\((\w+)\)s|(%))")


def html_text(value: object) -> str:
    """The value as it is written into a page."""
    kind = type(value)
    if kind is str:
        text: str = escape_text(value)  # type: ignore[arg-type]
        return text
    if kind is Markup:
        return value  # type: ignore[return-value]
    return str(value) if kind is int or kind is UUID else escape(value)


class _Context(Context):
    """Of a template. A macro of an imported one also finds the values of the page that calls it."""

    environment: "FastEnvironment"

    def resolve_or_missing(self, key: str) -> Any:  # noqa: ANN401 - Jinja's
        for values in (self.vars, self.parent, self.environment.page):
            if key in values:
                return values[key]
        return missing


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

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:  # noqa: N802
        """Jinja's own function only for what is no attribute: an entry of a dict, or a mistake."""
        self.write("(v if (v := getattr((o := ")
        self.visit(node.node, frame)
        self.write(f"), {node.attr!r}, missing)) is not missing else environment.getattr(o, {node.attr!r}))")

    def _output_child_pre(self, *_: object) -> None:
        """Most values are texts, which are escaped without another call."""
        self.write("(escape_text(v) if type(v := ")

    def _output_child_post(self, *_: object) -> None:
        self.write(") is str else escape(v))")

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
    """`constant_calls` has functions of one text, by name. What they return is safe HTML and never changes.

    `translate` is what the functions named "_" and "gettext" do before they fill in their values.
    """

    code_generator_class = _Code
    context_class = _Context
    constant_calls: Mapping[str, Callable[[str], str]]
    translate: Callable[[str], str]

    def __init__(self, **options: Any) -> None:  # noqa: ANN401 - Jinja's
        super().__init__(**options)
        self._loaded: dict[str, Template] = {}
        self.page: Mapping[str, Any] = {}  # the values of the page that is being rendered

    def render(self, template: str, values: Mapping[str, Any]) -> str:
        """A page may render a part within it."""
        outer, self.page = self.page, values
        try:
            return self.get_template(template).render(values)
        finally:
            self.page = outer

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """A plain dict: no template has globals of its own, and every page copies them."""
        return self.globals if not d else super().make_globals(d)

    def _load_template(self, name: str, globals: MutableMapping[str, Any] | None) -> Template:  # noqa: A002 - Jinja's
        """Templates do not change while the server runs."""
        template = self._loaded.get(name)
        if template is None:
            template = self._loaded[name] = super()._load_template(name, globals)
        return template

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        template = super()._parse(source, name, filename)
        _Evaluate(self.constant_calls, self.translate).visit(template)
        for block in template.find_all(nodes.Block):
            block.body.insert(0, _look_up(block))
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
        return code.replace("\n", f"; from {__name__} import {html_text.__name__} as escape, escape_text\n", 1)


class _Evaluate(NodeTransformer):
    def __init__(self, functions: Mapping[str, Callable[[str], str]], translate: Callable[[str], str]) -> None:
        self._functions = functions
        self._translate = translate

    def visit_Output(self, node: nodes.Output) -> nodes.Node:  # noqa: N802 - Jinja's name
        """Only what is written as it is becomes a part of the text around it."""
        self.generic_visit(node)
        parts = [part for child in node.nodes for part in self._evaluate(child)]
        node.nodes = [part for part in parts if part != _safe("", part.lineno)]
        return node

    def _evaluate(self, node: nodes.Expr) -> Iterator[nodes.Expr]:
        match node:
            case nodes.Call(
                node=nodes.Name(name=name),
                args=[nodes.Const(value=str(text))],
                kwargs=values,
                dyn_args=None,
                dyn_kwargs=None,
            ) if name in self._functions:
                if not values:
                    yield _safe(self._functions[name](text), node.lineno)
                else:
                    yield from self._fill(text, {value.key: value.value for value in values}, node.lineno)
            case _:
                yield node

    def _fill(self, text: str, values: Mapping[str, nodes.Expr], line: int) -> Iterator[nodes.Expr]:
        """The parts of a translated text with placeholders: constants, and values that are escaped as any other."""
        translated, end = self._translate(text), 0
        for found in _PLACEHOLDER.finditer(translated):
            yield _safe(translated[end : found.start()] + (found[2] or ""), line)
            if found[1]:
                yield values[found[1]]
            end = found.end()
        yield _safe(translated[end:], line)


def _safe(text: str, line: int) -> nodes.Expr:
    return nodes.MarkSafe(nodes.Const(str(text)), lineno=line)


def _look_up(block: nodes.Block) -> nodes.Node:
    """Names that only a loop of the block reads: Jinja would look them up for each row."""
    assigned = {name.name for name in block.find_all(nodes.Name) if name.ctx != "load"}
    read = {name.name for loop in block.find_all(nodes.For) for name in loop.find_all(nodes.Name)} - assigned
    names: list[nodes.Expr] = [nodes.Name(name, "load", lineno=block.lineno) for name in sorted(read - {"loop"})]
    return nodes.ExprStmt(nodes.Tuple(names, "load", lineno=block.lineno), lineno=block.lineno)
