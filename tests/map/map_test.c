// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Skeletons of one person in the conventions of a dozen programs, with and without their names, in several poses, units
// and axes: every joint must be found, and nothing else be taken for one.

#include "gertie/map.h"

#include "build/make_scene.h"
#include "person/skeleton.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>

// One joint: name, parent's name, where it is, what it is. `{}` is the side. Where: a joint of the vocabulary, or two
// with a part of the way between them ("leftLowerArm~leftHand~0.5"). What: a joint of the vocabulary, or "-".
typedef struct Row {
    const char* name;
    const char* parent;
    const char* where;
    const char* what;
} Row;

typedef struct Family {
    const char* name;
    const char* sides[2]; // left, right
    const Row* rows;
} Family;

#define FINGER(n1, n2, n3, hand, f)                                                                                    \
    { n1, hand, "*" f "Proximal", "*" f "Proximal" }, { n2, n1, "*" f "Intermediate", "*" f "Intermediate" },          \
    {                                                                                                                  \
        n3, n2, "*" f "Distal", "*" f "Distal"                                                                         \
    }
#define THUMB(n1, n2, n3, hand)                                                                                        \
    { n1, hand, "*ThumbMetacarpal", "*ThumbMetacarpal" }, { n2, n1, "*ThumbProximal", "*ThumbProximal" },              \
    {                                                                                                                  \
        n3, n2, "*ThumbDistal", "*ThumbDistal"                                                                         \
    }
#define LEG(upper, lower, foot, toes, hips)                                                                            \
    { upper, hips, "*UpperLeg", "*UpperLeg" }, { lower, upper, "*LowerLeg", "*LowerLeg" },                             \
        { foot, lower, "*Foot", "*Foot" },                                                                             \
    {                                                                                                                  \
        toes, foot, "*Toes", "*Toes"                                                                                   \
    }
#define ARM(collar, upper, lower, hand, chest)                                                                         \
    { collar, chest, "*Shoulder", "*Shoulder" }, { upper, collar, "*UpperArm", "*UpperArm" },                          \
        { lower, upper, "*LowerArm", "*LowerArm" },                                                                    \
    {                                                                                                                  \
        hand, lower, "*Hand", "*Hand"                                                                                  \
    }
#define SPINE(hips, a, b, c, neck, head)                                                                               \
    { hips, NULL, "hips", "hips" }, { a, hips, "spine", "spine" }, { b, a, "chest", "chest" },                         \
        { c, b, "upperChest", "upperChest" }, { neck, c, "neck", "neck" },                                             \
    {                                                                                                                  \
        head, neck, "head", "head"                                                                                     \
    }

static const Row mixamo[] = {
    SPINE("mixamorig1:Hips", "mixamorig1:Spine", "mixamorig1:Spine1", "mixamorig1:Spine2", "mixamorig1:Neck",
          "mixamorig1:Head"),
    LEG("mixamorig1:{}UpLeg", "mixamorig1:{}Leg", "mixamorig1:{}Foot", "mixamorig1:{}ToeBase", "mixamorig1:Hips"),
    ARM("mixamorig1:{}Shoulder", "mixamorig1:{}Arm", "mixamorig1:{}ForeArm", "mixamorig1:{}Hand", "mixamorig1:Spine2"),
    THUMB("mixamorig1:{}HandThumb1", "mixamorig1:{}HandThumb2", "mixamorig1:{}HandThumb3", "mixamorig1:{}Hand"),
    FINGER("mixamorig1:{}HandIndex1", "mixamorig1:{}HandIndex2", "mixamorig1:{}HandIndex3", "mixamorig1:{}Hand",
           "Index"),
    FINGER("mixamorig1:{}HandMiddle1", "mixamorig1:{}HandMiddle2", "mixamorig1:{}HandMiddle3", "mixamorig1:{}Hand",
           "Middle"),
    FINGER("mixamorig1:{}HandRing1", "mixamorig1:{}HandRing2", "mixamorig1:{}HandRing3", "mixamorig1:{}Hand", "Ring"),
    FINGER("mixamorig1:{}HandPinky1", "mixamorig1:{}HandPinky2", "mixamorig1:{}HandPinky3", "mixamorig1:{}Hand",
           "Little"),
    { 0 }
};

static const Row unreal[] = { { "root", NULL, "hips~hips~0", "-" },
                              { "pelvis", "root", "hips", "hips" },
                              { "spine_01", "pelvis", "spine", "spine" },
                              { "spine_02", "spine_01", "chest", "chest" },
                              { "spine_03", "spine_02", "upperChest", "upperChest" },
                              { "neck_01", "spine_03", "neck", "neck" },
                              { "head", "neck_01", "head", "head" },
                              LEG("thigh_{}", "calf_{}", "foot_{}", "ball_{}", "pelvis"),
                              { "thigh_twist_01_{}", "thigh_{}", "*UpperLeg~*LowerLeg~0.4", "-" },
                              ARM("clavicle_{}", "upperarm_{}", "lowerarm_{}", "hand_{}", "spine_03"),
                              { "upperarm_twist_01_{}", "upperarm_{}", "*UpperArm~*LowerArm~0.5", "-" },
                              { "lowerarm_twist_01_{}", "lowerarm_{}", "*LowerArm~*Hand~0.6", "-" },
                              THUMB("thumb_01_{}", "thumb_02_{}", "thumb_03_{}", "hand_{}"),
                              FINGER("index_01_{}", "index_02_{}", "index_03_{}", "hand_{}", "Index"),
                              FINGER("middle_01_{}", "middle_02_{}", "middle_03_{}", "hand_{}", "Middle"),
                              FINGER("ring_01_{}", "ring_02_{}", "ring_03_{}", "hand_{}", "Ring"),
                              FINGER("pinky_01_{}", "pinky_02_{}", "pinky_03_{}", "hand_{}", "Little"),
                              { 0 } };

