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

# What follows the items: @ is the number of each.
function times(item,    i, text)
{
    for (i = 0; i < n; ++i) {
        text = item
        gsub(/@next/, i + 1, text)
        gsub(/@before/, i - 1, text)
        gsub(/@/, i, text)
        printf "%s", text
    }
}

function fbx_array(name, count, item)
{
    printf "%s: *%d {\na: ", name, count
    list("", item, "\n}\n")
}

# A mesh of n triangles, each with points of its own, or one of one triangle.
function fbx_geometry(many)
{
    print "Geometry: 9000001, \"Geometry::g\", \"Mesh\" {"
    if (many) {
        fbx_array("Vertices", 9 * n, "@,0,0,@.5,0,0,@,1,0")
        printf "PolygonVertexIndex: *%d {\na: ", 3 * n
        for (i = 0; i < n; ++i) {
            printf "%s%d,%d,-%d", (i ? "," : ""), 3 * i, 3 * i + 1, 3 * i + 3
        }
        print "\n}"
    } else {
        print "Vertices: *9 {\na: 0,0,0,1,0,0,0,1,0\n}\nPolygonVertexIndex: *3 {\na: 0,1,-3\n}"
    }
}

function fbx_model(id, kind)
{
    print "Model: " id ", \"Model::j" id "\", \"" kind "\" {\n}"
}

function fbx_curve(id, keys)
{
    print "AnimationCurve: " id ", \"AnimCurve::\", \"\" {\n" keys cubic "}"
}

function fbx_begin()
{
    print "; FBX 7.4.0 project file\nFBXHeaderExtension:  {\nFBXVersion: 7400\n}\nObjects:  {"
}

function fbx_stack()
{
    print "AnimationStack: 9000002, \"AnimStack::s\", \"\" {\n}\nAnimationLayer: 9000003, \"AnimLayer::l\", \"\" {\n}"
}

function fbx_connect()
{
    print "}\nConnections:  {"
}

