/* import_sklearn_1.9.1.h - what the models beside it predict: see import.py, which wrote this.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
static const unsigned import_sklearn_1_9_1_tree_pool[][2] = {
    {0, 0x3E5D1A80}, {0, 0x3EDC47E0}, {0, 0x3FBE178A}, {0, 0xBD906B77}, {0, 0xBFCBF472}, {0, 0xBFDC892C},
    {1, 0x40100000}, {1, 0xC0100000}, {1, 0xC0300000}, {1, 0xC0500000}, {2, 0x3EB74BE5}, {2, 0x3FBB9221},
    {2, 0x3FCBF136}, {2, 0x3FFD2DB1}, {2, 0x40402A32}, {2, 0xBFA02C79}, {2, 0xBFED2878}, {2, 0xC02C7050},
    {2, 0xC03BFBB2}, {3, 0x3EDF6ECB}, {3, 0x3EE19948}, {3, 0x3FC7E9DC}, {4, 0xBF6193BC},
};
static const float import_sklearn_1_9_1_tree_sums[] = {
    -2.9311478f, 0.92014295f, 2.2057858f, 0.8328559f, -0.21814072f, 0.0959964f, -0.21814072f, -2.9311478f,
};
static const unsigned import_sklearn_1_9_1_edges_pool[][2] = {
    {0, 0x0}, {0, 0x116C2}, {0, 0x800000}, {0, 0x3DCCCCCD}, {0, 0x80000000}, {0, 0x800116C2}, {1, 0x0},
    {1, 0x116C2}, {1, 0x800000}, {1, 0x3DCCCCCD}, {1, 0x3EAAAAAB}, {1, 0x80000001}, {1, 0x800116C2}, {2, 0x0},
    {2, 0x1}, {2, 0x116C2}, {2, 0x554AD2E}, {2, 0x3DCCCCCD}, {2, 0x3EAAAAAB}, {2, 0x80000000},
    {2, 0x800116C2}, {3, 0x800000}, {3, 0x80000000}, {3, 0x800116C2},
};
static const float import_sklearn_1_9_1_edges_sums[] = {
    -0.6503534f, -0.6503534f, -2.5853322f, -2.4010253f, -2.4010253f, -2.4010253f, -2.5853322f, 1.5082575f,
};
static const unsigned import_sklearn_1_9_1_forest_pool[][2] = {
    {0, 0x3D68674A}, {0, 0x3DEE07B8}, {0, 0x3E34498C}, {0, 0x3E425B4C}, {0, 0x3FBDE156}, {0, 0x3FBE178A},
    {0, 0x3FC910BE}, {0, 0x3FEC5C93}, {0, 0xBD906B77}, {0, 0xBDC77906}, {0, 0xBE2E6950}, {0, 0xBE845FE0},
    {0, 0xBFB001AE}, {0, 0xBFCA554F}, {0, 0xBFCF0A32}, {0, 0xBFD296C2}, {0, 0xBFD302BA}, {1, 0x3FA00000},
    {1, 0x3FE00000}, {1, 0xC0500000}, {2, 0x402D4540}, {2, 0xC017C486}, {2, 0xC01D0C2C}, {2, 0xC02C7050},
    {2, 0xC03BFBB2}, {3, 0x3E82583E}, {3, 0x3EE10360}, {3, 0x3F0B3255}, {3, 0x3F38D760}, {3, 0x3F581F1F},
    {3, 0x3FA45784}, {3, 0x3FCB5EE3},
};
static const float import_sklearn_1_9_1_forest_sums[] = {
    1.8415463f, 0.5135987f, 0.61597675f, 0.4211611f, 3.6388133f, 0.8505757f, 1.5274482f, -0.71320754f,
};
static const unsigned import_sklearn_1_9_1_many_pool[][2] = {
    {0, 0x3D7F111A}, {0, 0x3F4D79C9}, {0, 0x3FABF8FF}, {0, 0xBDB887E4}, {0, 0xBEEA7616}, {0, 0xBF228950},
    {1, 0x40313A9A}, {1, 0xC001651A}, {2, 0x3F9454C6}, {2, 0x403CBD36}, {3, 0x3D001DE3}, {3, 0x3E4B833F},
    {3, 0x3F890318}, {4, 0x3E50D688}, {4, 0x3E99F41D}, {4, 0x3F3EE53D}, {4, 0x3F902903}, {4, 0x3F9454D0},
    {4, 0x3FAF03A5}, {4, 0x40337DEF}, {4, 0xBF421108},
};
static const float import_sklearn_1_9_1_many_sums[] = {
    0.3065496f, 2.0812643f, 0.4732458f, 0.18997324f, 2.8002746f, 0.5082806f, -0.82932323f, 5.48489f,
    0.41553313f, 0.43814054f, 1.8650608f, 0.49457517f, 0.24000573f, 3.483863f, 0.49254027f, -0.13118942f,
    4.3926315f, 0.48086232f, -2.0360806f, 7.0471935f, 0.5674963f, 0.5734874f, 2.455974f, 0.39909995f,
};
static const unsigned import_sklearn_1_9_1_boosting_pool[][2] = {
    {0, 0x3D06A54C}, {0, 0x3FBE178A}, {0, 0x3FEC5C93}, {0, 0xBCA813C1}, {0, 0xBDE5AC41}, {0, 0xBFCBF472},
    {0, 0xBFCF5D00}, {0, 0xBFD1F134}, {1, 0x3FA00000}, {1, 0xC0300000}, {1, 0xC0500000}, {2, 0xBFED2878},
    {2, 0xC02C7050}, {3, 0x3EE19948}, {3, 0x3F0B7B2A}, {3, 0x3F247BDC}, {3, 0x3FA66E60},
};
static const float import_sklearn_1_9_1_boosting_sums[] = {
    -0.79924595f, 0.38363582f, 0.05635876f, 0.41375294f, 0.57548636f, -0.267418f, 0.6194148f, 0.16212223f,
};
static const unsigned import_sklearn_1_9_1_huber_pool[][2] = {
    {0, 0x3D06A54C}, {0, 0x3FBE178A}, {0, 0x3FE722AA}, {0, 0x3FEC5C93}, {0, 0xBDE5AC41}, {0, 0xBFCF5D00},
    {0, 0xBFD1F134},
};
static const float import_sklearn_1_9_1_huber_sums[] = {
    0.070096605f, 0.20225184f, 0.070096605f, 0.20225184f, 0.20260637f, 0.20225184f, 0.070096605f,
    0.047285523f,
};
static const unsigned import_sklearn_1_9_1_histogram_pool[][2] = {
    {0, 0x3D08DD30}, {0, 0x3E337CD4}, {0, 0x3E5DBBB0}, {0, 0x3EE241A3}, {0, 0x3FBBDF5A}, {0, 0x3FC214FD},
    {0, 0x3FEBB545}, {0, 0xBD92B377}, {0, 0xBDE76C38}, {0, 0xBE844693}, {0, 0xBFAE058A}, {0, 0xBFCE7280},
    {0, 0xBFDCB8C6}, {3, 0x3E954010}, {3, 0x3EDDF751}, {3, 0x3EE173F8}, {3, 0x3F847BBE}, {3, 0x3F9EABB4},
    {3, 0x3FA3DB3B}, {3, 0x3FA6794A}, {3, 0x3FABD0FE},
};
static const float import_sklearn_1_9_1_histogram_sums[] = {
    0.25404438f, 0.44544753f, 0.40406415f, 0.053958416f, 0.104175255f, 0.44544753f, 0.363118f, 0.25404438f,
};
static const unsigned import_sklearn_1_9_1_poisson_pool[][2] = {
    {0, 0x3D49B9B9}, {0, 0x3F8EB9B7}, {0, 0xBD92B377}, {0, 0xBFB54D8E}, {1, 0xBF400000}, {1, 0xBFE00000},
    {2, 0x3F953D20}, {2, 0xBF83F672}, {2, 0xBFAF20E9}, {2, 0xBFDDCCCF}, {3, 0x3F9EABB4}, {3, 0x3FE88CF1},
};
static const float import_sklearn_1_9_1_poisson_sums[] = {
    0.47109658f, 0.50780725f, 0.21698685f, 0.50780725f, 0.41320035f, 0.37648964f, 0.8368941f, 1.1380649f,
};
static const float import_sklearn_1_9_1_poisson_answers[] = {
    1.6017497f, 1.6616436f, 1.2423278f, 1.6616436f, 1.5116478f, 1.4571605f, 2.3091838f, 3.1207235f,
};
#define IMPORT_SKLEARN_1_9_1 \
    {"import_sklearn_1.9.1_tree.json", 1, 1, 1, import_sklearn_1_9_1_tree_pool, 23, 0x8DE77945959F5705ull, import_sklearn_1_9_1_tree_sums, NULL}, \
    {"import_sklearn_1.9.1_edges.json", 2, 0, 1, import_sklearn_1_9_1_edges_pool, 24, 0x207E1894B68EC20Bull, import_sklearn_1_9_1_edges_sums, NULL}, \
    {"import_sklearn_1.9.1_forest.json", 3, 1, 1, import_sklearn_1_9_1_forest_pool, 32, 0x67A567D81414A711ull, import_sklearn_1_9_1_forest_sums, NULL}, \
    {"import_sklearn_1.9.1_many.json", 4, 1, 3, import_sklearn_1_9_1_many_pool, 21, 0x658DC36AE25C7301ull, import_sklearn_1_9_1_many_sums, NULL}, \
    {"import_sklearn_1.9.1_boosting.json", 5, 0, 1, import_sklearn_1_9_1_boosting_pool, 17, 0x687AA64522475264ull, import_sklearn_1_9_1_boosting_sums, NULL}, \
    {"import_sklearn_1.9.1_huber.json", 6, 0, 1, import_sklearn_1_9_1_huber_pool, 7, 0x77C6524DAFDD14CAull, import_sklearn_1_9_1_huber_sums, NULL}, \
    {"import_sklearn_1.9.1_histogram.json", 7, 1, 1, import_sklearn_1_9_1_histogram_pool, 21, 0x05F37D60496CE400ull, import_sklearn_1_9_1_histogram_sums, NULL}, \
    {"import_sklearn_1.9.1_poisson.json", 8, 1, 1, import_sklearn_1_9_1_poisson_pool, 12, 0x9B9042936B9EFC48ull, import_sklearn_1_9_1_poisson_sums, import_sklearn_1_9_1_poisson_answers}
