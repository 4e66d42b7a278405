# man.awk - a page for man(1) from a text of `sooth help`: awk -v page=sooth-fit -v says=SUMMARY -v date=DATE
# -v version=VERSION -v commands="fit predict ..." -f man.awk
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
function plain(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    gsub(/`/, "\\(ga", text)
    gsub(/"/, "\\(dq", text)
    if (text ~ /^[.']/) text = "\\&" text
    return text
}
function head(name) { print ".SH " name; inside = name; fresh = 1; waits = 0 }
# tagged TAG TEXT: a paragraph whose tag stands out
function tagged(tag, text) { print ".TP"; print ".B " plain(tag); print plain(text); fresh = waits = 0 }
BEGIN {
    print ".TH " toupper(page) " 1 " date " \"sooth " version "\" \"User Commands\""
    head("NAME")
    print plain(page) " \\- " plain(says)
    head("SYNOPSIS")
    if (page == "sooth") { print ".B sooth"; print "COMMAND [...]"; head("DESCRIPTION") }
}
page != "sooth" && inside == "SYNOPSIS" && /^ *sooth/ {
    sub(/^ */, "")
    if (!fresh) print ".br"
    split($0, word, " ")
    print ".B sooth " plain(word[2])
    rest = substr($0, index($0, word[2]) + length(word[2]) + 1)
    if (rest) print plain(rest)
    fresh = 0
    next
}
inside == "SYNOPSIS" && /^$/ { head("DESCRIPTION"); next }
/^Options$/ { head("OPTIONS"); next }
page == "sooth" && /^Models$/ { head("MODELS"); next }
page == "sooth" && /^Models with/ { head("MODELS WITH SETTINGS OF THEIR OWN"); next }
/^Example$/ { head("EXAMPLES"); print ".nf"; next }
/^Exit codes: / { head("EXIT STATUS"); sub(/^Exit codes: /, ""); print plain($0); next }
/^More: / { next }
/^$/ { waits = 1; next }
inside == "EXAMPLES" { sub(/^  /, ""); print plain($0); next }
inside == "DESCRIPTION" && /^  sooth [a-z]+  / {
    if (!listed) head("COMMANDS")
    listed = 1
}
inside == "COMMANDS" { name = $2; sub(/^  sooth [a-z]+ +/, ""); tagged(name, $0); next }
inside ~ /^MODELS/ { name = $1; sub(/^ +[^ ]+ +/, ""); tagged(name, $0); next }
inside == "OPTIONS" && /^ [A-Z]/ { sub(/^ /, ""); print ".SS " plain($0); fresh = 1; next }
inside == "OPTIONS" && /^  (-[a-z], )?--[a-z]/ {
    left = substr($0, 3)
    match(left, /   *[^ ]/)
    tagged(substr(left, 1, RSTART - 1), substr(left, RSTART + RLENGTH - 1))
    next
}
{
    sub(/^ +/, "")
    if (waits && !fresh) print ".PP"
    waits = 0
    print plain($0)
    fresh = 0
}
END {
    if (inside == "EXAMPLES") print ".fi"
    head("SEE ALSO")
    n = split(commands, other, " ")
    if (page != "sooth") print ".BR sooth (1)"
    else for (k = 1; k <= n; ++k) print ".BR sooth\\-" other[k] " (1)" (k < n ? "," : "")
}
