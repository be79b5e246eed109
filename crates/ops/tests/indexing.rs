//! Indices and updates of every kind, against NumPy's results.

mod support;

use support::interpreter::Arr;
use support::{Now, derivative_errors, program};
use tenferro_graph::{DType, Result, Tensor};
use tenferro_ops::*;

type Entry = IndexEntry<Now>;

const NEW: Entry = IndexEntry::Basic(Index::NewAxis);
const DOTS: Entry = IndexEntry::Basic(Index::Ellipsis);

fn at(i: isize) -> Entry {
    IndexEntry::Basic(Index::At(i))
}

fn range(start: Option<isize>, stop: Option<isize>, step: Option<isize>) -> Entry {
    IndexEntry::Basic(Index::Range { start, stop, step })
}

fn whole(shape: &[usize], data: &[f64]) -> Now {
    Now(Arr { dtype: DType::I64, ..Arr::real(shape, data) })
}

fn numbers(shape: &[usize], data: &[f64]) -> Entry {
    IndexEntry::Array(whole(shape, data))
}

fn mask(shape: &[usize], data: &[u8]) -> Entry {
    let holds: Vec<bool> = data.iter().map(|x| *x == 1).collect();
    IndexEntry::Mask(Tensor::from_slice(shape, &holds).expect("a mask"))
}

fn of(shape: &[usize], data: &[f64]) -> Now {
    Now(Arr::real(shape, data))
}

fn counted(shape: &[usize], first: f64) -> Now {
    let n: usize = shape.iter().product();
    of(shape, &(0..n).map(|i| i as f64 + first).collect::<Vec<_>>())
}

fn values(x: &Result<Now>) -> Vec<f64> {
    x.as_ref().expect("a value").0.data.iter().map(|v| v.re).collect()
}

