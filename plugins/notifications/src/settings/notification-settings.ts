import type { NotificationsConfig } from '../config.js';
import { readSecrets } from './read-secrets.js';

interface Settings {
  readonly config: NotificationsConfig;
  /** Secrets by the name of the webhook. */
  readonly secrets: ReadonlyMap<string, string>;
}

/** The settings in force; a reload replaces all of them or none. */
export class NotificationSettings {
  #current: Settings;

  constructor(settings: Settings) {
    this.#current = settings;
  }

  static async read(config: NotificationsConfig): Promise<NotificationSettings> {
    return new NotificationSettings({ config, secrets: await readSecrets(config.webhooks) });
  }

  get config(): NotificationsConfig {
    return this.#current.config;
  }

  get secrets(): ReadonlyMap<string, string> {
    return this.#current.secrets;
  }

  async reload(config: NotificationsConfig): Promise<void> {
    this.#current = { config, secrets: await readSecrets(config.webhooks) };
  }
}
