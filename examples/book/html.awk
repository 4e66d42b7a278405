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

# Text with code in it: escaped, public symbols and headers linked.
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
    while (match(out, /`[^`]*`/))
        out = substr(out, 1, RSTART - 1) "<code>" substr(out, RSTART + 1, RLENGTH - 2) "</code>" \
            substr(out, RSTART + RLENGTH)
    return out
}

# A line of code, with its comments set apart. One may go on in the next line: commented is 0 at the first.
function source(s,    out, at) {
    s = code(s)
    for (;;) {
        if (!commented) {
            if (match(s, /(^| )\/\/[ >]/)) {
                at = index(s, "/* ")
                if (!at || RSTART < at) return out substr(s, 1, RSTART - 1) "<i>" substr(s, RSTART) "</i>"
            }
            if (!match(s, /\/\*( |$)/)) return out s
            out = out substr(s, 1, RSTART - 1)
            s = substr(s, RSTART)
            commented = 1
        }
        at = index(s, "*/")
        if (!at) return out "<i>" s "</i>"
        out = out "<i>" substr(s, 1, at + 1) "</i>"
        s = substr(s, at + 2)
        commented = 0
    }
}
