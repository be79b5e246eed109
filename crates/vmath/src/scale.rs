//! Exact scaling by powers of two, for the scalar fix-ups.

/// 2ⁿ for −1022 ≤ n ≤ 1023.
pub(crate) fn pow2(n: i32) -> f64 {
    f64::from_bits(((n + 1023) as u64) << 52)
}

/// x·2ⁿ for |n| ≤ 4000, rounded once.
pub(crate) fn ldexp(x: f64, n: i32) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    let e = exponent(x);
    // x·2⁻ᵉ is in [1, 2); in two steps, as 2⁻ᵉ itself may not be a double.
    let unit = x * pow2(-(e / 2)) * pow2(-(e - e / 2));
    let target = (e + n).clamp(-1100, 1024);
    let first = target / 2;
    // The first product is exact; only the second can round or overflow.
    unit * pow2(first) * pow2(target - first)
}

/// m·x·2ⁿ for |n| ≤ 3900 and m near 1, rounded once also where x is subnormal.
pub(crate) fn scaled(m: f64, x: f64, n: i32) -> f64 {
    ldexp(m * ldexp(x, 64), n - 64)
}

/// floor(log2 |x|) of a finite x ≠ 0, subnormals included; −1074 for 0.
pub(crate) fn exponent(x: f64) -> i32 {
    let biased = ((x.to_bits() >> 52) & 0x7ff) as i32;
    if biased > 0 {
        return biased - 1023;
    }
    let mantissa = x.to_bits() & ((1 << 52) - 1);
    -1011 - (mantissa | 1).leading_zeros() as i32
}
