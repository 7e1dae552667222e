shader "texture.frag" fragment
version 330
input vec2 "vUv" slot=0
sampler sampler2D "picture" slot=0
uniform vec4 "tint" slot=0
output vec4 "colour" slot=0
marks attr=-1 vary=0 uniform=0 sampler=0 position=0 outputs=1 linkable=1
temps 7
imm 0 0 0 0
  0: %0 = load_fragcoord.4 type=vec4
  1: %1 = load_var.2 type=vec2 line=3
  2: %2 = load_uni.4 aux2=1 type=vec4 line=5
  3: %4 = const.4 type=vec4 line=6
  4: %3 = mov.4 %4 type=vec4 line=6
  5: %5 = sample2d.4 %1 type=vec4 line=9
  6: %6 = mul.4 %5 %2 type=vec4 line=9
  7: %3 = mov.4 %6 type=vec4 line=9
  8: store_color.4 %3 type=vec4 line=9
