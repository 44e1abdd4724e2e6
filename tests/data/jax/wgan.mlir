module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x3x3x4xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<3x3x4x8xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<32x1xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<3x3x4x3xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<5x16xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<3x3x3x4xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<3x3x4x8xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<32x1xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<3x3x4x3xf32> {tf.aliasing_output = 8 : i32}, %arg9: tensor<5x16xf32> {tf.aliasing_output = 9 : i32}, %arg10: tensor<4x8x8x3xf32>, %arg11: tensor<4x5xf32>) -> (tensor<3x3x3x4xf32> {jax.result_info = "result[0]['d']['c1']"}, tensor<3x3x4x8xf32> {jax.result_info = "result[0]['d']['c2']"}, tensor<32x1xf32> {jax.result_info = "result[0]['d']['w']"}, tensor<3x3x4x3xf32> {jax.result_info = "result[0]['g']['c']"}, tensor<5x16xf32> {jax.result_info = "result[0]['g']['w']"}, tensor<3x3x3x4xf32> {jax.result_info = "result[1]['d']['c1']"}, tensor<3x3x4x8xf32> {jax.result_info = "result[1]['d']['c2']"}, tensor<32x1xf32> {jax.result_info = "result[1]['d']['w']"}, tensor<3x3x4x3xf32> {jax.result_info = "result[1]['g']['c']"}, tensor<5x16xf32> {jax.result_info = "result[1]['g']['w']"}, tensor<f32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.dot_general %arg11, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x5xf32>, tensor<5x16xf32>) -> tensor<4x16xf32>
    %1 = call @elu(%0) : (tensor<4x16xf32>) -> tensor<4x16xf32>
    %2 = stablehlo.reshape %1 : (tensor<4x16xf32>) -> tensor<4x2x2x4xf32>
    %3 = call @_resize(%2) : (tensor<4x2x2x4xf32>) -> tensor<4x8x8x4xf32>
    %4 = stablehlo.convolution(%3, %arg3) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x8x4xf32>, tensor<3x3x4x3xf32>) -> tensor<4x8x8x3xf32>
    %5 = stablehlo.tanh %4 : tensor<4x8x8x3xf32>
    %cst = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %cst_0 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %6 = call @_linspace(%cst, %cst_0) : (tensor<f32>, tensor<f32>) -> tensor<4xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<4xf32>) -> tensor<4x1x1x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<4x1x1x1xf32>) -> tensor<4x8x8x3xf32>
    %9 = stablehlo.multiply %8, %arg10 : tensor<4x8x8x3xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x1x1x1xf32>
    %11 = stablehlo.subtract %10, %7 : tensor<4x1x1x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<4x1x1x1xf32>) -> tensor<4x8x8x3xf32>
    %13 = stablehlo.multiply %12, %5 : tensor<4x8x8x3xf32>
    %14 = stablehlo.add %9, %13 : tensor<4x8x8x3xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 2, 3, 4] : (tensor<4x8x8x3xf32>) -> tensor<4x1x8x8x3xf32>
    %16 = stablehlo.reshape %15 : (tensor<4x1x8x8x3xf32>) -> tensor<4x8x8x3xf32>
    %17 = stablehlo.convolution(%16, %arg0) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<4x4x4x4xf32>
    %18 = stablehlo.reshape %17 : (tensor<4x4x4x4xf32>) -> tensor<4x1x4x4x4xf32>
    %cst_2 = stablehlo.constant dense<2.000000e-01> : tensor<f32>
    %19:3 = call @leaky_relu(%18, %cst_2) : (tensor<4x1x4x4x4xf32>, tensor<f32>) -> (tensor<4x1x4x4x4xf32>, tensor<f32>, tensor<4x1x4x4x4xi1>)
    %20 = stablehlo.reshape %19#0 : (tensor<4x1x4x4x4xf32>) -> tensor<4x4x4x4xf32>
    %21 = stablehlo.convolution(%20, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x4x4x4xf32>, tensor<3x3x4x8xf32>) -> tensor<4x2x2x8xf32>
    %22 = stablehlo.reshape %21 : (tensor<4x2x2x8xf32>) -> tensor<4x1x2x2x8xf32>
    %23:4 = call @softplus(%22) : (tensor<4x1x2x2x8xf32>) -> (tensor<4x1x2x2x8xf32>, tensor<4x1x2x2x8xf32>, tensor<4x1x2x2x8xi1>, tensor<4x1x2x2x8xi1>)
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0] : (tensor<1xf32>) -> tensor<1x1xf32>
    %26 = stablehlo.dot_general %25, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x1xf32>, tensor<32x1xf32>) -> tensor<1x32xf32>
    %27 = stablehlo.reshape %26 : (tensor<1x32xf32>) -> tensor<1x2x2x8xf32>
    %28:2 = call @softplus_4(%23#0, %27) : (tensor<4x1x2x2x8xf32>, tensor<1x2x2x8xf32>) -> (tensor<4x1x2x2x8xf32>, tensor<1x1x2x2x8xf32>)
    %29 = stablehlo.reverse %arg1, dims = [0, 1] : tensor<3x3x4x8xf32>
    %30 = stablehlo.reshape %28#0 : (tensor<4x1x2x2x8xf32>) -> tensor<4x2x2x8xf32>
    %31 = stablehlo.convolution(%30, %29) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 1], [2, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x2x2x8xf32>, tensor<3x3x4x8xf32>) -> tensor<4x4x4x4xf32>
    %32 = stablehlo.reshape %31 : (tensor<4x4x4x4xf32>) -> tensor<4x1x4x4x4xf32>
    %33 = call @leaky_relu_5(%19#1, %19#2, %32) : (tensor<f32>, tensor<4x1x4x4x4xi1>, tensor<4x1x4x4x4xf32>) -> tensor<4x1x4x4x4xf32>
    %34 = stablehlo.reverse %arg0, dims = [0, 1] : tensor<3x3x3x4xf32>
    %35 = stablehlo.reshape %33 : (tensor<4x1x4x4x4xf32>) -> tensor<4x4x4x4xf32>
    %36 = stablehlo.convolution(%35, %34) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 1], [2, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x4x4x4xf32>, tensor<3x3x3x4xf32>) -> tensor<4x8x8x3xf32>
    %37 = stablehlo.reshape %36 : (tensor<4x8x8x3xf32>) -> tensor<4x1x8x8x3xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %38 = stablehlo.reduce(%37 init: %cst_4) applies stablehlo.add across dimensions = [1] : (tensor<4x1x8x8x3xf32>, tensor<f32>) -> tensor<4x8x8x3xf32>
    %39 = stablehlo.multiply %38, %38 : tensor<4x8x8x3xf32>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x8x8x3xf32>
    %41 = stablehlo.multiply %40, %38 : tensor<4x8x8x3xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %42 = stablehlo.reduce(%39 init: %cst_6) applies stablehlo.add across dimensions = [1, 2, 3] : (tensor<4x8x8x3xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_7 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %44 = stablehlo.add %42, %43 : tensor<4xf32>
    %45 = stablehlo.sqrt %44 : tensor<4xf32>
    %cst_8 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %47 = stablehlo.divide %46, %45 : tensor<4xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %49 = stablehlo.subtract %45, %48 : tensor<4xf32>
    %50 = stablehlo.multiply %49, %49 : tensor<4xf32>
    %cst_10 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %52 = stablehlo.multiply %51, %49 : tensor<4xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %53 = stablehlo.reduce(%50 init: %cst_11) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %cst_12 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %54 = stablehlo.divide %53, %cst_12 : tensor<f32>
    %55 = stablehlo.convolution(%5, %arg0) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<4x4x4x4xf32>
    %cst_13 = stablehlo.constant dense<2.000000e-01> : tensor<f32>
    %56:3 = call @leaky_relu_7(%55, %cst_13) : (tensor<4x4x4x4xf32>, tensor<f32>) -> (tensor<4x4x4x4xf32>, tensor<f32>, tensor<4x4x4x4xi1>)
    %57 = stablehlo.convolution(%56#0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x4x4x4xf32>, tensor<3x3x4x8xf32>) -> tensor<4x2x2x8xf32>
    %58:2 = call @softplus_9(%57) : (tensor<4x2x2x8xf32>) -> (tensor<4x2x2x8xf32>, tensor<4x2x2x8xf32>)
    %59 = stablehlo.reshape %58#0 : (tensor<4x2x2x8xf32>) -> tensor<4x32xf32>
    %60 = stablehlo.dot_general %59, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x32xf32>, tensor<32x1xf32>) -> tensor<4x1xf32>
    %61 = stablehlo.reshape %60 : (tensor<4x1xf32>) -> tensor<4xf32>
    %62 = stablehlo.convolution(%arg10, %arg0) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<4x4x4x4xf32>
    %cst_14 = stablehlo.constant dense<2.000000e-01> : tensor<f32>
    %63:3 = call @leaky_relu_7(%62, %cst_14) : (tensor<4x4x4x4xf32>, tensor<f32>) -> (tensor<4x4x4x4xf32>, tensor<f32>, tensor<4x4x4x4xi1>)
    %64 = stablehlo.convolution(%63#0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x4x4x4xf32>, tensor<3x3x4x8xf32>) -> tensor<4x2x2x8xf32>
    %65:2 = call @softplus_9(%64) : (tensor<4x2x2x8xf32>) -> (tensor<4x2x2x8xf32>, tensor<4x2x2x8xf32>)
    %66 = stablehlo.reshape %65#0 : (tensor<4x2x2x8xf32>) -> tensor<4x32xf32>
    %67 = stablehlo.dot_general %66, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x32xf32>, tensor<32x1xf32>) -> tensor<4x1xf32>
    %68 = stablehlo.reshape %67 : (tensor<4x1xf32>) -> tensor<4xf32>
    %69 = stablehlo.subtract %61, %68 : tensor<4xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %70 = stablehlo.reduce(%69 init: %cst_15) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %cst_16 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %71 = stablehlo.divide %70, %cst_16 : tensor<f32>
    %cst_17 = stablehlo.constant dense<1.000000e+01> : tensor<f32>
    %72 = stablehlo.multiply %cst_17, %54 : tensor<f32>
    %73 = stablehlo.add %71, %72 : tensor<f32>
    %cst_18 = stablehlo.constant dense<1.000000e+01> : tensor<f32>
    %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %74 = stablehlo.multiply %cst_18, %cst_19 : tensor<f32>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_21 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %75 = stablehlo.divide %cst_20, %cst_21 : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %75, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %77 = stablehlo.negate %76 : tensor<4xf32>
    %78 = stablehlo.broadcast_in_dim %77, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %79 = stablehlo.dot_general %78, %66, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x1xf32>, tensor<4x32xf32>) -> tensor<1x32xf32>
    %80 = stablehlo.transpose %79, dims = [1, 0] : (tensor<1x32xf32>) -> tensor<32x1xf32>
    %81 = stablehlo.dot_general %78, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x1xf32>, tensor<32x1xf32>) -> tensor<4x32xf32>
    %82 = stablehlo.reshape %81 : (tensor<4x32xf32>) -> tensor<4x2x2x8xf32>
    %83 = call @softplus_10(%65#1, %82) : (tensor<4x2x2x8xf32>, tensor<4x2x2x8xf32>) -> tensor<4x2x2x8xf32>
    %84 = stablehlo.convolution(%63#0, %83) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x4x4x4xf32>, tensor<4x2x2x8xf32>) -> tensor<3x3x4x8xf32>
    %85 = stablehlo.reverse %arg1, dims = [0, 1] : tensor<3x3x4x8xf32>
    %86 = stablehlo.convolution(%83, %85) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 1], [2, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x2x2x8xf32>, tensor<3x3x4x8xf32>) -> tensor<4x4x4x4xf32>
    %87 = call @leaky_relu_11(%63#1, %63#2, %86) : (tensor<f32>, tensor<4x4x4x4xi1>, tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
    %88 = stablehlo.convolution(%arg10, %87) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x8x3xf32>, tensor<4x4x4x4xf32>) -> tensor<3x3x3x4xf32>
    %89 = stablehlo.broadcast_in_dim %76, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %90 = stablehlo.dot_general %89, %59, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x1xf32>, tensor<4x32xf32>) -> tensor<1x32xf32>
    %91 = stablehlo.transpose %90, dims = [1, 0] : (tensor<1x32xf32>) -> tensor<32x1xf32>
    %92 = stablehlo.add %80, %91 : tensor<32x1xf32>
    %93 = stablehlo.dot_general %89, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x1xf32>, tensor<32x1xf32>) -> tensor<4x32xf32>
    %94 = stablehlo.reshape %93 : (tensor<4x32xf32>) -> tensor<4x2x2x8xf32>
    %95 = call @softplus_10(%58#1, %94) : (tensor<4x2x2x8xf32>, tensor<4x2x2x8xf32>) -> tensor<4x2x2x8xf32>
    %96 = stablehlo.convolution(%56#0, %95) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x4x4x4xf32>, tensor<4x2x2x8xf32>) -> tensor<3x3x4x8xf32>
    %97 = stablehlo.add %84, %96 : tensor<3x3x4x8xf32>
    %98 = stablehlo.reverse %arg1, dims = [0, 1] : tensor<3x3x4x8xf32>
    %99 = stablehlo.convolution(%95, %98) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 1], [2, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x2x2x8xf32>, tensor<3x3x4x8xf32>) -> tensor<4x4x4x4xf32>
    %100 = call @leaky_relu_11(%56#1, %56#2, %99) : (tensor<f32>, tensor<4x4x4x4xi1>, tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
    %101 = stablehlo.convolution(%5, %100) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x8x3xf32>, tensor<4x4x4x4xf32>) -> tensor<3x3x3x4xf32>
    %102 = stablehlo.add %88, %101 : tensor<3x3x3x4xf32>
    %cst_22 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %103 = stablehlo.divide %74, %cst_22 : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %103, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %105 = stablehlo.multiply %104, %52 : tensor<4xf32>
    %106 = stablehlo.multiply %105, %47 : tensor<4xf32>
    %107 = stablehlo.broadcast_in_dim %106, dims = [0] : (tensor<4xf32>) -> tensor<4x8x8x3xf32>
    %108 = stablehlo.multiply %107, %41 : tensor<4x8x8x3xf32>
    %109 = stablehlo.broadcast_in_dim %108, dims = [0, 2, 3, 4] : (tensor<4x8x8x3xf32>) -> tensor<4x1x8x8x3xf32>
    %110 = stablehlo.reshape %109 : (tensor<4x1x8x8x3xf32>) -> tensor<4x8x8x3xf32>
    %111 = stablehlo.convolution(%35, %110) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, f, b], window = {stride = [1, 1], pad = [[2, 1], [2, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x4x4x4xf32>, tensor<4x8x8x3xf32>) -> tensor<3x3x3x4xf32>
    %112 = stablehlo.reverse %34, dims = [0, 1] : tensor<3x3x3x4xf32>
    %113 = stablehlo.convolution(%110, %112) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<4x4x4x4xf32>
    %114 = stablehlo.reshape %113 : (tensor<4x4x4x4xf32>) -> tensor<4x1x4x4x4xf32>
    %115 = stablehlo.reverse %111, dims = [0, 1] : tensor<3x3x3x4xf32>
    %116 = stablehlo.add %102, %115 : tensor<3x3x3x4xf32>
    %117 = call @leaky_relu_13(%19#2, %19#1, %114) : (tensor<4x1x4x4x4xi1>, tensor<f32>, tensor<4x1x4x4x4xf32>) -> tensor<4x1x4x4x4xf32>
    %118 = stablehlo.reshape %117 : (tensor<4x1x4x4x4xf32>) -> tensor<4x4x4x4xf32>
    %119 = stablehlo.convolution(%30, %118) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, f, b], window = {stride = [1, 1], pad = [[2, 1], [2, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x2x2x8xf32>, tensor<4x4x4x4xf32>) -> tensor<3x3x4x8xf32>
    %120 = stablehlo.reverse %29, dims = [0, 1] : tensor<3x3x4x8xf32>
    %121 = stablehlo.convolution(%118, %120) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x4x4x4xf32>, tensor<3x3x4x8xf32>) -> tensor<4x2x2x8xf32>
    %122 = stablehlo.reshape %121 : (tensor<4x2x2x8xf32>) -> tensor<4x1x2x2x8xf32>
    %123 = stablehlo.reverse %119, dims = [0, 1] : tensor<3x3x4x8xf32>
    %124 = stablehlo.add %97, %123 : tensor<3x3x4x8xf32>
    %125:2 = call @softplus_15(%23#0, %28#1, %122) : (tensor<4x1x2x2x8xf32>, tensor<1x1x2x2x8xf32>, tensor<4x1x2x2x8xf32>) -> (tensor<4x1x2x2x8xf32>, tensor<1x2x2x8xf32>)
    %126 = stablehlo.reshape %125#1 : (tensor<1x2x2x8xf32>) -> tensor<1x32xf32>
    %127 = stablehlo.dot_general %126, %25, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x32xf32>, tensor<1x1xf32>) -> tensor<32x1xf32>
    %128 = stablehlo.add %92, %127 : tensor<32x1xf32>
    %129 = call @softplus_16(%23#1, %23#2, %23#3, %23#0, %125#0) : (tensor<4x1x2x2x8xf32>, tensor<4x1x2x2x8xi1>, tensor<4x1x2x2x8xi1>, tensor<4x1x2x2x8xf32>, tensor<4x1x2x2x8xf32>) -> tensor<4x1x2x2x8xf32>
    %130 = stablehlo.reshape %129 : (tensor<4x1x2x2x8xf32>) -> tensor<4x2x2x8xf32>
    %131 = stablehlo.convolution(%20, %130) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x4x4x4xf32>, tensor<4x2x2x8xf32>) -> tensor<3x3x4x8xf32>
    %132 = stablehlo.add %124, %131 : tensor<3x3x4x8xf32>
    %133 = stablehlo.reverse %arg1, dims = [0, 1] : tensor<3x3x4x8xf32>
    %134 = stablehlo.convolution(%130, %133) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 1], [2, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x2x2x8xf32>, tensor<3x3x4x8xf32>) -> tensor<4x4x4x4xf32>
    %135 = stablehlo.reshape %134 : (tensor<4x4x4x4xf32>) -> tensor<4x1x4x4x4xf32>
    %136 = call @leaky_relu_17(%19#1, %19#2, %135) : (tensor<f32>, tensor<4x1x4x4x4xi1>, tensor<4x1x4x4x4xf32>) -> tensor<4x1x4x4x4xf32>
    %137 = stablehlo.reshape %136 : (tensor<4x1x4x4x4xf32>) -> tensor<4x4x4x4xf32>
    %138 = stablehlo.convolution(%16, %137) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x8x3xf32>, tensor<4x4x4x4xf32>) -> tensor<3x3x3x4xf32>
    %139 = stablehlo.add %116, %138 : tensor<3x3x3x4xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %140 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<3x3x4x3xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %141 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<5x16xf32>
    %cst_25 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %142 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<3x3x3x4xf32>
    %143 = stablehlo.multiply %142, %arg5 : tensor<3x3x3x4xf32>
    %cst_26 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %144 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<3x3x3x4xf32>
    %145 = stablehlo.multiply %144, %139 : tensor<3x3x3x4xf32>
    %146 = stablehlo.multiply %145, %139 : tensor<3x3x3x4xf32>
    %147 = stablehlo.add %143, %146 : tensor<3x3x3x4xf32>
    %cst_27 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %148 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<3x3x4x8xf32>
    %149 = stablehlo.multiply %148, %arg6 : tensor<3x3x4x8xf32>
    %cst_28 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %150 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<3x3x4x8xf32>
    %151 = stablehlo.multiply %150, %132 : tensor<3x3x4x8xf32>
    %152 = stablehlo.multiply %151, %132 : tensor<3x3x4x8xf32>
    %153 = stablehlo.add %149, %152 : tensor<3x3x4x8xf32>
    %cst_29 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %154 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<32x1xf32>
    %155 = stablehlo.multiply %154, %arg7 : tensor<32x1xf32>
    %cst_30 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %156 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<32x1xf32>
    %157 = stablehlo.multiply %156, %128 : tensor<32x1xf32>
    %158 = stablehlo.multiply %157, %128 : tensor<32x1xf32>
    %159 = stablehlo.add %155, %158 : tensor<32x1xf32>
    %cst_31 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %160 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<3x3x4x3xf32>
    %161 = stablehlo.multiply %160, %arg8 : tensor<3x3x4x3xf32>
    %cst_32 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %162 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<3x3x4x3xf32>
    %163 = stablehlo.multiply %162, %140 : tensor<3x3x4x3xf32>
    %164 = stablehlo.multiply %163, %140 : tensor<3x3x4x3xf32>
    %165 = stablehlo.add %161, %164 : tensor<3x3x4x3xf32>
    %cst_33 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %166 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<5x16xf32>
    %167 = stablehlo.multiply %166, %arg9 : tensor<5x16xf32>
    %cst_34 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %168 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<5x16xf32>
    %169 = stablehlo.multiply %168, %141 : tensor<5x16xf32>
    %170 = stablehlo.multiply %169, %141 : tensor<5x16xf32>
    %171 = stablehlo.add %167, %170 : tensor<5x16xf32>
    %cst_35 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %172 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<3x3x3x4xf32>
    %173 = stablehlo.multiply %172, %139 : tensor<3x3x3x4xf32>
    %cst_36 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %174 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<3x3x3x4xf32>
    %175 = stablehlo.add %147, %174 : tensor<3x3x3x4xf32>
    %176 = stablehlo.rsqrt %175 : tensor<3x3x3x4xf32>
    %177 = stablehlo.multiply %173, %176 : tensor<3x3x3x4xf32>
    %178 = stablehlo.subtract %arg0, %177 : tensor<3x3x3x4xf32>
    %cst_37 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %179 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<3x3x4x8xf32>
    %180 = stablehlo.multiply %179, %132 : tensor<3x3x4x8xf32>
    %cst_38 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %181 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<3x3x4x8xf32>
    %182 = stablehlo.add %153, %181 : tensor<3x3x4x8xf32>
    %183 = stablehlo.rsqrt %182 : tensor<3x3x4x8xf32>
    %184 = stablehlo.multiply %180, %183 : tensor<3x3x4x8xf32>
    %185 = stablehlo.subtract %arg1, %184 : tensor<3x3x4x8xf32>
    %cst_39 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %186 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<32x1xf32>
    %187 = stablehlo.multiply %186, %128 : tensor<32x1xf32>
    %cst_40 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %188 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<32x1xf32>
    %189 = stablehlo.add %159, %188 : tensor<32x1xf32>
    %190 = stablehlo.rsqrt %189 : tensor<32x1xf32>
    %191 = stablehlo.multiply %187, %190 : tensor<32x1xf32>
    %192 = stablehlo.subtract %arg2, %191 : tensor<32x1xf32>
    %cst_41 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %193 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<3x3x4x3xf32>
    %194 = stablehlo.multiply %193, %140 : tensor<3x3x4x3xf32>
    %cst_42 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %195 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<3x3x4x3xf32>
    %196 = stablehlo.add %165, %195 : tensor<3x3x4x3xf32>
    %197 = stablehlo.rsqrt %196 : tensor<3x3x4x3xf32>
    %198 = stablehlo.multiply %194, %197 : tensor<3x3x4x3xf32>
    %199 = stablehlo.subtract %arg3, %198 : tensor<3x3x4x3xf32>
    %cst_43 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %200 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<5x16xf32>
    %201 = stablehlo.multiply %200, %141 : tensor<5x16xf32>
    %cst_44 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %202 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<5x16xf32>
    %203 = stablehlo.add %171, %202 : tensor<5x16xf32>
    %204 = stablehlo.rsqrt %203 : tensor<5x16xf32>
    %205 = stablehlo.multiply %201, %204 : tensor<5x16xf32>
    %206 = stablehlo.subtract %arg4, %205 : tensor<5x16xf32>
    return %178, %185, %192, %199, %206, %147, %153, %159, %165, %171, %73 : tensor<3x3x3x4xf32>, tensor<3x3x4x8xf32>, tensor<32x1xf32>, tensor<3x3x4x3xf32>, tensor<5x16xf32>, tensor<3x3x3x4xf32>, tensor<3x3x4x8xf32>, tensor<32x1xf32>, tensor<3x3x4x3xf32>, tensor<5x16xf32>, tensor<f32>
  }
  func.func private @elu(%arg0: tensor<4x16xf32>) -> tensor<4x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %1 = stablehlo.compare GT, %arg0, %0, FLOAT : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xi1>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %3 = stablehlo.compare GT, %arg0, %2, FLOAT : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = call @_where(%3, %cst_1, %arg0) : (tensor<4x16xi1>, tensor<f32>, tensor<4x16xf32>) -> tensor<4x16xf32>
    %5 = stablehlo.exponential_minus_one %4 : tensor<4x16xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %7 = stablehlo.multiply %6, %5 : tensor<4x16xf32>
    %8 = call @_where_0(%1, %arg0, %7) : (tensor<4x16xi1>, tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
    return %8 : tensor<4x16xf32>
  }
  func.func private @_where(%arg0: tensor<4x16xi1>, %arg1: tensor<f32>, %arg2: tensor<4x16xf32>) -> tensor<4x16xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %2 = stablehlo.select %arg0, %1, %arg2 : tensor<4x16xi1>, tensor<4x16xf32>
    return %2 : tensor<4x16xf32>
  }
  func.func private @_where_0(%arg0: tensor<4x16xi1>, %arg1: tensor<4x16xf32>, %arg2: tensor<4x16xf32>) -> tensor<4x16xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<4x16xi1>, tensor<4x16xf32>
    return %0 : tensor<4x16xf32>
  }
  func.func private @_resize(%arg0: tensor<4x2x2x4xf32>) -> tensor<4x8x8x4xf32> {
    %cst = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = stablehlo.maximum %cst, %cst_0 : tensor<f32>
    %1 = stablehlo.iota dim = 0 : tensor<8xf32>
    %cst_1 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %3 = stablehlo.add %1, %2 : tensor<8xf32>
    %cst_2 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %5 = stablehlo.multiply %3, %4 : tensor<8xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %7 = stablehlo.subtract %5, %6 : tensor<8xf32>
    %cst_4 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %9 = stablehlo.subtract %7, %8 : tensor<8xf32>
    %10 = stablehlo.iota dim = 0 : tensor<2xf32>
    %11 = stablehlo.broadcast_in_dim %9, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %12 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<2x8xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x8xf32>
    %15 = stablehlo.subtract %13, %14 : tensor<2x8xf32>
    %16 = stablehlo.abs %15 : tensor<2x8xf32>
    %17 = stablehlo.convert %0 : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %19 = stablehlo.divide %16, %18 : tensor<2x8xf32>
    %20 = stablehlo.abs %19 : tensor<2x8xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %22 = stablehlo.subtract %21, %20 : tensor<2x8xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %24 = stablehlo.maximum %23, %22 : tensor<2x8xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.reduce(%24 init: %cst_7) applies stablehlo.add across dimensions = [0] : (tensor<2x8xf32>, tensor<f32>) -> tensor<8xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %27 = stablehlo.abs %26 : tensor<1x8xf32>
    %cst_8 = stablehlo.constant dense<1.1920929E-4> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<1x8xf32>
    %29 = stablehlo.compare GT, %27, %28, FLOAT : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<1x8xi1>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<1x8xf32>
    %31 = stablehlo.compare NE, %26, %30, FLOAT : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<1x8xi1>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %32 = call @_where_1(%31, %26, %c) : (tensor<1x8xi1>, tensor<1x8xf32>, tensor<i32>) -> tensor<1x8xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<2x8xf32>
    %34 = stablehlo.divide %24, %33 : tensor<2x8xf32>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %35 = call @_where_2(%29, %34, %c_10) : (tensor<1x8xi1>, tensor<2x8xf32>, tensor<i32>) -> tensor<2x8xf32>
    %cst_11 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %37 = stablehlo.compare GE, %9, %36, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_12 = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %39 = stablehlo.compare LE, %9, %38, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %40 = stablehlo.and %37, %39 : tensor<8xi1>
    %41 = stablehlo.broadcast_in_dim %40, dims = [1] : (tensor<8xi1>) -> tensor<1x8xi1>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %42 = call @_where_2(%41, %35, %c_13) : (tensor<1x8xi1>, tensor<2x8xf32>, tensor<i32>) -> tensor<2x8xf32>
    %cst_14 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %43 = stablehlo.maximum %cst_14, %cst_15 : tensor<f32>
    %44 = stablehlo.iota dim = 0 : tensor<8xf32>
    %cst_16 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %46 = stablehlo.add %44, %45 : tensor<8xf32>
    %cst_17 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %48 = stablehlo.multiply %46, %47 : tensor<8xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %50 = stablehlo.subtract %48, %49 : tensor<8xf32>
    %cst_19 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %52 = stablehlo.subtract %50, %51 : tensor<8xf32>
    %53 = stablehlo.iota dim = 0 : tensor<2xf32>
    %54 = stablehlo.broadcast_in_dim %52, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %55 = stablehlo.broadcast_in_dim %53, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %56 = stablehlo.broadcast_in_dim %54, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<2x8xf32>
    %57 = stablehlo.broadcast_in_dim %55, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x8xf32>
    %58 = stablehlo.subtract %56, %57 : tensor<2x8xf32>
    %59 = stablehlo.abs %58 : tensor<2x8xf32>
    %60 = stablehlo.convert %43 : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %60, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %62 = stablehlo.divide %59, %61 : tensor<2x8xf32>
    %63 = stablehlo.abs %62 : tensor<2x8xf32>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %65 = stablehlo.subtract %64, %63 : tensor<2x8xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %67 = stablehlo.maximum %66, %65 : tensor<2x8xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %68 = stablehlo.reduce(%67 init: %cst_22) applies stablehlo.add across dimensions = [0] : (tensor<2x8xf32>, tensor<f32>) -> tensor<8xf32>
    %69 = stablehlo.broadcast_in_dim %68, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %70 = stablehlo.abs %69 : tensor<1x8xf32>
    %cst_23 = stablehlo.constant dense<1.1920929E-4> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<1x8xf32>
    %72 = stablehlo.compare GT, %70, %71, FLOAT : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<1x8xi1>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<1x8xf32>
    %74 = stablehlo.compare NE, %69, %73, FLOAT : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<1x8xi1>
    %c_25 = stablehlo.constant dense<1> : tensor<i32>
    %75 = call @_where_1(%74, %69, %c_25) : (tensor<1x8xi1>, tensor<1x8xf32>, tensor<i32>) -> tensor<1x8xf32>
    %76 = stablehlo.broadcast_in_dim %75, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<2x8xf32>
    %77 = stablehlo.divide %67, %76 : tensor<2x8xf32>
    %c_26 = stablehlo.constant dense<0> : tensor<i32>
    %78 = call @_where_2(%72, %77, %c_26) : (tensor<1x8xi1>, tensor<2x8xf32>, tensor<i32>) -> tensor<2x8xf32>
    %cst_27 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %79 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %80 = stablehlo.compare GE, %52, %79, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_28 = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %81 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %82 = stablehlo.compare LE, %52, %81, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %83 = stablehlo.and %80, %82 : tensor<8xi1>
    %84 = stablehlo.broadcast_in_dim %83, dims = [1] : (tensor<8xi1>) -> tensor<1x8xi1>
    %c_29 = stablehlo.constant dense<0> : tensor<i32>
    %85 = call @_where_2(%84, %78, %c_29) : (tensor<1x8xi1>, tensor<2x8xf32>, tensor<i32>) -> tensor<2x8xf32>
    %86 = stablehlo.dot_general %42, %arg0, contracting_dims = [0] x [1], precision = [HIGHEST, HIGHEST] : (tensor<2x8xf32>, tensor<4x2x2x4xf32>) -> tensor<8x4x2x4xf32>
    %87 = stablehlo.dot_general %86, %85, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x4x2x4xf32>, tensor<2x8xf32>) -> tensor<8x4x4x8xf32>
    %88 = stablehlo.transpose %87, dims = [1, 0, 3, 2] : (tensor<8x4x4x8xf32>) -> tensor<4x8x8x4xf32>
    return %88 : tensor<4x8x8x4xf32>
  }
  func.func private @_where_1(%arg0: tensor<1x8xi1>, %arg1: tensor<1x8xf32>, %arg2: tensor<i32>) -> tensor<1x8xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x8xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<1x8xi1>, tensor<1x8xf32>
    return %2 : tensor<1x8xf32>
  }
  func.func private @_where_2(%arg0: tensor<1x8xi1>, %arg1: tensor<2x8xf32>, %arg2: tensor<i32>) -> tensor<2x8xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<1x8xi1>) -> tensor<2x8xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x8xi1>, tensor<2x8xf32>
    return %3 : tensor<2x8xf32>
  }
  func.func private @_linspace(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<4xf32> {
    %0 = stablehlo.convert %arg0 : tensor<f32>
    %1 = stablehlo.convert %arg1 : tensor<f32>
    %2 = stablehlo.iota dim = 0 : tensor<3xf32>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %4 = stablehlo.divide %2, %3 : tensor<3xf32>
    %5 = stablehlo.reshape %0 : (tensor<f32>) -> tensor<1xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %7 = stablehlo.subtract %6, %4 : tensor<3xf32>
    %8 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<1xf32>) -> tensor<3xf32>
    %9 = stablehlo.multiply %8, %7 : tensor<3xf32>
    %10 = stablehlo.reshape %1 : (tensor<f32>) -> tensor<1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<1xf32>) -> tensor<3xf32>
    %12 = stablehlo.multiply %11, %4 : tensor<3xf32>
    %13 = stablehlo.add %9, %12 : tensor<3xf32>
    %14 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %15 = stablehlo.concatenate %13, %14, dim = 0 : (tensor<3xf32>, tensor<1xf32>) -> tensor<4xf32>
    return %15 : tensor<4xf32>
  }
  func.func private @leaky_relu(%arg0: tensor<4x1x4x4x4xf32>, %arg1: tensor<f32>) -> (tensor<4x1x4x4x4xf32>, tensor<f32>, tensor<4x1x4x4x4xi1>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x1x4x4x4xf32>
    %1 = stablehlo.compare GE, %arg0, %0, FLOAT : (tensor<4x1x4x4x4xf32>, tensor<4x1x4x4x4xf32>) -> tensor<4x1x4x4x4xi1>
    %2 = stablehlo.convert %arg1 : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<f32>) -> tensor<4x1x4x4x4xf32>
    %4 = stablehlo.multiply %3, %arg0 : tensor<4x1x4x4x4xf32>
    %5 = call @_where_3(%1, %arg0, %4) : (tensor<4x1x4x4x4xi1>, tensor<4x1x4x4x4xf32>, tensor<4x1x4x4x4xf32>) -> tensor<4x1x4x4x4xf32>
    return %5, %2, %1 : tensor<4x1x4x4x4xf32>, tensor<f32>, tensor<4x1x4x4x4xi1>
  }
  func.func private @_where_3(%arg0: tensor<4x1x4x4x4xi1>, %arg1: tensor<4x1x4x4x4xf32>, %arg2: tensor<4x1x4x4x4xf32>) -> tensor<4x1x4x4x4xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<4x1x4x4x4xi1>, tensor<4x1x4x4x4xf32>
    return %0 : tensor<4x1x4x4x4xf32>
  }
  func.func private @softplus(%arg0: tensor<4x1x2x2x8xf32>) -> (tensor<4x1x2x2x8xf32>, tensor<4x1x2x2x8xf32>, tensor<4x1x2x2x8xi1>, tensor<4x1x2x2x8xi1>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x1x2x2x8xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<4x1x2x2x8xf32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x1x2x2x8xf32>
    %3 = stablehlo.subtract %arg0, %2 : tensor<4x1x2x2x8xf32>
    %4 = stablehlo.compare NE, %3, %3, FLOAT : (tensor<4x1x2x2x8xf32>, tensor<4x1x2x2x8xf32>) -> tensor<4x1x2x2x8xi1>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x1x2x2x8xf32>
    %6 = stablehlo.add %arg0, %5 : tensor<4x1x2x2x8xf32>
    %7 = stablehlo.abs %3 : tensor<4x1x2x2x8xf32>
    %8 = stablehlo.negate %7 : tensor<4x1x2x2x8xf32>
    %9 = stablehlo.exponential %8 : tensor<4x1x2x2x8xf32>
    %10 = stablehlo.log_plus_one %9 : tensor<4x1x2x2x8xf32>
    %11 = stablehlo.add %1, %10 : tensor<4x1x2x2x8xf32>
    %12 = stablehlo.select %4, %6, %11 : tensor<4x1x2x2x8xi1>, tensor<4x1x2x2x8xf32>
    %cst_0 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x1x2x2x8xf32>
    %14 = stablehlo.compare EQ, %arg0, %13, FLOAT : (tensor<4x1x2x2x8xf32>, tensor<4x1x2x2x8xf32>) -> tensor<4x1x2x2x8xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x2x2x8xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [1, 2, 3, 4] : (tensor<1x2x2x8xf32>) -> tensor<4x1x2x2x8xf32>
    %17 = stablehlo.select %14, %16, %arg0 : tensor<4x1x2x2x8xi1>, tensor<4x1x2x2x8xf32>
    %cst_2 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x1x2x2x8xf32>
    %19 = stablehlo.compare EQ, %12, %18, FLOAT : (tensor<4x1x2x2x8xf32>, tensor<4x1x2x2x8xf32>) -> tensor<4x1x2x2x8xi1>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x2x2x8xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [1, 2, 3, 4] : (tensor<1x2x2x8xf32>) -> tensor<4x1x2x2x8xf32>
    %22 = stablehlo.select %19, %21, %12 : tensor<4x1x2x2x8xi1>, tensor<4x1x2x2x8xf32>
    %23 = stablehlo.subtract %17, %22 : tensor<4x1x2x2x8xf32>
    %24 = stablehlo.exponential %23 : tensor<4x1x2x2x8xf32>
    %cst_4 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x1x2x2x8xf32>
    %26 = stablehlo.compare EQ, %arg0, %25, FLOAT : (tensor<4x1x2x2x8xf32>, tensor<4x1x2x2x8xf32>) -> tensor<4x1x2x2x8xi1>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x2x2x8xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [1, 2, 3, 4] : (tensor<1x2x2x8xf32>) -> tensor<4x1x2x2x8xf32>
    %29 = stablehlo.select %26, %28, %arg0 : tensor<4x1x2x2x8xi1>, tensor<4x1x2x2x8xf32>
    %cst_6 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x1x2x2x8xf32>
    %31 = stablehlo.compare EQ, %12, %30, FLOAT : (tensor<4x1x2x2x8xf32>, tensor<4x1x2x2x8xf32>) -> tensor<4x1x2x2x8xi1>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<1x2x2x8xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [1, 2, 3, 4] : (tensor<1x2x2x8xf32>) -> tensor<4x1x2x2x8xf32>
    %34 = stablehlo.select %31, %33, %12 : tensor<4x1x2x2x8xi1>, tensor<4x1x2x2x8xf32>
    %35 = stablehlo.subtract %29, %34 : tensor<4x1x2x2x8xf32>
    %36 = stablehlo.exponential %35 : tensor<4x1x2x2x8xf32>
    return %36, %24, %26, %31 : tensor<4x1x2x2x8xf32>, tensor<4x1x2x2x8xf32>, tensor<4x1x2x2x8xi1>, tensor<4x1x2x2x8xi1>
  }
  func.func private @softplus_4(%arg0: tensor<4x1x2x2x8xf32>, %arg1: tensor<1x2x2x8xf32>) -> (tensor<4x1x2x2x8xf32>, tensor<1x1x2x2x8xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<1x2x2x8xf32>) -> tensor<1x1x2x2x8xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2, 3, 4] : (tensor<1x1x2x2x8xf32>) -> tensor<4x1x2x2x8xf32>
    %2 = stablehlo.multiply %1, %arg0 : tensor<4x1x2x2x8xf32>
    return %2, %0 : tensor<4x1x2x2x8xf32>, tensor<1x1x2x2x8xf32>
  }
  func.func private @leaky_relu_5(%arg0: tensor<f32>, %arg1: tensor<4x1x4x4x4xi1>, %arg2: tensor<4x1x4x4x4xf32>) -> tensor<4x1x4x4x4xf32> {
    %0:2 = call @_where_6(%arg1, %arg2) : (tensor<4x1x4x4x4xi1>, tensor<4x1x4x4x4xf32>) -> (tensor<4x1x4x4x4xf32>, tensor<4x1x4x4x4xf32>)
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<4x1x4x4x4xf32>
    %2 = stablehlo.multiply %1, %0#1 : tensor<4x1x4x4x4xf32>
    %3 = stablehlo.add %0#0, %2 : tensor<4x1x4x4x4xf32>
    return %3 : tensor<4x1x4x4x4xf32>
  }
  func.func private @_where_6(%arg0: tensor<4x1x4x4x4xi1>, %arg1: tensor<4x1x4x4x4xf32>) -> (tensor<4x1x4x4x4xf32>, tensor<4x1x4x4x4xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x4x4x4xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<1x4x4x4xf32>) -> tensor<4x1x4x4x4xf32>
    %2 = stablehlo.select %arg0, %1, %arg1 : tensor<4x1x4x4x4xi1>, tensor<4x1x4x4x4xf32>
    %3 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<1x4x4x4xf32>) -> tensor<4x1x4x4x4xf32>
    %4 = stablehlo.select %arg0, %arg1, %3 : tensor<4x1x4x4x4xi1>, tensor<4x1x4x4x4xf32>
    return %4, %2 : tensor<4x1x4x4x4xf32>, tensor<4x1x4x4x4xf32>
  }
  func.func private @leaky_relu_7(%arg0: tensor<4x4x4x4xf32>, %arg1: tensor<f32>) -> (tensor<4x4x4x4xf32>, tensor<f32>, tensor<4x4x4x4xi1>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x4x4x4xf32>
    %1 = stablehlo.compare GE, %arg0, %0, FLOAT : (tensor<4x4x4x4xf32>, tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xi1>
    %2 = stablehlo.convert %arg1 : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<f32>) -> tensor<4x4x4x4xf32>
    %4 = stablehlo.multiply %3, %arg0 : tensor<4x4x4x4xf32>
    %5 = call @_where_8(%1, %arg0, %4) : (tensor<4x4x4x4xi1>, tensor<4x4x4x4xf32>, tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
    return %5, %2, %1 : tensor<4x4x4x4xf32>, tensor<f32>, tensor<4x4x4x4xi1>
  }
  func.func private @_where_8(%arg0: tensor<4x4x4x4xi1>, %arg1: tensor<4x4x4x4xf32>, %arg2: tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<4x4x4x4xi1>, tensor<4x4x4x4xf32>
    return %0 : tensor<4x4x4x4xf32>
  }
  func.func private @softplus_9(%arg0: tensor<4x2x2x8xf32>) -> (tensor<4x2x2x8xf32>, tensor<4x2x2x8xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x2x2x8xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<4x2x2x8xf32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x2x2x8xf32>
    %3 = stablehlo.subtract %arg0, %2 : tensor<4x2x2x8xf32>
    %4 = stablehlo.compare NE, %3, %3, FLOAT : (tensor<4x2x2x8xf32>, tensor<4x2x2x8xf32>) -> tensor<4x2x2x8xi1>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x2x2x8xf32>
    %6 = stablehlo.add %arg0, %5 : tensor<4x2x2x8xf32>
    %7 = stablehlo.abs %3 : tensor<4x2x2x8xf32>
    %8 = stablehlo.negate %7 : tensor<4x2x2x8xf32>
    %9 = stablehlo.exponential %8 : tensor<4x2x2x8xf32>
    %10 = stablehlo.log_plus_one %9 : tensor<4x2x2x8xf32>
    %11 = stablehlo.add %1, %10 : tensor<4x2x2x8xf32>
    %12 = stablehlo.select %4, %6, %11 : tensor<4x2x2x8xi1>, tensor<4x2x2x8xf32>
    %cst_0 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x2x2x8xf32>
    %14 = stablehlo.compare EQ, %arg0, %13, FLOAT : (tensor<4x2x2x8xf32>, tensor<4x2x2x8xf32>) -> tensor<4x2x2x8xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x2x2x8xf32>
    %16 = stablehlo.select %14, %15, %arg0 : tensor<4x2x2x8xi1>, tensor<4x2x2x8xf32>
    %cst_2 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x2x2x8xf32>
    %18 = stablehlo.compare EQ, %12, %17, FLOAT : (tensor<4x2x2x8xf32>, tensor<4x2x2x8xf32>) -> tensor<4x2x2x8xi1>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x2x2x8xf32>
    %20 = stablehlo.select %18, %19, %12 : tensor<4x2x2x8xi1>, tensor<4x2x2x8xf32>
    %21 = stablehlo.subtract %16, %20 : tensor<4x2x2x8xf32>
    %22 = stablehlo.exponential %21 : tensor<4x2x2x8xf32>
    return %12, %22 : tensor<4x2x2x8xf32>, tensor<4x2x2x8xf32>
  }
  func.func private @softplus_10(%arg0: tensor<4x2x2x8xf32>, %arg1: tensor<4x2x2x8xf32>) -> tensor<4x2x2x8xf32> {
    %0 = stablehlo.multiply %arg1, %arg0 : tensor<4x2x2x8xf32>
    return %0 : tensor<4x2x2x8xf32>
  }
  func.func private @leaky_relu_11(%arg0: tensor<f32>, %arg1: tensor<4x4x4x4xi1>, %arg2: tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32> {
    %0:2 = call @_where_12(%arg1, %arg2) : (tensor<4x4x4x4xi1>, tensor<4x4x4x4xf32>) -> (tensor<4x4x4x4xf32>, tensor<4x4x4x4xf32>)
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<4x4x4x4xf32>
    %2 = stablehlo.multiply %1, %0#1 : tensor<4x4x4x4xf32>
    %3 = stablehlo.add %0#0, %2 : tensor<4x4x4x4xf32>
    return %3 : tensor<4x4x4x4xf32>
  }
  func.func private @_where_12(%arg0: tensor<4x4x4x4xi1>, %arg1: tensor<4x4x4x4xf32>) -> (tensor<4x4x4x4xf32>, tensor<4x4x4x4xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x4x4x4xf32>
    %1 = stablehlo.select %arg0, %0, %arg1 : tensor<4x4x4x4xi1>, tensor<4x4x4x4xf32>
    %2 = stablehlo.select %arg0, %arg1, %0 : tensor<4x4x4x4xi1>, tensor<4x4x4x4xf32>
    return %2, %1 : tensor<4x4x4x4xf32>, tensor<4x4x4x4xf32>
  }
  func.func private @leaky_relu_13(%arg0: tensor<4x1x4x4x4xi1>, %arg1: tensor<f32>, %arg2: tensor<4x1x4x4x4xf32>) -> tensor<4x1x4x4x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<4x1x4x4x4xf32>
    %1 = stablehlo.multiply %0, %arg2 : tensor<4x1x4x4x4xf32>
    %2 = call @_where_14(%arg0, %arg2, %1) : (tensor<4x1x4x4x4xi1>, tensor<4x1x4x4x4xf32>, tensor<4x1x4x4x4xf32>) -> tensor<4x1x4x4x4xf32>
    return %2 : tensor<4x1x4x4x4xf32>
  }
  func.func private @_where_14(%arg0: tensor<4x1x4x4x4xi1>, %arg1: tensor<4x1x4x4x4xf32>, %arg2: tensor<4x1x4x4x4xf32>) -> tensor<4x1x4x4x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x1x4x4x4xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<4x1x4x4x4xi1>, tensor<4x1x4x4x4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x1x4x4x4xf32>
    %3 = stablehlo.select %arg0, %2, %arg2 : tensor<4x1x4x4x4xi1>, tensor<4x1x4x4x4xf32>
    %4 = stablehlo.add %1, %3 : tensor<4x1x4x4x4xf32>
    return %4 : tensor<4x1x4x4x4xf32>
  }
  func.func private @softplus_15(%arg0: tensor<4x1x2x2x8xf32>, %arg1: tensor<1x1x2x2x8xf32>, %arg2: tensor<4x1x2x2x8xf32>) -> (tensor<4x1x2x2x8xf32>, tensor<1x2x2x8xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1, 2, 3, 4] : (tensor<1x1x2x2x8xf32>) -> tensor<4x1x2x2x8xf32>
    %1 = stablehlo.multiply %0, %arg2 : tensor<4x1x2x2x8xf32>
    %2 = stablehlo.multiply %arg2, %arg0 : tensor<4x1x2x2x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<4x1x2x2x8xf32>, tensor<f32>) -> tensor<1x2x2x8xf32>
    %4 = stablehlo.reshape %3 : (tensor<1x2x2x8xf32>) -> tensor<1x1x2x2x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%4 init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x2x2x8xf32>, tensor<f32>) -> tensor<2x2x8xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [1, 2, 3] : (tensor<2x2x8xf32>) -> tensor<1x2x2x8xf32>
    return %1, %6 : tensor<4x1x2x2x8xf32>, tensor<1x2x2x8xf32>
  }
  func.func private @softplus_16(%arg0: tensor<4x1x2x2x8xf32>, %arg1: tensor<4x1x2x2x8xi1>, %arg2: tensor<4x1x2x2x8xi1>, %arg3: tensor<4x1x2x2x8xf32>, %arg4: tensor<4x1x2x2x8xf32>) -> tensor<4x1x2x2x8xf32> {
    %0 = stablehlo.multiply %arg4, %arg3 : tensor<4x1x2x2x8xf32>
    %1 = stablehlo.negate %0 : tensor<4x1x2x2x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x1x2x2x8xf32>
    %3 = stablehlo.select %arg2, %2, %1 : tensor<4x1x2x2x8xi1>, tensor<4x1x2x2x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x1x2x2x8xf32>
    %5 = stablehlo.select %arg1, %4, %0 : tensor<4x1x2x2x8xi1>, tensor<4x1x2x2x8xf32>
    %6 = stablehlo.multiply %3, %arg0 : tensor<4x1x2x2x8xf32>
    %7 = stablehlo.add %5, %6 : tensor<4x1x2x2x8xf32>
    return %7 : tensor<4x1x2x2x8xf32>
  }
  func.func private @leaky_relu_17(%arg0: tensor<f32>, %arg1: tensor<4x1x4x4x4xi1>, %arg2: tensor<4x1x4x4x4xf32>) -> tensor<4x1x4x4x4xf32> {
    %0:2 = call @_where_18(%arg1, %arg2) : (tensor<4x1x4x4x4xi1>, tensor<4x1x4x4x4xf32>) -> (tensor<4x1x4x4x4xf32>, tensor<4x1x4x4x4xf32>)
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<4x1x4x4x4xf32>
    %2 = stablehlo.multiply %1, %0#1 : tensor<4x1x4x4x4xf32>
    %3 = stablehlo.add %0#0, %2 : tensor<4x1x4x4x4xf32>
    return %3 : tensor<4x1x4x4x4xf32>
  }
  func.func private @_where_18(%arg0: tensor<4x1x4x4x4xi1>, %arg1: tensor<4x1x4x4x4xf32>) -> (tensor<4x1x4x4x4xf32>, tensor<4x1x4x4x4xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x1x4x4x4xf32>
    %1 = stablehlo.select %arg0, %0, %arg1 : tensor<4x1x4x4x4xi1>, tensor<4x1x4x4x4xf32>
    %2 = stablehlo.select %arg0, %arg1, %0 : tensor<4x1x4x4x4xi1>, tensor<4x1x4x4x4xf32>
    return %2, %1 : tensor<4x1x4x4x4xf32>, tensor<4x1x4x4x4xf32>
  }
}
