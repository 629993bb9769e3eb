-- Literals outside the range of the type that their use gives them.
-- ==
-- error: `-1` does not fit into type `u8` \[H1003].*`-129` does not fit into type `i8` \[H1003].*`1e400` does not fit into type `f64` \[H1003].*`1e39` does not fit into type `f32` \[H1003].*`70000` does not fit into type `f16` \[H1003].*`2147483648` does not fit into type `i32` \[H1003]
def a : u8 = -1
def b : i8 = -129
def c = 1e400
def d : f32 = 1e39
def e : f16 = 70000
def f : i32 = 0x80000000
