-- ==
-- error: unknown name `twice`, did you mean `m.twice`.*H3001
module m = {def twice (x: i32) = 2 * x}
def main (x: i32) = twice x
