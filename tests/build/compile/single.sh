#!/bin/sh
# Writes self-contained one-file versions of the headers: single.sh INCLUDE_DIR OUT_DIR
# Each #include "..." of ours is replaced by the file it names, once per output. Every header keeps its own
# guards, so the outputs may be included together, in any order.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
set -eu
from=$1 to=$2
mkdir -p "$to"
flatten() {
    awk -v first="$1" '
        function base(path) { sub(/.*\//, "", path); return path }
        function put(path,    line, name) {
            if (base(path) in seen) return
            seen[base(path)] = 1
            while ((getline line < path) > 0) {
                if (line ~ /^# *include "/) {
                    name = line
                    sub(/^# *include "/, "", name)
                    sub(/".*/, "", name)
                    if (index(name, "/") == 0) name = folder "/" name
                    else name = root "/" name
                    put(name)
                } else print line
            }
            close(path)
        }
        BEGIN { root = ARGV[1]; folder = root "/sooth"; put(first); exit }
    ' "$from"
}
for header in "$from"/sooth/*.h; do
    flatten "$header" > "$to/sooth_$(basename "$header")"
done
flatten "$from/sooth.h" > "$to/sooth.h"
echo "$(ls "$to" | wc -l) files in $to"
