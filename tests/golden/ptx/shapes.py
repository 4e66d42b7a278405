#!/usr/bin/python3
"""Writes shapes.h: the shapes of mma, wmma and wgmma that the assembler of CUDA accepts, of all that are tried. It knows nothing of ptx/tensor.h.

SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

Run it in its folder, with ptxas of CUDA 13.0 in the path: ./shapes.py > shapes.h
"""
import os
import subprocess
import tempfile

REGISTERS = ".reg .b32 %r<300>; .reg .f32 %f<300>; .reg .f64 %d<40>; .reg .b64 %l<4>; .reg .pred %p<2>;"
BITS = {"f64": 64, "tf32": 32, "f16": 16, "bf16": 16, "e4m3": 8, "e5m2": 8, "e3m2": 8, "e2m3": 8, "e2m1": 8, "s8": 8, "u8": 8, "s4": 4, "u4": 4, "b1": 1}
SUM = {"f64": ("f64", "d"), "s8": ("s32", "r"), "u8": ("s32", "r"), "s4": ("s32", "r"), "u4": ("s32", "r"), "b1": ("s32", "r")}


def accepts(target, line):
    with tempfile.NamedTemporaryFile("w", suffix=".ptx", delete=False) as file:
        file.write(".version 9.0\n.target %s\n.address_size 64\n.visible .entry k() {\n%s\n%s\nret;\n}\n" % (target, REGISTERS, line))
    done = subprocess.run(["ptxas", "-arch", target, file.name, "-o", "/dev/null"], capture_output=True)
    os.unlink(file.name)
    return done.returncode == 0


def vector(letter, count):
    return "{" + ", ".join("%%%s%d" % (letter, i) for i in range(count)) + "}"


def mma(kind, scale, scale_type, t, sparse, m, k):
    total, letter = SUM.get(t, ("f32", "f"))
    bits = 4 if kind in ("mxf4", "mxf4nvf4") else BITS[t]
    register, one = ("d", 64) if t == "f64" else ("r", 32)
    a, b, c = m * k * bits // (2 if sparse else 1) // one // 32, 8 * k * bits // one // 32, m * 8 // 32
    if (m, k, t) == (8, 4, "f16"):
        a, b, c = 2, 2, 8  # four products of a quarter of the warp each
    if a < 1 or b < 1 or max(a, b) > 16:
        return False
    op = "mma%s.sync.aligned.m%dn8k%d.row.col%s%s.%s.%s.%s.%s%s%s" % (
        ".sp::ordered_metadata" if sparse else "", m, k, ".kind::" + kind if kind else "", scale, total, t, t, total,
        ".xor.popc" if t == "b1" else "", scale_type)
    end = (", %r200, 0x0" if sparse else "") + (", %r201, {0, 0}, %r202, {0, 0}" if scale else "")
    target = "sm_120a" if kind or BITS[t] == 8 and t[0] == "e" else "sm_90a"
    return accepts(target, "%s %s, %s, %s, %s%s;" % (op, vector(letter, c), vector(register, a), vector(register, b), vector(letter, c), end))


def wmma(t, m, n, k):
    total, letter = SUM.get(t, ("f32", "f"))
    register = "d" if t == "f64" else "r"
    a, b, c = max(1, m * k * BITS[t] // 1024), max(1, k * n * BITS[t] // 1024), m * n // 32
    if t == "f16":
        a = b = 8
    if t == "f64":
        a = b = 1
    types = "f32.f32" if t == "f16" else "%s.%s.%s.%s" % (total, t, t, total)
    op = "wmma.mma%s.sync.aligned.row.col.m%dn%dk%d.%s" % (".and.popc" if t == "b1" else "", m, n, k, types)
    return accepts("sm_90a", "%s %s, %s, %s, %s;" % (op, vector(letter, c), vector(register, a), vector(register, b), vector(letter, c)))


def wgmma(t, sparse, n, k):
    total, letter = SUM.get(t, ("f32", "f"))
    op = "wgmma.mma_async%s.sync.aligned.m64n%dk%d.%s.%s.%s%s" % (".sp" if sparse else "", n, k, total, t, t, ".and.popc" if t == "b1" else "")
    end = (", %r200, 0" if sparse else "") + ", %p0" + (", 1, 1" if total == "f32" else "") + (", 0, 0" if t in ("f16", "bf16") else "")
    return accepts("sm_90a", "%s %s, %%l0, %%l1%s;" % (op, vector(letter, 64 * n // 128), end))


print("/* shapes.h - made by shapes.py: what ptxas accepts of all shapes that are tried. */")
print("static const struct {\n    const char *family, *kind, *type;\n    unsigned sparse, m, n, k;\n} accepted[] = {")
KINDS = [("", "", "", t) for t in BITS if t not in ("e3m2", "e2m3", "e2m1")] + [("f8f6f4", "", "", t) for t in ("e4m3", "e5m2", "e3m2", "e2m3", "e2m1")]
KINDS += [("mxf8f6f4", ".block_scale.scale_vec::1X", ".ue8m0", t) for t in ("e4m3", "e2m1")]
KINDS += [("mxf4", ".block_scale.scale_vec::2X", ".ue8m0", "e2m1"), ("mxf4nvf4", ".block_scale.scale_vec::4X", ".ue4m3", "e2m1")]
for kind, scale, scale_type, t in KINDS:
    for sparse in (0, 1):
        for m in (8, 16):
            for k in (4, 8, 16, 32, 64, 128, 256, 512):
                if mma(kind, scale, scale_type, t, sparse, m, k):
                    print('    {"mma", "%s", "%s", %d, %d, 8, %d},' % (kind, t, sparse, m, k))
for t in ("f64", "tf32", "f16", "bf16", "s8", "u8", "s4", "u4", "b1"):
    for m, n in ((16, 16), (32, 8), (8, 32), (8, 8)):
        for k in (4, 8, 16, 32, 128):
            if (k in (8, 16) or m == n == 8) and wmma(t, m, n, k):
                print('    {"wmma", "", "%s", 0, %d, %d, %d},' % (t, m, n, k))
print("};\n\n/* wgmma: bit i of n is set if 8 (i + 1) is accepted. */")
print("static const struct {\n    const char *type;\n    unsigned sparse, k, n;\n} accepted_groups[] = {")
for t in ("f64", "tf32", "f16", "bf16", "e4m3", "e5m2", "s8", "u8", "s4", "b1"):
    for sparse in (0, 1):
        for k in (8, 16, 32, 64, 128, 256, 512):
            if not wgmma(t, sparse, 64, k):
                continue
            n = sum(1 << i for i in range(32) if wgmma(t, sparse, 8 * (i + 1), k))
            print('    {"%s", %d, %d, 0x%Xu},' % (t, sparse, k, n))
print("};")
