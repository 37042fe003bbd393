// SPDX-License-Identifier: MIT
// Where the printed pseudo-code is not what the instruction does: our own words in the same notation, and
// why. FIX(row or beginning of rows, text, reason).
#define FIX(row, text, reason)  {row, text, reason, false},
#define FIX2(row, text, reason) {row, text, reason, true},
FIX("v_rndne_f16", "D0.f16 = rint(S0.f16)", "ERR-40: rounds a sum, and loses the sign of zero")
FIX("v_rndne_f32", "D0.f32 = rint(S0.f32)", "ERR-40")
FIX("v_rndne_f64", "D0.f64 = rint(S0.f64)", "ERR-40")
FIX("s_rndne_f16", "D0.f16 = rint(S0.f16)", "ERR-40")
FIX("s_rndne_f32", "D0.f32 = rint(S0.f32)", "ERR-40")
FIX("v_fract_f16", "D0.f16 = below_one(S0.f16)", "TRAP-144: the result is below one")
FIX("v_fract_f32", "D0.f32 = below_one(S0.f32)", "TRAP-144")
FIX("v_fract_f64", "D0.f64 = below_one(S0.f64)", "TRAP-144")
FIX("v_frexp_exp_i16_f16", "D0.i16 = 16'I(true_exponent(S0.f16))",
    "ERR-40: zero and denormals have no exponent field")
FIX("v_frexp_exp_i32_f32", "D0.i32 = true_exponent(S0.f32)", "ERR-40")
FIX("v_frexp_exp_i32_f64", "D0.i32 = true_exponent(S0.f64)", "ERR-40")
FIX("s_bcnt0_i32_b64",
    "tmp = 0; for i in 0 : 63 do tmp += S0.u64[i] == 1'0U ? 1 : 0 endfor; D0.i32 = tmp; SCC = D0.u32 != 0U",
    "ERR-40: SCC tests 64 bits of a result of 32")
FIX("s_bcnt1_i32_b64",
    "tmp = 0; for i in 0 : 63 do tmp += S0.u64[i] == 1'1U ? 1 : 0 endfor; D0.i32 = tmp; SCC = D0.u32 != 0U",
    "ERR-40")
FIX("v_cvt_f32_bf16", "D0.f32 = bf16_to_f32(S0.bf16)", "ERR-40: a conversion quiets")
FIX("v_div_fmas_f32",
    "D0.f32 = VCC.u64[laneId] ? ldexp(fma_unrounded(S0.f32, S1.f32, S2.f32), exponent(S2.f32) > 127 ? 64 : "
    "-64) : fma(S0.f32, S1.f32, S2.f32)",
    "ERR-02")
FIX("v_div_fmas_f64",
    "D0.f64 = VCC.u64[laneId] ? ldexp(fma_unrounded(S0.f64, S1.f64, S2.f64), exponent(S2.f64) > 1023 ? 128 : "
    "-128) : fma(S0.f64, S1.f64, S2.f64)",
    "ERR-02")
FIX("v_cvt_sr_fp8_f32",
    "n = OPSEL[3 : 2].i32 * 8; VGPR[laneId][VDST.u32][n + 7 : n].fp8 = f32_to_fp8_sr(S0.f32, S1.u32)",
    "ERR-40: adds to the mantissa without its carry, and rounds again (CDNA4 7.5: adds and truncates)")
FIX("v_cvt_sr_bf8_f32",
    "n = OPSEL[3 : 2].i32 * 8; VGPR[laneId][VDST.u32][n + 7 : n].bf8 = f32_to_bf8_sr(S0.f32, S1.u32)",
    "ERR-40")
FIX("v_cvt_scalef32_f16_fp8",
    "n = OPSEL[1 : 0].i32 * 8; o = OPSEL[3].i32 * 16; VGPR[laneId][VDST.u32][o + 15 : o].f16 = "
    "fp8_to_f16_scale(S0[n + 7 : n].fp8, 32'U(exponent(S1.f32)))",
    "ERR-40: writes the half that OPSEL[3] chooses, as its comment says")
FIX("v_cvt_scalef32_f16_bf8",
    "n = OPSEL[1 : 0].i32 * 8; o = OPSEL[3].i32 * 16; VGPR[laneId][VDST.u32][o + 15 : o].f16 = "
    "bf8_to_f16_scale(S0[n + 7 : n].bf8, 32'U(exponent(S1.f32)))",
    "ERR-40")
