import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Scope, SwarmNode } from '@gantry/test-nodes';

/**
 * Asks for a page again and again, one request after the other, from the network of a node and at its own address. A
 * request has failed that is not answered within the time.
 */
const program = `
  const { get } = require('node:http');
  const [address, port, timeout] = process.argv.slice(1);
  const ask = () => new Promise((resolve) => {
    const request = get({ host: address, port: Number(port), agent: false, timeout: Number(timeout) }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode === 200 ? undefined : String(answer.statusCode)));
      answer.on('error', (error) => resolve(error.code));
    });
    request.on('timeout', () => request.destroy(Object.assign(new Error('timed out'), { code: 'TIMEOUT' })));
    request.on('error', (error) => resolve(error.code));
  });
  let isOver = false;
  process.stdin.on('end', () => { isOver = true; }).resume();
  (async () => {
    const failures = [];
    let requests = 0;
    for (; !isOver; requests++) {
      const failure = await ask();
      if (failure !== undefined) failures.push(failure);
    }
    console.log(JSON.stringify({ requests, failures }));
  })();
`;

interface LoadResult {
  readonly requests: number;
  /** Codes of errors, or statuses. */
  readonly failures: readonly string[];
}

/** Milliseconds for a request: hosts with other work are slow, and what is lost is not answered at all. */
const timeout = 10_000;

/** Loads a port of a node from the node itself, until the test ends at the latest. @returns ends it, and says what happened. */
export function startLoad(t: Scope, node: SwarmNode, port: number): () => Promise<LoadResult> {
  const [enter = '', ...entering] = node.within;
  const args = [...entering, process.execPath, '-e', program, node.address, String(port), String(timeout)];
  const child: ChildProcess = spawn(enter, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  t.teardown(() => void child.kill());
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  return async () => {
    child.stdin?.end();
    await once(child, 'close');
    return JSON.parse(output) as LoadResult;
  };
}
