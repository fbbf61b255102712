# SPDX-FileCopyrightText: The Gertie authors
# SPDX-License-Identifier: Apache-2.0
#
# Writes a file that is much of one thing, for house/bounds.
# usage: awk -v family=FAMILY -v n=SIZE -f worst_case.awk

function list(head, item, tail,    i, text)
{
    printf "%s", head
    for (i = 0; i < n; ++i) {
        text = item
        gsub(/@next/, i + 1, text)
        gsub(/@/, i, text)
        printf "%s%s", (i ? "," : ""), text
    }
    printf "%s", tail
}

# A glTF file: two times, two rotations, a triangle, joints, weights and a displacement, of which all is made.
function begin_gltf()
{
    printf "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"buffers\":[{\"byteLength\":172,\"uri\":\"data:application/octet-stream;base64,%s%s%s\"}],",
        "AAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAPQENT8AAAAA9AQ1PwAAAAAAAAAAAAAAAAAAgD8AAAAA",
        "AAAAAAAAAAAAAIA/AAAAAAAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAAAAAA",
        "AACAPwAAAAAAAAAAAAAAAAAAAAAAAAAAzczMPQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=="
    printf "\"bufferViews\":[{\"buffer\":0,\"byteLength\":172}],\"accessors\":["
    printf "{\"bufferView\":0,\"componentType\":5126,\"type\":\"SCALAR\",\"count\":2,\"min\":[0],\"max\":[1]},"
    printf "{\"bufferView\":0,\"byteOffset\":8,\"componentType\":5126,\"type\":\"VEC4\",\"count\":2},"
    printf "{\"bufferView\":0,\"byteOffset\":40,\"componentType\":5126,\"type\":\"VEC3\",\"count\":3,\"min\":[0,0,0],\"max\":[1,1,0]},"
    printf "{\"bufferView\":0,\"byteOffset\":76,\"componentType\":5121,\"type\":\"VEC4\",\"count\":3},"
    printf "{\"bufferView\":0,\"byteOffset\":88,\"componentType\":5126,\"type\":\"VEC4\",\"count\":3},"
    printf "{\"bufferView\":0,\"byteOffset\":136,\"componentType\":5126,\"type\":\"VEC3\",\"count\":3,\"min\":[0,0,0],\"max\":[0,0,0.1]}],"
}

function channels()
{
    printf "\"animations\":[{\"samplers\":[{\"input\":0,\"output\":1}],"
    list("\"channels\":[", "{\"sampler\":0,\"target\":{\"node\":@,\"path\":\"rotation\"}}", "]}]")
}

function gltf(    i)
{
    begin_gltf()
    if (family == "gltf-chain" || family == "gltf-fan" || family == "gltf-joints") {
        channels()
        printf ",\"scenes\":[{\"nodes\":[0%s]}],\"nodes\":[", (family == "gltf-joints" ? "," n : "")
        for (i = 0; i < n; ++i) {
            printf "%s{\"name\":\"j%d\",\"translation\":[0,0.001,0]", (i ? "," : ""), i
            if (family != "gltf-fan" && i + 1 < n) {
                printf ",\"children\":[%d]", i + 1
            } else if (family == "gltf-fan" && i == 0 && n > 1) {
                printf ",\"children\":["
                for (k = 1; k < n; ++k) {
                    printf "%s%d", (k == 1 ? "" : ","), k
                }
                printf "]"
            }
            printf "}"
        }
        if (family == "gltf-joints") {
            printf ",{\"mesh\":0,\"skin\":0}]"
            printf ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":2,\"JOINTS_0\":3,\"WEIGHTS_0\":4}}]}]"
            list(",\"skins\":[{\"joints\":[", "@", "]}]")
        } else {
            printf "]"
        }
    } else if (family == "gltf-primitives") {
        list("\"materials\":[", "{\"name\":\"m@\"}", "],")
        list("\"meshes\":[{\"primitives\":[", "{\"attributes\":{\"POSITION\":2},\"material\":@}", "]}],")
        printf "\"nodes\":[{\"mesh\":0}],\"scenes\":[{\"nodes\":[0]}]"
    } else if (family == "gltf-instances") {
        printf "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":2}}]}],"
        list("\"nodes\":[", "{\"mesh\":0,\"translation\":[@,0,0]}", "],")
        list("\"scenes\":[{\"nodes\":[", "@", "]}]")
    } else if (family == "gltf-morphs") {
        list("\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":2},\"targets\":[", "{\"POSITION\":5}", "]}]}],")
        printf "\"nodes\":[{\"mesh\":0}],\"scenes\":[{\"nodes\":[0]}]"
    } else { # gltf-clips
        list("\"animations\":[", "{\"name\":\"c@\",\"samplers\":[{\"input\":0,\"output\":1}],\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"rotation\"}}]}", "],")
        printf "\"nodes\":[{\"name\":\"j\"}],\"scenes\":[{\"nodes\":[0]}]"
    }
    print "}"
}