function fbx(    i)
{
    fbx_begin()
    cubic = "KeyAttrFlags: *1 {\na: 24840\n}\nKeyAttrDataFloat: *4 {\na: 0,0,0,0\n}\nKeyAttrRefCount: *1 {\na: 1000000\n}\n"
    two_keys = "KeyTime: *2 {\na: 0,46186158000\n}\nKeyValueFloat: *2 {\na: 0,90\n}\n"
    if (family == "fbx-depth") { # nodes, one inside the other
        for (i = 0; i < n; ++i) {
            print "A:  {"
        }
        for (i = 0; i < n; ++i) {
            print "}"
        }
        fbx_connect()
    } else if (family == "fbx-chain" || family == "fbx-fan" || family == "fbx-curves") {
        times("Model: 1@, \"Model::j@\", \"LimbNode\" {\nProperties70:  {\nP: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",0,0.1,0\n}\n}\n")
        fbx_stack()
        times("AnimationCurveNode: 2@, \"AnimCurveNode::R\", \"\" {\n}\n")
        if (family == "fbx-curves") { # each at times of its own
            times("AnimationCurve: 3@, \"AnimCurve::\", \"\" {\nKeyTime: *3 {\na: 0,@000000,46186158000\n}\nKeyValueFloat: *3 {\na: 0,90,10\n}\n" cubic "}\n")
        } else {
            fbx_curve("9000004", two_keys)
        }
        fbx_connect()
        print "C: \"OO\",9000003,9000002\nC: \"OO\",10,0"
        for (i = 1; i < n; ++i) {
            print "C: \"OO\",1" i "," (family == "fbx-chain" ? 1 (i - 1) : 0)
        }
        times("C: \"OO\",2@,9000003\nC: \"OP\",2@,1@, \"Lcl Rotation\"\nC: \"OP\"," (family == "fbx-curves" ? "3@" : "9000004") ",2@, \"d|X\"\n")
    } else if (family == "fbx-connections") { # all among sixteen models, so that most repeat, and all are in circles
        for (i = 0; i < 16; ++i) {
            fbx_model("1" i, "Null")
        }
        fbx_connect()
        for (i = 0; i < n; ++i) {
            print "C: \"OO\",1" i % 16 ",1" int(i / 16 * 7) % 16
        }
    } else if (family == "fbx-keys" || family == "fbx-layers" || family == "fbx-clips") {
        fbx_model(9000010, "LimbNode")
        fbx_model(9000011, "LimbNode")
        if (family == "fbx-keys") {
            fbx_stack()
            print "AnimationCurveNode: 2, \"AnimCurveNode::R\", \"\" {\n}\nAnimationCurve: 3, \"AnimCurve::\", \"\" {"
            fbx_array("KeyTime", n, "@000000000")
            fbx_array("KeyValueFloat", n, "0.@")
            print "" cubic "}"
            fbx_connect()
            print "C: \"OO\",9000003,9000002\nC: \"OO\",2,9000003\nC: \"OP\",2,9000011, \"Lcl Rotation\"\nC: \"OP\",3,2, \"d|X\""
        } else if (family == "fbx-layers") {
            fbx_stack()
            times("AnimationLayer: 1@, \"AnimLayer::l@\", \"\" {\n}\nAnimationCurveNode: 2@, \"AnimCurveNode::R\", \"\" {\n}\nAnimationCurve: 3@, \"AnimCurve::\", \"\" {\nKeyTime: *3 {\na: 0,@000000,46186158000\n}\nKeyValueFloat: *3 {\na: 0,90,10\n}\n" cubic "}\n")
            fbx_connect()
            times("C: \"OO\",1@,9000002\nC: \"OO\",2@,1@\nC: \"OP\",2@,9000011, \"Lcl Rotation\"\nC: \"OP\",3@,2@, \"d|X\"\n")
        } else {
            times("AnimationStack: 1@, \"AnimStack::s@\", \"\" {\n}\nAnimationLayer: 2@, \"AnimLayer::l\", \"\" {\n}\nAnimationCurveNode: 3@, \"AnimCurveNode::R\", \"\" {\n}\n")
            fbx_curve("9000004", two_keys)
            fbx_connect()
            times("C: \"OO\",2@,1@\nC: \"OO\",3@,2@\nC: \"OP\",3@,9000011, \"Lcl Rotation\"\nC: \"OP\",9000004,3@, \"d|X\"\n")
        }
        print "C: \"OO\",9000010,0\nC: \"OO\",9000011,9000010"
    } else if (family == "fbx-takes") { # clips and models, each moved by one
        times("Model: 1@, \"Model::j@\", \"LimbNode\" {\n}\nAnimationStack: 2@, \"AnimStack::s@\", \"\" {\n}\nAnimationLayer: 3@, \"AnimLayer::l\", \"\" {\n}\nAnimationCurveNode: 4@, \"AnimCurveNode::R\", \"\" {\n}\n")
        fbx_curve("9000004", two_keys)
        fbx_connect()
        times("C: \"OO\",1@,0\nC: \"OO\",3@,2@\nC: \"OO\",4@,3@\nC: \"OP\",4@,1@, \"Lcl Rotation\"\nC: \"OP\",9000004,4@, \"d|X\"\n")
    } else if (family == "fbx-shapes" || family == "fbx-faces") { # of one triangle, or of many materials
        fbx_model("9000000", "Mesh")
        fbx_geometry(family == "fbx-faces")
        if (family == "fbx-faces") {
            print "LayerElementMaterial: 0 {\nMappingInformationType: \"ByPolygon\"\nReferenceInformationType: \"IndexToDirect\""
            fbx_array("Materials", n, "@")
            print "}"
        }
        print "}\nDeformer: 9000005, \"Deformer::b\", \"BlendShape\" {\n}"
        fbx_stack()
        times("Deformer: 1@, \"SubDeformer::s@\", \"BlendShapeChannel\" {\n}\nGeometry: 2@, \"Geometry::s@\", \"Shape\" {\nIndexes: *1 {\na: " (family == "fbx-faces" ? "@" : "1") "\n}\nVertices: *3 {\na: 0,0,1\n}\n}\nAnimationCurveNode: 3@, \"AnimCurveNode::D\", \"\" {\n}\nAnimationCurve: 4@, \"AnimCurve::\", \"\" {\nKeyTime: *2 {\na: 0,@000000\n}\nKeyValueFloat: *2 {\na: 0,90\n}\n" cubic "}\n")
        if (family == "fbx-faces") {
            times("Material: 5@, \"Material::m@\", \"\" {\n}\n")
        }
        fbx_connect()
        print "C: \"OO\",9000000,0\nC: \"OO\",9000001,9000000\nC: \"OO\",9000005,9000001\nC: \"OO\",9000003,9000002"
        times("C: \"OO\",1@,9000005\nC: \"OO\",2@,1@\nC: \"OO\",3@,9000003\nC: \"OP\",3@,1@, \"DeformPercent\"\nC: \"OP\",4@,3@, \"d|DeformPercent\"\n")
        if (family == "fbx-faces") {
            times("C: \"OO\",5@,9000000\n")
        }
    } else if (family == "fbx-instances") { # of one mesh, each with a material of its own
        times("Model: 1@, \"Model::j@\", \"Mesh\" {\n}\nMaterial: 2@, \"Material::m@\", \"\" {\n}\n")
        fbx_geometry(1)
        print "}"
        fbx_connect()
        times("C: \"OO\",1@,0\nC: \"OO\",9000001,1@\nC: \"OO\",2@,1@\n")
    } else if (family == "fbx-clusters") {
        times("Model: 1@, \"Model::j@\", \"LimbNode\" {\n}\nDeformer: 2@, \"SubDeformer::\", \"Cluster\" {\nIndexes: *1 {\na: 1\n}\nWeights: *1 {\na: 0.@\n}\nTransform: *16 {\na: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1\n}\n}\n")
        print "Deformer: 9000005, \"Deformer::\", \"Skin\" {\n}"
        fbx_model("9000000", "Mesh")
        fbx_geometry(0)
        print "}"
        fbx_connect()
        print "C: \"OO\",9000000,0\nC: \"OO\",9000001,9000000\nC: \"OO\",9000005,9000001"
        times("C: \"OO\",1@,0\nC: \"OO\",2@,9000005\nC: \"OO\",1@,2@\n")
    } else if (family == "fbx-pictures") { # each of a material of its own, and none is there
        fbx_model("9000000", "Mesh")
        fbx_geometry(0)
        print "}"
        times("Material: 1@, \"Material::m@\", \"\" {\n}\nTexture: 2@, \"Texture::t@\", \"\" {\nRelativeFilename: \"p@.png\"\n}\n")
        fbx_connect()
        print "C: \"OO\",9000000,0\nC: \"OO\",9000001,9000000"
        times("C: \"OO\",1@,9000000\nC: \"OP\",2@,1@, \"DiffuseColor\"\n")
    } else if (family == "fbx-sheet" || family == "fbx-polygon") {
        fbx_model("9000000", "Mesh")
        if (family == "fbx-sheet") {
            fbx_geometry(1)
            print "LayerElementNormal: 0 {\nMappingInformationType: \"ByPolygonVertex\"\nReferenceInformationType: \"Direct\""
            fbx_array("Normals", 9 * n, "0,@,1,0,1,@,1,0,0")
            print "}\n}"
        } else {
            print "Geometry: 9000001, \"Geometry::g\", \"Mesh\" {"
            fbx_array("Vertices", 3 * n, "@,0.@,1.@")
            printf "PolygonVertexIndex: *%d {\na: ", n
            for (i = 0; i + 1 < n; ++i) {
                printf "%d,", i
            }
            print "-" n "\n}\n}"
        }
        fbx_connect()
        print "C: \"OO\",9000000,0\nC: \"OO\",9000001,9000000"
    } else { # fbx-properties: of one object, and of its template
        print "Model: 10, \"Model::j0\", \"Null\" {\nProperties70:  {"
        times("P: \"p@\", \"KString\", \"\", \"U\", \"v\"\n")
        print "}\n}\n}\nDefinitions:  {\nObjectType: \"Model\" {\nPropertyTemplate: \"FbxNode\" {\nProperties70:  {"
        times("P: \"q@\", \"double\", \"Number\", \"\",@\n")
        print "}\n}\n}"
        fbx_connect()
        print "C: \"OO\",10,0"
    }
    print "}"
}

