#!/bin/bash
# The library for Arduino and PlatformIO and the module for Zephyr that `make packages` writes: their metadata
# are read, their sketches are compiled as the Arduino IDE does and run in emulators on an ATmega328P and a
# Cortex-M0, the sample of Zephyr on the latter, with small stand-ins for Arduino.h and zephyr/kernel.h. And
# what firmware includes, the header of every kind, needs no C library beyond memcpy and memset.
# Ends with "packages: N passed, N failed"; what is not installed is skipped with a word.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
LC_ALL=C; export LC_ALL
root=$(pwd) packages=build/packages firmware=examples/firmware
passed=0 failed=0 skipped=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
ok() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "  FAILED  $*"; head -8 "$work/log"; }
skip() { skipped=$((skipped + 1)); echo "  skipped: $*"; }
have() { command -v "$1" > /dev/null 2>&1; }
# check NAME COMMAND...: it must succeed
check() {
    local name=$1; shift
    if "$@" > "$work/log" 2>&1; then ok; else fail "$name"; fi
}
# says NAME TEXT: what a program printed has the text
says() {
    if grep -qF "$2" "$work/said"; then ok; else cp "$work/said" "$work/log"; fail "$1 does not say: $2"; fi
}

check "make packages" make -s packages
check "no placeholder is left" \
    sh -c "! grep -rn '@[A-Z]*@' $packages/arduino $packages/zephyr --include=library.* --include=*.yml"

# ---- metadata ----

properties() {
    local key
    for key in name version author maintainer sentence paragraph category url architectures; do
        grep -q "^$key=." $packages/arduino/library.properties || { echo "$key is missing"; return 1; }
    done
    ! grep -vE '^[a-z]+=.+$' $packages/arduino/library.properties || return 1
    grep -qE '^version=[0-9]+\.[0-9]+\.[0-9]+$' $packages/arduino/library.properties || return 1
    grep -qx 'category=Data Processing' $packages/arduino/library.properties || return 1
    [ -f "$packages/arduino/src/$(sed -n 's/^includes=//p' $packages/arduino/library.properties)" ]
}
check "library.properties" properties
check "keywords.txt" sh -c "! grep -vP '^[A-Za-z_]+\t(KEYWORD[12]|LITERAL1)\$' $packages/arduino/keywords.txt"
if have python3; then
    check "library.json" python3 - $packages/arduino << 'END'
import json, os, sys
at = sys.argv[1]
j = json.load(open(at + "/library.json"))
p = dict(line.rstrip("\n").split("=", 1) for line in open(at + "/library.properties"))
assert j["name"] == p["name"] and j["version"] == p["version"] and j["license"] == "MIT"
assert os.path.exists(at + "/src/" + j["headers"])
for e in j["examples"]: assert all(os.path.exists(at + "/" + e["base"] + "/" + f) for f in e["files"]), e
END
else skip "library.json: there is no python3"; fi
if have python3 && python3 -c 'import yaml' 2> /dev/null; then
    check "module.yml and sample.yaml" python3 - $packages/zephyr << 'END'
import os, sys, yaml
at = sys.argv[1]
m = yaml.safe_load(open(at + "/zephyr/module.yml"))
assert m["name"] == "sooth" and os.path.exists(at + "/" + m["build"]["kconfig"])
assert os.path.exists(at + "/" + m["build"]["cmake"] + "/CMakeLists.txt")
for s in m["samples"]: assert os.path.isdir(at + "/" + s)
s = yaml.safe_load(open(at + "/samples/power/sample.yaml"))
assert s["sample"]["name"] and s["tests"]
END
else skip "module.yml: there is no python3 with yaml"; fi
# what Kconfig defines is what the others ask for
check "CONFIG_SOOTH" sh -c "grep -qx 'config SOOTH' $packages/zephyr/Kconfig &&
    grep -q 'if(CONFIG_SOOTH)' $packages/zephyr/CMakeLists.txt &&
    grep -qx 'CONFIG_SOOTH=y' $packages/zephyr/samples/power/prj.conf"
if have cmake; then
    cat > "$work/zephyr.cmake" << 'END'
set(CONFIG_SOOTH y)
function(zephyr_include_directories dir)
  if(NOT EXISTS ${AT}/${dir}/sooth/tree.h)
    message(FATAL_ERROR "${dir} has no headers")
  endif()
endfunction()
function(zephyr_compile_options)
endfunction()
function(find_package)
endfunction()
function(project)
endfunction()
function(target_sources app scope)
  foreach(file ${ARGN})
    if(NOT EXISTS ${AT}/samples/power/${file})
      message(FATAL_ERROR "${file} is missing")
    endif()
  endforeach()
