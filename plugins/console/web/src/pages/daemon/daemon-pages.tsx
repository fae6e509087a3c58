import { call, send } from '../../api/request';
import { StateBadge } from '../../components/badge';
import { JsonView } from '../../components/json-view';
import { type Entry, KeyValues } from '../../components/key-values';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/panel';
import { SimpleTable } from '../../components/simple-table';
import { Empty, Loaded } from '../../components/status-views';
import { Tabs } from '../../components/tabs';
import { Text } from '../../components/text';
import { useResource } from '../../events/use-resource';
import { formatBytes } from '../../format/format-bytes';
import { plural } from '../../format/plural';
import { pathTo, useRoute } from '../../routing/route';
import { Configuration } from './configuration';
import type { About, Info, Version } from './daemon-types';
import { DoctorPage } from './doctor/doctor-page';
import { DaemonMetrics } from './metrics/daemon-metrics';
import { PackageNeeded } from './package-needed';

interface Daemon {
  readonly info: Info;
  readonly version: Version;
  readonly about: About;
}

async function readDaemon(signal: AbortSignal): Promise<Daemon> {
  const [info, version, about] = await Promise.all([
    call<Info>('/info', { signal }),
    call<Version>('/version', { signal }),
    send('/about', { signal }).then((response) => response.json() as Promise<About>),
  ]);
  return { info, version, about };
}

const tabs: readonly (readonly [path: string, name: string])[] = [
  ['overview', 'Overview'],
  ['metrics', 'Metrics'],
  ['doctor', 'Doctor'],
  ['packages', 'Packages'],
  ['configuration', 'Configuration'],
  ['info', 'All facts'],
];

export function DaemonPages() {
  const [, tab = 'overview'] = useRoute().segments;
  const [daemon, reload] = useResource(readDaemon, [], ['daemon', 'container', 'image']);
  return (
    <>
      <PageHeader title="Daemon" />
      <Tabs
        label="Parts of the daemon"
        current={tabs.find(([path]) => path === tab)?.[1] ?? ''}
        tabs={tabs.map(([path, name]) => ({ name, href: pathTo('daemon', path) }))}
      />
      <Loaded what="the daemon" resource={daemon} reload={reload}>
        {(value) => <Part tab={tab} daemon={value} />}
      </Loaded>
    </>
  );
}

function Part({ tab, daemon }: { readonly tab: string; readonly daemon: Daemon }) {
  if (tab === 'overview') return <Overview daemon={daemon} />;
  const { units } = daemon.about;
  if (tab === 'metrics') {
    return (
      <PackageNeeded id="metrics" units={units} what="The daemon's own figures">
        <DaemonMetrics />
      </PackageNeeded>
    );
  }
  if (tab === 'doctor') {
    return (
      <PackageNeeded id="doctor" units={units} what="Findings of the doctor">
        <DoctorPage />
      </PackageNeeded>
    );
  }
  if (tab === 'packages') return <Packages units={units} />;
  if (tab === 'configuration') return <Configuration />;
  if (tab === 'info') return <JsonView name="info" value={{ ...daemon.info, version: daemon.version }} />;
  return <Empty>There is no part "{tab}".</Empty>;
}

function Overview({ daemon: { info, version, about } }: { readonly daemon: Daemon }) {
  const warnings = [...new Set([...(info.Warnings ?? []), ...about.warnings])];
  return (
    <div class="panels">
      <Panel title="Engine">
        <KeyValues entries={engineEntries(version, about)} />
      </Panel>
      <Panel title="Host">
        <KeyValues entries={hostEntries(info)} />
      </Panel>
      <Panel title="Drivers">
        <KeyValues entries={driverEntries(info)} />
      </Panel>
      <Panel title="What it has">
        <KeyValues
          entries={[
            ['Running', plural(info.ContainersRunning, 'container')],
            ['Paused', plural(info.ContainersPaused, 'container')],
            ['Stopped', plural(info.ContainersStopped, 'container')],
            ['Images', String(info.Images)],
          ]}
        />
      </Panel>
      <Panel title="Warnings">
        {warnings.length === 0 ? (
          <p class="hint">There are no warnings.</p>
        ) : (
          <ul>
            {warnings.map((warning) => (
              <li key={warning}>
                <Text value={warning} limit={500} />
              </li>
            ))}
          </ul>
        )}
      </Panel>
    </div>
  );
}

const engineEntries = (version: Version, about: About): Entry[] => [
  ['Version', about.version],
  ['API', `${version.MinAPIVersion} to ${version.ApiVersion}`],
  ['Listens at', about.addresses.join(', ')],
  ...(version.Components ?? []).map(({ Name, Version: value }): Entry => [Name, value]),
];

const hostEntries = (info: Info): Entry[] => [
  ['Name', info.Name],
  ['System', info.OperatingSystem],
  ['Kernel', info.KernelVersion],
  ['Architecture', info.Architecture],
  ['CPUs', String(info.NCPU)],
  ['Memory', formatBytes(info.MemTotal)],
  ['Data', info.DockerRootDir],
];

/** Security options are written as `name=seccomp,profile=builtin`. */
const nameOf = (option: string): string => /^name=([^,]+)/.exec(option)?.[1] ?? option;

const driverEntries = (info: Info): Entry[] => [
  ['Storage', info.Driver],
  ['Logs', info.LoggingDriver],
  ['Control groups', `${info.CgroupDriver}, version ${info.CgroupVersion ?? '1'}`],
  ['Runtime', info.DefaultRuntime],
  ['Runtimes', Object.keys(info.Runtimes ?? {}).join(', ')],
  ['Volumes', (info.Plugins.Volume ?? []).join(', ')],
  ['Networks', (info.Plugins.Network ?? []).join(', ')],
  ['Log drivers', (info.Plugins.Log ?? []).join(', ')],
  ['Security', (info.SecurityOptions ?? []).map(nameOf).join(', ')],
  ['Proxy', info.HttpProxy ?? ''],
];

function Packages({ units }: { readonly units: About['units'] }) {
  return (
    <SimpleTable
      label="Packages of the daemon"
      columns={['Name', 'State', 'Package', 'Version', 'Reason']}
      empty="There are no packages."
      rows={units.map((unit) => ({
        key: `${unit.package} ${unit.name}`,
        cells: [
          <Text key="name" value={unit.isDefault ? `${unit.name} (default)` : unit.name} />,
          <StateBadge key="state" state={unit.state} />,
          <Text key="package" value={unit.package} />,
          unit.version,
          <Text key="reason" value={unit.reason ?? ''} limit={300} />,
        ],
      }))}
    />
  );
}
