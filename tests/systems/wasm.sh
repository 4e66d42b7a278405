#!/bin/bash
# Predicting as freestanding WebAssembly: every header, predict-only, compiled without a C library; and
# examples/wasm, which asks for nothing from outside, with every kept model under node, compared with what the
# library says here, bit by bit. CLANG names the compiler. Ends with "wasm: N passed, N failed".
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
export LC_ALL=C
clang=${CLANG:-clang} to=build/wasm
mkdir -p $to
passed=0 failed=0 skipped=0
check() {
    local name=$1; shift
    if "$@" > $to/log 2>&1; then passed=$((passed + 1))
    else failed=$((failed + 1)); echo "  FAILED  $name"; head -n 5 $to/log; fi
}
skip() { skipped=$((skipped + 1)); echo "  skipped: $*"; }
finish() {
    echo "wasm: $passed passed, $failed failed$([ $skipped -eq 0 ] || echo ", $skipped skipped")"
    [ $failed -eq 0 ]; exit
}
command -v "$clang" > /dev/null && "$clang" --print-targets | grep -q wasm32 ||
    { skip "WebAssembly ($clang is not here, or has no wasm32)"; finish; }

bare="--target=wasm32 -std=c11 -ffp-contract=off -ffreestanding -nostdlibinc -Wall -Wextra -Werror -Iinclude"
for header in include/sooth/*.h include/sooth.h; do
    printf '#define SOOTH_IMPLEMENTATION\n#define SOOTH_PREDICT_ONLY\n#include "%s"\n' "${header#include/}" \
        > $to/one.c
    check "without a C library: $header" "$clang" $bare -O1 -c $to/one.c -o $to/one.o
done

if ! command -v wasm-ld > /dev/null; then skip "examples/wasm (lld is not here)"; finish; fi
for level in O2 Oz; do
    check "build: examples/wasm at -$level" "$clang" $bare -$level -nostdlib -Wl,--no-entry \
        -Wl,--stack-first -Wl,--strip-all examples/wasm/sooth.c -o $to/sooth.$level.wasm
done
echo "  every kind of model in $(wc -c < $to/sooth.O2.wasm) bytes, with -Oz in $(wc -c < $to/sooth.Oz.wasm)"
node=$(command -v node || command -v nodejs)
[ "$node" ] || { skip "running it (node is not here)"; finish; }
check "nothing is asked for from outside" "$node" -e 'const m = new WebAssembly.Module(require("fs")
    .readFileSync(process.argv[1])); if (WebAssembly.Module.imports(m).length) throw m' $to/sooth.O2.wasm
check "build: the host's answers" ${CC:-cc} -std=c11 -O1 -ffp-contract=off -Iinclude \
    tests/systems/wasm/answers.c -o $to/answers -lm
models=0
for model in tests/kept/*/*.sooth; do
    $to/answers "$model" $to/answers.bin; status=$?
    [ $status -ne 3 ] || continue
    [ $status -eq 0 ] || { check "the answers of $model" false; continue; }
    models=$((models + 1))
    for level in O2 Oz; do
        check "${model##*/} at -$level" \
            "$node" tests/systems/wasm/compare.mjs $to/sooth.$level.wasm "$model" \
            $to/answers.bin
    done
done
check "there are models of every kind" [ $models -ge 40 ]
check "the example" sh -c "SOOTH_WASM=$to/sooth.O2.wasm '$node' examples/wasm/predict.mjs \
    tests/kept/0.0.100/tree.sooth 1 2 3 4 | grep -q '^[0-9.]*\$'"
finish
