// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// The verb `render`: pictures, sheets and films of scenes.

#include "render.h"

#include "scenes.h"
#include "verbs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum {
    RENDER_OUTPUT,
    RENDER_TIME,
    RENDER_FROM,
    RENDER_TO,
    RENDER_SHEET,
    RENDER_TURNTABLE,
    RENDER_CAMERA,
    RENDER_FOCUS,
    RENDER_SIZE,
    RENDER_FPS,
    RENDER_QUALITY,
    RENDER_BACKGROUND,
    RENDER_NO_GROUND,
    RENDER_GROUND,
    RENDER_PROP,
    RENDER_MIRROR,
    RENDER_SKIN,
    RENDER_SKELETON,
    RENDER_WIRE,
    RENDER_AXES,
    RENDER_WEIGHTS,
    RENDER_INFLUENCES,
    RENDER_ERROR,
    RENDER_ERROR_MAX,
    RENDER_ONION,
    RENDER_ONION_STEP,
    RENDER_TRAILS,
    RENDER_CONTACTS,
    RENDER_CONTACTS_FROM,
    RENDER_POINT_LIGHTS,
    RENDER_CLIP,
    RENDER_UNITS,
    RENDER_UP,
    RENDER_GROUP
};

// In the order of GtCameraPlace, first those that stand still and then those that follow.
static const char* const camera_names[] = { "three-quarter", "front",       "side",       "top", "follow",
                                            "follow-front",  "follow-side", "follow-top", NULL };
static const char* const quality_names[] = { "draft", "fine", NULL }; // in the order of GtRenderQuality
static const char* const skin_names[] = { "linear", "dual-quaternion", "bulge-free",
                                          NULL }; // in the order of GtSkinMethod

static void choose_size(const OptionValue* size, Shot* shot)
{
    if (shot->cell_count > 0) {
        GtSheetDef sheet = gt_default_sheet_def();
        shot->renderer.width = sheet.cell_width;
        shot->renderer.height = sheet.cell_height;
    }
    if (size->given) {
        shot->renderer.width = size->width;
        shot->renderer.height = size->height;
    }
    if (shot->film && shot->film->even_size) {
        shot->renderer.width += shot->renderer.width % 2;
        shot->renderer.height += shot->renderer.height % 2;
    }
}

static bool choose_background(Session* session, const OptionValue* option, Shot* shot)
{
    GtBackground* background = &shot->renderer.background;
    if (shot->overlays.lights && !option->given) {
        const float dark[4] = { 0.0f, 0.0f, 0.0f, 1.0f };
        memcpy(background->top, dark, sizeof dark);
        memcpy(background->bottom, dark, sizeof dark);
        background->ground = false;
        return true;
    }
    if (!option->given || !strcasecmp(option->text, "gradient")) {
        return true;
    }
    GtColor color = { 0 };
    bool is_clear = !strcasecmp(option->text, "transparent") || !strcasecmp(option->text, "none");
    if (!is_clear && !gt_color_parse(option->text, &color)) {
        return session_misuse(session,
                              "--background is gradient, transparent, a colour such as white, or #rrggbb, not '%s'",
                              option->text);
    }
    if (color.a < 255 && shot->film && !shot->film->has_alpha) {
        return session_misuse(session, "%s keeps no transparency; write .webm, .apng or .gif, or choose a colour",
                              shot->film->name);
    }
    const float channels[4] = { (float)color.r / 255.0f, (float)color.g / 255.0f, (float)color.b / 255.0f,
                                (float)color.a / 255.0f };
    memcpy(background->top, channels, sizeof channels);
    memcpy(background->bottom, channels, sizeof channels);
    background->ground = background->ground && !is_clear;
    return true;
}

static double time_option(const OptionValue* option)
{
    return option->given ? option->number : NAN;
}

