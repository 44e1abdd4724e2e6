module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4x8xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<6x8xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<8x3xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<8x2x2x4xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<5x8xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<2x4x8xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<10x8xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<8x2x4xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<8x3x2x4xf32> {tf.aliasing_output = 8 : i32}, %arg9: tensor<4x10x6xf32>, %arg10: tensor<4x3xf32>) -> (tensor<2x4x8xf32> {jax.result_info = "result[0]['cross']"}, tensor<6x8xf32> {jax.result_info = "result[0]['embed']"}, tensor<8x3xf32> {jax.result_info = "result[0]['head']"}, tensor<8x2x2x4xf32> {jax.result_info = "result[0]['kv']"}, tensor<5x8xf32> {jax.result_info = "result[0]['latents']"}, tensor<2x4x8xf32> {jax.result_info = "result[0]['out']"}, tensor<10x8xf32> {jax.result_info = "result[0]['place']"}, tensor<8x2x4xf32> {jax.result_info = "result[0]['q']"}, tensor<8x3x2x4xf32> {jax.result_info = "result[0]['qkv']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<[1.000000e+00, 5.000000e-01, 2.500000e-01]> : tensor<3xf32>
    %0 = stablehlo.dot_general %arg9, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x10x6xf32>, tensor<6x8xf32>) -> tensor<4x10x8xf32>
    %1 = stablehlo.broadcast_in_dim %arg6, dims = [1, 2] : (tensor<10x8xf32>) -> tensor<1x10x8xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x10x8xf32>) -> tensor<4x10x8xf32>
    %3 = stablehlo.add %0, %2 : tensor<4x10x8xf32>
    %4 = stablehlo.broadcast_in_dim %arg4, dims = [1, 2] : (tensor<5x8xf32>) -> tensor<4x5x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %5:3 = call @_var(%c) : (tensor<i32>) -> (tensor<f32>, tensor<i1>, tensor<4x5x1xf32>)
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<4x10x8xf32>, tensor<f32>) -> tensor<4x10xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<4x10xf32>) -> tensor<4x10x1xf32>
    %cst_1 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x10x1xf32>
    %9 = stablehlo.divide %7, %8 : tensor<4x10x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<4x10x1xf32>) -> tensor<4x10x8xf32>
    %11 = stablehlo.subtract %3, %10 : tensor<4x10x8xf32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %12 = call @_var_0(%3, %c_2) : (tensor<4x10x8xf32>, tensor<i32>) -> tensor<4x10x1xf32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x10x1xf32>
    %14 = stablehlo.add %12, %13 : tensor<4x10x1xf32>
    %15 = stablehlo.rsqrt %14 : tensor<4x10x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<4x10x1xf32>) -> tensor<4x10x8xf32>
    %17 = stablehlo.multiply %11, %16 : tensor<4x10x8xf32>
    %18 = stablehlo.dot_general %17, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x10x8xf32>, tensor<8x2x2x4xf32>) -> tensor<4x10x2x2x4xf32>
    %19 = stablehlo.transpose %18, dims = [2, 0, 1, 3, 4] : (tensor<4x10x2x2x4xf32>) -> tensor<2x4x10x2x4xf32>
    %20 = stablehlo.slice %19 [0:1, 0:4, 0:10, 0:2, 0:4] : (tensor<2x4x10x2x4xf32>) -> tensor<1x4x10x2x4xf32>
    %21 = stablehlo.reshape %20 : (tensor<1x4x10x2x4xf32>) -> tensor<4x10x2x4xf32>
    %22 = stablehlo.slice %19 [1:2, 0:4, 0:10, 0:2, 0:4] : (tensor<2x4x10x2x4xf32>) -> tensor<1x4x10x2x4xf32>
    %23 = stablehlo.reshape %22 : (tensor<1x4x10x2x4xf32>) -> tensor<4x10x2x4xf32>
    %cst_4 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %24 = stablehlo.sqrt %cst_4 : tensor<f32>
    %25 = stablehlo.convert %24 : tensor<f32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %26:3 = call @_var(%c_5) : (tensor<i32>) -> (tensor<f32>, tensor<i1>, tensor<4x5x1xf32>)
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<3x4x5x8xf32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %28:17 = stablehlo.while(%iterArg = %cst, %iterArg_41 = %23, %iterArg_42 = %5#0, %iterArg_43 = %5#1, %iterArg_44 = %5#2, %iterArg_45 = %arg7, %iterArg_46 = %21, %iterArg_47 = %25, %iterArg_48 = %arg0, %iterArg_49 = %26#0, %iterArg_50 = %26#1, %iterArg_51 = %26#2, %iterArg_52 = %arg8, %iterArg_53 = %arg5, %iterArg_54 = %c_7, %iterArg_55 = %4, %iterArg_56 = %27) : tensor<3xf32>, tensor<4x10x2x4xf32>, tensor<f32>, tensor<i1>, tensor<4x5x1xf32>, tensor<8x2x4xf32>, tensor<4x10x2x4xf32>, tensor<f32>, tensor<2x4x8xf32>, tensor<f32>, tensor<i1>, tensor<4x5x1xf32>, tensor<8x3x2x4xf32>, tensor<2x4x8xf32>, tensor<i32>, tensor<4x5x8xf32>, tensor<3x4x5x8xf32>
    cond {
      %c_57 = stablehlo.constant dense<3> : tensor<i32>
      %107 = stablehlo.compare LT, %iterArg_54, %c_57, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %107 : tensor<i1>
    } do {
      %107 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_54) : (tensor<3xf32>, tensor<i32>) -> tensor<f32>
      %108:2 = func.call @closed_call(%iterArg_41, %iterArg_42, %iterArg_43, %iterArg_44, %iterArg_45, %iterArg_46, %iterArg_47, %iterArg_48, %iterArg_49, %iterArg_50, %iterArg_51, %iterArg_52, %iterArg_53, %iterArg_55, %107) : (tensor<4x10x2x4xf32>, tensor<f32>, tensor<i1>, tensor<4x5x1xf32>, tensor<8x2x4xf32>, tensor<4x10x2x4xf32>, tensor<f32>, tensor<2x4x8xf32>, tensor<f32>, tensor<i1>, tensor<4x5x1xf32>, tensor<8x3x2x4xf32>, tensor<2x4x8xf32>, tensor<4x5x8xf32>, tensor<f32>) -> (tensor<4x5x8xf32>, tensor<4x5x8xf32>)
      %109 = func.call @dynamic_update_index_in_dim(%iterArg_56, %108#1, %iterArg_54) : (tensor<3x4x5x8xf32>, tensor<4x5x8xf32>, tensor<i32>) -> tensor<3x4x5x8xf32>
      %c_57 = stablehlo.constant dense<1> : tensor<i32>
      %110 = stablehlo.add %iterArg_54, %c_57 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_41, %iterArg_42, %iterArg_43, %iterArg_44, %iterArg_45, %iterArg_46, %iterArg_47, %iterArg_48, %iterArg_49, %iterArg_50, %iterArg_51, %iterArg_52, %iterArg_53, %110, %108#0, %109 : tensor<3xf32>, tensor<4x10x2x4xf32>, tensor<f32>, tensor<i1>, tensor<4x5x1xf32>, tensor<8x2x4xf32>, tensor<4x10x2x4xf32>, tensor<f32>, tensor<2x4x8xf32>, tensor<f32>, tensor<i1>, tensor<4x5x1xf32>, tensor<8x3x2x4xf32>, tensor<2x4x8xf32>, tensor<i32>, tensor<4x5x8xf32>, tensor<3x4x5x8xf32>
    }
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.reduce(%28#15 init: %cst_8) applies stablehlo.add across dimensions = [1] : (tensor<4x5x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %cst_9 = stablehlo.constant dense<5.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %31 = stablehlo.divide %29, %30 : tensor<4x8xf32>
    %32 = stablehlo.dot_general %31, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
    %33 = stablehlo.subtract %32, %arg10 : tensor<4x3xf32>
    %34 = stablehlo.abs %33 : tensor<4x3xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %36 = stablehlo.compare GE, %33, %35, FLOAT : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xi1>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %38 = stablehlo.compare LT, %34, %37, FLOAT : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xi1>
    %39 = stablehlo.multiply %34, %34 : tensor<4x3xf32>
    %cst_12 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %41 = stablehlo.multiply %40, %34 : tensor<4x3xf32>
    %cst_13 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %43 = stablehlo.multiply %42, %39 : tensor<4x3xf32>
    %cst_14 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %45 = stablehlo.subtract %34, %44 : tensor<4x3xf32>
    %46 = call @_where_4(%38, %43, %45) : (tensor<4x3xi1>, tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.reduce(%46 init: %cst_15) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<f32>
    %cst_16 = stablehlo.constant dense<1.200000e+01> : tensor<f32>
    %48 = stablehlo.divide %47, %cst_16 : tensor<f32>
    %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_18 = stablehlo.constant dense<1.200000e+01> : tensor<f32>
    %49 = stablehlo.divide %cst_17, %cst_18 : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %49, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %51:2 = call @_where_5(%38, %50) : (tensor<4x3xi1>, tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<4x3xf32>)
    %cst_19 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %53 = stablehlo.multiply %52, %51#0 : tensor<4x3xf32>
    %54 = stablehlo.multiply %53, %41 : tensor<4x3xf32>
    %55 = stablehlo.add %51#1, %54 : tensor<4x3xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %57 = stablehlo.select %36, %56, %55 : tensor<4x3xi1>, tensor<4x3xf32>
    %58 = stablehlo.select %36, %55, %56 : tensor<4x3xi1>, tensor<4x3xf32>
    %59 = stablehlo.negate %57 : tensor<4x3xf32>
    %60 = stablehlo.add %58, %59 : tensor<4x3xf32>
    %61 = stablehlo.dot_general %60, %31, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x3xf32>, tensor<4x8xf32>) -> tensor<3x8xf32>
    %62 = stablehlo.transpose %61, dims = [1, 0] : (tensor<3x8xf32>) -> tensor<8x3xf32>
    %63 = stablehlo.dot_general %60, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x3xf32>, tensor<8x3xf32>) -> tensor<4x8xf32>
    %cst_21 = stablehlo.constant dense<5.000000e+00> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %65 = stablehlo.divide %63, %64 : tensor<4x8xf32>
    %66 = stablehlo.broadcast_in_dim %65, dims = [0, 2] : (tensor<4x8xf32>) -> tensor<4x5x8xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<4x10x8xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<8x2x2x4xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<2x4x8xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<8x3x2x4xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<2x4x8xf32>
    %c_28 = stablehlo.constant dense<0> : tensor<i32>
    %73:16 = stablehlo.while(%iterArg = %28#16, %iterArg_41 = %cst, %iterArg_42 = %arg7, %iterArg_43 = %3, %iterArg_44 = %arg3, %iterArg_45 = %arg0, %iterArg_46 = %arg8, %iterArg_47 = %arg5, %iterArg_48 = %c_28, %iterArg_49 = %67, %iterArg_50 = %68, %iterArg_51 = %69, %iterArg_52 = %70, %iterArg_53 = %71, %iterArg_54 = %72, %iterArg_55 = %66) : tensor<3x4x5x8xf32>, tensor<3xf32>, tensor<8x2x4xf32>, tensor<4x10x8xf32>, tensor<8x2x2x4xf32>, tensor<2x4x8xf32>, tensor<8x3x2x4xf32>, tensor<2x4x8xf32>, tensor<i32>, tensor<8x2x4xf32>, tensor<4x10x8xf32>, tensor<8x2x2x4xf32>, tensor<2x4x8xf32>, tensor<8x3x2x4xf32>, tensor<2x4x8xf32>, tensor<4x5x8xf32>
    cond {
      %c_56 = stablehlo.constant dense<3> : tensor<i32>
      %107 = stablehlo.compare LT, %iterArg_48, %c_56, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %107 : tensor<i1>
    } do {
      %c_56 = stablehlo.constant dense<3> : tensor<i32>
      %107 = stablehlo.subtract %c_56, %iterArg_48 : tensor<i32>
      %c_57 = stablehlo.constant dense<1> : tensor<i32>
      %108 = stablehlo.subtract %107, %c_57 : tensor<i32>
      %109 = func.call @dynamic_index_in_dim_6(%iterArg, %108) : (tensor<3x4x5x8xf32>, tensor<i32>) -> tensor<4x5x8xf32>
      %110 = func.call @dynamic_index_in_dim(%iterArg_41, %108) : (tensor<3xf32>, tensor<i32>) -> tensor<f32>
      %111:7 = func.call @closed_call_7(%iterArg_42, %iterArg_43, %iterArg_44, %iterArg_45, %iterArg_46, %iterArg_47, %iterArg_49, %iterArg_50, %iterArg_51, %iterArg_52, %iterArg_53, %iterArg_54, %iterArg_55, %109, %110) : (tensor<8x2x4xf32>, tensor<4x10x8xf32>, tensor<8x2x2x4xf32>, tensor<2x4x8xf32>, tensor<8x3x2x4xf32>, tensor<2x4x8xf32>, tensor<8x2x4xf32>, tensor<4x10x8xf32>, tensor<8x2x2x4xf32>, tensor<2x4x8xf32>, tensor<8x3x2x4xf32>, tensor<2x4x8xf32>, tensor<4x5x8xf32>, tensor<4x5x8xf32>, tensor<f32>) -> (tensor<8x2x4xf32>, tensor<4x10x8xf32>, tensor<8x2x2x4xf32>, tensor<2x4x8xf32>, tensor<8x3x2x4xf32>, tensor<2x4x8xf32>, tensor<4x5x8xf32>)
      %c_58 = stablehlo.constant dense<1> : tensor<i32>
      %112 = stablehlo.add %iterArg_48, %c_58 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_41, %iterArg_42, %iterArg_43, %iterArg_44, %iterArg_45, %iterArg_46, %iterArg_47, %112, %111#0, %111#1, %111#2, %111#3, %111#4, %111#5, %111#6 : tensor<3x4x5x8xf32>, tensor<3xf32>, tensor<8x2x4xf32>, tensor<4x10x8xf32>, tensor<8x2x2x4xf32>, tensor<2x4x8xf32>, tensor<8x3x2x4xf32>, tensor<2x4x8xf32>, tensor<i32>, tensor<8x2x4xf32>, tensor<4x10x8xf32>, tensor<8x2x2x4xf32>, tensor<2x4x8xf32>, tensor<8x3x2x4xf32>, tensor<2x4x8xf32>, tensor<4x5x8xf32>
    }
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %74 = stablehlo.reduce(%73#15 init: %cst_29) applies stablehlo.add across dimensions = [0] : (tensor<4x5x8xf32>, tensor<f32>) -> tensor<5x8xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %75 = stablehlo.reduce(%73#10 init: %cst_30) applies stablehlo.add across dimensions = [0] : (tensor<4x10x8xf32>, tensor<f32>) -> tensor<10x8xf32>
    %76 = stablehlo.reshape %75 : (tensor<10x8xf32>) -> tensor<1x10x8xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %77 = stablehlo.reduce(%76 init: %cst_31) applies stablehlo.add across dimensions = [0] : (tensor<1x10x8xf32>, tensor<f32>) -> tensor<10x8xf32>
    %78 = stablehlo.dot_general %73#10, %arg9, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x10x8xf32>, tensor<4x10x6xf32>) -> tensor<8x6xf32>
    %79 = stablehlo.transpose %78, dims = [1, 0] : (tensor<8x6xf32>) -> tensor<6x8xf32>
    %cst_32 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<2x4x8xf32>
    %81 = stablehlo.multiply %80, %73#12 : tensor<2x4x8xf32>
    %82 = stablehlo.subtract %arg0, %81 : tensor<2x4x8xf32>
    %cst_33 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
    %84 = stablehlo.multiply %83, %79 : tensor<6x8xf32>
    %85 = stablehlo.subtract %arg1, %84 : tensor<6x8xf32>
    %cst_34 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<8x3xf32>
    %87 = stablehlo.multiply %86, %62 : tensor<8x3xf32>
    %88 = stablehlo.subtract %arg2, %87 : tensor<8x3xf32>
    %cst_35 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %89 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<8x2x2x4xf32>
    %90 = stablehlo.multiply %89, %73#11 : tensor<8x2x2x4xf32>
    %91 = stablehlo.subtract %arg3, %90 : tensor<8x2x2x4xf32>
    %cst_36 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<5x8xf32>
    %93 = stablehlo.multiply %92, %74 : tensor<5x8xf32>
    %94 = stablehlo.subtract %arg4, %93 : tensor<5x8xf32>
    %cst_37 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %95 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<2x4x8xf32>
    %96 = stablehlo.multiply %95, %73#14 : tensor<2x4x8xf32>
    %97 = stablehlo.subtract %arg5, %96 : tensor<2x4x8xf32>
    %cst_38 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %98 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<10x8xf32>
    %99 = stablehlo.multiply %98, %77 : tensor<10x8xf32>
    %100 = stablehlo.subtract %arg6, %99 : tensor<10x8xf32>
    %cst_39 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %101 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<8x2x4xf32>
    %102 = stablehlo.multiply %101, %73#9 : tensor<8x2x4xf32>
    %103 = stablehlo.subtract %arg7, %102 : tensor<8x2x4xf32>
    %cst_40 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<8x3x2x4xf32>
    %105 = stablehlo.multiply %104, %73#13 : tensor<8x3x2x4xf32>
    %106 = stablehlo.subtract %arg8, %105 : tensor<8x3x2x4xf32>
    return %82, %85, %88, %91, %94, %97, %100, %103, %106, %48 : tensor<2x4x8xf32>, tensor<6x8xf32>, tensor<8x3xf32>, tensor<8x2x2x4xf32>, tensor<5x8xf32>, tensor<2x4x8xf32>, tensor<10x8xf32>, tensor<8x2x4xf32>, tensor<8x3x2x4xf32>, tensor<f32>
  }
  func.func private @_var(%arg0: tensor<i32>) -> (tensor<f32>, tensor<i1>, tensor<4x5x1xf32>) {
    %0 = stablehlo.convert %arg0 : (tensor<i32>) -> tensor<f32>
    %cst = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %1 = stablehlo.subtract %cst, %0 : tensor<f32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.compare GT, %1, %cst_0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %3 = call @_where(%cst_1) : (tensor<f32>) -> tensor<4x5x1xf32>
    return %1, %2, %3 : tensor<f32>, tensor<i1>, tensor<4x5x1xf32>
  }
  func.func private @_where(%arg0: tensor<f32>) -> tensor<4x5x1xf32> {
    %0 = stablehlo.convert %arg0 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x5x1xf32>
    return %1 : tensor<4x5x1xf32>
  }
  func.func private @_var_0(%arg0: tensor<4x10x8xf32>, %arg1: tensor<i32>) -> tensor<4x10x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x10x8xf32>, tensor<f32>) -> tensor<4x10xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<4x10xf32>) -> tensor<4x10x1xf32>
    %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x10x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<4x10x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<4x10x1xf32>) -> tensor<4x10x8xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x10x8xf32>
    %6 = chlo.square %5 : tensor<4x10x8xf32> -> tensor<4x10x8xf32>
    %7 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %8 = stablehlo.subtract %cst_1, %7 : tensor<f32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%6 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<4x10x8xf32>, tensor<f32>) -> tensor<4x10xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<4x10xf32>) -> tensor<4x10x1xf32>
    %11 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<4x10x1xf32>
    %12 = stablehlo.divide %10, %11 : tensor<4x10x1xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.compare GT, %8, %cst_3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = call @_where_1(%13, %12, %cst_4) : (tensor<i1>, tensor<4x10x1xf32>, tensor<f32>) -> tensor<4x10x1xf32>
    return %14 : tensor<4x10x1xf32>
  }
  func.func private @_where_1(%arg0: tensor<i1>, %arg1: tensor<4x10x1xf32>, %arg2: tensor<f32>) -> tensor<4x10x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x10x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<4x10x1xf32>
    return %2 : tensor<4x10x1xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<3xf32>, %arg1: tensor<i32>) -> tensor<f32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<3xf32>, tensor<i32>) -> tensor<1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1xf32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
  func.func private @closed_call(%arg0: tensor<4x10x2x4xf32>, %arg1: tensor<f32>, %arg2: tensor<i1>, %arg3: tensor<4x5x1xf32>, %arg4: tensor<8x2x4xf32>, %arg5: tensor<4x10x2x4xf32>, %arg6: tensor<f32>, %arg7: tensor<2x4x8xf32>, %arg8: tensor<f32>, %arg9: tensor<i1>, %arg10: tensor<4x5x1xf32>, %arg11: tensor<8x3x2x4xf32>, %arg12: tensor<2x4x8xf32>, %arg13: tensor<4x5x8xf32>, %arg14: tensor<f32>) -> (tensor<4x5x8xf32>, tensor<4x5x8xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg13 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x5x8xf32>, tensor<f32>) -> tensor<4x5xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<4x5xf32>) -> tensor<4x5x1xf32>
    %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x5x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<4x5x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<4x5x1xf32>) -> tensor<4x5x8xf32>
    %5 = stablehlo.subtract %arg13, %4 : tensor<4x5x8xf32>
    %6 = call @_var_2(%arg13, %arg1, %arg2, %arg3) : (tensor<4x5x8xf32>, tensor<f32>, tensor<i1>, tensor<4x5x1xf32>) -> tensor<4x5x1xf32>
    %cst_1 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x5x1xf32>
    %8 = stablehlo.add %6, %7 : tensor<4x5x1xf32>
    %9 = stablehlo.rsqrt %8 : tensor<4x5x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<4x5x1xf32>) -> tensor<4x5x8xf32>
    %11 = stablehlo.multiply %5, %10 : tensor<4x5x8xf32>
    %12 = stablehlo.dot_general %11, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x5x8xf32>, tensor<8x2x4xf32>) -> tensor<4x5x2x4xf32>
    %13 = stablehlo.dot_general %12, %arg5, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x5x2x4xf32>, tensor<4x10x2x4xf32>) -> tensor<4x2x5x10xf32>
    %14 = stablehlo.broadcast_in_dim %arg6, dims = [] : (tensor<f32>) -> tensor<4x2x5x10xf32>
    %15 = stablehlo.divide %13, %14 : tensor<4x2x5x10xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %16 = stablehlo.reduce(%15 init: %cst_2) applies stablehlo.maximum across dimensions = [3] : (tensor<4x2x5x10xf32>, tensor<f32>) -> tensor<4x2x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x2x5xf32>
    %18 = stablehlo.maximum %17, %16 : tensor<4x2x5xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<4x2x5xf32>) -> tensor<4x2x5x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<4x2x5x1xf32>) -> tensor<4x2x5x10xf32>
    %21 = stablehlo.subtract %15, %20 : tensor<4x2x5x10xf32>
    %22 = stablehlo.exponential %21 : tensor<4x2x5x10xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<4x2x5x10xf32>, tensor<f32>) -> tensor<4x2x5xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2] : (tensor<4x2x5xf32>) -> tensor<4x2x5x1xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3] : (tensor<4x2x5x1xf32>) -> tensor<4x2x5x10xf32>
    %26 = stablehlo.divide %22, %25 : tensor<4x2x5x10xf32>
    %27 = stablehlo.dot_general %arg0, %26, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x10x2x4xf32>, tensor<4x2x5x10xf32>) -> tensor<4x2x4x5xf32>
    %28 = stablehlo.dot_general %27, %arg7, contracting_dims = [1, 2] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x2x4x5xf32>, tensor<2x4x8xf32>) -> tensor<4x5x8xf32>
    %29 = stablehlo.broadcast_in_dim %arg14, dims = [] : (tensor<f32>) -> tensor<4x5x8xf32>
    %30 = stablehlo.multiply %29, %28 : tensor<4x5x8xf32>
    %31 = stablehlo.add %arg13, %30 : tensor<4x5x8xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.reduce(%31 init: %cst_5) applies stablehlo.add across dimensions = [2] : (tensor<4x5x8xf32>, tensor<f32>) -> tensor<4x5xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1] : (tensor<4x5xf32>) -> tensor<4x5x1xf32>
    %cst_6 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x5x1xf32>
    %35 = stablehlo.divide %33, %34 : tensor<4x5x1xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1, 2] : (tensor<4x5x1xf32>) -> tensor<4x5x8xf32>
    %37 = stablehlo.subtract %31, %36 : tensor<4x5x8xf32>
    %38 = call @_var_2(%31, %arg8, %arg9, %arg10) : (tensor<4x5x8xf32>, tensor<f32>, tensor<i1>, tensor<4x5x1xf32>) -> tensor<4x5x1xf32>
    %cst_7 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x5x1xf32>
    %40 = stablehlo.add %38, %39 : tensor<4x5x1xf32>
    %41 = stablehlo.rsqrt %40 : tensor<4x5x1xf32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2] : (tensor<4x5x1xf32>) -> tensor<4x5x8xf32>
    %43 = stablehlo.multiply %37, %42 : tensor<4x5x8xf32>
    %44 = stablehlo.dot_general %43, %arg11, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x5x8xf32>, tensor<8x3x2x4xf32>) -> tensor<4x5x3x2x4xf32>
    %45 = stablehlo.transpose %44, dims = [2, 0, 1, 3, 4] : (tensor<4x5x3x2x4xf32>) -> tensor<3x4x5x2x4xf32>
    %46 = stablehlo.slice %45 [0:1, 0:4, 0:5, 0:2, 0:4] : (tensor<3x4x5x2x4xf32>) -> tensor<1x4x5x2x4xf32>
    %47 = stablehlo.reshape %46 : (tensor<1x4x5x2x4xf32>) -> tensor<4x5x2x4xf32>
    %48 = stablehlo.slice %45 [1:2, 0:4, 0:5, 0:2, 0:4] : (tensor<3x4x5x2x4xf32>) -> tensor<1x4x5x2x4xf32>
    %49 = stablehlo.reshape %48 : (tensor<1x4x5x2x4xf32>) -> tensor<4x5x2x4xf32>
    %50 = stablehlo.slice %45 [2:3, 0:4, 0:5, 0:2, 0:4] : (tensor<3x4x5x2x4xf32>) -> tensor<1x4x5x2x4xf32>
    %51 = stablehlo.reshape %50 : (tensor<1x4x5x2x4xf32>) -> tensor<4x5x2x4xf32>
    %52 = stablehlo.dot_general %47, %49, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x5x2x4xf32>, tensor<4x5x2x4xf32>) -> tensor<4x2x5x5xf32>
    %cst_8 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x2x5x5xf32>
    %54 = stablehlo.divide %52, %53 : tensor<4x2x5x5xf32>
    %cst_9 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %55 = stablehlo.reduce(%54 init: %cst_9) applies stablehlo.maximum across dimensions = [3] : (tensor<4x2x5x5xf32>, tensor<f32>) -> tensor<4x2x5xf32>
    %cst_10 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x2x5xf32>
    %57 = stablehlo.maximum %56, %55 : tensor<4x2x5xf32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [0, 1, 2] : (tensor<4x2x5xf32>) -> tensor<4x2x5x1xf32>
    %59 = stablehlo.broadcast_in_dim %58, dims = [0, 1, 2, 3] : (tensor<4x2x5x1xf32>) -> tensor<4x2x5x5xf32>
    %60 = stablehlo.subtract %54, %59 : tensor<4x2x5x5xf32>
    %61 = stablehlo.exponential %60 : tensor<4x2x5x5xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %62 = stablehlo.reduce(%61 init: %cst_11) applies stablehlo.add across dimensions = [3] : (tensor<4x2x5x5xf32>, tensor<f32>) -> tensor<4x2x5xf32>
    %63 = stablehlo.broadcast_in_dim %62, dims = [0, 1, 2] : (tensor<4x2x5xf32>) -> tensor<4x2x5x1xf32>
    %64 = stablehlo.broadcast_in_dim %63, dims = [0, 1, 2, 3] : (tensor<4x2x5x1xf32>) -> tensor<4x2x5x5xf32>
    %65 = stablehlo.divide %61, %64 : tensor<4x2x5x5xf32>
    %66 = stablehlo.dot_general %51, %65, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x5x2x4xf32>, tensor<4x2x5x5xf32>) -> tensor<4x2x4x5xf32>
    %67 = stablehlo.dot_general %66, %arg12, contracting_dims = [1, 2] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x2x4x5xf32>, tensor<2x4x8xf32>) -> tensor<4x5x8xf32>
    %68 = stablehlo.add %31, %67 : tensor<4x5x8xf32>
    return %68, %arg13 : tensor<4x5x8xf32>, tensor<4x5x8xf32>
  }
  func.func private @_var_2(%arg0: tensor<4x5x8xf32>, %arg1: tensor<f32>, %arg2: tensor<i1>, %arg3: tensor<4x5x1xf32>) -> tensor<4x5x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x5x8xf32>, tensor<f32>) -> tensor<4x5xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<4x5xf32>) -> tensor<4x5x1xf32>
    %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x5x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<4x5x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<4x5x1xf32>) -> tensor<4x5x8xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x5x8xf32>
    %6 = chlo.square %5 : tensor<4x5x8xf32> -> tensor<4x5x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<4x5x8xf32>, tensor<f32>) -> tensor<4x5xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<4x5xf32>) -> tensor<4x5x1xf32>
    %9 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<4x5x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<4x5x1xf32>
    %11 = call @_where_3(%10, %arg2, %arg3) : (tensor<4x5x1xf32>, tensor<i1>, tensor<4x5x1xf32>) -> tensor<4x5x1xf32>
    return %11 : tensor<4x5x1xf32>
  }
  func.func private @_where_3(%arg0: tensor<4x5x1xf32>, %arg1: tensor<i1>, %arg2: tensor<4x5x1xf32>) -> tensor<4x5x1xf32> {
    %0 = stablehlo.select %arg1, %arg0, %arg2 : tensor<i1>, tensor<4x5x1xf32>
    return %0 : tensor<4x5x1xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<3x4x5x8xf32>, %arg1: tensor<4x5x8xf32>, %arg2: tensor<i32>) -> tensor<3x4x5x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<4x5x8xf32>) -> tensor<1x4x5x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<3x4x5x8xf32>, tensor<1x4x5x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x4x5x8xf32>
    return %1 : tensor<3x4x5x8xf32>
  }
  func.func private @_where_4(%arg0: tensor<4x3xi1>, %arg1: tensor<4x3xf32>, %arg2: tensor<4x3xf32>) -> tensor<4x3xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<4x3xi1>, tensor<4x3xf32>
    return %0 : tensor<4x3xf32>
  }
  func.func private @_where_5(%arg0: tensor<4x3xi1>, %arg1: tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<4x3xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %1 = stablehlo.select %arg0, %0, %arg1 : tensor<4x3xi1>, tensor<4x3xf32>
    %2 = stablehlo.select %arg0, %arg1, %0 : tensor<4x3xi1>, tensor<4x3xf32>
    return %2, %1 : tensor<4x3xf32>, tensor<4x3xf32>
  }
  func.func private @dynamic_index_in_dim_6(%arg0: tensor<3x4x5x8xf32>, %arg1: tensor<i32>) -> tensor<4x5x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 4, 5, 8] : (tensor<3x4x5x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x5x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x5x8xf32>) -> tensor<4x5x8xf32>
    return %1 : tensor<4x5x8xf32>
  }
  func.func private @closed_call_7(%arg0: tensor<8x2x4xf32>, %arg1: tensor<4x10x8xf32>, %arg2: tensor<8x2x2x4xf32>, %arg3: tensor<2x4x8xf32>, %arg4: tensor<8x3x2x4xf32>, %arg5: tensor<2x4x8xf32>, %arg6: tensor<8x2x4xf32>, %arg7: tensor<4x10x8xf32>, %arg8: tensor<8x2x2x4xf32>, %arg9: tensor<2x4x8xf32>, %arg10: tensor<8x3x2x4xf32>, %arg11: tensor<2x4x8xf32>, %arg12: tensor<4x5x8xf32>, %arg13: tensor<4x5x8xf32>, %arg14: tensor<f32>) -> (tensor<8x2x4xf32>, tensor<4x10x8xf32>, tensor<8x2x2x4xf32>, tensor<2x4x8xf32>, tensor<8x3x2x4xf32>, tensor<2x4x8xf32>, tensor<4x5x8xf32>) {
    %0:9 = stablehlo.optimization_barrier %arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg13, %arg14, %arg12 : tensor<8x2x4xf32>, tensor<4x10x8xf32>, tensor<8x2x2x4xf32>, tensor<2x4x8xf32>, tensor<8x3x2x4xf32>, tensor<2x4x8xf32>, tensor<4x5x8xf32>, tensor<f32>, tensor<4x5x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0#6 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x5x8xf32>, tensor<f32>) -> tensor<4x5xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<4x5xf32>) -> tensor<4x5x1xf32>
    %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x5x1xf32>
    %4 = stablehlo.divide %2, %3 : tensor<4x5x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2] : (tensor<4x5x1xf32>) -> tensor<4x5x8xf32>
    %6 = stablehlo.subtract %0#6, %5 : tensor<4x5x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %7:4 = call @_var_8(%0#6, %c) : (tensor<4x5x8xf32>, tensor<i32>) -> (tensor<4x5x1xf32>, tensor<4x5x8xf32>, tensor<f32>, tensor<i1>)
    %cst_1 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x5x1xf32>
    %9 = stablehlo.add %7#0, %8 : tensor<4x5x1xf32>
    %10 = stablehlo.rsqrt %9 : tensor<4x5x1xf32>
    %11 = stablehlo.divide %10, %9 : tensor<4x5x1xf32>
    %cst_2 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x5x1xf32>
    %13 = stablehlo.multiply %12, %11 : tensor<4x5x1xf32>
    %14 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<4x5x1xf32>) -> tensor<4x5x8xf32>
    %15 = stablehlo.multiply %6, %14 : tensor<4x5x8xf32>
    %16 = stablehlo.dot_general %15, %0#0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x5x8xf32>, tensor<8x2x4xf32>) -> tensor<4x5x2x4xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%0#1 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<4x10x8xf32>, tensor<f32>) -> tensor<4x10xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<4x10xf32>) -> tensor<4x10x1xf32>
    %cst_4 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x10x1xf32>
    %20 = stablehlo.divide %18, %19 : tensor<4x10x1xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<4x10x1xf32>) -> tensor<4x10x8xf32>
    %22 = stablehlo.subtract %0#1, %21 : tensor<4x10x8xf32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %23:4 = call @_var_10(%0#1, %c_5) : (tensor<4x10x8xf32>, tensor<i32>) -> (tensor<4x10x1xf32>, tensor<4x10x8xf32>, tensor<f32>, tensor<i1>)
    %cst_6 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x10x1xf32>
    %25 = stablehlo.add %23#0, %24 : tensor<4x10x1xf32>
    %26 = stablehlo.rsqrt %25 : tensor<4x10x1xf32>
    %27 = stablehlo.divide %26, %25 : tensor<4x10x1xf32>
    %cst_7 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x10x1xf32>
    %29 = stablehlo.multiply %28, %27 : tensor<4x10x1xf32>
    %30 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2] : (tensor<4x10x1xf32>) -> tensor<4x10x8xf32>
    %31 = stablehlo.multiply %22, %30 : tensor<4x10x8xf32>
    %32 = stablehlo.dot_general %31, %0#2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x10x8xf32>, tensor<8x2x2x4xf32>) -> tensor<4x10x2x2x4xf32>
    %33 = stablehlo.transpose %32, dims = [2, 0, 1, 3, 4] : (tensor<4x10x2x2x4xf32>) -> tensor<2x4x10x2x4xf32>
    %34 = stablehlo.slice %33 [0:1, 0:4, 0:10, 0:2, 0:4] : (tensor<2x4x10x2x4xf32>) -> tensor<1x4x10x2x4xf32>
    %35 = stablehlo.reshape %34 : (tensor<1x4x10x2x4xf32>) -> tensor<4x10x2x4xf32>
    %36 = stablehlo.slice %33 [1:2, 0:4, 0:10, 0:2, 0:4] : (tensor<2x4x10x2x4xf32>) -> tensor<1x4x10x2x4xf32>
    %37 = stablehlo.reshape %36 : (tensor<1x4x10x2x4xf32>) -> tensor<4x10x2x4xf32>
    %38 = stablehlo.dot_general %16, %35, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x5x2x4xf32>, tensor<4x10x2x4xf32>) -> tensor<4x2x5x10xf32>
    %cst_8 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %39 = stablehlo.sqrt %cst_8 : tensor<f32>
    %40 = stablehlo.convert %39 : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [] : (tensor<f32>) -> tensor<4x2x5x10xf32>
    %42 = stablehlo.divide %38, %41 : tensor<4x2x5x10xf32>
    %cst_9 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %43 = stablehlo.reduce(%42 init: %cst_9) applies stablehlo.maximum across dimensions = [3] : (tensor<4x2x5x10xf32>, tensor<f32>) -> tensor<4x2x5xf32>
    %cst_10 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x2x5xf32>
    %45 = stablehlo.maximum %44, %43 : tensor<4x2x5xf32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2] : (tensor<4x2x5xf32>) -> tensor<4x2x5x1xf32>
    %47 = stablehlo.broadcast_in_dim %46, dims = [0, 1, 2, 3] : (tensor<4x2x5x1xf32>) -> tensor<4x2x5x10xf32>
    %48 = stablehlo.subtract %42, %47 : tensor<4x2x5x10xf32>
    %49 = stablehlo.exponential %48 : tensor<4x2x5x10xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %50 = stablehlo.reduce(%49 init: %cst_11) applies stablehlo.add across dimensions = [3] : (tensor<4x2x5x10xf32>, tensor<f32>) -> tensor<4x2x5xf32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2] : (tensor<4x2x5xf32>) -> tensor<4x2x5x1xf32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0, 1, 2, 3] : (tensor<4x2x5x1xf32>) -> tensor<4x2x5x10xf32>
    %53 = stablehlo.divide %49, %52 : tensor<4x2x5x10xf32>
    %54 = stablehlo.multiply %51, %51 : tensor<4x2x5x1xf32>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x2x5x1xf32>
    %56 = stablehlo.divide %55, %54 : tensor<4x2x5x1xf32>
    %57 = stablehlo.dot_general %37, %53, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x10x2x4xf32>, tensor<4x2x5x10xf32>) -> tensor<4x2x4x5xf32>
    %58 = stablehlo.dot_general %57, %0#3, contracting_dims = [1, 2] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x2x4x5xf32>, tensor<2x4x8xf32>) -> tensor<4x5x8xf32>
    %59 = stablehlo.broadcast_in_dim %0#7, dims = [] : (tensor<f32>) -> tensor<4x5x8xf32>
    %60 = stablehlo.multiply %59, %58 : tensor<4x5x8xf32>
    %61 = stablehlo.add %0#6, %60 : tensor<4x5x8xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %62 = stablehlo.reduce(%61 init: %cst_13) applies stablehlo.add across dimensions = [2] : (tensor<4x5x8xf32>, tensor<f32>) -> tensor<4x5xf32>
    %63 = stablehlo.broadcast_in_dim %62, dims = [0, 1] : (tensor<4x5xf32>) -> tensor<4x5x1xf32>
    %cst_14 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x5x1xf32>
    %65 = stablehlo.divide %63, %64 : tensor<4x5x1xf32>
    %66 = stablehlo.broadcast_in_dim %65, dims = [0, 1, 2] : (tensor<4x5x1xf32>) -> tensor<4x5x8xf32>
    %67 = stablehlo.subtract %61, %66 : tensor<4x5x8xf32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %68:4 = call @_var_8(%61, %c_15) : (tensor<4x5x8xf32>, tensor<i32>) -> (tensor<4x5x1xf32>, tensor<4x5x8xf32>, tensor<f32>, tensor<i1>)
    %cst_16 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x5x1xf32>
    %70 = stablehlo.add %68#0, %69 : tensor<4x5x1xf32>
    %71 = stablehlo.rsqrt %70 : tensor<4x5x1xf32>
    %72 = stablehlo.divide %71, %70 : tensor<4x5x1xf32>
    %cst_17 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<4x5x1xf32>
    %74 = stablehlo.multiply %73, %72 : tensor<4x5x1xf32>
    %75 = stablehlo.broadcast_in_dim %71, dims = [0, 1, 2] : (tensor<4x5x1xf32>) -> tensor<4x5x8xf32>
    %76 = stablehlo.multiply %67, %75 : tensor<4x5x8xf32>
    %77 = stablehlo.dot_general %76, %0#4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x5x8xf32>, tensor<8x3x2x4xf32>) -> tensor<4x5x3x2x4xf32>
    %78 = stablehlo.transpose %77, dims = [2, 0, 1, 3, 4] : (tensor<4x5x3x2x4xf32>) -> tensor<3x4x5x2x4xf32>
    %79 = stablehlo.slice %78 [0:1, 0:4, 0:5, 0:2, 0:4] : (tensor<3x4x5x2x4xf32>) -> tensor<1x4x5x2x4xf32>
    %80 = stablehlo.reshape %79 : (tensor<1x4x5x2x4xf32>) -> tensor<4x5x2x4xf32>
    %81 = stablehlo.slice %78 [1:2, 0:4, 0:5, 0:2, 0:4] : (tensor<3x4x5x2x4xf32>) -> tensor<1x4x5x2x4xf32>
    %82 = stablehlo.reshape %81 : (tensor<1x4x5x2x4xf32>) -> tensor<4x5x2x4xf32>
    %83 = stablehlo.slice %78 [2:3, 0:4, 0:5, 0:2, 0:4] : (tensor<3x4x5x2x4xf32>) -> tensor<1x4x5x2x4xf32>
    %84 = stablehlo.reshape %83 : (tensor<1x4x5x2x4xf32>) -> tensor<4x5x2x4xf32>
    %85 = stablehlo.dot_general %80, %82, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x5x2x4xf32>, tensor<4x5x2x4xf32>) -> tensor<4x2x5x5xf32>
    %cst_18 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<4x2x5x5xf32>
    %87 = stablehlo.divide %85, %86 : tensor<4x2x5x5xf32>
    %cst_19 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %88 = stablehlo.reduce(%87 init: %cst_19) applies stablehlo.maximum across dimensions = [3] : (tensor<4x2x5x5xf32>, tensor<f32>) -> tensor<4x2x5xf32>
    %cst_20 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %89 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<4x2x5xf32>
    %90 = stablehlo.maximum %89, %88 : tensor<4x2x5xf32>
    %91 = stablehlo.broadcast_in_dim %90, dims = [0, 1, 2] : (tensor<4x2x5xf32>) -> tensor<4x2x5x1xf32>
    %92 = stablehlo.broadcast_in_dim %91, dims = [0, 1, 2, 3] : (tensor<4x2x5x1xf32>) -> tensor<4x2x5x5xf32>
    %93 = stablehlo.subtract %87, %92 : tensor<4x2x5x5xf32>
    %94 = stablehlo.exponential %93 : tensor<4x2x5x5xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %95 = stablehlo.reduce(%94 init: %cst_21) applies stablehlo.add across dimensions = [3] : (tensor<4x2x5x5xf32>, tensor<f32>) -> tensor<4x2x5xf32>
    %96 = stablehlo.broadcast_in_dim %95, dims = [0, 1, 2] : (tensor<4x2x5xf32>) -> tensor<4x2x5x1xf32>
    %97 = stablehlo.broadcast_in_dim %96, dims = [0, 1, 2, 3] : (tensor<4x2x5x1xf32>) -> tensor<4x2x5x5xf32>
    %98 = stablehlo.divide %94, %97 : tensor<4x2x5x5xf32>
    %99 = stablehlo.multiply %96, %96 : tensor<4x2x5x1xf32>
    %cst_22 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %100 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<4x2x5x1xf32>
    %101 = stablehlo.divide %100, %99 : tensor<4x2x5x1xf32>
    %102 = stablehlo.dot_general %84, %98, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x5x2x4xf32>, tensor<4x2x5x5xf32>) -> tensor<4x2x4x5xf32>
    %103 = stablehlo.dot_general %0#8, %102, contracting_dims = [0, 1] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<4x5x8xf32>, tensor<4x2x4x5xf32>) -> tensor<8x2x4xf32>
    %104 = stablehlo.transpose %103, dims = [1, 2, 0] : (tensor<8x2x4xf32>) -> tensor<2x4x8xf32>
    %105 = stablehlo.dot_general %0#8, %0#5, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x5x8xf32>, tensor<2x4x8xf32>) -> tensor<4x5x2x4xf32>
    %106 = stablehlo.transpose %105, dims = [0, 2, 3, 1] : (tensor<4x5x2x4xf32>) -> tensor<4x2x4x5xf32>
    %107 = stablehlo.dot_general %106, %84, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x2x4x5xf32>, tensor<4x5x2x4xf32>) -> tensor<4x2x5x5xf32>
    %108 = stablehlo.dot_general %106, %98, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x2x4x5xf32>, tensor<4x2x5x5xf32>) -> tensor<4x2x4x5xf32>
    %109 = stablehlo.transpose %108, dims = [0, 3, 1, 2] : (tensor<4x2x4x5xf32>) -> tensor<4x5x2x4xf32>
    %110 = stablehlo.broadcast_in_dim %101, dims = [0, 1, 2, 3] : (tensor<4x2x5x1xf32>) -> tensor<4x2x5x5xf32>
    %111 = stablehlo.multiply %107, %110 : tensor<4x2x5x5xf32>
    %112 = stablehlo.multiply %111, %94 : tensor<4x2x5x5xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %113 = stablehlo.reduce(%112 init: %cst_23) applies stablehlo.add across dimensions = [3] : (tensor<4x2x5x5xf32>, tensor<f32>) -> tensor<4x2x5xf32>
    %114 = stablehlo.reshape %113 : (tensor<4x2x5xf32>) -> tensor<4x2x5x1xf32>
    %115 = stablehlo.negate %114 : tensor<4x2x5x1xf32>
    %116 = stablehlo.broadcast_in_dim %96, dims = [0, 1, 2, 3] : (tensor<4x2x5x1xf32>) -> tensor<4x2x5x5xf32>
    %117 = stablehlo.divide %107, %116 : tensor<4x2x5x5xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %118 = stablehlo.reduce(%115 init: %cst_24) applies stablehlo.add across dimensions = [3] : (tensor<4x2x5x1xf32>, tensor<f32>) -> tensor<4x2x5xf32>
    %119 = stablehlo.broadcast_in_dim %118, dims = [0, 1, 2] : (tensor<4x2x5xf32>) -> tensor<4x2x5x5xf32>
    %120 = stablehlo.add %117, %119 : tensor<4x2x5x5xf32>
    %121 = stablehlo.multiply %120, %94 : tensor<4x2x5x5xf32>
    %cst_25 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %122 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<4x2x5x5xf32>
    %123 = stablehlo.divide %121, %122 : tensor<4x2x5x5xf32>
    %124 = stablehlo.dot_general %123, %80, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x2x5x5xf32>, tensor<4x5x2x4xf32>) -> tensor<4x2x5x4xf32>
    %125 = stablehlo.transpose %124, dims = [0, 2, 1, 3] : (tensor<4x2x5x4xf32>) -> tensor<4x5x2x4xf32>
    %126 = stablehlo.dot_general %123, %82, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x2x5x5xf32>, tensor<4x5x2x4xf32>) -> tensor<4x2x5x4xf32>
    %127 = stablehlo.transpose %126, dims = [0, 2, 1, 3] : (tensor<4x2x5x4xf32>) -> tensor<4x5x2x4xf32>
    %128 = stablehlo.broadcast_in_dim %109, dims = [1, 2, 3, 4] : (tensor<4x5x2x4xf32>) -> tensor<1x4x5x2x4xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %129 = stablehlo.pad %128, %cst_26, low = [2, 0, 0, 0, 0], high = [0, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x4x5x2x4xf32>, tensor<f32>) -> tensor<3x4x5x2x4xf32>
    %130 = stablehlo.broadcast_in_dim %125, dims = [1, 2, 3, 4] : (tensor<4x5x2x4xf32>) -> tensor<1x4x5x2x4xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %131 = stablehlo.pad %130, %cst_27, low = [1, 0, 0, 0, 0], high = [1, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x4x5x2x4xf32>, tensor<f32>) -> tensor<3x4x5x2x4xf32>
    %132 = stablehlo.add %129, %131 : tensor<3x4x5x2x4xf32>
    %133 = stablehlo.broadcast_in_dim %127, dims = [1, 2, 3, 4] : (tensor<4x5x2x4xf32>) -> tensor<1x4x5x2x4xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %134 = stablehlo.pad %133, %cst_28, low = [0, 0, 0, 0, 0], high = [2, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x4x5x2x4xf32>, tensor<f32>) -> tensor<3x4x5x2x4xf32>
    %135 = stablehlo.add %132, %134 : tensor<3x4x5x2x4xf32>
    %136 = stablehlo.transpose %135, dims = [1, 2, 0, 3, 4] : (tensor<3x4x5x2x4xf32>) -> tensor<4x5x3x2x4xf32>
    %137 = stablehlo.dot_general %136, %76, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x5x3x2x4xf32>, tensor<4x5x8xf32>) -> tensor<3x2x4x8xf32>
    %138 = stablehlo.transpose %137, dims = [3, 0, 1, 2] : (tensor<3x2x4x8xf32>) -> tensor<8x3x2x4xf32>
    %139 = stablehlo.dot_general %136, %0#4, contracting_dims = [2, 3, 4] x [1, 2, 3], precision = [DEFAULT, DEFAULT] : (tensor<4x5x3x2x4xf32>, tensor<8x3x2x4xf32>) -> tensor<4x5x8xf32>
    %140 = stablehlo.multiply %67, %139 : tensor<4x5x8xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %141 = stablehlo.reduce(%140 init: %cst_29) applies stablehlo.add across dimensions = [2] : (tensor<4x5x8xf32>, tensor<f32>) -> tensor<4x5xf32>
    %142 = stablehlo.reshape %141 : (tensor<4x5xf32>) -> tensor<4x5x1xf32>
    %143 = stablehlo.broadcast_in_dim %71, dims = [0, 1, 2] : (tensor<4x5x1xf32>) -> tensor<4x5x8xf32>
    %144 = stablehlo.multiply %139, %143 : tensor<4x5x8xf32>
    %145 = stablehlo.multiply %142, %74 : tensor<4x5x1xf32>
    %146 = call @_var_12(%68#1, %68#2, %68#3, %145) : (tensor<4x5x8xf32>, tensor<f32>, tensor<i1>, tensor<4x5x1xf32>) -> tensor<4x5x8xf32>
    %147 = stablehlo.add %0#8, %146 : tensor<4x5x8xf32>
    %148 = stablehlo.negate %144 : tensor<4x5x8xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %149 = stablehlo.reduce(%148 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<4x5x8xf32>, tensor<f32>) -> tensor<4x5xf32>
    %150 = stablehlo.reshape %149 : (tensor<4x5xf32>) -> tensor<4x5x1xf32>
    %151 = stablehlo.add %147, %144 : tensor<4x5x8xf32>
    %cst_31 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %152 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<4x5x1xf32>
    %153 = stablehlo.divide %150, %152 : tensor<4x5x1xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %154 = stablehlo.reduce(%153 init: %cst_32) applies stablehlo.add across dimensions = [2] : (tensor<4x5x1xf32>, tensor<f32>) -> tensor<4x5xf32>
    %155 = stablehlo.broadcast_in_dim %154, dims = [0, 1] : (tensor<4x5xf32>) -> tensor<4x5x8xf32>
    %156 = stablehlo.add %151, %155 : tensor<4x5x8xf32>
    %157 = stablehlo.broadcast_in_dim %0#7, dims = [] : (tensor<f32>) -> tensor<4x5x8xf32>
    %158 = stablehlo.multiply %157, %156 : tensor<4x5x8xf32>
    %159 = stablehlo.dot_general %158, %57, contracting_dims = [0, 1] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<4x5x8xf32>, tensor<4x2x4x5xf32>) -> tensor<8x2x4xf32>
    %160 = stablehlo.transpose %159, dims = [1, 2, 0] : (tensor<8x2x4xf32>) -> tensor<2x4x8xf32>
    %161 = stablehlo.dot_general %158, %0#3, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x5x8xf32>, tensor<2x4x8xf32>) -> tensor<4x5x2x4xf32>
    %162 = stablehlo.transpose %161, dims = [0, 2, 3, 1] : (tensor<4x5x2x4xf32>) -> tensor<4x2x4x5xf32>
    %163 = stablehlo.dot_general %162, %37, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x2x4x5xf32>, tensor<4x10x2x4xf32>) -> tensor<4x2x5x10xf32>
    %164 = stablehlo.dot_general %162, %53, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x2x4x5xf32>, tensor<4x2x5x10xf32>) -> tensor<4x2x4x10xf32>
    %165 = stablehlo.transpose %164, dims = [0, 3, 1, 2] : (tensor<4x2x4x10xf32>) -> tensor<4x10x2x4xf32>
    %166 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2, 3] : (tensor<4x2x5x1xf32>) -> tensor<4x2x5x10xf32>
    %167 = stablehlo.multiply %163, %166 : tensor<4x2x5x10xf32>
    %168 = stablehlo.multiply %167, %49 : tensor<4x2x5x10xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %169 = stablehlo.reduce(%168 init: %cst_33) applies stablehlo.add across dimensions = [3] : (tensor<4x2x5x10xf32>, tensor<f32>) -> tensor<4x2x5xf32>
    %170 = stablehlo.reshape %169 : (tensor<4x2x5xf32>) -> tensor<4x2x5x1xf32>
    %171 = stablehlo.negate %170 : tensor<4x2x5x1xf32>
    %172 = stablehlo.broadcast_in_dim %51, dims = [0, 1, 2, 3] : (tensor<4x2x5x1xf32>) -> tensor<4x2x5x10xf32>
    %173 = stablehlo.divide %163, %172 : tensor<4x2x5x10xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %174 = stablehlo.reduce(%171 init: %cst_34) applies stablehlo.add across dimensions = [3] : (tensor<4x2x5x1xf32>, tensor<f32>) -> tensor<4x2x5xf32>
    %175 = stablehlo.broadcast_in_dim %174, dims = [0, 1, 2] : (tensor<4x2x5xf32>) -> tensor<4x2x5x10xf32>
    %176 = stablehlo.add %173, %175 : tensor<4x2x5x10xf32>
    %177 = stablehlo.multiply %176, %49 : tensor<4x2x5x10xf32>
    %178 = stablehlo.broadcast_in_dim %40, dims = [] : (tensor<f32>) -> tensor<4x2x5x10xf32>
    %179 = stablehlo.divide %177, %178 : tensor<4x2x5x10xf32>
    %180 = stablehlo.dot_general %179, %16, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x2x5x10xf32>, tensor<4x5x2x4xf32>) -> tensor<4x2x10x4xf32>
    %181 = stablehlo.transpose %180, dims = [0, 2, 1, 3] : (tensor<4x2x10x4xf32>) -> tensor<4x10x2x4xf32>
    %182 = stablehlo.dot_general %179, %35, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x2x5x10xf32>, tensor<4x10x2x4xf32>) -> tensor<4x2x5x4xf32>
    %183 = stablehlo.transpose %182, dims = [0, 2, 1, 3] : (tensor<4x2x5x4xf32>) -> tensor<4x5x2x4xf32>
    %184 = stablehlo.broadcast_in_dim %165, dims = [1, 2, 3, 4] : (tensor<4x10x2x4xf32>) -> tensor<1x4x10x2x4xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %185 = stablehlo.pad %184, %cst_35, low = [1, 0, 0, 0, 0], high = [0, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x4x10x2x4xf32>, tensor<f32>) -> tensor<2x4x10x2x4xf32>
    %186 = stablehlo.broadcast_in_dim %181, dims = [1, 2, 3, 4] : (tensor<4x10x2x4xf32>) -> tensor<1x4x10x2x4xf32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %187 = stablehlo.pad %186, %cst_36, low = [0, 0, 0, 0, 0], high = [1, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x4x10x2x4xf32>, tensor<f32>) -> tensor<2x4x10x2x4xf32>
    %188 = stablehlo.add %185, %187 : tensor<2x4x10x2x4xf32>
    %189 = stablehlo.transpose %188, dims = [1, 2, 0, 3, 4] : (tensor<2x4x10x2x4xf32>) -> tensor<4x10x2x2x4xf32>
    %190 = stablehlo.dot_general %189, %31, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x10x2x2x4xf32>, tensor<4x10x8xf32>) -> tensor<2x2x4x8xf32>
    %191 = stablehlo.transpose %190, dims = [3, 0, 1, 2] : (tensor<2x2x4x8xf32>) -> tensor<8x2x2x4xf32>
    %192 = stablehlo.dot_general %189, %0#2, contracting_dims = [2, 3, 4] x [1, 2, 3], precision = [DEFAULT, DEFAULT] : (tensor<4x10x2x2x4xf32>, tensor<8x2x2x4xf32>) -> tensor<4x10x8xf32>
    %193 = stablehlo.multiply %22, %192 : tensor<4x10x8xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %194 = stablehlo.reduce(%193 init: %cst_37) applies stablehlo.add across dimensions = [2] : (tensor<4x10x8xf32>, tensor<f32>) -> tensor<4x10xf32>
    %195 = stablehlo.reshape %194 : (tensor<4x10xf32>) -> tensor<4x10x1xf32>
    %196 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2] : (tensor<4x10x1xf32>) -> tensor<4x10x8xf32>
    %197 = stablehlo.multiply %192, %196 : tensor<4x10x8xf32>
    %198 = stablehlo.multiply %195, %29 : tensor<4x10x1xf32>
    %199 = call @_var_14(%23#1, %23#2, %23#3, %198) : (tensor<4x10x8xf32>, tensor<f32>, tensor<i1>, tensor<4x10x1xf32>) -> tensor<4x10x8xf32>
    %200 = stablehlo.negate %197 : tensor<4x10x8xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %201 = stablehlo.reduce(%200 init: %cst_38) applies stablehlo.add across dimensions = [2] : (tensor<4x10x8xf32>, tensor<f32>) -> tensor<4x10xf32>
    %202 = stablehlo.reshape %201 : (tensor<4x10xf32>) -> tensor<4x10x1xf32>
    %203 = stablehlo.add %199, %197 : tensor<4x10x8xf32>
    %cst_39 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %204 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<4x10x1xf32>
    %205 = stablehlo.divide %202, %204 : tensor<4x10x1xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %206 = stablehlo.reduce(%205 init: %cst_40) applies stablehlo.add across dimensions = [2] : (tensor<4x10x1xf32>, tensor<f32>) -> tensor<4x10xf32>
    %207 = stablehlo.broadcast_in_dim %206, dims = [0, 1] : (tensor<4x10xf32>) -> tensor<4x10x8xf32>
    %208 = stablehlo.add %203, %207 : tensor<4x10x8xf32>
    %209 = stablehlo.dot_general %183, %15, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x5x2x4xf32>, tensor<4x5x8xf32>) -> tensor<2x4x8xf32>
    %210 = stablehlo.transpose %209, dims = [2, 0, 1] : (tensor<2x4x8xf32>) -> tensor<8x2x4xf32>
    %211 = stablehlo.dot_general %183, %0#0, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x5x2x4xf32>, tensor<8x2x4xf32>) -> tensor<4x5x8xf32>
    %212 = stablehlo.multiply %6, %211 : tensor<4x5x8xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %213 = stablehlo.reduce(%212 init: %cst_41) applies stablehlo.add across dimensions = [2] : (tensor<4x5x8xf32>, tensor<f32>) -> tensor<4x5xf32>
    %214 = stablehlo.reshape %213 : (tensor<4x5xf32>) -> tensor<4x5x1xf32>
    %215 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<4x5x1xf32>) -> tensor<4x5x8xf32>
    %216 = stablehlo.multiply %211, %215 : tensor<4x5x8xf32>
    %217 = stablehlo.multiply %214, %13 : tensor<4x5x1xf32>
    %218 = call @_var_12(%7#1, %7#2, %7#3, %217) : (tensor<4x5x8xf32>, tensor<f32>, tensor<i1>, tensor<4x5x1xf32>) -> tensor<4x5x8xf32>
    %219 = stablehlo.add %156, %218 : tensor<4x5x8xf32>
    %220 = stablehlo.negate %216 : tensor<4x5x8xf32>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %221 = stablehlo.reduce(%220 init: %cst_42) applies stablehlo.add across dimensions = [2] : (tensor<4x5x8xf32>, tensor<f32>) -> tensor<4x5xf32>
    %222 = stablehlo.reshape %221 : (tensor<4x5xf32>) -> tensor<4x5x1xf32>
    %223 = stablehlo.add %219, %216 : tensor<4x5x8xf32>
    %cst_43 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %224 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<4x5x1xf32>
    %225 = stablehlo.divide %222, %224 : tensor<4x5x1xf32>
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %226 = stablehlo.reduce(%225 init: %cst_44) applies stablehlo.add across dimensions = [2] : (tensor<4x5x1xf32>, tensor<f32>) -> tensor<4x5xf32>
    %227 = stablehlo.broadcast_in_dim %226, dims = [0, 1] : (tensor<4x5xf32>) -> tensor<4x5x8xf32>
    %228 = stablehlo.add %223, %227 : tensor<4x5x8xf32>
    %229 = stablehlo.add %arg6, %210 : tensor<8x2x4xf32>
    %230 = stablehlo.add %arg7, %208 : tensor<4x10x8xf32>
    %231 = stablehlo.add %arg8, %191 : tensor<8x2x2x4xf32>
    %232 = stablehlo.add %arg9, %160 : tensor<2x4x8xf32>
    %233 = stablehlo.add %arg10, %138 : tensor<8x3x2x4xf32>
    %234 = stablehlo.add %arg11, %104 : tensor<2x4x8xf32>
    return %229, %230, %231, %232, %233, %234, %228 : tensor<8x2x4xf32>, tensor<4x10x8xf32>, tensor<8x2x2x4xf32>, tensor<2x4x8xf32>, tensor<8x3x2x4xf32>, tensor<2x4x8xf32>, tensor<4x5x8xf32>
  }
  func.func private @_var_8(%arg0: tensor<4x5x8xf32>, %arg1: tensor<i32>) -> (tensor<4x5x1xf32>, tensor<4x5x8xf32>, tensor<f32>, tensor<i1>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x5x8xf32>, tensor<f32>) -> tensor<4x5xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<4x5xf32>) -> tensor<4x5x1xf32>
    %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x5x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<4x5x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<4x5x1xf32>) -> tensor<4x5x8xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x5x8xf32>
    %6 = chlo.square %5 : tensor<4x5x8xf32> -> tensor<4x5x8xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x5x8xf32>
    %8 = stablehlo.multiply %7, %5 : tensor<4x5x8xf32>
    %9 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %10 = stablehlo.subtract %cst_2, %9 : tensor<f32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%6 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<4x5x8xf32>, tensor<f32>) -> tensor<4x5xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<4x5xf32>) -> tensor<4x5x1xf32>
    %13 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<4x5x1xf32>
    %14 = stablehlo.divide %12, %13 : tensor<4x5x1xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.compare GT, %10, %cst_4, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_5 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %16 = call @_where_9(%15, %14, %cst_5) : (tensor<i1>, tensor<4x5x1xf32>, tensor<f32>) -> tensor<4x5x1xf32>
    return %16, %8, %10, %15 : tensor<4x5x1xf32>, tensor<4x5x8xf32>, tensor<f32>, tensor<i1>
  }
  func.func private @_where_9(%arg0: tensor<i1>, %arg1: tensor<4x5x1xf32>, %arg2: tensor<f32>) -> tensor<4x5x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x5x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<4x5x1xf32>
    return %2 : tensor<4x5x1xf32>
  }
  func.func private @_var_10(%arg0: tensor<4x10x8xf32>, %arg1: tensor<i32>) -> (tensor<4x10x1xf32>, tensor<4x10x8xf32>, tensor<f32>, tensor<i1>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x10x8xf32>, tensor<f32>) -> tensor<4x10xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<4x10xf32>) -> tensor<4x10x1xf32>
    %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x10x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<4x10x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<4x10x1xf32>) -> tensor<4x10x8xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x10x8xf32>
    %6 = chlo.square %5 : tensor<4x10x8xf32> -> tensor<4x10x8xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x10x8xf32>
    %8 = stablehlo.multiply %7, %5 : tensor<4x10x8xf32>
    %9 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %10 = stablehlo.subtract %cst_2, %9 : tensor<f32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%6 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<4x10x8xf32>, tensor<f32>) -> tensor<4x10xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<4x10xf32>) -> tensor<4x10x1xf32>
    %13 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<4x10x1xf32>
    %14 = stablehlo.divide %12, %13 : tensor<4x10x1xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.compare GT, %10, %cst_4, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_5 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %16 = call @_where_11(%15, %14, %cst_5) : (tensor<i1>, tensor<4x10x1xf32>, tensor<f32>) -> tensor<4x10x1xf32>
    return %16, %8, %10, %15 : tensor<4x10x1xf32>, tensor<4x10x8xf32>, tensor<f32>, tensor<i1>
  }
  func.func private @_where_11(%arg0: tensor<i1>, %arg1: tensor<4x10x1xf32>, %arg2: tensor<f32>) -> tensor<4x10x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x10x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<4x10x1xf32>
    return %2 : tensor<4x10x1xf32>
  }
  func.func private @_var_12(%arg0: tensor<4x5x8xf32>, %arg1: tensor<f32>, %arg2: tensor<i1>, %arg3: tensor<4x5x1xf32>) -> tensor<4x5x8xf32> {
    %0 = call @_where_13(%arg2, %arg3) : (tensor<i1>, tensor<4x5x1xf32>) -> tensor<4x5x1xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<4x5x1xf32>
    %2 = stablehlo.divide %0, %1 : tensor<4x5x1xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x5x1xf32>, tensor<f32>) -> tensor<4x5xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<4x5xf32>) -> tensor<4x5x8xf32>
    %5 = stablehlo.multiply %4, %arg0 : tensor<4x5x8xf32>
    %6 = stablehlo.negate %5 : tensor<4x5x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<4x5x8xf32>, tensor<f32>) -> tensor<4x5xf32>
    %8 = stablehlo.reshape %7 : (tensor<4x5xf32>) -> tensor<4x5x1xf32>
    %cst_1 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x5x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<4x5x1xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<4x5x1xf32>, tensor<f32>) -> tensor<4x5xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<4x5xf32>) -> tensor<4x5x8xf32>
    %13 = stablehlo.add %5, %12 : tensor<4x5x8xf32>
    return %13 : tensor<4x5x8xf32>
  }
  func.func private @_where_13(%arg0: tensor<i1>, %arg1: tensor<4x5x1xf32>) -> tensor<4x5x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x5x1xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<i1>, tensor<4x5x1xf32>
    return %1 : tensor<4x5x1xf32>
  }
  func.func private @_var_14(%arg0: tensor<4x10x8xf32>, %arg1: tensor<f32>, %arg2: tensor<i1>, %arg3: tensor<4x10x1xf32>) -> tensor<4x10x8xf32> {
    %0 = call @_where_15(%arg2, %arg3) : (tensor<i1>, tensor<4x10x1xf32>) -> tensor<4x10x1xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<4x10x1xf32>
    %2 = stablehlo.divide %0, %1 : tensor<4x10x1xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x10x1xf32>, tensor<f32>) -> tensor<4x10xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<4x10xf32>) -> tensor<4x10x8xf32>
    %5 = stablehlo.multiply %4, %arg0 : tensor<4x10x8xf32>
    %6 = stablehlo.negate %5 : tensor<4x10x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<4x10x8xf32>, tensor<f32>) -> tensor<4x10xf32>
    %8 = stablehlo.reshape %7 : (tensor<4x10xf32>) -> tensor<4x10x1xf32>
    %cst_1 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x10x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<4x10x1xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<4x10x1xf32>, tensor<f32>) -> tensor<4x10xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<4x10xf32>) -> tensor<4x10x8xf32>
    %13 = stablehlo.add %5, %12 : tensor<4x10x8xf32>
    return %13 : tensor<4x10x8xf32>
  }
  func.func private @_where_15(%arg0: tensor<i1>, %arg1: tensor<4x10x1xf32>) -> tensor<4x10x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x10x1xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<i1>, tensor<4x10x1xf32>
    return %1 : tensor<4x10x1xf32>
  }
}
