//! Differentiable dense tensors: the crates of tenferro under one name.
