// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// SmartBody's skeletons (.sk) and motions (.skm). docs/formats/smartbody.md says how they are read.

#ifndef GERTIE_IO_SMARTBODY_SMARTBODY_H
#define GERTIE_IO_SMARTBODY_SMARTBODY_H

#include "io/format.h"

// Whether the bytes begin as a motion does: with its signature, after comments. A skeleton has no signature and is told
// by a "skeleton" that a "root" follows.
bool gti_sk_sniff(const uint8_t* bytes, size_t size);
bool gti_skm_sniff(const uint8_t* bytes, size_t size);

// A skeleton at rest.
GtResult gti_sk_read(const GtContext* context, GtiInput* input, const GtLoadDef* def, GtScene** out, GtError* error);

// A motion, on the skeleton that lies beside it.
GtResult gti_skm_read(const GtContext* context, GtiInput* input, const GtLoadDef* def, GtScene** out, GtError* error);

// As gti_skm_read(), on a skeleton that is given.
GtResult gti_skm_read_on(const GtContext* context, const GtiInput* skeleton, const GtiInput* motion,
                         const GtLoadDef* def, GtScene** out, GtError* error);

#endif
