// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Numbers of a PLY, whatever their type, and where they go.

#include "io/ply/body.h"

#include "io/srgb.h"

#include <math.h>
#include <string.h>

static uint16_t share_of_65535(double value)
{
    return (uint16_t)((value >= 0.0 ? value < 1.0 ? value : 1.0 : 0.0) * 65535.0 + 0.5);
}

static double color_share(double value, GtiPlyType type)
{
    return type == GTI_PLY_UINT8    ? value / 255.0
           : type == GTI_PLY_UINT16 ? value / 65535.0
           : type >= GTI_PLY_FLOAT  ? value
                                    : value / 255.0;
}

void gti_ply_put(GtiPlainMesh* mesh, size_t row, const GtiPlyProperty* property, double value)
{
    switch (property->role) {
    case GTI_PLY_X:
    case GTI_PLY_Y:
    case GTI_PLY_Z: {
        int k = (int)property->role - GTI_PLY_X;
        mesh->positions[3 * row + (size_t)k] = (float)(value - mesh->origin[k]);
        break;
    }
    case GTI_PLY_NX:
    case GTI_PLY_NY:
    case GTI_PLY_NZ:
        mesh->normals[3 * row + (size_t)(property->role - GTI_PLY_NX)] = isfinite(value) ? (float)value : 0.0f;
        break;
    case GTI_PLY_RED:
    case GTI_PLY_GREEN:
    case GTI_PLY_BLUE: {
        size_t at = 4 * row + (size_t)(property->role - GTI_PLY_RED);
        bool byte = property->type == GTI_PLY_UINT8 && value >= 0.0 && value <= 255.0;
        mesh->colors[at] =
            byte ? gti_linear16_from_srgb8((uint8_t)value) : gti_linear16_from_srgb(color_share(value, property->type));
        break;
    }
    case GTI_PLY_ALPHA:
        mesh->colors[4 * row + 3] = share_of_65535(color_share(value, property->type));
        break;
    case GTI_PLY_U:
        mesh->texcoords[2 * row] = isfinite(value) ? (float)value : 0.0f;
        break;
    case GTI_PLY_V:
        mesh->texcoords[2 * row + 1] = isfinite(value) ? (float)(1.0 - value) : 0.0f;
        break;
    default:
        break;
    }
}

double gti_ply_load(const uint8_t* p, GtiPlyType type, bool swap)
{
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    float f32;
    double f64;
    switch (type) {
    case GTI_PLY_INT8:
        return (double)(int8_t)*p;
    case GTI_PLY_UINT8:
        return (double)*p;
    case GTI_PLY_INT16:
    case GTI_PLY_UINT16:
        memcpy(&u16, p, sizeof u16);
        u16 = swap ? __builtin_bswap16(u16) : u16;
        return type == GTI_PLY_INT16 ? (double)(int16_t)u16 : (double)u16;
    case GTI_PLY_INT32:
    case GTI_PLY_UINT32:
        memcpy(&u32, p, sizeof u32);
        u32 = swap ? __builtin_bswap32(u32) : u32;
        return type == GTI_PLY_INT32 ? (double)(int32_t)u32 : (double)u32;
    case GTI_PLY_FLOAT:
        memcpy(&u32, p, sizeof u32);
        u32 = swap ? __builtin_bswap32(u32) : u32;
        memcpy(&f32, &u32, sizeof f32);
        return (double)f32;
    case GTI_PLY_DOUBLE:
        memcpy(&u64, p, sizeof u64);
        u64 = swap ? __builtin_bswap64(u64) : u64;
        memcpy(&f64, &u64, sizeof f64);
        return f64;
    default:
        return 0.0;
    }
}
