/**
 * Pagetrail's annotation workspace, a Streamlit v2 component in plain ES modules.
 *
 * main.js       mount: one Workspace per root, style sheets first, Streamlit's reruns
 * workspace.js  the screen: connects the parts to the store   build.js     makes the parts
 * commands.js   what a person can do, by mouse or key        keys.js      which key does what
 * layout.js     which parts are to be seen                   query.js     running a search
 * attempt.js    the attempt on screen and its traffic        presence.js  tabs, focus, connection
 * outbox.js     events in order until acknowledged           api.js       routes and failures
 * fold.js, foldboxes.js        events → state, as the server folds them
 * form.js       what is asked and missing, as the server does  store.js   one observable record
 * catchup.js    what was done elsewhere meanwhile
 * persist.js, adopt.js  what outlives a reload               clock.js, timelimit.js  working time
 * viewer.js     which page, how reached, when painted        images.js    decoded ahead of turning
 * stage.js      one page: zoom, turn, pan, overlay           geometry.js  client px ↔ page points
 * viewbar.js, rail.js, marks.js  the viewer's bar; thumbnails and what they say of pages
 * boxscreen.js  puts boxes on the screen: boxpage.js (what is shown), boxtool.js (what is done),
 *               boxgestures.js (pointers), boxkeys.js, boxlayer.js (drawing), boxbar.js,
 *               boxrules.js, palette.js, rects.js
 * snap.js, pagewords.js, textselect.js   the words of a page: snapping to them, selecting them
 * pinch.js                     two fingers on a page
 * search.js, results.js        the search bar and its results
 * film.js, material.js         the strip of given pages; what is shown beside the question
 * fields.js, widgets.js, pagefields.js, formpanel.js   fields of the task, the pages, the boxes
 * formcommands.js, keepboxes.js                    setting fields; boxes that stand in the way
 * sidebar.js, answer.js, topbar.js                 the panels
 * textfield.js, texts.js                           text boxes that save themselves
 * dialogs.js, handin.js, summary.js, guidelines.js dialogs; submit, skip, flag; guidelines, keys
 * elements.js, inspector.js, boxvalues.js, labels.js   the boxes of the page, the selected box
 * elementwork.js               going through elements: accept, correct, take back
 * question.js, checks.js, checkrun.js    writing questions and checking them
 * talk.js       comments, and what came back with a task   goldmode.js  the draft of a task under review
 * feedback.js, pilotrun.js     what was right in a pilot task   workscreen.js   puts these on screen
 * records.js, recordrow.js, cells.js               tables of records
 * diff.js, diffview.js         what differs between two texts
 * dom.js, icons.js, theme.js   elements, icons, colours
 *
 * A change is an event: commands call attempt.record, which shows its effect through fold.js and
 * hands it to the outbox. Nothing else changes state. Boxes on pages go into stage.boxes, an SVG
 * group in page points; stage.toPagePoint and stage.toClientPoint convert pointer positions.
 */

const SHEETS = ["styles.css", "panels.css", "forms.css", "viewer.css", "work.css", "talk.css"];
const MODULES = [
  "adopt",
  "answer",
  "api",
  "attempt",
  "boxbar",
  "boxgestures",
  "boxkeys",
  "boxlayer",
  "boxpage",
  "boxrules",
  "boxscreen",
  "boxtool",
  "boxvalues",
  "build",
  "catchup",
  "cells",
  "checkrun",
  "checks",
  "clock",
  "commands",
  "dialogs",
  "diff",
  "diffview",
  "dom",
  "elements",
  "elementwork",
  "feedback",
  "fields",
  "film",
  "fold",
  "foldboxes",
  "form",
  "formcommands",
  "formpanel",
  "geometry",
  "goldmode",
  "guidelines",
  "handin",
  "icons",
  "images",
  "inspector",
  "keepboxes",
  "keys",
  "labels",
  "layout",
  "marks",
  "material",
  "outbox",
  "pagefields",
  "pagewords",
  "palette",
  "persist",
  "pilotrun",
  "pinch",
  "presence",
  "query",
  "question",
  "rail",
  "recordrow",
  "records",
  "rects",
  "results",
  "search",
  "sidebar",
  "snap",
  "stage",
  "store",
  "summary",
  "talk",
  "textfield",
  "texts",
  "textselect",
  "theme",
  "timelimit",
  "topbar",
  "viewbar",
  "viewer",
  "widgets",
  "workscreen",
  "workspace",
];
const screens = new WeakMap();
const address = (name) => new URL(`./${name}`, import.meta.url).href;

function preload(rel, name, as) {
  const link = document.createElement("link");
  Object.assign(link, { rel, href: address(name) });
  if (as) link.as = as;
  document.head.append(link);
}

// Everything at once instead of one round trip for each level of imports.
for (const name of SHEETS) preload("preload", name, "style");
for (const name of MODULES) preload("modulepreload", `${name}.js`);
const loading = import("./workspace.js");

/** Link the style sheets; resolves once they apply, so that nothing is painted without them. */
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
 * Show the workspace. Called again on every rerun of the Streamlit script, with or without a
 * cleanup in between; the screen and its state belong to the root and live on.
 * @param {{data: Object, parentElement: ShadowRoot|HTMLElement, setStateValue: Function}} component
 * @returns {() => void} cleanup
 */
export function mount(component) {
  const { data, parentElement: root, setStateValue } = component;
  let entry = screens.get(root);
  if (!entry) {
    entry = { data, workspace: null, setStateValue };
    screens.set(root, entry);
    Promise.all([loading, style(root)]).then(
      ([{ Workspace }]) => {
        entry.workspace = new Workspace(root, entry.data);
        entry.workspace.attempt.fallback.setStateValue = (...args) => entry.setStateValue(...args);
      },
      () => {
        const sentence = document.createElement("p");
        sentence.setAttribute("role", "alert");
        sentence.textContent = "The workspace could not be loaded. Reload the page.";
        root.append(sentence);
      },
    );
  } else {
    const previous = entry.data;
    entry.data = data;
    entry.workspace?.rerun(data, previous);
  }
  entry.setStateValue = setStateValue;
  return () => {
    // Streamlit may clean up a superseded call after the next one; only a root that is gone ends.
    setTimeout(() => {
      const removed = !(root.host ?? root).isConnected;
      if (removed) entry.workspace?.deactivate();
    });
  };
}

export default mount;
