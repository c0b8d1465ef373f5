// Written by scripts/javascript_types.py from the Python types of these names; do not edit.
declare namespace Pt {
  interface AidsPart {
    bookmarks: boolean;
    scratchpad: boolean;
    calculator: boolean;
  }

  interface AnswerEdited {
    undoes?: string | null;
    text: string;
  }

  interface AnswerPart {
    kind: "off" | "list" | "text";
    unanswerable: boolean;
    not_found: boolean;
    relative_tolerance: number | null;
    absolute_tolerance: number | null;
  }

  interface AttemptPayload {
    attempt: string;
    token: string;
    epoch: string;
    user: SignedInPerson;
    campaign: ShownCampaign;
    review: GoldDraft | null;
    archived: boolean;
    withdrawn: boolean;
    excluded: boolean;
    decisions_mark: string;
    practice: boolean;
    batch: ShownBatch;
    task: TaskHeading;
    protocol: Protocol;
    guidelines: (string | MarkdownElement)[];
    key_conditions: ("answer" | "asks" | "bookmarks" | "boxes" | "calculator" | "chart" | "copies" | "draws" | "elements" | "evidence" | "finds" | "gaps" | "ordered" | "pause" | "rows" | "scratchpad" | "search" | "steps" | "tables" | "transcript" | "unboxed" | "words")[];
    label_keys: Record<string, string | null>;
    material: ShownMaterial[];
    locked: string[];
    brief: PageReference[];
    question_counts: QuestionCounts | null;
    given_pages: PageReference[] | null;
    documents: Record<string, ShownDocument>;
    results: ShownSearch | null;
    state: AttemptState;
    active_ms: number;
    link: PageReference | null;
    corpus: CorpusSize;
    event_types: SentEventTypes;
  }

  interface AttemptScript {
    documents: [string, string | null][];
    pages: [number, number, number | null, number | null][];
    timed: boolean;
    duration: number;
    moments: [number, "search" | "page" | "citation" | "box" | "answer" | "clock" | "other", string][];
    searches: ReplayedSearch[];
    looks: [number, number, number][];
    views: [number, number | null, string, number][];
    bases: string[];
    citations: [number, number, number | null][];
    bookmarks: [number, number, number | null][];
    boxes: [string, number, [number, [number, number, number, number] | null, string | null, string][]][];
    texts: Record<string, [number, number, number, string][]>;
    patches: [string, string, string, string, PatchPlace[]][];
    fields: [number, string, number | null, string | null, string | null][];
    lanes: ["search" | "page" | "citation" | "box" | "answer" | "clock" | "other", string][];
    spans: [string, number, number][];
    id: string;
    name: string;
    system: boolean;
    campaign: string;
    state: string;
    result: ResultJson | null;
    labels: LabelName[];
    seed: boolean;
    textNames: [string, string][];
    pace: string;
    fieldLabels: Record<string, string>;
  }

  interface AttemptState {
    status: "new" | "open" | "submitted" | "skipped";
    closed: boolean;
    outcome: "answered" | "not_found" | "unanswerable" | "completed" | null;
    skip_reason: string | null;
    missing: string[];
    answer_text: string;
    note: string;
    flag: string | null;
    citations: Citation[];
    boxes: Boxes;
    fields: FieldValue[];
    rows: RecordRow[];
    transcript: Transcript | null;
    tables: Tables;
    confirmed: Confirmation[];
    question_text: string | null;
    draft_seq: number;
    checks: Checks | null;
    feedback: Feedback | null;
    disputed: string | null;
    comments: Comment[];
    bookmarks: Bookmark[];
    scratchpad: string;
    calculations: Calculation[];
    undo: HistoryStep[];
    redo: HistoryStep[];
    returned: boolean;
    review: Review | null;
    work_ms: number;
    searches: Search[];
    position: Position | null;
    view: View;
    paused: boolean;
    hidden: boolean;
    n_page_views: number;
    last_seq: number;
    started_at: string | null;
    updated_at: string | null;
    elapsed_ms: number;
  }

  interface BatchAidsCarried {
    bookmarks: CarriedBookmark[];
    scratchpad: string;
  }

  interface BatchCloseReply {
    closed: boolean;
  }

  interface BatchClosed {
  }

  type BatchesCommand = "continue";

  interface Bookmark {
    document: string;
    page: number;
  }

  interface BookmarkRemoved {
    undoes?: string | null;
    document: string;
    page: number;
  }

  interface BoxAccepted {
    seen_ms?: number | null;
    bulk?: boolean;
    box: string;
    accepted?: boolean;
  }

  interface BoxAttributesEdited {
    box: string;
    attributes: Record<string, string>;
  }

  interface BoxContentEdited {
    box: string;
    content: string;
    filled?: boolean;
  }

  interface BoxDeleted {
    seen_ms?: number | null;
    box: string;
  }

  interface BoxDrawn {
    box: string;
    document: string;
    page: number;
    rect: [number, number, number, number];
    label: string;
    how?: "drawn" | "duplicated" | "selection";
    copy_of?: string | null;
    order?: number | null;
  }

  interface BoxLabel {
    name: string;
    key: string | null;
    help: string;
  }

  interface BoxLabelled {
    seen_ms?: number | null;
    box: string;
    label: string;
  }

  interface BoxMoved {
    box: string;
    rect: [number, number, number, number];
    how?: "drag" | "nudge";
  }

  interface BoxOrdered {
    box: string;
    order: number | null;
  }

  interface BoxPatch {
    rect?: [number, number, number, number];
    label?: string | null;
    content?: string | null;
    order?: number | null;
    attributes?: Record<string, string>;
    accepted?: boolean;
    deleted?: boolean;
  }

  interface BoxResized {
    box: string;
    rect: [number, number, number, number];
  }

  interface Boxes {
    boxes: PageBox[];
    undo: Change[];
    redo: Change[];
  }

