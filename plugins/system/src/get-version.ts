import { version } from '@gantry/core';
import { inject, injectable } from '@gantry/core/driver';
import { EngineApi } from '@gantry/engine-api/service';
import { HostFacts } from './host-facts.js';

/** Spec: version record. */
@injectable()
export class GetVersion {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(HostFacts) private readonly host: HostFacts,
  ) {}

  get() {
    const { architecture, builtAt, kernelVersion } = this.host;
    const details = {
      ApiVersion: this.api.apiVersion,
      MinAPIVersion: this.api.minApiVersion,
      GitCommit: 'none',
      GoVersion: `node ${process.versions.node}`,
      Os: 'linux',
      Arch: architecture === 'x86_64' ? 'amd64' : architecture === 'aarch64' ? 'arm64' : architecture,
      KernelVersion: kernelVersion,
      BuildTime: builtAt,
    };
    return {
      Platform: { Name: '' },
      Components: [{ Name: 'Engine', Version: version, Details: { ...details, Experimental: 'false' } }],
      Version: version,
      ...details,
    };
  }
}
