import { createInterface } from 'node:readline';

/**
 * Reads AVA's TAP from `input`, prints it in fewer words to `output` as it comes, and counts. A crash, a timeout, a
 * failed hook and a file without tests are each a "not ok" line of their own, so the counts need no guessing.
 */
export async function tapResults(input, output) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for await (const line of createInterface({ input })) {
    const [, not, title, directive] = /^(not )?ok \d+ - (.*?)(?: # ([A-Z]+))?$/.exec(line) ?? [];
    if (title === undefined) {
      if (!isFrame(line)) output.write(`${line}\n`);
      continue;
    }
    if (directive !== undefined) counts.skipped++;
    else if (not) counts.failed++;
    else counts.passed++;
    output.write(`${directive ? '- skipped:' : not ? '✘' : '✔'} ${title}\n`);
  }
  return counts;
}

const isFrame = (line) => line === '' || /^(TAP version \d+|1\.\.\d+|# (tests|pass|skip|fail) \d+)$/.test(line);
