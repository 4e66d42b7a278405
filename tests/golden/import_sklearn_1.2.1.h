/* import_sklearn_1.2.1.h - what the models beside it predict: see import.py, which wrote this.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
static const unsigned import_sklearn_1_2_1_tree_pool[][2] = {
    {0, 0x3EE034C4}, {0, 0x3FBE178A}, {0, 0x3FEC5C93}, {0, 0xBDE5AC41}, {0, 0xBFCF5D00}, {1, 0x3FA00000},
    {1, 0x3FE00000}, {1, 0x40100000}, {1, 0xBFA00000}, {1, 0xC0100000}, {1, 0xC0300000}, {1, 0xC0500000},
    {2, 0x3E7ED6A8}, {2, 0x3F18BA87}, {2, 0x40043C42}, {2, 0x403DA5EC}, {2, 0xBFC65E0C}, {2, 0xBFEA09CC},
    {2, 0xC02C7050}, {2, 0xC03BFBB2}, {3, 0x3BC2C5D1}, {3, 0x3EE19948}, {3, 0x3EF3F584},
};
static const float import_sklearn_1_2_1_tree_sums[] = {
    -0.73109215f, 1.4274722f, -3.6878781f, 0.27157083f, -0.6503534f, 0.88399416f, -2.4010253f, -3.8706803f,
};
static const unsigned import_sklearn_1_2_1_edges_pool[][2] = {
    {0, 0x1}, {0, 0x116C2}, {0, 0x800000}, {0, 0x554AD2E}, {0, 0x3DCCCCCD}, {0, 0x80000001}, {1, 0x116C2},
    {1, 0x800000}, {1, 0x3DCCCCCD}, {1, 0x80000000}, {1, 0x80000001}, {1, 0x8554AD2E}, {2, 0x0}, {2, 0x1},
    {2, 0x800000}, {2, 0x554AD2E}, {2, 0x3EAAAAAB}, {2, 0x80000000}, {2, 0x800116C2}, {2, 0x8554AD2E},
    {3, 0x1}, {3, 0x800000}, {3, 0x3EAAAAAB}, {3, 0x80000000},
};
static const float import_sklearn_1_2_1_edges_sums[] = {
    -2.4010253f, -2.4010253f, -2.5853322f, 1.5082575f, -2.4010253f, -2.4010253f, 1.5082575f, -2.4010253f,
};
static const unsigned import_sklearn_1_2_1_forest_pool[][2] = {
    {0, 0x3DEE07B8}, {0, 0x3FBE178A}, {0, 0x3FC910BE}, {0, 0x3FC9DC98}, {0, 0x3FE8068E}, {0, 0x3FEC5C93},
    {0, 0xBCA813C1}, {0, 0xBD9318A5}, {0, 0xBDC77906}, {0, 0xBDCA9BA6}, {0, 0xBE2E6950}, {0, 0xBFB5BCCF},
    {0, 0xBFB68F17}, {0, 0xBFCA554F}, {0, 0xBFCF0A32}, {0, 0xBFCF5D00}, {0, 0xBFD25A1C}, {1, 0x3F400000},
    {1, 0x3FA00000}, {1, 0xC0100000}, {1, 0xC0300000}, {1, 0xC0500000}, {2, 0x3F97CCE8}, {2, 0x40019EE5},
    {2, 0x4037A1E4}, {2, 0xC02C7050}, {2, 0xC03BFBB2}, {3, 0x3EE11E32}, {3, 0x3EE19948}, {3, 0x3EE61092},
    {3, 0x3FA66E60},
};
static const float import_sklearn_1_2_1_forest_sums[] = {
    1.3389246f, 0.15553395f, -0.3380449f, 0.21464996f, -0.18193784f, -0.142837f, 0.7693356f, -0.7196273f,
};
static const unsigned import_sklearn_1_2_1_many_pool[][2] = {
    {0, 0x3D30CC9C}, {0, 0x3EC8B881}, {0, 0xBE42E2DF}, {0, 0xBE88B901}, {0, 0xBEA40DFC}, {0, 0xBEC6EC44},
    {0, 0xBF8A4B5E}, {0, 0xBFE33CD6}, {1, 0xC0457DD1}, {2, 0xC0018BC7}, {3, 0x3E8A2AE5}, {3, 0x3F0DFDFC},
    {3, 0x3FA3B522}, {4, 0x3D027B39}, {4, 0x3F17DB66}, {4, 0x3F99E41C}, {4, 0x3FACEBB8}, {4, 0x3FAEEB5C},
    {4, 0xBDD762F7}, {4, 0xBF421108}, {4, 0xBF7E58B9},
};
static const float import_sklearn_1_2_1_many_sums[] = {
    0.4561499f, 2.0502956f, 0.46073338f, 2.07569f, -0.78541595f, 0.6727246f, -0.07914386f, 4.540412f,
    0.48820964f, 0.84252584f, 1.7668096f, 0.22379053f, -0.04090336f, 4.0630727f, 0.4860221f, 0.34408283f,
    1.328246f, 0.5191279f, -0.2859177f, 3.4942024f, 0.5273162f, 0.034341514f, 4.662345f, 0.5124834f,
};
static const unsigned import_sklearn_1_2_1_boosting_pool[][2] = {
    {0, 0x3D06A54C}, {0, 0x3FBE178A}, {0, 0x3FEC5C93}, {0, 0xBCA813C1}, {0, 0xBDE5AC41}, {0, 0xBFCBF472},
    {0, 0xBFCF5D00}, {0, 0xBFD1F134}, {1, 0x3FA00000}, {1, 0xC0300000}, {1, 0xC0500000}, {2, 0xBFED2878},
    {2, 0xC02C7050}, {3, 0x3EE19948}, {3, 0x3F0B7B2A}, {3, 0x3F247BDC}, {3, 0x3FA66E60},
};
static const float import_sklearn_1_2_1_boosting_sums[] = {
    -0.79924595f, 0.38363582f, 0.05635875f, 0.41375294f, 0.57548636f, -0.26741803f, 0.61941475f, 0.16212222f,
};
static const unsigned import_sklearn_1_2_1_huber_pool[][2] = {
    {0, 0x3D06A54C}, {0, 0x3FBE178A}, {0, 0x3FE722AA}, {0, 0x3FEC5C93}, {0, 0xBDE5AC41}, {0, 0xBFCF5D00},
    {0, 0xBFD1F134},
};
static const float import_sklearn_1_2_1_huber_sums[] = {
    0.070096605f, 0.20225184f, 0.070096605f, 0.20225184f, 0.20260637f, 0.20225184f, 0.070096605f,
    0.047285523f,
};
static const unsigned import_sklearn_1_2_1_histogram_pool[][2] = {
    {0, 0x3D06A54C}, {0, 0x3E5DBBB0}, {0, 0x3E674B30}, {0, 0x3EE40A36}, {0, 0x3FBBA268}, {0, 0x3FBEB060},
    {0, 0x3FC7D370}, {0, 0x3FE466C6}, {0, 0x3FFB3408}, {0, 0xBD906B77}, {0, 0xBDE5AC41}, {0, 0xBE845FE0},
    {0, 0xBFADFD44}, {0, 0xBFCE1FB2}, {0, 0xBFDC892C}, {3, 0x3E94FEBF}, {3, 0x3ED9EF7F}, {3, 0x3EDE280E},
    {3, 0x3EE4A1CE}, {3, 0x3F3A00CA}, {3, 0x3FA3BF2A}, {3, 0x3FA66A02}, {3, 0x3FAF5FE5},
};
static const float import_sklearn_1_2_1_histogram_sums[] = {
    0.35013378f, 0.3674236f, 0.42003894f, 0.18230593f, 0.18905696f, 0.30523112f, 0.014755403f, 0.18230593f,
};
static const unsigned import_sklearn_1_2_1_poisson_pool[][2] = {
    {0, 0x3D560815}, {0, 0x3D8E16F4}, {0, 0x3F9002EE}, {0, 0xBD570480}, {0, 0xBD906B77}, {0, 0xBFB4099F},
    {1, 0xBF400000}, {1, 0xBFA00000}, {1, 0xBFE00000}, {2, 0x3F97A8B0}, {2, 0xBE966482}, {2, 0xBF83AECC},
    {2, 0xBFAF120C}, {2, 0xBFDD7500}, {3, 0x3FF0B58A},
};
static const float import_sklearn_1_2_1_poisson_sums[] = {
    0.47262695f, 0.43320176f, 0.5208294f, 1.038632f, 0.41692877f, 0.38032824f, 0.80161554f, 1.2098119f,
};
static const float import_sklearn_1_2_1_poisson_answers[] = {
    1.6042029f, 1.5421873f, 1.6834233f, 2.8253496f, 1.5172944f, 1.4627646f, 2.2291393f, 3.3528543f,
};
#define IMPORT_SKLEARN_1_2_1 \
    {"import_sklearn_1.2.1_tree.json", 1, 0, 1, import_sklearn_1_2_1_tree_pool, 23, 0x59053175737685EAull, import_sklearn_1_2_1_tree_sums, NULL}, \
    {"import_sklearn_1.2.1_edges.json", 2, 0, 1, import_sklearn_1_2_1_edges_pool, 24, 0x6DD1B1E2682748ABull, import_sklearn_1_2_1_edges_sums, NULL}, \
    {"import_sklearn_1.2.1_forest.json", 3, 0, 1, import_sklearn_1_2_1_forest_pool, 31, 0xA37DBFF874BDABCEull, import_sklearn_1_2_1_forest_sums, NULL}, \
    {"import_sklearn_1.2.1_many.json", 4, 0, 3, import_sklearn_1_2_1_many_pool, 21, 0x32D9C0EEE0765A97ull, import_sklearn_1_2_1_many_sums, NULL}, \
    {"import_sklearn_1.2.1_boosting.json", 5, 0, 1, import_sklearn_1_2_1_boosting_pool, 17, 0x9638C66696DD6DECull, import_sklearn_1_2_1_boosting_sums, NULL}, \
    {"import_sklearn_1.2.1_huber.json", 6, 0, 1, import_sklearn_1_2_1_huber_pool, 7, 0x77C6524DAFDD14CAull, import_sklearn_1_2_1_huber_sums, NULL}, \
    {"import_sklearn_1.2.1_histogram.json", 7, 1, 1, import_sklearn_1_2_1_histogram_pool, 23, 0x0571CCCFE9BBFD14ull, import_sklearn_1_2_1_histogram_sums, NULL}, \
    {"import_sklearn_1.2.1_poisson.json", 8, 1, 1, import_sklearn_1_2_1_poisson_pool, 15, 0xDE117F449A732DB5ull, import_sklearn_1_2_1_poisson_sums, import_sklearn_1_2_1_poisson_answers}
