//! 128-bit identities of values and programs.

use std::fmt;

use xxhash_rust::xxh3::xxh3_128;

use crate::aval::{Aval, Shape};
use crate::dim::Dim;
use crate::dtype::DType;

/// A 16-byte identity, the same in every process.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint(pub u128);

impl Fingerprint {
    pub fn to_bytes(self) -> [u8; 16] {
        self.0.to_le_bytes()
    }

    /// The identity of bytes of any length.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self(xxh3_128(bytes))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// Collects the bytes that say what something is.
#[derive(Default)]
pub struct Encoder {
    bytes: Vec<u8>,
}

impl Encoder {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn clear(&mut self) {
        self.bytes.clear();
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub fn finish(&self) -> Fingerprint {
        Fingerprint::of_bytes(&self.bytes)
    }

    pub fn u64(&mut self, x: u64) {
        self.bytes.extend_from_slice(&x.to_le_bytes());
    }

    pub fn usize(&mut self, x: usize) {
        self.u64(x as u64);
    }

    pub fn i64(&mut self, x: i64) {
        self.u64(x as u64);
    }

    pub fn bool(&mut self, x: bool) {
        self.bytes.push(u8::from(x));
    }

    /// Floats as bits, so that −0 and NaN payloads count.
    pub fn f64(&mut self, x: f64) {
        self.u64(x.to_bits());
    }

    pub fn str(&mut self, s: &str) {
        self.usize(s.len());
        self.bytes.extend_from_slice(s.as_bytes());
    }

    pub fn fingerprint(&mut self, f: Fingerprint) {
        self.bytes.extend_from_slice(&f.to_bytes());
    }

    pub fn usizes(&mut self, xs: &[usize]) {
        self.usize(xs.len());
        for x in xs {
            self.usize(*x);
        }
    }

    pub fn dtype(&mut self, d: DType) {
        self.bytes.push(d as u8);
    }

    pub fn dim(&mut self, d: &Dim) {
        match d {
            Dim::Const(n) => {
                self.bool(true);
                self.usize(*n);
            }
            Dim::Poly(_) => {
                self.bool(false);
                self.str(&d.to_string());
            }
        }
    }

    pub fn shape(&mut self, s: &Shape) {
        self.usize(s.rank());
        for d in s.iter() {
            self.dim(d);
        }
    }

    pub fn aval(&mut self, a: &Aval) {
        self.dtype(a.dtype);
        self.shape(&a.shape);
    }
}
