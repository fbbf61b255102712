// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie: rendering pictures of scenes.
///
/// Pictures of scenes, on a machine with or without a display: scene, camera and time in, RGBA out. Vertices and
/// normals are posed by Gertie's own runtime, so what is drawn is what it computes.
///
/// **Threads.** A renderer belongs to the thread that made it; threads may have one each, and draw at once.

#ifndef GERTIE_RENDER_H
#define GERTIE_RENDER_H

#include "gertie/contact.h"
#include "gertie/field.h"
#include "gertie/scene.h"

GT_EXTERN_C_BEGIN

/// How much care a picture gets.
typedef enum GtRenderQuality {
    GT_RENDER_DRAFT, ///< flat shadow, no smoothing: for looking through a motion
    GT_RENDER_FINE,  ///< soft shadows, ambient occlusion, smooth edges: for showing it
} GtRenderQuality;

/// A camera in the world.
typedef struct GtCameraView {
    GtVec3 eye;
    GtVec3 target;
    GtVec3 up;
    float fov_y_rad;     ///< of a perspective; 0 for an orthographic view
    float height_m;      ///< seen by an orthographic view
    float z_near, z_far; ///< distances in front of the eye
} GtCameraView;

/// Where a camera stands that frames a box by itself.
typedef enum GtCameraPlace {
    GT_CAMERA_THREE_QUARTER, ///< in front, to the figure's left, a little above
    GT_CAMERA_FRONT,
    GT_CAMERA_SIDE, ///< at the figure's left
    GT_CAMERA_TOP,
    GT_CAMERA_PLACE_COUNT
} GtCameraPlace;

/// Colours of the picture behind everything, sRGB 0 to 1 with alpha; alpha 0 gives a transparent picture.
typedef struct GtBackground {
    float top[4];
    float bottom[4];
    bool ground; ///< floor with a grid in metres, which takes shadows
} GtBackground;

/// Its fields, for options, panels and manuals.
GT_API const GtFieldTable* gt_background_fields(void);

/// What a renderer is made for. Start from gt_default_renderer_def().
typedef struct GtRendererDef {
    int32_t width, height; ///< pixels, 16 to 8192
    GtRenderQuality quality;
    GtBackground background;
} GtRendererDef;

GT_API GtRendererDef gt_default_renderer_def(void);

/// Its fields, for options, panels and manuals.
GT_API const GtFieldTable* gt_renderer_def_fields(void);

/// Something that draws, and what is on its stage. It belongs to the thread that made it; a thread may have several.
typedef struct GtRenderer GtRenderer;

/// Open the graphics driver and make a renderer.
/// @param out  receives the renderer, or NULL on failure; free with gt_renderer_destroy()
/// @return GT_ERROR_UNSUPPORTED where nothing can draw; the error says what to install
GT_API GtResult gt_renderer_create(const GtContext* context, const GtRendererDef* def, GtRenderer** out,
                                   GtError* error);

/// Free a renderer and everything on its stage; `renderer` may be NULL.
GT_API void gt_renderer_destroy(GtRenderer* renderer);

/// What draws, such as "llvmpipe (LLVM 15.0.6, 256 bits)".
GT_API const char* gt_renderer_name(const GtRenderer* renderer);

/// Numbers of vertices that can be shown as the colours of gt_color_map().
typedef enum GtPaint {
    GT_PAINT_NONE,       ///< none: the scene's own colours
    GT_PAINT_WEIGHT,     ///< how much a joint moves each vertex, 0 to 1
    GT_PAINT_INFLUENCES, ///< how many joints do
    GT_PAINT_DISTANCE,   ///< metres from the same vertex of another scene
} GtPaint;