function dae_source(id, count, item, stride)
{
    printf "<source id=\"%s\"><float_array id=\"%s-a\" count=\"%d\">", id, id, count
    times(item)
    printf "</float_array><technique_common><accessor source=\"#%s-a\" count=\"%d\" stride=\"%d\"/></technique_common></source>\n", id, count / stride, stride
}

# A mesh of n triangles, or one of one.
function dae_geometry(id, many,    i)
{
    print "<geometry id=\"" id "\"><mesh>"
    if (many) {
        dae_source(id "p", 9 * n, "@ 0 0 @.5 0 0 @ 1 0 ", 3)
    } else {
        print "<source id=\"" id "p\"><float_array id=\"" id "p-a\" count=\"9\">0 0 0 1 0 0 0 1 0</float_array><technique_common><accessor source=\"#" id "p-a\" count=\"3\" stride=\"3\"/></technique_common></source>"
    }
    print "<vertices id=\"" id "v\"><input semantic=\"POSITION\" source=\"#" id "p\"/></vertices>"
    print "<triangles material=\"m\"><input semantic=\"VERTEX\" source=\"#" id "v\" offset=\"0\"/><p>"
    if (many) {
        for (i = 0; i < 3 * n; ++i) {
            printf "%d ", i
        }
    } else {
        print "0 1 2"
    }
    print "</p></triangles></mesh></geometry>"
}