static const Row rigify[] = {
    SPINE("DEF-spine", "DEF-spine.001", "DEF-spine.002", "DEF-spine.003", "DEF-spine.004", "DEF-spine.006"),
    LEG("DEF-thigh.{}", "DEF-shin.{}", "DEF-foot.{}", "DEF-toe.{}", "DEF-spine"),
    { "DEF-breast.{}", "DEF-spine.003", "upperChest~*UpperArm~0.4", "-" },
    ARM("DEF-shoulder.{}", "DEF-upper_arm.{}", "DEF-forearm.{}", "DEF-hand.{}", "DEF-spine.003"),
    THUMB("DEF-thumb.01.{}", "DEF-thumb.02.{}", "DEF-thumb.03.{}", "DEF-hand.{}"),
    FINGER("DEF-f_index.01.{}", "DEF-f_index.02.{}", "DEF-f_index.03.{}", "DEF-hand.{}", "Index"),
    FINGER("DEF-f_middle.01.{}", "DEF-f_middle.02.{}", "DEF-f_middle.03.{}", "DEF-hand.{}", "Middle"),
    FINGER("DEF-f_ring.01.{}", "DEF-f_ring.02.{}", "DEF-f_ring.03.{}", "DEF-hand.{}", "Ring"),
    FINGER("DEF-f_pinky.01.{}", "DEF-f_pinky.02.{}", "DEF-f_pinky.03.{}", "DEF-hand.{}", "Little"),
    { 0 }
};

static const Row daz[] = { { "hip", NULL, "hips", "hips" },
                           { "pelvis", "hip", "hips~spine~0.1", "-" },
                           { "abdomenLower", "hip", "spine", "spine" },
                           { "abdomenUpper", "abdomenLower", "spine~chest~0.6", "-" },
                           { "chestLower", "abdomenUpper", "chest", "chest" },
                           { "chestUpper", "chestLower", "upperChest", "upperChest" },
                           { "neckLower", "chestUpper", "neck", "neck" },
                           { "neckUpper", "neckLower", "neck~head~0.5", "-" },
                           { "head", "neckUpper", "head", "head" },
                           LEG("{}ThighBend", "{}Shin", "{}Foot", "{}Toe", "pelvis"),
                           ARM("{}Collar", "{}ShldrBend", "{}ForearmBend", "{}Hand", "chestUpper"),
                           { "{}ShldrTwist", "{}ShldrBend", "*UpperArm~*LowerArm~0.5", "-" },
                           THUMB("{}Thumb1", "{}Thumb2", "{}Thumb3", "{}Hand"),
                           FINGER("{}Index1", "{}Index2", "{}Index3", "{}Hand", "Index"),
                           FINGER("{}Mid1", "{}Mid2", "{}Mid3", "{}Hand", "Middle"),
                           FINGER("{}Ring1", "{}Ring2", "{}Ring3", "{}Hand", "Ring"),
                           FINGER("{}Pinky1", "{}Pinky2", "{}Pinky3", "{}Hand", "Little"),
                           { 0 } };

static const Row cmu[] = { { "root", NULL, "hips", "hips" },
                           { "lowerback", "root", "spine", "spine" },
                           { "upperback", "lowerback", "chest", "chest" },
                           { "thorax", "upperback", "upperChest", "upperChest" },
                           { "lowerneck", "thorax", "neck", "neck" },
                           { "upperneck", "lowerneck", "neck~head~0.5", "-" },
                           { "head", "upperneck", "head", "head" },
                           { "{}hipjoint", "root", "hips", "-" },
                           LEG("{}femur", "{}tibia", "{}foot", "{}toes", "{}hipjoint"),
                           ARM("{}clavicle", "{}humerus", "{}radius", "{}hand", "thorax"),
                           { 0 } };

static const Row smpl[] = { SPINE("Pelvis", "Spine1", "Spine2", "Spine3", "Neck", "Head"),
                            LEG("{}_Hip", "{}_Knee", "{}_Ankle", "{}_Foot", "Pelvis"),
                            ARM("{}_Collar", "{}_Shoulder", "{}_Elbow", "{}_Wrist", "Spine3"),
                            { 0 } };

static const Row biped[] = {
    { "Bip01", NULL, "hips", "-" },
    { "Bip01 Pelvis", "Bip01", "hips", "hips" },
    { "Bip01 Spine", "Bip01 Pelvis", "spine", "spine" },
    { "Bip01 Spine1", "Bip01 Spine", "chest", "chest" },
    { "Bip01 Spine2", "Bip01 Spine1", "upperChest", "upperChest" },
    { "Bip01 Neck", "Bip01 Spine2", "neck", "neck" },
    { "Bip01 Head", "Bip01 Neck", "head", "head" },
    LEG("Bip01 {} Thigh", "Bip01 {} Calf", "Bip01 {} Foot", "Bip01 {} Toe0", "Bip01 Spine"),
    ARM("Bip01 {} Clavicle", "Bip01 {} UpperArm", "Bip01 {} Forearm", "Bip01 {} Hand", "Bip01 Neck"),
    THUMB("Bip01 {} Finger0", "Bip01 {} Finger01", "Bip01 {} Finger02", "Bip01 {} Hand"),
    FINGER("Bip01 {} Finger1", "Bip01 {} Finger11", "Bip01 {} Finger12", "Bip01 {} Hand", "Index"),
    FINGER("Bip01 {} Finger2", "Bip01 {} Finger21", "Bip01 {} Finger22", "Bip01 {} Hand", "Middle"),
    FINGER("Bip01 {} Finger3", "Bip01 {} Finger31", "Bip01 {} Finger32", "Bip01 {} Hand", "Ring"),
    FINGER("Bip01 {} Finger4", "Bip01 {} Finger41", "Bip01 {} Finger42", "Bip01 {} Hand", "Little"),
    { 0 }
};

