/** What the reviewer does with a task: choose part by part, accept, edit, send back, comment. */

import { openDialog } from "../../shared/components/Dialog";
import { keyName } from "../../shared/keys";
import { N_, t } from "../../shared/messages";
import { sentence } from "../../shared/sentences";
import { submitted, versionsOf } from "../comparison/comparison_rows";
import { wayWords } from "../formatting";
import { doneWords, keepQueue } from "../queue";
import type { RequestBody } from "../requests";
import type { Session } from "../session";
import type { ReviewStore } from "../store";
import { AnswerChoices } from "./answer_choices";
import { CommentDialog } from "./CommentDialog";
import { rememberReason } from "./last_reasons";
import { isUnfinished, pendingOf } from "./pending_work";
import { RejectDraftDialog } from "./RejectDraftDialog";
import { SendBackDialog } from "./SendBackDialog";
import * as picks from "./selections";
import { mayReturn } from "./sending_back";
import { forget } from "./unsaved_selections";

/** What deciding needs of the screen. */
export interface DecidingHost {
  /** id of the person at work */
  reviewer: number;
  /** address of the first screen */
  home: string;
  dialogs: () => Element;
  say: (text: string) => void;
  /** Whether a part, or the whole task, was looked at; what the press decided is dropped else. */
  mayDecide: (part: string | null) => boolean;
  /** The same of a box on the open page. */
  mayTakeBox: () => boolean;
  select: (part: string) => void;
  open: (task: number) => Promise<void>;
  /** Choose what was typed and is not chosen yet. */
  flushAnswers: () => void;
  focusComparison: () => void;
  focusReason: () => void;
}

export class Deciding {
  readonly answers: AnswerChoices;
  private readonly store: ReviewStore;
  /** what was decided last here */
  last: { task: number; key: string; decision: number } | null = null;

  constructor(
    private readonly session: Session,
    private readonly host: DecidingHost,
  ) {
    this.store = session.store;
    this.answers = new AnswerChoices(session, {
      refused: () => this.refused(),
      say: host.say,
      select: host.select,
      takeFrom: (part, source) => this.takeFrom(part, source),
    });
  }

  /** Why nothing can be chosen now; empty where it can. */
  private refused() {
    const { session, store } = this;
    if (store.decided.value)
      return sentence("gold_decided", { version: session.data.gold?.version ?? 0 });
    if (store.readOnly.value)
      return t("{name} has taken this task. Take it over to decide.", {
        name: session.data.holder,
      });
    return store.editable.value ? "" : t("Nobody has submitted anything yet.");
  }

  /**
   * Choose something in a part; says why where that cannot be.
   * @returns whether it was chosen
   */
  pick(change: (now: Pt.Selections) => Pt.Selections, part: string | null = null) {
    return this.isOpen() && this.host.mayDecide(part) && this.choose(change, part);
  }

  /** Compare other versions of a part, which decides nothing. */
  compare(change: (now: Pt.Selections) => Pt.Selections, part: string) {
    if (this.isOpen()) this.choose(change, part);
  }

  /** Whether something can be chosen; says why not. */
  private isOpen() {
    const refused = this.refused();
    if (refused) this.host.say(refused);
    return !refused;
  }

  private choose(change: (now: Pt.Selections) => Pt.Selections, part: string | null) {
    this.store.setTogether(() => {
      this.store.set(part ? { part, answers: null } : { answers: null });
      this.session.pick(change);
    });
    return true;
  }

  /** Follow somebody in a part. */
  takeFrom(part: string, attempt: string) {
    if (this.refusesDraft(attempt)) return;
    const choice = this.store.choiceOf(part);
    const take = part === "answer" ? picks.takeAnswer : null;
    this.pick(
      (now) => (take ? take(now, choice, attempt) : picks.takeFrom(now, part, attempt)),
      part,
    );
  }

  /** Put a part together. */
  way(part: string, how: Pt.MergeMethod) {
    const answered = submitted(this.session.data).filter(({ answer }) => answer.length);
    const attempts = answered.map(({ attempt }) => attempt);
    return this.pick((now) => picks.takeWay(now, part, how, attempts), part);
  }

  /** Follow somebody on one page. */
  at(part: string, place: Pt.Place, attempt: string) {
    if (this.refusesDraft(attempt)) return;
    const choice = this.store.choiceOf(part);
    this.pick((now) => picks.takeOnPage(now, choice, part, place, attempt), part);
  }

  /** Take somebody's box, or leave it out. */
  box(attempt: string, box: Pt.ReviewedBox) {
    const { draft, versions } = this.store;
    if (this.refusesDraft(attempt)) return;
    if (this.isOpen() && this.host.mayTakeBox())
      this.choose(
        (now) => picks.toggleBox(now, draft.value.boxes, versions.value, attempt, box),
        "boxes",
      );
  }

