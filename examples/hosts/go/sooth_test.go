package sooth

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"path/filepath"
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
	if read < 28 {
		t.Errorf("%d kept models are read, %d refused", read, refused)
	}
}

