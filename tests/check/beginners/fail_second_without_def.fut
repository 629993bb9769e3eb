-- A definition without its word behind another, which takes the names for arguments.
-- ==
-- error: found .=.*help: a definition begins with .def.: .def g x = ...
def f x = x + 1
g x = x + 2
