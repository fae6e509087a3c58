import { call } from '../../../api/request';
import { StateBadge } from '../../../components/badge';
import { Button } from '../../../components/button';
import { Panel } from '../../../components/panel';
import { SimpleTable } from '../../../components/simple-table';
import { Loaded } from '../../../components/status-views';
import { Text } from '../../../components/text';
import { useResource } from '../../../events/use-resource';
import { plural } from '../../../format/plural';

interface Finding {
  readonly id: string;
  readonly title: string;
  readonly level: 'ok' | 'warning' | 'problem';
  readonly found: string;
  readonly meaning: string;
  readonly remedy?: string;
}

interface Report {
  readonly time: string;
  readonly findings: readonly Finding[];
}

const groups: readonly (readonly [group: string, name: string])[] = [
  ['engine', 'The daemon'],
  ['kernel', 'Kernel'],
  ['cgroups', 'Control groups'],
  ['storage', 'Storage'],
  ['firewall', 'Firewall'],
  ['clock', 'Clock'],
  ['user', 'User'],
  ['programs', 'Programs'],
];

const readReport = (signal: AbortSignal): Promise<Report> => call<Report>('/doctor', { signal });

/** What is wrong with the host or the engine first, then everything that was looked at. */
export function DoctorPage() {
  const [report, reload] = useResource(readReport, [], []);
  return (
    <Loaded what="what the doctor finds" resource={report} reload={reload}>
      {({ findings, time }) => (
        <>
          <div class="toolbar">
            <span class="hint">
              {summaryOf(findings)}, at {new Date(time).toLocaleTimeString()}
            </span>
            <Button onPress={reload}>Look again</Button>
          </div>
          {['problem', 'warning'].flatMap((level) =>
            findings
              .filter((finding) => finding.level === level)
              .map((finding) => <Remedy key={finding.id} {...finding} />),
          )}
          <div class="panels">
            {groups.map(([group, name]) => (
              <Group key={group} name={name} findings={findings.filter(({ id }) => id.startsWith(`${group}.`))} />
            ))}
          </div>
        </>
      )}
    </Loaded>
  );
}

function summaryOf(findings: readonly Finding[]): string {
  const count = (level: Finding['level']): number => findings.filter((finding) => finding.level === level).length;
  return `${plural(count('problem'), 'problem')}, ${plural(count('warning'), 'warning')}, ${count('ok')} ok`;
}

function Remedy({ found, id, level, meaning, remedy, title }: Finding) {
  const group = groups.find(([name]) => id.startsWith(`${name}.`))?.[1] ?? '';
  return (
    <Panel title={`${group}: ${title}`} actions={<StateBadge state={level} />}>
      <p>
        <Text value={found} limit={1_000} />
      </p>
      <p class="hint">{meaning}</p>
      {remedy !== undefined && <p>{remedy}</p>}
    </Panel>
  );
}

function Group({ findings, name }: { readonly findings: readonly Finding[]; readonly name: string }) {
  if (findings.length === 0) return null;
  return (
    <Panel title={name}>
      <SimpleTable
        label={`Findings: ${name}`}
        columns={['What', 'Found', 'Level']}
        empty=""
        rows={findings.map(({ found, id, level, meaning, title }) => ({
          key: id,
          cells: [
            <span key="title" title={meaning}>
              {title}
            </span>,
            <Text key="found" value={found} limit={300} />,
            <StateBadge key="level" state={level} />,
          ],
        }))}
      />
    </Panel>
  );
}
