"""The rows of the table: what is measured, against what."""
import contextlib
import os
import shutil
import signal
import statistics
import subprocess
import time
from dataclasses import dataclass

import catalogue
import floor
from daemon import Asker, Daemon, Follower


@dataclass
class Result:
    row: str
    what: str
    target: str
    value: str
    detail: str


class Bench:
    def __init__(self, binary, scratch, workloads, runs):
        self.binary, self.scratch, self.workloads, self.runs = binary, scratch, workloads, runs

    def daemon(self, name="one", place=None, **options):
        return Daemon(self.binary, (place or self.scratch) / name, **options)


def seconds(work):
    begin = time.monotonic()
    work()
    return time.monotonic() - begin


def shell(line):
    subprocess.run(["bash", "-c", line], check=True, stdout=subprocess.DEVNULL)


def files(directory):
    return sum(len(names) for _, _, names in os.walk(directory))


def percentile(values, part):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]


def settle(place):
    """What was written before is no part of what is timed now, on either side."""
    shell(f"sync -f '{place}'")


def reference(source, place):
    """REF: copy, sync, hash what was copied."""
    target = place / "reference"
    settle(place)
    line = f"cp -r '{source}' '{target}'; sync -f '{target}'; find '{target}' -type f -print0 | xargs -0 sha256sum"
    took = seconds(lambda: shell(line))
    shutil.rmtree(target)
    shell(f"sync -f '{place}'")
    return took


def drop(bench, source, place=None, mode="copy", during=None):
    """The files appear at once, by one rename, in the folder of an empty library: seconds until the last row."""
    place = place or bench.scratch
    own = place / "drop"
    if mode == "move":
        # The files are gone afterwards, so they are a copy.
        shell(f"cp -r --reflink=auto '{source}' '{own}' && sync -f '{own}'")
    else:
        source.rename(own)
    count = files(own)
    with bench.daemon(place=place, mode=mode) as daemon:
        daemon.flush()
        settle(place)
        with during(daemon) if during else contextlib.nullcontext():
            took = seconds(lambda: (own.rename(daemon.inbox / "drop"), daemon.flush()))
        daemon.imported(count)
        peak = daemon.memory("VmHWM")
        if mode == "copy":
            (daemon.inbox / "drop").rename(source)
    shell(f"sync -f '{place}'")
    return took, peak


def against_reference(bench, row, name, target):
    source = bench.workloads.get(name)
    pairs = [(reference(source, bench.scratch), *drop(bench, source)) for _ in range(bench.runs)]
    ref, own = (statistics.median(pair[index] for pair in pairs) for index in (0, 1))
    detail = f"{files(source)} files: REF {ref:.2f} s, albumd {own:.2f} s"
    what = f"{name.upper()}, copy mode, against cp + sync + sha256sum"
    result = Result(row, what, target, f"{own / ref:.2f}", detail)
    return result, max(pair[2] for pair in pairs)


def burst(bench):
    result, peak = against_reference(bench, "1", "w1", "<= 1.0")
    memory = Result("8", "W1, peak of resident memory in the burst", "<= 120 MB", f"{peak:.0f} MB", "VmHWM")
    return [result, memory, *answers_under_load(bench)]


def answers_under_load(bench):
    times = {}

    @contextlib.contextmanager
    def asking(daemon):
        askers = [Asker(daemon.socket, path) for path in ("/v1/status", "/v1/assets?limit=100")]
        yield
        for asker in askers:
            times[asker.path] = asker.stop()

    drop(bench, bench.workloads.get("w1"), during=asking)
    return [
        Result("8", f"W1, GET {path} during the burst, p99", "<= 5 ms", f"{percentile(all, 0.99) * 1000:.1f} ms",
               f"{len(all)} requests, p50 {percentile(all, 0.5) * 1000:.1f} ms")
        for path, all in times.items() if all] + least_under_load(bench)


def least_under_load(bench):
    what = "an empty answer of a C program of ten lines, beside 2 processes that hash and one that copies, p99"
    times = floor.answers(bench, bench.workloads.get("w1"))
    if not times:
        return [Result("8", what, "-", "-", "not measured: there is no C compiler")]
    return [Result("8", what, "-", f"{percentile(times, 0.99) * 1000:.1f} ms",
                   f"{len(times)} requests, p50 {percentile(times, 0.5) * 1000:.1f} ms: what this machine gives")]


