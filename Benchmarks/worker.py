"""albumd-media by itself, asked as the daemon asks it: four bytes of length, then JSON, and a descriptor with it."""
import json
import os
import signal
import socket
import time

FORMATS = {
    "jpg": "jpeg", "jpe": "jpeg", "tif": "tiff", "avifs": "avif", "hif": "heif", "m2ts": "mts", "qt": "mov",
}


class Worker:
    """`with Worker(...) as worker`: started, locked in, and ended."""

    def __init__(self, binary):
        self.binary = binary

    def __enter__(self):
        self.began = time.monotonic()
        self.socket, theirs = socket.socketpair()
        null = os.open(os.devnull, os.O_RDWR)
        actions = [(os.POSIX_SPAWN_DUP2, theirs.fileno(), 3)]
        actions += [(os.POSIX_SPAWN_DUP2, null, stream) for stream in range(3)]
        environment = {"MALLOC_ARENA_MAX": "1", "VIPS_CONCURRENCY": "1", "SWIFT_BACKTRACE": "enable=no"}
        self.process = os.posix_spawn(self.binary, [self.binary], environment, file_actions=actions)
        theirs.close()
        os.close(null)
        answer = self.answer()
        if "isLockedIn" not in answer:
            raise RuntimeError(f"albumd-media: {answer}")
        return self

    def __exit__(self, *_):
        self.socket.close()
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)

    def read(self, path):
        """What it says of a file, `facts` or `unreadable`."""
        suffix = path.suffix[1:].lower()
        request = json.dumps({"readFacts": {"format": FORMATS.get(suffix, suffix)}}).encode()
        descriptor = os.open(path, os.O_RDONLY)
        socket.send_fds(self.socket, [len(request).to_bytes(4, "big") + request], [descriptor])
        os.close(descriptor)
        return self.answer()

    def answer(self):
        return json.loads(self.bytes(int.from_bytes(self.bytes(4), "big")))

    def bytes(self, count):
        found = b""
        while len(found) < count:
            piece = self.socket.recv(count - len(found))
            if not piece:
                raise EOFError("albumd-media has ended")
            found += piece
        return found

    def processor_time(self):
        """Seconds that it has run (proc(5), schedstat)."""
        return int(open(f"/proc/{self.process}/schedstat").read().split()[0]) / 1e9

    def peak(self):
        """VmHWM in MB (proc(5))."""
        for line in open(f"/proc/{self.process}/status"):
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
        raise RuntimeError("no VmHWM")
