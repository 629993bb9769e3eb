-- Crank-Nicolson steps with tridiagonal systems, as in FinPar's LocVolCalib: sequential loops in nested maps.
-- ==
-- tags { not_smooth }
-- input { 4i64 4i64 5i64 3i64 0.03 5.0 0.2 0.6 0.5 } auto output
type real = f64

def initGrid (s0: f64) (alpha: f64) (nu: f64) (t: f64) (numX: i64) (numY: i64) (numT: i64) : (i32, i32, [numX]f64, [numY]f64, [numT]f64) =
  let logAlpha = f64.log alpha
  let myTimeline = map (\i -> t * f64.i64 i / (f64.i64 numT - 1.0)) (iota numT)
  let (stdX, stdY) = (20.0 * alpha * s0 * f64.sqrt (t), 10.0 * nu * f64.sqrt (t))
  let (dx, dy) = (stdX / f64.i64 numX, stdY / f64.i64 numY)
  let (myXindex, myYindex) = (i32.f64 (s0 / dx), i32.i64 numY / 2)
  let myX = map (\i -> f64.i64 i * dx - f64.i32 myXindex * dx + s0) (iota numX)
  let myY = map (\i -> f64.i64 i * dy - f64.i32 myYindex * dy + logAlpha) (iota numY)
  in (myXindex, myYindex, myX, myY, myTimeline)

def initOperator [n] (x: [n]f64) : ([n][3]f64, [n][3]f64) =
  let dxu = x[1] - x[0]
  let dx_low = [[0.0, -1.0 / dxu, 1.0 / dxu]]
  let dxx_low = [[0.0, 0.0, 0.0]]
  let dx_mids =
    map (\i ->
           let dxl = x[i] - x[i - 1]
           let dxu = x[i + 1] - x[i]
           in ( [-dxu / dxl / (dxl + dxu), (dxu / dxl - dxl / dxu) / (dxl + dxu), dxl / dxu / (dxl + dxu)]
              , [2.0 / dxl / (dxl + dxu), -2.0 * (1.0 / dxl + 1.0 / dxu) / (dxl + dxu), 2.0 / dxu / (dxl + dxu)]
              ))
        (1...n - 2)
  let (dx_mid, dxx_mid) = unzip (dx_mids)
  let dxl = x[n - 1] - x[n - 2]
  let dx_high = [[-1.0 / dxl, 1.0 / dxl, 0.0]]
  let dxx_high = [[0.0, 0.0, 0.0]]
  let dx = concat dx_low (concat dx_mid dx_high) :> [n][3]f64
  let dxx = concat dxx_low (concat dxx_mid dxx_high) :> [n][3]f64
  in (dx, dxx)

def setPayoff [numX] [numY] (strike: f64, myX: [numX]f64, _myY: [numY]f64) : *[numY][numX]f64 =
  replicate numY (map (\xi -> f64.max (xi - strike) 0.0) myX)

def updateParams [numX] [numY] (myX: [numX]f64, myY: [numY]f64, tnow: f64, _alpha: f64, beta: f64, nu: f64) : ([numY][numX]f64, [numY][numX]f64, [numX][numY]f64, [numX][numY]f64) =
  let myVarY = replicate numX (replicate numY (nu * nu))
  let myMuX = replicate numY (replicate numX 0.0)
  let myMuY = replicate numX (replicate numY 0.0)
  let myVarX = map (\yj -> map (\xi -> f64.exp (2.0 * (beta * f64.log (xi) + yj - 0.5 * nu * nu * tnow))) myX) myY
  in (myMuX, myVarX, myMuY, myVarY)

def tridagSeq [n] (a: [n]f64, b: *[n]f64, c: [n]f64, y: *[n]f64) : *[n]f64 =
  #[unsafe]
  let (y, b) =
    loop ((y, b)) for i < n - 1 do
      let i = i + 1
      let beta = a[i] / b[i - 1]
      let b[i] = b[i] - beta * c[i - 1]
      let y[i] = y[i] - beta * y[i - 1]
      in (y, b)
  let y[n - 1] = y[n - 1] / b[n - 1]
  in loop (y) for j < n - 1 do
       let i = n - 2 - j
       let y[i] = (y[i] - c[i] * y[i + 1]) / b[i]
       in y

def tridagPar [n] (a: [n]f64, b: *[]f64, c: []f64, y: *[n]f64) : *[n]f64 =
  #[unsafe]
  let b0 = b[0]
  let mats =
    map (\i ->
           if 0 < i
           then (b[i], 0.0 - a[i] * c[i - 1], 1.0, 0.0)
           else (1.0, 0.0, 0.0, 1.0))
        (iota n)
  let scmt =
    scan (\(a0, a1, a2, a3) (b0, b1, b2, b3) ->
            let value = 1.0 / (a0 * b0)
            in ( (b0 * a0 + b1 * a2) * value
               , (b0 * a1 + b1 * a3) * value
               , (b2 * a0 + b3 * a2) * value
               , (b2 * a1 + b3 * a3) * value
               ))
         (1.0, 0.0, 0.0, 1.0)
         mats
  let b = map (\(t0, t1, t2, t3) -> (t0 * b0 + t1) / (t2 * b0 + t3)) scmt
  let y0 = y[0]
  let lfuns =
    map (\i ->
           if 0 < i
           then (y[i], 0.0 - a[i] / b[i - 1])
           else (0.0, 1.0))
        (iota n)
  let cfuns =
    scan (\(a: (f64, f64)) (b: (f64, f64)) : (f64, f64) ->
            let (a0, a1) = a
            let (b0, b1) = b
            in (b0 + b1 * a0, a1 * b1))
         (0.0, 1.0)
         lfuns
  let y = map (\(a, b) -> a + b * y0) cfuns
  let yn = y[n - 1] / b[n - 1]
  let lfuns =
    map (\k ->
           let i = n - k - 1
           in if 0 < k
              then (y[i] / b[i], 0.0 - c[i] / b[i])
              else (0.0, 1.0))
        (iota n)
  let cfuns =
    scan (\(a: (f64, f64)) (b: (f64, f64)) : (f64, f64) ->
            let (a0, a1) = a
            let (b0, b1) = b
            in (b0 + b1 * a0, a1 * b1))
         (0.0, 1.0)
         lfuns
  let y = map (\(a, b) -> a + b * yn) cfuns
  in map (\i -> y[n - i - 1]) (iota n)

