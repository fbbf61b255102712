// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What frames look up about sections. A mesh's vertices that hang on sections are sorted into cells: all vertices of a
// cell hang on the same sections, and are in the same span of each of their lattices, so that they can be worked on
// side by side, in blocks of eight. The last block of a cell repeats its last vertex.

#ifndef GERTIE_RUNTIME_SECTION_SECTION_H
#define GERTIE_RUNTIME_SECTION_SECTION_H

#include "runtime/block.h"
#include "runtime/deformer.h"
#include "runtime/section/lattice.h"

enum {
    GTI_SECTION_BLOCK = 8, // vertices
    GTI_SHIFT_ROWS = 3,    // of a pose for a block: displacement x, y, z
    GTI_SLOPE_ROWS = 9,    // likewise: derivatives of x, of y, of z
    GTI_SECTION_MAX_WEIGHT = 1000,
    GTI_SECTION_MAX_EDGES = 10,
    GTI_SECTION_PAIR = 2, // blocks
    GTI_STRETCH = 32      // vertices
};

typedef struct GtiSectionCell {
    int32_t bind_count;  // at least 1
    int32_t block_count; // at least 1
    size_t first_bind;   // in binds
    size_t first_block;  // in vertices, times GTI_SECTION_BLOCK
    size_t first_row;    // in masks, times GTI_SECTION_BLOCK: for each block one row for each bind
    size_t first_pair;   // in pair_ends of the skin: of two blocks that follow each other, or the last one alone
} GtiSectionCell;

// Neighbouring vertices, all of which are in cells: where sections blend the skin themselves, nothing else need skin
// them. They begin at a multiple of GTI_STRETCH and end at one, or at the mesh's end.
typedef struct GtiSectionStretch {
    int32_t first_vertex;
    int32_t end_vertex;
    size_t first_cell; // in stretch_cells
    size_t cell_count; // that they are in
} GtiSectionStretch;

// The linear skin of a mesh as sections blend it: neighbours hang on much the same joints, so that a pair of blocks
// lists its joints once and has a weight of each for every vertex. Empty where the mesh has another skin, or where
// pairs hang on so many joints that this would not pay.
typedef struct GtiSectionSkin {
    size_t pair_count;
    size_t joint_count; // of all pairs
    size_t stretch_count;
    size_t stretch_cell_count;
    const size_t* pair_ends;            // [pair_count] in joints; one pair's begin where those of the one before end
    const uint16_t* joints;             // [joint_count] of the skin
    const float* weights;               // [joint_count * GTI_SECTION_PAIR * GTI_SECTION_BLOCK]
    const GtiSectionStretch* stretches; // [stretch_count] along the mesh
    const int32_t* stretch_cells;       // [stretch_cell_count]
} GtiSectionSkin;

// A section as a mesh sees it at rest.
typedef struct GtiBoundSection {
    GtMat34 node_from_mesh;
    GtMat34 box_from_mesh; // to where the lattice's box goes from -1 to 1
    bool inside;           // all its vertices are, as modelled
    int32_t span_count;    // of its lattice; 0 where it has none, or too many
    GtiLatticeSpan span;   // where it is the only one
} GtiBoundSection;

// Of one mesh. All arrays are the character's.
typedef struct GtiMeshSections {
    int32_t cell_count;
    int32_t bind_count;
    size_t cell_bind_count; // of all cells
    size_t block_count;
    size_t row_count;
    size_t pose_count; // of all binds of all blocks
    const GtiSectionCell* cells;
    const int32_t* binds; // [cell_bind_count] of the mesh's binds
    const uint32_t* vertices;
    const float* masks;           // [row_count * GTI_SECTION_BLOCK]
    const float* gradients;       // [row_count * 3 * GTI_SECTION_BLOCK] x of all eight, then y, then z
    const float* places;          // likewise: of vertices as modelled, in the box or in their span, from -1 to 1
    const GtiBoundSection* bound; // [bind_count]
    const size_t* first_poses;    // [cell_bind_count] of each bind of a cell: for each block, each pose
    const float* pose_shifts;     // [pose_count * GTI_SHIFT_ROWS * GTI_SECTION_BLOCK]; NULL where there are none
    const float* pose_slopes;     // [pose_count * GTI_SLOPE_ROWS * GTI_SECTION_BLOCK]; likewise
    const GtiLatticeSpan* spans;  // [cell_bind_count], or NULL where no lattice has several
    GtiSectionSkin skin;
} GtiMeshSections;

// Cells of all meshes, while a character is made.
typedef struct GtiSectionPlan {
    GtArena arena;
    GtiMeshSections* meshes; // [mesh_count], or NULL where no mesh hangs on a section
} GtiSectionPlan;

// Check sections and their poses, and announce their arrays to the block.
GtResult gti_sections_check(const GtCharacterDef* def, GtiBlock* block, GtError* error);

