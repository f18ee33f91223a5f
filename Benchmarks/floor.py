"""What a machine gives at best: how long an empty answer takes while as much is done as an import does."""
import contextlib
import os
import shutil
import subprocess
import time
from pathlib import Path

from daemon import Asker

# Accepts, reads what comes, and writes the same answer: one thread, nothing looked up, nothing allocated.
SERVER = r"""
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(int count, char **words) {
    const char *answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok";
    struct sockaddr_un place = {.sun_family = AF_UNIX};
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    char request[4096];
    strncpy(place.sun_path, words[count - 1], sizeof place.sun_path - 1);
    if (bind(listener, (struct sockaddr *)&place, sizeof place) || listen(listener, 64)) return 1;
    for (;;) {
        int client = accept(listener, 0, 0);
        if (client < 0) continue;
        if (read(client, request, sizeof request) > 0) (void)!write(client, answer, strlen(answer));
        close(client);
    }
}
"""


def answers(bench, source, runtime=5):
    """Seconds of each answer of the plainest server, beside two processes that hash and one that copies and syncs.

    None where there is no C compiler.
    """
    if not (compiler := shutil.which("cc") or shutil.which("clang")):
        return None
    program, place = bench.scratch / "floor", f"/tmp/albumd-bench-floor-{os.getpid()}.sock"
    subprocess.run([compiler, "-O2", "-w", "-x", "c", "-o", program, "-"], input=SERVER.encode(), check=True)
    copy = bench.scratch / "floor-copy"
    hashing = f"while :; do find '{source}' -type f -exec openssl dgst -sha256 {{}} + > /dev/null; done"
    copying = f"while :; do rm -rf '{copy}'; cp -r '{source}' '{copy}'; sync -f '{copy}'; done"
    with contextlib.ExitStack() as stack:
        for command in ([program, place], ["sh", "-c", hashing], ["sh", "-c", hashing], ["sh", "-c", copying]):
            stack.enter_context(running(command))
        while not Path(place).exists():
            time.sleep(0.01)
        time.sleep(1)
        askers = [Asker(place, "/") for _ in range(2)]
        time.sleep(runtime)
        times = [took for asker in askers for took in asker.stop()]
    Path(place).unlink()
    shutil.rmtree(copy, ignore_errors=True)
    return times


@contextlib.contextmanager
def running(command):
    """A process with what it starts, for as long as the block lasts."""
    process = subprocess.Popen(command, start_new_session=True)
    try:
        yield
    finally:
        os.killpg(process.pid, 15)
        process.wait()
