// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Names are folded (namespace off, lower case, letters and digits only) and compared by optimal string alignment: the
// edits that turn one into the other, a swap of neighbours counting as one. A name that holds the other counts as one
// edit away. Near is what a third of the letters or fewer separate.

#include "base/near.h"

#include "base/ascii.h"

#include <stdio.h>
#include <string.h>

enum {
    LONGEST = 48,      // of a folded name; the rest of a longer one does not count
    SHORTEST_PART = 3, // of a name that is looked for inside others
};

typedef struct Folded {
    char text[LONGEST + 1];
    int length;
} Folded;

static Folded fold(const char* name)
{
    const char* colon = strrchr(name, ':');
    Folded folded = { .length = 0 };
    for (const char* at = colon && colon[1] ? colon + 1 : name; *at && folded.length < LONGEST; ++at) {
        if (gti_is_letter(*at) || gti_is_digit(*at) || (unsigned char)*at >= 0x80) {
            folded.text[folded.length++] = gti_lower(*at);
        }
    }
    folded.text[folded.length] = 0;
    return folded;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int edit_distance(const Folded* a, const Folded* b)
{
    int rows[3][LONGEST + 1] = { { 0 } };
    for (int j = 0; j <= b->length; ++j) {
        rows[0][j] = j;
    }
    for (int i = 1; i <= a->length; ++i) {
        int* row = rows[i % 3];
        const int* above = rows[(i + 2) % 3];
        row[0] = i;
        for (int j = 1; j <= b->length; ++j) {
            int replaced = above[j - 1] + (a->text[i - 1] != b->text[j - 1]);
            row[j] = least(replaced, 1 + least(above[j], row[j - 1]));
            if (i > 1 && j > 1 && a->text[i - 1] == b->text[j - 2] && a->text[i - 2] == b->text[j - 1]) {
                row[j] = least(row[j], 1 + rows[(i + 1) % 3][j - 2]);
            }
        }
    }
    return rows[a->length % 3][b->length];
}

static int distance(const Folded* wanted, const Folded* name)
{
    bool has_part = (name->length >= SHORTEST_PART && strstr(wanted->text, name->text)) ||
                    (wanted->length >= SHORTEST_PART && strstr(name->text, wanted->text));
    int edits = edit_distance(wanted, name);
    return has_part ? least(edits, 1) : edits;
}

void gti_near_offer(GtiNear* near, const char* name)
{
    if (!name || !name[0]) {
        return;
    }
    Folded wanted = fold(near->wanted);
    Folded folded = fold(name);
    int edits = distance(&wanted, &folded);
    int farthest = wanted.length < 6 ? 1 : wanted.length / 3;
    if (edits > farthest) {
        return;
    }
    int place = near->count;
    for (int i = near->count; i-- > 0;) {
        if (strcmp(near->names[i], name) == 0) {
            return;
        }
        place = edits < near->distances[i] ? i : place;
    }
    if (place == GTI_NEAR_COUNT) {
        return;
    }
    near->count = least(near->count + 1, GTI_NEAR_COUNT);
    for (int i = near->count - 1; i > place; --i) {
        near->names[i] = near->names[i - 1];
        near->distances[i] = near->distances[i - 1];
    }
    near->names[place] = name;
    near->distances[place] = edits;
}

const char* gti_near_print(const GtiNear* near, char* out, size_t out_size)
{
    out[0] = 0;
    size_t used = 0;
    for (int i = 0; i < near->count && used < out_size; ++i) {
        const char* before = i == 0 ? "; did you mean " : i + 1 < near->count ? ", " : " or ";
        const char* after = i + 1 < near->count ? "" : "?";
        used += (size_t)snprintf(out + used, out_size - used, "%s'%.80s'%s", before, near->names[i], after);
    }
    return out;
}
