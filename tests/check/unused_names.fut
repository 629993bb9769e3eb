-- Names that nothing uses; `_i` says that it is meant.
-- ==
-- warning: unused name `k`.*H3001.*unused name `rest`.*H3001.*unused name `i`.*H3001
-- warning: unused type `b`.*H3001.*unused name `inner`.*H3001.*unused name `y`.*H3001
-- warning: unused name `shadowed`.*H3001
def parameter (k: i64) (_ignored: i64) = 1i32
def part (xs: [](i32, i32)) = map (\(x, rest) -> x) xs
def step (n: i32) = loop a = 1i32 for i < n do a * 2
def parametric 'a 'b (x: a) : a = x
def function (x: i32) = let inner (y: i32) = x in x

def twice (x: i32) =
  let shadowed = x + 1
  let shadowed = x + 2
  in shadowed
