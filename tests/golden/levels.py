#!/usr/bin/env python3
# levels.py - writes levels.h: scikit-learn's target encodings of a drawn table.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
#
# Needs numpy and scikit-learn from 1.3 on (TargetEncoder). Its smoothing is the weight of levels.h:
# (sum + smooth mean) / (count + smooth). Codes are ours: by falling count, then by name.
import numpy
import sklearn
from collections import Counter
from sklearn.preprocessing import TargetEncoder

rng = numpy.random.default_rng(17)
names = ["ann", "bob", "cy", "dan, jr", "eve", "a", "Zoe", "\u00e9mile", "10", "9"]
rows = 60
value = rng.choice(len(names), rows, p=[0.3, 0.2, 0.1, 0.1, 0.1, 0.05, 0.05, 0.05, 0.03, 0.02])
target = numpy.round(rng.normal(3, 2, rows) + value, 3).astype(numpy.float32).astype(float)
count = Counter(value)
order = sorted(count, key=lambda v: (-count[v], names[v].encode()))


def floats(name, list):
    text = ", ".join("%.9g" % v for v in list)
    lines, line = [], ""
    for word in text.split(" "):
        if len(line) + len(word) > 100:
            lines.append(line.rstrip())
            line = ""
        line += word + " "
    lines.append(line.rstrip())
    return "static const double %s[] = {\n    %s};\n" % (name, "\n    ".join(lines))


def c_text(text):
    return '"' + "".join(chr(b) if 32 <= b < 127 else "\\%03o" % b for b in text.encode()) + '"'


with open(__file__.replace(".py", ".h"), "w") as out:
    out.write("/* levels.h - target encodings by scikit-learn %s; written by levels.py.\n" % sklearn.__version__)
    out.write(" * SPDX-FileCopyrightText: 2026 the sooth authors\n * SPDX-License-Identifier: MIT\n */\n")
    out.write("enum { golden_rows = %d, golden_levels = %d };\n" % (rows, len(order)))
    out.write("static const char *const golden_names[] = {%s};\n" % ", ".join(c_text(n) for n in names))
    out.write(floats("golden_value", value))
    out.write(floats("golden_target", target))
    out.write("/* What stands in names, by code. */\n" + floats("golden_code", order))
    for k, smooth in enumerate((1.0, 10.0)):
        encoder = TargetEncoder(smooth=smooth, target_type="continuous").fit(value.reshape(-1, 1), target)
        known = dict(zip(encoder.categories_[0], encoder.encodings_[0]))
        out.write(floats("golden_smooth_%d" % smooth, [known[v] for v in order]))
    out.write("static const double golden_mean = %.9g;\n" % encoder.target_mean_)
