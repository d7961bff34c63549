#!/usr/bin/env python3
"""Makes a table of what bench_step appended to a file, one JSON object a line, and a JSON file of the whole.

    summary.py LINES.jsonl OUT.json

The growth exponent between two meshes is log(time ratio) / log(ratio of unknowns)."""
import json
import math
import sys

PHASES = ("loads", "forward", "contact", "backward", "product", "state", "ledger")


def exponent(a, b, key):
    return math.log(b[key] / a[key]) / math.log(b["unknowns"] / a["unknowns"])


def main():
    rows = sorted((json.loads(line) for line in open(sys.argv[1], encoding="utf-8")), key=lambda r: r["unknowns"])
    print("\n%9s %7s %12s %12s %7s %7s %7s  %s" % (
        "unknowns", "active", "floor [us]", "step [us]", "ratio", "memory", "set-up", "share of the step [%]: " + " ".join(PHASES)))
    for r in rows:
        whole = sum(r[p] for p in PHASES)
        print("%9d %7d %12.1f %12.1f %7.2f %7.2f %7.0f  %s" % (
            r["unknowns"], r["active"], 1e6 * r["floor"], 1e6 * r["step"], r["ratio"], r["bytes"] / r["least_bytes"],
            (r["read"] + r["create"]) / r["step"], " ".join("%.0f" % (100 * r[p] / whole) for p in PHASES)))
    print("memory: held by model and stepper, x (factor + M + K); set-up: meshing, reading, assembling, ordering and factorising, "
          "in steps")
    for a, b in zip(rows, rows[1:]):
        a["growth"] = {key: exponent(a, b, key) for key in ("floor", "step", "read", "create", "bytes")}
        print("growth from %d to %d unknowns: " % (a["unknowns"], b["unknowns"])
              + ", ".join("%s n^%.2f" % (key, value) for key, value in a["growth"].items()))
    with open(sys.argv[2], "w", encoding="utf-8") as out:
        json.dump(rows, out, indent=1)
    print("all of it as JSON: " + sys.argv[2])


if __name__ == "__main__":
    main()
