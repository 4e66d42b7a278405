// Package sooth reads model files of sooth and predicts, in Go alone: no cgo, no unsafe, no dependency.
// SPDX-FileCopyrightText: 2026 the sooth authors
// SPDX-License-Identifier: MIT
//
// Predictions have the bits of sooth_model_predict in C. The kinds that are read are tree, forest, boost, linear
// and scaling, and best if its members are of these: with transforms, categories, intervals, probabilities,
// ratios and the trust in a row. Other kinds are refused with a sentence, and so is each file that sooth_model_check refuses.
//
//	file, err := os.ReadFile("time.sooth")
//	...
//	model, err := sooth.Read(file)
//	...
//	seconds := model.Predict([]float32{4, 0.5, sooth.Missing})
//
// A model never changes: any number of goroutines may use it. Predicting allocates nothing for a model of up
// to 256 features. A row that is shorter than Features, or an array shorter than its results, is a panic.
//
// Go may fuse x*y + z to one operation, which rounds once, and does so on arm64, ppc64, riscv64 and s390x. An
// explicit conversion to float32 forbids it. Here every product that something is added to comes from mul.
package sooth

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"sort"
)

// Missing is the value that is not known, a NaN.
var Missing = ofBits(0x7FC00000)

const (
	kindModel, kindScale, kindLinear, kindTree, kindCard, kindForest, kindBoost              = 1, 2, 3, 4, 5, 6, 7
	kindConformal, kindAdapt, kindProbability, kindLevels, kindOrigin, kindScaling, kindBest = 12, 13, 16, 17, 18, 20, 21
	kindRatio                                                                                = 19
)

// kinds of models: their names and newest formats
var kinds = map[uint32]struct {
	name   string
	newest uint32
}{kindModel: {"", 4}, kindLinear: {"linear", 2}, kindTree: {"tree", 3}, kindForest: {"forest", 4},
	kindBoost: {"boost", 4}, kindBest: {"best", 2}, 8: {"mlp", 1}, 9: {"svr", 1}, 10: {"sofnn", 2}, 11: {"gauss", 1},
	kindScaling: {"scaling", 1}}

// ---- blocks ----

// A block of a file, whose header and checksum are right. at: the word that is read next.
type block struct {
	raw                                              []byte
	kind, version, doubles, bytes, features, targets uint32
	at                                               uint64
}

var errInvalid = errors.New("the model file is invalid: its checksum matches, but its contents do not")

// must ends the reading of a file that is invalid.
func must(so bool) {
	if !so {
		panic(errInvalid)
	}
}

func word(raw []byte, i uint64) uint32 { return binary.LittleEndian.Uint32(raw[4*i:]) }

func checksum(raw []byte) uint32 {
	lane := [4]uint32{0x9E3779B9, 0x85EBCA6B, 0xC2B2AE35, 0x27D4EB2F}
	sum := uint32(len(raw))
	for at := 0; at < len(raw); at += 16 {
		for k := range lane {
			w := binary.LittleEndian.Uint32(raw[at+4*k:])
			if at+4*k == 12 {
				w = 0 // the checksum itself
			}
			lane[k] = bits.RotateLeft32(lane[k]^w, 13) * 0x9E3779B1
		}
	}
	for k := range lane {
		sum = bits.RotateLeft32(sum^lane[k], 17) * 0x85EBCA77
	}
	return sum ^ sum>>15
}

// open checks the header of the block at the beginning of these bytes, and its checksum.
func open(raw []byte) *block {
	must(len(raw) >= 32)
	b, size := &block{raw: raw, at: 8}, word(raw, 2)
	b.kind, b.version, b.doubles, b.bytes = word(raw, 1)&0xFFFF, word(raw, 1)>>16, word(raw, 4), word(raw, 5)
	b.features, b.targets = word(raw, 6), word(raw, 7)
	must(word(raw, 0) == 0x48544F53 && uint64(size) <= uint64(len(raw)) && size%16 == 0 && b.doubles%16 == 0 &&
		b.bytes%16 == 0 && b.doubles >= 32 && b.doubles <= b.bytes && b.bytes <= size)
	b.raw = raw[:size]
	must(word(raw, 3) == checksum(b.raw))
	return b
}