  interface BoxesPart {
    enabled: boolean;
    labels: BoxLabel[];
    max_per_page: number;
    max_per_task: number;
    min_size: number;
    when: Condition | null;
    required: boolean;
    seed: boolean;
    add: boolean;
    check_all: boolean;
    content: boolean;
    fill: boolean;
    order: boolean;
    attributes: boolean;
    snap: boolean;
  }

  interface Calculated {
    expression: string;
    result: string;
  }

  interface Calculation {
    expression: string;
    result: string;
    seq: number;
  }

  interface CarriedBookmark {
    document: string;
    page: number;
  }

  interface CellConfirmed {
    seen_ms?: number | null;
    bulk?: boolean;
    undoes?: string | null;
    document: string;
    page: number;
    table: string;
    structure: number;
    cells?: [number, number][];
    removed?: boolean;
    confirmed?: boolean;
  }

  interface CellFix {
    changed: "new" | "text" | "header" | "span" | "nothing";
    was?: string;
    answered_flag?: CellFlag | null;
  }

  interface CellFlag {
    kind: "text" | "header" | "structure" | "missing" | "other";
    note?: string;
  }

  interface CellFlagged {
    undoes?: string | null;
    document: string;
    page: number;
    table: string;
    structure: number;
    row?: number | null;
    column?: number | null;
    kind?: "text" | "header" | "structure" | "missing" | "other" | null;
    note?: string;
  }

  interface CellText {
    kind: "text";
    row: number;
    column: number;
    text: string;
    was: string;
  }

  interface CellsReplaced {
    kind: "cells";
    row: number;
    column: number;
    rowspan: number;
    colspan: number;
    cells: TableCell[];
  }

  interface Change {
    id: string;
    document: string;
    page: number;
    box: string;
    before: BoxPatch;
    after: BoxPatch;
  }

  interface Checked {
    at_seq: number;
    findings: Finding[];
  }

  interface Checks {
    at_seq: number;
    findings: Finding[];
  }

  interface ChecksReply {
    findings: Finding[];
    at_seq: number;
    last_seq: number;
    saved_at: string | null;
    question_counts: QuestionCounts | null;
  }

  interface ChecksRequest {
    id?: string | null;
    client_ts?: string | null;
    age_ms?: number;
  }

  interface Choice {
    part: string;
    how: "side" | "union" | "intersection" | "majority" | "medoid" | "retention" | "variants" | "pick" | "none" | "edited";
    side: string | null;
    sides: string[];
    tied: boolean;
    page_decisions: PageDecision[];
    open_pages: GoldPage[];
    text_decisions: TextDecision[];
  }

  interface Citation {
    document: string;
    page: number;
    search_id: string | null;
    rank: number | null;
    seq: number;
  }

  interface CitationAdded {
    undoes?: string | null;
    document: string;
    page: number;
    search_id?: string | null;
    rank?: number | null;
  }

  interface CitationRemoved {
    undoes?: string | null;
    document: string;
    page: number;
  }

  interface ClockPart {
    visible: boolean;
    pause: boolean;
    limit_s: number | null;
  }

  interface Column {
    name: string;
    label: string;
    kind: "text" | "number" | "choice";
    options: string[];
    editable: boolean;
    required: boolean;
    wide: boolean;
    when_changed: string | null;
  }

  interface Comment {
    seq: number;
    by: string;
    at: string;
    text: string;
    returns: boolean;
    differences: Difference[];
  }

  interface CommentRequest {
    id: string;
    attempt: string;
    text: string;
  }

  interface Commented {
    text: string;
  }

  interface ComparedCell {
    text: string;
    rowspan?: number;
    colspan?: number;
    header?: boolean;
    differences?: number[];
  }

  interface ComparedLine {
    presence: "both" | "left" | "right";
    differences: number[];
  }

  interface ComparedPart {
    part: string;
    label: string;
    score: number;
    agreed: boolean;
    variants: boolean;
    places: [string, number][];
  }

  interface ComparedRow {
    presence: "both" | "left" | "right";
    differences: number[];
    cells: ComparedCell[];
  }

  interface ComparedTable {
    id: string;
    caption: string;
    document: string;
    page: number;
    presence: "both" | "left" | "right";
    columns: ComparedLine[];
    rows: ComparedRow[];
    differences: ComparedTableDifference[];
  }

  interface ComparedTableDifference {
    number: number;
    kind: "table" | "caption" | "row" | "column" | "cells" | "text" | "header";
    left: string;
    right: string;
    only_in?: "left" | "right";
    left_cells?: ComparedCell[][];
    right_cells?: ComparedCell[][];
  }

  interface ComparedTables {
    left: string;
    right: string;
    merged_from?: string[];
    first_number?: number;
    tables: ComparedTable[];
  }

  interface Condition {
    field: string;
    values: string[];
  }

  interface Confirmation {
    field: string;
    document: string;
    page: number;
    chosen: string[];
    drawn: string[];
    seq: number;
  }

  interface ContradictionConfirmed {
    seen_ms?: number | null;
    field: string;
    document: string;
    page: number;
    chosen: string[];
    drawn: string[];
  }

  interface CorpusSize {
    documents: number;
    pages: number;
  }

  interface DecideRequest {
    id: string;
    picks: Record<string, PickRequest> | null;
    reason?: string;
    errors?: string[];
    confidence?: "high" | "medium" | "low" | null;
    dataset_answers?: "kept" | "wrong";
    reviewed_version: ReviewedVersionRequest;
  }

  interface Difference {
    part: string;
    label: string;
    yours: string;
    other: string;
  }

  interface DraftPreview {
    draft: ReviewedDraft;
    running_merges: RunningMerges;
    choices: Choice[];
  }

  interface DraftRequest {
    id: string;
    picks?: Record<string, PickRequest>;
    reviewed_version: ReviewedVersionRequest;
  }

  interface Element {
    id: string;
    document: string;
    page: number;
    rect: [number, number, number, number];
    label: string | null;
    content: string | null;
    order: number | null;
    attributes: Record<string, string>;
    score: number | null;
  }

  interface ElementsSeeded {
    document: string;
    page: number;
    elements: Element[];
  }

