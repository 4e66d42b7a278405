#!/bin/bash
# analysis.sh - what static analysers say of the headers. Every finding fails but those of
# tests/build/analysis.txt, each of which says why it is wrong; an exception that no tool needs any more
# fails, too. `tests/build/analysis.sh [TOOL...]`: some of cppcheck, clang-tidy (bugprone and cert),
# clang-analyzer (through clang-tidy) and gcc (-fanalyzer). JOBS=N in the environment: so many headers at a
# time. Findings stay in build/analysis. Ends with "N passed, N failed".
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
export LC_ALL=C
exceptions=tests/build/analysis.txt to=build/analysis
jobs=${JOBS:-$(getconf _NPROCESSORS_ONLN)} passed=0 failed=0
flags="-std=c11 -ffp-contract=off -DSOOTH_IMPLEMENTATION -Iinclude"

# Fields of the exceptions are parted by " | ".
reasons() { sed '/^#/d; /^$/d' $exceptions; }
switched_off() { reasons | awk -F ' [|] ' '$1 == "clang-tidy" && $2 == "off" { printf ",-%s", $3 }'; }

findings() { # as compilers print them
    sed 's|/[a-z_0-9]*/\.\./|/|g' |
        sed -n 's|^.*include/sooth/\([^:]*\):[0-9:]* warning: \(.*\) \[\(.*\)\]$|\1: \3: \2|p'
}
# of_owner PART: true if the owner includes the part at its end. The part is then written to a file of its
# own, after the owner, so that the tools look at its functions.
of_owner() {
    local owner=include/sooth/${1%%/*}.h guard
    guard=SOOTH_$(echo "$1" | tr a-z/ A-Z_)
    [ "$1" != "${1#*/}" ] && sed -n '/^.. What else belongs/,$p' "$owner" | grep -q "\"$1.h\"" || return
    {
        printf '#define %s_H\n#define %s_IMPLEMENTED\n#include "%s"\n' "$guard" "$guard" "${owner#include/}"
        printf '#undef %s_H\n#undef %s_IMPLEMENTED\n#line 1 "include/sooth/%s.h"\n' "$guard" "$guard" "$1"
        sed 's/^#include "\.*.*//' "include/sooth/$1.h"
    } > "$to/$(echo "$1" | tr / _).c"
}
# what leaves out the code of headers that `make gpu-tables` has written
tables() {
    grep -lr 'written by `make gpu-tables`' include |
        xargs sed -n 's/^#define \([A-Z_]*_IMPLEMENTED\)$/-D\1/p'
}
# one TOOL HEADER: its findings, a line "FILE: CHECK: MESSAGE" each
one() {
    local header=include/sooth/$2.h found
    found=$to/$1.$(echo "$2" | tr / _)
    of_owner "$2" && header=$to/$(echo "$2" | tr / _).c
    case $1 in
    gcc) # (it does not see that memory goes back through the env; the tests count that)
        gcc $flags -O0 -fanalyzer -Wno-analyzer-malloc-leak -x c -S "$header" -o /dev/null 2>&1 | findings
        [ "${PIPESTATUS[0]}" -eq 0 ] || echo "$2.h: did not end: gcc"
        ;;
    clang-tidy) # all headers at once
        clang-tidy --quiet --header-filter=include/sooth --checks="-*,bugprone-*,cert-*$(switched_off)" \
            $to/sooth.c -- $flags 2> /dev/null | findings
        [ "${PIPESTATUS[0]}" -eq 0 ] || echo "$2.h: did not end: clang-tidy"
        ;;
    clang-analyzer) # what a file includes is read only as far as the file calls it
        clang-tidy --quiet --checks="-*,clang-analyzer-*$(switched_off)" "$header" -- \
            $flags -x c 2> /dev/null | findings
        [ "${PIPESTATUS[0]}" -eq 0 ] || echo "$2.h: did not end: clang-analyzer"
        ;;
    cppcheck) # all headers at once, but written tables, whose numbers take a minute each
        cppcheck -q --std=c11 --enable=warning,portability --template='{file}: {id}: {message}' \
            -DSOOTH_IMPLEMENTATION $(tables) -U_WIN32 -Iinclude $to/sooth.c 2>&1 | sed 's|^.*include/sooth/||'
        [ "${PIPESTATUS[0]}" -eq 0 ] || echo "$2.h: did not end: cppcheck"
        ;;
    esac | sort -u > "$found"
}
if [ "$1" = one ]; then one "$2" "$3"; exit; fi

tools=${*:-cppcheck clang-tidy clang-analyzer gcc}
mkdir -p $to
printf '#include "sooth.h"\n#include "sooth/threads.h"\n#include "sooth/files.h"\n' > $to/sooth.c
for tool in $tools; do
    command -v "${tool/analyzer/tidy}" > /dev/null || { echo "  skipped: $tool is not here"; continue; }
    rm -f $to/"$tool".*
    case $tool in
    cppcheck | clang-tidy) echo sooth ;;
    *) reasons | awk -F ' [|] ' -v tool="$tool" '$1 == tool && $2 == "only" { print $3 }' | tr ' ' '\n' ;;
    esac > $to/headers
    xargs -P "$jobs" -I {} tests/build/analysis.sh one "$tool" {} < $to/headers
    reasons | awk -F ' [|] ' -v tool="$tool" '$1 == tool && $2 !~ /^(off|only)$/ { print $2 }' > $to/excused
    cat $to/"$tool".* | sort -u > $to/found
    while read -r header; do # a header passes when its findings are excused
        file=$to/$tool.$(echo "$header" | tr / _)
        if [ ! -f "$file" ]; then
            failed=$((failed + 1)); echo "FAILED  $tool: $header was not read"
        elif grep -vxF -f $to/excused "$file" > $to/left; then
            failed=$((failed + 1)); echo "FAILED  $tool: $header"; sed 's/^/  /' $to/left
        else passed=$((passed + 1)); fi
    done < $to/headers
    while read -r line; do
        grep -qxF -e "$line" $to/found && continue
        failed=$((failed + 1)); echo "FAILED  $tool no longer says, but $exceptions excuses: $line"
    done < $to/excused
done
echo "analysis: $passed passed, $failed failed"
[ $failed -eq 0 ]
