shader "constant.frag" fragment
version 330
output vec4 "colour" slot=0
marks attr=-1 vary=-1 uniform=-1 sampler=-1 position=0 outputs=1 linkable=1
temps 9
imm 0 0 0 0 1 0 0 1
imm 0 0 0 0
  0: %0 = load_fragcoord.4 type=vec4
  1: %2 = const.4 type=vec4 line=3
  2: %1 = mov.4 %2 type=vec4 line=3
  3: %3 = const.1 aux=4 type=float line=6
  4: %4 = const.1 aux=5 type=float line=6
  5: %5 = const.1 aux=6 type=float line=6
  6: %6 = const.1 aux=7 type=float line=6
  7: %8 = const.4 aux=8 type=vec4 line=6
  8: %7 = mov.4 %8 type=vec4 line=6
  9: %7 = lane.4 %3 type=vec4 line=6
 10: %7 = lane.4 %4 aux=1 type=vec4 line=6
 11: %7 = lane.4 %5 aux=2 type=vec4 line=6
 12: %7 = lane.4 %6 aux=3 type=vec4 line=6
 13: %1 = mov.4 %7 type=vec4 line=6
 14: store_color.4 %1 type=vec4 line=6
