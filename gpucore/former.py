"""The product's former name, which files made under it still carry.

Files made before the product was called Warplens are read: graphs as archives, graphs in parts, and
the fingerprints stored with those. Nothing new is written with this name.
"""

#: What the product was called when those files were made.
NAME = "warpscope"


def formats(current: str) -> tuple[str, str]:
    """Return the names of a file format: today's, and the one that earlier files have.

    Examples
    --------
    >>> formats("warplens-graph")[0]
    'warplens-graph'
    """
    return current, current.replace("warplens", NAME, 1)
