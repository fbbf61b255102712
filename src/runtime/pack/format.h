// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The bytes of a packed character: what is stored and mapped is what is played, little-endian, without pointers.
//   GtiPackHead
//   GtiPackArray[array_count], GtiPackSkin[skin_count], GtiPackMesh[mesh_count], GtiPackMorph[morph_count],
//   GtiPackSection[section_count], GtiPackPose[pose_count], GtiPackBind[bind_count], GtiPackClip[clip_count],
//   GtiPackedTrack[track_count], GtiPackMaterial[material_count], GtiPackImage[image_count], GtiPackValue[value_count],
//   GtiPackSensor[sensor_count], GtiPackDriver[driver_count], GtiPackJiggle[jiggle_count],
//   GtiPackHarmonic[harmonic_count], then texts; each of these starts at a multiple of 16
//   the arrays, in order, each at a multiple of 64, up to a multiple of 64
// Records name arrays by number, or GT_NONE. An array has one kind, so that whoever checks it need do so only once,
// however many records share it. Morphs, deformers and binds are those of the first mesh, then those of the second and
// so on; so are the poses of sections and the tracks of clips.
// Texts are terminated and follow each other as nodes, meshes, morphs, sections, poses, clips, materials, images,
// values, sensors and drivers do, one for each that has a name, one more for each image that has a type and for each
// driver that has a formula: so no bytes, however made, can ask for more work than a few times their size.

#ifndef GERTIE_RUNTIME_PACK_FORMAT_H
#define GERTIE_RUNTIME_PACK_FORMAT_H

#include "gertie/api.h"

#include <stddef.h>
#include <stdint.h>

enum {
    GTI_PACK_VERSION = 6,
    GTI_PACK_BYTE_ORDER = 0x01020304,
    GTI_PACK_ALIGNMENT = 64, // of arrays
};

#define GTI_PACK_NO_TEXT UINT32_MAX

typedef enum GtiPackKind {
    GTI_PACK_FLOATS,
    GTI_PACK_NODES,     // int32_t, or GT_NONE
    GTI_PACK_CORNERS,   // uint32_t, of triangles
    GTI_PACK_VERTICES,  // uint32_t, of a morph or a bind, increasing
    GTI_PACK_JOINTS,    // uint16_t, of vertices
    GTI_PACK_WEIGHTS,   // float, of vertices
    GTI_PACK_DEFORMERS, // int32_t, kind and skin method
    GTI_PACK_TEXTS,     // uint32_t, places of texts, or GTI_PACK_NO_TEXT
    GTI_PACK_CLIP,      // bytes of a packed clip
    GTI_PACK_BYTES,     // whatever they are
    GTI_PACK_HARMONIC,  // bytes of one array of a harmonic skin
    GTI_PACK_KIND_COUNT
} GtiPackKind;

typedef struct GtiPackArray {
    uint32_t kind;  // GtiPackKind
    uint32_t width; // numbers an element, 1 to 16
    uint64_t count; // of elements, above 0
    uint64_t offset;
} GtiPackArray;

typedef struct GtiPackSkin {
    int32_t joint_count;
    int32_t joints;          // NODES; an array after that of the skin before
    int32_t joint_from_mesh; // FLOATS, 12 wide
} GtiPackSkin;

typedef struct GtiPackMesh {
    uint32_t name;
    int32_t node;
    int32_t source_mesh;
    int32_t source_primitive;
    int32_t material;
    int32_t vertex_count;
    int32_t index_count;
    int32_t first_weight;
    int32_t morph_count;
    int32_t skin;
    int32_t influence_count;
    int32_t deformer_count;
    int32_t bind_count;
    int32_t positions;  // FLOATS, 3 wide
    int32_t normals;    // FLOATS, 3 wide
    int32_t tangents;   // FLOATS, 4 wide
    int32_t texcoords;  // FLOATS, 2 wide
    int32_t texcoords1; // FLOATS, 2 wide
    int32_t colors;     // FLOATS, 4 wide
    int32_t indices;    // CORNERS
    int32_t joints;     // JOINTS, as wide as there are influences
    int32_t weights;    // WEIGHTS, likewise
} GtiPackMesh;

typedef struct GtiPackMorph {
    uint32_t name;
    int32_t entry_count;
    int32_t vertices;  // VERTICES
    int32_t positions; // FLOATS, 3 wide, as the next two
    int32_t normals;
    int32_t tangents;
    int32_t texcoords;  // FLOATS, 2 wide
    int32_t texcoords1; // FLOATS, 2 wide
    int32_t colors;     // FLOATS, 4 wide
} GtiPackMorph;

