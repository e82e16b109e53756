/* PFedCLR's two steps, of WIDTH rows at a time: for bench_pfedclr.c only, which includes this once for each
 * width, with NAME (a name of that width), V (an intrinsic of it), WIDE_PD and WIDE_INT (its registers of
 * doubles and integers). */
#define wide NAME(wide)
#define ONE(x) V(set1_ps)(x)

static inline wide NAME(exponential)(wide x) {
    wide k = V(fmadd_ps)(x, ONE(1.44269504f), ONE(12582912.0f)), whole = V(sub_ps)(k, ONE(12582912.0f));
    wide r = V(fnmadd_ps)(whole, ONE(0.693359375f), x);
    r = V(fmadd_ps)(whole, ONE(2.12194440e-4f), r);
    wide e = ONE(1.9875691500e-4f);
    e = V(fmadd_ps)(e, r, ONE(1.3981999507e-3f));
    e = V(fmadd_ps)(e, r, ONE(8.3334519073e-3f));
    e = V(fmadd_ps)(e, r, ONE(4.1665795894e-2f));
    e = V(fmadd_ps)(e, r, ONE(1.6666665459e-1f));
    e = V(fmadd_ps)(e, r, ONE(5.0000001201e-1f));
    e = V(add_ps)(V(fmadd_ps)(V(mul_ps)(e, r), r, r), ONE(1));
#if WIDTH == 16
    return V(scalef_ps)(e, whole);
#else
    __m256i scale =
        _mm256_slli_epi32(_mm256_add_epi32(_mm256_castps_si256(k), _mm256_set1_epi32(127 - 0x4b400000)), 23);
    return V(mul_ps)(e, _mm256_castsi256_ps(scale));
#endif
}

/* 1 / x and 1 / √x by a guess and a step of Newton's. */
static inline wide NAME(reciprocal)(wide x) {
#if WIDTH == 16
    wide r = _mm512_rcp14_ps(x);
#else
    wide r = _mm256_rcp_ps(x);
#endif
    return V(mul_ps)(r, V(fnmadd_ps)(x, r, ONE(2)));
}

static inline wide NAME(rsqrt)(wide x) {
    x = V(max_ps)(x, ONE(1e-36f));
#if WIDTH == 16
    wide y = _mm512_rsqrt14_ps(x);
#else
    wide y = _mm256_rsqrt_ps(x);
#endif
    return V(mul_ps)(y, V(fnmadd_ps)(V(mul_ps)(V(mul_ps)(x, y), ONE(0.5f)), y, ONE(1.5f)));
}

/* The coefficients of rows by what the batch has of them and their scores. */
static inline wide NAME(coefficient_of)(WIDE_INT tally, wide s) {
#if WIDTH == 16
    wide n = _mm512_cvtepi32_ps(_mm512_and_si512(tally, _mm512_set1_epi32(0xffffff))),
         positive = _mm512_cvtepi32_ps(_mm512_srli_epi32(tally, 24));
#else
    wide n = _mm256_cvtepi32_ps(_mm256_and_si256(tally, _mm256_set1_epi32(0xffffff))),
         positive = _mm256_cvtepi32_ps(_mm256_srli_epi32(tally, 24));
#endif
    s = V(max_ps)(V(min_ps)(s, ONE(80)), ONE(-80));
    wide e = NAME(exponential)(V(sub_ps)(ONE(0), s)), sigma = NAME(reciprocal)(V(add_ps)(ONE(1), e));
    return V(fnmadd_ps)(positive, V(mul_ps)(e, sigma), V(mul_ps)(V(sub_ps)(n, positive), sigma));
}

static inline wide NAME(coefficient)(size_t at, wide s) {
    return NAME(coefficient_of)(*(const WIDE_INT *)(const void *)(work.tally + at), s);
}

static inline float NAME(sum)(wide x) {
    _Alignas(64) float lanes[WIDTH];
    float sum = 0;
    V(store_ps)(lanes, x);
    for (size_t i = 0; i < WIDTH; i++)
        sum += lanes[i];
    return sum;
}

