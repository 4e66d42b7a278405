// examples/hosts/serving through cgo, without a flag of theirs.
// SPDX-FileCopyrightText: 2026 the sooth authors
// SPDX-License-Identifier: MIT
package main

/*
#cgo CFLAGS: -I${SRCDIR}/../../../../include -O0
#define SOOTH_IMPLEMENTATION
#include <stdlib.h>
#include "../../../../examples/hosts/serving/serving.c"
*/
import "C"

import (
	"fmt"
	"unsafe"
)

func main() {
	var o C.serving_options
	var s *C.serving
	size := C.serving_size(&o)
	memory := C.malloc(size) // C keeps pointers into it
	defer C.free(memory)
	if C.serving_init(nil, &o, memory, size, &s) != C.SOOTH_OK {
		panic("refused")
	}
	pod := C.serving_pod{running: 3, prefill: 2000}
	for i := 0; i < 40; i++ {
		var ticket C.uint64_t
		C.serving_sent(nil, s, 100, &pod, C.double(i), &ticket)
		C.serving_first_token(nil, s, ticket, C.float(150+i%20))
		C.serving_done(nil, s, ticket, 20)
	}
	var out [6]C.float
	C.serving_predict(s, 0, 100, &pod, 1, (*C.float)(unsafe.Pointer(&out[0])))
	if out[0] > 100 && out[0] < out[1] && out[1] < out[2] && out[2] < 200 {
		fmt.Println("3 quantiles, ascending")
	}
}
