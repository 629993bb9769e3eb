-- What kernels compute from a sum: `shared` is short, if operands count once, and each invocation
-- computes it again; `long` and `longer` are computed once, by one kernel of one invocation.

def shared [n] (xs: [n]f32) : [n]f32 =
  let s = f32.sum xs
  let a = s * s
  let b = a * (1 + a)
  let c = b * (1 + b)
  in map (\x -> x / c * (1 + c)) xs

def long [n] (xs: [n]f32) : [n]f32 =
  let s = f32.maximum xs
  let step (x: f32) = x * 0.5 + s
  let long = step (step (step (step (step (step (step (step (step s))))))))
  let least = f32.minimum xs
  let longer = step (step (step (step (step (step (step (step (step least))))))))
  in map (\x -> x * long - longer) xs

entry main [n] (xs: [n]f32) : ([n]f32, [n]f32) = (shared xs, long xs)
