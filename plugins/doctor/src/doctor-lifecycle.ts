import { type DriverLifecycle, inject, injectable, Lifetime } from '@gantry/core/driver';
import { type Router, sendJson } from '@gantry/core/http';
import { EngineApi } from '@gantry/engine-api/service';
import { Doctor } from './doctor.js';
import { doctorCommand } from './doctor-command.js';
import { operations } from './operations.js';

/** Answers `gantryd doctor` and `GET /doctor`. */
@injectable()
export class DoctorLifecycle implements DriverLifecycle {
  readonly commands = { doctor: (args: readonly string[]) => doctorCommand(args, () => this.doctor.examine()) };

  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(Doctor) private readonly doctor: Doctor,
  ) {}

  async start(): Promise<void> {
    this.lifetime.add(this.api.routes('doctor', (router) => this.declare(router), operations));
  }

  declare(router: Router): void {
    router.get('/doctor', async (ctx) => {
      ctx.set('Cache-Control', 'no-store');
      sendJson(ctx, await this.doctor.examine());
    });
  }
}
