// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// The verb `contacts`: when heels and balls of feet stand on the ground, what hands touch, and what else is on the
// ground.

#include "fail.h"
#include "scenes.h"
#include "transfer.h"
#include "verbs.h"

#include "gertie/contact.h"

#include <math.h>
#include <stdlib.h>

typedef struct ContactsOptions {
    GtContactsDef contacts;
    GtLoadDef load;
    const char* output; // or NULL
    const char* clip;
    const char* map;
} ContactsOptions;

static void set_defaults(void* options)
{
    *(ContactsOptions*)options =
        (ContactsOptions){ .contacts = gt_default_contacts_def(), .load = gt_default_load_def() };
}

static const char* const feet[] = { "left", "left", "right", "right" };
static const char* const parts[] = { "heel", "ball", "heel", "ball" };
static const char* const hands[] = { "left", "right" };

// How a motion stands, in seconds.
typedef struct Support {
    double duration_s;
    double parts_s[GT_CONTACT_PART_COUNT];
    int32_t counts[GT_CONTACT_PART_COUNT];
    double feet_s[3]; // on none, one and both
} Support;

// A moment in which a part begins (1) or ceases (-1) to stand.
typedef struct Change {
    double time_s;
    int32_t part, by;
} Change;

static int compare_changes(const void* a, const void* b)
{
    const Change* x = a;
    const Change* y = b;
    return (x->time_s > y->time_s) - (x->time_s < y->time_s);
}

static bool measure_support(const GtContacts* contacts, GtArena* arena, Support* out)
{
    size_t count = 0;
    Change* changes = gt_arena_push_array(arena, 2 * (size_t)contacts->count, sizeof *changes);
    *out = (Support){ .duration_s = contacts->end_s - contacts->start_s };
    if (!changes) {
        return false;
    }
    for (int32_t i = 0; i < contacts->count; ++i) {
        const GtContact* span = &contacts->spans[i];
        changes[count++] = (Change){ span->start_s, span->part, 1 };
        changes[count++] = (Change){ span->end_s, span->part, -1 };
        out->parts_s[span->part] += span->end_s - span->start_s;
        ++out->counts[span->part];
    }
    qsort(changes, count, sizeof *changes, compare_changes);
    double since_s = contacts->start_s;
    int32_t standing[GT_CONTACT_PART_COUNT] = { 0 };
    for (size_t i = 0; i <= count; ++i) {
        double now_s = i < count ? changes[i].time_s : contacts->end_s;
        int on = (standing[0] || standing[1]) + (standing[2] || standing[3]);
        out->feet_s[on] += now_s - since_s;
        since_s = now_s;
        if (i < count) {
            standing[changes[i].part] += changes[i].by;
        }
    }
    return true;
}

static double share_of(const Support* support, double time_s)
{
    return support->duration_s > 0.0 ? 100.0 * time_s / support->duration_s : 0.0;
}

static void add_table(GtText* text, const char* file, const char* clip, const GtContacts* contacts, const Support* s)
{
    gt_text_add_printable(text, file);
    gt_text_adds(text, ": clip '");
    gt_text_add_printable(text, clip);
    gt_text_addf(text, "', %.2f s, %d contact%s\n", s->duration_s, (int)contacts->count,
                 contacts->count == 1 ? "" : "s");
    if (contacts->count > 0) {
        gt_text_adds(text, "  foot   part    start      end   length\n");
    }
    for (int32_t i = 0; i < contacts->count; ++i) {
        const GtContact* span = &contacts->spans[i];
        gt_text_addf(text, "  %-5s  %-4s %7.3f  %7.3f  %7.3f", feet[span->part], parts[span->part], span->start_s,
                     span->end_s, span->end_s - span->start_s);
        if (span->height_m != 0.0f) {
            gt_text_addf(text, "  %.2f m up", (double)span->height_m);
        }
        gt_text_adds(text, "\n");
    }
    if (contacts->count > 0) {
        gt_text_adds(text, "  foot   part  contacts  seconds  of the time\n");
    }
    for (int32_t p = 0; contacts->count > 0 && p < GT_CONTACT_PART_COUNT; ++p) {
        gt_text_addf(text, "  %-5s  %-4s  %8d  %7.3f  %9.0f %%\n", feet[p], parts[p], (int)s->counts[p], s->parts_s[p],
                     share_of(s, s->parts_s[p]));
    }
    gt_text_addf(text, "  on both feet %.0f %%, on one %.0f %%, in the air %.0f %%\n", share_of(s, s->feet_s[2]),
                 share_of(s, s->feet_s[1]), share_of(s, s->feet_s[0]));
}

