import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';

/**
 * Passes AVA's report from `input` on to `output` as it comes, and counts. Crashes, timeouts, failed hooks and files
 * without tests have a line of their own, like a failed test, and count as one. The report of a test's own output
 * goes elsewhere (stderr), so that nothing but AVA writes such lines.
 */
export async function avaResults(input, output) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  let finished = false;
  for await (const line of createInterface({ input })) {
    output.write(`${line}\n`);
    const text = stripVTControlCharacters(line);
    finished ||= /^ {2}[─-]$/.test(text); // below this line AVA repeats the failures, with details
    if (finished) continue;
    if (/^ {2}[✔√] /.test(text)) counts.passed++;
    else if (/^ {2}[✘×] /.test(text)) counts.failed++;
    else if (/^ {2}- \[(skip|todo)\] /.test(text)) counts.skipped++;
  }
  return counts;
}
