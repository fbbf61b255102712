// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The skeleton that lies beside a motion, where the two are files of their own.

#ifndef GERTIE_IO_BESIDE_H
#define GERTIE_IO_BESIDE_H

#include "io/format.h"

// The file with ending `extension` ("asf") that belongs to `path`, in the same folder or, where that has none, in
// "../skeletons" or the folder above; in this order: the one that
// `named` says (a file name, any folder before it is ignored; may be NULL), the one with the same stem, the one whose
// stem is the longest start of it before '_', '-' or '@' ("02.asf" for "02_01.amc"), or the only one. Endings and names
// in any case.
// @param path  of the motion, or NULL
// @param out   receives the path, in `arena`
GtResult gti_find_beside(GtArena* arena, const char* path, const char* named, const char* extension, const char** out,
                         GtError* error);

// Reads a motion on a skeleton.
typedef GtResult GtiReadOn(const GtContext* context, const GtiInput* skeleton, const GtiInput* motion,
                           const GtLoadDef* def, GtScene** out, GtError* error);

// Read a motion on the skeleton that gti_find_beside() finds for it.
GtResult gti_read_on_beside(const GtContext* context, const GtiInput* motion, const char* named, const char* extension,
                            GtiReadOn* read_on, const GtLoadDef* def, GtScene** out, GtError* error);

#endif
