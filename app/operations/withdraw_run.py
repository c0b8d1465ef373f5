"""``withdraw-run``: a system's run that no longer counts."""

from __future__ import annotations

from pydantic import Field

from pagetrail.annotation.options import option
from pagetrail.app.operations.operation import Context, Operation
from pagetrail.app.operations.results import Result
from pagetrail.storage.importers.runs.withdrawal import set_run_withdrawn


class WithdrawRun(Operation):
    """Withdraw a run, or restore it."""

    name = "withdraw-run"
    about = (
        " It stays stored; reports and exports leave it out and say so. To replace it, import the "
        "new one with another --run."
    )
    example = '"agent#1" --campaign baseline --reason "wrong index"'

    system: str = Field(
        description="The system's name.", json_schema_extra={"metavar": "SYSTEM", "argument": True}
    )
    reason: str = option("", "The reason, for the audit log.")
    restore: bool = option(False, "Restore a withdrawn run.")
    delete_originals: bool = option(
        False, "Also delete the rows or samples it was read from. This cannot be undone."
    )

    def run(self, context: Context) -> Result:
        deleted = set_run_withdrawn(
            context.workspace,
            self.campaign,
            self.system,
            withdrawn=not self.restore,
            reason=self.reason,
            delete_originals=self.delete_originals,
        )
        outcome = "counts again" if self.restore else "is withdrawn; it stays stored"
        sentences = [f"The run of {self.system} in {self.campaign} {outcome}."]
        if self.delete_originals:
            sentences.append(f"{deleted:,} originals were deleted.")
        json = {
            "campaign": self.campaign,
            "system": self.system,
            "withdrawn": not self.restore,
            "originals_deleted": deleted,
        }
        return Result(True, sentences, " ".join(sentences), json)


OPERATION = WithdrawRun
