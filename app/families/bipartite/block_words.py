"""Sentences about a matrix that follow from its Dulmage-Mendelsohn decomposition.

.. [1] A. Pothen and C.-J. Fan, "Computing the block triangular form of a sparse matrix", ACM
   Transactions on Mathematical Software 16(4), 1990.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpucore.format import counted

if TYPE_CHECKING:
    from gpucore.families.bipartite.decomposition import DulmageMendelsohn

#: The coarse parts, by number.
NAMES = ("Horizontal part", "Square part", "Vertical part")


def part_lines(parts: DulmageMendelsohn) -> list[tuple[str, str]]:
    """Return name and description of each coarse part; "none" where it is empty."""
    rows, columns = zip(*parts.sizes.values(), strict=True)
    fine = "one block that cannot be split"
    if parts.num_blocks > 1:
        most = parts.largest_block
        size = f"the largest {_size(most, most)}" if most > 1 else "each a single entry"
        fine = f"{parts.num_blocks:,} blocks on the diagonal, {size}"
    said = (
        f"every row is matched, {_count(columns[0] - rows[0], 'column')} free",
        f"all matched; {fine}",
        f"every column is matched, {_count(rows[2] - columns[2], 'row')} free",
    )
    return [
        (name, f"{_size(r, c)}: {text}" if r or c else "none")
        for name, r, c, text in zip(NAMES, rows, columns, said, strict=True)
    ]


def good_for(parts: DulmageMendelsohn) -> str:
    """Return two or three sentences: structural rank, and the work that a solver saves."""
    rows, columns, rank = len(parts.row_part), len(parts.column_part), parts.structural_rank
    if not rank:
        return "The matrix has no entries: its rank is 0."
    sentences = [_of_rank(rows, columns, rank)]
    if rows == columns == rank:
        sentences.append(_of_blocks(parts.num_blocks, parts.largest_block, rows))
    else:
        sentences += _of_parts(parts)
    return " ".join(sentences)


def _of_rank(rows: int, columns: int, rank: int) -> str:
    best = min(rows, columns)
    text = f"The structural rank is {rank:,}, the size of the matching: whatever the values, "
    if rank == best == max(rows, columns):
        return text + "no zero pivot is forced; with almost all values the matrix can be inverted."
    if rank == best:
        return text + f"no rank can be higher, and almost all values reach the full {best:,}."
    short = f"the rank stays at least {best - rank:,} below {best:,}"
    return text + (f"{short}, so the matrix is singular." if rows == columns else f"{short}.")


def _of_blocks(blocks: int, largest: int, n: int) -> str:
    if blocks <= 1:
        return (
            "It is irreducible: no order of rows and columns makes it block triangular, so a "
            "direct solver has to factorise it as a whole."
        )
    if largest == 1:
        return "Every block is a single entry: in this order the system is solved by substitution."
    return (
        f"It is reducible: a direct solver factorises only the {blocks:,} blocks on the diagonal, "
        f"none larger than {largest:,} of {n:,} rows, and gets the rest by substitution, from the "
        "last block to the first."
    )


def _of_parts(parts: DulmageMendelsohn) -> list[str]:
    """Return the meaning of the parts, for a matrix that is not square and of full rank."""
    rows, columns = zip(*parts.sizes.values(), strict=True)
    names = []
    if columns[0]:
        names.append("the horizontal part has more unknowns than equations (underdetermined)")
    if rows[1]:
        names.append("the square part has as many of both")
    if rows[2]:
        names.append("the vertical part has more equations than unknowns (overdetermined)")
    text = f"Read as equations, {', '.join(names)}."
    if len(names) < 2:
        return [text]
    return [text, "Left of and below each part are only zeros: they are solved from the last one."]


def _count(number: int, word: str) -> str:
    return f"{counted(number, word)} {'stays' if number == 1 else 'stay'}"


def _size(rows: int, columns: int) -> str:
    return f"{rows:,} × {columns:,}"
