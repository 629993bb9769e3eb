-- A radix sort over an abstract key.
-- tolerance: exact
-- ==
-- input { [3i32,1i32,2i32,0i32] } output { [0i32,1i32,2i32,3i32] [3i32, 2i32, 1i32, 0i32] }
module type key = {type t val num_bits : i32 val get_bit : i32 -> t -> i32}
module type sort = {type t val sort [n] : [n]t -> [n]t}

module radix (K: key) : sort with t = K.t = {
  type t = K.t

  def step [n] (xs: [n]t, digit: i32) : [n]t =
    let bits = map (K.get_bit digit) xs
    let inv = map (1 -) bits
    let ps0 = scan (+) 0 inv
    let zeros = reduce (+) 0 inv
    let ps1 = scan (+) 0 bits
    let is = map3 (\b p0 p1 -> if b == 0 then p0 - 1 else zeros + p1 - 1) bits ps0 ps1
    in scatter (copy xs) (map i64.i32 is) xs

  def sort [n] (xs: [n]t) : [n]t = loop xs for i < K.num_bits do step (xs, i)
}

module s = radix {type t = i32 def num_bits = 32i32 def get_bit (i: i32) (x: i32) = (x >> i) & 1}
module down = radix {type t = i32 def num_bits = 8i32 def get_bit (i: i32) (x: i32) = 1 - ((x >> i) & 1)}
entry main (xs: []i32) = (s.sort xs, down.sort xs)
