module cgo

go 1.17

require sooth v0.0.0

replace sooth => ../../../../examples/hosts/go
