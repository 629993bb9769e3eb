-- Division in vectors: quotients near integers, at both ends of the types, by small and by large
-- numbers of both signs.
-- tolerance: exact
-- ==
-- entry: wide
-- input { [1i64, -1i64, 2i64, -3i64, 7i64, 1000003i64, -2147483648i64, 2251799813685249i64, 4503599627370497i64, -9007199254740993i64, 9007199254740991i64, 4611686018427387904i64, 9223372036854775807i64, -9223372036854775807i64, -9223372036854775808i64] } auto output
-- ==
-- entry: lines
-- input { [1i64, -1i64, 2i64, -3i64, 7i64, 1000003i64, -2147483648i64, 2251799813685249i64, 4503599627370497i64, -9007199254740993i64, 9007199254740991i64, 4611686018427387904i64, 9223372036854775807i64, -9223372036854775807i64, -9223372036854775808i64] } auto output
-- ==
-- entry: narrow
-- input { [1i32, -1i32, 2i32, -3i32, 7i32, 46341i32, 65537i32, 1000003i32, 2147483647i32, -2147483647i32, -2147483648i32] } auto output
-- ==
-- entry: unsigned
-- input { [1u32, 2u32, 3u32, 7u32, 65537u32, 2147483648u32, 4294967295u32] } auto output
-- ==
-- entry: bytes
-- input { [1i8, -1i8, 3i8, 127i8, -128i8] } auto output
entry wide (ns: []i64) =
  map (\b ->
         let cells = map (\q -> let a = b * q in [a / b, a % b, (a - 1) // b, (a - 1) %% b, (a + 1) / b, (a + 1) % b]) ns
         in flatten cells)
      ns

entry narrow (ns: []i32) =
  map (\b ->
         let cells = map (\q -> let a = b * q in [a / b, a % b, (a - 1) // b, (a - 1) %% b, (a + 1) / b, (a + 1) % b]) ns
         in flatten cells)
      ns

entry unsigned (ns: []u32) =
  map (\b -> map (\q -> let a = b * q in (a / b) ^ (a % b) ^ ((a - 1) / b) ^ ((a - 1) % b)) ns) ns

entry bytes (ns: []i8) = map (\b -> map (\q -> (q / b) ^ (q % b) ^ (q // b) ^ (q %% b)) ns) ns

-- One array in, one out: every access goes to neighbours, so that the loop becomes vectors.
entry lines (ns: []i64) =
  let divisors = flatten (map (\b -> map (const b) ns) ns)
  let products = flatten (map (\b -> map (* b) ns) ns)
  let by (f: i64 -> i64 -> i64) = map2 f products divisors
  in [ by (/)
     , by (%)
     , by (\a b -> (a - 1) // b)
     , by (\a b -> (a - 1) %% b)
     , by (\a b -> (a + 1) / b)
     , by (\a b -> (a + 1) %% b)
     ]
