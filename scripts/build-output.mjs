import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const compiled = /\.(?:js|js\.map|d\.ts|d\.ts\.map)$/;

/** The compiler never deletes: without this, a test whose source is gone would go on running from `dist`. */
export function removeStaleOutput(root) {
  for (const folder of packageFolders(root)) {
    const dist = join(folder, 'dist');
    if (!existsSync(dist)) continue;
    for (const file of readdirSync(dist, { recursive: true })) {
      if (!compiled.test(file)) continue;
      const source = join(folder, 'src', file.replace(compiled, ''));
      if (!existsSync(`${source}.ts`)) rmSync(join(dist, file));
    }
  }
}

function packageFolders(root) {
  const nested = ['drivers', 'plugins', 'test', 'examples'].filter((group) => existsSync(join(root, group)));
  return ['core', ...nested.flatMap((group) => readdirSync(join(root, group)).map((name) => join(group, name)))].map(
    (folder) => join(root, folder),
  );
}