static void add_touch_table(GtText* text, const GtContacts* contacts)
{
    gt_text_addf(text, "  %d touch%s of hands\n", (int)contacts->touch_count, contacts->touch_count == 1 ? "" : "es");
    if (contacts->touch_count > 0) {
        gt_text_adds(text, "  hand   on               start      end   length  where\n");
    }
    for (int32_t i = 0; i < contacts->touch_count; ++i) {
        const GtTouch* t = &contacts->touches[i];
        gt_text_addf(text, "  %-5s  %-13s  %7.3f  %7.3f  %7.3f  ", hands[t->hand], gt_touched_name((int32_t)t->on),
                     t->start_s, t->end_s, t->end_s - t->start_s);
        if (t->on == GT_TOUCHED_GROUND) {
            gt_text_addf(text, "x %.2f m, z %.2f m\n", t->place[0], t->place[1]);
        } else {
            gt_text_addf(text, "%.2f along, %.0f degrees around\n", t->place[0], gt_degrees(t->place[1]));
        }
    }
}

static void add_body_table(GtText* text, const GtContacts* contacts)
{
    gt_text_addf(text, "  %d contact%s of the body with the ground\n", (int)contacts->body_count,
                 contacts->body_count == 1 ? "" : "s");
    if (contacts->body_count > 0) {
        gt_text_adds(text, "  part             start      end   length\n");
    }
    for (int32_t i = 0; i < contacts->body_count; ++i) {
        const GtBodyContact* c = &contacts->body[i];
        gt_text_addf(text, "  %-13s  %7.3f  %7.3f  %7.3f\n", gt_support_name((int32_t)c->part), c->start_s, c->end_s,
                     c->end_s - c->start_s);
    }
}

static void add_body(GtJsonWriter* json, const GtContacts* contacts)
{
    gt_json_member_array(json, "body");
    for (int32_t i = 0; i < contacts->body_count; ++i) {
        const GtBodyContact* c = &contacts->body[i];
        gt_json_next_is_row(json);
        gt_json_begin_object(json);
        gt_json_member_string(json, "part", gt_support_name((int32_t)c->part));
        gt_json_member_float(json, "start_s", (float)c->start_s);
        gt_json_member_float(json, "end_s", (float)c->end_s);
        gt_json_end_object(json);
    }
    gt_json_end_array(json);
}

static void add_touches(GtJsonWriter* json, const GtContacts* contacts)
{
    gt_json_member_array(json, "touches");
    for (int32_t i = 0; i < contacts->touch_count; ++i) {
        const GtTouch* t = &contacts->touches[i];
        gt_json_next_is_row(json);
        gt_json_begin_object(json);
        gt_json_member_string(json, "hand", hands[t->hand]);
        gt_json_member_string(json, "on", gt_touched_name((int32_t)t->on));
        gt_json_member_float(json, "start_s", (float)t->start_s);
        gt_json_member_float(json, "end_s", (float)t->end_s);
        gt_json_member_float(json, t->on == GT_TOUCHED_GROUND ? "x_m" : "along", (float)t->place[0]);
        gt_json_member_float(json, t->on == GT_TOUCHED_GROUND ? "z_m" : "around_deg",
                             (float)(t->on == GT_TOUCHED_GROUND ? t->place[1] : gt_degrees(t->place[1])));
        gt_json_end_object(json);
    }
    gt_json_end_array(json);
}

