// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What `animate` and `retarget` share: how a motion is carried over, and what is said of it.

#ifndef GERTIE_CLI_TRANSFER_H
#define GERTIE_CLI_TRANSFER_H

#include "session.h"

#include "gertie/animate.h"

// Choices of --root, in the order of GtRootMotion.
extern const char* const root_names[];

// Options that both verbs have.
#define OPTION_FPS                                                                                                     \
    {                                                                                                                  \
        .name = "fps", .kind = OPTION_NUMBER, .value = "HZ",                                                           \
        .help = "keys a second; without it, at the motion's own times", .min = 0.01, .max = 10000                      \
    }
#define OPTION_SPEED                                                                                                   \
    {                                                                                                                  \
        .name = "speed", .kind = OPTION_NUMBER, .value = "TIMES", .help = "times as fast as the motion", .min = 0.001, \
        .max = 1000                                                                                                    \
    }
#define OPTION_ROOT                                                                                                    \
    {                                                                                                                  \
        .name = "root", .kind = OPTION_CHOICE, .value = "WHERE",                                                       \
        .help = "what takes the path over the ground: the hips, as without it, the topmost joint above them, with "    \
                "the heading, or none, for a motion on the spot",                                                      \
        .choices = root_names                                                                                          \
    }
#define OPTION_MIRROR                                                                                                  \
    {                                                                                                                  \
        .name = "mirror", .help = "left and right change places"                                                       \
    }
#define OPTION_KEEP_CLIPS                                                                                              \
    {                                                                                                                  \
        .name = "keep-clips", .help = "keep the clips that the character has already"                                  \
    }
#define OPTION_CHARACTER_MAP                                                                                           \
    {                                                                                                                  \
        .name = "map", .kind = OPTION_FILE, .value = "FILE",                                                           \
        .help = "joints of CHARACTER and turns of its pose that are known, as 'gertie map' writes them; the rest is "  \
                "found",                                                                                               \
        .endings = "json"                                                                                              \
    }
#define OPTION_MOTION_MAP                                                                                              \
    {                                                                                                                  \
        .name = "motion-map", .kind = OPTION_FILE, .value = "FILE", .help = "likewise of MOTION", .endings = "json"    \
    }

// Choices of --feet, in the order of GtFeet.
extern const char* const feet_names[];

// The option --feet of a verb that carries motions over.
#define OPTION_FEET                                                                                                    \
    {                                                                                                                  \
        .name = "feet", .kind = OPTION_CHOICE, .value = "HOW",                                                         \
        .help = "what becomes of the feet: planted where those of the motion stand, as without it; warped, along the " \
                "scaled paths of the motion's feet; or off, wherever the legs take them",                              \
        .choices = feet_names                                                                                          \
    }

// The option --contacts of a verb that plants feet.
#define OPTION_CONTACTS                                                                                                \
    {                                                                                                                  \
        .name = "contacts", .kind = OPTION_FILE, .value = "FILE",                                                      \
        .help = "when feet stand and hands touch, as 'gertie contacts' writes it; without it, that is found in the "   \
                "motion",                                                                                              \
        .endings = "json"                                                                                              \
    }

// The option --ground of a verb that plants feet.
#define OPTION_GROUND                                                                                                  \
    {                                                                                                                  \
        .name = "ground", .kind = OPTION_FILE, .value = "MESH",                                                        \
        .help =                                                                                                        \
            "uneven ground to stand on instead of a level floor: a mesh of any format, in metres and Y up where that " \
            "does not say, lying where the character walks"                                                            \
    }

// The option --keep-contacts of a verb that carries motions over.
#define OPTION_KEEP_CONTACTS                                                                                           \
    {                                                                                                                  \
        .name = "keep-contacts",                                                                                       \
        .help = "hands that touch the body, each other or the ground in the motion do so on the character, too"        \
    }

// Choices of --method, in the order of GtAnimateMethod.
extern const char* const method_names[];

#define OPTION_METHOD                                                                                                  \
    {                                                                                                                  \
        .name = "method", .kind = OPTION_CHOICE, .value = "HOW",                                                       \
        .help = "how the surface follows the joints: by the skin's weights; by harmonic fields from markers, without " \
                "weights; or auto, as without it, which takes the skin of a character that has one and says what it "  \
                "chose for a bare mesh, and why",                                                                      \
        .choices = method_names                                                                                        \
    }

// Values of the options that both verbs have.
typedef struct TransferOptions {
    const OptionValue* fps;
    const OptionValue* speed;
    const OptionValue* root;
    const OptionValue* feet;
    const OptionValue* keep_contacts;
    const OptionValue* mirror;
    const OptionValue* loop;
    const OptionValue* keep_tpose;
} TransferOptions;

// Put the options over the library's defaults.
GtRetargetDef transfer_def(const TransferOptions* options);

// What a file says of a figure.
typedef struct KnownFigure {
    bool given;
    GtHumanoidMap map;
    GtRetargetPose pose;
} KnownFigure;

// Read the ground where one was given: *out is NULL where none was; free it with gt_ground_destroy().
bool transfer_read_ground(Session* session, const char* path, GtGround** out);

// Read a map where one was given.
bool transfer_read_map(Session* session, const GtScene* scene, const char* path, KnownFigure* out);

// Read contacts where some were given, else NULL; it is wrong usage where feet are left alone. Free them with
// gt_contacts_destroy().
bool transfer_read_contacts(Session* session, const char* path, GtFeet feet, GtContacts** out);

// Put what is known into a def, which refers to it.
void transfer_use_maps(GtAnimateDef* def, const KnownFigure* character, const KnownFigure* motion);

// The default speed, for help.
void transfer_speed_default(OptionValue* speed);

// Members of an open object.
void transfer_report(GtJsonWriter* json, const GtRetargetReport* did);

// "343 frames, 2.85 s, 23 joints matched, path scaled by 1.07".
void transfer_add_summary(GtText* text, const GtRetargetReport* did);

#endif
