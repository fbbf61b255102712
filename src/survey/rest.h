// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#ifndef GERTIE_SURVEY_REST_H
#define GERTIE_SURVEY_REST_H

#include "gertie/survey.h"

// Measure bounds and surface of the scene at rest.
GtResult gti_survey_rest(const GtContext* context, GtSurvey* survey, GtError* error);

#endif
