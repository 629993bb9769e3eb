-- A constructor alone does not say which sum it belongs to.
-- ==
-- error: the type of this value is only known to be `#a i32 \| \.\.`, annotate it.*H3006
def main = #a 1i32
