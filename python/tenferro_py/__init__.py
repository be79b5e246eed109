"""Differentiable dense tensors."""

from tenferro_py._errors import TenferroError
from tenferro_py._native import Array, DType, Tensor

__all__ = ["Array", "DType", "Tensor", "TenferroError"]
