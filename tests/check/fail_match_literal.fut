-- Numbers need a case for the rest.
-- ==
-- error: no case of this `match` takes `0`.*H3016
def main (x: i32) : i32 = match x case 1 -> 2 case -1 -> 3