// As GtSectionDef.
typedef struct GtiPackSection {
    uint32_t name;
    int32_t node;
    float rest_blend;
    float border;
    int32_t basis;
    int32_t counts[3];
    float space_from_box[12];
    int32_t weights; // FLOATS
    int32_t pose_count;
} GtiPackSection;

typedef struct GtiPackPose {
    uint32_t name;
    int32_t offsets; // FLOATS, 3 wide
} GtiPackPose;

// As GtSectionBindDef.
typedef struct GtiPackBind {
    int32_t section;
    int32_t entry_count;
    int32_t vertices;  // VERTICES; an array after that of the bind before
    int32_t masks;     // FLOATS
    int32_t gradients; // FLOATS, 3 wide
} GtiPackBind;

// Packed, or with its keys.
typedef struct GtiPackClip {
    uint32_t name;
    int32_t bytes; // CLIP, of an array after that of the packed clip before; or GT_NONE
    int32_t track_count;
} GtiPackClip;

// As GtTrackDef.
typedef struct GtiPackedTrack {
    int32_t kind;
    int32_t target;
    int32_t component_count;
    int32_t interpolation;
    int32_t key_count;
    int32_t times;  // FLOATS
    int32_t values; // FLOATS
} GtiPackedTrack;

// As GtPackTexture.
typedef struct GtiPackTexture {
    int32_t image;
    int32_t texcoord;
    float scale;
    int32_t wrap_s;
    int32_t wrap_t;
} GtiPackTexture;

enum {
    GTI_PACK_TEXTURES = 5 // of a material, in the order of GtPackMaterial
};

// As GtPackMaterial.
typedef struct GtiPackMaterial {
    uint32_t name;
    float numbers[10]; // base colour, metallic, roughness, emissive, alpha cutoff
    int32_t alpha;
    int32_t double_sided; // 0 or 1
    GtiPackTexture textures[GTI_PACK_TEXTURES];
} GtiPackMaterial;

typedef struct GtiPackImage {
    uint32_t name;
    uint32_t mime_type;
    int32_t size;
    int32_t bytes; // BYTES
} GtiPackImage;

// As GtDriverValue.
typedef struct GtiPackValue {
    uint32_t name;
    float rest;
    float min;
    float max;
} GtiPackValue;

enum {
    GTI_PACK_SENSOR_POINTS = 4
};

// As GtSensorPoint.
typedef struct GtiPackSensorPoint {
    int32_t node;
    float place[3];
} GtiPackSensorPoint;

// As GtSensorDef.
typedef struct GtiPackSensor {
    uint32_t name;
    int32_t kind;
    int32_t point_count;
    float limits[4]; // speed, release speed, height, release height
    GtiPackSensorPoint points[GTI_PACK_SENSOR_POINTS];
} GtiPackSensor;

// As GtTrackBinding, its curve as GtCurveDef. Arrays are of this driver alone: each comes after the one before it,
// in the order that they have here, and after those of the driver before.
typedef struct GtiPackDriver {
    uint32_t channel;
    uint32_t formula; // where it has keys: where on them to be
    int32_t kind;
    int32_t law;
    int32_t component_count;
    int32_t key_count; // 0 where the formula drives
    int32_t closed;    // 0 or 1
    int32_t before;
    int32_t after;
    int32_t times; // FLOATS, as all of them
    int32_t values;
    int32_t in;
    int32_t out;
    int32_t in_times;
    int32_t out_times;
    int32_t eases; // 2 wide
} GtiPackDriver;

// As GtJiggleDef.
typedef struct GtiPackJiggle {
    int32_t section;
    float frequency_hz;
    float damping;
    float strength;
    float limit_m;
    float gravity[3];
    int32_t holds; // FLOATS
} GtiPackJiggle;

// Counts of a GtHarmonicSkinDef and its GtHarmonic, for single frames.
typedef struct GtiPackHarmonic {
    int64_t row_count;
    int64_t panel_size;
    int64_t diagonal_size;
    int32_t vertex_count;
    int32_t triangle_count;
    int32_t marker_count;
    int32_t node_count;
    int32_t panel_count;
    int32_t weight_count;
    int32_t hold_count;
    int32_t face_count;
    int32_t handle_count;
    int32_t piece_count;
    int32_t slot_count;
    int32_t border_count;
    int32_t align_signs; // 0 or 1
    int32_t has_axes;    // 0 or 1
    int32_t bone_count;
    int32_t grip_count;
    int32_t anchor_node;
    float anchor_point[3];
    float anchor_give;
    int32_t first_array; // HARMONIC, and those after it: what gti_harmonic_skin_parts() lists with a count above 0
} GtiPackHarmonic;

