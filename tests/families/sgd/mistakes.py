"""Mistakes planted in the kernels of factorisation, and what finds each."""

from __future__ import annotations

from support.planting import Mistake

#: What finds a mistake: the race detector, a check of the certificate, or an error of the run.
RACE, SERIALISABLE = "race", "serialisable"
ONCE, ERROR = "every rating once a sweep", "error"
#: Vectors that are not those of another schedule, where they should not depend on it.
OTHER = "other vectors"

EL_UPDATES = "        const float error =\n            update<true, true>(has_both,"
NL_UPDATES = "        const float error = update<true, false>(held,"
NL_VECTOR = "    __syncwarp();\n    int deferred = 0;"
COLUMN_VECTOR = "    __syncwarp();\n    for (int s = 0;"
BARRIER = "        simt_grid_sync(barrier);\n"

USER_LEFT_THERE = ("atomicExch(asked.at[i], TAKEN);", "simt_load(asked.at[i]);")
NEXT_USER = "                held = ahead;\n"
PUT_BACK = "                put_user(held, user_vectors, rule, lanes);\n"
ROWS_COMPLETE = "            __syncwarp();\n            ready = __popc(all);"
STRIPE_BARRIER = "simt_grid_sync(barrier);"
ALL_HAVE_READ = "__syncthreads();    // all have read the items' vectors"
CHANGES_ADDED = "atomicAdd(row + part_at(j, me), "
CHANGES_ADDED_PLAINLY = "row[part_at(j, me)] += ("

#: Each mistake with the variants that run it, and what finds it.
MISTAKES: tuple[tuple[Mistake, tuple[str, ...], set[str]], ...] = (
    (
        Mistake(
            "item_released_early",
            "sgd_online",
            "        give_back(item_locks + item, has_both, me);\n",
            moved_to=EL_UPDATES,
        ),
        ("el", "el_shuffled"),
        {SERIALISABLE},
    ),
    (
        Mistake(
            "user_released_early",
            "sgd_online",
            "        give_back(user_locks + user, has_both, me);\n",
            moved_to=EL_UPDATES,
        ),
        ("el_shuffled",),
        {SERIALISABLE},
    ),
    (
        Mistake(
            "nl_user_released_early",
            "sgd_online",
            "        give_back(user_locks + user, held, me);\n",
            moved_to=NL_UPDATES,
        ),
        ("nl", "nl_el"),
        {SERIALISABLE},
    ),
    (
        Mistake(
            "item_not_locked", "sgd_online", "take(item_locks + item, has_user, me);", "has_user;"
        ),
        ("el", "el_shuffled"),
        {SERIALISABLE},
    ),
    (
        Mistake("user_not_locked", "sgd_online", "take(user_locks + user, mine, me);", "mine;", 1),
        ("nl", "nl_el"),
        {SERIALISABLE},
    ),
    (
        Mistake(
            "lock_kept",
            "sgd_online",
            "        give_back(user_locks + user, has_user && !has_both, me);\n",
        ),
        ("el", "el_shuffled"),
        {ERROR},
    ),
    (
        Mistake(
            "deferred_rating_lost",
            "sgd_online",
            "mine && !has_both && me.lane == 0);",
            "mine && !has_user && me.lane == 0);",
        ),
        ("el", "el_shuffled"),
        {ONCE},
    ),
    (
        Mistake(
            "marked_before_the_lock_is_known",
            "sgd_online",
            "if (held && me.lane == 0) marks[which] = 1;",
            "if (mine && me.lane == 0) marks[which] = 1;",
        ),
        ("nl", "nl_el"),
        {ONCE},
    ),
    (
        Mistake(
            "marks_cleared_twice",
            "sgd_online",
            NL_VECTOR,
            "    for (long long e = begin + me.lane; e < end; e += me.width) marks[e] = 0;\n"
            + NL_VECTOR,
        ),
        ("nl",),
        {ONCE, ERROR},
    ),
    (
        Mistake("user_not_taken", "sgd_batched", *USER_LEFT_THERE),
        ("nl_batched",),
        {SERIALISABLE},
    ),
    (
        Mistake("user_put_back_early", "sgd_batched", NEXT_USER, NEXT_USER + PUT_BACK),
        ("nl_batched",),
        {SERIALISABLE},
    ),
    (
        Mistake(
            "part_of_a_user_is_enough", "sgd_batched", "(here & words) == words);", "here & words);"
        ),
        ("nl_batched",),
        {SERIALISABLE, ERROR},
    ),
    (
        Mistake(
            "item_taken_twice", "sgd_batched", "taken = atomicAdd(next, 1);", "taken = (*next)++;"
        ),
        ("nl_batched",),
        {RACE, ONCE, SERIALISABLE},
    ),
    (
        Mistake(
            "rows_overwritten", "sgd_batched", "__syncwarp();       // all lanes have read the rows"
        ),
        ("nl_batched",),
        {RACE},
    ),
    (
        Mistake("rows_not_complete", "sgd_batched", ROWS_COMPLETE, ROWS_COMPLETE.split("\n")[1]),
        ("nl_batched",),
        {RACE},
    ),
    (
        Mistake("vector_not_loaded", "sgd_offline", COLUMN_VECTOR, "    for (int s = 0;"),
        ("agm_n", "sgm"),
        {RACE},
    ),
    (
        Mistake("no_barrier_between_matchings", "sgd_offline", BARRIER),
        ("agm_e", "diag"),
        {RACE, SERIALISABLE},
    ),
    (
        Mistake("no_barrier_between_sets", "sgd_offline", BARRIER, nth=1),
        ("agm_n", "sgm", "el_sgm"),
        {RACE, SERIALISABLE},
    ),
    (
        Mistake("no_barrier_between_tiles", "sgd_offline", BARRIER, nth=2),
        ("blkdiag",),
        {RACE, SERIALISABLE},
    ),
    (
        Mistake("no_barrier_between_turns", "sgd_stripes", STRIPE_BARRIER),
        ("fast",),
        {RACE},
    ),
    (
        Mistake("item_changed_too_early", "sgd_stripes", ALL_HAVE_READ),
        ("fast",),
        {RACE},
    ),
    (
        Mistake("changes_not_added", "sgd_stripes", CHANGES_ADDED, CHANGES_ADDED_PLAINLY),
        ("fast",),
        {RACE, OTHER},
    ),
)