/// A scene on stage. Start from gt_default_actor_def(). Nodes are the scene's; arrays must outlive the renderer, as the
/// scenes must.
typedef struct GtActorDef {
    const GtScene* scene;   ///< validated
    int32_t animation;      ///< that it plays, or GT_NONE for the rest pose
    bool keep_tpose;        ///< show also a leading T-pose that is not part of the motion
    bool force_skin_method; ///< bend its skins by `skin_method` instead of what the scene says
    GtSkinMethod skin_method;
    GtVec3 offset;       ///< moves it on the stage
    bool mirrored;       ///< left and right swapped, as in a mirror at x = 0; of its skin alone, not of bones
    float opacity;       ///< 1 for a solid figure, less for a ghost without a shadow
    bool has_tint;       ///< all of it has the colour `tint`
    float tint[3];       ///< linear
    double time_shift_s; ///< it is that much later than the others; unseen where its motion has not begun or has ended
    bool wire;           ///< draw the edges of the triangles over the skin
    bool bones;          ///< draw the skeleton through the skin; scenes without a mesh are drawn as bones anyway
    bool axes;           ///< draw the axes of every joint: x red, y green, z blue
    GtPaint paint;
    int32_t paint_joint;      ///< of GT_PAINT_WEIGHT
    const GtScene* reference; ///< of GT_PAINT_DISTANCE: it has the same meshes with the same vertices
    int32_t reference_animation;
    const int32_t* trails; ///< [trail_count] joints whose paths are drawn, in the colours of gt_color_of_series()
    int32_t trail_count;
    double trail_from_s, trail_to_s; ///< NaN for where the motion begins and ends
    const int32_t* lights;           ///< [light_count] joints that are lights in the dark; nothing else of it is seen
    int32_t light_count;
    const int32_t* focus; ///< [focus_count] joints that a camera looks at, see gt_renderer_focus()
    int32_t focus_count;
    const GtContacts* contacts; ///< in the time of its motion, or NULL: marks on the ground under heels and balls of a
                                ///< humanoid while they stand, fainter ones where they stood in the five seconds
                                ///< before; left teal, right orange, and lighter where only one of the two stands;
                                ///< balls of glass in the same colours around hands while they touch something
} GtActorDef;

GT_API GtActorDef gt_default_actor_def(void);

/// Its fields, for options, panels and manuals.
GT_API const GtFieldTable* gt_actor_def_fields(void);

/// Put a scene on stage.
/// @param index  receives its number; may be NULL
GT_API GtResult gt_renderer_add(GtRenderer* renderer, const GtContext* context, const GtActorDef* def, int32_t* index,
                                GtError* error);

/// Take everything off the stage, so that other scenes can be drawn: opening a driver takes longer than many pictures.
/// Pictures under way must have been read. What gt_renderer_set_stage() and gt_renderer_set_paint_range() told is
/// forgotten, too.
GT_API void gt_renderer_clear(GtRenderer* renderer);

/// First and last time of all motions on stage; 0 and 0 without any.
GT_API void gt_renderer_times(const GtRenderer* renderer, double* start_s, double* end_s);

/// The box that everything on stage keeps inside from `from_s` to `to_s`, sampled at `count` moments.
GT_API GtBounds gt_renderer_bounds(GtRenderer* renderer, double from_s, double to_s, int32_t count);

/// Likewise of one scene on stage at one time.
GT_API GtBounds gt_renderer_actor_bounds(GtRenderer* renderer, int32_t actor, double time_s);

/// The numbers that a scene on stage is painted with at one time.
typedef struct GtPaintValues {
    float low, high; ///< INFINITY and -INFINITY where there is no number
    double mean;
    double root_mean_square;
    int64_t count;
} GtPaintValues;

GT_API GtPaintValues gt_renderer_paint_values(GtRenderer* renderer, int32_t actor, double time_s);

/// Which numbers the ends of the colour map stand for; 0 and 1 until told.
GT_API void gt_renderer_set_paint_range(GtRenderer* renderer, float low, float high);

/// Move a scene on stage: its new GtActorDef.offset.
GT_API void gt_renderer_place(GtRenderer* renderer, int32_t actor, GtVec3 offset);

