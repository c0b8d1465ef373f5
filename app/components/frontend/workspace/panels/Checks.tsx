import type { ReadonlySignal } from "@preact/signals";
import type { Ref } from "preact";
import { useImperativeHandle, useRef } from "preact/hooks";
import { Button } from "../../shared/components/Button";
import { FieldError } from "../../shared/components/FieldError";
import { Icon } from "../../shared/components/Icon";
import { N_, t } from "../../shared/messages";
import type { CheckStatus } from "./check_runner";
import { cut, hopSentence } from "./check_words";
import "./Checks.css";

const TITLES: Record<Pt.Finding["check"], string> = {
  giveaway: N_("Self-contained"),
  extractive: N_("Answer on the cited pages"),
  agentic: N_("Search effort"),
  overlap: N_("Low word overlap"),
  duplicate: N_("Not asked before"),
  minimality: N_("Minimal evidence"),
};

const STATUS: Record<Pt.Finding["status"] | "blocking", { icon: string; word: string }> = {
  ok: { icon: "check", word: N_("fine") },
  warning: { icon: "warning", word: N_("look at this") },
  blocking: { icon: "warning", word: N_("must be solved") },
  skipped: { icon: "circle", word: N_("waiting") },
};

export interface ChecksProps {
  store: Pt.Store;
  status: ReadonlySignal<CheckStatus>;
  onRun: () => void;
  onStop: () => void;
  onRunQuery: (query: string) => void;
  onOpenPage: (page: Pt.PageReference, stamp: number) => void;
  handle: Ref<ChecksHandle>;
}

export interface ChecksHandle {
  focus: () => void;
}

/** The live checks of a written question: what each found, with the evidence for it. */
export function Checks({ store, status, handle, ...actions }: ChecksProps) {
  const section = useRef<HTMLElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useImperativeHandle(handle, () => ({
    focus() {
      section.current?.scrollIntoView({ block: "nearest" });
      button.current?.focus();
    },
  }));
  const { checks: hasChecks, blocking } = store.protocol.value.question;
  const authored = store.question_counts.value;
  const hops = authored ? hopSentence(authored) : "";
  if (!hasChecks && !hops) return null;
  const findings = store.state.value.checks?.findings ?? [];
  const { isRunning, isSlow, isCurrent, isEnabled, error, question } = status.value;
  return (
    <section ref={section} class="checks stack" data-testid="checks" aria-label={t("Checks")}>
      <div class="elements-head line">
        <h2>{t("Checks")}</h2>
        <span class="count quiet number" role="status" data-testid="checks-status">
          {hasChecks ? statusText(status.value, findings.length > 0) : ""}
        </span>
        {hasChecks ? (
          <Button
            ref={button}
            testid="run-checks"
            disabled={(isRunning && !isSlow) || !isEnabled}
            onClick={isSlow ? actions.onStop : actions.onRun}
          >
            {isSlow ? t("Stop checks") : t("Run checks")}
          </Button>
        ) : null}
      </div>
      <FieldError testid="field-error" data-field="checks">
        {error}
      </FieldError>
      {hasChecks && !findings.length ? (
        <p class="empty-line caption">
          {t("They run by themselves a moment after you stop typing; you can go on meanwhile.")}
        </p>
      ) : null}
      {hasChecks ? (
        <ul
          class={isCurrent || isRunning ? "check-list stack" : "check-list stack stale"}
          aria-busy={isRunning || undefined}
        >
          {findings.map((finding) => (
            <Check
              key={finding.check}
              finding={finding}
              isBlocking={finding.status === "warning" && blocking.includes(finding.check)}
              question={question}
              {...actions}
            />
          ))}
        </ul>
      ) : null}
      {hops ? (
        <p class="hop-line caption" data-testid="multi-hop">
          {hops}
        </p>
      ) : null}
    </section>
  );
}

function statusText({ isRunning, isCurrent }: CheckStatus, hasFindings: boolean) {
  if (isRunning) return t("checking…");
  if (!hasFindings) return t("not run yet");
  return isCurrent ? t("up to date") : t("changed since");
}

interface CheckProps extends Pick<ChecksProps, "onRunQuery" | "onOpenPage"> {
  finding: Pt.Finding;
  isBlocking: boolean;
  /** which the findings are about; null when it is another by now */
  question: string | null;
}

function Check({ finding, isBlocking, question, onRunQuery, onOpenPage }: CheckProps) {
  const { check, status, message, words, query, pages, other } = finding;
  const spans = question === null ? [] : finding.spans;
  const { icon, word } = STATUS[isBlocking ? "blocking" : status];
  return (
    <li
      class={isBlocking ? "check stack medium blocking" : "check stack medium"}
      data-testid="check"
      data-check={check}
      data-status={status}
    >
      <p class="check-head line">
        <Icon name={icon} />
        <span class="check-title strong fill">{t(TITLES[check])}</span>
        <span class="check-word nowrap">{t(word)}</span>
      </p>
      <p class="check-message">{message}</p>
      {spans.length ? (
        <p class="check-quote wrap" data-testid="check-quote">
          {cut(question ?? "", spans).map(({ text, marked }) =>
            marked ? <mark>{text}</mark> : text,
          )}
        </p>
      ) : words.length ? (
        <p class="wrapping">
          {words.map((word) => (
            <span key={word} class="word-chip pill">
              {word}
            </span>
          ))}
        </p>
      ) : null}
      {query ? (
        <p>
          {t("Search:")}{" "}
          <Button
            class="link"
            testid="check-query"
            title={t("Run this search")}
            onClick={() => onRunQuery(query)}
          >
            {query}
          </Button>
        </p>
      ) : null}
      {pages.length ? (
        <ul>
          {pages.map(([document, page]) => (
            <li key={`${page} ${document}`}>
              <Button
                class="link"
                testid="check-page"
                data-document={document}
                data-page={page}
                onClick={(event) => onOpenPage({ document, page }, event.timeStamp)}
              >
                {t("page {page} of {document}", { page, document })}
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
      {other ? (
        <blockquote class="check-quote wrap" data-testid="check-other">
          {other}
        </blockquote>
      ) : null}
    </li>
  );
}
