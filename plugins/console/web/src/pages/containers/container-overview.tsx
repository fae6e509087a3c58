import type { ContainerDetails } from '../../api/container-types';
import { CopyButton } from '../../components/copy-button';
import { type Entry, KeyValues, textEntries } from '../../components/key-values';
import { Panel } from '../../components/panel';
import { SimpleTable } from '../../components/simple-table';
import { Text } from '../../components/text';
import { formatBytes } from '../../format/format-bytes';
import { formatTime } from '../../format/format-time';
import { pathTo } from '../../routing/route';

export function ContainerOverview({ container }: { readonly container: ContainerDetails }) {
  return (
    <div class="panels">
      <Panel title="State">
        <KeyValues entries={stateEntries(container)} />
      </Panel>
      <Panel title="What it runs">
        <KeyValues entries={configurationEntries(container)} />
      </Panel>
      <Panel title="Networks and ports">
        <Networks container={container} />
      </Panel>
      <Panel title="Mounts">
        <Mounts container={container} />
      </Panel>
      <Panel title="Limits and rights">
        <KeyValues entries={limitEntries(container)} />
      </Panel>
      <Panel title="Environment">
        <KeyValues entries={(container.Config.Env ?? []).map((line) => split(line))} />
      </Panel>
      <Panel title="Labels">
        <KeyValues entries={textEntries(container.Config.Labels)} />
      </Panel>
    </div>
  );
}

const split = (line: string): Entry => {
  const at = line.indexOf('=');
  return at === -1 ? [line, '(unset)'] : [line.slice(0, at), line.slice(at + 1) || '(empty)'];
};

const quoted = (words: readonly string[]): string =>
  words.map((word) => (/^[\w./:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');

function stateEntries({ Id, Created, State, RestartCount }: ContainerDetails): Entry[] {
  const health = State.Health?.Status === 'none' ? undefined : State.Health;
  const lastCheck = health?.Log?.at(-1);
  return [
    ['State', State.Status],
    ['Error', State.Error],
    [
      'Exit code',
      State.Running || State.Status === 'created'
        ? ''
        : `${State.ExitCode}${State.OOMKilled ? ' (out of memory)' : ''}`,
    ],
    ['Health', health && `${health.Status}, ${health.FailingStreak} failures in a row`],
    ['Last check', lastCheck && `exit ${lastCheck.ExitCode}: ${lastCheck.Output.trim()}`],
    ['Started', formatTime(State.StartedAt)],
    ['Finished', State.Running ? '' : formatTime(State.FinishedAt)],
    ['Created', formatTime(Created)],
    ['Process', State.Pid === 0 ? '' : String(State.Pid)],
    ['Restarts', String(RestartCount)],
    [
      'Identifier',
      <>
        <code>
          <Text value={Id.slice(0, 24)} />…
        </code>
        <CopyButton value={Id} what="the identifier" />
      </>,
    ],
  ];
}

function configurationEntries({ Config, Path, Args, Image }: ContainerDetails): Entry[] {
  return [
    [
      'Image',
      <a key="image" href={pathTo('images', Image)}>
        <Text value={Config.Image} />
      </a>,
    ],
    [
      'Command',
      <code key="command">
        <Text value={quoted([Path, ...Args])} limit={500} />
      </code>,
    ],
    ['Working directory', Config.WorkingDir],
    ['User', Config.User || 'root'],
    ['Host name', Config.Hostname],
    ['Terminal', Config.Tty ? 'yes' : 'no'],
    ['Input', Config.OpenStdin ? 'open' : 'closed'],
    ['Stop signal', Config.StopSignal ?? ''],
  ];
}

function limitEntries({ HostConfig, Driver }: ContainerDetails): Entry[] {
  const { RestartPolicy, LogConfig } = HostConfig;
  const retries = RestartPolicy.MaximumRetryCount > 0 ? `, at most ${RestartPolicy.MaximumRetryCount} times` : '';
  return [
    ['Memory', HostConfig.Memory > 0 ? formatBytes(HostConfig.Memory) : 'no limit'],
    ['CPUs', HostConfig.NanoCpus > 0 ? String(HostConfig.NanoCpus / 1e9) : 'no limit'],
    ['CPU shares', HostConfig.CpuShares > 0 ? String(HostConfig.CpuShares) : ''],
    ['Processes', (HostConfig.PidsLimit ?? 0) > 0 ? String(HostConfig.PidsLimit) : 'no limit'],
    ['Privileged', HostConfig.Privileged ? 'yes: it has all rights of the host' : 'no'],
    ['Capabilities added', (HostConfig.CapAdd ?? []).join(', ')],
    ['Capabilities dropped', (HostConfig.CapDrop ?? []).join(', ')],
    ['Root directory', HostConfig.ReadonlyRootfs ? 'read-only' : 'writable'],
    ['Restart policy', `${RestartPolicy.Name || 'no'}${retries}`],
    ['Removed at its end', HostConfig.AutoRemove ? 'yes' : 'no'],
    ['Log driver', LogConfig.Type],
    ['Storage driver', Driver],
  ];
}

function Networks({ container }: { readonly container: ContainerDetails }) {
  const { Networks: networks, Ports } = container.NetworkSettings;
  const ports = Object.entries(Ports ?? {}).map(([port, bindings]) => ({
    key: port,
    cells: [
      port,
      (bindings ?? []).map(({ HostIp, HostPort }) => `${HostIp || '*'}:${HostPort}`).join(', ') || 'not published',
    ],
  }));
  return (
    <>
      <SimpleTable
        label="Networks of the container"
        columns={['Network', 'Address', 'Aliases']}
        empty={`It is on no network of its own (${container.HostConfig.NetworkMode}).`}
        rows={Object.entries(networks ?? {}).map(([name, endpoint]) => ({
          key: name,
          cells: [
            <a key="link" href={pathTo('networks', endpoint.NetworkID || name)}>
              <Text value={name} />
            </a>,
            [endpoint.IPAddress, endpoint.GlobalIPv6Address].filter((address) => address !== '').join(', '),
            <Text key="aliases" value={(endpoint.Aliases ?? []).join(', ')} />,
          ],
        }))}
      />
      <SimpleTable
        label="Ports of the container"
        columns={['Port', 'Published at']}
        rows={ports}
        empty="It exposes no ports."
      />
    </>
  );
}

function Mounts({ container }: { readonly container: ContainerDetails }) {
  return (
    <SimpleTable
      label="Mounts of the container"
      columns={['Type', 'Source', 'Target', 'Access']}
      empty="It has no mounts."
      rows={container.Mounts.map((mount) => ({
        key: mount.Destination,
        cells: [
          mount.Type,
          mount.Type === 'volume' && mount.Name !== undefined ? (
            <a key="link" href={pathTo('volumes', mount.Name)}>
              <Text value={mount.Name} />
            </a>
          ) : (
            <Text key="source" value={mount.Source} />
          ),
          <Text key="target" value={mount.Destination} />,
          mount.RW ? 'read and write' : 'read-only',
        ],
      }))}
    />
  );
}
