// Tree.ino - a model as the bytes that it is: model.h holds a tree as an array, and the header predicts from
// it, with the bits that a computer has.
// SPDX-FileCopyrightText: 2026 the sooth authors
// SPDX-License-Identifier: MIT
#define SOOTH_IMPLEMENTATION
#include <sooth_predict.h>
#include <sooth/tree.h>
#include "model.h"

static const sooth_tree *const tree = (const sooth_tree *)block;

void setup() {
    Serial.begin(115200);
    Serial.println(sooth_tree_check(block, sizeof block) ? "a sound tree" : "no sound tree");
}

void loop() {
    const float row[12] = {1.0f, 1.5f, 0.5f};
    Serial.println((long)(1000.0f * sooth_tree_predict(tree, row)));
    delay(1000);
}
