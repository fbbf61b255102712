// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// OBJ line by line (Wavefront's Advanced Visualizer manual, appendix B1), as far as programs write it today: v, vt, vn,
// f, g, o, usemtl, mtllib, colours after coordinates, and ZBrush's #MRGB. The scratch is large enough for whatever a
// text of its length can say, so that nothing has to grow while numbers are read; what was found is then copied into
// blocks of its size.

#include "io/obj/text.h"

#include "base/ascii.h"
#include "io/text/scan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A piece in the making. Names are in the text.
typedef struct Parser {
    const char* text;
    const char* end;
    const char* p;
    int64_t line;
    const double* origin;
    bool has_origin;
    GtiObjPiece* piece;
    float *position, *color, *texcoord, *normal, *painted; // where the next goes
    int32_t* corner;
    bool state_changed;
    GtiObjState state;
    int64_t faces_left; // until the parser stops
} Parser;

static void fault(Parser* parser, GtiObjFault kind)
{
    if (parser->piece->fault_counts[kind]++ == 0) {
        parser->piece->fault_lines[kind] = parser->line;
    }
}

static void fail_line(Parser* parser, const char* what, const char* at)
{
    int length = 0;
    while (length < 24 && at + length < parser->end && !gti_ends_word(at[length])) {
        ++length;
    }
    if (!parser->piece->error[0]) {
        parser->piece->error_line = parser->line;
        if (length) {
            snprintf(parser->piece->error, sizeof parser->piece->error, "%s, got '%.*s'", what, length, at);
        } else {
            snprintf(parser->piece->error, sizeof parser->piece->error, "%s, got the end of the line", what);
        }
    }
}

static bool at_line_end(const Parser* parser)
{
    return gti_is_line_end(*parser->p) || *parser->p == '#';
}

// Up to `most` numbers; how many there are before the line ends, or -1 at a word that is none.
static int read_floats(Parser* parser, int most, float* out)
{
    int count = 0;
    for (; count < most; ++count) {
        parser->p = gti_skip_blanks(parser->p, &parser->line);
        if (at_line_end(parser)) {
            break;
        }
        if (!gti_scan_float(&parser->p, parser->end, &out[count])) {
            return -1;
        }
    }
    return count;
}

static bool read_far_position(Parser* parser, float out[3])
{
    for (int k = 0; k < 3; ++k) {
        double value = 0.0;
        parser->p = gti_skip_blanks(parser->p, &parser->line);
        if (at_line_end(parser) || !gti_scan_double(&parser->p, parser->end, &value)) {
            return false;
        }
        out[k] = (float)(value - parser->origin[k]);
    }
    return true;
}

// The colour of a vertex: r g b, or w r g b; one number alone is a weight, which is no colour.
static void add_color(Parser* parser, const float* values, int count)
{
    GtiObjPiece* piece = parser->piece;
    const float* rgb = count >= 3 ? values : NULL;
    if (!rgb && !piece->colors) {
        return;
    }
    if (!piece->colors) { // vertices before the first with a colour are white, or as the file's others say
        piece->colors = parser->color;
        for (uint32_t i = 0; i < 3 * (piece->position_count - 1); ++i) {
            *parser->color++ = -1.0f;
        }
    }
    for (int k = 0; k < 3; ++k) {
        float value = rgb ? rgb[k] : -1.0f;
        *parser->color++ = value;
        piece->largest_color = value > piece->largest_color ? value : piece->largest_color;
    }
}

static void parse_vertex(Parser* parser)
{
    float* out = parser->position;
    const char* start = parser->p;
    bool ok = parser->has_origin ? read_far_position(parser, out) : read_floats(parser, 3, out) == 3;
    if (!ok) {
        fail_line(parser, "a vertex needs three numbers", at_line_end(parser) ? start : parser->p);
        return;
    }
    if (!isfinite(out[0] + out[1] + out[2]) && !(isfinite(out[0]) && isfinite(out[1]) && isfinite(out[2]))) {
        out[0] = out[1] = out[2] = NAN;
        fault(parser, GTI_OBJ_NOT_FINITE);
    }
    parser->position += 3;
    ++parser->piece->position_count;
    parser->p = gti_skip_blanks(parser->p, &parser->line);
    float more[4];
    int count = at_line_end(parser) ? 0 : read_floats(parser, 4, more);
    if (count > 0 || parser->piece->colors) {
        add_color(parser, more, count);
    }
}

