-- A function without its backslash, behind a definition.
-- ==
-- error: found .->.*help: a function without a name is .\\x -> x \+ 1.
def f = id -> 1
