module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<32xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<7x7x1x8xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<32x8xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<8xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<8xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<8xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<8x32xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<16xf32> {tf.aliasing_output = 8 : i32}, %arg9: tensor<64xf32> {tf.aliasing_output = 9 : i32}, %arg10: tensor<7x7x1x16xf32> {tf.aliasing_output = 10 : i32}, %arg11: tensor<64x16xf32> {tf.aliasing_output = 11 : i32}, %arg12: tensor<16xf32> {tf.aliasing_output = 12 : i32}, %arg13: tensor<16xf32> {tf.aliasing_output = 13 : i32}, %arg14: tensor<16xf32> {tf.aliasing_output = 14 : i32}, %arg15: tensor<16x64xf32> {tf.aliasing_output = 15 : i32}, %arg16: tensor<16x10xf32> {tf.aliasing_output = 16 : i32}, %arg17: tensor<2x2x8x16xf32> {tf.aliasing_output = 17 : i32}, %arg18: tensor<4x4x3x8xf32> {tf.aliasing_output = 18 : i32}, %arg19: tensor<4x16x16x3xf32>, %arg20: tensor<4xi32>) -> (tensor<8xf32> {jax.result_info = "result[0]['block1']['b_down']"}, tensor<32xf32> {jax.result_info = "result[0]['block1']['b_up']"}, tensor<7x7x1x8xf32> {jax.result_info = "result[0]['block1']['depthwise']"}, tensor<32x8xf32> {jax.result_info = "result[0]['block1']['down']"}, tensor<8xf32> {jax.result_info = "result[0]['block1']['layer_scale']"}, tensor<8xf32> {jax.result_info = "result[0]['block1']['offset']"}, tensor<8xf32> {jax.result_info = "result[0]['block1']['scale']"}, tensor<8x32xf32> {jax.result_info = "result[0]['block1']['up']"}, tensor<16xf32> {jax.result_info = "result[0]['block2']['b_down']"}, tensor<64xf32> {jax.result_info = "result[0]['block2']['b_up']"}, tensor<7x7x1x16xf32> {jax.result_info = "result[0]['block2']['depthwise']"}, tensor<64x16xf32> {jax.result_info = "result[0]['block2']['down']"}, tensor<16xf32> {jax.result_info = "result[0]['block2']['layer_scale']"}, tensor<16xf32> {jax.result_info = "result[0]['block2']['offset']"}, tensor<16xf32> {jax.result_info = "result[0]['block2']['scale']"}, tensor<16x64xf32> {jax.result_info = "result[0]['block2']['up']"}, tensor<16x10xf32> {jax.result_info = "result[0]['head']"}, tensor<2x2x8x16xf32> {jax.result_info = "result[0]['reduce']"}, tensor<4x4x3x8xf32> {jax.result_info = "result[0]['stem']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.convolution(%arg19, %arg18) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [4, 4], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x16x16x3xf32>, tensor<4x4x3x8xf32>) -> tensor<4x4x4x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [3] : (tensor<4x4x4x8xf32>, tensor<f32>) -> tensor<4x4x4xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<4x4x4xf32>) -> tensor<4x4x4x1xf32>
    %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x4x4x1xf32>
    %4 = stablehlo.divide %2, %3 : tensor<4x4x4x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3] : (tensor<4x4x4x1xf32>) -> tensor<4x4x4x8xf32>
    %6 = stablehlo.subtract %0, %5 : tensor<4x4x4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %7:4 = call @_var(%0, %c) : (tensor<4x4x4x8xf32>, tensor<i32>) -> (tensor<4x4x4x1xf32>, tensor<4x4x4x8xf32>, tensor<f32>, tensor<i1>)
    %cst_1 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x4x4x1xf32>
    %9 = stablehlo.add %7#0, %8 : tensor<4x4x4x1xf32>
    %10 = stablehlo.rsqrt %9 : tensor<4x4x4x1xf32>
    %11 = stablehlo.divide %10, %9 : tensor<4x4x4x1xf32>
    %cst_2 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x4x4x1xf32>
    %13 = stablehlo.multiply %12, %11 : tensor<4x4x4x1xf32>
    %14 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<4x4x4x1xf32>) -> tensor<4x4x4x8xf32>
    %15 = stablehlo.multiply %6, %14 : tensor<4x4x4x8xf32>
    %16 = stablehlo.convolution(%15, %arg2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[3, 3], [3, 3]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 8 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x4x4x8xf32>, tensor<7x7x1x8xf32>) -> tensor<4x4x4x8xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%16 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<4x4x4x8xf32>, tensor<f32>) -> tensor<4x4x4xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<4x4x4xf32>) -> tensor<4x4x4x1xf32>
    %cst_4 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x4x4x1xf32>
    %20 = stablehlo.divide %18, %19 : tensor<4x4x4x1xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2, 3] : (tensor<4x4x4x1xf32>) -> tensor<4x4x4x8xf32>
    %22 = stablehlo.subtract %16, %21 : tensor<4x4x4x8xf32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %23:4 = call @_var(%16, %c_5) : (tensor<4x4x4x8xf32>, tensor<i32>) -> (tensor<4x4x4x1xf32>, tensor<4x4x4x8xf32>, tensor<f32>, tensor<i1>)
    %cst_6 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x4x4x1xf32>
    %25 = stablehlo.add %23#0, %24 : tensor<4x4x4x1xf32>
    %26 = stablehlo.rsqrt %25 : tensor<4x4x4x1xf32>
    %27 = stablehlo.divide %26, %25 : tensor<4x4x4x1xf32>
    %cst_7 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x4x4x1xf32>
    %29 = stablehlo.multiply %28, %27 : tensor<4x4x4x1xf32>
    %30 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2, 3] : (tensor<4x4x4x1xf32>) -> tensor<4x4x4x8xf32>
    %31 = stablehlo.multiply %22, %30 : tensor<4x4x4x8xf32>
    %32 = stablehlo.broadcast_in_dim %arg6, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x4x4x8xf32>
    %34 = stablehlo.multiply %31, %33 : tensor<4x4x4x8xf32>
    %35 = stablehlo.broadcast_in_dim %arg5, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x4x4x8xf32>
    %37 = stablehlo.add %34, %36 : tensor<4x4x4x8xf32>
    %38 = stablehlo.dot_general %37, %arg7, contracting_dims = [3] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4x4x8xf32>, tensor<8x32xf32>) -> tensor<4x4x4x32xf32>
    %39 = stablehlo.broadcast_in_dim %arg1, dims = [3] : (tensor<32xf32>) -> tensor<1x1x1x32xf32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2, 3] : (tensor<1x1x1x32xf32>) -> tensor<4x4x4x32xf32>
    %41 = stablehlo.add %38, %40 : tensor<4x4x4x32xf32>
    %cst_8 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x4x4x32xf32>
    %43 = stablehlo.multiply %42, %41 : tensor<4x4x4x32xf32>
    %44 = stablehlo.negate %41 : tensor<4x4x4x32xf32>
    %cst_9 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x4x4x32xf32>
    %46 = stablehlo.multiply %44, %45 : tensor<4x4x4x32xf32>
    %47 = chlo.erfc %46 : tensor<4x4x4x32xf32> -> tensor<4x4x4x32xf32>
    %48 = chlo.square %46 : tensor<4x4x4x32xf32> -> tensor<4x4x4x32xf32>
    %49 = stablehlo.negate %48 : tensor<4x4x4x32xf32>
    %50 = stablehlo.exponential %49 : tensor<4x4x4x32xf32>
    %51 = stablehlo.multiply %43, %47 : tensor<4x4x4x32xf32>
    %52 = stablehlo.dot_general %51, %arg3, contracting_dims = [3] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4x4x32xf32>, tensor<32x8xf32>) -> tensor<4x4x4x8xf32>
    %53 = stablehlo.broadcast_in_dim %arg0, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %54 = stablehlo.broadcast_in_dim %53, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x4x4x8xf32>
    %55 = stablehlo.add %52, %54 : tensor<4x4x4x8xf32>
    %56 = stablehlo.broadcast_in_dim %arg4, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x4x4x8xf32>
    %58 = stablehlo.multiply %57, %55 : tensor<4x4x4x8xf32>
    %59 = stablehlo.add %15, %58 : tensor<4x4x4x8xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %60 = stablehlo.reduce(%59 init: %cst_10) applies stablehlo.add across dimensions = [3] : (tensor<4x4x4x8xf32>, tensor<f32>) -> tensor<4x4x4xf32>
    %61 = stablehlo.broadcast_in_dim %60, dims = [0, 1, 2] : (tensor<4x4x4xf32>) -> tensor<4x4x4x1xf32>
    %cst_11 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x4x4x1xf32>
    %63 = stablehlo.divide %61, %62 : tensor<4x4x4x1xf32>
    %64 = stablehlo.broadcast_in_dim %63, dims = [0, 1, 2, 3] : (tensor<4x4x4x1xf32>) -> tensor<4x4x4x8xf32>
    %65 = stablehlo.subtract %59, %64 : tensor<4x4x4x8xf32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %66:4 = call @_var(%59, %c_12) : (tensor<4x4x4x8xf32>, tensor<i32>) -> (tensor<4x4x4x1xf32>, tensor<4x4x4x8xf32>, tensor<f32>, tensor<i1>)
    %cst_13 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x4x4x1xf32>
    %68 = stablehlo.add %66#0, %67 : tensor<4x4x4x1xf32>
    %69 = stablehlo.rsqrt %68 : tensor<4x4x4x1xf32>
    %70 = stablehlo.divide %69, %68 : tensor<4x4x4x1xf32>
    %cst_14 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x4x4x1xf32>
    %72 = stablehlo.multiply %71, %70 : tensor<4x4x4x1xf32>
    %73 = stablehlo.broadcast_in_dim %69, dims = [0, 1, 2, 3] : (tensor<4x4x4x1xf32>) -> tensor<4x4x4x8xf32>
    %74 = stablehlo.multiply %65, %73 : tensor<4x4x4x8xf32>
    %75 = stablehlo.convolution(%74, %arg17) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x4x4x8xf32>, tensor<2x2x8x16xf32>) -> tensor<4x2x2x16xf32>
    %76 = stablehlo.convolution(%75, %arg10) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[3, 3], [3, 3]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 16 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x2x2x16xf32>, tensor<7x7x1x16xf32>) -> tensor<4x2x2x16xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %77 = stablehlo.reduce(%76 init: %cst_15) applies stablehlo.add across dimensions = [3] : (tensor<4x2x2x16xf32>, tensor<f32>) -> tensor<4x2x2xf32>
    %78 = stablehlo.broadcast_in_dim %77, dims = [0, 1, 2] : (tensor<4x2x2xf32>) -> tensor<4x2x2x1xf32>
    %cst_16 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %79 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x2x2x1xf32>
    %80 = stablehlo.divide %78, %79 : tensor<4x2x2x1xf32>
    %81 = stablehlo.broadcast_in_dim %80, dims = [0, 1, 2, 3] : (tensor<4x2x2x1xf32>) -> tensor<4x2x2x16xf32>
    %82 = stablehlo.subtract %76, %81 : tensor<4x2x2x16xf32>
    %c_17 = stablehlo.constant dense<0> : tensor<i32>
    %83:4 = call @_var_0(%76, %c_17) : (tensor<4x2x2x16xf32>, tensor<i32>) -> (tensor<4x2x2x1xf32>, tensor<4x2x2x16xf32>, tensor<f32>, tensor<i1>)
    %cst_18 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<4x2x2x1xf32>
    %85 = stablehlo.add %83#0, %84 : tensor<4x2x2x1xf32>
    %86 = stablehlo.rsqrt %85 : tensor<4x2x2x1xf32>
    %87 = stablehlo.divide %86, %85 : tensor<4x2x2x1xf32>
    %cst_19 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<4x2x2x1xf32>
    %89 = stablehlo.multiply %88, %87 : tensor<4x2x2x1xf32>
    %90 = stablehlo.broadcast_in_dim %86, dims = [0, 1, 2, 3] : (tensor<4x2x2x1xf32>) -> tensor<4x2x2x16xf32>
    %91 = stablehlo.multiply %82, %90 : tensor<4x2x2x16xf32>
    %92 = stablehlo.broadcast_in_dim %arg14, dims = [3] : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %93 = stablehlo.broadcast_in_dim %92, dims = [0, 1, 2, 3] : (tensor<1x1x1x16xf32>) -> tensor<4x2x2x16xf32>
    %94 = stablehlo.multiply %91, %93 : tensor<4x2x2x16xf32>
    %95 = stablehlo.broadcast_in_dim %arg13, dims = [3] : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %96 = stablehlo.broadcast_in_dim %95, dims = [0, 1, 2, 3] : (tensor<1x1x1x16xf32>) -> tensor<4x2x2x16xf32>
    %97 = stablehlo.add %94, %96 : tensor<4x2x2x16xf32>
    %98 = stablehlo.dot_general %97, %arg15, contracting_dims = [3] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x2x2x16xf32>, tensor<16x64xf32>) -> tensor<4x2x2x64xf32>
    %99 = stablehlo.broadcast_in_dim %arg9, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %100 = stablehlo.broadcast_in_dim %99, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<4x2x2x64xf32>
    %101 = stablehlo.add %98, %100 : tensor<4x2x2x64xf32>
    %cst_20 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<4x2x2x64xf32>
    %103 = stablehlo.multiply %102, %101 : tensor<4x2x2x64xf32>
    %104 = stablehlo.negate %101 : tensor<4x2x2x64xf32>
    %cst_21 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<4x2x2x64xf32>
    %106 = stablehlo.multiply %104, %105 : tensor<4x2x2x64xf32>
    %107 = chlo.erfc %106 : tensor<4x2x2x64xf32> -> tensor<4x2x2x64xf32>
    %108 = chlo.square %106 : tensor<4x2x2x64xf32> -> tensor<4x2x2x64xf32>
    %109 = stablehlo.negate %108 : tensor<4x2x2x64xf32>
    %110 = stablehlo.exponential %109 : tensor<4x2x2x64xf32>
    %111 = stablehlo.multiply %103, %107 : tensor<4x2x2x64xf32>
    %112 = stablehlo.dot_general %111, %arg11, contracting_dims = [3] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x2x2x64xf32>, tensor<64x16xf32>) -> tensor<4x2x2x16xf32>
    %113 = stablehlo.broadcast_in_dim %arg8, dims = [3] : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %114 = stablehlo.broadcast_in_dim %113, dims = [0, 1, 2, 3] : (tensor<1x1x1x16xf32>) -> tensor<4x2x2x16xf32>
    %115 = stablehlo.add %112, %114 : tensor<4x2x2x16xf32>
    %116 = stablehlo.broadcast_in_dim %arg12, dims = [3] : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %117 = stablehlo.broadcast_in_dim %116, dims = [0, 1, 2, 3] : (tensor<1x1x1x16xf32>) -> tensor<4x2x2x16xf32>
    %118 = stablehlo.multiply %117, %115 : tensor<4x2x2x16xf32>
    %119 = stablehlo.add %75, %118 : tensor<4x2x2x16xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %120 = stablehlo.reduce(%119 init: %cst_22) applies stablehlo.add across dimensions = [1, 2] : (tensor<4x2x2x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    %cst_23 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %121 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %122 = stablehlo.divide %120, %121 : tensor<4x16xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %123 = stablehlo.reduce(%122 init: %cst_24) applies stablehlo.add across dimensions = [1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<4xf32>
    %124 = stablehlo.broadcast_in_dim %123, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %cst_25 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %125 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %126 = stablehlo.divide %124, %125 : tensor<4x1xf32>
    %127 = stablehlo.broadcast_in_dim %126, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x16xf32>
    %128 = stablehlo.subtract %122, %127 : tensor<4x16xf32>
    %c_26 = stablehlo.constant dense<0> : tensor<i32>
    %129:4 = call @_var_2(%122, %c_26) : (tensor<4x16xf32>, tensor<i32>) -> (tensor<4x1xf32>, tensor<4x16xf32>, tensor<f32>, tensor<i1>)
    %cst_27 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %130 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %131 = stablehlo.add %129#0, %130 : tensor<4x1xf32>
    %132 = stablehlo.rsqrt %131 : tensor<4x1xf32>
    %133 = stablehlo.divide %132, %131 : tensor<4x1xf32>
    %cst_28 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %134 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %135 = stablehlo.multiply %134, %133 : tensor<4x1xf32>
    %136 = stablehlo.broadcast_in_dim %132, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x16xf32>
    %137 = stablehlo.multiply %128, %136 : tensor<4x16xf32>
    %138 = stablehlo.dot_general %137, %arg16, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<16x10xf32>) -> tensor<4x10xf32>
    %139:3 = call @log_softmax(%138) : (tensor<4x10xf32>) -> (tensor<4x10xf32>, tensor<4x10xf32>, tensor<4x1xf32>)
    %140 = call @_one_hot(%arg20) : (tensor<4xi32>) -> tensor<4x10xf32>
    %cst_29 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %141 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<4x10xf32>
    %142 = stablehlo.multiply %141, %140 : tensor<4x10xf32>
    %cst_30 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %143 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<4x10xf32>
    %144 = stablehlo.add %142, %143 : tensor<4x10xf32>
    %145 = stablehlo.multiply %139#0, %144 : tensor<4x10xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %146 = stablehlo.reduce(%145 init: %cst_31) applies stablehlo.add across dimensions = [1] : (tensor<4x10xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %147 = stablehlo.reduce(%146 init: %cst_32) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %cst_33 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %148 = stablehlo.divide %147, %cst_33 : tensor<f32>
    %149 = stablehlo.negate %148 : tensor<f32>
    %cst_34 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %150 = stablehlo.negate %cst_34 : tensor<f32>
    %cst_35 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %151 = stablehlo.divide %150, %cst_35 : tensor<f32>
    %152 = stablehlo.broadcast_in_dim %151, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %153 = stablehlo.broadcast_in_dim %152, dims = [0] : (tensor<4xf32>) -> tensor<4x10xf32>
    %154 = stablehlo.multiply %153, %144 : tensor<4x10xf32>
    %155 = call @log_softmax_4(%139#1, %139#2, %154) : (tensor<4x10xf32>, tensor<4x1xf32>, tensor<4x10xf32>) -> tensor<4x10xf32>
    %156 = stablehlo.dot_general %155, %137, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x10xf32>, tensor<4x16xf32>) -> tensor<10x16xf32>
    %157 = stablehlo.transpose %156, dims = [1, 0] : (tensor<10x16xf32>) -> tensor<16x10xf32>
    %158 = stablehlo.dot_general %155, %arg16, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x10xf32>, tensor<16x10xf32>) -> tensor<4x16xf32>
    %159 = stablehlo.multiply %128, %158 : tensor<4x16xf32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %160 = stablehlo.reduce(%159 init: %cst_36) applies stablehlo.add across dimensions = [1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<4xf32>
    %161 = stablehlo.reshape %160 : (tensor<4xf32>) -> tensor<4x1xf32>
    %162 = stablehlo.broadcast_in_dim %132, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x16xf32>
    %163 = stablehlo.multiply %158, %162 : tensor<4x16xf32>
    %164 = stablehlo.multiply %161, %135 : tensor<4x1xf32>
    %165 = call @_var_5(%129#1, %129#2, %129#3, %164) : (tensor<4x16xf32>, tensor<f32>, tensor<i1>, tensor<4x1xf32>) -> tensor<4x16xf32>
    %166 = stablehlo.negate %163 : tensor<4x16xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %167 = stablehlo.reduce(%166 init: %cst_37) applies stablehlo.add across dimensions = [1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<4xf32>
    %168 = stablehlo.reshape %167 : (tensor<4xf32>) -> tensor<4x1xf32>
    %169 = stablehlo.add %165, %163 : tensor<4x16xf32>
    %cst_38 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %170 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %171 = stablehlo.divide %168, %170 : tensor<4x1xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %172 = stablehlo.reduce(%171 init: %cst_39) applies stablehlo.add across dimensions = [1] : (tensor<4x1xf32>, tensor<f32>) -> tensor<4xf32>
    %173 = stablehlo.broadcast_in_dim %172, dims = [0] : (tensor<4xf32>) -> tensor<4x16xf32>
    %174 = stablehlo.add %169, %173 : tensor<4x16xf32>
    %cst_40 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %175 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %176 = stablehlo.divide %174, %175 : tensor<4x16xf32>
    %177 = stablehlo.broadcast_in_dim %176, dims = [0, 3] : (tensor<4x16xf32>) -> tensor<4x2x2x16xf32>
    %178 = stablehlo.broadcast_in_dim %116, dims = [0, 1, 2, 3] : (tensor<1x1x1x16xf32>) -> tensor<4x2x2x16xf32>
    %179 = stablehlo.multiply %178, %177 : tensor<4x2x2x16xf32>
    %180 = stablehlo.multiply %177, %115 : tensor<4x2x2x16xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %181 = stablehlo.reduce(%180 init: %cst_41) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x2x2x16xf32>, tensor<f32>) -> tensor<16xf32>
    %182 = stablehlo.reshape %181 : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %183 = stablehlo.reduce(%182 init: %cst_42) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %184 = stablehlo.reduce(%179 init: %cst_43) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x2x2x16xf32>, tensor<f32>) -> tensor<16xf32>
    %185 = stablehlo.reshape %184 : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %186 = stablehlo.reduce(%185 init: %cst_44) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %187 = stablehlo.dot_general %179, %111, contracting_dims = [0, 1, 2] x [0, 1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x2x2x16xf32>, tensor<4x2x2x64xf32>) -> tensor<16x64xf32>
    %188 = stablehlo.transpose %187, dims = [1, 0] : (tensor<16x64xf32>) -> tensor<64x16xf32>
    %189 = stablehlo.dot_general %179, %arg11, contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x2x2x16xf32>, tensor<64x16xf32>) -> tensor<4x2x2x64xf32>
    %190 = stablehlo.multiply %103, %189 : tensor<4x2x2x64xf32>
    %191 = stablehlo.multiply %189, %107 : tensor<4x2x2x64xf32>
    %cst_45 = stablehlo.constant dense<-1.12837923> : tensor<f32>
    %192 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<4x2x2x64xf32>
    %193 = stablehlo.multiply %192, %190 : tensor<4x2x2x64xf32>
    %194 = stablehlo.multiply %193, %110 : tensor<4x2x2x64xf32>
    %cst_46 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %195 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<4x2x2x64xf32>
    %196 = stablehlo.multiply %194, %195 : tensor<4x2x2x64xf32>
    %197 = stablehlo.negate %196 : tensor<4x2x2x64xf32>
    %cst_47 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %198 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<4x2x2x64xf32>
    %199 = stablehlo.multiply %198, %191 : tensor<4x2x2x64xf32>
    %200 = stablehlo.add %197, %199 : tensor<4x2x2x64xf32>
    %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %201 = stablehlo.reduce(%200 init: %cst_48) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x2x2x64xf32>, tensor<f32>) -> tensor<64xf32>
    %202 = stablehlo.reshape %201 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %cst_49 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %203 = stablehlo.reduce(%202 init: %cst_49) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %204 = stablehlo.dot_general %200, %97, contracting_dims = [0, 1, 2] x [0, 1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x2x2x64xf32>, tensor<4x2x2x16xf32>) -> tensor<64x16xf32>
    %205 = stablehlo.transpose %204, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %206 = stablehlo.dot_general %200, %arg15, contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x2x2x64xf32>, tensor<16x64xf32>) -> tensor<4x2x2x16xf32>
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %207 = stablehlo.reduce(%206 init: %cst_50) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x2x2x16xf32>, tensor<f32>) -> tensor<16xf32>
    %208 = stablehlo.reshape %207 : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %cst_51 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %209 = stablehlo.reduce(%208 init: %cst_51) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %210 = stablehlo.multiply %91, %206 : tensor<4x2x2x16xf32>
    %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %211 = stablehlo.reduce(%210 init: %cst_52) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x2x2x16xf32>, tensor<f32>) -> tensor<16xf32>
    %212 = stablehlo.reshape %211 : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %213 = stablehlo.broadcast_in_dim %92, dims = [0, 1, 2, 3] : (tensor<1x1x1x16xf32>) -> tensor<4x2x2x16xf32>
    %214 = stablehlo.multiply %206, %213 : tensor<4x2x2x16xf32>
    %cst_53 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %215 = stablehlo.reduce(%212 init: %cst_53) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %216 = stablehlo.multiply %82, %214 : tensor<4x2x2x16xf32>
    %cst_54 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %217 = stablehlo.reduce(%216 init: %cst_54) applies stablehlo.add across dimensions = [3] : (tensor<4x2x2x16xf32>, tensor<f32>) -> tensor<4x2x2xf32>
    %218 = stablehlo.reshape %217 : (tensor<4x2x2xf32>) -> tensor<4x2x2x1xf32>
    %219 = stablehlo.broadcast_in_dim %86, dims = [0, 1, 2, 3] : (tensor<4x2x2x1xf32>) -> tensor<4x2x2x16xf32>
    %220 = stablehlo.multiply %214, %219 : tensor<4x2x2x16xf32>
    %221 = stablehlo.multiply %218, %89 : tensor<4x2x2x1xf32>
    %222 = call @_var_7(%83#1, %83#2, %83#3, %221) : (tensor<4x2x2x16xf32>, tensor<f32>, tensor<i1>, tensor<4x2x2x1xf32>) -> tensor<4x2x2x16xf32>
    %223 = stablehlo.negate %220 : tensor<4x2x2x16xf32>
    %cst_55 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %224 = stablehlo.reduce(%223 init: %cst_55) applies stablehlo.add across dimensions = [3] : (tensor<4x2x2x16xf32>, tensor<f32>) -> tensor<4x2x2xf32>
    %225 = stablehlo.reshape %224 : (tensor<4x2x2xf32>) -> tensor<4x2x2x1xf32>
    %226 = stablehlo.add %222, %220 : tensor<4x2x2x16xf32>
    %cst_56 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %227 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<4x2x2x1xf32>
    %228 = stablehlo.divide %225, %227 : tensor<4x2x2x1xf32>
    %cst_57 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %229 = stablehlo.reduce(%228 init: %cst_57) applies stablehlo.add across dimensions = [3] : (tensor<4x2x2x1xf32>, tensor<f32>) -> tensor<4x2x2xf32>
    %230 = stablehlo.broadcast_in_dim %229, dims = [0, 1, 2] : (tensor<4x2x2xf32>) -> tensor<4x2x2x16xf32>
    %231 = stablehlo.add %226, %230 : tensor<4x2x2x16xf32>
    %232 = stablehlo.convolution(%75, %231) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[3, 3], [3, 3]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 16 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x2x2x16xf32>, tensor<4x2x2x16xf32>) -> tensor<7x7x1x16xf32>
    %233 = stablehlo.reshape %arg10 : (tensor<7x7x1x16xf32>) -> tensor<7x7x1x16x1xf32>
    %234 = stablehlo.transpose %233, dims = [0, 1, 3, 2, 4] : (tensor<7x7x1x16x1xf32>) -> tensor<7x7x16x1x1xf32>
    %235 = stablehlo.reshape %234 : (tensor<7x7x16x1x1xf32>) -> tensor<7x7x16x1xf32>
    %236 = stablehlo.reverse %235, dims = [0, 1] : tensor<7x7x16x1xf32>
    %237 = stablehlo.convolution(%231, %236) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[3, 3], [3, 3]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 16 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x2x2x16xf32>, tensor<7x7x16x1xf32>) -> tensor<4x2x2x16xf32>
    %238 = stablehlo.add %177, %237 : tensor<4x2x2x16xf32>
    %239 = stablehlo.convolution(%74, %238) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x4x4x8xf32>, tensor<4x2x2x16xf32>) -> tensor<2x2x8x16xf32>
    %240 = stablehlo.reverse %arg17, dims = [0, 1] : tensor<2x2x8x16xf32>
    %241 = stablehlo.convolution(%238, %240) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x2x2x16xf32>, tensor<2x2x8x16xf32>) -> tensor<4x4x4x8xf32>
    %242 = stablehlo.multiply %65, %241 : tensor<4x4x4x8xf32>
    %cst_58 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %243 = stablehlo.reduce(%242 init: %cst_58) applies stablehlo.add across dimensions = [3] : (tensor<4x4x4x8xf32>, tensor<f32>) -> tensor<4x4x4xf32>
    %244 = stablehlo.reshape %243 : (tensor<4x4x4xf32>) -> tensor<4x4x4x1xf32>
    %245 = stablehlo.broadcast_in_dim %69, dims = [0, 1, 2, 3] : (tensor<4x4x4x1xf32>) -> tensor<4x4x4x8xf32>
    %246 = stablehlo.multiply %241, %245 : tensor<4x4x4x8xf32>
    %247 = stablehlo.multiply %244, %72 : tensor<4x4x4x1xf32>
    %248 = call @_var_9(%66#1, %66#2, %66#3, %247) : (tensor<4x4x4x8xf32>, tensor<f32>, tensor<i1>, tensor<4x4x4x1xf32>) -> tensor<4x4x4x8xf32>
    %249 = stablehlo.negate %246 : tensor<4x4x4x8xf32>
    %cst_59 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %250 = stablehlo.reduce(%249 init: %cst_59) applies stablehlo.add across dimensions = [3] : (tensor<4x4x4x8xf32>, tensor<f32>) -> tensor<4x4x4xf32>
    %251 = stablehlo.reshape %250 : (tensor<4x4x4xf32>) -> tensor<4x4x4x1xf32>
    %252 = stablehlo.add %248, %246 : tensor<4x4x4x8xf32>
    %cst_60 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %253 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<4x4x4x1xf32>
    %254 = stablehlo.divide %251, %253 : tensor<4x4x4x1xf32>
    %cst_61 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %255 = stablehlo.reduce(%254 init: %cst_61) applies stablehlo.add across dimensions = [3] : (tensor<4x4x4x1xf32>, tensor<f32>) -> tensor<4x4x4xf32>
    %256 = stablehlo.broadcast_in_dim %255, dims = [0, 1, 2] : (tensor<4x4x4xf32>) -> tensor<4x4x4x8xf32>
    %257 = stablehlo.add %252, %256 : tensor<4x4x4x8xf32>
    %258 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x4x4x8xf32>
    %259 = stablehlo.multiply %258, %257 : tensor<4x4x4x8xf32>
    %260 = stablehlo.multiply %257, %55 : tensor<4x4x4x8xf32>
    %cst_62 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %261 = stablehlo.reduce(%260 init: %cst_62) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x4x4x8xf32>, tensor<f32>) -> tensor<8xf32>
    %262 = stablehlo.reshape %261 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %cst_63 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %263 = stablehlo.reduce(%262 init: %cst_63) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %cst_64 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %264 = stablehlo.reduce(%259 init: %cst_64) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x4x4x8xf32>, tensor<f32>) -> tensor<8xf32>
    %265 = stablehlo.reshape %264 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %cst_65 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %266 = stablehlo.reduce(%265 init: %cst_65) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %267 = stablehlo.dot_general %259, %51, contracting_dims = [0, 1, 2] x [0, 1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x4x4x8xf32>, tensor<4x4x4x32xf32>) -> tensor<8x32xf32>
    %268 = stablehlo.transpose %267, dims = [1, 0] : (tensor<8x32xf32>) -> tensor<32x8xf32>
    %269 = stablehlo.dot_general %259, %arg3, contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x4x4x8xf32>, tensor<32x8xf32>) -> tensor<4x4x4x32xf32>
    %270 = stablehlo.multiply %43, %269 : tensor<4x4x4x32xf32>
    %271 = stablehlo.multiply %269, %47 : tensor<4x4x4x32xf32>
    %cst_66 = stablehlo.constant dense<-1.12837923> : tensor<f32>
    %272 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<4x4x4x32xf32>
    %273 = stablehlo.multiply %272, %270 : tensor<4x4x4x32xf32>
    %274 = stablehlo.multiply %273, %50 : tensor<4x4x4x32xf32>
    %cst_67 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %275 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<4x4x4x32xf32>
    %276 = stablehlo.multiply %274, %275 : tensor<4x4x4x32xf32>
    %277 = stablehlo.negate %276 : tensor<4x4x4x32xf32>
    %cst_68 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %278 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<4x4x4x32xf32>
    %279 = stablehlo.multiply %278, %271 : tensor<4x4x4x32xf32>
    %280 = stablehlo.add %277, %279 : tensor<4x4x4x32xf32>
    %cst_69 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %281 = stablehlo.reduce(%280 init: %cst_69) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x4x4x32xf32>, tensor<f32>) -> tensor<32xf32>
    %282 = stablehlo.reshape %281 : (tensor<32xf32>) -> tensor<1x1x1x32xf32>
    %cst_70 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %283 = stablehlo.reduce(%282 init: %cst_70) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %284 = stablehlo.dot_general %280, %37, contracting_dims = [0, 1, 2] x [0, 1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x4x4x32xf32>, tensor<4x4x4x8xf32>) -> tensor<32x8xf32>
    %285 = stablehlo.transpose %284, dims = [1, 0] : (tensor<32x8xf32>) -> tensor<8x32xf32>
    %286 = stablehlo.dot_general %280, %arg7, contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x4x4x32xf32>, tensor<8x32xf32>) -> tensor<4x4x4x8xf32>
    %cst_71 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %287 = stablehlo.reduce(%286 init: %cst_71) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x4x4x8xf32>, tensor<f32>) -> tensor<8xf32>
    %288 = stablehlo.reshape %287 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %cst_72 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %289 = stablehlo.reduce(%288 init: %cst_72) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %290 = stablehlo.multiply %31, %286 : tensor<4x4x4x8xf32>
    %cst_73 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %291 = stablehlo.reduce(%290 init: %cst_73) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x4x4x8xf32>, tensor<f32>) -> tensor<8xf32>
    %292 = stablehlo.reshape %291 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %293 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<4x4x4x8xf32>
    %294 = stablehlo.multiply %286, %293 : tensor<4x4x4x8xf32>
    %cst_74 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %295 = stablehlo.reduce(%292 init: %cst_74) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %296 = stablehlo.multiply %22, %294 : tensor<4x4x4x8xf32>
    %cst_75 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %297 = stablehlo.reduce(%296 init: %cst_75) applies stablehlo.add across dimensions = [3] : (tensor<4x4x4x8xf32>, tensor<f32>) -> tensor<4x4x4xf32>
    %298 = stablehlo.reshape %297 : (tensor<4x4x4xf32>) -> tensor<4x4x4x1xf32>
    %299 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2, 3] : (tensor<4x4x4x1xf32>) -> tensor<4x4x4x8xf32>
    %300 = stablehlo.multiply %294, %299 : tensor<4x4x4x8xf32>
    %301 = stablehlo.multiply %298, %29 : tensor<4x4x4x1xf32>
    %302 = call @_var_9(%23#1, %23#2, %23#3, %301) : (tensor<4x4x4x8xf32>, tensor<f32>, tensor<i1>, tensor<4x4x4x1xf32>) -> tensor<4x4x4x8xf32>
    %303 = stablehlo.negate %300 : tensor<4x4x4x8xf32>
    %cst_76 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %304 = stablehlo.reduce(%303 init: %cst_76) applies stablehlo.add across dimensions = [3] : (tensor<4x4x4x8xf32>, tensor<f32>) -> tensor<4x4x4xf32>
    %305 = stablehlo.reshape %304 : (tensor<4x4x4xf32>) -> tensor<4x4x4x1xf32>
    %306 = stablehlo.add %302, %300 : tensor<4x4x4x8xf32>
    %cst_77 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %307 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<4x4x4x1xf32>
    %308 = stablehlo.divide %305, %307 : tensor<4x4x4x1xf32>
    %cst_78 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %309 = stablehlo.reduce(%308 init: %cst_78) applies stablehlo.add across dimensions = [3] : (tensor<4x4x4x1xf32>, tensor<f32>) -> tensor<4x4x4xf32>
    %310 = stablehlo.broadcast_in_dim %309, dims = [0, 1, 2] : (tensor<4x4x4xf32>) -> tensor<4x4x4x8xf32>
    %311 = stablehlo.add %306, %310 : tensor<4x4x4x8xf32>
    %312 = stablehlo.convolution(%15, %311) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[3, 3], [3, 3]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 8 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x4x4x8xf32>, tensor<4x4x4x8xf32>) -> tensor<7x7x1x8xf32>
    %313 = stablehlo.reshape %arg2 : (tensor<7x7x1x8xf32>) -> tensor<7x7x1x8x1xf32>
    %314 = stablehlo.transpose %313, dims = [0, 1, 3, 2, 4] : (tensor<7x7x1x8x1xf32>) -> tensor<7x7x8x1x1xf32>
    %315 = stablehlo.reshape %314 : (tensor<7x7x8x1x1xf32>) -> tensor<7x7x8x1xf32>
    %316 = stablehlo.reverse %315, dims = [0, 1] : tensor<7x7x8x1xf32>
    %317 = stablehlo.convolution(%311, %316) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[3, 3], [3, 3]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 8 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x4x4x8xf32>, tensor<7x7x8x1xf32>) -> tensor<4x4x4x8xf32>
    %318 = stablehlo.add %257, %317 : tensor<4x4x4x8xf32>
    %319 = stablehlo.multiply %6, %318 : tensor<4x4x4x8xf32>
    %cst_79 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %320 = stablehlo.reduce(%319 init: %cst_79) applies stablehlo.add across dimensions = [3] : (tensor<4x4x4x8xf32>, tensor<f32>) -> tensor<4x4x4xf32>
    %321 = stablehlo.reshape %320 : (tensor<4x4x4xf32>) -> tensor<4x4x4x1xf32>
    %322 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<4x4x4x1xf32>) -> tensor<4x4x4x8xf32>
    %323 = stablehlo.multiply %318, %322 : tensor<4x4x4x8xf32>
    %324 = stablehlo.multiply %321, %13 : tensor<4x4x4x1xf32>
    %325 = call @_var_9(%7#1, %7#2, %7#3, %324) : (tensor<4x4x4x8xf32>, tensor<f32>, tensor<i1>, tensor<4x4x4x1xf32>) -> tensor<4x4x4x8xf32>
    %326 = stablehlo.negate %323 : tensor<4x4x4x8xf32>
    %cst_80 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %327 = stablehlo.reduce(%326 init: %cst_80) applies stablehlo.add across dimensions = [3] : (tensor<4x4x4x8xf32>, tensor<f32>) -> tensor<4x4x4xf32>
    %328 = stablehlo.reshape %327 : (tensor<4x4x4xf32>) -> tensor<4x4x4x1xf32>
    %329 = stablehlo.add %325, %323 : tensor<4x4x4x8xf32>
    %cst_81 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %330 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<4x4x4x1xf32>
    %331 = stablehlo.divide %328, %330 : tensor<4x4x4x1xf32>
    %cst_82 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %332 = stablehlo.reduce(%331 init: %cst_82) applies stablehlo.add across dimensions = [3] : (tensor<4x4x4x1xf32>, tensor<f32>) -> tensor<4x4x4xf32>
    %333 = stablehlo.broadcast_in_dim %332, dims = [0, 1, 2] : (tensor<4x4x4xf32>) -> tensor<4x4x4x8xf32>
    %334 = stablehlo.add %329, %333 : tensor<4x4x4x8xf32>
    %335 = stablehlo.convolution(%arg19, %334) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [4, 4], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x16x16x3xf32>, tensor<4x4x4x8xf32>) -> tensor<4x4x3x8xf32>
    %cst_83 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %336 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %337 = stablehlo.multiply %336, %266 : tensor<8xf32>
    %338 = stablehlo.subtract %arg0, %337 : tensor<8xf32>
    %cst_84 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %339 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %340 = stablehlo.multiply %339, %283 : tensor<32xf32>
    %341 = stablehlo.subtract %arg1, %340 : tensor<32xf32>
    %cst_85 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %342 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<7x7x1x8xf32>
    %343 = stablehlo.multiply %342, %312 : tensor<7x7x1x8xf32>
    %344 = stablehlo.subtract %arg2, %343 : tensor<7x7x1x8xf32>
    %cst_86 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %345 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f32>) -> tensor<32x8xf32>
    %346 = stablehlo.multiply %345, %268 : tensor<32x8xf32>
    %347 = stablehlo.subtract %arg3, %346 : tensor<32x8xf32>
    %cst_87 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %348 = stablehlo.broadcast_in_dim %cst_87, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %349 = stablehlo.multiply %348, %263 : tensor<8xf32>
    %350 = stablehlo.subtract %arg4, %349 : tensor<8xf32>
    %cst_88 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %351 = stablehlo.broadcast_in_dim %cst_88, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %352 = stablehlo.multiply %351, %289 : tensor<8xf32>
    %353 = stablehlo.subtract %arg5, %352 : tensor<8xf32>
    %cst_89 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %354 = stablehlo.broadcast_in_dim %cst_89, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %355 = stablehlo.multiply %354, %295 : tensor<8xf32>
    %356 = stablehlo.subtract %arg6, %355 : tensor<8xf32>
    %cst_90 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %357 = stablehlo.broadcast_in_dim %cst_90, dims = [] : (tensor<f32>) -> tensor<8x32xf32>
    %358 = stablehlo.multiply %357, %285 : tensor<8x32xf32>
    %359 = stablehlo.subtract %arg7, %358 : tensor<8x32xf32>
    %cst_91 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %360 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %361 = stablehlo.multiply %360, %186 : tensor<16xf32>
    %362 = stablehlo.subtract %arg8, %361 : tensor<16xf32>
    %cst_92 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %363 = stablehlo.broadcast_in_dim %cst_92, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %364 = stablehlo.multiply %363, %203 : tensor<64xf32>
    %365 = stablehlo.subtract %arg9, %364 : tensor<64xf32>
    %cst_93 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %366 = stablehlo.broadcast_in_dim %cst_93, dims = [] : (tensor<f32>) -> tensor<7x7x1x16xf32>
    %367 = stablehlo.multiply %366, %232 : tensor<7x7x1x16xf32>
    %368 = stablehlo.subtract %arg10, %367 : tensor<7x7x1x16xf32>
    %cst_94 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %369 = stablehlo.broadcast_in_dim %cst_94, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %370 = stablehlo.multiply %369, %188 : tensor<64x16xf32>
    %371 = stablehlo.subtract %arg11, %370 : tensor<64x16xf32>
    %cst_95 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %372 = stablehlo.broadcast_in_dim %cst_95, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %373 = stablehlo.multiply %372, %183 : tensor<16xf32>
    %374 = stablehlo.subtract %arg12, %373 : tensor<16xf32>
    %cst_96 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %375 = stablehlo.broadcast_in_dim %cst_96, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %376 = stablehlo.multiply %375, %209 : tensor<16xf32>
    %377 = stablehlo.subtract %arg13, %376 : tensor<16xf32>
    %cst_97 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %378 = stablehlo.broadcast_in_dim %cst_97, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %379 = stablehlo.multiply %378, %215 : tensor<16xf32>
    %380 = stablehlo.subtract %arg14, %379 : tensor<16xf32>
    %cst_98 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %381 = stablehlo.broadcast_in_dim %cst_98, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %382 = stablehlo.multiply %381, %205 : tensor<16x64xf32>
    %383 = stablehlo.subtract %arg15, %382 : tensor<16x64xf32>
    %cst_99 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %384 = stablehlo.broadcast_in_dim %cst_99, dims = [] : (tensor<f32>) -> tensor<16x10xf32>
    %385 = stablehlo.multiply %384, %157 : tensor<16x10xf32>
    %386 = stablehlo.subtract %arg16, %385 : tensor<16x10xf32>
    %cst_100 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %387 = stablehlo.broadcast_in_dim %cst_100, dims = [] : (tensor<f32>) -> tensor<2x2x8x16xf32>
    %388 = stablehlo.multiply %387, %239 : tensor<2x2x8x16xf32>
    %389 = stablehlo.subtract %arg17, %388 : tensor<2x2x8x16xf32>
    %cst_101 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %390 = stablehlo.broadcast_in_dim %cst_101, dims = [] : (tensor<f32>) -> tensor<4x4x3x8xf32>
    %391 = stablehlo.multiply %390, %335 : tensor<4x4x3x8xf32>
    %392 = stablehlo.subtract %arg18, %391 : tensor<4x4x3x8xf32>
    return %338, %341, %344, %347, %350, %353, %356, %359, %362, %365, %368, %371, %374, %377, %380, %383, %386, %389, %392, %149 : tensor<8xf32>, tensor<32xf32>, tensor<7x7x1x8xf32>, tensor<32x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8x32xf32>, tensor<16xf32>, tensor<64xf32>, tensor<7x7x1x16xf32>, tensor<64x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<16x10xf32>, tensor<2x2x8x16xf32>, tensor<4x4x3x8xf32>, tensor<f32>
  }
  func.func private @_var(%arg0: tensor<4x4x4x8xf32>, %arg1: tensor<i32>) -> (tensor<4x4x4x1xf32>, tensor<4x4x4x8xf32>, tensor<f32>, tensor<i1>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [3] : (tensor<4x4x4x8xf32>, tensor<f32>) -> tensor<4x4x4xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<4x4x4xf32>) -> tensor<4x4x4x1xf32>
    %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x4x4x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<4x4x4x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3] : (tensor<4x4x4x1xf32>) -> tensor<4x4x4x8xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x4x4x8xf32>
    %6 = chlo.square %5 : tensor<4x4x4x8xf32> -> tensor<4x4x4x8xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x4x4x8xf32>
    %8 = stablehlo.multiply %7, %5 : tensor<4x4x4x8xf32>
    %9 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %10 = stablehlo.subtract %cst_2, %9 : tensor<f32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%6 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<4x4x4x8xf32>, tensor<f32>) -> tensor<4x4x4xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<4x4x4xf32>) -> tensor<4x4x4x1xf32>
    %13 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<4x4x4x1xf32>
    %14 = stablehlo.divide %12, %13 : tensor<4x4x4x1xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.compare GT, %10, %cst_4, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_5 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %16 = call @_where(%15, %14, %cst_5) : (tensor<i1>, tensor<4x4x4x1xf32>, tensor<f32>) -> tensor<4x4x4x1xf32>
    return %16, %8, %10, %15 : tensor<4x4x4x1xf32>, tensor<4x4x4x8xf32>, tensor<f32>, tensor<i1>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<4x4x4x1xf32>, %arg2: tensor<f32>) -> tensor<4x4x4x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x4x4x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<4x4x4x1xf32>
    return %2 : tensor<4x4x4x1xf32>
  }
  func.func private @_var_0(%arg0: tensor<4x2x2x16xf32>, %arg1: tensor<i32>) -> (tensor<4x2x2x1xf32>, tensor<4x2x2x16xf32>, tensor<f32>, tensor<i1>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [3] : (tensor<4x2x2x16xf32>, tensor<f32>) -> tensor<4x2x2xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<4x2x2xf32>) -> tensor<4x2x2x1xf32>
    %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x2x2x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<4x2x2x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3] : (tensor<4x2x2x1xf32>) -> tensor<4x2x2x16xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x2x2x16xf32>
    %6 = chlo.square %5 : tensor<4x2x2x16xf32> -> tensor<4x2x2x16xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x2x2x16xf32>
    %8 = stablehlo.multiply %7, %5 : tensor<4x2x2x16xf32>
    %9 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %10 = stablehlo.subtract %cst_2, %9 : tensor<f32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%6 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<4x2x2x16xf32>, tensor<f32>) -> tensor<4x2x2xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<4x2x2xf32>) -> tensor<4x2x2x1xf32>
    %13 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<4x2x2x1xf32>
    %14 = stablehlo.divide %12, %13 : tensor<4x2x2x1xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.compare GT, %10, %cst_4, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_5 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %16 = call @_where_1(%15, %14, %cst_5) : (tensor<i1>, tensor<4x2x2x1xf32>, tensor<f32>) -> tensor<4x2x2x1xf32>
    return %16, %8, %10, %15 : tensor<4x2x2x1xf32>, tensor<4x2x2x16xf32>, tensor<f32>, tensor<i1>
  }
  func.func private @_where_1(%arg0: tensor<i1>, %arg1: tensor<4x2x2x1xf32>, %arg2: tensor<f32>) -> tensor<4x2x2x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x2x2x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<4x2x2x1xf32>
    return %2 : tensor<4x2x2x1xf32>
  }
  func.func private @_var_2(%arg0: tensor<4x16xf32>, %arg1: tensor<i32>) -> (tensor<4x1xf32>, tensor<4x16xf32>, tensor<f32>, tensor<i1>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<4xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<4x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x16xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x16xf32>
    %6 = chlo.square %5 : tensor<4x16xf32> -> tensor<4x16xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %8 = stablehlo.multiply %7, %5 : tensor<4x16xf32>
    %9 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %10 = stablehlo.subtract %cst_2, %9 : tensor<f32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%6 init: %cst_3) applies stablehlo.add across dimensions = [1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<4xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %13 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %14 = stablehlo.divide %12, %13 : tensor<4x1xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.compare GT, %10, %cst_4, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_5 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %16 = call @_where_3(%15, %14, %cst_5) : (tensor<i1>, tensor<4x1xf32>, tensor<f32>) -> tensor<4x1xf32>
    return %16, %8, %10, %15 : tensor<4x1xf32>, tensor<4x16xf32>, tensor<f32>, tensor<i1>
  }
  func.func private @_where_3(%arg0: tensor<i1>, %arg1: tensor<4x1xf32>, %arg2: tensor<f32>) -> tensor<4x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<4x1xf32>
    return %2 : tensor<4x1xf32>
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
  func.func private @_one_hot(%arg0: tensor<4xi32>) -> tensor<4x10xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %1 = stablehlo.iota dim = 1 : tensor<1x10xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<4x1xi32>) -> tensor<4x10xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x10xi32>) -> tensor<4x10xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<4x10xi32>, tensor<4x10xi32>) -> tensor<4x10xi1>
    %5 = stablehlo.convert %4 : (tensor<4x10xi1>) -> tensor<4x10xf32>
    return %5 : tensor<4x10xf32>
  }
  func.func private @log_softmax_4(%arg0: tensor<4x10xf32>, %arg1: tensor<4x1xf32>, %arg2: tensor<4x10xf32>) -> tensor<4x10xf32> {
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
  func.func private @_var_5(%arg0: tensor<4x16xf32>, %arg1: tensor<f32>, %arg2: tensor<i1>, %arg3: tensor<4x1xf32>) -> tensor<4x16xf32> {
    %0 = call @_where_6(%arg2, %arg3) : (tensor<i1>, tensor<4x1xf32>) -> tensor<4x1xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %2 = stablehlo.divide %0, %1 : tensor<4x1xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<4x1xf32>, tensor<f32>) -> tensor<4xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<4xf32>) -> tensor<4x16xf32>
    %5 = stablehlo.multiply %4, %arg0 : tensor<4x16xf32>
    %6 = stablehlo.negate %5 : tensor<4x16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<4xf32>
    %8 = stablehlo.reshape %7 : (tensor<4xf32>) -> tensor<4x1xf32>
    %cst_1 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<4x1xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<4x1xf32>, tensor<f32>) -> tensor<4xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0] : (tensor<4xf32>) -> tensor<4x16xf32>
    %13 = stablehlo.add %5, %12 : tensor<4x16xf32>
    return %13 : tensor<4x16xf32>
  }
  func.func private @_where_6(%arg0: tensor<i1>, %arg1: tensor<4x1xf32>) -> tensor<4x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<i1>, tensor<4x1xf32>
    return %1 : tensor<4x1xf32>
  }
  func.func private @_var_7(%arg0: tensor<4x2x2x16xf32>, %arg1: tensor<f32>, %arg2: tensor<i1>, %arg3: tensor<4x2x2x1xf32>) -> tensor<4x2x2x16xf32> {
    %0 = call @_where_8(%arg2, %arg3) : (tensor<i1>, tensor<4x2x2x1xf32>) -> tensor<4x2x2x1xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<4x2x2x1xf32>
    %2 = stablehlo.divide %0, %1 : tensor<4x2x2x1xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [3] : (tensor<4x2x2x1xf32>, tensor<f32>) -> tensor<4x2x2xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<4x2x2xf32>) -> tensor<4x2x2x16xf32>
    %5 = stablehlo.multiply %4, %arg0 : tensor<4x2x2x16xf32>
    %6 = stablehlo.negate %5 : tensor<4x2x2x16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_0) applies stablehlo.add across dimensions = [3] : (tensor<4x2x2x16xf32>, tensor<f32>) -> tensor<4x2x2xf32>
    %8 = stablehlo.reshape %7 : (tensor<4x2x2xf32>) -> tensor<4x2x2x1xf32>
    %cst_1 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x2x2x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<4x2x2x1xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<4x2x2x1xf32>, tensor<f32>) -> tensor<4x2x2xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<4x2x2xf32>) -> tensor<4x2x2x16xf32>
    %13 = stablehlo.add %5, %12 : tensor<4x2x2x16xf32>
    return %13 : tensor<4x2x2x16xf32>
  }
  func.func private @_where_8(%arg0: tensor<i1>, %arg1: tensor<4x2x2x1xf32>) -> tensor<4x2x2x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x2x2x1xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<i1>, tensor<4x2x2x1xf32>
    return %1 : tensor<4x2x2x1xf32>
  }
  func.func private @_var_9(%arg0: tensor<4x4x4x8xf32>, %arg1: tensor<f32>, %arg2: tensor<i1>, %arg3: tensor<4x4x4x1xf32>) -> tensor<4x4x4x8xf32> {
    %0 = call @_where_10(%arg2, %arg3) : (tensor<i1>, tensor<4x4x4x1xf32>) -> tensor<4x4x4x1xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<4x4x4x1xf32>
    %2 = stablehlo.divide %0, %1 : tensor<4x4x4x1xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [3] : (tensor<4x4x4x1xf32>, tensor<f32>) -> tensor<4x4x4xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<4x4x4xf32>) -> tensor<4x4x4x8xf32>
    %5 = stablehlo.multiply %4, %arg0 : tensor<4x4x4x8xf32>
    %6 = stablehlo.negate %5 : tensor<4x4x4x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_0) applies stablehlo.add across dimensions = [3] : (tensor<4x4x4x8xf32>, tensor<f32>) -> tensor<4x4x4xf32>
    %8 = stablehlo.reshape %7 : (tensor<4x4x4xf32>) -> tensor<4x4x4x1xf32>
    %cst_1 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x4x4x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<4x4x4x1xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<4x4x4x1xf32>, tensor<f32>) -> tensor<4x4x4xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<4x4x4xf32>) -> tensor<4x4x4x8xf32>
    %13 = stablehlo.add %5, %12 : tensor<4x4x4x8xf32>
    return %13 : tensor<4x4x4x8xf32>
  }
  func.func private @_where_10(%arg0: tensor<i1>, %arg1: tensor<4x4x4x1xf32>) -> tensor<4x4x4x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x4x4x1xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<i1>, tensor<4x4x4x1xf32>
    return %1 : tensor<4x4x4x1xf32>
  }
}
