"""The table, on the terminal and as docs/benchmarks.md."""
import os
import platform
import subprocess
import time

HEADINGS = ("row", "measure", "target", "measured", "in numbers")

TEXT = """# Speed

The last run of `make bench`, written by it. Machines differ, so the targets are ratios against reference commands
that run in turn with albumd, counts and memory; medians of {runs} runs.

{date}, {machine}, {cores} cores, Linux {kernel}, {filesystem}. Release build of {commit}. Workloads at a fraction of
{fraction:g}{whole}: {description}. Row 8 is what was measured beside the others.

* W1: JPEGs of 60 to 400 KB. W2: files of 4 MB. W3: videos of 200 MB. W4: tiny files in many directories. W5: one file
  every 50 ms. At fraction 1 they are 10,000, 1,000, 20, 300,000 and 400 files.
* REF is `cp -r SRC dst; sync -f dst; find dst -type f -print0 | xargs -0 sha256sum`.
* Files appear by one rename of their directory into the folder of an empty library; the time ends when `flush` returns:
  every row is durable. `settle` is 0 there, so that nothing has to be subtracted.

{table}
"""


def table(results):
    lines = [HEADINGS] + [(r.row, r.what, r.target, r.value, r.detail) for r in sorted(results, key=lambda r: int(r.row))]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADINGS))]
    lines.insert(1, tuple("-" * width for width in widths))
    return "\n".join("| " + " | ".join(word.ljust(width) for word, width in zip(line, widths)) + " |" for line in lines)


def write(path, table_text, wanted, description):
    def said(*command):
        answer = subprocess.run(command, capture_output=True, text=True, cwd=path.parent)
        return answer.stdout.strip() or "unknown"

    uname = platform.uname()
    path.write_text(TEXT.format(
        runs=wanted.runs, date=time.strftime("%Y-%m-%d"), machine=uname.machine, cores=os.cpu_count(),
        kernel=uname.release, filesystem=said("stat", "-f", "-c", "%T", "."),
        whole=f", of rows {wanted.whole} whole" if wanted.whole else "",
        commit=said("git", "rev-parse", "--short", "HEAD"), fraction=wanted.fraction, description=description, table=table_text))
