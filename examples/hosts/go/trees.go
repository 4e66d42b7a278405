package sooth

import (
	"math"
	"math/bits"
	"sort"
)

// Trees, forests, boosting: tree.h, tree/ensemble.h, tree/linear_leaves.h, forest.h.

const (
	flagMean, flagExact, flagLow, flagRows, flagCover, flagLinear, flagSets = 1, 2, 4, 8, 16, 32, 64
	flagZeros, flagQuantiles                                                = 128, 256
)

// A node. left is 0 in a leaf; the right child follows the left one.
type node struct {
	word uint32 // bits of the threshold or of the value; or the row of a leaf's values
	ask  uint32 // 2 x the feature, + 1 if a missing value goes right
	left uint32
}

type trees struct {
	features, targets, width, depth int // width: targets of a leaf
	flags, link                     uint32
	node                            []node
	start                           []uint32 // of each tree; one for a tree by itself
	base, hull, values, low, level  []float32
	plane, record                   []uint32    // of linear leaves
	first, member                   []uint32    // of sets
	from                            float32     // values below it are in no set
	table                           [][8]int64  // of eight shallow trees, 2^depth places: key of threshold, feature
	leaf                            [][8]uint32 // and 2^depth words of leaves
	target                          []float32
	rows, rank                      []uint32 // of kept rows
	shift, leaves, sets             uint32   // while reading
}

// readNodes appends a tree of these words. Its order proves that a walk ends. expect: what the word of a leaf
// must be: 0 any value, 1 its index among the leaves, 2 among the nodes. Returns the depth.
func (t *trees) readNodes(w []uint32, expect int) (depth int) {
	base, count, next, level := uint32(len(t.node)), uint32(len(w)/2), uint32(1), uint32(1)
	mask := (uint32(1)<<t.shift - 1) &^ 3
	for i := uint32(0); i < count; i++ {
		n, link := node{word: w[2*i]}, w[2*i+1]
		must(i != next)
		if i == level {
			depth++
			level = next
		}
		if link&1 != 0 {
			n.ask, n.left = link&mask>>1|link>>1&1, base+next
			must(link>>t.shift == next-i && int64(n.ask>>1) < int64(t.features))
			if v := ofBits(n.word); v != v {
				set := n.word - 0x7FC00000
				must(t.flags&flagSets != 0 && set <= t.sets)
				if set == t.sets {
					t.sets++
				}
			}
			next += 2
		} else {
			must(link == 0 && (expect != 1 || n.word == t.leaves) && (expect != 2 || n.word == i))
			t.leaves++
		}
		t.node = append(t.node, n)
	}
	must(next == count)
	return depth
}

func (t *trees) readSets(b *block, sets, words uint32) {
	t.first, t.member = b.words(uint64(sets)+1), b.words(uint64(words))
	must(sets == t.sets && t.first[0] == 0 && t.first[sets] == words)
	for k := uint32(1); k < sets; k++ {
		must(t.first[k] <= t.first[k+1])
	}
}

func (t *trees) readPlanes(b *block, records uint32) {
	next := uint32(0)
	t.plane, t.record = b.words(uint64(len(t.node))), b.words(5*uint64(records))
	for k, p := range t.plane {
		if p == 0 {
			continue
		}
		must(t.node[k].left == 0 && p-1 == next && next < records)
		r := t.record[5*uint64(next):]
		must(r[0] != 0 && r[0] <= records-next-1 && ofBits(r[3]) <= ofBits(r[4]))
		for i := uint32(1); i <= r[0]; i++ {
			must(int64(r[5*i]) < int64(t.features) && ofBits(r[5*i+3]) <= ofBits(r[5*i+4]))
		}
		next += 1 + r[0]
	}
	must(next == records)
}

