"""serve.sh: serve it from the folder as it was qualified, on this machine."""

import shlex

from reports.handoff.deployment import Deployment, in_shell

HEAD = """\
#!/bin/sh
# Serves {variant} as it was qualified (run {run}).
# HOST and PORT may be set; ENGINE_PYTHON names an interpreter that has the packages already.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
python=${{ENGINE_PYTHON:-$here/environment/bin/python}}
if [ ! -x "$python" ]; then
  python3 -m venv "$here/environment"
  "$python" -m pip install --quiet --no-deps -r "$here/requirements.txt"
fi
"""
ASKED = {"--host": '"${HOST:-127.0.0.1}"', "--port": '"${PORT:-8000}"'}


def serve_script(deployment: Deployment) -> dict[str, str]:
    """Write the script."""
    bound = deployment.bound
    head = HEAD.format(variant=bound.variant, run=bound.run)
    exports = [
        f"export {name}={in_shell(value)}" for name, value in sorted(deployment.variables.items())
    ]
    command = " \\\n  ".join(['exec "$python"', *_lines(deployment.command)])
    return {"serve.sh": f'{head}{chr(10).join(exports)}\n{command} "$@"\n'}


def _lines(command: list[str]) -> list[str]:
    """Quote every argument; an option stands on one line with its values."""
    lines: list[str] = []
    option = ""
    for argument in command:
        said = ASKED.get(option) or in_shell(argument)
        is_option = argument.startswith("-")
        if is_option or not lines:
            lines.append(said)
        else:
            lines[-1] += f" {said}"
        option = argument if is_option else ""
    return lines


def quoted(command: list[str]) -> str:
    """Say a command in one line."""
    return shlex.join(command)
