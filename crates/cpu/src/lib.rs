//! CpuEngine: planner, block machine, lowerings, thread team.
