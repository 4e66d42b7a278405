# pull.awk - writes a template of a proof with the functions and structs it names, annotated: see tree.acsl.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
function pull(file, name,    line, head, open, loops, begins) {
    while ((getline line < file) > 0) {
        begins = line ~ "^SOOTH.*[ *]" name "\\(" || line == "typedef struct " name " {"
        if (!open && (head != "" || begins)) { # its head, or only a prototype
            head = head line "\n"
            if (line ~ /;$/) head = ""
            if (line ~ /\{$/) { printf "%s", head; open = 1 }
            continue
        }
        if (!open) continue
        if (line ~ /^ +(for|do|while) *[({]/ && ++loops in notes) print "/*@ " notes[loops] " */"
        print line
        if (line ~ /^}/) break
    }
    close(file)
    if (!open) print "#error \"no " name " in " file "\""
}
function flush() { if (name != "") pull(file, name); name = ""; split("", notes); loop = 1 }
/^\/\/s / { next }
/^\/\/= / { flush(); file = $2; name = $3; next }
/^\/\/\|$/ { ++loop; next }
/^\/\/\| / { notes[loop] = notes[loop] substr($0, 4) "\n"; next }
{ flush(); print }
END { flush() }
