/** The command of a container that answers each request with `answered`. */
export const webServer: string[] = [
  'sh',
  '-c',
  'mkdir /www; echo answered > /www/index.html; exec httpd -f -p 80 -h /www',
];

/** A shell command that prints the body of what a web server answers, and nothing when none answers in time. */
export const askFromContainer = (host: string, port: number | string, path = '/', seconds = 10): string =>
  // Not wget: that of busybox crashes with a timeout.
  `printf "GET ${path} HTTP/1.0\\r\\n\\r\\n" | nc -w ${seconds} ${host} ${port} 2>/dev/null | sed '1,/^\\r*$/d'`;
