#!/bin/sh
# make install, and a program that finds sooth by pkg-config's words (by the file's where pkg-config is not).
# Ends with "installed: N passed, N failed".
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/.." || exit 1
to=$(mktemp -d) || exit 1
trap 'rm -rf "$to"' EXIT
passed=0 failed=0
check() {
    name=$1; shift
    if "$@" > "$to/log" 2>&1; then passed=$((passed + 1))
    else failed=$((failed + 1)); echo "  FAILED  $name"; head -5 "$to/log"
    fi
}

check "make install" make -s install PREFIX="$to/sooth"
description=$to/sooth/share/pkgconfig/sooth.pc
if command -v pkg-config > /dev/null; then
    ask() { PKG_CONFIG_PATH=$to/sooth/share/pkgconfig pkg-config "$1" sooth; }
    flags=$(ask --cflags) version=$(ask --modversion)
else
    echo "  skipped: pkg-config is not here; the file is read without it"
    flags="$(sed -n 's/^Cflags: //p' "$description" | sed "s|.{prefix}|$to/sooth|")"
    version=$(sed -n 's/^Version: //p' "$description")
fi
cat > "$to/uses.c" <<'TXT'
#define SOOTH_IMPLEMENTATION
#include "sooth.h"
#include <stdio.h>
int main(void) { return puts(SOOTH_VERSION_TEXT) < 0; }
TXT
# shellcheck disable=SC2086
check "a program that uses it" ${CC:-cc} -std=c11 $flags "$to/uses.c" -o "$to/uses"
check "it is the version that is told: $version" [ "$("$to/uses")" = "$version" ]
case " $flags " in *" -ffp-contract=off "*) told=yes ;; *) told=no ;; esac
check "whoever follows pkg-config gets the same bits: $flags" [ $told = yes ]
check "every header is there" sh -c "cd include && find . -name '*.h' | while read -r h; do
    cmp \"\$h\" \"$to/sooth/include/\$h\" || exit 1; done"

echo "installed: $passed passed, $failed failed"
[ $failed -eq 0 ]
