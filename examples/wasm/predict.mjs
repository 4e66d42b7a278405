// predict.mjs - node predict.mjs MODEL.sooth NUMBER...: what the model says of a row.
// SPDX-FileCopyrightText: 2026 the sooth authors
// SPDX-License-Identifier: MIT
import { readFileSync } from "node:fs";
import { argv, env } from "node:process";
import { open } from "./sooth.mjs";

const model = await open(readFileSync(env.SOOTH_WASM ?? "build/sooth.wasm"), readFileSync(argv[2]));
console.log(...model.predict(argv.slice(3).map(Number)));
