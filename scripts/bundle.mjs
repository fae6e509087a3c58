// Bundles the daemon into gantry/bundle/dist: docs/adr/0012. Run as a program of its own, because esbuild keeps a service
// process for as long as its caller lives.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
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
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';

const { addons, directory, isCurrent, root } = createRequire(import.meta.url)('../gantry/bin/bundle.js');

/** The extension of CommonJS, which Node loads faster and can keep V8's code of. */
const extension = '.cjs';

/** A module started as a thread or handed on by its address, such as `new URL('./worker.js', import.meta.url)`. */
const moduleAddress = /new URL\(\s*'(\.\.?\/[^']*\.js)',\s*import\.meta\.url,?\s*\)/g;

/** All files of the bundle are in one folder, so a module's entry has its path as its name. */
const entryName = (file) =>
  file
    .replace(/\/dist\//, '-')
    .replace(/\.js$/, '')
    .replaceAll('/', '-');

/** The packages that a configuration can name, with their folder and the file that importing them loads. */
function loadablePackages() {
  return ['drivers', 'plugins'].flatMap((group) =>
    readdirSync(join(root, group)).flatMap((name) => {
      const manifest = join(root, group, name, 'package.json');
      if (!existsSync(manifest)) return []; // only ignored files of a package that was removed
      const { exports, gantry, name: packageName } = JSON.parse(readFileSync(manifest, 'utf8'));
      const folder = join(group, name);
      return gantry === undefined ? [] : [{ name: packageName, folder, entry: join(folder, exports['.'].default) }];
    }),
  );
}

/** Where each package's part of the bundle is. */
const bundleSource = (packages) => `
const entries = ${JSON.stringify(packages.map(({ name, entry }) => [name, `./${entryName(entry)}${extension}`]))};
export const bundle = new Map(entries.map(([name, file]) => [name, new URL(file, import.meta.url).href]));
`;

/** The entries that are no package's, by name: the daemon, and what `createEngine` loads. */
const ownEntries = {
  gantryd: `
import { gantryd } from './core/dist/public/daemon.js';
import { readDistribution } from './gantry/dist/read-distribution.js';
import { bundle } from 'own:bundle';
gantryd(process.argv.slice(2), { ...readDistribution(), bundle });
`,
  engine: `
export * from './gantry/dist/engine/engine-code.js';
export { bundle } from 'own:bundle';
`,
};

/**
 * Lets modules find files by their own address: they keep the address they have outside the bundle, except that a
 * module they name by its address is an entry of the bundle. Modules of others get the address of the bundle.
 */
const moduleAddresses = {
  name: 'module-addresses',
  setup(builder) {
    builder.onLoad({ filter: /\.m?js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (path.includes('/node_modules/') || !text.includes('import.meta.url')) return undefined;
      const contents = text
        .replace(
          moduleAddress,
          (_, file) => `new URL('./${entryName(relative(root, resolve(path, '..', file)))}${extension}', __here)`,
        )
        .replaceAll('import.meta.url', addressOf(path))
        .replaceAll('__here', 'import.meta.url');
      return { contents, loader: 'js', resolveDir: dirname(path) };
    });
  },
};

/** Where a module is that a package has installed: not where it was built. */
function addressOf(file) {
  const folder = file.slice(0, file.lastIndexOf('/dist/'));
  const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return `__addressOf('${name}', '${relative(folder, file)}')`;
}

/** Builds, and again with the modules that were found to be named by their address, until all are entries. */
async function buildAll(output) {
  const packages = loadablePackages();
  const entries = new Set(packages.map(({ entry }) => entry));
  for (let known = -1; known < entries.size; ) {
    known = entries.size;
    for (const file of readdirSync(output)) rmSync(join(output, file)); // chunks of the pass before have other names
    const { metafile } = await buildEntries(output, entries, packages);
    for (const input of Object.keys(metafile.inputs)) {
      if (!/\.m?js$/.test(input) || !existsSync(join(root, input))) continue;
      for (const [, file] of readFileSync(join(root, input), 'utf8').matchAll(moduleAddress)) {
        entries.add(relative(root, resolve(root, dirname(input), file)));
      }
    }
    if (known === entries.size) writeInputs(output, Object.keys(metafile.inputs));
  }
  await convertToCommonJs(output);
}

const banner = `'use strict';
const __url = require('node:url').pathToFileURL(__filename).href;
const __addressOf = (name, file) =>
  require('node:url').pathToFileURL(require('node:path').join(require.resolve(name + '/package.json'), '..', file)).href;`;

/** esbuild splits ES modules only: each is converted by itself. */
const convertToCommonJs = (output) =>
  build({
    absWorkingDir: output,
    entryPoints: readdirSync(output).filter((file) => file.endsWith(extension)),
    outdir: output,
    allowOverwrite: true,
    outExtension: { '.js': extension },
    format: 'cjs',
    platform: 'node',
    target: 'node20.9',
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'error',
    define: { 'import.meta.url': '__url' },
    banner: { js: banner },
  });

function buildEntries(output, entries, packages) {
  const sources = { ...ownEntries, bundle: bundleSource(packages) };
  return build({
    absWorkingDir: root,
    entryPoints: [
      ...Object.keys(ownEntries).map((name) => ({ in: `own:${name}`, out: name })),
      ...[...entries].map((file) => ({ in: file, out: entryName(file) })),
    ],
    outdir: output,
    outExtension: { '.js': extension },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.9',
    chunkNames: 'chunk-[hash]',
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'none',
    metafile: true,
    logLevel: 'error',
    external: addons,
    plugins: [
      {
        name: 'own-modules',
        setup(builder) {
          builder.onResolve({ filter: /^own:/ }, ({ path }) => ({ path: path.slice(4), namespace: 'own' }));
          builder.onLoad({ filter: /./, namespace: 'own' }, ({ path }) => ({
            contents: sources[path],
            resolveDir: root,
            loader: 'js',
          }));
        },
      },
      moduleAddresses,
    ],
  });
}

/**
 * What shows that an input has changed: the file that the compiler or npm writes whenever it changes one. Comparing some
 * ninety of these instead of a thousand inputs saves each start about 10 ms.
 */
function witnessOf(input) {
  const witness = input.startsWith('node_modules/')
    ? 'node_modules/.package-lock.json'
    : input.replace(/\/dist\/.*/, '/dist/.tsbuildinfo');
  return existsSync(join(root, witness)) ? witness : input;
}

function writeInputs(output, inputs) {
  const own = [
    'scripts/bundle.mjs',
    'gantry/bin/bundle.js',
    'gantry/bin/code-cache.js',
    'core/bin/limit-regexp-backtracking.js',
    'gantry/default-config.json',
    ...loadablePackages().map(({ folder }) => `${folder}/package.json`),
  ];
  const files = [...own, ...inputs.filter((input) => existsSync(join(root, input))).map(witnessOf)];
  const stamps = [...new Set(files)].sort().map((file) => {
    const { size, mtimeMs } = statSync(join(root, file));
    return [file, size, mtimeMs];
  });
  writeFileSync(join(output, 'inputs.json'), JSON.stringify(stamps));
}

/** Has V8's code kept of a daemon that loads the usual packages and ends, so that no start compiles it again. */
function recordCode() {
  const config = join(directory, 'record.json');
  writeFileSync(config, '{}');
  spawnSync(process.execPath, [join(root, 'gantry/bin/gantryd.js'), '--config', config, '--validate'], {
    env: { ...process.env, GANTRY_BUNDLE: 'record' },
    stdio: 'ignore',
  });
  rmSync(config);
}

if (!isCurrent()) {
  console.log('bundling the daemon: gantry/bundle/dist');
  // Beside its place, so that relative addresses are right, and renamed when complete: a daemon may be starting.
  mkdirSync(dirname(directory), { recursive: true });
  const output = mkdtempSync(join(dirname(directory), '.dist-'));
  try {
    await buildAll(output);
    chmodSync(output, 0o755); // users other than the builder run "gantryd check"
    rmSync(directory, { recursive: true, force: true });
    renameSync(output, directory);
    recordCode();
  } catch (error) {
    if (!isCurrent()) throw error; // otherwise another process made it at the same time
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}
