// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What comes before the objects: header, settings, the document, and templates with the default of every property, by
// names and values of the FBX SDK. Readers take properties that an object leaves out from its template.

#include "io/fbx/write.h"

#include "base/fail.h"

#include <math.h>
#include <string.h>

// A property of a template. The number of values follows from the type.
typedef struct GtiFbxTemplateRow {
    const char* name;
    const char* type;
    const char* label;
    const char* flags;
    double value; // of all components
} GtiFbxTemplateRow;

#define FLAG(name, value)                                                                                              \
    {                                                                                                                  \
        name, "bool", "", "", value                                                                                    \
    }
#define CHOICE(name, value)                                                                                            \
    {                                                                                                                  \
        name, "enum", "", "", value                                                                                    \
    }
#define COUNT(name, value)                                                                                             \
    {                                                                                                                  \
        name, "int", "Integer", "", value                                                                              \
    }
#define SIZE(name, value)                                                                                              \
    {                                                                                                                  \
        name, "double", "Number", "", value                                                                            \
    }
#define NUMBER(name, value)                                                                                            \
    {                                                                                                                  \
        name, "Number", "", "A", value                                                                                 \
    }
#define VECTOR(name, value)                                                                                            \
    {                                                                                                                  \
        name, "Vector3D", "Vector", "", value                                                                          \
    }
#define COLOR(name, value)                                                                                             \
    {                                                                                                                  \
        name, "Color", "", "A", value                                                                                  \
    }
#define SHADE(name, value)                                                                                             \
    {                                                                                                                  \
        name, "ColorRGB", "Color", "", value                                                                           \
    }
#define TIME(name)                                                                                                     \
    {                                                                                                                  \
        name, "KTime", "Time", "", 0.0                                                                                 \
    }
#define AXES(macro, name, value) macro(name "X", value), macro(name "Y", value), macro(name "Z", value)

static const GtiFbxTemplateRow node_rows[] = {
    CHOICE("QuaternionInterpolate", 0),
    VECTOR("RotationOffset", 0),
    VECTOR("RotationPivot", 0),
    VECTOR("ScalingOffset", 0),
    VECTOR("ScalingPivot", 0),
    FLAG("TranslationActive", 0),
    VECTOR("TranslationMin", 0),
    VECTOR("TranslationMax", 0),
    AXES(FLAG, "TranslationMin", 0),
    AXES(FLAG, "TranslationMax", 0),
    CHOICE("RotationOrder", 0),
    FLAG("RotationSpaceForLimitOnly", 0),
    AXES(SIZE, "RotationStiffness", 0),
    SIZE("AxisLen", 10),
    VECTOR("PreRotation", 0),
    VECTOR("PostRotation", 0),
    FLAG("RotationActive", 0),
    VECTOR("RotationMin", 0),
    VECTOR("RotationMax", 0),
    AXES(FLAG, "RotationMin", 0),
    AXES(FLAG, "RotationMax", 0),
    CHOICE("InheritType", 0),
    FLAG("ScalingActive", 0),
    VECTOR("ScalingMin", 0),
    VECTOR("ScalingMax", 1),
    AXES(FLAG, "ScalingMin", 0),
    AXES(FLAG, "ScalingMax", 0),
    VECTOR("GeometricTranslation", 0),
    VECTOR("GeometricRotation", 0),
    VECTOR("GeometricScaling", 1),
    AXES(SIZE, "MinDampRange", 0),
    AXES(SIZE, "MaxDampRange", 0),
    AXES(SIZE, "MinDampStrength", 0),
    AXES(SIZE, "MaxDampStrength", 0),
    AXES(SIZE, "PreferedAngle", 0),
    { "LookAtProperty", "object", "", "", 0.0 },
    { "UpVectorProperty", "object", "", "", 0.0 },
    FLAG("Show", 1),
    FLAG("NegativePercentShapeSupport", 1),
    COUNT("DefaultAttributeIndex", -1),
    FLAG("Freeze", 0),
    FLAG("LODBox", 0),
    { "Lcl Translation", "Lcl Translation", "", "A", 0.0 },
    { "Lcl Rotation", "Lcl Rotation", "", "A", 0.0 },
    { "Lcl Scaling", "Lcl Scaling", "", "A", 1.0 },
    { "Visibility", "Visibility", "", "A", 1.0 },
    { "Visibility Inheritance", "Visibility Inheritance", "", "", 1.0 },
    { 0 },
};

