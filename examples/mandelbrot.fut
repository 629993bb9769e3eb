-- The Mandelbrot set: how soon `z := z^2 + c` leaves the circle of radius 16, for every `c` of the
-- picture.
--
-- run: 800 1200 400 --save mandelbrot.png
-- ==
-- input { 4i64 6i64 50i32 }
-- output { [[4279828533u32, 4278780756u32, 4278194038u32, 4278330779u32, 4279058876u32,
--   4278194812u32], [4279042378u32, 4278195843u32, 4279586761u32, 4284986110u32, 4278190080u32,
--   4279982802u32], [4278649687u32, 4278190080u32, 4278190080u32, 4278190080u32, 4278190080u32,
--   4281300453u32], [4279042378u32, 4278195843u32, 4279586761u32, 4284986110u32, 4278190080u32,
--   4279982802u32]] }

-- | Number of steps before `z` escapes, with a fraction that makes the colours run smoothly;
-- `limit` when it stays.
def escape_time (limit: i32) (cx: f32) (cy: f32) : f32 =
  let (x, y, k) =
    loop (x, y, k) = (0f32, 0f32, 0i32)
    while k < limit && x * x + y * y < 256f32 do
      (x * x - y * y + cx, 2f32 * x * y + cy, k + 1)
  let log2 a = f32.log a * 1.442695f32
  in if k == limit then f32.i32 limit else f32.i32 k + 1f32 - log2 (0.5f32 * log2 (x * x + y * y))

-- | Far away dark blue, then light blue, yellow and black near the set: three waves over the
-- logarithm of time, as ARGB.
def colour (t: f32) : u32 =
  let phase = 2f32 * f32.log (1f32 + t)
  let wave shift = u32.f32 (255.99f32 * (0.5f32 - 0.5f32 * f32.cos (phase - shift)))
  in 0xff000000u32 | (wave 2.6f32 << 16) | (wave 2f32 << 8) | wave 1f32

-- | A picture of `n` rows and `m` columns, ARGB; cells that never escape are black.
entry main (n: i64) (m: i64) (limit: i32) : [n][m]u32 =
  let cell = 2.5f32 / f32.i64 n
  in tabulate_2d n m (\i j ->
                        let cx = (f32.i64 j - 0.5f32 * f32.i64 m) * cell - 0.7f32
                        let cy = (f32.i64 i - 0.5f32 * f32.i64 n) * cell
                        let t = escape_time limit cx cy
                        in if t == f32.i32 limit then 0xff000000u32 else colour t)