static void parse_texcoord(Parser* parser)
{
    float* out = parser->texcoord;
    const char* start = parser->p;
    int count = read_floats(parser, 2, out);
    if (count < 1) {
        fail_line(parser, "a texture coordinate needs two numbers", start);
        return;
    }
    out[0] = isfinite(out[0]) ? out[0] : 0.0f;
    out[1] = count == 2 && isfinite(out[1]) ? out[1] : 0.0f;
    parser->texcoord += 2;
    ++parser->piece->texcoord_count;
}

static void parse_normal(Parser* parser)
{
    float* out = parser->normal;
    const char* start = parser->p;
    if (read_floats(parser, 3, out) != 3) {
        fail_line(parser, "a normal needs three numbers", start);
        return;
    }
    if (!(isfinite(out[0]) && isfinite(out[1]) && isfinite(out[2]))) {
        out[0] = out[1] = out[2] = 0.0f;
    }
    parser->normal += 3;
    ++parser->piece->normal_count;
}

// An index from 1 on, or counted back from -1 on, as a reference; see gti_obj_resolve().
static int32_t make_reference(int64_t index, uint32_t count_here)
{
    if (index > 0) {
        return index <= GTI_OBJ_NOWHERE ? (int32_t)(index - 1) : GTI_OBJ_NOWHERE;
    }
    if (index == 0 || index <= -GTI_OBJ_RELATIVE) {
        return GTI_OBJ_NOWHERE;
    }
    return (int32_t)((int64_t)count_here + index - GTI_OBJ_RELATIVE);
}

// One corner: v, v/vt, v//vn or v/vt/vn. false at a word that is none.
static bool parse_corner(Parser* parser, int32_t out[3], unsigned* layout)
{
    const GtiObjPiece* piece = parser->piece;
    const char* p = parser->p;
    int64_t index = 0;
    if (!gti_scan_integer(&p, &index)) {
        return false;
    }
    out[0] = make_reference(index, piece->position_count);
    *layout = 0;
    if (*p == '/') {
        ++p;
        if (gti_scan_integer(&p, &index)) {
            out[1] = make_reference(index, piece->texcoord_count);
            *layout = GTI_OBJ_TEXCOORD;
        }
        if (*p == '/') {
            ++p;
            if (gti_scan_integer(&p, &index)) {
                out[2] = make_reference(index, piece->normal_count);
                *layout |= GTI_OBJ_NORMAL;
            }
        }
    }
    parser->p = p;
    return gti_ends_word(*p);
}

static int values_of_layout(unsigned layout)
{
    return 1 + (layout & 1) + (layout >> 1 & 1);
}

// Write a corner as `layout` has it; returns where the next goes.
static int32_t* put_corner(int32_t* out, const int32_t corner[3], unsigned layout)
{
    *out++ = corner[0];
    if (layout & GTI_OBJ_TEXCOORD) {
        *out++ = corner[1];
    }
    if (layout & GTI_OBJ_NORMAL) {
        *out++ = corner[2];
    }
    return out;
}

// Corners do not all have the same parts: keep what all have.
static void narrow(int32_t* corners, uint32_t count, unsigned from, unsigned to)
{
    int32_t* out = corners;
    for (uint32_t i = 0; i < count; ++i) {
        const int32_t* in = corners + (size_t)i * (size_t)values_of_layout(from);
        int32_t corner[3] = { in[0], in[1], in[values_of_layout(from) - 1] };
        out = put_corner(out, corner, to);
    }
}

