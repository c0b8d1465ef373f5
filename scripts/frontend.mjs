/**
 * Builds and tests the browser code of app/components/frontend with esbuild.
 *
 *   node scripts/frontend.mjs build           writes app/components/assets, which is committed
 *   node scripts/frontend.mjs build --check   fails if the committed files are not what it writes
 *   node scripts/frontend.mjs watch           writes build/assets with source maps on every change
 *   node scripts/frontend.mjs test [FILE …]   runs the unit tests, tests/js/*.test.*
 *   node scripts/frontend.mjs run FILE        bundles a script and runs it
 */

import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, posix } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, context } from "esbuild";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const SOURCES = "app/components/frontend";
const ASSETS = "app/components/assets";
const WATCHED = "build/assets";
const TESTS = "tests/js";
/** "page" runs on each screen's page, the others are components. */
const SCREENS = ["page", "workspace", "reviewing", "replay", "upload"];

/** Paths are relative to the root, and links are not followed, so that all checkouts give the same bytes. */
const COMMON = {
  absWorkingDir: ROOT,
  bundle: true,
  format: "esm",
  logLevel: "warning",
  preserveSymlinks: true,
};

function screenOptions(folder, { maps = false } = {}) {
  return {
    ...COMMON,
    entryPoints: SCREENS.map((name) => ({ in: `./${SOURCES}/${name}/main`, out: name })),
    outdir: folder,
    chunkNames: "chunk-[hash]",
    splitting: true,
    target: "es2022",
    minify: !maps,
    sourcemap: maps ? "linked" : false,
    legalComments: "none",
    metafile: true,
    write: false,
  };
}

/** A build's files by name, with the list of each screen's files and the licences. */
function filesOf({ outputFiles, metafile }, folder) {
  const files = outputFiles.map(({ path, contents }) => [basename(path), contents]);
  const text = (content) => new TextEncoder().encode(content);
  files.push(["LICENSES.txt", text(licences(metafile))]);
  // Last: a server that watches the folder reads it again when the list is written.
  files.push(["manifest.json", text(`${JSON.stringify(manifest(metafile, folder), null, 2)}\n`)]);
  return new Map(files);
}

/** Replace a folder's files. */
function write(files, folder) {
  const target = join(ROOT, folder);
  mkdirSync(target, { recursive: true });
  for (const name of readdirSync(target)) {
    if (!files.has(name)) rmSync(join(target, name), { recursive: true });
  }
  for (const [name, content] of files) writeFileSync(join(target, name), content);
}

/** Screen → its files that a page asks for at once: the first module, what it imports, its styles. */
function manifest({ outputs }, folder) {
  const nameOf = (path) => posix.relative(folder, path);
  return Object.fromEntries(
    SCREENS.map((screen) => {
      const paths = new Set([`${folder}/${screen}.js`]);
      for (const path of paths) {
        for (const { path: imported, kind } of outputs[path].imports) {
          if (kind === "import-statement") paths.add(imported);
        }
        if (outputs[path].cssBundle) paths.add(outputs[path].cssBundle);
      }
      return [screen, [...paths].map(nameOf)];
    }),
  );
}

function licences({ inputs }) {
  const folders = new Set(
    Object.keys(inputs).flatMap((path) => path.match(/^node_modules\/(?:@[^/]+\/)?[^/]+/) ?? []),
  );
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(join(ROOT, folder, "package.json"), "utf8"),
    );
    const text = readFileSync(join(ROOT, folder, "LICENSE"), "utf8").trim();
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  return ["The browser code contains these packages.\n", ...texts].join(`\n${"-".repeat(72)}\n\n`);
}

/** Whether the committed files are those that the sources give. */
async function check() {
  const files = filesOf(await build(screenOptions(ASSETS)), ASSETS);
  const target = join(ROOT, ASSETS);
  const committed = new Set(existsSync(target) ? readdirSync(target) : []);
  const differing = [...new Set([...files.keys(), ...committed])].filter(
    (name) =>
      !files.has(name) ||
      !committed.has(name) ||
      !readFileSync(join(target, name)).equals(files.get(name)),
  );
  if (!differing.length) return true;
  console.error(`${ASSETS} is not built from its sources: ${differing.sort().join(", ")}.`);
  console.error("Run `npm run build` and commit the result.");
  return false;
}

async function watch() {
  const onEnd = (result) => {
    if (!result.errors.length) write(filesOf(result, WATCHED), WATCHED);
  };
  const plugins = [{ name: "write", setup: (screens) => screens.onEnd(onEnd) }];
  const watching = await context({ ...screenOptions(WATCHED, { maps: true }), plugins });
  await watching.watch();
  console.log(`Watching. Start the server with PAGETRAIL_ASSETS=${WATCHED}.`);
  return true;
}

function temporaryFolder() {
  return mkdtempSync(join(tmpdir(), "pagetrail-frontend-"));
}

/** Bundle scripts for Node into a folder. */
async function bundle(paths, folder) {
  await build({
    ...COMMON,
    entryPoints: paths,
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    platform: "node",
    target: "node18",
    splitting: true,
    sourcemap: "inline",
    loader: { ".css": "empty" },
  });
}

async function test(paths) {
  const all = readdirSync(join(ROOT, TESTS)).filter((name) => /\.test\.(js|tsx?)$/.test(name));
  const folder = temporaryFolder();
  try {
    await bundle(paths.length ? paths : all.map((name) => `${TESTS}/${name}`), folder);
    const files = readdirSync(folder).filter((name) => /\.test\.mjs$/.test(name));
    const { status } = spawnSync(
      process.execPath,
      [
        "--enable-source-maps",
        "--test",
        "--test-reporter=spec",
        ...files.map((name) => join(folder, name)),
      ],
      { cwd: ROOT, stdio: "inherit" },
    );
    return status === 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function run(path) {
  const folder = temporaryFolder();
  try {
    await bundle([path], folder);
    const [name] = readdirSync(folder).filter((file) => !file.startsWith("chunk-"));
    await import(pathToFileURL(join(folder, name)).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
  return true;
}

const [command, ...rest] = process.argv.slice(2);
const COMMANDS = {
  build: async () => {
    if (rest.includes("--check")) return check();
    write(filesOf(await build(screenOptions(ASSETS)), ASSETS), ASSETS);
    return true;
  },
  watch,
  test: () => test(rest),
  run: () => run(rest[0]),
};
if (!(command in COMMANDS)) {
  console.error("Say what to do: build [--check], watch, test [FILE …] or run FILE.");
  process.exit(2);
}
if (!(await COMMANDS[command]())) process.exitCode = 1;
