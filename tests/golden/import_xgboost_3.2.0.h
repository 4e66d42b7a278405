/* import_xgboost_3.2.0.h - what the models beside it predict: see import.py, which wrote this.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
static const unsigned import_xgboost_3_2_0_squared_pool[][2] = {
    {0, 0x3D06A54C}, {0, 0x3E5D1A80}, {0, 0x3EDC47E0}, {0, 0x3EE6CFDA}, {0, 0x3FAC8E51}, {0, 0x3FBE178A},
    {0, 0x3FE742A4}, {0, 0x3FEC5C93}, {0, 0xBD906B77}, {0, 0xBDE5AC41}, {0, 0xBE845FE0}, {0, 0xBFB001AE},
    {0, 0xBFCBF472}, {0, 0xBFCF5D00}, {0, 0xBFDC892C}, {1, 0x35800000}, {1, 0x3FE00000}, {1, 0x40C00002},
    {1, 0xBF400000}, {1, 0xBFE00000}, {1, 0xC0300000}, {1, 0xC0500000}, {2, 0x3FA2C1F2}, {2, 0x4010DDD2},
    {2, 0xBFA02C79}, {2, 0xBFAC9402}, {2, 0xBFED2878}, {2, 0xC0009858}, {2, 0xC02C7050}, {3, 0x39CDA05E},
    {3, 0x3E8F1C58}, {3, 0x3EDF6ECB}, {3, 0x3EE19948}, {3, 0x3EF14F22}, {3, 0x3F127778}, {3, 0x3F847E5D},
    {3, 0x3FA66E60}, {3, 0x3FC7E9DC}, {4, 0x3EC81C5D},
};
static const float import_xgboost_3_2_0_squared_sums[] = {
    -0.4390567f, -0.50592303f, 1.1654328f, -0.063358895f, -0.1619003f, 0.86080873f, -1.1498985f, 1.0793447f,
};
static const unsigned import_xgboost_3_2_0_logistic_pool[][2] = {
    {0, 0x3DFF6A3C}, {0, 0x3E6AC5A0}, {0, 0x3FBE178A}, {0, 0x3FC28C39}, {0, 0xBDE5AC41}, {0, 0xBFAE189A},
    {0, 0xBFB99358}, {0, 0xBFD3068F}, {0, 0xBFE8059E}, {2, 0x3F39F1F5}, {2, 0xBF492CC5}, {2, 0xBF953A24},
    {2, 0xBFCCA0BD}, {3, 0x3D840E33}, {3, 0x3F2DBFBC}, {3, 0x3F3372FD}, {3, 0x3F37E874}, {3, 0x3F8A4502},
};
static const float import_xgboost_3_2_0_logistic_sums[] = {
    -1.3193889f, -0.71569896f, 0.7642198f, -0.053635642f, -1.0844103f, -0.5853703f, 0.20897996f,
    -0.058299452f,
};
static const float import_xgboost_3_2_0_logistic_answers[] = {
    0.21091998f, 0.3283408f, 0.6822692f, 0.48659435f, 0.2526723f, 0.35769784f, 0.55205566f, 0.48542926f,
};
static const unsigned import_xgboost_3_2_0_raw_pool[][2] = {
    {0, 0x3DFF6A3C}, {0, 0x3FBE178A}, {0, 0x3FC28C39}, {0, 0xBDE5AC41}, {0, 0xBFD3068F}, {0, 0xBFE8059E},
};
static const float import_xgboost_3_2_0_raw_sums[] = {
    0.19879922f, 0.065588444f, -0.4267768f, 0.19879922f, 0.065588444f, 0.065588444f, -0.2562939f,
    0.027087808f,
};
static const unsigned import_xgboost_3_2_0_poisson_pool[][2] = {
    {0, 0x3D68674A}, {0, 0xBD613FCE}, {0, 0xBFDD9E5E}, {1, 0xBF400000}, {1, 0xC0500000}, {2, 0xBFAE4A88},
    {2, 0xC0199090}, {3, 0x3ED1D726}, {3, 0x3F9FC3CC},
};
static const float import_xgboost_3_2_0_poisson_sums[] = {
    0.41867477f, 1.1606283f, 0.9456227f, 0.14761217f, 0.46145102f, 0.9456227f, 0.51652104f, 0.41867477f,
};
static const float import_xgboost_3_2_0_poisson_answers[] = {
    1.519946f, 3.1919382f, 2.574416f, 1.1590633f, 1.5863742f, 2.574416f, 1.6761861f, 1.519946f,
};
static const unsigned import_xgboost_3_2_0_dart_pool[][2] = {
    {0, 0x3D06A54C}, {0, 0x3DC2F5DA}, {0, 0x3FBE178A}, {0, 0x3FEC5C93}, {0, 0xBD906B77}, {0, 0xBDE5AC41},
    {0, 0xBFCBF472}, {0, 0xBFCF5D00}, {0, 0xBFD3068F}, {3, 0x3EE19948}, {3, 0x3FA66E60},
};
static const float import_xgboost_3_2_0_dart_sums[] = {
    -0.17815892f, 0.38544178f, -0.21039215f, -0.17815892f, -0.01988136f, 0.39671242f, -0.36961702f,
    -0.21039215f,
};
static const unsigned import_xgboost_3_2_0_pruned_pool[][2] = {
    {0, 0x3E5D1A80}, {0, 0x3EDC47E0}, {0, 0x3F200A39}, {0, 0x3FBE178A}, {0, 0x3FEC5C93}, {0, 0xBD906B77},
    {0, 0xBE845FE0}, {0, 0xBFCBF472}, {0, 0xBFDC892C}, {1, 0x3FA00000}, {1, 0x3FE00000}, {1, 0x40100000},
    {1, 0x40800002}, {1, 0xC0300000}, {1, 0xC0500000}, {2, 0xBFAD526B}, {2, 0xBFED2878}, {2, 0xC02C7050},
    {3, 0x3E8F1C58}, {3, 0x3EDF6ECB}, {3, 0x3EE19948}, {3, 0x3F3372FD}, {3, 0x3F5B59E4}, {3, 0x3FC7E9DC},
};
static const float import_xgboost_3_2_0_pruned_sums[] = {
    0.48260212f, 0.39092833f, 0.5217425f, 0.39092833f, 0.48260212f, 0.5217425f, 0.39092833f, 0.48260212f,
};
static const unsigned import_xgboost_3_2_0_forest_pool[][2] = {
    {0, 0x3D07DB80}, {0, 0x3E6AC5A0}, {0, 0x3EE034C4}, {0, 0x3FBDE156}, {0, 0x3FBE178A}, {0, 0x3FE6C53C},
    {0, 0xBD907BC5}, {0, 0xBDFAE7F1}, {0, 0xBE815E7A}, {0, 0xBE89A08F}, {0, 0xBFB07131}, {0, 0xBFCBF472},
    {0, 0xBFD3068F}, {1, 0x3FA00000}, {2, 0xBFD612C5}, {2, 0xBFE13BE2}, {2, 0xBFED2878}, {2, 0xBFF99E0C},
    {2, 0xC02C7050}, {3, 0x3EAF50B8}, {3, 0x3ED95EA8}, {3, 0x3EED8E77}, {3, 0x3FA66E60}, {3, 0x3FB6A795},
};
static const float import_xgboost_3_2_0_forest_sums[] = {
    0.55121726f, 0.13059855f, 0.4550241f, -0.18044057f, 1.1795697f, -0.16557352f, 0.536053f, -0.26432574f,
};
static const unsigned import_xgboost_3_2_0_absolute_pool[][2] = {
    {0, 0x3D0D5452}, {0, 0x3DFFC0AD}, {0, 0x3EE7CCEA}, {0, 0x3FB1513C}, {0, 0x3FBE9634}, {0, 0x3FC82CA4},
    {0, 0x3FE59A7F}, {0, 0xBDDE96F8}, {0, 0xBE5AF36C}, {0, 0xBEF7269C}, {0, 0xBFAE058A}, {0, 0xBFCE7280},
    {0, 0xBFE5139E}, {1, 0x3F800000}, {2, 0xBF4DDA74}, {2, 0xC0023D65}, {3, 0x3EE173F8}, {3, 0x3F344CBD},
    {3, 0x3FA3DB3B},
};
static const float import_xgboost_3_2_0_absolute_sums[] = {
    -0.13678443f, 0.40926474f, 0.53160477f, 0.6359574f, 0.2568683f, 0.6359574f, 0.5041041f, -0.032583166f,
};
static const unsigned import_xgboost_3_2_0_targets_pool[][2] = {
    {0, 0x3CF6FF30}, {0, 0x3DC13931}, {0, 0x3FBBDF5A}, {0, 0x3FBE9634}, {0, 0x3FC82CA4}, {0, 0xBD981B95},
    {0, 0xBDC474AF}, {0, 0xBFCE7280}, {1, 0x3F800000}, {1, 0x3FC00000}, {1, 0xBF800000}, {2, 0x3F548F39},
    {2, 0x3F8A641C}, {2, 0xBF948307}, {3, 0x3EE50F29}, {4, 0x3EB56021}, {4, 0xBE8D386C},
};
static const float import_xgboost_3_2_0_targets_sums[] = {
    0.543141f, 1.8792299f, 0.4495011f, 0.29435593f, 1.8792299f, 0.4495011f, 0.42522636f, 1.8792299f,
    0.4495011f, 0.42522636f, 2.7988832f, 0.4370842f, -0.04404907f, 2.51479f, 0.44340265f, 0.2906905f,
    2.594531f, 0.2965708f, 0.101627246f, 2.0480568f, 0.4370842f, -0.04404907f, 2.51479f, 0.21281675f,
};
static const unsigned import_xgboost_3_2_0_edges_pool[][2] = {
    {0, 0x800000}, {0, 0x3FAC8E51}, {0, 0x3FBE178A}, {0, 0x3FEC5C93}, {0, 0x80000000}, {0, 0xBD906B77},
    {0, 0xBFB001AE}, {0, 0xBFCF5D00}, {0, 0xBFD1005E}, {0, 0xBFDC892C}, {1, 0x116C2}, {1, 0x80000000},
    {2, 0x554AD2E}, {2, 0x80000000}, {2, 0xBFED2878}, {2, 0xC0009858}, {3, 0x0}, {3, 0x3EDF6ECB},
    {3, 0x3EE19948}, {3, 0x3F127778}, {3, 0x3F9B631E}, {3, 0x3FA66E60}, {3, 0x8554AD2E},
};
static const float import_xgboost_3_2_0_edges_sums[] = {
    0.13878639f, 0.07982339f, 1.195357f, 0.18532684f, 0.7564472f, 0.13878639f, 0.62857544f, -0.6436359f,
};
static const unsigned import_xgboost_3_2_0_quantiles_pool[][2] = {
    {0, 0x3D0D5452}, {0, 0x3DC13931}, {0, 0x3E8E9E69}, {0, 0x3FBE9634}, {0, 0x3FC82CA4}, {0, 0x3FE9B7BF},
    {0, 0xBDDE96F8}, {0, 0xBE738B81}, {0, 0xBE886389}, {0, 0xBFAE058A}, {0, 0xBFCE7280}, {0, 0xBFD1D945},
    {1, 0x3FC00000}, {1, 0xBF800000}, {2, 0xBF6D4B49}, {2, 0xBF8789C2}, {2, 0xBF9D57F1}, {3, 0x3FAE5BFF},
};
static const float import_xgboost_3_2_0_quantiles_sums[] = {
    -1.247928f, -0.08686093f, 2.553547f, -1.8753772f, -0.08686093f, 2.1295428f, -1.3862135f, 0.082620814f,
    1.6023251f, -1.0787665f, 0.29736304f, 1.6825125f, -0.91142213f, 0.29736304f, 2.4261923f, -0.91142213f,
    0.53120846f, 2.1065166f, -2.0668864f, -0.16154467f, 1.6023251f, -1.2702757f, -0.16154467f, 1.4645156f,
};
static const unsigned import_xgboost_3_2_0_sets_pool[][2] = {
    {0, 0xBDFFAB58}, {0, 0xBE1717B6}, {0, 0xBE3F3813}, {1, 0x3E800000}, {1, 0x3F800000}, {1, 0x40000000},
    {1, 0x40A00000}, {1, 0x41100000}, {1, 0x41F80000}, {1, 0x42000000}, {1, 0xBF000000}, {1, 0xBF800000},
    {4, 0x41700000}, {4, 0x41C00000}, {4, 0x42380000}, {4, 0x42580000}, {4, 0x42840000}, {4, 0x428A0000},
    {4, 0x428C0000}, {4, 0x42BE0000}, {4, 0x42C00000}, {4, 0x4E6E6B28},
};
static const float import_xgboost_3_2_0_sets_sums[] = {
    0.39847654f, 0.73185474f, 1.052598f, -0.02673161f, 0.73185474f, 0.28512985f, 1.052598f, 0.71921986f,
};
static const unsigned import_xgboost_3_2_0_one_hot_pool[][2] = {
    {0, 0x3D4423BB}, {0, 0x3FA8492F}, {0, 0x3FCF6176}, {0, 0xBD6723B6}, {0, 0xBDB1DC78}, {0, 0xBFC30E2F},
    {1, 0x0}, {1, 0x3E800000}, {1, 0x40000000}, {1, 0x40800000}, {1, 0x40C00000}, {1, 0x40E00000},
    {1, 0x41100000}, {1, 0x41F80000}, {1, 0x42000000}, {1, 0xBF000000}, {1, 0xBF800000}, {2, 0x3FAD17A4},
    {4, 0x41000000}, {4, 0x41200000}, {4, 0x41E00000}, {4, 0x42240000}, {4, 0x42820000}, {4, 0x428A0000},
    {4, 0x428C0000}, {4, 0x42BE0000}, {4, 0x42C00000}, {4, 0x4E6E6B28},
};
static const float import_xgboost_3_2_0_one_hot_sums[] = {
    -0.24078342f, -0.5315938f, -0.34860033f, 0.06687276f, -0.5315938f, 0.48702195f, -0.24078342f, 0.52827144f,
};
static const unsigned import_xgboost_3_2_0_sets_dart_pool[][2] = {
    {0, 0xBDB1DC78}, {0, 0xBDEC5EB0}, {0, 0xBDF9FB5C}, {0, 0xBDFFAB58}, {0, 0xBE998455}, {1, 0x3E800000},
    {1, 0x40000000}, {1, 0x40800000}, {1, 0x40C00000}, {1, 0x40E00000}, {1, 0x41100000}, {1, 0x41F80000},
    {1, 0x42000000}, {1, 0xBF000000}, {1, 0xBF800000}, {4, 0x40400000}, {4, 0x41100000}, {4, 0x41D80000},
    {4, 0x42480000}, {4, 0x424C0000}, {4, 0x428A0000}, {4, 0x428C0000}, {4, 0x42BE0000}, {4, 0x42C00000},
    {4, 0x4E6E6B28},
};
static const float import_xgboost_3_2_0_sets_dart_sums[] = {
    0.08552323f, 0.4639361f, 0.2597892f, -1.2025828f, -0.5134312f, -0.1277f, -0.11862367f, 0.2597892f,
};
#define IMPORT_XGBOOST_3_2_0 \
    {"import_xgboost_3.2.0_squared.json", 1, 1, 1, import_xgboost_3_2_0_squared_pool, 39, 0x7CE1B55FFF9A3A46ull, import_xgboost_3_2_0_squared_sums, NULL}, \
    {"import_xgboost_3.2.0_squared.ubj", 1, 1, 1, import_xgboost_3_2_0_squared_pool, 39, 0x7CE1B55FFF9A3A46ull, import_xgboost_3_2_0_squared_sums, NULL}, \
    {"import_xgboost_3.2.0_logistic.json", 2, 1, 1, import_xgboost_3_2_0_logistic_pool, 18, 0xB7EDC7C83D90EFFEull, import_xgboost_3_2_0_logistic_sums, import_xgboost_3_2_0_logistic_answers}, \
    {"import_xgboost_3.2.0_raw.ubj", 3, 1, 1, import_xgboost_3_2_0_raw_pool, 6, 0xEDCC76994DC5C8AEull, import_xgboost_3_2_0_raw_sums, NULL}, \
    {"import_xgboost_3.2.0_poisson.ubj", 4, 1, 1, import_xgboost_3_2_0_poisson_pool, 9, 0x4182A8FF927E4E50ull, import_xgboost_3_2_0_poisson_sums, import_xgboost_3_2_0_poisson_answers}, \
    {"import_xgboost_3.2.0_dart.json", 5, 1, 1, import_xgboost_3_2_0_dart_pool, 11, 0x03A8B2797FD2AC33ull, import_xgboost_3_2_0_dart_sums, NULL}, \
    {"import_xgboost_3.2.0_dart.ubj", 5, 1, 1, import_xgboost_3_2_0_dart_pool, 11, 0x03A8B2797FD2AC33ull, import_xgboost_3_2_0_dart_sums, NULL}, \
    {"import_xgboost_3.2.0_pruned.json", 6, 1, 1, import_xgboost_3_2_0_pruned_pool, 24, 0xDA804FD536D52BC4ull, import_xgboost_3_2_0_pruned_sums, NULL}, \
    {"import_xgboost_3.2.0_forest.ubj", 7, 1, 1, import_xgboost_3_2_0_forest_pool, 24, 0xE4582EA75320B8EBull, import_xgboost_3_2_0_forest_sums, NULL}, \
    {"import_xgboost_3.2.0_absolute.ubj", 8, 1, 1, import_xgboost_3_2_0_absolute_pool, 19, 0x54D9EB48EA714D46ull, import_xgboost_3_2_0_absolute_sums, NULL}, \
    {"import_xgboost_3.2.0_targets.json", 9, 1, 3, import_xgboost_3_2_0_targets_pool, 17, 0xB700D7CF87688E8Cull, import_xgboost_3_2_0_targets_sums, NULL}, \
    {"import_xgboost_3.2.0_targets.ubj", 9, 1, 3, import_xgboost_3_2_0_targets_pool, 17, 0xB700D7CF87688E8Cull, import_xgboost_3_2_0_targets_sums, NULL}, \
    {"import_xgboost_3.2.0_edges.json", 10, 1, 1, import_xgboost_3_2_0_edges_pool, 23, 0x4FB3F0D1F5669C37ull, import_xgboost_3_2_0_edges_sums, NULL}, \
    {"import_xgboost_3.2.0_quantiles.ubj", 11, 1, 3, import_xgboost_3_2_0_quantiles_pool, 18, 0xBAD74BA2E8109D6Aull, import_xgboost_3_2_0_quantiles_sums, NULL}, \
    {"import_xgboost_3.2.0_sets.json", 12, 1, 1, import_xgboost_3_2_0_sets_pool, 22, 0x8797CE91BD996F95ull, import_xgboost_3_2_0_sets_sums, NULL}, \
    {"import_xgboost_3.2.0_sets.ubj", 12, 1, 1, import_xgboost_3_2_0_sets_pool, 22, 0x8797CE91BD996F95ull, import_xgboost_3_2_0_sets_sums, NULL}, \
    {"import_xgboost_3.2.0_one_hot.ubj", 13, 1, 1, import_xgboost_3_2_0_one_hot_pool, 28, 0xA50347A2CB4E98A3ull, import_xgboost_3_2_0_one_hot_sums, NULL}, \
    {"import_xgboost_3.2.0_sets_dart.json", 14, 1, 1, import_xgboost_3_2_0_sets_dart_pool, 25, 0x5C6545ED67EEEB47ull, import_xgboost_3_2_0_sets_dart_sums, NULL}
