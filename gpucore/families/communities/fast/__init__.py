"""The tuned variants "fast" and "leiden".

::

    phase.py       a stage: its partition, and sweeps over its vertices; queued.py these as launches
    ends.py        when sweeps end, and stages
    contraction.py every community becomes a vertex; batches.py where memory is short
    last.py        all last stages in one launch; later.py all but the first ones; small.py all
    small_log.py   what the host reads of one launch
    refinement.py  single vertices of the given graph move again
    leiden.py      the stages of Leiden; leiden_phase.py one of them
    order.py, sizes.py, launches.py, tables.py, workspace.py, facts.py   what a phase consists of
"""
