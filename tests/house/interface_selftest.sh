#!/bin/sh
# SPDX-FileCopyrightText: The Gertie authors
# SPDX-License-Identifier: Apache-2.0
#
# Shows that interface.sh can fail: breaks one rule at a time in a small house and wants it named.

set -eu
here=$(cd "$(dirname "$0")" && pwd)
house=$(mktemp -d)
trap 'rm -rf "$house"' EXIT
failures=0

build() {
    rm -rf "${house:?}"/*
    mkdir -p "$house/include/gertie" "$house/tests/house" "$house/tests/render" "$house/docs"
    echo 'gt_thing_create(), gt_default_x_def() and other gt_thing_*' >"$house/docs/thing.md"
    for folder in src cli examples bench fuzz; do
        mkdir -p "$house/$folder"
    done
    cat >"$house/include/gertie/thing.h" <<'END'
/// An angle_deg in a comment is fine.
typedef struct GtThingDef {
    float angle_rad; ///< 90 degrees
} GtThingDef;
GT_API GtThingDef gt_default_thing_def(void);
GT_API GtResult gt_thing_create(GtAllocator allocator, const GtThingDef* def,
                                GtThing** out);
GT_API void gt_thing_destroy(GtThing* thing);
END
    cat >"$house/src/thing.c" <<'END'
GtThingDef gt_default_thing_def(void)
{
}
GtResult gt_thing_create(GtAllocator allocator, const GtThingDef* def,
                         GtThing** out)
{
    gt_thing_destroy(*out);
}
void gt_thing_destroy(GtThing* thing)
{
}
END
    cat >"$house/examples/a.c" <<'END'
    GtThingDef def = gt_default_thing_def();
    gt_thing_create(allocator, &def, &thing);
    gt_thing_destroy(thing); // gt_thing_destroy()
END
    echo '    gt_thing_create(NULL); gt_thing_destroy(NULL);' >"$house/tests/house/null_test.c"
}

# want EXPECTED: EXPECTED is a part of the complaint, or empty where there is none
want() {
    said=$(sh "$here/interface.sh" "$house") && status=0 || status=1
    case $status:$said in
    0:*) [ -z "$1" ] && return ;;
    1:*"$1"*) [ -n "$1" ] && return ;;
    esac
    echo "FAIL: wanted '$1', got: $said"
    failures=$((failures + 1))
}

build
want ""
build
sed -i 's/angle_rad/angle_deg/' "$house/include/gertie/thing.h"
want "include/gertie/thing.h:3: a field in degrees"
build
sed -i '/gt_default_thing_def/d' "$house/include/gertie/thing.h"
want "GtThingDef has no gt_default_thing_def()"
build
sed -i 's/gt_thing_destroy(NULL);//' "$house/tests/house/null_test.c"
want "gt_thing_destroy(NULL) is called by no test"
build
sed -i 's/gt_thing_create(NULL);//' "$house/tests/house/null_test.c"
want "gt_thing_create() is called with a NULL def by no test"
build
sed -i '/    gt_thing_destroy(thing);/d' "$house/examples/a.c" # its own file still calls it
want "gt_thing_destroy() is used by tests alone"
build
echo '    say("gt_default_thing_def()");' >"$house/cli/a.c"
sed -i 's/= gt_default_thing_def()/= { 0 }/' "$house/examples/a.c"
want "gt_default_thing_def() is used by tests alone"
build
echo 'see gt_thing_destroy, gt_thing_make' >>"$house/docs/thing.md"
want "docs/thing.md:2: there is no gt_thing_make()"
rm "$house/include/gertie/thing.h" "$house/docs/thing.md"
want "no public functions found"

echo "$failures failures"
[ "$failures" -eq 0 ]
