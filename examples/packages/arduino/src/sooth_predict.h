/* sooth_predict.h - include it first; then sooth/tree.h or the header of another kind, which `sooth describe`
 * names. One file of the sketch defines SOOTH_IMPLEMENTATION before.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#ifndef SOOTH_PREDICT_H
#define SOOTH_PREDICT_H
#define SOOTH_PREDICT_ONLY
#endif
