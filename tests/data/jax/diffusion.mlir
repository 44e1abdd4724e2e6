module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x3x4x8xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<8x16xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<3x3x4x4xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<3x3x4x4xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<1x1x4x4xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<16x4xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<3x3x3x4xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<3x3x12x4xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<3x3x4x4xf32> {tf.aliasing_output = 8 : i32}, %arg9: tensor<1x1x12x4xf32> {tf.aliasing_output = 9 : i32}, %arg10: tensor<16x4xf32> {tf.aliasing_output = 10 : i32}, %arg11: tensor<3x3x8x8xf32> {tf.aliasing_output = 11 : i32}, %arg12: tensor<3x3x8x8xf32> {tf.aliasing_output = 12 : i32}, %arg13: tensor<1x1x8x8xf32> {tf.aliasing_output = 13 : i32}, %arg14: tensor<16x8xf32> {tf.aliasing_output = 14 : i32}, %arg15: tensor<2x4x8xf32> {tf.aliasing_output = 15 : i32}, %arg16: tensor<3x3x4x3xf32> {tf.aliasing_output = 16 : i32}, %arg17: tensor<8x3x2x4xf32> {tf.aliasing_output = 17 : i32}, %arg18: tensor<4x8x8x3xf32>, %arg19: tensor<4x8x8x3xf32>, %arg20: tensor<4xi32>) -> (tensor<3x3x4x8xf32> {jax.result_info = "result[0]['down']"}, tensor<8x16xf32> {jax.result_info = "result[0]['embed']"}, tensor<3x3x4x4xf32> {jax.result_info = "result[0]['first']['c1']"}, tensor<3x3x4x4xf32> {jax.result_info = "result[0]['first']['c2']"}, tensor<1x1x4x4xf32> {jax.result_info = "result[0]['first']['skip']"}, tensor<16x4xf32> {jax.result_info = "result[0]['first']['time']"}, tensor<3x3x3x4xf32> {jax.result_info = "result[0]['in']"}, tensor<3x3x12x4xf32> {jax.result_info = "result[0]['last']['c1']"}, tensor<3x3x4x4xf32> {jax.result_info = "result[0]['last']['c2']"}, tensor<1x1x12x4xf32> {jax.result_info = "result[0]['last']['skip']"}, tensor<16x4xf32> {jax.result_info = "result[0]['last']['time']"}, tensor<3x3x8x8xf32> {jax.result_info = "result[0]['middle']['c1']"}, tensor<3x3x8x8xf32> {jax.result_info = "result[0]['middle']['c2']"}, tensor<1x1x8x8xf32> {jax.result_info = "result[0]['middle']['skip']"}, tensor<16x8xf32> {jax.result_info = "result[0]['middle']['time']"}, tensor<2x4x8xf32> {jax.result_info = "result[0]['out']"}, tensor<3x3x4x3xf32> {jax.result_info = "result[0]['out_conv']"}, tensor<8x3x2x4xf32> {jax.result_info = "result[0]['qkv']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %cst_0 = stablehlo.constant dense<2.000000e-02> : tensor<f32>
    %0 = call @_linspace(%cst, %cst_0) : (tensor<f32>, tensor<f32>) -> tensor<8xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %2 = stablehlo.subtract %1, %0 : tensor<8xf32>
    %3 = call @cumprod(%2) : (tensor<8xf32>) -> tensor<8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %5 = stablehlo.compare LT, %arg20, %4, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_2 = stablehlo.constant dense<8> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %7 = stablehlo.add %arg20, %6 : tensor<4xi32>
    %8 = stablehlo.select %5, %7, %arg20 : tensor<4xi1>, tensor<4xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %10 = "stablehlo.gather"(%3, %9) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<8xf32>, tensor<4x1xi32>) -> tensor<4xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<4xf32>) -> tensor<4x1x1x1xf32>
    %12 = stablehlo.broadcast_in_dim %arg20, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %13 = stablehlo.iota dim = 0 : tensor<4xi32>
    %14 = stablehlo.convert %13 : (tensor<4xi32>) -> tensor<4xf32>
    %cst_3 = stablehlo.constant dense<-9.21034049> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %16 = stablehlo.multiply %15, %14 : tensor<4xf32>
    %cst_4 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %18 = stablehlo.divide %16, %17 : tensor<4xf32>
    %19 = stablehlo.exponential %18 : tensor<4xf32>
    %20 = stablehlo.convert %12 : (tensor<4x1xi32>) -> tensor<4x1xf32>
    %21 = stablehlo.broadcast_in_dim %19, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %22 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x4xf32>
    %23 = stablehlo.broadcast_in_dim %21, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<4x4xf32>
    %24 = stablehlo.multiply %22, %23 : tensor<4x4xf32>
    %25 = stablehlo.sine %24 : tensor<4x4xf32>
    %26 = stablehlo.cosine %24 : tensor<4x4xf32>
    %27 = stablehlo.concatenate %25, %26, dim = 1 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x8xf32>
    %28 = stablehlo.dot_general %27, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
    %29:3 = call @silu(%28) : (tensor<4x16xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>)
    %30 = stablehlo.sqrt %11 : tensor<4x1x1x1xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2, 3] : (tensor<4x1x1x1xf32>) -> tensor<4x8x8x3xf32>
    %32 = stablehlo.multiply %31, %arg18 : tensor<4x8x8x3xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x1x1x1xf32>
    %34 = stablehlo.subtract %33, %11 : tensor<4x1x1x1xf32>
    %35 = stablehlo.sqrt %34 : tensor<4x1x1x1xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1, 2, 3] : (tensor<4x1x1x1xf32>) -> tensor<4x8x8x3xf32>
    %37 = stablehlo.multiply %36, %arg19 : tensor<4x8x8x3xf32>
    %38 = stablehlo.add %32, %37 : tensor<4x8x8x3xf32>
    %39 = stablehlo.convolution(%38, %arg6) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<4x8x8x4xf32>
    %40 = stablehlo.reshape %39 : (tensor<4x8x8x4xf32>) -> tensor<4x8x8x2x2xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %41 = stablehlo.reduce(%40 init: %cst_6) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x8x8x2x2xf32>, tensor<f32>) -> tensor<4x2xf32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0, 3] : (tensor<4x2xf32>) -> tensor<4x1x1x2x1xf32>
    %cst_7 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %44 = stablehlo.divide %42, %43 : tensor<4x1x1x2x1xf32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 2, 3, 4] : (tensor<4x1x1x2x1xf32>) -> tensor<4x8x8x2x2xf32>
    %46 = stablehlo.subtract %40, %45 : tensor<4x8x8x2x2xf32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %47:4 = call @_var(%40, %c_8) : (tensor<4x8x8x2x2xf32>, tensor<i32>) -> (tensor<4x1x1x2x1xf32>, tensor<4x8x8x2x2xf32>, tensor<f32>, tensor<i1>)
    %cst_9 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %49 = stablehlo.add %47#0, %48 : tensor<4x1x1x2x1xf32>
    %50 = stablehlo.rsqrt %49 : tensor<4x1x1x2x1xf32>
    %51 = stablehlo.divide %50, %49 : tensor<4x1x1x2x1xf32>
    %cst_10 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %53 = stablehlo.multiply %52, %51 : tensor<4x1x1x2x1xf32>
    %54 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2, 3, 4] : (tensor<4x1x1x2x1xf32>) -> tensor<4x8x8x2x2xf32>
    %55 = stablehlo.multiply %46, %54 : tensor<4x8x8x2x2xf32>
    %56 = stablehlo.reshape %55 : (tensor<4x8x8x2x2xf32>) -> tensor<4x8x8x4xf32>
    %57:3 = call @silu_1(%56) : (tensor<4x8x8x4xf32>) -> (tensor<4x8x8x4xf32>, tensor<4x8x8x4xf32>, tensor<4x8x8x4xf32>)
    %58 = stablehlo.convolution(%57#0, %arg2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<4x8x8x4xf32>
    %59 = stablehlo.dot_general %29#0, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<16x4xf32>) -> tensor<4x4xf32>
    %60 = stablehlo.broadcast_in_dim %59, dims = [0, 3] : (tensor<4x4xf32>) -> tensor<4x1x1x4xf32>
    %61 = stablehlo.broadcast_in_dim %60, dims = [0, 1, 2, 3] : (tensor<4x1x1x4xf32>) -> tensor<4x8x8x4xf32>
    %62 = stablehlo.add %58, %61 : tensor<4x8x8x4xf32>
    %63 = stablehlo.convolution(%39, %arg4) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x8x4xf32>, tensor<1x1x4x4xf32>) -> tensor<4x8x8x4xf32>
    %64 = stablehlo.reshape %62 : (tensor<4x8x8x4xf32>) -> tensor<4x8x8x2x2xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %65 = stablehlo.reduce(%64 init: %cst_11) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x8x8x2x2xf32>, tensor<f32>) -> tensor<4x2xf32>
    %66 = stablehlo.broadcast_in_dim %65, dims = [0, 3] : (tensor<4x2xf32>) -> tensor<4x1x1x2x1xf32>
    %cst_12 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %68 = stablehlo.divide %66, %67 : tensor<4x1x1x2x1xf32>
    %69 = stablehlo.broadcast_in_dim %68, dims = [0, 1, 2, 3, 4] : (tensor<4x1x1x2x1xf32>) -> tensor<4x8x8x2x2xf32>
    %70 = stablehlo.subtract %64, %69 : tensor<4x8x8x2x2xf32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %71:4 = call @_var(%64, %c_13) : (tensor<4x8x8x2x2xf32>, tensor<i32>) -> (tensor<4x1x1x2x1xf32>, tensor<4x8x8x2x2xf32>, tensor<f32>, tensor<i1>)
    %cst_14 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %73 = stablehlo.add %71#0, %72 : tensor<4x1x1x2x1xf32>
    %74 = stablehlo.rsqrt %73 : tensor<4x1x1x2x1xf32>
    %75 = stablehlo.divide %74, %73 : tensor<4x1x1x2x1xf32>
    %cst_15 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %77 = stablehlo.multiply %76, %75 : tensor<4x1x1x2x1xf32>
    %78 = stablehlo.broadcast_in_dim %74, dims = [0, 1, 2, 3, 4] : (tensor<4x1x1x2x1xf32>) -> tensor<4x8x8x2x2xf32>
    %79 = stablehlo.multiply %70, %78 : tensor<4x8x8x2x2xf32>
    %80 = stablehlo.reshape %79 : (tensor<4x8x8x2x2xf32>) -> tensor<4x8x8x4xf32>
    %81:3 = call @silu_1(%80) : (tensor<4x8x8x4xf32>) -> (tensor<4x8x8x4xf32>, tensor<4x8x8x4xf32>, tensor<4x8x8x4xf32>)
    %82 = stablehlo.convolution(%81#0, %arg3) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<4x8x8x4xf32>
    %83 = stablehlo.add %63, %82 : tensor<4x8x8x4xf32>
    %84 = stablehlo.convolution(%83, %arg0) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x8x4xf32>, tensor<3x3x4x8xf32>) -> tensor<4x4x4x8xf32>
    %85 = stablehlo.reshape %84 : (tensor<4x4x4x8xf32>) -> tensor<4x4x4x2x4xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %86 = stablehlo.reduce(%85 init: %cst_16) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x4x4x2x4xf32>, tensor<f32>) -> tensor<4x2xf32>
    %87 = stablehlo.broadcast_in_dim %86, dims = [0, 3] : (tensor<4x2xf32>) -> tensor<4x1x1x2x1xf32>
    %cst_17 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %89 = stablehlo.divide %87, %88 : tensor<4x1x1x2x1xf32>
    %90 = stablehlo.broadcast_in_dim %89, dims = [0, 1, 2, 3, 4] : (tensor<4x1x1x2x1xf32>) -> tensor<4x4x4x2x4xf32>
    %91 = stablehlo.subtract %85, %90 : tensor<4x4x4x2x4xf32>
    %c_18 = stablehlo.constant dense<0> : tensor<i32>
    %92:4 = call @_var_2(%85, %c_18) : (tensor<4x4x4x2x4xf32>, tensor<i32>) -> (tensor<4x1x1x2x1xf32>, tensor<4x4x4x2x4xf32>, tensor<f32>, tensor<i1>)
    %cst_19 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %93 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %94 = stablehlo.add %92#0, %93 : tensor<4x1x1x2x1xf32>
    %95 = stablehlo.rsqrt %94 : tensor<4x1x1x2x1xf32>
    %96 = stablehlo.divide %95, %94 : tensor<4x1x1x2x1xf32>
    %cst_20 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %97 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %98 = stablehlo.multiply %97, %96 : tensor<4x1x1x2x1xf32>
    %99 = stablehlo.broadcast_in_dim %95, dims = [0, 1, 2, 3, 4] : (tensor<4x1x1x2x1xf32>) -> tensor<4x4x4x2x4xf32>
    %100 = stablehlo.multiply %91, %99 : tensor<4x4x4x2x4xf32>
    %101 = stablehlo.reshape %100 : (tensor<4x4x4x2x4xf32>) -> tensor<4x4x4x8xf32>
    %102:3 = call @silu_3(%101) : (tensor<4x4x4x8xf32>) -> (tensor<4x4x4x8xf32>, tensor<4x4x4x8xf32>, tensor<4x4x4x8xf32>)
    %103 = stablehlo.convolution(%102#0, %arg11) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x4x4x8xf32>, tensor<3x3x8x8xf32>) -> tensor<4x4x4x8xf32>
    %104 = stablehlo.dot_general %29#0, %arg14, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
    %105 = stablehlo.broadcast_in_dim %104, dims = [0, 3] : (tensor<4x8xf32>) -> tensor<4x1x1x8xf32>
    %106 = stablehlo.broadcast_in_dim %105, dims = [0, 1, 2, 3] : (tensor<4x1x1x8xf32>) -> tensor<4x4x4x8xf32>
    %107 = stablehlo.add %103, %106 : tensor<4x4x4x8xf32>
    %108 = stablehlo.convolution(%84, %arg13) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x4x4x8xf32>, tensor<1x1x8x8xf32>) -> tensor<4x4x4x8xf32>
    %109 = stablehlo.reshape %107 : (tensor<4x4x4x8xf32>) -> tensor<4x4x4x2x4xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %110 = stablehlo.reduce(%109 init: %cst_21) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x4x4x2x4xf32>, tensor<f32>) -> tensor<4x2xf32>
    %111 = stablehlo.broadcast_in_dim %110, dims = [0, 3] : (tensor<4x2xf32>) -> tensor<4x1x1x2x1xf32>
    %cst_22 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %112 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %113 = stablehlo.divide %111, %112 : tensor<4x1x1x2x1xf32>
    %114 = stablehlo.broadcast_in_dim %113, dims = [0, 1, 2, 3, 4] : (tensor<4x1x1x2x1xf32>) -> tensor<4x4x4x2x4xf32>
    %115 = stablehlo.subtract %109, %114 : tensor<4x4x4x2x4xf32>
    %c_23 = stablehlo.constant dense<0> : tensor<i32>
    %116:4 = call @_var_2(%109, %c_23) : (tensor<4x4x4x2x4xf32>, tensor<i32>) -> (tensor<4x1x1x2x1xf32>, tensor<4x4x4x2x4xf32>, tensor<f32>, tensor<i1>)
    %cst_24 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %117 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %118 = stablehlo.add %116#0, %117 : tensor<4x1x1x2x1xf32>
    %119 = stablehlo.rsqrt %118 : tensor<4x1x1x2x1xf32>
    %120 = stablehlo.divide %119, %118 : tensor<4x1x1x2x1xf32>
    %cst_25 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %121 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %122 = stablehlo.multiply %121, %120 : tensor<4x1x1x2x1xf32>
    %123 = stablehlo.broadcast_in_dim %119, dims = [0, 1, 2, 3, 4] : (tensor<4x1x1x2x1xf32>) -> tensor<4x4x4x2x4xf32>
    %124 = stablehlo.multiply %115, %123 : tensor<4x4x4x2x4xf32>
    %125 = stablehlo.reshape %124 : (tensor<4x4x4x2x4xf32>) -> tensor<4x4x4x8xf32>
    %126:3 = call @silu_3(%125) : (tensor<4x4x4x8xf32>) -> (tensor<4x4x4x8xf32>, tensor<4x4x4x8xf32>, tensor<4x4x4x8xf32>)
    %127 = stablehlo.convolution(%126#0, %arg12) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x4x4x8xf32>, tensor<3x3x8x8xf32>) -> tensor<4x4x4x8xf32>
    %128 = stablehlo.add %108, %127 : tensor<4x4x4x8xf32>
    %129 = stablehlo.reshape %128 : (tensor<4x4x4x8xf32>) -> tensor<4x4x4x2x4xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %130 = stablehlo.reduce(%129 init: %cst_26) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x4x4x2x4xf32>, tensor<f32>) -> tensor<4x2xf32>
    %131 = stablehlo.broadcast_in_dim %130, dims = [0, 3] : (tensor<4x2xf32>) -> tensor<4x1x1x2x1xf32>
    %cst_27 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %132 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %133 = stablehlo.divide %131, %132 : tensor<4x1x1x2x1xf32>
    %134 = stablehlo.broadcast_in_dim %133, dims = [0, 1, 2, 3, 4] : (tensor<4x1x1x2x1xf32>) -> tensor<4x4x4x2x4xf32>
    %135 = stablehlo.subtract %129, %134 : tensor<4x4x4x2x4xf32>
    %c_28 = stablehlo.constant dense<0> : tensor<i32>
    %136:4 = call @_var_2(%129, %c_28) : (tensor<4x4x4x2x4xf32>, tensor<i32>) -> (tensor<4x1x1x2x1xf32>, tensor<4x4x4x2x4xf32>, tensor<f32>, tensor<i1>)
    %cst_29 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %137 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %138 = stablehlo.add %136#0, %137 : tensor<4x1x1x2x1xf32>
    %139 = stablehlo.rsqrt %138 : tensor<4x1x1x2x1xf32>
    %140 = stablehlo.divide %139, %138 : tensor<4x1x1x2x1xf32>
    %cst_30 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %141 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %142 = stablehlo.multiply %141, %140 : tensor<4x1x1x2x1xf32>
    %143 = stablehlo.broadcast_in_dim %139, dims = [0, 1, 2, 3, 4] : (tensor<4x1x1x2x1xf32>) -> tensor<4x4x4x2x4xf32>
    %144 = stablehlo.multiply %135, %143 : tensor<4x4x4x2x4xf32>
    %145 = stablehlo.reshape %144 : (tensor<4x4x4x2x4xf32>) -> tensor<4x4x4x8xf32>
    %146 = stablehlo.reshape %145 : (tensor<4x4x4x8xf32>) -> tensor<4x16x8xf32>
    %147 = stablehlo.dot_general %146, %arg17, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16x8xf32>, tensor<8x3x2x4xf32>) -> tensor<4x16x3x2x4xf32>
    %148 = stablehlo.transpose %147, dims = [2, 0, 1, 3, 4] : (tensor<4x16x3x2x4xf32>) -> tensor<3x4x16x2x4xf32>
    %149 = stablehlo.slice %148 [0:1, 0:4, 0:16, 0:2, 0:4] : (tensor<3x4x16x2x4xf32>) -> tensor<1x4x16x2x4xf32>
    %150 = stablehlo.reshape %149 : (tensor<1x4x16x2x4xf32>) -> tensor<4x16x2x4xf32>
    %151 = stablehlo.slice %148 [1:2, 0:4, 0:16, 0:2, 0:4] : (tensor<3x4x16x2x4xf32>) -> tensor<1x4x16x2x4xf32>
    %152 = stablehlo.reshape %151 : (tensor<1x4x16x2x4xf32>) -> tensor<4x16x2x4xf32>
    %153 = stablehlo.slice %148 [2:3, 0:4, 0:16, 0:2, 0:4] : (tensor<3x4x16x2x4xf32>) -> tensor<1x4x16x2x4xf32>
    %154 = stablehlo.reshape %153 : (tensor<1x4x16x2x4xf32>) -> tensor<4x16x2x4xf32>
    %155 = stablehlo.dot_general %150, %152, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x16x2x4xf32>, tensor<4x16x2x4xf32>) -> tensor<4x2x16x16xf32>
    %cst_31 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %156 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<4x2x16x16xf32>
    %157 = stablehlo.divide %155, %156 : tensor<4x2x16x16xf32>
    %cst_32 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %158 = stablehlo.reduce(%157 init: %cst_32) applies stablehlo.maximum across dimensions = [3] : (tensor<4x2x16x16xf32>, tensor<f32>) -> tensor<4x2x16xf32>
    %cst_33 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %159 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<4x2x16xf32>
    %160 = stablehlo.maximum %159, %158 : tensor<4x2x16xf32>
    %161 = stablehlo.broadcast_in_dim %160, dims = [0, 1, 2] : (tensor<4x2x16xf32>) -> tensor<4x2x16x1xf32>
    %162 = stablehlo.broadcast_in_dim %161, dims = [0, 1, 2, 3] : (tensor<4x2x16x1xf32>) -> tensor<4x2x16x16xf32>
    %163 = stablehlo.subtract %157, %162 : tensor<4x2x16x16xf32>
    %164 = stablehlo.exponential %163 : tensor<4x2x16x16xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %165 = stablehlo.reduce(%164 init: %cst_34) applies stablehlo.add across dimensions = [3] : (tensor<4x2x16x16xf32>, tensor<f32>) -> tensor<4x2x16xf32>
    %166 = stablehlo.broadcast_in_dim %165, dims = [0, 1, 2] : (tensor<4x2x16xf32>) -> tensor<4x2x16x1xf32>
    %167 = stablehlo.broadcast_in_dim %166, dims = [0, 1, 2, 3] : (tensor<4x2x16x1xf32>) -> tensor<4x2x16x16xf32>
    %168 = stablehlo.divide %164, %167 : tensor<4x2x16x16xf32>
    %169 = stablehlo.multiply %166, %166 : tensor<4x2x16x1xf32>
    %cst_35 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %170 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<4x2x16x1xf32>
    %171 = stablehlo.divide %170, %169 : tensor<4x2x16x1xf32>
    %172 = stablehlo.dot_general %154, %168, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x16x2x4xf32>, tensor<4x2x16x16xf32>) -> tensor<4x2x4x16xf32>
    %173 = stablehlo.dot_general %172, %arg15, contracting_dims = [1, 2] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x2x4x16xf32>, tensor<2x4x8xf32>) -> tensor<4x16x8xf32>
    %174 = stablehlo.reshape %173 : (tensor<4x16x8xf32>) -> tensor<4x4x4x8xf32>
    %175 = stablehlo.add %128, %174 : tensor<4x4x4x8xf32>
    %176 = stablehlo.broadcast_in_dim %175, dims = [0, 1, 3, 4] : (tensor<4x4x4x8xf32>) -> tensor<4x4x2x4x8xf32>
    %177 = stablehlo.reshape %176 : (tensor<4x4x2x4x8xf32>) -> tensor<4x8x4x8xf32>
    %178 = stablehlo.broadcast_in_dim %177, dims = [0, 1, 2, 4] : (tensor<4x8x4x8xf32>) -> tensor<4x8x4x2x8xf32>
    %179 = stablehlo.reshape %178 : (tensor<4x8x4x2x8xf32>) -> tensor<4x8x8x8xf32>
    %180 = stablehlo.concatenate %83, %179, dim = 3 : (tensor<4x8x8x4xf32>, tensor<4x8x8x8xf32>) -> tensor<4x8x8x12xf32>
    %181 = stablehlo.reshape %180 : (tensor<4x8x8x12xf32>) -> tensor<4x8x8x2x6xf32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %182 = stablehlo.reduce(%181 init: %cst_36) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x8x8x2x6xf32>, tensor<f32>) -> tensor<4x2xf32>
    %183 = stablehlo.broadcast_in_dim %182, dims = [0, 3] : (tensor<4x2xf32>) -> tensor<4x1x1x2x1xf32>
    %cst_37 = stablehlo.constant dense<3.840000e+02> : tensor<f32>
    %184 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %185 = stablehlo.divide %183, %184 : tensor<4x1x1x2x1xf32>
    %186 = stablehlo.broadcast_in_dim %185, dims = [0, 1, 2, 3, 4] : (tensor<4x1x1x2x1xf32>) -> tensor<4x8x8x2x6xf32>
    %187 = stablehlo.subtract %181, %186 : tensor<4x8x8x2x6xf32>
    %c_38 = stablehlo.constant dense<0> : tensor<i32>
    %188:4 = call @_var_4(%181, %c_38) : (tensor<4x8x8x2x6xf32>, tensor<i32>) -> (tensor<4x1x1x2x1xf32>, tensor<4x8x8x2x6xf32>, tensor<f32>, tensor<i1>)
    %cst_39 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %189 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %190 = stablehlo.add %188#0, %189 : tensor<4x1x1x2x1xf32>
    %191 = stablehlo.rsqrt %190 : tensor<4x1x1x2x1xf32>
    %192 = stablehlo.divide %191, %190 : tensor<4x1x1x2x1xf32>
    %cst_40 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %193 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %194 = stablehlo.multiply %193, %192 : tensor<4x1x1x2x1xf32>
    %195 = stablehlo.broadcast_in_dim %191, dims = [0, 1, 2, 3, 4] : (tensor<4x1x1x2x1xf32>) -> tensor<4x8x8x2x6xf32>
    %196 = stablehlo.multiply %187, %195 : tensor<4x8x8x2x6xf32>
    %197 = stablehlo.reshape %196 : (tensor<4x8x8x2x6xf32>) -> tensor<4x8x8x12xf32>
    %198:3 = call @silu_5(%197) : (tensor<4x8x8x12xf32>) -> (tensor<4x8x8x12xf32>, tensor<4x8x8x12xf32>, tensor<4x8x8x12xf32>)
    %199 = stablehlo.convolution(%198#0, %arg7) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x8x12xf32>, tensor<3x3x12x4xf32>) -> tensor<4x8x8x4xf32>
    %200 = stablehlo.dot_general %29#0, %arg10, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<16x4xf32>) -> tensor<4x4xf32>
    %201 = stablehlo.broadcast_in_dim %200, dims = [0, 3] : (tensor<4x4xf32>) -> tensor<4x1x1x4xf32>
    %202 = stablehlo.broadcast_in_dim %201, dims = [0, 1, 2, 3] : (tensor<4x1x1x4xf32>) -> tensor<4x8x8x4xf32>
    %203 = stablehlo.add %199, %202 : tensor<4x8x8x4xf32>
    %204 = stablehlo.convolution(%180, %arg9) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x8x12xf32>, tensor<1x1x12x4xf32>) -> tensor<4x8x8x4xf32>
    %205 = stablehlo.reshape %203 : (tensor<4x8x8x4xf32>) -> tensor<4x8x8x2x2xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %206 = stablehlo.reduce(%205 init: %cst_41) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x8x8x2x2xf32>, tensor<f32>) -> tensor<4x2xf32>
    %207 = stablehlo.broadcast_in_dim %206, dims = [0, 3] : (tensor<4x2xf32>) -> tensor<4x1x1x2x1xf32>
    %cst_42 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %208 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %209 = stablehlo.divide %207, %208 : tensor<4x1x1x2x1xf32>
    %210 = stablehlo.broadcast_in_dim %209, dims = [0, 1, 2, 3, 4] : (tensor<4x1x1x2x1xf32>) -> tensor<4x8x8x2x2xf32>
    %211 = stablehlo.subtract %205, %210 : tensor<4x8x8x2x2xf32>
    %c_43 = stablehlo.constant dense<0> : tensor<i32>
    %212:4 = call @_var(%205, %c_43) : (tensor<4x8x8x2x2xf32>, tensor<i32>) -> (tensor<4x1x1x2x1xf32>, tensor<4x8x8x2x2xf32>, tensor<f32>, tensor<i1>)
    %cst_44 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %213 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %214 = stablehlo.add %212#0, %213 : tensor<4x1x1x2x1xf32>
    %215 = stablehlo.rsqrt %214 : tensor<4x1x1x2x1xf32>
    %216 = stablehlo.divide %215, %214 : tensor<4x1x1x2x1xf32>
    %cst_45 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %217 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %218 = stablehlo.multiply %217, %216 : tensor<4x1x1x2x1xf32>
    %219 = stablehlo.broadcast_in_dim %215, dims = [0, 1, 2, 3, 4] : (tensor<4x1x1x2x1xf32>) -> tensor<4x8x8x2x2xf32>
    %220 = stablehlo.multiply %211, %219 : tensor<4x8x8x2x2xf32>
    %221 = stablehlo.reshape %220 : (tensor<4x8x8x2x2xf32>) -> tensor<4x8x8x4xf32>
    %222:3 = call @silu_1(%221) : (tensor<4x8x8x4xf32>) -> (tensor<4x8x8x4xf32>, tensor<4x8x8x4xf32>, tensor<4x8x8x4xf32>)
    %223 = stablehlo.convolution(%222#0, %arg8) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<4x8x8x4xf32>
    %224 = stablehlo.add %204, %223 : tensor<4x8x8x4xf32>
    %225 = stablehlo.reshape %224 : (tensor<4x8x8x4xf32>) -> tensor<4x8x8x2x2xf32>
    %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %226 = stablehlo.reduce(%225 init: %cst_46) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x8x8x2x2xf32>, tensor<f32>) -> tensor<4x2xf32>
    %227 = stablehlo.broadcast_in_dim %226, dims = [0, 3] : (tensor<4x2xf32>) -> tensor<4x1x1x2x1xf32>
    %cst_47 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %228 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %229 = stablehlo.divide %227, %228 : tensor<4x1x1x2x1xf32>
    %230 = stablehlo.broadcast_in_dim %229, dims = [0, 1, 2, 3, 4] : (tensor<4x1x1x2x1xf32>) -> tensor<4x8x8x2x2xf32>
    %231 = stablehlo.subtract %225, %230 : tensor<4x8x8x2x2xf32>
    %c_48 = stablehlo.constant dense<0> : tensor<i32>
    %232:4 = call @_var(%225, %c_48) : (tensor<4x8x8x2x2xf32>, tensor<i32>) -> (tensor<4x1x1x2x1xf32>, tensor<4x8x8x2x2xf32>, tensor<f32>, tensor<i1>)
    %cst_49 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %233 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %234 = stablehlo.add %232#0, %233 : tensor<4x1x1x2x1xf32>
    %235 = stablehlo.rsqrt %234 : tensor<4x1x1x2x1xf32>
    %236 = stablehlo.divide %235, %234 : tensor<4x1x1x2x1xf32>
    %cst_50 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %237 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %238 = stablehlo.multiply %237, %236 : tensor<4x1x1x2x1xf32>
    %239 = stablehlo.broadcast_in_dim %235, dims = [0, 1, 2, 3, 4] : (tensor<4x1x1x2x1xf32>) -> tensor<4x8x8x2x2xf32>
    %240 = stablehlo.multiply %231, %239 : tensor<4x8x8x2x2xf32>
    %241 = stablehlo.reshape %240 : (tensor<4x8x8x2x2xf32>) -> tensor<4x8x8x4xf32>
    %242:3 = call @silu_1(%241) : (tensor<4x8x8x4xf32>) -> (tensor<4x8x8x4xf32>, tensor<4x8x8x4xf32>, tensor<4x8x8x4xf32>)
    %243 = stablehlo.convolution(%242#0, %arg16) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x8x4xf32>, tensor<3x3x4x3xf32>) -> tensor<4x8x8x3xf32>
    %244 = stablehlo.subtract %243, %arg19 : tensor<4x8x8x3xf32>
    %245 = stablehlo.multiply %244, %244 : tensor<4x8x8x3xf32>
    %cst_51 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %246 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<4x8x8x3xf32>
    %247 = stablehlo.multiply %246, %244 : tensor<4x8x8x3xf32>
    %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %248 = stablehlo.reduce(%245 init: %cst_52) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<4x8x8x3xf32>, tensor<f32>) -> tensor<f32>
    %cst_53 = stablehlo.constant dense<7.680000e+02> : tensor<f32>
    %249 = stablehlo.divide %248, %cst_53 : tensor<f32>
    %cst_54 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_55 = stablehlo.constant dense<7.680000e+02> : tensor<f32>
    %250 = stablehlo.divide %cst_54, %cst_55 : tensor<f32>
    %251 = stablehlo.broadcast_in_dim %250, dims = [] : (tensor<f32>) -> tensor<4x8x8x3xf32>
    %252 = stablehlo.multiply %251, %247 : tensor<4x8x8x3xf32>
    %253 = stablehlo.convolution(%242#0, %252) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x8x4xf32>, tensor<4x8x8x3xf32>) -> tensor<3x3x4x3xf32>
    %254 = stablehlo.reverse %arg16, dims = [0, 1] : tensor<3x3x4x3xf32>
    %255 = stablehlo.convolution(%252, %254) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x8x3xf32>, tensor<3x3x4x3xf32>) -> tensor<4x8x8x4xf32>
    %256 = call @silu_6(%242#1, %242#2, %241, %255) : (tensor<4x8x8x4xf32>, tensor<4x8x8x4xf32>, tensor<4x8x8x4xf32>, tensor<4x8x8x4xf32>) -> tensor<4x8x8x4xf32>
    %257 = stablehlo.reshape %256 : (tensor<4x8x8x4xf32>) -> tensor<4x8x8x2x2xf32>
    %258 = stablehlo.multiply %231, %257 : tensor<4x8x8x2x2xf32>
    %cst_56 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %259 = stablehlo.reduce(%258 init: %cst_56) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x8x8x2x2xf32>, tensor<f32>) -> tensor<4x2xf32>
    %260 = stablehlo.reshape %259 : (tensor<4x2xf32>) -> tensor<4x1x1x2x1xf32>
    %261 = stablehlo.broadcast_in_dim %235, dims = [0, 1, 2, 3, 4] : (tensor<4x1x1x2x1xf32>) -> tensor<4x8x8x2x2xf32>
    %262 = stablehlo.multiply %257, %261 : tensor<4x8x8x2x2xf32>
    %263 = stablehlo.multiply %260, %238 : tensor<4x1x1x2x1xf32>
    %264 = call @_var_7(%232#1, %232#2, %232#3, %263) : (tensor<4x8x8x2x2xf32>, tensor<f32>, tensor<i1>, tensor<4x1x1x2x1xf32>) -> tensor<4x8x8x2x2xf32>
    %265 = stablehlo.negate %262 : tensor<4x8x8x2x2xf32>
    %cst_57 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %266 = stablehlo.reduce(%265 init: %cst_57) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x8x8x2x2xf32>, tensor<f32>) -> tensor<4x2xf32>
    %267 = stablehlo.reshape %266 : (tensor<4x2xf32>) -> tensor<4x1x1x2x1xf32>
    %268 = stablehlo.add %264, %262 : tensor<4x8x8x2x2xf32>
    %cst_58 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %269 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %270 = stablehlo.divide %267, %269 : tensor<4x1x1x2x1xf32>
    %cst_59 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %271 = stablehlo.reduce(%270 init: %cst_59) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x1x1x2x1xf32>, tensor<f32>) -> tensor<4x2xf32>
    %272 = stablehlo.broadcast_in_dim %271, dims = [0, 3] : (tensor<4x2xf32>) -> tensor<4x8x8x2x2xf32>
    %273 = stablehlo.add %268, %272 : tensor<4x8x8x2x2xf32>
    %274 = stablehlo.reshape %273 : (tensor<4x8x8x2x2xf32>) -> tensor<4x8x8x4xf32>
    %275 = stablehlo.convolution(%222#0, %274) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x8x4xf32>, tensor<4x8x8x4xf32>) -> tensor<3x3x4x4xf32>
    %276 = stablehlo.reverse %arg8, dims = [0, 1] : tensor<3x3x4x4xf32>
    %277 = stablehlo.convolution(%274, %276) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<4x8x8x4xf32>
    %278 = call @silu_6(%222#1, %222#2, %221, %277) : (tensor<4x8x8x4xf32>, tensor<4x8x8x4xf32>, tensor<4x8x8x4xf32>, tensor<4x8x8x4xf32>) -> tensor<4x8x8x4xf32>
    %279 = stablehlo.reshape %278 : (tensor<4x8x8x4xf32>) -> tensor<4x8x8x2x2xf32>
    %280 = stablehlo.multiply %211, %279 : tensor<4x8x8x2x2xf32>
    %cst_60 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %281 = stablehlo.reduce(%280 init: %cst_60) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x8x8x2x2xf32>, tensor<f32>) -> tensor<4x2xf32>
    %282 = stablehlo.reshape %281 : (tensor<4x2xf32>) -> tensor<4x1x1x2x1xf32>
    %283 = stablehlo.broadcast_in_dim %215, dims = [0, 1, 2, 3, 4] : (tensor<4x1x1x2x1xf32>) -> tensor<4x8x8x2x2xf32>
    %284 = stablehlo.multiply %279, %283 : tensor<4x8x8x2x2xf32>
    %285 = stablehlo.multiply %282, %218 : tensor<4x1x1x2x1xf32>
    %286 = call @_var_7(%212#1, %212#2, %212#3, %285) : (tensor<4x8x8x2x2xf32>, tensor<f32>, tensor<i1>, tensor<4x1x1x2x1xf32>) -> tensor<4x8x8x2x2xf32>
    %287 = stablehlo.negate %284 : tensor<4x8x8x2x2xf32>
    %cst_61 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %288 = stablehlo.reduce(%287 init: %cst_61) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x8x8x2x2xf32>, tensor<f32>) -> tensor<4x2xf32>
    %289 = stablehlo.reshape %288 : (tensor<4x2xf32>) -> tensor<4x1x1x2x1xf32>
    %290 = stablehlo.add %286, %284 : tensor<4x8x8x2x2xf32>
    %cst_62 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %291 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %292 = stablehlo.divide %289, %291 : tensor<4x1x1x2x1xf32>
    %cst_63 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %293 = stablehlo.reduce(%292 init: %cst_63) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x1x1x2x1xf32>, tensor<f32>) -> tensor<4x2xf32>
    %294 = stablehlo.broadcast_in_dim %293, dims = [0, 3] : (tensor<4x2xf32>) -> tensor<4x8x8x2x2xf32>
    %295 = stablehlo.add %290, %294 : tensor<4x8x8x2x2xf32>
    %296 = stablehlo.reshape %295 : (tensor<4x8x8x2x2xf32>) -> tensor<4x8x8x4xf32>
    %297 = stablehlo.convolution(%180, %274) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x8x12xf32>, tensor<4x8x8x4xf32>) -> tensor<1x1x12x4xf32>
    %298 = stablehlo.reverse %arg9, dims = [0, 1] : tensor<1x1x12x4xf32>
    %299 = stablehlo.convolution(%274, %298) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x8x4xf32>, tensor<1x1x12x4xf32>) -> tensor<4x8x8x12xf32>
    %cst_64 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %300 = stablehlo.reduce(%296 init: %cst_64) applies stablehlo.add across dimensions = [1, 2] : (tensor<4x8x8x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    %301 = stablehlo.reshape %300 : (tensor<4x4xf32>) -> tensor<4x1x1x4xf32>
    %cst_65 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %302 = stablehlo.reduce(%301 init: %cst_65) applies stablehlo.add across dimensions = [1, 2] : (tensor<4x1x1x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    %303 = stablehlo.dot_general %302, %29#0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
    %304 = stablehlo.transpose %303, dims = [1, 0] : (tensor<4x16xf32>) -> tensor<16x4xf32>
    %305 = stablehlo.dot_general %302, %arg10, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf32>, tensor<16x4xf32>) -> tensor<4x16xf32>
    %306 = stablehlo.convolution(%198#0, %296) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x8x12xf32>, tensor<4x8x8x4xf32>) -> tensor<3x3x12x4xf32>
    %307 = stablehlo.reverse %arg7, dims = [0, 1] : tensor<3x3x12x4xf32>
    %308 = stablehlo.convolution(%296, %307) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x8x4xf32>, tensor<3x3x12x4xf32>) -> tensor<4x8x8x12xf32>
    %309 = call @silu_9(%198#1, %198#2, %197, %308) : (tensor<4x8x8x12xf32>, tensor<4x8x8x12xf32>, tensor<4x8x8x12xf32>, tensor<4x8x8x12xf32>) -> tensor<4x8x8x12xf32>
    %310 = stablehlo.reshape %309 : (tensor<4x8x8x12xf32>) -> tensor<4x8x8x2x6xf32>
    %311 = stablehlo.multiply %187, %310 : tensor<4x8x8x2x6xf32>
    %cst_66 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %312 = stablehlo.reduce(%311 init: %cst_66) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x8x8x2x6xf32>, tensor<f32>) -> tensor<4x2xf32>
    %313 = stablehlo.reshape %312 : (tensor<4x2xf32>) -> tensor<4x1x1x2x1xf32>
    %314 = stablehlo.broadcast_in_dim %191, dims = [0, 1, 2, 3, 4] : (tensor<4x1x1x2x1xf32>) -> tensor<4x8x8x2x6xf32>
    %315 = stablehlo.multiply %310, %314 : tensor<4x8x8x2x6xf32>
    %316 = stablehlo.multiply %313, %194 : tensor<4x1x1x2x1xf32>
    %317 = call @_var_10(%188#1, %188#2, %188#3, %316) : (tensor<4x8x8x2x6xf32>, tensor<f32>, tensor<i1>, tensor<4x1x1x2x1xf32>) -> tensor<4x8x8x2x6xf32>
    %318 = stablehlo.negate %315 : tensor<4x8x8x2x6xf32>
    %cst_67 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %319 = stablehlo.reduce(%318 init: %cst_67) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x8x8x2x6xf32>, tensor<f32>) -> tensor<4x2xf32>
    %320 = stablehlo.reshape %319 : (tensor<4x2xf32>) -> tensor<4x1x1x2x1xf32>
    %321 = stablehlo.add %317, %315 : tensor<4x8x8x2x6xf32>
    %cst_68 = stablehlo.constant dense<3.840000e+02> : tensor<f32>
    %322 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %323 = stablehlo.divide %320, %322 : tensor<4x1x1x2x1xf32>
    %cst_69 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %324 = stablehlo.reduce(%323 init: %cst_69) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x1x1x2x1xf32>, tensor<f32>) -> tensor<4x2xf32>
    %325 = stablehlo.broadcast_in_dim %324, dims = [0, 3] : (tensor<4x2xf32>) -> tensor<4x8x8x2x6xf32>
    %326 = stablehlo.add %321, %325 : tensor<4x8x8x2x6xf32>
    %327 = stablehlo.reshape %326 : (tensor<4x8x8x2x6xf32>) -> tensor<4x8x8x12xf32>
    %328 = stablehlo.add %299, %327 : tensor<4x8x8x12xf32>
    %329 = stablehlo.slice %328 [0:4, 0:8, 0:8, 0:4] : (tensor<4x8x8x12xf32>) -> tensor<4x8x8x4xf32>
    %330 = stablehlo.slice %328 [0:4, 0:8, 0:8, 4:12] : (tensor<4x8x8x12xf32>) -> tensor<4x8x8x8xf32>
    %331 = stablehlo.reshape %330 : (tensor<4x8x8x8xf32>) -> tensor<4x8x4x2x8xf32>
    %cst_70 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %332 = stablehlo.reduce(%331 init: %cst_70) applies stablehlo.add across dimensions = [3] : (tensor<4x8x4x2x8xf32>, tensor<f32>) -> tensor<4x8x4x8xf32>
    %333 = stablehlo.reshape %332 : (tensor<4x8x4x8xf32>) -> tensor<4x4x2x4x8xf32>
    %cst_71 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %334 = stablehlo.reduce(%333 init: %cst_71) applies stablehlo.add across dimensions = [2] : (tensor<4x4x2x4x8xf32>, tensor<f32>) -> tensor<4x4x4x8xf32>
    %335 = stablehlo.reshape %334 : (tensor<4x4x4x8xf32>) -> tensor<4x16x8xf32>
    %336 = stablehlo.dot_general %335, %172, contracting_dims = [0, 1] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<4x16x8xf32>, tensor<4x2x4x16xf32>) -> tensor<8x2x4xf32>
    %337 = stablehlo.transpose %336, dims = [1, 2, 0] : (tensor<8x2x4xf32>) -> tensor<2x4x8xf32>
    %338 = stablehlo.dot_general %335, %arg15, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x16x8xf32>, tensor<2x4x8xf32>) -> tensor<4x16x2x4xf32>
    %339 = stablehlo.transpose %338, dims = [0, 2, 3, 1] : (tensor<4x16x2x4xf32>) -> tensor<4x2x4x16xf32>
    %340 = stablehlo.dot_general %339, %154, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x2x4x16xf32>, tensor<4x16x2x4xf32>) -> tensor<4x2x16x16xf32>
    %341 = stablehlo.dot_general %339, %168, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x2x4x16xf32>, tensor<4x2x16x16xf32>) -> tensor<4x2x4x16xf32>
    %342 = stablehlo.transpose %341, dims = [0, 3, 1, 2] : (tensor<4x2x4x16xf32>) -> tensor<4x16x2x4xf32>
    %343 = stablehlo.broadcast_in_dim %171, dims = [0, 1, 2, 3] : (tensor<4x2x16x1xf32>) -> tensor<4x2x16x16xf32>
    %344 = stablehlo.multiply %340, %343 : tensor<4x2x16x16xf32>
    %345 = stablehlo.multiply %344, %164 : tensor<4x2x16x16xf32>
    %cst_72 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %346 = stablehlo.reduce(%345 init: %cst_72) applies stablehlo.add across dimensions = [3] : (tensor<4x2x16x16xf32>, tensor<f32>) -> tensor<4x2x16xf32>
    %347 = stablehlo.reshape %346 : (tensor<4x2x16xf32>) -> tensor<4x2x16x1xf32>
    %348 = stablehlo.negate %347 : tensor<4x2x16x1xf32>
    %349 = stablehlo.broadcast_in_dim %166, dims = [0, 1, 2, 3] : (tensor<4x2x16x1xf32>) -> tensor<4x2x16x16xf32>
    %350 = stablehlo.divide %340, %349 : tensor<4x2x16x16xf32>
    %cst_73 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %351 = stablehlo.reduce(%348 init: %cst_73) applies stablehlo.add across dimensions = [3] : (tensor<4x2x16x1xf32>, tensor<f32>) -> tensor<4x2x16xf32>
    %352 = stablehlo.broadcast_in_dim %351, dims = [0, 1, 2] : (tensor<4x2x16xf32>) -> tensor<4x2x16x16xf32>
    %353 = stablehlo.add %350, %352 : tensor<4x2x16x16xf32>
    %354 = stablehlo.multiply %353, %164 : tensor<4x2x16x16xf32>
    %cst_74 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %355 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<4x2x16x16xf32>
    %356 = stablehlo.divide %354, %355 : tensor<4x2x16x16xf32>
    %357 = stablehlo.dot_general %356, %150, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x2x16x16xf32>, tensor<4x16x2x4xf32>) -> tensor<4x2x16x4xf32>
    %358 = stablehlo.transpose %357, dims = [0, 2, 1, 3] : (tensor<4x2x16x4xf32>) -> tensor<4x16x2x4xf32>
    %359 = stablehlo.dot_general %356, %152, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x2x16x16xf32>, tensor<4x16x2x4xf32>) -> tensor<4x2x16x4xf32>
    %360 = stablehlo.transpose %359, dims = [0, 2, 1, 3] : (tensor<4x2x16x4xf32>) -> tensor<4x16x2x4xf32>
    %361 = stablehlo.broadcast_in_dim %342, dims = [1, 2, 3, 4] : (tensor<4x16x2x4xf32>) -> tensor<1x4x16x2x4xf32>
    %cst_75 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %362 = stablehlo.pad %361, %cst_75, low = [2, 0, 0, 0, 0], high = [0, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x4x16x2x4xf32>, tensor<f32>) -> tensor<3x4x16x2x4xf32>
    %363 = stablehlo.broadcast_in_dim %358, dims = [1, 2, 3, 4] : (tensor<4x16x2x4xf32>) -> tensor<1x4x16x2x4xf32>
    %cst_76 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %364 = stablehlo.pad %363, %cst_76, low = [1, 0, 0, 0, 0], high = [1, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x4x16x2x4xf32>, tensor<f32>) -> tensor<3x4x16x2x4xf32>
    %365 = stablehlo.add %362, %364 : tensor<3x4x16x2x4xf32>
    %366 = stablehlo.broadcast_in_dim %360, dims = [1, 2, 3, 4] : (tensor<4x16x2x4xf32>) -> tensor<1x4x16x2x4xf32>
    %cst_77 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %367 = stablehlo.pad %366, %cst_77, low = [0, 0, 0, 0, 0], high = [2, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x4x16x2x4xf32>, tensor<f32>) -> tensor<3x4x16x2x4xf32>
    %368 = stablehlo.add %365, %367 : tensor<3x4x16x2x4xf32>
    %369 = stablehlo.transpose %368, dims = [1, 2, 0, 3, 4] : (tensor<3x4x16x2x4xf32>) -> tensor<4x16x3x2x4xf32>
    %370 = stablehlo.dot_general %369, %146, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x3x2x4xf32>, tensor<4x16x8xf32>) -> tensor<3x2x4x8xf32>
    %371 = stablehlo.transpose %370, dims = [3, 0, 1, 2] : (tensor<3x2x4x8xf32>) -> tensor<8x3x2x4xf32>
    %372 = stablehlo.dot_general %369, %arg17, contracting_dims = [2, 3, 4] x [1, 2, 3], precision = [DEFAULT, DEFAULT] : (tensor<4x16x3x2x4xf32>, tensor<8x3x2x4xf32>) -> tensor<4x16x8xf32>
    %373 = stablehlo.reshape %372 : (tensor<4x16x8xf32>) -> tensor<4x4x4x8xf32>
    %374 = stablehlo.reshape %373 : (tensor<4x4x4x8xf32>) -> tensor<4x4x4x2x4xf32>
    %375 = stablehlo.multiply %135, %374 : tensor<4x4x4x2x4xf32>
    %cst_78 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %376 = stablehlo.reduce(%375 init: %cst_78) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x4x4x2x4xf32>, tensor<f32>) -> tensor<4x2xf32>
    %377 = stablehlo.reshape %376 : (tensor<4x2xf32>) -> tensor<4x1x1x2x1xf32>
    %378 = stablehlo.broadcast_in_dim %139, dims = [0, 1, 2, 3, 4] : (tensor<4x1x1x2x1xf32>) -> tensor<4x4x4x2x4xf32>
    %379 = stablehlo.multiply %374, %378 : tensor<4x4x4x2x4xf32>
    %380 = stablehlo.multiply %377, %142 : tensor<4x1x1x2x1xf32>
    %381 = call @_var_11(%136#1, %136#2, %136#3, %380) : (tensor<4x4x4x2x4xf32>, tensor<f32>, tensor<i1>, tensor<4x1x1x2x1xf32>) -> tensor<4x4x4x2x4xf32>
    %382 = stablehlo.negate %379 : tensor<4x4x4x2x4xf32>
    %cst_79 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %383 = stablehlo.reduce(%382 init: %cst_79) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x4x4x2x4xf32>, tensor<f32>) -> tensor<4x2xf32>
    %384 = stablehlo.reshape %383 : (tensor<4x2xf32>) -> tensor<4x1x1x2x1xf32>
    %385 = stablehlo.add %381, %379 : tensor<4x4x4x2x4xf32>
    %cst_80 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %386 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %387 = stablehlo.divide %384, %386 : tensor<4x1x1x2x1xf32>
    %cst_81 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %388 = stablehlo.reduce(%387 init: %cst_81) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x1x1x2x1xf32>, tensor<f32>) -> tensor<4x2xf32>
    %389 = stablehlo.broadcast_in_dim %388, dims = [0, 3] : (tensor<4x2xf32>) -> tensor<4x4x4x2x4xf32>
    %390 = stablehlo.add %385, %389 : tensor<4x4x4x2x4xf32>
    %391 = stablehlo.reshape %390 : (tensor<4x4x4x2x4xf32>) -> tensor<4x4x4x8xf32>
    %392 = stablehlo.add %334, %391 : tensor<4x4x4x8xf32>
    %393 = stablehlo.convolution(%126#0, %392) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x4x4x8xf32>, tensor<4x4x4x8xf32>) -> tensor<3x3x8x8xf32>
    %394 = stablehlo.reverse %arg12, dims = [0, 1] : tensor<3x3x8x8xf32>
    %395 = stablehlo.convolution(%392, %394) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x4x4x8xf32>, tensor<3x3x8x8xf32>) -> tensor<4x4x4x8xf32>
    %396 = call @silu_12(%126#1, %126#2, %125, %395) : (tensor<4x4x4x8xf32>, tensor<4x4x4x8xf32>, tensor<4x4x4x8xf32>, tensor<4x4x4x8xf32>) -> tensor<4x4x4x8xf32>
    %397 = stablehlo.reshape %396 : (tensor<4x4x4x8xf32>) -> tensor<4x4x4x2x4xf32>
    %398 = stablehlo.multiply %115, %397 : tensor<4x4x4x2x4xf32>
    %cst_82 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %399 = stablehlo.reduce(%398 init: %cst_82) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x4x4x2x4xf32>, tensor<f32>) -> tensor<4x2xf32>
    %400 = stablehlo.reshape %399 : (tensor<4x2xf32>) -> tensor<4x1x1x2x1xf32>
    %401 = stablehlo.broadcast_in_dim %119, dims = [0, 1, 2, 3, 4] : (tensor<4x1x1x2x1xf32>) -> tensor<4x4x4x2x4xf32>
    %402 = stablehlo.multiply %397, %401 : tensor<4x4x4x2x4xf32>
    %403 = stablehlo.multiply %400, %122 : tensor<4x1x1x2x1xf32>
    %404 = call @_var_11(%116#1, %116#2, %116#3, %403) : (tensor<4x4x4x2x4xf32>, tensor<f32>, tensor<i1>, tensor<4x1x1x2x1xf32>) -> tensor<4x4x4x2x4xf32>
    %405 = stablehlo.negate %402 : tensor<4x4x4x2x4xf32>
    %cst_83 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %406 = stablehlo.reduce(%405 init: %cst_83) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x4x4x2x4xf32>, tensor<f32>) -> tensor<4x2xf32>
    %407 = stablehlo.reshape %406 : (tensor<4x2xf32>) -> tensor<4x1x1x2x1xf32>
    %408 = stablehlo.add %404, %402 : tensor<4x4x4x2x4xf32>
    %cst_84 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %409 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %410 = stablehlo.divide %407, %409 : tensor<4x1x1x2x1xf32>
    %cst_85 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %411 = stablehlo.reduce(%410 init: %cst_85) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x1x1x2x1xf32>, tensor<f32>) -> tensor<4x2xf32>
    %412 = stablehlo.broadcast_in_dim %411, dims = [0, 3] : (tensor<4x2xf32>) -> tensor<4x4x4x2x4xf32>
    %413 = stablehlo.add %408, %412 : tensor<4x4x4x2x4xf32>
    %414 = stablehlo.reshape %413 : (tensor<4x4x4x2x4xf32>) -> tensor<4x4x4x8xf32>
    %415 = stablehlo.convolution(%84, %392) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x4x4x8xf32>, tensor<4x4x4x8xf32>) -> tensor<1x1x8x8xf32>
    %416 = stablehlo.reverse %arg13, dims = [0, 1] : tensor<1x1x8x8xf32>
    %417 = stablehlo.convolution(%392, %416) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x4x4x8xf32>, tensor<1x1x8x8xf32>) -> tensor<4x4x4x8xf32>
    %cst_86 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %418 = stablehlo.reduce(%414 init: %cst_86) applies stablehlo.add across dimensions = [1, 2] : (tensor<4x4x4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %419 = stablehlo.reshape %418 : (tensor<4x8xf32>) -> tensor<4x1x1x8xf32>
    %cst_87 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %420 = stablehlo.reduce(%419 init: %cst_87) applies stablehlo.add across dimensions = [1, 2] : (tensor<4x1x1x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %421 = stablehlo.dot_general %420, %29#0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<4x16xf32>) -> tensor<8x16xf32>
    %422 = stablehlo.transpose %421, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %423 = stablehlo.dot_general %420, %arg14, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32>
    %424 = stablehlo.add %305, %423 : tensor<4x16xf32>
    %425 = stablehlo.convolution(%102#0, %414) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x4x4x8xf32>, tensor<4x4x4x8xf32>) -> tensor<3x3x8x8xf32>
    %426 = stablehlo.reverse %arg11, dims = [0, 1] : tensor<3x3x8x8xf32>
    %427 = stablehlo.convolution(%414, %426) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x4x4x8xf32>, tensor<3x3x8x8xf32>) -> tensor<4x4x4x8xf32>
    %428 = call @silu_12(%102#1, %102#2, %101, %427) : (tensor<4x4x4x8xf32>, tensor<4x4x4x8xf32>, tensor<4x4x4x8xf32>, tensor<4x4x4x8xf32>) -> tensor<4x4x4x8xf32>
    %429 = stablehlo.reshape %428 : (tensor<4x4x4x8xf32>) -> tensor<4x4x4x2x4xf32>
    %430 = stablehlo.multiply %91, %429 : tensor<4x4x4x2x4xf32>
    %cst_88 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %431 = stablehlo.reduce(%430 init: %cst_88) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x4x4x2x4xf32>, tensor<f32>) -> tensor<4x2xf32>
    %432 = stablehlo.reshape %431 : (tensor<4x2xf32>) -> tensor<4x1x1x2x1xf32>
    %433 = stablehlo.broadcast_in_dim %95, dims = [0, 1, 2, 3, 4] : (tensor<4x1x1x2x1xf32>) -> tensor<4x4x4x2x4xf32>
    %434 = stablehlo.multiply %429, %433 : tensor<4x4x4x2x4xf32>
    %435 = stablehlo.multiply %432, %98 : tensor<4x1x1x2x1xf32>
    %436 = call @_var_11(%92#1, %92#2, %92#3, %435) : (tensor<4x4x4x2x4xf32>, tensor<f32>, tensor<i1>, tensor<4x1x1x2x1xf32>) -> tensor<4x4x4x2x4xf32>
    %437 = stablehlo.negate %434 : tensor<4x4x4x2x4xf32>
    %cst_89 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %438 = stablehlo.reduce(%437 init: %cst_89) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x4x4x2x4xf32>, tensor<f32>) -> tensor<4x2xf32>
    %439 = stablehlo.reshape %438 : (tensor<4x2xf32>) -> tensor<4x1x1x2x1xf32>
    %440 = stablehlo.add %436, %434 : tensor<4x4x4x2x4xf32>
    %cst_90 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %441 = stablehlo.broadcast_in_dim %cst_90, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %442 = stablehlo.divide %439, %441 : tensor<4x1x1x2x1xf32>
    %cst_91 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %443 = stablehlo.reduce(%442 init: %cst_91) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x1x1x2x1xf32>, tensor<f32>) -> tensor<4x2xf32>
    %444 = stablehlo.broadcast_in_dim %443, dims = [0, 3] : (tensor<4x2xf32>) -> tensor<4x4x4x2x4xf32>
    %445 = stablehlo.add %440, %444 : tensor<4x4x4x2x4xf32>
    %446 = stablehlo.reshape %445 : (tensor<4x4x4x2x4xf32>) -> tensor<4x4x4x8xf32>
    %447 = stablehlo.add %417, %446 : tensor<4x4x4x8xf32>
    %448 = stablehlo.convolution(%83, %447) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x8x4xf32>, tensor<4x4x4x8xf32>) -> tensor<3x3x4x8xf32>
    %449 = stablehlo.reverse %arg0, dims = [0, 1] : tensor<3x3x4x8xf32>
    %450 = stablehlo.convolution(%447, %449) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 1], [2, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x4x4x8xf32>, tensor<3x3x4x8xf32>) -> tensor<4x8x8x4xf32>
    %451 = stablehlo.add %329, %450 : tensor<4x8x8x4xf32>
    %452 = stablehlo.convolution(%81#0, %451) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x8x4xf32>, tensor<4x8x8x4xf32>) -> tensor<3x3x4x4xf32>
    %453 = stablehlo.reverse %arg3, dims = [0, 1] : tensor<3x3x4x4xf32>
    %454 = stablehlo.convolution(%451, %453) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<4x8x8x4xf32>
    %455 = call @silu_6(%81#1, %81#2, %80, %454) : (tensor<4x8x8x4xf32>, tensor<4x8x8x4xf32>, tensor<4x8x8x4xf32>, tensor<4x8x8x4xf32>) -> tensor<4x8x8x4xf32>
    %456 = stablehlo.reshape %455 : (tensor<4x8x8x4xf32>) -> tensor<4x8x8x2x2xf32>
    %457 = stablehlo.multiply %70, %456 : tensor<4x8x8x2x2xf32>
    %cst_92 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %458 = stablehlo.reduce(%457 init: %cst_92) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x8x8x2x2xf32>, tensor<f32>) -> tensor<4x2xf32>
    %459 = stablehlo.reshape %458 : (tensor<4x2xf32>) -> tensor<4x1x1x2x1xf32>
    %460 = stablehlo.broadcast_in_dim %74, dims = [0, 1, 2, 3, 4] : (tensor<4x1x1x2x1xf32>) -> tensor<4x8x8x2x2xf32>
    %461 = stablehlo.multiply %456, %460 : tensor<4x8x8x2x2xf32>
    %462 = stablehlo.multiply %459, %77 : tensor<4x1x1x2x1xf32>
    %463 = call @_var_7(%71#1, %71#2, %71#3, %462) : (tensor<4x8x8x2x2xf32>, tensor<f32>, tensor<i1>, tensor<4x1x1x2x1xf32>) -> tensor<4x8x8x2x2xf32>
    %464 = stablehlo.negate %461 : tensor<4x8x8x2x2xf32>
    %cst_93 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %465 = stablehlo.reduce(%464 init: %cst_93) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x8x8x2x2xf32>, tensor<f32>) -> tensor<4x2xf32>
    %466 = stablehlo.reshape %465 : (tensor<4x2xf32>) -> tensor<4x1x1x2x1xf32>
    %467 = stablehlo.add %463, %461 : tensor<4x8x8x2x2xf32>
    %cst_94 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %468 = stablehlo.broadcast_in_dim %cst_94, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %469 = stablehlo.divide %466, %468 : tensor<4x1x1x2x1xf32>
    %cst_95 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %470 = stablehlo.reduce(%469 init: %cst_95) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x1x1x2x1xf32>, tensor<f32>) -> tensor<4x2xf32>
    %471 = stablehlo.broadcast_in_dim %470, dims = [0, 3] : (tensor<4x2xf32>) -> tensor<4x8x8x2x2xf32>
    %472 = stablehlo.add %467, %471 : tensor<4x8x8x2x2xf32>
    %473 = stablehlo.reshape %472 : (tensor<4x8x8x2x2xf32>) -> tensor<4x8x8x4xf32>
    %474 = stablehlo.convolution(%39, %451) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x8x4xf32>, tensor<4x8x8x4xf32>) -> tensor<1x1x4x4xf32>
    %475 = stablehlo.reverse %arg4, dims = [0, 1] : tensor<1x1x4x4xf32>
    %476 = stablehlo.convolution(%451, %475) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x8x4xf32>, tensor<1x1x4x4xf32>) -> tensor<4x8x8x4xf32>
    %cst_96 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %477 = stablehlo.reduce(%473 init: %cst_96) applies stablehlo.add across dimensions = [1, 2] : (tensor<4x8x8x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    %478 = stablehlo.reshape %477 : (tensor<4x4xf32>) -> tensor<4x1x1x4xf32>
    %cst_97 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %479 = stablehlo.reduce(%478 init: %cst_97) applies stablehlo.add across dimensions = [1, 2] : (tensor<4x1x1x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    %480 = stablehlo.dot_general %479, %29#0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
    %481 = stablehlo.transpose %480, dims = [1, 0] : (tensor<4x16xf32>) -> tensor<16x4xf32>
    %482 = stablehlo.dot_general %479, %arg5, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf32>, tensor<16x4xf32>) -> tensor<4x16xf32>
    %483 = stablehlo.add %424, %482 : tensor<4x16xf32>
    %484 = stablehlo.convolution(%57#0, %473) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x8x4xf32>, tensor<4x8x8x4xf32>) -> tensor<3x3x4x4xf32>
    %485 = stablehlo.reverse %arg2, dims = [0, 1] : tensor<3x3x4x4xf32>
    %486 = stablehlo.convolution(%473, %485) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<4x8x8x4xf32>
    %487 = call @silu_6(%57#1, %57#2, %56, %486) : (tensor<4x8x8x4xf32>, tensor<4x8x8x4xf32>, tensor<4x8x8x4xf32>, tensor<4x8x8x4xf32>) -> tensor<4x8x8x4xf32>
    %488 = stablehlo.reshape %487 : (tensor<4x8x8x4xf32>) -> tensor<4x8x8x2x2xf32>
    %489 = stablehlo.multiply %46, %488 : tensor<4x8x8x2x2xf32>
    %cst_98 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %490 = stablehlo.reduce(%489 init: %cst_98) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x8x8x2x2xf32>, tensor<f32>) -> tensor<4x2xf32>
    %491 = stablehlo.reshape %490 : (tensor<4x2xf32>) -> tensor<4x1x1x2x1xf32>
    %492 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2, 3, 4] : (tensor<4x1x1x2x1xf32>) -> tensor<4x8x8x2x2xf32>
    %493 = stablehlo.multiply %488, %492 : tensor<4x8x8x2x2xf32>
    %494 = stablehlo.multiply %491, %53 : tensor<4x1x1x2x1xf32>
    %495 = call @_var_7(%47#1, %47#2, %47#3, %494) : (tensor<4x8x8x2x2xf32>, tensor<f32>, tensor<i1>, tensor<4x1x1x2x1xf32>) -> tensor<4x8x8x2x2xf32>
    %496 = stablehlo.negate %493 : tensor<4x8x8x2x2xf32>
    %cst_99 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %497 = stablehlo.reduce(%496 init: %cst_99) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x8x8x2x2xf32>, tensor<f32>) -> tensor<4x2xf32>
    %498 = stablehlo.reshape %497 : (tensor<4x2xf32>) -> tensor<4x1x1x2x1xf32>
    %499 = stablehlo.add %495, %493 : tensor<4x8x8x2x2xf32>
    %cst_100 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %500 = stablehlo.broadcast_in_dim %cst_100, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %501 = stablehlo.divide %498, %500 : tensor<4x1x1x2x1xf32>
    %cst_101 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %502 = stablehlo.reduce(%501 init: %cst_101) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x1x1x2x1xf32>, tensor<f32>) -> tensor<4x2xf32>
    %503 = stablehlo.broadcast_in_dim %502, dims = [0, 3] : (tensor<4x2xf32>) -> tensor<4x8x8x2x2xf32>
    %504 = stablehlo.add %499, %503 : tensor<4x8x8x2x2xf32>
    %505 = stablehlo.reshape %504 : (tensor<4x8x8x2x2xf32>) -> tensor<4x8x8x4xf32>
    %506 = stablehlo.add %476, %505 : tensor<4x8x8x4xf32>
    %507 = stablehlo.convolution(%38, %506) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x8x3xf32>, tensor<4x8x8x4xf32>) -> tensor<3x3x3x4xf32>
    %508 = call @silu_13(%29#1, %29#2, %28, %483) : (tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
    %509 = stablehlo.dot_general %508, %27, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<4x8xf32>) -> tensor<16x8xf32>
    %510 = stablehlo.transpose %509, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %cst_102 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %511 = stablehlo.broadcast_in_dim %cst_102, dims = [] : (tensor<f32>) -> tensor<3x3x4x8xf32>
    %512 = stablehlo.multiply %511, %448 : tensor<3x3x4x8xf32>
    %513 = stablehlo.subtract %arg0, %512 : tensor<3x3x4x8xf32>
    %cst_103 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %514 = stablehlo.broadcast_in_dim %cst_103, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %515 = stablehlo.multiply %514, %510 : tensor<8x16xf32>
    %516 = stablehlo.subtract %arg1, %515 : tensor<8x16xf32>
    %cst_104 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %517 = stablehlo.broadcast_in_dim %cst_104, dims = [] : (tensor<f32>) -> tensor<3x3x4x4xf32>
    %518 = stablehlo.multiply %517, %484 : tensor<3x3x4x4xf32>
    %519 = stablehlo.subtract %arg2, %518 : tensor<3x3x4x4xf32>
    %cst_105 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %520 = stablehlo.broadcast_in_dim %cst_105, dims = [] : (tensor<f32>) -> tensor<3x3x4x4xf32>
    %521 = stablehlo.multiply %520, %452 : tensor<3x3x4x4xf32>
    %522 = stablehlo.subtract %arg3, %521 : tensor<3x3x4x4xf32>
    %cst_106 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %523 = stablehlo.broadcast_in_dim %cst_106, dims = [] : (tensor<f32>) -> tensor<1x1x4x4xf32>
    %524 = stablehlo.multiply %523, %474 : tensor<1x1x4x4xf32>
    %525 = stablehlo.subtract %arg4, %524 : tensor<1x1x4x4xf32>
    %cst_107 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %526 = stablehlo.broadcast_in_dim %cst_107, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
    %527 = stablehlo.multiply %526, %481 : tensor<16x4xf32>
    %528 = stablehlo.subtract %arg5, %527 : tensor<16x4xf32>
    %cst_108 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %529 = stablehlo.broadcast_in_dim %cst_108, dims = [] : (tensor<f32>) -> tensor<3x3x3x4xf32>
    %530 = stablehlo.multiply %529, %507 : tensor<3x3x3x4xf32>
    %531 = stablehlo.subtract %arg6, %530 : tensor<3x3x3x4xf32>
    %cst_109 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %532 = stablehlo.broadcast_in_dim %cst_109, dims = [] : (tensor<f32>) -> tensor<3x3x12x4xf32>
    %533 = stablehlo.multiply %532, %306 : tensor<3x3x12x4xf32>
    %534 = stablehlo.subtract %arg7, %533 : tensor<3x3x12x4xf32>
    %cst_110 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %535 = stablehlo.broadcast_in_dim %cst_110, dims = [] : (tensor<f32>) -> tensor<3x3x4x4xf32>
    %536 = stablehlo.multiply %535, %275 : tensor<3x3x4x4xf32>
    %537 = stablehlo.subtract %arg8, %536 : tensor<3x3x4x4xf32>
    %cst_111 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %538 = stablehlo.broadcast_in_dim %cst_111, dims = [] : (tensor<f32>) -> tensor<1x1x12x4xf32>
    %539 = stablehlo.multiply %538, %297 : tensor<1x1x12x4xf32>
    %540 = stablehlo.subtract %arg9, %539 : tensor<1x1x12x4xf32>
    %cst_112 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %541 = stablehlo.broadcast_in_dim %cst_112, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
    %542 = stablehlo.multiply %541, %304 : tensor<16x4xf32>
    %543 = stablehlo.subtract %arg10, %542 : tensor<16x4xf32>
    %cst_113 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %544 = stablehlo.broadcast_in_dim %cst_113, dims = [] : (tensor<f32>) -> tensor<3x3x8x8xf32>
    %545 = stablehlo.multiply %544, %425 : tensor<3x3x8x8xf32>
    %546 = stablehlo.subtract %arg11, %545 : tensor<3x3x8x8xf32>
    %cst_114 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %547 = stablehlo.broadcast_in_dim %cst_114, dims = [] : (tensor<f32>) -> tensor<3x3x8x8xf32>
    %548 = stablehlo.multiply %547, %393 : tensor<3x3x8x8xf32>
    %549 = stablehlo.subtract %arg12, %548 : tensor<3x3x8x8xf32>
    %cst_115 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %550 = stablehlo.broadcast_in_dim %cst_115, dims = [] : (tensor<f32>) -> tensor<1x1x8x8xf32>
    %551 = stablehlo.multiply %550, %415 : tensor<1x1x8x8xf32>
    %552 = stablehlo.subtract %arg13, %551 : tensor<1x1x8x8xf32>
    %cst_116 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %553 = stablehlo.broadcast_in_dim %cst_116, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %554 = stablehlo.multiply %553, %422 : tensor<16x8xf32>
    %555 = stablehlo.subtract %arg14, %554 : tensor<16x8xf32>
    %cst_117 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %556 = stablehlo.broadcast_in_dim %cst_117, dims = [] : (tensor<f32>) -> tensor<2x4x8xf32>
    %557 = stablehlo.multiply %556, %337 : tensor<2x4x8xf32>
    %558 = stablehlo.subtract %arg15, %557 : tensor<2x4x8xf32>
    %cst_118 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %559 = stablehlo.broadcast_in_dim %cst_118, dims = [] : (tensor<f32>) -> tensor<3x3x4x3xf32>
    %560 = stablehlo.multiply %559, %253 : tensor<3x3x4x3xf32>
    %561 = stablehlo.subtract %arg16, %560 : tensor<3x3x4x3xf32>
    %cst_119 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %562 = stablehlo.broadcast_in_dim %cst_119, dims = [] : (tensor<f32>) -> tensor<8x3x2x4xf32>
    %563 = stablehlo.multiply %562, %371 : tensor<8x3x2x4xf32>
    %564 = stablehlo.subtract %arg17, %563 : tensor<8x3x2x4xf32>
    return %513, %516, %519, %522, %525, %528, %531, %534, %537, %540, %543, %546, %549, %552, %555, %558, %561, %564, %249 : tensor<3x3x4x8xf32>, tensor<8x16xf32>, tensor<3x3x4x4xf32>, tensor<3x3x4x4xf32>, tensor<1x1x4x4xf32>, tensor<16x4xf32>, tensor<3x3x3x4xf32>, tensor<3x3x12x4xf32>, tensor<3x3x4x4xf32>, tensor<1x1x12x4xf32>, tensor<16x4xf32>, tensor<3x3x8x8xf32>, tensor<3x3x8x8xf32>, tensor<1x1x8x8xf32>, tensor<16x8xf32>, tensor<2x4x8xf32>, tensor<3x3x4x3xf32>, tensor<8x3x2x4xf32>, tensor<f32>
  }
  func.func private @_linspace(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<8xf32> {
    %0 = stablehlo.convert %arg0 : tensor<f32>
    %1 = stablehlo.convert %arg1 : tensor<f32>
    %2 = stablehlo.iota dim = 0 : tensor<7xf32>
    %cst = stablehlo.constant dense<7.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %4 = stablehlo.divide %2, %3 : tensor<7xf32>
    %5 = stablehlo.reshape %0 : (tensor<f32>) -> tensor<1xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %7 = stablehlo.subtract %6, %4 : tensor<7xf32>
    %8 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<1xf32>) -> tensor<7xf32>
    %9 = stablehlo.multiply %8, %7 : tensor<7xf32>
    %10 = stablehlo.reshape %1 : (tensor<f32>) -> tensor<1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<1xf32>) -> tensor<7xf32>
    %12 = stablehlo.multiply %11, %4 : tensor<7xf32>
    %13 = stablehlo.add %9, %12 : tensor<7xf32>
    %14 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %15 = stablehlo.concatenate %13, %14, dim = 0 : (tensor<7xf32>, tensor<1xf32>) -> tensor<8xf32>
    return %15 : tensor<8xf32>
  }
  func.func private @cumprod(%arg0: tensor<8xf32>) -> tensor<8xf32> {
    %0 = call @cumprod_0(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
  func.func private @cumprod_0(%arg0: tensor<8xf32>) -> tensor<8xf32> {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = "stablehlo.reduce_window"(%arg0, %cst) <{base_dilations = array<i64: 1>, padding = dense<[[7, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 8>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = stablehlo.multiply %arg1, %arg2 : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
  func.func private @silu(%arg0: tensor<4x16xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>) {
    %0 = stablehlo.negate %arg0 : tensor<4x16xf32>
    %1 = stablehlo.exponential %0 : tensor<4x16xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %3 = stablehlo.add %2, %1 : tensor<4x16xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %5 = stablehlo.divide %4, %3 : tensor<4x16xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %7 = stablehlo.subtract %6, %5 : tensor<4x16xf32>
    %8 = stablehlo.multiply %5, %7 : tensor<4x16xf32>
    %9 = stablehlo.multiply %arg0, %5 : tensor<4x16xf32>
    return %9, %8, %5 : tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>
  }
  func.func private @_var(%arg0: tensor<4x8x8x2x2xf32>, %arg1: tensor<i32>) -> (tensor<4x1x1x2x1xf32>, tensor<4x8x8x2x2xf32>, tensor<f32>, tensor<i1>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x8x8x2x2xf32>, tensor<f32>) -> tensor<4x2xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 3] : (tensor<4x2xf32>) -> tensor<4x1x1x2x1xf32>
    %cst_0 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<4x1x1x2x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3, 4] : (tensor<4x1x1x2x1xf32>) -> tensor<4x8x8x2x2xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x8x8x2x2xf32>
    %6 = chlo.square %5 : tensor<4x8x8x2x2xf32> -> tensor<4x8x8x2x2xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x8x8x2x2xf32>
    %8 = stablehlo.multiply %7, %5 : tensor<4x8x8x2x2xf32>
    %9 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %10 = stablehlo.subtract %cst_2, %9 : tensor<f32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%6 init: %cst_3) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x8x8x2x2xf32>, tensor<f32>) -> tensor<4x2xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 3] : (tensor<4x2xf32>) -> tensor<4x1x1x2x1xf32>
    %13 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %14 = stablehlo.divide %12, %13 : tensor<4x1x1x2x1xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.compare GT, %10, %cst_4, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_5 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %16 = call @_where(%15, %14, %cst_5) : (tensor<i1>, tensor<4x1x1x2x1xf32>, tensor<f32>) -> tensor<4x1x1x2x1xf32>
    return %16, %8, %10, %15 : tensor<4x1x1x2x1xf32>, tensor<4x8x8x2x2xf32>, tensor<f32>, tensor<i1>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<4x1x1x2x1xf32>, %arg2: tensor<f32>) -> tensor<4x1x1x2x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<4x1x1x2x1xf32>
    return %2 : tensor<4x1x1x2x1xf32>
  }
  func.func private @silu_1(%arg0: tensor<4x8x8x4xf32>) -> (tensor<4x8x8x4xf32>, tensor<4x8x8x4xf32>, tensor<4x8x8x4xf32>) {
    %0 = stablehlo.negate %arg0 : tensor<4x8x8x4xf32>
    %1 = stablehlo.exponential %0 : tensor<4x8x8x4xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x8x4xf32>
    %3 = stablehlo.add %2, %1 : tensor<4x8x8x4xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x8x8x4xf32>
    %5 = stablehlo.divide %4, %3 : tensor<4x8x8x4xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x8x8x4xf32>
    %7 = stablehlo.subtract %6, %5 : tensor<4x8x8x4xf32>
    %8 = stablehlo.multiply %5, %7 : tensor<4x8x8x4xf32>
    %9 = stablehlo.multiply %arg0, %5 : tensor<4x8x8x4xf32>
    return %9, %8, %5 : tensor<4x8x8x4xf32>, tensor<4x8x8x4xf32>, tensor<4x8x8x4xf32>
  }
  func.func private @_var_2(%arg0: tensor<4x4x4x2x4xf32>, %arg1: tensor<i32>) -> (tensor<4x1x1x2x1xf32>, tensor<4x4x4x2x4xf32>, tensor<f32>, tensor<i1>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x4x4x2x4xf32>, tensor<f32>) -> tensor<4x2xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 3] : (tensor<4x2xf32>) -> tensor<4x1x1x2x1xf32>
    %cst_0 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<4x1x1x2x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3, 4] : (tensor<4x1x1x2x1xf32>) -> tensor<4x4x4x2x4xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x4x4x2x4xf32>
    %6 = chlo.square %5 : tensor<4x4x4x2x4xf32> -> tensor<4x4x4x2x4xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x4x4x2x4xf32>
    %8 = stablehlo.multiply %7, %5 : tensor<4x4x4x2x4xf32>
    %9 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %10 = stablehlo.subtract %cst_2, %9 : tensor<f32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%6 init: %cst_3) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x4x4x2x4xf32>, tensor<f32>) -> tensor<4x2xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 3] : (tensor<4x2xf32>) -> tensor<4x1x1x2x1xf32>
    %13 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %14 = stablehlo.divide %12, %13 : tensor<4x1x1x2x1xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.compare GT, %10, %cst_4, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_5 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %16 = call @_where(%15, %14, %cst_5) : (tensor<i1>, tensor<4x1x1x2x1xf32>, tensor<f32>) -> tensor<4x1x1x2x1xf32>
    return %16, %8, %10, %15 : tensor<4x1x1x2x1xf32>, tensor<4x4x4x2x4xf32>, tensor<f32>, tensor<i1>
  }
  func.func private @silu_3(%arg0: tensor<4x4x4x8xf32>) -> (tensor<4x4x4x8xf32>, tensor<4x4x4x8xf32>, tensor<4x4x4x8xf32>) {
    %0 = stablehlo.negate %arg0 : tensor<4x4x4x8xf32>
    %1 = stablehlo.exponential %0 : tensor<4x4x4x8xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x4x4x8xf32>
    %3 = stablehlo.add %2, %1 : tensor<4x4x4x8xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x4x4x8xf32>
    %5 = stablehlo.divide %4, %3 : tensor<4x4x4x8xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x4x4x8xf32>
    %7 = stablehlo.subtract %6, %5 : tensor<4x4x4x8xf32>
    %8 = stablehlo.multiply %5, %7 : tensor<4x4x4x8xf32>
    %9 = stablehlo.multiply %arg0, %5 : tensor<4x4x4x8xf32>
    return %9, %8, %5 : tensor<4x4x4x8xf32>, tensor<4x4x4x8xf32>, tensor<4x4x4x8xf32>
  }
  func.func private @_var_4(%arg0: tensor<4x8x8x2x6xf32>, %arg1: tensor<i32>) -> (tensor<4x1x1x2x1xf32>, tensor<4x8x8x2x6xf32>, tensor<f32>, tensor<i1>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x8x8x2x6xf32>, tensor<f32>) -> tensor<4x2xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 3] : (tensor<4x2xf32>) -> tensor<4x1x1x2x1xf32>
    %cst_0 = stablehlo.constant dense<3.840000e+02> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<4x1x1x2x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3, 4] : (tensor<4x1x1x2x1xf32>) -> tensor<4x8x8x2x6xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x8x8x2x6xf32>
    %6 = chlo.square %5 : tensor<4x8x8x2x6xf32> -> tensor<4x8x8x2x6xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x8x8x2x6xf32>
    %8 = stablehlo.multiply %7, %5 : tensor<4x8x8x2x6xf32>
    %9 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<3.840000e+02> : tensor<f32>
    %10 = stablehlo.subtract %cst_2, %9 : tensor<f32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%6 init: %cst_3) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x8x8x2x6xf32>, tensor<f32>) -> tensor<4x2xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 3] : (tensor<4x2xf32>) -> tensor<4x1x1x2x1xf32>
    %13 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %14 = stablehlo.divide %12, %13 : tensor<4x1x1x2x1xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.compare GT, %10, %cst_4, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_5 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %16 = call @_where(%15, %14, %cst_5) : (tensor<i1>, tensor<4x1x1x2x1xf32>, tensor<f32>) -> tensor<4x1x1x2x1xf32>
    return %16, %8, %10, %15 : tensor<4x1x1x2x1xf32>, tensor<4x8x8x2x6xf32>, tensor<f32>, tensor<i1>
  }
  func.func private @silu_5(%arg0: tensor<4x8x8x12xf32>) -> (tensor<4x8x8x12xf32>, tensor<4x8x8x12xf32>, tensor<4x8x8x12xf32>) {
    %0 = stablehlo.negate %arg0 : tensor<4x8x8x12xf32>
    %1 = stablehlo.exponential %0 : tensor<4x8x8x12xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x8x12xf32>
    %3 = stablehlo.add %2, %1 : tensor<4x8x8x12xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x8x8x12xf32>
    %5 = stablehlo.divide %4, %3 : tensor<4x8x8x12xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x8x8x12xf32>
    %7 = stablehlo.subtract %6, %5 : tensor<4x8x8x12xf32>
    %8 = stablehlo.multiply %5, %7 : tensor<4x8x8x12xf32>
    %9 = stablehlo.multiply %arg0, %5 : tensor<4x8x8x12xf32>
    return %9, %8, %5 : tensor<4x8x8x12xf32>, tensor<4x8x8x12xf32>, tensor<4x8x8x12xf32>
  }
  func.func private @silu_6(%arg0: tensor<4x8x8x4xf32>, %arg1: tensor<4x8x8x4xf32>, %arg2: tensor<4x8x8x4xf32>, %arg3: tensor<4x8x8x4xf32>) -> tensor<4x8x8x4xf32> {
    %0 = stablehlo.multiply %arg2, %arg3 : tensor<4x8x8x4xf32>
    %1 = stablehlo.multiply %arg3, %arg1 : tensor<4x8x8x4xf32>
    %2 = stablehlo.multiply %0, %arg0 : tensor<4x8x8x4xf32>
    %3 = stablehlo.add %1, %2 : tensor<4x8x8x4xf32>
    return %3 : tensor<4x8x8x4xf32>
  }
  func.func private @_var_7(%arg0: tensor<4x8x8x2x2xf32>, %arg1: tensor<f32>, %arg2: tensor<i1>, %arg3: tensor<4x1x1x2x1xf32>) -> tensor<4x8x8x2x2xf32> {
    %0 = call @_where_8(%arg2, %arg3) : (tensor<i1>, tensor<4x1x1x2x1xf32>) -> tensor<4x1x1x2x1xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %2 = stablehlo.divide %0, %1 : tensor<4x1x1x2x1xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x1x1x2x1xf32>, tensor<f32>) -> tensor<4x2xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 3] : (tensor<4x2xf32>) -> tensor<4x8x8x2x2xf32>
    %5 = stablehlo.multiply %4, %arg0 : tensor<4x8x8x2x2xf32>
    %6 = stablehlo.negate %5 : tensor<4x8x8x2x2xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_0) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x8x8x2x2xf32>, tensor<f32>) -> tensor<4x2xf32>
    %8 = stablehlo.reshape %7 : (tensor<4x2xf32>) -> tensor<4x1x1x2x1xf32>
    %cst_1 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<4x1x1x2x1xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x1x1x2x1xf32>, tensor<f32>) -> tensor<4x2xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 3] : (tensor<4x2xf32>) -> tensor<4x8x8x2x2xf32>
    %13 = stablehlo.add %5, %12 : tensor<4x8x8x2x2xf32>
    return %13 : tensor<4x8x8x2x2xf32>
  }
  func.func private @_where_8(%arg0: tensor<i1>, %arg1: tensor<4x1x1x2x1xf32>) -> tensor<4x1x1x2x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<i1>, tensor<4x1x1x2x1xf32>
    return %1 : tensor<4x1x1x2x1xf32>
  }
  func.func private @silu_9(%arg0: tensor<4x8x8x12xf32>, %arg1: tensor<4x8x8x12xf32>, %arg2: tensor<4x8x8x12xf32>, %arg3: tensor<4x8x8x12xf32>) -> tensor<4x8x8x12xf32> {
    %0 = stablehlo.multiply %arg2, %arg3 : tensor<4x8x8x12xf32>
    %1 = stablehlo.multiply %arg3, %arg1 : tensor<4x8x8x12xf32>
    %2 = stablehlo.multiply %0, %arg0 : tensor<4x8x8x12xf32>
    %3 = stablehlo.add %1, %2 : tensor<4x8x8x12xf32>
    return %3 : tensor<4x8x8x12xf32>
  }
  func.func private @_var_10(%arg0: tensor<4x8x8x2x6xf32>, %arg1: tensor<f32>, %arg2: tensor<i1>, %arg3: tensor<4x1x1x2x1xf32>) -> tensor<4x8x8x2x6xf32> {
    %0 = call @_where_8(%arg2, %arg3) : (tensor<i1>, tensor<4x1x1x2x1xf32>) -> tensor<4x1x1x2x1xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %2 = stablehlo.divide %0, %1 : tensor<4x1x1x2x1xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x1x1x2x1xf32>, tensor<f32>) -> tensor<4x2xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 3] : (tensor<4x2xf32>) -> tensor<4x8x8x2x6xf32>
    %5 = stablehlo.multiply %4, %arg0 : tensor<4x8x8x2x6xf32>
    %6 = stablehlo.negate %5 : tensor<4x8x8x2x6xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_0) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x8x8x2x6xf32>, tensor<f32>) -> tensor<4x2xf32>
    %8 = stablehlo.reshape %7 : (tensor<4x2xf32>) -> tensor<4x1x1x2x1xf32>
    %cst_1 = stablehlo.constant dense<3.840000e+02> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<4x1x1x2x1xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x1x1x2x1xf32>, tensor<f32>) -> tensor<4x2xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 3] : (tensor<4x2xf32>) -> tensor<4x8x8x2x6xf32>
    %13 = stablehlo.add %5, %12 : tensor<4x8x8x2x6xf32>
    return %13 : tensor<4x8x8x2x6xf32>
  }
  func.func private @_var_11(%arg0: tensor<4x4x4x2x4xf32>, %arg1: tensor<f32>, %arg2: tensor<i1>, %arg3: tensor<4x1x1x2x1xf32>) -> tensor<4x4x4x2x4xf32> {
    %0 = call @_where_8(%arg2, %arg3) : (tensor<i1>, tensor<4x1x1x2x1xf32>) -> tensor<4x1x1x2x1xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %2 = stablehlo.divide %0, %1 : tensor<4x1x1x2x1xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x1x1x2x1xf32>, tensor<f32>) -> tensor<4x2xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 3] : (tensor<4x2xf32>) -> tensor<4x4x4x2x4xf32>
    %5 = stablehlo.multiply %4, %arg0 : tensor<4x4x4x2x4xf32>
    %6 = stablehlo.negate %5 : tensor<4x4x4x2x4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_0) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x4x4x2x4xf32>, tensor<f32>) -> tensor<4x2xf32>
    %8 = stablehlo.reshape %7 : (tensor<4x2xf32>) -> tensor<4x1x1x2x1xf32>
    %cst_1 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x1x1x2x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<4x1x1x2x1xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [1, 2, 4] : (tensor<4x1x1x2x1xf32>, tensor<f32>) -> tensor<4x2xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 3] : (tensor<4x2xf32>) -> tensor<4x4x4x2x4xf32>
    %13 = stablehlo.add %5, %12 : tensor<4x4x4x2x4xf32>
    return %13 : tensor<4x4x4x2x4xf32>
  }
  func.func private @silu_12(%arg0: tensor<4x4x4x8xf32>, %arg1: tensor<4x4x4x8xf32>, %arg2: tensor<4x4x4x8xf32>, %arg3: tensor<4x4x4x8xf32>) -> tensor<4x4x4x8xf32> {
    %0 = stablehlo.multiply %arg2, %arg3 : tensor<4x4x4x8xf32>
    %1 = stablehlo.multiply %arg3, %arg1 : tensor<4x4x4x8xf32>
    %2 = stablehlo.multiply %0, %arg0 : tensor<4x4x4x8xf32>
    %3 = stablehlo.add %1, %2 : tensor<4x4x4x8xf32>
    return %3 : tensor<4x4x4x8xf32>
  }
  func.func private @silu_13(%arg0: tensor<4x16xf32>, %arg1: tensor<4x16xf32>, %arg2: tensor<4x16xf32>, %arg3: tensor<4x16xf32>) -> tensor<4x16xf32> {
    %0 = stablehlo.multiply %arg2, %arg3 : tensor<4x16xf32>
    %1 = stablehlo.multiply %arg3, %arg1 : tensor<4x16xf32>
    %2 = stablehlo.multiply %0, %arg0 : tensor<4x16xf32>
    %3 = stablehlo.add %1, %2 : tensor<4x16xf32>
    return %3 : tensor<4x16xf32>
  }
}
