"""What the scripted endpoint is told to do, so that we know the right answer beforehand."""

from typing import Literal

from pydantic import Field

from variants.specs.spec import Spec

Fault = Literal["none", "error", "no_finish", "no_done", "http_400", "http_500", "hang", "reset"]


class Script(Spec):
    """What the endpoint does with every completion it is asked for."""

    model: str = "scripted"
    ttft_ms: float = Field(default=0, ge=0, description="slot taken to first token")
    tpot_ms: float = Field(default=0, ge=0, description="per token after the first read")
    first_read_tokens: int = Field(default=1, ge=1, description="tokens in the first read")
    tokens_per_read: int = Field(default=1, ge=1, description="tokens in each later read")
    num_slots: int | None = Field(default=None, ge=1, description="requests run at once; None: all")
    accept_delay_ms: float = Field(default=0, ge=0, description="before a connection is let in")
    stall_ms: float = Field(default=0, ge=0, description="once, before the stalled token")
    stall_token: int = Field(default=2, ge=2, description="the token that comes late, from 1")
    has_role_chunk: bool = Field(default=False, description="a chunk without text comes at once")
    num_reasoning: int = Field(default=0, ge=0, description="leading tokens that are reasoning")
    is_tool_call: bool = Field(default=False, description="tokens are parts of one tool call")
    tool: str = Field(default="scripted", description="name of the function that is called")
    words: str = Field(default="", description="what it says or calls with; '': t1 t2 t3")
    ends: Literal["length", "stop"] = Field(default="length", description="why an answer ends")
    has_comments: bool = Field(default=False, description="a comment goes before every read")
    has_blank: bool = Field(default=True, description="a blank follows `data:`")
    line_end: Literal["\n", "\r\n", "\r"] = "\n"
    is_accented: bool = Field(default=False, description="tokens have characters of two bytes")
    cuts_reads: bool = Field(
        default=False, description="each read leaves in two writes, cut inside its last character"
    )
    usage: Literal["each", "end", "none"] = Field(default="each", description="chunks with usage")
    missing_tokens: int = Field(default=0, ge=0, description="output tokens short of those asked")
    has_prefix_cache: bool = Field(default=True, description="False: it takes the flag, no more")
    num_drafted: int | None = Field(
        default=None, ge=0, description="draft tokens a step; 0: it only counts; None: nor that"
    )
    num_accepted: int = Field(default=0, ge=0, description="of them accepted")
    fault: Fault = "none"
    fault_every: int = Field(default=1, ge=1, description="the fault strikes each n-th request")
    die_after: int | None = Field(
        default=None, ge=0, description="requests served before the process dies in mid-stream"
    )

    def fault_of(self, number: int) -> Fault:
        """Return what goes wrong with the n-th request."""
        return self.fault if number % self.fault_every == 0 else "none"
