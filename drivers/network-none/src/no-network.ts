import type { JoinedEndpoint, NetworkCapabilities, NetworkDriver } from '@gantry/core/contracts';

/** A network that leads nowhere: the container's own stack has loopback and nothing else. */
export class NoNetwork implements NetworkDriver {
  readonly capabilities: NetworkCapabilities = {
    scope: 'local',
    userDefined: false,
    addresses: false,
    publish: false,
    hostStack: false,
  };

  validate(): void {}

  async createNetwork(): Promise<void> {}

  async removeNetwork(): Promise<void> {}

  async join(): Promise<JoinedEndpoint> {
    return { macAddress: '', ports: [] };
  }

  async leave(): Promise<void> {}

  async restore(): Promise<void> {}
}
