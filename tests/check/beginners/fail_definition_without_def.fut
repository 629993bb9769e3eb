-- A definition as other languages have it.
-- ==
-- error: help: a definition begins with .def.: .def double x = \.\..
double x = 2 * x
