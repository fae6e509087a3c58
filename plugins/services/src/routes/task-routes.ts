import { ClusterService } from '@gantry/cluster/service';
import { inject, injectable } from '@gantry/core/driver';
import { queryOf, type Router, sendJson } from '@gantry/core/http';
import { findTask } from '../commands/find-task.js';
import { toTask } from '../wire/to-task.js';
import { ListTasks, taskFilters } from './list-tasks.js';

/** Spec: Tasks. */
@injectable()
export class TaskRoutes {
  constructor(
    @inject(ClusterService.token) private readonly cluster: ClusterService,
    @inject(ListTasks) private readonly listTasks: ListTasks,
  ) {}

  declare(router: Router): void {
    router.get('/tasks', async (ctx) => sendJson(ctx, await this.listTasks.list(queryOf(ctx).filters(taskFilters))));
    router.get('/tasks/:id', async (ctx) => {
      const { store } = await this.cluster.manager();
      sendJson(ctx, toTask(store, findTask(store, ctx.params.id)));
    });
  }
}