// The older manuals add the products first, the newer ones the third source: FIX2 is a second statement that
// also holds.
FIX2("v_dot2_f32_f16",
     "tmp = f16_to_f32(S0[15 : 0].f16) * f16_to_f32(S1[15 : 0].f16); tmp += f16_to_f32(S0[31 : 16].f16) * "
     "f16_to_f32(S1[31 : 16].f16); D0.f32 = tmp + S2.f32",
     "ERR-42")
FIX2("v_dot2c_f32_f16",
     "tmp = f16_to_f32(S0[15 : 0].f16) * f16_to_f32(S1[15 : 0].f16); tmp += f16_to_f32(S0[31 : 16].f16) * "
     "f16_to_f32(S1[31 : 16].f16); D0.f32 = tmp + D0.f32",
     "ERR-42")
FIX2("v_dot2acc_f32_f16",
     "tmp = f16_to_f32(S0[15 : 0].f16) * f16_to_f32(S1[15 : 0].f16); tmp += f16_to_f32(S0[31 : 16].f16) * "
     "f16_to_f32(S1[31 : 16].f16); D0.f32 = tmp + D0.f32",
     "ERR-42")
FIX2("v_dot2c_f32_bf16",
     "tmp = bf16_to_f32(S0[15 : 0].bf16) * bf16_to_f32(S1[15 : 0].bf16); tmp += bf16_to_f32(S0[31 : "
     "16].bf16) * bf16_to_f32(S1[31 : 16].bf16); D0.f32 = tmp + D0.f32",
     "ERR-42")
FIX("v_dot2_f16_f16",
    "D0.f16 = 16'F(32'F(S2.f16) + 32'F(S0[15 : 0].f16) * 32'F(S1[15 : 0].f16) + 32'F(S0[31 : 16].f16) * "
    "32'F(S1[31 : 16].f16))",
    "TRAP-194: the precision between the steps is not told")
FIX("v_dot2_bf16_bf16",
    "D0.bf16 = 16'BF(32'F(S2.bf16) + 32'F(S0[15 : 0].bf16) * 32'F(S1[15 : 0].bf16) + 32'F(S0[31 : 16].bf16) "
    "* 32'F(S1[31 : 16].bf16))",
    "TRAP-194")
// Results that the text reads back are not modified yet.
#define CEIL(name, f)                                                                                        \
    FIX("v_ceil_" name,                                                                                      \
        "tmp = trunc(S0." f "); if ((S0." f " > 0.0) && (S0." f " != tmp)) then tmp += 1.0 endif; D0." f     \
        " = tmp",                                                                                            \
        "reads its result")
#define FLOOR(name, f)                                                                                       \
    FIX("v_floor_" name,                                                                                     \
        "tmp = trunc(S0." f "); if ((S0." f " < 0.0) && (S0." f " != tmp)) then tmp += -1.0 endif; D0." f    \
        " = tmp",                                                                                            \
        "reads its result")
CEIL("f16", "f16")
CEIL("f32", "f32")
CEIL("f64", "f64")
FLOOR("f16", "f16")
FLOOR("f32", "f32")
FLOOR("f64", "f64")
#undef CEIL
#undef FLOOR
// Angles are turns, so that their whole part counts for nothing. On GCN and CDNA the domain ends at 256.
#define TURNS(name, f, fn, outside)                                                                          \
    FIX("v_" fn "_" name, "D0." f " = " fn "_turns(S0." f ")",                                               \
        "the product with 2 pi has no precision told")                                                       \
    FIX("cdna:v_" fn "_" name,                                                                               \
        "D0." f " = (abs(S0." f ") > 256.0) && (abs(S0." f ") != INF) ? " outside " : " fn "_turns(S0." f    \
        ")",                                                                                                 \
        "as above")
TURNS("f16", "f16", "sin", "16'0.0")
TURNS("f32", "f32", "sin", "0.0F") TURNS("f16", "f16", "cos", "16'1.0") TURNS("f32", "f32", "cos", "1.0F")
#undef TURNS
// The text writes inactive lanes.
#define SWAP(name, passes, lanes, apart)                                                                     \
    FIX(name,                                                                                                \
        "for pass in 0 : " passes " do for lane in 0 : " lanes " do i = pass * 32 + lane; k = i + " apart    \
        ";"                                                                                                  \
        "a = VGPR[i][SRC0.u32]; b = VGPR[k][VDST.u32]; if EXEC[i].u1 then VGPR[i][SRC0.u32] = b endif; if "  \
        "EXEC[k].u1 then VGPR[k][VDST.u32] = a endif endfor endfor",                                         \
        "TRAP-240")
    SWAP("v_permlane16_swap_b32", "1", "15", "16") SWAP("v_permlane32_swap_b32", "0", "31", "32")
