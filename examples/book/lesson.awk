# lesson.awk - a lesson as Markdown: its first comment and those that begin a part are text, the rest is code.
# With -v exercises=1 only the exercises.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
function text(line) {
    sub(/^ \* ?/, "", line)
    gsub(/[a-z_]+\.h/, "`&`", line)
    return line
}
function fence() { print "```"; blank = 0 }
BEGIN { top = 1 }
/ SPDX-License/ { shown = 1; next }
!shown { next }
/^ \* Exercises/ { asked = 1; next }
top && /^ \*\// { if (exercises) exit; top = 0; fence(); next }
top { if (asked == exercises) print text($0); next }
/^\/\* ---- / { fence(); part = 1; sub(/^\/\* ---- /, ""); sub(/^[0-9]+\./, "**&**") }
part {
    done = sub(/ *----.*\*\/$/, "")
    sub(/^   /, "")
    print text($0)
    if (done) { part = 0; fence(); getline }
    next
}
/^$/ { blank = 1; next } # none at the ends of code
{ if (blank) print ""; blank = 0; print }
END { if (!exercises) print "```" }
