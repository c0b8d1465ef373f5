/**
 * What the server sends to the screens besides the models in models.d.ts, and what the modules
 * share among themselves. Boot: app/boot; Review: app/review_data; Script: app/replay.
 */
declare namespace Pt {
  /** x0, y0, x1, y1 in points on the displayed page. */
  type Rect = [number, number, number, number];
  type Point = { x: number; y: number };
  type Size = [number, number];
  type Place = { document: string; page: number };
  /** What a field is asked of: all null for the task, without a box for a page. */
  type Target = { document: string | null; page: number | null; box: string | null };
  type Scope = "task" | "page" | "box";
  type Outcome = "answered" | "not_found" | "unanswerable" | "completed";
  type Value = FieldValue["value"];
  /** x0, y0, x1, y1 and the text of a word on a page. */
  type Word = [number, number, number, number, string];
  /** Functions that a part of the screen is given by name. */
  type Actions = Record<string, any>;
  type MarkdownNode = string | { tag: string; href?: string; children: MarkdownNode[] };

  interface Event {
    id: string;
    session: string;
    type: string;
    payload: Record<string, any>;
    seq: number;
    client_ts: string;
    at: number;
    mono: number | null;
    /** Why a full task did not take it. */
    full?: string;
  }
  interface Refusal {
    id: string;
    code: string;
    message: string;
    field: string | null;
  }
  interface Receipt {
    id: string;
    seq: number;
    server_ts: string;
  }
  interface EventsReply {
    receipts?: Receipt[];
    refusals?: Refusal[];
    last_seq: number;
    work_ms?: number;
    saved_at?: string | null;
    epoch?: string;
  }
  interface OutboxOptions {
    attempt: string;
    /** this tab's visit */
    session: string;
    nextId: () => string;
    send: (body: any, options?: any) => Promise<EventsReply>;
    /** last event known */
    seq: number;
    /** types of events that carry work; the others tell how it was done */
    content: string[];
    /** events left over from an earlier visit */
    events?: Event[];
    onReply: (reply: EventsReply, sent: Event[], foreign: boolean) => void;
    onRefusal: (refusal: Refusal, event: Event) => void;
    onStatus: (status: { kind: string; message?: string }) => void;
    /** the queue grew or shrank */
    onChange: () => void;
  }
  interface Recorded {
    receipt?: Receipt;
    refusal?: Refusal;
  }

  interface DocumentInfo {
    sha256: string;
    n_pages: number;
    pages: Size[];
  }
  interface SearchResult extends Place {
    rank: number;
    snippet: any;
    search_id?: string | null;
    via?: string;
  }
  interface SearchReply {
    search_id: string;
    query: string;
    parsed: string | null;
    total_hits: number | null;
    top_k: number;
    results: SearchResult[];
    refusal: { message: string } | null;
    suggestion: string | null;
  }
  interface BatchTask {
    attempt: string;
    position: number | null;
    status: AttemptState["status"];
    flagged: boolean;
    returned: boolean;
    asked: boolean;
    /** Empty before its turn, where tasks are done in turn. */
    question: string;
    /** Whether it cannot be opened: not its turn yet, or finished for good. */
    locked: boolean;
  }
  interface Batch {
    assignment: number | null;
    code_name: string;
    closed: boolean;
    /** Null where annotators do not see how many tasks there are; so is `position`. */
    size: number | null;
    position: number | null;
    tasks: BatchTask[];
  }
  interface Task {
    key: string;
    question: string;
    domain: string | null;
    category: string | null;
  }
  interface ShownRecord {
    source: string;
    title: string;
    lines: string[];
    waits_for: string[];
  }
  interface Authored {
    written: number;
    multi_hop: number;
    target: number | null;
  }
  /** An attempt as the workspace gets it. */
  interface Boot {
    attempt: string;
    token: string;
    epoch: string;
    user: { name: string };
    campaign: { name: string; title: string; status: string };
    review: { task: number; campaign: string; back: string; since: number } | null;
    archived: boolean;
    withdrawn: boolean;
    decided: string;
    /** a practice task, which counts nowhere */
    practice: boolean;
    batch: Batch;
    task: Task;
    protocol: Protocol;
    guidelines: MarkdownNode[];
    keys: Record<string, string | null>;
    material: ShownRecord[];
    locked: string[];
    authored: Authored | null;
    /** what the brief for a new question is about */
    brief: Place[];
    given: Place[] | null;
    documents: Record<string, DocumentInfo>;
    results: SearchReply | null;
    state: AttemptState;
    active_ms: number;
    link: Place | null;
    corpus: any;
    /** types of events */
    event_types: { edits: string[]; content: string[] };
  }
  /** What the parts of the workspace read; null before an attempt is on screen. */
  interface WorkspaceData extends Omit<Boot, "token" | "active_ms" | "link"> {
    home: string;
    layout: Record<string, any>;
    connection: { kind: string; message?: string };
    pending: number;
    page: any;
    recovered: { field: string; text: string } | null;
    loading: string | null;
    timeOver: boolean;
    lost: any[];
    searching: { query: string } | null;
    searchError: string | null;
    searchNote: string | null;
    selected: string | null;
    savedAt: string | null;
    tool: string;
    boxesHidden: boolean;
    activeLabel: string | null;
    [key: string]: any;
  }
  interface OpenPage extends Place {
    via?: PageViewed["via"];
    search_id?: string | null;
    stamp?: number;
  }
  type PaintedPage = OpenPage & { via: PageViewed["via"] };

