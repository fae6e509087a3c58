import { send } from '../../api/request';
import { type Entry, KeyValues } from '../../components/key-values';
import { Panel } from '../../components/panel';
import { Loaded } from '../../components/status-views';
import { useResource } from '../../events/use-resource';

interface Settings {
  readonly engine: Readonly<Record<string, unknown>>;
  readonly packages: Readonly<Record<string, unknown>>;
}

const readSettings = async (signal: AbortSignal): Promise<Settings> =>
  (await send('/settings', { signal })).json() as Promise<Settings>;

function textOf(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return value || '(empty)';
  if (typeof value !== 'object' || value === null) return String(value);
  const parts = Array.isArray(value)
    ? value.map(textOf)
    : Object.entries(value).map(([name, part]) => `${name}: ${textOf(part)}`);
  return parts.join(', ') || 'none';
}

const entriesOf = (settings: unknown): Entry[] =>
  Object.entries((settings ?? {}) as Readonly<Record<string, unknown>>)
    // They have a page of their own, with what became of them.
    .filter(([name]) => name !== 'packages' && name !== 'extraPackages')
    .map(([name, value]) => [name, textOf(value)]);

/** As the configuration was last read, with the defaults of what it leaves out; a reload is an event of the daemon. */
export function Configuration() {
  const [settings, reload] = useResource(readSettings, [], ['daemon']);
  return (
    <Loaded what="the configuration" resource={settings} reload={reload}>
      {({ engine, packages }) => (
        <>
          <p class="hint">With the defaults of what the configuration leaves out, and without secrets.</p>
          <div class="panels">
            <Panel title="Engine">
              <KeyValues entries={entriesOf(engine)} />
            </Panel>
            {Object.entries(packages)
              .filter(([, section]) => entriesOf(section).length > 0)
              .map(([name, section]) => (
                <Panel key={name} title={name}>
                  <KeyValues entries={entriesOf(section)} />
                </Panel>
              ))}
          </div>
        </>
      )}
    </Loaded>
  );
}
