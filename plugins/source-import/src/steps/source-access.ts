import { type SourceContext, type SourceDriver, SourceDrivers, type SourceRepository } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { ImportSettings } from '../settings/import-settings.js';
import { ImportDirectories } from '../storage/import-directories.js';
import { CredentialVault } from '../store/credential-vault.js';
import type { ImportRecord } from '../store/records.js';

/** What source drivers are passed for an import. */
@injectable()
export class SourceAccess {
  constructor(
    @inject(SourceDrivers.token) private readonly drivers: DriverSet<SourceDriver>,
    @inject(ImportSettings) private readonly settings: ImportSettings,
    @inject(CredentialVault) private readonly credentials: CredentialVault,
    @inject(ImportDirectories) private readonly directories: ImportDirectories,
  ) {}

  /** Ids of the drivers for an import: that of its `vcs`, or all that read its URL's scheme, in alphabetical order. */
  driverIds({ url, vcs }: Pick<ImportRecord, 'url' | 'vcs'>): readonly string[] {
    const { protocol } = new URL(url);
    const reads = (id: string): boolean => this.driver(id).capabilities.schemes.includes(protocol);
    return this.drivers.ids.filter((id) => (vcs === undefined || vcs === id) && reads(id)).toSorted();
  }

  driver(id: string): SourceDriver {
    return this.drivers.get(id);
  }

  source({ id, url, project }: ImportRecord): SourceRepository {
    return { url, ...(project !== undefined && { project }), ...this.credentials.of(id) };
  }

  context({ id }: ImportRecord, signal: AbortSignal): SourceContext {
    const { config, destinations, authorities } = this.settings.current;
    const { allowLocalFiles, stallSeconds, maxBytes } = config;
    const { scratch } = this.directories.of(id);
    return { scratch, allowDestination: destinations, authorities, allowLocalFiles, stallSeconds, maxBytes, signal };
  }
}
