module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x4x4x4xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<4x3x4x4xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<4x3x4x4xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<8x4x4x4xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<6x32xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<32x12xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<4x3x8x8xf32>, %arg7: tensor<2xui32>) -> (tensor<8x4x4x4xf32> {jax.result_info = "result[0]['d1']"}, tensor<4x3x4x4xf32> {jax.result_info = "result[0]['d2']"}, tensor<4x3x4x4xf32> {jax.result_info = "result[0]['e1']"}, tensor<8x4x4x4xf32> {jax.result_info = "result[0]['e2']"}, tensor<6x32xf32> {jax.result_info = "result[0]['v']"}, tensor<32x12xf32> {jax.result_info = "result[0]['w']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.convolution(%arg6, %arg2) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x3x8x8xf32>, tensor<4x3x4x4xf32>) -> tensor<4x4x4x4xf32>
    %1:3 = call @silu(%0) : (tensor<4x4x4x4xf32>) -> (tensor<4x4x4x4xf32>, tensor<4x4x4x4xf32>, tensor<4x4x4x4xf32>)
    %2 = stablehlo.convolution(%1#0, %arg3) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x4x4x4xf32>, tensor<8x4x4x4xf32>) -> tensor<4x8x2x2xf32>
    %3:3 = call @hard_silu(%2) : (tensor<4x8x2x2xf32>) -> (tensor<4x8x2x2xf32>, tensor<4x8x2x2xi1>, tensor<4x8x2x2xf32>)
    %4 = stablehlo.reshape %3#0 : (tensor<4x8x2x2xf32>) -> tensor<4x32xf32>
    %5 = stablehlo.dot_general %4, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x32xf32>, tensor<32x12xf32>) -> tensor<4x12xf32>
    %6 = stablehlo.slice %5 [0:4, 0:6] : (tensor<4x12xf32>) -> tensor<4x6xf32>
    %7 = stablehlo.slice %5 [0:4, 6:12] : (tensor<4x12xf32>) -> tensor<4x6xf32>
    %8 = call @_normal(%arg7) : (tensor<2xui32>) -> tensor<4x6xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %10 = stablehlo.multiply %9, %7 : tensor<4x6xf32>
    %11 = stablehlo.exponential %10 : tensor<4x6xf32>
    %12 = stablehlo.multiply %11, %8 : tensor<4x6xf32>
    %13 = stablehlo.add %6, %12 : tensor<4x6xf32>
    %14 = stablehlo.dot_general %13, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6xf32>, tensor<6x32xf32>) -> tensor<4x32xf32>
    %15 = call @relu6_0(%14) : (tensor<4x32xf32>) -> tensor<4x32xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x32xf32>
    %17 = stablehlo.compare GT, %14, %16, FLOAT : (tensor<4x32xf32>, tensor<4x32xf32>) -> tensor<4x32xi1>
    %cst_1 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x32xf32>
    %19 = stablehlo.compare LT, %14, %18, FLOAT : (tensor<4x32xf32>, tensor<4x32xf32>) -> tensor<4x32xi1>
    %20 = stablehlo.and %17, %19 : tensor<4x32xi1>
    %21 = stablehlo.reshape %15 : (tensor<4x32xf32>) -> tensor<4x8x2x2xf32>
    %22 = stablehlo.reverse %arg0, dims = [2] : tensor<8x4x4x4xf32>
    %23 = stablehlo.reverse %22, dims = [3] : tensor<8x4x4x4xf32>
    %24 = stablehlo.transpose %23, dims = [1, 0, 2, 3] : (tensor<8x4x4x4xf32>) -> tensor<4x8x4x4xf32>
    %25 = stablehlo.convolution(%21, %24) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[2, 2], [2, 2]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x2x2xf32>, tensor<4x8x4x4xf32>) -> tensor<4x4x4x4xf32>
    %26:5 = call @selu(%25) : (tensor<4x4x4x4xf32>) -> (tensor<4x4x4x4xf32>, tensor<4x4x4x4xi1>, tensor<4x4x4x4xf32>, tensor<f32>, tensor<4x4x4x4xi1>)
    %27 = stablehlo.reverse %arg1, dims = [2] : tensor<4x3x4x4xf32>
    %28 = stablehlo.reverse %27, dims = [3] : tensor<4x3x4x4xf32>
    %29 = stablehlo.transpose %28, dims = [1, 0, 2, 3] : (tensor<4x3x4x4xf32>) -> tensor<3x4x4x4xf32>
    %30 = stablehlo.convolution(%26#0, %29) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[2, 2], [2, 2]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x4x4x4xf32>, tensor<3x4x4x4xf32>) -> tensor<4x3x8x8xf32>
    %31 = stablehlo.negate %30 : tensor<4x3x8x8xf32>
    %32 = stablehlo.exponential %31 : tensor<4x3x8x8xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x3x8x8xf32>
    %34 = stablehlo.add %33, %32 : tensor<4x3x8x8xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x3x8x8xf32>
    %36 = stablehlo.divide %35, %34 : tensor<4x3x8x8xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x3x8x8xf32>
    %38 = stablehlo.subtract %37, %36 : tensor<4x3x8x8xf32>
    %39 = stablehlo.multiply %36, %38 : tensor<4x3x8x8xf32>
    %cst_5 = stablehlo.constant dense<1.000000e-07> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x3x8x8xf32>
    %41 = stablehlo.add %36, %40 : tensor<4x3x8x8xf32>
    %42 = stablehlo.log %41 : tensor<4x3x8x8xf32>
    %43 = stablehlo.multiply %arg6, %42 : tensor<4x3x8x8xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x3x8x8xf32>
    %45 = stablehlo.subtract %44, %arg6 : tensor<4x3x8x8xf32>
    %46 = stablehlo.negate %36 : tensor<4x3x8x8xf32>
    %cst_7 = stablehlo.constant dense<1.000000e-07> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x3x8x8xf32>
    %48 = stablehlo.add %46, %47 : tensor<4x3x8x8xf32>
    %49 = stablehlo.log_plus_one %48 : tensor<4x3x8x8xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x3x8x8xf32>
    %51 = stablehlo.add %48, %50 : tensor<4x3x8x8xf32>
    %52 = stablehlo.multiply %45, %49 : tensor<4x3x8x8xf32>
    %53 = stablehlo.add %43, %52 : tensor<4x3x8x8xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %54 = stablehlo.reduce(%53 init: %cst_9) applies stablehlo.add across dimensions = [1, 2, 3] : (tensor<4x3x8x8xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %55 = stablehlo.reduce(%54 init: %cst_10) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %cst_11 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %56 = stablehlo.divide %55, %cst_11 : tensor<f32>
    %57 = stablehlo.negate %56 : tensor<f32>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %59 = stablehlo.add %58, %7 : tensor<4x6xf32>
    %60 = stablehlo.multiply %6, %6 : tensor<4x6xf32>
    %cst_13 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %62 = stablehlo.multiply %61, %6 : tensor<4x6xf32>
    %63 = stablehlo.subtract %59, %60 : tensor<4x6xf32>
    %64 = stablehlo.exponential %7 : tensor<4x6xf32>
    %65 = stablehlo.subtract %63, %64 : tensor<4x6xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %66 = stablehlo.reduce(%65 init: %cst_14) applies stablehlo.add across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %67 = stablehlo.reduce(%66 init: %cst_15) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %cst_16 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %68 = stablehlo.divide %67, %cst_16 : tensor<f32>
    %cst_17 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %69 = stablehlo.multiply %cst_17, %68 : tensor<f32>
    %70 = stablehlo.subtract %57, %69 : tensor<f32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %71 = stablehlo.negate %cst_18 : tensor<f32>
    %cst_19 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %72 = stablehlo.multiply %cst_19, %71 : tensor<f32>
    %cst_20 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %73 = stablehlo.divide %72, %cst_20 : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %73, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %75 = stablehlo.broadcast_in_dim %74, dims = [0] : (tensor<4xf32>) -> tensor<4x6xf32>
    %76 = stablehlo.negate %75 : tensor<4x6xf32>
    %77 = stablehlo.multiply %76, %64 : tensor<4x6xf32>
    %78 = stablehlo.negate %75 : tensor<4x6xf32>
    %79 = stablehlo.add %77, %75 : tensor<4x6xf32>
    %80 = stablehlo.multiply %78, %62 : tensor<4x6xf32>
    %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %81 = stablehlo.negate %cst_21 : tensor<f32>
    %cst_22 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %82 = stablehlo.divide %81, %cst_22 : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %82, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %84 = stablehlo.broadcast_in_dim %83, dims = [0] : (tensor<4xf32>) -> tensor<4x3x8x8xf32>
    %85 = stablehlo.multiply %45, %84 : tensor<4x3x8x8xf32>
    %86 = stablehlo.divide %85, %51 : tensor<4x3x8x8xf32>
    %87 = stablehlo.negate %86 : tensor<4x3x8x8xf32>
    %88 = stablehlo.multiply %arg6, %84 : tensor<4x3x8x8xf32>
    %89 = stablehlo.divide %88, %41 : tensor<4x3x8x8xf32>
    %90 = stablehlo.add %87, %89 : tensor<4x3x8x8xf32>
    %91 = stablehlo.multiply %90, %39 : tensor<4x3x8x8xf32>
    %92 = stablehlo.convolution(%26#0, %91) dim_numbers = [f, b, 0, 1]x[i, o, 0, 1]->[f, b, 0, 1], window = {stride = [1, 1], pad = [[2, 2], [2, 2]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x4x4x4xf32>, tensor<4x3x8x8xf32>) -> tensor<3x4x4x4xf32>
    %93 = stablehlo.reverse %29, dims = [2, 3] : tensor<3x4x4x4xf32>
    %94 = stablehlo.convolution(%91, %93) dim_numbers = [b, f, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x3x8x8xf32>, tensor<3x4x4x4xf32>) -> tensor<4x4x4x4xf32>
    %95 = stablehlo.transpose %92, dims = [1, 0, 2, 3] : (tensor<3x4x4x4xf32>) -> tensor<4x3x4x4xf32>
    %96 = stablehlo.reverse %95, dims = [3] : tensor<4x3x4x4xf32>
    %97 = stablehlo.reverse %96, dims = [2] : tensor<4x3x4x4xf32>
    %98 = call @selu_2(%26#1, %26#2, %26#3, %26#4, %94) : (tensor<4x4x4x4xi1>, tensor<4x4x4x4xf32>, tensor<f32>, tensor<4x4x4x4xi1>, tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
    %99 = stablehlo.convolution(%21, %98) dim_numbers = [f, b, 0, 1]x[i, o, 0, 1]->[f, b, 0, 1], window = {stride = [1, 1], pad = [[2, 2], [2, 2]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x2x2xf32>, tensor<4x4x4x4xf32>) -> tensor<4x8x4x4xf32>
    %100 = stablehlo.reverse %24, dims = [2, 3] : tensor<4x8x4x4xf32>
    %101 = stablehlo.convolution(%98, %100) dim_numbers = [b, f, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x4x4x4xf32>, tensor<4x8x4x4xf32>) -> tensor<4x8x2x2xf32>
    %102 = stablehlo.transpose %99, dims = [1, 0, 2, 3] : (tensor<4x8x4x4xf32>) -> tensor<8x4x4x4xf32>
    %103 = stablehlo.reverse %102, dims = [3] : tensor<8x4x4x4xf32>
    %104 = stablehlo.reverse %103, dims = [2] : tensor<8x4x4x4xf32>
    %105 = stablehlo.reshape %101 : (tensor<4x8x2x2xf32>) -> tensor<4x32xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %106 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<4x32xf32>
    %107 = stablehlo.select %20, %105, %106 : tensor<4x32xi1>, tensor<4x32xf32>
    %108 = stablehlo.dot_general %107, %13, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x32xf32>, tensor<4x6xf32>) -> tensor<32x6xf32>
    %109 = stablehlo.transpose %108, dims = [1, 0] : (tensor<32x6xf32>) -> tensor<6x32xf32>
    %110 = stablehlo.dot_general %107, %arg4, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x32xf32>, tensor<6x32xf32>) -> tensor<4x6xf32>
    %111 = stablehlo.add %80, %110 : tensor<4x6xf32>
    %112 = stablehlo.multiply %110, %8 : tensor<4x6xf32>
    %113 = stablehlo.multiply %112, %11 : tensor<4x6xf32>
    %cst_24 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %114 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %115 = stablehlo.multiply %114, %113 : tensor<4x6xf32>
    %116 = stablehlo.add %79, %115 : tensor<4x6xf32>
    %117 = stablehlo.concatenate %111, %116, dim = 1 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x12xf32>
    %118 = stablehlo.dot_general %117, %4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x12xf32>, tensor<4x32xf32>) -> tensor<12x32xf32>
    %119 = stablehlo.transpose %118, dims = [1, 0] : (tensor<12x32xf32>) -> tensor<32x12xf32>
    %120 = stablehlo.dot_general %117, %arg5, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x12xf32>, tensor<32x12xf32>) -> tensor<4x32xf32>
    %121 = stablehlo.reshape %120 : (tensor<4x32xf32>) -> tensor<4x8x2x2xf32>
    %122 = call @hard_silu_6(%3#1, %3#2, %2, %121) : (tensor<4x8x2x2xi1>, tensor<4x8x2x2xf32>, tensor<4x8x2x2xf32>, tensor<4x8x2x2xf32>) -> tensor<4x8x2x2xf32>
    %123 = stablehlo.convolution(%1#0, %122) dim_numbers = [f, b, 0, 1]x[i, o, 0, 1]->[f, b, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x4x4x4xf32>, tensor<4x8x2x2xf32>) -> tensor<8x4x4x4xf32>
    %124 = stablehlo.reverse %arg3, dims = [2, 3] : tensor<8x4x4x4xf32>
    %125 = stablehlo.convolution(%122, %124) dim_numbers = [b, f, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[2, 2], [2, 2]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x2x2xf32>, tensor<8x4x4x4xf32>) -> tensor<4x4x4x4xf32>
    %126 = call @silu_8(%1#1, %1#2, %0, %125) : (tensor<4x4x4x4xf32>, tensor<4x4x4x4xf32>, tensor<4x4x4x4xf32>, tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
    %127 = stablehlo.convolution(%arg6, %126) dim_numbers = [f, b, 0, 1]x[i, o, 0, 1]->[f, b, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x3x8x8xf32>, tensor<4x4x4x4xf32>) -> tensor<4x3x4x4xf32>
    %cst_25 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %128 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<8x4x4x4xf32>
    %129 = stablehlo.multiply %128, %104 : tensor<8x4x4x4xf32>
    %130 = stablehlo.subtract %arg0, %129 : tensor<8x4x4x4xf32>
    %cst_26 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %131 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<4x3x4x4xf32>
    %132 = stablehlo.multiply %131, %97 : tensor<4x3x4x4xf32>
    %133 = stablehlo.subtract %arg1, %132 : tensor<4x3x4x4xf32>
    %cst_27 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %134 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<4x3x4x4xf32>
    %135 = stablehlo.multiply %134, %127 : tensor<4x3x4x4xf32>
    %136 = stablehlo.subtract %arg2, %135 : tensor<4x3x4x4xf32>
    %cst_28 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %137 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<8x4x4x4xf32>
    %138 = stablehlo.multiply %137, %123 : tensor<8x4x4x4xf32>
    %139 = stablehlo.subtract %arg3, %138 : tensor<8x4x4x4xf32>
    %cst_29 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %140 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<6x32xf32>
    %141 = stablehlo.multiply %140, %109 : tensor<6x32xf32>
    %142 = stablehlo.subtract %arg4, %141 : tensor<6x32xf32>
    %cst_30 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %143 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<32x12xf32>
    %144 = stablehlo.multiply %143, %119 : tensor<32x12xf32>
    %145 = stablehlo.subtract %arg5, %144 : tensor<32x12xf32>
    return %130, %133, %136, %139, %142, %145, %70 : tensor<8x4x4x4xf32>, tensor<4x3x4x4xf32>, tensor<4x3x4x4xf32>, tensor<8x4x4x4xf32>, tensor<6x32xf32>, tensor<32x12xf32>, tensor<f32>
  }
  func.func private @silu(%arg0: tensor<4x4x4x4xf32>) -> (tensor<4x4x4x4xf32>, tensor<4x4x4x4xf32>, tensor<4x4x4x4xf32>) {
    %0 = stablehlo.negate %arg0 : tensor<4x4x4x4xf32>
    %1 = stablehlo.exponential %0 : tensor<4x4x4x4xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x4x4x4xf32>
    %3 = stablehlo.add %2, %1 : tensor<4x4x4x4xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x4x4x4xf32>
    %5 = stablehlo.divide %4, %3 : tensor<4x4x4x4xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x4x4x4xf32>
    %7 = stablehlo.subtract %6, %5 : tensor<4x4x4x4xf32>
    %8 = stablehlo.multiply %5, %7 : tensor<4x4x4x4xf32>
    %9 = stablehlo.multiply %arg0, %5 : tensor<4x4x4x4xf32>
    return %9, %8, %5 : tensor<4x4x4x4xf32>, tensor<4x4x4x4xf32>, tensor<4x4x4x4xf32>
  }
  func.func private @hard_silu(%arg0: tensor<4x8x2x2xf32>) -> (tensor<4x8x2x2xf32>, tensor<4x8x2x2xi1>, tensor<4x8x2x2xf32>) {
    %0:2 = call @hard_sigmoid(%arg0) : (tensor<4x8x2x2xf32>) -> (tensor<4x8x2x2xf32>, tensor<4x8x2x2xi1>)
    %1 = stablehlo.multiply %arg0, %0#0 : tensor<4x8x2x2xf32>
    return %1, %0#1, %0#0 : tensor<4x8x2x2xf32>, tensor<4x8x2x2xi1>, tensor<4x8x2x2xf32>
  }
  func.func private @hard_sigmoid(%arg0: tensor<4x8x2x2xf32>) -> (tensor<4x8x2x2xf32>, tensor<4x8x2x2xi1>) {
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x2x2xf32>
    %1 = stablehlo.add %arg0, %0 : tensor<4x8x2x2xf32>
    %2 = call @relu6(%1) : (tensor<4x8x2x2xf32>) -> tensor<4x8x2x2xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x8x2x2xf32>
    %4 = stablehlo.compare GT, %1, %3, FLOAT : (tensor<4x8x2x2xf32>, tensor<4x8x2x2xf32>) -> tensor<4x8x2x2xi1>
    %cst_1 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x8x2x2xf32>
    %6 = stablehlo.compare LT, %1, %5, FLOAT : (tensor<4x8x2x2xf32>, tensor<4x8x2x2xf32>) -> tensor<4x8x2x2xi1>
    %7 = stablehlo.and %4, %6 : tensor<4x8x2x2xi1>
    %cst_2 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x8x2x2xf32>
    %9 = stablehlo.divide %2, %8 : tensor<4x8x2x2xf32>
    return %9, %7 : tensor<4x8x2x2xf32>, tensor<4x8x2x2xi1>
  }
  func.func private @relu6(%arg0: tensor<4x8x2x2xf32>) -> tensor<4x8x2x2xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x2x2xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<4x8x2x2xf32>
    %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x8x2x2xf32>
    %3 = stablehlo.minimum %1, %2 : tensor<4x8x2x2xf32>
    return %3 : tensor<4x8x2x2xf32>
  }
  func.func private @_normal(%arg0: tensor<2xui32>) -> tensor<4x6xf32> {
    %0 = call @_normal_real(%arg0) : (tensor<2xui32>) -> tensor<4x6xf32>
    return %0 : tensor<4x6xf32>
  }
  func.func private @_normal_real(%arg0: tensor<2xui32>) -> tensor<4x6xf32> {
    %cst = stablehlo.constant dense<-0.99999994> : tensor<f32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = call @_uniform(%arg0, %cst, %cst_0) : (tensor<2xui32>, tensor<f32>, tensor<f32>) -> tensor<4x6xf32>
    %1 = chlo.erf_inv %0 : tensor<4x6xf32> -> tensor<4x6xf32>
    %cst_1 = stablehlo.constant dense<1.41421354> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %3 = stablehlo.multiply %2, %1 : tensor<4x6xf32>
    return %3 : tensor<4x6xf32>
  }
  func.func private @_uniform(%arg0: tensor<2xui32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<4x6xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %2 = stablehlo.slice %arg0 [0:1] : (tensor<2xui32>) -> tensor<1xui32>
    %3 = stablehlo.reshape %2 : (tensor<1xui32>) -> tensor<ui32>
    %4 = stablehlo.slice %arg0 [1:2] : (tensor<2xui32>) -> tensor<1xui32>
    %5 = stablehlo.reshape %4 : (tensor<1xui32>) -> tensor<ui32>
    %6 = stablehlo.iota dim = 0 : tensor<4x6xui64>
    %7 = stablehlo.iota dim = 1 : tensor<4x6xui64>
    %c = stablehlo.constant dense<6> : tensor<ui64>
    %8 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui64>) -> tensor<4x6xui64>
    %9 = stablehlo.multiply %8, %6 : tensor<4x6xui64>
    %c_0 = stablehlo.constant dense<1> : tensor<ui64>
    %10 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui64>) -> tensor<4x6xui64>
    %11 = stablehlo.multiply %10, %7 : tensor<4x6xui64>
    %12 = stablehlo.add %9, %11 : tensor<4x6xui64>
    %c_1 = stablehlo.constant dense<32> : tensor<ui64>
    %13 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<ui64>) -> tensor<4x6xui64>
    %14 = stablehlo.shift_right_logical %12, %13 : tensor<4x6xui64>
    %15 = stablehlo.convert %12 : (tensor<4x6xui64>) -> tensor<4x6xui32>
    %16 = stablehlo.convert %14 : (tensor<4x6xui64>) -> tensor<4x6xui32>
    %17:2 = call @threefry2x32(%3, %5, %16, %15) : (tensor<ui32>, tensor<ui32>, tensor<4x6xui32>, tensor<4x6xui32>) -> (tensor<4x6xui32>, tensor<4x6xui32>)
    %18 = stablehlo.xor %17#0, %17#1 : tensor<4x6xui32>
    %c_2 = stablehlo.constant dense<9> : tensor<ui32>
    %19 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
    %20 = stablehlo.shift_right_logical %18, %19 : tensor<4x6xui32>
    %c_3 = stablehlo.constant dense<1065353216> : tensor<ui32>
    %21 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
    %22 = stablehlo.or %20, %21 : tensor<4x6xui32>
    %23 = stablehlo.bitcast_convert %22 : (tensor<4x6xui32>) -> tensor<4x6xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %25 = stablehlo.subtract %23, %24 : tensor<4x6xf32>
    %26 = stablehlo.subtract %1, %0 : tensor<1x1xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<4x6xf32>
    %28 = stablehlo.multiply %25, %27 : tensor<4x6xf32>
    %29 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<4x6xf32>
    %30 = stablehlo.add %28, %29 : tensor<4x6xf32>
    %31 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<4x6xf32>
    %32 = stablehlo.maximum %31, %30 : tensor<4x6xf32>
    return %32 : tensor<4x6xf32>
  }
  func.func private @threefry2x32(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<4x6xui32>, %arg3: tensor<4x6xui32>) -> (tensor<4x6xui32>, tensor<4x6xui32>) {
    %c = stablehlo.constant dense<[13, 15, 26, 6]> : tensor<4xui32>
    %c_0 = stablehlo.constant dense<[17, 29, 16, 24]> : tensor<4xui32>
    %0 = stablehlo.xor %arg0, %arg1 : tensor<ui32>
    %c_1 = stablehlo.constant dense<466688986> : tensor<ui32>
    %1 = stablehlo.xor %0, %c_1 : tensor<ui32>
    %2 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
    %3 = stablehlo.add %arg2, %2 : tensor<4x6xui32>
    %4 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
    %5 = stablehlo.add %arg3, %4 : tensor<4x6xui32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %6:9 = stablehlo.while(%iterArg = %c_3, %iterArg_4 = %c_2, %iterArg_5 = %3, %iterArg_6 = %5, %iterArg_7 = %arg1, %iterArg_8 = %1, %iterArg_9 = %arg0, %iterArg_10 = %c, %iterArg_11 = %c_0) : tensor<i32>, tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
    cond {
      %c_12 = stablehlo.constant dense<5> : tensor<i32>
      %7 = stablehlo.compare LT, %iterArg, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %7 : tensor<i1>
    } do {
      %7:8 = func.call @closed_call(%iterArg_4, %iterArg_5, %iterArg_6, %iterArg_7, %iterArg_8, %iterArg_9, %iterArg_10, %iterArg_11) : (tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
      %c_12 = stablehlo.constant dense<1> : tensor<i32>
      %8 = stablehlo.add %iterArg, %c_12 : tensor<i32>
      stablehlo.return %8, %7#0, %7#1, %7#2, %7#3, %7#4, %7#5, %7#6, %7#7 : tensor<i32>, tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
    }
    return %6#2, %6#3 : tensor<4x6xui32>, tensor<4x6xui32>
  }
  func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<4x6xui32>, %arg2: tensor<4x6xui32>, %arg3: tensor<ui32>, %arg4: tensor<ui32>, %arg5: tensor<ui32>, %arg6: tensor<4xui32>, %arg7: tensor<4xui32>) -> (tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg0, %c : tensor<i32>
    %1 = stablehlo.slice %arg6 [0:1] : (tensor<4xui32>) -> tensor<1xui32>
    %2 = stablehlo.reshape %1 : (tensor<1xui32>) -> tensor<ui32>
    %3 = stablehlo.add %arg1, %arg2 : tensor<4x6xui32>
    %4 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
    %5 = stablehlo.shift_left %arg2, %4 : tensor<4x6xui32>
    %c_0 = stablehlo.constant dense<32> : tensor<ui32>
    %6 = stablehlo.subtract %c_0, %2 : tensor<ui32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
    %8 = stablehlo.shift_right_logical %arg2, %7 : tensor<4x6xui32>
    %9 = stablehlo.or %5, %8 : tensor<4x6xui32>
    %10 = stablehlo.xor %3, %9 : tensor<4x6xui32>
    %11 = stablehlo.slice %arg6 [1:2] : (tensor<4xui32>) -> tensor<1xui32>
    %12 = stablehlo.reshape %11 : (tensor<1xui32>) -> tensor<ui32>
    %13 = stablehlo.add %3, %10 : tensor<4x6xui32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
    %15 = stablehlo.shift_left %10, %14 : tensor<4x6xui32>
    %c_1 = stablehlo.constant dense<32> : tensor<ui32>
    %16 = stablehlo.subtract %c_1, %12 : tensor<ui32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
    %18 = stablehlo.shift_right_logical %10, %17 : tensor<4x6xui32>
    %19 = stablehlo.or %15, %18 : tensor<4x6xui32>
    %20 = stablehlo.xor %13, %19 : tensor<4x6xui32>
    %21 = stablehlo.slice %arg6 [2:3] : (tensor<4xui32>) -> tensor<1xui32>
    %22 = stablehlo.reshape %21 : (tensor<1xui32>) -> tensor<ui32>
    %23 = stablehlo.add %13, %20 : tensor<4x6xui32>
    %24 = stablehlo.broadcast_in_dim %22, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
    %25 = stablehlo.shift_left %20, %24 : tensor<4x6xui32>
    %c_2 = stablehlo.constant dense<32> : tensor<ui32>
    %26 = stablehlo.subtract %c_2, %22 : tensor<ui32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
    %28 = stablehlo.shift_right_logical %20, %27 : tensor<4x6xui32>
    %29 = stablehlo.or %25, %28 : tensor<4x6xui32>
    %30 = stablehlo.xor %23, %29 : tensor<4x6xui32>
    %31 = stablehlo.slice %arg6 [3:4] : (tensor<4xui32>) -> tensor<1xui32>
    %32 = stablehlo.reshape %31 : (tensor<1xui32>) -> tensor<ui32>
    %33 = stablehlo.add %23, %30 : tensor<4x6xui32>
    %34 = stablehlo.broadcast_in_dim %32, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
    %35 = stablehlo.shift_left %30, %34 : tensor<4x6xui32>
    %c_3 = stablehlo.constant dense<32> : tensor<ui32>
    %36 = stablehlo.subtract %c_3, %32 : tensor<ui32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
    %38 = stablehlo.shift_right_logical %30, %37 : tensor<4x6xui32>
    %39 = stablehlo.or %35, %38 : tensor<4x6xui32>
    %40 = stablehlo.xor %33, %39 : tensor<4x6xui32>
    %41 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
    %42 = stablehlo.add %33, %41 : tensor<4x6xui32>
    %43 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
    %44 = stablehlo.add %40, %43 : tensor<4x6xui32>
    %c_4 = stablehlo.constant dense<1> : tensor<i32>
    %45 = stablehlo.add %arg0, %c_4 : tensor<i32>
    %46 = stablehlo.convert %45 : (tensor<i32>) -> tensor<ui32>
    %47 = stablehlo.broadcast_in_dim %46, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
    %48 = stablehlo.add %44, %47 : tensor<4x6xui32>
    return %0, %42, %48, %arg4, %arg5, %arg3, %arg7, %arg6 : tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
  }
  func.func private @relu6_0(%arg0: tensor<4x32xf32>) -> tensor<4x32xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x32xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<4x32xf32>
    %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x32xf32>
    %3 = stablehlo.minimum %1, %2 : tensor<4x32xf32>
    return %3 : tensor<4x32xf32>
  }
  func.func private @selu(%arg0: tensor<4x4x4x4xf32>) -> (tensor<4x4x4x4xf32>, tensor<4x4x4x4xi1>, tensor<4x4x4x4xf32>, tensor<f32>, tensor<4x4x4x4xi1>) {
    %cst = stablehlo.constant dense<1.67326319> : tensor<f32>
    %0:5 = call @elu(%arg0, %cst) : (tensor<4x4x4x4xf32>, tensor<f32>) -> (tensor<4x4x4x4xf32>, tensor<4x4x4x4xi1>, tensor<4x4x4x4xf32>, tensor<f32>, tensor<4x4x4x4xi1>)
    %cst_0 = stablehlo.constant dense<1.05070102> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x4x4x4xf32>
    %2 = stablehlo.multiply %1, %0#0 : tensor<4x4x4x4xf32>
    return %2, %0#1, %0#2, %0#3, %0#4 : tensor<4x4x4x4xf32>, tensor<4x4x4x4xi1>, tensor<4x4x4x4xf32>, tensor<f32>, tensor<4x4x4x4xi1>
  }
  func.func private @elu(%arg0: tensor<4x4x4x4xf32>, %arg1: tensor<f32>) -> (tensor<4x4x4x4xf32>, tensor<4x4x4x4xi1>, tensor<4x4x4x4xf32>, tensor<f32>, tensor<4x4x4x4xi1>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x4x4x4xf32>
    %1 = stablehlo.compare GT, %arg0, %0, FLOAT : (tensor<4x4x4x4xf32>, tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xi1>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x4x4x4xf32>
    %3 = stablehlo.compare GT, %arg0, %2, FLOAT : (tensor<4x4x4x4xf32>, tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = call @_where(%3, %cst_1, %arg0) : (tensor<4x4x4x4xi1>, tensor<f32>, tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
    %5 = stablehlo.exponential_minus_one %4 : tensor<4x4x4x4xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x4x4x4xf32>
    %7 = stablehlo.add %5, %6 : tensor<4x4x4x4xf32>
    %8 = stablehlo.convert %arg1 : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<4x4x4x4xf32>
    %10 = stablehlo.multiply %9, %5 : tensor<4x4x4x4xf32>
    %11 = call @_where_1(%1, %arg0, %10) : (tensor<4x4x4x4xi1>, tensor<4x4x4x4xf32>, tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
    return %11, %3, %7, %8, %1 : tensor<4x4x4x4xf32>, tensor<4x4x4x4xi1>, tensor<4x4x4x4xf32>, tensor<f32>, tensor<4x4x4x4xi1>
  }
  func.func private @_where(%arg0: tensor<4x4x4x4xi1>, %arg1: tensor<f32>, %arg2: tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x4x4x4xf32>
    %2 = stablehlo.select %arg0, %1, %arg2 : tensor<4x4x4x4xi1>, tensor<4x4x4x4xf32>
    return %2 : tensor<4x4x4x4xf32>
  }
  func.func private @_where_1(%arg0: tensor<4x4x4x4xi1>, %arg1: tensor<4x4x4x4xf32>, %arg2: tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<4x4x4x4xi1>, tensor<4x4x4x4xf32>
    return %0 : tensor<4x4x4x4xf32>
  }
  func.func private @selu_2(%arg0: tensor<4x4x4x4xi1>, %arg1: tensor<4x4x4x4xf32>, %arg2: tensor<f32>, %arg3: tensor<4x4x4x4xi1>, %arg4: tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32> {
    %cst = stablehlo.constant dense<1.05070102> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x4x4x4xf32>
    %1 = stablehlo.multiply %0, %arg4 : tensor<4x4x4x4xf32>
    %2 = call @elu_3(%arg0, %arg1, %arg2, %arg3, %1) : (tensor<4x4x4x4xi1>, tensor<4x4x4x4xf32>, tensor<f32>, tensor<4x4x4x4xi1>, tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
    return %2 : tensor<4x4x4x4xf32>
  }
  func.func private @elu_3(%arg0: tensor<4x4x4x4xi1>, %arg1: tensor<4x4x4x4xf32>, %arg2: tensor<f32>, %arg3: tensor<4x4x4x4xi1>, %arg4: tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32> {
    %0:2 = call @_where_4(%arg3, %arg4) : (tensor<4x4x4x4xi1>, tensor<4x4x4x4xf32>) -> (tensor<4x4x4x4xf32>, tensor<4x4x4x4xf32>)
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<4x4x4x4xf32>
    %2 = stablehlo.multiply %1, %0#1 : tensor<4x4x4x4xf32>
    %3 = stablehlo.multiply %2, %arg1 : tensor<4x4x4x4xf32>
    %4 = call @_where_5(%arg0, %3) : (tensor<4x4x4x4xi1>, tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
    %5 = stablehlo.add %0#0, %4 : tensor<4x4x4x4xf32>
    return %5 : tensor<4x4x4x4xf32>
  }
  func.func private @_where_4(%arg0: tensor<4x4x4x4xi1>, %arg1: tensor<4x4x4x4xf32>) -> (tensor<4x4x4x4xf32>, tensor<4x4x4x4xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x4x4x4xf32>
    %1 = stablehlo.select %arg0, %0, %arg1 : tensor<4x4x4x4xi1>, tensor<4x4x4x4xf32>
    %2 = stablehlo.select %arg0, %arg1, %0 : tensor<4x4x4x4xi1>, tensor<4x4x4x4xf32>
    return %2, %1 : tensor<4x4x4x4xf32>, tensor<4x4x4x4xf32>
  }
  func.func private @_where_5(%arg0: tensor<4x4x4x4xi1>, %arg1: tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x4x4x4xf32>
    %1 = stablehlo.select %arg0, %0, %arg1 : tensor<4x4x4x4xi1>, tensor<4x4x4x4xf32>
    return %1 : tensor<4x4x4x4xf32>
  }
  func.func private @hard_silu_6(%arg0: tensor<4x8x2x2xi1>, %arg1: tensor<4x8x2x2xf32>, %arg2: tensor<4x8x2x2xf32>, %arg3: tensor<4x8x2x2xf32>) -> tensor<4x8x2x2xf32> {
    %0 = stablehlo.multiply %arg2, %arg3 : tensor<4x8x2x2xf32>
    %1 = stablehlo.multiply %arg3, %arg1 : tensor<4x8x2x2xf32>
    %2 = call @hard_sigmoid_7(%arg0, %0) : (tensor<4x8x2x2xi1>, tensor<4x8x2x2xf32>) -> tensor<4x8x2x2xf32>
    %3 = stablehlo.add %1, %2 : tensor<4x8x2x2xf32>
    return %3 : tensor<4x8x2x2xf32>
  }
  func.func private @hard_sigmoid_7(%arg0: tensor<4x8x2x2xi1>, %arg1: tensor<4x8x2x2xf32>) -> tensor<4x8x2x2xf32> {
    %cst = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x2x2xf32>
    %1 = stablehlo.divide %arg1, %0 : tensor<4x8x2x2xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x8x2x2xf32>
    %3 = stablehlo.select %arg0, %1, %2 : tensor<4x8x2x2xi1>, tensor<4x8x2x2xf32>
    return %3 : tensor<4x8x2x2xf32>
  }
  func.func private @silu_8(%arg0: tensor<4x4x4x4xf32>, %arg1: tensor<4x4x4x4xf32>, %arg2: tensor<4x4x4x4xf32>, %arg3: tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32> {
    %0 = stablehlo.multiply %arg2, %arg3 : tensor<4x4x4x4xf32>
    %1 = stablehlo.multiply %arg3, %arg1 : tensor<4x4x4x4xf32>
    %2 = stablehlo.multiply %0, %arg0 : tensor<4x4x4x4xf32>
    %3 = stablehlo.add %1, %2 : tensor<4x4x4x4xf32>
    return %3 : tensor<4x4x4x4xf32>
  }
}
