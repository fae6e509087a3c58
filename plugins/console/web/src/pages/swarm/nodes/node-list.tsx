import { call } from '../../../api/request';
import { StateBadge } from '../../../components/badge';
import { Button } from '../../../components/button';
import { openDialog } from '../../../components/dialog';
import { Loaded } from '../../../components/status-views';
import type { Column } from '../../../components/table/table-types';
import { VirtualTable } from '../../../components/table/virtual-table';
import { Text } from '../../../components/text';
import { useResource } from '../../../events/use-resource';
import type { SwarmNode } from '../swarm-types';
import { nodeBulkActions, nodeName } from './node-actions';
import { NodeDialog } from './node-dialog';

const managerText = ({ ManagerStatus }: SwarmNode): string =>
  ManagerStatus === undefined ? '' : ManagerStatus.Leader ? 'leader' : ManagerStatus.Reachability;

const columns: readonly Column<SwarmNode>[] = [
  { title: 'Name', width: 1.4, sort: nodeName, cell: (node) => <Text value={nodeName(node)} /> },
  {
    title: 'State',
    width: 0.8,
    sort: ({ Status }) => Status.State,
    cell: ({ Status }) => <StateBadge state={Status.State} />,
  },
  {
    title: 'Availability',
    width: 0.9,
    sort: ({ Spec }) => Spec.Availability,
    cell: ({ Spec }) => <StateBadge state={Spec.Availability} />,
  },
  { title: 'Role', width: 0.8, sort: ({ Spec }) => Spec.Role, cell: ({ Spec }) => Spec.Role },
  { title: 'Manager', width: 0.9, sort: managerText, cell: managerText },
  { title: 'Address', sort: ({ Status }) => Status.Addr, cell: ({ Status }) => <Text value={Status.Addr} /> },
  { title: 'Engine', width: 0.8, cell: ({ Description }) => <Text value={Description.Engine.EngineVersion} /> },
  {
    title: 'Action',
    width: 0.7,
    cell: (node) => (
      <Button
        label={`Edit ${nodeName(node).slice(0, 80)}`}
        onPress={() => openDialog((close) => <NodeDialog node={node} close={close} />)}
      >
        Edit…
      </Button>
    ),
  },
];

export function NodeList() {
  const [nodes, reload] = useResource((signal) => call<SwarmNode[]>('/nodes', { signal }), [], ['node']);
  return (
    <Loaded what="the nodes" resource={nodes} reload={reload}>
      {(rows) => (
        <VirtualTable
          label="nodes"
          rows={rows}
          id={({ ID }) => ID}
          columns={columns}
          text={(node) =>
            [nodeName(node), node.ID, node.Status.Addr, ...Object.entries(node.Spec.Labels ?? {}).flat()].join(' ')
          }
          rowName={nodeName}
          bulk={nodeBulkActions}
        />
      )}
    </Loaded>
  );
}
