# Calls of llvm.amdgcn.image.* for images.sh, a function each: of every operation and dimension, with addresses, gradients
# and data of 32 or 16 bits, and with a status. -v kinds: which of them (a regular expression).
# Order of the address: offset, bias, reference, gradients, coordinates, level or limit.
function parameters(type, count, name, n, s) {
    s = ""
    for (n = 0; n < count; n++) s = s ", " type " %" name n
    return s
}
# function of an intrinsic: results, its name, data, address (", type %name" each), sampler, status
function put(kind, result, name, data, mask, address, sampler, fails,   all, call) {
    if (kinds && kind !~ kinds) return
    all = data address ", <8 x i32> inreg %r" (sampler ? ", <4 x i32> inreg %s" : "")
    call = data (mask >= 0 ? ", i32 " mask : "") address ", <8 x i32> %r" (sampler ? ", <4 x i32> %s, i1 " (number % 2) : "") ", i32 " fails ", i32 0"
    sub(/^, /, "", all)
    sub(/^, /, "", call)
    printf "define amdgpu_cs %s @f%d_%s(%s) {\n  %scall %s @llvm.amdgcn.image.%s(%s)\n  ret %s\n}\n",
        result, ++number, kind, all, result == "void" ? "" : "%x = ", result, name, call, result == "void" ? "void" : result " %x"
}
function coordinates(dim) { return dim ~ /^1d$/ ? 1 : dim ~ /^2d$|^1darray$/ ? 2 : dim ~ /^2darraymsaa$/ ? 4 : 3 }
function slopes(dim) { return dim ~ /^1d/ ? 1 : dim == "3d" ? 3 : 2 }
function short(type) { return type == "float" ? "f32" : type == "half" ? "f16" : type }
BEGIN {
    dims = split("1d 2d 3d cube 1darray 2darray 2dmsaa 2darraymsaa", dim, " ")
    split("i32 i16", of, " ")
    for (d = 1; d <= dims; d++)
        for (t = 1; t <= 2; t++) {
            k = t == 2 ? "a16" : "plain"
            n = coordinates(dim[d])
            at = parameters(of[t], n, "c")
            for (mask = 1; mask <= 15; mask += mask == 1 ? 4 : 5) {
                count = mask == 1 ? 1 : mask == 15 ? 4 : 2
                type = mask == 1 ? "float" : "<" count " x float>"
                v = (mask == 1 ? "" : "v" count) "f32"
                put(k "_load", type, "load." dim[d] "." v "." of[t], "", mask, at, 0, 0)
                put(k "_store", "void", "store." dim[d] "." v "." of[t], ", " type " %d", mask, at, 0, 0)
                if (d < 7) {
                    put(k "_load_mip", type, "load.mip." dim[d] "." v "." of[t], "", mask, at ", " of[t] " %m", 0, 0)
                    put(k "_store_mip", "void", "store.mip." dim[d] "." v "." of[t], ", " type " %d", mask, at ", " of[t] " %m", 0, 0)
                }
                h = (mask == 1 ? "" : "v" count) "f16"
                half = mask == 1 ? "half" : "<" count " x half>"
                put(k "_d16_load", half, "load." dim[d] "." h "." of[t], "", mask, at, 0, 0)
                put(k "_d16_store", "void", "store." dim[d] "." h "." of[t], ", " half " %d", mask, at, 0, 0)
                put(k "_tfe_load", "{ " type ", i32 }", "load." dim[d] ".sl_" v "i32s." of[t], "", mask, at, 0, 1)
                put(k "_tfe_lwe_load", "{ " type ", i32 }", "load." dim[d] ".sl_" v "i32s." of[t], "", mask, at, 0, 3)
            }
            put(k "_lwe_load", "{ <4 x float>, i32 }", "load." dim[d] ".sl_v4f32i32s." of[t], "", 15, at, 0, 2)
            put(k "_d16_tfe_load", "{ <4 x half>, i32 }", "load." dim[d] ".sl_v4f16i32s." of[t], "", 15, at, 0, 1)
            put(k "_resinfo", "<4 x float>", "getresinfo." dim[d] ".v4f32." of[t], "", 15, ", " of[t] " %m", 0, 0)
            if (dim[d] ~ /msaa/) {
                put(k "_msaa", "<4 x float>", "msaa.load." dim[d] ".v4f32." of[t], "", 1, at, 0, 0)
                put(k "_msaa_x", "<4 x float>", "msaa.load.x." dim[d] ".v4f32." of[t], "", 1, at, 0, 0)
                put(k "_msaa_d16", "<4 x half>", "msaa.load." dim[d] ".v4f16." of[t], "", 1, at, 0, 0)
            }
            ops = split("swap add sub smin umin smax umax and or xor inc dec", op, " ")
            for (o = 1; o <= ops; o++) put(k "_atomic", "i32", "atomic." op[o] "." dim[d] ".i32." of[t], ", i32 %d", -1, at, 0, 0)
            put(k "_atomic64", "i64", "atomic.swap." dim[d] ".i64." of[t], ", i64 %d", -1, at, 0, 0)
            put(k "_cmpswap", "i32", "atomic.cmpswap." dim[d] ".i32." of[t], ", i32 %d, i32 %e", -1, at, 0, 0)
            put(k "_cmpswap64", "i64", "atomic.cmpswap." dim[d] ".i64." of[t], ", i64 %d, i64 %e", -1, at, 0, 0)
            put(k "_fatomic", "float", "atomic.fmin." dim[d] ".f32." of[t], ", float %d", -1, at, 0, 0)
            put(k "_fatomic12", "float", "atomic.add.flt." dim[d] ".f32." of[t], ", float %d", -1, at, 0, 0)
            put(k "_pkatomic", "<2 x half>", "atomic.pk.add.f16." dim[d] ".v2f16." of[t], ", <2 x half> %d", -1, at, 0, 0)
        }
    split("float half", of, " ")
    ways = split("- cl d d.cl cd cd.cl l b b.cl lz", way, " ")
    for (d = 1; d <= 6; d++)
        for (w = 1; w <= ways; w++)
            for (c = 0; c < 2; c++)
                for (o = 0; o < 2; o++)
                    for (t = 1; t <= 2; t++)
                        for (g = 1; g <= (way[w] ~ /d/ ? 2 : 1); g++) {
                            type = of[t]
                            slope = way[w] ~ /d/ ? of[g] : ""
                            k = (t == 2 ? "a16" : "plain") (slope == "half" ? "_g16" : "") (way[w] ~ /^cd/ ? "_cd" : "")
                            at = (o ? ", i32 %o" : "") (way[w] ~ /^b/ ? ", " type " %b" : "") (c ? ", float %z" : "")
                            if (slope) at = at parameters(slope, 2 * slopes(dim[d]), "g")
                            at = at parameters(type, coordinates(dim[d]), "c") (way[w] ~ /l$/ ? ", " type " %l" : "")
                            name = (c ? ".c" : "") (way[w] == "-" ? "" : "." way[w]) (o ? ".o" : "") "." dim[d]
                            types = (slope ? "." short(slope) : "") (way[w] ~ /^b/ ? "." short(type) : "") "." short(type)
                            put(k "_sample", "<4 x float>", "sample" name ".v4f32" types, "", 15, at, 1, 0)
                            if (d <= 2) put(k "_nortn", "void", "sample" name ".nortn" types, "", d == 1 ? 15 : 5, at, 1, 0)
                            if (t == 1 && g == 1 && d == 2) {
                                put(k "_d16_sample", "<4 x half>", "sample" name ".v4f16" types, "", 15, at, 1, 0)
                                put(k "_tfe_sample", "{ <4 x float>, i32 }", "sample" name ".sl_v4f32i32s" types, "", 15, at, 1, 1)
                            }
                            if (slope == "" && dim[d] ~ /^2d|cube/) {
                                put(k "_gather", "<4 x float>", "gather4" name ".v4f32" types, "", 4, at, 1, 0)
                                if (t == 1 && d == 2) put(k "_d16_gather", "<4 x half>", "gather4" name ".v4f16" types, "", 4, at, 1, 0)
                                if (t == 1 && d == 2) put(k "_tfe_gather", "{ <4 x float>, i32 }", "gather4" name ".sl_v4f32i32s" types, "", 4, at, 1, 1)
                            }
                            if (w == 1 && !c && !o) put(k "_getlod", "<2 x float>", "getlod." dim[d] ".v2f32" types, "", 3, at, 1, 0)
                        }
}
