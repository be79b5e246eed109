//! Definitions and derivative rules of the factorizations.
