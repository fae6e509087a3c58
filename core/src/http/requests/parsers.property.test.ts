import { fc, refusedOr } from '@gantry/property-testing';
import { Type } from '@sinclair/typebox';
import test from 'ava';
import { EngineError } from '../../errors/engine-error.js';
import { checkShape } from '../parsing/check-shape.js';
import { decode } from '../parsing/decode.js';
import { Filters } from '../parsing/filters.js';
import { Query } from '../parsing/query.js';
import { parseDuration, parseTimestamp } from '../parsing/timestamp.js';
import { checkEscapes } from '../routing/check-escapes.js';
import { readVersion } from '../routing/version.js';

const special = fc.constantFrom(
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '',
  'label',
  'name',
  '%',
  '&=',
);
const word = fc.oneof(special, fc.string({ maxLength: 12 }), fc.string({ unit: 'binary', maxLength: 6 }));
const json = fc.oneof(fc.jsonValue({ maxDepth: 4 }), fc.dictionary(word, fc.array(word, { maxLength: 3 })));

test('a query is read, whatever it is, and its values are read or refused', (t) => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(word).map((words) => words.join('=')),
  );
  fc.assert(
    fc.property(text, word, (source, name) => {
      const query = new Query(source);
      refusedOr(() => query.integer(name, { min: -3 }));
      refusedOr(() => query.timestamp(name));
      refusedOr(() => query.filters(['label']));
      refusedOr(() => query.json(name, Type.Record(Type.String(), Type.String())));
      return typeof query.boolean(name) === 'boolean' && Array.isArray(query.all(name));
    }),
  );
  t.pass();
});

test('a parameter arrives as it was encoded', (t) => {
  fc.assert(
    fc.property(fc.dictionary(word, word, { maxKeys: 5 }), (values) => {
      const query = new Query(new URLSearchParams(values).toString());
      return Object.keys(values).every((name) => query.string(name) === Buffer.from(values[name] ?? '').toString());
    }),
  );
  t.pass();
});

test('filters are maps of texts, or refused', (t) => {
  const allowed = ['label', 'name', '__proto__', 'constructor'];
  fc.assert(
    fc.property(
      fc.oneof(
        json.map((value) => JSON.stringify(value)),
        fc.string(),
      ),
      (source) => {
        const filters = refusedOr(() => Filters.parse(source, allowed));
        if (filters === undefined) return true;
        refusedOr(() => filters.boolean('name'));
        filters.matchesLabels({ a: 'b' });
        return filters.keys.every(
          (key) => allowed.includes(key) && filters.get(key).every((v) => typeof v === 'string'),
        );
      },
    ),
  );
  t.pass();
});

test('JSON of any shape passes, and text that is none is refused here or by the parser', (t) => {
  fc.assert(fc.property(fc.json(), (source) => checkShape(Buffer.from(source), 1e6) === undefined));
  const broken = fc.tuple(
    fc.json(),
    fc.nat(),
    fc.string({ unit: fc.constantFrom('"', '\\', '{', '[', ',', ':', 'a') }),
  );
  fc.assert(
    fc.property(broken, ([source, at, put]) => {
      const cut = at % (source.length + 1);
      refusedOr(() => checkShape(Buffer.from(source.slice(0, cut) + put + source.slice(cut)), 1e6));
    }),
  );
  t.pass();
});

test('a key that comes twice is found at any depth, however it is written', (t) => {
  const escaped = (key: string) =>
    `"${[...key].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`;
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 5 }), fc.json(), fc.nat(20), (key, value, depth) => {
      const [open, close] = ['{"x":['.repeat(depth), ']}'.repeat(depth)];
      const twice = `${open}{${JSON.stringify(key)}:${value},${escaped(key)}:${value}}${close}`;
      try {
        checkShape(Buffer.from(twice), 1e6);
        return false;
      } catch (error) {
        return EngineError.is(error) && error.message.includes('twice');
      }
    }),
  );
  t.pass();
});

const schema = Type.Object({
  Name: Type.String({ default: '' }),
  Count: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 })),
  Labels: Type.Optional(Type.Record(Type.String(), Type.String())),
  Command: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
  Inner: Type.Optional(Type.Object({ Flag: Type.Boolean({ default: true }) })),
  Any: Type.Optional(Type.Unknown()),
});

test('what is decoded has the fields of the schema and no others, and nothing is polluted', (t) => {
  const keys = fc.oneof(fc.constantFrom('Name', 'name', 'Count', 'LABELS', 'Command', 'Inner', 'Any'), word);
  fc.assert(
    fc.property(
      fc.dictionary(keys, fc.oneof(json, fc.integer(), fc.constant(null)), { noNullPrototype: true }),
      (given) => {
        const value = refusedOr(() => decode(schema, given));
        if (value === undefined) return true;
        const known = new Set(['Name', 'Count', 'Labels', 'Command', 'Inner', 'Any']);
        return (
          Object.keys(value).every((key) => known.has(key)) &&
          Object.getPrototypeOf(value) === Object.prototype &&
          Object.keys(Object.prototype).length === 0
        );
      },
    ),
  );
  t.pass();
});

test('paths, versions, times and durations are read or refused', (t) => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[-+]?[0-9.]{0,12}[nuµmshT:Z-]{0,4}$/));
  fc.assert(
    fc.property(text, (source) => {
      refusedOr(() => checkEscapes(`/containers/${source}/json`));
      refusedOr(() => readVersion(`/v${source}/info`, { min: '1.12', max: '1.24' }));
      refusedOr(() => parseTimestamp('since', source));
      const duration = parseDuration(source);
      return duration === undefined || typeof duration === 'bigint';
    }),
  );
  t.pass();
});