endfunction()
include(${AT}/CMakeLists.txt)
include(${AT}/samples/power/CMakeLists.txt)
END
    check "CMakeLists.txt" cmake -DAT="$root/$packages/zephyr" -P "$work/zephyr.cmake"
else skip "CMakeLists.txt: there is no cmake"; fi
pio=${PIO:-$(command -v pio)}
if [ "$pio" ]; then
    # it looks the licence up in the network, and reads all else without
    cp -R $packages/arduino "$work/library"
    sed '/"license"/d' $packages/arduino/library.json > "$work/library/library.json"
    check "pio pkg pack" env PLATFORMIO_CORE_DIR="$work/pio" PLATFORMIO_SETTING_ENABLE_TELEMETRY=no \
        "$pio" pkg pack -o "$work/sooth.tar.gz" "$work/library"
    check "what pio packed" sh -c "tar tzf $work/sooth.tar.gz | grep -q 'src/sooth/tree.h'"
else skip "PlatformIO: there is no pio (pip install platformio)"; fi

# ---- sketches ----

cat > "$work/Arduino.h" << 'END'
#ifndef ARDUINO_H
#define ARDUINO_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>
struct Port {
    void begin(long);
    void println(const char *text);
    void println(long number);
};
extern Port Serial;
void delay(unsigned long milliseconds);
void setup();
void loop();
#endif
END
cat > "$work/core.cpp" << 'END'
#include "Arduino.h"
extern "C" {
#include "platform.h"
}
Port Serial;
void Port::begin(long) {}
void Port::println(const char *text) {
    while (*text) put(*text++);
    put('\n');
}
void Port::println(long number) {
    char digits[12], *at = digits + 11;
    unsigned long rest = number < 0 ? 0UL - (unsigned long)number : (unsigned long)number;
    *at = 0;
    do *--at = (char)('0' + rest % 10); while (rest /= 10);
    if (number < 0) *--at = '-';
    println(at);
}
void delay(unsigned long) {}
int firmware(void) {
    setup();
    loop();
    return 0;
}
END
# sketch NAME BOARD: compiled as the IDE does, with what it puts before, to NAME.elf (a size_t of 16 bits is
# narrower than the sizes of blocks)
sketch() {
    local at=$work/$1.cpp
    { echo '#include <Arduino.h>'; cat $packages/arduino/examples/"$1/$1.ino"; } > "$at"
    local flags="-Os -std=gnu++11 -fpermissive -fno-exceptions -ffunction-sections -fdata-sections
        -fno-threadsafe-statics -Wall -Wextra -Werror -Wno-narrowing -DARDUINO=10819 -I$work
        -I$packages/arduino/src -I$packages/arduino/examples/$1 -I$firmware -Wl,--gc-sections"
    # shellcheck disable=SC2086
    case $2 in
    uno) avr-gcc -Os -mmcu=atmega328p -I$firmware -c $firmware/avr.c -o "$work/board.o" &&
        avr-g++ $flags -mmcu=atmega328p -DF_CPU=16000000L -DARDUINO_ARCH_AVR "$at" "$work/core.cpp" \
            "$work/board.o" -o "$work/$1.elf" ;;
    zero) arm-none-eabi-gcc -Os -mthumb -mcpu=cortex-m0 -I$firmware -c $firmware/cortex_m.c \
        -o "$work/board.o" && arm-none-eabi-g++ $flags -mthumb -mcpu=cortex-m0 -fno-rtti -nostartfiles \
        -nostdlib "$at" "$work/core.cpp" "$work/board.o" -T$firmware/cortex_m.ld -lc -lgcc \
        -o "$work/$1.elf" ;;
    esac
}
# what the host says, of what the sketches ask
cat > "$work/host.c" << 'END'
#include "power.h"
#define SOOTH_IMPLEMENTATION
#include "sooth/tree.h"
#include "model.h"
#include <stdio.h>
int main(void) {
    const int16_t clocks[] = {3505, 1000};
    const float row[12] = {1.0f, 1.5f, 0.5f};
    printf("%ld\n", (long)(power_sum(clocks) >> POWER_SCALE));
    printf("%ld\n", (long)(1000.0f * sooth_tree_predict((const sooth_tree *)(const void *)block, row)));
    return power_selftest();
}
END
check "the models on this machine" ${CC:-cc} -std=c11 -ffp-contract=off -Iinclude \
    -I$packages/arduino/examples/Power -I$packages/arduino/examples/Tree "$work/host.c" -o "$work/host"
