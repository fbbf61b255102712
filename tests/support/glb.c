// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "support/glb.h"

#include <stdlib.h>
#include <string.h>

char* test_json(const char* single_quoted)
{
    char* json = strdup(single_quoted);
    for (char* p = json; *p; ++p) {
        if (*p == '\'') {
            *p = '"';
        }
    }
    return json;
}

static uint8_t* put_uint32(uint8_t* out, size_t value)
{
    uint32_t number = (uint32_t)value;
    memcpy(out, &number, sizeof number);
    return out + sizeof number;
}

static uint8_t* put_chunk(uint8_t* out, const char* type, const void* data, size_t size, char padding)
{
    size_t padded = (size + 3) & ~(size_t)3;
    out = put_uint32(out, padded);
    memcpy(out, type, 4);
    memcpy(out + 4, data, size);
    memset(out + 4 + size, padding, padded - size);
    return out + 4 + padded;
}

uint8_t* test_glb(const char* single_quoted, const void* binary, size_t binary_size, size_t* size)
{
    char* json = test_json(single_quoted);
    uint8_t* glb = malloc(strlen(json) + binary_size + 64);
    memcpy(glb, "glTF", 4);
    uint8_t* end = put_uint32(glb + 4, 2) + 4;
    end = put_chunk(end, "JSON", json, strlen(json), ' ');
    if (binary) {
        end = put_chunk(end, "BIN", binary, binary_size, 0);
    }
    *size = (size_t)(end - glb);
    put_uint32(glb + 8, *size);
    free(json);
    return glb;
}

typedef struct Everything {
    float positions[6][3];
    float normals[6][3];
    struct {
        uint16_t uv[2];
        uint8_t color[4];
    } looks[6];
    uint8_t joints[6][16];
    float weights_0[6][4];
    uint8_t weights_1[6][4];
    uint16_t weights_2[6][4];
    uint16_t weights_3[6][4];
    uint8_t corners_8[8];
    uint16_t corners_16[6];
    uint16_t sparse_indices[2];
    float sparse_values[2][3];
    int8_t normals_8[6][4];
    int16_t positions_16[6][4];
    float inverse_bind[6][16];
    float times[3];
    float rotations[9][4];
    float translations[3][3];
    int16_t rotations_16[3][4];
    float target_weights[6];
    float scales[3][3];
    uint8_t matrices_2[2][8];
    uint16_t matrices_3[1][12];
    uint8_t png[72];
} Everything;

#define IDENTITY_AT(y)                                                                                                 \
    {                                                                                                                  \
        1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -(y), 0, 1                                                              \
    }
#define FOUR(x)  x, x, x, x
#define SIX(...) __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__

static const Everything everything = {
    .positions = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 }, { 0, 2, 0.5f }, { 1, 2, -0.5f } },
    .normals = { SIX({ 0, 0, 1 }) },
    .looks = { { { 0, 0 }, { 255, 0, 0, 255 } },
               { { 65535, 0 }, { 0, 255, 0, 255 } },
               { { 65535, 32768 }, { 0, 0, 255, 255 } },
               { { 0, 32768 }, { 255, 255, 0, 255 } },
               { { 0, 65535 }, { 0, 255, 255, 128 } },
               { { 65535, 65535 }, { 51, 102, 153, 0 } } },
    .joints = { SIX({ 0, 1, 2, 3, 4, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0 }) },
    .weights_0 = { SIX({ 0.25f, 0.15f, 0.1f, 0.1f }) },
    .weights_1 = { SIX({ 51 }) },
    .weights_2 = { SIX({ 13107 }) },
    .corners_8 = { 0, 1, 2, 3, 4, 5 },
    .corners_16 = { 0, 1, 2, 2, 3, 0 },
    .sparse_indices = { 1, 4 },
    .sparse_values = { { 0.5f, -0.5f, 0.25f }, { 0, 3, 0 } },
    .normals_8 = { SIX({ 127, -127, 64 }) },
    .positions_16 = { { -32767, 0, 0 }, { 32767, 0, 0 }, { 0, 32767, 0 }, { 0, -1, 0 }, { 0, 0, 16384 }, { 1, 2, 3 } },
    .inverse_bind = { IDENTITY_AT(0), IDENTITY_AT(1), IDENTITY_AT(2), IDENTITY_AT(3), IDENTITY_AT(4), IDENTITY_AT(5) },
    .times = { 0, 0.5f, 1.25f },
    .rotations = { { FOUR(0) },
                   { 0, 0, 0, 1 },
                   { 0, 0, 1, 0 },
                   { 0, 0, 1, 0 },
                   { 0, 0, 0.70710678f, 0.70710678f },
                   { FOUR(0) },
                   { FOUR(0) },
                   { 0, 0, 1, 0 },
                   { FOUR(0) } },
    .translations = { { 0, 1, 0 }, { 0, 1.5f, 0 }, { 0.1f, 1, -0.1f } },
    .rotations_16 = { { 0, 0, 0, 32767 }, { 32767, 0, 0, 0 }, { 0, -32767, 0, 0 } },
    .target_weights = { 0, 1, 0.5f, 0.5f, 1, 0 },
    .scales = { { 1, 1, 1 }, { 2, 2, 2 }, { 1, 1, 1 } },
    .matrices_2 = { { 1, 2, 0, 0, 3, 4, 0, 0 }, { 5, 6, 0, 0, 7, 8, 0, 0 } },
    .matrices_3 = { { 1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9 } },
    .png = { 0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00,
             0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x02, 0x00, 0x00, 0x00, 0x90, 0x77, 0x53, 0xDE, 0x00, 0x00, 0x00,
             0x0C, 0x49, 0x44, 0x41, 0x54, 0x78, 0xDA, 0x63, 0xF8, 0xDF, 0xE0, 0x00, 0x00, 0x04, 0x41, 0x01, 0xC0, 0x32,
             0x2C, 0x3E, 0x3D, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82 },
};

