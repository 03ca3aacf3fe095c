"""The declarations of a C++ source: what each one declares, and what it mentions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from gpucore.watching.source.lexer import Source, words

_CLASSES = frozenset(("class", "struct", "union", "enum"))
#: Words before parentheses that are no parameters.
_ATTRIBUTES = words(
    "__launch_bounds__ __align__ alignas __attribute__ __declspec __cluster_dims__ "
    "__block_size__ decltype noexcept explicit throw requires"
)
#: Words that no declaration is named by.
_KEYWORDS = words(
    "void bool char short int long float double signed unsigned auto const volatile static inline "
    "extern typename return if for while do else switch case break continue sizeof default public "
    "private protected struct class union enum operator template typedef using namespace this "
    "true false nullptr constexpr size_t threadIdx blockIdx blockDim gridDim"
)


@dataclass(frozen=True)
class Declaration:
    """One declaration; first, last, and the others are indices of tokens.

    Attributes
    ----------
    head : list of str
        Words before the parameters of a function, or before the body of a class.
    names : set of str
        What it declares, as far as names tell.
    parameters, body : tuple of int
        Parentheses of a function's parameters, and braces of its body or of a class; (-1, -1) if
        there are none.
    function : bool
        Whether it is a function with a body.
    scope : tuple of str
        Namespaces and classes around it.
    members : list of Declaration
        Of a class.
    """

    source: Source = field(repr=False)
    first: int
    last: int
    head: list[str]
    names: set[str]
    parameters: tuple[int, int]
    body: tuple[int, int]
    function: bool
    scope: tuple[str, ...]
    members: list[Declaration] = field(default_factory=list)

    @cached_property
    def words(self) -> set[str]:
        """All words in it that may be names of other declarations."""
        tokens = self.source.tokens[self.first : self.last + 1]
        return {token.text for token in tokens if token.kind == "word"} - _KEYWORDS

    def has(self, *wanted: str) -> bool:
        """Return whether one of the words stands in front of its body."""
        end = self.body[0] if self.body[0] >= 0 else self.last
        return any(self.source.tokens[i].text in wanted for i in range(self.first, end))

    @property
    def name(self) -> str:
        """The name of a function."""
        return next(_qualified(self.source, self.parameters[0] - 1), "")


@dataclass
class _Reader:
    source: Source
    #: Ranges of tokens that are no part of the code: braces of blocks extern "C".
    braces: list[tuple[int, int]] = field(default_factory=list)

    def read(self, index: int, end: int, scope: tuple[str, ...]) -> Iterator[Declaration]:
        tokens, partner = self.source.tokens, self.source.partner
        while index < end:
            token = tokens[index]
            if token.kind == "directive" or token.text in (";", "}"):
                index += 1
                continue
            if token.text in ("public", "private", "protected") and self.source.is_at(
                index + 1, ":"
            ):
                index += 2
                continue
            opening = self._namespace(index)
            if opening is not None:
                inner = scope
                if token.text == "extern":
                    closing = partner[opening]
                    self.braces += [(index, opening), (closing, closing)]
                else:
                    named = [t.text for t in tokens[index:opening] if t.kind == "word"]
                    inner += tuple(w for w in named if w not in ("namespace", "inline"))
                yield from self.read(opening + 1, partner[opening], inner)
                index = partner[opening] + 1
                continue
            found = self._declaration(index, end, scope)
            yield found
            index = found.last + 1

    def _namespace(self, index: int) -> int | None:
        """Return the opening brace of a namespace or a block extern "C" that begins here."""
        tokens, is_at = self.source.tokens, self.source.is_at
        if (
            is_at(index, "extern")
            and index + 2 < len(tokens)
            and tokens[index + 1].kind == "string"
        ):
            return index + 2 if is_at(index + 2, "{") else None
        index += is_at(index, "inline")
        if not is_at(index, "namespace"):
            return None
        while index + 1 < len(tokens) and tokens[index].text not in ("{", ";", "="):
            index += 1
        return index if is_at(index, "{") else None

    def _declaration(self, first: int, end: int, scope: tuple[str, ...]) -> Declaration:
        tokens, partner = self.source.tokens, self.source.partner
        head: list[str] = []
        parameters = body = (-1, -1)
        is_class = False
        initial = function = False
        index = first
        while index < end:
            token = tokens[index]
            text = token.text
            if text == "template" and self.source.is_at(index + 1, "<"):
                index = self.source.angle_end(index + 1)
            elif text == "<" and index > first and tokens[index - 1].kind == "word" and not initial:
                index = self.source.angle_end(index) if "operator" not in head else index
            elif text == "operator" and self.source.is_at(index + 1, "("):
                head.append(text)
                index += 2
            elif text == "=" and "operator" not in head[-1:]:
                initial = True
            elif text in ("(", "["):
                closing = partner[index]
                before = tokens[index - 1] if index > first else token
                if (
                    text == "("
                    and parameters[0] < 0
                    and not initial
                    and before.text not in _ATTRIBUTES
                    and ("operator" in head or before.kind == "word" or before.text == ">")
                ):
                    parameters = (index, closing)
                index = closing
            elif text == "{":
                closing = partner[index]
                if initial or self._is_member_initial(first, index, closing, parameters):
                    pass
                elif parameters[0] >= 0:
                    function, body = True, (index, closing)
                    index = closing
                    break
                else:
                    body = (index, closing) if is_class else body
                index = closing
            elif text == ";":
                break
            elif token.kind == "word" and parameters[0] < 0 and body[0] < 0 and not initial:
                is_class = is_class or text in _CLASSES
                head.append(text)
            index += 1
        last = min(index, end - 1)
        made = Declaration(self.source, first, last, head, set(), parameters, body, function, scope)
        made.names.update(self._names(made, is_class))
        if is_class and body[0] >= 0 and "enum" not in head:
            inner = (*scope, *(made.names and [self._class_name(made)]))
            made.members.extend(self.read(body[0] + 1, body[1], inner))
        return made

    def _is_member_initial(
        self, first: int, index: int, closing: int, parameters: tuple[int, int]
    ) -> bool:
        """Return whether braces are those of ``: member{value}`` in a constructor."""
        if parameters[0] < 0 or not self.source.is_at(parameters[1] + 1, ":"):
            return False
        before = self.source.tokens[index - 1]
        after = self.source.tokens[min(closing + 1, len(self.source.tokens) - 1)].text
        return before.kind == "word" and after in (",", "{")

    @staticmethod
    def _class_name(made: Declaration) -> str:
        return next((w for w in made.head if w not in _ATTRIBUTES | _KEYWORDS), "")

    def _names(self, made: Declaration, is_class: bool) -> Iterator[str]:
        tokens, partner = self.source.tokens, self.source.partner
        if "operator" in made.head:
            yield "operator"
        if made.parameters[0] >= 0:
            yield from _qualified(self.source, made.parameters[0] - 1)
        if made.function:
            return
        if made.head[:1] == ["using"]:
            yield made.head[-1]
        if is_class:
            yield self._class_name(made)
            if "enum" in made.head and made.body[0] >= 0:
                inside = tokens[made.body[0] : made.body[1]]
                yield from (token.text for token in inside if token.kind == "word")
        # Declarators: a word before one of ; , = [ ( { and names in (*pointer).
        index = made.first
        while index <= made.last:
            token = tokens[index]
            if token.kind == "word" and index < made.last:
                if tokens[index + 1].text in (";", ",", "=", "[", "(", "{", ":"):
                    yield token.text
            elif token.text == "(" and self.source.is_at(index + 1, "*"):
                yield from (t.text for t in tokens[index : partner[index]] if t.kind == "word")
            if token.text in ("(", "[", "{"):
                index = partner[index]
            index += 1


def _qualified(source: Source, index: int) -> Iterator[str]:
    """Return the names of ``Class<T>::member`` that ends at an index."""
    while index >= 0:
        if source.is_at(index, ">"):
            index = source.angle_begin(index) - 1
        if source.tokens[index].kind != "word":
            return
        yield source.tokens[index].text
        index -= 1 + source.is_at(index - 1, "~")
        if not source.is_at(index, "::"):
            return
        index -= 1


@dataclass(frozen=True)
class Declared:
    """All declarations of a source, and the ranges of tokens of blocks ``extern "C"``."""

    source: Source
    all: list[Declaration]
    braces: list[tuple[int, int]]


def declared(source: Source) -> Declared:
    """Return the declarations of a source, those of namespaces among them."""
    reader = _Reader(source)
    found = list(reader.read(0, len(source.tokens), ()))
    return Declared(source, found, reader.braces)
