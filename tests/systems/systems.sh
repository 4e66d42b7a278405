#!/bin/bash
# Other systems, by zig's compiler and its own headers of each (PyPI's ziglang): the library and its threads
# compiled without a warning for each; the command linked for macOS and for Windows; on musl, static, the
# golden hashes and the command, for x86-64 and, under qemu-user, for 64-bit Arm. ZIG names a compiler, else
# it is installed under build/zig. Ends with "systems: N passed, N failed".
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
export LC_ALL=C
to=build/systems
mkdir -p $to build/zig
export ZIG_GLOBAL_CACHE_DIR=$PWD/build/zig/cache ZIG_LOCAL_CACHE_DIR=$PWD/build/zig/cache
passed=0 failed=0 skipped=0
check() {
    local name=$1; shift
    if timeout 600 "$@" > $to/log 2>&1; then passed=$((passed + 1)); echo "ok      $name"
    else failed=$((failed + 1)); echo "  FAILED  $name"; head -n 8 $to/log; fi
}
skip() { skipped=$((skipped + 1)); echo "  skipped: $*"; }
finish() {
    echo "systems: $passed passed, $failed failed$([ $skipped -eq 0 ] || echo ", $skipped skipped")"
    [ $failed -eq 0 ]; exit
}
if [ -z "$ZIG" ]; then
    ZIG="build/zig/venv/bin/python -m ziglang"
    [ -x build/zig/venv/bin/python ] && $ZIG version > /dev/null 2>&1 || {
        python3 -m venv build/zig/venv && build/zig/venv/bin/pip install -q ziglang
    } > $to/log 2>&1
fi
$ZIG version > $to/log 2>&1 || { skip "other systems (PyPI's ziglang cannot be had here)"; finish; }

common="-std=c11 -ffp-contract=off -fno-sanitize=undefined -Iinclude -Itests -Itests/harness"
common="$common -Wall -Wextra -Werror"
printf '%s\n' '#define SOOTH_IMPLEMENTATION' '#include "sooth.h"' '#include "sooth/threads.h"' \
    '#include "sooth/files.h"' > $to/library.c
for system in aarch64-macos x86_64-macos x86_64-linux-musl aarch64-linux-musl x86_64-freebsd x86_64-netbsd \
    x86_64-openbsd x86_64-windows-gnu aarch64-windows-gnu wasm32-wasi; do
    check "compiles: $system" $ZIG cc -target $system $common -O0 -c $to/library.c -o $to/$system.o
done
make -s build/obj/demo_data.c
for system in aarch64-macos x86_64-windows-gnu x86_64-linux-musl; do
    check "the command links: $system" $ZIG cc -target $system $common -O0 -DSOOTH_LINKED \
        examples/cli/*.c examples/cli/*/*.c examples/common/svg.c build/obj/demo_data.c $to/$system.o \
        -o $to/sooth-$system -lm
done
check "musl: the command answers" sh -c "$to/sooth-x86_64-linux-musl version | grep -q '^sooth 0'"
golden() { # SYSTEM EMULATOR
    check "build: golden hashes, $1" $ZIG cc -target $1 $common -O1 -DSOOTH_GOLDEN_ONCE -static \
        tests/library/test_golden.c -o $to/golden-$1
    check "golden hashes, $1" $2 $to/golden-$1
}
golden x86_64-linux-musl ""
if command -v qemu-aarch64 > /dev/null; then golden aarch64-linux-musl qemu-aarch64
else skip "64-bit Arm (qemu-aarch64 is not here)"; fi
finish