  interface ErrorDetails {
    code: string;
    message: string;
  }

  interface ErrorReply {
    error: ErrorDetails;
  }

  interface EventBatch {
    session?: string;
    events: SentEvent[];
  }

  interface EventPayloads {
    page_bookmarked: PageBookmarked;
    bookmark_removed: BookmarkRemoved;
    scratchpad_edited: ScratchpadEdited;
    calculated: Calculated;
    box_drawn: BoxDrawn;
    box_moved: BoxMoved;
    box_resized: BoxResized;
    box_labelled: BoxLabelled;
    box_content_edited: BoxContentEdited;
    box_ordered: BoxOrdered;
    box_attributes_edited: BoxAttributesEdited;
    box_accepted: BoxAccepted;
    box_deleted: BoxDeleted;
    undone: Undone;
    redone: Redone;
    field_set: FieldSet;
    contradiction_confirmed: ContradictionConfirmed;
    row_set: RowSet;
    rows_set: RowsSet;
    row_deleted: RowDeleted;
    row_moved: RowMoved;
    question_edited: QuestionEdited;
    gold_disputed: GoldDisputed;
    text_copied: TextCopied;
    page_beside: PageBeside;
    page_viewed: PageViewed;
    view_changed: ViewChanged;
    citation_added: CitationAdded;
    citation_removed: CitationRemoved;
    commented: Commented;
    text_edited: TextEdited;
    patch_decided: PatchDecided;
    patches_decided: PatchesDecided;
    table_edited: TableEdited;
    cell_flagged: CellFlagged;
    cell_confirmed: CellConfirmed;
    opened: Opened;
    answer_edited: AnswerEdited;
    note_edited: NoteEdited;
    flagged: Flagged;
    unflagged: Unflagged;
    paused: Paused;
    resumed: Resumed;
    tab_hidden: TabHidden;
    tab_shown: TabShown;
    reconnected: Reconnected;
    guidelines_opened: GuidelinesOpened;
    guidelines_closed: GuidelinesClosed;
    skipped: Skipped;
    submitted: Submitted;
    reopened: Reopened;
  }

  interface EventRefusal {
    id: string;
    code: string;
    message: string;
    field: string | null;
  }

  interface EventsReply {
    receipts: StoredReceipt[];
    refusals: EventRefusal[];
    last_seq: number;
    status: "new" | "open" | "submitted" | "skipped";
    work_ms: number;
    saved_at: string | null;
    epoch: string;
  }

  interface EvidencePart {
    enabled: boolean;
    required: boolean;
    max_pages: number;
  }

  interface Extension {
    row: number;
    column: number;
    lead?: number;
    trail?: number;
  }

  interface FallbackMessage {
    n: number;
    attempt: string;
    session?: string;
    events: Record<string, unknown>[];
    search?: Record<string, unknown> | null;
  }

  interface FallbackReply {
    n: number;
    events: EventsReply | null;
    search: ShownSearch | null;
    error: ErrorDetails | null;
  }

  interface Feedback {
    right: boolean;
    score: number;
    parts: PartScore[];
  }

  interface FeedbackGiven {
    right: boolean;
    score: number;
    parts: PartScore[];
  }

  interface FeedbackReply {
    feedback: Feedback;
    gold: ShownGold;
    reasons: Record<string, string>;
    progress: PilotProgress | null;
  }

  interface FieldSet {
    seen_ms?: number | null;
    undoes?: string | null;
    field: string;
    document?: string | null;
    page?: number | null;
    box?: string | null;
    value: boolean | number | string | string[] | null;
  }

  interface FieldSpec {
    name: string;
    label: string;
    scope: "task" | "page" | "box";
    kind: "choice" | "multi" | "ordinal" | "boolean" | "text" | "number" | "records";
    help: string;
    required: boolean;
    when: Condition | null;
    options: Option[];
    columns: Column[];
    seed: string | null;
    add_rows: boolean;
    relative_tolerance: number;
    min: number | null;
    max: number | null;
    integer: boolean;
    max_length: number;
    advance: boolean;
    matches_boxes: boolean;
  }

  interface FieldValue {
    field: string;
    document: string | null;
    page: number | null;
    box: string | null;
    value: boolean | number | string | string[] | null;
    seq: number;
  }

  interface Finding {
    check: "giveaway" | "extractive" | "agentic" | "overlap" | "duplicate" | "minimality";
    status: "ok" | "warning" | "skipped";
    message: string;
    words: string[];
    spans: [number, number][];
    query: string | null;
    pages: [string, number][];
    other: string | null;
  }

  interface FixesConfirmed {
    kind: "confirm";
    cells?: [number, number][];
    removed?: boolean;
    confirmed: boolean;
  }

  interface FlagSet {
    kind: "flag";
    row?: number | null;
    column?: number | null;
    flag?: CellFlag | null;
  }

  interface Flagged {
    undoes?: string | null;
    comment: string;
  }

  interface GivenTable {
    id: string;
    caption: string;
    n_rows: number;
    n_columns: number;
    cells: TableCell[];
    removed: string[];
    answered_flag: CellFlag | null;
  }

  interface GoldBox {
    document: string;
    page: number;
    rect: [number, number, number, number];
    label: string;
  }

  interface GoldDisputed {
    reason: string;
  }

  interface GoldDraft {
    task: number;
    campaign: string;
    review_address: string;
    replaced_seq: number;
  }

  interface GoldLogEntry {
    seq: number;
    at: string;
    by: string;
    text: string;
  }

  interface GoldPage {
    document: string;
    page: number;
  }

  interface GoldPageFields {
    document: string;
    page: number;
    fields: Record<string, unknown>;
  }

  interface GoldTable {
    id: string;
    html: string;
  }

  interface GuidelinesClosed {
  }

  interface GuidelinesOpened {
  }

  interface HandleRequest {
    id: string;
    attempt: string;
    handled?: boolean;
  }

  interface HeaderMark {
    kind: "header";
    cells: [number, number][];
    header: boolean;
  }

