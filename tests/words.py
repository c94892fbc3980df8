"""The glossary's check, a part of `make check`: words that `docs/glossary.md` gives up, and terms with two names.

A word of the last column in `backticks` is a name in code: it is looked for among the identifiers of the packages in
SETTLED. Any other one is a word on a screen: it is looked for in the texts that people read, and where it stands in
“quotation marks” only a text that is nothing else breaks the rule.
"""

import ast
import itertools
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from core.system.shipped import BUSINESS, SYSTEM

ROOT = Path(__file__).resolve().parent.parent
GLOSSARY = ROOT / "docs" / "glossary.md"
SETTLED = (
    "core/access",
    "core/audit",
    "core/blade",
    "core/database",
    "core/desk",
    "core/equipment",
    "core/identity",
    "core/inspection",
    "core/kernel",
    "core/maintenance",
    "core/rest",
    "core/scheduling",
    "core/storage",
    "core/system",
    "workflows/engine",
)
"""Packages whose names follow the glossary; the list only grows."""
PLAIN = ("core/kernel", "core/database", "core/statements", "core/blade", "core/rest", "core/audit")
"""Packages whose docstrings are plain sentences; the list only grows."""
RIDDLES = ("What ", "Whatever ", "Who ", "Whoever ", "Whether ", "Of ", "By ", "Nothing ", "Those ", "The same ")
"""Beginnings of a docstring that leave out its subject or its verb."""
SPECIFIED = frozenset(
    {
        "与维修单…的工时重叠…分钟",
        "维修单…已有工时，不能删除",
        "合计中每张维修单只计一次；多人参与的维修单，在每个人的完工数中各计一次",
        "请填写维修措施",
        "该维修单已被…接单",
        "该设备已有未完成的维修单，是否继续报修？",
        "该设备已有未完成的维修单…，是否继续报修？",
    }
)
"""Sentences that the specification gives word by word."""
CHINESE = re.compile(r"[\u4e00-\u9fff]")
CODE = re.compile(r"[a-z][a-z0-9_.:-]*")
INFORMAL = re.compile(r"你")


def terms(text: str) -> list[tuple[str, str, list[str]]]:
    """Return the rows of the glossary: term, Chinese term, words given up."""
    found = []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| ") and len(cells) == 4 and cells[0] not in ("Term", "Package") and set(cells[0]) != {"-"}:
            found.append((cells[0], cells[1], [word.strip() for word in cells[3].split(",") if word.strip()]))
    return found


def settled(text: str) -> list[tuple[str, str, list[str]]]:
    """Return the rows of "Words of the screens": English text, Chinese text, words given up."""
    found = []
    for line in text.partition("## Words of the screens")[2].partition("\n## ")[0].splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| ") and cells[0] != "中文" and set(cells[0]) != {"-"}:
            found.append((cells[1], cells[0], [word.strip() for word in cells[2].split(",") if word.strip()]))
    return found


def screen_texts() -> Iterator[tuple[str, str]]:
    """Yield place and text of everything that people read: the console's dictionaries, labels, catalogue, models."""
    for path in sorted((ROOT / "web" / "src" / "i18n").glob("*-*/*.ts")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for match in re.finditer(r"(['\"`])((?:\\.|(?!\1).)*)\1", line):
                yield f"{path.relative_to(ROOT)}:{number}", re.sub(r"\{\{[^}]*\}\}|\$t\([^)]*\)", "…", match[2])
    for number, line in enumerate((ROOT / "core/locale/en/LC_MESSAGES/django.po").read_text().splitlines(), 1):
        if match := re.match(r'msg(?:id|id_plural|str|str\[\d\]) "(.*)"$', line):
            yield f"core/locale/en/LC_MESSAGES/django.po:{number}", re.sub(r"\{[^}]*\}", "…", match[1])
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text())):
            yield from pairs(path, node)
    for path in sorted([*(ROOT / "bpmn").rglob("*.bpmn"), *(ROOT / "core").rglob("*.bpmn")]):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for text in re.findall(r'(?:\s|:)(?:name|nameEn|label|title)="([^"]*)"', line):
                yield f"{path.relative_to(ROOT)}:{number}", text
    for code, entry in {**SYSTEM, **BUSINESS}.items():  # their Chinese is the specification's
        for _zh, en in (entry.name, *entry.values.values()):
            yield f"core/system/shipped.py: {code}", en


