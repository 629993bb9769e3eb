-- # Examples
--
-- This page is a program: `halo literate examples/README.fut` evaluates the lines behind `>` and
-- writes this page. Every example can be run by itself (`halo examples/hotspot.fut`), and
-- `halo test --backend=all examples` compares the engines on all of them.
--
-- ## Heat on a chip
--
-- `hotspot.fut` computes how a chip warms up where its blocks burn power, with one stencil of five
-- cells.

module hotspot = import "hotspot"

-- The picture of the chip says where: the lighter, the more.

-- > :img $loadimg "data/chip.png"; file: chip.png

-- | How light a grey pixel is.
def grey (pixel: u32) : f32 = f32.u32 (pixel & 0xff) / 255

-- After two thousand steps:

-- > :img hotspot.picture 2000 (map (map grey) ($loadimg "data/chip.png")); file: hotspot.png

-- `heat_rod.fut` is the same in one dimension: a rod that is hot on the left, after more and more
-- steps.

-- | One step: each cell goes towards the mean of its neighbours.
def rod_step [n] (rod: [n]f32) : [n]f32 =
  stencil_1d [-1, 0, 1] (\() v -> v[1] + 0.4f32 * (v[0] - 2 * v[1] + v[2])) (rep ()) rod

def rod (steps: i32) : []f32 =
  loop rod = map (\i -> if i < 20 then 1f32 else 0) (iota 100) for _i < steps do rod_step rod

-- > :plot2d {start = rod 0, after_50 = rod 50, after_500 = rod 500, after_5000 = rod 5000};
--   size: (560, 280); file: rod.png

-- ## The Mandelbrot set
--
-- `mandelbrot.fut`: how soon `z := z^2 + c` leaves the circle of radius 16.

module mandelbrot = import "mandelbrot"

-- > :img mandelbrot.main 300 450 200; file: mandelbrot.png

-- ## Life
--
-- `life.fut`: a cell lives on with two or three living neighbours and is born with three. A glider
-- on its way:

module life = import "life"

def board : [24][24]u8 =
  let glider: [](i64, i64) = [(1, 2), (2, 3), (3, 1), (3, 2), (3, 3)]
  in scatter_2d (replicate 24 (replicate 24 0)) glider (map (\_ -> 1) glider)

-- | Every cell as 6 x 6 pixels, and the board a step later.
def shown (board: [24][24]u8) : ([144][144]u8, [24][24]u8) =
  (tabulate_2d 144 144 (\i j -> 255 * board[i / 6, j / 6]), life.main 1 board)

-- > :video (shown, board, 60i64); file: glider.png

-- ## Numbers
--
-- `dotprod.fut` and `matmul.fut` do as named, `black_scholes.fut` prices options,
-- `radix_sort.fut` sorts with the prelude's scans, `fourier.fut` finds the tones of a signal.

module matmul = import "matmul"

-- > matmul.main [[1, 2], [3, 4]] [[0, 1], [1, 0]]

-- ## More stencils
--
-- `jacobi2d.fut` and `jacobi3d.fut` relax to the mean of their neighbours, `hotspot3d.fut` is a chip
-- of several layers, `wave.fut` a membrane, `srad.fut` takes the speckles out of ultrasound pictures.

-- ## Backwards
--
-- `heat_inversion.fut` finds the temperatures of a plate at the start from those at the end: the start,
-- the end, and the start that the gradient of the difference found.

module heat_inversion = import "heat_inversion"

-- > :img heat_inversion.picture 96 60 300; size: (864, 288); file: heat_inversion.png

-- `waves_inversion.fut` listens at the edge to waves that run through a square of ground, and finds the
-- rocks: the ground, and the ground that it found.

module waves_inversion = import "waves_inversion"

-- > :img waves_inversion.picture 40 150 120; size: (640, 320); file: waves_inversion.png
