#!/bin/sh
# The book of `make book`: every public function has a comment and a place, every link has a target, nothing
# outside of the page is needed, the HTML is valid (tidy), and a browser (chromium, headless) shows one
# chapter at a time, no wider than a telephone or a desk. Ends with "book: N passed, N failed".
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
LC_ALL=C; export LC_ALL
. tests/harness/checks.sh
page=build/book/index.html

check "make book" make -s book
cat > "$work/odd.h" << 'END'
/* odd.h - a header
 */
SOOTHI_C_BEGIN

/* Belongs to both. */
SOOTH_API int sooth_odd_told(int x);
SOOTH_API int sooth_odd_too(int x);

SOOTH_API int sooth_odd_untold(int x);
END
awk -v complain=1 -f examples/book/symbols.awk "$work/odd.h" > "$work/untold"
check "a function without a comment is named, and nothing else" [ "$(cat "$work/untold")" = \
    "odd.h: sooth_odd_untold has no prose" ]

grep -o 'href="#[^"]*"' $page | sed 's/href="#//; s/"$//' | sort -u > "$work/from"
grep -o ' id="[^"]*"' $page | sed 's/ id="//; s/"$//' | sort > "$work/ids"
sort -u "$work/ids" > "$work/to"
comm -23 "$work/from" "$work/to" > "$work/nowhere"
uniq -d "$work/ids" > "$work/twice"
check "every link has a target" none "$work/nowhere"
check "no place has the name of another" none "$work/twice"
grep -n -E '<(script|img|link|iframe)[^>]*(src|href)=|url\(|@import' $page > "$work/outside"
check "nothing outside is needed" none "$work/outside"
functions=$(cat include/sooth/*.h include/sooth/*/*.h | grep -o '^SOOTH_API[^(]*(' |
    grep -o 'sooth_[a-z0-9_]*($' | tr -d '(')
for f in $functions; do grep -qx "$f" "$work/to" || echo "$f"; done > "$work/missing"
check "every public function has a place" none "$work/missing"
check "the side bar has the seven layers" [ "$(grep -c '<li class="part">headers: ' $page)" -eq 7 ]
check "a chapter for each user header" \
    [ "$(grep -c '<section id="h-' $page)" -eq "$(ls include/sooth/*.h | wc -l)" ]
for part in include/sooth/*/*.h; do
    grep -q "<h3 id=\"h-${part#include/sooth/}\">" $page || echo "$part"
done > "$work/parts"
check "each part is in a chapter" none "$work/parts"
for heading in Example Notes "Method and references" Cost; do
    grep -q "<h3>$heading</h3>" $page || echo "$heading"
done > "$work/headings"
check "headings of the first comments are headings" none "$work/headings"
check "twenty lessons" [ "$(grep -c 'section id="l-' $page)" -eq 20 ]
drawn=$(cat build/book/[012]*.txt | sed -n 's/^ *drawn: //p' | tr -d , | wc -w)
check "they draw" [ "$drawn" -gt 18 ]
check "and all that they draw is there" [ "$(grep -c '<figcaption>' $page)" -eq "$drawn" ]

if command -v tidy > /dev/null; then
    tidied $page > "$work/tidy"
    check "tidy finds nothing" none "$work/tidy"
else echo "  skipped: tidy is not here"; fi

# seen WIDTH ANCHOR: what a browser says of the page: how many chapters are shown, which, and whether anything
# is wider than the window
seen() {
    sed 's|</body>|<script>addEventListener("load", () => { document.title = "seen " +\
        document.querySelectorAll("section.shown").length + " " +\
        document.querySelector("section.shown").id +\
        (document.documentElement.scrollWidth > innerWidth ? " too wide" : " fits"); });</script></body>|' \
        $page > "$work/seen.html"
    titled "$work/seen.html#$2" "$1"
}
part=$(grep -o '^SOOTH_API[^(]*(' include/sooth/validation/split.h | sed -n '1s/.*[ *]\(.*\)(/\1/p')
if [ "$browser" ]; then
    for width in 500 1400; do
        check "the first page, $width wide" [ "$(seen $width start)" = "seen 1 start fits" ]
        check "a lesson, $width wide" [ "$(seen $width l-02)" = "seen 1 l-02 fits" ]
        check "a function's place is in its chapter, $width wide" \
            [ "$(seen $width sooth_tree_fit)" = "seen 1 h-tree.h fits" ]
        check "a part's function is in the chapter of its header, $width wide" \
            [ "$(seen $width "$part")" = "seen 1 h-validation.h fits" ]
        check "tables scroll by themselves, $width wide" [ "$(seen $width bench)" = "seen 1 bench fits" ]
    done
else echo "  skipped: no browser is here"; fi
ended book
