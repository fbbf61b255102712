// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// sheet OUT.png PICTURE...
//
// PNG and JPEG pictures on one sheet, each in a frame and with its name under it. Links libgertie.

#include <gertie/picture.h>

#include <stdio.h>
#include <stdlib.h>

static void check(GtResult result, const GtError* error)
{
    if (result != GT_OK) {
        char text[1024];
        gt_error_format(error, text, sizeof text);
        fprintf(stderr, "sheet: %s\n", text);
        exit(EXIT_FAILURE);
    }
}

int main(int argc, char** argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: sheet OUT.png PICTURE...\n");
        return 2;
    }
    GtContext context = gt_default_context();
    GtError error;
    GtSheetDef def = gt_default_sheet_def();
    def.cell_count = argc - 2;
    def.title = "pictures";
    GtPicture* pictures = calloc((size_t)def.cell_count, sizeof *pictures);
    if (!pictures) {
        return EXIT_FAILURE;
    }
    for (int i = 0; i < def.cell_count; ++i) { // cells are as large as the largest
        check(gt_picture_read(&context, argv[i + 2], &pictures[i], &error), &error);
        def.cell_width = pictures[i].width > def.cell_width || i == 0 ? pictures[i].width : def.cell_width;
        def.cell_height = pictures[i].height > def.cell_height || i == 0 ? pictures[i].height : def.cell_height;
    }
    GtPicture sheet;
    check(gt_sheet_create(context.allocator, &def, &sheet, &error), &error);
    for (int i = 0; i < def.cell_count; ++i) {
        gt_sheet_put(&sheet, &def, i, &pictures[i], argv[i + 2]);
        gt_picture_outline(&sheet, gt_sheet_cell(&def, i), 2, gt_color_of_series(i));
        gt_picture_destroy(&pictures[i]);
    }
    check(gt_picture_write_png(&context, &sheet, argv[1], &error), &error);
    printf("%d x %d pixels\n", (int)sheet.width, (int)sheet.height);
    gt_picture_destroy(&sheet);
    free(pictures);
    return EXIT_SUCCESS;
}
