import { isDeepStrictEqual } from 'node:util';
import { invalidArgument } from '@gantry/core/errors';
import { Config, inject, injectable } from '@gantry/core/plugin';
import type { RegistryConfig } from './config.js';
import { InsecureHosts } from './transport/insecure-hosts.js';

/** What a reload can change. The rest sizes and places things that exist since the start. */
const reloadable = ['defaultRegistry', 'defaultNamespace', 'mirrors', 'insecureRegistries'] as const;

/** The settings that a reload of the configuration replaces. */
@injectable()
export class RegistrySettings {
  #current: RegistryConfig;
  #insecure: InsecureHosts;

  constructor(@inject(Config) config: RegistryConfig) {
    this.#current = config;
    this.#insecure = new InsecureHosts(config.insecureRegistries);
  }

  get current(): Pick<RegistryConfig, (typeof reloadable)[number]> {
    return this.#current;
  }

  /** Whether a host, with its port, needs no trusted certificate. */
  isInsecure(host: string): boolean {
    return this.#insecure.has(host);
  }

  /** @throws EngineError `invalid-argument` naming a key that only a start takes in; then nothing has changed. */
  replace(next: RegistryConfig): void {
    const keys = Object.keys({ ...this.#current, ...next }) as (keyof RegistryConfig)[];
    const fixed = keys.filter((key) => !(reloadable as readonly string[]).includes(key));
    const changed = fixed.filter((key) => !isDeepStrictEqual(next[key], this.#current[key]));
    if (changed.length > 0) throw invalidArgument(`${changed.join(', ')}: counts from the next start`);
    this.#insecure = new InsecureHosts(next.insecureRegistries);
    this.#current = next;
  }
}
