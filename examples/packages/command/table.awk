# table.awk - the options of a command as rows, from the text that `sooth help COMMAND` prints: letter, name,
# value and meaning, with tabs between.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
function put() { if (name) print letter "\t" name "\t" value "\t" meaning; name = "" }
/^Options$/ { on = 1; next }
/^Example$/ { exit }
on && /^  (-[a-z], )?--[a-z]/ {
    put()
    left = substr($0, 3)
    match(left, /   *[^ ]/)
    meaning = substr(left, RSTART + RLENGTH - 1)
    left = substr(left, 1, RSTART - 1)
    letter = value = ""
    if (left ~ /^-[a-z], /) { letter = substr(left, 2, 1); left = substr(left, 5) }
    name = substr(left, 3)
    if (match(name, / /)) { value = substr(name, RSTART + 1); name = substr(name, 1, RSTART - 1) }
    next
}
on && /^    / { sub(/^ +/, ""); meaning = meaning " " $0 }
END { put() }
