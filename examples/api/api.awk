# api.awk - the public interface as JSON, from the headers as the compiler sees them: the output of
# `cc -E -dD` of all headers with SOOTH_LINKED. One line for each name, in the order of its kind and name.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
function text(s) {
    gsub(/[ \t]+/, " ", s); gsub(/^ | $/, "", s)
    gsub(/ ?\* ?/, " *", s); gsub(/\* \*/, "**", s); gsub(/\( /, "(", s); gsub(/ \)/, ")", s)
    gsub(/\\/, "\\\\", s); gsub(/"/, "\\\"", s)
    return s
}
# quoted(LIST, MARK): the items between marks at depth 0, as JSON strings
function quoted(list, mark,    out, at, c, depth, item) {
    for (at = 1; at <= length(list) + 1; ++at) {
        c = substr(list, at, 1)
        if (c ~ /[({[]/) ++depth
        if (c ~ /[])}]/) --depth
        if ((c == mark && !depth) || at > length(list)) {
            item = text(item)
            if (item != "") out = out (out == "" ? "" : ", ") "\"" item "\""
            item = ""
        } else item = item c
    }
    return "[" out "]"
}
function put(kind, name, rest) {
    if (name ~ /^soothi_|^SOOTHI_/ || (kind, name) in seen) return
    seen[kind, name] = 1
    print kind "\t" name "\t{\"name\": \"" name "\", \"header\": \"" header "\", " rest "}"
}
# what stands between the outer brackets
function inside(s) { sub(/^[^{]*\{/, "", s); sub(/\}[^}]*$/, "", s); return s }
function declare(s,    name, result, at) {
    gsub(/__attribute__ *\(\([^)]*\)\)/, "", s)
    sub(/^ *extern "C" *\{/, "", s); sub(/^[ \t]*(extern|static|__inline__|inline) +/, "", s)
    if (s ~ /^ *typedef (struct|union|enum) [a-z_0-9]+ *\{/) {
        name = s; sub(/.*\} */, "", name); sub(/ *$/, "", name)
        if (s ~ /^ *typedef enum/) put("enums", name, "\"values\": " quoted(inside(s), ","))
        else put("structs", name, "\"fields\": " quoted(inside(s), ";"))
    } else if (s ~ /^ *typedef/) {
        name = s
        if (s ~ /\(/) { sub(/ *\(.*/, "", name); if (name ~ /typedef [^*]*$/ && s ~ /\(\*/) name = s }
        if (match(name, /sooth_[a-z0-9_]+ *$/)) name = substr(name, RSTART, RLENGTH)
        sub(/ *$/, "", name)
        if (name ~ /^sooth_[a-z0-9_]+$/) put("types", name, "\"is\": \"" text(s) "\"")
    } else if (match(s, /sooth_[a-z0-9_]+ *\(/)) {
        name = substr(s, RSTART, RLENGTH - 1); at = RSTART
        sub(/ *$/, "", name)
        result = text(substr(s, 1, at - 1))
        s = substr(s, RSTART + RLENGTH); sub(/\) *$/, "", s)
        put("functions", name, "\"returns\": \"" result "\", \"takes\": " quoted(s == "void" ? "" : s, ","))
    }
}
/^# [0-9]+ "/ {
    ours = $3 ~ /include\/sooth/
    header = $3
    gsub(/^.*include\/(sooth\/)?|"/, "", header)
    sub(/\/.*/, ".h", header) # a part belongs to the header that its folder is called by
    next
}
!ours { next }
/^#define SOOTH_[A-Z0-9_]+/ {
    name = $2; value = $0
    sub(/\(.*/, "", name); sub(/^#define SOOTH_[A-Z0-9_]+ */, "", value)
    if (name ~ /_H$|^SOOTH_(API|LINKED|IMPLEMENTATION)$|_LIST$|_EXTRA$/ || $2 ~ /\(/) next
    put("macros", name, "\"value\": \"" text(value) "\"")
    next
}
/^#/ { next }
{
    line = $0
    while (line != "") {
        c = substr(line, 1, 1); line = substr(line, 2)
        if (c == "{") ++open
        if (c == "}") --open
        if (c == ";" && !open) { declare(statement); statement = "" }
        else if (c == "}" && !open && statement !~ /typedef/) statement = "" # the body of a function
        else statement = statement c
    }
    statement = statement " "
}
