#!/bin/bash
# Compiles what test_integers_code writes: models of whole numbers as C (table and branches), Rust and Go, and
# forests as C with plain sums. Compares 200 sums of each in C and asks all self-tests. C99 and C++11 with
# warnings as errors; clang --target=wasm32 -ffreestanding too, where nothing but <stdint.h> may be missed.
# Ends with "integers: N passed, N failed".
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
LC_ALL=C; export LC_ALL
root=$(pwd) passed=0 failed=0 skipped=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
ok() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "  FAILED  $*"; head -5 log; }
skip() { skipped=$((skipped + 1)); echo "  skipped: $*"; }
have() { command -v "$1" > /dev/null 2>&1; }
cd "$work" || exit 1
"${WRITER:-$root/build/tests/test_integers_code}" . > list || { fail "the writer"; exit 1; }
W="-Wall -Wextra -Wpedantic -Wshadow -Wcast-qual -Wundef -Wpointer-arith -Wvla -Werror"

# check.c: every model's rows, in both forms
{
    printf '#include <stdio.h>\n#include <string.h>\n'
    while read -r name targets kind; do
        for m in $name ${name}_if; do
            echo "#include \"$m.c\""
            [ "$m" = "$name" ] && echo "#include \"$name.rows.h\""
            row="(const ${name}_row *)${name}_rows[i]"
            if [ "$m" = "$name" ]; then
                case $kind in
                float) echo "typedef float ${name}_row;";;
                *) echo "typedef int${name##*_}_t ${name}_row;";;
                esac
            fi
            printf 'static int check_%s(void) {\n    int i, t;\n    for (i = 0; i < 200; ++i) {\n' "$m"
            if [ "$kind" = float ]; then
                printf '        float x[5];\n        memcpy(x, %s_rows[i], sizeof x);\n' "$name"; row=x
            fi
            if [ "$targets" = 1 ]; then
                printf '        t = %s_sum(%s) != %s_want[i][0];\n' "$m" "$row" "$name"
                printf '        if (t) return i + 1;\n'
            else
                type=int32_t; grep -q "int64_t \*sum);" "$m.c" && type=int64_t
                printf '        %s sum[3];\n        %s_sum(%s, sum);\n' $type "$m" "$row"
                printf '        for (t = 0; t < 3; ++t)\n'
                printf '            if (sum[t] != %s_want[i][t]) return i + 1;\n' "$name"
            fi
            printf '    }\n    return %s_selftest();\n}\n' "$m"
        done
    done < list
    printf 'int main(void) {\n'
    while read -r name _; do
        for m in $name ${name}_if; do echo "    printf(\"$m %d\\n\", check_$m());"; done
    done < list
    printf '    return 0;\n}\n'
} > check.c

wanted=$(($(wc -l < list) * 2))
# run COMPILER...: builds check.c and counts models that say 0
run() {
    if ! "$@" -O1 check.c -o check > log 2>&1; then fail "$* does not compile"; return; fi
    ./check > log 2>&1
    right=$(grep -c ' 0$' log)
    if [ "$right" = $wanted ]; then ok; else fail "$*: $right of $wanted models are right"; fi
}
# shellcheck disable=SC2086
run ${CC:-cc} -std=c99 $W
# shellcheck disable=SC2086
if have "${CXX:-g++}"; then run "${CXX:-g++}" -std=c++11 -x c++ $W; else skip "C++: there is no compiler"; fi

{
    for f in plain_*.c; do echo "#include \"$f\""; done
    echo '#include <stdio.h>'
    echo 'int main(void) {'
    for f in plain_*.c; do echo "    printf(\"${f%.c} %d\\n\", ${f%.c}_selftest());"; done
    printf '    return 0;\n}\n'
} > sums.c
# shellcheck disable=SC2086
if ${CC:-cc} -std=c99 $W -ffp-contract=off -O2 sums.c -o sums > log 2>&1 && ./sums > log &&
    [ "$(grep -c ' 0$' log)" = 8 ]; then ok; else fail "plain sums"; fi

if have clang && clang --print-targets 2> /dev/null | grep -q wasm32; then
    bad=0
    for f in tree*.c forest*.c boost*.c; do
        clang --target=wasm32 -ffreestanding -nostdlib -O1 -std=c99 -Wall -Wextra -Werror -c "$f" -o wasm.o \
            > log 2>&1 || { fail "wasm32: $f"; bad=1; break; }
    done
    [ $bad = 0 ] && ok
else skip "WebAssembly: clang is not installed or has no wasm32"; fi

if have rustc; then
    {
        while read -r name _; do printf '#[allow(dead_code)]\nmod %s;\n' "$name"; done < list
        echo "fn main() {"
        while read -r name _; do echo "    println!(\"$name {}\", $name::${name}_selftest());"; done < list
        echo "}"
    } > main.rs
    if rustc --edition 2021 -D warnings main.rs -o main_rust > log 2>&1; then
        ./main_rust > log 2>&1
        if [ "$(grep -c ' 0$' log)" = $((wanted / 2)) ]; then ok; else fail "Rust"; fi
    else fail "rustc"; fi
else skip "Rust: rustc is not installed"; fi

if have go; then
    mkdir go
    printf 'module check\n\ngo 1.13\n' > go/go.mod
    {
        printf 'package main\n\nimport (\n'
        while read -r name _; do mkdir "go/$name" && mv "$name.go" "go/$name/" &&
            printf '\t"check/%s"\n' "$name"; done < list
        printf ')\n\nfunc main() {\n'
        while read -r name _; do printf '\tprintln("%s", %s.Selftest())\n' "$name" "$name"; done < list
        echo "}"
    } > go/main.go
    if (cd go && GOFLAGS=-mod=mod GOPROXY=off go build -o ../main_go .) > log 2>&1; then
        ./main_go > log 2>&1
        if [ "$(grep -c ' 0$' log)" = $((wanted / 2)) ]; then ok; else fail "Go"; fi
    else fail "go build"; fi
else skip "Go: go is not installed"; fi

if [ $skipped -gt 0 ]; then echo "integers: $passed passed, $failed failed, $skipped skipped"
else echo "integers: $passed passed, $failed failed"; fi
[ $failed -eq 0 ]
