#!/bin/sh
# Runs every test program given, adds up their last lines, and ends with "N passed, N failed".
passed=0 failed=0 skipped=0
if command -v timeout > /dev/null; then limit="timeout 600"; else limit=; fi # a test that hangs has failed
for program in "$@"; do
    output=$($limit "$program" 2>&1)
    status=$?
    printf '%s\n' "$output"
    last=$(printf '%s\n' "$output" | tail -n 1)
    p=$(printf '%s\n' "$last" | sed -n 's/^.*: \([0-9]*\) passed, [0-9]* failed.*$/\1/p')
    f=$(printf '%s\n' "$last" | sed -n 's/^.*: [0-9]* passed, \([0-9]*\) failed.*$/\1/p')
    s=$(printf '%s\n' "$last" | sed -n 's/^.* failed, \([0-9]*\) skipped$/\1/p')
    if [ -z "$p" ] || { [ "$status" -ne 0 ] && [ "$f" -eq 0 ]; }; then
        echo "FAILED  $program ended with status $status"
        p=${p:-0} f=$((${f:-0} + 1))
    fi
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + ${s:-0}))
done
[ "$skipped" -eq 0 ] || echo "$skipped skipped, each with its reason above"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
