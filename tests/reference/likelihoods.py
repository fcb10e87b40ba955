"""The likelihoods in high precision, straight from their definitions."""

import mpmath as mp

mp.mp.dps = 60


def moments(kind, a, b, y, m, v):
    """log Z, g1, g2; derivatives taken from the closed forms of Z itself."""
    m, v, a, b = mp.mpf(m), mp.mpf(v), mp.mpf(a), mp.mpf(b)
    sigma = mp.sqrt(v) if kind == "flip" else mp.sqrt(a**2 + v)
    u = (y * m - (0 if kind == "flip" else b)) / sigma
    cdf = mp.erfc(-u / mp.sqrt(2)) / 2
    pdf = mp.exp(-u * u / 2) / mp.sqrt(2 * mp.pi)
    weight = 1 - 2 * a if kind == "flip" else mp.mpf(1)
    z = a + weight * cdf if kind == "flip" else cdf
    first = y * weight * pdf / sigma / z  # dZ/dm over Z
    second = -weight * u * pdf / sigma**2 / z - first**2  # d2Z/dm2 over Z, less the square
    log_z = mp.log1p(-mp.erfc(u / mp.sqrt(2)) / 2) if kind != "flip" and u > 0 else mp.log(z)  # 1 - 1e-800 needs it
    return log_z, first, second
