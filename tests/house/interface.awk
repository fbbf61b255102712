# SPDX-FileCopyrightText: The Gertie authors
# SPDX-License-Identifier: Apache-2.0
#
# Judges the public headers by the rules of gertie/api.h: every Def has its default function, no field is in degrees,
# what may be NULL is called with NULL by the tests of that, every function is used by something other than tests, and
# documents name no others.
# usage: awk -f interface.awk include/gertie/NOUN.h ... PAGE.md ... the tests of NULL ... src/ROOM/NAME.c ... cli/NAME.c ...

function fail(file, what) { printf "%s: %s\n", file, what; ++failures }

# GtHarmonicBakeDef to gt_default_harmonic_bake_def
function default_of(type,    name, i, letter) {
    name = "gt_default"
    for (i = 3; i <= length(type); ++i) {
        letter = substr(type, i, 1)
        name = name (letter ~ /[A-Z]/ ? "_" : "") tolower(letter)
    }
    return name
}

FNR == 1 { split(FILENAME, part, "/"); ++files }

# Documents: `gt_name`, `gt_name_*` for several, and gt_x_verb or gt_noun_verb for all.
FILENAME ~ /\.md$/ {
    line = $0
    while (match(line, /gt_[a-z0-9_]+/)) {
        name = substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART + RLENGTH)
        if (name in header || name in inlined || name ~ /_$|_x_|^gt_noun_/) continue
        fail(FILENAME ":" FNR, "there is no " name "()")
    }
    next
}

# Comments and texts name functions without using them.
{ gsub(/"(\\.|[^"\\])*"/, "\"\""); sub(/\/\/.*/, "") }

part[1] == "include" {
    if (/^typedef struct Gt[A-Za-z0-9]+Def /) def_header[$3] = FILENAME
    if (/^ .*[a-z0-9]_deg(\[[^]]*\])?(,.*)?;/) fail(FILENAME ":" FNR, "a field in degrees: keep radians, print gt_degrees()")
    if (/^static inline/ && match($0, /gt_[a-z0-9_]+\(/)) inlined[substr($0, RSTART, RLENGTH - 1)] = 1
    declaration = (declaration && declaration !~ /;/ ? declaration " " : "") $0
    if (declaration !~ /^GT_API/) declaration = ""
    if (declaration ~ /;/ && match(declaration, /gt_[a-z0-9_]+\(/)) {
        name = substr(declaration, RSTART, RLENGTH - 1)
        header[name] = FILENAME
        if (name ~ /_(destroy|close|release)$/) frees[name] = 1
        if (declaration ~ /const Gt[A-Za-z0-9]+Def\* def[,)]/) takes_def[name] = 1
    }
    next
}

# A line that begins at the left is a definition; all others use what they name.
{
    line = $0
    while (match(line, /gt_[a-z0-9_]+/)) {
        name = substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART + RLENGTH)
        if (!(name in header)) continue
        if (part[1] == "tests") tried[name] = 1
        else if ($0 ~ /^[A-Za-z]/ && line ~ /^\(/ && !(name in defined)) defined[name] = FILENAME
        else uses[name, FILENAME] = 1
    }
}

END {
    for (type in def_header) {
        if (!(default_of(type) in header)) fail(def_header[type], type " has no " default_of(type) "()")
    }
    for (name in frees) {
        if (!(name in tried)) fail(header[name], name "(NULL) is called by no test of what may be NULL")
    }
    for (name in takes_def) {
        if (!(name in tried)) fail(header[name], name "() is called with a NULL def by no test of what may be NULL")
    }
    for (use in uses) { # what only the file uses that defines it is not used
        split(use, pair, SUBSEP)
        if (defined[pair[1]] != pair[2]) used[pair[1]] = 1
    }
    for (name in header) {
        ++functions
        if (!(name in used)) fail(header[name], name "() is used by tests alone: use it, show it in examples/, or drop it")
    }
    if (!functions) { print "no public functions found: nothing was checked"; exit 1 }
    printf "%d functions in %d files checked, %d faults\n", functions, files, failures
    exit failures > 0
}
