# SPDX-License-Identifier: MIT
"""The part of libsoftwave's C interface that the package calls, for ctypes.

The structures are those of include/softwave. tests/python/layout.sh compares their sizes and offsets with the headers.
The library is SOFTWAVE_LIBRARY if that is set, else libsoftwave.so.0 as the loader finds it."""
import ctypes as c
import os

SINK = c.CFUNCTYPE(None, c.c_void_p, c.c_void_p)
WRITE = c.CFUNCTYPE(c.c_bool, c.c_void_p, c.POINTER(c.c_char), c.c_size_t)
PRINT = c.CFUNCTYPE(None, c.c_void_p, c.POINTER(c.c_char), c.c_size_t)

OK, USAGE, BAD_INPUT, FAULT, UNSUPPORTED, CHECK, NO_MEMORY = range(7)
OS_AMDHSA = 1


class location(c.Structure):
    _fields_ = [("file", c.c_char_p), ("line", c.c_uint32), ("column", c.c_uint32), ("line_text", c.c_void_p),
                ("line_length", c.c_size_t), ("offset", c.c_uint64), ("has_offset", c.c_bool), ("within", c.c_char_p)]


class diagnostic(c.Structure):
    _fields_ = [("size", c.c_size_t), ("severity", c.c_int), ("at", location), ("message", c.c_char_p)]


class sink(c.Structure):
    _fields_ = [("report", SINK), ("context", c.c_void_p)]


class target(c.Structure):
    _fields_ = [("processor", c.c_void_p), ("sramecc", c.c_int), ("xnack", c.c_int)]


class sized(c.Structure):
    """A structure whose first member is its size."""

    def __init__(self, **members):
        super().__init__(**members)
        self.size = c.sizeof(self)


class asm_options(sized):
    _fields_ = [("size", c.c_size_t), ("target", target), ("os", c.c_int), ("code_object_version", c.c_uint),
                ("features", c.c_char_p), ("name", c.c_char_p), ("include", c.c_void_p), ("include_count", c.c_size_t),
                ("define", c.c_void_p), ("define_count", c.c_size_t), ("no_files", c.c_bool), ("listing", c.c_void_p),
                ("listing_context", c.c_void_p), ("max_output", c.c_uint64), ("max_expansion", c.c_uint64),
                ("dwarf_version", c.c_uint), ("directory", c.c_char_p), ("debug", c.c_bool), ("producer", c.c_char_p),
                ("triple", c.c_char_p)]


class list_options(sized):
    _fields_ = [("size", c.c_size_t), ("write", WRITE), ("context", c.c_void_p), ("start", c.c_uint64),
                ("stop", c.c_uint64), ("function", c.c_char_p), ("functions", c.c_void_p), ("function_count", c.c_size_t),
                ("wave_size", c.c_uint), ("features", c.c_char_p), ("name", c.c_char_p), ("heading", c.c_char_p)] + [
                    (name, c.c_bool) for name in (
                        "json", "json_continues", "graph", "labels", "reasons", "zeroes", "no_address", "no_words",
                        "colour", "relocations", "demangle", "lines", "source_text", "all")]


class describe_options(sized):
    _fields_ = [("size", c.c_size_t), ("write", WRITE), ("context", c.c_void_p), ("what", c.c_int), ("kernel", c.c_char_p),
                ("json_depth", c.c_uint)]


class device_options(sized):
    _fields_ = [("size", c.c_size_t), ("target", target), ("threads", c.c_uint), ("init", c.c_int), ("seed", c.c_uint64),
                ("count", c.c_bool), ("level", c.c_char_p), ("hooks", c.c_void_p), ("alignment", c.c_int),
                ("compute_units", c.c_uint), ("host_memory", c.c_bool), ("pass_breakpoints", c.c_bool),
                ("closed_begin", c.c_uint64), ("closed_end", c.c_uint64), ("tier", c.c_int), ("cache", c.c_char_p),
                ("dump", c.c_char_p), ("weak", c.c_uint64), ("exact_only", c.c_bool),
                ("weak_hazards", c.c_bool)]


