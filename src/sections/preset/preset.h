// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Presets in the making. Each first places its sections; when all are placed and it is known what they take hold of,
// each shapes the poses of its own and adds what drives them.

#ifndef GERTIE_SECTIONS_PRESET_PRESET_H
#define GERTIE_SECTIONS_PRESET_PRESET_H

#include "sections/preset/limb.h"
#include "sections/sculpt.h"

enum {
    GTI_PRESET_MAX_SECTIONS = 192,
    GTI_PRESET_MAX_POSES = 8, // of a section
    GTI_PRESET_MAX_REGIONS = 64,
    GTI_PRESET_MAX_TRACKS = 512,
    GTI_PRESET_MAX_KEYS = 6, // of a track
    GTI_PRESET_MAX_CONTROLS = 64,
    GTI_PRESET_NAME = 64,
    GTI_PRESET_FORMULA = 512
};

typedef struct GtiPresetSection {
    char name[GTI_PRESET_NAME];
    GtHumanoidJoint joint;
    GtMat34 model_from_box; // in the bind pose
    GtVec3 border;          // share of each edge of the box
    char pose_names[GTI_PRESET_MAX_POSES][16];
    GtVec3* poses[GTI_PRESET_MAX_POSES]; // offsets of control points, in the joint's space
    int32_t pose_count;
    GtSculptJiggle jiggle; // of a frequency of 0 for none
} GtiPresetSection;

// A box that all joints carry together which move what is in it, each with a section of its own: as their lattices are
// alike and their weights sum to 1, they deform what the skin then bends, and at rest they are the linear skin.
typedef struct GtiPresetRegion {
    GtHumanoidJoint joint;                // that it is about
    bool is_limb;                         // of gti_preset_add_limb()
    int32_t first_section, section_count; // of count 0 where others hold all that is in it
} GtiPresetRegion;

typedef struct GtiPresetTrack {
    char channel[2 * GTI_PRESET_NAME];
    char formula[GTI_PRESET_FORMULA]; // or the input of keys
    GtCurveLaw law;
    float at[GTI_PRESET_MAX_KEYS];
    float values[GTI_PRESET_MAX_KEYS];
    int32_t key_count; // 0 where the formula drives
    bool eases;        // in and out of two keys
} GtiPresetTrack;

typedef struct GtiPreset {
    const GtContext* context;
    const GtScene* scene;
    GtArena* arena;
    GtError* error;
    GtiSculptBody body;
    GtVec3 forward;             // where the body looks
    const GtCharacterDef* def;  // with sections and what they hold, once all are placed
    GtiPresetSection* sections; // [GTI_PRESET_MAX_SECTIONS]
    int32_t section_count;
    GtiPresetRegion regions[GTI_PRESET_MAX_REGIONS];
    int32_t region_count;
    GtiPresetTrack* tracks; // [GTI_PRESET_MAX_TRACKS]
    int32_t track_count;
    GtShapeControl controls[GTI_PRESET_MAX_CONTROLS];
    int32_t control_count;
} GtiPreset;

// A section by itself: Bezier, 4 x 4 x 4 points.
// @param border  share of each edge over which it fades
// @return its number
int32_t gti_preset_add_section(GtiPreset* preset, const char* name, GtHumanoidJoint joint, GtMat34 model_from_box,
                               GtVec3 border);

// The box around a centre with full edges.
GtMat34 gti_preset_box(GtVec3 centre, const GtVec3 edges[3]);

// A region around a whole limb; its points go along it, then to where the body looks, then across. One that another
// preset has placed is taken: what one section holds, the next cannot have.
// @param out  receives its number, or GT_NONE where nothing hangs on it; may be NULL
GtResult gti_preset_add_limb(GtiPreset* preset, const char* name, const GtiSculptLimb* limb, int32_t* out);

// Likewise around all that hangs on the hips, or on the spine between them and the neck, as "box": "fit" does.
GtResult gti_preset_add_seat(GtiPreset* preset, int32_t* out);
GtResult gti_preset_add_torso(GtiPreset* preset, int32_t* out);

// The region about a joint, or GT_NONE.
int32_t gti_preset_region(const GtiPreset* preset, GtHumanoidJoint joint, bool is_limb);

// The first of some joints that the body has, or GT_NONE.
// @param joints  [count]
int32_t gti_preset_choose(const GtiPreset* preset, const GtHumanoidJoint* joints, int32_t count);

// Drive `channel` by keys over a formula, or, without keys, by the formula itself. Names are the tracks'
// (gertie/track.h).
GtiPresetTrack* gti_preset_add_track(GtiPreset* preset, GtCurveLaw law);

// A control that is how far a joint is turned from rest about an axis, in degrees.
void gti_preset_add_angle(GtiPreset* preset, const char* name, GtHumanoidJoint joint, GtVec3 axis);
bool gti_preset_has_control(const GtiPreset* preset, const char* name);
void gti_preset_add_control(GtiPreset* preset, const char* name, float rest, float min, float max);

// A pose that sections take together.
typedef struct GtiPresetPose {
    char name[16];
    GtVec3* wanted; // [point_count] how points of the shell move, in the directions of the model
    GtQuat* turns;  // [section_count] how each section's joint is turned from the bind pose then, or NULL
} GtiPresetPose;

// Give sections the poses that move the shell as nearly as wanted as they can, or, where these would fold a lattice, as
// stiffer ones can.
// @param sections  [section_count]
// @param poses     [pose_count]
GtResult gti_preset_fit(GtiPreset* preset, const int32_t* sections, int32_t section_count, float stiffness,
                        const GtiPresetPose* poses, int32_t pose_count);

// Likewise a region one pose, which a control of the same weight drives.
GtResult gti_preset_fit_region(GtiPreset* preset, int32_t region, float stiffness, const char* pose,
                               const char* control, GtVec3* wanted);

// The number of a section, or GT_NONE.
int32_t gti_preset_find(const GtiPreset* preset, const char* name);

// Text of both sides: "left" or "right" before a name.
void gti_preset_name(int side, const char* name, char* out, size_t out_size);

typedef struct GtiPresetKind {
    const char* name;
    GtResult (*place)(GtiPreset* preset);
    GtResult (*shape)(GtiPreset* preset); // or NULL
} GtiPresetKind;

extern const GtiPresetKind gti_preset_muscles;
extern const GtiPresetKind gti_preset_breath;
extern const GtiPresetKind gti_preset_squash;
extern const GtiPresetKind gti_preset_jiggle;

#endif
