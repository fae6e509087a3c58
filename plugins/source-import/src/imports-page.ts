import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { HostedApi, readWebPage } from '@gantry/hosted-api/service';

/** The page of imports on the web. */
@injectable()
export class ImportsPage {
  constructor(
    @inject(HostedApi.token) private readonly api: HostedApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  async start(): Promise<void> {
    const page = { title: 'Imports', name: 'imports', modules: ['view.js'] };
    this.lifetime.add(this.api.addPage('source-import', await readWebPage(new URL('../web/', import.meta.url), page)));
  }
}
