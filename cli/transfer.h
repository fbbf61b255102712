// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What `animate` and `retarget` share: how a motion is carried over, and what is said of it.

#ifndef GERTIE_CLI_TRANSFER_H
#define GERTIE_CLI_TRANSFER_H

#include "scenes.h"

#include "gertie/animate.h"

// Options that both verbs have. It is the first member of the options of each, so that its offsets are theirs.
typedef struct TransferOptions {
    GtAnimateDef animate;
    GtLoadDef load;     // of motions
    GtSaveDef save;     // of the result
    const char* output; // paths and names, or NULL
    const char* format;
    const char* clip;
    const char* map;
    const char* motion_map;
    const char* contacts;
    const char* ground;
} TransferOptions;

void transfer_set_defaults(TransferOptions* options);

// Rows of both verbs: those that many use, and the others.
#define TRANSFER_OPTIONS                                                                                               \
    FIELD_OPTION("fps", TransferOptions, animate, retarget.frame_rate_hz),                                             \
        FIELD_OPTION("speed", TransferOptions, animate, retarget.speed),                                               \
        FIELD_OPTION("mirror", TransferOptions, animate, retarget.mirror),                                             \
        FIELD_OPTION("loop", TransferOptions, animate, retarget.loop),                                                 \
        FIELD_OPTION("root", TransferOptions, animate, retarget.root_motion),                                          \
        FIELD_OPTION("feet", TransferOptions, animate, retarget.feet),                                                 \
        FIELD_OPTION("keep-clips", TransferOptions, animate, keep_animations),                                         \
        OPTION_ANIMATION_ONLY_OF(TransferOptions),                                                                     \
        FIELD_OPTION("method", TransferOptions, animate, method, .value = "METHOD")
#define TRANSFER_MORE_OPTIONS                                                                                          \
    PATH_OPTION("contacts", TransferOptions, contacts, "CONTACTS.json",                                                \
                "when feet stand and hands touch, as 'gertie contacts' writes it", .endings = "json",                  \
                .default_text = "found in the motion"),                                                                \
        FIELD_OPTION("keep-contacts", TransferOptions, animate, retarget.keep_contacts),                               \
        FIELD_OPTION("collide", TransferOptions, animate, retarget.collide),                                           \
        PATH_OPTION("ground", TransferOptions, ground, "MESH",                                                         \
                    "uneven ground to stand on, lying where the character walks: a mesh of any format, in metres and " \
                    "Y up where the format does not say",                                                              \
                    .default_text = "a level floor"),                                                                  \
        FIELD_OPTION("hand-pose", TransferOptions, animate, retarget.hand_pose, .value = "POSE"),                      \
        FIELD_OPTION("keep-tpose", TransferOptions, animate, retarget.keep_tpose),                                     \
        FIELD_OPTION("body-height", TransferOptions, animate, rig.body_height_m,                                       \
                     .help = "scale CHARACTER, where it is a bare mesh, to this height", .default_text = "its own"),   \
        FIELD_OPTION("fingers", TransferOptions, animate, rig.fingers,                                                 \
                     .help = "which hands of CHARACTER, where it is a bare mesh, get fingers"),                        \
        PATH_OPTION("map", TransferOptions, map, "MAP.json",                                                           \
                    "known joints and pose of CHARACTER, as 'gertie map' writes them; the others are found",           \
                    .endings = "json"),                                                                                \
        PATH_OPTION("motion-map", TransferOptions, motion_map, "MAP.json",                                             \
                    "known joints and pose of MOTION; the others are found", .endings = "json"),                       \
        FIELD_OPTION("units", TransferOptions, load, metres_per_unit, .value = "UNIT",                                 \
                     .help = "unit of length of MOTION, or metres per unit, where its format does not say"),           \
        FIELD_OPTION("up", TransferOptions, load, up_axis, .value = "AXIS",                                            \
                     .help = "axis that points up in MOTION, where its format does not say"),                          \
        OPTION_FORMAT_OF(TransferOptions)

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

// Members of an open object.
void transfer_report(GtJsonWriter* json, const GtRetargetReport* did);

// "343 frames, 2.85 s, 23 joints matched, path scaled by 1.07".
void transfer_add_summary(GtText* text, const GtRetargetReport* did);

#endif
