module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x8xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<6x8xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<8x16xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<6x16xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<8x8xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<6x8xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<8x16xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<6x16xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<16x6xf32> {tf.aliasing_output = 8 : i32}, %arg9: tensor<4x5x6xf32>, %arg10: tensor<4xi32>) -> (tensor<8x8xf32> {jax.result_info = "result[0]['b']['nh']"}, tensor<6x8xf32> {jax.result_info = "result[0]['b']['nx']"}, tensor<8x16xf32> {jax.result_info = "result[0]['b']['wh']"}, tensor<6x16xf32> {jax.result_info = "result[0]['b']['wx']"}, tensor<8x8xf32> {jax.result_info = "result[0]['f']['nh']"}, tensor<6x8xf32> {jax.result_info = "result[0]['f']['nx']"}, tensor<8x16xf32> {jax.result_info = "result[0]['f']['wh']"}, tensor<6x16xf32> {jax.result_info = "result[0]['f']['wx']"}, tensor<16x6xf32> {jax.result_info = "result[0]['w']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.iota dim = 0 : tensor<5xi32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %c = stablehlo.constant dense<2> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %3 = stablehlo.add %arg10, %2 : tensor<4xi32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [1] : (tensor<4xi32>) -> tensor<1x4xi32>
    %5 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<5x1xi32>) -> tensor<5x4xi32>
    %6 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<1x4xi32>) -> tensor<5x4xi32>
    %7 = stablehlo.compare LT, %5, %6, SIGNED : (tensor<5x4xi32>, tensor<5x4xi32>) -> tensor<5x4xi1>
    %8 = stablehlo.transpose %arg9, dims = [1, 0, 2] : (tensor<4x5x6xf32>) -> tensor<5x4x6xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<5x4x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<5x4x8xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<5x4x16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<5x4x8xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<5x4x8xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<5x4x8xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<5x4x8xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<5x4x8xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<5x4x8xf32>
    %c_9 = stablehlo.constant dense<false> : tensor<i1>
    %19 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i1>) -> tensor<5x4x8xi1>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %20:18 = stablehlo.while(%iterArg = %8, %iterArg_54 = %7, %iterArg_55 = %arg7, %iterArg_56 = %arg6, %iterArg_57 = %arg5, %iterArg_58 = %arg4, %iterArg_59 = %c_10, %iterArg_60 = %9, %iterArg_61 = %10, %iterArg_62 = %11, %iterArg_63 = %12, %iterArg_64 = %13, %iterArg_65 = %14, %iterArg_66 = %15, %iterArg_67 = %16, %iterArg_68 = %17, %iterArg_69 = %18, %iterArg_70 = %19) : tensor<5x4x6xf32>, tensor<5x4xi1>, tensor<6x16xf32>, tensor<8x16xf32>, tensor<6x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x16xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xi1>
    cond {
      %c_71 = stablehlo.constant dense<5> : tensor<i32>
      %112 = stablehlo.compare LT, %iterArg_59, %c_71, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %112 : tensor<i1>
    } do {
      %112 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_59) : (tensor<5x4x6xf32>, tensor<i32>) -> tensor<4x6xf32>
      %113 = func.call @dynamic_index_in_dim_0(%iterArg_54, %iterArg_59) : (tensor<5x4xi1>, tensor<i32>) -> tensor<4xi1>
      %114:11 = func.call @closed_call(%iterArg_55, %iterArg_56, %iterArg_57, %iterArg_58, %iterArg_60, %112, %113) : (tensor<6x16xf32>, tensor<8x16xf32>, tensor<6x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>, tensor<4x6xf32>, tensor<4xi1>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x16xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xi1>)
      %115 = func.call @dynamic_update_index_in_dim(%iterArg_61, %114#1, %iterArg_59) : (tensor<5x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<5x4x8xf32>
      %116 = func.call @dynamic_update_index_in_dim(%iterArg_62, %114#2, %iterArg_59) : (tensor<5x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<5x4x8xf32>
      %117 = func.call @dynamic_update_index_in_dim_1(%iterArg_63, %114#3, %iterArg_59) : (tensor<5x4x16xf32>, tensor<4x16xf32>, tensor<i32>) -> tensor<5x4x16xf32>
      %118 = func.call @dynamic_update_index_in_dim(%iterArg_64, %114#4, %iterArg_59) : (tensor<5x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<5x4x8xf32>
      %119 = func.call @dynamic_update_index_in_dim(%iterArg_65, %114#5, %iterArg_59) : (tensor<5x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<5x4x8xf32>
      %120 = func.call @dynamic_update_index_in_dim(%iterArg_66, %114#6, %iterArg_59) : (tensor<5x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<5x4x8xf32>
      %121 = func.call @dynamic_update_index_in_dim(%iterArg_67, %114#7, %iterArg_59) : (tensor<5x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<5x4x8xf32>
      %122 = func.call @dynamic_update_index_in_dim(%iterArg_68, %114#8, %iterArg_59) : (tensor<5x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<5x4x8xf32>
      %123 = func.call @dynamic_update_index_in_dim(%iterArg_69, %114#9, %iterArg_59) : (tensor<5x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<5x4x8xf32>
      %124 = func.call @dynamic_update_index_in_dim_2(%iterArg_70, %114#10, %iterArg_59) : (tensor<5x4x8xi1>, tensor<4x8xi1>, tensor<i32>) -> tensor<5x4x8xi1>
      %c_71 = stablehlo.constant dense<1> : tensor<i32>
      %125 = stablehlo.add %iterArg_59, %c_71 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_54, %iterArg_55, %iterArg_56, %iterArg_57, %iterArg_58, %125, %114#0, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124 : tensor<5x4x6xf32>, tensor<5x4xi1>, tensor<6x16xf32>, tensor<8x16xf32>, tensor<6x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x16xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xi1>
    }
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<5x4x8xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<5x4x8xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<5x4x16xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<5x4x8xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<5x4x8xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<5x4x8xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<5x4x8xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<5x4x8xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<5x4x8xf32>
    %c_20 = stablehlo.constant dense<false> : tensor<i1>
    %30 = stablehlo.broadcast_in_dim %c_20, dims = [] : (tensor<i1>) -> tensor<5x4x8xi1>
    %c_21 = stablehlo.constant dense<0> : tensor<i32>
    %31:18 = stablehlo.while(%iterArg = %8, %iterArg_54 = %7, %iterArg_55 = %arg3, %iterArg_56 = %arg2, %iterArg_57 = %arg1, %iterArg_58 = %arg0, %iterArg_59 = %c_21, %iterArg_60 = %9, %iterArg_61 = %21, %iterArg_62 = %22, %iterArg_63 = %23, %iterArg_64 = %24, %iterArg_65 = %25, %iterArg_66 = %26, %iterArg_67 = %27, %iterArg_68 = %28, %iterArg_69 = %29, %iterArg_70 = %30) : tensor<5x4x6xf32>, tensor<5x4xi1>, tensor<6x16xf32>, tensor<8x16xf32>, tensor<6x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x16xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xi1>
    cond {
      %c_71 = stablehlo.constant dense<5> : tensor<i32>
      %112 = stablehlo.compare LT, %iterArg_59, %c_71, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %112 : tensor<i1>
    } do {
      %c_71 = stablehlo.constant dense<5> : tensor<i32>
      %112 = stablehlo.subtract %c_71, %iterArg_59 : tensor<i32>
      %c_72 = stablehlo.constant dense<1> : tensor<i32>
      %113 = stablehlo.subtract %112, %c_72 : tensor<i32>
      %114 = func.call @dynamic_index_in_dim(%iterArg, %113) : (tensor<5x4x6xf32>, tensor<i32>) -> tensor<4x6xf32>
      %115 = func.call @dynamic_index_in_dim_0(%iterArg_54, %113) : (tensor<5x4xi1>, tensor<i32>) -> tensor<4xi1>
      %116:11 = func.call @closed_call_3(%iterArg_55, %iterArg_56, %iterArg_57, %iterArg_58, %iterArg_60, %114, %115) : (tensor<6x16xf32>, tensor<8x16xf32>, tensor<6x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>, tensor<4x6xf32>, tensor<4xi1>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x16xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xi1>)
      %117 = func.call @dynamic_update_index_in_dim(%iterArg_61, %116#1, %113) : (tensor<5x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<5x4x8xf32>
      %118 = func.call @dynamic_update_index_in_dim(%iterArg_62, %116#2, %113) : (tensor<5x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<5x4x8xf32>
      %119 = func.call @dynamic_update_index_in_dim_1(%iterArg_63, %116#3, %113) : (tensor<5x4x16xf32>, tensor<4x16xf32>, tensor<i32>) -> tensor<5x4x16xf32>
      %120 = func.call @dynamic_update_index_in_dim(%iterArg_64, %116#4, %113) : (tensor<5x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<5x4x8xf32>
      %121 = func.call @dynamic_update_index_in_dim(%iterArg_65, %116#5, %113) : (tensor<5x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<5x4x8xf32>
      %122 = func.call @dynamic_update_index_in_dim(%iterArg_66, %116#6, %113) : (tensor<5x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<5x4x8xf32>
      %123 = func.call @dynamic_update_index_in_dim(%iterArg_67, %116#7, %113) : (tensor<5x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<5x4x8xf32>
      %124 = func.call @dynamic_update_index_in_dim(%iterArg_68, %116#8, %113) : (tensor<5x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<5x4x8xf32>
      %125 = func.call @dynamic_update_index_in_dim(%iterArg_69, %116#9, %113) : (tensor<5x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<5x4x8xf32>
      %126 = func.call @dynamic_update_index_in_dim_2(%iterArg_70, %116#10, %113) : (tensor<5x4x8xi1>, tensor<4x8xi1>, tensor<i32>) -> tensor<5x4x8xi1>
      %c_73 = stablehlo.constant dense<1> : tensor<i32>
      %127 = stablehlo.add %iterArg_59, %c_73 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_54, %iterArg_55, %iterArg_56, %iterArg_57, %iterArg_58, %127, %116#0, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126 : tensor<5x4x6xf32>, tensor<5x4xi1>, tensor<6x16xf32>, tensor<8x16xf32>, tensor<6x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x16xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xi1>
    }
    %32 = stablehlo.slice %20#8 [0:4, 0:4, 0:8] : (tensor<5x4x8xf32>) -> tensor<4x4x8xf32>
    %33 = stablehlo.slice %31#8 [1:5, 0:4, 0:8] : (tensor<5x4x8xf32>) -> tensor<4x4x8xf32>
    %34 = stablehlo.concatenate %32, %33, dim = 2 : (tensor<4x4x8xf32>, tensor<4x4x8xf32>) -> tensor<4x4x16xf32>
    %35 = stablehlo.dot_general %34, %arg8, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4x16xf32>, tensor<16x6xf32>) -> tensor<4x4x6xf32>
    %36 = stablehlo.slice %7 [0:4, 0:4] : (tensor<5x4xi1>) -> tensor<4x4xi1>
    %37 = stablehlo.convert %36 : (tensor<4x4xi1>) -> tensor<4x4xf32>
    %38 = stablehlo.slice %8 [1:5, 0:4, 0:6] : (tensor<5x4x6xf32>) -> tensor<4x4x6xf32>
    %39 = stablehlo.subtract %35, %38 : tensor<4x4x6xf32>
    %40 = stablehlo.abs %39 : tensor<4x4x6xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<4x4x6xf32>
    %42 = stablehlo.compare GE, %39, %41, FLOAT : (tensor<4x4x6xf32>, tensor<4x4x6xf32>) -> tensor<4x4x6xi1>
    %cst_23 = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<4x4x6xf32>
    %44 = stablehlo.power %40, %43 : tensor<4x4x6xf32>
    %cst_24 = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %cst_25 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %45 = stablehlo.subtract %cst_24, %cst_25 : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [] : (tensor<f32>) -> tensor<4x4x6xf32>
    %47 = stablehlo.power %40, %46 : tensor<4x4x6xf32>
    %cst_26 = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<4x4x6xf32>
    %49 = stablehlo.multiply %48, %47 : tensor<4x4x6xf32>
    %50 = stablehlo.broadcast_in_dim %37, dims = [0, 1] : (tensor<4x4xf32>) -> tensor<4x4x1xf32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2] : (tensor<4x4x1xf32>) -> tensor<4x4x6xf32>
    %52 = stablehlo.multiply %44, %51 : tensor<4x4x6xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %53 = stablehlo.reduce(%52 init: %cst_27) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x4x6xf32>, tensor<f32>) -> tensor<f32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %54 = stablehlo.reduce(%37 init: %cst_28) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
    %55 = stablehlo.divide %53, %54 : tensor<f32>
    %cst_29 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %56 = stablehlo.divide %cst_29, %54 : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [] : (tensor<f32>) -> tensor<4x4x6xf32>
    %58 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2] : (tensor<4x4x1xf32>) -> tensor<4x4x6xf32>
    %59 = stablehlo.multiply %57, %58 : tensor<4x4x6xf32>
    %60 = stablehlo.multiply %59, %49 : tensor<4x4x6xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<4x4x6xf32>
    %62 = stablehlo.select %42, %61, %60 : tensor<4x4x6xi1>, tensor<4x4x6xf32>
    %63 = stablehlo.select %42, %60, %61 : tensor<4x4x6xi1>, tensor<4x4x6xf32>
    %64 = stablehlo.negate %62 : tensor<4x4x6xf32>
    %65 = stablehlo.add %63, %64 : tensor<4x4x6xf32>
    %66 = stablehlo.dot_general %65, %34, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x4x6xf32>, tensor<4x4x16xf32>) -> tensor<6x16xf32>
    %67 = stablehlo.transpose %66, dims = [1, 0] : (tensor<6x16xf32>) -> tensor<16x6xf32>
    %68 = stablehlo.dot_general %65, %arg8, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x4x6xf32>, tensor<16x6xf32>) -> tensor<4x4x16xf32>
    %69 = stablehlo.slice %68 [0:4, 0:4, 0:8] : (tensor<4x4x16xf32>) -> tensor<4x4x8xf32>
    %70 = stablehlo.slice %68 [0:4, 0:4, 8:16] : (tensor<4x4x16xf32>) -> tensor<4x4x8xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %71 = stablehlo.pad %70, %cst_31, low = [1, 0, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<4x4x8xf32>, tensor<f32>) -> tensor<5x4x8xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %72 = stablehlo.pad %69, %cst_32, low = [0, 0, 0], high = [1, 0, 0], interior = [0, 0, 0] : (tensor<4x4x8xf32>, tensor<f32>) -> tensor<5x4x8xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<6x16xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %c_38 = stablehlo.constant dense<0> : tensor<i32>
    %78:19 = stablehlo.while(%iterArg = %71, %iterArg_54 = %8, %iterArg_55 = %31#9, %iterArg_56 = %31#10, %iterArg_57 = %31#11, %iterArg_58 = %31#12, %iterArg_59 = %31#13, %iterArg_60 = %31#14, %iterArg_61 = %31#15, %iterArg_62 = %31#16, %iterArg_63 = %31#17, %iterArg_64 = %arg2, %iterArg_65 = %arg0, %iterArg_66 = %c_38, %iterArg_67 = %74, %iterArg_68 = %75, %iterArg_69 = %76, %iterArg_70 = %77, %iterArg_71 = %73) : tensor<5x4x8xf32>, tensor<5x4x6xf32>, tensor<5x4x8xf32>, tensor<5x4x16xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xi1>, tensor<8x16xf32>, tensor<8x8xf32>, tensor<i32>, tensor<6x16xf32>, tensor<8x16xf32>, tensor<6x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>
    cond {
      %c_72 = stablehlo.constant dense<5> : tensor<i32>
      %112 = stablehlo.compare LT, %iterArg_66, %c_72, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %112 : tensor<i1>
    } do {
      %112 = func.call @dynamic_index_in_dim_4(%iterArg, %iterArg_66) : (tensor<5x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %113 = func.call @dynamic_index_in_dim(%iterArg_54, %iterArg_66) : (tensor<5x4x6xf32>, tensor<i32>) -> tensor<4x6xf32>
      %114 = func.call @dynamic_index_in_dim_4(%iterArg_55, %iterArg_66) : (tensor<5x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %115 = func.call @dynamic_index_in_dim_5(%iterArg_56, %iterArg_66) : (tensor<5x4x16xf32>, tensor<i32>) -> tensor<4x16xf32>
      %116 = func.call @dynamic_index_in_dim_4(%iterArg_57, %iterArg_66) : (tensor<5x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %117 = func.call @dynamic_index_in_dim_4(%iterArg_58, %iterArg_66) : (tensor<5x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %118 = func.call @dynamic_index_in_dim_4(%iterArg_59, %iterArg_66) : (tensor<5x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %119 = func.call @dynamic_index_in_dim_4(%iterArg_60, %iterArg_66) : (tensor<5x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %120 = func.call @dynamic_index_in_dim_4(%iterArg_61, %iterArg_66) : (tensor<5x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %121 = func.call @dynamic_index_in_dim_4(%iterArg_62, %iterArg_66) : (tensor<5x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %122 = func.call @dynamic_index_in_dim_6(%iterArg_63, %iterArg_66) : (tensor<5x4x8xi1>, tensor<i32>) -> tensor<4x8xi1>
      %123:5 = func.call @closed_call_7(%iterArg_64, %iterArg_65, %iterArg_67, %iterArg_68, %iterArg_69, %iterArg_70, %iterArg_71, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122) : (tensor<8x16xf32>, tensor<8x8xf32>, tensor<6x16xf32>, tensor<8x16xf32>, tensor<6x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x6xf32>, tensor<4x8xf32>, tensor<4x16xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xi1>) -> (tensor<6x16xf32>, tensor<8x16xf32>, tensor<6x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>)
      %c_72 = stablehlo.constant dense<1> : tensor<i32>
      %124 = stablehlo.add %iterArg_66, %c_72 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_54, %iterArg_55, %iterArg_56, %iterArg_57, %iterArg_58, %iterArg_59, %iterArg_60, %iterArg_61, %iterArg_62, %iterArg_63, %iterArg_64, %iterArg_65, %124, %123#0, %123#1, %123#2, %123#3, %123#4 : tensor<5x4x8xf32>, tensor<5x4x6xf32>, tensor<5x4x8xf32>, tensor<5x4x16xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xi1>, tensor<8x16xf32>, tensor<8x8xf32>, tensor<i32>, tensor<6x16xf32>, tensor<8x16xf32>, tensor<6x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>
    }
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %79 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<6x16xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %81 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %c_44 = stablehlo.constant dense<0> : tensor<i32>
    %84:19 = stablehlo.while(%iterArg = %72, %iterArg_54 = %8, %iterArg_55 = %20#9, %iterArg_56 = %20#10, %iterArg_57 = %20#11, %iterArg_58 = %20#12, %iterArg_59 = %20#13, %iterArg_60 = %20#14, %iterArg_61 = %20#15, %iterArg_62 = %20#16, %iterArg_63 = %20#17, %iterArg_64 = %arg6, %iterArg_65 = %arg4, %iterArg_66 = %c_44, %iterArg_67 = %80, %iterArg_68 = %81, %iterArg_69 = %82, %iterArg_70 = %83, %iterArg_71 = %79) : tensor<5x4x8xf32>, tensor<5x4x6xf32>, tensor<5x4x8xf32>, tensor<5x4x16xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xi1>, tensor<8x16xf32>, tensor<8x8xf32>, tensor<i32>, tensor<6x16xf32>, tensor<8x16xf32>, tensor<6x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>
    cond {
      %c_72 = stablehlo.constant dense<5> : tensor<i32>
      %112 = stablehlo.compare LT, %iterArg_66, %c_72, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %112 : tensor<i1>
    } do {
      %c_72 = stablehlo.constant dense<5> : tensor<i32>
      %112 = stablehlo.subtract %c_72, %iterArg_66 : tensor<i32>
      %c_73 = stablehlo.constant dense<1> : tensor<i32>
      %113 = stablehlo.subtract %112, %c_73 : tensor<i32>
      %114 = func.call @dynamic_index_in_dim_4(%iterArg, %113) : (tensor<5x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %115 = func.call @dynamic_index_in_dim(%iterArg_54, %113) : (tensor<5x4x6xf32>, tensor<i32>) -> tensor<4x6xf32>
      %116 = func.call @dynamic_index_in_dim_4(%iterArg_55, %113) : (tensor<5x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %117 = func.call @dynamic_index_in_dim_5(%iterArg_56, %113) : (tensor<5x4x16xf32>, tensor<i32>) -> tensor<4x16xf32>
      %118 = func.call @dynamic_index_in_dim_4(%iterArg_57, %113) : (tensor<5x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %119 = func.call @dynamic_index_in_dim_4(%iterArg_58, %113) : (tensor<5x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %120 = func.call @dynamic_index_in_dim_4(%iterArg_59, %113) : (tensor<5x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %121 = func.call @dynamic_index_in_dim_4(%iterArg_60, %113) : (tensor<5x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %122 = func.call @dynamic_index_in_dim_4(%iterArg_61, %113) : (tensor<5x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %123 = func.call @dynamic_index_in_dim_4(%iterArg_62, %113) : (tensor<5x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %124 = func.call @dynamic_index_in_dim_6(%iterArg_63, %113) : (tensor<5x4x8xi1>, tensor<i32>) -> tensor<4x8xi1>
      %125:5 = func.call @closed_call_9(%iterArg_64, %iterArg_65, %iterArg_67, %iterArg_68, %iterArg_69, %iterArg_70, %iterArg_71, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124) : (tensor<8x16xf32>, tensor<8x8xf32>, tensor<6x16xf32>, tensor<8x16xf32>, tensor<6x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x6xf32>, tensor<4x8xf32>, tensor<4x16xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xi1>) -> (tensor<6x16xf32>, tensor<8x16xf32>, tensor<6x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>)
      %c_74 = stablehlo.constant dense<1> : tensor<i32>
      %126 = stablehlo.add %iterArg_66, %c_74 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_54, %iterArg_55, %iterArg_56, %iterArg_57, %iterArg_58, %iterArg_59, %iterArg_60, %iterArg_61, %iterArg_62, %iterArg_63, %iterArg_64, %iterArg_65, %126, %125#0, %125#1, %125#2, %125#3, %125#4 : tensor<5x4x8xf32>, tensor<5x4x6xf32>, tensor<5x4x8xf32>, tensor<5x4x16xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xi1>, tensor<8x16xf32>, tensor<8x8xf32>, tensor<i32>, tensor<6x16xf32>, tensor<8x16xf32>, tensor<6x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>
    }
    %cst_45 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %85 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %86 = stablehlo.multiply %85, %78#17 : tensor<8x8xf32>
    %87 = stablehlo.subtract %arg0, %86 : tensor<8x8xf32>
    %cst_46 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
    %89 = stablehlo.multiply %88, %78#16 : tensor<6x8xf32>
    %90 = stablehlo.subtract %arg1, %89 : tensor<6x8xf32>
    %cst_47 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %91 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %92 = stablehlo.multiply %91, %78#15 : tensor<8x16xf32>
    %93 = stablehlo.subtract %arg2, %92 : tensor<8x16xf32>
    %cst_48 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %94 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<6x16xf32>
    %95 = stablehlo.multiply %94, %78#14 : tensor<6x16xf32>
    %96 = stablehlo.subtract %arg3, %95 : tensor<6x16xf32>
    %cst_49 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %97 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %98 = stablehlo.multiply %97, %84#17 : tensor<8x8xf32>
    %99 = stablehlo.subtract %arg4, %98 : tensor<8x8xf32>
    %cst_50 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %100 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
    %101 = stablehlo.multiply %100, %84#16 : tensor<6x8xf32>
    %102 = stablehlo.subtract %arg5, %101 : tensor<6x8xf32>
    %cst_51 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %103 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %104 = stablehlo.multiply %103, %84#15 : tensor<8x16xf32>
    %105 = stablehlo.subtract %arg6, %104 : tensor<8x16xf32>
    %cst_52 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %106 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<6x16xf32>
    %107 = stablehlo.multiply %106, %84#14 : tensor<6x16xf32>
    %108 = stablehlo.subtract %arg7, %107 : tensor<6x16xf32>
    %cst_53 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %109 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<16x6xf32>
    %110 = stablehlo.multiply %109, %67 : tensor<16x6xf32>
    %111 = stablehlo.subtract %arg8, %110 : tensor<16x6xf32>
    return %87, %90, %93, %96, %99, %102, %105, %108, %111, %55 : tensor<8x8xf32>, tensor<6x8xf32>, tensor<8x16xf32>, tensor<6x16xf32>, tensor<8x8xf32>, tensor<6x8xf32>, tensor<8x16xf32>, tensor<6x16xf32>, tensor<16x6xf32>, tensor<f32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<5x4x6xf32>, %arg1: tensor<i32>) -> tensor<4x6xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 6] : (tensor<5x4x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x6xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x6xf32>) -> tensor<4x6xf32>
    return %1 : tensor<4x6xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<5x4xi1>, %arg1: tensor<i32>) -> tensor<4xi1> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 4] : (tensor<5x4xi1>, tensor<i32>, tensor<i32>) -> tensor<1x4xi1>
    %1 = stablehlo.reshape %0 : (tensor<1x4xi1>) -> tensor<4xi1>
    return %1 : tensor<4xi1>
  }
  func.func private @closed_call(%arg0: tensor<6x16xf32>, %arg1: tensor<8x16xf32>, %arg2: tensor<6x8xf32>, %arg3: tensor<8x8xf32>, %arg4: tensor<4x8xf32>, %arg5: tensor<4x6xf32>, %arg6: tensor<4xi1>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x16xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xi1>) {
    %0 = stablehlo.dot_general %arg5, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6xf32>, tensor<6x16xf32>) -> tensor<4x16xf32>
    %1 = stablehlo.dot_general %arg4, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
    %2 = stablehlo.add %0, %1 : tensor<4x16xf32>
    %3 = stablehlo.negate %2 : tensor<4x16xf32>
    %4 = stablehlo.exponential %3 : tensor<4x16xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %6 = stablehlo.add %5, %4 : tensor<4x16xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %8 = stablehlo.divide %7, %6 : tensor<4x16xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %10 = stablehlo.subtract %9, %8 : tensor<4x16xf32>
    %11 = stablehlo.multiply %8, %10 : tensor<4x16xf32>
    %12 = stablehlo.slice %8 [0:4, 0:8] : (tensor<4x16xf32>) -> tensor<4x8xf32>
    %13 = stablehlo.slice %8 [0:4, 8:16] : (tensor<4x16xf32>) -> tensor<4x8xf32>
    %14 = stablehlo.dot_general %arg5, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
    %15 = stablehlo.dot_general %arg4, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %16 = stablehlo.multiply %12, %15 : tensor<4x8xf32>
    %17 = stablehlo.add %14, %16 : tensor<4x8xf32>
    %18 = stablehlo.tanh %17 : tensor<4x8xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %20 = stablehlo.subtract %19, %18 : tensor<4x8xf32>
    %21 = stablehlo.broadcast_in_dim %arg6, dims = [0] : (tensor<4xi1>) -> tensor<4x1xi1>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %23 = stablehlo.subtract %22, %13 : tensor<4x8xf32>
    %24 = stablehlo.multiply %23, %18 : tensor<4x8xf32>
    %25 = stablehlo.multiply %13, %arg4 : tensor<4x8xf32>
    %26 = stablehlo.add %24, %25 : tensor<4x8xf32>
    %27:2 = call @_where(%21, %26, %arg4) : (tensor<4x1xi1>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xi1>)
    return %27#0, %27#0, %arg4, %11, %15, %12, %18, %20, %23, %13, %27#1 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x16xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xi1>
  }
  func.func private @_where(%arg0: tensor<4x1xi1>, %arg1: tensor<4x8xf32>, %arg2: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xi1>) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<4x1xi1>) -> tensor<4x8xi1>
    %1 = stablehlo.select %0, %arg1, %arg2 : tensor<4x8xi1>, tensor<4x8xf32>
    return %1, %0 : tensor<4x8xf32>, tensor<4x8xi1>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<5x4x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<i32>) -> tensor<5x4x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<5x4x8xf32>, tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x4x8xf32>
    return %1 : tensor<5x4x8xf32>
  }
  func.func private @dynamic_update_index_in_dim_1(%arg0: tensor<5x4x16xf32>, %arg1: tensor<4x16xf32>, %arg2: tensor<i32>) -> tensor<5x4x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x16xf32>) -> tensor<1x4x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<5x4x16xf32>, tensor<1x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x4x16xf32>
    return %1 : tensor<5x4x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_2(%arg0: tensor<5x4x8xi1>, %arg1: tensor<4x8xi1>, %arg2: tensor<i32>) -> tensor<5x4x8xi1> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x8xi1>) -> tensor<1x4x8xi1>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<5x4x8xi1>, tensor<1x4x8xi1>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x4x8xi1>
    return %1 : tensor<5x4x8xi1>
  }
  func.func private @closed_call_3(%arg0: tensor<6x16xf32>, %arg1: tensor<8x16xf32>, %arg2: tensor<6x8xf32>, %arg3: tensor<8x8xf32>, %arg4: tensor<4x8xf32>, %arg5: tensor<4x6xf32>, %arg6: tensor<4xi1>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x16xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xi1>) {
    %0 = stablehlo.dot_general %arg5, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6xf32>, tensor<6x16xf32>) -> tensor<4x16xf32>
    %1 = stablehlo.dot_general %arg4, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
    %2 = stablehlo.add %0, %1 : tensor<4x16xf32>
    %3 = stablehlo.negate %2 : tensor<4x16xf32>
    %4 = stablehlo.exponential %3 : tensor<4x16xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %6 = stablehlo.add %5, %4 : tensor<4x16xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %8 = stablehlo.divide %7, %6 : tensor<4x16xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %10 = stablehlo.subtract %9, %8 : tensor<4x16xf32>
    %11 = stablehlo.multiply %8, %10 : tensor<4x16xf32>
    %12 = stablehlo.slice %8 [0:4, 0:8] : (tensor<4x16xf32>) -> tensor<4x8xf32>
    %13 = stablehlo.slice %8 [0:4, 8:16] : (tensor<4x16xf32>) -> tensor<4x8xf32>
    %14 = stablehlo.dot_general %arg5, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
    %15 = stablehlo.dot_general %arg4, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %16 = stablehlo.multiply %12, %15 : tensor<4x8xf32>
    %17 = stablehlo.add %14, %16 : tensor<4x8xf32>
    %18 = stablehlo.tanh %17 : tensor<4x8xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %20 = stablehlo.subtract %19, %18 : tensor<4x8xf32>
    %21 = stablehlo.broadcast_in_dim %arg6, dims = [0] : (tensor<4xi1>) -> tensor<4x1xi1>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %23 = stablehlo.subtract %22, %13 : tensor<4x8xf32>
    %24 = stablehlo.multiply %23, %18 : tensor<4x8xf32>
    %25 = stablehlo.multiply %13, %arg4 : tensor<4x8xf32>
    %26 = stablehlo.add %24, %25 : tensor<4x8xf32>
    %27:2 = call @_where(%21, %26, %arg4) : (tensor<4x1xi1>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xi1>)
    return %27#0, %27#0, %arg4, %11, %15, %12, %18, %20, %23, %13, %27#1 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x16xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xi1>
  }
  func.func private @dynamic_index_in_dim_4(%arg0: tensor<5x4x8xf32>, %arg1: tensor<i32>) -> tensor<4x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 8] : (tensor<5x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    return %1 : tensor<4x8xf32>
  }
  func.func private @dynamic_index_in_dim_5(%arg0: tensor<5x4x16xf32>, %arg1: tensor<i32>) -> tensor<4x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 16] : (tensor<5x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x16xf32>) -> tensor<4x16xf32>
    return %1 : tensor<4x16xf32>
  }
  func.func private @dynamic_index_in_dim_6(%arg0: tensor<5x4x8xi1>, %arg1: tensor<i32>) -> tensor<4x8xi1> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 8] : (tensor<5x4x8xi1>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xi1>
    %1 = stablehlo.reshape %0 : (tensor<1x4x8xi1>) -> tensor<4x8xi1>
    return %1 : tensor<4x8xi1>
  }
  func.func private @closed_call_7(%arg0: tensor<8x16xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<6x16xf32>, %arg3: tensor<8x16xf32>, %arg4: tensor<6x8xf32>, %arg5: tensor<8x8xf32>, %arg6: tensor<4x8xf32>, %arg7: tensor<4x8xf32>, %arg8: tensor<4x6xf32>, %arg9: tensor<4x8xf32>, %arg10: tensor<4x16xf32>, %arg11: tensor<4x8xf32>, %arg12: tensor<4x8xf32>, %arg13: tensor<4x8xf32>, %arg14: tensor<4x8xf32>, %arg15: tensor<4x8xf32>, %arg16: tensor<4x8xf32>, %arg17: tensor<4x8xi1>) -> (tensor<6x16xf32>, tensor<8x16xf32>, tensor<6x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>) {
    %0 = stablehlo.add %arg6, %arg7 : tensor<4x8xf32>
    %1:2 = call @_where_8(%arg17, %0) : (tensor<4x8xi1>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
    %2 = stablehlo.multiply %arg16, %1#0 : tensor<4x8xf32>
    %3 = stablehlo.add %1#1, %2 : tensor<4x8xf32>
    %4 = stablehlo.multiply %1#0, %arg9 : tensor<4x8xf32>
    %5 = stablehlo.multiply %arg15, %1#0 : tensor<4x8xf32>
    %6 = stablehlo.multiply %1#0, %arg13 : tensor<4x8xf32>
    %7 = stablehlo.negate %6 : tensor<4x8xf32>
    %8 = stablehlo.add %4, %7 : tensor<4x8xf32>
    %9 = stablehlo.multiply %5, %arg14 : tensor<4x8xf32>
    %10 = stablehlo.multiply %9, %arg13 : tensor<4x8xf32>
    %11 = stablehlo.add %9, %10 : tensor<4x8xf32>
    %12 = stablehlo.multiply %arg12, %11 : tensor<4x8xf32>
    %13 = stablehlo.multiply %11, %arg11 : tensor<4x8xf32>
    %14 = stablehlo.dot_general %12, %arg9, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %15 = stablehlo.transpose %14, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %16 = stablehlo.add %arg5, %15 : tensor<8x8xf32>
    %17 = stablehlo.dot_general %12, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %18 = stablehlo.add %3, %17 : tensor<4x8xf32>
    %19 = stablehlo.dot_general %11, %arg8, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
    %20 = stablehlo.transpose %19, dims = [1, 0] : (tensor<8x6xf32>) -> tensor<6x8xf32>
    %21 = stablehlo.add %arg4, %20 : tensor<6x8xf32>
    %22 = stablehlo.concatenate %13, %8, dim = 1 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
    %23 = stablehlo.multiply %22, %arg10 : tensor<4x16xf32>
    %24 = stablehlo.dot_general %23, %arg9, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<4x8xf32>) -> tensor<16x8xf32>
    %25 = stablehlo.transpose %24, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %26 = stablehlo.add %arg3, %25 : tensor<8x16xf32>
    %27 = stablehlo.dot_general %23, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<8x16xf32>) -> tensor<4x8xf32>
    %28 = stablehlo.add %18, %27 : tensor<4x8xf32>
    %29 = stablehlo.dot_general %23, %arg8, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<4x6xf32>) -> tensor<16x6xf32>
    %30 = stablehlo.transpose %29, dims = [1, 0] : (tensor<16x6xf32>) -> tensor<6x16xf32>
    %31 = stablehlo.add %arg2, %30 : tensor<6x16xf32>
    return %31, %26, %21, %16, %28 : tensor<6x16xf32>, tensor<8x16xf32>, tensor<6x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>
  }
  func.func private @_where_8(%arg0: tensor<4x8xi1>, %arg1: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %1 = stablehlo.select %arg0, %0, %arg1 : tensor<4x8xi1>, tensor<4x8xf32>
    %2 = stablehlo.select %arg0, %arg1, %0 : tensor<4x8xi1>, tensor<4x8xf32>
    return %2, %1 : tensor<4x8xf32>, tensor<4x8xf32>
  }
  func.func private @closed_call_9(%arg0: tensor<8x16xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<6x16xf32>, %arg3: tensor<8x16xf32>, %arg4: tensor<6x8xf32>, %arg5: tensor<8x8xf32>, %arg6: tensor<4x8xf32>, %arg7: tensor<4x8xf32>, %arg8: tensor<4x6xf32>, %arg9: tensor<4x8xf32>, %arg10: tensor<4x16xf32>, %arg11: tensor<4x8xf32>, %arg12: tensor<4x8xf32>, %arg13: tensor<4x8xf32>, %arg14: tensor<4x8xf32>, %arg15: tensor<4x8xf32>, %arg16: tensor<4x8xf32>, %arg17: tensor<4x8xi1>) -> (tensor<6x16xf32>, tensor<8x16xf32>, tensor<6x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>) {
    %0 = stablehlo.add %arg6, %arg7 : tensor<4x8xf32>
    %1:2 = call @_where_8(%arg17, %0) : (tensor<4x8xi1>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
    %2 = stablehlo.multiply %arg16, %1#0 : tensor<4x8xf32>
    %3 = stablehlo.add %1#1, %2 : tensor<4x8xf32>
    %4 = stablehlo.multiply %1#0, %arg9 : tensor<4x8xf32>
    %5 = stablehlo.multiply %arg15, %1#0 : tensor<4x8xf32>
    %6 = stablehlo.multiply %1#0, %arg13 : tensor<4x8xf32>
    %7 = stablehlo.negate %6 : tensor<4x8xf32>
    %8 = stablehlo.add %4, %7 : tensor<4x8xf32>
    %9 = stablehlo.multiply %5, %arg14 : tensor<4x8xf32>
    %10 = stablehlo.multiply %9, %arg13 : tensor<4x8xf32>
    %11 = stablehlo.add %9, %10 : tensor<4x8xf32>
    %12 = stablehlo.multiply %arg12, %11 : tensor<4x8xf32>
    %13 = stablehlo.multiply %11, %arg11 : tensor<4x8xf32>
    %14 = stablehlo.dot_general %12, %arg9, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %15 = stablehlo.transpose %14, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %16 = stablehlo.add %arg5, %15 : tensor<8x8xf32>
    %17 = stablehlo.dot_general %12, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %18 = stablehlo.add %3, %17 : tensor<4x8xf32>
    %19 = stablehlo.dot_general %11, %arg8, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
    %20 = stablehlo.transpose %19, dims = [1, 0] : (tensor<8x6xf32>) -> tensor<6x8xf32>
    %21 = stablehlo.add %arg4, %20 : tensor<6x8xf32>
    %22 = stablehlo.concatenate %13, %8, dim = 1 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
    %23 = stablehlo.multiply %22, %arg10 : tensor<4x16xf32>
    %24 = stablehlo.dot_general %23, %arg9, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<4x8xf32>) -> tensor<16x8xf32>
    %25 = stablehlo.transpose %24, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %26 = stablehlo.add %arg3, %25 : tensor<8x16xf32>
    %27 = stablehlo.dot_general %23, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<8x16xf32>) -> tensor<4x8xf32>
    %28 = stablehlo.add %18, %27 : tensor<4x8xf32>
    %29 = stablehlo.dot_general %23, %arg8, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<4x6xf32>) -> tensor<16x6xf32>
    %30 = stablehlo.transpose %29, dims = [1, 0] : (tensor<16x6xf32>) -> tensor<6x16xf32>
    %31 = stablehlo.add %arg2, %30 : tensor<6x16xf32>
    return %31, %26, %21, %16, %28 : tensor<6x16xf32>, tensor<8x16xf32>, tensor<6x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>
  }
}
