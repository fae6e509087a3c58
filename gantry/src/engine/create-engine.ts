import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Engine } from './engine.js';
import { engineConfiguration } from './engine-configuration.js';
import type { EngineOptions } from './engine-options.js';
import { loadEngineCode } from './load-engine-code.js';
import { lockDirectory } from './lock-directory.js';
import { type ReaperTask, startReaper } from './reaper.js';
import { removeCgroups } from './remove-cgroups.js';
import { removeContents } from './remove-contents.js';
import { removeDirectory } from './remove-directory.js';

/**
 * Starts an engine within this program. Needs root, or a user namespace in which this user is root.
 * @throws EngineError, one line naming the package and the reason, when the host lacks what it needs; TypeError naming an option
 *   that is wrong; Error when another engine uses the directory. What had started is stopped then.
 */
export async function createEngine(options: EngineOptions = {}): Promise<Engine> {
  const { containers = 'end', use, log } = options;
  if (options.directory === undefined && containers === 'survive') {
    throw new TypeError('directory: containers that survive need a directory that does, too');
  }
  if (process.getuid?.() !== 0) {
    throw new Error('an engine within a program needs root: run it as root, or in a user namespace (unshare -Ur)');
  }
  const isOwn = options.directory === undefined;
  const directory = options.directory ?? (await mkdtemp(path.join(tmpdir(), 'gantry-engine-')));
  await mkdir(directory, { recursive: true, mode: 0o711 });
  const endsContainers = containers === 'end';
  const lock = await lockDirectory(directory, 'engine');
  if (lock === undefined) throw new Error(`${directory} is used by another engine`);
  try {
    const { config, from, execRoot, cgroupParent, hasForeignPackages } = engineConfiguration(directory, options);
    const code = await loadEngineCode({ hasImports: use !== undefined });
    if (hasForeignPackages) code.supplyCore(from);
    const remove = async (directories: readonly string[]): Promise<void> => {
      for (const each of directories) await removeDirectory(each);
    };
    const bundle = code.bundle && { bundle: { entries: code.bundle, directory: from } };
    const kernel = new code.Kernel({ config, from, ...bundle, ...(use && { use }), ...(log && { log }) });
    try {
      await kernel.start();
    } catch (error) {
      // In a directory that was there before, the files of containers that still run stay.
      if (isOwn) await remove([execRoot]);
      throw error;
    }
    const { isWatched = endsContainers && use === undefined } = options;
    const endReaper = isWatched ? startReaper(reaperTask(directory, options)) : async () => undefined;
    const release = async (): Promise<void> => {
      await endReaper();
      if (endsContainers) {
        await removeCgroups(cgroupParent);
        await remove([execRoot]);
      }
      if (isOwn) await remove([directory]);
      await lock.release();
    };
    const engine = new Engine({ kernel, code, execRoot, endsContainers, release });
    await orClose(engine, async () => {
      await engine.ping();
      // A program that was killed could not end them.
      if (endsContainers) await removeContents(engine);
    });
    return engine;
  } catch (error) {
    if (isOwn) await removeDirectory(directory);
    await lock.release();
    throw error;
  }
}

function reaperTask(directory: string, options: EngineOptions): ReaperTask {
  const { log, use, hosts, containers, isWatched, ...serializable } = options;
  return { options: { ...serializable, directory }, deletesDirectory: options.directory === undefined };
}

async function orClose(engine: Engine, use: () => Promise<void>): Promise<void> {
  try {
    await use();
  } catch (error) {
    await engine.close().catch(() => undefined); // the first error says more
    throw error;
  }
}
