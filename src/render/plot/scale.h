// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// An axis: the range it shows and its ticks, at 1, 2 or 5 times a power of ten. A tick is a whole number of steps, and
// its label is made from that number, so that no label shows a rounding error. Very large and very small labels are in
// units of a power of ten, which goes to the axis' name.

#ifndef GERTIE_RENDER_PLOT_SCALE_H
#define GERTIE_RENDER_PLOT_SCALE_H

#include "gertie/api.h"

enum {
    GTI_TICK_SIZE = 64 // room for any label
};

typedef struct GtiScale {
    double low, high;    // low < high
    int32_t digit;       // a step is digit * 10^exponent: 1, 2 or 5
    int32_t exponent;    //
    int64_t first, last; // ticks, in steps
    int32_t power;       // labels are in units of 10^power, a multiple of 3
} GtiScale;

// The range that shows values from `low` to `high`: with some room above and below, from 0 where that is near, and
// never so narrow that it shows nothing but the rounding of floats. Ticks are not chosen yet.
GtiScale gti_scale_of_values(double low, double high);

// The range that shows a time, exactly; a second where it is only a moment.
GtiScale gti_scale_of_time(double from_s, double to_s);

// Choose ticks: as many as there can be, about `most`.
void gti_scale_choose_ticks(GtiScale* scale, double most);

double gti_scale_tick(const GtiScale* scale, int64_t tick);

// Where a value lies: 0 at low, 1 at high.
double gti_scale_place(const GtiScale* scale, double value);

// Write the label of a tick, and the power of ten that labels are in units of ("10⁻⁹"; empty for 1).
void gti_scale_print(const GtiScale* scale, int64_t tick, char out[GTI_TICK_SIZE]);
void gti_scale_print_power(const GtiScale* scale, char out[GTI_TICK_SIZE]);

#endif
