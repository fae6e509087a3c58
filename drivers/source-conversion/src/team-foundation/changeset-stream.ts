import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { validAuthor } from '../repository/valid-author.js';
import { SourceError } from '../source-error.js';
import { type Line, lineOf, within } from './lines.js';
import { type Change, type Changeset, isBelow, type TeamFoundationRest } from './rest.js';

/** What one changeset did to one line. */
interface LineChange {
  /** The line it begins as a copy of. */
  from?: Line;
  readonly removed: Set<string>;
  /** Path in the line to path on the server. */
  readonly written: Map<string, string>;
}

export interface ChangesetStreamOptions {
  readonly rest: TeamFoundationRest;
  readonly lines: readonly Line[];
  /** Branches that have commits already; those that get some are added. */
  readonly begun: Set<string>;
  /** Where a file waits for its size to be known. */
  readonly spool: string;
  /** Of addresses that have to be made up. */
  readonly domain: string;
  /** Bytes have come from the server. */
  readonly onActivity: () => void;
  readonly onChangeset: (changeset: Changeset) => void;
}

/** Changesets as `git fast-import` reads commits, in their order. */
export async function* changesetStream(
  changesets: Iterable<Changeset>,
  options: ChangesetStreamOptions,
): AsyncGenerator<string | Buffer> {
  const { rest, lines, begun, onChangeset } = options;
  const fresh = new Set(begun);
  for (const changeset of changesets) {
    const changes = await rest.changes(changeset.changesetId);
    for (const [line, change] of await byLine(changes, changeset, rest, lines)) {
      if (change.written.size === 0 && change.removed.size === 0 && change.from === undefined) continue;
      yield* commit(line, change, changeset, { ...options, begun: fresh });
      begun.add(line.branch);
      fresh.add(line.branch);
    }
    onChangeset(changeset);
  }
  yield 'done\n';
}

async function byLine(
  changes: readonly Change[],
  { changesetId }: Changeset,
  rest: TeamFoundationRest,
  lines: readonly Line[],
): Promise<ReadonlyMap<Line, LineChange>> {
  const found = new Map<Line, LineChange>();
  const of = (path: string): [LineChange, string] | undefined => {
    const line = lineOf(lines, path);
    if (line === undefined) return undefined;
    const change = found.get(line) ?? { removed: new Set(), written: new Map() };
    found.set(line, change);
    return [change, within(line, path)];
  };
  const remove = (path: string): void => {
    const [change, inside] = of(path) ?? [];
    if (change !== undefined && inside) change.removed.add(inside);
  };
  const write = (path: string): void => {
    const [change, inside] = of(path) ?? [];
    if (change !== undefined && inside) change.written.set(inside, path);
  };
  for (const { changeType, item, sourceServerItem } of changes) {
    const types = new Set(changeType.toLowerCase().split(/,\s*/));
    const isFolder = item.isFolder === true;
    if (types.has('rename') && sourceServerItem !== undefined) remove(sourceServerItem);
    if (types.has('delete') || types.has('sourcerename')) {
      remove(item.path);
    } else if (!isFolder) {
      write(item.path);
    } else if (['branch', 'rename', 'undelete', 'rollback', 'merge'].some((type) => types.has(type))) {
      const line = lineOf(lines, item.path);
      const source = sourceServerItem === undefined ? undefined : lineOf(lines, sourceServerItem);
      const isWhole = line !== undefined && isBelow(line.folder, item.path);
      const begins = isWhole && source !== undefined && source !== line ? of(item.path)?.[0] : undefined;
      if (begins !== undefined && source !== undefined) begins.from = source;
      for (const inside of await rest.items(item.path, changesetId)) if (inside.isFolder !== true) write(inside.path);
    }
  }
  return found;
}

async function* commit(
  line: Line,
  { from, removed, written }: LineChange,
  changeset: Changeset,
  { rest, begun, spool, domain, onActivity }: ChangesetStreamOptions,
): AsyncGenerator<string | Buffer> {
  const { changesetId, createdDate, comment = '' } = changeset;
  const when = `${Math.floor(Date.parse(createdDate) / 1000)} +0000`;
  const author = personOf(changeset.author ?? changeset.checkedInBy, domain);
  const committer = personOf(changeset.checkedInBy ?? changeset.author, domain);
  const message = Buffer.from(comment.replace(/\r\n/g, '\n'));
  const ref = `refs/heads/${line.branch}`;
  yield `commit ${ref}\nauthor ${author} ${when}\ncommitter ${committer} ${when}\ndata ${message.length}\n`;
  yield message;
  yield '\n';
  if (!begun.has(line.branch) && from !== undefined && begun.has(from.branch)) {
    yield `from refs/heads/${from.branch}\n`;
    // What the copy is of is not always the source's last state.
    yield 'deleteall\n';
  }
  for (const path of removed) yield `D ${quote(path)}\n`;
  for (const [path, serverPath] of written) yield* file(path, serverPath);
  yield '\n';

  async function* file(path: string, serverPath: string): AsyncGenerator<string | Buffer> {
    const content = await rest.content(serverPath, changesetId);
    if (content === undefined) {
      yield `D ${quote(path)}\n`;
      return;
    }
    const waiting = join(spool, 'content');
    const seen = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of chunks) {
        onActivity();
        yield chunk;
      }
    };
    try {
      await pipeline(content, seen, createWriteStream(waiting, { mode: 0o600 })).catch((cause: unknown) => {
        const words = cause instanceof Error ? cause.message : String(cause);
        throw new SourceError('unreachable', `${serverPath} broke off: ${words}`, 'fetching a file', '', { cause });
      });
      yield `M 100644 inline ${quote(path)}\ndata ${(await stat(waiting)).size}\n`;
      for await (const chunk of createReadStream(waiting) as AsyncIterable<Buffer>) yield chunk;
      yield '\n';
    } finally {
      await rm(waiting, { force: true });
    }
  }
}

/** A person of Team Foundation: a name, and an address or an account of a Windows domain. */
function personOf(identity: Changeset['author'], domain: string): string {
  const { displayName = '', uniqueName = '' } = identity ?? {};
  const account = uniqueName.slice(uniqueName.lastIndexOf('\\') + 1);
  const { email } = validAuthor(account || displayName, domain);
  const { name } = validAuthor(displayName || account, domain);
  return `${name} <${email}>`;
}

const quote = (path: string): string => `"${path.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;
