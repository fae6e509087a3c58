import test from 'ava';
import { compareContracts, formatReport, parseReport } from './contract-report.js';

const driver = 'export interface Driver {\n    create(name: string): Promise<void>;\n    list(): string[];\n}';
const before = new Map([
  ['Driver', driver],
  ['zero', 'export declare const zero: 0;'],
]);
const changed = (declaration: string) => compareContracts(before, new Map([...before, ['Driver', declaration]]));

test('a report is read as it was written', (t) => {
  t.deepEqual(parseReport(formatReport(before)), before);
  t.deepEqual(compareContracts(before, before), []);
});

test('additions are distinguished from what breaks packages', (t) => {
  const optional = driver.replace('\n}', '\n    usage?(name: string): number;\n    readonly size?: number;\n}');
  t.deepEqual(changed(optional), [{ name: 'Driver', is: 'extended' }]);
  const required = driver.replace('\n}', '\n    usage(name: string): number;\n}');
  t.deepEqual(changed(required), [{ name: 'Driver', is: 'changed' }]);
  t.deepEqual(changed(driver.replace('name: string', 'name: string, size: number')), [
    { name: 'Driver', is: 'changed' },
  ]);
  t.deepEqual(changed(driver.replace('    list(): string[];\n', '')), [{ name: 'Driver', is: 'changed' }]);
  t.deepEqual(
    compareContracts(
      before,
      new Map([
        ['Driver', driver],
        ['one', 'x'],
      ]),
    ),
    [
      { name: 'one', is: 'added' },
      { name: 'zero', is: 'removed' },
    ],
  );
});
