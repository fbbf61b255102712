// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Keys set by hand over what `animate` made of a motion.

#ifndef GERTIE_CLI_KEYING_H
#define GERTIE_CLI_KEYING_H

#include "session.h"

#include "gertie/animate.h"
#include "gertie/hand_keys.h"

#define OPTION_KEYS                                                                                                    \
    {                                                                                                                  \
        .name = "keys", .kind = OPTION_FILE, .value = "FILE",                                                          \
        .help = "turns of joints or markers, keyed by hand, that are added to the motion", .endings = "json"           \
    }
#define OPTION_WITH                                                                                                    \
    {                                                                                                                  \
        .name = "with", .kind = OPTION_FILE, .value = "MOTION",                                                        \
        .help = "a second motion, its first clip, that the blend of --keys fades in and out"                           \
    }

typedef struct KeyingOptions {
    const OptionValue* keys;
    const OptionValue* with;
    const OptionValue* units; // of motions
    const OptionValue* up;
} KeyingOptions;

// False where one option is given without the other that it needs, which has been said.
bool keying_check(Session* session, const KeyingOptions* options);

// Read the keys, if there are any, and put them into the last clip of *animated.
// def:  how that clip was made, and the second is
// keys: receives the keys, or NULL; free with gt_hand_keys_destroy()
bool keying_apply(Session* session, const KeyingOptions* options, const GtAnimateDef* def, GtScene** animated,
                  GtHandKeys** keys);

// Whether a marker is turned.
bool keying_turns_markers(const GtHandKeys* keys);

#endif
