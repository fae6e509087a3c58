export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Samples by the name of their metric. */
export type Exposition = ReadonlyMap<string, readonly Sample[]>;

const line = /^(\w+)(?:\{(.*)\})? (\S+)$/;
const label = /(\w+)="((?:[^"\\]|\\.)*)"/g;
const escaped: Readonly<Record<string, string>> = { n: '\n' };

/** Reads the text format of Prometheus. */
export function parseExposition(text: string): Exposition {
  const found = new Map<string, Sample[]>();
  for (const each of text.split('\n')) {
    const [, name, labels = '', value = ''] = line.exec(each) ?? [];
    if (name === undefined) continue;
    const samples = found.get(name) ?? [];
    samples.push({ labels: parseLabels(labels), value: Number(value) });
    found.set(name, samples);
  }
  return found;
}

const parseLabels = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...text.matchAll(label)].map(([, name = '', value = '']) => [
      name,
      value.replace(/\\(.)/g, (_, character: string) => escaped[character] ?? character),
    ]),
  );

/** The sum of a metric's samples, or of those with a label of this value; 0 without any. */
export const sumOf = (exposition: Exposition, name: string, label?: readonly [name: string, value: string]): number =>
  (exposition.get(name) ?? [])
    .filter(({ labels }) => label === undefined || labels[label[0]] === label[1])
    .reduce((sum, { value }) => sum + value, 0);