/// NumPy 2.3's `x[index]` of `x = arange(24).reshape(2, 3, 4)`.
#[test]
fn parts_are_numpys() {
    let x = counted(&[2, 3, 4], 0.0);
    let cases: [(Vec<Entry>, &[usize], &[f64]); 29] = [
        (
            vec![range(None, None, Some(-1))],
            &[2, 3, 4],
            &[
                12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0,
                10.0, 11.0,
            ],
        ),
        (vec![DOTS, range(None, None, Some(-2))], &[2, 3, 2], &[3.0, 1.0, 7.0, 5.0, 11.0, 9.0, 15.0, 13.0, 19.0, 17.0, 23.0, 21.0]),
        (
            vec![DOTS, range(Some(10), Some(0), Some(-1))],
            &[2, 3, 3],
            &[3.0, 2.0, 1.0, 7.0, 6.0, 5.0, 11.0, 10.0, 9.0, 15.0, 14.0, 13.0, 19.0, 18.0, 17.0, 23.0, 22.0, 21.0],
        ),
        (vec![at(0), range(Some(-1), Some(-4), Some(-1))], &[3, 4], &[8.0, 9.0, 10.0, 11.0, 4.0, 5.0, 6.0, 7.0, 0.0, 1.0, 2.0, 3.0]),
        (vec![range(None, None, Some(-1)), NEW, at(1), range(Some(3), None, Some(-3))], &[2, 1, 2], &[19.0, 16.0, 7.0, 4.0]),
        (vec![DOTS, range(Some(0), Some(3), Some(-1))], &[2, 3, 0], &[]),
        (
            vec![numbers(&[3], &[1.0, 0.0, 1.0])],
            &[3, 3, 4],
            &[
                12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0,
                10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0,
            ],
        ),
        (
            vec![DOTS, numbers(&[2, 2], &[3.0, 0.0, 1.0, -1.0])],
            &[2, 3, 2, 2],
            &[
                3.0, 0.0, 1.0, 3.0, 7.0, 4.0, 5.0, 7.0, 11.0, 8.0, 9.0, 11.0, 15.0, 12.0, 13.0, 15.0, 19.0, 16.0, 17.0, 19.0, 23.0, 20.0,
                21.0, 23.0,
            ],
        ),
        (
            vec![range(None, None, None), numbers(&[2], &[2.0, 0.0])],
            &[2, 2, 4],
            &[8.0, 9.0, 10.0, 11.0, 0.0, 1.0, 2.0, 3.0, 20.0, 21.0, 22.0, 23.0, 12.0, 13.0, 14.0, 15.0],
        ),
        (vec![numbers(&[2], &[0.0, 1.0]), numbers(&[2], &[2.0, -1.0])], &[2, 4], &[8.0, 9.0, 10.0, 11.0, 20.0, 21.0, 22.0, 23.0]),
        (
            vec![numbers(&[2], &[0.0, 1.0]), range(None, None, None), numbers(&[2], &[3.0, 0.0])],
            &[2, 3],
            &[3.0, 7.0, 11.0, 12.0, 16.0, 20.0],
        ),
        (vec![at(0), range(None, None, None), numbers(&[2], &[3.0, 0.0])], &[2, 3], &[3.0, 7.0, 11.0, 0.0, 4.0, 8.0]),
        (vec![range(None, None, None), numbers(&[2], &[0.0, 2.0]), numbers(&[2], &[1.0, 1.0])], &[2, 2], &[1.0, 9.0, 13.0, 21.0]),
        (vec![range(None, None, None), at(0), numbers(&[2], &[1.0, 2.0])], &[2, 2], &[1.0, 2.0, 13.0, 14.0]),
        (
            vec![NEW, numbers(&[3], &[1.0, 1.0, 0.0]), at(0)],
            &[1, 3, 4],
            &[12.0, 13.0, 14.0, 15.0, 12.0, 13.0, 14.0, 15.0, 0.0, 1.0, 2.0, 3.0],
        ),
        (
            vec![range(None, None, None), numbers(&[2, 1], &[0.0, 2.0]), numbers(&[2], &[1.0, 3.0])],
            &[2, 2, 2],
            &[1.0, 3.0, 9.0, 11.0, 13.0, 15.0, 21.0, 23.0],
        ),
        (vec![numbers(&[1], &[1.0]), DOTS, numbers(&[1], &[2.0])], &[1, 3], &[14.0, 18.0, 22.0]),
        (vec![range(None, None, None), numbers(&[1], &[1.0]), DOTS, numbers(&[1], &[2.0])], &[1, 2], &[6.0, 18.0]),
        (vec![range(None, None, None), numbers(&[2], &[0.0, 2.0]), NEW, numbers(&[2], &[1.0, 3.0])], &[2, 2, 1], &[1.0, 13.0, 11.0, 23.0]),
        (
            vec![DOTS, numbers(&[2], &[0.0, 2.0]), range(None, None, Some(-1))],
            &[2, 2, 4],
            &[3.0, 2.0, 1.0, 0.0, 11.0, 10.0, 9.0, 8.0, 15.0, 14.0, 13.0, 12.0, 23.0, 22.0, 21.0, 20.0],
        ),
        (
            vec![numbers(&[2], &[1.0, 0.0]), range(None, None, Some(2)), range(Some(3), Some(0), Some(-2))],
            &[2, 2, 2],
            &[15.0, 13.0, 23.0, 21.0, 3.0, 1.0, 11.0, 9.0],
        ),
        (vec![numbers(&[0], &[])], &[0, 3, 4], &[]),
        (
            vec![mask(&[2, 3, 4], &[0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1])],
            &[16],
            &[8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0],
        ),
        (
            vec![range(None, None, None), mask(&[3], &[1, 0, 1])],
            &[2, 2, 4],
            &[0.0, 1.0, 2.0, 3.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 20.0, 21.0, 22.0, 23.0],
        ),
        (vec![mask(&[2], &[1, 0]), range(None, None, None), numbers(&[1], &[2.0])], &[1, 3], &[2.0, 6.0, 10.0]),
        (vec![mask(&[2, 3], &[1, 0, 0, 0, 1, 1])], &[3, 4], &[0.0, 1.0, 2.0, 3.0, 16.0, 17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0]),
        (vec![mask(&[2, 3], &[1, 0, 0, 0, 1, 1]), numbers(&[3], &[1.0, 2.0, 3.0])], &[3], &[1.0, 18.0, 23.0]),
        (vec![numbers(&[], &[1.0])], &[3, 4], &[12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0]),
        (vec![range(None, None, None), numbers(&[], &[2.0]), range(Some(1), Some(3), None)], &[2, 2], &[9.0, 10.0, 21.0, 22.0]),
    ];
    for (entries, shape, data) in cases {
        let y = index(&x, &entries);
        assert_eq!(y.as_ref().expect("a part").0.shape, shape, "{entries:?}");
        assert_eq!(values(&y), data, "{entries:?}");
    }
}

/// One way of changing `arange(1, 13).reshape(3, 4)`: the index, the updates, and NumPy's results.
type Change<'a> = (Vec<Entry>, Now, [&'a [f64]; 4]);

