import { Config, inject, injectable } from '@gantry/core/driver';
import type { NetworksConfig } from '../config.js';
import type { DnsSettings } from '../service.js';
import { formatResolvConf, forwardersOf, mergeResolvConf, readHostResolvConf } from './resolv-conf.js';

interface ResolverOfSandbox {
  /** Name servers that the embedded resolver forwards to. */
  readonly nameservers: readonly string[];
  /** Content of /etc/resolv.conf. */
  readonly resolvConf: string;
}

/** The name servers of a container, from its own settings and those of the host. */
@injectable()
export class ResolverSettings {
  constructor(@inject(Config) private readonly config: Pick<NetworksConfig, 'fallbackNameServers'>) {}

  /** @param resolver the sandbox has the embedded resolver. */
  async read(settings: DnsSettings, { resolver }: { readonly resolver: boolean }): Promise<ResolverOfSandbox> {
    const host = await readHostResolvConf(this.config.fallbackNameServers);
    return {
      nameservers: forwardersOf(settings, host),
      resolvConf: formatResolvConf(mergeResolvConf(settings, host), resolver),
    };
  }
}
