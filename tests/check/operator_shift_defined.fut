-- `>>>` of a module, opened or by its name, and one of the program's own.
-- ==
def a (x: u8) = x u8.>>> 1
def b (x: i32) = i32.(x >>> 1)
def (>>>) (x: i32) (y: i32) = x - y
def c = 3 >>> 1
