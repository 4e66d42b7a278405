package sooth

import (
	"fmt"
	"math"
	"sort"
	"sync/atomic"
)

// The calls of examples/hosts/serving/serving.h, bit by bit: how long until the first token of a request to an
// LLM server (TTFT), and for each further one (TPOT). It predicts and learns rates; trees are learned by C
// (serving_learn), and Use takes them. Predict and Load are for any goroutine, all others for one at a time.

// Targets of a prediction.
const (
	TTFT = iota
	TPOT
	targets
	memories    = 2
	members     = memories + 1
	columns     = 7
	maxQuantile = 4
)

// ServingOptions are those of serving.h; 0 means the default.
type ServingOptions struct {
	Pods, Kinds, Tickets int
	Quantiles            []float32
	Chunk                float32
}

// A Pod is a server as the router sees it when a request arrives.
type Pod struct {
	Pod, Kind                             int
	Cache, Waiting, Running, Prefill, Age float32
}

type ends [targets][maxQuantile]float32

// A view is what predictions read; it never changes.
type view struct {
	model        [targets]*Model
	move, memory []ends // of kinds
	trees        ends
	with         [targets]bool
	rate         [][targets]float32 // of pods
}

type servingTicket struct {
	serial    uint32
	pod, kind int
	sent      float64
	base      [targets]float32
	end       ends
	said      [members]ends
	inner     [targets * memories]uint64
}

type record struct {
	loss, judged, weight [members]float32
	pinball, held, share float32
}

type podRate struct {
	kind            int
	sum, count, log [targets]float32
}

// Serving predicts and learns. NewServing makes one.
type Serving struct {
	o      ServingOptions
	now    atomic.Value // *view
	model  [targets]*Model
	memory [][targets * memories]*delayed
	record [targets][maxQuantile]record
	ticket []servingTicket
	unused [][]int // of kinds
	rate   []podRate
	median [][targets]float32
}

// NewServing checks the options.
func NewServing(o ServingOptions) (*Serving, error) {
	for _, d := range []struct {
		v     *int
		usual int
	}{{&o.Pods, 16}, {&o.Kinds, 1}, {&o.Tickets, 512}} {
		if *d.v == 0 {
			*d.v = d.usual
		}
	}
	if o.Quantiles == nil {
		o.Quantiles = []float32{0.5, 0.9, 0.99}
	}
	if !(o.Chunk > 0) {
		o.Chunk = 8192
	}
	if o.Kinds < 1 || o.Kinds > 16 || o.Pods < 1 || o.Tickets < 1 || len(o.Quantiles) < 1 || len(o.Quantiles) > maxQuantile {
		return nil, fmt.Errorf("%d kinds and %d quantiles: at most 16 and %d", o.Kinds, len(o.Quantiles), maxQuantile)
	}
	for q, v := range o.Quantiles {
		if !(v >= 0.001 && v <= 0.999) || q > 0 && !(v > o.Quantiles[q-1]) {
			return nil, fmt.Errorf("quantiles must ascend and be 0.001 to 0.999")
		}
	}
	s := &Serving{o: o, rate: make([]podRate, o.Pods), median: make([][targets]float32, o.Kinds),
		memory: make([][targets * memories]*delayed, o.Kinds), unused: make([][]int, o.Kinds),
		ticket: make([]servingTicket, o.Kinds*o.Tickets)}
	for k := range s.memory {
		for i := range s.memory[k] {
			s.memory[k][i] = newDelayed(o.Quantiles, []int{50, 300}[i%memories], o.Tickets)
		}
		for i := o.Tickets - 1; i >= 0; i-- {
			s.unused[k] = append(s.unused[k], k*o.Tickets+i)
		}
	}
	for t := range s.record {
		for q := range s.record[t] {
			s.record[t][q].weight = [members]float32{0.5, 0.5}
		}
	}
	s.publish()
	return s, nil
}

