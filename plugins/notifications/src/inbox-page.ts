import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { HostedApi, readWebPage } from '@gantry/hosted-api/service';

/** The page of the inbox on the web. */
@injectable()
export class InboxPage {
  constructor(
    @inject(HostedApi.token) private readonly api: HostedApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  async start(): Promise<void> {
    const page = await readWebPage(new URL('../web/', import.meta.url), { title: 'Inbox', name: 'inbox' });
    this.lifetime.add(this.api.addPage('notifications', page));
  }
}
