shader "functions.frag" fragment
version 330
input vec2 "vUv" slot=0
output vec4 "colour" slot=0
marks attr=-1 vary=0 uniform=-1 sampler=-1 position=0 outputs=1 linkable=1
temps 49
imm 0 0 0 0 0.5 0.5 0.5 0.5
imm 1 0 1 0.100000001 0.100000001 0.400000006 0 0
imm 0 0 1 0.800000012 0.200000003 0 0 0
imm 0 1 1 0 0 0 0
  0: %0 = load_fragcoord.4 type=vec4
  1: %1 = load_var.2 type=vec2 line=3
  2: %3 = const.4 type=vec4 line=4
  3: %2 = mov.4 %3 type=vec4 line=4
  4: %5 = const.1 aux=4 type=float line=16
  5: %6 = mov.2 %1 type=vec2 line=16
  6: %7 = mov.1 %5 type=float line=16
  7: nop.1 dst=9 a=0 b=0 c=0 aux=5 type=float line=11
  8: %10 = const.2 aux=6 type=vec2 line=11
  9: %11 = sub.2 %6 %10 type=vec2 line=11
 10: %8 = mov.2 %11 type=vec2 line=11
 11: %12 = const.1 aux=8 type=float line=12
 12: %13 = swz.1 %8.x type=float line=12
 13: %14 = mov.1 %13 type=float line=12
 14: %15 = mul.1 %14 %14 type=float line=7
 15: %16 = swz.1 %8.y type=float line=7
 16: %17 = mov.1 %16 type=float line=7
 17: %18 = mul.1 %17 %17 type=float line=7
 18: %19 = add.1 %15 %18 type=float line=7
 19: %20 = mov.1 %7 type=float line=7
 20: %21 = mul.1 %20 %20 type=float line=7
 21: %22 = rcp.1 %21 type=float line=7
 22: %23 = mul.1 %19 %22 type=float line=7
 23: %24 = sub.1 %12 %23 type=float line=7
 24: %25 = const.1 aux=9 type=float line=7
 25: %26 = const.1 aux=10 type=float line=7
 26: %27 = max.1 %24 %25 type=float line=7
 27: %28 = min.1 %27 %26 type=float line=7
 28: %4 = mov.1 %28 type=float line=7
 29: %29 = const.1 aux=11 type=float line=17
 30: %30 = const.1 aux=12 type=float line=17
 31: %31 = const.1 aux=13 type=float line=17
 32: %33 = const.4 aux=14 type=vec4 line=17
 33: %32 = mov.4 %33 type=vec3 line=17
 34: %32 = lane.3 %29 type=vec3 line=17
 35: %32 = lane.3 %30 aux=1 type=vec3 line=17
 36: %32 = lane.3 %31 aux=2 type=vec3 line=17
 37: %34 = const.1 aux=18 type=float line=17
 38: %35 = const.1 aux=19 type=float line=17
 39: %36 = const.1 aux=20 type=float line=17
 40: %38 = const.4 aux=21 type=vec4 line=17
 41: %37 = mov.4 %38 type=vec3 line=17
 42: %37 = lane.3 %34 type=vec3 line=17
 43: %37 = lane.3 %35 aux=1 type=vec3 line=17
 44: %37 = lane.3 %36 aux=2 type=vec3 line=17
 45: %39 = const.1 aux=25 type=float line=17
 46: %40 = sub.1 %39 %4 type=float line=17
 47: %41 = swz.3 %40.xxx type=vec3 line=17
 48: %42 = mul.3 %32 %41 type=vec3 line=17
 49: %43 = swz.3 %4.xxx type=vec3 line=17
 50: %44 = mul.3 %37 %43 type=vec3 line=17
 51: %45 = add.3 %42 %44 type=vec3 line=17
 52: %46 = const.1 aux=26 type=float line=17
 53: %48 = const.4 aux=27 type=vec4 line=17
 54: %47 = mov.4 %48 type=vec4 line=17
 55: %47 = lane.4 %45 type=vec4 line=17
 56: %47 = lane.4 %45 aux=1 aux2=1 type=vec4 line=17
 57: %47 = lane.4 %45 aux=2 aux2=2 type=vec4 line=17
 58: %47 = lane.4 %46 aux=3 type=vec4 line=17
 59: %2 = mov.4 %47 type=vec4 line=17
 60: store_color.4 %2 type=vec4 line=17
