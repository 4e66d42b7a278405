#!/usr/bin/python3
"""Writes dialects.h: small CSV files in many dialects, and what Python's csv module reads from them.

SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

It is not called csv.py because the scripts beside it would then import it for that module.
Run it in its folder: ./dialects.py > dialects.h
"""
import csv
import io
import itertools
import random
import sys

random.seed(4180)
MISSING = ["", "NA", "n/a", "#N/A", "NaN", "null", "NULL", "-", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!"]
WORDS = ["bfs", "k-means", "a,b", "x;y", "tab\there", 'say "hi"', '"', '""', "two\nlines", "dos\r\nlines", "old\rmac",
         "Stra\u00dfe", "\u5730", "12 MB", "1e", "--", "nano", "0x1F", "1,2,3", "N", "#"]
WIDE = [" lead", "trail ", " ", "\tx", " 7 "]


def number():
    return random.choice(["%d" % random.randint(-999, 9999), "%.3f" % random.uniform(-50, 50),
                          "%.6e" % random.uniform(-1, 1), "%g" % (10 ** random.uniform(-20, 20)), ".5", "-3.", "+4"])


def cell(kind, words):
    if random.random() < 0.15:
        return random.choice(MISSING)
    if kind == "number" or random.random() < 0.2:
        return number()
    return random.choice(words)


def document(separator, quoting, line_end):
    cols, rows = random.randint(1, 5), random.randint(1, 6)
    words, names = WORDS + WIDE, ["c", 'q"', "s%st" % separator, "l\n"]
    if quoting != csv.QUOTE_ALL:  # the writer does not protect outer blanks and other line ends
        plain = [w for w in WORDS + names if all(c in line_end for c in w if c in "\r\n")]
        words, names = [w for w in plain if w in WORDS], [w for w in plain if w in names]
    kinds = [random.choice(["number", "number", "text"]) for _ in range(cols)]
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=separator, quoting=quoting, lineterminator=line_end)
    writer.writerow("%s%d" % (random.choice(names), j) for j in range(cols))
    for _ in range(rows):
        writer.writerow([cell(k, words) for k in kinds])
        if random.random() < 0.1:
            out.write(line_end)
    writer.writerow(["1"] * cols)
    text = out.getvalue()
    if random.random() < 0.3:
        text = text[:-len(line_end)]
    return text


def literal(data):
    out = ""
    for b in data:
        c = chr(b)
        out += {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\", "?": "\\?"}.get(
            c, c if 32 <= b < 127 else "\\%03o" % b)
    return '"%s"' % out


def wrapped(data):
    return "\n     ".join(literal(data[k:k + 40]) for k in range(0, len(data), 40))


def filled(items, indent="    ", width=110):
    line = indent
    for item in items:
        if len(line) + len(item) + 2 > width:
            yield line.rstrip()
            line = indent
        line += item + ", "
    yield line.rstrip()


def main():
    documents, cells, lines = [], [], []
    dialects = itertools.product(",;\t|", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL], ["\n", "\r\n", "\r"])
    for k, (separator, quoting, line_end) in enumerate(list(dialects) * 2):
        text = document(separator, quoting, line_end)
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
        header, rows, blank, before = next(reader), 0, 0, None
        at, line_at = len(cells), len(lines)
        cells += header
        before = reader.line_num
        for row in reader:
            begins, before = before + 1, reader.line_num
            if not row:
                continue
            if all(c.strip().lower() in [m.lower() for m in MISSING] for c in row):
                blank += 1
                continue
            rows += 1
            cells += row
            lines.append(begins)
        mark = b"\xef\xbb\xbf" if k % 5 == 0 else b""
        documents.append("    {%s,\n     %s, %d, %d, %d, %d, %d}" % (
            wrapped(mark + text.encode()), {"\t": "'\\t'"}.get(separator, "'%s'" % separator), len(header), rows, blank,
            at, line_at))
    print("/* dialects.h - CSV files in many dialects, and what Python's csv module reads from them; made by dialects.py.")
    print(" * SPDX-FileCopyrightText: 2026 the sooth authors\n * SPDX-License-Identifier: MIT\n */")
    print("static const struct {\n    const char *text;\n    char separator;")
    print("    unsigned cols, rows, blank; /* rows without any value are counted apart */")
    print("    unsigned cell, line;        /* where its header and cells, and the lines of its rows, begin below */")
    print("} golden_csv[] = {\n%s};\n" % ",\n".join(documents))
    print("static const char *const golden_csv_cell[] = {\n%s};\n" % "\n".join(
        filled(literal(c.encode()) for c in cells)).rstrip(","))
    print("static const unsigned golden_csv_line[] = {\n%s};" % "\n".join(filled(str(x) for x in lines)).rstrip(","))


sys.exit(main())