  interface HighlightsReply {
    boxes: [number, number, number, number][];
  }

  interface HistoryStep {
    id: string;
    part: "answer" | "question" | "note" | "flag" | "citation" | "field" | "row" | "row_order" | "rows" | "box" | "bookmark" | "scratchpad" | "transcript" | "table";
    field: string | null;
    document: string | null;
    page: number | null;
    box: string | null;
    row: string | null;
    value: boolean | number | string | string[] | null;
    cells: Record<string, string>;
    rows: Record<string, Record<string, string>>;
    present: boolean;
    search_id: string | null;
    rank: number | null;
    transcript: TranscriptStep | null;
    table: string | null;
    table_change: CellText | HeaderMark | CellsReplaced | LinesInserted | LinesDeleted | FlagSet | FixesConfirmed | null;
  }

  interface KeptPage {
    document: string;
    page: number;
    annotators: number;
    reviewer: boolean;
  }

  interface LabelName {
    name: string;
    title: string;
  }

  interface LinesDeleted {
    kind: "delete";
    axis: "row" | "column";
    at: number;
    count?: number;
  }

  interface LinesInserted {
    kind: "insert";
    axis: "row" | "column";
    at: number;
    count?: number;
    cells?: TableCell[];
    extended?: Extension[];
  }

  interface MarkdownElement {
    tag: string;
    href?: string;
    children: (string | MarkdownElement)[];
  }

  type MarkdownNode = string | MarkdownElement;

  interface MarkedPage {
    document: string;
    page: number;
    attempts: string[];
    annotators: number;
  }

  interface Material {
    source: "response" | "gold_answers" | "prediction" | "summary" | "description" | "request" | "original";
    title: string;
    after: string[];
  }

  type MergeMethod = "side" | "union" | "intersection" | "majority" | "medoid" | "retention" | "variants" | "pick" | "none" | "edited";

  interface MixedEvidence {
    answered: string[];
    taken: string | null;
    added: [string, number][];
    left_out: [string, number][];
  }

  interface ModelDraft {
    outcome: "answered" | "not_found" | "unanswerable" | "completed" | null;
    answer: string[];
    answer_text: string;
    variants: string[];
    question_text: string | null;
    transcript: string | null;
    tables: string[];
    citations: PageReference[];
    evidence: KeptPage[];
    fields: ReviewedValue[];
    boxes: ReviewedBox[];
    rows: ReviewedRow[];
    attempt: string;
    name: string;
    version: string;
    parts: string[];
    reasons: string;
    scores: Record<string, number>;
    correct: string[];
    incorrect: string[];
    outdated: boolean;
    rejected: string | null;
  }

  interface NewsReply {
    mark: string;
  }

  interface NoteEdited {
    undoes?: string | null;
    text: string;
  }

  interface Opened {
    session: string;
  }

  interface Option {
    value: string;
    label: string;
    code: number | null;
    key: string | null;
    help: string;
    when: Condition | null;
    exclusive: boolean;
  }

  type Outcome = "answered" | "not_found" | "unanswerable" | "completed";

  interface PageBeside {
    document: string | null;
    page: number | null;
  }

  interface PageBookmarked {
    undoes?: string | null;
    document: string;
    page: number;
  }

  interface PageBox {
    id: string;
    document: string;
    page: number;
    rect: [number, number, number, number];
    label: string | null;
    content: string | null;
    order: number | null;
    attributes: Record<string, string>;
    accepted: boolean;
    deleted: boolean;
    model: Element | null;
    seq: number;
  }

  interface PageDecision {
    document: string;
    page: number;
    decision: "marked" | "rejected" | "side";
    side: string | null;
  }

  interface PageReference {
    document: string;
    page: number;
  }

  interface PageRule {
    document: string;
    page: number;
    part: string;
    status: "retained" | "dropped" | "open";
    graded: boolean;
    reviewer: boolean | null;
    reason: string;
  }

  interface PageTextReply {
    last_seq: number;
    saved_at: string | null;
    words: [number, number, number, number, string][];
  }

  interface PageTextRequest {
    id: string;
    document: string;
    page?: number;
    text?: string;
    client_ts?: string | null;
  }

  interface PageViewed {
    document: string;
    page: number;
    via: "result" | "next" | "previous" | "first" | "last" | "jump" | "thumbnail" | "citation" | "history" | "document" | "given" | "link" | "restored" | "back" | "find" | "recent" | "beside" | "bookmark";
    search_id?: string | null;
    rank?: number | null;
  }

  interface PageWordsReply {
    words: [number, number, number, number, string][];
  }

  interface PartScore {
    part: string;
    right: boolean;
    score: number;
    undecided: boolean;
  }

  interface Participant {
    outcome: "answered" | "not_found" | "unanswerable" | "completed" | null;
    answer: string[];
    answer_text: string;
    variants: string[];
    question_text: string | null;
    transcript: string | null;
    tables: string[];
    citations: PageReference[];
    evidence: KeptPage[];
    fields: ReviewedValue[];
    boxes: ReviewedBox[];
    rows: ReviewedRow[];
    attempt: string;
    name: string;
    status: "new" | "open" | "submitted" | "skipped";
    note: string;
    flag: string | null;
    skip_reason: string | null;
    submitted_without: string[];
    returned: boolean;
    submitted_at: string | null;
    active_ms: number;
    wall_ms: number;
    searches: ReviewedSearch[];
    comments: Comment[];
  }

  interface PatchDecided {
    seen_ms?: number | null;
    undoes?: string | null;
    document: string;
    page: number;
    patch: string;
    decision: "accepted" | "rejected" | "open";
  }

  type PatchPlace = [number, "open" | "accepted" | "rejected" | "stale" | null, number | null];

  interface PatchPosition {
    id: string;
    at: number | null;
    state: "open" | "accepted" | "rejected" | "stale";
  }

  interface PatchesDecided {
    seen_ms?: number | null;
    undoes?: string | null;
    document: string;
    page: number;
    patches: string[];
    decision: "accepted" | "rejected" | "open";
  }

