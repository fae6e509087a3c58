import { type DriverLifecycle, EngineSettings, inject, injectable, Lifetime } from '@gantry/core/driver';
import { type Router, sendJson } from '@gantry/core/http';
import { ConsoleSurface } from './surface.js';

/** Names of settings whose texts are not for a screen; those of files are. */
const isSecret = /(?:password|secret|token|passphrase|credential)s?$/i;

/** The configuration of the daemon, without secrets. */
@injectable()
export class SettingsRoutes implements DriverLifecycle {
  constructor(
    @inject(ConsoleSurface) private readonly surface: ConsoleSurface,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(EngineSettings) private readonly settings: EngineSettings,
  ) {}

  async start(): Promise<void> {
    this.lifetime.add(this.surface.routes('console-settings', (router) => this.declare(router)));
  }

  declare(router: Router): void {
    router.get('/settings', (ctx) => sendJson(ctx, withoutSecrets(this.settings.read())));
  }
}

/** A copy with "(hidden)" for texts that only the daemon should know. */
export function withoutSecrets<T>(value: T): T {
  const text = JSON.stringify(value, (name, found: unknown) =>
    typeof found === 'string' && found !== '' && isSecret.test(name) ? '(hidden)' : found,
  );
  return JSON.parse(text) as T;
}
