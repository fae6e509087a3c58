import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freshDirectory, parseConfig, removeDirectory } from '@gantry/conformance';
import type { LogBatch, LogContainer, LogQuery } from '@gantry/core/contracts';
import { plainContainer } from '@gantry/lib-log/testing';
import { configSchema } from '../config.js';
import { JsonFileLog } from '../json-file-log.js';

/** A log of a test's own. */
export async function testLog(
  t: { teardown(run: () => void): void },
  options: Readonly<Record<string, string>> = {},
): Promise<{ readonly driver: JsonFileLog; readonly container: LogContainer; readonly path: string }> {
  const directory = await freshDirectory();
  t.teardown(() => removeDirectory(directory));
  mkdirSync(join(directory, 'log'));
  const container = plainContainer(join(directory, 'log'), options);
  const driver = new JsonFileLog(parseConfig(configSchema));
  return { driver, container, path: driver.path(container) };
}

/** A batch of lines on stdout, numbered seconds apart. */
export function batch(from: number, to: number, filler = ''): LogBatch {
  const lines = Array.from({ length: to - from }, (_, index) => {
    const time = new Date(Date.UTC(2026, 0, 1) + (from + index) * 1000).toISOString().slice(0, -1);
    return `${time}000000+00:00 stdout F ${from + index}${filler}\n`;
  });
  return { spool: Buffer.from(lines.join('')), resume: String(to), records: () => [] };
}

/** The texts of a log. */
export async function textOf(
  driver: JsonFileLog,
  container: LogContainer,
  query: Partial<LogQuery> = {},
): Promise<string> {
  let text = '';
  for await (const page of driver.read(container, { stdout: true, stderr: true, follow: false, ...query })) {
    for (const { line, partial } of page.records()) text += `${Buffer.from(line).toString()}${partial ? '' : '\n'}`;
  }
  return text;
}

export const numbers = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => `${from + index}\n`).join('');

/** What is wrong with a text that should be the numbers from the first on, each once; short, unlike the text. */
export function gaps(text: string): string {
  const found = text.split('\n').slice(0, -1).map(Number);
  const wrong = found.flatMap((number, index) =>
    index > 0 && number !== (found[index - 1] as number) + 1 ? [`${number} after ${found[index - 1]}`] : [],
  );
  return `${found[0]} to ${found.at(-1)}${wrong.map((words) => `, ${words}`).join('')}`;
}
