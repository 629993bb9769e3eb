-- A type of other languages as a function.
-- ==
-- error: unknown name .float.*help: the module of a type converts to it
def main (x: i32) = float x
