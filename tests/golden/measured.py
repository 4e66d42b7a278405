#!/usr/bin/env python3
"""Writes tables in the form of bench/cuda, with known truth: measured.py OUT.

SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

NOTHING HERE WAS MEASURED. tests/studies/measure.sh plays the measuring programs with these tables, and
examples/papers.sh reads them. What is true of them:

    check       one of six rows differs
    latency     that of watts/latency.csv
    power       by the formula of watts.py, 12 launches for each of 14 kernels; 20 again, 2 % above before
    bags        a task has a demand d and watts w of its own. Slowdowns are s = max(1, sum of d). The board
                draws 70 + (sum of w) / s. The work of a bag takes 20 ms times s.
    operators   products take 0.004 ms + operations / (0.75 rate), others 0.004 ms + bytes / (0.8 x 3350 GB/s)
    pairs       a few rows of made-up events, to be shown, not learned from
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, HERE)
import watts  # noqa: E402
TFLOPS = {"fp32": 60, "tf32": 400, "fp16": 800, "bf16": 800, "fp8": 1600, "int8": 1600}
BYTES = {"fp32": 4, "tf32": 4, "fp16": 2, "bf16": 2, "fp8": 1, "int8": 1}
KERNELS = ("polynomial nbody mandelbrot monte_carlo_pi black_scholes hash_words double_fma matrix_product "
           "convolution stencil reduction histogram scan sort_blocks walsh nearest_centre vector_add saxpy "
           "transpose transpose_tiled gather sparse_product breadth_first").split()


def closed(name, header, rows):
    return [f"# {name} on NVIDIA H100 80GB HBM3, made up by tests/golden/measured.py, measured by nobody",
            header] + rows + [f"# end: {len(rows)} rows, skipped none"]


def check():
    rows = [f"occupancy,kernel {i} threads 0 bytes,{i},{i},1" for i in range(5)] + ["limit,warps,64,48,0"]
    return closed("check", "what,name,ours,theirs,equal", rows)


def golden(name):
    with open(os.path.join(HERE, "watts", name + ".csv"), encoding="utf-8") as file:
        return file.read().replace("Made Up 100", "NVIDIA A100-SXM4-40GB").splitlines()


def power():
    lines = golden("power")
    rows = []
    launches = watts.launches([1 << k for k in (18, 20, 22, 24)])
    for turn, (kernel, n, grid, block, values) in enumerate(launches):
        character, registers, static, dynamic, _, _ = watts.KERNELS[kernel]
        shared = static + dynamic * block
        ms, drawn = watts.made_up(kernel, n, grid, block, turn)
        rows.append(f"{kernel},{character},{n},{grid},{block},{values},{registers},{shared},"
                    f"{watts.resident(block, registers, shared)},{ms:.6f},{drawn:.2f},50.10,1500,{ms:.6f},"
                    "40,0")
    count = len(rows)
    for k in range(20):
        cells = rows[k * count // 20].split(",")
        cells[10], cells[15] = f"{1.02 * float(cells[10]):.4f}", "1"
        rows.append(",".join(cells))
    return lines[:2] + rows + lines[-2:-1] + [f"# end: {len(rows)} rows, skipped none"]


class Draw:
    """As `numbers` of bench/cuda/cuda.cuh."""

    def __init__(self):
        self.state = 0x9E3779B97F4A7C15

    def below(self, n):
        for left, by in ((1, 13), (0, 7), (1, 17)):
            moved = self.state << by & (1 << 64) - 1 if left else self.state >> by
            self.state ^= moved
        return (self.state >> 32) * n >> 32


def demand(kernel):
    """Of a task: its demand, and its watts above the idle board's 70."""
    k = (KERNELS + ["low", "medium", "high"]).index(kernel)
    if k >= len(KERNELS):
        return ((0.2, 60), (0.5, 140), (0.9, 220))[k - len(KERNELS)]
    return 0.25 + 0.7 * (k * 7 % 23) / 23, 90 + 300 * (k * 5 % 23) / 23


