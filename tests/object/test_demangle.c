// SPDX-License-Identifier: MIT
// Demangled names against llvm-cxxfilt 22's, which kernels a name means, and text that is no name at all.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "object/code/object.h"

static const struct {
    const char *name, *text;
} known[] = {
    {"_Z5saxpyPfS_f", "saxpy(float*, float*, float)"},
    {"_ZN2ns4lookIfEEvPT_i", "void ns::look<float>(float*, int)"},
    {"_ZN12_GLOBAL__N_16hiddenEPi", "(anonymous namespace)::hidden(int*)"},
    {"_Z4takePFviE", "take(void (*)(int))"},
    {"_Z4takeRA4_i", "take(int (&) [4])"},
    {"_Z4takeMN1A1BEFivE", "take(int (A::B::*)())"},
    {"_Z1fDv4_fDF16_", "f(float vector[4], _Float16)"},
    {"_Z3addILi3EEvv", "void add<3>()"},
    {"_Z3addILb1ELin5EEvv", "void add<true, -5>()"},
    {"_ZN1A1BC2Ev", "A::B::B()"},
    {"_ZN1A1BD0Ev", "A::B::~B()"},
    {"_ZN1AplERKS_", "A::operator+(A const&)"},
    {"_ZNK1A3getEv", "A::get() const"},
    {"_Z1fIiEDTplcvT__EcvS0__EES0_", "decltype((int)() + (int)()) f<int>(int)"},
    {"_ZNKSt3__16vectorIiNS_9allocatorIiEEE4sizeEv",
     "std::__1::vector<int, std::__1::allocator<int>>::size() const"},
    {"_ZN4rocm6reduceILj256EZNS_3runEPfiEUlT_E_EEvS1_T0_",
     "void rocm::reduce<256u, rocm::run(float*, int)::'lambda'(auto)>(float*, rocm::run(float*, "
     "int)::'lambda'(auto))"},
    {"_Z9transformIiZ4mainEUliE_EvPT_T0_",
     "void transform<int, main::'lambda'(int)>(int*, main::'lambda'(int))"},
    {"_ZZ4mainENKUliE_clEi", "main::'lambda'(int)::operator()(int) const"},
    {"_ZTV1A", "vtable for A"},
    {"_ZL8internalPi", "internal(int*)"},
    {"_Z1fILPKc0EEvv", "void f<(char const*)0>()"},
    {"_Z3fooB5cxx11v", "foo[abi:cxx11]()"},
    {"_ZN3foo3barE.kd", "foo::bar (.kd)"},
    {"_Z1fPKPVcS2_", "f(char volatile* const*, char volatile* const*)"},
    {"_Z1fPA3_A4_KfRS0_OS1_", "f(float const (*) [3][4], float const (&) [4], float const (&&) [3][4])"},
    {"_ZSt4moveIRiEONSt16remove_referenceIT_E4typeEOS2_",
     "std::remove_reference<int&>::type&& std::move<int&>(int&)"},
    {"_Z6kernelI15HIP_vector_typeIfLj4EEEvPKT_PS2_l",
     "void kernel<HIP_vector_type<float, 4u>>(HIP_vector_type<float, 4u> const*, HIP_vector_type<float, "
     "4u>*, long)"},
};
enum { KNOWN = sizeof known / sizeof *known };

static void as_llvm(void **state) {
    (void)state;
    char text[1024];
    for (size_t i = 0; i < KNOWN; i++) {
        const size_t length = sw_demangle(known[i].name, text, sizeof text);
        assert_string_equal(text, known[i].text);
        assert_int_equal(length, strlen(text));
    }
}

static void not_a_name(void **state) {
    (void)state;
    static const char *const wrong[] = {"",      "main",    "_Z",     "_ZN",    "_Z3fo", "_Z99999999999f",
                                        "_ZS_",  "_Z1fS_",  "_Z1fT_", "_Z1fIi", "_Z1fP", "_ZN1AE1",
                                        "_Z1fX", "_Z1fLi5E"};
    char text[64];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        memset(text, 'x', sizeof text);
        assert_int_equal(sw_demangle(wrong[i], text, sizeof text), 0);
        assert_string_equal(text, "");
    }
    // It fits, with its NUL, or there is nothing.
    assert_int_equal(sw_demangle("_Z5saxpyPfS_f", text, 29), 28);
    assert_int_equal(sw_demangle("_Z5saxpyPfS_f", text, 28), 0);
    assert_string_equal(text, "");
}

