/* kernels.cu - the kernels alone, for their PTX.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "kernels.cuh"
