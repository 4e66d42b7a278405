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
level=-O1
case $way in own | seeds) level=-Og ;; esac # which takes longer to compile than to run
flags="-std=c11 $level -ffp-contract=off -fno-sanitize-recover=all -isystem include -Itests -Itests/harness"
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
# The library that several targets are linked with.
build_library() { # OBJECT
    mkdir -p "${1%/*}"
    # shellcheck disable=SC2086
    newer "$1" include tests/fuzz/library.c || $cc $library -c tests/fuzz/library.c -o "$1" || exit 1
}
# The command and the library in one object, whose memory, end and errors are fuzz_command.c's.
build_command() { # OBJECT
    make -s build/obj/demo_data.c && mkdir -p "$to/cli" || exit 1
    for part in examples/cli/*.c examples/cli/*/*.c examples/common/svg.c build/obj/demo_data.c; do
        made=$to/cli/$(basename "$part" .c).o
        # shellcheck disable=SC2086
        newer "$made" include examples/cli/*/*.h "$part" ||
            $cc $library -DSOOTH_LINKED -c "$part" -o "$made" || exit 1
    done
    newer "$1" "$to"/cli/*.o "$to/library.o" && return
    names="malloc calloc realloc free strdup fopencookie exit main stderr"
    renamed=$(for name in $names; do printf ' --redefine-sym %s=fuzz_%s' $name $name; done)
    # shellcheck disable=SC2086
    ld -r "$to"/cli/*.o "$to/library.o" -o "$1" && objcopy $renamed "$1" || exit 1
}
for target; do
    source=tests/fuzz/fuzz_$target.c object=
    [ "$target" != seeds ] || source=tests/fuzz/seeds.c
    if ! grep -q SOOTH_IMPLEMENTATION "$source"; then
        object=build/fuzz/$way/library.o
        [ "$way" != seeds ] || object=build/fuzz/own/library.o
        build_library $object
    fi
    if [ "$target" = command ]; then
        object=$to/command.o
        build_command "$object"
    fi
    newer "$to/$target" include tests/fuzz/*.[ch] $object ||
        $cc $flags "$source" $object -o "$to/$target" -lm -pthread || exit 1
done
