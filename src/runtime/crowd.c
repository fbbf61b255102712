// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Members are independent: a piece of work is a few of them, enough to outweigh handing it out.

#include "gertie/crowd.h"

enum {
    GRAIN = 16 // members: about ten microseconds
};

static void update(void* data, int32_t first, int32_t end)
{
    const GtCrowdMember* members = data;
    for (int32_t i = first; i < end; ++i) {
        GtInstance* instance = members[i].instance;
        if (members[i].clip) {
            gt_clip_sample(members[i].clip, members[i].time_s, instance->pose, instance->weights);
        }
        gt_instance_update(instance);
    }
}

void gt_crowd_update(const GtExecutor* executor, const GtCrowdMember* members, int32_t member_count)
{
    gt_executor_run(executor, member_count, GRAIN, update, (void*)members);
}
