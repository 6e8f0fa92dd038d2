"""How the members of a recipe transform rows of counts to score them."""

from __future__ import annotations

from functools import cached_property

from textbayes._native import Form
from textbayes.estimators.auto.recipe import Recipe
from textbayes.weights import RowForm

_IDF = {False: "none", True: "plain", "smooth": "smooth"}


class BlendForms:
    """The forms of rows that the members of a recipe need, each once.

    Parameters
    ----------
    recipe : Recipe
        The recipe.

    Attributes
    ----------
    representations : list of Representation
        The representations of the members, each once.
    keys : list of (int, bool)
        For each form, the number of its representation, and whether rows are divided by their sums.
    of_member : list of int
        The number of each member's form.
    mapped : list of int
        The numbers of the representations that do not use all columns.
    """

    def __init__(self, recipe: Recipe) -> None:
        self._recipe = recipe
        self.representations = list(dict.fromkeys(member.representation for member in recipe.members))
        of_members = [
            (self.representations.index(member.representation), per_count)
            for member, per_count in zip(recipe.members, recipe.per_count, strict=True)
        ]
        self.keys = list(dict.fromkeys(of_members))
        self.of_member = [self.keys.index(key) for key in of_members]
        own = enumerate(self.representations)
        self.mapped = [at for at, one in own if one.columns != "all" or one.terms is not None]

    @cached_property
    def row_forms(self) -> list[RowForm]:
        """The forms, as they are stored."""
        forms = []
        for at, per_count in self.keys:
            own, columns = self.representations[at], self.mapped.index(at) if at in self.mapped else -1
            length = "l1" if per_count else "none" if own.length is None else "l2"
            forms.append(RowForm(own.log, _IDF[own.idf], length, columns))
        return forms

    def to_core(self) -> list[Form]:
        """Convert the forms for the core."""
        return [form.to_core() for form in self.row_forms]

    @property
    def counted_tables(self) -> int:
        """The number of tables computed from sums; those of fitted weights follow."""
        pairs = zip(self.of_member, self._recipe.members, strict=True)
        return len({form for form, member in pairs if member.variant.additive})