// Use takes trees that C has learned (nil: none).
func (s *Serving) Use(ttft, tpot *Model) error {
	for _, m := range []*Model{ttft, tpot} {
		if m != nil && (m.Features != columns || m.Targets != len(s.o.Quantiles)) {
			return fmt.Errorf("the trees have %d columns and %d targets, but need %d and %d", m.Features, m.Targets,
				columns, len(s.o.Quantiles))
		}
	}
	s.model = [targets]*Model{ttft, tpot}
	s.publish()
	return nil
}

func ahead(chunk, tokens float32, pod *Pod, pace float32) float32 {
	step := pod.Prefill
	if step >= chunk {
		step = chunk
	}
	done := mul(0.5, step)
	if pod.Age > 0 && pace > 0 {
		if done = step; pod.Age < mul(step, pace) {
			done = pod.Age / pace
		}
	}
	return tokens + pod.Prefill + 500 - done
}

// Ahead returns the tokens ahead of a request's first one.
func (s *Serving) Ahead(tokens float32, pod *Pod) float32 { return ahead(s.o.Chunk, tokens, pod, 0) }

func (s *Serving) base(v *view, t int, tokens float32, pod *Pod) float32 {
	rate, median, pace := exp(v.rate[pod.Pod][t]), v.memory[pod.Kind][t][0], float32(0)
	if t == TPOT {
		return rate
	}
	if median <= math.MaxFloat32 {
		pace = mul(rate, exp(median))
	}
	return mul(rate, ahead(s.o.Chunk, tokens, pod, pace))
}

func describe(tokens float32, pod *Pod) [columns]float32 {
	return [columns]float32{pod.Cache, tokens, pod.Waiting, pod.Running, pod.Prefill, pod.Running - pod.Waiting,
		float32(pod.Kind)}
}

func (s *Serving) mix(v *view, t int, base float32, kind int, trees, out []float32) {
	for q := range s.o.Quantiles {
		move := v.memory[kind][t][q]
		if trees != nil {
			move = v.move[kind][t][q] + mul(v.trees[t][q], trees[q])
		}
		out[q] = mul(base, exp(move))
		if q > 0 && out[q] < out[q-1] {
			out[q] = out[q-1]
		}
	}
}

// Predict writes out[(i*2+target)*len(quantiles)+q] in ms for each pod and a request of so many tokens.
// Infinite below 20 labels of a kind of pod: compare Ahead then.
func (s *Serving) Predict(tokens float32, pods []Pod, out []float32) {
	v, n := s.now.Load().(*view), len(s.o.Quantiles)
	for i := range pods {
		row := describe(tokens, &pods[i])
		for t := 0; t < targets; t++ {
			var trees [maxQuantile]float32
			said := out[(i*targets+t)*n:][:n]
			if v.with[t] {
				v.model[t].PredictAll(row[:], trees[:n])
				s.mix(v, t, s.base(v, t, tokens, &pods[i]), pods[i].Kind, trees[:n], said)
			} else {
				s.mix(v, t, s.base(v, t, tokens, &pods[i]), pods[i].Kind, nil, said)
			}
		}
	}
}

// Load returns the factor by which a pod's load may grow until a quantile exceeds the bound, at most 1024.
func (s *Serving) Load(tokens float32, pod *Pod, target, q int, bound float32) float32 {
	v, low, high := s.now.Load().(*view), float32(0), float32(1024)
	for step := 0; step < 40 && low < high; step++ {
		x := mul(0.5, low+high)
		if step == 0 {
			x = low
		} else if step == 1 {
			x = high
		}
		then := Pod{pod.Pod, pod.Kind, 1, mul(pod.Waiting, x), mul(pod.Running, x), mul(pod.Prefill, x), 0}
		if c := mul(pod.Cache, x); c < 1 {
			then.Cache = c
		}
		var trees, end [maxQuantile]float32
		with := []float32(nil)
		if target == TPOT && v.with[target] {
			row := describe(tokens, &then)
			with = trees[:len(s.o.Quantiles)]
			v.model[target].PredictAll(row[:], with)
		}
		s.mix(v, target, s.base(v, target, tokens, &then), pod.Kind, with, end[:])
		if end[q] <= bound {
			low = x
		} else {
			high = x
		}
	}
	return low
}

