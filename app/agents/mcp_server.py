"""The MCP server: one agent, one campaign, over standard input and output."""

from __future__ import annotations

import base64
import os
import signal
from collections import Counter
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from inspect import getdoc
from threading import Lock
from typing import Any

import anyio
import anyio.to_thread
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.types import (
    CallToolRequestParams,
    CallToolResult,
    ContentBlock,
    ImageContent,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
)
from pydantic import ValidationError

from pagetrail.annotation.errors import BadRequest, ConflictError, PagetrailError, Refusal
from pagetrail.annotation.readable_errors import describe
from pagetrail.app.agents import mcp_tools
from pagetrail.app.agents.attempt import AgentAttempt
from pagetrail.app.agents.client import AgentClient
from pagetrail.app.agents.mcp_replies import (
    already_finished,
    drawn_boxes,
    failed,
    pages,
    result,
    search_result,
    task_description,
)
from pagetrail.app.agents.mcp_tools import Arguments
from pagetrail.app.agents.task_text import check_can_finish, instructions, takes_boxes

_DESCRIPTION = (
    "Answer questions about a collection of PDF documents with the tools people have, under "
    "the same limits. list_tasks shows the questions; open_task starts one; search_documents and "
    "read_page find the answer; submit_answer submits it with the pages it rests on."
)

Reply = dict[str, Any] | CallToolResult


class AgentTools:
    """The tools for one system in one campaign; at most one task is open. Thread-safe."""

    def __init__(self, client: AgentClient) -> None:
        self._desk = client
        self._lock = Lock()
        self._current: tuple[str, AgentAttempt] | None = None
        self._shown_task: str | None = None
        self._tools: dict[str, tuple[type[Arguments], Callable[[Any], Reply]]] = {
            "list_tasks": (mcp_tools.ListTasks, self._list),
            "open_task": (mcp_tools.OpenTask, self._open),
            "search_documents": (mcp_tools.SearchDocuments, self._search),
            "read_page": (mcp_tools.ReadPage, self._read_page),
            "submit_answer": (mcp_tools.SubmitAnswer, self._submit),
            "skip_task": (mcp_tools.SkipTask, self._skip),
            "report_usage": (mcp_tools.ReportUsage, self._report_usage),
        }
        if client.protocol.fields:
            self._tools["set_field"] = (mcp_tools.SetField, self._set_field)
        if takes_boxes(client.protocol):
            self._tools["draw_box"] = (mcp_tools.DrawBox, self._draw_box)
            self._tools["delete_box"] = (mcp_tools.DeleteBox, self._delete_box)

    def definitions(self) -> list[Tool]:
        """The tools' descriptions for clients."""
        return [
            Tool(name=name, description=getdoc(kind), input_schema=kind.model_json_schema())
            for name, (kind, _) in self._tools.items()
        ]

    def call(self, name: str, arguments: dict[str, Any]) -> CallToolResult:
        """Call a tool; a refusal becomes a tool error with its sentence."""
        try:
            if name not in self._tools:
                raise BadRequest(
                    f"There is no tool {name[:100]!r}. Tools: {', '.join(self._tools)}."
                )
            kind, run = self._tools[name]
            try:
                checked = kind.model_validate(arguments)
            except ValidationError as error:
                raise BadRequest(f"{name}: {describe(error)}.") from error
            reply = run(checked)
        except PagetrailError as error:
            return failed(error)
        return reply if isinstance(reply, CallToolResult) else result(reply)

    def _list(self, request: mcp_tools.ListTasks) -> dict[str, Any]:
        tasks = self._desk.tasks()
        matching = [task for task in tasks if request.status in (None, task.status)]
        end = request.offset + request.limit
        return {
            "campaign": self._desk.campaign,
            "tasks": [
                {"id": task.id, "question": task.question, "status": task.status}
                for task in matching[request.offset : end]
            ],
            "total": len(matching),
            "counts": dict(Counter(task.status for task in tasks)),
            "next_offset": end if end < len(matching) else None,
            "instructions": instructions(self._desk.protocol) if request.offset == 0 else None,
        } | ({"guidelines": self._desk.guidelines} if request.guidelines else {})

    def _open(self, request: mcp_tools.OpenTask) -> dict[str, Any]:
        task = request.task
        with self._lock:
            current = self._current
            if current is not None and current[0] != task and self._is_open(current[1]):
                raise ConflictError(
                    f"Task {current[0]} is open. Finish it with submit_answer or skip_task before "
                    "you open another.",
                    code="task_open",
                )
            if current is None or current[0] != task:
                attempt = self._desk.open(task)
                if not self._is_open(attempt):
                    self._current = None
                    raise already_finished(task)
                current = self._current = task, attempt
            self._shown_task = task
        return task_description(current[1].state(), self._desk.protocol)

    def _is_open(self, attempt: AgentAttempt) -> bool:
        return attempt.state().status in ("new", "open")

    def _search(self, request: mcp_tools.SearchDocuments) -> dict[str, Any]:
        attempt = self._attempt()
        return search_result(attempt.search_documents(request.query)) | self._time_left(attempt)

    def _read_page(self, request: mcp_tools.ReadPage) -> CallToolResult:
        attempt = self._attempt()
        read = attempt.read_page(request.file, request.page, image=request.image)
        no_text = "(This page has no text. Request its image with image=true.)"
        text = read.text if read.text.strip() else no_text if read.png is None else ""
        content: list[ContentBlock] = [TextContent(type="text", text=text)]
        if read.png is not None:
            data = base64.b64encode(read.png).decode("ascii")
            content.append(ImageContent(type="image", data=data, mime_type="image/png"))
        page_data: dict[str, Any] = {"file": read.document, "page": read.page}
        page_data |= {"pages_in_file": read.n_pages, "text": read.text} | self._time_left(attempt)
        return CallToolResult(content=content, structured_content=page_data)

    def _submit(self, request: mcp_tools.SubmitAnswer) -> dict[str, Any]:
        cited = [(page.file, page.page) for page in request.citations]
        # An empty list keeps the current answer.
        answer = request.answer if any(item.strip() for item in request.answer) else None
        try:
            state = self._shown_attempt().submit(
                answer, cited, request.outcome, confidence=request.confidence
            )
        except Refusal as refusal:
            raise _what_is_left(refusal) from refusal
        self._finish(state.task)
        return {
            "task": state.task,
            "status": state.status,
            "outcome": state.outcome,
            "answer": list(state.answer),
            "citations": pages(state.citations),
        }

    def _skip(self, request: mcp_tools.SkipTask) -> dict[str, Any]:
        state = self._attempt().skip(request.reason)
        self._finish(state.task)
        return {"task": state.task, "status": state.status}

    def _report_usage(self, request: mcp_tools.ReportUsage) -> dict[str, Any]:
        attempt = self._attempt()
        usage = request.model_dump(exclude={"model", "calls"}, exclude_none=True)
        attempt.report_usage(request.model, calls=request.calls, **usage)
        return {"task": attempt.state().task, "model": request.model, "usage": usage}

    def _set_field(self, request: mcp_tools.SetField) -> dict[str, Any]:
        attempt = self._shown_attempt()
        attempt.set_field(request.field, request.value, document=request.file, page=request.page)
        state = attempt.state()
        return {"field": request.field, "value": request.value} | {
            "pages": None if state.pages is None else pages(state.pages),
            "material": [part.model_dump() for part in state.material],
            "set_before_pages_open": list(state.locked),
        }

    def _draw_box(self, request: mcp_tools.DrawBox) -> dict[str, Any]:
        attempt = self._attempt()
        box = attempt.draw_box(request.file, request.page, request.box, request.label)
        return {"box": box, "boxes": drawn_boxes(attempt.state())} | self._time_left(attempt)

    def _delete_box(self, request: mcp_tools.DeleteBox) -> dict[str, Any]:
        attempt = self._attempt()
        attempt.delete_box(request.box)
        return {"boxes": drawn_boxes(attempt.state())} | self._time_left(attempt)

    def _time_left(self, attempt: AgentAttempt) -> dict[str, Any]:
        """The time left, added to every reply if the campaign has a limit: agents see no clock."""
        if self._desk.protocol.clock.limit_s is None:
            return {}
        return {"seconds_left": attempt.state().left_s}

    def _attempt(self) -> AgentAttempt:
        """The open task; a server that has just started continues with the one left open."""
        with self._lock:
            if self._current is None:
                left = [task.id for task in self._desk.tasks() if task.status == "open"]
                if len(left) != 1:
                    names = f" Started: {', '.join(left[:20])}." if left else ""
                    raise Refusal(
                        "No task is open. Choose one from list_tasks and call open_task first."
                        f"{names}",
                        code="no_task_open",
                    )
                self._current = left[0], self._desk.open(left[0])
            return self._current[1]

    def _shown_attempt(self) -> AgentAttempt:
        """The open task; if it has material, it must have been shown by this server."""
        attempt = self._attempt()
        with self._lock:
            is_shown = self._current is not None and self._current[0] == self._shown_task
        if self._desk.protocol.material and not is_shown:
            raise Refusal(
                "You have not been given this task's material. Call open_task with the task's id "
                "first, and judge by what it returns.",
                code="task_not_shown",
            )
        return attempt

    def _finish(self, task: str) -> None:
        with self._lock:
            if self._current is not None and self._current[0] == task:
                self._current = None