static void end_face(Parser* parser, uint32_t corner_count, unsigned layout)
{
    GtiObjPiece* piece = parser->piece;
    GtiObjRun* run = piece->run_count ? &piece->runs[piece->run_count - 1] : NULL;
    if (parser->state_changed || piece->state_count == 0) {
        piece->states[piece->state_count++] = parser->state;
        parser->state_changed = false;
        run = NULL;
    }
    if (!run || run->corner_count != corner_count || run->layout != layout) {
        run = &piece->runs[piece->run_count++];
        *run = (GtiObjRun){ .state = piece->state_count - 1, .corner_count = corner_count, .layout = layout };
    }
    ++run->face_count;
    --parser->faces_left;
    parser->corner += (size_t)corner_count * (size_t)values_of_layout(layout);
}

static void parse_face(Parser* parser)
{
    uint32_t count = 0;
    unsigned layout = 0;
    int32_t* out = parser->corner;
    for (;;) {
        int32_t corner[3] = { 0, 0, 0 };
        unsigned has = 0;
        parser->p = gti_skip_blanks(parser->p, &parser->line);
        if (at_line_end(parser)) {
            break;
        }
        const char* start = parser->p;
        if (!parse_corner(parser, corner, &has)) {
            fail_line(parser, "a face needs corners such as 1, 1/2, 1//3 or 1/2/3", start);
            return;
        }
        if (count == 0) {
            layout = has;
        } else if ((has & layout) != layout) {
            narrow(parser->corner, count, layout, layout & has);
            layout &= has;
            out = parser->corner + (size_t)count * (size_t)values_of_layout(layout);
        }
        out = put_corner(out, corner, layout);
        ++count;
    }
    if (count < 3) {
        fault(parser, GTI_OBJ_FACE_SHORT);
    } else {
        end_face(parser, count, layout);
    }
}

// The rest of the line, without blanks around it.
static GtiObjName read_name(Parser* parser)
{
    while (gti_is_blank(*parser->p)) {
        ++parser->p;
    }
    const char* start = parser->p;
    parser->p = gti_find_line_end(start, parser->end);
    const char* end = parser->p;
    while (end > start && gti_is_blank(end[-1])) {
        --end;
    }
    return (GtiObjName){ (uint32_t)(start - parser->text), (uint32_t)(end - start) };
}

static void set_name(Parser* parser, GtiObjName* name)
{
    *name = read_name(parser);
    parser->state_changed = true;
}

// ZBrush: up to 64 vertices of MMRRGGBB a line, where MM is a mask.
static void parse_painted(Parser* parser)
{
    while (gti_is_blank(*parser->p)) {
        ++parser->p;
    }
    for (;; parser->p += 8) {
        int digits[8];
        for (int i = 0; i < 8; ++i) {
            digits[i] = gti_hex_digit(parser->p[i]);
            if (digits[i] < 0) {
                return;
            }
        }
        for (int k = 0; k < 3; ++k) {
            *parser->painted++ = (float)(digits[2 * k + 2] * 16 + digits[2 * k + 3]) / 255.0f;
        }
        ++parser->piece->painted_count;
    }
}

static void parse_rare_line(Parser* parser, const char* start)
{
    static const char* const free_form[] = { "vp",   "deg",  "bmat", "step", "cstype", "curv", "curv2", "surf",
                                             "parm", "trim", "hole", "scrv", "sp",     "end",  "con" };
    static const char* const ignored[] = { "s",     "mg",     "bevel",  "c_interp",   "d_interp",
                                           "lod",   "usemap", "maplib", "shadow_obj", "trace_obj",
                                           "ctech", "stech",  "call",   "csh" };
    if (gti_word_is(start, "usemtl")) {
        parser->p = start + 6;
        set_name(parser, &parser->state.material);
    } else if (gti_word_is(start, "mtllib")) {
        parser->p = start + 6;
        parser->piece->libraries[parser->piece->library_count++] = read_name(parser);
    } else if (gti_word_is(start, "l")) {
        ++parser->piece->left_out[GTI_OBJ_LINES];
    } else if (gti_word_is(start, "p")) {
        ++parser->piece->left_out[GTI_OBJ_POINTS];
    } else if (gti_word_is(start, "fo")) {
        parser->p = start + 2;
        parse_face(parser);
    } else {
        for (size_t i = 0; i < sizeof free_form / sizeof *free_form; ++i) {
            if (gti_word_is(start, free_form[i])) {
                ++parser->piece->left_out[GTI_OBJ_FREE_FORM];
                return;
            }
        }
        for (size_t i = 0; i < sizeof ignored / sizeof *ignored; ++i) {
            if (gti_word_is(start, ignored[i])) {
                return;
            }
        }
        fault(parser, GTI_OBJ_UNKNOWN_WORD);
    }
}

