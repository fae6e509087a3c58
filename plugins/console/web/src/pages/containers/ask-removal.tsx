import { confirm } from '../../components/confirm';

/** @returns how to remove; undefined when the operator declined */
export const askRemoval = (what: string): Promise<{ force: boolean; volumes: boolean } | undefined> =>
  confirm({
    title: `Remove ${what.slice(0, 80)}?`,
    body: <p>What the container wrote outside of volumes is deleted.</p>,
    action: 'Remove',
    options: { force: 'Kill it when it runs (force)', volumes: 'Remove its anonymous volumes too' },
  });
