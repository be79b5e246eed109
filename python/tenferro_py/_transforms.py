"""Functions of functions: grad and value_and_grad."""

from tenferro_py import _native
from tenferro_py._errors import ArgumentError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

# Signatures that one transformed function remembers.
_CACHE = 64


class _Gradient:
    """A function that traces once per signature of its arguments and then runs.

    In a trace, and on eager tensors, it becomes part of what is being done there.
    """

    def __init__(self, f: "Callable[..., Any]", argnums: "int | Sequence[int]", with_value: bool) -> None:
        if not callable(f):
            raise TypeError(f"grad: needs a function, got {type(f).__name__}")
        self.__wrapped__ = f
        self.__name__ = getattr(f, "__name__", "f")
        self.__doc__ = f"Gradient of {self.__name__}."
        self._argnums = argnums
        self._single = isinstance(argnums, int)
        self._with_value = with_value
        self._cache: dict[bytes, Any] = {}

    def __call__(self, *args: "Any") -> "Any":
        signature = _native._signature(*args)
        if signature is None:
            return self._give(_native._apply(*self._trace(args), args))
        key, tensors = signature
        run = self._cache.get(key)
        if run is None:
            outputs, leaves = self._trace(tensors)
            run = _prepared(outputs, leaves)
            if run is None:
                # The function reads a traced tensor from outside.
                return self._give(_native._apply(outputs, leaves, tensors))
            if len(self._cache) >= _CACHE:
                del self._cache[next(iter(self._cache))]
            self._cache[key] = run
        return self._give(run(*tensors))

    def _give(self, outputs: "list[Any]") -> "Any":
        gradients = outputs[0] if self._single else tuple(outputs[: len(outputs) - self._with_value])
        return (outputs[-1], gradients) if self._with_value else gradients

    def _trace(self, args: "Sequence[Any]") -> "tuple[list[Any], list[Any]]":
        """Gradients, and the value if it is wanted, on placeholders like the arguments."""
        leaves = _native._placeholders(args)
        chosen: list[Any] = [self._argnums] if isinstance(self._argnums, int) else list(self._argnums)
        for i in chosen:
            if not -len(leaves) <= i < len(leaves):
                raise ArgumentError(f"grad: argnums {i} is out of range for {len(leaves)} arguments")
        y = self.__wrapped__(*leaves)
        if not isinstance(y, _native.TracedTensor):
            raise TypeError(f"grad: {self.__name__} must return a scalar made from its arguments, got {type(y).__name__}")
        gradients = _native._gradients(y, [leaves[i] for i in chosen])
        return [*gradients, *[y] * self._with_value], leaves


def _prepared(outputs: "list[Any]", leaves: "list[Any]") -> "Any":
    """A callable of all leaves, of which the program may read only some; None if it reads others."""
    compiled = _native.GraphCompiler().compile(outputs)
    position = {leaf.key: i for i, leaf in enumerate(leaves)}
    free = [k for k in compiled.input_keys if k not in compiled.bindings]
    if any(k not in position for k in free):
        return None
    order = [position[k] for k in free]
    signature = [(leaves[i].dtype, list(leaves[i].shape)) for i in order]
    registration = _native.CpuEngine.serial().registration()
    runtime = _native.Runtime.builder().register_engine(registration).build()
    prepared = runtime.prepare(compiled, signature, [registration.target()])
    if order == list(range(len(leaves))):
        return prepared
    return lambda *tensors: prepared(*(tensors[i] for i in order))


def grad(f: "Callable[..., Any]", argnums: "int | Sequence[int]" = 0) -> "Callable[..., Any]":
    """The gradient of a real scalar function of arrays.

    The result traces `f` once per dtypes and shapes of its arguments, then runs a
    prepared program on the default engine. Called on traced tensors it is recorded in
    their trace, on eager tensors it runs step by step, so that it can be differentiated
    again; gradients of gradients are compositions.

    Parameters
    ----------
    f : function of positional arrays, built from this module's functions
    argnums : int or tuple of int
        Which arguments to differentiate by; a tuple gives a tuple of gradients.

    Raises
    ------
    ShapeError
        If `f` does not give a scalar.
    DTypeError
        If it gives a complex number, or an argument has no derivative (int64, bool).

    Notes
    -----
    For complex arguments the gradient is the direction of steepest ascent, 2∂f/∂z̄:
    that of |z|² is 2z.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.grad(lambda x: tn.sum(x * x))([1.0, 2.0, 3.0]).tolist()
    [2.0, 4.0, 6.0]
    >>> float(tn.grad(tn.grad(lambda x: x * x * x))(2.0))
    12.0
    """
    return _Gradient(f, argnums, False)


def value_and_grad(f: "Callable[..., Any]", argnums: "int | Sequence[int]" = 0) -> "Callable[..., Any]":
    """The value and the gradient of a real scalar function; see `grad`.

    Parameters
    ----------
    f : function of positional arrays, built from this module's functions
    argnums : int or tuple of int
        Which arguments to differentiate by; a tuple gives a tuple of gradients.

    Raises
    ------
    ShapeError, DTypeError
        As of `grad`.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> value, gradient = tn.value_and_grad(lambda x: tn.sum(x * x))([1.0, 2.0, 3.0])
    >>> float(value), gradient.tolist()
    (14.0, [2.0, 4.0, 6.0])
    """
    return _Gradient(f, argnums, True)
