// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Contact tracks being made.

#ifndef GERTIE_MOTION_CONTACT_CONTACT_H
#define GERTIE_MOTION_CONTACT_CONTACT_H

#include "motion/contact/footprint.h"

#include "gertie/contact.h"

// Find contacts in footprints of all frames, and again without the benefit of the doubt: there, what only goes on to
// stand does not, however fast the body is.
// @param sure  likewise; may be NULL
GtResult gti_footprints_stand(const GtContext* context, const GtContactsDef* def, const GtiFootprints* prints,
                              GtContacts** out, GtContacts** sure, GtError* error);

// As gt_contacts_find(), and without the benefit of the doubt.
GtResult gti_contacts_find(const GtContext* context, const GtFigure* figure, const GtContactsDef* def, GtContacts** out,
                           GtContacts** sure, GtError* error);

// What a frame says of a contact: it takes narrow limits to begin and wide ones to go on, so that marks which tremble
// do not break it up.
enum {
    GTI_CONTACT_NONE,
    GTI_CONTACT_GOES_ON,
    GTI_CONTACT_BEGINS
};

// Mark the frames of contacts: those in which one begins, and from there on both ways as far as it goes on.
// states: [count] of the above
void gti_contact_mark(const uint8_t* states, int32_t count, bool* out);

// A track without spans.
GtResult gti_contacts_make(const GtContext* context, GtContacts** out, GtError* error);

// Order spans by start, then part, and make one of those of a part that overlap.
void gti_contacts_sort(GtContacts* contacts);

// The bits of many frames. Warns where there are contacts, but none in all of them.
// @param times  [count] seconds, increasing
// @param bits   [count] receives contact bits
void gti_contacts_of_frames(const GtContext* context, const GtContacts* contacts, const float* times, int32_t count,
                            uint8_t* bits);

// How high above the floor what is under the feet is. In the air that is the lower of what they leave and what they
// come to. Returns whether it is other than 0 anywhere.
// @param levels  [GTI_SIDE_COUNT * count] receives heights, side by side
bool gti_contacts_levels(const GtContacts* contacts, const float* times, int32_t count, float* levels);

#endif