static void add_report(GtJsonWriter* json, const char* file, const char* clip, const GtContacts* contacts,
                       const Support* s)
{
    gt_json_member_string(json, "file", file);
    gt_json_member_string(json, "clip", clip);
    gt_json_member_float(json, "duration_s", (float)s->duration_s);
    gt_json_member_integer(json, "count", contacts->count);
    gt_json_member_object(json, "contacts");
    for (int32_t p = 0; p < GT_CONTACT_PART_COUNT; ++p) {
        gt_json_next_is_row(json);
        gt_json_member_array(json, gt_contact_part_name(p));
        for (int32_t i = 0; i < contacts->count; ++i) {
            if (contacts->spans[i].part == p) {
                gt_json_begin_array(json);
                gt_json_float(json, (float)contacts->spans[i].start_s);
                gt_json_float(json, (float)contacts->spans[i].end_s);
                if (contacts->spans[i].height_m != 0.0f) {
                    gt_json_float(json, contacts->spans[i].height_m);
                }
                gt_json_end_array(json);
            }
        }
        gt_json_end_array(json);
    }
    gt_json_end_object(json);
    gt_json_member_object(json, "totals_s");
    for (int32_t p = 0; p < GT_CONTACT_PART_COUNT; ++p) {
        gt_json_member_float(json, gt_contact_part_name(p), (float)s->parts_s[p]);
    }
    gt_json_member_float(json, "both_feet", (float)s->feet_s[2]);
    gt_json_member_float(json, "one_foot", (float)s->feet_s[1]);
    gt_json_member_float(json, "in_the_air", (float)s->feet_s[0]);
    gt_json_end_object(json);
    if (contacts->has_touches) {
        add_touches(json, contacts);
    }
    if (contacts->has_body) {
        add_body(json, contacts);
    }
}

static bool show(Session* session, const char* file, const char* clip, const GtContacts* contacts, bool prints)
{
    Support support;
    GtText text = { 0 };
    GtArena arena = gt_arena_create(session->context.allocator);
    bool ok = measure_support(contacts, &arena, &support);
    gt_arena_destroy(&arena);
    if (!ok) {
        GtError error;
        fail(&error, GT_ERROR_OUT_OF_MEMORY, file, "out of memory");
        return session_fail(session, &error);
    }
    if (session->json) {
        add_report(&session->report, file, clip, contacts, &support);
    } else if (prints) {
        add_table(&text, file, clip, contacts, &support);
        if (contacts->has_touches) {
            add_touch_table(&text, contacts);
        }
        if (contacts->has_body) {
            add_body_table(&text, contacts);
        }
        ok = session_print(session, &text);
    }
    gt_text_destroy(&text);
    return ok;
}

static bool find_contacts(Session* session, const CommandLine* line, const GtScene* scene, int32_t clip,
                          GtContacts** out)
{
    const ContactsOptions* options = line->options;
    const GtContactsDef usual = gt_default_contacts_def();
    GtError error = { 0 };
    GtContactsDef def = options->contacts;
    KnownFigure known;
    if (!transfer_read_map(session, scene, options->map, &known)) {
        return false;
    }
    GtFigure figure = { 0 };
    GtFigureDef figure_def = gt_default_figure_def();
    figure_def.animation = clip;
    figure_def.map = known.given ? &known.map : NULL;
    def.pose = known.given ? &known.pose : NULL;
    def.release_mps *= def.speed_mps / usual.speed_mps;
    def.release_height_m *= def.height_m / usual.height_m;
    session->subject = line->arguments[0];
    GtResult result = gt_figure_open(&session->context, scene, &figure_def, &figure, &error);
    if (result == GT_OK) {
        result = gt_contacts_find(&session->context, &figure, &def, out, &error);
    }
    gt_figure_close(&figure);
    session->subject = "";
    if (result != GT_OK) {
        error_set_file(&error, line->arguments[0]);
        return session_fail(session, &error);
    }
    return true;
}

