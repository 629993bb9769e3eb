-- The order of three axes changes in every step, and with it their extents: the transposed copy is
-- made where the loop wants its next array, whatever its shape there.
-- in loops:
entry main [a] [b] [c] (xs: [a][b][c]f32) (steps: i32) : [a][b][c]f32 =
  loop xs for _i < steps do
    unflatten_3d (flatten_3d (copy (transpose (map transpose xs)))) :> [a][b][c]f32
