; A picture by shaders of the R600 family, of a quad's four vertices and nothing else:
; softwave draw --target=cypress --size=256,256 -o picture.ppm quads,4 picture.s
corners:
    .stage vertex
ALU:
    0 x: AND_INT R1.x, R0.x, (1)            ; the vertex's number
      y: LSHR_INT R1.y, R0.x, (1)
    1 x: XOR_INT R1.x, PV.x, PV.y           ; 0 0, 1 0, 1 1, 0 1
    2 t: UINT_TO_FLT R2.x, R1.x
    3 t: UINT_TO_FLT R2.y, R1.y
    4 x: MULADD_e R1.x, R2.x, (2.0), -1.0   ; from -1 to 1
      y: MULADD_e R1.y, R2.y, (2.0), -1.0
      z: MOV R1.z, 0
      w: MOV R1.w, 1.0
EXP_DONE: POS0, R1
EXP_DONE: PARAM0, R2.xy01 END_OF_PROGRAM

rings:
    .stage pixel
ALU:
    0 x: INTERP_XY R1.x, R0.y, Param0.x VEC_210
      y: INTERP_XY R1.y, R0.x, Param0.x VEC_210
      z: INTERP_XY ____, R0.y, Param0.x VEC_210
      w: INTERP_XY ____, R0.x, Param0.x VEC_210
    1 x: ADD R2.x, R1.x, -0.5
      y: ADD R2.y, R1.y, -0.5
    2 z: MUL_e R2.z, PV.x, PV.x
    3 z: MULADD_e R2.z, R2.y, R2.y, R2.z
    4 z: MUL_e R2.z, R2.z, (16.0)
    5 t: SIN R2.z, R2.z                     ; of turns
    6 z: MULADD_e R1.z, R2.z, 0.5, 0.5
      w: MOV R1.w, 1.0
EXP_DONE: PIX0, R1 END_OF_PROGRAM
