-- Conway's Game of Life as a stencil over the eight neighbours and the cell itself.
--
-- run: 4 [[0, 1, 0, 0, 0], [0, 0, 1, 0, 0], [1, 1, 1, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]
-- ==
-- input { 4i32 [[0u8, 1u8, 0u8, 0u8, 0u8, 0u8], [0u8, 0u8, 1u8, 0u8, 0u8, 0u8], [1u8, 1u8, 1u8,
--   0u8, 0u8, 0u8], [0u8, 0u8, 0u8, 0u8, 0u8, 0u8], [0u8, 0u8, 0u8, 0u8, 0u8, 0u8], [0u8, 0u8, 0u8,
--   0u8, 0u8, 0u8]] }
-- output { [[0u8, 1u8, 0u8, 0u8, 0u8, 0u8], [0u8, 1u8, 0u8, 0u8, 0u8, 0u8], [0u8, 1u8, 0u8, 1u8,
--   0u8, 0u8], [0u8, 0u8, 1u8, 0u8, 0u8, 0u8], [0u8, 0u8, 0u8, 0u8, 0u8, 0u8], [0u8, 0u8, 0u8, 0u8,
--   0u8, 0u8]] }

-- | `steps` generations of a board of 0 and 1; cells beyond the edge repeat the edge. The test is a
-- glider.
entry main [n] [m] (steps: i32) (board: [n][m]u8) : [n][m]u8 =
  loop board for _i < steps do
    stencil_2d [(0, 0), (-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
               (\() v ->
                  let alive = v[0] == 1
                  let count = v[1] + v[2] + v[3] + v[4] + v[5] + v[6] + v[7] + v[8]
                  in if count == 3 || (alive && count == 2) then 1 else 0)
               (rep (rep ()))
               board

-- | The board as a picture: black cells are dead, white ones alive.
entry picture [n] [m] (steps: i32) (board: [n][m]u8) : [n][m]f32 =
  map (map f32.u8) (main steps board)
