// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// rig SCAN OUT.glb
//
// Puts a skeleton and weights into a bare mesh, and says where the joints are and how sure that is. Links libgertie.

#include <gertie/file.h>
#include <gertie/humanoid.h>
#include <gertie/rig.h>

#include <math.h>
#include <stdio.h>

int main(int argc, char** argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: rig SCAN OUT.glb\n");
        return 2;
    }
    GtContext context = gt_default_context();
    GtLoadDef load = gt_default_load_def();
    GtSaveDef save = gt_default_save_def();
    GtRigDef def = gt_default_rig_def();
    def.min_confidence = 0.3; // what is likely to be wrong is refused, with the reason
    GtScene *scan = NULL, *rigged = NULL;
    GtRigReport report;
    GtError error;
    bool ok = gt_scene_load(&context, argv[1], &load, &scan, &error) == GT_OK &&
              gt_rig(&context, scan, &def, &rigged, &report, &error) == GT_OK &&
              gt_scene_save(&context, rigged, argv[2], &save, &error) == GT_OK;
    if (ok) {
        printf("%d joints, %d fingers, confidence %.2f\n", (int)report.joint_count, (int)report.finger_count,
               (double)report.confidence);
        for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
            GtVec3 at = report.joints[j];
            if (!isnan(at.x)) {
                printf("%-24s %6.3f %6.3f %6.3f m\n", gt_humanoid_name((GtHumanoidJoint)j), (double)at.x, (double)at.y,
                       (double)at.z);
            }
        }
    } else {
        char text[1024];
        gt_error_format(&error, text, sizeof text);
        fprintf(stderr, "rig: %s\n", text);
    }
    gt_scene_destroy(rigged);
    gt_scene_destroy(scan);
    return ok ? 0 : 1;
}
