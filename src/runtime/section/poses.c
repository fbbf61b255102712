// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What poses of lattices do to vertices as they were modelled, found once a character: a frame that moves no control
// point by itself and no morph then adds these up, whatever the lattice is like, and evaluates none.

#include "runtime/section/section.h"

#include "runtime/character.h"

enum {
    MOST_POSES = 4,   // of a section: 48 bytes a vertex each
    MOST_POINTS = 216 // of its lattice: a microsecond a vertex
};

int32_t gti_section_pose_count(const GtSectionDef* section)
{
    bool small = section->pose_count <= MOST_POSES && gt_lattice_point_count(&section->lattice) <= MOST_POINTS;
    bool sums = !section->lattice.weights; // which deform by themselves, and only once
    return small && sums ? section->pose_count : 0;
}

// A pose at a place: displacement in the lattice's space, and its derivatives in the mesh's.
static void fill_lane(const GtiLattice* lattice, const GtMat34* box_from_mesh, const float* place, float* shift,
                      float* slopes)
{
    double stu[3];
    double scale[3];
    for (int axis = 0; axis < 3; ++axis) {
        double at = (double)place[axis * GTI_SECTION_BLOCK];
        scale[axis] = at >= -1.0 && at <= 1.0 ? 0.5 : 0.0; // beyond the box nothing changes along the axis
        stu[axis] = 0.5 + 0.5 * (at > -1.0 ? (at < 1.0 ? at : 1.0) : -1.0);
    }
    GtiLatticeValue value = gti_lattice_at(lattice, stu);
    for (int c = 0; c < 3; ++c) {
        shift[c * GTI_SECTION_BLOCK] = (float)value.d[c];
        for (int column = 0; column < 3; ++column) {
            double sum = 0.0;
            for (int axis = 0; axis < 3; ++axis) {
                sum += scale[axis] * value.slopes[c][axis] * (double)box_from_mesh->m[axis][column];
            }
            slopes[(3 * c + column) * GTI_SECTION_BLOCK] = (float)sum;
        }
    }
}

void gti_section_fill_poses(const GtCharacterDef* def, const GtMeshDef* mesh, const GtiMeshSections* sections,
                            size_t* first_poses, float* shifts, float* slopes)
{
    size_t next = 0;
    for (int32_t c = 0; c < sections->cell_count; ++c) {
        const GtiSectionCell* cell = &sections->cells[c];
        for (int32_t k = 0; k < cell->bind_count; ++k) {
            int32_t bind = sections->binds[cell->first_bind + (size_t)k];
            const GtSectionDef* section = &def->sections[mesh->section_binds[bind].section];
            int32_t pose_count = gti_section_pose_count(section);
            first_poses[cell->first_bind + (size_t)k] = next;
            for (int32_t p = 0; p < pose_count; ++p) {
                GtiLattice lattice = gti_lattice_of(&section->lattice, NULL, section->poses[p].offsets);
                for (int32_t block = 0; block < cell->block_count; ++block) {
                    size_t row = cell->first_row + (size_t)block * (size_t)cell->bind_count + (size_t)k;
                    size_t to = (next + (size_t)block * (size_t)pose_count + (size_t)p) * GTI_SECTION_BLOCK;
                    for (int32_t lane = 0; lane < GTI_SECTION_BLOCK; ++lane) {
                        fill_lane(&lattice, &sections->bound[bind].box_from_mesh,
                                  &sections->places[row * 3 * GTI_SECTION_BLOCK + (size_t)lane],
                                  &shifts[to * GTI_SHIFT_ROWS + (size_t)lane],
                                  &slopes[to * GTI_SLOPE_ROWS + (size_t)lane]);
                    }
                }
            }
            next += (size_t)cell->block_count * (size_t)pose_count;
        }
    }
}