def _what_is_left(refusal: Refusal) -> Refusal:
    """The refusal after the time limit, with what can still be submitted."""
    if refusal.code != "time_over":
        return refusal
    return Refusal(
        f"{refusal.message} Here that is submit_answer with answer=[], no citations and outcome "
        '"not_found", or skip_task.',
        code=refusal.code,
        field=refusal.field,
    )


def build(client: AgentClient) -> Server[Any]:
    """The server, without a transport.

    Built on the low-level server: ``MCPServer`` accepts unknown arguments, drops the codes of
    errors, and offers prompts and resources that do not exist.
    """
    tools = AgentTools(client)

    async def list_tools(
        _context: ServerRequestContext[Any], _params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        return ListToolsResult(tools=tools.definitions())

    async def call_tool(
        _context: ServerRequestContext[Any], params: CallToolRequestParams
    ) -> CallToolResult:
        # Searches and images take a while: other calls and pings are answered meanwhile.
        call = partial(tools.call, params.name, params.arguments or {})
        return await anyio.to_thread.run_sync(call)

    return Server(
        "pagetrail",
        version=version("pagetrail"),
        instructions=f"{_DESCRIPTION} This campaign is “{client.protocol.title}”.",
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def serve(client: AgentClient) -> None:
    """Serve on standard input and output until the client disconnects or ends this process.

    Raises:
        ConflictError: an agent cannot finish the campaign's tasks.
    """
    check_can_finish(client.campaign, client.protocol)
    server = build(client)

    async def run() -> None:
        async with stdio_server() as (requests, replies):
            await server.run(requests, replies, server.create_initialization_options())

    def leave(number: int, _frame: object) -> None:
        try:
            client.close()
        finally:
            # The thread that waits for standard input cannot be woken, so an ordinary exit would
            # hang. Everything that was answered is stored.
            os._exit(128 + number)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, leave)
    anyio.run(run)
