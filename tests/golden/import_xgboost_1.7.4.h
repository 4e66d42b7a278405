/* import_xgboost_1.7.4.h - what the models beside it predict: see import.py, which wrote this.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
static const unsigned import_xgboost_1_7_4_squared_pool[][2] = {
    {0, 0x3D06A54C}, {0, 0x3E5D1A80}, {0, 0x3EDC47E0}, {0, 0x3EE6CFDA}, {0, 0x3FBE178A}, {0, 0x3FE722AA},
    {0, 0x3FEC5C93}, {0, 0xBD906B77}, {0, 0xBDE5AC41}, {0, 0xBE845FE0}, {0, 0xBE8822A4}, {0, 0xBFB001AE},
    {0, 0xBFCBF472}, {0, 0xBFCF5D00}, {0, 0xBFDC892C}, {1, 0x35800000}, {1, 0x3FA00000}, {1, 0x40C00002},
    {1, 0xBF400000}, {1, 0xBFE00000}, {1, 0xC0300000}, {1, 0xC0500000}, {2, 0x4010DDD2}, {2, 0xBFA02C79},
    {2, 0xBFBBE766}, {2, 0xBFC314CA}, {2, 0xBFED2878}, {2, 0xC02C7050}, {3, 0x3BA41897}, {3, 0x3EDF6ECB},
    {3, 0x3EE19948}, {3, 0x3EF14F22}, {3, 0x3FA42259}, {3, 0x3FA66E60}, {3, 0x3FC7E9DC}, {4, 0x3EC81C5D},
    {4, 0x4010D91C},
};
static const float import_xgboost_1_7_4_squared_sums[] = {
    0.3654493f, -0.09976672f, 0.051852733f, 0.26689327f, 0.6050031f, 0.75997657f, -0.19642256f, 0.3654493f,
};
static const unsigned import_xgboost_1_7_4_logistic_pool[][2] = {
    {0, 0x3DFF6A3C}, {0, 0x3E6AC5A0}, {0, 0x3FBE178A}, {0, 0x3FC28C39}, {0, 0xBDE5AC41}, {0, 0xBFAE189A},
    {0, 0xBFB99358}, {0, 0xBFD3068F}, {0, 0xBFE8059E}, {2, 0x3F39F1F5}, {2, 0xBF492CC5}, {2, 0xBF953A24},
    {2, 0xBFCCA0BD}, {3, 0x3D840E33}, {3, 0x3F2DBFBC}, {3, 0x3F3372FD}, {3, 0x3F37E874}, {3, 0x3F8A4502},
};
static const float import_xgboost_1_7_4_logistic_sums[] = {
    -1.3193889f, -0.71569896f, 0.7642198f, -0.053635642f, -1.0844103f, -0.5853703f, 0.20897996f,
    -0.058299452f,
};
static const float import_xgboost_1_7_4_logistic_answers[] = {
    0.21091998f, 0.3283408f, 0.6822692f, 0.48659435f, 0.2526723f, 0.35769784f, 0.55205566f, 0.48542926f,
};
static const unsigned import_xgboost_1_7_4_raw_pool[][2] = {
    {0, 0x3DFF6A3C}, {0, 0x3FBE178A}, {0, 0x3FC28C39}, {0, 0xBDE5AC41}, {0, 0xBFD3068F}, {0, 0xBFE8059E},
};
static const float import_xgboost_1_7_4_raw_sums[] = {
    0.19879922f, 0.065588444f, -0.4267768f, 0.19879922f, 0.065588444f, 0.065588444f, -0.2562939f,
    0.027087808f,
};
static const unsigned import_xgboost_1_7_4_poisson_pool[][2] = {
    {0, 0x3D68674A}, {0, 0xBD613FCE}, {0, 0xBFDD9E5E}, {1, 0xBF400000}, {1, 0xC0500000}, {2, 0xBFAE4A88},
    {2, 0xC0199090}, {3, 0x3ED1D726}, {3, 0x3F9FC3CC},
};
static const float import_xgboost_1_7_4_poisson_sums[] = {
    0.41867477f, 1.1606283f, 0.9456227f, 0.14761217f, 0.46145102f, 0.9456227f, 0.51652104f, 0.41867477f,
};
static const float import_xgboost_1_7_4_poisson_answers[] = {
    1.519946f, 3.1919382f, 2.574416f, 1.1590633f, 1.5863742f, 2.574416f, 1.6761861f, 1.519946f,
};
static const unsigned import_xgboost_1_7_4_dart_pool[][2] = {
    {0, 0x3D06A54C}, {0, 0x3DC2F5DA}, {0, 0x3FBE178A}, {0, 0x3FE722AA}, {0, 0x3FEC5C93}, {0, 0xBD906B77},
    {0, 0xBDE5AC41}, {0, 0xBFCBF472}, {0, 0xBFCF5D00}, {0, 0xBFD3068F}, {3, 0x3EE19948}, {3, 0x3FA66E60},
};
static const float import_xgboost_1_7_4_dart_sums[] = {
    0.47549966f, 0.6445172f, 0.33658063f, 0.37794277f, 0.3825883f, 0.6445172f, 0.75228906f, 0.0571357f,
};
static const unsigned import_xgboost_1_7_4_pruned_pool[][2] = {
    {0, 0x3E5D1A80}, {0, 0x3EDC47E0}, {0, 0x3F1FDD44}, {0, 0x3FBE178A}, {0, 0x3FEC5C93}, {0, 0xBD906B77},
    {0, 0xBE845FE0}, {0, 0xBFCBF472}, {0, 0xBFDC892C}, {1, 0x3FA00000}, {1, 0x40100000}, {1, 0xC0300000},
    {1, 0xC0500000}, {2, 0xBFBBE766}, {2, 0xBFED2878}, {2, 0xC02C7050}, {3, 0x3EDF6ECB}, {3, 0x3EE19948},
    {3, 0x3F3372FD}, {3, 0x3F5B59E4}, {3, 0x3FA42259}, {3, 0x3FC7E9DC}, {4, 0x3F33148E},
};
static const float import_xgboost_1_7_4_pruned_sums[] = {
    0.1026628f, 0.24895757f, 0.44269302f, 0.70568585f, 0.4622438f, 0.74134743f, 0.8997694f, 0.70568585f,
};
static const unsigned import_xgboost_1_7_4_forest_pool[][2] = {
    {0, 0x3ED08C34}, {0, 0x3EDFC1E4}, {0, 0x3FBE178A}, {0, 0x3FC28C39}, {0, 0x3FE722AA}, {0, 0x3FEC5C93},
    {0, 0x405A0848}, {0, 0xBCA813C1}, {0, 0xBDE5AC41}, {0, 0xBE8F8497}, {0, 0xBFB001AE}, {0, 0xBFBDA929},
    {0, 0xBFC7B8B0}, {0, 0xBFD302BA}, {0, 0xBFDC892C}, {0, 0xC037CA90}, {1, 0x3FA00000}, {1, 0xBFC00000},
    {2, 0xBF99775A}, {2, 0xC02C7050}, {3, 0x3DBA31E9}, {3, 0x3DC0DDF6}, {3, 0x3EE19948}, {3, 0x3FC7E9DC},
};
static const float import_xgboost_1_7_4_forest_sums[] = {
    0.75942504f, 0.15525252f, 0.6736225f, 0.0032389536f, 0.15397036f, 0.0052189156f, 0.5213146f,
    -0.102425195f,
};
static const unsigned import_xgboost_1_7_4_absolute_pool[][2] = {
    {0, 0x3D0D5452}, {0, 0x3F0107D2}, {0, 0x3F81EC63}, {0, 0x3FC82CA4}, {0, 0xBE5AF36C}, {0, 0xBFAE058A},
    {0, 0xBFE5139E}, {1, 0x3F800000}, {1, 0xBF000000}, {1, 0xBFC00000}, {2, 0xBFA0E0DE}, {2, 0xC0023D65},
    {3, 0x3CF79B17}, {3, 0x3D630854}, {3, 0x3EE257EB}, {3, 0x3F91BB05}, {3, 0x3FA3DB3B}, {3, 0x3FF3D21E},
    {4, 0x3F8D9035}, {4, 0xBF29EB46},
};
static const float import_xgboost_1_7_4_absolute_sums[] = {
    0.19841856f, 1.518486f, 0.0819332f, 0.19841856f, 1.5954909f, 0.19841856f, -0.2969181f, -0.7521612f,
};
static const unsigned import_xgboost_1_7_4_targets_pool[][2] = {
    {0, 0x3CF6FF30}, {0, 0x3DC13931}, {0, 0x3FBBDF5A}, {0, 0x3FBE9634}, {0, 0x3FC82CA4}, {0, 0xBD981B95},
    {0, 0xBDC474AF}, {0, 0xBFCE7280}, {1, 0x3F800000}, {1, 0x3FC00000}, {1, 0xBF800000}, {2, 0x3F548F39},
    {2, 0x3F8A641C}, {2, 0xBF948307}, {3, 0x3EE50F29}, {4, 0x3EB56021}, {4, 0xBE958C91},
};
static const float import_xgboost_1_7_4_targets_sums[] = {
    0.69528925f, 0.8444863f, 0.45521045f, 0.44685495f, 0.8444863f, 0.45521045f, 0.5774849f, 0.8444863f,
    0.45521045f, 0.5774849f, 1.7614753f, 0.44279557f, 0.10963318f, 1.4733323f, 0.44911328f, 0.44320962f,
    1.5495367f, 0.30231833f, 0.2539939f, 1.0023776f, 0.44279557f, 0.10963318f, 1.4733323f, 0.21861508f,
};
static const unsigned import_xgboost_1_7_4_edges_pool[][2] = {
    {0, 0x0}, {0, 0x800000}, {0, 0x3FAC8E51}, {0, 0x3FBE178A}, {0, 0x3FEC5C93}, {0, 0x80000000},
    {0, 0xBD906B77}, {0, 0xBFD3068F}, {1, 0x116C2}, {1, 0x80000000}, {2, 0x554AD2E}, {2, 0x80000000},
    {2, 0xBFED2878}, {2, 0xC0009858}, {2, 0xC02C7050}, {3, 0x3EDF6ECB}, {3, 0x3EE19948}, {3, 0x3F127778},
    {3, 0x3F9B631E}, {3, 0x3FA66E60}, {3, 0x3FC7E9DC}, {3, 0x8554AD2E},
};
static const float import_xgboost_1_7_4_edges_sums[] = {
    1.1240121f, 1.0976921f, 1.0050098f, -0.11547036f, 0.8780801f, 0.34221175f, 1.3157864f, 0.7231813f,
};
static const unsigned import_xgboost_1_7_4_sets_pool[][2] = {
    {0, 0xBDFFAB58}, {0, 0xBE1717B6}, {0, 0xBE3F3813}, {1, 0x3E800000}, {1, 0x3F800000}, {1, 0x40000000},
    {1, 0x40A00000}, {1, 0x41100000}, {1, 0x41F80000}, {1, 0x42000000}, {1, 0xBF000000}, {1, 0xBF800000},
    {4, 0x41700000}, {4, 0x41C00000}, {4, 0x42380000}, {4, 0x42580000}, {4, 0x42840000}, {4, 0x428A0000},
    {4, 0x428C0000}, {4, 0x42BE0000}, {4, 0x42C00000}, {4, 0x4E6E6B28},
};
static const float import_xgboost_1_7_4_sets_sums[] = {
    0.6534377f, 1.3642864f, 1.3642864f, 0.6534377f, 1.0142797f, 0.28293803f, 1.3642864f, 0.70901734f,
};
static const unsigned import_xgboost_1_7_4_one_hot_pool[][2] = {
    {0, 0x3D4423BB}, {0, 0x3FA8492F}, {0, 0x3FCF6176}, {0, 0xBD6723B6}, {0, 0xBDB1DC78}, {0, 0xBFC30E2F},
    {1, 0x0}, {1, 0x3E800000}, {1, 0x40000000}, {1, 0x40800000}, {1, 0x40C00000}, {1, 0x40E00000},
    {1, 0x41100000}, {1, 0x41F80000}, {1, 0x42000000}, {1, 0xBF000000}, {1, 0xBF800000}, {2, 0x3FAD17A4},
    {4, 0x41000000}, {4, 0x41200000}, {4, 0x41E00000}, {4, 0x42240000}, {4, 0x42820000}, {4, 0x428A0000},
    {4, 0x428C0000}, {4, 0x42BE0000}, {4, 0x42C00000}, {4, 0x4E6E6B28},
};
static const float import_xgboost_1_7_4_one_hot_sums[] = {
    -0.31524155f, 0.7050264f, 0.33414164f, -0.1302247f, 0.28311303f, -0.1302247f, -0.1302247f, -0.024535872f,
};
static const unsigned import_xgboost_1_7_4_sets_dart_pool[][2] = {
    {0, 0xBDB1DC78}, {0, 0xBDEC5EB0}, {0, 0xBDFFAB58}, {0, 0xBE998455}, {1, 0x3E800000}, {1, 0x40000000},
    {1, 0x40800000}, {1, 0x40C00000}, {1, 0x40E00000}, {1, 0x41100000}, {1, 0x41F80000}, {1, 0x42000000},
    {1, 0xBF000000}, {1, 0xBF800000}, {4, 0x40400000}, {4, 0x41100000}, {4, 0x41D80000}, {4, 0x42480000},
    {4, 0x424C0000}, {4, 0x428A0000}, {4, 0x428C0000}, {4, 0x42BE0000}, {4, 0x42C00000}, {4, 0x4E6E6B28},
};
static const float import_xgboost_1_7_4_sets_dart_sums[] = {
    -0.4719036f, -0.24391334f, 0.35481292f, -0.90291834f, -0.848431f, 1.4874637f, -0.24391334f, -1.1402993f,
};
#define IMPORT_XGBOOST_1_7_4 \
    {"import_xgboost_1.7.4_squared.json", 1, 1, 1, import_xgboost_1_7_4_squared_pool, 37, 0xE48434666A47F6E5ull, import_xgboost_1_7_4_squared_sums, NULL}, \
    {"import_xgboost_1.7.4_squared.ubj", 1, 1, 1, import_xgboost_1_7_4_squared_pool, 37, 0xE48434666A47F6E5ull, import_xgboost_1_7_4_squared_sums, NULL}, \
    {"import_xgboost_1.7.4_logistic.json", 2, 1, 1, import_xgboost_1_7_4_logistic_pool, 18, 0xB7EDC7C83D90EFFEull, import_xgboost_1_7_4_logistic_sums, import_xgboost_1_7_4_logistic_answers}, \
    {"import_xgboost_1.7.4_raw.ubj", 3, 1, 1, import_xgboost_1_7_4_raw_pool, 6, 0xEDCC76994DC5C8AEull, import_xgboost_1_7_4_raw_sums, NULL}, \
    {"import_xgboost_1.7.4_poisson.ubj", 4, 1, 1, import_xgboost_1_7_4_poisson_pool, 9, 0x4182A8FF927E4E50ull, import_xgboost_1_7_4_poisson_sums, import_xgboost_1_7_4_poisson_answers}, \
    {"import_xgboost_1.7.4_dart.json", 5, 1, 1, import_xgboost_1_7_4_dart_pool, 12, 0x516EDB205FA90B4Bull, import_xgboost_1_7_4_dart_sums, NULL}, \
    {"import_xgboost_1.7.4_dart.ubj", 5, 1, 1, import_xgboost_1_7_4_dart_pool, 12, 0x516EDB205FA90B4Bull, import_xgboost_1_7_4_dart_sums, NULL}, \
    {"import_xgboost_1.7.4_pruned.json", 6, 1, 1, import_xgboost_1_7_4_pruned_pool, 23, 0x3843C1A3C3728FC4ull, import_xgboost_1_7_4_pruned_sums, NULL}, \
    {"import_xgboost_1.7.4_forest.ubj", 7, 1, 1, import_xgboost_1_7_4_forest_pool, 24, 0x10C9CC66D86BCC3Full, import_xgboost_1_7_4_forest_sums, NULL}, \
    {"import_xgboost_1.7.4_absolute.ubj", 8, 1, 1, import_xgboost_1_7_4_absolute_pool, 20, 0xFAD828AF180B8747ull, import_xgboost_1_7_4_absolute_sums, NULL}, \
    {"import_xgboost_1.7.4_targets.json", 9, 1, 3, import_xgboost_1_7_4_targets_pool, 17, 0xA4AAB9389D2D8AAAull, import_xgboost_1_7_4_targets_sums, NULL}, \
    {"import_xgboost_1.7.4_targets.ubj", 9, 1, 3, import_xgboost_1_7_4_targets_pool, 17, 0xA4AAB9389D2D8AAAull, import_xgboost_1_7_4_targets_sums, NULL}, \
    {"import_xgboost_1.7.4_edges.json", 10, 1, 1, import_xgboost_1_7_4_edges_pool, 22, 0xB3E39C98CD12AB3Full, import_xgboost_1_7_4_edges_sums, NULL}, \
    {"import_xgboost_1.7.4_sets.json", 11, 1, 1, import_xgboost_1_7_4_sets_pool, 22, 0x2D798620FD71AD07ull, import_xgboost_1_7_4_sets_sums, NULL}, \
    {"import_xgboost_1.7.4_sets.ubj", 11, 1, 1, import_xgboost_1_7_4_sets_pool, 22, 0x2D798620FD71AD07ull, import_xgboost_1_7_4_sets_sums, NULL}, \
    {"import_xgboost_1.7.4_one_hot.ubj", 12, 1, 1, import_xgboost_1_7_4_one_hot_pool, 28, 0x9587890F9E0BFA75ull, import_xgboost_1_7_4_one_hot_sums, NULL}, \
    {"import_xgboost_1.7.4_sets_dart.json", 13, 1, 1, import_xgboost_1_7_4_sets_dart_pool, 24, 0x749B7073A4BDE4C9ull, import_xgboost_1_7_4_sets_dart_sums, NULL}