// Check how a mesh hangs on sections, but for the sums of its masks, and announce the arrays.
GtResult gti_section_binds_check(const GtCharacterDef* def, const GtMeshDef* mesh, GtiBlock* block, const char* where,
                                 GtError* error);

// Sort vertices of a def that has been checked into cells, check the sums of masks, and announce the cells. Destroy the
// plan once the block has been laid out, also on failure.
GtResult gti_section_plan_create(const GtCharacterDef* def, GtiBlock* block, GtiSectionPlan* out, GtError* error);
void gti_section_plan_destroy(GtiSectionPlan* plan);

// From the lattice's space to where its box goes from -1 to 1.
GtMat34 gti_box_from_space(const GtLatticeDef* lattice);

// How many spans sections tell apart: none where there are more than cells should be split into.
int32_t gti_section_span_count(const GtSectionDef* section);

// Find the spans of lattices of which each cell is in one, have its places in there, and announce them. False when
// memory ran out.
bool gti_section_plan_spans(const GtCharacterDef* def, const GtMeshDef* mesh, GtArena* arena, GtiBlock* block,
                            float* places, GtiMeshSections* out);

// Find how the cells of a mesh, which are there, blend its skin, and announce that. False when memory ran out.
bool gti_section_plan_skin(const GtCharacterDef* def, const GtMeshDef* mesh, GtArena* arena, GtiBlock* block,
                           GtiMeshSections* out);

// How many of a section's poses are found once; 0 where its lattice is to be evaluated in every frame.
int32_t gti_section_pose_count(const GtSectionDef* section);

// Fill the last three arrays of a mesh, whose others are there.
void gti_section_fill_poses(const GtCharacterDef* def, const GtMeshDef* mesh, const GtiMeshSections* sections,
                            size_t* first_poses, float* shifts, float* slopes);

// Values of a section: the share of it that is felt, and then.
float gti_section_blend(const GtSectionDef* section, const float* values);

// Displacements of its control points. False where none is moved, nor weighs more than another.
bool gti_section_displace(const GtSectionDef* section, const float* values, GtVec3* out);

// Cut the values of all sections to what means something: b to 0 to 1, weights of poses to GTI_SECTION_MAX_WEIGHT
// either way, offsets of points to GTI_SECTION_MAX_EDGES times the longest edge of the box along each axis. So vertices
// stay finite whatever a formula says.
void gti_sections_cut(const GtCharacter* character, float* values);

// A section in a frame, as one mesh sees it.
typedef struct GtiSectionFrame {
    float blend;  // 0 for none of it
    bool at_rest; // its lattice moves nothing
    bool cubic;   // else: `powers` are there, not `lattice`
    bool folded;  // `powers` have model_from_mesh in them, as no vertex leaves the box
    bool spanned; // `powers` and `box_from_mesh` are those of the span that the cell at hand is in
    bool posed;   // instead: poses alone move it, as they were found for vertices as modelled
    int32_t pose_count;
    const float* pose_weights;   // [pose_count]
    const GtVec3* displacements; // of control points, in the lattice's space
    GtMat34 box_from_mesh;       // to -1 to 1
    GtMat34 model_from_mesh;     // as its joint moves
    GtMat34 model_from_space;    // of the lattice
    float powers[3][64];         // gti_lattice_to_powers() of displacements in model space
    GtiLattice lattice;          // with displacements in its own space
} GtiSectionFrame;

// Blend the lattices of a cell into vertices that a skin has posed.
typedef struct GtiSectionJob {
    GtiVertexSource rest; // as they went into the skin
    GtiVertexTarget out;  // positions as the skin left them
    const GtiMeshSections* sections;
    const GtiSectionCell* cell;
    const GtiSectionFrame* frames; // [bind_count]
    int32_t vertex_count;
    bool skins; // positions are not those of the skin yet: blend it too, which is linear and has begun
    // Derivatives of the skin at some vertices; needed with normals or tangents.
    void (*slopes)(const GtiDeformStep* step, const uint32_t* vertices, int32_t count, GtMat34* out);
    const GtiDeformStep* step;
} GtiSectionJob;

// Deform what is inside a free-standing section, in place.
typedef struct GtiFreeSectionJob {
    GtiVertexTarget out;
    const GtiSectionFrame* frame; // felt and not at rest
    float border;                 // share of the box
} GtiFreeSectionJob;

void gti_section_scalar(const GtiSectionJob* job, int32_t first, int32_t end);
void gti_free_section_scalar(const GtiFreeSectionJob* job, int32_t first, int32_t end);
#if defined(__x86_64__)
void gti_section_avx2(const GtiSectionJob* job, int32_t first, int32_t end);
void gti_free_section_avx2(const GtiFreeSectionJob* job, int32_t first, int32_t end);
#endif

#endif
