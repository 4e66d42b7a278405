#!/bin/bash
# Every header as its users may meet it: alone and together, C and C++, gcc and clang, static, predict-only,
# both, included twice, in two translation units, as one file. No warning, no writable global, no symbol that
# is not promised. Each compiler writes the object of all headers together, with and without optimisation and
# for 32 bits. Only one compiler (clang if it is here) writes the object of each header alone: the others
# only read that header, which takes a tenth of the time.
# `headers.sh one HEADER` does one; JOBS at a time. Ends with "headers: N passed, N failed".
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../../.." || exit 1
work=build/compile
passed=0 failed=0
# The Makefile has the warnings.
warn="-Werror $(make -s --no-print-directory warnings)"
warn_c="-Werror $(make -s --no-print-directory warnings-c)"
[[ $warn_c == *-Wc++-compat* ]] || { echo "headers: 0 passed, 1 failed (no warnings from make)"; exit 1; }
exact="-ffp-contract=off"

# expect NAME COMMAND...: the command must succeed in silence
expect() {
    local name=$1; shift
    if "$@" > $work/log 2>&1 && ! [ -s $work/log ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED  $name"; head -20 $work/log
    fi
}
have() { command -v "$1" > /dev/null; }
expect_none() { # NAME PATTERN FILE: no line of the file matches
    if grep -E "$2" "$3" > $work/log; then
        failed=$((failed + 1)); echo "FAILED  $1"; head -5 $work/log
    else passed=$((passed + 1)); fi
}
needs_only() { # NAME SYMBOLS OBJECT: the object asks for no other symbol
    nm -u "$3" | grep -vE " U ($2|_GLOBAL_OFFSET_TABLE_)\$" > $work/needed
    expect_none "$1 needs symbols" . $work/needed
}

m32=$(printf 'int main(void){return 0;}' | gcc -m32 -x c - -o /dev/null 2> /dev/null && echo yes)
c_compilers=$(for c in gcc clang; do have $c && echo $c; done)
cxx_compilers=$(for c in g++ clang++; do have $c && echo $c; done)
writer=${c_compilers##*[[:space:]]} # the compiler that writes the object of each header alone

one() {
    local header=$1 name cc cxx more c late static predict both
    name=$(echo "$header" | tr '/.' '__')
    work=$work/$name; mkdir -p $work
    c=$work/$name.c late=$work/$name.late.c static=$work/$name.static.c
    predict=$work/$name.predict.c both=$work/$name.both.c
    local implement='#define SOOTH_IMPLEMENTATION' include="#include \"$header\""
    printf '%s\n' "$implement" "$include" "$include" > "$c"
    printf '%s\n' "$include" "$implement" "$include" > "$late"
    printf '%s\n' '#define SOOTH_STATIC' "$include" > "$static"
    printf '%s\n' "$implement" '#define SOOTH_PREDICT_ONLY' "$include" > "$predict"
    printf '%s\n' '#define SOOTH_STATIC' '#define SOOTH_PREDICT_ONLY' "$include" > "$both"
    for cc in $c_compilers; do
        local o=$work/$name.$cc compile="$cc -std=c11 $warn_c $exact -Iinclude"
        local object=$o.O0.o whole=
        case $header in sooth.h | sooth/threads.h | sooth/files.h) whole=yes ;; esac
        expect "$header $cc declared first" $compile -fsyntax-only "$late"
        # gcc knows what is never used only when it compiles: with -O1, which leaves out what nothing calls
        expect "$header $cc static" $compile -O1 -c "$static" -o "$o.static.o"
        expect "$header $cc static, predict-only" $compile -O1 -c "$both" -o "$o.both.o"
        if [ $cc != "$writer" ] && [ ! "$whole" ]; then
            expect "$header $cc" $compile -fsyntax-only "$c"
            expect "$header $cc predict-only" $compile -fsyntax-only "$predict"
            continue
        fi
        expect "$header $cc -O0" $compile -O0 -c "$c" -o "$object"
        if [ "$whole" ]; then
            object=$o.O2.o
            expect "$header $cc -O2" $compile -O2 -c "$c" -o "$object"
            # Linux's <errno.h> is not found with -m32
            [ "$m32" ] && [ $header != sooth/files.h ] &&
                expect "$header $cc -m32" $compile -m32 -O0 -c "$c" -o "$o.m32.o"
        fi
        expect "$header $cc predict-only" $compile -Os -c "$predict" -o "$o.predict.o"
        # purity: no writable file-scope data; only the promised symbols
        nm "$object" > $work/symbols
        expect_none "$header $cc writable globals" ' [BbDdCSs] ' $work/symbols
        case $header in
        *threads.h) more='|pthread_[a-z_]+|sysconf' ;;
        *files.h)
            more='|f(open|close|read|write|seek|tell|stat|error)(64)?|rewind|open(64)?|close|write'
            more="$more|remove|rename|mmap(64)?|munmap|strerror|__errno_location" ;;
        *) more= ;;
        esac
        # __cpu_model: where the compiler's own library keeps what the processor has
        libc='memcpy|memset|memmove|strlen|malloc|free|__stack_chk_fail|__cpu_model'
        needs_only "$header $cc" "$libc$more" "$object"
        needs_only "$header $cc predict-only" 'memcpy|memset' "$o.predict.o"
    done
    for cxx in $cxx_compilers; do
        local compile="$cxx -x c++ $warn $exact -Iinclude"
        expect "$header $cxx C++11" $compile -std=c++11 -fsyntax-only "$c"
        expect "$header $cxx C++17, static" $compile -std=c++17 -O1 -c "$static" -o $work/$name.cxx.o
        expect "$header $cxx C++17, static, predict-only" $compile -std=c++17 -fsyntax-only "$both"
    done
}

