import subprocess
import sys
from pathlib import Path

from variants.running.peak import peak_host_bytes


def test_the_kernels_own_line_is_read(tmp_path: Path) -> None:
    status = tmp_path / "status"
    status.write_text("Name:\tx\nVmPeak:\t  9000 kB\nVmHWM:\t   2048 kB\n", encoding="utf-8")
    assert peak_host_bytes(status) == 2048 * 1024


def test_without_that_line_the_resource_usage_is_taken(tmp_path: Path) -> None:
    status = tmp_path / "status"
    status.write_text("Name:\tx\n", encoding="utf-8")
    assert peak_host_bytes(status) > 1_000_000
    assert peak_host_bytes(tmp_path / "gone") > 1_000_000


def test_a_small_child_of_a_large_parent_is_small() -> None:
    held = bytearray(b"\1") * 200_000_000
    code = "from variants.running.peak import peak_host_bytes; print(peak_host_bytes())"
    root = Path(__file__).parents[3]
    told = subprocess.check_output([sys.executable, "-c", code], text=True, cwd=root)
    assert int(told) < len(held)
