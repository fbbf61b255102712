// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Vertices that the runtime poses, as files.

#ifndef GERTIE_ANIMATE_EXPORT_H
#define GERTIE_ANIMATE_EXPORT_H

#include "gertie/export.h"

// The mesh at one moment, or frame by frame.
GtResult gti_export_mesh(const GtContext* context, const GtScene* scene, const GtExportDef* def, const char* path,
                         GtExportReport* report, GtError* error);
GtResult gti_export_frames(const GtContext* context, const GtScene* scene, const GtExportDef* def, const char* path,
                           GtExportReport* report, GtError* error);

#endif
