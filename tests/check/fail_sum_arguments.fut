-- Constructors always have all their arguments.
-- ==
-- error: `#some` has 2 arguments, in type .* it takes 1.*H3017
def main (x: i32) : #some i32 | #none = #some x x
