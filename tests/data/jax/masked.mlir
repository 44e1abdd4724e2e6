module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<32xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<32x16xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<16x32xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<32xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<32x16xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<16x32xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<24x16xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<32xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<32x16xf32> {tf.aliasing_output = 8 : i32}, %arg9: tensor<16x32xf32> {tf.aliasing_output = 9 : i32}, %arg10: tensor<32xf32> {tf.aliasing_output = 10 : i32}, %arg11: tensor<32x16xf32> {tf.aliasing_output = 11 : i32}, %arg12: tensor<16x32xf32> {tf.aliasing_output = 12 : i32}, %arg13: tensor<24x16xf32> {tf.aliasing_output = 13 : i32}, %arg14: tensor<8x6xi32>, %arg15: tensor<8x6xi32>) -> (tensor<32xf32> {jax.result_info = "result[0]['layers'][0]['bias']"}, tensor<32x16xf32> {jax.result_info = "result[0]['layers'][0]['down']"}, tensor<16x32xf32> {jax.result_info = "result[0]['layers'][0]['up']"}, tensor<32xf32> {jax.result_info = "result[0]['layers'][1]['bias']"}, tensor<32x16xf32> {jax.result_info = "result[0]['layers'][1]['down']"}, tensor<16x32xf32> {jax.result_info = "result[0]['layers'][1]['up']"}, tensor<24x16xf32> {jax.result_info = "result[0]['wte']"}, tensor<32xf32> {jax.result_info = "result[1]['layers'][0]['bias']"}, tensor<32x16xf32> {jax.result_info = "result[1]['layers'][0]['down']"}, tensor<16x32xf32> {jax.result_info = "result[1]['layers'][0]['up']"}, tensor<32xf32> {jax.result_info = "result[1]['layers'][1]['bias']"}, tensor<32x16xf32> {jax.result_info = "result[1]['layers'][1]['down']"}, tensor<16x32xf32> {jax.result_info = "result[1]['layers'][1]['up']"}, tensor<24x16xf32> {jax.result_info = "result[1]['wte']"}, tensor<f32> {jax.result_info = "result[2]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x6xi32>
    %1 = stablehlo.compare LT, %arg14, %0, SIGNED : (tensor<8x6xi32>, tensor<8x6xi32>) -> tensor<8x6xi1>
    %c_0 = stablehlo.constant dense<24> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<8x6xi32>
    %3 = stablehlo.add %arg14, %2 : tensor<8x6xi32>
    %4 = stablehlo.select %1, %3, %arg14 : tensor<8x6xi1>, tensor<8x6xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<8x6xi32>) -> tensor<8x6x1xi32>
    %6 = "stablehlo.gather"(%arg6, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<24x16xf32>, tensor<8x6x1xi32>) -> tensor<8x6x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<8x6x16xf32>, tensor<f32>) -> tensor<8x6xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<8x6xf32>) -> tensor<8x6x1xf32>
    %cst_1 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x6x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<8x6x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<8x6x1xf32>) -> tensor<8x6x16xf32>
    %12 = stablehlo.subtract %6, %11 : tensor<8x6x16xf32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %13:4 = call @_var(%6, %c_2) : (tensor<8x6x16xf32>, tensor<i32>) -> (tensor<8x6x1xf32>, tensor<8x6x16xf32>, tensor<f32>, tensor<i1>)
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x6x1xf32>
    %15 = stablehlo.add %13#0, %14 : tensor<8x6x1xf32>
    %16 = stablehlo.rsqrt %15 : tensor<8x6x1xf32>
    %17 = stablehlo.divide %16, %15 : tensor<8x6x1xf32>
    %cst_4 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x6x1xf32>
    %19 = stablehlo.multiply %18, %17 : tensor<8x6x1xf32>
    %20 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<8x6x1xf32>) -> tensor<8x6x16xf32>
    %21 = stablehlo.multiply %12, %20 : tensor<8x6x16xf32>
    %22 = stablehlo.dot_general %21, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x6x16xf32>, tensor<16x32xf32>) -> tensor<8x6x32xf32>
    %23 = stablehlo.broadcast_in_dim %arg0, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x6x32xf32>
    %25 = stablehlo.add %22, %24 : tensor<8x6x32xf32>
    %26 = stablehlo.multiply %25, %25 : tensor<8x6x32xf32>
    %27 = stablehlo.multiply %26, %25 : tensor<8x6x32xf32>
    %28 = stablehlo.multiply %25, %25 : tensor<8x6x32xf32>
    %cst_5 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8x6x32xf32>
    %30 = stablehlo.multiply %29, %28 : tensor<8x6x32xf32>
    %cst_6 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8x6x32xf32>
    %32 = stablehlo.multiply %31, %27 : tensor<8x6x32xf32>
    %33 = stablehlo.add %25, %32 : tensor<8x6x32xf32>
    %cst_7 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8x6x32xf32>
    %35 = stablehlo.multiply %34, %33 : tensor<8x6x32xf32>
    %36 = stablehlo.tanh %35 : tensor<8x6x32xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8x6x32xf32>
    %38 = stablehlo.subtract %37, %36 : tensor<8x6x32xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8x6x32xf32>
    %40 = stablehlo.add %39, %36 : tensor<8x6x32xf32>
    %cst_10 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8x6x32xf32>
    %42 = stablehlo.multiply %41, %40 : tensor<8x6x32xf32>
    %43 = stablehlo.multiply %25, %42 : tensor<8x6x32xf32>
    %44 = stablehlo.dot_general %43, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x6x32xf32>, tensor<32x16xf32>) -> tensor<8x6x16xf32>
    %45 = stablehlo.add %6, %44 : tensor<8x6x16xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %46 = stablehlo.reduce(%45 init: %cst_11) applies stablehlo.add across dimensions = [2] : (tensor<8x6x16xf32>, tensor<f32>) -> tensor<8x6xf32>
    %47 = stablehlo.broadcast_in_dim %46, dims = [0, 1] : (tensor<8x6xf32>) -> tensor<8x6x1xf32>
    %cst_12 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8x6x1xf32>
    %49 = stablehlo.divide %47, %48 : tensor<8x6x1xf32>
    %50 = stablehlo.broadcast_in_dim %49, dims = [0, 1, 2] : (tensor<8x6x1xf32>) -> tensor<8x6x16xf32>
    %51 = stablehlo.subtract %45, %50 : tensor<8x6x16xf32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %52:4 = call @_var(%45, %c_13) : (tensor<8x6x16xf32>, tensor<i32>) -> (tensor<8x6x1xf32>, tensor<8x6x16xf32>, tensor<f32>, tensor<i1>)
    %cst_14 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8x6x1xf32>
    %54 = stablehlo.add %52#0, %53 : tensor<8x6x1xf32>
    %55 = stablehlo.rsqrt %54 : tensor<8x6x1xf32>
    %56 = stablehlo.divide %55, %54 : tensor<8x6x1xf32>
    %cst_15 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<8x6x1xf32>
    %58 = stablehlo.multiply %57, %56 : tensor<8x6x1xf32>
    %59 = stablehlo.broadcast_in_dim %55, dims = [0, 1, 2] : (tensor<8x6x1xf32>) -> tensor<8x6x16xf32>
    %60 = stablehlo.multiply %51, %59 : tensor<8x6x16xf32>
    %61 = stablehlo.dot_general %60, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x6x16xf32>, tensor<16x32xf32>) -> tensor<8x6x32xf32>
    %62 = stablehlo.broadcast_in_dim %arg3, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %63 = stablehlo.broadcast_in_dim %62, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x6x32xf32>
    %64 = stablehlo.add %61, %63 : tensor<8x6x32xf32>
    %65 = stablehlo.multiply %64, %64 : tensor<8x6x32xf32>
    %66 = stablehlo.multiply %65, %64 : tensor<8x6x32xf32>
    %67 = stablehlo.multiply %64, %64 : tensor<8x6x32xf32>
    %cst_16 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<8x6x32xf32>
    %69 = stablehlo.multiply %68, %67 : tensor<8x6x32xf32>
    %cst_17 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<8x6x32xf32>
    %71 = stablehlo.multiply %70, %66 : tensor<8x6x32xf32>
    %72 = stablehlo.add %64, %71 : tensor<8x6x32xf32>
    %cst_18 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<8x6x32xf32>
    %74 = stablehlo.multiply %73, %72 : tensor<8x6x32xf32>
    %75 = stablehlo.tanh %74 : tensor<8x6x32xf32>
    %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<8x6x32xf32>
    %77 = stablehlo.subtract %76, %75 : tensor<8x6x32xf32>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<8x6x32xf32>
    %79 = stablehlo.add %78, %75 : tensor<8x6x32xf32>
    %cst_21 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<8x6x32xf32>
    %81 = stablehlo.multiply %80, %79 : tensor<8x6x32xf32>
    %82 = stablehlo.multiply %64, %81 : tensor<8x6x32xf32>
    %83 = stablehlo.dot_general %82, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x6x32xf32>, tensor<32x16xf32>) -> tensor<8x6x16xf32>
    %84 = stablehlo.add %45, %83 : tensor<8x6x16xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %85 = stablehlo.reduce(%84 init: %cst_22) applies stablehlo.add across dimensions = [2] : (tensor<8x6x16xf32>, tensor<f32>) -> tensor<8x6xf32>
    %86 = stablehlo.broadcast_in_dim %85, dims = [0, 1] : (tensor<8x6xf32>) -> tensor<8x6x1xf32>
    %cst_23 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<8x6x1xf32>
    %88 = stablehlo.divide %86, %87 : tensor<8x6x1xf32>
    %89 = stablehlo.broadcast_in_dim %88, dims = [0, 1, 2] : (tensor<8x6x1xf32>) -> tensor<8x6x16xf32>
    %90 = stablehlo.subtract %84, %89 : tensor<8x6x16xf32>
    %c_24 = stablehlo.constant dense<0> : tensor<i32>
    %91:4 = call @_var(%84, %c_24) : (tensor<8x6x16xf32>, tensor<i32>) -> (tensor<8x6x1xf32>, tensor<8x6x16xf32>, tensor<f32>, tensor<i1>)
    %cst_25 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<8x6x1xf32>
    %93 = stablehlo.add %91#0, %92 : tensor<8x6x1xf32>
    %94 = stablehlo.rsqrt %93 : tensor<8x6x1xf32>
    %95 = stablehlo.divide %94, %93 : tensor<8x6x1xf32>
    %cst_26 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<8x6x1xf32>
    %97 = stablehlo.multiply %96, %95 : tensor<8x6x1xf32>
    %98 = stablehlo.broadcast_in_dim %94, dims = [0, 1, 2] : (tensor<8x6x1xf32>) -> tensor<8x6x16xf32>
    %99 = stablehlo.multiply %90, %98 : tensor<8x6x16xf32>
    %100 = stablehlo.transpose %arg6, dims = [1, 0] : (tensor<24x16xf32>) -> tensor<16x24xf32>
    %101 = stablehlo.dot_general %99, %100, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x6x16xf32>, tensor<16x24xf32>) -> tensor<8x6x24xf32>
    %c_27 = stablehlo.constant dense<4> : tensor<i32>
    %102 = call @remainder(%arg15, %c_27) : (tensor<8x6xi32>, tensor<i32>) -> tensor<8x6xi32>
    %c_28 = stablehlo.constant dense<0> : tensor<i32>
    %103 = stablehlo.broadcast_in_dim %c_28, dims = [] : (tensor<i32>) -> tensor<8x6xi32>
    %104 = stablehlo.compare GT, %102, %103, SIGNED : (tensor<8x6xi32>, tensor<8x6xi32>) -> tensor<8x6xi1>
    %105 = stablehlo.broadcast_in_dim %arg15, dims = [0, 1] : (tensor<8x6xi32>) -> tensor<8x6x1xi32>
    %106:2 = call @take_along_axis(%101, %105) : (tensor<8x6x24xf32>, tensor<8x6x1xi32>) -> (tensor<8x6x1xf32>, tensor<8x6x1x1xi32>)
    %107 = stablehlo.reshape %106#0 : (tensor<8x6x1xf32>) -> tensor<8x6xf32>
    %cst_29 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %108 = stablehlo.reduce(%101 init: %cst_29) applies stablehlo.maximum across dimensions = [2] : (tensor<8x6x24xf32>, tensor<f32>) -> tensor<8x6xf32>
    %cst_30 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %109 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<8x6xf32>
    %110 = stablehlo.maximum %109, %108 : tensor<8x6xf32>
    %111 = stablehlo.is_finite %110 : (tensor<8x6xf32>) -> tensor<8x6xi1>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %112 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<8x6xf32>
    %113 = stablehlo.select %111, %110, %112 : tensor<8x6xi1>, tensor<8x6xf32>
    %114 = stablehlo.broadcast_in_dim %113, dims = [0, 1] : (tensor<8x6xf32>) -> tensor<8x6x1xf32>
    %115 = stablehlo.broadcast_in_dim %114, dims = [0, 1, 2] : (tensor<8x6x1xf32>) -> tensor<8x6x24xf32>
    %116 = stablehlo.subtract %101, %115 : tensor<8x6x24xf32>
    %117 = stablehlo.exponential %116 : tensor<8x6x24xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %118 = stablehlo.reduce(%117 init: %cst_32) applies stablehlo.add across dimensions = [2] : (tensor<8x6x24xf32>, tensor<f32>) -> tensor<8x6xf32>
    %119 = stablehlo.abs %118 : tensor<8x6xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %120 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<8x6xf32>
    %121 = stablehlo.compare GE, %118, %120, FLOAT : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xi1>
    %122 = stablehlo.log %119 : tensor<8x6xf32>
    %123 = stablehlo.add %122, %113 : tensor<8x6xf32>
    %124 = stablehlo.subtract %123, %107 : tensor<8x6xf32>
    %125 = stablehlo.multiply %123, %123 : tensor<8x6xf32>
    %cst_34 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %126 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<8x6xf32>
    %127 = stablehlo.multiply %126, %123 : tensor<8x6xf32>
    %cst_35 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %128 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<8x6xf32>
    %129 = stablehlo.multiply %128, %125 : tensor<8x6xf32>
    %130 = stablehlo.add %124, %129 : tensor<8x6xf32>
    %c_36 = stablehlo.constant dense<0> : tensor<i32>
    %131 = call @_where_1(%104, %130, %c_36) : (tensor<8x6xi1>, tensor<8x6xf32>, tensor<i32>) -> tensor<8x6xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %132 = stablehlo.reduce(%131 init: %cst_37) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x6xf32>, tensor<f32>) -> tensor<f32>
    %133 = stablehlo.convert %104 : (tensor<8x6xi1>) -> tensor<8x6xi32>
    %c_38 = stablehlo.constant dense<0> : tensor<i32>
    %134 = stablehlo.reduce(%133 init: %c_38) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x6xi32>, tensor<i32>) -> tensor<i32>
    %c_39 = stablehlo.constant dense<1> : tensor<i32>
    %135 = stablehlo.maximum %134, %c_39 : tensor<i32>
    %136 = stablehlo.convert %135 : (tensor<i32>) -> tensor<f32>
    %137 = stablehlo.divide %132, %136 : tensor<f32>
    %cst_40 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %138 = stablehlo.divide %cst_40, %136 : tensor<f32>
    %139 = stablehlo.broadcast_in_dim %138, dims = [] : (tensor<f32>) -> tensor<8x6xf32>
    %140 = call @_where_2(%104, %139) : (tensor<8x6xi1>, tensor<8x6xf32>) -> tensor<8x6xf32>
    %cst_41 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %141 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<8x6xf32>
    %142 = stablehlo.multiply %141, %140 : tensor<8x6xf32>
    %143 = stablehlo.multiply %142, %127 : tensor<8x6xf32>
    %144 = stablehlo.negate %140 : tensor<8x6xf32>
    %145 = stablehlo.add %143, %140 : tensor<8x6xf32>
    %146 = stablehlo.divide %145, %119 : tensor<8x6xf32>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %147 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<8x6xf32>
    %148 = stablehlo.select %121, %147, %146 : tensor<8x6xi1>, tensor<8x6xf32>
    %149 = stablehlo.select %121, %146, %147 : tensor<8x6xi1>, tensor<8x6xf32>
    %150 = stablehlo.negate %148 : tensor<8x6xf32>
    %151 = stablehlo.add %149, %150 : tensor<8x6xf32>
    %152 = stablehlo.broadcast_in_dim %151, dims = [0, 1] : (tensor<8x6xf32>) -> tensor<8x6x24xf32>
    %153 = stablehlo.multiply %152, %117 : tensor<8x6x24xf32>
    %154 = stablehlo.broadcast_in_dim %144, dims = [0, 1] : (tensor<8x6xf32>) -> tensor<8x6x1xf32>
    %155 = call @take_along_axis_3(%106#1, %154) : (tensor<8x6x1x1xi32>, tensor<8x6x1xf32>) -> tensor<8x6x24xf32>
    %156 = stablehlo.add %153, %155 : tensor<8x6x24xf32>
    %157 = stablehlo.dot_general %156, %99, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x6x24xf32>, tensor<8x6x16xf32>) -> tensor<24x16xf32>
    %158 = stablehlo.transpose %157, dims = [1, 0] : (tensor<24x16xf32>) -> tensor<16x24xf32>
    %159 = stablehlo.dot_general %156, %100, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x6x24xf32>, tensor<16x24xf32>) -> tensor<8x6x16xf32>
    %160 = stablehlo.transpose %158, dims = [1, 0] : (tensor<16x24xf32>) -> tensor<24x16xf32>
    %161 = stablehlo.multiply %90, %159 : tensor<8x6x16xf32>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %162 = stablehlo.reduce(%161 init: %cst_43) applies stablehlo.add across dimensions = [2] : (tensor<8x6x16xf32>, tensor<f32>) -> tensor<8x6xf32>
    %163 = stablehlo.reshape %162 : (tensor<8x6xf32>) -> tensor<8x6x1xf32>
    %164 = stablehlo.broadcast_in_dim %94, dims = [0, 1, 2] : (tensor<8x6x1xf32>) -> tensor<8x6x16xf32>
    %165 = stablehlo.multiply %159, %164 : tensor<8x6x16xf32>
    %166 = stablehlo.multiply %163, %97 : tensor<8x6x1xf32>
    %167 = call @_var_4(%91#1, %91#2, %91#3, %166) : (tensor<8x6x16xf32>, tensor<f32>, tensor<i1>, tensor<8x6x1xf32>) -> tensor<8x6x16xf32>
    %168 = stablehlo.negate %165 : tensor<8x6x16xf32>
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %169 = stablehlo.reduce(%168 init: %cst_44) applies stablehlo.add across dimensions = [2] : (tensor<8x6x16xf32>, tensor<f32>) -> tensor<8x6xf32>
    %170 = stablehlo.reshape %169 : (tensor<8x6xf32>) -> tensor<8x6x1xf32>
    %171 = stablehlo.add %167, %165 : tensor<8x6x16xf32>
    %cst_45 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %172 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<8x6x1xf32>
    %173 = stablehlo.divide %170, %172 : tensor<8x6x1xf32>
    %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %174 = stablehlo.reduce(%173 init: %cst_46) applies stablehlo.add across dimensions = [2] : (tensor<8x6x1xf32>, tensor<f32>) -> tensor<8x6xf32>
    %175 = stablehlo.broadcast_in_dim %174, dims = [0, 1] : (tensor<8x6xf32>) -> tensor<8x6x16xf32>
    %176 = stablehlo.add %171, %175 : tensor<8x6x16xf32>
    %177 = stablehlo.dot_general %176, %82, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x6x16xf32>, tensor<8x6x32xf32>) -> tensor<16x32xf32>
    %178 = stablehlo.transpose %177, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %179 = stablehlo.dot_general %176, %arg4, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x6x16xf32>, tensor<32x16xf32>) -> tensor<8x6x32xf32>
    %180 = stablehlo.multiply %64, %179 : tensor<8x6x32xf32>
    %181 = stablehlo.multiply %179, %81 : tensor<8x6x32xf32>
    %cst_47 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %182 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<8x6x32xf32>
    %183 = stablehlo.multiply %182, %180 : tensor<8x6x32xf32>
    %184 = stablehlo.multiply %183, %77 : tensor<8x6x32xf32>
    %185 = stablehlo.multiply %184, %75 : tensor<8x6x32xf32>
    %186 = stablehlo.add %184, %185 : tensor<8x6x32xf32>
    %cst_48 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %187 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<8x6x32xf32>
    %188 = stablehlo.multiply %187, %186 : tensor<8x6x32xf32>
    %189 = stablehlo.add %181, %188 : tensor<8x6x32xf32>
    %cst_49 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %190 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<8x6x32xf32>
    %191 = stablehlo.multiply %190, %188 : tensor<8x6x32xf32>
    %192 = stablehlo.multiply %191, %69 : tensor<8x6x32xf32>
    %193 = stablehlo.add %189, %192 : tensor<8x6x32xf32>
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %194 = stablehlo.reduce(%193 init: %cst_50) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x6x32xf32>, tensor<f32>) -> tensor<32xf32>
    %195 = stablehlo.reshape %194 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %cst_51 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %196 = stablehlo.reduce(%195 init: %cst_51) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %197 = stablehlo.dot_general %193, %60, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x6x32xf32>, tensor<8x6x16xf32>) -> tensor<32x16xf32>
    %198 = stablehlo.transpose %197, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %199 = stablehlo.dot_general %193, %arg5, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x6x32xf32>, tensor<16x32xf32>) -> tensor<8x6x16xf32>
    %200 = stablehlo.multiply %51, %199 : tensor<8x6x16xf32>
    %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %201 = stablehlo.reduce(%200 init: %cst_52) applies stablehlo.add across dimensions = [2] : (tensor<8x6x16xf32>, tensor<f32>) -> tensor<8x6xf32>
    %202 = stablehlo.reshape %201 : (tensor<8x6xf32>) -> tensor<8x6x1xf32>
    %203 = stablehlo.broadcast_in_dim %55, dims = [0, 1, 2] : (tensor<8x6x1xf32>) -> tensor<8x6x16xf32>
    %204 = stablehlo.multiply %199, %203 : tensor<8x6x16xf32>
    %205 = stablehlo.multiply %202, %58 : tensor<8x6x1xf32>
    %206 = call @_var_4(%52#1, %52#2, %52#3, %205) : (tensor<8x6x16xf32>, tensor<f32>, tensor<i1>, tensor<8x6x1xf32>) -> tensor<8x6x16xf32>
    %207 = stablehlo.add %176, %206 : tensor<8x6x16xf32>
    %208 = stablehlo.negate %204 : tensor<8x6x16xf32>
    %cst_53 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %209 = stablehlo.reduce(%208 init: %cst_53) applies stablehlo.add across dimensions = [2] : (tensor<8x6x16xf32>, tensor<f32>) -> tensor<8x6xf32>
    %210 = stablehlo.reshape %209 : (tensor<8x6xf32>) -> tensor<8x6x1xf32>
    %211 = stablehlo.add %207, %204 : tensor<8x6x16xf32>
    %cst_54 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %212 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<8x6x1xf32>
    %213 = stablehlo.divide %210, %212 : tensor<8x6x1xf32>
    %cst_55 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %214 = stablehlo.reduce(%213 init: %cst_55) applies stablehlo.add across dimensions = [2] : (tensor<8x6x1xf32>, tensor<f32>) -> tensor<8x6xf32>
    %215 = stablehlo.broadcast_in_dim %214, dims = [0, 1] : (tensor<8x6xf32>) -> tensor<8x6x16xf32>
    %216 = stablehlo.add %211, %215 : tensor<8x6x16xf32>
    %217 = stablehlo.dot_general %216, %43, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x6x16xf32>, tensor<8x6x32xf32>) -> tensor<16x32xf32>
    %218 = stablehlo.transpose %217, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %219 = stablehlo.dot_general %216, %arg1, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x6x16xf32>, tensor<32x16xf32>) -> tensor<8x6x32xf32>
    %220 = stablehlo.multiply %25, %219 : tensor<8x6x32xf32>
    %221 = stablehlo.multiply %219, %42 : tensor<8x6x32xf32>
    %cst_56 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %222 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<8x6x32xf32>
    %223 = stablehlo.multiply %222, %220 : tensor<8x6x32xf32>
    %224 = stablehlo.multiply %223, %38 : tensor<8x6x32xf32>
    %225 = stablehlo.multiply %224, %36 : tensor<8x6x32xf32>
    %226 = stablehlo.add %224, %225 : tensor<8x6x32xf32>
    %cst_57 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %227 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<8x6x32xf32>
    %228 = stablehlo.multiply %227, %226 : tensor<8x6x32xf32>
    %229 = stablehlo.add %221, %228 : tensor<8x6x32xf32>
    %cst_58 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %230 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<8x6x32xf32>
    %231 = stablehlo.multiply %230, %228 : tensor<8x6x32xf32>
    %232 = stablehlo.multiply %231, %30 : tensor<8x6x32xf32>
    %233 = stablehlo.add %229, %232 : tensor<8x6x32xf32>
    %cst_59 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %234 = stablehlo.reduce(%233 init: %cst_59) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x6x32xf32>, tensor<f32>) -> tensor<32xf32>
    %235 = stablehlo.reshape %234 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %cst_60 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %236 = stablehlo.reduce(%235 init: %cst_60) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %237 = stablehlo.dot_general %233, %21, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x6x32xf32>, tensor<8x6x16xf32>) -> tensor<32x16xf32>
    %238 = stablehlo.transpose %237, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %239 = stablehlo.dot_general %233, %arg2, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x6x32xf32>, tensor<16x32xf32>) -> tensor<8x6x16xf32>
    %240 = stablehlo.multiply %12, %239 : tensor<8x6x16xf32>
    %cst_61 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %241 = stablehlo.reduce(%240 init: %cst_61) applies stablehlo.add across dimensions = [2] : (tensor<8x6x16xf32>, tensor<f32>) -> tensor<8x6xf32>
    %242 = stablehlo.reshape %241 : (tensor<8x6xf32>) -> tensor<8x6x1xf32>
    %243 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<8x6x1xf32>) -> tensor<8x6x16xf32>
    %244 = stablehlo.multiply %239, %243 : tensor<8x6x16xf32>
    %245 = stablehlo.multiply %242, %19 : tensor<8x6x1xf32>
    %246 = call @_var_4(%13#1, %13#2, %13#3, %245) : (tensor<8x6x16xf32>, tensor<f32>, tensor<i1>, tensor<8x6x1xf32>) -> tensor<8x6x16xf32>
    %247 = stablehlo.add %216, %246 : tensor<8x6x16xf32>
    %248 = stablehlo.negate %244 : tensor<8x6x16xf32>
    %cst_62 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %249 = stablehlo.reduce(%248 init: %cst_62) applies stablehlo.add across dimensions = [2] : (tensor<8x6x16xf32>, tensor<f32>) -> tensor<8x6xf32>
    %250 = stablehlo.reshape %249 : (tensor<8x6xf32>) -> tensor<8x6x1xf32>
    %251 = stablehlo.add %247, %244 : tensor<8x6x16xf32>
    %cst_63 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %252 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<8x6x1xf32>
    %253 = stablehlo.divide %250, %252 : tensor<8x6x1xf32>
    %cst_64 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %254 = stablehlo.reduce(%253 init: %cst_64) applies stablehlo.add across dimensions = [2] : (tensor<8x6x1xf32>, tensor<f32>) -> tensor<8x6xf32>
    %255 = stablehlo.broadcast_in_dim %254, dims = [0, 1] : (tensor<8x6xf32>) -> tensor<8x6x16xf32>
    %256 = stablehlo.add %251, %255 : tensor<8x6x16xf32>
    %cst_65 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %257 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<24x16xf32>
    %258 = "stablehlo.scatter"(%257, %5, %256) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
      %359 = stablehlo.add %arg16, %arg17 : tensor<f32>
      stablehlo.return %359 : tensor<f32>
    }) : (tensor<24x16xf32>, tensor<8x6x1xi32>, tensor<8x6x16xf32>) -> tensor<24x16xf32>
    %259 = stablehlo.add %160, %258 : tensor<24x16xf32>
    %260 = stablehlo.multiply %236, %236 : tensor<32xf32>
    %cst_66 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %261 = stablehlo.reduce(%260 init: %cst_66) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %cst_67 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %262 = stablehlo.add %cst_67, %261 : tensor<f32>
    %263 = stablehlo.multiply %218, %218 : tensor<32x16xf32>
    %cst_68 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %264 = stablehlo.reduce(%263 init: %cst_68) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x16xf32>, tensor<f32>) -> tensor<f32>
    %265 = stablehlo.add %262, %264 : tensor<f32>
    %266 = stablehlo.multiply %238, %238 : tensor<16x32xf32>
    %cst_69 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %267 = stablehlo.reduce(%266 init: %cst_69) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<f32>
    %268 = stablehlo.add %265, %267 : tensor<f32>
    %269 = stablehlo.multiply %196, %196 : tensor<32xf32>
    %cst_70 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %270 = stablehlo.reduce(%269 init: %cst_70) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %271 = stablehlo.add %268, %270 : tensor<f32>
    %272 = stablehlo.multiply %178, %178 : tensor<32x16xf32>
    %cst_71 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %273 = stablehlo.reduce(%272 init: %cst_71) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x16xf32>, tensor<f32>) -> tensor<f32>
    %274 = stablehlo.add %271, %273 : tensor<f32>
    %275 = stablehlo.multiply %198, %198 : tensor<16x32xf32>
    %cst_72 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %276 = stablehlo.reduce(%275 init: %cst_72) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<f32>
    %277 = stablehlo.add %274, %276 : tensor<f32>
    %278 = stablehlo.multiply %259, %259 : tensor<24x16xf32>
    %cst_73 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %279 = stablehlo.reduce(%278 init: %cst_73) applies stablehlo.add across dimensions = [0, 1] : (tensor<24x16xf32>, tensor<f32>) -> tensor<f32>
    %280 = stablehlo.add %277, %279 : tensor<f32>
    %281 = stablehlo.sqrt %280 : tensor<f32>
    %cst_74 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %282 = stablehlo.add %281, %cst_74 : tensor<f32>
    %cst_75 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %283 = stablehlo.divide %cst_75, %282 : tensor<f32>
    %cst_76 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %284 = stablehlo.minimum %cst_76, %283 : tensor<f32>
    %285 = stablehlo.broadcast_in_dim %284, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %286 = stablehlo.multiply %236, %285 : tensor<32xf32>
    %cst_77 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %287 = stablehlo.add %281, %cst_77 : tensor<f32>
    %cst_78 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %288 = stablehlo.divide %cst_78, %287 : tensor<f32>
    %cst_79 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %289 = stablehlo.minimum %cst_79, %288 : tensor<f32>
    %290 = stablehlo.broadcast_in_dim %289, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %291 = stablehlo.multiply %218, %290 : tensor<32x16xf32>
    %cst_80 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %292 = stablehlo.add %281, %cst_80 : tensor<f32>
    %cst_81 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %293 = stablehlo.divide %cst_81, %292 : tensor<f32>
    %cst_82 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %294 = stablehlo.minimum %cst_82, %293 : tensor<f32>
    %295 = stablehlo.broadcast_in_dim %294, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %296 = stablehlo.multiply %238, %295 : tensor<16x32xf32>
    %cst_83 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %297 = stablehlo.add %281, %cst_83 : tensor<f32>
    %cst_84 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %298 = stablehlo.divide %cst_84, %297 : tensor<f32>
    %cst_85 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %299 = stablehlo.minimum %cst_85, %298 : tensor<f32>
    %300 = stablehlo.broadcast_in_dim %299, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %301 = stablehlo.multiply %196, %300 : tensor<32xf32>
    %cst_86 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %302 = stablehlo.add %281, %cst_86 : tensor<f32>
    %cst_87 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %303 = stablehlo.divide %cst_87, %302 : tensor<f32>
    %cst_88 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %304 = stablehlo.minimum %cst_88, %303 : tensor<f32>
    %305 = stablehlo.broadcast_in_dim %304, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %306 = stablehlo.multiply %178, %305 : tensor<32x16xf32>
    %cst_89 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %307 = stablehlo.add %281, %cst_89 : tensor<f32>
    %cst_90 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %308 = stablehlo.divide %cst_90, %307 : tensor<f32>
    %cst_91 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %309 = stablehlo.minimum %cst_91, %308 : tensor<f32>
    %310 = stablehlo.broadcast_in_dim %309, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %311 = stablehlo.multiply %198, %310 : tensor<16x32xf32>
    %cst_92 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %312 = stablehlo.add %281, %cst_92 : tensor<f32>
    %cst_93 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %313 = stablehlo.divide %cst_93, %312 : tensor<f32>
    %cst_94 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %314 = stablehlo.minimum %cst_94, %313 : tensor<f32>
    %315 = stablehlo.broadcast_in_dim %314, dims = [] : (tensor<f32>) -> tensor<24x16xf32>
    %316 = stablehlo.multiply %259, %315 : tensor<24x16xf32>
    %cst_95 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %317 = stablehlo.broadcast_in_dim %cst_95, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %318 = stablehlo.multiply %317, %arg7 : tensor<32xf32>
    %319 = stablehlo.add %318, %286 : tensor<32xf32>
    %cst_96 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %320 = stablehlo.broadcast_in_dim %cst_96, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %321 = stablehlo.multiply %320, %arg8 : tensor<32x16xf32>
    %322 = stablehlo.add %321, %291 : tensor<32x16xf32>
    %cst_97 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %323 = stablehlo.broadcast_in_dim %cst_97, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %324 = stablehlo.multiply %323, %arg9 : tensor<16x32xf32>
    %325 = stablehlo.add %324, %296 : tensor<16x32xf32>
    %cst_98 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %326 = stablehlo.broadcast_in_dim %cst_98, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %327 = stablehlo.multiply %326, %arg10 : tensor<32xf32>
    %328 = stablehlo.add %327, %301 : tensor<32xf32>
    %cst_99 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %329 = stablehlo.broadcast_in_dim %cst_99, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %330 = stablehlo.multiply %329, %arg11 : tensor<32x16xf32>
    %331 = stablehlo.add %330, %306 : tensor<32x16xf32>
    %cst_100 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %332 = stablehlo.broadcast_in_dim %cst_100, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %333 = stablehlo.multiply %332, %arg12 : tensor<16x32xf32>
    %334 = stablehlo.add %333, %311 : tensor<16x32xf32>
    %cst_101 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %335 = stablehlo.broadcast_in_dim %cst_101, dims = [] : (tensor<f32>) -> tensor<24x16xf32>
    %336 = stablehlo.multiply %335, %arg13 : tensor<24x16xf32>
    %337 = stablehlo.add %336, %316 : tensor<24x16xf32>
    %cst_102 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %338 = stablehlo.broadcast_in_dim %cst_102, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %339 = stablehlo.multiply %338, %319 : tensor<32xf32>
    %340 = stablehlo.subtract %arg0, %339 : tensor<32xf32>
    %cst_103 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %341 = stablehlo.broadcast_in_dim %cst_103, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %342 = stablehlo.multiply %341, %322 : tensor<32x16xf32>
    %343 = stablehlo.subtract %arg1, %342 : tensor<32x16xf32>
    %cst_104 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %344 = stablehlo.broadcast_in_dim %cst_104, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %345 = stablehlo.multiply %344, %325 : tensor<16x32xf32>
    %346 = stablehlo.subtract %arg2, %345 : tensor<16x32xf32>
    %cst_105 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %347 = stablehlo.broadcast_in_dim %cst_105, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %348 = stablehlo.multiply %347, %328 : tensor<32xf32>
    %349 = stablehlo.subtract %arg3, %348 : tensor<32xf32>
    %cst_106 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %350 = stablehlo.broadcast_in_dim %cst_106, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %351 = stablehlo.multiply %350, %331 : tensor<32x16xf32>
    %352 = stablehlo.subtract %arg4, %351 : tensor<32x16xf32>
    %cst_107 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %353 = stablehlo.broadcast_in_dim %cst_107, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %354 = stablehlo.multiply %353, %334 : tensor<16x32xf32>
    %355 = stablehlo.subtract %arg5, %354 : tensor<16x32xf32>
    %cst_108 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %356 = stablehlo.broadcast_in_dim %cst_108, dims = [] : (tensor<f32>) -> tensor<24x16xf32>
    %357 = stablehlo.multiply %356, %337 : tensor<24x16xf32>
    %358 = stablehlo.subtract %arg6, %357 : tensor<24x16xf32>
    return %340, %343, %346, %349, %352, %355, %358, %319, %322, %325, %328, %331, %334, %337, %137 : tensor<32xf32>, tensor<32x16xf32>, tensor<16x32xf32>, tensor<32xf32>, tensor<32x16xf32>, tensor<16x32xf32>, tensor<24x16xf32>, tensor<32xf32>, tensor<32x16xf32>, tensor<16x32xf32>, tensor<32xf32>, tensor<32x16xf32>, tensor<16x32xf32>, tensor<24x16xf32>, tensor<f32>
  }
  func.func private @_var(%arg0: tensor<8x6x16xf32>, %arg1: tensor<i32>) -> (tensor<8x6x1xf32>, tensor<8x6x16xf32>, tensor<f32>, tensor<i1>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<8x6x16xf32>, tensor<f32>) -> tensor<8x6xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<8x6xf32>) -> tensor<8x6x1xf32>
    %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x6x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<8x6x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<8x6x1xf32>) -> tensor<8x6x16xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<8x6x16xf32>
    %6 = chlo.square %5 : tensor<8x6x16xf32> -> tensor<8x6x16xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x6x16xf32>
    %8 = stablehlo.multiply %7, %5 : tensor<8x6x16xf32>
    %9 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %10 = stablehlo.subtract %cst_2, %9 : tensor<f32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%6 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<8x6x16xf32>, tensor<f32>) -> tensor<8x6xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<8x6xf32>) -> tensor<8x6x1xf32>
    %13 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<8x6x1xf32>
    %14 = stablehlo.divide %12, %13 : tensor<8x6x1xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.compare GT, %10, %cst_4, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_5 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %16 = call @_where(%15, %14, %cst_5) : (tensor<i1>, tensor<8x6x1xf32>, tensor<f32>) -> tensor<8x6x1xf32>
    return %16, %8, %10, %15 : tensor<8x6x1xf32>, tensor<8x6x16xf32>, tensor<f32>, tensor<i1>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<8x6x1xf32>, %arg2: tensor<f32>) -> tensor<8x6x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8x6x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<8x6x1xf32>
    return %2 : tensor<8x6x1xf32>
  }
  func.func private @remainder(%arg0: tensor<8x6xi32>, %arg1: tensor<i32>) -> tensor<8x6xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where_0(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<8x6xi32>
    %4 = stablehlo.remainder %arg0, %3 : tensor<8x6xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<8x6xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<8x6xi32>, tensor<8x6xi32>) -> tensor<8x6xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<8x6xi32>
    %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<8x6xi32>, tensor<8x6xi32>) -> tensor<8x6xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.compare LT, %2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i1>) -> tensor<8x6xi1>
    %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<8x6xi1>, tensor<8x6xi1>) -> tensor<8x6xi1>
    %12 = stablehlo.and %11, %6 : tensor<8x6xi1>
    %13 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<8x6xi32>
    %14 = stablehlo.add %4, %13 : tensor<8x6xi32>
    %15 = stablehlo.select %12, %14, %4 : tensor<8x6xi1>, tensor<8x6xi32>
    return %15 : tensor<8x6xi32>
  }
  func.func private @_where_0(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @take_along_axis(%arg0: tensor<8x6x24xf32>, %arg1: tensor<8x6x1xi32>) -> (tensor<8x6x1xf32>, tensor<8x6x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x6x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<8x6x1xi32>, tensor<8x6x1xi32>) -> tensor<8x6x1xi1>
    %c_0 = stablehlo.constant dense<24> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<8x6x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<8x6x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<8x6x1xi1>, tensor<8x6x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<8x6x1xi32>) -> tensor<8x6x1x1xi32>
    %c_1 = stablehlo.constant dense<23> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<8x6x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<8x6x1x1xi32>, tensor<8x6x1x1xi32>) -> tensor<8x6x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [3] : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xi32>) -> tensor<8x6x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<8x6x1x1xi32>, tensor<8x6x1x1xi32>) -> tensor<8x6x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<8x6x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [3] : (tensor<8x6x1x1xi1>, tensor<i1>) -> tensor<8x6x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<8x6x24xf32>, tensor<8x6x1x1xi32>) -> tensor<8x6x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x6x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<8x6x1xi1>, tensor<8x6x1xf32>
    return %15, %5 : tensor<8x6x1xf32>, tensor<8x6x1x1xi32>
  }
  func.func private @_where_1(%arg0: tensor<8x6xi1>, %arg1: tensor<8x6xf32>, %arg2: tensor<i32>) -> tensor<8x6xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8x6xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<8x6xi1>, tensor<8x6xf32>
    return %2 : tensor<8x6xf32>
  }
  func.func private @_where_2(%arg0: tensor<8x6xi1>, %arg1: tensor<8x6xf32>) -> tensor<8x6xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x6xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<8x6xi1>, tensor<8x6xf32>
    return %1 : tensor<8x6xf32>
  }
  func.func private @take_along_axis_3(%arg0: tensor<8x6x1x1xi32>, %arg1: tensor<8x6x1xf32>) -> tensor<8x6x24xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x6x24xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<8x6x24xf32>, tensor<8x6x1x1xi32>, tensor<8x6x1xf32>) -> tensor<8x6x24xf32>
    return %1 : tensor<8x6x24xf32>
  }
  func.func private @_var_4(%arg0: tensor<8x6x16xf32>, %arg1: tensor<f32>, %arg2: tensor<i1>, %arg3: tensor<8x6x1xf32>) -> tensor<8x6x16xf32> {
    %0 = call @_where_5(%arg2, %arg3) : (tensor<i1>, tensor<8x6x1xf32>) -> tensor<8x6x1xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<8x6x1xf32>
    %2 = stablehlo.divide %0, %1 : tensor<8x6x1xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<8x6x1xf32>, tensor<f32>) -> tensor<8x6xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<8x6xf32>) -> tensor<8x6x16xf32>
    %5 = stablehlo.multiply %4, %arg0 : tensor<8x6x16xf32>
    %6 = stablehlo.negate %5 : tensor<8x6x16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<8x6x16xf32>, tensor<f32>) -> tensor<8x6xf32>
    %8 = stablehlo.reshape %7 : (tensor<8x6xf32>) -> tensor<8x6x1xf32>
    %cst_1 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x6x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<8x6x1xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<8x6x1xf32>, tensor<f32>) -> tensor<8x6xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<8x6xf32>) -> tensor<8x6x16xf32>
    %13 = stablehlo.add %5, %12 : tensor<8x6x16xf32>
    return %13 : tensor<8x6x16xf32>
  }
  func.func private @_where_5(%arg0: tensor<i1>, %arg1: tensor<8x6x1xf32>) -> tensor<8x6x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x6x1xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<i1>, tensor<8x6x1xf32>
    return %1 : tensor<8x6x1xf32>
  }
}
