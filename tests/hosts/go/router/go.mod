module router

go 1.17
