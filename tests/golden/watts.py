#!/usr/bin/python3
"""Writes watts/: recorded files for the path from PTX to watts, which tests/watts.sh goes along.

SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

NOTHING HERE WAS MEASURED. power.csv and latency.csv have the form in which bench/cuda/power.cu and latency.cu
print, but their times, watts and cycles come from the formulas below: made up, to test the path. Real are
kernels.ptx (bench/cuda/kernels.cu through nvcc 13, -arch=compute_80; `make build/cuda/kernels.ptx`), the
registers and static shared memory (ptxas -v for sm_80) and the launches (all_jobs() of kernels.cuh for 100
multiprocessors).

expected.csv is what `sooth ptx --launches` must say of four kernels. It is computed here without sooth: their
instructions are counted between labels with regular expressions, how often each piece runs is worked out by
hand from the source, and blocks per multiprocessor follow from the limits of compute capability 8.0.

Run it in its folder: ./watts.py
"""
import math
import re

SMS, L2 = 100, 41943040

# kernel: character, registers, static bytes, dynamic bytes of a thread, operations and bytes of an element
KERNELS = {
    "polynomial": ("compute", 11, 0, 0, 1024, 8),
    "monte_carlo_pi": ("compute", 20, 0, 0, 8000, 4),
    "black_scholes": ("compute", 31, 0, 0, 90, 16),
    "hash_words": ("compute", 10, 0, 0, 640, 8),
    "double_fma": ("compute", 11, 0, 0, 256, 16),
    "matrix_product": ("balanced", 32, 2176, 0, 1024, 12),
    "convolution": ("balanced", 32, 0, 0, 400, 12),
    "stencil": ("balanced", 18, 0, 0, 40, 14),
    "reduction": ("balanced", 14, 0, 4, 4, 4),
    "scan": ("balanced", 12, 0, 4, 60, 8),
    "vector_add": ("memory", 12, 0, 0, 15, 12),
    "saxpy": ("memory", 12, 0, 0, 10, 12),
    "transpose": ("memory", 16, 0, 0, 20, 20),
    "gather": ("memory", 10, 0, 0, 15, 24),
}


def launches(sizes=(1 << 18, 1 << 20, 1 << 22)):
    """As all_jobs() of kernels.cuh makes them: kernel, size, grid, block, values."""
    for n in sizes:
        side = math.isqrt(n)
        for block in (64, 256, 1024):
            grid = n // block
            few = min(grid, 8 * SMS)
            values = {
                "polynomial": f"2={n} 3=512", "monte_carlo_pi": "1=512 2=7", "black_scholes": f"4={n}",
                "hash_words": f"2={n} 3=64", "double_fma": f"2={n} 3=64", "matrix_product": f"3={side}",
                "convolution": f"3={side} 4={side}", "stencil": f"3={side} 4={side}", "reduction": f"2={n}",
                "scan": f"2={n}", "vector_add": f"3={n}", "saxpy": f"3={n}", "transpose": f"2={side}",
                "gather": f"3={n}"}
            for kernel in KERNELS:
                if kernel == "matrix_product" and block != 256:
                    continue
                yield (kernel, n, few if kernel in ("monte_carlo_pi", "reduction", "saxpy") else grid, block,
                       values[kernel])