// medianRate returns the median rate of the pods of a kind that have labels.
func (s *Serving) medianRate(kind, t int) float32 {
	var log []float64
	for i := range s.rate {
		if s.rate[i].kind == kind && s.rate[i].count[t] > 0 {
			log = append(log, float64(s.rate[i].log[t]))
		}
	}
	sort.Float64s(log)
	return float32(log[(len(log)+1)/2-1])
}

func (s *Serving) publish() {
	v := &view{model: s.model, move: make([]ends, s.o.Kinds), memory: make([]ends, s.o.Kinds),
		rate: make([][targets]float32, s.o.Pods)}
	for t := 0; t < targets; t++ {
		for q := range s.o.Quantiles {
			w := &s.record[t][q].weight
			if v.model[t] != nil {
				v.trees[t][q] = w[memories]
			}
			v.with[t] = v.with[t] || v.trees[t][q] > 0
			for k := range s.memory {
				m := s.memory[k][t*memories:]
				move := mul(w[0], m[0].move[q]) + mul(w[1], m[1].move[q])
				v.memory[k][t][q] = move / (w[0] + w[1])
				v.move[k][t][q] = v.memory[k][t][q]
				if v.trees[t][q] > 0 {
					v.move[k][t][q] = move
				}
			}
		}
		for p := range s.rate {
			if r := &s.rate[p]; r.count[t] > 0 {
				v.rate[p][t] = r.log[t] - s.median[r.kind][t]
			}
		}
	}
	s.now.Store(v)
}

// Sent tells that a request was sent to this pod, at now on a clock in ms, and returns its ticket.
func (s *Serving) Sent(tokens float32, pod *Pod, now float64) (uint64, error) {
	if pod.Kind < 0 || pod.Kind >= s.o.Kinds || pod.Pod < 0 || pod.Pod >= s.o.Pods {
		return 0, fmt.Errorf("there is no pod %d of kind %d", pod.Pod, pod.Kind)
	}
	free := s.unused[pod.Kind]
	if len(free) == 0 {
		return 0, fmt.Errorf("all %d tickets of kind %d are out", s.o.Tickets, pod.Kind)
	}
	at, v, row, n := free[len(free)-1], s.now.Load().(*view), describe(tokens, pod), len(s.o.Quantiles)
	k := &s.ticket[at]
	for t := 0; t < targets; t++ {
		k.base[t] = s.base(v, t, tokens, pod)
		if !(k.base[t] > 0 && finite(k.base[t])) {
			return 0, fmt.Errorf("the prediction is %g, but must be finite and above 0", k.base[t])
		}
		trees := k.said[memories][t][:n]
		trees[0] = math.MaxFloat32 // none yet
		if v.model[t] != nil {
			v.model[t].PredictAll(row[:], trees)
		}
		if !v.with[t] {
			trees = nil
		}
		s.mix(v, t, k.base[t], pod.Kind, trees, k.end[t][:])
	}
	for i, m := range s.memory[pod.Kind] {
		copy(k.said[i%memories][i/memories][:], m.move[:])
		k.inner[i] = m.send(k.base[i/memories])
	}
	s.unused[pod.Kind] = free[:len(free)-1]
	k.serial++
	k.pod, k.kind, k.sent = pod.Pod, pod.Kind, now
	s.rate[pod.Pod].kind = pod.Kind
	return uint64(k.serial)<<32 | uint64(at), nil
}

func (s *Serving) find(ticket uint64) (*servingTicket, error) {
	at, serial := uint32(ticket), uint32(ticket>>32)
	if int64(at) < int64(len(s.ticket)) && serial%2 == 1 && s.ticket[at].serial == serial {
		return &s.ticket[at], nil
	}
	return nil, fmt.Errorf("ticket %d-%d is not out", serial, at)
}

