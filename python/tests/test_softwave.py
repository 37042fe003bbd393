# SPDX-License-Identifier: MIT
"""Tests of the package: kernels in assembly, on array.array and, where it is installed, NumPy arrays."""
import array
import os
import struct
import tempfile
import unittest

import softwave

try:
    import numpy
except ImportError:
    numpy = None

DESCRIPTOR = """
.section .rodata,"a"
.p2align 6
.amdhsa_kernel k
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
  .amdhsa_accum_offset 8
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_kernarg_size 24
.end_amdhsa_kernel
"""
METADATA = """
.amdgpu_metadata
amdhsa.version: [1, 1]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .max_flat_workgroup_size: 256
    .args:
      - {.name: y, .type_name: 'float*', .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: x, .type_name: 'float*', .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: a, .type_name: float, .offset: 16, .size: 4, .value_kind: by_value}
      - {.name: n, .type_name: int, .offset: 20, .size: 4, .value_kind: by_value}
.end_amdgpu_metadata
"""
# y[i] += a * x[i] for i < n, in groups of 64
SAXPY = """
.text
.globl k
.p2align 8
.type k,@function
k:
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_load_dwordx2 s[8:9], s[0:1], 0x10
  s_lshl_b32 s10, s2, 6
  v_add_u32 v0, s10, v0
  s_waitcnt lgkmcnt(0)
  v_cmp_gt_i32 vcc, s9, v0
  s_and_saveexec_b64 s[12:13], vcc
  v_lshlrev_b32 v0, 2, v0
  global_load_dword v1, v0, s[6:7]
  global_load_dword v2, v0, s[4:5]
  s_waitcnt vmcnt(0)
  v_fmac_f32 v2, s8, v1
  global_store_dword v0, v2, s[4:5]
  s_endpgm
"""


def saxpy(metadata=True):
    directives = DESCRIPTOR.replace(".amdhsa_user_sgpr", ".amdhsa_system_sgpr_workgroup_id_x 1\n  .amdhsa_user_sgpr")
    return softwave.assemble(SAXPY + directives + (METADATA if metadata else ""), "gfx90a")


class Library(unittest.TestCase):
    def test_version(self):
        self.assertEqual(softwave.version(), softwave.__version__)

    def test_processors(self):
        names = softwave.processors()
        self.assertIn("gfx90a", names)
        self.assertIn("r600", names)
        self.assertEqual(len(names), len(set(names)))


class Codes(unittest.TestCase):
    def test_facts(self):
        code = saxpy()
        self.assertEqual(code.target, "gfx90a")
        kernel = code.kernels["k"]
        self.assertEqual([(a.name, a.size, a.kind) for a in kernel.arguments],
                         [("y", 8, "global_buffer"), ("x", 8, "global_buffer"), ("a", 4, "by_value"),
                          ("n", 4, "by_value")])
        self.assertEqual(code.facts["header"]["os"], "amdhsa")

    def test_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "k.o")
            with open(path, "wb") as file:
                file.write(saxpy().data)
            self.assertEqual(list(softwave.open(path).kernels), ["k"])

    def test_disassembly(self):
        text = saxpy().disassemble("k")
        self.assertIn("v_fmac_f32", text)
        self.assertEqual(text.count("s_endpgm"), 1)
        self.assertIn("s_endpgm", softwave.disassemble(struct.pack("<I", 0xbf810000), "gfx90a"))

    def test_mistakes(self):
        with self.assertRaises(softwave.Error) as caught:
            softwave.assemble("v_add_f23 v0, v1, v2\n", "gfx90a", name="mine.s")
        self.assertIn("mine.s:1:1:", str(caught.exception))
        with self.assertRaises(softwave.Error) as caught:
            softwave.Code(b"nothing of the kind")
        self.assertEqual(caught.exception.status, 2)
        with self.assertRaises(softwave.Error):
            softwave.Device("gfx9999")


