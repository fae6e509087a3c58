import type { Rule } from '../rule.js';

const page = 'docs/security.md';

/** A test as the page names it: `path/to/file.test.ts`: "its title", or the beginning of one that ends with …. */
const named = /`([\w./-]+\.test\.ts)`: "([^"]+)"/g;

export const threatsAreTested: Rule = {
  title: 'every line of the threat model names a test that is there',
  check: ({ files }) => {
    const model = /\n## Threat model\n([\s\S]*?)(?=\n## |$)/.exec(files.get(page) ?? '')?.[1];
    if (model === undefined) return files.has(page) ? [`${page}: has no section "Threat model"`] : [];
    const [, , ...lines] = model.split('\n').filter((line) => line.startsWith('|'));
    return lines.flatMap((line) => {
      const threat = line.split('|')[1]?.trim() ?? '';
      const tests = [...line.matchAll(named)];
      if (tests.length === 0) return [`${page}: "${threat}" names no test`];
      return tests.flatMap(([, file = '', title = '']) =>
        files.get(file)?.includes(title.replace(/ ?…$/, '')) === true
          ? []
          : [`${page}: "${threat}": there is no test "${title}" in ${file}`],
      );
    });
  },
};