// is checks kind and version.
func (b *block) is(kind, newest uint32) *block {
	must(b.kind == kind && b.version >= 1 && b.version <= newest)
	return b
}

// has checks that so many bytes follow.
func (b *block) has(n uint64) { must(n <= uint64(len(b.raw))-4*b.at) }

func (b *block) next() uint32 {
	b.has(4)
	b.at++
	return word(b.raw, b.at-1)
}

func (b *block) float() float32 { return ofBits(b.next()) }

func (b *block) words(n uint64) []uint32 {
	must(n <= uint64(len(b.raw))/4-b.at)
	out := make([]uint32, n)
	for i := range out {
		out[i] = b.next()
	}
	return out
}

func (b *block) floats(n uint64) []float32 {
	must(n <= uint64(len(b.raw))/4-b.at)
	out := make([]float32, n)
	for i := range out {
		out[i] = b.float()
	}
	return out
}

// endsWords checks that the region of words is what was read.
func (b *block) endsWords() { must(uint64(b.doubles) == (4*b.at+15)&^15) }

// ends checks that there is nothing but what was read and so many bytes of doubles.
func (b *block) ends(doubles uint64) {
	b.endsWords()
	must(uint64(b.bytes-b.doubles) == (doubles+15)&^15 && uint64(b.bytes) == uint64(len(b.raw)))
}

// text returns the text at this offset in the region of bytes. The last byte of the block is 0.
func (b *block) text(at uint32) string {
	from := uint64(b.bytes) + uint64(at)
	end := from
	for b.raw[end] != 0 {
		end++
	}
	return string(b.raw[from:end])
}

// ---- reading ----

// A Model predicts Targets numbers from a row of Features numbers.
type Model struct {
	Features, Targets int
	Kind              string // "tree", "forest", "boost", "linear", "scaling", "best"
	trees             *trees
	line              *line
	law               *law
	best              *best
	input, target     *scale
	levels            *levels
	card              *card
	interval          []conformal
	adapt             *adapt
	probability       *probability
	ratio             *ratio
}

// Read checks a model file and copies what predictions need. The error tells why a file is refused.
func Read(file []byte) (model *Model, err error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case error:
			if model = nil; e == errInvalid {
				e = why(file)
			} else if _, unread := e.(unread); !unread {
				panic(e) // a mistake of this package
			}
			err = e
		default:
			panic(e)
		}
	}()
	return readModel(file, true), nil
}

// unread is why a sound file may be refused.
type unread string

func (u unread) Error() string { return string(u) }

// why returns what is wrong with an invalid file, as sooth_model_why does.
func why(file []byte) error {
	if len(file) == 0 {
		return errors.New("the model file is empty")
	} else if len(file) >= 32 && word(file, 0) == 0x534F5448 {
		return errors.New("the model is in the other byte order: call sooth_model_swap_bytes")
	} else if len(file) < 32 || word(file, 0) != 0x48544F53 {
		return errors.New("this is not a model file")
	}
	size, kind := word(file, 2), kinds[word(file, 1)&0xFFFF]
	if uint64(size) > uint64(len(file)) {
		return errors.New("the model file is cut short")
	} else if size < 32 || size%16 != 0 || word(file, 3) != checksum(file[:size]) {
		return errors.New("the model file was changed or damaged: its checksum does not match")
	} else if word(file, 1)&0xFFFF == kindOrigin {
		return errors.New("the model subtracts origins from its columns: load it with sooth_origin_load")
	} else if kind.newest == 0 {
		return errors.New("the file has a block of another kind than the models of this version")
	} else if word(file, 1)>>16 > kind.newest {
		return errors.New("the model file has a later format than this version reads")
	}
	return errInvalid
}

