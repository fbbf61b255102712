// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// NAME.deform.json. The schema, which the build takes from docs/schemas/deform.schema.json, has said all that can be
// said without the character before anything is read; what is left are names, indices and numbers that must agree.

#include "gertie/map.h"

#include "base/near.h"
#include "data/schema.h"
#include "harmonic/keys/joint_name.h"
#include "harmonic/keys/key_file.h"
#include "sections/file/key_read.h"
#include "sections/file/text.h"
#include "sections/sculpt.h"
#include "sections/section_fit.h"

#include <math.h>
#include <string.h>

typedef struct Reader {
    const GtContext* context;
    const GtScene* scene;
    GtArena scratch;
    GtArena item; // of the part that is being read
    const GtiJson* root;
    GtHumanoidMap map;
    int32_t joint_count; // of the scene
    GtiSculptBody body;
    bool has_body;
    bool warns; // of folds
    GtSculpt* sculpt;
    GtError* error;
} Reader;

// The text of a member; NULL where there is none. Sets *result where memory ran out.
static const char* read_text(Reader* r, const GtiJson* object, const char* key, GtResult* result)
{
    const GtiJson* value = gti_json_find(object, key);
    char* text = value && *result == GT_OK ? gti_json_copy(&r->item, value, NULL) : NULL;
    if (value && *result == GT_OK && !text) {
        *result = gti_out_of_memory(r->error);
    }
    return text;
}

// The control point that a key "i,j,k" names.
static GtResult read_index(const Reader* r, const GtLatticeDef* lattice, const GtiJson* member, int32_t* out)
{
    int32_t index[3] = { 0, 0, 0 };
    int axis = 0;
    bool has_digit = false;
    bool ok = true;
    for (uint32_t i = 0; i < member->key_length && ok; ++i) {
        char c = member->key[i];
        if (c >= '0' && c <= '9') {
            index[axis] = 10 * index[axis] + (c - '0');
            has_digit = true;
            ok = index[axis] < lattice->counts[axis];
        } else {
            ok = c == ',' && has_digit && axis < 2;
            axis += ok;
            has_digit = false;
        }
    }
    if (!ok || !has_digit || axis != 2) {
        char place[128];
        gti_json_path(r->root, member, place, sizeof place);
        return gti_fail_at(r->error, GT_ERROR_BAD_VALUE, place,
                           "names no control point: write i,j,k, from 0,0,0 to %d,%d,%d here",
                           (int)lattice->counts[0] - 1, (int)lattice->counts[1] - 1, (int)lattice->counts[2] - 1);
    }
    *out = gt_lattice_index(lattice, index[0], index[1], index[2]);
    return GT_OK;
}

// Numbers of control points by their indices; those not named have `otherwise`. NULL where there are none.
static GtResult read_point_numbers(Reader* r, const GtLatticeDef* lattice, const GtiJson* object, float otherwise,
                                   const float** out)
{
    *out = NULL;
    if (!object) {
        return GT_OK;
    }
    int32_t count = gt_lattice_point_count(lattice);
    float* numbers = gt_arena_push_array(&r->item, (size_t)count, sizeof *numbers);
    if (!numbers) {
        return gti_out_of_memory(r->error);
    }
    for (int32_t i = 0; i < count; ++i) {
        numbers[i] = otherwise;
    }
    GtResult result = GT_OK;
    const GtiJson* member = gti_json_first(object);
    for (uint32_t i = 0; i < object->count && result == GT_OK; ++i, member = gti_json_next(member)) {
        int32_t index = 0;
        result = read_index(r, lattice, member, &index);
        if (result == GT_OK) {
            gti_json_float(member, &numbers[index]);
        }
    }
    *out = numbers;
    return result;
}

