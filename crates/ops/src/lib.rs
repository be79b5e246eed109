//! Op families and composites over the contracts of tenferro-graph.