static const GtiFbxTemplateRow skeleton_rows[] = {
    SHADE("Color", 0.8),
    SIZE("Size", 100),
    { "LimbLength", "double", "Number", "H", 1.0 },
    { 0 },
};

static const GtiFbxTemplateRow mesh_rows[] = {
    SHADE("Color", 0.8),
    VECTOR("BBoxMin", 0),
    VECTOR("BBoxMax", 0),
    FLAG("Primary Visibility", 1),
    FLAG("Casts Shadows", 1),
    FLAG("Receive Shadows", 1),
    { 0 },
};

static const GtiFbxTemplateRow phong_rows[] = {
    { "ShadingModel", "KString", "", "Phong", 0.0 },
    FLAG("MultiLayer", 0),
    COLOR("EmissiveColor", 0),
    NUMBER("EmissiveFactor", 1),
    COLOR("AmbientColor", 0.2),
    NUMBER("AmbientFactor", 1),
    COLOR("DiffuseColor", 0.8),
    NUMBER("DiffuseFactor", 1),
    VECTOR("Bump", 0),
    VECTOR("NormalMap", 0),
    SIZE("BumpFactor", 1),
    COLOR("TransparentColor", 0),
    NUMBER("TransparencyFactor", 0),
    SHADE("DisplacementColor", 0),
    SIZE("DisplacementFactor", 1),
    SHADE("VectorDisplacementColor", 0),
    SIZE("VectorDisplacementFactor", 1),
    COLOR("SpecularColor", 0.2),
    NUMBER("SpecularFactor", 1),
    NUMBER("ShininessExponent", 20),
    COLOR("ReflectionColor", 0),
    NUMBER("ReflectionFactor", 1),
    { 0 },
};

static const GtiFbxTemplateRow texture_rows[] = {
    CHOICE("TextureTypeUse", 0),
    NUMBER("Texture alpha", 1),
    CHOICE("CurrentMappingType", 0),
    CHOICE("WrapModeU", 0),
    CHOICE("WrapModeV", 0),
    FLAG("UVSwap", 0),
    FLAG("PremultiplyAlpha", 1),
    { "Translation", "Vector", "", "A", 0.0 },
    { "Rotation", "Vector", "", "A", 0.0 },
    { "Scaling", "Vector", "", "A", 1.0 },
    VECTOR("TextureRotationPivot", 0),
    VECTOR("TextureScalingPivot", 0),
    CHOICE("CurrentTextureBlendMode", 1),
    { "UVSet", "KString", "", "default", 0.0 },
    FLAG("UseMaterial", 0),
    FLAG("UseMipMap", 0),
    { 0 },
};

static const GtiFbxTemplateRow video_rows[] = {
    { "Path", "KString", "XRefUrl", "", 0.0 },
    { "RelPath", "KString", "XRefUrl", "", 0.0 },
    SHADE("Color", 0.8),
    TIME("ClipIn"),
    TIME("ClipOut"),
    TIME("Offset"),
    SIZE("PlaySpeed", 0),
    FLAG("FreeRunning", 0),
    FLAG("Loop", 0),
    FLAG("Mute", 0),
    CHOICE("AccessMode", 0),
    FLAG("ImageSequence", 0),
    COUNT("ImageSequenceOffset", 0),
    SIZE("FrameRate", 0),
    COUNT("LastFrame", 0),
    COUNT("Width", 0),
    COUNT("Height", 0),
    COUNT("StartFrame", 0),
    COUNT("StopFrame", 0),
    CHOICE("InterlaceMode", 0),
    { 0 },
};

static const GtiFbxTemplateRow stack_rows[] = {
    { "Description", "KString", "", "", 0.0 },
    TIME("LocalStart"),
    TIME("LocalStop"),
    TIME("ReferenceStart"),
    TIME("ReferenceStop"),
    { 0 },
};