static void parse_line(Parser* parser)
{
    const char* p = parser->p;
    bool blank_follows = gti_is_blank(p[1]);
    if (p[0] == 'v' && blank_follows) {
        parser->p = p + 2;
        parse_vertex(parser);
    } else if (p[0] == 'f' && blank_follows) {
        parser->p = p + 2;
        parse_face(parser);
    } else if (p[0] == 'v' && p[1] == 't' && gti_is_blank(p[2])) {
        parser->p = p + 3;
        parse_texcoord(parser);
    } else if (p[0] == 'v' && p[1] == 'n' && gti_is_blank(p[2])) {
        parser->p = p + 3;
        parse_normal(parser);
    } else if (p[0] == '#') {
        if (strncmp(p, "#MRGB", 5) == 0) {
            parser->p = p + 5;
            parse_painted(parser);
        }
    } else if (p[0] == 'g' && gti_ends_word(p[1])) {
        parser->p = p + 1;
        set_name(parser, &parser->state.group);
    } else if (p[0] == 'o' && gti_ends_word(p[1])) {
        parser->p = p + 1;
        set_name(parser, &parser->state.object);
        parser->state.group = (GtiObjName){ 0, 0 };
    } else {
        parse_rare_line(parser, p);
    }
}

// To the end of a line that may go on after a backslash; comments never do.
static void skip_rest(Parser* parser, bool comment)
{
    for (;;) {
        const char* start = parser->p;
        parser->p = gti_find_line_end(start, parser->end);
        bool escaped = !comment && parser->p > start && parser->p[-1] == '\\';
        parser->p = gti_skip_line_end(parser->p, parser->end, &parser->line);
        if (!escaped || parser->p == parser->end) {
            return;
        }
    }
}

static void parse_lines(Parser* parser)
{
    while (parser->p < parser->end && !parser->piece->error[0] && parser->faces_left) {
        while (gti_is_blank(*parser->p)) {
            ++parser->p;
        }
        bool comment = *parser->p == '#';
        if (!gti_is_line_end(*parser->p)) {
            parse_line(parser);
        }
        if (gti_is_line_end(*parser->p)) {
            parser->p = gti_skip_line_end(parser->p, parser->end, &parser->line);
        } else {
            skip_rest(parser, comment);
        }
    }
    parser->piece->line_count = parser->line;
}

// The most that `length` bytes can say: "v 0 0 0", "vt 0", "vn 0 0 0", eight digits of #MRGB, "1 " or "/1", "f 1 1 1",
// "mtllib", with a line end after each.
typedef struct Capacity {
    size_t positions, texcoords, normals, painted, corners, runs, libraries;
} Capacity;

static Capacity capacity_of(size_t length)
{
    return (Capacity){
        .positions = 3 * (length / 8 + 1),
        .texcoords = 2 * (length / 5 + 1),
        .normals = 3 * (length / 9 + 1),
        .painted = 3 * (length / 8 + 1),
        .corners = length / 2 + 1,
        .runs = length / 8 + 1,
        .libraries = length / 7 + 1,
    };
}

