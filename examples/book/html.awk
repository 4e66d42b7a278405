# html.awk - what the pages of the book share; read before header.awk and markdown.awk.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
#
# -v symbols=FILE: lines "name chapter header", the public symbols and where each is documented.
BEGIN {
    while ((getline line < symbols) > 0) {
        split(line, part, " ")
        if (!(part[1] in home)) { home[part[1]] = part[2]; file[part[1]] = part[3] }
    }
}

function escaped(s) {
    gsub(/&/, "\\&amp;", s); gsub(/</, "\\&lt;", s); gsub(/>/, "\\&gt;", s)
    return s
}

# A line of C: escaped, public symbols and headers linked, comments set apart.
function code(s,    out, word, header) {
    s = escaped(s)
    while (match(s, /[A-Za-z_][A-Za-z_0-9]*((\/[A-Za-z_0-9]+)*\.h)?/)) {
        word = header = substr(s, RSTART, RLENGTH)
        sub(/^sooth\//, "", header)
        out = out substr(s, 1, RSTART - 1)
        if (word in home) out = out "<a href=\"#" word "\">" word "</a>"
        else if (("h-" header) in home) out = out "<a href=\"#h-" header "\">" word "</a>"
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