class Runs(unittest.TestCase):
    def setUp(self):
        self.gpu = softwave.Device("gfx90a", threads=1)
        self.code = saxpy()

    def tearDown(self):
        self.gpu.close()

    def test_arrays(self):
        y, x = array.array("f", [1.0] * 100), array.array("f", range(100))
        self.gpu.run(self.code, "k", y, x, 2.5, 90, grid=128, block=64)
        self.assertEqual(list(y), [1 + 2.5 * i if i < 90 else 1 for i in range(100)])
        self.assertEqual(list(x), list(range(100)))

    def test_weak_memory(self):
        # Right for every seed as it is; without the wait before the sum, some seed is not.
        def wrong_seeds(text):
            code = softwave.assemble(text, "gfx90a")
            wrong = 0
            for seed in range(1, 13):
                with softwave.Device("gfx90a", weak=seed) as gpu:
                    y, x = array.array("f", [1.0] * 64), array.array("f", range(64))
                    gpu.run(code, "k", y, x, 2.0, 64, grid=64, block=64)
                wrong += list(y) != [1 + 2.0 * i for i in range(64)]
            return wrong
        whole = SAXPY + DESCRIPTOR.replace(".amdhsa_user_sgpr", ".amdhsa_system_sgpr_workgroup_id_x 1\n  .amdhsa_user_sgpr") + METADATA
        self.assertEqual(wrong_seeds(whole), 0)
        self.assertGreater(wrong_seeds(whole.replace("  s_waitcnt vmcnt(0)\n", "")), 0)

    def test_hazards(self):
        # A register that is moved between lanes too soon is an old one for some seed, if that is asked for.
        def wrong_seeds(between, hazards):
            moved = SAXPY.replace("v_fmac_f32 v2, s8, v1", "v_add_f32 v2, v2, v1" + between +
                                  "\n  v_mov_b32_dpp v1, v2 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf")
            moved = moved.replace("global_store_dword v0, v2", "global_store_dword v0, v1")
            text = moved + DESCRIPTOR.replace(
                ".amdhsa_user_sgpr", ".amdhsa_system_sgpr_workgroup_id_x 1\n  .amdhsa_user_sgpr") + METADATA
            code = softwave.assemble(text, "gfx90a")
            wrong = 0
            for seed in range(1, 13):
                with softwave.Device("gfx90a", weak=seed, hazards=hazards) as gpu:
                    y, x = array.array("f", [1.0] * 64), array.array("f", range(1, 65))
                    gpu.run(code, "k", y, x, 2.0, 64, grid=64, block=64)
                wrong += list(y) != [2.0 + i for i in range(64)]
            return wrong
        self.assertEqual(wrong_seeds("\n  s_nop 1", True), 0)
        self.assertGreater(wrong_seeds("\n  s_nop 0", True), 0)
        self.assertEqual(wrong_seeds("\n  s_nop 0", False), 0)
        with self.assertRaisesRegex(softwave.Error, "with weak memory alone"):
            softwave.Device("gfx90a", hazards=True)

    def test_fidelity(self):
        y, x = array.array("f", [1.0] * 64), array.array("f", [0.25] * 64)
        sine = softwave.assemble(SAXPY.replace("v_fmac_f32 v2, s8, v1", "v_sin_f32 v2, v1") + DESCRIPTOR.replace(
            ".amdhsa_user_sgpr", ".amdhsa_system_sgpr_workgroup_id_x 1\n  .amdhsa_user_sgpr") + METADATA, "gfx90a")
        self.assertEqual(self.gpu.operations(sine), [])
        self.gpu.run(sine, "k", y, x, 2.0, 64, grid=64, block=64)
        self.assertEqual(list(y), [1.0] * 64)
        kinds = {o.mnemonic: o for o in self.gpu.operations(sine)}
        self.assertEqual(kinds["v_sin_f32"].fidelity, "approximate")
        self.assertIn("tables", kinds["v_sin_f32"].why)
        self.assertLess(0.5, kinds["v_sin_f32"].ulps)
        self.assertEqual(kinds["s_endpgm"][1:], ("exact", None, None))
        with softwave.Device("gfx90a", exact_only=True) as gpu:
            gpu.run(self.code, "k", y, x, 2.0, 64, grid=64, block=64)
            with self.assertRaises(softwave.Error) as caught:
                gpu.run(sine, "k", y, x, 2.0, 64, grid=64, block=64)
        self.assertEqual(caught.exception.status, 4)

    def test_read_only(self):
        y, x = array.array("f", [0.0] * 64), bytes(struct.pack("64f", *range(64)))
        # bytes are a value; a read-only view of them is a buffer
        self.gpu.run(self.code, "k", y, memoryview(x), 1.0, 64, grid=64, block=64)
        self.assertEqual(list(y), list(range(64)))

    @unittest.skipIf(numpy is None, "NumPy is not installed")
    def test_numpy(self):
        rng = numpy.random.default_rng(1)
        y, x = rng.random(1000, numpy.float32), rng.random(1000, numpy.float32)
        want = (y.astype(numpy.float64) + 3.0 * x.astype(numpy.float64)).astype(numpy.float32)
        self.gpu.run(self.code, "k", y, x, numpy.float32(3), numpy.int32(1000), grid=(1024, 1, 1), block=(64, ))
        self.assertTrue(numpy.array_equal(y, want))
        with self.assertRaises(ValueError):
            self.gpu.run(self.code, "k", y[::2], x, 3.0, 10, grid=64, block=64)

    def test_without_metadata(self):
        y, x = array.array("f", [0.0] * 64), array.array("f", range(64))
        self.gpu.run(saxpy(False), "k", y, x, struct.pack("<f", 2.0), 64, grid=64, block=64)
        self.assertEqual(list(y), [2.0 * i for i in range(64)])

    def test_fault(self):
        y = array.array("f", [0.0] * 64)
        with self.assertRaises(softwave.Fault) as caught:
            self.gpu.run(self.code, "k", y, None, 1.0, 64, grid=64, block=64)
        self.assertEqual(caught.exception.address, 0)
        self.assertIn("read", str(caught.exception))
        y = array.array("f", [0.0] * 64)  # the device goes on
        self.gpu.run(self.code, "k", y, y, 1.0, 64, grid=64, block=64)

    def test_wrong_arguments(self):
        y = array.array("f", [0.0] * 64)
        with self.assertRaises(softwave.Error):
            self.gpu.run(self.code, "k", y, y, 1.0, grid=64, block=64)
        with self.assertRaises(softwave.Error):
            self.gpu.run(self.code, "nothing", y, y, 1.0, 64, grid=64, block=64)
        with self.assertRaises(TypeError):
            self.gpu.run(self.code, "k", y, "text", 1.0, 64, grid=64, block=64)
        self.gpu.close()
        with self.assertRaises(ValueError):
            self.gpu.run(self.code, "k", y, y, 1.0, 64, grid=64, block=64)


if __name__ == "__main__":
    unittest.main()