static bool prepare_worker(GtAllocator allocator, size_t length, GtiObjWorker* worker, Parser* parser)
{
    Capacity most = capacity_of(length + length / 64); // pieces are not all as long as the first
    size_t floats = 2 * most.positions + most.texcoords + most.normals + most.painted;
    size_t size = floats * sizeof(float) + most.corners * sizeof(int32_t) + most.runs * sizeof(GtiObjRun) +
                  most.runs * sizeof(GtiObjState) + most.libraries * sizeof(GtiObjName);
    if (size > worker->size) {
        allocator.release(allocator.user, worker->block);
        worker->size = 0;
        worker->block = allocator.allocate(allocator.user, size);
        if (!worker->block) {
            return false;
        }
        worker->size = size;
    }
    GtiObjPiece* piece = parser->piece;
    piece->runs = worker->block;
    piece->states = (GtiObjState*)(piece->runs + most.runs);
    piece->libraries = (GtiObjName*)(piece->states + most.runs);
    piece->corners = (int32_t*)(piece->libraries + most.libraries);
    piece->positions = (float*)(piece->corners + most.corners);
    parser->color = piece->positions + most.positions;
    piece->texcoords = parser->color + most.positions;
    piece->normals = piece->texcoords + most.texcoords;
    piece->painted = piece->normals + most.normals;
    parser->position = piece->positions;
    parser->texcoord = piece->texcoords;
    parser->normal = piece->normals;
    parser->painted = piece->painted;
    parser->corner = piece->corners;
    return true;
}

static float* keep_floats(float** to, const float* from, size_t count)
{
    float* kept = *to;
    if (count) {
        memcpy(kept, from, count * sizeof *kept);
    }
    *to += count;
    return kept;
}

static bool keep_elements(GtAllocator allocator, GtiObjPiece* piece)
{
    size_t position_values = 3 * (size_t)piece->position_count;
    size_t color_values = piece->colors ? position_values : 0;
    size_t texcoord_values = 2 * (size_t)piece->texcoord_count;
    size_t normal_values = 3 * (size_t)piece->normal_count;
    size_t painted_values = 3 * (size_t)piece->painted_count;
    size_t total = position_values + color_values + texcoord_values + normal_values + painted_values;
    float* to = allocator.allocate(allocator.user, (total + 1) * sizeof *to);
    if (!to) {
        return false;
    }
    piece->elements = to;
    piece->positions = keep_floats(&to, piece->positions, position_values);
    piece->colors = color_values ? keep_floats(&to, piece->colors, color_values) : NULL;
    piece->texcoords = keep_floats(&to, piece->texcoords, texcoord_values);
    piece->normals = keep_floats(&to, piece->normals, normal_values);
    piece->painted = keep_floats(&to, piece->painted, painted_values);
    return true;
}

static uint32_t name_length(GtiObjName name)
{
    return name.length == GTI_OBJ_INHERITED ? 0 : name.length;
}

// Copy a name unless it is the one copied last.
static GtiObjName keep_name(GtiObjPiece* piece, const char* text, GtiObjName name, GtiObjName before, GtiObjName kept)
{
    if (name.length == GTI_OBJ_INHERITED || (name.length == before.length && name.offset == before.offset)) {
        return name.length == GTI_OBJ_INHERITED ? name : kept;
    }
    GtiObjName result = { piece->name_size, name.length };
    memcpy(piece->names + piece->name_size, text + name.offset, name.length);
    piece->name_size += name.length;
    return result;
}

