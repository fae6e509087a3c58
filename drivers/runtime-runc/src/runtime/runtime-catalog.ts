import { DriverSkipped, invalidArgument, messageOf } from '@gantry/core/errors';
import type { Cgroups } from '@gantry/lib-linux/cgroups';
import type { Launcher } from '@gantry/lib-linux/launcher';
import type { CgroupPlacement } from '../cgroups/cgroup-placement.js';
import type { RuntimeConfig } from '../config.js';
import type { DirectoryRemoval } from '../directory-removal.js';
import { OperationDeadlines } from '../operation-deadlines.js';
import { type OciRuntime, parseVersion } from './oci-runtime.js';
import { type ProbeMemory, type ProbeOutcome, probeKey } from './probe-memory.js';
import { probeRuntime } from './probe-runtime.js';
import { formWithoutUnified, plainForm, type RuntimeForm } from './runtime-form.js';

type RuntimeChoice = NonNullable<RuntimeConfig['runtimes']>[string];

/** An installed runtime in one of its forms. */
interface Identified {
  readonly runtime: OciRuntime;
  readonly hasOwnMounts: boolean;
  /** The name of its outcome in the probe memory. */
  readonly about: string;
  readonly key: string;
}

/** In the order they are preferred: crun starts faster, runc runs everywhere. */
const known: Readonly<Record<string, RuntimeChoice>> = { crun: { path: 'crun' }, runc: { path: 'runc' } };

/**
 * crun 1.8 writes limits behind systemd's back, which may reset them; runc makes them properties of the scope. Without
 * cgroups, crun still refuses hosts with a hybrid hierarchy.
 */
const preferredNames = ({ driver }: Pick<CgroupPlacement, 'driver'>): readonly string[] =>
  driver === 'cgroupfs' ? Object.keys(known) : ['runc', 'crun'];

const noCgroups =
  'no control groups are mounted: /sys/fs/cgroup is empty where the engine runs. "ip netns exec" hides them by a /sys of ' +
  'its own; "nsenter --net=/run/netns/NAME" does not';

export interface CatalogRequest {
  readonly cgroups: Cgroups;
  readonly launcher: Launcher;
  readonly removal: DirectoryRemoval;
  readonly config: RuntimeConfig;
  readonly placement: CgroupPlacement;
  readonly memory: ProbeMemory;
  readonly bootId: string;
  /** A directory to make probes in. */
  readonly directory: string;
  /** Awaited before a program is run because no outcome is remembered for it. */
  readonly beforeProbe?: () => Promise<void>;
}

/** The runtimes that tasks may ask for. */
export class RuntimeCatalog {
  private constructor(
    private readonly runtimes: ReadonlyMap<string, Identified>,
    private readonly first: Identified,
  ) {}

  /**
   * Finds the configured runtimes, or those there are, and the one to use by default.
   * Throws DriverSkipped when none works, with the reason of each.
   */
  static async open(request: CatalogRequest): Promise<RuntimeCatalog> {
    const { config } = request;
    const configured: Readonly<Record<string, RuntimeChoice>> = { ...known, ...config.runtimes };
    const runtimes = new Map<string, Identified>();
    const refusals: string[] = [];
    let standard: Identified | undefined;
    const { controllers, mode } = await request.cgroups.layout();
    if (controllers.size === 0 && mode !== 'none') throw new DriverSkipped(noCgroups);
    const usual = config.runtimes === undefined ? preferredNames(request.placement) : Object.keys(config.runtimes);
    const preferred = config.default === undefined ? usual : [config.default];
    const choices = [...new Set([...preferred, ...Object.keys(configured)])].map((name) => {
      const choice = configured[name];
      if (choice !== undefined) return [name, choice] as const;
      throw invalidArgument(`default: there is no runtime "${name}"; there are: ${Object.keys(configured).join(', ')}`);
    });
    const prober = new Prober(request, choices);
    for (const [name, choice] of choices) {
      const isWanted = standard === undefined && preferred.includes(name);
      try {
        const forms = await prober.formsOf(name, choice);
        // The last one asks the least of the host.
        for (const form of isWanted ? forms : forms.slice(-1)) {
          const found = await prober.identify(name, form);
          runtimes.set(name, found);
          if (!isWanted) {
            await rememberVersion(request, found);
            break;
          }
          const refusal = await prober.prove(found);
          if (refusal === undefined) standard = found;
          else refusals.push(`${name}: ${refusal}`);
          if (standard !== undefined) break;
        }
      } catch (error) {
        refusals.push(`${name}: ${messageOf(error)}`);
      }
    }
    await prober.idle();
    if (standard === undefined) throw new DriverSkipped(`no OCI runtime works on this host: ${refusals.join('; ')}`);
    return new RuntimeCatalog(runtimes, standard);
  }

  get all(): readonly OciRuntime[] {
    return [...this.runtimes.values()].map(({ runtime }) => runtime);
  }

  get standard(): OciRuntime {
    return this.first.runtime;
  }

  get names(): readonly string[] {
    return [...this.runtimes.keys()];
  }

