-- One of the functions gives its argument back, so the result may be that.
-- ==
-- error: `xs` is a parameter without `\*`, which this would consume \[H3015\]
def choose 'a 'b (c: bool) (f: a -> b) (g: a -> b) (x: a) : b = if c then f x else g x
def main (xs: []i32) = choose true copy id xs with [0] = 0