/* Row i by itself: the few steps that the series does not cover. */
static inline void NAME(step_alone)(size_t i, float (*shape)[DIM], struct step step) {
    float rate = step.rate * work.m[i], root = sqrtf(work.v[i]);
    wide moves = ONE(0);
    for (size_t k = 0; k < DIM; k += WIDTH) {
        wide x = V(mul_ps)(ONE(rate),
            NAME(reciprocal)(V(fmadd_ps)(ONE(step.epsilon / EPSILON), V(load_ps)(shape[2] + k), ONE(root))));
        V(store_ps)(work.q[i] + k, V(fnmadd_ps)(V(load_ps)(shape[0] + k), x, V(load_ps)(work.q[i] + k)));
        moves = V(fmadd_ps)(V(load_ps)(shape[1] + k), x, moves);
    }
    work.score[i] -= NAME(sum)(moves);
}

/* shape: sign, size and inverse size of p. */
static void NAME(step_1)(size_t n, struct step step, float least, const float *weights, float (*shape)[DIM]) {
    wide scale = ONE(1 / ((float)n * EPSILON)), rate = ONE(step.rate),
         ratio = ONE(step.epsilon / EPSILON / least);
    for (size_t at = 0; at < work.stride; at += WIDTH) {
        wide s = V(load_ps)(work.score + at), g = V(mul_ps)(NAME(coefficient)(at, s), scale);
        wide m = V(fmadd_ps)(ONE(BETA1), V(load_ps)(work.m + at), g);
        wide v = V(fmadd_ps)(ONE(BETA2), V(load_ps)(work.v + at), V(mul_ps)(g, g));
        V(store_ps)(work.m + at, m);
        V(store_ps)(work.v + at, v);
        wide y = NAME(rsqrt)(v), r = V(mul_ps)(ratio, y), power = V(mul_ps)(V(mul_ps)(rate, m), y);
#if WIDTH == 16
        __mmask16 within = _mm512_cmp_ps_mask(r, ONE(LIMIT), _CMP_LE_OQ);
        uint32_t alone = (uint16_t)(~within & _mm512_cmp_ps_mask(m, ONE(0), _CMP_NEQ_OQ));
        r = _mm512_maskz_mov_ps(within, r);
        power = _mm512_maskz_mov_ps(within, power);
#else
        wide within = _mm256_cmp_ps(r, ONE(LIMIT), _CMP_LE_OQ);
        uint32_t alone =
            (uint32_t)_mm256_movemask_ps(_mm256_andnot_ps(within, _mm256_cmp_ps(m, ONE(0), _CMP_NEQ_OQ)));
        r = _mm256_and_ps(within, r);
        power = _mm256_and_ps(within, power);
#endif
        wide sum = ONE(weights[TERMS - 1]);
        for (int t = TERMS - 2; t >= 0; t--)
            sum = V(fmadd_ps)(sum, r, ONE(weights[t]));
        V(store_ps)(work.score + at, V(fnmadd_ps)(power, sum, s));
        for (size_t t = 0; t < TERMS; t++, power = V(mul_ps)(power, r))
            V(store_ps)(COLUMN(moved, t) + at, V(add_ps)(V(load_ps)(COLUMN(moved, t) + at), power));
        for (; alone; alone &= alone - 1)
            NAME(step_alone)(at + (size_t)__builtin_ctz(alone), shape, step);
    }
}

/* The sums of these registers as the lanes of one, in their order. */
static inline wide NAME(sums)(wide *x) {
    for (size_t i = 0; i < WIDTH / 2; i++)
        x[i] = V(add_ps)(V(unpacklo_ps)(x[2 * i], x[2 * i + 1]), V(unpackhi_ps)(x[2 * i], x[2 * i + 1]));
    for (size_t i = 0; i < WIDTH / 4; i++) {
        WIDE_PD a = V(castps_pd)(x[2 * i]), b = V(castps_pd)(x[2 * i + 1]);
        x[i] = V(add_ps)(V(castpd_ps)(V(unpacklo_pd)(a, b)), V(castpd_ps)(V(unpackhi_pd)(a, b)));
    }
#if WIDTH == 16
    for (size_t i = 0; i < 2; i++)
        x[i] = _mm512_add_ps(_mm512_shuffle_f32x4(x[2 * i], x[2 * i + 1], 0x88),
            _mm512_shuffle_f32x4(x[2 * i], x[2 * i + 1], 0xdd));
    return _mm512_add_ps(_mm512_shuffle_f32x4(x[0], x[1], 0x88), _mm512_shuffle_f32x4(x[0], x[1], 0xdd));
#else
    return _mm256_add_ps(_mm256_permute2f128_ps(x[0], x[1], 0x20), _mm256_permute2f128_ps(x[0], x[1], 0x31));
#endif
}

