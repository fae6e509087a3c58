import { realpath } from 'node:fs/promises';
import { conflict, invalidArgument } from '../errors/engine-error.js';
import type { Kernel } from '../kernel/kernel.js';
import type { PackageChange, PackageChanges } from '../packages/package-changes.js';
import { isRecord } from '../values/is-record.js';
import type { ControlHandler } from './control-socket.js';

/** What the daemon changes its packages with. */
export interface ChangeablePackages {
  readonly changes: PackageChanges;
  /** The configuration file that the daemon reads. */
  readonly configFile: string;
}

/**
 * Answers `driver` in the daemon: `list` with a unit a line, `add`, `replace` and `remove` with what they came to.
 * @param packages undefined in a daemon without a configuration file.
 */
export const driverHandler = (kernel: Kernel, packages: ChangeablePackages | undefined): ControlHandler =>
  async function* (request) {
    if (request.action === 'list') {
      for (const unit of kernel.statuses()) yield { unit };
      return;
    }
    const change = parseChange(request);
    if (packages === undefined) {
      throw conflict('this daemon has no configuration file, which would keep the change: start it with --config FILE');
    }
    const { changes, configFile } = packages;
    const { configFile: asked } = request;
    if (typeof asked === 'string' && (await realpath(asked)) !== (await realpath(configFile))) {
      throw conflict(`the daemon that runs reads ${configFile}, not ${asked}`);
    }
    yield { changed: await changes.make(change) };
  };

/** @throws EngineError `invalid-argument` naming field and value. */
function parseChange({ action, name, entry, sections = {} }: Readonly<Record<string, unknown>>): PackageChange {
  if (typeof name !== 'string' || name === '') throw wrong('name', name, 'the name of a package');
  if (action === 'remove') return { action, name };
  if (action !== 'add' && action !== 'replace') throw wrong('action', action, 'list, add, replace or remove');
  if (typeof entry !== 'string' || entry === '')
    throw wrong('entry', entry, 'the name or path of an installed package');
  if (!isRecord(sections)) throw wrong('sections', sections, 'an object of sections by name');
  return { action, name, entry, sections };
}

const wrong = (field: string, value: unknown, wanted: string) =>
  invalidArgument(`${field} is ${JSON.stringify(value) ?? 'missing'}: ${wanted} is wanted`);
