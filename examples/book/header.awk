# header.awk - one header as a chapter, or one part in the chapter of its header: the comment at its top, then
# every public declaration below its comment.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
#
# -v name=tree.h or name=tree/grow.h; -v proof=TEXT: what a header is proved against. A chapter stays open for
# its parts.
function close_all() {
    if (mode == "p") print "</p>"
    if (mode == "pre") print "</pre>"
    if (mode == "ul") print "</ul>"
    mode = ""
}
function open(m) {
    if (mode == m) return
    close_all()
    if (m == "p") printf "<p>"
    if (m == "pre") printf "<pre>"
    if (m == "ul") print "<ul>"
    mode = m
}
# Heads of a part are two levels below those of a header.
function head(level, text) {
    close_all()
    level += deeper
    print "<h" level ">" text "</h" level ">"
}
# A line of a comment: a paragraph, an item of a list, or code.
function prose(line) {
    if (line ~ /^- /) { open("ul"); print "<li>" code(substr(line, 3)); return }
    if (mode == "ul" && line ~ /^  [^ ]/) { print code(substr(line, 3)); return }
    if (line ~ /^  /) {
        if (mode != "pre") { indent = match(line, /^    /) ? 5 : 3; commented = 0 }
        open("pre")
        print (held == "" ? "" : substr(held, 2) "\n") source(substr(line, indent))
    } else {
        open("p")
        print code(line)
    }
    held = ""
}
# anchors for what a line declares
function anchors(line,    word, out, copy) {
    copy = line
    while (match(copy, /[A-Za-z_][A-Za-z_0-9]*/)) {
        word = substr(copy, RSTART, RLENGTH)
        if ((word in home) && file[word] == name && !(word in anchored)) {
            anchored[word] = 1
            out = out "<span id=\"" word "\"></span>"
        }
        copy = substr(copy, RSTART + RLENGTH)
    }
    return out
}
# Comments wait for what they belong to: those of the library's own declarations are left out.
function show_comment(    k) {
    if (!declaring_shown) { head(3, "What it declares"); declaring_shown = 1 }
    for (k = 1; k <= comments; ++k) {
        if (waiting[k] == "") close_all()
        else prose(waiting[k])
    }
    if (comments) close_all()
    comments = 0
}
BEGIN {
    top = 1
    deeper = name ~ /\// ? 1 : 0
    for (word in file) if (file[word] == name && word !~ /^h-/) public = 1
}
NR == 1 {
    title = $0
    sub(/^\/\* [^ ]* - /, "", title)
    if (deeper) printf "<h3 id=\"h-%s\">%s</h3>\n<p>%s", name, name, code(title)
    else printf "<section id=\"h-%s\"><h2>%s</h2>\n<p class=\"lead\">%s", name, name, code(title)
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
    if (!public) exit
    next
}
top {
    sub(/^ \* ?/, "")
    if ($0 == "") { blank = 1; if (mode == "pre") held = held "\n"; else close_all(); next }
    if (blank && /^(Example|Notes|Method and references|Cost)$/) head(3, $0)
    else {
        if (mode == "pre" && !/^  /) { close_all(); held = "" }
        prose($0)
    }
    blank = 0
    next
}
/^#if defined\(SOOTH_IMPLEMENTATION\)/ { exit }
# what is the library's own, to its end
own { if (own == "macro" ? !/\\$/ : /^}/) own = ""; next }
/^#define SOOTHI_/ { comments = 0; if (/\\$/) own = "macro"; next }
/^(typedef )?(struct|enum|union) soothi_/ { comments = 0; if (/\{$/) own = "type"; next }
/^SOOTHI_LOCAL/ { comments = 0; if (!/[;}]$/) own = "type"; next }
/^#(if|ifdef|ifndef|else|elif|endif|include|undef|pragma)/ { if (/\\$/) own = "macro"; next }
/^SOOTHI_C_(BEGIN|END)/ { next }
/^#define SOOTH_[A-Z0-9_]*_(H|IMPLEMENTED)$/ { next }
/^\/\* -+ [^-].* -+ \*\/$/ {
    line = $0
    gsub(/^\/\* -+ | -+ \*\/$/, "", line)
    show_comment()
    head(4, escaped(line))
    next
}
/^\/\* -+ \*\/$/ { next }
/^\/\*/ && (mode != "pre" || declared == 0) {
    comment = 1
    declared = 0
    if (comments) waiting[++comments] = ""
}
comment {
    line = $0
    done = (line ~ /\*\//)
    sub(/^\/\* ?/, "", line); sub(/^   /, "", line); sub(/ *\*\/.*/, "", line)
    waiting[++comments] = line
    if (done) comment = 0
    next
}
/^$/ { close_all(); declared = 0; next }
/soothi_|SOOTHI_/ && mode != "pre" && !/^SOOTH_API/ && !/^typedef (struct|enum|union) sooth_/ {
    comments = 0
    next
}
{
    show_comment()
    if (!declared) close_all()
    declared = 1
    if (mode != "pre") commented = 0
    open("pre")
    line = $0
    sub(/^SOOTH_API /, "", line)
    print anchors(line) source(line)
}
END { close_all() }
