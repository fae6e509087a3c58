import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { convertedRepositories, git, run, sessionsWith } from '@gantry/lib-source/testing';
import { SubversionSource } from '../subversion-source.js';
import { subversionDump } from './subversion-dump.js';

/**
 * Times an import of a Subversion repository and what comes after it, and git-svn for a part of the same.
 *
 *     node drivers/source-subversion/dist/testing/measure.js [revisions]
 */
const revisions = Number(process.argv[2] ?? 10_000);
const directory = await mkdtemp(join(tmpdir(), 'gantry-measure-'));
const times = new Map<string, number>();

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const [began, used] = [performance.now(), await processorSeconds()];
  const result = await work();
  const seconds = (performance.now() - began) / 1000;
  const processor = (await processorSeconds()) - used;
  times.set(what, seconds);
  console.log(`${what.padEnd(40)} ${seconds.toFixed(2).padStart(8)} s, ${processor.toFixed(2).padStart(7)} s of CPU`);
  return result;
}

/** CPU seconds of this process and its children, which a busy machine affects less than elapsed time. */
async function processorSeconds(): Promise<number> {
  const fields = (await readFile('/proc/self/stat', 'utf8')).replace(/^.*\) /, '').split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return ticks / 100;
}

async function load(count: number, name: string): Promise<string> {
  const repository = join(directory, name);
  await run(directory, 'svnadmin', ['create', repository]);
  const program = spawn('svnadmin', ['load', '-q', '--no-flush-to-disk', repository], {
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  await pipeline(Readable.from(subversionDump(count)), program.stdin);
  await once(program, 'exit');
  return repository;
}

try {
  const source = await load(revisions, 'source');
  const repository = join(directory, 'git');
  const context = { scratch: join(directory, 'work'), allowLocalFiles: true };
  await timed(`import of ${revisions} revisions`, () =>
    new SubversionSource(sessionsWith()).convert({ url: `file://${source}` }, { ...context, repository }),
  );
  console.log(`${await git(repository, 'rev-list', '--count', '--all')} commits`);
  const authors = await timed('list of authors', () => convertedRepositories.authors(repository, context));
  await timed('list of large files', () => convertedRepositories.largeFiles(repository, 100 * 2 ** 20, context));
  const target = join(directory, 'hosted');
  await timed('push', () => convertedRepositories.push(repository, target, context));
  const mapped = authors.map((author) => ({ ...author, email: `${author.name}@example.org` }));
  await timed('authors mapped', () => convertedRepositories.rewrite(repository, { authors: mapped }, context));
  await timed('push after that', () => convertedRepositories.push(repository, target, context));
  const again = (times.get('authors mapped') ?? 0) + (times.get('push after that') ?? 0);
  const first = (times.get(`import of ${revisions} revisions`) ?? 0) + (times.get('push') ?? 0);
  console.log(`a remap costs ${((100 * again) / first).toFixed(1)} % of the import`);
  const few = Math.min(revisions, 100);
  const part = await load(few, 'part');
  await timed(`git-svn, the first ${few} revisions`, () =>
    run(directory, 'git', ['svn', 'clone', '-q', '--stdlayout', `file://${part}`, 'by-git-svn']).then(() => undefined),
  );
} finally {
  await rm(directory, { recursive: true, force: true });
}
