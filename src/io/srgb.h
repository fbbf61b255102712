// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Colours of vertices: plain formats have them as pictures do, glTF in linear light.

#ifndef GERTIE_IO_SRGB_H
#define GERTIE_IO_SRGB_H

#include "gertie/api.h"

// sRGB to linear light, 0 to 65535: from 0 to 255, and from 0.0 to 1.0. NaN is 0.
uint16_t gti_linear16_from_srgb8(uint8_t value);
uint16_t gti_linear16_from_srgb(double value);

// Linear light, 0.0 to 1.0, to sRGB, 0 to 255: what came from there goes back to the same byte.
uint8_t gti_srgb8_from_linear(double value);

#endif
