// Written by scripts/javascript_types.py from the Python models; do not edit.
declare namespace Pt {
  interface AnswerEdited {
    text: string;
  }

  interface AnswerPart {
    kind: "off" | "list" | "text";
    unanswerable: boolean;
    not_found: boolean;
    relative_tolerance: number | null;
    absolute_tolerance: number | null;
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
    confirmed: Confirmation[];
    question_text: string | null;
    draft_seq: number;
    checks: Checks | null;
    feedback: Feedback | null;
    disputed: string | null;
    comments: Comment[];
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
    clock_origin: string | null;
  }

  interface BoxAccepted {
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

  interface Change {
    id: string;
    document: string;
    page: number;
    box: string;
    before: Record<string, any>;
    after: Record<string, any>;
  }

  interface Checks {
    at_seq: number;
    findings: Finding[];
  }

  interface Choice {
    part: string;
    how: "side" | "union" | "intersection" | "majority" | "medoid" | "retention" | "variants" | "pick" | "none" | "edited";
    side: string | null;
    sides: string[];
    tied: boolean;
    page_decisions: PageDecision[];
    open_pages: GoldPage[];
  }

  interface Citation {
    document: string;
    page: number;
    search_id: string | null;
    rank: number | null;
    seq: number;
  }

  interface CitationAdded {
    document: string;
    page: number;
    search_id?: string | null;
    rank?: number | null;
  }

  interface CitationRemoved {
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

  interface Commented {
    text: string;
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
    field: string;
    document: string;
    page: number;
    chosen: string[];
    drawn: string[];
  }

  interface Difference {
    part: string;
    label: string;
    yours: string;
    other: string;
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

  interface EventPayloads {
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
    row_deleted: RowDeleted;
    question_edited: QuestionEdited;
    gold_disputed: GoldDisputed;
    text_copied: TextCopied;
    page_beside: PageBeside;
    page_viewed: PageViewed;
    view_changed: ViewChanged;
    citation_added: CitationAdded;
    citation_removed: CitationRemoved;
    commented: Commented;
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

  interface EvidencePart {
    enabled: boolean;
    required: boolean;
    max_pages: number;
  }

  interface Feedback {
    right: boolean;
    score: number;
    parts: PartScore[];
  }

  interface FieldSet {
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

  interface Flagged {
    comment: string;
  }

  interface GoldDisputed {
    reason: string;
  }

  interface GoldPage {
    document: string;
    page: number;
  }

  interface GuidelinesClosed {
  }

  interface GuidelinesOpened {
  }

  interface KeptPage {
    document: string;
    page: number;
    annotators: number;
    reviewer: boolean;
  }

  interface Material {
    source: "response" | "gold_answers" | "prediction" | "summary" | "request";
    title: string;
    after: string[];
  }

  interface NoteEdited {
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

  interface PageBeside {
    document: string | null;
    page: number | null;
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

  interface PageViewed {
    document: string;
    page: number;
    via: "result" | "next" | "previous" | "first" | "last" | "jump" | "thumbnail" | "citation" | "history" | "document" | "given" | "link" | "restored" | "back" | "find" | "recent" | "beside";
    search_id?: string | null;
    rank?: number | null;
  }

  interface PartScore {
    part: string;
    right: boolean;
    score: number;
  }

  interface Paused {
  }

  interface PilotPart {
    enabled: boolean;
    feedback: boolean;
    pass_mark: number;
  }

  interface Position {
    document: string;
    page: number;
    search_id: string | null;
    rank: number | null;
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
    ends: Condition | null;
    pages_after: string[];
    requires: string | null;
    search: SearchPart;
    evidence: EvidencePart;
    answer: AnswerPart;
    text: TextPart;
    boxes: BoxesPart;
    question: QuestionPart;
    clock: ClockPart;
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

  interface QuestionEdited {
    text: string;
  }

  interface QuestionPart {
    kind: "shown" | "editable";
    checks: boolean;
    blocking: ("giveaway" | "extractive" | "agentic" | "overlap" | "duplicate" | "minimality")[];
    multi_hop_target: number | null;
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

  interface Redone {
    document: string;
    page: number;
    change: string;
  }

  interface Reopened {
  }

  interface Resumed {
    implicit?: boolean;
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
    handled: Record<string, number>;
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
    check_share: number;
  }

  interface RowDeleted {
    field: string;
    document?: string | null;
    page?: number | null;
    box?: string | null;
    row: string;
  }

  interface RowSet {
    field: string;
    document?: string | null;
    page?: number | null;
    box?: string | null;
    row: string;
    values: Record<string, any>;
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

  interface SearchPart {
    enabled: boolean;
    top_k: number;
    snippets: boolean;
    highlights: boolean;
    suggestions: boolean;
  }

  interface Skipped {
    reason: string;
  }

  interface Source {
    attempt: string;
    annotator: string;
    seq: number;
  }

  interface StudyPart {
    order: "shuffled" | "batch";
    in_turn: boolean;
    go_back: boolean;
    progress: boolean;
    guidelines_first: boolean;
    conditions: Record<string, any>;
  }

  interface Submitted {
    outcome: "answered" | "not_found" | "unanswerable" | "completed";
    missing?: string[];
  }

  interface TabHidden {
  }

  interface TabShown {
  }

  interface TextCopied {
    document: string;
    page: number;
    text: string;
    to: "clipboard" | "answer";
  }

  interface TextPart {
    select: boolean;
    find: boolean;
  }

  interface Undone {
    document: string;
    page: number;
    change: string;
  }

  interface Unflagged {
  }

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
}