def resident(block, registers, shared):
    """Blocks on an SM of compute capability 8.0: 64 warps, 32 blocks, 65536 registers handed to warps by 256
    in four partitions, 164 KiB of shared memory by 128 bytes with 1 KiB for the driver."""
    warps = -(-block // 32)
    each = -(-registers * 32 // 256) * 256
    by_registers = 16384 // each * 4 // warps
    by_shared = 167936 // (-(-(shared + 1024) // 128) * 128)
    return min(64 // warps, 32, by_registers, by_shared)


def made_up(kernel, n, grid, block, turn):
    """Milliseconds and watts. A made-up device of 14 Tops/s, 1.2 TB/s and 50 W without work."""
    _, _, _, _, operations, moved = KERNELS[kernel]
    work = grid * block * operations if kernel == "monte_carlo_pi" else n * operations
    compute, memory = work / 14e12, n * moved / 1.2e12
    seconds = 2e-6 + max(compute, memory) * (1.15 if block == 64 else 1.0)
    watts = 50 + 210 * compute / seconds + 160 * memory / seconds + 0.5 * (turn * 7 % 5)
    return 1e3 * seconds, watts


def pieces(kernel):
    """The kernel's instructions between its labels and branches: [(label, {type: count})]."""
    text = open("watts/kernels.ptx").read()
    body = re.search(r"\.entry %s\(.*?\n\{(.*?)\n\}" % kernel, text, re.S).group(1)
    found = [("start", {})]
    for line in body.splitlines():
        line = re.sub(r"//.*", "", line).strip()
        label = re.match(r"(\$L\w+):", line)
        if label:
            found.append((label.group(1).split("_")[-1], {}))
            continue
        if not line or line.startswith((".", "{", "}")):
            continue
        word = re.match(r"(?:@!?%\w+\s+)?([\w.:]+)", line).group(1)
        kind = ("param" if ".param" in word else "glob" if re.match(r"(ld|st)\.global", word) else
                "shar" if re.match(r"(ld|st)\.shared", word) else
                "misc" if re.match(r"(bra|ret|bar)\b", word) else "comp")
        found[-1][1][kind] = found[-1][1].get(kind, 0) + 1
        if word.startswith("bra"):
            found.append((found[-1][0] + "'", {}))
    return [(label, count) for label, count in found if count]


# How often a piece runs for a thread in the middle of the launch, from the source; pieces not named run once.
def runs(kernel, n, grid, block):
    if kernel == "polynomial":  # 512 rounds, four in a turn of the loop; the loop over the rest is left out
        return {"4": 128, "6": 0}
    if kernel == "saxpy":  # for (i = INDEX; i < n; i += gridDim.x * blockDim.x)
        middle = grid // 2 * block + block // 2
        return {"2": -(-(n - middle) // (grid * block))}
    if kernel == "matrix_product":  # for (t = 0; t < side; t += 16); side > 0, so the way around is not gone
        return {"start'": 0, "3": math.isqrt(n) // 16, "1": 0}
    return {}


def expected(kernel, n, grid, block):
    times = runs(kernel, n, grid, block)
    total = {"comp": 0, "glob": 0, "misc": 0, "shar": 0}
    for label, count in pieces(kernel):
        for kind in total:
            total[kind] += count.get(kind, 0) * times.get(label, 1)
    _, registers, static, dynamic, _, _ = KERNELS[kernel]
    at_once = resident(block, registers, static + dynamic * block)
    each = -(-grid // SMS)
    waves = -(-each // at_once)
    glob = total["glob"] * waves
    return {
        "comp_inst_kernel": total["comp"], "glob_inst_kernel": total["glob"], "misc_inst_kernel": total["misc"],
        "shar_inst_kernel": total["shar"], "waves": waves, "glob_inst_sm": glob,
        "glob_lat_sm": glob * GLOBAL_CYCLES, "n_warps": min(each, at_once) * -(-block // 32),
        "occupancy": at_once * -(-block // 32) / 64, "sm_active": min(grid, SMS), "total_threads": grid * block,
        "reg_thread": registers, "shmem_block": static + dynamic * block}


# Loads and stores of global memory: the largest ring below, which stands in for stores too.
GLOBAL_CYCLES = 480


def latency():
    cycles = {"add_s32": 4.6, "mul_lo_s32": 4.4, "mad_lo_s32": 4.6, "mul_hi_u32": 6.1, "shl_b32": 4.2,
              "and_b32": 4.2, "min_s32": 4.2, "popc_b32": 11.3, "div_s32": 70, "rem_s32": 74, "add_f32": 4.2,
              "mul_f32": 4.2, "fma_f32": 4.5, "div_f32": 91, "rcp_f32": 42, "sqrt_f32": 48, "rsqrt_f32": 21,
              "sin_f32": 17, "ex2_f32": 16, "lg2_f32": 19, "add_f64": 8, "mul_f64": 8, "fma_f64": 8.6,
              "div_f64": 210}
    with open("watts/latency.csv", "w") as f:
        f.write("# latency on Made Up 100, made up by tests/golden/watts.py to test the path, measured by nobody\n")
        f.write("what,latency_cycles,per_cycle_per_sm,gigabytes_per_second,device\n")
        f.write(f"compute,,,,80\nsms,,,,{SMS}\nl2_bytes,,,,{L2}\nclock_mhz,,,,1500\n")
        for name, c in cycles.items():
            f.write(f"{name},{c:.2f},{256 / c:.2f},,\n")
        f.write("shared,24.00,31.00,,\n")
        size = 4096
        while size <= 256 << 20:
            c = 35 if size <= 128 << 10 else 215 if size <= L2 else GLOBAL_CYCLES
            f.write(f"global {size // 1024} KiB,{c:.1f},,,\n")
            size += max(4096, size // 2 // 4096 * 4096)
        f.write("copy,,,1180.0,\nread,,,1210.0,\nread from L2,,,3100.0,\n")
        f.write("# end: 60 rows, skipped none\n")


def main():
    columns = None
    with open("watts/power.csv", "w") as f, open("watts/expected.csv", "w") as g:
        f.write("# power on Made Up 100, made up by tests/golden/watts.py to test the path, measured by nobody\n")
        f.write("kernel,character,size,grid,block,values,registers,shared_bytes,blocks_per_sm,time [ms],"
                "power [W],idle [W],sm_clock [MHz],every [ms],temperature [C],again\n")
        for turn, (kernel, n, grid, block, values) in enumerate(launches()):
            character, registers, static, dynamic, _, _ = KERNELS[kernel]
            shared = static + dynamic * block
            ms, watts = made_up(kernel, n, grid, block, turn)
            f.write(f"{kernel},{character},{n},{grid},{block},{values},{registers},{shared},"
                    f"{resident(block, registers, shared)},{ms:.6f},{watts:.2f},50.10,1500,{ms:.6f},40,0\n")
            if kernel not in ("vector_add", "saxpy", "polynomial", "matrix_product"):
                continue
            row = {"kernel": kernel, "grid_size": grid, "block_size": block}
            row.update(expected(kernel, n, grid, block))
            row.update({"time": f"{ms:.6f}", "power": f"{watts:.2f}"})
            if columns is None:
                columns = list(row)
                g.write(",".join(columns) + "\n")
            g.write(",".join(str(row[c]) for c in columns) + "\n")
        f.write(f"# idle: 50.10 W before, 50.10 W after, each over 3.0 s\n# end: {turn + 1} rows, skipped none\n")
    latency()


if __name__ == "__main__":
    main()
