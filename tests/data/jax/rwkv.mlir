module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x32xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<8xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<8xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<16x8xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<8x8xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<3x8xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<8x8xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<8x8xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<8x16xf32> {tf.aliasing_output = 8 : i32}, %arg9: tensor<8x8xf32> {tf.aliasing_output = 9 : i32}, %arg10: tensor<8xf32> {tf.aliasing_output = 10 : i32}, %arg11: tensor<8xf32> {tf.aliasing_output = 11 : i32}, %arg12: tensor<16x8xf32> {tf.aliasing_output = 12 : i32}, %arg13: tensor<8x8xf32> {tf.aliasing_output = 13 : i32}, %arg14: tensor<3x8xf32> {tf.aliasing_output = 14 : i32}, %arg15: tensor<8x8xf32> {tf.aliasing_output = 15 : i32}, %arg16: tensor<8x8xf32> {tf.aliasing_output = 16 : i32}, %arg17: tensor<8x16xf32> {tf.aliasing_output = 17 : i32}, %arg18: tensor<8x8xf32> {tf.aliasing_output = 18 : i32}, %arg19: tensor<32x8xf32> {tf.aliasing_output = 19 : i32}, %arg20: tensor<4x6xi32>, %arg21: tensor<4x6xi32>) -> (tensor<8x32xf32> {jax.result_info = "result[0]['head']"}, tensor<8xf32> {jax.result_info = "result[0]['layers'][0]['bonus']"}, tensor<8xf32> {jax.result_info = "result[0]['layers'][0]['decay']"}, tensor<16x8xf32> {jax.result_info = "result[0]['layers'][0]['down']"}, tensor<8x8xf32> {jax.result_info = "result[0]['layers'][0]['k']"}, tensor<3x8xf32> {jax.result_info = "result[0]['layers'][0]['mix']"}, tensor<8x8xf32> {jax.result_info = "result[0]['layers'][0]['o']"}, tensor<8x8xf32> {jax.result_info = "result[0]['layers'][0]['r']"}, tensor<8x16xf32> {jax.result_info = "result[0]['layers'][0]['up']"}, tensor<8x8xf32> {jax.result_info = "result[0]['layers'][0]['v']"}, tensor<8xf32> {jax.result_info = "result[0]['layers'][1]['bonus']"}, tensor<8xf32> {jax.result_info = "result[0]['layers'][1]['decay']"}, tensor<16x8xf32> {jax.result_info = "result[0]['layers'][1]['down']"}, tensor<8x8xf32> {jax.result_info = "result[0]['layers'][1]['k']"}, tensor<3x8xf32> {jax.result_info = "result[0]['layers'][1]['mix']"}, tensor<8x8xf32> {jax.result_info = "result[0]['layers'][1]['o']"}, tensor<8x8xf32> {jax.result_info = "result[0]['layers'][1]['r']"}, tensor<8x16xf32> {jax.result_info = "result[0]['layers'][1]['up']"}, tensor<8x8xf32> {jax.result_info = "result[0]['layers'][1]['v']"}, tensor<32x8xf32> {jax.result_info = "result[0]['wte']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x6xi32>
    %1 = stablehlo.compare LT, %arg20, %0, SIGNED : (tensor<4x6xi32>, tensor<4x6xi32>) -> tensor<4x6xi1>
    %c_0 = stablehlo.constant dense<32> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x6xi32>
    %3 = stablehlo.add %arg20, %2 : tensor<4x6xi32>
    %4 = stablehlo.select %1, %3, %arg20 : tensor<4x6xi1>, tensor<4x6xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<4x6xi32>) -> tensor<4x6x1xi32>
    %6 = "stablehlo.gather"(%arg19, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<32x8xf32>, tensor<4x6x1xi32>) -> tensor<4x6x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<4x6xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %cst_1 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<4x6x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x8xf32>
    %12 = stablehlo.subtract %6, %11 : tensor<4x6x8xf32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %13:4 = call @_var(%6, %c_2) : (tensor<4x6x8xf32>, tensor<i32>) -> (tensor<4x6x1xf32>, tensor<4x6x8xf32>, tensor<f32>, tensor<i1>)
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %15 = stablehlo.add %13#0, %14 : tensor<4x6x1xf32>
    %16 = stablehlo.rsqrt %15 : tensor<4x6x1xf32>
    %17 = stablehlo.divide %16, %15 : tensor<4x6x1xf32>
    %cst_4 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %19 = stablehlo.multiply %18, %17 : tensor<4x6x1xf32>
    %20 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x8xf32>
    %21 = stablehlo.multiply %12, %20 : tensor<4x6x8xf32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %22 = call @_pad(%21, %c_5) : (tensor<4x6x8xf32>, tensor<i32>) -> tensor<4x7x8xf32>
    %23 = stablehlo.slice %22 [0:4, 0:6, 0:8] : (tensor<4x7x8xf32>) -> tensor<4x6x8xf32>
    %24 = stablehlo.slice %arg5 [0:1, 0:8] : (tensor<3x8xf32>) -> tensor<1x8xf32>
    %25 = stablehlo.reshape %24 : (tensor<1x8xf32>) -> tensor<8xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<4x6x8xf32>
    %28 = stablehlo.multiply %21, %27 : tensor<4x6x8xf32>
    %29 = stablehlo.slice %arg5 [0:1, 0:8] : (tensor<3x8xf32>) -> tensor<1x8xf32>
    %30 = stablehlo.reshape %29 : (tensor<1x8xf32>) -> tensor<8xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %32 = stablehlo.subtract %31, %30 : tensor<8xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<4x6x8xf32>
    %35 = stablehlo.multiply %23, %34 : tensor<4x6x8xf32>
    %36 = stablehlo.add %28, %35 : tensor<4x6x8xf32>
    %37 = stablehlo.slice %arg5 [1:2, 0:8] : (tensor<3x8xf32>) -> tensor<1x8xf32>
    %38 = stablehlo.reshape %37 : (tensor<1x8xf32>) -> tensor<8xf32>
    %39 = stablehlo.broadcast_in_dim %38, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<4x6x8xf32>
    %41 = stablehlo.multiply %21, %40 : tensor<4x6x8xf32>
    %42 = stablehlo.slice %arg5 [1:2, 0:8] : (tensor<3x8xf32>) -> tensor<1x8xf32>
    %43 = stablehlo.reshape %42 : (tensor<1x8xf32>) -> tensor<8xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %45 = stablehlo.subtract %44, %43 : tensor<8xf32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %47 = stablehlo.broadcast_in_dim %46, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<4x6x8xf32>
    %48 = stablehlo.multiply %23, %47 : tensor<4x6x8xf32>
    %49 = stablehlo.add %41, %48 : tensor<4x6x8xf32>
    %50 = stablehlo.slice %arg5 [2:3, 0:8] : (tensor<3x8xf32>) -> tensor<1x8xf32>
    %51 = stablehlo.reshape %50 : (tensor<1x8xf32>) -> tensor<8xf32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<4x6x8xf32>
    %54 = stablehlo.multiply %21, %53 : tensor<4x6x8xf32>
    %55 = stablehlo.slice %arg5 [2:3, 0:8] : (tensor<3x8xf32>) -> tensor<1x8xf32>
    %56 = stablehlo.reshape %55 : (tensor<1x8xf32>) -> tensor<8xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %58 = stablehlo.subtract %57, %56 : tensor<8xf32>
    %59 = stablehlo.broadcast_in_dim %58, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %60 = stablehlo.broadcast_in_dim %59, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<4x6x8xf32>
    %61 = stablehlo.multiply %23, %60 : tensor<4x6x8xf32>
    %62 = stablehlo.add %54, %61 : tensor<4x6x8xf32>
    %63 = stablehlo.dot_general %36, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<8x8xf32>) -> tensor<4x6x8xf32>
    %64 = stablehlo.dot_general %49, %arg9, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<8x8xf32>) -> tensor<4x6x8xf32>
    %65 = stablehlo.dot_general %62, %arg7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<8x8xf32>) -> tensor<4x6x8xf32>
    %66 = stablehlo.negate %65 : tensor<4x6x8xf32>
    %67 = stablehlo.exponential %66 : tensor<4x6x8xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x6x8xf32>
    %69 = stablehlo.add %68, %67 : tensor<4x6x8xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x6x8xf32>
    %71 = stablehlo.divide %70, %69 : tensor<4x6x8xf32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x6x8xf32>
    %73 = stablehlo.subtract %72, %71 : tensor<4x6x8xf32>
    %74 = stablehlo.multiply %71, %73 : tensor<4x6x8xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_13 = stablehlo.constant dense<1.000000e+30> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %77 = stablehlo.subtract %75, %76 : tensor<4x8xf32>
    %78 = stablehlo.transpose %63, dims = [1, 0, 2] : (tensor<4x6x8xf32>) -> tensor<6x4x8xf32>
    %79 = stablehlo.transpose %64, dims = [1, 0, 2] : (tensor<4x6x8xf32>) -> tensor<6x4x8xf32>
    %80 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %81 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_16 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %85 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_20 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %89 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %90 = stablehlo.exponential %arg2 : tensor<8xf32>
    %91 = stablehlo.broadcast_in_dim %90, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %cst_22 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %93 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_24 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %94 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_25 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %95 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %97 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_28 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %98 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_29 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %100 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %101 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %103 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %106 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %108 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %109 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %110 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %111 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %112 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %113 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %c_44 = stablehlo.constant dense<0> : tensor<i32>
    %114:39 = stablehlo.while(%iterArg = %78, %iterArg_216 = %79, %iterArg_217 = %91, %iterArg_218 = %80, %iterArg_219 = %89, %iterArg_220 = %82, %iterArg_221 = %81, %iterArg_222 = %84, %iterArg_223 = %83, %iterArg_224 = %86, %iterArg_225 = %85, %iterArg_226 = %88, %iterArg_227 = %87, %iterArg_228 = %93, %iterArg_229 = %92, %iterArg_230 = %95, %iterArg_231 = %94, %iterArg_232 = %97, %iterArg_233 = %96, %iterArg_234 = %99, %iterArg_235 = %98, %iterArg_236 = %c_44, %iterArg_237 = %75, %iterArg_238 = %75, %iterArg_239 = %77, %iterArg_240 = %100, %iterArg_241 = %101, %iterArg_242 = %102, %iterArg_243 = %103, %iterArg_244 = %104, %iterArg_245 = %105, %iterArg_246 = %106, %iterArg_247 = %107, %iterArg_248 = %108, %iterArg_249 = %109, %iterArg_250 = %110, %iterArg_251 = %111, %iterArg_252 = %112, %iterArg_253 = %113) : tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>
    cond {
      %c_254 = stablehlo.constant dense<6> : tensor<i32>
      %676 = stablehlo.compare LT, %iterArg_236, %c_254, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %676 : tensor<i1>
    } do {
      %676 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_236) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %677 = func.call @dynamic_index_in_dim(%iterArg_216, %iterArg_236) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %678:17 = func.call @closed_call(%iterArg_217, %iterArg_218, %iterArg_219, %iterArg_220, %iterArg_221, %iterArg_222, %iterArg_223, %iterArg_224, %iterArg_225, %iterArg_226, %iterArg_227, %iterArg_228, %iterArg_229, %iterArg_230, %iterArg_231, %iterArg_232, %iterArg_233, %iterArg_234, %iterArg_235, %iterArg_237, %iterArg_238, %iterArg_239, %676, %677) : (tensor<1x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
      %679 = func.call @dynamic_update_index_in_dim(%iterArg_240, %678#3, %iterArg_236) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %680 = func.call @dynamic_update_index_in_dim(%iterArg_241, %678#4, %iterArg_236) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %681 = func.call @dynamic_update_index_in_dim(%iterArg_242, %678#5, %iterArg_236) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %682 = func.call @dynamic_update_index_in_dim(%iterArg_243, %678#6, %iterArg_236) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %683 = func.call @dynamic_update_index_in_dim(%iterArg_244, %678#7, %iterArg_236) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %684 = func.call @dynamic_update_index_in_dim(%iterArg_245, %678#8, %iterArg_236) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %685 = func.call @dynamic_update_index_in_dim(%iterArg_246, %678#9, %iterArg_236) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %686 = func.call @dynamic_update_index_in_dim(%iterArg_247, %678#10, %iterArg_236) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %687 = func.call @dynamic_update_index_in_dim(%iterArg_248, %678#11, %iterArg_236) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %688 = func.call @dynamic_update_index_in_dim(%iterArg_249, %678#12, %iterArg_236) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %689 = func.call @dynamic_update_index_in_dim(%iterArg_250, %678#13, %iterArg_236) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %690 = func.call @dynamic_update_index_in_dim(%iterArg_251, %678#14, %iterArg_236) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %691 = func.call @dynamic_update_index_in_dim(%iterArg_252, %678#15, %iterArg_236) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %692 = func.call @dynamic_update_index_in_dim(%iterArg_253, %678#16, %iterArg_236) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %c_254 = stablehlo.constant dense<1> : tensor<i32>
      %693 = stablehlo.add %iterArg_236, %c_254 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_216, %iterArg_217, %iterArg_218, %iterArg_219, %iterArg_220, %iterArg_221, %iterArg_222, %iterArg_223, %iterArg_224, %iterArg_225, %iterArg_226, %iterArg_227, %iterArg_228, %iterArg_229, %iterArg_230, %iterArg_231, %iterArg_232, %iterArg_233, %iterArg_234, %iterArg_235, %693, %678#0, %678#1, %678#2, %679, %680, %681, %682, %683, %684, %685, %686, %687, %688, %689, %690, %691, %692 : tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>
    }
    %115 = stablehlo.transpose %114#25, dims = [1, 0, 2] : (tensor<6x4x8xf32>) -> tensor<4x6x8xf32>
    %116 = stablehlo.multiply %71, %115 : tensor<4x6x8xf32>
    %117 = stablehlo.dot_general %116, %arg6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<8x8xf32>) -> tensor<4x6x8xf32>
    %118 = stablehlo.add %6, %117 : tensor<4x6x8xf32>
    %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %119 = stablehlo.reduce(%118 init: %cst_45) applies stablehlo.add across dimensions = [2] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<4x6xf32>
    %120 = stablehlo.broadcast_in_dim %119, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %cst_46 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %121 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %122 = stablehlo.divide %120, %121 : tensor<4x6x1xf32>
    %123 = stablehlo.broadcast_in_dim %122, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x8xf32>
    %124 = stablehlo.subtract %118, %123 : tensor<4x6x8xf32>
    %c_47 = stablehlo.constant dense<0> : tensor<i32>
    %125:4 = call @_var(%118, %c_47) : (tensor<4x6x8xf32>, tensor<i32>) -> (tensor<4x6x1xf32>, tensor<4x6x8xf32>, tensor<f32>, tensor<i1>)
    %cst_48 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %126 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %127 = stablehlo.add %125#0, %126 : tensor<4x6x1xf32>
    %128 = stablehlo.rsqrt %127 : tensor<4x6x1xf32>
    %129 = stablehlo.divide %128, %127 : tensor<4x6x1xf32>
    %cst_49 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %130 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %131 = stablehlo.multiply %130, %129 : tensor<4x6x1xf32>
    %132 = stablehlo.broadcast_in_dim %128, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x8xf32>
    %133 = stablehlo.multiply %124, %132 : tensor<4x6x8xf32>
    %134 = stablehlo.dot_general %133, %arg8, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<8x16xf32>) -> tensor<4x6x16xf32>
    %135 = call @relu(%134) : (tensor<4x6x16xf32>) -> tensor<4x6x16xf32>
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %136 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<4x6x16xf32>
    %137 = stablehlo.compare GT, %134, %136, FLOAT : (tensor<4x6x16xf32>, tensor<4x6x16xf32>) -> tensor<4x6x16xi1>
    %138 = chlo.square %135 : tensor<4x6x16xf32> -> tensor<4x6x16xf32>
    %cst_51 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %139 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<4x6x16xf32>
    %140 = stablehlo.multiply %139, %135 : tensor<4x6x16xf32>
    %141 = stablehlo.dot_general %138, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6x16xf32>, tensor<16x8xf32>) -> tensor<4x6x8xf32>
    %142 = stablehlo.add %118, %141 : tensor<4x6x8xf32>
    %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %143 = stablehlo.reduce(%142 init: %cst_52) applies stablehlo.add across dimensions = [2] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<4x6xf32>
    %144 = stablehlo.broadcast_in_dim %143, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %cst_53 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %145 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %146 = stablehlo.divide %144, %145 : tensor<4x6x1xf32>
    %147 = stablehlo.broadcast_in_dim %146, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x8xf32>
    %148 = stablehlo.subtract %142, %147 : tensor<4x6x8xf32>
    %c_54 = stablehlo.constant dense<0> : tensor<i32>
    %149:4 = call @_var(%142, %c_54) : (tensor<4x6x8xf32>, tensor<i32>) -> (tensor<4x6x1xf32>, tensor<4x6x8xf32>, tensor<f32>, tensor<i1>)
    %cst_55 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %150 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %151 = stablehlo.add %149#0, %150 : tensor<4x6x1xf32>
    %152 = stablehlo.rsqrt %151 : tensor<4x6x1xf32>
    %153 = stablehlo.divide %152, %151 : tensor<4x6x1xf32>
    %cst_56 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %154 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %155 = stablehlo.multiply %154, %153 : tensor<4x6x1xf32>
    %156 = stablehlo.broadcast_in_dim %152, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x8xf32>
    %157 = stablehlo.multiply %148, %156 : tensor<4x6x8xf32>
    %c_57 = stablehlo.constant dense<0> : tensor<i32>
    %158 = call @_pad(%157, %c_57) : (tensor<4x6x8xf32>, tensor<i32>) -> tensor<4x7x8xf32>
    %159 = stablehlo.slice %158 [0:4, 0:6, 0:8] : (tensor<4x7x8xf32>) -> tensor<4x6x8xf32>
    %160 = stablehlo.slice %arg14 [0:1, 0:8] : (tensor<3x8xf32>) -> tensor<1x8xf32>
    %161 = stablehlo.reshape %160 : (tensor<1x8xf32>) -> tensor<8xf32>
    %162 = stablehlo.broadcast_in_dim %161, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %163 = stablehlo.broadcast_in_dim %162, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<4x6x8xf32>
    %164 = stablehlo.multiply %157, %163 : tensor<4x6x8xf32>
    %165 = stablehlo.slice %arg14 [0:1, 0:8] : (tensor<3x8xf32>) -> tensor<1x8xf32>
    %166 = stablehlo.reshape %165 : (tensor<1x8xf32>) -> tensor<8xf32>
    %cst_58 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %167 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %168 = stablehlo.subtract %167, %166 : tensor<8xf32>
    %169 = stablehlo.broadcast_in_dim %168, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %170 = stablehlo.broadcast_in_dim %169, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<4x6x8xf32>
    %171 = stablehlo.multiply %159, %170 : tensor<4x6x8xf32>
    %172 = stablehlo.add %164, %171 : tensor<4x6x8xf32>
    %173 = stablehlo.slice %arg14 [1:2, 0:8] : (tensor<3x8xf32>) -> tensor<1x8xf32>
    %174 = stablehlo.reshape %173 : (tensor<1x8xf32>) -> tensor<8xf32>
    %175 = stablehlo.broadcast_in_dim %174, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %176 = stablehlo.broadcast_in_dim %175, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<4x6x8xf32>
    %177 = stablehlo.multiply %157, %176 : tensor<4x6x8xf32>
    %178 = stablehlo.slice %arg14 [1:2, 0:8] : (tensor<3x8xf32>) -> tensor<1x8xf32>
    %179 = stablehlo.reshape %178 : (tensor<1x8xf32>) -> tensor<8xf32>
    %cst_59 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %180 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %181 = stablehlo.subtract %180, %179 : tensor<8xf32>
    %182 = stablehlo.broadcast_in_dim %181, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %183 = stablehlo.broadcast_in_dim %182, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<4x6x8xf32>
    %184 = stablehlo.multiply %159, %183 : tensor<4x6x8xf32>
    %185 = stablehlo.add %177, %184 : tensor<4x6x8xf32>
    %186 = stablehlo.slice %arg14 [2:3, 0:8] : (tensor<3x8xf32>) -> tensor<1x8xf32>
    %187 = stablehlo.reshape %186 : (tensor<1x8xf32>) -> tensor<8xf32>
    %188 = stablehlo.broadcast_in_dim %187, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %189 = stablehlo.broadcast_in_dim %188, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<4x6x8xf32>
    %190 = stablehlo.multiply %157, %189 : tensor<4x6x8xf32>
    %191 = stablehlo.slice %arg14 [2:3, 0:8] : (tensor<3x8xf32>) -> tensor<1x8xf32>
    %192 = stablehlo.reshape %191 : (tensor<1x8xf32>) -> tensor<8xf32>
    %cst_60 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %193 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %194 = stablehlo.subtract %193, %192 : tensor<8xf32>
    %195 = stablehlo.broadcast_in_dim %194, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %196 = stablehlo.broadcast_in_dim %195, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<4x6x8xf32>
    %197 = stablehlo.multiply %159, %196 : tensor<4x6x8xf32>
    %198 = stablehlo.add %190, %197 : tensor<4x6x8xf32>
    %199 = stablehlo.dot_general %172, %arg13, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<8x8xf32>) -> tensor<4x6x8xf32>
    %200 = stablehlo.dot_general %185, %arg18, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<8x8xf32>) -> tensor<4x6x8xf32>
    %201 = stablehlo.dot_general %198, %arg16, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<8x8xf32>) -> tensor<4x6x8xf32>
    %202 = stablehlo.negate %201 : tensor<4x6x8xf32>
    %203 = stablehlo.exponential %202 : tensor<4x6x8xf32>
    %cst_61 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %204 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<4x6x8xf32>
    %205 = stablehlo.add %204, %203 : tensor<4x6x8xf32>
    %cst_62 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %206 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<4x6x8xf32>
    %207 = stablehlo.divide %206, %205 : tensor<4x6x8xf32>
    %cst_63 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %208 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<4x6x8xf32>
    %209 = stablehlo.subtract %208, %207 : tensor<4x6x8xf32>
    %210 = stablehlo.multiply %207, %209 : tensor<4x6x8xf32>
    %cst_64 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %211 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_65 = stablehlo.constant dense<1.000000e+30> : tensor<f32>
    %212 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %213 = stablehlo.subtract %211, %212 : tensor<4x8xf32>
    %214 = stablehlo.transpose %199, dims = [1, 0, 2] : (tensor<4x6x8xf32>) -> tensor<6x4x8xf32>
    %215 = stablehlo.transpose %200, dims = [1, 0, 2] : (tensor<4x6x8xf32>) -> tensor<6x4x8xf32>
    %216 = stablehlo.broadcast_in_dim %arg10, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %cst_66 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %217 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_67 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %218 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_68 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %219 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_69 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %220 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_70 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %221 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_71 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %222 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_72 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %223 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_73 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %224 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %225 = stablehlo.broadcast_in_dim %arg10, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %226 = stablehlo.exponential %arg11 : tensor<8xf32>
    %227 = stablehlo.broadcast_in_dim %226, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %cst_74 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %228 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_75 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %229 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_76 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %230 = stablehlo.broadcast_in_dim %cst_76, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_77 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %231 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_78 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %232 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_79 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %233 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_80 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %234 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_81 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %235 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_82 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %236 = stablehlo.broadcast_in_dim %cst_82, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_83 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %237 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_84 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %238 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_85 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %239 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_86 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %240 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_87 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %241 = stablehlo.broadcast_in_dim %cst_87, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_88 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %242 = stablehlo.broadcast_in_dim %cst_88, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_89 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %243 = stablehlo.broadcast_in_dim %cst_89, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_90 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %244 = stablehlo.broadcast_in_dim %cst_90, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_91 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %245 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_92 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %246 = stablehlo.broadcast_in_dim %cst_92, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_93 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %247 = stablehlo.broadcast_in_dim %cst_93, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_94 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %248 = stablehlo.broadcast_in_dim %cst_94, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_95 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %249 = stablehlo.broadcast_in_dim %cst_95, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %c_96 = stablehlo.constant dense<0> : tensor<i32>
    %250:39 = stablehlo.while(%iterArg = %214, %iterArg_216 = %215, %iterArg_217 = %227, %iterArg_218 = %216, %iterArg_219 = %225, %iterArg_220 = %218, %iterArg_221 = %217, %iterArg_222 = %220, %iterArg_223 = %219, %iterArg_224 = %222, %iterArg_225 = %221, %iterArg_226 = %224, %iterArg_227 = %223, %iterArg_228 = %229, %iterArg_229 = %228, %iterArg_230 = %231, %iterArg_231 = %230, %iterArg_232 = %233, %iterArg_233 = %232, %iterArg_234 = %235, %iterArg_235 = %234, %iterArg_236 = %c_96, %iterArg_237 = %211, %iterArg_238 = %211, %iterArg_239 = %213, %iterArg_240 = %236, %iterArg_241 = %237, %iterArg_242 = %238, %iterArg_243 = %239, %iterArg_244 = %240, %iterArg_245 = %241, %iterArg_246 = %242, %iterArg_247 = %243, %iterArg_248 = %244, %iterArg_249 = %245, %iterArg_250 = %246, %iterArg_251 = %247, %iterArg_252 = %248, %iterArg_253 = %249) : tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>
    cond {
      %c_254 = stablehlo.constant dense<6> : tensor<i32>
      %676 = stablehlo.compare LT, %iterArg_236, %c_254, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %676 : tensor<i1>
    } do {
      %676 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_236) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %677 = func.call @dynamic_index_in_dim(%iterArg_216, %iterArg_236) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %678:17 = func.call @closed_call_0(%iterArg_217, %iterArg_218, %iterArg_219, %iterArg_220, %iterArg_221, %iterArg_222, %iterArg_223, %iterArg_224, %iterArg_225, %iterArg_226, %iterArg_227, %iterArg_228, %iterArg_229, %iterArg_230, %iterArg_231, %iterArg_232, %iterArg_233, %iterArg_234, %iterArg_235, %iterArg_237, %iterArg_238, %iterArg_239, %676, %677) : (tensor<1x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
      %679 = func.call @dynamic_update_index_in_dim(%iterArg_240, %678#3, %iterArg_236) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %680 = func.call @dynamic_update_index_in_dim(%iterArg_241, %678#4, %iterArg_236) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %681 = func.call @dynamic_update_index_in_dim(%iterArg_242, %678#5, %iterArg_236) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %682 = func.call @dynamic_update_index_in_dim(%iterArg_243, %678#6, %iterArg_236) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %683 = func.call @dynamic_update_index_in_dim(%iterArg_244, %678#7, %iterArg_236) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %684 = func.call @dynamic_update_index_in_dim(%iterArg_245, %678#8, %iterArg_236) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %685 = func.call @dynamic_update_index_in_dim(%iterArg_246, %678#9, %iterArg_236) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %686 = func.call @dynamic_update_index_in_dim(%iterArg_247, %678#10, %iterArg_236) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %687 = func.call @dynamic_update_index_in_dim(%iterArg_248, %678#11, %iterArg_236) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %688 = func.call @dynamic_update_index_in_dim(%iterArg_249, %678#12, %iterArg_236) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %689 = func.call @dynamic_update_index_in_dim(%iterArg_250, %678#13, %iterArg_236) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %690 = func.call @dynamic_update_index_in_dim(%iterArg_251, %678#14, %iterArg_236) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %691 = func.call @dynamic_update_index_in_dim(%iterArg_252, %678#15, %iterArg_236) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %692 = func.call @dynamic_update_index_in_dim(%iterArg_253, %678#16, %iterArg_236) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %c_254 = stablehlo.constant dense<1> : tensor<i32>
      %693 = stablehlo.add %iterArg_236, %c_254 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_216, %iterArg_217, %iterArg_218, %iterArg_219, %iterArg_220, %iterArg_221, %iterArg_222, %iterArg_223, %iterArg_224, %iterArg_225, %iterArg_226, %iterArg_227, %iterArg_228, %iterArg_229, %iterArg_230, %iterArg_231, %iterArg_232, %iterArg_233, %iterArg_234, %iterArg_235, %693, %678#0, %678#1, %678#2, %679, %680, %681, %682, %683, %684, %685, %686, %687, %688, %689, %690, %691, %692 : tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>
    }
    %251 = stablehlo.transpose %250#25, dims = [1, 0, 2] : (tensor<6x4x8xf32>) -> tensor<4x6x8xf32>
    %252 = stablehlo.multiply %207, %251 : tensor<4x6x8xf32>
    %253 = stablehlo.dot_general %252, %arg15, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<8x8xf32>) -> tensor<4x6x8xf32>
    %254 = stablehlo.add %142, %253 : tensor<4x6x8xf32>
    %cst_97 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %255 = stablehlo.reduce(%254 init: %cst_97) applies stablehlo.add across dimensions = [2] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<4x6xf32>
    %256 = stablehlo.broadcast_in_dim %255, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %cst_98 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %257 = stablehlo.broadcast_in_dim %cst_98, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %258 = stablehlo.divide %256, %257 : tensor<4x6x1xf32>
    %259 = stablehlo.broadcast_in_dim %258, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x8xf32>
    %260 = stablehlo.subtract %254, %259 : tensor<4x6x8xf32>
    %c_99 = stablehlo.constant dense<0> : tensor<i32>
    %261:4 = call @_var(%254, %c_99) : (tensor<4x6x8xf32>, tensor<i32>) -> (tensor<4x6x1xf32>, tensor<4x6x8xf32>, tensor<f32>, tensor<i1>)
    %cst_100 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %262 = stablehlo.broadcast_in_dim %cst_100, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %263 = stablehlo.add %261#0, %262 : tensor<4x6x1xf32>
    %264 = stablehlo.rsqrt %263 : tensor<4x6x1xf32>
    %265 = stablehlo.divide %264, %263 : tensor<4x6x1xf32>
    %cst_101 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %266 = stablehlo.broadcast_in_dim %cst_101, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %267 = stablehlo.multiply %266, %265 : tensor<4x6x1xf32>
    %268 = stablehlo.broadcast_in_dim %264, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x8xf32>
    %269 = stablehlo.multiply %260, %268 : tensor<4x6x8xf32>
    %270 = stablehlo.dot_general %269, %arg17, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<8x16xf32>) -> tensor<4x6x16xf32>
    %271 = call @relu(%270) : (tensor<4x6x16xf32>) -> tensor<4x6x16xf32>
    %cst_102 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %272 = stablehlo.broadcast_in_dim %cst_102, dims = [] : (tensor<f32>) -> tensor<4x6x16xf32>
    %273 = stablehlo.compare GT, %270, %272, FLOAT : (tensor<4x6x16xf32>, tensor<4x6x16xf32>) -> tensor<4x6x16xi1>
    %274 = chlo.square %271 : tensor<4x6x16xf32> -> tensor<4x6x16xf32>
    %cst_103 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %275 = stablehlo.broadcast_in_dim %cst_103, dims = [] : (tensor<f32>) -> tensor<4x6x16xf32>
    %276 = stablehlo.multiply %275, %271 : tensor<4x6x16xf32>
    %277 = stablehlo.dot_general %274, %arg12, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6x16xf32>, tensor<16x8xf32>) -> tensor<4x6x8xf32>
    %278 = stablehlo.add %254, %277 : tensor<4x6x8xf32>
    %cst_104 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %279 = stablehlo.reduce(%278 init: %cst_104) applies stablehlo.add across dimensions = [2] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<4x6xf32>
    %280 = stablehlo.broadcast_in_dim %279, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %cst_105 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %281 = stablehlo.broadcast_in_dim %cst_105, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %282 = stablehlo.divide %280, %281 : tensor<4x6x1xf32>
    %283 = stablehlo.broadcast_in_dim %282, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x8xf32>
    %284 = stablehlo.subtract %278, %283 : tensor<4x6x8xf32>
    %c_106 = stablehlo.constant dense<0> : tensor<i32>
    %285:4 = call @_var(%278, %c_106) : (tensor<4x6x8xf32>, tensor<i32>) -> (tensor<4x6x1xf32>, tensor<4x6x8xf32>, tensor<f32>, tensor<i1>)
    %cst_107 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %286 = stablehlo.broadcast_in_dim %cst_107, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %287 = stablehlo.add %285#0, %286 : tensor<4x6x1xf32>
    %288 = stablehlo.rsqrt %287 : tensor<4x6x1xf32>
    %289 = stablehlo.divide %288, %287 : tensor<4x6x1xf32>
    %cst_108 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %290 = stablehlo.broadcast_in_dim %cst_108, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %291 = stablehlo.multiply %290, %289 : tensor<4x6x1xf32>
    %292 = stablehlo.broadcast_in_dim %288, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x8xf32>
    %293 = stablehlo.multiply %284, %292 : tensor<4x6x8xf32>
    %294 = stablehlo.dot_general %293, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<8x32xf32>) -> tensor<4x6x32xf32>
    %cst_109 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %295 = stablehlo.reduce(%294 init: %cst_109) applies stablehlo.maximum across dimensions = [2] : (tensor<4x6x32xf32>, tensor<f32>) -> tensor<4x6xf32>
    %cst_110 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %296 = stablehlo.broadcast_in_dim %cst_110, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %297 = stablehlo.maximum %296, %295 : tensor<4x6xf32>
    %298 = stablehlo.is_finite %297 : (tensor<4x6xf32>) -> tensor<4x6xi1>
    %cst_111 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %299 = stablehlo.broadcast_in_dim %cst_111, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %300 = stablehlo.select %298, %297, %299 : tensor<4x6xi1>, tensor<4x6xf32>
    %301 = stablehlo.broadcast_in_dim %300, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %302 = stablehlo.broadcast_in_dim %301, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x32xf32>
    %303 = stablehlo.subtract %294, %302 : tensor<4x6x32xf32>
    %304 = stablehlo.exponential %303 : tensor<4x6x32xf32>
    %cst_112 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %305 = stablehlo.reduce(%304 init: %cst_112) applies stablehlo.add across dimensions = [2] : (tensor<4x6x32xf32>, tensor<f32>) -> tensor<4x6xf32>
    %306 = stablehlo.abs %305 : tensor<4x6xf32>
    %cst_113 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %307 = stablehlo.broadcast_in_dim %cst_113, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %308 = stablehlo.compare GE, %305, %307, FLOAT : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
    %309 = stablehlo.log %306 : tensor<4x6xf32>
    %310 = stablehlo.add %309, %300 : tensor<4x6xf32>
    %311 = stablehlo.broadcast_in_dim %arg21, dims = [0, 1] : (tensor<4x6xi32>) -> tensor<4x6x1xi32>
    %312:2 = call @take_along_axis(%294, %311) : (tensor<4x6x32xf32>, tensor<4x6x1xi32>) -> (tensor<4x6x1xf32>, tensor<4x6x1x1xi32>)
    %313 = stablehlo.reshape %312#0 : (tensor<4x6x1xf32>) -> tensor<4x6xf32>
    %314 = stablehlo.subtract %310, %313 : tensor<4x6xf32>
    %cst_114 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %315 = stablehlo.reduce(%314 init: %cst_114) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<f32>
    %cst_115 = stablehlo.constant dense<2.400000e+01> : tensor<f32>
    %316 = stablehlo.divide %315, %cst_115 : tensor<f32>
    %cst_116 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_117 = stablehlo.constant dense<2.400000e+01> : tensor<f32>
    %317 = stablehlo.divide %cst_116, %cst_117 : tensor<f32>
    %318 = stablehlo.broadcast_in_dim %317, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %319 = stablehlo.negate %318 : tensor<4x6xf32>
    %320 = stablehlo.broadcast_in_dim %319, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %321 = call @take_along_axis_1(%312#1, %320) : (tensor<4x6x1x1xi32>, tensor<4x6x1xf32>) -> tensor<4x6x32xf32>
    %322 = stablehlo.divide %318, %306 : tensor<4x6xf32>
    %cst_118 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %323 = stablehlo.broadcast_in_dim %cst_118, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %324 = stablehlo.select %308, %323, %322 : tensor<4x6xi1>, tensor<4x6xf32>
    %325 = stablehlo.select %308, %322, %323 : tensor<4x6xi1>, tensor<4x6xf32>
    %326 = stablehlo.negate %324 : tensor<4x6xf32>
    %327 = stablehlo.add %325, %326 : tensor<4x6xf32>
    %328 = stablehlo.broadcast_in_dim %327, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x32xf32>
    %329 = stablehlo.multiply %328, %304 : tensor<4x6x32xf32>
    %330 = stablehlo.add %321, %329 : tensor<4x6x32xf32>
    %331 = stablehlo.dot_general %330, %293, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x32xf32>, tensor<4x6x8xf32>) -> tensor<32x8xf32>
    %332 = stablehlo.transpose %331, dims = [1, 0] : (tensor<32x8xf32>) -> tensor<8x32xf32>
    %333 = stablehlo.dot_general %330, %arg0, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x32xf32>, tensor<8x32xf32>) -> tensor<4x6x8xf32>
    %334 = stablehlo.multiply %284, %333 : tensor<4x6x8xf32>
    %cst_119 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %335 = stablehlo.reduce(%334 init: %cst_119) applies stablehlo.add across dimensions = [2] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<4x6xf32>
    %336 = stablehlo.reshape %335 : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %337 = stablehlo.broadcast_in_dim %288, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x8xf32>
    %338 = stablehlo.multiply %333, %337 : tensor<4x6x8xf32>
    %339 = stablehlo.multiply %336, %291 : tensor<4x6x1xf32>
    %340 = call @_var_2(%285#1, %285#2, %285#3, %339) : (tensor<4x6x8xf32>, tensor<f32>, tensor<i1>, tensor<4x6x1xf32>) -> tensor<4x6x8xf32>
    %341 = stablehlo.negate %338 : tensor<4x6x8xf32>
    %cst_120 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %342 = stablehlo.reduce(%341 init: %cst_120) applies stablehlo.add across dimensions = [2] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<4x6xf32>
    %343 = stablehlo.reshape %342 : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %344 = stablehlo.add %340, %338 : tensor<4x6x8xf32>
    %cst_121 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %345 = stablehlo.broadcast_in_dim %cst_121, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %346 = stablehlo.divide %343, %345 : tensor<4x6x1xf32>
    %cst_122 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %347 = stablehlo.reduce(%346 init: %cst_122) applies stablehlo.add across dimensions = [2] : (tensor<4x6x1xf32>, tensor<f32>) -> tensor<4x6xf32>
    %348 = stablehlo.broadcast_in_dim %347, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x8xf32>
    %349 = stablehlo.add %344, %348 : tensor<4x6x8xf32>
    %350 = stablehlo.dot_general %349, %274, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<4x6x16xf32>) -> tensor<8x16xf32>
    %351 = stablehlo.transpose %350, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %352 = stablehlo.dot_general %349, %arg12, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<16x8xf32>) -> tensor<4x6x16xf32>
    %353 = stablehlo.multiply %352, %276 : tensor<4x6x16xf32>
    %cst_123 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %354 = stablehlo.broadcast_in_dim %cst_123, dims = [] : (tensor<f32>) -> tensor<4x6x16xf32>
    %355 = stablehlo.select %273, %353, %354 : tensor<4x6x16xi1>, tensor<4x6x16xf32>
    %356 = stablehlo.dot_general %355, %269, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x16xf32>, tensor<4x6x8xf32>) -> tensor<16x8xf32>
    %357 = stablehlo.transpose %356, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %358 = stablehlo.dot_general %355, %arg17, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x16xf32>, tensor<8x16xf32>) -> tensor<4x6x8xf32>
    %359 = stablehlo.multiply %260, %358 : tensor<4x6x8xf32>
    %cst_124 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %360 = stablehlo.reduce(%359 init: %cst_124) applies stablehlo.add across dimensions = [2] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<4x6xf32>
    %361 = stablehlo.reshape %360 : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %362 = stablehlo.broadcast_in_dim %264, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x8xf32>
    %363 = stablehlo.multiply %358, %362 : tensor<4x6x8xf32>
    %364 = stablehlo.multiply %361, %267 : tensor<4x6x1xf32>
    %365 = call @_var_2(%261#1, %261#2, %261#3, %364) : (tensor<4x6x8xf32>, tensor<f32>, tensor<i1>, tensor<4x6x1xf32>) -> tensor<4x6x8xf32>
    %366 = stablehlo.add %349, %365 : tensor<4x6x8xf32>
    %367 = stablehlo.negate %363 : tensor<4x6x8xf32>
    %cst_125 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %368 = stablehlo.reduce(%367 init: %cst_125) applies stablehlo.add across dimensions = [2] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<4x6xf32>
    %369 = stablehlo.reshape %368 : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %370 = stablehlo.add %366, %363 : tensor<4x6x8xf32>
    %cst_126 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %371 = stablehlo.broadcast_in_dim %cst_126, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %372 = stablehlo.divide %369, %371 : tensor<4x6x1xf32>
    %cst_127 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %373 = stablehlo.reduce(%372 init: %cst_127) applies stablehlo.add across dimensions = [2] : (tensor<4x6x1xf32>, tensor<f32>) -> tensor<4x6xf32>
    %374 = stablehlo.broadcast_in_dim %373, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x8xf32>
    %375 = stablehlo.add %370, %374 : tensor<4x6x8xf32>
    %376 = stablehlo.dot_general %375, %252, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<4x6x8xf32>) -> tensor<8x8xf32>
    %377 = stablehlo.transpose %376, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %378 = stablehlo.dot_general %375, %arg15, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<8x8xf32>) -> tensor<4x6x8xf32>
    %379 = stablehlo.multiply %207, %378 : tensor<4x6x8xf32>
    %380 = stablehlo.multiply %378, %251 : tensor<4x6x8xf32>
    %381 = stablehlo.transpose %379, dims = [1, 0, 2] : (tensor<4x6x8xf32>) -> tensor<6x4x8xf32>
    %cst_128 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %382 = stablehlo.broadcast_in_dim %cst_128, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_129 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %383 = stablehlo.broadcast_in_dim %cst_129, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_130 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %384 = stablehlo.broadcast_in_dim %cst_130, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_131 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %385 = stablehlo.broadcast_in_dim %cst_131, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_132 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %386 = stablehlo.broadcast_in_dim %cst_132, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_133 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %387 = stablehlo.broadcast_in_dim %cst_133, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_134 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %388 = stablehlo.broadcast_in_dim %cst_134, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %c_135 = stablehlo.constant dense<0> : tensor<i32>
    %389:24 = stablehlo.while(%iterArg = %381, %iterArg_216 = %250#26, %iterArg_217 = %250#27, %iterArg_218 = %250#28, %iterArg_219 = %250#29, %iterArg_220 = %250#30, %iterArg_221 = %215, %iterArg_222 = %250#31, %iterArg_223 = %250#32, %iterArg_224 = %250#33, %iterArg_225 = %250#34, %iterArg_226 = %250#35, %iterArg_227 = %250#36, %iterArg_228 = %250#37, %iterArg_229 = %250#38, %iterArg_230 = %226, %iterArg_231 = %c_135, %iterArg_232 = %385, %iterArg_233 = %386, %iterArg_234 = %382, %iterArg_235 = %383, %iterArg_236 = %384, %iterArg_237 = %387, %iterArg_238 = %388) : tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<8xf32>, tensor<i32>, tensor<8xf32>, tensor<8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>
    cond {
      %c_239 = stablehlo.constant dense<6> : tensor<i32>
      %676 = stablehlo.compare LT, %iterArg_231, %c_239, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %676 : tensor<i1>
    } do {
      %c_239 = stablehlo.constant dense<6> : tensor<i32>
      %676 = stablehlo.subtract %c_239, %iterArg_231 : tensor<i32>
      %c_240 = stablehlo.constant dense<1> : tensor<i32>
      %677 = stablehlo.subtract %676, %c_240 : tensor<i32>
      %678 = func.call @dynamic_index_in_dim(%iterArg, %677) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %679 = func.call @dynamic_index_in_dim(%iterArg_216, %677) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %680 = func.call @dynamic_index_in_dim(%iterArg_217, %677) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %681 = func.call @dynamic_index_in_dim(%iterArg_218, %677) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %682 = func.call @dynamic_index_in_dim(%iterArg_219, %677) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %683 = func.call @dynamic_index_in_dim(%iterArg_220, %677) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %684 = func.call @dynamic_index_in_dim(%iterArg_221, %677) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %685 = func.call @dynamic_index_in_dim(%iterArg_222, %677) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %686 = func.call @dynamic_index_in_dim(%iterArg_223, %677) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %687 = func.call @dynamic_index_in_dim(%iterArg_224, %677) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %688 = func.call @dynamic_index_in_dim(%iterArg_225, %677) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %689 = func.call @dynamic_index_in_dim(%iterArg_226, %677) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %690 = func.call @dynamic_index_in_dim(%iterArg_227, %677) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %691 = func.call @dynamic_index_in_dim(%iterArg_228, %677) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %692 = func.call @dynamic_index_in_dim(%iterArg_229, %677) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %693:7 = func.call @closed_call_4(%iterArg_230, %iterArg_232, %iterArg_233, %iterArg_234, %iterArg_235, %iterArg_236, %678, %679, %680, %681, %682, %683, %684, %685, %686, %687, %688, %689, %690, %691, %692) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
      %694 = func.call @dynamic_update_index_in_dim(%iterArg_237, %693#5, %677) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %695 = func.call @dynamic_update_index_in_dim(%iterArg_238, %693#6, %677) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %c_241 = stablehlo.constant dense<1> : tensor<i32>
      %696 = stablehlo.add %iterArg_231, %c_241 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_216, %iterArg_217, %iterArg_218, %iterArg_219, %iterArg_220, %iterArg_221, %iterArg_222, %iterArg_223, %iterArg_224, %iterArg_225, %iterArg_226, %iterArg_227, %iterArg_228, %iterArg_229, %iterArg_230, %696, %693#0, %693#1, %693#2, %693#3, %693#4, %694, %695 : tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<8xf32>, tensor<i32>, tensor<8xf32>, tensor<8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>
    }
    %390 = stablehlo.transpose %389#23, dims = [1, 0, 2] : (tensor<6x4x8xf32>) -> tensor<4x6x8xf32>
    %391 = stablehlo.transpose %389#22, dims = [1, 0, 2] : (tensor<6x4x8xf32>) -> tensor<4x6x8xf32>
    %392 = stablehlo.multiply %380, %210 : tensor<4x6x8xf32>
    %393 = stablehlo.dot_general %392, %198, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<4x6x8xf32>) -> tensor<8x8xf32>
    %394 = stablehlo.transpose %393, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %395 = stablehlo.dot_general %392, %arg16, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<8x8xf32>) -> tensor<4x6x8xf32>
    %396 = stablehlo.dot_general %390, %185, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<4x6x8xf32>) -> tensor<8x8xf32>
    %397 = stablehlo.transpose %396, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %398 = stablehlo.dot_general %390, %arg18, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<8x8xf32>) -> tensor<4x6x8xf32>
    %399 = stablehlo.dot_general %391, %172, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<4x6x8xf32>) -> tensor<8x8xf32>
    %400 = stablehlo.transpose %399, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %401 = stablehlo.dot_general %391, %arg13, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<8x8xf32>) -> tensor<4x6x8xf32>
    %402 = stablehlo.multiply %159, %395 : tensor<4x6x8xf32>
    %cst_136 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %403 = stablehlo.reduce(%402 init: %cst_136) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %404 = stablehlo.reshape %403 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %405 = stablehlo.broadcast_in_dim %195, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<4x6x8xf32>
    %406 = stablehlo.multiply %395, %405 : tensor<4x6x8xf32>
    %cst_137 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %407 = stablehlo.reduce(%404 init: %cst_137) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %408 = stablehlo.negate %407 : tensor<8xf32>
    %409 = stablehlo.broadcast_in_dim %408, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %cst_138 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %410 = stablehlo.pad %409, %cst_138, low = [2, 0], high = [0, 0], interior = [0, 0] : (tensor<1x8xf32>, tensor<f32>) -> tensor<3x8xf32>
    %411 = stablehlo.multiply %157, %395 : tensor<4x6x8xf32>
    %cst_139 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %412 = stablehlo.reduce(%411 init: %cst_139) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %413 = stablehlo.reshape %412 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %414 = stablehlo.broadcast_in_dim %188, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<4x6x8xf32>
    %415 = stablehlo.multiply %395, %414 : tensor<4x6x8xf32>
    %cst_140 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %416 = stablehlo.reduce(%413 init: %cst_140) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %417 = stablehlo.broadcast_in_dim %416, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %cst_141 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %418 = stablehlo.pad %417, %cst_141, low = [2, 0], high = [0, 0], interior = [0, 0] : (tensor<1x8xf32>, tensor<f32>) -> tensor<3x8xf32>
    %419 = stablehlo.add %410, %418 : tensor<3x8xf32>
    %420 = stablehlo.multiply %159, %398 : tensor<4x6x8xf32>
    %cst_142 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %421 = stablehlo.reduce(%420 init: %cst_142) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %422 = stablehlo.reshape %421 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %423 = stablehlo.broadcast_in_dim %182, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<4x6x8xf32>
    %424 = stablehlo.multiply %398, %423 : tensor<4x6x8xf32>
    %425 = stablehlo.add %406, %424 : tensor<4x6x8xf32>
    %cst_143 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %426 = stablehlo.reduce(%422 init: %cst_143) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %427 = stablehlo.negate %426 : tensor<8xf32>
    %428 = stablehlo.broadcast_in_dim %427, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %cst_144 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %429 = stablehlo.pad %428, %cst_144, low = [1, 0], high = [1, 0], interior = [0, 0] : (tensor<1x8xf32>, tensor<f32>) -> tensor<3x8xf32>
    %430 = stablehlo.add %419, %429 : tensor<3x8xf32>
    %431 = stablehlo.multiply %157, %398 : tensor<4x6x8xf32>
    %cst_145 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %432 = stablehlo.reduce(%431 init: %cst_145) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %433 = stablehlo.reshape %432 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %434 = stablehlo.broadcast_in_dim %175, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<4x6x8xf32>
    %435 = stablehlo.multiply %398, %434 : tensor<4x6x8xf32>
    %436 = stablehlo.add %415, %435 : tensor<4x6x8xf32>
    %cst_146 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %437 = stablehlo.reduce(%433 init: %cst_146) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %438 = stablehlo.broadcast_in_dim %437, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %cst_147 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %439 = stablehlo.pad %438, %cst_147, low = [1, 0], high = [1, 0], interior = [0, 0] : (tensor<1x8xf32>, tensor<f32>) -> tensor<3x8xf32>
    %440 = stablehlo.add %430, %439 : tensor<3x8xf32>
    %441 = stablehlo.multiply %159, %401 : tensor<4x6x8xf32>
    %cst_148 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %442 = stablehlo.reduce(%441 init: %cst_148) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %443 = stablehlo.reshape %442 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %444 = stablehlo.broadcast_in_dim %169, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<4x6x8xf32>
    %445 = stablehlo.multiply %401, %444 : tensor<4x6x8xf32>
    %446 = stablehlo.add %425, %445 : tensor<4x6x8xf32>
    %cst_149 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %447 = stablehlo.reduce(%443 init: %cst_149) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %448 = stablehlo.negate %447 : tensor<8xf32>
    %449 = stablehlo.broadcast_in_dim %448, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %cst_150 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %450 = stablehlo.pad %449, %cst_150, low = [0, 0], high = [2, 0], interior = [0, 0] : (tensor<1x8xf32>, tensor<f32>) -> tensor<3x8xf32>
    %451 = stablehlo.add %440, %450 : tensor<3x8xf32>
    %452 = stablehlo.multiply %157, %401 : tensor<4x6x8xf32>
    %cst_151 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %453 = stablehlo.reduce(%452 init: %cst_151) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %454 = stablehlo.reshape %453 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %455 = stablehlo.broadcast_in_dim %162, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<4x6x8xf32>
    %456 = stablehlo.multiply %401, %455 : tensor<4x6x8xf32>
    %457 = stablehlo.add %436, %456 : tensor<4x6x8xf32>
    %cst_152 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %458 = stablehlo.reduce(%454 init: %cst_152) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %459 = stablehlo.broadcast_in_dim %458, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %cst_153 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %460 = stablehlo.pad %459, %cst_153, low = [0, 0], high = [2, 0], interior = [0, 0] : (tensor<1x8xf32>, tensor<f32>) -> tensor<3x8xf32>
    %461 = stablehlo.add %451, %460 : tensor<3x8xf32>
    %cst_154 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %462 = stablehlo.pad %446, %cst_154, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 0, 0] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<4x7x8xf32>
    %463 = call @_pad_5(%462) : (tensor<4x7x8xf32>) -> tensor<4x6x8xf32>
    %464 = stablehlo.add %457, %463 : tensor<4x6x8xf32>
    %465 = stablehlo.multiply %148, %464 : tensor<4x6x8xf32>
    %cst_155 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %466 = stablehlo.reduce(%465 init: %cst_155) applies stablehlo.add across dimensions = [2] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<4x6xf32>
    %467 = stablehlo.reshape %466 : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %468 = stablehlo.broadcast_in_dim %152, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x8xf32>
    %469 = stablehlo.multiply %464, %468 : tensor<4x6x8xf32>
    %470 = stablehlo.multiply %467, %155 : tensor<4x6x1xf32>
    %471 = call @_var_2(%149#1, %149#2, %149#3, %470) : (tensor<4x6x8xf32>, tensor<f32>, tensor<i1>, tensor<4x6x1xf32>) -> tensor<4x6x8xf32>
    %472 = stablehlo.add %375, %471 : tensor<4x6x8xf32>
    %473 = stablehlo.negate %469 : tensor<4x6x8xf32>
    %cst_156 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %474 = stablehlo.reduce(%473 init: %cst_156) applies stablehlo.add across dimensions = [2] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<4x6xf32>
    %475 = stablehlo.reshape %474 : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %476 = stablehlo.add %472, %469 : tensor<4x6x8xf32>
    %cst_157 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %477 = stablehlo.broadcast_in_dim %cst_157, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %478 = stablehlo.divide %475, %477 : tensor<4x6x1xf32>
    %cst_158 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %479 = stablehlo.reduce(%478 init: %cst_158) applies stablehlo.add across dimensions = [2] : (tensor<4x6x1xf32>, tensor<f32>) -> tensor<4x6xf32>
    %480 = stablehlo.broadcast_in_dim %479, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x8xf32>
    %481 = stablehlo.add %476, %480 : tensor<4x6x8xf32>
    %482 = stablehlo.dot_general %481, %138, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<4x6x16xf32>) -> tensor<8x16xf32>
    %483 = stablehlo.transpose %482, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %484 = stablehlo.dot_general %481, %arg3, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<16x8xf32>) -> tensor<4x6x16xf32>
    %485 = stablehlo.multiply %484, %140 : tensor<4x6x16xf32>
    %cst_159 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %486 = stablehlo.broadcast_in_dim %cst_159, dims = [] : (tensor<f32>) -> tensor<4x6x16xf32>
    %487 = stablehlo.select %137, %485, %486 : tensor<4x6x16xi1>, tensor<4x6x16xf32>
    %488 = stablehlo.dot_general %487, %133, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x16xf32>, tensor<4x6x8xf32>) -> tensor<16x8xf32>
    %489 = stablehlo.transpose %488, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %490 = stablehlo.dot_general %487, %arg8, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x16xf32>, tensor<8x16xf32>) -> tensor<4x6x8xf32>
    %491 = stablehlo.multiply %124, %490 : tensor<4x6x8xf32>
    %cst_160 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %492 = stablehlo.reduce(%491 init: %cst_160) applies stablehlo.add across dimensions = [2] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<4x6xf32>
    %493 = stablehlo.reshape %492 : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %494 = stablehlo.broadcast_in_dim %128, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x8xf32>
    %495 = stablehlo.multiply %490, %494 : tensor<4x6x8xf32>
    %496 = stablehlo.multiply %493, %131 : tensor<4x6x1xf32>
    %497 = call @_var_2(%125#1, %125#2, %125#3, %496) : (tensor<4x6x8xf32>, tensor<f32>, tensor<i1>, tensor<4x6x1xf32>) -> tensor<4x6x8xf32>
    %498 = stablehlo.add %481, %497 : tensor<4x6x8xf32>
    %499 = stablehlo.negate %495 : tensor<4x6x8xf32>
    %cst_161 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %500 = stablehlo.reduce(%499 init: %cst_161) applies stablehlo.add across dimensions = [2] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<4x6xf32>
    %501 = stablehlo.reshape %500 : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %502 = stablehlo.add %498, %495 : tensor<4x6x8xf32>
    %cst_162 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %503 = stablehlo.broadcast_in_dim %cst_162, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %504 = stablehlo.divide %501, %503 : tensor<4x6x1xf32>
    %cst_163 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %505 = stablehlo.reduce(%504 init: %cst_163) applies stablehlo.add across dimensions = [2] : (tensor<4x6x1xf32>, tensor<f32>) -> tensor<4x6xf32>
    %506 = stablehlo.broadcast_in_dim %505, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x8xf32>
    %507 = stablehlo.add %502, %506 : tensor<4x6x8xf32>
    %508 = stablehlo.dot_general %507, %116, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<4x6x8xf32>) -> tensor<8x8xf32>
    %509 = stablehlo.transpose %508, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %510 = stablehlo.dot_general %507, %arg6, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<8x8xf32>) -> tensor<4x6x8xf32>
    %511 = stablehlo.multiply %71, %510 : tensor<4x6x8xf32>
    %512 = stablehlo.multiply %510, %115 : tensor<4x6x8xf32>
    %513 = stablehlo.transpose %511, dims = [1, 0, 2] : (tensor<4x6x8xf32>) -> tensor<6x4x8xf32>
    %cst_164 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %514 = stablehlo.broadcast_in_dim %cst_164, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_165 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %515 = stablehlo.broadcast_in_dim %cst_165, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_166 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %516 = stablehlo.broadcast_in_dim %cst_166, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_167 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %517 = stablehlo.broadcast_in_dim %cst_167, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_168 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %518 = stablehlo.broadcast_in_dim %cst_168, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_169 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %519 = stablehlo.broadcast_in_dim %cst_169, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %cst_170 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %520 = stablehlo.broadcast_in_dim %cst_170, dims = [] : (tensor<f32>) -> tensor<6x4x8xf32>
    %c_171 = stablehlo.constant dense<0> : tensor<i32>
    %521:24 = stablehlo.while(%iterArg = %513, %iterArg_216 = %114#26, %iterArg_217 = %114#27, %iterArg_218 = %114#28, %iterArg_219 = %114#29, %iterArg_220 = %114#30, %iterArg_221 = %79, %iterArg_222 = %114#31, %iterArg_223 = %114#32, %iterArg_224 = %114#33, %iterArg_225 = %114#34, %iterArg_226 = %114#35, %iterArg_227 = %114#36, %iterArg_228 = %114#37, %iterArg_229 = %114#38, %iterArg_230 = %90, %iterArg_231 = %c_171, %iterArg_232 = %517, %iterArg_233 = %518, %iterArg_234 = %514, %iterArg_235 = %515, %iterArg_236 = %516, %iterArg_237 = %519, %iterArg_238 = %520) : tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<8xf32>, tensor<i32>, tensor<8xf32>, tensor<8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>
    cond {
      %c_239 = stablehlo.constant dense<6> : tensor<i32>
      %676 = stablehlo.compare LT, %iterArg_231, %c_239, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %676 : tensor<i1>
    } do {
      %c_239 = stablehlo.constant dense<6> : tensor<i32>
      %676 = stablehlo.subtract %c_239, %iterArg_231 : tensor<i32>
      %c_240 = stablehlo.constant dense<1> : tensor<i32>
      %677 = stablehlo.subtract %676, %c_240 : tensor<i32>
      %678 = func.call @dynamic_index_in_dim(%iterArg, %677) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %679 = func.call @dynamic_index_in_dim(%iterArg_216, %677) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %680 = func.call @dynamic_index_in_dim(%iterArg_217, %677) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %681 = func.call @dynamic_index_in_dim(%iterArg_218, %677) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %682 = func.call @dynamic_index_in_dim(%iterArg_219, %677) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %683 = func.call @dynamic_index_in_dim(%iterArg_220, %677) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %684 = func.call @dynamic_index_in_dim(%iterArg_221, %677) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %685 = func.call @dynamic_index_in_dim(%iterArg_222, %677) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %686 = func.call @dynamic_index_in_dim(%iterArg_223, %677) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %687 = func.call @dynamic_index_in_dim(%iterArg_224, %677) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %688 = func.call @dynamic_index_in_dim(%iterArg_225, %677) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %689 = func.call @dynamic_index_in_dim(%iterArg_226, %677) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %690 = func.call @dynamic_index_in_dim(%iterArg_227, %677) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %691 = func.call @dynamic_index_in_dim(%iterArg_228, %677) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %692 = func.call @dynamic_index_in_dim(%iterArg_229, %677) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %693:7 = func.call @closed_call_6(%iterArg_230, %iterArg_232, %iterArg_233, %iterArg_234, %iterArg_235, %iterArg_236, %678, %679, %680, %681, %682, %683, %684, %685, %686, %687, %688, %689, %690, %691, %692) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
      %694 = func.call @dynamic_update_index_in_dim(%iterArg_237, %693#5, %677) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %695 = func.call @dynamic_update_index_in_dim(%iterArg_238, %693#6, %677) : (tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<6x4x8xf32>
      %c_241 = stablehlo.constant dense<1> : tensor<i32>
      %696 = stablehlo.add %iterArg_231, %c_241 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_216, %iterArg_217, %iterArg_218, %iterArg_219, %iterArg_220, %iterArg_221, %iterArg_222, %iterArg_223, %iterArg_224, %iterArg_225, %iterArg_226, %iterArg_227, %iterArg_228, %iterArg_229, %iterArg_230, %696, %693#0, %693#1, %693#2, %693#3, %693#4, %694, %695 : tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>, tensor<8xf32>, tensor<i32>, tensor<8xf32>, tensor<8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<6x4x8xf32>, tensor<6x4x8xf32>
    }
    %522 = stablehlo.transpose %521#23, dims = [1, 0, 2] : (tensor<6x4x8xf32>) -> tensor<4x6x8xf32>
    %523 = stablehlo.transpose %521#22, dims = [1, 0, 2] : (tensor<6x4x8xf32>) -> tensor<4x6x8xf32>
    %524 = stablehlo.multiply %512, %74 : tensor<4x6x8xf32>
    %525 = stablehlo.dot_general %524, %62, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<4x6x8xf32>) -> tensor<8x8xf32>
    %526 = stablehlo.transpose %525, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %527 = stablehlo.dot_general %524, %arg7, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<8x8xf32>) -> tensor<4x6x8xf32>
    %528 = stablehlo.dot_general %522, %49, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<4x6x8xf32>) -> tensor<8x8xf32>
    %529 = stablehlo.transpose %528, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %530 = stablehlo.dot_general %522, %arg9, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<8x8xf32>) -> tensor<4x6x8xf32>
    %531 = stablehlo.dot_general %523, %36, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<4x6x8xf32>) -> tensor<8x8xf32>
    %532 = stablehlo.transpose %531, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %533 = stablehlo.dot_general %523, %arg4, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<8x8xf32>) -> tensor<4x6x8xf32>
    %534 = stablehlo.multiply %23, %527 : tensor<4x6x8xf32>
    %cst_172 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %535 = stablehlo.reduce(%534 init: %cst_172) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %536 = stablehlo.reshape %535 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %537 = stablehlo.broadcast_in_dim %59, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<4x6x8xf32>
    %538 = stablehlo.multiply %527, %537 : tensor<4x6x8xf32>
    %cst_173 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %539 = stablehlo.reduce(%536 init: %cst_173) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %540 = stablehlo.negate %539 : tensor<8xf32>
    %541 = stablehlo.broadcast_in_dim %540, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %cst_174 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %542 = stablehlo.pad %541, %cst_174, low = [2, 0], high = [0, 0], interior = [0, 0] : (tensor<1x8xf32>, tensor<f32>) -> tensor<3x8xf32>
    %543 = stablehlo.multiply %21, %527 : tensor<4x6x8xf32>
    %cst_175 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %544 = stablehlo.reduce(%543 init: %cst_175) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %545 = stablehlo.reshape %544 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %546 = stablehlo.broadcast_in_dim %52, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<4x6x8xf32>
    %547 = stablehlo.multiply %527, %546 : tensor<4x6x8xf32>
    %cst_176 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %548 = stablehlo.reduce(%545 init: %cst_176) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %549 = stablehlo.broadcast_in_dim %548, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %cst_177 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %550 = stablehlo.pad %549, %cst_177, low = [2, 0], high = [0, 0], interior = [0, 0] : (tensor<1x8xf32>, tensor<f32>) -> tensor<3x8xf32>
    %551 = stablehlo.add %542, %550 : tensor<3x8xf32>
    %552 = stablehlo.multiply %23, %530 : tensor<4x6x8xf32>
    %cst_178 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %553 = stablehlo.reduce(%552 init: %cst_178) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %554 = stablehlo.reshape %553 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %555 = stablehlo.broadcast_in_dim %46, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<4x6x8xf32>
    %556 = stablehlo.multiply %530, %555 : tensor<4x6x8xf32>
    %557 = stablehlo.add %538, %556 : tensor<4x6x8xf32>
    %cst_179 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %558 = stablehlo.reduce(%554 init: %cst_179) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %559 = stablehlo.negate %558 : tensor<8xf32>
    %560 = stablehlo.broadcast_in_dim %559, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %cst_180 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %561 = stablehlo.pad %560, %cst_180, low = [1, 0], high = [1, 0], interior = [0, 0] : (tensor<1x8xf32>, tensor<f32>) -> tensor<3x8xf32>
    %562 = stablehlo.add %551, %561 : tensor<3x8xf32>
    %563 = stablehlo.multiply %21, %530 : tensor<4x6x8xf32>
    %cst_181 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %564 = stablehlo.reduce(%563 init: %cst_181) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %565 = stablehlo.reshape %564 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %566 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<4x6x8xf32>
    %567 = stablehlo.multiply %530, %566 : tensor<4x6x8xf32>
    %568 = stablehlo.add %547, %567 : tensor<4x6x8xf32>
    %cst_182 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %569 = stablehlo.reduce(%565 init: %cst_182) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %570 = stablehlo.broadcast_in_dim %569, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %cst_183 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %571 = stablehlo.pad %570, %cst_183, low = [1, 0], high = [1, 0], interior = [0, 0] : (tensor<1x8xf32>, tensor<f32>) -> tensor<3x8xf32>
    %572 = stablehlo.add %562, %571 : tensor<3x8xf32>
    %573 = stablehlo.multiply %23, %533 : tensor<4x6x8xf32>
    %cst_184 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %574 = stablehlo.reduce(%573 init: %cst_184) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %575 = stablehlo.reshape %574 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %576 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<4x6x8xf32>
    %577 = stablehlo.multiply %533, %576 : tensor<4x6x8xf32>
    %578 = stablehlo.add %557, %577 : tensor<4x6x8xf32>
    %cst_185 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %579 = stablehlo.reduce(%575 init: %cst_185) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %580 = stablehlo.negate %579 : tensor<8xf32>
    %581 = stablehlo.broadcast_in_dim %580, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %cst_186 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %582 = stablehlo.pad %581, %cst_186, low = [0, 0], high = [2, 0], interior = [0, 0] : (tensor<1x8xf32>, tensor<f32>) -> tensor<3x8xf32>
    %583 = stablehlo.add %572, %582 : tensor<3x8xf32>
    %584 = stablehlo.multiply %21, %533 : tensor<4x6x8xf32>
    %cst_187 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %585 = stablehlo.reduce(%584 init: %cst_187) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %586 = stablehlo.reshape %585 : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %587 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<4x6x8xf32>
    %588 = stablehlo.multiply %533, %587 : tensor<4x6x8xf32>
    %589 = stablehlo.add %568, %588 : tensor<4x6x8xf32>
    %cst_188 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %590 = stablehlo.reduce(%586 init: %cst_188) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %591 = stablehlo.broadcast_in_dim %590, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %cst_189 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %592 = stablehlo.pad %591, %cst_189, low = [0, 0], high = [2, 0], interior = [0, 0] : (tensor<1x8xf32>, tensor<f32>) -> tensor<3x8xf32>
    %593 = stablehlo.add %583, %592 : tensor<3x8xf32>
    %cst_190 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %594 = stablehlo.pad %578, %cst_190, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 0, 0] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<4x7x8xf32>
    %595 = call @_pad_5(%594) : (tensor<4x7x8xf32>) -> tensor<4x6x8xf32>
    %596 = stablehlo.add %589, %595 : tensor<4x6x8xf32>
    %597 = stablehlo.multiply %12, %596 : tensor<4x6x8xf32>
    %cst_191 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %598 = stablehlo.reduce(%597 init: %cst_191) applies stablehlo.add across dimensions = [2] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<4x6xf32>
    %599 = stablehlo.reshape %598 : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %600 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x8xf32>
    %601 = stablehlo.multiply %596, %600 : tensor<4x6x8xf32>
    %602 = stablehlo.multiply %599, %19 : tensor<4x6x1xf32>
    %603 = call @_var_2(%13#1, %13#2, %13#3, %602) : (tensor<4x6x8xf32>, tensor<f32>, tensor<i1>, tensor<4x6x1xf32>) -> tensor<4x6x8xf32>
    %604 = stablehlo.add %507, %603 : tensor<4x6x8xf32>
    %605 = stablehlo.negate %601 : tensor<4x6x8xf32>
    %cst_192 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %606 = stablehlo.reduce(%605 init: %cst_192) applies stablehlo.add across dimensions = [2] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<4x6xf32>
    %607 = stablehlo.reshape %606 : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %608 = stablehlo.add %604, %601 : tensor<4x6x8xf32>
    %cst_193 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %609 = stablehlo.broadcast_in_dim %cst_193, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %610 = stablehlo.divide %607, %609 : tensor<4x6x1xf32>
    %cst_194 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %611 = stablehlo.reduce(%610 init: %cst_194) applies stablehlo.add across dimensions = [2] : (tensor<4x6x1xf32>, tensor<f32>) -> tensor<4x6xf32>
    %612 = stablehlo.broadcast_in_dim %611, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x8xf32>
    %613 = stablehlo.add %608, %612 : tensor<4x6x8xf32>
    %cst_195 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %614 = stablehlo.broadcast_in_dim %cst_195, dims = [] : (tensor<f32>) -> tensor<32x8xf32>
    %615 = "stablehlo.scatter"(%614, %5, %613) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg22: tensor<f32>, %arg23: tensor<f32>):
      %676 = stablehlo.add %arg22, %arg23 : tensor<f32>
      stablehlo.return %676 : tensor<f32>
    }) : (tensor<32x8xf32>, tensor<4x6x1xi32>, tensor<4x6x8xf32>) -> tensor<32x8xf32>
    %cst_196 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %616 = stablehlo.broadcast_in_dim %cst_196, dims = [] : (tensor<f32>) -> tensor<8x32xf32>
    %617 = stablehlo.multiply %616, %332 : tensor<8x32xf32>
    %618 = stablehlo.subtract %arg0, %617 : tensor<8x32xf32>
    %cst_197 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %619 = stablehlo.broadcast_in_dim %cst_197, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %620 = stablehlo.multiply %619, %521#17 : tensor<8xf32>
    %621 = stablehlo.subtract %arg1, %620 : tensor<8xf32>
    %cst_198 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %622 = stablehlo.broadcast_in_dim %cst_198, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %623 = stablehlo.multiply %622, %521#18 : tensor<8xf32>
    %624 = stablehlo.subtract %arg2, %623 : tensor<8xf32>
    %cst_199 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %625 = stablehlo.broadcast_in_dim %cst_199, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %626 = stablehlo.multiply %625, %483 : tensor<16x8xf32>
    %627 = stablehlo.subtract %arg3, %626 : tensor<16x8xf32>
    %cst_200 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %628 = stablehlo.broadcast_in_dim %cst_200, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %629 = stablehlo.multiply %628, %532 : tensor<8x8xf32>
    %630 = stablehlo.subtract %arg4, %629 : tensor<8x8xf32>
    %cst_201 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %631 = stablehlo.broadcast_in_dim %cst_201, dims = [] : (tensor<f32>) -> tensor<3x8xf32>
    %632 = stablehlo.multiply %631, %593 : tensor<3x8xf32>
    %633 = stablehlo.subtract %arg5, %632 : tensor<3x8xf32>
    %cst_202 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %634 = stablehlo.broadcast_in_dim %cst_202, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %635 = stablehlo.multiply %634, %509 : tensor<8x8xf32>
    %636 = stablehlo.subtract %arg6, %635 : tensor<8x8xf32>
    %cst_203 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %637 = stablehlo.broadcast_in_dim %cst_203, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %638 = stablehlo.multiply %637, %526 : tensor<8x8xf32>
    %639 = stablehlo.subtract %arg7, %638 : tensor<8x8xf32>
    %cst_204 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %640 = stablehlo.broadcast_in_dim %cst_204, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %641 = stablehlo.multiply %640, %489 : tensor<8x16xf32>
    %642 = stablehlo.subtract %arg8, %641 : tensor<8x16xf32>
    %cst_205 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %643 = stablehlo.broadcast_in_dim %cst_205, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %644 = stablehlo.multiply %643, %529 : tensor<8x8xf32>
    %645 = stablehlo.subtract %arg9, %644 : tensor<8x8xf32>
    %cst_206 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %646 = stablehlo.broadcast_in_dim %cst_206, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %647 = stablehlo.multiply %646, %389#17 : tensor<8xf32>
    %648 = stablehlo.subtract %arg10, %647 : tensor<8xf32>
    %cst_207 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %649 = stablehlo.broadcast_in_dim %cst_207, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %650 = stablehlo.multiply %649, %389#18 : tensor<8xf32>
    %651 = stablehlo.subtract %arg11, %650 : tensor<8xf32>
    %cst_208 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %652 = stablehlo.broadcast_in_dim %cst_208, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %653 = stablehlo.multiply %652, %351 : tensor<16x8xf32>
    %654 = stablehlo.subtract %arg12, %653 : tensor<16x8xf32>
    %cst_209 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %655 = stablehlo.broadcast_in_dim %cst_209, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %656 = stablehlo.multiply %655, %400 : tensor<8x8xf32>
    %657 = stablehlo.subtract %arg13, %656 : tensor<8x8xf32>
    %cst_210 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %658 = stablehlo.broadcast_in_dim %cst_210, dims = [] : (tensor<f32>) -> tensor<3x8xf32>
    %659 = stablehlo.multiply %658, %461 : tensor<3x8xf32>
    %660 = stablehlo.subtract %arg14, %659 : tensor<3x8xf32>
    %cst_211 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %661 = stablehlo.broadcast_in_dim %cst_211, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %662 = stablehlo.multiply %661, %377 : tensor<8x8xf32>
    %663 = stablehlo.subtract %arg15, %662 : tensor<8x8xf32>
    %cst_212 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %664 = stablehlo.broadcast_in_dim %cst_212, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %665 = stablehlo.multiply %664, %394 : tensor<8x8xf32>
    %666 = stablehlo.subtract %arg16, %665 : tensor<8x8xf32>
    %cst_213 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %667 = stablehlo.broadcast_in_dim %cst_213, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %668 = stablehlo.multiply %667, %357 : tensor<8x16xf32>
    %669 = stablehlo.subtract %arg17, %668 : tensor<8x16xf32>
    %cst_214 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %670 = stablehlo.broadcast_in_dim %cst_214, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %671 = stablehlo.multiply %670, %397 : tensor<8x8xf32>
    %672 = stablehlo.subtract %arg18, %671 : tensor<8x8xf32>
    %cst_215 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %673 = stablehlo.broadcast_in_dim %cst_215, dims = [] : (tensor<f32>) -> tensor<32x8xf32>
    %674 = stablehlo.multiply %673, %615 : tensor<32x8xf32>
    %675 = stablehlo.subtract %arg19, %674 : tensor<32x8xf32>
    return %618, %621, %624, %627, %630, %633, %636, %639, %642, %645, %648, %651, %654, %657, %660, %663, %666, %669, %672, %675, %316 : tensor<8x32xf32>, tensor<8xf32>, tensor<8xf32>, tensor<16x8xf32>, tensor<8x8xf32>, tensor<3x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x16xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<16x8xf32>, tensor<8x8xf32>, tensor<3x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x16xf32>, tensor<8x8xf32>, tensor<32x8xf32>, tensor<f32>
  }
  func.func private @_var(%arg0: tensor<4x6x8xf32>, %arg1: tensor<i32>) -> (tensor<4x6x1xf32>, tensor<4x6x8xf32>, tensor<f32>, tensor<i1>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<4x6xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<4x6x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x8xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x6x8xf32>
    %6 = chlo.square %5 : tensor<4x6x8xf32> -> tensor<4x6x8xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x6x8xf32>
    %8 = stablehlo.multiply %7, %5 : tensor<4x6x8xf32>
    %9 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %10 = stablehlo.subtract %cst_2, %9 : tensor<f32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%6 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<4x6xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %13 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %14 = stablehlo.divide %12, %13 : tensor<4x6x1xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.compare GT, %10, %cst_4, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_5 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %16 = call @_where(%15, %14, %cst_5) : (tensor<i1>, tensor<4x6x1xf32>, tensor<f32>) -> tensor<4x6x1xf32>
    return %16, %8, %10, %15 : tensor<4x6x1xf32>, tensor<4x6x8xf32>, tensor<f32>, tensor<i1>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<4x6x1xf32>, %arg2: tensor<f32>) -> tensor<4x6x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<4x6x1xf32>
    return %2 : tensor<4x6x1xf32>
  }
  func.func private @_pad(%arg0: tensor<4x6x8xf32>, %arg1: tensor<i32>) -> tensor<4x7x8xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<4x7x8xf32>
    return %1 : tensor<4x7x8xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<6x4x8xf32>, %arg1: tensor<i32>) -> tensor<4x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 8] : (tensor<6x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    return %1 : tensor<4x8xf32>
  }
  func.func private @closed_call(%arg0: tensor<1x8xf32>, %arg1: tensor<1x8xf32>, %arg2: tensor<1x8xf32>, %arg3: tensor<4x8xf32>, %arg4: tensor<4x8xf32>, %arg5: tensor<4x8xf32>, %arg6: tensor<4x8xf32>, %arg7: tensor<4x8xf32>, %arg8: tensor<4x8xf32>, %arg9: tensor<4x8xf32>, %arg10: tensor<4x8xf32>, %arg11: tensor<4x8xf32>, %arg12: tensor<4x8xf32>, %arg13: tensor<4x8xf32>, %arg14: tensor<4x8xf32>, %arg15: tensor<4x8xf32>, %arg16: tensor<4x8xf32>, %arg17: tensor<4x8xf32>, %arg18: tensor<4x8xf32>, %arg19: tensor<4x8xf32>, %arg20: tensor<4x8xf32>, %arg21: tensor<4x8xf32>, %arg22: tensor<4x8xf32>, %arg23: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<4x8xf32>
    %1 = stablehlo.add %0, %arg22 : tensor<4x8xf32>
    %2 = stablehlo.maximum %arg21, %1 : tensor<4x8xf32>
    %3 = stablehlo.compare EQ, %arg21, %2, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %4 = stablehlo.select %3, %arg4, %arg3 : tensor<4x8xi1>, tensor<4x8xf32>
    %5 = stablehlo.compare EQ, %1, %2, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %6 = stablehlo.select %5, %arg6, %arg5 : tensor<4x8xi1>, tensor<4x8xf32>
    %7 = stablehlo.divide %4, %6 : tensor<4x8xf32>
    %8 = stablehlo.compare EQ, %1, %2, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %9 = stablehlo.select %8, %arg8, %arg7 : tensor<4x8xi1>, tensor<4x8xf32>
    %10 = stablehlo.compare EQ, %arg21, %2, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %11 = stablehlo.select %10, %arg10, %arg9 : tensor<4x8xi1>, tensor<4x8xf32>
    %12 = stablehlo.divide %9, %11 : tensor<4x8xf32>
    %13 = stablehlo.subtract %arg21, %2 : tensor<4x8xf32>
    %14 = stablehlo.exponential %13 : tensor<4x8xf32>
    %15 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<4x8xf32>
    %16 = stablehlo.add %15, %arg22 : tensor<4x8xf32>
    %17 = stablehlo.subtract %16, %2 : tensor<4x8xf32>
    %18 = stablehlo.exponential %17 : tensor<4x8xf32>
    %19 = stablehlo.multiply %14, %arg19 : tensor<4x8xf32>
    %20 = stablehlo.multiply %18, %arg23 : tensor<4x8xf32>
    %21 = stablehlo.add %19, %20 : tensor<4x8xf32>
    %22 = stablehlo.multiply %14, %arg20 : tensor<4x8xf32>
    %23 = stablehlo.add %22, %18 : tensor<4x8xf32>
    %24 = stablehlo.divide %21, %23 : tensor<4x8xf32>
    %25 = stablehlo.multiply %23, %23 : tensor<4x8xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %27 = stablehlo.divide %26, %25 : tensor<4x8xf32>
    %28 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<4x8xf32>
    %29 = stablehlo.subtract %arg21, %28 : tensor<4x8xf32>
    %30 = stablehlo.maximum %29, %arg22 : tensor<4x8xf32>
    %31 = stablehlo.compare EQ, %29, %30, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %32 = stablehlo.select %31, %arg12, %arg11 : tensor<4x8xi1>, tensor<4x8xf32>
    %33 = stablehlo.compare EQ, %arg22, %30, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %34 = stablehlo.select %33, %arg14, %arg13 : tensor<4x8xi1>, tensor<4x8xf32>
    %35 = stablehlo.divide %32, %34 : tensor<4x8xf32>
    %36 = stablehlo.compare EQ, %arg22, %30, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %37 = stablehlo.select %36, %arg16, %arg15 : tensor<4x8xi1>, tensor<4x8xf32>
    %38 = stablehlo.compare EQ, %29, %30, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %39 = stablehlo.select %38, %arg18, %arg17 : tensor<4x8xi1>, tensor<4x8xf32>
    %40 = stablehlo.divide %37, %39 : tensor<4x8xf32>
    %41 = stablehlo.subtract %29, %30 : tensor<4x8xf32>
    %42 = stablehlo.exponential %41 : tensor<4x8xf32>
    %43 = stablehlo.subtract %arg22, %30 : tensor<4x8xf32>
    %44 = stablehlo.exponential %43 : tensor<4x8xf32>
    %45 = stablehlo.multiply %42, %arg19 : tensor<4x8xf32>
    %46 = stablehlo.multiply %44, %arg23 : tensor<4x8xf32>
    %47 = stablehlo.add %45, %46 : tensor<4x8xf32>
    %48 = stablehlo.multiply %42, %arg20 : tensor<4x8xf32>
    %49 = stablehlo.add %48, %44 : tensor<4x8xf32>
    return %47, %49, %30, %24, %7, %12, %14, %18, %arg19, %arg20, %23, %21, %27, %35, %40, %42, %44 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<6x4x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<i32>) -> tensor<6x4x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<6x4x8xf32>, tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x4x8xf32>
    return %1 : tensor<6x4x8xf32>
  }
  func.func private @relu(%arg0: tensor<4x6x16xf32>) -> tensor<4x6x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x6x16xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<4x6x16xf32>
    return %1 : tensor<4x6x16xf32>
  }
  func.func private @closed_call_0(%arg0: tensor<1x8xf32>, %arg1: tensor<1x8xf32>, %arg2: tensor<1x8xf32>, %arg3: tensor<4x8xf32>, %arg4: tensor<4x8xf32>, %arg5: tensor<4x8xf32>, %arg6: tensor<4x8xf32>, %arg7: tensor<4x8xf32>, %arg8: tensor<4x8xf32>, %arg9: tensor<4x8xf32>, %arg10: tensor<4x8xf32>, %arg11: tensor<4x8xf32>, %arg12: tensor<4x8xf32>, %arg13: tensor<4x8xf32>, %arg14: tensor<4x8xf32>, %arg15: tensor<4x8xf32>, %arg16: tensor<4x8xf32>, %arg17: tensor<4x8xf32>, %arg18: tensor<4x8xf32>, %arg19: tensor<4x8xf32>, %arg20: tensor<4x8xf32>, %arg21: tensor<4x8xf32>, %arg22: tensor<4x8xf32>, %arg23: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<4x8xf32>
    %1 = stablehlo.add %0, %arg22 : tensor<4x8xf32>
    %2 = stablehlo.maximum %arg21, %1 : tensor<4x8xf32>
    %3 = stablehlo.compare EQ, %arg21, %2, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %4 = stablehlo.select %3, %arg4, %arg3 : tensor<4x8xi1>, tensor<4x8xf32>
    %5 = stablehlo.compare EQ, %1, %2, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %6 = stablehlo.select %5, %arg6, %arg5 : tensor<4x8xi1>, tensor<4x8xf32>
    %7 = stablehlo.divide %4, %6 : tensor<4x8xf32>
    %8 = stablehlo.compare EQ, %1, %2, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %9 = stablehlo.select %8, %arg8, %arg7 : tensor<4x8xi1>, tensor<4x8xf32>
    %10 = stablehlo.compare EQ, %arg21, %2, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %11 = stablehlo.select %10, %arg10, %arg9 : tensor<4x8xi1>, tensor<4x8xf32>
    %12 = stablehlo.divide %9, %11 : tensor<4x8xf32>
    %13 = stablehlo.subtract %arg21, %2 : tensor<4x8xf32>
    %14 = stablehlo.exponential %13 : tensor<4x8xf32>
    %15 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<4x8xf32>
    %16 = stablehlo.add %15, %arg22 : tensor<4x8xf32>
    %17 = stablehlo.subtract %16, %2 : tensor<4x8xf32>
    %18 = stablehlo.exponential %17 : tensor<4x8xf32>
    %19 = stablehlo.multiply %14, %arg19 : tensor<4x8xf32>
    %20 = stablehlo.multiply %18, %arg23 : tensor<4x8xf32>
    %21 = stablehlo.add %19, %20 : tensor<4x8xf32>
    %22 = stablehlo.multiply %14, %arg20 : tensor<4x8xf32>
    %23 = stablehlo.add %22, %18 : tensor<4x8xf32>
    %24 = stablehlo.divide %21, %23 : tensor<4x8xf32>
    %25 = stablehlo.multiply %23, %23 : tensor<4x8xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %27 = stablehlo.divide %26, %25 : tensor<4x8xf32>
    %28 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<4x8xf32>
    %29 = stablehlo.subtract %arg21, %28 : tensor<4x8xf32>
    %30 = stablehlo.maximum %29, %arg22 : tensor<4x8xf32>
    %31 = stablehlo.compare EQ, %29, %30, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %32 = stablehlo.select %31, %arg12, %arg11 : tensor<4x8xi1>, tensor<4x8xf32>
    %33 = stablehlo.compare EQ, %arg22, %30, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %34 = stablehlo.select %33, %arg14, %arg13 : tensor<4x8xi1>, tensor<4x8xf32>
    %35 = stablehlo.divide %32, %34 : tensor<4x8xf32>
    %36 = stablehlo.compare EQ, %arg22, %30, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %37 = stablehlo.select %36, %arg16, %arg15 : tensor<4x8xi1>, tensor<4x8xf32>
    %38 = stablehlo.compare EQ, %29, %30, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %39 = stablehlo.select %38, %arg18, %arg17 : tensor<4x8xi1>, tensor<4x8xf32>
    %40 = stablehlo.divide %37, %39 : tensor<4x8xf32>
    %41 = stablehlo.subtract %29, %30 : tensor<4x8xf32>
    %42 = stablehlo.exponential %41 : tensor<4x8xf32>
    %43 = stablehlo.subtract %arg22, %30 : tensor<4x8xf32>
    %44 = stablehlo.exponential %43 : tensor<4x8xf32>
    %45 = stablehlo.multiply %42, %arg19 : tensor<4x8xf32>
    %46 = stablehlo.multiply %44, %arg23 : tensor<4x8xf32>
    %47 = stablehlo.add %45, %46 : tensor<4x8xf32>
    %48 = stablehlo.multiply %42, %arg20 : tensor<4x8xf32>
    %49 = stablehlo.add %48, %44 : tensor<4x8xf32>
    return %47, %49, %30, %24, %7, %12, %14, %18, %arg19, %arg20, %23, %21, %27, %35, %40, %42, %44 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<4x6x32xf32>, %arg1: tensor<4x6x1xi32>) -> (tensor<4x6x1xf32>, tensor<4x6x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x6x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<4x6x1xi32>, tensor<4x6x1xi32>) -> tensor<4x6x1xi1>
    %c_0 = stablehlo.constant dense<32> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x6x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<4x6x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<4x6x1xi1>, tensor<4x6x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<4x6x1xi32>) -> tensor<4x6x1x1xi32>
    %c_1 = stablehlo.constant dense<31> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4x6x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<4x6x1x1xi32>, tensor<4x6x1x1xi32>) -> tensor<4x6x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [3] : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xi32>) -> tensor<4x6x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<4x6x1x1xi32>, tensor<4x6x1x1xi32>) -> tensor<4x6x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<4x6x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [3] : (tensor<4x6x1x1xi1>, tensor<i1>) -> tensor<4x6x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<4x6x32xf32>, tensor<4x6x1x1xi32>) -> tensor<4x6x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<4x6x1xi1>, tensor<4x6x1xf32>
    return %15, %5 : tensor<4x6x1xf32>, tensor<4x6x1x1xi32>
  }
  func.func private @take_along_axis_1(%arg0: tensor<4x6x1x1xi32>, %arg1: tensor<4x6x1xf32>) -> tensor<4x6x32xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x6x32xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4x6x32xf32>, tensor<4x6x1x1xi32>, tensor<4x6x1xf32>) -> tensor<4x6x32xf32>
    return %1 : tensor<4x6x32xf32>
  }
  func.func private @_var_2(%arg0: tensor<4x6x8xf32>, %arg1: tensor<f32>, %arg2: tensor<i1>, %arg3: tensor<4x6x1xf32>) -> tensor<4x6x8xf32> {
    %0 = call @_where_3(%arg2, %arg3) : (tensor<i1>, tensor<4x6x1xf32>) -> tensor<4x6x1xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %2 = stablehlo.divide %0, %1 : tensor<4x6x1xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x6x1xf32>, tensor<f32>) -> tensor<4x6xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x8xf32>
    %5 = stablehlo.multiply %4, %arg0 : tensor<4x6x8xf32>
    %6 = stablehlo.negate %5 : tensor<4x6x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<4x6xf32>
    %8 = stablehlo.reshape %7 : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %cst_1 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<4x6x1xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<4x6x1xf32>, tensor<f32>) -> tensor<4x6xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x8xf32>
    %13 = stablehlo.add %5, %12 : tensor<4x6x8xf32>
    return %13 : tensor<4x6x8xf32>
  }
  func.func private @_where_3(%arg0: tensor<i1>, %arg1: tensor<4x6x1xf32>) -> tensor<4x6x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<i1>, tensor<4x6x1xf32>
    return %1 : tensor<4x6x1xf32>
  }
  func.func private @closed_call_4(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>, %arg3: tensor<4x8xf32>, %arg4: tensor<4x8xf32>, %arg5: tensor<4x8xf32>, %arg6: tensor<4x8xf32>, %arg7: tensor<4x8xf32>, %arg8: tensor<4x8xf32>, %arg9: tensor<4x8xf32>, %arg10: tensor<4x8xf32>, %arg11: tensor<4x8xf32>, %arg12: tensor<4x8xf32>, %arg13: tensor<4x8xf32>, %arg14: tensor<4x8xf32>, %arg15: tensor<4x8xf32>, %arg16: tensor<4x8xf32>, %arg17: tensor<4x8xf32>, %arg18: tensor<4x8xf32>, %arg19: tensor<4x8xf32>, %arg20: tensor<4x8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
    %0 = stablehlo.multiply %arg19, %arg4 : tensor<4x8xf32>
    %1 = stablehlo.multiply %arg4, %arg13 : tensor<4x8xf32>
    %2 = stablehlo.multiply %arg20, %arg3 : tensor<4x8xf32>
    %3 = stablehlo.multiply %arg3, %arg12 : tensor<4x8xf32>
    %4 = stablehlo.add %arg4, %3 : tensor<4x8xf32>
    %5 = stablehlo.multiply %arg19, %arg3 : tensor<4x8xf32>
    %6 = stablehlo.multiply %arg3, %arg11 : tensor<4x8xf32>
    %7 = stablehlo.add %1, %6 : tensor<4x8xf32>
    %8 = stablehlo.multiply %4, %arg20 : tensor<4x8xf32>
    %9 = stablehlo.negate %8 : tensor<4x8xf32>
    %10 = stablehlo.add %arg5, %9 : tensor<4x8xf32>
    %11 = stablehlo.multiply %7, %arg19 : tensor<4x8xf32>
    %12 = stablehlo.negate %11 : tensor<4x8xf32>
    %13 = stablehlo.add %10, %12 : tensor<4x8xf32>
    %14 = stablehlo.multiply %13, %arg18 : tensor<4x8xf32>
    %15 = stablehlo.add %8, %14 : tensor<4x8xf32>
    %16 = stablehlo.multiply %13, %arg17 : tensor<4x8xf32>
    %17 = stablehlo.add %11, %16 : tensor<4x8xf32>
    %18 = stablehlo.negate %17 : tensor<4x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.reduce(%18 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
    %20 = stablehlo.reshape %19 : (tensor<8xf32>) -> tensor<1x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.reduce(%20 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %22 = stablehlo.multiply %21, %arg0 : tensor<8xf32>
    %23 = stablehlo.add %arg2, %22 : tensor<8xf32>
    %24 = stablehlo.multiply %arg6, %arg16 : tensor<4x8xf32>
    %25 = stablehlo.multiply %24, %arg15 : tensor<4x8xf32>
    %26 = stablehlo.negate %25 : tensor<4x8xf32>
    %27 = stablehlo.divide %arg6, %arg14 : tensor<4x8xf32>
    %28 = stablehlo.multiply %arg9, %26 : tensor<4x8xf32>
    %29 = stablehlo.add %0, %28 : tensor<4x8xf32>
    %30 = stablehlo.multiply %26, %arg13 : tensor<4x8xf32>
    %31 = stablehlo.multiply %arg10, %27 : tensor<4x8xf32>
    %32 = stablehlo.add %2, %31 : tensor<4x8xf32>
    %33 = stablehlo.multiply %27, %arg12 : tensor<4x8xf32>
    %34 = stablehlo.add %26, %33 : tensor<4x8xf32>
    %35 = stablehlo.multiply %arg9, %27 : tensor<4x8xf32>
    %36 = stablehlo.add %5, %35 : tensor<4x8xf32>
    %37 = stablehlo.multiply %27, %arg11 : tensor<4x8xf32>
    %38 = stablehlo.add %30, %37 : tensor<4x8xf32>
    %39 = stablehlo.multiply %34, %arg10 : tensor<4x8xf32>
    %40 = stablehlo.negate %39 : tensor<4x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %41 = stablehlo.reduce(%39 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
    %42 = stablehlo.reshape %41 : (tensor<8xf32>) -> tensor<1x8xf32>
    %43 = stablehlo.add %15, %39 : tensor<4x8xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %44 = stablehlo.reduce(%42 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %45 = stablehlo.add %arg1, %44 : tensor<8xf32>
    %46 = stablehlo.multiply %38, %arg9 : tensor<4x8xf32>
    %47 = stablehlo.negate %46 : tensor<4x8xf32>
    %48 = stablehlo.add %17, %46 : tensor<4x8xf32>
    %49 = stablehlo.add %40, %47 : tensor<4x8xf32>
    %50 = stablehlo.multiply %49, %arg8 : tensor<4x8xf32>
    %51 = stablehlo.multiply %49, %arg7 : tensor<4x8xf32>
    %52 = stablehlo.add %48, %51 : tensor<4x8xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %53 = stablehlo.reduce(%50 init: %cst_3) applies stablehlo.add across dimensions = [0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
    %54 = stablehlo.reshape %53 : (tensor<8xf32>) -> tensor<1x8xf32>
    %55 = stablehlo.add %43, %50 : tensor<4x8xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %56 = stablehlo.reduce(%54 init: %cst_4) applies stablehlo.add across dimensions = [0] : (tensor<1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %57 = stablehlo.add %45, %56 : tensor<8xf32>
    return %57, %23, %36, %29, %52, %55, %32 : tensor<8xf32>, tensor<8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
  }
  func.func private @_pad_5(%arg0: tensor<4x7x8xf32>) -> tensor<4x6x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.pad %arg0, %cst, low = [0, -1, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<4x7x8xf32>, tensor<f32>) -> tensor<4x6x8xf32>
    %1 = stablehlo.slice %0 [0:4, 0:6, 0:8] : (tensor<4x6x8xf32>) -> tensor<4x6x8xf32>
    return %1 : tensor<4x6x8xf32>
  }
  func.func private @closed_call_6(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>, %arg3: tensor<4x8xf32>, %arg4: tensor<4x8xf32>, %arg5: tensor<4x8xf32>, %arg6: tensor<4x8xf32>, %arg7: tensor<4x8xf32>, %arg8: tensor<4x8xf32>, %arg9: tensor<4x8xf32>, %arg10: tensor<4x8xf32>, %arg11: tensor<4x8xf32>, %arg12: tensor<4x8xf32>, %arg13: tensor<4x8xf32>, %arg14: tensor<4x8xf32>, %arg15: tensor<4x8xf32>, %arg16: tensor<4x8xf32>, %arg17: tensor<4x8xf32>, %arg18: tensor<4x8xf32>, %arg19: tensor<4x8xf32>, %arg20: tensor<4x8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
    %0 = stablehlo.multiply %arg19, %arg4 : tensor<4x8xf32>
    %1 = stablehlo.multiply %arg4, %arg13 : tensor<4x8xf32>
    %2 = stablehlo.multiply %arg20, %arg3 : tensor<4x8xf32>
    %3 = stablehlo.multiply %arg3, %arg12 : tensor<4x8xf32>
    %4 = stablehlo.add %arg4, %3 : tensor<4x8xf32>
    %5 = stablehlo.multiply %arg19, %arg3 : tensor<4x8xf32>
    %6 = stablehlo.multiply %arg3, %arg11 : tensor<4x8xf32>
    %7 = stablehlo.add %1, %6 : tensor<4x8xf32>
    %8 = stablehlo.multiply %4, %arg20 : tensor<4x8xf32>
    %9 = stablehlo.negate %8 : tensor<4x8xf32>
    %10 = stablehlo.add %arg5, %9 : tensor<4x8xf32>
    %11 = stablehlo.multiply %7, %arg19 : tensor<4x8xf32>
    %12 = stablehlo.negate %11 : tensor<4x8xf32>
    %13 = stablehlo.add %10, %12 : tensor<4x8xf32>
    %14 = stablehlo.multiply %13, %arg18 : tensor<4x8xf32>
    %15 = stablehlo.add %8, %14 : tensor<4x8xf32>
    %16 = stablehlo.multiply %13, %arg17 : tensor<4x8xf32>
    %17 = stablehlo.add %11, %16 : tensor<4x8xf32>
    %18 = stablehlo.negate %17 : tensor<4x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.reduce(%18 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
    %20 = stablehlo.reshape %19 : (tensor<8xf32>) -> tensor<1x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.reduce(%20 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %22 = stablehlo.multiply %21, %arg0 : tensor<8xf32>
    %23 = stablehlo.add %arg2, %22 : tensor<8xf32>
    %24 = stablehlo.multiply %arg6, %arg16 : tensor<4x8xf32>
    %25 = stablehlo.multiply %24, %arg15 : tensor<4x8xf32>
    %26 = stablehlo.negate %25 : tensor<4x8xf32>
    %27 = stablehlo.divide %arg6, %arg14 : tensor<4x8xf32>
    %28 = stablehlo.multiply %arg9, %26 : tensor<4x8xf32>
    %29 = stablehlo.add %0, %28 : tensor<4x8xf32>
    %30 = stablehlo.multiply %26, %arg13 : tensor<4x8xf32>
    %31 = stablehlo.multiply %arg10, %27 : tensor<4x8xf32>
    %32 = stablehlo.add %2, %31 : tensor<4x8xf32>
    %33 = stablehlo.multiply %27, %arg12 : tensor<4x8xf32>
    %34 = stablehlo.add %26, %33 : tensor<4x8xf32>
    %35 = stablehlo.multiply %arg9, %27 : tensor<4x8xf32>
    %36 = stablehlo.add %5, %35 : tensor<4x8xf32>
    %37 = stablehlo.multiply %27, %arg11 : tensor<4x8xf32>
    %38 = stablehlo.add %30, %37 : tensor<4x8xf32>
    %39 = stablehlo.multiply %34, %arg10 : tensor<4x8xf32>
    %40 = stablehlo.negate %39 : tensor<4x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %41 = stablehlo.reduce(%39 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
    %42 = stablehlo.reshape %41 : (tensor<8xf32>) -> tensor<1x8xf32>
    %43 = stablehlo.add %15, %39 : tensor<4x8xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %44 = stablehlo.reduce(%42 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %45 = stablehlo.add %arg1, %44 : tensor<8xf32>
    %46 = stablehlo.multiply %38, %arg9 : tensor<4x8xf32>
    %47 = stablehlo.negate %46 : tensor<4x8xf32>
    %48 = stablehlo.add %17, %46 : tensor<4x8xf32>
    %49 = stablehlo.add %40, %47 : tensor<4x8xf32>
    %50 = stablehlo.multiply %49, %arg8 : tensor<4x8xf32>
    %51 = stablehlo.multiply %49, %arg7 : tensor<4x8xf32>
    %52 = stablehlo.add %48, %51 : tensor<4x8xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %53 = stablehlo.reduce(%50 init: %cst_3) applies stablehlo.add across dimensions = [0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
    %54 = stablehlo.reshape %53 : (tensor<8xf32>) -> tensor<1x8xf32>
    %55 = stablehlo.add %43, %50 : tensor<4x8xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %56 = stablehlo.reduce(%54 init: %cst_4) applies stablehlo.add across dimensions = [0] : (tensor<1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %57 = stablehlo.add %45, %56 : tensor<8xf32>
    return %57, %23, %36, %29, %52, %55, %32 : tensor<8xf32>, tensor<8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
  }
}