static bool write_contacts(Session* session, const GtContacts* contacts, const char* path)
{
    GtError error = { 0 };
    if (gt_contacts_save(&session->context, contacts, path, &error) != GT_OK) {
        return session_fail(session, &error);
    }
    gt_json_member_string(&session->report, "output", path);
    if (contacts->has_touches) {
        session_say(session, "wrote %s: %d contact%s of feet, %d touch%s of hands", path, (int)contacts->count,
                    contacts->count == 1 ? "" : "s", (int)contacts->touch_count,
                    contacts->touch_count == 1 ? "" : "es");
    } else {
        session_say(session, "wrote %s: %d contact%s", path, (int)contacts->count, contacts->count == 1 ? "" : "s");
    }
    return true;
}

static bool contacts_run(Session* session, const CommandLine* line)
{
    const ContactsOptions* options = line->options;
    const char* file = line->arguments[0];
    const char* path = options->output;
    GtScene* scene = NULL;
    GtContacts* contacts = NULL;
    int32_t clip = 0;
    char room[32];
    if (path && !output_place_check(session, path)) {
        return false;
    }
    bool ok = scene_read(session, file, &options->load, &scene) &&
              clip_find(session, scene, file, options->clip, &clip) &&
              find_contacts(session, line, scene, clip, &contacts) &&
              show(session, file, clip_name(scene, clip, room), contacts, !path) &&
              (!path || write_contacts(session, contacts, path));
    gt_contacts_destroy(contacts);
    gt_scene_destroy(scene);
    return ok;
}

const Verb verb_contacts = {
    .name = "contacts",
    .summary = "find when feet stand and what hands touch",
    .description =
        "Finds when the heels and balls of the feet stand on the ground: while they are slow and low. Prints a table "
        "of the contacts and how long each lasts. With --hands it also finds when hands touch the body, each other or "
        "the ground, and where; with --body, when knees, hips, back and other parts of the body are on the ground.\n\n"
        "With -o the contacts are written to a file that can be edited. Pass it to --contacts of 'animate', "
        "'retarget' or 'clip --plant', and feet are planted and hands touch exactly when the file says.",
    .arguments = { { .name = "FILE", .help = "a motion, or a character with a clip" } },
    .options = { PATH_OPTION("output", ContactsOptions, output, "CONTACTS.json", "write the contacts to a file",
                             .letter = 'o', .endings = "json"),
                 FIELD_OPTION("hands", ContactsOptions, contacts, hands),
                 FIELD_OPTION("body", ContactsOptions, contacts, body), OPTION_CLIP_OF(ContactsOptions, "FILE"),
                 FIELD_OPTION("speed", ContactsOptions, contacts, speed_mps),
                 FIELD_OPTION("height", ContactsOptions, contacts, height_m),
                 FIELD_OPTION("least", ContactsOptions, contacts, least_s), OPTION_MAP_OF(ContactsOptions),
                 OPTION_UNITS_OF(ContactsOptions), OPTION_UP_OF(ContactsOptions) },
    .more_from = "clip",
    .examples = (const Example[]){ { "gertie contacts walk.bvh", "when heels and balls of the feet stand" },
                                   { "gertie contacts walk.bvh -o walk.contacts.json", "write them to a file" },
                                   { "gertie contacts wave.bvh --hands -o wave.json", "and what the hands touch" },
                                   { "gertie contacts hero.glb --clip walk --json", "for a program to read" },
                                   { NULL, NULL } },
    .options_size = sizeof(ContactsOptions),
    .set_defaults = set_defaults,
    .run = contacts_run,
};