static const GtiFbxTemplateRow layer_rows[] = {
    NUMBER("Weight", 100),
    FLAG("Mute", 0),
    FLAG("Solo", 0),
    FLAG("Lock", 0),
    SHADE("Color", 0.8),
    CHOICE("BlendMode", 0),
    CHOICE("RotationAccumulationMode", 0),
    CHOICE("ScaleAccumulationMode", 0),
    { "BlendModeBypass", "ULongLong", "", "", 0.0 },
    { 0 },
};

static const GtiFbxTemplateRow curve_node_rows[] = {
    { "d", "Compound", "", "", 0.0 },
    { 0 },
};

static bool is_one_of(const char* type, const char* const* types)
{
    while (*types && strcmp(type, *types) != 0) {
        ++types;
    }
    return *types;
}

static void put_row(GtiFbxOut* out, const GtiFbxTemplateRow* row)
{
    static const char* const integers[] = { "bool", "enum", "int", "Visibility Inheritance", NULL };
    static const char* const longs[] = { "KTime", "ULongLong", NULL };
    static const char* const numbers[] = { "double", "Number", "Visibility", NULL };
    static const char* const without[] = { "object", "Compound", NULL };
    bool is_text = strcmp(row->type, "KString") == 0; // the default stands where others have flags
    gti_fbx_begin_property(out, row->name, row->type, row->label, is_text ? "" : row->flags);
    if (is_text) {
        gti_fbx_put_text(out, row->flags);
    } else if (is_one_of(row->type, integers)) {
        gti_fbx_put_int(out, (int32_t)row->value);
    } else if (is_one_of(row->type, longs)) {
        gti_fbx_put_long(out, (int64_t)row->value);
    } else if (!is_one_of(row->type, without)) {
        int count = is_one_of(row->type, numbers) ? 1 : 3;
        for (int i = 0; i < count; ++i) {
            gti_fbx_put_double(out, row->value);
        }
    }
    gti_fbx_end(out);
}

// What Definitions says of each kind, in the order of GtiFbxKind.
typedef struct GtiFbxDefinition {
    const char* type;
    const char* template_name; // or NULL
    const GtiFbxTemplateRow* rows;
} GtiFbxDefinition;

static const GtiFbxDefinition definitions[GTI_FBX_KIND_COUNT] = {
    { "Model", "FbxNode", node_rows },
    { "NodeAttribute", "FbxSkeleton", skeleton_rows },
    { "Geometry", "FbxMesh", mesh_rows },
    { "Material", "FbxSurfacePhong", phong_rows },
    { "Texture", "FbxFileTexture", texture_rows },
    { "Video", "FbxVideo", video_rows },
    { "Deformer", NULL, NULL },
    { "Pose", NULL, NULL },
    { "AnimationStack", "FbxAnimStack", stack_rows },
    { "AnimationLayer", "FbxAnimLayer", layer_rows },
    { "AnimationCurveNode", "FbxAnimCurveNode", curve_node_rows },
    { "AnimationCurve", NULL, NULL },
};

static bool may_have(const GtScene* scene, GtiFbxKind kind)
{
    switch (kind) {
    case GTI_FBX_GEOMETRY:
    case GTI_FBX_DEFORMER:
        return scene->mesh_count > 0;
    case GTI_FBX_MATERIAL:
        return scene->mesh_count > 0 || scene->material_count > 0;
    case GTI_FBX_TEXTURE:
    case GTI_FBX_VIDEO:
        return scene->image_count > 0;
    case GTI_FBX_POSE:
        return scene->skin_count > 0;
    case GTI_FBX_STACK:
    case GTI_FBX_LAYER:
    case GTI_FBX_CURVE_NODE:
    case GTI_FBX_CURVE:
        return scene->animation_count > 0;
    default:
        return true;
    }
}

// An int whose value is known later; its place.
static size_t put_later(GtiFbxOut* out, const char* name)
{
    gti_fbx_begin(out, name);
    gti_fbx_put_int(out, 0);
    size_t place = out->bytes.size - sizeof(int32_t);
    gti_fbx_end(out);
    return place;
}