#undef SWAP
// OPSEL[0] lets inactive lanes be read, OPSEL[1] makes what they hold zero.
#define PERMLANE(name, row_of, selects, select)                                                              \
    FIX(name,                                                                                                \
        "declare tmp : 32'B[64];" selects                                                                    \
        "for i in 0 : WAVE32 ? 31 : 63 do tmp[i] = VGPR[i][SRC0.u32] endfor;"                                \
        "active = EXEC.u64; for row in 0 : WAVE32 ? 1 : 3 do for i in 0 : 15 do lane = row * 16 + i; from "  \
        "= (" row_of ") * 16 + " select ";"                                                                  \
        "if active[lane] then if OPSEL[0].u1 || active[from] then VGPR[lane][VDST.u32] = tmp[from] elsif "   \
        "OPSEL[1].u1 then VGPR[lane][VDST.u32] = 0U endif endif endfor endfor",                              \
        "TRAP-237")
        PERMLANE("v_permlane16_b32", "row", "lanesel = { S2.u32, S1.u32 };",
                 "lanesel[i * 4 + 3 : i * 4].i32") PERMLANE("v_permlanex16_b32", "row ^ 1",
                                                            "lanesel = { S2.u32, S1.u32 };",
                                                            "lanesel[i * 4 + 3 : i * 4].i32")
            PERMLANE("v_permlane16_var_b32", "row", "",
                     "VGPR[lane][SRC1.u32][3 : 0].i32") PERMLANE("v_permlanex16_var_b32", "row ^ 1", "",
                                                                 "VGPR[lane][SRC1.u32][3 : 0].i32")
#undef PERMLANE
                FIX("v_mac_f16", "D0.f16 = flushed(S0.f16 * S1.f16) + D0.f16",
                    "makes the register of halves before modifiers") FIX("v_madak_f16",
                                                                         "D0.f16 = flushed(S0.f16 * "
                                                                         "S1.f16) + SIMM16.f16",
                                                                         "as above")
                    FIX("v_madmk_f16", "D0.f16 = flushed(S0.f16 * SIMM16.f16) + S1.f16", "as above")
                        FIX("v_mad_legacy_f16", "D0.f16 = flushed(S0.f16 * S1.f16) + S2.f16",
                            "as above") FIX("v_fma_legacy_f16", "D0.f16 = fma(S0.f16, S1.f16, S2.f16)",
                                            "as above") FIX("v_cvt_pk_i16_f32",
                                                            "D0 = { f32_to_i16(S1.f32), f32_to_i16(S0.f32) }",
                                                            "ERR-40: calls an instruction that there is not")
                            FIX("v_cvt_pk_u16_f32", "D0 = { f32_to_u16(S1.f32), f32_to_u16(S0.f32) }",
                                "ERR-40") FIX("v_trig_preop_f64",
                                              "shift = 32'I(S1[4 : 0].u32) * 53; if exponent(S0.f64) > 1077 "
                                              "then shift += exponent(S0.f64) - 1077 endif;"
                                              "D0.f64 = ldexp(u64_to_f64(two_over_pi(shift)), -53 - shift + "
                                              "(exponent(S0.f64) >= 1968 ? 128 : 0))",
                                              "ERR-40: shifts 53 bits out and keeps what is left")
                                FIX("v_mad_f16", "D0.f16 = flushed(S0.f16 * S1.f16) + S2.f16", "as above")
                                    FIX("v_div_fixup_f16",
                                        "sign_out = (sign(S1.f16) ^ sign(S2.f16)); if isNAN(S2.f16) then "
                                        "D0.f16 = cvtToQuietNAN(S2.f16) elsif isNAN(S1.f16) then D0.f16 = "
                                        "cvtToQuietNAN(S1.f16)"
                                        " elsif ((S1.f16 == 0.0) && (S2.f16 == 0.0)) || ((abs(S1.f16) == "
                                        "INF) && (abs(S2.f16) == INF)) then D0.f16 = -NAN.f16 "
                                        " elsif (S1.f16 == 0.0) || (abs(S2.f16) == INF) then D0.f16 = "
                                        "sign_out ? -INF.f16 : INF.f16 elsif (abs(S1.f16) == INF) || (S2.f16 "
                                        "== 0.0) then D0.f16 = sign_out ? -16'0.0 : 16'0.0 "
                                        "else tmp = sign_out ? -abs(S0.f16) : abs(S0.f16); D0.f16 = "
                                        "isNAN(S0.f16) ? cvtToQuietNAN(tmp) : tmp endif",
                                        "ERR-41: a result that is NaN is quiet")
                                        FIX("v_div_fixup_legacy_f16",
                                            "sign_out = (sign(S1.f16) ^ sign(S2.f16)); if isNAN(S2.f16) then "
                                            "D0.f16 = cvtToQuietNAN(S2.f16) elsif isNAN(S1.f16) then D0.f16 "
                                            "= cvtToQuietNAN(S1.f16)"
                                            " elsif ((S1.f16 == 0.0) && (S2.f16 == 0.0)) || ((abs(S1.f16) == "
                                            "INF) && (abs(S2.f16) == INF)) then D0.f16 = -NAN.f16 "
                                            " elsif (S1.f16 == 0.0) || (abs(S2.f16) == INF) then D0.f16 = "
                                            "sign_out ? -INF.f16 : INF.f16 elsif (abs(S1.f16) == INF) || "
                                            "(S2.f16 == 0.0) then D0.f16 = sign_out ? -16'0.0 : 16'0.0 "
                                            "else tmp = sign_out ? -abs(S0.f16) : abs(S0.f16); D0.f16 = "
                                            "isNAN(S0.f16) ? cvtToQuietNAN(tmp) : tmp endif",
                                            "ERR-41: a result that is NaN is quiet")
