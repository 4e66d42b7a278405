#!/usr/bin/env python3
# wheel.py LIBRARY FOLDER - packs the module, its types and its library: FOLDER/sooth-*.whl. Also what pip and
# build call: it compiles the library, and writes wheels and source archives (PEP 517).
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
"""A wheel is a zip of files with their hashes (PyPA, Binary distribution format), so it takes nothing but
Python to write one, and the same files give the same bytes. The tag states which C library it needs, by the
rules of PEP 600 (glibc) and PEP 656 (musl): from the versions of the symbols that the library asks for."""
import base64
import gzip
import hashlib
import io
import os
import re
import struct
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile

here = os.path.dirname(os.path.abspath(__file__))
top = os.path.join(here, os.pardir, os.pardir)


def read(*path):
    with open(os.path.join(*path), "rb") as file:
        return file.read()


def release():
    base = read(top, "include", "sooth", "base.h").decode()
    return re.search(r'SOOTH_VERSION_TEXT "([^"]+)"', base).group(1)


# ---- the platform ----

_MACHINES = {3: "i686", 21: "ppc64le", 22: "s390x", 40: "armv7l", 62: "x86_64", 183: "aarch64",
             243: "riscv64"}
_ALLOWED = re.compile(r"(libc|libpthread|libm|librt|libdl)\.so\.\d+$|ld-linux|ld64\.so")


def _sections(elf):
    """The sections of an ELF file, by their type: offset, size, number of the linked section."""
    wide, order = elf[4] == 2, "<" if elf[5] == 1 else ">"
    start, = struct.unpack_from(order + ("Q" if wide else "I"), elf, 40 if wide else 32)
    size, count = struct.unpack_from(order + "HH", elf, 58 if wide else 46)
    found = []
    for k in range(count):
        at = start + k * size
        kind, = struct.unpack_from(order + "I", elf, at + 4)
        offset, length = struct.unpack_from(order + ("QQ" if wide else "II"), elf, at + (24 if wide else 16))
        link, = struct.unpack_from(order + "I", elf, at + (40 if wide else 24))
        found.append((kind, offset, length, link))
    return found, order, wide


def _needs(elf):
    """The libraries that an ELF file needs, and the versions of their symbols."""
    sections, order, wide = _sections(elf)
    libraries, versions = [], []

    def text(link, at):
        start = sections[link][1] + at
        return elf[start:elf.index(b"\0", start)].decode()

    for kind, offset, length, link in sections:
        if kind == 6:  # SHT_DYNAMIC: pairs, 1 is DT_NEEDED
            form = order + ("qQ" if wide else "iI")
            for tag, value in struct.iter_unpack(form, elf[offset:offset + length]):
                if tag == 1:
                    libraries.append(text(link, value))
        if kind == 0x6ffffffe:  # SHT_GNU_verneed: a chain of libraries, each with a chain of versions
            at = offset
            while True:
                _, count, _, aux, following = struct.unpack_from(order + "HHIII", elf, at)
                one = at + aux
                for _ in range(count):
                    _, _, _, name, step = struct.unpack_from(order + "IHHII", elf, one)
                    versions.append(text(link, name))
                    one += step
                if not following:
                    break
                at += following
    return libraries, versions


def _musl():
    """The version of musl on this machine, 1.2 if there is none, as 1_2."""
    for folder in ("/lib", "/usr/lib"):
        for name in os.listdir(folder) if os.path.isdir(folder) else ():
            if name.startswith("ld-musl-"):
                said = subprocess.run([os.path.join(folder, name)], capture_output=True, text=True).stderr
                version = re.search(r"Version (\d+)\.(\d+)", said)
                if version:
                    return "_".join(version.groups())
    return "1_2"


def platform_of(path):
    """The platform tag of a library."""
    bytes_ = read(path)
    if bytes_[:2] == b"MZ":
        return "win_amd64"
    if bytes_[:4] != b"\x7fELF":
        return re.sub(r"[^A-Za-z0-9_]", "_", sysconfig.get_platform())
    machine = _MACHINES.get(struct.unpack_from("<H" if bytes_[5] == 1 else ">H", bytes_, 18)[0])
    libraries, versions = _needs(bytes_)
    if any(re.match(r"libc\.(so$|musl-)", name) for name in libraries):
        return f"musllinux_{_musl()}_{machine}"
    minors = [int(v.split(".")[1]) for v in versions if re.match(r"GLIBC_2\.\d", v)]
    if not machine or not minors or not all(_ALLOWED.match(name) for name in libraries):
        return re.sub(r"[^A-Za-z0-9_]", "_", sysconfig.get_platform())
    least = 5 if machine in ("x86_64", "i686") else 17
    return f"manylinux_2_{max(minors + [least])}_{machine}"


