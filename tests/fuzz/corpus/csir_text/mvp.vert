shader "mvp.vert" vertex
version 330
input vec4 "position" slot=0
input vec3 "normal" slot=1
input vec2 "uv" slot=2
uniform mat4 "model" slot=0
uniform mat4 "view" slot=4
uniform mat4 "projection" slot=8
uniform mat3 "normalMatrix" slot=12
output vec3 "vNormal" slot=0
output vec2 "vUv" slot=1
marks attr=2 vary=1 uniform=14 sampler=-1 position=1 outputs=0 linkable=1
temps 34
imm 0 0 0 0 0 0 0 0
imm 0 0 0 0
  0: %1 = const.4 type=vec4
  1: %0 = mov.4 %1 type=vec4
  2: %2 = load_attr.4 type=vec4 line=3
  3: %3 = load_attr.4 aux=1 type=vec3 line=4
  4: %4 = load_attr.4 aux=2 type=vec2 line=5
  5: %5 = load_uni.4 aux2=4 type=mat4 line=6
  6: %9 = load_uni.4 aux=4 aux2=4 type=mat4 line=7
  7: %13 = load_uni.4 aux=8 aux2=4 type=mat4 line=8
  8: %17 = load_uni.4 aux=12 aux2=3 type=mat3 line=9
  9: %21 = const.4 aux=4 type=vec4 line=10
 10: %20 = mov.4 %21 type=vec4 line=10
 11: %23 = const.4 aux=8 type=vec4 line=11
 12: %22 = mov.4 %23 type=vec4 line=11
 13: %24 = mul_mv.3 %17 %3 aux=3 type=vec3 line=14
 14: %20 = mov.3 %24 type=vec3 line=14
 15: store_var.3 %20 type=vec3 line=14
 16: %22 = mov.2 %4 type=vec2 line=15
 17: store_var.2 %22 aux=1 type=vec2 line=15
 18: %25 = mul_mm.4 %13 %9 aux=4 type=mat4 line=16
 19: %29 = mul_mm.4 %25 %5 aux=4 type=mat4 line=16
 20: %33 = mul_mv.4 %29 %2 aux=4 type=vec4 line=16
 21: %0 = mov.4 %33 type=vec4 line=16
 22: store_pos.4 %0 type=vec4 line=16