void gti_fbx_write_definitions(GtiFbxWriter* writer)
{
    GtiFbxOut* out = &writer->out;
    gti_fbx_begin(out, "Definitions");
    gti_fbx_int_node(out, "Version", 100);
    writer->total_place = put_later(out, "Count");
    gti_fbx_begin(out, "ObjectType");
    gti_fbx_put_text(out, "GlobalSettings");
    gti_fbx_int_node(out, "Count", 1);
    gti_fbx_end(out);
    for (int kind = 0; kind < GTI_FBX_KIND_COUNT; ++kind) {
        if (!may_have(writer->scene, (GtiFbxKind)kind)) {
            continue;
        }
        const GtiFbxDefinition* definition = &definitions[kind];
        gti_fbx_begin(out, "ObjectType");
        gti_fbx_put_text(out, definition->type);
        writer->count_places[kind] = put_later(out, "Count");
        if (definition->rows) {
            gti_fbx_begin(out, "PropertyTemplate");
            gti_fbx_put_text(out, definition->template_name);
            gti_fbx_begin(out, "Properties70");
            for (const GtiFbxTemplateRow* row = definition->rows; row->name; ++row) {
                put_row(out, row);
            }
            gti_fbx_end(out);
            gti_fbx_end(out);
        }
        gti_fbx_end(out);
    }
    gti_fbx_end(out);
}

static void put_application(GtiFbxOut* out, const char* vendor, const char* name, const char* version)
{
    gti_fbx_text_property(out, vendor, "Gertie");
    gti_fbx_text_property(out, name, "Gertie");
    gti_fbx_text_property(out, version, "1");
}

static void put_compound(GtiFbxOut* out, const char* name)
{
    gti_fbx_begin_property(out, name, "Compound", "", "");
    gti_fbx_end(out);
}

// A time that is always the same, because the same scene gives the same bytes.
static void write_time(GtiFbxOut* out)
{
    gti_fbx_begin(out, "CreationTimeStamp");
    gti_fbx_int_node(out, "Version", 1000);
    gti_fbx_int_node(out, "Year", 1970);
    gti_fbx_int_node(out, "Month", 1);
    gti_fbx_int_node(out, "Day", 1);
    gti_fbx_int_node(out, "Hour", 10);
    gti_fbx_int_node(out, "Minute", 0);
    gti_fbx_int_node(out, "Second", 0);
    gti_fbx_int_node(out, "Millisecond", 0);
    gti_fbx_end(out);
}

static void write_scene_info(GtiFbxOut* out)
{
    static const char* const texts[] = { "Title", "Subject", "Author", "Keywords", "Revision", "Comment" };
    gti_fbx_begin(out, "SceneInfo");
    gti_fbx_put_name(out, "GlobalInfo", "SceneInfo");
    gti_fbx_put_text(out, "UserData");
    gti_fbx_text_node(out, "Type", "UserData");
    gti_fbx_int_node(out, "Version", 100);
    gti_fbx_begin(out, "MetaData");
    gti_fbx_int_node(out, "Version", 100);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        gti_fbx_text_node(out, texts[i], "");
    }
    gti_fbx_end(out);
    gti_fbx_begin(out, "Properties70");
    put_compound(out, "Original");
    put_application(out, "Original|ApplicationVendor", "Original|ApplicationName", "Original|ApplicationVersion");
    put_compound(out, "LastSaved");
    put_application(out, "LastSaved|ApplicationVendor", "LastSaved|ApplicationName", "LastSaved|ApplicationVersion");
    gti_fbx_end(out);
    gti_fbx_end(out);
}

// FbxTime's modes.
static int32_t time_mode(double rate_hz)
{
    static const struct {
        double rate_hz;
        int32_t mode;
    } modes[] = {
        { 120.0, 1 },
        { 100.0, 2 },
        { 60.0, 3 },
        { 50.0, 4 },
        { 48.0, 5 },
        { 30.0, 6 },
        { 25.0, 10 },
        { 24.0, 11 },
        { 1000.0, 12 },
        { 96.0, 15 },
        { 72.0, 16 },
        { 30000.0 / 1001.0, 9 },
        { 24000.0 / 1001.0, 13 },
        { 60000.0 / 1001.0, 17 },
        { 120000.0 / 1001.0, 18 },
    };
    for (size_t i = 0; i < sizeof modes / sizeof *modes; ++i) {
        if (fabs(modes[i].rate_hz - rate_hz) < 1e-4 * rate_hz) {
            return modes[i].mode;
        }
    }
    return 14;
}

