#!/bin/bash
# Every header as its users may meet it: alone and together, C and C++, gcc and clang, with and without optimisation,
# static, predict-only, both, included twice, in two translation units, as one file. No warning, no writable global,
# no symbol that is not promised.
# headers.sh; ends with "headers: N passed, N failed". headers.sh one HEADER does one of them (several run at the same time).
cd "$(dirname "$0")/../.." || exit 1
work=build/compile
passed=0 failed=0
warn="-Werror -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wdouble-promotion -Wcast-qual -Wcast-align
 -Wundef -Wpointer-arith -Wwrite-strings -Wvla -Wformat=2 -Wfloat-equal"
warn_c="$warn -Wstrict-prototypes -Wmissing-prototypes -Wc++-compat"
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

m32=$(printf 'int main(void){return 0;}' | gcc -m32 -x c - -o /dev/null 2> /dev/null && echo yes)
c_compilers=$(for c in gcc clang; do have $c && echo $c; done)
cxx_compilers=$(for c in g++ clang++; do have $c && echo $c; done)

one() {
    local header=$1 name cc cxx level more
    name=$(echo "$header" | tr '/.' '__')
    work=$work/$name; mkdir -p $work
    printf '#define SOOTH_IMPLEMENTATION\n#include "%s"\n#include "%s"\n' "$header" "$header" > $work/$name.c
    printf '#include "%s"\n#define SOOTH_IMPLEMENTATION\n#include "%s"\n' "$header" "$header" > $work/$name.late.c
    printf '#define SOOTH_STATIC\n#include "%s"\n' "$header" > $work/$name.static.c
    printf '#define SOOTH_IMPLEMENTATION\n#define SOOTH_PREDICT_ONLY\n#include "%s"\n' "$header" > $work/$name.predict.c
    printf '#define SOOTH_STATIC\n#define SOOTH_PREDICT_ONLY\n#include "%s"\n' "$header" > $work/$name.both.c
    for cc in $c_compilers; do
        for level in -O0 -O2; do
            expect "$header $cc $level" $cc -std=c11 $level $warn_c $exact -Iinclude -c $work/$name.c -o $work/$name.$cc$level.o
        done
        expect "$header $cc declared first" $cc -std=c11 -fsyntax-only $warn_c $exact -Iinclude $work/$name.late.c
        expect "$header $cc static" $cc -std=c11 -O0 $warn_c $exact -Iinclude -c $work/$name.static.c -o $work/$name.static.o
        expect "$header $cc predict-only" $cc -std=c11 -Os $warn_c $exact -Iinclude -c $work/$name.predict.c -o $work/$name.predict.$cc.o
        expect "$header $cc static, predict-only" $cc -std=c11 -fsyntax-only $warn_c $exact -Iinclude $work/$name.both.c
        [ "$m32" ] && expect "$header $cc -m32" $cc -m32 -std=c11 -O0 $warn_c $exact -Iinclude -c $work/$name.c -o $work/$name.m32.o
        # purity: no writable file-scope data; only the promised symbols
        nm $work/$name.$cc-O2.o > $work/symbols
        expect_none "$header $cc writable globals" ' [BbDdCSs] ' $work/symbols
        nm -u $work/$name.$cc-O2.o > $work/symbols
        case $header in *threads.h | sooth.h) more='|pthread_[a-z_]+|sysconf' ;; *) more= ;; esac
        if grep -vE " U (memcpy|memset|memmove|strlen|malloc|free|_GLOBAL_OFFSET_TABLE_|__stack_chk_fail$more)\$" $work/symbols > $work/log; then
            failed=$((failed + 1)); echo "FAILED  $header $cc needs symbols"; cat $work/log
        else passed=$((passed + 1)); fi
        nm -u $work/$name.predict.$cc.o > $work/symbols
        if grep -vE ' U (memcpy|memset|_GLOBAL_OFFSET_TABLE_)$' $work/symbols > $work/log; then
            failed=$((failed + 1)); echo "FAILED  $header $cc predict-only needs symbols"; cat $work/log
        else passed=$((passed + 1)); fi
    done
    for cxx in $cxx_compilers; do
        expect "$header $cxx" $cxx -x c++ -std=c++11 -fsyntax-only $warn $exact -Iinclude $work/$name.c
        expect "$header $cxx static" $cxx -x c++ -std=c++11 -O0 $warn $exact -Iinclude -c $work/$name.static.c -o $work/$name.cxx.o
        expect "$header $cxx static, predict-only" $cxx -x c++ -std=c++11 -fsyntax-only $warn $exact -Iinclude $work/$name.both.c
    done
}

if [ "$1" = one ]; then
    one "$2"
    echo "$2: $passed passed, $failed failed"
    exit
fi
rm -rf $work && mkdir -p $work
[ "$m32" ] || echo "  skipped: -m32 (no 32-bit C library here)"
(cd include && ls -S sooth.h sooth/*.h) | xargs -P "$(getconf _NPROCESSORS_ONLN)" -I {} tests/compile/headers.sh one {} > $work/headers
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
    expect "two files, $cc" $cc -std=c11 -O1 $warn_c -Iinclude $work/one.c $work/two.c -o $work/two -pthread
    expect "two files run, $cc" $work/two
done
for cxx in $cxx_compilers; do
    expect "two files, $cxx" $cxx -x c++ -std=c++11 -O1 $warn -Iinclude $work/one.c $work/two.c -o $work/two -pthread
done

# The one-file versions: each alone, all together in one program, in both orders.
tests/compile/single.sh include build/single > /dev/null
all= reversed=
for single in build/single/*.h; do
    file=$(basename "$single")
    printf '#define SOOTH_IMPLEMENTATION\n#include "%s"\n' "$file" > $work/single.c
    expect "single $file" gcc -std=c11 -fsyntax-only $warn_c -Ibuild/single $work/single.c
    all="$all#include \"$file\"\n" reversed="#include \"$file\"\n$reversed"
done
printf "#define SOOTH_IMPLEMENTATION\n$all" > $work/all.c
printf "$reversed#define SOOTH_IMPLEMENTATION\n$all" > $work/reversed.c
expect "all singles together" gcc -std=c11 -O1 $warn_c -Ibuild/single -c $work/all.c -o $work/all.o
expect "all singles, declared first" gcc -std=c11 -O1 $warn_c -Ibuild/single -c $work/reversed.c -o $work/reversed.o

echo "headers: $passed passed, $failed failed"
[ $failed -eq 0 ]
