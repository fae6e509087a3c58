import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';

/** The name of the bundle of a thread, such as `archive-worker-main`. */
export const threadName = (file) =>
  file
    .replace(/^[^/]+\//, '')
    .replace('/dist/', '/')
    .replace(/\.js$/, '')
    .replaceAll('/', '-');

/**
 * A part of esbuild's: modules keep the address they have outside of the bundle, since they find files beside them;
 * the threads that they start are collected and come from bundles of their own; and what they load by an address that
 * only shows at run time is looked for in the bundle first.
 */
export const moduleAddresses = (root, threads) => ({
  name: 'module-addresses',
  setup(build) {
    build.onLoad({ filter: /\.m?js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (!/import\.meta|await import\(/.test(text)) return undefined;
      const file = relative(root, path);
      const contents = text
        .replace(/new URL\('(\.[^']*\.js)', import\.meta\.url\)/g, (_, thread) => {
          const found = relative(root, resolve(path, '..', thread));
          threads.add(found);
          return `new URL(__address('core/bundle/dist/${threadName(found)}.thread.cjs'))`;
        })
        .replace(/\bimport\.meta\.url\b/g, `__address('${file}')`)
        .replace(/\bawait import\((?!['"])/g, 'await __import(');
      return { contents, loader: 'js', resolveDir: resolve(path, '..') };
    });
  },
});