def rivals(bench):
    """What others do with the same files, each against albumd in turn."""
    source = bench.workloads.get("w1", 1000)
    annex = ("cp -r '{source}' '{place}/files' && cd '{place}/files' && git init -q && git annex init -q && "
             "git annex add -q . && git -c user.name=bench -c user.email=bench@localhost commit -q -m all")
    loop = ("mkdir '{place}/files'; find '{source}' -type f | while read -r file; do name=$(basename \"$file\"); "
            "cp \"$file\" '{place}/files/'; sync \"{place}/files/$name\"; sha256sum \"{place}/files/$name\"; done")
    results = []
    for name, tool, line, target in (("git annex add + commit", "git-annex", annex, ">= 5"),
                                     ("a shell loop of cp, sync, sha256sum", "sync", loop, ">= 10")):
        what = f"W1, 1,000 files: how many times as fast as {name}"
        if not shutil.which(tool):
            results.append(Result("2", what, target, "-", f"not measured: {tool} is missing"))
            continue
        pairs = [(rival(bench, line, source, run), drop(bench, source)[0]) for run in range(bench.runs)]
        # Not between the runs: a disk that discards what is freed is busy with it for a while.
        for run in range(bench.runs):
            shutil.rmtree(bench.scratch / f"rival-{run}")
        settle(bench.scratch)
        theirs, own = (statistics.median(pair[index] for pair in pairs) for index in (0, 1))
        results.append(Result("2", what, target, f"{theirs / own:.1f}", f"{theirs:.2f} s, albumd {own:.2f} s"))
    return results


def rival(bench, line, source, run):
    place = bench.scratch / f"rival-{run}"
    place.mkdir()
    settle(bench.scratch)
    took = seconds(lambda: shell(line.format(source=source, place=place)))
    shell(f"chmod -R u+w '{place}'")
    return took


def deep_verify(bench):
    what, target = "deep verify of W2 against openssl dgst on 2 processes", "<= 1.1"
    if not shutil.which("openssl"):
        return [Result("21", what, target, "-", "not measured: openssl is missing")]
    source = bench.workloads.get("w2")
    own = bench.scratch / "verified"
    source.rename(own)
    with bench.daemon() as daemon:
        own.rename(daemon.inbox / "drop")
        daemon.flush()
        daemon.imported(files(daemon.inbox / "drop"))
        originals = daemon.place / "library" / "originals"
        line = f"find '{originals}' -type f -print0 | xargs -0 -n 50 -P 2 openssl dgst -sha256"
        verify = f"'{bench.binary.parent}/albumctl' --socket '{daemon.socket}' verify --deep"
        pairs = [(seconds(lambda: shell(line)), seconds(lambda: shell(verify))) for _ in range(bench.runs)]
        (daemon.inbox / "drop").rename(source)
    hashed, took = (statistics.median(pair[index] for pair in pairs) for index in (0, 1))
    return [Result("21", what, target, f"{took / hashed:.2f}", f"openssl {hashed:.2f} s, albumd {took:.2f} s")]


def cloud(bench):
    """A library goes to the simulated cloud, which is on the same disk, and comes back; each time a fresh one."""
    source = bench.workloads.get("w2")
    pairs = []
    for _ in range(bench.runs):
        with bench.daemon() as daemon:
            shell(f"cp -r '{source}' '{daemon.inbox}/drop'")
            daemon.flush()
            originals = daemon.place / "library" / "originals"
            copy = bench.scratch / "copied"
            line = f"cp -r '{originals}' '{copy}'; sync -f '{copy}'; find '{copy}' -type f -print0 | xargs -0 sha256sum"
            program = f"'{bench.binary.parent}/albumctl' --socket '{daemon.socket}' cloud"
            settle(bench.scratch)
            reference = seconds(lambda: shell(line))
            shutil.rmtree(copy)
            up = seconds(lambda: shell(f"{program} evict --all"))
            down = seconds(lambda: shell(f"{program} fetch --all"))
            pairs.append((reference, up, down))
    reference, up, down = (statistics.median(pair[index] for pair in pairs) for index in (0, 1, 2))
    return [
        Result("19", f"W2, {what} the simulated cloud, against cp + sync + sha256sum", "<= 1.5",
               f"{took / reference:.2f}", f"cp {reference:.2f} s, albumd {took:.2f} s")
        for what, took in (("evicted to", up), ("fetched from", down))
    ]