"$work/host" > "$work/wanted"
sketches() { # BOARD RUN...
    local board=$1; shift
    check "$board: Power.ino" sketch Power "$board"
    "$@" "$work/Power.elf" > "$work/said" 2> "$work/log"
    says "$board: Power.ino" "all rows as on the host"
    says "$board: Power.ino" "$(sed -n 1p "$work/wanted")"
    check "$board: Tree.ino" sketch Tree "$board"
    "$@" "$work/Tree.elf" > "$work/said" 2> "$work/log"
    says "$board: Tree.ino" "a sound tree"
    says "$board: Tree.ino" "$(sed -n 2p "$work/wanted")"
}
if have avr-g++ &&
    ${CC:-cc} -O2 tests/firmware/avr_run.c -o "$work/avr_run" -lsimavr -lelf 2> "$work/log"; then
    sketches uno timeout 60 "$work/avr_run"
else skip "Arduino Uno: gcc-avr, avr-libc, libsimavr-dev or libelf-dev is not installed"; fi
m0() {
    timeout 60 qemu-system-arm -M microbit -display none -monitor none -serial none -chardev stdio,id=sh \
        -semihosting-config enable=on,target=native,chardev=sh -kernel "$1"
}
if have arm-none-eabi-g++ && have qemu-system-arm; then
    sketches zero m0

    # ---- the sample of Zephyr, whose printk is here one of texts and whole numbers ----
    mkdir "$work/zephyr"
    echo 'void printk(const char *text, ...);' > "$work/zephyr/kernel.h"
    cat > "$work/printk.c" << 'END'
#include "platform.h"
#include <stdarg.h>
#include <zephyr/kernel.h>
int zephyr_main(void);
int firmware(void) { return zephyr_main(); }
static void number(int v) {
    if (v > 9) number(v / 10);
    put((char)('0' + v % 10));
}
void printk(const char *text, ...) {
    va_list list;
    va_start(list, text);
    for (; *text; ++text) {
        if (*text != '%') { put(*text); continue; }
        if (*++text == 'd') number(va_arg(list, int));
        else for (const char *s = va_arg(list, const char *); *s; ++s) put(*s);
    }
    va_end(list);
}
END
    check "the sample of Zephyr" arm-none-eabi-gcc -std=c11 -Os -ffp-contract=off -Wall -Wextra -Werror \
        -mthumb -mcpu=cortex-m0 -Dmain=zephyr_main -I"$work" -I$packages/zephyr/include -I$firmware \
        -ffunction-sections -fdata-sections -Wl,--gc-sections -nostartfiles -nostdlib \
        $packages/zephyr/samples/power/src/main.c "$work/printk.c" $firmware/cortex_m.c \
        -T$firmware/cortex_m.ld -lc -lgcc -o "$work/sample.elf"
    m0 "$work/sample.elf" > "$work/said" 2> "$work/log"
    says "the sample of Zephyr" "all rows as on the host"
    says "the sample of Zephyr" "55 ms"
else skip "Cortex-M0: gcc-arm-none-eabi or qemu-system-arm is not installed"; fi

# ---- the headers, without a C library ----

nm=$(command -v llvm-nm || command -v llvm-nm-19)
if [ "$nm" ] && have clang && clang --print-targets 2> /dev/null | grep -q wasm32; then
    alone() { # PREFIX [HEADER]: a header by itself, which defines functions of this prefix
        printf '#define SOOTH_IMPLEMENTATION\n#define SOOTH_PREDICT_ONLY\n' > "$work/alone.c"
        printf '#include "sooth/%s.h"\n' "${2:-$1}" | cat "$work/alone.c" - |
            clang --target=wasm32 -ffreestanding -nostdlib -std=c11 -ffp-contract=off -O1 -Wall -Wextra \
                -Werror -I$packages/arduino/src -x c -c - -o "$work/alone.o" &&
            "$nm" "$work/alone.o" | grep -q " T sooth_$1_" &&
            ! "$nm" -u "$work/alone.o" | grep -vE 'U (memcpy|memset|__stack_pointer)$'
    }
    kinds=$(sed -n '/^#define SOOTH_KIND_PLAIN/,/KIND_LIST/s/^ *X(\([a-z]*\),.*/\1/p' include/sooth/base.h)
    for kind in $(echo "$kinds" | grep -vx gauss) conformal adapt; do
        check "WebAssembly: $kind.h" alone "$kind"
    done
    check "WebAssembly: gaussian_process.h" alone gauss gaussian_process
    check "WebAssembly: export.h" alone integers export
    check "WebAssembly: preprocess.h" alone scale preprocess
else skip "WebAssembly: clang is not installed or has no wasm32, or llvm-nm is not"; fi

if [ $skipped -gt 0 ]; then echo "packages: $passed passed, $failed failed, $skipped skipped"
else echo "packages: $passed passed, $failed failed"; fi
[ $failed -eq 0 ]
