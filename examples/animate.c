// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// animate BODY MOTION OUT: the main job. A scan or a character takes a motion; OUT is a .glb, a film, a picture, as it
// ends. Links libgertie.

#include <gertie/animate.h>
#include <gertie/export.h>
#include <gertie/file.h>

#include <stdio.h>

int main(int argc, char** argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: animate BODY MOTION OUT\n");
        return 2;
    }
    GtContext context = gt_default_context();
    GtScene *body = NULL, *motion = NULL, *animated = NULL;
    GtAnimateReport report;
    GtError error;
    bool ok = gt_scene_load(&context, argv[1], NULL, &body, &error) == GT_OK &&
              gt_scene_load(&context, argv[2], NULL, &motion, &error) == GT_OK &&
              gt_animate(&context, body, motion, NULL, &animated, &report, &error) == GT_OK &&
              gt_export(&context, animated, NULL, argv[3], NULL, &error) == GT_OK;
    if (ok) {
        printf("%s%d joints follow the motion for %.2f s\n", report.was_bare ? "rigged; " : "",
               (int)report.retarget.matched_joint_count, report.retarget.duration_s);
    } else {
        char text[1024];
        gt_error_format(&error, text, sizeof text);
        fprintf(stderr, "animate: %s\n", text);
    }
    gt_scene_destroy(animated);
    gt_scene_destroy(motion);
    gt_scene_destroy(body);
    return ok ? 0 : 1;
}