def explicitMethod [m] [n]
                   ( myD: [m][3]f64
                   , myDD: [m][3]f64
                   , myMu: [n][m]f64
                   , myVar: [n][m]f64
                   , result: [n][m]f64
                   ) : *[n][m]f64 =
  map3 (\mu_row var_row result_row ->
          map5 (\dx dxx mu var j ->
                  let c1 =
                    if 0 < j
                    then (mu * dx[0] + 0.5 * var * dxx[0]) * #[unsafe] result_row[j - 1]
                    else 0.0
                  let c3 =
                    if j < (m - 1)
                    then (mu * dx[2] + 0.5 * var * dxx[2]) * #[unsafe] result_row[j + 1]
                    else 0.0
                  let c2 = (mu * dx[1] + 0.5 * var * dxx[1]) * #[unsafe] result_row[j]
                  in c1 + c2 + c3)
               myD
               myDD
               mu_row
               var_row
               (iota m))
       myMu
       myVar
       result

def implicitMethod [n] [m]
                   ( myD: [m][3]f64
                   , myDD: [m][3]f64
                   , myMu: [n][m]f64
                   , myVar: [n][m]f64
                   , u: *[n][m]f64
                   , dtInv: f64
                   ) : *[n][m]f64 =
  map3 (\mu_row var_row u_row ->
          let (a, b, c) =
            unzip3 (map4 (\mu var d dd ->
                            ( 0.0 - 0.5 * (mu * d[0] + 0.5 * var * dd[0])
                            , dtInv - 0.5 * (mu * d[1] + 0.5 * var * dd[1])
                            , 0.0 - 0.5 * (mu * d[2] + 0.5 * var * dd[2])
                            ))
                         mu_row
                         var_row
                         myD
                         myDD)
          in if 1 == 1
             then tridagSeq (a, copy b, c, copy u_row)
             else tridagPar (a, copy b, c, copy u_row))
       myMu
       myVar
       u

def rollback [numX] [numY]
             ( tnow: f64
             , tnext: f64
             , myResult: [numY][numX]f64
             , myMuX: [numY][numX]f64
             , myDx: [numX][3]f64
             , myDxx: [numX][3]f64
             , myVarX: [numY][numX]f64
             , myMuY: [numX][numY]f64
             , myDy: [numY][3]f64
             , myDyy: [numY][3]f64
             , myVarY: [numX][numY]f64
             ) : [numY][numX]f64 =
  let dtInv = 1.0 / (tnext - tnow)
  let u = explicitMethod (myDx, myDxx, myMuX, myVarX, myResult)
  let u = map2 (map2 (\u_el res_el -> dtInv * res_el + 0.5 * u_el)) u myResult
  let myResultTR = transpose (myResult)
  let v = explicitMethod (myDy, myDyy, myMuY, myVarY, myResultTR)
  let u = map2 (map2 (+)) u (transpose v)
  let u = implicitMethod (myDx, myDxx, myMuX, myVarX, u, dtInv)
  let y = map2 (\u_row v_row -> map2 (\u_el v_el -> dtInv * u_el - 0.5 * v_el) u_row v_row) (transpose u) v
  let myResultTR = implicitMethod (myDy, myDyy, myMuY, myVarY, y, dtInv)
  in transpose myResultTR

def value (numX: i64, numY: i64, numT: i64, s0: f64, strike: f64, t: f64, alpha: f64, nu: f64, beta: f64) : f64 =
  let (myXindex, myYindex, myX, myY, myTimeline) = initGrid s0 alpha nu t numX numY numT
  let (myDx, myDxx) = initOperator (myX)
  let (myDy, myDyy) = initOperator (myY)
  let myResult = setPayoff (strike, myX, myY)
  let myTimeline_neighbours = reverse (zip (init myTimeline) (tail myTimeline))
  let myResult =
    loop (myResult) for (tnow, tnext) in myTimeline_neighbours do
      let (myMuX, myVarX, myMuY, myVarY) = updateParams (myX, myY, tnow, alpha, beta, nu)
      in rollback (tnow, tnext, myResult, myMuX, myDx, myDxx, myVarX, myMuY, myDy, myDyy, myVarY)
  in myResult[myYindex, myXindex]

def main (outer_loop_count: i64)
         (numX: i64)
         (numY: i64)
         (numT: i64)
         (s0: f64)
         (t: f64)
         (alpha: f64)
         (nu: f64)
         (beta: f64) : []f64 =
  let strikes = map (\i -> 0.001 * f64.i64 i) (iota outer_loop_count)
  let res =
    #[incremental_flattening(only_inner)]
    map (\x -> value (numX, numY, numT, s0, x, t, alpha, nu, beta)) strikes
  in res
