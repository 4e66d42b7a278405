# html.awk - what the book's pages are made with; read before header.awk, markdown.awk.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
#
# -v symbols=FILE: lines "name header", the public symbols and where each is told of.
BEGIN {
    while ((getline line < symbols) > 0) {
        split(line, part, " ")
        if (!(part[1] in home)) home[part[1]] = part[2]
    }
}

function escaped(s) {
    gsub(/&/, "\\&amp;", s); gsub(/</, "\\&lt;", s); gsub(/>/, "\\&gt;", s)
    return s
}

# A line of C: escaped, public symbols and headers linked, comments set apart.
function code(s,    out, word) {
    s = escaped(s)
    while (match(s, /[A-Za-z_][A-Za-z_0-9]*(\.h)?/)) {
        word = substr(s, RSTART, RLENGTH)
        out = out substr(s, 1, RSTART - 1)
        if (word in home) out = out "<a href=\"#" word "\">" word "</a>"
        else if (word ~ /\.h$/ && (("h-" word) in home)) out = out "<a href=\"#h-" word "\">" word "</a>"
        else out = out word
        s = substr(s, RSTART + RLENGTH)
    }
    out = out s
    gsub(/\/\*[^*]*\*\//, "<i>&</i>", out)
    while (match(out, /`[^`]*`/))
        out = substr(out, 1, RSTART - 1) "<code>" substr(out, RSTART + 1, RLENGTH - 2) "</code>" \
            substr(out, RSTART + RLENGTH)
    return out
}
