"""What the array API asks of the module itself: constants, devices, and its description of itself."""

from tenferro_py import _native
from tenferro_py._errors import ArgumentError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType
    from typing import Any

    from tenferro_py._native import DType

e = 2.718281828459045
inf = float("inf")
nan = float("nan")
newaxis = None
pi = 3.141592653589793

# Newest first; a newer standard keeps the functions of an older one.
VERSIONS = ("2024.12", "2023.12", "2022.12", "2021.12")


def check_device(op: str, device: "Any") -> None:
    """Refuses every device but the one that there is."""
    if device not in (None, "cpu"):
        raise ArgumentError(f"{op}: there is no device {device!r}, only 'cpu'")


def namespace(api_version: "str | None" = None) -> "ModuleType":
    """The module with the functions for arrays, which `__array_namespace__` gives.

    Raises
    ------
    ArgumentError
        For a version of the array API that it does not follow.
    """
    if api_version not in (None, *VERSIONS):
        raise ArgumentError(f"__array_namespace__: version {api_version!r} is not one of {', '.join(VERSIONS)}")
    return __import__("tenferro_py")


class NamespaceInfo:
    """What `__array_namespace_info__` gives: dtypes, devices and abilities."""

    def capabilities(self) -> "dict[str, Any]":
        """What indexing and shapes can do. The last two hold for arrays with data, not for traced ones."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": None}

    def default_device(self) -> str:
        """Where arrays lie that nobody placed."""
        return "cpu"

    def devices(self) -> "list[str]":
        """All devices."""
        return ["cpu"]

    def default_dtypes(self, *, device: "str | None" = None) -> "dict[str, DType]":
        """The dtypes of numbers without one."""
        check_device("default_dtypes", device)
        names = {"real floating": "float64", "complex floating": "complex128", "integral": "int64", "indexing": "int64"}
        return {use: _native.DType(name) for use, name in names.items()}

    def dtypes(self, *, device: "str | None" = None, kind: "str | Sequence[str] | None" = None) -> "dict[str, DType]":
        """The dtypes by name, of all kinds or of those that `isdtype` knows by `kind`."""
        from tenferro_py._promotion import isdtype

        check_device("dtypes", device)
        kinds = kind if kind is None or isinstance(kind, str) else tuple(kind)
        return {d.name: d for d in _native._dtypes() if kinds is None or isdtype(d, kinds)}


def __array_namespace_info__() -> NamespaceInfo:
    """Dtypes, devices and abilities of this module, for code written against the array API.

    Examples
    --------
    >>> import tenferro_py as tn
    >>> tn.__array_namespace_info__().default_device()
    'cpu'
    """
    return NamespaceInfo()