# ---- the files ----


def metadata():
    return (f"Metadata-Version: 2.1\nName: sooth\nVersion: {release()}\n"
            "Summary: Predicts what running something will cost: time, power, slowdown\n"
            "License: MIT\nLicense-File: LICENSE\nClassifier: Typing :: Typed\n"
            "Requires-Python: >=3.8\nRequires-Dist: numpy\n"
            "Provides-Extra: sklearn\nRequires-Dist: scikit-learn>=1.2; extra == 'sklearn'\n"
            "Description-Content-Type: text/markdown\n\n" + read(here, "README.md").decode()).encode()


def write_wheel(library, folder):
    """Writes the wheel with this library, in place of other wheels; returns its name."""
    version = release()
    tag = f"py3-none-{platform_of(library)}"
    information = f"sooth-{version}.dist-info"
    code = "sooth/" + os.path.basename(library)
    files = {
        "sooth/__init__.py": read(here, "sooth.py"),
        "sooth/__init__.pyi": read(here, "sooth.pyi"),
        "sooth/py.typed": b"",
        "sklearn_to_json.py": read(top, "tests", "golden", "sklearn_to_json.py"),
        code: read(library),
        information + "/LICENSE": read(top, "LICENSE"),
        information + "/METADATA": metadata(),
        information + "/WHEEL": (
            f"Wheel-Version: 1.0\nGenerator: sooth\nRoot-Is-Purelib: false\nTag: {tag}\n").encode(),
    }
    record = information + "/RECORD"
    lines = []
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(data)}\n")
    files[record] = ("".join(lines) + f"{record},,\n").encode()
    name = f"sooth-{version}-{tag}.whl"
    for old in os.listdir(folder):
        if old.startswith("sooth-") and old.endswith(".whl"):
            os.remove(os.path.join(folder, old))
    with zipfile.ZipFile(os.path.join(folder, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for file, data in files.items():
            entry = zipfile.ZipInfo(file, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = (0o755 if file == code else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)
    return name


def sources():
    """The files of a source archive: the headers, and what this file reads."""
    found = ["LICENSE", "pyproject.toml", "tests/golden/sklearn_to_json.py"]
    for folder, _, names in os.walk(os.path.join(top, "include")):
        found += [os.path.relpath(os.path.join(folder, name), top) for name in names if name.endswith(".h")]
    found += ["examples/python/" + name for name in os.listdir(here)
              if os.path.isfile(os.path.join(here, name))]
    return sorted(name.replace(os.sep, "/") for name in found)


# ---- what pip and build call ----


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = {"darwin": "libsooth.0.dylib", "win32": "libsooth-0.dll"}.get(sys.platform, "libsooth.so.0")
    flags = {"darwin": ["-dynamiclib", "-fPIC", "-Wl,-exported_symbol,_sooth_call_*"],
             "win32": ["-shared", "-static-libgcc"]}.get(sys.platform, [
                 "-shared", "-fPIC", "-ffunction-sections", f"-Wl,-soname,{name},--gc-sections",
                 "-Wl,--version-script=" + os.path.join(here, "libsooth.map")])
    with tempfile.TemporaryDirectory() as folder:
        library = os.path.join(folder, name)
        command = [*os.environ.get("CC", "cc").split(), "-std=c11", "-ffp-contract=off",
                   *os.environ.get("CFLAGS", "-O2").split(), "-I" + os.path.join(top, "include"),
                   os.path.join(here, "libsooth.c"), *flags, "-o", library, "-pthread"]
        try:
            subprocess.run(command, check=True)
        except OSError as error:
            raise SystemExit(f"sooth is compiled here, which needs a C compiler: {error}; set CC") from None
        return write_wheel(library, wheel_directory)


def build_sdist(sdist_directory, config_settings=None):
    base = f"sooth-{release()}"
    path = os.path.join(sdist_directory, base + ".tar.gz")
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, 0) as packed, \
            tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, data in [("PKG-INFO", metadata())] + [(name, read(top, name)) for name in sources()]:
            entry = tarfile.TarInfo(f"{base}/{name}")
            entry.size, entry.mode = len(data), 0o644
            archive.addfile(entry, io.BytesIO(data))
    return os.path.basename(path)


if __name__ == "__main__":
    made = os.path.join(sys.argv[2], write_wheel(*sys.argv[1:]))
    print(f"{made}: {os.path.getsize(made)} bytes")