func readTree(b *block) *trees {
	nodes, depth, shift, statistics := uint64(b.next()), b.next(), b.next(), uint64(b.next())
	targets, expect := uint64(b.targets), 0
	must(b.features > 0 && targets > 0 && statistics <= 1 && shift >= 2 && shift <= 31)
	t := &trees{features: int(b.features), targets: int(targets), width: int(targets), shift: shift}
	if b.version == 3 {
		t.flags = flagSets
	}
	if targets > 1 {
		expect = 1 + int(statistics)
	}
	t.depth = t.readNodes(b.words(2*nodes), expect)
	must(t.depth == int(depth))
	if statistics == 1 {
		t.values = b.floats(nodes * targets)
		b.words(nodes)
	} else if targets > 1 {
		t.values = b.floats((nodes + 1) / 2 * targets)
	}
	if b.version == 3 {
		sets := b.next()
		must(sets > 0)
		b.has(4 * (uint64(sets) + 1))
		t.readSets(b, sets, word(b.raw, b.at+uint64(sets)))
	}
	if b.version > 1 {
		records := b.next()
		must(records > 0 || b.version == 3)
		if records > 0 {
			must(targets == 1)
			t.readPlanes(b, records)
		}
	}
	b.ends(16 * statistics * nodes)
	return t
}

func readEnsemble(b *block) *trees {
	count, nodes, leaves, depth, shift := b.next(), uint64(b.next()), b.next(), b.next(), b.next()
	flags, link, tableDepth, extra := b.next(), b.next(), b.next(), uint64(b.next())
	records, sets, words, targets := b.next(), b.next(), b.next(), uint64(b.targets)
	is := func(flag uint32) bool { return flags&flag != 0 }
	wide, version := is(flagRows) && b.targets > 1, uint32(1)
	if is(flagQuantiles) {
		version = 4
	} else if is(flagSets) {
		version = 3
	} else if is(flagLinear) {
		version = 2
	}
	must(b.version == version && b.features > 0 && b.targets > 0 && b.targets <= 0x10000000 && count > 0 &&
		count < 0x1000000 && shift >= 2 && shift <= 31 && flags <= 511 && link <= 2 && tableDepth <= 8)
	must((wide || count%b.targets == 0) && (!is(flagLow) || !wide && is(flagExact)) && !(is(flagLinear) && wide))
	must((tableDepth == 0 || !wide && !is(flagLow|flagLinear|flagSets)) && (is(flagSets) || !is(flagZeros)))
	must(!is(flagQuantiles) || b.kind == kindBoost && !wide && !is(flagMean) && link == 0 && b.targets > 1 &&
		b.targets <= 8 && extra == targets)
	t := &trees{features: int(b.features), targets: int(b.targets), width: 1, flags: flags, link: link, shift: shift,
		depth: int(depth)}
	array := func(on bool, n uint64) []float32 {
		if on {
			return b.floats(n)
		}
		return nil
	}
	tree, expect, deepest := b.words(2*nodes), 0, 0
	t.start, t.base, t.hull = b.words(uint64(count)+1), b.floats(2*targets), b.floats(2*targets)
	if wide {
		t.width, expect = int(targets), 1
	}
	t.values = array(wide, uint64(leaves)*targets)
	t.low = array(is(flagLow), nodes)
	array(is(flagCover), nodes)
	must(t.start[0] == 0 && uint64(t.start[count]) == nodes)
	t.node = make([]node, 0, nodes)
	for k := uint32(0); k < count; k++ {
		from, to := t.start[k], t.start[k+1]
		must(from < to && uint64(to) <= nodes)
		if d := t.readNodes(tree[2*from:2*to], expect); d > deepest {
			deepest = d
		}
	}
	must(t.leaves == leaves && deepest == t.depth)
	if tableDepth > 0 {
		must(deepest <= int(tableDepth))
		t.checkTable(b.words((uint64(count)+7)/8*24<<tableDepth), tableDepth)
	}
	if is(flagLinear) {
		t.readPlanes(b, records)
	}
	if is(flagSets) {
		t.readSets(b, sets, words)
	}
	if is(flagZeros) {
		t.from = -0.99999994
	}
	for k := 0; k < len(t.hull); k += 2 {
		must(t.hull[k] <= t.hull[k+1])
	}
	if is(flagQuantiles) {
		t.readLevels(b)
	} else if extra > 0 {
		must(b.kind == kindForest)
		t.readRows(b, extra)
	}
	b.ends(8 * uint64(b.features))
	if deepest <= 8 && t.features <= 256 && !is(flagLow|flagLinear|flagSets) && uint64(count)<<depth <= 4*nodes+1024 {
		t.makeTable()
	}
	return t
}

