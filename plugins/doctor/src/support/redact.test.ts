import test from 'ava';
import { redact, redactText } from './redact.js';

test('secrets are redacted by the names of settings, and in addresses', (t) => {
  const settings = {
    hosts: ['unix:///run/gantry.sock'],
    registry: { mirrors: ['https://user:word@mirror.example/v2'], password: 'word', authToken: 'x', insecure: true },
    'log/splunk': { 'splunk-token': 'x', limit: 5, headers: { Any: 'x', Deep: { er: 'y' } } },
    env: ['A=b'],
    nothing: null,
  };
  t.deepEqual(redact(settings), {
    hosts: ['unix:///run/gantry.sock'],
    registry: {
      mirrors: ['https://[redacted]@mirror.example/v2'],
      password: '[redacted]',
      authToken: '[redacted]',
      insecure: true,
    },
    'log/splunk': {
      'splunk-token': '[redacted]',
      limit: 5,
      headers: { Any: '[redacted]', Deep: { er: '[redacted]' } },
    },
    env: ['[redacted]'],
    nothing: null,
  });
});

test('secrets are redacted in lines of a log', (t) => {
  t.is(redactText('pulled from https://a:b@c.example/x'), 'pulled from https://[redacted]@c.example/x');
  t.is(redactText('{"password":"word","id":"x"}'), '{"password":"[redacted]","id":"x"}');
  t.is(redactText('mount -o username=a,password=word,vers=3'), 'mount -o username=a,password=[redacted],vers=3');
  t.is(redactText('4 tokens were read'), '4 tokens were read');
});
