import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Runs a program to its end. @returns its standard output. Rejects with what it wrote to standard error. */
export async function runProgram(program: string, args: readonly string[], cwd?: string): Promise<string> {
  try {
    const { stdout } = await execute(program, [...args], {
      maxBuffer: 64 * 2 ** 20,
      env: { ...process.env, LC_ALL: 'C' },
      ...(cwd !== undefined && { cwd }),
    });
    return stdout;
  } catch (error) {
    const { stderr = '' } = error as { readonly stderr?: string };
    throw new Error(`${program} ${args.join(' ')}: ${stderr.trim() || (error as Error).message}`, { cause: error });
  }
}