static const Row smartbody[] = { { "base", NULL, "hips", "hips" },
                                 { "spine1", "base", "spine", "spine" },
                                 { "spine2", "spine1", "spine~chest~0.5", "-" },
                                 { "spine3", "spine2", "chest", "chest" },
                                 { "spine4", "spine3", "upperChest", "upperChest" },
                                 { "spine5", "spine4", "neck", "neck" },
                                 { "skullbase", "spine5", "head", "head" },
                                 LEG("{}_hip", "{}_knee", "{}_ankle", "{}_forefoot", "base"),
                                 ARM("{}_sternoclavicular", "{}_shoulder", "{}_elbow", "{}_wrist", "spine4"),
                                 { "{}_upperarm1", "{}_shoulder", "*UpperArm~*LowerArm~0.5", "-" },
                                 { 0 } };

static const Row vrm[] = {
    SPINE("J_Bip_C_Hips", "J_Bip_C_Spine", "J_Bip_C_Chest", "J_Bip_C_UpperChest", "J_Bip_C_Neck", "J_Bip_C_Head"),
    { "J_Adj_{}_FaceEye", "J_Bip_C_Head", "*Eye", "*Eye" },
    { "J_Sec_Hair1_01", "J_Bip_C_Head", "head~neck~-1.2", "-" },
    { "J_Sec_Hair2_01", "J_Sec_Hair1_01", "head~neck~-1.6", "-" },
    LEG("J_Bip_{}_UpperLeg", "J_Bip_{}_LowerLeg", "J_Bip_{}_Foot", "J_Bip_{}_ToeBase", "J_Bip_C_Hips"),
    { "J_Sec_{}_Skirt_01", "J_Bip_C_Hips", "hips~*LowerLeg~0.3", "-" },
    ARM("J_Bip_{}_Shoulder", "J_Bip_{}_UpperArm", "J_Bip_{}_LowerArm", "J_Bip_{}_Hand", "J_Bip_C_UpperChest"),
    THUMB("J_Bip_{}_Thumb1", "J_Bip_{}_Thumb2", "J_Bip_{}_Thumb3", "J_Bip_{}_Hand"),
    FINGER("J_Bip_{}_Index1", "J_Bip_{}_Index2", "J_Bip_{}_Index3", "J_Bip_{}_Hand", "Index"),
    FINGER("J_Bip_{}_Middle1", "J_Bip_{}_Middle2", "J_Bip_{}_Middle3", "J_Bip_{}_Hand", "Middle"),
    FINGER("J_Bip_{}_Ring1", "J_Bip_{}_Ring2", "J_Bip_{}_Ring3", "J_Bip_{}_Hand", "Ring"),
    FINGER("J_Bip_{}_Little1", "J_Bip_{}_Little2", "J_Bip_{}_Little3", "J_Bip_{}_Hand", "Little"),
    { 0 }
};

static const Row miku[] = {
    { "\xE3\x82\xBB\xE3\x83\xB3\xE3\x82\xBF\xE3\x83\xBC", NULL, "hips~spine~0.2", "hips" },
    { "\xE4\xB8\x8A\xE5\x8D\x8A\xE8\xBA\xAB", "\xE3\x82\xBB\xE3\x83\xB3\xE3\x82\xBF\xE3\x83\xBC", "spine", "spine" },
    { "\xE4\xB8\x8A\xE5\x8D\x8A\xE8\xBA\xAB"
      "2",
      "\xE4\xB8\x8A\xE5\x8D\x8A\xE8\xBA\xAB", "upperChest", "chest" },
    { "\xE9\xA6\x96",
      "\xE4\xB8\x8A\xE5\x8D\x8A\xE8\xBA\xAB"
      "2",
      "neck", "neck" },
    { "\xE9\xA0\xAD", "\xE9\xA6\x96", "head", "head" },
    LEG("{}\xE8\xB6\xB3", "{}\xE3\x81\xB2\xE3\x81\x96", "{}\xE8\xB6\xB3\xE9\xA6\x96",
        "{}\xE3\x81\xA4\xE3\x81\xBE\xE5\x85\x88", "\xE3\x82\xBB\xE3\x83\xB3\xE3\x82\xBF\xE3\x83\xBC"),
    ARM("{}\xE8\x82\xA9", "{}\xE8\x85\x95", "{}\xE3\x81\xB2\xE3\x81\x98", "{}\xE6\x89\x8B\xE9\xA6\x96",
        "\xE4\xB8\x8A\xE5\x8D\x8A\xE8\xBA\xAB"
        "2"),
    { 0 }
};

