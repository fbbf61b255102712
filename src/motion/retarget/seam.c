// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Closing a loop: what its last pose differs from the first by is spread over the clip.

#include "motion/retarget/transfer.h"

static GtiSeam seam_of(const GtiTransfer* t, GtRootMotion path, int32_t n, const GtTransform* first,
                       const GtTransform* last)
{
    const GtRetarget* r = t->r;
    int32_t node = t->runtime[n];
    GtiSeam seam = { gt_quat_mul(first->rotation, gt_quat_conjugate(last->rotation)),
                     gt_vec3_sub(first->translation, last->translation) };
    if (node == r->root) {
        return (GtiSeam){ gt_quat_identity(), gt_vec3(0.0f, 0.0f, 0.0f) };
    }
    if (node == r->target_hips && path == GT_ROOT_MOTION_HIPS) {
        int32_t parent = r->target.def->parents[node];
        GtQuat model_from_parent = gt_quat_identity();
        for (int32_t i = 0; parent != GT_NONE && i < r->target_path_count; ++i) {
            const GtTransform* rest = &r->target.def->rest[r->target_path[i]];
            model_from_parent = gt_quat_mul(model_from_parent, gt_quat_normalize(rest->rotation));
            model_from_parent = gti_children_rotation(model_from_parent, rest->scale);
        }
        GtQuat parent_from_model = gt_quat_conjugate(model_from_parent);
        GtVec3 up = gt_quat_rotate(parent_from_model, gt_vec3(0.0f, 1.0f, 0.0f));
        seam.move = gt_vec3_scale(up, gt_vec3_dot(up, seam.move));
        GtQuat turn = gt_quat_mul(gt_quat_mul(model_from_parent, seam.turn), parent_from_model);
        GtQuat heading = gt_quat_normalize(gt_quat(0.0f, turn.y, 0.0f, turn.w));
        turn = gt_quat_mul(gt_quat_conjugate(heading), turn);
        seam.turn = gt_quat_mul(gt_quat_mul(parent_from_model, turn), model_from_parent);
    }
    return seam;
}

void gti_transfer_find_seams(const GtiTransfer* t, GtRootMotion path, const GtTransform* first, const GtTransform* last,
                             GtiSeam* out)
{
    for (int32_t n = 0; n < t->node_count; ++n) {
        out[n] = seam_of(t, path, n, &first[n], &last[n]);
    }
}

void gti_transfer_close(const GtiTransfer* t, const GtiSeam* seams, float time_s, GtTransform* pose)
{
    float span = t->times[t->frame_count - 1] - t->times[0];
    if (!(span > 0.0f)) {
        return;
    }
    float share = (time_s - t->times[0]) / span; // 0 is half the seam back, 1 half ahead
    for (int32_t n = 0; n < t->node_count; ++n) {
        GtQuat half = gt_quat_slerp(gt_quat_identity(), seams[n].turn, 0.5f);
        GtQuat turn = gt_quat_slerp(gt_quat_conjugate(half), half, share);
        pose[n].rotation = gt_quat_normalize(gt_quat_mul(turn, pose[n].rotation));
        pose[n].translation = gt_vec3_add(pose[n].translation, gt_vec3_scale(seams[n].move, share - 0.5f));
    }
}
