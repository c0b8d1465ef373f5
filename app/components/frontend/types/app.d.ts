/** What the modules share among themselves; models.d.ts has what the server sends and accepts. */
declare namespace Pt {
  type Point = { x: number; y: number };
  type Size = [number, number];
  type Place = PageReference;
  /** What a field is asked of: all null for the task, without a box for a page. */
  type Target = { document: string | null; page: number | null; box: string | null };
  type EventOf<Payloads> = {
    [Type in keyof Payloads]: { type: Type; payload: Payloads[Type] };
  }[keyof Payloads];
  /** An event as the state follows it; `seq` is a guess until it is acknowledged. */
  type FoldedEvent = EventOf<EventPayloads & ServerEventPayloads> & { id: string; seq: number };
  /** An event that this browser recorded. */
  type Event = EventOf<EventPayloads> & {
    id: string;
    session: string;
    /** the last event known when it was recorded */
    seq: number;
    client_ts: string;
    at: number;
    mono: number | null;
    /** of the payload's document, that was on screen; of the first version, none */
    document_version?: number;
    /** Why a full task did not take it. */
    full?: string;
  };
  type SendOptions = { keepalive?: boolean; signal?: AbortSignal };
  /** The server's reply; of an event that it cannot read, only the refusal. */
  type EventOutcome = Partial<EventsReply> &
    Pick<EventsReply, "receipts" | "refusals" | "last_seq">;
  interface OutboxOptions {
    attempt: string;
    /** this tab's visit */
    session: string;
    nextId: () => string;
    send: (body: EventBatch, options?: SendOptions) => Promise<EventsReply>;
    /** last event known */
    seq: number;
    /** types of events that carry work; the others tell how it was done */
    content: string[];
    /** events left over from an earlier visit */
    events?: Event[];
    onReply: (reply: EventOutcome, sent: Event[], foreign: boolean) => void;
    onRefusal: (refusal: EventRefusal, event: Event) => void;
    /** what the last request says of the connection, and when it was sent */
    onStatus: (status: Connection, sentAt: number) => void;
    /** the queue grew or shrank */
    onChange: () => void;
  }
  interface Recorded {
    receipt?: StoredReceipt;
    refusal?: EventRefusal;
  }

  interface SearchResult extends SearchHit {
    search_id?: string | null;
    via?: PageViewed["via"];
  }
  interface Connection {
    kind: "online" | "offline" | "busy" | "signed-out" | "stopped" | "full";
    message?: string;
  }
  /** What is open, folded and chosen, remembered by this browser for all tasks. */
  interface StoredLayout {
    left?: boolean;
    right?: boolean;
    /** the batch panel where a text is beside the page */
    leftOfText?: boolean;
    resultsCollapsed?: boolean;
    /** thumbnails; `railToo` where the filmstrip has all the pages */
    rail?: boolean;
    railToo?: boolean;
    /** by field, and by source of material */
    help?: Record<string, boolean>;
    folded?: Record<string, boolean>;
    /** submit without asking */
    direct?: boolean;
    spoken?: boolean;
    /** the text of a page is shown rendered; it does not scroll with its page */
    rendered?: boolean;
    apart?: boolean;
    snap?: boolean;
    /** go on when a page is complete, where the protocol does */
    advance?: boolean;
  }
  /** Milliseconds of work on the task, and those left of a time limit. */
  interface WorkingTime {
    worked: number;
    isStopped: boolean;
    isIdle: boolean;
    left: number | null;
  }
  /** What the parts of the workspace read; null before an attempt is on screen. */
  interface WorkspaceData extends Omit<AttemptPayload, "token" | "active_ms" | "link"> {
    /** address of the first screen */
    home: string;
    layout: StoredLayout;
    windowSize: import("../workspace/panel_visibility").WindowSize;
    /** panels that are drawers in a small window, and open */
    leftDrawer: boolean;
    rightDrawer: boolean;
    connection: Connection;
    /** changes that are not stored yet */
    pending: number;
    /** something typed or changed is not stored yet */
    unsaved: boolean;
    /** tasks of the batch whose submission or skip waits for the connection */
    waiting: ReadonlyMap<string, import("../workspace/sync/waiting_tasks").Ending>;
    /** what is not stored yet outlives this tab */
    keepsWork: boolean;
    workingTime: WorkingTime;
    page: OpenPage | null;
    contextOpen: boolean;
    /** what the search bar holds */
    query: string;
    reading: boolean;
    /** the tour is shown */
    touring: boolean;
    newGuidelines: boolean;
    recovered: { field: string; text: string } | null;
    loading: string | null;
    timeOver: boolean;
    /** events of an earlier visit to a gold draft that no longer fit it */
    lost: Event[];
    searching: { query: string } | null;
    searchError: string | null;
    searchNote: string | null;
    /** why the server refused the answer, the question, and the submission */
    answerError: string;
    questionError: string;
    submitError: string;
    selected: string | null;
    savedAt: string | null;
    tool: string;
    boxesHidden: boolean;
    /** drawn where no box counts yet, kept in this browser */
    pendingBoxes: import("../workspace/boxes/pending_boxes").PendingBox[];
    activeLabel: string | null;
    /** the patch of the text that keys decide */
    currentPatch: string | null;
    /** the box that was selected on purpose */
    held?: string | null;
    /** the page that is beside the open one, and those that were open last */
    beside: Place | null;
    /** what is typed into the calculator */
    calculation: string;
    recent: Place[];
    /** what is wrong with fields, by the field and its target */
    fieldProblems: ReadonlyMap<string, import("../workspace/fields/field_state").FieldProblem>;
    focusRequest: import("../workspace/fields/field_state").FocusRequest | null;
    /** of the screen */
    keys: ScreenKey[];
    /** the field that takes the keys as it has the focus, as of `fieldKey` */
    keyedField: string | null;
    steps: import("../workspace/fields/step_replay").ShownSteps | null;
    /** the pages that a replayed step found */
    /** the comment that is being written, and why it was not taken */
    reply: { text: string; error: string };
    replayed?: import("../workspace/fields/steps").Found | null;
  }
  interface OpenPage extends Place {
    via?: PageViewed["via"];
    search_id?: string | null;
    stamp?: number;
    /** of the document, whose page is shown */
    version?: number;
  }
  type PaintedPage = OpenPage & { via: PageViewed["via"] };

