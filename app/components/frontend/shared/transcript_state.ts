/**
 * The text of a page and a model's patches as a fold of their events: the client's copy of
 * annotation/attempts/transcript_state.py. Positions are in code points, as in events.
 */

import { Positions } from "./code_points";
import { crc32 } from "./crc32";

type Patch = Pt.TranscriptPatch;
type Edit = Pt.TextEdit;
type Decision = Pt.PatchDecided["decision"];

/** What a person does with the text. */
export type TranscriptEdit =
  | { type: "text_edited"; payload: Pt.TextEdited }
  | { type: "patch_decided"; payload: Pt.PatchDecided }
  | { type: "patches_decided"; payload: Pt.PatchesDecided };

/** A text whose positions are converted once. */
class Points {
  private readonly positions: Positions;

  constructor(private readonly text: string) {
    this.positions = new Positions(text);
  }

  get length() {
    return this.positions.toPoint(this.text.length);
  }

  slice(from: number, to: number) {
    return this.text.slice(this.positions.toUnit(from), this.positions.toUnit(to));
  }

  startsAt(at: number, part: string) {
    return this.text.startsWith(part, this.positions.toUnit(at));
  }
}

const length = (text: string) => new Points(text).length;

const endOf = ({ at, removed }: Edit) => at + length(removed);

const growthOf = ({ removed, inserted }: Edit) => length(inserted) - length(removed);

/** What the text has in a patch's place. */
export const presentText = ({ state, removed, inserted }: Patch) =>
  state === "accepted" ? inserted : removed;

const textAfter = ({ removed, inserted }: Patch, decision: Decision) =>
  decision === "accepted" ? inserted : removed;

/** The text after the edits; null unless the text has what each of them removes. */
export function editedText(text: string, edits: readonly Edit[]): string | null {
  const points = new Points(text);
  let edited = "";
  let position = 0;
  for (const edit of edits) {
    const isThere = edit.at <= points.length && points.startsAt(edit.at, edit.removed);
    if (edit.at < position || !isThere) return null;
    edited += points.slice(position, edit.at) + edit.inserted;
    position = endOf(edit);
  }
  return edited + points.slice(position, points.length);
}

/** The edits that restore the text, with positions in the text after `edits`. */
export function inverseEdits(edits: readonly Edit[]): Edit[] {
  let growth = 0;
  return edits.map((edit) => {
    const inverse = { at: edit.at + growth, removed: edit.inserted, inserted: edit.removed };
    growth += growthOf(edit);
    return inverse;
  });
}

const decidedPatches = (event: Exclude<TranscriptEdit, { type: "text_edited" }>) =>
  event.type === "patch_decided" ? [event.payload.patch] : event.payload.patches;

const patchOf = ({ patches }: Pt.Transcript, id: string) =>
  patches.find((patch) => patch.id === id);

/** Whether a patch can get that decision now. */
export function isDecidable(
  transcript: Pt.Transcript,
  patch: Patch | undefined,
  decision: Decision,
): patch is Patch {
  if (!patch || patch.state === "stale" || patch.state === decision) return false;
  const present = presentText(patch);
  if (textAfter(patch, decision) === present) return true;
  const points = new Points(transcript.text);
  return patch.at !== null && patch.at <= points.length && points.startsAt(patch.at, present);
}

/** Whether an event of a person changes the transcript; others leave it as it is. */
export function changesTranscript(transcript: Pt.Transcript | null, event: TranscriptEdit) {
  const { document, page } = event.payload;
  if (!transcript || transcript.document !== document || transcript.page !== page) return false;
  if (event.type === "text_edited") {
    const { edits, text_crc32: crc = null } = event.payload;
    if (crc !== null && crc !== crc32(transcript.text)) return false;
    return editedText(transcript.text, edits) !== null;
  }
  const { decision } = event.payload;
  return decidedPatches(event).some((id) =>
    isDecidable(transcript, patchOf(transcript, id), decision),
  );
}

/**
 * The transcript after what a person did.
 * @param reversed of the change that the event undoes or redoes
 */
export function applyTranscriptEdit(
  transcript: Pt.Transcript | null,
  event: TranscriptEdit,
  reversed: Pt.TranscriptStep | null,
): Pt.Transcript | null {
  if (!transcript || !changesTranscript(transcript, event)) return transcript;
  const changed =
    event.type === "text_edited"
      ? withEdits(transcript, event.payload.edits)
      : withDecisions(transcript, decidedPatches(event), event.payload.decision);
  return reversed ? withPositions(changed, reversed) : changed;
}

export function givenTranscript(payload: Pt.TranscriptGiven): Pt.Transcript {
  const { document, page, text, text_sha256: hash, model = null } = payload;
  return { document, page, text, model, round: 1, round_text_sha256: hash, patches: [] };
}

export function withRound(transcript: Pt.Transcript | null, payload: Pt.RoundStarted) {
  if (!transcript) return null;
  const model = payload.model || transcript.model;
  return { ...transcript, round: payload.number, model, patches: [] };
}

