"""One albumd with a library, folder and socket of its own, and the questions that the rows put to it."""
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path


class Connection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("albumd", timeout=3600)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)

    def ask(self, method, path, body=None):
        self.request(method, path, json.dumps(body) if body is not None else None)
        answer = self.getresponse()
        text = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{method} {path}: {answer.status} {text.decode()}")
        return json.loads(text)


class Daemon:
    """`with Daemon(...) as daemon`: ready at the beginning, stopped at the end."""

    def __init__(self, binary, place, settle="0s", mode="copy", watch="auto", keep=False, extra=""):
        self.binary, self.place, self.keep = binary, place, keep
        self.inbox = place / "inbox"
        # A socket's path has at most 107 bytes, and the scratch may lie deep.
        self.socket = f"/tmp/albumd-bench-{os.getpid()}.sock"
        place.mkdir(parents=True, exist_ok=True)
        self.inbox.mkdir(exist_ok=True)
        (place / "albumd.toml").write_text(
            f'library = "{place}/library"\nsocket = "{self.socket}"\n[[folder]]\npath = "{self.inbox}"\n'
            f'album = "Inbox"\nsettle = "{settle}"\nmode = "{mode}"\nwatch = "{watch}"\n{extra}')

    def __enter__(self):
        environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no"}
        self.started = time.monotonic()
        self.log = open(self.place / "albumd.log", "ab")
        command = [self.binary, "--config", self.place / "albumd.toml"]
        self.process = subprocess.Popen(command, stderr=self.log, env=environment)
        while True:
            try:
                self.connection = Connection(self.socket)
                self.connection.ask("GET", "/v1/version")
                return self
            except OSError:
                if self.process.poll() is not None:
                    raise RuntimeError((self.place / "albumd.log").read_text())
                time.sleep(0.002)

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)
        self.log.close()
        if not self.keep:
            shutil.rmtree(self.place)

    def flush(self):
        return self.connection.ask("POST", "/v1/flush", {"timeoutSeconds": 86_400})

    def status(self):
        return self.connection.ask("GET", "/v1/status")

    def imported(self, count):
        """Raises where less came into the library than was dropped: then no time counts."""
        assets = self.status()["assetCount"]
        if assets != count:
            raise RuntimeError(f"{assets} assets of {count} files: {self.status()['summary']}")

    def memory(self, field):
        """VmRSS or VmHWM in MB (proc(5))."""
        for line in open(f"/proc/{self.process.pid}/status"):
            if line.startswith(field + ":"):
                return int(line.split()[1]) / 1024
        raise RuntimeError(f"no {field}")

    def forget_peak(self):
        """VmHWM begins anew (proc(5), clear_refs)."""
        with open(f"/proc/{self.process.pid}/clear_refs", "w") as file:
            file.write("5")

    def cpu(self):
        """Seconds of processor time so far."""
        fields = open(f"/proc/{self.process.pid}/stat").read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def rest(self):
        """Returns when the facts are read, the day's snapshot is made, and it has used no processor time for twelve seconds:
        what a start looks at afterwards is over, and the reader has been let go of."""
        end = time.monotonic() + 300
        while time.monotonic() < end:
            status = self.status()
            facts = status["facts"]
            if status.get("snapshotDate") and (facts["waitingCount"] == 0 or facts.get("unavailable")):
                break
            time.sleep(1)
        before = None
        while before != self.cpu():
            before = self.cpu()
            time.sleep(12)


class Asker:
    """A process that asks for one path until it is told to stop, and keeps each answer's time."""

    def __init__(self, socket_path, path):
        self.path = path
        program = Path(__file__).with_name("asker.py")
        self.process = subprocess.Popen([sys.executable, program, str(socket_path), path], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    def stop(self):
        times, _ = self.process.communicate()
        if self.process.returncode != 0:
            raise RuntimeError(f"no answer to {self.path}")
        return [float(line) for line in times.split()]


class Follower(threading.Thread):
    """Follows the feed, and notes when the row of each file of a folder was told: it is durable by then."""

    def __init__(self, socket_path):
        super().__init__(daemon=True)
        self.connection, self.seen, self.changed = Connection(socket_path), {}, threading.Condition()
        self.connection.request("GET", "/v1/changes?follow=true")
        self.answer = self.connection.getresponse()

    def run(self):
        for line in self.answer:
            now = time.monotonic()
            changes = json.loads(line).get("changes", [])
            with self.changed:
                for change in changes:
                    if change["change"] == "recordSource" and change["outcome"] == "imported":
                        self.seen[change["key"]["path"]] = now
                self.changed.notify()

    def wait(self, count):
        with self.changed:
            if not self.changed.wait_for(lambda: len(self.seen) >= count, 120):
                raise RuntimeError(f"{len(self.seen)} of {count} files were told")
