// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What `animate` and `retarget` share: how a motion is carried over, and what is said of it.

#ifndef GERTIE_CLI_TRANSFER_H
#define GERTIE_CLI_TRANSFER_H

#include "session.h"

#include "gertie/animate.h"

// Choices of --root, in the order of GtRootMotion.
extern const char* const root_names[];

// Values of the options that both verbs have.
typedef struct TransferOptions {
    const OptionValue* fps;
    const OptionValue* speed;
    const OptionValue* root;
    const OptionValue* mirror;
    const OptionValue* loop;
    const OptionValue* keep_tpose;
} TransferOptions;

// Put the options over the library's defaults.
GtRetargetDef transfer_def(const TransferOptions* options);

// Read a joint map where one was given: *out is `room`, or NULL where none was.
bool transfer_read_map(Session* session, const GtScene* scene, const OptionValue* path, GtHumanoidMap* room,
                       const GtHumanoidMap** out);

// The default speed, for help.
void transfer_speed_default(OptionValue* speed);

// Members of an open object.
void transfer_report(Json* json, const GtRetargetReport* did);

// "343 frames, 2.85 s, 23 joints matched, path scaled by 1.07".
void transfer_add_summary(Text* text, const GtRetargetReport* did);

#endif
