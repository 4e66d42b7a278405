#!/bin/bash
# What each header costs to compile and to link: the rows of the table in README.md.
#
#   bench/headers.sh            all user headers and sooth.h; five minutes of a quiet core
#   bench/headers.sh NAME...    some of them
#   TIMES=0 bench/headers.sh    without the two columns of times; TIMES=3 is the default
#
# lines: of the header and its parts. Times are user seconds of `gcc -Os -c`, the median of TIMES, over that
# of an empty file: of a file that only includes, and of the one file that also has the code. object: bytes of
# code and constants if every function is kept. program: what the first example of the header links, with
# -Wl,--gc-sections, in excess of an empty program. gcc's version is in the last line.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/.." || exit 1
export LC_ALL=C
TIMEFORMAT=%3U times=${TIMES:-3}
cc=${CC:-gcc} work=build/headers_cost
flags="-std=c11 -Os -ffp-contract=off -ffunction-sections -fdata-sections -Iinclude"
mkdir -p $work
tests/build/examples.sh write $work

# seconds FILE OBJECT: of user time, the median
seconds() {
    for _ in $(seq "$times"); do { time $cc $flags -c "$1" -o "$2"; } 2>&1; done | sort -n |
        sed -n "$(((times + 1) / 2))p"
}
bytes() { size "$1" | awk 'NR == 2 { print $1 + $2 }'; } # code and constants
linked() {
    $cc $flags -DSOOTH_LINKED -Wl,--gc-sections "$@" -o $work/linked -pthread -lm && bytes $work/linked
}

printf 'int main(void) { return 0; }\n' > $work/empty.c
none=$(linked $work/empty.c)
[ "$times" -eq 0 ] || empty=$(seconds $work/empty.c $work/empty.o)
[ $# -gt 0 ] || set -- $(cd include/sooth && ls -- *.h | sed 's/\.h$//') sooth
for name; do
    header=sooth/$name.h
    [ "$name" != sooth ] || header=sooth.h
    parts=include/${header%.h}
    case $name in sooth) lines=$(cat include/sooth.h include/sooth/*.h include/sooth/*/*.h | wc -l) ;;
    *) lines=$(cat "include/$header" $([ ! -d "$parts" ] || echo "$parts"/*.h) | wc -l) ;; esac
    printf '#include "%s"\n' "$header" > $work/declares.c
    printf '#define SOOTH_IMPLEMENTATION\n#include "%s"\n' "$header" > $work/implements.c
    printf '| %s | %d |' "$header" "$lines"
    if [ "$empty" ]; then
        for file in declares implements; do
            took=$(seconds $work/$file.c $work/object.o)
            awk -v t="$took" -v e="$empty" 'BEGIN { printf " %.0f |", t / e }'
        done
    else $cc $flags -c $work/implements.c -o $work/object.o || exit 1; fi
    program=-
    [ ! -f "$work/$name.c" ] || program=$(($(linked "$work/$name.c" $work/object.o) - none))
    printf ' %d | %s |\n' "$(bytes $work/object.o)" "$program"
done
$cc --version | sed -n 1p
