import { conflict } from '@gantry/core/errors';
import type { OpenSandbox } from '@gantry/networks/service';
import { directoryOf, type Parts } from '../parts.js';
import type { ContainerRecord } from '../record.js';
import { isAlive } from '../transitions.js';
import { tellLinked } from './hosts-file.js';
import { joinedContainer } from './joined-container.js';
import type { NetworkFiles } from './network-files.js';
import type { ResolvedLink } from './resolved-link.js';
import { sandboxRequest } from './sandbox-request.js';

/** Where a container's network is, and how to make the files that describe it. */
export interface ContainerNetwork {
  /** Undefined: the host's own stack. */
  readonly namespace: string | undefined;
  /** By network name. */
  readonly networkIds: Readonly<Record<string, string>>;
  /** Only for containers with a sandbox of their own. */
  files(): Promise<NetworkFiles>;
}

/** Makes the sandbox and joins its networks, or looks up the one of another container. On rejection nothing is left. */
export async function openSandbox(
  parts: Parts,
  record: ContainerRecord,
  links: readonly ResolvedLink[],
): Promise<ContainerNetwork> {
  const other = joinedContainer(record.hostConfig.NetworkMode);
  if (other !== undefined) return joinSandbox(parts, other);
  const sandbox = await parts.networks.open(sandboxRequest(record, links, parts.networks));
  await tellLinked(parts, record, sandbox.endpoints);
  return {
    namespace: sandbox.path,
    networkIds: Object.fromEntries(sandbox.endpoints.map((endpoint) => [endpoint.networkName, endpoint.networkId])),
    files: () => writeFiles(parts, record, links, sandbox),
  };
}

function joinSandbox(parts: Parts, reference: string): ContainerNetwork {
  const other = parts.containers.get(reference);
  if (!isAlive(other.state)) throw conflict(`cannot join network of a non running container: ${other.id}`);
  // The other may itself be in a third one's network, or in the host's: its files are then where that one's are.
  const owner = joinedContainer(other.hostConfig.NetworkMode);
  if (owner !== undefined) return { ...joinSandbox(parts, owner), namespace: `/proc/${other.state.pid}/ns/net` };
  const directory = directoryOf(parts, other.id);
  return {
    namespace: `/proc/${other.state.pid}/ns/net`,
    networkIds: {},
    files: async () => ({
      hosts: `${directory}/hosts`,
      hostname: `${directory}/hostname`,
      resolvConf: `${directory}/resolv.conf`,
    }),
  };
}

const writeFiles = (
  parts: Parts,
  record: ContainerRecord,
  links: readonly ResolvedLink[],
  sandbox: OpenSandbox,
): Promise<NetworkFiles> =>
  parts.bundles.writeNetworkFiles({ record, directory: directoryOf(parts, record.id), sandbox, links });