/// Tell a renderer the box of everything that will be seen, from gt_renderer_bounds(): it decides where the floor lies
/// and how fine its grid is, so that neither changes from picture to picture. Without it each picture decides.
GT_API void gt_renderer_set_stage(GtRenderer* renderer, GtBounds bounds);

/// Which way a camera looks and how much it sees: all but where it stands.
typedef struct GtLens {
    GtVec3 right, up, back; ///< its axes in the world
    float fov_y_rad;
    float slope_x, slope_y; ///< half of what is to be filled, a metre away; it sees a rim more
} GtLens;

/// The lens of a place.
/// @param aspect    width over height of the picture
/// @param turn_rad  turns the camera round what it sees, anticlockwise seen from above
GT_API GtLens gt_camera_lens(GtCameraPlace place, float aspect, float turn_rad);

/// The lens of a camera anywhere around what it sees.
/// @param angle_rad      around it: 0 in front of a figure that faces +Z, pi/2 at its left
/// @param elevation_rad  above the horizon, -pi/2 to pi/2
GT_API GtLens gt_camera_lens_at(float angle_rad, float elevation_rad, float aspect);

/// How far things reach towards the edges of what a lens sees: for each edge the largest of a point's distance from the
/// origin towards it, plus the lens's slope times that towards the camera. All -infinity for no things.
typedef struct GtReach {
    float right, left, top, bottom;
    float front, back; ///< farthest towards the camera, and away from it
} GtReach;

/// The reach of points; those that are no numbers do not count.
GT_API GtReach gt_reach_of(const GtLens* lens, const GtVec3* points, int32_t count);
GT_API GtReach gt_reach_unite(GtReach a, GtReach b);
GT_API GtReach gt_reach_move(GtReach reach, const GtLens* lens, GtVec3 offset);

/// The reach of a scene on stage at a time.
GT_API GtReach gt_renderer_actor_reach(GtRenderer* renderer, int32_t actor, double time_s, const GtLens* lens);

/// Likewise of everything that is drawn with it, trails too.
GT_API GtReach gt_renderer_drawn_reach(GtRenderer* renderer, int32_t actor, double time_s, const GtLens* lens);

/// Points of what GtActorDef.focus names, at a time: vertices of which half or more hangs on these joints and those
/// below them; the places of the joints themselves where there are no such vertices.
/// @param count  receives how many there are, 0 without a focus
/// @return [count] without the offset, until something is posed again
GT_API const GtVec3* gt_renderer_focus(GtRenderer* renderer, int32_t actor, double time_s, int32_t* count);

/// The camera that sees everything within reach, as large as can be.
GT_API GtCameraView gt_camera_fit(const GtLens* lens, const GtReach* reach);

/// A camera that sees a whole box: the fit of its corners.
GT_API GtCameraView gt_camera_frame(GtBounds bounds, GtCameraPlace place, float aspect, float turn_rad);

/// Where a point of the world lands in a picture.
/// @param x, y   receive pixels from the top left corner
/// @param depth  receives metres in front of the eye
/// @return false when it is behind the eye
GT_API bool gt_camera_project(const GtCameraView* camera, int32_t width, int32_t height, GtVec3 world, float* x,
                              float* y, float* depth);

/// Tell what the picture after the next will be, before the next is drawn: it is then made ready on a thread beside the
/// drawing. Without it, or when something else is drawn after all, pictures are the same and take longer.
GT_API void gt_renderer_expect(GtRenderer* renderer, const GtCameraView* camera, double time_s);

/// Pose everything at `time_s` and start drawing. Up to two pictures may be under way.
GT_API GtResult gt_renderer_draw(GtRenderer* renderer, const GtCameraView* camera, double time_s, GtError* error);

/// Wait for the oldest picture under way.
/// @param rgba  [height * width * 4] receives sRGB rows from the top, alpha straight
GT_API GtResult gt_renderer_read(GtRenderer* renderer, uint8_t* rgba, GtError* error);

GT_EXTERN_C_END

#endif
