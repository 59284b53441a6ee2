"""Run the commands of the README and of further pages as their tags say.

A fenced block opens with ```bash TAG. TAG is one of
  run         the block runs as it stands and must exit 0
  loopback    the same, and it may talk to 127.0.0.1
  dry-run     needs a GPU to be useful; runs here with `--dry-run` appended to its last command
  unverified  needs live keys or a Hub account; only its syntax is checked (bash -n)
A block without a tag is an error, so no command escapes.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

BLOCK = re.compile(r"^```(?:bash|sh|console)[ \t]*(?P<tag>[^\n`]*)\n(?P<body>.*?)^```", re.M | re.S)
TAGS = ("run", "loopback", "dry-run", "unverified")


def main(path: str) -> int:
    text = Path(path).read_text(encoding="utf-8")
    blocks = [(m["tag"].strip(), m["body"].strip()) for m in BLOCK.finditer(text)]
    if not blocks:
        print(f"{path} has no tagged command")
        return 1
    bad = 0
    for tag, body in blocks:
        if tag not in TAGS:
            print(f"FAILED a command block has tag {tag!r}, expected one of {', '.join(TAGS)}:\n{body}")
            bad += 1
            continue
        script = f"{body} --dry-run" if tag == "dry-run" and "--dry-run" not in body else body
        command = ["bash", "-n", "-c", script] if tag == "unverified" else ["bash", "-euo", "pipefail", "-c", script]
        print(f"-- [{tag}]\n{script}", flush=True)
        start = time.monotonic()
        code = subprocess.run(command, env=os.environ, check=False).returncode
        print(f"-- exit {code}, {time.monotonic() - start:.1f} s", flush=True)
        bad += code != 0
    print(f"{path}: {len(blocks)} command blocks, {bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    raise SystemExit(max([main(page) for page in sys.argv[1:]]))