def bags():
    header = ("bag,how,tasks,task,kernel,size,grid,block,launches,alone [ms],time [ms],slowdown,span [ms],"
              "alone_power [W],power [W],idle [W]")
    tasks = [(k, 1 << 22) for k in KERNELS] + [(k, 1 << 16) for k in KERNELS[::2]]
    pressure = [(k, 1 << 20) for k in ("low", "medium", "high")]
    all_bags = [[t] for t in tasks + pressure] + [[t, p] for t in tasks for p in pressure]
    draw, turn, before = Draw(), (2, 3, 2, 4, 2, 5), set()
    while len(before) < 300:
        who = set()
        while len(who) < turn[len(before) % 6]:
            who.add(draw.below(len(tasks)))
        if tuple(sorted(who)) not in before:
            before.add(tuple(sorted(who)))
            all_bags.append([tasks[i] for i in sorted(who)])
    rows = []

    def of(task):  # the small size asks for a third
        d, w = demand(task[0])
        return (d / 3, w / 3) if task[1] == 1 << 16 else (d, w)
    for number, bag in enumerate(all_bags, 1):
        slow = max(1.0, sum(of(t)[0] for t in bag))
        watts = 70 + sum(of(t)[1] for t in bag) / slow
        for place, task in enumerate(bag):
            alone = 0.01 * (1 + (KERNELS.index(task[0]) if task[0] in KERNELS else 0) % 5)
            rows.append(f"{number},streams,{len(bag)},{place},{task[0]},{task[1]},{task[1] // 256},256,"
                        f"{round(20 / alone)},{alone:.7g},{alone * slow:.7g},{slow:.5f},{20 * slow:.5f},"
                        f"{70 + of(task)[1]:.2f},{watts:.2f},70.00")
    return closed("bags", header, rows)


def operators():
    rows = []

    def product(op, dtype, b, m, n, k):
        ms = 0.004 + 2e-9 * b * m * n * k / (0.75 * TFLOPS[dtype])
        rows.append(f"{op},{dtype},{b},{m},{n},{k},{ms:.6f},cublas")

    for dtype in TFLOPS:
        for m in (128, 512, 2048, 8192):
            for n, k in ((1024, 1024), (1024, 4096), (4096, 1024), (4096, 4096)):
                product("linear", dtype, 1, m, n, k)
        for b in (16, 64):
            product("bmm", dtype, b, 512, 64, 512)
    passes = {"add": 3, "mul": 3, "relu": 2, "gelu": 2, "softmax": 2, "ln": 2}
    for dtype in ("fp32", "fp16"):
        for op, count in passes.items():
            for b in (2048, 8192, 32768):
                for k in (768, 1024, 4096):
                    ms = 0.004 + b * k * BYTES[dtype] * count / 0.8 / 3350e6
                    rows.append(f"{op},{dtype},{b},1,1,{k},{ms:.6f},own")
    return closed("operators", "op,dtype,b,m,n,k,latency_ms,by", rows)


def pairs():
    header = ("run,program,sms,ipc,l1d_access,l1d_miss,l1c_access,l1c_miss,l2_access,l2_miss,bandwidth,"
              "sd_scal,sd_inter")
    rows = []
    for run in range(1, 41):
        a, b, sms = KERNELS[run % 7], KERNELS[run % 5 + 8], 22 * (run % 5 + 1)
        for name, n in ((a, sms), (b, 132 - sms)):
            rows.append(f"{run},{name},{n},{0.5 + run % 3},1,0.5,0.1,0.01,0.4,0.2,0.3,{132 / n:.4f},1.1")
    return closed("pairs", header, rows)


def main():
    os.makedirs(sys.argv[1], exist_ok=True)
    latency = golden("latency")
    for name, lines in (("check", check()), ("latency", latency), ("power", power()), ("bags", bags()),
                        ("operators", operators()), ("pairs", pairs())):
        with open(os.path.join(sys.argv[1], name + ".csv"), "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