export function withGivenPatches(transcript: Pt.Transcript | null, payload: Pt.PatchesGiven) {
  if (!transcript) return null;
  const { round, text_sha256: hash } = payload;
  const patches = payload.patches.map(({ id, at, removed, inserted, reason = "" }) => ({
    ...{ id, round, at, removed, inserted, reason },
    state: "open" as const,
  }));
  return { ...transcript, round, round_text_sha256: hash, patches };
}

/** What reverses an event on the transcript before it; null where the event changes nothing. */
export function transcriptStep(
  transcript: Pt.Transcript | null,
  event: TranscriptEdit,
): Pt.TranscriptStep | null {
  if (!transcript || !changesTranscript(transcript, event)) return null;
  if (event.type === "text_edited") {
    const { edits } = event.payload;
    const touched = touchedPatches(transcript.patches, edits);
    return {
      ...{ edits: inverseEdits(edits), patches: [], decision: null },
      positions: touched.map(positionOf),
    };
  }
  const patches = decidedPatches(event);
  const states = patches.flatMap((id) => patchOf(transcript, id)?.state ?? []);
  const decision = states.find((state) => state !== "stale") ?? null;
  const touched =
    event.type === "patch_decided" ? touchedByDecision(transcript, patches[0]) : transcript.patches;
  return { edits: [], patches, decision, positions: touched.map(positionOf) };
}

/** The patch itself, and those that its text overlaps or adjoins. */
function touchedByDecision(transcript: Pt.Transcript, id: string) {
  const patch = patchOf(transcript, id);
  if (!patch) return [];
  if (patch.at === null) return [patch];
  const edit = { at: patch.at, removed: presentText(patch), inserted: "" };
  return touchedPatches(transcript.patches, [edit]);
}

const positionOf = ({ id, at, state }: Patch): Pt.PatchPosition => ({ id, at, state });

function withEdits(transcript: Pt.Transcript, edits: readonly Edit[]): Pt.Transcript {
  const text = editedText(transcript.text, edits) ?? transcript.text;
  return { ...transcript, text, patches: movedPatches(transcript.patches, edits) };
}

function withDecisions(transcript: Pt.Transcript, ids: readonly string[], decision: Decision) {
  let result = transcript;
  for (const id of ids) {
    const patch = patchOf(result, id);
    if (isDecidable(result, patch, decision)) result = withDecision(result, patch, decision);
  }
  return result;
}

function withDecision(transcript: Pt.Transcript, patch: Patch, decision: Decision): Pt.Transcript {
  const replacement = textAfter(patch, decision);
  const present = presentText(patch);
  const state = decision === "open" && patch.at === null ? "stale" : decision;
  const changed: Patch = { ...patch, state };
  const put = (patches: readonly Patch[]) =>
    patches.map((other) => (other.id === patch.id ? changed : other));
  if (patch.at === null || replacement === present)
    return { ...transcript, patches: put(transcript.patches) };
  const edit = { at: patch.at, removed: present, inserted: replacement };
  return {
    ...transcript,
    ...withEdits(transcript, [edit]),
    patches: put(movedPatches(transcript.patches, [edit])),
  };
}

function withPositions(transcript: Pt.Transcript, step: Pt.TranscriptStep): Pt.Transcript {
  const positions = new Map(step.positions.map((position) => [position.id, position]));
  return {
    ...transcript,
    patches: transcript.patches.map((patch) => ({ ...patch, ...positions.get(patch.id) })),
  };
}

/** The patches after the edits: moved, where they are, or without a place. */
function movedPatches(patches: readonly Patch[], edits: readonly Edit[]): Patch[] {
  const ends = edits.map(endOf);
  const growths = [0];
  for (const edit of edits) growths.push(growths[growths.length - 1] + growthOf(edit));
  return patches.map((patch) => {
    if (patch.at === null) return patch;
    const { at } = patch;
    const before = countWhile(ends, (end) => end <= at); // edits that end at or before it
    if (before < edits.length && edits[before].at < at + length(presentText(patch)))
      return { ...patch, at: null, state: patch.state === "open" ? "stale" : patch.state };
    const growth = growths[before];
    return growth ? { ...patch, at: at + growth } : patch;
  });
}

/** The patches that an edit overlaps or adjoins. */
function touchedPatches(patches: readonly Patch[], edits: readonly Edit[]) {
  const ends = edits.map(endOf);
  return patches.filter((patch) => {
    if (patch.at === null) return false;
    const { at } = patch;
    const first = countWhile(ends, (end) => end < at); // the first that ends there or later
    return first < edits.length && edits[first].at <= at + length(presentText(patch));
  });
}

/** How many of an ascending list come first that satisfy a condition. */
function countWhile(values: readonly number[], holds: (value: number) => boolean) {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(values[middle])) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Characters of text that a step keeps. */
export const stepCharacters = ({ edits }: Pt.TranscriptStep) =>
  edits.reduce((sum, { removed, inserted }) => sum + length(removed) + length(inserted), 0);
