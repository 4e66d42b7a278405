#!/bin/sh
# make install: a program that finds sooth by pkg-config's words (by the file's where pkg-config is not), one
# that CMake builds, the command; and make uninstall, which takes away what was installed and nothing else.
# Ends with "installed: N passed, N failed".
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
. tests/harness/checks.sh

check "make install" make -s install STAGE="$work/stage" PREFIX="$work/sooth"
description=$work/sooth/share/pkgconfig/sooth.pc
if command -v pkg-config > /dev/null; then
    ask() { PKG_CONFIG_PATH=$work/sooth/share/pkgconfig pkg-config "$1" sooth; }
    flags=$(ask --cflags) version=$(ask --modversion)
else
    echo "  skipped: pkg-config is not here; the file is read without it"
    flags="$(sed -n 's/^Cflags: //p' "$description" | sed "s|.{prefix}|$work/sooth|")"
    version=$(sed -n 's/^Version: //p' "$description")
fi
cat > "$work/uses.c" <<'TXT'
#define SOOTH_IMPLEMENTATION
#include "sooth.h"
#include <stdio.h>
int main(void) { return puts(SOOTH_VERSION_TEXT) < 0; }
TXT
# shellcheck disable=SC2086
check "a program that uses it" ${CC:-cc} -std=c11 $flags "$work/uses.c" -o "$work/uses"
check "it is the version that is told: $version" [ "$("$work/uses")" = "$version" ]
case " $flags " in *" -ffp-contract=off "*) told=yes ;; *) told=no ;; esac
check "whoever follows pkg-config gets the same bits: $flags" [ $told = yes ]
check "every header is there" sh -c "cd include && find . -name '*.h' | while read -r h; do
    cmp \"\$h\" \"$work/sooth/include/\$h\" || exit 1; done"
check "the command is there, and says the same version" \
    [ "$("$work/sooth/bin/sooth" version)" = "sooth $version" ]

if command -v cmake > /dev/null; then
    mkdir "$work/cmake"
    cp examples/packages/conan/test_package/CMakeLists.txt examples/packages/conan/test_package/uses.c \
        "$work/cmake"
    configure() { # BUILD PACKAGE-VERSION
        sed -i.old "s/^find_package(sooth.*/find_package(sooth $2 REQUIRED)/" "$work/cmake/CMakeLists.txt"
        cmake -S "$work/cmake" -B "$work/cmake/$1" -DCMAKE_PREFIX_PATH="$work/sooth"
    }
    series=${version%.*} # MAJOR.MINOR
    next=${series%.*}.$((${series#*.} + 1))
    check "find_package" configure build "$series.0"
    check "it builds" cmake --build "$work/cmake/build"
    check "it runs" "$work/cmake/build/uses"
    check "whoever follows CMake gets the same bits" \
        grep -qe -ffp-contract=off "$work/cmake/build/compile_commands.json"
    check "a later version is not this one" refused 1 "version: $version" configure later "$series.999"
    check "nor is another series" refused 1 "version: $version" configure series "$next"
else echo "  skipped: find_package (cmake is not here)"; fi

# Beside a file of someone else's, under DESTDIR.
to=$work/there
mkdir -p "$to/usr/bin"
echo mine > "$to/usr/bin/other"
check "make install under DESTDIR" make -s install STAGE="$work/stage" DESTDIR="$to" PREFIX=/usr
check "sooth.pc names PREFIX alone" grep -qx 'prefix=/usr' "$to/usr/share/pkgconfig/sooth.pc"
for file in bin/sooth include/sooth.h share/man/man1/sooth-fit.1 share/cmake/sooth/soothConfig.cmake \
    share/bash-completion/completions/sooth share/zsh/site-functions/_sooth \
    share/fish/vendor_completions.d/sooth.fish; do
    check "installed: $file" [ -s "$to/usr/$file" ]
done
check "make uninstall" make -s uninstall STAGE="$work/stage" DESTDIR="$to" PREFIX=/usr
check "what is left is the other's" [ "$(cd "$to" && find . -type f)" = ./usr/bin/other ]
check "no directory of sooth's is left" [ -z "$(find "$to" -type d -name '*sooth*')" ]
check "again, with nothing there" make -s uninstall STAGE="$work/stage" DESTDIR="$to" PREFIX=/usr

ended installed