/* p · q of the rows at q[0], q[1] … (rows NULL), or of those that are named. */
static inline wide NAME(scores)(size_t at, const uint32_t *rows) {
    wide x[WIDTH];
    for (size_t i = 0; i < WIDTH; i++) {
        const float *q = work.q[rows ? rows[at + i] : at + i];
        x[i] = V(mul_ps)(V(load_ps)(work.p), V(load_ps)(q));
        for (size_t k = WIDTH; k < DIM; k += WIDTH)
            x[i] = V(fmadd_ps)(V(load_ps)(work.p + k), V(load_ps)(q + k), x[i]);
    }
    return NAME(sums)(x);
}

static void NAME(find_scores)(void) {
    for (size_t at = 0; at < work.stride; at += WIDTH)
        V(store_ps)(work.score + at, NAME(scores)(at, NULL));
}

static void NAME(train_items)(bool timed) {
    _Alignas(64) float shape[3][DIM];
    float least = INFINITY, weights[TERMS] = {0};
    unsigned t = 0;
    for (size_t k = 0; k < DIM; k++)
        least = fabsf(work.p[k]) > 1e-18f && fabsf(work.p[k]) < least ? fabsf(work.p[k]) : least;
    for (size_t k = 0; k < DIM; k++) {
        float power = fabsf(work.p[k]);
        shape[0][k] = power > 1e-18f ? copysignf(1, work.p[k]) : 0;
        shape[1][k] = power > 1e-18f ? power : 0;
        shape[2][k] = 1 / fmaxf(power, 1e-18f);
        for (size_t i = 0; i < TERMS && power > 1e-18f; i++, power *= least / fabsf(work.p[k]))
            weights[i] += nearest[i] * power;
    }
    NAME(find_scores)();
    memset(work.m, 0, work.stride * sizeof(float));
    memset(work.v, 0, work.stride * sizeof(float));
    for (size_t i = 0; i < TERMS; i++)
        memset(COLUMN(moved, i), 0, work.stride * sizeof(float));
    for (size_t epoch = 0; epoch < EPOCHS; epoch++) {
        double before_s = timed ? now_s() : 0;
        shuffle();
        work.part_s[SHUFFLING] += timed ? now_s() - before_s : 0;
        for (size_t at = 0; at < work.n; at += BATCH) {
            size_t n = work.n - at < BATCH ? work.n - at : BATCH;
            if (epoch == 0 || work.n > BATCH)
                count(at, n);
            NAME(step_1)(n, step_of(RATE, ++t), least, weights, shape);
        }
    }
    _Alignas(64) float factors[TERMS][DIM];
    for (size_t k = 0; k < DIM; k++) {
        float size = fabsf(work.p[k]), power = size > 1e-18f ? copysignf(1, work.p[k]) : 0;
        for (size_t i = 0; i < TERMS; i++, power *= power != 0 ? least / size : 0)
            factors[i][k] = nearest[i] * power;
    }
    for (size_t i = 0; i < work.n_rows; i++)
        for (size_t k = 0; k < DIM; k += WIDTH) {
            wide x = V(load_ps)(work.q[i] + k);
            for (size_t j = 0; j < TERMS; j++)
                x = V(fnmadd_ps)(ONE(COLUMN(moved, j)[i]), V(load_ps)(factors[j] + k), x);
            V(store_ps)(work.q[i] + k, x);
        }
}