static Overlays choose_overlays(const OptionValue* values)
{
    return (Overlays){
        .force_skin = values[RENDER_SKIN].given,
        .skin = (GtSkinMethod)values[RENDER_SKIN].choice,
        .skeleton = values[RENDER_SKELETON].given,
        .wire = values[RENDER_WIRE].given,
        .axes = values[RENDER_AXES].given,
        .lights = values[RENDER_POINT_LIGHTS].given,
        .paint = values[RENDER_WEIGHTS].given      ? GT_PAINT_WEIGHT
                 : values[RENDER_INFLUENCES].given ? GT_PAINT_INFLUENCES
                 : values[RENDER_ERROR].given      ? GT_PAINT_DISTANCE
                                                   : GT_PAINT_NONE,
        .joint = values[RENDER_WEIGHTS].text,
        .reference = values[RENDER_ERROR].text,
        .most_mm = values[RENDER_ERROR_MAX].given ? values[RENDER_ERROR_MAX].number : 0.0,
        .ghosts = values[RENDER_ONION].given ? (int32_t)values[RENDER_ONION].number : 0,
        .ghost_step_s = values[RENDER_ONION_STEP].number,
        .trails = values[RENDER_TRAILS].given ? values[RENDER_TRAILS].text : NULL,
        .contacts = values[RENDER_CONTACTS].given || values[RENDER_CONTACTS_FROM].given,
        .contacts_file = values[RENDER_CONTACTS_FROM].given ? values[RENDER_CONTACTS_FROM].text : NULL,
    };
}

static bool check_overlays(Session* session, const OptionValue* values)
{
    int paints = values[RENDER_WEIGHTS].given + values[RENDER_INFLUENCES].given + values[RENDER_ERROR].given;
    if (paints > 1) {
        return session_misuse(session, "--weights, --influences and --error each colour the skin: give one of them");
    }
    if (values[RENDER_POINT_LIGHTS].given &&
        (paints > 0 || values[RENDER_SKELETON].given || values[RENDER_WIRE].given || values[RENDER_ONION].given)) {
        return session_misuse(session, "--point-lights shows nothing but lights: no skin, skeleton or ghosts");
    }
    if (values[RENDER_ERROR_MAX].given && !values[RENDER_ERROR].given) {
        return session_misuse(session, "--error-max is the end of the colours of --error, which is not given");
    }
    if (values[RENDER_ONION_STEP].given && !values[RENDER_ONION].given) {
        return session_misuse(session, "--onion-step is between the ghosts of --onion, which is not given");
    }
    return true;
}

// Options that leave each other no room.
static bool check_options(Session* session, const OptionValue* values, const Shot* shot)
{
    if (shot->cell_count > 0 && shot->film) {
        return session_misuse(session, "--sheet makes a .png, not a .%s", shot->film->name);
    }
    if (shot->turntable && !shot->film && shot->cell_count == 0) {
        return session_misuse(session, "--turntable needs a film, or --sheet for several sides in one picture");
    }
    if (values[RENDER_TIME].given && (values[RENDER_FROM].given || values[RENDER_TO].given)) {
        return session_misuse(session, "--time is one moment, --from and --to are many: give either");
    }
    bool takes_many = shot->film || shot->cell_count > 0;
    if (values[RENDER_TIME].given && takes_many && !shot->turntable) {
        return session_misuse(session, "--time is for one picture; use --from and --to");
    }
    if ((values[RENDER_FROM].given || values[RENDER_TO].given) && !takes_many) {
        return session_misuse(session, "--from and --to are for sheets and films; use --time");
    }
    if (values[RENDER_FPS].given && !shot->film) {
        return session_misuse(session, "--fps is for films, and %s is none", shot->output);
    }
    return true;
}

static bool check_output(Session* session, const char* path, Shot* shot)
{
    shot->output = path;
    shot->film = gt_film_format_find(path);
    if (!strcmp(path, "-")) {
        if (session->json || isatty(STDOUT_FILENO)) {
            return session_misuse(session, "standard output is %s: write to a file",
                                  session->json ? "taken by --json" : "a terminal, which a PNG would confuse");
        }
        return true;
    }
    size_t length = strlen(path);
    if (!shot->film && (length < 5 || strcasecmp(path + length - 4, ".png") != 0)) {
        char endings[128] = ".png";
        size_t used = strlen(endings);
        for (const GtFilmFormat* format = gt_film_formats(); format->name; ++format) {
            used += (size_t)snprintf(endings + used, sizeof endings - used, ", .%s", format->name);
        }
        return session_misuse(session, "%s: the ending tells no kind of picture; give it one of %s", path, endings);
    }
    return output_place_check(session, path);
}

