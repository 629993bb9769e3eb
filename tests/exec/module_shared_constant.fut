-- A parametric module hands on a constant of its parameter: which memory that is, it cannot know.
-- ==
-- input { [3f32, 4f32] } output { [0f32, 0f32] [3f32, 4f32] 1i32 }
module type space = {
  type vector
  val zero : vector
}

module walk (S: space) = {
  type state = {steps: i32, here: S.vector, last: S.vector}
  def start (last: S.vector) : state = {steps = 1, here = S.zero, last}
}

module array_space (Size: {val n : i64}) = {
  type vector = [Size.n]f32
  def zero : vector = replicate Size.n 0
}

module two = {def n : i64 = 2}
module walk2 = walk (array_space two)

entry main (last: [2]f32) =
  walk2.start (last :> [two.n]f32) |> \{here, last, steps} -> (here, last, steps)
