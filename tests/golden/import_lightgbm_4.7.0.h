/* import_lightgbm_4.7.0.h - what the models beside it predict: see import.py, which wrote this.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
static const unsigned import_lightgbm_4_7_0_missing_pool[][2] = {
    {0, 0x554AD2E}, {0, 0x3CFD3558}, {0, 0x3DBFE9ED}, {0, 0x3E5F5FAF}, {0, 0x3EDF2892}, {0, 0x3EE6CFDA},
    {0, 0x3FAC0FE3}, {0, 0x3FBBA268}, {0, 0x3FC670AD}, {0, 0x3FE80FF2}, {0, 0x3FF76E91}, {0, 0x8554AD2E},
    {0, 0xBDC349F9}, {0, 0xBE75038D}, {0, 0xBE878FE6}, {0, 0xBF8EE44E}, {0, 0xBFAEAD1B}, {0, 0xBFCBF471},
    {1, 0x554AD2E}, {1, 0x3FA00000}, {1, 0x8554AD2E}, {2, 0x554AD2E}, {2, 0x3F1AFFFE}, {2, 0x8554AD2E},
    {2, 0xBE53D409}, {2, 0xBF56D746}, {2, 0xBF6A1F73}, {2, 0xBFA1ECAE}, {3, 0x554AD2E}, {3, 0x3E00B69C},
    {3, 0x3EDF7580}, {3, 0x3EE256A7}, {3, 0x3F0B1212}, {3, 0x3F5EFE28}, {3, 0x3F924297}, {3, 0x3FA66A03},
    {3, 0x3FAF0177}, {3, 0x8554AD2E}, {4, 0x554AD2E}, {4, 0x8554AD2E},
};
static const float import_lightgbm_4_7_0_missing_sums[] = {
    1.3185868f, 0.5864949f, 0.4884659f, -0.2402996f, 0.18531969f, -0.13397403f, 0.13643226f, 0.5679486f,
};
static const unsigned import_lightgbm_4_7_0_none_pool[][2] = {
    {0, 0x554AD2E}, {0, 0x3D00E249}, {0, 0x3E34498C}, {0, 0x3E5B3755}, {0, 0x3EDE1891}, {0, 0x3FBD1B45},
    {0, 0x3FC4BAD8}, {0, 0x3FE85E7D}, {0, 0x3FF22B89}, {0, 0x8554AD2E}, {0, 0xBDC349F9}, {0, 0xBDDF4B9A},
    {0, 0xBE6C25BB}, {0, 0xBE791855}, {0, 0xBE878FE6}, {0, 0xBF9D295C}, {0, 0xBFCA554F}, {0, 0xBFCE1FB2},
    {0, 0xBFD1D570}, {1, 0x554AD2E}, {1, 0x3FE00000}, {1, 0x8554AD2E}, {2, 0x554AD2E}, {2, 0x3FC9AA57},
    {2, 0x3FCCFD73}, {2, 0x8554AD2E}, {2, 0xBE28BB16}, {2, 0xBF11A3C7}, {2, 0xBF7A6173}, {3, 0x554AD2E},
    {3, 0x3D582660}, {3, 0x3E4CAB15}, {3, 0x3EE256A7}, {3, 0x3F0B96C5}, {3, 0x3F5E50FE}, {3, 0x3FA530D7},
    {3, 0x3FA66A03}, {3, 0x8554AD2E}, {4, 0x554AD2E}, {4, 0x8554AD2E},
};
static const float import_lightgbm_4_7_0_none_sums[] = {
    -0.2954134f, -0.5570813f, 0.3140932f, -0.035268668f, 0.11587788f, -0.14035943f, -0.5478717f, 0.08146526f,
};
static const unsigned import_lightgbm_4_7_0_forest_pool[][2] = {
    {0, 0x554AD2E}, {0, 0x3EC69853}, {0, 0x3EDF2892}, {0, 0x3F008887}, {0, 0x3FBBA268}, {0, 0x3FC670AD},
    {0, 0x3FE80FF2}, {0, 0x8554AD2E}, {0, 0xBD9C1C22}, {0, 0xBDDD1858}, {0, 0xBDF47B6E}, {0, 0xBE8E24B5},
    {0, 0xBFAB6E9E}, {0, 0xBFAEAD1B}, {0, 0xBFD47FEE}, {0, 0xBFDB2031}, {1, 0x554AD2E}, {1, 0x3F400000},
    {1, 0x3FE00000}, {1, 0x8554AD2E}, {1, 0xBFA00000}, {2, 0x554AD2E}, {2, 0x3F76ABCA}, {2, 0x3F938727},
    {2, 0x3FD6E5B0}, {2, 0x4002CE99}, {2, 0x8554AD2E}, {2, 0xBF84F30B}, {2, 0xBF8C1E17}, {3, 0x554AD2E},
    {3, 0x3E93EC13}, {3, 0x3EACE73A}, {3, 0x3ED0D7DC}, {3, 0x3EE256A7}, {3, 0x3F5EFE28}, {3, 0x3F761AB5},
    {3, 0x8554AD2E}, {4, 0x554AD2E}, {4, 0x3F508D4B}, {4, 0x3F727CD7},
};
static const float import_lightgbm_4_7_0_forest_sums[] = {
    -0.62126267f, -0.17494671f, -0.52439004f, -0.7779449f, 0.14031698f, -0.11559489f, 0.95651865f,
    -0.52439004f,
};
static const unsigned import_lightgbm_4_7_0_dart_pool[][2] = {
    {0, 0x554AD2E}, {0, 0x3DBFE9ED}, {0, 0x3EAFF39E}, {0, 0x3F8189B9}, {0, 0x3FBBA268}, {0, 0x3FC670AD},
    {0, 0x3FF76E91}, {0, 0x8554AD2E}, {0, 0xBD9C1C22}, {0, 0xBE75038D}, {0, 0xBE826C54}, {0, 0xBFBC13C2},
    {0, 0xBFCBF471}, {0, 0xBFDB2031}, {1, 0x554AD2E}, {1, 0x8554AD2E}, {2, 0x554AD2E}, {2, 0x8554AD2E},
    {3, 0x554AD2E}, {3, 0x3EDF7580}, {3, 0x3EE256A7}, {3, 0x3FA530D7}, {3, 0x3FC76F9E}, {3, 0x8554AD2E},
    {4, 0x554AD2E}, {4, 0x3F88311B}, {4, 0x8554AD2E},
};
static const float import_lightgbm_4_7_0_dart_sums[] = {
    0.1878818f, -0.50018734f, 0.19400655f, 0.51284283f, 0.1878818f, 0.444158f, 0.092369f, 0.81902325f,
};
static const unsigned import_lightgbm_4_7_0_poisson_pool[][2] = {
    {0, 0x554AD2E}, {0, 0x3CFD3558}, {0, 0x3D802470}, {0, 0x3EEF7973}, {0, 0x3F8D97FC}, {0, 0x3F922320},
    {0, 0x3FE80FF2}, {0, 0x8554AD2E}, {0, 0xBD37A8CC}, {0, 0xBFB200BB}, {0, 0xBFCBF471}, {0, 0xBFDB2031},
    {1, 0x554AD2E}, {1, 0x3F400000}, {1, 0x3FA00000}, {1, 0x8554AD2E}, {1, 0xBF400000}, {1, 0xBFE00000},
    {2, 0x554AD2E}, {2, 0x3F97A8B1}, {2, 0x8554AD2E}, {2, 0xBF84F30B}, {2, 0xBFA08C33}, {2, 0xBFAD5968},
    {2, 0xBFE09267}, {2, 0xC0018B47}, {3, 0x554AD2E}, {3, 0x3EB14C0C}, {3, 0x3FA00676}, {3, 0x3FF0B58A},
    {3, 0x8554AD2E}, {4, 0x554AD2E}, {4, 0x3F824086}, {4, 0x8554AD2E},
};
static const float import_lightgbm_4_7_0_poisson_sums[] = {
    0.5253462f, 0.7138446f, 0.65063125f, 0.9414136f, 0.526309f, 1.0325121f, 0.18216269f, 0.39062503f,
};
static const float import_lightgbm_4_7_0_poisson_answers[] = {
    1.6910442f, 2.0418262f, 1.9167504f, 2.5636027f, 1.6926731f, 2.8081112f, 1.1998094f, 1.4779042f,
};
static const unsigned import_lightgbm_4_7_0_binary_pool[][2] = {
    {0, 0x554AD2E}, {0, 0x3DBFE9ED}, {0, 0x3E078C2A}, {0, 0x3E706388}, {0, 0x3FBE7136}, {0, 0x3FCF12D6},
    {0, 0x8554AD2E}, {0, 0xBDEA188E}, {0, 0xBE878FE6}, {0, 0xBEE76BE9}, {0, 0xBFAEAD1B}, {0, 0xBFB7FB57},
    {0, 0xBFD10BC3}, {0, 0xBFE5CBEB}, {0, 0xBFF32F9E}, {1, 0x554AD2E}, {1, 0x3F400000}, {1, 0x8554AD2E},
    {1, 0xBF400000}, {2, 0x554AD2E}, {2, 0x3ECA9974}, {2, 0x3ED0CD57}, {2, 0x3F2B6CD0}, {2, 0x3F38E9B2},
    {2, 0x8554AD2E}, {2, 0xBEA7AAAF}, {2, 0xBF517683}, {2, 0xBF92B3D4}, {3, 0x554AD2E}, {3, 0x3EA3DD5D},
    {3, 0x3F8AB128}, {3, 0x3FA66A03}, {3, 0x3FAF9085}, {3, 0x8554AD2E}, {4, 0x554AD2E}, {4, 0x8554AD2E},
};
static const float import_lightgbm_4_7_0_binary_sums[] = {
    0.8632565f, 0.44684055f, 1.1093755f, 0.8632565f, -0.90093434f, 0.8960426f, -0.92530894f, 0.4817767f,
};
static const float import_lightgbm_4_7_0_binary_answers[] = {
    0.7033406f, 0.6098878f, 0.75201267f, 0.7033406f, 0.28885853f, 0.7101356f, 0.2838774f, 0.61816734f,
};
static const unsigned import_lightgbm_4_7_0_constant_pool[][2] = {
    {0, 0x554AD2E}, {0, 0x8554AD2E}, {1, 0x554AD2E}, {1, 0x8554AD2E}, {2, 0x554AD2E}, {2, 0x8554AD2E},
    {3, 0x554AD2E}, {3, 0x8554AD2E}, {4, 0x554AD2E}, {4, 0x8554AD2E},
};
static const float import_lightgbm_4_7_0_constant_sums[] = {
    3.0f, 3.0f, 3.0f, 3.0f, 3.0f, 3.0f, 3.0f, 3.0f,
};
static const unsigned import_lightgbm_4_7_0_classes_pool[][2] = {
    {0, 0x554AD2E}, {0, 0x3D802470}, {0, 0x3DBFE9ED}, {0, 0x3EE6CFDA}, {0, 0x3F9825DC}, {0, 0x3FB15249},
    {0, 0x3FBE7136}, {0, 0x3FE80FF2}, {0, 0x402F18C3}, {0, 0x8554AD2E}, {0, 0xBD9C1C22}, {0, 0xBE17E43A},
    {0, 0xBE69EA31}, {0, 0xBF9F3400}, {0, 0xBFA895CB}, {0, 0xBFDB2031}, {1, 0x554AD2E}, {1, 0x3F400000},
    {1, 0x3FA00000}, {1, 0x8554AD2E}, {1, 0xBF400000}, {1, 0xBFE00000}, {2, 0x554AD2E}, {2, 0x3F7B431C},
    {2, 0x8554AD2E}, {2, 0xBF485151}, {2, 0xBF942614}, {2, 0xBF96D6EF}, {3, 0x554AD2E}, {3, 0x3D582660},
    {3, 0x3EE256A7}, {3, 0x3F9B631F}, {3, 0x3FA530D7}, {3, 0x3FB03CBE}, {3, 0x8554AD2E}, {4, 0x554AD2E},
    {4, 0x8554AD2E},
};
static const float import_lightgbm_4_7_0_classes_sums[] = {
    -1.4103584f, -0.37625808f, -0.8419419f, -1.5146505f, -0.5723031f, -1.0609254f, -1.2094812f, -1.140064f,
    -1.0402915f, -1.5146505f, -0.5723031f, -0.15768301f, -1.5146505f, -0.35178164f, -1.0402915f, -1.5146505f,
    -0.6944205f, -1.0609254f, -0.036364496f, -1.3387514f, -1.0609254f, -1.2094812f, -0.12196151f,
    -0.15768301f,
};
static const float import_lightgbm_4_7_0_classes_answers[] = {
    0.19617753f, 0.40702972f, 0.30112594f, 0.18025061f, 0.36070555f, 0.25713265f, 0.22979286f, 0.24230862f,
    0.26109377f, 0.18025061f, 0.36070555f, 0.46066073f, 0.18025061f, 0.41295046f, 0.26109377f, 0.18025061f,
    0.33305043f, 0.25713265f, 0.49090987f, 0.20771545f, 0.25713265f, 0.22979286f, 0.46954736f, 0.46066073f,
};
static const unsigned import_lightgbm_4_7_0_edges_pool[][2] = {
    {0, 0x0}, {0, 0x116C2}, {0, 0x800000}, {0, 0x4D4AD2E}, {0, 0x554AD2E}, {0, 0x3E5F5FAF}, {0, 0x3EDF2892},
    {0, 0x3FC670AD}, {0, 0x3FE80FF2}, {0, 0x80000000}, {0, 0x80000001}, {0, 0x800116C2}, {0, 0x8554AD2E},
    {0, 0xBE40D1C4}, {0, 0xBE878FE6}, {0, 0xBE99999A}, {0, 0xBF929DA7}, {0, 0xBFD10BC3}, {1, 0x554AD2E},
    {1, 0x3F400000}, {1, 0x8554AD2E}, {1, 0xBF400000}, {2, 0x4D4AD2E}, {2, 0x554AD2E}, {2, 0x8554AD2E},
    {2, 0xBD8A0B96}, {2, 0xBE99999A}, {2, 0xBFA08C33}, {3, 0x0}, {3, 0x1}, {3, 0x554AD2E}, {3, 0x3EE256A7},
    {3, 0x3FA66A03}, {3, 0x3FAF0177}, {3, 0x3FBD95FC}, {3, 0x80000000}, {3, 0x8554AD2E}, {3, 0xBE99999A},
    {4, 0x554AD2E}, {4, 0x80000001},
};
static const float import_lightgbm_4_7_0_edges_sums[] = {
    0.4405374f, 0.82343197f, 1.194024f, 0.25851494f, 0.20320593f, 1.1019f, -0.009943448f, 1.6362522f,
};
static const unsigned import_lightgbm_4_7_0_linear_pool[][2] = {
    {0, 0x554AD2E}, {0, 0x3DBFE9ED}, {0, 0x3FC670AD}, {0, 0x3FF76E91}, {0, 0x8554AD2E}, {0, 0xBD9C1C22},
    {0, 0xBE826C54}, {0, 0xBFCBF471}, {0, 0xBFDB2031}, {1, 0x554AD2E}, {1, 0x8554AD2E}, {2, 0x554AD2E},
    {2, 0x8554AD2E}, {3, 0x554AD2E}, {3, 0x3E93EC13}, {3, 0x3EE256A7}, {3, 0x3F9EBAFD}, {3, 0x8554AD2E},
    {4, 0x554AD2E}, {4, 0x8554AD2E},
};
static const float import_lightgbm_4_7_0_linear_sums[] = {
    0.044969354f, -0.117005154f, -0.07986615f, -0.59919757f, -0.0059616957f, 0.6467589f, 0.3215328f,
    2671907.8f,
};
static const unsigned import_lightgbm_4_7_0_linear_poisson_pool[][2] = {
    {0, 0x554AD2E}, {0, 0x3CFD3558}, {0, 0x3D46EEBA}, {0, 0x8554AD2E}, {0, 0xBD37A8CC}, {0, 0xBFB200BB},
    {1, 0x554AD2E}, {1, 0x8554AD2E}, {1, 0xBFE00000}, {2, 0x554AD2E}, {2, 0x8554AD2E}, {2, 0xBFE09267},
    {2, 0xC0018B47}, {3, 0x554AD2E}, {3, 0x3FBEA793}, {3, 0x8554AD2E}, {4, 0x554AD2E}, {4, 0x8554AD2E},
};
static const float import_lightgbm_4_7_0_linear_poisson_sums[] = {
    0.9386745f, 0.25704908f, 0.6803415f, 0.32209182f, 0.84455556f, 0.47928485f, 0.38031593f, 0.5389345f,
};
static const float import_lightgbm_4_7_0_linear_poisson_answers[] = {
    2.5565903f, 1.2931086f, 1.9745518f, 1.3800114f, 2.3269434f, 1.6149191f, 1.4627466f, 1.7141795f,
};
static const unsigned import_lightgbm_4_7_0_sets_pool[][2] = {
    {0, 0x8554AD2E}, {0, 0xBDB168EE}, {0, 0xBDF62923}, {0, 0xBE10B4A8}, {0, 0xBE221D5D}, {0, 0xBE791855},
    {0, 0xBE95F572}, {1, 0x0}, {1, 0x3E800000}, {1, 0x40A00000}, {1, 0x40E00000}, {1, 0x41100000},
    {1, 0x41F80000}, {1, 0x42000000}, {1, 0xBF000000}, {1, 0xBF800000}, {4, 0x41880000}, {4, 0x41F80000},
    {4, 0x420C0000}, {4, 0x42100000}, {4, 0x427C0000}, {4, 0x428A0000}, {4, 0x428C0000}, {4, 0x42BE0000},
    {4, 0x42C00000}, {4, 0x4E6E6B28},
};
static const float import_lightgbm_4_7_0_sets_sums[] = {
    0.41106245f, 0.27323338f, 0.41106245f, 0.16800879f, 0.0904691f, 0.3127619f, -0.07655398f, 0.37049234f,
};
static const unsigned import_lightgbm_4_7_0_sets_none_pool[][2] = {
    {0, 0x3D421426}, {0, 0x3E0F3A80}, {0, 0xBDB225CA}, {0, 0xBDDF4B9A}, {1, 0x0}, {1, 0x3E800000},
    {1, 0x3F800000}, {1, 0x40400000}, {1, 0x40800000}, {1, 0x41000000}, {1, 0x41100000}, {1, 0x41F80000},
    {1, 0x42000000}, {1, 0xBF000000}, {1, 0xBF800000}, {4, 0x41C80000}, {4, 0x42140000}, {4, 0x42280000},
    {4, 0x42400000}, {4, 0x428A0000}, {4, 0x428C0000}, {4, 0x42BE0000}, {4, 0x42C00000}, {4, 0x4E6E6B28},
};
static const float import_lightgbm_4_7_0_sets_none_sums[] = {
    -0.02294903f, -0.29060754f, 0.07308558f, -0.24215764f, -0.6155923f, -0.29060754f, -0.6155923f,
    -0.4145052f,
};
static const unsigned import_lightgbm_4_7_0_sets_linear_pool[][2] = {
    {0, 0xBE10B4A8}, {1, 0x0}, {1, 0x3E800000}, {1, 0x40000000}, {1, 0x40A00000}, {1, 0x41000000},
    {1, 0x41100000}, {1, 0x41F80000}, {1, 0x42000000}, {1, 0xBF000000}, {1, 0xBF800000}, {4, 0x41200000},
    {4, 0x41600000}, {4, 0x41700000}, {4, 0x41F80000}, {4, 0x425C0000}, {4, 0x428A0000}, {4, 0x428C0000},
    {4, 0x42BE0000}, {4, 0x42C00000}, {4, 0x4E6E6B28},
};
static const float import_lightgbm_4_7_0_sets_linear_sums[] = {
    0.1376206f, 0.00087833154f, -0.2866828f, 0.01903064f, -0.05564865f, -0.007923183f, -0.21975245f,
    0.006774589f,
};
static const unsigned import_lightgbm_4_7_0_sets_types_pool[][2] = {
    {0, 0x8554AD2E}, {0, 0xBE10B4A8}, {0, 0xBE221D5D}, {0, 0xBEA46926}, {1, 0x3E800000}, {1, 0x3F800000},
    {1, 0x40000000}, {1, 0x40400000}, {1, 0x40E00000}, {1, 0x41100000}, {1, 0x41F80000}, {1, 0x42000000},
    {1, 0xBF000000}, {1, 0xBF800000}, {4, 0x41E00000}, {4, 0x42200000}, {4, 0x42480000}, {4, 0x42600000},
    {4, 0x42860000}, {4, 0x428A0000}, {4, 0x428C0000}, {4, 0x42BE0000}, {4, 0x42C00000}, {4, 0x4E6E6B28},
};
static const float import_lightgbm_4_7_0_sets_types_sums[] = {
    -0.13499138f, -0.17355958f, -0.31055385f, 0.14990503f, -0.26590514f, 0.20149274f, -0.12309124f,
    -0.7680294f,
};
#define IMPORT_LIGHTGBM_4_7_0 \
    {"import_lightgbm_4.7.0_missing.txt", 1, 1, 1, import_lightgbm_4_7_0_missing_pool, 40, 0x6CF31A5A4CF5C9A5ull, import_lightgbm_4_7_0_missing_sums, NULL}, \
    {"import_lightgbm_4.7.0_none.txt", 2, 1, 1, import_lightgbm_4_7_0_none_pool, 40, 0x42C30A7B9A961912ull, import_lightgbm_4_7_0_none_sums, NULL}, \
    {"import_lightgbm_4.7.0_forest.txt", 3, 1, 1, import_lightgbm_4_7_0_forest_pool, 40, 0x1202C80D85BA96DAull, import_lightgbm_4_7_0_forest_sums, NULL}, \
    {"import_lightgbm_4.7.0_dart.txt", 4, 1, 1, import_lightgbm_4_7_0_dart_pool, 27, 0x772D1D8E3BCE48B8ull, import_lightgbm_4_7_0_dart_sums, NULL}, \
    {"import_lightgbm_4.7.0_poisson.txt", 5, 1, 1, import_lightgbm_4_7_0_poisson_pool, 34, 0xB2A5BD48D2E13057ull, import_lightgbm_4_7_0_poisson_sums, import_lightgbm_4_7_0_poisson_answers}, \
    {"import_lightgbm_4.7.0_binary.txt", 6, 1, 1, import_lightgbm_4_7_0_binary_pool, 36, 0x902C60DB3E21AA5Bull, import_lightgbm_4_7_0_binary_sums, import_lightgbm_4_7_0_binary_answers}, \
    {"import_lightgbm_4.7.0_constant.txt", 7, 1, 1, import_lightgbm_4_7_0_constant_pool, 10, 0x581DC1222FADB825ull, import_lightgbm_4_7_0_constant_sums, NULL}, \
    {"import_lightgbm_4.7.0_classes.txt", 8, 1, 3, import_lightgbm_4_7_0_classes_pool, 37, 0x79AB26C14431D7C1ull, import_lightgbm_4_7_0_classes_sums, import_lightgbm_4_7_0_classes_answers}, \
    {"import_lightgbm_4.7.0_edges.txt", 9, 1, 1, import_lightgbm_4_7_0_edges_pool, 40, 0xFD0E19B538326169ull, import_lightgbm_4_7_0_edges_sums, NULL}, \
    {"import_lightgbm_4.7.0_linear.txt", 10, 3, 1, import_lightgbm_4_7_0_linear_pool, 20, 0xA88BF89E8BEE80CDull, import_lightgbm_4_7_0_linear_sums, NULL}, \
    {"import_lightgbm_4.7.0_linear_poisson.txt", 11, 3, 1, import_lightgbm_4_7_0_linear_poisson_pool, 18, 0x51DBFC29AC31BDA0ull, import_lightgbm_4_7_0_linear_poisson_sums, import_lightgbm_4_7_0_linear_poisson_answers}, \
    {"import_lightgbm_4.7.0_sets.txt", 12, 1, 1, import_lightgbm_4_7_0_sets_pool, 26, 0x1F083CC67188E18Full, import_lightgbm_4_7_0_sets_sums, NULL}, \
    {"import_lightgbm_4.7.0_sets_none.txt", 13, 1, 1, import_lightgbm_4_7_0_sets_none_pool, 24, 0xB491F01CF63A4263ull, import_lightgbm_4_7_0_sets_none_sums, NULL}, \
    {"import_lightgbm_4.7.0_sets_linear.txt", 14, 3, 1, import_lightgbm_4_7_0_sets_linear_pool, 21, 0xD2C430C868EC0695ull, import_lightgbm_4_7_0_sets_linear_sums, NULL}, \
    {"import_lightgbm_4.7.0_sets_types.txt", 15, 1, 1, import_lightgbm_4_7_0_sets_types_pool, 24, 0xC8AC0151E1163B76ull, import_lightgbm_4_7_0_sets_types_sums, NULL}
