//! Names as graphs show them.

/// `reduce_sum` as `ReduceSum`.
pub fn operation_name(name: &str) -> String {
    name.split('_')
        .map(|word| {
            let mut letters = word.chars();
            letters.next().map_or_else(String::new, |c| c.to_ascii_uppercase().to_string() + letters.as_str())
        })
        .collect()
}
