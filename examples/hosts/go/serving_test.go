package sooth

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"
)

// What C said of a stream (tests/hosts/go/serving.c), in SOOTH_SERVING/said; its trees are beside it.
func TestServingAsC(t *testing.T) {
	folder := os.Getenv("SOOTH_SERVING")
	if folder == "" {
		t.Skip("SOOTH_SERVING is not set: see tests/hosts/go.sh")
	}
	file, err := os.Open(filepath.Join(folder, "said"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewServing(ServingOptions{Pods: 6, Kinds: 2, Tickets: 200})
	if err != nil {
		t.Fatal(err)
	}
	var tokens float32
	var pods []Pod
	var out []float32
	said, errs, at, predicted := 0, 0, 0, 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := lines.Text()
		word, rest := line, ""
		if i := strings.IndexByte(line, ' '); i > 0 {
			word, rest = line[:i], line[i+1:]
		}
		var a, b, c, d, e uint32
		var x float64
		var ticket uint64
		switch word {
		case "predict":
			fmt.Sscan(rest, &tokens)
			pods, out, said = nil, nil, 0
		case "pod":
			p := Pod{Pod: len(pods), Kind: len(pods) % 2}
			fmt.Sscanf(rest, "%x %g %g %g %x", &a, &p.Waiting, &p.Running, &p.Prefill, &b)
			p.Cache, p.Age = ofBits(a), ofBits(b)
			pods = append(pods, p)
		case "load":
			i := at % 2
			fmt.Sscanf(rest, "%x", &a)
			lines.Scan()
			fmt.Sscanf(lines.Text(), "sent %d %g %d", &b, &x, &ticket)
			bound := float32(3000)
			if i == 1 {
				bound = 40
			}
			if toBits(s.Load(tokens, &pods[b], i, 1, bound)) != a {
				t.Fatalf("request %d: another load", at)
			}
			if got, err := s.Sent(tokens, &pods[b], x); got != ticket {
				t.Fatalf("request %d: ticket %d, %v, but C's is %d", at, got, err, ticket)
			}
			at++
		case "waiting":
			fmt.Sscan(rest, &x)
			err = s.Waiting(x)
		case "ended":
			fmt.Sscanf(rest, "%d %x %x", &ticket, &a, &b)
			if err = s.FirstToken(ticket, ofBits(a)); err == nil {
				err = s.Done(ticket, ofBits(b))
			}
		case "learned":
			var model [targets]*Model
			for k := range model {
				raw, err := os.ReadFile(filepath.Join(folder, fmt.Sprintf("%s_%d.sooth", rest, k)))
				if err != nil {
					t.Fatal(err)
				}
				if model[k], err = Read(raw); err != nil {
					t.Fatal(err)
				}
			}
			err = s.Use(model[TTFT], model[TPOT])
		case "errors":
			fmt.Sscanf(rest, "%x %x %x %x %x", &a, &b, &c, &d, &e)
			held, loss, w := s.Errors(errs/3, errs%3)
			if toBits(held) != a || toBits(loss) != b || toBits(w[0]) != c || toBits(w[1]) != d || toBits(w[2]) != e {
				t.Fatalf("errors of %d: %g %g %g, but C has %s", errs, held, loss, w, rest)
			}
			errs++
		default:
			if out == nil {
				out = make([]float32, len(pods)*6)
				s.Predict(tokens, pods, out)
			}
			fmt.Sscanf(word, "%x", &a)
			if toBits(out[said]) != a {
				t.Fatalf("request %d: number %d is %g, but C says %g", at, said, out[said], ofBits(a))
			}
			said++
			predicted++
		}
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	if at != 2500 || errs != 6 {
		t.Fatalf("%d requests, %d errors", at, errs)
	}
	t.Logf("%d predictions", predicted)
	all := make([]float32, 16*6)
	for len(pods) < 16 {
		pods = append(pods, pods[len(pods)-6])
	}
	if n := testing.AllocsPerRun(100, func() { s.Predict(1000, pods, all) }); n > 0 {
		t.Errorf("%g allocations while predicting", n)
	}
	if os.Getenv("SOOTH_BENCH") != "" {
		us := make([]float64, 5000) // each by itself: other programs on this machine count in few
		for i := range us {
			start := time.Now()
			s.Predict(1000, pods, all)
			us[i] = float64(time.Since(start).Nanoseconds()) / 1000
		}
		sort.Float64s(us)
		t.Logf("16 pods x 2 targets x 3 quantiles: %.0f us, 99 %% below %.0f us", us[len(us)/2], us[len(us)*99/100])
	}
}

func TestServingRefuses(t *testing.T) {
	if _, err := NewServing(ServingOptions{Quantiles: []float32{0.9, 0.5}}); err == nil {
		t.Error("quantiles that descend")
	}
	s, err := NewServing(ServingOptions{Tickets: 2})
	if err != nil {
		t.Fatal(err)
	}
	pod := Pod{Prefill: 1000}
	ticket, err := s.Sent(10, &pod, 0)
	if err != nil {
		t.Fatal(err)
	}
	if s.FirstToken(ticket, -1) == nil || s.FirstToken(ticket, Missing) == nil {
		t.Error("a label below 0")
	}
	if err := s.FirstToken(ticket, 50); err != nil {
		t.Error(err)
	}
	if s.FirstToken(ticket, 50) == nil {
		t.Error("the same label twice")
	}
	if err := s.Done(ticket, 0); err != nil {
		t.Error(err)
	}
	if s.Done(ticket, 20) == nil {
		t.Error("a ticket that is not out")
	}
	if _, err := s.Sent(10, &Pod{Kind: 1}, 0); err == nil {
		t.Error("a kind that is not there")
	}
	for i := 0; i < 2; i++ {
		if _, err := s.Sent(10, &pod, 0); err != nil {
			t.Error(err)
		}
	}
	if _, err := s.Sent(10, &pod, 0); err == nil {
		t.Error("more tickets than there are")
	}
}
