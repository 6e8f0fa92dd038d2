"""Model files: a header with the whole configuration, and arrays."""

from textbayes.persistence.format import FORMAT, package_version
from textbayes.persistence.load import read_model, read_model_bytes
from textbayes.persistence.lock import write_lock
from textbayes.persistence.narrow import narrowed, widened
from textbayes.persistence.origin import Origin
from textbayes.persistence.parameters import PlainReader, plain_parameters
from textbayes.persistence.save import model_bytes, model_file_size, write_model
from textbayes.persistence.stored import Stored
from textbayes.persistence.strict_json import finite, parse_json
from textbayes.persistence.texts import pack_texts, unpack_texts

__all__ = [
    "FORMAT",
    "Origin",
    "PlainReader",
    "Stored",
    "finite",
    "model_bytes",
    "model_file_size",
    "narrowed",
    "pack_texts",
    "package_version",
    "parse_json",
    "plain_parameters",
    "read_model",
    "read_model_bytes",
    "unpack_texts",
    "widened",
    "write_lock",
    "write_model",
]
