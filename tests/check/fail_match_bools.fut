-- Cases of pairs of booleans leave one pair out.
-- ==
-- error: no case of this `match` takes `\(false, false\)`.*H3016
def main (x: bool) (y: bool) = match (x, y) case (true, _) -> 1i32 case (_, true) -> 2