// readModel reads an envelope or a predictor by itself. whole: not a member of a best.
func readModel(raw []byte, whole bool) *Model {
	e := open(raw)
	m := &Model{Features: int(e.features), Targets: int(e.targets)}
	if e.kind != kindModel || e.version < 1 || e.version > 4 {
		m.readPredictor(e, whole)
		return m
	}
	at := e.words(4)
	if e.version >= 2 {
		at = append(at, e.words(4)...)
	} else {
		at = append(at, 0, 0, 0, 0)
	}
	if at = append(at, 0); e.version == 4 {
		more := e.words(4)
		must(more[0] != 0 && more[1] == 0 && more[2] == 0 && more[3] == 0)
		at[8] = more[0]
	}
	must(uint64(e.doubles) == 4*e.at && e.bytes == e.doubles && at[1] != 0 && e.features > 0 && e.targets > 0)
	end := e.bytes
	part := func(at, features, targets uint32, read func(b *block)) { // at 0: there is none
		if at == 0 {
			return
		}
		must(at == end)
		b := open(e.raw[at:])
		end += uint32(len(b.raw))
		must(b.features == features && b.targets == targets)
		read(b)
	}
	part(at[0], e.features, e.features, func(b *block) { m.input = readScale(b) })
	part(at[1], e.features, e.targets, func(b *block) { m.readPredictor(b, whole) })
	part(at[2], e.targets, e.targets, func(b *block) { m.target = readScale(b) })
	part(at[3], e.features, e.targets, func(b *block) { m.card = readCard(b) })
	must(e.version == 4 || (e.version == 3) == (at[6] != 0 || at[7] != 0) && (e.version != 2 || at[4] != 0 || at[5] != 0))
	must(at[7] == 0 || at[4] == 0 && at[5] == 0 && e.targets == 1 && e.version != 4)
	must(at[4] == 0 || at[4] == end)
	for t := uint32(0); at[4] != 0 && t < e.targets; t++ {
		part(end, 0, 1, func(b *block) { m.interval = append(m.interval, readConformal(b)) })
	}
	part(at[5], e.features, e.targets, func(b *block) { m.adapt = readAdapt(b) })
	part(at[6], e.features, e.features, func(b *block) { m.levels = readLevels(b) })
	part(at[7], 0, 1, func(b *block) { m.probability = readProbability(b) })
	part(at[8], e.features, 1, func(b *block) { m.ratio = readRatio(b) })
	must(uint64(end) == uint64(len(e.raw)))
	return m
}

func (m *Model) readPredictor(b *block, whole bool) {
	kind := kinds[b.kind]
	must(kind.name != "" && b.version >= 1 && b.version <= kind.newest && (whole || b.kind != kindBest))
	switch m.Kind = kind.name; b.kind {
	case kindTree:
		m.trees = readTree(b)
	case kindForest, kindBoost:
		m.trees = readEnsemble(b)
	case kindLinear:
		m.line = readLine(b)
	case kindScaling:
		m.law = readLaw(b)
	case kindBest:
		m.best = readBest(b)
	default:
		panic(unread(fmt.Sprintf("the model has a part of kind %s, but Go reads only tree, forest, boost, linear, "+
			"scaling and best", kind.name)))
	}
}

// ---- predicting ----

// Predict returns the prediction of the first target, or the probability of a 1.
func (m *Model) Predict(row []float32) float32 {
	var room [16]float32
	out := room[:]
	if m.Targets > len(out) {
		out = make([]float32, m.Targets)
	}
	m.PredictAll(row, out)
	return out[0]
}

// PredictAll writes the predictions of all targets to out[:Targets].
func (m *Model) PredictAll(row, out []float32) {
	var room [256]float32
	row, out = row[:m.Features], out[:m.Targets]
	form := float32(1)
	if m.ratio != nil {
		form = m.ratio.form(row)
	}
	if m.input != nil || m.levels != nil && m.levels.statistics != nil {
		seen := room[:]
		if m.Features > len(room) {
			seen = make([]float32, m.Features)
		}
		for j, v := range row {
			if m.levels != nil {
				v = m.levels.apply(j, v)
			}
			if m.input != nil {
				v = m.input.apply(j, v)
			}
			seen[j] = v
		}
		row = seen[:m.Features]
	}
	switch {
	case m.trees != nil:
		m.trees.predict(row, out)
	case m.line != nil:
		m.line.predict(row, out)
	case m.law != nil:
		out[0] = m.law.predict(row)
	default:
		out[0] = m.best.predict(row)
	}
	for t := range out {
		if m.target != nil {
			out[t] = m.target.invert(t, out[t])
		}
		if m.ratio != nil {
			if out[t] *= form; out[t] > math.MaxFloat32 {
				out[t] = math.MaxFloat32
			}
		}
		if m.probability != nil {
			out[t] = m.probability.apply(out[t])
		}
	}
}

// Trust tells how far a row lies from the rows of the training.
type Trust uint32

