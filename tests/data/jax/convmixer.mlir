module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x10xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<5x5x1x8xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<8xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<8xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<1x1x8x8xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<8xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<8xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<5x5x1x8xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<8xf32> {tf.aliasing_output = 8 : i32}, %arg9: tensor<8xf32> {tf.aliasing_output = 9 : i32}, %arg10: tensor<1x1x8x8xf32> {tf.aliasing_output = 10 : i32}, %arg11: tensor<8xf32> {tf.aliasing_output = 11 : i32}, %arg12: tensor<8xf32> {tf.aliasing_output = 12 : i32}, %arg13: tensor<8xf32> {tf.aliasing_output = 13 : i32}, %arg14: tensor<2x2x3x8xf32> {tf.aliasing_output = 14 : i32}, %arg15: tensor<8xf32> {tf.aliasing_output = 15 : i32}, %arg16: tensor<8x10xf32> {tf.aliasing_output = 16 : i32}, %arg17: tensor<5x5x1x8xf32> {tf.aliasing_output = 17 : i32}, %arg18: tensor<8xf32> {tf.aliasing_output = 18 : i32}, %arg19: tensor<8xf32> {tf.aliasing_output = 19 : i32}, %arg20: tensor<1x1x8x8xf32> {tf.aliasing_output = 20 : i32}, %arg21: tensor<8xf32> {tf.aliasing_output = 21 : i32}, %arg22: tensor<8xf32> {tf.aliasing_output = 22 : i32}, %arg23: tensor<5x5x1x8xf32> {tf.aliasing_output = 23 : i32}, %arg24: tensor<8xf32> {tf.aliasing_output = 24 : i32}, %arg25: tensor<8xf32> {tf.aliasing_output = 25 : i32}, %arg26: tensor<1x1x8x8xf32> {tf.aliasing_output = 26 : i32}, %arg27: tensor<8xf32> {tf.aliasing_output = 27 : i32}, %arg28: tensor<8xf32> {tf.aliasing_output = 28 : i32}, %arg29: tensor<8xf32> {tf.aliasing_output = 29 : i32}, %arg30: tensor<2x2x3x8xf32> {tf.aliasing_output = 30 : i32}, %arg31: tensor<8xf32> {tf.aliasing_output = 31 : i32}, %arg32: tensor<8x10xf32> {tf.aliasing_output = 32 : i32}, %arg33: tensor<5x5x1x8xf32> {tf.aliasing_output = 33 : i32}, %arg34: tensor<8xf32> {tf.aliasing_output = 34 : i32}, %arg35: tensor<8xf32> {tf.aliasing_output = 35 : i32}, %arg36: tensor<1x1x8x8xf32> {tf.aliasing_output = 36 : i32}, %arg37: tensor<8xf32> {tf.aliasing_output = 37 : i32}, %arg38: tensor<8xf32> {tf.aliasing_output = 38 : i32}, %arg39: tensor<5x5x1x8xf32> {tf.aliasing_output = 39 : i32}, %arg40: tensor<8xf32> {tf.aliasing_output = 40 : i32}, %arg41: tensor<8xf32> {tf.aliasing_output = 41 : i32}, %arg42: tensor<1x1x8x8xf32> {tf.aliasing_output = 42 : i32}, %arg43: tensor<8xf32> {tf.aliasing_output = 43 : i32}, %arg44: tensor<8xf32> {tf.aliasing_output = 44 : i32}, %arg45: tensor<8xf32> {tf.aliasing_output = 45 : i32}, %arg46: tensor<2x2x3x8xf32> {tf.aliasing_output = 46 : i32}, %arg47: tensor<8xf32> {tf.aliasing_output = 47 : i32}, %arg48: tensor<f32> {tf.aliasing_output = 48 : i32}, %arg49: tensor<4x12x12x3xf32>, %arg50: tensor<4xi32>) -> (tensor<8x10xf32> {jax.result_info = "result[0]['head']"}, tensor<5x5x1x8xf32> {jax.result_info = "result[0]['layers'][0]['depth']"}, tensor<8xf32> {jax.result_info = "result[0]['layers'][0]['o1']"}, tensor<8xf32> {jax.result_info = "result[0]['layers'][0]['o2']"}, tensor<1x1x8x8xf32> {jax.result_info = "result[0]['layers'][0]['point']"}, tensor<8xf32> {jax.result_info = "result[0]['layers'][0]['s1']"}, tensor<8xf32> {jax.result_info = "result[0]['layers'][0]['s2']"}, tensor<5x5x1x8xf32> {jax.result_info = "result[0]['layers'][1]['depth']"}, tensor<8xf32> {jax.result_info = "result[0]['layers'][1]['o1']"}, tensor<8xf32> {jax.result_info = "result[0]['layers'][1]['o2']"}, tensor<1x1x8x8xf32> {jax.result_info = "result[0]['layers'][1]['point']"}, tensor<8xf32> {jax.result_info = "result[0]['layers'][1]['s1']"}, tensor<8xf32> {jax.result_info = "result[0]['layers'][1]['s2']"}, tensor<8xf32> {jax.result_info = "result[0]['o']"}, tensor<2x2x3x8xf32> {jax.result_info = "result[0]['patch']"}, tensor<8xf32> {jax.result_info = "result[0]['s']"}, tensor<8x10xf32> {jax.result_info = "result[1]['head']"}, tensor<5x5x1x8xf32> {jax.result_info = "result[1]['layers'][0]['depth']"}, tensor<8xf32> {jax.result_info = "result[1]['layers'][0]['o1']"}, tensor<8xf32> {jax.result_info = "result[1]['layers'][0]['o2']"}, tensor<1x1x8x8xf32> {jax.result_info = "result[1]['layers'][0]['point']"}, tensor<8xf32> {jax.result_info = "result[1]['layers'][0]['s1']"}, tensor<8xf32> {jax.result_info = "result[1]['layers'][0]['s2']"}, tensor<5x5x1x8xf32> {jax.result_info = "result[1]['layers'][1]['depth']"}, tensor<8xf32> {jax.result_info = "result[1]['layers'][1]['o1']"}, tensor<8xf32> {jax.result_info = "result[1]['layers'][1]['o2']"}, tensor<1x1x8x8xf32> {jax.result_info = "result[1]['layers'][1]['point']"}, tensor<8xf32> {jax.result_info = "result[1]['layers'][1]['s1']"}, tensor<8xf32> {jax.result_info = "result[1]['layers'][1]['s2']"}, tensor<8xf32> {jax.result_info = "result[1]['o']"}, tensor<2x2x3x8xf32> {jax.result_info = "result[1]['patch']"}, tensor<8xf32> {jax.result_info = "result[1]['s']"}, tensor<8x10xf32> {jax.result_info = "result[2]['head']"}, tensor<5x5x1x8xf32> {jax.result_info = "result[2]['layers'][0]['depth']"}, tensor<8xf32> {jax.result_info = "result[2]['layers'][0]['o1']"}, tensor<8xf32> {jax.result_info = "result[2]['layers'][0]['o2']"}, tensor<1x1x8x8xf32> {jax.result_info = "result[2]['layers'][0]['point']"}, tensor<8xf32> {jax.result_info = "result[2]['layers'][0]['s1']"}, tensor<8xf32> {jax.result_info = "result[2]['layers'][0]['s2']"}, tensor<5x5x1x8xf32> {jax.result_info = "result[2]['layers'][1]['depth']"}, tensor<8xf32> {jax.result_info = "result[2]['layers'][1]['o1']"}, tensor<8xf32> {jax.result_info = "result[2]['layers'][1]['o2']"}, tensor<1x1x8x8xf32> {jax.result_info = "result[2]['layers'][1]['point']"}, tensor<8xf32> {jax.result_info = "result[2]['layers'][1]['s1']"}, tensor<8xf32> {jax.result_info = "result[2]['layers'][1]['s2']"}, tensor<8xf32> {jax.result_info = "result[2]['o']"}, tensor<2x2x3x8xf32> {jax.result_info = "result[2]['patch']"}, tensor<8xf32> {jax.result_info = "result[2]['s']"}, tensor<f32> {jax.result_info = "result[3]['n']"}, tensor<f32> {jax.result_info = "result[4]"}) {
    %0 = stablehlo.convolution(%arg49, %arg14) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x12x12x3xf32>, tensor<2x2x3x8xf32>) -> tensor<4x6x6x8xf32>
    %1 = stablehlo.multiply %0, %0 : tensor<4x6x6x8xf32>
    %2 = stablehlo.multiply %1, %0 : tensor<4x6x6x8xf32>
    %3 = stablehlo.multiply %0, %0 : tensor<4x6x6x8xf32>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %5 = stablehlo.multiply %4, %3 : tensor<4x6x6x8xf32>
    %cst_0 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %7 = stablehlo.multiply %6, %2 : tensor<4x6x6x8xf32>
    %8 = stablehlo.add %0, %7 : tensor<4x6x6x8xf32>
    %cst_1 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %10 = stablehlo.multiply %9, %8 : tensor<4x6x6x8xf32>
    %11 = stablehlo.tanh %10 : tensor<4x6x6x8xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %13 = stablehlo.subtract %12, %11 : tensor<4x6x6x8xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %15 = stablehlo.add %14, %11 : tensor<4x6x6x8xf32>
    %cst_4 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %17 = stablehlo.multiply %16, %15 : tensor<4x6x6x8xf32>
    %18 = stablehlo.multiply %0, %17 : tensor<4x6x6x8xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.reduce(%18 init: %cst_5) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x6x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %cst_6 = stablehlo.constant dense<1.440000e+02> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %21 = stablehlo.divide %19, %20 : tensor<8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %22:4 = call @_var(%18, %c) : (tensor<4x6x6x8xf32>, tensor<i32>) -> (tensor<8xf32>, tensor<4x6x6x8xf32>, tensor<f32>, tensor<i1>)
    %23 = stablehlo.broadcast_in_dim %21, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x6x6x8xf32>
    %25 = stablehlo.subtract %18, %24 : tensor<4x6x6x8xf32>
    %cst_7 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %27 = stablehlo.add %22#0, %26 : tensor<8xf32>
    %28 = stablehlo.sqrt %27 : tensor<8xf32>
    %cst_8 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %30 = stablehlo.divide %29, %28 : tensor<8xf32>
    %31 = stablehlo.broadcast_in_dim %28, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x6x6x8xf32>
    %33 = stablehlo.divide %25, %32 : tensor<4x6x6x8xf32>
    %34 = stablehlo.multiply %31, %31 : tensor<1x1x1x8xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<1x1x1x8xf32>
    %36 = stablehlo.divide %35, %34 : tensor<1x1x1x8xf32>
    %37 = stablehlo.broadcast_in_dim %arg15, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x6x6x8xf32>
    %39 = stablehlo.multiply %33, %38 : tensor<4x6x6x8xf32>
    %40 = stablehlo.broadcast_in_dim %arg13, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x6x6x8xf32>
    %42 = stablehlo.add %39, %41 : tensor<4x6x6x8xf32>
    %43 = stablehlo.convolution(%42, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 2], [2, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 8 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x6x6x8xf32>, tensor<5x5x1x8xf32>) -> tensor<4x6x6x8xf32>
    %44 = stablehlo.multiply %43, %43 : tensor<4x6x6x8xf32>
    %45 = stablehlo.multiply %44, %43 : tensor<4x6x6x8xf32>
    %46 = stablehlo.multiply %43, %43 : tensor<4x6x6x8xf32>
    %cst_10 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %48 = stablehlo.multiply %47, %46 : tensor<4x6x6x8xf32>
    %cst_11 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %50 = stablehlo.multiply %49, %45 : tensor<4x6x6x8xf32>
    %51 = stablehlo.add %43, %50 : tensor<4x6x6x8xf32>
    %cst_12 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %53 = stablehlo.multiply %52, %51 : tensor<4x6x6x8xf32>
    %54 = stablehlo.tanh %53 : tensor<4x6x6x8xf32>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %56 = stablehlo.subtract %55, %54 : tensor<4x6x6x8xf32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %58 = stablehlo.add %57, %54 : tensor<4x6x6x8xf32>
    %cst_15 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %60 = stablehlo.multiply %59, %58 : tensor<4x6x6x8xf32>
    %61 = stablehlo.multiply %43, %60 : tensor<4x6x6x8xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %62 = stablehlo.reduce(%61 init: %cst_16) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x6x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %cst_17 = stablehlo.constant dense<1.440000e+02> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %64 = stablehlo.divide %62, %63 : tensor<8xf32>
    %c_18 = stablehlo.constant dense<0> : tensor<i32>
    %65:4 = call @_var(%61, %c_18) : (tensor<4x6x6x8xf32>, tensor<i32>) -> (tensor<8xf32>, tensor<4x6x6x8xf32>, tensor<f32>, tensor<i1>)
    %66 = stablehlo.broadcast_in_dim %64, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %67 = stablehlo.broadcast_in_dim %66, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x6x6x8xf32>
    %68 = stablehlo.subtract %61, %67 : tensor<4x6x6x8xf32>
    %cst_19 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %70 = stablehlo.add %65#0, %69 : tensor<8xf32>
    %71 = stablehlo.sqrt %70 : tensor<8xf32>
    %cst_20 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %73 = stablehlo.divide %72, %71 : tensor<8xf32>
    %74 = stablehlo.broadcast_in_dim %71, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %75 = stablehlo.broadcast_in_dim %74, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x6x6x8xf32>
    %76 = stablehlo.divide %68, %75 : tensor<4x6x6x8xf32>
    %77 = stablehlo.multiply %74, %74 : tensor<1x1x1x8xf32>
    %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<1x1x1x8xf32>
    %79 = stablehlo.divide %78, %77 : tensor<1x1x1x8xf32>
    %80 = stablehlo.broadcast_in_dim %arg5, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %81 = stablehlo.broadcast_in_dim %80, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x6x6x8xf32>
    %82 = stablehlo.multiply %76, %81 : tensor<4x6x6x8xf32>
    %83 = stablehlo.broadcast_in_dim %arg2, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %84 = stablehlo.broadcast_in_dim %83, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x6x6x8xf32>
    %85 = stablehlo.add %82, %84 : tensor<4x6x6x8xf32>
    %86 = stablehlo.add %42, %85 : tensor<4x6x6x8xf32>
    %87 = stablehlo.convolution(%86, %arg4) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x6x6x8xf32>, tensor<1x1x8x8xf32>) -> tensor<4x6x6x8xf32>
    %88 = stablehlo.multiply %87, %87 : tensor<4x6x6x8xf32>
    %89 = stablehlo.multiply %88, %87 : tensor<4x6x6x8xf32>
    %90 = stablehlo.multiply %87, %87 : tensor<4x6x6x8xf32>
    %cst_22 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %91 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %92 = stablehlo.multiply %91, %90 : tensor<4x6x6x8xf32>
    %cst_23 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %93 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %94 = stablehlo.multiply %93, %89 : tensor<4x6x6x8xf32>
    %95 = stablehlo.add %87, %94 : tensor<4x6x6x8xf32>
    %cst_24 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %97 = stablehlo.multiply %96, %95 : tensor<4x6x6x8xf32>
    %98 = stablehlo.tanh %97 : tensor<4x6x6x8xf32>
    %cst_25 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %100 = stablehlo.subtract %99, %98 : tensor<4x6x6x8xf32>
    %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %101 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %102 = stablehlo.add %101, %98 : tensor<4x6x6x8xf32>
    %cst_27 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %103 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %104 = stablehlo.multiply %103, %102 : tensor<4x6x6x8xf32>
    %105 = stablehlo.multiply %87, %104 : tensor<4x6x6x8xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %106 = stablehlo.reduce(%105 init: %cst_28) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x6x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %cst_29 = stablehlo.constant dense<1.440000e+02> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %108 = stablehlo.divide %106, %107 : tensor<8xf32>
    %c_30 = stablehlo.constant dense<0> : tensor<i32>
    %109:4 = call @_var(%105, %c_30) : (tensor<4x6x6x8xf32>, tensor<i32>) -> (tensor<8xf32>, tensor<4x6x6x8xf32>, tensor<f32>, tensor<i1>)
    %110 = stablehlo.broadcast_in_dim %108, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %111 = stablehlo.broadcast_in_dim %110, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x6x6x8xf32>
    %112 = stablehlo.subtract %105, %111 : tensor<4x6x6x8xf32>
    %cst_31 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %113 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %114 = stablehlo.add %109#0, %113 : tensor<8xf32>
    %115 = stablehlo.sqrt %114 : tensor<8xf32>
    %cst_32 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %116 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %117 = stablehlo.divide %116, %115 : tensor<8xf32>
    %118 = stablehlo.broadcast_in_dim %115, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %119 = stablehlo.broadcast_in_dim %118, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x6x6x8xf32>
    %120 = stablehlo.divide %112, %119 : tensor<4x6x6x8xf32>
    %121 = stablehlo.multiply %118, %118 : tensor<1x1x1x8xf32>
    %cst_33 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %122 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<1x1x1x8xf32>
    %123 = stablehlo.divide %122, %121 : tensor<1x1x1x8xf32>
    %124 = stablehlo.broadcast_in_dim %arg6, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %125 = stablehlo.broadcast_in_dim %124, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x6x6x8xf32>
    %126 = stablehlo.multiply %120, %125 : tensor<4x6x6x8xf32>
    %127 = stablehlo.broadcast_in_dim %arg3, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %128 = stablehlo.broadcast_in_dim %127, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x6x6x8xf32>
    %129 = stablehlo.add %126, %128 : tensor<4x6x6x8xf32>
    %130 = stablehlo.convolution(%129, %arg7) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 2], [2, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 8 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x6x6x8xf32>, tensor<5x5x1x8xf32>) -> tensor<4x6x6x8xf32>
    %131 = stablehlo.multiply %130, %130 : tensor<4x6x6x8xf32>
    %132 = stablehlo.multiply %131, %130 : tensor<4x6x6x8xf32>
    %133 = stablehlo.multiply %130, %130 : tensor<4x6x6x8xf32>
    %cst_34 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %134 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %135 = stablehlo.multiply %134, %133 : tensor<4x6x6x8xf32>
    %cst_35 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %136 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %137 = stablehlo.multiply %136, %132 : tensor<4x6x6x8xf32>
    %138 = stablehlo.add %130, %137 : tensor<4x6x6x8xf32>
    %cst_36 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %139 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %140 = stablehlo.multiply %139, %138 : tensor<4x6x6x8xf32>
    %141 = stablehlo.tanh %140 : tensor<4x6x6x8xf32>
    %cst_37 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %142 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %143 = stablehlo.subtract %142, %141 : tensor<4x6x6x8xf32>
    %cst_38 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %144 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %145 = stablehlo.add %144, %141 : tensor<4x6x6x8xf32>
    %cst_39 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %146 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %147 = stablehlo.multiply %146, %145 : tensor<4x6x6x8xf32>
    %148 = stablehlo.multiply %130, %147 : tensor<4x6x6x8xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %149 = stablehlo.reduce(%148 init: %cst_40) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x6x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %cst_41 = stablehlo.constant dense<1.440000e+02> : tensor<f32>
    %150 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %151 = stablehlo.divide %149, %150 : tensor<8xf32>
    %c_42 = stablehlo.constant dense<0> : tensor<i32>
    %152:4 = call @_var(%148, %c_42) : (tensor<4x6x6x8xf32>, tensor<i32>) -> (tensor<8xf32>, tensor<4x6x6x8xf32>, tensor<f32>, tensor<i1>)
    %153 = stablehlo.broadcast_in_dim %151, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %154 = stablehlo.broadcast_in_dim %153, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x6x6x8xf32>
    %155 = stablehlo.subtract %148, %154 : tensor<4x6x6x8xf32>
    %cst_43 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %156 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %157 = stablehlo.add %152#0, %156 : tensor<8xf32>
    %158 = stablehlo.sqrt %157 : tensor<8xf32>
    %cst_44 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %159 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %160 = stablehlo.divide %159, %158 : tensor<8xf32>
    %161 = stablehlo.broadcast_in_dim %158, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %162 = stablehlo.broadcast_in_dim %161, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x6x6x8xf32>
    %163 = stablehlo.divide %155, %162 : tensor<4x6x6x8xf32>
    %164 = stablehlo.multiply %161, %161 : tensor<1x1x1x8xf32>
    %cst_45 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %165 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<1x1x1x8xf32>
    %166 = stablehlo.divide %165, %164 : tensor<1x1x1x8xf32>
    %167 = stablehlo.broadcast_in_dim %arg11, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %168 = stablehlo.broadcast_in_dim %167, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x6x6x8xf32>
    %169 = stablehlo.multiply %163, %168 : tensor<4x6x6x8xf32>
    %170 = stablehlo.broadcast_in_dim %arg8, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %171 = stablehlo.broadcast_in_dim %170, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x6x6x8xf32>
    %172 = stablehlo.add %169, %171 : tensor<4x6x6x8xf32>
    %173 = stablehlo.add %129, %172 : tensor<4x6x6x8xf32>
    %174 = stablehlo.convolution(%173, %arg10) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x6x6x8xf32>, tensor<1x1x8x8xf32>) -> tensor<4x6x6x8xf32>
    %175 = stablehlo.multiply %174, %174 : tensor<4x6x6x8xf32>
    %176 = stablehlo.multiply %175, %174 : tensor<4x6x6x8xf32>
    %177 = stablehlo.multiply %174, %174 : tensor<4x6x6x8xf32>
    %cst_46 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %178 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %179 = stablehlo.multiply %178, %177 : tensor<4x6x6x8xf32>
    %cst_47 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %180 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %181 = stablehlo.multiply %180, %176 : tensor<4x6x6x8xf32>
    %182 = stablehlo.add %174, %181 : tensor<4x6x6x8xf32>
    %cst_48 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %183 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %184 = stablehlo.multiply %183, %182 : tensor<4x6x6x8xf32>
    %185 = stablehlo.tanh %184 : tensor<4x6x6x8xf32>
    %cst_49 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %186 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %187 = stablehlo.subtract %186, %185 : tensor<4x6x6x8xf32>
    %cst_50 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %188 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %189 = stablehlo.add %188, %185 : tensor<4x6x6x8xf32>
    %cst_51 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %190 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %191 = stablehlo.multiply %190, %189 : tensor<4x6x6x8xf32>
    %192 = stablehlo.multiply %174, %191 : tensor<4x6x6x8xf32>
    %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %193 = stablehlo.reduce(%192 init: %cst_52) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x6x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %cst_53 = stablehlo.constant dense<1.440000e+02> : tensor<f32>
    %194 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %195 = stablehlo.divide %193, %194 : tensor<8xf32>
    %c_54 = stablehlo.constant dense<0> : tensor<i32>
    %196:4 = call @_var(%192, %c_54) : (tensor<4x6x6x8xf32>, tensor<i32>) -> (tensor<8xf32>, tensor<4x6x6x8xf32>, tensor<f32>, tensor<i1>)
    %197 = stablehlo.broadcast_in_dim %195, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %198 = stablehlo.broadcast_in_dim %197, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x6x6x8xf32>
    %199 = stablehlo.subtract %192, %198 : tensor<4x6x6x8xf32>
    %cst_55 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %200 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %201 = stablehlo.add %196#0, %200 : tensor<8xf32>
    %202 = stablehlo.sqrt %201 : tensor<8xf32>
    %cst_56 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %203 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %204 = stablehlo.divide %203, %202 : tensor<8xf32>
    %205 = stablehlo.broadcast_in_dim %202, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %206 = stablehlo.broadcast_in_dim %205, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x6x6x8xf32>
    %207 = stablehlo.divide %199, %206 : tensor<4x6x6x8xf32>
    %208 = stablehlo.multiply %205, %205 : tensor<1x1x1x8xf32>
    %cst_57 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %209 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<1x1x1x8xf32>
    %210 = stablehlo.divide %209, %208 : tensor<1x1x1x8xf32>
    %211 = stablehlo.broadcast_in_dim %arg12, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %212 = stablehlo.broadcast_in_dim %211, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x6x6x8xf32>
    %213 = stablehlo.multiply %207, %212 : tensor<4x6x6x8xf32>
    %214 = stablehlo.broadcast_in_dim %arg9, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %215 = stablehlo.broadcast_in_dim %214, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x6x6x8xf32>
    %216 = stablehlo.add %213, %215 : tensor<4x6x6x8xf32>
    %217 = call @_one_hot(%arg50) : (tensor<4xi32>) -> tensor<4x10xf32>
    %cst_58 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %218 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<4x10xf32>
    %219 = stablehlo.multiply %218, %217 : tensor<4x10xf32>
    %cst_59 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %220 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<4x10xf32>
    %221 = stablehlo.add %219, %220 : tensor<4x10xf32>
    %cst_60 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %222 = stablehlo.reduce(%216 init: %cst_60) applies stablehlo.add across dimensions = [1, 2] : (tensor<4x6x6x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %cst_61 = stablehlo.constant dense<3.600000e+01> : tensor<f32>
    %223 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %224 = stablehlo.divide %222, %223 : tensor<4x8xf32>
    %225 = stablehlo.dot_general %224, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x10xf32>) -> tensor<4x10xf32>
    %226:3 = call @log_softmax(%225) : (tensor<4x10xf32>) -> (tensor<4x10xf32>, tensor<4x10xf32>, tensor<4x1xf32>)
    %227 = stablehlo.multiply %221, %226#0 : tensor<4x10xf32>
    %cst_62 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %228 = stablehlo.reduce(%227 init: %cst_62) applies stablehlo.add across dimensions = [1] : (tensor<4x10xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_63 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %229 = stablehlo.reduce(%228 init: %cst_63) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %cst_64 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %230 = stablehlo.divide %229, %cst_64 : tensor<f32>
    %231 = stablehlo.negate %230 : tensor<f32>
    %cst_65 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %232 = stablehlo.negate %cst_65 : tensor<f32>
    %cst_66 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %233 = stablehlo.divide %232, %cst_66 : tensor<f32>
    %234 = stablehlo.broadcast_in_dim %233, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %235 = stablehlo.broadcast_in_dim %234, dims = [0] : (tensor<4xf32>) -> tensor<4x10xf32>
    %236 = stablehlo.multiply %221, %235 : tensor<4x10xf32>
    %237 = call @log_softmax_0(%226#1, %226#2, %236) : (tensor<4x10xf32>, tensor<4x1xf32>, tensor<4x10xf32>) -> tensor<4x10xf32>
    %238 = stablehlo.dot_general %237, %224, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x10xf32>, tensor<4x8xf32>) -> tensor<10x8xf32>
    %239 = stablehlo.transpose %238, dims = [1, 0] : (tensor<10x8xf32>) -> tensor<8x10xf32>
    %240 = stablehlo.dot_general %237, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x10xf32>, tensor<8x10xf32>) -> tensor<4x8xf32>
    %cst_67 = stablehlo.constant dense<3.600000e+01> : tensor<f32>
    %241 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %242 = stablehlo.divide %240, %241 : tensor<4x8xf32>
    %243 = stablehlo.broadcast_in_dim %242, dims = [0, 3] : (tensor<4x8xf32>) -> tensor<4x6x6x8xf32>
    %cst_68 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %244 = stablehlo.reduce(%243 init: %cst_68) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x6x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %245 = stablehlo.reshape %244 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %cst_69 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %246 = stablehlo.reduce(%245 init: %cst_69) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %247 = stablehlo.multiply %207, %243 : tensor<4x6x6x8xf32>
    %cst_70 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %248 = stablehlo.reduce(%247 init: %cst_70) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x6x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %249 = stablehlo.reshape %248 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %250 = stablehlo.broadcast_in_dim %211, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x6x6x8xf32>
    %251 = stablehlo.multiply %243, %250 : tensor<4x6x6x8xf32>
    %cst_71 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %252 = stablehlo.reduce(%249 init: %cst_71) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %253 = stablehlo.broadcast_in_dim %210, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x6x6x8xf32>
    %254 = stablehlo.multiply %251, %253 : tensor<4x6x6x8xf32>
    %255 = stablehlo.multiply %254, %199 : tensor<4x6x6x8xf32>
    %cst_72 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %256 = stablehlo.reduce(%255 init: %cst_72) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x6x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %257 = stablehlo.reshape %256 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %258 = stablehlo.negate %257 : tensor<1x1x1x8xf32>
    %259 = stablehlo.broadcast_in_dim %205, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x6x6x8xf32>
    %260 = stablehlo.divide %251, %259 : tensor<4x6x6x8xf32>
    %cst_73 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %261 = stablehlo.reduce(%258 init: %cst_73) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %262 = stablehlo.multiply %261, %204 : tensor<8xf32>
    %263 = stablehlo.negate %260 : tensor<4x6x6x8xf32>
    %cst_74 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %264 = stablehlo.reduce(%263 init: %cst_74) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x6x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %265 = stablehlo.reshape %264 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %cst_75 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %266 = stablehlo.reduce(%265 init: %cst_75) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %267 = call @_var_1(%196#1, %196#2, %196#3, %262) : (tensor<4x6x6x8xf32>, tensor<f32>, tensor<i1>, tensor<8xf32>) -> tensor<4x6x6x8xf32>
    %268 = stablehlo.add %260, %267 : tensor<4x6x6x8xf32>
    %cst_76 = stablehlo.constant dense<1.440000e+02> : tensor<f32>
    %269 = stablehlo.broadcast_in_dim %cst_76, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %270 = stablehlo.divide %266, %269 : tensor<8xf32>
    %271 = stablehlo.broadcast_in_dim %270, dims = [3] : (tensor<8xf32>) -> tensor<4x6x6x8xf32>
    %272 = stablehlo.add %268, %271 : tensor<4x6x6x8xf32>
    %273 = stablehlo.multiply %174, %272 : tensor<4x6x6x8xf32>
    %274 = stablehlo.multiply %272, %191 : tensor<4x6x6x8xf32>
    %cst_77 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %275 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %276 = stablehlo.multiply %275, %273 : tensor<4x6x6x8xf32>
    %277 = stablehlo.multiply %276, %187 : tensor<4x6x6x8xf32>
    %278 = stablehlo.multiply %277, %185 : tensor<4x6x6x8xf32>
    %279 = stablehlo.add %277, %278 : tensor<4x6x6x8xf32>
    %cst_78 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %280 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %281 = stablehlo.multiply %280, %279 : tensor<4x6x6x8xf32>
    %282 = stablehlo.add %274, %281 : tensor<4x6x6x8xf32>
    %cst_79 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %283 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %284 = stablehlo.multiply %283, %281 : tensor<4x6x6x8xf32>
    %285 = stablehlo.multiply %284, %179 : tensor<4x6x6x8xf32>
    %286 = stablehlo.add %282, %285 : tensor<4x6x6x8xf32>
    %287 = stablehlo.convolution(%173, %286) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x6x6x8xf32>, tensor<4x6x6x8xf32>) -> tensor<1x1x8x8xf32>
    %288 = stablehlo.reverse %arg10, dims = [0, 1] : tensor<1x1x8x8xf32>
    %289 = stablehlo.convolution(%286, %288) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x6x6x8xf32>, tensor<1x1x8x8xf32>) -> tensor<4x6x6x8xf32>
    %cst_80 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %290 = stablehlo.reduce(%289 init: %cst_80) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x6x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %291 = stablehlo.reshape %290 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %cst_81 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %292 = stablehlo.reduce(%291 init: %cst_81) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %293 = stablehlo.multiply %163, %289 : tensor<4x6x6x8xf32>
    %cst_82 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %294 = stablehlo.reduce(%293 init: %cst_82) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x6x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %295 = stablehlo.reshape %294 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %296 = stablehlo.broadcast_in_dim %167, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x6x6x8xf32>
    %297 = stablehlo.multiply %289, %296 : tensor<4x6x6x8xf32>
    %cst_83 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %298 = stablehlo.reduce(%295 init: %cst_83) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %299 = stablehlo.broadcast_in_dim %166, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x6x6x8xf32>
    %300 = stablehlo.multiply %297, %299 : tensor<4x6x6x8xf32>
    %301 = stablehlo.multiply %300, %155 : tensor<4x6x6x8xf32>
    %cst_84 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %302 = stablehlo.reduce(%301 init: %cst_84) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x6x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %303 = stablehlo.reshape %302 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %304 = stablehlo.negate %303 : tensor<1x1x1x8xf32>
    %305 = stablehlo.broadcast_in_dim %161, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x6x6x8xf32>
    %306 = stablehlo.divide %297, %305 : tensor<4x6x6x8xf32>
    %cst_85 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %307 = stablehlo.reduce(%304 init: %cst_85) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %308 = stablehlo.multiply %307, %160 : tensor<8xf32>
    %309 = stablehlo.negate %306 : tensor<4x6x6x8xf32>
    %cst_86 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %310 = stablehlo.reduce(%309 init: %cst_86) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x6x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %311 = stablehlo.reshape %310 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %cst_87 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %312 = stablehlo.reduce(%311 init: %cst_87) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %313 = call @_var_1(%152#1, %152#2, %152#3, %308) : (tensor<4x6x6x8xf32>, tensor<f32>, tensor<i1>, tensor<8xf32>) -> tensor<4x6x6x8xf32>
    %314 = stablehlo.add %306, %313 : tensor<4x6x6x8xf32>
    %cst_88 = stablehlo.constant dense<1.440000e+02> : tensor<f32>
    %315 = stablehlo.broadcast_in_dim %cst_88, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %316 = stablehlo.divide %312, %315 : tensor<8xf32>
    %317 = stablehlo.broadcast_in_dim %316, dims = [3] : (tensor<8xf32>) -> tensor<4x6x6x8xf32>
    %318 = stablehlo.add %314, %317 : tensor<4x6x6x8xf32>
    %319 = stablehlo.multiply %130, %318 : tensor<4x6x6x8xf32>
    %320 = stablehlo.multiply %318, %147 : tensor<4x6x6x8xf32>
    %cst_89 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %321 = stablehlo.broadcast_in_dim %cst_89, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %322 = stablehlo.multiply %321, %319 : tensor<4x6x6x8xf32>
    %323 = stablehlo.multiply %322, %143 : tensor<4x6x6x8xf32>
    %324 = stablehlo.multiply %323, %141 : tensor<4x6x6x8xf32>
    %325 = stablehlo.add %323, %324 : tensor<4x6x6x8xf32>
    %cst_90 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %326 = stablehlo.broadcast_in_dim %cst_90, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %327 = stablehlo.multiply %326, %325 : tensor<4x6x6x8xf32>
    %328 = stablehlo.add %320, %327 : tensor<4x6x6x8xf32>
    %cst_91 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %329 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %330 = stablehlo.multiply %329, %327 : tensor<4x6x6x8xf32>
    %331 = stablehlo.multiply %330, %135 : tensor<4x6x6x8xf32>
    %332 = stablehlo.add %328, %331 : tensor<4x6x6x8xf32>
    %333 = stablehlo.convolution(%129, %332) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[2, 2], [2, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 8 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x6x6x8xf32>, tensor<4x6x6x8xf32>) -> tensor<5x5x1x8xf32>
    %334 = stablehlo.reshape %arg7 : (tensor<5x5x1x8xf32>) -> tensor<5x5x1x8x1xf32>
    %335 = stablehlo.transpose %334, dims = [0, 1, 3, 2, 4] : (tensor<5x5x1x8x1xf32>) -> tensor<5x5x8x1x1xf32>
    %336 = stablehlo.reshape %335 : (tensor<5x5x8x1x1xf32>) -> tensor<5x5x8x1xf32>
    %337 = stablehlo.reverse %336, dims = [0, 1] : tensor<5x5x8x1xf32>
    %338 = stablehlo.convolution(%332, %337) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 2], [2, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 8 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x6x6x8xf32>, tensor<5x5x8x1xf32>) -> tensor<4x6x6x8xf32>
    %339 = stablehlo.add %289, %338 : tensor<4x6x6x8xf32>
    %cst_92 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %340 = stablehlo.reduce(%339 init: %cst_92) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x6x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %341 = stablehlo.reshape %340 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %cst_93 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %342 = stablehlo.reduce(%341 init: %cst_93) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %343 = stablehlo.multiply %120, %339 : tensor<4x6x6x8xf32>
    %cst_94 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %344 = stablehlo.reduce(%343 init: %cst_94) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x6x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %345 = stablehlo.reshape %344 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %346 = stablehlo.broadcast_in_dim %124, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x6x6x8xf32>
    %347 = stablehlo.multiply %339, %346 : tensor<4x6x6x8xf32>
    %cst_95 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %348 = stablehlo.reduce(%345 init: %cst_95) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %349 = stablehlo.broadcast_in_dim %123, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x6x6x8xf32>
    %350 = stablehlo.multiply %347, %349 : tensor<4x6x6x8xf32>
    %351 = stablehlo.multiply %350, %112 : tensor<4x6x6x8xf32>
    %cst_96 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %352 = stablehlo.reduce(%351 init: %cst_96) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x6x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %353 = stablehlo.reshape %352 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %354 = stablehlo.negate %353 : tensor<1x1x1x8xf32>
    %355 = stablehlo.broadcast_in_dim %118, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x6x6x8xf32>
    %356 = stablehlo.divide %347, %355 : tensor<4x6x6x8xf32>
    %cst_97 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %357 = stablehlo.reduce(%354 init: %cst_97) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %358 = stablehlo.multiply %357, %117 : tensor<8xf32>
    %359 = stablehlo.negate %356 : tensor<4x6x6x8xf32>
    %cst_98 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %360 = stablehlo.reduce(%359 init: %cst_98) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x6x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %361 = stablehlo.reshape %360 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %cst_99 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %362 = stablehlo.reduce(%361 init: %cst_99) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %363 = call @_var_1(%109#1, %109#2, %109#3, %358) : (tensor<4x6x6x8xf32>, tensor<f32>, tensor<i1>, tensor<8xf32>) -> tensor<4x6x6x8xf32>
    %364 = stablehlo.add %356, %363 : tensor<4x6x6x8xf32>
    %cst_100 = stablehlo.constant dense<1.440000e+02> : tensor<f32>
    %365 = stablehlo.broadcast_in_dim %cst_100, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %366 = stablehlo.divide %362, %365 : tensor<8xf32>
    %367 = stablehlo.broadcast_in_dim %366, dims = [3] : (tensor<8xf32>) -> tensor<4x6x6x8xf32>
    %368 = stablehlo.add %364, %367 : tensor<4x6x6x8xf32>
    %369 = stablehlo.multiply %87, %368 : tensor<4x6x6x8xf32>
    %370 = stablehlo.multiply %368, %104 : tensor<4x6x6x8xf32>
    %cst_101 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %371 = stablehlo.broadcast_in_dim %cst_101, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %372 = stablehlo.multiply %371, %369 : tensor<4x6x6x8xf32>
    %373 = stablehlo.multiply %372, %100 : tensor<4x6x6x8xf32>
    %374 = stablehlo.multiply %373, %98 : tensor<4x6x6x8xf32>
    %375 = stablehlo.add %373, %374 : tensor<4x6x6x8xf32>
    %cst_102 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %376 = stablehlo.broadcast_in_dim %cst_102, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %377 = stablehlo.multiply %376, %375 : tensor<4x6x6x8xf32>
    %378 = stablehlo.add %370, %377 : tensor<4x6x6x8xf32>
    %cst_103 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %379 = stablehlo.broadcast_in_dim %cst_103, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %380 = stablehlo.multiply %379, %377 : tensor<4x6x6x8xf32>
    %381 = stablehlo.multiply %380, %92 : tensor<4x6x6x8xf32>
    %382 = stablehlo.add %378, %381 : tensor<4x6x6x8xf32>
    %383 = stablehlo.convolution(%86, %382) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x6x6x8xf32>, tensor<4x6x6x8xf32>) -> tensor<1x1x8x8xf32>
    %384 = stablehlo.reverse %arg4, dims = [0, 1] : tensor<1x1x8x8xf32>
    %385 = stablehlo.convolution(%382, %384) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x6x6x8xf32>, tensor<1x1x8x8xf32>) -> tensor<4x6x6x8xf32>
    %cst_104 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %386 = stablehlo.reduce(%385 init: %cst_104) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x6x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %387 = stablehlo.reshape %386 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %cst_105 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %388 = stablehlo.reduce(%387 init: %cst_105) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %389 = stablehlo.multiply %76, %385 : tensor<4x6x6x8xf32>
    %cst_106 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %390 = stablehlo.reduce(%389 init: %cst_106) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x6x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %391 = stablehlo.reshape %390 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %392 = stablehlo.broadcast_in_dim %80, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x6x6x8xf32>
    %393 = stablehlo.multiply %385, %392 : tensor<4x6x6x8xf32>
    %cst_107 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %394 = stablehlo.reduce(%391 init: %cst_107) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %395 = stablehlo.broadcast_in_dim %79, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x6x6x8xf32>
    %396 = stablehlo.multiply %393, %395 : tensor<4x6x6x8xf32>
    %397 = stablehlo.multiply %396, %68 : tensor<4x6x6x8xf32>
    %cst_108 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %398 = stablehlo.reduce(%397 init: %cst_108) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x6x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %399 = stablehlo.reshape %398 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %400 = stablehlo.negate %399 : tensor<1x1x1x8xf32>
    %401 = stablehlo.broadcast_in_dim %74, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x6x6x8xf32>
    %402 = stablehlo.divide %393, %401 : tensor<4x6x6x8xf32>
    %cst_109 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %403 = stablehlo.reduce(%400 init: %cst_109) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %404 = stablehlo.multiply %403, %73 : tensor<8xf32>
    %405 = stablehlo.negate %402 : tensor<4x6x6x8xf32>
    %cst_110 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %406 = stablehlo.reduce(%405 init: %cst_110) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x6x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %407 = stablehlo.reshape %406 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %cst_111 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %408 = stablehlo.reduce(%407 init: %cst_111) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %409 = call @_var_1(%65#1, %65#2, %65#3, %404) : (tensor<4x6x6x8xf32>, tensor<f32>, tensor<i1>, tensor<8xf32>) -> tensor<4x6x6x8xf32>
    %410 = stablehlo.add %402, %409 : tensor<4x6x6x8xf32>
    %cst_112 = stablehlo.constant dense<1.440000e+02> : tensor<f32>
    %411 = stablehlo.broadcast_in_dim %cst_112, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %412 = stablehlo.divide %408, %411 : tensor<8xf32>
    %413 = stablehlo.broadcast_in_dim %412, dims = [3] : (tensor<8xf32>) -> tensor<4x6x6x8xf32>
    %414 = stablehlo.add %410, %413 : tensor<4x6x6x8xf32>
    %415 = stablehlo.multiply %43, %414 : tensor<4x6x6x8xf32>
    %416 = stablehlo.multiply %414, %60 : tensor<4x6x6x8xf32>
    %cst_113 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %417 = stablehlo.broadcast_in_dim %cst_113, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %418 = stablehlo.multiply %417, %415 : tensor<4x6x6x8xf32>
    %419 = stablehlo.multiply %418, %56 : tensor<4x6x6x8xf32>
    %420 = stablehlo.multiply %419, %54 : tensor<4x6x6x8xf32>
    %421 = stablehlo.add %419, %420 : tensor<4x6x6x8xf32>
    %cst_114 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %422 = stablehlo.broadcast_in_dim %cst_114, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %423 = stablehlo.multiply %422, %421 : tensor<4x6x6x8xf32>
    %424 = stablehlo.add %416, %423 : tensor<4x6x6x8xf32>
    %cst_115 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %425 = stablehlo.broadcast_in_dim %cst_115, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %426 = stablehlo.multiply %425, %423 : tensor<4x6x6x8xf32>
    %427 = stablehlo.multiply %426, %48 : tensor<4x6x6x8xf32>
    %428 = stablehlo.add %424, %427 : tensor<4x6x6x8xf32>
    %429 = stablehlo.convolution(%42, %428) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[2, 2], [2, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 8 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x6x6x8xf32>, tensor<4x6x6x8xf32>) -> tensor<5x5x1x8xf32>
    %430 = stablehlo.reshape %arg1 : (tensor<5x5x1x8xf32>) -> tensor<5x5x1x8x1xf32>
    %431 = stablehlo.transpose %430, dims = [0, 1, 3, 2, 4] : (tensor<5x5x1x8x1xf32>) -> tensor<5x5x8x1x1xf32>
    %432 = stablehlo.reshape %431 : (tensor<5x5x8x1x1xf32>) -> tensor<5x5x8x1xf32>
    %433 = stablehlo.reverse %432, dims = [0, 1] : tensor<5x5x8x1xf32>
    %434 = stablehlo.convolution(%428, %433) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 2], [2, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 8 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x6x6x8xf32>, tensor<5x5x8x1xf32>) -> tensor<4x6x6x8xf32>
    %435 = stablehlo.add %385, %434 : tensor<4x6x6x8xf32>
    %cst_116 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %436 = stablehlo.reduce(%435 init: %cst_116) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x6x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %437 = stablehlo.reshape %436 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %cst_117 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %438 = stablehlo.reduce(%437 init: %cst_117) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %439 = stablehlo.multiply %33, %435 : tensor<4x6x6x8xf32>
    %cst_118 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %440 = stablehlo.reduce(%439 init: %cst_118) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x6x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %441 = stablehlo.reshape %440 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %442 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x6x6x8xf32>
    %443 = stablehlo.multiply %435, %442 : tensor<4x6x6x8xf32>
    %cst_119 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %444 = stablehlo.reduce(%441 init: %cst_119) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %445 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x6x6x8xf32>
    %446 = stablehlo.multiply %443, %445 : tensor<4x6x6x8xf32>
    %447 = stablehlo.multiply %446, %25 : tensor<4x6x6x8xf32>
    %cst_120 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %448 = stablehlo.reduce(%447 init: %cst_120) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x6x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %449 = stablehlo.reshape %448 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %450 = stablehlo.negate %449 : tensor<1x1x1x8xf32>
    %451 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x6x6x8xf32>
    %452 = stablehlo.divide %443, %451 : tensor<4x6x6x8xf32>
    %cst_121 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %453 = stablehlo.reduce(%450 init: %cst_121) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %454 = stablehlo.multiply %453, %30 : tensor<8xf32>
    %455 = stablehlo.negate %452 : tensor<4x6x6x8xf32>
    %cst_122 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %456 = stablehlo.reduce(%455 init: %cst_122) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x6x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %457 = stablehlo.reshape %456 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %cst_123 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %458 = stablehlo.reduce(%457 init: %cst_123) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %459 = call @_var_1(%22#1, %22#2, %22#3, %454) : (tensor<4x6x6x8xf32>, tensor<f32>, tensor<i1>, tensor<8xf32>) -> tensor<4x6x6x8xf32>
    %460 = stablehlo.add %452, %459 : tensor<4x6x6x8xf32>
    %cst_124 = stablehlo.constant dense<1.440000e+02> : tensor<f32>
    %461 = stablehlo.broadcast_in_dim %cst_124, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %462 = stablehlo.divide %458, %461 : tensor<8xf32>
    %463 = stablehlo.broadcast_in_dim %462, dims = [3] : (tensor<8xf32>) -> tensor<4x6x6x8xf32>
    %464 = stablehlo.add %460, %463 : tensor<4x6x6x8xf32>
    %465 = stablehlo.multiply %0, %464 : tensor<4x6x6x8xf32>
    %466 = stablehlo.multiply %464, %17 : tensor<4x6x6x8xf32>
    %cst_125 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %467 = stablehlo.broadcast_in_dim %cst_125, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %468 = stablehlo.multiply %467, %465 : tensor<4x6x6x8xf32>
    %469 = stablehlo.multiply %468, %13 : tensor<4x6x6x8xf32>
    %470 = stablehlo.multiply %469, %11 : tensor<4x6x6x8xf32>
    %471 = stablehlo.add %469, %470 : tensor<4x6x6x8xf32>
    %cst_126 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %472 = stablehlo.broadcast_in_dim %cst_126, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %473 = stablehlo.multiply %472, %471 : tensor<4x6x6x8xf32>
    %474 = stablehlo.add %466, %473 : tensor<4x6x6x8xf32>
    %cst_127 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %475 = stablehlo.broadcast_in_dim %cst_127, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %476 = stablehlo.multiply %475, %473 : tensor<4x6x6x8xf32>
    %477 = stablehlo.multiply %476, %5 : tensor<4x6x6x8xf32>
    %478 = stablehlo.add %474, %477 : tensor<4x6x6x8xf32>
    %479 = stablehlo.convolution(%arg49, %478) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x12x12x3xf32>, tensor<4x6x6x8xf32>) -> tensor<2x2x3x8xf32>
    %cst_128 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %480 = stablehlo.add %arg48, %cst_128 : tensor<f32>
    %cst_129 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %481 = stablehlo.broadcast_in_dim %cst_129, dims = [] : (tensor<f32>) -> tensor<8x10xf32>
    %482 = stablehlo.multiply %481, %arg16 : tensor<8x10xf32>
    %cst_130 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %483 = stablehlo.broadcast_in_dim %cst_130, dims = [] : (tensor<f32>) -> tensor<8x10xf32>
    %484 = stablehlo.multiply %483, %239 : tensor<8x10xf32>
    %485 = stablehlo.add %482, %484 : tensor<8x10xf32>
    %cst_131 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %486 = stablehlo.broadcast_in_dim %cst_131, dims = [] : (tensor<f32>) -> tensor<5x5x1x8xf32>
    %487 = stablehlo.multiply %486, %arg17 : tensor<5x5x1x8xf32>
    %cst_132 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %488 = stablehlo.broadcast_in_dim %cst_132, dims = [] : (tensor<f32>) -> tensor<5x5x1x8xf32>
    %489 = stablehlo.multiply %488, %429 : tensor<5x5x1x8xf32>
    %490 = stablehlo.add %487, %489 : tensor<5x5x1x8xf32>
    %cst_133 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %491 = stablehlo.broadcast_in_dim %cst_133, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %492 = stablehlo.multiply %491, %arg18 : tensor<8xf32>
    %cst_134 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %493 = stablehlo.broadcast_in_dim %cst_134, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %494 = stablehlo.multiply %493, %388 : tensor<8xf32>
    %495 = stablehlo.add %492, %494 : tensor<8xf32>
    %cst_135 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %496 = stablehlo.broadcast_in_dim %cst_135, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %497 = stablehlo.multiply %496, %arg19 : tensor<8xf32>
    %cst_136 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %498 = stablehlo.broadcast_in_dim %cst_136, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %499 = stablehlo.multiply %498, %342 : tensor<8xf32>
    %500 = stablehlo.add %497, %499 : tensor<8xf32>
    %cst_137 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %501 = stablehlo.broadcast_in_dim %cst_137, dims = [] : (tensor<f32>) -> tensor<1x1x8x8xf32>
    %502 = stablehlo.multiply %501, %arg20 : tensor<1x1x8x8xf32>
    %cst_138 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %503 = stablehlo.broadcast_in_dim %cst_138, dims = [] : (tensor<f32>) -> tensor<1x1x8x8xf32>
    %504 = stablehlo.multiply %503, %383 : tensor<1x1x8x8xf32>
    %505 = stablehlo.add %502, %504 : tensor<1x1x8x8xf32>
    %cst_139 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %506 = stablehlo.broadcast_in_dim %cst_139, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %507 = stablehlo.multiply %506, %arg21 : tensor<8xf32>
    %cst_140 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %508 = stablehlo.broadcast_in_dim %cst_140, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %509 = stablehlo.multiply %508, %394 : tensor<8xf32>
    %510 = stablehlo.add %507, %509 : tensor<8xf32>
    %cst_141 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %511 = stablehlo.broadcast_in_dim %cst_141, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %512 = stablehlo.multiply %511, %arg22 : tensor<8xf32>
    %cst_142 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %513 = stablehlo.broadcast_in_dim %cst_142, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %514 = stablehlo.multiply %513, %348 : tensor<8xf32>
    %515 = stablehlo.add %512, %514 : tensor<8xf32>
    %cst_143 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %516 = stablehlo.broadcast_in_dim %cst_143, dims = [] : (tensor<f32>) -> tensor<5x5x1x8xf32>
    %517 = stablehlo.multiply %516, %arg23 : tensor<5x5x1x8xf32>
    %cst_144 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %518 = stablehlo.broadcast_in_dim %cst_144, dims = [] : (tensor<f32>) -> tensor<5x5x1x8xf32>
    %519 = stablehlo.multiply %518, %333 : tensor<5x5x1x8xf32>
    %520 = stablehlo.add %517, %519 : tensor<5x5x1x8xf32>
    %cst_145 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %521 = stablehlo.broadcast_in_dim %cst_145, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %522 = stablehlo.multiply %521, %arg24 : tensor<8xf32>
    %cst_146 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %523 = stablehlo.broadcast_in_dim %cst_146, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %524 = stablehlo.multiply %523, %292 : tensor<8xf32>
    %525 = stablehlo.add %522, %524 : tensor<8xf32>
    %cst_147 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %526 = stablehlo.broadcast_in_dim %cst_147, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %527 = stablehlo.multiply %526, %arg25 : tensor<8xf32>
    %cst_148 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %528 = stablehlo.broadcast_in_dim %cst_148, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %529 = stablehlo.multiply %528, %246 : tensor<8xf32>
    %530 = stablehlo.add %527, %529 : tensor<8xf32>
    %cst_149 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %531 = stablehlo.broadcast_in_dim %cst_149, dims = [] : (tensor<f32>) -> tensor<1x1x8x8xf32>
    %532 = stablehlo.multiply %531, %arg26 : tensor<1x1x8x8xf32>
    %cst_150 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %533 = stablehlo.broadcast_in_dim %cst_150, dims = [] : (tensor<f32>) -> tensor<1x1x8x8xf32>
    %534 = stablehlo.multiply %533, %287 : tensor<1x1x8x8xf32>
    %535 = stablehlo.add %532, %534 : tensor<1x1x8x8xf32>
    %cst_151 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %536 = stablehlo.broadcast_in_dim %cst_151, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %537 = stablehlo.multiply %536, %arg27 : tensor<8xf32>
    %cst_152 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %538 = stablehlo.broadcast_in_dim %cst_152, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %539 = stablehlo.multiply %538, %298 : tensor<8xf32>
    %540 = stablehlo.add %537, %539 : tensor<8xf32>
    %cst_153 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %541 = stablehlo.broadcast_in_dim %cst_153, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %542 = stablehlo.multiply %541, %arg28 : tensor<8xf32>
    %cst_154 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %543 = stablehlo.broadcast_in_dim %cst_154, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %544 = stablehlo.multiply %543, %252 : tensor<8xf32>
    %545 = stablehlo.add %542, %544 : tensor<8xf32>
    %cst_155 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %546 = stablehlo.broadcast_in_dim %cst_155, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %547 = stablehlo.multiply %546, %arg29 : tensor<8xf32>
    %cst_156 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %548 = stablehlo.broadcast_in_dim %cst_156, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %549 = stablehlo.multiply %548, %438 : tensor<8xf32>
    %550 = stablehlo.add %547, %549 : tensor<8xf32>
    %cst_157 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %551 = stablehlo.broadcast_in_dim %cst_157, dims = [] : (tensor<f32>) -> tensor<2x2x3x8xf32>
    %552 = stablehlo.multiply %551, %arg30 : tensor<2x2x3x8xf32>
    %cst_158 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %553 = stablehlo.broadcast_in_dim %cst_158, dims = [] : (tensor<f32>) -> tensor<2x2x3x8xf32>
    %554 = stablehlo.multiply %553, %479 : tensor<2x2x3x8xf32>
    %555 = stablehlo.add %552, %554 : tensor<2x2x3x8xf32>
    %cst_159 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %556 = stablehlo.broadcast_in_dim %cst_159, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %557 = stablehlo.multiply %556, %arg31 : tensor<8xf32>
    %cst_160 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %558 = stablehlo.broadcast_in_dim %cst_160, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %559 = stablehlo.multiply %558, %444 : tensor<8xf32>
    %560 = stablehlo.add %557, %559 : tensor<8xf32>
    %cst_161 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %561 = stablehlo.broadcast_in_dim %cst_161, dims = [] : (tensor<f32>) -> tensor<8x10xf32>
    %562 = stablehlo.multiply %561, %arg32 : tensor<8x10xf32>
    %cst_162 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %563 = stablehlo.broadcast_in_dim %cst_162, dims = [] : (tensor<f32>) -> tensor<8x10xf32>
    %564 = stablehlo.multiply %563, %239 : tensor<8x10xf32>
    %565 = stablehlo.multiply %564, %239 : tensor<8x10xf32>
    %566 = stablehlo.add %562, %565 : tensor<8x10xf32>
    %cst_163 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %567 = stablehlo.broadcast_in_dim %cst_163, dims = [] : (tensor<f32>) -> tensor<5x5x1x8xf32>
    %568 = stablehlo.multiply %567, %arg33 : tensor<5x5x1x8xf32>
    %cst_164 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %569 = stablehlo.broadcast_in_dim %cst_164, dims = [] : (tensor<f32>) -> tensor<5x5x1x8xf32>
    %570 = stablehlo.multiply %569, %429 : tensor<5x5x1x8xf32>
    %571 = stablehlo.multiply %570, %429 : tensor<5x5x1x8xf32>
    %572 = stablehlo.add %568, %571 : tensor<5x5x1x8xf32>
    %cst_165 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %573 = stablehlo.broadcast_in_dim %cst_165, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %574 = stablehlo.multiply %573, %arg34 : tensor<8xf32>
    %cst_166 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %575 = stablehlo.broadcast_in_dim %cst_166, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %576 = stablehlo.multiply %575, %388 : tensor<8xf32>
    %577 = stablehlo.multiply %576, %388 : tensor<8xf32>
    %578 = stablehlo.add %574, %577 : tensor<8xf32>
    %cst_167 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %579 = stablehlo.broadcast_in_dim %cst_167, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %580 = stablehlo.multiply %579, %arg35 : tensor<8xf32>
    %cst_168 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %581 = stablehlo.broadcast_in_dim %cst_168, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %582 = stablehlo.multiply %581, %342 : tensor<8xf32>
    %583 = stablehlo.multiply %582, %342 : tensor<8xf32>
    %584 = stablehlo.add %580, %583 : tensor<8xf32>
    %cst_169 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %585 = stablehlo.broadcast_in_dim %cst_169, dims = [] : (tensor<f32>) -> tensor<1x1x8x8xf32>
    %586 = stablehlo.multiply %585, %arg36 : tensor<1x1x8x8xf32>
    %cst_170 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %587 = stablehlo.broadcast_in_dim %cst_170, dims = [] : (tensor<f32>) -> tensor<1x1x8x8xf32>
    %588 = stablehlo.multiply %587, %383 : tensor<1x1x8x8xf32>
    %589 = stablehlo.multiply %588, %383 : tensor<1x1x8x8xf32>
    %590 = stablehlo.add %586, %589 : tensor<1x1x8x8xf32>
    %cst_171 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %591 = stablehlo.broadcast_in_dim %cst_171, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %592 = stablehlo.multiply %591, %arg37 : tensor<8xf32>
    %cst_172 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %593 = stablehlo.broadcast_in_dim %cst_172, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %594 = stablehlo.multiply %593, %394 : tensor<8xf32>
    %595 = stablehlo.multiply %594, %394 : tensor<8xf32>
    %596 = stablehlo.add %592, %595 : tensor<8xf32>
    %cst_173 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %597 = stablehlo.broadcast_in_dim %cst_173, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %598 = stablehlo.multiply %597, %arg38 : tensor<8xf32>
    %cst_174 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %599 = stablehlo.broadcast_in_dim %cst_174, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %600 = stablehlo.multiply %599, %348 : tensor<8xf32>
    %601 = stablehlo.multiply %600, %348 : tensor<8xf32>
    %602 = stablehlo.add %598, %601 : tensor<8xf32>
    %cst_175 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %603 = stablehlo.broadcast_in_dim %cst_175, dims = [] : (tensor<f32>) -> tensor<5x5x1x8xf32>
    %604 = stablehlo.multiply %603, %arg39 : tensor<5x5x1x8xf32>
    %cst_176 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %605 = stablehlo.broadcast_in_dim %cst_176, dims = [] : (tensor<f32>) -> tensor<5x5x1x8xf32>
    %606 = stablehlo.multiply %605, %333 : tensor<5x5x1x8xf32>
    %607 = stablehlo.multiply %606, %333 : tensor<5x5x1x8xf32>
    %608 = stablehlo.add %604, %607 : tensor<5x5x1x8xf32>
    %cst_177 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %609 = stablehlo.broadcast_in_dim %cst_177, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %610 = stablehlo.multiply %609, %arg40 : tensor<8xf32>
    %cst_178 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %611 = stablehlo.broadcast_in_dim %cst_178, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %612 = stablehlo.multiply %611, %292 : tensor<8xf32>
    %613 = stablehlo.multiply %612, %292 : tensor<8xf32>
    %614 = stablehlo.add %610, %613 : tensor<8xf32>
    %cst_179 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %615 = stablehlo.broadcast_in_dim %cst_179, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %616 = stablehlo.multiply %615, %arg41 : tensor<8xf32>
    %cst_180 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %617 = stablehlo.broadcast_in_dim %cst_180, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %618 = stablehlo.multiply %617, %246 : tensor<8xf32>
    %619 = stablehlo.multiply %618, %246 : tensor<8xf32>
    %620 = stablehlo.add %616, %619 : tensor<8xf32>
    %cst_181 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %621 = stablehlo.broadcast_in_dim %cst_181, dims = [] : (tensor<f32>) -> tensor<1x1x8x8xf32>
    %622 = stablehlo.multiply %621, %arg42 : tensor<1x1x8x8xf32>
    %cst_182 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %623 = stablehlo.broadcast_in_dim %cst_182, dims = [] : (tensor<f32>) -> tensor<1x1x8x8xf32>
    %624 = stablehlo.multiply %623, %287 : tensor<1x1x8x8xf32>
    %625 = stablehlo.multiply %624, %287 : tensor<1x1x8x8xf32>
    %626 = stablehlo.add %622, %625 : tensor<1x1x8x8xf32>
    %cst_183 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %627 = stablehlo.broadcast_in_dim %cst_183, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %628 = stablehlo.multiply %627, %arg43 : tensor<8xf32>
    %cst_184 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %629 = stablehlo.broadcast_in_dim %cst_184, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %630 = stablehlo.multiply %629, %298 : tensor<8xf32>
    %631 = stablehlo.multiply %630, %298 : tensor<8xf32>
    %632 = stablehlo.add %628, %631 : tensor<8xf32>
    %cst_185 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %633 = stablehlo.broadcast_in_dim %cst_185, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %634 = stablehlo.multiply %633, %arg44 : tensor<8xf32>
    %cst_186 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %635 = stablehlo.broadcast_in_dim %cst_186, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %636 = stablehlo.multiply %635, %252 : tensor<8xf32>
    %637 = stablehlo.multiply %636, %252 : tensor<8xf32>
    %638 = stablehlo.add %634, %637 : tensor<8xf32>
    %cst_187 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %639 = stablehlo.broadcast_in_dim %cst_187, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %640 = stablehlo.multiply %639, %arg45 : tensor<8xf32>
    %cst_188 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %641 = stablehlo.broadcast_in_dim %cst_188, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %642 = stablehlo.multiply %641, %438 : tensor<8xf32>
    %643 = stablehlo.multiply %642, %438 : tensor<8xf32>
    %644 = stablehlo.add %640, %643 : tensor<8xf32>
    %cst_189 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %645 = stablehlo.broadcast_in_dim %cst_189, dims = [] : (tensor<f32>) -> tensor<2x2x3x8xf32>
    %646 = stablehlo.multiply %645, %arg46 : tensor<2x2x3x8xf32>
    %cst_190 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %647 = stablehlo.broadcast_in_dim %cst_190, dims = [] : (tensor<f32>) -> tensor<2x2x3x8xf32>
    %648 = stablehlo.multiply %647, %479 : tensor<2x2x3x8xf32>
    %649 = stablehlo.multiply %648, %479 : tensor<2x2x3x8xf32>
    %650 = stablehlo.add %646, %649 : tensor<2x2x3x8xf32>
    %cst_191 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %651 = stablehlo.broadcast_in_dim %cst_191, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %652 = stablehlo.multiply %651, %arg47 : tensor<8xf32>
    %cst_192 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %653 = stablehlo.broadcast_in_dim %cst_192, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %654 = stablehlo.multiply %653, %444 : tensor<8xf32>
    %655 = stablehlo.multiply %654, %444 : tensor<8xf32>
    %656 = stablehlo.add %652, %655 : tensor<8xf32>
    %cst_193 = stablehlo.constant dense<1.000000e+02> : tensor<f32>
    %657 = stablehlo.divide %480, %cst_193 : tensor<f32>
    %cst_194 = stablehlo.constant dense<3.14159274> : tensor<f32>
    %658 = stablehlo.multiply %657, %cst_194 : tensor<f32>
    %659 = stablehlo.cosine %658 : tensor<f32>
    %cst_195 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %660 = stablehlo.add %cst_195, %659 : tensor<f32>
    %cst_196 = stablehlo.constant dense<5.000000e-03> : tensor<f32>
    %661 = stablehlo.multiply %cst_196, %660 : tensor<f32>
    %cst_197 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %662 = stablehlo.power %cst_197, %480 : tensor<f32>
    %cst_198 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %663 = stablehlo.subtract %cst_198, %662 : tensor<f32>
    %664 = stablehlo.sqrt %663 : tensor<f32>
    %cst_199 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %665 = stablehlo.power %cst_199, %480 : tensor<f32>
    %cst_200 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %666 = stablehlo.subtract %cst_200, %665 : tensor<f32>
    %667 = stablehlo.divide %664, %666 : tensor<f32>
    %cst_201 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %668 = stablehlo.multiply %cst_201, %661 : tensor<f32>
    %cst_202 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %669 = stablehlo.subtract %cst_202, %668 : tensor<f32>
    %670 = stablehlo.broadcast_in_dim %669, dims = [] : (tensor<f32>) -> tensor<8x10xf32>
    %671 = stablehlo.multiply %arg0, %670 : tensor<8x10xf32>
    %672 = stablehlo.multiply %661, %667 : tensor<f32>
    %673 = stablehlo.broadcast_in_dim %672, dims = [] : (tensor<f32>) -> tensor<8x10xf32>
    %674 = stablehlo.multiply %673, %485 : tensor<8x10xf32>
    %675 = stablehlo.sqrt %566 : tensor<8x10xf32>
    %cst_203 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %676 = stablehlo.broadcast_in_dim %cst_203, dims = [] : (tensor<f32>) -> tensor<8x10xf32>
    %677 = stablehlo.add %675, %676 : tensor<8x10xf32>
    %678 = stablehlo.divide %674, %677 : tensor<8x10xf32>
    %679 = stablehlo.subtract %671, %678 : tensor<8x10xf32>
    %cst_204 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %680 = stablehlo.multiply %cst_204, %661 : tensor<f32>
    %cst_205 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %681 = stablehlo.subtract %cst_205, %680 : tensor<f32>
    %682 = stablehlo.broadcast_in_dim %681, dims = [] : (tensor<f32>) -> tensor<5x5x1x8xf32>
    %683 = stablehlo.multiply %arg1, %682 : tensor<5x5x1x8xf32>
    %684 = stablehlo.multiply %661, %667 : tensor<f32>
    %685 = stablehlo.broadcast_in_dim %684, dims = [] : (tensor<f32>) -> tensor<5x5x1x8xf32>
    %686 = stablehlo.multiply %685, %490 : tensor<5x5x1x8xf32>
    %687 = stablehlo.sqrt %572 : tensor<5x5x1x8xf32>
    %cst_206 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %688 = stablehlo.broadcast_in_dim %cst_206, dims = [] : (tensor<f32>) -> tensor<5x5x1x8xf32>
    %689 = stablehlo.add %687, %688 : tensor<5x5x1x8xf32>
    %690 = stablehlo.divide %686, %689 : tensor<5x5x1x8xf32>
    %691 = stablehlo.subtract %683, %690 : tensor<5x5x1x8xf32>
    %cst_207 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %692 = stablehlo.multiply %cst_207, %661 : tensor<f32>
    %cst_208 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %693 = stablehlo.subtract %cst_208, %692 : tensor<f32>
    %694 = stablehlo.broadcast_in_dim %693, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %695 = stablehlo.multiply %arg2, %694 : tensor<8xf32>
    %696 = stablehlo.multiply %661, %667 : tensor<f32>
    %697 = stablehlo.broadcast_in_dim %696, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %698 = stablehlo.multiply %697, %495 : tensor<8xf32>
    %699 = stablehlo.sqrt %578 : tensor<8xf32>
    %cst_209 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %700 = stablehlo.broadcast_in_dim %cst_209, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %701 = stablehlo.add %699, %700 : tensor<8xf32>
    %702 = stablehlo.divide %698, %701 : tensor<8xf32>
    %703 = stablehlo.subtract %695, %702 : tensor<8xf32>
    %cst_210 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %704 = stablehlo.multiply %cst_210, %661 : tensor<f32>
    %cst_211 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %705 = stablehlo.subtract %cst_211, %704 : tensor<f32>
    %706 = stablehlo.broadcast_in_dim %705, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %707 = stablehlo.multiply %arg3, %706 : tensor<8xf32>
    %708 = stablehlo.multiply %661, %667 : tensor<f32>
    %709 = stablehlo.broadcast_in_dim %708, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %710 = stablehlo.multiply %709, %500 : tensor<8xf32>
    %711 = stablehlo.sqrt %584 : tensor<8xf32>
    %cst_212 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %712 = stablehlo.broadcast_in_dim %cst_212, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %713 = stablehlo.add %711, %712 : tensor<8xf32>
    %714 = stablehlo.divide %710, %713 : tensor<8xf32>
    %715 = stablehlo.subtract %707, %714 : tensor<8xf32>
    %cst_213 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %716 = stablehlo.multiply %cst_213, %661 : tensor<f32>
    %cst_214 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %717 = stablehlo.subtract %cst_214, %716 : tensor<f32>
    %718 = stablehlo.broadcast_in_dim %717, dims = [] : (tensor<f32>) -> tensor<1x1x8x8xf32>
    %719 = stablehlo.multiply %arg4, %718 : tensor<1x1x8x8xf32>
    %720 = stablehlo.multiply %661, %667 : tensor<f32>
    %721 = stablehlo.broadcast_in_dim %720, dims = [] : (tensor<f32>) -> tensor<1x1x8x8xf32>
    %722 = stablehlo.multiply %721, %505 : tensor<1x1x8x8xf32>
    %723 = stablehlo.sqrt %590 : tensor<1x1x8x8xf32>
    %cst_215 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %724 = stablehlo.broadcast_in_dim %cst_215, dims = [] : (tensor<f32>) -> tensor<1x1x8x8xf32>
    %725 = stablehlo.add %723, %724 : tensor<1x1x8x8xf32>
    %726 = stablehlo.divide %722, %725 : tensor<1x1x8x8xf32>
    %727 = stablehlo.subtract %719, %726 : tensor<1x1x8x8xf32>
    %cst_216 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %728 = stablehlo.multiply %cst_216, %661 : tensor<f32>
    %cst_217 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %729 = stablehlo.subtract %cst_217, %728 : tensor<f32>
    %730 = stablehlo.broadcast_in_dim %729, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %731 = stablehlo.multiply %arg5, %730 : tensor<8xf32>
    %732 = stablehlo.multiply %661, %667 : tensor<f32>
    %733 = stablehlo.broadcast_in_dim %732, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %734 = stablehlo.multiply %733, %510 : tensor<8xf32>
    %735 = stablehlo.sqrt %596 : tensor<8xf32>
    %cst_218 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %736 = stablehlo.broadcast_in_dim %cst_218, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %737 = stablehlo.add %735, %736 : tensor<8xf32>
    %738 = stablehlo.divide %734, %737 : tensor<8xf32>
    %739 = stablehlo.subtract %731, %738 : tensor<8xf32>
    %cst_219 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %740 = stablehlo.multiply %cst_219, %661 : tensor<f32>
    %cst_220 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %741 = stablehlo.subtract %cst_220, %740 : tensor<f32>
    %742 = stablehlo.broadcast_in_dim %741, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %743 = stablehlo.multiply %arg6, %742 : tensor<8xf32>
    %744 = stablehlo.multiply %661, %667 : tensor<f32>
    %745 = stablehlo.broadcast_in_dim %744, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %746 = stablehlo.multiply %745, %515 : tensor<8xf32>
    %747 = stablehlo.sqrt %602 : tensor<8xf32>
    %cst_221 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %748 = stablehlo.broadcast_in_dim %cst_221, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %749 = stablehlo.add %747, %748 : tensor<8xf32>
    %750 = stablehlo.divide %746, %749 : tensor<8xf32>
    %751 = stablehlo.subtract %743, %750 : tensor<8xf32>
    %cst_222 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %752 = stablehlo.multiply %cst_222, %661 : tensor<f32>
    %cst_223 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %753 = stablehlo.subtract %cst_223, %752 : tensor<f32>
    %754 = stablehlo.broadcast_in_dim %753, dims = [] : (tensor<f32>) -> tensor<5x5x1x8xf32>
    %755 = stablehlo.multiply %arg7, %754 : tensor<5x5x1x8xf32>
    %756 = stablehlo.multiply %661, %667 : tensor<f32>
    %757 = stablehlo.broadcast_in_dim %756, dims = [] : (tensor<f32>) -> tensor<5x5x1x8xf32>
    %758 = stablehlo.multiply %757, %520 : tensor<5x5x1x8xf32>
    %759 = stablehlo.sqrt %608 : tensor<5x5x1x8xf32>
    %cst_224 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %760 = stablehlo.broadcast_in_dim %cst_224, dims = [] : (tensor<f32>) -> tensor<5x5x1x8xf32>
    %761 = stablehlo.add %759, %760 : tensor<5x5x1x8xf32>
    %762 = stablehlo.divide %758, %761 : tensor<5x5x1x8xf32>
    %763 = stablehlo.subtract %755, %762 : tensor<5x5x1x8xf32>
    %cst_225 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %764 = stablehlo.multiply %cst_225, %661 : tensor<f32>
    %cst_226 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %765 = stablehlo.subtract %cst_226, %764 : tensor<f32>
    %766 = stablehlo.broadcast_in_dim %765, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %767 = stablehlo.multiply %arg8, %766 : tensor<8xf32>
    %768 = stablehlo.multiply %661, %667 : tensor<f32>
    %769 = stablehlo.broadcast_in_dim %768, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %770 = stablehlo.multiply %769, %525 : tensor<8xf32>
    %771 = stablehlo.sqrt %614 : tensor<8xf32>
    %cst_227 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %772 = stablehlo.broadcast_in_dim %cst_227, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %773 = stablehlo.add %771, %772 : tensor<8xf32>
    %774 = stablehlo.divide %770, %773 : tensor<8xf32>
    %775 = stablehlo.subtract %767, %774 : tensor<8xf32>
    %cst_228 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %776 = stablehlo.multiply %cst_228, %661 : tensor<f32>
    %cst_229 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %777 = stablehlo.subtract %cst_229, %776 : tensor<f32>
    %778 = stablehlo.broadcast_in_dim %777, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %779 = stablehlo.multiply %arg9, %778 : tensor<8xf32>
    %780 = stablehlo.multiply %661, %667 : tensor<f32>
    %781 = stablehlo.broadcast_in_dim %780, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %782 = stablehlo.multiply %781, %530 : tensor<8xf32>
    %783 = stablehlo.sqrt %620 : tensor<8xf32>
    %cst_230 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %784 = stablehlo.broadcast_in_dim %cst_230, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %785 = stablehlo.add %783, %784 : tensor<8xf32>
    %786 = stablehlo.divide %782, %785 : tensor<8xf32>
    %787 = stablehlo.subtract %779, %786 : tensor<8xf32>
    %cst_231 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %788 = stablehlo.multiply %cst_231, %661 : tensor<f32>
    %cst_232 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %789 = stablehlo.subtract %cst_232, %788 : tensor<f32>
    %790 = stablehlo.broadcast_in_dim %789, dims = [] : (tensor<f32>) -> tensor<1x1x8x8xf32>
    %791 = stablehlo.multiply %arg10, %790 : tensor<1x1x8x8xf32>
    %792 = stablehlo.multiply %661, %667 : tensor<f32>
    %793 = stablehlo.broadcast_in_dim %792, dims = [] : (tensor<f32>) -> tensor<1x1x8x8xf32>
    %794 = stablehlo.multiply %793, %535 : tensor<1x1x8x8xf32>
    %795 = stablehlo.sqrt %626 : tensor<1x1x8x8xf32>
    %cst_233 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %796 = stablehlo.broadcast_in_dim %cst_233, dims = [] : (tensor<f32>) -> tensor<1x1x8x8xf32>
    %797 = stablehlo.add %795, %796 : tensor<1x1x8x8xf32>
    %798 = stablehlo.divide %794, %797 : tensor<1x1x8x8xf32>
    %799 = stablehlo.subtract %791, %798 : tensor<1x1x8x8xf32>
    %cst_234 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %800 = stablehlo.multiply %cst_234, %661 : tensor<f32>
    %cst_235 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %801 = stablehlo.subtract %cst_235, %800 : tensor<f32>
    %802 = stablehlo.broadcast_in_dim %801, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %803 = stablehlo.multiply %arg11, %802 : tensor<8xf32>
    %804 = stablehlo.multiply %661, %667 : tensor<f32>
    %805 = stablehlo.broadcast_in_dim %804, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %806 = stablehlo.multiply %805, %540 : tensor<8xf32>
    %807 = stablehlo.sqrt %632 : tensor<8xf32>
    %cst_236 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %808 = stablehlo.broadcast_in_dim %cst_236, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %809 = stablehlo.add %807, %808 : tensor<8xf32>
    %810 = stablehlo.divide %806, %809 : tensor<8xf32>
    %811 = stablehlo.subtract %803, %810 : tensor<8xf32>
    %cst_237 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %812 = stablehlo.multiply %cst_237, %661 : tensor<f32>
    %cst_238 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %813 = stablehlo.subtract %cst_238, %812 : tensor<f32>
    %814 = stablehlo.broadcast_in_dim %813, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %815 = stablehlo.multiply %arg12, %814 : tensor<8xf32>
    %816 = stablehlo.multiply %661, %667 : tensor<f32>
    %817 = stablehlo.broadcast_in_dim %816, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %818 = stablehlo.multiply %817, %545 : tensor<8xf32>
    %819 = stablehlo.sqrt %638 : tensor<8xf32>
    %cst_239 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %820 = stablehlo.broadcast_in_dim %cst_239, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %821 = stablehlo.add %819, %820 : tensor<8xf32>
    %822 = stablehlo.divide %818, %821 : tensor<8xf32>
    %823 = stablehlo.subtract %815, %822 : tensor<8xf32>
    %cst_240 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %824 = stablehlo.multiply %cst_240, %661 : tensor<f32>
    %cst_241 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %825 = stablehlo.subtract %cst_241, %824 : tensor<f32>
    %826 = stablehlo.broadcast_in_dim %825, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %827 = stablehlo.multiply %arg13, %826 : tensor<8xf32>
    %828 = stablehlo.multiply %661, %667 : tensor<f32>
    %829 = stablehlo.broadcast_in_dim %828, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %830 = stablehlo.multiply %829, %550 : tensor<8xf32>
    %831 = stablehlo.sqrt %644 : tensor<8xf32>
    %cst_242 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %832 = stablehlo.broadcast_in_dim %cst_242, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %833 = stablehlo.add %831, %832 : tensor<8xf32>
    %834 = stablehlo.divide %830, %833 : tensor<8xf32>
    %835 = stablehlo.subtract %827, %834 : tensor<8xf32>
    %cst_243 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %836 = stablehlo.multiply %cst_243, %661 : tensor<f32>
    %cst_244 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %837 = stablehlo.subtract %cst_244, %836 : tensor<f32>
    %838 = stablehlo.broadcast_in_dim %837, dims = [] : (tensor<f32>) -> tensor<2x2x3x8xf32>
    %839 = stablehlo.multiply %arg14, %838 : tensor<2x2x3x8xf32>
    %840 = stablehlo.multiply %661, %667 : tensor<f32>
    %841 = stablehlo.broadcast_in_dim %840, dims = [] : (tensor<f32>) -> tensor<2x2x3x8xf32>
    %842 = stablehlo.multiply %841, %555 : tensor<2x2x3x8xf32>
    %843 = stablehlo.sqrt %650 : tensor<2x2x3x8xf32>
    %cst_245 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %844 = stablehlo.broadcast_in_dim %cst_245, dims = [] : (tensor<f32>) -> tensor<2x2x3x8xf32>
    %845 = stablehlo.add %843, %844 : tensor<2x2x3x8xf32>
    %846 = stablehlo.divide %842, %845 : tensor<2x2x3x8xf32>
    %847 = stablehlo.subtract %839, %846 : tensor<2x2x3x8xf32>
    %cst_246 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %848 = stablehlo.multiply %cst_246, %661 : tensor<f32>
    %cst_247 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %849 = stablehlo.subtract %cst_247, %848 : tensor<f32>
    %850 = stablehlo.broadcast_in_dim %849, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %851 = stablehlo.multiply %arg15, %850 : tensor<8xf32>
    %852 = stablehlo.multiply %661, %667 : tensor<f32>
    %853 = stablehlo.broadcast_in_dim %852, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %854 = stablehlo.multiply %853, %560 : tensor<8xf32>
    %855 = stablehlo.sqrt %656 : tensor<8xf32>
    %cst_248 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %856 = stablehlo.broadcast_in_dim %cst_248, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %857 = stablehlo.add %855, %856 : tensor<8xf32>
    %858 = stablehlo.divide %854, %857 : tensor<8xf32>
    %859 = stablehlo.subtract %851, %858 : tensor<8xf32>
    return %679, %691, %703, %715, %727, %739, %751, %763, %775, %787, %799, %811, %823, %835, %847, %859, %485, %490, %495, %500, %505, %510, %515, %520, %525, %530, %535, %540, %545, %550, %555, %560, %566, %572, %578, %584, %590, %596, %602, %608, %614, %620, %626, %632, %638, %644, %650, %656, %480, %231 : tensor<8x10xf32>, tensor<5x5x1x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<1x1x8x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<5x5x1x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<1x1x8x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<2x2x3x8xf32>, tensor<8xf32>, tensor<8x10xf32>, tensor<5x5x1x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<1x1x8x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<5x5x1x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<1x1x8x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<2x2x3x8xf32>, tensor<8xf32>, tensor<8x10xf32>, tensor<5x5x1x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<1x1x8x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<5x5x1x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<1x1x8x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<2x2x3x8xf32>, tensor<8xf32>, tensor<f32>, tensor<f32>
  }
  func.func private @_var(%arg0: tensor<4x6x6x8xf32>, %arg1: tensor<i32>) -> (tensor<8xf32>, tensor<4x6x6x8xf32>, tensor<f32>, tensor<i1>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x6x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %cst_0 = stablehlo.constant dense<1.440000e+02> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x1x1x8xf32>
    %3 = stablehlo.divide %1, %2 : tensor<1x1x1x8xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x6x6x8xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x6x6x8xf32>
    %6 = chlo.square %5 : tensor<4x6x6x8xf32> -> tensor<4x6x6x8xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %8 = stablehlo.multiply %7, %5 : tensor<4x6x6x8xf32>
    %9 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<1.440000e+02> : tensor<f32>
    %10 = stablehlo.subtract %cst_2, %9 : tensor<f32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%6 init: %cst_3) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x6x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %12 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %13 = stablehlo.divide %11, %12 : tensor<8xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.compare GT, %10, %cst_4, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_5 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %15 = call @_where(%14, %13, %cst_5) : (tensor<i1>, tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
    return %15, %8, %10, %14 : tensor<8xf32>, tensor<4x6x6x8xf32>, tensor<f32>, tensor<i1>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<8xf32>, %arg2: tensor<f32>) -> tensor<8xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<8xf32>
    return %2 : tensor<8xf32>
  }
  func.func private @_one_hot(%arg0: tensor<4xi32>) -> tensor<4x10xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %1 = stablehlo.iota dim = 1 : tensor<1x10xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<4x1xi32>) -> tensor<4x10xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x10xi32>) -> tensor<4x10xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<4x10xi32>, tensor<4x10xi32>) -> tensor<4x10xi1>
    %5 = stablehlo.convert %4 : (tensor<4x10xi1>) -> tensor<4x10xf32>
    return %5 : tensor<4x10xf32>
  }
  func.func private @log_softmax(%arg0: tensor<4x10xf32>) -> (tensor<4x10xf32>, tensor<4x10xf32>, tensor<4x1xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<4x10xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<4xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x10xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x10xf32>
    %6 = stablehlo.exponential %5 : tensor<4x10xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<4x10xf32>, tensor<f32>) -> tensor<4xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %9 = stablehlo.log %8 : tensor<4x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x10xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<4x10xf32>
    return %11, %6, %8 : tensor<4x10xf32>, tensor<4x10xf32>, tensor<4x1xf32>
  }
  func.func private @log_softmax_0(%arg0: tensor<4x10xf32>, %arg1: tensor<4x1xf32>, %arg2: tensor<4x10xf32>) -> tensor<4x10xf32> {
    %0 = stablehlo.negate %arg2 : tensor<4x10xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<4x10xf32>, tensor<f32>) -> tensor<4xf32>
    %2 = stablehlo.reshape %1 : (tensor<4xf32>) -> tensor<4x1xf32>
    %3 = stablehlo.divide %2, %arg1 : tensor<4x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<4x1xf32>, tensor<f32>) -> tensor<4xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<4xf32>) -> tensor<4x10xf32>
    %6 = stablehlo.multiply %5, %arg0 : tensor<4x10xf32>
    %7 = stablehlo.add %arg2, %6 : tensor<4x10xf32>
    return %7 : tensor<4x10xf32>
  }
  func.func private @_var_1(%arg0: tensor<4x6x6x8xf32>, %arg1: tensor<f32>, %arg2: tensor<i1>, %arg3: tensor<8xf32>) -> tensor<4x6x6x8xf32> {
    %0 = call @_where_2(%arg2, %arg3) : (tensor<i1>, tensor<8xf32>) -> tensor<8xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %2 = stablehlo.divide %0, %1 : tensor<8xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [3] : (tensor<8xf32>) -> tensor<4x6x6x8xf32>
    %4 = stablehlo.multiply %3, %arg0 : tensor<4x6x6x8xf32>
    %5 = stablehlo.negate %4 : tensor<4x6x6x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x6x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %7 = stablehlo.reshape %6 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %cst_0 = stablehlo.constant dense<1.440000e+02> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x1x1x8xf32>
    %9 = stablehlo.divide %7, %8 : tensor<1x1x1x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_1) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [3] : (tensor<8xf32>) -> tensor<4x6x6x8xf32>
    %12 = stablehlo.add %4, %11 : tensor<4x6x6x8xf32>
    return %12 : tensor<4x6x6x8xf32>
  }
  func.func private @_where_2(%arg0: tensor<i1>, %arg1: tensor<8xf32>) -> tensor<8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<i1>, tensor<8xf32>
    return %1 : tensor<8xf32>
  }
}
