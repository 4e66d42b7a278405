#!/bin/sh
# Builds examples/firmware with every model for an ATmega328P, Cortex-Ms and 32-bit RISC-Vs, runs all of it
# in emulators and compares the bits of the predictions with this machine's. Prints sizes, for the AVR cycles.
# Ends with "firmware: N passed, N failed"; what is not installed is skipped with a word.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
LC_ALL=C; export LC_ALL
source=examples/firmware work=build/firmware include=${INCLUDE:-include}
passed=0 failed=0 skipped=0
ok() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "  FAILED  $*"; }
skip() { skipped=$((skipped + 1)); echo "  skipped: $*"; }
have() { command -v "$1" > /dev/null 2>&1; }
end() {
    if [ $skipped -gt 0 ]; then echo "firmware: $passed passed, $failed failed, $skipped skipped"
    else echo "firmware: $passed passed, $failed failed"; fi
    [ $failed -eq 0 ]; exit
}

models="tree boost network_8 tree_c boost_c network_c network_8_c program_c squares fuzzy"
for m in $models; do mkdir -p $work/$m; done
cc=${CC:-cc}
flags="-std=c11 -ffp-contract=off -Wall -Wextra -Werror -I$source"
$cc $flags -O1 -I$include $source/make.c -o $work/make && $work/make $work || { fail "make.c"; end; }

# the way a model travels, by its name
way() {
    case $1 in
    tree) echo -DTREE;; boost) echo -DBOOST;; network_8) echo -DNETWORK;;
    squares) echo -DSQUARES;; fuzzy) echo -DFUZZY;; *) echo -DEXPORTED;;
    esac
}
# the program that asks it: the last three learn on the machine
program() {
    case $1 in
    program_c | squares | fuzzy) echo $source/learn.c;; *) echo $source/firmware.c;;
    esac
}

for m in $models; do
    $cc $flags -O2 -I$include -I$work/$m "$(way $m)" "$(program $m)" $source/host.c -o $work/$m/host &&
        $work/$m/host > $work/$m/expected && ok || fail "$m on this machine"
done

# target NAME NM-PREFIX RUN... reads from FLAGS and FILES how to compile: one check for each model
target() {
    name=$1 tools=$2; shift 2
    for m in $models; do
        case $name.$m in # which learn in double precision, and this compiler has none
        atmega328p.squares | atmega328p.fuzzy) continue;;
        esac
        elf=$work/$m/$name.elf
        # shellcheck disable=SC2086
        if ! "${tools}gcc" $flags -Os -I$include -I$work/$m "$(way $m)" "$(program $m)" $FILES \
            $FLAGS -o $elf > $work/log 2>&1; then
            fail "$name: $m does not build"; head -4 $work/log; continue
        fi
        timeout 60 "$@" $elf > $work/$m/$name.out 2> $work/log
        status=$?
        size=$("${tools}size" $elf | tail -n 1 |
            awk '{ print $1 + $2 " bytes of flash, " $2 + $3 " of memory" }')
        if [ $status -eq 0 ] && cmp -s $work/$m/$name.out $work/$m/expected; then
            ok; echo "$name: $m: $size$(grep -h cycles $work/log | sed 's/^/, /')"
        else
            fail "$name: $m ended with $status: $(head -c 200 $work/$m/$name.out)," \
                "expected $(cat $work/$m/expected)"
        fi
        none='malloc|free|expf?|__aeabi_d(add|mul|div)|__aeabi_f2d|__(add|mul|div)df3'
        case $m in squares | fuzzy) none='malloc|free|expf?';; esac # they learn in double precision
        if "${tools}nm" $elf | grep -qE " ($none)\$"; then
            fail "$name: $m holds an allocator, a libm or doubles"
        else ok; fi
    done
}

probe='#include <simavr/sim_avr.h>\nint main(void) { return 0; }'
if have avr-gcc && printf "$probe" | $cc -x c - -o $work/probe 2> /dev/null &&
    $cc -O2 tests/firmware/avr_run.c -o $work/avr_run -lsimavr -lelf; then
    FILES=$source/avr.c FLAGS="-mmcu=atmega328p -Wl,--gc-sections -ffunction-sections -fdata-sections"
    target atmega328p avr- $work/avr_run
else skip "AVR: gcc-avr, avr-libc, libsimavr-dev or libelf-dev is not installed"; fi

bare="-ffunction-sections -fdata-sections -nostartfiles -nostdlib -Wl,--gc-sections"
# cortex NAME MACHINE FLAGS [LINKER SCRIPT]
cortex() {
    FILES=$source/cortex_m.c
    FLAGS="-mthumb $3 $bare -T$source/${4:-cortex_m.ld} -lc -lgcc"
    target "$1" arm-none-eabi- qemu-system-arm -M "$2" -display none -monitor none -serial none \
        -chardev stdio,id=sh -semihosting-config enable=on,target=native,chardev=sh -kernel
}
if have arm-none-eabi-gcc && have qemu-system-arm; then
    cortex cortex-m0 microbit -mcpu=cortex-m0
    cortex cortex-m3 lm3s6965evb -mcpu=cortex-m3
    cortex cortex-m4f mps2-an386 "-mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard"
    cortex cortex-m33 mps2-an505 "-mcpu=cortex-m33 -mfpu=fpv5-sp-d16 -mfloat-abi=hard" cortex_m33.ld
else skip "Cortex-M: gcc-arm-none-eabi or qemu-system-arm is not installed"; fi

# Trees in whole numbers, on a core without floats: what adds them up calls none of the functions that stand
# for those.
cat > $work/whole.c <<'TXT'
#define SOOTH_PREDICT_ONLY
#define SOOTH_STATIC
#include "sooth/export/integers.h"
void decide(const sooth_integers *model, const int32_t *key, int64_t *sum);
void decide(const sooth_integers *model, const int32_t *key, int64_t *sum) {
    sooth_integers_sum(model, key, sum);
}
TXT
if have arm-none-eabi-gcc; then
    if arm-none-eabi-gcc $flags -mcpu=cortex-m0 -mthumb -Os -I$include -c $work/whole.c -o $work/whole.o; then
        arm-none-eabi-nm $work/whole.o > $work/log
        if ! grep -q ' T decide$' $work/log || grep -E ' __aeabi_([fd]|[a-z0-9]*2[fd])' $work/log; then
            fail "cortex-m0: whole numbers call floats"
        else ok; fi
    else fail "cortex-m0: integers.h does not build"; fi
else skip "Cortex-M0: gcc-arm-none-eabi is not installed"; fi

if have riscv64-unknown-elf-gcc && have qemu-system-riscv32 &&
    printf '#include <stdio.h>\n' | riscv64-unknown-elf-gcc --specs=picolibc.specs -E - > /dev/null 2>&1; then
    for abi in ilp32 ilp32f; do
        isa=rv32ima${abi#ilp32}c
        FILES=$source/riscv.c
        FLAGS="-march=$isa -mabi=$abi -mcmodel=medany --specs=picolibc.specs $bare"
        FLAGS="$FLAGS -T$source/riscv.ld -lc -lgcc"
        target $isa riscv64-unknown-elf- qemu-system-riscv32 -M virt -bios none -display none \
            -monitor none -serial stdio -kernel
    done
else skip "RISC-V: gcc- or picolibc-riscv64-unknown-elf or qemu-system-misc is not installed"; fi
end
