// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Local transforms as the FBX SDK's "Computing transformation matrices" defines them. Scale is innermost, so that
// pivots and offsets end in the translation and no shear is left.

#include "io/fbx/transform.h"

static const double radians_per_degree = 3.14159265358979323846 / 180.0;

const uint8_t* gti_fbx_order_axes(GtiFbxOrder order)
{
    static const uint8_t axes[7][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 2, 0 }, { 1, 0, 2 },
                                        { 2, 0, 1 }, { 2, 1, 0 }, { 0, 1, 2 } };
    return axes[order];
}

GtiQuat gti_fbx_rotation(GtiVec degrees, GtiFbxOrder order)
{
    const uint8_t* axes = gti_fbx_order_axes(order);
    const GtiVec units[3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
    const double angles[3] = { degrees.x, degrees.y, degrees.z };
    GtiQuat rotation = gti_quat_identity();
    for (int i = 0; i < 3; ++i) {
        int axis = axes[i];
        rotation = gti_quat_mul(gti_quat_about(units[axis], angles[axis] * radians_per_degree), rotation);
    }
    return rotation;
}

static GtiVec read_vector(const GtiFbxGraph* graph, int32_t object, const char* name, double otherwise)
{
    double v[3];
    GtiVec fallback = { otherwise, otherwise, otherwise };
    if (!gti_fbx_property_vector(graph, object, name, v)) {
        return fallback;
    }
    GtiVec read = { v[0], v[1], v[2] };
    return gti_vec_is_finite(read) ? read : fallback;
}

GtiFbxPivots gti_fbx_read_pivots(const GtiFbxGraph* graph, int32_t object)
{
    int64_t order = gti_fbx_property_integer(graph, object, "RotationOrder", GTI_FBX_XYZ);
    int64_t inherit = gti_fbx_property_integer(graph, object, "InheritType", GTI_FBX_INHERIT_RrSs);
    GtiFbxPivots pivots = {
        .order = order >= GTI_FBX_XYZ && order <= GTI_FBX_SPHERIC ? (GtiFbxOrder)order : GTI_FBX_XYZ,
        .inherit = inherit >= GTI_FBX_INHERIT_RrSs && inherit <= GTI_FBX_INHERIT_Rrs ? (GtiFbxInherit)inherit
                                                                                     : GTI_FBX_INHERIT_RrSs,
        .pre_rotation = gti_quat_identity(),
        .post_rotation = gti_quat_identity(),
        .rotation_offset = read_vector(graph, object, "RotationOffset", 0.0),
        .rotation_pivot = read_vector(graph, object, "RotationPivot", 0.0),
        .scaling_offset = read_vector(graph, object, "ScalingOffset", 0.0),
        .scaling_pivot = read_vector(graph, object, "ScalingPivot", 0.0),
        .translation = read_vector(graph, object, "Lcl Translation", 0.0),
        .rotation_deg = read_vector(graph, object, "Lcl Rotation", 0.0),
        .scale = read_vector(graph, object, "Lcl Scaling", 1.0),
    };
    // Both are in XYZ order whatever the order of the rotation between them. They may be switched off, and with them
    // the order.
    if (gti_fbx_property_integer(graph, object, "RotationActive", 1) == 0 ||
        gti_fbx_property_integer(graph, object, "RotationSpaceForLimitOnly", 0) != 0) {
        pivots.order = GTI_FBX_XYZ;
        return pivots;
    }
    pivots.pre_rotation = gti_fbx_rotation(read_vector(graph, object, "PreRotation", 0.0), GTI_FBX_XYZ);
    pivots.post_rotation = gti_fbx_rotation(read_vector(graph, object, "PostRotation", 0.0), GTI_FBX_XYZ);
    return pivots;
}

static GtiVec multiply(GtiVec a, GtiVec b)
{
    return (GtiVec){ a.x * b.x, a.y * b.y, a.z * b.z };
}

GtiFbxTransform gti_fbx_compose(const GtiFbxPivots* pivots, GtiVec translation, GtiVec rotation_deg, GtiVec scale)
{
    GtiQuat turned =
        gti_quat_mul(gti_fbx_rotation(rotation_deg, pivots->order), gti_quat_conjugate(pivots->post_rotation));
    GtiQuat rotation = gti_quat_unit(gti_quat_mul(pivots->pre_rotation, turned));
    // The image of the origin, from the innermost outwards.
    GtiVec origin = gti_vec_sub(pivots->scaling_pivot, multiply(scale, pivots->scaling_pivot));
    origin = gti_vec_sub(gti_vec_add(origin, pivots->scaling_offset), pivots->rotation_pivot);
    origin = gti_vec_add(gti_quat_rotate(rotation, origin), pivots->rotation_pivot);
    origin = gti_vec_add(gti_vec_add(origin, pivots->rotation_offset), translation);
    return (GtiFbxTransform){ origin, rotation, scale };
}
