import type { ComponentChildren } from 'preact';
import { Text } from './text';

export type Entry = readonly [name: string, value: ComponentChildren];

/** Names and values; entries without a value are left out. */
export function KeyValues({ entries }: { readonly entries: readonly Entry[] }) {
  const shown = entries.filter(([, value]) => value !== undefined && value !== null && value !== '');
  if (shown.length === 0) return <p class="hint">None.</p>;
  return (
    <dl class="key-values">
      {shown.map(([name, value], at) => (
        <div key={`${at} ${name}`}>
          <dt>
            <Text value={name} limit={80} />
          </dt>
          <dd>{typeof value === 'string' ? <Text value={value} limit={500} /> : value}</dd>
        </div>
      ))}
    </dl>
  );
}

export const textEntries = (values: Readonly<Record<string, string>> | null | undefined): Entry[] =>
  Object.entries(values ?? {}).map(([name, value]) => [name, value === '' ? '(empty)' : value]);
