-- Derivatives of functions. All scalars have them, integers too; steering values (conditions,
-- indices, sizes) has none. The operators nest in any order.

-- | Forward mode: `jvp2 f x x'` is `f x`, and its derivative at `x` in the direction `x'`.
val jvp2 'a 'b : (a -> b) -> a -> a -> (b, b)

-- | Reverse mode: `vjp2 f x y'` is `f x`, and how much the sum of its results, each times its weight
-- in `y'`, depends on each argument.
val vjp2 'a 'b : (a -> b) -> a -> b -> (b, a)

-- | As `jvp2`, with any number of directions.
val jmp2 'a 'b [n] : (a -> b) -> a -> [n]a -> (b, [n]b)

-- | As `vjp2`, with any number of weightings.
val mjp2 'a 'b [n] : (a -> b) -> a -> [n]b -> (b, [n]a)

-- | `with_vjp f f' x` is `f x`; in reverse mode its cotangents are `f' (f x) weights` instead of
-- those of `f` itself. Values that `f` takes from around it count as constants.
val with_vjp 'a 'b : (a -> b) -> (b -> b -> a) -> a -> b

-- | `jvp f x x'` is the derivative of `f` at `x` in the direction `x'`: one column of the Jacobian
-- if all of `x'` but one number is 0.
def jvp 'a 'b (f: a -> b) (x: a) (x': a) : b = (jvp2 f x x').1

-- | `vjp f x y'` is the gradient at `x` of the results of `f`, each times its weight in `y'`: one row
-- of the Jacobian if all of `y'` but one number is 0. `vjp f x 1` is the gradient of a function to
-- one number.
def vjp 'a 'b (f: a -> b) (x: a) (y': b) : a = (vjp2 f x y').1

-- | `jmp f x xs'` is `map (jvp f x) xs'`.
def jmp 'a 'b [n] (f: a -> b) (x: a) (xs': [n]a) : [n]b = (jmp2 f x xs').1

-- | `mjp f x ys'` is `map (vjp f x) ys'`.
def mjp 'a 'b [n] (f: a -> b) (x: a) (ys': [n]b) : [n]a = (mjp2 f x ys').1

-- | As `with_vjp`; `f` also gives a value that `f'` gets beside the weights.
def with_vjp_tape 'a 'b 'c (f: a -> (c, b)) (f': (c, b) -> a) (x: a) : b =
  (with_vjp f (\(tape: c, _: b) (_: c, weights: b) -> f' (tape, weights)) x).1
