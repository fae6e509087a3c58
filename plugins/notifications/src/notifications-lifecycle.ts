import { type DriverLifecycle, inject, injectable } from '@gantry/core/driver';
import type { NotificationsConfig } from './config.js';
import { MarkRead } from './inbox/mark-read.js';
import { NotificationSettings } from './settings/notification-settings.js';
import { DeliveryExpiry } from './webhooks/delivery-expiry.js';

/** Expires deliveries while the plugin runs, reloads its settings, and completes marking threads as read when it stops. */
@injectable()
export class NotificationsLifecycle implements DriverLifecycle<NotificationsConfig> {
  constructor(
    @inject(NotificationSettings) private readonly settings: NotificationSettings,
    @inject(DeliveryExpiry) private readonly expiry: DeliveryExpiry,
    @inject(MarkRead) private readonly markRead: MarkRead,
  ) {}

  async start(): Promise<void> {
    this.expiry.start();
  }

  async reconfigure(config: NotificationsConfig): Promise<void> {
    await this.settings.reload(config);
  }

  stop(): Promise<void> {
    return this.markRead.settled();
  }
}
