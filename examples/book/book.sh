#!/bin/sh
# book.sh - the book: one page that needs nothing else, build/book/index.html. Which model when; language
# models on GPUs; a router of their servers; the lessons with their code, output and pictures; a chapter for
# each header, made from its comments and those of its parts; what was measured. `make book` builds the
# lessons and runs this.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
LC_ALL=C; export LC_ALL
here=examples/book to=build/book
mkdir -p $to || exit 1
# Lines "LAYER HEADER", as the map of sooth.h has them; the parts of a header, those that it includes first.
layers=$(awk '
    /^ \*     [a-z]+ +[a-z_]+\.h/ { layer = $2; on = 1 }
    on && /^ \*$/ { exit }
    on { for (k = 2; k <= NF; ++k) if ($k ~ /^[a-z_0-9]+\.h$/) print layer, $k }' include/sooth.h)
headers=$(echo "$layers" | cut -d ' ' -f 2)
parts_of() { # HEADER
    folder=${1%.h}
    {   sed -n "s|^#include \"\($folder/.*\)\"|\1|p" include/sooth/"$1"
        (cd include/sooth && ls "$folder"/*.h 2> /dev/null)
    } | awk '!seen[$0]++'
}
paths=$(for h in $headers; do for p in "$h" $(parts_of "$h"); do echo "include/sooth/$p"; done; done)
symbols=$to/symbols.txt
# shellcheck disable=SC2086
untold=$(awk -v complain=1 -f $here/symbols.awk $paths)
[ -z "$untold" ] || { echo "$untold" >&2; exit 1; }
# shellcheck disable=SC2086
awk -f $here/symbols.awk $paths > $symbols

html() { script=$1; shift; awk -v symbols=$symbols "$@" -f $here/html.awk -f "$here/$script"; }
markdown() { html markdown.awk -v folder="$1/"; }
# section ID TITLE: the standard input
section() { printf '<section id="%s"><h2>%s</h2>\n' "$1" "$2"; cat; echo '</section>'; }
# what a lesson is about, from its first lines; and its title, as the table of lessons has it
about() {
    sed -n '1,/SPDX/p' "$1" | sed '$d; s/^.\* *//; s/^[^ ]* - //' | tr '\n' ' ' |
        sed 's/: a *lesson.*//; s/^./\U&/'
}
title_of() { sed -n "s/^.*\[\(.*\)\]($(basename "$1")).*/\1/p" examples/teach/README.md | sed 's/^./\U&/'; }
lessons=$(ls examples/teach/[012][0-9]_*.c)
number_of() { basename "$1" | cut -c1-2; }
# numbered LESSON: how the contents and the links name it
numbered() { echo "<a href=\"#l-$(number_of "$1")\">$(number_of "$1") $(title_of "$1")</a>"; }

# lesson FILE NEXT: the text and the code, what it prints and draws, the answers, folded
lesson() {
    name=$(basename "$1" .c)
    printf '<section id="l-%s"><h2>%s. %s</h2>\n<p class="lead">%s.</p>\n' \
        "$(number_of "$1")" "$(number_of "$1")" "$(title_of "$1")" "$(about "$1")"
    awk -v exercises=0 -f $here/lesson.awk "$1" | markdown examples/teach
    printf '<h3>What it prints</h3>\n<pre>'
    (cd build/teach && ./"$name") > $to/"$name".txt 2>&1 || { echo "$name failed" >&2; exit 1; }
    sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; /^ *drawn: /d' $to/"$name".txt
    printf '</pre>\n'
    sed -n 's/^ *drawn: //p' $to/"$name".txt | tr -d , | tr ' ' '\n' | grep . | while read -r picture; do
        printf '<figure>'; cat build/teach/"$picture"
        printf '<figcaption>%s</figcaption></figure>\n' \
            "$(sed -n '1s/^<svg[^>]*><title>\([^<]*\)<.*/\1/p' build/teach/"$picture")"
    done
    echo '<h3>Exercises</h3>'
    awk -v exercises=1 -f $here/lesson.awk "$1" | markdown examples/teach
    echo '<details><summary>Answers</summary>'
    sed -n "/^## $(number_of "$1")/,/^## /{/^## /d;p}" examples/teach/answers.md | markdown examples/teach
    echo '</details>'
    [ ! "$2" ] || echo "<p>Next lesson: $(numbered "$2")</p>"
    echo '</section>'
}

# What a header is proved against, as the table of the README has it.
proof_of() {
    grep -F "(include/sooth/$1)" README.md | sed -n '1s/.*| \(.*\) |$/\1/p' |
        sed 's/\[\([^]]*\)\]([^)]*)/\1/g; s/&/\&amp;/g; s/</\&lt;/g'
}

contents() {
    echo '<nav><input id="search" type="search" placeholder="search" aria-label="search"><ul>'
    echo '<li><a href="#start">sooth</a><li><a href="#which">which model when</a>'
    echo '<li><a href="#command">the command, by question</a>'
    echo '<li><a href="#language">language models on GPUs</a>'
    echo '<li><a href="#serving">a router of LLM servers</a>'
    echo '<li class="part">lessons'
    for l in $lessons; do
        echo "<li>$(numbered "$l")"
    done
    echo "$layers" | while read -r layer h; do
        [ "$layer" = "$last" ] || echo "<li class=\"part\">headers: $layer"
        last=$layer
        echo "<li><a href=\"#h-$h\">$h</a>"
    done
    echo '<li class="part">measured<li><a href="#measured">what was predicted how well</a>'
    echo '<li><a href="#bench">how fast it is</a>'
    echo '<li class="part">symbols<li><a href="#symbols">all of them</a>'
    echo '</ul></nav>'
}

index_of_symbols() {
    echo '<ul class="symbols">'
    grep -v '^h-' $symbols | sort | while read -r name chapter header; do
        echo "<li><a href=\"#$name\">$name</a> <small>$header</small>"
    done
    echo '</ul>'
}

page() {
    printf '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">\n'
    printf '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    printf '<title>sooth: the book</title>\n<style>\n'
    cat $here/book.css
    printf '</style></head><body>\n'
    contents
    echo '<main>'
    sed '1d' README.md | markdown . | section start sooth
    sed '1d' $here/which.md | markdown . | section which "Which model when"
    sed '1d' examples/cli/README.md | markdown examples/cli | section command "The command, by question"
    sed '1d' $here/language.md | markdown . |
        section language "Language models on GPUs that nobody has measured"
    sed '1d' examples/hosts/serving/README.md | markdown examples/hosts/serving |
        section serving "Inside a router of LLM servers"
    # shellcheck disable=SC2086
    set -- $lessons
    for l; do shift; lesson "$l" "$1"; done
    for h in $headers; do
        html header.awk -v name="$h" -v proof="$(proof_of "$h")" < include/sooth/"$h"
        for p in $(parts_of "$h"); do html header.awk -v name="$p" < include/sooth/"$p"; done
        echo '</section>'
    done
    sed '1d' examples/README.md | markdown examples |
        section measured "What was predicted how well, and where it fails"
    sed '1d' bench/README.md | markdown bench | section bench "How fast it is, and how far off"
    index_of_symbols | section symbols "All public names"
    printf '</main>\n<script>\n'
    cat $here/book.js
    printf '</script></body></html>\n'
}

page > $to/index.html.new && mv $to/index.html.new $to/index.html && echo "$to/index.html"
