/**
 * One task under review, a Streamlit v2 component in plain ES modules; elements, page images,
 * dialogs and colours are the workspace's.
 *
 * main.js        mount: one screen per root, style sheets first
 * reviewing.js   the screen: parts, keys, acts        session.js   task, choices, requests in order
 * acts.js        requests; sent again under their id  keys.js      which key does what
 * matrix.js, subrows.js, cells.js, people.js          the comparison: a column a person
 * setview.js, sets.js                                 evidence as a set diagram
 * pagepane.js, boxes.js, pagenotes.js, looks.js       a page with everybody's boxes
 * topbar.js, questionbox.js, goldpanel.js, decision.js, talks.js   around it; dialogs
 * rows.js, picks.js, stored.js, marking.js, words.js, pending.js  without DOM: rows, choices, words
 * deciding.js    what keys and buttons do             kept.js, shots.js   what outlives a reload; page pictures
 * queue.js       the queue that the task was opened from
 */

const SHEETS = [
  "../workspace/styles.css",
  "../workspace/panels.css",
  "../workspace/viewer.css",
  "./reviewing.css",
  "./matrix.css",
];
const MODULES = [
  "acts",
  "boxes",
  "cells",
  "deciding",
  "decision",
  "goldpanel",
  "kept",
  "keys",
  "looks",
  "marking",
  "matrix",
  "pagenotes",
  "pagepane",
  "pending",
  "people",
  "picks",
  "questionbox",
  "queue",
  "reviewing",
  "rows",
  "session",
  "sets",
  "setview",
  "shots",
  "stored",
  "subrows",
  "talks",
  "topbar",
  "words",
];
const screens = new WeakMap();
const address = (name) => new URL(name, import.meta.url).href;

// Everything at once instead of one round trip for each level of imports.
for (const name of MODULES) {
  const link = document.createElement("link");
  Object.assign(link, { rel: "modulepreload", href: address(`./${name}.js`) });
  document.head.append(link);
}
const loading = import("./reviewing.js");

/** Link the style sheets; resolves once they apply. */
function style(root) {
  const loads = SHEETS.map((name) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = address(name);
    return new Promise((resolve) => {
      link.addEventListener("load", resolve);
      link.addEventListener("error", resolve);
      root.append(link);
    });
  });
  return Promise.all(loads);
}

/**
 * Show the screen. Called again on every rerun of the Streamlit script, with or without a cleanup
 * in between; the screen and what was chosen in it belong to the root and live on.
 * @param {{data: Object, parentElement: ShadowRoot|HTMLElement}} component
 * @returns {() => void} cleanup
 */
export function mount({ data, parentElement: root }) {
  let entry = screens.get(root);
  if (!entry) {
    entry = { data, screen: null };
    screens.set(root, entry);
    Promise.all([loading, style(root)]).then(
      ([{ Reviewing }]) => {
        entry.screen = new Reviewing(root, entry.data);
      },
      () => {
        const sentence = document.createElement("p");
        sentence.setAttribute("role", "alert");
        sentence.textContent = "The review could not be loaded. Reload the page.";
        root.append(sentence);
      },
    );
  } else {
    const previous = entry.data;
    entry.data = data;
    entry.screen?.rerun(data, previous);
  }
  return () => {
    // Streamlit may clean up a superseded call after the next one; only a root that is gone ends.
    setTimeout(() => {
      if ((root.host ?? root).isConnected) return;
      entry.screen?.destroy();
      screens.delete(root);
    });
  };
}

export default mount;
