import path from 'node:path';
import { areRemapped, hostRoot, type IdMappings, identityMappings } from '../../contracts/id-mappings.js';
import type { KernelConfig } from '../configuration/kernel-config.js';
import { checkAccess } from './check-access.js';
import { readIdMappings } from './read-id-mappings.js';

/** Whether and how the ids of containers are mapped while this kernel runs. */
export class UserNamespaces {
  #mappings = identityMappings;

  get mappings(): IdMappings {
    return this.#mappings;
  }

  /** @throws EngineError naming what the host lacks for the configured mapping. */
  async prepare({ usernsRemap, dataRoot }: Pick<KernelConfig, 'usernsRemap' | 'dataRoot'>): Promise<void> {
    if (usernsRemap === undefined) return;
    this.#mappings = await readIdMappings(usernsRemap);
    await checkAccess(this.dataRootIn(dataRoot), this.#mappings);
  }

  /** Files have the owners of one mapping, so each mapping has a data root of its own. */
  dataRootIn(configured: string): string {
    if (!areRemapped(this.#mappings)) return configured;
    const { uid, gid } = hostRoot(this.#mappings);
    return path.join(configured, `${uid}.${gid}`);
  }
}