// place returns the node of a place: 1 is the root, 2 k and 2 k + 1 are the children of k. A leaf higher up is
// that of all places below it.
func (t *trees) place(tree, k uint32) *node {
	n := &t.node[t.start[tree]]
	for level := bits.Len32(k) - 1; level > 0 && n.left != 0; level-- {
		n = &t.node[n.left+k>>(level-1)&1]
	}
	return n
}

// checkTable checks the second form in the file, which predicts what the nodes do.
func (t *trees) checkTable(w []uint32, depth uint32) {
	for tree := uint32(0); tree < uint32(len(t.start)+6)/8*8; tree++ {
		group := w[tree/8*24<<depth:]
		for k := uint32(0); k < 2<<depth; k++ {
			want, ask := uint32(0), uint32(0)
			if int(tree) < len(t.start)-1 && k > 0 {
				n := t.place(tree, k)
				want, ask = n.word, n.ask>>1<<2
				if k>>depth == 0 && n.left == 0 {
					want = 0x7F800000
				}
			}
			if k>>depth != 0 {
				must(group[16<<depth+8*(k-1<<depth)+tree%8] == want)
			} else {
				must(group[16*k+2*(tree%8)] == want && group[16*k+2*(tree%8)+1] == ask)
			}
		}
	}
}

// key orders floats as integers: x > t if and only if key(x) > key(t). -0 is 0.
func key(v float32) int64 {
	b := toBits(v + 0)
	return int64(int32(b ^ uint32(int32(b)>>31)>>1))
}

// makeTable lays all trees out as full ones, so that a walk knows its length and has no branch.
func (t *trees) makeTable() {
	count, depth := uint32(len(t.start)-1), uint32(t.depth)
	t.table, t.leaf = make([][8]int64, (count+7)/8<<depth+256), make([][8]uint32, (count+7)/8<<depth)
	for tree := uint32(0); tree < count; tree++ {
		for k := uint32(1); k < 2<<depth; k++ {
			n, at := t.place(tree, k), tree/8<<depth+k
			if k>>depth != 0 {
				t.leaf[at-1<<depth][tree%8] = n.word
			} else if n.left == 0 {
				t.table[at][tree%8] = math.MaxInt32 << 32 // to the left
			} else {
				t.table[at][tree%8] = key(ofBits(n.word))<<32 | int64(n.ask>>1)
			}
		}
	}
}

// readLevels reads which quantiles the targets are.
func (t *trees) readLevels(b *block) {
	last := float32(0)
	t.level = b.floats(uint64(t.targets))
	for _, level := range t.level {
		must(level > last && level < 1)
		last = level
	}
}

func (t *trees) readRows(b *block, extra uint64) {
	rows, nodes := uint64(b.next()), uint64(len(t.node))
	must(rows > 0 && rows+nodes+2 <= extra)
	t.target, t.rows, t.rank = b.floats(rows), b.words(nodes+1), b.words(extra-(rows+nodes+2))
	must(t.rows[0] == 0 && uint64(t.rows[nodes]) == uint64(len(t.rank)))
	for i, v := range t.target {
		must(v == v && (i == 0 || t.target[i-1] <= v))
	}
	for i, n := range t.node {
		must(t.rows[i] == t.rows[i+1] || t.rows[i] < t.rows[i+1] && n.left == 0)
	}
	for _, rank := range t.rank {
		must(uint64(rank) < rows)
	}
}

// walk returns the leaf that a row ends in.
func (t *trees) walk(at uint32, row []float32) uint32 {
	for n := &t.node[at]; n.left != 0; n = &t.node[at] {
		x, threshold := row[n.ask>>1], ofBits(n.word)
		at = n.left
		if x > threshold {
			at++
		} else if x <= threshold {
			continue
		} else if x != x {
			at += n.ask & 1
		} else if !t.contains(n.word-0x7FC00000, x) {
			at++
		}
	}
	return at
}

// contains returns whether set k holds the category x.
func (t *trees) contains(k uint32, x float32) bool {
	if !(x >= t.from && x < 4294967296) {
		return false
	}
	c, set := uint64(int64(x)), t.member[t.first[k]:t.first[k+1]]
	return c/32 < uint64(len(set)) && set[c/32]>>(c&31)&1 != 0
}

