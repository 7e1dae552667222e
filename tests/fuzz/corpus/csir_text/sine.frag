shader "sine.frag" fragment
version 330
input vec2 "vUv" slot=0
uniform float "time" slot=0
output vec4 "colour" slot=0
marks attr=-1 vary=0 uniform=0 sampler=-1 position=0 outputs=1 linkable=1
temps 25
imm 0 0 0 0 12 9 0.5 0.5
imm 1 0 0 0 0
  0: %0 = load_fragcoord.4 type=vec4
  1: %1 = load_var.2 type=vec2 line=3
  2: %2 = load_uni.1 aux2=1 type=float line=4
  3: %4 = const.4 type=vec4 line=5
  4: %3 = mov.4 %4 type=vec4 line=5
  5: %6 = swz.1 %1.x type=float line=8
  6: %7 = const.1 aux=4 type=float line=8
  7: %8 = mul.1 %6 %7 type=float line=8
  8: %9 = add.1 %8 %2 type=float line=8
  9: %10 = sin.1 %9 type=float line=8
 10: %11 = swz.1 %1.y type=float line=8
 11: %12 = const.1 aux=5 type=float line=8
 12: %13 = mul.1 %11 %12 type=float line=8
 13: %14 = sub.1 %13 %2 type=float line=8
 14: %15 = cos.1 %14 type=float line=8
 15: %16 = mul.1 %10 %15 type=float line=8
 16: %5 = mov.1 %16 type=float line=8
 17: %17 = const.1 aux=6 type=float line=9
 18: %18 = const.1 aux=7 type=float line=9
 19: %19 = mul.1 %18 %5 type=float line=9
 20: %20 = add.1 %17 %19 type=float line=9
 21: %21 = swz.3 %20.xxx type=vec3 line=9
 22: %22 = const.1 aux=8 type=float line=9
 23: %24 = const.4 aux=9 type=vec4 line=9
 24: %23 = mov.4 %24 type=vec4 line=9
 25: %23 = lane.4 %21 type=vec4 line=9
 26: %23 = lane.4 %21 aux=1 aux2=1 type=vec4 line=9
 27: %23 = lane.4 %21 aux=2 aux2=2 type=vec4 line=9
 28: %23 = lane.4 %22 aux=3 type=vec4 line=9
 29: %3 = mov.4 %23 type=vec4 line=9
 30: store_color.4 %3 type=vec4 line=9
