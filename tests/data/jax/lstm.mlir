module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<16x4xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<16x64xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<8x64xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<4x6x8xf32>, %arg5: tensor<4x6x4xf32>) -> (tensor<64xf32> {jax.result_info = "result[0]['b']"}, tensor<16x4xf32> {jax.result_info = "result[0]['w']"}, tensor<16x64xf32> {jax.result_info = "result[0]['wh']"}, tensor<8x64xf32> {jax.result_info = "result[0]['wx']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %1 = stablehlo.transpose %arg4, dims = [1, 0, 2] : (tensor<4x6x8xf32>) -> tensor<6x4x8xf32>
    %2 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<64xf32>) -> tensor<1x64xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<6x4x16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<6x4x16xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<6x4x16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<6x4x16xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<6x4x16xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<6x4x16xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<6x4x16xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<6x4x16xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<6x4x16xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<6x4x16xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<6x4x16xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<6x4x16xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<6x4x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %16:20 = stablehlo.while(%iterArg = %1, %iterArg_28 = %arg3, %iterArg_29 = %arg2, %iterArg_30 = %2, %iterArg_31 = %c, %iterArg_32 = %0, %iterArg_33 = %0, %iterArg_34 = %3, %iterArg_35 = %4, %iterArg_36 = %5, %iterArg_37 = %6, %iterArg_38 = %7, %iterArg_39 = %8, %iterArg_40 = %9, %iterArg_41 = %10, %iterArg_42 = %11, %iterArg_43 = %12, %iterArg_44 = %13, %iterArg_45 = %14, %iterArg_46 = %15) : tensor<6x4x8xf32>, tensor<8x64xf32>, tensor<16x64xf32>, tensor<1x64xf32>, tensor<i32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>
    cond {
      %c_47 = stablehlo.constant dense<6> : tensor<i32>
      %50 = stablehlo.compare LT, %iterArg_31, %c_47, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %50 : tensor<i1>
    } do {
      %50 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_31) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %51:15 = func.call @closed_call(%iterArg_28, %iterArg_29, %iterArg_30, %iterArg_32, %iterArg_33, %50) : (tensor<8x64xf32>, tensor<16x64xf32>, tensor<1x64xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x8xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>)
      %52 = func.call @dynamic_update_index_in_dim(%iterArg_34, %51#2, %iterArg_31) : (tensor<6x4x16xf32>, tensor<4x16xf32>, tensor<i32>) -> tensor<6x4x16xf32>
      %53 = func.call @dynamic_update_index_in_dim(%iterArg_35, %51#3, %iterArg_31) : (tensor<6x4x16xf32>, tensor<4x16xf32>, tensor<i32>) -> tensor<6x4x16xf32>
      %54 = func.call @dynamic_update_index_in_dim(%iterArg_36, %51#4, %iterArg_31) : (tensor<6x4x16xf32>, tensor<4x16xf32>, tensor<i32>) -> tensor<6x4x16xf32>
      %55 = func.call @dynamic_update_index_in_dim(%iterArg_37, %51#5, %iterArg_31) : (tensor<6x4x16xf32>, tensor<4x16xf32>, tensor<i32>) -> tensor<6x4x16xf32>
      %56 = func.call @dynamic_update_index_in_dim(%iterArg_38, %51#6, %iterArg_31) : (tensor<6x4x16xf32>, tensor<4x16xf32>, tensor<i32>) -> tensor<6x4x16xf32>
      %57 = func.call @dynamic_update_index_in_dim(%iterArg_39, %51#7, %iterArg_31) : (tensor<6x4x16xf32>, tensor<4x16xf32>, tensor<i32>) -> tensor<6x4x16xf32>
      %58 = func.call @dynamic_update_index_in_dim(%iterArg_40, %51#8, %iterArg_31) : (tensor<6x4x16xf32>, tensor<4x16xf32>, tensor<i32>) -> tensor<6x4x16xf32>
      %59 = func.call @dynamic_update_index_in_dim(%iterArg_41, %51#9, %iterArg_31) : (tensor<6x4x16xf32>, tensor<4x16xf32>, tensor<i32>) -> tensor<6x4x16xf32>
      %60 = func.call @dynamic_update_index_in_dim(%iterArg_42, %51#10, %iterArg_31) : (tensor<6x4x16xf32>, tensor<4x16xf32>, tensor<i32>) -> tensor<6x4x16xf32>
      %61 = func.call @dynamic_update_index_in_dim(%iterArg_43, %51#11, %iterArg_31) : (tensor<6x4x16xf32>, tensor<4x16xf32>, tensor<i32>) -> tensor<6x4x16xf32>
      %62 = func.call @dynamic_update_index_in_dim(%iterArg_44, %51#12, %iterArg_31) : (tensor<6x4x16xf32>, tensor<4x16xf32>, tensor<i32>) -> tensor<6x4x16xf32>
      %63 = func.call @dynamic_update_index_in_dim(%iterArg_45, %51#13, %iterArg_31) : (tensor<6x4x16xf32>, tensor<4x16xf32>, tensor<i32>) -> tensor<6x4x16xf32>
      %64 = func.call @dynamic_update_index_in_dim(%iterArg_46, %51#14, %iterArg_31) : (tensor<6x4x16xf32>, tensor<4x16xf32>, tensor<i32>) -> tensor<6x4x16xf32>
      %c_47 = stablehlo.constant dense<1> : tensor<i32>
      %65 = stablehlo.add %iterArg_31, %c_47 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_28, %iterArg_29, %iterArg_30, %65, %51#0, %51#1, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64 : tensor<6x4x8xf32>, tensor<8x64xf32>, tensor<16x64xf32>, tensor<1x64xf32>, tensor<i32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>
    }
    %17 = stablehlo.transpose %16#7, dims = [1, 0, 2] : (tensor<6x4x16xf32>) -> tensor<4x6x16xf32>
    %18 = stablehlo.dot_general %17, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6x16xf32>, tensor<16x4xf32>) -> tensor<4x6x4xf32>
    %19 = stablehlo.subtract %18, %arg5 : tensor<4x6x4xf32>
    %20 = stablehlo.multiply %19, %19 : tensor<4x6x4xf32>
    %cst_13 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x6x4xf32>
    %22 = stablehlo.multiply %21, %19 : tensor<4x6x4xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.reduce(%20 init: %cst_14) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x6x4xf32>, tensor<f32>) -> tensor<f32>
    %cst_15 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %24 = stablehlo.divide %23, %cst_15 : tensor<f32>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_17 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %25 = stablehlo.divide %cst_16, %cst_17 : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [] : (tensor<f32>) -> tensor<4x6x4xf32>
    %27 = stablehlo.multiply %26, %22 : tensor<4x6x4xf32>
    %28 = stablehlo.dot_general %27, %17, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x4xf32>, tensor<4x6x16xf32>) -> tensor<4x16xf32>
    %29 = stablehlo.transpose %28, dims = [1, 0] : (tensor<4x16xf32>) -> tensor<16x4xf32>
    %30 = stablehlo.dot_general %27, %arg1, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x4xf32>, tensor<16x4xf32>) -> tensor<4x6x16xf32>
    %31 = stablehlo.transpose %30, dims = [1, 0, 2] : (tensor<4x6x16xf32>) -> tensor<6x4x16xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<8x64xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %c_23 = stablehlo.constant dense<0> : tensor<i32>
    %37:21 = stablehlo.while(%iterArg = %31, %iterArg_28 = %1, %iterArg_29 = %16#8, %iterArg_30 = %16#9, %iterArg_31 = %16#10, %iterArg_32 = %16#11, %iterArg_33 = %16#12, %iterArg_34 = %16#13, %iterArg_35 = %16#14, %iterArg_36 = %16#15, %iterArg_37 = %16#16, %iterArg_38 = %16#17, %iterArg_39 = %16#18, %iterArg_40 = %16#19, %iterArg_41 = %arg2, %iterArg_42 = %c_23, %iterArg_43 = %34, %iterArg_44 = %35, %iterArg_45 = %36, %iterArg_46 = %32, %iterArg_47 = %33) : tensor<6x4x16xf32>, tensor<6x4x8xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<16x64xf32>, tensor<i32>, tensor<8x64xf32>, tensor<16x64xf32>, tensor<64xf32>, tensor<4x16xf32>, tensor<4x16xf32>
    cond {
      %c_48 = stablehlo.constant dense<6> : tensor<i32>
      %50 = stablehlo.compare LT, %iterArg_42, %c_48, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %50 : tensor<i1>
    } do {
      %c_48 = stablehlo.constant dense<6> : tensor<i32>
      %50 = stablehlo.subtract %c_48, %iterArg_42 : tensor<i32>
      %c_49 = stablehlo.constant dense<1> : tensor<i32>
      %51 = stablehlo.subtract %50, %c_49 : tensor<i32>
      %52 = func.call @dynamic_index_in_dim_0(%iterArg, %51) : (tensor<6x4x16xf32>, tensor<i32>) -> tensor<4x16xf32>
      %53 = func.call @dynamic_index_in_dim(%iterArg_28, %51) : (tensor<6x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %54 = func.call @dynamic_index_in_dim_0(%iterArg_29, %51) : (tensor<6x4x16xf32>, tensor<i32>) -> tensor<4x16xf32>
      %55 = func.call @dynamic_index_in_dim_0(%iterArg_30, %51) : (tensor<6x4x16xf32>, tensor<i32>) -> tensor<4x16xf32>
      %56 = func.call @dynamic_index_in_dim_0(%iterArg_31, %51) : (tensor<6x4x16xf32>, tensor<i32>) -> tensor<4x16xf32>
      %57 = func.call @dynamic_index_in_dim_0(%iterArg_32, %51) : (tensor<6x4x16xf32>, tensor<i32>) -> tensor<4x16xf32>
      %58 = func.call @dynamic_index_in_dim_0(%iterArg_33, %51) : (tensor<6x4x16xf32>, tensor<i32>) -> tensor<4x16xf32>
      %59 = func.call @dynamic_index_in_dim_0(%iterArg_34, %51) : (tensor<6x4x16xf32>, tensor<i32>) -> tensor<4x16xf32>
      %60 = func.call @dynamic_index_in_dim_0(%iterArg_35, %51) : (tensor<6x4x16xf32>, tensor<i32>) -> tensor<4x16xf32>
      %61 = func.call @dynamic_index_in_dim_0(%iterArg_36, %51) : (tensor<6x4x16xf32>, tensor<i32>) -> tensor<4x16xf32>
      %62 = func.call @dynamic_index_in_dim_0(%iterArg_37, %51) : (tensor<6x4x16xf32>, tensor<i32>) -> tensor<4x16xf32>
      %63 = func.call @dynamic_index_in_dim_0(%iterArg_38, %51) : (tensor<6x4x16xf32>, tensor<i32>) -> tensor<4x16xf32>
      %64 = func.call @dynamic_index_in_dim_0(%iterArg_39, %51) : (tensor<6x4x16xf32>, tensor<i32>) -> tensor<4x16xf32>
      %65 = func.call @dynamic_index_in_dim_0(%iterArg_40, %51) : (tensor<6x4x16xf32>, tensor<i32>) -> tensor<4x16xf32>
      %66:5 = func.call @closed_call_1(%iterArg_41, %iterArg_43, %iterArg_44, %iterArg_45, %iterArg_46, %iterArg_47, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65) : (tensor<16x64xf32>, tensor<8x64xf32>, tensor<16x64xf32>, tensor<64xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x8xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>) -> (tensor<8x64xf32>, tensor<16x64xf32>, tensor<64xf32>, tensor<4x16xf32>, tensor<4x16xf32>)
      %c_50 = stablehlo.constant dense<1> : tensor<i32>
      %67 = stablehlo.add %iterArg_42, %c_50 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_28, %iterArg_29, %iterArg_30, %iterArg_31, %iterArg_32, %iterArg_33, %iterArg_34, %iterArg_35, %iterArg_36, %iterArg_37, %iterArg_38, %iterArg_39, %iterArg_40, %iterArg_41, %67, %66#0, %66#1, %66#2, %66#3, %66#4 : tensor<6x4x16xf32>, tensor<6x4x8xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>, tensor<16x64xf32>, tensor<i32>, tensor<8x64xf32>, tensor<16x64xf32>, tensor<64xf32>, tensor<4x16xf32>, tensor<4x16xf32>
    }
    %cst_24 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %39 = stablehlo.multiply %38, %37#18 : tensor<64xf32>
    %40 = stablehlo.subtract %arg0, %39 : tensor<64xf32>
    %cst_25 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
    %42 = stablehlo.multiply %41, %29 : tensor<16x4xf32>
    %43 = stablehlo.subtract %arg1, %42 : tensor<16x4xf32>
    %cst_26 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %45 = stablehlo.multiply %44, %37#17 : tensor<16x64xf32>
    %46 = stablehlo.subtract %arg2, %45 : tensor<16x64xf32>
    %cst_27 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<8x64xf32>
    %48 = stablehlo.multiply %47, %37#16 : tensor<8x64xf32>
    %49 = stablehlo.subtract %arg3, %48 : tensor<8x64xf32>
    return %40, %43, %46, %49, %24 : tensor<64xf32>, tensor<16x4xf32>, tensor<16x64xf32>, tensor<8x64xf32>, tensor<f32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<6x4x8xf32>, %arg1: tensor<i32>) -> tensor<4x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 8] : (tensor<6x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    return %1 : tensor<4x8xf32>
  }
  func.func private @closed_call(%arg0: tensor<8x64xf32>, %arg1: tensor<16x64xf32>, %arg2: tensor<1x64xf32>, %arg3: tensor<4x16xf32>, %arg4: tensor<4x16xf32>, %arg5: tensor<4x8xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>) {
    %0 = stablehlo.dot_general %arg5, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x64xf32>) -> tensor<4x64xf32>
    %1 = stablehlo.dot_general %arg3, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<16x64xf32>) -> tensor<4x64xf32>
    %2 = stablehlo.add %0, %1 : tensor<4x64xf32>
    %3 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1] : (tensor<1x64xf32>) -> tensor<4x64xf32>
    %4 = stablehlo.add %2, %3 : tensor<4x64xf32>
    %5 = stablehlo.slice %4 [0:4, 0:16] : (tensor<4x64xf32>) -> tensor<4x16xf32>
    %6 = stablehlo.slice %4 [0:4, 16:32] : (tensor<4x64xf32>) -> tensor<4x16xf32>
    %7 = stablehlo.slice %4 [0:4, 32:48] : (tensor<4x64xf32>) -> tensor<4x16xf32>
    %8 = stablehlo.slice %4 [0:4, 48:64] : (tensor<4x64xf32>) -> tensor<4x16xf32>
    %9 = stablehlo.negate %6 : tensor<4x16xf32>
    %10 = stablehlo.exponential %9 : tensor<4x16xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %12 = stablehlo.add %11, %10 : tensor<4x16xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %14 = stablehlo.divide %13, %12 : tensor<4x16xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %16 = stablehlo.subtract %15, %14 : tensor<4x16xf32>
    %17 = stablehlo.multiply %14, %16 : tensor<4x16xf32>
    %18 = stablehlo.multiply %14, %arg4 : tensor<4x16xf32>
    %19 = stablehlo.negate %5 : tensor<4x16xf32>
    %20 = stablehlo.exponential %19 : tensor<4x16xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %22 = stablehlo.add %21, %20 : tensor<4x16xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %24 = stablehlo.divide %23, %22 : tensor<4x16xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %26 = stablehlo.subtract %25, %24 : tensor<4x16xf32>
    %27 = stablehlo.multiply %24, %26 : tensor<4x16xf32>
    %28 = stablehlo.tanh %8 : tensor<4x16xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %30 = stablehlo.subtract %29, %28 : tensor<4x16xf32>
    %31 = stablehlo.multiply %24, %28 : tensor<4x16xf32>
    %32 = stablehlo.add %18, %31 : tensor<4x16xf32>
    %33 = stablehlo.negate %7 : tensor<4x16xf32>
    %34 = stablehlo.exponential %33 : tensor<4x16xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %36 = stablehlo.add %35, %34 : tensor<4x16xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %38 = stablehlo.divide %37, %36 : tensor<4x16xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %40 = stablehlo.subtract %39, %38 : tensor<4x16xf32>
    %41 = stablehlo.multiply %38, %40 : tensor<4x16xf32>
    %42 = stablehlo.tanh %32 : tensor<4x16xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %44 = stablehlo.subtract %43, %42 : tensor<4x16xf32>
    %45 = stablehlo.multiply %38, %42 : tensor<4x16xf32>
    return %45, %32, %45, %arg3, %17, %arg4, %14, %27, %28, %30, %24, %41, %42, %44, %38 : tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<6x4x16xf32>, %arg1: tensor<4x16xf32>, %arg2: tensor<i32>) -> tensor<6x4x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x16xf32>) -> tensor<1x4x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<6x4x16xf32>, tensor<1x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x4x16xf32>
    return %1 : tensor<6x4x16xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<6x4x16xf32>, %arg1: tensor<i32>) -> tensor<4x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 16] : (tensor<6x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x16xf32>) -> tensor<4x16xf32>
    return %1 : tensor<4x16xf32>
  }
  func.func private @closed_call_1(%arg0: tensor<16x64xf32>, %arg1: tensor<8x64xf32>, %arg2: tensor<16x64xf32>, %arg3: tensor<64xf32>, %arg4: tensor<4x16xf32>, %arg5: tensor<4x16xf32>, %arg6: tensor<4x16xf32>, %arg7: tensor<4x8xf32>, %arg8: tensor<4x16xf32>, %arg9: tensor<4x16xf32>, %arg10: tensor<4x16xf32>, %arg11: tensor<4x16xf32>, %arg12: tensor<4x16xf32>, %arg13: tensor<4x16xf32>, %arg14: tensor<4x16xf32>, %arg15: tensor<4x16xf32>, %arg16: tensor<4x16xf32>, %arg17: tensor<4x16xf32>, %arg18: tensor<4x16xf32>, %arg19: tensor<4x16xf32>) -> (tensor<8x64xf32>, tensor<16x64xf32>, tensor<64xf32>, tensor<4x16xf32>, tensor<4x16xf32>) {
    %0 = stablehlo.add %arg4, %arg6 : tensor<4x16xf32>
    %1 = stablehlo.multiply %arg19, %0 : tensor<4x16xf32>
    %2 = stablehlo.multiply %0, %arg17 : tensor<4x16xf32>
    %3 = stablehlo.multiply %1, %arg18 : tensor<4x16xf32>
    %4 = stablehlo.add %arg5, %3 : tensor<4x16xf32>
    %5 = stablehlo.multiply %3, %arg17 : tensor<4x16xf32>
    %6 = stablehlo.add %4, %5 : tensor<4x16xf32>
    %7 = stablehlo.multiply %2, %arg16 : tensor<4x16xf32>
    %8 = stablehlo.multiply %arg15, %6 : tensor<4x16xf32>
    %9 = stablehlo.multiply %6, %arg13 : tensor<4x16xf32>
    %10 = stablehlo.multiply %8, %arg14 : tensor<4x16xf32>
    %11 = stablehlo.multiply %10, %arg13 : tensor<4x16xf32>
    %12 = stablehlo.add %10, %11 : tensor<4x16xf32>
    %13 = stablehlo.multiply %9, %arg12 : tensor<4x16xf32>
    %14 = stablehlo.multiply %arg11, %6 : tensor<4x16xf32>
    %15 = stablehlo.multiply %6, %arg10 : tensor<4x16xf32>
    %16 = stablehlo.multiply %15, %arg9 : tensor<4x16xf32>
    %17 = stablehlo.concatenate %13, %16, %7, %12, dim = 1 : (tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x64xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<4x64xf32>, tensor<f32>) -> tensor<64xf32>
    %19 = stablehlo.reshape %18 : (tensor<64xf32>) -> tensor<1x64xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.reduce(%19 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %21 = stablehlo.add %arg3, %20 : tensor<64xf32>
    %22 = stablehlo.dot_general %17, %arg8, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x64xf32>, tensor<4x16xf32>) -> tensor<64x16xf32>
    %23 = stablehlo.transpose %22, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %24 = stablehlo.add %arg2, %23 : tensor<16x64xf32>
    %25 = stablehlo.dot_general %17, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x64xf32>, tensor<16x64xf32>) -> tensor<4x16xf32>
    %26 = stablehlo.dot_general %17, %arg7, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x64xf32>, tensor<4x8xf32>) -> tensor<64x8xf32>
    %27 = stablehlo.transpose %26, dims = [1, 0] : (tensor<64x8xf32>) -> tensor<8x64xf32>
    %28 = stablehlo.add %arg1, %27 : tensor<8x64xf32>
    return %28, %24, %21, %25, %14 : tensor<8x64xf32>, tensor<16x64xf32>, tensor<64xf32>, tensor<4x16xf32>, tensor<4x16xf32>
  }
}
