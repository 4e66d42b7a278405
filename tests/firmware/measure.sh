#!/bin/sh
# Measures what exported models take on cores: flash, memory and stack in bytes, and the instructions (on an
# AVR cycles) of every prediction, in emulators. From that it makes the table of core_cost.h.
#
#     tests/firmware/measure.sh [CORE...]    measures these cores or all; prints the table and its slack
#     tests/firmware/measure.sh --write [CORE...]
#                                            and puts it into sooth/export/core_cost.h, where other cores,
#                                            and those that are not installed, stay as they are
#     tests/firmware/measure.sh --one CORE FILE.c FEATURES NUMBER ANSWER FUNCTION
#                                            one exported file: "flash memory stack steps", steps at most; of
#                                            BPF NUMBER is bpf or bpf-map, ANSWER a block with the same sums
#
# --one ends with 77 where the core's compiler or emulator is not installed. JOBS measures several at once.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
LC_ALL=C; export LC_ALL
here=tests/firmware/measure source=examples/firmware work=${WORK:-build/measure} cc=${CC:-cc}
cores="cortex-m0 cortex-m4 avr rv32 bpf"
mkdir -p "$work/bare"
if [ ! -f "$work/bare/string.h" ]; then
    echo '#include <stdint-gcc.h>' > "$work/bare/stdint.h"
    printf '#include <stddef.h>\nvoid *memcpy(void *to, const void *from, size_t size);\n' \
        > "$work/bare/string.h"
fi

flags="-std=c11 -ffp-contract=off -Os -I$source -I$here -ffunction-sections -fdata-sections -Wl,--gc-sections"
bare="-nostartfiles -nostdlib -lgcc"

# core NAME: how to compile for it, and what runs it
core() {
    bottom=bss_end
    case $1 in
    cortex-m0) tools=arm-none-eabi- start="$source/cortex_m.c" machine="arm -M microbit"
        options="-mthumb -mcpu=cortex-m0 -T$source/cortex_m.ld" last="$bare -lc" ;;
    cortex-m4) tools=arm-none-eabi- start="$source/cortex_m.c" machine="arm -M mps2-an386"
        options="-mthumb -mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard -T$source/cortex_m.ld"
        last="$bare -lc" ;;
    rv32) tools=riscv64-unknown-elf- start="$source/riscv.c" machine="riscv32 -M virt -bios none"
        options="-march=rv32imac -mabi=ilp32 -mcmodel=medany -T$source/riscv.ld" last=$bare ;;
    avr) tools=avr- start="$source/avr.c" machine=avr bottom=_end
        options="-mmcu=atmega328p" last= ;;
    bpf) compiler=${BPF_CC:-clang} ;;
    *) echo "there is no core $1; there are $cores" >&2; exit 2 ;;
    esac
    [ "$1" = bpf ] || compiler=${tools}gcc
}

# can NAME: is all there that measuring on it needs?
can() {
    core "$1"
    command -v "$compiler" > /dev/null || return 1
    if [ "$1" = bpf ]; then
        echo 'int none;' | $compiler --target=bpf -x c -c - -o "$work/none.o" 2> /dev/null || return 1
        [ -x "$work/bpf_run" ] ||
            $cc -std=c11 -ffp-contract=off -O2 -Iinclude $here/bpf_run.c -o "$work/bpf_run"
    elif [ "$1" = avr ]; then
        [ -x "$work/avr_run" ] ||
            $cc -O2 tests/firmware/avr_run.c -o "$work/avr_run" -lsimavr -lelf 2> /dev/null
    else
        command -v "qemu-system-${machine%% *}" > /dev/null || return 1
        [ -f "$work/count.so" ] || $cc -O2 -fPIC -shared $here/count.c -o "$work/count.so"
    fi
}

# run NAME ELF: "steps N" for every row to stderr, the depth of the stack in hexadecimal to stdout
run() {
    if [ "$1" = avr ]; then "$work/avr_run" "$2" each; return; fi
    at=$("${tools}nm" "$2" | awk '$3 == "mark" { print $1 }')
    semihost=
    [ "${machine%% *}" = arm ] &&
        semihost="-serial none -chardev stdio,id=sh -semihosting-config enable=on,target=native,chardev=sh"
    # shellcheck disable=SC2086
    timeout 120 qemu-system-$machine -display none -monitor none ${semihost:--serial stdio} \
        -plugin "$work/count.so,mark=$at" -kernel "$2"
}

# ask NAME OUT WORDS...: builds core.c with these words and runs it: its flash, memory and depth of stack on
# one line, then the steps of each row
ask() {
    name=$1 out=$2
    shift 2
    own=
    [ "$name" != rv32 ] || own="-DBARE -I$work/bare" # whose C library is seldom installed
    # shellcheck disable=SC2086
    "${tools}gcc" $flags $options "-DBOTTOM=$bottom" $own "$@" $here/core.c $start $last -o "$out.elf" \
        2> "$out.log" && deep=$(run "$name" "$out.elf" 2> "$out.steps") || return 1
    "${tools}size" "$out.elf" |
        awk -v deep="$((0x$deep))" 'NR == 2 { print $1 + $2, $2 + $3, deep }' > "$out.all"
    grep '^steps' "$out.steps" >> "$out.all" && mv "$out.all" "$out"
    rm -f "$out.elf" "$out.steps" "$out.log"
}

