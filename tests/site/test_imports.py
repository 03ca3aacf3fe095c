"""What the server imports before it listens."""

from support.serving import Server


def test_the_grammars_of_iris_are_not_compiled(tmp_path):
    server = Server(tmp_path, "--pool", "0", environment={"PYTHONPROFILEIMPORTTIME": "1"})
    assert server.stop() == 0
    imported = {line.rpartition("|")[2].strip() for line in server.output.splitlines()}
    assert "jsonschema._format" in imported  # which would import them
    assert "lark" not in imported
