/**
 * Shows a component's screen in the place that Streamlit gives it: one screen per root, which lives
 * on through the reruns of the script.
 */

const SHARED = [
  "./tokens.css",
  "./base.css",
  "./controls.css",
  "./panels.css",
  "./dialogs.css",
  "./page/page_stage.css",
  "./boxes.css",
  "./shown_record.css",
].map((name) => new URL(name, import.meta.url).href);

/**
 * Link style sheets; resolves once they apply, so that nothing is painted without them.
 * @param {ShadowRoot | HTMLElement} root
 * @param {string[]} sheets
 */
function style(root, sheets) {
  const loads = sheets.map((href) => {
    const link = document.createElement("link");
    Object.assign(link, { rel: "stylesheet", href });
    return new Promise((resolve) => {
      link.addEventListener("load", resolve);
      link.addEventListener("error", resolve);
      root.append(link);
    });
  });
  return Promise.all(loads);
}

/**
 * A component's `mount`. Streamlit calls it on every rerun of its script, with or without the
 * cleanup in between.
 * @param {Object} options
 * @param {string[]} options.sheets addresses of the screen's own style sheets
 * @param {Promise<any>} options.loading the screen's module
 * @param {string} options.failure what is said where it cannot be loaded
 * @param {(module: any, root: any, component: any, screen: any, previous: any) => any} options.show
 *   makes the screen, or brings it up to date with the component's data; returns it
 * @param {(screen: any) => void} options.close the root is gone
 * @param {boolean} [options.keeps] whether a root that comes back shows the same screen
 */
export function mounting({ sheets, loading, failure, show, close, keeps = false }) {
  const places = new WeakMap();
  return (/** @type {any} */ component) => {
    const root = component.parentElement;
    let place = places.get(root);
    if (!place) {
      place = {
        screen: null,
        shown: null,
        ready: Promise.all([loading, style(root, [...SHARED, ...sheets])]),
      };
      places.set(root, place);
      place.ready.catch(() => {
        const sentence = document.createElement("p");
        sentence.setAttribute("role", "alert");
        sentence.textContent = failure;
        root.append(sentence);
      });
    }
    place.component = component;
    place.ready.then(
      (/** @type {any[]} */ [module]) => {
        const { shown, screen } = place;
        if (place.component === shown) return;
        place.shown = place.component;
        place.screen = show(module, root, place.component, screen, shown?.data);
      },
      () => {},
    );
    return () => {
      // Streamlit may clean up a superseded call after the next one; only a root that is gone ends.
      setTimeout(() => {
        if ((root.host ?? root).isConnected) return;
        if (place.screen) close(place.screen);
        if (!keeps) places.delete(root);
      });
    };
  };
}
