// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What of a body besides feet and hands is on the ground.

#ifndef GERTIE_MOTION_CONTACT_SUPPORT_H
#define GERTIE_MOTION_CONTACT_SUPPORT_H

#include "motion/touch/touch.h"

// Find when parts of an actor are on the ground, and list it in the contacts, part by part.
GtResult gti_supports_find(const GtiTouchSource* source, GtContacts* out, GtError* error);

#endif
