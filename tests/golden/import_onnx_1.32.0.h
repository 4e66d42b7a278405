/* import_onnx_1.32.0.h - what the models beside it predict: see import.py, which wrote this.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
static const unsigned import_onnx_1_32_0_forest_pool[][2] = {
    {0, 0x0}, {0, 0x3DEE07B8}, {0, 0x3FBE1789}, {0, 0x3FC910BD}, {0, 0x3FC9DC97}, {0, 0x3FE8068E},
    {0, 0x3FEC5C93}, {0, 0xBCA813C1}, {0, 0xBD9318A5}, {0, 0xBDC77906}, {0, 0xBDCA9BA6}, {0, 0xBE2E6950},
    {0, 0xBFB5BCCF}, {0, 0xBFB68F17}, {0, 0xBFCA554F}, {0, 0xBFCF0A32}, {0, 0xBFCF5D00}, {0, 0xBFD25A1D},
    {1, 0x3F400000}, {1, 0x3FA00000}, {1, 0xC0100000}, {1, 0xC0300000}, {1, 0xC0500000}, {2, 0x3F97CCE7},
    {2, 0x40019EE5}, {2, 0x4037A1E3}, {2, 0xC02C7050}, {2, 0xC03BFBB2}, {3, 0x3EE11E32}, {3, 0x3EE19948},
    {3, 0x3EE61091}, {3, 0x3FA66E60},
};
static const float import_onnx_1_32_0_forest_sums[] = {
    -0.40462208f, 0.87328815f, 0.96241426f, -1.1076226f, -0.18193781f, 0.017480843f, -0.7196273f, -1.5832846f,
};
static const unsigned import_onnx_1_32_0_many_pool[][2] = {
    {0, 0x0}, {0, 0x3D30CC9B}, {0, 0x3EC8B881}, {0, 0xBE42E2DF}, {0, 0xBE88B901}, {0, 0xBF8A4B5E},
    {1, 0xC0457DD1}, {3, 0x3E8A2AE4}, {3, 0x3F0DFDFC}, {4, 0x3D027B38}, {4, 0x3F17DB66}, {4, 0x3F99E41B},
    {4, 0x3FAEEB5B}, {4, 0xBDD762F7}, {4, 0xBF421109}, {4, 0xBF7E58BA},
};
static const float import_onnx_1_32_0_many_sums[] = {
    2.342808f, -1.0441316f, 0.62913823f, 0.1522358f, 3.4168801f, 0.48720172f, 2.2194011f, -2.335504f,
    0.67717093f, 0.37740597f, 3.2440248f, 0.4558874f, 2.2669466f, -1.4718443f, 0.65125275f, 0.34774208f,
    1.3138314f, 0.50169694f, 0.1522358f, 3.4168801f, 0.48720172f, -0.07914385f, 4.540412f, 0.48820964f,
};
static const unsigned import_onnx_1_32_0_boosting_pool[][2] = {
    {0, 0x0}, {0, 0x3D06A54C}, {0, 0x3FBE1789}, {0, 0x3FC910BD}, {0, 0x3FEC5C93}, {0, 0xBCA813C1},
    {0, 0xBDE5AC41}, {0, 0xBE451F26}, {0, 0xBFB001AE}, {0, 0xBFCF5D00}, {0, 0xBFD1F134}, {1, 0xC0300000},
};
static const float import_onnx_1_32_0_boosting_sums[] = {
    -0.030251756f, -0.025425568f, 0.230008f, 0.46497482f, 0.230008f, -0.333699f, 0.23259163f, 0.3476923f,
};
static const unsigned import_onnx_1_32_0_two_pool[][2] = {
    {0, 0x0}, {0, 0x3D06A54C}, {0, 0x3DFF6A3C}, {0, 0x3FBE1789}, {0, 0x3FC28C39}, {0, 0xBDE5AC41},
    {0, 0xBFD1F134},
};
static const float import_onnx_1_32_0_two_sums[] = {
    0.05571595f, -0.34871268f, 0.05571595f, -0.34871268f, 0.3438158f, -0.5161674f, 0.3438158f, -0.5161674f,
};
static const float import_onnx_1_32_0_two_answers[] = {
    0.5139254f, 0.41369462f, 0.5139254f, 0.41369462f, 0.58511716f, 0.37374884f, 0.58511716f, 0.37374884f,
};
static const unsigned import_onnx_1_32_0_share_pool[][2] = {
    {0, 0x0}, {0, 0x3E0CF872}, {0, 0x3E19D76E}, {0, 0x3E425B4C}, {0, 0x3FBDE156}, {0, 0xBDDD3DFA},
    {0, 0xBDE3C579}, {0, 0xBE0D3F14}, {0, 0xBFD1ED5F}, {0, 0xBFDC892C}, {0, 0xBFEF048A}, {2, 0x3F96EFF2},
    {2, 0x400AD2D6}, {2, 0xBFCD0A0C}, {3, 0x3E647195}, {3, 0x3EE70944}, {3, 0x3F9BB05C}, {3, 0x3FA5012B},
    {3, 0x3FB69425}, {4, 0x3CEE498F}, {4, 0x40286F33},
};
static const float import_onnx_1_32_0_share_sums[] = {
    0.5668129f, 0.6342398f, 0.6481711f, 0.7213395f, 0.67551243f, 0.70730793f, 0.2326684f, 0.5266789f,
};
static const unsigned import_onnx_1_32_0_thirds_pool[][2] = {
    {0, 0x0}, {0, 0x3B23691A}, {0, 0x3DF12BE8}, {0, 0x3FE8068E}, {0, 0xBD906B77}, {0, 0xBE4D4E72},
    {0, 0xBFA895CC}, {0, 0xBFD1ED5F}, {0, 0xBFDEF7CE}, {1, 0x3FA00000}, {1, 0xC0100000}, {2, 0x3FC9CA61},
    {3, 0x3ED9E787}, {3, 0x3F0B3255}, {3, 0x3F26E9BC}, {3, 0x3FA66E60},
};
static const float import_onnx_1_32_0_thirds_sums[] = {
    0.30586657f, 0.24132274f, 0.4528107f, 0.51282656f, 0.13805056f, 0.34912288f, 0.4542793f, 0.21830687f,
    0.32741386f, 0.4482323f, 0.35832462f, 0.19344306f, 0.26477644f, 0.38325146f, 0.3519721f, 0.37333575f,
    0.25320807f, 0.37345618f, 0.32206297f, 0.4321051f, 0.24583188f, 0.32206297f, 0.4321051f, 0.24583188f,
};
static const unsigned import_onnx_1_32_0_xgboost_pool[][2] = {
    {0, 0x0}, {0, 0x3D06A54C}, {0, 0x3DC2F5DA}, {0, 0x3E6AC5A0}, {0, 0x3FAC8E51}, {0, 0x3FBE178A},
    {0, 0x3FEC5C93}, {0, 0xBD906B77}, {0, 0xBE845FE0}, {0, 0xBFB001AE}, {0, 0xBFCBF472}, {0, 0xBFCF5D00},
    {0, 0xBFD1005E}, {0, 0xBFDC892C}, {1, 0xC0200000}, {1, 0xC0300000}, {2, 0xBFAC9402}, {2, 0xBFC314CA},
    {2, 0xBFED2878}, {2, 0xC0009858}, {2, 0xC02C7050}, {3, 0x3EDF6ECB}, {3, 0x3EE19948}, {3, 0x3F127778},
    {3, 0x3F9B631E}, {3, 0x3FA66E60}, {3, 0x3FC7E9DC},
};
static const float import_onnx_1_32_0_xgboost_sums[] = {
    -0.47624093f, 0.33172327f, 0.122830294f, -0.29823548f, -0.30505025f, 0.84696156f, -0.36688548f,
    0.122830294f,
};
static const unsigned import_onnx_1_32_0_pruned_pool[][2] = {
    {0, 0x0}, {0, 0x3DC2F5DA}, {0, 0x3E5D1A80}, {0, 0x3FBE178A}, {0, 0x3FF76E91}, {0, 0xBD906B77},
    {0, 0xBDE5AC41}, {0, 0xBE845FE0}, {0, 0xBFB001AE}, {0, 0xBFCBF472}, {0, 0xBFD3068F}, {0, 0xBFDC892C},
    {1, 0xC0300000}, {2, 0x4010DDD2}, {2, 0xBFFD5B1E}, {2, 0xC02C7050}, {3, 0x3EDF6ECB}, {3, 0x3EE19948},
    {3, 0x3F847E5D}, {3, 0x3FA66E60}, {3, 0x3FC7E9DC},
};
static const float import_onnx_1_32_0_pruned_sums[] = {
    0.72371894f, 0.36980045f, 1.0905306f, -0.735808f, 0.72371894f, 0.7532064f, -0.28546008f, -0.38154286f,
};
static const unsigned import_onnx_1_32_0_logistic_pool[][2] = {
    {0, 0x0}, {0, 0x3D06A54C}, {0, 0x3DFF6A3C}, {0, 0x3E6AC5A0}, {0, 0x3FBE178A}, {0, 0x3FC28C39},
    {0, 0x3FCF12D6}, {0, 0xBDE5AC41}, {0, 0xBFB99358}, {0, 0xBFD3068F}, {3, 0x3EA3DD5D}, {3, 0x3F8A8974},
};
static const float import_onnx_1_32_0_logistic_sums[] = {
    0.80712223f, -0.52422136f, -0.52422136f, -0.94536567f, -0.94536567f, 0.65948784f, -0.5396874f,
    -0.52422136f,
};
static const float import_onnx_1_32_0_logistic_answers[] = {
    0.69149595f, 0.3718657f, 0.3718657f, 0.27981776f, 0.27981776f, 0.65914536f, 0.36826032f, 0.3718657f,
};
static const unsigned import_onnx_1_32_0_lightgbm_pool[][2] = {
    {0, 0x0}, {0, 0x3CFD3558}, {0, 0x3E5F5FAF}, {0, 0x3EAFF39E}, {0, 0x3FBBA268}, {0, 0x3FBE7136},
    {0, 0x3FC670AD}, {0, 0x3FE80FF2}, {0, 0xBD9C1C22}, {0, 0xBE826C54}, {0, 0xBFCBF471}, {0, 0xBFDB2031},
    {0, 0xBFE5CBEB}, {3, 0x554AD2E}, {3, 0x3EDF7580}, {3, 0x3EE256A7}, {3, 0x3F560273}, {3, 0x3F9EBAFD},
    {3, 0x3FA530D7}, {3, 0x3FA66A03},
};
static const float import_onnx_1_32_0_lightgbm_sums[] = {
    0.16630375f, 0.16630375f, 0.279388f, 0.16630375f, 0.5241837f, 0.1900131f, 0.41858795f, 0.14894056f,
};
static const unsigned import_onnx_1_32_0_poisson_pool[][2] = {
    {0, 0x0}, {0, 0x3CFD3558}, {0, 0x3D46EEBA}, {0, 0x3D802470}, {0, 0x3F8D97FC}, {0, 0xBD37A8CC},
    {0, 0xBFB200BB}, {1, 0x3F400000}, {1, 0xBF400000}, {1, 0xBFE00000}, {2, 0x3F97A8B1}, {2, 0xBF84F30B},
    {2, 0xBFAD5968}, {2, 0xBFE09267}, {3, 0x3FA00676}, {3, 0x3FF0B58A},
};
static const float import_onnx_1_32_0_poisson_sums[] = {
    0.28614804f, 0.32672155f, 0.5075674f, 0.5085899f, 0.5751099f, 0.36415982f, 0.4035643f, 0.69402164f,
};
static const float import_onnx_1_32_0_poisson_answers[] = {
    1.3312895f, 1.3864154f, 1.6612451f, 1.6629447f, 1.7773259f, 1.4393042f, 1.4971515f, 2.0017498f,
};
static const unsigned import_onnx_1_32_0_binary_pool[][2] = {
    {0, 0x0}, {0, 0x3DBFE9ED}, {0, 0x3E078C2A}, {0, 0x3FBE7136}, {0, 0xBDEA188E}, {0, 0xBE40D1C4},
    {0, 0xBED167DD}, {0, 0xBEE76BE9}, {0, 0xBFAEAD1B}, {0, 0xBFC1AF06}, {0, 0xBFD10BC3}, {0, 0xBFE5CBEB},
    {0, 0xBFF32F9E}, {1, 0x554AD2E}, {2, 0x3F38E9B2}, {2, 0xBF485151}, {2, 0xBF517683}, {3, 0x3F8AB128},
    {3, 0x3FAF9085},
};
static const float import_onnx_1_32_0_binary_sums[] = {
    -0.4247588f, 0.037178647f, -0.4300597f, -0.4800592f, -0.4247588f, 0.09683224f, -0.2842571f, -0.4300597f,
};
static const float import_onnx_1_32_0_binary_answers[] = {
    0.3953786f, 0.50929356f, 0.39411205f, 0.38223815f, 0.3953786f, 0.5241892f, 0.4294104f, 0.39411205f,
};
static const unsigned import_onnx_1_32_0_modes_pool[][2] = {
    {0, 0x0}, {0, 0x3C851BDB}, {0, 0x3EB19F42}, {0, 0x3EB7DDC6}, {0, 0x3F054F82}, {0, 0x3F335FD3},
    {0, 0x3F655DAA}, {0, 0x3FC517E4}, {0, 0x3FE78A96}, {0, 0x400FE77F}, {0, 0xBB701253}, {0, 0xBD6C6E6E},
    {0, 0xBDE1DF11}, {0, 0xBF08CC9A}, {0, 0xBFE01F9B}, {0, 0xBFE13B81}, {0, 0xBFE54EA1}, {0, 0xC0069BF4},
    {1, 0x3F9BE23C}, {1, 0x4029DF32}, {1, 0x402E64C9}, {1, 0xC0492A99}, {1, 0xC0562266}, {2, 0x402CD30A},
    {2, 0x403E5EBC}, {2, 0x4041D370}, {3, 0x3CD28417}, {3, 0x3E8618C7}, {3, 0x3F0A8B65}, {3, 0x3F12A4D4},
    {3, 0x3F2D6DF2}, {3, 0x3F3137A1}, {3, 0x3F44FE57}, {3, 0x3F9144A0}, {3, 0x3FA58EE4}, {3, 0x3FAA85FA},
    {3, 0x3FB7C502}, {3, 0x3FC1263F}, {3, 0x3FFA9535}, {3, 0x402E73F9},
};
static const float import_onnx_1_32_0_modes_sums[] = {
    0.9999617f, 0.8370635f, 0.8370635f, -0.22639042f, -0.06349215f, 2.086168f, 1.6179717f, 0.9999617f,
};
static const unsigned import_onnx_1_32_0_edges_pool[][2] = {
    {0, 0x0}, {0, 0x1}, {0, 0x116C2}, {0, 0x800000}, {0, 0x554AD2E}, {0, 0x80000000}, {0, 0x80000001},
    {0, 0x800116C2}, {0, 0x8554AD2E}, {1, 0x0}, {1, 0x800000}, {1, 0x554AD2E}, {1, 0x8554AD2E},
    {2, 0x80000000}, {2, 0x80000001}, {3, 0x0}, {3, 0x1}, {3, 0x116C2}, {3, 0x800000}, {3, 0x554AD2E},
    {3, 0x80000000}, {3, 0x8554AD2E}, {4, 0x8554AD2E},
};
static const float import_onnx_1_32_0_edges_sums[] = {
    1.3043765f, 0.2409226f, -0.56443536f, 0.6299854f, -0.41883975f, 0.658816f, 0.40870726f, 0.14552557f,
};
static const unsigned import_onnx_1_32_0_mean_pool[][2] = {
    {0, 0x0}, {0, 0x3C851BDB}, {0, 0x3EB19F42}, {0, 0x3EB7DDC6}, {0, 0x3F054F82}, {0, 0x3F335FD3},
    {0, 0x3F655DAA}, {0, 0x3FC517E4}, {0, 0x3FE78A96}, {0, 0x400FE77F}, {0, 0xBB701253}, {0, 0xBD6C6E6E},
    {0, 0xBDE1DF11}, {0, 0xBF08CC9A}, {0, 0xBFE01F9B}, {0, 0xBFE13B81}, {0, 0xBFE54EA1}, {0, 0xC0069BF4},
    {1, 0x3F9BE23C}, {1, 0x4029DF32}, {1, 0x402E64C9}, {1, 0xC0492A99}, {1, 0xC0562266}, {2, 0x402CD30A},
    {2, 0x403E5EBC}, {2, 0x4041D370}, {3, 0x3CD28417}, {3, 0x3E8618C7}, {3, 0x3F0A8B65}, {3, 0x3F12A4D4},
    {3, 0x3F2D6DF2}, {3, 0x3F3137A1}, {3, 0x3F44FE57}, {3, 0x3F9144A0}, {3, 0x3FA58EE4}, {3, 0x3FAA85FA},
    {3, 0x3FB7C502}, {3, 0x3FC1263F}, {3, 0x3FFA9535}, {3, 0x402E73F9},
};
static const float import_onnx_1_32_0_mean_sums[] = {
    0.12554811f, -0.222959f, 0.06398517f, -0.053187985f, 0.17397726f, 0.01441796f, -0.056624692f, 0.01441796f,
};
static const unsigned import_onnx_1_32_0_doubles_pool[][2] = {
    {0, 0x0}, {0, 0x3C851BDC}, {0, 0x3EB19F42}, {0, 0x3EB7DDC6}, {0, 0x3F054F82}, {0, 0x3F335FD4},
    {0, 0x3F655DAA}, {0, 0x3FC517E4}, {0, 0x3FE78A96}, {0, 0x400FE780}, {0, 0xBB701252}, {0, 0xBD6C6E6E},
    {0, 0xBDE1DF10}, {0, 0xBF08CC9A}, {0, 0xBFE01F9A}, {0, 0xBFE13B80}, {0, 0xBFE54EA0}, {0, 0xC0069BF4},
    {1, 0x3F9BE23C}, {1, 0x4029DF32}, {1, 0x402E64CA}, {1, 0xC0492A98}, {1, 0xC0562266}, {2, 0x402CD30A},
    {2, 0x403E5EBC}, {2, 0x4041D370}, {3, 0x3CD28418}, {3, 0x3E8618C8}, {3, 0x3F0A8B66}, {3, 0x3F12A4D4},
    {3, 0x3F2D6DF2}, {3, 0x3F3137A2}, {3, 0x3F44FE58}, {3, 0x3F9144A0}, {3, 0x3FA58EE4}, {3, 0x3FAA85FA},
    {3, 0x3FB7C502}, {3, 0x3FC12640}, {3, 0x3FFA9536}, {3, 0x402E73FA},
};
static const float import_onnx_1_32_0_doubles_sums[] = {
    0.57353187f, 2.3194542f, -1.6357838f, -2.5616195f, -2.2341084f, 1.5498823f, -1.9592756f, -2.2341084f,
};
static const unsigned import_onnx_1_32_0_five_pool[][2] = {
    {0, 0x3E32645A}, {0, 0x3E5817A9}, {0, 0x3ECC868B}, {0, 0x3F0A0F39}, {0, 0x3F254DEA}, {0, 0xBDF95632},
    {0, 0xBF5EE70D}, {0, 0xBFC97AE7}, {0, 0xBFE0E688}, {1, 0x3FC1108B}, {1, 0xBD432E12}, {1, 0xBD477725},
    {1, 0xBF489904}, {1, 0xBF90D53B}, {1, 0xBFD5065B}, {1, 0xBFF642E4}, {2, 0x3F3F53BF}, {2, 0x3F6FEBBF},
    {2, 0x3F9A0B84}, {2, 0x3FA1BF44}, {2, 0x3FFDD07E}, {2, 0xBCF2EE8C}, {2, 0xBDB531E8}, {2, 0xBF7E1431},
    {3, 0x3BD6F712}, {3, 0xBE1F89F5}, {3, 0xBE252500}, {3, 0xBF5777C9}, {3, 0xBF8DF8AF}, {3, 0xBFBE97C8},
    {3, 0xBFC306E8}, {3, 0xBFE68369}, {4, 0x3EE6AC06}, {4, 0x3EF791B2}, {4, 0x3F578F2B}, {4, 0x3F83C60B},
    {4, 0x3FC91338}, {4, 0xBD196FF8}, {4, 0xBEF86BAA}, {4, 0xBEFD14B6},
};
static const float import_onnx_1_32_0_five_sums[] = {
    -2.4857774f, -2.0937386f, 1.1336817f, -2.2696826f, -0.5278958f, -1.6698892f, -3.9772284f, -2.7449121f,
    -3.4429817f, -3.9930825f, -0.46409446f, -3.110125f, -2.0029783f, 0.13881767f, -2.3495626f, -2.2683268f,
};
#define IMPORT_ONNX_1_32_0 \
    {"import_onnx_1.32.0_forest.onnx", 1, 1, 1, import_onnx_1_32_0_forest_pool, 32, 0x5CF70A32EA571994ull, import_onnx_1_32_0_forest_sums, NULL}, \
    {"import_onnx_1.32.0_many.onnx", 2, 1, 3, import_onnx_1_32_0_many_pool, 16, 0xC0BE30CCD7BF005Aull, import_onnx_1_32_0_many_sums, NULL}, \
    {"import_onnx_1.32.0_boosting.onnx", 3, 1, 1, import_onnx_1_32_0_boosting_pool, 12, 0x74FFDEA1AA914904ull, import_onnx_1_32_0_boosting_sums, NULL}, \
    {"import_onnx_1.32.0_two.onnx", 4, 1, 1, import_onnx_1_32_0_two_pool, 7, 0xE2ACD5E7B85D0B66ull, import_onnx_1_32_0_two_sums, import_onnx_1_32_0_two_answers}, \
    {"import_onnx_1.32.0_share.onnx", 5, 1, 1, import_onnx_1_32_0_share_pool, 21, 0x17C251DE9E0859A4ull, import_onnx_1_32_0_share_sums, NULL}, \
    {"import_onnx_1.32.0_thirds.onnx", 6, 1, 3, import_onnx_1_32_0_thirds_pool, 16, 0x33AB5D9D918729CDull, import_onnx_1_32_0_thirds_sums, NULL}, \
    {"import_onnx_1.32.0_xgboost.onnx", 7, 1, 1, import_onnx_1_32_0_xgboost_pool, 27, 0x62CAED252065993Cull, import_onnx_1_32_0_xgboost_sums, NULL}, \
    {"import_onnx_1.32.0_pruned.onnx", 8, 1, 1, import_onnx_1_32_0_pruned_pool, 21, 0x40979ECA8F3B404Eull, import_onnx_1_32_0_pruned_sums, NULL}, \
    {"import_onnx_1.32.0_logistic.onnx", 9, 1, 1, import_onnx_1_32_0_logistic_pool, 12, 0x194614A8F473568Full, import_onnx_1_32_0_logistic_sums, import_onnx_1_32_0_logistic_answers}, \
    {"import_onnx_1.32.0_lightgbm.onnx", 10, 1, 1, import_onnx_1_32_0_lightgbm_pool, 20, 0xBFA9324B7A39ABFCull, import_onnx_1_32_0_lightgbm_sums, NULL}, \
    {"import_onnx_1.32.0_poisson.onnx", 11, 1, 1, import_onnx_1_32_0_poisson_pool, 16, 0x23BF0F056BD8C614ull, import_onnx_1_32_0_poisson_sums, import_onnx_1_32_0_poisson_answers}, \
    {"import_onnx_1.32.0_binary.onnx", 12, 1, 1, import_onnx_1_32_0_binary_pool, 19, 0x0B1458360CCC964Dull, import_onnx_1_32_0_binary_sums, import_onnx_1_32_0_binary_answers}, \
    {"import_onnx_1.32.0_modes.onnx", 13, 1, 1, import_onnx_1_32_0_modes_pool, 40, 0x26A5C4063F936ED7ull, import_onnx_1_32_0_modes_sums, NULL}, \
    {"import_onnx_1.32.0_edges.onnx", 14, 1, 1, import_onnx_1_32_0_edges_pool, 23, 0x60F4FE077B330673ull, import_onnx_1_32_0_edges_sums, NULL}, \
    {"import_onnx_1.32.0_mean.onnx", 15, 1, 1, import_onnx_1_32_0_mean_pool, 40, 0xE8D76A8644FA227Dull, import_onnx_1_32_0_mean_sums, NULL}, \
    {"import_onnx_1.32.0_doubles.onnx", 16, 1, 1, import_onnx_1_32_0_doubles_pool, 40, 0x92B0E3A31427C3B0ull, import_onnx_1_32_0_doubles_sums, NULL}, \
    {"import_onnx_1.32.0_five.onnx", 17, 1, 2, import_onnx_1_32_0_five_pool, 40, 0x3F50F0043C2907C5ull, import_onnx_1_32_0_five_sums, NULL}
