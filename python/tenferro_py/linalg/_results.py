"""Tuples whose elements have NumPy's names."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tenferro_py._native import Array


def _named(names: "tuple[str, ...]", result: "tuple[Array, ...]") -> str:
    fields = ", ".join(f"{n}={x!r}" for n, x in zip(names, result, strict=True))
    return f"{type(result).__name__}({fields})"


class SVDResult(tuple["Array", "Array", "Array"]):
    """What `svd` gives: U, S and Vh."""

    __slots__ = ()
    _fields = ("U", "S", "Vh")

    def __new__(cls, U: "Array", S: "Array", Vh: "Array") -> "SVDResult":
        return tuple.__new__(cls, (U, S, Vh))

    def __getnewargs__(self) -> "tuple[Array, Array, Array]":
        return self[0], self[1], self[2]

    def __repr__(self) -> str:
        return _named(self._fields, self)

    @property
    def U(self) -> "Array":
        """The left singular vectors, as columns."""
        return self[0]

    @property
    def S(self) -> "Array":
        """The singular values, descending."""
        return self[1]

    @property
    def Vh(self) -> "Array":
        """The adjoint of the right singular vectors, as rows."""
        return self[2]


class _Pair(tuple["Array", "Array"]):
    """Two arrays."""

    __slots__ = ()
    _fields = ("first", "second")

    def __getnewargs__(self) -> "tuple[Array, Array]":
        return self[0], self[1]

    def __repr__(self) -> str:
        return _named(self._fields, self)


class EigResult(_Pair):
    """What `eig` gives: eigenvalues and eigenvectors."""

    __slots__ = ()
    _fields = ("eigenvalues", "eigenvectors")

    def __new__(cls, eigenvalues: "Array", eigenvectors: "Array") -> "EigResult":
        return tuple.__new__(cls, (eigenvalues, eigenvectors))

    @property
    def eigenvalues(self) -> "Array":
        """The eigenvalues."""
        return self[0]

    @property
    def eigenvectors(self) -> "Array":
        """The eigenvectors, as columns."""
        return self[1]


class EighResult(_Pair):
    """What `eigh` gives: eigenvalues and eigenvectors."""

    __slots__ = ()
    _fields = ("eigenvalues", "eigenvectors")

    def __new__(cls, eigenvalues: "Array", eigenvectors: "Array") -> "EighResult":
        return tuple.__new__(cls, (eigenvalues, eigenvectors))

    @property
    def eigenvalues(self) -> "Array":
        """The eigenvalues, ascending."""
        return self[0]

    @property
    def eigenvectors(self) -> "Array":
        """The eigenvectors, as columns."""
        return self[1]


class QRResult(_Pair):
    """What `qr` gives: Q and R."""

    __slots__ = ()
    _fields = ("Q", "R")

    def __new__(cls, Q: "Array", R: "Array") -> "QRResult":
        return tuple.__new__(cls, (Q, R))

    @property
    def Q(self) -> "Array":
        """The factor with orthonormal columns."""
        return self[0]

    @property
    def R(self) -> "Array":
        """The upper triangle."""
        return self[1]


class SlogdetResult(_Pair):
    """What `slogdet` gives: sign and logabsdet."""

    __slots__ = ()
    _fields = ("sign", "logabsdet")

    def __new__(cls, sign: "Array", logabsdet: "Array") -> "SlogdetResult":
        return tuple.__new__(cls, (sign, logabsdet))

    @property
    def sign(self) -> "Array":
        """The phase of the determinant."""
        return self[0]

    @property
    def logabsdet(self) -> "Array":
        """The logarithm of its absolute value."""
        return self[1]
