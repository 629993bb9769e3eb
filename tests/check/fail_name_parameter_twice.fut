-- Two parameters of one name in a function type.
-- ==
-- error: `a` names two parameters of this function type \[H2004\]
def main (g: (a: i64) -> (a: i64) -> i64) = g 1 2
