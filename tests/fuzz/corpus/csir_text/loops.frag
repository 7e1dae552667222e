shader "loops.frag" fragment
version 330
input vec2 "vUv" slot=0
output vec4 "colour" slot=0
marks attr=-1 vary=0 uniform=-1 sampler=-1 position=0 outputs=1 linkable=1
temps 80
imm 0 0 0 0 0 1 0 1
imm 2 2 3 3 4 4 0 2
imm 0 0 0.100000001 1 0.100000001 2 0.100000001 1
imm 0 0.100000001 1 0.100000001 2 0.100000001 0.100000001 0
imm 1 0 0 0 0
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
 28: %26 = const.1 aux=12 type=float line=9
 29: nop.1 dst=25 a=26 type=int line=9
 30: %27 = swz.1 %1.x type=float line=9
 31: %28 = const.1 aux=13 type=float line=9
 32: %29 = mul.1 %27 %28 type=float line=9
 33: %30 = add.1 %4 %29 type=float line=9
 34: %4 = mov.1 %30 type=float line=9
 35: %32 = const.1 aux=14 type=float line=11
 36: %31 = mov.1 %32 type=float line=11
 37: %34 = const.1 aux=15 type=float line=12
 38: nop.1 dst=33 a=34 type=int line=12
 39: %36 = const.1 aux=16 type=float line=13
 40: nop.1 dst=35 a=36 type=int line=13
 41: %37 = const.1 aux=17 type=float line=14
 42: %38 = swz.1 %1.y type=float line=14
 43: %39 = const.1 aux=18 type=float line=14
 44: %40 = mul.1 %38 %39 type=float line=14
 45: %41 = add.1 %37 %40 type=float line=14
 46: %31 = mov.1 %41 type=float line=14
 47: %43 = const.1 aux=19 type=float line=14
 48: nop.1 dst=42 a=43 type=int line=14
 49: %44 = swz.1 %1.y type=float line=14
 50: %45 = const.1 aux=20 type=float line=14
 51: %46 = mul.1 %44 %45 type=float line=14
 52: %47 = add.1 %31 %46 type=float line=14
 53: %31 = mov.1 %47 type=float line=14
 54: %49 = const.1 aux=21 type=float line=14
 55: nop.1 dst=48 a=49 type=int line=14
 56: %50 = swz.1 %1.y type=float line=14
 57: %51 = const.1 aux=22 type=float line=14
 58: %52 = mul.1 %50 %51 type=float line=14
 59: %53 = add.1 %31 %52 type=float line=14
 60: %31 = mov.1 %53 type=float line=14
 61: %55 = const.1 aux=23 type=float line=14
 62: nop.1 dst=54 a=55 type=int line=14
 63: %57 = const.1 aux=24 type=float line=13
 64: nop.1 dst=56 a=57 type=int line=13
 65: %58 = swz.1 %1.y type=float line=14
 66: %59 = const.1 aux=25 type=float line=14
 67: %60 = mul.1 %58 %59 type=float line=14
 68: %61 = add.1 %31 %60 type=float line=14
 69: %31 = mov.1 %61 type=float line=14
 70: %63 = const.1 aux=26 type=float line=14
 71: nop.1 dst=62 a=63 type=int line=14
 72: %64 = swz.1 %1.y type=float line=14
 73: %65 = const.1 aux=27 type=float line=14
 74: %66 = mul.1 %64 %65 type=float line=14
 75: %67 = add.1 %31 %66 type=float line=14
 76: %31 = mov.1 %67 type=float line=14
 77: %69 = const.1 aux=28 type=float line=14
 78: nop.1 dst=68 a=69 type=int line=14
 79: %70 = swz.1 %1.y type=float line=14
 80: %71 = const.1 aux=29 type=float line=14
 81: %72 = mul.1 %70 %71 type=float line=14
 82: %73 = add.1 %31 %72 type=float line=14
 83: %31 = mov.1 %73 type=float line=14
 84: %74 = const.1 aux=30 type=float line=17
 85: %75 = mul.1 %4 %74 type=float line=17
 86: %76 = const.1 aux=31 type=float line=17
 87: %77 = const.1 aux=32 type=float line=17
 88: %79 = const.4 aux=33 type=vec4 line=17
 89: %78 = mov.4 %79 type=vec4 line=17
 90: %78 = lane.4 %75 type=vec4 line=17
 91: %78 = lane.4 %31 aux=1 type=vec4 line=17
 92: %78 = lane.4 %76 aux=2 type=vec4 line=17
 93: %78 = lane.4 %77 aux=3 type=vec4 line=17
 94: %2 = mov.4 %78 type=vec4 line=17
 95: store_color.4 %2 type=vec4 line=17
