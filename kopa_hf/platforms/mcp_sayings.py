"""What the words of an MCP server's `isError` result say about whose failure it is.

The protocol has one flag for everything: wrong arguments, a backend that is down, a quota. Servers mostly pass on
the words of their framework, of their HTTP library or of the service behind them.
"""

from __future__ import annotations

import re
from typing import Final

from kopa_hf.platforms.codes import outcome_of_saying, says_maintenance
from kopa_hf.platforms.failures import Outcome

_CHECKED: Final = re.compile(
    r"""^\W*(?:mcp\ error\ -32602|input\ validation\ error|invalid\ (?:\w+\ )?(?:argument|parameter|param|input|request)s?\b)
    |\b\d+\ validation\ errors?\ for\b
    |^[^\n]{0,80}\binvalid\ arguments\ for\ tool\b
    |\btime_?out['"`]?\ (?:must|should|has\ to|cannot)\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""How SDKs and validators begin when they refuse arguments; what follows may quote these, and says nothing."""
_LATE: Final = re.compile(
    r"time[ds]?[ -]?out|ETIMEDOUT|deadline exceeded|\b504\b.{0,3}gateway|(?:http|status|error code)[^\w\n]{0,3}(?:code )?504\b",
    re.IGNORECASE,
)
_DOWN: Final = re.compile(
    r"""connection\ (?:was\ |has\ been\ )?(?:refused|reset|aborted|closed|failed|lost|broken|error)
    |connect\ call\ failed|all\ connection\ attempts\ failed|max\ retries\ exceeded
    |(?:cannot|can't|could\ not|unable\ to|failed\ to)\ (?:connect|reach|establish)
    |name\ or\ service\ not\ known|nodename\ nor\ servname|name\ resolution|failed\ to\ resolve
    |network\ is\ unreachable|no\ route\ to\ host|broken\ pipe|socket\ hang\ up|fetch\ failed|failed\ to\ fetch
    |server\ disconnected|remote\ end\ closed|certificate\ verify\ failed|CERTIFICATE_VERIFY_FAILED
    |E(?:CONNREFUSED|CONNRESET|CONNABORTED|PIPE|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)\b
    |(?:Connect|Connection|Read|Write|RemoteProtocol|Network|Proxy)Error\b
    |bad\ gateway|service\ (?:is\ )?(?:temporarily\ )?unavailable|internal\ server\ error
    |(?:http(?:/[\d.]+)?|status|error\ code)[^\w\n]{0,3}(?:code|error)?[^\w\n]{0,3}50[0-3]\b
    |\b5\d\d\ server\ error""",
    re.IGNORECASE | re.VERBOSE,
)
"""A connection that did not come about or broke, or a service that answers 5xx; never a bare number, which may be data."""
_BARRED: Final = re.compile(
    r"""\bauthentication\b|\bnot\ (?:authenticated|logged\ in)\b|\blog-?\ ?in\ (?:is\ )?required\b
    |\b(?:invalid|expired|missing|bad|wrong|no)\ (?:(?:access|auth|bearer|api|session|refresh)\ )(?:token|key)\b
    |\b(?:invalid|expired|missing|bad|wrong|no)\ credentials?\b
    |\b(?:http|status|error\ code)[^\w\n]{0,3}(?:code)?[^\w\n]{0,3}40[137]\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""The server is not let in by what stands behind it; the caller has no part in that."""
_ASKED: Final = re.compile(
    r"""\b(?:invalid|not\ (?:a\ )?valid|malformed|unsupported|unrecogni[sz]ed|unexpected\ keyword|illegal|ambiguous)\b
    |\b(?:argument|parameter|validation|schema)s?\b
    |\brequired\b|\bmissing\b|\bmust\ (?:be|have|not|match|contain)\b|\bshould\ be\b|\bexpect(?:s|ed)\b
    |\bout\ of\ range\b|\btoo\ (?:long|short|large|small)\b|\bat\ (?:least|most)\b|\bcannot\ be\ (?:empty|blank|null|parsed)\b
    |\bnot\ found\b|\bno\ such\b|\bdoes(?:\ not|n't)\ exist\b|\bunknown\b(?!\ (?:error|exception|reason|failure|host|issue))|\bnot\ a\ (?:number|date|\w+\ value)\b
    |\b(?:http|status|error\ code)[^\w\n]{0,3}(?:code)?[^\w\n]{0,3}4(?:00|04|09|22)\b|\bbad\ request\b|\bunprocessable\b
    |올바르지|올바른|잘못|유효하지|찾을\ ?수\ ?없|존재하지\ ?않|입력하|지원하지""",
    re.IGNORECASE | re.VERBOSE,
)
"""Words about what was asked for."""


def outcome_of_error(words: str) -> Outcome:
    """Whose failure it is; `server`, the backend's, where the words do not speak of what was asked for.

    An agent is held to its mistakes only: words that nobody knows are no proof of one.
    """
    if "unknown tool" in words.lower():
        return "unknown_operation"
    if _CHECKED.search(words):
        return "bad_param"
    down = _DOWN.search(words) is not None
    # a broken connection can be one of many tries and name the limit that was waited for
    if down and says_maintenance(words):
        return "maintenance"
    if _LATE.search(words):
        return "timeout"
    if down:
        return "server"
    if _BARRED.search(words):
        return "auth"
    return outcome_of_saying(words) or ("bad_param" if _ASKED.search(words) else "server")
