#!/usr/bin/python3
"""Carries out the steps of config/Dockerfile in bare Debians, where there is no Docker:

  container.py SOURCE BASE ARCHIVE INSIDE

BASE/debian is a bare Debian, ARCHIVE a tar file of the source, INSIDE the script that starts a command in a root. The last stage
stays as BASE/container. Steps are FROM, ENV, WORKDIR, COPY (of the source, and --from a stage) and RUN; others are for users.
"""
import os
import re
import shutil
import subprocess
import sys

source, base, archive, inside = sys.argv[1:]


def do(*command):
    subprocess.run(command, check=True)


def steps(path):
    with open(path, encoding="utf-8") as file:
        text = "".join(line for line in file if not line.startswith("#")).replace("\\\n", " ")
    for line in text.splitlines():
        if line.strip():
            word, _, rest = line.strip().partition(" ")
            yield word, rest.strip()


def main():
    stages, root, folder, environment = {}, None, "/", ""
    context = os.path.join(base, "context")
    os.mkdir(context)
    do("tar", "-xf", archive, "-C", context)
    for word, rest in steps(os.path.join(source, "config", "Dockerfile")):
        print(f"== {word} {rest}", flush=True)
        if word == "FROM":
            name = rest.partition(" AS ")[2] or "container"
            root, folder, environment = os.path.join(base, name), "/", ""
            stages[name] = root
            do("cp", "-a", os.path.join(base, "debian"), root)
        elif word == "ENV":
            environment += f"export {rest}; "
            with open(os.path.join(root, "etc", "profile"), "a", encoding="utf-8") as file:
                file.write(f"export {rest}\n")
        elif word == "WORKDIR":
            folder = rest
            os.makedirs(root + folder, exist_ok=True)
        elif word == "COPY":
            stage = re.match(r"--from=(\w+) (.*)", rest)
            *what, to = (stage.group(2) if stage else rest).split()
            place = os.path.join(root + (to if to.startswith("/") else os.path.join(folder, to)))
            for one in what:
                there = stages[stage.group(1)] + one if stage else os.path.join(context, one)
                if os.path.isdir(there):
                    shutil.copytree(there, place, symlinks=True, dirs_exist_ok=True)
                else:
                    shutil.copy(there, place)
        elif word == "RUN":
            do("unshare", "--mount", "--propagation", "private", inside, root, "sh", "-c", f"{environment}cd {folder} && {rest}")
        elif word not in ("ENTRYPOINT", "CMD"):
            raise SystemExit(f"container.py does not know {word}")
    shutil.rmtree(context)
    for name, root in stages.items():
        if name != "container":
            shutil.rmtree(root)


if __name__ == "__main__":
    main()
