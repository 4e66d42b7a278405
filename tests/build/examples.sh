#!/bin/sh
# The examples of every header, and the programs of the README: each is taken from the first comment, compiled
# as printed without a warning and run. What it shows behind `//> ` on the lines that print must be in its
# output, in the same order. A part needs none.
# Ends with "examples: N passed, N failed".
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
#
# `examples.sh write FOLDER` only writes the programs: FOLDER/linear.c and so on.
#
# Programs are linked with build/sooth.o where it is, which is quick; with LIBRARY= (empty) in the environment
# each compiles the headers that it includes, as a user's does.
cd "$(dirname "$0")/../.." || exit 1
LC_ALL=C; export LC_ALL
cc=${CC:-cc} root=$(pwd)
jobs=${JOBS:-$(getconf _NPROCESSORS_ONLN 2> /dev/null || echo 1)}
flags="-std=c11 -Wall -Wextra -Werror -ffp-contract=off -I$root/include"

# The programs in a header's first comment: each from an #include or a #define to the } that closes main.
# example_of HEADER NAME: writes NAME.c, NAME.2.c, ...
example_of() {
    awk -v name="$2" '
        /^ \*     / || /^ \*$/ {
            line = substr($0, 8)
            if (!on && line ~ /^#(define SOOTH_IMPLEMENTATION|include)/) { on = 1; text = ""; main = 0 }
            if (!on) next
            text = text line "\n"
            if (line ~ /^int main\(/) main = 1
            if (main && (line == "}" || line ~ /^int main\(.*}$/)) {
                n = n + 1
                printf "%s", text > (name (n > 1 ? "." n : "") ".c")
                on = 0
            }
            next
        }
        { on = 0 }
        /\*\/ *$/ { exit }' "$1"
}

# shown_in PROGRAM OUTPUT: says which shown text is missing in the output, in the order of the program
shown_in() {
    awk '
        NR == FNR { output = output $0 "\n"; next }
        match($0, /\/\/> ?/) {
            text = substr($0, RSTART + RLENGTH)
            sub(/ +$/, "", text)
            at = index(output, text)
            if (!at) { print "does not print: " text; exit 1 }
            output = substr(output, at + length(text))
        }' "$2" "$1"
}

# one FOLDER NAME OBJECT: compiles and runs FOLDER/NAME.c; "ok NAME", or what is wrong
if [ "$1" = one ]; then
    cd "$2" || exit 1
    name=$3 linked=
    # (what shows internal functions holds them itself)
    [ -z "$4" ] || grep -q soothi_ "$name.c" || linked="-DSOOTH_LINKED $4"
    mkdir -p "$name.run"
    # shellcheck disable=SC2086
    if ! $cc $flags "$name.c" $linked -o "$name" -pthread -lm > "$name.log" 2>&1; then
        echo "FAILED  the example of $name does not compile"; grep -m 4 -E 'error|undefined' "$name.log"
    elif ! (cd "$name.run" && timeout 60 "../$name") > "$name.out" 2> "$name.log"; then
        echo "FAILED  the example of $name fails: $(cat "$name.out" "$name.log" | head -n 3)"
    elif ! shown_in "$name.c" "$name.out" > "$name.log"; then
        echo "FAILED  the example of $name $(cat "$name.log")"; head -n 8 "$name.out"
    else echo "ok $name"; fi
    exit 0
fi

if [ "$1" = write ]; then
    for header in include/sooth/*.h; do example_of "$header" "$2/$(basename "$header" .h)"; done
    exit
fi
object=${LIBRARY-build/sooth.o}
[ -f "$object" ] || object=
case $object in '' | /*) ;; *) object=$root/$object ;; esac
work=build/examples${LIBRARY+_alone} # two of us may run at the same time
rm -rf $work && mkdir -p $work
failed=0
names=
for header in include/sooth/*.h include/sooth/*/*.h; do
    name=$(echo "${header#include/sooth/}" | tr / _)
    example_of "$header" "$work/$name"
    case ${header#include/sooth/} in */*) continue ;; esac # a part needs none
    [ -s "$work/$name.c" ] || {
        failed=$((failed + 1)); echo "FAILED  $header has no complete example"
    }
done
# The README's programs of C: README.1.c, README.2.c, ...
awk -v to=$work/README. '
    /^```c$/ { on = 1; text = ""; next }
    /^```$/ { if (on && text ~ /int main\(/) { n = n + 1; printf "%s", text > (to n ".c") } on = 0 }
    on { text = text $0 "\n" }' README.md
for program in "$work"/*.c; do names="$names $(basename "$program" .c)"; done

# shellcheck disable=SC2086
printf '%s\n' $names |
    xargs -P "$jobs" -I {} tests/build/examples.sh one "$root/$work" {} "$object" > $work/results
grep -v '^ok ' $work/results
passed=$(grep -c '^ok ' $work/results)
failed=$((failed + $(grep -c '^FAILED ' $work/results)))
echo "examples: $passed passed, $failed failed"
[ $failed -eq 0 ]
