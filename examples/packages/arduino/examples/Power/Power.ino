// Power.ino - a model as C: power.h is what `sooth export --to c --integers 16 --name power` wrote. It predicts
// the watts of a graphics card from its two clocks, in whole numbers and without this library.
// SPDX-FileCopyrightText: 2026 the sooth authors
// SPDX-License-Identifier: MIT
#include "power.h"

void setup() {
    Serial.begin(115200);
    const int row = power_selftest();  // 0, or the number of the first row with another answer
    Serial.println(row ? "the self-test fails" : "all rows as on the host");
}

void loop() {
    const int16_t clocks[POWER_FEATURES] = {3505, 1000};  // memory, core: MHz
    Serial.println((long)(power_sum(clocks) >> POWER_SCALE));
    delay(1000);
}
