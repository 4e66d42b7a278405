#!/usr/bin/python3
"""Writes counts.h: how many instructions each function in these .ptx files has, counted with regular expressions that know nothing of ptx.h.

SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

Run it in its folder: ./count.py > counts.h
"""
import glob
import re


def without_noise(text):
    text = re.sub(r'"[^"\n]*"', '""', text)
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"//[^\n]*", "", text)
    return re.sub(r"\.section[^{]*\{[^}]*\}", "", text)


def functions(text):
    """(name, body) of everything with a body."""
    head = r"\.(?:entry|func)\b(?:\s*\.\w+)*\s*(?:\([^{;]*?\))?\s*([\w$%]+)\s*(?:\([^{;]*?\))?[^{;(]*\{"
    for match in re.finditer(head, text):
        end, depth = match.end(), 1
        while depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        yield match.group(1), text[match.end() : end - 1]


def instructions(body):
    """Opcodes between semicolons, without labels, directives and braces of scopes."""
    body = re.sub(r"\.(loc|file)\b[^\n]*", "", body)
    body = re.sub(r"(\w)::(\w)", r"\1__\2", body)
    body = re.sub(r"[\w$%]+\s*:", " ", body)
    statements = (re.sub(r"^[{}\s]+", "", s) for s in body.split(";"))
    return [s for s in statements if s.strip() and not s.startswith(".")]


def opcode(statement):
    return re.sub(r"^@!?[%\w$]+\s*", "", statement).split()[0]


print("/* counts.h - made by count.py: instructions of every function, and those that branch, load and store. */")
print("static const struct {\n    const char *file, *function;\n    unsigned total, branches, loads, stores;\n} counted[] = {")
for path in sorted(glob.glob("*.ptx")):
    for name, body in functions(without_noise(open(path).read())):
        opcodes = [opcode(s) for s in instructions(body)]
        branches = sum(bool(re.match(r"brx?a?\b", o)) for o in opcodes)
        loads = sum(bool(re.match(r"ldu?\b", o)) for o in opcodes)
        stores = sum(bool(re.match(r"st\b", o)) for o in opcodes)
        print('    {"%s", "%s", %d, %d, %d, %d},' % (path, name, len(opcodes), branches, loads, stores))
print("};")
