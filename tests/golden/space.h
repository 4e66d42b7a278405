/* Laws over spaces by tests/golden/space.py; do not edit.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
typedef struct space_case {
    sooth_space space;
    uint32_t runs, asked;
    const float *x, *time, *power, *weight, *row; /* asked rows; what is said of them: */
    const double *said[2];
    double p, sse[2];
} space_case;
static const float space_0_value_0[] = {810.0f, 3505.0f};
static const float space_0_value_1[] = {595.0f, 633.0f, 671.0f, 709.0f, 747.0f, 785.0f, 823.0f, 861.0f, 899.0f, 937.0f, 975.0f, 1013.0f, 1050.0f, 1088.0f, 1126.0f, 1164.0f};
static const float space_0_x[] = {810.0f, 595.0f, 3505.0f, 1164.0f, 810.0f, 1164.0f, 3505.0f, 595.0f};
static const float space_0_time[] = {19.9249992f, 10.4209995f, 17.3150005f, 19.1860008f};
static const float space_0_power[] = {81.7730026f, 206.039993f, 135.25f, 130.199997f};
static const float space_0_weight[] = {1.0f, 1.0f, 1.0f, 1.0f};
static const float space_0_row[] = {810.0f, 709.0f, 810.0f, 1013.0f, 3505.0f, 747.0f, 3505.0f, 1013.0f, 3505.0f, 1088.0f};
static const double space_0_said_0[] = {18.248482266815735, 17.336251702998556, 15.264687340763022, 11.513408821396311, 10.896240263310675};
static const double space_0_said_1[] = {84.52840181201783, 112.80976210340519, 141.59968714140626, 167.80727005659406, 180.11254094532723};
static const float space_1_value_0[] = {810.0f, 3505.0f};
static const float space_1_value_1[] = {595.0f, 633.0f, 671.0f, 709.0f, 747.0f, 785.0f, 823.0f, 861.0f, 899.0f, 937.0f, 975.0f, 1013.0f, 1050.0f, 1088.0f, 1126.0f, 1164.0f};
static const float space_1_x[] = {810.0f, 595.0f, 810.0f, 1164.0f, 3505.0f, 595.0f, 3505.0f, 1164.0f, 810.0f, 899.0f, 3505.0f, 899.0f};
static const float space_1_time[] = {17.6380005f, 13.1269999f, 16.5319996f, 8.86929989f, 13.2519999f, 11.2250004f};
static const float space_1_power[] = {70.1819992f, 118.879997f, 116.620003f, 174.139999f, 89.5299988f, 134.300003f};
static const float space_1_weight[] = {1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f};
static const float space_1_row[] = {810.0f, 709.0f, 810.0f, 1013.0f, 3505.0f, 747.0f, 3505.0f, 1013.0f, 3505.0f, 1088.0f};
static const double space_1_said_0[] = {14.912115112632915, 13.159128450192307, 13.475892633646183, 10.020142810199458, 9.391248371866801};
static const double space_1_said_1[] = {74.62577373326059, 98.83946443219935, 124.05652364237274, 146.49470554511527, 157.03012605518097};
static const float space_2_value_0[] = {810.0f, 3505.0f};
static const float space_2_value_1[] = {595.0f, 633.0f, 671.0f, 709.0f, 747.0f, 785.0f, 823.0f, 861.0f, 899.0f, 937.0f, 975.0f, 1013.0f, 1050.0f, 1088.0f, 1126.0f, 1164.0f};
static const float space_2_x[] = {810.0f, 595.0f, 810.0f, 1164.0f, 3505.0f, 595.0f, 3505.0f, 1164.0f, 810.0f, 899.0f, 3505.0f, 899.0f};
static const float space_2_time[] = {6.2184f, 4.67630005f, 5.37639999f, 2.86549997f, 4.70669985f, 3.57690001f};
static const float space_2_power[] = {60.8849983f, 102.050003f, 102.150002f, 140.470001f, 76.7369995f, 113.269997f};
static const float space_2_weight[] = {1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f};
static const float space_2_row[] = {810.0f, 709.0f, 810.0f, 1013.0f, 3505.0f, 747.0f, 3505.0f, 1013.0f, 3505.0f, 1088.0f};
static const double space_2_said_0[] = {5.475651725332225, 4.720823747318432, 4.303189255964134, 3.230918657158583, 3.0291003791458677};
static const double space_2_said_1[] = {65.14915446945116, 84.05947329741173, 105.61305858604841, 123.13674710492559, 131.36466094545008};
static const float space_3_value_0[] = {810.0f, 3505.0f};
static const float space_3_value_1[] = {595.0f, 633.0f, 671.0f, 709.0f, 747.0f, 785.0f, 823.0f, 861.0f, 899.0f, 937.0f, 975.0f, 1013.0f, 1050.0f, 1088.0f, 1126.0f, 1164.0f};
static const float space_3_x[] = {810.0f, 595.0f, 810.0f, 1164.0f, 3505.0f, 595.0f, 3505.0f, 1164.0f, 810.0f, 899.0f, 3505.0f, 899.0f};
static const float space_3_time[] = {3.49959993f, 2.2111001f, 2.65190005f, 1.43210006f, 2.6717f, 1.80910003f};
static const float space_3_power[] = {77.8909988f, 132.729996f, 116.220001f, 176.610001f, 92.3919983f, 134.759995f};
static const float space_3_weight[] = {1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f};
static const float space_3_row[] = {810.0f, 709.0f, 810.0f, 1013.0f, 3505.0f, 747.0f, 3505.0f, 1013.0f, 3505.0f, 1088.0f};
static const double space_3_said_0[] = {3.044966366780775, 2.4439933155377656, 2.141605575804884, 1.6425042951290045, 1.5458858559363553};
static const double space_3_said_1[] = {80.81581161725822, 107.30076895645837, 123.51617229444855, 148.05907646598797, 159.5827291891085};
static const float space_4_value_0[] = {1.0f, 2.0f, 4.0f};
static const float space_4_value_1[] = {1.0f, 8.0f, 16.0f};
static const float space_4_value_2[] = {1.20000005f, 1.79999995f, 2.4000001f};
static const float space_4_volts_2[] = {0.800000012f, 0.899999976f, 1.14999998f};
static const float space_4_value_3[] = {100.0f, 200.0f, 1000.0f};
static const float space_4_x[] = {2.0f, 8.0f, 2.4000001f, 1000.0f, 1.0f, 1.0f, 2.4000001f, 1000.0f, 1.0f, 1.0f, 2.4000001f, 200.0f, 1.0f, 16.0f, 1.20000005f, 200.0f, 2.0f, 8.0f, 1.20000005f, 100.0f, 4.0f, 16.0f, 2.4000001f, 200.0f, 4.0f, 1.0f, 1.79999995f, 1000.0f, 1.0f, 1.0f, 1.20000005f, 200.0f, 4.0f, 1.0f, 1.79999995f, 200.0f, 4.0f, 1.0f, 1.79999995f, 100.0f, 1.0f, 16.0f, 1.20000005f, 100.0f, 2.0f, 8.0f, 1.20000005f, 1000.0f, 4.0f, 16.0f, 1.20000005f, 1000.0f, 1.0f, 8.0f, 2.4000001f, 100.0f};
static const float space_4_time[] = {84.5696182f, 396.271942f, 46.2068443f, 15.7528229f, 6.37896395f, 9.07211208f, 154.928299f, 99.1746368f, 18.870821f, 7.99526596f, 6.37465f, 126.810638f, 114.084343f, 4.77652788f};
static const float space_4_power[] = {134.364456f, 43.4884529f, 41.8242569f, 48.8859673f, 47.9807434f, 422.594086f, 38.7403984f, 25.527607f, 39.1976471f, 38.2260475f, 46.9486084f, 48.1919823f, 118.88501f, 86.5316162f};
static const float space_4_weight[] = {1.5f, 3.5f, 3.5f, 1.5f, 2.5f, 2.5f, 3.5f, 0.5f, 1.5f, 2.5f, 1.5f, 3.5f, 3.5f, 3.5f};
static const float space_4_row[] = {4.0f, 1.0f, 1.2f, 1000.0f, 2.0f, 8.0f, 1.2f, 100.0f, 2.0f, 8.0f, 1.8f, 1000.0f, 2.0f, 8.0f, 2.4f, 1000.0f};
static const double space_4_said_0[] = {232.58626431279367, 6.334629007144585, 96.69821475362906, 81.85322997286252};
static const double space_4_said_1[] = {30.02398903552773, 47.79771276127078, 72.6559024694833, 134.47715862638464};
static const float space_5_value_0[] = {1.0f, 2.0f, 8.0f};
static const float space_5_value_1[] = {2.0f, 3.0f, 5.0f};
static const float space_5_value_2[] = {10.0f, 20.0f, 30.0f};
static const float space_5_x[] = {2.0f, 5.0f, 10.0f, 2.0f, 2.0f, 10.0f, 8.0f, 5.0f, 30.0f, 1.0f, 5.0f, 30.0f, 1.0f, 2.0f, 30.0f, 8.0f, 3.0f, 10.0f, 1.0f, 3.0f, 30.0f, 1.0f, 2.0f, 30.0f, 8.0f, 2.0f, 20.0f};
static const float space_5_time[] = {7.25083351f, 9.77689362f, 190.604095f, 13.7716312f, 16.1869621f, 52.9759979f, 15.214447f, 16.6038113f, 137.39624f};
static const float space_5_power[] = {40.1155739f, 27.8930149f, 40.6875572f, 40.027153f, 28.0077f, 31.5459213f, 32.3019409f, 27.4269791f, 28.3753929f};
static const float space_5_weight[] = {1.5f, 2.5f, 1.5f, 0.5f, 0.5f, 0.5f, 0.5f, 1.5f, 1.5f};
static const float space_5_row[] = {2.0f, 3.0f, 10.0f, 2.0f, 2.0f, 20.0f, 2.0f, 3.0f, 10.0f, 2.0f, 3.0f, 30.0f};
static const double space_5_said_0[] = {8.46010833751153, 23.875042769524285, 8.46010833751153, 35.834323470138806};
static const double space_5_said_1[] = {32.03951530175047, 27.894681806385883, 32.03951530175047, 32.03951530175047};
static const space_case space_cases[] = {
    {{2, {{SOOTH_AXIS_FREQUENCY, 2, space_0_value_0, NULL, 0.0f}, {SOOTH_AXIS_FREQUENCY, 16, space_0_value_1, NULL, 1.5f}, {0, 0, NULL, NULL, 0}, {0, 0, NULL, NULL, 0}, {0, 0, NULL, NULL, 0}, {0, 0, NULL, NULL, 0}, {0, 0, NULL, NULL, 0}, {0, 0, NULL, NULL, 0}}}, 4, 5, space_0_x, space_0_time, space_0_power, space_0_weight, space_0_row, {space_0_said_0, space_0_said_1}, 8.0, {3.217454804049414e-05, 0.005998504699548157}},
    {{2, {{SOOTH_AXIS_FREQUENCY, 2, space_1_value_0, NULL, 0.0f}, {SOOTH_AXIS_FREQUENCY, 16, space_1_value_1, NULL, 1.5f}, {0, 0, NULL, NULL, 0}, {0, 0, NULL, NULL, 0}, {0, 0, NULL, NULL, 0}, {0, 0, NULL, NULL, 0}, {0, 0, NULL, NULL, 0}, {0, 0, NULL, NULL, 0}}}, 6, 5, space_1_x, space_1_time, space_1_power, space_1_weight, space_1_row, {space_1_said_0, space_1_said_1}, 8.0, {0.001497858858516308, 0.00274783751042219}},
    {{2, {{SOOTH_AXIS_FREQUENCY, 2, space_2_value_0, NULL, 0.0f}, {SOOTH_AXIS_FREQUENCY, 16, space_2_value_1, NULL, 1.5f}, {0, 0, NULL, NULL, 0}, {0, 0, NULL, NULL, 0}, {0, 0, NULL, NULL, 0}, {0, 0, NULL, NULL, 0}, {0, 0, NULL, NULL, 0}, {0, 0, NULL, NULL, 0}}}, 6, 5, space_2_x, space_2_time, space_2_power, space_2_weight, space_2_row, {space_2_said_0, space_2_said_1}, 3.0, {0.0029669210170773924, 0.0013945625383798804}},
    {{2, {{SOOTH_AXIS_FREQUENCY, 2, space_3_value_0, NULL, 0.0f}, {SOOTH_AXIS_FREQUENCY, 16, space_3_value_1, NULL, 1.5f}, {0, 0, NULL, NULL, 0}, {0, 0, NULL, NULL, 0}, {0, 0, NULL, NULL, 0}, {0, 0, NULL, NULL, 0}, {0, 0, NULL, NULL, 0}, {0, 0, NULL, NULL, 0}}}, 6, 5, space_3_x, space_3_time, space_3_power, space_3_weight, space_3_row, {space_3_said_0, space_3_said_1}, 1.0, {0.0018133065830260148, 0.0009389367382972072}},
    {{4, {{SOOTH_AXIS_COUNT, 3, space_4_value_0, NULL, 0.0f}, {SOOTH_AXIS_COUNT, 3, space_4_value_1, NULL, 0.0f}, {SOOTH_AXIS_FREQUENCY, 3, space_4_value_2, space_4_volts_2, 0.0f}, {SOOTH_AXIS_SIZE, 3, space_4_value_3, NULL, 0.0f}, {0, 0, NULL, NULL, 0}, {0, 0, NULL, NULL, 0}, {0, 0, NULL, NULL, 0}, {0, 0, NULL, NULL, 0}}}, 14, 4, space_4_x, space_4_time, space_4_power, space_4_weight, space_4_row, {space_4_said_0, space_4_said_1}, 1.5, {0.02909537082563371, 0.006072521630202794}},
    {{3, {{SOOTH_AXIS_SIZE, 3, space_5_value_0, NULL, 0.0f}, {SOOTH_AXIS_COUNT, 3, space_5_value_1, NULL, 0.0f}, {SOOTH_AXIS_SIZE, 3, space_5_value_2, NULL, 0.0f}, {0, 0, NULL, NULL, 0}, {0, 0, NULL, NULL, 0}, {0, 0, NULL, NULL, 0}, {0, 0, NULL, NULL, 0}, {0, 0, NULL, NULL, 0}}}, 9, 4, space_5_x, space_5_time, space_5_power, space_5_weight, space_5_row, {space_5_said_0, space_5_said_1}, 1.0, {0.008258995292598383, 0.0012167186159087282}}};
