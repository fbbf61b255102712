// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Objects, connections, templates and settings of FBX files, written as text by hand after what the FBX SDK writes.

#include "gertie/scene.h"
#include "io/fbx/graph.h"
#include "support/test.h"

#include <stdlib.h>

static const char file[] = //
    "; FBX 7.5.0 project file\n"
    "GlobalSettings: {\n"
    " Properties70: {\n"
    "  P: \"UpAxis\", \"int\", \"Integer\", \"\",2\n"
    "  P: \"UpAxisSign\", \"int\", \"Integer\", \"\",1\n"
    "  P: \"FrontAxis\", \"int\", \"Integer\", \"\",1\n"
    "  P: \"FrontAxisSign\", \"int\", \"Integer\", \"\",-1\n"
    "  P: \"CoordAxis\", \"int\", \"Integer\", \"\",0\n"
    "  P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",2.54\n"
    "  P: \"TimeMode\", \"enum\", \"\", \"\",10\n"
    " }\n"
    "}\n"
    "Definitions: {\n"
    " ObjectType: \"Model\" {\n"
    "  Count: 3\n"
    "  PropertyTemplate: \"FbxNode\" {\n"
    "   Properties70: {\n"
    "    P: \"Lcl Scaling\", \"Lcl Scaling\", \"\", \"A\",1,2,3\n"
    "    P: \"InheritType\", \"enum\", \"\", \"\",1\n"
    "   }\n"
    "  }\n"
    " }\n"
    " ObjectType: \"NodeAttribute\" {\n"
    "  PropertyTemplate: \"FbxCamera\" { Properties70: { P: \"Size\", \"double\", \"Number\", \"\",7 } }\n"
    "  PropertyTemplate: \"FbxSkeleton\" { Properties70: { P: \"Size\", \"double\", \"Number\", \"\",9 } }\n"
    " }\n"
    "}\n"
    "Objects: {\n"
    " Model: 10, \"Model::Hips\", \"LimbNode\" {\n"
    "  Properties70: {\n"
    "   P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",0,1,0\n"
    "   P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",1.5,-2,4\n"
    "   P: \"InheritType\", \"enum\", \"\", \"\",2\n"
    "   P: \"note\", \"KString\", \"\", \"A+U\", \"kept\"\n"
    "  }\n"
    " }\n"
    " Model: 11, \"Model::a::b\", \"LimbNode\" {\n }\n"
    " Model: 12, \"Model::Eye\", \"Camera\" {\n }\n"
    " Model: 12, \"Model::Twin\", \"Null\" {\n }\n"
    " NodeAttribute: 20, \"NodeAttribute::\", \"LimbNode\" {\n }\n"
    " NodeAttribute: 21, \"NodeAttribute::\", \"Camera\" {\n }\n"
    " NodeAttribute: 22, \"NodeAttribute::\", \"Light\" {\n }\n"
    " AnimationCurveNode: 30, \"AnimCurveNode::T\", \"\" {\n }\n"
    "}\n"
    "Connections: {\n"
    " C: \"OO\",12,11\n"
    " C: \"OO\",10,0\n"
    " C: \"OO\",20,10\n"
    " C: \"OO\",11,10\n"
    " C: \"OO\",11,10\n"
    " C: \"OP\",30,10, \"Lcl Translation\"\n"
    " C: \"OP\",30,10, \"Lcl Rotation\"\n"
    " C: \"OO\",99,10\n"
    " C: \"OO\",10,99\n"
    " C: \"PP\",10, \"a\",11, \"b\"\n"
    "}\n";

static void open_graph(const GtContext* context, const char* text, GtiFbxTree* tree, GtiFbxGraph* graph)
{
    GtError error = { 0 };
    GT_EXPECT_OK(gti_fbx_parse(context, (const uint8_t*)text, strlen(text), tree, &error));
    GT_EXPECT_OK(gti_fbx_graph_make(context, tree, "a.fbx", graph, &error));
}

static void close_graph(GtiFbxTree* tree, GtiFbxGraph* graph)
{
    gti_fbx_graph_release(graph);
    gti_fbx_tree_release(tree);
}

