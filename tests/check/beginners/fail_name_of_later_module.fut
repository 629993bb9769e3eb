-- A name of a module further down is no name here.
-- ==
-- error: unknown name .print.*help: an expression shows its value
def f = print 3i32
module m = {def print (x: i32) = x}