static GtResult read_pose(Reader* r, const GtLatticeDef* lattice, const GtiJson* object, GtLatticePose* out)
{
    GtVec3* offsets = gt_arena_push_array(&r->item, (size_t)gt_lattice_point_count(lattice), sizeof *offsets);
    char* name = gt_arena_push_text(&r->item, object->key, object->key_length);
    if (!offsets || !name) {
        return gti_out_of_memory(r->error);
    }
    *out = (GtLatticePose){ name, offsets };
    GtResult result = GT_OK;
    const GtiJson* member = gti_json_first(object);
    for (uint32_t i = 0; i < object->count && result == GT_OK; ++i, member = gti_json_next(member)) {
        int32_t index = 0;
        result = read_index(r, lattice, member, &index);
        if (result == GT_OK) {
            gti_json_floats(member, 3, &offsets[index].x);
        }
    }
    return result;
}

static GtResult read_poses(Reader* r, const GtiJson* object, GtSectionDef* out)
{
    if (!object) {
        return GT_OK;
    }
    size_t points = (size_t)gt_lattice_point_count(&out->lattice) * object->count;
    GtLatticePose* poses = gt_arena_push_array(&r->item, object->count, sizeof *poses);
    if (points > GTI_SCULPT_MAX_POINTS) {
        char place[128];
        gti_json_path(r->root, object, place, sizeof place);
        return gti_fail_at(r->error, GT_ERROR_LIMIT, place, "%zu points of poses, and %d are the most", points,
                           GTI_SCULPT_MAX_POINTS);
    }
    GtResult result = poses ? GT_OK : gti_out_of_memory(r->error);
    const GtiJson* member = gti_json_first(object);
    for (uint32_t i = 0; i < object->count && result == GT_OK; ++i, member = gti_json_next(member)) {
        result = read_pose(r, &out->lattice, member, &poses[i]);
    }
    out->poses = poses;
    out->pose_count = (int32_t)object->count;
    return result;
}

static void read_box(const GtiJson* box, GtMat34* out)
{
    GtVec3 center = gt_vec3(0.0f, 0.0f, 0.0f);
    float columns[16] = { [15] = 1.0f };
    gti_json_floats(gti_json_find(box, "center"), 3, &center.x);
    const GtiJson* axis = gti_json_first(gti_json_find(box, "axes"));
    for (int a = 0; a < 3; ++a, axis = gti_json_next(axis)) {
        gti_json_floats(axis, 3, &columns[4 * a]);
        center =
            gt_vec3_sub(center, gt_vec3_scale(gt_vec3(columns[4 * a], columns[4 * a + 1], columns[4 * a + 2]), 0.5f));
    }
    memcpy(&columns[12], &center, sizeof center);
    *out = gt_mat34_from_columns(columns);
}

static GtResult find_joint(Reader* r, const GtiJson* name, const char** text, int32_t* out)
{
    char place[128];
    *text = gti_json_copy(&r->item, name, NULL);
    gti_json_path(r->root, name, place, sizeof place);
    if (!*text) {
        return gti_out_of_memory(r->error);
    }
    GtResult result = gti_joint_find(r->scene, &r->map, *text, place, out, r->error);
    if (result == GT_ERROR_NOT_FOUND && r->joint_count == 0) {
        return gti_fail_at(r->error, result, place,
                           "there is no joint '%.80s', as there is no skeleton: 'gertie rig' makes one", *text);
    }
    return result;
}

// The joints of a section: its own and those it goes with.
static GtResult read_joints(Reader* r, const GtiJson* object, GtSculptSection* out)
{
    const GtiJson* with = gti_json_find(object, "with");
    size_t count = with ? with->count : 0;
    const char** names = gt_arena_push_array(&r->item, count, sizeof *names);
    int32_t* nodes = gt_arena_push_array(&r->item, count, sizeof *nodes);
    GtResult result = names && nodes ? GT_OK : gti_out_of_memory(r->error);
    if (result == GT_OK) {
        result = find_joint(r, gti_json_find(object, "joint"), &out->joint, &out->def.node);
    }
    const GtiJson* name = gti_json_first(with);
    for (size_t i = 0; i < count && result == GT_OK; ++i, name = gti_json_next(name)) {
        result = find_joint(r, name, &names[i], &nodes[i]);
    }
    out->with = names;
    out->with_nodes = nodes;
    out->with_count = (int32_t)count;
    return result;
}

