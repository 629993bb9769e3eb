-- A word that may be the name: both readings.
-- ==
-- error: found .value.*help: a definition begins with .def.: .def x = ..., or .def value x = ... if .value. is its name
value x = x + 2