static void test_objects_and_connections(void** state)
{
    (void)state;
    static TestLog log;
    GtContext context = test_context(&log);
    GtiFbxTree tree;
    GtiFbxGraph graph;
    open_graph(&context, file, &tree, &graph);
    assert_int_equal(log.warning_count, 1);
    assert_non_null(strstr(log.text, "1 objects have ids of others"));
    assert_int_equal(graph.object_count, 8);
    int32_t hips = gti_fbx_object_of_id(&graph, 10), spine = gti_fbx_object_of_id(&graph, 11);
    int32_t eye = gti_fbx_object_of_id(&graph, 12), curve = gti_fbx_object_of_id(&graph, 30);
    assert_int_equal(gti_fbx_object_of_id(&graph, 99), GT_NONE);
    assert_int_equal(gti_fbx_object_of_id(&graph, 0), 0);
    assert_true(gti_slice_is(graph.objects[hips].name, "Hips"));
    assert_true(gti_slice_is(graph.objects[spine].name, "a::b"));
    assert_true(gti_slice_is(graph.objects[eye].name, "Eye"));
    assert_true(gti_slice_is(graph.objects[eye].subtype, "Camera"));
    assert_int_equal(graph.objects[hips].model_parent, 0);
    assert_int_equal(graph.objects[spine].model_parent, hips);
    assert_int_equal(graph.objects[eye].model_parent, spine);
    assert_int_equal(graph.objects[curve].model_parent, GT_NONE);

    assert_int_equal(graph.connection_count, 6);
    const GtiFbxObject* object = &graph.objects[hips];
    const GtiFbxConnection* children = graph.connections + object->first_child;
    assert_int_equal(object->child_count, 4);
    assert_int_equal(children[0].source, gti_fbx_object_of_id(&graph, 20));
    assert_int_equal(children[1].source, spine);
    assert_int_equal(children[1].property.length, 0);
    assert_true(children[2].source == curve && gti_slice_is(children[2].property, "Lcl Translation"));
    assert_true(children[3].source == curve && gti_slice_is(children[3].property, "Lcl Rotation"));
    object = &graph.objects[curve];
    assert_int_equal(object->parent_count, 2);
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(graph.connections[graph.by_source[object->first_parent + i]].destination, hips);
    }
    close_graph(&tree, &graph);
}

static void test_properties_and_templates(void** state)
{
    (void)state;
    static TestLog log;
    GtContext context = test_context(&log);
    GtiFbxTree tree;
    GtiFbxGraph graph;
    open_graph(&context, file, &tree, &graph);
    int32_t hips = gti_fbx_object_of_id(&graph, 10), spine = gti_fbx_object_of_id(&graph, 11);
    double v[3] = { 0 };
    assert_true(gti_fbx_property_vector(&graph, hips, "Lcl Translation", v)); // the last of two
    assert_true(v[0] == 1.5 && v[1] == -2.0 && v[2] == 4.0);
    assert_true(gti_fbx_property_vector(&graph, hips, "Lcl Scaling", v)); // of the template
    assert_true(v[0] == 1.0 && v[1] == 2.0 && v[2] == 3.0);
    assert_false(gti_fbx_property_vector(&graph, hips, "Lcl Rotation", v));
    assert_false(gti_fbx_property_vector(&graph, hips, "InheritType", v)); // one number alone
    assert_true(v[0] == 1.0);
    assert_int_equal(gti_fbx_property_integer(&graph, hips, "InheritType", 5), 2);
    assert_int_equal(gti_fbx_property_integer(&graph, spine, "InheritType", 5), 1);
    assert_int_equal(gti_fbx_property_integer(&graph, spine, "none", 5), 5);
    assert_int_equal(gti_fbx_property_integer(&graph, 0, "InheritType", 5), 5); // the root has none
    GtiSlice text = { 0 };
    assert_true(gti_fbx_property_string(&graph, hips, "note", &text) && gti_slice_is(text, "kept"));
    assert_true(gti_fbx_is_user_property(&tree, gti_fbx_property(&graph, hips, "note")));
    assert_false(gti_fbx_is_user_property(&tree, gti_fbx_property(&graph, hips, "InheritType")));
    // Each kind of attribute has a template of its own; a light has none here.
    assert_true(gti_fbx_property_number(&graph, gti_fbx_object_of_id(&graph, 20), "Size", 0.0) == 9.0);
    assert_true(gti_fbx_property_number(&graph, gti_fbx_object_of_id(&graph, 21), "Size", 0.0) == 7.0);
    assert_true(gti_fbx_property_number(&graph, gti_fbx_object_of_id(&graph, 22), "Size", 0.0) == 0.0);
    close_graph(&tree, &graph);
}

static void test_settings(void** state)
{
    (void)state;
    static TestLog log;
    GtContext context = test_context(&log);
    GtiFbxTree tree;
    GtiFbxGraph graph;
    open_graph(&context, file, &tree, &graph);
    const GtiFbxSettings* s = &graph.settings;
    assert_true(s->up_axis == 2 && s->up_sign == 1 && s->front_axis == 1 && s->front_sign == -1);
    assert_true(s->coord_axis == 0 && s->coord_sign == 1 && s->unit_cm == 2.54 && s->frame_rate_hz == 25.0);
    close_graph(&tree, &graph);
    open_graph(&context, "; FBX 7.5.0\n", &tree, &graph);
    assert_true(s->up_axis == 1 && s->up_sign == 1 && s->front_axis == 2 && s->front_sign == 1);
    assert_true(s->coord_axis == 0 && s->unit_cm == 1.0 && s->frame_rate_hz == 30.0);
    assert_int_equal(graph.object_count, 1);
    close_graph(&tree, &graph);
    int before = log.warning_count;
    open_graph(&context,
               "; FBX 7.5.0\nGlobalSettings: { Properties70: {\nP: \"UpAxis\",\"int\",\"\",\"\",2\n"
               "P: \"UnitScaleFactor\",\"\",\"\",\"\",nan\n"
               "P: \"TimeMode\",\"\",\"\",\"\",14\nP: \"CustomFrameRate\",\"\",\"\",\"\",12.5 } }\n",
               &tree, &graph); // Z up and Z front
    assert_true(s->up_axis == 1 && s->front_axis == 2 && s->unit_cm == 1.0 && s->frame_rate_hz == 12.5);
    assert_int_equal(log.warning_count, before + 2);
    close_graph(&tree, &graph);
}

