"""The two sides of ratings: users and items."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from gpucore.problems.bipartite.graph import BipartiteGraph


class UsersAndItems(BipartiteGraph):
    """A bipartite graph whose rows are users and whose columns are items."""

    @property
    def num_users(self) -> int:
        """Number of users, U."""
        return self.num_rows

    @property
    def num_items(self) -> int:
        """Number of items, I."""
        return self.num_columns

    @cached_property
    def num_silent_users(self) -> int:
        """Number of users without ratings."""
        return int(np.count_nonzero(self.degrees[: self.num_users] == 0))

    @cached_property
    def num_silent_items(self) -> int:
        """Number of items without ratings."""
        return int(np.count_nonzero(self.degrees[self.num_users :] == 0))
