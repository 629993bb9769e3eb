-- Functions about functions.

-- | Pipes a value into a function.
def (|>) '^a '^b (x: a) (f: a -> b) : b = f x

-- | Applies a function to the value on the right.
def (<|) '^a '^b (f: a -> b) (x: a) : b = f x

-- | Composition: first the left function, then the right one.
def (>->) '^a '^b '^c (f: a -> b) (g: b -> c) : a -> c = \x -> g (f x)

-- | Composition: first the right function, then the left one.
def (<-<) '^a '^b '^c (g: b -> c) (f: a -> b) : a -> c = \x -> g (f x)

-- | Exchanges the first two parameters.
def flip '^a '^b '^c (f: a -> b -> c) (y: b) (x: a) : c = f x y

-- | A function of a pair as a function of two parameters.
def curry '^a '^b '^c (f: (a, b) -> c) (x: a) (y: b) : c = f (x, y)

-- | A function of two parameters as a function of a pair.
def uncurry '^a '^b '^c (f: a -> b -> c) (p: (a, b)) : c = f p.0 p.1

-- | The function that always gives `x`.
def const '^a '^b (x: a) (_: b) : a = x

-- | The function that returns its argument.
def id '^a (x: a) : a = x

-- | Applies `f` a number of times.
def iterate 'a (n: i32) (f: a -> a) (x: a) : a = loop y = x for _i < n do f y

-- | Applies `f` as long as `p` holds.
def iterate_while 'a (p: a -> bool) (f: a -> a) (x: a) : a = loop y = x while p y do f y

-- | Applies `f` until `p` holds.
def iterate_until 'a (p: a -> bool) (f: a -> a) (x: a) : a = loop y = x while !(p y) do f y

-- | Returns its argument; the compiler does not look through it. `#[opaque]` says the same.
def opaque 't (x: t) : t = #[opaque] x

-- | Returns its argument; the interpreter prints it. `#[trace]` says the same.
def trace 't (x: t) : t = #[trace] x

-- | Returns its argument; a break point of the interpreter. `#[break]` says the same.
def break 't (x: t) : t = #[break] x
