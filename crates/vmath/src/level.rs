//! Instruction-set levels and their detection.

use std::sync::OnceLock;

/// An instruction-set level the kernels are compiled for, in ascending order of preference.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Level {
    /// What every processor of the target has; no fused multiply-add.
    Baseline,
    /// AArch64 Advanced SIMD with FMA.
    Neon,
    /// x86-64 with AVX2 and FMA.
    Avx2,
    /// x86-64 with AVX-512 F, DQ, VL, BW, and FMA.
    Avx512,
}

impl Level {
    /// The best level of this machine, found once.  The environment variable `TENFERRO_ISA` (a level's name) may lower
    /// it; a level the machine lacks, or an unknown name, changes nothing.
    pub fn best() -> Level {
        static BEST: OnceLock<Level> = OnceLock::new();
        *BEST.get_or_init(|| choose(&std::env::var("TENFERRO_ISA").unwrap_or_default()))
    }

    /// Whether this machine can run the level.
    pub fn available(self) -> bool {
        match self {
            Level::Baseline => true,
            #[cfg(target_arch = "aarch64")]
            Level::Neon => std::arch::is_aarch64_feature_detected!("neon"),
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"),
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512bw")
                    && Level::Avx2.available()
            }
            #[allow(unreachable_patterns)]
            _ => false,
        }
    }

    /// Every level, ascending.
    pub fn all() -> &'static [Level] {
        &[Level::Baseline, Level::Neon, Level::Avx2, Level::Avx512]
    }

    /// The name `TENFERRO_ISA` uses.
    pub fn name(self) -> &'static str {
        match self {
            Level::Baseline => "baseline",
            Level::Neon => "neon",
            Level::Avx2 => "avx2",
            Level::Avx512 => "avx512",
        }
    }
}

/// The level called `asked` if this machine has it, else its best.
fn choose(asked: &str) -> Level {
    let available = || Level::all().iter().copied().filter(|l| l.available());
    let best = available().max().unwrap_or(Level::Baseline);
    available().find(|l| l.name() == asked).unwrap_or(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_lowers_the_level_and_nothing_raises_it() {
        assert_eq!(choose("baseline"), Level::Baseline);
        let best = choose("");
        for level in Level::all() {
            let want = if level.available() { *level } else { best };
            assert_eq!(choose(level.name()), want);
            assert!(want <= best && want.available());
        }
        assert_eq!(choose("quantum"), best);
    }
}