static const Row makehuman[] = { { "root", NULL, "hips", "hips" },
                                 { "spine05", "root", "spine", "spine" },
                                 { "spine04", "spine05", "spine~chest~0.5", "-" },
                                 { "spine03", "spine04", "chest", "chest" },
                                 { "spine02", "spine03", "chest~upperChest~0.5", "-" },
                                 { "spine01", "spine02", "upperChest", "upperChest" },
                                 { "neck01", "spine01", "neck", "neck" },
                                 { "neck02", "neck01", "neck~head~0.3", "-" },
                                 { "neck03", "neck02", "neck~head~0.6", "-" },
                                 { "head", "neck03", "head", "head" },
                                 { "pelvis.{}", "root", "hips~*UpperLeg~0.2", "-" },
                                 { "upperleg01.{}", "pelvis.{}", "*UpperLeg", "*UpperLeg" },
                                 { "upperleg02.{}", "upperleg01.{}", "*UpperLeg~*LowerLeg~0.2", "-" },
                                 { "lowerleg01.{}", "upperleg02.{}", "*LowerLeg", "*LowerLeg" },
                                 { "lowerleg02.{}", "lowerleg01.{}", "*LowerLeg~*Foot~0.5", "-" },
                                 { "foot.{}", "lowerleg02.{}", "*Foot", "*Foot" },
                                 { "toe1-1.{}", "foot.{}", "*Toes", "*Toes" },
                                 { "toe1-2.{}", "toe1-1.{}", "*Foot~*Toes~1.2", "-" },
                                 { "clavicle.{}", "spine01", "*Shoulder", "*Shoulder" },
                                 { "shoulder01.{}", "clavicle.{}", "*Shoulder~*UpperArm~0.5", "-" },
                                 { "upperarm01.{}", "shoulder01.{}", "*UpperArm", "*UpperArm" },
                                 { "upperarm02.{}", "upperarm01.{}", "*UpperArm~*LowerArm~0.3", "-" },
                                 { "lowerarm01.{}", "upperarm02.{}", "*LowerArm", "*LowerArm" },
                                 { "lowerarm02.{}", "lowerarm01.{}", "*LowerArm~*Hand~0.5", "-" },
                                 { "wrist.{}", "lowerarm02.{}", "*Hand", "*Hand" },
                                 { "metacarpal1.{}", "wrist.{}", "*Hand~*IndexProximal~0.2", "-" },
                                 { "metacarpal2.{}", "wrist.{}", "*Hand~*MiddleProximal~0.2", "-" },
                                 { "metacarpal3.{}", "wrist.{}", "*Hand~*RingProximal~0.2", "-" },
                                 { "metacarpal4.{}", "wrist.{}", "*Hand~*LittleProximal~0.2", "-" },
                                 THUMB("finger1-1.{}", "finger1-2.{}", "finger1-3.{}", "wrist.{}"),
                                 FINGER("finger2-1.{}", "finger2-2.{}", "finger2-3.{}", "metacarpal1.{}", "Index"),
                                 FINGER("finger3-1.{}", "finger3-2.{}", "finger3-3.{}", "metacarpal2.{}", "Middle"),
                                 FINGER("finger4-1.{}", "finger4-2.{}", "finger4-3.{}", "metacarpal3.{}", "Ring"),
                                 FINGER("finger5-1.{}", "finger5-2.{}", "finger5-3.{}", "metacarpal4.{}", "Little"),
                                 { 0 } };

// SmartBody's later characters: legs under a pelvis that is where the root is, and fingers with their tips.
static const Row ict[] = { { "JtRoot", NULL, "hips", "hips" },
                           { "JtPelvis", "JtRoot", "hips", "-" },
                           LEG("JtHip{}", "JtKnee{}", "JtAnkle{}", "JtBall{}", "JtPelvis"),
                           { "JtToe{}", "JtBall{}", "*Foot~*Toes~1.4", "-" },
                           { "JtSpineA", "JtRoot", "spine", "spine" },
                           { "JtSpineB", "JtSpineA", "chest", "chest" },
                           { "JtSpineC", "JtSpineB", "upperChest", "upperChest" },
                           { "JtNeckA", "JtSpineC", "neck", "neck" },
                           { "JtNeckB", "JtNeckA", "neck~head~0.5", "-" },
                           { "JtSkullA", "JtNeckB", "head", "head" },
                           ARM("JtClavicle{}", "JtShoulder{}", "JtElbow{}", "JtWrist{}", "JtSpineC"),
                           { "JtUpperArmTwistA{}", "JtShoulder{}", "*UpperArm~*LowerArm~0.4", "-" },
                           { "JtForearmTwistA{}", "JtElbow{}", "*LowerArm~*Hand~0.4", "-" },
                           THUMB("JtThumbA{}", "JtThumbB{}", "JtThumbC{}", "JtWrist{}"),
                           FINGER("JtIndexA{}", "JtIndexB{}", "JtIndexC{}", "JtWrist{}", "Index"),
                           { "JtIndexD{}", "JtIndexC{}", "*IndexIntermediate~*IndexDistal~2", "-" },
                           FINGER("JtMiddleA{}", "JtMiddleB{}", "JtMiddleC{}", "JtWrist{}", "Middle"),
                           { "JtMiddleD{}", "JtMiddleC{}", "*MiddleIntermediate~*MiddleDistal~2", "-" },
                           FINGER("JtRingA{}", "JtRingB{}", "JtRingC{}", "JtWrist{}", "Ring"),
                           FINGER("JtLittleA{}", "JtLittleB{}", "JtLittleC{}", "JtWrist{}", "Little"),
                           { 0 } };

// Rigify's own bones, as MakeHuman's plug-in places them: thumbs leave the palm, and the face is where the head is.
static const Row metarig[] = { SPINE("spine", "spine.001", "spine.002", "spine.003", "spine.004", "spine.006"),
                               { "face", "spine.006", "head", "-" },
                               { "forehead.{}", "face", "head~*Eye~0.9", "-" },
                               { "chin", "face", "head~neck~0.2", "-" },
                               LEG("thigh.{}", "shin.{}", "foot.{}", "toe.{}", "spine"),
                               ARM("shoulder.{}", "upper_arm.{}", "forearm.{}", "hand.{}", "spine.003"),
                               { "palm.01.{}", "hand.{}", "*Hand~*IndexProximal~0.2", "-" },
                               { "palm.02.{}", "hand.{}", "*Hand~*MiddleProximal~0.2", "-" },
                               { "palm.03.{}", "hand.{}", "*Hand~*RingProximal~0.2", "-" },
                               { "palm.04.{}", "hand.{}", "*Hand~*LittleProximal~0.2", "-" },
                               THUMB("thumb.01.{}", "thumb.02.{}", "thumb.03.{}", "palm.01.{}"),
                               FINGER("f_index.01.{}", "f_index.02.{}", "f_index.03.{}", "palm.01.{}", "Index"),
                               FINGER("f_middle.01.{}", "f_middle.02.{}", "f_middle.03.{}", "palm.02.{}", "Middle"),
                               FINGER("f_ring.01.{}", "f_ring.02.{}", "f_ring.03.{}", "palm.03.{}", "Ring"),
                               FINGER("f_pinky.01.{}", "f_pinky.02.{}", "f_pinky.03.{}", "palm.04.{}", "Little"),
                               { 0 } };