// Inside: in the range of each feature. Edge: outside by at most a tenth of a range. Outside: farther.
const (
	Inside Trust = iota
	Edge
	Outside
)

// An Answer is a prediction of the first target, with its interval and what it is worth.
type Answer struct {
	Value, Low, High float32 // Low and High are NaN if the model has no interval
	Trust            Trust
	Feature          int // the one that lies farthest out, or -1
}

// Ask predicts the first target, as sooth_model_interval does.
func (m *Model) Ask(row []float32) (a Answer) {
	a.Value, a.Low, a.High = m.Interval(0, m.Predict(row))
	a.Trust, a.Feature = m.Trust(row)
	return a
}

// Interval returns the interval of a prediction of a target. If no value of the training was below 0, nothing
// is below 0, the prediction included.
func (m *Model) Interval(target int, predicted float32) (value, low, high float32) {
	value, low, high = predicted, Missing, Missing
	if m.interval != nil {
		low, high = m.interval[target].interval(predicted)
	}
	if m.card != nil && m.card.ranges[2*(m.Features+target)] >= 0 {
		for _, v := range []*float32{&value, &low, &high} {
			if *v < 0 {
				*v = 0
			}
		}
	}
	return value, low, high
}

// Trust returns how far a row lies outside of the training, and the feature that lies farthest out, or -1.
func (m *Model) Trust(row []float32) (Trust, int) {
	worst, feature := float32(0), -1
	for j := 0; j < m.Features; j++ {
		out := float32(0)
		if m.adapt != nil {
			out = m.adapt.beyond(j, row[j])
		} else {
			out = m.beyond(j, row[j])
		}
		if out > worst {
			worst, feature = out, j
		}
	}
	if worst > 0.1 {
		return Outside, feature
	} else if worst > 0 {
		return Edge, feature
	}
	return Inside, feature
}

// Outside returns the number of features that are outside of the training.
func (m *Model) Outside(row []float32) (n int) {
	for j := 0; j < m.Features; j++ {
		if m.beyond(j, row[j]) > 0 {
			n++
		}
	}
	return n
}

// Quantiles writes the quantiles q of a forest that kept its rows, as sooth_forest_quantiles does for the
// predictor; false if the model has none. The row is not transformed. It allocates.
func (m *Model) Quantiles(row, q, out []float32) bool {
	t := m.trees
	if t == nil || t.rank == nil {
		return false
	}
	leaf := make([]uint32, len(t.start)-1)
	for k := range leaf {
		leaf[k] = t.walk(t.start[k], row)
	}
	all, less := t.votes(leaf, uint32(len(t.target)-1)), float32(1)-float32(1e-6)
	for i, share := range q {
		wanted := share * all * less
		out[i] = t.target[sort.Search(len(t.target)-1, func(rank int) bool {
			votes := t.votes(leaf, uint32(rank))
			return votes >= wanted && votes > 0
		})]
	}
	return true
}

// Levels returns the quantiles that the targets are, ascending; nil if they are none. A row's never cross.
func (m *Model) Levels() []float32 {
	if m.trees == nil {
		return nil
	}
	return append([]float32(nil), m.trees.level...)
}

// Names returns the names of the features and of the targets; they are "" in a model without a card.
func (m *Model) Names() (features, targets []string) {
	if m.card == nil {
		return make([]string, m.Features), make([]string, m.Targets)
	}
	return m.card.features, m.card.targets
}

// Map returns where each feature is among a host's names, -1 if nowhere, and how many are nowhere.
func (m *Model) Map(names []string) (column []int, missing int) {
	features, _ := m.Names()
	for j, name := range features {
		column = append(column, -1)
		for i := len(names) - 1; i >= 0; i-- { // ends with the first of equal names
			if names[i] == name && name != "" {
				column[j] = i
			}
		}
		if column[j] < 0 {
			missing++
		}
	}
	return column, missing
}

// Categorical returns whether a feature is a category, so that rows hold codes.
func (m *Model) Categorical(feature int) bool {
	return m.levels != nil && m.levels.categorical[feature] > 0
}

// Code returns the number of a category, by its text, as used in rows: a NaN if it is unknown.
func (m *Model) Code(feature int, text string) float32 {
	if m.levels == nil {
		return Missing
	}
	return m.levels.code(feature, text)
}
