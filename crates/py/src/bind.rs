//! A table of bindings as functions and their registration.

/// `name(argument: type, …) -> result { value }` becomes a Python function with positional
/// arguments; `register` adds all of a table to a module.
macro_rules! functions {
    ($($name:ident($($arg:ident: $t:ty),*) -> $out:ty { $($body:tt)* })*) => {
        $(#[pyfunction]
        #[pyo3(signature = ($($arg),*, /))]
        fn $name($($arg: $t),*) -> PyR<$out> {
            Ok({ $($body)* })
        })*

        /// Adds all functions to the module.
        pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
            $( m.add_function(wrap_pyfunction!($name, m)?)?; )*
            Ok(())
        }
    };
}
pub(crate) use functions;
