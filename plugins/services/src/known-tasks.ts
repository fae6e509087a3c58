import { ClusterService, followRecords } from '@gantry/cluster/service';
import type { ClusterRecord } from '@gantry/core/contracts';
import { inject, injectable, linkedSignal } from '@gantry/core/driver';
import { findService } from './commands/find-service.js';
import { findTask } from './commands/find-task.js';
import { taskKind } from './records/record-kinds.js';
import { type TaskRecord, taskName } from './records/task-record.js';
import type { ListedTask, TaskDirectory } from './service.js';

/** Tasks, for areas that show something of them. */
@injectable()
export class KnownTasks implements TaskDirectory {
  constructor(@inject(ClusterService.token) private readonly cluster: ClusterService) {}

  async tasksOf(kind: 'service' | 'task', reference: string): Promise<readonly ListedTask[]> {
    const { store } = await this.cluster.manager();
    if (kind === 'task') return [toListed(findTask(store, reference))];
    return store.select(taskKind, 'service', findService(store, reference).id).map(toListed);
  }

  onChange(listener: () => void): () => void {
    const end = new AbortController();
    const stop = this.cluster.whileManager(({ store, signal }) =>
      followRecords({ store, signal: linkedSignal(end.signal, signal) }, [taskKind], {
        changed: listener,
        lost: listener,
      }),
    );
    return () => {
      stop();
      end.abort();
    };
  }
}

const toListed = ({ id, value: task }: ClusterRecord<TaskRecord>): ListedTask => ({
  id,
  name: taskName(task),
  serviceId: task.ServiceID,
  nodeId: task.NodeID ?? '',
  containerId: task.Status.ContainerStatus?.ContainerID || undefined,
  terminal: task.Spec.ContainerSpec?.TTY ?? false,
});
