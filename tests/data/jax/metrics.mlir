module @jit_step attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<8x16xf32> {jax.buffer_donor = true}, %arg1: tensor<2x16x8xf32> {jax.buffer_donor = true}, %arg2: tensor<2x8x16xf32> {jax.buffer_donor = true}, %arg3: tensor<16x8xf32> {jax.buffer_donor = true}, %arg4: tensor<8x16xf32> {jax.buffer_donor = true}, %arg5: tensor<2x16x8xf32> {jax.buffer_donor = true}, %arg6: tensor<2x8x16xf32> {jax.buffer_donor = true}, %arg7: tensor<16x8xf32> {jax.buffer_donor = true}, %arg8: tensor<4x6xi32>, %arg9: tensor<4x6xi32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<f32> {jax.result_info = "result[1]"}, tensor<f32> {jax.result_info = "result[2]"}, tensor<f32> {jax.result_info = "result[3]"}, tensor<f32> {jax.result_info = "result[4]"}, tensor<f32> {jax.result_info = "result[5]"}, tensor<f32> {jax.result_info = "result[6]"}, tensor<f32> {jax.result_info = "result[7]"}, tensor<8x16xf32> {jax.result_info = "result[8]['head']"}, tensor<2x16x8xf32> {jax.result_info = "result[8]['layers']['down']"}, tensor<2x8x16xf32> {jax.result_info = "result[8]['layers']['up']"}, tensor<16x8xf32> {jax.result_info = "result[8]['wte']"}, tensor<8x16xf32> {jax.result_info = "result[9]['head']"}, tensor<2x16x8xf32> {jax.result_info = "result[9]['layers']['down']"}, tensor<2x8x16xf32> {jax.result_info = "result[9]['layers']['up']"}, tensor<16x8xf32> {jax.result_info = "result[9]['wte']"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x6xi32>
    %1 = stablehlo.compare LT, %arg8, %0, SIGNED : (tensor<4x6xi32>, tensor<4x6xi32>) -> tensor<4x6xi1>
    %c_0 = stablehlo.constant dense<16> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x6xi32>
    %3 = stablehlo.add %arg8, %2 : tensor<4x6xi32>
    %4 = stablehlo.select %1, %3, %arg8 : tensor<4x6xi1>, tensor<4x6xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<4x6xi32>) -> tensor<4x6x1xi32>
    %6 = "stablehlo.gather"(%arg3, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<16x8xf32>, tensor<4x6x1xi32>) -> tensor<4x6x8xf32>
    %7 = stablehlo.convert %6 : (tensor<4x6x8xf32>) -> tensor<4x6x8xbf16>
    %8 = sdy.sharding_constraint %7 <@mesh, [{"data"}, {}, {}]> : tensor<4x6x8xbf16>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %9:3 = call @_var(%c_1) : (tensor<i32>) -> (tensor<f32>, tensor<i1>, tensor<4x6x1xbf16>)
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2x4x6x16xbf16>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<bf16>) -> tensor<2x4x6x8xbf16>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %12:9 = stablehlo.while(%iterArg = %arg1, %iterArg_49 = %arg2, %iterArg_50 = %9#0, %iterArg_51 = %9#1, %iterArg_52 = %9#2, %iterArg_53 = %c_3, %iterArg_54 = %8, %iterArg_55 = %10, %iterArg_56 = %11) : tensor<2x16x8xf32>, tensor<2x8x16xf32>, tensor<f32>, tensor<i1>, tensor<4x6x1xbf16>, tensor<i32>, tensor<4x6x8xbf16>, tensor<2x4x6x16xbf16>, tensor<2x4x6x8xbf16>
    cond {
      %c_57 = stablehlo.constant dense<2> : tensor<i32>
      %144 = stablehlo.compare LT, %iterArg_53, %c_57, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %144 : tensor<i1>
    } do {
      %144 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_53) : (tensor<2x16x8xf32>, tensor<i32>) -> tensor<16x8xf32>
      %145 = func.call @dynamic_index_in_dim_0(%iterArg_49, %iterArg_53) : (tensor<2x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %146:3 = func.call @closed_call(%iterArg_50, %iterArg_51, %iterArg_52, %iterArg_54, %144, %145) : (tensor<f32>, tensor<i1>, tensor<4x6x1xbf16>, tensor<4x6x8xbf16>, tensor<16x8xf32>, tensor<8x16xf32>) -> (tensor<4x6x8xbf16>, tensor<4x6x16xbf16>, tensor<4x6x8xbf16>)
      %147 = func.call @dynamic_update_index_in_dim(%iterArg_55, %146#1, %iterArg_53) : (tensor<2x4x6x16xbf16>, tensor<4x6x16xbf16>, tensor<i32>) -> tensor<2x4x6x16xbf16>
      %148 = func.call @dynamic_update_index_in_dim_3(%iterArg_56, %146#2, %iterArg_53) : (tensor<2x4x6x8xbf16>, tensor<4x6x8xbf16>, tensor<i32>) -> tensor<2x4x6x8xbf16>
      %c_57 = stablehlo.constant dense<1> : tensor<i32>
      %149 = stablehlo.add %iterArg_53, %c_57 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_49, %iterArg_50, %iterArg_51, %iterArg_52, %149, %146#0, %147, %148 : tensor<2x16x8xf32>, tensor<2x8x16xf32>, tensor<f32>, tensor<i1>, tensor<4x6x1xbf16>, tensor<i32>, tensor<4x6x8xbf16>, tensor<2x4x6x16xbf16>, tensor<2x4x6x8xbf16>
    }
    %13 = stablehlo.convert %12#6 : (tensor<4x6x8xbf16>) -> tensor<4x6x8xf32>
    %14 = stablehlo.dot_general %13, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<8x16xf32>) -> tensor<4x6x16xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_4) applies stablehlo.maximum across dimensions = [2] : (tensor<4x6x16xf32>, tensor<f32>) -> tensor<4x6xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %17 = stablehlo.maximum %16, %15 : tensor<4x6xf32>
    %18 = stablehlo.is_finite %17 : (tensor<4x6xf32>) -> tensor<4x6xi1>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %20 = stablehlo.select %18, %17, %19 : tensor<4x6xi1>, tensor<4x6xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x16xf32>
    %23 = stablehlo.subtract %14, %22 : tensor<4x6x16xf32>
    %24 = stablehlo.exponential %23 : tensor<4x6x16xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.reduce(%24 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<4x6x16xf32>, tensor<f32>) -> tensor<4x6xf32>
    %26 = stablehlo.abs %25 : tensor<4x6xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %28 = stablehlo.compare GE, %25, %27, FLOAT : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
    %29 = stablehlo.log %26 : tensor<4x6xf32>
    %30 = stablehlo.add %29, %20 : tensor<4x6xf32>
    %31 = stablehlo.broadcast_in_dim %arg9, dims = [0, 1] : (tensor<4x6xi32>) -> tensor<4x6x1xi32>
    %32:2 = call @take_along_axis(%14, %31) : (tensor<4x6x16xf32>, tensor<4x6x1xi32>) -> (tensor<4x6x1xf32>, tensor<4x6x1x1xi32>)
    %33 = stablehlo.reshape %32#0 : (tensor<4x6x1xf32>) -> tensor<4x6xf32>
    %34 = stablehlo.subtract %30, %33 : tensor<4x6xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.reduce(%34 init: %cst_9) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<f32>
    %cst_10 = stablehlo.constant dense<2.400000e+01> : tensor<f32>
    %36 = stablehlo.divide %35, %cst_10 : tensor<f32>
    %37 = stablehlo.multiply %30, %30 : tensor<4x6xf32>
    %cst_11 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %39 = stablehlo.multiply %38, %30 : tensor<4x6xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %40 = stablehlo.reduce(%37 init: %cst_12) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<f32>
    %cst_13 = stablehlo.constant dense<2.400000e+01> : tensor<f32>
    %41 = stablehlo.divide %40, %cst_13 : tensor<f32>
    %cst_14 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %42 = stablehlo.multiply %cst_14, %41 : tensor<f32>
    %43 = stablehlo.add %36, %42 : tensor<f32>
    %44 = call @argmax(%14) : (tensor<4x6x16xf32>) -> tensor<4x6xi32>
    %45 = stablehlo.compare EQ, %44, %arg9, SIGNED : (tensor<4x6xi32>, tensor<4x6xi32>) -> tensor<4x6xi1>
    %46 = stablehlo.convert %45 : (tensor<4x6xi1>) -> tensor<4x6xi32>
    %47 = stablehlo.convert %46 : (tensor<4x6xi32>) -> tensor<4x6xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.reduce(%47 init: %cst_15) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<f32>
    %cst_16 = stablehlo.constant dense<2.400000e+01> : tensor<f32>
    %49 = stablehlo.divide %48, %cst_16 : tensor<f32>
    %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_18 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %50 = stablehlo.multiply %cst_18, %cst_17 : tensor<f32>
    %cst_19 = stablehlo.constant dense<2.400000e+01> : tensor<f32>
    %51 = stablehlo.divide %50, %cst_19 : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %53 = stablehlo.multiply %52, %39 : tensor<4x6xf32>
    %cst_20 = stablehlo.constant dense<2.400000e+01> : tensor<f32>
    %54 = stablehlo.divide %cst_17, %cst_20 : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %54, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %56 = stablehlo.negate %55 : tensor<4x6xf32>
    %57 = stablehlo.add %53, %55 : tensor<4x6xf32>
    %58 = stablehlo.broadcast_in_dim %56, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %59 = call @take_along_axis_4(%32#1, %58) : (tensor<4x6x1x1xi32>, tensor<4x6x1xf32>) -> tensor<4x6x16xf32>
    %60 = stablehlo.divide %57, %26 : tensor<4x6xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %62 = stablehlo.select %28, %61, %60 : tensor<4x6xi1>, tensor<4x6xf32>
    %63 = stablehlo.select %28, %60, %61 : tensor<4x6xi1>, tensor<4x6xf32>
    %64 = stablehlo.negate %62 : tensor<4x6xf32>
    %65 = stablehlo.add %63, %64 : tensor<4x6xf32>
    %66 = stablehlo.broadcast_in_dim %65, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x16xf32>
    %67 = stablehlo.multiply %66, %24 : tensor<4x6x16xf32>
    %68 = stablehlo.add %59, %67 : tensor<4x6x16xf32>
    %69 = stablehlo.dot_general %68, %13, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x16xf32>, tensor<4x6x8xf32>) -> tensor<16x8xf32>
    %70 = stablehlo.transpose %69, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %71 = stablehlo.dot_general %68, %arg0, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x16xf32>, tensor<8x16xf32>) -> tensor<4x6x8xf32>
    %72 = stablehlo.convert %71 : (tensor<4x6x8xf32>) -> tensor<4x6x8xbf16>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<2x16x8xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %c_24 = stablehlo.constant dense<0> : tensor<i32>
    %75:8 = stablehlo.while(%iterArg = %12#7, %iterArg_49 = %12#8, %iterArg_50 = %arg1, %iterArg_51 = %arg2, %iterArg_52 = %c_24, %iterArg_53 = %72, %iterArg_54 = %73, %iterArg_55 = %74) : tensor<2x4x6x16xbf16>, tensor<2x4x6x8xbf16>, tensor<2x16x8xf32>, tensor<2x8x16xf32>, tensor<i32>, tensor<4x6x8xbf16>, tensor<2x16x8xf32>, tensor<2x8x16xf32>
    cond {
      %c_56 = stablehlo.constant dense<2> : tensor<i32>
      %144 = stablehlo.compare LT, %iterArg_52, %c_56, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %144 : tensor<i1>
    } do {
      %c_56 = stablehlo.constant dense<2> : tensor<i32>
      %144 = stablehlo.subtract %c_56, %iterArg_52 : tensor<i32>
      %c_57 = stablehlo.constant dense<1> : tensor<i32>
      %145 = stablehlo.subtract %144, %c_57 : tensor<i32>
      %146 = func.call @dynamic_index_in_dim_5(%iterArg, %145) : (tensor<2x4x6x16xbf16>, tensor<i32>) -> tensor<4x6x16xbf16>
      %147 = func.call @dynamic_index_in_dim_6(%iterArg_49, %145) : (tensor<2x4x6x8xbf16>, tensor<i32>) -> tensor<4x6x8xbf16>
      %148 = func.call @dynamic_index_in_dim(%iterArg_50, %145) : (tensor<2x16x8xf32>, tensor<i32>) -> tensor<16x8xf32>
      %149 = func.call @dynamic_index_in_dim_0(%iterArg_51, %145) : (tensor<2x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %150:3 = func.call @closed_call_7(%iterArg_53, %146, %147, %148, %149) : (tensor<4x6x8xbf16>, tensor<4x6x16xbf16>, tensor<4x6x8xbf16>, tensor<16x8xf32>, tensor<8x16xf32>) -> (tensor<4x6x8xbf16>, tensor<16x8xf32>, tensor<8x16xf32>)
      %151 = func.call @dynamic_update_index_in_dim_12(%iterArg_54, %150#1, %145) : (tensor<2x16x8xf32>, tensor<16x8xf32>, tensor<i32>) -> tensor<2x16x8xf32>
      %152 = func.call @dynamic_update_index_in_dim_13(%iterArg_55, %150#2, %145) : (tensor<2x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<2x8x16xf32>
      %c_58 = stablehlo.constant dense<1> : tensor<i32>
      %153 = stablehlo.add %iterArg_52, %c_58 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_49, %iterArg_50, %iterArg_51, %153, %150#0, %151, %152 : tensor<2x4x6x16xbf16>, tensor<2x4x6x8xbf16>, tensor<2x16x8xf32>, tensor<2x8x16xf32>, tensor<i32>, tensor<4x6x8xbf16>, tensor<2x16x8xf32>, tensor<2x8x16xf32>
    }
    %76 = sdy.sharding_constraint %75#5 <@mesh, [{"data"}, {}, {}]> : tensor<4x6x8xbf16>
    %77 = stablehlo.convert %76 : (tensor<4x6x8xbf16>) -> tensor<4x6x8xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %79 = "stablehlo.scatter"(%78, %5, %77) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %144 = stablehlo.add %arg10, %arg11 : tensor<f32>
      stablehlo.return %144 : tensor<f32>
    }) : (tensor<16x8xf32>, tensor<4x6x1xi32>, tensor<4x6x8xf32>) -> tensor<16x8xf32>
    %cst_26 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %81 = stablehlo.multiply %80, %arg4 : tensor<8x16xf32>
    %82 = stablehlo.add %81, %70 : tensor<8x16xf32>
    %cst_27 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<2x16x8xf32>
    %84 = stablehlo.multiply %83, %arg5 : tensor<2x16x8xf32>
    %85 = stablehlo.add %84, %75#6 : tensor<2x16x8xf32>
    %cst_28 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %87 = stablehlo.multiply %86, %arg6 : tensor<2x8x16xf32>
    %88 = stablehlo.add %87, %75#7 : tensor<2x8x16xf32>
    %cst_29 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %89 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %90 = stablehlo.multiply %89, %arg7 : tensor<16x8xf32>
    %91 = stablehlo.add %90, %79 : tensor<16x8xf32>
    %cst_30 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %93 = stablehlo.multiply %92, %82 : tensor<8x16xf32>
    %94 = stablehlo.subtract %arg0, %93 : tensor<8x16xf32>
    %cst_31 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %95 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<2x16x8xf32>
    %96 = stablehlo.multiply %95, %85 : tensor<2x16x8xf32>
    %97 = stablehlo.subtract %arg1, %96 : tensor<2x16x8xf32>
    %cst_32 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %98 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %99 = stablehlo.multiply %98, %88 : tensor<2x8x16xf32>
    %100 = stablehlo.subtract %arg2, %99 : tensor<2x8x16xf32>
    %cst_33 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %101 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %102 = stablehlo.multiply %101, %91 : tensor<16x8xf32>
    %103 = stablehlo.subtract %arg3, %102 : tensor<16x8xf32>
    %104 = stablehlo.multiply %70, %70 : tensor<8x16xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %105 = stablehlo.reduce(%104 init: %cst_34) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %106 = stablehlo.add %cst_35, %105 : tensor<f32>
    %107 = stablehlo.multiply %75#6, %75#6 : tensor<2x16x8xf32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %108 = stablehlo.reduce(%107 init: %cst_36) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x8xf32>, tensor<f32>) -> tensor<f32>
    %109 = stablehlo.add %106, %108 : tensor<f32>
    %110 = stablehlo.multiply %75#7, %75#7 : tensor<2x8x16xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %111 = stablehlo.reduce(%110 init: %cst_37) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<f32>
    %112 = stablehlo.add %109, %111 : tensor<f32>
    %113 = stablehlo.multiply %79, %79 : tensor<16x8xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %114 = stablehlo.reduce(%113 init: %cst_38) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x8xf32>, tensor<f32>) -> tensor<f32>
    %115 = stablehlo.add %112, %114 : tensor<f32>
    %116 = stablehlo.sqrt %115 : tensor<f32>
    %117 = stablehlo.multiply %arg0, %arg0 : tensor<8x16xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %118 = stablehlo.reduce(%117 init: %cst_39) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %119 = stablehlo.add %cst_40, %118 : tensor<f32>
    %120 = stablehlo.multiply %arg1, %arg1 : tensor<2x16x8xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %121 = stablehlo.reduce(%120 init: %cst_41) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x8xf32>, tensor<f32>) -> tensor<f32>
    %122 = stablehlo.add %119, %121 : tensor<f32>
    %123 = stablehlo.multiply %arg2, %arg2 : tensor<2x8x16xf32>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %124 = stablehlo.reduce(%123 init: %cst_42) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<f32>
    %125 = stablehlo.add %122, %124 : tensor<f32>
    %126 = stablehlo.multiply %arg3, %arg3 : tensor<16x8xf32>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %127 = stablehlo.reduce(%126 init: %cst_43) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x8xf32>, tensor<f32>) -> tensor<f32>
    %128 = stablehlo.add %125, %127 : tensor<f32>
    %129 = stablehlo.sqrt %128 : tensor<f32>
    %130 = stablehlo.multiply %94, %94 : tensor<8x16xf32>
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %131 = stablehlo.reduce(%130 init: %cst_44) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %132 = stablehlo.add %cst_45, %131 : tensor<f32>
    %133 = stablehlo.multiply %97, %97 : tensor<2x16x8xf32>
    %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %134 = stablehlo.reduce(%133 init: %cst_46) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x8xf32>, tensor<f32>) -> tensor<f32>
    %135 = stablehlo.add %132, %134 : tensor<f32>
    %136 = stablehlo.multiply %100, %100 : tensor<2x8x16xf32>
    %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %137 = stablehlo.reduce(%136 init: %cst_47) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<f32>
    %138 = stablehlo.add %135, %137 : tensor<f32>
    %139 = stablehlo.multiply %103, %103 : tensor<16x8xf32>
    %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %140 = stablehlo.reduce(%139 init: %cst_48) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x8xf32>, tensor<f32>) -> tensor<f32>
    %141 = stablehlo.add %138, %140 : tensor<f32>
    %142 = stablehlo.sqrt %141 : tensor<f32>
    %143 = stablehlo.exponential %43 : tensor<f32>
    return %49, %36, %116, %129, %142, %143, %43, %42, %82, %85, %88, %91, %94, %97, %100, %103 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<8x16xf32>, tensor<2x16x8xf32>, tensor<2x8x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<2x16x8xf32>, tensor<2x8x16xf32>, tensor<16x8xf32>
  }
  func.func private @_var(%arg0: tensor<i32>) -> (tensor<f32>, tensor<i1>, tensor<4x6x1xbf16>) {
    %0 = stablehlo.convert %arg0 : (tensor<i32>) -> tensor<f32>
    %cst = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %1 = stablehlo.subtract %cst, %0 : tensor<f32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.compare GT, %1, %cst_0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %3 = call @_where(%cst_1) : (tensor<f32>) -> tensor<4x6x1xbf16>
    return %1, %2, %3 : tensor<f32>, tensor<i1>, tensor<4x6x1xbf16>
  }
  func.func private @_where(%arg0: tensor<f32>) -> tensor<4x6x1xbf16> {
    %0 = stablehlo.convert %arg0 : (tensor<f32>) -> tensor<bf16>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<bf16>) -> tensor<4x6x1xbf16>
    return %1 : tensor<4x6x1xbf16>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<2x16x8xf32>, %arg1: tensor<i32>) -> tensor<16x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 16, 8] : (tensor<2x16x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16x8xf32>) -> tensor<16x8xf32>
    return %1 : tensor<16x8xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<2x8x16xf32>, %arg1: tensor<i32>) -> tensor<8x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 8, 16] : (tensor<2x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x16xf32>) -> tensor<8x16xf32>
    return %1 : tensor<8x16xf32>
  }
  func.func private @closed_call(%arg0: tensor<f32>, %arg1: tensor<i1>, %arg2: tensor<4x6x1xbf16>, %arg3: tensor<4x6x8xbf16>, %arg4: tensor<16x8xf32>, %arg5: tensor<8x16xf32>) -> (tensor<4x6x8xbf16>, tensor<4x6x16xbf16>, tensor<4x6x8xbf16>) {
    %0 = stablehlo.convert %arg3 : (tensor<4x6x8xbf16>) -> tensor<4x6x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<4x6xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %4 = stablehlo.divide %2, %3 : tensor<4x6x1xf32>
    %5 = stablehlo.convert %4 : (tensor<4x6x1xf32>) -> tensor<4x6x1xbf16>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<4x6x1xbf16>) -> tensor<4x6x8xbf16>
    %7 = stablehlo.subtract %arg3, %6 : tensor<4x6x8xbf16>
    %8 = call @_var_1(%arg3, %arg0, %arg1, %arg2) : (tensor<4x6x8xbf16>, tensor<f32>, tensor<i1>, tensor<4x6x1xbf16>) -> tensor<4x6x1xbf16>
    %cst_1 = stablehlo.constant dense<1.001360e-05> : tensor<bf16>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<bf16>) -> tensor<4x6x1xbf16>
    %10 = stablehlo.add %8, %9 : tensor<4x6x1xbf16>
    %11 = stablehlo.rsqrt %10 : tensor<4x6x1xbf16>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<4x6x1xbf16>) -> tensor<4x6x8xbf16>
    %13 = stablehlo.multiply %7, %12 : tensor<4x6x8xbf16>
    %14 = stablehlo.convert %arg5 : (tensor<8x16xf32>) -> tensor<8x16xbf16>
    %15 = stablehlo.dot_general %13, %14, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xbf16>, tensor<8x16xbf16>) -> tensor<4x6x16xbf16>
    %16 = stablehlo.reduce_precision %15, format = e8m7 : tensor<4x6x16xbf16>
    %17 = stablehlo.multiply %16, %16 : tensor<4x6x16xbf16>
    %18 = stablehlo.multiply %17, %16 : tensor<4x6x16xbf16>
    %cst_2 = stablehlo.constant dense<4.467770e-02> : tensor<bf16>
    %19 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<bf16>) -> tensor<4x6x16xbf16>
    %20 = stablehlo.multiply %19, %18 : tensor<4x6x16xbf16>
    %21 = stablehlo.add %16, %20 : tensor<4x6x16xbf16>
    %cst_3 = stablehlo.constant dense<7.968750e-01> : tensor<bf16>
    %22 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<bf16>) -> tensor<4x6x16xbf16>
    %23 = stablehlo.multiply %22, %21 : tensor<4x6x16xbf16>
    %24 = stablehlo.tanh %23 : tensor<4x6x16xbf16>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %25 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<bf16>) -> tensor<4x6x16xbf16>
    %26 = stablehlo.add %25, %24 : tensor<4x6x16xbf16>
    %cst_5 = stablehlo.constant dense<5.000000e-01> : tensor<bf16>
    %27 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<bf16>) -> tensor<4x6x16xbf16>
    %28 = stablehlo.multiply %27, %26 : tensor<4x6x16xbf16>
    %29 = stablehlo.multiply %16, %28 : tensor<4x6x16xbf16>
    %30 = stablehlo.convert %arg4 : (tensor<16x8xf32>) -> tensor<16x8xbf16>
    %31 = stablehlo.dot_general %29, %30, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6x16xbf16>, tensor<16x8xbf16>) -> tensor<4x6x8xbf16>
    %32 = stablehlo.add %arg3, %31 : tensor<4x6x8xbf16>
    %33 = sdy.sharding_constraint %32 <@mesh, [{"data"}, {}, {}]> : tensor<4x6x8xbf16>
    return %33, %16, %arg3 : tensor<4x6x8xbf16>, tensor<4x6x16xbf16>, tensor<4x6x8xbf16>
  }
  func.func private @_var_1(%arg0: tensor<4x6x8xbf16>, %arg1: tensor<f32>, %arg2: tensor<i1>, %arg3: tensor<4x6x1xbf16>) -> tensor<4x6x1xbf16> {
    %0 = stablehlo.convert %arg0 : (tensor<4x6x8xbf16>) -> tensor<4x6x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<4x6xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %4 = stablehlo.divide %2, %3 : tensor<4x6x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x8xf32>
    %6 = stablehlo.subtract %0, %5 : tensor<4x6x8xf32>
    %7 = chlo.square %6 : tensor<4x6x8xf32> -> tensor<4x6x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<4x6xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %10 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %11 = stablehlo.divide %9, %10 : tensor<4x6x1xf32>
    %12 = stablehlo.convert %11 : (tensor<4x6x1xf32>) -> tensor<4x6x1xbf16>
    %13 = call @_where_2(%12, %arg2, %arg3) : (tensor<4x6x1xbf16>, tensor<i1>, tensor<4x6x1xbf16>) -> tensor<4x6x1xbf16>
    return %13 : tensor<4x6x1xbf16>
  }
  func.func private @_where_2(%arg0: tensor<4x6x1xbf16>, %arg1: tensor<i1>, %arg2: tensor<4x6x1xbf16>) -> tensor<4x6x1xbf16> {
    %0 = stablehlo.select %arg1, %arg0, %arg2 : tensor<i1>, tensor<4x6x1xbf16>
    return %0 : tensor<4x6x1xbf16>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<2x4x6x16xbf16>, %arg1: tensor<4x6x16xbf16>, %arg2: tensor<i32>) -> tensor<2x4x6x16xbf16> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<4x6x16xbf16>) -> tensor<1x4x6x16xbf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<2x4x6x16xbf16>, tensor<1x4x6x16xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x4x6x16xbf16>
    return %1 : tensor<2x4x6x16xbf16>
  }
  func.func private @dynamic_update_index_in_dim_3(%arg0: tensor<2x4x6x8xbf16>, %arg1: tensor<4x6x8xbf16>, %arg2: tensor<i32>) -> tensor<2x4x6x8xbf16> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<4x6x8xbf16>) -> tensor<1x4x6x8xbf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<2x4x6x8xbf16>, tensor<1x4x6x8xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x4x6x8xbf16>
    return %1 : tensor<2x4x6x8xbf16>
  }
  func.func private @take_along_axis(%arg0: tensor<4x6x16xf32>, %arg1: tensor<4x6x1xi32>) -> (tensor<4x6x1xf32>, tensor<4x6x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x6x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<4x6x1xi32>, tensor<4x6x1xi32>) -> tensor<4x6x1xi1>
    %c_0 = stablehlo.constant dense<16> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x6x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<4x6x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<4x6x1xi1>, tensor<4x6x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<4x6x1xi32>) -> tensor<4x6x1x1xi32>
    %c_1 = stablehlo.constant dense<15> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4x6x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<4x6x1x1xi32>, tensor<4x6x1x1xi32>) -> tensor<4x6x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [3] : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xi32>) -> tensor<4x6x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<4x6x1x1xi32>, tensor<4x6x1x1xi32>) -> tensor<4x6x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<4x6x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [3] : (tensor<4x6x1x1xi1>, tensor<i1>) -> tensor<4x6x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<4x6x16xf32>, tensor<4x6x1x1xi32>) -> tensor<4x6x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<4x6x1xi1>, tensor<4x6x1xf32>
    return %15, %5 : tensor<4x6x1xf32>, tensor<4x6x1x1xi32>
  }
  func.func private @argmax(%arg0: tensor<4x6x16xf32>) -> tensor<4x6xi32> {
    %0 = stablehlo.iota dim = 2 : tensor<4x6x16xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [2] : (tensor<4x6x16xf32>, tensor<4x6x16xi32>, tensor<f32>, tensor<i32>) -> (tensor<4x6xf32>, tensor<4x6xi32>)
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
    return %1#1 : tensor<4x6xi32>
  }
  func.func private @take_along_axis_4(%arg0: tensor<4x6x1x1xi32>, %arg1: tensor<4x6x1xf32>) -> tensor<4x6x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x6x16xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4x6x16xf32>, tensor<4x6x1x1xi32>, tensor<4x6x1xf32>) -> tensor<4x6x16xf32>
    return %1 : tensor<4x6x16xf32>
  }
  func.func private @dynamic_index_in_dim_5(%arg0: tensor<2x4x6x16xbf16>, %arg1: tensor<i32>) -> tensor<4x6x16xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 4, 6, 16] : (tensor<2x4x6x16xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x6x16xbf16>
    %1 = stablehlo.reshape %0 : (tensor<1x4x6x16xbf16>) -> tensor<4x6x16xbf16>
    return %1 : tensor<4x6x16xbf16>
  }
  func.func private @dynamic_index_in_dim_6(%arg0: tensor<2x4x6x8xbf16>, %arg1: tensor<i32>) -> tensor<4x6x8xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 4, 6, 8] : (tensor<2x4x6x8xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x6x8xbf16>
    %1 = stablehlo.reshape %0 : (tensor<1x4x6x8xbf16>) -> tensor<4x6x8xbf16>
    return %1 : tensor<4x6x8xbf16>
  }
  func.func private @closed_call_7(%arg0: tensor<4x6x8xbf16>, %arg1: tensor<4x6x16xbf16>, %arg2: tensor<4x6x8xbf16>, %arg3: tensor<16x8xf32>, %arg4: tensor<8x16xf32>) -> (tensor<4x6x8xbf16>, tensor<16x8xf32>, tensor<8x16xf32>) {
    %0:5 = stablehlo.optimization_barrier %arg1, %arg2, %arg3, %arg4, %arg0 : tensor<4x6x16xbf16>, tensor<4x6x8xbf16>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<4x6x8xbf16>
    %1 = stablehlo.convert %0#1 : (tensor<4x6x8xbf16>) -> tensor<4x6x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<4x6xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %5 = stablehlo.divide %3, %4 : tensor<4x6x1xf32>
    %6 = stablehlo.convert %5 : (tensor<4x6x1xf32>) -> tensor<4x6x1xbf16>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<4x6x1xbf16>) -> tensor<4x6x8xbf16>
    %8 = stablehlo.subtract %0#1, %7 : tensor<4x6x8xbf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %9:4 = call @_var_8(%0#1, %c) : (tensor<4x6x8xbf16>, tensor<i32>) -> (tensor<4x6x1xbf16>, tensor<4x6x8xf32>, tensor<f32>, tensor<i1>)
    %cst_1 = stablehlo.constant dense<1.001360e-05> : tensor<bf16>
    %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<bf16>) -> tensor<4x6x1xbf16>
    %11 = stablehlo.add %9#0, %10 : tensor<4x6x1xbf16>
    %12 = stablehlo.rsqrt %11 : tensor<4x6x1xbf16>
    %13 = stablehlo.divide %12, %11 : tensor<4x6x1xbf16>
    %cst_2 = stablehlo.constant dense<-5.000000e-01> : tensor<bf16>
    %14 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<bf16>) -> tensor<4x6x1xbf16>
    %15 = stablehlo.multiply %14, %13 : tensor<4x6x1xbf16>
    %16 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<4x6x1xbf16>) -> tensor<4x6x8xbf16>
    %17 = stablehlo.multiply %8, %16 : tensor<4x6x8xbf16>
    %18 = stablehlo.convert %0#3 : (tensor<8x16xf32>) -> tensor<8x16xbf16>
    %19 = stablehlo.multiply %0#0, %0#0 : tensor<4x6x16xbf16>
    %20 = stablehlo.multiply %19, %0#0 : tensor<4x6x16xbf16>
    %21 = stablehlo.multiply %0#0, %0#0 : tensor<4x6x16xbf16>
    %cst_3 = stablehlo.constant dense<3.000000e+00> : tensor<bf16>
    %22 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<bf16>) -> tensor<4x6x16xbf16>
    %23 = stablehlo.multiply %22, %21 : tensor<4x6x16xbf16>
    %cst_4 = stablehlo.constant dense<4.467770e-02> : tensor<bf16>
    %24 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<bf16>) -> tensor<4x6x16xbf16>
    %25 = stablehlo.multiply %24, %20 : tensor<4x6x16xbf16>
    %26 = stablehlo.add %0#0, %25 : tensor<4x6x16xbf16>
    %cst_5 = stablehlo.constant dense<7.968750e-01> : tensor<bf16>
    %27 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<bf16>) -> tensor<4x6x16xbf16>
    %28 = stablehlo.multiply %27, %26 : tensor<4x6x16xbf16>
    %29 = stablehlo.tanh %28 : tensor<4x6x16xbf16>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %30 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<bf16>) -> tensor<4x6x16xbf16>
    %31 = stablehlo.subtract %30, %29 : tensor<4x6x16xbf16>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %32 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<bf16>) -> tensor<4x6x16xbf16>
    %33 = stablehlo.add %32, %29 : tensor<4x6x16xbf16>
    %cst_8 = stablehlo.constant dense<5.000000e-01> : tensor<bf16>
    %34 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<bf16>) -> tensor<4x6x16xbf16>
    %35 = stablehlo.multiply %34, %33 : tensor<4x6x16xbf16>
    %36 = stablehlo.multiply %0#0, %35 : tensor<4x6x16xbf16>
    %37 = stablehlo.convert %0#2 : (tensor<16x8xf32>) -> tensor<16x8xbf16>
    %38 = sdy.sharding_constraint %0#4 <@mesh, [{"data"}, {}, {}]> : tensor<4x6x8xbf16>
    %39 = stablehlo.dot_general %38, %36, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xbf16>, tensor<4x6x16xbf16>) -> tensor<8x16xbf16>
    %40 = stablehlo.transpose %39, dims = [1, 0] : (tensor<8x16xbf16>) -> tensor<16x8xbf16>
    %41 = stablehlo.dot_general %38, %37, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xbf16>, tensor<16x8xbf16>) -> tensor<4x6x16xbf16>
    %42 = stablehlo.convert %40 : (tensor<16x8xbf16>) -> tensor<16x8xf32>
    %43 = stablehlo.multiply %0#0, %41 : tensor<4x6x16xbf16>
    %44 = stablehlo.multiply %41, %35 : tensor<4x6x16xbf16>
    %cst_9 = stablehlo.constant dense<5.000000e-01> : tensor<bf16>
    %45 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<bf16>) -> tensor<4x6x16xbf16>
    %46 = stablehlo.multiply %45, %43 : tensor<4x6x16xbf16>
    %47 = stablehlo.multiply %46, %31 : tensor<4x6x16xbf16>
    %48 = stablehlo.multiply %47, %29 : tensor<4x6x16xbf16>
    %49 = stablehlo.add %47, %48 : tensor<4x6x16xbf16>
    %cst_10 = stablehlo.constant dense<7.968750e-01> : tensor<bf16>
    %50 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<bf16>) -> tensor<4x6x16xbf16>
    %51 = stablehlo.multiply %50, %49 : tensor<4x6x16xbf16>
    %52 = stablehlo.add %44, %51 : tensor<4x6x16xbf16>
    %cst_11 = stablehlo.constant dense<4.467770e-02> : tensor<bf16>
    %53 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<bf16>) -> tensor<4x6x16xbf16>
    %54 = stablehlo.multiply %53, %51 : tensor<4x6x16xbf16>
    %55 = stablehlo.multiply %54, %23 : tensor<4x6x16xbf16>
    %56 = stablehlo.add %52, %55 : tensor<4x6x16xbf16>
    %57 = stablehlo.dot_general %56, %17, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x16xbf16>, tensor<4x6x8xbf16>) -> tensor<16x8xbf16>
    %58 = stablehlo.transpose %57, dims = [1, 0] : (tensor<16x8xbf16>) -> tensor<8x16xbf16>
    %59 = stablehlo.dot_general %56, %18, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x16xbf16>, tensor<8x16xbf16>) -> tensor<4x6x8xbf16>
    %60 = stablehlo.convert %58 : (tensor<8x16xbf16>) -> tensor<8x16xf32>
    %61 = stablehlo.multiply %8, %59 : tensor<4x6x8xbf16>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %62 = stablehlo.reduce(%61 init: %cst_12) applies stablehlo.add across dimensions = [2] : (tensor<4x6x8xbf16>, tensor<bf16>) -> tensor<4x6xbf16>
    %63 = stablehlo.reshape %62 : (tensor<4x6xbf16>) -> tensor<4x6x1xbf16>
    %64 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<4x6x1xbf16>) -> tensor<4x6x8xbf16>
    %65 = stablehlo.multiply %59, %64 : tensor<4x6x8xbf16>
    %66 = stablehlo.multiply %63, %15 : tensor<4x6x1xbf16>
    %67 = call @_var_10(%9#1, %9#2, %9#3, %66) : (tensor<4x6x8xf32>, tensor<f32>, tensor<i1>, tensor<4x6x1xbf16>) -> tensor<4x6x8xbf16>
    %68 = stablehlo.add %38, %67 : tensor<4x6x8xbf16>
    %69 = stablehlo.negate %65 : tensor<4x6x8xbf16>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %70 = stablehlo.reduce(%69 init: %cst_13) applies stablehlo.add across dimensions = [2] : (tensor<4x6x8xbf16>, tensor<bf16>) -> tensor<4x6xbf16>
    %71 = stablehlo.reshape %70 : (tensor<4x6xbf16>) -> tensor<4x6x1xbf16>
    %72 = stablehlo.add %68, %65 : tensor<4x6x8xbf16>
    %73 = stablehlo.convert %71 : (tensor<4x6x1xbf16>) -> tensor<4x6x1xf32>
    %cst_14 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %75 = stablehlo.divide %73, %74 : tensor<4x6x1xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %76 = stablehlo.reduce(%75 init: %cst_15) applies stablehlo.add across dimensions = [2] : (tensor<4x6x1xf32>, tensor<f32>) -> tensor<4x6xf32>
    %77 = stablehlo.broadcast_in_dim %76, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x8xf32>
    %78 = stablehlo.convert %77 : (tensor<4x6x8xf32>) -> tensor<4x6x8xbf16>
    %79 = stablehlo.add %72, %78 : tensor<4x6x8xbf16>
    return %79, %42, %60 : tensor<4x6x8xbf16>, tensor<16x8xf32>, tensor<8x16xf32>
  }
  func.func private @_var_8(%arg0: tensor<4x6x8xbf16>, %arg1: tensor<i32>) -> (tensor<4x6x1xbf16>, tensor<4x6x8xf32>, tensor<f32>, tensor<i1>) {
    %0 = stablehlo.convert %arg0 : (tensor<4x6x8xbf16>) -> tensor<4x6x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<4x6xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %4 = stablehlo.divide %2, %3 : tensor<4x6x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x8xf32>
    %6 = stablehlo.subtract %0, %5 : tensor<4x6x8xf32>
    %7 = chlo.square %6 : tensor<4x6x8xf32> -> tensor<4x6x8xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x6x8xf32>
    %9 = stablehlo.multiply %8, %6 : tensor<4x6x8xf32>
    %10 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %11 = stablehlo.subtract %cst_2, %10 : tensor<f32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%7 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<4x6xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %14 = stablehlo.broadcast_in_dim %11, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %15 = stablehlo.divide %13, %14 : tensor<4x6x1xf32>
    %16 = stablehlo.convert %15 : (tensor<4x6x1xf32>) -> tensor<4x6x1xbf16>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.compare GT, %11, %cst_4, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_5 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %18 = call @_where_9(%17, %16, %cst_5) : (tensor<i1>, tensor<4x6x1xbf16>, tensor<f32>) -> tensor<4x6x1xbf16>
    return %18, %9, %11, %17 : tensor<4x6x1xbf16>, tensor<4x6x8xf32>, tensor<f32>, tensor<i1>
  }
  func.func private @_where_9(%arg0: tensor<i1>, %arg1: tensor<4x6x1xbf16>, %arg2: tensor<f32>) -> tensor<4x6x1xbf16> {
    %0 = stablehlo.convert %arg2 : (tensor<f32>) -> tensor<bf16>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<bf16>) -> tensor<4x6x1xbf16>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<4x6x1xbf16>
    return %2 : tensor<4x6x1xbf16>
  }
  func.func private @_var_10(%arg0: tensor<4x6x8xf32>, %arg1: tensor<f32>, %arg2: tensor<i1>, %arg3: tensor<4x6x1xbf16>) -> tensor<4x6x8xbf16> {
    %0 = call @_where_11(%arg2, %arg3) : (tensor<i1>, tensor<4x6x1xbf16>) -> tensor<4x6x1xbf16>
    %1 = stablehlo.convert %0 : (tensor<4x6x1xbf16>) -> tensor<4x6x1xf32>
    %2 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<4x6x1xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x6x1xf32>, tensor<f32>) -> tensor<4x6xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x8xf32>
    %6 = stablehlo.multiply %5, %arg0 : tensor<4x6x8xf32>
    %7 = stablehlo.negate %6 : tensor<4x6x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<4x6xf32>
    %9 = stablehlo.reshape %8 : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %cst_1 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %11 = stablehlo.divide %9, %10 : tensor<4x6x1xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<4x6x1xf32>, tensor<f32>) -> tensor<4x6xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x8xf32>
    %14 = stablehlo.add %6, %13 : tensor<4x6x8xf32>
    %15 = stablehlo.convert %14 : (tensor<4x6x8xf32>) -> tensor<4x6x8xbf16>
    return %15 : tensor<4x6x8xbf16>
  }
  func.func private @_where_11(%arg0: tensor<i1>, %arg1: tensor<4x6x1xbf16>) -> tensor<4x6x1xbf16> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<4x6x1xbf16>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<i1>, tensor<4x6x1xbf16>
    return %1 : tensor<4x6x1xbf16>
  }
  func.func private @dynamic_update_index_in_dim_12(%arg0: tensor<2x16x8xf32>, %arg1: tensor<16x8xf32>, %arg2: tensor<i32>) -> tensor<2x16x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<16x8xf32>) -> tensor<1x16x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<2x16x8xf32>, tensor<1x16x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x16x8xf32>
    return %1 : tensor<2x16x8xf32>
  }
  func.func private @dynamic_update_index_in_dim_13(%arg0: tensor<2x8x16xf32>, %arg1: tensor<8x16xf32>, %arg2: tensor<i32>) -> tensor<2x8x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<8x16xf32>) -> tensor<1x8x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<2x8x16xf32>, tensor<1x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x8x16xf32>
    return %1 : tensor<2x8x16xf32>
  }
}
