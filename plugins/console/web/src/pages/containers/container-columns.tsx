import { nameOf } from '../../api/container-types';
import { StateBadge } from '../../components/badge';
import { Button } from '../../components/button';
import type { Column } from '../../components/table/table-types';
import { Text } from '../../components/text';
import type { ListedContainer } from '../../first-screen/first-screen-data';
import { formatAge } from '../../format/format-time';
import { attempt } from '../../notices/notices';
import { pathTo } from '../../routing/route';
import { runVerb, verbs } from './container-actions';
import { portsText } from './ports-text';

export const containerColumns: readonly Column<ListedContainer>[] = [
  {
    title: 'Name',
    width: 1.5,
    sort: nameOf,
    cell: (container) => (
      <a href={pathTo('containers', container.Id)}>
        <Text value={nameOf(container)} />
      </a>
    ),
  },
  {
    title: 'Image',
    width: 1.3,
    secondary: true,
    sort: ({ Image }) => Image,
    cell: ({ Image }) => <Text value={Image} />,
  },
  { title: 'State', width: 1, sort: ({ State }) => State, cell: ({ State }) => <StateBadge state={State} /> },
  {
    title: 'Status',
    width: 1.6,
    secondary: true,
    sort: ({ Status }) => Status,
    cell: ({ Status }) => <Text value={Status} />,
  },
  {
    title: 'Ports',
    width: 1.3,
    secondary: true,
    sort: (container) => portsText(container.Ports),
    cell: (container) => <Text value={portsText(container.Ports)} />,
  },
  {
    title: 'Created',
    width: 1.2,
    secondary: true,
    sort: ({ Created }) => -Created,
    cell: ({ Created }) => formatAge(Created * 1000),
  },
  { title: 'Action', width: 1.1, cell: (container) => <RowAction container={container} /> },
];

function RowAction({ container }: { readonly container: ListedContainer }) {
  const verb = { running: verbs.stop, paused: verbs.unpause }[container.State] ?? verbs.start;
  const name = nameOf(container).slice(0, 100);
  return (
    <Button
      label={`${verb.name} ${name}`}
      disabled={container.State === 'removing' || container.State === 'dead'}
      onPress={() => attempt(`${verb.name} ${name}`, () => runVerb(verb, container.Id))}
    >
      {verb.name}
    </Button>
  );
}
