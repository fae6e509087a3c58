import type { JoinedEndpoint, NetworkCapabilities, NetworkDriver, NetworkSpec } from '@gantry/core/contracts';
import { invalidArgument } from '@gantry/core/errors';

/** The host's own network stack. There is nothing to make: a container is on it by not having a stack of its own. */
export class HostNetwork implements NetworkDriver {
  readonly capabilities: NetworkCapabilities = {
    scope: 'local',
    userDefined: false,
    addresses: false,
    publish: false,
    hostStack: true,
  };

  validate({ internal }: NetworkSpec): void {
    if (internal) throw invalidArgument('Internal: the host network cannot be closed to the outside');
  }

  async createNetwork(): Promise<void> {}

  async removeNetwork(): Promise<void> {}

  /** Ports need no publishing: the container listens on the host itself. */
  async join(): Promise<JoinedEndpoint> {
    return { macAddress: '', ports: [] };
  }

  async leave(): Promise<void> {}

  async restore(): Promise<void> {}
}
