module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16x2xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<2x3x2x8xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<16x2xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<2x32xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<16x2xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<2x3x2x8xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<16x2xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<2x32xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<16x2xf32> {tf.aliasing_output = 8 : i32}, %arg9: tensor<2x3x2x8xf32> {tf.aliasing_output = 9 : i32}, %arg10: tensor<16x2xf32> {tf.aliasing_output = 10 : i32}, %arg11: tensor<2x32xf32> {tf.aliasing_output = 11 : i32}, %arg12: tensor<16x2xf32> {tf.aliasing_output = 12 : i32}, %arg13: tensor<2x3x2x8xf32> {tf.aliasing_output = 13 : i32}, %arg14: tensor<16x2xf32> {tf.aliasing_output = 14 : i32}, %arg15: tensor<2x32xf32> {tf.aliasing_output = 15 : i32}, %arg16: tensor<32x16xf32>, %arg17: tensor<2x8x16xf32>, %arg18: tensor<16x3x2x8xf32>, %arg19: tensor<16x32xf32>, %arg20: tensor<32x16xf32>, %arg21: tensor<2x8x16xf32>, %arg22: tensor<16x3x2x8xf32>, %arg23: tensor<16x32xf32>, %arg24: tensor<8x16xf32>, %arg25: tensor<32x16xf32>, %arg26: tensor<4x8xi32>, %arg27: tensor<4x8xi32>) -> (tensor<16x2xf32> {jax.result_info = "result[0]['layers'][0]['a']"}, tensor<2x3x2x8xf32> {jax.result_info = "result[0]['layers'][0]['b']"}, tensor<16x2xf32> {jax.result_info = "result[0]['layers'][0]['ua']"}, tensor<2x32xf32> {jax.result_info = "result[0]['layers'][0]['ub']"}, tensor<16x2xf32> {jax.result_info = "result[0]['layers'][1]['a']"}, tensor<2x3x2x8xf32> {jax.result_info = "result[0]['layers'][1]['b']"}, tensor<16x2xf32> {jax.result_info = "result[0]['layers'][1]['ua']"}, tensor<2x32xf32> {jax.result_info = "result[0]['layers'][1]['ub']"}, tensor<16x2xf32> {jax.result_info = "result[1]['layers'][0]['a']"}, tensor<2x3x2x8xf32> {jax.result_info = "result[1]['layers'][0]['b']"}, tensor<16x2xf32> {jax.result_info = "result[1]['layers'][0]['ua']"}, tensor<2x32xf32> {jax.result_info = "result[1]['layers'][0]['ub']"}, tensor<16x2xf32> {jax.result_info = "result[1]['layers'][1]['a']"}, tensor<2x3x2x8xf32> {jax.result_info = "result[1]['layers'][1]['b']"}, tensor<16x2xf32> {jax.result_info = "result[1]['layers'][1]['ua']"}, tensor<2x32xf32> {jax.result_info = "result[1]['layers'][1]['ub']"}, tensor<f32> {jax.result_info = "result[2]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x8xi32>
    %1 = stablehlo.compare LT, %arg26, %0, SIGNED : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi1>
    %c_0 = stablehlo.constant dense<32> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x8xi32>
    %3 = stablehlo.add %arg26, %2 : tensor<4x8xi32>
    %4 = stablehlo.select %1, %3, %arg26 : tensor<4x8xi1>, tensor<4x8xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<4x8xi32>) -> tensor<4x8x1xi32>
    %6 = "stablehlo.gather"(%arg25, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<32x16xf32>, tensor<4x8x1xi32>) -> tensor<4x8x16xf32>
    %7 = stablehlo.broadcast_in_dim %arg24, dims = [1, 2] : (tensor<8x16xf32>) -> tensor<1x8x16xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<1x8x16xf32>) -> tensor<4x8x16xf32>
    %9 = stablehlo.add %6, %8 : tensor<4x8x16xf32>
    %c_1 = stablehlo.constant dense<true> : tensor<i1>
    %10 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i1>) -> tensor<8x8xi1>
    %11 = call @tril(%10) : (tensor<8x8xi1>) -> tensor<8x8xi1>
    %12 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x2xf32>, tensor<2x3x2x8xf32>) -> tensor<16x3x2x8xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x3x2x8xf32>
    %14 = stablehlo.multiply %12, %13 : tensor<16x3x2x8xf32>
    %15 = stablehlo.add %arg18, %14 : tensor<16x3x2x8xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_3 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %19 = stablehlo.divide %17, %18 : tensor<4x8x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %21 = stablehlo.subtract %9, %20 : tensor<4x8x16xf32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %22 = call @_var(%9, %c_4) : (tensor<4x8x16xf32>, tensor<i32>) -> tensor<4x8x1xf32>
    %cst_5 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %24 = stablehlo.add %22, %23 : tensor<4x8x1xf32>
    %25 = stablehlo.rsqrt %24 : tensor<4x8x1xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %27 = stablehlo.multiply %21, %26 : tensor<4x8x16xf32>
    %28 = stablehlo.dot_general %27, %15, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x3x2x8xf32>) -> tensor<4x8x3x2x8xf32>
    %29 = stablehlo.transpose %28, dims = [2, 0, 1, 3, 4] : (tensor<4x8x3x2x8xf32>) -> tensor<3x4x8x2x8xf32>
    %30 = stablehlo.slice %29 [0:1, 0:4, 0:8, 0:2, 0:8] : (tensor<3x4x8x2x8xf32>) -> tensor<1x4x8x2x8xf32>
    %31 = stablehlo.reshape %30 : (tensor<1x4x8x2x8xf32>) -> tensor<4x8x2x8xf32>
    %32 = stablehlo.slice %29 [1:2, 0:4, 0:8, 0:2, 0:8] : (tensor<3x4x8x2x8xf32>) -> tensor<1x4x8x2x8xf32>
    %33 = stablehlo.reshape %32 : (tensor<1x4x8x2x8xf32>) -> tensor<4x8x2x8xf32>
    %34 = stablehlo.slice %29 [2:3, 0:4, 0:8, 0:2, 0:8] : (tensor<3x4x8x2x8xf32>) -> tensor<1x4x8x2x8xf32>
    %35 = stablehlo.reshape %34 : (tensor<1x4x8x2x8xf32>) -> tensor<4x8x2x8xf32>
    %36 = stablehlo.dot_general %31, %33, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x2x8xf32>, tensor<4x8x2x8xf32>) -> tensor<4x2x8x8xf32>
    %cst_6 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x2x8x8xf32>
    %38 = stablehlo.divide %36, %37 : tensor<4x2x8x8xf32>
    %cst_7 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %39:2 = call @_where_0(%11, %38, %cst_7) : (tensor<8x8xi1>, tensor<4x2x8x8xf32>, tensor<f32>) -> (tensor<4x2x8x8xf32>, tensor<4x2x8x8xi1>)
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %40 = stablehlo.reduce(%39#0 init: %cst_8) applies stablehlo.maximum across dimensions = [3] : (tensor<4x2x8x8xf32>, tensor<f32>) -> tensor<4x2x8xf32>
    %cst_9 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x2x8xf32>
    %42 = stablehlo.maximum %41, %40 : tensor<4x2x8xf32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2] : (tensor<4x2x8xf32>) -> tensor<4x2x8x1xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2, 3] : (tensor<4x2x8x1xf32>) -> tensor<4x2x8x8xf32>
    %45 = stablehlo.subtract %39#0, %44 : tensor<4x2x8x8xf32>
    %46 = stablehlo.exponential %45 : tensor<4x2x8x8xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.reduce(%46 init: %cst_10) applies stablehlo.add across dimensions = [3] : (tensor<4x2x8x8xf32>, tensor<f32>) -> tensor<4x2x8xf32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [0, 1, 2] : (tensor<4x2x8xf32>) -> tensor<4x2x8x1xf32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [0, 1, 2, 3] : (tensor<4x2x8x1xf32>) -> tensor<4x2x8x8xf32>
    %50 = stablehlo.divide %46, %49 : tensor<4x2x8x8xf32>
    %51 = stablehlo.multiply %48, %48 : tensor<4x2x8x1xf32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x2x8x1xf32>
    %53 = stablehlo.divide %52, %51 : tensor<4x2x8x1xf32>
    %54 = stablehlo.dot_general %35, %50, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x2x8xf32>, tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
    %55 = stablehlo.dot_general %54, %arg17, contracting_dims = [1, 2] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x8xf32>, tensor<2x8x16xf32>) -> tensor<4x8x16xf32>
    %56 = stablehlo.add %9, %55 : tensor<4x8x16xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %57 = stablehlo.reduce(%56 init: %cst_12) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_13 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %60 = stablehlo.divide %58, %59 : tensor<4x8x1xf32>
    %61 = stablehlo.broadcast_in_dim %60, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %62 = stablehlo.subtract %56, %61 : tensor<4x8x16xf32>
    %c_14 = stablehlo.constant dense<0> : tensor<i32>
    %63:4 = call @_var_1(%56, %c_14) : (tensor<4x8x16xf32>, tensor<i32>) -> (tensor<4x8x1xf32>, tensor<4x8x16xf32>, tensor<f32>, tensor<i1>)
    %cst_15 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %65 = stablehlo.add %63#0, %64 : tensor<4x8x1xf32>
    %66 = stablehlo.rsqrt %65 : tensor<4x8x1xf32>
    %67 = stablehlo.divide %66, %65 : tensor<4x8x1xf32>
    %cst_16 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %69 = stablehlo.multiply %68, %67 : tensor<4x8x1xf32>
    %70 = stablehlo.broadcast_in_dim %66, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %71 = stablehlo.multiply %62, %70 : tensor<4x8x16xf32>
    %72 = stablehlo.dot_general %71, %arg19, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x32xf32>) -> tensor<4x8x32xf32>
    %73 = stablehlo.dot_general %71, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x2xf32>) -> tensor<4x8x2xf32>
    %74 = stablehlo.dot_general %73, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x2xf32>, tensor<2x32xf32>) -> tensor<4x8x32xf32>
    %75 = stablehlo.add %72, %74 : tensor<4x8x32xf32>
    %76:3 = call @silu(%75) : (tensor<4x8x32xf32>) -> (tensor<4x8x32xf32>, tensor<4x8x32xf32>, tensor<4x8x32xf32>)
    %77 = stablehlo.dot_general %76#0, %arg16, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<32x16xf32>) -> tensor<4x8x16xf32>
    %78 = stablehlo.add %56, %77 : tensor<4x8x16xf32>
    %79 = stablehlo.dot_general %arg4, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x2xf32>, tensor<2x3x2x8xf32>) -> tensor<16x3x2x8xf32>
    %cst_17 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<16x3x2x8xf32>
    %81 = stablehlo.multiply %79, %80 : tensor<16x3x2x8xf32>
    %82 = stablehlo.add %arg22, %81 : tensor<16x3x2x8xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %83 = stablehlo.reduce(%78 init: %cst_18) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %84 = stablehlo.broadcast_in_dim %83, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_19 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %85 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %86 = stablehlo.divide %84, %85 : tensor<4x8x1xf32>
    %87 = stablehlo.broadcast_in_dim %86, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %88 = stablehlo.subtract %78, %87 : tensor<4x8x16xf32>
    %c_20 = stablehlo.constant dense<0> : tensor<i32>
    %89:4 = call @_var_1(%78, %c_20) : (tensor<4x8x16xf32>, tensor<i32>) -> (tensor<4x8x1xf32>, tensor<4x8x16xf32>, tensor<f32>, tensor<i1>)
    %cst_21 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %91 = stablehlo.add %89#0, %90 : tensor<4x8x1xf32>
    %92 = stablehlo.rsqrt %91 : tensor<4x8x1xf32>
    %93 = stablehlo.divide %92, %91 : tensor<4x8x1xf32>
    %cst_22 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %94 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %95 = stablehlo.multiply %94, %93 : tensor<4x8x1xf32>
    %96 = stablehlo.broadcast_in_dim %92, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %97 = stablehlo.multiply %88, %96 : tensor<4x8x16xf32>
    %98 = stablehlo.dot_general %97, %82, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x3x2x8xf32>) -> tensor<4x8x3x2x8xf32>
    %99 = stablehlo.transpose %98, dims = [2, 0, 1, 3, 4] : (tensor<4x8x3x2x8xf32>) -> tensor<3x4x8x2x8xf32>
    %100 = stablehlo.slice %99 [0:1, 0:4, 0:8, 0:2, 0:8] : (tensor<3x4x8x2x8xf32>) -> tensor<1x4x8x2x8xf32>
    %101 = stablehlo.reshape %100 : (tensor<1x4x8x2x8xf32>) -> tensor<4x8x2x8xf32>
    %102 = stablehlo.slice %99 [1:2, 0:4, 0:8, 0:2, 0:8] : (tensor<3x4x8x2x8xf32>) -> tensor<1x4x8x2x8xf32>
    %103 = stablehlo.reshape %102 : (tensor<1x4x8x2x8xf32>) -> tensor<4x8x2x8xf32>
    %104 = stablehlo.slice %99 [2:3, 0:4, 0:8, 0:2, 0:8] : (tensor<3x4x8x2x8xf32>) -> tensor<1x4x8x2x8xf32>
    %105 = stablehlo.reshape %104 : (tensor<1x4x8x2x8xf32>) -> tensor<4x8x2x8xf32>
    %106 = stablehlo.dot_general %101, %103, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x2x8xf32>, tensor<4x8x2x8xf32>) -> tensor<4x2x8x8xf32>
    %cst_23 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<4x2x8x8xf32>
    %108 = stablehlo.divide %106, %107 : tensor<4x2x8x8xf32>
    %cst_24 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %109:2 = call @_where_0(%11, %108, %cst_24) : (tensor<8x8xi1>, tensor<4x2x8x8xf32>, tensor<f32>) -> (tensor<4x2x8x8xf32>, tensor<4x2x8x8xi1>)
    %cst_25 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %110 = stablehlo.reduce(%109#0 init: %cst_25) applies stablehlo.maximum across dimensions = [3] : (tensor<4x2x8x8xf32>, tensor<f32>) -> tensor<4x2x8xf32>
    %cst_26 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %111 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<4x2x8xf32>
    %112 = stablehlo.maximum %111, %110 : tensor<4x2x8xf32>
    %113 = stablehlo.broadcast_in_dim %112, dims = [0, 1, 2] : (tensor<4x2x8xf32>) -> tensor<4x2x8x1xf32>
    %114 = stablehlo.broadcast_in_dim %113, dims = [0, 1, 2, 3] : (tensor<4x2x8x1xf32>) -> tensor<4x2x8x8xf32>
    %115 = stablehlo.subtract %109#0, %114 : tensor<4x2x8x8xf32>
    %116 = stablehlo.exponential %115 : tensor<4x2x8x8xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %117 = stablehlo.reduce(%116 init: %cst_27) applies stablehlo.add across dimensions = [3] : (tensor<4x2x8x8xf32>, tensor<f32>) -> tensor<4x2x8xf32>
    %118 = stablehlo.broadcast_in_dim %117, dims = [0, 1, 2] : (tensor<4x2x8xf32>) -> tensor<4x2x8x1xf32>
    %119 = stablehlo.broadcast_in_dim %118, dims = [0, 1, 2, 3] : (tensor<4x2x8x1xf32>) -> tensor<4x2x8x8xf32>
    %120 = stablehlo.divide %116, %119 : tensor<4x2x8x8xf32>
    %121 = stablehlo.multiply %118, %118 : tensor<4x2x8x1xf32>
    %cst_28 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %122 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<4x2x8x1xf32>
    %123 = stablehlo.divide %122, %121 : tensor<4x2x8x1xf32>
    %124 = stablehlo.dot_general %105, %120, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x2x8xf32>, tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
    %125 = stablehlo.dot_general %124, %arg21, contracting_dims = [1, 2] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x8xf32>, tensor<2x8x16xf32>) -> tensor<4x8x16xf32>
    %126 = stablehlo.add %78, %125 : tensor<4x8x16xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %127 = stablehlo.reduce(%126 init: %cst_29) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %128 = stablehlo.broadcast_in_dim %127, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_30 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %129 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %130 = stablehlo.divide %128, %129 : tensor<4x8x1xf32>
    %131 = stablehlo.broadcast_in_dim %130, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %132 = stablehlo.subtract %126, %131 : tensor<4x8x16xf32>
    %c_31 = stablehlo.constant dense<0> : tensor<i32>
    %133:4 = call @_var_1(%126, %c_31) : (tensor<4x8x16xf32>, tensor<i32>) -> (tensor<4x8x1xf32>, tensor<4x8x16xf32>, tensor<f32>, tensor<i1>)
    %cst_32 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %134 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %135 = stablehlo.add %133#0, %134 : tensor<4x8x1xf32>
    %136 = stablehlo.rsqrt %135 : tensor<4x8x1xf32>
    %137 = stablehlo.divide %136, %135 : tensor<4x8x1xf32>
    %cst_33 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %138 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %139 = stablehlo.multiply %138, %137 : tensor<4x8x1xf32>
    %140 = stablehlo.broadcast_in_dim %136, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %141 = stablehlo.multiply %132, %140 : tensor<4x8x16xf32>
    %142 = stablehlo.dot_general %141, %arg23, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x32xf32>) -> tensor<4x8x32xf32>
    %143 = stablehlo.dot_general %141, %arg6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x2xf32>) -> tensor<4x8x2xf32>
    %144 = stablehlo.dot_general %143, %arg7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x2xf32>, tensor<2x32xf32>) -> tensor<4x8x32xf32>
    %145 = stablehlo.add %142, %144 : tensor<4x8x32xf32>
    %146:3 = call @silu(%145) : (tensor<4x8x32xf32>) -> (tensor<4x8x32xf32>, tensor<4x8x32xf32>, tensor<4x8x32xf32>)
    %147 = stablehlo.dot_general %146#0, %arg20, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<32x16xf32>) -> tensor<4x8x16xf32>
    %148 = stablehlo.add %126, %147 : tensor<4x8x16xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %149 = stablehlo.reduce(%148 init: %cst_34) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %150 = stablehlo.broadcast_in_dim %149, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_35 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %151 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %152 = stablehlo.divide %150, %151 : tensor<4x8x1xf32>
    %153 = stablehlo.broadcast_in_dim %152, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %154 = stablehlo.subtract %148, %153 : tensor<4x8x16xf32>
    %c_36 = stablehlo.constant dense<0> : tensor<i32>
    %155:4 = call @_var_1(%148, %c_36) : (tensor<4x8x16xf32>, tensor<i32>) -> (tensor<4x8x1xf32>, tensor<4x8x16xf32>, tensor<f32>, tensor<i1>)
    %cst_37 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %156 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %157 = stablehlo.add %155#0, %156 : tensor<4x8x1xf32>
    %158 = stablehlo.rsqrt %157 : tensor<4x8x1xf32>
    %159 = stablehlo.divide %158, %157 : tensor<4x8x1xf32>
    %cst_38 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %160 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %161 = stablehlo.multiply %160, %159 : tensor<4x8x1xf32>
    %162 = stablehlo.broadcast_in_dim %158, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %163 = stablehlo.multiply %154, %162 : tensor<4x8x16xf32>
    %164 = stablehlo.transpose %arg25, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %165 = stablehlo.dot_general %163, %164, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x32xf32>) -> tensor<4x8x32xf32>
    %166 = call @_one_hot(%arg27) : (tensor<4x8xi32>) -> tensor<4x8x32xf32>
    %167 = stablehlo.multiply %165, %166 : tensor<4x8x32xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %168 = stablehlo.reduce(%167 init: %cst_39) applies stablehlo.add across dimensions = [2] : (tensor<4x8x32xf32>, tensor<f32>) -> tensor<4x8xf32>
    %cst_40 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %169 = stablehlo.reduce(%165 init: %cst_40) applies stablehlo.maximum across dimensions = [2] : (tensor<4x8x32xf32>, tensor<f32>) -> tensor<4x8xf32>
    %cst_41 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %170 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %171 = stablehlo.maximum %170, %169 : tensor<4x8xf32>
    %172 = stablehlo.is_finite %171 : (tensor<4x8xf32>) -> tensor<4x8xi1>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %173 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %174 = stablehlo.select %172, %171, %173 : tensor<4x8xi1>, tensor<4x8xf32>
    %175 = stablehlo.broadcast_in_dim %174, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %176 = stablehlo.broadcast_in_dim %175, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x32xf32>
    %177 = stablehlo.subtract %165, %176 : tensor<4x8x32xf32>
    %178 = stablehlo.exponential %177 : tensor<4x8x32xf32>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %179 = stablehlo.reduce(%178 init: %cst_43) applies stablehlo.add across dimensions = [2] : (tensor<4x8x32xf32>, tensor<f32>) -> tensor<4x8xf32>
    %180 = stablehlo.abs %179 : tensor<4x8xf32>
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %181 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %182 = stablehlo.compare GE, %179, %181, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %183 = stablehlo.log %180 : tensor<4x8xf32>
    %184 = stablehlo.add %183, %174 : tensor<4x8xf32>
    %185 = stablehlo.subtract %184, %168 : tensor<4x8xf32>
    %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %186 = stablehlo.reduce(%185 init: %cst_45) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_46 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %187 = stablehlo.divide %186, %cst_46 : tensor<f32>
    %cst_47 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_48 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %188 = stablehlo.divide %cst_47, %cst_48 : tensor<f32>
    %189 = stablehlo.broadcast_in_dim %188, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %190 = stablehlo.negate %189 : tensor<4x8xf32>
    %191 = stablehlo.divide %189, %180 : tensor<4x8xf32>
    %cst_49 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %192 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %193 = stablehlo.select %182, %192, %191 : tensor<4x8xi1>, tensor<4x8xf32>
    %194 = stablehlo.select %182, %191, %192 : tensor<4x8xi1>, tensor<4x8xf32>
    %195 = stablehlo.negate %193 : tensor<4x8xf32>
    %196 = stablehlo.add %194, %195 : tensor<4x8xf32>
    %197 = stablehlo.broadcast_in_dim %196, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x32xf32>
    %198 = stablehlo.multiply %197, %178 : tensor<4x8x32xf32>
    %199 = stablehlo.broadcast_in_dim %190, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x32xf32>
    %200 = stablehlo.multiply %199, %166 : tensor<4x8x32xf32>
    %201 = stablehlo.add %198, %200 : tensor<4x8x32xf32>
    %202 = stablehlo.dot_general %201, %164, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<16x32xf32>) -> tensor<4x8x16xf32>
    %203 = stablehlo.multiply %154, %202 : tensor<4x8x16xf32>
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %204 = stablehlo.reduce(%203 init: %cst_50) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %205 = stablehlo.reshape %204 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %206 = stablehlo.broadcast_in_dim %158, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %207 = stablehlo.multiply %202, %206 : tensor<4x8x16xf32>
    %208 = stablehlo.multiply %205, %161 : tensor<4x8x1xf32>
    %209 = call @_var_3(%155#1, %155#2, %155#3, %208) : (tensor<4x8x16xf32>, tensor<f32>, tensor<i1>, tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %210 = stablehlo.negate %207 : tensor<4x8x16xf32>
    %cst_51 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %211 = stablehlo.reduce(%210 init: %cst_51) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %212 = stablehlo.reshape %211 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %213 = stablehlo.add %209, %207 : tensor<4x8x16xf32>
    %cst_52 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %214 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %215 = stablehlo.divide %212, %214 : tensor<4x8x1xf32>
    %cst_53 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %216 = stablehlo.reduce(%215 init: %cst_53) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %217 = stablehlo.broadcast_in_dim %216, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %218 = stablehlo.add %213, %217 : tensor<4x8x16xf32>
    %219 = stablehlo.dot_general %218, %arg20, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<32x16xf32>) -> tensor<4x8x32xf32>
    %220 = call @silu_5(%146#1, %146#2, %145, %219) : (tensor<4x8x32xf32>, tensor<4x8x32xf32>, tensor<4x8x32xf32>, tensor<4x8x32xf32>) -> tensor<4x8x32xf32>
    %221 = stablehlo.dot_general %220, %143, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<4x8x2xf32>) -> tensor<32x2xf32>
    %222 = stablehlo.transpose %221, dims = [1, 0] : (tensor<32x2xf32>) -> tensor<2x32xf32>
    %223 = stablehlo.dot_general %220, %arg7, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<2x32xf32>) -> tensor<4x8x2xf32>
    %224 = stablehlo.dot_general %223, %141, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x2xf32>, tensor<4x8x16xf32>) -> tensor<2x16xf32>
    %225 = stablehlo.transpose %224, dims = [1, 0] : (tensor<2x16xf32>) -> tensor<16x2xf32>
    %226 = stablehlo.dot_general %223, %arg6, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x2xf32>, tensor<16x2xf32>) -> tensor<4x8x16xf32>
    %227 = stablehlo.dot_general %220, %arg23, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<16x32xf32>) -> tensor<4x8x16xf32>
    %228 = stablehlo.add %226, %227 : tensor<4x8x16xf32>
    %229 = stablehlo.multiply %132, %228 : tensor<4x8x16xf32>
    %cst_54 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %230 = stablehlo.reduce(%229 init: %cst_54) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %231 = stablehlo.reshape %230 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %232 = stablehlo.broadcast_in_dim %136, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %233 = stablehlo.multiply %228, %232 : tensor<4x8x16xf32>
    %234 = stablehlo.multiply %231, %139 : tensor<4x8x1xf32>
    %235 = call @_var_3(%133#1, %133#2, %133#3, %234) : (tensor<4x8x16xf32>, tensor<f32>, tensor<i1>, tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %236 = stablehlo.add %218, %235 : tensor<4x8x16xf32>
    %237 = stablehlo.negate %233 : tensor<4x8x16xf32>
    %cst_55 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %238 = stablehlo.reduce(%237 init: %cst_55) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %239 = stablehlo.reshape %238 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %240 = stablehlo.add %236, %233 : tensor<4x8x16xf32>
    %cst_56 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %241 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %242 = stablehlo.divide %239, %241 : tensor<4x8x1xf32>
    %cst_57 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %243 = stablehlo.reduce(%242 init: %cst_57) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %244 = stablehlo.broadcast_in_dim %243, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %245 = stablehlo.add %240, %244 : tensor<4x8x16xf32>
    %246 = stablehlo.dot_general %245, %arg21, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<2x8x16xf32>) -> tensor<4x8x2x8xf32>
    %247 = stablehlo.transpose %246, dims = [0, 2, 3, 1] : (tensor<4x8x2x8xf32>) -> tensor<4x2x8x8xf32>
    %248 = stablehlo.dot_general %247, %105, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x8xf32>, tensor<4x8x2x8xf32>) -> tensor<4x2x8x8xf32>
    %249 = stablehlo.dot_general %247, %120, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x8xf32>, tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
    %250 = stablehlo.transpose %249, dims = [0, 3, 1, 2] : (tensor<4x2x8x8xf32>) -> tensor<4x8x2x8xf32>
    %251 = stablehlo.broadcast_in_dim %123, dims = [0, 1, 2, 3] : (tensor<4x2x8x1xf32>) -> tensor<4x2x8x8xf32>
    %252 = stablehlo.multiply %248, %251 : tensor<4x2x8x8xf32>
    %253 = stablehlo.multiply %252, %116 : tensor<4x2x8x8xf32>
    %cst_58 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %254 = stablehlo.reduce(%253 init: %cst_58) applies stablehlo.add across dimensions = [3] : (tensor<4x2x8x8xf32>, tensor<f32>) -> tensor<4x2x8xf32>
    %255 = stablehlo.reshape %254 : (tensor<4x2x8xf32>) -> tensor<4x2x8x1xf32>
    %256 = stablehlo.negate %255 : tensor<4x2x8x1xf32>
    %257 = stablehlo.broadcast_in_dim %118, dims = [0, 1, 2, 3] : (tensor<4x2x8x1xf32>) -> tensor<4x2x8x8xf32>
    %258 = stablehlo.divide %248, %257 : tensor<4x2x8x8xf32>
    %cst_59 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %259 = stablehlo.reduce(%256 init: %cst_59) applies stablehlo.add across dimensions = [3] : (tensor<4x2x8x1xf32>, tensor<f32>) -> tensor<4x2x8xf32>
    %260 = stablehlo.broadcast_in_dim %259, dims = [0, 1, 2] : (tensor<4x2x8xf32>) -> tensor<4x2x8x8xf32>
    %261 = stablehlo.add %258, %260 : tensor<4x2x8x8xf32>
    %262 = stablehlo.multiply %261, %116 : tensor<4x2x8x8xf32>
    %263 = call @_where_6(%109#1, %262) : (tensor<4x2x8x8xi1>, tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
    %cst_60 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %264 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<4x2x8x8xf32>
    %265 = stablehlo.divide %263, %264 : tensor<4x2x8x8xf32>
    %266 = stablehlo.dot_general %265, %101, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x8xf32>, tensor<4x8x2x8xf32>) -> tensor<4x2x8x8xf32>
    %267 = stablehlo.transpose %266, dims = [0, 2, 1, 3] : (tensor<4x2x8x8xf32>) -> tensor<4x8x2x8xf32>
    %268 = stablehlo.dot_general %265, %103, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x8xf32>, tensor<4x8x2x8xf32>) -> tensor<4x2x8x8xf32>
    %269 = stablehlo.transpose %268, dims = [0, 2, 1, 3] : (tensor<4x2x8x8xf32>) -> tensor<4x8x2x8xf32>
    %270 = stablehlo.broadcast_in_dim %250, dims = [1, 2, 3, 4] : (tensor<4x8x2x8xf32>) -> tensor<1x4x8x2x8xf32>
    %cst_61 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %271 = stablehlo.pad %270, %cst_61, low = [2, 0, 0, 0, 0], high = [0, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x4x8x2x8xf32>, tensor<f32>) -> tensor<3x4x8x2x8xf32>
    %272 = stablehlo.broadcast_in_dim %267, dims = [1, 2, 3, 4] : (tensor<4x8x2x8xf32>) -> tensor<1x4x8x2x8xf32>
    %cst_62 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %273 = stablehlo.pad %272, %cst_62, low = [1, 0, 0, 0, 0], high = [1, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x4x8x2x8xf32>, tensor<f32>) -> tensor<3x4x8x2x8xf32>
    %274 = stablehlo.add %271, %273 : tensor<3x4x8x2x8xf32>
    %275 = stablehlo.broadcast_in_dim %269, dims = [1, 2, 3, 4] : (tensor<4x8x2x8xf32>) -> tensor<1x4x8x2x8xf32>
    %cst_63 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %276 = stablehlo.pad %275, %cst_63, low = [0, 0, 0, 0, 0], high = [2, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x4x8x2x8xf32>, tensor<f32>) -> tensor<3x4x8x2x8xf32>
    %277 = stablehlo.add %274, %276 : tensor<3x4x8x2x8xf32>
    %278 = stablehlo.transpose %277, dims = [1, 2, 0, 3, 4] : (tensor<3x4x8x2x8xf32>) -> tensor<4x8x3x2x8xf32>
    %279 = stablehlo.dot_general %278, %97, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x3x2x8xf32>, tensor<4x8x16xf32>) -> tensor<3x2x8x16xf32>
    %280 = stablehlo.transpose %279, dims = [3, 0, 1, 2] : (tensor<3x2x8x16xf32>) -> tensor<16x3x2x8xf32>
    %281 = stablehlo.dot_general %278, %82, contracting_dims = [2, 3, 4] x [1, 2, 3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x3x2x8xf32>, tensor<16x3x2x8xf32>) -> tensor<4x8x16xf32>
    %282 = stablehlo.multiply %88, %281 : tensor<4x8x16xf32>
    %cst_64 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %283 = stablehlo.reduce(%282 init: %cst_64) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %284 = stablehlo.reshape %283 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %285 = stablehlo.broadcast_in_dim %92, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %286 = stablehlo.multiply %281, %285 : tensor<4x8x16xf32>
    %287 = stablehlo.multiply %284, %95 : tensor<4x8x1xf32>
    %288 = call @_var_3(%89#1, %89#2, %89#3, %287) : (tensor<4x8x16xf32>, tensor<f32>, tensor<i1>, tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %289 = stablehlo.add %245, %288 : tensor<4x8x16xf32>
    %290 = stablehlo.negate %286 : tensor<4x8x16xf32>
    %cst_65 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %291 = stablehlo.reduce(%290 init: %cst_65) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %292 = stablehlo.reshape %291 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %293 = stablehlo.add %289, %286 : tensor<4x8x16xf32>
    %cst_66 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %294 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %295 = stablehlo.divide %292, %294 : tensor<4x8x1xf32>
    %cst_67 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %296 = stablehlo.reduce(%295 init: %cst_67) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %297 = stablehlo.broadcast_in_dim %296, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %298 = stablehlo.add %293, %297 : tensor<4x8x16xf32>
    %cst_68 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %299 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<16x3x2x8xf32>
    %300 = stablehlo.multiply %280, %299 : tensor<16x3x2x8xf32>
    %301 = stablehlo.dot_general %300, %arg4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x3x2x8xf32>, tensor<16x2xf32>) -> tensor<3x2x8x2xf32>
    %302 = stablehlo.transpose %301, dims = [3, 0, 1, 2] : (tensor<3x2x8x2xf32>) -> tensor<2x3x2x8xf32>
    %303 = stablehlo.dot_general %300, %arg5, contracting_dims = [1, 2, 3] x [1, 2, 3], precision = [DEFAULT, DEFAULT] : (tensor<16x3x2x8xf32>, tensor<2x3x2x8xf32>) -> tensor<16x2xf32>
    %304 = stablehlo.dot_general %298, %arg16, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<32x16xf32>) -> tensor<4x8x32xf32>
    %305 = call @silu_5(%76#1, %76#2, %75, %304) : (tensor<4x8x32xf32>, tensor<4x8x32xf32>, tensor<4x8x32xf32>, tensor<4x8x32xf32>) -> tensor<4x8x32xf32>
    %306 = stablehlo.dot_general %305, %73, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<4x8x2xf32>) -> tensor<32x2xf32>
    %307 = stablehlo.transpose %306, dims = [1, 0] : (tensor<32x2xf32>) -> tensor<2x32xf32>
    %308 = stablehlo.dot_general %305, %arg3, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<2x32xf32>) -> tensor<4x8x2xf32>
    %309 = stablehlo.dot_general %308, %71, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x2xf32>, tensor<4x8x16xf32>) -> tensor<2x16xf32>
    %310 = stablehlo.transpose %309, dims = [1, 0] : (tensor<2x16xf32>) -> tensor<16x2xf32>
    %311 = stablehlo.dot_general %308, %arg2, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x2xf32>, tensor<16x2xf32>) -> tensor<4x8x16xf32>
    %312 = stablehlo.dot_general %305, %arg19, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<16x32xf32>) -> tensor<4x8x16xf32>
    %313 = stablehlo.add %311, %312 : tensor<4x8x16xf32>
    %314 = stablehlo.multiply %62, %313 : tensor<4x8x16xf32>
    %cst_69 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %315 = stablehlo.reduce(%314 init: %cst_69) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %316 = stablehlo.reshape %315 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %317 = stablehlo.broadcast_in_dim %66, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %318 = stablehlo.multiply %313, %317 : tensor<4x8x16xf32>
    %319 = stablehlo.multiply %316, %69 : tensor<4x8x1xf32>
    %320 = call @_var_3(%63#1, %63#2, %63#3, %319) : (tensor<4x8x16xf32>, tensor<f32>, tensor<i1>, tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %321 = stablehlo.add %298, %320 : tensor<4x8x16xf32>
    %322 = stablehlo.negate %318 : tensor<4x8x16xf32>
    %cst_70 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %323 = stablehlo.reduce(%322 init: %cst_70) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %324 = stablehlo.reshape %323 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %325 = stablehlo.add %321, %318 : tensor<4x8x16xf32>
    %cst_71 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %326 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %327 = stablehlo.divide %324, %326 : tensor<4x8x1xf32>
    %cst_72 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %328 = stablehlo.reduce(%327 init: %cst_72) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %329 = stablehlo.broadcast_in_dim %328, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %330 = stablehlo.add %325, %329 : tensor<4x8x16xf32>
    %331 = stablehlo.dot_general %330, %arg17, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<2x8x16xf32>) -> tensor<4x8x2x8xf32>
    %332 = stablehlo.transpose %331, dims = [0, 2, 3, 1] : (tensor<4x8x2x8xf32>) -> tensor<4x2x8x8xf32>
    %333 = stablehlo.dot_general %332, %35, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x8xf32>, tensor<4x8x2x8xf32>) -> tensor<4x2x8x8xf32>
    %334 = stablehlo.dot_general %332, %50, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x8xf32>, tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
    %335 = stablehlo.transpose %334, dims = [0, 3, 1, 2] : (tensor<4x2x8x8xf32>) -> tensor<4x8x2x8xf32>
    %336 = stablehlo.broadcast_in_dim %53, dims = [0, 1, 2, 3] : (tensor<4x2x8x1xf32>) -> tensor<4x2x8x8xf32>
    %337 = stablehlo.multiply %333, %336 : tensor<4x2x8x8xf32>
    %338 = stablehlo.multiply %337, %46 : tensor<4x2x8x8xf32>
    %cst_73 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %339 = stablehlo.reduce(%338 init: %cst_73) applies stablehlo.add across dimensions = [3] : (tensor<4x2x8x8xf32>, tensor<f32>) -> tensor<4x2x8xf32>
    %340 = stablehlo.reshape %339 : (tensor<4x2x8xf32>) -> tensor<4x2x8x1xf32>
    %341 = stablehlo.negate %340 : tensor<4x2x8x1xf32>
    %342 = stablehlo.broadcast_in_dim %48, dims = [0, 1, 2, 3] : (tensor<4x2x8x1xf32>) -> tensor<4x2x8x8xf32>
    %343 = stablehlo.divide %333, %342 : tensor<4x2x8x8xf32>
    %cst_74 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %344 = stablehlo.reduce(%341 init: %cst_74) applies stablehlo.add across dimensions = [3] : (tensor<4x2x8x1xf32>, tensor<f32>) -> tensor<4x2x8xf32>
    %345 = stablehlo.broadcast_in_dim %344, dims = [0, 1, 2] : (tensor<4x2x8xf32>) -> tensor<4x2x8x8xf32>
    %346 = stablehlo.add %343, %345 : tensor<4x2x8x8xf32>
    %347 = stablehlo.multiply %346, %46 : tensor<4x2x8x8xf32>
    %348 = call @_where_6(%39#1, %347) : (tensor<4x2x8x8xi1>, tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
    %cst_75 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %349 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<4x2x8x8xf32>
    %350 = stablehlo.divide %348, %349 : tensor<4x2x8x8xf32>
    %351 = stablehlo.dot_general %350, %31, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x8xf32>, tensor<4x8x2x8xf32>) -> tensor<4x2x8x8xf32>
    %352 = stablehlo.transpose %351, dims = [0, 2, 1, 3] : (tensor<4x2x8x8xf32>) -> tensor<4x8x2x8xf32>
    %353 = stablehlo.dot_general %350, %33, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x8xf32>, tensor<4x8x2x8xf32>) -> tensor<4x2x8x8xf32>
    %354 = stablehlo.transpose %353, dims = [0, 2, 1, 3] : (tensor<4x2x8x8xf32>) -> tensor<4x8x2x8xf32>
    %355 = stablehlo.broadcast_in_dim %335, dims = [1, 2, 3, 4] : (tensor<4x8x2x8xf32>) -> tensor<1x4x8x2x8xf32>
    %cst_76 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %356 = stablehlo.pad %355, %cst_76, low = [2, 0, 0, 0, 0], high = [0, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x4x8x2x8xf32>, tensor<f32>) -> tensor<3x4x8x2x8xf32>
    %357 = stablehlo.broadcast_in_dim %352, dims = [1, 2, 3, 4] : (tensor<4x8x2x8xf32>) -> tensor<1x4x8x2x8xf32>
    %cst_77 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %358 = stablehlo.pad %357, %cst_77, low = [1, 0, 0, 0, 0], high = [1, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x4x8x2x8xf32>, tensor<f32>) -> tensor<3x4x8x2x8xf32>
    %359 = stablehlo.add %356, %358 : tensor<3x4x8x2x8xf32>
    %360 = stablehlo.broadcast_in_dim %354, dims = [1, 2, 3, 4] : (tensor<4x8x2x8xf32>) -> tensor<1x4x8x2x8xf32>
    %cst_78 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %361 = stablehlo.pad %360, %cst_78, low = [0, 0, 0, 0, 0], high = [2, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x4x8x2x8xf32>, tensor<f32>) -> tensor<3x4x8x2x8xf32>
    %362 = stablehlo.add %359, %361 : tensor<3x4x8x2x8xf32>
    %363 = stablehlo.transpose %362, dims = [1, 2, 0, 3, 4] : (tensor<3x4x8x2x8xf32>) -> tensor<4x8x3x2x8xf32>
    %364 = stablehlo.dot_general %363, %27, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x3x2x8xf32>, tensor<4x8x16xf32>) -> tensor<3x2x8x16xf32>
    %365 = stablehlo.transpose %364, dims = [3, 0, 1, 2] : (tensor<3x2x8x16xf32>) -> tensor<16x3x2x8xf32>
    %cst_79 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %366 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f32>) -> tensor<16x3x2x8xf32>
    %367 = stablehlo.multiply %365, %366 : tensor<16x3x2x8xf32>
    %368 = stablehlo.dot_general %367, %arg0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x3x2x8xf32>, tensor<16x2xf32>) -> tensor<3x2x8x2xf32>
    %369 = stablehlo.transpose %368, dims = [3, 0, 1, 2] : (tensor<3x2x8x2xf32>) -> tensor<2x3x2x8xf32>
    %370 = stablehlo.dot_general %367, %arg1, contracting_dims = [1, 2, 3] x [1, 2, 3], precision = [DEFAULT, DEFAULT] : (tensor<16x3x2x8xf32>, tensor<2x3x2x8xf32>) -> tensor<16x2xf32>
    %cst_80 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %371 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<16x2xf32>
    %372 = stablehlo.multiply %371, %arg8 : tensor<16x2xf32>
    %cst_81 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %373 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<16x2xf32>
    %374 = stablehlo.multiply %373, %370 : tensor<16x2xf32>
    %375 = stablehlo.add %372, %374 : tensor<16x2xf32>
    %cst_82 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %376 = stablehlo.broadcast_in_dim %cst_82, dims = [] : (tensor<f32>) -> tensor<2x3x2x8xf32>
    %377 = stablehlo.multiply %376, %arg9 : tensor<2x3x2x8xf32>
    %cst_83 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %378 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<2x3x2x8xf32>
    %379 = stablehlo.multiply %378, %369 : tensor<2x3x2x8xf32>
    %380 = stablehlo.add %377, %379 : tensor<2x3x2x8xf32>
    %cst_84 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %381 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<16x2xf32>
    %382 = stablehlo.multiply %381, %arg10 : tensor<16x2xf32>
    %cst_85 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %383 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<16x2xf32>
    %384 = stablehlo.multiply %383, %310 : tensor<16x2xf32>
    %385 = stablehlo.add %382, %384 : tensor<16x2xf32>
    %cst_86 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %386 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f32>) -> tensor<2x32xf32>
    %387 = stablehlo.multiply %386, %arg11 : tensor<2x32xf32>
    %cst_87 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %388 = stablehlo.broadcast_in_dim %cst_87, dims = [] : (tensor<f32>) -> tensor<2x32xf32>
    %389 = stablehlo.multiply %388, %307 : tensor<2x32xf32>
    %390 = stablehlo.add %387, %389 : tensor<2x32xf32>
    %cst_88 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %391 = stablehlo.broadcast_in_dim %cst_88, dims = [] : (tensor<f32>) -> tensor<16x2xf32>
    %392 = stablehlo.multiply %391, %arg12 : tensor<16x2xf32>
    %cst_89 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %393 = stablehlo.broadcast_in_dim %cst_89, dims = [] : (tensor<f32>) -> tensor<16x2xf32>
    %394 = stablehlo.multiply %393, %303 : tensor<16x2xf32>
    %395 = stablehlo.add %392, %394 : tensor<16x2xf32>
    %cst_90 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %396 = stablehlo.broadcast_in_dim %cst_90, dims = [] : (tensor<f32>) -> tensor<2x3x2x8xf32>
    %397 = stablehlo.multiply %396, %arg13 : tensor<2x3x2x8xf32>
    %cst_91 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %398 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<2x3x2x8xf32>
    %399 = stablehlo.multiply %398, %302 : tensor<2x3x2x8xf32>
    %400 = stablehlo.add %397, %399 : tensor<2x3x2x8xf32>
    %cst_92 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %401 = stablehlo.broadcast_in_dim %cst_92, dims = [] : (tensor<f32>) -> tensor<16x2xf32>
    %402 = stablehlo.multiply %401, %arg14 : tensor<16x2xf32>
    %cst_93 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %403 = stablehlo.broadcast_in_dim %cst_93, dims = [] : (tensor<f32>) -> tensor<16x2xf32>
    %404 = stablehlo.multiply %403, %225 : tensor<16x2xf32>
    %405 = stablehlo.add %402, %404 : tensor<16x2xf32>
    %cst_94 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %406 = stablehlo.broadcast_in_dim %cst_94, dims = [] : (tensor<f32>) -> tensor<2x32xf32>
    %407 = stablehlo.multiply %406, %arg15 : tensor<2x32xf32>
    %cst_95 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %408 = stablehlo.broadcast_in_dim %cst_95, dims = [] : (tensor<f32>) -> tensor<2x32xf32>
    %409 = stablehlo.multiply %408, %222 : tensor<2x32xf32>
    %410 = stablehlo.add %407, %409 : tensor<2x32xf32>
    %411 = stablehlo.sign %375 : tensor<16x2xf32>
    %cst_96 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %412 = stablehlo.broadcast_in_dim %cst_96, dims = [] : (tensor<f32>) -> tensor<16x2xf32>
    %413 = stablehlo.multiply %412, %411 : tensor<16x2xf32>
    %414 = stablehlo.subtract %arg0, %413 : tensor<16x2xf32>
    %415 = stablehlo.sign %380 : tensor<2x3x2x8xf32>
    %cst_97 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %416 = stablehlo.broadcast_in_dim %cst_97, dims = [] : (tensor<f32>) -> tensor<2x3x2x8xf32>
    %417 = stablehlo.multiply %416, %415 : tensor<2x3x2x8xf32>
    %418 = stablehlo.subtract %arg1, %417 : tensor<2x3x2x8xf32>
    %419 = stablehlo.sign %385 : tensor<16x2xf32>
    %cst_98 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %420 = stablehlo.broadcast_in_dim %cst_98, dims = [] : (tensor<f32>) -> tensor<16x2xf32>
    %421 = stablehlo.multiply %420, %419 : tensor<16x2xf32>
    %422 = stablehlo.subtract %arg2, %421 : tensor<16x2xf32>
    %423 = stablehlo.sign %390 : tensor<2x32xf32>
    %cst_99 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %424 = stablehlo.broadcast_in_dim %cst_99, dims = [] : (tensor<f32>) -> tensor<2x32xf32>
    %425 = stablehlo.multiply %424, %423 : tensor<2x32xf32>
    %426 = stablehlo.subtract %arg3, %425 : tensor<2x32xf32>
    %427 = stablehlo.sign %395 : tensor<16x2xf32>
    %cst_100 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %428 = stablehlo.broadcast_in_dim %cst_100, dims = [] : (tensor<f32>) -> tensor<16x2xf32>
    %429 = stablehlo.multiply %428, %427 : tensor<16x2xf32>
    %430 = stablehlo.subtract %arg4, %429 : tensor<16x2xf32>
    %431 = stablehlo.sign %400 : tensor<2x3x2x8xf32>
    %cst_101 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %432 = stablehlo.broadcast_in_dim %cst_101, dims = [] : (tensor<f32>) -> tensor<2x3x2x8xf32>
    %433 = stablehlo.multiply %432, %431 : tensor<2x3x2x8xf32>
    %434 = stablehlo.subtract %arg5, %433 : tensor<2x3x2x8xf32>
    %435 = stablehlo.sign %405 : tensor<16x2xf32>
    %cst_102 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %436 = stablehlo.broadcast_in_dim %cst_102, dims = [] : (tensor<f32>) -> tensor<16x2xf32>
    %437 = stablehlo.multiply %436, %435 : tensor<16x2xf32>
    %438 = stablehlo.subtract %arg6, %437 : tensor<16x2xf32>
    %439 = stablehlo.sign %410 : tensor<2x32xf32>
    %cst_103 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %440 = stablehlo.broadcast_in_dim %cst_103, dims = [] : (tensor<f32>) -> tensor<2x32xf32>
    %441 = stablehlo.multiply %440, %439 : tensor<2x32xf32>
    %442 = stablehlo.subtract %arg7, %441 : tensor<2x32xf32>
    return %414, %418, %422, %426, %430, %434, %438, %442, %375, %380, %385, %390, %395, %400, %405, %410, %187 : tensor<16x2xf32>, tensor<2x3x2x8xf32>, tensor<16x2xf32>, tensor<2x32xf32>, tensor<16x2xf32>, tensor<2x3x2x8xf32>, tensor<16x2xf32>, tensor<2x32xf32>, tensor<16x2xf32>, tensor<2x3x2x8xf32>, tensor<16x2xf32>, tensor<2x32xf32>, tensor<16x2xf32>, tensor<2x3x2x8xf32>, tensor<16x2xf32>, tensor<2x32xf32>, tensor<f32>
  }
  func.func private @tril(%arg0: tensor<8x8xi1>) -> tensor<8x8xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<8x8xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x8xi32>
    %2 = stablehlo.add %0, %1 : tensor<8x8xi32>
    %3 = stablehlo.iota dim = 1 : tensor<8x8xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<8x8xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<8x8xi1>, tensor<8x8xi1>
    return %6 : tensor<8x8xi1>
  }
  func.func private @_var(%arg0: tensor<4x8x16xf32>, %arg1: tensor<i32>) -> tensor<4x8x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<4x8x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x8x16xf32>
    %6 = chlo.square %5 : tensor<4x8x16xf32> -> tensor<4x8x16xf32>
    %7 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %8 = stablehlo.subtract %cst_1, %7 : tensor<f32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%6 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %11 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %12 = stablehlo.divide %10, %11 : tensor<4x8x1xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.compare GT, %8, %cst_3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = call @_where(%13, %12, %cst_4) : (tensor<i1>, tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8x1xf32>
    return %14 : tensor<4x8x1xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<4x8x1xf32>, %arg2: tensor<f32>) -> tensor<4x8x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<4x8x1xf32>
    return %2 : tensor<4x8x1xf32>
  }
  func.func private @_where_0(%arg0: tensor<8x8xi1>, %arg1: tensor<4x2x8x8xf32>, %arg2: tensor<f32>) -> (tensor<4x2x8x8xf32>, tensor<4x2x8x8xi1>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<4x2x8x8xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x2x8x8xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<4x2x8x8xi1>, tensor<4x2x8x8xf32>
    return %3, %1 : tensor<4x2x8x8xf32>, tensor<4x2x8x8xi1>
  }
  func.func private @_var_1(%arg0: tensor<4x8x16xf32>, %arg1: tensor<i32>) -> (tensor<4x8x1xf32>, tensor<4x8x16xf32>, tensor<f32>, tensor<i1>) {
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
    %16 = call @_where_2(%15, %14, %cst_5) : (tensor<i1>, tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8x1xf32>
    return %16, %8, %10, %15 : tensor<4x8x1xf32>, tensor<4x8x16xf32>, tensor<f32>, tensor<i1>
  }
  func.func private @_where_2(%arg0: tensor<i1>, %arg1: tensor<4x8x1xf32>, %arg2: tensor<f32>) -> tensor<4x8x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<4x8x1xf32>
    return %2 : tensor<4x8x1xf32>
  }
  func.func private @silu(%arg0: tensor<4x8x32xf32>) -> (tensor<4x8x32xf32>, tensor<4x8x32xf32>, tensor<4x8x32xf32>) {
    %0 = stablehlo.negate %arg0 : tensor<4x8x32xf32>
    %1 = stablehlo.exponential %0 : tensor<4x8x32xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %3 = stablehlo.add %2, %1 : tensor<4x8x32xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %5 = stablehlo.divide %4, %3 : tensor<4x8x32xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %7 = stablehlo.subtract %6, %5 : tensor<4x8x32xf32>
    %8 = stablehlo.multiply %5, %7 : tensor<4x8x32xf32>
    %9 = stablehlo.multiply %arg0, %5 : tensor<4x8x32xf32>
    return %9, %8, %5 : tensor<4x8x32xf32>, tensor<4x8x32xf32>, tensor<4x8x32xf32>
  }
  func.func private @_one_hot(%arg0: tensor<4x8xi32>) -> tensor<4x8x32xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<4x8xi32>) -> tensor<4x8x1xi32>
    %1 = stablehlo.iota dim = 2 : tensor<1x1x32xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<4x8x1xi32>) -> tensor<4x8x32xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x1x32xi32>) -> tensor<4x8x32xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<4x8x32xi32>, tensor<4x8x32xi32>) -> tensor<4x8x32xi1>
    %5 = stablehlo.convert %4 : (tensor<4x8x32xi1>) -> tensor<4x8x32xf32>
    return %5 : tensor<4x8x32xf32>
  }
  func.func private @_var_3(%arg0: tensor<4x8x16xf32>, %arg1: tensor<f32>, %arg2: tensor<i1>, %arg3: tensor<4x8x1xf32>) -> tensor<4x8x16xf32> {
    %0 = call @_where_4(%arg2, %arg3) : (tensor<i1>, tensor<4x8x1xf32>) -> tensor<4x8x1xf32>
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
  func.func private @_where_4(%arg0: tensor<i1>, %arg1: tensor<4x8x1xf32>) -> tensor<4x8x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<i1>, tensor<4x8x1xf32>
    return %1 : tensor<4x8x1xf32>
  }
  func.func private @silu_5(%arg0: tensor<4x8x32xf32>, %arg1: tensor<4x8x32xf32>, %arg2: tensor<4x8x32xf32>, %arg3: tensor<4x8x32xf32>) -> tensor<4x8x32xf32> {
    %0 = stablehlo.multiply %arg2, %arg3 : tensor<4x8x32xf32>
    %1 = stablehlo.multiply %arg3, %arg1 : tensor<4x8x32xf32>
    %2 = stablehlo.multiply %0, %arg0 : tensor<4x8x32xf32>
    %3 = stablehlo.add %1, %2 : tensor<4x8x32xf32>
    return %3 : tensor<4x8x32xf32>
  }
  func.func private @_where_6(%arg0: tensor<4x2x8x8xi1>, %arg1: tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x2x8x8xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<4x2x8x8xi1>, tensor<4x2x8x8xf32>
    return %1 : tensor<4x2x8x8xf32>
  }
}
