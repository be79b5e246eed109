"""Linear algebra over the last two axes; leading axes are batches.

Names and signatures are those of NumPy, the array API and, where these have none, SciPy. Each
function takes tensors, traced tensors, eager tensors and array-likes, and gives the kind it was
given. Integers and bool become float64.
"""

from tenferro_py._arrays import matrix_transpose
from tenferro_py._contractions import matmul
from tenferro_py._products import cross, kron, outer, tensordot, vecdot
from tenferro_py.linalg._diagonals import diagonal, trace
from tenferro_py.linalg._eigen import eig, eigh, eigvals, eigvalsh
from tenferro_py.linalg._functions import expm, logm, matrix_power, multi_dot, polar, sqrtm
from tenferro_py.linalg._norms import cond, det, matrix_norm, norm, slogdet, vector_norm
from tenferro_py.linalg._results import EighResult, EigResult, QRResult, SlogdetResult, SVDResult
from tenferro_py.linalg._solve import cho_solve, inv, lu_solve, solve, solve_triangular
from tenferro_py.linalg._subspaces import lstsq, matrix_rank, null_space, orth, pinv
from tenferro_py.linalg._svd import svd, svd_cut_gap, svd_gauge_residual, svd_trunc, svdvals
from tenferro_py.linalg._triangular import cholesky, lq, lu, lu_factor, qr

__all__ = [
    "EigResult",
    "EighResult",
    "QRResult",
    "SVDResult",
    "SlogdetResult",
    "cho_solve",
    "cholesky",
    "cond",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "expm",
    "inv",
    "kron",
    "logm",
    "lq",
    "lstsq",
    "lu",
    "lu_factor",
    "lu_solve",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "multi_dot",
    "norm",
    "null_space",
    "orth",
    "outer",
    "pinv",
    "polar",
    "qr",
    "slogdet",
    "solve",
    "solve_triangular",
    "sqrtm",
    "svd",
    "svd_cut_gap",
    "svd_gauge_residual",
    "svd_trunc",
    "svdvals",
    "tensordot",
    "trace",
    "vecdot",
    "vector_norm",
]