static GtResult fit_box(Reader* r, const GtiJson* object, GtSculptSection* section)
{
    GtResult result = GT_OK;
    if (!r->has_body) {
        result = gti_sculpt_body_open(r->context, &r->scratch, r->scene, &r->body, r->error);
        r->has_body = true;
    }
    int32_t* nodes = gt_arena_push_array(&r->item, (size_t)section->with_count + 1, sizeof *nodes);
    if (result == GT_OK && !nodes) {
        result = gti_out_of_memory(r->error);
    }
    if (result != GT_OK) {
        return result;
    }
    nodes[0] = section->def.node;
    memcpy(nodes + 1, section->with_nodes, (size_t)section->with_count * sizeof *nodes);
    result = gti_section_fit(&r->body, nodes, section->with_count + 1, section->border,
                             &section->def.lattice.space_from_box, r->error);
    if (result == GT_ERROR_NOT_FOUND && r->error) {
        gti_json_path(r->root, gti_json_find(object, "joint"), r->error->where, sizeof r->error->where);
    }
    return result;
}

// What sections and lattices that stand free have in common.
static GtResult read_lattice(Reader* r, const GtiJson* object, GtSculptSection* out)
{
    GtResult result = GT_OK;
    GtSectionDef* def = &out->def;
    gti_json_ints(gti_json_find(object, "points"), 3, def->lattice.counts);
    def->name = read_text(r, object, "name", &result);
    def->lattice.basis =
        gti_json_equals(gti_json_find(object, "basis"), "b-spline") ? GT_LATTICE_B_SPLINE : GT_LATTICE_BEZIER;
    def->border = gti_json_get_float(object, "border", def->border);
    for (int a = 0; a < 3; ++a) {
        out->border[a] = def->border;
    }
    gti_json_floats(gti_json_find(object, "border"), 3, out->border);
    def->rest_blend = gti_json_get_float(object, "b", def->rest_blend);
    if (result == GT_OK) {
        result = read_point_numbers(r, &def->lattice, gti_json_find(object, "weights"), 1.0f, &def->lattice.weights);
    }
    return result == GT_OK ? read_poses(r, gti_json_find(object, "poses"), def) : result;
}

static GtResult add_section(Reader* r, const GtSculptSection* section, const char* where)
{
    GtResult result = gti_sculpt_add_section(r->context, r->sculpt, section, where, r->error);
    return result == GT_OK && r->warns ? gti_sculpt_warn_of_folds(r->context, r->sculpt, &section->def, where, r->error)
                                       : result;
}

static GtResult read_section(Reader* r, const GtiJson* object, const char* where)
{
    GtSculptSection section = { .def = gt_default_section_def() };
    const GtiJson* box = gti_json_find(object, "box");
    GtResult result = read_lattice(r, object, &section);
    if (result == GT_OK) {
        result = read_joints(r, object, &section);
    }
    if (result == GT_OK && box && box->type == GTI_JSON_OBJECT) {
        read_box(box, &section.def.lattice.space_from_box);
    } else if (result == GT_OK) {
        result = fit_box(r, object, &section);
    }
    return result == GT_OK ? add_section(r, &section, where) : result;
}

static GtResult read_free(Reader* r, const GtiJson* object, const char* where)
{
    GtSculptSection section = { .def = gt_default_section_def() };
    read_box(gti_json_find(object, "box"), &section.def.lattice.space_from_box);
    GtResult result = read_lattice(r, object, &section);
    return result == GT_OK ? add_section(r, &section, where) : result;
}

static GtResult read_track(Reader* r, const GtiJson* object, const char* where)
{
    GtResult result = GT_OK;
    GtSculptTrack track = { .channel = read_text(r, object, "channel", &result),
                            .formula = read_text(r, object, "formula", &result),
                            .input = read_text(r, object, "input", &result) };
    if (result == GT_OK && track.channel && !track.formula) {
        result = gti_sculpt_keys_read(&r->item, r->root, object, track.channel, &track.keys, r->error);
    }
    return result == GT_OK ? gti_sculpt_add_track(r->context, r->sculpt, &track, where, r->error) : result;
}