/// `x[index] = u`, and `add.at`, `multiply.at`, `minimum.at` of NumPy 2.3.
#[test]
#[allow(clippy::too_many_lines, reason = "a table")]
fn changes_are_numpys() {
    let x = counted(&[3, 4], 1.0);
    let cases: [Change<'_>; 16] = [
        (
            vec![at(1)],
            of(&[4], &[4.0, 5.0, 7.0, 8.0]),
            [
                &[1.0, 2.0, 3.0, 4.0, 4.0, 5.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0],
                &[1.0, 2.0, 3.0, 4.0, 9.0, 11.0, 14.0, 16.0, 9.0, 10.0, 11.0, 12.0],
                &[1.0, 2.0, 3.0, 4.0, 20.0, 30.0, 49.0, 64.0, 9.0, 10.0, 11.0, 12.0],
                &[1.0, 2.0, 3.0, 4.0, 4.0, 5.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0],
            ],
        ),
        (
            vec![range(None, None, None), at(2)],
            of(&[3], &[1.0, 2.0, 7.0]),
            [
                &[1.0, 2.0, 1.0, 4.0, 5.0, 6.0, 2.0, 8.0, 9.0, 10.0, 7.0, 12.0],
                &[1.0, 2.0, 4.0, 4.0, 5.0, 6.0, 9.0, 8.0, 9.0, 10.0, 18.0, 12.0],
                &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 14.0, 8.0, 9.0, 10.0, 77.0, 12.0],
                &[1.0, 2.0, 1.0, 4.0, 5.0, 6.0, 2.0, 8.0, 9.0, 10.0, 7.0, 12.0],
            ],
        ),
        (
            vec![range(None, None, Some(2)), range(Some(1), Some(3), None)],
            of(&[2, 2], &[8.0, 2.0, 3.0, 7.0]),
            [
                &[1.0, 8.0, 2.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 3.0, 7.0, 12.0],
                &[1.0, 10.0, 5.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 13.0, 18.0, 12.0],
                &[1.0, 16.0, 6.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 30.0, 77.0, 12.0],
                &[1.0, 2.0, 2.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 3.0, 7.0, 12.0],
            ],
        ),
        (
            vec![range(None, None, Some(-1)), range(Some(3), Some(0), Some(-2))],
            of(&[3, 2], &[4.0, 3.0, 7.0, 3.0, 4.0, 6.0]),
            [
                &[1.0, 6.0, 3.0, 4.0, 5.0, 3.0, 7.0, 7.0, 9.0, 3.0, 11.0, 4.0],
                &[1.0, 8.0, 3.0, 8.0, 5.0, 9.0, 7.0, 15.0, 9.0, 13.0, 11.0, 16.0],
                &[1.0, 12.0, 3.0, 16.0, 5.0, 18.0, 7.0, 56.0, 9.0, 30.0, 11.0, 48.0],
                &[1.0, 2.0, 3.0, 4.0, 5.0, 3.0, 7.0, 7.0, 9.0, 3.0, 11.0, 4.0],
            ],
        ),
        (
            vec![NEW, at(0), DOTS],
            of(&[1, 4], &[5.0, 1.0, 1.0, 7.0]),
            [
                &[5.0, 1.0, 1.0, 7.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0],
                &[6.0, 3.0, 4.0, 11.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0],
                &[5.0, 2.0, 3.0, 28.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0],
                &[1.0, 1.0, 1.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0],
            ],
        ),
        (
            vec![numbers(&[2], &[2.0, 0.0])],
            of(&[2, 4], &[7.0, 7.0, 5.0, 7.0, 3.0, 4.0, 7.0, 1.0]),
            [
                &[3.0, 4.0, 7.0, 1.0, 5.0, 6.0, 7.0, 8.0, 7.0, 7.0, 5.0, 7.0],
                &[4.0, 6.0, 10.0, 5.0, 5.0, 6.0, 7.0, 8.0, 16.0, 17.0, 16.0, 19.0],
                &[3.0, 8.0, 21.0, 4.0, 5.0, 6.0, 7.0, 8.0, 63.0, 70.0, 55.0, 84.0],
                &[1.0, 2.0, 3.0, 1.0, 5.0, 6.0, 7.0, 8.0, 7.0, 7.0, 5.0, 7.0],
            ],
        ),
        (
            vec![range(None, None, None), numbers(&[2], &[3.0, 1.0])],
            of(&[3, 2], &[3.0, 1.0, 4.0, 8.0, 2.0, 4.0]),
            [
                &[1.0, 1.0, 3.0, 3.0, 5.0, 8.0, 7.0, 4.0, 9.0, 4.0, 11.0, 2.0],
                &[1.0, 3.0, 3.0, 7.0, 5.0, 14.0, 7.0, 12.0, 9.0, 14.0, 11.0, 14.0],
                &[1.0, 2.0, 3.0, 12.0, 5.0, 48.0, 7.0, 32.0, 9.0, 40.0, 11.0, 24.0],
                &[1.0, 1.0, 3.0, 3.0, 5.0, 6.0, 7.0, 4.0, 9.0, 4.0, 11.0, 2.0],
            ],
        ),
        (
            vec![numbers(&[2], &[0.0, 1.0]), numbers(&[2], &[2.0, -1.0])],
            of(&[2], &[4.0, 8.0]),
            [
                &[1.0, 2.0, 4.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0],
                &[1.0, 2.0, 7.0, 4.0, 5.0, 6.0, 7.0, 16.0, 9.0, 10.0, 11.0, 12.0],
                &[1.0, 2.0, 12.0, 4.0, 5.0, 6.0, 7.0, 64.0, 9.0, 10.0, 11.0, 12.0],
                &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0],
            ],
        ),
        (
            vec![at(0), numbers(&[2], &[3.0, 1.0])],
            of(&[2], &[2.0, 5.0]),
            [
                &[1.0, 5.0, 3.0, 2.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0],
                &[1.0, 7.0, 3.0, 6.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0],
                &[1.0, 10.0, 3.0, 8.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0],
                &[1.0, 2.0, 3.0, 2.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0],
            ],
        ),
        (
            vec![numbers(&[2], &[1.0, 0.0]), range(None, None, Some(-2))],
            of(&[2, 2], &[3.0, 1.0, 7.0, 1.0]),
            [
                &[1.0, 1.0, 3.0, 7.0, 5.0, 1.0, 7.0, 3.0, 9.0, 10.0, 11.0, 12.0],
                &[1.0, 3.0, 3.0, 11.0, 5.0, 7.0, 7.0, 11.0, 9.0, 10.0, 11.0, 12.0],
                &[1.0, 2.0, 3.0, 28.0, 5.0, 6.0, 7.0, 24.0, 9.0, 10.0, 11.0, 12.0],
                &[1.0, 1.0, 3.0, 4.0, 5.0, 1.0, 7.0, 3.0, 9.0, 10.0, 11.0, 12.0],
            ],
        ),
        (
            vec![range(Some(1), None, None), numbers(&[2], &[0.0, 3.0])],
            of(&[2, 2], &[3.0, 4.0, 4.0, 1.0]),
            [
                &[1.0, 2.0, 3.0, 4.0, 3.0, 6.0, 7.0, 4.0, 4.0, 10.0, 11.0, 1.0],
                &[1.0, 2.0, 3.0, 4.0, 8.0, 6.0, 7.0, 12.0, 13.0, 10.0, 11.0, 13.0],
                &[1.0, 2.0, 3.0, 4.0, 15.0, 6.0, 7.0, 32.0, 36.0, 10.0, 11.0, 12.0],
                &[1.0, 2.0, 3.0, 4.0, 3.0, 6.0, 7.0, 4.0, 4.0, 10.0, 11.0, 1.0],
            ],
        ),
        (
            vec![mask(&[3, 4], &[0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1])],
            of(&[6], &[8.0, 6.0, 8.0, 1.0, 6.0, 3.0]),
            [
                &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 6.0, 8.0, 1.0, 6.0, 3.0],
                &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 15.0, 14.0, 17.0, 11.0, 17.0, 15.0],
                &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 56.0, 48.0, 72.0, 10.0, 66.0, 36.0],
                &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 6.0, 8.0, 1.0, 6.0, 3.0],
            ],
        ),
        (
            vec![range(None, None, None), mask(&[4], &[1, 0, 1, 0])],
            of(&[3, 2], &[5.0, 8.0, 3.0, 6.0, 2.0, 3.0]),
            [
                &[5.0, 2.0, 8.0, 4.0, 3.0, 6.0, 6.0, 8.0, 2.0, 10.0, 3.0, 12.0],
                &[6.0, 2.0, 11.0, 4.0, 8.0, 6.0, 13.0, 8.0, 11.0, 10.0, 14.0, 12.0],
                &[5.0, 2.0, 24.0, 4.0, 15.0, 6.0, 42.0, 8.0, 18.0, 10.0, 33.0, 12.0],
                &[1.0, 2.0, 3.0, 4.0, 3.0, 6.0, 6.0, 8.0, 2.0, 10.0, 3.0, 12.0],
            ],
        ),
        (
            vec![range(Some(2), Some(2), None)],
            of(&[0, 4], &[]),
            [
                &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0],
                &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0],
                &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0],
                &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0],
            ],
        ),
        (
            vec![numbers(&[2], &[0.0, 2.0]), NEW, range(Some(1), Some(3), None)],
            of(&[2, 1, 2], &[8.0, 4.0, 5.0, 3.0]),
            [
                &[1.0, 8.0, 4.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 5.0, 3.0, 12.0],
                &[1.0, 10.0, 7.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 15.0, 14.0, 12.0],
                &[1.0, 16.0, 12.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 50.0, 33.0, 12.0],
                &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 5.0, 3.0, 12.0],
            ],
        ),
        (
            vec![range(None, None, None)],
            of(&[3, 4], &[1.0, 4.0, 5.0, 4.0, 7.0, 3.0, 5.0, 7.0, 8.0, 4.0, 1.0, 6.0]),
            [
                &[1.0, 4.0, 5.0, 4.0, 7.0, 3.0, 5.0, 7.0, 8.0, 4.0, 1.0, 6.0],
                &[2.0, 6.0, 8.0, 8.0, 12.0, 9.0, 12.0, 15.0, 17.0, 14.0, 12.0, 18.0],
                &[1.0, 8.0, 15.0, 16.0, 35.0, 18.0, 35.0, 56.0, 72.0, 40.0, 11.0, 72.0],
                &[1.0, 2.0, 3.0, 4.0, 5.0, 3.0, 5.0, 7.0, 8.0, 4.0, 1.0, 6.0],
            ],
        ),
    ];
    for (entries, u, results) in cases {
        for (op, wanted) in [AtOp::Set, AtOp::Add, AtOp::Multiply, AtOp::Min].into_iter().zip(results) {
            assert_eq!(values(&tenferro_ops::at(&x, &entries, op, &u)), wanted, "{op:?} {entries:?}");
        }
        let twice = at_apply(&x, &entries, |part| add(part, part));
        assert_eq!(values(&twice), values(&tenferro_ops::at(&x, &entries, AtOp::Add, &index(&x, &entries).expect("a part"))));
    }
}