// Names that would nest or grow without end: nothing comes of them, soon.
static void bounded(void **state) {
    (void)state;
    static char name[100000], text[100000];
    static const char *const again[] = {"P", "N1A", "I",      "F",  "M",   "Z1f", "S_",
                                        "J", "Dp",  "XadL_Z", "cv", "A1_", "1AI"};
    for (size_t i = 0; i < sizeof again / sizeof *again; i++) {
        strcpy(name, "_Z1fI");
        size_t n = strlen(again[i]), at = strlen(name);
        while (at + n < sizeof name) memcpy(name + at, again[i], n), at += n;
        name[at] = 0;
        sw_demangle(name, text, sizeof text);
    }
    // Each type takes the one before twice: 2^60 of them.
    size_t at = (size_t)sprintf(name, "_Z1f1AIiiE");
    for (int i = 0; i < 60; i++) {
        char letter[4] = "_";
        if (i == 0)
            strcpy(letter, "_");
        else if (i - 1 < 10)
            sprintf(letter, "%d_", i - 1);
        else if (i - 1 < 36)
            sprintf(letter, "%c_", 'A' + i - 11);
        else
            sprintf(letter, "1%c_", i - 37 < 10 ? '0' + i - 37 : 'A' + i - 47);
        at += (size_t)sprintf(name + at, "S_IS%sS%sE", letter, letter);
    }
    assert_int_equal(sw_demangle(name, text, sizeof text), 0);
}

// Every name with any byte altered or cut off, in the room that the compiler's sanitizers watch.
static void altered(void **state) {
    (void)state;
    char name[512], text[300];
    uint32_t seed = 1;
    for (size_t i = 0; i < KNOWN; i++)
        for (size_t at = 2; at < strlen(known[i].name); at++)
            for (int round = 0; round < 20; round++) {
                strcpy(name, known[i].name);
                seed = seed * 1664525 + 1013904223;
                name[at] = round ? "0123456789_SITNEJDZPRKFXLCUcvil"[seed >> 16 & 31] : 0;
                const size_t length = sw_demangle(name, text, sizeof text);
                assert_true(length < sizeof text && strlen(text) == length);
            }
}

static void meant(void **state) {
    (void)state;
    static const struct {
        const char *kernel, *name;
        bool means;
    } cases[] = {
        {"_ZN2ns4lookIfEEvPT_i", "look", true},
        {"_ZN2ns4lookIfEEvPT_i", "ns::look", true},
        {"_ZN2ns4lookIfEEvPT_i", "look<float>", true},
        {"_ZN2ns4lookIfEEvPT_i", "ns::look<float>", true},
        {"_ZN2ns4lookIfEEvPT_i", "ns::look<float>(float*, int)", true},
        {"_ZN2ns4lookIfEEvPT_i", "void ns::look<float>(float*, int)", true},
        {"_ZN2ns4lookIfEEvPT_i", "_ZN2ns4lookIfEEvPT_i", true},
        {"_ZN2ns4lookIfEEvPT_i", "ook", false},
        {"_ZN2ns4lookIfEEvPT_i", "s::look", false},
        {"_ZN2ns4lookIfEEvPT_i", "look<int>", false},
        {"_ZN2ns4lookIfEEvPT_i", "", false},
        {"_ZN12_GLOBAL__N_16hiddenEPi", "hidden", true},
        {"_ZN12_GLOBAL__N_16hiddenEPi", "(anonymous namespace)::hidden", true},
        {"_Z5saxpyPfS_f", "saxpy", true},
        {"saxpy", "saxpy", true},
        {"saxpy", "axpy", false},
        {"_Z4takePFviE", "take", true},
        {"_Z3addILb1ELin5EEvv", "add<true, -5>", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(kernel_name_means(cases[i].kernel, cases[i].name), cases[i].means);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_llvm), cmocka_unit_test(not_a_name), cmocka_unit_test(bounded),
        cmocka_unit_test(altered), cmocka_unit_test(meant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
