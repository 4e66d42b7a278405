# header.awk - one header as a chapter: what it is, its example and costs out of the comment at its top, then
# every public declaration below what its comment says.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
function close_all() {
    if (mode == "p") print "</p>"
    if (mode == "pre") print "</pre>"
    mode = ""
}
function open(m) {
    if (mode == m) return
    close_all()
    if (m == "p") printf "<p>"
    if (m == "pre") printf "<pre>"
    mode = m
}
# anchors for what a line declares
function anchors(line,    word, out, copy) {
    copy = line
    while (match(copy, /[A-Za-z_][A-Za-z_0-9]*/)) {
        word = substr(copy, RSTART, RLENGTH)
        if ((word in home) && home[word] == name && !(word in anchored)) {
            anchored[word] = 1
            out = out "<span id=\"" word "\"></span>"
        }
        copy = substr(copy, RSTART + RLENGTH)
    }
    return out
}
BEGIN { top = 1 }
NR == 1 {
    title = $0
    sub(/^\/\* [^ ]* - /, "", title)
    printf "<section id=\"h-%s\"><h2>%s</h2>\n<p class=\"lead\">%s", name, name, code(title)
    lead = 1
    next
}
lead && / \* SPDX/ { print "</p>"; lead = 0; next }
lead { sub(/^ \* ?/, ""); printf " %s", code($0); next }
top && / \* SPDX/ { next }
top && /^ \*\// {
    close_all()
    top = 0
    if (proof != "") print "<p class=\"proof\">Proved against: " proof ".</p>"
    print "<h3>What it declares</h3>"
    next
}
top {
    sub(/^ \* ?/, "")
    if ($0 == "") { if (mode == "pre") held = held "\n"; else close_all(); next }
    if (/^  /) {
        if (mode != "pre") indent = match($0, /^    /) ? 5 : 3
        open("pre")
        $0 = substr($0, indent)
        print (held == "" ? "" : substr(held, 2) "\n") code($0)
        held = ""
    } else {
        if (mode == "pre") close_all()
        held = ""
        open("p")
        print code($0)
    }
    next
}
/^#if defined\(SOOTH_IMPLEMENTATION\)/ { exit }
/^#(if|ifdef|ifndef|else|elif|endif|include|undef|pragma)/ || /^SOOTHI_C_(BEGIN|END)/ { next }
/^#define SOOTH_[A-Z0-9_]*_H$/ { next }
/^\/\* -+ [^-].* -+ \*\/$/ {
    close_all()
    line = $0
    gsub(/^\/\* -+ | -+ \*\/$/, "", line)
    print "<h4>" escaped(line) "</h4>"
    next
}
/^\/\* -+ \*\/$/ { next }
/^\/\*/ && (mode != "pre" || declared == 0) { comment = 1; declared = 0 }
comment {
    line = $0
    done = (line ~ /\*\//)
    sub(/^\/\* ?/, "", line); sub(/^   /, "", line); sub(/ *\*\/.*/, "", line)
    if (line == "") close_all()
    else {
        open(line ~ /^  / ? "pre" : "p")
        print code(line)
    }
    if (done) { comment = 0; close_all() }
    next
}
/^$/ { close_all(); declared = 0; next }
# what is the library's own
/soothi_|SOOTHI_/ && mode != "pre" && !/^SOOTH_API/ && !/^typedef (struct|enum|union) sooth_/ { next }
{
    if (!declared) close_all()
    declared = 1
    open("pre")
    line = $0
    sub(/^SOOTH_API /, "", line)
    print anchors(line) code(line)
}
END { close_all(); print "</section>" }
