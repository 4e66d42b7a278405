# checks.sh - what the tests written in sh share; sourced from the folder above tests, as
#
#     . tests/checks.sh
#     check "what must be so" COMMAND...
#     check "what must not" refused 2 "words of the sentence" COMMAND...
#     ended NAME
#
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 slow=0

# check NAME COMMAND...: the command ends well; what it printed is in $work/log
check() {
    name=$1; shift
    if "$@" > "$work/log" 2>&1; then passed=$((passed + 1))
    else failed=$((failed + 1)); echo "  FAILED  $name"; head -5 "$work/log"
    fi
}

# refused CODE WORDS COMMAND...: one sentence with these words and this exit code
refused() {
    code=$1 words=$2; shift 2
    "$@" > "$work/log" 2>&1
    [ $? -eq "$code" ] && grep -qF -e "$words" "$work/log"
}

# of ROW COLUMN: a figure of the table in the file $table
of() { awk -v p="$1" -v c="$2" '$1 == p { print $c + 0 }' "$table"; }
# less X Y: numbers, or what awk can work out
less() { awk "BEGIN { exit !($1 < $2) }"; }

# ended NAME: the last line, and how it ended
ended() {
    slow_too=; [ $slow -eq 0 ] || slow_too=", $slow slow"
    echo "$1: $passed passed, $failed failed$slow_too"
    [ $failed -eq 0 ]
}
