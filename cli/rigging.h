// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What `rig` and `animate` share: a bare mesh becomes a character.

#ifndef GERTIE_CLI_RIGGING_H
#define GERTIE_CLI_RIGGING_H

#include "session.h"

#include "gertie/rig.h"

// Rig a scene and say how it went. `def` may be NULL.
bool rig_scene(Session* session, const char* file, const GtScene* scene, const GtRigDef* def, GtScene** out,
               GtRigReport* report);

// Report a bare mesh that was rigged on the way to something else.
void rig_report_bare(Session* session, const char* file, const GtRigReport* report);

// Say which hands have no fingers, and why.
void rig_say_hands(Session* session, const GtRigReport* report);

// Say how the body stands where that is not straight.
void rig_say_stand(Session* session, const GtRigReport* report);

// Members of the report.
void rig_report(GtJsonWriter* json, const GtRigReport* report);

#endif
