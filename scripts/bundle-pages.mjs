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
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const packageDirectory = join(root, 'plugins/console');
const sources = join(packageDirectory, 'web/src');
const assets = join(packageDirectory, 'web/dist/assets');

/** Changes whenever the pages would: their sources, this script and the libraries' versions. */
function fingerprint() {
  const hash = createHash('sha256').update(readFileSync(fileURLToPath(import.meta.url)));
  hash.update(readFileSync(join(root, 'package-lock.json')));
  for (const file of readdirSync(sources, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const path = join(file.parentPath ?? file.path, file.name);
    hash.update(`${path}\0`).update(readFileSync(path));
  }
  return hash.digest('hex');
}

const wanted = fingerprint();
const stamp = join(assets, '.fingerprint');
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  console.log('bundling the pages of the console: plugins/console/web/dist/assets');
  mkdirSync(dirname(assets), { recursive: true });
  const output = mkdtempSync(join(dirname(assets), '.assets-'));
  try {
    await build({
      absWorkingDir: root,
      entryPoints: [
        { in: join(sources, 'main.tsx'), out: 'console' },
        { in: join(sources, 'terminal/terminal-document.ts'), out: 'terminal' },
      ],
      outdir: output,
      bundle: true,
      splitting: true,
      minify: true,
      format: 'esm',
      target: 'es2022',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      chunkNames: 'chunk-[hash]',
      legalComments: 'none',
      logLevel: 'error',
    });
    for (const page of ['console.html', 'terminal.html', 'icon.svg']) {
      writeFileSync(join(output, page), readFileSync(join(sources, page)));
    }
    writeFileSync(join(output, '.fingerprint'), wanted);
    rmSync(assets, { recursive: true, force: true });
    chmodSync(output, 0o755);
    renameSync(output, assets);
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}
