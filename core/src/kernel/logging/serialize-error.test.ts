import test from 'ava';
import { notFound } from '../../errors/engine-error.js';
import { serializeError } from './serialize-error.js';

test('an error has type, message, stack, own fields and its cause', (t) => {
  const cause = Object.assign(new TypeError('x is not a function'), { code: 'ERR_X', socket: {} });
  const error = notFound('no such thing', { cause });
  const serialized = JSON.parse(JSON.stringify(serializeError(error)));
  t.like(serialized, { type: 'EngineError', kind: 'not-found', message: 'no such thing' });
  t.regex(serialized.stack, /no such thing\n\s+at [\s\S]*serialize-error\.test/);
  t.like(serialized.cause, { type: 'TypeError', message: 'x is not a function', code: 'ERR_X' });
  t.regex(serialized.cause.stack, /TypeError: x is not a function\n/);
  t.false('socket' in serialized.cause);
});

test('the errors of an aggregate are shown, and a circular chain ends', (t) => {
  const first = new Error('first');
  first.cause = first;
  const serialized = JSON.parse(JSON.stringify(serializeError(new AggregateError([first, 'text'], 'both'))));
  t.is(serialized.errors[0].message, 'first');
  t.is(serialized.errors[1], 'text');
});

test('what is not an error stays as it is', (t) => {
  t.is(serializeError('a reason'), 'a reason');
  t.is(serializeError(undefined), undefined);
});
