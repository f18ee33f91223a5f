"""The files that are imported, made once for a run.

ALBUMD_WORKLOAD names a program `workload` that makes real pictures (w1, w2, w3, w4 DIR --count N); it is also looked
for in ../shared/tools beside the project. Without one, files are made here: a JPEG head with an EXIF date and a body
of random bytes, which is as good for everything that does not decode.
"""
import os
import struct
import subprocess
import sys
from pathlib import Path

FULL = {"w1": 10_000, "w2": 1_000, "w3": 20, "w4": 300_000}


class Workloads:
    def __init__(self, root, directory, fraction):
        self.directory = directory
        self.fraction = fraction
        self.tool = self._tool(root)
        self.description = "its own files" if self.tool is None else "the files of the workload program"

    @staticmethod
    def _tool(root):
        for path in [os.environ.get("ALBUMD_WORKLOAD"), root / "../shared/tools/workload"]:
            if path and os.access(path, os.X_OK):
                return str(path)
        return None

    def count(self, name):
        return max(2, round(FULL[name] * self.fraction))

    def get(self, name, count=None):
        """The directory of a workload, its bytes in the page cache."""
        count = count or self.count(name)
        target = self.directory / f"{name}-{count}"
        if not target.exists():
            target.mkdir(parents=True)
            if not self._made_by_tool(name, target, count):
                make(name, target, count)
            subprocess.run(["sync", "-f", str(target)], check=True)
        subprocess.run(f"find '{target}' -type f -print0 | xargs -0 cat > /dev/null", shell=True, check=True)
        return target

    def _made_by_tool(self, name, target, count):
        if self.tool is None:
            return False
        command = [self.tool, name, str(target), "--count", str(count)]
        if name == "w4":
            command += ["--dirs", str(directories(count))]
        if subprocess.run(command, stdout=subprocess.DEVNULL).returncode == 0:
            return True
        print("the workload program failed; making plain files instead", file=sys.stderr)
        self.tool, self.description = None, "its own files"
        return False


def directories(count):
    return max(1, count // 100)


def make(name, target, count):
    for index in range(count):
        if name == "w4":
            below = target / f"d{index % directories(count):04}"
            below.mkdir(exist_ok=True)
        else:
            below = target
        if name == "w3":
            movie(below / f"MOV_{index:05}.mp4", 200 << 20)
        else:
            size = {"w1": 60_000 + 340_000 * (index * 7919 % count) // count, "w2": 4_000_000, "w4": 600}[name]
            (below / f"IMG_{index:06}.jpg").write_bytes(picture(index, size))


def picture(index, size):
    date = f"2026:{index % 12 + 1:02}:{index % 28 + 1:02} {index % 24:02}:{index % 60:02}:00\0".encode()
    # TIFF: one IFD that points to an Exif IFD, which has DateTimeOriginal alone.
    tiff = b"II*\0" + struct.pack("<IHHHIIIHHHIII", 8, 1, 0x8769, 4, 1, 26, 0, 1, 0x9003, 2, 20, 44, 0) + date
    exif = b"Exif\0\0" + tiff
    head = b"\xff\xd8\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif
    comment = f"{index:016}".encode()
    head += b"\xff\xfe" + struct.pack(">H", len(comment) + 2) + comment + b"\xff\xda\0\x08\x01\x01\0\0\x3f\0"
    return head + os.urandom(size).replace(b"\xff", b"\xfe") + b"\xff\xd9"


def movie(path, size):
    brand = struct.pack(">I", 24) + b"ftypisom\0\0\2\0isommp42"
    with open(path, "wb") as file:
        file.write(brand + struct.pack(">I", 8) + b"moov" + struct.pack(">I", size + 8) + b"mdat")
        for _ in range(size >> 20):
            file.write(os.urandom(1 << 20))