#[test]
fn repeated_numbers_meet_every_update() {
    let x = of(&[3], &[10.0, 20.0, 30.0]);
    let twice = [numbers(&[4], &[0.0, 2.0, 0.0, -1.0])];
    let u = of(&[4], &[2.0, 3.0, 5.0, 4.0]);
    let with = |op| values(&tenferro_ops::at(&x, &twice, op, &u));
    assert_eq!(with(AtOp::Set), [5.0, 20.0, 4.0]);
    assert_eq!(with(AtOp::Add), [17.0, 20.0, 37.0]);
    assert_eq!(with(AtOp::Subtract), [3.0, 20.0, 23.0]);
    assert_eq!(with(AtOp::Multiply), [100.0, 20.0, 360.0]);
    assert_eq!(with(AtOp::Divide), [1.0, 20.0, 2.5]);
    assert_eq!(with(AtOp::Power), [1e10, 20.0, 30_f64.powi(12)]);
    assert_eq!(with(AtOp::Min), [2.0, 20.0, 3.0]);
    assert_eq!(with(AtOp::Max), [10.0, 20.0, 30.0]);
}

#[test]
fn derivatives_of_parts_and_changes_follow() {
    let x = [Arr::random(DType::F64, &[3, 4], 3), Arr::random(DType::F64, &[2, 3], 4).map(|v| v + 2.0)];
    let rows = Tensor::from_slice(&[2, 1], &[0_i64, 2]).expect("numbers");
    let columns = Tensor::from_slice(&[3], &[1_i64, 1, -1]).expect("numbers");
    for op in [None, Some(AtOp::Set), Some(AtOp::Add), Some(AtOp::Multiply), Some(AtOp::Divide), Some(AtOp::Max), Some(AtOp::Min)] {
        let f = program(&x, |x| {
            let entries = [IndexEntry::Array(constant(&x[0], rows.clone())?), IndexEntry::Array(constant(&x[0], columns.clone())?)];
            let y = match op {
                None => mul(&index(&x[0], &entries)?, &x[1])?,
                Some(op) => tenferro_ops::at(&x[0], &entries, op, &x[1])?,
            };
            Ok(square(&y)?.val())
        });
        let (forward, backward) = derivative_errors(&f.expect("recorded"), &x);
        assert!(forward < 1e-8 && backward < 1e-12, "{op:?}: {forward} {backward}");
    }
    for step in [1, 2, -1, -2] {
        let f = program(&x, |x| {
            let entries = [IndexEntry::Basic(Index::Range { start: None, stop: None, step: Some(step) }), IndexEntry::Basic(Index::At(0))];
            let u = sum(&x[1], None, false)?;
            Ok(square(&tenferro_ops::at(&x[0], &entries, AtOp::Multiply, &u)?)?.val())
        });
        let (forward, backward) = derivative_errors(&f.expect("recorded"), &x);
        assert!(forward < 1e-8 && backward < 1e-12, "{step}: {forward} {backward}");
    }
}

