// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// footsteps CONTACTS.json
//
// When heels and balls of the feet stand, as a chart of text: of a file that `gertie contacts` wrote, or a person. One
// column is a twentieth of a second. Links libgertie.

#include <gertie/contact.h>

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: footsteps CONTACTS.json\n");
        return 2;
    }
    GtContext context = gt_default_context();
    GtError error;
    GtContacts* contacts = NULL;
    if (gt_contacts_load(&context, argv[1], &contacts, &error) != GT_OK) {
        char text[1024];
        gt_error_format(&error, text, sizeof text);
        fprintf(stderr, "footsteps: %s\n", text);
        return EXIT_FAILURE;
    }
    double end_s = 0.0;
    for (int32_t i = 0; i < contacts->count; ++i) {
        end_s = contacts->spans[i].end_s > end_s ? contacts->spans[i].end_s : end_s;
    }
    for (int32_t part = 0; part < GT_CONTACT_PART_COUNT; ++part) {
        printf("%-10s ", gt_contact_part_name(part));
        for (int column = 0; column <= (int)(20.0 * end_s) && column < 100; ++column) {
            putchar(gt_contacts_at(contacts, column / 20.0) & (1u << part) ? '#' : '.');
        }
        putchar('\n');
    }
    gt_contacts_destroy(contacts);
    return EXIT_SUCCESS;
}
