"""The toy APIs at work, in a process of their own: run as a script, standard library alone.

Origin: `multi_turn_checker` and `multi_turn_utils` of BFCL (bfcl-eval 2026.3.23, Apache-2.0); the
rules, none of the code. A world is one instance of each API of a scene, in the scene's first state.
A call is a public method with literal arguments; nothing is ever evaluated. After each turn the
model's world is compared with one that the right calls have gone through: every public attribute
of every API is equal, and each result of this turn's right calls is among the results so far, in
any order. Turns without a right call are not compared.

Each play happens in a fork, so that no play sees what another left behind (the APIs set the
precision of `decimal` and `mpmath` for all), and none can take more than `CPU_S` or `MEMORY_BYTES`:
`power(base=10, exponent=1e9)` is easily written.

Example: right is `cd(folder='a')`, `ls()`; `ls()`, `cd(folder='a')` leaves the same state, and the
fault is `results`, for it lists another folder.
"""

import ast
import contextlib
import copy
import gc
import importlib.util
import inspect
import json
import os
import resource
import signal
import sys
import traceback
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

PACKAGE = "bfcl_eval.eval_checker.multi_turn_eval.func_source_code"
CPU_S = 2.0  # the longest right play takes 0.1
MEMORY_BYTES = 2 << 30
SHOWN = 20_000  # characters of a result that leave this process; no context here holds more
Fault = Literal["", "no call", "state", "results"]
WrittenCall = tuple[str, dict[str, Any]]


class Result(NamedTuple):
    """What a call gave, as text; or the exception that it raised."""

    text: str
    is_raised: bool


class World:
    """One instance of each API of a scene."""

    def __init__(
        self, classes: Mapping[str, str], config: Mapping[str, Any], is_long: bool
    ) -> None:
        """Make them, each in its first state."""
        self.apis: dict[str, Any] = {}
        self._methods: dict[str, Callable[..., object]] = {}
        for name, stem in classes.items():
            api = getattr(sys.modules[f"{PACKAGE}.{stem}"], name)()
            if hasattr(api, "_load_scenario"):  # MathAPI has no state
                api._load_scenario(copy.deepcopy(config.get(name, {})), long_context=is_long)
            self.apis[name] = api
            methods = inspect.getmembers(api, inspect.ismethod)
            self._methods |= {name: one for name, one in methods if not name.startswith("_")}

    def call(self, function: str, arguments: dict[str, Any]) -> Result:
        """Call a public method."""
        method = self._methods.get(function)
        if method is None:
            return Result(f"Error during execution: there is no function {function}", True)
        try:
            return Result(_text(method(**arguments)), False)
        except Exception as problem:  # whatever a toy raises at a model's arguments
            return Result(f"Error during execution: {problem}", True)


def play(
    classes: Mapping[str, str],
    config: Mapping[str, Any],
    is_long: bool,
    turns: Sequence[Sequence[WrittenCall]],
    gold: Sequence[Sequence[WrittenCall]],
) -> list[dict[str, Any]]:
    """Play the turns beside the right calls; give per turn the results, and the fault."""
    world, right = World(classes, config, is_long), World(classes, config, is_long)
    so_far: list[str] = []
    played: list[dict[str, Any]] = []
    for calls, wanted in zip(turns, gold, strict=False):
        results = [world.call(*one) for one in calls]
        so_far += [one.text for one in results]
        truth = [right.call(*one).text for one in wanted]
        fault = _fault(bool(calls), truth, so_far, _is_same(world, right)) if wanted else ""
        shown = [(one.text[:SHOWN], one.is_raised) for one in results]
        played.append({"results": shown, "fault": fault})
    return played


def _fault(has_called: bool, truth: list[str], so_far: list[str], is_same: bool) -> Fault:
    if not has_called:
        return "no call"
    if not is_same:
        return "state"
    left = list(so_far)
    for one in truth:
        if one not in left:
            return "results"
        left.remove(one)
    return ""


def _is_same(world: World, right: World) -> bool:
    """Whether all public attributes are equal; a folder inside itself never is."""
    try:
        return all(
            getattr(world.apis[name], attribute) == value
            for name, api in right.apis.items()
            for attribute, value in vars(api).items()
            if not attribute.startswith("_")
        )
    except RecursionError:
        return False


def _text(result: object) -> str:
    """Write a result as the model is shown it."""
    if type(result) is dict:
        with contextlib.suppress(TypeError, ValueError):
            return json.dumps(result)
    return str(result)


def load(files: Mapping[str, str]) -> None:
    """Import the APIs' source files (stem -> path) under the names they know each other by."""
    parts = PACKAGE.split(".")
    for end in range(1, len(parts) + 1):
        name = ".".join(parts[:end])
        sys.modules[name] = types.ModuleType(name)
    for stem, path in files.items():
        spec = importlib.util.spec_from_file_location(f"{PACKAGE}.{stem}", path)
        assert spec is not None and spec.loader is not None, "it ends in .py"
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)


def _aside(line: str) -> str:
    """Play in a fork; `{"ended": code}` where that ended by itself."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        _play_and_exit(line, writer)
    os.close(writer)
    with os.fdopen(reader) as stream:
        said = stream.read()
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return said if code == 0 else json.dumps({"ended": code})


def _play_and_exit(line: str, writer: int) -> None:
    code = 1
    try:
        with contextlib.suppress(ValueError, OSError):  # macOS has no such limit
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        signal.setitimer(signal.ITIMER_PROF, CPU_S)  # nobody handles SIGPROF: it ends the process
        played = json.dumps(play(**ast.literal_eval(line)))
        signal.setitimer(signal.ITIMER_PROF, 0)
        with os.fdopen(writer, "w") as stream:
            stream.write(played)
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def _main() -> None:
    sys.dont_write_bytecode = True  # the sources' folder stays as it was fetched
    load(ast.literal_eval(sys.stdin.readline()))
    gc.freeze()
    for line in sys.stdin:
        print(_aside(line), flush=True)


if __name__ == "__main__":
    _main()
