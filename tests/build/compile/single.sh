#!/bin/sh
# Writes self-contained one-file versions of the headers: single.sh INCLUDE_DIR OUT_DIR Each #include "..." is
# replaced by the file that it names, once per output. Every file keeps its own guards, so the outputs may be
# included together, in any order. A user header gives one output; its parts are inside.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
set -eu
from=$1 to=$2
mkdir -p "$to"
flatten() {
    awk -v first="$1" '
        # "a/b/../c.h" is "a/c.h"
        function plain(path) { while (sub(/[^\/.]+\/\.\.\//, "", path)) {} return path }
        function folder(path) { sub(/[^\/]*$/, "", path); return path }
        function put(path,    line, name) {
            if (path in seen) return
            seen[path] = 1
            while ((getline line < path) > 0) {
                if (line ~ /^# *include "/) {
                    name = line
                    sub(/^# *include "/, "", name)
                    sub(/".*/, "", name)
                    put(plain(folder(path) name))
                } else print line
            }
            close(path)
        }
        BEGIN { put(first) }
    '
}
for header in "$from"/sooth/*.h; do
    flatten "$header" > "$to/sooth_$(basename "$header")"
done
flatten "$from/sooth.h" > "$to/sooth.h"
echo "$(ls "$to" | wc -l) files in $to"