# in_kernel FILE FEATURES FORM BLOCK OUT: the same of a program for the kernel
in_kernel() {
    case $1 in /*) model=$1 ;; *) model=$(pwd)/$1 ;; esac
    [ "$3" = bpf ] && own="-DMODEL=\"$model\"" || own=
    # shellcheck disable=SC2086
    $compiler -O2 --target=bpf -Wall -Wextra -Wno-unused-function -Iexamples/kernel $own -c $here/core.bpf.c \
        -o "$5.o" 2> "$5.log" && "$work/bpf_run" "$5.o" "$2" "$4" > "$5.all" 2>> "$5.log" &&
        mv "$5.all" "$5" && rm -f "$5.o" "$5.log"
}

# measure NAME FILE.c FEATURES NUMBER ANSWER FUNCTION OUT: "flash memory stack" and steps of each row to
# OUT, all above those of a function that returns the row's first number
measure() {
    core "$1"
    if [ "$1" = bpf ]; then in_kernel "$2" "$3" "$4" "$5" "$7"; return; fi
    like="-DFEATURES=$3 -DNUMBER=$4 -DANSWER=$5 -DASK=$6" none="$work/none.$1.$3.$4.$5"
    # shellcheck disable=SC2086
    [ -f "$none" ] || { ask "$1" "$none.$$" $like -DEMPTY && mv "$none.$$" "$none"; } || return 1
    # shellcheck disable=SC2086
    ask "$1" "$7" $like "$2" || return 1
    awk 'NR == FNR && FNR == 1 { flash = $1; memory = $2; deep = $3 }
         NR == FNR { if ($1 == "steps" && $2 > idle) idle = $2; next }
         FNR == 1 { print $1 - flash, $2 - memory, ($3 > deep ? $3 - deep : 0); next }
         { print $1, ($2 > idle ? $2 - idle : 0) }' "$none" "$7" > "$7.all" && mv "$7.all" "$7"
}

if [ "$1" = --one ]; then
    can "$2" || exit 77
    out=$work/one.$$
    measure "$2" "$3" "$4" "$5" "$6" "$7" "$out" || { head -3 "$out.log" >&2; exit 1; }
    awk 'NR == 1 { size = $0 } NR > 1 && $2 > most { most = $2 } END { print size, most }' "$out"
    rm -f "$out" "$out".*
    exit
fi

if [ "$1" = --form ]; then # CORE KEY FEATURES NUMBER ANSWER FUNCTION, as in the list: for the jobs below
    out=$work/$3.$2
    measure "$2" "$work/$3.c" "$4" "$5" "$6" "$7" "$out" && exit
    rm -f "$out"
    grep -q 'is not within region\|overflowed by' "$out.log" && exit 0 # it is too large for the machine,
    [ "$2" = avr ] && [ ! -s "$out.log" ] && exit 0                    # or leaves no stack
    echo "$3 on $2 failed" >&2
    head -3 "$out.log" >&2
    exit 1
fi

write=
[ "$1" != --write ] || { write=1; shift; }
$cc -std=c11 -ffp-contract=off -Wall -Wextra -O1 -Iinclude -I$here $here/measure.c -o "$work/measure" &&
    "$work/measure" make "$work" || exit 1
measured=
for name in ${*:-$cores}; do
    if ! can "$name"; then
        echo "skipped: $name, whose compiler or emulator is not installed" >&2
        continue
    fi
    rm -f "$work/"*".$name"
    if [ "$name" = bpf ]; then grep ' bpf' "$work/list"; else grep -v ' bpf' "$work/list"; fi |
        sed "s/^/--form $name /" | xargs -P "${JOBS:-2}" -L 1 tests/firmware/measure.sh || exit 1
    measured="$measured $name "
done
compilers=
for name in $cores; do
    core "$name"
    case $measured in
    *" $name "*) compilers="$compilers; $("$compiler" --version | head -n 1)" ;;
    *) compilers="$compilers; " ;;
    esac
done
# shellcheck disable=SC2086
"$work/measure" fit "$work" "${compilers#; }" $cores > "$work/table" || exit 1
if [ ! $write ]; then cat "$work/table"; exit; fi
awk -v table="$work/table" '/the table ends/ { inside = 0 } !inside
    /the table begins/ { inside = 1; while ((getline line < table) > 0) print line }' \
    include/sooth/export/core_cost.h > "$work/core_cost.h" &&
    cp "$work/core_cost.h" include/sooth/export/core_cost.h
