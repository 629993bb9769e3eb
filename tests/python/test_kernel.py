"""The notebook kernel, headless: cells of the README, a picture, an error, an interrupt."""

import base64
import os
import re
import subprocess
import sys
import time

import pytest

pytest.importorskip("ipykernel", reason="package python3-ipykernel is not installed")
from jupyter_client.manager import KernelManager  # noqa: E402


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    prefix = tmp_path_factory.mktemp("prefix")
    subprocess.run([sys.executable, "-m", "halo.kernel", "install", "--prefix", prefix], check=True,
                   capture_output=True)
    os.environ["JUPYTER_PATH"] = str(prefix / "share/jupyter")
    os.environ["HALO_KERNEL_BACKEND"] = "cpu"
    manager = KernelManager(kernel_name="halo")
    manager.start_kernel(cwd=str(prefix))
    client = manager.blocking_client()
    client.start_channels()
    client.wait_for_ready(timeout=100)
    client.manager = manager
    yield client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def run(client, code):
    """The status of a cell, and its output."""
    shown = []
    reply = client.execute_interactive(code, timeout=100, output_hook=shown.append,
                                       stop_on_error=False)  # cells after it count
    contents = [message["content"] for message in shown]
    return reply["content"]["status"], contents


def text_of(contents):
    return "".join(c.get("text", "") + c.get("data", {}).get("text/plain", "") +
                   "\n".join(c.get("traceback", [])) for c in contents)


def drawing(contents):
    return next(c["data"]["image/svg+xml"] for c in contents if "image/svg+xml" in c.get("data", {}))


def test_cells(client):
    status, shown = run(client, "def xs = map f32.i64 (iota 8)\ndef blur [n] (xs: [n]f32): [n]f32 =\n"
                                "  stencil_1d [-1, 0, 1] (\\() v -> (v[0] + v[1] + v[2]) / 3) (rep ()) xs")
    assert status == "ok", shown
    status, shown = run(client, "blur (blur xs)")
    assert status == "ok" and "[8]f32 = [0.5555556, 1.1111112" in text_of(shown)


def test_errors(client):
    status, shown = run(client, "xs[9]")
    assert status == "error" and "[H7001]" in text_of(shown)
    assert "= 3" in text_of(run(client, "1 + 2")[1])


def test_pictures(client):
    status, shown = run(client, ":img tabulate_2d 4 4 (\\i j -> u8.i64 (i * j))")
    assert status == "ok" and any("image/png" in c.get("data", {}) for c in shown)


def test_plots_and_animations(client):
    status, shown = run(client, ":plot [1, 4, 9]\n1 + 1\n:img [[[1u8, 2]], [[3, 4]]]")
    kinds = [kind for c in shown for kind in c.get("data", {})]
    assert status == "ok" and kinds == ["image/svg+xml", "text/plain", "image/png"]
    assert drawing(shown).startswith("<svg ")
    animation = next(c["data"]["image/png"] for c in reversed(shown) if "image/png" in c.get("data", {}))
    assert b"acTL" in base64.b64decode(animation)


def test_legend_and_ticks(client):
    status, shown = run(client, ":plot {up = map f32.i64 (iota 11), down = map (\\i -> 10 - f32.i64 i) (iota 11)}")
    texts = re.findall(r">([^<>\n]+)</text>", drawing(shown))
    assert status == "ok" and texts == ["0", "2", "4", "6", "8", "10"] * 2 + ["down", "up"]


def test_errors_show_the_place_in_colour(client):
    _, shown = run(client, "let x = 1\nin x + true")
    lines = next(c["traceback"] for c in shown if "traceback" in c)
    assert lines[0].startswith("\x1b[1;31merror: ") and any("\x1b[1;31m^" in line for line in lines), lines
    _, shown = run(client, "[1, 2][7]")
    assert any("\x1b[1;34m" in line for line in text_of(shown).split("\n")), shown


def test_progress(client):
    _, shown = run(client, "loop x = 1 for i < 400000000i64 do (x * 5 + i) % 1000003")
    lines = [c["data"]["text/plain"] for c in shown if "display_id" in c.get("transient", {})]
    assert len(lines) > 1 and lines[-1] == "" and lines[0].startswith(("[", "..")), lines


def test_damaged_messages(client):
    """Each is dropped or refused; cells before and after count."""
    run(client, "def kept = 41")
    session, socket = client.session, client.shell_channel.socket
    whole = session.serialize(session.msg("execute_request", {"code": "1 + 1", "silent": False}))
    for parts in ([b"nothing"], [b""], whole[:2], whole[:-1], [*whole[:1], b"0" * 64, *whole[2:]],
                  [*whole[:5], b"{not json"], [*whole[:2], b"[]", *whole[3:]]):
        socket.send_multipart(parts)
    for content in ({}, {"code": 7}, {"code": None, "silent": "x"}):
        session.send(socket, "execute_request", content)
    session.send(socket, "nonsense_request", {})
    assert "= 42" in text_of(run(client, "kept + 1")[1])


def test_completions(client):
    client.complete("1 + f32.sq")
    found = client.get_shell_msg(timeout=100)["content"]
    assert found["matches"] == ["f32.sqrt"] and found["cursor_start"] == 4


def test_incomplete_and_inspect(client):
    client.is_complete("def f x =")
    assert client.get_shell_msg(timeout=100)["content"]["status"] == "incomplete"
    client.inspect("stencil_1d", 3)
    assert "stencil_1d : " in client.get_shell_msg(timeout=100)["content"]["data"]["text/plain"]


def test_interrupt(client):
    number = client.execute("loop x = 1 while x >= 0 do (x + 1) % 1000", stop_on_error=False)
    time.sleep(1)
    client.manager.interrupt_kernel()
    while True:
        reply = client.get_shell_msg(timeout=100)
        if reply["parent_header"].get("msg_id") == number:
            break
    assert reply["content"]["status"] == "error"
    assert "= 3" in text_of(run(client, "1 + 2")[1])


def test_restart_and_plots_as_pictures(client):
    """A new process, which takes nothing over: the old one's memory and device are free."""
    run(client, "def before = 3")
    client.manager.restart_kernel(now=False, env=dict(os.environ, HALO_KERNEL_PLOTS="png"))
    client.wait_for_ready(timeout=100)
    assert run(client, "before")[0] == "error"
    status, shown = run(client, ":plot [1, 4, 9]")
    assert status == "ok" and [k for c in shown for k in c.get("data", {})] == ["image/png"]
