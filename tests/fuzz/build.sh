#!/bin/sh
# build.sh - builds fuzz targets one way: `build.sh WAY [TARGET...]` (none: all) makes build/fuzz/WAY/TARGET.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
#
#     libfuzzer   clang's fuzzer with AddressSanitizer and UBSan
#     own         gcc's sanitizers; TARGET TIMES FILE... replays files and mutates them (see mutate.h)
#     memory      the same program with clang's MemorySanitizer
#     afl         AFL++'s compiler, without sanitizers
#     seeds       no target: the program that writes what fuzzing begins with
cd "$(dirname "$0")/../.." || exit 1
way=$1; shift
flags="-std=c11 -O1 -ffp-contract=off -fno-sanitize-recover=all -Iinclude -Itests"
checks=address,undefined,float-cast-overflow
library="$flags" # what the library that several targets share is compiled with
case $way in
libfuzzer)
    cc=clang library="$flags -gline-tables-only -fsanitize=fuzzer-no-link,$checks"
    flags="$flags -gline-tables-only -fsanitize=fuzzer,$checks"
    ;;
own | seeds) cc=gcc flags="$flags -g1 -DSOOTH_FUZZ_MAIN -fsanitize=$checks" library=$flags ;;
memory) cc=clang flags="$flags -gline-tables-only -DSOOTH_FUZZ_MAIN -fsanitize=memory" library=$flags ;;
afl) cc=afl-clang-fast library=$flags flags="$flags -fsanitize=fuzzer" ;;
*) echo "build.sh libfuzzer|own|memory|afl|seeds [TARGET...]"; exit 2 ;;
esac
command -v "$cc" > /dev/null || { echo "$cc is not here"; exit 1; }
to=build/fuzz/$way
mkdir -p "$to"
[ "$way" != seeds ] || set -- seeds
# shellcheck disable=SC2046
[ $# -gt 0 ] || set -- $(ls tests/fuzz/fuzz_*.c | sed 's/.*fuzz_\(.*\)\.c/\1/')

# newer FILE SOURCE...: FILE is there and newer than all of them
newer() {
    file=$1; shift
    [ -f "$file" ] && [ -z "$(find "$@" -newer "$file" | head -n 1)" ]
}
for target; do
    source=tests/fuzz/fuzz_$target.c object=
    [ "$target" != seeds ] || source=tests/fuzz/seeds.c
    if ! grep -q SOOTH_IMPLEMENTATION "$source"; then # it is linked with the library
        object=build/fuzz/$way/library.o
        [ "$way" != seeds ] || object=build/fuzz/own/library.o
        mkdir -p "${object%/*}"
        newer $object include tests/fuzz/library.c ||
            $cc $library -c tests/fuzz/library.c -o $object || exit 1
    fi
    newer "$to/$target" include tests/fuzz/*.[ch] $object ||
        $cc $flags "$source" $object -o "$to/$target" -lm || exit 1
done
