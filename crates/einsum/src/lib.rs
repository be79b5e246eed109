//! Explicit einsum, lowered to dot_general.