  interface PatchesGiven {
    document: string;
    page: number;
    round: number;
    text_sha256: string;
    patches: ProposedPatch[];
  }

  interface Paused {
  }

  interface Pending {
    name: string;
    state: "returned" | "open" | "new";
  }

  interface PickRequest {
    how: "side" | "union" | "intersection" | "majority" | "medoid" | "retention" | "variants" | "pick" | "none" | "edited";
    side?: string | null;
    sides?: string[];
    texts?: string[];
    pages?: [string, number][];
    rejected?: [string, number][];
    rows?: [string, string | null, number | null, string][];
    boxes?: [string, string][];
    at?: [string, number, string][];
    text_decisions?: TextDecision[];
  }

  interface PilotPart {
    enabled: boolean;
    feedback: boolean;
    pass_mark: number;
  }

  interface PilotProgress {
    done: number;
    total: number;
    right: number;
    pass_mark: number;
    passed: boolean | null;
    undecided: number;
    waiting: boolean;
  }

  interface Position {
    document: string;
    page: number;
    search_id: string | null;
    rank: number | null;
  }

  interface PrefilterPart {
    model: string;
    cut: number | null;
    sample_rate: number;
  }

  interface PressedKey {
    key: string;
    name: string;
    ctrl: boolean;
    alt: boolean;
    shift: boolean | null;
  }

  interface PreviewRequest {
    picks?: Record<string, PickRequest>;
  }

  interface ProposedPatch {
    at: number;
    removed: string;
    inserted: string;
    id: string;
    reason: string;
  }

  interface Protocol {
    name: string;
    title: string;
    pages: "search" | "given" | "gold";
    browse: boolean;
    batch_size: number;
    overlap: number;
    max_pages: number;
    direct_submit: boolean;
    practice: boolean;
    variants: "apart" | "together";
    own_answers: boolean;
    ends: Condition | null;
    pages_after: string[];
    requires: string | null;
    search: SearchPart;
    evidence: EvidencePart;
    answer: AnswerPart;
    text: TextPart;
    boxes: BoxesPart;
    transcript: TranscriptPart;
    tables: TablesPart;
    question: QuestionPart;
    clock: ClockPart;
    aids: AidsPart;
    prefilter: PrefilterPart;
    pilot: PilotPart;
    review: ReviewPart;
    study: StudyPart;
    quality: QualityPart;
    material: Material[];
    fields: FieldSpec[];
  }

  interface QualityPart {
    gold_from: string | null;
    gold_rate: number;
    repeat_rate: number;
    repeat_gap: number;
    alert_from: number;
    alert_gold: number;
    alert_consistency: number;
    alert_speed: number;
  }

  interface QuestionCounts {
    written: number;
    multi_hop: number;
    target: number | null;
    requested: RequestedOption[];
  }

  interface QuestionEdited {
    undoes?: string | null;
    text: string;
  }

  interface QuestionPart {
    kind: "shown" | "editable";
    checks: boolean;
    prefilled: boolean;
    blocking: ("giveaway" | "extractive" | "agentic" | "overlap" | "duplicate" | "minimality")[];
    draw: Record<string, Record<string, number>>;
    multi_hop_target: number | null;
  }

  interface QuestionSeeded {
    text: string;
  }

  interface QueuePosition {
    position: number | null;
    total: number;
    next: number | null;
    previous: number | null;
    following: number | null;
    filtered: boolean;
    campaign: string | null;
    campaigns: number;
  }

  interface RaisedFlag {
    attempt: string;
    name: string;
    flag: string | null;
    skipped: boolean;
    skip_reason: string | null;
    handled: boolean;
  }

  interface Reconnected {
    offline_ms: number;
  }

  interface RecordRow {
    field: string;
    document: string | null;
    page: number | null;
    box: string | null;
    row: string;
    values: Record<string, string>;
    model: Record<string, string> | null;
    deleted: boolean;
    seq: number;
  }

  type Rect = [number, number, number, number];

  interface Redone {
    document: string;
    page: number;
    change: string;
  }

  interface RejectDraftRequest {
    id: string;
    draft: string;
    rejected?: boolean;
    reason?: string;
  }

  interface ReopenRequest {
    id: string;
    reason: string;
  }

  interface Reopened {
  }

  type ReplayCommand = "faster" | "firstEvent" | "lastEvent" | "nextEvent" | "previousEvent" | "slower" | "toggle";

  interface ReplayData {
    attempts: AttemptScript[];
    question: string;
    token: string;
    prefix: string;
    signature: string;
    messages: string | null;
    keys: ScreenKey[];
  }

  interface ReplayedSearch {
    seq: number;
    query: string;
    outcome: string;
    results: number[];
  }

  interface RequestedOption {
    field: string;
    label: string;
    option: string;
    help: string;
    written: number;
    requested: number;
  }

  interface ResultJson {
    words: string;
    parts: string;
    tone: "good" | "bad" | "part";
  }

  interface Resumed {
    implicit?: boolean;
  }

  interface ReturnRequest {
    id: string;
    attempt: string;
    comment: string;
    differences?: Difference[];
  }

  interface Returned {
    comment: string;
    differences: Difference[];
  }

  interface Review {
    holder: string | null;
    held_at: string | null;
    merged_seq: number | null;
    choices: Choice[];
    evidence: KeptPage[];
    variants: string[];
    sources: Source[];
    version: number;
    decided_seq: number | null;
    decided_by: string | null;
    decided_at: string | null;
    reason: string;
    automatic: boolean;
    checked: boolean;
    errors: string[];
    confidence: "high" | "medium" | "low" | null;
    reopened: boolean;
    tables_decided: boolean;
    handled: Record<string, number>;
    rejected_drafts: Record<string, string>;
  }

  type ReviewCommand = "accept" | "asProposed" | "dataset" | "edit" | "editAnswer" | "escape" | "fit" | "guidelines" | "help" | "hideBoxes" | "merge" | "nextConflict" | "nextPage" | "nextTask" | "previousPage" | "previousTask" | "reason" | "sendBack" | "take" | "undo" | "wide" | "zoomIn" | "zoomOut";

