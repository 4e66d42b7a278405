#!/bin/sh
# make install, and a program that finds sooth by pkg-config's words (by the file's where pkg-config is not).
# Ends with "installed: N passed, N failed".
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/.." || exit 1
. tests/checks.sh

check "make install" make -s install PREFIX="$work/sooth"
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

ended installed