static const char* const* read_names(Reader* r, const GtiJson* object, const char* key, int32_t* count,
                                     GtResult* result)
{
    const GtiJson* list = gti_json_find(object, key);
    *count = list ? (int32_t)list->count : 0;
    const char** names = gt_arena_push_array(&r->item, (size_t)*count, sizeof *names);
    const GtiJson* name = gti_json_first(list);
    for (int32_t i = 0; i < *count && names && *result == GT_OK; ++i, name = gti_json_next(name)) {
        names[i] = gti_json_copy(&r->item, name, NULL);
        *result = names[i] ? GT_OK : gti_out_of_memory(r->error);
    }
    if (!names && *result == GT_OK) {
        *result = gti_out_of_memory(r->error);
    }
    return names;
}

static GtResult read_control(Reader* r, const GtiJson* object, const char* where)
{
    GtResult result = GT_OK;
    GtShapeControl control = { .name = read_text(r, object, "name", &result),
                               .rest = gti_json_get_float(object, "rest", 0.0f),
                               .min = gti_json_get_float(object, "min", 0.0f),
                               .max = gti_json_get_float(object, "max", 1.0f) };
    const GtiJson* binary = gti_json_find(object, "binary");
    control.is_binary = binary && binary->type == GTI_JSON_TRUE;
    control.blocks = read_names(r, object, "blocks", &control.block_count, &result);
    control.fades = read_names(r, object, "fades", &control.fade_count, &result);
    return result == GT_OK ? gti_sculpt_add_control(r->sculpt, &control, where, r->error) : result;
}

static GtResult read_material(Reader* r, const GtiJson* object, const char* where)
{
    (void)where;
    GtResult result = GT_OK;
    GtMaterialRule rule = { .material = read_text(r, object, "material", &result),
                            .control = read_text(r, object, "control", &result) };
    rule.has_color = gti_json_floats(gti_json_find(object, "color"), 4, rule.color);
    rule.has_offset = gti_json_floats(gti_json_find(object, "offset"), 2, rule.offset);
    rule.has_scale = gti_json_floats(gti_json_find(object, "scale"), 2, rule.scale);
    return result == GT_OK ? gti_sculpt_add_material(r->sculpt, &rule, r->error) : result;
}

static GtResult read_jiggle(Reader* r, const GtiJson* object, const char* where)
{
    GtResult result = GT_OK;
    GtSculptJiggle jiggle = gti_default_jiggle();
    const char* name = read_text(r, object, "section", &result);
    if (result != GT_OK) {
        return result;
    }
    jiggle.section = gti_sculpt_find_section(r->sculpt, name);
    if (jiggle.section == GT_NONE) {
        char text[256];
        GtiNear near = gti_near(name);
        for (int32_t i = 0; i < r->sculpt->section_count; ++i) {
            gti_near_offer(&near, r->sculpt->sections[i].def.name);
        }
        return gti_fail(r->error, GT_ERROR_NOT_FOUND, "%s.section: there is no section '%.80s'%s", where, name,
                        gti_near_print(&near, text, sizeof text));
    }
    jiggle.frequency_hz = gti_json_get_float(object, "frequency_hz", jiggle.frequency_hz);
    jiggle.damping = gti_json_get_float(object, "damping", jiggle.damping);
    jiggle.strength = gti_json_get_float(object, "strength", jiggle.strength);
    jiggle.gravity = gti_json_get_float(object, "gravity", jiggle.gravity);
    const GtLatticeDef* lattice = &r->sculpt->sections[jiggle.section].def.lattice;
    result = read_point_numbers(r, lattice, gti_json_find(object, "holds"), 0.0f, &jiggle.holds);
    return result == GT_OK ? gti_sculpt_add_jiggle(r->sculpt, &jiggle, where, r->error) : result;
}

