// Bundles the pages of the console for its package to ship. Skipped when nothing has changed.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const packageDirectory = join(root, 'plugins/console');
const sources = join(packageDirectory, 'web/src');
/** Of the pages of the second API: styles and picture of the frame that both have. */
const frame = join(root, 'plugins/hosted-api/web');
const assets = join(packageDirectory, 'web/dist/assets');
/** What the daemon loads to render the first screen. */
const server = join(packageDirectory, 'web/dist/server/first-screen.js');

/** Changes whenever the pages would: their sources, this script and the libraries' versions. */
function fingerprint() {
  const hash = createHash('sha256').update(readFileSync(fileURLToPath(import.meta.url)));
  hash.update(readFileSync(join(root, 'package-lock.json')));
  for (const directory of [sources, frame]) {
    for (const file of readdirSync(directory, { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue;
      const path = join(file.parentPath ?? file.path, file.name);
      hash.update(`${relative(root, path)}\0`).update(readFileSync(path));
    }
  }
  return hash.digest('hex');
}

/** The elements that load each entry point: its names have digests, and what its modules import is loaded beside them. */
function linksTo(outputs) {
  const links = {};
  for (const [path, { entryPoint, cssBundle, imports }] of Object.entries(outputs)) {
    if (entryPoint === undefined || !path.endsWith('.js')) continue;
    const name = basename(path).replace(/-[A-Z0-9]{8}\.js$/, '');
    const imported = imports.filter(({ kind }) => kind === 'import-statement').map((each) => each.path);
    links[name] =
      name === 'start'
        ? `<script src="${basename(path)}"></script>`
        : [
            ...(cssBundle === undefined ? [] : [`<link rel="stylesheet" href="${basename(cssBundle)}">`]),
            ...imported.map((each) => `<link rel="modulepreload" href="${basename(each)}">`),
            `<script type="module" src="${basename(path)}"></script>`,
          ].join('\n    ');
  }
  return links;
}

const wanted = fingerprint();
const stamp = join(assets, '.fingerprint');
if (!existsSync(server) || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  console.log('bundling the pages of the console: plugins/console/web/dist/assets');
  mkdirSync(dirname(assets), { recursive: true });
  const output = mkdtempSync(join(dirname(assets), '.assets-'));
  try {
    const common = {
      absWorkingDir: root,
      outdir: output,
      bundle: true,
      minify: true,
      target: 'es2022',
      metafile: true,
      entryNames: '[name]-[hash]',
      legalComments: 'none',
      logLevel: 'error',
    };
    const pages = await build({
      ...common,
      entryPoints: [
        { in: join(sources, 'main.tsx'), out: 'console' },
        { in: join(sources, 'terminal/terminal-document.ts'), out: 'terminal' },
      ],
      splitting: true,
      format: 'esm',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      chunkNames: 'chunk-[hash]',
    });
    const start = await build({
      ...common,
      entryPoints: [{ in: join(sources, 'app/start.ts'), out: 'start' }],
      format: 'iife',
    });
    const inline = await build({
      ...common,
      entryPoints: [join(sources, 'loading/missing-files.ts')],
      format: 'iife',
      write: false,
    });
    await build({
      absWorkingDir: root,
      entryPoints: [join(sources, 'first-screen/render-first-screen.tsx')],
      outfile: server,
      bundle: true,
      minify: true,
      platform: 'node',
      target: 'node20',
      format: 'esm',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      // Only browsers load them.
      external: ['./other-pages'],
      legalComments: 'none',
      logLevel: 'error',
    });
    const links = {
      ...linksTo({ ...pages.metafile.outputs, ...start.metafile.outputs }),
      'missing-files': `<script>${inline.outputFiles[0].text.trim()}</script>`,
    };
    for (const page of ['console.html', 'terminal.html']) {
      const text = readFileSync(join(sources, page), 'utf8');
      writeFileSync(
        join(output, page),
        text.replace(/\{\{([\w-]+)\}\}/g, (_, name) => links[name]),
      );
    }
    writeFileSync(join(output, 'icon.svg'), readFileSync(join(frame, 'icon.svg')));
    for (const name of readdirSync(output)) {
      writeFileSync(join(output, `${name}.gz`), gzipSync(readFileSync(join(output, name)), { level: 9 }));
    }
    writeFileSync(join(output, '.fingerprint'), wanted);
    rmSync(assets, { recursive: true, force: true });
    chmodSync(output, 0o755);
    renameSync(output, assets);
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}
