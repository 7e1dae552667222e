shader "diffuse.frag" fragment
version 330
input vec3 "vNormal" slot=0
uniform vec3 "lightDirection" slot=0
uniform vec4 "material" slot=1
output vec4 "colour" slot=0
marks attr=-1 vary=0 uniform=1 sampler=-1 position=0 outputs=1 linkable=1
temps 30
imm 0 0 0 0 0 0.200000003 0.800000012 0
imm 0 0 0
  0: %0 = load_fragcoord.4 type=vec4
  1: %1 = load_var.3 type=vec3 line=3
  2: %2 = load_uni.3 aux2=1 type=vec3 line=4
  3: %3 = load_uni.4 aux=1 aux2=1 type=vec4 line=5
  4: %5 = const.4 type=vec4 line=6
  5: %4 = mov.4 %5 type=vec4 line=6
  6: %7 = dot.1 %1 %1 aux=3 type=float line=9
  7: %8 = rsq.1 %7 type=float line=9
  8: %9 = swz.3 %8.xxx type=vec3 line=9
  9: %10 = mul.3 %1 %9 type=vec3 line=9
 10: %6 = mov.3 %10 type=vec3 line=9
 11: %12 = dot.1 %2 %2 aux=3 type=float line=10
 12: %13 = rsq.1 %12 type=float line=10
 13: %14 = swz.3 %13.xxx type=vec3 line=10
 14: %15 = mul.3 %2 %14 type=vec3 line=10
 15: %16 = dot.1 %6 %15 aux=3 type=float line=10
 16: %17 = const.1 aux=4 type=float line=10
 17: %18 = max.1 %16 %17 type=float line=10
 18: %11 = mov.1 %18 type=float line=10
 19: %20 = const.1 aux=5 type=float line=11
 20: %21 = const.1 aux=6 type=float line=11
 21: %22 = mul.1 %21 %11 type=float line=11
 22: %23 = add.1 %20 %22 type=float line=11
 23: %19 = mov.1 %23 type=float line=11
 24: %24 = swz.3 %3.xyz type=vec3 line=12
 25: %25 = swz.3 %19.xxx type=vec3 line=12
 26: %26 = mul.3 %24 %25 type=vec3 line=12
 27: %27 = swz.1 %3.w type=float line=12
 28: %29 = const.4 aux=7 type=vec4 line=12
 29: %28 = mov.4 %29 type=vec4 line=12
 30: %28 = lane.4 %26 type=vec4 line=12
 31: %28 = lane.4 %26 aux=1 aux2=1 type=vec4 line=12
 32: %28 = lane.4 %26 aux=2 aux2=2 type=vec4 line=12
 33: %28 = lane.4 %27 aux=3 type=vec4 line=12
 34: %4 = mov.4 %28 type=vec4 line=12
 35: store_color.4 %4 type=vec4 line=12
