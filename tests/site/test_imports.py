"""What the server imports before it listens."""

import subprocess
import sys

PROGRAM = """
import sys
from warpscope.app.site.serve import leave_out_grammars
leave_out_grammars()
import warpscope.app.site.server
print("lark" in sys.modules)
"""


def test_the_grammars_of_iris_are_not_compiled():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert done.stdout == "False\n", done.stderr
