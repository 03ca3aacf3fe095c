"""Solutions that leave and enter the program: files of them, and checks of anybody's.

Each family declares a :class:`SolutionForm`. Read ``form.py`` first::

    form.py      a family's declaration, and the table of a solution
    write.py     a solution to CSV, JSON, NumPy or Matrix Market
    read.py      the reverse, and files of other programs
    match.py     what the families of matchings share: pairs to mates and back
    check.py     which properties a solution has, whoever found it
"""

from gpucore.solutions.check import Checked, check_solution
from gpucore.solutions.form import Answer, NotASolution, Property, SolutionForm, Table, form_of
from gpucore.solutions.read import read_answer
from gpucore.solutions.write import save_solution, table_of

__all__ = [
    "Answer",
    "Checked",
    "NotASolution",
    "Property",
    "SolutionForm",
    "Table",
    "check_solution",
    "form_of",
    "read_answer",
    "save_solution",
    "table_of",
]