static const Family families[] = {
    { "Mixamo", { "Left", "Right" }, mixamo },
    { "Unreal", { "l", "r" }, unreal },
    { "Rigify", { "L", "R" }, rigify },
    { "Daz", { "l", "r" }, daz },
    { "CMU", { "l", "r" }, cmu },
    { "SMPL", { "L", "R" }, smpl },
    { "Biped", { "L", "R" }, biped },
    { "SmartBody", { "l", "r" }, smartbody },
    { "VRM", { "L", "R" }, vrm },
    { "MakeHuman", { "L", "R" }, makehuman },
    { "ICT", { "Lf", "Rt" }, ict },
    { "Rigify metarig", { "L", "R" }, metarig },
    { "MMD", { "\xE5\xB7\xA6", "\xE5\x8F\xB3" }, miku },
};

enum {
    FAMILY_COUNT = sizeof families / sizeof families[0],
    MOST_JOINTS = 160
};

// How a skeleton is made.
typedef struct Making {
    bool names;  // else bone_0, bone_1...
    bool a_pose; // arms 45 degrees down
    bool z_up;
    bool turned;  // faces away from +z
    float scale;  // units a metre
    bool prop;    // one in the right hand
    bool no_toes; // nothing that tells forward
} Making;

typedef struct Made {
    GtScene* scene;
    GtHumanoidMap truth;
} Made;

// `{}` to the side, `*` to "left" or "right".
static void fill_in(const char* pattern, const char* side, const char* word, char* out, size_t size)
{
    size_t used = 0;
    for (const char* c = pattern; *c && used + 16 < size; ++c) {
        const char* text = *c == '*' ? word : c[0] == '{' && c[1] == '}' ? side : NULL;
        if (text) {
            used += (size_t)snprintf(out + used, size - used, "%s", text);
            c += *c == '{';
        } else {
            out[used++] = *c;
        }
    }
    out[used] = 0;
}

static GtVec3 place_of(const GtiSkeleton* person, const char* where, const Making* making)
{
    char first[64] = "";
    char second[64] = "";
    float part = 0.0f;
    int32_t a, b;
    if (sscanf(where, "%63[^~]~%63[^~]~%f", first, second, &part) < 3) {
        part = 0.0f;
        strcpy(second, first);
    }
    a = gt_humanoid_find(first);
    b = gt_humanoid_find(second);
    assert_true(a != GT_NONE && b != GT_NONE);
    GtVec3 p = gt_vec3_lerp(person->joints[a], person->joints[b], part);
    bool is_left = p.x > 0.0f;
    GtVec3 shoulder = person->joints[is_left ? GT_HUMANOID_LEFT_UPPER_ARM : GT_HUMANOID_RIGHT_UPPER_ARM];
    if (making->a_pose && fabsf(p.x) > fabsf(shoulder.x) + 1e-4f && p.y > 1.0f) {
        GtQuat turn = gt_quat_from_axis_angle(gt_vec3(0.0f, 0.0f, 1.0f), is_left ? -0.8f : 0.8f);
        p = gt_vec3_add(shoulder, gt_quat_rotate(turn, gt_vec3_sub(p, shoulder)));
    }
    if (making->turned) {
        p = gt_vec3(-p.x, p.y, -p.z);
    }
    if (making->z_up) {
        p = gt_vec3(p.x, -p.z, p.y);
    }
    return gt_vec3_scale(p, making->scale);
}

static void add_joint(Made* made, GtVec3* positions, const char* name, const char* shown, const char* parent, GtVec3 at,
                      char (*names)[64])
{
    GtError error = { 0 };
    GtNode node = gt_default_node();
    int32_t index = 0;
    for (int32_t i = 0; parent && i < made->scene->node_count; ++i) {
        node.parent = !strcmp(names[i], parent) ? i : node.parent;
    }
    assert_true(!parent || node.parent != GT_NONE);
    node.name = gt_scene_push_text(made->scene, shown, strlen(shown));
    node.local.translation = node.parent == GT_NONE ? at : gt_vec3_sub(at, positions[node.parent]);
    GT_EXPECT_OK(gt_scene_add_node(made->scene, &node, &index, &error));
    assert_true(index < MOST_JOINTS);
    positions[index] = at;
    snprintf(names[index], sizeof names[index], "%s", name);
}

static Made make_skeleton(const GtContext* context, const Family* family, const Making* making)
{
    static char names[MOST_JOINTS][64];
    static GtVec3 positions[MOST_JOINTS];
    GtError error = { 0 };
    Made made = { .truth = gt_humanoid_map_empty() };
    GtiSkeleton person;
    GtPersonDef def = gt_default_person_def();
    gti_person_skeleton(&def, &person);
    GT_EXPECT_OK(gt_scene_create(context, &made.scene, &error));
    for (const Row* row = family->rows; row->name; ++row) {
        bool has_side = strstr(row->name, "{}") != NULL;
        for (int s = 0; s < (has_side ? 2 : 1); ++s) {
            char name[64], parent[64], where[128], what[64], shown[64];
            const char* word = s == 0 ? "left" : "right";
            fill_in(row->name, family->sides[s], word, name, sizeof name);
            fill_in(row->parent ? row->parent : "", family->sides[s], word, parent, sizeof parent);
            fill_in(row->where, family->sides[s], word, where, sizeof where);
            fill_in(row->what, family->sides[s], word, what, sizeof what);
            if (making->no_toes && strstr(what, "Toes")) {
                continue;
            }
            snprintf(shown, sizeof shown, "bone_%d", (int)made.scene->node_count);
            int32_t index = made.scene->node_count;
            add_joint(&made, positions, name, making->names ? name : shown, row->parent ? parent : NULL,
                      place_of(&person, where, making), names);
            int32_t joint = gt_humanoid_find(what);
            if (joint != GT_NONE) {
                made.truth.nodes[joint] = index;
            }
        }
    }
    if (making->prop) {
        int32_t hand = made.truth.nodes[GT_HUMANOID_RIGHT_HAND];
        GtVec3 at = gt_vec3_add(positions[hand], gt_vec3_scale(gt_vec3(-0.05f, -0.05f, 0.02f), making->scale));
        add_joint(&made, positions, "prop", making->names ? "Prop_R" : "bone_x", names[hand], at, names);
    }
    GtStage stage = { .nodes = gt_scene_push(made.scene, 1, sizeof(int32_t)), .node_count = 1 };
    GT_EXPECT_OK(gt_scene_add_stage(made.scene, &stage, &made.scene->default_stage, &error));
    return made;
}

