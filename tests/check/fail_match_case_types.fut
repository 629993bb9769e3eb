-- All cases have one type.
-- ==
-- error: this case has type `bool`, but `i32` is needed.*H3002
def main (x: i32) : i32 = (match x case 0 -> 1i32 case _ -> true)
