#!/usr/bin/env python3
# answers.py - what measure.c printed, beside scikit-learn: answers.py PRINTED WANTED SCALE|float.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
# Prints the greatest difference of an answer and the bytes of stack.
import struct, sys
words = [int(line, 16) for line in open(sys.argv[1])]
wanted = [float(line) for line in open(sys.argv[2])]
if len(words) != len(wanted) + 1: sys.exit("answers.py: %d words" % len(words))
kind = {"float": "<f"}.get(sys.argv[3], "<i")
scale = 1.0 if kind == "<f" else 2.0 ** -int(sys.argv[3])
said = [struct.unpack(kind, struct.pack("<I", w))[0] * scale for w in words[:-1]]
print("%.2g %d" % (max(abs(a - b) for a, b in zip(said, wanted)), words[-1]))
