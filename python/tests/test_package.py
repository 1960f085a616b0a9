"""The package itself: its stubs, its typing marker, and what it costs to import."""

import ast
import subprocess
import sys
from pathlib import Path

import vmafx
from vmafx import _vmafx

FOLDER = Path(vmafx.__file__).parent


def names_of(body):
    """Public names of a module or class in a stub, those of classes with their members."""
    names = {}
    for item in body:
        if isinstance(item, ast.ClassDef):
            names[item.name] = names_of(item.body)
        elif isinstance(item, ast.FunctionDef) and not item.name.startswith("__"):
            names[item.name] = None
        elif isinstance(item, ast.AnnAssign):
            names[item.target.id] = None
    return names


def public(thing):
    return {name for name in vars(thing) if not name.startswith("_")}


def test_the_stub_names_what_the_module_has():
    stub = names_of(ast.parse((FOLDER / "_vmafx.pyi").read_text()).body)
    assert set(stub) == public(_vmafx)
    for name, members in stub.items():
        if members is not None:
            assert set(members) == public(getattr(_vmafx, name)), name


def test_types_are_for_users_too():
    assert (FOLDER / "py.typed").is_file()


def test_everything_public_is_documented():
    for name in vmafx.__all__:
        thing = getattr(vmafx, name)
        if callable(thing):
            assert thing.__doc__, name
            assert thing.__module__ == "vmafx"


def test_importing_loads_no_libav():
    script = "import vmafx; print(open('/proc/self/maps').read())"
    maps = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert "libavcodec" not in maps.stdout
