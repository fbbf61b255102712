# SPDX-FileCopyrightText: The Gertie authors
# SPDX-License-Identifier: Apache-2.0
#
# Judges every #include and every private type "..." of the files given against the floor plan, which is the first of them;
# and whether each public header says its library and is in the umbrella header of it.
# usage: awk -f rooms.awk table=rooms.txt rooms.txt src/ROOM/NAME.c ... include/gertie/NOUN.h ... cli/NAME.c ...

function fail(what) { printf "%s:%d: %s\n", FILENAME, FNR, what; ++failures }

# `= LIBRARY | NOUN` ends a library, which has the rooms before it; include/gertie/NOUN.h is its umbrella header.
FILENAME == table && $1 == "=" {
    for (noun in owner) if (!(noun in library)) { library[noun] = $2; needed[$4, noun] = 1 }
    if (smaller) needed[$4, smaller] = 1
    umbrella[$4] = library[$4] = $2
    smaller = $4
    next
}

# below[r, q]: room r may include from room q. The table is in order, so what is below q is known before r.
FILENAME == table && !/^#/ && NF {
    split($0, column, "|")
    room = column[1]; gsub(/ /, "", room)
    below[room, room] = known[room] = 1
    needs_count = split(column[2], needs, " ")
    for (i = 1; i <= needs_count; ++i) {
        if (!(needs[i] in known)) fail("room " needs[i] " stands below " room " but comes after it")
        for (q in known) if ((needs[i], q) in below) below[room, q] = 1
    }
    header_count = split(column[3], headers, " ")
    for (i = 1; i <= header_count; ++i) owner[headers[i]] = room
}
FILENAME == table { next }

FNR == 1 {
    ++files
    split(FILENAME, part, "/")
    if (part[1] == "src") {
        room = part[2]
        if (!(room in known)) fail("room " room " is not in rooms.txt")
    } else if (part[1] == "include") {
        noun = part[3]; sub(/\.h$/, "", noun)
        own_noun = noun
        room = noun in umbrella ? "umbrella" : noun in owner ? owner[noun] : ""
        if (room == "") fail("no room in rooms.txt owns this public header")
        seen[noun] = 1
    } else {
        room = "cli"
    }
}

/^[ \t]*#[ \t]*include[ \t]*"/ {
    split($0, quoted, "\"")
    include = quoted[2]
    ++includes
    if (include ~ /\.\./ || split(include, target, "/") > 3) {
        fail("\"" include "\": write room/name.h, room/part/name.h or gertie/noun.h")
    } else if (target[1] == "gertie") {
        noun = target[2]; sub(/\.h$/, "", noun)
        if (room == "umbrella") {
            if (!((own_noun, noun) in needed)) fail("gertie/" noun ".h is no header of " umbrella[own_noun])
            held[own_noun, noun] = 1
        } else if (noun in umbrella) {
            if (room != "cli") fail("only programs include gertie/" noun ".h")
        } else if (!(noun in owner)) {
            fail("gertie/" noun ".h belongs to no room")
        } else if (room != "cli" && !((room, owner[noun]) in below)) {
            fail(room " may not reach gertie/" noun ".h, which belongs to " owner[noun])
        }
    } else if (part[1] == "include") {
        fail("a public header includes the private \"" include "\"")
    } else if (room == "cli") {
        if (target[1] != "cli" && index(include, "/")) fail("cli may not reach the private \"" include "\"")
    } else if (!((room, target[1]) in below)) {
        fail(room " may not reach " include)
    }
}

# A public header begins with its licence, and then says its library.
part[1] == "include" && FNR == 4 && $0 != "/// @file" { fail("the fourth line is /// @file") }
part[1] == "include" && FNR == 5 && own_noun in library && index($0, "/// " library[own_noun] ": ") != 1 {
    fail("say the library first: /// " library[own_noun] ": ...")
}

# A private type has one name in all of src/, so that a search and a debugger find the one that is meant.
part[1] == "src" && /^(\} Gti[A-Za-z0-9]+;|(struct|enum|union) Gti[A-Za-z0-9]+ \{)/ {
    type = $2; sub(/;$/, "", type)
    if (type in defined) fail("the private type " type " is defined a second time; the first is in " defined[type])
    else defined[type] = FILENAME
}

END {
    for (pair in needed) {
        split(pair, both, SUBSEP)
        if (both[1] in seen && both[2] in seen && !(pair in held)) {
            printf "include/gertie/%s.h: lacks gertie/%s.h\n", both[1], both[2]
            ++failures
        }
    }
    if (files == 0 || includes == 0) { print "no sources found: nothing was checked"; exit 1 }
    printf "%d includes in %d files checked, %d out of place\n", includes, files, failures
    exit failures > 0
}
