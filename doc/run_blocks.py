#!/usr/bin/python3
"""Does what documents say: writes the files and runs the commands in their fenced blocks, one after the other.

  run_blocks.py [--only CLASS] DOCUMENT...      in the current folder

Blocks of `sh` are run line by line; with --only those with this class too, as in {.sh .paraview}, and no others. Blocks whose
first line is a comment `file: NAME` are written to that file. What is run and what it prints goes to standard output. The
first line that fails ends it, with its text and status 1.
"""

import argparse
import re
import subprocess
import sys

FENCE = re.compile(r"^```([^\n`]*)\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^(?:#|//|/\*)\s*file:\s*(\S+?)\s*(?:\*/)?$")


def blocks(path):
    """(classes, text) of each fenced block."""
    with open(path, encoding="utf-8") as file:
        for head, body in FENCE.findall(file.read()):
            yield re.findall(r"[\w-]+", head), body


def joined(body):
    """Lines, those that end in a backslash with the next."""
    return [line for line in body.replace("\\\n", " ").splitlines() if line.strip() and not line.startswith("#")]


def run(line):
    print(f"$ {line}", flush=True)
    done = subprocess.run(["/bin/sh", "-c", line], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                          stdin=subprocess.DEVNULL)
    print(done.stdout, end="", flush=True)
    return done.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="CLASS")
    parser.add_argument("documents", nargs="+", metavar="DOCUMENT")
    chosen = parser.parse_args()
    for path in chosen.documents:
        for classes, body in blocks(path):
            named = FILE.match(body.partition("\n")[0])
            if named:
                with open(named.group(1), "w", encoding="utf-8") as file:
                    file.write(body)
            elif classes[:1] == ["sh"] and classes[1:] == ([chosen.only] if chosen.only else []):
                for line in joined(body):
                    if not run(line):
                        print(f"{path}: this line failed: {line}", file=sys.stderr)
                        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
