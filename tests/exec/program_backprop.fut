-- One training step of a neural network, as in Rodinia's backprop.
def BIGRND () : i32 = 0x7fffffff
def ETA () : f32 = 0.3
def MOMENTUM () : f32 = 0.3

def squash (x: f32) : f32 =
  1.0 / (1.0 + f32.exp (-x))

def bpnn_output_error [n] (target: [n]f32, output: [n]f32) : (f32, [n]f32) =
  let (errs, delta) =
    unzip (map2 (\(t: f32) (o: f32) ->
                   let d = o * (1.0 - o) * (t - o)
                   in (f32.abs (d), d))
                target
                output)
  let err = f32.sum (errs)
  in (err, delta)

def bpnn_hidden_error [no] [nh] (delta_o: [no]f32, who: [nh][no]f32, hidden: [nh]f32) : (f32, *[nh]f32) =
  let (errs, delta_h) =
    unzip (map2 (\(hidden_el: f32) (who_row: []f32) : (f32, f32) ->
                   let sumf = f32.sum (map2 (*) (delta_o) (who_row))
                   let new_val = hidden_el * (1.0 - hidden_el) * sumf
                   in (f32.abs (new_val), new_val))
                (hidden)
                (who))
  let errsum = f32.sum (errs)
  in (errsum, delta_h)

def bpnn_adjust_weights [ndelta] [nlym1] [nly]
                        ( delta: [ndelta]f32
                        , ly: [nlym1]f32
                        , w: *[nly][ndelta]f32
                        , oldw: *[nly][ndelta]f32
                        ) : ([nly][ndelta]f32, [nly][ndelta]f32) =
  let lyext = map (\k -> if k < 1 then 1.0 else #[unsafe] ly[k - 1]) (iota (nly))
  in unzip (map3 (\(w_row: []f32) (oldw_row: []f32) (lyk: f32) : ([ndelta]f32, [ndelta]f32) ->
                    unzip (map3 (\(w_el: f32) (oldw_el: f32) (delta_el: f32) : (f32, f32) ->
                                   let new_dw = ETA () * delta_el * lyk + MOMENTUM () * oldw_el
                                   in (w_el + new_dw, new_dw))
                                (w_row)
                                (oldw_row)
                                (delta)))
                 (w)
                 (oldw)
                 (lyext))

def bpnn_layerforward [n] [m] (l1: [n]f32, conn: [n][m]f32, conn_fstrow: [m]f32) : *[m]f32 =
  let connT = transpose (conn)
  let res_tmp =
    map (\(conn_tr_row: [n]f32) : f32 ->
           f32.sum (map2 (*) conn_tr_row l1))
        connT
  in map2 (\(pr: f32) (conn0: f32) : f32 ->
             squash (pr + conn0))
          res_tmp
          conn_fstrow

def consColumn [m] [n] (mat: [m][n]f32, col: [m]f32) : *[m][]f32 =
  map2 (\(matrow: []f32) (colelm: f32) : [n + 1]f32 ->
          map (\k -> if k < 1 then colelm else #[unsafe] matrow[k - 1])
              (iota (n + 1)))
       mat
       col

def bpnn_train_kernel [n_in] [n_inp1] [n_hid] [n_hidp1] [n_out]
                      ( input_units: [n_in]f32
                      , target: [n_out]f32
                      , input_weights: [n_inp1][n_hid]f32
                      , hidden_weights: [n_hidp1][n_out]f32
                      , input_prev_weights: *[n_inp1][n_hid]f32
                      , hidden_prev_weights: *[n_hidp1][n_out]f32
                      ) : ( f32
                          , f32
                          , *[n_inp1][n_hid]f32
                          , *[n_hidp1][n_out]f32
                          ) =
  let inpweightsrow0 = input_weights[0]
  let hidden_units = bpnn_layerforward (input_units, input_weights[1:] :> [n_in][n_hid]f32, inpweightsrow0)
  let hidweightsrow0 = hidden_weights[0]
  let output_units = bpnn_layerforward (hidden_units, hidden_weights[1:] :> [n_hid][n_out]f32, hidweightsrow0)
  let (out_err, output_delta) = bpnn_output_error (target, output_units)
  let (hid_err, hidden_delta) = bpnn_hidden_error (output_delta, hidden_weights[1:] :> [n_hid][n_out]f32, hidden_units)
  let (hidden_weights', _) =
    bpnn_adjust_weights (output_delta, hidden_units, copy hidden_weights, hidden_prev_weights)
  let (input_weights', _) =
    bpnn_adjust_weights (hidden_delta, input_units, copy input_weights, input_prev_weights)
  in (out_err, hid_err, copy input_weights', copy hidden_weights')

def bpnn_constant_row (m: i64) (value: f32) : [m]f32 =
  map (\_ -> value) (iota (m))

def sobolIndR [m] (dir_vect: [m]i32) (n: i32) : f32 =
  let reldv_vals =
    map2 (\(dv: i32) (i: i32) : i32 ->
            if (n & (1 << i)) != 0
            then dv
            else 0)
         dir_vect
         (map i32.i64 (iota (m)))
  let x = reduce (\(a: i32) (b: i32) : i32 -> a ^ b) 0 reldv_vals
  in (f32.i32 x) / (2.0 ** f32.i64 (m))

def bpnn_randomize_weights (m: i64) (n: i64) (dirVct: []i32) : [m][n]f32 =
  map (\(i: i64) -> map (\(j: i64) -> sobolIndR dirVct (i32.i64 (i * n + j) + 1)) (iota n)) (iota m)

def main [num_bits] (n_in: i64) (dirVct: [num_bits]i32) =
  let n_out = 1i64
  let n_hid = 16i64
  let n_inp1 = n_in + 1
  let n_hidp1 = n_hid + 1
  let input_units = map (\i -> sobolIndR dirVct (i32.i64 i + 1)) (iota n_in)
  let target = bpnn_constant_row n_out 0.1
  let input_weights = bpnn_randomize_weights n_inp1 n_hid dirVct
  let hidden_weights = bpnn_randomize_weights n_hidp1 n_out dirVct
  let input_prev = replicate n_inp1 (replicate n_hid 0f32)
  let hidden_prev = replicate n_hidp1 (replicate n_out 0f32)
  in bpnn_train_kernel (input_units, target, input_weights, hidden_weights, input_prev, hidden_prev)

-- ==
-- input { 12i64 [536870912,268435456,134217728,67108864,33554432,16777216] }
