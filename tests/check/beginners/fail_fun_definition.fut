-- A definition with a word of other languages.
-- ==
-- error: found .fun.*help: a definition begins with .def.: .def f x = ...
fun f x = x
