-- A fast Fourier transform goes back and forth between two pairs of arrays.
-- in loops:
entry main [n] (re: [n]f64) (im: [n]f64) : ([n]f64, [n]f64) =
  let (re, im, _) =
    loop (re, im, half) = (re, im, n / 2)
    while half >= 1 do
      let m = n / (2 * half)
      let (re', im') =
        unzip (map (\i ->
                      let (q, j) = (i / half, i % half)
                      let a = (q / 2) * half + j
                      let w = -f64.pi * f64.i64 (q / 2) / f64.i64 m
                      let (c, s) = (f64.cos w, f64.sin w)
                      let (xr, xi) = (re[a % n], im[a % n])
                      let (yr, yi) = (re[(a + half) % n], im[(a + half) % n])
                      let (tr, ti) = (c * yr - s * yi, c * yi + s * yr)
                      in if q % 2 == 0 then (xr + tr, xi + ti) else (xr - tr, xi - ti))
                   (iota n))
      in (re', im', half / 2)
  in (re, im)