typedef struct Score {
    int required, required_right;
    int body, body_right;
    int fingers, fingers_right;
    int sure, sure_right; // found with a confidence of 0.9 or more
    int found, found_right;
    double promised; // sum of confidences
} Score;

static void compare(const Made* made, const GtMapReport* report, const char* what, Score* score)
{
    for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        int32_t truth = made->truth.nodes[j];
        int32_t found = report->joints[j].node;
        bool right = truth == found;
        bool is_finger = j >= GT_HUMANOID_LEFT_THUMB_METACARPAL;
        if (truth != GT_NONE && gt_humanoid_required((GtHumanoidJoint)j)) {
            ++score->required;
            score->required_right += right;
        } else if (truth != GT_NONE && !is_finger) {
            ++score->body;
            score->body_right += right;
        } else if (truth != GT_NONE) {
            ++score->fingers;
            score->fingers_right += right;
        }
        if (found != GT_NONE) {
            ++score->found;
            score->found_right += right;
            score->promised += (double)report->joints[j].confidence;
            score->sure += report->joints[j].confidence >= 0.9f;
            score->sure_right += right && report->joints[j].confidence >= 0.9f;
        }
        if (!right && truth != GT_NONE) {
            print_message("%s: %s is %s, not %s\n", what, gt_humanoid_name((GtHumanoidJoint)j),
                          made->scene->nodes[truth].name,
                          found == GT_NONE ? "missing" : made->scene->nodes[found].name);
        }
    }
}

static void check(const GtContext* context, const Family* family, const Making* making, Score* score)
{
    char what[96];
    GtError error = { 0 };
    GtMapDef def = gt_default_map_def();
    GtHumanoidMap map;
    static GtMapReport report;
    snprintf(what, sizeof what, "%s%s%s%s%s%s x%g", family->name, making->names ? "" : " bone_N",
             making->a_pose ? " A" : " T", making->z_up ? " z-up" : "", making->turned ? " turned" : "",
             making->prop ? " prop" : "", (double)making->scale);
    Made made = make_skeleton(context, family, making);
    GT_EXPECT_OK(gt_scene_validate(context, made.scene, &error));
    GT_EXPECT_OK(gt_map_humanoid(context, made.scene, &def, &map, &report, &error));
    if (report.verdict != GT_MAP_HUMANOID) {
        print_message("%s: %s\n", what, report.summary);
    }
    assert_int_equal(report.verdict, GT_MAP_HUMANOID);
    assert_int_equal(report.rest_pose, making->a_pose ? GT_REST_A : GT_REST_T);
    GT_EXPECT_NEAR(report.height_m / making->scale, 1.75, 0.12);
    compare(&made, &report, what, score);
    gt_scene_destroy(made.scene);
}

static void every_convention(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    Score score = { 0 };
    static const float scales[] = { 1.0f, 100.0f, 39.37f };
    for (int f = 0; f < FAMILY_COUNT; ++f) {
        for (int k = 0; k < 32; ++k) {
            Making making = { .names = k & 1,
                              .a_pose = k & 2,
                              .z_up = k & 4,
                              .turned = k & 8,
                              .prop = k & 16,
                              .scale = scales[(f + k) % 3] };
            check(&context, &families[f], &making, &score);
        }
    }
    print_message("required %d of %d, other body joints %d of %d, fingers %d of %d\n", score.required_right,
                  score.required, score.body_right, score.body, score.fingers_right, score.fingers);
    print_message("found %d, right %d, promised %.0f; of %d surer than 0.9, %d right\n", score.found, score.found_right,
                  score.promised, score.sure, score.sure_right);
    assert_int_equal(score.required_right, score.required);
    assert_true(score.body_right >= 0.98 * score.body);
    assert_true(score.fingers_right >= 0.95 * score.fingers);
    assert_true(score.sure_right >= 0.99 * score.sure); // what is sure is right,
    GT_EXPECT_NEAR(score.promised / score.found, (double)score.found_right / score.found, 0.08); // as often as promised
}

// Without names and toes nothing tells left from right; with either, something does.
static void sides_need_a_reason(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtMapDef def = gt_default_map_def();
    GtHumanoidMap map;
    static GtMapReport report;
    Making making = { .no_toes = true, .scale = 1.0f };
    Made made = make_skeleton(&context, &families[5], &making);
    GT_EXPECT_OK(gt_map_humanoid(&context, made.scene, &def, &map, &report, &error));
    assert_int_equal(report.verdict, GT_MAP_AMBIGUOUS);
    assert_true(report.confidence < 0.6f);
    gt_scene_destroy(made.scene);
    making.names = true;
    made = make_skeleton(&context, &families[5], &making);
    GT_EXPECT_OK(gt_map_humanoid(&context, made.scene, &def, &map, &report, &error));
    assert_int_equal(report.verdict, GT_MAP_HUMANOID);
    assert_int_equal(map.nodes[GT_HUMANOID_LEFT_HAND], made.truth.nodes[GT_HUMANOID_LEFT_HAND]);
    gt_scene_destroy(made.scene);
}