  interface ReviewData {
    task: ReviewedTask;
    material: ShownMaterial[];
    given_pages: PageReference[];
    dataset_gold: ReviewedDatasetGold | null;
    has_dataset_gold: boolean;
    protocol: Protocol;
    guidelines: (string | MarkdownElement)[];
    rule: ReviewPart;
    status: "waiting" | "returned" | "conflict" | "single" | "alone" | "agreed" | "check" | "accepted" | "decided" | "changed" | "incomplete";
    excluded: string;
    score: number;
    flagged: boolean;
    raised_flags: RaisedFlag[];
    drawn_for_check: boolean;
    parts: ComparedPart[];
    not_compared: string;
    contradicts_dataset: boolean;
    token: string;
    reviewer: string;
    holder: string | null;
    held_at: string | null;
    unfinished: UnfinishedPeople;
    reviewed_version: ReviewedVersionJson;
    participants: Participant[];
    model_drafts: ModelDraft[];
    hidden_drafts: number;
    evidence: MarkedPage[];
    zones: ZoneOverlap[];
    text_pairs: TextPair[];
    table_pairs: ComparedTables[];
    running_merges: RunningMerges;
    documents: Record<string, ShownDocument>;
    gold: ReviewedGold | null;
    draft: ReviewedDraft;
    choices: Choice[];
    merge_methods: Record<string, ("side" | "union" | "intersection" | "majority" | "medoid" | "retention" | "variants" | "pick" | "none" | "edited")[]>;
    queue: QueuePosition;
  }

  interface ReviewPart {
    accept: "agreed" | "majority" | "off";
    people: number;
    answer: number;
    pages: number;
    boxes: number;
    steps: number;
    parts: Record<string, number>;
    keep: number;
    skipped: "supervisor" | "next";
    errors: string[];
    confidence: boolean;
    hide_names: boolean;
    hide_drafts: number;
    check_share: number;
    control_share: number;
    families: Record<string, string[]>;
  }

  interface ReviewRequest {
    id: string;
  }

  interface ReviewRequests {
    "take": TakeRequest;
    "release": ReviewRequest;
    "draft": DraftRequest;
    "decide": DecideRequest;
    "undo": UndoRequest;
    "take-up": ReopenRequest;
    "handle": HandleRequest;
    "reject-draft": RejectDraftRequest;
    "return": ReturnRequest;
    "comment": CommentRequest;
  }

  interface ReviewScreenData {
    task: number;
    reviewer: number;
    home: string;
    base: string;
    sentences: Record<string, string>;
    messages: string | null;
    keys: ScreenKey[];
  }

  interface ReviewedBox {
    document: string;
    page: number;
    id: string;
    rect: [number, number, number, number];
    label: string | null;
    title: string | null;
    content: string | null;
    order: number | null;
    sort_number: number | null;
    attributes: Record<string, string>;
    model: boolean;
    verdict: string;
  }

  interface ReviewedContent {
    outcome: "answered" | "not_found" | "unanswerable" | "completed" | null;
    answer: string[];
    answer_text: string;
    variants: string[];
    question_text: string | null;
    transcript: string | null;
    tables: string[];
    citations: PageReference[];
    evidence: KeptPage[];
    fields: ReviewedValue[];
    boxes: ReviewedBox[];
    rows: ReviewedRow[];
  }

  interface ReviewedDatasetGold {
    answers: (string | string[])[];
    unanswerable: boolean | null;
    evidence: PageReference[];
    fields: Record<string, boolean | number | string | string[] | Record<string, unknown>[] | null>;
    parts: string[];
  }

  interface ReviewedDraft {
    outcome: "answered" | "not_found" | "unanswerable" | "completed" | null;
    answer: string[];
    answer_text: string;
    variants: string[];
    question_text: string | null;
    transcript: string | null;
    tables: string[];
    citations: PageReference[];
    evidence: KeptPage[];
    fields: ReviewedValue[];
    boxes: ReviewedBox[];
    rows: ReviewedRow[];
    missing: Record<string, string>;
    mixed_evidence: MixedEvidence | null;
    open_pages: Record<string, string>;
    page_rules: PageRule[];
  }

  interface ReviewedGold {
    attempt: string;
    version: number;
    decided_by: string | null;
    decided_at: string | null;
    reason: string;
    automatic: boolean;
    checked: boolean;
    errors: string[];
    confidence: "high" | "medium" | "low" | null;
    dataset_answers: "kept" | "wrong" | null;
    reopened: boolean;
    sources: Source[];
    choices: Choice[];
    draft: ReviewedDraft;
    undoable: number | null;
    edited: boolean;
    log: GoldLogEntry[];
  }

  interface ReviewedRow {
    field: string;
    document: string | null;
    page: number | null;
    box: string | null;
    row: string;
    values: Record<string, string>;
    model: boolean;
  }

  interface ReviewedSearch {
    query: string;
    total_hits: number | null;
    refusal: string | null;
    results: [string, number][];
  }

  interface ReviewedTask {
    question: string;
    domain: string | null;
    category: string | null;
    id: number;
    key: string;
    campaign: string;
    title: string;
    code_name: string;
  }

  interface ReviewedValue {
    field: string;
    document: string | null;
    page: number | null;
    box: string | null;
    value: boolean | number | string | string[] | null;
  }

  interface ReviewedVersionJson {
    sources: Record<string, number>;
    gold_seq: number;
    pending: string[];
  }

  interface ReviewedVersionRequest {
    sources: Record<string, number>;
    gold_seq: number;
    pending?: string[];
  }

  interface RoundStarted {
    number: number;
    model: string | null;
  }

  interface Row {
    id: string;
    values: Record<string, string>;
  }

  interface RowDeleted {
    seen_ms?: number | null;
    undoes?: string | null;
    field: string;
    document?: string | null;
    page?: number | null;
    box?: string | null;
    row: string;
  }

