module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x32x16xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<3x2x8x16xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<3x16x3x2x8xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<3x16x32xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<8x16xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<32x16xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<4x8xi32>, %arg7: tensor<4x8xi32>) -> (tensor<3x32x16xf32> {jax.result_info = "result[0]['layers']['down']"}, tensor<3x2x8x16xf32> {jax.result_info = "result[0]['layers']['out']"}, tensor<3x16x3x2x8xf32> {jax.result_info = "result[0]['layers']['qkv']"}, tensor<3x16x32xf32> {jax.result_info = "result[0]['layers']['up']"}, tensor<8x16xf32> {jax.result_info = "result[0]['wpe']"}, tensor<32x16xf32> {jax.result_info = "result[0]['wte']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x8xi32>
    %1 = stablehlo.compare LT, %arg6, %0, SIGNED : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi1>
    %c_0 = stablehlo.constant dense<32> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x8xi32>
    %3 = stablehlo.add %arg6, %2 : tensor<4x8xi32>
    %4 = stablehlo.select %1, %3, %arg6 : tensor<4x8xi1>, tensor<4x8xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<4x8xi32>) -> tensor<4x8x1xi32>
    %6 = "stablehlo.gather"(%arg5, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<32x16xf32>, tensor<4x8x1xi32>) -> tensor<4x8x16xf32>
    %7 = stablehlo.broadcast_in_dim %arg4, dims = [1, 2] : (tensor<8x16xf32>) -> tensor<1x8x16xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<1x8x16xf32>) -> tensor<4x8x16xf32>
    %9 = stablehlo.add %6, %8 : tensor<4x8x16xf32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %10:3 = call @_var(%c_1) : (tensor<i32>) -> (tensor<f32>, tensor<i1>, tensor<4x8x1xf32>)
    %c_2 = stablehlo.constant dense<true> : tensor<i1>
    %11 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i1>) -> tensor<8x8xi1>
    %12 = call @tril(%11) : (tensor<8x8xi1>) -> tensor<8x8xi1>
    %cst = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %13:2 = call @_where_0(%12, %cst) : (tensor<8x8xi1>, tensor<f32>) -> (tensor<4x2x8x8xi1>, tensor<4x2x8x8xf32>)
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %14:3 = call @_var(%c_3) : (tensor<i32>) -> (tensor<f32>, tensor<i1>, tensor<4x8x1xf32>)
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<3x4x8x16xf32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %16:15 = stablehlo.while(%iterArg = %arg0, %iterArg_30 = %arg1, %iterArg_31 = %arg2, %iterArg_32 = %arg3, %iterArg_33 = %10#0, %iterArg_34 = %10#1, %iterArg_35 = %10#2, %iterArg_36 = %13#0, %iterArg_37 = %13#1, %iterArg_38 = %14#0, %iterArg_39 = %14#1, %iterArg_40 = %14#2, %iterArg_41 = %c_5, %iterArg_42 = %9, %iterArg_43 = %15) : tensor<3x32x16xf32>, tensor<3x2x8x16xf32>, tensor<3x16x3x2x8xf32>, tensor<3x16x32xf32>, tensor<f32>, tensor<i1>, tensor<4x8x1xf32>, tensor<4x2x8x8xi1>, tensor<4x2x8x8xf32>, tensor<f32>, tensor<i1>, tensor<4x8x1xf32>, tensor<i32>, tensor<4x8x16xf32>, tensor<3x4x8x16xf32>
    cond {
      %c_44 = stablehlo.constant dense<3> : tensor<i32>
      %88 = stablehlo.compare LT, %iterArg_41, %c_44, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %88 : tensor<i1>
    } do {
      %88 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_41) : (tensor<3x32x16xf32>, tensor<i32>) -> tensor<32x16xf32>
      %89 = func.call @dynamic_index_in_dim_1(%iterArg_30, %iterArg_41) : (tensor<3x2x8x16xf32>, tensor<i32>) -> tensor<2x8x16xf32>
      %90 = func.call @dynamic_index_in_dim_2(%iterArg_31, %iterArg_41) : (tensor<3x16x3x2x8xf32>, tensor<i32>) -> tensor<16x3x2x8xf32>
      %91 = func.call @dynamic_index_in_dim_3(%iterArg_32, %iterArg_41) : (tensor<3x16x32xf32>, tensor<i32>) -> tensor<16x32xf32>
      %92:2 = func.call @closed_call(%iterArg_33, %iterArg_34, %iterArg_35, %iterArg_36, %iterArg_37, %iterArg_38, %iterArg_39, %iterArg_40, %iterArg_42, %88, %89, %90, %91) : (tensor<f32>, tensor<i1>, tensor<4x8x1xf32>, tensor<4x2x8x8xi1>, tensor<4x2x8x8xf32>, tensor<f32>, tensor<i1>, tensor<4x8x1xf32>, tensor<4x8x16xf32>, tensor<32x16xf32>, tensor<2x8x16xf32>, tensor<16x3x2x8xf32>, tensor<16x32xf32>) -> (tensor<4x8x16xf32>, tensor<4x8x16xf32>)
      %93 = func.call @dynamic_update_index_in_dim(%iterArg_43, %92#1, %iterArg_41) : (tensor<3x4x8x16xf32>, tensor<4x8x16xf32>, tensor<i32>) -> tensor<3x4x8x16xf32>
      %c_44 = stablehlo.constant dense<1> : tensor<i32>
      %94 = stablehlo.add %iterArg_41, %c_44 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_30, %iterArg_31, %iterArg_32, %iterArg_33, %iterArg_34, %iterArg_35, %iterArg_36, %iterArg_37, %iterArg_38, %iterArg_39, %iterArg_40, %94, %92#0, %93 : tensor<3x32x16xf32>, tensor<3x2x8x16xf32>, tensor<3x16x3x2x8xf32>, tensor<3x16x32xf32>, tensor<f32>, tensor<i1>, tensor<4x8x1xf32>, tensor<4x2x8x8xi1>, tensor<4x2x8x8xf32>, tensor<f32>, tensor<i1>, tensor<4x8x1xf32>, tensor<i32>, tensor<4x8x16xf32>, tensor<3x4x8x16xf32>
    }
    %17 = stablehlo.transpose %arg5, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %18 = stablehlo.dot_general %16#13, %17, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x32xf32>) -> tensor<4x8x32xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %19 = stablehlo.reduce(%18 init: %cst_6) applies stablehlo.maximum across dimensions = [2] : (tensor<4x8x32xf32>, tensor<f32>) -> tensor<4x8xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %21 = stablehlo.maximum %20, %19 : tensor<4x8xf32>
    %22 = stablehlo.is_finite %21 : (tensor<4x8xf32>) -> tensor<4x8xi1>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %24 = stablehlo.select %22, %21, %23 : tensor<4x8xi1>, tensor<4x8xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x32xf32>
    %27 = stablehlo.subtract %18, %26 : tensor<4x8x32xf32>
    %28 = stablehlo.exponential %27 : tensor<4x8x32xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.reduce(%28 init: %cst_9) applies stablehlo.add across dimensions = [2] : (tensor<4x8x32xf32>, tensor<f32>) -> tensor<4x8xf32>
    %30 = stablehlo.abs %29 : tensor<4x8xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %32 = stablehlo.compare GE, %29, %31, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %33 = stablehlo.log %30 : tensor<4x8xf32>
    %34 = stablehlo.add %33, %24 : tensor<4x8xf32>
    %35 = stablehlo.broadcast_in_dim %arg7, dims = [0, 1] : (tensor<4x8xi32>) -> tensor<4x8x1xi32>
    %36:2 = call @take_along_axis(%18, %35) : (tensor<4x8x32xf32>, tensor<4x8x1xi32>) -> (tensor<4x8x1xf32>, tensor<4x8x1x1xi32>)
    %37 = stablehlo.reshape %36#0 : (tensor<4x8x1xf32>) -> tensor<4x8xf32>
    %38 = stablehlo.subtract %34, %37 : tensor<4x8xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %39 = stablehlo.reduce(%38 init: %cst_11) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_12 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %40 = stablehlo.divide %39, %cst_12 : tensor<f32>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_14 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %41 = stablehlo.divide %cst_13, %cst_14 : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %43 = stablehlo.negate %42 : tensor<4x8xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %45 = call @take_along_axis_7(%36#1, %44) : (tensor<4x8x1x1xi32>, tensor<4x8x1xf32>) -> tensor<4x8x32xf32>
    %46 = stablehlo.divide %42, %30 : tensor<4x8xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %48 = stablehlo.select %32, %47, %46 : tensor<4x8xi1>, tensor<4x8xf32>
    %49 = stablehlo.select %32, %46, %47 : tensor<4x8xi1>, tensor<4x8xf32>
    %50 = stablehlo.negate %48 : tensor<4x8xf32>
    %51 = stablehlo.add %49, %50 : tensor<4x8xf32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x32xf32>
    %53 = stablehlo.multiply %52, %28 : tensor<4x8x32xf32>
    %54 = stablehlo.add %45, %53 : tensor<4x8x32xf32>
    %55 = stablehlo.dot_general %54, %16#13, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<4x8x16xf32>) -> tensor<32x16xf32>
    %56 = stablehlo.transpose %55, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %57 = stablehlo.dot_general %54, %17, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<16x32xf32>) -> tensor<4x8x16xf32>
    %58 = stablehlo.transpose %56, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<3x32x16xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<3x2x8x16xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<3x16x3x2x8xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<3x16x32xf32>
    %c_20 = stablehlo.constant dense<0> : tensor<i32>
    %63:11 = stablehlo.while(%iterArg = %16#14, %iterArg_30 = %arg0, %iterArg_31 = %arg1, %iterArg_32 = %arg2, %iterArg_33 = %arg3, %iterArg_34 = %c_20, %iterArg_35 = %57, %iterArg_36 = %59, %iterArg_37 = %60, %iterArg_38 = %61, %iterArg_39 = %62) : tensor<3x4x8x16xf32>, tensor<3x32x16xf32>, tensor<3x2x8x16xf32>, tensor<3x16x3x2x8xf32>, tensor<3x16x32xf32>, tensor<i32>, tensor<4x8x16xf32>, tensor<3x32x16xf32>, tensor<3x2x8x16xf32>, tensor<3x16x3x2x8xf32>, tensor<3x16x32xf32>
    cond {
      %c_40 = stablehlo.constant dense<3> : tensor<i32>
      %88 = stablehlo.compare LT, %iterArg_34, %c_40, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %88 : tensor<i1>
    } do {
      %c_40 = stablehlo.constant dense<3> : tensor<i32>
      %88 = stablehlo.subtract %c_40, %iterArg_34 : tensor<i32>
      %c_41 = stablehlo.constant dense<1> : tensor<i32>
      %89 = stablehlo.subtract %88, %c_41 : tensor<i32>
      %90 = func.call @dynamic_index_in_dim_8(%iterArg, %89) : (tensor<3x4x8x16xf32>, tensor<i32>) -> tensor<4x8x16xf32>
      %91 = func.call @dynamic_index_in_dim(%iterArg_30, %89) : (tensor<3x32x16xf32>, tensor<i32>) -> tensor<32x16xf32>
      %92 = func.call @dynamic_index_in_dim_1(%iterArg_31, %89) : (tensor<3x2x8x16xf32>, tensor<i32>) -> tensor<2x8x16xf32>
      %93 = func.call @dynamic_index_in_dim_2(%iterArg_32, %89) : (tensor<3x16x3x2x8xf32>, tensor<i32>) -> tensor<16x3x2x8xf32>
      %94 = func.call @dynamic_index_in_dim_3(%iterArg_33, %89) : (tensor<3x16x32xf32>, tensor<i32>) -> tensor<16x32xf32>
      %95:5 = func.call @closed_call_9(%iterArg_35, %90, %91, %92, %93, %94) : (tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<32x16xf32>, tensor<2x8x16xf32>, tensor<16x3x2x8xf32>, tensor<16x32xf32>) -> (tensor<4x8x16xf32>, tensor<32x16xf32>, tensor<2x8x16xf32>, tensor<16x3x2x8xf32>, tensor<16x32xf32>)
      %96 = func.call @dynamic_update_index_in_dim_17(%iterArg_36, %95#1, %89) : (tensor<3x32x16xf32>, tensor<32x16xf32>, tensor<i32>) -> tensor<3x32x16xf32>
      %97 = func.call @dynamic_update_index_in_dim_18(%iterArg_37, %95#2, %89) : (tensor<3x2x8x16xf32>, tensor<2x8x16xf32>, tensor<i32>) -> tensor<3x2x8x16xf32>
      %98 = func.call @dynamic_update_index_in_dim_19(%iterArg_38, %95#3, %89) : (tensor<3x16x3x2x8xf32>, tensor<16x3x2x8xf32>, tensor<i32>) -> tensor<3x16x3x2x8xf32>
      %99 = func.call @dynamic_update_index_in_dim_20(%iterArg_39, %95#4, %89) : (tensor<3x16x32xf32>, tensor<16x32xf32>, tensor<i32>) -> tensor<3x16x32xf32>
      %c_42 = stablehlo.constant dense<1> : tensor<i32>
      %100 = stablehlo.add %iterArg_34, %c_42 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_30, %iterArg_31, %iterArg_32, %iterArg_33, %100, %95#0, %96, %97, %98, %99 : tensor<3x4x8x16xf32>, tensor<3x32x16xf32>, tensor<3x2x8x16xf32>, tensor<3x16x3x2x8xf32>, tensor<3x16x32xf32>, tensor<i32>, tensor<4x8x16xf32>, tensor<3x32x16xf32>, tensor<3x2x8x16xf32>, tensor<3x16x3x2x8xf32>, tensor<3x16x32xf32>
    }
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %64 = stablehlo.reduce(%63#6 init: %cst_21) applies stablehlo.add across dimensions = [0] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<8x16xf32>
    %65 = stablehlo.reshape %64 : (tensor<8x16xf32>) -> tensor<1x8x16xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %66 = stablehlo.reduce(%65 init: %cst_22) applies stablehlo.add across dimensions = [0] : (tensor<1x8x16xf32>, tensor<f32>) -> tensor<8x16xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %68 = "stablehlo.scatter"(%67, %5, %63#6) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %88 = stablehlo.add %arg8, %arg9 : tensor<f32>
      stablehlo.return %88 : tensor<f32>
    }) : (tensor<32x16xf32>, tensor<4x8x1xi32>, tensor<4x8x16xf32>) -> tensor<32x16xf32>
    %69 = stablehlo.add %58, %68 : tensor<32x16xf32>
    %cst_24 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<3x32x16xf32>
    %71 = stablehlo.multiply %70, %63#7 : tensor<3x32x16xf32>
    %72 = stablehlo.subtract %arg0, %71 : tensor<3x32x16xf32>
    %cst_25 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<3x2x8x16xf32>
    %74 = stablehlo.multiply %73, %63#8 : tensor<3x2x8x16xf32>
    %75 = stablehlo.subtract %arg1, %74 : tensor<3x2x8x16xf32>
    %cst_26 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<3x16x3x2x8xf32>
    %77 = stablehlo.multiply %76, %63#9 : tensor<3x16x3x2x8xf32>
    %78 = stablehlo.subtract %arg2, %77 : tensor<3x16x3x2x8xf32>
    %cst_27 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %79 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<3x16x32xf32>
    %80 = stablehlo.multiply %79, %63#10 : tensor<3x16x32xf32>
    %81 = stablehlo.subtract %arg3, %80 : tensor<3x16x32xf32>
    %cst_28 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %83 = stablehlo.multiply %82, %66 : tensor<8x16xf32>
    %84 = stablehlo.subtract %arg4, %83 : tensor<8x16xf32>
    %cst_29 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %85 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %86 = stablehlo.multiply %85, %69 : tensor<32x16xf32>
    %87 = stablehlo.subtract %arg5, %86 : tensor<32x16xf32>
    return %72, %75, %78, %81, %84, %87, %40 : tensor<3x32x16xf32>, tensor<3x2x8x16xf32>, tensor<3x16x3x2x8xf32>, tensor<3x16x32xf32>, tensor<8x16xf32>, tensor<32x16xf32>, tensor<f32>
  }
  func.func private @_var(%arg0: tensor<i32>) -> (tensor<f32>, tensor<i1>, tensor<4x8x1xf32>) {
    %0 = stablehlo.convert %arg0 : (tensor<i32>) -> tensor<f32>
    %cst = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %1 = stablehlo.subtract %cst, %0 : tensor<f32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.compare GT, %1, %cst_0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %3 = call @_where(%cst_1) : (tensor<f32>) -> tensor<4x8x1xf32>
    return %1, %2, %3 : tensor<f32>, tensor<i1>, tensor<4x8x1xf32>
  }
  func.func private @_where(%arg0: tensor<f32>) -> tensor<4x8x1xf32> {
    %0 = stablehlo.convert %arg0 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    return %1 : tensor<4x8x1xf32>
  }
  func.func private @tril(%arg0: tensor<8x8xi1>) -> tensor<8x8xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<8x8xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x8xi32>
    %2 = stablehlo.add %0, %1 : tensor<8x8xi32>
    %3 = stablehlo.iota dim = 1 : tensor<8x8xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<8x8xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<8x8xi1>, tensor<8x8xi1>
    return %6 : tensor<8x8xi1>
  }
  func.func private @_where_0(%arg0: tensor<8x8xi1>, %arg1: tensor<f32>) -> (tensor<4x2x8x8xi1>, tensor<4x2x8x8xf32>) {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<4x2x8x8xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x2x8x8xf32>
    return %1, %2 : tensor<4x2x8x8xi1>, tensor<4x2x8x8xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<3x32x16xf32>, %arg1: tensor<i32>) -> tensor<32x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 32, 16] : (tensor<3x32x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x32x16xf32>) -> tensor<32x16xf32>
    return %1 : tensor<32x16xf32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<3x2x8x16xf32>, %arg1: tensor<i32>) -> tensor<2x8x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 2, 8, 16] : (tensor<3x2x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x8x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x8x16xf32>) -> tensor<2x8x16xf32>
    return %1 : tensor<2x8x16xf32>
  }
  func.func private @dynamic_index_in_dim_2(%arg0: tensor<3x16x3x2x8xf32>, %arg1: tensor<i32>) -> tensor<16x3x2x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, sizes = [1, 16, 3, 2, 8] : (tensor<3x16x3x2x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x3x2x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16x3x2x8xf32>) -> tensor<16x3x2x8xf32>
    return %1 : tensor<16x3x2x8xf32>
  }
  func.func private @dynamic_index_in_dim_3(%arg0: tensor<3x16x32xf32>, %arg1: tensor<i32>) -> tensor<16x32xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 16, 32] : (tensor<3x16x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x32xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16x32xf32>) -> tensor<16x32xf32>
    return %1 : tensor<16x32xf32>
  }
  func.func private @closed_call(%arg0: tensor<f32>, %arg1: tensor<i1>, %arg2: tensor<4x8x1xf32>, %arg3: tensor<4x2x8x8xi1>, %arg4: tensor<4x2x8x8xf32>, %arg5: tensor<f32>, %arg6: tensor<i1>, %arg7: tensor<4x8x1xf32>, %arg8: tensor<4x8x16xf32>, %arg9: tensor<32x16xf32>, %arg10: tensor<2x8x16xf32>, %arg11: tensor<16x3x2x8xf32>, %arg12: tensor<16x32xf32>) -> (tensor<4x8x16xf32>, tensor<4x8x16xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg8 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<4x8x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %5 = stablehlo.subtract %arg8, %4 : tensor<4x8x16xf32>
    %6 = call @_var_4(%arg8, %arg0, %arg1, %arg2) : (tensor<4x8x16xf32>, tensor<f32>, tensor<i1>, tensor<4x8x1xf32>) -> tensor<4x8x1xf32>
    %cst_1 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %8 = stablehlo.add %6, %7 : tensor<4x8x1xf32>
    %9 = stablehlo.rsqrt %8 : tensor<4x8x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %11 = stablehlo.multiply %5, %10 : tensor<4x8x16xf32>
    %12 = stablehlo.dot_general %11, %arg11, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x3x2x8xf32>) -> tensor<4x8x3x2x8xf32>
    %13 = stablehlo.transpose %12, dims = [2, 0, 1, 3, 4] : (tensor<4x8x3x2x8xf32>) -> tensor<3x4x8x2x8xf32>
    %14 = stablehlo.slice %13 [0:1, 0:4, 0:8, 0:2, 0:8] : (tensor<3x4x8x2x8xf32>) -> tensor<1x4x8x2x8xf32>
    %15 = stablehlo.reshape %14 : (tensor<1x4x8x2x8xf32>) -> tensor<4x8x2x8xf32>
    %16 = stablehlo.slice %13 [1:2, 0:4, 0:8, 0:2, 0:8] : (tensor<3x4x8x2x8xf32>) -> tensor<1x4x8x2x8xf32>
    %17 = stablehlo.reshape %16 : (tensor<1x4x8x2x8xf32>) -> tensor<4x8x2x8xf32>
    %18 = stablehlo.slice %13 [2:3, 0:4, 0:8, 0:2, 0:8] : (tensor<3x4x8x2x8xf32>) -> tensor<1x4x8x2x8xf32>
    %19 = stablehlo.reshape %18 : (tensor<1x4x8x2x8xf32>) -> tensor<4x8x2x8xf32>
    %20 = stablehlo.dot_general %15, %17, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x2x8xf32>, tensor<4x8x2x8xf32>) -> tensor<4x2x8x8xf32>
    %cst_2 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x2x8x8xf32>
    %22 = stablehlo.divide %20, %21 : tensor<4x2x8x8xf32>
    %23 = call @_where_6(%22, %arg3, %arg4) : (tensor<4x2x8x8xf32>, tensor<4x2x8x8xi1>, tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %24 = stablehlo.reduce(%23 init: %cst_3) applies stablehlo.maximum across dimensions = [3] : (tensor<4x2x8x8xf32>, tensor<f32>) -> tensor<4x2x8xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x2x8xf32>
    %26 = stablehlo.maximum %25, %24 : tensor<4x2x8xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2] : (tensor<4x2x8xf32>) -> tensor<4x2x8x1xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2, 3] : (tensor<4x2x8x1xf32>) -> tensor<4x2x8x8xf32>
    %29 = stablehlo.subtract %23, %28 : tensor<4x2x8x8xf32>
    %30 = stablehlo.exponential %29 : tensor<4x2x8x8xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.reduce(%30 init: %cst_5) applies stablehlo.add across dimensions = [3] : (tensor<4x2x8x8xf32>, tensor<f32>) -> tensor<4x2x8xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2] : (tensor<4x2x8xf32>) -> tensor<4x2x8x1xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2, 3] : (tensor<4x2x8x1xf32>) -> tensor<4x2x8x8xf32>
    %34 = stablehlo.divide %30, %33 : tensor<4x2x8x8xf32>
    %35 = stablehlo.dot_general %19, %34, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x2x8xf32>, tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
    %36 = stablehlo.dot_general %35, %arg10, contracting_dims = [1, 2] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x8xf32>, tensor<2x8x16xf32>) -> tensor<4x8x16xf32>
    %37 = stablehlo.add %arg8, %36 : tensor<4x8x16xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %38 = stablehlo.reduce(%37 init: %cst_6) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %39 = stablehlo.broadcast_in_dim %38, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_7 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %41 = stablehlo.divide %39, %40 : tensor<4x8x1xf32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %43 = stablehlo.subtract %37, %42 : tensor<4x8x16xf32>
    %44 = call @_var_4(%37, %arg5, %arg6, %arg7) : (tensor<4x8x16xf32>, tensor<f32>, tensor<i1>, tensor<4x8x1xf32>) -> tensor<4x8x1xf32>
    %cst_8 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %46 = stablehlo.add %44, %45 : tensor<4x8x1xf32>
    %47 = stablehlo.rsqrt %46 : tensor<4x8x1xf32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %49 = stablehlo.multiply %43, %48 : tensor<4x8x16xf32>
    %50 = stablehlo.dot_general %49, %arg12, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x32xf32>) -> tensor<4x8x32xf32>
    %51 = stablehlo.multiply %50, %50 : tensor<4x8x32xf32>
    %52 = stablehlo.multiply %51, %50 : tensor<4x8x32xf32>
    %cst_9 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %54 = stablehlo.multiply %53, %52 : tensor<4x8x32xf32>
    %55 = stablehlo.add %50, %54 : tensor<4x8x32xf32>
    %cst_10 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %57 = stablehlo.multiply %56, %55 : tensor<4x8x32xf32>
    %58 = stablehlo.tanh %57 : tensor<4x8x32xf32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %60 = stablehlo.add %59, %58 : tensor<4x8x32xf32>
    %cst_12 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %62 = stablehlo.multiply %61, %60 : tensor<4x8x32xf32>
    %63 = stablehlo.multiply %50, %62 : tensor<4x8x32xf32>
    %64 = stablehlo.dot_general %63, %arg9, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<32x16xf32>) -> tensor<4x8x16xf32>
    %65 = stablehlo.add %37, %64 : tensor<4x8x16xf32>
    return %65, %arg8 : tensor<4x8x16xf32>, tensor<4x8x16xf32>
  }
  func.func private @_var_4(%arg0: tensor<4x8x16xf32>, %arg1: tensor<f32>, %arg2: tensor<i1>, %arg3: tensor<4x8x1xf32>) -> tensor<4x8x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<4x8x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x8x16xf32>
    %6 = chlo.square %5 : tensor<4x8x16xf32> -> tensor<4x8x16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %9 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<4x8x1xf32>
    %11 = call @_where_5(%10, %arg2, %arg3) : (tensor<4x8x1xf32>, tensor<i1>, tensor<4x8x1xf32>) -> tensor<4x8x1xf32>
    return %11 : tensor<4x8x1xf32>
  }
  func.func private @_where_5(%arg0: tensor<4x8x1xf32>, %arg1: tensor<i1>, %arg2: tensor<4x8x1xf32>) -> tensor<4x8x1xf32> {
    %0 = stablehlo.select %arg1, %arg0, %arg2 : tensor<i1>, tensor<4x8x1xf32>
    return %0 : tensor<4x8x1xf32>
  }
  func.func private @_where_6(%arg0: tensor<4x2x8x8xf32>, %arg1: tensor<4x2x8x8xi1>, %arg2: tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32> {
    %0 = stablehlo.select %arg1, %arg0, %arg2 : tensor<4x2x8x8xi1>, tensor<4x2x8x8xf32>
    return %0 : tensor<4x2x8x8xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<3x4x8x16xf32>, %arg1: tensor<4x8x16xf32>, %arg2: tensor<i32>) -> tensor<3x4x8x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<4x8x16xf32>) -> tensor<1x4x8x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<3x4x8x16xf32>, tensor<1x4x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x4x8x16xf32>
    return %1 : tensor<3x4x8x16xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<4x8x32xf32>, %arg1: tensor<4x8x1xi32>) -> (tensor<4x8x1xf32>, tensor<4x8x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x8x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<4x8x1xi32>, tensor<4x8x1xi32>) -> tensor<4x8x1xi1>
    %c_0 = stablehlo.constant dense<32> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x8x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<4x8x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<4x8x1xi1>, tensor<4x8x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<4x8x1xi32>) -> tensor<4x8x1x1xi32>
    %c_1 = stablehlo.constant dense<31> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4x8x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<4x8x1x1xi32>, tensor<4x8x1x1xi32>) -> tensor<4x8x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [3] : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xi32>) -> tensor<4x8x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<4x8x1x1xi32>, tensor<4x8x1x1xi32>) -> tensor<4x8x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<4x8x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [3] : (tensor<4x8x1x1xi1>, tensor<i1>) -> tensor<4x8x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<4x8x32xf32>, tensor<4x8x1x1xi32>) -> tensor<4x8x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<4x8x1xi1>, tensor<4x8x1xf32>
    return %15, %5 : tensor<4x8x1xf32>, tensor<4x8x1x1xi32>
  }
  func.func private @take_along_axis_7(%arg0: tensor<4x8x1x1xi32>, %arg1: tensor<4x8x1xf32>) -> tensor<4x8x32xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4x8x32xf32>, tensor<4x8x1x1xi32>, tensor<4x8x1xf32>) -> tensor<4x8x32xf32>
    return %1 : tensor<4x8x32xf32>
  }
  func.func private @dynamic_index_in_dim_8(%arg0: tensor<3x4x8x16xf32>, %arg1: tensor<i32>) -> tensor<4x8x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 4, 8, 16] : (tensor<3x4x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x8x16xf32>) -> tensor<4x8x16xf32>
    return %1 : tensor<4x8x16xf32>
  }
  func.func private @closed_call_9(%arg0: tensor<4x8x16xf32>, %arg1: tensor<4x8x16xf32>, %arg2: tensor<32x16xf32>, %arg3: tensor<2x8x16xf32>, %arg4: tensor<16x3x2x8xf32>, %arg5: tensor<16x32xf32>) -> (tensor<4x8x16xf32>, tensor<32x16xf32>, tensor<2x8x16xf32>, tensor<16x3x2x8xf32>, tensor<16x32xf32>) {
    %0:6 = stablehlo.optimization_barrier %arg1, %arg2, %arg3, %arg4, %arg5, %arg0 : tensor<4x8x16xf32>, tensor<32x16xf32>, tensor<2x8x16xf32>, tensor<16x3x2x8xf32>, tensor<16x32xf32>, tensor<4x8x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0#0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %4 = stablehlo.divide %2, %3 : tensor<4x8x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %6 = stablehlo.subtract %0#0, %5 : tensor<4x8x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %7:4 = call @_var_10(%0#0, %c) : (tensor<4x8x16xf32>, tensor<i32>) -> (tensor<4x8x1xf32>, tensor<4x8x16xf32>, tensor<f32>, tensor<i1>)
    %cst_1 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %9 = stablehlo.add %7#0, %8 : tensor<4x8x1xf32>
    %10 = stablehlo.rsqrt %9 : tensor<4x8x1xf32>
    %11 = stablehlo.divide %10, %9 : tensor<4x8x1xf32>
    %cst_2 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %13 = stablehlo.multiply %12, %11 : tensor<4x8x1xf32>
    %14 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %15 = stablehlo.multiply %6, %14 : tensor<4x8x16xf32>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %16 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i1>) -> tensor<8x8xi1>
    %17 = call @tril_12(%16) : (tensor<8x8xi1>) -> tensor<8x8xi1>
    %18 = stablehlo.dot_general %15, %0#3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x3x2x8xf32>) -> tensor<4x8x3x2x8xf32>
    %19 = stablehlo.transpose %18, dims = [2, 0, 1, 3, 4] : (tensor<4x8x3x2x8xf32>) -> tensor<3x4x8x2x8xf32>
    %20 = stablehlo.slice %19 [0:1, 0:4, 0:8, 0:2, 0:8] : (tensor<3x4x8x2x8xf32>) -> tensor<1x4x8x2x8xf32>
    %21 = stablehlo.reshape %20 : (tensor<1x4x8x2x8xf32>) -> tensor<4x8x2x8xf32>
    %22 = stablehlo.slice %19 [1:2, 0:4, 0:8, 0:2, 0:8] : (tensor<3x4x8x2x8xf32>) -> tensor<1x4x8x2x8xf32>
    %23 = stablehlo.reshape %22 : (tensor<1x4x8x2x8xf32>) -> tensor<4x8x2x8xf32>
    %24 = stablehlo.slice %19 [2:3, 0:4, 0:8, 0:2, 0:8] : (tensor<3x4x8x2x8xf32>) -> tensor<1x4x8x2x8xf32>
    %25 = stablehlo.reshape %24 : (tensor<1x4x8x2x8xf32>) -> tensor<4x8x2x8xf32>
    %26 = stablehlo.dot_general %21, %23, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x2x8xf32>, tensor<4x8x2x8xf32>) -> tensor<4x2x8x8xf32>
    %cst_4 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x2x8x8xf32>
    %28 = stablehlo.divide %26, %27 : tensor<4x2x8x8xf32>
    %cst_5 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %29:2 = call @_where_13(%17, %28, %cst_5) : (tensor<8x8xi1>, tensor<4x2x8x8xf32>, tensor<f32>) -> (tensor<4x2x8x8xf32>, tensor<4x2x8x8xi1>)
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %30 = stablehlo.reduce(%29#0 init: %cst_6) applies stablehlo.maximum across dimensions = [3] : (tensor<4x2x8x8xf32>, tensor<f32>) -> tensor<4x2x8xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x2x8xf32>
    %32 = stablehlo.maximum %31, %30 : tensor<4x2x8xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2] : (tensor<4x2x8xf32>) -> tensor<4x2x8x1xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2, 3] : (tensor<4x2x8x1xf32>) -> tensor<4x2x8x8xf32>
    %35 = stablehlo.subtract %29#0, %34 : tensor<4x2x8x8xf32>
    %36 = stablehlo.exponential %35 : tensor<4x2x8x8xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %37 = stablehlo.reduce(%36 init: %cst_8) applies stablehlo.add across dimensions = [3] : (tensor<4x2x8x8xf32>, tensor<f32>) -> tensor<4x2x8xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2] : (tensor<4x2x8xf32>) -> tensor<4x2x8x1xf32>
    %39 = stablehlo.broadcast_in_dim %38, dims = [0, 1, 2, 3] : (tensor<4x2x8x1xf32>) -> tensor<4x2x8x8xf32>
    %40 = stablehlo.divide %36, %39 : tensor<4x2x8x8xf32>
    %41 = stablehlo.multiply %38, %38 : tensor<4x2x8x1xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x2x8x1xf32>
    %43 = stablehlo.divide %42, %41 : tensor<4x2x8x1xf32>
    %44 = stablehlo.dot_general %25, %40, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x2x8xf32>, tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
    %45 = stablehlo.dot_general %44, %0#2, contracting_dims = [1, 2] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x8xf32>, tensor<2x8x16xf32>) -> tensor<4x8x16xf32>
    %46 = stablehlo.add %0#0, %45 : tensor<4x8x16xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.reduce(%46 init: %cst_10) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_11 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %50 = stablehlo.divide %48, %49 : tensor<4x8x1xf32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %52 = stablehlo.subtract %46, %51 : tensor<4x8x16xf32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %53:4 = call @_var_10(%46, %c_12) : (tensor<4x8x16xf32>, tensor<i32>) -> (tensor<4x8x1xf32>, tensor<4x8x16xf32>, tensor<f32>, tensor<i1>)
    %cst_13 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %55 = stablehlo.add %53#0, %54 : tensor<4x8x1xf32>
    %56 = stablehlo.rsqrt %55 : tensor<4x8x1xf32>
    %57 = stablehlo.divide %56, %55 : tensor<4x8x1xf32>
    %cst_14 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %59 = stablehlo.multiply %58, %57 : tensor<4x8x1xf32>
    %60 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %61 = stablehlo.multiply %52, %60 : tensor<4x8x16xf32>
    %62 = stablehlo.dot_general %61, %0#4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x32xf32>) -> tensor<4x8x32xf32>
    %63 = stablehlo.multiply %62, %62 : tensor<4x8x32xf32>
    %64 = stablehlo.multiply %63, %62 : tensor<4x8x32xf32>
    %65 = stablehlo.multiply %62, %62 : tensor<4x8x32xf32>
    %cst_15 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %67 = stablehlo.multiply %66, %65 : tensor<4x8x32xf32>
    %cst_16 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %69 = stablehlo.multiply %68, %64 : tensor<4x8x32xf32>
    %70 = stablehlo.add %62, %69 : tensor<4x8x32xf32>
    %cst_17 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %72 = stablehlo.multiply %71, %70 : tensor<4x8x32xf32>
    %73 = stablehlo.tanh %72 : tensor<4x8x32xf32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %75 = stablehlo.subtract %74, %73 : tensor<4x8x32xf32>
    %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %77 = stablehlo.add %76, %73 : tensor<4x8x32xf32>
    %cst_20 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %79 = stablehlo.multiply %78, %77 : tensor<4x8x32xf32>
    %80 = stablehlo.multiply %62, %79 : tensor<4x8x32xf32>
    %81 = stablehlo.dot_general %0#5, %80, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x8x32xf32>) -> tensor<16x32xf32>
    %82 = stablehlo.transpose %81, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %83 = stablehlo.dot_general %0#5, %0#1, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<32x16xf32>) -> tensor<4x8x32xf32>
    %84 = stablehlo.multiply %62, %83 : tensor<4x8x32xf32>
    %85 = stablehlo.multiply %83, %79 : tensor<4x8x32xf32>
    %cst_21 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %87 = stablehlo.multiply %86, %84 : tensor<4x8x32xf32>
    %88 = stablehlo.multiply %87, %75 : tensor<4x8x32xf32>
    %89 = stablehlo.multiply %88, %73 : tensor<4x8x32xf32>
    %90 = stablehlo.add %88, %89 : tensor<4x8x32xf32>
    %cst_22 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %91 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %92 = stablehlo.multiply %91, %90 : tensor<4x8x32xf32>
    %93 = stablehlo.add %85, %92 : tensor<4x8x32xf32>
    %cst_23 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %94 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %95 = stablehlo.multiply %94, %92 : tensor<4x8x32xf32>
    %96 = stablehlo.multiply %95, %67 : tensor<4x8x32xf32>
    %97 = stablehlo.add %93, %96 : tensor<4x8x32xf32>
    %98 = stablehlo.dot_general %97, %61, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<4x8x16xf32>) -> tensor<32x16xf32>
    %99 = stablehlo.transpose %98, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %100 = stablehlo.dot_general %97, %0#4, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<16x32xf32>) -> tensor<4x8x16xf32>
    %101 = stablehlo.multiply %52, %100 : tensor<4x8x16xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %102 = stablehlo.reduce(%101 init: %cst_24) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %103 = stablehlo.reshape %102 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %104 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %105 = stablehlo.multiply %100, %104 : tensor<4x8x16xf32>
    %106 = stablehlo.multiply %103, %59 : tensor<4x8x1xf32>
    %107 = call @_var_14(%53#1, %53#2, %53#3, %106) : (tensor<4x8x16xf32>, tensor<f32>, tensor<i1>, tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %108 = stablehlo.add %0#5, %107 : tensor<4x8x16xf32>
    %109 = stablehlo.negate %105 : tensor<4x8x16xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %110 = stablehlo.reduce(%109 init: %cst_25) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %111 = stablehlo.reshape %110 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %112 = stablehlo.add %108, %105 : tensor<4x8x16xf32>
    %cst_26 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %113 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %114 = stablehlo.divide %111, %113 : tensor<4x8x1xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %115 = stablehlo.reduce(%114 init: %cst_27) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %116 = stablehlo.broadcast_in_dim %115, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %117 = stablehlo.add %112, %116 : tensor<4x8x16xf32>
    %118 = stablehlo.dot_general %117, %44, contracting_dims = [0, 1] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x2x8x8xf32>) -> tensor<16x2x8xf32>
    %119 = stablehlo.transpose %118, dims = [1, 2, 0] : (tensor<16x2x8xf32>) -> tensor<2x8x16xf32>
    %120 = stablehlo.dot_general %117, %0#2, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<2x8x16xf32>) -> tensor<4x8x2x8xf32>
    %121 = stablehlo.transpose %120, dims = [0, 2, 3, 1] : (tensor<4x8x2x8xf32>) -> tensor<4x2x8x8xf32>
    %122 = stablehlo.dot_general %121, %25, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x8xf32>, tensor<4x8x2x8xf32>) -> tensor<4x2x8x8xf32>
    %123 = stablehlo.dot_general %121, %40, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x8xf32>, tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
    %124 = stablehlo.transpose %123, dims = [0, 3, 1, 2] : (tensor<4x2x8x8xf32>) -> tensor<4x8x2x8xf32>
    %125 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2, 3] : (tensor<4x2x8x1xf32>) -> tensor<4x2x8x8xf32>
    %126 = stablehlo.multiply %122, %125 : tensor<4x2x8x8xf32>
    %127 = stablehlo.multiply %126, %36 : tensor<4x2x8x8xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %128 = stablehlo.reduce(%127 init: %cst_28) applies stablehlo.add across dimensions = [3] : (tensor<4x2x8x8xf32>, tensor<f32>) -> tensor<4x2x8xf32>
    %129 = stablehlo.reshape %128 : (tensor<4x2x8xf32>) -> tensor<4x2x8x1xf32>
    %130 = stablehlo.negate %129 : tensor<4x2x8x1xf32>
    %131 = stablehlo.broadcast_in_dim %38, dims = [0, 1, 2, 3] : (tensor<4x2x8x1xf32>) -> tensor<4x2x8x8xf32>
    %132 = stablehlo.divide %122, %131 : tensor<4x2x8x8xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %133 = stablehlo.reduce(%130 init: %cst_29) applies stablehlo.add across dimensions = [3] : (tensor<4x2x8x1xf32>, tensor<f32>) -> tensor<4x2x8xf32>
    %134 = stablehlo.broadcast_in_dim %133, dims = [0, 1, 2] : (tensor<4x2x8xf32>) -> tensor<4x2x8x8xf32>
    %135 = stablehlo.add %132, %134 : tensor<4x2x8x8xf32>
    %136 = stablehlo.multiply %135, %36 : tensor<4x2x8x8xf32>
    %137 = call @_where_16(%29#1, %136) : (tensor<4x2x8x8xi1>, tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
    %cst_30 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %138 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<4x2x8x8xf32>
    %139 = stablehlo.divide %137, %138 : tensor<4x2x8x8xf32>
    %140 = stablehlo.dot_general %139, %21, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x8xf32>, tensor<4x8x2x8xf32>) -> tensor<4x2x8x8xf32>
    %141 = stablehlo.transpose %140, dims = [0, 2, 1, 3] : (tensor<4x2x8x8xf32>) -> tensor<4x8x2x8xf32>
    %142 = stablehlo.dot_general %139, %23, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x2x8x8xf32>, tensor<4x8x2x8xf32>) -> tensor<4x2x8x8xf32>
    %143 = stablehlo.transpose %142, dims = [0, 2, 1, 3] : (tensor<4x2x8x8xf32>) -> tensor<4x8x2x8xf32>
    %144 = stablehlo.broadcast_in_dim %124, dims = [1, 2, 3, 4] : (tensor<4x8x2x8xf32>) -> tensor<1x4x8x2x8xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %145 = stablehlo.pad %144, %cst_31, low = [2, 0, 0, 0, 0], high = [0, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x4x8x2x8xf32>, tensor<f32>) -> tensor<3x4x8x2x8xf32>
    %146 = stablehlo.broadcast_in_dim %141, dims = [1, 2, 3, 4] : (tensor<4x8x2x8xf32>) -> tensor<1x4x8x2x8xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %147 = stablehlo.pad %146, %cst_32, low = [1, 0, 0, 0, 0], high = [1, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x4x8x2x8xf32>, tensor<f32>) -> tensor<3x4x8x2x8xf32>
    %148 = stablehlo.add %145, %147 : tensor<3x4x8x2x8xf32>
    %149 = stablehlo.broadcast_in_dim %143, dims = [1, 2, 3, 4] : (tensor<4x8x2x8xf32>) -> tensor<1x4x8x2x8xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %150 = stablehlo.pad %149, %cst_33, low = [0, 0, 0, 0, 0], high = [2, 0, 0, 0, 0], interior = [0, 0, 0, 0, 0] : (tensor<1x4x8x2x8xf32>, tensor<f32>) -> tensor<3x4x8x2x8xf32>
    %151 = stablehlo.add %148, %150 : tensor<3x4x8x2x8xf32>
    %152 = stablehlo.transpose %151, dims = [1, 2, 0, 3, 4] : (tensor<3x4x8x2x8xf32>) -> tensor<4x8x3x2x8xf32>
    %153 = stablehlo.dot_general %152, %15, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x3x2x8xf32>, tensor<4x8x16xf32>) -> tensor<3x2x8x16xf32>
    %154 = stablehlo.transpose %153, dims = [3, 0, 1, 2] : (tensor<3x2x8x16xf32>) -> tensor<16x3x2x8xf32>
    %155 = stablehlo.dot_general %152, %0#3, contracting_dims = [2, 3, 4] x [1, 2, 3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x3x2x8xf32>, tensor<16x3x2x8xf32>) -> tensor<4x8x16xf32>
    %156 = stablehlo.multiply %6, %155 : tensor<4x8x16xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %157 = stablehlo.reduce(%156 init: %cst_34) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %158 = stablehlo.reshape %157 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %159 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %160 = stablehlo.multiply %155, %159 : tensor<4x8x16xf32>
    %161 = stablehlo.multiply %158, %13 : tensor<4x8x1xf32>
    %162 = call @_var_14(%7#1, %7#2, %7#3, %161) : (tensor<4x8x16xf32>, tensor<f32>, tensor<i1>, tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %163 = stablehlo.add %117, %162 : tensor<4x8x16xf32>
    %164 = stablehlo.negate %160 : tensor<4x8x16xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %165 = stablehlo.reduce(%164 init: %cst_35) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %166 = stablehlo.reshape %165 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %167 = stablehlo.add %163, %160 : tensor<4x8x16xf32>
    %cst_36 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %168 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %169 = stablehlo.divide %166, %168 : tensor<4x8x1xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %170 = stablehlo.reduce(%169 init: %cst_37) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %171 = stablehlo.broadcast_in_dim %170, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %172 = stablehlo.add %167, %171 : tensor<4x8x16xf32>
    return %172, %82, %119, %154, %99 : tensor<4x8x16xf32>, tensor<32x16xf32>, tensor<2x8x16xf32>, tensor<16x3x2x8xf32>, tensor<16x32xf32>
  }
  func.func private @_var_10(%arg0: tensor<4x8x16xf32>, %arg1: tensor<i32>) -> (tensor<4x8x1xf32>, tensor<4x8x16xf32>, tensor<f32>, tensor<i1>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<4x8x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x8x16xf32>
    %6 = chlo.square %5 : tensor<4x8x16xf32> -> tensor<4x8x16xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %8 = stablehlo.multiply %7, %5 : tensor<4x8x16xf32>
    %9 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %10 = stablehlo.subtract %cst_2, %9 : tensor<f32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%6 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %13 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %14 = stablehlo.divide %12, %13 : tensor<4x8x1xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.compare GT, %10, %cst_4, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_5 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %16 = call @_where_11(%15, %14, %cst_5) : (tensor<i1>, tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8x1xf32>
    return %16, %8, %10, %15 : tensor<4x8x1xf32>, tensor<4x8x16xf32>, tensor<f32>, tensor<i1>
  }
  func.func private @_where_11(%arg0: tensor<i1>, %arg1: tensor<4x8x1xf32>, %arg2: tensor<f32>) -> tensor<4x8x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<4x8x1xf32>
    return %2 : tensor<4x8x1xf32>
  }
  func.func private @tril_12(%arg0: tensor<8x8xi1>) -> tensor<8x8xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<8x8xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x8xi32>
    %2 = stablehlo.add %0, %1 : tensor<8x8xi32>
    %3 = stablehlo.iota dim = 1 : tensor<8x8xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<8x8xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<8x8xi1>, tensor<8x8xi1>
    return %6 : tensor<8x8xi1>
  }
  func.func private @_where_13(%arg0: tensor<8x8xi1>, %arg1: tensor<4x2x8x8xf32>, %arg2: tensor<f32>) -> (tensor<4x2x8x8xf32>, tensor<4x2x8x8xi1>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<4x2x8x8xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x2x8x8xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<4x2x8x8xi1>, tensor<4x2x8x8xf32>
    return %3, %1 : tensor<4x2x8x8xf32>, tensor<4x2x8x8xi1>
  }
  func.func private @_var_14(%arg0: tensor<4x8x16xf32>, %arg1: tensor<f32>, %arg2: tensor<i1>, %arg3: tensor<4x8x1xf32>) -> tensor<4x8x16xf32> {
    %0 = call @_where_15(%arg2, %arg3) : (tensor<i1>, tensor<4x8x1xf32>) -> tensor<4x8x1xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %2 = stablehlo.divide %0, %1 : tensor<4x8x1xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %5 = stablehlo.multiply %4, %arg0 : tensor<4x8x16xf32>
    %6 = stablehlo.negate %5 : tensor<4x8x16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %8 = stablehlo.reshape %7 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_1 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<4x8x1xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %13 = stablehlo.add %5, %12 : tensor<4x8x16xf32>
    return %13 : tensor<4x8x16xf32>
  }
  func.func private @_where_15(%arg0: tensor<i1>, %arg1: tensor<4x8x1xf32>) -> tensor<4x8x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<i1>, tensor<4x8x1xf32>
    return %1 : tensor<4x8x1xf32>
  }
  func.func private @_where_16(%arg0: tensor<4x2x8x8xi1>, %arg1: tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x2x8x8xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<4x2x8x8xi1>, tensor<4x2x8x8xf32>
    return %1 : tensor<4x2x8x8xf32>
  }
  func.func private @dynamic_update_index_in_dim_17(%arg0: tensor<3x32x16xf32>, %arg1: tensor<32x16xf32>, %arg2: tensor<i32>) -> tensor<3x32x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<32x16xf32>) -> tensor<1x32x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<3x32x16xf32>, tensor<1x32x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x32x16xf32>
    return %1 : tensor<3x32x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_18(%arg0: tensor<3x2x8x16xf32>, %arg1: tensor<2x8x16xf32>, %arg2: tensor<i32>) -> tensor<3x2x8x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<2x8x16xf32>) -> tensor<1x2x8x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<3x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x2x8x16xf32>
    return %1 : tensor<3x2x8x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_19(%arg0: tensor<3x16x3x2x8xf32>, %arg1: tensor<16x3x2x8xf32>, %arg2: tensor<i32>) -> tensor<3x16x3x2x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<16x3x2x8xf32>) -> tensor<1x16x3x2x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2 : (tensor<3x16x3x2x8xf32>, tensor<1x16x3x2x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x16x3x2x8xf32>
    return %1 : tensor<3x16x3x2x8xf32>
  }
  func.func private @dynamic_update_index_in_dim_20(%arg0: tensor<3x16x32xf32>, %arg1: tensor<16x32xf32>, %arg2: tensor<i32>) -> tensor<3x16x32xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<16x32xf32>) -> tensor<1x16x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<3x16x32xf32>, tensor<1x16x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x16x32xf32>
    return %1 : tensor<3x16x32xf32>
  }
}
