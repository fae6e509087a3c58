import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { inject, injectable, PackageDirectories } from '@gantry/core/driver';
import { messageOf } from '@gantry/core/errors';
import { Namespaces } from '@gantry/lib-linux/namespaces';
import { Netlink } from '@gantry/lib-linux/netlink';
import { NftablesError } from '@gantry/lib-linux/nftables';
import { AnswerPaths } from './answer-paths.js';

const example = {
  address: '10.0.0.2',
  subnets: ['10.0.0.0/24'],
  meshes: [{ address: '10.0.0.3', macAddress: '02:42:0a:00:00:03' }],
};

/** Whether the kernel can do what answers through meshes need: tried once, in a network namespace of its own. */
@injectable()
export class KernelProbe {
  /** Undefined until it was tried. */
  #result: { readonly obstacle: string | undefined } | undefined;

  constructor(
    @inject(PackageDirectories) private readonly directories: Pick<PackageDirectories, 'state'>,
    @inject(Namespaces.token) private readonly namespaces: Namespaces,
    @inject(Netlink.token) private readonly netlink: Netlink,
    @inject(AnswerPaths) private readonly paths: AnswerPaths,
  ) {}

  obstacle(): string | undefined {
    this.#result ??= { obstacle: this.#probe() };
    return this.#result.obstacle;
  }

  #probe(): string | undefined {
    const path = join(this.directories.state, 'probe');
    try {
      mkdirSync(this.directories.state, { recursive: true, mode: 0o700 });
      this.namespaces.removeNetwork(path); // of a daemon that was killed
      this.namespaces.createNetwork(path);
      this.netlink.use(path, (inside) => {
        inside.addLink({ kind: 'veth', name: 'probe0', peer: { name: 'probe1' } });
        for (const name of ['probe0', 'probe1']) inside.setLink(name, { up: true });
        inside.addAddress('probe0', `${example.address}/24`);
      });
      this.paths.set(path, example);
      return undefined;
    } catch (error) {
      return error instanceof NftablesError ? refusal(error) : messageOf(error);
    } finally {
      this.namespaces.removeNetwork(path);
    }
  }
}

const refusal = ({ reason }: NftablesError): string =>
  `the kernel takes no rules for what leaves an interface, as Linux does since 5.16 (${reason.split('\n', 1)[0]})`;
