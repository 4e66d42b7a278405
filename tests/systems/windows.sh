#!/bin/bash
# The command for Windows, built by MinGW (CC, default x86_64-w64-mingw32-gcc) and run by Wine: names of files
# in UTF-8, long and with backslashes, bytes as they are, and all of cli.sh but what only POSIX has. The
# library's object is build/windows/sooth.o, made where it is not there.
# Ends with "windows: N passed, N failed".
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
export LC_ALL=C.UTF-8 WINEDEBUG=-all WINEPREFIX=${WINEPREFIX:-$PWD/build/wine}
cc=${CC:-x86_64-w64-mingw32-gcc}
wine=${WINE:-$(command -v wine64 wine /usr/lib/wine/wine64 | head -n 1)}
to=build/windows
flags="-std=c11 -O1 -ffp-contract=off -Iinclude -Wall -Wextra -Werror"
mkdir -p $to "$WINEPREFIX"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
check() {
    local name=$1; shift
    if "$@" > "$work/log" 2>&1; then passed=$((passed + 1))
    else failed=$((failed + 1)); echo "  FAILED  $name"; head -n 5 "$work/log"; fi
}
finish() { echo "windows: $passed passed, $failed failed"; [ $failed -eq 0 ]; exit; }

library() {
    printf '%s\n' '#define SOOTH_IMPLEMENTATION' '#include "sooth.h"' '#include "sooth/threads.h"' \
        '#include "sooth/files.h"' |
        $cc $flags -x c -c - -o $to/sooth.o
}
[ -s $to/sooth.o ] || check "build: the library" library
make -s build/obj/demo_data.c
check "build: the command" $cc $flags -DSOOTH_LINKED \
    examples/cli/*.c examples/cli/*/*.c examples/common/svg.c \
    build/obj/demo_data.c $to/sooth.o -o $to/sooth.exe -static -pthread -lm
[ $failed -eq 0 ] || finish
printf '#!/bin/sh\nexec "%s" "%s" "$@"\n' "$wine" "$PWD/$to/sooth.exe" > "$work/sooth"
chmod +x "$work/sooth"
sooth=$work/sooth native=$PWD/build/sooth

# ---- names of files

table='a,b,y\n1,2,3\n2,1,5\n3,4,6\n4,3,9\n5,5,11\n'
fit() { "$sooth" fit "$1" --target y --model linear --folds 0 -o "$2" "${@:3}"; }
cd "$work" || exit 1
printf "$table" > plain.csv
printf "$table" | sed 's/$/\r/' > "größe 測.csv"
check "a name in UTF-8" fit "größe 測.csv" "größe.sooth"
check "and the model's" [ -s "größe.sooth" ]
fit plain.csv plain.sooth > /dev/null
check "lines that end in CR LF are the same table" cmp plain.sooth "größe.sooth"
long=$(printf 'folder_%.0s' $(seq 30))
mkdir -p "$long/$long"
cp plain.csv "$long/$long"
check "a path of more than 400 characters" fit "$long/$long/plain.csv" "$long/$long/m.sooth"
check "is where it was asked for" cmp plain.sooth "$long/$long/m.sooth"
check "and nothing else" [ "$(ls -A "$long/$long" | wc -l)" -eq 2 ]
mkdir deep
check "a path with backslashes" fit plain.csv 'deep\m.sooth'
check "leads into the folder" cmp plain.sooth deep/m.sooth
fit plain.csv plain.sooth > out 2>&1
check "what is there stays without --force" grep -q 'already exists' out
fit plain.csv ./plain.csv --force > out 2>&1
check "an input is not an output, however it is called" grep -q 'is an input' out
check "--force replaces" fit plain.csv deep/m.sooth --force
check "nothing is left beside it" [ "$(ls -A deep)" = m.sooth ]
"$sooth" describe plain.sooth > out
check "what is printed has lines" grep -q rows out
check "that end in LF" [ "$(tr -d '\r' < out | cksum)" = "$(cksum < out)" ]
check "a model is read from a pipe as it is" sh -c "'$sooth' describe - < plain.sooth"
check "predictions of a model" sh -c "'$sooth' predict plain.sooth plain.csv -o - > predicted.csv"
awk 'BEGIN { srand(1); print "a,b,c,d,e,f,g,h,y"; for (i = 0; i < 60000; ++i) { s = ""
    for (j = 0; j < 8; ++j) { v = (i * (j + 3) * 7919) % 10007; s = s v ","; y = v } print s y + i % 7 } }' \
    > large.csv
large() { "$sooth" fit large.csv --target y --model boost --set n_estimators=3 --memory "$@"; }
check "a table in parts" large 64M -o large.sooth
check "a table in parts, with a file for what is large" large 64M --spill spilled -o spilled.sooth
check "is the same model" cmp large.sooth spilled.sooth
check "and the file is gone" [ ! -e spilled ]
check "the demonstration, in a folder with a name in UTF-8" \
    sh -c "'$sooth' demo --out 'größe' > tour && tail -n 1 tour | grep -q 'your own table'"
check "its files" [ "$(ls größe | wc -l)" -eq 10 ]
check "no line of it ends in CR" sh -c '! grep -q "$(printf "\r")" tour größe/*.csv'
if [ -x "$native" ]; then
    "$native" demo --out native > tour_native
    sed -i 's/The files are in native\./The files are in größe./' tour_native
    check "is what it says elsewhere" cmp tour tour_native
    check "with the same bytes" diff -r größe native
else echo "  skipped build/sooth: it is not built"; fi
mv größe/plan.csv other
check "again, with --force" "$sooth" demo --out größe --force
check "as it was" cmp größe/plan.csv other
cd - > /dev/null || exit 1

# ---- the command's own tests

SOOTH=$sooth SYSTEM=Windows sh tests/cli/cli.sh > "$work/cli" 2>&1
grep -E -A 4 'FAILED' "$work/cli"
grep '^  skipped' "$work/cli"
count() { sed -n "\$s/.*[ ,]\([0-9][0-9]*\) $1.*/\1/p" "$work/cli"; }
if [ "$(count passed)" ]; then passed=$((passed + $(count passed))) failed=$((failed + $(count failed)))
else failed=$((failed + 1)); echo "  FAILED  cli.sh ended without a count"; fi
finish
