-- Cells of 24 elements around a loop: an invocation has a whole cell from a number of cells on.
def main [n] (keys: [10][24]u32) (blocks: [n][24]u32) : [n][24]u32 =
  map (\b ->
         loop b for r < 10 do
           let total = u32.sum b
           let t = map2 (\x i -> x * total ^ b[(i * 5) % 24]) b (iota 24)
           in map2 (+) (scan (+) 0 t) keys[r])
      blocks
