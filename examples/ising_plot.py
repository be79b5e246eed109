"""A picture of the thermodynamics: points by TRG, lines by Onsager. Needs matplotlib."""

import ising_exact
import matplotlib

matplotlib.use("Agg")  # a file is written; no window opens

from matplotlib import pyplot

# (title of the axis, value at β, exact function of β)
PANELS = (
    ("ln Z / N", ising_exact.log_z),
    ("energy per spin", lambda beta: -ising_exact.d_log_z(beta)),
    ("specific heat per spin", lambda beta: beta**2 * ising_exact.d2_log_z(beta)),
)
CRITICAL = 0.44068679350977147  # ln(1 + √2)/2


def betas_between(low, high, n=400):
    """A grid that leaves out the critical point, where the specific heat has no limit."""
    grid = [low + (high - low) * i / (n - 1) for i in range(n)]
    return [b for b in grid if abs(b - CRITICAL) > 1e-6]


def draw(path, rows, chi, steps):
    """Writes the picture of rows (β, lnZ/N, energy, specific heat) to a file."""
    rows = sorted(rows)
    beta = [row[0] for row in rows]
    width = max(beta[-1] - beta[0], 0.02)
    grid = betas_between(max(beta[0] - 0.05 * width, 1e-3), beta[-1] + 0.05 * width)
    figure, panels = pyplot.subplots(len(PANELS), 1, sharex=True, figsize=(6.4, 8.4), constrained_layout=True)
    for k, (axes, (title, exact)) in enumerate(zip(panels, PANELS, strict=True)):
        axes.plot(grid, [exact(b) for b in grid], color="0.4", linewidth=1, label="Onsager, infinite size")
        axes.plot(beta, [row[k + 1] for row in rows], "o", markersize=5, label=f"TRG, χ = {chi}, 2^{steps} spins")
        axes.axvline(CRITICAL, color="0.8", linewidth=1, linestyle="--", zorder=0)
        axes.set_ylabel(title)
    panels[0].legend()
    panels[0].set_title("2-D Ising model, square lattice")
    panels[-1].set_xlabel("β J")
    figure.savefig(path, dpi=150)
    pyplot.close(figure)