  /** Whether a draft was rejected as a whole, which is said then. */
  private refusesDraft(attempt: string) {
    const draft = this.session.data.model_drafts.find((other) => other.attempt === attempt);
    if (!draft || draft.rejected === null) return false;
    this.host.say(
      t("You rejected the draft of {model}. Withdraw the rejection to use it.", {
        model: draft.name,
      }),
    );
    return true;
  }

  /** Follow a model's draft in everything that it states. */
  takeDraft(draft: Pt.ModelDraft) {
    if (this.refusesDraft(draft.attempt)) return;
    const ways = this.session.data.merge_methods;
    this.pick((now) => picks.takeDraft(now, ways, draft));
  }

  /** Reject a model's draft as a whole, or withdraw the rejection. */
  async rejectDraft(draft: Pt.ModelDraft) {
    const refused = this.refused();
    if (refused) {
      this.host.say(refused);
      return;
    }
    if (!this.host.mayDecide(null)) return;
    const { attempt, name } = draft;
    if (draft.rejected !== null) {
      await this.session.act("reject-draft", { draft: attempt, rejected: false });
      return;
    }
    const reason = await openDialog<string>(this.host.dialogs(), (close) => (
      <RejectDraftDialog draft={draft} onReject={close} onClose={() => close()} />
    ));
    if (reason === undefined) return;
    if (await this.session.act("reject-draft", { draft: attempt, reason }))
      this.host.say(t("The draft of {model} is rejected.", { model: name }));
  }

  /** Follow the person or draft of a number, in the current part or in all. */
  number(name: string, number: number) {
    const participant = versionsOf(this.session.data)[number - 1];
    if (!participant) return false;
    if (this.refusesDraft(participant.attempt)) return true;
    const draft = "parts" in participant ? participant : null;
    if (name === "takeAll" && draft) {
      this.takeDraft(draft);
      return true;
    }
    if (name === "takeAll") {
      this.pick(() => picks.takeAll(this.session.data.merge_methods, participant.attempt));
      return true;
    }
    const row = this.store.rows.value.find(({ part }) => part === this.store.data.part);
    const part = row?.follows ?? row?.part ?? "";
    if (!row || !this.session.data.merge_methods[part]?.includes("side")) return false;
    if (draft && !draft.parts.includes(part)) return false;
    this.takeFrom(part, participant.attempt);
    return true;
  }

  /** Put the current part together in the next way that it allows. */
  merge() {
    const part = this.store.data.part ?? "";
    const ways = this.session.data.merge_methods[part] ?? [];
    const now = picks.choiceOf(this.store.countingPicks.value, this.store.choices.value, part);
    const proposed = picks.choiceOf({}, this.session.data.choices, part);
    const how = picks.nextWay(ways, now?.how ?? "", proposed?.how);
    if (how === null) {
      this.host.say(t("This part can only be taken from one person."));
      return;
    }
    if (this.way(part, how))
      this.host.say(
        `${this.store.rows.value.find((row) => row.part === part)?.label}: ${wayWords(how)}`,
      );
  }

  asProposed() {
    const { part } = this.store.data;
    if (part === null) return;
    this.pick((now) => picks.asProposed(now, part));
  }

  take() {
    const { session, store } = this;
    if (store.decided.value || store.readOnly.value) this.host.say(this.refused());
    else if (session.data.holder) session.release();
    else session.take();
  }

  /**
   * Accept, or confirm what was accepted automatically. The button says whom it does not wait for; the
   * key, which is pressed without looking, has to be pressed again then.
   */
  async accept({ byKey = false } = {}) {
    const { session, store } = this;
    this.host.flushAnswers();
    if (!this.host.mayDecide(null)) return;
    if (store.data.busy) {
      const { task } = session;
      await session.settled(); // what is open or missing is known only then
      if (task !== session.task) return;
    }
    if (store.decided.value) {
      await this.confirmDecision();
      return;
    }
    const refused =
      store.data.draftSource === "stored" && !store.readOnly.value ? "" : this.refused();
    if (refused || store.data.acting) {
      if (refused) this.host.say(refused);
      return;
    }
    const row = this.store.rows.value.find(({ part }) => store.tied.value.includes(part));
    if (row && !store.data.busy) {
      this.host.select(row.part);
      this.host.say(
        store.openPages.value[row.part] ??
          t("{label} is a tie: take one person’s version, or choose another way.", {
            label: row.label,
          }),
      );
      return;
    }
    const [part, text] = Object.entries(store.missing.value)[0] ?? [];
    if (part && !store.data.busy) {
      this.complete(part, t("Not complete yet: {sentence}", { sentence: text }));
      return;
    }
    if (byKey && isUnfinished(session.data) && !store.warned.value) {
      store.set({ warnedOf: pendingOf(session.data) });
      return;
    }
    await this.finish(session.decide(), N_("{key} is gold now."));
  }

  /** Move to a part that something is missing in. */
  complete(part: string, text: string) {
    if (this.store.rows.value.some((row) => row.part === part)) this.host.select(part);
    this.host.say(text);
  }

