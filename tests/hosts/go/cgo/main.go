// The headers through cgo, without any flag of theirs, beside the reader in Go: the same bits for many rows.
// SPDX-FileCopyrightText: 2026 the sooth authors
// SPDX-License-Identifier: MIT
package main

/*
#cgo CFLAGS: -I${SRCDIR}/../../../../include -O2 -march=native
#define SOOTH_PREDICT_ONLY
#define SOOTH_IMPLEMENTATION
#include "sooth/model.h"
*/
import "C"

import (
	"fmt"
	"math"
	"math/rand"
	"os"
	"unsafe"

	"sooth"
)

func main() {
	other, rows := 0, 0
	for _, path := range os.Args[1:] {
		file, err := os.ReadFile(path)
		if err != nil {
			panic(err)
		}
		model, err := sooth.Read(file)
		if err != nil {
			continue // a kind that Go does not read
		}
		words := make([]float64, len(file)/8) // aligned like a double
		copy(unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), len(file)), file)
		if C.sooth_model_check(unsafe.Pointer(&words[0]), C.size_t(len(file))) == 0 {
			panic(path + " is refused in C")
		}
		m := (*C.sooth_model)(unsafe.Pointer(&words[0]))
		row, scratch := make([]float32, model.Features), make([]float32, model.Features)
		random := rand.New(rand.NewSource(31))
		for i := 0; i < 2000; i++ {
			for j := range row {
				row[j] = 1 + 3*random.Float32()
			}
			c := C.sooth_model_predict(m, (*C.float)(unsafe.Pointer(&row[0])), unsafe.Pointer(&scratch[0]))
			if rows++; math.Float32bits(float32(c)) != math.Float32bits(model.Predict(row)) {
				other++
			}
		}
	}
	fmt.Printf("%d rows, %d with other bits\n", rows, other)
}