def pairs(path: Path, node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield the sentences of a call or tuple that gives a text in Chinese and the same in English behind it."""
    items = node.args if isinstance(node, ast.Call) else node.elts if isinstance(node, ast.Tuple) else []
    words = [sentence(item) for item in items]
    for zh, en in itertools.pairwise(words):
        if en and CHINESE.search(zh) and not CHINESE.search(en) and not CODE.fullmatch(en):
            place = f"{path.relative_to(ROOT)}:{items[0].lineno}"
            yield place, zh
            yield place, en


def sentence(node: ast.expr) -> str:
    """Return the text of a literal, with … for what is filled in; empty for any other expression."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)
    return ""


def sources(packages: tuple[str, ...] = ("core", "workflows")) -> Iterator[Path]:
    """Yield the Python files of these packages, without migrations."""
    for package in packages:
        yield from (path for path in sorted((ROOT / package).rglob("*.py")) if "migrations" not in path.parts)


def names(path: Path) -> Iterator[tuple[str, str]]:
    """Yield place and name of what a module defines: classes, functions, their parameters, and the module itself."""
    place = path.relative_to(ROOT)
    yield f"{place}:1", path.stem
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{place}:{node.lineno}", node.name
        elif isinstance(node, ast.arg):
            yield f"{place}:{node.lineno}", node.arg


def riddles() -> Iterator[str]:
    """Yield a sentence for each docstring of the plain packages that begins without a subject and a verb."""
    for path in sources(PLAIN):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef | ast.FunctionDef) and (ast.get_docstring(node) or "").startswith(RIDDLES):
                place = f"{path.relative_to(ROOT)}:{node.lineno}"
                yield f"{place}: the docstring of `{node.name}` has no verb; say what it returns or does."


def _pattern(word: str) -> re.Pattern[str]:
    if word.startswith("“"):
        return re.compile(rf"^{re.escape(word.strip('“”'))}$", re.IGNORECASE)
    return re.compile(re.escape(word) if CHINESE.search(word) else rf"\b{re.escape(word)}\b", re.IGNORECASE)


def given_up(rows: list[tuple[str, str, list[str]]]) -> Iterator[str]:
    """Yield a sentence for each use of a word that the glossary gives up."""
    on_screens, in_code = {}, {}
    for term, chinese, words in rows:
        for word in words:
            (in_code if word.startswith("`") else on_screens)[word.strip("`")] = f"“{term}” ({chinese})"
    patterns = {word: _pattern(word) for word in on_screens}
    for place, text in screen_texts():
        if text in SPECIFIED:
            continue
        for word, pattern in patterns.items():
            if pattern.search(text):
                yield f"{place}: “{word}” in “{text}”; the glossary says {on_screens[word]}."
        if INFORMAL.search(text):
            yield f"{place}: 你 in “{text}”; people are called 您."
    for path in sources(SETTLED):
        for place, name in names(path):
            if name in in_code:
                yield f"{place}: the name `{name}`; the glossary says {in_code[name]}."


def doubled(rows: list[tuple[str, str, list[str]]]) -> Iterator[str]:
    """Yield a sentence for each term, Chinese term or given-up word that stands in two rows."""
    for column, what in ((0, "term"), (1, "Chinese term")):
        seen = [row[column] for row in rows]
        yield from (
            f"docs/glossary.md: the {what} “{one}” stands twice." for one in sorted({*seen}) if seen.count(one) > 1
        )
    every = {row[0].lower() for row in rows} | {row[1] for row in rows}
    for term, _, words in rows:
        yield from (
            f"docs/glossary.md: “{word}” is a term and given up at “{term}”." for word in words if word.lower() in every
        )
    if len(rows) > 120:
        yield f"docs/glossary.md: {len(rows)} terms; at most 120."


def main() -> int:
    """Print what breaks the glossary; return 1 where something does."""
    text = GLOSSARY.read_text()
    rows = terms(text)
    faults = [*doubled(rows), *given_up([*rows, *settled(text)]), *riddles()]
    print("\n".join(faults) or f"{len(rows)} terms, one name each.")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
