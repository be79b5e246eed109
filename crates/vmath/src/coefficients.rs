//! Coefficients and split constants, written by `fit/fit.py`: change that script, not this file.
// The values are fits and splits; std's constants differ from some in the last digits or in meaning.
#![allow(clippy::approx_constant)]

/// (sin r - r)/r³ in r², |r| ≤ π/4; largest error 2^-57.9.
pub(crate) const SIN: [f64; 6] = [
    -0.1666666666666663,
    0.008333333333322061,
    -0.00019841269829542265,
    2.7557313604420385e-06,
    -2.5050745022421533e-08,
    1.589606666541526e-10,
];

/// (sin r - r)/r³ in r², |r| ≤ π/4; largest error 2^-37.5.
pub(crate) const SIN_SHORT: [f64; 4] = [-0.16666666640692418, 0.008333329292624706, -0.00019839308320624286, 2.718083831994705e-06];

/// (cos r - 1 + r²/2)/r⁴ in r², |r| ≤ π/4; largest error 2^-64.2.
pub(crate) const COS: [f64; 6] = [
    0.0416666666666666,
    -0.0013888888888874064,
    2.4801587289443536e-05,
    -2.7557314340668656e-07,
    2.0875721624219168e-09,
    -1.1359559324512823e-11,
];

/// (cos r - 1 + r²/2)/r⁴ in r², |r| ≤ π/4; largest error 2^-43.2.
pub(crate) const COS_SHORT: [f64; 4] = [0.04166666662265504, -0.0013888883738166465, 2.479951591554474e-05, -2.720989457870716e-07];

/// (eʳ - 1 - r)/r² in r, |r| ≤ ln 2 / 2; largest error 2^-57.9.
pub(crate) const EXP: [f64; 10] = [
    0.5000000000000011,
    0.16666666666666413,
    0.0416666666665302,
    0.00833333333349457,
    0.0013888888943651705,
    0.00019841269506356042,
    2.4801493050454873e-05,
    2.755758647639853e-06,
    2.763027337073731e-07,
    2.5000076553392624e-08,
];

/// (eʳ - 1 - r)/r² in r, |r| ≤ ln 2 / 2; largest error 2^-34.2.
pub(crate) const EXP_SHORT: [f64; 6] =
    [0.5000000067708876, 0.166666658681709, 0.04166629469069745, 0.008333497156582348, 0.0013944684956538856, 0.00019790368178555868];

/// (2 atanh s - 2s)/s³ in s², |s| ≤ 3 - 2√2; largest error 2^-58.5.
pub(crate) const LOG: [f64; 7] = [
    0.6666666666666735,
    0.399999999994111,
    0.2857142874326194,
    0.222221984760365,
    0.1818356973780208,
    0.1531390328618253,
    0.14797507436532495,
];

/// (2 atanh s - 2s)/s³ in s², |s| ≤ 3 - 2√2; largest error 2^-36.6.
pub(crate) const LOG_SHORT: [f64; 4] = [0.666666656413296, 0.4000033621034046, 0.28537238802027515, 0.23583561680773782];

/// (atan t - t)/t³ in t², |t| ≤ tan π/8; largest error 2^-59.5.
pub(crate) const ATAN: [f64; 11] = [
    -0.333333333333332,
    0.1999999999995366,
    -0.1428571428020388,
    0.11111110783806907,
    -0.09090897766867798,
    0.07692060358280237,
    -0.06663105419380075,
    0.05847897155020235,
    -0.05039329877781824,
    0.03806493351667042,
    -0.017907323097526632,
];

/// 2/π.
pub(crate) const TWO_OVER_PI: f64 = 0.6366197723675814;

/// 1/ln 2.
pub(crate) const LOG2_E: f64 = 1.4426950408889634;

/// π/2 in doubles (for FMA), part 1 of 3.
pub(crate) const HALF_PI_1: f64 = 1.5707963267948966;

/// π/2 in doubles (for FMA), part 2 of 3.
pub(crate) const HALF_PI_2: f64 = 6.123233995736766e-17;

/// π/2 in doubles (for FMA), part 3 of 3.
pub(crate) const HALF_PI_3: f64 = -1.4973849048591698e-33;

/// π/2 in parts whose products with 20-bit integers are exact, part 1 of 4.
pub(crate) const HALF_PI_CUT_1: f64 = 1.5707963267341256;

/// π/2 in parts whose products with 20-bit integers are exact, part 2 of 4.
pub(crate) const HALF_PI_CUT_2: f64 = 6.077100506303966e-11;

/// π/2 in parts whose products with 20-bit integers are exact, part 3 of 4.
pub(crate) const HALF_PI_CUT_3: f64 = 2.0222662487111665e-21;

/// π/2 in parts whose products with 20-bit integers are exact, part 4 of 4.
pub(crate) const HALF_PI_CUT_4: f64 = 8.4784276603689e-32;

/// ln 2, the first part exact in products with 11-bit integers, part 1 of 2.
pub(crate) const LN_2_1: f64 = 0.6931471805598903;

/// ln 2, the first part exact in products with 11-bit integers, part 2 of 2.
pub(crate) const LN_2_2: f64 = 5.497923018708371e-14;

/// π/4, part 1 of 2.
pub(crate) const QUARTER_PI_1: f64 = 0.7853981633974483;

/// π/4, part 2 of 2.
pub(crate) const QUARTER_PI_2: f64 = 3.061616997868383e-17;

/// π, part 1 of 2.
pub(crate) const PI_1: f64 = 3.141592653589793;

/// π, part 2 of 2.
pub(crate) const PI_2: f64 = 1.2246467991473532e-16;

/// tan π/8.
pub(crate) const TAN_EIGHTH_PI: f64 = 0.41421356237309503;

/// 64 zero bits, then the bits of 2/π.
pub(crate) const TWO_OVER_PI_BITS: [u64; 21] = [
    0x0000000000000000,
    0xa2f9836e4e441529,
    0xfc2757d1f534ddc0,
    0xdb6295993c439041,
    0xfe5163abdebbc561,
    0xb7246e3a424dd2e0,
    0x06492eea09d1921c,
    0xfe1deb1cb129a73e,
    0xe88235f52ebb4484,
    0xe99c7026b45f7e41,
    0x3991d639835339f4,
    0x9c845f8bbdf9283b,
    0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f,
    0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea,
    0x6bfb5fb11f8d5d08,
    0x56033046fc7b6bab,
    0xf0cfbc209af4361d,
];
