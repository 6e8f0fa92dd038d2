"""Who may do what: tokens, rights and rates."""

from textbayes.server.access.guard import Guard, token_of
from textbayes.server.access.rates import Rates
from textbayes.server.access.token_files import TokenFile, Tokens
from textbayes.server.access.tokens import RIGHTS, Right, Token, new_secret

__all__ = ["RIGHTS", "Guard", "Rates", "Right", "Token", "TokenFile", "Tokens", "new_secret", "token_of"]