function dae(    i)
{
    print "<?xml version=\"1.0\"?><COLLADA version=\"1.4.1\"><library_geometries>"
    if (family == "dae-sheet" || family == "dae-instances" || family == "dae-morphs") {
        dae_geometry("g", family != "dae-morphs")
    }
    if (family == "dae-morphs") {
        for (k = 0; k < n; ++k) {
            dae_geometry("t" k, 0)
        }
    }
    print "</library_geometries>"
    if (family == "dae-morphs") {
        printf "<library_controllers><controller id=\"k\"><morph source=\"#g\"><source id=\"mt\"><IDREF_array id=\"mta\" count=\"%d\">", n
        times("t@ ")
        print "</IDREF_array></source>"
        dae_source("mw", n, "0.5 ", 1)
        print "<targets><input semantic=\"MORPH_TARGET\" source=\"#mt\"/><input semantic=\"MORPH_WEIGHT\" source=\"#mw\"/></targets></morph></controller></library_controllers>"
    }
    if (family == "dae-materials") {
        print "<library_effects>"
        times("<effect id=\"e@\"><profile_COMMON><technique sid=\"t\"><lambert><diffuse><color>1 0 0 1</color></diffuse></lambert></technique></profile_COMMON></effect>\n")
        print "</library_effects><library_materials>"
        times("<material id=\"m@\"><instance_effect url=\"#e@\"/></material>\n")
        print "</library_materials>"
    }
    if (family == "dae-curves" || family == "dae-keys") {
        print "<library_animations>"
        if (family == "dae-keys") {
            print "<animation>"
            dae_source("i", n, "@ ", 1)
            dae_source("o", n, "@ ", 1)
            print "<sampler id=\"s\"><input semantic=\"INPUT\" source=\"#i\"/><input semantic=\"OUTPUT\" source=\"#o\"/></sampler><channel source=\"#s\" target=\"j0/r.ANGLE\"/></animation>"
        } else {
            times("<animation><source id=\"i@\"><float_array id=\"ia@\" count=\"2\">0 1.@</float_array><technique_common><accessor source=\"#ia@\" count=\"2\"/></technique_common></source><source id=\"o@\"><float_array id=\"oa@\" count=\"2\">0 45</float_array><technique_common><accessor source=\"#oa@\" count=\"2\"/></technique_common></source><sampler id=\"s@\"><input semantic=\"INPUT\" source=\"#i@\"/><input semantic=\"OUTPUT\" source=\"#o@\"/></sampler><channel source=\"#s@\" target=\"j@/r.ANGLE\"/></animation>\n")
        }
        print "</library_animations>"
    }
    print "<library_visual_scenes><visual_scene id=\"v\">"
    if (family == "dae-chain" || family == "dae-fan" || family == "dae-curves" || family == "dae-keys") {
        for (i = 0; i < n; ++i) {
            printf "<node id=\"j%d\"><rotate sid=\"r\">1 0 0 10</rotate>%s\n", i, (family == "dae-chain" ? "" : "</node>")
        }
        for (i = 0; i < n && family == "dae-chain"; ++i) {
            print "</node>"
        }
    } else if (family == "dae-instances") {
        times("<node id=\"n@\"><instance_geometry url=\"#g\"/></node>\n")
    } else if (family == "dae-nodes") { # each shows the one after it twice: 2^n nodes, if they were made
        times("<node id=\"n@\"><instance_node url=\"#n@next\"/><instance_node url=\"#n@next\"/></node>\n")
    } else if (family == "dae-morphs") {
        print "<node><instance_controller url=\"#k\"/></node>"
    } else if (family == "dae-sheet") {
        print "<node><instance_geometry url=\"#g\"/></node>"
    } else {
        print "<node id=\"n\"/>"
    }
    print "</visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#v\"/></scene></COLLADA>"
}

