module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16x32xbf16> {tf.aliasing_output = 0 : i32}, %arg1: tensor<32x16xbf16> {tf.aliasing_output = 1 : i32}, %arg2: tensor<16x32xbf16> {tf.aliasing_output = 2 : i32}, %arg3: tensor<16x2x4xbf16> {tf.aliasing_output = 3 : i32}, %arg4: tensor<2x2x4x16xbf16> {tf.aliasing_output = 4 : i32}, %arg5: tensor<16x4x4xbf16> {tf.aliasing_output = 5 : i32}, %arg6: tensor<16xbf16> {tf.aliasing_output = 6 : i32}, %arg7: tensor<16xbf16> {tf.aliasing_output = 7 : i32}, %arg8: tensor<16x32xbf16> {tf.aliasing_output = 8 : i32}, %arg9: tensor<16x2x4xbf16> {tf.aliasing_output = 9 : i32}, %arg10: tensor<32x16xbf16> {tf.aliasing_output = 10 : i32}, %arg11: tensor<16x32xbf16> {tf.aliasing_output = 11 : i32}, %arg12: tensor<16x2x4xbf16> {tf.aliasing_output = 12 : i32}, %arg13: tensor<2x2x4x16xbf16> {tf.aliasing_output = 13 : i32}, %arg14: tensor<16x4x4xbf16> {tf.aliasing_output = 14 : i32}, %arg15: tensor<16xbf16> {tf.aliasing_output = 15 : i32}, %arg16: tensor<16xbf16> {tf.aliasing_output = 16 : i32}, %arg17: tensor<16x32xbf16> {tf.aliasing_output = 17 : i32}, %arg18: tensor<16x2x4xbf16> {tf.aliasing_output = 18 : i32}, %arg19: tensor<16xbf16> {tf.aliasing_output = 19 : i32}, %arg20: tensor<32x16xbf16> {tf.aliasing_output = 20 : i32}, %arg21: tensor<4x8xi32>, %arg22: tensor<4x8xi32>) -> (tensor<16x32xbf16> {jax.result_info = "result[0]['head']"}, tensor<32x16xbf16> {jax.result_info = "result[0]['layers'][0]['down']"}, tensor<16x32xbf16> {jax.result_info = "result[0]['layers'][0]['gate']"}, tensor<16x2x4xbf16> {jax.result_info = "result[0]['layers'][0]['k']"}, tensor<2x2x4x16xbf16> {jax.result_info = "result[0]['layers'][0]['o']"}, tensor<16x4x4xbf16> {jax.result_info = "result[0]['layers'][0]['q']"}, tensor<16xbf16> {jax.result_info = "result[0]['layers'][0]['scale1']"}, tensor<16xbf16> {jax.result_info = "result[0]['layers'][0]['scale2']"}, tensor<16x32xbf16> {jax.result_info = "result[0]['layers'][0]['up']"}, tensor<16x2x4xbf16> {jax.result_info = "result[0]['layers'][0]['v']"}, tensor<32x16xbf16> {jax.result_info = "result[0]['layers'][1]['down']"}, tensor<16x32xbf16> {jax.result_info = "result[0]['layers'][1]['gate']"}, tensor<16x2x4xbf16> {jax.result_info = "result[0]['layers'][1]['k']"}, tensor<2x2x4x16xbf16> {jax.result_info = "result[0]['layers'][1]['o']"}, tensor<16x4x4xbf16> {jax.result_info = "result[0]['layers'][1]['q']"}, tensor<16xbf16> {jax.result_info = "result[0]['layers'][1]['scale1']"}, tensor<16xbf16> {jax.result_info = "result[0]['layers'][1]['scale2']"}, tensor<16x32xbf16> {jax.result_info = "result[0]['layers'][1]['up']"}, tensor<16x2x4xbf16> {jax.result_info = "result[0]['layers'][1]['v']"}, tensor<16xbf16> {jax.result_info = "result[0]['scale']"}, tensor<32x16xbf16> {jax.result_info = "result[0]['wte']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x8xi32>
    %1 = stablehlo.compare LT, %arg21, %0, SIGNED : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi1>
    %c_0 = stablehlo.constant dense<32> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x8xi32>
    %3 = stablehlo.add %arg21, %2 : tensor<4x8xi32>
    %4 = stablehlo.select %1, %3, %arg21 : tensor<4x8xi1>, tensor<4x8xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<4x8xi32>) -> tensor<4x8x1xi32>
    %6 = "stablehlo.gather"(%arg20, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<32x16xbf16>, tensor<4x8x1xi32>) -> tensor<4x8x16xbf16>
    %7 = stablehlo.convert %6 : (tensor<4x8x16xbf16>) -> tensor<4x8x16xf32>
    %8 = stablehlo.multiply %7, %7 : tensor<4x8x16xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %10 = stablehlo.multiply %9, %7 : tensor<4x8x16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_2 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %14 = stablehlo.divide %12, %13 : tensor<4x8x1xf32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %16 = stablehlo.add %14, %15 : tensor<4x8x1xf32>
    %17 = stablehlo.rsqrt %16 : tensor<4x8x1xf32>
    %18 = stablehlo.divide %17, %16 : tensor<4x8x1xf32>
    %cst_4 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %20 = stablehlo.multiply %19, %18 : tensor<4x8x1xf32>
    %21 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %22 = stablehlo.multiply %7, %21 : tensor<4x8x16xf32>
    %23 = stablehlo.convert %22 : (tensor<4x8x16xf32>) -> tensor<4x8x16xbf16>
    %24 = stablehlo.broadcast_in_dim %arg6, dims = [2] : (tensor<16xbf16>) -> tensor<1x1x16xbf16>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2] : (tensor<1x1x16xbf16>) -> tensor<4x8x16xbf16>
    %26 = stablehlo.multiply %23, %25 : tensor<4x8x16xbf16>
    %27 = stablehlo.dot_general %26, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xbf16>, tensor<16x4x4xbf16>) -> tensor<4x8x4x4xbf16>
    %28 = stablehlo.iota dim = 0 : tensor<8xi32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %30 = stablehlo.iota dim = 0 : tensor<2xi32>
    %31 = stablehlo.convert %30 : (tensor<2xi32>) -> tensor<2xf32>
    %cst_5 = stablehlo.constant dense<-9.21034049> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %33 = stablehlo.multiply %32, %31 : tensor<2xf32>
    %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %35 = stablehlo.divide %33, %34 : tensor<2xf32>
    %36 = stablehlo.exponential %35 : tensor<2xf32>
    %37 = stablehlo.convert %29 : (tensor<8x1xi32>) -> tensor<8x1xf32>
    %38 = stablehlo.broadcast_in_dim %36, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %39 = stablehlo.broadcast_in_dim %37, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x2xf32>
    %40 = stablehlo.broadcast_in_dim %38, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<8x2xf32>
    %41 = stablehlo.multiply %39, %40 : tensor<8x2xf32>
    %42 = stablehlo.sine %41 : tensor<8x2xf32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [0, 2] : (tensor<8x2xf32>) -> tensor<8x1x2xf32>
    %44 = stablehlo.convert %43 : (tensor<8x1x2xf32>) -> tensor<8x1x2xbf16>
    %45 = stablehlo.cosine %41 : tensor<8x2xf32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [0, 2] : (tensor<8x2xf32>) -> tensor<8x1x2xf32>
    %47 = stablehlo.convert %46 : (tensor<8x1x2xf32>) -> tensor<8x1x2xbf16>
    %48 = stablehlo.slice %27 [0:4, 0:8, 0:4, 0:2] : (tensor<4x8x4x4xbf16>) -> tensor<4x8x4x2xbf16>
    %49 = stablehlo.slice %27 [0:4, 0:8, 0:4, 2:4] : (tensor<4x8x4x4xbf16>) -> tensor<4x8x4x2xbf16>
    %50 = stablehlo.broadcast_in_dim %47, dims = [1, 2, 3] : (tensor<8x1x2xbf16>) -> tensor<1x8x1x2xbf16>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xbf16>) -> tensor<4x8x4x2xbf16>
    %52 = stablehlo.multiply %48, %51 : tensor<4x8x4x2xbf16>
    %53 = stablehlo.broadcast_in_dim %44, dims = [1, 2, 3] : (tensor<8x1x2xbf16>) -> tensor<1x8x1x2xbf16>
    %54 = stablehlo.broadcast_in_dim %53, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xbf16>) -> tensor<4x8x4x2xbf16>
    %55 = stablehlo.multiply %49, %54 : tensor<4x8x4x2xbf16>
    %56 = stablehlo.subtract %52, %55 : tensor<4x8x4x2xbf16>
    %57 = stablehlo.broadcast_in_dim %47, dims = [1, 2, 3] : (tensor<8x1x2xbf16>) -> tensor<1x8x1x2xbf16>
    %58 = stablehlo.broadcast_in_dim %57, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xbf16>) -> tensor<4x8x4x2xbf16>
    %59 = stablehlo.multiply %49, %58 : tensor<4x8x4x2xbf16>
    %60 = stablehlo.broadcast_in_dim %44, dims = [1, 2, 3] : (tensor<8x1x2xbf16>) -> tensor<1x8x1x2xbf16>
    %61 = stablehlo.broadcast_in_dim %60, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xbf16>) -> tensor<4x8x4x2xbf16>
    %62 = stablehlo.multiply %48, %61 : tensor<4x8x4x2xbf16>
    %63 = stablehlo.add %59, %62 : tensor<4x8x4x2xbf16>
    %64 = stablehlo.concatenate %56, %63, dim = 3 : (tensor<4x8x4x2xbf16>, tensor<4x8x4x2xbf16>) -> tensor<4x8x4x4xbf16>
    %65 = stablehlo.reshape %64 : (tensor<4x8x4x4xbf16>) -> tensor<4x8x2x2x4xbf16>
    %66 = stablehlo.dot_general %26, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xbf16>, tensor<16x2x4xbf16>) -> tensor<4x8x2x4xbf16>
    %67 = stablehlo.iota dim = 0 : tensor<8xi32>
    %68 = stablehlo.broadcast_in_dim %67, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %69 = stablehlo.iota dim = 0 : tensor<2xi32>
    %70 = stablehlo.convert %69 : (tensor<2xi32>) -> tensor<2xf32>
    %cst_7 = stablehlo.constant dense<-9.21034049> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %72 = stablehlo.multiply %71, %70 : tensor<2xf32>
    %cst_8 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %74 = stablehlo.divide %72, %73 : tensor<2xf32>
    %75 = stablehlo.exponential %74 : tensor<2xf32>
    %76 = stablehlo.convert %68 : (tensor<8x1xi32>) -> tensor<8x1xf32>
    %77 = stablehlo.broadcast_in_dim %75, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %78 = stablehlo.broadcast_in_dim %76, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x2xf32>
    %79 = stablehlo.broadcast_in_dim %77, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<8x2xf32>
    %80 = stablehlo.multiply %78, %79 : tensor<8x2xf32>
    %81 = stablehlo.sine %80 : tensor<8x2xf32>
    %82 = stablehlo.broadcast_in_dim %81, dims = [0, 2] : (tensor<8x2xf32>) -> tensor<8x1x2xf32>
    %83 = stablehlo.convert %82 : (tensor<8x1x2xf32>) -> tensor<8x1x2xbf16>
    %84 = stablehlo.cosine %80 : tensor<8x2xf32>
    %85 = stablehlo.broadcast_in_dim %84, dims = [0, 2] : (tensor<8x2xf32>) -> tensor<8x1x2xf32>
    %86 = stablehlo.convert %85 : (tensor<8x1x2xf32>) -> tensor<8x1x2xbf16>
    %87 = stablehlo.slice %66 [0:4, 0:8, 0:2, 0:2] : (tensor<4x8x2x4xbf16>) -> tensor<4x8x2x2xbf16>
    %88 = stablehlo.slice %66 [0:4, 0:8, 0:2, 2:4] : (tensor<4x8x2x4xbf16>) -> tensor<4x8x2x2xbf16>
    %89 = stablehlo.broadcast_in_dim %86, dims = [1, 2, 3] : (tensor<8x1x2xbf16>) -> tensor<1x8x1x2xbf16>
    %90 = stablehlo.broadcast_in_dim %89, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xbf16>) -> tensor<4x8x2x2xbf16>
    %91 = stablehlo.multiply %87, %90 : tensor<4x8x2x2xbf16>
    %92 = stablehlo.broadcast_in_dim %83, dims = [1, 2, 3] : (tensor<8x1x2xbf16>) -> tensor<1x8x1x2xbf16>
    %93 = stablehlo.broadcast_in_dim %92, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xbf16>) -> tensor<4x8x2x2xbf16>
    %94 = stablehlo.multiply %88, %93 : tensor<4x8x2x2xbf16>
    %95 = stablehlo.subtract %91, %94 : tensor<4x8x2x2xbf16>
    %96 = stablehlo.broadcast_in_dim %86, dims = [1, 2, 3] : (tensor<8x1x2xbf16>) -> tensor<1x8x1x2xbf16>
    %97 = stablehlo.broadcast_in_dim %96, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xbf16>) -> tensor<4x8x2x2xbf16>
    %98 = stablehlo.multiply %88, %97 : tensor<4x8x2x2xbf16>
    %99 = stablehlo.broadcast_in_dim %83, dims = [1, 2, 3] : (tensor<8x1x2xbf16>) -> tensor<1x8x1x2xbf16>
    %100 = stablehlo.broadcast_in_dim %99, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xbf16>) -> tensor<4x8x2x2xbf16>
    %101 = stablehlo.multiply %87, %100 : tensor<4x8x2x2xbf16>
    %102 = stablehlo.add %98, %101 : tensor<4x8x2x2xbf16>
    %103 = stablehlo.concatenate %95, %102, dim = 3 : (tensor<4x8x2x2xbf16>, tensor<4x8x2x2xbf16>) -> tensor<4x8x2x4xbf16>
    %104 = stablehlo.dot_general %26, %arg9, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xbf16>, tensor<16x2x4xbf16>) -> tensor<4x8x2x4xbf16>
    %105 = stablehlo.dot_general %103, %65, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [4], precision = [DEFAULT, DEFAULT] : (tensor<4x8x2x4xbf16>, tensor<4x8x2x2x4xbf16>) -> tensor<4x2x8x8x2xf32>
    %106 = stablehlo.transpose %105, dims = [0, 1, 4, 3, 2] : (tensor<4x2x8x8x2xf32>) -> tensor<4x2x2x8x8xf32>
    %cst_9 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x2x2x8x8xf32>
    %108 = stablehlo.divide %106, %107 : tensor<4x2x2x8x8xf32>
    %c_10 = stablehlo.constant dense<true> : tensor<i1>
    %109 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i1>) -> tensor<8x8xi1>
    %110 = call @tril(%109) : (tensor<8x8xi1>) -> tensor<8x8xi1>
    %cst_11 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %111:2 = call @_where(%110, %108, %cst_11) : (tensor<8x8xi1>, tensor<4x2x2x8x8xf32>, tensor<f32>) -> (tensor<4x2x2x8x8xf32>, tensor<4x2x2x8x8xi1>)
    %cst_12 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %112 = stablehlo.reduce(%111#0 init: %cst_12) applies stablehlo.maximum across dimensions = [4] : (tensor<4x2x2x8x8xf32>, tensor<f32>) -> tensor<4x2x2x8xf32>
    %cst_13 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %113 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x2x2x8xf32>
    %114 = stablehlo.maximum %113, %112 : tensor<4x2x2x8xf32>
    %115 = stablehlo.broadcast_in_dim %114, dims = [0, 1, 2, 3] : (tensor<4x2x2x8xf32>) -> tensor<4x2x2x8x1xf32>
    %116 = stablehlo.broadcast_in_dim %115, dims = [0, 1, 2, 3, 4] : (tensor<4x2x2x8x1xf32>) -> tensor<4x2x2x8x8xf32>
    %117 = stablehlo.subtract %111#0, %116 : tensor<4x2x2x8x8xf32>
    %118 = stablehlo.exponential %117 : tensor<4x2x2x8x8xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %119 = stablehlo.reduce(%118 init: %cst_14) applies stablehlo.add across dimensions = [4] : (tensor<4x2x2x8x8xf32>, tensor<f32>) -> tensor<4x2x2x8xf32>
    %120 = stablehlo.broadcast_in_dim %119, dims = [0, 1, 2, 3] : (tensor<4x2x2x8xf32>) -> tensor<4x2x2x8x1xf32>
    %121 = stablehlo.broadcast_in_dim %120, dims = [0, 1, 2, 3, 4] : (tensor<4x2x2x8x1xf32>) -> tensor<4x2x2x8x8xf32>
    %122 = stablehlo.divide %118, %121 : tensor<4x2x2x8x8xf32>
    %123 = stablehlo.multiply %120, %120 : tensor<4x2x2x8x1xf32>
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %124 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x2x2x8x1xf32>
    %125 = stablehlo.divide %124, %123 : tensor<4x2x2x8x1xf32>
    %126 = stablehlo.convert %122 : (tensor<4x2x2x8x8xf32>) -> tensor<4x2x2x8x8xbf16>
    %127 = stablehlo.dot_general %104, %126, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<4x8x2x4xbf16>, tensor<4x2x2x8x8xbf16>) -> tensor<4x2x4x2x8xbf16>
    %128 = stablehlo.transpose %127, dims = [0, 4, 1, 3, 2] : (tensor<4x2x4x2x8xbf16>) -> tensor<4x8x2x2x4xbf16>
    %129 = stablehlo.dot_general %128, %arg4, contracting_dims = [3, 4, 2] x [1, 2, 0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x2x2x4xbf16>, tensor<2x2x4x16xbf16>) -> tensor<4x8x16xbf16>
    %130 = stablehlo.add %6, %129 : tensor<4x8x16xbf16>
    %131 = stablehlo.convert %130 : (tensor<4x8x16xbf16>) -> tensor<4x8x16xf32>
    %132 = stablehlo.multiply %131, %131 : tensor<4x8x16xf32>
    %cst_16 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %133 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %134 = stablehlo.multiply %133, %131 : tensor<4x8x16xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %135 = stablehlo.reduce(%132 init: %cst_17) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %136 = stablehlo.broadcast_in_dim %135, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_18 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %137 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %138 = stablehlo.divide %136, %137 : tensor<4x8x1xf32>
    %cst_19 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %139 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %140 = stablehlo.add %138, %139 : tensor<4x8x1xf32>
    %141 = stablehlo.rsqrt %140 : tensor<4x8x1xf32>
    %142 = stablehlo.divide %141, %140 : tensor<4x8x1xf32>
    %cst_20 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %143 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %144 = stablehlo.multiply %143, %142 : tensor<4x8x1xf32>
    %145 = stablehlo.broadcast_in_dim %141, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %146 = stablehlo.multiply %131, %145 : tensor<4x8x16xf32>
    %147 = stablehlo.convert %146 : (tensor<4x8x16xf32>) -> tensor<4x8x16xbf16>
    %148 = stablehlo.broadcast_in_dim %arg7, dims = [2] : (tensor<16xbf16>) -> tensor<1x1x16xbf16>
    %149 = stablehlo.broadcast_in_dim %148, dims = [0, 1, 2] : (tensor<1x1x16xbf16>) -> tensor<4x8x16xbf16>
    %150 = stablehlo.multiply %147, %149 : tensor<4x8x16xbf16>
    %151 = stablehlo.dot_general %150, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xbf16>, tensor<16x32xbf16>) -> tensor<4x8x32xbf16>
    %152:3 = call @silu(%151) : (tensor<4x8x32xbf16>) -> (tensor<4x8x32xbf16>, tensor<4x8x32xbf16>, tensor<4x8x32xbf16>)
    %153 = stablehlo.dot_general %150, %arg8, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xbf16>, tensor<16x32xbf16>) -> tensor<4x8x32xbf16>
    %154 = stablehlo.multiply %152#0, %153 : tensor<4x8x32xbf16>
    %155 = stablehlo.dot_general %154, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xbf16>, tensor<32x16xbf16>) -> tensor<4x8x16xbf16>
    %156 = stablehlo.add %130, %155 : tensor<4x8x16xbf16>
    %157 = stablehlo.convert %156 : (tensor<4x8x16xbf16>) -> tensor<4x8x16xf32>
    %158 = stablehlo.multiply %157, %157 : tensor<4x8x16xf32>
    %cst_21 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %159 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %160 = stablehlo.multiply %159, %157 : tensor<4x8x16xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %161 = stablehlo.reduce(%158 init: %cst_22) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %162 = stablehlo.broadcast_in_dim %161, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_23 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %163 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %164 = stablehlo.divide %162, %163 : tensor<4x8x1xf32>
    %cst_24 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %165 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %166 = stablehlo.add %164, %165 : tensor<4x8x1xf32>
    %167 = stablehlo.rsqrt %166 : tensor<4x8x1xf32>
    %168 = stablehlo.divide %167, %166 : tensor<4x8x1xf32>
    %cst_25 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %169 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %170 = stablehlo.multiply %169, %168 : tensor<4x8x1xf32>
    %171 = stablehlo.broadcast_in_dim %167, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %172 = stablehlo.multiply %157, %171 : tensor<4x8x16xf32>
    %173 = stablehlo.convert %172 : (tensor<4x8x16xf32>) -> tensor<4x8x16xbf16>
    %174 = stablehlo.broadcast_in_dim %arg15, dims = [2] : (tensor<16xbf16>) -> tensor<1x1x16xbf16>
    %175 = stablehlo.broadcast_in_dim %174, dims = [0, 1, 2] : (tensor<1x1x16xbf16>) -> tensor<4x8x16xbf16>
    %176 = stablehlo.multiply %173, %175 : tensor<4x8x16xbf16>
    %177 = stablehlo.dot_general %176, %arg14, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xbf16>, tensor<16x4x4xbf16>) -> tensor<4x8x4x4xbf16>
    %178 = stablehlo.iota dim = 0 : tensor<8xi32>
    %179 = stablehlo.broadcast_in_dim %178, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %180 = stablehlo.iota dim = 0 : tensor<2xi32>
    %181 = stablehlo.convert %180 : (tensor<2xi32>) -> tensor<2xf32>
    %cst_26 = stablehlo.constant dense<-9.21034049> : tensor<f32>
    %182 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %183 = stablehlo.multiply %182, %181 : tensor<2xf32>
    %cst_27 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %184 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %185 = stablehlo.divide %183, %184 : tensor<2xf32>
    %186 = stablehlo.exponential %185 : tensor<2xf32>
    %187 = stablehlo.convert %179 : (tensor<8x1xi32>) -> tensor<8x1xf32>
    %188 = stablehlo.broadcast_in_dim %186, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %189 = stablehlo.broadcast_in_dim %187, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x2xf32>
    %190 = stablehlo.broadcast_in_dim %188, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<8x2xf32>
    %191 = stablehlo.multiply %189, %190 : tensor<8x2xf32>
    %192 = stablehlo.sine %191 : tensor<8x2xf32>
    %193 = stablehlo.broadcast_in_dim %192, dims = [0, 2] : (tensor<8x2xf32>) -> tensor<8x1x2xf32>
    %194 = stablehlo.convert %193 : (tensor<8x1x2xf32>) -> tensor<8x1x2xbf16>
    %195 = stablehlo.cosine %191 : tensor<8x2xf32>
    %196 = stablehlo.broadcast_in_dim %195, dims = [0, 2] : (tensor<8x2xf32>) -> tensor<8x1x2xf32>
    %197 = stablehlo.convert %196 : (tensor<8x1x2xf32>) -> tensor<8x1x2xbf16>
    %198 = stablehlo.slice %177 [0:4, 0:8, 0:4, 0:2] : (tensor<4x8x4x4xbf16>) -> tensor<4x8x4x2xbf16>
    %199 = stablehlo.slice %177 [0:4, 0:8, 0:4, 2:4] : (tensor<4x8x4x4xbf16>) -> tensor<4x8x4x2xbf16>
    %200 = stablehlo.broadcast_in_dim %197, dims = [1, 2, 3] : (tensor<8x1x2xbf16>) -> tensor<1x8x1x2xbf16>
    %201 = stablehlo.broadcast_in_dim %200, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xbf16>) -> tensor<4x8x4x2xbf16>
    %202 = stablehlo.multiply %198, %201 : tensor<4x8x4x2xbf16>
    %203 = stablehlo.broadcast_in_dim %194, dims = [1, 2, 3] : (tensor<8x1x2xbf16>) -> tensor<1x8x1x2xbf16>
    %204 = stablehlo.broadcast_in_dim %203, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xbf16>) -> tensor<4x8x4x2xbf16>
    %205 = stablehlo.multiply %199, %204 : tensor<4x8x4x2xbf16>
    %206 = stablehlo.subtract %202, %205 : tensor<4x8x4x2xbf16>
    %207 = stablehlo.broadcast_in_dim %197, dims = [1, 2, 3] : (tensor<8x1x2xbf16>) -> tensor<1x8x1x2xbf16>
    %208 = stablehlo.broadcast_in_dim %207, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xbf16>) -> tensor<4x8x4x2xbf16>
    %209 = stablehlo.multiply %199, %208 : tensor<4x8x4x2xbf16>
    %210 = stablehlo.broadcast_in_dim %194, dims = [1, 2, 3] : (tensor<8x1x2xbf16>) -> tensor<1x8x1x2xbf16>
    %211 = stablehlo.broadcast_in_dim %210, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xbf16>) -> tensor<4x8x4x2xbf16>
    %212 = stablehlo.multiply %198, %211 : tensor<4x8x4x2xbf16>
    %213 = stablehlo.add %209, %212 : tensor<4x8x4x2xbf16>
    %214 = stablehlo.concatenate %206, %213, dim = 3 : (tensor<4x8x4x2xbf16>, tensor<4x8x4x2xbf16>) -> tensor<4x8x4x4xbf16>
    %215 = stablehlo.reshape %214 : (tensor<4x8x4x4xbf16>) -> tensor<4x8x2x2x4xbf16>
    %216 = stablehlo.dot_general %176, %arg12, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xbf16>, tensor<16x2x4xbf16>) -> tensor<4x8x2x4xbf16>
    %217 = stablehlo.iota dim = 0 : tensor<8xi32>
    %218 = stablehlo.broadcast_in_dim %217, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %219 = stablehlo.iota dim = 0 : tensor<2xi32>
    %220 = stablehlo.convert %219 : (tensor<2xi32>) -> tensor<2xf32>
    %cst_28 = stablehlo.constant dense<-9.21034049> : tensor<f32>
    %221 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %222 = stablehlo.multiply %221, %220 : tensor<2xf32>
    %cst_29 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %223 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %224 = stablehlo.divide %222, %223 : tensor<2xf32>
    %225 = stablehlo.exponential %224 : tensor<2xf32>
    %226 = stablehlo.convert %218 : (tensor<8x1xi32>) -> tensor<8x1xf32>
    %227 = stablehlo.broadcast_in_dim %225, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %228 = stablehlo.broadcast_in_dim %226, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x2xf32>
    %229 = stablehlo.broadcast_in_dim %227, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<8x2xf32>
    %230 = stablehlo.multiply %228, %229 : tensor<8x2xf32>
    %231 = stablehlo.sine %230 : tensor<8x2xf32>
    %232 = stablehlo.broadcast_in_dim %231, dims = [0, 2] : (tensor<8x2xf32>) -> tensor<8x1x2xf32>
    %233 = stablehlo.convert %232 : (tensor<8x1x2xf32>) -> tensor<8x1x2xbf16>
    %234 = stablehlo.cosine %230 : tensor<8x2xf32>
    %235 = stablehlo.broadcast_in_dim %234, dims = [0, 2] : (tensor<8x2xf32>) -> tensor<8x1x2xf32>
    %236 = stablehlo.convert %235 : (tensor<8x1x2xf32>) -> tensor<8x1x2xbf16>
    %237 = stablehlo.slice %216 [0:4, 0:8, 0:2, 0:2] : (tensor<4x8x2x4xbf16>) -> tensor<4x8x2x2xbf16>
    %238 = stablehlo.slice %216 [0:4, 0:8, 0:2, 2:4] : (tensor<4x8x2x4xbf16>) -> tensor<4x8x2x2xbf16>
    %239 = stablehlo.broadcast_in_dim %236, dims = [1, 2, 3] : (tensor<8x1x2xbf16>) -> tensor<1x8x1x2xbf16>
    %240 = stablehlo.broadcast_in_dim %239, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xbf16>) -> tensor<4x8x2x2xbf16>
    %241 = stablehlo.multiply %237, %240 : tensor<4x8x2x2xbf16>
    %242 = stablehlo.broadcast_in_dim %233, dims = [1, 2, 3] : (tensor<8x1x2xbf16>) -> tensor<1x8x1x2xbf16>
    %243 = stablehlo.broadcast_in_dim %242, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xbf16>) -> tensor<4x8x2x2xbf16>
    %244 = stablehlo.multiply %238, %243 : tensor<4x8x2x2xbf16>
    %245 = stablehlo.subtract %241, %244 : tensor<4x8x2x2xbf16>
    %246 = stablehlo.broadcast_in_dim %236, dims = [1, 2, 3] : (tensor<8x1x2xbf16>) -> tensor<1x8x1x2xbf16>
    %247 = stablehlo.broadcast_in_dim %246, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xbf16>) -> tensor<4x8x2x2xbf16>
    %248 = stablehlo.multiply %238, %247 : tensor<4x8x2x2xbf16>
    %249 = stablehlo.broadcast_in_dim %233, dims = [1, 2, 3] : (tensor<8x1x2xbf16>) -> tensor<1x8x1x2xbf16>
    %250 = stablehlo.broadcast_in_dim %249, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xbf16>) -> tensor<4x8x2x2xbf16>
    %251 = stablehlo.multiply %237, %250 : tensor<4x8x2x2xbf16>
    %252 = stablehlo.add %248, %251 : tensor<4x8x2x2xbf16>
    %253 = stablehlo.concatenate %245, %252, dim = 3 : (tensor<4x8x2x2xbf16>, tensor<4x8x2x2xbf16>) -> tensor<4x8x2x4xbf16>
    %254 = stablehlo.dot_general %176, %arg18, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xbf16>, tensor<16x2x4xbf16>) -> tensor<4x8x2x4xbf16>
    %255 = stablehlo.dot_general %253, %215, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [4], precision = [DEFAULT, DEFAULT] : (tensor<4x8x2x4xbf16>, tensor<4x8x2x2x4xbf16>) -> tensor<4x2x8x8x2xf32>
    %256 = stablehlo.transpose %255, dims = [0, 1, 4, 3, 2] : (tensor<4x2x8x8x2xf32>) -> tensor<4x2x2x8x8xf32>
    %cst_30 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %257 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<4x2x2x8x8xf32>
    %258 = stablehlo.divide %256, %257 : tensor<4x2x2x8x8xf32>
    %c_31 = stablehlo.constant dense<true> : tensor<i1>
    %259 = stablehlo.broadcast_in_dim %c_31, dims = [] : (tensor<i1>) -> tensor<8x8xi1>
    %260 = call @tril(%259) : (tensor<8x8xi1>) -> tensor<8x8xi1>
    %cst_32 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %261:2 = call @_where(%260, %258, %cst_32) : (tensor<8x8xi1>, tensor<4x2x2x8x8xf32>, tensor<f32>) -> (tensor<4x2x2x8x8xf32>, tensor<4x2x2x8x8xi1>)
    %cst_33 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %262 = stablehlo.reduce(%261#0 init: %cst_33) applies stablehlo.maximum across dimensions = [4] : (tensor<4x2x2x8x8xf32>, tensor<f32>) -> tensor<4x2x2x8xf32>
    %cst_34 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %263 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<4x2x2x8xf32>
    %264 = stablehlo.maximum %263, %262 : tensor<4x2x2x8xf32>
    %265 = stablehlo.broadcast_in_dim %264, dims = [0, 1, 2, 3] : (tensor<4x2x2x8xf32>) -> tensor<4x2x2x8x1xf32>
    %266 = stablehlo.broadcast_in_dim %265, dims = [0, 1, 2, 3, 4] : (tensor<4x2x2x8x1xf32>) -> tensor<4x2x2x8x8xf32>
    %267 = stablehlo.subtract %261#0, %266 : tensor<4x2x2x8x8xf32>
    %268 = stablehlo.exponential %267 : tensor<4x2x2x8x8xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %269 = stablehlo.reduce(%268 init: %cst_35) applies stablehlo.add across dimensions = [4] : (tensor<4x2x2x8x8xf32>, tensor<f32>) -> tensor<4x2x2x8xf32>
    %270 = stablehlo.broadcast_in_dim %269, dims = [0, 1, 2, 3] : (tensor<4x2x2x8xf32>) -> tensor<4x2x2x8x1xf32>
    %271 = stablehlo.broadcast_in_dim %270, dims = [0, 1, 2, 3, 4] : (tensor<4x2x2x8x1xf32>) -> tensor<4x2x2x8x8xf32>
    %272 = stablehlo.divide %268, %271 : tensor<4x2x2x8x8xf32>
    %273 = stablehlo.multiply %270, %270 : tensor<4x2x2x8x1xf32>
    %cst_36 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %274 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<4x2x2x8x1xf32>
    %275 = stablehlo.divide %274, %273 : tensor<4x2x2x8x1xf32>
    %276 = stablehlo.convert %272 : (tensor<4x2x2x8x8xf32>) -> tensor<4x2x2x8x8xbf16>
    %277 = stablehlo.dot_general %254, %276, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<4x8x2x4xbf16>, tensor<4x2x2x8x8xbf16>) -> tensor<4x2x4x2x8xbf16>
    %278 = stablehlo.transpose %277, dims = [0, 4, 1, 3, 2] : (tensor<4x2x4x2x8xbf16>) -> tensor<4x8x2x2x4xbf16>
    %279 = stablehlo.dot_general %278, %arg13, contracting_dims = [3, 4, 2] x [1, 2, 0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x2x2x4xbf16>, tensor<2x2x4x16xbf16>) -> tensor<4x8x16xbf16>
    %280 = stablehlo.add %156, %279 : tensor<4x8x16xbf16>
    %281 = stablehlo.convert %280 : (tensor<4x8x16xbf16>) -> tensor<4x8x16xf32>
    %282 = stablehlo.multiply %281, %281 : tensor<4x8x16xf32>
    %cst_37 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %283 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %284 = stablehlo.multiply %283, %281 : tensor<4x8x16xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %285 = stablehlo.reduce(%282 init: %cst_38) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %286 = stablehlo.broadcast_in_dim %285, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_39 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %287 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %288 = stablehlo.divide %286, %287 : tensor<4x8x1xf32>
    %cst_40 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %289 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %290 = stablehlo.add %288, %289 : tensor<4x8x1xf32>
    %291 = stablehlo.rsqrt %290 : tensor<4x8x1xf32>
    %292 = stablehlo.divide %291, %290 : tensor<4x8x1xf32>
    %cst_41 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %293 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %294 = stablehlo.multiply %293, %292 : tensor<4x8x1xf32>
    %295 = stablehlo.broadcast_in_dim %291, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %296 = stablehlo.multiply %281, %295 : tensor<4x8x16xf32>
    %297 = stablehlo.convert %296 : (tensor<4x8x16xf32>) -> tensor<4x8x16xbf16>
    %298 = stablehlo.broadcast_in_dim %arg16, dims = [2] : (tensor<16xbf16>) -> tensor<1x1x16xbf16>
    %299 = stablehlo.broadcast_in_dim %298, dims = [0, 1, 2] : (tensor<1x1x16xbf16>) -> tensor<4x8x16xbf16>
    %300 = stablehlo.multiply %297, %299 : tensor<4x8x16xbf16>
    %301 = stablehlo.dot_general %300, %arg11, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xbf16>, tensor<16x32xbf16>) -> tensor<4x8x32xbf16>
    %302:3 = call @silu(%301) : (tensor<4x8x32xbf16>) -> (tensor<4x8x32xbf16>, tensor<4x8x32xbf16>, tensor<4x8x32xbf16>)
    %303 = stablehlo.dot_general %300, %arg17, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xbf16>, tensor<16x32xbf16>) -> tensor<4x8x32xbf16>
    %304 = stablehlo.multiply %302#0, %303 : tensor<4x8x32xbf16>
    %305 = stablehlo.dot_general %304, %arg10, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xbf16>, tensor<32x16xbf16>) -> tensor<4x8x16xbf16>
    %306 = stablehlo.add %280, %305 : tensor<4x8x16xbf16>
    %307 = stablehlo.convert %306 : (tensor<4x8x16xbf16>) -> tensor<4x8x16xf32>
    %308 = stablehlo.multiply %307, %307 : tensor<4x8x16xf32>
    %cst_42 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %309 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %310 = stablehlo.multiply %309, %307 : tensor<4x8x16xf32>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %311 = stablehlo.reduce(%308 init: %cst_43) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %312 = stablehlo.broadcast_in_dim %311, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_44 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %313 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %314 = stablehlo.divide %312, %313 : tensor<4x8x1xf32>
    %cst_45 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %315 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %316 = stablehlo.add %314, %315 : tensor<4x8x1xf32>
    %317 = stablehlo.rsqrt %316 : tensor<4x8x1xf32>
    %318 = stablehlo.divide %317, %316 : tensor<4x8x1xf32>
    %cst_46 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %319 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %320 = stablehlo.multiply %319, %318 : tensor<4x8x1xf32>
    %321 = stablehlo.broadcast_in_dim %317, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %322 = stablehlo.multiply %307, %321 : tensor<4x8x16xf32>
    %323 = stablehlo.convert %322 : (tensor<4x8x16xf32>) -> tensor<4x8x16xbf16>
    %324 = stablehlo.broadcast_in_dim %arg19, dims = [2] : (tensor<16xbf16>) -> tensor<1x1x16xbf16>
    %325 = stablehlo.broadcast_in_dim %324, dims = [0, 1, 2] : (tensor<1x1x16xbf16>) -> tensor<4x8x16xbf16>
    %326 = stablehlo.multiply %323, %325 : tensor<4x8x16xbf16>
    %327 = stablehlo.dot_general %326, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xbf16>, tensor<16x32xbf16>) -> tensor<4x8x32xf32>
    %cst_47 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %328 = stablehlo.reduce(%327 init: %cst_47) applies stablehlo.maximum across dimensions = [2] : (tensor<4x8x32xf32>, tensor<f32>) -> tensor<4x8xf32>
    %cst_48 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %329 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %330 = stablehlo.maximum %329, %328 : tensor<4x8xf32>
    %331 = stablehlo.is_finite %330 : (tensor<4x8xf32>) -> tensor<4x8xi1>
    %cst_49 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %332 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %333 = stablehlo.select %331, %330, %332 : tensor<4x8xi1>, tensor<4x8xf32>
    %334 = stablehlo.broadcast_in_dim %333, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %335 = stablehlo.broadcast_in_dim %334, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x32xf32>
    %336 = stablehlo.subtract %327, %335 : tensor<4x8x32xf32>
    %337 = stablehlo.exponential %336 : tensor<4x8x32xf32>
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %338 = stablehlo.reduce(%337 init: %cst_50) applies stablehlo.add across dimensions = [2] : (tensor<4x8x32xf32>, tensor<f32>) -> tensor<4x8xf32>
    %339 = stablehlo.abs %338 : tensor<4x8xf32>
    %cst_51 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %340 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %341 = stablehlo.compare GE, %338, %340, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %342 = stablehlo.log %339 : tensor<4x8xf32>
    %343 = stablehlo.add %342, %333 : tensor<4x8xf32>
    %344 = stablehlo.broadcast_in_dim %arg22, dims = [0, 1] : (tensor<4x8xi32>) -> tensor<4x8x1xi32>
    %345:2 = call @take_along_axis(%327, %344) : (tensor<4x8x32xf32>, tensor<4x8x1xi32>) -> (tensor<4x8x1xf32>, tensor<4x8x1x1xi32>)
    %346 = stablehlo.reshape %345#0 : (tensor<4x8x1xf32>) -> tensor<4x8xf32>
    %347 = stablehlo.subtract %343, %346 : tensor<4x8xf32>
    %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %348 = stablehlo.reduce(%347 init: %cst_52) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_53 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %349 = stablehlo.divide %348, %cst_53 : tensor<f32>
    %cst_54 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_55 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %350 = stablehlo.divide %cst_54, %cst_55 : tensor<f32>
    %351 = stablehlo.broadcast_in_dim %350, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %352 = stablehlo.negate %351 : tensor<4x8xf32>
    %353 = stablehlo.broadcast_in_dim %352, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %354 = call @take_along_axis_0(%345#1, %353) : (tensor<4x8x1x1xi32>, tensor<4x8x1xf32>) -> tensor<4x8x32xf32>
    %355 = stablehlo.divide %351, %339 : tensor<4x8xf32>
    %cst_56 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %356 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %357 = stablehlo.select %341, %356, %355 : tensor<4x8xi1>, tensor<4x8xf32>
    %358 = stablehlo.select %341, %355, %356 : tensor<4x8xi1>, tensor<4x8xf32>
    %359 = stablehlo.negate %357 : tensor<4x8xf32>
    %360 = stablehlo.add %358, %359 : tensor<4x8xf32>
    %361 = stablehlo.broadcast_in_dim %360, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x32xf32>
    %362 = stablehlo.multiply %361, %337 : tensor<4x8x32xf32>
    %363 = stablehlo.add %354, %362 : tensor<4x8x32xf32>
    %364 = stablehlo.convert %363 : tensor<4x8x32xf32>
    %365 = stablehlo.convert %326 : (tensor<4x8x16xbf16>) -> tensor<4x8x16xf32>
    %366 = stablehlo.dot_general %364, %365, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<4x8x16xf32>) -> tensor<32x16xf32>
    %367 = stablehlo.transpose %366, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %368 = stablehlo.convert %367 : (tensor<16x32xf32>) -> tensor<16x32xbf16>
    %369 = stablehlo.convert %363 : tensor<4x8x32xf32>
    %370 = stablehlo.convert %arg0 : (tensor<16x32xbf16>) -> tensor<16x32xf32>
    %371 = stablehlo.dot_general %369, %370, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<16x32xf32>) -> tensor<4x8x16xf32>
    %372 = stablehlo.convert %371 : (tensor<4x8x16xf32>) -> tensor<4x8x16xbf16>
    %373 = stablehlo.multiply %323, %372 : tensor<4x8x16xbf16>
    %cst_57 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %374 = stablehlo.reduce(%373 init: %cst_57) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xbf16>, tensor<bf16>) -> tensor<16xbf16>
    %375 = stablehlo.reshape %374 : (tensor<16xbf16>) -> tensor<1x1x16xbf16>
    %376 = stablehlo.broadcast_in_dim %324, dims = [0, 1, 2] : (tensor<1x1x16xbf16>) -> tensor<4x8x16xbf16>
    %377 = stablehlo.multiply %372, %376 : tensor<4x8x16xbf16>
    %cst_58 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %378 = stablehlo.reduce(%375 init: %cst_58) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xbf16>, tensor<bf16>) -> tensor<16xbf16>
    %379 = stablehlo.convert %377 : (tensor<4x8x16xbf16>) -> tensor<4x8x16xf32>
    %380 = stablehlo.multiply %307, %379 : tensor<4x8x16xf32>
    %cst_59 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %381 = stablehlo.reduce(%380 init: %cst_59) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %382 = stablehlo.reshape %381 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %383 = stablehlo.broadcast_in_dim %317, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %384 = stablehlo.multiply %379, %383 : tensor<4x8x16xf32>
    %385 = stablehlo.multiply %382, %320 : tensor<4x8x1xf32>
    %cst_60 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %386 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %387 = stablehlo.divide %385, %386 : tensor<4x8x1xf32>
    %cst_61 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %388 = stablehlo.reduce(%387 init: %cst_61) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %389 = stablehlo.broadcast_in_dim %388, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %390 = stablehlo.multiply %389, %310 : tensor<4x8x16xf32>
    %391 = stablehlo.add %384, %390 : tensor<4x8x16xf32>
    %392 = stablehlo.convert %391 : (tensor<4x8x16xf32>) -> tensor<4x8x16xbf16>
    %393 = stablehlo.dot_general %392, %304, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xbf16>, tensor<4x8x32xbf16>) -> tensor<16x32xbf16>
    %394 = stablehlo.transpose %393, dims = [1, 0] : (tensor<16x32xbf16>) -> tensor<32x16xbf16>
    %395 = stablehlo.dot_general %392, %arg10, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xbf16>, tensor<32x16xbf16>) -> tensor<4x8x32xbf16>
    %396 = stablehlo.multiply %302#0, %395 : tensor<4x8x32xbf16>
    %397 = stablehlo.multiply %395, %303 : tensor<4x8x32xbf16>
    %398 = stablehlo.dot_general %396, %300, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xbf16>, tensor<4x8x16xbf16>) -> tensor<32x16xbf16>
    %399 = stablehlo.transpose %398, dims = [1, 0] : (tensor<32x16xbf16>) -> tensor<16x32xbf16>
    %400 = stablehlo.dot_general %396, %arg17, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xbf16>, tensor<16x32xbf16>) -> tensor<4x8x16xbf16>
    %401 = call @silu_1(%302#1, %302#2, %301, %397) : (tensor<4x8x32xbf16>, tensor<4x8x32xbf16>, tensor<4x8x32xbf16>, tensor<4x8x32xbf16>) -> tensor<4x8x32xbf16>
    %402 = stablehlo.dot_general %401, %300, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xbf16>, tensor<4x8x16xbf16>) -> tensor<32x16xbf16>
    %403 = stablehlo.transpose %402, dims = [1, 0] : (tensor<32x16xbf16>) -> tensor<16x32xbf16>
    %404 = stablehlo.dot_general %401, %arg11, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xbf16>, tensor<16x32xbf16>) -> tensor<4x8x16xbf16>
    %405 = stablehlo.add %400, %404 : tensor<4x8x16xbf16>
    %406 = stablehlo.multiply %297, %405 : tensor<4x8x16xbf16>
    %cst_62 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %407 = stablehlo.reduce(%406 init: %cst_62) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xbf16>, tensor<bf16>) -> tensor<16xbf16>
    %408 = stablehlo.reshape %407 : (tensor<16xbf16>) -> tensor<1x1x16xbf16>
    %409 = stablehlo.broadcast_in_dim %298, dims = [0, 1, 2] : (tensor<1x1x16xbf16>) -> tensor<4x8x16xbf16>
    %410 = stablehlo.multiply %405, %409 : tensor<4x8x16xbf16>
    %cst_63 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %411 = stablehlo.reduce(%408 init: %cst_63) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xbf16>, tensor<bf16>) -> tensor<16xbf16>
    %412 = stablehlo.convert %410 : (tensor<4x8x16xbf16>) -> tensor<4x8x16xf32>
    %413 = stablehlo.multiply %281, %412 : tensor<4x8x16xf32>
    %cst_64 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %414 = stablehlo.reduce(%413 init: %cst_64) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %415 = stablehlo.reshape %414 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %416 = stablehlo.broadcast_in_dim %291, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %417 = stablehlo.multiply %412, %416 : tensor<4x8x16xf32>
    %418 = stablehlo.multiply %415, %294 : tensor<4x8x1xf32>
    %cst_65 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %419 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %420 = stablehlo.divide %418, %419 : tensor<4x8x1xf32>
    %cst_66 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %421 = stablehlo.reduce(%420 init: %cst_66) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %422 = stablehlo.broadcast_in_dim %421, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %423 = stablehlo.multiply %422, %284 : tensor<4x8x16xf32>
    %424 = stablehlo.add %417, %423 : tensor<4x8x16xf32>
    %425 = stablehlo.convert %424 : (tensor<4x8x16xf32>) -> tensor<4x8x16xbf16>
    %426 = stablehlo.add %392, %425 : tensor<4x8x16xbf16>
    %427 = stablehlo.dot_general %426, %278, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xbf16>, tensor<4x8x2x2x4xbf16>) -> tensor<16x2x2x4xbf16>
    %428 = stablehlo.transpose %427, dims = [1, 2, 3, 0] : (tensor<16x2x2x4xbf16>) -> tensor<2x2x4x16xbf16>
    %429 = stablehlo.dot_general %426, %arg13, contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xbf16>, tensor<2x2x4x16xbf16>) -> tensor<4x8x2x2x4xbf16>
    %430 = stablehlo.transpose %429, dims = [0, 2, 4, 3, 1] : (tensor<4x8x2x2x4xbf16>) -> tensor<4x2x4x2x8xbf16>
    %431 = stablehlo.dot_general %430, %254, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x2x4x2x8xbf16>, tensor<4x8x2x4xbf16>) -> tensor<4x2x2x8x8xbf16>
    %432 = stablehlo.dot_general %430, %276, batching_dims = [0, 1] x [0, 1], contracting_dims = [3, 4] x [2, 3], precision = [DEFAULT, DEFAULT] : (tensor<4x2x4x2x8xbf16>, tensor<4x2x2x8x8xbf16>) -> tensor<4x2x4x8xbf16>
    %433 = stablehlo.transpose %432, dims = [0, 3, 1, 2] : (tensor<4x2x4x8xbf16>) -> tensor<4x8x2x4xbf16>
    %434 = stablehlo.convert %431 : (tensor<4x2x2x8x8xbf16>) -> tensor<4x2x2x8x8xf32>
    %435 = stablehlo.broadcast_in_dim %275, dims = [0, 1, 2, 3, 4] : (tensor<4x2x2x8x1xf32>) -> tensor<4x2x2x8x8xf32>
    %436 = stablehlo.multiply %434, %435 : tensor<4x2x2x8x8xf32>
    %437 = stablehlo.multiply %436, %268 : tensor<4x2x2x8x8xf32>
    %cst_67 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %438 = stablehlo.reduce(%437 init: %cst_67) applies stablehlo.add across dimensions = [4] : (tensor<4x2x2x8x8xf32>, tensor<f32>) -> tensor<4x2x2x8xf32>
    %439 = stablehlo.reshape %438 : (tensor<4x2x2x8xf32>) -> tensor<4x2x2x8x1xf32>
    %440 = stablehlo.negate %439 : tensor<4x2x2x8x1xf32>
    %441 = stablehlo.broadcast_in_dim %270, dims = [0, 1, 2, 3, 4] : (tensor<4x2x2x8x1xf32>) -> tensor<4x2x2x8x8xf32>
    %442 = stablehlo.divide %434, %441 : tensor<4x2x2x8x8xf32>
    %cst_68 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %443 = stablehlo.reduce(%440 init: %cst_68) applies stablehlo.add across dimensions = [4] : (tensor<4x2x2x8x1xf32>, tensor<f32>) -> tensor<4x2x2x8xf32>
    %444 = stablehlo.broadcast_in_dim %443, dims = [0, 1, 2, 3] : (tensor<4x2x2x8xf32>) -> tensor<4x2x2x8x8xf32>
    %445 = stablehlo.add %442, %444 : tensor<4x2x2x8x8xf32>
    %446 = stablehlo.multiply %445, %268 : tensor<4x2x2x8x8xf32>
    %447 = call @_where_2(%261#1, %446) : (tensor<4x2x2x8x8xi1>, tensor<4x2x2x8x8xf32>) -> tensor<4x2x2x8x8xf32>
    %cst_69 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %448 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<4x2x2x8x8xf32>
    %449 = stablehlo.divide %447, %448 : tensor<4x2x2x8x8xf32>
    %450 = stablehlo.transpose %449, dims = [0, 1, 4, 3, 2] : (tensor<4x2x2x8x8xf32>) -> tensor<4x2x8x8x2xf32>
    %451 = stablehlo.convert %450 : tensor<4x2x8x8x2xf32>
    %452 = stablehlo.convert %253 : (tensor<4x8x2x4xbf16>) -> tensor<4x8x2x4xf32>
    %453 = stablehlo.dot_general %451, %452, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x8x2xf32>, tensor<4x8x2x4xf32>) -> tensor<4x2x8x2x4xf32>
    %454 = stablehlo.transpose %453, dims = [0, 2, 1, 3, 4] : (tensor<4x2x8x2x4xf32>) -> tensor<4x8x2x2x4xf32>
    %455 = stablehlo.convert %454 : (tensor<4x8x2x2x4xf32>) -> tensor<4x8x2x2x4xbf16>
    %456 = stablehlo.convert %450 : tensor<4x2x8x8x2xf32>
    %457 = stablehlo.convert %215 : (tensor<4x8x2x2x4xbf16>) -> tensor<4x8x2x2x4xf32>
    %458 = stablehlo.dot_general %456, %457, batching_dims = [0, 1] x [0, 2], contracting_dims = [3, 4] x [1, 3], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x8x2xf32>, tensor<4x8x2x2x4xf32>) -> tensor<4x2x8x4xf32>
    %459 = stablehlo.transpose %458, dims = [0, 2, 1, 3] : (tensor<4x2x8x4xf32>) -> tensor<4x8x2x4xf32>
    %460 = stablehlo.convert %459 : (tensor<4x8x2x4xf32>) -> tensor<4x8x2x4xbf16>
    %461 = stablehlo.dot_general %433, %176, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x2x4xbf16>, tensor<4x8x16xbf16>) -> tensor<2x4x16xbf16>
    %462 = stablehlo.transpose %461, dims = [2, 0, 1] : (tensor<2x4x16xbf16>) -> tensor<16x2x4xbf16>
    %463 = stablehlo.dot_general %433, %arg18, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x2x4xbf16>, tensor<16x2x4xbf16>) -> tensor<4x8x16xbf16>
    %464 = stablehlo.slice %460 [0:4, 0:8, 0:2, 0:2] : (tensor<4x8x2x4xbf16>) -> tensor<4x8x2x2xbf16>
    %465 = stablehlo.slice %460 [0:4, 0:8, 0:2, 2:4] : (tensor<4x8x2x4xbf16>) -> tensor<4x8x2x2xbf16>
    %466 = stablehlo.broadcast_in_dim %249, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xbf16>) -> tensor<4x8x2x2xbf16>
    %467 = stablehlo.multiply %465, %466 : tensor<4x8x2x2xbf16>
    %468 = stablehlo.broadcast_in_dim %246, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xbf16>) -> tensor<4x8x2x2xbf16>
    %469 = stablehlo.multiply %465, %468 : tensor<4x8x2x2xbf16>
    %470 = stablehlo.negate %464 : tensor<4x8x2x2xbf16>
    %471 = stablehlo.broadcast_in_dim %242, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xbf16>) -> tensor<4x8x2x2xbf16>
    %472 = stablehlo.multiply %470, %471 : tensor<4x8x2x2xbf16>
    %473 = stablehlo.add %469, %472 : tensor<4x8x2x2xbf16>
    %474 = stablehlo.broadcast_in_dim %239, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xbf16>) -> tensor<4x8x2x2xbf16>
    %475 = stablehlo.multiply %464, %474 : tensor<4x8x2x2xbf16>
    %476 = stablehlo.add %467, %475 : tensor<4x8x2x2xbf16>
    %477 = stablehlo.concatenate %476, %473, dim = 3 : (tensor<4x8x2x2xbf16>, tensor<4x8x2x2xbf16>) -> tensor<4x8x2x4xbf16>
    %478 = stablehlo.dot_general %477, %176, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x2x4xbf16>, tensor<4x8x16xbf16>) -> tensor<2x4x16xbf16>
    %479 = stablehlo.transpose %478, dims = [2, 0, 1] : (tensor<2x4x16xbf16>) -> tensor<16x2x4xbf16>
    %480 = stablehlo.dot_general %477, %arg12, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x2x4xbf16>, tensor<16x2x4xbf16>) -> tensor<4x8x16xbf16>
    %481 = stablehlo.add %463, %480 : tensor<4x8x16xbf16>
    %482 = stablehlo.reshape %455 : (tensor<4x8x2x2x4xbf16>) -> tensor<4x8x4x4xbf16>
    %483 = stablehlo.slice %482 [0:4, 0:8, 0:4, 0:2] : (tensor<4x8x4x4xbf16>) -> tensor<4x8x4x2xbf16>
    %484 = stablehlo.slice %482 [0:4, 0:8, 0:4, 2:4] : (tensor<4x8x4x4xbf16>) -> tensor<4x8x4x2xbf16>
    %485 = stablehlo.broadcast_in_dim %210, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xbf16>) -> tensor<4x8x4x2xbf16>
    %486 = stablehlo.multiply %484, %485 : tensor<4x8x4x2xbf16>
    %487 = stablehlo.broadcast_in_dim %207, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xbf16>) -> tensor<4x8x4x2xbf16>
    %488 = stablehlo.multiply %484, %487 : tensor<4x8x4x2xbf16>
    %489 = stablehlo.negate %483 : tensor<4x8x4x2xbf16>
    %490 = stablehlo.broadcast_in_dim %203, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xbf16>) -> tensor<4x8x4x2xbf16>
    %491 = stablehlo.multiply %489, %490 : tensor<4x8x4x2xbf16>
    %492 = stablehlo.add %488, %491 : tensor<4x8x4x2xbf16>
    %493 = stablehlo.broadcast_in_dim %200, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xbf16>) -> tensor<4x8x4x2xbf16>
    %494 = stablehlo.multiply %483, %493 : tensor<4x8x4x2xbf16>
    %495 = stablehlo.add %486, %494 : tensor<4x8x4x2xbf16>
    %496 = stablehlo.concatenate %495, %492, dim = 3 : (tensor<4x8x4x2xbf16>, tensor<4x8x4x2xbf16>) -> tensor<4x8x4x4xbf16>
    %497 = stablehlo.dot_general %496, %176, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xbf16>, tensor<4x8x16xbf16>) -> tensor<4x4x16xbf16>
    %498 = stablehlo.transpose %497, dims = [2, 0, 1] : (tensor<4x4x16xbf16>) -> tensor<16x4x4xbf16>
    %499 = stablehlo.dot_general %496, %arg14, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xbf16>, tensor<16x4x4xbf16>) -> tensor<4x8x16xbf16>
    %500 = stablehlo.add %481, %499 : tensor<4x8x16xbf16>
    %501 = stablehlo.multiply %173, %500 : tensor<4x8x16xbf16>
    %cst_70 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %502 = stablehlo.reduce(%501 init: %cst_70) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xbf16>, tensor<bf16>) -> tensor<16xbf16>
    %503 = stablehlo.reshape %502 : (tensor<16xbf16>) -> tensor<1x1x16xbf16>
    %504 = stablehlo.broadcast_in_dim %174, dims = [0, 1, 2] : (tensor<1x1x16xbf16>) -> tensor<4x8x16xbf16>
    %505 = stablehlo.multiply %500, %504 : tensor<4x8x16xbf16>
    %cst_71 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %506 = stablehlo.reduce(%503 init: %cst_71) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xbf16>, tensor<bf16>) -> tensor<16xbf16>
    %507 = stablehlo.convert %505 : (tensor<4x8x16xbf16>) -> tensor<4x8x16xf32>
    %508 = stablehlo.multiply %157, %507 : tensor<4x8x16xf32>
    %cst_72 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %509 = stablehlo.reduce(%508 init: %cst_72) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %510 = stablehlo.reshape %509 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %511 = stablehlo.broadcast_in_dim %167, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %512 = stablehlo.multiply %507, %511 : tensor<4x8x16xf32>
    %513 = stablehlo.multiply %510, %170 : tensor<4x8x1xf32>
    %cst_73 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %514 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %515 = stablehlo.divide %513, %514 : tensor<4x8x1xf32>
    %cst_74 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %516 = stablehlo.reduce(%515 init: %cst_74) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %517 = stablehlo.broadcast_in_dim %516, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %518 = stablehlo.multiply %517, %160 : tensor<4x8x16xf32>
    %519 = stablehlo.add %512, %518 : tensor<4x8x16xf32>
    %520 = stablehlo.convert %519 : (tensor<4x8x16xf32>) -> tensor<4x8x16xbf16>
    %521 = stablehlo.add %426, %520 : tensor<4x8x16xbf16>
    %522 = stablehlo.dot_general %521, %154, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xbf16>, tensor<4x8x32xbf16>) -> tensor<16x32xbf16>
    %523 = stablehlo.transpose %522, dims = [1, 0] : (tensor<16x32xbf16>) -> tensor<32x16xbf16>
    %524 = stablehlo.dot_general %521, %arg1, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xbf16>, tensor<32x16xbf16>) -> tensor<4x8x32xbf16>
    %525 = stablehlo.multiply %152#0, %524 : tensor<4x8x32xbf16>
    %526 = stablehlo.multiply %524, %153 : tensor<4x8x32xbf16>
    %527 = stablehlo.dot_general %525, %150, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xbf16>, tensor<4x8x16xbf16>) -> tensor<32x16xbf16>
    %528 = stablehlo.transpose %527, dims = [1, 0] : (tensor<32x16xbf16>) -> tensor<16x32xbf16>
    %529 = stablehlo.dot_general %525, %arg8, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xbf16>, tensor<16x32xbf16>) -> tensor<4x8x16xbf16>
    %530 = call @silu_1(%152#1, %152#2, %151, %526) : (tensor<4x8x32xbf16>, tensor<4x8x32xbf16>, tensor<4x8x32xbf16>, tensor<4x8x32xbf16>) -> tensor<4x8x32xbf16>
    %531 = stablehlo.dot_general %530, %150, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xbf16>, tensor<4x8x16xbf16>) -> tensor<32x16xbf16>
    %532 = stablehlo.transpose %531, dims = [1, 0] : (tensor<32x16xbf16>) -> tensor<16x32xbf16>
    %533 = stablehlo.dot_general %530, %arg2, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xbf16>, tensor<16x32xbf16>) -> tensor<4x8x16xbf16>
    %534 = stablehlo.add %529, %533 : tensor<4x8x16xbf16>
    %535 = stablehlo.multiply %147, %534 : tensor<4x8x16xbf16>
    %cst_75 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %536 = stablehlo.reduce(%535 init: %cst_75) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xbf16>, tensor<bf16>) -> tensor<16xbf16>
    %537 = stablehlo.reshape %536 : (tensor<16xbf16>) -> tensor<1x1x16xbf16>
    %538 = stablehlo.broadcast_in_dim %148, dims = [0, 1, 2] : (tensor<1x1x16xbf16>) -> tensor<4x8x16xbf16>
    %539 = stablehlo.multiply %534, %538 : tensor<4x8x16xbf16>
    %cst_76 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %540 = stablehlo.reduce(%537 init: %cst_76) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xbf16>, tensor<bf16>) -> tensor<16xbf16>
    %541 = stablehlo.convert %539 : (tensor<4x8x16xbf16>) -> tensor<4x8x16xf32>
    %542 = stablehlo.multiply %131, %541 : tensor<4x8x16xf32>
    %cst_77 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %543 = stablehlo.reduce(%542 init: %cst_77) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %544 = stablehlo.reshape %543 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %545 = stablehlo.broadcast_in_dim %141, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %546 = stablehlo.multiply %541, %545 : tensor<4x8x16xf32>
    %547 = stablehlo.multiply %544, %144 : tensor<4x8x1xf32>
    %cst_78 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %548 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %549 = stablehlo.divide %547, %548 : tensor<4x8x1xf32>
    %cst_79 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %550 = stablehlo.reduce(%549 init: %cst_79) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %551 = stablehlo.broadcast_in_dim %550, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %552 = stablehlo.multiply %551, %134 : tensor<4x8x16xf32>
    %553 = stablehlo.add %546, %552 : tensor<4x8x16xf32>
    %554 = stablehlo.convert %553 : (tensor<4x8x16xf32>) -> tensor<4x8x16xbf16>
    %555 = stablehlo.add %521, %554 : tensor<4x8x16xbf16>
    %556 = stablehlo.dot_general %555, %128, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xbf16>, tensor<4x8x2x2x4xbf16>) -> tensor<16x2x2x4xbf16>
    %557 = stablehlo.transpose %556, dims = [1, 2, 3, 0] : (tensor<16x2x2x4xbf16>) -> tensor<2x2x4x16xbf16>
    %558 = stablehlo.dot_general %555, %arg4, contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xbf16>, tensor<2x2x4x16xbf16>) -> tensor<4x8x2x2x4xbf16>
    %559 = stablehlo.transpose %558, dims = [0, 2, 4, 3, 1] : (tensor<4x8x2x2x4xbf16>) -> tensor<4x2x4x2x8xbf16>
    %560 = stablehlo.dot_general %559, %104, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x2x4x2x8xbf16>, tensor<4x8x2x4xbf16>) -> tensor<4x2x2x8x8xbf16>
    %561 = stablehlo.dot_general %559, %126, batching_dims = [0, 1] x [0, 1], contracting_dims = [3, 4] x [2, 3], precision = [DEFAULT, DEFAULT] : (tensor<4x2x4x2x8xbf16>, tensor<4x2x2x8x8xbf16>) -> tensor<4x2x4x8xbf16>
    %562 = stablehlo.transpose %561, dims = [0, 3, 1, 2] : (tensor<4x2x4x8xbf16>) -> tensor<4x8x2x4xbf16>
    %563 = stablehlo.convert %560 : (tensor<4x2x2x8x8xbf16>) -> tensor<4x2x2x8x8xf32>
    %564 = stablehlo.broadcast_in_dim %125, dims = [0, 1, 2, 3, 4] : (tensor<4x2x2x8x1xf32>) -> tensor<4x2x2x8x8xf32>
    %565 = stablehlo.multiply %563, %564 : tensor<4x2x2x8x8xf32>
    %566 = stablehlo.multiply %565, %118 : tensor<4x2x2x8x8xf32>
    %cst_80 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %567 = stablehlo.reduce(%566 init: %cst_80) applies stablehlo.add across dimensions = [4] : (tensor<4x2x2x8x8xf32>, tensor<f32>) -> tensor<4x2x2x8xf32>
    %568 = stablehlo.reshape %567 : (tensor<4x2x2x8xf32>) -> tensor<4x2x2x8x1xf32>
    %569 = stablehlo.negate %568 : tensor<4x2x2x8x1xf32>
    %570 = stablehlo.broadcast_in_dim %120, dims = [0, 1, 2, 3, 4] : (tensor<4x2x2x8x1xf32>) -> tensor<4x2x2x8x8xf32>
    %571 = stablehlo.divide %563, %570 : tensor<4x2x2x8x8xf32>
    %cst_81 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %572 = stablehlo.reduce(%569 init: %cst_81) applies stablehlo.add across dimensions = [4] : (tensor<4x2x2x8x1xf32>, tensor<f32>) -> tensor<4x2x2x8xf32>
    %573 = stablehlo.broadcast_in_dim %572, dims = [0, 1, 2, 3] : (tensor<4x2x2x8xf32>) -> tensor<4x2x2x8x8xf32>
    %574 = stablehlo.add %571, %573 : tensor<4x2x2x8x8xf32>
    %575 = stablehlo.multiply %574, %118 : tensor<4x2x2x8x8xf32>
    %576 = call @_where_2(%111#1, %575) : (tensor<4x2x2x8x8xi1>, tensor<4x2x2x8x8xf32>) -> tensor<4x2x2x8x8xf32>
    %cst_82 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %577 = stablehlo.broadcast_in_dim %cst_82, dims = [] : (tensor<f32>) -> tensor<4x2x2x8x8xf32>
    %578 = stablehlo.divide %576, %577 : tensor<4x2x2x8x8xf32>
    %579 = stablehlo.transpose %578, dims = [0, 1, 4, 3, 2] : (tensor<4x2x2x8x8xf32>) -> tensor<4x2x8x8x2xf32>
    %580 = stablehlo.convert %579 : tensor<4x2x8x8x2xf32>
    %581 = stablehlo.convert %103 : (tensor<4x8x2x4xbf16>) -> tensor<4x8x2x4xf32>
    %582 = stablehlo.dot_general %580, %581, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x8x2xf32>, tensor<4x8x2x4xf32>) -> tensor<4x2x8x2x4xf32>
    %583 = stablehlo.transpose %582, dims = [0, 2, 1, 3, 4] : (tensor<4x2x8x2x4xf32>) -> tensor<4x8x2x2x4xf32>
    %584 = stablehlo.convert %583 : (tensor<4x8x2x2x4xf32>) -> tensor<4x8x2x2x4xbf16>
    %585 = stablehlo.convert %579 : tensor<4x2x8x8x2xf32>
    %586 = stablehlo.convert %65 : (tensor<4x8x2x2x4xbf16>) -> tensor<4x8x2x2x4xf32>
    %587 = stablehlo.dot_general %585, %586, batching_dims = [0, 1] x [0, 2], contracting_dims = [3, 4] x [1, 3], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x8x2xf32>, tensor<4x8x2x2x4xf32>) -> tensor<4x2x8x4xf32>
    %588 = stablehlo.transpose %587, dims = [0, 2, 1, 3] : (tensor<4x2x8x4xf32>) -> tensor<4x8x2x4xf32>
    %589 = stablehlo.convert %588 : (tensor<4x8x2x4xf32>) -> tensor<4x8x2x4xbf16>
    %590 = stablehlo.dot_general %562, %26, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x2x4xbf16>, tensor<4x8x16xbf16>) -> tensor<2x4x16xbf16>
    %591 = stablehlo.transpose %590, dims = [2, 0, 1] : (tensor<2x4x16xbf16>) -> tensor<16x2x4xbf16>
    %592 = stablehlo.dot_general %562, %arg9, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x2x4xbf16>, tensor<16x2x4xbf16>) -> tensor<4x8x16xbf16>
    %593 = stablehlo.slice %589 [0:4, 0:8, 0:2, 0:2] : (tensor<4x8x2x4xbf16>) -> tensor<4x8x2x2xbf16>
    %594 = stablehlo.slice %589 [0:4, 0:8, 0:2, 2:4] : (tensor<4x8x2x4xbf16>) -> tensor<4x8x2x2xbf16>
    %595 = stablehlo.broadcast_in_dim %99, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xbf16>) -> tensor<4x8x2x2xbf16>
    %596 = stablehlo.multiply %594, %595 : tensor<4x8x2x2xbf16>
    %597 = stablehlo.broadcast_in_dim %96, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xbf16>) -> tensor<4x8x2x2xbf16>
    %598 = stablehlo.multiply %594, %597 : tensor<4x8x2x2xbf16>
    %599 = stablehlo.negate %593 : tensor<4x8x2x2xbf16>
    %600 = stablehlo.broadcast_in_dim %92, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xbf16>) -> tensor<4x8x2x2xbf16>
    %601 = stablehlo.multiply %599, %600 : tensor<4x8x2x2xbf16>
    %602 = stablehlo.add %598, %601 : tensor<4x8x2x2xbf16>
    %603 = stablehlo.broadcast_in_dim %89, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xbf16>) -> tensor<4x8x2x2xbf16>
    %604 = stablehlo.multiply %593, %603 : tensor<4x8x2x2xbf16>
    %605 = stablehlo.add %596, %604 : tensor<4x8x2x2xbf16>
    %606 = stablehlo.concatenate %605, %602, dim = 3 : (tensor<4x8x2x2xbf16>, tensor<4x8x2x2xbf16>) -> tensor<4x8x2x4xbf16>
    %607 = stablehlo.dot_general %606, %26, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x2x4xbf16>, tensor<4x8x16xbf16>) -> tensor<2x4x16xbf16>
    %608 = stablehlo.transpose %607, dims = [2, 0, 1] : (tensor<2x4x16xbf16>) -> tensor<16x2x4xbf16>
    %609 = stablehlo.dot_general %606, %arg3, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x2x4xbf16>, tensor<16x2x4xbf16>) -> tensor<4x8x16xbf16>
    %610 = stablehlo.add %592, %609 : tensor<4x8x16xbf16>
    %611 = stablehlo.reshape %584 : (tensor<4x8x2x2x4xbf16>) -> tensor<4x8x4x4xbf16>
    %612 = stablehlo.slice %611 [0:4, 0:8, 0:4, 0:2] : (tensor<4x8x4x4xbf16>) -> tensor<4x8x4x2xbf16>
    %613 = stablehlo.slice %611 [0:4, 0:8, 0:4, 2:4] : (tensor<4x8x4x4xbf16>) -> tensor<4x8x4x2xbf16>
    %614 = stablehlo.broadcast_in_dim %60, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xbf16>) -> tensor<4x8x4x2xbf16>
    %615 = stablehlo.multiply %613, %614 : tensor<4x8x4x2xbf16>
    %616 = stablehlo.broadcast_in_dim %57, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xbf16>) -> tensor<4x8x4x2xbf16>
    %617 = stablehlo.multiply %613, %616 : tensor<4x8x4x2xbf16>
    %618 = stablehlo.negate %612 : tensor<4x8x4x2xbf16>
    %619 = stablehlo.broadcast_in_dim %53, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xbf16>) -> tensor<4x8x4x2xbf16>
    %620 = stablehlo.multiply %618, %619 : tensor<4x8x4x2xbf16>
    %621 = stablehlo.add %617, %620 : tensor<4x8x4x2xbf16>
    %622 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2, 3] : (tensor<1x8x1x2xbf16>) -> tensor<4x8x4x2xbf16>
    %623 = stablehlo.multiply %612, %622 : tensor<4x8x4x2xbf16>
    %624 = stablehlo.add %615, %623 : tensor<4x8x4x2xbf16>
    %625 = stablehlo.concatenate %624, %621, dim = 3 : (tensor<4x8x4x2xbf16>, tensor<4x8x4x2xbf16>) -> tensor<4x8x4x4xbf16>
    %626 = stablehlo.dot_general %625, %26, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xbf16>, tensor<4x8x16xbf16>) -> tensor<4x4x16xbf16>
    %627 = stablehlo.transpose %626, dims = [2, 0, 1] : (tensor<4x4x16xbf16>) -> tensor<16x4x4xbf16>
    %628 = stablehlo.dot_general %625, %arg5, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xbf16>, tensor<16x4x4xbf16>) -> tensor<4x8x16xbf16>
    %629 = stablehlo.add %610, %628 : tensor<4x8x16xbf16>
    %630 = stablehlo.multiply %23, %629 : tensor<4x8x16xbf16>
    %cst_83 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %631 = stablehlo.reduce(%630 init: %cst_83) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xbf16>, tensor<bf16>) -> tensor<16xbf16>
    %632 = stablehlo.reshape %631 : (tensor<16xbf16>) -> tensor<1x1x16xbf16>
    %633 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2] : (tensor<1x1x16xbf16>) -> tensor<4x8x16xbf16>
    %634 = stablehlo.multiply %629, %633 : tensor<4x8x16xbf16>
    %cst_84 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %635 = stablehlo.reduce(%632 init: %cst_84) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xbf16>, tensor<bf16>) -> tensor<16xbf16>
    %636 = stablehlo.convert %634 : (tensor<4x8x16xbf16>) -> tensor<4x8x16xf32>
    %637 = stablehlo.multiply %7, %636 : tensor<4x8x16xf32>
    %cst_85 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %638 = stablehlo.reduce(%637 init: %cst_85) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %639 = stablehlo.reshape %638 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %640 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %641 = stablehlo.multiply %636, %640 : tensor<4x8x16xf32>
    %642 = stablehlo.multiply %639, %20 : tensor<4x8x1xf32>
    %cst_86 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %643 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %644 = stablehlo.divide %642, %643 : tensor<4x8x1xf32>
    %cst_87 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %645 = stablehlo.reduce(%644 init: %cst_87) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %646 = stablehlo.broadcast_in_dim %645, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %647 = stablehlo.multiply %646, %10 : tensor<4x8x16xf32>
    %648 = stablehlo.add %641, %647 : tensor<4x8x16xf32>
    %649 = stablehlo.convert %648 : (tensor<4x8x16xf32>) -> tensor<4x8x16xbf16>
    %650 = stablehlo.add %555, %649 : tensor<4x8x16xbf16>
    %cst_88 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %651 = stablehlo.broadcast_in_dim %cst_88, dims = [] : (tensor<bf16>) -> tensor<32x16xbf16>
    %652 = "stablehlo.scatter"(%651, %5, %650) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg23: tensor<bf16>, %arg24: tensor<bf16>):
      %779 = stablehlo.add %arg23, %arg24 : tensor<bf16>
      stablehlo.return %779 : tensor<bf16>
    }) : (tensor<32x16xbf16>, tensor<4x8x1xi32>, tensor<4x8x16xbf16>) -> tensor<32x16xbf16>
    %653 = stablehlo.convert %arg0 : (tensor<16x32xbf16>) -> tensor<16x32xf32>
    %654 = stablehlo.convert %368 : (tensor<16x32xbf16>) -> tensor<16x32xf32>
    %cst_89 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %655 = stablehlo.broadcast_in_dim %cst_89, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %656 = stablehlo.multiply %655, %654 : tensor<16x32xf32>
    %657 = stablehlo.subtract %653, %656 : tensor<16x32xf32>
    %658 = stablehlo.convert %657 : (tensor<16x32xf32>) -> tensor<16x32xbf16>
    %659 = stablehlo.convert %arg1 : (tensor<32x16xbf16>) -> tensor<32x16xf32>
    %660 = stablehlo.convert %523 : (tensor<32x16xbf16>) -> tensor<32x16xf32>
    %cst_90 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %661 = stablehlo.broadcast_in_dim %cst_90, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %662 = stablehlo.multiply %661, %660 : tensor<32x16xf32>
    %663 = stablehlo.subtract %659, %662 : tensor<32x16xf32>
    %664 = stablehlo.convert %663 : (tensor<32x16xf32>) -> tensor<32x16xbf16>
    %665 = stablehlo.convert %arg2 : (tensor<16x32xbf16>) -> tensor<16x32xf32>
    %666 = stablehlo.convert %532 : (tensor<16x32xbf16>) -> tensor<16x32xf32>
    %cst_91 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %667 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %668 = stablehlo.multiply %667, %666 : tensor<16x32xf32>
    %669 = stablehlo.subtract %665, %668 : tensor<16x32xf32>
    %670 = stablehlo.convert %669 : (tensor<16x32xf32>) -> tensor<16x32xbf16>
    %671 = stablehlo.convert %arg3 : (tensor<16x2x4xbf16>) -> tensor<16x2x4xf32>
    %672 = stablehlo.convert %608 : (tensor<16x2x4xbf16>) -> tensor<16x2x4xf32>
    %cst_92 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %673 = stablehlo.broadcast_in_dim %cst_92, dims = [] : (tensor<f32>) -> tensor<16x2x4xf32>
    %674 = stablehlo.multiply %673, %672 : tensor<16x2x4xf32>
    %675 = stablehlo.subtract %671, %674 : tensor<16x2x4xf32>
    %676 = stablehlo.convert %675 : (tensor<16x2x4xf32>) -> tensor<16x2x4xbf16>
    %677 = stablehlo.convert %arg4 : (tensor<2x2x4x16xbf16>) -> tensor<2x2x4x16xf32>
    %678 = stablehlo.convert %557 : (tensor<2x2x4x16xbf16>) -> tensor<2x2x4x16xf32>
    %cst_93 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %679 = stablehlo.broadcast_in_dim %cst_93, dims = [] : (tensor<f32>) -> tensor<2x2x4x16xf32>
    %680 = stablehlo.multiply %679, %678 : tensor<2x2x4x16xf32>
    %681 = stablehlo.subtract %677, %680 : tensor<2x2x4x16xf32>
    %682 = stablehlo.convert %681 : (tensor<2x2x4x16xf32>) -> tensor<2x2x4x16xbf16>
    %683 = stablehlo.convert %arg5 : (tensor<16x4x4xbf16>) -> tensor<16x4x4xf32>
    %684 = stablehlo.convert %627 : (tensor<16x4x4xbf16>) -> tensor<16x4x4xf32>
    %cst_94 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %685 = stablehlo.broadcast_in_dim %cst_94, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %686 = stablehlo.multiply %685, %684 : tensor<16x4x4xf32>
    %687 = stablehlo.subtract %683, %686 : tensor<16x4x4xf32>
    %688 = stablehlo.convert %687 : (tensor<16x4x4xf32>) -> tensor<16x4x4xbf16>
    %689 = stablehlo.convert %arg6 : (tensor<16xbf16>) -> tensor<16xf32>
    %690 = stablehlo.convert %635 : (tensor<16xbf16>) -> tensor<16xf32>
    %cst_95 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %691 = stablehlo.broadcast_in_dim %cst_95, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %692 = stablehlo.multiply %691, %690 : tensor<16xf32>
    %693 = stablehlo.subtract %689, %692 : tensor<16xf32>
    %694 = stablehlo.convert %693 : (tensor<16xf32>) -> tensor<16xbf16>
    %695 = stablehlo.convert %arg7 : (tensor<16xbf16>) -> tensor<16xf32>
    %696 = stablehlo.convert %540 : (tensor<16xbf16>) -> tensor<16xf32>
    %cst_96 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %697 = stablehlo.broadcast_in_dim %cst_96, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %698 = stablehlo.multiply %697, %696 : tensor<16xf32>
    %699 = stablehlo.subtract %695, %698 : tensor<16xf32>
    %700 = stablehlo.convert %699 : (tensor<16xf32>) -> tensor<16xbf16>
    %701 = stablehlo.convert %arg8 : (tensor<16x32xbf16>) -> tensor<16x32xf32>
    %702 = stablehlo.convert %528 : (tensor<16x32xbf16>) -> tensor<16x32xf32>
    %cst_97 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %703 = stablehlo.broadcast_in_dim %cst_97, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %704 = stablehlo.multiply %703, %702 : tensor<16x32xf32>
    %705 = stablehlo.subtract %701, %704 : tensor<16x32xf32>
    %706 = stablehlo.convert %705 : (tensor<16x32xf32>) -> tensor<16x32xbf16>
    %707 = stablehlo.convert %arg9 : (tensor<16x2x4xbf16>) -> tensor<16x2x4xf32>
    %708 = stablehlo.convert %591 : (tensor<16x2x4xbf16>) -> tensor<16x2x4xf32>
    %cst_98 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %709 = stablehlo.broadcast_in_dim %cst_98, dims = [] : (tensor<f32>) -> tensor<16x2x4xf32>
    %710 = stablehlo.multiply %709, %708 : tensor<16x2x4xf32>
    %711 = stablehlo.subtract %707, %710 : tensor<16x2x4xf32>
    %712 = stablehlo.convert %711 : (tensor<16x2x4xf32>) -> tensor<16x2x4xbf16>
    %713 = stablehlo.convert %arg10 : (tensor<32x16xbf16>) -> tensor<32x16xf32>
    %714 = stablehlo.convert %394 : (tensor<32x16xbf16>) -> tensor<32x16xf32>
    %cst_99 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %715 = stablehlo.broadcast_in_dim %cst_99, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %716 = stablehlo.multiply %715, %714 : tensor<32x16xf32>
    %717 = stablehlo.subtract %713, %716 : tensor<32x16xf32>
    %718 = stablehlo.convert %717 : (tensor<32x16xf32>) -> tensor<32x16xbf16>
    %719 = stablehlo.convert %arg11 : (tensor<16x32xbf16>) -> tensor<16x32xf32>
    %720 = stablehlo.convert %403 : (tensor<16x32xbf16>) -> tensor<16x32xf32>
    %cst_100 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %721 = stablehlo.broadcast_in_dim %cst_100, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %722 = stablehlo.multiply %721, %720 : tensor<16x32xf32>
    %723 = stablehlo.subtract %719, %722 : tensor<16x32xf32>
    %724 = stablehlo.convert %723 : (tensor<16x32xf32>) -> tensor<16x32xbf16>
    %725 = stablehlo.convert %arg12 : (tensor<16x2x4xbf16>) -> tensor<16x2x4xf32>
    %726 = stablehlo.convert %479 : (tensor<16x2x4xbf16>) -> tensor<16x2x4xf32>
    %cst_101 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %727 = stablehlo.broadcast_in_dim %cst_101, dims = [] : (tensor<f32>) -> tensor<16x2x4xf32>
    %728 = stablehlo.multiply %727, %726 : tensor<16x2x4xf32>
    %729 = stablehlo.subtract %725, %728 : tensor<16x2x4xf32>
    %730 = stablehlo.convert %729 : (tensor<16x2x4xf32>) -> tensor<16x2x4xbf16>
    %731 = stablehlo.convert %arg13 : (tensor<2x2x4x16xbf16>) -> tensor<2x2x4x16xf32>
    %732 = stablehlo.convert %428 : (tensor<2x2x4x16xbf16>) -> tensor<2x2x4x16xf32>
    %cst_102 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %733 = stablehlo.broadcast_in_dim %cst_102, dims = [] : (tensor<f32>) -> tensor<2x2x4x16xf32>
    %734 = stablehlo.multiply %733, %732 : tensor<2x2x4x16xf32>
    %735 = stablehlo.subtract %731, %734 : tensor<2x2x4x16xf32>
    %736 = stablehlo.convert %735 : (tensor<2x2x4x16xf32>) -> tensor<2x2x4x16xbf16>
    %737 = stablehlo.convert %arg14 : (tensor<16x4x4xbf16>) -> tensor<16x4x4xf32>
    %738 = stablehlo.convert %498 : (tensor<16x4x4xbf16>) -> tensor<16x4x4xf32>
    %cst_103 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %739 = stablehlo.broadcast_in_dim %cst_103, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %740 = stablehlo.multiply %739, %738 : tensor<16x4x4xf32>
    %741 = stablehlo.subtract %737, %740 : tensor<16x4x4xf32>
    %742 = stablehlo.convert %741 : (tensor<16x4x4xf32>) -> tensor<16x4x4xbf16>
    %743 = stablehlo.convert %arg15 : (tensor<16xbf16>) -> tensor<16xf32>
    %744 = stablehlo.convert %506 : (tensor<16xbf16>) -> tensor<16xf32>
    %cst_104 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %745 = stablehlo.broadcast_in_dim %cst_104, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %746 = stablehlo.multiply %745, %744 : tensor<16xf32>
    %747 = stablehlo.subtract %743, %746 : tensor<16xf32>
    %748 = stablehlo.convert %747 : (tensor<16xf32>) -> tensor<16xbf16>
    %749 = stablehlo.convert %arg16 : (tensor<16xbf16>) -> tensor<16xf32>
    %750 = stablehlo.convert %411 : (tensor<16xbf16>) -> tensor<16xf32>
    %cst_105 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %751 = stablehlo.broadcast_in_dim %cst_105, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %752 = stablehlo.multiply %751, %750 : tensor<16xf32>
    %753 = stablehlo.subtract %749, %752 : tensor<16xf32>
    %754 = stablehlo.convert %753 : (tensor<16xf32>) -> tensor<16xbf16>
    %755 = stablehlo.convert %arg17 : (tensor<16x32xbf16>) -> tensor<16x32xf32>
    %756 = stablehlo.convert %399 : (tensor<16x32xbf16>) -> tensor<16x32xf32>
    %cst_106 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %757 = stablehlo.broadcast_in_dim %cst_106, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %758 = stablehlo.multiply %757, %756 : tensor<16x32xf32>
    %759 = stablehlo.subtract %755, %758 : tensor<16x32xf32>
    %760 = stablehlo.convert %759 : (tensor<16x32xf32>) -> tensor<16x32xbf16>
    %761 = stablehlo.convert %arg18 : (tensor<16x2x4xbf16>) -> tensor<16x2x4xf32>
    %762 = stablehlo.convert %462 : (tensor<16x2x4xbf16>) -> tensor<16x2x4xf32>
    %cst_107 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %763 = stablehlo.broadcast_in_dim %cst_107, dims = [] : (tensor<f32>) -> tensor<16x2x4xf32>
    %764 = stablehlo.multiply %763, %762 : tensor<16x2x4xf32>
    %765 = stablehlo.subtract %761, %764 : tensor<16x2x4xf32>
    %766 = stablehlo.convert %765 : (tensor<16x2x4xf32>) -> tensor<16x2x4xbf16>
    %767 = stablehlo.convert %arg19 : (tensor<16xbf16>) -> tensor<16xf32>
    %768 = stablehlo.convert %378 : (tensor<16xbf16>) -> tensor<16xf32>
    %cst_108 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %769 = stablehlo.broadcast_in_dim %cst_108, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %770 = stablehlo.multiply %769, %768 : tensor<16xf32>
    %771 = stablehlo.subtract %767, %770 : tensor<16xf32>
    %772 = stablehlo.convert %771 : (tensor<16xf32>) -> tensor<16xbf16>
    %773 = stablehlo.convert %arg20 : (tensor<32x16xbf16>) -> tensor<32x16xf32>
    %774 = stablehlo.convert %652 : (tensor<32x16xbf16>) -> tensor<32x16xf32>
    %cst_109 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %775 = stablehlo.broadcast_in_dim %cst_109, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %776 = stablehlo.multiply %775, %774 : tensor<32x16xf32>
    %777 = stablehlo.subtract %773, %776 : tensor<32x16xf32>
    %778 = stablehlo.convert %777 : (tensor<32x16xf32>) -> tensor<32x16xbf16>
    return %658, %664, %670, %676, %682, %688, %694, %700, %706, %712, %718, %724, %730, %736, %742, %748, %754, %760, %766, %772, %778, %349 : tensor<16x32xbf16>, tensor<32x16xbf16>, tensor<16x32xbf16>, tensor<16x2x4xbf16>, tensor<2x2x4x16xbf16>, tensor<16x4x4xbf16>, tensor<16xbf16>, tensor<16xbf16>, tensor<16x32xbf16>, tensor<16x2x4xbf16>, tensor<32x16xbf16>, tensor<16x32xbf16>, tensor<16x2x4xbf16>, tensor<2x2x4x16xbf16>, tensor<16x4x4xbf16>, tensor<16xbf16>, tensor<16xbf16>, tensor<16x32xbf16>, tensor<16x2x4xbf16>, tensor<16xbf16>, tensor<32x16xbf16>, tensor<f32>
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
  func.func private @_where(%arg0: tensor<8x8xi1>, %arg1: tensor<4x2x2x8x8xf32>, %arg2: tensor<f32>) -> (tensor<4x2x2x8x8xf32>, tensor<4x2x2x8x8xi1>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [3, 4] : (tensor<8x8xi1>) -> tensor<4x2x2x8x8xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x2x2x8x8xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<4x2x2x8x8xi1>, tensor<4x2x2x8x8xf32>
    return %3, %1 : tensor<4x2x2x8x8xf32>, tensor<4x2x2x8x8xi1>
  }
  func.func private @silu(%arg0: tensor<4x8x32xbf16>) -> (tensor<4x8x32xbf16>, tensor<4x8x32xbf16>, tensor<4x8x32xbf16>) {
    %0 = stablehlo.negate %arg0 : tensor<4x8x32xbf16>
    %1 = stablehlo.exponential %0 : tensor<4x8x32xbf16>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<4x8x32xbf16>
    %3 = stablehlo.add %2, %1 : tensor<4x8x32xbf16>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<4x8x32xbf16>
    %5 = stablehlo.divide %4, %3 : tensor<4x8x32xbf16>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<bf16>) -> tensor<4x8x32xbf16>
    %7 = stablehlo.subtract %6, %5 : tensor<4x8x32xbf16>
    %8 = stablehlo.multiply %5, %7 : tensor<4x8x32xbf16>
    %9 = stablehlo.multiply %arg0, %5 : tensor<4x8x32xbf16>
    return %9, %8, %5 : tensor<4x8x32xbf16>, tensor<4x8x32xbf16>, tensor<4x8x32xbf16>
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
  func.func private @take_along_axis_0(%arg0: tensor<4x8x1x1xi32>, %arg1: tensor<4x8x1xf32>) -> tensor<4x8x32xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4x8x32xf32>, tensor<4x8x1x1xi32>, tensor<4x8x1xf32>) -> tensor<4x8x32xf32>
    return %1 : tensor<4x8x32xf32>
  }
  func.func private @silu_1(%arg0: tensor<4x8x32xbf16>, %arg1: tensor<4x8x32xbf16>, %arg2: tensor<4x8x32xbf16>, %arg3: tensor<4x8x32xbf16>) -> tensor<4x8x32xbf16> {
    %0 = stablehlo.multiply %arg2, %arg3 : tensor<4x8x32xbf16>
    %1 = stablehlo.multiply %arg3, %arg1 : tensor<4x8x32xbf16>
    %2 = stablehlo.multiply %0, %arg0 : tensor<4x8x32xbf16>
    %3 = stablehlo.add %1, %2 : tensor<4x8x32xbf16>
    return %3 : tensor<4x8x32xbf16>
  }
  func.func private @_where_2(%arg0: tensor<4x2x2x8x8xi1>, %arg1: tensor<4x2x2x8x8xf32>) -> tensor<4x2x2x8x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x2x2x8x8xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<4x2x2x8x8xi1>, tensor<4x2x2x8x8xf32>
    return %1 : tensor<4x2x2x8x8xf32>
  }
}
