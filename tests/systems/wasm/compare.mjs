// compare.mjs - node compare.mjs SOOTH.wasm MODEL ANSWERS: the rows of ANSWERS (see answers.c) through the
// WebAssembly give the same bits, one row at a time and all at once, and damaged bytes are refused.
// SPDX-FileCopyrightText: 2026 the sooth authors
// SPDX-License-Identifier: MIT
import { readFileSync } from "node:fs";
import { argv } from "node:process";
import { open } from "../../../examples/wasm/sooth.mjs";

const wasm = readFileSync(argv[2]), bytes = readFileSync(argv[3]);
const model = await open(wasm, bytes);
const file = Uint8Array.from(readFileSync(argv[4])).buffer;
const [rows, features, targets] = new Uint32Array(file, 0, 3);
if (model.features !== features || model.targets !== targets) throw new Error("another shape");
const x = new Float32Array(file, 12, rows * features);
const want = new Float32Array(file, 12 + 4 * x.length, rows * targets);
const same = (got, from) => {
    const bits = [got, want.slice(from, from + got.length)].map((f) => new Uint32Array(f.buffer));
    for (let i = 0; i < got.length; ++i) // one NaN for all
        if (bits[0][i] !== bits[1][i] && !(Number.isNaN(got[i]) && Number.isNaN(want[from + i])))
            throw new Error(`answer ${from + i} is ${got[i]}, not ${want[from + i]}`);
};
const numbers = want.filter((v) => !Number.isNaN(v)).length;
if (numbers < want.length / 2) throw new Error(`only ${numbers} of ${want.length} answers are numbers`);
for (let i = 0; i < rows; ++i) same(model.predict(x.slice(i * features, (i + 1) * features)), i * targets);
same(model.predict(x), 0);
const damaged = Uint8Array.from(bytes);
damaged[damaged.length - 1] ^= 1;
let refused = false;
await open(wasm, damaged).catch(() => { refused = true; });
if (!refused) throw new Error("damaged bytes are taken");
