/* import_catboost_1.2.10.h - what the models beside it predict: see import.py, which wrote this.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
static const unsigned import_catboost_1_2_10_numbers_pool[][2] = {
    {0, 0x3CD84938}, {0, 0x3EAD5428}, {0, 0x3F7D0E82}, {0, 0x3FC1D6B4}, {0, 0xBE90A372}, {0, 0xBE9A3C92},
    {0, 0xBF8DFB41}, {0, 0xBFA651C2}, {3, 0x3EE256A6}, {3, 0x3EE645B4}, {3, 0x3F9BD91C}, {3, 0x3FA980E8},
    {3, 0x3FD263A8}, {3, 0x3FF136D8}, {4, 0xBED43788},
};
static const float import_catboost_1_2_10_numbers_sums[] = {
    0.16216062f, 0.65967876f, 1.4290646f, -0.35759458f, -0.35759458f, -0.021007663f, 0.5049244f, 0.5057002f,
};
static const unsigned import_catboost_1_2_10_sets_pool[][2] = {
    {0, 0x3DBDED72}, {0, 0x3ECDDB88}, {0, 0x3FA960FE}, {0, 0x3FD10CE2}, {0, 0xBDDF4B9A}, {0, 0xBE69B5E8},
    {0, 0xBFCBF472}, {1, 0x3E800000}, {1, 0x3F800000}, {1, 0x40400000}, {1, 0x40800000}, {1, 0x40E00000},
    {1, 0x41000000}, {1, 0x41100000}, {1, 0x41F80000}, {1, 0x42000000}, {1, 0xBF000000}, {1, 0xBF800000},
    {4, 0x3F800000}, {4, 0x41880000}, {4, 0x41B80000}, {4, 0x42040000}, {4, 0x42340000}, {4, 0x42600000},
    {4, 0x428A0000}, {4, 0x428C0000}, {4, 0x42BE0000}, {4, 0x42C00000}, {4, 0x4E6E6B28},
};
static const float import_catboost_1_2_10_sets_sums[] = {
    0.4101407f, 1.6794965f, 0.18323521f, 1.3304714f, -0.6599294f, -0.15145232f, -0.80459017f, 0.31640887f,
};
static const unsigned import_catboost_1_2_10_above_pool[][2] = {
    {0, 0x3FF4B08C}, {0, 0xBD9C1C22}, {0, 0xBE6EE9AD}, {0, 0xBFD83EDA}, {1, 0x0}, {1, 0x3E800000},
    {1, 0x40400000}, {1, 0x40A00000}, {1, 0x40C00000}, {1, 0x41000000}, {1, 0x41100000}, {1, 0x41F80000},
    {1, 0x42000000}, {1, 0xBF000000}, {1, 0xBF800000}, {4, 0x40800000}, {4, 0x41100000}, {4, 0x41200000},
    {4, 0x41980000}, {4, 0x42200000}, {4, 0x42340000}, {4, 0x428A0000}, {4, 0x428C0000}, {4, 0x42BE0000},
    {4, 0x42C00000}, {4, 0x4E6E6B28},
};
static const float import_catboost_1_2_10_above_sums[] = {
    -0.3007668f, -0.80010676f, -1.1738622f, -0.80010676f, 0.04695716f, 0.11660877f, 0.330373f, -0.3007668f,
};
static const unsigned import_catboost_1_2_10_complete_pool[][2] = {
    {0, 0x3CEFD7F7}, {0, 0x3F8C0BD8}, {0, 0x3FBC4FB8}, {0, 0x3FFFAA99}, {0, 0xBDDD1858}, {0, 0xBE8CB352},
    {0, 0xBFA55872}, {0, 0xBFE8059E}, {1, 0xC0300000}, {3, 0x3EF186F6}, {3, 0x3F26468E}, {3, 0x3FA80B80},
};
static const float import_catboost_1_2_10_complete_sums[] = {
    -0.26619452f, 0.8573276f, -0.26619452f, 0.35007605f, 0.049810115f, -0.34394443f, -0.1670051f, -0.2607563f,
};
static const unsigned import_catboost_1_2_10_poisson_pool[][2] = {
    {0, 0x3D822BC3}, {0, 0x3D940F64}, {0, 0x3E2B8208}, {0, 0x3F8C73D1}, {0, 0xBFA366E1}, {0, 0xBFD0A096},
    {1, 0xC0100000}, {2, 0xBF924643}, {2, 0xBFBFB496}, {2, 0xBFD119D8}, {3, 0x3FCA1B92},
};
static const float import_catboost_1_2_10_poisson_sums[] = {
    0.10198855f, 0.071479775f, 0.10092123f, 0.11032495f, 0.0454493f, 0.06569159f, 0.0044689714f,
    -0.0016637739f,
};
static const float import_catboost_1_2_10_poisson_answers[] = {
    1.1073707f, 1.0740964f, 1.1061895f, 1.1166408f, 1.046498f, 1.0678973f, 1.0044789f, 0.9983376f,
};
static const unsigned import_catboost_1_2_10_logistic_pool[][2] = {
    {0, 0x3E1D9883}, {0, 0x3FA91C33}, {0, 0x3FC28C39}, {0, 0xBD9C1C22}, {0, 0xBDB168EE}, {0, 0xBFD3F733},
    {1, 0x0}, {1, 0x3E800000}, {1, 0x40400000}, {1, 0x40C00000}, {1, 0x41000000}, {1, 0x41100000},
    {1, 0x41F80000}, {1, 0x42000000}, {1, 0xBF000000}, {1, 0xBF800000}, {4, 0x41000000}, {4, 0x41D80000},
    {4, 0x42200000}, {4, 0x42300000}, {4, 0x42380000}, {4, 0x42580000}, {4, 0x428A0000}, {4, 0x428C0000},
    {4, 0x42BE0000}, {4, 0x42C00000}, {4, 0x4E6E6B28},
};
static const float import_catboost_1_2_10_logistic_sums[] = {
    -0.13523017f, -0.55853933f, -0.04987923f, -0.55853933f, -0.075839534f, 0.46326613f, -0.5504091f,
    -1.0720506f,
};
static const float import_catboost_1_2_10_logistic_answers[] = {
    0.4662439f, 0.3638855f, 0.48753276f, 0.3638855f, 0.4810492f, 0.6137887f, 0.3657695f, 0.25501332f,
};
static const unsigned import_catboost_1_2_10_many_pool[][2] = {
    {0, 0x3C547203}, {0, 0x3CD84938}, {0, 0x3DBDED72}, {0, 0x3FC1D6B4}, {3, 0x3F6A40D4}, {3, 0x3FC0BA1E},
    {4, 0x3D8CF65E}, {4, 0x3EE7B028}, {4, 0xBE0960AC},
};
static const float import_catboost_1_2_10_many_sums[] = {
    0.17973772f, 2.6158211f, 0.4925149f, 0.19310966f, 2.676402f, 0.4810405f, 0.17220819f, 2.7208035f,
    0.49023408f, 0.1991263f, 2.5413196f, 0.4900058f, 0.21216972f, 2.5539193f, 0.48860818f, 0.22565503f,
    2.5594678f, 0.4812639f, 0.1527801f, 2.6282825f, 0.49467358f, 0.17638905f, 2.6655076f, 0.49054325f,
};
static const unsigned import_catboost_1_2_10_scaled_pool[][2] = {
    {0, 0x3E260CB3}, {0, 0xBE2EF1A0}, {1, 0x0}, {1, 0x3E800000}, {1, 0x3F800000}, {1, 0x40A00000},
    {1, 0x40E00000}, {1, 0x41000000}, {1, 0x41100000}, {1, 0x41F80000}, {1, 0x42000000}, {1, 0xBF000000},
    {1, 0xBF800000}, {4, 0x41C80000}, {4, 0x42040000}, {4, 0x421C0000}, {4, 0x42300000}, {4, 0x42440000},
    {4, 0x42480000}, {4, 0x428A0000}, {4, 0x428C0000}, {4, 0x42BE0000}, {4, 0x42C00000}, {4, 0x4E6E6B28},
};
static const float import_catboost_1_2_10_scaled_sums[] = {
    -2.1371574f, -2.563746f, -1.6044734f, -2.3937018f, -2.1371574f, -2.1371574f, -2.1371574f, -2.1371574f,
};
#define IMPORT_CATBOOST_1_2_10 \
    {"import_catboost_1.2.10_numbers.json", 1, 1, 1, import_catboost_1_2_10_numbers_pool, 15, 0x8AEDD343FB1AA673ull, import_catboost_1_2_10_numbers_sums, NULL}, \
    {"import_catboost_1.2.10_sets.json", 2, 1, 1, import_catboost_1_2_10_sets_pool, 29, 0x7EA9B0644C2F694Eull, import_catboost_1_2_10_sets_sums, NULL}, \
    {"import_catboost_1.2.10_above.json", 3, 1, 1, import_catboost_1_2_10_above_pool, 26, 0x2219F537DFF4DBC2ull, import_catboost_1_2_10_above_sums, NULL}, \
    {"import_catboost_1.2.10_complete.json", 4, 1, 1, import_catboost_1_2_10_complete_pool, 12, 0x0806686A529B1CE2ull, import_catboost_1_2_10_complete_sums, NULL}, \
    {"import_catboost_1.2.10_poisson.json", 5, 1, 1, import_catboost_1_2_10_poisson_pool, 11, 0x9A72E98C379F3B8Full, import_catboost_1_2_10_poisson_sums, import_catboost_1_2_10_poisson_answers}, \
    {"import_catboost_1.2.10_logistic.json", 6, 1, 1, import_catboost_1_2_10_logistic_pool, 27, 0x162E14DCB76AEF1Bull, import_catboost_1_2_10_logistic_sums, import_catboost_1_2_10_logistic_answers}, \
    {"import_catboost_1.2.10_many.json", 7, 1, 3, import_catboost_1_2_10_many_pool, 9, 0xD2DF4168FF3CB2FDull, import_catboost_1_2_10_many_sums, NULL}, \
    {"import_catboost_1.2.10_scaled.json", 8, 1, 1, import_catboost_1_2_10_scaled_pool, 24, 0x7839D12147DA2E57ull, import_catboost_1_2_10_scaled_sums, NULL}
