//! TracedTensor, GraphCompiler, Runtime, eager tape.
