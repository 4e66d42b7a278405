# symbols.awk - the public symbols of headers, a line "name chapter header" for each: a part is in the chapter
# of the header that it belongs to. With -v complain=1 instead: functions without a comment.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
#
# A function has a comment if one stands above it, above others right before it, or after it.
function file_name(path) { if (!sub(/^.*include\/sooth\//, "", path)) sub(/.*\//, "", path); return path }
function chapter(path) { path = file_name(path); if (sub(/\/.*/, "", path)) path = path ".h"; return path }
function found(name) {
    if (!complain && !(name in seen)) print name, chapter(FILENAME), file_name(FILENAME)
    seen[name] = 1
}
FNR == 1 {
    top = body = 1
    told = 0
    if (!complain) print "h-" file_name(FILENAME), chapter(FILENAME), file_name(FILENAME)
}
top { if (/^ \*\//) top = 0; next }
/^#if defined\(SOOTH_IMPLEMENTATION\)/ { body = 0 }
!body { next }
comment { if (/\*\//) comment = 0; next }
/^$/ { told = 0; next }
/^\/\*/ { told = 1; comment = !/\*\//; next }
/^SOOTH_API/ || (declaring && !/^[#}]/) {
    if (/^SOOTH_API/) declaring = 1
    if (declaring && match($0, /sooth_[a-z0-9_]+\(/)) {
        name = substr($0, RSTART, RLENGTH - 1)
        found(name)
        if (complain && !told && !/\/\*/) print file_name(FILENAME) ": " name " has no prose"
        declaring = 0
    }
}
/^#define SOOTH_[A-Z0-9_]+/ { name = $2; sub(/\(.*/, "", name); if (name !~ /_(H|IMPLEMENTED)$/) found(name) }
/^typedef (struct|enum|union) sooth_[a-z0-9_]+/ { found($3) }
/^} sooth_[a-z0-9_]+;/ { name = $2; sub(/;/, "", name); found(name) }
/^typedef [a-z].*sooth_[a-z0-9_]+_fn\)?\(/ && match($0, /sooth_[a-z0-9_]+_fn/) {
    found(substr($0, RSTART, RLENGTH))
}
/^    SOOTH_[A-Z0-9_]+( =|,|$| )/ { name = $1; sub(/[,=].*/, "", name); found(name) }
