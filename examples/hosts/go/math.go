package sooth

import "math"

// The functions of base/num.h, bit by bit.

// mul is a product that is rounded before anything is added to it; see the top of sooth.go.
func mul(a, b float32) float32 { return float32(a * b) }

func ofBits(w uint32) float32 { return math.Float32frombits(w) }
func toBits(v float32) uint32 { return math.Float32bits(v) }

func finite(v float32) bool              { return v-v == 0 }
func within(v, least, most float32) bool { return v >= least && v <= most }

// clip keeps v within least..most; NaN stays NaN.
func clip(v, least, most float32) float32 {
	if v < least {
		return least
	} else if v > most {
		return most
	}
	return v
}

// horner evaluates a polynomial; the coefficient of the highest power comes first.
func horner(x float32, c ...float32) float32 {
	q := c[0]
	for _, next := range c[1:] {
		q = mul(q, x) + next
	}
	return q
}

// cut limits the magnitude of a float; NaN stays NaN. All are bits.
func cut(b, limit uint32) float32 {
	if m := b &^ (1 << 31); m >= limit && m <= 0x7F800000 {
		b = b&(1<<31) | limit
	}
	return ofBits(b)
}

// expParts returns p and n: e^x is 2^n (1 + p).
func expParts(x float32) (float32, uint32) {
	n := toBits(mul(x, 1.44269504)+12582912) - toBits(12582912)
	k := float32(int32(n))
	r := (x - mul(k, 0.693359375)) - mul(k, -2.12194440e-4)
	q := horner(r, 1.37874938e-3, 8.36938433e-3, 4.16689254e-2, 0.166665152, 0.499999911)
	return r + mul(r*r, q), n
}

func power(n uint32) float32 { return ofBits((n + 127) << 23) }

func exp(x float32) float32 {
	p, n := expParts(cut(toBits(x), 0x42D00000))
	half := (n+256)/2 - 128
	return (1 + p) * power(half) * power(n-half)
}

func expm1(x float32) float32 {
	b, limit := toBits(x), uint32(0x42B20000)
	if int32(b) < 0 {
		limit = 0x41F00000
	}
	if b&^(1<<31) < 0x32000000 {
		return x
	}
	p, n := expParts(cut(b, limit))
	half := power(n - 1)
	return ((half - 0.5) + mul(half, p)) * 2
}

func logParts(b uint32, extra int32, c float32) float32 {
	k := (b-0x3F2AAAAB+0x40000000)>>23 - 128
	f := ofBits(b-k<<23) - 1
	s, e := f*f, float32(int32(k)+extra)
	p := horner(f, -0.128930315, 0.139868975, -0.121839724, 0.140053064, -0.166805059, 0.200104460, -0.249997973,
		0.333332151)
	return mul(e, 0.693359375) + (f - (mul(0.5, float32(s)) - (mul(mul(f, float32(s)), p) + (mul(e, -2.12194440e-4) + c))))
}

func log(x float32) float32 {
	switch b := toBits(x); {
	case b<<1 == 0:
		return float32(math.Inf(-1))
	case int32(b) < 0:
		return Missing
	case b >= 0x7F800000:
		return x
	case b < 0x00800000: // denormal
		return logParts(toBits(x*8388608), -23, 0)
	default:
		return logParts(b, 0, 0)
	}
}

func log1p(x float32) float32 {
	b := toBits(x)
	switch {
	case b == 0xBF800000: // -1
		return float32(math.Inf(-1))
	case b > 0xBF800000:
		return Missing
	case int32(b) >= 0x7F800000:
		return x
	}
	u := 1 + x
	v := u - 1
	c := (1 - (u - v)) + (x - v)
	return ofBits(toBits(logParts(toBits(u), 0, c/u)) | b&(1<<31))
}

func sigmoid(x float32) float32 {
	if x < -87 {
		return 0
	}
	p, n := expParts(-cut(toBits(x), 0x42AE0000))
	z := power(n)
	return 1 / ((1 + z) + mul(z, p))
}
