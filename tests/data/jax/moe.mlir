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
    %16 = call @_one_hot(%15) : (tensor<16xi32>) -> tensor<16x4xf32>
    %17 = call @cumsum(%16) : (tensor<16x4xf32>) -> tensor<16x4xf32>
    %18 = stablehlo.multiply %17, %16 : tensor<16x4xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
    %20 = stablehlo.subtract %18, %19 : tensor<16x4xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %21 = stablehlo.reduce(%20 init: %cst_4) applies stablehlo.maximum across dimensions = [1] : (tensor<16x4xf32>, tensor<f32>) -> tensor<16xf32>
    %22 = stablehlo.convert %21 : (tensor<16xf32>) -> tensor<16xi32>
    %23 = call @_one_hot_1(%22) : (tensor<16xi32>) -> tensor<16x8xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 2] : (tensor<16x8xf32>) -> tensor<16x1x8xf32>
    %25 = stablehlo.broadcast_in_dim %16, dims = [0, 1] : (tensor<16x4xf32>) -> tensor<16x4x1xf32>
    %26 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2] : (tensor<16x1x8xf32>) -> tensor<16x4x8xf32>
    %27 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2] : (tensor<16x4x1xf32>) -> tensor<16x4x8xf32>
    %28 = stablehlo.multiply %26, %27 : tensor<16x4x8xf32>
    %29 = stablehlo.dot_general %28, %arg3, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x4x8xf32>, tensor<16x8xf32>) -> tensor<4x8x8xf32>
    %30 = stablehlo.dot_general %29, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8xf32>, tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
    %31 = call @relu(%30) : (tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %33 = stablehlo.compare GT, %30, %32, FLOAT : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<4x8x16xi1>
    %34 = stablehlo.dot_general %31, %arg0, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x16x8xf32>) -> tensor<4x8x8xf32>
    %35 = stablehlo.dot_general %28, %34, contracting_dims = [2, 1] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<16x4x8xf32>, tensor<4x8x8xf32>) -> tensor<16x8xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %36 = stablehlo.reduce(%11 init: %cst_6) applies stablehlo.maximum across dimensions = [1] : (tensor<16x4xf32>, tensor<f32>) -> tensor<16xf32>
    %37 = stablehlo.reshape %36 : (tensor<16xf32>) -> tensor<16x1xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x4xf32>
    %39 = stablehlo.compare EQ, %11, %38, FLOAT : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xi1>
    %40 = stablehlo.convert %39 : (tensor<16x4xi1>) -> tensor<16x4xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %41 = stablehlo.reduce(%40 init: %cst_7) applies stablehlo.add across dimensions = [1] : (tensor<16x4xf32>, tensor<f32>) -> tensor<16xf32>
    %42 = stablehlo.broadcast_in_dim %36, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x8xf32>
    %44 = stablehlo.multiply %35, %43 : tensor<16x8xf32>
    %45 = stablehlo.subtract %44, %arg4 : tensor<16x8xf32>
    %46 = stablehlo.multiply %45, %45 : tensor<16x8xf32>
    %cst_8 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %48 = stablehlo.multiply %47, %45 : tensor<16x8xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %49 = stablehlo.reduce(%46 init: %cst_9) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_10 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %50 = stablehlo.divide %49, %cst_10 : tensor<f32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_12 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %51 = stablehlo.divide %cst_11, %cst_12 : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %53 = stablehlo.multiply %52, %48 : tensor<16x8xf32>
    %54 = stablehlo.multiply %35, %53 : tensor<16x8xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %55 = stablehlo.reduce(%54 init: %cst_13) applies stablehlo.add across dimensions = [1] : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
    %56 = stablehlo.reshape %55 : (tensor<16xf32>) -> tensor<16x1xf32>
    %57 = stablehlo.broadcast_in_dim %42, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x8xf32>
    %58 = stablehlo.multiply %53, %57 : tensor<16x8xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %59 = stablehlo.reduce(%56 init: %cst_14) applies stablehlo.add across dimensions = [1] : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
    %60 = stablehlo.divide %59, %41 : tensor<16xf32>
    %61 = stablehlo.broadcast_in_dim %60, dims = [0] : (tensor<16xf32>) -> tensor<16x4xf32>
    %62 = stablehlo.multiply %61, %40 : tensor<16x4xf32>
    %63 = stablehlo.dot_general %58, %28, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x8xf32>, tensor<16x4x8xf32>) -> tensor<8x4x8xf32>
    %64 = stablehlo.transpose %63, dims = [1, 2, 0] : (tensor<8x4x8xf32>) -> tensor<4x8x8xf32>
    %65 = stablehlo.dot_general %64, %31, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8xf32>, tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
    %66 = stablehlo.transpose %65, dims = [0, 2, 1] : (tensor<4x8x16xf32>) -> tensor<4x16x8xf32>
    %67 = stablehlo.dot_general %64, %arg0, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8xf32>, tensor<4x16x8xf32>) -> tensor<4x8x16xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %69 = stablehlo.select %33, %67, %68 : tensor<4x8x16xi1>, tensor<4x8x16xf32>
    %70 = stablehlo.dot_general %69, %29, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x8x8xf32>) -> tensor<4x16x8xf32>
    %71 = stablehlo.transpose %70, dims = [0, 2, 1] : (tensor<4x16x8xf32>) -> tensor<4x8x16xf32>
    %72 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x4xf32>
    %73 = stablehlo.multiply %62, %72 : tensor<16x4xf32>
    %74 = stablehlo.multiply %73, %7 : tensor<16x4xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %75 = stablehlo.reduce(%74 init: %cst_16) applies stablehlo.add across dimensions = [1] : (tensor<16x4xf32>, tensor<f32>) -> tensor<16xf32>
    %76 = stablehlo.reshape %75 : (tensor<16xf32>) -> tensor<16x1xf32>
    %77 = stablehlo.negate %76 : tensor<16x1xf32>
    %78 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x4xf32>
    %79 = stablehlo.divide %62, %78 : tensor<16x4xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %80 = stablehlo.reduce(%77 init: %cst_17) applies stablehlo.add across dimensions = [1] : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
    %81 = stablehlo.broadcast_in_dim %80, dims = [0] : (tensor<16xf32>) -> tensor<16x4xf32>
    %82 = stablehlo.add %79, %81 : tensor<16x4xf32>
    %83 = stablehlo.multiply %82, %7 : tensor<16x4xf32>
    %84 = stablehlo.dot_general %83, %arg3, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x4xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
    %85 = stablehlo.transpose %84, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
    %cst_18 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<4x16x8xf32>
    %87 = stablehlo.multiply %86, %66 : tensor<4x16x8xf32>
    %88 = stablehlo.subtract %arg0, %87 : tensor<4x16x8xf32>
    %cst_19 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %89 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %90 = stablehlo.multiply %89, %85 : tensor<8x4xf32>
    %91 = stablehlo.subtract %arg1, %90 : tensor<8x4xf32>
    %cst_20 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %93 = stablehlo.multiply %92, %71 : tensor<4x8x16xf32>
    %94 = stablehlo.subtract %arg2, %93 : tensor<4x8x16xf32>
    return %88, %91, %94, %50 : tensor<4x16x8xf32>, tensor<8x4xf32>, tensor<4x8x16xf32>, tensor<f32>
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
  func.func private @_one_hot(%arg0: tensor<16xi32>) -> tensor<16x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %1 = stablehlo.iota dim = 1 : tensor<1x4xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<16x1xi32>) -> tensor<16x4xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x4xi32>) -> tensor<16x4xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<16x4xi32>, tensor<16x4xi32>) -> tensor<16x4xi1>
    %5 = stablehlo.convert %4 : (tensor<16x4xi1>) -> tensor<16x4xf32>
    return %5 : tensor<16x4xf32>
  }
  func.func private @cumsum(%arg0: tensor<16x4xf32>) -> tensor<16x4xf32> {
    %0 = call @cumsum_0(%arg0) : (tensor<16x4xf32>) -> tensor<16x4xf32>
    return %0 : tensor<16x4xf32>
  }
  func.func private @cumsum_0(%arg0: tensor<16x4xf32>) -> tensor<16x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[15, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 16, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<16x4xf32>, tensor<f32>) -> tensor<16x4xf32>
    return %1 : tensor<16x4xf32>
  }
  func.func private @_one_hot_1(%arg0: tensor<16xi32>) -> tensor<16x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %1 = stablehlo.iota dim = 1 : tensor<1x8xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<16x1xi32>) -> tensor<16x8xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x8xi32>) -> tensor<16x8xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<16x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi1>
    %5 = stablehlo.convert %4 : (tensor<16x8xi1>) -> tensor<16x8xf32>
    return %5 : tensor<16x8xf32>
  }
  func.func private @relu(%arg0: tensor<4x8x16xf32>) -> tensor<4x8x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<4x8x16xf32>
    return %1 : tensor<4x8x16xf32>
  }
}
