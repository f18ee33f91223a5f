"""The rows of what files say of themselves: the worker against exiftool, and against importing without it."""
import os
import shutil
import statistics
import subprocess
import time
from pathlib import Path

from rows import Result, drop, files, seconds
from worker import Worker

NOT_BUILT = "not measured: albumd-media was not built (make media-deps)"


def worker_of(bench):
    path = bench.binary.parent / "albumd-media"
    return path if os.access(path, os.X_OK) else None


def per_file(bench):
    """Row 9: the worker and exiftool over the same files, in turn."""
    what = "facts of W1 through the worker, a file, against exiftool -fast2 in one process"
    binary = worker_of(bench)
    if binary is None:
        return [Result("9", what, "<= 0.5", "-", NOT_BUILT)]
    source = bench.workloads.get("w1", 1000)
    paths = sorted(path for path in source.rglob("*") if path.is_file())

    def read_all():
        with Worker(binary) as worker:
            unreadable = [path for path in paths if "facts" not in worker.read(path)]
        if unreadable:
            raise RuntimeError(f"{len(unreadable)} files cannot be read, {unreadable[0]} among them")

    exiftool = ["exiftool", "-fast2", "-q", "-json", "-r", str(source)]
    if not shutil.which("exiftool"):
        own = statistics.median(seconds(read_all) for _ in range(bench.runs)) / len(paths)
        detail = f"{own * 1000:.2f} ms; exiftool is missing, which took 4.0 ms where it was measured"
        return [Result("9", what, "<= 2 ms", f"{own * 1000:.2f} ms", detail)]
    pairs = [
        (seconds(lambda: subprocess.run(exiftool, check=True, stdout=subprocess.DEVNULL)), seconds(read_all))
        for _ in range(bench.runs)]
    theirs, own = (statistics.median(pair[index] for pair in pairs) / len(paths) * 1000 for index in (0, 1))
    return [Result("9", what, "<= 0.5", f"{own / theirs:.2f}", f"{len(paths)} files: exiftool {theirs:.2f} ms, "
                   f"albumd-media {own:.2f} ms, its start included")]


def with_facts(bench):
    """Row 10: what the worker costs an import, and how soon everything is known.

    Facts are read once nothing was imported for two seconds; that pause is no work, and left out.
    """
    names = ("W1 with facts against W1 without: until the last row is durable",
             "W1 with facts against W1 without: until the last fact is known")
    if worker_of(bench) is None:
        return [Result("10", what, "<= 1.25", "-", NOT_BUILT) for what in names]
    source = bench.workloads.get("w1")
    bare = bench.scratch / "bare"
    bare.mkdir()
    shutil.copy2(bench.binary, bare / "albumd")
    triples = []
    for _ in range(bench.runs):
        full, bench.binary = bench.binary, bare / "albumd"
        without = drop(bench, source)[0]
        bench.binary = full
        triples.append((without, *drop_and_read(bench, source)))
    shutil.rmtree(bare)
    without, own, known = (statistics.median(triple[index] for triple in triples) for index in range(3))
    count = files(source)
    detail = f"{count} files: {without:.2f} s without, {own:.2f} s with; facts alone, there are no previews yet"
    return [
        Result("10", names[0], "<= 1.25", f"{own / without:.2f}", detail),
        Result("10", names[1], "<= 1.25", f"{(own + known) / without:.2f}",
               f"facts {known:.2f} s, {known / count * 1000:.2f} ms a file, after 2 s of rest that are not counted")]


def drop_and_read(bench, source):
    """Seconds until the last row, and seconds that the facts took after the rest before them."""
    own = bench.scratch / "drop"
    source.rename(own)
    count = files(own)
    with bench.daemon() as daemon:
        daemon.flush()
        took = seconds(lambda: (own.rename(daemon.inbox / "drop"), daemon.flush()))
        first = last = time.monotonic()
        while (facts := daemon.status()["facts"])["knownCount"] < count:
            if facts["knownCount"] == 0:
                first = time.monotonic()
            if facts.get("unavailable") or time.monotonic() > last + 600:
                raise RuntimeError(f"facts: {facts}")
            time.sleep(0.01)
        known = time.monotonic() - first
        daemon.imported(count)
        (daemon.inbox / "drop").rename(source)
    return took, known


def start_and_memory(bench):
    """Row 11: the worker alone."""
    start, memory = "albumd-media, start to first answer", "albumd-media, memory for any file of the corpus"
    binary = worker_of(bench)
    if binary is None:
        return [Result("11", start, "<= 60 ms", "-", NOT_BUILT), Result("11", memory, "<= 512 MB", "-", NOT_BUILT)]
    sample = next(path for path in sorted(bench.workloads.get("w1", 1000).rglob("*")) if path.is_file())
    times, work = [], []
    for _ in range(max(20, bench.runs)):
        with Worker(binary) as worker:
            worker.read(sample)
            times.append(time.monotonic() - worker.began)
            work.append(worker.processor_time())
    result = Result("11", start, "<= 60 ms", f"{statistics.median(times) * 1000:.0f} ms",
                    f"of {len(times)} starts, {statistics.median(work) * 1000:.0f} ms of processor time each")
    return [result, peak_memory(binary, memory)]


def peak_memory(binary, what):
    corpus = Path(os.environ.get("ALBUMD_CORPUS") or Path(__file__).resolve().parent.parent / "../shared/corpus")
    if not corpus.is_dir():
        return Result("11", what, "<= 512 MB", "-", "not measured: there is no corpus (set ALBUMD_CORPUS)")
    peaks, ended, slowest = {}, 0, 0
    paths = sorted(path for path in corpus.rglob("*") if path.suffix not in (".tsv", ".json", ".aae", ""))
    for path in paths:
        # A fresh one each: the peak is of this file alone.
        with Worker(binary) as worker:
            begin = time.monotonic()
            try:
                worker.read(path)
            except (EOFError, ConnectionError):
                ended += 1
                continue
            slowest = max(slowest, time.monotonic() - begin)
            peaks[path] = worker.peak()
    largest = max(peaks, key=peaks.get)
    detail = (f"{len(paths)} files, the broken ones too; most for {largest.name}; {ended} ended it; "
              f"the slowest took {slowest:.2f} s")
    return Result("11", what, "<= 512 MB", f"{peaks[largest]:.0f} MB", detail)


ALL = {"9": per_file, "10": with_facts, "11": start_and_memory}
