module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<16xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<4x1x16xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<16xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<2x16xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<8x32xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<16x4xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<16x8xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<16x10xf32> {tf.aliasing_output = 8 : i32}, %arg9: tensor<16xf32> {tf.aliasing_output = 9 : i32}, %arg10: tensor<16xf32> {tf.aliasing_output = 10 : i32}, %arg11: tensor<4x1x16xf32> {tf.aliasing_output = 11 : i32}, %arg12: tensor<16xf32> {tf.aliasing_output = 12 : i32}, %arg13: tensor<2x16xf32> {tf.aliasing_output = 13 : i32}, %arg14: tensor<8x32xf32> {tf.aliasing_output = 14 : i32}, %arg15: tensor<16x4xf32> {tf.aliasing_output = 15 : i32}, %arg16: tensor<16x8xf32> {tf.aliasing_output = 16 : i32}, %arg17: tensor<16x10xf32> {tf.aliasing_output = 17 : i32}, %arg18: tensor<32x8xf32> {tf.aliasing_output = 18 : i32}, %arg19: tensor<4x8xi32>, %arg20: tensor<4x8xi32>) -> (tensor<16xf32> {jax.result_info = "result[0]['layers'][0]['b_conv']"}, tensor<16xf32> {jax.result_info = "result[0]['layers'][0]['b_delta']"}, tensor<4x1x16xf32> {jax.result_info = "result[0]['layers'][0]['conv']"}, tensor<16xf32> {jax.result_info = "result[0]['layers'][0]['d']"}, tensor<2x16xf32> {jax.result_info = "result[0]['layers'][0]['delta']"}, tensor<8x32xf32> {jax.result_info = "result[0]['layers'][0]['in']"}, tensor<16x4xf32> {jax.result_info = "result[0]['layers'][0]['log_a']"}, tensor<16x8xf32> {jax.result_info = "result[0]['layers'][0]['out']"}, tensor<16x10xf32> {jax.result_info = "result[0]['layers'][0]['select']"}, tensor<16xf32> {jax.result_info = "result[0]['layers'][1]['b_conv']"}, tensor<16xf32> {jax.result_info = "result[0]['layers'][1]['b_delta']"}, tensor<4x1x16xf32> {jax.result_info = "result[0]['layers'][1]['conv']"}, tensor<16xf32> {jax.result_info = "result[0]['layers'][1]['d']"}, tensor<2x16xf32> {jax.result_info = "result[0]['layers'][1]['delta']"}, tensor<8x32xf32> {jax.result_info = "result[0]['layers'][1]['in']"}, tensor<16x4xf32> {jax.result_info = "result[0]['layers'][1]['log_a']"}, tensor<16x8xf32> {jax.result_info = "result[0]['layers'][1]['out']"}, tensor<16x10xf32> {jax.result_info = "result[0]['layers'][1]['select']"}, tensor<32x8xf32> {jax.result_info = "result[0]['wte']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x8xi32>
    %1 = stablehlo.compare LT, %arg19, %0, SIGNED : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi1>
    %c_0 = stablehlo.constant dense<32> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x8xi32>
    %3 = stablehlo.add %arg19, %2 : tensor<4x8xi32>
    %4 = stablehlo.select %1, %3, %arg19 : tensor<4x8xi1>, tensor<4x8xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<4x8xi32>) -> tensor<4x8x1xi32>
    %6 = "stablehlo.gather"(%arg18, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<32x8xf32>, tensor<4x8x1xi32>) -> tensor<4x8x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x8x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_1 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<4x8x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x8xf32>
    %12 = stablehlo.subtract %6, %11 : tensor<4x8x8xf32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %13:4 = call @_var(%6, %c_2) : (tensor<4x8x8xf32>, tensor<i32>) -> (tensor<4x8x1xf32>, tensor<4x8x8xf32>, tensor<f32>, tensor<i1>)
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %15 = stablehlo.add %13#0, %14 : tensor<4x8x1xf32>
    %16 = stablehlo.rsqrt %15 : tensor<4x8x1xf32>
    %17 = stablehlo.divide %16, %15 : tensor<4x8x1xf32>
    %cst_4 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %19 = stablehlo.multiply %18, %17 : tensor<4x8x1xf32>
    %20 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x8xf32>
    %21 = stablehlo.multiply %12, %20 : tensor<4x8x8xf32>
    %22 = stablehlo.dot_general %21, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8xf32>, tensor<8x32xf32>) -> tensor<4x8x32xf32>
    %23 = stablehlo.slice %22 [0:4, 0:8, 0:16] : (tensor<4x8x32xf32>) -> tensor<4x8x16xf32>
    %24 = stablehlo.slice %22 [0:4, 0:8, 16:32] : (tensor<4x8x32xf32>) -> tensor<4x8x16xf32>
    %25 = stablehlo.convolution(%23, %arg2) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[3, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 16 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x16xf32>, tensor<4x1x16xf32>) -> tensor<4x8x16xf32>
    %26 = stablehlo.broadcast_in_dim %arg0, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %28 = stablehlo.add %25, %27 : tensor<4x8x16xf32>
    %29:3 = call @silu(%28) : (tensor<4x8x16xf32>) -> (tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>)
    %30 = stablehlo.dot_general %29#0, %arg8, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x10xf32>) -> tensor<4x8x10xf32>
    %31 = stablehlo.slice %30 [0:4, 0:8, 0:2] : (tensor<4x8x10xf32>) -> tensor<4x8x2xf32>
    %32 = stablehlo.slice %30 [0:4, 0:8, 2:6] : (tensor<4x8x10xf32>) -> tensor<4x8x4xf32>
    %33 = stablehlo.slice %30 [0:4, 0:8, 6:10] : (tensor<4x8x10xf32>) -> tensor<4x8x4xf32>
    %34 = stablehlo.dot_general %31, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x2xf32>, tensor<2x16xf32>) -> tensor<4x8x16xf32>
    %35 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %37 = stablehlo.add %34, %36 : tensor<4x8x16xf32>
    %38:2 = call @softplus(%37) : (tensor<4x8x16xf32>) -> (tensor<4x8x16xf32>, tensor<4x8x16xf32>)
    %39 = stablehlo.broadcast_in_dim %38#0, dims = [0, 1, 2] : (tensor<4x8x16xf32>) -> tensor<4x8x16x1xf32>
    %40 = stablehlo.negate %39 : tensor<4x8x16x1xf32>
    %41 = stablehlo.exponential %arg6 : tensor<16x4xf32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [2, 3] : (tensor<16x4xf32>) -> tensor<1x1x16x4xf32>
    %43 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2, 3] : (tensor<4x8x16x1xf32>) -> tensor<4x8x16x4xf32>
    %44 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2, 3] : (tensor<1x1x16x4xf32>) -> tensor<4x8x16x4xf32>
    %45 = stablehlo.multiply %43, %44 : tensor<4x8x16x4xf32>
    %46 = stablehlo.exponential %45 : tensor<4x8x16x4xf32>
    %47 = stablehlo.multiply %38#0, %29#0 : tensor<4x8x16xf32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [0, 1, 2] : (tensor<4x8x16xf32>) -> tensor<4x8x16x1xf32>
    %49 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 3] : (tensor<4x8x4xf32>) -> tensor<4x8x1x4xf32>
    %50 = stablehlo.broadcast_in_dim %48, dims = [0, 1, 2, 3] : (tensor<4x8x16x1xf32>) -> tensor<4x8x16x4xf32>
    %51 = stablehlo.broadcast_in_dim %49, dims = [0, 1, 2, 3] : (tensor<4x8x1x4xf32>) -> tensor<4x8x16x4xf32>
    %52 = stablehlo.multiply %50, %51 : tensor<4x8x16x4xf32>
    %53 = stablehlo.slice %46 [0:4, 0:7:2, 0:16, 0:4] : (tensor<4x8x16x4xf32>) -> tensor<4x4x16x4xf32>
    %54 = stablehlo.slice %52 [0:4, 0:7:2, 0:16, 0:4] : (tensor<4x8x16x4xf32>) -> tensor<4x4x16x4xf32>
    %55 = stablehlo.slice %46 [0:4, 1:8:2, 0:16, 0:4] : (tensor<4x8x16x4xf32>) -> tensor<4x4x16x4xf32>
    %56 = stablehlo.slice %52 [0:4, 1:8:2, 0:16, 0:4] : (tensor<4x8x16x4xf32>) -> tensor<4x4x16x4xf32>
    %57 = stablehlo.multiply %53, %55 : tensor<4x4x16x4xf32>
    %58 = stablehlo.multiply %55, %54 : tensor<4x4x16x4xf32>
    %59 = stablehlo.add %58, %56 : tensor<4x4x16x4xf32>
    %60 = stablehlo.slice %57 [0:4, 0:3:2, 0:16, 0:4] : (tensor<4x4x16x4xf32>) -> tensor<4x2x16x4xf32>
    %61 = stablehlo.slice %59 [0:4, 0:3:2, 0:16, 0:4] : (tensor<4x4x16x4xf32>) -> tensor<4x2x16x4xf32>
    %62 = stablehlo.slice %57 [0:4, 1:4:2, 0:16, 0:4] : (tensor<4x4x16x4xf32>) -> tensor<4x2x16x4xf32>
    %63 = stablehlo.slice %59 [0:4, 1:4:2, 0:16, 0:4] : (tensor<4x4x16x4xf32>) -> tensor<4x2x16x4xf32>
    %64 = stablehlo.multiply %60, %62 : tensor<4x2x16x4xf32>
    %65 = stablehlo.multiply %62, %61 : tensor<4x2x16x4xf32>
    %66 = stablehlo.add %65, %63 : tensor<4x2x16x4xf32>
    %67 = stablehlo.slice %66 [0:4, 0:1:2, 0:16, 0:4] : (tensor<4x2x16x4xf32>) -> tensor<4x1x16x4xf32>
    %68 = stablehlo.slice %64 [0:4, 1:2:2, 0:16, 0:4] : (tensor<4x2x16x4xf32>) -> tensor<4x1x16x4xf32>
    %69 = stablehlo.slice %66 [0:4, 1:2:2, 0:16, 0:4] : (tensor<4x2x16x4xf32>) -> tensor<4x1x16x4xf32>
    %70 = stablehlo.multiply %68, %67 : tensor<4x1x16x4xf32>
    %71 = stablehlo.add %70, %69 : tensor<4x1x16x4xf32>
    %72 = stablehlo.slice %71 [0:4, 0:0, 0:16, 0:4] : (tensor<4x1x16x4xf32>) -> tensor<4x0x16x4xf32>
    %73 = stablehlo.slice %64 [0:4, 2:2:2, 0:16, 0:4] : (tensor<4x2x16x4xf32>) -> tensor<4x0x16x4xf32>
    %74 = stablehlo.slice %66 [0:4, 2:2:2, 0:16, 0:4] : (tensor<4x2x16x4xf32>) -> tensor<4x0x16x4xf32>
    %75 = stablehlo.multiply %73, %72 : tensor<4x0x16x4xf32>
    %76 = stablehlo.add %75, %74 : tensor<4x0x16x4xf32>
    %77 = stablehlo.slice %66 [0:4, 0:1, 0:16, 0:4] : (tensor<4x2x16x4xf32>) -> tensor<4x1x16x4xf32>
    %78 = stablehlo.concatenate %77, %76, dim = 1 : (tensor<4x1x16x4xf32>, tensor<4x0x16x4xf32>) -> tensor<4x1x16x4xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %79 = stablehlo.pad %78, %cst_5, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x1x16x4xf32>, tensor<f32>) -> tensor<4x2x16x4xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %80 = stablehlo.pad %71, %cst_6, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x1x16x4xf32>, tensor<f32>) -> tensor<4x2x16x4xf32>
    %81 = stablehlo.add %79, %80 : tensor<4x2x16x4xf32>
    %82 = stablehlo.slice %81 [0:4, 0:1, 0:16, 0:4] : (tensor<4x2x16x4xf32>) -> tensor<4x1x16x4xf32>
    %83 = stablehlo.slice %57 [0:4, 2:4:2, 0:16, 0:4] : (tensor<4x4x16x4xf32>) -> tensor<4x1x16x4xf32>
    %84 = stablehlo.slice %59 [0:4, 2:4:2, 0:16, 0:4] : (tensor<4x4x16x4xf32>) -> tensor<4x1x16x4xf32>
    %85 = stablehlo.multiply %83, %82 : tensor<4x1x16x4xf32>
    %86 = stablehlo.add %85, %84 : tensor<4x1x16x4xf32>
    %87 = stablehlo.slice %59 [0:4, 0:1, 0:16, 0:4] : (tensor<4x4x16x4xf32>) -> tensor<4x1x16x4xf32>
    %88 = stablehlo.concatenate %87, %86, dim = 1 : (tensor<4x1x16x4xf32>, tensor<4x1x16x4xf32>) -> tensor<4x2x16x4xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %89 = stablehlo.pad %88, %cst_7, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x2x16x4xf32>, tensor<f32>) -> tensor<4x4x16x4xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %90 = stablehlo.pad %81, %cst_8, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x2x16x4xf32>, tensor<f32>) -> tensor<4x4x16x4xf32>
    %91 = stablehlo.add %89, %90 : tensor<4x4x16x4xf32>
    %92 = stablehlo.slice %91 [0:4, 0:3, 0:16, 0:4] : (tensor<4x4x16x4xf32>) -> tensor<4x3x16x4xf32>
    %93 = stablehlo.slice %46 [0:4, 2:8:2, 0:16, 0:4] : (tensor<4x8x16x4xf32>) -> tensor<4x3x16x4xf32>
    %94 = stablehlo.slice %52 [0:4, 2:8:2, 0:16, 0:4] : (tensor<4x8x16x4xf32>) -> tensor<4x3x16x4xf32>
    %95 = stablehlo.multiply %93, %92 : tensor<4x3x16x4xf32>
    %96 = stablehlo.add %95, %94 : tensor<4x3x16x4xf32>
    %97 = stablehlo.slice %52 [0:4, 0:1, 0:16, 0:4] : (tensor<4x8x16x4xf32>) -> tensor<4x1x16x4xf32>
    %98 = stablehlo.concatenate %97, %96, dim = 1 : (tensor<4x1x16x4xf32>, tensor<4x3x16x4xf32>) -> tensor<4x4x16x4xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %99 = stablehlo.pad %98, %cst_9, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x4x16x4xf32>, tensor<f32>) -> tensor<4x8x16x4xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %100 = stablehlo.pad %91, %cst_10, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x4x16x4xf32>, tensor<f32>) -> tensor<4x8x16x4xf32>
    %101 = stablehlo.add %99, %100 : tensor<4x8x16x4xf32>
    %102 = stablehlo.dot_general %101, %33, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16x4xf32>, tensor<4x8x4xf32>) -> tensor<4x8x16xf32>
    %103 = stablehlo.broadcast_in_dim %arg3, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %104 = stablehlo.broadcast_in_dim %103, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %105 = stablehlo.multiply %104, %29#0 : tensor<4x8x16xf32>
    %106 = stablehlo.add %102, %105 : tensor<4x8x16xf32>
    %107:3 = call @silu(%24) : (tensor<4x8x16xf32>) -> (tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>)
    %108 = stablehlo.multiply %106, %107#0 : tensor<4x8x16xf32>
    %109 = stablehlo.dot_general %108, %arg7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x8xf32>) -> tensor<4x8x8xf32>
    %110 = stablehlo.add %6, %109 : tensor<4x8x8xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %111 = stablehlo.reduce(%110 init: %cst_11) applies stablehlo.add across dimensions = [2] : (tensor<4x8x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %112 = stablehlo.broadcast_in_dim %111, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_12 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %113 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %114 = stablehlo.divide %112, %113 : tensor<4x8x1xf32>
    %115 = stablehlo.broadcast_in_dim %114, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x8xf32>
    %116 = stablehlo.subtract %110, %115 : tensor<4x8x8xf32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %117:4 = call @_var(%110, %c_13) : (tensor<4x8x8xf32>, tensor<i32>) -> (tensor<4x8x1xf32>, tensor<4x8x8xf32>, tensor<f32>, tensor<i1>)
    %cst_14 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %118 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %119 = stablehlo.add %117#0, %118 : tensor<4x8x1xf32>
    %120 = stablehlo.rsqrt %119 : tensor<4x8x1xf32>
    %121 = stablehlo.divide %120, %119 : tensor<4x8x1xf32>
    %cst_15 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %122 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %123 = stablehlo.multiply %122, %121 : tensor<4x8x1xf32>
    %124 = stablehlo.broadcast_in_dim %120, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x8xf32>
    %125 = stablehlo.multiply %116, %124 : tensor<4x8x8xf32>
    %126 = stablehlo.dot_general %125, %arg14, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8xf32>, tensor<8x32xf32>) -> tensor<4x8x32xf32>
    %127 = stablehlo.slice %126 [0:4, 0:8, 0:16] : (tensor<4x8x32xf32>) -> tensor<4x8x16xf32>
    %128 = stablehlo.slice %126 [0:4, 0:8, 16:32] : (tensor<4x8x32xf32>) -> tensor<4x8x16xf32>
    %129 = stablehlo.convolution(%127, %arg11) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[3, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 16 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x16xf32>, tensor<4x1x16xf32>) -> tensor<4x8x16xf32>
    %130 = stablehlo.broadcast_in_dim %arg9, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %131 = stablehlo.broadcast_in_dim %130, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %132 = stablehlo.add %129, %131 : tensor<4x8x16xf32>
    %133:3 = call @silu(%132) : (tensor<4x8x16xf32>) -> (tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>)
    %134 = stablehlo.dot_general %133#0, %arg17, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x10xf32>) -> tensor<4x8x10xf32>
    %135 = stablehlo.slice %134 [0:4, 0:8, 0:2] : (tensor<4x8x10xf32>) -> tensor<4x8x2xf32>
    %136 = stablehlo.slice %134 [0:4, 0:8, 2:6] : (tensor<4x8x10xf32>) -> tensor<4x8x4xf32>
    %137 = stablehlo.slice %134 [0:4, 0:8, 6:10] : (tensor<4x8x10xf32>) -> tensor<4x8x4xf32>
    %138 = stablehlo.dot_general %135, %arg13, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x2xf32>, tensor<2x16xf32>) -> tensor<4x8x16xf32>
    %139 = stablehlo.broadcast_in_dim %arg10, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %140 = stablehlo.broadcast_in_dim %139, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %141 = stablehlo.add %138, %140 : tensor<4x8x16xf32>
    %142:2 = call @softplus(%141) : (tensor<4x8x16xf32>) -> (tensor<4x8x16xf32>, tensor<4x8x16xf32>)
    %143 = stablehlo.broadcast_in_dim %142#0, dims = [0, 1, 2] : (tensor<4x8x16xf32>) -> tensor<4x8x16x1xf32>
    %144 = stablehlo.negate %143 : tensor<4x8x16x1xf32>
    %145 = stablehlo.exponential %arg15 : tensor<16x4xf32>
    %146 = stablehlo.broadcast_in_dim %145, dims = [2, 3] : (tensor<16x4xf32>) -> tensor<1x1x16x4xf32>
    %147 = stablehlo.broadcast_in_dim %144, dims = [0, 1, 2, 3] : (tensor<4x8x16x1xf32>) -> tensor<4x8x16x4xf32>
    %148 = stablehlo.broadcast_in_dim %146, dims = [0, 1, 2, 3] : (tensor<1x1x16x4xf32>) -> tensor<4x8x16x4xf32>
    %149 = stablehlo.multiply %147, %148 : tensor<4x8x16x4xf32>
    %150 = stablehlo.exponential %149 : tensor<4x8x16x4xf32>
    %151 = stablehlo.multiply %142#0, %133#0 : tensor<4x8x16xf32>
    %152 = stablehlo.broadcast_in_dim %151, dims = [0, 1, 2] : (tensor<4x8x16xf32>) -> tensor<4x8x16x1xf32>
    %153 = stablehlo.broadcast_in_dim %136, dims = [0, 1, 3] : (tensor<4x8x4xf32>) -> tensor<4x8x1x4xf32>
    %154 = stablehlo.broadcast_in_dim %152, dims = [0, 1, 2, 3] : (tensor<4x8x16x1xf32>) -> tensor<4x8x16x4xf32>
    %155 = stablehlo.broadcast_in_dim %153, dims = [0, 1, 2, 3] : (tensor<4x8x1x4xf32>) -> tensor<4x8x16x4xf32>
    %156 = stablehlo.multiply %154, %155 : tensor<4x8x16x4xf32>
    %157 = stablehlo.slice %150 [0:4, 0:7:2, 0:16, 0:4] : (tensor<4x8x16x4xf32>) -> tensor<4x4x16x4xf32>
    %158 = stablehlo.slice %156 [0:4, 0:7:2, 0:16, 0:4] : (tensor<4x8x16x4xf32>) -> tensor<4x4x16x4xf32>
    %159 = stablehlo.slice %150 [0:4, 1:8:2, 0:16, 0:4] : (tensor<4x8x16x4xf32>) -> tensor<4x4x16x4xf32>
    %160 = stablehlo.slice %156 [0:4, 1:8:2, 0:16, 0:4] : (tensor<4x8x16x4xf32>) -> tensor<4x4x16x4xf32>
    %161 = stablehlo.multiply %157, %159 : tensor<4x4x16x4xf32>
    %162 = stablehlo.multiply %159, %158 : tensor<4x4x16x4xf32>
    %163 = stablehlo.add %162, %160 : tensor<4x4x16x4xf32>
    %164 = stablehlo.slice %161 [0:4, 0:3:2, 0:16, 0:4] : (tensor<4x4x16x4xf32>) -> tensor<4x2x16x4xf32>
    %165 = stablehlo.slice %163 [0:4, 0:3:2, 0:16, 0:4] : (tensor<4x4x16x4xf32>) -> tensor<4x2x16x4xf32>
    %166 = stablehlo.slice %161 [0:4, 1:4:2, 0:16, 0:4] : (tensor<4x4x16x4xf32>) -> tensor<4x2x16x4xf32>
    %167 = stablehlo.slice %163 [0:4, 1:4:2, 0:16, 0:4] : (tensor<4x4x16x4xf32>) -> tensor<4x2x16x4xf32>
    %168 = stablehlo.multiply %164, %166 : tensor<4x2x16x4xf32>
    %169 = stablehlo.multiply %166, %165 : tensor<4x2x16x4xf32>
    %170 = stablehlo.add %169, %167 : tensor<4x2x16x4xf32>
    %171 = stablehlo.slice %170 [0:4, 0:1:2, 0:16, 0:4] : (tensor<4x2x16x4xf32>) -> tensor<4x1x16x4xf32>
    %172 = stablehlo.slice %168 [0:4, 1:2:2, 0:16, 0:4] : (tensor<4x2x16x4xf32>) -> tensor<4x1x16x4xf32>
    %173 = stablehlo.slice %170 [0:4, 1:2:2, 0:16, 0:4] : (tensor<4x2x16x4xf32>) -> tensor<4x1x16x4xf32>
    %174 = stablehlo.multiply %172, %171 : tensor<4x1x16x4xf32>
    %175 = stablehlo.add %174, %173 : tensor<4x1x16x4xf32>
    %176 = stablehlo.slice %175 [0:4, 0:0, 0:16, 0:4] : (tensor<4x1x16x4xf32>) -> tensor<4x0x16x4xf32>
    %177 = stablehlo.slice %168 [0:4, 2:2:2, 0:16, 0:4] : (tensor<4x2x16x4xf32>) -> tensor<4x0x16x4xf32>
    %178 = stablehlo.slice %170 [0:4, 2:2:2, 0:16, 0:4] : (tensor<4x2x16x4xf32>) -> tensor<4x0x16x4xf32>
    %179 = stablehlo.multiply %177, %176 : tensor<4x0x16x4xf32>
    %180 = stablehlo.add %179, %178 : tensor<4x0x16x4xf32>
    %181 = stablehlo.slice %170 [0:4, 0:1, 0:16, 0:4] : (tensor<4x2x16x4xf32>) -> tensor<4x1x16x4xf32>
    %182 = stablehlo.concatenate %181, %180, dim = 1 : (tensor<4x1x16x4xf32>, tensor<4x0x16x4xf32>) -> tensor<4x1x16x4xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %183 = stablehlo.pad %182, %cst_16, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x1x16x4xf32>, tensor<f32>) -> tensor<4x2x16x4xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %184 = stablehlo.pad %175, %cst_17, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x1x16x4xf32>, tensor<f32>) -> tensor<4x2x16x4xf32>
    %185 = stablehlo.add %183, %184 : tensor<4x2x16x4xf32>
    %186 = stablehlo.slice %185 [0:4, 0:1, 0:16, 0:4] : (tensor<4x2x16x4xf32>) -> tensor<4x1x16x4xf32>
    %187 = stablehlo.slice %161 [0:4, 2:4:2, 0:16, 0:4] : (tensor<4x4x16x4xf32>) -> tensor<4x1x16x4xf32>
    %188 = stablehlo.slice %163 [0:4, 2:4:2, 0:16, 0:4] : (tensor<4x4x16x4xf32>) -> tensor<4x1x16x4xf32>
    %189 = stablehlo.multiply %187, %186 : tensor<4x1x16x4xf32>
    %190 = stablehlo.add %189, %188 : tensor<4x1x16x4xf32>
    %191 = stablehlo.slice %163 [0:4, 0:1, 0:16, 0:4] : (tensor<4x4x16x4xf32>) -> tensor<4x1x16x4xf32>
    %192 = stablehlo.concatenate %191, %190, dim = 1 : (tensor<4x1x16x4xf32>, tensor<4x1x16x4xf32>) -> tensor<4x2x16x4xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %193 = stablehlo.pad %192, %cst_18, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x2x16x4xf32>, tensor<f32>) -> tensor<4x4x16x4xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %194 = stablehlo.pad %185, %cst_19, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x2x16x4xf32>, tensor<f32>) -> tensor<4x4x16x4xf32>
    %195 = stablehlo.add %193, %194 : tensor<4x4x16x4xf32>
    %196 = stablehlo.slice %195 [0:4, 0:3, 0:16, 0:4] : (tensor<4x4x16x4xf32>) -> tensor<4x3x16x4xf32>
    %197 = stablehlo.slice %150 [0:4, 2:8:2, 0:16, 0:4] : (tensor<4x8x16x4xf32>) -> tensor<4x3x16x4xf32>
    %198 = stablehlo.slice %156 [0:4, 2:8:2, 0:16, 0:4] : (tensor<4x8x16x4xf32>) -> tensor<4x3x16x4xf32>
    %199 = stablehlo.multiply %197, %196 : tensor<4x3x16x4xf32>
    %200 = stablehlo.add %199, %198 : tensor<4x3x16x4xf32>
    %201 = stablehlo.slice %156 [0:4, 0:1, 0:16, 0:4] : (tensor<4x8x16x4xf32>) -> tensor<4x1x16x4xf32>
    %202 = stablehlo.concatenate %201, %200, dim = 1 : (tensor<4x1x16x4xf32>, tensor<4x3x16x4xf32>) -> tensor<4x4x16x4xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %203 = stablehlo.pad %202, %cst_20, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x4x16x4xf32>, tensor<f32>) -> tensor<4x8x16x4xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %204 = stablehlo.pad %195, %cst_21, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x4x16x4xf32>, tensor<f32>) -> tensor<4x8x16x4xf32>
    %205 = stablehlo.add %203, %204 : tensor<4x8x16x4xf32>
    %206 = stablehlo.dot_general %205, %137, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16x4xf32>, tensor<4x8x4xf32>) -> tensor<4x8x16xf32>
    %207 = stablehlo.broadcast_in_dim %arg12, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %208 = stablehlo.broadcast_in_dim %207, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %209 = stablehlo.multiply %208, %133#0 : tensor<4x8x16xf32>
    %210 = stablehlo.add %206, %209 : tensor<4x8x16xf32>
    %211:3 = call @silu(%128) : (tensor<4x8x16xf32>) -> (tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>)
    %212 = stablehlo.multiply %210, %211#0 : tensor<4x8x16xf32>
    %213 = stablehlo.dot_general %212, %arg16, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x8xf32>) -> tensor<4x8x8xf32>
    %214 = stablehlo.add %110, %213 : tensor<4x8x8xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %215 = stablehlo.reduce(%214 init: %cst_22) applies stablehlo.add across dimensions = [2] : (tensor<4x8x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %216 = stablehlo.broadcast_in_dim %215, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_23 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %217 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %218 = stablehlo.divide %216, %217 : tensor<4x8x1xf32>
    %219 = stablehlo.broadcast_in_dim %218, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x8xf32>
    %220 = stablehlo.subtract %214, %219 : tensor<4x8x8xf32>
    %c_24 = stablehlo.constant dense<0> : tensor<i32>
    %221:4 = call @_var(%214, %c_24) : (tensor<4x8x8xf32>, tensor<i32>) -> (tensor<4x8x1xf32>, tensor<4x8x8xf32>, tensor<f32>, tensor<i1>)
    %cst_25 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %222 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %223 = stablehlo.add %221#0, %222 : tensor<4x8x1xf32>
    %224 = stablehlo.rsqrt %223 : tensor<4x8x1xf32>
    %225 = stablehlo.divide %224, %223 : tensor<4x8x1xf32>
    %cst_26 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %226 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %227 = stablehlo.multiply %226, %225 : tensor<4x8x1xf32>
    %228 = stablehlo.broadcast_in_dim %224, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x8xf32>
    %229 = stablehlo.multiply %220, %228 : tensor<4x8x8xf32>
    %230 = stablehlo.transpose %arg18, dims = [1, 0] : (tensor<32x8xf32>) -> tensor<8x32xf32>
    %231 = stablehlo.dot_general %229, %230, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8xf32>, tensor<8x32xf32>) -> tensor<4x8x32xf32>
    %cst_27 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %232 = stablehlo.reduce(%231 init: %cst_27) applies stablehlo.maximum across dimensions = [2] : (tensor<4x8x32xf32>, tensor<f32>) -> tensor<4x8xf32>
    %cst_28 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %233 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %234 = stablehlo.maximum %233, %232 : tensor<4x8xf32>
    %235 = stablehlo.is_finite %234 : (tensor<4x8xf32>) -> tensor<4x8xi1>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %236 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %237 = stablehlo.select %235, %234, %236 : tensor<4x8xi1>, tensor<4x8xf32>
    %238 = stablehlo.broadcast_in_dim %237, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %239 = stablehlo.broadcast_in_dim %238, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x32xf32>
    %240 = stablehlo.subtract %231, %239 : tensor<4x8x32xf32>
    %241 = stablehlo.exponential %240 : tensor<4x8x32xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %242 = stablehlo.reduce(%241 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<4x8x32xf32>, tensor<f32>) -> tensor<4x8xf32>
    %243 = stablehlo.abs %242 : tensor<4x8xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %244 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %245 = stablehlo.compare GE, %242, %244, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %246 = stablehlo.log %243 : tensor<4x8xf32>
    %247 = stablehlo.add %246, %237 : tensor<4x8xf32>
    %248 = stablehlo.broadcast_in_dim %arg20, dims = [0, 1] : (tensor<4x8xi32>) -> tensor<4x8x1xi32>
    %249:2 = call @take_along_axis(%231, %248) : (tensor<4x8x32xf32>, tensor<4x8x1xi32>) -> (tensor<4x8x1xf32>, tensor<4x8x1x1xi32>)
    %250 = stablehlo.reshape %249#0 : (tensor<4x8x1xf32>) -> tensor<4x8xf32>
    %251 = stablehlo.subtract %247, %250 : tensor<4x8xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %252 = stablehlo.reduce(%251 init: %cst_32) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_33 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %253 = stablehlo.divide %252, %cst_33 : tensor<f32>
    %cst_34 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_35 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %254 = stablehlo.divide %cst_34, %cst_35 : tensor<f32>
    %255 = stablehlo.broadcast_in_dim %254, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %256 = stablehlo.negate %255 : tensor<4x8xf32>
    %257 = stablehlo.broadcast_in_dim %256, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %258 = call @take_along_axis_0(%249#1, %257) : (tensor<4x8x1x1xi32>, tensor<4x8x1xf32>) -> tensor<4x8x32xf32>
    %259 = stablehlo.divide %255, %243 : tensor<4x8xf32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %260 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %261 = stablehlo.select %245, %260, %259 : tensor<4x8xi1>, tensor<4x8xf32>
    %262 = stablehlo.select %245, %259, %260 : tensor<4x8xi1>, tensor<4x8xf32>
    %263 = stablehlo.negate %261 : tensor<4x8xf32>
    %264 = stablehlo.add %262, %263 : tensor<4x8xf32>
    %265 = stablehlo.broadcast_in_dim %264, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x32xf32>
    %266 = stablehlo.multiply %265, %241 : tensor<4x8x32xf32>
    %267 = stablehlo.add %258, %266 : tensor<4x8x32xf32>
    %268 = stablehlo.dot_general %267, %229, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<4x8x8xf32>) -> tensor<32x8xf32>
    %269 = stablehlo.transpose %268, dims = [1, 0] : (tensor<32x8xf32>) -> tensor<8x32xf32>
    %270 = stablehlo.dot_general %267, %230, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<8x32xf32>) -> tensor<4x8x8xf32>
    %271 = stablehlo.transpose %269, dims = [1, 0] : (tensor<8x32xf32>) -> tensor<32x8xf32>
    %272 = stablehlo.multiply %220, %270 : tensor<4x8x8xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %273 = stablehlo.reduce(%272 init: %cst_37) applies stablehlo.add across dimensions = [2] : (tensor<4x8x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %274 = stablehlo.reshape %273 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %275 = stablehlo.broadcast_in_dim %224, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x8xf32>
    %276 = stablehlo.multiply %270, %275 : tensor<4x8x8xf32>
    %277 = stablehlo.multiply %274, %227 : tensor<4x8x1xf32>
    %278 = call @_var_1(%221#1, %221#2, %221#3, %277) : (tensor<4x8x8xf32>, tensor<f32>, tensor<i1>, tensor<4x8x1xf32>) -> tensor<4x8x8xf32>
    %279 = stablehlo.negate %276 : tensor<4x8x8xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %280 = stablehlo.reduce(%279 init: %cst_38) applies stablehlo.add across dimensions = [2] : (tensor<4x8x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %281 = stablehlo.reshape %280 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %282 = stablehlo.add %278, %276 : tensor<4x8x8xf32>
    %cst_39 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %283 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %284 = stablehlo.divide %281, %283 : tensor<4x8x1xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %285 = stablehlo.reduce(%284 init: %cst_40) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %286 = stablehlo.broadcast_in_dim %285, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x8xf32>
    %287 = stablehlo.add %282, %286 : tensor<4x8x8xf32>
    %288 = stablehlo.dot_general %287, %212, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8xf32>, tensor<4x8x16xf32>) -> tensor<8x16xf32>
    %289 = stablehlo.transpose %288, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %290 = stablehlo.dot_general %287, %arg16, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8xf32>, tensor<16x8xf32>) -> tensor<4x8x16xf32>
    %291 = stablehlo.multiply %210, %290 : tensor<4x8x16xf32>
    %292 = stablehlo.multiply %290, %211#0 : tensor<4x8x16xf32>
    %293 = call @silu_3(%211#1, %211#2, %128, %291) : (tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
    %294 = stablehlo.broadcast_in_dim %207, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %295 = stablehlo.multiply %294, %292 : tensor<4x8x16xf32>
    %296 = stablehlo.multiply %292, %133#0 : tensor<4x8x16xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %297 = stablehlo.reduce(%296 init: %cst_41) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %298 = stablehlo.reshape %297 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %299 = stablehlo.reduce(%298 init: %cst_42) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %300 = stablehlo.dot_general %292, %205, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x8x16x4xf32>) -> tensor<4x8x4xf32>
    %301 = stablehlo.dot_general %292, %137, batching_dims = [0, 1] x [0, 1], contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x8x4xf32>) -> tensor<4x8x16x4xf32>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %302 = stablehlo.pad %301, %cst_43, low = [0, -1, 0, 0], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<4x8x16x4xf32>, tensor<f32>) -> tensor<4x7x16x4xf32>
    %303 = stablehlo.slice %302 [0:4, 0:7:2, 0:16, 0:4] : (tensor<4x7x16x4xf32>) -> tensor<4x4x16x4xf32>
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %304 = stablehlo.pad %301, %cst_44, low = [0, 0, 0, 0], high = [0, -1, 0, 0], interior = [0, 0, 0, 0] : (tensor<4x8x16x4xf32>, tensor<f32>) -> tensor<4x7x16x4xf32>
    %305 = stablehlo.slice %304 [0:4, 0:7:2, 0:16, 0:4] : (tensor<4x7x16x4xf32>) -> tensor<4x4x16x4xf32>
    %306 = stablehlo.slice %305 [0:4, 0:1, 0:16, 0:4] : (tensor<4x4x16x4xf32>) -> tensor<4x1x16x4xf32>
    %307 = stablehlo.slice %305 [0:4, 1:4, 0:16, 0:4] : (tensor<4x4x16x4xf32>) -> tensor<4x3x16x4xf32>
    %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %308 = stablehlo.pad %306, %cst_45, low = [0, 0, 0, 0], high = [0, 7, 0, 0], interior = [0, 0, 0, 0] : (tensor<4x1x16x4xf32>, tensor<f32>) -> tensor<4x8x16x4xf32>
    %309 = stablehlo.multiply %197, %307 : tensor<4x3x16x4xf32>
    %310 = stablehlo.multiply %307, %196 : tensor<4x3x16x4xf32>
    %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %311 = stablehlo.pad %307, %cst_46, low = [0, 2, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x3x16x4xf32>, tensor<f32>) -> tensor<4x8x16x4xf32>
    %312 = stablehlo.add %308, %311 : tensor<4x8x16x4xf32>
    %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %313 = stablehlo.pad %310, %cst_47, low = [0, 2, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x3x16x4xf32>, tensor<f32>) -> tensor<4x8x16x4xf32>
    %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %314 = stablehlo.pad %309, %cst_48, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 0, 0, 0] : (tensor<4x3x16x4xf32>, tensor<f32>) -> tensor<4x4x16x4xf32>
    %315 = stablehlo.add %303, %314 : tensor<4x4x16x4xf32>
    %cst_49 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %316 = stablehlo.pad %315, %cst_49, low = [0, -1, 0, 0], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<4x4x16x4xf32>, tensor<f32>) -> tensor<4x3x16x4xf32>
    %317 = stablehlo.slice %316 [0:4, 0:3:2, 0:16, 0:4] : (tensor<4x3x16x4xf32>) -> tensor<4x2x16x4xf32>
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %318 = stablehlo.pad %315, %cst_50, low = [0, 0, 0, 0], high = [0, -1, 0, 0], interior = [0, 0, 0, 0] : (tensor<4x4x16x4xf32>, tensor<f32>) -> tensor<4x3x16x4xf32>
    %319 = stablehlo.slice %318 [0:4, 0:3:2, 0:16, 0:4] : (tensor<4x3x16x4xf32>) -> tensor<4x2x16x4xf32>
    %320 = stablehlo.slice %319 [0:4, 0:1, 0:16, 0:4] : (tensor<4x2x16x4xf32>) -> tensor<4x1x16x4xf32>
    %321 = stablehlo.slice %319 [0:4, 1:2, 0:16, 0:4] : (tensor<4x2x16x4xf32>) -> tensor<4x1x16x4xf32>
    %cst_51 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %322 = stablehlo.pad %320, %cst_51, low = [0, 0, 0, 0], high = [0, 3, 0, 0], interior = [0, 0, 0, 0] : (tensor<4x1x16x4xf32>, tensor<f32>) -> tensor<4x4x16x4xf32>
    %323 = stablehlo.multiply %187, %321 : tensor<4x1x16x4xf32>
    %324 = stablehlo.multiply %321, %186 : tensor<4x1x16x4xf32>
    %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %325 = stablehlo.pad %321, %cst_52, low = [0, 2, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x1x16x4xf32>, tensor<f32>) -> tensor<4x4x16x4xf32>
    %326 = stablehlo.add %322, %325 : tensor<4x4x16x4xf32>
    %cst_53 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %327 = stablehlo.pad %324, %cst_53, low = [0, 2, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x1x16x4xf32>, tensor<f32>) -> tensor<4x4x16x4xf32>
    %cst_54 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %328 = stablehlo.pad %323, %cst_54, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 0, 0, 0] : (tensor<4x1x16x4xf32>, tensor<f32>) -> tensor<4x2x16x4xf32>
    %329 = stablehlo.add %317, %328 : tensor<4x2x16x4xf32>
    %cst_55 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %330 = stablehlo.pad %329, %cst_55, low = [0, -1, 0, 0], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<4x2x16x4xf32>, tensor<f32>) -> tensor<4x1x16x4xf32>
    %331 = stablehlo.slice %330 [0:4, 0:1:2, 0:16, 0:4] : (tensor<4x1x16x4xf32>) -> tensor<4x1x16x4xf32>
    %cst_56 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %332 = stablehlo.pad %329, %cst_56, low = [0, 0, 0, 0], high = [0, -1, 0, 0], interior = [0, 0, 0, 0] : (tensor<4x2x16x4xf32>, tensor<f32>) -> tensor<4x1x16x4xf32>
    %333 = stablehlo.slice %332 [0:4, 0:1:2, 0:16, 0:4] : (tensor<4x1x16x4xf32>) -> tensor<4x1x16x4xf32>
    %334 = stablehlo.slice %333 [0:4, 0:1, 0:16, 0:4] : (tensor<4x1x16x4xf32>) -> tensor<4x1x16x4xf32>
    %335 = stablehlo.slice %333 [0:4, 1:1, 0:16, 0:4] : (tensor<4x1x16x4xf32>) -> tensor<4x0x16x4xf32>
    %cst_57 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %336 = stablehlo.pad %334, %cst_57, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 0, 0, 0] : (tensor<4x1x16x4xf32>, tensor<f32>) -> tensor<4x2x16x4xf32>
    %337 = stablehlo.multiply %177, %335 : tensor<4x0x16x4xf32>
    %338 = stablehlo.multiply %335, %176 : tensor<4x0x16x4xf32>
    %cst_58 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %339 = stablehlo.pad %335, %cst_58, low = [0, 2, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x0x16x4xf32>, tensor<f32>) -> tensor<4x2x16x4xf32>
    %340 = stablehlo.add %336, %339 : tensor<4x2x16x4xf32>
    %cst_59 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %341 = stablehlo.pad %338, %cst_59, low = [0, 2, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x0x16x4xf32>, tensor<f32>) -> tensor<4x2x16x4xf32>
    %cst_60 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %342 = stablehlo.pad %337, %cst_60, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 0, 0, 0] : (tensor<4x0x16x4xf32>, tensor<f32>) -> tensor<4x1x16x4xf32>
    %343 = stablehlo.add %331, %342 : tensor<4x1x16x4xf32>
    %344 = stablehlo.multiply %172, %343 : tensor<4x1x16x4xf32>
    %345 = stablehlo.multiply %343, %171 : tensor<4x1x16x4xf32>
    %cst_61 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %346 = stablehlo.pad %343, %cst_61, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x1x16x4xf32>, tensor<f32>) -> tensor<4x2x16x4xf32>
    %347 = stablehlo.add %340, %346 : tensor<4x2x16x4xf32>
    %cst_62 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %348 = stablehlo.pad %345, %cst_62, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x1x16x4xf32>, tensor<f32>) -> tensor<4x2x16x4xf32>
    %349 = stablehlo.add %341, %348 : tensor<4x2x16x4xf32>
    %cst_63 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %350 = stablehlo.pad %344, %cst_63, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x1x16x4xf32>, tensor<f32>) -> tensor<4x2x16x4xf32>
    %351 = stablehlo.add %347, %350 : tensor<4x2x16x4xf32>
    %352 = stablehlo.multiply %166, %351 : tensor<4x2x16x4xf32>
    %353 = stablehlo.multiply %351, %165 : tensor<4x2x16x4xf32>
    %354 = stablehlo.multiply %164, %349 : tensor<4x2x16x4xf32>
    %355 = stablehlo.add %353, %354 : tensor<4x2x16x4xf32>
    %356 = stablehlo.multiply %349, %166 : tensor<4x2x16x4xf32>
    %cst_64 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %357 = stablehlo.pad %351, %cst_64, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x2x16x4xf32>, tensor<f32>) -> tensor<4x4x16x4xf32>
    %358 = stablehlo.add %326, %357 : tensor<4x4x16x4xf32>
    %cst_65 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %359 = stablehlo.pad %355, %cst_65, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x2x16x4xf32>, tensor<f32>) -> tensor<4x4x16x4xf32>
    %360 = stablehlo.add %327, %359 : tensor<4x4x16x4xf32>
    %cst_66 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %361 = stablehlo.pad %352, %cst_66, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x2x16x4xf32>, tensor<f32>) -> tensor<4x4x16x4xf32>
    %362 = stablehlo.add %358, %361 : tensor<4x4x16x4xf32>
    %cst_67 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %363 = stablehlo.pad %356, %cst_67, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x2x16x4xf32>, tensor<f32>) -> tensor<4x4x16x4xf32>
    %364 = stablehlo.add %360, %363 : tensor<4x4x16x4xf32>
    %365 = stablehlo.multiply %159, %362 : tensor<4x4x16x4xf32>
    %366 = stablehlo.multiply %362, %158 : tensor<4x4x16x4xf32>
    %367 = stablehlo.multiply %157, %364 : tensor<4x4x16x4xf32>
    %368 = stablehlo.add %366, %367 : tensor<4x4x16x4xf32>
    %369 = stablehlo.multiply %364, %159 : tensor<4x4x16x4xf32>
    %cst_68 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %370 = stablehlo.pad %362, %cst_68, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x4x16x4xf32>, tensor<f32>) -> tensor<4x8x16x4xf32>
    %371 = stablehlo.add %312, %370 : tensor<4x8x16x4xf32>
    %cst_69 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %372 = stablehlo.pad %368, %cst_69, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x4x16x4xf32>, tensor<f32>) -> tensor<4x8x16x4xf32>
    %373 = stablehlo.add %313, %372 : tensor<4x8x16x4xf32>
    %cst_70 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %374 = stablehlo.pad %365, %cst_70, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x4x16x4xf32>, tensor<f32>) -> tensor<4x8x16x4xf32>
    %375 = stablehlo.add %371, %374 : tensor<4x8x16x4xf32>
    %cst_71 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %376 = stablehlo.pad %369, %cst_71, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x4x16x4xf32>, tensor<f32>) -> tensor<4x8x16x4xf32>
    %377 = stablehlo.add %373, %376 : tensor<4x8x16x4xf32>
    %378 = stablehlo.broadcast_in_dim %152, dims = [0, 1, 2, 3] : (tensor<4x8x16x1xf32>) -> tensor<4x8x16x4xf32>
    %379 = stablehlo.multiply %378, %375 : tensor<4x8x16x4xf32>
    %cst_72 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %380 = stablehlo.reduce(%379 init: %cst_72) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16x4xf32>, tensor<f32>) -> tensor<4x8x4xf32>
    %381 = stablehlo.reshape %380 : (tensor<4x8x4xf32>) -> tensor<4x8x1x4xf32>
    %382 = stablehlo.broadcast_in_dim %153, dims = [0, 1, 2, 3] : (tensor<4x8x1x4xf32>) -> tensor<4x8x16x4xf32>
    %383 = stablehlo.multiply %375, %382 : tensor<4x8x16x4xf32>
    %cst_73 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %384 = stablehlo.reduce(%383 init: %cst_73) applies stablehlo.add across dimensions = [3] : (tensor<4x8x16x4xf32>, tensor<f32>) -> tensor<4x8x16xf32>
    %385 = stablehlo.reshape %384 : (tensor<4x8x16xf32>) -> tensor<4x8x16x1xf32>
    %cst_74 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %386 = stablehlo.reduce(%381 init: %cst_74) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1x4xf32>, tensor<f32>) -> tensor<4x8x4xf32>
    %cst_75 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %387 = stablehlo.reduce(%385 init: %cst_75) applies stablehlo.add across dimensions = [3] : (tensor<4x8x16x1xf32>, tensor<f32>) -> tensor<4x8x16xf32>
    %388 = stablehlo.multiply %142#0, %387 : tensor<4x8x16xf32>
    %389 = stablehlo.add %295, %388 : tensor<4x8x16xf32>
    %390 = stablehlo.multiply %387, %133#0 : tensor<4x8x16xf32>
    %391 = stablehlo.multiply %377, %150 : tensor<4x8x16x4xf32>
    %392 = stablehlo.broadcast_in_dim %144, dims = [0, 1, 2, 3] : (tensor<4x8x16x1xf32>) -> tensor<4x8x16x4xf32>
    %393 = stablehlo.multiply %392, %391 : tensor<4x8x16x4xf32>
    %cst_76 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %394 = stablehlo.reduce(%393 init: %cst_76) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16x4xf32>, tensor<f32>) -> tensor<16x4xf32>
    %395 = stablehlo.reshape %394 : (tensor<16x4xf32>) -> tensor<1x1x16x4xf32>
    %396 = stablehlo.broadcast_in_dim %146, dims = [0, 1, 2, 3] : (tensor<1x1x16x4xf32>) -> tensor<4x8x16x4xf32>
    %397 = stablehlo.multiply %391, %396 : tensor<4x8x16x4xf32>
    %cst_77 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %398 = stablehlo.reduce(%397 init: %cst_77) applies stablehlo.add across dimensions = [3] : (tensor<4x8x16x4xf32>, tensor<f32>) -> tensor<4x8x16xf32>
    %399 = stablehlo.reshape %398 : (tensor<4x8x16xf32>) -> tensor<4x8x16x1xf32>
    %cst_78 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %400 = stablehlo.reduce(%395 init: %cst_78) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16x4xf32>, tensor<f32>) -> tensor<16x4xf32>
    %401 = stablehlo.multiply %400, %145 : tensor<16x4xf32>
    %402 = stablehlo.negate %399 : tensor<4x8x16x1xf32>
    %cst_79 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %403 = stablehlo.reduce(%402 init: %cst_79) applies stablehlo.add across dimensions = [3] : (tensor<4x8x16x1xf32>, tensor<f32>) -> tensor<4x8x16xf32>
    %404 = stablehlo.add %390, %403 : tensor<4x8x16xf32>
    %405 = call @softplus_4(%142#1, %404) : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
    %cst_80 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %406 = stablehlo.reduce(%405 init: %cst_80) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %407 = stablehlo.reshape %406 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %cst_81 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %408 = stablehlo.reduce(%407 init: %cst_81) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %409 = stablehlo.dot_general %405, %135, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x8x2xf32>) -> tensor<16x2xf32>
    %410 = stablehlo.transpose %409, dims = [1, 0] : (tensor<16x2xf32>) -> tensor<2x16xf32>
    %411 = stablehlo.dot_general %405, %arg13, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<2x16xf32>) -> tensor<4x8x2xf32>
    %412 = stablehlo.concatenate %411, %386, %300, dim = 2 : (tensor<4x8x2xf32>, tensor<4x8x4xf32>, tensor<4x8x4xf32>) -> tensor<4x8x10xf32>
    %413 = stablehlo.dot_general %412, %133#0, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x10xf32>, tensor<4x8x16xf32>) -> tensor<10x16xf32>
    %414 = stablehlo.transpose %413, dims = [1, 0] : (tensor<10x16xf32>) -> tensor<16x10xf32>
    %415 = stablehlo.dot_general %412, %arg17, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x10xf32>, tensor<16x10xf32>) -> tensor<4x8x16xf32>
    %416 = stablehlo.add %389, %415 : tensor<4x8x16xf32>
    %417 = call @silu_3(%133#1, %133#2, %132, %416) : (tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
    %cst_82 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %418 = stablehlo.reduce(%417 init: %cst_82) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %419 = stablehlo.reshape %418 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %cst_83 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %420 = stablehlo.reduce(%419 init: %cst_83) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %421 = stablehlo.convolution(%127, %417) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {stride = [1], pad = [[3, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 16 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<4x1x16xf32>
    %422 = stablehlo.reshape %arg11 : (tensor<4x1x16xf32>) -> tensor<4x1x16x1xf32>
    %423 = stablehlo.transpose %422, dims = [0, 2, 1, 3] : (tensor<4x1x16x1xf32>) -> tensor<4x16x1x1xf32>
    %424 = stablehlo.reshape %423 : (tensor<4x16x1x1xf32>) -> tensor<4x16x1xf32>
    %425 = stablehlo.reverse %424, dims = [0] : tensor<4x16x1xf32>
    %426 = stablehlo.convolution(%417, %425) dim_numbers = [b, 0, f]x[0, o, i]->[b, 0, f], window = {stride = [1], pad = [[0, 3]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 16 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x16xf32>, tensor<4x16x1xf32>) -> tensor<4x8x16xf32>
    %427 = stablehlo.concatenate %426, %293, dim = 2 : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<4x8x32xf32>
    %428 = stablehlo.dot_general %427, %125, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<4x8x8xf32>) -> tensor<32x8xf32>
    %429 = stablehlo.transpose %428, dims = [1, 0] : (tensor<32x8xf32>) -> tensor<8x32xf32>
    %430 = stablehlo.dot_general %427, %arg14, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<8x32xf32>) -> tensor<4x8x8xf32>
    %431 = stablehlo.multiply %116, %430 : tensor<4x8x8xf32>
    %cst_84 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %432 = stablehlo.reduce(%431 init: %cst_84) applies stablehlo.add across dimensions = [2] : (tensor<4x8x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %433 = stablehlo.reshape %432 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %434 = stablehlo.broadcast_in_dim %120, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x8xf32>
    %435 = stablehlo.multiply %430, %434 : tensor<4x8x8xf32>
    %436 = stablehlo.multiply %433, %123 : tensor<4x8x1xf32>
    %437 = call @_var_1(%117#1, %117#2, %117#3, %436) : (tensor<4x8x8xf32>, tensor<f32>, tensor<i1>, tensor<4x8x1xf32>) -> tensor<4x8x8xf32>
    %438 = stablehlo.add %287, %437 : tensor<4x8x8xf32>
    %439 = stablehlo.negate %435 : tensor<4x8x8xf32>
    %cst_85 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %440 = stablehlo.reduce(%439 init: %cst_85) applies stablehlo.add across dimensions = [2] : (tensor<4x8x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %441 = stablehlo.reshape %440 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %442 = stablehlo.add %438, %435 : tensor<4x8x8xf32>
    %cst_86 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %443 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %444 = stablehlo.divide %441, %443 : tensor<4x8x1xf32>
    %cst_87 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %445 = stablehlo.reduce(%444 init: %cst_87) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %446 = stablehlo.broadcast_in_dim %445, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x8xf32>
    %447 = stablehlo.add %442, %446 : tensor<4x8x8xf32>
    %448 = stablehlo.dot_general %447, %108, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8xf32>, tensor<4x8x16xf32>) -> tensor<8x16xf32>
    %449 = stablehlo.transpose %448, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %450 = stablehlo.dot_general %447, %arg7, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8xf32>, tensor<16x8xf32>) -> tensor<4x8x16xf32>
    %451 = stablehlo.multiply %106, %450 : tensor<4x8x16xf32>
    %452 = stablehlo.multiply %450, %107#0 : tensor<4x8x16xf32>
    %453 = call @silu_3(%107#1, %107#2, %24, %451) : (tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
    %454 = stablehlo.broadcast_in_dim %103, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %455 = stablehlo.multiply %454, %452 : tensor<4x8x16xf32>
    %456 = stablehlo.multiply %452, %29#0 : tensor<4x8x16xf32>
    %cst_88 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %457 = stablehlo.reduce(%456 init: %cst_88) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %458 = stablehlo.reshape %457 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %cst_89 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %459 = stablehlo.reduce(%458 init: %cst_89) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %460 = stablehlo.dot_general %452, %101, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x8x16x4xf32>) -> tensor<4x8x4xf32>
    %461 = stablehlo.dot_general %452, %33, batching_dims = [0, 1] x [0, 1], contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x8x4xf32>) -> tensor<4x8x16x4xf32>
    %cst_90 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %462 = stablehlo.pad %461, %cst_90, low = [0, -1, 0, 0], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<4x8x16x4xf32>, tensor<f32>) -> tensor<4x7x16x4xf32>
    %463 = stablehlo.slice %462 [0:4, 0:7:2, 0:16, 0:4] : (tensor<4x7x16x4xf32>) -> tensor<4x4x16x4xf32>
    %cst_91 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %464 = stablehlo.pad %461, %cst_91, low = [0, 0, 0, 0], high = [0, -1, 0, 0], interior = [0, 0, 0, 0] : (tensor<4x8x16x4xf32>, tensor<f32>) -> tensor<4x7x16x4xf32>
    %465 = stablehlo.slice %464 [0:4, 0:7:2, 0:16, 0:4] : (tensor<4x7x16x4xf32>) -> tensor<4x4x16x4xf32>
    %466 = stablehlo.slice %465 [0:4, 0:1, 0:16, 0:4] : (tensor<4x4x16x4xf32>) -> tensor<4x1x16x4xf32>
    %467 = stablehlo.slice %465 [0:4, 1:4, 0:16, 0:4] : (tensor<4x4x16x4xf32>) -> tensor<4x3x16x4xf32>
    %cst_92 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %468 = stablehlo.pad %466, %cst_92, low = [0, 0, 0, 0], high = [0, 7, 0, 0], interior = [0, 0, 0, 0] : (tensor<4x1x16x4xf32>, tensor<f32>) -> tensor<4x8x16x4xf32>
    %469 = stablehlo.multiply %93, %467 : tensor<4x3x16x4xf32>
    %470 = stablehlo.multiply %467, %92 : tensor<4x3x16x4xf32>
    %cst_93 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %471 = stablehlo.pad %467, %cst_93, low = [0, 2, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x3x16x4xf32>, tensor<f32>) -> tensor<4x8x16x4xf32>
    %472 = stablehlo.add %468, %471 : tensor<4x8x16x4xf32>
    %cst_94 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %473 = stablehlo.pad %470, %cst_94, low = [0, 2, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x3x16x4xf32>, tensor<f32>) -> tensor<4x8x16x4xf32>
    %cst_95 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %474 = stablehlo.pad %469, %cst_95, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 0, 0, 0] : (tensor<4x3x16x4xf32>, tensor<f32>) -> tensor<4x4x16x4xf32>
    %475 = stablehlo.add %463, %474 : tensor<4x4x16x4xf32>
    %cst_96 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %476 = stablehlo.pad %475, %cst_96, low = [0, -1, 0, 0], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<4x4x16x4xf32>, tensor<f32>) -> tensor<4x3x16x4xf32>
    %477 = stablehlo.slice %476 [0:4, 0:3:2, 0:16, 0:4] : (tensor<4x3x16x4xf32>) -> tensor<4x2x16x4xf32>
    %cst_97 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %478 = stablehlo.pad %475, %cst_97, low = [0, 0, 0, 0], high = [0, -1, 0, 0], interior = [0, 0, 0, 0] : (tensor<4x4x16x4xf32>, tensor<f32>) -> tensor<4x3x16x4xf32>
    %479 = stablehlo.slice %478 [0:4, 0:3:2, 0:16, 0:4] : (tensor<4x3x16x4xf32>) -> tensor<4x2x16x4xf32>
    %480 = stablehlo.slice %479 [0:4, 0:1, 0:16, 0:4] : (tensor<4x2x16x4xf32>) -> tensor<4x1x16x4xf32>
    %481 = stablehlo.slice %479 [0:4, 1:2, 0:16, 0:4] : (tensor<4x2x16x4xf32>) -> tensor<4x1x16x4xf32>
    %cst_98 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %482 = stablehlo.pad %480, %cst_98, low = [0, 0, 0, 0], high = [0, 3, 0, 0], interior = [0, 0, 0, 0] : (tensor<4x1x16x4xf32>, tensor<f32>) -> tensor<4x4x16x4xf32>
    %483 = stablehlo.multiply %83, %481 : tensor<4x1x16x4xf32>
    %484 = stablehlo.multiply %481, %82 : tensor<4x1x16x4xf32>
    %cst_99 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %485 = stablehlo.pad %481, %cst_99, low = [0, 2, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x1x16x4xf32>, tensor<f32>) -> tensor<4x4x16x4xf32>
    %486 = stablehlo.add %482, %485 : tensor<4x4x16x4xf32>
    %cst_100 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %487 = stablehlo.pad %484, %cst_100, low = [0, 2, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x1x16x4xf32>, tensor<f32>) -> tensor<4x4x16x4xf32>
    %cst_101 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %488 = stablehlo.pad %483, %cst_101, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 0, 0, 0] : (tensor<4x1x16x4xf32>, tensor<f32>) -> tensor<4x2x16x4xf32>
    %489 = stablehlo.add %477, %488 : tensor<4x2x16x4xf32>
    %cst_102 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %490 = stablehlo.pad %489, %cst_102, low = [0, -1, 0, 0], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<4x2x16x4xf32>, tensor<f32>) -> tensor<4x1x16x4xf32>
    %491 = stablehlo.slice %490 [0:4, 0:1:2, 0:16, 0:4] : (tensor<4x1x16x4xf32>) -> tensor<4x1x16x4xf32>
    %cst_103 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %492 = stablehlo.pad %489, %cst_103, low = [0, 0, 0, 0], high = [0, -1, 0, 0], interior = [0, 0, 0, 0] : (tensor<4x2x16x4xf32>, tensor<f32>) -> tensor<4x1x16x4xf32>
    %493 = stablehlo.slice %492 [0:4, 0:1:2, 0:16, 0:4] : (tensor<4x1x16x4xf32>) -> tensor<4x1x16x4xf32>
    %494 = stablehlo.slice %493 [0:4, 0:1, 0:16, 0:4] : (tensor<4x1x16x4xf32>) -> tensor<4x1x16x4xf32>
    %495 = stablehlo.slice %493 [0:4, 1:1, 0:16, 0:4] : (tensor<4x1x16x4xf32>) -> tensor<4x0x16x4xf32>
    %cst_104 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %496 = stablehlo.pad %494, %cst_104, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 0, 0, 0] : (tensor<4x1x16x4xf32>, tensor<f32>) -> tensor<4x2x16x4xf32>
    %497 = stablehlo.multiply %73, %495 : tensor<4x0x16x4xf32>
    %498 = stablehlo.multiply %495, %72 : tensor<4x0x16x4xf32>
    %cst_105 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %499 = stablehlo.pad %495, %cst_105, low = [0, 2, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x0x16x4xf32>, tensor<f32>) -> tensor<4x2x16x4xf32>
    %500 = stablehlo.add %496, %499 : tensor<4x2x16x4xf32>
    %cst_106 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %501 = stablehlo.pad %498, %cst_106, low = [0, 2, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x0x16x4xf32>, tensor<f32>) -> tensor<4x2x16x4xf32>
    %cst_107 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %502 = stablehlo.pad %497, %cst_107, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 0, 0, 0] : (tensor<4x0x16x4xf32>, tensor<f32>) -> tensor<4x1x16x4xf32>
    %503 = stablehlo.add %491, %502 : tensor<4x1x16x4xf32>
    %504 = stablehlo.multiply %68, %503 : tensor<4x1x16x4xf32>
    %505 = stablehlo.multiply %503, %67 : tensor<4x1x16x4xf32>
    %cst_108 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %506 = stablehlo.pad %503, %cst_108, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x1x16x4xf32>, tensor<f32>) -> tensor<4x2x16x4xf32>
    %507 = stablehlo.add %500, %506 : tensor<4x2x16x4xf32>
    %cst_109 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %508 = stablehlo.pad %505, %cst_109, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x1x16x4xf32>, tensor<f32>) -> tensor<4x2x16x4xf32>
    %509 = stablehlo.add %501, %508 : tensor<4x2x16x4xf32>
    %cst_110 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %510 = stablehlo.pad %504, %cst_110, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x1x16x4xf32>, tensor<f32>) -> tensor<4x2x16x4xf32>
    %511 = stablehlo.add %507, %510 : tensor<4x2x16x4xf32>
    %512 = stablehlo.multiply %62, %511 : tensor<4x2x16x4xf32>
    %513 = stablehlo.multiply %511, %61 : tensor<4x2x16x4xf32>
    %514 = stablehlo.multiply %60, %509 : tensor<4x2x16x4xf32>
    %515 = stablehlo.add %513, %514 : tensor<4x2x16x4xf32>
    %516 = stablehlo.multiply %509, %62 : tensor<4x2x16x4xf32>
    %cst_111 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %517 = stablehlo.pad %511, %cst_111, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x2x16x4xf32>, tensor<f32>) -> tensor<4x4x16x4xf32>
    %518 = stablehlo.add %486, %517 : tensor<4x4x16x4xf32>
    %cst_112 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %519 = stablehlo.pad %515, %cst_112, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x2x16x4xf32>, tensor<f32>) -> tensor<4x4x16x4xf32>
    %520 = stablehlo.add %487, %519 : tensor<4x4x16x4xf32>
    %cst_113 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %521 = stablehlo.pad %512, %cst_113, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x2x16x4xf32>, tensor<f32>) -> tensor<4x4x16x4xf32>
    %522 = stablehlo.add %518, %521 : tensor<4x4x16x4xf32>
    %cst_114 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %523 = stablehlo.pad %516, %cst_114, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x2x16x4xf32>, tensor<f32>) -> tensor<4x4x16x4xf32>
    %524 = stablehlo.add %520, %523 : tensor<4x4x16x4xf32>
    %525 = stablehlo.multiply %55, %522 : tensor<4x4x16x4xf32>
    %526 = stablehlo.multiply %522, %54 : tensor<4x4x16x4xf32>
    %527 = stablehlo.multiply %53, %524 : tensor<4x4x16x4xf32>
    %528 = stablehlo.add %526, %527 : tensor<4x4x16x4xf32>
    %529 = stablehlo.multiply %524, %55 : tensor<4x4x16x4xf32>
    %cst_115 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %530 = stablehlo.pad %522, %cst_115, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x4x16x4xf32>, tensor<f32>) -> tensor<4x8x16x4xf32>
    %531 = stablehlo.add %472, %530 : tensor<4x8x16x4xf32>
    %cst_116 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %532 = stablehlo.pad %528, %cst_116, low = [0, 1, 0, 0], high = [0, 0, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x4x16x4xf32>, tensor<f32>) -> tensor<4x8x16x4xf32>
    %533 = stablehlo.add %473, %532 : tensor<4x8x16x4xf32>
    %cst_117 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %534 = stablehlo.pad %525, %cst_117, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x4x16x4xf32>, tensor<f32>) -> tensor<4x8x16x4xf32>
    %535 = stablehlo.add %531, %534 : tensor<4x8x16x4xf32>
    %cst_118 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %536 = stablehlo.pad %529, %cst_118, low = [0, 0, 0, 0], high = [0, 1, 0, 0], interior = [0, 1, 0, 0] : (tensor<4x4x16x4xf32>, tensor<f32>) -> tensor<4x8x16x4xf32>
    %537 = stablehlo.add %533, %536 : tensor<4x8x16x4xf32>
    %538 = stablehlo.broadcast_in_dim %48, dims = [0, 1, 2, 3] : (tensor<4x8x16x1xf32>) -> tensor<4x8x16x4xf32>
    %539 = stablehlo.multiply %538, %535 : tensor<4x8x16x4xf32>
    %cst_119 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %540 = stablehlo.reduce(%539 init: %cst_119) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16x4xf32>, tensor<f32>) -> tensor<4x8x4xf32>
    %541 = stablehlo.reshape %540 : (tensor<4x8x4xf32>) -> tensor<4x8x1x4xf32>
    %542 = stablehlo.broadcast_in_dim %49, dims = [0, 1, 2, 3] : (tensor<4x8x1x4xf32>) -> tensor<4x8x16x4xf32>
    %543 = stablehlo.multiply %535, %542 : tensor<4x8x16x4xf32>
    %cst_120 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %544 = stablehlo.reduce(%543 init: %cst_120) applies stablehlo.add across dimensions = [3] : (tensor<4x8x16x4xf32>, tensor<f32>) -> tensor<4x8x16xf32>
    %545 = stablehlo.reshape %544 : (tensor<4x8x16xf32>) -> tensor<4x8x16x1xf32>
    %cst_121 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %546 = stablehlo.reduce(%541 init: %cst_121) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1x4xf32>, tensor<f32>) -> tensor<4x8x4xf32>
    %cst_122 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %547 = stablehlo.reduce(%545 init: %cst_122) applies stablehlo.add across dimensions = [3] : (tensor<4x8x16x1xf32>, tensor<f32>) -> tensor<4x8x16xf32>
    %548 = stablehlo.multiply %38#0, %547 : tensor<4x8x16xf32>
    %549 = stablehlo.add %455, %548 : tensor<4x8x16xf32>
    %550 = stablehlo.multiply %547, %29#0 : tensor<4x8x16xf32>
    %551 = stablehlo.multiply %537, %46 : tensor<4x8x16x4xf32>
    %552 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2, 3] : (tensor<4x8x16x1xf32>) -> tensor<4x8x16x4xf32>
    %553 = stablehlo.multiply %552, %551 : tensor<4x8x16x4xf32>
    %cst_123 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %554 = stablehlo.reduce(%553 init: %cst_123) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16x4xf32>, tensor<f32>) -> tensor<16x4xf32>
    %555 = stablehlo.reshape %554 : (tensor<16x4xf32>) -> tensor<1x1x16x4xf32>
    %556 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2, 3] : (tensor<1x1x16x4xf32>) -> tensor<4x8x16x4xf32>
    %557 = stablehlo.multiply %551, %556 : tensor<4x8x16x4xf32>
    %cst_124 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %558 = stablehlo.reduce(%557 init: %cst_124) applies stablehlo.add across dimensions = [3] : (tensor<4x8x16x4xf32>, tensor<f32>) -> tensor<4x8x16xf32>
    %559 = stablehlo.reshape %558 : (tensor<4x8x16xf32>) -> tensor<4x8x16x1xf32>
    %cst_125 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %560 = stablehlo.reduce(%555 init: %cst_125) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16x4xf32>, tensor<f32>) -> tensor<16x4xf32>
    %561 = stablehlo.multiply %560, %41 : tensor<16x4xf32>
    %562 = stablehlo.negate %559 : tensor<4x8x16x1xf32>
    %cst_126 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %563 = stablehlo.reduce(%562 init: %cst_126) applies stablehlo.add across dimensions = [3] : (tensor<4x8x16x1xf32>, tensor<f32>) -> tensor<4x8x16xf32>
    %564 = stablehlo.add %550, %563 : tensor<4x8x16xf32>
    %565 = call @softplus_4(%38#1, %564) : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
    %cst_127 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %566 = stablehlo.reduce(%565 init: %cst_127) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %567 = stablehlo.reshape %566 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %cst_128 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %568 = stablehlo.reduce(%567 init: %cst_128) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %569 = stablehlo.dot_general %565, %31, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x8x2xf32>) -> tensor<16x2xf32>
    %570 = stablehlo.transpose %569, dims = [1, 0] : (tensor<16x2xf32>) -> tensor<2x16xf32>
    %571 = stablehlo.dot_general %565, %arg4, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<2x16xf32>) -> tensor<4x8x2xf32>
    %572 = stablehlo.concatenate %571, %546, %460, dim = 2 : (tensor<4x8x2xf32>, tensor<4x8x4xf32>, tensor<4x8x4xf32>) -> tensor<4x8x10xf32>
    %573 = stablehlo.dot_general %572, %29#0, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x10xf32>, tensor<4x8x16xf32>) -> tensor<10x16xf32>
    %574 = stablehlo.transpose %573, dims = [1, 0] : (tensor<10x16xf32>) -> tensor<16x10xf32>
    %575 = stablehlo.dot_general %572, %arg8, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x10xf32>, tensor<16x10xf32>) -> tensor<4x8x16xf32>
    %576 = stablehlo.add %549, %575 : tensor<4x8x16xf32>
    %577 = call @silu_3(%29#1, %29#2, %28, %576) : (tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
    %cst_129 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %578 = stablehlo.reduce(%577 init: %cst_129) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %579 = stablehlo.reshape %578 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %cst_130 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %580 = stablehlo.reduce(%579 init: %cst_130) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %581 = stablehlo.convolution(%23, %577) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f], window = {stride = [1], pad = [[3, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 16 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<4x1x16xf32>
    %582 = stablehlo.reshape %arg2 : (tensor<4x1x16xf32>) -> tensor<4x1x16x1xf32>
    %583 = stablehlo.transpose %582, dims = [0, 2, 1, 3] : (tensor<4x1x16x1xf32>) -> tensor<4x16x1x1xf32>
    %584 = stablehlo.reshape %583 : (tensor<4x16x1x1xf32>) -> tensor<4x16x1xf32>
    %585 = stablehlo.reverse %584, dims = [0] : tensor<4x16x1xf32>
    %586 = stablehlo.convolution(%577, %585) dim_numbers = [b, 0, f]x[0, o, i]->[b, 0, f], window = {stride = [1], pad = [[0, 3]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 16 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x8x16xf32>, tensor<4x16x1xf32>) -> tensor<4x8x16xf32>
    %587 = stablehlo.concatenate %586, %453, dim = 2 : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<4x8x32xf32>
    %588 = stablehlo.dot_general %587, %21, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<4x8x8xf32>) -> tensor<32x8xf32>
    %589 = stablehlo.transpose %588, dims = [1, 0] : (tensor<32x8xf32>) -> tensor<8x32xf32>
    %590 = stablehlo.dot_general %587, %arg5, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<8x32xf32>) -> tensor<4x8x8xf32>
    %591 = stablehlo.multiply %12, %590 : tensor<4x8x8xf32>
    %cst_131 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %592 = stablehlo.reduce(%591 init: %cst_131) applies stablehlo.add across dimensions = [2] : (tensor<4x8x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %593 = stablehlo.reshape %592 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %594 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x8xf32>
    %595 = stablehlo.multiply %590, %594 : tensor<4x8x8xf32>
    %596 = stablehlo.multiply %593, %19 : tensor<4x8x1xf32>
    %597 = call @_var_1(%13#1, %13#2, %13#3, %596) : (tensor<4x8x8xf32>, tensor<f32>, tensor<i1>, tensor<4x8x1xf32>) -> tensor<4x8x8xf32>
    %598 = stablehlo.add %447, %597 : tensor<4x8x8xf32>
    %599 = stablehlo.negate %595 : tensor<4x8x8xf32>
    %cst_132 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %600 = stablehlo.reduce(%599 init: %cst_132) applies stablehlo.add across dimensions = [2] : (tensor<4x8x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %601 = stablehlo.reshape %600 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %602 = stablehlo.add %598, %595 : tensor<4x8x8xf32>
    %cst_133 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %603 = stablehlo.broadcast_in_dim %cst_133, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %604 = stablehlo.divide %601, %603 : tensor<4x8x1xf32>
    %cst_134 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %605 = stablehlo.reduce(%604 init: %cst_134) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %606 = stablehlo.broadcast_in_dim %605, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x8xf32>
    %607 = stablehlo.add %602, %606 : tensor<4x8x8xf32>
    %cst_135 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %608 = stablehlo.broadcast_in_dim %cst_135, dims = [] : (tensor<f32>) -> tensor<32x8xf32>
    %609 = "stablehlo.scatter"(%608, %5, %607) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg21: tensor<f32>, %arg22: tensor<f32>):
      %668 = stablehlo.add %arg21, %arg22 : tensor<f32>
      stablehlo.return %668 : tensor<f32>
    }) : (tensor<32x8xf32>, tensor<4x8x1xi32>, tensor<4x8x8xf32>) -> tensor<32x8xf32>
    %610 = stablehlo.add %271, %609 : tensor<32x8xf32>
    %cst_136 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %611 = stablehlo.broadcast_in_dim %cst_136, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %612 = stablehlo.multiply %611, %580 : tensor<16xf32>
    %613 = stablehlo.subtract %arg0, %612 : tensor<16xf32>
    %cst_137 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %614 = stablehlo.broadcast_in_dim %cst_137, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %615 = stablehlo.multiply %614, %568 : tensor<16xf32>
    %616 = stablehlo.subtract %arg1, %615 : tensor<16xf32>
    %cst_138 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %617 = stablehlo.broadcast_in_dim %cst_138, dims = [] : (tensor<f32>) -> tensor<4x1x16xf32>
    %618 = stablehlo.multiply %617, %581 : tensor<4x1x16xf32>
    %619 = stablehlo.subtract %arg2, %618 : tensor<4x1x16xf32>
    %cst_139 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %620 = stablehlo.broadcast_in_dim %cst_139, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %621 = stablehlo.multiply %620, %459 : tensor<16xf32>
    %622 = stablehlo.subtract %arg3, %621 : tensor<16xf32>
    %cst_140 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %623 = stablehlo.broadcast_in_dim %cst_140, dims = [] : (tensor<f32>) -> tensor<2x16xf32>
    %624 = stablehlo.multiply %623, %570 : tensor<2x16xf32>
    %625 = stablehlo.subtract %arg4, %624 : tensor<2x16xf32>
    %cst_141 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %626 = stablehlo.broadcast_in_dim %cst_141, dims = [] : (tensor<f32>) -> tensor<8x32xf32>
    %627 = stablehlo.multiply %626, %589 : tensor<8x32xf32>
    %628 = stablehlo.subtract %arg5, %627 : tensor<8x32xf32>
    %cst_142 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %629 = stablehlo.broadcast_in_dim %cst_142, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
    %630 = stablehlo.multiply %629, %561 : tensor<16x4xf32>
    %631 = stablehlo.subtract %arg6, %630 : tensor<16x4xf32>
    %cst_143 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %632 = stablehlo.broadcast_in_dim %cst_143, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %633 = stablehlo.multiply %632, %449 : tensor<16x8xf32>
    %634 = stablehlo.subtract %arg7, %633 : tensor<16x8xf32>
    %cst_144 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %635 = stablehlo.broadcast_in_dim %cst_144, dims = [] : (tensor<f32>) -> tensor<16x10xf32>
    %636 = stablehlo.multiply %635, %574 : tensor<16x10xf32>
    %637 = stablehlo.subtract %arg8, %636 : tensor<16x10xf32>
    %cst_145 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %638 = stablehlo.broadcast_in_dim %cst_145, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %639 = stablehlo.multiply %638, %420 : tensor<16xf32>
    %640 = stablehlo.subtract %arg9, %639 : tensor<16xf32>
    %cst_146 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %641 = stablehlo.broadcast_in_dim %cst_146, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %642 = stablehlo.multiply %641, %408 : tensor<16xf32>
    %643 = stablehlo.subtract %arg10, %642 : tensor<16xf32>
    %cst_147 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %644 = stablehlo.broadcast_in_dim %cst_147, dims = [] : (tensor<f32>) -> tensor<4x1x16xf32>
    %645 = stablehlo.multiply %644, %421 : tensor<4x1x16xf32>
    %646 = stablehlo.subtract %arg11, %645 : tensor<4x1x16xf32>
    %cst_148 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %647 = stablehlo.broadcast_in_dim %cst_148, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %648 = stablehlo.multiply %647, %299 : tensor<16xf32>
    %649 = stablehlo.subtract %arg12, %648 : tensor<16xf32>
    %cst_149 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %650 = stablehlo.broadcast_in_dim %cst_149, dims = [] : (tensor<f32>) -> tensor<2x16xf32>
    %651 = stablehlo.multiply %650, %410 : tensor<2x16xf32>
    %652 = stablehlo.subtract %arg13, %651 : tensor<2x16xf32>
    %cst_150 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %653 = stablehlo.broadcast_in_dim %cst_150, dims = [] : (tensor<f32>) -> tensor<8x32xf32>
    %654 = stablehlo.multiply %653, %429 : tensor<8x32xf32>
    %655 = stablehlo.subtract %arg14, %654 : tensor<8x32xf32>
    %cst_151 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %656 = stablehlo.broadcast_in_dim %cst_151, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
    %657 = stablehlo.multiply %656, %401 : tensor<16x4xf32>
    %658 = stablehlo.subtract %arg15, %657 : tensor<16x4xf32>
    %cst_152 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %659 = stablehlo.broadcast_in_dim %cst_152, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %660 = stablehlo.multiply %659, %289 : tensor<16x8xf32>
    %661 = stablehlo.subtract %arg16, %660 : tensor<16x8xf32>
    %cst_153 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %662 = stablehlo.broadcast_in_dim %cst_153, dims = [] : (tensor<f32>) -> tensor<16x10xf32>
    %663 = stablehlo.multiply %662, %414 : tensor<16x10xf32>
    %664 = stablehlo.subtract %arg17, %663 : tensor<16x10xf32>
    %cst_154 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %665 = stablehlo.broadcast_in_dim %cst_154, dims = [] : (tensor<f32>) -> tensor<32x8xf32>
    %666 = stablehlo.multiply %665, %610 : tensor<32x8xf32>
    %667 = stablehlo.subtract %arg18, %666 : tensor<32x8xf32>
    return %613, %616, %619, %622, %625, %628, %631, %634, %637, %640, %643, %646, %649, %652, %655, %658, %661, %664, %667, %253 : tensor<16xf32>, tensor<16xf32>, tensor<4x1x16xf32>, tensor<16xf32>, tensor<2x16xf32>, tensor<8x32xf32>, tensor<16x4xf32>, tensor<16x8xf32>, tensor<16x10xf32>, tensor<16xf32>, tensor<16xf32>, tensor<4x1x16xf32>, tensor<16xf32>, tensor<2x16xf32>, tensor<8x32xf32>, tensor<16x4xf32>, tensor<16x8xf32>, tensor<16x10xf32>, tensor<32x8xf32>, tensor<f32>
  }
  func.func private @_var(%arg0: tensor<4x8x8xf32>, %arg1: tensor<i32>) -> (tensor<4x8x1xf32>, tensor<4x8x8xf32>, tensor<f32>, tensor<i1>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x8x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<4x8x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x8xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x8x8xf32>
    %6 = chlo.square %5 : tensor<4x8x8xf32> -> tensor<4x8x8xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %8 = stablehlo.multiply %7, %5 : tensor<4x8x8xf32>
    %9 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %10 = stablehlo.subtract %cst_2, %9 : tensor<f32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%6 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<4x8x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %13 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %14 = stablehlo.divide %12, %13 : tensor<4x8x1xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.compare GT, %10, %cst_4, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_5 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %16 = call @_where(%15, %14, %cst_5) : (tensor<i1>, tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8x1xf32>
    return %16, %8, %10, %15 : tensor<4x8x1xf32>, tensor<4x8x8xf32>, tensor<f32>, tensor<i1>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<4x8x1xf32>, %arg2: tensor<f32>) -> tensor<4x8x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<4x8x1xf32>
    return %2 : tensor<4x8x1xf32>
  }
  func.func private @silu(%arg0: tensor<4x8x16xf32>) -> (tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>) {
    %0 = stablehlo.negate %arg0 : tensor<4x8x16xf32>
    %1 = stablehlo.exponential %0 : tensor<4x8x16xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %3 = stablehlo.add %2, %1 : tensor<4x8x16xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %5 = stablehlo.divide %4, %3 : tensor<4x8x16xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %7 = stablehlo.subtract %6, %5 : tensor<4x8x16xf32>
    %8 = stablehlo.multiply %5, %7 : tensor<4x8x16xf32>
    %9 = stablehlo.multiply %arg0, %5 : tensor<4x8x16xf32>
    return %9, %8, %5 : tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>
  }
  func.func private @softplus(%arg0: tensor<4x8x16xf32>) -> (tensor<4x8x16xf32>, tensor<4x8x16xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<4x8x16xf32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %3 = stablehlo.subtract %arg0, %2 : tensor<4x8x16xf32>
    %4 = stablehlo.compare NE, %3, %3, FLOAT : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<4x8x16xi1>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %6 = stablehlo.add %arg0, %5 : tensor<4x8x16xf32>
    %7 = stablehlo.abs %3 : tensor<4x8x16xf32>
    %8 = stablehlo.negate %7 : tensor<4x8x16xf32>
    %9 = stablehlo.exponential %8 : tensor<4x8x16xf32>
    %10 = stablehlo.log_plus_one %9 : tensor<4x8x16xf32>
    %11 = stablehlo.add %1, %10 : tensor<4x8x16xf32>
    %12 = stablehlo.select %4, %6, %11 : tensor<4x8x16xi1>, tensor<4x8x16xf32>
    %cst_0 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %14 = stablehlo.compare EQ, %arg0, %13, FLOAT : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<4x8x16xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %16 = stablehlo.select %14, %15, %arg0 : tensor<4x8x16xi1>, tensor<4x8x16xf32>
    %cst_2 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %18 = stablehlo.compare EQ, %12, %17, FLOAT : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<4x8x16xi1>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %20 = stablehlo.select %18, %19, %12 : tensor<4x8x16xi1>, tensor<4x8x16xf32>
    %21 = stablehlo.subtract %16, %20 : tensor<4x8x16xf32>
    %22 = stablehlo.exponential %21 : tensor<4x8x16xf32>
    return %12, %22 : tensor<4x8x16xf32>, tensor<4x8x16xf32>
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
  func.func private @_var_1(%arg0: tensor<4x8x8xf32>, %arg1: tensor<f32>, %arg2: tensor<i1>, %arg3: tensor<4x8x1xf32>) -> tensor<4x8x8xf32> {
    %0 = call @_where_2(%arg2, %arg3) : (tensor<i1>, tensor<4x8x1xf32>) -> tensor<4x8x1xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %2 = stablehlo.divide %0, %1 : tensor<4x8x1xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x8xf32>
    %5 = stablehlo.multiply %4, %arg0 : tensor<4x8x8xf32>
    %6 = stablehlo.negate %5 : tensor<4x8x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<4x8x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %8 = stablehlo.reshape %7 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_1 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<4x8x1xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x8xf32>
    %13 = stablehlo.add %5, %12 : tensor<4x8x8xf32>
    return %13 : tensor<4x8x8xf32>
  }
  func.func private @_where_2(%arg0: tensor<i1>, %arg1: tensor<4x8x1xf32>) -> tensor<4x8x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<i1>, tensor<4x8x1xf32>
    return %1 : tensor<4x8x1xf32>
  }
  func.func private @silu_3(%arg0: tensor<4x8x16xf32>, %arg1: tensor<4x8x16xf32>, %arg2: tensor<4x8x16xf32>, %arg3: tensor<4x8x16xf32>) -> tensor<4x8x16xf32> {
    %0 = stablehlo.multiply %arg2, %arg3 : tensor<4x8x16xf32>
    %1 = stablehlo.multiply %arg3, %arg1 : tensor<4x8x16xf32>
    %2 = stablehlo.multiply %0, %arg0 : tensor<4x8x16xf32>
    %3 = stablehlo.add %1, %2 : tensor<4x8x16xf32>
    return %3 : tensor<4x8x16xf32>
  }
  func.func private @softplus_4(%arg0: tensor<4x8x16xf32>, %arg1: tensor<4x8x16xf32>) -> tensor<4x8x16xf32> {
    %0 = stablehlo.multiply %arg1, %arg0 : tensor<4x8x16xf32>
    return %0 : tensor<4x8x16xf32>
  }
}
