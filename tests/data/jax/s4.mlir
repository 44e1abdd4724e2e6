module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x3xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<4x3xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<4x3xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<4x3xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<5x4xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<4x3xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<4x6x5xf32>, %arg7: tensor<4x6xf32>) -> (tensor<4x3xf32> {jax.result_info = "result[0]['a']"}, tensor<4x3xf32> {jax.result_info = "result[0]['c']"}, tensor<4x3xf32> {jax.result_info = "result[0]['d']"}, tensor<4x3xf32> {jax.result_info = "result[0]['dt']"}, tensor<5x4xf32> {jax.result_info = "result[0]['in']"}, tensor<4x3xf32> {jax.result_info = "result[0]['w']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %0:2 = call @softplus(%arg3) : (tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<4x3xf32>)
    %1 = stablehlo.exponential %arg0 : tensor<4x3xf32>
    %2 = stablehlo.negate %1 : tensor<4x3xf32>
    %3 = stablehlo.multiply %2, %0#0 : tensor<4x3xf32>
    %4 = stablehlo.exponential %3 : tensor<4x3xf32>
    %5 = stablehlo.multiply %arg5, %0#0 : tensor<4x3xf32>
    %6 = stablehlo.cosine %5 : tensor<4x3xf32>
    %7 = stablehlo.sine %5 : tensor<4x3xf32>
    %8 = stablehlo.multiply %4, %6 : tensor<4x3xf32>
    %9 = stablehlo.multiply %arg5, %0#0 : tensor<4x3xf32>
    %10 = stablehlo.sine %9 : tensor<4x3xf32>
    %11 = stablehlo.cosine %9 : tensor<4x3xf32>
    %12 = stablehlo.multiply %4, %10 : tensor<4x3xf32>
    %13 = stablehlo.dot_general %arg6, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6x5xf32>, tensor<5x4xf32>) -> tensor<4x6x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x4x3xf32>
    %15 = stablehlo.transpose %13, dims = [1, 0, 2] : (tensor<4x6x4xf32>) -> tensor<6x4x4xf32>
    %16 = stablehlo.reshape %15 : (tensor<6x4x4xf32>) -> tensor<2x3x4x4xf32>
    %17:6 = call @closed_call(%8, %12, %arg1, %arg2) : (tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>) -> (tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>)
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x3x4x4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x4x3xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x4x3xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %21:13 = stablehlo.while(%iterArg = %16, %iterArg_37 = %17#0, %iterArg_38 = %17#1, %iterArg_39 = %17#2, %iterArg_40 = %17#3, %iterArg_41 = %17#4, %iterArg_42 = %17#5, %iterArg_43 = %c, %iterArg_44 = %14, %iterArg_45 = %14, %iterArg_46 = %18, %iterArg_47 = %19, %iterArg_48 = %20) : tensor<2x3x4x4xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<i32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<2x3x4x4xf32>, tensor<2x4x4x3xf32>, tensor<2x4x4x3xf32>
    cond {
      %c_49 = stablehlo.constant dense<2> : tensor<i32>
      %141 = stablehlo.compare LT, %iterArg_43, %c_49, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %141 : tensor<i1>
    } do {
      %141 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_43) : (tensor<2x3x4x4xf32>, tensor<i32>) -> tensor<3x4x4xf32>
      %142:5 = func.call @closed_call_0(%iterArg_37, %iterArg_38, %iterArg_39, %iterArg_40, %iterArg_41, %iterArg_42, %iterArg_44, %iterArg_45, %141) : (tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<3x4x4xf32>) -> (tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<3x4x4xf32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>)
      %143 = func.call @dynamic_update_index_in_dim_4(%iterArg_46, %142#2, %iterArg_43) : (tensor<2x3x4x4xf32>, tensor<3x4x4xf32>, tensor<i32>) -> tensor<2x3x4x4xf32>
      %144 = func.call @dynamic_update_index_in_dim_5(%iterArg_47, %142#3, %iterArg_43) : (tensor<2x4x4x3xf32>, tensor<4x4x3xf32>, tensor<i32>) -> tensor<2x4x4x3xf32>
      %145 = func.call @dynamic_update_index_in_dim_5(%iterArg_48, %142#4, %iterArg_43) : (tensor<2x4x4x3xf32>, tensor<4x4x3xf32>, tensor<i32>) -> tensor<2x4x4x3xf32>
      %c_49 = stablehlo.constant dense<1> : tensor<i32>
      %146 = stablehlo.add %iterArg_43, %c_49 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_37, %iterArg_38, %iterArg_39, %iterArg_40, %iterArg_41, %iterArg_42, %146, %142#0, %142#1, %143, %144, %145 : tensor<2x3x4x4xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<i32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<2x3x4x4xf32>, tensor<2x4x4x3xf32>, tensor<2x4x4x3xf32>
    }
    %22 = stablehlo.reshape %21#10 : (tensor<2x3x4x4xf32>) -> tensor<6x4x4xf32>
    %23 = stablehlo.transpose %22, dims = [1, 0, 2] : (tensor<6x4x4xf32>) -> tensor<4x6x4xf32>
    %24 = call @_roll_static(%23) : (tensor<4x6x4xf32>) -> tensor<4x6x4xf32>
    %25 = stablehlo.negate %24 : tensor<4x6x4xf32>
    %26 = stablehlo.exponential %25 : tensor<4x6x4xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x6x4xf32>
    %28 = stablehlo.add %27, %26 : tensor<4x6x4xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x6x4xf32>
    %30 = stablehlo.divide %29, %28 : tensor<4x6x4xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x6x4xf32>
    %32 = stablehlo.subtract %31, %30 : tensor<4x6x4xf32>
    %33 = stablehlo.multiply %30, %32 : tensor<4x6x4xf32>
    %34 = stablehlo.multiply %23, %30 : tensor<4x6x4xf32>
    %35 = call @cumsum(%13) : (tensor<4x6x4xf32>) -> tensor<4x6x4xf32>
    %36 = stablehlo.reverse %35, dims = [1] : tensor<4x6x4xf32>
    %37 = stablehlo.add %34, %36 : tensor<4x6x4xf32>
    %values, %indices = chlo.top_k(%37, k = 2) : tensor<4x6x4xf32> -> (tensor<4x6x2xf32>, tensor<4x6x2xi32>)
    %38 = stablehlo.reshape %indices : (tensor<4x6x2xi32>) -> tensor<4x6x2x1xi32>
    %39:2 = call @sort(%37) : (tensor<4x6x4xf32>) -> (tensor<4x6x4xf32>, tensor<4x6x4x1xui32>)
    %40 = stablehlo.slice %39#0 [0:4, 0:6, 1:2] : (tensor<4x6x4xf32>) -> tensor<4x6x1xf32>
    %41 = stablehlo.reshape %40 : (tensor<4x6x1xf32>) -> tensor<4x6xf32>
    %cst_6 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %43 = stablehlo.compare GT, %arg7, %42, FLOAT : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %44 = stablehlo.reduce(%values init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<4x6x2xf32>, tensor<f32>) -> tensor<4x6xf32>
    %45 = stablehlo.subtract %44, %arg7 : tensor<4x6xf32>
    %46 = stablehlo.abs %45 : tensor<4x6xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %48 = stablehlo.compare GE, %45, %47, FLOAT : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
    %49 = stablehlo.subtract %41, %arg7 : tensor<4x6xf32>
    %50 = chlo.square %49 : tensor<4x6xf32> -> tensor<4x6xf32>
    %cst_9 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %52 = stablehlo.multiply %51, %49 : tensor<4x6xf32>
    %53 = call @_where(%43, %46, %50) : (tensor<4x6xi1>, tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %c_11 = stablehlo.constant dense<3> : tensor<i32>
    %54:3 = call @clip(%53, %c_10, %c_11) : (tensor<4x6xf32>, tensor<i32>, tensor<i32>) -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>)
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %55 = stablehlo.reduce(%54#0 init: %cst_12) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<f32>
    %cst_13 = stablehlo.constant dense<2.400000e+01> : tensor<f32>
    %56 = stablehlo.divide %55, %cst_13 : tensor<f32>
    %c_14 = stablehlo.constant dense<0> : tensor<i32>
    %57:4 = call @_var(%37, %c_14) : (tensor<4x6x4xf32>, tensor<i32>) -> (tensor<f32>, tensor<4x6x4xf32>, tensor<f32>, tensor<i1>)
    %cst_15 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %58 = stablehlo.multiply %57#0, %cst_15 : tensor<f32>
    %59 = stablehlo.add %56, %58 : tensor<f32>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_17 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %60 = stablehlo.multiply %cst_16, %cst_17 : tensor<f32>
    %61 = call @_var_8(%57#1, %57#2, %57#3, %60) : (tensor<4x6x4xf32>, tensor<f32>, tensor<i1>, tensor<f32>) -> tensor<4x6x4xf32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_19 = stablehlo.constant dense<2.400000e+01> : tensor<f32>
    %62 = stablehlo.divide %cst_18, %cst_19 : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %62, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %64 = call @clip_10(%54#1, %54#2, %63) : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %65:2 = call @_where_11(%43, %64) : (tensor<4x6xi1>, tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>)
    %66 = stablehlo.multiply %65#1, %52 : tensor<4x6xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %68 = stablehlo.select %48, %67, %65#0 : tensor<4x6xi1>, tensor<4x6xf32>
    %69 = stablehlo.select %48, %65#0, %67 : tensor<4x6xi1>, tensor<4x6xf32>
    %70 = stablehlo.negate %68 : tensor<4x6xf32>
    %71 = stablehlo.add %69, %70 : tensor<4x6xf32>
    %72 = stablehlo.broadcast_in_dim %71, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x2xf32>
    %73 = stablehlo.broadcast_in_dim %66, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %74 = stablehlo.pad %73, %cst_21, low = [0, 0, 1], high = [0, 0, 2], interior = [0, 0, 0] : (tensor<4x6x1xf32>, tensor<f32>) -> tensor<4x6x4xf32>
    %75 = call @sort_12(%39#1, %74) : (tensor<4x6x4x1xui32>, tensor<4x6x4xf32>) -> tensor<4x6x4xf32>
    %76 = stablehlo.add %61, %75 : tensor<4x6x4xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<4x6x4xf32>
    %78 = "stablehlo.scatter"(%77, %38, %72) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>, unique_indices = false}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %141 = stablehlo.add %arg8, %arg9 : tensor<f32>
      stablehlo.return %141 : tensor<f32>
    }) : (tensor<4x6x4xf32>, tensor<4x6x2x1xi32>, tensor<4x6x2xf32>) -> tensor<4x6x4xf32>
    %79 = stablehlo.add %76, %78 : tensor<4x6x4xf32>
    %80 = stablehlo.reverse %79, dims = [1] : tensor<4x6x4xf32>
    %81 = call @cumsum_13(%80) : (tensor<4x6x4xf32>) -> tensor<4x6x4xf32>
    %82 = stablehlo.multiply %23, %79 : tensor<4x6x4xf32>
    %83 = stablehlo.multiply %79, %30 : tensor<4x6x4xf32>
    %84 = stablehlo.multiply %82, %33 : tensor<4x6x4xf32>
    %85 = call @_roll_static_15(%84) : (tensor<4x6x4xf32>) -> tensor<4x6x4xf32>
    %86 = stablehlo.add %83, %85 : tensor<4x6x4xf32>
    %87 = stablehlo.transpose %86, dims = [1, 0, 2] : (tensor<4x6x4xf32>) -> tensor<6x4x4xf32>
    %88 = stablehlo.reshape %87 : (tensor<6x4x4xf32>) -> tensor<2x3x4x4xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %89 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<4x4x3xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<4x4x3xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %91 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %93 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %94 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %95 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<2x3x4x4xf32>
    %c_30 = stablehlo.constant dense<0> : tensor<i32>
    %96:16 = stablehlo.while(%iterArg = %88, %iterArg_37 = %21#11, %iterArg_38 = %21#12, %iterArg_39 = %16, %iterArg_40 = %8, %iterArg_41 = %12, %iterArg_42 = %arg1, %iterArg_43 = %arg2, %iterArg_44 = %c_30, %iterArg_45 = %91, %iterArg_46 = %92, %iterArg_47 = %93, %iterArg_48 = %94, %iterArg_49 = %89, %iterArg_50 = %90, %iterArg_51 = %95) : tensor<2x3x4x4xf32>, tensor<2x4x4x3xf32>, tensor<2x4x4x3xf32>, tensor<2x3x4x4xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<i32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<2x3x4x4xf32>
    cond {
      %c_52 = stablehlo.constant dense<2> : tensor<i32>
      %141 = stablehlo.compare LT, %iterArg_44, %c_52, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %141 : tensor<i1>
    } do {
      %c_52 = stablehlo.constant dense<2> : tensor<i32>
      %141 = stablehlo.subtract %c_52, %iterArg_44 : tensor<i32>
      %c_53 = stablehlo.constant dense<1> : tensor<i32>
      %142 = stablehlo.subtract %141, %c_53 : tensor<i32>
      %143 = func.call @dynamic_index_in_dim(%iterArg, %142) : (tensor<2x3x4x4xf32>, tensor<i32>) -> tensor<3x4x4xf32>
      %144 = func.call @dynamic_index_in_dim_16(%iterArg_37, %142) : (tensor<2x4x4x3xf32>, tensor<i32>) -> tensor<4x4x3xf32>
      %145 = func.call @dynamic_index_in_dim_16(%iterArg_38, %142) : (tensor<2x4x4x3xf32>, tensor<i32>) -> tensor<4x4x3xf32>
      %146 = func.call @dynamic_index_in_dim(%iterArg_39, %142) : (tensor<2x3x4x4xf32>, tensor<i32>) -> tensor<3x4x4xf32>
      %147:7 = func.call @closed_call_17(%iterArg_40, %iterArg_41, %iterArg_42, %iterArg_43, %iterArg_45, %iterArg_46, %iterArg_47, %iterArg_48, %iterArg_49, %iterArg_50, %143, %144, %145, %146) : (tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<3x4x4xf32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<3x4x4xf32>) -> (tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<3x4x4xf32>)
      %148 = func.call @dynamic_update_index_in_dim_4(%iterArg_51, %147#6, %142) : (tensor<2x3x4x4xf32>, tensor<3x4x4xf32>, tensor<i32>) -> tensor<2x3x4x4xf32>
      %c_54 = stablehlo.constant dense<1> : tensor<i32>
      %149 = stablehlo.add %iterArg_44, %c_54 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_37, %iterArg_38, %iterArg_39, %iterArg_40, %iterArg_41, %iterArg_42, %iterArg_43, %149, %147#0, %147#1, %147#2, %147#3, %147#4, %147#5, %148 : tensor<2x3x4x4xf32>, tensor<2x4x4x3xf32>, tensor<2x4x4x3xf32>, tensor<2x3x4x4xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<i32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<2x3x4x4xf32>
    }
    %97 = stablehlo.reshape %96#15 : (tensor<2x3x4x4xf32>) -> tensor<6x4x4xf32>
    %98 = stablehlo.transpose %97, dims = [1, 0, 2] : (tensor<6x4x4xf32>) -> tensor<4x6x4xf32>
    %99 = stablehlo.add %81, %98 : tensor<4x6x4xf32>
    %100 = stablehlo.dot_general %99, %arg6, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x4xf32>, tensor<4x6x5xf32>) -> tensor<4x5xf32>
    %101 = stablehlo.transpose %100, dims = [1, 0] : (tensor<4x5xf32>) -> tensor<5x4xf32>
    %102 = stablehlo.multiply %4, %96#10 : tensor<4x3xf32>
    %103 = stablehlo.multiply %96#10, %10 : tensor<4x3xf32>
    %104 = stablehlo.multiply %102, %11 : tensor<4x3xf32>
    %105 = stablehlo.multiply %arg5, %104 : tensor<4x3xf32>
    %106 = stablehlo.multiply %104, %0#0 : tensor<4x3xf32>
    %107 = stablehlo.multiply %4, %96#9 : tensor<4x3xf32>
    %108 = stablehlo.multiply %96#9, %6 : tensor<4x3xf32>
    %109 = stablehlo.add %103, %108 : tensor<4x3xf32>
    %110 = stablehlo.negate %107 : tensor<4x3xf32>
    %111 = stablehlo.multiply %110, %7 : tensor<4x3xf32>
    %112 = stablehlo.multiply %arg5, %111 : tensor<4x3xf32>
    %113 = stablehlo.add %105, %112 : tensor<4x3xf32>
    %114 = stablehlo.multiply %111, %0#0 : tensor<4x3xf32>
    %115 = stablehlo.add %106, %114 : tensor<4x3xf32>
    %116 = stablehlo.multiply %109, %4 : tensor<4x3xf32>
    %117 = stablehlo.multiply %2, %116 : tensor<4x3xf32>
    %118 = stablehlo.add %113, %117 : tensor<4x3xf32>
    %119 = stablehlo.multiply %116, %0#0 : tensor<4x3xf32>
    %120 = stablehlo.negate %119 : tensor<4x3xf32>
    %121 = stablehlo.multiply %120, %1 : tensor<4x3xf32>
    %122 = call @softplus_22(%0#1, %118) : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
    %cst_31 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %123 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %124 = stablehlo.multiply %123, %121 : tensor<4x3xf32>
    %125 = stablehlo.subtract %arg0, %124 : tensor<4x3xf32>
    %cst_32 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %126 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %127 = stablehlo.multiply %126, %96#11 : tensor<4x3xf32>
    %128 = stablehlo.subtract %arg1, %127 : tensor<4x3xf32>
    %cst_33 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %129 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %130 = stablehlo.multiply %129, %96#12 : tensor<4x3xf32>
    %131 = stablehlo.subtract %arg2, %130 : tensor<4x3xf32>
    %cst_34 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %132 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %133 = stablehlo.multiply %132, %122 : tensor<4x3xf32>
    %134 = stablehlo.subtract %arg3, %133 : tensor<4x3xf32>
    %cst_35 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %135 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<5x4xf32>
    %136 = stablehlo.multiply %135, %101 : tensor<5x4xf32>
    %137 = stablehlo.subtract %arg4, %136 : tensor<5x4xf32>
    %cst_36 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %138 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %139 = stablehlo.multiply %138, %115 : tensor<4x3xf32>
    %140 = stablehlo.subtract %arg5, %139 : tensor<4x3xf32>
    return %125, %128, %131, %134, %137, %140, %59 : tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<5x4xf32>, tensor<4x3xf32>, tensor<f32>
  }
  func.func private @softplus(%arg0: tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<4x3xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<4x3xf32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %3 = stablehlo.subtract %arg0, %2 : tensor<4x3xf32>
    %4 = stablehlo.compare NE, %3, %3, FLOAT : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xi1>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %6 = stablehlo.add %arg0, %5 : tensor<4x3xf32>
    %7 = stablehlo.abs %3 : tensor<4x3xf32>
    %8 = stablehlo.negate %7 : tensor<4x3xf32>
    %9 = stablehlo.exponential %8 : tensor<4x3xf32>
    %10 = stablehlo.log_plus_one %9 : tensor<4x3xf32>
    %11 = stablehlo.add %1, %10 : tensor<4x3xf32>
    %12 = stablehlo.select %4, %6, %11 : tensor<4x3xi1>, tensor<4x3xf32>
    %cst_0 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %14 = stablehlo.compare EQ, %arg0, %13, FLOAT : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %16 = stablehlo.select %14, %15, %arg0 : tensor<4x3xi1>, tensor<4x3xf32>
    %cst_2 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %18 = stablehlo.compare EQ, %12, %17, FLOAT : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xi1>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %20 = stablehlo.select %18, %19, %12 : tensor<4x3xi1>, tensor<4x3xf32>
    %21 = stablehlo.subtract %16, %20 : tensor<4x3xf32>
    %22 = stablehlo.exponential %21 : tensor<4x3xf32>
    return %12, %22 : tensor<4x3xf32>, tensor<4x3xf32>
  }
  func.func private @closed_call(%arg0: tensor<4x3xf32>, %arg1: tensor<4x3xf32>, %arg2: tensor<4x3xf32>, %arg3: tensor<4x3xf32>) -> (tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<4x3xf32>) -> tensor<1x4x3xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x3xf32>) -> tensor<1x4x3xf32>
    %2 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<4x3xf32>) -> tensor<1x4x3xf32>
    %3 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x3xf32>) -> tensor<1x4x3xf32>
    %4 = stablehlo.broadcast_in_dim %arg2, dims = [1, 2] : (tensor<4x3xf32>) -> tensor<1x4x3xf32>
    %5 = stablehlo.broadcast_in_dim %arg3, dims = [1, 2] : (tensor<4x3xf32>) -> tensor<1x4x3xf32>
    return %0, %1, %4, %2, %3, %5 : tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<2x3x4x4xf32>, %arg1: tensor<i32>) -> tensor<3x4x4xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 3, 4, 4] : (tensor<2x3x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x3x4x4xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x3x4x4xf32>) -> tensor<3x4x4xf32>
    return %1 : tensor<3x4x4xf32>
  }
  func.func private @closed_call_0(%arg0: tensor<1x4x3xf32>, %arg1: tensor<1x4x3xf32>, %arg2: tensor<1x4x3xf32>, %arg3: tensor<1x4x3xf32>, %arg4: tensor<1x4x3xf32>, %arg5: tensor<1x4x3xf32>, %arg6: tensor<4x4x3xf32>, %arg7: tensor<4x4x3xf32>, %arg8: tensor<3x4x4xf32>) -> (tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<3x4x4xf32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>) {
    %0:3 = call @closed_call_1(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %arg8) : (tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<3x4x4xf32>) -> (tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<3x4x4xf32>)
    return %0#0, %0#1, %0#2, %arg6, %arg7 : tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<3x4x4xf32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>
  }
  func.func private @closed_call_1(%arg0: tensor<1x4x3xf32>, %arg1: tensor<1x4x3xf32>, %arg2: tensor<1x4x3xf32>, %arg3: tensor<1x4x3xf32>, %arg4: tensor<1x4x3xf32>, %arg5: tensor<1x4x3xf32>, %arg6: tensor<4x4x3xf32>, %arg7: tensor<4x4x3xf32>, %arg8: tensor<3x4x4xf32>) -> (tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<3x4x4xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x4x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:11 = stablehlo.while(%iterArg = %arg8, %iterArg_0 = %arg0, %iterArg_1 = %arg1, %iterArg_2 = %arg2, %iterArg_3 = %arg3, %iterArg_4 = %arg4, %iterArg_5 = %arg5, %iterArg_6 = %c, %iterArg_7 = %arg6, %iterArg_8 = %arg7, %iterArg_9 = %0) : tensor<3x4x4xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<i32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<3x4x4xf32>
    cond {
      %c_10 = stablehlo.constant dense<3> : tensor<i32>
      %2 = stablehlo.compare LT, %iterArg_6, %c_10, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %2 = func.call @dynamic_index_in_dim_2(%iterArg, %iterArg_6) : (tensor<3x4x4xf32>, tensor<i32>) -> tensor<4x4xf32>
      %3:3 = func.call @closed_call_3(%iterArg_0, %iterArg_1, %iterArg_2, %iterArg_3, %iterArg_4, %iterArg_5, %iterArg_7, %iterArg_8, %2) : (tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<4x4xf32>) -> (tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<4x4xf32>)
      %4 = func.call @dynamic_update_index_in_dim(%iterArg_9, %3#2, %iterArg_6) : (tensor<3x4x4xf32>, tensor<4x4xf32>, tensor<i32>) -> tensor<3x4x4xf32>
      %c_10 = stablehlo.constant dense<1> : tensor<i32>
      %5 = stablehlo.add %iterArg_6, %c_10 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_0, %iterArg_1, %iterArg_2, %iterArg_3, %iterArg_4, %iterArg_5, %5, %3#0, %3#1, %4 : tensor<3x4x4xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<i32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<3x4x4xf32>
    }
    return %1#8, %1#9, %1#10 : tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<3x4x4xf32>
  }
  func.func private @dynamic_index_in_dim_2(%arg0: tensor<3x4x4xf32>, %arg1: tensor<i32>) -> tensor<4x4xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 4] : (tensor<3x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x4xf32>) -> tensor<4x4xf32>
    return %1 : tensor<4x4xf32>
  }
  func.func private @closed_call_3(%arg0: tensor<1x4x3xf32>, %arg1: tensor<1x4x3xf32>, %arg2: tensor<1x4x3xf32>, %arg3: tensor<1x4x3xf32>, %arg4: tensor<1x4x3xf32>, %arg5: tensor<1x4x3xf32>, %arg6: tensor<4x4x3xf32>, %arg7: tensor<4x4x3xf32>, %arg8: tensor<4x4xf32>) -> (tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<4x4xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2] : (tensor<1x4x3xf32>) -> tensor<4x4x3xf32>
    %1 = stablehlo.multiply %0, %arg6 : tensor<4x4x3xf32>
    %2 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1, 2] : (tensor<1x4x3xf32>) -> tensor<4x4x3xf32>
    %3 = stablehlo.multiply %2, %arg7 : tensor<4x4x3xf32>
    %4 = stablehlo.subtract %1, %3 : tensor<4x4x3xf32>
    %5 = stablehlo.broadcast_in_dim %arg8, dims = [0, 1] : (tensor<4x4xf32>) -> tensor<4x4x1xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<4x4x1xf32>) -> tensor<4x4x3xf32>
    %7 = stablehlo.add %4, %6 : tensor<4x4x3xf32>
    %8 = stablehlo.broadcast_in_dim %arg3, dims = [0, 1, 2] : (tensor<1x4x3xf32>) -> tensor<4x4x3xf32>
    %9 = stablehlo.multiply %8, %arg7 : tensor<4x4x3xf32>
    %10 = stablehlo.broadcast_in_dim %arg4, dims = [0, 1, 2] : (tensor<1x4x3xf32>) -> tensor<4x4x3xf32>
    %11 = stablehlo.multiply %10, %arg6 : tensor<4x4x3xf32>
    %12 = stablehlo.add %9, %11 : tensor<4x4x3xf32>
    %13 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1, 2] : (tensor<1x4x3xf32>) -> tensor<4x4x3xf32>
    %14 = stablehlo.multiply %7, %13 : tensor<4x4x3xf32>
    %15 = stablehlo.broadcast_in_dim %arg5, dims = [0, 1, 2] : (tensor<1x4x3xf32>) -> tensor<4x4x3xf32>
    %16 = stablehlo.multiply %12, %15 : tensor<4x4x3xf32>
    %17 = stablehlo.subtract %14, %16 : tensor<4x4x3xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x4x3xf32>, tensor<f32>) -> tensor<4x4xf32>
    return %7, %12, %18 : tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<4x4xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<3x4x4xf32>, %arg1: tensor<4x4xf32>, %arg2: tensor<i32>) -> tensor<3x4x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x4xf32>) -> tensor<1x4x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<3x4x4xf32>, tensor<1x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x4x4xf32>
    return %1 : tensor<3x4x4xf32>
  }
  func.func private @dynamic_update_index_in_dim_4(%arg0: tensor<2x3x4x4xf32>, %arg1: tensor<3x4x4xf32>, %arg2: tensor<i32>) -> tensor<2x3x4x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<3x4x4xf32>) -> tensor<1x3x4x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<2x3x4x4xf32>, tensor<1x3x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x3x4x4xf32>
    return %1 : tensor<2x3x4x4xf32>
  }
  func.func private @dynamic_update_index_in_dim_5(%arg0: tensor<2x4x4x3xf32>, %arg1: tensor<4x4x3xf32>, %arg2: tensor<i32>) -> tensor<2x4x4x3xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<4x4x3xf32>) -> tensor<1x4x4x3xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<2x4x4x3xf32>, tensor<1x4x4x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x4x4x3xf32>
    return %1 : tensor<2x4x4x3xf32>
  }
  func.func private @_roll_static(%arg0: tensor<4x6x4xf32>) -> tensor<4x6x4xf32> {
    %0 = stablehlo.slice %arg0 [0:4, 5:6, 0:4] : (tensor<4x6x4xf32>) -> tensor<4x1x4xf32>
    %1 = stablehlo.slice %arg0 [0:4, 0:5, 0:4] : (tensor<4x6x4xf32>) -> tensor<4x5x4xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<4x1x4xf32>, tensor<4x5x4xf32>) -> tensor<4x6x4xf32>
    return %2 : tensor<4x6x4xf32>
  }
  func.func private @cumsum(%arg0: tensor<4x6x4xf32>) -> tensor<4x6x4xf32> {
    %0 = call @cumsum_6(%arg0) : (tensor<4x6x4xf32>) -> tensor<4x6x4xf32>
    return %0 : tensor<4x6x4xf32>
  }
  func.func private @cumsum_6(%arg0: tensor<4x6x4xf32>) -> tensor<4x6x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<[[0, 0], [5, 0], [0, 0]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 1, 6, 1>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4x6x4xf32>, tensor<f32>) -> tensor<4x6x4xf32>
    return %1 : tensor<4x6x4xf32>
  }
  func.func private @sort(%arg0: tensor<4x6x4xf32>) -> (tensor<4x6x4xf32>, tensor<4x6x4x1xui32>) {
    %0 = stablehlo.iota dim = 2 : tensor<4x6x4xui32>
    %1:2 = "stablehlo.sort"(%arg0, %0) <{dimension = 2 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>, %arg3: tensor<ui32>, %arg4: tensor<ui32>):
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3 = stablehlo.compare EQ, %arg1, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %4 = stablehlo.select %3, %cst_0, %arg1 : tensor<i1>, tensor<f32>
      %5 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %6 = stablehlo.select %5, %cst_1, %4 : tensor<i1>, tensor<f32>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %7 = stablehlo.compare EQ, %arg2, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %8 = stablehlo.select %7, %cst_3, %arg2 : tensor<i1>, tensor<f32>
      %9 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %10 = stablehlo.select %9, %cst_4, %8 : tensor<i1>, tensor<f32>
      %11 = stablehlo.compare LT, %6, %10, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %11 : tensor<i1>
    }) : (tensor<4x6x4xf32>, tensor<4x6x4xui32>) -> (tensor<4x6x4xf32>, tensor<4x6x4xui32>)
    %2 = stablehlo.broadcast_in_dim %1#1, dims = [0, 1, 2] : (tensor<4x6x4xui32>) -> tensor<4x6x4x1xui32>
    return %1#0, %2 : tensor<4x6x4xf32>, tensor<4x6x4x1xui32>
  }
  func.func private @_where(%arg0: tensor<4x6xi1>, %arg1: tensor<4x6xf32>, %arg2: tensor<4x6xf32>) -> tensor<4x6xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<4x6xi1>, tensor<4x6xf32>
    return %0 : tensor<4x6xf32>
  }
  func.func private @clip(%arg0: tensor<4x6xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>) {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<4x6xf32>
    %3 = stablehlo.compare EQ, %arg0, %2, FLOAT : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %6 = stablehlo.select %3, %4, %5 : tensor<4x6xi1>, tensor<4x6xf32>
    %7 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %8 = stablehlo.compare EQ, %7, %2, FLOAT : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %11 = stablehlo.select %8, %9, %10 : tensor<4x6xi1>, tensor<4x6xf32>
    %12 = stablehlo.divide %6, %11 : tensor<4x6xf32>
    %13 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %15 = stablehlo.minimum %14, %2 : tensor<4x6xf32>
    %16 = stablehlo.compare EQ, %2, %15, FLOAT : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %19 = stablehlo.select %16, %17, %18 : tensor<4x6xi1>, tensor<4x6xf32>
    %20 = stablehlo.broadcast_in_dim %13, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %21 = stablehlo.compare EQ, %20, %15, FLOAT : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %24 = stablehlo.select %21, %22, %23 : tensor<4x6xi1>, tensor<4x6xf32>
    %25 = stablehlo.divide %19, %24 : tensor<4x6xf32>
    return %15, %12, %25 : tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>
  }
  func.func private @_var(%arg0: tensor<4x6x4xf32>, %arg1: tensor<i32>) -> (tensor<f32>, tensor<4x6x4xf32>, tensor<f32>, tensor<i1>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x6x4xf32>, tensor<f32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x1x1xf32>
    %cst_0 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x1x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<1x1x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<1x1x1xf32>) -> tensor<4x6x4xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x6x4xf32>
    %6 = chlo.square %5 : tensor<4x6x4xf32> -> tensor<4x6x4xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x6x4xf32>
    %8 = stablehlo.multiply %7, %5 : tensor<4x6x4xf32>
    %9 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %10 = stablehlo.subtract %cst_2, %9 : tensor<f32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%6 init: %cst_3) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x6x4xf32>, tensor<f32>) -> tensor<f32>
    %12 = stablehlo.divide %11, %10 : tensor<f32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.compare GT, %10, %cst_4, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_5 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = call @_where_7(%13, %12, %cst_5) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    return %14, %8, %10, %13 : tensor<f32>, tensor<4x6x4xf32>, tensor<f32>, tensor<i1>
  }
  func.func private @_where_7(%arg0: tensor<i1>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<i1>, tensor<f32>
    return %1 : tensor<f32>
  }
  func.func private @_var_8(%arg0: tensor<4x6x4xf32>, %arg1: tensor<f32>, %arg2: tensor<i1>, %arg3: tensor<f32>) -> tensor<4x6x4xf32> {
    %0 = call @_where_9(%arg2, %arg3) : (tensor<i1>, tensor<f32>) -> tensor<f32>
    %1 = stablehlo.divide %0, %arg1 : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<4x6x4xf32>
    %3 = stablehlo.multiply %2, %arg0 : tensor<4x6x4xf32>
    %4 = stablehlo.negate %3 : tensor<4x6x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%4 init: %cst) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x6x4xf32>, tensor<f32>) -> tensor<f32>
    %6 = stablehlo.reshape %5 : (tensor<f32>) -> tensor<1x1x1xf32>
    %cst_0 = stablehlo.constant dense<9.600000e+01> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x1x1xf32>
    %8 = stablehlo.divide %6, %7 : tensor<1x1x1xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1xf32>, tensor<f32>) -> tensor<f32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<f32>) -> tensor<4x6x4xf32>
    %11 = stablehlo.add %3, %10 : tensor<4x6x4xf32>
    return %11 : tensor<4x6x4xf32>
  }
  func.func private @_where_9(%arg0: tensor<i1>, %arg1: tensor<f32>) -> tensor<f32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.select %arg0, %arg1, %cst : tensor<i1>, tensor<f32>
    return %0 : tensor<f32>
  }
  func.func private @clip_10(%arg0: tensor<4x6xf32>, %arg1: tensor<4x6xf32>, %arg2: tensor<4x6xf32>) -> tensor<4x6xf32> {
    %0 = stablehlo.multiply %arg2, %arg1 : tensor<4x6xf32>
    %1 = stablehlo.multiply %0, %arg0 : tensor<4x6xf32>
    return %1 : tensor<4x6xf32>
  }
  func.func private @_where_11(%arg0: tensor<4x6xi1>, %arg1: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %1 = stablehlo.select %arg0, %0, %arg1 : tensor<4x6xi1>, tensor<4x6xf32>
    %2 = stablehlo.select %arg0, %arg1, %0 : tensor<4x6xi1>, tensor<4x6xf32>
    return %2, %1 : tensor<4x6xf32>, tensor<4x6xf32>
  }
  func.func private @sort_12(%arg0: tensor<4x6x4x1xui32>, %arg1: tensor<4x6x4xf32>) -> tensor<4x6x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x6x4xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4x6x4xf32>, tensor<4x6x4x1xui32>, tensor<4x6x4xf32>) -> tensor<4x6x4xf32>
    return %1 : tensor<4x6x4xf32>
  }
  func.func private @cumsum_13(%arg0: tensor<4x6x4xf32>) -> tensor<4x6x4xf32> {
    %0 = call @cumsum_14(%arg0) : (tensor<4x6x4xf32>) -> tensor<4x6x4xf32>
    return %0 : tensor<4x6x4xf32>
  }
  func.func private @cumsum_14(%arg0: tensor<4x6x4xf32>) -> tensor<4x6x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<[[0, 0], [0, 5], [0, 0]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 1, 6, 1>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4x6x4xf32>, tensor<f32>) -> tensor<4x6x4xf32>
    return %1 : tensor<4x6x4xf32>
  }
  func.func private @_roll_static_15(%arg0: tensor<4x6x4xf32>) -> tensor<4x6x4xf32> {
    %0 = stablehlo.slice %arg0 [0:4, 0:1, 0:4] : (tensor<4x6x4xf32>) -> tensor<4x1x4xf32>
    %1 = stablehlo.slice %arg0 [0:4, 1:6, 0:4] : (tensor<4x6x4xf32>) -> tensor<4x5x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.pad %1, %cst, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 0, 0] : (tensor<4x5x4xf32>, tensor<f32>) -> tensor<4x6x4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.pad %0, %cst_0, low = [0, 5, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<4x1x4xf32>, tensor<f32>) -> tensor<4x6x4xf32>
    %4 = stablehlo.add %2, %3 : tensor<4x6x4xf32>
    return %4 : tensor<4x6x4xf32>
  }
  func.func private @dynamic_index_in_dim_16(%arg0: tensor<2x4x4x3xf32>, %arg1: tensor<i32>) -> tensor<4x4x3xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 4, 4, 3] : (tensor<2x4x4x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4x3xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x4x3xf32>) -> tensor<4x4x3xf32>
    return %1 : tensor<4x4x3xf32>
  }
  func.func private @closed_call_17(%arg0: tensor<4x3xf32>, %arg1: tensor<4x3xf32>, %arg2: tensor<4x3xf32>, %arg3: tensor<4x3xf32>, %arg4: tensor<4x3xf32>, %arg5: tensor<4x3xf32>, %arg6: tensor<4x3xf32>, %arg7: tensor<4x3xf32>, %arg8: tensor<4x4x3xf32>, %arg9: tensor<4x4x3xf32>, %arg10: tensor<3x4x4xf32>, %arg11: tensor<4x4x3xf32>, %arg12: tensor<4x4x3xf32>, %arg13: tensor<3x4x4xf32>) -> (tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<3x4x4xf32>) {
    %0:10 = stablehlo.optimization_barrier %arg0, %arg1, %arg2, %arg3, %arg11, %arg12, %arg13, %arg8, %arg9, %arg10 : tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<3x4x4xf32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<3x4x4xf32>
    %1 = stablehlo.broadcast_in_dim %0#0, dims = [1, 2] : (tensor<4x3xf32>) -> tensor<1x4x3xf32>
    %2 = stablehlo.broadcast_in_dim %0#1, dims = [1, 2] : (tensor<4x3xf32>) -> tensor<1x4x3xf32>
    %3 = stablehlo.broadcast_in_dim %0#0, dims = [1, 2] : (tensor<4x3xf32>) -> tensor<1x4x3xf32>
    %4 = stablehlo.broadcast_in_dim %0#1, dims = [1, 2] : (tensor<4x3xf32>) -> tensor<1x4x3xf32>
    %5 = stablehlo.broadcast_in_dim %0#2, dims = [1, 2] : (tensor<4x3xf32>) -> tensor<1x4x3xf32>
    %6 = stablehlo.broadcast_in_dim %0#3, dims = [1, 2] : (tensor<4x3xf32>) -> tensor<1x4x3xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x4x4x3xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x4x4x3xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x4x4x3xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<3x4x4x3xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %11:12 = stablehlo.while(%iterArg = %0#6, %iterArg_9 = %1, %iterArg_10 = %2, %iterArg_11 = %3, %iterArg_12 = %4, %iterArg_13 = %c, %iterArg_14 = %0#4, %iterArg_15 = %0#5, %iterArg_16 = %7, %iterArg_17 = %8, %iterArg_18 = %9, %iterArg_19 = %10) : tensor<3x4x4xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<i32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<3x4x4x3xf32>, tensor<3x4x4x3xf32>, tensor<3x4x4x3xf32>, tensor<3x4x4x3xf32>
    cond {
      %c_20 = stablehlo.constant dense<3> : tensor<i32>
      %22 = stablehlo.compare LT, %iterArg_13, %c_20, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %22 : tensor<i1>
    } do {
      %22 = func.call @dynamic_index_in_dim_2(%iterArg, %iterArg_13) : (tensor<3x4x4xf32>, tensor<i32>) -> tensor<4x4xf32>
      %23:6 = func.call @closed_call_18(%iterArg_9, %iterArg_10, %iterArg_11, %iterArg_12, %iterArg_14, %iterArg_15, %22) : (tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<4x4xf32>) -> (tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>)
      %24 = func.call @dynamic_update_index_in_dim_19(%iterArg_16, %23#2, %iterArg_13) : (tensor<3x4x4x3xf32>, tensor<4x4x3xf32>, tensor<i32>) -> tensor<3x4x4x3xf32>
      %25 = func.call @dynamic_update_index_in_dim_19(%iterArg_17, %23#3, %iterArg_13) : (tensor<3x4x4x3xf32>, tensor<4x4x3xf32>, tensor<i32>) -> tensor<3x4x4x3xf32>
      %26 = func.call @dynamic_update_index_in_dim_19(%iterArg_18, %23#4, %iterArg_13) : (tensor<3x4x4x3xf32>, tensor<4x4x3xf32>, tensor<i32>) -> tensor<3x4x4x3xf32>
      %27 = func.call @dynamic_update_index_in_dim_19(%iterArg_19, %23#5, %iterArg_13) : (tensor<3x4x4x3xf32>, tensor<4x4x3xf32>, tensor<i32>) -> tensor<3x4x4x3xf32>
      %c_20 = stablehlo.constant dense<1> : tensor<i32>
      %28 = stablehlo.add %iterArg_13, %c_20 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_9, %iterArg_10, %iterArg_11, %iterArg_12, %28, %23#0, %23#1, %24, %25, %26, %27 : tensor<3x4x4xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<i32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<3x4x4x3xf32>, tensor<3x4x4x3xf32>, tensor<3x4x4x3xf32>, tensor<3x4x4x3xf32>
    }
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<3x4x4xf32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %17:19 = stablehlo.while(%iterArg = %0#9, %iterArg_9 = %11#8, %iterArg_10 = %11#9, %iterArg_11 = %11#10, %iterArg_12 = %11#11, %iterArg_13 = %1, %iterArg_14 = %2, %iterArg_15 = %5, %iterArg_16 = %3, %iterArg_17 = %4, %iterArg_18 = %6, %iterArg_19 = %c_8, %iterArg_20 = %12, %iterArg_21 = %13, %iterArg_22 = %14, %iterArg_23 = %15, %iterArg_24 = %0#7, %iterArg_25 = %0#8, %iterArg_26 = %16) : tensor<3x4x4xf32>, tensor<3x4x4x3xf32>, tensor<3x4x4x3xf32>, tensor<3x4x4x3xf32>, tensor<3x4x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<i32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<3x4x4xf32>
    cond {
      %c_27 = stablehlo.constant dense<3> : tensor<i32>
      %22 = stablehlo.compare LT, %iterArg_19, %c_27, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %22 : tensor<i1>
    } do {
      %c_27 = stablehlo.constant dense<3> : tensor<i32>
      %22 = stablehlo.subtract %c_27, %iterArg_19 : tensor<i32>
      %c_28 = stablehlo.constant dense<1> : tensor<i32>
      %23 = stablehlo.subtract %22, %c_28 : tensor<i32>
      %24 = func.call @dynamic_index_in_dim_2(%iterArg, %23) : (tensor<3x4x4xf32>, tensor<i32>) -> tensor<4x4xf32>
      %25 = func.call @dynamic_index_in_dim_20(%iterArg_9, %23) : (tensor<3x4x4x3xf32>, tensor<i32>) -> tensor<4x4x3xf32>
      %26 = func.call @dynamic_index_in_dim_20(%iterArg_10, %23) : (tensor<3x4x4x3xf32>, tensor<i32>) -> tensor<4x4x3xf32>
      %27 = func.call @dynamic_index_in_dim_20(%iterArg_11, %23) : (tensor<3x4x4x3xf32>, tensor<i32>) -> tensor<4x4x3xf32>
      %28 = func.call @dynamic_index_in_dim_20(%iterArg_12, %23) : (tensor<3x4x4x3xf32>, tensor<i32>) -> tensor<4x4x3xf32>
      %29:7 = func.call @closed_call_21(%iterArg_13, %iterArg_14, %iterArg_15, %iterArg_16, %iterArg_17, %iterArg_18, %iterArg_20, %iterArg_21, %iterArg_22, %iterArg_23, %iterArg_24, %iterArg_25, %24, %25, %26, %27, %28) : (tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<4x4xf32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>) -> (tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<4x4xf32>)
      %30 = func.call @dynamic_update_index_in_dim(%iterArg_26, %29#6, %23) : (tensor<3x4x4xf32>, tensor<4x4xf32>, tensor<i32>) -> tensor<3x4x4xf32>
      %c_29 = stablehlo.constant dense<1> : tensor<i32>
      %31 = stablehlo.add %iterArg_19, %c_29 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_9, %iterArg_10, %iterArg_11, %iterArg_12, %iterArg_13, %iterArg_14, %iterArg_15, %iterArg_16, %iterArg_17, %iterArg_18, %31, %29#0, %29#1, %29#2, %29#3, %29#4, %29#5, %30 : tensor<3x4x4xf32>, tensor<3x4x4x3xf32>, tensor<3x4x4x3xf32>, tensor<3x4x4x3xf32>, tensor<3x4x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>, tensor<i32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<3x4x4xf32>
    }
    %18 = stablehlo.add %arg4, %17#12 : tensor<4x3xf32>
    %19 = stablehlo.add %arg5, %17#13 : tensor<4x3xf32>
    %20 = stablehlo.add %arg6, %17#14 : tensor<4x3xf32>
    %21 = stablehlo.add %arg7, %17#15 : tensor<4x3xf32>
    return %18, %19, %20, %21, %17#16, %17#17, %17#18 : tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<3x4x4xf32>
  }
  func.func private @closed_call_18(%arg0: tensor<1x4x3xf32>, %arg1: tensor<1x4x3xf32>, %arg2: tensor<1x4x3xf32>, %arg3: tensor<1x4x3xf32>, %arg4: tensor<4x4x3xf32>, %arg5: tensor<4x4x3xf32>, %arg6: tensor<4x4xf32>) -> (tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2] : (tensor<1x4x3xf32>) -> tensor<4x4x3xf32>
    %1 = stablehlo.multiply %0, %arg4 : tensor<4x4x3xf32>
    %2 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1, 2] : (tensor<1x4x3xf32>) -> tensor<4x4x3xf32>
    %3 = stablehlo.multiply %2, %arg5 : tensor<4x4x3xf32>
    %4 = stablehlo.subtract %1, %3 : tensor<4x4x3xf32>
    %5 = stablehlo.broadcast_in_dim %arg6, dims = [0, 1] : (tensor<4x4xf32>) -> tensor<4x4x1xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<4x4x1xf32>) -> tensor<4x4x3xf32>
    %7 = stablehlo.add %4, %6 : tensor<4x4x3xf32>
    %8 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1, 2] : (tensor<1x4x3xf32>) -> tensor<4x4x3xf32>
    %9 = stablehlo.multiply %8, %arg5 : tensor<4x4x3xf32>
    %10 = stablehlo.broadcast_in_dim %arg3, dims = [0, 1, 2] : (tensor<1x4x3xf32>) -> tensor<4x4x3xf32>
    %11 = stablehlo.multiply %10, %arg4 : tensor<4x4x3xf32>
    %12 = stablehlo.add %9, %11 : tensor<4x4x3xf32>
    return %7, %12, %arg4, %arg5, %7, %12 : tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>
  }
  func.func private @dynamic_update_index_in_dim_19(%arg0: tensor<3x4x4x3xf32>, %arg1: tensor<4x4x3xf32>, %arg2: tensor<i32>) -> tensor<3x4x4x3xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<4x4x3xf32>) -> tensor<1x4x4x3xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<3x4x4x3xf32>, tensor<1x4x4x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x4x4x3xf32>
    return %1 : tensor<3x4x4x3xf32>
  }
  func.func private @dynamic_index_in_dim_20(%arg0: tensor<3x4x4x3xf32>, %arg1: tensor<i32>) -> tensor<4x4x3xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 4, 4, 3] : (tensor<3x4x4x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4x3xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x4x3xf32>) -> tensor<4x4x3xf32>
    return %1 : tensor<4x4x3xf32>
  }
  func.func private @closed_call_21(%arg0: tensor<1x4x3xf32>, %arg1: tensor<1x4x3xf32>, %arg2: tensor<1x4x3xf32>, %arg3: tensor<1x4x3xf32>, %arg4: tensor<1x4x3xf32>, %arg5: tensor<1x4x3xf32>, %arg6: tensor<4x3xf32>, %arg7: tensor<4x3xf32>, %arg8: tensor<4x3xf32>, %arg9: tensor<4x3xf32>, %arg10: tensor<4x4x3xf32>, %arg11: tensor<4x4x3xf32>, %arg12: tensor<4x4xf32>, %arg13: tensor<4x4x3xf32>, %arg14: tensor<4x4x3xf32>, %arg15: tensor<4x4x3xf32>, %arg16: tensor<4x4x3xf32>) -> (tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<4x4xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg12, dims = [0, 1] : (tensor<4x4xf32>) -> tensor<4x4x3xf32>
    %1 = stablehlo.negate %0 : tensor<4x4x3xf32>
    %2 = stablehlo.multiply %arg16, %1 : tensor<4x4x3xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<4x4x3xf32>, tensor<f32>) -> tensor<4x3xf32>
    %4 = stablehlo.reshape %3 : (tensor<4x3xf32>) -> tensor<1x4x3xf32>
    %5 = stablehlo.broadcast_in_dim %arg5, dims = [0, 1, 2] : (tensor<1x4x3xf32>) -> tensor<4x4x3xf32>
    %6 = stablehlo.multiply %1, %5 : tensor<4x4x3xf32>
    %7 = stablehlo.add %arg11, %6 : tensor<4x4x3xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%4 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<1x4x3xf32>, tensor<f32>) -> tensor<4x3xf32>
    %9 = stablehlo.add %arg9, %8 : tensor<4x3xf32>
    %10 = stablehlo.multiply %arg15, %0 : tensor<4x4x3xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<4x4x3xf32>, tensor<f32>) -> tensor<4x3xf32>
    %12 = stablehlo.reshape %11 : (tensor<4x3xf32>) -> tensor<1x4x3xf32>
    %13 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1, 2] : (tensor<1x4x3xf32>) -> tensor<4x4x3xf32>
    %14 = stablehlo.multiply %0, %13 : tensor<4x4x3xf32>
    %15 = stablehlo.add %arg10, %14 : tensor<4x4x3xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.reduce(%12 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<1x4x3xf32>, tensor<f32>) -> tensor<4x3xf32>
    %17 = stablehlo.add %arg8, %16 : tensor<4x3xf32>
    %18 = stablehlo.broadcast_in_dim %arg4, dims = [0, 1, 2] : (tensor<1x4x3xf32>) -> tensor<4x4x3xf32>
    %19 = stablehlo.multiply %18, %7 : tensor<4x4x3xf32>
    %20 = stablehlo.multiply %7, %arg13 : tensor<4x4x3xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.reduce(%20 init: %cst_3) applies stablehlo.add across dimensions = [0] : (tensor<4x4x3xf32>, tensor<f32>) -> tensor<4x3xf32>
    %22 = stablehlo.reshape %21 : (tensor<4x3xf32>) -> tensor<1x4x3xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %cst_4) applies stablehlo.add across dimensions = [0] : (tensor<1x4x3xf32>, tensor<f32>) -> tensor<4x3xf32>
    %24 = stablehlo.add %arg7, %23 : tensor<4x3xf32>
    %25 = stablehlo.broadcast_in_dim %arg3, dims = [0, 1, 2] : (tensor<1x4x3xf32>) -> tensor<4x4x3xf32>
    %26 = stablehlo.multiply %25, %7 : tensor<4x4x3xf32>
    %27 = stablehlo.multiply %7, %arg14 : tensor<4x4x3xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.reduce(%27 init: %cst_5) applies stablehlo.add across dimensions = [0] : (tensor<4x4x3xf32>, tensor<f32>) -> tensor<4x3xf32>
    %29 = stablehlo.reshape %28 : (tensor<4x3xf32>) -> tensor<1x4x3xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.reduce(%29 init: %cst_6) applies stablehlo.add across dimensions = [0] : (tensor<1x4x3xf32>, tensor<f32>) -> tensor<4x3xf32>
    %31 = stablehlo.add %arg6, %30 : tensor<4x3xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.reduce(%15 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<4x4x3xf32>, tensor<f32>) -> tensor<4x4xf32>
    %33 = stablehlo.reshape %32 : (tensor<4x4xf32>) -> tensor<4x4x1xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.reduce(%33 init: %cst_8) applies stablehlo.add across dimensions = [2] : (tensor<4x4x1xf32>, tensor<f32>) -> tensor<4x4xf32>
    %35 = stablehlo.negate %15 : tensor<4x4x3xf32>
    %36 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1, 2] : (tensor<1x4x3xf32>) -> tensor<4x4x3xf32>
    %37 = stablehlo.multiply %36, %35 : tensor<4x4x3xf32>
    %38 = stablehlo.add %26, %37 : tensor<4x4x3xf32>
    %39 = stablehlo.multiply %35, %arg14 : tensor<4x4x3xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %40 = stablehlo.reduce(%39 init: %cst_9) applies stablehlo.add across dimensions = [0] : (tensor<4x4x3xf32>, tensor<f32>) -> tensor<4x3xf32>
    %41 = stablehlo.reshape %40 : (tensor<4x3xf32>) -> tensor<1x4x3xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %42 = stablehlo.reduce(%41 init: %cst_10) applies stablehlo.add across dimensions = [0] : (tensor<1x4x3xf32>, tensor<f32>) -> tensor<4x3xf32>
    %43 = stablehlo.add %24, %42 : tensor<4x3xf32>
    %44 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2] : (tensor<1x4x3xf32>) -> tensor<4x4x3xf32>
    %45 = stablehlo.multiply %44, %15 : tensor<4x4x3xf32>
    %46 = stablehlo.add %19, %45 : tensor<4x4x3xf32>
    %47 = stablehlo.multiply %15, %arg13 : tensor<4x4x3xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.reduce(%47 init: %cst_11) applies stablehlo.add across dimensions = [0] : (tensor<4x4x3xf32>, tensor<f32>) -> tensor<4x3xf32>
    %49 = stablehlo.reshape %48 : (tensor<4x3xf32>) -> tensor<1x4x3xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %50 = stablehlo.reduce(%49 init: %cst_12) applies stablehlo.add across dimensions = [0] : (tensor<1x4x3xf32>, tensor<f32>) -> tensor<4x3xf32>
    %51 = stablehlo.add %31, %50 : tensor<4x3xf32>
    return %51, %43, %17, %9, %46, %38, %34 : tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>, tensor<4x4xf32>
  }
  func.func private @softplus_22(%arg0: tensor<4x3xf32>, %arg1: tensor<4x3xf32>) -> tensor<4x3xf32> {
    %0 = stablehlo.multiply %arg1, %arg0 : tensor<4x3xf32>
    return %0 : tensor<4x3xf32>
  }
}
