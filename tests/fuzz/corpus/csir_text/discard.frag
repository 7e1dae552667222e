shader "discard.frag" fragment
version 330
input vec2 "vUv" slot=0
output vec4 "colour" slot=0
marks attr=-1 vary=0 uniform=-1 sampler=-1 position=0 outputs=1 linkable=1
temps 20
imm 0 0 0 0 0.5 0.5 0 0
imm 0 0 0.0400000028 0.5 1 0 0 0
imm 0
  0: %0 = load_fragcoord.4 type=vec4
  1: %1 = load_var.2 type=vec2 line=3
  2: %3 = const.4 type=vec4 line=4
  3: %2 = mov.4 %3 type=vec4 line=4
  4: %5 = const.1 aux=4 type=float line=7
  5: %6 = const.1 aux=5 type=float line=7
  6: %8 = const.4 aux=6 type=vec4 line=7
  7: %7 = mov.4 %8 type=vec2 line=7
  8: %7 = lane.2 %5 type=vec2 line=7
  9: %7 = lane.2 %6 aux=1 type=vec2 line=7
 10: %9 = sub.2 %1 %7 type=vec2 line=7
 11: %4 = mov.2 %9 type=vec2 line=7
 12: %10 = mul.2 %4 %4 type=vec2 line=8
 13: %11 = swz.1 %10.x type=float line=8
 14: %12 = swz.1 %10.y type=float line=8
 15: %13 = add.1 %11 %12 type=float line=8
 16: %14 = const.1 aux=10 type=float line=8
 17: %15 = cmp.1 %13 %14 rel=lt type=bool line=8
 18: if %15 line=8
 19: discard line=9
 20: endif line=8
 21: %16 = const.1 aux=11 type=float line=11
 22: %17 = const.1 aux=12 type=float line=11
 23: %19 = const.4 aux=13 type=vec4 line=11
 24: %18 = mov.4 %19 type=vec4 line=11
 25: %18 = lane.4 %1 type=vec4 line=11
 26: %18 = lane.4 %1 aux=1 aux2=1 type=vec4 line=11
 27: %18 = lane.4 %16 aux=2 type=vec4 line=11
 28: %18 = lane.4 %17 aux=3 type=vec4 line=11
 29: %2 = mov.4 %18 type=vec4 line=11
 30: store_color.4 %2 type=vec4 line=11
