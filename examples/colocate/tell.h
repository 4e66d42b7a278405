/* tell.h - the results of the main job as text on standard output.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#ifndef TELL_H
#define TELL_H

#include "placement.h"
#include "study.h"

/* Every way to predict: its errors for programs outside of the training, and for programs in it. */
void tell_scores(const study_score *score);

/* Errors of power and energy, or that there are none. */
void tell_power(const study_power *power);

/* The importance of the trees' features, see study_explain. */
void tell_importances(study_scheme scheme, const study_importance *importance);

/* The last bags, measured after the training. Returns their mean absolute error in per cent, NaN: none.
   With a model of power (NULL: none) also their energy. */
double tell_held_out(const study_data *data, const study_model *model, const study_model *power, double cap_w,
                     size_t held_out);

/* Which of the waiting jobs run together, and the measured result. */
void tell_placement(const study_data *data, const placement *p);

#endif /* TELL_H */