static void test_circles_are_cut(void** state)
{
    (void)state;
    static TestLog log;
    GtContext context = test_context(&log);
    GtiFbxTree tree;
    GtiFbxGraph graph;
    open_graph(&context,
               "; FBX 7.5.0\nObjects: {\n"
               "Model: 1, \"Model::A\", \"Null\" { }\nModel: 2, \"Model::B\", \"Null\" { }\n"
               "Model: 3, \"Model::C\", \"Null\" { }\nModel: 4, \"Model::D\", \"Null\" { }\n"
               "Model: 5, \"Model::E\", \"Null\" { }\n}\n"
               "Connections: {\nC: \"OO\",1,2\nC: \"OO\",2,3\nC: \"OO\",3,1\nC: \"OO\",4,4\nC: \"OO\",5,1\n}\n",
               &tree, &graph);
    assert_int_equal(log.warning_count, 2); // the ring of three and the one that is its own parent
    for (int32_t i = 1; i < graph.object_count; ++i) {
        int32_t steps = 0;
        for (int32_t at = i; at > 0; at = graph.objects[at].model_parent) {
            assert_true(++steps <= graph.object_count);
        }
    }
    assert_int_equal(graph.objects[5].model_parent, 1);
    close_graph(&tree, &graph);
}

// Work is in proportion to the file where objects share one large template and one large list of connections.
static void test_large_graph(void** state)
{
    (void)state;
    enum {
        COUNT = 20000
    };
    size_t capacity = (size_t)COUNT * 160;
    char* text = malloc(capacity);
    assert_non_null(text);
    size_t n = (size_t)snprintf(text, capacity,
                                "; FBX 7.5.0\nDefinitions: { ObjectType: \"Model\" { "
                                "PropertyTemplate: \"FbxNode\" { Properties70: {\n");
    for (int i = 0; i < COUNT; ++i) {
        n += (size_t)snprintf(text + n, capacity - n, "P: \"p%d\",\"int\",\"\",\"\",%d\n", i, i);
    }
    n += (size_t)snprintf(text + n, capacity - n, "} } } }\nObjects: {\n");
    for (int i = 1; i <= COUNT; ++i) {
        n += (size_t)snprintf(text + n, capacity - n, "Model: %d, \"Model::M\", \"Null\" { }\n", i);
    }
    n += (size_t)snprintf(text + n, capacity - n, "}\nConnections: {\n");
    for (int i = 1; i <= COUNT; ++i) {
        n += (size_t)snprintf(text + n, capacity - n, "C: \"OO\",%d,%d\n", i, i - 1);
    }
    n += (size_t)snprintf(text + n, capacity - n, "}\n");
    assert_true(n < capacity);
    GtContext context = gt_default_context();
    GtiFbxTree tree;
    GtiFbxGraph graph;
    open_graph(&context, text, &tree, &graph);
    for (int32_t i = 1; i <= COUNT; ++i) {
        assert_int_equal(graph.objects[i].model_parent, i - 1);
        char name[16];
        snprintf(name, sizeof name, "p%d", COUNT - i);
        assert_int_equal(gti_fbx_property_integer(&graph, i, name, -1), COUNT - i);
    }
    close_graph(&tree, &graph);
    free(text);
}

static void test_memory_may_run_out(void** state)
{
    (void)state;
    bool done = false;
    for (int64_t allowed = 0; !done; ++allowed) {
        TestAllocator limited = { .remaining = allowed };
        GtContext context = gt_default_context();
        context.allocator = test_allocator(&limited);
        GtError error = { 0 };
        GtiFbxTree tree;
        GtiFbxGraph graph;
        GtResult result = gti_fbx_parse(&context, (const uint8_t*)file, sizeof file - 1, &tree, &error);
        if (result == GT_OK) {
            result = gti_fbx_graph_make(&context, &tree, NULL, &graph, &error);
            if (result == GT_OK) {
                gti_fbx_graph_release(&graph);
            }
            gti_fbx_tree_release(&tree);
        }
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        assert_int_equal(limited.alive, 0);
        done = result == GT_OK;
        assert_true(!done || allowed >= 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_objects_and_connections),
        cmocka_unit_test(test_properties_and_templates),
        cmocka_unit_test(test_settings),
        cmocka_unit_test(test_circles_are_cut),
        cmocka_unit_test(test_large_graph),
        cmocka_unit_test(test_memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
