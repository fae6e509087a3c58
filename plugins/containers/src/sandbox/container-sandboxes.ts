import { areRemapped, hostRoot, IdMappings, type UserNamespaceRequest } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { conflict } from '@gantry/core/errors';
import { NetworkService, SandboxService } from '@gantry/networks/service';
import { ContainerDirectories } from '../container-directories.js';
import type { ContainerRecord } from '../record.js';
import { ContainerStore } from '../store/container-store.js';
import { isAlive } from '../transitions.js';
import { HostsFiles } from './hosts-files.js';
import { joinedContainer } from './joined-container.js';
import { joinedUserNamespace } from './joined-user-namespace.js';
import { type NetworkFiles, writeNetworkFiles } from './network-files.js';
import type { ResolvedLink } from './resolved-link.js';
import { sandboxRequest } from './sandbox-request.js';

/** The network of a container that starts. */
interface ContainerNetwork {
  /** Undefined: the host's own stack. */
  readonly namespace: string | undefined;
  /** Undefined: the host's. */
  readonly userNamespace: string | undefined;
  /** By network name. */
  readonly networkIds: Readonly<Record<string, string>>;
  /** Writes the files that describe the network, or finds those of the container whose sandbox is joined. */
  files(): Promise<NetworkFiles>;
}

/** Opens the network sandboxes of containers. */
@injectable()
export class ContainerSandboxes {
  constructor(
    @inject(NetworkService.token) private readonly networks: Pick<NetworkService, 'get'>,
    @inject(SandboxService.token) private readonly sandboxes: Pick<SandboxService, 'open'>,
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(ContainerDirectories) private readonly directories: ContainerDirectories,
    @inject(HostsFiles) private readonly hostsFiles: HostsFiles,
    @inject(IdMappings) private readonly idMappings: IdMappings,
  ) {}

  /** Creates the sandbox and joins its networks, or joins another container's. On rejection nothing is held. */
  async open(record: ContainerRecord, links: readonly ResolvedLink[]): Promise<ContainerNetwork> {
    const userNamespace = this.#userNamespaceOf(record);
    const joinedPath = userNamespace !== undefined && 'path' in userNamespace ? userNamespace.path : undefined;
    const other = joinedContainer(record.hostConfig.NetworkMode);
    if (other !== undefined) return { ...this.#join(other), userNamespace: joinedPath };
    const request = sandboxRequest(record, this.networks);
    const sandbox = await this.sandboxes.open({ ...request, ...(userNamespace && { userNamespace }) });
    await this.hostsFiles.updateLinks(record, sandbox.endpoints);
    const directory = this.directories.of(record.id);
    return {
      namespace: sandbox.path,
      userNamespace: sandbox.userNamespace,
      networkIds: Object.fromEntries(sandbox.endpoints.map((endpoint) => [endpoint.networkName, endpoint.networkId])),
      files: () => writeNetworkFiles({ record, directory, sandbox, links, owner: hostRoot(this.idMappings) }),
    };
  }

  /** Undefined: the host's. */
  #userNamespaceOf(record: ContainerRecord): UserNamespaceRequest | undefined {
    if (!areRemapped(this.idMappings) || record.hostConfig.UsernsMode === 'host') return undefined;
    const owner = joinedUserNamespace(record, this.store.lookup);
    return owner === undefined ? { mappings: this.idMappings } : { path: `/proc/${owner.pid}/ns/user` };
  }

  #join(reference: string): Omit<ContainerNetwork, 'userNamespace'> {
    const { record: other } = this.store.get(reference);
    if (!isAlive(other.state)) throw conflict(`cannot join network of a non running container: ${other.id}`);
    const namespace = `/proc/${other.state.pid}/ns/net`;
    // The other one may be in a third one's network, or in the host's: the files are then those of that one.
    const owner = joinedContainer(other.hostConfig.NetworkMode);
    if (owner !== undefined) return { ...this.#join(owner), namespace };
    const directory = this.directories.of(other.id);
    return {
      namespace,
      networkIds: {},
      files: async () => ({
        hosts: `${directory}/hosts`,
        hostname: `${directory}/hostname`,
        resolvConf: `${directory}/resolv.conf`,
      }),
    };
  }
}
