#!/usr/bin/python3
"""The sections SYNOPSIS and OPTIONS of the man page are what `percuss COMMAND --help` prints, so that neither lacks an option:
man_page.py PERCUSS PAGE writes the page with both anew to the standard output."""

import os
import re
import subprocess
import sys


def said(*arguments):
    wide = {**os.environ, "COLUMNS": "100", "LC_ALL": "C.UTF-8"}
    return subprocess.run(arguments, capture_output=True, text=True, check=True, env=wide, encoding="utf-8").stdout


def roff(text):
    """Words as they stand: no sign of them is a command to troff."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def usage_of(text):
    """The lines of usage, each a way to call the command, without its name."""
    block = re.split(r"\n\s*\n", text, maxsplit=1)[0]
    ways = re.split(r"\n\s+(?=percuss )", re.sub(r"^[Uu]sage: ", "", block))
    return [" ".join(way.split()).removeprefix("percuss ") for way in ways]


def options_of(text):
    """[(names, meaning)]: lines that begin with two blanks and a sign, with what is further to the right."""
    found = []
    for line in text.split("\n"):
        begins = re.match(r"  (-{1,2}[a-zA-Z].*?)(?:\s{2,}(.*))?$", line)
        if begins:
            found.append([begins[1], begins[2] or ""])
        elif found and re.match(r"\s{8,}\S", line):
            found[-1][1] += " " + line.strip()
    return [(names, " ".join(meaning.split())) for names, meaning in found if not names.startswith(("-h", "--help", "--version"))]


def main():
    percuss, page = sys.argv[1:]
    commands = re.findall(r"(?m)^  (\w+) ", said(percuss, "--help"))
    helps = {name: said(percuss, name, "--help") for name in commands}
    synopsis, options = [".SH SYNOPSIS"], [".SH OPTIONS", "Every command has", ".BR \\-\\-help ", "and", ".BR \\-\\-version ."]
    for name in commands:
        for way in usage_of(helps[name]):
            words = way.split(" ", 1)
            synopsis += [f".B percuss {words[0]}"] + [roff(word) for word in words[1:]] + [".br"]
        listed = options_of(helps[name])
        if listed:
            options.append(f".SS percuss {name}")
        for names, meaning in listed:
            options += [".TP", f".B {roff(names)}", roff(meaning)]
    text = open(page, encoding="utf-8").read()
    for head, lines in (("SYNOPSIS", synopsis), ("OPTIONS", options)):
        text = re.sub(rf"(?ms)^\.SH {head}\n.*?(?=^\.SH )", lambda _: "\n".join(lines) + "\n", text)
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
