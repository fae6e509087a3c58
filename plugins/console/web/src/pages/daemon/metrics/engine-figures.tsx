import { type Entry, KeyValues } from '../../../components/key-values';
import { Panel } from '../../../components/panel';
import { SimpleTable } from '../../../components/simple-table';
import { Text } from '../../../components/text';
import { formatBytes } from '../../../format/format-bytes';
import { type Exposition, sumOf } from './exposition';

const shownRoutes = 10;

/** Totals since the daemon was started, and what there is now. */
export function EngineFigures({ exposition }: { readonly exposition: Exposition }) {
  const sum = (name: string): number => sumOf(exposition, `gantry_${name}`);
  const processEntries: Entry[] = [
    ['Memory', formatBytes(sum('process_resident_memory_bytes'))],
    ['Heap', `${formatBytes(sum('process_heap_used_bytes'))} of ${formatBytes(sum('process_heap_bytes'))}`],
    ['Processor time', `${Math.round(sum('process_cpu_seconds_total'))} s`],
    ['Open files', String(sum('process_open_fds'))],
    ['Started', new Date(sum('process_start_time_seconds') * 1000).toLocaleString()],
  ];
  const commits = sum('state_commits_total');
  const work: Entry[] = [
    ['Requests', String(sum('http_requests_total'))],
    ['Being served', String(sum('http_requests_running'))],
    ['Commits', commits === 0 ? '0' : `${commits}, ${meanOf(sum('state_commit_seconds_total'), commits)} each`],
    ['Pulls', outcomesOf(exposition, 'image_pulls')],
    ['Builds', outcomesOf(exposition, 'image_builds')],
    ['Events', String(sum('events_total'))],
  ];
  return (
    <>
      <Panel title="Containers by state">
        <KeyValues entries={byLabel(exposition, 'gantry_containers', 'state')} />
      </Panel>
      <Panel title="The daemon's process">
        <KeyValues entries={processEntries} />
      </Panel>
      <Panel title="Since its start">
        <KeyValues entries={work} />
      </Panel>
      <Panel title="Routes that took the most time">
        <SimpleTable
          label="Routes"
          columns={['Route', 'Requests', 'Mean']}
          empty="No request has ended yet."
          rows={routesOf(exposition)}
        />
      </Panel>
    </>
  );
}

const byLabel = (exposition: Exposition, name: string, label: string): Entry[] =>
  (exposition.get(name) ?? []).map(({ labels, value }) => [labels[label] ?? '', String(value)]);

function outcomesOf(exposition: Exposition, name: string): string {
  const count = (outcome: string): number => sumOf(exposition, `gantry_${name}_total`, ['outcome', outcome]);
  return `${count('succeeded')}, ${count('failed')} failed, ${sumOf(exposition, `gantry_${name}_running`)} running`;
}

const meanOf = (seconds: number, count: number): string => `${((seconds * 1000) / count).toFixed(1)} ms`;

function routesOf(exposition: Exposition) {
  const counts = exposition.get('gantry_http_request_duration_seconds_count') ?? [];
  const sums = exposition.get('gantry_http_request_duration_seconds_sum') ?? [];
  return counts
    .map(({ labels, value }) => {
      const name = `${labels.method} ${labels.route}`;
      const seconds = sums.find((each) => each.labels.method === labels.method && each.labels.route === labels.route);
      return { name, count: value, seconds: seconds?.value ?? 0 };
    })
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, shownRoutes)
    .map(({ count, name, seconds }) => ({
      key: name,
      cells: [<Text key="name" value={name} />, String(count), meanOf(seconds, count)],
    }));
}
