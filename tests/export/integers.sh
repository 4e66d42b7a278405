#!/bin/bash
# Compiles what test_integers_code writes: models of whole numbers as C (table and branches), Rust and Go, and
# forests as C with plain sums. Compares 200 sums of each in C and asks all self-tests. Keys and predictions
# of physical units, half a range beyond the training, are the same in all. C99 and C++11 with warnings as
# errors; clang --target=wasm32 -ffreestanding too, where nothing but <stdint.h> may be missed.
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

most() { echo $(((1 << ($1 - 1)) - 1)); } # BITS: the largest key

# units_in_c MODEL TARGETS: prints what units.want has
units_in_c() {
    printf 'static void units_%s(void) {\n    static const int32_t pers[] = {1, 2, 10, 1000};\n' "$1"
    printf '    int j, p, k, t;\n    for (j = 0; j < 5; ++j) for (p = 0; p < 4; ++p)\n'
    printf '    for (k = -9; k <= 9; ++k)\n'
    printf '        printf("%%ld\\n", (long)%s_key((uint32_t)j,\n' "$1"
    printf '            k == -9 ? -2147483647 : k == 9 ? 2147483647 :\n'
    printf '            (40 + 25 * k) * pers[p] / 2, pers[p]));\n'
    printf '    for (k = -8; k <= 8; ++k) for (t = 0; t < %s; ++t) {\n' "$2"
    printf '        %s_row row[5];\n' "${1%_if}"
    printf '        for (j = 0; j < 5; ++j) row[j] = %s_key((uint32_t)j, 5 * (40 + 25 * k), 10);\n' "$1"
    if [ "$2" = 1 ]; then printf '        printf("%%ld\\n", (long)%s_value(%s_sum(row), 1000));\n' "$1" "$1"
    else
        type=int32_t; grep -q "int64_t \*sum);" "$1.c" && type=int64_t
        printf '        %s sum[3];\n        %s_sum(row, sum);\n' $type "$1"
        printf '        printf("%%ld\\n", (long)%s_value((uint32_t)t, sum[t], 1000));\n' "$1"
    fi
    printf '    }\n}\n'
}

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
            [ "$kind" = float ] || units_in_c "$m" "$targets"
        done
    done < list
    printf 'int main(int argc, char **argv) {\n    (void)argv;\n'
    for form in "" _if; do
        while read -r name _ kind; do
            [ "$kind" = float ] || echo "    if (argc > 1) { puts(\"$name\"); units_$name$form(); }"
        done < list
    done
    echo '    if (argc > 1) return 0;'
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
    ./check units > units
    cat units.want units.want | cmp -s - units && ok || fail "$*: units"
}
# shellcheck disable=SC2086
run ${CC:-cc} -std=c99 $W
# shellcheck disable=SC2086
if have "${CXX:-g++}"; then run "${CXX:-g++}" -std=c++11 -x c++ $W; else skip "C++: there is no compiler"; fi

