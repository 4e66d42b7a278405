#!/bin/sh
# Compiles every model that test_export writes, trees as table and as branches, with C99, C11 and C++11
# compilers and warnings as errors; then runs their self-tests and compares 10,000 answers bit for bit: with
# missing and infinite values, and on and beside every threshold. Models that adapt follow stored steps.
# Where xgboost can be imported, it loads the exported JSON and does the same (tests/golden/export_check.py).
# Ends with "export: N passed, N failed". CC, CXX, PYTHON choose the tools.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
LC_ALL=C; export LC_ALL
root=$(pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0
ok() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "  FAILED  $*"; }
skip() { skipped=$((skipped + 1)); echo "  skipped: $*"; }

writer=${WRITER:-$root/build/tests/test_export}
if ! "$writer" "$work" > "$work/log" 2>&1; then cat "$work/log"; fail "$writer wrote no models"; fi
cd "$work" || exit 1
W="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wdouble-promotion -Wcast-qual
   -Wcast-align -Wundef -Wpointer-arith -Wwrite-strings -Wvla -Wformat=2 -Wfloat-equal -Werror
   -ffp-contract=off"
WC="$W -Wstrict-prototypes -Wmissing-prototypes"

# main.c: every model's self-test, and its rows against the library's answers
{
    printf '#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n'
    while read -r file name features targets; do
        if [ "$targets" -eq 1 ]; then
            echo "float ${file}_predict(const float *row);"
            echo "static void run_${file}(const float *row, float *out) { *out = ${file}_predict(row); }"
        else
            echo "void ${file}_predict(const float *row, float *out);"
            echo "static void run_${file}(const float *row, float *out) { ${file}_predict(row, out); }"
        fi
        echo "int ${file}_selftest(void);"
        [ -f "$name.steps" ] || { echo "#define step_${file} NULL"; continue; }
        # of a file with adaptation what a caller copies: the struct and the prototypes
        sed -n '/^#define [A-Z_0-9]*_\(FEATURES\|LAUNCHES\) /p; /^typedef struct/,/^} .*_program;/p
            /^\(void\|int\) [a-z_0-9]*_\(begin\|observe\|adapted\)(.*;$/p' "$file.c"
        size=$(sed -n 's/.*one program: \([0-9]*\) bytes.*/\1/p' "$file.c")
        echo "typedef char size_${file}[sizeof(${file}_program) == $size ? 1 : -1];"
        echo "static void step_${file}(float what, const float *row, float measured, float *out) {"
        echo "    static ${file}_program program;"
        echo "    if (what < 0.5f) ${file}_begin(&program);"
        echo "    else if (what < 1.5f) {"
        echo "        out[0] = (float)${file}_observe(&program, row, measured);"
        echo "        out[1] = (float)(100 * program.points + program.doubted);"
        echo "        out[2] = (float)(100 * program.observed + program.refused);"
        echo "    } else ${file}_adapted(&program, row, out, out + 1, out + 2);"
        echo "}"
    done < models
    cat << 'END'
typedef struct model {
    const char *file, *name;
    uint32_t features, targets;
    void (*run)(const float *, float *);
    int (*selftest)(void);
    void (*step)(float, const float *, float, float *);
} model;
static int same(float a, float b) { return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0; }
static int compare(const model *m) {
    char path[128];
    uint32_t shape[4], i, t, wrong = 0;
    float *x, *answer, out[16];
    FILE *file;
    snprintf(path, sizeof path, "%s.rows", m->name);
    file = fopen(path, "rb");
    if (!file || fread(shape, sizeof shape, 1, file) != 1) return 1;
    if (shape[1] != m->features || shape[2] != m->targets) return 1;
    x = (float *)malloc(shape[0] * (size_t)shape[1] * sizeof *x);
    answer = (float *)malloc(shape[0] * (size_t)shape[2] * sizeof *answer);
    if (fread(x, 4u * shape[1], shape[0], file) != shape[0]) return 1;
    if (fread(answer, 4u * shape[2], shape[0], file) != shape[0]) return 1;
    fclose(file);
    for (i = 0; i < shape[0]; ++i) {
        m->run(x + i * (size_t)shape[1], out);
        for (t = 0; t < shape[2]; ++t)
            if (!same(out[t], answer[i * (size_t)shape[2] + t]) && wrong++ < 3)
                printf("%s: row %u target %u: %.9g, expected %.9g\n", m->file, i, t, (double)out[t],
                       (double)answer[i * (size_t)shape[2] + t]);
    }
    free(x);
    free(answer);
    return wrong != 0;
}
END
    cat << 'END'
/* Steps of adaptation: what to do (0 begin, 1 observe, 2 adapted), measured, three answers (of observe with
   the counts of the program), the row. */
static int follow(const model *m) {
    char path[128];
    float record[5 + 64], out[3];
    uint32_t shape[2], i, wrong = 0;
    FILE *file;
    if (!m->step) return 0;
    snprintf(path, sizeof path, "%s.steps", m->name);
    file = fopen(path, "rb");
    if (!file || fread(shape, sizeof shape, 1, file) != 1 || shape[1] != m->features) return 1;
    for (i = 0; i < shape[0]; ++i) {
        if (fread(record, 4, 5 + shape[1], file) != 5 + shape[1]) return 1;
        out[0] = out[1] = out[2] = 0.0f;
        m->step(record[0], record + 5, record[1], out);
        if (!same(out[0], record[2]) || !same(out[1], record[3]) || !same(out[2], record[4]))
            if (wrong++ < 3)
                printf("%s: step %u: %.9g %.9g %.9g, expected %.9g %.9g %.9g\n", m->file, i, (double)out[0],
                       (double)out[1], (double)out[2], (double)record[2], (double)record[3],
                       (double)record[4]);
    }
    fclose(file);
    return wrong != 0 || shape[0] < 1000;
}
END
    echo 'static const model models[] = {'
    while read -r file name features targets; do
        echo "    {\"$file\", \"$name\", $features, $targets, run_$file, ${file}_selftest, step_$file},"
    done < models
    echo '};'
    cat << 'END'
int main(void) {
    size_t i;
    for (i = 0; i < sizeof models / sizeof *models; ++i) {
        const int row = models[i].selftest(), wrong = compare(&models[i]) | follow(&models[i]);
        if (row) printf("%s: its self-test fails at row %d\n", models[i].file, row);
        printf("%s %s\n", row || wrong ? "no" : "ok", models[i].file);
    }
    return 0;
}
END
} > main.c

# names NAME COMPILER...: the macros of the levels are arrays of C, with every name at its code
names() {
    name=$1; shift
    for model in *.names; do
        model=${model%.names}
        macro=$(echo "${model}_t_LEVELS" | tr a-z A-Z)
        {
            printf '#include <stdio.h>\n#include <string.h>\n#include "%s_t.c"\n' "$model"
            printf 'static const char *const first[] = %s_0;\nstatic const char *const last[] = %s_2;\n' \
                "$macro" "$macro"
            echo 'int main(void) {'
            for list in first last; do
                echo "    for (size_t i = 0; i < sizeof $list / sizeof $list[0]; ++i)"
                echo "        fwrite($list[i], 1, strlen($list[i]) + 1, stdout);"
            done
            echo '    return 0;'; echo '}'
        } > names.c
        if "$@" names.c -o names > log 2>&1 && ./names > got && cmp -s got "$model.names"; then ok
        else fail "$name: the names of $model"; head -5 log; fi
    done
}

# try NAME COMPILER...: compiles all, runs all; one check for each model and form
try() {
    name=$1; shift
    mkdir "$name"
    for file in *_t.c *_b.c; do
        # shellcheck disable=SC2086
        if ! "$@" -c "$file" -o "$name/${file%.c}.o" > log 2>&1; then
            fail "$name: $file"; head -5 log; return
        fi
    done
    if ! $cc -std=c99 -c main.c -o "$name/main.o" || ! $cc "$name"/*.o -o "$name/run"; then
        fail "$name: does not link"; return
    fi
    "./$name/run" > log 2>&1 || fail "$name: ended with $?"
    if [ "$(grep -c '^ok' log)" -ne "$(wc -l < models)" ]; then
        fail "$name:"; grep -v '^ok' log | head -20
    fi
    passed=$((passed + $(grep -c '^ok' log)))
    # nothing but memory functions of libc, no data that changes, and no names that are not the model's
    may='memcpy|memset|_GLOBAL_OFFSET_TABLE_|__stack_chk_fail'
    if nm -u "$name"/*_[tb].o | grep ' U ' | grep -vqE " U ($may)\$"; then
        fail "$name: needs more than memcpy and memset"
        nm -u "$name"/*_[tb].o | grep ' U ' | sort | uniq -c
    elif nm "$name"/*_[tb].o | grep -q ' [BbDdCSs] '; then fail "$name: has data that changes"
    elif nm "$name"/*_[tb].o | grep ' T ' |
        grep -vqE '_(predict|selftest|interval|begin|observe|adapted)$'; then
        fail "$name: more names than predict, interval, selftest and those of adaptation"
    else ok; fi
}
have() { command -v "$1" > /dev/null 2>&1; }

cc=${CC:-cc} cxx=${CXX:-c++}
# shellcheck disable=SC2086
{
    try c99 $cc -std=c99 -O1 $WC
    names c99 $cc -std=c99 $WC
    try c11 $cc -std=c11 -O2 $WC
    if have "$cxx"; then
        try cxx11 "$cxx" -x c++ -std=c++11 -O1 $W
        names cxx11 "$cxx" -x c++ -std=c++11 $W
    else skip "C++: no $cxx"; fi
    if have clang; then
        try clang clang -std=c99 -O2 $WC
        names clang clang -std=c99 $WC
    else skip "clang is not installed"; fi
}

# a compiler without a C library and its headers is enough
nm=$(command -v llvm-nm || command -v llvm-nm-19)
if [ "$nm" ] && have clang && clang --print-targets 2> /dev/null | grep -q wasm32; then
    bad=
    for file in *_t.c *_b.c; do
        clang --target=wasm32 -ffreestanding -nostdlib -O1 -std=c99 -Wall -Wextra -Werror -c "$file" \
            -o wasm.o > log 2>&1 && ! "$nm" -u wasm.o | grep -vE 'U (memcpy|memset|__stack_pointer)$' ||
            bad="$bad $file"
    done
    if [ "$bad" ]; then fail "WebAssembly without a library:$bad"; head -5 log; else ok; fi
else skip "WebAssembly: clang is not installed or has no wasm32, or llvm-nm is not"; fi

# where flash is a memory of its own, arrays stay in it
if have avr-gcc; then
    for file in linear mlp vectors rules adapt_log_4 tree tree_targets tree_planes mean boost_planes low; do
        if avr-gcc -mmcu=atmega328p -std=c99 -Os -Wall -Wextra -Werror -c ${file}_t.c -o avr.o > log 2>&1 &&
            avr-objdump -t avr.o | grep -q " O .progmem.data.* ${file}_t_" &&
            ! avr-objdump -t avr.o | grep " O .rodata" | grep -q " ${file}_t_"; then ok
        else fail "the arrays of ${file}_t.c are not in flash"; head -5 log; fi
    done
else skip "avr-gcc is not installed"; fi

# a wrong answer must not pass: one digit changed in a leaf makes the self-test fail
sed 's/out\[0\] = 0.1f;/out[0] = 0.2f;/' sum_b.c > changed.c
printf 'int sum_b_selftest(void);\nint main(void) { return sum_b_selftest() ? 7 : 0; }\n' > one.c
if cmp -s changed.c sum_b.c; then fail "the base of sum_b.c is not where it was"; fi
$cc -std=c99 changed.c one.c -o changed &&
    { ./changed; [ $? -eq 7 ] && ok || fail "a changed file passes its self-test"; }

# ---- xgboost

python=${PYTHON:-/usr/bin/python3}
have "$python" || python=python3
if have "$python" && "$python" -c 'import numpy, xgboost' > /dev/null 2>&1; then
    "$python" "$root/tests/golden/export_check.py" "$work" > log 2>&1 || fail "export_check.py"
    grep -v '^ok' log
    passed=$((passed + $(grep -c '^ok' log)))
    failed=$((failed + $(grep -c '^no' log)))
else
    skip "xgboost is not installed"
fi

end="export: $passed passed, $failed failed"
[ $skipped -eq 0 ] || end="$end, $skipped skipped"
echo "$end"
[ $failed -eq 0 ]
