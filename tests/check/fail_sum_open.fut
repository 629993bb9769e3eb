-- A constructor alone does not say what else its type has.
-- ==
-- error: only known to be `#some i32 [|] \.\.`, annotate it.*H3006
def main (x: i32) : bool = let y = #some x in true