  interface RowMoved {
    undoes?: string | null;
    field: string;
    document?: string | null;
    page?: number | null;
    box?: string | null;
    row: string;
    before?: string | null;
  }

  interface RowSet {
    seen_ms?: number | null;
    undoes?: string | null;
    field: string;
    document?: string | null;
    page?: number | null;
    box?: string | null;
    row: string;
    values: Record<string, string>;
  }

  interface RowsSeeded {
    field: string;
    document: string | null;
    page: number | null;
    box: string | null;
    rows: Row[];
  }

  interface RowsSet {
    undoes?: string | null;
    field: string;
    document?: string | null;
    page?: number | null;
    box?: string | null;
    rows: Record<string, Record<string, string>>;
  }

  interface RunningMerges {
    text: TextPair | null;
    tables: ComparedTables | null;
  }

  type Scope = "task" | "page" | "box";

  interface ScratchpadEdited {
    undoes?: string | null;
    text: string;
  }

  type ScreenCondition = "back" | "beside" | "changes" | "drawing" | "edits" | "free" | "given" | "held" | "own" | "page" | "pans" | "patches" | "proposes" | "results" | "selected" | "selecting" | "settled" | "undoable" | "unselected";

  interface ScreenKey {
    key: string;
    name: string;
    ctrl: boolean;
    alt: boolean;
    shift: boolean | null;
    group: string;
    label: string;
    shown: string[];
    command: string | null;
    when: ("answer" | "asks" | "bookmarks" | "boxes" | "calculator" | "chart" | "copies" | "draws" | "elements" | "evidence" | "finds" | "gaps" | "ordered" | "pause" | "rows" | "scratchpad" | "search" | "steps" | "tables" | "transcript" | "unboxed" | "words" | "back" | "beside" | "changes" | "drawing" | "edits" | "free" | "given" | "held" | "own" | "page" | "pans" | "patches" | "proposes" | "results" | "selected" | "selecting" | "settled" | "undoable" | "unselected")[];
    standard: PressedKey;
  }

  interface Search {
    search_id: string;
    query: string;
    parsed: string | null;
    total_hits: number | null;
    results: [string, number][];
    refusal: string | null;
    looks_back_at: string | null;
    seq: number;
  }

  interface SearchHit {
    rank: number;
    document: string;
    page: number;
    snippet: [string, boolean][] | null;
  }

  interface SearchPart {
    enabled: boolean;
    top_k: number;
    snippets: boolean;
    highlights: boolean;
    suggestions: boolean;
  }

  interface SearchRefusal {
    message: string;
  }

  interface SearchRequest {
    id: string;
    query: string;
    typed?: string | null;
    rerun_of?: string | null;
    client_ts?: string | null;
    age_ms?: number;
  }

  interface SearchResponse {
    search_id: string;
    looks_back_at: string | null;
    query: string;
    parsed: string | null;
    total_hits: number | null;
    top_k: number;
    results: SearchHit[];
    refusal: SearchRefusal | null;
    suggestion: string | null;
    documents: Record<string, ShownDocument>;
    last_seq: number;
    saved_at: string | null;
  }

  interface SentEvent {
    id: string;
    type: string;
    payload?: Record<string, unknown>;
    client_ts?: string | null;
    age_ms?: number;
    document_version?: number;
  }

  interface SentEventTypes {
    edits: string[];
    content: string[];
  }

  interface ServerEventPayloads {
    elements_seeded: ElementsSeeded;
    rows_seeded: RowsSeeded;
    transcript_given: TranscriptGiven;
    round_started: RoundStarted;
    patches_given: PatchesGiven;
    question_seeded: QuestionSeeded;
    checked: Checked;
    feedback_given: FeedbackGiven;
    batch_closed: BatchClosed;
    returned: Returned;
    batch_aids_carried: BatchAidsCarried;
    tables_given: TablesGiven;
  }

  interface ShownBatch {
    assignment: number | null;
    code_name: string;
    closed: boolean;
    size: number | null;
    position: number | null;
    tasks: ShownBatchTask[];
  }

  interface ShownBatchTask {
    attempt: string;
    position: number | null;
    status: "new" | "open" | "submitted" | "skipped";
    flagged: boolean;
    returned: boolean;
    has_question: boolean;
    round: number;
    question: string;
    locked: boolean;
  }

  interface ShownCampaign {
    name: string;
    title: string;
    status: string;
  }

  interface ShownDocument {
    sha256: string;
    version: number;
    n_pages: number;
    pages: [number, number][];
  }

  interface ShownGold {
    answers: string[];
    evidence: PageReference[];
    transcript: string | null;
    tables: GoldTable[];
    fields: Record<string, boolean | number | string | string[] | Record<string, unknown>[] | null>;
    pages: GoldPageFields[];
    boxes: GoldBox[];
  }

  interface ShownMaterial {
    source: string;
    title: string;
    lines: string[];
    waits_for: string[];
  }

  interface ShownSearch {
    search_id: string;
    looks_back_at: string | null;
    query: string;
    parsed: string | null;
    total_hits: number | null;
    top_k: number;
    results: SearchHit[];
    refusal: SearchRefusal | null;
    suggestion: string | null;
  }

  interface SignedInPerson {
    name: string;
  }

  interface Skipped {
    reason: string;
  }

  interface Source {
    attempt: string;
    annotator: string;
    seq: number;
  }

  interface StoredReceipt {
    id: string;
    seq: number;
    server_ts: string;
    elapsed_ms: number;
    repeated: boolean;
  }

  interface StudyPart {
    order: "shuffled" | "batch";
    in_turn: boolean;
    go_back: boolean;
    progress: boolean;
    guidelines_first: boolean;
    conditions: Record<string, Record<string, boolean | number | string>>;
  }

  interface Submitted {
    outcome: "answered" | "not_found" | "unanswerable" | "completed";
    missing?: string[];
    confidence?: number | null;
  }

  interface TabHidden {
  }

  interface TabShown {
  }

