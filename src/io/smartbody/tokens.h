// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Tokens of SmartBody's texts, in which lines have no meaning: words, braces, and strings in quotes. A '#' begins a
// comment anywhere.

#ifndef GERTIE_IO_SMARTBODY_TOKENS_H
#define GERTIE_IO_SMARTBODY_TOKENS_H

#include "io/text/words.h"

// The next token; false, with an empty one, at the end of the text. A string is without its quotes, and ends at the
// latest with its line.
bool gti_sk_next(GtiWords* words, GtiWord* out);

// The next token, which stays the next one.
GtiWord gti_sk_peek(const GtiWords* words);

// What a channel moves.
typedef enum GtiSkChannelType {
    GTI_SK_X_POSITION,
    GTI_SK_Y_POSITION,
    GTI_SK_Z_POSITION,
    GTI_SK_QUAT,               // a rotation vector of three numbers, in radians
    GTI_SK_ANGLE,              // XRot, YRot, ZRot or Twist: one number
    GTI_SK_SWING,              // two numbers
    GTI_SK_CHANNEL_TYPE_COUNT, // no type of channel
} GtiSkChannelType;

GtiSkChannelType gti_sk_channel_type(GtiWord word);

// Numbers of a channel in a frame.
int32_t gti_sk_channel_width(GtiSkChannelType type);

#endif
