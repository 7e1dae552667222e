shader "branch.frag" fragment
version 330
input vec2 "vUv" slot=0
uniform float "edge" slot=0
output vec4 "colour" slot=0
marks attr=-1 vary=0 uniform=0 sampler=-1 position=0 outputs=1 linkable=1
temps 31
imm 0 0 0 0 0 0 0 0
imm 0.5 1 0 0 0 0 0 0
imm 0 1 0 0 0 0 0 0
imm 0 0 0 0 0 1 0 0
imm 0 0
  0: %0 = load_fragcoord.4 type=vec4
  1: %1 = load_var.2 type=vec2 line=3
  2: %2 = load_uni.1 aux2=1 type=float line=4
  3: %4 = const.4 type=vec4 line=5
  4: %3 = mov.4 %4 type=vec4 line=5
  5: nop.1 dst=6 a=0 b=0 c=0 aux=4 type=float line=8
  6: %7 = const.3 aux=5 type=vec3 line=8
  7: %5 = mov.3 %7 type=vec3 line=8
  8: %8 = swz.1 %1.x type=float line=9
  9: %9 = cmp.1 %8 %2 rel=lt type=bool line=9
 10: if %9 line=9
 11: %10 = swz.1 %1.y type=float line=10
 12: %11 = const.1 aux=8 type=float line=10
 13: %12 = cmp.1 %10 %11 rel=lt type=bool line=10
 14: if %12 line=10
 15: %13 = const.1 aux=9 type=float line=11
 16: %14 = const.1 aux=10 type=float line=11
 17: %15 = const.1 aux=11 type=float line=11
 18: %17 = const.4 aux=12 type=vec4 line=11
 19: %16 = mov.4 %17 type=vec3 line=11
 20: %16 = lane.3 %13 type=vec3 line=11
 21: %16 = lane.3 %14 aux=1 type=vec3 line=11
 22: %16 = lane.3 %15 aux=2 type=vec3 line=11
 23: %5 = mov.3 %16 type=vec3 line=11
 24: else line=10
 25: %18 = const.1 aux=16 type=float line=13
 26: %19 = const.1 aux=17 type=float line=13
 27: %20 = const.1 aux=18 type=float line=13
 28: %22 = const.4 aux=19 type=vec4 line=13
 29: %21 = mov.4 %22 type=vec3 line=13
 30: %21 = lane.3 %18 type=vec3 line=13
 31: %21 = lane.3 %19 aux=1 type=vec3 line=13
 32: %21 = lane.3 %20 aux=2 type=vec3 line=13
 33: %5 = mov.3 %21 type=vec3 line=13
 34: endif line=10
 35: else line=9
 36: %23 = const.1 aux=23 type=float line=15
 37: %24 = const.1 aux=24 type=float line=15
 38: %25 = swz.1 %1.y type=float line=15
 39: %27 = const.4 aux=25 type=vec4 line=15
 40: %26 = mov.4 %27 type=vec3 line=15
 41: %26 = lane.3 %23 type=vec3 line=15
 42: %26 = lane.3 %24 aux=1 type=vec3 line=15
 43: %26 = lane.3 %25 aux=2 type=vec3 line=15
 44: %5 = mov.3 %26 type=vec3 line=15
 45: endif line=9
 46: %28 = const.1 aux=29 type=float line=17
 47: %30 = const.4 aux=30 type=vec4 line=17
 48: %29 = mov.4 %30 type=vec4 line=17
 49: %29 = lane.4 %5 type=vec4 line=17
 50: %29 = lane.4 %5 aux=1 aux2=1 type=vec4 line=17
 51: %29 = lane.4 %5 aux=2 aux2=2 type=vec4 line=17
 52: %29 = lane.4 %28 aux=3 type=vec4 line=17
 53: %3 = mov.4 %29 type=vec4 line=17
 54: store_color.4 %3 type=vec4 line=17
