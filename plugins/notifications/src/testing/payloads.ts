/** Deliveries in the shape code hosts send, with what this service reads of them. */
const repository = {
  id: 500,
  name: 'tools',
  private: false,
  description: 'Hammers',
  url: 'https://forge.example/api/repos/octavia/tools',
  html_url: 'https://forge.example/octavia/tools',
  owner: { login: 'octavia', id: 9, type: 'User' },
};

const person = (login: string) => ({ login });

const item = (kind: 'issues' | 'pull', number: number, author: string, more: object) => ({
  number,
  title: `${kind} ${number}`,
  url: `https://forge.example/api/${kind}/${number}`,
  html_url: `https://forge.example/${kind}/${number}`,
  user: person(author),
  ...more,
});

const by = (sender: string, action: string, more: object) => ({ action, sender: person(sender), repository, ...more });

export const issue = (number: number, author: string, more: object = {}) => item('issues', number, author, more);
export const pull = (number: number, author: string, more: object = {}) => item('pull', number, author, more);
export const comment = (id: number, body: string) => ({
  id,
  body,
  url: `https://forge.example/api/comments/${id}`,
  html_url: `https://forge.example/comments/${id}`,
  created_at: new Date().toISOString(),
});

export const payloads = { repository, person, by };
