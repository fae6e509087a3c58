import { get } from '../../api/request';
import { StateBadge } from '../../components/badge';
import { Button } from '../../components/button';
import { PageHeader } from '../../components/page-header';
import { Loaded } from '../../components/status-views';
import type { Column } from '../../components/table/table-types';
import { VirtualTable } from '../../components/table/virtual-table';
import { Text } from '../../components/text';
import { useResource } from '../../events/use-resource';
import { attempt } from '../../notices/notices';
import { pathTo } from '../../routing/route';
import { openInstall } from './install-plugin';
import { disablePlugin, enablePlugin } from './plugin-actions';
import type { Plugin } from './plugin-types';

const nameOf = ({ Name }: Plugin): string => Name;
const stateOf = ({ Enabled }: Plugin): string => (Enabled ? 'enabled' : 'disabled');

const columns: readonly Column<Plugin>[] = [
  {
    title: 'Name',
    width: 1.6,
    sort: nameOf,
    cell: ({ Name }) => (
      <a href={pathTo('plugins', Name)}>
        <Text value={Name} />
      </a>
    ),
  },
  { title: 'State', width: 0.7, sort: stateOf, cell: (plugin) => <StateBadge state={stateOf(plugin)} /> },
  {
    title: 'Serves',
    sort: ({ Config }) => (Config.Interface.Types ?? []).join(),
    cell: ({ Config }) => <Text value={(Config.Interface.Types ?? []).join(', ')} />,
  },
  { title: 'Description', width: 2, cell: ({ Config }) => <Text value={Config.Description} /> },
  { title: 'Action', width: 0.7, cell: (plugin) => <Switch plugin={plugin} /> },
];

export function Switch({ plugin: { Name, Enabled } }: { readonly plugin: Plugin }) {
  const [verb, action] = Enabled ? (['Disable', disablePlugin] as const) : (['Enable', enablePlugin] as const);
  return (
    <Button label={`${verb} ${Name.slice(0, 80)}`} onPress={() => attempt(`${verb} ${Name}`, () => action(Name))}>
      {verb}
    </Button>
  );
}

export function PluginList() {
  const [plugins, reload] = useResource((signal) => get<Plugin[]>('/plugins', undefined, signal), [], ['plugin']);
  return (
    <>
      <PageHeader title="Plugins">
        <Button kind="primary" onPress={openInstall}>
          Install…
        </Button>
      </PageHeader>
      <Loaded what="the plugins" resource={plugins} reload={reload}>
        {(rows) => (
          <VirtualTable
            label="plugins"
            rows={rows}
            id={nameOf}
            columns={columns}
            text={({ Name, Config }) => `${Name} ${Config.Description}`}
            rowName={nameOf}
            empty="No plugins are installed."
          />
        )}
      </Loaded>
      <p class="hint">
        Packages of the daemon itself are on the page <a href={pathTo('daemon', 'packages')}>Daemon</a>.
      </p>
    </>
  );
}
