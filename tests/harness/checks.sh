# checks.sh - what the tests written in sh share; sourced from the folder above tests, as
#
#     . tests/harness/checks.sh
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
# none FILE: nothing is in it; else its first lines are shown
none() { [ ! -s "$1" ] || { head -5 "$1"; return 1; }; }
# tidied PAGE: what tidy finds wrong, but for attributes of SVG, which it does not know
tidied() { tidy -q -e "$1" 2>&1 | grep -v 'proprietary attribute'; }
# titled PAGE WIDTH: the title that a page has given itself, where it begins with "seen", in a window so wide
# of the $browser ("": none is here)
browser=$(command -v chromium chromium-browser google-chrome | head -n 1)
titled() {
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --window-size="$2",900 \
        --dump-dom "file://$1" 2> /dev/null | sed -n 's|.*<title>\(seen[^<]*\)</title>.*|\1|p'
}
# less X Y: numbers, or what awk can work out
less() { awk "BEGIN { exit !($1 < $2) }"; }

# ended NAME: the last line, and how it ended
ended() {
    slow_too=; [ $slow -eq 0 ] || slow_too=", $slow slow"
    echo "$1: $passed passed, $failed failed$slow_too"
    [ $failed -eq 0 ]
}
