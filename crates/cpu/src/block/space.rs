//! How reductions cut an iteration space. It is walked as `outer` × `depth` × `width`;
//! `depth` is reduced. The cuts depend on these numbers alone, so bits do not depend
//! on threads or on what else the group computes.

use tenferro_graph::SmallVec;

use super::BLOCK;

/// Elements whose reduction is one leaf of a tree; a multiple of a block.
pub(crate) const CHUNK: usize = 16 * BLOCK;
/// Blocks below each other that are one leaf of a tree across rows.
const DEEP: usize = 64;
/// Columns that are reduced together if their accumulators lie in memory: long runs of it are read.
const WIDE: usize = 4 * BLOCK;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Space {
    pub outer: usize,
    pub depth: usize,
    pub width: usize,
    /// Columns of a piece across rows. Which ones are together changes no result.
    pub tile: usize,
}

/// What is done at once: blocks that end in one part of a result, or in whole results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Results `first .. first + count` of `outer`, several in a block.
    Packed { first: usize, count: usize },
    /// Elements `from .. to` of the space, one part of result `result`.
    Along { from: usize, to: usize, part: usize },
    /// Rows `from .. to`, `length` columns from `column` on.
    Across { outer: usize, from: usize, to: usize, column: usize, length: usize, part: usize },
}

impl Space {
    /// Of a group that reduces nothing.
    pub const FLAT: Self = Self { outer: 1, depth: 1, width: 1, tile: BLOCK };

    /// Of a group whose accumulators may lie in memory: wider pieces, where rows are longer than a block.
    pub fn wide(self) -> Self {
        Self { tile: if self.width > BLOCK / 2 { WIDE } else { BLOCK }, ..self }
    }

    #[cfg(test)]
    pub fn size(self) -> usize {
        self.outer * self.depth * self.width
    }

    /// Positions of `outer` that fit in one block; 0 if a block holds less than two.
    pub fn packed(self) -> usize {
        let n = BLOCK / (self.depth * self.width);
        if n < 2 || self.outer < 2 { 0 } else { n }
    }

    /// Rows that one block holds side by side.
    pub fn rows(self) -> usize {
        (BLOCK / self.width).max(1)
    }

    fn tiles(self) -> usize {
        self.width.div_ceil(self.tile)
    }

    /// Parts of each result, joined by a tree.
    pub fn parts(self) -> usize {
        if self.packed() > 0 {
            1
        } else if self.width == 1 {
            self.depth.div_ceil(CHUNK)
        } else {
            self.depth.div_ceil(DEEP * self.rows())
        }
    }

    pub fn pieces(self) -> usize {
        match self.packed() {
            0 => self.outer * self.parts() * self.tiles(),
            n => self.outer.div_ceil(n * CHUNK / BLOCK),
        }
    }

    pub fn piece(self, i: usize) -> Piece {
        let many = self.packed() * CHUNK / BLOCK;
        if many > 0 {
            let first = i * many;
            return Piece::Packed { first, count: many.min(self.outer - first) };
        }
        let parts = self.parts();
        if self.width == 1 {
            let (outer, chunk) = (i / parts, i % parts);
            let from = outer * self.depth + chunk * CHUNK;
            return Piece::Along { from, to: (from + CHUNK).min((outer + 1) * self.depth), part: i };
        }
        let (part, tile) = (i / self.tiles(), i % self.tiles());
        let (column, from) = (tile * self.tile, part % parts * DEEP * self.rows());
        let to = (from + DEEP * self.rows()).min(self.depth);
        Piece::Across { outer: part / parts, from, to, column, length: self.tile.min(self.width - column), part }
    }
}

/// The order in which a group walks its axes so that `reduced` ones are neighbours, and
/// the space that it then is. Kept axes at the end of `order` stay there.
pub(crate) fn arranged(shape: &[usize], order: &[usize], reduced: &[usize]) -> (SmallVec<[usize; 6]>, Space) {
    let long: SmallVec<[usize; 6]> = order.iter().copied().filter(|a| shape[*a] != 1).collect();
    let inner = long.iter().rev().take_while(|a| !reduced.contains(a)).count();
    let (front, back) = long.split_at(long.len() - inner);
    let kept = front.iter().filter(|a| !reduced.contains(a));
    let middle = front.iter().filter(|a| reduced.contains(a));
    let length = |axes: &mut dyn Iterator<Item = &usize>| axes.map(|a| shape[*a]).product();
    let space =
        Space { outer: length(&mut kept.clone()), depth: length(&mut middle.clone()), width: length(&mut back.iter()), tile: BLOCK };
    let ones = order.iter().filter(|a| shape[**a] == 1);
    (kept.chain(middle).chain(back).chain(ones).copied().collect(), space)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often each element is in a piece, and each part is written.
    fn covered(s: Space) -> (Vec<usize>, Vec<usize>) {
        let (mut elements, mut parts) = (vec![0; s.size()], vec![0; s.outer * s.parts() * s.width]);
        for i in 0..s.pieces() {
            match s.piece(i) {
                Piece::Packed { first, count } => {
                    let each = s.depth * s.width;
                    elements[first * each..(first + count) * each].iter_mut().for_each(|n| *n += 1);
                    parts[first * s.width..(first + count) * s.width].iter_mut().for_each(|n| *n += 1);
                }
                Piece::Along { from, to, part } => {
                    elements[from..to].iter_mut().for_each(|n| *n += 1);
                    parts[part] += 1;
                }
                Piece::Across { outer, from, to, column, length, part } => {
                    for row in from..to {
                        let at = (outer * s.depth + row) * s.width + column;
                        elements[at..at + length].iter_mut().for_each(|n| *n += 1);
                    }
                    parts[part * s.width + column..][..length].iter_mut().for_each(|n| *n += 1);
                }
            }
        }
        (elements, parts)
    }

    #[test]
    fn every_element_is_in_one_piece_and_every_part_is_written_once() {
        for outer in [1, 2, 7, 300] {
            for depth in [2, 31, 129, 256, 5000] {
                for width in [1, 3, 200, 256, 600, 1025] {
                    let space = Space { outer, depth, width, tile: BLOCK };
                    for space in [space, space.wide()].into_iter().filter(|s| s.size() < 3_000_000) {
                        let (elements, parts) = covered(space);
                        assert!(elements.iter().chain(&parts).all(|n| *n == 1), "{space:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn reduced_axes_become_neighbours() {
        let shape = [4, 5, 1, 6];
        let of = |order: &[usize], reduced: &[usize]| arranged(&shape, order, reduced);
        let (order, space) = of(&[0, 1, 3, 2], &[1]);
        assert_eq!((order.as_slice(), space), (&[0, 1, 3, 2][..], Space { outer: 4, depth: 5, width: 6, tile: BLOCK }));
        let (order, space) = of(&[0, 1, 3, 2], &[0, 3]);
        assert_eq!((order.as_slice(), space), (&[1, 0, 3, 2][..], Space { outer: 5, depth: 24, width: 1, tile: BLOCK }));
        let (order, space) = of(&[3, 1, 0, 2], &[0, 1, 2, 3]);
        assert_eq!((order.as_slice(), space), (&[3, 1, 0, 2][..], Space { outer: 1, depth: 120, width: 1, tile: BLOCK }));
    }
}
