import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SetupError } from '../setup-error.mjs';
import { deferredPackages } from './deferred-packages.mjs';
import { lineTable } from './line-table.mjs';
import { moduleAddresses, threadName } from './module-addresses.mjs';

const { directory, isCurrent, root } = createRequire(import.meta.url)('../../core/bundle/load.cjs');
const here = dirname(fileURLToPath(import.meta.url));

/** Threads that load drivers, and of which kind. */
const kindsOfThreads = { 'plugins/containers/dist/logs/pump-worker.js': 'log' };

/**
 * Makes one file of the thousand modules that the usual daemon consists of, and one for each of its threads, with V8's
 * code for them. Does nothing when they are up to date. What a daemon loads is still for its configuration to say.
 */
export async function bundle() {
  if (isCurrent()) return;
  console.log('bundling the daemon: core/bundle');
  const output = mkdtempSync(join(root, 'core/dist/.bundle-'));
  try {
    await makeAll(output);
    // Whole or not at all, also for a daemon that starts meanwhile.
    rmSync(directory, { recursive: true, force: true });
    renameSync(output, directory);
  } catch (error) {
    if (!isCurrent()) throw error; // somebody else made it at the same time
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}

async function makeAll(output) {
  const loader = ['load.cjs', 'stacks.cjs'].map((name) => `core/bundle/${name}`);
  const inputs = new Set(['core/default-config.json', 'package-lock.json', ...loader, ...filesOf(here)]);
  const packages = loadablePackages();
  for (const { manifest } of packages) inputs.add(manifest);
  const threads = await make(output, 'gantryd', daemonSource(packages), inputs);
  for (const thread of threads) {
    const drivers = packages.filter(({ kinds }) => kinds.includes(kindsOfThreads[thread]));
    await make(output, threadName(thread), `${providers(drivers)}\nimport './${thread}';`, inputs);
    writeFileSync(join(output, `${threadName(thread)}.thread.cjs`), threadSource(threadName(thread)));
  }
  // In a process of its own: its flags have to be the daemon's.
  const { status } = spawnSync(process.execPath, [join(here, 'make-code.mjs'), output, ...threads.map(threadName)], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new SetupError(`the bundle cannot be loaded: exit code ${status}`);
  keepCodeOfARun(output);
  writeIndex(output, inputs);
}

/**
 * Replaces the daemon's code by that of a daemon that has started and answered, which saves each start a twentieth. It
 * takes root, and leaves nothing: that daemon has namespaces of its own, in which the bundle is where it will be. Where
 * it fails, the code there is will do.
 */
function keepCodeOfARun(output) {
  if (process.getuid?.() !== 0) return;
  mkdirSync(directory, { recursive: true });
  const scratch = mkdtempSync(join(tmpdir(), 'gantry-bundle-'));
  const script = 'mount --bind "$0" "$1" && shift && exec "$@"';
  const program = [process.execPath, join(here, 'code-of-a-run.mjs'), scratch];
  try {
    spawnSync('unshare', ['--mount', '--net', 'sh', '-c', script, output, directory, ...program], {
      stdio: 'ignore',
      timeout: 20_000,
      killSignal: 'SIGKILL',
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** On the first line, so that the lines of maps stay right. Names with underscores are those of module-addresses.mjs. */
const head = [
  '(function (module, require, __root, __load) {',
  'const __address = (file) => __root + file;',
  'const __bundled = new Map();',
  'const __import = (address) => __bundled.get(address)?.() ?? __load(address);',
].join(' ');

/** Bundles what a source asks for. Returns the modules that it starts as threads. */
async function make(output, name, contents, inputs) {
  const { build } = await import('esbuild');
  const threads = new Set();
  const { metafile, outputFiles } = await build({
    stdin: { contents, resolveDir: root, sourcefile: `${name}-entry.js` },
    absWorkingDir: root,
    outfile: join(output, `${name}.cjs`),
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    target: `node${process.versions.node}`,
    format: 'cjs',
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'silent',
    plugins: [moduleAddresses(root, threads), deferredPackages],
  }).catch((error) => {
    throw new SetupError(`the daemon cannot be bundled: ${error.message}`);
  });
  const [map, code] = [/\.map$/, /\.cjs$/].map((kind) => outputFiles.find(({ path }) => kind.test(path)).text);
  writeFileSync(join(output, `${name}.cjs`), `${head}${code}\n})`);
  writeFileSync(join(output, `${name}.cjs.map`), map);
  const { sources, lines } = lineTable(JSON.parse(map), output, root);
  writeFileSync(join(output, `${name}.sources.json`), JSON.stringify(sources));
  writeFileSync(join(output, `${name}.lines`), lines);
  const isFile = (input) => !input.endsWith('-entry.js') && !input.startsWith('deferred:');
  for (const input of Object.keys(metafile.inputs)) if (isFile(input)) inputs.add(input);
  return [...threads];
}

/** Packages of this tree that a configuration can name, with the module that each of them is loaded by. */
function loadablePackages() {
  return ['drivers', 'plugins'].flatMap((group) =>
    readdirSync(join(root, group)).flatMap((name) => {
      const directory = `${group}/${name}`;
      const manifest = `${directory}/package.json`;
      const { exports, gantry } = JSON.parse(readFileSync(join(root, manifest), 'utf8'));
      if (gantry === undefined) return [];
      const drivers = [...(gantry.driver === undefined ? [] : [gantry.driver]), ...(gantry.drivers ?? [])];
      const kinds = drivers.map(({ provides }) => provides.split('/')[0]);
      return [{ directory, manifest, kinds, entry: join(directory, exports['.'].default) }];
    }),
  );
}

/** What a bundle has of what is loaded by its address. */
const providers = (packages) =>
  packages.map(({ entry }) => `__bundled.set(__address('${entry}'), () => import('./${entry}'));`).join('\n');

const daemonSource = (packages) => `
import { fileURLToPath } from 'node:url';
import { gantryd } from './core/dist/gantryd.js';
import { loadsOnly } from './core/dist/loads-only.js';
${providers(packages)}
const known = ${JSON.stringify(packages.map(({ directory }) => directory))};
const serves = (argv) => loadsOnly(argv, new Set(known.map((directory) => fileURLToPath(__address(directory)))));
export { gantryd, serves };
`;

const threadSource = (name) => `require('../load.cjs').load('${name}');\n`;

const filesOf = (folder) => readdirSync(folder).map((name) => join(folder, name).slice(root.length + 1));

/**
 * The file by whose time and size one sees that an input is another: what the compiler and npm write whenever they change
 * something, for a look at each of a thousand files would take a start 10 ms.
 */
function witnessOf(input) {
  const witness = input.startsWith('node_modules/')
    ? 'node_modules/.package-lock.json'
    : input.replace(/\/dist\/.*/, '/dist/.tsbuildinfo');
  return existsSync(join(root, witness)) ? witness : input;
}

function writeIndex(output, inputs) {
  const stamps = [...new Set([...inputs].map(witnessOf))].sort().map((file) => {
    const { size, mtimeMs } = statSync(join(root, file));
    return [file, size, mtimeMs];
  });
  const index = { root, node: process.version, architecture: process.arch, inputs: stamps };
  writeFileSync(join(output, 'index.json'), JSON.stringify(index));
}
