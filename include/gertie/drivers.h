// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-runtime: drivers: what shapes a character while it plays.
///
/// What shapes a character while it plays, whoever poses it: muscles that swell as joints bend, shapes behind a control
/// that a game turns, flesh that swings on where the body halts. A set of drivers holds laws over any variable
/// (gertie/track.h), the controls and sensors that they read, and springs (gertie/jiggle.h). It is made once from what
/// gt_sculpt_drivers() (gertie/sculpt.h) finds in a file, or comes with a packed character: gt_pack_drivers(). Each
/// living copy has a small state of its own. A frame is
///
///     gt_clip_sample(clip, time_s, instance->pose, instance->weights); // or blends, or inverse kinematics
///     gt_drivers_step(&frame, state, instance);                        // in place of gt_instance_update()
///     gt_instance_deform(instance, mesh, positions, normals, NULL);
///
/// Everything follows from the frames so far, so that it can be played live: speeds are those since the frame before,
/// and a foot stands once it is low and slow, until it is higher or faster than that by some more.
///
/// **Threads.** One thread at a time works with what a call changes; characters, clips and all else that is const may
/// be shared.

#ifndef GERTIE_DRIVERS_H
#define GERTIE_DRIVERS_H

#include "gertie/instance.h"
#include "gertie/jiggle.h"
#include "gertie/track.h"

GT_EXTERN_C_BEGIN

/// Most values, those of sensors included.
#define GT_DRIVERS_MAX_VALUES 8192

/// Most points of a sensor.
#define GT_SENSOR_MAX_POINTS 4

/// A number that tracks read and may drive, such as `control:smile`.
typedef struct GtDriverValue {
    const char* name; ///< as tracks and games name it
    float rest;       ///< where neither drives it; finite
    float min, max;   ///< it is kept between, whoever drives it; may be infinite
} GtDriverValue;

/// What a sensor tells.
typedef enum GtSensorKind {
    GT_SENSOR_SPEED,   ///< how fast its first point is in the world, in metres a second
    GT_SENSOR_CONTACT, ///< whether one of its points stands on the ground: from 0 to 1 and back within a tenth of a
                       ///< second
    GT_SENSOR_KIND_COUNT
} GtSensorKind;

/// A point that a node carries.
typedef struct GtSensorPoint {
    int32_t node;
    GtVec3 place; ///< in the node's space
} GtSensorPoint;

/// A value that the motion itself gives. Start from gt_default_sensor_def().
typedef struct GtSensorDef {
    const char* name; ///< as tracks name it: `speed:leftHand`, `contact:rightFoot`
    GtSensorKind kind;
    int32_t point_count;                        ///< 0: it is always 0
    GtSensorPoint points[GT_SENSOR_MAX_POINTS]; ///< [point_count]
    float speed_mps;                            ///< of a contact: a point begins to stand when it is slower than this
    float release_mps;                          ///< and goes on to stand until it is faster than this
    float height_m;                             ///< above the ground, likewise
    float release_height_m;
} GtSensorDef;

/// A speed without points, and limits of feet as large as a person's.
GT_API GtSensorDef gt_default_sensor_def(void);

/// What a set is made of. Start from gt_default_drivers_def().
typedef struct GtDriversDef {
    const GtCharacter* character;
    const GtDriverValue* values; ///< [value_count]
    int32_t value_count;         ///< with those of sensors up to GT_DRIVERS_MAX_VALUES
    int32_t sensor_count;
    const GtSensorDef* sensors;   ///< [sensor_count] whose values follow the others
    const GtTrackBinding* tracks; ///< [track_count] run in order; they see all values by their names
    int32_t track_count;
    int32_t jiggle_count;
    const GtJiggleDef* jiggles; ///< [jiggle_count] their sections together have at most GT_SECTION_MAX_POINTS points
} GtDriversDef;

GT_API GtDriversDef gt_default_drivers_def(void);

/// Drivers ready to run. Immutable, so any thread may read it.
typedef struct GtDrivers GtDrivers;

