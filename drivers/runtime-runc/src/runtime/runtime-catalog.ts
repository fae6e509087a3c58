import { DriverSkipped, invalidArgument, messageOf } from '@gantry/core/errors';
import { programPath } from '@gantry/linux/launcher';
import type { RuntimeConfig } from '../config.js';
import { withDeadline } from '../deadline.js';
import type { Ports } from '../ports.js';
import { type OciRuntime, parseVersion } from './oci-runtime.js';
import { probeRuntime } from './probe.js';
import { type ProbeMemory, type ProbeOutcome, probeKey } from './probe-memory.js';

/** In the order they are preferred: crun starts faster, runc runs everywhere. */
const known: NonNullable<RuntimeConfig['runtimes']> = { crun: { path: 'crun' }, runc: { path: 'runc' } };

export interface CatalogRequest {
  readonly config: RuntimeConfig;
  readonly memory: ProbeMemory;
  readonly bootId: string;
  /** A directory to make probes in. */
  readonly directory: string;
}

/** The runtimes that tasks may ask for. */
export class RuntimeCatalog {
  private constructor(
    private readonly runtimes: ReadonlyMap<string, OciRuntime>,
    readonly standard: OciRuntime,
  ) {}

  /**
   * Finds the configured runtimes, or those there are, and the one to use by default.
   * Throws DriverSkipped when none works, with the reason of each.
   */
  static async open(ports: Ports, request: CatalogRequest): Promise<RuntimeCatalog> {
    const { config } = request;
    const configured = { ...known, ...config.runtimes };
    const runtimes = new Map<string, OciRuntime>();
    const refusals: string[] = [];
    let standard: OciRuntime | undefined;
    const preferred = config.default === undefined ? Object.keys(config.runtimes ?? known) : [config.default];
    for (const name of new Set([...preferred, ...Object.keys(configured)])) {
      const choice = configured[name];
      if (choice === undefined) {
        throw invalidArgument(
          `default: there is no runtime "${name}"; there are: ${Object.keys(configured).join(', ')}`,
        );
      }
      const found = await identify(ports, request, name, choice).catch((error: unknown) => messageOf(error));
      if (typeof found === 'string') {
        refusals.push(`${name}: ${found}`);
        continue;
      }
      runtimes.set(name, found.runtime);
      if (standard !== undefined || !preferred.includes(name)) continue;
      const refusal = await prove(ports, request, found.runtime, found.key);
      if (refusal === undefined) standard = found.runtime;
      else refusals.push(`${name}: ${refusal}`);
    }
    if (standard === undefined) throw new DriverSkipped(`no OCI runtime works on this host: ${refusals.join('; ')}`);
    return new RuntimeCatalog(runtimes, standard);
  }

  get names(): readonly string[] {
    return [...this.runtimes.keys()];
  }

  /** @throws EngineError `invalid-argument` naming those there are. */
  get(name?: string): OciRuntime {
    if (name === undefined || name === '') return this.standard;
    const runtime = this.runtimes.get(name);
    if (runtime === undefined) {
      throw invalidArgument(`unknown or invalid runtime name: ${name} (there are: ${this.names.join(', ')})`);
    }
    return runtime;
  }
}

async function identify(
  ports: Ports,
  { memory, bootId, config }: CatalogRequest,
  name: string,
  { path: wanted, args = [] }: { readonly path: string; readonly args?: readonly string[] },
): Promise<{ readonly runtime: OciRuntime; readonly key: string }> {
  const path = await programPath(wanted);
  const key = await probeKey(path, args, bootId);
  const recalled = memory.recall(name, key);
  if (recalled !== undefined) return { runtime: { name, path, args, ...pick(recalled) }, key };
  const { stdout } = await withDeadline(
    { who: path, what: 'tell its version', milliseconds: config.deadlines.probe },
    (signal) => ports.launcher.run(path, [...args, '--version'], { signal }),
  );
  return { runtime: { name, path, args, ...parseVersion(stdout.toString()) }, key };
}

const pick = ({ kind, version }: ProbeOutcome): Pick<OciRuntime, 'kind' | 'version'> => ({ kind, version });

/** @returns why the runtime does not work here; undefined when it does. */
async function prove(
  ports: Ports,
  { memory, directory, config }: CatalogRequest,
  runtime: OciRuntime,
  key: string,
): Promise<string | undefined> {
  const recalled = memory.recall(runtime.name, key);
  if (recalled !== undefined) return recalled.refusal;
  try {
    const refusal = await withDeadline(
      { who: runtime.path, what: 'prove that it works', milliseconds: config.deadlines.probe },
      (signal) => probeRuntime(ports, { runtime, directory, cgroupParent: config.cgroupParent, signal }),
    );
    const { kind, version } = runtime;
    await memory.remember(runtime.name, { key, kind, version, ...(refusal !== undefined && { refusal }) });
    return refusal;
  } catch (error) {
    // No answer now need not be none at the next start, so it is not remembered.
    return messageOf(error);
  }
}
