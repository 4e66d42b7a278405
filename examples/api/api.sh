#!/bin/sh
# api.sh FOLDER OBJECT - writes FOLDER/api.json: every public function, struct, enum, type, macro and option,
# from the headers themselves. A name has a line of its own, so that diff shows what changed. OBJECT is
# build/sooth.o.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
set -e
LC_ALL=C; export LC_ALL
to=$1 cc=${CC:-cc}
mkdir -p "$to"
printf '#include "sooth.h"\n#include "sooth/threads.h"\n#include "sooth/files.h"\n' |
    $cc -std=c11 -Iinclude -DSOOTH_LINKED -E -dD -x c - | awk -f examples/api/api.awk | sort > "$to/names.txt"
[ "$(grep -c '^functions' "$to/names.txt")" -gt 300 ] ||
    { echo "the headers have too few functions"; exit 1; }
sed -n 's/^functions	\(sooth_[a-z0-9_]*_options_list\)	.*/LIST(\1)/p' "$to/names.txt" > "$to/lists.h"
$cc -std=c11 -Iinclude -I"$to" -DSOOTH_LINKED examples/api/options.c "$2" -o "$to/options" -pthread -lm
"$to/options" > "$to/options.txt"
{
    printf '{\n"version": "%s"' "$(sed -n 's/^#define SOOTH_VERSION_TEXT "\(.*\)"/\1/p' include/sooth/base.h)"
    cat "$to/names.txt" "$to/options.txt" | awk -F '\t' '
        $1 != kind { printf "%s,\n\"%s\": [\n", kind == "" ? "" : "\n]", $1; kind = $1; first = 1 }
        { printf "%s%s", first ? "" : ",\n", $3; first = 0 }'
    printf '\n]\n}\n'
} > "$to/api.json.new"
mv "$to/api.json.new" "$to/api.json"