class kernel_value(c.Structure):
    _fields_ = [("data", c.c_void_p), ("bytes", c.c_size_t)]


class launch(sized):
    _fields_ = [("size", c.c_size_t), ("executable", c.c_void_p), ("object", c.c_void_p), ("kernel", c.c_char_p),
                ("grid", c.c_uint32 * 3), ("block", c.c_uint32 * 3), ("arguments", c.POINTER(kernel_value)),
                ("argument_count", c.c_size_t), ("dynamic_lds", c.c_uint32), ("timeout", c.c_double), ("print", PRINT),
                ("print_context", c.c_void_p)]


class fault(sized):
    _fields_ = [("size", c.c_size_t), ("kind", c.c_int), ("pc", c.c_uint64), ("code_offset", c.c_uint64),
                ("group", c.c_uint32 * 3), ("wave", c.c_uint32), ("lane", c.c_int32), ("address", c.c_uint64),
                ("reason", c.c_char_p), ("is_scratch", c.c_bool), ("scratch_declared", c.c_uint32),
                ("scratch_needed", c.c_uint32), ("waves", c.c_size_t), ("unmapped", c.c_bool),
                ("vgpr_msb", c.c_uint8)]


class operation(sized):
    _fields_ = [("size", c.c_size_t), ("mnemonic", c.c_char_p), ("unsupported", c.c_char_p), ("approximate", c.c_bool),
                ("why", c.c_char_p), ("ulps", c.c_double)]


STRUCTURES = [location, diagnostic, sink, target, asm_options, list_options, describe_options, device_options, kernel_value,
              launch, fault, operation]

_P, _S, _Z = c.c_void_p, c.POINTER(sink), c.c_size_t
_FUNCTIONS = {
    "sw_version": (c.c_char_p, []),
    "sw_version_number": (c.c_uint, []),
    "sw_status_text": (c.c_char_p, [c.c_int]),
    "sw_target_choose": (c.c_int, [c.c_char_p, _Z, c.POINTER(target), _S]),
    "sw_target_format": (_Z, [c.POINTER(target), c.c_char_p]),
    "sw_processor_count": (_Z, []),
    "sw_processor_at": (_P, [_Z]),
    "sw_processor_name": (c.c_char_p, [_P]),
    "sw_assemble": (c.c_int, [c.c_char_p, _Z, c.POINTER(asm_options), c.POINTER(_P), c.POINTER(_Z), _S]),
    "sw_free": (None, [_P]),
    "sw_object_open": (c.c_int, [_P, _Z, _P, c.POINTER(_P), _S]),
    "sw_object_close": (None, [_P]),
    "sw_object_target": (c.POINTER(target), [_P]),
    "sw_list_object": (c.c_int, [_P, c.POINTER(list_options), _S]),
    "sw_list_code": (c.c_int, [_P, c.c_char_p, _Z, c.c_uint64, c.POINTER(list_options), _S]),
    "sw_describe_object": (c.c_int, [_P, c.POINTER(describe_options), _S]),
    "sw_device_create": (c.c_int, [c.POINTER(device_options), c.POINTER(_P), _S]),
    "sw_device_destroy": (None, [_P]),
    "sw_device_alloc": (_P, [_P, _Z]),
    "sw_device_free": (c.c_int, [_P, _P, _S]),
    "sw_device_load": (c.c_int, [_P, _P, _P, _P, c.POINTER(_P), _S]),
    "sw_device_unload": (c.c_int, [_P, _P, _S]),
    "sw_device_launch": (c.c_int, [_P, c.POINTER(launch), c.POINTER(fault), _S]),
    "sw_executable_operations": (_Z, [_P, _P, c.POINTER(operation), _Z]),
    "sw_fault_describe": (_Z, [c.POINTER(fault), c.c_char_p, _Z]),
}


def load():
    """The library with the types of its functions. Raises OSError if there is none."""
    library = c.CDLL(os.environ.get("SOFTWAVE_LIBRARY") or "libsoftwave.so.0")
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library