static bool keep_faces(GtAllocator allocator, GtiObjPiece* piece, const Parser* parser)
{
    size_t name_size = (size_t)(parser->end - parser->text); // names are parts of the text, each copied once
    size_t used = 0;
    for (uint32_t i = 0; i < piece->state_count; ++i) {
        const GtiObjState* s = &piece->states[i];
        used += (size_t)name_length(s->object) + name_length(s->group) + name_length(s->material);
    }
    for (uint32_t i = 0; i < piece->library_count; ++i) {
        used += piece->libraries[i].length;
    }
    used +=
        (size_t)name_length(piece->last.object) + name_length(piece->last.group) + name_length(piece->last.material);
    name_size = used < name_size ? used : name_size;
    piece->corner_value_count = (uint64_t)(parser->corner - piece->corners);
    size_t corner_size = (size_t)piece->corner_value_count * sizeof(int32_t);
    size_t run_size = piece->run_count * sizeof(GtiObjRun);
    size_t state_size = piece->state_count * sizeof(GtiObjState);
    size_t library_size = piece->library_count * sizeof(GtiObjName);
    char* to = allocator.allocate(allocator.user, corner_size + run_size + state_size + library_size + name_size + 1);
    if (!to) {
        return false;
    }
    piece->faces = to;
    piece->corners = memcpy(to, piece->corners, corner_size);
    piece->runs = memcpy(to + corner_size, piece->runs, run_size);
    const GtiObjState* states = piece->states;
    const GtiObjName* libraries = piece->libraries;
    piece->states = (GtiObjState*)(to + corner_size + run_size);
    piece->libraries = (GtiObjName*)(to + corner_size + run_size + state_size);
    piece->names = to + corner_size + run_size + state_size + library_size;
    GtiObjState before = { { 0, 0 }, { 0, 0 }, { 0, 0 } };
    GtiObjState kept = before;
    for (uint32_t i = 0; i <= piece->state_count; ++i) {
        GtiObjState s = i < piece->state_count ? states[i] : piece->last;
        kept.object = keep_name(piece, parser->text, s.object, before.object, kept.object);
        kept.group = keep_name(piece, parser->text, s.group, before.group, kept.group);
        kept.material = keep_name(piece, parser->text, s.material, before.material, kept.material);
        before = s;
        if (i < piece->state_count) {
            piece->states[i] = kept;
        } else {
            piece->last = kept;
        }
    }
    for (uint32_t i = 0; i < piece->library_count; ++i) {
        piece->libraries[i] = keep_name(piece, parser->text, libraries[i], (GtiObjName){ 0, 0 }, (GtiObjName){ 0, 0 });
    }
    return true;
}

static Parser start(const GtiPiece* text, const double origin[3], GtiObjPiece* out)
{
    const GtiObjName inherited = { 0, GTI_OBJ_INHERITED };
    *out = (GtiObjPiece){ 0 };
    return (Parser){
        .text = text->text,
        .end = text->end,
        .p = text->text,
        .origin = origin,
        .has_origin = origin[0] != 0.0 || origin[1] != 0.0 || origin[2] != 0.0,
        .piece = out,
        .state = { inherited, inherited, inherited },
        .faces_left = INT64_MAX,
    };
}

void gti_obj_parse(GtAllocator allocator, const GtiPiece* text, const double origin[3], GtiObjWorker* worker,
                   GtiObjPiece* out)
{
    Parser parser = start(text, origin, out);
    if (!prepare_worker(allocator, (size_t)(text->end - text->text), worker, &parser)) {
        out->out_of_memory = true;
        return;
    }
    parse_lines(&parser);
    out->last = parser.state;
    out->out_of_memory = !keep_elements(allocator, out) || !keep_faces(allocator, out, &parser);
}

int64_t gti_obj_line_of_face(GtAllocator allocator, const GtiPiece* text, int64_t face)
{
    const double nowhere[3] = { 0.0, 0.0, 0.0 };
    GtiObjPiece piece;
    GtiObjWorker worker = { 0 };
    Parser parser = start(text, nowhere, &piece);
    parser.faces_left = face + 1;
    if (prepare_worker(allocator, (size_t)(text->end - text->text), &worker, &parser)) {
        parse_lines(&parser);
    }
    allocator.release(allocator.user, worker.block);
    return parser.faces_left == 0 && parser.line > 0 ? parser.line - 1 : parser.line;
}

bool gti_obj_first_vertex(const char* text, const char* end, double out[3])
{
    int64_t line = 0;
    for (const char* p = text; p < end; p = gti_skip_line_end(gti_find_line_end(p, end), end, &line)) {
        while (gti_is_blank(*p)) {
            ++p;
        }
        if (p[0] != 'v' || !gti_is_blank(p[1])) {
            continue;
        }
        ++p;
        for (int k = 0; k < 3; ++k) {
            p = gti_skip_blanks(p, &line);
            if (!gti_scan_double(&p, end, &out[k])) {
                return false;
            }
        }
        return true;
    }
    return false;
}