// Offsets that the JSON below is written with.
_Static_assert(offsetof(Everything, looks) == 144, "views[1]");
_Static_assert(offsetof(Everything, joints) == 192, "views[2]");
_Static_assert(offsetof(Everything, weights_0) == 288, "views[3]");
_Static_assert(offsetof(Everything, weights_1) == 384, "views[4]");
_Static_assert(offsetof(Everything, weights_2) == 408, "views[5]");
_Static_assert(offsetof(Everything, corners_8) == 504, "views[6]");
_Static_assert(offsetof(Everything, sparse_indices) == 524, "views[7]");
_Static_assert(offsetof(Everything, sparse_values) == 528, "views[8]");
_Static_assert(offsetof(Everything, normals_8) == 552, "views[9]");
_Static_assert(offsetof(Everything, positions_16) == 576, "views[10]");
_Static_assert(offsetof(Everything, inverse_bind) == 624, "views[11]");
_Static_assert(offsetof(Everything, times) == 1008, "views[12]");
_Static_assert(offsetof(Everything, matrices_2) == 1284, "views[13]");
_Static_assert(offsetof(Everything, png) == 1324, "views[15]");
_Static_assert(sizeof(Everything) == 1396, "buffers[0]");

static const char everything_json[] =
    "{'asset':{'version':'2.0','generator':'a test','copyright':'nobody','minVersion':'2.0','extras':[1,'two',null]},"
    "'extensionsUsed':['KHR_mesh_quantization','KHR_materials_unlit','KHR_texture_transform','TEST_unheard_of'],"
    "'extensionsRequired':['KHR_mesh_quantization'],"
    "'scene':0,"
    "'scenes':[{'name':'stage','nodes':[0,7,8,9,10,11],'extras':{'lit':true}},{'name':'empty'}],"
    "'nodes':["
    "{'name':'Root','children':[1]},"
    "{'name':'joint 1','children':[2],'translation':[0,1,0]},"
    "{'name':'joint 2','children':[3],'translation':[0,1,0],'rotation':[0,0,0.70710678,0.70710678]},"
    "{'name':'joint 3','children':[4],'translation':[0,1,0],'scale':[1.5,-1,0.1]},"
    "{'name':'joint 4 \\u00e9\\n\\'','children':[5],'translation':[0,1,0]},"
    "{'name':'joint 5','children':[6],'translation':[0,1,0]},"
    "{'name':'joint 5'},"
    "{'name':'skinned','mesh':0,'skin':0,'weights':[0.25,-0.5]},"
    "{'name':'eye','camera':0,'matrix':[0,1,0,0,-1,0,0,0,0,0,1,0,4,5,6,1]},"
    "{'camera':1,'translation':[-0.0,1e-20,3.4e38],'extras':'words'},"
    "{'name':'modes','mesh':1},"
    "{'name':'quantised','mesh':2,'extensions':{'TEST_unheard_of':{'node':7,'deep':[[1],{'a':{}}]}},'future':[1.50]}],"
    "'meshes':["
    "{'name':'body','weights':[0.5,0],'extras':{'targetNames':['smile','frown'],'made':'by hand'},'primitives':["
    "{'attributes':{'POSITION':0,'NORMAL':1,'TEXCOORD_0':2,'COLOR_0':3,'JOINTS_0':4,'JOINTS_1':5,'JOINTS_2':6,"
    "'JOINTS_3':7,'WEIGHTS_0':8,'WEIGHTS_1':9,'WEIGHTS_2':10,'WEIGHTS_3':11,'_ZERO':26},'indices':13,'material':0,"
    "'targets':[{'POSITION':15},{'NORMAL':16}],'extras':{'part':1}}]},"
    "{'name':'all modes','primitives':["
    "{'mode':0,'attributes':{'POSITION':0}},"
    "{'mode':1,'attributes':{'POSITION':0},'indices':12},"
    "{'mode':2,'attributes':{'POSITION':0},'indices':13},"
    "{'mode':3,'attributes':{'POSITION':0},'indices':14},"
    "{'mode':4,'attributes':{'POSITION':0},'material':1},"
    "{'mode':5,'attributes':{'POSITION':0},'indices':14},"
    "{'mode':6,'attributes':{'POSITION':18},'indices':12}]},"
    "{'primitives':[{'attributes':{'POSITION':17},'indices':13}]}],"
    "'skins':[{'name':'bones','joints':[1,2,3,4,5,6],'inverseBindMatrices':19,'skeleton':1,'extras':{'a':[]}}],"
    "'animations':["
    "{'name':'all paths','samplers':["
    "{'input':20,'output':21,'interpolation':'CUBICSPLINE'},"
    "{'input':20,'output':22,'interpolation':'STEP','extras':1},"
    "{'input':20,'output':23},"
    "{'input':20,'output':24,'interpolation':'LINEAR'},"
    "{'input':20,'output':25}],"
    "'channels':["
    "{'sampler':0,'target':{'node':2,'path':'rotation'}},"
    "{'sampler':1,'target':{'node':1,'path':'translation','extras':{'x':1}}},"
    "{'sampler':2,'target':{'node':3,'path':'rotation'},'extras':{'y':2}},"
    "{'sampler':3,'target':{'node':7,'path':'weights'}},"
    "{'sampler':4,'target':{'node':4,'path':'scale'}}]}],"
    "'cameras':["
    "{'name':'wide','type':'perspective','perspective':{'yfov':1.1,'znear':0.1,'aspectRatio':1.5,'extras':{'f':50}}},"
    "{'type':'orthographic','orthographic':{'xmag':2,'ymag':3,'znear':0,'zfar':100}}],"
    "'materials':["
    "{'name':'full','pbrMetallicRoughness':{'baseColorFactor':[0.1,0.2,0.3,0.4],'baseColorTexture':{'index':0,"
    "'extensions':{'KHR_texture_transform':{'offset':[0.5,0.25],'rotation':1}}},'metallicFactor':0.25,"
    "'roughnessFactor':0.75,'metallicRoughnessTexture':{'index':1},'extras':{'p':0}},"
    "'normalTexture':{'index':0,'scale':0.5},'occlusionTexture':{'index':1,'strength':0.125},"
    "'emissiveTexture':{'index':0},'emissiveFactor':[1,0.5,0],'alphaMode':'MASK','alphaCutoff':0.3,"
    "'doubleSided':true},"
    "{'name':'flat','extensions':{'KHR_materials_unlit':{}},'alphaMode':'BLEND'}],"
    "'textures':[{'name':'t','sampler':0,'source':0},{'source':1}],"
    "'samplers':[{'name':'s','magFilter':9729,'minFilter':9987,'wrapS':33071,'wrapT':33648}],"
    "'images':[{'name':'inside','mimeType':'image/png','bufferView':15},"
    "{'uri':'data:image/png;base64,"
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP43+AAAARBAcAyLD49AAAAAElFTkSuQmCC'}],"
    "'accessors':["
    "{'name':'positions','bufferView':0,'componentType':5126,'count':6,'type':'VEC3','min':[0,0,-0.5],'max':[1,2,0.5]},"
    "{'bufferView':0,'byteOffset':72,'componentType':5126,'count':6,'type':'VEC3'},"
    "{'bufferView':1,'componentType':5123,'normalized':true,'count':6,'type':'VEC2'},"
    "{'bufferView':1,'byteOffset':4,'componentType':5121,'normalized':true,'count':6,'type':'VEC4'},"
    "{'bufferView':2,'componentType':5121,'count':6,'type':'VEC4'},"
    "{'bufferView':2,'byteOffset':4,'componentType':5121,'count':6,'type':'VEC4'},"
    "{'bufferView':2,'byteOffset':8,'componentType':5121,'count':6,'type':'VEC4'},"
    "{'bufferView':2,'byteOffset':12,'componentType':5121,'count':6,'type':'VEC4'},"
    "{'bufferView':3,'componentType':5126,'count':6,'type':'VEC4'},"
    "{'bufferView':4,'componentType':5121,'normalized':true,'count':6,'type':'VEC4'},"
    "{'bufferView':5,'componentType':5123,'normalized':true,'count':6,'type':'VEC4'},"
    "{'bufferView':5,'byteOffset':48,'componentType':5123,'normalized':true,'count':6,'type':'VEC4'},"
    "{'bufferView':6,'componentType':5121,'count':6,'type':'SCALAR'},"
    "{'bufferView':6,'byteOffset':8,'componentType':5123,'count':6,'type':'SCALAR'},"
    "{'bufferView':14,'componentType':5125,'count':6,'type':'SCALAR'},"
    "{'componentType':5126,'count':6,'type':'VEC3','min':[0,-0.5,0],'max':[0.5,3,0.25],'sparse':{'count':2,"
    "'indices':{'bufferView':7,'componentType':5123},'values':{'bufferView':8,'extras':{'z':1}}}},"
    "{'bufferView':9,'componentType':5120,'normalized':true,'count':6,'type':'VEC3'},"
    "{'bufferView':10,'componentType':5122,'normalized':true,'count':6,'type':'VEC3','min':[-32767,-1,0],"
    "'max':[32767,32767,16384]},"
    "{'bufferView':0,'componentType':5126,'count':6,'type':'VEC3','min':[0,-0.5,-0.5],'max':[1,3,0.25],"
    "'sparse':{'count':2,'indices':{'bufferView':7,'componentType':5123},'values':{'bufferView':8}}},"
    "{'bufferView':11,'componentType':5126,'count':6,'type':'MAT4'},"
    "{'bufferView':12,'componentType':5126,'count':3,'type':'SCALAR','min':[0],'max':[1.25]},"
    "{'bufferView':12,'byteOffset':12,'componentType':5126,'count':9,'type':'VEC4'},"
    "{'bufferView':12,'byteOffset':156,'componentType':5126,'count':3,'type':'VEC3'},"
    "{'bufferView':12,'byteOffset':192,'componentType':5122,'normalized':true,'count':3,'type':'VEC4'},"
    "{'bufferView':12,'byteOffset':216,'componentType':5126,'count':6,'type':'SCALAR'},"
    "{'bufferView':12,'byteOffset':240,'componentType':5126,'count':3,'type':'VEC3'},"
    "{'name':'zeros','componentType':5126,'count':6,'type':'VEC3'},"
    "{'bufferView':13,'componentType':5121,'count':2,'type':'MAT2'},"
    "{'bufferView':13,'byteOffset':16,'componentType':5123,'count':1,'type':'MAT3'}],"
    "'bufferViews':["
    "{'name':'vertices','buffer':0,'byteLength':144,'byteStride':12,'target':34962},"
    "{'buffer':0,'byteOffset':144,'byteLength':48,'byteStride':8,'target':34962},"
    "{'buffer':0,'byteOffset':192,'byteLength':96,'byteStride':16,'target':34962},"
    "{'buffer':0,'byteOffset':288,'byteLength':96,'target':34962},"
    "{'buffer':0,'byteOffset':384,'byteLength':24,'target':34962},"
    "{'buffer':0,'byteOffset':408,'byteLength':96,'byteStride':8,'target':34962},"
    "{'buffer':0,'byteOffset':504,'byteLength':20,'target':34963},"
    "{'buffer':0,'byteOffset':524,'byteLength':4},"
    "{'buffer':0,'byteOffset':528,'byteLength':24},"
    "{'buffer':0,'byteOffset':552,'byteLength':24,'byteStride':4,'target':34962},"
    "{'buffer':0,'byteOffset':576,'byteLength':48,'byteStride':8,'target':34962},"
    "{'buffer':0,'byteOffset':624,'byteLength':384},"
    "{'buffer':0,'byteOffset':1008,'byteLength':276},"
    "{'buffer':0,'byteOffset':1284,'byteLength':40,'extras':{'v':1}},"
    "{'buffer':1,'byteOffset':4,'byteLength':24,'target':34963},"
    "{'buffer':0,'byteOffset':1324,'byteLength':69}],"
    "'buffers':[{'byteLength':1396},{'name':'words','byteLength':28,"
    "'uri':'data:application/octet-stream;base64,AAAAAAAAAAABAAAAAgAAAAMAAAAEAAAABQAAAA=='}],"
    "'extensions':{'TEST_unheard_of':{'root':true}},'extras':{'everything':[{}]}}";

uint8_t* test_glb_of_everything(size_t* size)
{
    return test_glb(everything_json, &everything, sizeof everything, size);
}
