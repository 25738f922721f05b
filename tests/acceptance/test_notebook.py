"""Check that the notebook's cells run from top to bottom, as in Jupyter, and end with a plot."""

import ast
import json
from pathlib import Path

import pytest

NOTEBOOK = Path(__file__).resolve().parents[2] / "docs" / "notebooks" / "first_hour.ipynb"


def run_cell(code: str, namespace: dict[str, object]) -> object:
    """Run a cell and return the value of a final expression, which Jupyter would display."""
    tree = ast.parse(code)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, NOTEBOOK.name, "exec"), namespace)  # noqa: S102 - our own notebook
    return eval(ast.unparse(last), namespace) if last else None  # noqa: S307 - the same


def test_notebook_cells_run_and_end_with_a_plot(
    demo_release: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert not any(cell["outputs"] or cell["execution_count"] for cell in cells)
    (tmp_path / "demo-output").symlink_to(demo_release.parents[1])
    folder = tmp_path / "docs" / "notebooks"
    folder.mkdir(parents=True)
    monkeypatch.chdir(folder)
    namespace: dict[str, object] = {}
    values = [run_cell("".join(cell["source"]), namespace) for cell in cells]
    assert len(namespace["pairs"]) > 0  # type: ignore[arg-type]  # the namespace holds any object
    printed = capsys.readouterr().out
    assert f"{len(namespace['shortcuts'])} shortcuts" in printed  # type: ignore[arg-type]  # the namespace holds any object
    assert sum(bar.count for bar in namespace["bars"]) == len(namespace["shortcuts"])  # type: ignore[attr-defined, arg-type]  # the namespace holds any object
    plot_svg = values[-1]._repr_svg_()  # type: ignore[attr-defined]  # the cell's value is a plot
    assert plot_svg.startswith("<svg xmlns=")
    assert (folder / "actions.svg").read_text(encoding="utf-8") == plot_svg
