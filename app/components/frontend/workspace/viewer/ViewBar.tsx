import { type ReadonlySignal, useComputed } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { IconButton } from "../../shared/components/Button";
import { Icon } from "../../shared/components/Icon";
import { MiddleCut } from "../../shared/components/MiddleCut";
import { withKey } from "../../shared/keys";
import { t } from "../../shared/messages";
import { grouped } from "../../shared/notation";
import { includesPlace } from "../../shared/places";
import { isRailOpen } from "../panel_visibility";
import { cites, isReadOnly } from "../state/attempt_state";
import { MoreTools } from "./MoreTools";

export interface ShownPage {
  /** the open page */
  page: Pt.Place | null;
  total: number;
  canBack: boolean;
  canForward: boolean;
  view: { fit: string; zoom: number };
}

export interface ViewBarProps {
  store: Pt.Store;
  shown: ReadonlySignal<ShownPage>;
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
  onBookmark: () => void;
  onCite: () => void;
  onToggleRail: () => void;
  onToggleReading: () => void;
}

/** The viewer's bar: document name, page navigation, zoom, fit, turn, t("Add as citation"). */
export function ViewBar({ store, shown, ...actions }: ViewBarProps) {
  const { page, view, ...position } = shown.value;
  const isRailShown = useComputed(() => isRailOpen(store.tracked)).value;
  const { text, evidence, boxes } = store.protocol.value;
  return (
    <div class="viewbar line" role="toolbar" aria-label={t("Page viewer")}>
      <div class="bar-name line">
        <IconButton
          icon="rail"
          label={t("Thumbnails")}
          testid="rail-toggle"
          aria-pressed={isRailShown}
          onClick={actions.onToggleRail}
        />
        {page ? (
          <MiddleCut
            class="document-name quiet medium"
            testid="document-name"
            text={page.document}
          />
        ) : (
          <span class="document-name quiet ellipsis medium" data-testid="document-name">
            {t("No page open")}
          </span>
        )}
      </div>
      <PageNavigation page={page} {...position} {...actions} />
      <ViewButtons view={view} disabled={!page} {...actions} />
      <MoreTools>
        <IconButton
          icon="expand"
          label={t("The page alone")}
          title={withKey(t("The page alone"), "toggleReading")}
          testid="read"
          disabled={!page}
          aria-pressed={store.reading.value}
          onClick={actions.onToggleReading}
        />
        {text.select && !boxes.enabled ? (
          <IconButton
            icon="text"
            label={t("Select text")}
            title={withKey(t("Select text"), "toolText")}
            testid="select-text"
            disabled={!page}
            aria-pressed={store.tool.value === "text"}
            onClick={actions.onSelectText}
          />
        ) : null}
        {text.find ? (
          <IconButton
            icon="search"
            label={t("Find in this document")}
            title={withKey(t("Find in this document"), "find")}
            testid="find-open"
            disabled={!page}
            onClick={() => actions.onCommand("find")}
          />
        ) : null}
        <IconButton
          icon="history"
          label={t("Recent pages")}
          title={withKey(t("Recent pages"), "recent")}
          testid="recent"
          disabled={!page}
          onClick={() => actions.onCommand("recent")}
        />
        <IconButton
          icon="beside"
          label={t("Keep this page beside others")}
          title={withKey(t("Keep this page beside others"), "beside")}
          testid="beside-toggle"
          disabled={!page}
          aria-pressed={store.beside.value !== null}
          onClick={() => actions.onCommand("beside")}
        />
        <BookmarkButton store={store} onBookmark={actions.onBookmark} />
      </MoreTools>
      {evidence.enabled ? <CiteButton store={store} onCite={actions.onCite} /> : null}
    </div>
  );
}

function BookmarkButton({ store, onBookmark }: Pick<ViewBarProps, "store" | "onBookmark">) {
  const page = store.page.value;
  const readOnly = useComputed(() => isReadOnly(store.state.value)).value;
  const bookmarks = useComputed(() => store.state.value.bookmarks).value;
  if (!store.protocol.value.aids.bookmarks || store.review.value) return null;
  const label = t("Bookmark this page for the batch");
  return (
    <IconButton
      icon="star"
      label={label}
      title={withKey(label, "bookmark")}
      testid="bookmark"
      disabled={!page || readOnly}
      aria-pressed={includesPlace(bookmarks, page)}
      onClick={onBookmark}
    />
  );
}

function CiteButton({ store, onCite }: Pick<ViewBarProps, "store" | "onCite">) {
  const page = store.page.value;
  const isFixed = useComputed(() => isReadOnly(store.state.value)).value;
  const isCited = page !== null && cites(store.state.value, page.document, page.page);
  return (
    <button
      type="button"
      class="button cite"
      data-testid="cite"
      disabled={!page || isFixed}
      aria-pressed={isCited}
      title={withKey(isCited ? t("Remove this citation") : t("Add as citation"), "cite")}
      onClick={onCite}
    >
      <span class="icon-slot">
        <Icon name={isCited ? "cited" : "cite"} />
      </span>
      <span class="cite-label">{isCited ? t("Cited") : t("Add as citation")}</span>
    </button>
  );
}

type PageNavigationProps = Pick<ShownPage, "page" | "total" | "canBack" | "canForward"> &
  Pick<ViewBarProps, "pageNumber" | "onTurn" | "onJump">;

function PageNavigation({ page, total, canBack, canForward, ...props }: PageNavigationProps) {
  const button = (via: "first" | "previous" | "next" | "last", label: string, enabled: boolean) => (
    <IconButton
      icon={via}
      label={label}
      title={withKey(label, `${via}Page`)}
      testid={`page-${via}`}
      disabled={!enabled}
      onClick={(event) => props.onTurn(via, event.timeStamp)}
    />
  );
  return (
    <div class="bar-group line">
      {button("first", t("First page"), canBack)}
      {button("previous", t("Previous page"), canBack)}
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
      {button("next", t("Next page"), canForward)}
      {button("last", t("Last page"), canForward)}
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
      title={withKey(t("Go to page"), "goToPage")}
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

type ViewButtonsProps = Pick<ShownPage, "view"> &
  Pick<ViewBarProps, "onZoomStep" | "onZoom" | "onFit" | "onRotate"> & { disabled: boolean };

function ViewButtons({ view, disabled, ...actions }: ViewButtonsProps) {
  const zoom = Math.round(view.zoom);
  return (
    <div class="bar-group line">
      <IconButton
        icon="minus"
        label={t("Zoom out")}
        title={withKey(t("Zoom out"), "zoomOut")}
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
        title={withKey(t("Zoom in"), "zoomIn")}
        testid="zoom-in"
        disabled={disabled}
        onClick={() => actions.onZoomStep(1)}
      />
      <IconButton
        icon="fitWidth"
        label={t("Fit width")}
        title={withKey(t("Fit width"), "fitWidth")}
        testid="fit-width"
        disabled={disabled}
        aria-pressed={view.fit === "width"}
        onClick={() => actions.onFit("width")}
      />
      <IconButton
        icon="fitPage"
        label={t("Fit page")}
        title={withKey(t("Fit page"), "fitPage")}
        testid="fit-page"
        disabled={disabled}
        aria-pressed={view.fit === "page"}
        onClick={() => actions.onFit("page")}
      />
      <IconButton
        icon="rotate"
        label={t("Turn the view")}
        title={withKey(t("Turn the view"), "rotate")}
        testid="rotate"
        disabled={disabled}
        onClick={actions.onRotate}
      />
    </div>
  );
}
