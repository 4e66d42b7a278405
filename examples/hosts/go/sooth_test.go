package sooth

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const kept = "../../../tests/kept"

// ---- the kept models answer as they did: tests/model/test_kept.c ----

// philox is sooth_rng of include/sooth/base.h.
type philox struct {
	counter [4]uint32
	key     [2]uint32
	word    [4]uint32
	left    int
}

func (p *philox) next() uint32 {
	if p.left == 0 {
		c, k := p.counter, p.key
		for round := 0; round < 10; round++ {
			a, b := uint64(0xD2511F53)*uint64(c[0]), uint64(0xCD9E8D57)*uint64(c[2])
			c = [4]uint32{uint32(b>>32) ^ c[1] ^ k[0], uint32(b), uint32(a>>32) ^ c[3] ^ k[1], uint32(a)}
			k[0] += 0x9E3779B9
			k[1] += 0xBB67AE85
		}
		p.word, p.left = c, 4
		p.counter[0]++
	}
	p.left--
	return p.word[3-p.left]
}

func (p *philox) float() float32 { return float32(p.next()>>8) / (1 << 24) }

// keptRows returns the fixed rows of test_kept.c. With lack one number of each is missing.
func keptRows(features int, lack bool) [][]float32 {
	p := philox{key: [2]uint32{100, 0}, counter: [4]uint32{0, 0, uint32(features), 0}}
	rows := make([][]float32, 150)
	for i := range rows {
		rows[i] = make([]float32, features)
		for j := range rows[i] {
			rows[i][j] = 1 + mul(3, p.float())
		}
	}
	for i := range rows {
		if lack {
			rows[i][i%features] = Missing
		}
	}
	return rows
}

type fnv uint64

func (h *fnv) add(values ...float32) {
	for _, v := range values {
		w := math.Float32bits(v)
		if v != v {
			w = 0x7FC00000
		}
		for i := 0; i < 4; i++ {
			*h = (*h ^ fnv(w>>(8*i)&255)) * 1099511628211
		}
	}
}

func keptAnswers(m *Model, lack bool) uint64 {
	h := fnv(14695981039346656037)
	rows, out := keptRows(m.Features, lack), make([]float32, m.Targets)
	for _, row := range rows {
		m.PredictAll(row, out)
		h.add(out...)
	}
	for twice := 0; twice < 2 && m.interval != nil; twice++ {
		for _, row := range rows[75:] {
			a := m.Ask(row)
			h.add(a.Value, a.Low, a.High, 0)
			h = h*31 + fnv(uint32(a.Trust)+4*uint32(a.Feature))
		}
	}
	return uint64(h)
}

func TestKept(t *testing.T) {
	lists, _ := filepath.Glob(kept + "/*/answers.txt")
	if len(lists) == 0 {
		t.Skip("the kept models are not here")
	}
	read, refused := 0, 0
	for _, list := range lists {
		file, err := os.Open(list)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		for lines := bufio.NewScanner(file); lines.Scan(); {
			var full, lacking, card uint64
			var name string
			if _, err := fmt.Sscanf(lines.Text(), "%x %x %x %s", &full, &lacking, &card, &name); err != nil {
				t.Fatal(err)
			}
			raw, err := os.ReadFile(filepath.Join(filepath.Dir(list), name))
			if err != nil {
				t.Fatal(err)
			}
			m, err := Read(raw)
			if err != nil {
				refused++
				t.Logf("%s: %v", name, err)
				continue
			}
			read++
			if m.adapt != nil {
				continue // its answers are of launches observed
			}
			if keptAnswers(m, false) != full || keptAnswers(m, true) != lacking {
				t.Errorf("%s answers otherwise", name)
			}
		}
	}
	if read < 32 {
		t.Errorf("%d kept models are read, %d refused", read, refused)
	}
}

// ---- the same answers as C: tests/hosts/go/answers.c ----

// cases is what the C program wrote.
type cases struct {
	in    *bufio.Reader
	where string
}

func (c *cases) bytes(n uint32) []byte {
	b := make([]byte, n)
	if _, err := io.ReadFull(c.in, b); err != nil {
		panic(c.where + " is cut short")
	}
	return b
}

