// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-runtime: what a struct holds, as data: each GtXDef has a table of its fields with type, unit, range and
/// one line of help (gt_x_def_fields()), and so have some reports. Command lines, manuals, panels and bindings to other
/// languages are made from these tables, so that each default and each sentence stands once. Defaults are read from the
/// struct that gt_default_x_def() returns.
///
/// Fields that only a program can set, such as pointers to scenes, have no row.
///
/// **Threads.** Nothing here keeps anything between calls: any thread may call it at any time.

#ifndef GERTIE_FIELD_H
#define GERTIE_FIELD_H

#include "gertie/error.h"

#include <stddef.h>

GT_EXTERN_C_BEGIN

/// How a field is stored. GT_FIELD() finds it from the struct itself.
typedef enum GtFieldType {
    GT_FIELD_BOOL,
    GT_FIELD_INT32,
    GT_FIELD_UINT32, ///< enums too
    GT_FIELD_INT64,
    GT_FIELD_UINT64,
    GT_FIELD_FLOAT,
    GT_FIELD_DOUBLE,
    GT_FIELD_TEXT,  ///< const char*, which may be NULL and is not owned
    GT_FIELD_CHARS, ///< a terminated text in place, of a report
    GT_FIELD_GROUP, ///< a struct with a table of its own
} GtFieldType;

/// The unit that people see. C structs hold metres and radians throughout.
typedef enum GtFieldUnit {
    GT_UNIT_NONE,
    GT_UNIT_METRES,
    GT_UNIT_MILLIMETRES, ///< of a field in metres
    GT_UNIT_METRES_PER_SECOND,
    GT_UNIT_SECONDS,
    GT_UNIT_HERTZ,
    GT_UNIT_DEGREES, ///< of a field in radians
    GT_UNIT_PIXELS,
    GT_UNIT_COLOR, ///< 0xRRGGBB as on a screen (sRGB), seen as "#rrggbb"
} GtFieldUnit;

/// A value with a name.
typedef struct GtChoice {
    const char* name; ///< NULL after the last
    double value;     ///< in the unit that people see
    const char* help; ///< a phrase, or NULL where the name says it all
} GtChoice;

typedef struct GtFieldTable GtFieldTable;

/// One field of a struct.
typedef struct GtField {
    const char* name; ///< as in C: "tolerance_m"; of a report, as in JSON
    GtFieldType type;
    GtFieldUnit unit;
    size_t offset;   ///< in the struct
    double min, max; ///< limits of a number, in `unit`; both 0 where there are none
    /// Values with names, or NULL. A whole number or a text is one of them; any other number is one of them or within
    /// the limits.
    const GtChoice* choices;
    /// What the default means where its number does not tell, such as "the motion's own key times" for 0; or NULL. Such
    /// a default may lie outside the limits.
    const char* default_text;
    const char* help;                   ///< a phrase: lower case, no full stop
    const GtFieldTable* (*group)(void); ///< of GT_FIELD_GROUP
} GtField;

/// The fields of a struct, in its order.
struct GtFieldTable {
    const char* name; ///< of the struct: "GtRetargetDef"
    size_t size;
    const GtField* fields; ///< [field_count]
    int32_t field_count;
    void (*set_default)(void* out); ///< fill a struct with its defaults; NULL of a report
};

/// Name, type and place of a member, as the start of a GtField:
/// `{ GT_FIELD(GtRigDef, influences), .min = 1, .max = 16, .help = "..." }`.
#define GT_FIELD(Struct, member) GT_FIELD_NAMED(#member, Struct, member)

/// As GT_FIELD(), under another name.
#define GT_FIELD_NAMED(as, Struct, member)                                                                             \
    .name = (as), .type = GT_FIELD_TYPE(((Struct*)NULL)->member), .offset = offsetof(Struct, member)

/// A member that is a struct with a table of its own.
#define GT_FIELD_STRUCT(Struct, member, accessor)                                                                      \
    .name = #member, .type = GT_FIELD_GROUP, .offset = offsetof(Struct, member), .group = (accessor)

/// The type of an expression, which is not evaluated.
#define GT_FIELD_TYPE(expression)                                                                                      \
    _Generic((expression),                                                                                             \
        bool: GT_FIELD_BOOL,                                                                                           \
        int32_t: GT_FIELD_INT32,                                                                                       \
        uint32_t: GT_FIELD_UINT32,                                                                                     \
        int64_t: GT_FIELD_INT64,                                                                                       \
        uint64_t: GT_FIELD_UINT64,                                                                                     \
        float: GT_FIELD_FLOAT,                                                                                         \
        double: GT_FIELD_DOUBLE,                                                                                       \
        const char*: GT_FIELD_TEXT,                                                                                    \
        char*: GT_FIELD_CHARS)

/// Find a field by its name, or by a path into groups such as "scan.noise_m".
/// @param offset  receives where the value is in the struct of `table`; may be NULL
/// @return NULL where there is none
GT_API const GtField* gt_field_find(const GtFieldTable* table, const char* path, size_t* offset);

/// A value as people see it: degrees where C has radians. A bool is 0 or 1; a text or a group is NAN.
/// @param value  the field itself: its struct plus its offset
GT_API double gt_field_number(const GtField* field, const void* value);

/// Write a value as people see it: "plant", "0.25", "#ff8000", "true"; nothing for a NULL text or a group.
/// @param out  [out_size], always terminated when out_size > 0
/// @return length of the whole text, as snprintf would
GT_API int gt_field_print(const GtField* field, const void* value, char* out, size_t out_size);

/// Write which values a field takes: "a whole number from 1 to 16", "off, warp or plant"; nothing where any will do.
/// @param out  [out_size], always terminated when out_size > 0
GT_API void gt_field_print_range(const GtField* field, char* out, size_t out_size);

/// Set a value from a text as gt_field_print() writes it. A field of type GT_FIELD_TEXT refers to `text` afterwards.
/// @param value  left as it is on failure
/// @param error  may be NULL; its message goes on after the field's name: "takes off, warp or plant, not 'on'"
/// @return GT_ERROR_BAD_VALUE where the text is no such value or out of range
GT_API GtResult gt_field_parse(const GtField* field, const char* text, void* value, GtError* error);

/// Longest name that gt_field_shown_name() writes, with its end.
#define GT_FIELD_NAME_SIZE 64

/// The name in files and panels for people, where angles are in degrees and some lengths in millimetres: "angle_rad"
/// becomes "angle_deg".
/// @return `out`
GT_API const char* gt_field_shown_name(const GtField* field, char out[GT_FIELD_NAME_SIZE]);

/// The unit's name as a plural, such as "metres"; "" for none.
GT_API const char* gt_field_unit_name(GtFieldUnit unit);

GT_EXTERN_C_END

#endif