func pinball(q, actual, said float32) float32 {
	if actual >= said {
		return mul(q, actual-said)
	}
	return mul(1-q, said-actual)
}

func (s *Serving) judge(k *servingTicket, t int, actual float32) {
	for q, level := range s.o.Quantiles {
		r, end := &s.record[t][q], k.end[t][q]
		least, sum := float32(math.MaxFloat32), float32(0)
		var mean [members]float32
		if !(end <= math.MaxFloat32) {
			continue
		}
		held := float32(0)
		if actual <= end {
			held = 1
		}
		r.share, r.held = mul(0.999, r.share)+1, mul(0.999, r.held)+held
		r.pinball = mul(0.999, r.pinball) + pinball(level, actual, end)
		for m := range mean {
			if k.said[m][t][0] < math.MaxFloat32 {
				said := mul(exp(k.said[m][t][q]), k.base[t])
				r.loss[m] = mul(0.993, r.loss[m]) + pinball(level, actual, said)/actual
				r.judged[m] = mul(0.993, r.judged[m]) + 1
			}
			if mean[m] = math.MaxFloat32; r.judged[m] > 20 {
				mean[m] = r.loss[m] / r.judged[m]
			}
			if mean[m] < least {
				least = mean[m]
			}
		}
		if !(least < math.MaxFloat32 && least > 0) {
			continue
		}
		for m := range mean {
			w := float32(0)
			if mean[m] < math.MaxFloat32 {
				w = exp(mul(-8, mean[m]/least-1))
			}
			if !(w > 0.001) {
				if w = 0; m < memories {
					w = 0.001
				}
			}
			r.weight[m] = w
			sum += w
		}
		for m := range mean {
			r.weight[m] /= sum
		}
	}
}

func (s *Serving) label(k *servingTicket, t int, ms float32) error {
	if !(ms > 0 && finite(ms)) {
		return fmt.Errorf("a label is %g ms, but must be above 0", ms)
	}
	v, r := s.now.Load().(*view), &s.rate[k.pod]
	usual, rate := v.memory[k.kind][t][0], v.rate[k.pod][t]
	for i := t * memories; i < (t+1)*memories; i++ {
		if err := s.memory[k.kind][i].learn(k.inner[i], ms); err != nil {
			return err
		}
		k.inner[i] = 0
	}
	s.judge(k, t, ms)
	if usual <= math.MaxFloat32 {
		r.sum[t] = mul(0.98, r.sum[t]) + rate + clip(log(ms/k.base[t])-usual, -1, 1)
		r.count[t] = mul(0.98, r.count[t]) + 1
		r.log[t] = r.sum[t] / (r.count[t] + 20)
		s.median[k.kind][t] = s.medianRate(k.kind, t)
	}
	s.publish()
	return nil
}

// FirstToken tells that the first token came ms after the request was sent.
func (s *Serving) FirstToken(ticket uint64, ms float32) error {
	k, err := s.find(ticket)
	if err != nil {
		return err
	}
	return s.label(k, TTFT, ms)
}

// Done tells that a request ended; ms of each token after the first, 0 if there was none or it was cancelled.
func (s *Serving) Done(ticket uint64, ms float32) error {
	k, err := s.find(ticket)
	if err != nil {
		return err
	}
	if ms > 0 {
		err = s.label(k, TPOT, ms)
	}
	for i, inner := range k.inner {
		if inner != 0 {
			s.memory[k.kind][i].forget(inner)
		}
		k.inner[i] = 0
	}
	k.serial++
	s.unused[k.kind] = append(s.unused[k.kind], int(uint32(ticket)))
	return err
}

// Waiting tells that requests without a first token still wait at now.
func (s *Serving) Waiting(now float64) error {
	for i := range s.ticket {
		k := &s.ticket[i]
		for m := 0; m < memories && k.serial%2 == 1; m++ {
			if k.inner[m] == 0 {
				continue
			}
			if err := s.memory[k.kind][m].waiting(k.inner[m], float32(now-k.sent)); err != nil {
				return err
			}
		}
	}
	s.publish()
	return nil
}