// right is 1 if a row goes right at a node of the table.
func right(n int64, row *[256]int64) int { return int(uint64(n>>32-row[uint8(n)]) >> 63) }

// eight walks down eight trees together: while one waits for memory, the others go on. The places stay in
// registers since nothing else happens here.
//
//go:noinline
func eight(group *[256][8]int64, row *[256]int64, depth int) (a, b, c, d, e, f, g, h int) {
	for a, b, c, d, e, f, g, h = 1, 1, 1, 1, 1, 1, 1, 1; depth > 0; depth-- {
		a = 2*a + right(group[uint8(a)][0], row)
		b = 2*b + right(group[uint8(b)][1], row)
		c = 2*c + right(group[uint8(c)][2], row)
		d = 2*d + right(group[uint8(d)][3], row)
		e = 2*e + right(group[uint8(e)][4], row)
		f = 2*f + right(group[uint8(f)][5], row)
		g = 2*g + right(group[uint8(g)][6], row)
		h = 2*h + right(group[uint8(h)][7], row)
	}
	return a, b, c, d, e, f, g, h
}

// group finds the words of the leaves of eight trees.
func (t *trees) group(tree int, row *[256]int64, leaf *[8]uint32) {
	from := tree / 8 << t.depth
	a, b, c, d, e, f, g, h := eight((*[256][8]int64)(t.table[from:]), row, t.depth)
	leaves := t.leaf[from : from+1<<t.depth]
	for i, at := range [8]int{a, b, c, d, e, f, g, h} {
		leaf[i] = leaves[at-len(leaves)][i]
	}
}

// product returns a b and its rounding error (Dekker, 1971).
func product(a, b float32) (p, e float32) {
	ah, bh := mul(a, 4097), mul(b, 4097)
	ah, bh = ah-(ah-a), bh-(bh-b)
	al, bl := a-ah, b-bh
	p = mul(a, b)
	return p, ((mul(ah, bh) - p) + mul(ah, bl) + mul(al, bh)) + mul(al, bl)
}

// value returns the value of a leaf, which may be linear, and its low part.
func (t *trees) value(leaf uint32, row []float32) (v, low float32) {
	v = ofBits(t.node[leaf].word)
	exact := len(t.low) > 0
	if exact {
		low = t.low[leaf]
	}
	if len(t.plane) == 0 || t.plane[leaf] == 0 {
		return v, low
	}
	r := t.record[5*uint64(t.plane[leaf]-1):]
	s, least, most := sum{ofBits(r[1]), ofBits(r[2])}, ofBits(r[3]), ofBits(r[4])
	for i := uint32(1); i <= r[0]; i++ {
		x, slope, centre := row[r[5*i]], ofBits(r[5*i+1]), ofBits(r[5*i+2])
		if x != x {
			return v, low
		}
		if x = clip(x, ofBits(r[5*i+3]), ofBits(r[5*i+4])); exact { // centre is the slope's low part
			p, e := product(slope, x)
			s = s.plus(p, e+mul(centre, x), true)
		} else {
			s.high += mul(slope, x-centre)
		}
	}
	if !exact {
		return clip(s.high, least, most), 0
	}
	v = s.high + s.low
	if within(v, least, most) {
		return v, s.low - (v - s.high)
	}
	return clip(v, least, most), 0
}

// sum is high + low; low stays 0 unless the ensemble is exact.
type sum struct{ high, low float32 }

func (s sum) plus(v, low float32, exact bool) sum {
	next := s.high + v
	if exact {
		back := next - s.high
		s.low += (s.high - (next - back)) + (v - back) + low
	}
	return sum{next, s.low}
}

func min(a, b int) int {
	if a < b {
		return a
	}
	return b
}

// divide returns (high + low) / n.
func (s sum) divide(n float32) float32 {
	large := !(s.high > -1e30 && s.high < 1e30)
	if large {
		s.high, s.low = mul(s.high, 5.42101086e-20), mul(s.low, 5.42101086e-20)
	}
	q := s.high / n
	if !(q > -1e30 && q < 1e30) {
		return q
	}
	p, e := product(q, n)
	mean := q + (((s.high-p)-e)+s.low)/n
	if large {
		mean *= 18446744073709551616
	}
	return mean
}

