import test from 'ava';
import { expandTemplate } from './expand-template.js';

const fields = {
  Service: { Name: 'web', Labels: { color: 'red', 'com.example.a': 'dotted' } },
  Node: { Hostname: 'host', Platform: { OS: 'linux' } },
  Task: { Slot: '3' },
};
const functions = { env: (name = '') => `value of ${name}`, upper: (text = '') => text.toUpperCase() };

const expanded: readonly (readonly [template: string, text: string])[] = [
  ['plain {text} with } braces', 'plain {text} with } braces'],
  ['{{.Service.Name}}-{{ .Task.Slot }}', 'web-3'],
  ['{{.Node.Platform.OS}}', 'linux'],
  ['{{.Service.Labels.color}}', 'red'],
  ['{{index .Service.Labels "com.example.a"}}', 'dotted'],
  ['{{index .Service.Labels `nosuch`}}', ''],
  ['{{join "-" .Service.Name .Task.Slot "a\\"b"}}', 'web-3-a"b'],
  ['{{env "A"}}', 'value of A'],
  ['{{.Service.Name | upper}}', 'WEB'],
  ['{{join "," (upper .Service.Name) "}}"}}', 'WEB,}}'],
  ['a {{- /* trimmed */ -}} b', 'ab'],
  ['a\n{{- .Task.Slot}} b', 'a3 b'],
];

for (const [template, text] of expanded) {
  test(`${JSON.stringify(template)} is filled`, (t) => {
    t.is(expandTemplate('Field', template, { fields, functions }), text);
  });
}

const refused: readonly (readonly [template: string, words: RegExp])[] = [
  ['{{.Odd}}', /^Field: the placeholder \{\{\.Odd\}\} is not supported: there is no field Odd$/],
  ['{{.Service.Labels.nosuch}}', /there is no field nosuch$/],
  ['{{.Service.constructor}}', /there is no field constructor$/],
  ['{{.Service.Labels}}', /the value is not a text$/],
  ['{{nosuch "a"}}', /there is no function nosuch$/],
  ['{{if .Service.Name}}a{{end}}', /\{\{if \.Service\.Name\}\} is not supported/],
  ['{{.Service.Name', /unclosed action$/],
  ['a {{}} b', /a command is missing$/],
  ['{{"a" | .Service.Name}}', /"\.Service\.Name" is not a function$/],
  ['{{(join}}', /a parenthesis is not closed$/],
  ['{{$x := 1}}', /"\$x := 1" is not understood$/],
];

for (const [template, words] of refused) {
  test(`${JSON.stringify(template)} is refused`, (t) => {
    t.throws(() => expandTemplate('Field', template, { fields, functions }), { message: words });
  });
}
