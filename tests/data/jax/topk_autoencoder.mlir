module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<24x8xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<8x24xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<24xi32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<8x8xf32>) -> (tensor<8xf32> {jax.result_info = "result[0]['bias']"}, tensor<24x8xf32> {jax.result_info = "result[0]['decode']"}, tensor<8x24xf32> {jax.result_info = "result[0]['encode']"}, tensor<24xi32> {jax.result_info = "result[1]['idle']"}, tensor<f32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<8x8xf32>
    %2 = stablehlo.subtract %arg4, %1 : tensor<8x8xf32>
    %3 = stablehlo.dot_general %2, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %4 = call @relu(%3) : (tensor<8x24xf32>) -> tensor<8x24xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x24xf32>
    %6 = stablehlo.compare GT, %3, %5, FLOAT : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xi1>
    %values, %indices = chlo.top_k(%4, k = 3) : tensor<8x24xf32> -> (tensor<8x3xf32>, tensor<8x3xi32>)
    %7 = stablehlo.reshape %indices : (tensor<8x3xi32>) -> tensor<8x3x1xi32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x24xf32>
    %9 = stablehlo.iota dim = 0 : tensor<8xi32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %11 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x1xi32>
    %12 = stablehlo.compare LT, %10, %11, SIGNED : (tensor<8x1xi32>, tensor<8x1xi32>) -> tensor<8x1xi1>
    %c_1 = stablehlo.constant dense<8> : tensor<i32>
    %13 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<8x1xi32>
    %14 = stablehlo.add %10, %13 : tensor<8x1xi32>
    %15 = stablehlo.select %12, %14, %10 : tensor<8x1xi1>, tensor<8x1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %16 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<8x3xi32>
    %17 = stablehlo.compare LT, %indices, %16, SIGNED : (tensor<8x3xi32>, tensor<8x3xi32>) -> tensor<8x3xi1>
    %c_3 = stablehlo.constant dense<24> : tensor<i32>
    %18 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<8x3xi32>
    %19 = stablehlo.add %indices, %18 : tensor<8x3xi32>
    %20 = stablehlo.select %17, %19, %indices : tensor<8x3xi1>, tensor<8x3xi32>
    %21 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<8x1xi32>) -> tensor<8x3xi32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1] : (tensor<8x3xi32>) -> tensor<8x3x1xi32>
    %23 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<8x3xi32>) -> tensor<8x3x1xi32>
    %24 = stablehlo.concatenate %22, %23, dim = 2 : (tensor<8x3x1xi32>, tensor<8x3x1xi32>) -> tensor<8x3x2xi32>
    %25 = stablehlo.iota dim = 0 : tensor<24xui32>
    %26 = stablehlo.reshape %25 : (tensor<24xui32>) -> tensor<8x3xui32>
    %c_4 = stablehlo.constant dense<1> : tensor<ui32>
    %27 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<ui32>) -> tensor<8x3xui32>
    %28 = stablehlo.add %26, %27 : tensor<8x3xui32>
    %c_5 = stablehlo.constant dense<0> : tensor<ui32>
    %29 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<ui32>) -> tensor<8x24xui32>
    %30 = "stablehlo.scatter"(%29, %24, %28) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg5: tensor<ui32>, %arg6: tensor<ui32>):
      stablehlo.return %arg6 : tensor<ui32>
    }) : (tensor<8x24xui32>, tensor<8x3x2xi32>, tensor<8x3xui32>) -> tensor<8x24xui32>
    %31 = "stablehlo.gather"(%30, %24) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<8x24xui32>, tensor<8x3x2xi32>) -> tensor<8x3xui32>
    %c_6 = stablehlo.constant dense<0> : tensor<ui32>
    %32 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<ui32>) -> tensor<8x24xui32>
    %33 = stablehlo.compare EQ, %30, %32, UNSIGNED : (tensor<8x24xui32>, tensor<8x24xui32>) -> tensor<8x24xi1>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8x24xf32>
    %35 = stablehlo.select %33, %8, %34 : tensor<8x24xi1>, tensor<8x24xf32>
    %36 = stablehlo.compare EQ, %28, %31, UNSIGNED : (tensor<8x3xui32>, tensor<8x3xui32>) -> tensor<8x3xi1>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8x3xf32>
    %38 = stablehlo.select %36, %values, %37 : tensor<8x3xi1>, tensor<8x3xf32>
    %39 = stablehlo.compare EQ, %28, %31, UNSIGNED : (tensor<8x3xui32>, tensor<8x3xui32>) -> tensor<8x3xi1>
    %40 = "stablehlo.scatter"(%35, %24, %38) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %109 = stablehlo.add %arg5, %arg6 : tensor<f32>
      stablehlo.return %109 : tensor<f32>
    }) : (tensor<8x24xf32>, tensor<8x3x2xi32>, tensor<8x3xf32>) -> tensor<8x24xf32>
    %41 = stablehlo.dot_general %40, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x24xf32>, tensor<24x8xf32>) -> tensor<8x8xf32>
    %42 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<8x8xf32>
    %44 = stablehlo.add %41, %43 : tensor<8x8xf32>
    %45 = stablehlo.subtract %44, %arg4 : tensor<8x8xf32>
    %46 = stablehlo.multiply %45, %45 : tensor<8x8xf32>
    %cst_9 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %48 = stablehlo.multiply %47, %45 : tensor<8x8xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %49 = stablehlo.reduce(%46 init: %cst_10) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %50 = stablehlo.reduce(%49 init: %cst_11) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %cst_12 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %51 = stablehlo.divide %50, %cst_12 : tensor<f32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8x24xf32>
    %53 = stablehlo.compare GT, %40, %52, FLOAT : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xi1>
    %54 = stablehlo.convert %53 : (tensor<8x24xi1>) -> tensor<8x24xi32>
    %c_14 = stablehlo.constant dense<0> : tensor<i32>
    %55 = stablehlo.reduce(%54 init: %c_14) applies stablehlo.add across dimensions = [0] : (tensor<8x24xi32>, tensor<i32>) -> tensor<24xi32>
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_16 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %56 = stablehlo.divide %cst_15, %cst_16 : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
    %59 = stablehlo.multiply %58, %48 : tensor<8x8xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %60 = stablehlo.reduce(%59 init: %cst_17) applies stablehlo.add across dimensions = [0] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
    %61 = stablehlo.reshape %60 : (tensor<8xf32>) -> tensor<1x8xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %62 = stablehlo.reduce(%61 init: %cst_18) applies stablehlo.add across dimensions = [0] : (tensor<1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %63 = stablehlo.dot_general %59, %40, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %64 = stablehlo.transpose %63, dims = [1, 0] : (tensor<8x24xf32>) -> tensor<24x8xf32>
    %65 = stablehlo.dot_general %59, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<24x8xf32>) -> tensor<8x24xf32>
    %c_19 = stablehlo.constant dense<[7, 23]> : tensor<2xi32>
    %c_20 = stablehlo.constant dense<0> : tensor<i32>
    %66 = stablehlo.broadcast_in_dim %c_20, dims = [] : (tensor<i32>) -> tensor<8x3x2xi32>
    %67 = stablehlo.compare GE, %24, %66, SIGNED : (tensor<8x3x2xi32>, tensor<8x3x2xi32>) -> tensor<8x3x2xi1>
    %68 = stablehlo.broadcast_in_dim %c_19, dims = [2] : (tensor<2xi32>) -> tensor<1x1x2xi32>
    %69 = stablehlo.broadcast_in_dim %68, dims = [0, 1, 2] : (tensor<1x1x2xi32>) -> tensor<8x3x2xi32>
    %70 = stablehlo.compare LE, %24, %69, SIGNED : (tensor<8x3x2xi32>, tensor<8x3x2xi32>) -> tensor<8x3x2xi1>
    %71 = stablehlo.and %67, %70 : tensor<8x3x2xi1>
    %c_21 = stablehlo.constant dense<true> : tensor<i1>
    %72 = stablehlo.reduce(%71 init: %c_21) applies stablehlo.and across dimensions = [2] : (tensor<8x3x2xi1>, tensor<i1>) -> tensor<8x3xi1>
    %73 = "stablehlo.gather"(%65, %24) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<8x24xf32>, tensor<8x3x2xi32>) -> tensor<8x3xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<8x3xf32>
    %75 = stablehlo.select %72, %73, %74 : tensor<8x3xi1>, tensor<8x3xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<8x3xf32>
    %77 = stablehlo.select %39, %75, %76 : tensor<8x3xi1>, tensor<8x3xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<8x24xf32>
    %79 = "stablehlo.scatter"(%78, %7, %77) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %109 = stablehlo.add %arg5, %arg6 : tensor<f32>
      stablehlo.return %109 : tensor<f32>
    }) : (tensor<8x24xf32>, tensor<8x3x1xi32>, tensor<8x3xf32>) -> tensor<8x24xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<8x24xf32>
    %81 = stablehlo.select %6, %79, %80 : tensor<8x24xi1>, tensor<8x24xf32>
    %82 = stablehlo.dot_general %81, %2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x24xf32>, tensor<8x8xf32>) -> tensor<24x8xf32>
    %83 = stablehlo.transpose %82, dims = [1, 0] : (tensor<24x8xf32>) -> tensor<8x24xf32>
    %84 = stablehlo.dot_general %81, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x8xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %85 = stablehlo.reduce(%84 init: %cst_26) applies stablehlo.add across dimensions = [0] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
    %86 = stablehlo.reshape %85 : (tensor<8xf32>) -> tensor<1x8xf32>
    %87 = stablehlo.negate %86 : tensor<1x8xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %88 = stablehlo.reduce(%87 init: %cst_27) applies stablehlo.add across dimensions = [0] : (tensor<1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %89 = stablehlo.add %62, %88 : tensor<8xf32>
    %cst_28 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %91 = stablehlo.multiply %90, %89 : tensor<8xf32>
    %92 = stablehlo.subtract %arg0, %91 : tensor<8xf32>
    %cst_29 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %93 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<24x8xf32>
    %94 = stablehlo.multiply %93, %64 : tensor<24x8xf32>
    %95 = stablehlo.subtract %arg1, %94 : tensor<24x8xf32>
    %cst_30 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<8x24xf32>
    %97 = stablehlo.multiply %96, %83 : tensor<8x24xf32>
    %98 = stablehlo.subtract %arg2, %97 : tensor<8x24xf32>
    %99 = call @norm(%95) : (tensor<24x8xf32>) -> tensor<24x1xf32>
    %cst_31 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %100 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<24x1xf32>
    %101 = stablehlo.maximum %99, %100 : tensor<24x1xf32>
    %102 = stablehlo.broadcast_in_dim %101, dims = [0, 1] : (tensor<24x1xf32>) -> tensor<24x8xf32>
    %103 = stablehlo.divide %95, %102 : tensor<24x8xf32>
    %c_32 = stablehlo.constant dense<0> : tensor<i32>
    %104 = stablehlo.broadcast_in_dim %c_32, dims = [] : (tensor<i32>) -> tensor<24xi32>
    %105 = stablehlo.compare GT, %55, %104, SIGNED : (tensor<24xi32>, tensor<24xi32>) -> tensor<24xi1>
    %c_33 = stablehlo.constant dense<1> : tensor<i32>
    %106 = stablehlo.broadcast_in_dim %c_33, dims = [] : (tensor<i32>) -> tensor<24xi32>
    %107 = stablehlo.add %arg3, %106 : tensor<24xi32>
    %c_34 = stablehlo.constant dense<0> : tensor<i32>
    %108 = call @_where(%105, %c_34, %107) : (tensor<24xi1>, tensor<i32>, tensor<24xi32>) -> tensor<24xi32>
    return %92, %103, %98, %108, %51 : tensor<8xf32>, tensor<24x8xf32>, tensor<8x24xf32>, tensor<24xi32>, tensor<f32>
  }
  func.func private @relu(%arg0: tensor<8x24xf32>) -> tensor<8x24xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x24xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<8x24xf32>
    return %1 : tensor<8x24xf32>
  }
  func.func private @norm(%arg0: tensor<24x8xf32>) -> tensor<24x1xf32> {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<24x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<24x8xf32>, tensor<f32>) -> tensor<24xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<24xf32>) -> tensor<24x1xf32>
    %3 = stablehlo.sqrt %2 : tensor<24x1xf32>
    return %3 : tensor<24x1xf32>
  }
  func.func private @_where(%arg0: tensor<24xi1>, %arg1: tensor<i32>, %arg2: tensor<24xi32>) -> tensor<24xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<24xi32>
    %2 = stablehlo.select %arg0, %1, %arg2 : tensor<24xi1>, tensor<24xi32>
    return %2 : tensor<24xi32>
  }
}