function bvh(    i, depth)
{
    print "HIERARCHY\nROOT j0\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation"
    depth = family == "bvh-chain" ? n : 1
    for (i = 1; i < n; ++i) {
        print "JOINT j" i "\n{\nOFFSET 0 0.001 0\nCHANNELS 3 Zrotation Xrotation Yrotation"
        if (depth == 1) {
            print "}"
        }
    }
    print "End Site\n{\nOFFSET 0 0.1 0\n}"
    for (i = 0; i < depth; ++i) {
        print "}"
    }
    print "MOTION\nFrames: 2\nFrame Time: 0.0333"
    for (i = 0; i < 6 * n; ++i) {
        printf "%d%s", i % 7, ((i + 1) % (3 * n) ? " " : "\n")
    }
}

function obj(    i, side)
{
    if (family == "obj-polygon" || family == "obj-hub") { # one face of n corners, or n triangles about one corner
        print "v 0 0 0.1"
        for (i = 0; i < n; ++i) {
            print "v", cos(6.283185307 * i / n) * (1 + 0.1 * (i % 2)), sin(6.283185307 * i / n), 0
        }
        if (family == "obj-polygon") {
            printf "f"
            for (i = 0; i < n; ++i) {
                printf " %d", i + 2
            }
            print ""
        } else {
            for (i = 0; i < n; ++i) {
                print "f 1", i + 2, (i + 1) % n + 2
            }
        }
    } else if (family == "obj-corners") { # one face of n corners over three vertices
        print "v 0 0 0\nv 1 0 0\nv 0 1 0"
        printf "f"
        for (i = 0; i < n; ++i) {
            printf " %d", i % 3 + 1
        }
        print ""
    } else if (family == "obj-sheet") { # a fine square that hangs together
        side = int(sqrt(n / 2))
        for (i = 0; i < (side + 1) * (side + 1); ++i) {
            print "v", i % (side + 1) / side, int(i / (side + 1)) / side, 0.1 * sin(i)
        }
        for (i = 0; i < side * side; ++i) {
            at = i + int(i / side) + 1
            print "f", at, at + 1, at + side + 2
            print "f", at, at + side + 2, at + side + 1
        }
    } else { # obj-soup: n triangles of their own; obj-heap: all in one place; obj-groups: each a group and a material
        for (i = 0; i < n; ++i) {
            x = family == "obj-heap" ? 0 : i
            if (family == "obj-groups") {
                print "g g" i "\nusemtl m" i
            }
            print "v", x, 0, 0 "\nv", x + 0.5, 0, 0 "\nv", x, 0.5, 0
            print "f -3 -2 -1"
        }
    }
}

function json(    i)
{
    if (family == "json-keys") {
        list("{\"gertie_keys\":1,\"rotations\":[{\"joint\":\"head\",\"keys\":[", "{\"time_s\":@,\"rotation_deg\":[0,10,0]}", "]}]}")
    } else { # json-contacts
        list("{\"gertie_contacts\":1,\"contacts\":{\"leftHeel\":[", "[@,@.5]", "]}}")
    }
    print ""
}

BEGIN {
    if (family ~ /^gltf/) {
        gltf()
    } else if (family ~ /^bvh/) {
        bvh()
    } else if (family ~ /^obj/) {
        obj()
    } else {
        json()
    }
}