static bool make_shot(Session* session, const OptionValue* values, Shot* shot)
{
    *shot = (Shot){
        .load = scene_load_def(&values[RENDER_UNITS], &values[RENDER_UP], &values[RENDER_GROUP]),
        .clip = &values[RENDER_CLIP],
        .renderer = gt_default_renderer_def(),
        .turntable = values[RENDER_TURNTABLE].given,
        .cell_count = (int32_t)values[RENDER_SHEET].number,
        .time_s = time_option(&values[RENDER_TIME]),
        .from_s = time_option(&values[RENDER_FROM]),
        .to_s = time_option(&values[RENDER_TO]),
        .frame_rate_hz = values[RENDER_FPS].number,
    };
    if (!check_output(session, values[RENDER_OUTPUT].text, shot)) {
        return false;
    }
    if (!values[RENDER_FPS].given) { // a picture of a GIF lasts whole hundredths of a second
        shot->frame_rate_hz = shot->film && !strcmp(shot->film->name, "gif") ? 25.0 : 30.0;
    }
    int32_t camera = values[RENDER_CAMERA].choice;
    shot->place = (GtCameraPlace)(camera % GT_CAMERA_PLACE_COUNT);
    shot->follows =
        values[RENDER_CAMERA].given ? camera >= GT_CAMERA_PLACE_COUNT : shot->cell_count > 0 || shot->turntable;
    shot->focus = values[RENDER_FOCUS].given ? values[RENDER_FOCUS].text : NULL;
    if (values[RENDER_QUALITY].given) {
        shot->renderer.quality = (GtRenderQuality)values[RENDER_QUALITY].choice;
    }
    shot->mirror = values[RENDER_MIRROR].given;
    shot->prop = values[RENDER_PROP].given ? values[RENDER_PROP].text : NULL;
    shot->ground = values[RENDER_GROUND].given ? values[RENDER_GROUND].text : NULL;
    shot->renderer.background.ground = !values[RENDER_NO_GROUND].given && !shot->ground;
    shot->overlays = choose_overlays(values);
    choose_size(&values[RENDER_SIZE], shot);
    return check_options(session, values, shot) && check_overlays(session, values) &&
           choose_background(session, &values[RENDER_BACKGROUND], shot);
}

static bool render_run(Session* session, const CommandLine* line)
{
    const OptionValue* values = line->values;
    Shot shot;
    if (!make_shot(session, values, &shot)) {
        return false;
    }
    Stage stage;
    bool ok = stage_open(session, line, &shot, &stage) && render_output(session, &shot, &stage);
    stage_close(&stage);
    return ok;
}

static void render_defaults(OptionValue* values)
{
    values[RENDER_ONION_STEP] = (OptionValue){ .has_default = true, .number = 0.1 };
}

