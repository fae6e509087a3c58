import test from 'ava';
import { expandTemplate } from './expand-template.js';

const fields = {
  Service: {
    Name: 'web',
    Labels: new Map([
      ['color', 'red'],
      ['com.example.a', 'dotted'],
    ]),
  },
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
  ['{{.Odd}}', /^Field: invalid template: \{\{\.Odd\}\}: can't evaluate field Odd in type struct$/],
  ['{{.Service.Labels.nosuch}}', /map has no entry for key "nosuch"$/],
  ['{{.Service.constructor}}', /can't evaluate field constructor in type struct$/],
  ['{{.Service.Name.length}}', /can't evaluate field length in type string$/],
  ['{{nosuch "a"}}', /line 1: function "nosuch" not defined$/],
  ['{{toString}}', /function "toString" not defined$/],
  ['{{if .Service.Name}}a', /unexpected end of the template$/],
  ['{{.Service.Name', /line 1: unclosed action$/],
  ['a {{}} b', /missing value for command$/],
  ['{{"a" | .Service.Name}}', /can't give argument to non-function \.Service\.Name$/],
  ['{{.Service.Name "a"}}', /can't give argument to non-function \.Service\.Name$/],
  ['{{(join}}', /unclosed left paren$/],
  ['{{join}}', /wrong number of args for join: got 0$/],
  ['{{join "-" 1}}', /expected string; got int, in join$/],
  ['a\n{{$x}}', /line 2: undefined variable "\$x"$/],
  ['{{if $x := 1}}{{$x}}{{end}}{{$x}}', /undefined variable "\$x"$/],
  ['{{$x := 1}}{{define "d"}}{{$x}}{{end}}', /undefined variable "\$x"$/],
  ['{{end}}', /unexpected \{\{end\}\}$/],
  ['{{break}}', /\{\{break\}\} outside \{\{range\}\}$/],
  ['{{template "no"}}', /template "no" not defined$/],
  ['{{"a"b}}', /line 1: unexpected "b" in operand$|unexpected b in operand$/],
  ['{{1 | 2}}', /non executable command in pipeline$/],
  ['{{nil}}', /nil is not a command$/],
  ['{{eq 1 1.0}}', /incompatible types for comparison$/],
  ['{{eq .Service.Labels .Service.Labels}}', /non-comparable type map\[string\]string$/],
  ['{{lt true false}}', /invalid type for comparison$/],
  ['{{len 3}}', /len of type int$/],
  ['{{index "abc" 9}}', /index out of range: 9$/],
  ['{{slice "abc" 2 1}}', /invalid slice index: 2 > 1$/],
  ['{{range "abc"}}{{end}}', /range can't iterate over abc$/],
  ['{{range $i, $e := 3}}{{end}}', /can't use 3 to iterate over more than one variable$/],
  ['{{"\\q"}}', /invalid escape \\q in "\\q"$/],
  ['{{99999999999999999999}}', /integer overflow: 99999999999999999999$/],
  ['{{range 99999999999}}{{end}}', /it takes more than 100000 steps$/],
  ['{{define "a"}}{{template "a"}}{{end}}{{template "a"}}', /templates call each other more than 200 deep$/],
  [`{{${'('.repeat(300)}1${')'.repeat(300)}}}`, /too deeply nested$/],
  ['{{printf "%9999999d" 1 | printf "%s" | nosuch}}', /function "nosuch" not defined$/],
];

for (const [template, words] of refused) {
  test(`${JSON.stringify(template)} is refused`, (t) => {
    t.throws(() => expandTemplate('Field', template, { fields, functions }), { message: words });
  });
}
