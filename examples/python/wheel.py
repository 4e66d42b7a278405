#!/usr/bin/env python3
# wheel.py LIBRARY FOLDER - packs sooth.py, its library and sklearn_to_json.py: FOLDER/sooth-*.whl.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
"""A wheel is a zip of the files with their hashes (PyPA, Binary distribution format), so nothing but Python
is needed to write one, and the same files give the same bytes."""
import base64
import hashlib
import os
import re
import sys
import sysconfig
import zipfile

library, folder = sys.argv[1:]
here = os.path.dirname(os.path.abspath(__file__))
top = os.path.join(here, os.pardir, os.pardir)


def read(*path):
    with open(os.path.join(*path), "rb") as file:
        return file.read()


base = read(top, "include", "sooth", "base.h").decode()
version = re.search(r'SOOTH_VERSION_TEXT "([^"]+)"', base).group(1)
# of the machine that the library is for: this one's, unless it is a DLL made elsewhere
platform = "win_amd64" if library.endswith(".dll") else sysconfig.get_platform()
platform = re.sub(r"[^A-Za-z0-9_]", "_", platform)
tag = f"py3-none-{platform}"
information = f"sooth-{version}.dist-info"
readme = read(here, "README.md").decode()
files = {
    "sooth.py": read(here, "sooth.py"),
    "sklearn_to_json.py": read(top, "tests", "golden", "sklearn_to_json.py"),
    "sooth.libs/" + os.path.basename(library): read(library),
    information + "/LICENSE": read(top, "LICENSE"),
    information + "/METADATA": (
        f"Metadata-Version: 2.1\nName: sooth\nVersion: {version}\n"
        "Summary: Predicts what running something will cost: time, power, slowdown\n"
        "License: MIT\nLicense-File: LICENSE\nRequires-Python: >=3.8\nRequires-Dist: numpy\n"
        "Provides-Extra: sklearn\nRequires-Dist: scikit-learn>=1.2; extra == 'sklearn'\n"
        f"Description-Content-Type: text/markdown\n\n{readme}").encode(),
    information + "/WHEEL": (
        f"Wheel-Version: 1.0\nGenerator: sooth\nRoot-Is-Purelib: false\nTag: {tag}\n").encode(),
}
record = information + "/RECORD"
lines = []
for name, data in files.items():
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    lines.append(f"{name},sha256={digest},{len(data)}\n")
files[record] = ("".join(lines) + f"{record},,\n").encode()

path = os.path.join(folder, f"sooth-{version}-{tag}.whl")
for old in os.listdir(folder):
    if old.endswith(".whl"):
        os.remove(os.path.join(folder, old))
with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
    for name, data in files.items():
        entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
        entry.external_attr = (0o755 if name.startswith("sooth.libs/") else 0o644) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        wheel.writestr(entry, data)
print(f"{path}: {os.path.getsize(path)} bytes")
