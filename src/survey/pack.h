// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#ifndef GERTIE_SURVEY_PACK_H
#define GERTIE_SURVEY_PACK_H

#include "gertie/survey.h"

// Look into the pack that the scene was read from; nothing is done without one.
GtResult gti_survey_pack(const GtContext* context, GtSurvey* survey, GtError* error);

#endif
