// predict reads a model file and a table, and writes what the model predicts for each row.
// SPDX-FileCopyrightText: 2026 the sooth authors
// SPDX-License-Identifier: MIT
//
//	go run ./predict time.sooth rows.csv
//
// The first line of the table names its columns. An empty cell is missing. Columns that the model does not
// know are left out.
package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"strconv"
	"strings"

	"sooth"
)

func text(v float32) string {
	if v != v {
		return ""
	}
	return strconv.FormatFloat(float64(v), 'f', -1, 32)
}

// value returns what a cell is in a row: its code if the model has categories there, or a number.
func value(model *sooth.Model, feature int, cell string) (float32, error) {
	if cell = strings.TrimSpace(cell); model.Categorical(feature) {
		return model.Code(feature, cell), nil
	} else if cell == "" {
		return sooth.Missing, nil
	}
	v, err := strconv.ParseFloat(cell, 32)
	return float32(v), err
}

func run(model *sooth.Model, table [][]string) error {
	if len(table) == 0 {
		return fmt.Errorf("the table is empty")
	}
	features, targets := model.Names()
	column, missing := model.Map(table[0])
	if missing > 0 {
		return fmt.Errorf("%d of %d columns of the model are not in the table: it needs %s", missing, len(features),
			strings.Join(features, ", "))
	}
	row, trust := make([]float32, model.Features), []string{"inside", "edge", "outside"}
	out := make([]float32, model.Targets)
	for _, name := range targets {
		fmt.Printf("predicted_%s,low_%s,high_%s,", name, name, name)
	}
	fmt.Println("trust")
	for i, cells := range table[1:] {
		for j := range row {
			var err error
			if row[j], err = value(model, j, cells[column[j]]); err != nil {
				return fmt.Errorf("row %d, %s: %q is not a number", i+1, features[j], cells[column[j]])
			}
		}
		model.PredictAll(row, out)
		for k, predicted := range out {
			value, low, high := model.Interval(k, predicted)
			fmt.Printf("%s,%s,%s,", text(value), text(low), text(high))
		}
		is, _ := model.Trust(row)
		fmt.Println(trust[is])
	}
	return nil
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: predict MODEL TABLE.csv")
		os.Exit(2)
	}
	err := func() error {
		file, err := os.ReadFile(os.Args[1])
		if err != nil {
			return err
		}
		model, err := sooth.Read(file)
		if err != nil {
			return fmt.Errorf("%s: %w", os.Args[1], err)
		}
		in, err := os.Open(os.Args[2])
		if err != nil {
			return err
		}
		defer in.Close()
		table, err := csv.NewReader(in).ReadAll()
		if err != nil {
			return err
		}
		return run(model, table)
	}()
	if err != nil {
		fmt.Fprintln(os.Stderr, "predict:", err)
		os.Exit(1)
	}
}