/// Make a set. Everything in `def` is checked and copied, curves too; the character must outlive the set, and so must
/// what functions of tracks use.
/// @param out    receives the set, or NULL on failure; free with gt_drivers_destroy()
/// @param error  may be NULL; names the value, sensor, track or jiggle at fault
/// @return GT_ERROR_NOT_FOUND for a channel, node or section that is not there; GT_ERROR_BAD_VALUE for a number out of
///         its range or a law that does not fit; GT_ERROR_LIMIT for too many of them
GT_API GtResult gt_drivers_create(GtAllocator allocator, const GtDriversDef* def, GtDrivers** out, GtError* error);

/// Free a set; `drivers` may be NULL.
GT_API void gt_drivers_destroy(GtDrivers* drivers);

/// What the set is made of, in its own memory.
GT_API const GtDriversDef* gt_drivers_def(const GtDrivers* drivers);

/// The number of a value, be it a control's, `control:smile`, or a sensor's, `contact:leftFoot`; or GT_NONE.
GT_API int32_t gt_drivers_find(const GtDrivers* drivers, const char* name);

/// What one living copy needs beside its instance. For one thread at a time. Sensors count on after the values.
typedef struct GtDriversState {
    const GtDrivers* drivers;
    float* given;  ///< [value_count + sensor_count] what the game wants a value to be, whatever tracks and sensors say;
                   ///< NaN, as at first, leaves it to them. Write to it freely
    float* values; ///< [value_count + sensor_count] as of the last step
    void* history; ///< private
    GtAllocator allocator; ///< private: of gt_drivers_state_create(); zeros in memory of the caller's
} GtDriversState;

/// Bytes of a state; put them anywhere, aligned to 16.
GT_API size_t gt_drivers_state_size(const GtDrivers* drivers);

/// Lay out a state in `memory` of gt_drivers_state_size() bytes, reset, nothing given. It is the start of that memory.
GT_API GtDriversState* gt_drivers_state_init(const GtDrivers* drivers, void* memory);

/// gt_drivers_state_init() in memory from an allocator.
/// @param out  receives the state, or NULL on failure; free with gt_drivers_state_destroy()
GT_API GtResult gt_drivers_state_create(GtAllocator allocator, const GtDrivers* drivers, GtDriversState** out,
                                        GtError* error);

/// Free a state of gt_drivers_state_create(); memory that the caller gave to gt_drivers_state_init() stays the
/// caller's. `state` may be NULL.
GT_API void gt_drivers_state_destroy(GtDriversState* state);

/// Forget what was before: after a cut, and wherever the character is put somewhere else. What is given stays.
GT_API void gt_drivers_reset(GtDriversState* state);

/// A frame. Start from gt_default_drivers_frame().
typedef struct GtDriversFrame {
    double time_s;            ///< for keys and formulas over time: that of the clip, or of the game
    double step_s;            ///< since the frame before; 0 or less, or NaN: no time passes
    GtMat34 world_from_model; ///< where the game has the character, which springs and sensors feel
    float ground_m;           ///< height of the ground under it, in the world
} GtDriversFrame;

/// Time 0, no step, in the middle of the world, which is level at 0.
GT_API GtDriversFrame gt_default_drivers_frame(void);

/// Go on by a frame, when the pose and the morph weights are set: sensors, tracks, gt_instance_update(), springs.
/// Section values begin at rest in every frame: what else they should be, add after this. What tracks make of them is
/// cut: b to 0 to 1, weights of poses to 1,000 either way, offsets of points to ten times the longest edge of the box
/// along each axis. Morph weights that nobody has set since the last frame begin as they did then: what shapes add to
/// them does not pile up. Never allocates; no step is too long, and a pose that is not finite leaves no trace in later
/// frames.
/// @param state     of drivers of the instance's character
/// @param instance  its pose, weights and section values receive what tracks and springs make of them
GT_API void gt_drivers_step(const GtDriversFrame* frame, GtDriversState* state, GtInstance* instance);

GT_EXTERN_C_END

#endif
