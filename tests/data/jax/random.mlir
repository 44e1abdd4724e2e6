module @jit_bits attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xui32>, %arg1: tensor<4xui32>) -> (tensor<4xui32> {jax.result_info = "result[0]"}, tensor<3x5xui32> {jax.result_info = "result[1]"}, tensor<4xui32> {jax.result_info = "result[2]"}, tensor<4x6xui32> {jax.result_info = "result[3]"}, tensor<4xui32> {jax.result_info = "result[4]"}, tensor<7xui32> {jax.result_info = "result[5]"}, tensor<4xui32> {jax.result_info = "result[6]"}, tensor<2x3x4xui32> {jax.result_info = "result[7]"}, tensor<4xui32> {jax.result_info = "result[8]"}, tensor<3x5xui32> {jax.result_info = "result[9]"}, tensor<4xui32> {jax.result_info = "result[10]"}, tensor<4x6xui32> {jax.result_info = "result[11]"}, tensor<4xui32> {jax.result_info = "result[12]"}, tensor<7xui32> {jax.result_info = "result[13]"}, tensor<4xui32> {jax.result_info = "result[14]"}, tensor<2x3x4xui32> {jax.result_info = "result[15]"}, tensor<4xui32> {jax.result_info = "result[16]"}, tensor<3x5xui32> {jax.result_info = "result[17]"}, tensor<4xui32> {jax.result_info = "result[18]"}, tensor<4x6xui32> {jax.result_info = "result[19]"}, tensor<4xui32> {jax.result_info = "result[20]"}, tensor<7xui32> {jax.result_info = "result[21]"}, tensor<4xui32> {jax.result_info = "result[22]"}, tensor<2x3x4xui32> {jax.result_info = "result[23]"}, tensor<4xui32> {jax.result_info = "result[24]"}, tensor<4xui32> {jax.result_info = "result[25]"}, tensor<4xi32> {jax.result_info = "result[26]"}, tensor<4xui32> {jax.result_info = "result[27]"}, tensor<4xui32> {jax.result_info = "result[28]"}, tensor<4xf32> {jax.result_info = "result[29]"}) {
    %c = stablehlo.constant dense<2654435769> : tensor<ui32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui32>) -> tensor<4xui32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<4xui32>
    %2 = stablehlo.reshape %1 : (tensor<4xui32>) -> tensor<2x2xui32>
    %3 = stablehlo.bitcast_convert %2 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state, %output = stablehlo.rng_bit_generator %3, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui32>)
    %4 = stablehlo.bitcast_convert %output_state : (tensor<2xui64>) -> tensor<2x2xui32>
    %5 = stablehlo.reshape %4 : (tensor<2x2xui32>) -> tensor<4xui32>
    %6 = stablehlo.xor %5, %arg1 : tensor<4xui32>
    %c_0 = stablehlo.constant dense<2654435769> : tensor<ui32>
    %7 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui32>) -> tensor<4xui32>
    %8 = stablehlo.multiply %6, %7 : tensor<4xui32>
    %9 = stablehlo.reshape %8 : (tensor<4xui32>) -> tensor<2x2xui32>
    %10 = stablehlo.bitcast_convert %9 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_1, %output_2 = stablehlo.rng_bit_generator %10, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x6xui32>)
    %11 = stablehlo.bitcast_convert %output_state_1 : (tensor<2xui64>) -> tensor<2x2xui32>
    %12 = stablehlo.reshape %11 : (tensor<2x2xui32>) -> tensor<4xui32>
    %13 = stablehlo.xor %12, %arg1 : tensor<4xui32>
    %c_3 = stablehlo.constant dense<2654435769> : tensor<ui32>
    %14 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<ui32>) -> tensor<4xui32>
    %15 = stablehlo.multiply %13, %14 : tensor<4xui32>
    %16 = stablehlo.reshape %15 : (tensor<4xui32>) -> tensor<2x2xui32>
    %17 = stablehlo.bitcast_convert %16 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_4, %output_5 = stablehlo.rng_bit_generator %17, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<7xui32>)
    %18 = stablehlo.bitcast_convert %output_state_4 : (tensor<2xui64>) -> tensor<2x2xui32>
    %19 = stablehlo.reshape %18 : (tensor<2x2xui32>) -> tensor<4xui32>
    %20 = stablehlo.xor %19, %arg1 : tensor<4xui32>
    %c_6 = stablehlo.constant dense<2654435769> : tensor<ui32>
    %21 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<ui32>) -> tensor<4xui32>
    %22 = stablehlo.multiply %20, %21 : tensor<4xui32>
    %23 = stablehlo.reshape %22 : (tensor<4xui32>) -> tensor<2x2xui32>
    %24 = stablehlo.bitcast_convert %23 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_7, %output_8 = stablehlo.rng_bit_generator %24, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x3x4xui32>)
    %25 = stablehlo.bitcast_convert %output_state_7 : (tensor<2xui64>) -> tensor<2x2xui32>
    %26 = stablehlo.reshape %25 : (tensor<2x2xui32>) -> tensor<4xui32>
    %27 = stablehlo.xor %26, %arg1 : tensor<4xui32>
    %c_9 = stablehlo.constant dense<2654435769> : tensor<ui32>
    %28 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<ui32>) -> tensor<4xui32>
    %29 = stablehlo.multiply %27, %28 : tensor<4xui32>
    %30 = stablehlo.reshape %29 : (tensor<4xui32>) -> tensor<2x2xui32>
    %31 = stablehlo.bitcast_convert %30 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_10, %output_11 = stablehlo.rng_bit_generator %31, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui32>)
    %32 = stablehlo.bitcast_convert %output_state_10 : (tensor<2xui64>) -> tensor<2x2xui32>
    %33 = stablehlo.reshape %32 : (tensor<2x2xui32>) -> tensor<4xui32>
    %34 = stablehlo.xor %33, %arg1 : tensor<4xui32>
    %c_12 = stablehlo.constant dense<2654435769> : tensor<ui32>
    %35 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<ui32>) -> tensor<4xui32>
    %36 = stablehlo.multiply %34, %35 : tensor<4xui32>
    %37 = stablehlo.reshape %36 : (tensor<4xui32>) -> tensor<2x2xui32>
    %38 = stablehlo.bitcast_convert %37 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_13, %output_14 = stablehlo.rng_bit_generator %38, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x6xui32>)
    %39 = stablehlo.bitcast_convert %output_state_13 : (tensor<2xui64>) -> tensor<2x2xui32>
    %40 = stablehlo.reshape %39 : (tensor<2x2xui32>) -> tensor<4xui32>
    %41 = stablehlo.xor %40, %arg1 : tensor<4xui32>
    %c_15 = stablehlo.constant dense<2654435769> : tensor<ui32>
    %42 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<ui32>) -> tensor<4xui32>
    %43 = stablehlo.multiply %41, %42 : tensor<4xui32>
    %44 = stablehlo.reshape %43 : (tensor<4xui32>) -> tensor<2x2xui32>
    %45 = stablehlo.bitcast_convert %44 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_16, %output_17 = stablehlo.rng_bit_generator %45, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<7xui32>)
    %46 = stablehlo.bitcast_convert %output_state_16 : (tensor<2xui64>) -> tensor<2x2xui32>
    %47 = stablehlo.reshape %46 : (tensor<2x2xui32>) -> tensor<4xui32>
    %48 = stablehlo.xor %47, %arg1 : tensor<4xui32>
    %c_18 = stablehlo.constant dense<2654435769> : tensor<ui32>
    %49 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<ui32>) -> tensor<4xui32>
    %50 = stablehlo.multiply %48, %49 : tensor<4xui32>
    %51 = stablehlo.reshape %50 : (tensor<4xui32>) -> tensor<2x2xui32>
    %52 = stablehlo.bitcast_convert %51 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_19, %output_20 = stablehlo.rng_bit_generator %52, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x3x4xui32>)
    %53 = stablehlo.bitcast_convert %output_state_19 : (tensor<2xui64>) -> tensor<2x2xui32>
    %54 = stablehlo.reshape %53 : (tensor<2x2xui32>) -> tensor<4xui32>
    %55 = stablehlo.xor %54, %arg1 : tensor<4xui32>
    %c_21 = stablehlo.constant dense<2654435769> : tensor<ui32>
    %56 = stablehlo.broadcast_in_dim %c_21, dims = [] : (tensor<ui32>) -> tensor<4xui32>
    %57 = stablehlo.multiply %55, %56 : tensor<4xui32>
    %58 = stablehlo.reshape %57 : (tensor<4xui32>) -> tensor<2x2xui32>
    %59 = stablehlo.bitcast_convert %58 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_22, %output_23 = stablehlo.rng_bit_generator %59, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui32>)
    %60 = stablehlo.bitcast_convert %output_state_22 : (tensor<2xui64>) -> tensor<2x2xui32>
    %61 = stablehlo.reshape %60 : (tensor<2x2xui32>) -> tensor<4xui32>
    %62 = stablehlo.xor %61, %arg1 : tensor<4xui32>
    %c_24 = stablehlo.constant dense<2654435769> : tensor<ui32>
    %63 = stablehlo.broadcast_in_dim %c_24, dims = [] : (tensor<ui32>) -> tensor<4xui32>
    %64 = stablehlo.multiply %62, %63 : tensor<4xui32>
    %65 = stablehlo.reshape %64 : (tensor<4xui32>) -> tensor<2x2xui32>
    %66 = stablehlo.bitcast_convert %65 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_25, %output_26 = stablehlo.rng_bit_generator %66, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x6xui32>)
    %67 = stablehlo.bitcast_convert %output_state_25 : (tensor<2xui64>) -> tensor<2x2xui32>
    %68 = stablehlo.reshape %67 : (tensor<2x2xui32>) -> tensor<4xui32>
    %69 = stablehlo.xor %68, %arg1 : tensor<4xui32>
    %c_27 = stablehlo.constant dense<2654435769> : tensor<ui32>
    %70 = stablehlo.broadcast_in_dim %c_27, dims = [] : (tensor<ui32>) -> tensor<4xui32>
    %71 = stablehlo.multiply %69, %70 : tensor<4xui32>
    %72 = stablehlo.reshape %71 : (tensor<4xui32>) -> tensor<2x2xui32>
    %73 = stablehlo.bitcast_convert %72 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_28, %output_29 = stablehlo.rng_bit_generator %73, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<7xui32>)
    %74 = stablehlo.bitcast_convert %output_state_28 : (tensor<2xui64>) -> tensor<2x2xui32>
    %75 = stablehlo.reshape %74 : (tensor<2x2xui32>) -> tensor<4xui32>
    %76 = stablehlo.xor %75, %arg1 : tensor<4xui32>
    %c_30 = stablehlo.constant dense<2654435769> : tensor<ui32>
    %77 = stablehlo.broadcast_in_dim %c_30, dims = [] : (tensor<ui32>) -> tensor<4xui32>
    %78 = stablehlo.multiply %76, %77 : tensor<4xui32>
    %79 = stablehlo.reshape %78 : (tensor<4xui32>) -> tensor<2x2xui32>
    %80 = stablehlo.bitcast_convert %79 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_31, %output_32 = stablehlo.rng_bit_generator %80, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x3x4xui32>)
    %81 = stablehlo.bitcast_convert %output_state_31 : (tensor<2xui64>) -> tensor<2x2xui32>
    %82 = stablehlo.reshape %81 : (tensor<2x2xui32>) -> tensor<4xui32>
    %83 = stablehlo.xor %82, %arg1 : tensor<4xui32>
    %84 = stablehlo.shift_right_logical %83, %arg1 : tensor<4xui32>
    %85 = stablehlo.shift_left %83, %arg1 : tensor<4xui32>
    %86 = stablehlo.convert %83 : (tensor<4xui32>) -> tensor<4xi32>
    %87 = stablehlo.convert %arg1 : (tensor<4xui32>) -> tensor<4xi32>
    %88 = stablehlo.shift_right_arithmetic %86, %87 : tensor<4xi32>
    %89 = stablehlo.multiply %83, %83 : tensor<4xui32>
    %c_33 = stablehlo.constant dense<3> : tensor<ui32>
    %90 = stablehlo.broadcast_in_dim %c_33, dims = [] : (tensor<ui32>) -> tensor<4xui32>
    %91 = stablehlo.add %arg1, %90 : tensor<4xui32>
    %92 = call @floor_divide(%83, %91) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %c_34 = stablehlo.constant dense<2> : tensor<ui32>
    %93 = stablehlo.broadcast_in_dim %c_34, dims = [] : (tensor<ui32>) -> tensor<4xui32>
    %94 = stablehlo.shift_right_logical %83, %93 : tensor<4xui32>
    %95 = stablehlo.bitcast_convert %94 : (tensor<4xui32>) -> tensor<4xf32>
    return %5, %output, %12, %output_2, %19, %output_5, %26, %output_8, %33, %output_11, %40, %output_14, %47, %output_17, %54, %output_20, %61, %output_23, %68, %output_26, %75, %output_29, %82, %output_32, %84, %85, %88, %89, %92, %95 : tensor<4xui32>, tensor<3x5xui32>, tensor<4xui32>, tensor<4x6xui32>, tensor<4xui32>, tensor<7xui32>, tensor<4xui32>, tensor<2x3x4xui32>, tensor<4xui32>, tensor<3x5xui32>, tensor<4xui32>, tensor<4x6xui32>, tensor<4xui32>, tensor<7xui32>, tensor<4xui32>, tensor<2x3x4xui32>, tensor<4xui32>, tensor<3x5xui32>, tensor<4xui32>, tensor<4x6xui32>, tensor<4xui32>, tensor<7xui32>, tensor<4xui32>, tensor<2x3x4xui32>, tensor<4xui32>, tensor<4xui32>, tensor<4xi32>, tensor<4xui32>, tensor<4xui32>, tensor<4xf32>
  }
  func.func private @floor_divide(%arg0: tensor<4xui32>, %arg1: tensor<4xui32>) -> tensor<4xui32> {
    %0 = stablehlo.divide %arg0, %arg1 : tensor<4xui32>
    return %0 : tensor<4xui32>
  }
}