  /** What a person, or a draft, holds of a task under review. */
  interface ReviewState {
    outcome: Outcome | null;
    answer: string[];
    answer_text: string;
    /** Of gold: accepted beside the answer, each as its text. */
    variants: string[];
    question_text: string | null;
    citations: Place[];
    evidence: KeptPage[];
    fields: Omit<FieldValue, "seq">[];
    boxes: ReviewBox[];
    rows: (Pick<RecordRow, "field" | "document" | "page" | "box" | "row" | "values"> & {
      /** whether a model gave it */
      model: boolean;
    })[];
    /** Of a draft: what it is missing to be gold, part or field → a sentence. */
    missing?: Record<string, string>;
    /** Of a draft: pages that are not those of the people whose answer it has. */
    mixed?: MixedEvidence | null;
    /** Of a draft: part → a sentence on the pages that the retention rule leaves to a reviewer. */
    open_pages?: Record<string, string>;
    /** Of a draft: what the retention rule did on each page of a part. */
    page_rules?: PageRule[];
  }
  interface MixedEvidence {
    /** Attempts whose answer it is. */
    answered: string[];
    /** The one of them whose answer was chosen. */
    taken: string | null;
    added: [string, number][];
    left_out: [string, number][];
  }
  interface PageRule extends Place {
    part: string;
    status: "retained" | "dropped" | "open";
    /** It is open because no grade has a majority. */
    graded: boolean;
    /** Whether the reviewer marked it; null before they decided it. */
    reviewer: boolean | null;
    why: string;
  }
  type PageVerdict = "pages" | "rejected";
  interface ReviewBox extends Place {
    id: string;
    rect: Rect;
    label: string | null;
    content: string | null;
    /** 1…n on its page */
    order: number | null;
    /** sorts it; the same for two people where neither moved it */
    standing: number | null;
    attributes: Record<string, string>;
    model: boolean;
    verdict: string;
  }
  interface Participant extends ReviewState {
    attempt: string;
    name: string;
    status: AttemptState["status"];
    note: string;
    flag: string | null;
    skip_reason: string | null;
    submitted_without: string[];
    returned: boolean;
    handed_at: string | null;
    active_ms: number;
    wall_ms: number;
    searches: Omit<Search, "search_id" | "parsed" | "seq">[];
    comments: Comment[];
  }
  /** What somebody flagged, or why they skipped the task; `handled` by a supervisor. */
  interface RaisedFlag {
    attempt: string;
    name: string;
    flag: string | null;
    skipped: boolean;
    skip_reason: string | null;
    handled: boolean;
  }
  interface ReviewedPart {
    part: string;
    label: string;
    score: number | null;
    agreed: boolean;
    /** People differ, but gold could accept all their answers. */
    variants: boolean;
    places: [string, number][];
  }
  interface EvidencePage extends Place {
    by: string[];
    annotators: number;
  }
  interface Zone extends Place {
    pairs: { a: string; b: string; iou: number | null; dice: number | null }[];
    iou: number | null;
    dice: number | null;
  }
  interface ReviewGold {
    attempt: string;
    version: number;
    decided_by: string | null;
    decided_at: string | null;
    reason: string;
    automatic: boolean;
    checked: boolean;
    errors: string[];
    confidence: string | null;
    reopened: boolean;
    sources: Source[];
    choices: Choice[];
    draft: ReviewState;
    edited: boolean;
    /** The event of one's own last decision, while it can be undone. */
    undoable: number | null;
    log: { seq: number; at: string; by: string; text: string }[];
  }
  interface Queue {
    position: number | null;
    of: number;
    next: number | null;
    previous: number | null;
    following: number | null;
    filtered: boolean;
    /** What the queue of several campaigns is called in its address. */
    campaign: string | null;
    campaigns: number;
  }
  /** A task under review. */
  interface ReviewData {
    task: Task & { id: number; campaign: string; title: string; code_name: string };
    /** What annotators are shown beside the question. */
    material: any[];
    /** The pages that the task gives. */
    given: Place[];
    dataset_gold: any;
    protocol: Protocol;
    guidelines: MarkdownNode[];
    rule: ReviewPart;
    status: string;
    score: number | null;
    flagged: boolean;
    raised: RaisedFlag[];
    drawn: boolean;
    parts: ReviewedPart[];
    /** Why the submissions were not compared; empty where they were. */
    not_compared: string;
    /** Everybody agrees, on something else than the dataset. */
    contradicts_dataset: boolean;
    token: string;
    me: string;
    holder: string | null;
    held_at: string | null;
    unfinished: {
      people: { name: string; state: string }[];
      places: number;
      sentence: string;
      decide: string;
    };
    seen: { sources: Record<string, number>; gold_seq: number; pending: string[] };
    sides: Participant[];
    evidence: EvidencePage[];
    zones: Zone[];
    documents: Record<string, DocumentInfo>;
    gold: ReviewGold | null;
    draft: ReviewState;
    choices: Choice[];
    ways: Record<string, string[]>;
    queue: Queue;
  }
  interface Look {
    line: string;
    ink: string;
    dash: string;
  }
  /** What the parts of the review screen show. */
  interface ReviewView {
    data: ReviewData;
    rows: ComparisonRow[];
    pages: (Place & { why: string[]; differs: boolean })[];
    part: string | null;
    page: Place | null;
    picks: Selections;
    choices: Choice[];
    /** Parts that a tie leaves open. */
    tied: string[];
    /** What the draft is missing, part or field → a sentence. */
    missing: Record<string, string>;
    draft: ReviewState;
    basis: string;
    busy: boolean;
    editable: boolean;
    /** attempt and box */
    chosenBoxes: [string, string][];
    /** attempt, page and row */
    chosenRows: (part: string) => [string, string | null, number | null, string][];
    look: (attempt: string) => Look;
    gold: string;
    decided: boolean;
    readOnly: boolean;
    acting: boolean;
    warned: boolean;
    imageUrl: (sha: string, page: number, dpi: number) => string;
  }
  /** What went wrong on the review screen, and what can be done about it. */
  interface Problem {
    text: string;
    action: string | null;
    run?: () => any;
    link?: string;
  }
  interface MatrixActions {
    part(part: string): void;
    takeFrom(part: string, attempt: string): void;
    way(part: string, how: string): void;
    /** open the editor of the accepted answers */
    edit(): void;
    write(texts: string[]): void;
    row(
      part: string,
      before: [string, string | null, number | null, string][],
      lines: [string, string | null, number | null, string][][],
      entry: [string, string | null, number | null, string],
      taken: boolean,
    ): void;
    all(attempt: string): void;
    page(place: Place): void;
    show(box: ReviewBox): void;
    cite(place: Place): void;
    /** mark a page of the retention rule, or reject it */
    rule(part: string, place: Place, verdict: PageVerdict): void;
    at(part: string, place: Place, attempt: string): void;
    box(attempt: string, box: ReviewBox): void;
    comments(participant: Participant): void;
    replay(participant: Participant): string;
  }
  interface PageActions {
    page(place: Place): void;
    box(attempt: string, box: ReviewBox): void;
    wide(): void;
  }
  /** The boxes of one person, or of the gold draft, on the open page. */
  interface BoxLayerOf {
    key: string;
    number: string;
    name: string;
    boxes: ReviewBox[];
    /** null for the gold draft */
    look: Look | null;
    chosen: Set<string>;
  }
  interface Run {
    text: string;
    differs: boolean;
    gap?: boolean;
  }
  /** A key of a screen: `run` names its action, `shown` is for the help, `when` says in whose. */
  interface Key {
    group: string;
    key: string;
    run?: string | null;
    does?: string;
    shown?: string[];
    when?: string[];
    ctrl?: boolean;
    alt?: boolean;
    shift?: boolean;
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
    selected: boolean;
    /** The selected box was chosen on purpose. */
    held: boolean;
    /** No boxes are drawn, so the space bar scrolls. */
    pans: boolean;
    /** A page is beside the open one. */
    beside: boolean;
    /** The text tool is in hand. */
    selecting: boolean;
    /** There is a page to go back to. */
    back: boolean;
    /** A task was submitted without asking, and can be withdrawn. */
    undoable: boolean;
    /** The options that a key chooses now; of two with one key, the first. */
    options: { spec: FieldSpec; option: FieldSpec["options"][number] }[];
  }
  /** What a reviewer chose for a part; boxes by attempt and id, `at`: whom to follow on one page. */
  interface Selection {
    how: string;
    side?: string | null;
    sides?: string[];
    texts?: string[];
    rows?: [string, string | null, number | null, string][];
    pages?: [string, number][];
    rejected?: [string, number][];
    boxes?: [string, string][];
    at?: [string, number, string][];
  }
  type Selections = Record<string, Selection>;