func (c *cases) word() uint32 { return binary.LittleEndian.Uint32(c.bytes(4)) }

func (c *cases) floats(n uint32) []float32 {
	b, out := c.bytes(4*n), make([]float32, n)
	for i := range out {
		out[i] = ofBits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return out
}

func same(a, b []float32) bool {
	for i := range a {
		if toBits(a[i]) != toBits(b[i]) && (a[i] == a[i] || b[i] == b[i]) {
			return false
		}
	}
	return len(a) == len(b)
}

// TestCases reads the files that SOOTH_CASES names, if there are any.
func TestCases(t *testing.T) {
	for _, path := range strings.Fields(os.Getenv("SOOTH_CASES")) {
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		c := &cases{bufio.NewReaderSize(file, 1<<16), path}
		sound, refused, unreadable, rows := 0, 0, 0, 0
		for n := 0; c.word() == 1 && !t.Failed(); n++ {
			why := string(c.bytes(c.word()))
			raw := c.bytes(c.word())
			m, err := Read(raw)
			_, other := err.(unread)
			switch {
			case why != "":
				refused++
				if err == nil || !other && err.Error() != why {
					t.Errorf("%s, case %d: C refuses it, %s; Go says %v", path, n, why, err)
				}
				continue
			case err == nil:
				sound++
			case other:
				unreadable++
			default:
				t.Errorf("%s, case %d: C takes it; Go says %v", path, n, err)
			}
			rows += c.compare(t, m, n)
		}
		fmt.Printf("%s: %d sound, %d refused, %d of other kinds, %d rows\n", filepath.Base(path), sound, refused, unreadable,
			rows)
	}
}

// compare compares the answers of a sound file; m is nil if its kind is not read.
func (c *cases) compare(t *testing.T, m *Model, n int) (rows int) {
	for texts := c.word(); texts > 0; texts-- {
		column, text := c.word(), string(c.bytes(c.word()))
		want := c.floats(1)
		if m != nil && !same([]float32{m.Code(int(column), text)}, want) {
			t.Errorf("%s, case %d: C has the code %v for %q, Go %v", c.where, n, want, text, m.Code(int(column), text))
		}
	}
	count, features, targets, quantiles := c.word(), c.word(), c.word(), c.word()
	if levels := c.floats(c.word()); m != nil && !same(m.Levels(), levels) {
		t.Errorf("%s, case %d: C has the levels %v, Go %v", c.where, n, levels, m.Levels())
	}
	for i := uint32(0); i < count; i++ {
		row, want := c.floats(features), c.floats(targets)
		ends, asked := c.floats(3), []uint32{c.word(), c.word(), c.word()}
		more, quantile := c.floats(3*targets), c.floats(quantiles)
		if m == nil {
			continue
		}
		out := make([]float32, targets)
		m.PredictAll(row, out)
		a := m.Ask(row)
		if !same(out, want) || !same([]float32{m.Predict(row)}, want[:1]) {
			t.Errorf("%s, case %d, row %d %v: C predicts %v, Go %v", c.where, n, i, row, want, out)
			return rows
		}
		if !same([]float32{a.Value, a.Low, a.High}, ends) || uint32(a.Trust) != asked[0] ||
			uint32(a.Feature) != asked[1] || uint32(m.Outside(row)) != asked[2] {
			t.Errorf("%s, case %d, row %d %v: C answers %v %v, Go %v", c.where, n, i, row, ends, asked, a)
			return rows
		}
		for k := range want {
			value, low, high := m.Interval(k, want[k])
			if !same([]float32{value, low, high}, more[3*k:3*k+3]) {
				t.Errorf("%s, case %d, row %d, target %d: another interval", c.where, n, i, k)
			}
		}
		if got := make([]float32, quantiles); quantiles > 0 && (!m.Quantiles(row, []float32{0.05, 0.5, 0.95}, got) ||
			!same(got, quantile)) {
			t.Errorf("%s, case %d, row %d: C has the quantiles %v, Go %v", c.where, n, i, quantile, got)
		}
		rows++
	}
	return rows
}

// ---- bytes from anyone ----

// seal mends the checksums of the block at the beginning of raw and of the blocks inside of it.
func seal(raw []byte) {
	if len(raw) < 80 {
		return
	}
	size, from, most := uint64(word(raw, 2)), []uint64{}, uint64(len(raw))
	switch kind, version := word(raw, 1)&0xFFFF, word(raw, 1)>>16; {
	case kind == kindModel:
		for k := uint64(8); k < 16 && (k < 12 || version > 1); k++ {
			from = append(from, uint64(word(raw, k)))
		}
	case kind == kindBest:
		at := uint64(word(raw, 5))
		for k := word(raw, 8); k > 0 && at%16 == 0 && at > 0 && at+32 <= most && len(from) < 8; k-- {
			from = append(from, at)
			at += uint64(word(raw[at:], 2))
		}
	}
	for _, at := range from {
		if at%16 == 0 && at >= 32 && at+32 <= most {
			seal(raw[at:])
		}
	}
	if size >= 32 && size%16 == 0 && size <= most {
		binary.LittleEndian.PutUint32(raw[12:], checksum(raw[:size]))
	}
}

// use asks a sound model for all that it has.
func use(m *Model, value float32) {
	if m.Features > 1000 || m.Targets > 1000 { // a few bytes may claim any number of features
		return
	}
	row, out := make([]float32, m.Features), make([]float32, 3+m.Targets)
	for _, v := range []float32{0, value, Missing, -value, 1e30} {
		for j := range row {
			row[j] = v
		}
		m.PredictAll(row, out)
		m.Ask(row)
		m.Interval(m.Targets-1, v)
		m.Outside(row)
		m.Quantiles(row, []float32{0, 0.5, 1}, out)
	}
	m.Names()
	m.Levels()
	m.Map([]string{"x", ""})
	for j := range row {
		if m.Categorical(j) {
			m.Code(j, "-07.50e+3")
		}
	}
}

// FuzzRead changes kept models, with mended checksums and without: they are refused with a sentence, or used.
func FuzzRead(f *testing.F) {
	paths, _ := filepath.Glob(kept + "/*/*.sooth")
	for _, path := range paths {
		if raw, err := os.ReadFile(path); err == nil && len(raw) < 8000 {
			f.Add(raw, float32(1.5), true)
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte, value float32, mend bool) {
		if mend {
			raw = append([]byte(nil), raw...)
			seal(raw)
		}
		m, err := Read(raw)
		if (m == nil) == (err == nil) || err != nil && err.Error() == "" {
			t.Fatalf("a model %v and an error %v", m, err)
		}
		if m != nil {
			use(m, value)
		}
	})
}

// TestSpelling compares the canonical spellings of categories with what preprocess/levels.h states.
func TestSpelling(t *testing.T) {
	for text, want := range map[string]string{"40": "40", "40.0": "40", "4e1": "40", "+4.0E+01": "40", "-0": "0", ".50": "0.5",
		"True": "True", "fALSE": "False", "1e-7": "1e-7", "12345e-9": "0.000012345", "1e21": "1e21", "1e20": "100000000000000000000",
		"": "", ".": "", "1e": "", "1.2.3": "", "e5": "", "truely": "", "1e99999": "1e99999", "1e100000": "", "--1": ""} {
		if got := canonical(text); got != want {
			t.Errorf("%q becomes %q, not %q", text, got, want)
		}
	}
}

// TestOrphan: a node that no node leads to is refused, even where no walk reaches it.
func TestOrphan(t *testing.T) {
	words := []uint32{0x48544F53, kindTree | 1<<16, 80, 0, 80, 80, 1, 1, 3, 0, 3, 0, toBits(1), 0, 0, 1, toBits(2), 0}
	raw := make([]byte, 80)
	for i, w := range words {
		binary.LittleEndian.PutUint32(raw[4*i:], w)
	}
	for depth := uint32(0); depth < 3; depth++ {
		binary.LittleEndian.PutUint32(raw[36:], depth)
		seal(raw)
		if _, err := Read(raw); err != errInvalid {
			t.Errorf("depth %d: %v", depth, err)
		}
	}
	words[12], words[13], words[15], words[8] = toBits(1), 1|1<<3, 0, 3 // a stump
	for i, w := range words {
		binary.LittleEndian.PutUint32(raw[4*i:], w)
	}
	binary.LittleEndian.PutUint32(raw[36:], 1)
	seal(raw)
	if m, err := Read(raw); err != nil || m.Predict([]float32{1}) != 0 || m.Predict([]float32{1.5}) != 2 {
		t.Errorf("a stump: %v", err)
	}
}

// TestLevels: 2 to 8 quantiles of one target, each a leaf, are sorted; other numbers and leaves of all targets
// are refused.
func TestLevels(t *testing.T) {
	for _, flags := range []uint32{flagQuantiles, flagQuantiles | flagRows} {
		for n := uint32(1); n <= 9; n++ {
			words := []uint32{0x48544F53, kindBoost | 4<<16, 0, 0, 0, 0, 1, n, n, n, n, 0, 2, flags, 0, 0, n, 0, 0, 0}
			for k := uint32(0); k < n; k++ {
				leaf := toBits(float32(n - k))
				if flags&flagRows != 0 && n > 1 {
					leaf = k
				}
				words = append(words, leaf, 0)
			}
			for k := uint32(0); k <= n; k++ {
				words = append(words, k)
			}
			words = append(words, make([]uint32, 4*n)...)
			if flags&flagRows != 0 && n > 1 {
				words = append(words, make([]uint32, n*n)...)
			}
			for k := uint32(0); k < n; k++ {
				words = append(words, toBits(float32(k+1)/10))
			}
			words = append(words, make([]uint32, (4-len(words)%4)%4+4)...)
			words[2], words[4], words[5] = uint32(4*len(words)), uint32(4*len(words))-16, uint32(4*len(words))
			raw, out := make([]byte, 4*len(words)), make([]float32, n)
			for i, w := range words {
				binary.LittleEndian.PutUint32(raw[4*i:], w)
			}
			seal(raw)
			m, err := Read(raw)
			if want := flags == flagQuantiles && n >= 2 && n <= 8; (err == nil) != want {
				t.Errorf("%d quantiles with the flags %d: %v", n, flags, err)
			} else if want {
				m.PredictAll([]float32{0}, out)
				for k, v := range out {
					if v != float32(k+1) {
						t.Errorf("%d quantiles are %v", n, out)
						break
					}
				}
			}
		}
	}
}

// TestAllocates: predicting allocates nothing.
func TestAllocates(t *testing.T) {
	paths, _ := filepath.Glob(kept + "/*/*.sooth")
	for _, path := range paths {
		raw, _ := os.ReadFile(path)
		m, err := Read(raw)
		if err != nil {
			continue
		}
		row, out := make([]float32, m.Features), make([]float32, m.Targets)
		if n := testing.AllocsPerRun(10, func() { m.PredictAll(row, out); m.Ask(row); m.Outside(row) }); n != 0 {
			t.Errorf("%s: %v allocations for a row", path, n)
		}
	}
}

// ---- speed ----

// BenchmarkPredict takes the models that SOOTH_BENCH names, or a kept one. One operation is one row.
func BenchmarkPredict(b *testing.B) {
	paths := strings.Fields(os.Getenv("SOOTH_BENCH"))
	if len(paths) == 0 {
		paths, _ = filepath.Glob(kept + "/*/boost.sooth")
	}
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		m, err := Read(raw)
		if err != nil {
			b.Fatal(err)
		}
		p, rows, out := philox{}, make([][]float32, 256), make([]float32, m.Targets)
		for i := range rows {
			rows[i] = make([]float32, m.Features)
			for j := range rows[i] {
				least, most := float32(1), float32(4)
				if m.card != nil {
					least, most = m.card.ranges[2*j], m.card.ranges[2*j+1]
				}
				rows[i][j] = least + mul(most-least, p.float())
			}
		}
		b.Run(filepath.Base(path), func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; i < b.N; i++ {
				m.PredictAll(rows[i%256], out)
			}
		})
		b.Run(filepath.Base(path)+"/read", func(b *testing.B) {
			for i := 0; i < b.N; i++ {
				if _, err := Read(raw); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
