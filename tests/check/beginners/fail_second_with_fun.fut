-- A word of other languages behind another definition.
-- ==
-- error: found .=.*help: a definition begins with .def.: .def z a = ...
def f x = x + 1
fun z a = 3
