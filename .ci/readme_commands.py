"""Run the commands of the README and of further pages as their tags say.

A fenced block opens with ```bash TAG. TAG is one of
  run         the block runs as it stands and must exit 0
  loopback    the same, and it may talk to 127.0.0.1
  dry-run     needs a GPU to be useful; runs here with `--dry-run` appended to its last command
  unverified  needs live keys or a Hub account; only its syntax is checked (bash -n)
A block without a tag is an error, so no command escapes. A page may have no command at all.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections import deque
from pathlib import Path

BLOCK = re.compile(r"^```(?:bash|sh|console)[ \t]*(?P<tag>[^\n`]*)\n(?P<body>.*?)^```", re.M | re.S)
TAGS = ("run", "loopback", "dry-run", "unverified")
LAST_LINES = 60  # of a failed block's output, said again at the very end: logs are cut in their middle


def run_streaming(command: list[str]) -> tuple[int, list[str]]:
    """Run `command`, its output shown as it comes; gives the exit code and the last lines of both streams.

    The output goes through a file: a server that a block leaves behind writes on undisturbed, and nobody reads it.
    """
    last: deque[str] = deque(maxlen=LAST_LINES)
    with (
        tempfile.TemporaryFile("a+b", buffering=0) as output,
        subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT) as process,
    ):
        shown, ended = 0, False
        while not ended:
            ended = process.poll() is not None  # asked first, so that all that the shell said is read after it
            size = os.fstat(output.fileno()).st_size
            while shown < size and (chunk := os.pread(output.fileno(), min(65536, size - shown), shown)):
                shown += len(chunk)
                sys.stdout.buffer.write(chunk)
                lines = chunk.decode("utf-8", "replace").splitlines(keepends=True)
                if last and not last[-1].endswith("\n") and lines:
                    last[-1] += lines.pop(0)
                last.extend(lines)
            sys.stdout.flush()
            if not ended:
                time.sleep(0.05)
        return process.wait(), list(last)


def main(path: str, failures: list[str]) -> int:
    text = Path(path).read_text(encoding="utf-8")
    blocks = [(m["tag"].strip(), m["body"].strip()) for m in BLOCK.finditer(text)]
    bad = 0
    for tag, body in blocks:
        if tag not in TAGS:
            print(f"FAILED a command block has tag {tag!r}, expected one of {', '.join(TAGS)}:\n{body}")
            failures.append(f"{path}: a command block has tag {tag!r}, expected one of {', '.join(TAGS)}:\n{body}")
            bad += 1
            continue
        script = f"{body} --dry-run" if tag == "dry-run" and "--dry-run" not in body else body
        command = ["bash", "-n", "-c", script] if tag == "unverified" else ["bash", "-euo", "pipefail", "-c", script]
        print(f"-- [{tag}]\n{script}", flush=True)
        start = time.monotonic()
        code, last = run_streaming(command)
        print(f"-- exit {code}, {time.monotonic() - start:.1f} s", flush=True)
        if code:
            bad += 1
            failures.append(f"{path}: exit {code} of\n{script}\n-- its last lines:\n{''.join(last)}")
    print(f"{path}: {len(blocks)} command blocks, {bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    said: list[str] = []
    worst = max([main(page, said) for page in sys.argv[1:]])
    for failure in said:
        print(f"\nFAILED {failure}")
    raise SystemExit(worst)
