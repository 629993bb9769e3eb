-- One function per type and closure: two uses of `apply` with different functions, captured data
-- become parameters, equal sizes one parameter.
def twice 'a (f: a -> a) (x: a) : a = f (f x)
def addTo [n] (xs: [n]i32) (ys: [n]i32) : [n]i32 = map2 (+) xs ys

def main [n] (k: i32) (xs: [n]i32) (ys: [n]i32) : ([n]i32, i32, i32) =
  (addTo (addTo xs ys) ys, twice (\x -> x * k) 3, twice (+ 1) k)
