/** Generates a Subversion dump of any length: branches, tags, files, five authors. */
export function* subversionDump(revisions: number): Generator<Buffer> {
  yield Buffer.from('SVN-fs-dump-format-version: 2\n\nUUID: 11111111-2222-3333-4444-555555555555\n\n');
  const present = new Set<string>();
  const folder = (path: string): string => node({ path, kind: 'dir', action: 'add' });
  for (let number = 1; number <= revisions; number += 1) {
    const parts = [revision(number)];
    if (number === 1) parts.push(...['trunk', 'branches', 'tags'].map(folder));
    else if (number % 500 === 0) parts.push(copy(`branches/b${number}`, number));
    else if (number % 700 === 0) parts.push(copy(`tags/v${number}`, number));
    else {
      const directory = `trunk/dir${number % 20}`;
      const path = `${directory}/file${number % 300}.txt`;
      if (!present.has(directory)) parts.push(folder(directory));
      const action = present.has(path) ? 'change' : 'add';
      parts.push(node({ path, kind: 'file', action, text: `line ${number}\n`.repeat(50) }));
      present.add(directory).add(path);
    }
    yield Buffer.from(parts.join(''));
  }
}

const authors = ['alice', 'bob', 'carol', 'dave', 'erin'];
const begin = Date.UTC(2005, 0, 1);

function revision(number: number): string {
  const date = new Date(begin + number * 17 * 60_000).toISOString().replace('Z', '000Z');
  const author = authors[number % authors.length] ?? '';
  const text = `change ${number}\n\nwith a second paragraph`;
  const properties = Object.entries({ 'svn:log': text, 'svn:author': author, 'svn:date': date })
    .map(([name, value]) => `K ${name.length}\n${name}\nV ${value.length}\n${value}\n`)
    .concat('PROPS-END\n')
    .join('');
  const { length } = properties;
  return `Revision-number: ${number}\nProp-content-length: ${length}\nContent-length: ${length}\n\n${properties}\n`;
}

interface DumpNode {
  readonly path: string;
  readonly kind: 'dir' | 'file';
  readonly action: 'add' | 'change';
  readonly text?: string;
  readonly from?: { readonly path: string; readonly revision: number };
}

function node({ path, kind, action, text, from }: DumpNode): string {
  const copied = from === undefined ? '' : `Node-copyfrom-rev: ${from.revision}\nNode-copyfrom-path: ${from.path}\n`;
  const length = text === undefined ? '' : `Text-content-length: ${text.length}\nContent-length: ${text.length}\n`;
  return `Node-path: ${path}\nNode-kind: ${kind}\nNode-action: ${action}\n${copied}${length}\n${text ?? ''}\n\n`;
}

const copy = (path: string, number: number): string =>
  node({ path, kind: 'dir', action: 'add', from: { path: 'trunk', revision: number - 1 } });