// finish turns the sum of a target over `used` trees into a prediction.
func (t *trees) finish(target int, s sum, used int) float32 {
	v := s.high + s.low
	if t.flags&flagMean != 0 {
		v = clip(s.divide(float32(used)), t.hull[2*target], t.hull[2*target+1])
	}
	switch t.link {
	case 1:
		if v > 88.7 {
			v = 88.7
		}
		return exp(v)
	case 2:
		return sigmoid(v)
	}
	return v
}

// predict computes all targets of a row.
func (t *trees) predict(row, out []float32) {
	if len(t.start) == 0 { // a tree by itself
		if leaf := t.walk(0, row); t.width > 1 {
			copy(out, t.values[int(t.node[leaf].word)*t.width:][:t.width])
		} else {
			out[0], _ = t.value(leaf, row)
		}
		return
	}
	var keys [256]int64
	fast := t.table != nil
	for j := 0; fast && j < t.features; j++ {
		keys[j], fast = key(row[j]), row[j] == row[j]
	}
	if fast && t.targets == 1 {
		out[0] = t.finish(0, t.sumOf(&keys), len(t.start)-1)
		return
	}
	for first := 0; first < t.targets; first += len(sums{}) {
		t.some(row, &keys, fast, out[:t.targets], first)
	}
	if t.level != nil {
		ascend(out[:t.targets])
	}
}

// ascend sorts the quantiles of a row.
func ascend(v []float32) {
	for i, moved := range v {
		for ; i > 0 && v[i-1] > moved; i-- {
			v[i] = v[i-1]
		}
		v[i] = moved
	}
}

// sumOf is `some` for the commonest form: one target, by the table.
func (t *trees) sumOf(keys *[256]int64) sum {
	var leaf [8]uint32
	s, count := sum{t.base[0], 0}, len(t.start)-1
	exact := t.flags&flagExact != 0
	if exact {
		s.low = t.base[1]
	}
	for k := 0; k < count; k += 8 {
		t.group(k, keys, &leaf)
		for _, l := range leaf[:min(8, count-k)] {
			s = s.plus(ofBits(l), 0, exact)
		}
	}
	return s
}

type sums [16]sum

// some computes the targets from `first` on. fast: keys are the row's, in which nothing is missing.
func (t *trees) some(row []float32, keys *[256]int64, fast bool, out []float32, first int) {
	var all sums
	var leaf [8]uint32
	count, exact, out := len(t.start)-1, t.flags&flagExact != 0, out[first:min(len(out), first+len(sums{}))]
	nodes := len(t.low)+len(t.plane) > 0 // leaves are named by their nodes, else by their words
	for i := range out {
		if all[i].high = t.base[first+i]; exact {
			all[i].low = t.base[t.targets+first+i]
		}
	}
	for k := 0; k < count; k += 8 {
		leaves := leaf[:min(8, count-k)]
		if fast {
			t.group(k, keys, &leaf)
		}
		for i := range leaves {
			if !fast {
				leaf[i] = t.walk(t.start[k+i], row)
			}
			if !fast && !nodes {
				leaf[i] = t.node[leaf[i]].word
			}
		}
		for i, l := range leaves {
			if t.width > 1 {
				for j, v := range t.values[int(l)*t.width+first:][:len(out)] {
					all[j] = all[j].plus(v, 0, exact)
				}
			} else if at := t.turn(k+i) - first; at >= 0 && at < len(out) {
				v, low := ofBits(l), float32(0)
				if nodes {
					v, low = t.value(l, row)
				}
				all[at] = all[at].plus(v, low, exact)
			}
		}
	}
	for i := range out {
		out[i] = t.finish(first+i, all[i], count*t.width/t.targets)
	}
}

// turn returns the target that a tree predicts, if each predicts one.
func (t *trees) turn(tree int) int {
	if t.targets == 1 {
		return 0
	}
	return tree % t.targets
}

// votes returns the votes of the leaves for targets up to this rank. The rows of a leaf share a vote.
func (t *trees) votes(leaf []uint32, rank uint32) (votes float32) {
	for _, l := range leaf {
		ranks := t.rank[t.rows[l]:t.rows[l+1]]
		if n := sort.Search(len(ranks), func(i int) bool { return ranks[i] > rank }); len(ranks) > 0 {
			votes += float32(n) / float32(len(ranks))
		}
	}
	return votes
}
