// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-runtime: crowds: the poses of thousands of characters in one call, on Gertie's threads or the host's own.
///
/// **Threads.** One thread at a time works with what a call changes; characters, clips and all else that is const may
/// be shared.

#ifndef GERTIE_CROWD_H
#define GERTIE_CROWD_H

#include "gertie/executor.h"
#include "gertie/instance.h"

GT_EXTERN_C_BEGIN

/// One character of a crowd at one moment. Plain data: members may share clips and characters, not instances.
typedef struct GtCrowdMember {
    GtInstance* instance;
    const GtClip* clip; ///< or NULL: the pose is taken as it is
    double time_s;
} GtCrowdMember;

/// Sample each member's clip into its instance and compute its matrices: gt_clip_sample() and gt_instance_update() for
/// all, a few members at a time on every thread of the executor. Never allocates, and every member comes out the same
/// however the work is cut.
/// @param members  [member_count] of different instances
GT_API void gt_crowd_update(const GtExecutor* executor, const GtCrowdMember* members, int32_t member_count);

GT_EXTERN_C_END

#endif
