import { spawn, spawnSync } from 'node:child_process';
import { run } from './run.js';

/** Addresses of documentation, which no network of a host has. */
const ends = {
  host: { v4: '198.51.100.1', v6: '2001:db8:77::1' },
  outside: { v4: '198.51.100.2', v6: '2001:db8:77::2' },
} as const;

/** Another machine on a link of this host: a network namespace with this host as its router, and a web server. */
export class OutsideWorld {
  readonly host = ends.host;
  readonly address = ends.outside;
  readonly #name = `outside${process.pid}`;
  readonly #link = `up${process.pid}`;
  readonly #server;

  constructor() {
    run('ip', 'netns', 'add', this.#name);
    run('ip', 'link', 'add', this.#link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', this.#name);
    for (const [prefix, end, link] of [
      [[], ends.host, this.#link],
      [['-n', this.#name], ends.outside, 'eth0'],
    ] as const) {
      run('ip', ...prefix, 'address', 'add', `${end.v4}/24`, 'dev', link);
      run('ip', ...prefix, 'address', 'add', `${end.v6}/64`, 'dev', link, 'nodad');
      run('ip', ...prefix, 'link', 'set', link, 'up');
    }
    run('ip', '-n', this.#name, 'link', 'set', 'lo', 'up');
    run('ip', '-n', this.#name, 'route', 'add', 'default', 'via', ends.host.v4);
    run('ip', '-n', this.#name, '-6', 'route', 'add', 'default', 'via', ends.host.v6);
    this.#server = spawn('nsenter', [...this.#inside, 'busybox', 'httpd', '-f', '-p', '80', '-h', '/proc/sys/kernel'], {
      stdio: 'ignore',
    });
  }

  /** The body of what a web server answers to a request from there; undefined when none answers in time. */
  ask(host: string, port: number | string, path = '/', seconds = 10): string | undefined {
    // Not a program of busybox: linked statically, its wget crashes where it looks a host up.
    const script = 'exec 3<>"/dev/tcp/$0/$1" && printf "GET $2 HTTP/1.0\\r\\n\\r\\n" >&3 && cat <&3';
    const words = ['timeout', `${seconds}`, 'bash', '-c', script, host, `${port}`, path];
    const { stdout, status } = spawnSync('nsenter', [...this.#inside, ...words], { encoding: 'utf8' });
    if (status !== 0 || !/^HTTP\/1\.\d 200/.test(stdout)) return undefined;
    return stdout.slice(stdout.indexOf('\r\n\r\n') + 4);
  }

  remove(): void {
    this.#server.kill('SIGKILL');
    run('ip', 'netns', 'delete', this.#name);
  }

  get #inside(): readonly string[] {
    return [`--net=/run/netns/${this.#name}`];
  }
}