// Errors returns the share that a quantile held, its mean loss in ms, and the weights of memories and trees.
func (s *Serving) Errors(target, q int) (coverage, pinball float32, weight [3]float32) {
	r := &s.record[target][q]
	return r.held / r.share, r.pinball / r.share, r.weight
}

// ---- sooth_conformal_delayed on the log scale with its defaults ----

type delayedTicket struct {
	predicted, sofar float32
	serial, step     uint32
	place            int // of a lower bound among the scores, or -1
	judged           uint32
	end              [maxQuantile]float32
}

type delayed struct {
	level             []float32
	miscover          [maxQuantile]uint32
	working           [maxQuantile]int64
	move              [maxQuantile]float32
	score, sorted     []float32
	owner             []int // ticket of a lower bound, or -1
	oldest, out, free int
	capacity          int
	next              []int
	ticket            []delayedTicket
}

const unit = 1 << 30

func newDelayed(level []float32, capacity, tickets int) *delayed {
	d := &delayed{level: level, capacity: capacity, ticket: make([]delayedTicket, tickets), next: make([]int, tickets)}
	for l, v := range level {
		d.miscover[l] = uint32(mul(1-v, unit))
		d.working[l] = int64(d.miscover[l])
		d.move[l] = float32(math.Inf(1))
	}
	for i := range d.next {
		d.next[i] = i + 1
	}
	return d
}

func (d *delayed) remove(score float32) {
	at := sort.Search(len(d.sorted), func(i int) bool { return d.sorted[i] >= score })
	d.sorted = append(d.sorted[:at], d.sorted[at+1:]...)
}

func (d *delayed) insert(score float32) {
	at := sort.Search(len(d.sorted), func(i int) bool { return d.sorted[i] >= score })
	d.sorted = append(d.sorted, 0)
	copy(d.sorted[at+1:], d.sorted[at:])
	d.sorted[at] = score
}

func (d *delayed) keep(score float32, owner int) int {
	place := len(d.score)
	if place < d.capacity {
		d.score, d.owner = append(d.score, score), append(d.owner, owner)
	} else {
		place = d.oldest
		d.oldest = (place + 1) % d.capacity
		d.remove(d.score[place])
		if d.owner[place] >= 0 {
			d.ticket[d.owner[place]].place = -1
		}
		d.score[place], d.owner[place] = score, owner
	}
	d.insert(score)
	return place
}

func (d *delayed) renew() {
	n := len(d.sorted)
	least := 20
	if d.capacity < least {
		least = d.capacity
	}
	if n < least {
		return
	}
	spread := mul(0.4, d.sorted[n-n/20-1]-d.sorted[n/20])
	if !(spread >= 1.0/1024) {
		spread = 1.0 / 1024
	}
	for l := range d.level {
		a := int64(d.miscover[l])
		low, most, used := a/4, int64(unit-(unit-a)/4), d.working[l]
		if most > 4*a {
			most = 4 * a
		}
		if used < low {
			used = low
		}
		if used > most {
			used = most
		}
		rank := ((int64(n)+1)*(unit-used) + unit - 1) >> 30
		if rank > int64(n) {
			rank = int64(n)
		}
		if rank < 1 {
			rank = 1
		}
		move := d.sorted[rank-1]
		if used != d.working[l] && move <= math.MaxFloat32 {
			share, beyond := mul(float32(a), 1.0/unit), mul(float32(used-d.working[l]), 1.0/unit)
			if spread <= math.MaxFloat32 || beyond > 0 {
				move += mul(mul(0.1, beyond)/float32(math.Sqrt(float64(mul(share, 1-share)))), spread)
			}
		}
		if move < -math.MaxFloat32 {
			move = -math.MaxFloat32
		}
		if l > 0 && move < d.move[l-1] {
			move = d.move[l-1]
		}
		d.move[l] = move
	}
}

