/** An account or the owner of a repository. */
export interface Person {
  readonly id: number;
  readonly login: string;
  readonly type?: string;
  readonly nodeId?: string;
  readonly avatarUrl?: string;
  readonly htmlUrl?: string;
}

/** The `owner` object of the specification. */
export function personJson(person: Person, baseUrl: string) {
  const url = `${baseUrl}/users/${person.login}`;
  return {
    login: person.login,
    id: person.id,
    node_id: person.nodeId ?? Buffer.from(`User:${person.id}`).toString('base64'),
    avatar_url: person.avatarUrl ?? '',
    gravatar_id: '',
    url,
    html_url: person.htmlUrl ?? `${baseUrl}/${person.login}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: person.type ?? 'User',
    site_admin: false,
  };
}