# BPF: keys of integers are those of value / 1 in units.want, then those of the least and greatest integer
{
    printf '#include <stdint.h>\n#include <stdio.h>\n'
    for f in *_bpf.h; do echo "#include \"$f\""; done
    echo 'int main(void) {'
    while read -r name targets kind; do
        [ "$targets" = 1 ] && [ "$kind" = whole ] || continue
        printf '    for (int j = 0; j < 5; ++j) {\n        for (int k = -9; k <= 9; ++k)\n'
        printf '            printf("%%d\\n", %s_bpf_key(j, k == -9 ? -2147483647 :\n' "$name"
        printf '                k == 9 ? 2147483647 : (40 + 25 * k) / 2));\n'
        printf '        if (%s_bpf_key(j, INT64_MIN) != -%s - 1 ||\n' "$name" "$(most "${name##*_}")"
        printf '            %s_bpf_key(j, INT64_MAX) != %s) return j + 1;\n    }\n' \
            "$name" "$(most "${name##*_}")"
    done < list
    printf '    return 0;\n}\n'
} > bpf.c
awk '/^[a-z]/ { on = /_1_/; n = 0; next } on && n < 380 && n % 76 < 19; { ++n }' units.want > bpf.want
# shellcheck disable=SC2086
if ${CC:-cc} -std=c99 $W -Wno-unused-function -Wno-attributes bpf.c -o bpf > log 2>&1 && ./bpf > log &&
    cmp -s log bpf.want && [ -s log ]; then ok; else fail "keys of BPF"; fi
if have clang && clang --print-targets 2> log | grep -q bpf; then
    if (for f in *_bpf.h; do
        { printf 'typedef int int32_t;\ntypedef long long int64_t;\n'; cat "$f"
            echo "int32_t key(int64_t x) { return ${f%.h}_key(3, x); }"; } > one.c
        case $f in *_0_bpf.h) sed -i '/^int32_t key(/d' one.c;; esac
        clang --target=bpf -O2 -Wall -Wextra -Werror -Wno-unused-function -c one.c -o one.o 2> log || exit 1
    done); then ok; else fail "BPF does not compile"; fi
else skip "BPF: clang is not here"; fi

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

# MISRA C:2012 of the tables. Advisory rules that they do not keep: 8.7 and 8.9 (the functions and the table
# may be used elsewhere, and alone), 11.5 and 18.4 (the key is at an offset of bytes), 12.1 and 12.3, 13.3 (a
# countdown), 15.4 and 15.5 (a loop with an end inside), 2.5
# (the scale may be of use to others), 19.2 (a union reads the bits of a float, for --keys float).
if have cppcheck; then
    for f in tree_1_16.c forest_3_8.c boost_1_32.c boost_3_16.c boost_1_0.c; do
        cppcheck --std=c99 --addon=misra --enable=style --quiet $f 2>&1
    done > log
    if grep -q misra-c2012-8.7 log && ! grep -o 'misra-c2012-[0-9.]*' log | sort -u |
        grep -vE 'c2012-(2\.5|8\.7|8\.9|11\.5|12\.1|12\.3|13\.3|15\.4|15\.5|18\.4|19\.2)$' > other; then ok
    else fail "MISRA: $(cat other)"; fi
else skip "MISRA: cppcheck is not installed"; fi

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
        echo "    let units = std::env::args().count() > 1;"
        while read -r name targets kind; do
            if [ $kind = float ]; then echo "    if !units {"
            else
                echo "    if units {"
                echo "        println!(\"$name\");"
                echo "        for j in 0..5 { for p in [1, 2, 10, 1000] { for k in -9..=9 {"
                echo "            let x = match k {"
                echo "                -9 => -2147483647, 9 => 2147483647, _ => (40 + 25 * k) * p / 2 };"
                echo "            println!(\"{}\", $name::${name}_key(j, x, p)); } } }"
                echo "        for k in -8..=8 { for t in 0..$targets {"
                echo "            let row = [0, 1, 2, 3, 4]"
                echo "                .map(|j| $name::${name}_key(j, 5 * (40 + 25 * k), 10));"
                echo "            let sum = $name::${name}_sum(&row)[t];"
                echo "            println!(\"{}\", $name::${name}_value(t, sum, 1000)); } }"
                echo "    } else {"
            fi
            echo "        println!(\"$name {}\", $name::${name}_selftest());"
            echo "    }"
        done < list
        echo "}"
    } > main.rs
    if rustc --edition 2021 -D warnings main.rs -o main_rust > log 2>&1; then
        ./main_rust > log 2>&1
        if [ "$(grep -c ' 0$' log)" = $((wanted / 2)) ]; then ok; else fail "Rust"; fi
        ./main_rust units > units
        cmp -s units.want units && ok || fail "Rust: units"
    else fail "rustc"; fi
else skip "Rust: rustc is not installed"; fi

if have go; then
    mkdir go
    printf 'module check\n\ngo 1.13\n' > go/go.mod
    {
        printf 'package main\n\nimport (\n\t"fmt"\n\t"os"\n'
        while read -r name _; do mkdir "go/$name" && mv "$name.go" "go/$name/" &&
            printf '\t"check/%s"\n' "$name"; done < list
        printf ')\n\nfunc main() {\n'
        while read -r name targets kind; do
            if [ $kind = float ]; then echo "if len(os.Args) == 1 {"
            else
                echo "if len(os.Args) > 1 {"
                echo "fmt.Println(\"$name\")"
                echo "for j := 0; j < 5; j++ { for _, p := range []int32{1, 2, 10, 1000} {"
                echo "for k := int32(-9); k <= 9; k++ {"
                echo "x := (40 + 25 * k) * p / 2"
                echo "if k == -9 { x = -2147483647 }; if k == 9 { x = 2147483647 }"
                echo "fmt.Println($name.Key(j, x, p)) } } }"
                echo "for k := int32(-8); k <= 8; k++ { for t := 0; t < $targets; t++ {"
                echo "var row [5]int${name##*_}"
                echo "for j := range row { row[j] = $name.Key(j, 5 * (40 + 25 * k), 10) }"
                echo "fmt.Println($name.Value(t, $name.Sum(&row)[t], 1000)) } }"
                echo "} else {"
            fi
            printf '\tprintln("%s", %s.Selftest())\n}\n' "$name" "$name"
        done < list
        echo "}"
    } > go/main.go
    if (cd go && GOFLAGS=-mod=mod GOPROXY=off go build -o ../main_go .) > log 2>&1; then
        ./main_go > log 2>&1
        if [ "$(grep -c ' 0$' log)" = $((wanted / 2)) ]; then ok; else fail "Go"; fi
        ./main_go units > units
        cmp -s units.want units && ok || fail "Go: units"
    else fail "go build"; fi
else skip "Go: go is not installed"; fi

if [ $skipped -gt 0 ]; then echo "integers: $passed passed, $failed failed, $skipped skipped"
else echo "integers: $passed passed, $failed failed"; fi
[ $failed -eq 0 ]
