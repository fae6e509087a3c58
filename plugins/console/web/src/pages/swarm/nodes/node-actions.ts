import { get, post, remove } from '../../../api/request';
import { confirm } from '../../../components/confirm';
import { runOnAll } from '../../../components/run-on-all';
import type { BulkAction } from '../../../components/table/table-types';
import { plural } from '../../../format/plural';
import type { NodeSpec, SwarmNode } from '../swarm-types';

export const nodeName = ({ Description, ID }: SwarmNode): string => Description.Hostname || ID;

/** Stores a changed specification, unless the node has changed meanwhile. */
export const updateNode = ({ ID, Version, Spec }: SwarmNode, changes: Partial<NodeSpec>) =>
  post(`/nodes/${ID}/update`, { version: Version.Index }, { ...Spec, ...changes });

const setAvailability = (name: string, Availability: string): BulkAction<SwarmNode> => ({
  name,
  // Only this is to change, whatever else has changed since the list was read.
  run: (rows) =>
    runOnAll(name, 'node', rows, nodeName, async ({ ID }) =>
      updateNode(await get<SwarmNode>(`/nodes/${ID}`), { Availability }),
    ),
});

async function removeAll(rows: readonly SwarmNode[]): Promise<void> {
  const answer = await confirm({
    title: `Remove ${plural(rows.length, 'node')}?`,
    action: 'Remove',
    options: { force: 'Also those that have not left the swarm' },
  });
  if (answer === undefined) return;
  await runOnAll('Remove', 'node', rows, nodeName, ({ ID }) => remove(`/nodes/${ID}`, { force: answer.force }));
}

export const nodeBulkActions: readonly BulkAction<SwarmNode>[] = [
  setAvailability('Activate', 'active'),
  setAvailability('Pause', 'pause'),
  setAvailability('Drain', 'drain'),
  { name: 'Remove…', run: removeAll, danger: true },
];