  /**
   * The runtime for a task. A task that names none and whose mounts are to appear on the host gets one that supports it.
   * @throws EngineError `invalid-argument` naming the known ones.
   */
  get(name: string | undefined, needs: { readonly sharesMounts: boolean }): OciRuntime {
    if (name === undefined || name === '') {
      if (!needs.sharesMounts || !this.first.hasOwnMounts) return this.standard;
      const other = [...this.runtimes.values()].find(({ hasOwnMounts }) => !hasOwnMounts);
      return (other ?? this.first).runtime;
    }
    const found = this.runtimes.get(name);
    if (found !== undefined) return found.runtime;
    throw invalidArgument(`unknown or invalid runtime name: ${name} (there are: ${this.names.join(', ')})`);
  }
}

/**
 * Identifies and probes each runtime once. The queries, each of a process or two, begin in parallel although the answers
 * are used one after the other: without remembered outcomes the first use waits for them.
 */
class Prober {
  readonly #forms = new Map<string, Promise<readonly RuntimeForm[]>>();
  readonly #identified = new Map<string, Promise<Identified>>();
  readonly #refusals = new Map<string, Promise<string | undefined>>();
  readonly #begun: Promise<unknown>;

  constructor(
    private readonly request: CatalogRequest,
    choices: readonly (readonly [name: string, RuntimeChoice])[],
  ) {
    this.#begun = Promise.allSettled(choices.map(([name, choice], place) => this.#begin(name, choice, place === 0)));
  }

  /** Resolves when no query is running any more. */
  async idle(): Promise<void> {
    await this.#begun;
  }

  formsOf(name: string, choice: RuntimeChoice): Promise<readonly RuntimeForm[]> {
    return once(this.#forms, name, () => formsOf(this.request, name, choice));
  }

  identify(name: string, form: RuntimeForm): Promise<Identified> {
    return once(this.#identified, aboutOf(name, form), () => identify(this.request, name, form));
  }

  prove(found: Identified): Promise<string | undefined> {
    return once(this.#refusals, found.about, () => prove(this.request, found));
  }

  /** The first is probed in all of its forms; for the others, identifying them usually suffices. */
  async #begin(name: string, choice: RuntimeChoice, isFirst: boolean): Promise<void> {
    const forms = await this.formsOf(name, choice);
    if (isFirst) await Promise.allSettled(forms.map(async (form) => this.prove(await this.identify(name, form))));
    else await Promise.allSettled(forms.slice(-1).map((form) => this.identify(name, form)));
  }
}

function once<T>(made: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const known = made.get(key) ?? make();
  made.set(key, known);
  return known;
}

const aboutOf = (name: string, { hasOwnMounts }: RuntimeForm): string => (hasOwnMounts ? `${name} apart` : name);

/** The ways to run a runtime, in the order they are tried. Rejects LinuxError `ENOENT` when it is not installed. */
async function formsOf(
  { config, cgroups, placement }: CatalogRequest,
  name: string,
  choice: RuntimeChoice,
): Promise<readonly RuntimeForm[]> {
  const plain = await plainForm(choice, placement.runtimeArguments);
  if (name !== 'crun' || config.runtimes?.crun !== undefined) return [plain];
  const other = await formWithoutUnified(plain, await cgroups.layout());
  return other === undefined ? [plain] : [plain, other];
}

async function identify(
  { launcher, memory, bootId, config, beforeProbe }: CatalogRequest,
  name: string,
  form: RuntimeForm,
): Promise<Identified> {
  const { path, args, hasOwnMounts } = form;
  const runtime = { name, path, args, program: form.program };
  const about = aboutOf(name, form);
  const key = await probeKey(form.program, [path, ...args], bootId);
  const recalled = memory.recall(about, key);
  if (recalled !== undefined) return { runtime: { ...runtime, ...pick(recalled) }, hasOwnMounts, about, key };
  await beforeProbe?.();
  const operation = { deadline: 'probe', who: path, what: 'print its version' } as const;
  const { stdout } = await new OperationDeadlines(config).run(operation, (signal) =>
    launcher.run(path, [...args, '--version'], { signal }),
  );
  return { runtime: { ...runtime, ...parseVersion(stdout.toString()) }, hasOwnMounts, about, key };
}

const pick = ({ kind, version }: ProbeOutcome): Pick<OciRuntime, 'kind' | 'version'> => ({ kind, version });

/** Running a program for its version would double the time of the daemon's start. */
async function rememberVersion({ memory }: CatalogRequest, { runtime, about, key }: Identified): Promise<void> {
  if (memory.recall(about, key) !== undefined) return;
  const { kind, version } = runtime;
  // A failure to store must not prevent the start: the next start queries again.
  await memory.remember(about, { key, kind, version, isUnproved: true }).catch(() => undefined);
}

/** @returns why the runtime does not work here; undefined when it does. */
async function prove(
  { cgroups, launcher, removal, memory, directory, config, placement, beforeProbe }: CatalogRequest,
  { runtime, about, key }: Identified,
): Promise<string | undefined> {
  const recalled = memory.recall(about, key);
  if (recalled !== undefined && recalled.isUnproved !== true) return recalled.refusal;
  await beforeProbe?.();
  try {
    const operation = { deadline: 'probe', who: runtime.path, what: 'create a container' } as const;
    const refusal = await new OperationDeadlines(config).run(operation, (signal) =>
      probeRuntime({ cgroups, launcher, removal, runtime, directory, placement, signal }),
    );
    const { kind, version } = runtime;
    await memory.remember(about, { key, kind, version, ...(refusal !== undefined && { refusal }) });
    return refusal;
  } catch (error) {
    // A timeout may not recur at the next start, so it is not remembered.
    return messageOf(error);
  }
}