// What a user knows stays, decides the sides, and the rest is found around it.
static void known_joints_stay(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtMapDef def = gt_default_map_def();
    GtHumanoidMap map;
    GtHumanoidMap known = gt_humanoid_map_empty();
    static GtMapReport report;
    Making making = { .no_toes = true, .turned = true, .scale = 1.0f };
    Made made = make_skeleton(&context, &families[5], &making);
    known.nodes[GT_HUMANOID_LEFT_LOWER_ARM] = made.truth.nodes[GT_HUMANOID_LEFT_LOWER_ARM];
    known.nodes[GT_HUMANOID_RIGHT_LOWER_LEG] = made.truth.nodes[GT_HUMANOID_RIGHT_LOWER_LEG];
    def.known = &known;
    GT_EXPECT_OK(gt_map_humanoid(&context, made.scene, &def, &map, &report, &error));
    assert_int_equal(report.verdict, GT_MAP_HUMANOID);
    for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        if (gt_humanoid_required((GtHumanoidJoint)j)) {
            assert_int_equal(map.nodes[j], made.truth.nodes[j]);
        }
    }
    known.nodes[GT_HUMANOID_HEAD] = made.scene->node_count;
    assert_int_equal(gt_map_humanoid(&context, made.scene, &def, &map, &report, &error), GT_ERROR_BAD_VALUE);
    known.nodes[GT_HUMANOID_HEAD] = known.nodes[GT_HUMANOID_LEFT_LOWER_ARM];
    assert_int_equal(gt_map_humanoid(&context, made.scene, &def, &map, &report, &error), GT_ERROR_BAD_VALUE);
    gt_scene_destroy(made.scene);
}

static void strangers_are_no_humanoids(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtMapDef def = gt_default_map_def();
    GtHumanoidMap map;
    static GtMapReport report;
    static const Row fox[] = { { "hips", NULL, "hips", "-" },
                               { "{}a", "hips", "*UpperLeg", "-" },
                               { "{}b", "{}a", "*LowerLeg", "-" },
                               { "{}c", "{}b", "*Foot", "-" },
                               { 0 } };
    const Family half = { "half", { "L", "R" }, fox };
    Making making = { .names = true, .scale = 1.0f };
    Made made = make_skeleton(&context, &half, &making);
    GT_EXPECT_OK(gt_map_humanoid(&context, made.scene, &def, &map, &report, &error));
    assert_int_equal(report.verdict, GT_MAP_NOT_HUMANOID);
    assert_int_equal(map.nodes[GT_HUMANOID_HIPS], GT_NONE);
    assert_true(strlen(report.summary) > 10);
    gt_scene_destroy(made.scene);
    GT_EXPECT_OK(gt_scene_create(&context, &made.scene, &error));
    GT_EXPECT_OK(gt_map_humanoid(&context, made.scene, &def, &map, &report, &error));
    assert_int_equal(report.verdict, GT_MAP_NOT_HUMANOID);
    gt_scene_destroy(made.scene);
}

static void maps_come_back_from_files(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtHumanoidMap back;
    Making making = { .names = true, .scale = 1.0f };
    Made made = make_skeleton(&context, &families[0], &making);
    char path[] = "/tmp/gertie-map-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    GT_EXPECT_OK(gt_map_save(&context, made.scene, &made.truth, NULL, NULL, path, &error));
    GT_EXPECT_OK(gt_map_load(&context, made.scene, path, &back, NULL, &error));
    assert_memory_equal(&back, &made.truth, sizeof back);
    static const char* const bad[][2] = {
        { "", "line 1" },
        { "[]", "must be a map: an object with joints" },
        { "{}", "lacks \"joints\", an object of joints by their VRM 1.0 names" },
        { "{\"gertie_map\": 2, \"joints\": {}}", "gertie_map: must be 1" },
        { "{\"gertie_deform\": 1}", "this is a file of kind \"deform\"; one of kind \"map\" is expected" },
        { "{\"joints\": {\"hip\": \"x\"}}", "joints.hip: has no meaning here; did you mean 'hips'?" },
        { "{\"joints\": {\"hips\": \"mixamorig1:Hipz\"}}", "did you mean 'mixamorig1:Hips'" },
        { "{\"joints\": {\"hips\": {\"node\": 4000}}}", "is no node of the scene" },
        { "{\"joints\": {\"hips\": 7}}",
          "joints.hips: must be the name of a node, or null where the skeleton has no such "
          "joint, or an object with joint or node" },
        { "{\"joints\": {\"hips\": {\"why\": \"\"}}}", "joints.hips: must be an object with joint, or one with node" },
        { "{\"joints\": {\"hips\": {\"node\": 0.5}}}", "joints.hips.node: must be the number of a node" },
        { "{\"joints\": {\"hips\": {\"node\": 1, \"rotation_deg\": [1, 2]}}}",
          "joints.hips.rotation_deg: must be three numbers of degrees, axis times angle, and has 2 items" },
        { "{\"joints\": {\"hips\": {\"node\": 1, \"rotation_deg\": [1, 2, 361]}}}",
          "joints.hips.rotation_deg[2]: must be at most 360" },
        { "{\"joints\": {\"hips\": {\"node\": 1}, \"spine\": {\"node\": 1}}}", "hips is the same joint already" },
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        FILE* out = fopen(path, "w");
        assert_non_null(out);
        fputs(bad[i][0], out);
        fclose(out);
        assert_true(gt_map_load(&context, made.scene, path, &back, NULL, &error) != GT_OK);
        char text[sizeof error];
        gt_error_format(&error, text, sizeof text);
        if (!strstr(text, bad[i][1])) {
            fail_msg("'%s' lacks '%s'", text, bad[i][1]);
        }
    }
    remove(path);
    gt_scene_destroy(made.scene);
}