  /** One attempt as the replay gets it; see script_json in Python. */
  interface Script {
    id: string;
    name: string;
    system: boolean;
    campaign: string;
    state: string;
    result: { words: string; parts: string; tone: string } | null;
    labels: { name: string }[];
    seed: boolean;
    /** name, title; of those that the replay shows */
    textNames: [string, string][];
    /** how an attempt without times is played; "" for one with times */
    pace: string;
    fieldLabels: Record<string, string>;
    timed: boolean;
    duration: number;
    /** t_ms, lane, text */
    moments: [number, string, string][];
    searches: { seq: number; query: string; outcome: string; results: number[] }[];
    /** page, begin_ms, end_ms */
    looks: [number, number, number][];
    /** seq, page, label, place of its explanation in bases */
    views: [number, number | null, string, number][];
    bases: string[];
    /** page, begin, end */
    citations: [number, number, number | null][];
    /** id, page, states: seq, rect, label, verdict */
    boxes: [string, number, [number, Rect | null, string | null, string][]][];
    /** seq, start, end, insert */
    texts: Record<string, [number, number, number, string][]>;
    /** seq, field, page, box, value */
    fields: [number, string, number | null, string | null, string | null][];
    /** lane, name; from top to bottom */
    lanes: [string, string][];
    /** reason, begin_ms, end_ms */
    spans: [string, number, number][];
    documents: [string, string | null][];
    /** document, number, width, height */
    pages: [number, number, number | null, number | null][];
  }
  interface ReplayData {
    attempts: Script[];
    question: string;
    token: string;
    prefix: string;
    signature: string;
  }