def tier_plan(bench):
    """What should move of a million originals: the half with the oldest use, for want of room."""
    part = bench.workloads.fraction
    count = round(1_000_000 * part)
    keep = {"name": "tier", "keep": True}
    with bench.daemon(**keep) as daemon:
        library = daemon.place / "library"
    size = catalogue.fill(library, count)
    # A store that refuses everything: the plan stays as it is.
    cloud = f'[cloud]\nkeep_local = "{size // 2}B"\n[cloud.simulator]\nerror_rate = 1.0\n'
    with bench.daemon(extra=cloud, **keep) as daemon:
        daemon.flush()
        before = daemon.memory("VmRSS")
        daemon.forget_peak()
        plans = []
        times = [seconds(lambda: plans.append(daemon.connection.ask("GET", "/v1/cloud/plan")))
                 for _ in range(bench.runs)]
        peak = daemon.memory("VmHWM") - before
    moves = [plan["uploads"]["count"] + plan["evictions"]["count"] for plan in plans]
    if not all(count // 3 < number for number in moves):
        raise RuntimeError(f"{moves} moves of {count} originals")
    shutil.rmtree(bench.scratch / "tier")
    detail = f"{count} originals, {moves[0]} of them to move; the targets are those of a million, times {part}"
    return [
        Result("20", "tier plan, asked for over the socket", f"<= {part:.2f} s", f"{statistics.median(times):.2f} s",
               detail),
        Result("20", "tier plan, memory beyond that of an idle daemon", f"<= {100 * part:.0f} MB", f"{peak:.0f} MB",
               detail)]


def large_files(bench):
    return [against_reference(bench, "3", name, "<= 0.75")[0] for name in ("w2", "w3")]


def move_mode(bench):
    source = bench.workloads.get("w2")
    pairs = [(drop(bench, source)[0], drop(bench, source, mode="move")[0]) for _ in range(bench.runs)]
    copy, move = (statistics.median(pair[index] for pair in pairs) for index in (0, 1))
    detail = f"{files(source)} files: copy {copy:.2f} s, move {move:.2f} s"
    result = Result("4", "W2, move mode against copy mode", "<= 1.4", f"{move / copy:.2f}", detail)
    return [result, *reflink(bench, source)]


def reflink(bench, source):
    what, target = "W2, copy mode on XFS (reflink) against openssl dgst on 2 processes", "<= 1.15"
    if os.geteuid() != 0 or not shutil.which("mkfs.xfs") or not shutil.which("openssl"):
        return [Result("4", what, target, "-", "not measured: needs root, mkfs.xfs and openssl")]
    image, mount = bench.scratch / "xfs.img", bench.scratch / "xfs"
    size = max(1 << 30, 3 * sum(file.stat().st_size for file in source.rglob("*") if file.is_file()))
    mount.mkdir()
    shell(f"truncate -s {size} '{image}' && mkfs.xfs -q '{image}'")
    if subprocess.run(["mount", "-o", "loop", image, mount], stderr=subprocess.DEVNULL).returncode != 0:
        return [Result("4", what, target, "-", "not measured: mount(8) is not allowed here")]
    try:
        own = mount / "source"
        shell(f"cp -r '{source}' '{own}' && sync -f '{own}'")
        line = f"find '{own}' -type f -print0 | xargs -0 -n 50 -P 2 openssl dgst -sha256"
        pairs = [(seconds(lambda: shell(line)), drop(bench, own, place=mount)[0]) for _ in range(bench.runs)]
    finally:
        shell(f"umount '{mount}'")
    hashed, took = (statistics.median(pair[index] for pair in pairs) for index in (0, 1))
    return [Result("4", what, target, f"{took / hashed:.2f}", f"openssl {hashed:.2f} s, albumd {took:.2f} s")]


def flush_calls(bench):
    what, target = "1,000 files in a burst: fsync + fdatasync + syncfs", "<= 40"
    if not shutil.which("strace"):
        return [Result("5", what, target, "-", "not measured: strace is missing")]
    log = bench.scratch / "strace"

    @contextlib.contextmanager
    def tracing(daemon):
        command = ["strace", "-f", "-c", "-e", "trace=fsync,fdatasync,syncfs", "-o", log, "-p", str(daemon.process.pid)]
        tracer = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        while "attached" not in tracer.stderr.readline():
            pass
        yield
        tracer.send_signal(signal.SIGINT)
        tracer.communicate()

    source = bench.workloads.get("w1", 1000)
    drop(bench, source, during=tracing)
    counts = {}
    for line in log.read_text().splitlines():
        words = line.split()
        if words and words[-1] in ("fsync", "fdatasync", "syncfs"):
            counts[words[-1]] = int(words[3])
    detail = ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
    return [Result("5", what, target, str(sum(counts.values())), detail)]


def drip(bench):
    settle, count = 0.5, max(20, round(400 * bench.workloads.fraction))
    source = sorted(file for file in bench.workloads.get("w1").rglob("*") if file.is_file())[:count]
    closed = {}
    with bench.daemon(settle="500ms") as daemon:
        daemon.flush()
        follower = Follower(daemon.socket)
        follower.start()
        for file in source:
            content = file.read_bytes()
            name = f"{len(closed):04}-{file.name}"
            with open(daemon.inbox / name, "wb") as copy:
                copy.write(content)
            closed[name] = time.monotonic()
            time.sleep(0.05)
        follower.wait(len(source))
        beyond = [(follower.seen[name] - begin - settle) * 1000 for name, begin in closed.items()]
    detail = f"{len(source)} files, one every 50 ms, settle 500 ms; told by the feed"
    return [
        Result("6", f"W5, close to durable row beyond the settle time, p{round(part * 100)}", target,
               f"{percentile(beyond, part):.1f} ms", detail)
        for part, target in ((0.5, "<= 10 ms"), (0.99, "<= 30 ms"))]


def unchanged(bench):
    source = bench.workloads.get("w4")
    count = files(source)
    results, keep = [], {"name": "kept", "keep": True}
    source.rename(bench.scratch / "w4")
    with bench.daemon(**keep) as daemon:
        (bench.scratch / "w4").rename(daemon.inbox / "w4")
        daemon.flush()
        daemon.imported(count)
        daemon.rest()
        inbox = daemon.inbox
    find = f"find '{inbox}' -type f -printf '%p %i %s %T@\\n' > /dev/null"
    for watch, what, target in (("poll", "without", "<= 1.0"), ("inotify", "with", "<= 1.5")):
        pairs = []
        for _ in range(bench.runs):
            found = seconds(lambda: shell(find))
            with bench.daemon(watch=watch, **keep) as daemon:
                daemon.flush()
                pairs.append((found, time.monotonic() - daemon.started))
        found, own = (statistics.median(pair[index] for pair in pairs) for index in (0, 1))
        results.append(Result(
            "7", f"W4 unchanged, start to reconciled {what} watches, against find", target, f"{own / found:.2f}",
            f"{count} files: find {found:.2f} s, albumd {own:.2f} s"))
    results += idle(bench, count, keep)
    shutil.rmtree(bench.scratch / "kept")
    return results


def idle(bench, count, keep):
    with bench.daemon(watch="inotify", **keep) as daemon:
        daemon.flush()
        daemon.rest()
        before = daemon.cpu()
        time.sleep(20)
        cpu, memory = daemon.cpu() - before, daemon.memory("VmRSS")
    detail = f"{count} files watched"
    return [
        Result("8", "W4 watched, idle: resident memory", "<= 40 MB", f"{memory:.0f} MB", detail),
        Result("8", "W4 watched, idle: processor time in 20 s", "<= 0.02 s", f"{cpu:.2f} s", detail)]


ALL = {
    "1": burst, "2": rivals, "3": large_files, "4": move_mode, "5": flush_calls, "6": drip, "7": unchanged,
    "19": cloud, "20": tier_plan,
    "21": deep_verify,
}
