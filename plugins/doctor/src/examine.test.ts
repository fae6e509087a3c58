import test from 'ava';
import { examine } from './examine.js';
import { healthyEngine, healthyHost } from './testing/healthy-host.js';
import { kernelCases } from './testing/kernel-cases.js';
import { otherCases } from './testing/other-cases.js';

const cases = [...kernelCases, ...otherCases];

for (const { engine, found, host, id, level, remedy } of cases) {
  test(`${id} is ${level}: ${found.source}`, (t) => {
    const { findings } = examine({ ...healthyHost, ...host }, { ...healthyEngine, ...engine });
    const finding = findings.find((each) => each.id === id);
    t.is(finding?.level, level, finding?.found);
    t.regex(finding?.found ?? '', found);
    if (remedy === undefined) t.is(finding?.remedy, undefined);
    else t.regex(finding?.remedy ?? '', remedy);
  });
}

test('of a healthy host and daemon nothing is to be done', (t) => {
  const report = examine(healthyHost, healthyEngine);
  t.deepEqual(
    report.findings.filter(({ level, remedy }) => level !== 'ok' || remedy !== undefined),
    [],
  );
  t.is(report.level, 'ok');
  t.is(examine({ ...healthyHost, programs: [] }).level, 'problem');
});

test('every finding has a case, a meaning, and one id', (t) => {
  const { findings } = examine(healthyHost, healthyEngine);
  const ids = findings.map(({ id }) => id);
  t.is(new Set(ids).size, ids.length);
  t.deepEqual(
    ids.filter((id) => !cases.some((each) => each.id === id)),
    [],
  );
  t.true(findings.every(({ meaning, title }) => meaning.endsWith('.') && title.length > 0));
});
