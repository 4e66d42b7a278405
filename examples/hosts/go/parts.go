package sooth

import (
	"math"
	"sort"
	"strconv"
	"strings"
)

// ---- transforms: preprocess/scale.h ----

type column struct {
	transform                 uint32
	shift, width, least, most float32
}

type scale struct {
	clip   bool
	column []column
}

func readScale(b *block) *scale {
	b.is(kindScale, 1)
	must(b.doubles >= 40 && b.features > 0 && b.features == b.targets && b.features <= (b.doubles-40)/20)
	clips := b.next()
	must(clips <= 1)
	b.next()
	s := &scale{clips == 1, make([]column, b.features)}
	for j := range s.column {
		c := column{b.next(), b.float(), b.float(), b.float(), b.float()}
		must(c.transform < 12 && finite(c.shift) && finite(c.width) && c.width > 0 && finite(c.least) &&
			finite(c.most) && c.least <= c.most)
		s.column[j] = c
	}
	return s
}

// odd is f(v), and -f(-v) below 0.
func odd(f func(float32) float32, v float32) float32 {
	if v < 0 {
		return -f(-v)
	}
	return f(v)
}

func (s *scale) apply(j int, v float32) float32 {
	c := &s.column[j]
	if s.clip {
		v = clip(v, c.least, c.most)
	}
	switch c.transform / 4 {
	case 1:
		v = odd(log1p, v)
	case 2:
		v = log(v)
	}
	return (v - c.shift) / c.width
}

func (s *scale) invert(j int, v float32) float32 {
	c := &s.column[j]
	v = mul(v, c.width) + c.shift
	switch c.transform / 4 {
	case 1:
		v = odd(expm1, v)
	case 2:
		v = exp(v)
	}
	if s.clip {
		return clip(v, c.least, c.most)
	}
	return clip(v, -math.MaxFloat32, math.MaxFloat32)
}

// ---- multiples of a sum of columns: model/ratio.h ----

type ratio struct {
	constant    float32
	column      []uint32
	coefficient []float32
}

func readRatio(b *block) *ratio {
	b.is(kindRatio, 1)
	terms, r := b.next(), &ratio{constant: b.float()}
	share, reserved := b.float(), b.next()
	must(b.targets == 1 && terms > 0 && terms <= b.features && reserved == 0)
	must(within(r.constant, 0, math.MaxFloat32) && within(share, 0, 1))
	for k := uint32(0); k < terms; k++ {
		column, coefficient := b.next(), b.float()
		must(column < b.features && positive(coefficient) && (k == 0 || column > r.column[k-1]))
		r.column, r.coefficient = append(r.column, column), append(r.coefficient, coefficient)
	}
	b.ends(0)
	return r
}

// form returns the sum; Missing if it is not above 0 and finite.
func (r *ratio) form(row []float32) float32 {
	sum := r.constant
	for k, j := range r.column {
		sum += mul(r.coefficient[k], row[j])
	}
	if positive(sum) {
		return sum
	}
	return Missing
}

// ---- categories: preprocess/levels.h ----

type levels struct {
	first, count, categorical []uint32 // of each column
	name                      []string // of each level
	sorted                    []uint32 // codes of each column, by name
	statistics                []float32
	prior                     float32
}

func readLevels(b *block) *levels {
	b.is(kindLevels, 1)
	count, statistics, prior, exact := b.next(), b.next(), b.float(), b.next()
	must(b.features > 0 && b.features == b.targets && count <= 1<<24 && statistics <= 1 && exact <= 1 && finite(prior))
	l, next, n := &levels{prior: prior}, uint32(0), uint64(count)
	for columns := b.words(5 * uint64(b.features)); len(columns) > 0; columns = columns[5:] {
		first, levels, categorical := columns[0], columns[1], columns[2]
		must(first == next && levels <= count-next && categorical <= 2 && (categorical > 0 || levels == 0))
		l.first, l.count = append(l.first, first), append(l.count, levels)
		l.categorical = append(l.categorical, categorical)
		next += levels
	}
	names := b.words(n)
	l.sorted = b.words(n)
	if statistics == 1 {
		l.statistics = b.floats(n)
	}
	b.endsWords()
	room := uint32(len(b.raw)) - b.bytes
	must(next == count && b.bytes == b.doubles && (count == 0 || room > 0 && b.raw[len(b.raw)-1] == 0))
	for j, first := range l.first {
		for i := first; i < first+l.count[j]; i++ {
			must(names[i] < room && l.sorted[i] < l.count[j] && (statistics == 0 || finite(l.statistics[i])))
		}
	}
	for _, at := range names {
		l.name = append(l.name, b.text(at))
	}
	return l
}

