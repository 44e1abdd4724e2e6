module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x16xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<32x16xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<16x10xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<2x8x16xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<48x16xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<16x3x2x8xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<16x32xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<5x16xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<4x8x8x3xf32>, %arg9: tensor<4xi32>) -> (tensor<1x16xf32> {jax.result_info = "result[0]['cls']"}, tensor<32x16xf32> {jax.result_info = "result[0]['down']"}, tensor<16x10xf32> {jax.result_info = "result[0]['head']"}, tensor<2x8x16xf32> {jax.result_info = "result[0]['out']"}, tensor<48x16xf32> {jax.result_info = "result[0]['patch']"}, tensor<16x3x2x8xf32> {jax.result_info = "result[0]['qkv']"}, tensor<16x32xf32> {jax.result_info = "result[0]['up']"}, tensor<5x16xf32> {jax.result_info = "result[0]['wpe']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.reshape %arg8 : (tensor<4x8x8x3xf32>) -> tensor<4x2x4x2x4x3xf32>
    %1 = stablehlo.transpose %0, dims = [0, 1, 3, 2, 4, 5] : (tensor<4x2x4x2x4x3xf32>) -> tensor<4x2x2x4x4x3xf32>
    %2 = stablehlo.reshape %1 : (tensor<4x2x2x4x4x3xf32>) -> tensor<4x4x48xf32>
    %3 = stablehlo.dot_general %2, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4x48xf32>, tensor<48x16xf32>) -> tensor<4x4x16xf32>
    %4 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<1x16xf32>) -> tensor<4x1x16xf32>
    %5 = stablehlo.concatenate %4, %3, dim = 1 : (tensor<4x1x16xf32>, tensor<4x4x16xf32>) -> tensor<4x5x16xf32>
    %6 = stablehlo.broadcast_in_dim %arg7, dims = [1, 2] : (tensor<5x16xf32>) -> tensor<1x5x16xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<1x5x16xf32>) -> tensor<4x5x16xf32>
    %8 = stablehlo.add %5, %7 : tensor<4x5x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x5x16xf32>, tensor<f32>) -> tensor<4x5xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<4x5xf32>) -> tensor<4x5x1xf32>
    %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x5x1xf32>
    %12 = stablehlo.divide %10, %11 : tensor<4x5x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<4x5x1xf32>) -> tensor<4x5x16xf32>
    %14 = stablehlo.subtract %8, %13 : tensor<4x5x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %15:4 = call @_var(%8, %c) : (tensor<4x5x16xf32>, tensor<i32>) -> (tensor<4x5x1xf32>, tensor<4x5x16xf32>, tensor<f32>, tensor<i1>)
    %cst_1 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x5x1xf32>
    %17 = stablehlo.add %15#0, %16 : tensor<4x5x1xf32>
    %18 = stablehlo.rsqrt %17 : tensor<4x5x1xf32>
    %19 = stablehlo.divide %18, %17 : tensor<4x5x1xf32>
    %cst_2 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x5x1xf32>
    %21 = stablehlo.multiply %20, %19 : tensor<4x5x1xf32>
    %22 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<4x5x1xf32>) -> tensor<4x5x16xf32>
    %23 = stablehlo.multiply %14, %22 : tensor<4x5x16xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 2, 3] : (tensor<4x5x16xf32>) -> tensor<4x1x5x16xf32>
    %25 = stablehlo.dot_general %24, %arg5, contracting_dims = [3] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x1x5x16xf32>, tensor<16x3x2x8xf32>) -> tensor<4x1x5x3x2x8xf32>
    %26 = stablehlo.transpose %25, dims = [0, 3, 1, 2, 4, 5] : (tensor<4x1x5x3x2x8xf32>) -> tensor<4x3x1x5x2x8xf32>
    %27 = stablehlo.slice %26 [0:4, 0:1, 0:1, 0:5, 0:2, 0:8] : (tensor<4x3x1x5x2x8xf32>) -> tensor<4x1x1x5x2x8xf32>
    %28 = stablehlo.reshape %27 : (tensor<4x1x1x5x2x8xf32>) -> tensor<4x1x5x2x8xf32>
    %29 = stablehlo.slice %26 [0:4, 1:2, 0:1, 0:5, 0:2, 0:8] : (tensor<4x3x1x5x2x8xf32>) -> tensor<4x1x1x5x2x8xf32>
    %30 = stablehlo.reshape %29 : (tensor<4x1x1x5x2x8xf32>) -> tensor<4x1x5x2x8xf32>
    %31 = stablehlo.slice %26 [0:4, 2:3, 0:1, 0:5, 0:2, 0:8] : (tensor<4x3x1x5x2x8xf32>) -> tensor<4x1x1x5x2x8xf32>
    %32 = stablehlo.reshape %31 : (tensor<4x1x1x5x2x8xf32>) -> tensor<4x1x5x2x8xf32>
    %33 = stablehlo.dot_general %28, %30, batching_dims = [0, 1, 3] x [0, 1, 3], contracting_dims = [4] x [4], precision = [DEFAULT, DEFAULT] : (tensor<4x1x5x2x8xf32>, tensor<4x1x5x2x8xf32>) -> tensor<4x1x2x5x5xf32>
    %cst_3 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x1x2x5x5xf32>
    %35 = stablehlo.divide %33, %34 : tensor<4x1x2x5x5xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %36 = stablehlo.reduce(%35 init: %cst_4) applies stablehlo.maximum across dimensions = [4] : (tensor<4x1x2x5x5xf32>, tensor<f32>) -> tensor<4x1x2x5xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x1x2x5xf32>
    %38 = stablehlo.maximum %37, %36 : tensor<4x1x2x5xf32>
    %39 = stablehlo.broadcast_in_dim %38, dims = [0, 1, 2, 3] : (tensor<4x1x2x5xf32>) -> tensor<4x1x2x5x1xf32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2, 3, 4] : (tensor<4x1x2x5x1xf32>) -> tensor<4x1x2x5x5xf32>
    %41 = stablehlo.subtract %35, %40 : tensor<4x1x2x5x5xf32>
    %42 = stablehlo.exponential %41 : tensor<4x1x2x5x5xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %43 = stablehlo.reduce(%42 init: %cst_6) applies stablehlo.add across dimensions = [4] : (tensor<4x1x2x5x5xf32>, tensor<f32>) -> tensor<4x1x2x5xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2, 3] : (tensor<4x1x2x5xf32>) -> tensor<4x1x2x5x1xf32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 2, 3, 4] : (tensor<4x1x2x5x1xf32>) -> tensor<4x1x2x5x5xf32>
    %46 = stablehlo.divide %42, %45 : tensor<4x1x2x5x5xf32>
    %47 = stablehlo.multiply %44, %44 : tensor<4x1x2x5x1xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x1x2x5x1xf32>
    %49 = stablehlo.divide %48, %47 : tensor<4x1x2x5x1xf32>
    %50 = stablehlo.dot_general %32, %46, batching_dims = [0, 1, 3] x [0, 1, 2], contracting_dims = [2] x [4], precision = [DEFAULT, DEFAULT] : (tensor<4x1x5x2x8xf32>, tensor<4x1x2x5x5xf32>) -> tensor<4x1x2x8x5xf32>
    %51 = stablehlo.dot_general %50, %arg3, contracting_dims = [2, 3] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x1x2x8x5xf32>, tensor<2x8x16xf32>) -> tensor<4x1x5x16xf32>
    %52 = stablehlo.reshape %51 : (tensor<4x1x5x16xf32>) -> tensor<4x5x16xf32>
    %53 = stablehlo.add %8, %52 : tensor<4x5x16xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %54 = stablehlo.reduce(%53 init: %cst_8) applies stablehlo.add across dimensions = [2] : (tensor<4x5x16xf32>, tensor<f32>) -> tensor<4x5xf32>
    %55 = stablehlo.broadcast_in_dim %54, dims = [0, 1] : (tensor<4x5xf32>) -> tensor<4x5x1xf32>
    %cst_9 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x5x1xf32>
    %57 = stablehlo.divide %55, %56 : tensor<4x5x1xf32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [0, 1, 2] : (tensor<4x5x1xf32>) -> tensor<4x5x16xf32>
    %59 = stablehlo.subtract %53, %58 : tensor<4x5x16xf32>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %60:4 = call @_var(%53, %c_10) : (tensor<4x5x16xf32>, tensor<i32>) -> (tensor<4x5x1xf32>, tensor<4x5x16xf32>, tensor<f32>, tensor<i1>)
    %cst_11 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x5x1xf32>
    %62 = stablehlo.add %60#0, %61 : tensor<4x5x1xf32>
    %63 = stablehlo.rsqrt %62 : tensor<4x5x1xf32>
    %64 = stablehlo.divide %63, %62 : tensor<4x5x1xf32>
    %cst_12 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x5x1xf32>
    %66 = stablehlo.multiply %65, %64 : tensor<4x5x1xf32>
    %67 = stablehlo.broadcast_in_dim %63, dims = [0, 1, 2] : (tensor<4x5x1xf32>) -> tensor<4x5x16xf32>
    %68 = stablehlo.multiply %59, %67 : tensor<4x5x16xf32>
    %69 = stablehlo.dot_general %68, %arg6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x5x16xf32>, tensor<16x32xf32>) -> tensor<4x5x32xf32>
    %70 = stablehlo.multiply %69, %69 : tensor<4x5x32xf32>
    %71 = stablehlo.multiply %70, %69 : tensor<4x5x32xf32>
    %72 = stablehlo.multiply %69, %69 : tensor<4x5x32xf32>
    %cst_13 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x5x32xf32>
    %74 = stablehlo.multiply %73, %72 : tensor<4x5x32xf32>
    %cst_14 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x5x32xf32>
    %76 = stablehlo.multiply %75, %71 : tensor<4x5x32xf32>
    %77 = stablehlo.add %69, %76 : tensor<4x5x32xf32>
    %cst_15 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x5x32xf32>
    %79 = stablehlo.multiply %78, %77 : tensor<4x5x32xf32>
    %80 = stablehlo.tanh %79 : tensor<4x5x32xf32>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %81 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x5x32xf32>
    %82 = stablehlo.subtract %81, %80 : tensor<4x5x32xf32>
    %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<4x5x32xf32>
    %84 = stablehlo.add %83, %80 : tensor<4x5x32xf32>
    %cst_18 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %85 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<4x5x32xf32>
    %86 = stablehlo.multiply %85, %84 : tensor<4x5x32xf32>
    %87 = stablehlo.multiply %69, %86 : tensor<4x5x32xf32>
    %88 = stablehlo.dot_general %87, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x5x32xf32>, tensor<32x16xf32>) -> tensor<4x5x16xf32>
    %89 = stablehlo.add %53, %88 : tensor<4x5x16xf32>
    %90 = stablehlo.slice %89 [0:4, 0:1, 0:16] : (tensor<4x5x16xf32>) -> tensor<4x1x16xf32>
    %91 = stablehlo.reshape %90 : (tensor<4x1x16xf32>) -> tensor<4x16xf32>
    %92 = stablehlo.dot_general %91, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<16x10xf32>) -> tensor<4x10xf32>
    %cst_19 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %93 = stablehlo.reduce(%92 init: %cst_19) applies stablehlo.maximum across dimensions = [1] : (tensor<4x10xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_20 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %94 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %95 = stablehlo.maximum %94, %93 : tensor<4xf32>
    %96 = stablehlo.is_finite %95 : (tensor<4xf32>) -> tensor<4xi1>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %97 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %98 = stablehlo.select %96, %95, %97 : tensor<4xi1>, tensor<4xf32>
    %99 = stablehlo.broadcast_in_dim %98, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %100 = stablehlo.broadcast_in_dim %99, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x10xf32>
    %101 = stablehlo.subtract %92, %100 : tensor<4x10xf32>
    %102 = stablehlo.exponential %101 : tensor<4x10xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %103 = stablehlo.reduce(%102 init: %cst_22) applies stablehlo.add across dimensions = [1] : (tensor<4x10xf32>, tensor<f32>) -> tensor<4xf32>
    %104 = stablehlo.abs %103 : tensor<4xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %106 = stablehlo.compare GE, %103, %105, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %107 = stablehlo.log %104 : tensor<4xf32>
    %108 = stablehlo.add %107, %98 : tensor<4xf32>
    %109 = stablehlo.slice %89 [0:4, 0:1, 0:16] : (tensor<4x5x16xf32>) -> tensor<4x1x16xf32>
    %110 = stablehlo.reshape %109 : (tensor<4x1x16xf32>) -> tensor<4x16xf32>
    %111 = stablehlo.dot_general %110, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<16x10xf32>) -> tensor<4x10xf32>
    %c_24 = stablehlo.constant dense<0> : tensor<i32>
    %112 = stablehlo.broadcast_in_dim %c_24, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %113 = stablehlo.compare LT, %arg9, %112, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_25 = stablehlo.constant dense<10> : tensor<i32>
    %114 = stablehlo.broadcast_in_dim %c_25, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %115 = stablehlo.add %arg9, %114 : tensor<4xi32>
    %116 = stablehlo.select %113, %115, %arg9 : tensor<4xi1>, tensor<4xi32>
    %117 = stablehlo.broadcast_in_dim %116, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %118 = "stablehlo.gather"(%111, %117) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, 1>}> : (tensor<4x10xf32>, tensor<4x1xi32>) -> tensor<4x1xf32>
    %119 = stablehlo.reshape %118 : (tensor<4x1xf32>) -> tensor<4xf32>
    %120 = stablehlo.subtract %108, %119 : tensor<4xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %121 = stablehlo.reduce(%120 init: %cst_26) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %cst_27 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %122 = stablehlo.divide %121, %cst_27 : tensor<f32>
    %cst_28 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_29 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %123 = stablehlo.divide %cst_28, %cst_29 : tensor<f32>
    %124 = stablehlo.broadcast_in_dim %123, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %125 = stablehlo.negate %124 : tensor<4xf32>
    %126 = stablehlo.broadcast_in_dim %125, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %127 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<4x10xf32>
    %c_31 = stablehlo.constant dense<9> : tensor<1xi32>
    %c_32 = stablehlo.constant dense<2147483647> : tensor<i32>
    %128 = stablehlo.broadcast_in_dim %c_32, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %129 = stablehlo.minimum %c_31, %128 : tensor<1xi32>
    %130 = stablehlo.broadcast_in_dim %129, dims = [1] : (tensor<1xi32>) -> tensor<4x1xi32>
    %c_33 = stablehlo.constant dense<0> : tensor<i32>
    %131 = stablehlo.broadcast_in_dim %c_33, dims = [] : (tensor<i32>) -> tensor<4x1xi32>
    %132 = stablehlo.clamp %131, %117, %130 : tensor<4x1xi32>
    %133 = "stablehlo.scatter"(%127, %132, %126) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %281 = stablehlo.add %arg10, %arg11 : tensor<f32>
      stablehlo.return %281 : tensor<f32>
    }) : (tensor<4x10xf32>, tensor<4x1xi32>, tensor<4x1xf32>) -> tensor<4x10xf32>
    %134 = stablehlo.dot_general %133, %110, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x10xf32>, tensor<4x16xf32>) -> tensor<10x16xf32>
    %135 = stablehlo.transpose %134, dims = [1, 0] : (tensor<10x16xf32>) -> tensor<16x10xf32>
    %136 = stablehlo.dot_general %133, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x10xf32>, tensor<16x10xf32>) -> tensor<4x16xf32>
    %137 = stablehlo.broadcast_in_dim %136, dims = [0, 2] : (tensor<4x16xf32>) -> tensor<4x1x16xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %138 = stablehlo.pad %137, %cst_34, low = [0, 0, 0], high = [0, 4, 0], interior = [0, 0, 0] : (tensor<4x1x16xf32>, tensor<f32>) -> tensor<4x5x16xf32>
    %139 = stablehlo.divide %124, %104 : tensor<4xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %140 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %141 = stablehlo.select %106, %140, %139 : tensor<4xi1>, tensor<4xf32>
    %142 = stablehlo.select %106, %139, %140 : tensor<4xi1>, tensor<4xf32>
    %143 = stablehlo.negate %141 : tensor<4xf32>
    %144 = stablehlo.add %142, %143 : tensor<4xf32>
    %145 = stablehlo.broadcast_in_dim %144, dims = [0] : (tensor<4xf32>) -> tensor<4x10xf32>
    %146 = stablehlo.multiply %145, %102 : tensor<4x10xf32>
    %147 = stablehlo.dot_general %146, %91, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x10xf32>, tensor<4x16xf32>) -> tensor<10x16xf32>
    %148 = stablehlo.transpose %147, dims = [1, 0] : (tensor<10x16xf32>) -> tensor<16x10xf32>
    %149 = stablehlo.add %135, %148 : tensor<16x10xf32>
    %150 = stablehlo.dot_general %146, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x10xf32>, tensor<16x10xf32>) -> tensor<4x16xf32>
    %151 = stablehlo.broadcast_in_dim %150, dims = [0, 2] : (tensor<4x16xf32>) -> tensor<4x1x16xf32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %152 = stablehlo.pad %151, %cst_36, low = [0, 0, 0], high = [0, 4, 0], interior = [0, 0, 0] : (tensor<4x1x16xf32>, tensor<f32>) -> tensor<4x5x16xf32>
    %153 = stablehlo.add %138, %152 : tensor<4x5x16xf32>
    %154 = stablehlo.dot_general %153, %87, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x5x16xf32>, tensor<4x5x32xf32>) -> tensor<16x32xf32>
    %155 = stablehlo.transpose %154, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %156 = stablehlo.dot_general %153, %arg1, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x5x16xf32>, tensor<32x16xf32>) -> tensor<4x5x32xf32>
    %157 = stablehlo.multiply %69, %156 : tensor<4x5x32xf32>
    %158 = stablehlo.multiply %156, %86 : tensor<4x5x32xf32>
    %cst_37 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %159 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<4x5x32xf32>
    %160 = stablehlo.multiply %159, %157 : tensor<4x5x32xf32>
    %161 = stablehlo.multiply %160, %82 : tensor<4x5x32xf32>
    %162 = stablehlo.multiply %161, %80 : tensor<4x5x32xf32>
    %163 = stablehlo.add %161, %162 : tensor<4x5x32xf32>
    %cst_38 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %164 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<4x5x32xf32>
    %165 = stablehlo.multiply %164, %163 : tensor<4x5x32xf32>
    %166 = stablehlo.add %158, %165 : tensor<4x5x32xf32>
    %cst_39 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %167 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<4x5x32xf32>
    %168 = stablehlo.multiply %167, %165 : tensor<4x5x32xf32>
    %169 = stablehlo.multiply %168, %74 : tensor<4x5x32xf32>
    %170 = stablehlo.add %166, %169 : tensor<4x5x32xf32>
    %171 = stablehlo.dot_general %170, %68, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x5x32xf32>, tensor<4x5x16xf32>) -> tensor<32x16xf32>
    %172 = stablehlo.transpose %171, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %173 = stablehlo.dot_general %170, %arg6, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x5x32xf32>, tensor<16x32xf32>) -> tensor<4x5x16xf32>
    %174 = stablehlo.multiply %59, %173 : tensor<4x5x16xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %175 = stablehlo.reduce(%174 init: %cst_40) applies stablehlo.add across dimensions = [2] : (tensor<4x5x16xf32>, tensor<f32>) -> tensor<4x5xf32>
    %176 = stablehlo.reshape %175 : (tensor<4x5xf32>) -> tensor<4x5x1xf32>
    %177 = stablehlo.broadcast_in_dim %63, dims = [0, 1, 2] : (tensor<4x5x1xf32>) -> tensor<4x5x16xf32>
    %178 = stablehlo.multiply %173, %177 : tensor<4x5x16xf32>
    %179 = stablehlo.multiply %176, %66 : tensor<4x5x1xf32>
    %180 = call @_var_0(%60#1, %60#2, %60#3, %179) : (tensor<4x5x16xf32>, tensor<f32>, tensor<i1>, tensor<4x5x1xf32>) -> tensor<4x5x16xf32>
    %181 = stablehlo.add %153, %180 : tensor<4x5x16xf32>
    %182 = stablehlo.negate %178 : tensor<4x5x16xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %183 = stablehlo.reduce(%182 init: %cst_41) applies stablehlo.add across dimensions = [2] : (tensor<4x5x16xf32>, tensor<f32>) -> tensor<4x5xf32>
    %184 = stablehlo.reshape %183 : (tensor<4x5xf32>) -> tensor<4x5x1xf32>
    %185 = stablehlo.add %181, %178 : tensor<4x5x16xf32>
    %cst_42 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %186 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<4x5x1xf32>
    %187 = stablehlo.divide %184, %186 : tensor<4x5x1xf32>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %188 = stablehlo.reduce(%187 init: %cst_43) applies stablehlo.add across dimensions = [2] : (tensor<4x5x1xf32>, tensor<f32>) -> tensor<4x5xf32>
    %189 = stablehlo.broadcast_in_dim %188, dims = [0, 1] : (tensor<4x5xf32>) -> tensor<4x5x16xf32>
    %190 = stablehlo.add %185, %189 : tensor<4x5x16xf32>
    %191 = stablehlo.broadcast_in_dim %190, dims = [0, 2, 3] : (tensor<4x5x16xf32>) -> tensor<4x1x5x16xf32>
    %192 = stablehlo.dot_general %191, %50, contracting_dims = [0, 1, 2] x [0, 1, 4], precision = [DEFAULT, DEFAULT] : (tensor<4x1x5x16xf32>, tensor<4x1x2x8x5xf32>) -> tensor<16x2x8xf32>
    %193 = stablehlo.transpose %192, dims = [1, 2, 0] : (tensor<16x2x8xf32>) -> tensor<2x8x16xf32>
    %194 = stablehlo.dot_general %191, %arg3, contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x1x5x16xf32>, tensor<2x8x16xf32>) -> tensor<4x1x5x2x8xf32>
    %195 = stablehlo.transpose %194, dims = [0, 1, 3, 4, 2] : (tensor<4x1x5x2x8xf32>) -> tensor<4x1x2x8x5xf32>
    %196 = stablehlo.dot_general %195, %32, batching_dims = [0, 1, 2] x [0, 1, 3], contracting_dims = [3] x [4], precision = [DEFAULT, DEFAULT] : (tensor<4x1x2x8x5xf32>, tensor<4x1x5x2x8xf32>) -> tensor<4x1x2x5x5xf32>
    %197 = stablehlo.dot_general %195, %46, batching_dims = [0, 1, 2] x [0, 1, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x1x2x8x5xf32>, tensor<4x1x2x5x5xf32>) -> tensor<4x1x2x8x5xf32>
    %198 = stablehlo.transpose %197, dims = [0, 1, 4, 2, 3] : (tensor<4x1x2x8x5xf32>) -> tensor<4x1x5x2x8xf32>
    %199 = stablehlo.broadcast_in_dim %49, dims = [0, 1, 2, 3, 4] : (tensor<4x1x2x5x1xf32>) -> tensor<4x1x2x5x5xf32>
    %200 = stablehlo.multiply %196, %199 : tensor<4x1x2x5x5xf32>
    %201 = stablehlo.multiply %200, %42 : tensor<4x1x2x5x5xf32>
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %202 = stablehlo.reduce(%201 init: %cst_44) applies stablehlo.add across dimensions = [4] : (tensor<4x1x2x5x5xf32>, tensor<f32>) -> tensor<4x1x2x5xf32>
    %203 = stablehlo.reshape %202 : (tensor<4x1x2x5xf32>) -> tensor<4x1x2x5x1xf32>
    %204 = stablehlo.negate %203 : tensor<4x1x2x5x1xf32>
    %205 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 2, 3, 4] : (tensor<4x1x2x5x1xf32>) -> tensor<4x1x2x5x5xf32>
    %206 = stablehlo.divide %196, %205 : tensor<4x1x2x5x5xf32>
    %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %207 = stablehlo.reduce(%204 init: %cst_45) applies stablehlo.add across dimensions = [1, 4] : (tensor<4x1x2x5x1xf32>, tensor<f32>) -> tensor<4x2x5xf32>
    %208 = stablehlo.broadcast_in_dim %207, dims = [0, 2, 3] : (tensor<4x2x5xf32>) -> tensor<4x1x2x5xf32>
    %209 = stablehlo.broadcast_in_dim %208, dims = [0, 1, 2, 3] : (tensor<4x1x2x5xf32>) -> tensor<4x1x2x5x5xf32>
    %210 = stablehlo.add %206, %209 : tensor<4x1x2x5x5xf32>
    %211 = stablehlo.multiply %210, %42 : tensor<4x1x2x5x5xf32>
    %cst_46 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %212 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<4x1x2x5x5xf32>
    %213 = stablehlo.divide %211, %212 : tensor<4x1x2x5x5xf32>
    %214 = stablehlo.dot_general %213, %28, batching_dims = [0, 1, 2] x [0, 1, 3], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x1x2x5x5xf32>, tensor<4x1x5x2x8xf32>) -> tensor<4x1x2x5x8xf32>
    %215 = stablehlo.transpose %214, dims = [0, 1, 3, 2, 4] : (tensor<4x1x2x5x8xf32>) -> tensor<4x1x5x2x8xf32>
    %216 = stablehlo.dot_general %213, %30, batching_dims = [0, 1, 2] x [0, 1, 3], contracting_dims = [4] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x1x2x5x5xf32>, tensor<4x1x5x2x8xf32>) -> tensor<4x1x2x5x8xf32>
    %217 = stablehlo.transpose %216, dims = [0, 1, 3, 2, 4] : (tensor<4x1x2x5x8xf32>) -> tensor<4x1x5x2x8xf32>
    %218 = stablehlo.broadcast_in_dim %198, dims = [0, 2, 3, 4, 5] : (tensor<4x1x5x2x8xf32>) -> tensor<4x1x1x5x2x8xf32>
    %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %219 = stablehlo.pad %218, %cst_47, low = [0, 2, 0, 0, 0, 0], high = [0, 0, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0, 0] : (tensor<4x1x1x5x2x8xf32>, tensor<f32>) -> tensor<4x3x1x5x2x8xf32>
    %220 = stablehlo.broadcast_in_dim %215, dims = [0, 2, 3, 4, 5] : (tensor<4x1x5x2x8xf32>) -> tensor<4x1x1x5x2x8xf32>
    %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %221 = stablehlo.pad %220, %cst_48, low = [0, 1, 0, 0, 0, 0], high = [0, 1, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0, 0] : (tensor<4x1x1x5x2x8xf32>, tensor<f32>) -> tensor<4x3x1x5x2x8xf32>
    %222 = stablehlo.add %219, %221 : tensor<4x3x1x5x2x8xf32>
    %223 = stablehlo.broadcast_in_dim %217, dims = [0, 2, 3, 4, 5] : (tensor<4x1x5x2x8xf32>) -> tensor<4x1x1x5x2x8xf32>
    %cst_49 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %224 = stablehlo.pad %223, %cst_49, low = [0, 0, 0, 0, 0, 0], high = [0, 2, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0, 0] : (tensor<4x1x1x5x2x8xf32>, tensor<f32>) -> tensor<4x3x1x5x2x8xf32>
    %225 = stablehlo.add %222, %224 : tensor<4x3x1x5x2x8xf32>
    %226 = stablehlo.transpose %225, dims = [0, 2, 3, 1, 4, 5] : (tensor<4x3x1x5x2x8xf32>) -> tensor<4x1x5x3x2x8xf32>
    %227 = stablehlo.dot_general %226, %24, contracting_dims = [0, 1, 2] x [0, 1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x1x5x3x2x8xf32>, tensor<4x1x5x16xf32>) -> tensor<3x2x8x16xf32>
    %228 = stablehlo.transpose %227, dims = [3, 0, 1, 2] : (tensor<3x2x8x16xf32>) -> tensor<16x3x2x8xf32>
    %229 = stablehlo.dot_general %226, %arg5, contracting_dims = [3, 4, 5] x [1, 2, 3], precision = [DEFAULT, DEFAULT] : (tensor<4x1x5x3x2x8xf32>, tensor<16x3x2x8xf32>) -> tensor<4x1x5x16xf32>
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %230 = stablehlo.reduce(%229 init: %cst_50) applies stablehlo.add across dimensions = [1] : (tensor<4x1x5x16xf32>, tensor<f32>) -> tensor<4x5x16xf32>
    %231 = stablehlo.multiply %14, %230 : tensor<4x5x16xf32>
    %cst_51 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %232 = stablehlo.reduce(%231 init: %cst_51) applies stablehlo.add across dimensions = [2] : (tensor<4x5x16xf32>, tensor<f32>) -> tensor<4x5xf32>
    %233 = stablehlo.reshape %232 : (tensor<4x5xf32>) -> tensor<4x5x1xf32>
    %234 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<4x5x1xf32>) -> tensor<4x5x16xf32>
    %235 = stablehlo.multiply %230, %234 : tensor<4x5x16xf32>
    %236 = stablehlo.multiply %233, %21 : tensor<4x5x1xf32>
    %237 = call @_var_0(%15#1, %15#2, %15#3, %236) : (tensor<4x5x16xf32>, tensor<f32>, tensor<i1>, tensor<4x5x1xf32>) -> tensor<4x5x16xf32>
    %238 = stablehlo.add %190, %237 : tensor<4x5x16xf32>
    %239 = stablehlo.negate %235 : tensor<4x5x16xf32>
    %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %240 = stablehlo.reduce(%239 init: %cst_52) applies stablehlo.add across dimensions = [2] : (tensor<4x5x16xf32>, tensor<f32>) -> tensor<4x5xf32>
    %241 = stablehlo.reshape %240 : (tensor<4x5xf32>) -> tensor<4x5x1xf32>
    %242 = stablehlo.add %238, %235 : tensor<4x5x16xf32>
    %cst_53 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %243 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<4x5x1xf32>
    %244 = stablehlo.divide %241, %243 : tensor<4x5x1xf32>
    %cst_54 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %245 = stablehlo.reduce(%244 init: %cst_54) applies stablehlo.add across dimensions = [2] : (tensor<4x5x1xf32>, tensor<f32>) -> tensor<4x5xf32>
    %246 = stablehlo.broadcast_in_dim %245, dims = [0, 1] : (tensor<4x5xf32>) -> tensor<4x5x16xf32>
    %247 = stablehlo.add %242, %246 : tensor<4x5x16xf32>
    %cst_55 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %248 = stablehlo.reduce(%247 init: %cst_55) applies stablehlo.add across dimensions = [0] : (tensor<4x5x16xf32>, tensor<f32>) -> tensor<5x16xf32>
    %249 = stablehlo.reshape %248 : (tensor<5x16xf32>) -> tensor<1x5x16xf32>
    %cst_56 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %250 = stablehlo.reduce(%249 init: %cst_56) applies stablehlo.add across dimensions = [0] : (tensor<1x5x16xf32>, tensor<f32>) -> tensor<5x16xf32>
    %251 = stablehlo.slice %247 [0:4, 0:1, 0:16] : (tensor<4x5x16xf32>) -> tensor<4x1x16xf32>
    %252 = stablehlo.slice %247 [0:4, 1:5, 0:16] : (tensor<4x5x16xf32>) -> tensor<4x4x16xf32>
    %cst_57 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %253 = stablehlo.reduce(%251 init: %cst_57) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %254 = stablehlo.broadcast_in_dim %253, dims = [1] : (tensor<16xf32>) -> tensor<1x16xf32>
    %255 = stablehlo.dot_general %252, %2, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x4x16xf32>, tensor<4x4x48xf32>) -> tensor<16x48xf32>
    %256 = stablehlo.transpose %255, dims = [1, 0] : (tensor<16x48xf32>) -> tensor<48x16xf32>
    %cst_58 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %257 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<1x16xf32>
    %258 = stablehlo.multiply %257, %254 : tensor<1x16xf32>
    %259 = stablehlo.subtract %arg0, %258 : tensor<1x16xf32>
    %cst_59 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %260 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %261 = stablehlo.multiply %260, %155 : tensor<32x16xf32>
    %262 = stablehlo.subtract %arg1, %261 : tensor<32x16xf32>
    %cst_60 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %263 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<16x10xf32>
    %264 = stablehlo.multiply %263, %149 : tensor<16x10xf32>
    %265 = stablehlo.subtract %arg2, %264 : tensor<16x10xf32>
    %cst_61 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %266 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %267 = stablehlo.multiply %266, %193 : tensor<2x8x16xf32>
    %268 = stablehlo.subtract %arg3, %267 : tensor<2x8x16xf32>
    %cst_62 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %269 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<48x16xf32>
    %270 = stablehlo.multiply %269, %256 : tensor<48x16xf32>
    %271 = stablehlo.subtract %arg4, %270 : tensor<48x16xf32>
    %cst_63 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %272 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<16x3x2x8xf32>
    %273 = stablehlo.multiply %272, %228 : tensor<16x3x2x8xf32>
    %274 = stablehlo.subtract %arg5, %273 : tensor<16x3x2x8xf32>
    %cst_64 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %275 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %276 = stablehlo.multiply %275, %172 : tensor<16x32xf32>
    %277 = stablehlo.subtract %arg6, %276 : tensor<16x32xf32>
    %cst_65 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %278 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<5x16xf32>
    %279 = stablehlo.multiply %278, %250 : tensor<5x16xf32>
    %280 = stablehlo.subtract %arg7, %279 : tensor<5x16xf32>
    return %259, %262, %265, %268, %271, %274, %277, %280, %122 : tensor<1x16xf32>, tensor<32x16xf32>, tensor<16x10xf32>, tensor<2x8x16xf32>, tensor<48x16xf32>, tensor<16x3x2x8xf32>, tensor<16x32xf32>, tensor<5x16xf32>, tensor<f32>
  }
  func.func private @_var(%arg0: tensor<4x5x16xf32>, %arg1: tensor<i32>) -> (tensor<4x5x1xf32>, tensor<4x5x16xf32>, tensor<f32>, tensor<i1>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x5x16xf32>, tensor<f32>) -> tensor<4x5xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<4x5xf32>) -> tensor<4x5x1xf32>
    %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x5x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<4x5x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<4x5x1xf32>) -> tensor<4x5x16xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x5x16xf32>
    %6 = chlo.square %5 : tensor<4x5x16xf32> -> tensor<4x5x16xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x5x16xf32>
    %8 = stablehlo.multiply %7, %5 : tensor<4x5x16xf32>
    %9 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %10 = stablehlo.subtract %cst_2, %9 : tensor<f32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%6 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<4x5x16xf32>, tensor<f32>) -> tensor<4x5xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<4x5xf32>) -> tensor<4x5x1xf32>
    %13 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<4x5x1xf32>
    %14 = stablehlo.divide %12, %13 : tensor<4x5x1xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.compare GT, %10, %cst_4, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_5 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %16 = call @_where(%15, %14, %cst_5) : (tensor<i1>, tensor<4x5x1xf32>, tensor<f32>) -> tensor<4x5x1xf32>
    return %16, %8, %10, %15 : tensor<4x5x1xf32>, tensor<4x5x16xf32>, tensor<f32>, tensor<i1>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<4x5x1xf32>, %arg2: tensor<f32>) -> tensor<4x5x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<5x1xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [1, 2] : (tensor<5x1xf32>) -> tensor<4x5x1xf32>
    %3 = stablehlo.select %arg0, %arg1, %2 : tensor<i1>, tensor<4x5x1xf32>
    return %3 : tensor<4x5x1xf32>
  }
  func.func private @_var_0(%arg0: tensor<4x5x16xf32>, %arg1: tensor<f32>, %arg2: tensor<i1>, %arg3: tensor<4x5x1xf32>) -> tensor<4x5x16xf32> {
    %0 = call @_where_1(%arg2, %arg3) : (tensor<i1>, tensor<4x5x1xf32>) -> tensor<4x5x1xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<4x5x1xf32>
    %2 = stablehlo.divide %0, %1 : tensor<4x5x1xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x5x1xf32>, tensor<f32>) -> tensor<4x5xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<4x5xf32>) -> tensor<4x5x16xf32>
    %5 = stablehlo.multiply %4, %arg0 : tensor<4x5x16xf32>
    %6 = stablehlo.negate %5 : tensor<4x5x16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<4x5x16xf32>, tensor<f32>) -> tensor<4x5xf32>
    %8 = stablehlo.reshape %7 : (tensor<4x5xf32>) -> tensor<4x5x1xf32>
    %cst_1 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x5x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<4x5x1xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<4x5x1xf32>, tensor<f32>) -> tensor<4x5xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<4x5xf32>) -> tensor<4x5x16xf32>
    %13 = stablehlo.add %5, %12 : tensor<4x5x16xf32>
    return %13 : tensor<4x5x16xf32>
  }
  func.func private @_where_1(%arg0: tensor<i1>, %arg1: tensor<4x5x1xf32>) -> tensor<4x5x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x5x1xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<i1>, tensor<4x5x1xf32>
    return %1 : tensor<4x5x1xf32>
  }
}
