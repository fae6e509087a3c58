const standard = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

/**
 * The path of the host's own programs. npm and npx put the programs of npm packages first, and one of those is called
 * nft like the firewall's; a user's path may lack the administrator's folders.
 */
export function systemPath(path = process.env.PATH ?? '') {
  const own = path.split(':').filter((folder) => folder !== '' && !/node_modules|node-gyp-bin/.test(folder));
  return [...new Set([...own, ...standard])].join(':');
}
