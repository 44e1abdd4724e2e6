module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<128x32xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<4x8x32xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<32x3x4x8xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<32xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<32xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<32x128xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<128x32xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<4x8x32xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<32x3x4x8xf32> {tf.aliasing_output = 8 : i32}, %arg9: tensor<32xf32> {tf.aliasing_output = 9 : i32}, %arg10: tensor<32xf32> {tf.aliasing_output = 10 : i32}, %arg11: tensor<32x128xf32> {tf.aliasing_output = 11 : i32}, %arg12: tensor<16x32xf32> {tf.aliasing_output = 12 : i32}, %arg13: tensor<64x32xf32> {tf.aliasing_output = 13 : i32}, %arg14: tensor<128x32xf32> {tf.aliasing_output = 14 : i32}, %arg15: tensor<4x8x32xf32> {tf.aliasing_output = 15 : i32}, %arg16: tensor<32x3x4x8xf32> {tf.aliasing_output = 16 : i32}, %arg17: tensor<32xf32> {tf.aliasing_output = 17 : i32}, %arg18: tensor<32xf32> {tf.aliasing_output = 18 : i32}, %arg19: tensor<32x128xf32> {tf.aliasing_output = 19 : i32}, %arg20: tensor<128x32xf32> {tf.aliasing_output = 20 : i32}, %arg21: tensor<4x8x32xf32> {tf.aliasing_output = 21 : i32}, %arg22: tensor<32x3x4x8xf32> {tf.aliasing_output = 22 : i32}, %arg23: tensor<32xf32> {tf.aliasing_output = 23 : i32}, %arg24: tensor<32xf32> {tf.aliasing_output = 24 : i32}, %arg25: tensor<32x128xf32> {tf.aliasing_output = 25 : i32}, %arg26: tensor<16x32xf32> {tf.aliasing_output = 26 : i32}, %arg27: tensor<64x32xf32> {tf.aliasing_output = 27 : i32}, %arg28: tensor<128x32xf32> {tf.aliasing_output = 28 : i32}, %arg29: tensor<4x8x32xf32> {tf.aliasing_output = 29 : i32}, %arg30: tensor<32x3x4x8xf32> {tf.aliasing_output = 30 : i32}, %arg31: tensor<32xf32> {tf.aliasing_output = 31 : i32}, %arg32: tensor<32xf32> {tf.aliasing_output = 32 : i32}, %arg33: tensor<32x128xf32> {tf.aliasing_output = 33 : i32}, %arg34: tensor<128x32xf32> {tf.aliasing_output = 34 : i32}, %arg35: tensor<4x8x32xf32> {tf.aliasing_output = 35 : i32}, %arg36: tensor<32x3x4x8xf32> {tf.aliasing_output = 36 : i32}, %arg37: tensor<32xf32> {tf.aliasing_output = 37 : i32}, %arg38: tensor<32xf32> {tf.aliasing_output = 38 : i32}, %arg39: tensor<32x128xf32> {tf.aliasing_output = 39 : i32}, %arg40: tensor<16x32xf32> {tf.aliasing_output = 40 : i32}, %arg41: tensor<64x32xf32> {tf.aliasing_output = 41 : i32}, %arg42: tensor<f32> {tf.aliasing_output = 42 : i32}, %arg43: tensor<8x16xi32>, %arg44: tensor<8x16xi32>) -> (tensor<128x32xf32> {jax.result_info = "result[0]['layers'][0]['down']"}, tensor<4x8x32xf32> {jax.result_info = "result[0]['layers'][0]['out']"}, tensor<32x3x4x8xf32> {jax.result_info = "result[0]['layers'][0]['qkv']"}, tensor<32xf32> {jax.result_info = "result[0]['layers'][0]['scale1']"}, tensor<32xf32> {jax.result_info = "result[0]['layers'][0]['scale2']"}, tensor<32x128xf32> {jax.result_info = "result[0]['layers'][0]['up']"}, tensor<128x32xf32> {jax.result_info = "result[0]['layers'][1]['down']"}, tensor<4x8x32xf32> {jax.result_info = "result[0]['layers'][1]['out']"}, tensor<32x3x4x8xf32> {jax.result_info = "result[0]['layers'][1]['qkv']"}, tensor<32xf32> {jax.result_info = "result[0]['layers'][1]['scale1']"}, tensor<32xf32> {jax.result_info = "result[0]['layers'][1]['scale2']"}, tensor<32x128xf32> {jax.result_info = "result[0]['layers'][1]['up']"}, tensor<16x32xf32> {jax.result_info = "result[0]['wpe']"}, tensor<64x32xf32> {jax.result_info = "result[0]['wte']"}, tensor<128x32xf32> {jax.result_info = "result[1]['layers'][0]['down']"}, tensor<4x8x32xf32> {jax.result_info = "result[1]['layers'][0]['out']"}, tensor<32x3x4x8xf32> {jax.result_info = "result[1]['layers'][0]['qkv']"}, tensor<32xf32> {jax.result_info = "result[1]['layers'][0]['scale1']"}, tensor<32xf32> {jax.result_info = "result[1]['layers'][0]['scale2']"}, tensor<32x128xf32> {jax.result_info = "result[1]['layers'][0]['up']"}, tensor<128x32xf32> {jax.result_info = "result[1]['layers'][1]['down']"}, tensor<4x8x32xf32> {jax.result_info = "result[1]['layers'][1]['out']"}, tensor<32x3x4x8xf32> {jax.result_info = "result[1]['layers'][1]['qkv']"}, tensor<32xf32> {jax.result_info = "result[1]['layers'][1]['scale1']"}, tensor<32xf32> {jax.result_info = "result[1]['layers'][1]['scale2']"}, tensor<32x128xf32> {jax.result_info = "result[1]['layers'][1]['up']"}, tensor<16x32xf32> {jax.result_info = "result[1]['wpe']"}, tensor<64x32xf32> {jax.result_info = "result[1]['wte']"}, tensor<128x32xf32> {jax.result_info = "result[2]['layers'][0]['down']"}, tensor<4x8x32xf32> {jax.result_info = "result[2]['layers'][0]['out']"}, tensor<32x3x4x8xf32> {jax.result_info = "result[2]['layers'][0]['qkv']"}, tensor<32xf32> {jax.result_info = "result[2]['layers'][0]['scale1']"}, tensor<32xf32> {jax.result_info = "result[2]['layers'][0]['scale2']"}, tensor<32x128xf32> {jax.result_info = "result[2]['layers'][0]['up']"}, tensor<128x32xf32> {jax.result_info = "result[2]['layers'][1]['down']"}, tensor<4x8x32xf32> {jax.result_info = "result[2]['layers'][1]['out']"}, tensor<32x3x4x8xf32> {jax.result_info = "result[2]['layers'][1]['qkv']"}, tensor<32xf32> {jax.result_info = "result[2]['layers'][1]['scale1']"}, tensor<32xf32> {jax.result_info = "result[2]['layers'][1]['scale2']"}, tensor<32x128xf32> {jax.result_info = "result[2]['layers'][1]['up']"}, tensor<16x32xf32> {jax.result_info = "result[2]['wpe']"}, tensor<64x32xf32> {jax.result_info = "result[2]['wte']"}, tensor<f32> {jax.result_info = "result[3]"}, tensor<f32> {jax.result_info = "result[4]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x16xi32>
    %1 = stablehlo.compare LT, %arg43, %0, SIGNED : (tensor<8x16xi32>, tensor<8x16xi32>) -> tensor<8x16xi1>
    %c_0 = stablehlo.constant dense<64> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<8x16xi32>
    %3 = stablehlo.add %arg43, %2 : tensor<8x16xi32>
    %4 = stablehlo.select %1, %3, %arg43 : tensor<8x16xi1>, tensor<8x16xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<8x16xi32>) -> tensor<8x16x1xi32>
    %6 = "stablehlo.gather"(%arg13, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 32>}> : (tensor<64x32xf32>, tensor<8x16x1xi32>) -> tensor<8x16x32xf32>
    %7 = stablehlo.broadcast_in_dim %arg12, dims = [1, 2] : (tensor<16x32xf32>) -> tensor<1x16x32xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<1x16x32xf32>) -> tensor<8x16x32xf32>
    %9 = stablehlo.add %6, %8 : tensor<8x16x32xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_1 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %13 = stablehlo.divide %11, %12 : tensor<8x16x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %15 = stablehlo.subtract %9, %14 : tensor<8x16x32xf32>
    %16 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %17 = stablehlo.subtract %9, %16 : tensor<8x16x32xf32>
    %18 = stablehlo.multiply %17, %17 : tensor<8x16x32xf32>
    %cst_2 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %20 = stablehlo.multiply %19, %17 : tensor<8x16x32xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.reduce(%18 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_4 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %24 = stablehlo.divide %22, %23 : tensor<8x16x1xf32>
    %cst_5 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %26 = stablehlo.add %24, %25 : tensor<8x16x1xf32>
    %27 = stablehlo.rsqrt %26 : tensor<8x16x1xf32>
    %28 = stablehlo.divide %27, %26 : tensor<8x16x1xf32>
    %cst_6 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %30 = stablehlo.multiply %29, %28 : tensor<8x16x1xf32>
    %31 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %32 = stablehlo.multiply %15, %31 : tensor<8x16x32xf32>
    %33 = stablehlo.broadcast_in_dim %arg3, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %35 = stablehlo.multiply %32, %34 : tensor<8x16x32xf32>
    %36 = stablehlo.dot_general %35, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x3x4x8xf32>) -> tensor<8x16x3x4x8xf32>
    %37 = stablehlo.transpose %36, dims = [2, 0, 1, 3, 4] : (tensor<8x16x3x4x8xf32>) -> tensor<3x8x16x4x8xf32>
    %38 = stablehlo.slice %37 [0:1, 0:8, 0:16, 0:4, 0:8] : (tensor<3x8x16x4x8xf32>) -> tensor<1x8x16x4x8xf32>
    %39 = stablehlo.reshape %38 : (tensor<1x8x16x4x8xf32>) -> tensor<8x16x4x8xf32>
    %40 = stablehlo.slice %37 [1:2, 0:8, 0:16, 0:4, 0:8] : (tensor<3x8x16x4x8xf32>) -> tensor<1x8x16x4x8xf32>
    %41 = stablehlo.reshape %40 : (tensor<1x8x16x4x8xf32>) -> tensor<8x16x4x8xf32>
    %42 = stablehlo.slice %37 [2:3, 0:8, 0:16, 0:4, 0:8] : (tensor<3x8x16x4x8xf32>) -> tensor<1x8x16x4x8xf32>
    %43 = stablehlo.reshape %42 : (tensor<1x8x16x4x8xf32>) -> tensor<8x16x4x8xf32>
    %44 = stablehlo.dot_general %39, %41, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x16x4x8xf32>, tensor<8x16x4x8xf32>) -> tensor<8x4x16x16xf32>
    %cst_7 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8x4x16x16xf32>
    %46 = stablehlo.divide %44, %45 : tensor<8x4x16x16xf32>
    %c_8 = stablehlo.constant dense<true> : tensor<i1>
    %47 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i1>) -> tensor<16x16xi1>
    %48 = call @tril(%47) : (tensor<16x16xi1>) -> tensor<16x16xi1>
    %cst_9 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %49:2 = call @_where(%48, %46, %cst_9) : (tensor<16x16xi1>, tensor<8x4x16x16xf32>, tensor<f32>) -> (tensor<8x4x16x16xf32>, tensor<8x4x16x16xi1>)
    %cst_10 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %50 = stablehlo.reduce(%49#0 init: %cst_10) applies stablehlo.maximum across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %cst_11 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %52 = stablehlo.maximum %51, %50 : tensor<8x4x16xf32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %54 = stablehlo.broadcast_in_dim %53, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %55 = stablehlo.subtract %49#0, %54 : tensor<8x4x16x16xf32>
    %56 = stablehlo.exponential %55 : tensor<8x4x16x16xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %57 = stablehlo.reduce(%56 init: %cst_12) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %59 = stablehlo.broadcast_in_dim %58, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %60 = stablehlo.divide %56, %59 : tensor<8x4x16x16xf32>
    %61 = stablehlo.multiply %58, %58 : tensor<8x4x16x1xf32>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8x4x16x1xf32>
    %63 = stablehlo.divide %62, %61 : tensor<8x4x16x1xf32>
    %64 = stablehlo.dot_general %43, %60, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x16x4x8xf32>, tensor<8x4x16x16xf32>) -> tensor<8x4x8x16xf32>
    %65 = stablehlo.dot_general %64, %arg1, contracting_dims = [1, 2] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8x16xf32>, tensor<4x8x32xf32>) -> tensor<8x16x32xf32>
    %66 = stablehlo.add %9, %65 : tensor<8x16x32xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %67 = stablehlo.reduce(%66 init: %cst_14) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %68 = stablehlo.broadcast_in_dim %67, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_15 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %70 = stablehlo.divide %68, %69 : tensor<8x16x1xf32>
    %71 = stablehlo.broadcast_in_dim %70, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %72 = stablehlo.subtract %66, %71 : tensor<8x16x32xf32>
    %73 = stablehlo.broadcast_in_dim %70, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %74 = stablehlo.subtract %66, %73 : tensor<8x16x32xf32>
    %75 = stablehlo.multiply %74, %74 : tensor<8x16x32xf32>
    %cst_16 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %77 = stablehlo.multiply %76, %74 : tensor<8x16x32xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %78 = stablehlo.reduce(%75 init: %cst_17) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %79 = stablehlo.broadcast_in_dim %78, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_18 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %81 = stablehlo.divide %79, %80 : tensor<8x16x1xf32>
    %cst_19 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %83 = stablehlo.add %81, %82 : tensor<8x16x1xf32>
    %84 = stablehlo.rsqrt %83 : tensor<8x16x1xf32>
    %85 = stablehlo.divide %84, %83 : tensor<8x16x1xf32>
    %cst_20 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %87 = stablehlo.multiply %86, %85 : tensor<8x16x1xf32>
    %88 = stablehlo.broadcast_in_dim %84, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %89 = stablehlo.multiply %72, %88 : tensor<8x16x32xf32>
    %90 = stablehlo.broadcast_in_dim %arg4, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %91 = stablehlo.broadcast_in_dim %90, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %92 = stablehlo.multiply %89, %91 : tensor<8x16x32xf32>
    %93 = stablehlo.dot_general %92, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x128xf32>) -> tensor<8x16x128xf32>
    %94 = stablehlo.multiply %93, %93 : tensor<8x16x128xf32>
    %95 = stablehlo.multiply %94, %93 : tensor<8x16x128xf32>
    %96 = stablehlo.multiply %93, %93 : tensor<8x16x128xf32>
    %cst_21 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %97 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %98 = stablehlo.multiply %97, %96 : tensor<8x16x128xf32>
    %cst_22 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %100 = stablehlo.multiply %99, %95 : tensor<8x16x128xf32>
    %101 = stablehlo.add %93, %100 : tensor<8x16x128xf32>
    %cst_23 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %103 = stablehlo.multiply %102, %101 : tensor<8x16x128xf32>
    %104 = stablehlo.tanh %103 : tensor<8x16x128xf32>
    %cst_24 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %106 = stablehlo.subtract %105, %104 : tensor<8x16x128xf32>
    %cst_25 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %108 = stablehlo.add %107, %104 : tensor<8x16x128xf32>
    %cst_26 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %109 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %110 = stablehlo.multiply %109, %108 : tensor<8x16x128xf32>
    %111 = stablehlo.multiply %93, %110 : tensor<8x16x128xf32>
    %112 = stablehlo.dot_general %111, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x128xf32>, tensor<128x32xf32>) -> tensor<8x16x32xf32>
    %113 = stablehlo.add %66, %112 : tensor<8x16x32xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %114 = stablehlo.reduce(%113 init: %cst_27) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %115 = stablehlo.broadcast_in_dim %114, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_28 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %116 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %117 = stablehlo.divide %115, %116 : tensor<8x16x1xf32>
    %118 = stablehlo.broadcast_in_dim %117, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %119 = stablehlo.subtract %113, %118 : tensor<8x16x32xf32>
    %120 = stablehlo.broadcast_in_dim %117, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %121 = stablehlo.subtract %113, %120 : tensor<8x16x32xf32>
    %122 = stablehlo.multiply %121, %121 : tensor<8x16x32xf32>
    %cst_29 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %123 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %124 = stablehlo.multiply %123, %121 : tensor<8x16x32xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %125 = stablehlo.reduce(%122 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %126 = stablehlo.broadcast_in_dim %125, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_31 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %127 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %128 = stablehlo.divide %126, %127 : tensor<8x16x1xf32>
    %cst_32 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %129 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %130 = stablehlo.add %128, %129 : tensor<8x16x1xf32>
    %131 = stablehlo.rsqrt %130 : tensor<8x16x1xf32>
    %132 = stablehlo.divide %131, %130 : tensor<8x16x1xf32>
    %cst_33 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %133 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %134 = stablehlo.multiply %133, %132 : tensor<8x16x1xf32>
    %135 = stablehlo.broadcast_in_dim %131, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %136 = stablehlo.multiply %119, %135 : tensor<8x16x32xf32>
    %137 = stablehlo.broadcast_in_dim %arg9, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %138 = stablehlo.broadcast_in_dim %137, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %139 = stablehlo.multiply %136, %138 : tensor<8x16x32xf32>
    %140 = stablehlo.dot_general %139, %arg8, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x3x4x8xf32>) -> tensor<8x16x3x4x8xf32>
    %141 = stablehlo.transpose %140, dims = [2, 0, 1, 3, 4] : (tensor<8x16x3x4x8xf32>) -> tensor<3x8x16x4x8xf32>
    %142 = stablehlo.slice %141 [0:1, 0:8, 0:16, 0:4, 0:8] : (tensor<3x8x16x4x8xf32>) -> tensor<1x8x16x4x8xf32>
    %143 = stablehlo.reshape %142 : (tensor<1x8x16x4x8xf32>) -> tensor<8x16x4x8xf32>
    %144 = stablehlo.slice %141 [1:2, 0:8, 0:16, 0:4, 0:8] : (tensor<3x8x16x4x8xf32>) -> tensor<1x8x16x4x8xf32>
    %145 = stablehlo.reshape %144 : (tensor<1x8x16x4x8xf32>) -> tensor<8x16x4x8xf32>
    %146 = stablehlo.slice %141 [2:3, 0:8, 0:16, 0:4, 0:8] : (tensor<3x8x16x4x8xf32>) -> tensor<1x8x16x4x8xf32>
    %147 = stablehlo.reshape %146 : (tensor<1x8x16x4x8xf32>) -> tensor<8x16x4x8xf32>
    %148 = stablehlo.dot_general %143, %145, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x16x4x8xf32>, tensor<8x16x4x8xf32>) -> tensor<8x4x16x16xf32>
    %cst_34 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %149 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<8x4x16x16xf32>
    %150 = stablehlo.divide %148, %149 : tensor<8x4x16x16xf32>
    %c_35 = stablehlo.constant dense<true> : tensor<i1>
    %151 = stablehlo.broadcast_in_dim %c_35, dims = [] : (tensor<i1>) -> tensor<16x16xi1>
    %152 = call @tril(%151) : (tensor<16x16xi1>) -> tensor<16x16xi1>
    %cst_36 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %153:2 = call @_where(%152, %150, %cst_36) : (tensor<16x16xi1>, tensor<8x4x16x16xf32>, tensor<f32>) -> (tensor<8x4x16x16xf32>, tensor<8x4x16x16xi1>)
    %cst_37 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %154 = stablehlo.reduce(%153#0 init: %cst_37) applies stablehlo.maximum across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %cst_38 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %155 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %156 = stablehlo.maximum %155, %154 : tensor<8x4x16xf32>
    %157 = stablehlo.broadcast_in_dim %156, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %158 = stablehlo.broadcast_in_dim %157, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %159 = stablehlo.subtract %153#0, %158 : tensor<8x4x16x16xf32>
    %160 = stablehlo.exponential %159 : tensor<8x4x16x16xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %161 = stablehlo.reduce(%160 init: %cst_39) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %162 = stablehlo.broadcast_in_dim %161, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %163 = stablehlo.broadcast_in_dim %162, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %164 = stablehlo.divide %160, %163 : tensor<8x4x16x16xf32>
    %165 = stablehlo.multiply %162, %162 : tensor<8x4x16x1xf32>
    %cst_40 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %166 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<8x4x16x1xf32>
    %167 = stablehlo.divide %166, %165 : tensor<8x4x16x1xf32>
    %168 = stablehlo.dot_general %147, %164, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x16x4x8xf32>, tensor<8x4x16x16xf32>) -> tensor<8x4x8x16xf32>
    %169 = stablehlo.dot_general %168, %arg7, contracting_dims = [1, 2] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8x16xf32>, tensor<4x8x32xf32>) -> tensor<8x16x32xf32>
    %170 = stablehlo.add %113, %169 : tensor<8x16x32xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %171 = stablehlo.reduce(%170 init: %cst_41) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %172 = stablehlo.broadcast_in_dim %171, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_42 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %173 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %174 = stablehlo.divide %172, %173 : tensor<8x16x1xf32>
    %175 = stablehlo.broadcast_in_dim %174, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %176 = stablehlo.subtract %170, %175 : tensor<8x16x32xf32>
    %177 = stablehlo.broadcast_in_dim %174, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %178 = stablehlo.subtract %170, %177 : tensor<8x16x32xf32>
    %179 = stablehlo.multiply %178, %178 : tensor<8x16x32xf32>
    %cst_43 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %180 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %181 = stablehlo.multiply %180, %178 : tensor<8x16x32xf32>
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %182 = stablehlo.reduce(%179 init: %cst_44) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %183 = stablehlo.broadcast_in_dim %182, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_45 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %184 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %185 = stablehlo.divide %183, %184 : tensor<8x16x1xf32>
    %cst_46 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %186 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %187 = stablehlo.add %185, %186 : tensor<8x16x1xf32>
    %188 = stablehlo.rsqrt %187 : tensor<8x16x1xf32>
    %189 = stablehlo.divide %188, %187 : tensor<8x16x1xf32>
    %cst_47 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %190 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %191 = stablehlo.multiply %190, %189 : tensor<8x16x1xf32>
    %192 = stablehlo.broadcast_in_dim %188, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %193 = stablehlo.multiply %176, %192 : tensor<8x16x32xf32>
    %194 = stablehlo.broadcast_in_dim %arg10, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %195 = stablehlo.broadcast_in_dim %194, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %196 = stablehlo.multiply %193, %195 : tensor<8x16x32xf32>
    %197 = stablehlo.dot_general %196, %arg11, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x128xf32>) -> tensor<8x16x128xf32>
    %198 = stablehlo.multiply %197, %197 : tensor<8x16x128xf32>
    %199 = stablehlo.multiply %198, %197 : tensor<8x16x128xf32>
    %200 = stablehlo.multiply %197, %197 : tensor<8x16x128xf32>
    %cst_48 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %201 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %202 = stablehlo.multiply %201, %200 : tensor<8x16x128xf32>
    %cst_49 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %203 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %204 = stablehlo.multiply %203, %199 : tensor<8x16x128xf32>
    %205 = stablehlo.add %197, %204 : tensor<8x16x128xf32>
    %cst_50 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %206 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %207 = stablehlo.multiply %206, %205 : tensor<8x16x128xf32>
    %208 = stablehlo.tanh %207 : tensor<8x16x128xf32>
    %cst_51 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %209 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %210 = stablehlo.subtract %209, %208 : tensor<8x16x128xf32>
    %cst_52 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %211 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %212 = stablehlo.add %211, %208 : tensor<8x16x128xf32>
    %cst_53 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %213 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %214 = stablehlo.multiply %213, %212 : tensor<8x16x128xf32>
    %215 = stablehlo.multiply %197, %214 : tensor<8x16x128xf32>
    %216 = stablehlo.dot_general %215, %arg6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x128xf32>, tensor<128x32xf32>) -> tensor<8x16x32xf32>
    %217 = stablehlo.add %170, %216 : tensor<8x16x32xf32>
    %218 = stablehlo.transpose %arg13, dims = [1, 0] : (tensor<64x32xf32>) -> tensor<32x64xf32>
    %219 = stablehlo.dot_general %217, %218, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x64xf32>) -> tensor<8x16x64xf32>
    %220 = stablehlo.broadcast_in_dim %arg44, dims = [0, 1] : (tensor<8x16xi32>) -> tensor<8x16x1xi32>
    %221:2 = call @take_along_axis(%219, %220) : (tensor<8x16x64xf32>, tensor<8x16x1xi32>) -> (tensor<8x16x1xf32>, tensor<8x16x1x1xi32>)
    %222 = stablehlo.reshape %221#0 : (tensor<8x16x1xf32>) -> tensor<8x16xf32>
    %cst_54 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %223 = stablehlo.reduce(%219 init: %cst_54) applies stablehlo.maximum across dimensions = [2] : (tensor<8x16x64xf32>, tensor<f32>) -> tensor<8x16xf32>
    %cst_55 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %224 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %225 = stablehlo.maximum %224, %223 : tensor<8x16xf32>
    %226 = stablehlo.is_finite %225 : (tensor<8x16xf32>) -> tensor<8x16xi1>
    %cst_56 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %227 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %228 = stablehlo.select %226, %225, %227 : tensor<8x16xi1>, tensor<8x16xf32>
    %229 = stablehlo.broadcast_in_dim %228, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %230 = stablehlo.broadcast_in_dim %229, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x64xf32>
    %231 = stablehlo.subtract %219, %230 : tensor<8x16x64xf32>
    %232 = stablehlo.exponential %231 : tensor<8x16x64xf32>
    %cst_57 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %233 = stablehlo.reduce(%232 init: %cst_57) applies stablehlo.add across dimensions = [2] : (tensor<8x16x64xf32>, tensor<f32>) -> tensor<8x16xf32>
    %234 = stablehlo.abs %233 : tensor<8x16xf32>
    %cst_58 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %235 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %236 = stablehlo.compare GE, %233, %235, FLOAT : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xi1>
    %237 = stablehlo.log %234 : tensor<8x16xf32>
    %238 = stablehlo.add %237, %228 : tensor<8x16xf32>
    %239 = stablehlo.subtract %238, %222 : tensor<8x16xf32>
    %cst_59 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %240 = stablehlo.reduce(%239 init: %cst_59) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_60 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %241 = stablehlo.divide %240, %cst_60 : tensor<f32>
    %cst_61 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_62 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %242 = stablehlo.divide %cst_61, %cst_62 : tensor<f32>
    %243 = stablehlo.broadcast_in_dim %242, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %244 = stablehlo.negate %243 : tensor<8x16xf32>
    %245 = stablehlo.divide %243, %234 : tensor<8x16xf32>
    %cst_63 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %246 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %247 = stablehlo.select %236, %246, %245 : tensor<8x16xi1>, tensor<8x16xf32>
    %248 = stablehlo.select %236, %245, %246 : tensor<8x16xi1>, tensor<8x16xf32>
    %249 = stablehlo.negate %247 : tensor<8x16xf32>
    %250 = stablehlo.add %248, %249 : tensor<8x16xf32>
    %251 = stablehlo.broadcast_in_dim %250, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x64xf32>
    %252 = stablehlo.multiply %251, %232 : tensor<8x16x64xf32>
    %253 = stablehlo.broadcast_in_dim %244, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %254 = call @take_along_axis_0(%221#1, %253) : (tensor<8x16x1x1xi32>, tensor<8x16x1xf32>) -> tensor<8x16x64xf32>
    %255 = stablehlo.add %252, %254 : tensor<8x16x64xf32>
    %256 = stablehlo.dot_general %255, %217, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<8x16x32xf32>) -> tensor<64x32xf32>
    %257 = stablehlo.transpose %256, dims = [1, 0] : (tensor<64x32xf32>) -> tensor<32x64xf32>
    %258 = stablehlo.dot_general %255, %218, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<32x64xf32>) -> tensor<8x16x32xf32>
    %259 = stablehlo.transpose %257, dims = [1, 0] : (tensor<32x64xf32>) -> tensor<64x32xf32>
    %260 = stablehlo.dot_general %258, %215, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x128xf32>) -> tensor<32x128xf32>
    %261 = stablehlo.transpose %260, dims = [1, 0] : (tensor<32x128xf32>) -> tensor<128x32xf32>
    %262 = stablehlo.dot_general %258, %arg6, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<128x32xf32>) -> tensor<8x16x128xf32>
    %263 = stablehlo.multiply %197, %262 : tensor<8x16x128xf32>
    %264 = stablehlo.multiply %262, %214 : tensor<8x16x128xf32>
    %cst_64 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %265 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %266 = stablehlo.multiply %265, %263 : tensor<8x16x128xf32>
    %267 = stablehlo.multiply %266, %210 : tensor<8x16x128xf32>
    %268 = stablehlo.multiply %267, %208 : tensor<8x16x128xf32>
    %269 = stablehlo.add %267, %268 : tensor<8x16x128xf32>
    %cst_65 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %270 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %271 = stablehlo.multiply %270, %269 : tensor<8x16x128xf32>
    %272 = stablehlo.add %264, %271 : tensor<8x16x128xf32>
    %cst_66 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %273 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %274 = stablehlo.multiply %273, %271 : tensor<8x16x128xf32>
    %275 = stablehlo.multiply %274, %202 : tensor<8x16x128xf32>
    %276 = stablehlo.add %272, %275 : tensor<8x16x128xf32>
    %277 = stablehlo.dot_general %276, %196, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x128xf32>, tensor<8x16x32xf32>) -> tensor<128x32xf32>
    %278 = stablehlo.transpose %277, dims = [1, 0] : (tensor<128x32xf32>) -> tensor<32x128xf32>
    %279 = stablehlo.dot_general %276, %arg11, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x128xf32>, tensor<32x128xf32>) -> tensor<8x16x32xf32>
    %280 = stablehlo.multiply %193, %279 : tensor<8x16x32xf32>
    %cst_67 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %281 = stablehlo.reduce(%280 init: %cst_67) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %282 = stablehlo.reshape %281 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %283 = stablehlo.broadcast_in_dim %194, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %284 = stablehlo.multiply %279, %283 : tensor<8x16x32xf32>
    %cst_68 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %285 = stablehlo.reduce(%282 init: %cst_68) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %286 = stablehlo.multiply %176, %284 : tensor<8x16x32xf32>
    %cst_69 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %287 = stablehlo.reduce(%286 init: %cst_69) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %288 = stablehlo.reshape %287 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %289 = stablehlo.broadcast_in_dim %188, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %290 = stablehlo.multiply %284, %289 : tensor<8x16x32xf32>
    %291 = stablehlo.multiply %288, %191 : tensor<8x16x1xf32>
    %cst_70 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %292 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %293 = stablehlo.divide %291, %292 : tensor<8x16x1xf32>
    %cst_71 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %294 = stablehlo.reduce(%293 init: %cst_71) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %295 = stablehlo.broadcast_in_dim %294, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %296 = stablehlo.multiply %295, %181 : tensor<8x16x32xf32>
    %297 = stablehlo.negate %296 : tensor<8x16x32xf32>
    %cst_72 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %298 = stablehlo.reduce(%297 init: %cst_72) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %299 = stablehlo.reshape %298 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %300 = stablehlo.add %258, %296 : tensor<8x16x32xf32>
    %301 = stablehlo.negate %290 : tensor<8x16x32xf32>
    %cst_73 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %302 = stablehlo.reduce(%301 init: %cst_73) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %303 = stablehlo.reshape %302 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %304 = stablehlo.add %300, %290 : tensor<8x16x32xf32>
    %305 = stablehlo.add %299, %303 : tensor<8x16x1xf32>
    %cst_74 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %306 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %307 = stablehlo.divide %305, %306 : tensor<8x16x1xf32>
    %cst_75 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %308 = stablehlo.reduce(%307 init: %cst_75) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %309 = stablehlo.broadcast_in_dim %308, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %310 = stablehlo.add %304, %309 : tensor<8x16x32xf32>
    %311 = stablehlo.dot_general %310, %168, contracting_dims = [0, 1] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x4x8x16xf32>) -> tensor<32x4x8xf32>
    %312 = stablehlo.transpose %311, dims = [1, 2, 0] : (tensor<32x4x8xf32>) -> tensor<4x8x32xf32>
    %313 = stablehlo.dot_general %310, %arg7, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<4x8x32xf32>) -> tensor<8x16x4x8xf32>
    %314 = stablehlo.transpose %313, dims = [0, 2, 3, 1] : (tensor<8x16x4x8xf32>) -> tensor<8x4x8x16xf32>
    %315 = stablehlo.dot_general %314, %147, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8x16xf32>, tensor<8x16x4x8xf32>) -> tensor<8x4x16x16xf32>
    %316 = stablehlo.dot_general %314, %164, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8x16xf32>, tensor<8x4x16x16xf32>) -> tensor<8x4x8x16xf32>
    %317 = stablehlo.transpose %316, dims = [0, 3, 1, 2] : (tensor<8x4x8x16xf32>) -> tensor<8x16x4x8xf32>
    %318 = stablehlo.broadcast_in_dim %167, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %319 = stablehlo.multiply %315, %318 : tensor<8x4x16x16xf32>
    %320 = stablehlo.multiply %319, %160 : tensor<8x4x16x16xf32>
    %cst_76 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %321 = stablehlo.reduce(%320 init: %cst_76) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %322 = stablehlo.reshape %321 : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %323 = stablehlo.negate %322 : tensor<8x4x16x1xf32>
    %324 = stablehlo.broadcast_in_dim %162, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %325 = stablehlo.divide %315, %324 : tensor<8x4x16x16xf32>
    %cst_77 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %326 = stablehlo.reduce(%323 init: %cst_77) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x1xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %327 = stablehlo.broadcast_in_dim %326, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x16xf32>
    %328 = stablehlo.add %325, %327 : tensor<8x4x16x16xf32>
    %329 = stablehlo.multiply %328, %160 : tensor<8x4x16x16xf32>
    %330 = call @_where_1(%153#1, %329) : (tensor<8x4x16x16xi1>, tensor<8x4x16x16xf32>) -> tensor<8x4x16x16xf32>
    %cst_78 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %331 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<8x4x16x16xf32>
    %332 = stablehlo.divide %330, %331 : tensor<8x4x16x16xf32>
    %333 = stablehlo.dot_general %332, %143, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x16xf32>, tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %334 = stablehlo.transpose %333, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %335 = stablehlo.dot_general %332, %145, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x16xf32>, tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %336 = stablehlo.transpose %335, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %337 = stablehlo.broadcast_in_dim %317, dims = [1, 2, 3, 4] : (tensor<8x16x4x8xf32>) -> tensor<1x8x16x4x8xf32>
    %cst_79 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %338 = stablehlo.pad %337, %cst_79, low = [2, 0, 0, 0, 0], high = [0, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x8x16x4x8xf32>, tensor<f32>) -> tensor<3x8x16x4x8xf32>
    %339 = stablehlo.broadcast_in_dim %334, dims = [1, 2, 3, 4] : (tensor<8x16x4x8xf32>) -> tensor<1x8x16x4x8xf32>
    %cst_80 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %340 = stablehlo.pad %339, %cst_80, low = [1, 0, 0, 0, 0], high = [1, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x8x16x4x8xf32>, tensor<f32>) -> tensor<3x8x16x4x8xf32>
    %341 = stablehlo.add %338, %340 : tensor<3x8x16x4x8xf32>
    %342 = stablehlo.broadcast_in_dim %336, dims = [1, 2, 3, 4] : (tensor<8x16x4x8xf32>) -> tensor<1x8x16x4x8xf32>
    %cst_81 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %343 = stablehlo.pad %342, %cst_81, low = [0, 0, 0, 0, 0], high = [2, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x8x16x4x8xf32>, tensor<f32>) -> tensor<3x8x16x4x8xf32>
    %344 = stablehlo.add %341, %343 : tensor<3x8x16x4x8xf32>
    %345 = stablehlo.transpose %344, dims = [1, 2, 0, 3, 4] : (tensor<3x8x16x4x8xf32>) -> tensor<8x16x3x4x8xf32>
    %346 = stablehlo.dot_general %345, %139, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x3x4x8xf32>, tensor<8x16x32xf32>) -> tensor<3x4x8x32xf32>
    %347 = stablehlo.transpose %346, dims = [3, 0, 1, 2] : (tensor<3x4x8x32xf32>) -> tensor<32x3x4x8xf32>
    %348 = stablehlo.dot_general %345, %arg8, contracting_dims = [2, 3, 4] x [1, 2, 3], precision = [DEFAULT, DEFAULT] : (tensor<8x16x3x4x8xf32>, tensor<32x3x4x8xf32>) -> tensor<8x16x32xf32>
    %349 = stablehlo.multiply %136, %348 : tensor<8x16x32xf32>
    %cst_82 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %350 = stablehlo.reduce(%349 init: %cst_82) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %351 = stablehlo.reshape %350 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %352 = stablehlo.broadcast_in_dim %137, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %353 = stablehlo.multiply %348, %352 : tensor<8x16x32xf32>
    %cst_83 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %354 = stablehlo.reduce(%351 init: %cst_83) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %355 = stablehlo.multiply %119, %353 : tensor<8x16x32xf32>
    %cst_84 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %356 = stablehlo.reduce(%355 init: %cst_84) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %357 = stablehlo.reshape %356 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %358 = stablehlo.broadcast_in_dim %131, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %359 = stablehlo.multiply %353, %358 : tensor<8x16x32xf32>
    %360 = stablehlo.multiply %357, %134 : tensor<8x16x1xf32>
    %cst_85 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %361 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %362 = stablehlo.divide %360, %361 : tensor<8x16x1xf32>
    %cst_86 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %363 = stablehlo.reduce(%362 init: %cst_86) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %364 = stablehlo.broadcast_in_dim %363, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %365 = stablehlo.multiply %364, %124 : tensor<8x16x32xf32>
    %366 = stablehlo.negate %365 : tensor<8x16x32xf32>
    %cst_87 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %367 = stablehlo.reduce(%366 init: %cst_87) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %368 = stablehlo.reshape %367 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %369 = stablehlo.add %310, %365 : tensor<8x16x32xf32>
    %370 = stablehlo.negate %359 : tensor<8x16x32xf32>
    %cst_88 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %371 = stablehlo.reduce(%370 init: %cst_88) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %372 = stablehlo.reshape %371 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %373 = stablehlo.add %369, %359 : tensor<8x16x32xf32>
    %374 = stablehlo.add %368, %372 : tensor<8x16x1xf32>
    %cst_89 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %375 = stablehlo.broadcast_in_dim %cst_89, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %376 = stablehlo.divide %374, %375 : tensor<8x16x1xf32>
    %cst_90 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %377 = stablehlo.reduce(%376 init: %cst_90) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %378 = stablehlo.broadcast_in_dim %377, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %379 = stablehlo.add %373, %378 : tensor<8x16x32xf32>
    %380 = stablehlo.dot_general %379, %111, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x128xf32>) -> tensor<32x128xf32>
    %381 = stablehlo.transpose %380, dims = [1, 0] : (tensor<32x128xf32>) -> tensor<128x32xf32>
    %382 = stablehlo.dot_general %379, %arg0, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<128x32xf32>) -> tensor<8x16x128xf32>
    %383 = stablehlo.multiply %93, %382 : tensor<8x16x128xf32>
    %384 = stablehlo.multiply %382, %110 : tensor<8x16x128xf32>
    %cst_91 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %385 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %386 = stablehlo.multiply %385, %383 : tensor<8x16x128xf32>
    %387 = stablehlo.multiply %386, %106 : tensor<8x16x128xf32>
    %388 = stablehlo.multiply %387, %104 : tensor<8x16x128xf32>
    %389 = stablehlo.add %387, %388 : tensor<8x16x128xf32>
    %cst_92 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %390 = stablehlo.broadcast_in_dim %cst_92, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %391 = stablehlo.multiply %390, %389 : tensor<8x16x128xf32>
    %392 = stablehlo.add %384, %391 : tensor<8x16x128xf32>
    %cst_93 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %393 = stablehlo.broadcast_in_dim %cst_93, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %394 = stablehlo.multiply %393, %391 : tensor<8x16x128xf32>
    %395 = stablehlo.multiply %394, %98 : tensor<8x16x128xf32>
    %396 = stablehlo.add %392, %395 : tensor<8x16x128xf32>
    %397 = stablehlo.dot_general %396, %92, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x128xf32>, tensor<8x16x32xf32>) -> tensor<128x32xf32>
    %398 = stablehlo.transpose %397, dims = [1, 0] : (tensor<128x32xf32>) -> tensor<32x128xf32>
    %399 = stablehlo.dot_general %396, %arg5, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x128xf32>, tensor<32x128xf32>) -> tensor<8x16x32xf32>
    %400 = stablehlo.multiply %89, %399 : tensor<8x16x32xf32>
    %cst_94 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %401 = stablehlo.reduce(%400 init: %cst_94) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %402 = stablehlo.reshape %401 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %403 = stablehlo.broadcast_in_dim %90, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %404 = stablehlo.multiply %399, %403 : tensor<8x16x32xf32>
    %cst_95 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %405 = stablehlo.reduce(%402 init: %cst_95) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %406 = stablehlo.multiply %72, %404 : tensor<8x16x32xf32>
    %cst_96 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %407 = stablehlo.reduce(%406 init: %cst_96) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %408 = stablehlo.reshape %407 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %409 = stablehlo.broadcast_in_dim %84, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %410 = stablehlo.multiply %404, %409 : tensor<8x16x32xf32>
    %411 = stablehlo.multiply %408, %87 : tensor<8x16x1xf32>
    %cst_97 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %412 = stablehlo.broadcast_in_dim %cst_97, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %413 = stablehlo.divide %411, %412 : tensor<8x16x1xf32>
    %cst_98 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %414 = stablehlo.reduce(%413 init: %cst_98) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %415 = stablehlo.broadcast_in_dim %414, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %416 = stablehlo.multiply %415, %77 : tensor<8x16x32xf32>
    %417 = stablehlo.negate %416 : tensor<8x16x32xf32>
    %cst_99 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %418 = stablehlo.reduce(%417 init: %cst_99) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %419 = stablehlo.reshape %418 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %420 = stablehlo.add %379, %416 : tensor<8x16x32xf32>
    %421 = stablehlo.negate %410 : tensor<8x16x32xf32>
    %cst_100 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %422 = stablehlo.reduce(%421 init: %cst_100) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %423 = stablehlo.reshape %422 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %424 = stablehlo.add %420, %410 : tensor<8x16x32xf32>
    %425 = stablehlo.add %419, %423 : tensor<8x16x1xf32>
    %cst_101 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %426 = stablehlo.broadcast_in_dim %cst_101, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %427 = stablehlo.divide %425, %426 : tensor<8x16x1xf32>
    %cst_102 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %428 = stablehlo.reduce(%427 init: %cst_102) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %429 = stablehlo.broadcast_in_dim %428, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %430 = stablehlo.add %424, %429 : tensor<8x16x32xf32>
    %431 = stablehlo.dot_general %430, %64, contracting_dims = [0, 1] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x4x8x16xf32>) -> tensor<32x4x8xf32>
    %432 = stablehlo.transpose %431, dims = [1, 2, 0] : (tensor<32x4x8xf32>) -> tensor<4x8x32xf32>
    %433 = stablehlo.dot_general %430, %arg1, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<4x8x32xf32>) -> tensor<8x16x4x8xf32>
    %434 = stablehlo.transpose %433, dims = [0, 2, 3, 1] : (tensor<8x16x4x8xf32>) -> tensor<8x4x8x16xf32>
    %435 = stablehlo.dot_general %434, %43, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8x16xf32>, tensor<8x16x4x8xf32>) -> tensor<8x4x16x16xf32>
    %436 = stablehlo.dot_general %434, %60, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8x16xf32>, tensor<8x4x16x16xf32>) -> tensor<8x4x8x16xf32>
    %437 = stablehlo.transpose %436, dims = [0, 3, 1, 2] : (tensor<8x4x8x16xf32>) -> tensor<8x16x4x8xf32>
    %438 = stablehlo.broadcast_in_dim %63, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %439 = stablehlo.multiply %435, %438 : tensor<8x4x16x16xf32>
    %440 = stablehlo.multiply %439, %56 : tensor<8x4x16x16xf32>
    %cst_103 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %441 = stablehlo.reduce(%440 init: %cst_103) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %442 = stablehlo.reshape %441 : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %443 = stablehlo.negate %442 : tensor<8x4x16x1xf32>
    %444 = stablehlo.broadcast_in_dim %58, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %445 = stablehlo.divide %435, %444 : tensor<8x4x16x16xf32>
    %cst_104 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %446 = stablehlo.reduce(%443 init: %cst_104) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x1xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %447 = stablehlo.broadcast_in_dim %446, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x16xf32>
    %448 = stablehlo.add %445, %447 : tensor<8x4x16x16xf32>
    %449 = stablehlo.multiply %448, %56 : tensor<8x4x16x16xf32>
    %450 = call @_where_1(%49#1, %449) : (tensor<8x4x16x16xi1>, tensor<8x4x16x16xf32>) -> tensor<8x4x16x16xf32>
    %cst_105 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %451 = stablehlo.broadcast_in_dim %cst_105, dims = [] : (tensor<f32>) -> tensor<8x4x16x16xf32>
    %452 = stablehlo.divide %450, %451 : tensor<8x4x16x16xf32>
    %453 = stablehlo.dot_general %452, %39, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x16xf32>, tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %454 = stablehlo.transpose %453, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %455 = stablehlo.dot_general %452, %41, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x16xf32>, tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %456 = stablehlo.transpose %455, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %457 = stablehlo.broadcast_in_dim %437, dims = [1, 2, 3, 4] : (tensor<8x16x4x8xf32>) -> tensor<1x8x16x4x8xf32>
    %cst_106 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %458 = stablehlo.pad %457, %cst_106, low = [2, 0, 0, 0, 0], high = [0, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x8x16x4x8xf32>, tensor<f32>) -> tensor<3x8x16x4x8xf32>
    %459 = stablehlo.broadcast_in_dim %454, dims = [1, 2, 3, 4] : (tensor<8x16x4x8xf32>) -> tensor<1x8x16x4x8xf32>
    %cst_107 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %460 = stablehlo.pad %459, %cst_107, low = [1, 0, 0, 0, 0], high = [1, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x8x16x4x8xf32>, tensor<f32>) -> tensor<3x8x16x4x8xf32>
    %461 = stablehlo.add %458, %460 : tensor<3x8x16x4x8xf32>
    %462 = stablehlo.broadcast_in_dim %456, dims = [1, 2, 3, 4] : (tensor<8x16x4x8xf32>) -> tensor<1x8x16x4x8xf32>
    %cst_108 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %463 = stablehlo.pad %462, %cst_108, low = [0, 0, 0, 0, 0], high = [2, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x8x16x4x8xf32>, tensor<f32>) -> tensor<3x8x16x4x8xf32>
    %464 = stablehlo.add %461, %463 : tensor<3x8x16x4x8xf32>
    %465 = stablehlo.transpose %464, dims = [1, 2, 0, 3, 4] : (tensor<3x8x16x4x8xf32>) -> tensor<8x16x3x4x8xf32>
    %466 = stablehlo.dot_general %465, %35, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x3x4x8xf32>, tensor<8x16x32xf32>) -> tensor<3x4x8x32xf32>
    %467 = stablehlo.transpose %466, dims = [3, 0, 1, 2] : (tensor<3x4x8x32xf32>) -> tensor<32x3x4x8xf32>
    %468 = stablehlo.dot_general %465, %arg2, contracting_dims = [2, 3, 4] x [1, 2, 3], precision = [DEFAULT, DEFAULT] : (tensor<8x16x3x4x8xf32>, tensor<32x3x4x8xf32>) -> tensor<8x16x32xf32>
    %469 = stablehlo.multiply %32, %468 : tensor<8x16x32xf32>
    %cst_109 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %470 = stablehlo.reduce(%469 init: %cst_109) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %471 = stablehlo.reshape %470 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %472 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %473 = stablehlo.multiply %468, %472 : tensor<8x16x32xf32>
    %cst_110 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %474 = stablehlo.reduce(%471 init: %cst_110) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %475 = stablehlo.multiply %15, %473 : tensor<8x16x32xf32>
    %cst_111 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %476 = stablehlo.reduce(%475 init: %cst_111) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %477 = stablehlo.reshape %476 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %478 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %479 = stablehlo.multiply %473, %478 : tensor<8x16x32xf32>
    %480 = stablehlo.multiply %477, %30 : tensor<8x16x1xf32>
    %cst_112 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %481 = stablehlo.broadcast_in_dim %cst_112, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %482 = stablehlo.divide %480, %481 : tensor<8x16x1xf32>
    %cst_113 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %483 = stablehlo.reduce(%482 init: %cst_113) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %484 = stablehlo.broadcast_in_dim %483, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %485 = stablehlo.multiply %484, %20 : tensor<8x16x32xf32>
    %486 = stablehlo.negate %485 : tensor<8x16x32xf32>
    %cst_114 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %487 = stablehlo.reduce(%486 init: %cst_114) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %488 = stablehlo.reshape %487 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %489 = stablehlo.add %430, %485 : tensor<8x16x32xf32>
    %490 = stablehlo.negate %479 : tensor<8x16x32xf32>
    %cst_115 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %491 = stablehlo.reduce(%490 init: %cst_115) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %492 = stablehlo.reshape %491 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %493 = stablehlo.add %489, %479 : tensor<8x16x32xf32>
    %494 = stablehlo.add %488, %492 : tensor<8x16x1xf32>
    %cst_116 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %495 = stablehlo.broadcast_in_dim %cst_116, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %496 = stablehlo.divide %494, %495 : tensor<8x16x1xf32>
    %cst_117 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %497 = stablehlo.reduce(%496 init: %cst_117) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %498 = stablehlo.broadcast_in_dim %497, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %499 = stablehlo.add %493, %498 : tensor<8x16x32xf32>
    %cst_118 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %500 = stablehlo.reduce(%499 init: %cst_118) applies stablehlo.add across dimensions = [0] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<16x32xf32>
    %501 = stablehlo.reshape %500 : (tensor<16x32xf32>) -> tensor<1x16x32xf32>
    %cst_119 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %502 = stablehlo.reduce(%501 init: %cst_119) applies stablehlo.add across dimensions = [0] : (tensor<1x16x32xf32>, tensor<f32>) -> tensor<16x32xf32>
    %cst_120 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %503 = stablehlo.broadcast_in_dim %cst_120, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %504 = "stablehlo.scatter"(%503, %5, %499) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg45: tensor<f32>, %arg46: tensor<f32>):
      %766 = stablehlo.add %arg45, %arg46 : tensor<f32>
      stablehlo.return %766 : tensor<f32>
    }) : (tensor<64x32xf32>, tensor<8x16x1xi32>, tensor<8x16x32xf32>) -> tensor<64x32xf32>
    %505 = stablehlo.add %259, %504 : tensor<64x32xf32>
    %cst_121 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %506 = stablehlo.add %arg42, %cst_121 : tensor<f32>
    %cst_122 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %507 = stablehlo.broadcast_in_dim %cst_122, dims = [] : (tensor<f32>) -> tensor<128x32xf32>
    %508 = stablehlo.multiply %507, %arg14 : tensor<128x32xf32>
    %cst_123 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %509 = stablehlo.broadcast_in_dim %cst_123, dims = [] : (tensor<f32>) -> tensor<128x32xf32>
    %510 = stablehlo.multiply %509, %381 : tensor<128x32xf32>
    %511 = stablehlo.add %508, %510 : tensor<128x32xf32>
    %cst_124 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %512 = stablehlo.broadcast_in_dim %cst_124, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %513 = stablehlo.multiply %512, %arg15 : tensor<4x8x32xf32>
    %cst_125 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %514 = stablehlo.broadcast_in_dim %cst_125, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %515 = stablehlo.multiply %514, %432 : tensor<4x8x32xf32>
    %516 = stablehlo.add %513, %515 : tensor<4x8x32xf32>
    %cst_126 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %517 = stablehlo.broadcast_in_dim %cst_126, dims = [] : (tensor<f32>) -> tensor<32x3x4x8xf32>
    %518 = stablehlo.multiply %517, %arg16 : tensor<32x3x4x8xf32>
    %cst_127 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %519 = stablehlo.broadcast_in_dim %cst_127, dims = [] : (tensor<f32>) -> tensor<32x3x4x8xf32>
    %520 = stablehlo.multiply %519, %467 : tensor<32x3x4x8xf32>
    %521 = stablehlo.add %518, %520 : tensor<32x3x4x8xf32>
    %cst_128 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %522 = stablehlo.broadcast_in_dim %cst_128, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %523 = stablehlo.multiply %522, %arg17 : tensor<32xf32>
    %cst_129 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %524 = stablehlo.broadcast_in_dim %cst_129, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %525 = stablehlo.multiply %524, %474 : tensor<32xf32>
    %526 = stablehlo.add %523, %525 : tensor<32xf32>
    %cst_130 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %527 = stablehlo.broadcast_in_dim %cst_130, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %528 = stablehlo.multiply %527, %arg18 : tensor<32xf32>
    %cst_131 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %529 = stablehlo.broadcast_in_dim %cst_131, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %530 = stablehlo.multiply %529, %405 : tensor<32xf32>
    %531 = stablehlo.add %528, %530 : tensor<32xf32>
    %cst_132 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %532 = stablehlo.broadcast_in_dim %cst_132, dims = [] : (tensor<f32>) -> tensor<32x128xf32>
    %533 = stablehlo.multiply %532, %arg19 : tensor<32x128xf32>
    %cst_133 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %534 = stablehlo.broadcast_in_dim %cst_133, dims = [] : (tensor<f32>) -> tensor<32x128xf32>
    %535 = stablehlo.multiply %534, %398 : tensor<32x128xf32>
    %536 = stablehlo.add %533, %535 : tensor<32x128xf32>
    %cst_134 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %537 = stablehlo.broadcast_in_dim %cst_134, dims = [] : (tensor<f32>) -> tensor<128x32xf32>
    %538 = stablehlo.multiply %537, %arg20 : tensor<128x32xf32>
    %cst_135 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %539 = stablehlo.broadcast_in_dim %cst_135, dims = [] : (tensor<f32>) -> tensor<128x32xf32>
    %540 = stablehlo.multiply %539, %261 : tensor<128x32xf32>
    %541 = stablehlo.add %538, %540 : tensor<128x32xf32>
    %cst_136 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %542 = stablehlo.broadcast_in_dim %cst_136, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %543 = stablehlo.multiply %542, %arg21 : tensor<4x8x32xf32>
    %cst_137 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %544 = stablehlo.broadcast_in_dim %cst_137, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %545 = stablehlo.multiply %544, %312 : tensor<4x8x32xf32>
    %546 = stablehlo.add %543, %545 : tensor<4x8x32xf32>
    %cst_138 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %547 = stablehlo.broadcast_in_dim %cst_138, dims = [] : (tensor<f32>) -> tensor<32x3x4x8xf32>
    %548 = stablehlo.multiply %547, %arg22 : tensor<32x3x4x8xf32>
    %cst_139 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %549 = stablehlo.broadcast_in_dim %cst_139, dims = [] : (tensor<f32>) -> tensor<32x3x4x8xf32>
    %550 = stablehlo.multiply %549, %347 : tensor<32x3x4x8xf32>
    %551 = stablehlo.add %548, %550 : tensor<32x3x4x8xf32>
    %cst_140 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %552 = stablehlo.broadcast_in_dim %cst_140, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %553 = stablehlo.multiply %552, %arg23 : tensor<32xf32>
    %cst_141 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %554 = stablehlo.broadcast_in_dim %cst_141, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %555 = stablehlo.multiply %554, %354 : tensor<32xf32>
    %556 = stablehlo.add %553, %555 : tensor<32xf32>
    %cst_142 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %557 = stablehlo.broadcast_in_dim %cst_142, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %558 = stablehlo.multiply %557, %arg24 : tensor<32xf32>
    %cst_143 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %559 = stablehlo.broadcast_in_dim %cst_143, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %560 = stablehlo.multiply %559, %285 : tensor<32xf32>
    %561 = stablehlo.add %558, %560 : tensor<32xf32>
    %cst_144 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %562 = stablehlo.broadcast_in_dim %cst_144, dims = [] : (tensor<f32>) -> tensor<32x128xf32>
    %563 = stablehlo.multiply %562, %arg25 : tensor<32x128xf32>
    %cst_145 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %564 = stablehlo.broadcast_in_dim %cst_145, dims = [] : (tensor<f32>) -> tensor<32x128xf32>
    %565 = stablehlo.multiply %564, %278 : tensor<32x128xf32>
    %566 = stablehlo.add %563, %565 : tensor<32x128xf32>
    %cst_146 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %567 = stablehlo.broadcast_in_dim %cst_146, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %568 = stablehlo.multiply %567, %arg26 : tensor<16x32xf32>
    %cst_147 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %569 = stablehlo.broadcast_in_dim %cst_147, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %570 = stablehlo.multiply %569, %502 : tensor<16x32xf32>
    %571 = stablehlo.add %568, %570 : tensor<16x32xf32>
    %cst_148 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %572 = stablehlo.broadcast_in_dim %cst_148, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %573 = stablehlo.multiply %572, %arg27 : tensor<64x32xf32>
    %cst_149 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %574 = stablehlo.broadcast_in_dim %cst_149, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %575 = stablehlo.multiply %574, %505 : tensor<64x32xf32>
    %576 = stablehlo.add %573, %575 : tensor<64x32xf32>
    %cst_150 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %577 = stablehlo.broadcast_in_dim %cst_150, dims = [] : (tensor<f32>) -> tensor<128x32xf32>
    %578 = stablehlo.multiply %577, %arg28 : tensor<128x32xf32>
    %cst_151 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %579 = stablehlo.broadcast_in_dim %cst_151, dims = [] : (tensor<f32>) -> tensor<128x32xf32>
    %580 = stablehlo.multiply %579, %381 : tensor<128x32xf32>
    %581 = stablehlo.multiply %580, %381 : tensor<128x32xf32>
    %582 = stablehlo.add %578, %581 : tensor<128x32xf32>
    %cst_152 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %583 = stablehlo.broadcast_in_dim %cst_152, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %584 = stablehlo.multiply %583, %arg29 : tensor<4x8x32xf32>
    %cst_153 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %585 = stablehlo.broadcast_in_dim %cst_153, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %586 = stablehlo.multiply %585, %432 : tensor<4x8x32xf32>
    %587 = stablehlo.multiply %586, %432 : tensor<4x8x32xf32>
    %588 = stablehlo.add %584, %587 : tensor<4x8x32xf32>
    %cst_154 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %589 = stablehlo.broadcast_in_dim %cst_154, dims = [] : (tensor<f32>) -> tensor<32x3x4x8xf32>
    %590 = stablehlo.multiply %589, %arg30 : tensor<32x3x4x8xf32>
    %cst_155 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %591 = stablehlo.broadcast_in_dim %cst_155, dims = [] : (tensor<f32>) -> tensor<32x3x4x8xf32>
    %592 = stablehlo.multiply %591, %467 : tensor<32x3x4x8xf32>
    %593 = stablehlo.multiply %592, %467 : tensor<32x3x4x8xf32>
    %594 = stablehlo.add %590, %593 : tensor<32x3x4x8xf32>
    %cst_156 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %595 = stablehlo.broadcast_in_dim %cst_156, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %596 = stablehlo.multiply %595, %arg31 : tensor<32xf32>
    %cst_157 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %597 = stablehlo.broadcast_in_dim %cst_157, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %598 = stablehlo.multiply %597, %474 : tensor<32xf32>
    %599 = stablehlo.multiply %598, %474 : tensor<32xf32>
    %600 = stablehlo.add %596, %599 : tensor<32xf32>
    %cst_158 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %601 = stablehlo.broadcast_in_dim %cst_158, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %602 = stablehlo.multiply %601, %arg32 : tensor<32xf32>
    %cst_159 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %603 = stablehlo.broadcast_in_dim %cst_159, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %604 = stablehlo.multiply %603, %405 : tensor<32xf32>
    %605 = stablehlo.multiply %604, %405 : tensor<32xf32>
    %606 = stablehlo.add %602, %605 : tensor<32xf32>
    %cst_160 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %607 = stablehlo.broadcast_in_dim %cst_160, dims = [] : (tensor<f32>) -> tensor<32x128xf32>
    %608 = stablehlo.multiply %607, %arg33 : tensor<32x128xf32>
    %cst_161 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %609 = stablehlo.broadcast_in_dim %cst_161, dims = [] : (tensor<f32>) -> tensor<32x128xf32>
    %610 = stablehlo.multiply %609, %398 : tensor<32x128xf32>
    %611 = stablehlo.multiply %610, %398 : tensor<32x128xf32>
    %612 = stablehlo.add %608, %611 : tensor<32x128xf32>
    %cst_162 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %613 = stablehlo.broadcast_in_dim %cst_162, dims = [] : (tensor<f32>) -> tensor<128x32xf32>
    %614 = stablehlo.multiply %613, %arg34 : tensor<128x32xf32>
    %cst_163 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %615 = stablehlo.broadcast_in_dim %cst_163, dims = [] : (tensor<f32>) -> tensor<128x32xf32>
    %616 = stablehlo.multiply %615, %261 : tensor<128x32xf32>
    %617 = stablehlo.multiply %616, %261 : tensor<128x32xf32>
    %618 = stablehlo.add %614, %617 : tensor<128x32xf32>
    %cst_164 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %619 = stablehlo.broadcast_in_dim %cst_164, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %620 = stablehlo.multiply %619, %arg35 : tensor<4x8x32xf32>
    %cst_165 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %621 = stablehlo.broadcast_in_dim %cst_165, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %622 = stablehlo.multiply %621, %312 : tensor<4x8x32xf32>
    %623 = stablehlo.multiply %622, %312 : tensor<4x8x32xf32>
    %624 = stablehlo.add %620, %623 : tensor<4x8x32xf32>
    %cst_166 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %625 = stablehlo.broadcast_in_dim %cst_166, dims = [] : (tensor<f32>) -> tensor<32x3x4x8xf32>
    %626 = stablehlo.multiply %625, %arg36 : tensor<32x3x4x8xf32>
    %cst_167 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %627 = stablehlo.broadcast_in_dim %cst_167, dims = [] : (tensor<f32>) -> tensor<32x3x4x8xf32>
    %628 = stablehlo.multiply %627, %347 : tensor<32x3x4x8xf32>
    %629 = stablehlo.multiply %628, %347 : tensor<32x3x4x8xf32>
    %630 = stablehlo.add %626, %629 : tensor<32x3x4x8xf32>
    %cst_168 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %631 = stablehlo.broadcast_in_dim %cst_168, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %632 = stablehlo.multiply %631, %arg37 : tensor<32xf32>
    %cst_169 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %633 = stablehlo.broadcast_in_dim %cst_169, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %634 = stablehlo.multiply %633, %354 : tensor<32xf32>
    %635 = stablehlo.multiply %634, %354 : tensor<32xf32>
    %636 = stablehlo.add %632, %635 : tensor<32xf32>
    %cst_170 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %637 = stablehlo.broadcast_in_dim %cst_170, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %638 = stablehlo.multiply %637, %arg38 : tensor<32xf32>
    %cst_171 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %639 = stablehlo.broadcast_in_dim %cst_171, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %640 = stablehlo.multiply %639, %285 : tensor<32xf32>
    %641 = stablehlo.multiply %640, %285 : tensor<32xf32>
    %642 = stablehlo.add %638, %641 : tensor<32xf32>
    %cst_172 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %643 = stablehlo.broadcast_in_dim %cst_172, dims = [] : (tensor<f32>) -> tensor<32x128xf32>
    %644 = stablehlo.multiply %643, %arg39 : tensor<32x128xf32>
    %cst_173 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %645 = stablehlo.broadcast_in_dim %cst_173, dims = [] : (tensor<f32>) -> tensor<32x128xf32>
    %646 = stablehlo.multiply %645, %278 : tensor<32x128xf32>
    %647 = stablehlo.multiply %646, %278 : tensor<32x128xf32>
    %648 = stablehlo.add %644, %647 : tensor<32x128xf32>
    %cst_174 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %649 = stablehlo.broadcast_in_dim %cst_174, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %650 = stablehlo.multiply %649, %arg40 : tensor<16x32xf32>
    %cst_175 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %651 = stablehlo.broadcast_in_dim %cst_175, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %652 = stablehlo.multiply %651, %502 : tensor<16x32xf32>
    %653 = stablehlo.multiply %652, %502 : tensor<16x32xf32>
    %654 = stablehlo.add %650, %653 : tensor<16x32xf32>
    %cst_176 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %655 = stablehlo.broadcast_in_dim %cst_176, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %656 = stablehlo.multiply %655, %arg41 : tensor<64x32xf32>
    %cst_177 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %657 = stablehlo.broadcast_in_dim %cst_177, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %658 = stablehlo.multiply %657, %505 : tensor<64x32xf32>
    %659 = stablehlo.multiply %658, %505 : tensor<64x32xf32>
    %660 = stablehlo.add %656, %659 : tensor<64x32xf32>
    %cst_178 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %661 = stablehlo.power %cst_178, %506 : tensor<f32>
    %cst_179 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %662 = stablehlo.subtract %cst_179, %661 : tensor<f32>
    %663 = stablehlo.sqrt %662 : tensor<f32>
    %cst_180 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %664 = stablehlo.multiply %cst_180, %663 : tensor<f32>
    %cst_181 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %665 = stablehlo.power %cst_181, %506 : tensor<f32>
    %cst_182 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %666 = stablehlo.subtract %cst_182, %665 : tensor<f32>
    %667 = stablehlo.divide %664, %666 : tensor<f32>
    %668 = stablehlo.broadcast_in_dim %667, dims = [] : (tensor<f32>) -> tensor<128x32xf32>
    %669 = stablehlo.multiply %668, %511 : tensor<128x32xf32>
    %670 = stablehlo.sqrt %582 : tensor<128x32xf32>
    %cst_183 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %671 = stablehlo.broadcast_in_dim %cst_183, dims = [] : (tensor<f32>) -> tensor<128x32xf32>
    %672 = stablehlo.add %670, %671 : tensor<128x32xf32>
    %673 = stablehlo.divide %669, %672 : tensor<128x32xf32>
    %674 = stablehlo.subtract %arg0, %673 : tensor<128x32xf32>
    %675 = stablehlo.broadcast_in_dim %667, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %676 = stablehlo.multiply %675, %516 : tensor<4x8x32xf32>
    %677 = stablehlo.sqrt %588 : tensor<4x8x32xf32>
    %cst_184 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %678 = stablehlo.broadcast_in_dim %cst_184, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %679 = stablehlo.add %677, %678 : tensor<4x8x32xf32>
    %680 = stablehlo.divide %676, %679 : tensor<4x8x32xf32>
    %681 = stablehlo.subtract %arg1, %680 : tensor<4x8x32xf32>
    %682 = stablehlo.broadcast_in_dim %667, dims = [] : (tensor<f32>) -> tensor<32x3x4x8xf32>
    %683 = stablehlo.multiply %682, %521 : tensor<32x3x4x8xf32>
    %684 = stablehlo.sqrt %594 : tensor<32x3x4x8xf32>
    %cst_185 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %685 = stablehlo.broadcast_in_dim %cst_185, dims = [] : (tensor<f32>) -> tensor<32x3x4x8xf32>
    %686 = stablehlo.add %684, %685 : tensor<32x3x4x8xf32>
    %687 = stablehlo.divide %683, %686 : tensor<32x3x4x8xf32>
    %688 = stablehlo.subtract %arg2, %687 : tensor<32x3x4x8xf32>
    %689 = stablehlo.broadcast_in_dim %667, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %690 = stablehlo.multiply %689, %526 : tensor<32xf32>
    %691 = stablehlo.sqrt %600 : tensor<32xf32>
    %cst_186 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %692 = stablehlo.broadcast_in_dim %cst_186, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %693 = stablehlo.add %691, %692 : tensor<32xf32>
    %694 = stablehlo.divide %690, %693 : tensor<32xf32>
    %695 = stablehlo.subtract %arg3, %694 : tensor<32xf32>
    %696 = stablehlo.broadcast_in_dim %667, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %697 = stablehlo.multiply %696, %531 : tensor<32xf32>
    %698 = stablehlo.sqrt %606 : tensor<32xf32>
    %cst_187 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %699 = stablehlo.broadcast_in_dim %cst_187, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %700 = stablehlo.add %698, %699 : tensor<32xf32>
    %701 = stablehlo.divide %697, %700 : tensor<32xf32>
    %702 = stablehlo.subtract %arg4, %701 : tensor<32xf32>
    %703 = stablehlo.broadcast_in_dim %667, dims = [] : (tensor<f32>) -> tensor<32x128xf32>
    %704 = stablehlo.multiply %703, %536 : tensor<32x128xf32>
    %705 = stablehlo.sqrt %612 : tensor<32x128xf32>
    %cst_188 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %706 = stablehlo.broadcast_in_dim %cst_188, dims = [] : (tensor<f32>) -> tensor<32x128xf32>
    %707 = stablehlo.add %705, %706 : tensor<32x128xf32>
    %708 = stablehlo.divide %704, %707 : tensor<32x128xf32>
    %709 = stablehlo.subtract %arg5, %708 : tensor<32x128xf32>
    %710 = stablehlo.broadcast_in_dim %667, dims = [] : (tensor<f32>) -> tensor<128x32xf32>
    %711 = stablehlo.multiply %710, %541 : tensor<128x32xf32>
    %712 = stablehlo.sqrt %618 : tensor<128x32xf32>
    %cst_189 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %713 = stablehlo.broadcast_in_dim %cst_189, dims = [] : (tensor<f32>) -> tensor<128x32xf32>
    %714 = stablehlo.add %712, %713 : tensor<128x32xf32>
    %715 = stablehlo.divide %711, %714 : tensor<128x32xf32>
    %716 = stablehlo.subtract %arg6, %715 : tensor<128x32xf32>
    %717 = stablehlo.broadcast_in_dim %667, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %718 = stablehlo.multiply %717, %546 : tensor<4x8x32xf32>
    %719 = stablehlo.sqrt %624 : tensor<4x8x32xf32>
    %cst_190 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %720 = stablehlo.broadcast_in_dim %cst_190, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %721 = stablehlo.add %719, %720 : tensor<4x8x32xf32>
    %722 = stablehlo.divide %718, %721 : tensor<4x8x32xf32>
    %723 = stablehlo.subtract %arg7, %722 : tensor<4x8x32xf32>
    %724 = stablehlo.broadcast_in_dim %667, dims = [] : (tensor<f32>) -> tensor<32x3x4x8xf32>
    %725 = stablehlo.multiply %724, %551 : tensor<32x3x4x8xf32>
    %726 = stablehlo.sqrt %630 : tensor<32x3x4x8xf32>
    %cst_191 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %727 = stablehlo.broadcast_in_dim %cst_191, dims = [] : (tensor<f32>) -> tensor<32x3x4x8xf32>
    %728 = stablehlo.add %726, %727 : tensor<32x3x4x8xf32>
    %729 = stablehlo.divide %725, %728 : tensor<32x3x4x8xf32>
    %730 = stablehlo.subtract %arg8, %729 : tensor<32x3x4x8xf32>
    %731 = stablehlo.broadcast_in_dim %667, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %732 = stablehlo.multiply %731, %556 : tensor<32xf32>
    %733 = stablehlo.sqrt %636 : tensor<32xf32>
    %cst_192 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %734 = stablehlo.broadcast_in_dim %cst_192, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %735 = stablehlo.add %733, %734 : tensor<32xf32>
    %736 = stablehlo.divide %732, %735 : tensor<32xf32>
    %737 = stablehlo.subtract %arg9, %736 : tensor<32xf32>
    %738 = stablehlo.broadcast_in_dim %667, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %739 = stablehlo.multiply %738, %561 : tensor<32xf32>
    %740 = stablehlo.sqrt %642 : tensor<32xf32>
    %cst_193 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %741 = stablehlo.broadcast_in_dim %cst_193, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %742 = stablehlo.add %740, %741 : tensor<32xf32>
    %743 = stablehlo.divide %739, %742 : tensor<32xf32>
    %744 = stablehlo.subtract %arg10, %743 : tensor<32xf32>
    %745 = stablehlo.broadcast_in_dim %667, dims = [] : (tensor<f32>) -> tensor<32x128xf32>
    %746 = stablehlo.multiply %745, %566 : tensor<32x128xf32>
    %747 = stablehlo.sqrt %648 : tensor<32x128xf32>
    %cst_194 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %748 = stablehlo.broadcast_in_dim %cst_194, dims = [] : (tensor<f32>) -> tensor<32x128xf32>
    %749 = stablehlo.add %747, %748 : tensor<32x128xf32>
    %750 = stablehlo.divide %746, %749 : tensor<32x128xf32>
    %751 = stablehlo.subtract %arg11, %750 : tensor<32x128xf32>
    %752 = stablehlo.broadcast_in_dim %667, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %753 = stablehlo.multiply %752, %571 : tensor<16x32xf32>
    %754 = stablehlo.sqrt %654 : tensor<16x32xf32>
    %cst_195 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %755 = stablehlo.broadcast_in_dim %cst_195, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %756 = stablehlo.add %754, %755 : tensor<16x32xf32>
    %757 = stablehlo.divide %753, %756 : tensor<16x32xf32>
    %758 = stablehlo.subtract %arg12, %757 : tensor<16x32xf32>
    %759 = stablehlo.broadcast_in_dim %667, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %760 = stablehlo.multiply %759, %576 : tensor<64x32xf32>
    %761 = stablehlo.sqrt %660 : tensor<64x32xf32>
    %cst_196 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %762 = stablehlo.broadcast_in_dim %cst_196, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %763 = stablehlo.add %761, %762 : tensor<64x32xf32>
    %764 = stablehlo.divide %760, %763 : tensor<64x32xf32>
    %765 = stablehlo.subtract %arg13, %764 : tensor<64x32xf32>
    return %674, %681, %688, %695, %702, %709, %716, %723, %730, %737, %744, %751, %758, %765, %511, %516, %521, %526, %531, %536, %541, %546, %551, %556, %561, %566, %571, %576, %582, %588, %594, %600, %606, %612, %618, %624, %630, %636, %642, %648, %654, %660, %506, %241 : tensor<128x32xf32>, tensor<4x8x32xf32>, tensor<32x3x4x8xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32x128xf32>, tensor<128x32xf32>, tensor<4x8x32xf32>, tensor<32x3x4x8xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32x128xf32>, tensor<16x32xf32>, tensor<64x32xf32>, tensor<128x32xf32>, tensor<4x8x32xf32>, tensor<32x3x4x8xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32x128xf32>, tensor<128x32xf32>, tensor<4x8x32xf32>, tensor<32x3x4x8xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32x128xf32>, tensor<16x32xf32>, tensor<64x32xf32>, tensor<128x32xf32>, tensor<4x8x32xf32>, tensor<32x3x4x8xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32x128xf32>, tensor<128x32xf32>, tensor<4x8x32xf32>, tensor<32x3x4x8xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32x128xf32>, tensor<16x32xf32>, tensor<64x32xf32>, tensor<f32>, tensor<f32>
  }
  func.func private @tril(%arg0: tensor<16x16xi1>) -> tensor<16x16xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<16x16xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16x16xi32>
    %2 = stablehlo.add %0, %1 : tensor<16x16xi32>
    %3 = stablehlo.iota dim = 1 : tensor<16x16xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<16x16xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<16x16xi1>, tensor<16x16xi1>
    return %6 : tensor<16x16xi1>
  }
  func.func private @_where(%arg0: tensor<16x16xi1>, %arg1: tensor<8x4x16x16xf32>, %arg2: tensor<f32>) -> (tensor<8x4x16x16xf32>, tensor<8x4x16x16xi1>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<16x16xi1>) -> tensor<8x4x16x16xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8x4x16x16xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<8x4x16x16xi1>, tensor<8x4x16x16xf32>
    return %3, %1 : tensor<8x4x16x16xf32>, tensor<8x4x16x16xi1>
  }
  func.func private @take_along_axis(%arg0: tensor<8x16x64xf32>, %arg1: tensor<8x16x1xi32>) -> (tensor<8x16x1xf32>, tensor<8x16x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x16x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<8x16x1xi32>, tensor<8x16x1xi32>) -> tensor<8x16x1xi1>
    %c_0 = stablehlo.constant dense<64> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<8x16x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<8x16x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<8x16x1xi1>, tensor<8x16x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<8x16x1xi32>) -> tensor<8x16x1x1xi32>
    %c_1 = stablehlo.constant dense<63> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<8x16x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<8x16x1x1xi32>, tensor<8x16x1x1xi32>) -> tensor<8x16x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [3] : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xi32>) -> tensor<8x16x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<8x16x1x1xi32>, tensor<8x16x1x1xi32>) -> tensor<8x16x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<8x16x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [3] : (tensor<8x16x1x1xi1>, tensor<i1>) -> tensor<8x16x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<8x16x64xf32>, tensor<8x16x1x1xi32>) -> tensor<8x16x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<8x16x1xi1>, tensor<8x16x1xf32>
    return %15, %5 : tensor<8x16x1xf32>, tensor<8x16x1x1xi32>
  }
  func.func private @take_along_axis_0(%arg0: tensor<8x16x1x1xi32>, %arg1: tensor<8x16x1xf32>) -> tensor<8x16x64xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<8x16x64xf32>, tensor<8x16x1x1xi32>, tensor<8x16x1xf32>) -> tensor<8x16x64xf32>
    return %1 : tensor<8x16x64xf32>
  }
  func.func private @_where_1(%arg0: tensor<8x4x16x16xi1>, %arg1: tensor<8x4x16x16xf32>) -> tensor<8x4x16x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x4x16x16xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<8x4x16x16xi1>, tensor<8x4x16x16xf32>
    return %1 : tensor<8x4x16x16xf32>
  }
}
