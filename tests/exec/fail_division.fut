-- Division by zero, of every operator, at the operator's expression.
-- ==
-- entry: floor
-- input { [1i32, 0i32] }
-- error: division by zero.*H7003
-- ==
-- entry: modulo
-- input { 5i64 0i64 }
-- error: division by zero.*H7003
-- ==
-- entry: quotient
-- input { 5u8 0u8 }
-- error: division by zero.*H7003
-- ==
-- entry: remainder
-- input { 5i8 0i8 }
-- error: division by zero.*H7003
-- ==
-- entry: float
-- input { 1.0f32 0.0f32 }
-- output { f32.inf }
entry floor [n] (a: [n]i32) : [n]i32 = map (\x -> 10 / x) a
entry modulo (a: i64) (b: i64) : i64 = 1 + a % b
entry quotient (a: u8) (b: u8) : u8 = a // b
entry remainder (a: i8) (b: i8) : i8 = a %% b
entry float (a: f32) (b: f32) : f32 = a / b
