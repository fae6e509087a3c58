import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { invalidArgument } from '@gantry/core/errors';

/** Which registries need no trusted certificate. */
export class InsecureHosts {
  readonly #names = new Set<string>();
  readonly #networks = new BlockList();

  /** @throws EngineError `invalid-argument` naming a network that is none. */
  constructor(configured: readonly string[]) {
    this.#networks.addSubnet('127.0.0.0', 8, 'ipv4');
    this.#networks.addAddress('::1', 'ipv6');
    for (const entry of configured) this.#add(entry);
  }

  /** `host` with its port, if it has one. */
  has(host: string): boolean {
    const name = host
      .replace(/:\d+$/, '')
      .replace(/^\[|\]$/g, '')
      .toLowerCase();
    if (name === 'localhost' || this.#names.has(host.toLowerCase()) || this.#names.has(name)) return true;
    if (isIPv4(name)) return this.#networks.check(name, 'ipv4');
    return isIPv6(name) && this.#networks.check(name, 'ipv6');
  }

  #add(entry: string): void {
    const [address = '', bits] = entry.split('/');
    if (bits === undefined) {
      this.#names.add(entry.toLowerCase());
      return;
    }
    try {
      this.#networks.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4');
    } catch (cause) {
      throw invalidArgument(`insecureRegistries: ${JSON.stringify(entry)} is not a network`, { cause });
    }
  }
}
