-- A definition further down is not known yet.
-- ==
-- error: unknown name .twice.*help: a definition stands above its uses: move .twice. up
def main (x: i32) = twice x
def twice (x: i32) = 2 * x
