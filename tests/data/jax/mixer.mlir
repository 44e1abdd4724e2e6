module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x10xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<8x32xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<32x8xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<16x8xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<8x16xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<8x32xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<32x8xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<16x8xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<8x16xf32> {tf.aliasing_output = 8 : i32}, %arg9: tensor<12x8xf32> {tf.aliasing_output = 9 : i32}, %arg10: tensor<8x10xf32> {tf.aliasing_output = 10 : i32}, %arg11: tensor<8x32xf32> {tf.aliasing_output = 11 : i32}, %arg12: tensor<32x8xf32> {tf.aliasing_output = 12 : i32}, %arg13: tensor<16x8xf32> {tf.aliasing_output = 13 : i32}, %arg14: tensor<8x16xf32> {tf.aliasing_output = 14 : i32}, %arg15: tensor<8x32xf32> {tf.aliasing_output = 15 : i32}, %arg16: tensor<32x8xf32> {tf.aliasing_output = 16 : i32}, %arg17: tensor<16x8xf32> {tf.aliasing_output = 17 : i32}, %arg18: tensor<8x16xf32> {tf.aliasing_output = 18 : i32}, %arg19: tensor<12x8xf32> {tf.aliasing_output = 19 : i32}, %arg20: tensor<4x8x8x3xf32>, %arg21: tensor<4xi32>) -> (tensor<8x10xf32> {jax.result_info = "result[0]['head']"}, tensor<8x32xf32> {jax.result_info = "result[0]['layers'][0]['c1']"}, tensor<32x8xf32> {jax.result_info = "result[0]['layers'][0]['c2']"}, tensor<16x8xf32> {jax.result_info = "result[0]['layers'][0]['t1']"}, tensor<8x16xf32> {jax.result_info = "result[0]['layers'][0]['t2']"}, tensor<8x32xf32> {jax.result_info = "result[0]['layers'][1]['c1']"}, tensor<32x8xf32> {jax.result_info = "result[0]['layers'][1]['c2']"}, tensor<16x8xf32> {jax.result_info = "result[0]['layers'][1]['t1']"}, tensor<8x16xf32> {jax.result_info = "result[0]['layers'][1]['t2']"}, tensor<12x8xf32> {jax.result_info = "result[0]['stem']"}, tensor<8x10xf32> {jax.result_info = "result[1]['head']"}, tensor<8x32xf32> {jax.result_info = "result[1]['layers'][0]['c1']"}, tensor<32x8xf32> {jax.result_info = "result[1]['layers'][0]['c2']"}, tensor<16x8xf32> {jax.result_info = "result[1]['layers'][0]['t1']"}, tensor<8x16xf32> {jax.result_info = "result[1]['layers'][0]['t2']"}, tensor<8x32xf32> {jax.result_info = "result[1]['layers'][1]['c1']"}, tensor<32x8xf32> {jax.result_info = "result[1]['layers'][1]['c2']"}, tensor<16x8xf32> {jax.result_info = "result[1]['layers'][1]['t1']"}, tensor<8x16xf32> {jax.result_info = "result[1]['layers'][1]['t2']"}, tensor<12x8xf32> {jax.result_info = "result[1]['stem']"}, tensor<f32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.reshape %arg20 : (tensor<4x8x8x3xf32>) -> tensor<4x4x2x4x2x3xf32>
    %1 = stablehlo.transpose %0, dims = [0, 1, 3, 2, 4, 5] : (tensor<4x4x2x4x2x3xf32>) -> tensor<4x4x4x2x2x3xf32>
    %2 = stablehlo.reshape %1 : (tensor<4x4x4x2x2x3xf32>) -> tensor<4x16x12xf32>
    %3 = stablehlo.dot_general %2, %arg9, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16x12xf32>, tensor<12x8xf32>) -> tensor<4x16x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x16x8xf32>, tensor<f32>) -> tensor<4x16xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %7 = stablehlo.divide %5, %6 : tensor<4x16x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x8xf32>
    %9 = stablehlo.subtract %3, %8 : tensor<4x16x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %10:4 = call @_var(%3, %c) : (tensor<4x16x8xf32>, tensor<i32>) -> (tensor<4x16x1xf32>, tensor<4x16x8xf32>, tensor<f32>, tensor<i1>)
    %cst_1 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %12 = stablehlo.add %10#0, %11 : tensor<4x16x1xf32>
    %13 = stablehlo.rsqrt %12 : tensor<4x16x1xf32>
    %14 = stablehlo.divide %13, %12 : tensor<4x16x1xf32>
    %cst_2 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %16 = stablehlo.multiply %15, %14 : tensor<4x16x1xf32>
    %17 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x8xf32>
    %18 = stablehlo.multiply %9, %17 : tensor<4x16x8xf32>
    %19 = stablehlo.transpose %18, dims = [0, 2, 1] : (tensor<4x16x8xf32>) -> tensor<4x8x16xf32>
    %20 = stablehlo.dot_general %19, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x8xf32>) -> tensor<4x8x8xf32>
    %21 = stablehlo.multiply %20, %20 : tensor<4x8x8xf32>
    %22 = stablehlo.multiply %21, %20 : tensor<4x8x8xf32>
    %23 = stablehlo.multiply %20, %20 : tensor<4x8x8xf32>
    %cst_3 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %25 = stablehlo.multiply %24, %23 : tensor<4x8x8xf32>
    %cst_4 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %27 = stablehlo.multiply %26, %22 : tensor<4x8x8xf32>
    %28 = stablehlo.add %20, %27 : tensor<4x8x8xf32>
    %cst_5 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %30 = stablehlo.multiply %29, %28 : tensor<4x8x8xf32>
    %31 = stablehlo.tanh %30 : tensor<4x8x8xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %33 = stablehlo.subtract %32, %31 : tensor<4x8x8xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %35 = stablehlo.add %34, %31 : tensor<4x8x8xf32>
    %cst_8 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %37 = stablehlo.multiply %36, %35 : tensor<4x8x8xf32>
    %38 = stablehlo.multiply %20, %37 : tensor<4x8x8xf32>
    %39 = stablehlo.dot_general %38, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8xf32>, tensor<8x16xf32>) -> tensor<4x8x16xf32>
    %40 = stablehlo.transpose %39, dims = [0, 2, 1] : (tensor<4x8x16xf32>) -> tensor<4x16x8xf32>
    %41 = stablehlo.add %3, %40 : tensor<4x16x8xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %42 = stablehlo.reduce(%41 init: %cst_9) applies stablehlo.add across dimensions = [2] : (tensor<4x16x8xf32>, tensor<f32>) -> tensor<4x16xf32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %cst_10 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %45 = stablehlo.divide %43, %44 : tensor<4x16x1xf32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x8xf32>
    %47 = stablehlo.subtract %41, %46 : tensor<4x16x8xf32>
    %c_11 = stablehlo.constant dense<0> : tensor<i32>
    %48:4 = call @_var(%41, %c_11) : (tensor<4x16x8xf32>, tensor<i32>) -> (tensor<4x16x1xf32>, tensor<4x16x8xf32>, tensor<f32>, tensor<i1>)
    %cst_12 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %50 = stablehlo.add %48#0, %49 : tensor<4x16x1xf32>
    %51 = stablehlo.rsqrt %50 : tensor<4x16x1xf32>
    %52 = stablehlo.divide %51, %50 : tensor<4x16x1xf32>
    %cst_13 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %54 = stablehlo.multiply %53, %52 : tensor<4x16x1xf32>
    %55 = stablehlo.broadcast_in_dim %51, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x8xf32>
    %56 = stablehlo.multiply %47, %55 : tensor<4x16x8xf32>
    %57 = stablehlo.dot_general %56, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16x8xf32>, tensor<8x32xf32>) -> tensor<4x16x32xf32>
    %58 = stablehlo.multiply %57, %57 : tensor<4x16x32xf32>
    %59 = stablehlo.multiply %58, %57 : tensor<4x16x32xf32>
    %60 = stablehlo.multiply %57, %57 : tensor<4x16x32xf32>
    %cst_14 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %62 = stablehlo.multiply %61, %60 : tensor<4x16x32xf32>
    %cst_15 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %64 = stablehlo.multiply %63, %59 : tensor<4x16x32xf32>
    %65 = stablehlo.add %57, %64 : tensor<4x16x32xf32>
    %cst_16 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %67 = stablehlo.multiply %66, %65 : tensor<4x16x32xf32>
    %68 = stablehlo.tanh %67 : tensor<4x16x32xf32>
    %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %70 = stablehlo.subtract %69, %68 : tensor<4x16x32xf32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %72 = stablehlo.add %71, %68 : tensor<4x16x32xf32>
    %cst_19 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %74 = stablehlo.multiply %73, %72 : tensor<4x16x32xf32>
    %75 = stablehlo.multiply %57, %74 : tensor<4x16x32xf32>
    %76 = stablehlo.dot_general %75, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16x32xf32>, tensor<32x8xf32>) -> tensor<4x16x8xf32>
    %77 = stablehlo.add %41, %76 : tensor<4x16x8xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %78 = stablehlo.reduce(%77 init: %cst_20) applies stablehlo.add across dimensions = [2] : (tensor<4x16x8xf32>, tensor<f32>) -> tensor<4x16xf32>
    %79 = stablehlo.broadcast_in_dim %78, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %cst_21 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %81 = stablehlo.divide %79, %80 : tensor<4x16x1xf32>
    %82 = stablehlo.broadcast_in_dim %81, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x8xf32>
    %83 = stablehlo.subtract %77, %82 : tensor<4x16x8xf32>
    %c_22 = stablehlo.constant dense<0> : tensor<i32>
    %84:4 = call @_var(%77, %c_22) : (tensor<4x16x8xf32>, tensor<i32>) -> (tensor<4x16x1xf32>, tensor<4x16x8xf32>, tensor<f32>, tensor<i1>)
    %cst_23 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %85 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %86 = stablehlo.add %84#0, %85 : tensor<4x16x1xf32>
    %87 = stablehlo.rsqrt %86 : tensor<4x16x1xf32>
    %88 = stablehlo.divide %87, %86 : tensor<4x16x1xf32>
    %cst_24 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %89 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %90 = stablehlo.multiply %89, %88 : tensor<4x16x1xf32>
    %91 = stablehlo.broadcast_in_dim %87, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x8xf32>
    %92 = stablehlo.multiply %83, %91 : tensor<4x16x8xf32>
    %93 = stablehlo.transpose %92, dims = [0, 2, 1] : (tensor<4x16x8xf32>) -> tensor<4x8x16xf32>
    %94 = stablehlo.dot_general %93, %arg7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x8xf32>) -> tensor<4x8x8xf32>
    %95 = stablehlo.multiply %94, %94 : tensor<4x8x8xf32>
    %96 = stablehlo.multiply %95, %94 : tensor<4x8x8xf32>
    %97 = stablehlo.multiply %94, %94 : tensor<4x8x8xf32>
    %cst_25 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %98 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %99 = stablehlo.multiply %98, %97 : tensor<4x8x8xf32>
    %cst_26 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %100 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %101 = stablehlo.multiply %100, %96 : tensor<4x8x8xf32>
    %102 = stablehlo.add %94, %101 : tensor<4x8x8xf32>
    %cst_27 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %103 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %104 = stablehlo.multiply %103, %102 : tensor<4x8x8xf32>
    %105 = stablehlo.tanh %104 : tensor<4x8x8xf32>
    %cst_28 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %106 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %107 = stablehlo.subtract %106, %105 : tensor<4x8x8xf32>
    %cst_29 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %108 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %109 = stablehlo.add %108, %105 : tensor<4x8x8xf32>
    %cst_30 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %110 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %111 = stablehlo.multiply %110, %109 : tensor<4x8x8xf32>
    %112 = stablehlo.multiply %94, %111 : tensor<4x8x8xf32>
    %113 = stablehlo.dot_general %112, %arg8, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8xf32>, tensor<8x16xf32>) -> tensor<4x8x16xf32>
    %114 = stablehlo.transpose %113, dims = [0, 2, 1] : (tensor<4x8x16xf32>) -> tensor<4x16x8xf32>
    %115 = stablehlo.add %77, %114 : tensor<4x16x8xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %116 = stablehlo.reduce(%115 init: %cst_31) applies stablehlo.add across dimensions = [2] : (tensor<4x16x8xf32>, tensor<f32>) -> tensor<4x16xf32>
    %117 = stablehlo.broadcast_in_dim %116, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %cst_32 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %118 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %119 = stablehlo.divide %117, %118 : tensor<4x16x1xf32>
    %120 = stablehlo.broadcast_in_dim %119, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x8xf32>
    %121 = stablehlo.subtract %115, %120 : tensor<4x16x8xf32>
    %c_33 = stablehlo.constant dense<0> : tensor<i32>
    %122:4 = call @_var(%115, %c_33) : (tensor<4x16x8xf32>, tensor<i32>) -> (tensor<4x16x1xf32>, tensor<4x16x8xf32>, tensor<f32>, tensor<i1>)
    %cst_34 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %123 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %124 = stablehlo.add %122#0, %123 : tensor<4x16x1xf32>
    %125 = stablehlo.rsqrt %124 : tensor<4x16x1xf32>
    %126 = stablehlo.divide %125, %124 : tensor<4x16x1xf32>
    %cst_35 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %127 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %128 = stablehlo.multiply %127, %126 : tensor<4x16x1xf32>
    %129 = stablehlo.broadcast_in_dim %125, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x8xf32>
    %130 = stablehlo.multiply %121, %129 : tensor<4x16x8xf32>
    %131 = stablehlo.dot_general %130, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16x8xf32>, tensor<8x32xf32>) -> tensor<4x16x32xf32>
    %132 = stablehlo.multiply %131, %131 : tensor<4x16x32xf32>
    %133 = stablehlo.multiply %132, %131 : tensor<4x16x32xf32>
    %134 = stablehlo.multiply %131, %131 : tensor<4x16x32xf32>
    %cst_36 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %135 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %136 = stablehlo.multiply %135, %134 : tensor<4x16x32xf32>
    %cst_37 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %137 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %138 = stablehlo.multiply %137, %133 : tensor<4x16x32xf32>
    %139 = stablehlo.add %131, %138 : tensor<4x16x32xf32>
    %cst_38 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %140 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %141 = stablehlo.multiply %140, %139 : tensor<4x16x32xf32>
    %142 = stablehlo.tanh %141 : tensor<4x16x32xf32>
    %cst_39 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %143 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %144 = stablehlo.subtract %143, %142 : tensor<4x16x32xf32>
    %cst_40 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %145 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %146 = stablehlo.add %145, %142 : tensor<4x16x32xf32>
    %cst_41 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %147 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %148 = stablehlo.multiply %147, %146 : tensor<4x16x32xf32>
    %149 = stablehlo.multiply %131, %148 : tensor<4x16x32xf32>
    %150 = stablehlo.dot_general %149, %arg6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16x32xf32>, tensor<32x8xf32>) -> tensor<4x16x8xf32>
    %151 = stablehlo.add %115, %150 : tensor<4x16x8xf32>
    %cst_42 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %152 = stablehlo.reduce(%151 init: %cst_42) applies stablehlo.maximum across dimensions = [1] : (tensor<4x16x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %153 = stablehlo.reshape %152 : (tensor<4x8xf32>) -> tensor<4x1x8xf32>
    %154 = stablehlo.broadcast_in_dim %153, dims = [0, 1, 2] : (tensor<4x1x8xf32>) -> tensor<4x16x8xf32>
    %155 = stablehlo.compare EQ, %151, %154, FLOAT : (tensor<4x16x8xf32>, tensor<4x16x8xf32>) -> tensor<4x16x8xi1>
    %156 = stablehlo.convert %155 : (tensor<4x16x8xi1>) -> tensor<4x16x8xf32>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %157 = stablehlo.reduce(%156 init: %cst_43) applies stablehlo.add across dimensions = [1] : (tensor<4x16x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %158 = stablehlo.dot_general %152, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x10xf32>) -> tensor<4x10xf32>
    %cst_44 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %159 = stablehlo.reduce(%158 init: %cst_44) applies stablehlo.maximum across dimensions = [1] : (tensor<4x10xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_45 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %160 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %161 = stablehlo.maximum %160, %159 : tensor<4xf32>
    %162 = stablehlo.is_finite %161 : (tensor<4xf32>) -> tensor<4xi1>
    %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %163 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %164 = stablehlo.select %162, %161, %163 : tensor<4xi1>, tensor<4xf32>
    %165 = stablehlo.broadcast_in_dim %164, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %166 = stablehlo.broadcast_in_dim %165, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x10xf32>
    %167 = stablehlo.subtract %158, %166 : tensor<4x10xf32>
    %168 = stablehlo.exponential %167 : tensor<4x10xf32>
    %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %169 = stablehlo.reduce(%168 init: %cst_47) applies stablehlo.add across dimensions = [1] : (tensor<4x10xf32>, tensor<f32>) -> tensor<4xf32>
    %170 = stablehlo.abs %169 : tensor<4xf32>
    %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %171 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %172 = stablehlo.compare GE, %169, %171, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %173 = stablehlo.log %170 : tensor<4xf32>
    %174 = stablehlo.add %173, %164 : tensor<4xf32>
    %175 = stablehlo.iota dim = 0 : tensor<4xi32>
    %c_49 = stablehlo.constant dense<0> : tensor<i32>
    %176 = stablehlo.broadcast_in_dim %c_49, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %177 = stablehlo.compare LT, %175, %176, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_50 = stablehlo.constant dense<4> : tensor<i32>
    %178 = stablehlo.broadcast_in_dim %c_50, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %179 = stablehlo.add %175, %178 : tensor<4xi32>
    %180 = stablehlo.select %177, %179, %175 : tensor<4xi1>, tensor<4xi32>
    %c_51 = stablehlo.constant dense<0> : tensor<i32>
    %181 = stablehlo.broadcast_in_dim %c_51, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %182 = stablehlo.compare LT, %arg21, %181, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_52 = stablehlo.constant dense<10> : tensor<i32>
    %183 = stablehlo.broadcast_in_dim %c_52, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %184 = stablehlo.add %arg21, %183 : tensor<4xi32>
    %185 = stablehlo.select %182, %184, %arg21 : tensor<4xi1>, tensor<4xi32>
    %186 = stablehlo.broadcast_in_dim %180, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %187 = stablehlo.broadcast_in_dim %185, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %188 = stablehlo.concatenate %186, %187, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
    %189 = "stablehlo.gather"(%158, %188) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<4x10xf32>, tensor<4x2xi32>) -> tensor<4xf32>
    %190 = stablehlo.subtract %174, %189 : tensor<4xf32>
    %cst_53 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %191 = stablehlo.reduce(%190 init: %cst_53) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %cst_54 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %192 = stablehlo.divide %191, %cst_54 : tensor<f32>
    %193 = stablehlo.multiply %174, %174 : tensor<4xf32>
    %cst_55 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %194 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %195 = stablehlo.multiply %194, %174 : tensor<4xf32>
    %cst_56 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %196 = stablehlo.reduce(%193 init: %cst_56) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %cst_57 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %197 = stablehlo.divide %196, %cst_57 : tensor<f32>
    %cst_58 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %198 = stablehlo.multiply %cst_58, %197 : tensor<f32>
    %199 = stablehlo.add %192, %198 : tensor<f32>
    %cst_59 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %cst_60 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %200 = stablehlo.multiply %cst_59, %cst_60 : tensor<f32>
    %cst_61 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %201 = stablehlo.divide %200, %cst_61 : tensor<f32>
    %202 = stablehlo.broadcast_in_dim %201, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %203 = stablehlo.multiply %202, %195 : tensor<4xf32>
    %cst_62 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_63 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %204 = stablehlo.divide %cst_62, %cst_63 : tensor<f32>
    %205 = stablehlo.broadcast_in_dim %204, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %206 = stablehlo.negate %205 : tensor<4xf32>
    %207 = stablehlo.add %203, %205 : tensor<4xf32>
    %cst_64 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %208 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<4x10xf32>
    %209 = "stablehlo.scatter"(%208, %188, %206) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg22: tensor<f32>, %arg23: tensor<f32>):
      %550 = stablehlo.add %arg22, %arg23 : tensor<f32>
      stablehlo.return %550 : tensor<f32>
    }) : (tensor<4x10xf32>, tensor<4x2xi32>, tensor<4xf32>) -> tensor<4x10xf32>
    %210 = stablehlo.divide %207, %170 : tensor<4xf32>
    %cst_65 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %211 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %212 = stablehlo.select %172, %211, %210 : tensor<4xi1>, tensor<4xf32>
    %213 = stablehlo.select %172, %210, %211 : tensor<4xi1>, tensor<4xf32>
    %214 = stablehlo.negate %212 : tensor<4xf32>
    %215 = stablehlo.add %213, %214 : tensor<4xf32>
    %216 = stablehlo.broadcast_in_dim %215, dims = [0] : (tensor<4xf32>) -> tensor<4x10xf32>
    %217 = stablehlo.multiply %216, %168 : tensor<4x10xf32>
    %218 = stablehlo.add %209, %217 : tensor<4x10xf32>
    %219 = stablehlo.dot_general %218, %152, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x10xf32>, tensor<4x8xf32>) -> tensor<10x8xf32>
    %220 = stablehlo.transpose %219, dims = [1, 0] : (tensor<10x8xf32>) -> tensor<8x10xf32>
    %221 = stablehlo.dot_general %218, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x10xf32>, tensor<8x10xf32>) -> tensor<4x8xf32>
    %222 = stablehlo.divide %221, %157 : tensor<4x8xf32>
    %223 = stablehlo.broadcast_in_dim %222, dims = [0, 2] : (tensor<4x8xf32>) -> tensor<4x16x8xf32>
    %224 = stablehlo.multiply %223, %156 : tensor<4x16x8xf32>
    %225 = stablehlo.dot_general %224, %149, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x8xf32>, tensor<4x16x32xf32>) -> tensor<8x32xf32>
    %226 = stablehlo.transpose %225, dims = [1, 0] : (tensor<8x32xf32>) -> tensor<32x8xf32>
    %227 = stablehlo.dot_general %224, %arg6, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x8xf32>, tensor<32x8xf32>) -> tensor<4x16x32xf32>
    %228 = stablehlo.multiply %131, %227 : tensor<4x16x32xf32>
    %229 = stablehlo.multiply %227, %148 : tensor<4x16x32xf32>
    %cst_66 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %230 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %231 = stablehlo.multiply %230, %228 : tensor<4x16x32xf32>
    %232 = stablehlo.multiply %231, %144 : tensor<4x16x32xf32>
    %233 = stablehlo.multiply %232, %142 : tensor<4x16x32xf32>
    %234 = stablehlo.add %232, %233 : tensor<4x16x32xf32>
    %cst_67 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %235 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %236 = stablehlo.multiply %235, %234 : tensor<4x16x32xf32>
    %237 = stablehlo.add %229, %236 : tensor<4x16x32xf32>
    %cst_68 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %238 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %239 = stablehlo.multiply %238, %236 : tensor<4x16x32xf32>
    %240 = stablehlo.multiply %239, %136 : tensor<4x16x32xf32>
    %241 = stablehlo.add %237, %240 : tensor<4x16x32xf32>
    %242 = stablehlo.dot_general %241, %130, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x32xf32>, tensor<4x16x8xf32>) -> tensor<32x8xf32>
    %243 = stablehlo.transpose %242, dims = [1, 0] : (tensor<32x8xf32>) -> tensor<8x32xf32>
    %244 = stablehlo.dot_general %241, %arg5, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x32xf32>, tensor<8x32xf32>) -> tensor<4x16x8xf32>
    %245 = stablehlo.multiply %121, %244 : tensor<4x16x8xf32>
    %cst_69 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %246 = stablehlo.reduce(%245 init: %cst_69) applies stablehlo.add across dimensions = [2] : (tensor<4x16x8xf32>, tensor<f32>) -> tensor<4x16xf32>
    %247 = stablehlo.reshape %246 : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %248 = stablehlo.broadcast_in_dim %125, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x8xf32>
    %249 = stablehlo.multiply %244, %248 : tensor<4x16x8xf32>
    %250 = stablehlo.multiply %247, %128 : tensor<4x16x1xf32>
    %251 = call @_var_0(%122#1, %122#2, %122#3, %250) : (tensor<4x16x8xf32>, tensor<f32>, tensor<i1>, tensor<4x16x1xf32>) -> tensor<4x16x8xf32>
    %252 = stablehlo.add %224, %251 : tensor<4x16x8xf32>
    %253 = stablehlo.negate %249 : tensor<4x16x8xf32>
    %cst_70 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %254 = stablehlo.reduce(%253 init: %cst_70) applies stablehlo.add across dimensions = [2] : (tensor<4x16x8xf32>, tensor<f32>) -> tensor<4x16xf32>
    %255 = stablehlo.reshape %254 : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %256 = stablehlo.add %252, %249 : tensor<4x16x8xf32>
    %cst_71 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %257 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %258 = stablehlo.divide %255, %257 : tensor<4x16x1xf32>
    %cst_72 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %259 = stablehlo.reduce(%258 init: %cst_72) applies stablehlo.add across dimensions = [2] : (tensor<4x16x1xf32>, tensor<f32>) -> tensor<4x16xf32>
    %260 = stablehlo.broadcast_in_dim %259, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x8xf32>
    %261 = stablehlo.add %256, %260 : tensor<4x16x8xf32>
    %262 = stablehlo.transpose %261, dims = [0, 2, 1] : (tensor<4x16x8xf32>) -> tensor<4x8x16xf32>
    %263 = stablehlo.dot_general %262, %112, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x8x8xf32>) -> tensor<16x8xf32>
    %264 = stablehlo.transpose %263, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %265 = stablehlo.dot_general %262, %arg8, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<8x16xf32>) -> tensor<4x8x8xf32>
    %266 = stablehlo.multiply %94, %265 : tensor<4x8x8xf32>
    %267 = stablehlo.multiply %265, %111 : tensor<4x8x8xf32>
    %cst_73 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %268 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %269 = stablehlo.multiply %268, %266 : tensor<4x8x8xf32>
    %270 = stablehlo.multiply %269, %107 : tensor<4x8x8xf32>
    %271 = stablehlo.multiply %270, %105 : tensor<4x8x8xf32>
    %272 = stablehlo.add %270, %271 : tensor<4x8x8xf32>
    %cst_74 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %273 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %274 = stablehlo.multiply %273, %272 : tensor<4x8x8xf32>
    %275 = stablehlo.add %267, %274 : tensor<4x8x8xf32>
    %cst_75 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %276 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %277 = stablehlo.multiply %276, %274 : tensor<4x8x8xf32>
    %278 = stablehlo.multiply %277, %99 : tensor<4x8x8xf32>
    %279 = stablehlo.add %275, %278 : tensor<4x8x8xf32>
    %280 = stablehlo.dot_general %279, %93, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8xf32>, tensor<4x8x16xf32>) -> tensor<8x16xf32>
    %281 = stablehlo.transpose %280, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %282 = stablehlo.dot_general %279, %arg7, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8xf32>, tensor<16x8xf32>) -> tensor<4x8x16xf32>
    %283 = stablehlo.transpose %282, dims = [0, 2, 1] : (tensor<4x8x16xf32>) -> tensor<4x16x8xf32>
    %284 = stablehlo.multiply %83, %283 : tensor<4x16x8xf32>
    %cst_76 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %285 = stablehlo.reduce(%284 init: %cst_76) applies stablehlo.add across dimensions = [2] : (tensor<4x16x8xf32>, tensor<f32>) -> tensor<4x16xf32>
    %286 = stablehlo.reshape %285 : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %287 = stablehlo.broadcast_in_dim %87, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x8xf32>
    %288 = stablehlo.multiply %283, %287 : tensor<4x16x8xf32>
    %289 = stablehlo.multiply %286, %90 : tensor<4x16x1xf32>
    %290 = call @_var_0(%84#1, %84#2, %84#3, %289) : (tensor<4x16x8xf32>, tensor<f32>, tensor<i1>, tensor<4x16x1xf32>) -> tensor<4x16x8xf32>
    %291 = stablehlo.add %261, %290 : tensor<4x16x8xf32>
    %292 = stablehlo.negate %288 : tensor<4x16x8xf32>
    %cst_77 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %293 = stablehlo.reduce(%292 init: %cst_77) applies stablehlo.add across dimensions = [2] : (tensor<4x16x8xf32>, tensor<f32>) -> tensor<4x16xf32>
    %294 = stablehlo.reshape %293 : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %295 = stablehlo.add %291, %288 : tensor<4x16x8xf32>
    %cst_78 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %296 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %297 = stablehlo.divide %294, %296 : tensor<4x16x1xf32>
    %cst_79 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %298 = stablehlo.reduce(%297 init: %cst_79) applies stablehlo.add across dimensions = [2] : (tensor<4x16x1xf32>, tensor<f32>) -> tensor<4x16xf32>
    %299 = stablehlo.broadcast_in_dim %298, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x8xf32>
    %300 = stablehlo.add %295, %299 : tensor<4x16x8xf32>
    %301 = stablehlo.dot_general %300, %75, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x8xf32>, tensor<4x16x32xf32>) -> tensor<8x32xf32>
    %302 = stablehlo.transpose %301, dims = [1, 0] : (tensor<8x32xf32>) -> tensor<32x8xf32>
    %303 = stablehlo.dot_general %300, %arg2, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x8xf32>, tensor<32x8xf32>) -> tensor<4x16x32xf32>
    %304 = stablehlo.multiply %57, %303 : tensor<4x16x32xf32>
    %305 = stablehlo.multiply %303, %74 : tensor<4x16x32xf32>
    %cst_80 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %306 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %307 = stablehlo.multiply %306, %304 : tensor<4x16x32xf32>
    %308 = stablehlo.multiply %307, %70 : tensor<4x16x32xf32>
    %309 = stablehlo.multiply %308, %68 : tensor<4x16x32xf32>
    %310 = stablehlo.add %308, %309 : tensor<4x16x32xf32>
    %cst_81 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %311 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %312 = stablehlo.multiply %311, %310 : tensor<4x16x32xf32>
    %313 = stablehlo.add %305, %312 : tensor<4x16x32xf32>
    %cst_82 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %314 = stablehlo.broadcast_in_dim %cst_82, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %315 = stablehlo.multiply %314, %312 : tensor<4x16x32xf32>
    %316 = stablehlo.multiply %315, %62 : tensor<4x16x32xf32>
    %317 = stablehlo.add %313, %316 : tensor<4x16x32xf32>
    %318 = stablehlo.dot_general %317, %56, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x32xf32>, tensor<4x16x8xf32>) -> tensor<32x8xf32>
    %319 = stablehlo.transpose %318, dims = [1, 0] : (tensor<32x8xf32>) -> tensor<8x32xf32>
    %320 = stablehlo.dot_general %317, %arg1, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x32xf32>, tensor<8x32xf32>) -> tensor<4x16x8xf32>
    %321 = stablehlo.multiply %47, %320 : tensor<4x16x8xf32>
    %cst_83 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %322 = stablehlo.reduce(%321 init: %cst_83) applies stablehlo.add across dimensions = [2] : (tensor<4x16x8xf32>, tensor<f32>) -> tensor<4x16xf32>
    %323 = stablehlo.reshape %322 : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %324 = stablehlo.broadcast_in_dim %51, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x8xf32>
    %325 = stablehlo.multiply %320, %324 : tensor<4x16x8xf32>
    %326 = stablehlo.multiply %323, %54 : tensor<4x16x1xf32>
    %327 = call @_var_0(%48#1, %48#2, %48#3, %326) : (tensor<4x16x8xf32>, tensor<f32>, tensor<i1>, tensor<4x16x1xf32>) -> tensor<4x16x8xf32>
    %328 = stablehlo.add %300, %327 : tensor<4x16x8xf32>
    %329 = stablehlo.negate %325 : tensor<4x16x8xf32>
    %cst_84 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %330 = stablehlo.reduce(%329 init: %cst_84) applies stablehlo.add across dimensions = [2] : (tensor<4x16x8xf32>, tensor<f32>) -> tensor<4x16xf32>
    %331 = stablehlo.reshape %330 : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %332 = stablehlo.add %328, %325 : tensor<4x16x8xf32>
    %cst_85 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %333 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %334 = stablehlo.divide %331, %333 : tensor<4x16x1xf32>
    %cst_86 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %335 = stablehlo.reduce(%334 init: %cst_86) applies stablehlo.add across dimensions = [2] : (tensor<4x16x1xf32>, tensor<f32>) -> tensor<4x16xf32>
    %336 = stablehlo.broadcast_in_dim %335, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x8xf32>
    %337 = stablehlo.add %332, %336 : tensor<4x16x8xf32>
    %338 = stablehlo.transpose %337, dims = [0, 2, 1] : (tensor<4x16x8xf32>) -> tensor<4x8x16xf32>
    %339 = stablehlo.dot_general %338, %38, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x8x8xf32>) -> tensor<16x8xf32>
    %340 = stablehlo.transpose %339, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %341 = stablehlo.dot_general %338, %arg4, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<8x16xf32>) -> tensor<4x8x8xf32>
    %342 = stablehlo.multiply %20, %341 : tensor<4x8x8xf32>
    %343 = stablehlo.multiply %341, %37 : tensor<4x8x8xf32>
    %cst_87 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %344 = stablehlo.broadcast_in_dim %cst_87, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %345 = stablehlo.multiply %344, %342 : tensor<4x8x8xf32>
    %346 = stablehlo.multiply %345, %33 : tensor<4x8x8xf32>
    %347 = stablehlo.multiply %346, %31 : tensor<4x8x8xf32>
    %348 = stablehlo.add %346, %347 : tensor<4x8x8xf32>
    %cst_88 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %349 = stablehlo.broadcast_in_dim %cst_88, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %350 = stablehlo.multiply %349, %348 : tensor<4x8x8xf32>
    %351 = stablehlo.add %343, %350 : tensor<4x8x8xf32>
    %cst_89 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %352 = stablehlo.broadcast_in_dim %cst_89, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %353 = stablehlo.multiply %352, %350 : tensor<4x8x8xf32>
    %354 = stablehlo.multiply %353, %25 : tensor<4x8x8xf32>
    %355 = stablehlo.add %351, %354 : tensor<4x8x8xf32>
    %356 = stablehlo.dot_general %355, %19, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8xf32>, tensor<4x8x16xf32>) -> tensor<8x16xf32>
    %357 = stablehlo.transpose %356, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %358 = stablehlo.dot_general %355, %arg3, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8xf32>, tensor<16x8xf32>) -> tensor<4x8x16xf32>
    %359 = stablehlo.transpose %358, dims = [0, 2, 1] : (tensor<4x8x16xf32>) -> tensor<4x16x8xf32>
    %360 = stablehlo.multiply %9, %359 : tensor<4x16x8xf32>
    %cst_90 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %361 = stablehlo.reduce(%360 init: %cst_90) applies stablehlo.add across dimensions = [2] : (tensor<4x16x8xf32>, tensor<f32>) -> tensor<4x16xf32>
    %362 = stablehlo.reshape %361 : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %363 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x8xf32>
    %364 = stablehlo.multiply %359, %363 : tensor<4x16x8xf32>
    %365 = stablehlo.multiply %362, %16 : tensor<4x16x1xf32>
    %366 = call @_var_0(%10#1, %10#2, %10#3, %365) : (tensor<4x16x8xf32>, tensor<f32>, tensor<i1>, tensor<4x16x1xf32>) -> tensor<4x16x8xf32>
    %367 = stablehlo.add %337, %366 : tensor<4x16x8xf32>
    %368 = stablehlo.negate %364 : tensor<4x16x8xf32>
    %cst_91 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %369 = stablehlo.reduce(%368 init: %cst_91) applies stablehlo.add across dimensions = [2] : (tensor<4x16x8xf32>, tensor<f32>) -> tensor<4x16xf32>
    %370 = stablehlo.reshape %369 : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %371 = stablehlo.add %367, %364 : tensor<4x16x8xf32>
    %cst_92 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %372 = stablehlo.broadcast_in_dim %cst_92, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %373 = stablehlo.divide %370, %372 : tensor<4x16x1xf32>
    %cst_93 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %374 = stablehlo.reduce(%373 init: %cst_93) applies stablehlo.add across dimensions = [2] : (tensor<4x16x1xf32>, tensor<f32>) -> tensor<4x16xf32>
    %375 = stablehlo.broadcast_in_dim %374, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x8xf32>
    %376 = stablehlo.add %371, %375 : tensor<4x16x8xf32>
    %377 = stablehlo.dot_general %376, %2, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x8xf32>, tensor<4x16x12xf32>) -> tensor<8x12xf32>
    %378 = stablehlo.transpose %377, dims = [1, 0] : (tensor<8x12xf32>) -> tensor<12x8xf32>
    %379 = stablehlo.multiply %220, %220 : tensor<8x10xf32>
    %cst_94 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %380 = stablehlo.reduce(%379 init: %cst_94) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<f32>
    %cst_95 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %381 = stablehlo.add %cst_95, %380 : tensor<f32>
    %382 = stablehlo.multiply %319, %319 : tensor<8x32xf32>
    %cst_96 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %383 = stablehlo.reduce(%382 init: %cst_96) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x32xf32>, tensor<f32>) -> tensor<f32>
    %384 = stablehlo.add %381, %383 : tensor<f32>
    %385 = stablehlo.multiply %302, %302 : tensor<32x8xf32>
    %cst_97 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %386 = stablehlo.reduce(%385 init: %cst_97) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x8xf32>, tensor<f32>) -> tensor<f32>
    %387 = stablehlo.add %384, %386 : tensor<f32>
    %388 = stablehlo.multiply %357, %357 : tensor<16x8xf32>
    %cst_98 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %389 = stablehlo.reduce(%388 init: %cst_98) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x8xf32>, tensor<f32>) -> tensor<f32>
    %390 = stablehlo.add %387, %389 : tensor<f32>
    %391 = stablehlo.multiply %340, %340 : tensor<8x16xf32>
    %cst_99 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %392 = stablehlo.reduce(%391 init: %cst_99) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
    %393 = stablehlo.add %390, %392 : tensor<f32>
    %394 = stablehlo.multiply %243, %243 : tensor<8x32xf32>
    %cst_100 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %395 = stablehlo.reduce(%394 init: %cst_100) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x32xf32>, tensor<f32>) -> tensor<f32>
    %396 = stablehlo.add %393, %395 : tensor<f32>
    %397 = stablehlo.multiply %226, %226 : tensor<32x8xf32>
    %cst_101 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %398 = stablehlo.reduce(%397 init: %cst_101) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x8xf32>, tensor<f32>) -> tensor<f32>
    %399 = stablehlo.add %396, %398 : tensor<f32>
    %400 = stablehlo.multiply %281, %281 : tensor<16x8xf32>
    %cst_102 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %401 = stablehlo.reduce(%400 init: %cst_102) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x8xf32>, tensor<f32>) -> tensor<f32>
    %402 = stablehlo.add %399, %401 : tensor<f32>
    %403 = stablehlo.multiply %264, %264 : tensor<8x16xf32>
    %cst_103 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %404 = stablehlo.reduce(%403 init: %cst_103) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
    %405 = stablehlo.add %402, %404 : tensor<f32>
    %406 = stablehlo.multiply %378, %378 : tensor<12x8xf32>
    %cst_104 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %407 = stablehlo.reduce(%406 init: %cst_104) applies stablehlo.add across dimensions = [0, 1] : (tensor<12x8xf32>, tensor<f32>) -> tensor<f32>
    %408 = stablehlo.add %405, %407 : tensor<f32>
    %409 = stablehlo.sqrt %408 : tensor<f32>
    %cst_105 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %410 = stablehlo.add %409, %cst_105 : tensor<f32>
    %cst_106 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %411 = stablehlo.divide %cst_106, %410 : tensor<f32>
    %cst_107 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %412 = stablehlo.minimum %cst_107, %411 : tensor<f32>
    %413 = stablehlo.broadcast_in_dim %412, dims = [] : (tensor<f32>) -> tensor<8x10xf32>
    %414 = stablehlo.multiply %220, %413 : tensor<8x10xf32>
    %cst_108 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %415 = stablehlo.add %409, %cst_108 : tensor<f32>
    %cst_109 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %416 = stablehlo.divide %cst_109, %415 : tensor<f32>
    %cst_110 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %417 = stablehlo.minimum %cst_110, %416 : tensor<f32>
    %418 = stablehlo.broadcast_in_dim %417, dims = [] : (tensor<f32>) -> tensor<8x32xf32>
    %419 = stablehlo.multiply %319, %418 : tensor<8x32xf32>
    %cst_111 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %420 = stablehlo.add %409, %cst_111 : tensor<f32>
    %cst_112 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %421 = stablehlo.divide %cst_112, %420 : tensor<f32>
    %cst_113 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %422 = stablehlo.minimum %cst_113, %421 : tensor<f32>
    %423 = stablehlo.broadcast_in_dim %422, dims = [] : (tensor<f32>) -> tensor<32x8xf32>
    %424 = stablehlo.multiply %302, %423 : tensor<32x8xf32>
    %cst_114 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %425 = stablehlo.add %409, %cst_114 : tensor<f32>
    %cst_115 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %426 = stablehlo.divide %cst_115, %425 : tensor<f32>
    %cst_116 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %427 = stablehlo.minimum %cst_116, %426 : tensor<f32>
    %428 = stablehlo.broadcast_in_dim %427, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %429 = stablehlo.multiply %357, %428 : tensor<16x8xf32>
    %cst_117 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %430 = stablehlo.add %409, %cst_117 : tensor<f32>
    %cst_118 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %431 = stablehlo.divide %cst_118, %430 : tensor<f32>
    %cst_119 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %432 = stablehlo.minimum %cst_119, %431 : tensor<f32>
    %433 = stablehlo.broadcast_in_dim %432, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %434 = stablehlo.multiply %340, %433 : tensor<8x16xf32>
    %cst_120 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %435 = stablehlo.add %409, %cst_120 : tensor<f32>
    %cst_121 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %436 = stablehlo.divide %cst_121, %435 : tensor<f32>
    %cst_122 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %437 = stablehlo.minimum %cst_122, %436 : tensor<f32>
    %438 = stablehlo.broadcast_in_dim %437, dims = [] : (tensor<f32>) -> tensor<8x32xf32>
    %439 = stablehlo.multiply %243, %438 : tensor<8x32xf32>
    %cst_123 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %440 = stablehlo.add %409, %cst_123 : tensor<f32>
    %cst_124 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %441 = stablehlo.divide %cst_124, %440 : tensor<f32>
    %cst_125 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %442 = stablehlo.minimum %cst_125, %441 : tensor<f32>
    %443 = stablehlo.broadcast_in_dim %442, dims = [] : (tensor<f32>) -> tensor<32x8xf32>
    %444 = stablehlo.multiply %226, %443 : tensor<32x8xf32>
    %cst_126 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %445 = stablehlo.add %409, %cst_126 : tensor<f32>
    %cst_127 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %446 = stablehlo.divide %cst_127, %445 : tensor<f32>
    %cst_128 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %447 = stablehlo.minimum %cst_128, %446 : tensor<f32>
    %448 = stablehlo.broadcast_in_dim %447, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %449 = stablehlo.multiply %281, %448 : tensor<16x8xf32>
    %cst_129 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %450 = stablehlo.add %409, %cst_129 : tensor<f32>
    %cst_130 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %451 = stablehlo.divide %cst_130, %450 : tensor<f32>
    %cst_131 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %452 = stablehlo.minimum %cst_131, %451 : tensor<f32>
    %453 = stablehlo.broadcast_in_dim %452, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %454 = stablehlo.multiply %264, %453 : tensor<8x16xf32>
    %cst_132 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %455 = stablehlo.add %409, %cst_132 : tensor<f32>
    %cst_133 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %456 = stablehlo.divide %cst_133, %455 : tensor<f32>
    %cst_134 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %457 = stablehlo.minimum %cst_134, %456 : tensor<f32>
    %458 = stablehlo.broadcast_in_dim %457, dims = [] : (tensor<f32>) -> tensor<12x8xf32>
    %459 = stablehlo.multiply %378, %458 : tensor<12x8xf32>
    %cst_135 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %460 = stablehlo.broadcast_in_dim %cst_135, dims = [] : (tensor<f32>) -> tensor<8x10xf32>
    %461 = stablehlo.multiply %460, %arg10 : tensor<8x10xf32>
    %462 = stablehlo.add %461, %414 : tensor<8x10xf32>
    %cst_136 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %463 = stablehlo.broadcast_in_dim %cst_136, dims = [] : (tensor<f32>) -> tensor<8x32xf32>
    %464 = stablehlo.multiply %463, %arg11 : tensor<8x32xf32>
    %465 = stablehlo.add %464, %419 : tensor<8x32xf32>
    %cst_137 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %466 = stablehlo.broadcast_in_dim %cst_137, dims = [] : (tensor<f32>) -> tensor<32x8xf32>
    %467 = stablehlo.multiply %466, %arg12 : tensor<32x8xf32>
    %468 = stablehlo.add %467, %424 : tensor<32x8xf32>
    %cst_138 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %469 = stablehlo.broadcast_in_dim %cst_138, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %470 = stablehlo.multiply %469, %arg13 : tensor<16x8xf32>
    %471 = stablehlo.add %470, %429 : tensor<16x8xf32>
    %cst_139 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %472 = stablehlo.broadcast_in_dim %cst_139, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %473 = stablehlo.multiply %472, %arg14 : tensor<8x16xf32>
    %474 = stablehlo.add %473, %434 : tensor<8x16xf32>
    %cst_140 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %475 = stablehlo.broadcast_in_dim %cst_140, dims = [] : (tensor<f32>) -> tensor<8x32xf32>
    %476 = stablehlo.multiply %475, %arg15 : tensor<8x32xf32>
    %477 = stablehlo.add %476, %439 : tensor<8x32xf32>
    %cst_141 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %478 = stablehlo.broadcast_in_dim %cst_141, dims = [] : (tensor<f32>) -> tensor<32x8xf32>
    %479 = stablehlo.multiply %478, %arg16 : tensor<32x8xf32>
    %480 = stablehlo.add %479, %444 : tensor<32x8xf32>
    %cst_142 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %481 = stablehlo.broadcast_in_dim %cst_142, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %482 = stablehlo.multiply %481, %arg17 : tensor<16x8xf32>
    %483 = stablehlo.add %482, %449 : tensor<16x8xf32>
    %cst_143 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %484 = stablehlo.broadcast_in_dim %cst_143, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %485 = stablehlo.multiply %484, %arg18 : tensor<8x16xf32>
    %486 = stablehlo.add %485, %454 : tensor<8x16xf32>
    %cst_144 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %487 = stablehlo.broadcast_in_dim %cst_144, dims = [] : (tensor<f32>) -> tensor<12x8xf32>
    %488 = stablehlo.multiply %487, %arg19 : tensor<12x8xf32>
    %489 = stablehlo.add %488, %459 : tensor<12x8xf32>
    %cst_145 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %490 = stablehlo.broadcast_in_dim %cst_145, dims = [] : (tensor<f32>) -> tensor<8x10xf32>
    %491 = stablehlo.multiply %490, %462 : tensor<8x10xf32>
    %492 = stablehlo.subtract %arg0, %491 : tensor<8x10xf32>
    %cst_146 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %493 = stablehlo.broadcast_in_dim %cst_146, dims = [] : (tensor<f32>) -> tensor<8x10xf32>
    %494 = stablehlo.multiply %493, %arg0 : tensor<8x10xf32>
    %495 = stablehlo.subtract %492, %494 : tensor<8x10xf32>
    %cst_147 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %496 = stablehlo.broadcast_in_dim %cst_147, dims = [] : (tensor<f32>) -> tensor<8x32xf32>
    %497 = stablehlo.multiply %496, %465 : tensor<8x32xf32>
    %498 = stablehlo.subtract %arg1, %497 : tensor<8x32xf32>
    %cst_148 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %499 = stablehlo.broadcast_in_dim %cst_148, dims = [] : (tensor<f32>) -> tensor<8x32xf32>
    %500 = stablehlo.multiply %499, %arg1 : tensor<8x32xf32>
    %501 = stablehlo.subtract %498, %500 : tensor<8x32xf32>
    %cst_149 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %502 = stablehlo.broadcast_in_dim %cst_149, dims = [] : (tensor<f32>) -> tensor<32x8xf32>
    %503 = stablehlo.multiply %502, %468 : tensor<32x8xf32>
    %504 = stablehlo.subtract %arg2, %503 : tensor<32x8xf32>
    %cst_150 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %505 = stablehlo.broadcast_in_dim %cst_150, dims = [] : (tensor<f32>) -> tensor<32x8xf32>
    %506 = stablehlo.multiply %505, %arg2 : tensor<32x8xf32>
    %507 = stablehlo.subtract %504, %506 : tensor<32x8xf32>
    %cst_151 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %508 = stablehlo.broadcast_in_dim %cst_151, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %509 = stablehlo.multiply %508, %471 : tensor<16x8xf32>
    %510 = stablehlo.subtract %arg3, %509 : tensor<16x8xf32>
    %cst_152 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %511 = stablehlo.broadcast_in_dim %cst_152, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %512 = stablehlo.multiply %511, %arg3 : tensor<16x8xf32>
    %513 = stablehlo.subtract %510, %512 : tensor<16x8xf32>
    %cst_153 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %514 = stablehlo.broadcast_in_dim %cst_153, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %515 = stablehlo.multiply %514, %474 : tensor<8x16xf32>
    %516 = stablehlo.subtract %arg4, %515 : tensor<8x16xf32>
    %cst_154 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %517 = stablehlo.broadcast_in_dim %cst_154, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %518 = stablehlo.multiply %517, %arg4 : tensor<8x16xf32>
    %519 = stablehlo.subtract %516, %518 : tensor<8x16xf32>
    %cst_155 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %520 = stablehlo.broadcast_in_dim %cst_155, dims = [] : (tensor<f32>) -> tensor<8x32xf32>
    %521 = stablehlo.multiply %520, %477 : tensor<8x32xf32>
    %522 = stablehlo.subtract %arg5, %521 : tensor<8x32xf32>
    %cst_156 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %523 = stablehlo.broadcast_in_dim %cst_156, dims = [] : (tensor<f32>) -> tensor<8x32xf32>
    %524 = stablehlo.multiply %523, %arg5 : tensor<8x32xf32>
    %525 = stablehlo.subtract %522, %524 : tensor<8x32xf32>
    %cst_157 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %526 = stablehlo.broadcast_in_dim %cst_157, dims = [] : (tensor<f32>) -> tensor<32x8xf32>
    %527 = stablehlo.multiply %526, %480 : tensor<32x8xf32>
    %528 = stablehlo.subtract %arg6, %527 : tensor<32x8xf32>
    %cst_158 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %529 = stablehlo.broadcast_in_dim %cst_158, dims = [] : (tensor<f32>) -> tensor<32x8xf32>
    %530 = stablehlo.multiply %529, %arg6 : tensor<32x8xf32>
    %531 = stablehlo.subtract %528, %530 : tensor<32x8xf32>
    %cst_159 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %532 = stablehlo.broadcast_in_dim %cst_159, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %533 = stablehlo.multiply %532, %483 : tensor<16x8xf32>
    %534 = stablehlo.subtract %arg7, %533 : tensor<16x8xf32>
    %cst_160 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %535 = stablehlo.broadcast_in_dim %cst_160, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %536 = stablehlo.multiply %535, %arg7 : tensor<16x8xf32>
    %537 = stablehlo.subtract %534, %536 : tensor<16x8xf32>
    %cst_161 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %538 = stablehlo.broadcast_in_dim %cst_161, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %539 = stablehlo.multiply %538, %486 : tensor<8x16xf32>
    %540 = stablehlo.subtract %arg8, %539 : tensor<8x16xf32>
    %cst_162 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %541 = stablehlo.broadcast_in_dim %cst_162, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %542 = stablehlo.multiply %541, %arg8 : tensor<8x16xf32>
    %543 = stablehlo.subtract %540, %542 : tensor<8x16xf32>
    %cst_163 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %544 = stablehlo.broadcast_in_dim %cst_163, dims = [] : (tensor<f32>) -> tensor<12x8xf32>
    %545 = stablehlo.multiply %544, %489 : tensor<12x8xf32>
    %546 = stablehlo.subtract %arg9, %545 : tensor<12x8xf32>
    %cst_164 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %547 = stablehlo.broadcast_in_dim %cst_164, dims = [] : (tensor<f32>) -> tensor<12x8xf32>
    %548 = stablehlo.multiply %547, %arg9 : tensor<12x8xf32>
    %549 = stablehlo.subtract %546, %548 : tensor<12x8xf32>
    return %495, %501, %507, %513, %519, %525, %531, %537, %543, %549, %462, %465, %468, %471, %474, %477, %480, %483, %486, %489, %199 : tensor<8x10xf32>, tensor<8x32xf32>, tensor<32x8xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<8x32xf32>, tensor<32x8xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<12x8xf32>, tensor<8x10xf32>, tensor<8x32xf32>, tensor<32x8xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<8x32xf32>, tensor<32x8xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<12x8xf32>, tensor<f32>
  }
  func.func private @_var(%arg0: tensor<4x16x8xf32>, %arg1: tensor<i32>) -> (tensor<4x16x1xf32>, tensor<4x16x8xf32>, tensor<f32>, tensor<i1>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x16x8xf32>, tensor<f32>) -> tensor<4x16xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<4x16x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x8xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x16x8xf32>
    %6 = chlo.square %5 : tensor<4x16x8xf32> -> tensor<4x16x8xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x16x8xf32>
    %8 = stablehlo.multiply %7, %5 : tensor<4x16x8xf32>
    %9 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %10 = stablehlo.subtract %cst_2, %9 : tensor<f32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%6 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<4x16x8xf32>, tensor<f32>) -> tensor<4x16xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %13 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %14 = stablehlo.divide %12, %13 : tensor<4x16x1xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.compare GT, %10, %cst_4, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_5 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %16 = call @_where(%15, %14, %cst_5) : (tensor<i1>, tensor<4x16x1xf32>, tensor<f32>) -> tensor<4x16x1xf32>
    return %16, %8, %10, %15 : tensor<4x16x1xf32>, tensor<4x16x8xf32>, tensor<f32>, tensor<i1>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<4x16x1xf32>, %arg2: tensor<f32>) -> tensor<4x16x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<4x16x1xf32>
    return %2 : tensor<4x16x1xf32>
  }
  func.func private @_var_0(%arg0: tensor<4x16x8xf32>, %arg1: tensor<f32>, %arg2: tensor<i1>, %arg3: tensor<4x16x1xf32>) -> tensor<4x16x8xf32> {
    %0 = call @_where_1(%arg2, %arg3) : (tensor<i1>, tensor<4x16x1xf32>) -> tensor<4x16x1xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %2 = stablehlo.divide %0, %1 : tensor<4x16x1xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x16x1xf32>, tensor<f32>) -> tensor<4x16xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x8xf32>
    %5 = stablehlo.multiply %4, %arg0 : tensor<4x16x8xf32>
    %6 = stablehlo.negate %5 : tensor<4x16x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<4x16x8xf32>, tensor<f32>) -> tensor<4x16xf32>
    %8 = stablehlo.reshape %7 : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %cst_1 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<4x16x1xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<4x16x1xf32>, tensor<f32>) -> tensor<4x16xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x8xf32>
    %13 = stablehlo.add %5, %12 : tensor<4x16x8xf32>
    return %13 : tensor<4x16x8xf32>
  }
  func.func private @_where_1(%arg0: tensor<i1>, %arg1: tensor<4x16x1xf32>) -> tensor<4x16x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<i1>, tensor<4x16x1xf32>
    return %1 : tensor<4x16x1xf32>
  }
}
