import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { SourceError } from '@gantry/core/contracts';
import { validAuthor } from '@gantry/lib-source';
import { type BranchFolder, branchFolderOf, within } from './branch-folders.js';
import { type Change, type Changeset, isBelow, type TeamFoundationRest } from './team-foundation-rest.js';

/** The changes of one changeset in one branch folder. */
interface BranchChange {
  /** The branch folder that it starts as a copy of. */
  from?: BranchFolder;
  readonly removed: Set<string>;
  /** Path in the branch folder to path on the server. */
  readonly written: Map<string, string>;
}

interface ChangesetStreamOptions {
  readonly rest: TeamFoundationRest;
  readonly branches: readonly BranchFolder[];
  /** Names of branches with commits; those that get their first one are added. */
  readonly existing: Set<string>;
  /** A directory to store a file's content in, until its size is known. */
  readonly spool: string;
  /** For generated addresses. */
  readonly domain: string;
  /** Called for all data received. */
  readonly onActivity: () => void;
  readonly onChangeset: (changeset: Changeset) => void;
}

/** The changesets as a stream of commits for `git fast-import`, in their order. */
export async function* changesetStream(
  changesets: Iterable<Changeset>,
  options: ChangesetStreamOptions,
): AsyncGenerator<string | Buffer> {
  const { rest, branches, existing, onChangeset } = options;
  for (const changeset of changesets) {
    const changes = await rest.changes(changeset.changesetId);
    for (const [branch, change] of await changesByBranch(changes, changeset, rest, branches)) {
      if (change.written.size === 0 && change.removed.size === 0 && change.from === undefined) continue;
      yield* commit(branch, change, changeset, options);
      existing.add(branch.branch);
    }
    onChangeset(changeset);
  }
  yield 'done\n';
}

async function changesByBranch(
  changes: readonly Change[],
  { changesetId }: Changeset,
  rest: TeamFoundationRest,
  branches: readonly BranchFolder[],
): Promise<ReadonlyMap<BranchFolder, BranchChange>> {
  const found = new Map<BranchFolder, BranchChange>();
  const of = (path: string): [BranchChange, string] | undefined => {
    const branch = branchFolderOf(branches, path);
    if (branch === undefined) return undefined;
    const change = found.get(branch) ?? { removed: new Set(), written: new Map() };
    found.set(branch, change);
    return [change, within(branch, path)];
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
      const branch = branchFolderOf(branches, item.path);
      const source = sourceServerItem === undefined ? undefined : branchFolderOf(branches, sourceServerItem);
      const isWholeBranch = branch !== undefined && isBelow(branch.folder, item.path);
      const created = isWholeBranch && source !== undefined && source !== branch ? of(item.path)?.[0] : undefined;
      if (created !== undefined && source !== undefined) created.from = source;
      for (const inside of await rest.items(item.path, changesetId)) if (inside.isFolder !== true) write(inside.path);
    }
  }
  return found;
}

async function* commit(
  { branch }: BranchFolder,
  { from, removed, written }: BranchChange,
  changeset: Changeset,
  { rest, existing, spool, domain, onActivity }: ChangesetStreamOptions,
): AsyncGenerator<string | Buffer> {
  const { changesetId, createdDate, comment = '' } = changeset;
  const when = `${Math.floor(Date.parse(createdDate) / 1000)} +0000`;
  const author = personOf(changeset.author ?? changeset.checkedInBy, domain);
  const committer = personOf(changeset.checkedInBy ?? changeset.author, domain);
  const message = Buffer.from(comment.replace(/\r\n/g, '\n'));
  const ref = `refs/heads/${branch}`;
  yield `commit ${ref}\nauthor ${author} ${when}\ncommitter ${committer} ${when}\ndata ${message.length}\n`;
  yield message;
  yield '\n';
  if (!existing.has(branch) && from !== undefined && existing.has(from.branch)) {
    yield `from refs/heads/${from.branch}\n`;
    // The copy may be of an older state of the source.
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
    const spooled = join(spool, 'content');
    const observed = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of chunks) {
        onActivity();
        yield chunk;
      }
    };
    try {
      await pipeline(content, observed, createWriteStream(spooled, { mode: 0o600 })).catch((cause: unknown) => {
        const reason = cause instanceof Error ? cause.message : String(cause);
        throw new SourceError('unreachable', `the download of ${serverPath} failed: ${reason}`, 'fetching a file', '', {
          cause,
        });
      });
      yield `M 100644 inline ${quote(path)}\ndata ${(await stat(spooled)).size}\n`;
      for await (const chunk of createReadStream(spooled) as AsyncIterable<Buffer>) yield chunk;
      yield '\n';
    } finally {
      await rm(spooled, { force: true });
    }
  }
}

/** The Git identity for a name and an address or an account of a Windows domain. */
function personOf(identity: Changeset['author'], domain: string): string {
  const { displayName = '', uniqueName = '' } = identity ?? {};
  const account = uniqueName.slice(uniqueName.lastIndexOf('\\') + 1);
  const { email } = validAuthor(account || displayName, domain);
  const { name } = validAuthor(displayName || account, domain);
  return `${name} <${email}>`;
}

const quote = (path: string): string => `"${path.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;
