import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OciSeccomp, OciSpec } from '@gantry/core/contracts';
import { injectable } from '@gantry/core/driver';
import { ifPresent } from '../if-present.js';
import type { OciRuntime } from './oci-runtime.js';

/** crun takes a compiled filter from here rather than compile the one of the bundle. */
const annotation = 'run.oci.seccomp_bpf_data';
/** Hosts use a profile or two; a new profile for each container would not profit from more. */
const capacity = 32;

/**
 * Compiled system call filters. Compiling the usual one costs crun 10 ms at each create; what it has compiled lies in
 * its state of the container, and is passed to it with the next one. The key of a filter is its text.
 */
@injectable()
export class SeccompFilters {
  readonly #compiled = new Map<string, string>();

  /** The bundle to make a task from. */
  prepared(spec: OciSpec, runtime: Pick<OciRuntime, 'kind'>): OciSpec {
    const { seccomp } = spec.linux;
    if (runtime.kind !== 'crun' || seccomp === undefined) return spec;
    const compiled = this.#compiled.get(keyOf(seccomp));
    return compiled === undefined ? spec : { ...spec, annotations: { ...spec.annotations, [annotation]: compiled } };
  }

  /** Keeps what the runtime compiled for a task that has just been created. `state` is its directory of the task. */
  async learn({ linux: { seccomp } }: OciSpec, runtime: Pick<OciRuntime, 'kind'>, state: string): Promise<void> {
    if (runtime.kind !== 'crun' || seccomp === undefined) return;
    const key = keyOf(seccomp);
    if (this.#compiled.has(key)) return;
    const compiled = await ifPresent(readFile(join(state, 'seccomp.bpf')));
    if (compiled === undefined || compiled.length === 0) return;
    const [oldest] = this.#compiled.keys();
    if (this.#compiled.size >= capacity && oldest !== undefined) this.#compiled.delete(oldest);
    this.#compiled.set(key, compiled.toString('base64'));
  }
}

const keyOf = (seccomp: OciSeccomp): string => createHash('sha256').update(JSON.stringify(seccomp)).digest('hex');