static GtResult read_list(Reader* r, const char* key, GtResult (*read)(Reader*, const GtiJson*, const char*))
{
    GtResult result = GT_OK;
    const GtiJson* list = gti_json_find(r->root, key);
    const GtiJson* item = gti_json_first(list);
    GtArenaMark mark = gt_arena_mark(&r->item);
    for (uint32_t i = 0; item && i < list->count && result == GT_OK; ++i, item = gti_json_next(item)) {
        char where[128];
        gti_json_path(r->root, item, where, sizeof where);
        result = read(r, item, where);
        gt_arena_reset(&r->item, mark);
    }
    return result;
}

// Kept as they are written, since no member of a shape has a former name.
static GtResult read_shapes(Reader* r)
{
    const GtiJson* list = gti_json_find(r->root, "shapes");
    r->sculpt->shapes = list ? gt_arena_push_text(&r->sculpt->arena, list->text, list->text_length) : NULL;
    return !list || r->sculpt->shapes ? GT_OK : gti_out_of_memory(r->error);
}

static GtResult read_all(Reader* r)
{
    GtMapDef def = gt_default_map_def();
    GtMapReport report;
    GtResult result = gt_map_humanoid(r->context, r->scene, &def, &r->map, &report, r->error);
    r->joint_count = result == GT_OK ? report.joint_count : 0;
    static const struct {
        const char* key;
        GtResult (*read)(Reader*, const GtiJson*, const char*);
    } lists[] = { { "sections", read_section },   { "lattices", read_free }, { "controls", read_control },
                  { "materials", read_material }, { "tracks", read_track },  { "jiggle", read_jiggle } };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0] && result == GT_OK; ++i) {
        result = read_list(r, lists[i].key, lists[i].read);
    }
    return result == GT_OK ? read_shapes(r) : result;
}

// path: of the file that is read; NULL for a text
static GtResult parse(const GtContext* context, const GtScene* scene, const char* path, GtiSpan text, bool warns,
                      GtSculpt** out, GtError* error)
{
    Reader r = { .context = context,
                 .scene = scene,
                 .scratch = gt_arena_create(context->allocator),
                 .item = gt_arena_create(context->allocator),
                 .warns = warns,
                 .error = error };
    GtResult result = gti_sculpt_create(context, &r.sculpt, error);
    if (result == GT_OK && path) {
        r.sculpt->file = gt_arena_push_text(&r.sculpt->arena, path, strlen(path));
        result = r.sculpt->file ? GT_OK : gti_out_of_memory(error);
    }
    if (result == GT_OK) {
        result = path ? gti_schema_load(context, &r.scratch, "deform", path, &r.root, error)
                      : gti_schema_parse(&r.scratch, "deform", text, &r.root, error);
    }
    if (result == GT_OK) {
        result = read_all(&r);
    }
    if (r.has_body) {
        gti_sculpt_body_close(&r.body);
    }
    gt_arena_destroy(&r.item);
    gt_arena_destroy(&r.scratch);
    if (result != GT_OK) {
        gt_sculpt_destroy(r.sculpt);
        r.sculpt = NULL;
    }
    *out = r.sculpt;
    return result;
}

GtResult gt_sculpt_parse(const GtContext* context, const GtScene* scene, const char* text, size_t length,
                         GtSculpt** out, GtError* error)
{
    return parse(context, scene, NULL, (GtiSpan){ text, length }, true, out, error);
}

GtResult gti_sculpt_parse(const GtContext* context, const GtScene* scene, const char* text, size_t length, bool warns,
                          GtSculpt** out, GtError* error)
{
    return parse(context, scene, NULL, (GtiSpan){ text, length }, warns, out, error);
}

GtResult gt_sculpt_load(const GtContext* context, const GtScene* scene, const char* path, GtSculpt** out,
                        GtError* error)
{
    GtResult result = parse(context, scene, path, (GtiSpan){ 0 }, true, out, error);
    if (result != GT_OK) {
        gti_error_set_file(error, path);
    }
    return result;
}