const Verb verb_render = {
    .name = "render",
    .summary = "draw pictures, contact sheets and films",
    .description =
        "Draws scenes, on a machine with or without a display. The ending of OUT tells what is made: .png is a picture "
        "of one moment, or with --sheet of many in a labelled grid; .mp4, .webm, .gif and .apng are films, for which "
        "ffmpeg must be installed. The camera finds its place by itself, so that the whole motion is seen.\n\n"
        "Several files stand side by side and move in step, each with its name under it: that is how methods are "
        "compared. A file without a mesh, such as a BVH, is drawn as a figure of bones.\n\n"
        "With --turntable the camera goes round once while the motion repeats, or stands still at --time.",
    .arguments = { { .name = "FILE", .help = "a scene to draw", .repeats = true } },
    .options = { [RENDER_OUTPUT] = { .name = "output",
                                     .letter = 'o',
                                     .kind = OPTION_FILE,
                                     .required = true,
                                     .value = "OUT",
                                     .help = "file to write, or - for a PNG on standard output",
                                     .endings = "png mp4 webm gif apng" },
                 [RENDER_TIME] = { .name = "time",
                                   .kind = OPTION_NUMBER,
                                   .value = "SECONDS",
                                   .help = "moment of a picture; without it, the middle of the motion",
                                   .min = -1e6,
                                   .max = 1e6 },
                 [RENDER_FROM] = { .name = "from",
                                   .kind = OPTION_NUMBER,
                                   .value = "SECONDS",
                                   .help = "where a sheet or film begins; without it, where the motion does",
                                   .min = -1e6,
                                   .max = 1e6 },
                 [RENDER_TO] = { .name = "to",
                                 .kind = OPTION_NUMBER,
                                 .value = "SECONDS",
                                 .help = "where a sheet or film ends; without it, where the motion does",
                                 .min = -1e6,
                                 .max = 1e6 },
                 [RENDER_SHEET] = { .name = "sheet",
                                    .kind = OPTION_INTEGER,
                                    .value = "N",
                                    .help = "draw N moments in a grid",
                                    .min = 1,
                                    .max = 1000 },
                 [RENDER_TURNTABLE] = { .name = "turntable", .help = "let the camera go round once" },
                 [RENDER_CAMERA] = { .name = "camera",
                                     .kind = OPTION_CHOICE,
                                     .value = "PLACE",
                                     .help = "where the camera stands; those that follow go along; without it, "
                                             "three-quarter, or follow for a sheet or turntable",
                                     .choices = camera_names },
                 [RENDER_FOCUS] = { .name = "focus",
                                    .kind = OPTION_TEXT,
                                    .value = "JOINTS",
                                    .help = "look at these joints and what hangs on them alone: head, or "
                                            "leftUpperArm,leftHand" },
                 [RENDER_SIZE] = { .name = "size",
                                   .kind = OPTION_SIZE,
                                   .value = "WxH",
                                   .help = "pixels of a picture; without it, 1280x720, or 480x480 for each of a sheet",
                                   .min = 16,
                                   .max = 8192 },
                 [RENDER_FPS] = { .name = "fps",
                                  .kind = OPTION_NUMBER,
                                  .value = "HZ",
                                  .help = "pictures a second of a film; without it 30, or 25 for .gif",
                                  .min = 1,
                                  .max = 240 },
                 [RENDER_QUALITY] = { .name = "quality",
                                      .kind = OPTION_CHOICE,
                                      .value = "NAME",
                                      .help = "draft is fast; fine, which is the default, has soft shadows and smooth "
                                              "edges",
                                      .choices = quality_names },
                 [RENDER_BACKGROUND] = { .name = "background",
                                         .kind = OPTION_TEXT,
                                         .value = "COLOR",
                                         .help = "gradient (the default), transparent, a name such as white, or "
                                                 "#rrggbb" },
                 [RENDER_GROUND] = { .name = "ground",
                                     .kind = OPTION_FILE,
                                     .value = "MESH",
                                     .help =
                                         "uneven ground instead of the floor, as feet were planted on; with one FILE" },
                 [RENDER_PROP] = { .name = "prop",
                                   .kind = OPTION_FILE,
                                   .value = "SCENE",
                                   .help = "something that is there too, such as a chair, and moves as its first clip "
                                           "does; with one FILE" },
                 [RENDER_MIRROR] = { .name = "mirror", .help = "stand the mirror image of each FILE beside it" },
                 [RENDER_NO_GROUND] = { .name = "no-ground", .help = "leave out the floor, its grid and shadows" },
                 [RENDER_SKIN] = { .name = "skin",
                                   .kind = OPTION_CHOICE,
                                   .value = "METHOD",
                                   .help = "how joints bend the skin, whatever the file says",
                                   .choices = skin_names },
                 [RENDER_SKELETON] = { .name = "skeleton", .help = "show the bones through a skin of glass" },
                 [RENDER_WIRE] = { .name = "wire", .help = "draw the edges of the triangles over the skin" },
                 [RENDER_AXES] = { .name = "axes", .help = "draw each joint's axes: x red, y green, z blue" },
                 [RENDER_WEIGHTS] = { .name = "weights",
                                      .kind = OPTION_TEXT,
                                      .value = "JOINT",
                                      .help = "colour the skin by how much JOINT moves it" },
                 [RENDER_INFLUENCES] = { .name = "influences",
                                         .help = "colour the skin by how many joints move each vertex" },
                 [RENDER_ERROR] = { .name = "error",
                                    .kind = OPTION_FILE,
                                    .value = "REFERENCE",
                                    .help = "colour the skin by its distance from that of another file, in "
                                            "millimetres" },
                 [RENDER_ERROR_MAX] = { .name = "error-max",
                                        .kind = OPTION_NUMBER,
                                        .value = "MM",
                                        .help = "distance where the colours of --error end; without it, the largest",
                                        .min = 1e-6,
                                        .max = 1e9 },
                 [RENDER_ONION] = { .name = "onion",
                                    .kind = OPTION_INTEGER,
                                    .value = "N",
                                    .help = "show N ghosts before each moment, blue, and N after it, orange",
                                    .min = 1,
                                    .max = 20 },
                 [RENDER_ONION_STEP] = { .name = "onion-step",
                                         .kind = OPTION_NUMBER,
                                         .value = "SECONDS",
                                         .help = "time from ghost to ghost",
                                         .min = 1e-3,
                                         .max = 1e3 },
                 [RENDER_TRAILS] = { .name = "trails",
                                     .kind = OPTION_TEXT,
                                     .value = "JOINTS",
                                     .help = "draw the paths of joints, such as leftHand,rightHand" },
                 [RENDER_CONTACTS] = { .name = "contacts",
                                       .help = "draw marks under heels and balls that stand, and where they stood" },
                 [RENDER_CONTACTS_FROM] = { .name = "contacts-from",
                                            .kind = OPTION_FILE,
                                            .value = "CONTACTS.json",
                                            .help = "likewise, when a file says so, as 'gertie contacts' writes it",
                                            .endings = "json" },
                 [RENDER_POINT_LIGHTS] = { .name = "point-lights",
                                           .help = "show lights at a dozen joints, in the dark, and nothing else" },
                 [RENDER_CLIP] = { .name = "clip",
                                   .kind = OPTION_TEXT,
                                   .value = "CLIP",
                                   .help = "clip of each FILE, by name or by number counted from 0; without it, the "
                                           "first" },
                 [RENDER_UNITS] = OPTION_UNITS("units of FILE, where its format does not say"),
                 [RENDER_UP] = OPTION_UP("axis that points up in FILE, where its format does not say"),
                 [RENDER_GROUP] = { .name = "group",
                                    .kind = OPTION_TEXT,
                                    .value = "NAME",
                                    .help = "read this group or object of an OBJ only" } },
    .examples =
        (const Example[]){
            { "gertie render hero.glb -o hero.png", "a picture" },
            { "gertie render walk.bvh -o walk.mp4", "a film of a figure of bones" },
            { "gertie render hero.glb -o sheet.png --sheet 8", "eight moments of a motion" },
            { "gertie render a.glb b.glb -o both.mp4", "two side by side, in step" },
            { "gertie render hero.glb -o face.png --focus head --camera front", "a close-up" },
            { "gertie render hero.glb -o hero.webm --turntable --background transparent", "all round, for a web page" },
            { "gertie render dual.glb --error linear.glb -o error.png",
              "where one skin differs from another, and by how much" },
            { "gertie render walk.bvh -o lights.mp4 --point-lights --camera side", "a walk by its joints alone" },
            { "gertie render walking.glb -o prints.png --sheet 6 --contacts", "where and when feet stand" },
            { NULL, NULL } },
    .defaults = render_defaults,
    .run = render_run,
};
