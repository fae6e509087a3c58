import { mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { conflict, unavailable } from '../errors/engine-error.js';
import { syncPath } from './sync-path.js';

/** Holds the new content while it is made, with a file that names the process that makes it. */
const draftName = '.restoring';
/** Holds the content once it is complete, until all of it is in its place. */
const completeName = '.restored';
const ownerName = 'owner.json';
const contentName = 'content';

/** What file systems and this class have in a directory that counts as empty. */
const ignoredNames = ['lost+found', draftName];

/**
 * The content of a data root that is made as a whole: it is in its place completely, or not at all. What a crash
 * interrupts is finished or undone by `settle`, which every start of the kernel calls.
 */
export class PreparedRoot {
  private constructor(private readonly dataRoot: string) {}

  /** Where the content is to be made. */
  get directory(): string {
    return join(this.dataRoot, draftName, contentName);
  }

  /** @throws EngineError `conflict` when the data root holds something, `unavailable` while another process fills it. */
  static async begin(dataRoot: string): Promise<PreparedRoot> {
    await mkdir(dataRoot, { recursive: true, mode: 0o711 });
    await PreparedRoot.settle(dataRoot);
    const names = (await readdir(dataRoot)).filter((name) => !ignoredNames.includes(name));
    if (names.length > 0) {
      throw conflict(`the data root ${dataRoot} is not empty: it holds ${names.slice(0, 5).join(', ')}`);
    }
    const root = new PreparedRoot(dataRoot);
    // Another process that begins at the same time fails here.
    await mkdir(join(dataRoot, draftName), { mode: 0o700 });
    await writeFile(join(dataRoot, draftName, ownerName), JSON.stringify(await identityOf(process.pid)), {
      flush: true,
    });
    await mkdir(root.directory, { mode: 0o711 });
    return root;
  }

  /** Finishes or undoes what a crash interrupted. @throws EngineError `unavailable` while a process fills the data root. */
  static async settle(dataRoot: string): Promise<'finished' | 'undone' | undefined> {
    const names = await readdir(dataRoot).catch((): string[] => []);
    const root = new PreparedRoot(dataRoot);
    if (names.includes(completeName)) {
      await root.#moveIntoPlace();
      return 'finished';
    }
    if (!names.includes(draftName)) return undefined;
    const owner = await ownerIn(join(dataRoot, draftName));
    if (owner !== undefined) throw unavailable(`process ${owner} restores the data root ${dataRoot}`);
    await root.discard();
    return 'undone';
  }

  /** Puts the content in its place. The caller has written it back to the disk. */
  async commit(): Promise<void> {
    await rename(this.directory, join(this.dataRoot, completeName));
    await syncPath(this.dataRoot);
    await this.#moveIntoPlace();
  }

  async discard(): Promise<void> {
    await rm(join(this.dataRoot, draftName), { recursive: true, force: true });
  }

  async #moveIntoPlace(): Promise<void> {
    const complete = join(this.dataRoot, completeName);
    for (const name of await readdir(complete)) {
      await rename(join(complete, name), join(this.dataRoot, name));
    }
    await syncPath(this.dataRoot);
    await rmdir(complete);
    await this.discard();
    await syncPath(this.dataRoot);
  }
}

interface ProcessIdentity {
  readonly pid: number;
  readonly bootId: string;
  /** In clock ticks since the boot: another process with the same id has another one. */
  readonly startTime: string;
}

async function identityOf(pid: number): Promise<ProcessIdentity> {
  const [bootId, stat] = await Promise.all([
    readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
    readFile(`/proc/${pid}/stat`, 'utf8'),
  ]);
  // The name of the program, in parentheses, may contain anything.
  const startTime = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  return { pid, bootId: bootId.trim(), startTime };
}

/** The process that fills a directory; undefined when it has ended. */
async function ownerIn(draft: string): Promise<number | undefined> {
  try {
    const owner = JSON.parse(await readFile(join(draft, ownerName), 'utf8')) as ProcessIdentity;
    const now = await identityOf(owner.pid);
    return now.bootId === owner.bootId && now.startTime === owner.startTime ? owner.pid : undefined;
  } catch {
    // It ended before it had named itself, or is gone.
    return undefined;
  }
}
