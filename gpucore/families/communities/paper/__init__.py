"""The variants of the paper: ``phase.py`` has the sweeps, ``contraction.py`` the next stage."""
