/**
 * Shows a component's screen in the place that Streamlit gives it: one screen per root, which lives
 * on through the reruns of the script.
 */

import { loadMessages } from "./messages";

type Root = ShadowRoot | HTMLElement;

/** What Streamlit calls a component with. */
export interface ComponentCall<Data> {
  parentElement: Root;
  data: Data;
  setStateValue: (name: string, value: unknown) => void;
}

export interface ScreenMount<Data, Screen> {
  /** address of the screen's style sheet */
  sheet: string;
  /** What has to be done before a screen is made. */
  prepare?: () => Promise<void>;
  /** Makes the screen, or brings it up to date with the component's data. */
  show: (
    root: Root,
    call: ComponentCall<Data>,
    screen: Screen | null,
    previous: Data | undefined,
  ) => Screen;
  /** The root is gone. */
  close: (screen: Screen) => void;
  /** whether a root that comes back shows the same screen */
  keeps?: boolean;
}

interface MountedScreen<Data, Screen> {
  call: ComponentCall<Data>;
  screen: Screen | null;
  shown: ComponentCall<Data> | null;
  ready: Promise<unknown>;
}

interface ScreenData {
  /** where its messages are; null for English */
  messages: string | null;
}

/** Link a style sheet; resolves once it applies, so that nothing is painted without it. */
function style(root: Root, href: string): Promise<void> {
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  return new Promise((resolve) => {
    link.addEventListener("load", () => resolve());
    link.addEventListener("error", () => resolve());
    root.append(link);
  });
}

/**
 * A component's `mount`. Streamlit calls it on every rerun of its script, with or without the
 * cleanup in between.
 */
export function mounting<Data extends ScreenData, Screen>({
  sheet,
  prepare,
  show,
  close,
  keeps = false,
}: ScreenMount<Data, Screen>) {
  const mounted = new WeakMap<Root, MountedScreen<Data, Screen>>();
  return (call: ComponentCall<Data>) => {
    const root = call.parentElement;
    const place = mounted.get(root) ?? {
      call,
      screen: null,
      shown: null,
      ready: Promise.all([style(root, sheet), loadMessages(call.data.messages), prepare?.()]),
    };
    mounted.set(root, place);
    place.call = call;
    place.ready.then(() => {
      const { shown, screen } = place;
      if (place.call === shown) return;
      place.shown = place.call;
      place.screen = show(root, place.call, screen, shown?.data);
    });
    return () => {
      // Streamlit may clean up a superseded call after the next one; only a root that is gone ends.
      setTimeout(() => {
        const element = root instanceof ShadowRoot ? root.host : root;
        if (element.isConnected) return;
        if (place.screen) close(place.screen);
        if (!keeps) mounted.delete(root);
      });
    };
  };
}
