// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Whether a JSON Schema keeps to what the library's validator understands.

#ifndef GERTIE_TESTS_SUPPORT_SCHEMA_RULES_H
#define GERTIE_TESTS_SUPPORT_SCHEMA_RULES_H

#include "data/json_schema.h"

// GT_ERROR_UNSUPPORTED where the schema, anywhere in it, has an unknown keyword or a reference that leads nowhere.
GtResult schema_rules_check(const GtiJson* schema, GtError* error);

#endif
