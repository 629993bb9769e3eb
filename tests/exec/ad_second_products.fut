-- Second derivatives of products: no digits are lost where one factor is far smaller than others.
def product [n] (xs: [n]f32) : f32 = reduce (*) 1 xs

def ones [n] (_: [n]f32) : [n]f32 = replicate n 1

-- ==
-- entry: hessian_forward hessian_reverse hessian_tangent
-- input { [1.0e4f32, 1.0e4f32, 1.0e-8f32] } output { [1.0e4f32, 1.0e4f32, 2.0e4f32] }
-- input { [0f32, 0f32, 3f32] } output { [3f32, 3f32, 0f32] }
-- input { [0f32] } output { [0f32] }
-- input { empty([0]f32) } output { empty([0]f32) }
entry hessian_forward [n] (xs: [n]f32) : [n]f32 = jvp (\xs -> vjp product xs 1) xs (ones xs)

entry hessian_reverse [n] (xs: [n]f32) : [n]f32 = vjp (\xs -> jvp product xs (ones xs)) xs 1

entry hessian_tangent [n] (xs: [n]f32) : [n]f32 = vjp (\xs -> f32.sum (vjp product xs 1)) xs 1

def bins [n] (xs: [n]f32) : [2]f32 = reduce_by_index (replicate 2 1) (*) 1 (replicate n 1) xs

-- ==
-- entry: bins_forward bins_reverse
-- input { [1.0e4f32, 1.0e4f32, 1.0e-8f32] } output { [1.0e4f32, 1.0e4f32, 2.0e4f32] }
-- input { [0f32, 0f32, 3f32] } output { [3f32, 3f32, 0f32] }
entry bins_forward [n] (xs: [n]f32) : [n]f32 = jvp (\xs -> vjp bins xs [1, 1]) xs (ones xs)

entry bins_reverse [n] (xs: [n]f32) : [n]f32 = vjp (\xs -> jvp bins xs (ones xs)) xs [1, 1]