static void write_settings(GtiFbxWriter* writer)
{
    GtiFbxOut* out = &writer->out;
    int32_t mode = time_mode(writer->frame_rate_hz);
    gti_fbx_begin(out, "GlobalSettings");
    gti_fbx_int_node(out, "Version", 1000);
    gti_fbx_begin(out, "Properties70");
    gti_fbx_int_property(out, "UpAxis", 1);
    gti_fbx_int_property(out, "UpAxisSign", 1);
    gti_fbx_int_property(out, "FrontAxis", 2);
    gti_fbx_int_property(out, "FrontAxisSign", 1);
    gti_fbx_int_property(out, "CoordAxis", 0);
    gti_fbx_int_property(out, "CoordAxisSign", 1);
    gti_fbx_int_property(out, "OriginalUpAxis", 1);
    gti_fbx_int_property(out, "OriginalUpAxisSign", 1);
    gti_fbx_double_property(out, "UnitScaleFactor", 1.0);
    gti_fbx_double_property(out, "OriginalUnitScaleFactor", 1.0);
    put_row(out, &(GtiFbxTemplateRow)SHADE("AmbientColor", 0));
    gti_fbx_text_property(out, "DefaultCamera", "Producer Perspective");
    gti_fbx_enum_property(out, "TimeMode", mode);
    gti_fbx_enum_property(out, "TimeProtocol", 2);
    gti_fbx_enum_property(out, "SnapOnFrameMode", 0);
    gti_fbx_time_property(out, "TimeSpanStart", gti_fbx_ticks(writer->start_s, writer->frame_rate_hz));
    gti_fbx_time_property(out, "TimeSpanStop", gti_fbx_ticks(writer->end_s, writer->frame_rate_hz));
    gti_fbx_double_property(out, "CustomFrameRate", mode == 14 ? writer->frame_rate_hz : -1.0);
    put_compound(out, "TimeMarker");
    gti_fbx_int_property(out, "CurrentTimeMarker", -1);
    gti_fbx_end(out);
    gti_fbx_end(out);
}

static void write_document(GtiFbxWriter* writer)
{
    const GtScene* scene = writer->scene;
    GtiFbxOut* out = &writer->out;
    gti_fbx_begin(out, "Documents");
    gti_fbx_int_node(out, "Count", 1);
    gti_fbx_begin(out, "Document");
    gti_fbx_put_long(out, 1);
    gti_fbx_put_text(out, "");
    gti_fbx_put_text(out, "Scene");
    gti_fbx_begin(out, "Properties70");
    gti_fbx_begin_property(out, "SourceObject", "object", "", "");
    gti_fbx_end(out);
    gti_fbx_text_property(out, "ActiveAnimStackName", scene->animation_count ? writer->clip_names[0] : "");
    gti_fbx_end(out);
    gti_fbx_begin(out, "RootNode");
    gti_fbx_put_long(out, 0);
    gti_fbx_end(out);
    gti_fbx_end(out);
    gti_fbx_end(out);
    gti_fbx_begin(out, "References");
    gti_fbx_end(out);
}

void gti_fbx_write_head(GtiFbxWriter* writer)
{
    static const uint8_t file_id[16] = { 0x28, 0xB3, 0x2A, 0xEB, 0xB6, 0x24, 0xCC, 0xC2,
                                         0xBF, 0xC8, 0xB0, 0x2A, 0xA9, 0x2B, 0xFC, 0xF1 };
    GtiFbxOut* out = &writer->out;
    gti_fbx_begin(out, "FBXHeaderExtension");
    gti_fbx_int_node(out, "FBXHeaderVersion", 1003);
    gti_fbx_int_node(out, "FBXVersion", 7400);
    gti_fbx_int_node(out, "EncryptionType", 0);
    write_time(out);
    gti_fbx_text_node(out, "Creator", "Gertie");
    write_scene_info(out);
    gti_fbx_end(out);
    gti_fbx_begin(out, "FileId");
    gti_fbx_put_bytes(out, file_id, sizeof file_id);
    gti_fbx_end(out);
    gti_fbx_text_node(out, "CreationTime", "1970-01-01 10:00:00:000");
    gti_fbx_text_node(out, "Creator", "Gertie");
    write_settings(writer);
    write_document(writer);
}
