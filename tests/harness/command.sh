# command.sh - what the black-box tests of the `sooth` command share; sourced from the folder above tests.
# They go on in an empty folder of their own, $work, with the command as $sooth (SOOTH=path: another binary).
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
LC_ALL=C; export LC_ALL
root=$(pwd) golden=$(pwd)/tests/golden
sooth=${SOOTH:-$root/build/sooth}
work=$(mktemp -d) || exit 1
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0 failed=0 skipped=0

ok() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "  FAILED  $*"; }
skip() { skipped=$((skipped + 1)); echo "  skipped $1: $2"; }
run() { "$sooth" "$@" > out 2> err; rc=$?; }
check() { name=$1; shift; if "$@"; then ok; else fail "$name"; fi; }
same() { if cmp -s "$1" "$2"; then ok; else fail "$1 and $2 differ${3:+: $3}"; fi; }
absent() { if [ -e "$1" ]; then fail "$1 is there"; else ok; fi; }

# expect CODE WORDS COMMAND...: exit code, and words in what it printed; a failure is one line on stderr (the
# shell reads it itself, which spares thousands of processes)
expect() {
    code=$1 words=$2; shift 2
    run "$@"
    if [ $rc -ne "$code" ]; then fail "sooth $* returned $rc, not $code"; head -3 out err; return; fi
    if [ "$code" -eq 0 ]; then
        if grep -qF -e "$words" out err; then ok; else fail "sooth $*: no \"$words\""; head -5 out err; fi
        return
    fi
    more=
    if [ -s out ] || ! { IFS= read -r sentence && ! IFS= read -r more && [ -z "$more" ]; } < err; then
        fail "sooth $*: not one sentence"; cat out err; return
    fi
    case $sentence in
    *"$words"*) ok ;;
    *) fail "sooth $*: no \"$words\""; head -5 out err ;;
    esac
}