#[test]
fn indices_that_do_not_fit_are_refused() {
    let x = counted(&[3, 4], 0.0);
    let said = |entries: &[Entry]| index(&x, entries).map(|_| ()).expect_err("refused").to_string();
    assert_eq!(said(&[IndexEntry::Array(of(&[2], &[0.0, 1.0]))]), "index: index arrays must be integers or bool, got float64");
    assert_eq!(said(&[mask(&[2], &[1, 0])]), "index: a mask of shape (2,) does not fit: axis 0 has size 3");
    assert_eq!(said(&[numbers(&[2], &[0.0, 1.0]), numbers(&[3], &[0.0, 1.0, 2.0])]), "index: shapes (2,) and (3,) do not match");
    assert_eq!(said(&[range(None, None, Some(0))]), "index: a slice step cannot be 0");
    let unknown = IndexEntry::Array(eq(&x, &x).expect("a mask"));
    assert!(said(&[unknown]).contains("use where(mask, x, y), or nonzero(mask, size=)"));
    let half = of(&[], &[0.5]);
    let int = Now(Arr { dtype: DType::I64, ..x.0.clone() });
    let message = tenferro_ops::at(&int, &[at(0)], AtOp::Set, &half).map(|_| ()).expect_err("refused").to_string();
    assert_eq!(message, "at.set: updates are float64 and the array int64; cast one");
    let wide = tenferro_ops::at(&x, &[at(0)], AtOp::Set, &counted(&[3], 0.0));
    assert!(wide.map(|_| ()).expect_err("refused").to_string().contains("does not broadcast"));
}

