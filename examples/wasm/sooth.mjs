// sooth.mjs - a model of sooth in a browser or in node, through sooth.wasm.
// SPDX-FileCopyrightText: 2026 the sooth authors
// SPDX-License-Identifier: MIT

/** A model from the bytes of its file (wasm: those of sooth.wasm); throws where they are none.
 *  predict takes the features of one row or of several behind each other, and returns the targets. */
export async function open(wasm, bytes) {
    const { exports: sooth } = (await WebAssembly.instantiate(wasm)).instance;
    const room = (size) => {
        const at = sooth.room(size);
        if (!at) throw new Error(`no room for ${size} bytes`);
        return at >>> 0;
    };
    const floats = (at, count) => new Float32Array(sooth.memory.buffer, at, count); // memory moves as it grows
    const model = room(bytes.length);
    new Uint8Array(sooth.memory.buffer).set(bytes, model);
    if (!sooth.check(model, bytes.length)) throw new Error("these bytes are not a valid model");
    const features = sooth.features(model), targets = sooth.targets(model);
    const scratch = room(sooth.scratch(model) + 4);
    let most = 0, x, out;
    return {
        features, targets,
        predict(row) {
            const rows = row.length / features;
            if (!Number.isInteger(rows) || rows < 1) throw new Error(`a row has ${features} features`);
            if (rows > most) {
                x = room(4 * rows * features);
                out = room(4 * rows * targets);
                most = rows;
            }
            floats(x, row.length).set(row);
            sooth.predict(model, x, rows, out, scratch);
            return floats(out, rows * targets).slice();
        },
    };
}
