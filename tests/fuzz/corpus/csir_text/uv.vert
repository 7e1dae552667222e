shader "uv.vert" vertex
version 330
input vec4 "position" slot=0
input vec2 "uv" slot=2
output vec2 "vUv" slot=0
marks attr=2 vary=0 uniform=-1 sampler=-1 position=1 outputs=0 linkable=1
temps 6
imm 0 0 0 0 0 0 0 0
  0: %1 = const.4 type=vec4
  1: %0 = mov.4 %1 type=vec4
  2: %2 = load_attr.4 type=vec4 line=3
  3: %3 = load_attr.4 aux=2 type=vec2 line=4
  4: %5 = const.4 aux=4 type=vec4 line=5
  5: %4 = mov.4 %5 type=vec4 line=5
  6: %4 = mov.2 %3 type=vec2 line=8
  7: store_var.2 %4 type=vec2 line=8
  8: %0 = mov.4 %2 type=vec4 line=9
  9: store_pos.4 %0 type=vec4 line=9
