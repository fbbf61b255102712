// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What an .skm file says about its times and about itself, as JSON under BML's names:
//   {"syncs":{"ready":0.3,"strokeStart":0.5,"stroke":0.6,"strokeEnd":0.8,"relax":1.2},"tags":{"key":"value"}}

#ifndef GERTIE_IO_SMARTBODY_TAGS_H
#define GERTIE_IO_SMARTBODY_TAGS_H

#include "io/smartbody/motion.h"

enum {
    GTI_SKM_SYNC_COUNT = 5
};

typedef struct GtiSkmTag {
    GtiWord key;
    GtiWord value;
} GtiSkmTag;

// Start with all zero but the arena of `keys`.
typedef struct GtiSkmTags {
    double syncs_s[GTI_SKM_SYNC_COUNT];
    bool has_sync[GTI_SKM_SYNC_COUNT];
    GtiIntern keys; // number of a key is the number of its tag
    GtiSkmTag* tags;
    int32_t tag_count;
    int32_t tag_capacity;
} GtiSkmTags;

// Read what follows the first word of an entry: "ready time: 0.3", "readyTime: 0.3" or "key: value".
GtResult gti_skm_read_tag(GtiSkmMotion* motion, GtiSkmTags* tags, GtiWord key);

// Write the JSON into the motion's extras.
GtResult gti_skm_write_tags(GtiSkmMotion* motion, const GtiSkmTags* tags);

#endif