function sk(    i)
{
    print "# SK\nset_name man\nskeleton"
    print "root j0\n{ offset 0 0 0\nchannel Quat"
    for (i = 1; i < n; ++i) {
        print "joint j" i " { offset 0 0.001 0\nchannel Quat" (family == "sk-fan" ? " }" : "")
    }
    for (i = 1; i < n && family == "sk-chain"; ++i) {
        print "}"
    }
    print "}\nend"
}

function skm()
{
    print "SkMotion\nname \"m\"\nchannels 1\nj0 Quat\nframes " n
    times("kt @ fr 0 0.@ 0\n")
}

function asf(    i)
{
    print ":version 1.10\n:name VICON\n:units\n mass 1.0\n length 0.45\n angle deg\n:root\n order TX TY TZ RX RY RZ\n axis XYZ\n position 0 0 0\n orientation 0 0 0\n:bonedata"
    times(" begin\n id @next\n name j@\n direction 0 1 0\n length 1\n axis 0 0 0 XYZ\n dof rx ry rz\n end\n")
    print ":hierarchy\n begin\n root j0"
    for (i = 1; i < n; ++i) {
        print (family == "asf-fan" ? "root" : "j" (i - 1)), "j" i
    }
    print " end"
}

function amc()
{
    print ":FULLY-SPECIFIED\n:DEGREES"
    times("@next\nroot 0 0 0 @ 0 0\nj0 1 2 @\n")
}

BEGIN {
    kind = family
    sub(/-.*/, "", kind)
    if (kind == "gltf") {
        gltf()
    } else if (kind == "bvh") {
        bvh()
    } else if (kind == "obj") {
        obj()
    } else if (kind == "fbx") {
        fbx()
    } else if (kind == "dae") {
        dae()
    } else if (kind == "sk") {
        sk()
    } else if (kind == "skm") {
        skm()
    } else if (kind == "asf") {
        asf()
    } else if (kind == "amc") {
        amc()
    } else {
        json()
    }
}
