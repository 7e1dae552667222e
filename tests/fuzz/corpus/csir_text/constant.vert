shader "constant.vert" vertex
version 330
input vec4 "position" slot=0
marks attr=0 vary=-1 uniform=-1 sampler=-1 position=1 outputs=0 linkable=1
temps 3
imm 0 0 0 0
  0: %1 = const.4 type=vec4
  1: %0 = mov.4 %1 type=vec4
  2: %2 = load_attr.4 type=vec4 line=3
  3: %0 = mov.4 %2 type=vec4 line=6
  4: store_pos.4 %0 type=vec4 line=6
