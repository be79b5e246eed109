//! Interpreters over Program: jvp, linearize, transpose, vjp, batch.