// apply replaces a code by its statistic, if the model has statistics.
func (l *levels) apply(j int, v float32) float32 {
	if l.statistics == nil || l.categorical[j] == 0 {
		return v
	} else if !(v >= 0 && v < float32(l.count[j])) {
		return l.prior
	}
	return l.statistics[l.first[j]+uint32(v)]
}

func (l *levels) code(j int, text string) float32 {
	if value := canonical(text); l.categorical[j] == 2 && value != "" {
		text = value
	}
	sorted := l.sorted[l.first[j]:][:l.count[j]]
	for low, high := 0, len(sorted); low < high; {
		middle := low + (high-low)/2
		if name := l.name[l.first[j]+sorted[middle]]; name == text {
			return float32(sorted[middle])
		} else if name < text {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return unknown
}

// canonical returns the spelling that all spellings of a number, or of true and false, share; "" for others.
func canonical(text string) string {
	for _, word := range []string{"True", "False"} {
		if len(text) == len(word) && strings.EqualFold(text, word) {
			return word
		}
	}
	minus := ""
	if text != "" && (text[0] == '-' || text[0] == '+') {
		if text[0] == '-' {
			minus = "-"
		}
		text = text[1:]
	}
	digits, point, ok := decimal(text)
	if !ok {
		return ""
	} else if digits == "" {
		return "0"
	}
	exponent := ""
	if point > 21 || point < -5 {
		exponent = "e" + strconv.Itoa(point-1)
		point = 1
	}
	switch {
	case point <= 0:
		digits = "0." + strings.Repeat("0", -point) + digits
	case point >= len(digits):
		digits += strings.Repeat("0", point-len(digits))
	default:
		digits = digits[:point] + "." + digits[point:]
	}
	return minus + digits + exponent
}

// decimal reads a number without a sign: 0.digits times 10^point, with at most 40 digits.
func decimal(text string) (digits string, point int, ok bool) {
	i, seen, fraction := 0, false, false
	for ; i < len(text) && (text[i] == '.' || text[i] >= '0' && text[i] <= '9'); i++ {
		switch {
		case text[i] == '.':
			if fraction {
				return "", 0, false
			}
			fraction = true
			continue
		case digits != "" || text[i] != '0':
			if digits += text[i : i+1]; !fraction {
				point++
			}
		case fraction:
			point--
		}
		if seen = true; len(digits) > 40 {
			return "", 0, false
		}
	}
	if i < len(text) && seen {
		power, err := strconv.Atoi(text[i+1:])
		if text[i]|32 != 'e' || err != nil || len(strings.TrimLeft(text[i+1:], "+-0")) > 5 {
			return "", 0, false
		}
		point += power
	}
	return strings.TrimRight(digits, "0"), point, seen
}

// ---- intervals: conformal.h ----

type conformal struct {
	scale, score uint32 // scale 1: of logarithms; score 1: in units of a spread
	below, above float32
}

func readConformal(b *block) conformal {
	b.is(kindConformal, 1)
	promise, rows, groups, level, proven := b.next(), b.next(), b.next(), b.float(), b.float()
	method, c := b.next(), conformal{b.next(), b.next(), b.float(), b.float()}
	b.ends(0)
	must(promise < 4 && method < 3 && c.scale < 2 && c.score < 3 && level > 0 && level < 1 && proven >= 0 &&
		proven <= 1 && groups <= rows && (promise < 2 || groups > 0))
	must(c.below >= -math.MaxFloat32 && c.above >= -math.MaxFloat32)
	must(promise == 0 || c.score == 2 || c.below >= -c.above)
	must(promise != 0 || c.below > math.MaxFloat32 && c.above > math.MaxFloat32)
	return c
}

// move returns how far a side is moved outwards, with a spread of 1.
func (c *conformal) move(offset float32) float32 {
	const share = 1.0 / 4194304
	if c.score != 1 && c.scale == 0 {
		return offset
	} else if offset < 0 {
		offset += mul(-offset, share)
	} else {
		offset += mul(offset, share)
	}
	if c.scale == 1 {
		offset += share
	}
	return offset
}

func (c *conformal) interval(predicted float32) (low, high float32) {
	endless := float32(math.Inf(1))
	below, above := c.move(c.below), c.move(c.above)
	if low, high = -endless, endless; predicted != predicted {
		return Missing, Missing
	} else if c.scale == 1 {
		if low = 0; predicted > 0 {
			low, high = predicted*exp(-below), predicted*exp(above)
		}
		if low != low { // infinity times 0
			low = 0
		}
		if high != high {
			high = endless
		}
	} else {
		if below <= math.MaxFloat32 {
			low = predicted - below
		}
		if above <= math.MaxFloat32 {
			high = predicted + above
		}
	}
	low, high = clip(low, -endless, math.MaxFloat32), clip(high, -math.MaxFloat32, endless)
	if low > high {
		low = mul(0.5, low) + mul(0.5, high)
		high = low
	}
	return low, high
}

// ---- probabilities: model/probability.h ----

type probability struct {
	method, scores           uint32
	slope, centre, intercept float32
	score, p                 []float32 // of an isotonic map
}

func readProbability(b *block) *probability {
	b.is(kindProbability, 1)
	m := &probability{method: b.next(), scores: b.next()}
	points := b.next()
	m.slope, m.centre, m.intercept = b.float(), b.float(), b.float()
	must(m.method < 2 && m.scores < 2 && b.next() == 0 && b.next() == 0 && (points > 0) == (m.method == 1))
	must(finite(m.slope) && finite(m.centre) && finite(m.intercept))
	m.score, m.p = b.floats(uint64(points)), b.floats(uint64(points))
	b.ends(0)
	for i, s := range m.score {
		must(finite(s) && within(m.p[i], 0, 1) && (i == 0 || s > m.score[i-1] && m.p[i] >= m.p[i-1]))
	}
	return m
}

func (m *probability) apply(s float32) float32 {
	if s != s {
		return s
	} else if m.method == 1 {
		return m.between(s)
	}
	if m.scores == 1 { // the log odds of a probability
		s = clip(s, 1.0/16777216, 1-1.0/16777216)
		s = log(s / (1 - s))
	}
	v := mul(m.slope, s-m.centre)
	if v != v {
		v = 0
	}
	return sigmoid(v + m.intercept)
}

// between interpolates between the last point at or below the score and the next.
func (m *probability) between(s float32) float32 {
	high := sort.Search(len(m.score), func(i int) bool { return m.score[i] > s })
	low := high - 1
	if high == 0 || s == m.score[0] {
		return m.p[0]
	} else if high == len(m.score) {
		return m.p[low]
	}
	part, width := s-m.score[low], m.score[high]-m.score[low]
	if !(width <= math.MaxFloat32) {
		part = mul(0.5, s) - mul(0.5, m.score[low])
		width = mul(0.5, m.score[high]) - mul(0.5, m.score[low])
	}
	if v := m.p[low] + mul(m.p[high]-m.p[low], part/width); v < m.p[high] {
		return v
	}
	return m.p[high]
}

// ---- ranges and names: the card of model.h; the ranges of adapt.h ----

type card struct {
	ranges            []float32 // least and most of each feature, then of each target
	features, targets []string
}

func readCard(b *block) *card {
	b.is(kindCard, 1)
	b.words(2)
	scores, seen, columns := b.next(), b.next(), uint64(b.features)+uint64(b.targets)
	c := &card{ranges: b.floats(2 * columns)}
	at, room := b.words(2*columns+uint64(scores)+2), uint32(len(b.raw))-b.bytes
	b.endsWords()
	must(b.features > 0 && b.targets > 0 && uint64(b.bytes-b.doubles) == (8*uint64(scores)+15)&^15)
	must(b.raw[len(b.raw)-1] == 0 && seen <= room && seen%4 == 0 && seen <= 4*65)
	for _, text := range at {
		must(text < room)
	}
	for j := uint32(0); j < b.features; j++ {
		c.features = append(c.features, b.text(at[j]))
	}
	for j := uint32(0); j < b.targets; j++ {
		c.targets = append(c.targets, b.text(at[2*uint64(b.features)+uint64(j)]))
	}
	return c
}

// unknown is the code of a level that the model does not know, a NaN of its own.
var unknown = ofBits(0x7FC00001)

// beyond returns how far the value v of a feature lies outside its training range: 2 for an unknown level, and
// for a missing one unless rows of the training missed it, which a least of -1 tells.
func (m *Model) beyond(j int, v float32) float32 {
	if v != v {
		missed := m.card != nil && m.card.ranges[2*j] < 0 && math.Float32bits(v) != math.Float32bits(unknown)
		if m.Categorical(j) && !missed {
			return 2
		}
		return 0
	}
	category := m.Categorical(j)
	if category && !(v >= 0 && v < float32(m.levels.count[j])) {
		return 2
	} else if m.card == nil {
		return 0
	}
	least, most := m.card.ranges[2*j], m.card.ranges[2*j+1]
	if category && outside(v, least, most) > 0 {
		return 2
	}
	return beyond(v, least, most)
}

// beyond returns how far v lies outside least..most, in widths of that range; 2 at most.
func beyond(v, least, most float32) float32 {
	if out, width := outside(v, least, most), most-least; !(out > 0) {
		return 0
	} else if out <= 2*width {
		return out / width
	}
	return 2
}

func outside(v, least, most float32) float32 {
	if v < least {
		return least - v
	}
	return v - most
}

type adapt struct {
	log         []bool // of each feature
	least, most []float32
}

func readAdapt(b *block) *adapt {
	const large = 1e6
	b.is(kindAdapt, 2)
	capacity, log := b.next(), b.next()
	b.words(2)
	simulated, level, unit, a := b.next(), b.float(), b.float(), &adapt{}
	must(b.features > 0 && b.targets == 1 && log <= 1 && capacity > 0 && capacity <= 32 && simulated <= capacity)
	must(within(level, 0.01, 0.9999) && within(unit, 0x1p-126, math.MaxFloat32))
	for k := 0; k < 3; k++ { // offset, slope, signal
		must(within(b.float(), 0, large))
	}
	must(within(b.float(), 1e-7, large) && within(b.float(), 1e-6, large) && finite(b.float()) &&
		within(b.float(), 0, math.MaxFloat32) && within(b.float(), 1, large)) // noise, length, centre, factor, doubt
	for j := uint32(0); j < b.features; j++ {
		log, centre, factor, least, most := b.next(), b.float(), b.float(), b.float(), b.float()
		b.next()
		must(log <= 1 && finite(centre) && within(factor, 0, math.MaxFloat32) && finite(least) && finite(most) &&
			least <= most)
		a.log, a.least, a.most = append(a.log, log == 1), append(a.least, least), append(a.most, most)
	}
	for _, factor := range b.floats(uint64(capacity) + 1) {
		must(within(factor, 0, large))
	}
	if b.version == 2 { // predictions of new programs are drawn to a rule
		must(within(b.float(), 0, 1) && finite(b.float()))
	}
	b.ends(0)
	return a
}

// beyond returns how far a feature lies outside, in ranges.
func (a *adapt) beyond(j int, v float32) float32 {
	if a.log[j] {
		v = odd(log1p, v)
	}
	width, out := a.most[j]-a.least[j], outside(v, a.least[j], a.most[j])
	if v != v {
		return math.MaxFloat32
	} else if !(out > 0) {
		return 0
	} else if out /= width; width > 0 && out < math.MaxFloat32 {
		return out
	}
	return math.MaxFloat32
}

// ---- linear regression: linear.h ----

type line struct {
	offset, mean, slope, scale, product []float32
	pair                                []uint32
}

func readLine(b *block) *line {
	b.next()
	rank, _, intercept, statistics, _, products, _ := b.next(), b.next(), b.next(), b.next(), b.next(),
		uint64(b.next()), b.next()
	cols, targets := uint64(b.features), uint64(b.targets)
	must((b.version == 2) == (products > 0) && (products == 0 || cols <= 64 && statistics == 0 && products <= 64*65/2))
	must(cols > 0 && targets > 0 && statistics <= 1 && intercept <= 1 && cols <= 0x10000000 && targets <= 0x10000000 &&
		uint64(rank) <= cols+1)
	m := &line{offset: b.floats(targets), mean: b.floats(cols), slope: b.floats(targets * cols)}
	b.words(cols + 1)
	if products > 0 {
		m.scale, m.pair, m.product = b.floats(cols), b.words(products), b.floats(targets*products)
	}
	doubles := targets + targets*cols
	if statistics == 1 {
		doubles += 2*targets + (cols+1)*(cols+1) + 1
	}
	b.ends(8 * doubles)
	for _, p := range m.pair {
		must(p>>16 <= p&0xFFFF && p&0xFFFF < b.features)
	}
	return m
}

func (m *line) predict(row, out []float32) {
	var z [64]float32
	for j := range m.scale {
		z[j] = (row[j] - m.mean[j]) * m.scale[j]
	}
	for t := range out {
		var lane, more [4]float32
		for j, slope := range m.slope[t*len(row):][:len(row)] {
			lane[j&3] += mul(slope, row[j]-m.mean[j])
		}
		out[t] = m.offset[t] + ((lane[0] + lane[2]) + (lane[1] + lane[3]))
		for k, pair := range m.pair {
			more[k&3] += mul(m.product[t*len(m.pair)+k], z[pair>>16]*z[pair&0xFFFF])
		}
		if m.pair != nil {
			out[t] += (more[0] + more[2]) + (more[1] + more[3])
		}
	}
}

// ---- laws of threads and frequency: scaling.h ----

const amdahl, gustafson, usl, uslKnown, powerLaw, timeLaw, timeLog, powerOf, powerSpeed = 0, 1, 2, 3, 4, 5, 6, 7, 9

// laws: their terms, features, and the first term that is fitted
var laws = [10][3]uint32{{2, 1, 0}, {2, 1, 0}, {3, 1, 0}, {3, 1, 1}, {2, 1, 0}, {2, 2, 0}, {6, 2, 0}, {3, 2, 0},
	{3, 2, 0}, {6, 3, 0}}

type law struct {
	law, terms, cores, sockets, levels uint32
	frequency, voltage                 []float32 // 32 each, of which `levels` are used
	b, unit                            []float32
}

func positive(v float32) bool { return v > 0 && finite(v) }

func readLaw(b *block) *law {
	m := &law{law: b.next(), terms: b.next()}
	must(m.law < uint32(len(laws)))
	shape, first := laws[m.law], b.next()
	b.words(5)
	m.cores, m.sockets, m.levels, _ = b.next(), b.next(), b.next(), b.next()
	m.frequency, m.voltage, m.b, m.unit = b.floats(32), b.floats(32), b.floats(8), b.floats(8)
	b.ends(8 * (8 + 64 + 4))
	must(m.terms == shape[0] && b.features == shape[1] && first == shape[2] && b.targets == 1)
	must(m.levels <= 32 && m.cores <= 1<<20 && m.sockets <= 1<<20 && (b.features == 1 || m.cores > 0 && m.levels > 0))
	for i, f := range m.frequency[:m.levels] {
		v := m.voltage[i]
		must(positive(f) && (i == 0 || f > m.frequency[i-1]))
		if m.voltage[0] > 0 {
			must(positive(v))
		} else {
			must(!(v > 0 || v < 0)) // 0 or NaN
		}
	}
	for j := uint32(0); j < m.terms; j++ {
		must(positive(m.unit[j]) && finite(m.b[j]))
	}
	return m
}

// active returns how many sockets t threads need; 1 if that is no plausible number.
func (m *law) active(t float32) float32 {
	if !(t > 1 && t < 1e9) {
		return 1
	}
	k := uint32(t / float32(m.cores))
	if mul(float32(k), float32(m.cores)) < t {
		k++
	}
	return float32(k)
}

// volts returns the voltage at frequency f, which is g times the lowest.
func (m *law) volts(f, g float32) float32 {
	if !(m.voltage[0] > 0) {
		return exp(mul(0.2, log(g)))
	}
	i, part, at := uint32(0), float32(1), m.frequency
	if m.levels < 2 || !(f > at[0]) {
		return m.voltage[0]
	}
	for i+2 < m.levels && f >= at[i+1] {
		i++
	}
	if f < at[i+1] {
		part = (f - at[i]) / (at[i+1] - at[i])
	}
	return m.voltage[i] + mul(part, m.voltage[i+1]-m.voltage[i])
}

func (m *law) predict(row []float32) float32 {
	t, f, g, k, v, sum := row[0], float32(1), float32(1), float32(1), float32(1), float32(0)
	if m.law >= timeLaw {
		f = row[1]
		g, k = f/m.frequency[0], m.active(t)
	}
	if m.law >= powerOf {
		v = m.volts(f, g)
	}
	x := [6]float32{1}
	switch m.law {
	case amdahl, timeLaw:
		x[0], x[1] = 1/g, 1/(g*t)
	case gustafson:
		x[1] = t
	case usl, uslKnown:
		x[0], x[1], x[2] = 1/t, (t-1)/t, t-1
	case powerLaw:
		x[1] = log(t)
	case timeLog:
		x[1], x[2] = log(t), log(g)
		x[3], x[4] = x[1]*x[1], k-1
		if c := float32(m.cores); c > 1 {
			x[5] = (k - 1) * (mul(c, k) - t) / (c - 1)
		}
	case powerSpeed:
		x[1], x[2], x[3], x[4], x[5] = k, g, k*g, v*v*f*t, v*v*row[2]
	default:
		x[0], x[1], x[2] = k*v, (float32(m.sockets)-k)*v, k*v*v*f*t
		if m.law == powerOf {
			x[2] = v * v * f * t
		}
	}
	for j, b := range m.b[:m.terms] {
		if m.law >= powerOf {
			x[j] /= m.unit[j]
		}
		sum += mul(b, x[j])
	}
	switch m.law {
	case gustafson:
		return 1 / sum
	case powerLaw, timeLog:
		return exp(sum)
	}
	return sum
}

// ---- mixtures: model/best.h ----

type best struct {
	member    []*Model
	weight    []float32
	geometric bool
	low, high float32
}

func readBest(b *block) *best {
	members, candidates, rule, kind, verdict, geometric := b.next(), b.next(), b.next(), b.next(), b.next(), b.next()
	b.words(2)
	held, m := b.next(), &best{geometric: geometric == 1, low: b.float(), high: b.float()}
	b.words(2)
	must(b.targets == 1 && b.features > 0 && members <= 8 && candidates >= members && candidates <= 64 &&
		rule < candidates && kind > 0 && kind <= 3 && verdict <= 2 && geometric <= 1 && held <= 2)
	must(m.low <= m.high && finite(m.low) && finite(m.high) && (geometric == 0 || m.low > 0))
	entry, sum, at := b.words(4*uint64(candidates)), float32(0), uint64(b.bytes)
	b.endsWords()
	must(b.bytes == b.doubles+16*(b.version-1) && b.raw[len(b.raw)-1] == 0)
	for k := uint32(0); k < members; k++ {
		inner, weight := open(b.raw[at:]), ofBits(entry[4*k+1])
		one := readModel(b.raw[at:], false)
		must(one.Features == int(b.features) && one.Targets == 1 && weight > 0)
		must(one.card == nil && one.interval == nil && one.adapt == nil && one.probability == nil && one.ratio == nil)
		must(one.Features <= 1024 || one.input == nil && (one.levels == nil || one.levels.statistics == nil))
		at += uint64(len(inner.raw))
		sum += weight
		m.member, m.weight = append(m.member, one), append(m.weight, weight)
	}
	must(sum > 0.9999 && sum < 1.0001)
	for i := uint32(0); i < candidates; i++ {
		e := entry[4*i:]
		must(uint64(e[3]) >= at && uint64(e[3]) < uint64(len(b.raw)) && e[2] <= 1 && (i < members || e[1] == 0))
	}
	return m
}

func (m *best) predict(row []float32) float32 {
	var sum, have, gone float32
	for k, one := range m.member {
		var out [1]float32
		if one.PredictAll(row, out[:]); out[0] != out[0] {
			gone += m.weight[k]
			continue
		}
		v := clip(out[0], m.low, m.high)
		if m.geometric {
			v = log(v)
		}
		have += m.weight[k]
		sum += mul(m.weight[k], v)
	}
	if gone > 0 && have > 0 {
		sum /= have
	} else if gone > 0 {
		sum = Missing
	}
	if m.geometric {
		sum = exp(sum)
	}
	return clip(sum, -math.MaxFloat32, math.MaxFloat32)
}
