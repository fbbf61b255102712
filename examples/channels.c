// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// channels FILE [ADDRESS...]
//
// Everything in a file that can be animated, by its address: those that curves, plots, tracks and the command take.
// With addresses, what each of them means, and how it is written in full. Links libgertie-scene.

#include <gertie/channel.h>
#include <gertie/file.h>

#include <stdio.h>
#include <stdlib.h>

static const char* const kinds[GT_CHANNEL_KIND_COUNT] = { "translation", "rotation", "scale", "morph weight",
                                                          "field of view" };

static void fail(const GtError* error)
{
    char text[1024];
    gt_error_format(error, text, sizeof text);
    fprintf(stderr, "channels: %s\n", text);
    exit(EXIT_FAILURE);
}

static void print_channel(void* user, const GtChannel* channel, const char* address)
{
    ++*(int*)user;
    printf("%-16s %s\n", kinds[channel->kind], address);
}

int main(int argc, char** argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: channels FILE [ADDRESS...]\n");
        return 2;
    }
    GtContext context = gt_default_context();
    GtError error;
    GtScene* scene = NULL;
    int count = 0;
    if (gt_scene_load(&context, argv[1], NULL, &scene, &error) != GT_OK) {
        fail(&error);
    }
    if (argc == 2 && gt_channel_list(&context, scene, print_channel, &count, &error) != GT_OK) {
        fail(&error);
    }
    for (int i = 2; i < argc; ++i) {
        GtChannel channel;
        char address[600];
        if (gt_channel_resolve(scene, argv[i], &channel, &error) != GT_OK) {
            fail(&error); // it says what is near
        }
        gt_channel_format(scene, &channel, address, sizeof address);
        print_channel(&count, &channel, address);
    }
    fprintf(stderr, "%d channels\n", count);
    gt_scene_destroy(scene);
    return EXIT_SUCCESS;
}
