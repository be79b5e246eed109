"""The 2-D Ising model, square lattice, infinite size, exactly (Onsager 1944).

With K = β (J = 1): ln Z/N and its first two derivatives in β. The energy per
spin is minus the first, the specific heat β² times the second.
"""

import math


def _modulus(beta):
    """The modulus k = 2 sinh 2K / cosh² 2K and its complement √(1 − k²) = |1 − sinh² 2K| / cosh² 2K.

    As a square root the complement would lose its digits near the critical point, where it is 0; what rounding
    does not tell from there counts as an ulp beside it.
    """
    s, c = math.sinh(2 * beta), math.cosh(2 * beta)
    return 2 * s / c**2, max(abs((1 - s) * (1 + s)) / c**2, 2.0**-53)


def _elliptic(k, complement):
    """Complete elliptic integrals K(k), E(k) by the arithmetic-geometric mean."""
    a, b, c, power, total = 1.0, complement, k, 0.5, 0.0
    for _ in range(14):  # quadratic convergence: ample for every complement in double precision
        total += power * c * c
        a, b, c, power = (a + b) / 2, math.sqrt(a * b), (a - b) / 2, 2 * power
    total += power * c * c
    first = math.pi / (2 * a)
    return first, first * (1.0 - total)


def log_z(beta):
    """ln Z/N = ln(2 cosh 2K) + (1/2π)∫₀^π ln[(1 + √(1 − k² sin²φ))/2] dφ."""
    k, complement = _modulus(beta)
    # The midpoint rule converges geometrically for smooth periodic integrands; at the critical point to 1e-8.
    n = 4096
    total = 0.0
    for i in range(n):
        root = math.hypot(complement, k * math.cos(math.pi * (i + 0.5) / n))
        total += math.log((1 + root) / 2)
    return math.log(2 * math.cosh(2 * beta)) + total / (2 * n)


def d_log_z(beta):
    """coth 2K [1 + (2/π)(2 tanh² 2K − 1) K(k)]."""
    t2 = math.tanh(2 * beta) ** 2
    return (1 + 2 / math.pi * (2 * t2 - 1) * _elliptic(*_modulus(beta))[0]) / math.tanh(2 * beta)


def d2_log_z(beta):
    """(4/π) coth² 2K {K − E − (1 − tanh² 2K)[π/2 + (2 tanh² 2K − 1) K]}; it grows without end at the critical point."""
    t2 = math.tanh(2 * beta) ** 2
    first, second = _elliptic(*_modulus(beta))
    return 4 / (math.pi * t2) * (first - second - (1 - t2) * (math.pi / 2 + (2 * t2 - 1) * first))
