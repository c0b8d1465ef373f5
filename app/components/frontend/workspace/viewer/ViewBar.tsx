import type { ReadonlySignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { IconButton } from "../../shared/components/Button";
import { Icon } from "../../shared/components/Icon";
import { t } from "../../shared/messages";
import { grouped } from "../../shared/notation";

export interface ViewBarValues {
  /** the open page */
  page: Pt.Place | null;
  total: number;
  canBack: boolean;
  canForward: boolean;
  view: { fit: string; zoom: number };
  cited: boolean;
  readOnly: boolean;
  /** whether pages are cited in this task */
  evidence: boolean;
  /** whether thumbnails are shown */
  rail: boolean;
  /** whether the page is shown alone */
  reading: boolean;
  /** whether text can be selected by a tool, and whether it is in use */
  selects: boolean;
  selecting: boolean;
  /** whether the document can be searched */
  finds: boolean;
  /** whether another page is kept beside */
  beside: boolean;
}

export interface ViewBarProps {
  values: ReadonlySignal<ViewBarValues>;
  pageNumber: RefObject<HTMLInputElement | null>;
  onTurn: (via: "first" | "previous" | "next" | "last", stamp: number) => void;
  /** Returns whether there is such a page. */
  onJump: (page: number, stamp: number) => boolean;
  onZoomStep: (direction: 1 | -1) => void;
  onZoom: (percent: number) => void;
  onFit: (fit: "width" | "page") => void;
  onRotate: () => void;
  onSelectText: () => void;
  onCommand: (name: "find" | "recent" | "beside") => void;
  onCite: () => void;
  onToggleRail: () => void;
  onToggleReading: () => void;
}

/** The viewer's bar: document name, page navigation, zoom, fit, turn, "Add as citation". */
export function ViewBar({ values, ...actions }: ViewBarProps) {
  const { page, rail, evidence, ...shown } = values.value;
  return (
    <div class="viewbar line" role="toolbar" aria-label={t("Page viewer")}>
      <div class="bar-name line">
        <IconButton
          icon="rail"
          label={t("Thumbnails")}
          testid="rail-toggle"
          aria-pressed={rail}
          onClick={actions.onToggleRail}
        />
        <span
          class="document-name quiet ellipsis medium"
          data-testid="document-name"
          title={page?.document}
        >
          {page ? page.document : t("No page open")}
        </span>
      </div>
      <PageNavigation page={page} {...shown} {...actions} />
      <ViewButtons disabled={!page} {...shown} {...actions} />
      <div class="bar-group bar-more line">
        {shown.finds ? (
          <IconButton
            icon="search"
            label={t("Find in this document")}
            title={t("Find in this document (Ctrl+F)")}
            testid="find-open"
            disabled={!page}
            onClick={() => actions.onCommand("find")}
          />
        ) : null}
        <IconButton
          icon="history"
          label={t("Recent pages")}
          title={t("Recent pages (Shift+L)")}
          testid="recent"
          disabled={!page}
          onClick={() => actions.onCommand("recent")}
        />
        <IconButton
          icon="beside"
          label={t("Keep this page beside others")}
          title={t("Keep this page beside others (d)")}
          testid="beside-toggle"
          disabled={!page}
          aria-pressed={shown.beside}
          onClick={() => actions.onCommand("beside")}
        />
      </div>
      {evidence ? (
        <button
          type="button"
          class="button cite"
          data-testid="cite"
          disabled={!page || shown.readOnly}
          aria-pressed={shown.cited}
          title={`${shown.cited ? t("Remove this citation") : t("Add as citation")} (c)`}
          onClick={actions.onCite}
        >
          <span class="icon-slot">
            <Icon name={shown.cited ? "cited" : "cite"} />
          </span>
          <span class="cite-label">{shown.cited ? t("Cited") : t("Add as citation")}</span>
        </button>
      ) : null}
    </div>
  );
}

type PageNavigationProps = Pick<ViewBarValues, "page" | "total" | "canBack" | "canForward"> &
  Pick<ViewBarProps, "pageNumber" | "onTurn" | "onJump">;

function PageNavigation({ page, total, canBack, canForward, ...props }: PageNavigationProps) {
  const button = (
    via: "first" | "previous" | "next" | "last",
    label: string,
    key: string,
    enabled: boolean,
  ) => (
    <IconButton
      icon={via}
      label={label}
      title={`${label} (${key})`}
      testid={`page-${via}`}
      disabled={!enabled}
      onClick={(event) => props.onTurn(via, event.timeStamp)}
    />
  );
  return (
    <div class="bar-group line">
      {button("first", t("First page"), t("Home"), canBack)}
      {button("previous", t("Previous page"), "←", canBack)}
      <span class="page-box number inline">
        <PageNumber
          input={props.pageNumber}
          shown={page ? String(page.page) : ""}
          disabled={!page}
          onJump={props.onJump}
        />
        <span class="nowrap" data-testid="page-total">
          {page ? t("of {number}", { number: grouped(total) }) : t("of –")}
        </span>
      </span>
      {button("next", t("Next page"), "→", canForward)}
      {button("last", t("Last page"), t("End"), canForward)}
    </div>
  );
}

interface PageNumberProps extends Pick<ViewBarProps, "onJump"> {
  input: RefObject<HTMLInputElement | null>;
  /** number of the open page */
  shown: string;
  disabled: boolean;
}

/** The number of the open page; a typed one is gone to by Enter. */
function PageNumber({ input, shown, disabled, onJump }: PageNumberProps) {
  // Not controlled: what is being typed stays until another page is open.
  useLayoutEffect(() => {
    if (input.current) input.current.value = shown;
  }, [input, shown]);
  return (
    <input
      ref={input}
      class="page-number"
      data-testid="page-number"
      dir="auto"
      inputMode="numeric"
      autocomplete="off"
      aria-label={t("Page number")}
      title={t("Go to page (g)")}
      disabled={disabled}
      onFocus={({ currentTarget }) => currentTarget.select()}
      onBlur={({ currentTarget }) => {
        currentTarget.value = shown;
      }}
      onKeyDown={(event) => {
        const { currentTarget } = event;
        if (event.key === "Enter") {
          event.preventDefault();
          const page = Number.parseInt(currentTarget.value, 10);
          if (onJump(page, event.timeStamp)) currentTarget.blur();
          else currentTarget.select();
        } else if (event.key === "Escape") {
          currentTarget.blur();
        }
      }}
    />
  );
}

type ViewButtonsProps = Pick<ViewBarValues, "view" | "reading" | "selects" | "selecting"> &
  Pick<
    ViewBarProps,
    "onZoomStep" | "onZoom" | "onFit" | "onRotate" | "onToggleReading" | "onSelectText"
  > & { disabled: boolean };

function ViewButtons({
  view,
  reading,
  selects,
  selecting,
  disabled,
  ...actions
}: ViewButtonsProps) {
  const zoom = Math.round(view.zoom);
  return (
    <div class="bar-group line">
      <IconButton
        icon="minus"
        label={t("Zoom out")}
        title={t("Zoom out (−)")}
        testid="zoom-out"
        disabled={disabled}
        onClick={() => actions.onZoomStep(-1)}
      />
      <button
        type="button"
        class="zoom-level number bare"
        data-testid="zoom-level"
        title={t("Zoom to 100 %")}
        aria-label={t("Zoom {zoom} percent; set to 100 percent", { zoom })}
        disabled={disabled}
        onClick={() => actions.onZoom(100)}
      >
        {zoom} %
      </button>
      <IconButton
        icon="plus"
        label={t("Zoom in")}
        title={t("Zoom in (+)")}
        testid="zoom-in"
        disabled={disabled}
        onClick={() => actions.onZoomStep(1)}
      />
      <IconButton
        icon="fitWidth"
        label={t("Fit width")}
        title={t("Fit width (w)")}
        testid="fit-width"
        disabled={disabled}
        aria-pressed={view.fit === "width"}
        onClick={() => actions.onFit("width")}
      />
      <IconButton
        icon="fitPage"
        label={t("Fit page")}
        testid="fit-page"
        disabled={disabled}
        aria-pressed={view.fit === "page"}
        onClick={() => actions.onFit("page")}
      />
      <IconButton
        icon="rotate"
        label={t("Turn the view")}
        testid="rotate"
        disabled={disabled}
        onClick={actions.onRotate}
      />
      <IconButton
        icon="expand"
        label={t("The page alone")}
        title={t("The page alone (z)")}
        testid="read"
        disabled={disabled}
        aria-pressed={reading}
        onClick={actions.onToggleReading}
      />
      {selects ? (
        <IconButton
          icon="text"
          label={t("Select text")}
          title={t("Select text (t)")}
          testid="select-text"
          disabled={disabled}
          aria-pressed={selecting}
          onClick={actions.onSelectText}
        />
      ) : null}
    </div>
  );
}
