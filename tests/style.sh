#!/bin/sh
# The form of the house: width of lines, SPDX lines, who includes whom, length of functions and headers, a
# word at every public prototype; with SOOTH_SLOW=1 also clang-format's form, where it is installed. Shows at
# most SHOW=40 places each. Ends with "style: N passed, N failed".
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/.." || exit 1
LC_ALL=C; export LC_ALL
most=110    # columns; tables of data (tests/golden) and rows of a Markdown table may be wider
lines=1600  # of a header; mlp.h may have more
function=80 # lines of a function in include/, from its first to its }
passed=0 failed=0 skipped=0 slow=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
wrong=$work/wrong

# silent NAME: passes when nothing is in the file of what is wrong
silent() {
    if [ -s "$wrong" ]; then
        failed=$((failed + 1)); echo "FAILED  $1 ($(wc -l < "$wrong"))"; head -n "${SHOW:-40}" "$wrong"
    else passed=$((passed + 1)); fi
}

find include examples bench tests .ci Makefile README.md -type f ! -path 'tests/golden/*' > "$work/files"
grep -E '\.(h|c|sh|py|cu|cuh|cpp)$|^Makefile$|^\.ci/' "$work/files" > "$work/sources"
in_sources() { tr '\n' '\0' < "$work/sources" | xargs -0 "$@"; }

{ in_sources awk -v most=$most 'length > most { print "  " FILENAME ":" FNR ": " length " columns" }'
    awk -v most=$most 'length > most && !/^\|/ { print "  README.md:" FNR ": " length " columns" }' README.md
} > "$wrong"
silent "lines of at most $most columns"

in_sources awk '
    function report() {
        if (file && (owner != 1 || licence != 1)) print "  " file ": no SPDX lines of its own"
    }
    FNR == 1 { report(); file = FILENAME; owner = licence = 0 }
    FNR <= 15 && /SPDX-/ {
        text = $0
        sub(/ *\*\/$/, "", text)
        if (text ~ /^(\/\*| \*|#|\/\/)? ?SPDX-FileCopyrightText: [0-9]+ [^*]*$/) ++owner
        else if (text ~ /^(\/\*| \*|#|\/\/)? ?SPDX-License-Identifier: [-A-Za-z0-9.+ ]+$/) ++licence
        else print "  " FILENAME ":" FNR ": an SPDX line holds nothing else"
    }
    END { report() }' > "$wrong"
silent "SPDX lines in lines of their own, in every source"

# The floors are those of the map in sooth.h, "NUMBER NAME" for each; a * stands for several headers.
awk '/^ \*     [a-z]+ +[a-z]+\*?\.h/ { ++floor; on = 1 }
    on && /^ \*$/ { exit }
    on { for (k = 1; k <= NF; ++k) if ($k ~ /^[a-z_0-9]+\*?\.h$/) print floor, $k }
' include/sooth.h > "$work/floors"
(cd include/sooth && ls -- *.h) > "$work/headers"
(cd include/sooth && grep -H '^#include "' -- *.h) | sed 's/:#include "/ /; s/".*//' > "$work/arrows"
awk '
    FILENAME ~ /floors$/ {
        floor[++n] = $1; word[n] = name = $2
        sub(/\*/, "[a-z_0-9]*", name); sub(/\.h$/, "[.]h", name)
        form[n] = "^" name "$"
        next
    }
    FILENAME ~ /headers$/ {
        for (k = 1; k <= n; ++k) if ($1 ~ form[k]) { at[$1] = floor[k]; used[k] = 1 }
        if (!($1 in at)) print "  " $1 " is not in the map of sooth.h"
        next
    }
    at[$1] < at[$2] { print "  " $1 " (floor " at[$1] ") includes " $2 " (floor " at[$2] ")" }
    END {
        for (k = 1; k <= n; ++k)
            if (!used[k]) print "  there is no " word[k] ", but the map of sooth.h names it"
    }
' "$work/floors" "$work/headers" "$work/arrows" > "$wrong"
silent "headers include their own floor or lower ones"

wc -l include/sooth/*.h | awk -v lines=$lines '
    $2 != "total" && $2 !~ /\/mlp\.h$/ && $1 > lines { print "  " $2 ": " $1 " lines" }' > "$wrong"
silent "headers of at most $lines lines"

awk -v most=$function '
    /^[^ #\/}].*\{$/ && !/^(typedef|struct|enum|union|static const|extern)/ { start = FNR }
    /^}/ {
        if (start && FNR - start + 1 > most) print "  " FILENAME ":" start ": " FNR - start + 1 " lines"
        start = 0
    }' include/sooth/*.h > "$wrong"
silent "functions of at most $function lines"

# A comment stands above or behind a public prototype, or above its group (no blank line between).
awk '
    FNR == 1 { told = comment = code = 0 }
    /^#if defined\(SOOTH_IMPLEMENTATION\)/ { code = 1 }
    code { next }
    comment { if (/\*\//) { comment = 0; told = 1 } next }
    /^[ \t]*\/\*/ { told = 1; comment = !/\*\//; next }
    /^$/ { told = 0; next }
    /^SOOTH_API/ && !told && !/\/\*/ { print "  " FILENAME ":" FNR ": " $0 }
' include/sooth/*.h > "$wrong"
silent "a word at every public prototype"

if ! command -v clang-format > /dev/null; then
    skipped=1; echo "  skipped: clang-format is not here"
elif [ -z "$SOOTH_SLOW" ]; then slow=1
else
    grep -E '\.(h|c)$' "$work/sources" | xargs clang-format --dry-run 2>&1 | grep -E 'warning|error' |
        awk -F: '{ ++n[$1] } END { for (name in n) print "  " name ": " n[name] " places" }' > "$wrong"
    silent "the form of .clang-format (clang-format -i FILE)"
fi

end="style: $passed passed, $failed failed"
[ $skipped -eq 0 ] || end="$end, $skipped skipped"
[ $slow -eq 0 ] || end="$end, $slow slow"
echo "$end"
[ $failed -eq 0 ]
