// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The verbs, one file each.

#ifndef GERTIE_CLI_VERBS_H
#define GERTIE_CLI_VERBS_H

#include "option.h"

extern const Verb verb_animate;
extern const Verb verb_clip;
extern const Verb verb_contacts;
extern const Verb verb_convert;
extern const Verb verb_deform;
extern const Verb verb_help;
extern const Verb verb_info;
extern const Verb verb_map;
extern const Verb verb_measure;
extern const Verb verb_pack;
extern const Verb verb_plot;
extern const Verb verb_render;
extern const Verb verb_retarget;
extern const Verb verb_rig;
extern const Verb verb_sample;
extern const Verb verb_version;

#endif
