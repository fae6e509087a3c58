import type { SourceImportConfig } from '../config.js';
import { type DestinationRule, destinationRule } from './destination-rule.js';
import { readAuthorities } from './read-authorities.js';
import { readWebhooks, type Webhook } from './read-webhooks.js';

/** The configuration, with the files it names read. */
export interface Settings {
  readonly config: SourceImportConfig;
  readonly destinations: DestinationRule;
  /** Certificates in PEM, trusted in addition to the host's. */
  readonly authorities: readonly string[];
  readonly webhooks: ReadonlyMap<string, Webhook>;
}

/** The settings in force; a reload replaces all of them or none. */
export class ImportSettings {
  #current: Settings;

  constructor(settings: Settings) {
    this.#current = settings;
  }

  static async read(config: SourceImportConfig): Promise<ImportSettings> {
    return new ImportSettings(await readSettings(config));
  }

  get current(): Settings {
    return this.#current;
  }

  get config(): SourceImportConfig {
    return this.#current.config;
  }

  async reload(config: SourceImportConfig): Promise<void> {
    this.#current = await readSettings(config);
  }
}

const readSettings = async (config: SourceImportConfig): Promise<Settings> => ({
  config,
  destinations: destinationRule(config.allowDestinations),
  authorities: await readAuthorities(config.certificateAuthorities),
  webhooks: await readWebhooks(config.webhooks),
});
