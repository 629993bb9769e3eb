-- Shifts by a loop's index: 0 from the width of the type on, also of shorter and longer types than
-- the index; loops that end before, at and behind it, or never begin.
-- ==
-- input { [1i64, 31i64, 32i64, 33i64, 64i64, 70i64, 0i64, -3i64] }
-- output {
--   [1i32, -882939349i32, -501334399i32, -1504003197i32, 2038349057i32, -102221863i32, 0i32, 0i32]
--   [5i64, 3088356244001495i64, 9265079469422725i64, 27795259883104655i64, 6771942411141230853i64, -6981394032202541251i64, 0i64, 0i64]
--   [3u8, 129u8, 131u8, 137u8, 3u8, 139u8, 0u8, 0u8]
--   [7i32, 1870660501i32, -830469441i32, 1803558973i32, -243160001i32, -1169981593i32, 0i32, 0i32]
-- }
def main [k] (ns: [k]i64) : ([k]i32, [k]i64, [k]u8, [k]i32) =
  unzip4 (map (\n ->
                 let bits = loop s = 0i32 for i < n do s * 3 + (1i32 << i32.i64 i)
                 let wide = loop s = 0i64 for i < n do s * 3 + (5i64 << i)
                 let short = loop s = 0u8 for i < n do s * 3 + (3u8 << u8.i64 i)
                 let low = loop s = 0i32 for i < n do s * 3 ^ i32.i64 (7i64 << i)
                 in (bits, wide, short, low))
              ns)
