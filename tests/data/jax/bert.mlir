module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<32x16xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<2x8x16xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<16x3x2x8xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<16x32xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<32x16xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<2x8x16xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<16x3x2x8xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<16x32xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<8x16xf32> {tf.aliasing_output = 8 : i32}, %arg9: tensor<4x16xf32> {tf.aliasing_output = 9 : i32}, %arg10: tensor<32x16xf32> {tf.aliasing_output = 10 : i32}, %arg11: tensor<4x8xi32>, %arg12: tensor<4x8xi32>, %arg13: tensor<4x8xi32>) -> (tensor<32x16xf32> {jax.result_info = "result[0]['layers'][0]['down']"}, tensor<2x8x16xf32> {jax.result_info = "result[0]['layers'][0]['out']"}, tensor<16x3x2x8xf32> {jax.result_info = "result[0]['layers'][0]['qkv']"}, tensor<16x32xf32> {jax.result_info = "result[0]['layers'][0]['up']"}, tensor<32x16xf32> {jax.result_info = "result[0]['layers'][1]['down']"}, tensor<2x8x16xf32> {jax.result_info = "result[0]['layers'][1]['out']"}, tensor<16x3x2x8xf32> {jax.result_info = "result[0]['layers'][1]['qkv']"}, tensor<16x32xf32> {jax.result_info = "result[0]['layers'][1]['up']"}, tensor<8x16xf32> {jax.result_info = "result[0]['wpe']"}, tensor<4x16xf32> {jax.result_info = "result[0]['wse']"}, tensor<32x16xf32> {jax.result_info = "result[0]['wte']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x8xi32>
    %1 = stablehlo.compare LT, %arg11, %0, SIGNED : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi1>
    %c_0 = stablehlo.constant dense<32> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x8xi32>
    %3 = stablehlo.add %arg11, %2 : tensor<4x8xi32>
    %4 = stablehlo.select %1, %3, %arg11 : tensor<4x8xi1>, tensor<4x8xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<4x8xi32>) -> tensor<4x8x1xi32>
    %6 = "stablehlo.gather"(%arg10, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<32x16xf32>, tensor<4x8x1xi32>) -> tensor<4x8x16xf32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<4x8xi32>
    %8 = stablehlo.compare LT, %arg12, %7, SIGNED : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi1>
    %c_2 = stablehlo.constant dense<4> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4x8xi32>
    %10 = stablehlo.add %arg12, %9 : tensor<4x8xi32>
    %11 = stablehlo.select %8, %10, %arg12 : tensor<4x8xi1>, tensor<4x8xi32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<4x8xi32>) -> tensor<4x8x1xi32>
    %13 = "stablehlo.gather"(%arg9, %12) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<4x16xf32>, tensor<4x8x1xi32>) -> tensor<4x8x16xf32>
    %14 = stablehlo.add %6, %13 : tensor<4x8x16xf32>
    %15 = stablehlo.broadcast_in_dim %arg8, dims = [1, 2] : (tensor<8x16xf32>) -> tensor<1x8x16xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<1x8x16xf32>) -> tensor<4x8x16xf32>
    %17 = stablehlo.add %14, %16 : tensor<4x8x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_3 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %21 = stablehlo.divide %19, %20 : tensor<4x8x1xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %23 = stablehlo.subtract %17, %22 : tensor<4x8x16xf32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %24:4 = call @_var(%17, %c_4) : (tensor<4x8x16xf32>, tensor<i32>) -> (tensor<4x8x1xf32>, tensor<4x8x16xf32>, tensor<f32>, tensor<i1>)
    %cst_5 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %26 = stablehlo.add %24#0, %25 : tensor<4x8x1xf32>
    %27 = stablehlo.rsqrt %26 : tensor<4x8x1xf32>
    %28 = stablehlo.divide %27, %26 : tensor<4x8x1xf32>
    %cst_6 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %30 = stablehlo.multiply %29, %28 : tensor<4x8x1xf32>
    %31 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %32 = stablehlo.multiply %23, %31 : tensor<4x8x16xf32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %33 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<4x8xi32>
    %34 = stablehlo.compare NE, %arg11, %33, SIGNED : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi1>
    %35 = stablehlo.broadcast_in_dim %34, dims = [0, 3] : (tensor<4x8xi1>) -> tensor<4x1x1x8xi1>
    %36 = stablehlo.dot_general %32, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x3x2x8xf32>) -> tensor<4x8x3x2x8xf32>
    %37 = stablehlo.transpose %36, dims = [2, 0, 1, 3, 4] : (tensor<4x8x3x2x8xf32>) -> tensor<3x4x8x2x8xf32>
    %38 = stablehlo.slice %37 [0:1, 0:4, 0:8, 0:2, 0:8] : (tensor<3x4x8x2x8xf32>) -> tensor<1x4x8x2x8xf32>
    %39 = stablehlo.reshape %38 : (tensor<1x4x8x2x8xf32>) -> tensor<4x8x2x8xf32>
    %40 = stablehlo.slice %37 [1:2, 0:4, 0:8, 0:2, 0:8] : (tensor<3x4x8x2x8xf32>) -> tensor<1x4x8x2x8xf32>
    %41 = stablehlo.reshape %40 : (tensor<1x4x8x2x8xf32>) -> tensor<4x8x2x8xf32>
    %42 = stablehlo.slice %37 [2:3, 0:4, 0:8, 0:2, 0:8] : (tensor<3x4x8x2x8xf32>) -> tensor<1x4x8x2x8xf32>
    %43 = stablehlo.reshape %42 : (tensor<1x4x8x2x8xf32>) -> tensor<4x8x2x8xf32>
    %44 = stablehlo.dot_general %39, %41, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x2x8xf32>, tensor<4x8x2x8xf32>) -> tensor<4x2x8x8xf32>
    %cst_8 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x2x8x8xf32>
    %46 = stablehlo.divide %44, %45 : tensor<4x2x8x8xf32>
    %cst_9 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %47:2 = call @_where_0(%35, %46, %cst_9) : (tensor<4x1x1x8xi1>, tensor<4x2x8x8xf32>, tensor<f32>) -> (tensor<4x2x8x8xf32>, tensor<4x2x8x8xi1>)
    %cst_10 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %48 = stablehlo.reduce(%47#0 init: %cst_10) applies stablehlo.maximum across dimensions = [3] : (tensor<4x2x8x8xf32>, tensor<f32>) -> tensor<4x2x8xf32>
    %cst_11 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x2x8xf32>
    %50 = stablehlo.maximum %49, %48 : tensor<4x2x8xf32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2] : (tensor<4x2x8xf32>) -> tensor<4x2x8x1xf32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0, 1, 2, 3] : (tensor<4x2x8x1xf32>) -> tensor<4x2x8x8xf32>
    %53 = stablehlo.subtract %47#0, %52 : tensor<4x2x8x8xf32>
    %54 = stablehlo.exponential %53 : tensor<4x2x8x8xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %55 = stablehlo.reduce(%54 init: %cst_12) applies stablehlo.add across dimensions = [3] : (tensor<4x2x8x8xf32>, tensor<f32>) -> tensor<4x2x8xf32>
    %56 = stablehlo.broadcast_in_dim %55, dims = [0, 1, 2] : (tensor<4x2x8xf32>) -> tensor<4x2x8x1xf32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2, 3] : (tensor<4x2x8x1xf32>) -> tensor<4x2x8x8xf32>
    %58 = stablehlo.divide %54, %57 : tensor<4x2x8x8xf32>
    %59 = stablehlo.multiply %56, %56 : tensor<4x2x8x1xf32>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x2x8x1xf32>
    %61 = stablehlo.divide %60, %59 : tensor<4x2x8x1xf32>
    %62 = stablehlo.dot_general %43, %58, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x2x8xf32>, tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
    %63 = stablehlo.dot_general %62, %arg1, contracting_dims = [1, 2] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x8xf32>, tensor<2x8x16xf32>) -> tensor<4x8x16xf32>
    %64 = stablehlo.add %32, %63 : tensor<4x8x16xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %65 = stablehlo.reduce(%64 init: %cst_14) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %66 = stablehlo.broadcast_in_dim %65, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_15 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %68 = stablehlo.divide %66, %67 : tensor<4x8x1xf32>
    %69 = stablehlo.broadcast_in_dim %68, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %70 = stablehlo.subtract %64, %69 : tensor<4x8x16xf32>
    %c_16 = stablehlo.constant dense<0> : tensor<i32>
    %71:4 = call @_var(%64, %c_16) : (tensor<4x8x16xf32>, tensor<i32>) -> (tensor<4x8x1xf32>, tensor<4x8x16xf32>, tensor<f32>, tensor<i1>)
    %cst_17 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %73 = stablehlo.add %71#0, %72 : tensor<4x8x1xf32>
    %74 = stablehlo.rsqrt %73 : tensor<4x8x1xf32>
    %75 = stablehlo.divide %74, %73 : tensor<4x8x1xf32>
    %cst_18 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %77 = stablehlo.multiply %76, %75 : tensor<4x8x1xf32>
    %78 = stablehlo.broadcast_in_dim %74, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %79 = stablehlo.multiply %70, %78 : tensor<4x8x16xf32>
    %80 = stablehlo.dot_general %79, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x32xf32>) -> tensor<4x8x32xf32>
    %cst_19 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %81 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %82 = stablehlo.multiply %81, %80 : tensor<4x8x32xf32>
    %83 = stablehlo.negate %80 : tensor<4x8x32xf32>
    %cst_20 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %85 = stablehlo.multiply %83, %84 : tensor<4x8x32xf32>
    %86 = chlo.erfc %85 : tensor<4x8x32xf32> -> tensor<4x8x32xf32>
    %87 = chlo.square %85 : tensor<4x8x32xf32> -> tensor<4x8x32xf32>
    %88 = stablehlo.negate %87 : tensor<4x8x32xf32>
    %89 = stablehlo.exponential %88 : tensor<4x8x32xf32>
    %90 = stablehlo.multiply %82, %86 : tensor<4x8x32xf32>
    %91 = stablehlo.dot_general %90, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<32x16xf32>) -> tensor<4x8x16xf32>
    %92 = stablehlo.add %79, %91 : tensor<4x8x16xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %93 = stablehlo.reduce(%92 init: %cst_21) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %94 = stablehlo.broadcast_in_dim %93, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_22 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %95 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %96 = stablehlo.divide %94, %95 : tensor<4x8x1xf32>
    %97 = stablehlo.broadcast_in_dim %96, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %98 = stablehlo.subtract %92, %97 : tensor<4x8x16xf32>
    %c_23 = stablehlo.constant dense<0> : tensor<i32>
    %99:4 = call @_var(%92, %c_23) : (tensor<4x8x16xf32>, tensor<i32>) -> (tensor<4x8x1xf32>, tensor<4x8x16xf32>, tensor<f32>, tensor<i1>)
    %cst_24 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %100 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %101 = stablehlo.add %99#0, %100 : tensor<4x8x1xf32>
    %102 = stablehlo.rsqrt %101 : tensor<4x8x1xf32>
    %103 = stablehlo.divide %102, %101 : tensor<4x8x1xf32>
    %cst_25 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %105 = stablehlo.multiply %104, %103 : tensor<4x8x1xf32>
    %106 = stablehlo.broadcast_in_dim %102, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %107 = stablehlo.multiply %98, %106 : tensor<4x8x16xf32>
    %c_26 = stablehlo.constant dense<0> : tensor<i32>
    %108 = stablehlo.broadcast_in_dim %c_26, dims = [] : (tensor<i32>) -> tensor<4x8xi32>
    %109 = stablehlo.compare NE, %arg11, %108, SIGNED : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi1>
    %110 = stablehlo.broadcast_in_dim %109, dims = [0, 3] : (tensor<4x8xi1>) -> tensor<4x1x1x8xi1>
    %111 = stablehlo.dot_general %107, %arg6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x3x2x8xf32>) -> tensor<4x8x3x2x8xf32>
    %112 = stablehlo.transpose %111, dims = [2, 0, 1, 3, 4] : (tensor<4x8x3x2x8xf32>) -> tensor<3x4x8x2x8xf32>
    %113 = stablehlo.slice %112 [0:1, 0:4, 0:8, 0:2, 0:8] : (tensor<3x4x8x2x8xf32>) -> tensor<1x4x8x2x8xf32>
    %114 = stablehlo.reshape %113 : (tensor<1x4x8x2x8xf32>) -> tensor<4x8x2x8xf32>
    %115 = stablehlo.slice %112 [1:2, 0:4, 0:8, 0:2, 0:8] : (tensor<3x4x8x2x8xf32>) -> tensor<1x4x8x2x8xf32>
    %116 = stablehlo.reshape %115 : (tensor<1x4x8x2x8xf32>) -> tensor<4x8x2x8xf32>
    %117 = stablehlo.slice %112 [2:3, 0:4, 0:8, 0:2, 0:8] : (tensor<3x4x8x2x8xf32>) -> tensor<1x4x8x2x8xf32>
    %118 = stablehlo.reshape %117 : (tensor<1x4x8x2x8xf32>) -> tensor<4x8x2x8xf32>
    %119 = stablehlo.dot_general %114, %116, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x2x8xf32>, tensor<4x8x2x8xf32>) -> tensor<4x2x8x8xf32>
    %cst_27 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %120 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<4x2x8x8xf32>
    %121 = stablehlo.divide %119, %120 : tensor<4x2x8x8xf32>
    %cst_28 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %122:2 = call @_where_0(%110, %121, %cst_28) : (tensor<4x1x1x8xi1>, tensor<4x2x8x8xf32>, tensor<f32>) -> (tensor<4x2x8x8xf32>, tensor<4x2x8x8xi1>)
    %cst_29 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %123 = stablehlo.reduce(%122#0 init: %cst_29) applies stablehlo.maximum across dimensions = [3] : (tensor<4x2x8x8xf32>, tensor<f32>) -> tensor<4x2x8xf32>
    %cst_30 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %124 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<4x2x8xf32>
    %125 = stablehlo.maximum %124, %123 : tensor<4x2x8xf32>
    %126 = stablehlo.broadcast_in_dim %125, dims = [0, 1, 2] : (tensor<4x2x8xf32>) -> tensor<4x2x8x1xf32>
    %127 = stablehlo.broadcast_in_dim %126, dims = [0, 1, 2, 3] : (tensor<4x2x8x1xf32>) -> tensor<4x2x8x8xf32>
    %128 = stablehlo.subtract %122#0, %127 : tensor<4x2x8x8xf32>
    %129 = stablehlo.exponential %128 : tensor<4x2x8x8xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %130 = stablehlo.reduce(%129 init: %cst_31) applies stablehlo.add across dimensions = [3] : (tensor<4x2x8x8xf32>, tensor<f32>) -> tensor<4x2x8xf32>
    %131 = stablehlo.broadcast_in_dim %130, dims = [0, 1, 2] : (tensor<4x2x8xf32>) -> tensor<4x2x8x1xf32>
    %132 = stablehlo.broadcast_in_dim %131, dims = [0, 1, 2, 3] : (tensor<4x2x8x1xf32>) -> tensor<4x2x8x8xf32>
    %133 = stablehlo.divide %129, %132 : tensor<4x2x8x8xf32>
    %134 = stablehlo.multiply %131, %131 : tensor<4x2x8x1xf32>
    %cst_32 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %135 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<4x2x8x1xf32>
    %136 = stablehlo.divide %135, %134 : tensor<4x2x8x1xf32>
    %137 = stablehlo.dot_general %118, %133, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x2x8xf32>, tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
    %138 = stablehlo.dot_general %137, %arg5, contracting_dims = [1, 2] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x8xf32>, tensor<2x8x16xf32>) -> tensor<4x8x16xf32>
    %139 = stablehlo.add %107, %138 : tensor<4x8x16xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %140 = stablehlo.reduce(%139 init: %cst_33) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %141 = stablehlo.broadcast_in_dim %140, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_34 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %142 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %143 = stablehlo.divide %141, %142 : tensor<4x8x1xf32>
    %144 = stablehlo.broadcast_in_dim %143, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %145 = stablehlo.subtract %139, %144 : tensor<4x8x16xf32>
    %c_35 = stablehlo.constant dense<0> : tensor<i32>
    %146:4 = call @_var(%139, %c_35) : (tensor<4x8x16xf32>, tensor<i32>) -> (tensor<4x8x1xf32>, tensor<4x8x16xf32>, tensor<f32>, tensor<i1>)
    %cst_36 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %147 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %148 = stablehlo.add %146#0, %147 : tensor<4x8x1xf32>
    %149 = stablehlo.rsqrt %148 : tensor<4x8x1xf32>
    %150 = stablehlo.divide %149, %148 : tensor<4x8x1xf32>
    %cst_37 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %151 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %152 = stablehlo.multiply %151, %150 : tensor<4x8x1xf32>
    %153 = stablehlo.broadcast_in_dim %149, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %154 = stablehlo.multiply %145, %153 : tensor<4x8x16xf32>
    %155 = stablehlo.dot_general %154, %arg7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x32xf32>) -> tensor<4x8x32xf32>
    %cst_38 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %156 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %157 = stablehlo.multiply %156, %155 : tensor<4x8x32xf32>
    %158 = stablehlo.negate %155 : tensor<4x8x32xf32>
    %cst_39 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %159 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %160 = stablehlo.multiply %158, %159 : tensor<4x8x32xf32>
    %161 = chlo.erfc %160 : tensor<4x8x32xf32> -> tensor<4x8x32xf32>
    %162 = chlo.square %160 : tensor<4x8x32xf32> -> tensor<4x8x32xf32>
    %163 = stablehlo.negate %162 : tensor<4x8x32xf32>
    %164 = stablehlo.exponential %163 : tensor<4x8x32xf32>
    %165 = stablehlo.multiply %157, %161 : tensor<4x8x32xf32>
    %166 = stablehlo.dot_general %165, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<32x16xf32>) -> tensor<4x8x16xf32>
    %167 = stablehlo.add %154, %166 : tensor<4x8x16xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %168 = stablehlo.reduce(%167 init: %cst_40) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %169 = stablehlo.broadcast_in_dim %168, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_41 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %170 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %171 = stablehlo.divide %169, %170 : tensor<4x8x1xf32>
    %172 = stablehlo.broadcast_in_dim %171, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %173 = stablehlo.subtract %167, %172 : tensor<4x8x16xf32>
    %c_42 = stablehlo.constant dense<0> : tensor<i32>
    %174:4 = call @_var(%167, %c_42) : (tensor<4x8x16xf32>, tensor<i32>) -> (tensor<4x8x1xf32>, tensor<4x8x16xf32>, tensor<f32>, tensor<i1>)
    %cst_43 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %175 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %176 = stablehlo.add %174#0, %175 : tensor<4x8x1xf32>
    %177 = stablehlo.rsqrt %176 : tensor<4x8x1xf32>
    %178 = stablehlo.divide %177, %176 : tensor<4x8x1xf32>
    %cst_44 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %179 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %180 = stablehlo.multiply %179, %178 : tensor<4x8x1xf32>
    %181 = stablehlo.broadcast_in_dim %177, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %182 = stablehlo.multiply %173, %181 : tensor<4x8x16xf32>
    %183 = stablehlo.transpose %arg10, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %184 = stablehlo.dot_general %182, %183, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x32xf32>) -> tensor<4x8x32xf32>
    %c_45 = stablehlo.constant dense<0> : tensor<i32>
    %185 = stablehlo.broadcast_in_dim %c_45, dims = [] : (tensor<i32>) -> tensor<4x8xi32>
    %186 = stablehlo.compare GT, %arg13, %185, SIGNED : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi1>
    %cst_46 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %187 = stablehlo.reduce(%184 init: %cst_46) applies stablehlo.maximum across dimensions = [2] : (tensor<4x8x32xf32>, tensor<f32>) -> tensor<4x8xf32>
    %cst_47 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %188 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %189 = stablehlo.maximum %188, %187 : tensor<4x8xf32>
    %190 = stablehlo.is_finite %189 : (tensor<4x8xf32>) -> tensor<4x8xi1>
    %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %191 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %192 = stablehlo.select %190, %189, %191 : tensor<4x8xi1>, tensor<4x8xf32>
    %193 = stablehlo.broadcast_in_dim %192, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %194 = stablehlo.broadcast_in_dim %193, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x32xf32>
    %195 = stablehlo.subtract %184, %194 : tensor<4x8x32xf32>
    %196 = stablehlo.exponential %195 : tensor<4x8x32xf32>
    %cst_49 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %197 = stablehlo.reduce(%196 init: %cst_49) applies stablehlo.add across dimensions = [2] : (tensor<4x8x32xf32>, tensor<f32>) -> tensor<4x8xf32>
    %198 = stablehlo.abs %197 : tensor<4x8xf32>
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %199 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %200 = stablehlo.compare GE, %197, %199, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %201 = stablehlo.log %198 : tensor<4x8xf32>
    %202 = stablehlo.add %201, %192 : tensor<4x8xf32>
    %203 = stablehlo.broadcast_in_dim %arg13, dims = [0, 1] : (tensor<4x8xi32>) -> tensor<4x8x1xi32>
    %204:2 = call @take_along_axis(%184, %203) : (tensor<4x8x32xf32>, tensor<4x8x1xi32>) -> (tensor<4x8x1xf32>, tensor<4x8x1x1xi32>)
    %205 = stablehlo.reshape %204#0 : (tensor<4x8x1xf32>) -> tensor<4x8xf32>
    %206 = stablehlo.subtract %202, %205 : tensor<4x8xf32>
    %c_51 = stablehlo.constant dense<0> : tensor<i32>
    %207 = call @_where_1(%186, %206, %c_51) : (tensor<4x8xi1>, tensor<4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
    %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %208 = stablehlo.reduce(%207 init: %cst_52) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
    %209 = stablehlo.convert %186 : (tensor<4x8xi1>) -> tensor<4x8xi32>
    %c_53 = stablehlo.constant dense<0> : tensor<i32>
    %210 = stablehlo.reduce(%209 init: %c_53) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xi32>, tensor<i32>) -> tensor<i32>
    %c_54 = stablehlo.constant dense<1> : tensor<i32>
    %211 = stablehlo.maximum %210, %c_54 : tensor<i32>
    %212 = stablehlo.convert %211 : (tensor<i32>) -> tensor<f32>
    %213 = stablehlo.divide %208, %212 : tensor<f32>
    %cst_55 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %214 = stablehlo.divide %cst_55, %212 : tensor<f32>
    %215 = stablehlo.broadcast_in_dim %214, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %216 = call @_where_2(%186, %215) : (tensor<4x8xi1>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %217 = stablehlo.negate %216 : tensor<4x8xf32>
    %218 = stablehlo.broadcast_in_dim %217, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %219 = call @take_along_axis_3(%204#1, %218) : (tensor<4x8x1x1xi32>, tensor<4x8x1xf32>) -> tensor<4x8x32xf32>
    %220 = stablehlo.divide %216, %198 : tensor<4x8xf32>
    %cst_56 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %221 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %222 = stablehlo.select %200, %221, %220 : tensor<4x8xi1>, tensor<4x8xf32>
    %223 = stablehlo.select %200, %220, %221 : tensor<4x8xi1>, tensor<4x8xf32>
    %224 = stablehlo.negate %222 : tensor<4x8xf32>
    %225 = stablehlo.add %223, %224 : tensor<4x8xf32>
    %226 = stablehlo.broadcast_in_dim %225, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x32xf32>
    %227 = stablehlo.multiply %226, %196 : tensor<4x8x32xf32>
    %228 = stablehlo.add %219, %227 : tensor<4x8x32xf32>
    %229 = stablehlo.dot_general %228, %182, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<4x8x16xf32>) -> tensor<32x16xf32>
    %230 = stablehlo.transpose %229, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %231 = stablehlo.dot_general %228, %183, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<16x32xf32>) -> tensor<4x8x16xf32>
    %232 = stablehlo.transpose %230, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %233 = stablehlo.multiply %173, %231 : tensor<4x8x16xf32>
    %cst_57 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %234 = stablehlo.reduce(%233 init: %cst_57) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %235 = stablehlo.reshape %234 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %236 = stablehlo.broadcast_in_dim %177, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %237 = stablehlo.multiply %231, %236 : tensor<4x8x16xf32>
    %238 = stablehlo.multiply %235, %180 : tensor<4x8x1xf32>
    %239 = call @_var_4(%174#1, %174#2, %174#3, %238) : (tensor<4x8x16xf32>, tensor<f32>, tensor<i1>, tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %240 = stablehlo.negate %237 : tensor<4x8x16xf32>
    %cst_58 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %241 = stablehlo.reduce(%240 init: %cst_58) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %242 = stablehlo.reshape %241 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %243 = stablehlo.add %239, %237 : tensor<4x8x16xf32>
    %cst_59 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %244 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %245 = stablehlo.divide %242, %244 : tensor<4x8x1xf32>
    %cst_60 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %246 = stablehlo.reduce(%245 init: %cst_60) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %247 = stablehlo.broadcast_in_dim %246, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %248 = stablehlo.add %243, %247 : tensor<4x8x16xf32>
    %249 = stablehlo.dot_general %248, %165, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x8x32xf32>) -> tensor<16x32xf32>
    %250 = stablehlo.transpose %249, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %251 = stablehlo.dot_general %248, %arg4, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<32x16xf32>) -> tensor<4x8x32xf32>
    %252 = stablehlo.multiply %157, %251 : tensor<4x8x32xf32>
    %253 = stablehlo.multiply %251, %161 : tensor<4x8x32xf32>
    %cst_61 = stablehlo.constant dense<-1.12837923> : tensor<f32>
    %254 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %255 = stablehlo.multiply %254, %252 : tensor<4x8x32xf32>
    %256 = stablehlo.multiply %255, %164 : tensor<4x8x32xf32>
    %cst_62 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %257 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %258 = stablehlo.multiply %256, %257 : tensor<4x8x32xf32>
    %259 = stablehlo.negate %258 : tensor<4x8x32xf32>
    %cst_63 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %260 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %261 = stablehlo.multiply %260, %253 : tensor<4x8x32xf32>
    %262 = stablehlo.add %259, %261 : tensor<4x8x32xf32>
    %263 = stablehlo.dot_general %262, %154, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<4x8x16xf32>) -> tensor<32x16xf32>
    %264 = stablehlo.transpose %263, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %265 = stablehlo.dot_general %262, %arg7, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<16x32xf32>) -> tensor<4x8x16xf32>
    %266 = stablehlo.add %248, %265 : tensor<4x8x16xf32>
    %267 = stablehlo.multiply %145, %266 : tensor<4x8x16xf32>
    %cst_64 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %268 = stablehlo.reduce(%267 init: %cst_64) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %269 = stablehlo.reshape %268 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %270 = stablehlo.broadcast_in_dim %149, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %271 = stablehlo.multiply %266, %270 : tensor<4x8x16xf32>
    %272 = stablehlo.multiply %269, %152 : tensor<4x8x1xf32>
    %273 = call @_var_4(%146#1, %146#2, %146#3, %272) : (tensor<4x8x16xf32>, tensor<f32>, tensor<i1>, tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %274 = stablehlo.negate %271 : tensor<4x8x16xf32>
    %cst_65 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %275 = stablehlo.reduce(%274 init: %cst_65) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %276 = stablehlo.reshape %275 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %277 = stablehlo.add %273, %271 : tensor<4x8x16xf32>
    %cst_66 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %278 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %279 = stablehlo.divide %276, %278 : tensor<4x8x1xf32>
    %cst_67 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %280 = stablehlo.reduce(%279 init: %cst_67) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %281 = stablehlo.broadcast_in_dim %280, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %282 = stablehlo.add %277, %281 : tensor<4x8x16xf32>
    %283 = stablehlo.dot_general %282, %137, contracting_dims = [0, 1] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x2x8x8xf32>) -> tensor<16x2x8xf32>
    %284 = stablehlo.transpose %283, dims = [1, 2, 0] : (tensor<16x2x8xf32>) -> tensor<2x8x16xf32>
    %285 = stablehlo.dot_general %282, %arg5, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<2x8x16xf32>) -> tensor<4x8x2x8xf32>
    %286 = stablehlo.transpose %285, dims = [0, 2, 3, 1] : (tensor<4x8x2x8xf32>) -> tensor<4x2x8x8xf32>
    %287 = stablehlo.dot_general %286, %118, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x8xf32>, tensor<4x8x2x8xf32>) -> tensor<4x2x8x8xf32>
    %288 = stablehlo.dot_general %286, %133, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x8xf32>, tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
    %289 = stablehlo.transpose %288, dims = [0, 3, 1, 2] : (tensor<4x2x8x8xf32>) -> tensor<4x8x2x8xf32>
    %290 = stablehlo.broadcast_in_dim %136, dims = [0, 1, 2, 3] : (tensor<4x2x8x1xf32>) -> tensor<4x2x8x8xf32>
    %291 = stablehlo.multiply %287, %290 : tensor<4x2x8x8xf32>
    %292 = stablehlo.multiply %291, %129 : tensor<4x2x8x8xf32>
    %cst_68 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %293 = stablehlo.reduce(%292 init: %cst_68) applies stablehlo.add across dimensions = [3] : (tensor<4x2x8x8xf32>, tensor<f32>) -> tensor<4x2x8xf32>
    %294 = stablehlo.reshape %293 : (tensor<4x2x8xf32>) -> tensor<4x2x8x1xf32>
    %295 = stablehlo.negate %294 : tensor<4x2x8x1xf32>
    %296 = stablehlo.broadcast_in_dim %131, dims = [0, 1, 2, 3] : (tensor<4x2x8x1xf32>) -> tensor<4x2x8x8xf32>
    %297 = stablehlo.divide %287, %296 : tensor<4x2x8x8xf32>
    %cst_69 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %298 = stablehlo.reduce(%295 init: %cst_69) applies stablehlo.add across dimensions = [3] : (tensor<4x2x8x1xf32>, tensor<f32>) -> tensor<4x2x8xf32>
    %299 = stablehlo.broadcast_in_dim %298, dims = [0, 1, 2] : (tensor<4x2x8xf32>) -> tensor<4x2x8x8xf32>
    %300 = stablehlo.add %297, %299 : tensor<4x2x8x8xf32>
    %301 = stablehlo.multiply %300, %129 : tensor<4x2x8x8xf32>
    %302 = call @_where_6(%122#1, %301) : (tensor<4x2x8x8xi1>, tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
    %cst_70 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %303 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<4x2x8x8xf32>
    %304 = stablehlo.divide %302, %303 : tensor<4x2x8x8xf32>
    %305 = stablehlo.dot_general %304, %114, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x8xf32>, tensor<4x8x2x8xf32>) -> tensor<4x2x8x8xf32>
    %306 = stablehlo.transpose %305, dims = [0, 2, 1, 3] : (tensor<4x2x8x8xf32>) -> tensor<4x8x2x8xf32>
    %307 = stablehlo.dot_general %304, %116, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x8xf32>, tensor<4x8x2x8xf32>) -> tensor<4x2x8x8xf32>
    %308 = stablehlo.transpose %307, dims = [0, 2, 1, 3] : (tensor<4x2x8x8xf32>) -> tensor<4x8x2x8xf32>
    %309 = stablehlo.broadcast_in_dim %289, dims = [1, 2, 3, 4] : (tensor<4x8x2x8xf32>) -> tensor<1x4x8x2x8xf32>
    %cst_71 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %310 = stablehlo.pad %309, %cst_71, low = [2, 0, 0, 0, 0], high = [0, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x4x8x2x8xf32>, tensor<f32>) -> tensor<3x4x8x2x8xf32>
    %311 = stablehlo.broadcast_in_dim %306, dims = [1, 2, 3, 4] : (tensor<4x8x2x8xf32>) -> tensor<1x4x8x2x8xf32>
    %cst_72 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %312 = stablehlo.pad %311, %cst_72, low = [1, 0, 0, 0, 0], high = [1, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x4x8x2x8xf32>, tensor<f32>) -> tensor<3x4x8x2x8xf32>
    %313 = stablehlo.add %310, %312 : tensor<3x4x8x2x8xf32>
    %314 = stablehlo.broadcast_in_dim %308, dims = [1, 2, 3, 4] : (tensor<4x8x2x8xf32>) -> tensor<1x4x8x2x8xf32>
    %cst_73 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %315 = stablehlo.pad %314, %cst_73, low = [0, 0, 0, 0, 0], high = [2, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x4x8x2x8xf32>, tensor<f32>) -> tensor<3x4x8x2x8xf32>
    %316 = stablehlo.add %313, %315 : tensor<3x4x8x2x8xf32>
    %317 = stablehlo.transpose %316, dims = [1, 2, 0, 3, 4] : (tensor<3x4x8x2x8xf32>) -> tensor<4x8x3x2x8xf32>
    %318 = stablehlo.dot_general %317, %107, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x3x2x8xf32>, tensor<4x8x16xf32>) -> tensor<3x2x8x16xf32>
    %319 = stablehlo.transpose %318, dims = [3, 0, 1, 2] : (tensor<3x2x8x16xf32>) -> tensor<16x3x2x8xf32>
    %320 = stablehlo.dot_general %317, %arg6, contracting_dims = [2, 3, 4] x [1, 2, 3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x3x2x8xf32>, tensor<16x3x2x8xf32>) -> tensor<4x8x16xf32>
    %321 = stablehlo.add %282, %320 : tensor<4x8x16xf32>
    %322 = stablehlo.multiply %98, %321 : tensor<4x8x16xf32>
    %cst_74 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %323 = stablehlo.reduce(%322 init: %cst_74) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %324 = stablehlo.reshape %323 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %325 = stablehlo.broadcast_in_dim %102, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %326 = stablehlo.multiply %321, %325 : tensor<4x8x16xf32>
    %327 = stablehlo.multiply %324, %105 : tensor<4x8x1xf32>
    %328 = call @_var_4(%99#1, %99#2, %99#3, %327) : (tensor<4x8x16xf32>, tensor<f32>, tensor<i1>, tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %329 = stablehlo.negate %326 : tensor<4x8x16xf32>
    %cst_75 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %330 = stablehlo.reduce(%329 init: %cst_75) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %331 = stablehlo.reshape %330 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %332 = stablehlo.add %328, %326 : tensor<4x8x16xf32>
    %cst_76 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %333 = stablehlo.broadcast_in_dim %cst_76, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %334 = stablehlo.divide %331, %333 : tensor<4x8x1xf32>
    %cst_77 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %335 = stablehlo.reduce(%334 init: %cst_77) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %336 = stablehlo.broadcast_in_dim %335, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %337 = stablehlo.add %332, %336 : tensor<4x8x16xf32>
    %338 = stablehlo.dot_general %337, %90, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x8x32xf32>) -> tensor<16x32xf32>
    %339 = stablehlo.transpose %338, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %340 = stablehlo.dot_general %337, %arg0, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<32x16xf32>) -> tensor<4x8x32xf32>
    %341 = stablehlo.multiply %82, %340 : tensor<4x8x32xf32>
    %342 = stablehlo.multiply %340, %86 : tensor<4x8x32xf32>
    %cst_78 = stablehlo.constant dense<-1.12837923> : tensor<f32>
    %343 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %344 = stablehlo.multiply %343, %341 : tensor<4x8x32xf32>
    %345 = stablehlo.multiply %344, %89 : tensor<4x8x32xf32>
    %cst_79 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %346 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %347 = stablehlo.multiply %345, %346 : tensor<4x8x32xf32>
    %348 = stablehlo.negate %347 : tensor<4x8x32xf32>
    %cst_80 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %349 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %350 = stablehlo.multiply %349, %342 : tensor<4x8x32xf32>
    %351 = stablehlo.add %348, %350 : tensor<4x8x32xf32>
    %352 = stablehlo.dot_general %351, %79, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<4x8x16xf32>) -> tensor<32x16xf32>
    %353 = stablehlo.transpose %352, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %354 = stablehlo.dot_general %351, %arg3, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<16x32xf32>) -> tensor<4x8x16xf32>
    %355 = stablehlo.add %337, %354 : tensor<4x8x16xf32>
    %356 = stablehlo.multiply %70, %355 : tensor<4x8x16xf32>
    %cst_81 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %357 = stablehlo.reduce(%356 init: %cst_81) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %358 = stablehlo.reshape %357 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %359 = stablehlo.broadcast_in_dim %74, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %360 = stablehlo.multiply %355, %359 : tensor<4x8x16xf32>
    %361 = stablehlo.multiply %358, %77 : tensor<4x8x1xf32>
    %362 = call @_var_4(%71#1, %71#2, %71#3, %361) : (tensor<4x8x16xf32>, tensor<f32>, tensor<i1>, tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %363 = stablehlo.negate %360 : tensor<4x8x16xf32>
    %cst_82 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %364 = stablehlo.reduce(%363 init: %cst_82) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %365 = stablehlo.reshape %364 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %366 = stablehlo.add %362, %360 : tensor<4x8x16xf32>
    %cst_83 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %367 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %368 = stablehlo.divide %365, %367 : tensor<4x8x1xf32>
    %cst_84 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %369 = stablehlo.reduce(%368 init: %cst_84) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %370 = stablehlo.broadcast_in_dim %369, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %371 = stablehlo.add %366, %370 : tensor<4x8x16xf32>
    %372 = stablehlo.dot_general %371, %62, contracting_dims = [0, 1] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x2x8x8xf32>) -> tensor<16x2x8xf32>
    %373 = stablehlo.transpose %372, dims = [1, 2, 0] : (tensor<16x2x8xf32>) -> tensor<2x8x16xf32>
    %374 = stablehlo.dot_general %371, %arg1, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<2x8x16xf32>) -> tensor<4x8x2x8xf32>
    %375 = stablehlo.transpose %374, dims = [0, 2, 3, 1] : (tensor<4x8x2x8xf32>) -> tensor<4x2x8x8xf32>
    %376 = stablehlo.dot_general %375, %43, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x8xf32>, tensor<4x8x2x8xf32>) -> tensor<4x2x8x8xf32>
    %377 = stablehlo.dot_general %375, %58, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x8xf32>, tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
    %378 = stablehlo.transpose %377, dims = [0, 3, 1, 2] : (tensor<4x2x8x8xf32>) -> tensor<4x8x2x8xf32>
    %379 = stablehlo.broadcast_in_dim %61, dims = [0, 1, 2, 3] : (tensor<4x2x8x1xf32>) -> tensor<4x2x8x8xf32>
    %380 = stablehlo.multiply %376, %379 : tensor<4x2x8x8xf32>
    %381 = stablehlo.multiply %380, %54 : tensor<4x2x8x8xf32>
    %cst_85 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %382 = stablehlo.reduce(%381 init: %cst_85) applies stablehlo.add across dimensions = [3] : (tensor<4x2x8x8xf32>, tensor<f32>) -> tensor<4x2x8xf32>
    %383 = stablehlo.reshape %382 : (tensor<4x2x8xf32>) -> tensor<4x2x8x1xf32>
    %384 = stablehlo.negate %383 : tensor<4x2x8x1xf32>
    %385 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2, 3] : (tensor<4x2x8x1xf32>) -> tensor<4x2x8x8xf32>
    %386 = stablehlo.divide %376, %385 : tensor<4x2x8x8xf32>
    %cst_86 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %387 = stablehlo.reduce(%384 init: %cst_86) applies stablehlo.add across dimensions = [3] : (tensor<4x2x8x1xf32>, tensor<f32>) -> tensor<4x2x8xf32>
    %388 = stablehlo.broadcast_in_dim %387, dims = [0, 1, 2] : (tensor<4x2x8xf32>) -> tensor<4x2x8x8xf32>
    %389 = stablehlo.add %386, %388 : tensor<4x2x8x8xf32>
    %390 = stablehlo.multiply %389, %54 : tensor<4x2x8x8xf32>
    %391 = call @_where_6(%47#1, %390) : (tensor<4x2x8x8xi1>, tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
    %cst_87 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %392 = stablehlo.broadcast_in_dim %cst_87, dims = [] : (tensor<f32>) -> tensor<4x2x8x8xf32>
    %393 = stablehlo.divide %391, %392 : tensor<4x2x8x8xf32>
    %394 = stablehlo.dot_general %393, %39, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x8xf32>, tensor<4x8x2x8xf32>) -> tensor<4x2x8x8xf32>
    %395 = stablehlo.transpose %394, dims = [0, 2, 1, 3] : (tensor<4x2x8x8xf32>) -> tensor<4x8x2x8xf32>
    %396 = stablehlo.dot_general %393, %41, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x8xf32>, tensor<4x8x2x8xf32>) -> tensor<4x2x8x8xf32>
    %397 = stablehlo.transpose %396, dims = [0, 2, 1, 3] : (tensor<4x2x8x8xf32>) -> tensor<4x8x2x8xf32>
    %398 = stablehlo.broadcast_in_dim %378, dims = [1, 2, 3, 4] : (tensor<4x8x2x8xf32>) -> tensor<1x4x8x2x8xf32>
    %cst_88 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %399 = stablehlo.pad %398, %cst_88, low = [2, 0, 0, 0, 0], high = [0, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x4x8x2x8xf32>, tensor<f32>) -> tensor<3x4x8x2x8xf32>
    %400 = stablehlo.broadcast_in_dim %395, dims = [1, 2, 3, 4] : (tensor<4x8x2x8xf32>) -> tensor<1x4x8x2x8xf32>
    %cst_89 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %401 = stablehlo.pad %400, %cst_89, low = [1, 0, 0, 0, 0], high = [1, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x4x8x2x8xf32>, tensor<f32>) -> tensor<3x4x8x2x8xf32>
    %402 = stablehlo.add %399, %401 : tensor<3x4x8x2x8xf32>
    %403 = stablehlo.broadcast_in_dim %397, dims = [1, 2, 3, 4] : (tensor<4x8x2x8xf32>) -> tensor<1x4x8x2x8xf32>
    %cst_90 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %404 = stablehlo.pad %403, %cst_90, low = [0, 0, 0, 0, 0], high = [2, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x4x8x2x8xf32>, tensor<f32>) -> tensor<3x4x8x2x8xf32>
    %405 = stablehlo.add %402, %404 : tensor<3x4x8x2x8xf32>
    %406 = stablehlo.transpose %405, dims = [1, 2, 0, 3, 4] : (tensor<3x4x8x2x8xf32>) -> tensor<4x8x3x2x8xf32>
    %407 = stablehlo.dot_general %406, %32, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x3x2x8xf32>, tensor<4x8x16xf32>) -> tensor<3x2x8x16xf32>
    %408 = stablehlo.transpose %407, dims = [3, 0, 1, 2] : (tensor<3x2x8x16xf32>) -> tensor<16x3x2x8xf32>
    %409 = stablehlo.dot_general %406, %arg2, contracting_dims = [2, 3, 4] x [1, 2, 3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x3x2x8xf32>, tensor<16x3x2x8xf32>) -> tensor<4x8x16xf32>
    %410 = stablehlo.add %371, %409 : tensor<4x8x16xf32>
    %411 = stablehlo.multiply %23, %410 : tensor<4x8x16xf32>
    %cst_91 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %412 = stablehlo.reduce(%411 init: %cst_91) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %413 = stablehlo.reshape %412 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %414 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %415 = stablehlo.multiply %410, %414 : tensor<4x8x16xf32>
    %416 = stablehlo.multiply %413, %30 : tensor<4x8x1xf32>
    %417 = call @_var_4(%24#1, %24#2, %24#3, %416) : (tensor<4x8x16xf32>, tensor<f32>, tensor<i1>, tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %418 = stablehlo.negate %415 : tensor<4x8x16xf32>
    %cst_92 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %419 = stablehlo.reduce(%418 init: %cst_92) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %420 = stablehlo.reshape %419 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %421 = stablehlo.add %417, %415 : tensor<4x8x16xf32>
    %cst_93 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %422 = stablehlo.broadcast_in_dim %cst_93, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %423 = stablehlo.divide %420, %422 : tensor<4x8x1xf32>
    %cst_94 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %424 = stablehlo.reduce(%423 init: %cst_94) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %425 = stablehlo.broadcast_in_dim %424, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %426 = stablehlo.add %421, %425 : tensor<4x8x16xf32>
    %cst_95 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %427 = stablehlo.reduce(%426 init: %cst_95) applies stablehlo.add across dimensions = [0] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<8x16xf32>
    %428 = stablehlo.reshape %427 : (tensor<8x16xf32>) -> tensor<1x8x16xf32>
    %cst_96 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %429 = stablehlo.reduce(%428 init: %cst_96) applies stablehlo.add across dimensions = [0] : (tensor<1x8x16xf32>, tensor<f32>) -> tensor<8x16xf32>
    %cst_97 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %430 = stablehlo.broadcast_in_dim %cst_97, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %431 = "stablehlo.scatter"(%430, %12, %426) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
      %468 = stablehlo.add %arg14, %arg15 : tensor<f32>
      stablehlo.return %468 : tensor<f32>
    }) : (tensor<4x16xf32>, tensor<4x8x1xi32>, tensor<4x8x16xf32>) -> tensor<4x16xf32>
    %cst_98 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %432 = stablehlo.broadcast_in_dim %cst_98, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %433 = "stablehlo.scatter"(%432, %5, %426) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
      %468 = stablehlo.add %arg14, %arg15 : tensor<f32>
      stablehlo.return %468 : tensor<f32>
    }) : (tensor<32x16xf32>, tensor<4x8x1xi32>, tensor<4x8x16xf32>) -> tensor<32x16xf32>
    %434 = stablehlo.add %232, %433 : tensor<32x16xf32>
    %cst_99 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %435 = stablehlo.broadcast_in_dim %cst_99, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %436 = stablehlo.multiply %435, %339 : tensor<32x16xf32>
    %437 = stablehlo.subtract %arg0, %436 : tensor<32x16xf32>
    %cst_100 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %438 = stablehlo.broadcast_in_dim %cst_100, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %439 = stablehlo.multiply %438, %373 : tensor<2x8x16xf32>
    %440 = stablehlo.subtract %arg1, %439 : tensor<2x8x16xf32>
    %cst_101 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %441 = stablehlo.broadcast_in_dim %cst_101, dims = [] : (tensor<f32>) -> tensor<16x3x2x8xf32>
    %442 = stablehlo.multiply %441, %408 : tensor<16x3x2x8xf32>
    %443 = stablehlo.subtract %arg2, %442 : tensor<16x3x2x8xf32>
    %cst_102 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %444 = stablehlo.broadcast_in_dim %cst_102, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %445 = stablehlo.multiply %444, %353 : tensor<16x32xf32>
    %446 = stablehlo.subtract %arg3, %445 : tensor<16x32xf32>
    %cst_103 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %447 = stablehlo.broadcast_in_dim %cst_103, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %448 = stablehlo.multiply %447, %250 : tensor<32x16xf32>
    %449 = stablehlo.subtract %arg4, %448 : tensor<32x16xf32>
    %cst_104 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %450 = stablehlo.broadcast_in_dim %cst_104, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %451 = stablehlo.multiply %450, %284 : tensor<2x8x16xf32>
    %452 = stablehlo.subtract %arg5, %451 : tensor<2x8x16xf32>
    %cst_105 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %453 = stablehlo.broadcast_in_dim %cst_105, dims = [] : (tensor<f32>) -> tensor<16x3x2x8xf32>
    %454 = stablehlo.multiply %453, %319 : tensor<16x3x2x8xf32>
    %455 = stablehlo.subtract %arg6, %454 : tensor<16x3x2x8xf32>
    %cst_106 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %456 = stablehlo.broadcast_in_dim %cst_106, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %457 = stablehlo.multiply %456, %264 : tensor<16x32xf32>
    %458 = stablehlo.subtract %arg7, %457 : tensor<16x32xf32>
    %cst_107 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %459 = stablehlo.broadcast_in_dim %cst_107, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %460 = stablehlo.multiply %459, %429 : tensor<8x16xf32>
    %461 = stablehlo.subtract %arg8, %460 : tensor<8x16xf32>
    %cst_108 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %462 = stablehlo.broadcast_in_dim %cst_108, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %463 = stablehlo.multiply %462, %431 : tensor<4x16xf32>
    %464 = stablehlo.subtract %arg9, %463 : tensor<4x16xf32>
    %cst_109 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %465 = stablehlo.broadcast_in_dim %cst_109, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %466 = stablehlo.multiply %465, %434 : tensor<32x16xf32>
    %467 = stablehlo.subtract %arg10, %466 : tensor<32x16xf32>
    return %437, %440, %443, %446, %449, %452, %455, %458, %461, %464, %467, %213 : tensor<32x16xf32>, tensor<2x8x16xf32>, tensor<16x3x2x8xf32>, tensor<16x32xf32>, tensor<32x16xf32>, tensor<2x8x16xf32>, tensor<16x3x2x8xf32>, tensor<16x32xf32>, tensor<8x16xf32>, tensor<4x16xf32>, tensor<32x16xf32>, tensor<f32>
  }
  func.func private @_var(%arg0: tensor<4x8x16xf32>, %arg1: tensor<i32>) -> (tensor<4x8x1xf32>, tensor<4x8x16xf32>, tensor<f32>, tensor<i1>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<4x8x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x8x16xf32>
    %6 = chlo.square %5 : tensor<4x8x16xf32> -> tensor<4x8x16xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %8 = stablehlo.multiply %7, %5 : tensor<4x8x16xf32>
    %9 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %10 = stablehlo.subtract %cst_2, %9 : tensor<f32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%6 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %13 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %14 = stablehlo.divide %12, %13 : tensor<4x8x1xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.compare GT, %10, %cst_4, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_5 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %16 = call @_where(%15, %14, %cst_5) : (tensor<i1>, tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8x1xf32>
    return %16, %8, %10, %15 : tensor<4x8x1xf32>, tensor<4x8x16xf32>, tensor<f32>, tensor<i1>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<4x8x1xf32>, %arg2: tensor<f32>) -> tensor<4x8x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<4x8x1xf32>
    return %2 : tensor<4x8x1xf32>
  }
  func.func private @_where_0(%arg0: tensor<4x1x1x8xi1>, %arg1: tensor<4x2x8x8xf32>, %arg2: tensor<f32>) -> (tensor<4x2x8x8xf32>, tensor<4x2x8x8xi1>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2, 3] : (tensor<4x1x1x8xi1>) -> tensor<4x2x8x8xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x2x8x8xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<4x2x8x8xi1>, tensor<4x2x8x8xf32>
    return %3, %1 : tensor<4x2x8x8xf32>, tensor<4x2x8x8xi1>
  }
  func.func private @take_along_axis(%arg0: tensor<4x8x32xf32>, %arg1: tensor<4x8x1xi32>) -> (tensor<4x8x1xf32>, tensor<4x8x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x8x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<4x8x1xi32>, tensor<4x8x1xi32>) -> tensor<4x8x1xi1>
    %c_0 = stablehlo.constant dense<32> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x8x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<4x8x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<4x8x1xi1>, tensor<4x8x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<4x8x1xi32>) -> tensor<4x8x1x1xi32>
    %c_1 = stablehlo.constant dense<31> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4x8x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<4x8x1x1xi32>, tensor<4x8x1x1xi32>) -> tensor<4x8x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [3] : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xi32>) -> tensor<4x8x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<4x8x1x1xi32>, tensor<4x8x1x1xi32>) -> tensor<4x8x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<4x8x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [3] : (tensor<4x8x1x1xi1>, tensor<i1>) -> tensor<4x8x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<4x8x32xf32>, tensor<4x8x1x1xi32>) -> tensor<4x8x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<4x8x1xi1>, tensor<4x8x1xf32>
    return %15, %5 : tensor<4x8x1xf32>, tensor<4x8x1x1xi32>
  }
  func.func private @_where_1(%arg0: tensor<4x8xi1>, %arg1: tensor<4x8xf32>, %arg2: tensor<i32>) -> tensor<4x8xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<4x8xi1>, tensor<4x8xf32>
    return %2 : tensor<4x8xf32>
  }
  func.func private @_where_2(%arg0: tensor<4x8xi1>, %arg1: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<4x8xi1>, tensor<4x8xf32>
    return %1 : tensor<4x8xf32>
  }
  func.func private @take_along_axis_3(%arg0: tensor<4x8x1x1xi32>, %arg1: tensor<4x8x1xf32>) -> tensor<4x8x32xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4x8x32xf32>, tensor<4x8x1x1xi32>, tensor<4x8x1xf32>) -> tensor<4x8x32xf32>
    return %1 : tensor<4x8x32xf32>
  }
  func.func private @_var_4(%arg0: tensor<4x8x16xf32>, %arg1: tensor<f32>, %arg2: tensor<i1>, %arg3: tensor<4x8x1xf32>) -> tensor<4x8x16xf32> {
    %0 = call @_where_5(%arg2, %arg3) : (tensor<i1>, tensor<4x8x1xf32>) -> tensor<4x8x1xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %2 = stablehlo.divide %0, %1 : tensor<4x8x1xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %5 = stablehlo.multiply %4, %arg0 : tensor<4x8x16xf32>
    %6 = stablehlo.negate %5 : tensor<4x8x16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %8 = stablehlo.reshape %7 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_1 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<4x8x1xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %13 = stablehlo.add %5, %12 : tensor<4x8x16xf32>
    return %13 : tensor<4x8x16xf32>
  }
  func.func private @_where_5(%arg0: tensor<i1>, %arg1: tensor<4x8x1xf32>) -> tensor<4x8x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<i1>, tensor<4x8x1xf32>
    return %1 : tensor<4x8x1xf32>
  }
  func.func private @_where_6(%arg0: tensor<4x2x8x8xi1>, %arg1: tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x2x8x8xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<4x2x8x8xi1>, tensor<4x2x8x8xf32>
    return %1 : tensor<4x2x8x8xf32>
  }
}