  // Classes that other modules are given.
  type Stage = import("../shared/page/page_stage").Stage;
  type Api = import("../shared/api").Api;
  type BoxLayer = import("../shared/page/box_layer").BoxLayer;
  type Viewer = import("../workspace/viewer/viewer").Viewer;
  type Texts = import("../workspace/fields/text_drafts").Texts;
  type TextField = import("../workspace/fields/text_field").TextField;
  type FieldWidget = import("../workspace/fields/fields").FieldWidget;
  type BoxTool = import("../workspace/boxes/box_commands").BoxTool;
  type Attempt = import("../workspace/state/attempt").Attempt;
  type Form = import("../workspace/state/form_state").Form;
  type Outbox = import("../workspace/sync/outbox").Outbox;
  type Workspace = import("../workspace/workspace").Workspace;
  type Commands = import("../workspace/commands").Commands;
  type Deciding = import("../reviewing/decision/decide").Deciding;
  type Matrix = import("../reviewing/comparison/comparison_table").Matrix;
  type PagePane = import("../reviewing/page/page_pane").PagePane;
  type Session = import("../reviewing/session").Session;
  type Reviewing = import("../reviewing/reviewing").Reviewing;
  type Acts = import("../reviewing/requests").Acts;
  type Player = import("../replay/player").Player;
  type Track = import("../replay/script_state").Track;
  type Replay = import("../replay/replay").Replay;
  type Store = import("../workspace/state/store").Store;
  type ComparisonRow = import("../reviewing/comparison/comparison_rows").Row;
}
