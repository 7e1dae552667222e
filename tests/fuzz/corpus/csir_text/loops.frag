shader "loops.frag" fragment
version 330
input vec2 "vUv" slot=0
output vec4 "colour" slot=0
marks attr=-1 vary=0 uniform=-1 sampler=-1 position=0 outputs=1 linkable=1
temps 52
imm 0 0 0 0 0 1 0 1
imm 2 2 3 3 0 2 0 0
imm 1 1 0 1 0 1 0 0
imm 0 0
  0: %0 = load_fragcoord.4 type=vec4
  1: %1 = load_var.2 type=vec2 line=3
  2: %3 = const.4 type=vec4 line=4
  3: %2 = mov.4 %3 type=vec4 line=4
  4: %5 = const.1 aux=4 type=float line=7
  5: %4 = mov.1 %5 type=float line=7
  6: %7 = const.1 aux=5 type=float line=8
  7: nop.1 dst=6 a=7 type=int line=8
  8: %8 = const.1 aux=6 type=float line=9
  9: %9 = swz.1 %1.x type=float line=9
 10: %10 = const.1 aux=7 type=float line=9
 11: %11 = mul.1 %9 %10 type=float line=9
 12: %12 = add.1 %8 %11 type=float line=9
 13: %4 = mov.1 %12 type=float line=9
 14: %14 = const.1 aux=8 type=float line=9
 15: nop.1 dst=13 a=14 type=int line=9
 16: %15 = swz.1 %1.x type=float line=9
 17: %16 = const.1 aux=9 type=float line=9
 18: %17 = mul.1 %15 %16 type=float line=9
 19: %18 = add.1 %4 %17 type=float line=9
 20: %4 = mov.1 %18 type=float line=9
 21: %20 = const.1 aux=10 type=float line=9
 22: nop.1 dst=19 a=20 type=int line=9
 23: %21 = swz.1 %1.x type=float line=9
 24: %22 = const.1 aux=11 type=float line=9
 25: %23 = mul.1 %21 %22 type=float line=9
 26: %24 = add.1 %4 %23 type=float line=9
 27: %4 = mov.1 %24 type=float line=9
 28: %26 = const.1 aux=12 type=float line=11
 29: %25 = mov.1 %26 type=float line=11
 30: %28 = const.1 aux=13 type=float line=12
 31: nop.1 dst=27 a=28 type=int line=12
 32: %30 = const.1 aux=14 type=float line=13
 33: nop.1 dst=29 a=30 type=int line=13
 34: %31 = const.1 aux=15 type=float line=14
 35: %32 = swz.1 %1.y type=float line=14
 36: %33 = add.1 %31 %32 type=float line=14
 37: %25 = mov.1 %33 type=float line=14
 38: %35 = const.1 aux=16 type=float line=14
 39: nop.1 dst=34 a=35 type=int line=14
 40: %36 = swz.1 %1.y type=float line=14
 41: %37 = add.1 %25 %36 type=float line=14
 42: %25 = mov.1 %37 type=float line=14
 43: %39 = const.1 aux=17 type=float line=14
 44: nop.1 dst=38 a=39 type=int line=14
 45: %41 = const.1 aux=18 type=float line=13
 46: nop.1 dst=40 a=41 type=int line=13
 47: %42 = swz.1 %1.y type=float line=14
 48: %43 = add.1 %25 %42 type=float line=14
 49: %25 = mov.1 %43 type=float line=14
 50: %45 = const.1 aux=19 type=float line=14
 51: nop.1 dst=44 a=45 type=int line=14
 52: %46 = swz.1 %1.y type=float line=14
 53: %47 = add.1 %25 %46 type=float line=14
 54: %25 = mov.1 %47 type=float line=14
 55: %48 = const.1 aux=20 type=float line=17
 56: %49 = const.1 aux=21 type=float line=17
 57: %51 = const.4 aux=22 type=vec4 line=17
 58: %50 = mov.4 %51 type=vec4 line=17
 59: %50 = lane.4 %4 type=vec4 line=17
 60: %50 = lane.4 %25 aux=1 type=vec4 line=17
 61: %50 = lane.4 %48 aux=2 type=vec4 line=17
 62: %50 = lane.4 %49 aux=3 type=vec4 line=17
 63: %2 = mov.4 %50 type=vec4 line=17
 64: store_color.4 %2 type=vec4 line=17