func (d *delayed) send(predicted float32) uint64 {
	at := d.free
	t := &d.ticket[at]
	d.free = d.next[at]
	d.out++
	t.serial++
	t.predicted, t.sofar, t.place, t.judged = predicted, 0, -1, 0
	rate, travel := float32(0.02), float32(0.5)
	t.step = uint32(mul(rate/(1+mul(float32(d.out), rate)/travel), unit))
	for l := range d.level {
		move := d.move[l]
		if move <= math.MaxFloat32 {
			size := move
			if size < 0 {
				size = -size
			}
			move = move + mul(size, 1.0/4194304) + 1.0/4194304
		}
		t.end[l] = mul(predicted, exp(move))
		if t.end[l] > math.MaxFloat32 && len(d.score) < 20 {
			t.judged |= 1 << uint(l)
		}
	}
	return uint64(t.serial)<<32 | uint64(at)
}

func (d *delayed) judge(t *delayedTicket, l int, missed bool) {
	if t.judged>>uint(l)&1 == 1 {
		return
	}
	t.judged |= 1 << uint(l)
	d.working[l] += int64(t.step) * int64(d.miscover[l]) >> 30
	if missed {
		d.working[l] -= int64(t.step)
	}
}

func (d *delayed) find(ticket uint64) (*delayedTicket, error) {
	at, serial := uint32(ticket), uint32(ticket>>32)
	if int64(at) < int64(len(d.ticket)) && serial%2 == 1 && d.ticket[at].serial == serial {
		return &d.ticket[at], nil
	}
	return nil, fmt.Errorf("this label of the ticket is known")
}

func (t *delayedTicket) measure(actual float32) float32 {
	score := log(actual/t.predicted) + 0
	if score < -math.MaxFloat32 {
		return -math.MaxFloat32
	}
	return score
}

func (d *delayed) back(t *delayedTicket, ticket uint64) {
	t.serial++
	d.next[uint32(ticket)] = d.free
	d.free = int(uint32(ticket))
	d.out--
}

func (d *delayed) replace(t *delayedTicket, score float32) {
	d.remove(d.score[t.place])
	d.score[t.place] = score
	d.insert(score)
}

func (d *delayed) waiting(ticket uint64, sofar float32) error {
	t, err := d.find(ticket)
	if err != nil {
		return err
	}
	if !(sofar >= 0 && finite(sofar)) {
		return fmt.Errorf("a request has waited %g ms", sofar)
	}
	if !(sofar > t.sofar) {
		return nil
	}
	t.sofar = sofar
	judged := t.judged
	for l := 0; l < len(d.level) && sofar > t.end[l]; l++ {
		d.judge(t, l, true)
	}
	if sofar > t.end[len(d.level)-1] {
		if score := t.measure(sofar); t.place < 0 {
			t.place = d.keep(score, int(uint32(ticket)))
		} else {
			d.replace(t, score)
		}
	} else if judged == t.judged {
		return nil
	}
	d.renew()
	return nil
}

func (d *delayed) learn(ticket uint64, actual float32) error {
	t, err := d.find(ticket)
	if err != nil {
		return err
	}
	if !(actual >= t.sofar) {
		return fmt.Errorf("the label is %g, but must be at least %g, which it exceeded while it waited", actual, t.sofar)
	}
	for l := range d.level {
		d.judge(t, l, actual > t.end[l])
	}
	if score := t.measure(actual); t.place < 0 {
		d.keep(score, -1)
	} else {
		d.replace(t, score)
		d.owner[t.place] = -1
	}
	d.back(t, ticket)
	d.renew()
	return nil
}

func (d *delayed) forget(ticket uint64) {
	if t, err := d.find(ticket); err == nil {
		if t.place >= 0 {
			d.owner[t.place] = -1
		}
		d.back(t, ticket)
	}
}