typedef struct GtiPackHead {
    char magic[4];       // "GtPk"
    uint32_t version;    // GTI_PACK_VERSION
    uint32_t byte_order; // GTI_PACK_BYTE_ORDER
    uint32_t checksum;   // gti_checksum() of what comes after it
    uint64_t size;       // of everything
    uint32_t node_count;
    uint32_t weight_count;
    uint32_t skin_count;
    uint32_t mesh_count;
    uint32_t morph_count; // of all meshes
    uint32_t deformer_count;
    uint32_t clip_count;
    uint32_t track_count; // of all clips
    uint32_t material_count;
    uint32_t image_count;
    uint32_t section_count;
    uint32_t pose_count; // of all sections
    uint32_t bind_count; // of all meshes
    uint32_t value_count;
    uint32_t sensor_count;
    uint32_t driver_count;
    uint32_t jiggle_count;
    uint32_t harmonic_count; // 0 or 1
    uint32_t array_count;
    uint32_t text_size;
    int32_t parents;      // NODES
    int32_t rest;         // FLOATS, 12 wide: GtTransform
    int32_t names;        // TEXTS
    int32_t source_nodes; // NODES
    int32_t rest_weights; // FLOATS
    int32_t deformers;    // DEFORMERS, 2 wide
    int32_t humanoid;     // NODES, GT_HUMANOID_JOINT_COUNT of them
} GtiPackHead;

// Where the tables are, and where they end.
typedef struct GtiPackPlaces {
    uint64_t arrays;
    uint64_t skins;
    uint64_t meshes;
    uint64_t morphs;
    uint64_t sections;
    uint64_t poses;
    uint64_t binds;
    uint64_t clips;
    uint64_t tracks;
    uint64_t materials;
    uint64_t images;
    uint64_t values;
    uint64_t sensors;
    uint64_t drivers;
    uint64_t jiggles;
    uint64_t harmonics;
    uint64_t text;
    uint64_t end;
} GtiPackPlaces;

static inline uint64_t gti_pack_align(uint64_t offset, uint64_t alignment)
{
    return (offset + alignment - 1) / alignment * alignment;
}

static inline GtiPackPlaces gti_pack_places(const GtiPackHead* head)
{
    GtiPackPlaces places;
    places.arrays = gti_pack_align(sizeof *head, 16);
    places.skins = gti_pack_align(places.arrays + (uint64_t)head->array_count * sizeof(GtiPackArray), 16);
    places.meshes = gti_pack_align(places.skins + (uint64_t)head->skin_count * sizeof(GtiPackSkin), 16);
    places.morphs = gti_pack_align(places.meshes + (uint64_t)head->mesh_count * sizeof(GtiPackMesh), 16);
    places.sections = gti_pack_align(places.morphs + (uint64_t)head->morph_count * sizeof(GtiPackMorph), 16);
    places.poses = gti_pack_align(places.sections + (uint64_t)head->section_count * sizeof(GtiPackSection), 16);
    places.binds = gti_pack_align(places.poses + (uint64_t)head->pose_count * sizeof(GtiPackPose), 16);
    places.clips = gti_pack_align(places.binds + (uint64_t)head->bind_count * sizeof(GtiPackBind), 16);
    places.tracks = gti_pack_align(places.clips + (uint64_t)head->clip_count * sizeof(GtiPackClip), 16);
    places.materials = gti_pack_align(places.tracks + (uint64_t)head->track_count * sizeof(GtiPackedTrack), 16);
    places.images = gti_pack_align(places.materials + (uint64_t)head->material_count * sizeof(GtiPackMaterial), 16);
    places.values = gti_pack_align(places.images + (uint64_t)head->image_count * sizeof(GtiPackImage), 16);
    places.sensors = gti_pack_align(places.values + (uint64_t)head->value_count * sizeof(GtiPackValue), 16);
    places.drivers = gti_pack_align(places.sensors + (uint64_t)head->sensor_count * sizeof(GtiPackSensor), 16);
    places.jiggles = gti_pack_align(places.drivers + (uint64_t)head->driver_count * sizeof(GtiPackDriver), 16);
    places.harmonics = gti_pack_align(places.jiggles + (uint64_t)head->jiggle_count * sizeof(GtiPackJiggle), 16);
    places.text = gti_pack_align(places.harmonics + (uint64_t)head->harmonic_count * sizeof(GtiPackHarmonic), 16);
    places.end = gti_pack_align(places.text + head->text_size, GTI_PACK_ALIGNMENT);
    return places;
}

// Bytes of a number of an array of that kind.
static inline uint64_t gti_pack_number_size(uint32_t kind)
{
    bool is_bytes = kind == GTI_PACK_CLIP || kind == GTI_PACK_BYTES || kind == GTI_PACK_HARMONIC;
    return kind == GTI_PACK_JOINTS ? 2 : is_bytes ? 1 : 4;
}

#endif
