"""Every error a user can meet.

One class per situation that a caller would handle differently. A class takes facts, not sentences, and says
what happened, why it matters and what to do; its ``code`` is stable. The command line, the HTTP body and
docs/errors.md are made from here. The checks of parameters are in ``textbayes.errors.checks``.
"""

from typing import TYPE_CHECKING

from textbayes.errors.access import (
    RateLimitError,
    RightMissingError,
    TokenFileError,
    TokenMissingError,
    TokenRefusedError,
    TokensNeededError,
)
from textbayes.errors.base import (
    TextbayesError,
)
from textbayes.errors.calling import (
    ServerAnswerError,
    ServerUnreachableError,
)
from textbayes.errors.core import (
    CoreBugError,
    OutOfMemoryError,
)
from textbayes.errors.distributing import (
    BatchError,
    BlobError,
    WorkerLostError,
    WorkerPackageError,
    WorkerVersionError,
)
from textbayes.errors.fetching import (
    CorpusMissingError,
    FetchBusyError,
    FetchContentError,
    FetchNetworkError,
)
from textbayes.errors.files import (
    ColumnError,
    EncodingError,
    FieldError,
    FileMissingError,
    FileReadError,
    FileWriteError,
    NoDocumentsError,
    RecordError,
)
from textbayes.errors.learning import (
    CountRangeError,
    DocumentsNotKeptError,
    InfiniteCountError,
    LabelsError,
    MergeError,
    NegativeCountError,
    NotLearnedError,
    ShapeError,
)
from textbayes.errors.models import (
    CompactModelError,
    ModelChangedError,
    ModelDamagedError,
    ModelForeignError,
    ModelKindError,
    ModelLockedError,
    ModelUnsavableError,
    ModelVersionError,
)
from textbayes.errors.parameters import (
    ExtraMissingError,
    ParameterConflictError,
    ParameterError,
)
from textbayes.errors.serving import (
    BodyJsonError,
    CertificateError,
    ContentTypeError,
    HostUnknownError,
    MethodWrongError,
    PathUnknownError,
    RequestFieldError,
    RequestSizeError,
    RequestSlowError,
    ServerAddressError,
    ServerBusyError,
    ServerFaultError,
    ServerReadOnlyError,
)
from textbayes.errors.storing import (
    DocumentUnknownError,
    KeyReusedError,
    ModelEmptyError,
    ModelExistsError,
    ModelUnknownError,
    NothingToUndoError,
    StoreForeignError,
    StoreFullError,
    StoreMissingError,
    StoreUnavailableError,
    StoreVersionError,
    UndoConflictError,
    VersionGoneError,
    VersionUnknownError,
    WriterElsewhereError,
)
from textbayes.errors.texts import (
    NoTermsLeftError,
    TextsError,
)

if TYPE_CHECKING:
    from textbayes.errors.fitting import UnfittedError

__all__ = [
    "BatchError",
    "BlobError",
    "BodyJsonError",
    "CertificateError",
    "ColumnError",
    "CompactModelError",
    "ContentTypeError",
    "CoreBugError",
    "CorpusMissingError",
    "CountRangeError",
    "DocumentUnknownError",
    "DocumentsNotKeptError",
    "EncodingError",
    "ExtraMissingError",
    "FetchBusyError",
    "FetchContentError",
    "FetchNetworkError",
    "FieldError",
    "FileMissingError",
    "FileReadError",
    "FileWriteError",
    "HostUnknownError",
    "InfiniteCountError",
    "KeyReusedError",
    "LabelsError",
    "MergeError",
    "MethodWrongError",
    "ModelChangedError",
    "ModelDamagedError",
    "ModelEmptyError",
    "ModelExistsError",
    "ModelForeignError",
    "ModelKindError",
    "ModelLockedError",
    "ModelUnknownError",
    "ModelUnsavableError",
    "ModelVersionError",
    "NegativeCountError",
    "NoDocumentsError",
    "NoTermsLeftError",
    "NotLearnedError",
    "NothingToUndoError",
    "OutOfMemoryError",
    "ParameterConflictError",
    "ParameterError",
    "PathUnknownError",
    "RateLimitError",
    "RecordError",
    "RequestFieldError",
    "RequestSizeError",
    "RequestSlowError",
    "RightMissingError",
    "ServerAddressError",
    "ServerAnswerError",
    "ServerBusyError",
    "ServerFaultError",
    "ServerReadOnlyError",
    "ServerUnreachableError",
    "ShapeError",
    "StoreForeignError",
    "StoreFullError",
    "StoreMissingError",
    "StoreUnavailableError",
    "StoreVersionError",
    "TextbayesError",
    "TextsError",
    "TokenFileError",
    "TokenMissingError",
    "TokenRefusedError",
    "TokensNeededError",
    "UndoConflictError",
    "UnfittedError",
    "VersionGoneError",
    "VersionUnknownError",
    "WorkerLostError",
    "WorkerPackageError",
    "WorkerVersionError",
    "WriterElsewhereError",
]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        # The only error that needs scikit-learn, whose import takes a second.
        if name == "UnfittedError":
            from textbayes.errors.fitting import UnfittedError

            return UnfittedError
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