#[test]
fn a_mask_without_data_can_choose_between_numbers() {
    let x = counted(&[2, 2], 1.0);
    let high = IndexEntry::Array(gt(&x, &scalar_like(&x, 2.5).expect("a number")).expect("a mask"));
    assert_eq!(values(&tenferro_ops::at(&x, &[high], AtOp::Multiply, &of(&[], &[10.0]))), [1.0, 2.0, 30.0, 40.0]);
}

#[test]
fn taking_wraps_clips_and_flattens() {
    let x = counted(&[2, 3], 0.0);
    let i = whole(&[2], &[-1.0, 4.0]);
    assert_eq!(values(&take(&x, &i, None, OutOfBounds::Raise)), [5.0, 4.0]);
    assert_eq!(values(&take(&x, &i, Some(1), OutOfBounds::Wrap)), [2.0, 1.0, 5.0, 4.0]);
    assert_eq!(values(&take(&x, &i, Some(-1), OutOfBounds::Clip)), [0.0, 2.0, 3.0, 5.0]);
}

#[test]
fn boxes_are_moved_inside() {
    let x = counted(&[3, 4], 0.0);
    let start = |i: f64, j: f64| [whole(&[], &[i]), whole(&[], &[j])];
    assert_eq!(values(&dynamic_slice(&x, &start(2.0, 1.0), &[2, 2])), [5.0, 6.0, 9.0, 10.0]);
    assert_eq!(values(&dynamic_slice(&x, &start(-3.0, -1.0), &[1, 2])), [2.0, 3.0]);
    let y = dynamic_update_slice(&x, &of(&[1, 2], &[50.0, 60.0]), &start(9.0, 0.0));
    assert_eq!(values(&y), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 50.0, 60.0, 10.0, 11.0]);
}
