// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Meshes of KHR_draco_mesh_compression, decoded by libdraco.

#ifndef GERTIE_IMPORT_DRACO_DRACO_H
#define GERTIE_IMPORT_DRACO_DRACO_H

#include "io/imports.h"

GtiDecodeDraco gti_decode_draco;

#endif
