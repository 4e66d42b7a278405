#!/bin/sh
# Rules of form: width of lines, SPDX lines, who includes whom, length of functions, a comment at every public
# prototype, users of workers in their test; with SOOTH_SLOW=1 also clang-format's form, if it is installed.
# Shows at most SHOW=40 places each. Ends with "style: N passed, N failed".
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
LC_ALL=C; export LC_ALL
most=110    # columns; tables of data (tests/golden) and rows of a Markdown table may be wider
front=32    # headers that a user may include
function=80 # lines of a function in include/ and of the command, from its first to its }
lesson=119  # lines of C of a lesson: those that are not empty without their comments
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
grep -E '\.(h|c|sh|py|cu|cuh|cpp|mk)$|^Makefile$|^\.ci/' "$work/files" > "$work/sources"
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

# ---- the layout: a user includes sooth/NAME.h, and sooth/NAME/part.h is a part of it ----

find include/sooth -name '*.h' | sort > "$work/headers"
sed 's|^include/sooth/||' "$work/headers" | awk -F/ 'NF == 1' > "$work/front"
{   awk -v most=$front 'END { if (NR > most) print "  " NR " user headers, more than " most }' "$work/front"
    sed 's|^include/sooth/||' "$work/headers" | awk -F/ '
        NF == 1 { owner[$1] = 1; next }
        { part[++n] = $0; of[n] = $1 ".h" }
        NF > 2 { print "  " $0 " is more than one folder deep" }
        END { for (k = 1; k <= n; ++k) if (!(of[k] in owner)) print "  " part[k] " has no owner " of[k] }'
} > "$wrong"
silent "at most $front user headers, each part in the folder of its owner"

# The layers are those of the map in sooth.h, "NUMBER NAME" for each user header.
awk '/^ \*     [a-z]+ +[a-z_]+\.h/ { ++layer; on = 1 }
    on && /^ \*$/ { exit }
    on { for (k = 1; k <= NF; ++k) if ($k ~ /^[a-z_0-9]+\.h$/) print layer, $k }
' include/sooth.h > "$work/layers"
# The promise of names (README.md, Versions), and the places of the version.
awk -F '|' '
    FILENAME == "README.md" {
        if ($2 !~ /^ (stable|evolving|experimental) $/) next
        count = split($3, word, /[ ,]+/)
        for (k = 1; k <= count; ++k) if (word[k] != "") ++times[word[k]]
        next
    }
    { known[$1] = 1 }
    times[$1] != 1 { print "  " $1 " is " times[$1] + 0 " times in the table of README.md" }
    END { for (name in times) if (!(name in known)) print "  README.md promises a missing " name }
' README.md "$work/front" > "$wrong"
silent "each user header is once in the table of what is stable, evolving or experimental"

version=$(sed -n 's/^#define SOOTH_VERSION_TEXT "\(.*\)"/\1/p' include/sooth/base.h)
heading=$(grep -m 1 '^## ' .github/CHANGELOG.md)
{   case $heading in
    "## $version - "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9] | '## '[0-9]*.*[0-9]' - unreleased') ;;
    *) echo "  CHANGELOG.md begins with \"$heading\", not with \"## $version - DATE\" or unreleased" ;;
    esac
    # (others read the line of base.h, or have a placeholder; model files of each version stay)
    grep -rnwF "$version" include examples bench Makefile README.md pyproject.toml .ci --include='*' |
        grep -vE '^include/sooth/base.h:|tests/kept/'
} > "$wrong"
silent "the version is in base.h alone, and CHANGELOG.md begins with it"

# Pages of .github: what they link to, with its heading if one is named, and what they call by its path.
anchors() { # FILE
    sed -n 's/^##* //p' "$1" | tr 'A-Z' 'a-z' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}
