#!/bin/sh
# Runs every test program given, as many at a time as there are processors (JOBS=N in the environment: N), the
# output of each in one piece, and ends with "N passed, N failed". Give the slowest first.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
#
# A program's last line is "name: N passed, N failed", then perhaps ", N skipped" and ", N slow". One that
# ends without it, or with a failure's status and no failure counted, has failed. UNDER=COMMAND in the
# environment: what the programs run under, as an emulator; LIMIT=SECONDS: how long each may take; ONLY=WORD:
# runs only the programs that contain this word; THIRD=1, 2 or 3: of these every third, from this one on.
jobs=${JOBS:-$(getconf _NPROCESSORS_ONLN 2> /dev/null || echo 1)}

# one FOLDER PROGRAM: runs it, prints what it said in one piece, and notes its numbers in the folder
if [ "$1" = one ]; then
    folder=$2 program=$3 name=$(basename "$3")
    # a test that hangs has failed
    if command -v timeout > /dev/null; then limit="timeout ${LIMIT:-600}"; else limit=; fi
    begun=$(date +%s)
    $limit $UNDER "$program" > "$folder/$name.out" 2>&1
    status=$?
    echo "$(($(date +%s) - begun)) s $name" > "$folder/$name.took"
    last=$(tail -n 1 "$folder/$name.out")
    number() { printf '%s\n' "$last" | sed -n "s/^.*[ :,] *\([0-9][0-9]*\) $1.*\$/\1/p"; }
    p=$(number passed) f=$(number failed) s=$(number skipped) w=$(number slow)
    if [ -z "$p" ] || [ -z "$f" ] || { [ "$status" -ne 0 ] && [ "$f" -eq 0 ]; }; then
        echo "FAILED  $program ended with status $status" >> "$folder/$name.out"
        f=$((${f:-0} + 1))
    fi
    echo "${p:-0} ${f:-0} ${s:-0} ${w:-0}" > "$folder/$name.count"
    cat "$folder/$name.out"
    exit 0
fi

# shellcheck disable=SC2046
[ -z "$ONLY" ] || set -- $(grep -lF -e "$ONLY" "$@")
# shellcheck disable=SC2046
[ -z "$THIRD" ] || set -- $(printf '%s\n' "$@" | awk -v third="$THIRD" 'NR % 3 == third % 3')
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
printf '%s\n' "$@" | xargs -P "$jobs" -I {} "$0" one "$folder" {}
cat "$folder"/*.count 2> /dev/null | {
    passed=0 failed=0 skipped=0 slow=0 programs=0
    while read -r p f s w; do
        passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s)) slow=$((slow + w))
        programs=$((programs + 1))
    done
    if [ "$programs" -ne $# ]; then
        failed=$((failed + 1)); echo "FAILED  $# programs were given, $programs have run"
    fi
    [ "$skipped" -eq 0 ] || echo "$skipped skipped, each with its reason above"
    slowest=$(cat "$folder"/*.took | sort -rn |
        awk '$1 > 9 && NR < 6 { printf "%s%s", (NR > 1 ? ", " : ""), $0 }')
    [ -z "$slowest" ] || echo "the slowest: $slowest"
    [ "$slow" -eq 0 ] || echo "$slow slow ones left to make check (SOOTH_SLOW=1)"
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
}
