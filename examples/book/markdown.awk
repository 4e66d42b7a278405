# markdown.awk - a README as a chapter: headings, paragraphs, lists, tables, code, links. Links to headers and
# lessons lead to their chapters; other files of the repository are only named.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
function close_all() {
    if (mode != "") print "</" mode ">"
    mode = ""
}
function open(m) {
    if (mode == m) return
    close_all()
    print "<" m ">"
    mode = m
}
# The inner text. Code is set aside first, because it has no markup.
function inline(s,    out, at, size) {
    while (match(s, /`[^`]+`/)) {
        at = RSTART; size = RLENGTH
        out = out marks(substr(s, 1, at - 1)) "<code>" code(substr(s, at + 1, size - 2)) "</code>"
        s = substr(s, at + size)
    }
    return out marks(s)
}
function marks(s,    out, url, text, at) {
    while (match(s, /!?\[[^]]*\]\([^)]*\)/)) {
        text = substr(s, RSTART, RLENGTH)
        at = RSTART
        out = out plain(substr(s, 1, at - 1))
        s = substr(s, at + length(text))
        if (text ~ /^!/) continue
        url = text
        sub(/^\[[^]]*\]\(/, "", url); sub(/\)$/, "", url)
        sub(/^\[/, "", text); sub(/\]\(.*$/, "", text)
        if (url ~ /^https?:/) out = out "<a href=\"" url "\">" plain(text) "</a>"
        else if (sub(/^.*include\/sooth\//, "", url) && (("h-" url) in home))
            out = out "<a href=\"#h-" url "\">" plain(text) "</a>"
        else if (url ~ /[01][0-9]_[a-z0-9_]*\.c$/ && match(url, /[01][0-9]_/))
            out = out "<a href=\"#l-" substr(url, RSTART, 2) "\">" plain(text) "</a>"
        else out = out plain(text)
    }
    return out plain(s)
}
function plain(s,    out) {
    s = escaped(s)
    while (match(s, /\*\*[^*]+\*\*/)) {
        out = out substr(s, 1, RSTART - 1) "<b>" substr(s, RSTART + 2, RLENGTH - 4) "</b>"
        s = substr(s, RSTART + RLENGTH)
    }
    return out s
}
function row(line, cell,    n, i, part) {
    sub(/^\| ?/, "", line); sub(/ ?\|$/, "", line)
    gsub(/\\\|/, "\001", line)
    n = split(line, part, / ?\| ?/)
    printf "<tr>"
    for (i = 1; i <= n; ++i) {
        gsub(/\001/, "|", part[i])
        printf "<%s>%s</%s>", cell, inline(part[i]), cell
    }
    print "</tr>"
}
/^```/ && fenced { if (!begun) print "</pre>"; fenced = 0; next }
/^```/ { close_all(); begun = fenced = 1; next }
fenced { # no <pre> without lines
    if (begun) { printf "<pre>"; begun = commented = 0 }
    print source($0)
    next
}
/^#+ / {
    close_all()
    n = index($0, " ")
    h = "h" (n < 4 ? n : 4)
    print "<" h ">" inline(substr($0, n + 1)) "</" h ">"
    next
}
/^    / && mode != "ul" && mode != "ol" {
    if (mode != "pre") commented = 0
    open("pre")
    print source(substr($0, 5))
    next
}
/^$/ { close_all(); next }
/^\|[ |:-]+\|$/ { next }
/^\|/ { first = (mode != "table"); open("table"); row($0, first ? "th" : "td"); next }
/^ *- / { open("ul"); line = $0; sub(/^ *- /, "", line); print "<li>" inline(line); next }
/^ *[0-9]+\. / { open("ol"); line = $0; sub(/^ *[0-9]+\. /, "", line); print "<li>" inline(line); next }
mode == "ul" || mode == "ol" { print inline($0); next }
/^!\[/ && /svg\)$/ {
    close_all()
    picture = $0
    sub(/^.*\(/, folder, picture); sub(/\)$/, "", picture)
    printf "<figure>"
    while ((getline line < picture) > 0) print line
    close(picture)
    print "</figure>"
    next
}
{
    open("p")
    line = $0
    if (line ~ /^\*[^*]/) { printf "<em>"; sub(/^\*/, "", line); slanted = 1 }
    if (slanted && line ~ /[^*]\*$/) { sub(/\*$/, "", line); print inline(line) "</em>"; slanted = 0 }
    else print inline(line)
}
END { close_all() }
