module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x16x8xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<8x4xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<4x8x16xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<16x8xf32>, %arg4: tensor<16x8xf32>) -> (tensor<4x16x8xf32> {jax.result_info = "result[0]['down']"}, tensor<8x4xf32> {jax.result_info = "result[0]['router']"}, tensor<4x8x16xf32> {jax.result_info = "result[0]['up']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.dot_general %arg3, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x8xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<16x4xf32>, tensor<f32>) -> tensor<16xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %3 = stablehlo.maximum %2, %1 : tensor<16xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x4xf32>
    %6 = stablehlo.subtract %0, %5 : tensor<16x4xf32>
    %7 = stablehlo.exponential %6 : tensor<16x4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<16x4xf32>, tensor<f32>) -> tensor<16xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x4xf32>
    %11 = stablehlo.divide %7, %10 : tensor<16x4xf32>
    %12 = stablehlo.multiply %9, %9 : tensor<16x1xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %14 = stablehlo.divide %13, %12 : tensor<16x1xf32>
    %15 = call @argmax(%11) : (tensor<16x4xf32>) -> tensor<16xi32>
    %16 = call @argsort(%15) : (tensor<16xi32>) -> tensor<16xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %17 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %18 = stablehlo.compare LT, %16, %17, SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
    %c_3 = stablehlo.constant dense<16> : tensor<i32>
    %19 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %20 = stablehlo.add %16, %19 : tensor<16xi32>
    %21 = stablehlo.select %18, %20, %16 : tensor<16xi1>, tensor<16xi32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %23 = "stablehlo.gather"(%arg3, %22) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<16x8xf32>, tensor<16x1xi32>) -> tensor<16x8xf32>
    %24 = stablehlo.reshape %23 : (tensor<16x8xf32>) -> tensor<4x4x8xf32>
    %25 = stablehlo.dot_general %24, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x4x8xf32>, tensor<4x8x16xf32>) -> tensor<4x4x16xf32>
    %26 = call @relu(%25) : (tensor<4x4x16xf32>) -> tensor<4x4x16xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %28 = stablehlo.compare GT, %25, %27, FLOAT : (tensor<4x4x16xf32>, tensor<4x4x16xf32>) -> tensor<4x4x16xi1>
    %29 = stablehlo.dot_general %26, %arg0, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x4x16xf32>, tensor<4x16x8xf32>) -> tensor<4x4x8xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %31 = stablehlo.reshape %29 : (tensor<4x4x8xf32>) -> tensor<16x8xf32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %32 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %33 = stablehlo.compare LT, %16, %32, SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
    %c_7 = stablehlo.constant dense<16> : tensor<i32>
    %34 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %35 = stablehlo.add %16, %34 : tensor<16xi32>
    %36 = stablehlo.select %33, %35, %16 : tensor<16xi1>, tensor<16xi32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %38 = stablehlo.iota dim = 0 : tensor<16xui32>
    %39 = stablehlo.reshape %38 : (tensor<16xui32>) -> tensor<16x1xui32>
    %c_8 = stablehlo.constant dense<1> : tensor<ui32>
    %40 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<ui32>) -> tensor<16x8xui32>
    %41 = stablehlo.broadcast_in_dim %39, dims = [0, 1] : (tensor<16x1xui32>) -> tensor<16x8xui32>
    %42 = stablehlo.add %41, %40 : tensor<16x8xui32>
    %c_9 = stablehlo.constant dense<0> : tensor<ui32>
    %43 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<ui32>) -> tensor<16x8xui32>
    %44 = "stablehlo.scatter"(%43, %37, %42) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg5: tensor<ui32>, %arg6: tensor<ui32>):
      stablehlo.return %arg6 : tensor<ui32>
    }) : (tensor<16x8xui32>, tensor<16x1xi32>, tensor<16x8xui32>) -> tensor<16x8xui32>
    %45 = "stablehlo.gather"(%44, %37) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<16x8xui32>, tensor<16x1xi32>) -> tensor<16x8xui32>
    %c_10 = stablehlo.constant dense<0> : tensor<ui32>
    %46 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<ui32>) -> tensor<16x8xui32>
    %47 = stablehlo.compare EQ, %44, %46, UNSIGNED : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xi1>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %49 = stablehlo.select %47, %30, %48 : tensor<16x8xi1>, tensor<16x8xf32>
    %50 = stablehlo.compare EQ, %42, %45, UNSIGNED : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xi1>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %52 = stablehlo.select %50, %31, %51 : tensor<16x8xi1>, tensor<16x8xf32>
    %53 = stablehlo.compare EQ, %42, %45, UNSIGNED : (tensor<16x8xui32>, tensor<16x8xui32>) -> tensor<16x8xi1>
    %54 = "stablehlo.scatter"(%49, %37, %52) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %126 = stablehlo.add %arg5, %arg6 : tensor<f32>
      stablehlo.return %126 : tensor<f32>
    }) : (tensor<16x8xf32>, tensor<16x1xi32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    %cst_13 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %55 = stablehlo.reduce(%11 init: %cst_13) applies stablehlo.maximum across dimensions = [1] : (tensor<16x4xf32>, tensor<f32>) -> tensor<16xf32>
    %56 = stablehlo.reshape %55 : (tensor<16xf32>) -> tensor<16x1xf32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x4xf32>
    %58 = stablehlo.compare EQ, %11, %57, FLOAT : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xi1>
    %59 = stablehlo.convert %58 : (tensor<16x4xi1>) -> tensor<16x4xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %60 = stablehlo.reduce(%59 init: %cst_14) applies stablehlo.add across dimensions = [1] : (tensor<16x4xf32>, tensor<f32>) -> tensor<16xf32>
    %61 = stablehlo.broadcast_in_dim %55, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %62 = stablehlo.broadcast_in_dim %61, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x8xf32>
    %63 = stablehlo.multiply %54, %62 : tensor<16x8xf32>
    %64 = stablehlo.subtract %63, %arg4 : tensor<16x8xf32>
    %65 = stablehlo.multiply %64, %64 : tensor<16x8xf32>
    %cst_15 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %67 = stablehlo.multiply %66, %64 : tensor<16x8xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %68 = stablehlo.reduce(%65 init: %cst_16) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_17 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %69 = stablehlo.divide %68, %cst_17 : tensor<f32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_19 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %70 = stablehlo.divide %cst_18, %cst_19 : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %70, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %72 = stablehlo.multiply %71, %67 : tensor<16x8xf32>
    %73 = stablehlo.multiply %54, %72 : tensor<16x8xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %74 = stablehlo.reduce(%73 init: %cst_20) applies stablehlo.add across dimensions = [1] : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
    %75 = stablehlo.reshape %74 : (tensor<16xf32>) -> tensor<16x1xf32>
    %76 = stablehlo.broadcast_in_dim %61, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x8xf32>
    %77 = stablehlo.multiply %72, %76 : tensor<16x8xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %78 = stablehlo.reduce(%75 init: %cst_21) applies stablehlo.add across dimensions = [1] : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
    %79 = stablehlo.divide %78, %60 : tensor<16xf32>
    %80 = stablehlo.broadcast_in_dim %79, dims = [0] : (tensor<16xf32>) -> tensor<16x4xf32>
    %81 = stablehlo.multiply %80, %59 : tensor<16x4xf32>
    %c_22 = stablehlo.constant dense<15> : tensor<1xi32>
    %c_23 = stablehlo.constant dense<0> : tensor<i32>
    %82 = stablehlo.broadcast_in_dim %c_23, dims = [] : (tensor<i32>) -> tensor<16x1xi32>
    %83 = stablehlo.compare GE, %37, %82, SIGNED : (tensor<16x1xi32>, tensor<16x1xi32>) -> tensor<16x1xi1>
    %84 = stablehlo.broadcast_in_dim %c_22, dims = [1] : (tensor<1xi32>) -> tensor<1x1xi32>
    %85 = stablehlo.broadcast_in_dim %84, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<16x1xi32>
    %86 = stablehlo.compare LE, %37, %85, SIGNED : (tensor<16x1xi32>, tensor<16x1xi32>) -> tensor<16x1xi1>
    %87 = stablehlo.and %83, %86 : tensor<16x1xi1>
    %c_24 = stablehlo.constant dense<true> : tensor<i1>
    %88 = stablehlo.reduce(%87 init: %c_24) applies stablehlo.and across dimensions = [1] : (tensor<16x1xi1>, tensor<i1>) -> tensor<16xi1>
    %89 = "stablehlo.gather"(%77, %37) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<16x8xf32>, tensor<16x1xi32>) -> tensor<16x8xf32>
    %90 = stablehlo.broadcast_in_dim %88, dims = [0] : (tensor<16xi1>) -> tensor<16x8xi1>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %91 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %92 = stablehlo.select %90, %89, %91 : tensor<16x8xi1>, tensor<16x8xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %93 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %94 = stablehlo.select %53, %92, %93 : tensor<16x8xi1>, tensor<16x8xf32>
    %95 = stablehlo.reshape %94 : (tensor<16x8xf32>) -> tensor<4x4x8xf32>
    %96 = stablehlo.dot_general %95, %26, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x4x8xf32>, tensor<4x4x16xf32>) -> tensor<4x8x16xf32>
    %97 = stablehlo.transpose %96, dims = [0, 2, 1] : (tensor<4x8x16xf32>) -> tensor<4x16x8xf32>
    %98 = stablehlo.dot_general %95, %arg0, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x4x8xf32>, tensor<4x16x8xf32>) -> tensor<4x4x16xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %100 = stablehlo.select %28, %98, %99 : tensor<4x4x16xi1>, tensor<4x4x16xf32>
    %101 = stablehlo.dot_general %100, %24, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x4x16xf32>, tensor<4x4x8xf32>) -> tensor<4x16x8xf32>
    %102 = stablehlo.transpose %101, dims = [0, 2, 1] : (tensor<4x16x8xf32>) -> tensor<4x8x16xf32>
    %103 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x4xf32>
    %104 = stablehlo.multiply %81, %103 : tensor<16x4xf32>
    %105 = stablehlo.multiply %104, %7 : tensor<16x4xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %106 = stablehlo.reduce(%105 init: %cst_28) applies stablehlo.add across dimensions = [1] : (tensor<16x4xf32>, tensor<f32>) -> tensor<16xf32>
    %107 = stablehlo.reshape %106 : (tensor<16xf32>) -> tensor<16x1xf32>
    %108 = stablehlo.negate %107 : tensor<16x1xf32>
    %109 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x4xf32>
    %110 = stablehlo.divide %81, %109 : tensor<16x4xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %111 = stablehlo.reduce(%108 init: %cst_29) applies stablehlo.add across dimensions = [1] : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
    %112 = stablehlo.broadcast_in_dim %111, dims = [0] : (tensor<16xf32>) -> tensor<16x4xf32>
    %113 = stablehlo.add %110, %112 : tensor<16x4xf32>
    %114 = stablehlo.multiply %113, %7 : tensor<16x4xf32>
    %115 = stablehlo.dot_general %114, %arg3, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x4xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
    %116 = stablehlo.transpose %115, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
    %cst_30 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %117 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<4x16x8xf32>
    %118 = stablehlo.multiply %117, %97 : tensor<4x16x8xf32>
    %119 = stablehlo.subtract %arg0, %118 : tensor<4x16x8xf32>
    %cst_31 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %120 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %121 = stablehlo.multiply %120, %116 : tensor<8x4xf32>
    %122 = stablehlo.subtract %arg1, %121 : tensor<8x4xf32>
    %cst_32 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %123 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %124 = stablehlo.multiply %123, %102 : tensor<4x8x16xf32>
    %125 = stablehlo.subtract %arg2, %124 : tensor<4x8x16xf32>
    return %119, %122, %125, %69 : tensor<4x16x8xf32>, tensor<8x4xf32>, tensor<4x8x16xf32>, tensor<f32>
  }
  func.func private @argmax(%arg0: tensor<16x4xf32>) -> tensor<16xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<16x4xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<16x4xf32>, tensor<16x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<16xf32>, tensor<16xi32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    return %1#1 : tensor<16xi32>
  }
  func.func private @argsort(%arg0: tensor<16xi32>) -> tensor<16xi32> {
    %0 = stablehlo.iota dim = 0 : tensor<16xi32>
    %1:2 = "stablehlo.sort"(%arg0, %0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>, %arg3: tensor<i32>, %arg4: tensor<i32>):
      %2 = stablehlo.compare LT, %arg1, %arg2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    }) : (tensor<16xi32>, tensor<16xi32>) -> (tensor<16xi32>, tensor<16xi32>)
    return %1#1 : tensor<16xi32>
  }
  func.func private @relu(%arg0: tensor<4x4x16xf32>) -> tensor<4x4x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<4x4x16xf32>
    return %1 : tensor<4x4x16xf32>
  }
}