  type PageVerdict = "pages" | "rejected";
  interface Look {
    line: string;
    ink: string;
    dash: string;
  }
  /** What `translated_json` adds: stored names in the reader's language. */
  interface BoxLabel {
    title: string;
  }
  interface Option {
    /** the box label that it stands for, where a field matches the boxes */
    box_label?: string;
  }
  interface Column {
    option_titles: Record<string, string>;
  }
  /** What went wrong on the review screen, and what can be done about it. */
  interface Problem {
    text: string;
    action: string | null;
    run?: () => unknown;
    link?: string;
  }
  interface Run {
    text: string;
    differs: boolean;
    gap?: boolean;
  }
  /** What decides which keys of the workspace work. */
  interface KeyMode {
    paused: boolean;
    /** The attempt is open; `changes`: and its time is not over. */
    edits: boolean;
    changes: boolean;
    /** A draft of gold. */
    review: boolean;
    page: boolean;
    given: boolean;
    drawing: boolean;
    /** Boxes have filled fields of the page, which wait to be confirmed. */
    proposes: boolean;
    /** The labels of boxes that a key chooses now. */
    labels: { key: string; label: string }[];
    selected: boolean;
    /** The selected box was chosen on purpose. */
    held: boolean;
    /** No boxes are drawn, so the space bar scrolls. */
    pans: boolean;
    /** A page is beside the open one. */
    beside: boolean;
    /** The text tool is in hand. */
    selecting: boolean;
    /** The text has open patches, and the text tool is not in hand. */
    patches: boolean;
    /** There is a page to go back to. */
    back: boolean;
    /** A task was submitted without asking, and can be withdrawn. */
    undoable: boolean;
    /** The options that a key chooses now; of two with one key, the first. */
    options: { spec: FieldSpec; option: FieldSpec["options"][number] }[];
  }
  type Selections = Record<string, PickRequest>;

  // Classes that other modules are given.
  type Stage = import("../shared/page/page_stage").Stage;
  type Api = import("../shared/api").Api;
  type Viewer = import("../workspace/viewer/viewer").Viewer;
  type Texts = import("../workspace/fields/text_drafts").Texts;
  type TextField = import("../workspace/fields/text_field").TextField;
  type BoxCommands = import("../workspace/boxes/box_commands").BoxCommands;
  type Attempt = import("../workspace/state/attempt").Attempt;
  type Form = import("../workspace/state/form_state").Form;
  type Outbox = import("../workspace/sync/outbox").Outbox;
  type Workspace = import("../workspace/workspace").Workspace;
  type Commands = import("../workspace/commands").Commands;
  type Deciding = import("../reviewing/decision/decide").Deciding;
  type Session = import("../reviewing/session").Session;
  type Reviewing = import("../reviewing/reviewing").Reviewing;
  type Acts = import("../reviewing/requests").Acts;
  type Player = import("../replay/player").Player;
  type Track = import("../replay/script_state").Track;
  type Replay = import("../replay/replay").Replay;
  type Store = import("../shared/store").Store<WorkspaceData>;
  type ComparisonRow = import("../reviewing/comparison/comparison_rows").Row;
}