#define FIXUP(row, f, bias, sig)                                                                             \
    FIX(row,                                                                                                 \
        "sign_out = (sign(S1." f ") ^ sign(S2." f ")); one = sign_out ? -1.0 : 1.0;"                         \
        "if isNAN(S2." f ") then D0." f " = cvtToQuietNAN(S2." f ") elsif isNAN(S1." f ") then D0." f        \
        " = cvtToQuietNAN(S1." f ")"                                                                         \
        " elsif (((S1." f " == 0.0) && (S2." f " == 0.0)) || ((abs(S1." f ") == INF) && (abs(S2." f          \
        ") == INF))) then D0." f " = -NAN." f " elsif (S1." f " == 0.0) || (abs(S2." f                       \
        ") == INF) then D0." f " = sign_out ? -INF." f " : INF." f " elsif (abs(S1." f ") == INF) || (S2." f \
        " == 0.0) then D0." f " = ldexp(one, 0) * 0.0"                                                       \
        " elsif exponent(S2." f ") - exponent(S1." f ") < " bias " then D0." f " = ldexp(one, -3000)"        \
        " elsif isNAN(S0." f ") || (abs(S0." f ") == INF) then D0." f " = ldexp(one, 3000)"                  \
        " else D0." f " = sign_out ? -abs(S0." f ") : abs(S0." f ") endif",                                  \
        "ERR-41: asks for the exponent of S1, which cannot be the largest one any more; S0 is meant, a "     \
        "quotient that overflowed")
                                            FIXUP("v_div_fixup_f32", "f32", "-150", "")
                                                FIXUP("v_div_fixup_f64", "f64", "-1075", "")
#undef FIXUP
// ERR-19: the mask says that the quotient is scaled, or that an operand is zero.
#define SCALE(row, f, far, most, power, scale, least, tiny)                                                  \
    FIX(row,                                                                                                 \
        "n = exponent(S2." f "); d = exponent(S1." f "); VCC = 0x0LL; s = isNAN(S0." f                       \
        ") ? cvtToQuietNAN(S0." f ") : S0." f "; D0." f " = s;"                                              \
        "inverse = (d <= " most ") && (abs(S1." f ") > 2.0 ** " power "); quotient = (d <= " most            \
        ") && (d - n >= " least ");"                                                                         \
        "if (S2." f " == 0.0) || (S1." f " == 0.0) then VCC = 0x1LL; D0." f " = 0.0 / 0.0"                   \
        " elsif n - d >= " far " then VCC = 0x1LL; if S0." f " == S1." f " then D0." f " = ldexp(s, " scale  \
        ") endif"                                                                                            \
        " elsif d == 0 then D0." f " = ldexp(s, " scale ")"                                                  \
        " elsif inverse && quotient then VCC = 0x1LL; if S0." f " == S1." f " then D0." f                    \
        " = ldexp(s, -" scale ") endif"                                                                      \
        " elsif inverse then D0." f " = ldexp(s, -" scale ")"                                                \
        " elsif quotient then VCC = 0x1LL; if S0." f " == S2." f " then D0." f " = ldexp(s, " scale          \
        ") endif"                                                                                            \
        " elsif n <= " tiny " then D0." f " = ldexp(s, " scale ") endif",                                    \
        "ERR-19")
                                                    SCALE("v_div_scale_f32", "f32", "96", "254", "126", "64",
                                                          "126", "23")
                                                        SCALE("v_div_scale_f64", "f64", "768", "2046", "1022",
                                                              "128", "1022", "53")
#undef SCALE
#undef FIX
#undef FIX2
