"""One tree of errors: what happened, with the value, and what to do."""


class QualificationError(Exception):
    """Anything that stops a study or one of its variants for a reason a user can act on."""


class StudyError(QualificationError):
    """The study, or an argument given with it, cannot be run as written."""


class SourceError(QualificationError):
    """A base model cannot be fetched, or is not what its digest says."""


class BuildError(QualificationError):
    """A recipe cannot be applied, or its artifact is not whole."""


class RecipeError(BuildError):
    """A recipe that cannot be applied to this base: a verdict, where a full disk is none."""


class EngineError(QualificationError):
    """An engine cannot be installed, refuses a variant, hangs or dies."""


class MeasurementError(QualificationError):
    """A measurement could not be taken, or what was read is no measurement."""


class LedgerError(QualificationError):
    """The ledger cannot be opened, written, or does not match its evidence."""


class CertificateError(QualificationError):
    """A certificate that cannot be read or trusted, or that no longer holds."""


class PromotionError(QualificationError):
    """A channel cannot be moved, or its target does not verify."""