/* The rows of the batch, from its tally. */
static void NAME(list_rows)(void) {
    uint32_t *rows = work.rows;
    for (size_t at = 0; at < work.stride; at += WIDTH) {
#if WIDTH == 16
        __mmask16 has = _mm512_test_epi32_mask(_mm512_load_si512(work.tally + at), _mm512_set1_epi32(-1));
        __m512i ids = _mm512_add_epi32(_mm512_set1_epi32((int)at),
            _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
        _mm512_storeu_si512(
            rows, _mm512_maskz_compress_epi32(has, ids)); /* faster than compressing into memory */
        rows += __builtin_popcount(has);
#else
        __m256i none = _mm256_cmpeq_epi32(
            _mm256_load_si256((const __m256i *)(const void *)(work.tally + at)), _mm256_setzero_si256());
        for (uint32_t has = ~(uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(none)) & 0xff; has;
             has &= has - 1)
            *rows++ = (uint32_t)at + (uint32_t)__builtin_ctz(has);
#endif
    }
    while ((rows - work.rows) % 16 > 0)
        *rows++ = (uint32_t)work.stride;
    work.n_batch = (size_t)(rows - work.rows);
}

static void NAME(step_few)(float *x, float *m, float *v, const float *g, size_t n, struct step step) {
    for (size_t i = 0; i < n; i++) {
        m[i] = BETA1 * m[i] + g[i];
        v[i] = BETA2 * v[i] + g[i] * g[i];
        x[i] -= step.rate * m[i] / (sqrtf(v[i]) + step.epsilon);
    }
}

static inline void NAME(step_a)(size_t j, size_t at, wide g, wide rate, wide epsilon) {
    wide m = V(fmadd_ps)(ONE(BETA1), V(load_ps)(COLUMN(am, j) + at), g);
    wide v = V(fmadd_ps)(ONE(BETA2), V(load_ps)(COLUMN(av, j) + at), V(mul_ps)(g, g));
    V(store_ps)(COLUMN(am, j) + at, m);
    V(store_ps)(COLUMN(av, j) + at, v);
    wide u = V(max_ps)(v, ONE(1e-36f)), root = V(mul_ps)(u, NAME(rsqrt)(u));
    wide r = NAME(reciprocal)(V(add_ps)(root, epsilon));
    V(store_ps)(COLUMN(a, j) + at, V(fnmadd_ps)(V(mul_ps)(rate, m), r, V(load_ps)(COLUMN(a, j) + at)));
}

/* Scores, coefficients and sums of the batch's rows, and then the step of A, of all rows. */
static void NAME(step_2)(size_t n, struct step items, struct step users) {
    _Alignas(64) float sums[DIM];
    float w[RANK] = {0}, gp[DIM], gb[RANK][DIM], scale = 1 / (float)n;
    wide sum[4 * DIM / WIDTH], factors[RANK] = {ONE(0), ONE(0)}, rate = ONE(items.rate),
                               epsilon = ONE(items.epsilon);
    const float *a0 = COLUMN(a, 0), *a1 = COLUMN(a, 1);
    for (size_t i = 0; i < 4 * DIM / WIDTH; i++)
        sum[i] = ONE(0);
    for (size_t j = 0; j < RANK; j++)
        for (size_t k = 0; k < DIM; k++)
            w[j] += work.b[j][k] * work.p[k];
    for (size_t at = 0; at < work.n_batch; at += WIDTH) {
#if WIDTH == 16
        __m512i ids = _mm512_load_si512(work.rows + at), tally = _mm512_i32gather_epi32(ids, work.tally, 4);
        wide x0 = _mm512_i32gather_ps(ids, a0, 4), x1 = _mm512_i32gather_ps(ids, a1, 4);
#else
        __m256i ids = _mm256_load_si256((const __m256i *)(const void *)(work.rows + at)),
                tally = _mm256_i32gather_epi32((const int *)work.tally, ids, 4);
        wide x0 = _mm256_i32gather_ps(a0, ids, 4), x1 = _mm256_i32gather_ps(a1, ids, 4);
#endif
        wide s = V(fmadd_ps)(ONE(w[0]), x0, V(fmadd_ps)(ONE(w[1]), x1, NAME(scores)(at, work.rows)));
        wide c = NAME(coefficient_of)(tally, s);
        V(store_ps)(work.some + at, c);
        factors[0] = V(fmadd_ps)(c, x0, factors[0]);
        factors[1] = V(fmadd_ps)(c, x1, factors[1]);
        for (size_t i = 0; i < WIDTH; i++) {
            const float *q = work.q[work.rows[at + i]];
            for (size_t k = 0; k < DIM / WIDTH; k++)
                sum[i % 4 * (DIM / WIDTH) + k] = V(fmadd_ps)(
                    ONE(work.some[at + i]), V(load_ps)(q + k * WIDTH), sum[i % 4 * (DIM / WIDTH) + k]);
            work.coefficient[work.rows[at + i]] = work.some[at + i];
        }
    }
    for (size_t k = 0; k < DIM / WIDTH; k++) {
        wide even = V(add_ps)(sum[k], sum[2 * (DIM / WIDTH) + k]);
        wide odd = V(add_ps)(sum[DIM / WIDTH + k], sum[3 * (DIM / WIDTH) + k]);
        V(store_ps)(sums + k * WIDTH, V(add_ps)(even, odd));
    }
    for (size_t at = 0; at < work.stride; at += WIDTH) {
        wide c = V(load_ps)(work.coefficient + at);
        V(store_ps)(work.coefficient + at, ONE(0));
        NAME(step_a)(0, at, V(mul_ps)(c, ONE(scale * w[0])), rate, epsilon);
        NAME(step_a)(1, at, V(mul_ps)(c, ONE(scale * w[1])), rate, epsilon);
    }
    float f[RANK] = {NAME(sum)(factors[0]), NAME(sum)(factors[1])};
    for (size_t k = 0; k < DIM; k++) {
        gp[k] = scale * (sums[k] + work.b[0][k] * f[0] + work.b[1][k] * f[1]);
        for (size_t j = 0; j < RANK; j++)
            gb[j][k] = scale * work.p[k] * f[j];
    }
    NAME(step_few)(work.b[0], work.bm[0], work.bv[0], gb[0], RANK * DIM, items);
    NAME(step_few)(work.p, work.pm, work.pv, gp, DIM, users);
}

static void NAME(train_private)(bool timed) {
    unsigned t = 0;
    for (size_t j = 0; j < RANK; j++) {
        memset(COLUMN(am, j), 0, work.stride * sizeof(float));
        memset(COLUMN(av, j), 0, work.stride * sizeof(float));
    }
    memset(work.bm, 0, sizeof work.bm);
    memset(work.bv, 0, sizeof work.bv);
    memset(work.pm, 0, sizeof work.pm);
    memset(work.pv, 0, sizeof work.pv);
    for (size_t epoch = 0; epoch < EPOCHS; epoch++) {
        double before_s = timed ? now_s() : 0;
        shuffle();
        work.part_s[SHUFFLING] += timed ? now_s() - before_s : 0;
        for (size_t at = 0; at < work.n; at += BATCH) {
            size_t n = work.n - at < BATCH ? work.n - at : BATCH;
            if (epoch == 0 || work.n > BATCH) {
                count(at, n);
                NAME(list_rows)();
            }
            t++;
            NAME(step_2)(n, step_of(CALIBRATION_RATE, t), step_of(RATE, t));
        }
    }
}

static void NAME(train)(bool timed) {
    double at_s[3] = {0}, shuffled_s = work.part_s[SHUFFLING], between_s;
    if (work.n == 0)
        return;
    at_s[0] = timed ? now_s() : 0;
    NAME(train_items)(timed);
    between_s = work.part_s[SHUFFLING];
    at_s[1] = timed ? now_s() : 0;
    NAME(train_private)(timed);
    at_s[2] = timed ? now_s() : 0;
    work.part_s[STEP_1] += at_s[1] - at_s[0] - (between_s - shuffled_s);
    work.part_s[STEP_2] += at_s[2] - at_s[1] - (work.part_s[SHUFFLING] - between_s);
}

#undef wide
#undef ONE
