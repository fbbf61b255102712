// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The verb `render` in its parts: a shot is what the options ask for, a stage what is looked at, and an output takes
// the pictures one by one.

#ifndef GERTIE_CLI_RENDER_H
#define GERTIE_CLI_RENDER_H

#include "session.h"

#include "gertie/contact.h"
#include "gertie/file.h"
#include "gertie/film.h"
#include "gertie/picture.h"
#include "gertie/render.h"

// What is shown with the figures, or instead of them.
typedef struct Overlays {
    bool force_skin; // bend skins by `skin`, whatever the files say
    GtSkinMethod skin;
    bool skeleton; // bones are seen through the skin
    bool wire;     // edges over it
    bool axes;     // of the joints
    bool lights;   // nothing but lights at the joints
    GtPaint paint;
    const char* joint;     // of GT_PAINT_WEIGHT
    const char* reference; // file of GT_PAINT_DISTANCE
    double most_mm;        // of its colours, or 0 for what there is
    int32_t ghosts;        // before the figure, and as many after it
    double ghost_step_s;
    const char* trails;        // names of joints with commas between them, or NULL
    bool contacts;             // of feet with the ground
    const char* contacts_file; // that says when, or NULL for what is found
} Overlays;

// Times are those of the clips, NaN where the options leave them open.
typedef struct Shot {
    GtLoadDef load;
    const OptionValue* clip; // of each file
    const char* output;
    const GtFilmFormat* film; // or NULL for a PNG
    GtRendererDef renderer;
    const char* ground; // file of the mesh that is the ground, or NULL
    const char* prop;   // file of what stands beside, or NULL
    bool mirror;        // beside each player stands its image
    GtCameraPlace place;
    bool follows;      // the camera goes along
    const char* focus; // names of joints that it looks at, with commas between them, or NULL for all there is
    bool turntable;    // and round
    Overlays overlays;
    int32_t cell_count; // of a sheet, or 0
    double time_s;      // of a still
    double from_s, to_s;
    double frame_rate_hz;
} Shot;

// One scene on stage.
typedef struct Player {
    GtScene* scene;
    int32_t clip;     // or GT_NONE
    const char* file; // as it was named
    char name[256];   // to be shown
    bool mirrored;    // it is the image of the one before
    GtVec3 offset;
    GtContacts* contacts;             // that are drawn, or NULL
    GtBounds body;                    // everything there is of it in the motion, without the offset
    GtBounds* boxes;                  // [moment_count] what the camera looks at, likewise
    GtReach* reaches;                 // [moment_count] likewise, in the lens of the shot without a turn
    GtVec3* centers;                  // [moment_count] middles of the boxes, smoothed over time
    GtBounds room;                    // box around all boxes, seen from their centers
    GtPicture label;                  // empty where there is only one player
    int32_t first_actor, actor_count; // on the renderer's stage: the player, then its ghosts
} Player;

// What is looked at, sampled at even moments from `from_s` to `to_s`.
typedef struct Stage {
    GtArena arena;
    GtRenderer* renderer;
    int32_t player_count;
    Player* players;
    double from_s, to_s;
    int32_t moment_count;
    double front_rad; // that cameras are turned by
    // Of everything that the camera has to see; where it follows, from the players' middle.
    GtBounds bounds;
    GtReach reach;
    GtScene* ground;    // or NULL
    GtScene* prop;      // or NULL
    GtScene* reference; // of the overlays, or NULL
    int32_t reference_clip;
    GtLegendDef legend; // what colours mean; without a title there is none
} Stage;

// Read the files and put them on stage. Close it with stage_close() also where this failed.
bool stage_open(Session* session, const CommandLine* line, const Shot* shot, Stage* stage);
void stage_close(Stage* stage);

// Time of a moment.
double stage_moment(const Stage* stage, int32_t moment);

// The lens of a shot, turned round the stage.
GtLens stage_lens(const Stage* stage, const Shot* shot, double turn_rad);

// Find where the first player looks to: a figure that rests with its back to +Z, as those of VRM 0 do, is seen from
// where its front is.
void stage_find_front(Session* session, Stage* stage);

// The camera at a time, turned round the stage.
GtCameraView stage_camera(const Stage* stage, const Shot* shot, double time_s, double turn_rad);

// Grow `out` by a box that is moved; it starts as no_bounds().
void bounds_unite(GtBounds* out, const GtBounds* box, GtVec3 offset);
GtBounds no_bounds(void);

// Find out what the camera has to see, once all players are in their places.
void stage_frame(const Shot* shot, Stage* stage);

// Make the names that stage_label() writes; none for a single player.
bool stage_make_labels(Session* session, const Shot* shot, Stage* stage);

// Write each player's name under it.
void stage_label(const Stage* stage, const GtCameraView* camera, double time_s, GtPicture* picture);

// Read what the overlays need besides the players.
bool overlays_open(Session* session, const Shot* shot, Stage* stage);

// Put a player on the renderer's stage, with all that is shown of it.
bool overlays_add_player(Session* session, const Shot* shot, Stage* stage, Player* player);

// Look through the motion for the numbers that colours stand for, and report what they are.
bool overlays_measure(Session* session, const Shot* shot, Stage* stage);

// Write into a picture what its colours mean.
void overlays_explain(const Shot* shot, const Stage* stage, GtPicture* picture);

// Draw everything and write it.
bool render_output(Session* session, const Shot* shot, Stage* stage);

#endif
