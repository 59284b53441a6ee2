"""The signature of a tool: what a service documents, and nothing about what it answers.

All records are frozen and hashable, so tools can key dictionaries and graphs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

JsonType = Literal["string", "integer", "number", "boolean", "array", "object"]
ParameterRole = Literal["input", "key", "page", "size", "format"]
Location = Literal["query", "header", "path", "body", "cookie", "client"]
Style = Literal["", "repeated", "spaces", "pipes", "brackets", "json", "label", "matrix", "whole"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One input of a tool."""

    name: str
    label: str
    """Short Korean label, as the provider prints it."""
    type: JsonType = "string"
    required: bool = False
    description: str = ""
    """Our own Korean sentence for the model; the label where it says everything."""
    format: str | None = None
    """A name known to `kopa_hf.values.formats`: YYYYMMDD, YYYY, HHMM, digits:8, …; None: free text."""
    enum: tuple[str, ...] = ()
    enum_labels: tuple[str, ...] = ()
    """Korean meaning of each enum value, same order; empty where the provider gives none."""
    default: str | None = None
    """What the service assumes when the parameter is left out; None: nothing known."""
    role: ParameterRole = "input"
    """`key` and `format` are filled by the executor and never shown to a model."""
    location: Location = "query"
    """`client`: the service has no such filter, the executor applies it to the answer's records."""
    matches_field: str | None = None
    """For `client` parameters: the output field that is compared (containment for text)."""
    separator: str | None = None
    """What joins several values in one text; None: the parameter takes one value."""
    schema: str | None = None
    """JSON text of the schema that an imported service documents (without description); None: ours say everything.

    Such a parameter's text is sent as it is given, neither trimmed nor composed.
    """
    sent_as: str | None = None
    """The name on the wire where `name` is another: wire names need be no identifiers (`page[size]`, X-Tenant)."""
    style: Style = ""
    """How a value of an imported service stands in the request: a list `repeated` (a=1&a=2), joined with `spaces` or
    `pipes`, an object in `brackets` (a[b]=1) or as `json`, a path segment as `label` or `matrix`, the `whole` body.
    Empty: plain, lists joined with commas.
    """


@dataclass(frozen=True, slots=True)
class Field:
    """One column of a tool's records."""

    name: str
    label: str
    type: JsonType = "string"
    format: str | None = None
    unit: str | None = None
    documented: bool = True
    """False: seen in answers, absent from the provider's guide."""


@dataclass(frozen=True, slots=True)
class Paging:
    """How a service cuts its answers."""

    page: str
    size: str
    style: Literal["page", "range", "offset", "cursor"] = "page"
    """`range`: the two parameters are first and last row number (Seoul), not page and size.
    `offset`: the first is the number of rows before the page. `cursor`: the first takes what the page before told.
    """
    default_size: int = 10
    max_size: int = 100
    first: int = 1
    """Number of the first page; some services count from 0."""

    def place(self, page: int, size: int) -> dict[str, str]:
        """Arguments that ask for a page (from 1) of so many rows. Of a cursor only the first page can be named."""
        told = {self.size: str(size)} if self.size else {}
        if self.style == "range":
            return {self.page: str((page - 1) * size + 1), self.size: str(page * size)}
        if self.style == "offset":
            return {self.page: str((page - 1) * size), **told}
        if self.style == "cursor":
            return told
        return {self.page: str(page + self.first - 1), **told}


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a tool's request goes."""

    url: str
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"] = "GET"
    auth: str | None = None
    """Name of the key parameter or header; None: no key."""
    auth_in: Literal["query", "header", "path", "body", "cookie"] = "query"
    operation: str = ""
    """The service or method name that envelopes are named after (last part of the path)."""
    rows_at: str = ""
    response_kind: Literal["list", "group", "object", "zip"] = "list"
    response_format: Literal["json", "xml", "zip"] = "json"
    code_unresolved: bool = False
    """True: `operation` is a service id; the callable code must be looked up before a live call."""
    auth_scheme: Literal["", "bearer", "basic"] = ""
    """What stands before the key in a header; under `basic` the key is USER:PASSWORD."""
    body: Literal["json", "form"] = "json"
    """How parameters in the body are written."""


@dataclass(frozen=True, slots=True)
class Tool:
    """One callable function over one endpoint (or a local function, platform `local`)."""

    name: str
    platform: str
    wire: str
    """Adapter family: dart, krx, assembly, …"""
    domain: str
    """traffic, finance, education, law, politics, district; `local` for local tools."""
    title: str
    """The provider's Korean name of the operation."""
    description: str
    """Our own Korean sentence(s): what it returns and what it needs."""
    endpoint: Endpoint
    parameters: tuple[Parameter, ...] = ()
    fields: tuple[Field, ...] = ()
    paging: Paging | None = None
    read: bool = True
    """False: the call changes an episode's state."""
    fields_complete: bool = True
    verified: bool = True
    source: str = ""
    """Where the facts were seen (public page or repository)."""

    @property
    def inputs(self) -> tuple[Parameter, ...]:
        """Parameters a caller may set: all but the key and the answer's format."""
        return tuple(p for p in self.parameters if p.role not in ("key", "format"))

    @property
    def fields_unknown(self) -> bool:
        """True where no output column is known; such tools enter no edge, no task and no count."""
        return not self.fields and self.platform != "local"

    def parameter(self, name: str) -> Parameter | None:
        """The parameter of that name, or None."""
        return next((p for p in self.parameters if p.name == name), None)

    def field(self, name: str) -> Field | None:
        """The output field of that name, or None."""
        return next((f for f in self.fields if f.name == name), None)
