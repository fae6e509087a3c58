import type { NamespaceReference } from '../namespaces/namespaces.js';
import type { Sysctl } from '../netlink/netlink.js';

/** Settings by namespace and name. A setting exists once it was written. */
export class FakeSysctl implements Sysctl {
  readonly #settings = new Map<string, string>();

  read(name: string, namespace?: NamespaceReference): string | undefined {
    return this.#settings.get(key(name, namespace));
  }

  write(name: string, value: string | number, namespace?: NamespaceReference): void {
    this.#settings.set(key(name, namespace), `${value}`);
  }
}

function key(name: string, namespace: NamespaceReference | undefined): string {
  return `${namespace ?? ''} ${name.includes('/') ? name : name.replaceAll('.', '/')}`;
}