// A skin is bound in the space of its mesh, which may have other units and axes than the scene. A tip that no vertex
// follows is not in the skin, and goes with the joint that it is the tip of. At rest this person sits and leans
// forward, so that the bind pose tells.
static void tips_go_with_what_is_bound(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtMapDef def = gt_default_map_def();
    GtHumanoidMap map;
    static GtMapReport report;
    Making making = { .names = true, .scale = 1.0f };
    Made made = make_skeleton(&context, &families[0], &making);
    GtScene* scene = made.scene;
    int32_t joints[MOST_JOINTS];
    float inverse_bind[MOST_JOINTS][16] = { 0 };
    GtVec3 at[MOST_JOINTS];
    int32_t count = scene->node_count;
    for (int32_t i = 0; i < count; ++i) { // z is up in the mesh, and 1 m is 0.01 units
        int32_t parent = scene->nodes[i].parent;
        GtVec3 offset = scene->nodes[i].local.translation;
        at[i] = parent == GT_NONE ? offset : gt_vec3_add(at[parent], offset);
        joints[i] = i;
        float columns[16] = { 100, 0, 0, 0, 0, 100, 0, 0, 0, 0, 100, 0, -at[i].x, at[i].z, -at[i].y, 1 };
        memcpy(inverse_bind[i], columns, sizeof columns);
    }
    int32_t head = made.truth.nodes[GT_HUMANOID_HEAD];
    make_node(scene, "mixamorig1:HeadTop_End", head, gt_vec3(0.0f, 0.2f, 0.0f));
    link_children(scene);
    make_skin(scene, joints, count,
              make_data(scene, GT_USE_DATA, GT_ELEMENT_MAT4, GT_COMPONENT_FLOAT, inverse_bind, count));
    static const GtHumanoidJoint bent[] = { GT_HUMANOID_SPINE, GT_HUMANOID_LEFT_UPPER_LEG,
                                            GT_HUMANOID_RIGHT_UPPER_LEG };
    for (int i = 0; i < 3; ++i) {
        scene->nodes[made.truth.nodes[bent[i]]].local.rotation =
            gt_quat_from_axis_angle(gt_vec3(1.0f, 0.0f, 0.0f), i == 0 ? 0.3f : -1.9f);
    }
    GT_EXPECT_OK(gt_scene_validate(&context, scene, &error));
    GT_EXPECT_OK(gt_map_humanoid(&context, scene, &def, &map, &report, &error));
    assert_int_equal(report.verdict, GT_MAP_HUMANOID);
    assert_int_equal(map.nodes[GT_HUMANOID_NECK], made.truth.nodes[GT_HUMANOID_NECK]);
    assert_int_equal(map.nodes[GT_HUMANOID_HEAD], head);
    gt_scene_destroy(scene);
}

// Writers of BVH put an end site without length below every leaf, which makes no joint of a tip.
static void end_sites_change_no_map(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtMapDef def = gt_default_map_def();
    static GtMapReport report;
    GtHumanoidMap maps[2];
    for (int with = 0; with < 2; ++with) {
        Making making = { .names = true, .scale = 1.0f };
        Made made = make_skeleton(&context, &families[0], &making);
        GtBvhJoint end_site = { .end_site = true };
        for (int32_t j = GT_HUMANOID_LEFT_THUMB_METACARPAL; j < GT_HUMANOID_JOINT_COUNT; ++j) {
            if (strstr(gt_humanoid_name((GtHumanoidJoint)j), "Distal")) {
                GtNode* tip = &made.scene->nodes[made.truth.nodes[j]];
                char name[64];
                snprintf(name, sizeof name, "%s_end", made.scene->nodes[tip->parent].name);
                tip->name = gt_scene_push_text(made.scene, name, strlen(name));
                if (with) {
                    int32_t site = make_node(made.scene, NULL, made.truth.nodes[j], gt_vec3(0.0f, 0.0f, 0.0f));
                    made.scene->nodes[site].bvh = &end_site;
                }
            }
        }
        link_children(made.scene);
        GT_EXPECT_OK(gt_map_humanoid(&context, made.scene, &def, &maps[with], &report, &error));
        assert_int_equal(report.verdict, GT_MAP_HUMANOID);
        assert_int_equal(maps[with].nodes[GT_HUMANOID_LEFT_INDEX_DISTAL], GT_NONE);
        gt_scene_destroy(made.scene);
    }
    assert_memory_equal(&maps[0], &maps[1], sizeof maps[0]);
}

static void memory_runs_out(void** state)
{
    (void)state;
    GtError error = { 0 };
    GtContext context = gt_default_context();
    GtMapDef def = gt_default_map_def();
    GtHumanoidMap map;
    Making making = { .names = true, .scale = 1.0f };
    Made made = make_skeleton(&context, &families[1], &making);
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    for (int limit = 0; result == GT_ERROR_OUT_OF_MEMORY && limit < 10000; ++limit) {
        TestAllocator allocator = { .remaining = limit };
        context.allocator = test_allocator(&allocator);
        result = gt_map_humanoid(&context, made.scene, &def, &map, NULL, &error);
        assert_int_equal(allocator.alive, 0);
    }
    assert_int_equal(result, GT_OK);
    gt_scene_destroy(made.scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_convention),          cmocka_unit_test(sides_need_a_reason),
        cmocka_unit_test(known_joints_stay),         cmocka_unit_test(strangers_are_no_humanoids),
        cmocka_unit_test(maps_come_back_from_files), cmocka_unit_test(tips_go_with_what_is_bound),
        cmocka_unit_test(end_sites_change_no_map),   cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