if [ "$1" = one ]; then
    one "$2"
    echo "$2: $passed passed, $failed failed"
    exit
fi
rm -rf $work && mkdir -p $work
[ "$m32" ] || echo "  skipped: -m32 (no 32-bit C library here)"
(cd include && ls -S sooth.h sooth/*.h) |
    xargs -P "${JOBS:-$(getconf _NPROCESSORS_ONLN)}" -I {} tests/build/compile/headers.sh one {} \
        > $work/headers
grep -v ' passed, 0 failed$' $work/headers
passed=$(awk '/ passed, / { n += $(NF - 3) } END { print n + 0 }' $work/headers)
failed=$(awk '/ passed, / { n += $(NF - 1) } END { print n + 0 }' $work/headers)

# One file implements, another only includes: they link, and as C++ too.
cat > $work/one.c <<'TXT'
#define SOOTH_IMPLEMENTATION
#include "sooth.h"
TXT
cat > $work/two.c <<'TXT'
#include "sooth.h"
int main(void) {
    sooth_env env;
    sooth_env_init(&env);
    return sooth_status_name(SOOTH_OK)[0] != 'S';
}
TXT
for cc in $c_compilers; do
    expect "two files, $cc" $cc -std=c11 -O0 $warn_c -Iinclude $work/one.c $work/two.c -o $work/two -pthread
    expect "two files run, $cc" $work/two
done
for cxx in $cxx_compilers; do
    expect "two files, $cxx" $cxx -x c++ -std=c++11 -O0 $warn -Iinclude $work/one.c $work/two.c -o $work/two
done

# A program that asks for one class of operators of language models links the table of that class alone.
cat > $work/gemm.c <<'TXT'
#define SOOTH_IMPLEMENTATION
#include "sooth/gpu_time.h"
int main(void) {
    const sooth_operator op = {
        .kind = SOOTH_OPERATOR_GEMM, .dtype = SOOTH_TYPE_BF16, .m = 64, .n = 64, .k = 64};
    sooth_gpu_language_device device;
    sooth_gpu_language_time t;
    sooth_gpu gpu;
    sooth_env env;
    sooth_env_init(&env);
    if (sooth_gpu_named(&env, "h100", &gpu) != SOOTH_OK) return 1;
    sooth_gpu_language_device_init(&device, &gpu);
    return sooth_gpu_language_predict(&env, &device, sooth_gpu_language_gemm(), &op, &t) != SOOTH_OK;
}
TXT
for cc in $c_compilers; do
    expect "one class, $cc" $cc -std=c11 -O1 -ffunction-sections -fdata-sections -Wl,--gc-sections -Iinclude \
        $work/gemm.c -o $work/gemm
    expect "one class runs, $cc" $work/gemm
    nm $work/gemm > $work/symbols
    expect "one class has its table, $cc" grep -q ' sooth_gpu_language_gemm' $work/symbols
    expect_none "one class, $cc, other tables" \
        ' sooth_gpu_language_(prefill|decode|moe|mla_)' $work/symbols
done

# After <windows.h>, whole: what it defines names nothing here.
expect "names of <windows.h>" gcc -std=c11 -fsyntax-only -Iinclude -Dsmall=char -Dhyper=int \
    -Dinterface=struct -Dnear= -Dfar= -DIN= -DOUT= -DPASCAL= -DVOID=void -DCONST=const -DTRUE=1 -DFALSE=0 \
    -DERROR=0 -DDELETE=1 \
    '-Dmin(a,b)=((a)<(b)?(a):(b))' '-Dmax(a,b)=((a)>(b)?(a):(b))' $work/one.c

# The one-file versions: each alone, all together in one program, in both orders.
tests/build/compile/single.sh include $work/single > /dev/null
all= reversed=
for single in $work/single/*.h; do
    file=$(basename "$single")
    printf '#define SOOTH_IMPLEMENTATION\n#include "%s"\n' "$file" > $work/single.c
    expect "single $file" gcc -std=c11 -fsyntax-only $warn_c -I$work/single $work/single.c
    all="$all#include \"$file\"\n" reversed="#include \"$file\"\n$reversed"
done
printf "#define SOOTH_IMPLEMENTATION\n$all" > $work/all.c
printf "$reversed#define SOOTH_IMPLEMENTATION\n$all" > $work/reversed.c
compile="gcc -std=c11 -O0 $warn_c -I$work/single"
expect "all singles together" $compile -c $work/all.c -o $work/all.o
expect "all singles, declared first" $compile -c $work/reversed.c -o $work/reversed.o

# bench/README.md has the lines of each header, and bytes, which two are compiled for: within 15 %.
if have gcc; then
    for header in include/sooth/*.h; do
        echo "${header#include/}" 4 "$(cat "$header" $(ls -d "${header%.h}"/*.h 2> $work/log) | wc -l)"
    done > $work/cost # header, cell of its row, number
    TIMES=0 CC=gcc bench/headers.sh linear halton |
        awk '$2 ~ /^sooth/ { print $2, 10, $6; print $2, 12, $8 }' >> $work/cost
    awk 'NR == FNR { for (k = 4; $2 ~ /^sooth/ && k <= NF; k += 2) is[$2, k] = $k; next }
        { off = is[$1, $2] / $3 - 1; if (!(off < 0.15 && off > -0.15)) print $0 " is not " is[$1, $2] }' \
        bench/README.md $work/cost > $work/wrong
    expect_none "the costs in bench/README.md" . $work/wrong
fi

echo "headers: $passed passed, $failed failed"
[ $failed -eq 0 ]
