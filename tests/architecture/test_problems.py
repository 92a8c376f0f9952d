"""Every problem that a surface can meet has an answer there, with values that the problem has."""

import ast
import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from string import Formatter

import pytest

from frontdesk.apis.problems import ANSWERS
from frontdesk.day_close.problems import CloseProblem
from frontdesk.imports.problems import RowProblem
from frontdesk.live.problems import LiveProblem
from frontdesk.orders.problems import EditProblem, OrderProblem, PriceProblem, TillProblem
from frontdesk.problems import Problem, ProblemKind, decode_problem, encode_problem
from frontdesk.ui.shell.problems import CODES, TEXTS, PageProblem
from frontdesk.webhooks.problems import OffReason
from tests.architecture.python_files import PACKAGE, files_of_package

NAMED = re.compile(r"%\((\w+)\)s")


def module_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


Definition = tuple[str, str]  # module and name


class Product:
    """All of its modules, with what each imports and defines."""

    def __init__(self) -> None:
        self.modules = {module_of(file.path): file.tree for file in files_of_package()}
        self.nodes = {module_of(file.path): file.nodes for file in files_of_package()}
        self.imports = {module: self._imports_of(nodes) for module, nodes in self.nodes.items()}
        self.definitions = {
            (module, name): node for module, tree in self.modules.items() for name, node in definitions_of(tree)
        }
        self.kinds: dict[str, type[ProblemKind]] = {
            node.name: getattr(import_module(module), node.name)
            for (module, _), node in self.definitions.items()
            if isinstance(node, ast.ClassDef)
            and any(isinstance(base, ast.Name) and base.id == "ProblemKind" for base in node.bases)
        }

    def _imports_of(self, nodes: Iterable[ast.AST]) -> dict[str, Definition]:
        """Where the imported names are defined. A module is a definition without a name."""
        found = {}
        for node in nodes:
            if isinstance(node, ast.ImportFrom) and node.module:
                for name in node.names:
                    module = f"{node.module}.{name.name}"
                    is_module = module in self.modules
                    found[name.asname or name.name] = (module, "") if is_module else (node.module, name.name)
        return found

    def every_kind(self) -> set[ProblemKind]:
        return {kind for kinds in self.kinds.values() for kind in kinds}

    def members(self, nodes: Iterable[ast.AST]) -> Iterator[tuple[ast.Attribute | ast.Subscript, ProblemKind]]:
        """`OrderProblem.NOT_FOR_SALE` is one, `TimeProblem[why]` may be any of its enum."""
        for node in nodes:
            if (
                isinstance(node, ast.Attribute | ast.Subscript)
                and isinstance(node.value, ast.Name)
                and node.value.id in self.kinds
            ):
                kinds = self.kinds[node.value.id]
                for kind in [kinds[node.attr]] if isinstance(node, ast.Attribute) else list(kinds):
                    yield node, kind

    def raised_below(self, surface: str) -> set[ProblemKind]:
        below = {one for one in self._definitions_below(surface) if not one[0].startswith(surface)}
        return {kind for one in below for _, kind in self.members(ast.walk(self.definitions[one]))}

    def _definitions_below(self, surface: str) -> set[Definition]:
        """What the surface uses, directly or not."""
        found: set[Definition] = set()
        of_surface = [(module, nodes) for module, nodes in self.nodes.items() if module.startswith(surface)]
        todo = [one for module, nodes in of_surface for one in self._names_in(module, nodes)]
        while todo:
            one = todo.pop()
            if one in self.definitions and one not in found:
                found.add(one)
                todo += self._names_in(one[0], ast.walk(self.definitions[one]))
        return found

    def _names_in(self, module: str, nodes: Iterable[ast.AST]) -> Iterator[Definition]:
        """The definitions that a statement names: of its own module, or imported."""
        for each in nodes:
            if isinstance(each, ast.Name):
                yield self.imports[module].get(each.id, (module, each.id))
            elif isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name):
                of, name = self.imports[module].get(each.value.id, (module, each.value.id))
                if not name:
                    yield of, each.attr


