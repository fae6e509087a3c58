import { Tree } from '../tree.js';

/** A tree of a few files; whatever is not a string is written as JSON. Packages get a package.json when they lack one. */
export function treeOf(files: Readonly<Record<string, unknown>>): Tree {
  const all = new Map<string, string>();
  for (const [path, content] of Object.entries(files)) {
    const [, folder, name] = /^((?:core|[a-z]+\/([^/]+)))\//.exec(path) ?? [];
    const manifest = `${folder}/package.json`;
    if (folder !== undefined && files[manifest] === undefined) {
      all.set(manifest, JSON.stringify({ name: `@gantry/${name ?? folder}`, ...kindOf(folder) }));
    }
    all.set(path, typeof content === 'string' ? content : JSON.stringify(content));
  }
  return new Tree(all);
}

const kindOf = (folder: string): object =>
  /^drivers\/(?!lib-)/.test(folder) ? { gantry: { driver: { id: 'some' } } } : {};