for page in .github/*.md; do
    {   grep -oE '\]\([^)]*\)' "$page" | sed 's/^](//; s/)$//' | grep -v '^https://'
        # (of the change list the paths may be old)
        [ "$page" = .github/CHANGELOG.md ] ||
            grep -oE '(^|[^/A-Za-z])(tests|examples|bench)/[A-Za-z0-9_./-]*[A-Za-z0-9]' "$page" |
            sed 's,^[^a-z]*,../,' | grep -vE '/(NN_)?[A-Z]+\b|means\.|test_NAME'
    } | sort -u | while read -r link; do
        file=${link%%#*} heading=${link#"$file"}
        file=.github/${file:-${page#.github/}}
        if [ ! -e "$file" ]; then echo "  $page: $link is not here"
        elif [ "$heading" ] && ! anchors "$file" | grep -qx "${heading#\#}"; then
            echo "  $page: $link has no such heading"
        fi
    done
done > "$wrong"
# (the criteria of the passing level and the controls of the baseline, each once)
sed -n '/^## Best.* passing$/,/silver/p; /^## OSPS/,$p' .github/OPENSSF.md |
    grep -oE '^\| (OSPS-[-A-Z0-9.]+|[a-z_0-9]+) \| (met|forge|none|open) \|' | cut -d ' ' -f 2 | sort -u |
    awk '{ ++count[/^OSPS/] } END { if (count[0] != 67 || count[1] != 64)
        print "  OPENSSF.md has " count[0] " criteria and " count[1] " controls, not 67 and 64" }' >> "$wrong"
silent "pages of .github name files and headings that are here"

# Who includes whom, as "FROM TO" by owner and by path.
xargs grep -H '^#include "' < "$work/headers" | awk -F: '
    { from = $1; sub(/^include\/sooth\//, "", from); to = $2; sub(/^#include "/, "", to); sub(/".*/, "", to)
        folder = from; sub(/[^\/]*$/, "", folder); to = folder to
        while (sub(/[^\/.]+\/\.\.\//, "", to)) {}
        a = from; b = to
        if (sub(/\/.*/, "", a)) a = a ".h"
        if (sub(/\/.*/, "", b)) b = b ".h"
        print a, b, from, to }' > "$work/arrows"
awk '
    FILENAME ~ /layers$/ { layer[$2] = $1; top = $1; next }
    FILENAME ~ /front$/ {
        known[$1] = 1
        if (!($1 in layer)) print "  " $1 " is not in the map of sooth.h"
        next
    }
    layer[$1] < layer[$2] { print "  " $3 " (layer " layer[$1] ") includes " $4 " (layer " layer[$2] ")" }
    $1 != $2 { uses[$1, $2] = 1 }
    END {
        for (name in layer) if (!(name in known)) print "  the map of sooth.h names a missing " name
        if (top > 7) print "  the map of sooth.h has " top " layers, more than 7"
        # owners that nothing else includes leave, one after the other; who stays is in a circle
        for (name in known) left[name] = 1
        do {
            gone = 0
            for (name in left) {
                used = 0
                for (pair in uses) { split(pair, end, SUBSEP); used += end[2] == name && end[1] in left }
                if (!used) { delete left[name]; gone = 1 }
            }
        } while (gone)
        for (pair in uses) {
            split(pair, end, SUBSEP)
            if (end[1] in left && end[2] in left) print "  in or above a circle: " end[1] " includes " end[2]
        }
    }
' "$work/layers" "$work/front" "$work/arrows" > "$wrong"
silent "headers include their own layer or lower ones of the map, without circles"

grep -rnE '#[ \t]*include *["<](\.\./)*(include/)?sooth/[a-z_0-9]+/' examples bench README.md > "$wrong"
silent "programs include no parts"

grep -rnE 'soothi_|SOOTHI_' examples bench --include='*.[ch]' --include='*.cpp' --include='*.cu' |
    grep -v 'SOOTHI_GPU_TIME' > "$wrong" # examples/gpu/times.c writes a part
silent "programs use no internal names"

# Internal names in what a user reads of a header, but for macros that only the preprocessor sees.
awk '
    FNR == 1 { code = 0 }
    /^#if defined\(SOOTH_IMPLEMENTATION\)/ { code = 1 }
    !code && /soothi_/ && !/^#/ && !/\\$/ { print "  " FILENAME ":" FNR ": " $0 }
' $(sed 's|^|include/sooth/|' "$work/front") > "$wrong"
silent "no internal name above the code of a user header"

# The first word of a function's name belongs to one owner: gpu_time.h names times of gpu.h's GPUs, and a leaf
# with a linear model is linear_leaf. Fitting a best needs train.h, predicting with it model.h.
xargs grep -HE '^(static|SOOTH[A-Z_]+) [^(=;]*\bsoothi?_[a-z0-9_]+\(' < "$work/headers" | awk -F: '
    {
        owner = $1; name = $2
        sub(/^include\/sooth\//, "", owner); sub(/[\/.].*/, "", owner); sub(/^gpu_time$/, "gpu", owner)
        sub(/\(.*/, "", name); sub(/.*soothi?_/, "", name)
        if (name !~ /^linear_leaf/) sub(/_.*/, "", name)
        if (name == "best") owner = "model"
        if (!(name in of)) of[name] = owner
        if (of[name] != owner && !told[name, owner]++)
            print "  the prefix " name " is of " of[name] " and of " owner
    }' > "$wrong"
silent "a prefix belongs to one folder"

awk -v most=$function '
    /^[^ #\/}].*\{$/ && !/^(typedef|struct|enum|union|static const|extern)/ { start = FNR }
    /^}/ {
        if (start && FNR - start + 1 > most) print "  " FILENAME ":" start ": " FNR - start + 1 " lines"
        start = 0
    }' include/sooth/*.h examples/cli/*.c examples/cli/*/*.c > "$wrong"
silent "functions of at most $function lines"

# Folders of the command include themselves and the folders before them; app.h says which those are.
grep -H '^#include "' examples/cli/*.c examples/cli/*/*.[ch] | awk '
    BEGIN {
        floor["app"] = 1; floor["table"] = 2; floor["model"] = 3
        floor["stats"] = floor["gpu"] = floor["jobs"] = 4; floor["."] = 5
    }
    {
        split($0, part, "\""); path = part[2]; name = $0
        sub(/^examples\/cli\//, "", name); sub(/:.*/, "", name)
        if (path ~ /^sooth\// || path ~ /^(..\/)+common\// || path ~ /^..\/..\/gpu\//) next
        from = name ~ /\// ? name : "./" name; sub(/\/.*/, "", from)
        to = from
        if (path ~ /\//) { to = path; sub(/^\.\.\//, "", to); sub(/\/.*/, "", to) }
        if (!(to in floor) || (to != from && floor[to] >= floor[from])) print "  " name " includes " path
    }' > "$wrong"
silent "folders of the command include those before them"

awk -v most=$lesson '
    function report() { if (code > most) print "  " file ": " code " lines of C" }
    FNR == 1 { report(); file = FILENAME; code = comment = 0 }
    {
        text = ""
        for (rest = $0; rest; comment = !comment) {
            k = index(rest, comment ? "*/" : "/*")
            if (!comment) text = text (k ? substr(rest, 1, k - 1) : rest)
            if (!k) break
            rest = substr(rest, k + 2)
        }
        code += text ~ /[^ ]/
    }
    END { report() }' examples/teach/[0-9]*.c > "$wrong"
silent "lessons of less than 120 lines of C"

# A comment stands above or behind a public prototype, or above its group (no blank line between).
awk '
    FNR == 1 { told = comment = code = 0 }
    /^#if defined\(SOOTH_IMPLEMENTATION\)/ { code = 1 }
    code { next }
    comment { if (/\*\//) { comment = 0; told = 1 } next }
    /^[ \t]*\/\*/ { told = 1; comment = !/\*\//; next }
    /^$/ { told = 0; next }
    /^SOOTH_API/ && !told && !/\/\*/ { print "  " FILENAME ":" FNR ": " $0 }
' $(cat "$work/headers") > "$wrong"
silent "a word at every public prototype"

# A header whose functions take a model says that a checked one may come from anyone.
kinds='model|linear|tree|ensemble|forest|boost|mlp|svr|gauss|sofnn|scale|scaling|best|conformal|probability'
while read -r header; do
    tr -s ' \n' '  ' < "$header" > "$work/text"
    ! grep -qE "SOOTH_API [^;{]*const sooth_($kinds) ?\*" "$work/text" ||
        grep -qE 'checked (model|one) may come from anyone' "$work/text" || echo "  $header"
done < "$work/headers" > "$wrong"
silent "who may have made a model that is passed in"

# What has an env, a sink, or a struct that keeps the env may allocate or write; tests/library/test_faults.c
# calls it.
awk '
    FNR == 1 { code = 0 }
    /^#if defined\(SOOTH_IMPLEMENTATION\)/ { code = 1 }
    code { next }
    /^typedef struct [a-z_0-9]+ {/ { struct = $3 }
    /^ +sooth_env \*env;/ { keeps[struct " *"] }
    /^SOOTH_API/ { text = ""; on = 1 }
    on { text = text " " $0 }
    on && /;/ { on = 0; prototype[++n] = text }
    END {
        keeps["sooth_env *"]; keeps["sooth_sink *"]
        for (k = 1; k <= n; ++k) for (type in keeps) if (index(prototype[k], type)) {
            name = prototype[k]; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name)
            print name
        }
    }
' $(cat "$work/headers") | grep -vxE 'sooth_(fail|no_memory|alloc|free)' | # all others call these
    sort -u > "$work/may_fail"
grep -oE 'sooth_[a-z_0-9]+\(' tests/library/test_faults.c | tr -d '(' | sort -u > "$work/called"
{ comm -23 "$work/may_fail" "$work/called" | sed 's/^/  no case calls /'
    [ "$(wc -l < "$work/may_fail")" -ge 150 ] || echo "  the headers name too few functions with an env"
} > "$wrong"
silent "failing memory and sinks meet every function (tests/library/test_faults.c)"

# Whoever leads to soothi_parallel, directly or not, in the headers as the compiler sees them; and every task.
printf '%s\n' '#define SOOTH_IMPLEMENTATION' '#include "sooth.h"' '#include "sooth/threads.h"' \
    '#include "sooth/files.h"' |
    ${CC:-cc} -std=c11 -Iinclude -E -x c - 2>&1 | awk '
    /^#/ { next }
    !inside && /^[a-z]/ { head = ""; open = 1 }
    open && !inside {
        head = head " " $0
        if (head !~ /\).*\{/) { if (/;/) open = 0; next }
        inside = 1; open = 0; name = ""
        if (match(head, /soothi?_[a-z0-9_]+\(/)) name = substr(head, RSTART, RLENGTH - 1)
        if (head ~ /\(void \*[a-z]+, size_t [a-z]+, size_t worker\)/) uses[name] = 1
    }
    inside {
        text = $0
        while (match(text, /soothi?_[a-z0-9_]+/)) {
            word = substr(text, RSTART, RLENGTH); text = substr(text, RSTART + RLENGTH)
            if (name && word != name) { from[++n] = name; to[n] = word }
        }
        if (/}$/ && /^[^ ]/) inside = 0
    }
    END {
        for (name in uses) print name
        uses["soothi_parallel"] = 1
        do {
            more = 0
            for (k = 1; k <= n; ++k) if (to[k] in uses && !(from[k] in uses)) more = uses[from[k]] = 1
        } while (more)
        for (name in uses) if (name ~ /^sooth_/) print name
    }' | sort -u > "$work/shared"
while read -r name; do
    grep -qw "$name" tests/library/test_workers.c || echo "  $name is not in tests/library/test_workers.c"
done < "$work/shared" > "$wrong"
[ -s "$work/shared" ] || echo "  nothing was found that uses workers" > "$wrong"
silent "whatever uses workers stands in tests/library/test_workers.c"

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
