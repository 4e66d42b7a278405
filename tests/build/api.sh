#!/bin/sh
# The public interface: what `make api` reads from the headers is what was kept in tests/build/api.json, and
# every function has a user, or stands in tests/build/unused.txt with a reason. A user is a program of
# examples/ (but the shared library and what is made of the interface itself), a bench, or the example of a
# header. On purpose:
#
#     make api-keep               writes api.json anew, and takes from unused.txt what has a user or is gone
#
# Ends with "api: N passed, N failed".
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
. tests/harness/checks.sh
LC_ALL=C; export LC_ALL
most=137 # functions without a user; grows only by the four of a new kind (.github/CONTRIBUTING.md)
kept=tests/build/api.json unused=tests/build/unused.txt

# changes OLD NEW: one line for each name that was added, removed or changed
changes() {
    awk '
        /^"[a-z]+": \[$/ { kind = $1; gsub(/[":]/, "", kind) }
        match($0, /^\{"name": "[^"]*"/) {
            name = kind " " substr($0, 11, RLENGTH - 11); text = $0; sub(/,$/, "", text)
            if (NR == FNR) { old[name] = text; order[++n] = name }
            else if (!(name in old)) print "  added: " name
            else if (old[name] != text) print "  changed: " name "\n    was " old[name] "\n    is  " text
            if (NR != FNR) now[name] = 1
        }
        END { for (k = 1; k <= n; ++k) if (!(order[k] in now)) print "  removed: " order[k] }' "$1" "$2"
}

# broken OLD NEW: what NEW takes from the names of stable headers (README.md, Versions): a name, a parameter,
# a field, a value of an enum. What is added is no matter. Versions before 0.1.0 promised nothing, and a new
# major version may do it.
broken() {
    awk -v stable=" $(sed -n 's/^| stable | \([^|]*\)|.*/\1/p' README.md | tr -d ,) " '
        /^"version"/ { split($2, number, /[".]/); major[NR == FNR] = number[2]; minor[NR == FNR] = number[3] }
        /^"[a-z]+": \[$/ { kind = $1 }
        !/^\{"name": "[^"]*", "header"/ { next }
        { sub(/,$/, ""); split($0, part, "\""); key = kind " " part[4] }
        NR != FNR { now[key] = $0; next }
        index(stable, " " part[8] " ") { old[key] = $0 }
        END {
            if ((major[1] == 0 && minor[1] == 0) || major[0] > major[1]) exit
            for (key in old) {
                lost = key ~ /functions/ ? old[key] != now[key] : !(key in now)
                count = key ~ /macros/ || lost ? 0 : split(old[key], word, /[^A-Za-z_0-9]+/)
                for (k = 1; k <= count; ++k) lost += !index(now[key], word[k])
                if (lost) print "  stable: " old[key]
            }
        }' "$1" "$2"
}

# what is used: every word of the programs, and of the examples in the first comments of headers
words() {
    find examples bench \( -path examples/python -o -path examples/api \) -prune -o -type f -print |
        grep -E '\.(c|h|cpp|cu|ino)$' | tr '\n' '\0' | xargs -0 cat
    awk 'FNR == 1 { top = 1 } top && /^ \*     / { print substr($0, 8) } /\*\/ *$/ { top = 0 }' \
        include/sooth/*.h include/sooth/*/*.h
}

# The lists: functions; those without a user; those that unused.txt names (a * stands for several).
lists() {
    sed -n 's/^{"name": "\(sooth_[a-z0-9_]*\)", "header": .*"returns".*/\1/p' "$1" | sort > "$work/functions"
    words | tr -cs 'A-Za-z0-9_' '\n' | sort -u > "$work/words"
    comm -23 "$work/functions" "$work/words" > "$work/alone"
    awk 'NR == FNR { name[++n] = $1; next }
        /^sooth_/ {
            form = "^" $1 "$"; gsub(/\*/, "[a-z0-9_]*", form); hits = 0
            for (k = 1; k <= n; ++k) if (name[k] ~ form) { ++hits; told[name[k]] = 1 }
            if (!hits) print $1 > gone
        }
        END { for (k = 1; k <= n; ++k) print name[k] > (name[k] in told ? listed : missing) }' \
        gone="$work/gone" listed="$work/listed" missing="$work/missing" "$work/alone" $unused
    touch "$work/gone" "$work/listed" "$work/missing"
}

if [ "$1" = keep ]; then # what make api-keep runs
    broken $kept build/api/api.json > "$work/broken"
    if [ -s "$work/broken" ]; then
        cat "$work/broken"
        echo "not kept: a program that uses these breaks; keep them, or raise MAJOR of SOOTH_VERSION"
        exit 1
    fi
    lists build/api/api.json
    awk 'NR == FNR { gone[$1] = 1; next } !($1 in gone)' "$work/gone" $unused > "$work/kept"
    [ -s "$work/gone" ] && cp "$work/kept" $unused
    changes $kept build/api/api.json
    cp build/api/api.json $kept
    sed 's/^/  has no user, and no reason in unused.txt: /' "$work/missing"
    echo "kept; $(wc -l < "$work/alone" | tr -d ' ') functions have no user (most=$most in api.sh)"
    exit 0
fi

written() { examples/api/api.sh "$work/api" build/sooth.o; }
same() { changes $kept "$work/api/api.json" > "$work/changes"; [ ! -s "$work/changes" ]; }
check "the interface is read from the headers" written
name="the interface is the one kept in $kept"
if same > "$work/log"; then passed=$((passed + 1))
else
    failed=$((failed + 1)); echo "  FAILED  $name; if it is meant, make api-keep"; head -40 "$work/changes"
fi
# (a version that promises, and what is refused and allowed after it)
sed 's/^"version": .*/"version": "0.1.0",/' $kept > "$work/old"
takes() { # SED COUNT: so many promises are broken by a change to the interface
    sed "$1" "$work/old" > "$work/new"
    ! cmp -s "$work/old" "$work/new" && [ "$(broken "$work/old" "$work/new" | wc -l)" -eq "$2" ]
}
check "a stable function stays" takes '/"sooth_linear_predict",/d' 1
check "and its parameters" takes '/"sooth_linear_predict",/s/const float/const double/' 1
check "so do the fields of a stable struct" takes '/"sooth_tree_options",/s/max_depth/depth/' 1
check "and the values of an enum" takes 's/"SOOTH_BOOST_GAMMA"/"SOOTH_BOOST_LOG"/' 1
check "a field may come" takes '/"sooth_tree_options",/s/"fields": \[/&"int more", /' 0
check "an experimental function may go" takes '/"sooth_gpu_at",/d' 0
check "with a new major version a stable one, too" \
    takes '/"sooth_linear_predict",/d; s/^"version": .*/"version": "1.0.0",/' 0
lists "$work/api/api.json"
check "functions without a user have a reason in $unused" none "$work/missing"
check "what $unused names has no user yet" none "$work/gone"
check "every line of it has a reason" sh -c "! grep -E '^sooth_[^ ]* *$' $unused"
few() { [ "$(wc -l < "$work/alone")" -le $most ] || { wc -l < "$work/alone"; return 1; }; }
check "there are at most $most of them" few
ended api