  /** Undo the decision on this task, or the last one that was made on this screen. */
  async undo() {
    const { session, store } = this;
    const { gold, task } = session.data;
    const own = gold?.undoable ? { task: task.id, key: task.key, decision: gold.undoable } : null;
    const undone = own ?? this.last;
    if (!undone || store.data.acting) {
      this.host.say(undone ? "" : t("There is no decision of yours to undo."));
      return;
    }
    if (undone.task !== session.task) await this.host.open(undone.task);
    if (undone.task !== session.task || !(await session.undo(undone.decision))) return;
    this.last = null;
    this.store.set({ finished: false });
    this.host.say(t("The decision on {key} is undone.", { key: undone.key }));
  }

  /** Confirm what was accepted automatically. */
  async confirm() {
    if (this.host.mayDecide(null)) await this.confirmDecision();
  }

  private async confirmDecision() {
    const { session, store } = this;
    if (session.data.status !== "check" || store.readOnly.value || store.data.acting) {
      this.host.say(store.readOnly.value ? this.refused() : t("This is gold already."));
      return;
    }
    await this.finish(session.confirm(), N_("{key} is confirmed."));
  }

  /** Once it is decided: on to the next task. */
  async finish(deciding: Promise<boolean>, message: string) {
    const { key } = this.session.data.task;
    const words = t(message, { key });
    const reason = this.store.data.reason.trim();
    const wereHidden = this.session.data.hidden_drafts > 0;
    if (!(await deciding)) return;
    const { gold, task } = this.session.data;
    this.last = gold?.undoable ? { task: task.id, key, decision: gold.undoable } : null;
    rememberReason(reason);
    forget(this.host.reviewer, this.session.task);
    this.host.focusComparison(); // keys are off in the reason's field
    const { queue } = this.session.data; // the task itself is not in it any more
    if (wereHidden && this.session.data.model_drafts.length) {
      // The gold was decided without the draft, and may be revised with it.
      this.store.set({ reason: "" });
      const more = t("The model’s draft is shown now. Reopen the task if it changes your mind.");
      this.host.say(`${words} ${more}`);
    } else if (queue.following && queue.following !== this.session.task) {
      await this.host.open(queue.following);
      const { campaign } = this.session.data.task;
      const next =
        campaign === task.campaign
          ? t("This is the next task. {undo} undoes it.", { undo: keyName("undo") })
          : t("This is the first task of {campaign}. {undo} undoes it.", {
              campaign,
              undo: keyName("undo"),
            });
      this.host.say(`${words} ${next}`);
    } else {
      const notices = [`${words} ${doneWords(queue)}`];
      this.store.set({ reason: "", finished: true, notices });
    }
  }

  /** Store the draft and go on with it in the workspace. */
  async edit() {
    const refused = this.refused();
    if (refused) {
      this.host.say(refused);
      return;
    }
    const open = this.store.openPages.value.evidence; // pages can be cited there, but not rejected
    if (open) {
      this.host.select("evidence");
      this.host.say(open);
      return;
    }
    if (this.store.data.acting || !(await this.session.keep())) return;
    forget(this.host.reviewer, this.session.task); // the stored draft has it all
    keepQueue(this.session.task);
    window.location.assign(
      `${this.host.home}task?attempt=${encodeURIComponent(this.session.data.gold?.attempt ?? "")}`,
    );
  }

  /** Reopen the gold, for a reason. */
  async takeUp() {
    const reason = this.store.data.reason.trim();
    if (!reason) {
      this.store.set({ reasonMissing: true });
      this.host.focusReason();
      return;
    }
    this.store.set({ reasonMissing: false });
    if (await this.session.takeUp(reason)) this.store.set({ reason: "" });
  }

  /** Ask whose work is sent back, and send it. */
  async sendBack() {
    const { session, store } = this;
    if (store.readOnly.value || store.data.acting || !session.data.participants.some(mayReturn)) {
      this.host.say(
        store.readOnly.value ? this.refused() : t("No submission can be sent back now."),
      );
      return;
    }
    const message = await openDialog<RequestBody<"return">>(this.host.dialogs(), (close) => (
      <SendBackDialog
        data={session.data}
        rows={store.rows.value}
        draft={store.draft.value}
        onSend={close}
        onClose={() => close()}
      />
    ));
    if (!message) return;
    const person = session.data.participants.find(({ attempt }) => attempt === message.attempt);
    if (await session.sendBack(message))
      this.host.say(t("Sent back to {name}.", { name: person?.name }));
  }

  /** Show the thread with a person, and send what is written. */
  async comments(participant: Pt.Participant) {
    const text = await openDialog<string>(this.host.dialogs(), (close) => (
      <CommentDialog participant={participant} onSend={close} onClose={() => close()} />
    ));
    if (text && (await this.session.comment(participant.attempt, text)))
      this.host.say(t("{name} will see your comment.", { name: participant.name }));
  }
}
