module sooth

go 1.17
