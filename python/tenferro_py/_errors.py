"""Exceptions, one per kind of mistake. Each is also a builtin exception, so that code that knows NumPy catches it."""


class TenferroError(Exception):
    """Base class of all errors that tenferro_py raises itself."""

    __module__ = "tenferro_py"


class ShapeError(TenferroError, ValueError):
    """Shapes that do not fit each other or the operation."""

    __module__ = "tenferro_py"


class DTypeError(TenferroError, TypeError):
    """A dtype or type that the operation does not take."""

    __module__ = "tenferro_py"


class AxisError(TenferroError, IndexError, ValueError):
    """An axis or index out of range."""

    __module__ = "tenferro_py"


class ArgumentError(TenferroError, ValueError):
    """Any other argument that is wrong by its value."""

    __module__ = "tenferro_py"


class OutOfRangeError(ArgumentError, OverflowError):
    """A number that the dtype it is to have does not hold."""

    __module__ = "tenferro_py"


class LinAlgError(TenferroError, ValueError):
    """A matrix that cannot be factored: not finite, or no convergence."""

    __module__ = "tenferro_py"


class OutOfMemoryError(TenferroError, MemoryError):
    """An array that does not fit into memory."""

    __module__ = "tenferro_py"


class MissingRuleError(TenferroError, NotImplementedError):
    """An operation without the derivative rule or kernel that is needed."""

    __module__ = "tenferro_py"


class BindingError(TenferroError, ValueError):
    """Inputs of a program: unbound, bound twice, too many or too few."""

    __module__ = "tenferro_py"


class EngineError(TenferroError, RuntimeError):
    """An engine that does not fit, is used by itself, or is broken."""

    __module__ = "tenferro_py"