  interface Table {
    id: string;
    document: string;
    page: number;
    caption: string;
    n_rows: number;
    n_columns: number;
    cells: TableCell[];
    flag: CellFlag | null;
    removed: string[];
    answered_flag: CellFlag | null;
    removed_confirmed: boolean;
    structure: number;
    edited: boolean;
  }

  interface TableCell {
    row: number;
    column: number;
    text?: string;
    rowspan?: number;
    colspan?: number;
    header?: boolean;
    model_text?: string | null;
    added?: boolean;
    flag?: CellFlag | null;
    fix?: CellFix | null;
    confirmed?: boolean;
  }

  interface TableEdited {
    undoes?: string | null;
    document: string;
    page: number;
    table: string;
    structure: number;
    change: CellText | HeaderMark | CellsReplaced | LinesInserted | LinesDeleted;
  }

  interface Tables {
    round: number;
    model: string | null;
    tables: Table[];
  }

  interface TablesGiven {
    document: string;
    page: number;
    round: number;
    model: string | null;
    tables: GivenTable[];
  }

  interface TablesPart {
    enabled: boolean;
    edit: boolean;
  }

  interface TakeRequest {
    id: string;
    take_over?: boolean;
  }

  interface TaskHeading {
    question: string;
    domain: string | null;
    category: string | null;
  }

  interface TextCopied {
    document: string;
    page: number;
    text: string;
    to: "clipboard" | "answer" | "calculator" | "row";
    rect?: [number, number, number, number] | null;
  }

  interface TextDecision {
    number: number;
    left: string;
    right: string;
    decision: "left" | "right" | "both" | "edited";
    text: string;
  }

  interface TextEdit {
    at: number;
    removed: string;
    inserted: string;
  }

  interface TextEdited {
    undoes?: string | null;
    document: string;
    page: number;
    edits: TextEdit[];
    source?: "typing" | "paste" | "replace" | "recognised" | "undo";
    text_crc32?: number | null;
  }

  interface TextFound {
    last_seq: number;
    saved_at: string | null;
    pages: [number, number][];
  }

  interface TextPair {
    left: string;
    right: string;
    merged_from?: string[];
    first_number?: number;
    passages: TextPassage[];
  }

  interface TextPart {
    select: boolean;
    find: boolean;
    spoken: boolean;
  }

  interface TextPassage {
    left: string;
    right?: string;
  }

  interface Transcript {
    document: string;
    page: number;
    text: string;
    model: string | null;
    round: number;
    round_text_sha256: string;
    patches: TranscriptPatch[];
  }

  interface TranscriptGiven {
    document: string;
    page: number;
    text: string;
    text_sha256: string;
    model: string | null;
  }

  interface TranscriptPart {
    enabled: boolean;
    patches: boolean;
  }

  interface TranscriptPatch {
    id: string;
    round: number;
    at: number | null;
    removed: string;
    inserted: string;
    reason: string;
    state: "open" | "accepted" | "rejected" | "stale";
  }

  interface TranscriptStep {
    edits: TextEdit[];
    patches: string[];
    decision: "accepted" | "rejected" | "open" | null;
    positions: PatchPosition[];
  }

  interface UndoRequest {
    id: string;
    decision: number;
  }

  interface Undone {
    document: string;
    page: number;
    change: string;
  }

  interface UnfinishedPeople {
    people: Pending[];
    free_slots: number;
    sentence: string;
    decide_label: string;
    decide_hint: string;
  }

  interface Unflagged {
    undoes?: string | null;
  }

  interface UploadData {
    token: string;
    address: string;
    maxBytes: number;
    uploads: number;
    messages: string | null;
  }

  interface UploadReply {
    name: string;
  }

  type Value = boolean | number | string | string[] | null;

  interface View {
    fit: "width" | "page" | "none";
    zoom: number;
    rotation: number;
  }

  interface ViewChanged {
    fit: "width" | "page" | "none";
    zoom: number;
    rotation: 0 | 90 | 180 | 270;
  }

  type Word = [number, number, number, number, string];

  type WorkspaceCommand = "acceptAllPatches" | "acceptElement" | "acceptPatch" | "beside" | "bookmark" | "cite" | "confirmPage" | "copyToAnswer" | "deleteBox" | "drawRegion" | "duplicateBox" | "earlier" | "escape" | "fewerBlocks" | "fewerWords" | "find" | "findInTranscript" | "firstPage" | "fitPage" | "fitWidth" | "flag" | "focusAnswer" | "focusCalculator" | "focusScratchpad" | "focusSearch" | "focusTranscript" | "goToPage" | "guidelines" | "help" | "hideBoxes" | "holdBox" | "insertOutlined" | "lastPage" | "lastPlace" | "later" | "mergeLabels" | "moreBlocks" | "moreWords" | "nextBlock" | "nextElement" | "nextField" | "nextPage" | "nextPatch" | "nextResult" | "nextRow" | "nextStep" | "nextTask" | "nextUnfinished" | "nextWord" | "nudge" | "openResult" | "pause" | "placeBox" | "playSteps" | "previousBlock" | "previousElement" | "previousPage" | "previousPatch" | "previousResult" | "previousStep" | "previousTask" | "previousWord" | "printedNumbers" | "readOn" | "recent" | "redo" | "rejectPatch" | "resizeBox" | "rotate" | "skip" | "splitLabel" | "submit" | "swapBeside" | "tabBox" | "toggleContext" | "toggleMarkup" | "toggleReading" | "toolBox" | "toolText" | "undo" | "undoSubmit" | "zoomIn" | "zoomOut";

  interface WorkspaceScreenData {
    boot: AttemptPayload;
    home: string;
    base: string;
    reply: FallbackReply | null;
    sentences: Record<string, string>;
    messages: string | null;
    tour: boolean;
    keys: ScreenKey[];
  }

  interface ZoneOverlap {
    document: string;
    page: number;
    pairs: ZonePair[];
    iou: number | null;
    dice: number | null;
  }

  interface ZonePair {
    a: string;
    b: string;
    iou: number | null;
    dice: number | null;
  }
}