def definitions_of(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name, node
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from ((target.id, node) for target in targets if isinstance(target, ast.Name))


@pytest.fixture(scope="module")
def product() -> Product:
    return Product()


# The POS API closes a day without a count, only pages are live, applications change orders as managers do,
# and `webhook_json.sql` says why a webhook is disabled.
NOT_OF_APIS: set[ProblemKind] = {
    *LiveProblem,
    *OffReason,  # webhook_json.sql says it
    CloseProblem.TOO_OLD_TO_CLOSE,
    CloseProblem.DRAWER_CHANGED,
    CloseProblem.NOT_COUNTED,
    CloseProblem.LEFT_ABOVE_COUNTED,
    CloseProblem.OTHER_ROWS,
    CloseProblem.HANDED_OVER_DIFFERS,
    CloseProblem.NOTE_REQUIRED,
    CloseProblem.SHIFTS_OPEN,
    EditProblem.NEEDS_MANAGER,
    EditProblem.NO_LINES,
    EditProblem.TOTAL_CHANGED,
    PriceProblem.DISCOUNT_BY_MANAGERS,
}


def test_every_problem_of_the_apis_has_an_answer(product: Product) -> None:
    raised = product.raised_below("frontdesk.apis")
    assert OrderProblem.NOT_FOR_SALE in raised
    assert TillProblem.NO_PAYMENT not in raised
    assert sorted(map(str, raised - ANSWERS.keys() - NOT_OF_APIS)) == []


def test_every_problem_has_a_text_of_the_pages(product: Product) -> None:
    every = product.every_kind()
    assert len(every) > 100
    assert sorted(map(str, every - TEXTS.keys() - set(PageProblem))) == []
    assert CODES.keys() <= every


def test_the_api_says_every_reason_why_a_webhook_is_disabled() -> None:
    said = (PACKAGE / "postgres/functions/webhook_json.sql").read_text("utf-8")
    assert re.findall(r"WHEN '(\w+)'", said) == [reason.name for reason in OffReason]


def test_stored_problems_come_back_as_they_were() -> None:
    problem = Problem(RowProblem.WRONG_STOCK, text="-1", least=0, most=10)
    stored = decode_problem(RowProblem, encode_problem(problem))
    assert (stored.kind, stored.values) == (problem.kind, problem.values)


def test_texts_name_only_values_that_the_problem_has() -> None:
    for kind, text in TEXTS.items():
        assert set(NAMED.findall(text)) <= kind.parameters.keys(), kind
        assert "%" not in NAMED.sub("", text).replace("%%", ""), kind
    for kind, answer in ANSWERS.items():
        named = {name for _, name, _, _ in Formatter().parse(answer.text) if name}
        assert named <= kind.parameters.keys(), kind


def test_every_problem_kind_is_used(product: Product) -> None:
    used = {
        kind
        for name, nodes in product.nodes.items()
        if not name.startswith(("frontdesk.apis.problem_answers", "frontdesk.ui.shell.problem_texts"))
        for _, kind in product.members(nodes)
    }
    assert sorted(map(str, product.every_kind() - used)) == []


def test_problems_are_raised_with_the_values_of_their_kind(product: Product) -> None:
    """`Problem` raises a TypeError otherwise; this finds it where no test comes."""
    seen = 0
    for name, nodes in product.nodes.items():
        for node in nodes:
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == "Problem"
                and node.args
            ):
                given = {keyword.arg for keyword in node.keywords}
                for at, kind in product.members(ast.walk(node.args[0])):
                    if isinstance(at, ast.Subscript):
                        continue
                    seen += 1
                    assert given == kind.parameters.keys() or None in given, (name, node.lineno, kind)
    assert seen > 100
