// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "text.h"

#include <string.h>

enum {
    LINE_COLUMNS = 79
};

const char* text_part(GtText* whole, const GtText* part)
{
    whole->failed |= part->failed;
    return part->failed || !part->bytes ? "" : part->bytes;
}

const char* plural(int32_t count)
{
    return count == 1 ? "" : "s";
}

void text_add_spaces(GtText* text, int count)
{
    if (count > 0) {
        gt_text_addf(text, "%*s", count, "");
    }
}

void text_add_wrapped(GtText* text, const char* prose, int column, int indent)
{
    bool line_is_empty = true;
    while (*prose) {
        size_t gap = strspn(prose, " ");
        if (prose[gap] == '\n') {
            gt_text_adds(text, "\n");
            prose += gap + 1;
            line_is_empty = true;
            if (*prose && *prose != '\n') {
                text_add_spaces(text, indent);
            }
            column = indent;
            continue;
        }
        size_t length = strcspn(prose + gap, " \n");
        if (!line_is_empty && column + 1 + (int)length > LINE_COLUMNS) {
            gt_text_adds(text, "\n");
            text_add_spaces(text, indent);
            column = indent;
            line_is_empty = true;
        }
        if (!line_is_empty) {
            gt_text_adds(text, " ");
            ++column;
        }
        gt_text_add(text, prose + gap, length);
        column += (int)length;
        line_is_empty = false;
        prose += gap + length;
    }
}

int text_columns(const char* utf8)
{
    int columns = 0;
    for (; *utf8; ++utf8) {
        columns += ((unsigned char)*utf8 & 0xC0) != 0x80;
    }
    return columns;
}
