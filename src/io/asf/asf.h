// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Acclaim's skeletons (ASF) and motions (AMC), as in the CMU collection. docs/formats/asf.md says how they are read.

#ifndef GERTIE_IO_ASF_ASF_H
#define GERTIE_IO_ASF_ASF_H

#include "io/format.h"

// Whether the bytes begin as an ASF or an AMC does: with one of its keywords, after comments.
bool gti_asf_sniff(const uint8_t* bytes, size_t size);
bool gti_amc_sniff(const uint8_t* bytes, size_t size);

// A skeleton at rest.
GtResult gti_asf_read(const GtContext* context, GtiInput* input, const GtLoadDef* def, GtScene** out, GtError* error);

// A motion, on the skeleton that lies beside it.
GtResult gti_amc_read(const GtContext* context, GtiInput* input, const GtLoadDef* def, GtScene** out, GtError* error);

// As gti_amc_read(), on a skeleton that is given.
GtResult gti_amc_read_on(const GtContext* context, const GtiInput* skeleton, const GtiInput* motion,
                         const GtLoadDef* def, GtScene** out, GtError* error);

#endif
